//! Results of pieces, and conflicts between two results of one piece.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::SweepError;
use crate::files::{failed, sha256_of_file};

/// The result of a piece, as the caller returns it.
#[derive(Clone, Debug)]
pub struct PieceResult {
    /// Hash of the bits that every worker must reproduce.
    pub sha256: String,
    /// Further data, which may differ between workers, such as times.
    pub value: Value,
    /// A result file: its temporary path and its final path. `sha256` is the hash of its bytes.
    pub file: Option<(PathBuf, PathBuf)>,
}

impl PieceResult {
    /// A result in a file, which is moved from `from` to `to` when it is accepted. Both paths are in one file system.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn file(from: PathBuf, to: PathBuf, value: Value) -> Result<PieceResult, SweepError> {
        Ok(PieceResult { sha256: sha256_of_file(&from)?, value, file: Some((from, to)) })
    }
}

/// A stored result, in `results/ID.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredResult {
    /// Description of the piece.
    pub title: String,
    /// Hash of the piece's inputs.
    pub inputs: String,
    /// Hash of the result's bits.
    pub sha256: String,
    /// The worker.
    pub by: String,
    /// Generation of its claim, from 1.
    pub generation: u64,
    /// Seconds that the worker took.
    pub seconds: f64,
    /// Further data of the result.
    pub result: Value,
}

/// Two results of one piece with different bits.
#[derive(Clone, Debug)]
pub struct Conflict {
    /// The accepted result.
    pub first: StoredResult,
    /// The other result.
    pub second: StoredResult,
    /// The path of the other result. A file that it names is stored beside this path.
    pub path: PathBuf,
}

/// Moves a result file to its final path. Returns false, and changes nothing, if a file with different bits is there.
///
/// If another worker's file is there, `from` may be missing: the worker that ends a sweep removes unfinished files.
pub(crate) fn place(from: &Path, to: &Path, sha256: &str) -> Result<bool, SweepError> {
    // Flushed first: the file must be on the disk before the result that refers to it.
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
            // This file system has no links. A second worker writes the same bits, or its result reveals a conflict.
            fs::rename(from, to).map_err(failed(to, "write"))?;
            return Ok(true);
        }
    }
    match fs::remove_file(from) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(from, "remove")(error)),
        _ => Ok(true),
    }
}
