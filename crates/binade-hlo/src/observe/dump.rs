//! Writes intermediate values of a program to files while it runs, for `binade hlo run --dump`.

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

/// The record of a result that the dump selected.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    /// The file's name; `None` if the file would have exceeded the limit.
    pub file: Option<String>,
    /// The operation and result.
    pub place: Place,
    /// The step of the loop, from 0.
    pub step: u64,
    /// The number of earlier executions of the operation.
    pub execution: u64,
    /// Replica and partition.
    pub process: (usize, usize),
}

/// Errors of a dump.
#[derive(Debug, Error)]
pub enum DumpError {
    /// An invalid pattern.
    #[error("'{pattern}': {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// The error in it.
        reason: GlobError,
    },
    /// A file that cannot be written.
    #[error(transparent)]
    File(#[from] NpyError),
}

/// The observer that writes results of operations whose name or scope matches a pattern.
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
    /// Executions of the operation so far, by its first result.
    executions: HashMap<(String, ValueId, (usize, usize)), u64>,
    failed: Option<NpyError>,
}

impl Dump {
    /// Makes a dump into this folder, as `dump000000.npy`, `dump000001.npy`, …, with at most `limit` bytes of elements.
    ///
    /// # Errors
    /// An invalid pattern.
    pub fn new(folder: &Path, pattern: &str, limit: u64, if_exists: IfExists) -> Result<Dump, DumpError> {
        let wrong = |reason| DumpError::Pattern { pattern: pattern.to_owned(), reason };
        // The prefix is optional, as in rules of arithmetic.
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

    /// Sets the step of the loop that begins.
    pub fn begin(&self, step: u64) {
        self.step.store(step, Ordering::Relaxed);
    }

    /// Returns the records, in the order of the files.
    ///
    /// # Errors
    /// A file that could not be written; the failure has ended the program.
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
