//! A worker: claims the pieces of a sweep one after another and stores their results.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::time::{Duration, Instant};

use crate::claim::{
    Claim, ClaimRecord, ClaimState, Lease, Observation, ObservedClaim, SILENT_BEATS, TakeoverReason,
    WorkerIdentity,
};
use crate::error::SweepError;
use crate::files::{failed, write_once};
use crate::result::{Conflict, PieceResult, StoredResult, place};
use crate::sweep::Sweep;

/// Failures of a piece, in the lifetime of a worker, after which this worker leaves the piece alone.
const FAILURES: usize = 3;

/// Settings of a worker.
pub struct Options<'a> {
    /// Interval between heartbeats.
    pub heartbeat: Duration,
    /// The pieces to do; all if `None`.
    pub only: Option<Vec<usize>>,
    /// True to wait for pieces of other workers, and to take them over if their heartbeats stop.
    pub wait: bool,
    /// Workers that may die in a row without saving progress before the piece is given up; 0 for no limit.
    pub deaths: u64,
    /// True to retry pieces that were given up before this worker started.
    pub retry: bool,
    /// Returns true if the worker must stop.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

/// Events that a worker reports to its caller.
#[derive(Debug)]
pub enum Event<'a> {
    /// This worker claimed a piece.
    Taken {
        /// Its number.
        piece: usize,
        /// The previous worker, and the reason for the takeover.
        from: Option<(String, String)>,
    },
    /// A piece has a result, from this or another worker.
    Finished {
        /// Its number.
        piece: usize,
        /// Number of pieces with results.
        finished: usize,
    },
    /// A piece was done twice, with different bits.
    Conflict(&'a Conflict),
    /// A piece failed.
    Failed {
        /// Its number.
        piece: usize,
        /// The reason.
        why: &'a str,
    },
    /// Another worker took over the piece of this worker.
    Lost {
        /// Its number.
        piece: usize,
    },
    /// No piece is free: other workers hold this many.
    Waiting(usize),
}

/// A piece that failed.
#[derive(Clone, Debug)]
pub struct FailedPiece {
    /// Its number.
    pub piece: usize,
    /// The reason.
    pub why: String,
}

/// Result of [`Sweep::work`].
#[derive(Debug, Default)]
pub struct Outcome {
    /// Number of pieces that this worker finished.
    pub done: usize,
    /// True if each requested piece has a result.
    pub complete: bool,
    /// True if the worker was told to stop.
    pub stopped: bool,
    /// Pieces that this worker left without a result.
    pub failed: Vec<FailedPiece>,
}

impl Sweep {
    /// Runs a worker until all pieces have results or none is left to do.
    ///
    /// `run_piece` does a piece. It calls [`Lease::should_stop`] often and returns `None` if it stopped. A piece that fails
    /// is left to other workers. After three failures in its lifetime, this worker leaves it alone. A piece on which several
    /// workers died is given up, for all workers.
    ///
    /// # Errors
    /// The folder cannot be read or written, or `only` has a number out of range.
    pub fn work(
        &self,
        options: &Options<'_>,
        run_piece: &mut RunPiece<'_>,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<Outcome, SweepError> {
        let count = self.ids.len();
        let wanted: Vec<usize> = match &options.only {
            None => (0..count).collect(),
            Some(only) => only.clone(),
        };
        if let Some(&piece) = wanted.iter().find(|piece| **piece >= count) {
            return Err(SweepError::NoPiece { piece, count });
        }
        let identity = WorkerIdentity::this_process(options.heartbeat);
        let mut worker = Worker {
            sweep: self,
            first: self.generations()?,
            observed: HashMap::new(),
            reported: vec![false; count],
            failed: HashMap::new(),
            outcome: Outcome::default(),
            identity,
        };
        // Many workers start together, so each starts at another piece.
        let start = starting_piece(&worker.identity.by, wanted.len());
        loop {
            let finished = worker.report_results(tell)?;
            let open: Vec<usize> = wanted.iter().copied().filter(|number| !finished[*number]).collect();
            if open.is_empty() {
                worker.outcome.complete = true;
                break;
            }
            let generations = self.generations()?;
            let before_last = finished[..self.plan().pieces.len()].iter().all(|finished| *finished);
            let next = open.partition_point(|number| *number < wanted[start]);
            let (mut worked, mut held) = (false, 0);
            for &number in open[next..].iter().chain(&open[..next]) {
                if (options.stop)() {
                    worker.outcome.stopped = true;
                    return Ok(worker.end());
                }
                let is_last = number == self.plan().pieces.len();
                if is_last && !before_last {
                    // Other workers hold the pieces that the last one waits for, unless one was given up.
                    held += usize::from(worker.failed.is_empty() && options.only.is_none());
                    continue;
                }
                match worker.attempt(number, generations[number], options, run_piece, tell)? {
                    Attempt::Worked => worked = true,
                    Attempt::Held => held += 1,
                    Attempt::GivenUp => {}
                }
            }
            if !worked {
                if held == 0 || !options.wait {
                    break;
                }
                tell(Event::Waiting(held));
                let pause = (options.heartbeat / 4).clamp(Duration::from_millis(20), Duration::from_secs(5));
                let end = Instant::now() + pause;
                while Instant::now() < end && !(options.stop)() {
                    std::thread::sleep(Duration::from_millis(20).min(pause));
                }
            }
        }
        Ok(worker.end())
    }
}

/// Does a piece, by number. Returns its result, `None` if it was told to stop, or the reason of the failure.
pub type RunPiece<'a> = dyn FnMut(usize, &Lease<'_>) -> Result<Option<PieceResult>, String> + 'a;

/// Result of an attempt at a piece.
enum Attempt {
    /// This or another worker has worked on it since the folder was listed.
    Worked,
    /// Another worker holds it.
    Held,
    GivenUp,
}

struct Worker<'a> {
    sweep: &'a Sweep,
    identity: WorkerIdentity,
    /// Generations when this worker started.
    first: Vec<u64>,
    observed: HashMap<usize, ObservedClaim>,
    reported: Vec<bool>,
    failed: HashMap<usize, String>,
    outcome: Outcome,
}

impl Worker<'_> {
    /// True for each piece with a result. Reports the new ones.
    fn report_results(&mut self, tell: &mut dyn FnMut(Event<'_>)) -> Result<Vec<bool>, SweepError> {
        let finished = self.sweep.finished_pieces()?;
        let count = finished.iter().filter(|finished| **finished).count();
        for (piece, reported) in self.reported.iter_mut().enumerate() {
            if finished[piece] && !std::mem::replace(reported, true) {
                tell(Event::Finished { piece, finished: count });
            }
        }
        Ok(finished)
    }

    /// Claims a piece if it is free, and does it.
    fn attempt(
        &mut self,
        number: usize,
        generation: u64,
        options: &Options<'_>,
        run_piece: &mut RunPiece<'_>,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<Attempt, SweepError> {
        let sweep = self.sweep;
        let (folder, id) = (sweep.in_folder("claims"), &sweep.ids[number]);
        // The listing may be out of date.
        if sweep.result_path(number).exists() {
            return Ok(Attempt::Worked);
        }
        if sweep.claim_path(number, generation + 1).exists() {
            return Ok(Attempt::Held);
        }
        let mut from = None;
        if generation > 0 {
            let Observation { record, reason } =
                self.observed.entry(number).or_default().observe(&folder, id, generation, &self.identity)?;
            let Some(reason) = reason else { return Ok(Attempt::Held) };
            // Its worker may have stored the result since then.
            if sweep.result_path(number).exists() {
                return Ok(Attempt::Worked);
            }
            let (failures, why) = sweep.failures(number, self.first[number], generation);
            if failures >= FAILURES || reason == TakeoverReason::Failed && self.failed.contains_key(&number) {
                self.failed.entry(number).or_insert(why);
                return Ok(Attempt::GivenUp);
            }
            let again = options.retry && generation <= self.first[number];
            if reason == TakeoverReason::GivenUp && !again {
                let why = record.and_then(|record| record.why).unwrap_or_default();
                if let Entry::Vacant(unknown) = self.failed.entry(number) {
                    tell(Event::Failed { piece: number, why: &why });
                    unknown.insert(why);
                }
                return Ok(Attempt::GivenUp);
            }
            let died = matches!(reason, TakeoverReason::Unlocked | TakeoverReason::Silent(_));
            let deaths = if died { sweep.deaths(number, generation) } else { 0 };
            if options.deaths > 0 && deaths >= options.deaths && !again {
                let last = record.map_or_else(String::new, |record| describe_death(&record, &reason));
                let why = format!(
                    "given up after {deaths} of its processes died without progress; the last was {last}"
                );
                return self.give_up(number, generation + 1, why, tell);
            }
            let by = record.map_or_else(|| "an unknown worker".to_owned(), |record| record.by);
            from = Some((by, describe_reason(&reason)));
        }
        let Some(claim) = Claim::acquire(&folder, id, generation + 1, &self.identity)? else {
            return Ok(Attempt::Held);
        };
        if sweep.result_path(number).exists() {
            claim.end(ClaimState::Released, None)?;
            return Ok(Attempt::Worked);
        }
        tell(Event::Taken { piece: number, from });
        let start = Instant::now();
        let (claim, (result, lost)) =
            claim.run_with_heartbeat(options.stop, |lease| (run_piece(number, lease), lease.is_lost()));
        match result {
            Ok(Some(done)) => match self.commit(number, claim.generation, done, start.elapsed(), tell)? {
                None => {
                    self.failed.remove(&number);
                    claim.end(ClaimState::Done, None)?;
                }
                Some(why) => self.fail(number, claim, why, tell)?,
            },
            Ok(None) => {
                if lost {
                    tell(Event::Lost { piece: number });
                }
                claim.end(ClaimState::Released, None)?;
            }
            // Another worker has finished it and removed our unfinished file.
            Err(_) if sweep.result_path(number).exists() => claim.end(ClaimState::Released, None)?,
            Err(why) => self.fail(number, claim, why, tell)?,
        }
        Ok(Attempt::Worked)
    }

    /// Gives a piece up, for all workers.
    fn give_up(
        &mut self,
        number: usize,
        generation: u64,
        why: String,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<Attempt, SweepError> {
        let folder = self.sweep.in_folder("claims");
        let Some(claim) = Claim::acquire(&folder, &self.sweep.ids[number], generation, &self.identity)?
        else {
            return Ok(Attempt::Held);
        };
        tell(Event::Failed { piece: number, why: &why });
        self.failed.insert(number, why.clone());
        claim.end(ClaimState::GivenUp, Some(why))?;
        Ok(Attempt::GivenUp)
    }

    fn fail(
        &mut self,
        number: usize,
        claim: Claim,
        why: String,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), SweepError> {
        tell(Event::Failed { piece: number, why: &why });
        self.failed.insert(number, why.clone());
        claim.end(ClaimState::Failed, Some(why))
    }

    /// Stores a result, or compares it with the stored one. Returns a reason if it cannot be accepted and no other result
    /// exists.
    fn commit(
        &mut self,
        number: usize,
        generation: u64,
        done: PieceResult,
        time: Duration,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<Option<String>, SweepError> {
        let sweep = self.sweep;
        let (title, inputs) = match sweep.piece(number) {
            Some(piece) => (piece.title.clone(), piece.inputs.clone()),
            None => return Err(SweepError::NoPiece { piece: number, count: sweep.ids.len() }),
        };
        let PieceResult { sha256, value, file } = done;
        let ours = StoredResult {
            title,
            inputs,
            sha256,
            by: self.identity.by.clone(),
            generation,
            seconds: time.as_secs_f64(),
            result: value,
        };
        let placed = match &file {
            Some((from, to)) => place(from, to, &ours.sha256)?,
            None => true,
        };
        if placed && write_once(&sweep.result_path(number), &ours)? {
            self.outcome.done += 1;
            return Ok(None);
        }
        let first = sweep.finished(number)?;
        if placed && first.as_ref().is_some_and(|first| first.sha256 == ours.sha256) {
            return Ok(None);
        }
        let path = sweep.in_folder("conflicts").join(format!("{}.{generation}.json", sweep.ids[number]));
        write_once(&path, &ours)?;
        if let Some((from, to)) = file.filter(|(from, _)| from.exists()) {
            let kept = path.with_extension("data");
            fs::rename(&from, &kept).map_err(failed(&kept, "write"))?;
            if first.is_none() {
                return Ok(Some(format!("a file with different bits exists: {}", to.display())));
            }
        }
        if let Some(first) = first {
            tell(Event::Conflict(&Conflict { first, second: ours, path }));
        }
        Ok(None)
    }

    fn end(mut self) -> Outcome {
        let finished = self.sweep.finished_pieces().unwrap_or_default();
        let failed = self.failed.into_iter().filter(|(piece, _)| !finished.get(*piece).unwrap_or(&false));
        self.outcome.failed = failed.map(|(piece, why)| FailedPiece { piece, why }).collect();
        self.outcome.failed.sort_by_key(|failed| failed.piece);
        self.outcome
    }
}

fn describe_reason(reason: &TakeoverReason) -> String {
    match reason {
        TakeoverReason::Released => "which released it".to_owned(),
        TakeoverReason::Failed => "which failed".to_owned(),
        TakeoverReason::GivenUp => "which gave it up".to_owned(),
        TakeoverReason::Unlocked => "which was killed".to_owned(),
        TakeoverReason::Silent(time) => {
            format!("silent for {:.1} s, more than {SILENT_BEATS} heartbeats", time.as_secs_f64())
        }
    }
}

/// Description of a worker that died.
fn describe_death(record: &ClaimRecord, reason: &TakeoverReason) -> String {
    let place = record.progress.as_ref().map(|progress| format!(", at {} of {}", progress.done, progress.of));
    format!("{}, {}{}", record.by, describe_reason(reason), place.unwrap_or_default())
}

/// A number below `count` that depends on the name only.
fn starting_piece(name: &str, count: usize) -> usize {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    (hasher.finish() % count.max(1) as u64) as usize
}
