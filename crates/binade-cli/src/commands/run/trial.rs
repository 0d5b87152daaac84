//! Runs of the program whose output is kept, for `binade run --search` and `--runs`.

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use binade_launch::{Agent, Bounds, Capture, End, Killed, LaunchError, Outcome, run_captured, run_shell};
use binade_profile::config::Config;
use binade_profile::summary;
use thiserror::Error;

use crate::progress::interrupted;

/// The default of `--output-limit`, in MiB.
const OUTPUT_LIMIT: u64 = 64;

/// Options of `--search` and `--runs`.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Runs of --search and --runs")]
pub(super) struct TrialArguments {
    /// Print the answer as JSON: --search {"keep": ["OBJECT:FUNCTION"…], "runs"…}; --runs {"numbers", "arrays", "functions"…}
    ///
    /// Of --runs: numbers have line, after, mean and digits; arrays have file, elements, differ, worst_digits, worst_index and
    /// median_digits; functions have place, multiply_adds, failed, and the keys of arrays but file. multiply_adds counts
    /// instructions of the function, not executions. Digits are null if all runs agree.
    #[arg(long, requires = "repeated")]
    pub(super) json: bool,
    /// Make N runs at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1024), requires = "repeated")]
    pub(super) jobs: u64,
    /// Kill runs that take longer, and checks; the default is 20 times the first run and a minute
    ///
    /// A search rejects such a run, and one whose check took too long.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=31_536_000), requires = "repeated")]
    pub(super) timeout: Option<u64>,
    /// Kill runs that write more than this to standard output, or to standard error; a search rejects them
    #[arg(long, value_name = "MIB", default_value_t = OUTPUT_LIMIT, value_parser = clap::value_parser!(u64).range(1..=1 << 20), requires = "repeated")]
    pub(super) output_limit: u64,
}

/// The parts of `binade run` that `--search` and `--runs` use.
pub(super) struct Request<'a> {
    pub(super) agent: &'a Agent,
    pub(super) command: &'a [OsString],
    pub(super) trial: &'a TrialArguments,
    /// The configuration: with the narrow operator of a search, or the rounding and the first seed of several runs.
    pub(super) config: Config,
    /// Of the configuration's rules, those of `--arith`, which come first.
    pub(super) of_arguments: usize,
    pub(super) report: Option<&'a Path>,
    pub(super) force: bool,
}

/// An error of a run.
#[derive(Debug, Error)]
pub(crate) enum TrialError {
    #[error(transparent)]
    Launch(#[from] LaunchError),
    #[error("cannot keep a run's output: {0}")]
    File(#[from] io::Error),
    #[error("--accept: the shell cannot be started: {0}")]
    Shell(#[source] io::Error),
    #[error("a run was not changed as asked:\n{0}")]
    Unchanged(String),
    #[error("interrupted")]
    Interrupted,
}

/// The program, and the bounds of its runs.
pub(super) struct Trials<'a> {
    agent: &'a Agent,
    command: &'a [OsString],
    /// The time of a run and of a check.
    pub(super) time: Duration,
    /// Bytes of standard output, and of standard error.
    output: u64,
    /// Runs and checks that were killed, by [`Reason`].
    killed: [AtomicU64; 3],
}

/// The reason for which a run is as if it were rejected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reason {
    /// The run took too long.
    Time,
    /// It wrote too much.
    Output,
    /// Its check took too long.
    Check,
}

/// A reason with the bound and the option that raises it.
pub(super) struct Shown(Reason, Duration, u64);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(reason, time, output) = self;
        match reason {
            Reason::Time => {
                write!(f, "took longer than {:.0} s (--timeout) and was killed", time.as_secs_f64())
            }
            Reason::Output => {
                write!(f, "wrote more than {} MiB (--output-limit) and was killed", output >> 20)
            }
            Reason::Check => {
                write!(
                    f,
                    "had a check that took longer than {:.0} s (--timeout) and was killed",
                    time.as_secs_f64()
                )
            }
        }
    }
}

/// A run that has ended by itself.
pub(super) struct Finished {
    pub(super) stdout: PathBuf,
    pub(super) stderr: PathBuf,
    pub(super) outcome: Outcome,
}

/// A word of the command, with `{dir}` replaced.
fn with_folder(word: &OsString, folder: &Path) -> OsString {
    match word.to_str() {
        Some(text) => text.replace("{dir}", &folder.to_string_lossy()).into(),
        None => word.clone(),
    }
}

impl<'a> Trials<'a> {
    pub(super) fn new(agent: &'a Agent, command: &'a [OsString], options: &TrialArguments) -> Trials<'a> {
        // The first run tells how long others may take.
        const FIRST: Duration = Duration::from_secs(24 * 3600);
        let time = options.timeout.map_or(FIRST, Duration::from_secs);
        Trials { agent, command, time, output: options.output_limit << 20, killed: Default::default() }
    }

    /// Bounds other runs by the time of the first, unless the user has.
    pub(super) fn bound_by(&mut self, first: Duration, options: &TrialArguments) {
        if options.timeout.is_none() {
            self.time = 20 * first + Duration::from_secs(60);
        }
    }

    fn bounds(&self) -> Bounds<'_> {
        Bounds { time: self.time, output: self.output, stopped: &interrupted }
    }

    /// The file for a run's standard output.
    pub(super) fn stdout(folder: &Path) -> PathBuf {
        folder.join("stdout")
    }

    /// Runs the program: under a configuration, or natively. Its error is the reason for which it was killed.
    pub(super) fn start(
        &self,
        config: Option<Config>,
        folder: &Path,
    ) -> Result<Result<Finished, Reason>, TrialError> {
        let (stdout, stderr) = (Trials::stdout(folder), folder.join("stderr"));
        let capture = Capture { stdout: &stdout, stderr: &stderr, bounds: self.bounds() };
        let words: Vec<OsString> = self.command.iter().map(|word| with_folder(word, folder)).collect();
        let end = run_captured(self.agent, &words, config.clone(), capture)?;
        let outcome = match self.of_end(end, Reason::Time)? {
            Ok(outcome) => outcome,
            Err(reason) => return Ok(Err(reason)),
        };
        if let Some(config) = &config {
            let (problems, is_error) = summary::problems(config, outcome.root, &outcome.processes);
            if is_error {
                return Err(TrialError::Unchanged(problems.trim_end().to_owned()));
            }
        }
        Ok(Ok(Finished { stdout, stderr, outcome }))
    }

    /// Runs a line of a check in the shell: its exit code, or `None` if it was killed since it took too long.
    pub(super) fn shell(&self, line: &str) -> Result<Option<i32>, TrialError> {
        let end = run_shell(line, self.bounds()).map_err(TrialError::Shell)?;
        Ok(self.of_end(end, Reason::Check)?.ok())
    }

    /// Counts what was killed.
    fn of_end<T>(&self, end: End<T>, of_time: Reason) -> Result<Result<T, Reason>, TrialError> {
        if interrupted() {
            return Err(TrialError::Interrupted);
        }
        let reason = match end {
            Ok(value) => return Ok(Ok(value)),
            Err(Killed::Stopped) => return Err(TrialError::Interrupted),
            Err(Killed::Time) => of_time,
            Err(Killed::Output) => Reason::Output,
        };
        self.killed[reason as usize].fetch_add(1, Ordering::Relaxed);
        Ok(Err(reason))
    }

    /// The text on a reason: `took longer than 60 s (--timeout) and was killed`.
    pub(super) fn shown(&self, reason: Reason) -> Shown {
        Shown(reason, self.time, self.output)
    }

    /// Notes on runs that were killed, for the end of a search.
    pub(super) fn notes(&self) -> Vec<String> {
        let note = |reason: Reason| {
            let count = self.killed[reason as usize].load(Ordering::Relaxed);
            let runs = if count == 1 { "1 run".to_owned() } else { format!("{count} runs") };
            let shown = self.shown(reason).to_string();
            // A run was, runs were.
            let shown = if count == 1 { shown } else { shown.replace(" was killed", " were killed") };
            (count > 0).then(|| format!("{runs} {shown}: rejected"))
        };
        [Reason::Time, Reason::Output, Reason::Check].into_iter().filter_map(note).collect()
    }
}
