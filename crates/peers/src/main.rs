//! `mcp-peer http MODE [PORT]` or `mcp-peer stdio MODE`: an MCP server for tests. Over HTTP it
//! prints its address, `http://localhost:PORT/mcp`, on one line and ends when its standard input
//! does. The mode `good` is a proper server made with the protocol library; all others are made
//! by hand and misbehave, each in the way [`bad::MODES`] says.

mod bad;
mod bad_skills;
mod good;

use std::error::Error;
use std::io::Write;
use std::sync::Arc;

use axum::Router;
use tokio::io::AsyncReadExt;
use tokio::net::TcpListener;

type Failure = Box<dyn Error + Send + Sync>;

const USAGE: &str = "usage: mcp-peer http MODE [PORT] | mcp-peer stdio MODE";

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["http", mode] => http(mode, 0).await,
        ["http", mode, port] => http(mode, port.parse()?).await,
        ["stdio", "good"] => good::stdio().await,
        ["stdio", mode] => bad::stdio(mode).await,
        _ => Err(format!("{USAGE}\nmodes: good {}", bad::MODES.join(" ")).into()),
    }
}

async fn http(mode: &str, port: u16) -> Result<(), Failure> {
    let router: Router = match mode {
        "good" => good::router(Arc::new(good::Shared::new()?)),
        mode => bad::router(mode)?,
    };
    let listener = TcpListener::bind(("127.0.0.1", port)).await?;
    let address = listener.local_addr()?;
    writeln!(std::io::stdout(), "http://localhost:{}/mcp", address.port())?;
    tokio::select! {
        served = axum::serve(listener, router) => served?,
        () = input_ends() => {}
    }
    Ok(())
}

/// Whoever started the peer holds its standard input; a test that dies takes the peer along.
async fn input_ends() {
    let mut rest = [0; 64];
    let mut input = tokio::io::stdin();
    while matches!(input.read(&mut rest).await, Ok(read) if read > 0) {}
}
