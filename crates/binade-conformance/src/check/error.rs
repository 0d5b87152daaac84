//! Errors of files that cannot be checked.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// A file that cannot be checked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StatementError {
    /// A file that cannot be read.
    #[error("{}: cannot read: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file that is not YAML, or has YAML that no statement needs.
    #[error("{}:{line}: {reason}", .path.display())]
    Yaml {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The error at this line.
        reason: String,
    },
    /// A file that is not a table of results.
    #[error("{}:{line}: {reason}", .path.display())]
    Results {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The error at this line.
        reason: String,
    },
}
