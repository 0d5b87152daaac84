//! The log of a training: a line of JSON for each step, epoch and cell.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use binade_train::record::{Line, Run};

use crate::Error;

/// A log that is being written. What fails is told when it ends.
pub(crate) struct Log {
    path: PathBuf,
    file: BufWriter<File>,
    failed: Option<io::Error>,
}

impl Log {
    /// Begins a log with the facts of the run; goes on with one that is there if training goes on.
    pub(crate) fn open(path: &Path, run: &Run, resume: bool, force: bool) -> Result<Log, Error> {
        if !resume && !force && path.symlink_metadata().is_ok() {
            return Err(Error::ReportExists(path.to_owned()));
        }
        let mut options = OpenOptions::new();
        options.create(true).write(true);
        // A line that a kill cut short ends before the next one begins.
        let broken = resume && std::fs::read(path).is_ok_and(|bytes| bytes.last().is_some_and(|b| *b != b'\n'));
        let opened = if resume { options.append(true) } else { options.truncate(true) }.open(path);
        let file = opened.map_err(|source| Error::Report { path: path.to_owned(), source })?;
        let mut log = Log { path: path.to_owned(), file: BufWriter::new(file), failed: None };
        if broken {
            log.attempt(|file| file.write_all(b"\n"));
        }
        log.write(&Line::Run(run.clone()));
        Ok(log)
    }

    /// Adds a line. Those of ended epochs and cells reach the file at once, with all before them.
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

    pub(crate) fn end(mut self) -> Result<(), Error> {
        self.attempt(|file| file.flush());
        match self.failed {
            None => Ok(()),
            Some(source) => Err(Error::Report { path: self.path, source }),
        }
    }
}
