//! `--cluster`: the same work by Python's `binade.cluster`, which gives the pieces to Ray.

use std::ffi::{OsStr, OsString};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use super::follow::{Follower, begun, beside};
use crate::terminal::pass_on;
use crate::{Error, Status};

/// The variable that names the Python.
const PYTHON: &str = "BINADE_PYTHON";

/// The arguments of this command without the cluster.
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

/// What shows how far a cluster is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shown {
    /// The live screen of a training.
    #[cfg(feature = "train")]
    Screen,
    /// A bar of the pieces, below what is told of them.
    Bar,
    /// What is told of them.
    Lines,
}

/// Work that a cluster is to do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Work<'a> {
    /// The cluster's address.
    pub(crate) address: &'a str,
    /// The folder of the sweep.
    pub(crate) folder: &'a Path,
    pub(crate) shown: Shown,
}

impl Work<'_> {
    fn refused(&self, python: &OsStr, reason: String) -> Error {
        let (address, python) = (self.address.to_owned(), python.to_string_lossy().into_owned());
        Error::Cluster { address, python, reason }
    }

    /// Does the command `words` on the cluster.
    pub(crate) fn run(self, words: &[OsString]) -> Result<Status, Error> {
        let python = std::env::var_os(PYTHON).unwrap_or_else(|| "python3".into());
        let failed = |error: io::Error| self.refused(&python, error.to_string());
        let needed =
            if self.address == "here" { "import binade.cluster" } else { "import binade.cluster, ray" };
        let tried = Command::new(&python).args(["-c", needed]).output().map_err(failed)?;
        if !tried.status.success() {
            let said = String::from_utf8_lossy(&tried.stderr);
            let reason = said.trim().lines().last().unwrap_or("it failed").to_owned();
            return Err(self.refused(&python, reason));
        }
        let mut line = Command::new(&python);
        line.args(["-m", "binade.cluster", self.address]).args(without_cluster(words));
        let status = match self.shown {
            #[cfg(feature = "train")]
            Shown::Screen => self.behind_a_screen(line, failed)?,
            Shown::Bar => self.above_a_bar(line, failed)?,
            Shown::Lines => line.status().map_err(failed)?,
        };
        Ok(status.code().map_or(Status::Interrupted, |code| Status::Child(code as u8)))
    }

    /// Runs a line while a screen shows what stands in the folder; what it says comes after that.
    #[cfg(feature = "train")]
    fn behind_a_screen(
        self,
        mut line: Command,
        failed: impl Fn(io::Error) -> Error,
    ) -> Result<ExitStatus, Error> {
        crate::progress::listen()?;
        let mut child = line.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(&failed)?;
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let (out, err) = (std::thread::spawn(|| all_of(out)), std::thread::spawn(|| all_of(err)));
        let shown = super::train::watch(self.folder, &mut || !matches!(child.try_wait(), Ok(None)));
        if crate::progress::interrupted() || shown.is_err() {
            // It lets go of what it has, as when Ctrl-C is pressed in a terminal that is its own.
            let asked = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
            if !asked.is_ok_and(|status| status.success()) {
                let _ = child.kill();
            }
        }
        let status = child.wait().map_err(failed)?;
        let said = err.join().unwrap_or_default();
        // The screen had these.
        let told = |line: &&[u8]| !line.starts_with(b"done: ");
        for line in said.split_inclusive(|byte| *byte == b'\n').filter(told) {
            let _ = io::stderr().write_all(line);
        }
        io::stdout().write_all(&out.join().unwrap_or_default())?;
        shown.map(|_| status)
    }

    /// Runs a line, and shows what it says above a bar of what stands in the folder. Ctrl-C in the terminal reaches it, too.
    fn above_a_bar(
        self,
        mut line: Command,
        failed: impl Fn(io::Error) -> Error,
    ) -> Result<ExitStatus, Error> {
        crate::progress::listen()?;
        let mut child = line.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(&failed)?;
        let out = child.stdout.take();
        let out = std::thread::spawn(|| all_of(out));
        let said = child.stderr.take().map(BufReader::new);
        let look = |ended: &dyn Fn() -> bool| {
            // What cannot be read is the cluster's to tell.
            if let Ok(Some(sweep)) = begun(self.folder, &mut || ended()) {
                let _ = Follower::new(&sweep).follow(ended);
            }
        };
        let status = beside(look, || {
            // What is left of it without this is its own to end.
            for said in said.into_iter().flat_map(|said| said.split(b'\n')).map_while(Result::ok) {
                pass_on(&[&*said, b"\n"].concat());
            }
            child.wait()
        });
        io::stdout().write_all(&out.join().unwrap_or_default())?;
        status.map_err(failed)
    }
}

fn all_of(from: Option<impl Read>) -> Vec<u8> {
    let mut bytes = vec![];
    // What was read until then is kept.
    let _ = from.map(|mut from| from.read_to_end(&mut bytes));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cluster_is_left_out() {
        let words = |text: &str| text.split(' ').map(OsString::from).collect::<Vec<_>>();
        let kept = |text: &str| without_cluster(&words(text)).join(OsStr::new(" "));
        assert_eq!(kept("binade train mlp --cluster auto --shared d"), "train mlp --shared d");
        assert_eq!(kept("binade train --shared d --cluster=ray://h:1"), "train --shared d");
    }
}
