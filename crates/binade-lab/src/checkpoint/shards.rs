//! A folder whose files are written one by one, by whoever: the pieces of a sweep over a shared folder.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use binade_files::IfExists;
use serde_json::Value;

use super::plan::{Job, Plan};
use super::run::Outputs;
use super::store::{Checkpoint, json};
use super::{CheckpointError, MARKER, Marker, Options, Report, Target, io};
use crate::pool::with_threads;
use crate::{Error, Progress};

/// The beginning of the names of what is not complete.
const UNFINISHED: &str = ".binade-";

/// Bytes of the program itself, with its libraries and the headers of files.
const OURSELVES: u64 = 32 << 20;
/// Bytes of a thread's stack and what is a unit's own.
const A_THREAD: u64 = 4 << 20;
/// Bytes of a number that is at work: as read, as halves, as numbers of both widths, turned, and as codes.
const A_NUMBER: u64 = 48;

/// A checkpoint that is written from another, file by file.
pub struct Shards<'a>(Target<'a>);

/// Plans how a folder is written, as [`super::run`] does, and hands the plan on.
///
/// # Errors
/// See [`Error`]: what is wrong with the input's headers and index; an input that is not a folder; what `work` returns.
pub fn in_shards<T, E: From<Error>>(
    input: &Path,
    output: &Path,
    options: &Options,
    work: impl FnOnce(&Shards<'_>) -> Result<T, E>,
) -> Result<T, E> {
    let checkpoint = Checkpoint::open(input, None)?;
    if !checkpoint.folder {
        return Err(Error::from(CheckpointError::NoFolder { path: input.to_owned() }).into());
    }
    super::refuse_other_files(&checkpoint)?;
    let plan = Plan::new(&checkpoint, options)?;
    work(&Shards(Target { checkpoint: &checkpoint, plan: &plan, options, path: output }))
}

impl Shards<'_> {
    /// The files' names; a file is called by its place among them.
    pub fn names(&self) -> Vec<&str> {
        self.0.plan.shards.iter().map(|shard| &*shard.name).collect()
    }

    /// Bytes of memory that writing a file takes at most.
    pub fn memory(&self, file: usize) -> u64 {
        let plan = &self.0.plan;
        let units = plan.jobs.iter().filter(|job| job.shard == file).map(Job::numbers_of_unit);
        let thread = A_THREAD + A_NUMBER * units.max().unwrap_or(0);
        OURSELVES + thread * self.0.options.threads.unwrap_or_else(rayon::current_num_threads) as u64
    }

    /// All that the files are a function of, as JSON; the input's files by name, length and time of change.
    ///
    /// # Errors
    /// A file that is not there any more.
    pub fn inputs(&self) -> Result<String, Error> {
        let marker = self.0.marker()?;
        Ok(serde_json::to_string(&marker)
            .map_err(|error| io(&self.0.path.join(MARKER), "write", error.into()))?)
    }

    /// Makes the folder of the output and its marker, unless another process has.
    ///
    /// # Errors
    /// A folder with something else in it.
    pub fn begin(&self) -> Result<(), Error> {
        let path = || self.0.path.to_owned();
        let (folder, marker) = (self.0.path, self.0.path.join(MARKER));
        self.0.refuse_place()?;
        let wanted = self.0.marker()?;
        if let Some(found) = json(&marker)? {
            let found: Option<Marker> = serde_json::from_value(Value::Object(found)).ok();
            return match found == Some(wanted) {
                true => Ok(()),
                false => Err(CheckpointError::Unfinished { path: path() }.into()),
            };
        }
        fs::create_dir_all(folder).map_err(|source| io(folder, "make the folder", source))?;
        let entries = fs::read_dir(folder).map_err(|source| io(folder, "read", source))?;
        // Another process may be about to write the marker, too.
        let foreign = |entry: &fs::DirEntry| !entry.file_name().to_string_lossy().starts_with(UNFINISHED);
        if entries.filter_map(Result::ok).any(|entry| foreign(&entry)) && !marker.exists() {
            return Err(CheckpointError::NotEmpty { path: path() }.into());
        }
        let mut temporary = self.temporary()?;
        let text = serde_json::to_vec_pretty(&wanted).map_err(|error| io(&marker, "write", error.into()))?;
        temporary.write_all(&text).map_err(|source| io(&marker, "write", source))?;
        // Whoever is second writes the same.
        temporary.persist(&marker).map_err(|error| io(&marker, "write", error.error))?;
        Ok(())
    }

    fn temporary(&self) -> Result<tempfile::NamedTempFile, Error> {
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // Nobody holds a lock on it while it waits to be renamed, so `remove_abandoned` must not know it.
        let made = builder.prefix(UNFINISHED).suffix(".shared").tempfile_in(self.0.path);
        Ok(made.map_err(|source| io(self.0.path, "write in", source))?)
    }

    /// Writes a file under another name in the folder of the output, which is returned. The caller renames it.
    ///
    /// # Errors
    /// See [`Error`].
    pub fn write(&self, number: usize, progress: &dyn Progress) -> Result<PathBuf, Error> {
        self.begin()?;
        let path = self.temporary()?.into_temp_path();
        let jobs: Vec<&Job<'_>> = self.0.plan.jobs.iter().filter(|job| job.shard == number).collect();
        let count = self.0.plan.shards.len();
        let others: Vec<usize> = (0..count).filter(|other| *other != number).collect();
        let paths = vec![path.to_path_buf(); count];
        with_threads(self.0.options.threads, || {
            let outputs = Outputs::new(self.0.plan, paths, &jobs, IfExists::Replace);
            self.0.work(&jobs, &outputs, &others, progress).map(drop)
        })?;
        path.keep().map_err(|error| io(self.0.path, "keep a file in", error.error).into())
    }

    /// Writes what stands beside the files, once they are all there. What processes that were killed left is removed.
    ///
    /// # Errors
    /// A folder that cannot be written.
    pub fn finish(&self) -> Result<Report, Error> {
        self.0.describe()?;
        let marker = self.0.path.join(MARKER);
        let entries = fs::read_dir(self.0.path).map_err(|source| io(self.0.path, "read", source))?;
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name();
            if name.to_string_lossy().starts_with(UNFINISHED) && name != MARKER {
                // One that is still at work on a file that is there has nothing to lose.
                let _ = fs::remove_file(entry.path());
            }
        }
        match fs::remove_file(&marker) {
            Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                Err(io(&marker, "remove", source).into())
            }
            _ => Ok(self.report()),
        }
    }

    /// What is done, all in all.
    pub fn report(&self) -> Report {
        self.0.report(0, &[])
    }
}
