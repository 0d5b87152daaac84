//! `--cluster`: the same work by Python's `binade.cluster`, which gives the pieces to Ray.

use std::ffi::{OsStr, OsString};
#[cfg(feature = "train")]
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::Command;
#[cfg(feature = "train")]
use std::process::{ExitStatus, Stdio};

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

/// Does the command `words` on the cluster at an address.
///
/// `screen` is the folder of a training that a live screen shows, if it may.
pub(crate) fn run(address: &str, screen: Option<&Path>, words: &[OsString]) -> Result<Status, Error> {
    let python = std::env::var_os(PYTHON).unwrap_or_else(|| "python3".into());
    let refused = |reason: String| Error::Cluster {
        address: address.to_owned(),
        python: python.to_string_lossy().into_owned(),
        reason,
    };
    let needed = if address == "here" { "import binade.cluster" } else { "import binade.cluster, ray" };
    let tried =
        Command::new(&python).args(["-c", needed]).output().map_err(|error| refused(error.to_string()))?;
    if !tried.status.success() {
        let said = String::from_utf8_lossy(&tried.stderr);
        return Err(refused(said.trim().lines().last().unwrap_or("it failed").to_owned()));
    }
    let mut line = Command::new(&python);
    line.args(["-m", "binade.cluster", address]).args(without_cluster(words));
    let status = match screen {
        #[cfg(feature = "train")]
        Some(folder) => behind_a_screen(line, folder, refused)?,
        _ => line.status().map_err(|error| refused(error.to_string()))?,
    };
    Ok(status.code().map_or(Status::Interrupted, |code| Status::Child(code as u8)))
}

/// Runs a line while a screen shows what stands in the folder; what it says comes after that.
#[cfg(feature = "train")]
fn behind_a_screen(
    mut line: Command,
    folder: &Path,
    refused: impl Fn(String) -> Error,
) -> Result<ExitStatus, Error> {
    crate::progress::listen()?;
    let failed = |error: io::Error| refused(error.to_string());
    let mut child = line.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(failed)?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let (out, err) = (std::thread::spawn(|| all_of(out)), std::thread::spawn(|| all_of(err)));
    let shown = super::train::watch(folder, &mut || !matches!(child.try_wait(), Ok(None)));
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

#[cfg(feature = "train")]
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
