//! The command line. Every option can also be given as an environment variable.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::BoolishValueParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::state::Settings;

/// Remit: an operator console for AI agents with an embedded control plane.
#[derive(Debug, Parser)]
#[command(name = "remit", version)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the control plane and serve the dashboard.
    Serve(Serve),
    /// Load the example organisation into an empty data directory.
    Example(Example),
}

/// How log lines look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object per line.
    Json,
}

/// Options of `remit serve`.
#[derive(Args, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is an independent switch of the command line"
)]
pub struct Serve {
    /// Address and port to listen on; port 0 takes a free one.
    #[arg(long, env = "REMIT_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Data directory.
    #[arg(long, env = "REMIT_DATA", default_value = ".remit")]
    pub data: PathBuf,
    /// Path under which the site is served, such as /ops/.
    #[arg(long, env = "REMIT_BASE_PATH", default_value = "/")]
    pub base_path: String,
    /// Let anyone who reaches the server create an account, not only the first owner.
    #[arg(long, env = "REMIT_ALLOW_REGISTRATION", value_parser = BoolishValueParser::new())]
    pub allow_registration: bool,
    /// Origins whose pages may call the API, separated by commas.
    #[arg(long, env = "REMIT_ALLOWED_ORIGINS", value_delimiter = ',')]
    pub allowed_origins: Vec<String>,
    /// Send the session cookie over HTTPS only; set this behind a TLS proxy.
    #[arg(long, env = "REMIT_SECURE_COOKIE", value_parser = BoolishValueParser::new())]
    pub secure_cookie: bool,
    /// Do not print a sign-in link, where standard output is kept in logs.
    #[arg(long, env = "REMIT_NO_LINK", value_parser = BoolishValueParser::new())]
    pub no_link: bool,
    /// How log lines look.
    #[arg(long, env = "REMIT_LOG_FORMAT", value_enum, default_value = "text")]
    pub log_format: LogFormat,
    /// Log every request.
    #[arg(long, env = "REMIT_VERBOSE", value_parser = BoolishValueParser::new())]
    pub verbose: bool,
    /// Serve the dashboard from this directory instead of the embedded build.
    #[arg(long, env = "REMIT_DASHBOARD", value_name = "DIR")]
    pub dashboard: Option<PathBuf>,
    /// Load the example organisation first if the data directory is empty.
    #[arg(long, env = "REMIT_EXAMPLE", value_parser = BoolishValueParser::new())]
    pub example: bool,
    /// Password of the example's owner; without one she signs in by the printed link only.
    #[arg(long, env = "REMIT_EXAMPLE_PASSWORD", hide_env_values = true)]
    pub example_password: Option<String>,
    /// Do not limit requests per minute. For benchmarks and tests; failed sign-ins still lock.
    #[arg(long, env = "REMIT_NO_RATE_LIMIT", value_parser = BoolishValueParser::new())]
    pub no_rate_limit: bool,
    /// Let the first owner register MCP servers that this server starts as child processes.
    #[arg(long, env = "REMIT_ALLOW_STDIO_MCP", value_parser = BoolishValueParser::new())]
    pub allow_stdio_mcp: bool,
    /// Enlarge the tool catalog to this many tools with generated ones. For benchmarks.
    #[arg(
        long,
        env = "REMIT_BENCH_TOOLS",
        default_value_t = 0,
        hide_default_value = true
    )]
    pub bench_tools: usize,
}

impl Serve {
    /// The settings these options stand for; an error names the option that is wrong.
    pub fn settings(&self) -> Result<Settings, String> {
        Ok(Settings {
            base_path: base_path(&self.base_path)?,
            allow_registration: self.allow_registration,
            allowed_origins: origins(&self.allowed_origins)?,
            secure_cookie: self.secure_cookie,
            rate_limit: !self.no_rate_limit,
            dashboard: self.dashboard.clone(),
            allow_stdio_mcp: self.allow_stdio_mcp,
            tools: self.bench_tools,
        })
    }
}

/// Options of `remit example`.
#[derive(Args, Debug)]
pub struct Example {
    /// Data directory.
    #[arg(long, env = "REMIT_DATA", default_value = ".remit")]
    pub data: PathBuf,
    /// Password of the example's owner; without one she signs in by the printed link only.
    #[arg(long, env = "REMIT_EXAMPLE_PASSWORD", hide_env_values = true)]
    pub example_password: Option<String>,
}

/// Brings a base path into the form with both slashes.
fn base_path(text: &str) -> Result<String, String> {
    let inner = text.trim_matches('/');
    let fits = |segment: &str| {
        !segment.is_empty()
            && !segment.starts_with('.')
            && segment
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte))
    };
    if inner.is_empty() {
        return Ok("/".to_owned());
    }
    if inner.len() > 200 || !inner.split('/').all(fits) {
        return Err(format!(
            "--base-path `{text}` is not a path of plain segments such as /ops/"
        ));
    }
    Ok(format!("/{inner}/"))
}

fn origins(given: &[String]) -> Result<Vec<String>, String> {
    let trimmed = given.iter().map(|origin| origin.trim());
    trimmed
        .filter(|origin| !origin.is_empty())
        .map(|origin| {
            let authority = origin
                .strip_prefix("http://")
                .or_else(|| origin.strip_prefix("https://"));
            match authority {
                Some(rest) if !rest.is_empty() && !rest.contains(['/', '*', '?']) => {
                    Ok(origin.to_owned())
                }
                _ => Err(format!(
                    "--allowed-origins `{origin}` is not an origin such as https://console.example"
                )),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn base_paths_get_both_slashes() {
        assert_eq!(base_path("/").unwrap(), "/");
        assert_eq!(base_path("").unwrap(), "/");
        assert_eq!(base_path("ops").unwrap(), "/ops/");
        assert_eq!(base_path("/a/b/").unwrap(), "/a/b/");
        assert!(base_path("/a//b").is_err());
        assert!(base_path("/../x").is_err());
        assert!(base_path("/{id}").is_err());
    }

    #[test]
    fn origins_are_exact() {
        let ok = origins(&["https://a.example".to_owned(), " ".to_owned()]).unwrap();
        assert_eq!(ok, ["https://a.example"]);
        for wrong in ["*", "https://a.example/", "a.example", "https://*.example"] {
            assert!(origins(&[wrong.to_owned()]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn defaults_are_the_safe_ones() {
        let cli = Cli::parse_from(["remit", "serve"]);
        let Command::Serve(options) = cli.command else {
            panic!("not the command asked for");
        };
        assert!(options.listen.ip().is_loopback());
        let settings = options.settings().unwrap();
        assert!(!settings.allow_registration && settings.rate_limit);
        assert!(!settings.allow_stdio_mcp);
        assert!(settings.allowed_origins.is_empty());
    }

    #[test]
    fn command_line_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn the_readme_names_every_option_and_its_variable() {
        let readme = include_str!("../../../README.md");
        let command = Cli::command();
        let serve = command.find_subcommand("serve").unwrap();
        for option in serve.get_arguments() {
            let (Some(long), Some(variable)) = (option.get_long(), option.get_env()) else {
                continue;
            };
            let row = format!("| `--{long}");
            let line = readme.lines().find(|line| line.starts_with(&row));
            let variable = format!("`{}`", variable.to_string_lossy());
            assert!(
                line.is_some_and(|line| line.contains(&variable)),
                "--{long} and {variable} are missing in the configuration table"
            );
        }
    }
}
