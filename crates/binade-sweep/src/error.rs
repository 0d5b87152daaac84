//! What can go wrong.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a sweep cannot go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SweepError {
    /// A file or folder that cannot be read or written.
    #[error("{}: cannot {action}: {source}", .path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// What was to be done.
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// A folder in which no sweep was begun.
    #[error("{}: no sweep: there is no sweep.json; --shared begins one", .0.display())]
    None(PathBuf),
    /// A file that no binade wrote like this.
    #[error("{}: {reason}: it is not what binade writes", .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A folder with another sweep.
    #[error("{}: another sweep is there: {what}; take another folder", .path.display())]
    Another {
        /// The folder.
        path: PathBuf,
        /// What is different.
        what: String,
    },
    /// A piece that is not there.
    #[error("there is no piece {piece}: there are {count}, from 0")]
    NoPiece {
        /// The piece.
        piece: usize,
        /// How many there are.
        count: usize,
    },
}
