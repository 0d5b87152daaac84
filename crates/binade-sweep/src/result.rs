//! What pieces come to.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::SweepError;
use crate::files::{failed, sha256_of_file};

/// What a piece came to, as who did it tells it.
#[derive(Clone, Debug)]
pub struct Done {
    /// A hash of the bits that must be the same whoever does the piece.
    pub sha256: String,
    /// What else there is to say of it; times and the like may differ.
    pub value: Value,
    /// A file that is the result: where it lies, and its name when it is accepted. `sha256` is that of its bytes.
    pub file: Option<(PathBuf, PathBuf)>,
}

impl Done {
    /// A result that is a file, which is moved to its place when it is accepted. Both paths are in one file system.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn file(from: PathBuf, to: PathBuf, value: Value) -> Result<Done, SweepError> {
        Ok(Done { sha256: sha256_of_file(&from)?, value, file: Some((from, to)) })
    }
}

/// A result that is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finished {
    /// What the piece is.
    pub title: String,
    /// The hash of its inputs.
    pub inputs: String,
    /// The hash of its bits.
    pub sha256: String,
    /// Who did it.
    pub by: String,
    /// Which of the holders that was, from 1.
    pub generation: u64,
    /// How long this holder took.
    pub seconds: f64,
    /// What else there is to say.
    pub result: Value,
}

/// Two results of one piece, with different bits.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// The result that was there first.
    pub first: Finished,
    /// The other one.
    pub second: Finished,
    /// Where it is kept; a file of its own lies beside it.
    pub path: PathBuf,
}

/// Puts the file of a result in its place. Whether it is there now with these bits; `false` leaves both alone.
///
/// Where another's is in its place, ours may be gone: who ends a sweep removes what was left unfinished.
pub(crate) fn place(from: &Path, to: &Path, sha256: &str) -> Result<bool, SweepError> {
    // The file must be there before the result that says so.
    let kept = fs::File::open(from).and_then(|file| file.sync_all());
    match kept.and_then(|()| fs::hard_link(from, to)) {
        Ok(()) => {}
        Err(_) if to.exists() => {
            if sha256_of_file(to)? != sha256 {
                return Ok(false);
            }
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(failed(from, "write")(error)),
        Err(_) => {
            // A file system without links. A second writer has the same bits, or is found out by its result.
            fs::rename(from, to).map_err(failed(to, "write"))?;
            return Ok(true);
        }
    }
    match fs::remove_file(from) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(from, "remove")(error)),
        _ => Ok(true),
    }
}
