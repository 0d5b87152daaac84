//! Claims and leases: which worker works on a piece, and whether it is still alive.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::SweepError;
use crate::files::{failed, name, temporary};

/// A claim without a heartbeat for this many intervals may be taken over.
pub const SILENT_BEATS: u32 = 6;

/// State of a claim, as its worker last wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClaimState {
    Working,
    /// The worker stopped before the end.
    Released,
    Failed,
    /// Too many workers died on the piece.
    GivenUp,
    Done,
}

/// The progress of a piece's worker, as it reports to others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Units done, such as steps or lines.
    pub done: u64,
    /// Units in total.
    pub of: u64,
    /// Further values to show.
    pub facts: Value,
}

/// Contents of a claim file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ClaimRecord {
    pub(crate) by: String,
    /// Boot identifier of the worker's machine, where the system has one.
    machine: Option<String>,
    /// True if the worker holds a lock on the claim file.
    locked: bool,
    /// Seconds between heartbeats.
    every: f64,
    beat: u64,
    pub(crate) state: ClaimState,
    pub(crate) why: Option<String>,
    /// Units of the piece that were saved when this worker began.
    #[serde(default)]
    begun: u64,
    #[serde(default)]
    kept: u64,
    /// Progress at the last heartbeat.
    #[serde(default)]
    pub(crate) progress: Option<Progress>,
}

impl ClaimRecord {
    /// Parses a claim. Returns `None` while it is half written.
    fn parse(bytes: &[u8]) -> Option<ClaimRecord> {
        // Text after the first line is the rest of a longer record.
        serde_json::from_slice(bytes.split(|byte| *byte == b'\n').next()?).ok()
    }

    /// Reads the claim in a file; `None` if the file is missing or half written.
    pub(crate) fn read(path: &Path) -> Option<ClaimRecord> {
        ClaimRecord::parse(&fs::read(path).ok()?)
    }

    /// Returns true if the worker did not finish and saved nothing new. The caller knows that it is dead.
    pub(crate) fn died_without_progress(&self) -> bool {
        self.state == ClaimState::Working && self.kept == self.begun
    }
}

/// Identity of this process, written into its claims.
#[derive(Clone, Debug)]
pub(crate) struct WorkerIdentity {
    pub(crate) by: String,
    pub(crate) machine: Option<String>,
    pub(crate) every: Duration,
}

impl WorkerIdentity {
    pub(crate) fn this_process(every: Duration) -> WorkerIdentity {
        let line = |path: &str| {
            let text = fs::read_to_string(path).ok()?;
            Some(text.trim().to_owned()).filter(|text| !text.is_empty())
        };
        let host = line("/proc/sys/kernel/hostname").or_else(|| std::env::var("HOSTNAME").ok());
        let host = host.unwrap_or_else(|| "host".to_owned());
        let machine = line("/proc/sys/kernel/random/boot_id");
        WorkerIdentity { by: format!("{host}:{}", std::process::id()), machine, every }
    }
}

/// Name of this process in claims and results.
pub fn this_process() -> String {
    WorkerIdentity::this_process(Duration::ZERO).by
}

/// File of a claim.
pub(crate) fn path(folder: &Path, id: &str, generation: u64) -> PathBuf {
    folder.join(format!("{id}.{generation}"))
}

/// Splits the name of a claim file into piece and generation.
pub(crate) fn parse(name: &str) -> Option<(&str, u64)> {
    let (id, generation) = name.split_once('.')?;
    Some((id, generation.parse().ok()?)).filter(|_| !id.is_empty())
}

/// A claim of this process.
#[derive(Debug)]
pub(crate) struct Claim {
    folder: PathBuf,
    id: String,
    pub(crate) generation: u64,
    path: PathBuf,
    /// Open since before the file had its name. Locked, where the file system has locks.
    file: File,
    record: ClaimRecord,
}

impl Claim {
    /// Claims a piece as generation `generation`. Returns `None` if another worker has that generation.
    pub(crate) fn acquire(
        folder: &Path,
        id: &str,
        generation: u64,
        worker: &WorkerIdentity,
    ) -> Result<Option<Claim>, SweepError> {
        let before = ClaimRecord::read(&path(folder, id, generation.saturating_sub(1)));
        let begun = before.map_or(0, |record| record.kept);
        let mut file = temporary(folder)?;
        // The lock precedes the name, so no other process finds the claim unlocked. Others try the lock only if the machine
        // is known.
        let locked = worker.machine.is_some() && file.as_file().try_lock().is_ok();
        let record = ClaimRecord {
            by: worker.by.clone(),
            machine: worker.machine.clone(),
            locked,
            every: worker.every.as_secs_f64(),
            beat: 0,
            state: ClaimState::Working,
            why: None,
            begun,
            kept: begun,
            progress: None,
        };
        let path = path(folder, id, generation);
        write(file.as_file_mut(), &record).map_err(failed(&path, "write"))?;
        let Some(file) = name(file, &path)? else { return Ok(None) };
        Ok(Some(Claim { folder: folder.to_owned(), id: id.to_owned(), generation, path, file, record }))
    }

    /// Writes a heartbeat. Returns true if no other worker has taken the piece over.
    fn beat(&mut self) -> Result<bool, SweepError> {
        self.record.beat += 1;
        self.rewrite()?;
        // Flushed, so that other machines see it.
        self.file.sync_data().map_err(failed(&self.path, "write"))?;
        Ok(!path(&self.folder, &self.id, self.generation + 1).exists())
    }

    fn rewrite(&mut self) -> Result<(), SweepError> {
        write(&mut self.file, &self.record).map_err(failed(&self.path, "write"))
    }

    /// Copies a report into the record. Returns true if the saved part grew, which must be written at once.
    fn merge(&mut self, reported: &Reported) -> bool {
        let further = reported.kept.is_some_and(|kept| kept > self.record.kept);
        self.record.kept = reported.kept.unwrap_or(self.record.kept);
        self.record.progress.clone_from(&reported.progress);
        further
    }

    /// Writes the final state of the claim.
    pub(crate) fn end(mut self, state: ClaimState, why: Option<String>) -> Result<(), SweepError> {
        (self.record.state, self.record.why) = (state, why);
        self.rewrite()
    }

    /// Runs `work` while a thread writes heartbeats. Returns the claim and the result of `work`.
    pub(crate) fn run_with_heartbeat<T>(
        mut self,
        stop: &(dyn Fn() -> bool + Sync),
        work: impl FnOnce(&Lease<'_>) -> T,
    ) -> (Claim, T) {
        let (reported, wake) = (Mutex::new(Reported::default()), Condvar::new());
        let lease = Lease { lost: AtomicBool::new(false), stop, reported: &reported, wake: &wake };
        let every = Duration::from_secs_f64(self.record.every);
        let result = std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut next = Instant::now() + every;
                let mut guard = lock(&reported);
                while !guard.ended {
                    let left = next.saturating_duration_since(Instant::now());
                    if !self.merge(&guard) && !left.is_zero() {
                        guard = wake.wait_timeout(guard, left).unwrap_or_else(PoisonError::into_inner).0;
                        continue;
                    }
                    // Unlocked while the disk is written, so that reports do not wait for it.
                    drop(guard);
                    next = Instant::now() + every;
                    // A failed heartbeat is tried again at the next interval. If failures last, another worker takes the
                    // piece over, and the next heartbeat that succeeds finds its claim.
                    if matches!(self.beat(), Ok(false)) {
                        lease.lost.store(true, Ordering::Relaxed);
                        return;
                    }
                    guard = lock(&reported);
                }
                self.merge(&guard);
            });
            // Ends the heartbeat thread even if the work panics; otherwise the scope would wait for ever.
            let _end = EndHeartbeat { reported: &reported, wake: &wake };
            work(&lease)
        });
        (self, result)
    }
}

/// Latest report of the worker, for the heartbeat thread.
#[derive(Default)]
struct Reported {
    progress: Option<Progress>,
    kept: Option<u64>,
    ended: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct EndHeartbeat<'a> {
    reported: &'a Mutex<Reported>,
    wake: &'a Condvar,
}

impl Drop for EndHeartbeat<'_> {
    fn drop(&mut self) {
        lock(self.reported).ended = true;
        self.wake.notify_all();
    }
}

/// The right to work on a piece, renewed by heartbeats.
pub struct Lease<'a> {
    lost: AtomicBool,
    stop: &'a (dyn Fn() -> bool + Sync),
    reported: &'a Mutex<Reported>,
    wake: &'a Condvar,
}

impl Lease<'_> {
    /// Returns true if the work must stop. Call it often.
    pub fn should_stop(&self) -> bool {
        self.is_lost() || (self.stop)()
    }

    /// Reports progress. Other processes see it at the next heartbeat.
    pub fn report_progress(&self, progress: Progress) {
        lock(self.reported).progress = Some(progress);
    }

    /// Reports that a successor can resume after `done` units. A piece whose workers die without such a report is given up.
    pub fn report_saved(&self, done: u64) {
        lock(self.reported).kept = Some(done);
        self.wake.notify_all();
    }

    /// Returns true if another worker took the piece over.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }
}

impl std::fmt::Debug for Lease<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lease").field("lost", &self.is_lost()).finish_non_exhaustive()
    }
}

/// Rewrites a claim in place. A reader that sees a mixture of two records fails to parse it and reads again.
fn write(file: &mut File, record: &ClaimRecord) -> io::Result<()> {
    let mut line = serde_json::to_vec(record)?;
    line.push(b'\n');
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&line)?;
    file.set_len(line.len() as u64)
}

/// Observations of another worker's claim, which detect missing heartbeats.
#[derive(Debug, Default)]
pub(crate) struct ObservedClaim {
    bytes: Vec<u8>,
    generation: u64,
    since: Option<Instant>,
}

/// Reason for which a piece may be taken over.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TakeoverReason {
    Released,
    Failed,
    GivenUp,
    /// Killed on this machine: its lock is gone.
    Unlocked,
    /// No heartbeat for this time.
    Silent(Duration),
}

/// Contents of a claim, and whether it may be taken over.
pub(crate) struct Observation {
    pub(crate) record: Option<ClaimRecord>,
    pub(crate) reason: Option<TakeoverReason>,
}

impl ObservedClaim {
    /// Reads the claim of a generation and compares it with the last observation.
    pub(crate) fn observe(
        &mut self,
        folder: &Path,
        id: &str,
        generation: u64,
        identity: &WorkerIdentity,
    ) -> Result<Observation, SweepError> {
        let path = path(folder, id, generation);
        // Some systems lock only files open for writing. Another user's claim may be readable only.
        let file = File::options().read(true).write(true).open(&path).or_else(|_| File::open(&path));
        let mut file = file.map_err(failed(&path, "read"))?;
        let mut bytes = vec![];
        file.read_to_end(&mut bytes).map_err(failed(&path, "read"))?;
        let now = Instant::now();
        if self.since.is_none() || self.generation != generation || self.bytes != bytes {
            *self = ObservedClaim { bytes, generation, since: Some(now) };
        }
        let silent = self.since.map_or(Duration::ZERO, |since| now - since);
        let parsed = ClaimRecord::parse(&self.bytes);
        let reason = match &parsed {
            // A heartbeat is half written, or its worker died while it wrote.
            None => (silent > identity.every * SILENT_BEATS).then_some(TakeoverReason::Silent(silent)),
            Some(record) => {
                let here = record.locked && identity.machine.is_some() && record.machine == identity.machine;
                let every = Duration::try_from_secs_f64(record.every).unwrap_or(identity.every);
                match record.state {
                    ClaimState::Released => Some(TakeoverReason::Released),
                    ClaimState::Failed => Some(TakeoverReason::Failed),
                    ClaimState::GivenUp => Some(TakeoverReason::GivenUp),
                    // Done: the result exists, or the worker died before it wrote the result.
                    ClaimState::Done | ClaimState::Working if here && file.try_lock().is_ok() => {
                        Some(TakeoverReason::Unlocked)
                    }
                    _ => (silent > every * SILENT_BEATS).then_some(TakeoverReason::Silent(silent)),
                }
            }
        };
        Ok(Observation { record: parsed, reason })
    }
}
