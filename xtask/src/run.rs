//! Runs commands in the repository's root, and shows or returns their output.

use std::cell::RefCell;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::schedule::Outcome;

thread_local! {
    /// The file to which this thread's commands write, if not to the terminal.
    static LOG: RefCell<Option<File>> = const { RefCell::new(None) };
}

/// Runs a task whose commands write to `log` in place of the terminal.
pub(crate) fn logged<T>(log: File, task: impl FnOnce() -> T) -> T {
    LOG.set(Some(log));
    let done = task();
    LOG.set(None);
    done
}

/// Prints a line to the output of this thread's commands.
pub(crate) fn say(line: &str) {
    LOG.with_borrow_mut(|log| match log {
        // An incomplete log is not a failure.
        Some(log) => _ = writeln!(log, "{line}"),
        None => println!("{line}"),
    });
}

/// The output of this thread's commands.
fn shown_output() -> Stdio {
    let log = LOG.with_borrow(|log| log.as_ref().and_then(|log| log.try_clone().ok()));
    log.map_or_else(Stdio::inherit, Stdio::from)
}

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned).unwrap_or_default()
}

/// The folder for everything that is built or downloaded.
pub(crate) fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}

/// The release build of the `binade` command.
pub(crate) fn binade() -> PathBuf {
    target().join("release").join(format!("binade{}", std::env::consts::EXE_SUFFIX))
}

/// A command in the root; the program and arguments are separated by spaces, so that none may contain one.
pub(crate) fn command(line: &str) -> Command {
    let mut words = line.split(' ');
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).current_dir(root());
    command
}

/// Runs a command to its end, its output shown.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    let shown = show(command);
    say(&format!("$ {shown}"));
    match command.stdout(shown_output()).stderr(shown_output()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`{shown}` ended with {status}")),
        Err(error) => Err(format!("`{shown}` did not start: {error}")),
    }
}

/// Runs a command to its end and returns its standard output.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let shown = show(command);
    match command.stderr(shown_output()).output() {
        Ok(done) if done.status.success() => {
            String::from_utf8(done.stdout).map_err(|_| format!("the output of `{shown}` is not UTF-8"))
        }
        Ok(done) => Err(format!("`{shown}` ended with {}", done.status)),
        Err(error) => Err(format!("`{shown}` did not start: {error}")),
    }
}

/// Runs a command silently. Returns true if it succeeds.
pub(crate) fn works(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// Exit status of a script that skipped a check, as in Automake's tests.
const SKIPPED: i32 = 77;

/// Runs a script to its end, its output shown. A script that exits with 77 has named what it skipped in lines that begin
/// with `skipped: `.
pub(crate) fn run_script(command: &mut Command) -> Outcome {
    let shown = show(command);
    say(&format!("$ {shown}"));
    match command.stderr(shown_output()).output() {
        Ok(done) => {
            let printed = String::from_utf8_lossy(&done.stdout);
            say(printed.trim_end());
            let skipped = printed.lines().filter_map(|line| line.strip_prefix("skipped: "));
            match done.status.code() {
                Some(0) => Outcome::Passed,
                Some(SKIPPED) => Outcome::Skipped(skipped.collect::<Vec<_>>().join("; ")),
                _ => Outcome::Failed(format!("`{shown}` ended with {}", done.status)),
            }
        }
        Err(error) => Outcome::Failed(format!("`{shown}` did not start: {error}")),
    }
}

/// The first of these tools that does not work, in a sentence with the command that installs it.
pub(crate) fn missing(tools: &[(&str, &str)]) -> Option<String> {
    let (tool, advice) = tools.iter().find(|(tool, _)| !works(&mut command(tool)))?;
    Some(format!("`{tool}` does not work: `{advice}`"))
}

fn show(command: &Command) -> String {
    let words: Vec<_> = std::iter::once(command.get_program())
        .chain(command.get_args())
        .map(OsStr::to_string_lossy)
        .collect();
    words.join(" ")
}
