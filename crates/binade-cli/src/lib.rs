//! The `binade` command: parses arguments, calls the libraries, and prints text or JSON.
//!
//! The crate `binade` defines formats and operations, `binade-lab` works on files. A module of `commands` is a subcommand: its
//! arguments, and a `run` that prints. [`batch`] answers the lines of `binade eval --batch`; fuzzing and benchmarks call it, too.
#![forbid(unsafe_code)]

pub mod batch;
mod block_operation;
mod commands;
mod error;
mod examples;
mod invocation;
mod json;
mod modes;
mod operand;
mod output;
mod progress;
mod report_file;
mod terminal;
mod text_table;
mod usage;
mod words;

use binade_simd::Isa;
use clap::{CommandFactory, FromArgMatches, Parser};
use std::ffi::OsString;
use std::io::{self, BufWriter, Write};

pub(crate) use error::Error;
pub use error::Status;
pub use modes::{Mode, Modes};
pub use output::Output;

const ABOUT: &str = "\
Machine-learning arithmetic in any narrow number format, bit for bit.

FORMATS are named in any letter case, with options after an @: binary8p3 (P3109 0.9.1), binary8p3se (4.0), \
cfloat8_1_4_3@bias=40, float8_e4m3fn, bf16, custom@width=6,precision=3,bias=3. `binade formats` lists them.
VALUES are decimal or hexadecimal floats, inf, -inf or nan, and are read exactly.
EXIT CODES: 0 done; 1 a check or comparison failed; 2 usage or bad input.";

/// Machine-learning arithmetic in any narrow number format, bit for bit
#[derive(Parser, Debug)]
#[command(name = "binade", version, long_about = ABOUT, after_help = examples::BINADE, max_term_width = 110)]
pub(crate) struct Arguments {
    /// The subcommand.
    #[command(subcommand)]
    command: commands::Command,
}

/// The command line's definition, with every subcommand, option and example.
pub fn definition() -> clap::Command {
    Arguments::command()
}

/// Returns true for an argument without control characters.
fn is_printable(word: &OsString) -> bool {
    let text = word.to_string_lossy();
    binade::text::printable(&text) == text
}

/// Writes lines to standard error, with control characters escaped.
fn eprint_lines(text: &str) -> io::Result<()> {
    let mut out = io::stderr().lock();
    text.lines().try_for_each(|line| writeln!(out, "{}", error::printable(line)))
}

/// Parses the words of a command line.
fn parse(words: Vec<OsString>) -> Result<Arguments, clap::Error> {
    let words = commands::encode::protect_negative(words);
    let matches = usage::with_negative_numbers(definition()).try_get_matches_from(words)?;
    Arguments::from_arg_matches(&matches)
}

/// Runs the command line and renders its errors.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> Status {
    let words: Vec<OsString> = arguments.into_iter().collect();
    invocation::set(&words);
    let arguments = match parse(words.clone()) {
        Ok(arguments) => arguments,
        Err(error) => {
            #[cfg(feature = "run")]
            if let (Some(meant), true) = (commands::run::with_separator(&words), error.use_stderr()) {
                eprintln!("error: missing `--` before the program and its arguments: write\n\n  {meant}");
                return Status::BadInput;
            }
            #[cfg(feature = "run")]
            if let (Some(page), true) = (commands::run::separate_report(&words), error.use_stderr()) {
                let page = error::printable(&page);
                eprintln!(
                    "error: the name of the page follows `=`: write --report={page}, or --report alone"
                );
                return Status::BadInput;
            }
            // Help and version go to standard output, errors to standard error. A closed pipe is not an error.
            let plain = usage::plain_message(&error);
            let _ = match error.use_stderr() && words.iter().any(|word| !is_printable(word)) {
                // The message quotes arguments, whose control characters are escaped.
                true => eprint_lines(&plain.unwrap_or_else(|| error.render().to_string())),
                false => plain.map_or_else(|| error.print(), |plain| eprint_lines(&plain)),
            };
            return if error.use_stderr() { Status::BadInput } else { Status::Done };
        }
    };
    let failed = |error: Error| {
        error.render();
        error.status()
    };
    if let Err(error) = Isa::from_environment() {
        return failed(error.into());
    }
    if let Some(work) = arguments.command.cluster() {
        return work.run(&words).unwrap_or_else(failed);
    }
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let done = arguments.command.run(&mut out);
    // Output before an error is kept.
    let flushed = out.flush().map_err(Error::from);
    let done = done.and_then(|status| flushed.map(|()| status));
    done.unwrap_or_else(failed)
}
