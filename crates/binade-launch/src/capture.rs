//! The surroundings and the end of runs whose output is kept in files, for searches that make many of them.

use std::path::Path;
use std::time::Duration;

/// The bounds of a run, and of a check.
#[derive(Clone, Copy)]
pub struct Bounds<'a> {
    /// The time after which it is killed.
    pub time: Duration,
    /// The size in bytes of standard output or standard error from which on it is killed.
    pub output: u64,
    /// True once it is to be killed earlier.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
}

/// The surroundings of a run whose output is kept in files.
#[derive(Clone, Copy)]
pub struct Capture<'a> {
    /// The file for its standard output.
    pub stdout: &'a Path,
    /// The file for its standard error.
    pub stderr: &'a Path,
    /// The bounds of the run.
    pub bounds: Bounds<'a>,
}

/// The reason for which a run was killed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Killed {
    /// It took too long.
    Time,
    /// It wrote too much.
    Output,
    /// It was to be stopped.
    Stopped,
}

/// The end of a run: its result, or the reason for which it was killed.
pub type End<T> = Result<T, Killed>;
