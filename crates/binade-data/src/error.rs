//! Errors of loading a data set: its name, its folder, or a file.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// An error of loading a data set.
#[derive(Debug, Error)]
#[allow(missing_docs)] // The message of a variant explains its fields.
#[non_exhaustive]
pub enum DataError {
    // Names.
    #[error("unknown data set {name:?}: must be one of {}", known.join(", "))]
    Unknown { name: String, known: Vec<&'static str> },
    #[error("{name} needs a folder: write {name}:DIR, where DIR has {layout}")]
    NeedsFolder { name: &'static str, layout: &'static str },
    #[error("{name} is part of the program and takes no folder: remove {given:?}")]
    TakesNoFolder { name: &'static str, given: String },

    // Folders and files.
    #[error("{}: missing {wanted}; {}", folder.display(), listed(found))]
    Missing { folder: PathBuf, wanted: String, found: Vec<String> },
    #[error("{}: cannot {action}: {error}", path.display())]
    Io { path: PathBuf, action: &'static str, error: io::Error },
    #[error("{what} is too large: {size}, at most {limit} allowed")]
    TooLarge { what: String, size: u64, limit: u64 },
    #[error("{}: the contents end at byte {found}: {what} needs {needed} bytes", path.display())]
    Truncated { path: PathBuf, what: String, needed: u64, found: u64 },
    #[error("{}: {extra} extra bytes after {what}: the contents must end at byte {end}", path.display())]
    Trailing { path: PathBuf, what: String, end: u64, extra: u64 },
    #[error("{}: not an IDX file {what}: must begin with {expected:#010x}, not {found:#010x}", path.display())]
    Magic { path: PathBuf, what: &'static str, expected: u32, found: u32 },
    #[error("{}: the file has no example", path.display())]
    Empty { path: PathBuf },

    // Contents of files.
    #[error("{}: example {example}: label {label} is out of range: must be from 0 to {}", path.display(), classes - 1)]
    Label { path: PathBuf, example: u64, label: i64, classes: u64 },
    #[error("{} has {first_count} {first_what}, but {} has {second_count} {second_what}", first.display(), second.display())]
    Counts {
        first: PathBuf,
        first_what: &'static str,
        first_count: u64,
        second: PathBuf,
        second_what: &'static str,
        second_count: u64,
    },
    #[error("{}: byte {offset} of the contents is not valid UTF-8", path.display())]
    NotUtf8 { path: PathBuf, offset: usize },
    #[error("{}:{line}: {problem}", path.display())]
    Line { path: PathBuf, line: usize, problem: String },
    #[error("the column {column} {problem}")]
    Columns { column: String, problem: String },
    #[error("{}: {problem}", path.display())]
    Array { path: PathBuf, problem: String },
    #[error(transparent)]
    File(#[from] binade_files::Error),
}

/// Lists the files found, truncated to a readable length.
fn listed(found: &[String]) -> String {
    const MAX_LISTED: usize = 12;
    match found.len() {
        0 => "the folder is empty".to_owned(),
        len if len <= MAX_LISTED => format!("the folder has {}", found.join(", ")),
        len => format!("the folder has {} and {} more", found[..MAX_LISTED].join(", "), len - MAX_LISTED),
    }
}
