//! The `binade` command.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    binade_cli::main(std::env::args_os()).into()
}
