//! Writes the log of a training: a line of JSON for each step, epoch and cell.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use binade_train::record::{Line, Run};

use crate::report_file::{ReportFile, ReportFileError};

/// A log in progress. The first error is reported at the end.
pub(crate) struct Log {
    path: PathBuf,
    file: BufWriter<File>,
    failed: Option<io::Error>,
}

/// Opens a log to append to, and removes an incomplete line at its end.
fn reopened(path: &Path) -> io::Result<File> {
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    let mut bytes = vec![];
    file.read_to_end(&mut bytes)?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    file.set_len(whole as u64)?;
    file.seek(SeekFrom::End(0))?;
    Ok(file)
}

impl Log {
    /// Begins a log with the facts of the run, or appends to the log of a resumed run.
    pub(crate) fn open(path: &Path, run: &Run, resume: bool, force: bool) -> Result<Log, ReportFileError> {
        ReportFile::refuse_existing(path, resume || force)?;
        let failed = |source| ReportFileError::Write { path: path.to_owned(), source };
        let file = if resume { reopened(path) } else { File::create(path) }.map_err(failed)?;
        let mut log = Log { path: path.to_owned(), file: BufWriter::new(file), failed: None };
        log.write(&Line::Run(run.clone()));
        Ok(log)
    }

    /// Adds a line. After that of an epoch or a cell, the file is flushed.
    pub(crate) fn write(&mut self, line: &Line) {
        self.attempt(|file| {
            serde_json::to_writer(&mut *file, line)?;
            file.write_all(b"\n")?;
            if matches!(line, Line::Step(_)) { Ok(()) } else { file.flush() }
        });
    }

    fn attempt(&mut self, work: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) {
        if self.failed.is_none() {
            self.failed = work(&mut self.file).err();
        }
    }

    pub(crate) fn end(mut self) -> Result<(), ReportFileError> {
        self.attempt(|file| file.flush());
        match self.failed {
            None => Ok(()),
            Some(source) => Err(ReportFileError::Write { path: self.path, source }),
        }
    }
}
