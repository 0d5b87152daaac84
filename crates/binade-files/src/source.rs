//! Random-access byte sources for the readers: a file or memory.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::positioned;
use crate::{Error, Problem};

/// Bytes that any thread can read at any offset.
pub trait Source: Send + Sync {
    /// Number of bytes.
    fn size(&self) -> u64;

    /// Fills `bytes` from `offset` on.
    ///
    /// # Errors
    /// [`io::ErrorKind::UnexpectedEof`] if the range ends beyond the source.
    fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()>;
}

impl Source for Vec<u8> {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let start = usize::try_from(offset).ok();
        let range = start.and_then(|start| Some(start..start.checked_add(bytes.len())?));
        let found = range.and_then(|range| self.get(range)).ok_or(io::ErrorKind::UnexpectedEof)?;
        bytes.copy_from_slice(found);
        Ok(())
    }
}

/// A regular file, with its length at the time it was opened.
struct RegularFile {
    file: File,
    size: u64,
}

impl Source for RegularFile {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        positioned::read_exact_at(&self.file, offset, bytes)
    }
}

/// A source with the path that errors name.
pub(crate) struct Named {
    pub(crate) path: PathBuf,
    source: Box<dyn Source>,
}

impl Named {
    pub(crate) fn new(path: &Path, source: Box<dyn Source>) -> Self {
        Self { path: path.to_owned(), source }
    }

    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let failed = |error| Error::io("open", error).in_file(path);
        // Checked before opening, because opening a pipe waits for its writer.
        if !fs::metadata(path).map_err(failed)?.is_file() {
            return Err(Error::new(Problem::NotAFile).in_file(path));
        }
        let file = File::open(path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        Ok(Self::new(path, Box::new(RegularFile { file, size })))
    }

    pub(crate) fn size(&self) -> u64 {
        self.source.size()
    }

    pub(crate) fn read_exact_at(&self, offset: u64, bytes: &mut [u8]) -> Result<(), Error> {
        self.source.read_exact_at(offset, bytes).map_err(|error| {
            let problem = match error.kind() {
                io::ErrorKind::UnexpectedEof => Problem::Shrank,
                _ => Problem::Io { action: "read", error },
            };
            Error::at(offset, problem).in_file(&self.path)
        })
    }

    /// The first `count` bytes, or all if there are fewer.
    pub(crate) fn read_start(&self, count: u64) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; count.min(self.size()) as usize];
        self.read_exact_at(0, &mut bytes)?;
        Ok(bytes)
    }
}
