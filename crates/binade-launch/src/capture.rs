//! The surroundings of runs whose output is kept in files, for searches that make many of them.

use std::path::Path;
use std::time::Duration;

/// The surroundings of a run whose output is kept in files.
#[derive(Clone, Copy)]
pub struct Capture<'a> {
    /// The file for its standard output.
    pub stdout: &'a Path,
    /// The file for its standard error.
    pub stderr: &'a Path,
    /// The time after which it is killed.
    pub limit: Duration,
    /// True once it is to be killed earlier.
    pub stopped: &'a (dyn Fn() -> bool + Sync),
}
