//! `--cluster`: runs the command by Python's `binade.cluster`, which gives the pieces of a sweep to Ray.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
#[cfg(feature = "train")]
use std::process::Child;
use std::process::{ChildStderr, Command, ExitStatus, Stdio};

use thiserror::Error;

use super::follow::with_pieces_bar;
use crate::error::CommandError;
use crate::terminal::pass_on;
use crate::{Error, Status};

/// A Python that cannot run the pieces of a cluster.
#[derive(Debug, Error)]
#[error("--cluster {address}: {python} cannot import {modules}: {reason}")]
pub(crate) struct ClusterError {
    address: String,
    modules: &'static str,
    python: String,
    /// The last line that Python wrote, or the system's error.
    reason: String,
}

impl CommandError for ClusterError {
    fn hint(&self) -> Option<&'static str> {
        Some(
            "pip install './python[ray]' from binade's root where that Python is, or name another in BINADE_PYTHON",
        )
    }
}

/// The environment variable with the Python interpreter.
pub(super) const PYTHON: &str = "BINADE_PYTHON";

/// The arguments of this command without `--cluster`.
fn without_cluster(words: &[OsString]) -> Vec<&OsStr> {
    let mut kept = vec![];
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        if word == "--cluster" {
            words.next();
        } else if !word.to_string_lossy().starts_with("--cluster=") {
            kept.push(word.as_os_str());
        }
    }
    kept
}

/// The way in which progress is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ProgressView {
    /// The live screen of a training.
    #[cfg(feature = "train")]
    Screen,
    /// A bar of the pieces, below the messages about them.
    Bar,
    /// Messages about the pieces.
    Lines,
}

/// A run of the command on a cluster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClusterRun<'a> {
    /// The cluster's address.
    pub(crate) address: &'a str,
    /// The folder of the sweep.
    pub(crate) folder: &'a Path,
    pub(crate) view: ProgressView,
}

impl ClusterRun<'_> {
    fn import_error(&self, python: &OsStr, reason: String) -> Error {
        let (address, python) = (self.address.to_owned(), python.to_string_lossy().into_owned());
        ClusterError { address, modules: self.modules(), python, reason }.into()
    }

    /// The modules that Python imports for this cluster.
    fn modules(&self) -> &'static str {
        if self.address == "here" { "binade.cluster" } else { "binade.cluster, ray" }
    }

    /// Runs the command `words` on the cluster.
    pub(crate) fn run(self, words: &[OsString]) -> Result<Status, Error> {
        let python = std::env::var_os(PYTHON).unwrap_or_else(|| "python3".into());
        let failed = |error: io::Error| self.import_error(&python, error.to_string());
        let tried = Command::new(&python)
            .args(["-c", &format!("import {}", self.modules())])
            .output()
            .map_err(failed)?;
        if !tried.status.success() {
            let said = String::from_utf8_lossy(&tried.stderr);
            let reason = said.trim().lines().last().unwrap_or("it failed without a message").to_owned();
            return Err(self.import_error(&python, reason));
        }
        let mut line = Command::new(&python);
        line.args(["-m", "binade.cluster", self.address]).args(without_cluster(words));
        if let ProgressView::Lines = self.view {
            return line.status().map(exit).map_err(failed);
        }
        crate::progress::listen()?;
        let mut child = line.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(failed)?;
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let out = std::thread::spawn(|| read_all(out));
        let shown = match self.view {
            #[cfg(feature = "train")]
            ProgressView::Screen => self.show_after_screen(&mut child, err),
            _ => {
                self.show_above_bar(err);
                Ok(())
            }
        };
        let status = child.wait().map_err(failed)?;
        io::stdout().write_all(&out.join().unwrap_or_default())?;
        shown.map(|()| exit(status))
    }

    /// Shows the sweep on a live screen until the child process has ended, and then prints the standard error of the child.
    #[cfg(feature = "train")]
    fn show_after_screen(self, child: &mut Child, err: Option<ChildStderr>) -> Result<(), Error> {
        let err = std::thread::spawn(|| read_all(err));
        let shown = super::train::watch(self.folder, &mut || !matches!(child.try_wait(), Ok(None)));
        if crate::progress::interrupted() || shown.is_err() {
            // On SIGINT, the child releases its pieces.
            let asked = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
            if !asked.is_ok_and(|status| status.success()) {
                let _ = child.kill();
            }
        }
        let said = err.join().unwrap_or_default();
        // The screen has shown these lines.
        let told = |line: &&[u8]| !line.starts_with(b"done: ");
        for line in said.split_inclusive(|byte| *byte == b'\n').filter(told) {
            let _ = io::stderr().write_all(line);
        }
        shown.map(drop)
    }

    /// Prints the standard error of the child process above a bar of the sweep, until it is closed. Ctrl-C in the terminal reaches
    /// the child, too.
    fn show_above_bar(self, err: Option<ChildStderr>) {
        with_pieces_bar(self.folder, || {
            let lines = err.into_iter().flat_map(|err| BufReader::new(err).split(b'\n'));
            // A read error means that the child has ended.
            for line in lines.map_while(Result::ok) {
                pass_on(&[&*line, b"\n"].concat());
            }
        });
    }
}

/// The status of the command for that of its child.
pub(super) fn exit(status: ExitStatus) -> Status {
    status.code().map_or(Status::Interrupted, |code| Status::Child(code as u8))
}

fn read_all(from: Option<impl Read>) -> Vec<u8> {
    let mut bytes = vec![];
    // The bytes before an error are kept.
    let _ = from.map(|mut from| from.read_to_end(&mut bytes));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cluster_option_is_removed_from_arguments() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let kept = |text: &str| without_cluster(&words(text)).join(OsStr::new(" "));
        assert_eq!(kept("binade train mlp --cluster auto --shared d"), "train mlp --shared d");
        assert_eq!(kept("binade train --shared d --cluster=ray://h:1"), "train --shared d");
    }
}
