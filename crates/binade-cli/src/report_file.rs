//! Files that a command writes beside its output: reports and plots.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use binade_files::temporary_beside;
use binade_page::Page;
use tempfile::NamedTempFile;

use thiserror::Error;

use crate::invocation;

/// A report, a plot or a folder that cannot be written.
#[derive(Debug, Error)]
pub(crate) enum ReportFileError {
    #[error("{}: the file exists: use --force to replace it", .0.display())]
    Exists(PathBuf),
    #[error("{}: is a folder: name a file", .0.display())]
    IsFolder(PathBuf),
    #[error("{}: cannot write: {source}", .path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("{}: cannot make the folder: {source}", .path.display())]
    Folder { path: PathBuf, source: io::Error },
}

/// Makes a folder, with those above it.
pub(crate) fn create_folder(path: &Path) -> Result<(), ReportFileError> {
    fs::create_dir_all(path).map_err(|source| ReportFileError::Folder { path: path.to_owned(), source })
}

/// A file that gets its name when it is complete.
pub(crate) struct ReportFile<'a> {
    path: &'a Path,
    temporary: NamedTempFile,
    force: bool,
}

impl<'a> ReportFile<'a> {
    /// Creates the file. An existing file is replaced only with `force`.
    pub(crate) fn create(path: &'a Path, force: bool) -> Result<ReportFile<'a>, ReportFileError> {
        ReportFile::refuse_existing(path, force)?;
        let temporary = temporary_beside(path)
            .map_err(|source| ReportFileError::Write { path: path.to_owned(), source })?;
        Ok(ReportFile { path, temporary, force })
    }

    /// Returns true if the name is that of a page.
    pub(crate) fn is_page(&self) -> bool {
        self.path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html"))
    }

    /// Returns true if a file or a link has this name.
    pub(crate) fn exists(path: &Path) -> bool {
        path.symlink_metadata().is_ok()
    }

    /// Refuses a folder, and an existing file without `force`, before any work.
    pub(crate) fn refuse_existing(path: &Path, force: bool) -> Result<(), ReportFileError> {
        match (ReportFile::exists(path), path.is_dir()) {
            (true, true) => Err(ReportFileError::IsFolder(path.to_owned())),
            (true, false) if !force => Err(ReportFileError::Exists(path.to_owned())),
            _ => Ok(()),
        }
    }

    /// Writes a page that names the command which made it.
    pub(crate) fn write_page(self, mut page: Page) -> Result<(), ReportFileError> {
        if let Some(command) = invocation::line() {
            page.made_by(&command);
        }
        self.write(page.finish().as_bytes())
    }

    /// Writes the contents, and gives the file its name.
    pub(crate) fn write(self, contents: &[u8]) -> Result<(), ReportFileError> {
        let ReportFile { path, mut temporary, force } = self;
        let failed = |source| ReportFileError::Write { path: path.to_owned(), source };
        temporary.write_all(contents).map_err(failed)?;
        let done = if force { temporary.persist(path) } else { temporary.persist_noclobber(path) };
        done.map(drop).map_err(|error| failed(error.error))
    }
}
