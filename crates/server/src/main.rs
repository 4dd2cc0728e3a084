//! The `remit` command.

use std::process::ExitCode;

use clap::Parser;
use remit_server::cli::Cli;
use remit_server::serve::run;

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("remit: {error}");
            ExitCode::FAILURE
        }
    }
}
