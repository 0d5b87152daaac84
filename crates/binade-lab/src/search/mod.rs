//! Search for the code that must keep binary32: delta debugging over functions, lines or instructions of a program, for
//! `binade run --search`.
//!
//! A *trial* is a run in which a set of candidates keeps binary32 while all else computes under the narrow operator. A check
//! ([`Accept`]) accepts or rejects it. [`Search::minimize`] finds a set that is accepted, while none with one candidate less is.

mod accept;
mod log;
mod minimize;
mod page;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use serde::{Deserialize, Serialize};

pub use accept::{Accept, AcceptError, FileState, Output, path_in, written_array};
pub use log::{Log, LogError};
use minimize::{Minimal, Set, minimal};
pub use page::page;

/// A piece of a program that may keep binary32.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The name for readers and scripts: `OBJECT:FUNCTION` or `OBJECT:FUNCTION:FILE:LINE`.
    pub name: String,
    /// The object's path.
    pub object: String,
    /// The function's name for readers.
    pub function: String,
    /// The source line or the instruction in it, if it is less than a function.
    pub part: Option<String>,
    /// Places of rules that together are the candidate.
    pub places: Vec<String>,
    /// The name as the place of a rule: a pattern that fits it alone.
    pub pattern: String,
    /// Its multiply-adds in the code.
    pub multiply_adds: u64,
}

/// A run of the program that has ended.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The exit code; none if the run was killed since it took too long or wrote too much.
    pub code: Option<i32>,
    /// The file with its standard output.
    pub stdout: PathBuf,
    /// The state, before the run, of the file that the check reads.
    pub file_before: Option<FileState>,
    /// The folder of its own, for which `{dir}` stands.
    pub folder: PathBuf,
}

/// The program that is searched.
pub trait Program: Sync {
    /// The error of a run that could not be made, or that was interrupted.
    type Error: From<AcceptError> + From<LogError> + From<std::io::Error> + Send;

    /// Runs it with the candidates' places in binary32 and all else under the operator, in a folder.
    ///
    /// # Errors
    /// If it cannot be started, or the search is interrupted.
    fn run(&self, kept: &[&Candidate], folder: &Path) -> Result<Execution, Self::Error>;

    /// Runs a line of a check in the shell: its exit code; `None` if it took too long and was killed.
    ///
    /// # Errors
    /// If the shell cannot be started, or the search is interrupted.
    fn shell(&self, line: &str) -> Result<Option<i32>, Self::Error>;
}

/// The result of a trial.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Trial {
    /// True if each of its runs was accepted.
    pub accepted: bool,
    /// The largest difference of a run's output from the native run's: relative, unless the check says otherwise. None if they
    /// cannot be compared.
    // Without this, a missing field of a log would be read as null.
    #[serde(deserialize_with = "Option::deserialize")]
    pub difference: Option<f64>,
    /// The number of its runs.
    pub runs: u64,
}

/// The parts of a [`Search`] that its caller chooses.
pub struct Setup<'a, P> {
    /// The program.
    pub program: &'a P,
    /// The check.
    pub accept: &'a Accept,
    /// The native run.
    pub native: &'a Execution,
    /// The output that later runs are compared with.
    pub reference: &'a Output,
    /// Runs at a time.
    pub jobs: usize,
    /// Runs of each trial, all of which must be accepted.
    pub repeat: u64,
    /// The folder for the folders of runs.
    pub folder: &'a Path,
    /// The log of trials, which an earlier search may have begun.
    pub log: Log,
    /// Called before trials with the number of runs so far, and text on the trials.
    pub show: &'a (dyn Fn(u64, &str) + Sync),
}

/// A search over one program.
pub struct Search<'a, P> {
    setup: Setup<'a, P>,
    /// Runs that trials took, those of an earlier search among them.
    pub runs: u64,
    /// Of these, those of an earlier search.
    pub resumed: u64,
    /// The trials by the names of the candidates that are kept.
    trials: BTreeMap<Vec<String>, Trial>,
}

impl<'a, P: Program> Search<'a, P> {
    /// A search without trials of its own yet.
    pub fn new(setup: Setup<'a, P>) -> Search<'a, P> {
        Search { setup, runs: 0, resumed: 0, trials: BTreeMap::new() }
    }

    /// Finds a minimal set of candidates that must keep binary32, by their numbers; `None` if keeping all of them is not enough.
    /// With `verify`, the answer is tested without each of its candidates.
    ///
    /// # Errors
    /// An error of the program, the check or the log.
    pub fn minimize(
        &mut self,
        candidates: &[Candidate],
        verify: bool,
    ) -> Result<Option<Vec<usize>>, P::Error> {
        let found = minimal(candidates.len(), self.setup.jobs, verify, &mut |sets: &[Set]| {
            let trials = self.trials(candidates, sets)?;
            Ok::<_, P::Error>(trials.iter().map(|trial| trial.accepted).collect())
        })?;
        Ok(match found {
            Minimal::Set(set) => Some(set.into_iter().collect()),
            Minimal::None => None,
        })
    }

    /// The trials in which each candidate alone is narrow, in order.
    ///
    /// # Errors
    /// An error of the program, the check or the log.
    pub fn costs(&mut self, candidates: &[Candidate]) -> Result<Vec<Trial>, P::Error> {
        let all = 0..candidates.len();
        let others = |one: usize| all.clone().filter(|&other| other != one).collect::<Set>();
        let sets: Vec<Set> = all.clone().map(others).collect();
        let mut trials = Vec::with_capacity(sets.len());
        for sets in sets.chunks(self.setup.jobs.max(1)) {
            trials.extend(self.trials(candidates, sets)?);
        }
        Ok(trials)
    }

    /// Makes the trials that keep these sets, at the same time; those that have been made are not made again.
    fn trials(&mut self, candidates: &[Candidate], sets: &[Set]) -> Result<Vec<Trial>, P::Error> {
        let key = |set: &Set| {
            let mut names: Vec<String> = set.iter().map(|&number| candidates[number].name.clone()).collect();
            names.sort();
            names
        };
        let mut fresh: Vec<(Vec<String>, Vec<&Candidate>)> = Vec::new();
        for set in sets {
            let key = key(set);
            if self.trials.contains_key(&key) || fresh.iter().any(|(other, _)| *other == key) {
                continue;
            }
            match self.setup.log.earlier(&key) {
                Some(trial) => {
                    self.runs += trial.runs;
                    self.resumed += trial.runs;
                    self.trials.insert(key, trial);
                }
                None => fresh.push((key, set.iter().map(|&number| &candidates[number]).collect())),
            }
        }
        let sizes: Vec<String> = fresh.iter().map(|(key, _)| key.len().to_string()).collect();
        if !sizes.is_empty() {
            let text = format!("keeping {} of {} candidates", sizes.join(", "), candidates.len());
            (self.setup.show)(self.runs, &text);
        }
        let results: Mutex<Vec<Finished<P::Error>>> = Mutex::default();
        thread::scope(|scope| {
            for (key, kept) in fresh {
                let (search, results) = (&*self, &results);
                scope.spawn(move || {
                    let result = search.trial(&kept);
                    results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((key, result));
                });
            }
        });
        for (key, result) in results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
            let trial = result?;
            self.setup.log.append(&key, trial)?;
            self.runs += trial.runs;
            self.trials.insert(key, trial);
        }
        Ok(sets.iter().map(|set| self.trials[&key(set)]).collect())
    }

    /// Runs the program with these candidates in binary32, until a run is rejected or `repeat` runs are accepted.
    fn trial(&self, kept: &[&Candidate]) -> Result<Trial, P::Error> {
        let mut trial = Trial { accepted: true, difference: Some(0.0), runs: 0 };
        while trial.accepted && trial.runs < self.setup.repeat {
            let folder = tempfile::Builder::new().prefix("run-").tempdir_in(self.setup.folder)?;
            let run = self.setup.program.run(kept, folder.path())?;
            let (accepted, difference) =
                self.setup.accept.check(self.setup.native, self.setup.reference, &run, &|line| {
                    self.setup.program.shell(line)
                })?;
            trial.accepted = accepted;
            trial.difference = trial.difference.zip(difference).map(|(x, y)| x.max(y));
            trial.runs += 1;
        }
        Ok(trial)
    }
}

/// A trial that has ended, by the names of the candidates that it kept.
type Finished<E> = (Vec<String>, Result<Trial, E>);

/// The share of runs that are accepted at least, at 95 % confidence, if all of `runs` were.
pub fn least_accepted(runs: u64) -> f64 {
    0.05_f64.powf(1.0 / runs.max(1) as f64)
}

/// The cost of one candidate that alone is narrow.
#[derive(Clone, Debug, Serialize)]
pub struct Cost {
    /// The candidate's name.
    pub place: String,
    /// True if the check accepts the run.
    pub accepted: bool,
    /// The largest difference of its output from the native run's, if both can be compared.
    pub difference: Option<f64>,
}

/// The answer of a search, as `--json` prints it.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The candidates that must keep binary32.
    pub keep: Vec<String>,
    /// Runs of the program, the native and the counting one among them, without those for `costs`.
    pub runs: u64,
    /// The narrow operator.
    pub arith: String,
    /// The check.
    pub accept: String,
    /// The command.
    pub command: Vec<String>,
    /// Functions that executed multiply-adds, and, if they were searched, lines or instructions of those in the answer.
    pub candidates: usize,
    /// The other candidates, which may all be narrow together.
    pub narrow: Vec<String>,
    /// True if two native runs printed the same.
    pub deterministic: bool,
    /// Runs of each trial.
    pub repeat: u64,
    /// Of a program that is not deterministic: the share of runs that are accepted at least, at 95 % confidence.
    pub accepted_share: Option<f64>,
    /// Runs that were read from the log.
    pub resumed: u64,
    /// Runs for `costs`.
    pub cost_runs: u64,
    /// The cost of each candidate, if they were asked for.
    pub costs: Vec<Cost>,
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    #[derive(Debug)]
    struct Failed;

    impl From<AcceptError> for Failed {
        fn from(_: AcceptError) -> Failed {
            Failed
        }
    }
    impl From<LogError> for Failed {
        fn from(_: LogError) -> Failed {
            Failed
        }
    }
    impl From<io::Error> for Failed {
        fn from(_: io::Error) -> Failed {
            Failed
        }
    }

    /// Prints 1 if `f3` and `f7` are kept, and otherwise 1 plus a hundredth for each that is not.
    #[derive(Default)]
    struct Fake(AtomicU64);

    impl Program for Fake {
        type Error = Failed;

        fn run(&self, kept: &[&Candidate], folder: &Path) -> Result<Execution, Failed> {
            self.0.fetch_add(1, Ordering::Relaxed);
            let lost = ["x:f3", "x:f7"].iter().filter(|name| kept.iter().all(|kept| kept.name != **name));
            let stdout = folder.join("stdout");
            fs::write(&stdout, format!("result {}\n", 1.0 + lost.count() as f64 / 100.0))?;
            Ok(Execution { code: Some(0), stdout, file_before: None, folder: folder.to_owned() })
        }

        fn shell(&self, _line: &str) -> Result<Option<i32>, Failed> {
            Err(Failed)
        }
    }

    fn candidates() -> Vec<Candidate> {
        let candidate = |number| Candidate {
            name: format!("x:f{number}"),
            pattern: format!("x:f{number}"),
            object: "/bin/x".to_owned(),
            function: format!("f{number}"),
            part: None,
            places: vec![],
            multiply_adds: 1,
        };
        (0..12).map(candidate).collect()
    }

    #[test]
    fn search_finds_what_must_be_kept_and_resumes_from_its_log() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        let candidates = candidates();
        let accept: Accept = "within 1e-3".parse().unwrap();
        for (jobs, resumed) in [(1, false), (1, true), (3, true)] {
            let fake = Fake::default();
            let all: Vec<&Candidate> = candidates.iter().collect();
            let native = fake.run(&all, folder.path()).unwrap();
            let reference = accept.reference(&native).unwrap();
            let log = Log::open(Some(&path), "key", false).unwrap();
            let mut search = Search::new(Setup {
                program: &fake,
                accept: &accept,
                native: &native,
                reference: &reference,
                jobs,
                repeat: 1,
                folder: folder.path(),
                log,
                show: &|_, _| {},
            });
            assert_eq!(search.minimize(&candidates, true).unwrap(), Some(vec![3, 7]));
            let runs = fake.0.load(Ordering::Relaxed) - 1;
            assert_eq!(search.runs - search.resumed, runs);
            if jobs == 1 {
                assert_eq!(runs == 0, resumed, "a finished search needs no more runs");
                assert!(search.runs <= 14, "{}", search.runs);
            }
            let costs = search.costs(&candidates).unwrap();
            let accepted: Vec<bool> = costs.iter().map(|cost| cost.accepted).collect();
            assert_eq!(accepted.iter().filter(|&&accepted| !accepted).count(), 2);
            assert!((costs[3].difference.unwrap() - 0.01).abs() < 1e-12 && costs[4].difference == Some(0.0));
        }
    }

    #[test]
    fn least_accepted_share_rises_with_runs() {
        assert!((least_accepted(1) - 0.05).abs() < 1e-12);
        assert!((least_accepted(59) - 0.95).abs() < 1e-3);
    }
}
