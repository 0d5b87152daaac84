//! Claims: who has a piece, and whether he is alive.

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

/// A claim whose text does not change for so many of its beats is taken over.
pub const SILENT_BEATS: u32 = 6;

/// How a claim stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum State {
    Working,
    /// Let go before the end.
    Released,
    Failed,
    /// Too many holders died of it.
    GivenUp,
    Done,
}

/// How far the holder of a piece is, as it tells others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// So much of it, such as steps or lines.
    pub done: u64,
    /// Of so much.
    pub of: u64,
    /// What else there is to show.
    pub facts: Value,
}

/// What stands in a claim.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Text {
    pub(crate) by: String,
    /// The machine since it was started, where it tells.
    machine: Option<String>,
    /// Whether the holder has the file locked.
    locked: bool,
    /// Seconds between beats.
    every: f64,
    beat: u64,
    pub(crate) state: State,
    pub(crate) why: Option<String>,
    /// Where this holder began, and where one that follows would: so much of the piece is kept.
    #[serde(default)]
    begun: u64,
    #[serde(default)]
    kept: u64,
    /// How far the piece was at the last beat.
    #[serde(default)]
    pub(crate) progress: Option<Progress>,
}

impl Text {
    /// What a claim says; none while it is half written.
    fn parse(bytes: &[u8]) -> Option<Text> {
        // What is behind the line is left of a longer one.
        serde_json::from_slice(bytes.split(|byte| *byte == b'\n').next()?).ok()
    }

    /// What the claim in a file says, if it can be read.
    pub(crate) fn read(path: &Path) -> Option<Text> {
        Text::parse(&fs::read(path).ok()?)
    }

    /// Whether its holder, which is gone, left the piece where it had found it.
    pub(crate) fn died_in_vain(&self) -> bool {
        self.state == State::Working && self.kept == self.begun
    }
}

/// Who we are.
#[derive(Clone, Debug)]
pub(crate) struct Holder {
    pub(crate) by: String,
    pub(crate) machine: Option<String>,
    pub(crate) every: Duration,
}

impl Holder {
    pub(crate) fn this_process(every: Duration) -> Holder {
        let line = |path: &str| {
            let text = fs::read_to_string(path).ok()?;
            Some(text.trim().to_owned()).filter(|text| !text.is_empty())
        };
        let host = line("/proc/sys/kernel/hostname").or_else(|| std::env::var("HOSTNAME").ok());
        let host = host.unwrap_or_else(|| "host".to_owned());
        let machine = line("/proc/sys/kernel/random/boot_id");
        Holder { by: format!("{host}:{}", std::process::id()), machine, every }
    }
}

/// How claims and results call this process.
pub fn this_process() -> String {
    Holder::this_process(Duration::ZERO).by
}

/// The name of a claim.
pub(crate) fn path(folder: &Path, id: &str, generation: u64) -> PathBuf {
    folder.join(format!("{id}.{generation}"))
}

/// What a name of a claim says.
pub(crate) fn parse(name: &str) -> Option<(&str, u64)> {
    let (id, generation) = name.split_once('.')?;
    Some((id, generation.parse().ok()?)).filter(|_| !id.is_empty())
}

/// A piece that is ours.
#[derive(Debug)]
pub(crate) struct Claim {
    folder: PathBuf,
    id: String,
    pub(crate) generation: u64,
    path: PathBuf,
    /// Opened when it had no name yet; locked, where the file system can.
    file: File,
    text: Text,
}

impl Claim {
    /// Becomes the holder number `generation`; none if another did.
    pub(crate) fn take(
        folder: &Path,
        id: &str,
        generation: u64,
        holder: &Holder,
    ) -> Result<Option<Claim>, SweepError> {
        let before = Text::read(&path(folder, id, generation.saturating_sub(1)));
        let begun = before.map_or(0, |text| text.kept);
        let mut file = temporary(folder)?;
        // Before it has its name: nobody finds it unlocked who looks. Without the machine's name nobody tries the lock.
        let locked = holder.machine.is_some() && file.as_file().try_lock().is_ok();
        let text = Text {
            by: holder.by.clone(),
            machine: holder.machine.clone(),
            locked,
            every: holder.every.as_secs_f64(),
            beat: 0,
            state: State::Working,
            why: None,
            begun,
            kept: begun,
            progress: None,
        };
        let path = path(folder, id, generation);
        write(file.as_file_mut(), &text).map_err(failed(&path, "write"))?;
        let Some(file) = name(file, &path)? else { return Ok(None) };
        Ok(Some(Claim { folder: folder.to_owned(), id: id.to_owned(), generation, path, file, text }))
    }

    /// Shows that the holder is alive; whether it still is the holder.
    fn beat(&mut self) -> Result<bool, SweepError> {
        self.text.beat += 1;
        self.rewrite()?;
        // To where other machines see it.
        self.file.sync_data().map_err(failed(&self.path, "write"))?;
        Ok(!path(&self.folder, &self.id, self.generation + 1).exists())
    }

    fn rewrite(&mut self) -> Result<(), SweepError> {
        write(&mut self.file, &self.text).map_err(failed(&self.path, "write"))
    }

    /// Notes what the holder told; whether that is to be shown at once.
    fn note(&mut self, told: &Told) -> bool {
        let further = told.kept.is_some_and(|kept| kept > self.text.kept);
        self.text.kept = told.kept.unwrap_or(self.text.kept);
        self.text.progress.clone_from(&told.progress);
        further
    }

    /// Ends the claim.
    pub(crate) fn end(mut self, state: State, why: Option<String>) -> Result<(), SweepError> {
        (self.text.state, self.text.why) = (state, why);
        self.rewrite()
    }

    /// Does work while the claim beats; the claim with it, and whether it was still held at the end.
    pub(crate) fn during<T>(
        mut self,
        stop: &(dyn Fn() -> bool + Sync),
        work: impl FnOnce(&Hold<'_>) -> T,
    ) -> (Claim, T) {
        let (told, bell) = (Mutex::new(Told::default()), Condvar::new());
        let hold = Hold { lost: AtomicBool::new(false), stop, told: &told, bell: &bell };
        let every = Duration::from_secs_f64(self.text.every);
        let result = std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut next = Instant::now() + every;
                let mut guard = lock(&told);
                while !guard.ended {
                    let left = next.saturating_duration_since(Instant::now());
                    if !self.note(&guard) && !left.is_zero() {
                        guard = bell.wait_timeout(guard, left).unwrap_or_else(PoisonError::into_inner).0;
                        continue;
                    }
                    // Who tells something meanwhile does not wait for the disk.
                    drop(guard);
                    next = Instant::now() + every;
                    // A beat that could not be written may succeed the next time; who fails for long is followed, and
                    // finds his follower then.
                    if matches!(self.beat(), Ok(false)) {
                        hold.lost.store(true, Ordering::Relaxed);
                        return;
                    }
                    guard = lock(&told);
                }
                self.note(&guard);
            });
            // The bell rings even if the work panics: the thread would hold up the scope.
            let _ring = Ring { told: &told, bell: &bell };
            work(&hold)
        });
        (self, result)
    }
}

/// What the holder of a piece told.
#[derive(Default)]
struct Told {
    progress: Option<Progress>,
    kept: Option<u64>,
    ended: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Ring<'a> {
    told: &'a Mutex<Told>,
    bell: &'a Condvar,
}

impl Drop for Ring<'_> {
    fn drop(&mut self) {
        lock(self.told).ended = true;
        self.bell.notify_all();
    }
}

/// A piece that is held while it is worked on.
pub struct Hold<'a> {
    lost: AtomicBool,
    stop: &'a (dyn Fn() -> bool + Sync),
    told: &'a Mutex<Told>,
    bell: &'a Condvar,
}

impl Hold<'_> {
    /// Whether to stop: it is asked often.
    pub fn stop(&self) -> bool {
        self.lost() || (self.stop)()
    }

    /// Tells how far the piece is: others see it at the next beat.
    pub fn progress(&self, progress: Progress) {
        lock(self.told).progress = Some(progress);
    }

    /// Tells that who follows begins with so much of the piece done. A piece whose holders die without that is given up.
    pub fn kept(&self, done: u64) {
        lock(self.told).kept = Some(done);
        self.bell.notify_all();
    }

    /// Whether another took the piece over.
    pub fn lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }
}

impl std::fmt::Debug for Hold<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hold").field("lost", &self.lost()).finish_non_exhaustive()
    }
}

/// Writes a claim anew. It never gets shorter by much, and who reads a mixture of two reads it again.
fn write(file: &mut File, text: &Text) -> io::Result<()> {
    let mut line = serde_json::to_vec(text)?;
    line.push(b'\n');
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&line)?;
    file.set_len(line.len() as u64)
}

/// Claims of others, as they were last seen.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    bytes: Vec<u8>,
    generation: u64,
    since: Option<Instant>,
}

/// Why a piece may be taken over.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Free {
    Released,
    Failed,
    GivenUp,
    /// Killed on this machine.
    Unlocked,
    /// For so long.
    Silent(Duration),
}

/// What is known of a claim.
pub(crate) struct Look {
    pub(crate) text: Option<Text>,
    pub(crate) free: Option<Free>,
}

impl Watched {
    /// Looks at the claim of a generation.
    pub(crate) fn look(
        &mut self,
        folder: &Path,
        id: &str,
        generation: u64,
        us: &Holder,
    ) -> Result<Look, SweepError> {
        let path = path(folder, id, generation);
        // Some systems lock only what is open for writing; another user's claim can be read all the same.
        let file = File::options().read(true).write(true).open(&path).or_else(|_| File::open(&path));
        let mut file = file.map_err(failed(&path, "read"))?;
        let mut bytes = vec![];
        file.read_to_end(&mut bytes).map_err(failed(&path, "read"))?;
        let now = Instant::now();
        if self.since.is_none() || self.generation != generation || self.bytes != bytes {
            *self = Watched { bytes, generation, since: Some(now) };
        }
        let silent = self.since.map_or(Duration::ZERO, |since| now - since);
        let parsed = Text::parse(&self.bytes);
        let free = match &parsed {
            // Half a beat, or a holder that died within one.
            None => (silent > us.every * SILENT_BEATS).then_some(Free::Silent(silent)),
            Some(text) => {
                let here = text.locked && us.machine.is_some() && text.machine == us.machine;
                let every = Duration::try_from_secs_f64(text.every).unwrap_or(us.every);
                match text.state {
                    State::Released => Some(Free::Released),
                    State::Failed => Some(Free::Failed),
                    State::GivenUp => Some(Free::GivenUp),
                    // Its result is there, or it died between the two.
                    State::Done | State::Working if here && file.try_lock().is_ok() => Some(Free::Unlocked),
                    _ => (silent > every * SILENT_BEATS).then_some(Free::Silent(silent)),
                }
            }
        };
        Ok(Look { text: parsed, free })
    }
}
