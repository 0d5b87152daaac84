//! Errors of sweeps.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Errors of a sweep in a folder.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SweepError {
    /// A file or folder that cannot be read or written.
    #[error("{}: cannot {action}: {source}", .path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The operation that failed.
        action: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// A folder without a sweep.
    #[error("{}: no sweep here: sweep.json is missing; --shared creates one", .0.display())]
    NoSweep(PathBuf),
    /// A file that is not as binade writes it.
    #[error("{}: damaged: {reason}; binade did not write it like this", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The first problem found.
        reason: String,
    },
    /// A folder with a different sweep.
    #[error("{}: another sweep is here: {what}; choose another folder", .path.display())]
    Different {
        /// The folder.
        path: PathBuf,
        /// The first difference.
        what: String,
    },
    /// A piece number out of range.
    #[error("there is no piece {piece}: there are {count}, numbered from 0")]
    NoPiece {
        /// The number.
        piece: usize,
        /// Number of pieces.
        count: usize,
    },
}
