//! `--cluster`: the same work by Python's `binade.cluster`, which gives the pieces to Ray.

use std::ffi::{OsStr, OsString};
use std::process::Command;

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
pub(crate) fn run(address: &str, words: &[OsString]) -> Result<Status, Error> {
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
    let status = line.status().map_err(|error| refused(error.to_string()))?;
    Ok(status.code().map_or(Status::Interrupted, |code| Status::Child(code as u8)))
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
