//! Writes the files of a checkpoint one at a time, as pieces of a sweep over a shared folder.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use binade_files::IfExists;
use serde_json::Value;

use super::plan::{CheckpointPlan, Job};
use super::run::Outputs;
use super::store::{Checkpoint, json};
use super::{CheckpointError, MARKER, Marker, Options, Report, Target, io};
use crate::pool::with_threads;
use crate::{Error, Progress};

/// Prefix of the names of incomplete files.
const UNFINISHED: &str = ".binade-";

/// Bytes of the process itself, with its libraries and the headers of files.
const PROCESS_BYTES: u64 = 32 << 20;
/// Bytes of a thread: its stack and small buffers of a unit.
const THREAD_BYTES: u64 = 4 << 20;
/// Bytes for each number in progress: as read, as 16-bit and both wider types, transposed, and as codes.
const NUMBER_BYTES: u64 = 48;

/// A checkpoint to be written file by file.
pub struct Shards<'a>(Target<'a>);

/// Plans the output folder as [`super::run`] does, and passes the plan to `work`.
///
/// # Errors
/// See [`Error`]: the headers or index of the input are invalid, or the input is not a folder. Errors of `work` are returned
/// too.
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
    let plan = CheckpointPlan::new(&checkpoint, options)?;
    work(&Shards(Target { checkpoint: &checkpoint, plan: &plan, options, path: output }))
}

impl Shards<'_> {
    /// Names of the files. A file's number is its index here.
    pub fn names(&self) -> Vec<&str> {
        self.0.plan.shards.iter().map(|shard| &*shard.name).collect()
    }

    /// Upper bound of the memory for writing a file, in bytes.
    pub fn memory(&self, file: usize) -> u64 {
        let plan = &self.0.plan;
        let units = plan.jobs.iter().filter(|job| job.shard == file).map(Job::numbers_of_unit);
        let thread = THREAD_BYTES + NUMBER_BYTES * units.max().unwrap_or(0);
        PROCESS_BYTES + thread * self.0.options.threads.unwrap_or_else(rayon::current_num_threads) as u64
    }

    /// Everything that determines the output, as JSON. Files of the input are described by name, length and time of change.
    ///
    /// # Errors
    /// A file was removed.
    pub fn inputs(&self) -> Result<String, Error> {
        let marker = self.0.marker()?;
        Ok(serde_json::to_string(&marker)
            .map_err(|error| io(&self.0.path.join(MARKER), "write", error.into()))?)
    }

    /// Creates the output folder and its marker, unless another process has.
    ///
    /// # Errors
    /// The folder has other contents.
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
        // Another process may be writing the marker too.
        let foreign = |entry: &fs::DirEntry| !entry.file_name().to_string_lossy().starts_with(UNFINISHED);
        if entries.filter_map(Result::ok).any(|entry| foreign(&entry)) && !marker.exists() {
            return Err(CheckpointError::NotEmpty { path: path() }.into());
        }
        let mut temporary = self.temporary()?;
        let text = serde_json::to_vec_pretty(&wanted).map_err(|error| io(&marker, "write", error.into()))?;
        temporary.write_all(&text).map_err(|source| io(&marker, "write", source))?;
        // A second process writes the same marker.
        temporary.persist(&marker).map_err(|error| io(&marker, "write", error.error))?;
        Ok(())
    }

    fn temporary(&self) -> Result<tempfile::NamedTempFile, Error> {
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        // No process locks this file while it waits to be renamed, so `remove_abandoned` must not match its name.
        let made = builder.prefix(UNFINISHED).suffix(".shared").tempfile_in(self.0.path);
        Ok(made.map_err(|source| io(self.0.path, "write in", source))?)
    }

    /// Writes a file under a temporary name in the output folder, and returns that path. The caller renames it.
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

    /// Writes the files beside the weights, once all weights are there. Removes temporary files of killed processes.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn finish(&self) -> Result<Report, Error> {
        self.0.describe()?;
        let marker = self.0.path.join(MARKER);
        let entries = fs::read_dir(self.0.path).map_err(|source| io(self.0.path, "read", source))?;
        for entry in entries.filter_map(Result::ok) {
            let name = entry.file_name();
            if name.to_string_lossy().starts_with(UNFINISHED) && name != MARKER {
                // A process that still works on a finished file loses nothing.
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

    /// The report of the whole output.
    pub fn report(&self) -> Report {
        self.0.report(0, &[])
    }
}
