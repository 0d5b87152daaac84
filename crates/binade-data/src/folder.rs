//! Reads the files of a folder into memory for the loaders, unpacked if necessary.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

use crate::DataError;

/// Largest size of a file's contents.
const MAX_BYTES: u64 = 1 << 31;

/// A file's contents, unpacked if its name ends in `.gz`.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) path: PathBuf,
    pub(crate) contents: Vec<u8>,
}

impl File {
    pub(crate) fn read(path: PathBuf) -> Result<Self, DataError> {
        let wrong = |action, error| DataError::Io { path: path.clone(), action, error };
        let file = fs::File::open(&path).map_err(|error| wrong("open", error))?;
        let packed = path.extension().is_some_and(|extension| extension == "gz");
        let read: &mut dyn Read =
            if packed { &mut MultiGzDecoder::new(io::BufReader::new(file)) } else { &mut &file };
        let mut contents = vec![];
        let action = if packed { "unpack" } else { "read" };
        read.take(MAX_BYTES + 1).read_to_end(&mut contents).map_err(|error| wrong(action, error))?;
        if contents.len() as u64 > MAX_BYTES {
            return Err(DataError::TooLarge {
                what: path.display().to_string(),
                size: MAX_BYTES + 1,
                limit: MAX_BYTES,
            });
        }
        Ok(Self { path, contents })
    }

    /// Reads the first of these names that the folder has, plain or with `.gz`.
    pub(crate) fn first_of(folder: &Path, names: &[impl AsRef<str>]) -> Result<Self, DataError> {
        match Self::find(folder, names)? {
            Some(path) => Self::read(path),
            None => {
                let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
                Err(missing(folder, format!("{} (or with .gz)", names.join(" or "))))
            }
        }
    }

    /// As [`File::first_of`]; `None` if the folder has none of the names.
    pub(crate) fn optional(folder: &Path, names: &[impl AsRef<str>]) -> Result<Option<Self>, DataError> {
        Self::find(folder, names)?.map(Self::read).transpose()
    }

    fn find(folder: &Path, names: &[impl AsRef<str>]) -> Result<Option<PathBuf>, DataError> {
        let there = list(folder)?;
        let wanted = names.iter().map(AsRef::as_ref).flat_map(|name| [name.to_owned(), format!("{name}.gz")]);
        Ok(wanted.into_iter().find(|name| there.contains(name)).map(|name| folder.join(name)))
    }

    /// The bytes before `end`. `what` names the item that needs them, for the error.
    pub(crate) fn require(&self, end: u64, what: &str) -> Result<&[u8], DataError> {
        usize::try_from(end).ok().and_then(|end| self.contents.get(..end)).ok_or_else(|| {
            DataError::Truncated {
                path: self.path.clone(),
                what: what.to_owned(),
                needed: end,
                found: self.contents.len() as u64,
            }
        })
    }

    /// The contents as text.
    pub(crate) fn text(&self) -> Result<&str, DataError> {
        std::str::from_utf8(&self.contents)
            .map_err(|error| DataError::NotUtf8 { path: self.path.clone(), offset: error.valid_up_to() })
    }

    /// An error in a line. `line` counts from 0, the message from 1.
    pub(crate) fn wrong_line(&self, line: usize, problem: impl Into<String>) -> DataError {
        DataError::Line { path: self.path.clone(), line: line + 1, problem: problem.into() }
    }

    pub(crate) fn empty(&self) -> DataError {
        DataError::Empty { path: self.path.clone() }
    }
}

/// Names in a folder, sorted.
pub(crate) fn list(folder: &Path) -> Result<Vec<String>, DataError> {
    let wrong = |error| DataError::Io { path: folder.to_owned(), action: "list the folder", error };
    let mut names = vec![];
    for entry in fs::read_dir(folder).map_err(wrong)? {
        names.push(entry.map_err(wrong)?.file_name().to_string_lossy().into_owned());
    }
    names.sort_unstable();
    Ok(names)
}

/// Error for a folder without the expected files. It lists the files found.
pub(crate) fn missing(folder: &Path, wanted: String) -> DataError {
    match list(folder) {
        Ok(found) => DataError::Missing { folder: folder.to_owned(), wanted, found },
        Err(error) => error,
    }
}
