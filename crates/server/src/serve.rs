//! Running the server: open the data, listen, tell how to sign in, stop cleanly.

use std::error::Error;
use std::io::Write;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use crate::cli::{Cli, Command, Example, LogFormat, Serve};
use crate::data_dir::DataDir;
use crate::state::{AppState, Settings};
use crate::store::{Store, users};
use crate::{app, example};

type Failure = Box<dyn Error + Send + Sync>;

/// How long open requests may take to end after a signal.
const GRACE: Duration = Duration::from_secs(5);

/// Carries a command out; the error is a sentence for the terminal.
pub fn run(cli: Cli) -> Result<(), Failure> {
    match cli.command {
        Command::Serve(options) => {
            start_log(options.log_format, options.verbose)?;
            runtime()?.block_on(serve(options))
        }
        Command::Example(options) => runtime()?.block_on(load_example(options)),
    }
}

fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    Ok(tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?)
}

fn start_log(format: LogFormat, verbose: bool) -> Result<(), Failure> {
    let level = if verbose {
        tracing::Level::DEBUG
    } else {
        tracing::Level::INFO
    };
    let filter = tracing_subscriber::filter::Targets::new()
        .with_default(tracing::Level::WARN)
        .with_target("remit_server", level);
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let registry = tracing_subscriber::registry().with(filter);
    match format {
        LogFormat::Text => registry.with(lines).try_init()?,
        LogFormat::Json => registry.with(lines.json().flatten_event(true)).try_init()?,
    }
    Ok(())
}

async fn load_example(options: Example) -> Result<(), Failure> {
    let data = DataDir::open(&options.data)?;
    let store = Store::open(data.database()).await?;
    let state = AppState::new(store, Settings::default()).map_err(sentence)?;
    if !example::is_empty(&state).await.map_err(sentence)? {
        return Err(format!(
            "the data directory `{}` is not empty; the example is only loaded into an empty one",
            options.data.display()
        )
        .into());
    }
    let loaded = example::load(&state, options.example_password)
        .await
        .map_err(sentence)?;
    state.store.close().await;
    say(&format!("Loaded the example organisation: {loaded}."));
    Ok(())
}

fn sentence(error: crate::error::ApiError) -> Failure {
    match error {
        crate::error::ApiError::Internal(cause) => cause.into(),
        other => format!("{other:?}").into(),
    }
}

/// Writes a line for whoever started the server. A closed standard output is no reason to stop.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

async fn serve(options: Serve) -> Result<(), Failure> {
    let settings = options.settings()?;
    let data = DataDir::open(&options.data)?;
    let store = Store::open(data.database()).await.map_err(|error| {
        format!(
            "the database `{}` cannot be opened: {error}",
            data.database().display()
        )
    })?;
    let listener = TcpListener::bind(options.listen)
        .await
        .map_err(|error| format!("cannot listen on {}: {error}", options.listen))?;
    let address = listener.local_addr()?;
    let state = AppState::new(store, settings).map_err(sentence)?;
    if options.example && example::is_empty(&state).await.map_err(sentence)? {
        let loaded = example::load(&state, options.example_password)
            .await
            .map_err(sentence)?;
        say(&format!("Loaded the example organisation: {loaded}."));
    }
    greet(&state, address, !options.no_link).await?;
    crate::mcp::start(&state).await.map_err(sentence)?;

    let router = app(state.clone());
    let service = router.into_make_service_with_connect_info::<SocketAddr>();
    let stopping = state.clone();
    let mut stopped = state.stopping();
    let serving = axum::serve(listener, service).with_graceful_shutdown(async move {
        stop_signal().await;
        tracing::info!("stopping");
        stopping.stop();
    });
    let deadline = async move {
        if stopped.wait_for(|stopped| *stopped).await.is_ok() {
            tokio::time::sleep(GRACE).await;
        }
    };
    tokio::select! {
        ended = serving => ended?,
        () = deadline => tracing::warn!("some connections did not end in time"),
    }
    state.mcp.stop_all().await;
    state.store.close().await;
    drop(data);
    Ok(())
}

/// Prints where the server listens and how to sign in. The link's token is in the fragment, which
/// browsers do not send, so it reaches no log.
async fn greet(state: &AppState, address: SocketAddr, link: bool) -> Result<(), Failure> {
    let address = reachable(address);
    let base = &state.settings.base_path;
    say(&format!("Remit is listening on http://{address}{base}"));
    let owner = {
        let mut reading = state.store.read().await?;
        users::first(&mut reading).await?
    };
    match owner {
        Some(_) if !link => say(&format!("Sign in at http://{address}{base}sign-in")),
        Some(owner) => {
            let token = state.new_link().map_err(sentence)?;
            say(&format!(
                "Sign in as {} with this link, once, within 30 minutes:\n  http://{address}{base}sign-in#token={token}",
                owner.username
            ));
        }
        None => say(&format!(
            "There is no account yet. Create the first one at http://{address}{base}sign-in"
        )),
    }
    Ok(())
}

/// An address a browser on this machine can open, for a server that listens on all of them.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
    }
    address
}

async fn stop_signal() {
    let terminate = async {
        match signal(SignalKind::terminate()) {
            Ok(mut terminate) => {
                terminate.recv().await;
            }
            // Without the handler the signal still ends the process, only less cleanly.
            Err(_) => std::future::pending().await,
        }
    };
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        () = terminate => {}
        () = interrupt => {}
    }
}
