//! Tests of the command as a process: output, errors and exit code of every subcommand, for good and bad input.

#[cfg(all(feature = "run", target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod agent;
mod blocks;
mod checkpoints;
mod conformance;
mod eval;
mod files;
#[cfg(feature = "hlo")]
mod fuzzing;
mod help;
#[cfg(feature = "hlo")]
mod hlo;
mod kernels;
#[cfg(unix)]
mod lm;
mod meanings;
mod mistakes;
mod recipes;
mod search;
mod stochastic;
mod study;
mod sweep;
#[cfg(feature = "train")]
mod train;
mod values;
mod vectors;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// The result of a run of the command.
struct Done {
    out: String,
    err: String,
    code: Option<i32>,
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_binade"));
    // Nothing of the caller's terminal.
    command.args(arguments).current_dir(folder).env_remove("COLUMNS").env_remove("CLICOLOR_FORCE");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run_in(folder: &Path, arguments: &[&str], input: &str) -> Done {
    let mut child = command(folder, arguments).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // From a thread, since both pipes may fill; a command that does not read closes it.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let done = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Done { out: text(done.stdout), err: text(done.stderr), code: done.status.code() }
}

fn run_with(arguments: &[&str], input: &str) -> Done {
    run_in(Path::new("."), arguments, input)
}

fn run(arguments: &[&str]) -> Done {
    run_with(arguments, "")
}

/// The standard output of a run that succeeds and says nothing else.
fn good(arguments: &[&str]) -> String {
    good_with(arguments, "")
}

fn good_with(arguments: &[&str], input: &str) -> String {
    let done = run_with(arguments, input);
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{arguments:?}");
    done.out
}

/// The standard error of a run that fails with code 2 and puts out nothing.
fn bad(arguments: &[&str]) -> String {
    let done = run(arguments);
    assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{arguments:?}");
    done.err
}
