//! Intermediate values of a program, written to files while it runs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use binade_files::IfExists;
use binade_glob::{Glob, GlobError};
use binade_stablehlo::ir::ValueId;
use binade_stablehlo::{Tensor, Value};
use thiserror::Error;

use super::npy::{self, NpyError};
use super::{Event, Observer, Place};

/// A result that was to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// Its file; none if it would have exceeded the limit.
    pub file: Option<String>,
    /// Which result it is.
    pub place: Place,
    /// The step of the loop, from 0.
    pub step: u64,
    /// How often the operation was done before.
    pub execution: u64,
    /// Replica and partition.
    pub process: (usize, usize),
}

/// Why values cannot be written.
#[derive(Debug, Error)]
pub enum DumpError {
    /// A pattern that is not one.
    #[error("'{pattern}': {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: GlobError,
    },
    /// A file.
    #[error(transparent)]
    File(#[from] NpyError),
}

/// Writes results of the operations whose name or scope fits a pattern.
pub struct Dump {
    folder: PathBuf,
    pattern: Glob,
    limit: u64,
    if_exists: IfExists,
    step: AtomicU64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    bytes: u64,
    files: usize,
    records: Vec<Record>,
    /// How often the operation of each first result was done.
    executions: HashMap<(String, ValueId, (usize, usize)), u64>,
    failed: Option<NpyError>,
}

impl Dump {
    /// Values go to this folder, as `dump000000.npy`, `dump000001.npy`, …: at most `limit` bytes of elements.
    ///
    /// # Errors
    /// A pattern that is not one.
    pub fn new(folder: &Path, pattern: &str, limit: u64, if_exists: IfExists) -> Result<Dump, DumpError> {
        let wrong = |reason| DumpError::Pattern { pattern: pattern.to_owned(), reason };
        // As in rules of arithmetic.
        let bare = pattern.strip_prefix("stablehlo.").unwrap_or(pattern);
        Ok(Dump {
            folder: folder.to_owned(),
            pattern: bare.parse::<Glob>().map_err(wrong)?,
            limit,
            if_exists,
            step: AtomicU64::new(0),
            state: Mutex::default(),
        })
    }

    /// Says which step of a loop comes.
    pub fn begin(&self, step: u64) {
        self.step.store(step, Ordering::Relaxed);
    }

    /// What was seen, in the order of the files.
    ///
    /// # Errors
    /// A file that could not be written; it ended the program.
    pub fn finish(self) -> Result<Vec<Record>, DumpError> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match state.failed {
            Some(error) => Err(error.into()),
            None => Ok(state.records),
        }
    }

    fn write(
        &self,
        state: &mut State,
        event: &Event,
        result: usize,
        tensor: &Tensor,
        execution: u64,
    ) -> bool {
        let bytes = tensor.data.bytes() as u64;
        let fits = state.bytes.checked_add(bytes).is_some_and(|sum| sum <= self.limit);
        let file = fits.then(|| format!("dump{:06}.npy", state.files));
        if let Some(file) = &file {
            if let Err(error) = npy::write(&self.folder.join(file), tensor, self.if_exists) {
                state.failed = Some(error);
                return false;
            }
            state.bytes += bytes;
            state.files += 1;
        }
        state.records.push(Record {
            file,
            place: event.place(result, tensor),
            step: self.step.load(Ordering::Relaxed),
            execution,
            process: event.process,
        });
        true
    }
}

impl Observer for Dump {
    fn done(&self, event: &Event<'_>) -> bool {
        let operation = event.operation;
        if !self.pattern.matches(operation.kind.name()) && !self.pattern.matches(&operation.scope) {
            return true;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(&first) = operation.results.first() else { return true };
        let key = (event.function.name.clone(), first, event.process);
        let count = state.executions.entry(key).or_default();
        let execution = *count;
        *count += 1;
        event.results.iter().enumerate().all(|(at, value)| match value {
            Value::Tensor(tensor) => self.write(&mut state, event, at, tensor, execution),
            _ => true,
        })
    }
}
