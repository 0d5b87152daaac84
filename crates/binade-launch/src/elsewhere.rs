//! On systems whose programs cannot be changed or traced: the same functions, which say so.

use std::ffi::OsString;
use std::io;

use binade_profile::config::Config;
use binade_profile::record::Summary;
use thiserror::Error;

use crate::capture::{Bounds, Capture, End};

/// The reason for which a program was not run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// Not on this system.
    #[error("programs can be run on x86-64 Linux with glibc only")]
    System,
}

/// The outcome of a run, which there cannot be.
#[derive(Debug)]
pub struct Outcome {
    /// The program's exit code.
    pub code: i32,
    /// The number of the program's process.
    pub root: u32,
    /// The record of each process.
    pub processes: Vec<Summary>,
}

/// The agent, which cannot be found.
#[derive(Debug)]
pub struct Agent;

impl Agent {
    /// Finds nothing.
    ///
    /// # Errors
    /// Always.
    pub fn find() -> Result<Agent, LaunchError> {
        Err(LaunchError::System)
    }
}

/// Source lines of objects, which are not read.
pub use binade_profile::source::NoLines as Lines;

/// Runs nothing.
///
/// # Errors
/// Always.
pub fn run_with(_agent: &Agent, _command: &[OsString], _config: Config) -> Result<Outcome, LaunchError> {
    Err(LaunchError::System)
}

/// Runs nothing.
///
/// # Errors
/// Always.
pub fn run_captured(
    _agent: &Agent,
    _command: &[OsString],
    _config: Option<Config>,
    _capture: Capture<'_>,
) -> Result<End<Outcome>, LaunchError> {
    Err(LaunchError::System)
}

/// Runs nothing.
///
/// # Errors
/// Always.
pub fn run_shell(_line: &str, _bounds: Bounds<'_>) -> io::Result<End<i32>> {
    Err(io::Error::from(io::ErrorKind::Unsupported))
}

/// The mix of what programs execute.
pub mod mix {
    use std::ffi::OsString;

    use binade_profile::mix::{Sampling, Window};
    use thiserror::Error;

    /// The reason for which a program was not measured.
    #[derive(Debug, Error)]
    #[non_exhaustive]
    pub enum MixError {
        /// Not on this system.
        #[error("programs can be measured on x86-64 Linux with glibc only")]
        System,
    }

    /// Nothing was seen.
    #[derive(Debug)]
    pub struct Outcome {
        /// The instructions of each window.
        pub windows: Vec<Window>,
        /// The program's exit code.
        pub code: i32,
    }

    /// The target of the program's standard output.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Stdout {
        /// The path of this process's record.
        Inherited,
        /// To standard error.
        ToStderr,
    }

    /// Traces nothing.
    ///
    /// # Errors
    /// Always.
    pub fn trace(_command: &[OsString], _sampling: Sampling, _stdout: Stdout) -> Result<Outcome, MixError> {
        Err(MixError::System)
    }
}
