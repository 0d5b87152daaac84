//! What can be wrong with a name or with data.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why a data set could not be had.
#[derive(Debug, Error)]
#[allow(missing_docs)] // The message of a variant says what its fields are.
#[non_exhaustive]
pub enum DataError {
    // Names.
    #[error("there is no data set {name:?}; there are {}", known.join(", "))]
    Unknown { name: String, known: Vec<&'static str> },
    #[error("{name} needs a folder, as in {name}:DIR, with {layout}")]
    NeedsFolder { name: &'static str, layout: &'static str },
    #[error("{name} is part of the program and takes no folder; {given:?} was given")]
    TakesNoFolder { name: &'static str, given: String },

    // Folders and files as such.
    #[error("{}: no {wanted} here; {}", folder.display(), listed(found))]
    Missing { folder: PathBuf, wanted: String, found: Vec<String> },
    #[error("{}: cannot {action}: {error}", path.display())]
    Io { path: PathBuf, action: &'static str, error: io::Error },
    #[error("{what} has {size}; at most {limit} are held")]
    TooLarge { what: String, size: u64, limit: u64 },
    #[error("{}: ends at byte {found} of its contents; {needed} bytes are needed for {what}", path.display())]
    Truncated { path: PathBuf, what: String, needed: u64, found: u64 },
    #[error("{}: {extra} bytes follow the last of {what}, which ends at byte {end} of the contents", path.display())]
    Trailing { path: PathBuf, what: String, end: u64, extra: u64 },
    #[error("{}: begins with {found:#010x} and would begin with {expected:#010x}, {what}", path.display())]
    Magic { path: PathBuf, what: &'static str, expected: u32, found: u32 },
    #[error("{}: holds no example", path.display())]
    Empty { path: PathBuf },

    // What files hold.
    #[error("{}: example {example}: label {label}; labels are from 0 to {}", path.display(), classes - 1)]
    Label { path: PathBuf, example: u64, label: i64, classes: u64 },
    #[error("{} has {first_count} {first_what}, {} has {second_count} {second_what}", first.display(), second.display())]
    Counts {
        first: PathBuf,
        first_what: &'static str,
        first_count: u64,
        second: PathBuf,
        second_what: &'static str,
        second_count: u64,
    },
    #[error("{}: byte {offset} of the contents is not UTF-8", path.display())]
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

/// What a folder holds, cut to a readable length.
fn listed(found: &[String]) -> String {
    const MOST: usize = 12;
    match found.len() {
        0 => "it is empty".to_owned(),
        len if len <= MOST => format!("it holds {}", found.join(", ")),
        len => format!("it holds {} and {} more", found[..MOST].join(", "), len - MOST),
    }
}
