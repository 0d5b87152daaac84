//! Files that a command writes beside what it prints: reports and plots.

use std::io::Write;
use std::path::Path;

use binade_files::temporary_beside;
use binade_page::Page;
use tempfile::NamedTempFile;

use crate::Error;
use crate::invocation;

/// A file that appears under its name when it is complete.
pub(crate) struct ReportFile<'a> {
    path: &'a Path,
    temporary: NamedTempFile,
    force: bool,
}

impl<'a> ReportFile<'a> {
    /// Starts the file; one that is there already is replaced only with `force`.
    pub(crate) fn create(path: &'a Path, force: bool) -> Result<ReportFile<'a>, Error> {
        ReportFile::refuse_existing(path, force)?;
        let temporary =
            temporary_beside(path).map_err(|source| Error::Report { path: path.to_owned(), source })?;
        Ok(ReportFile { path, temporary, force })
    }

    /// Returns true if its name is that of a page.
    pub(crate) fn is_page(&self) -> bool {
        self.path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html"))
    }

    /// Returns true if a file of this name exists.
    pub(crate) fn is_there(path: &Path) -> bool {
        path.symlink_metadata().is_ok()
    }

    /// Says before any work that the file is there already, and starts nothing.
    pub(crate) fn refuse_existing(path: &Path, force: bool) -> Result<(), Error> {
        match !force && ReportFile::is_there(path) {
            true => Err(Error::ReportExists(path.to_owned())),
            false => Ok(()),
        }
    }

    /// Writes a page that names the command which made it.
    pub(crate) fn write_page(self, mut page: Page) -> Result<(), Error> {
        if let Some(command) = invocation::line() {
            page.made_by(&command);
        }
        self.write(page.finish().as_bytes())
    }

    /// Writes the contents, and gives the file its name.
    pub(crate) fn write(self, contents: &[u8]) -> Result<(), Error> {
        let ReportFile { path, mut temporary, force } = self;
        let failed = |source| Error::Report { path: path.to_owned(), source };
        temporary.write_all(contents).map_err(failed)?;
        let done = if force { temporary.persist(path) } else { temporary.persist_noclobber(path) };
        done.map(drop).map_err(|error| failed(error.error))
    }
}
