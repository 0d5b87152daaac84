//! A sweep, and a process that works on it.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::claim::{self, Claim, Free, Hold, Holder, Look, Progress, SILENT_BEATS, State, Text, Watched};
use crate::error::SweepError;
use crate::files::{failed, names, read, write_once};
use crate::plan::{PLAN, Piece, Plan};
use crate::result::{Conflict, Done, Finished, place};

/// Where claims, results and conflicts are.
const FOLDERS: [&str; 3] = ["claims", "results", "conflicts"];
/// How often a piece may fail while a process looks on, before it gives the piece up.
const FAILURES: usize = 3;

/// A plan in a folder.
#[derive(Debug)]
pub struct Sweep {
    folder: PathBuf,
    plan: Plan,
    ids: Vec<String>,
}

/// How a process works.
pub struct Options<'a> {
    /// How often a claim shows that its holder is alive.
    pub heartbeat: Duration,
    /// The pieces to do; none are all.
    pub only: Option<Vec<usize>>,
    /// Whether to wait for pieces that others hold, and take them over if their holders fall silent.
    pub wait: bool,
    /// How many holders in a row may die without getting further with a piece before it is given up; 0 for any number.
    pub deaths: u64,
    /// Whether to try pieces again that were given up before this process came.
    pub retry: bool,
    /// Whether to stop.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

/// What happens.
#[derive(Debug)]
pub enum Event<'a> {
    /// A piece is ours.
    Taken {
        /// Its number.
        piece: usize,
        /// If it had a holder: who, and why it is free.
        from: Option<(String, String)>,
    },
    /// A piece has a result, of ours or of others.
    Finished {
        /// Its number.
        piece: usize,
        /// How many have one.
        finished: usize,
    },
    /// A piece was done again, with other bits.
    Conflict(&'a Conflict),
    /// A piece failed.
    Failed {
        /// Its number.
        piece: usize,
        /// Why.
        why: &'a str,
    },
    /// Another took the piece over that we were at.
    Lost {
        /// Its number.
        piece: usize,
    },
    /// Nothing is free: others hold so many pieces.
    Waiting(usize),
}

/// A piece without a result.
#[derive(Clone, Debug)]
pub struct Failed {
    /// Its number.
    pub piece: usize,
    /// Why.
    pub why: String,
}

/// How a process left a sweep.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Pieces that it did.
    pub done: usize,
    /// Whether each piece that it was to do has a result now.
    pub complete: bool,
    /// Whether it was to stop.
    pub stopped: bool,
    /// Pieces that it gave up.
    pub failed: Vec<Failed>,
}

/// How a piece stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Standing {
    /// Nobody took it.
    Free,
    /// Somebody took it, by the claim's own words; whether he is alive only time tells.
    Taken {
        /// Who.
        by: String,
        /// Which of its holders that is, from 1.
        generation: u64,
        /// How far the piece was at his last beat.
        progress: Option<Progress>,
    },
    /// Its holder let go of it.
    Released,
    /// It failed.
    Failed(String),
    /// Too many holders died of it.
    GivenUp(String),
    /// It has a result.
    Done,
}

impl Sweep {
    /// Begins a sweep in a folder, or joins the one that is there.
    ///
    /// # Errors
    /// A folder that cannot be made or written, and one with another sweep.
    pub fn begin(folder: &Path, plan: Plan) -> Result<Sweep, SweepError> {
        for name in FOLDERS {
            let path = folder.join(name);
            fs::create_dir_all(&path).map_err(failed(&path, "make the folder"))?;
        }
        let path = folder.join(PLAN);
        if !path.exists() && write_once(&path, &plan)? {
            return Ok(Sweep::new(folder, plan));
        }
        let sweep = Sweep::open(folder)?;
        match sweep.plan.differs(&plan) {
            Some(what) => Err(SweepError::Another { path: folder.to_owned(), what }),
            None => Ok(sweep),
        }
    }

    /// Opens the sweep in a folder.
    ///
    /// # Errors
    /// A folder without one.
    pub fn open(folder: &Path) -> Result<Sweep, SweepError> {
        let plan: Option<Plan> = read(&folder.join(PLAN))?;
        Ok(Sweep::new(folder, plan.ok_or_else(|| SweepError::None(folder.to_owned()))?))
    }

    fn new(folder: &Path, plan: Plan) -> Sweep {
        let ids = (0..plan.pieces.len()).map(|number| format!("{number:05}"));
        let ids = ids.chain(plan.last.is_some().then(|| "last".to_owned())).collect();
        Sweep { folder: folder.to_owned(), plan, ids }
    }

    /// What is wrong with this sweep, as who joins its results finds.
    pub fn damaged(&self, reason: &dyn std::fmt::Display) -> SweepError {
        SweepError::Damaged { path: self.folder.clone(), reason: reason.to_string() }
    }

    /// What there is to do.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// A piece; the last one has the greatest number.
    pub fn piece(&self, number: usize) -> Option<&Piece> {
        self.plan.pieces.get(number).or(self.plan.last.as_ref().filter(|_| number == self.plan.pieces.len()))
    }

    fn in_folder(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn result_path(&self, number: usize) -> PathBuf {
        self.folder.join("results").join(format!("{}.json", self.ids[number]))
    }

    /// The result of a piece, if there is one.
    ///
    /// # Errors
    /// A file that cannot be read, or is something else.
    pub fn finished(&self, number: usize) -> Result<Option<Finished>, SweepError> {
        read(&self.result_path(number))
    }

    /// Which pieces have results, by number; the last one too.
    ///
    /// # Errors
    /// A folder that cannot be read.
    pub fn which_finished(&self) -> Result<Vec<bool>, SweepError> {
        let names = names(&self.in_folder("results"))?;
        let known: HashSet<&str> = names.iter().filter_map(|name| name.strip_suffix(".json")).collect();
        Ok(self.ids.iter().map(|id| known.contains(id.as_str())).collect())
    }

    /// The greatest generation of each piece; 0 where nobody took it.
    ///
    /// # Errors
    /// A folder that cannot be read.
    pub fn generations(&self) -> Result<Vec<u64>, SweepError> {
        let mut greatest: HashMap<String, u64> = HashMap::new();
        for name in names(&self.in_folder("claims"))? {
            if let Some((id, generation)) = claim::parse(&name) {
                let known = greatest.entry(id.to_owned()).or_default();
                *known = generation.max(*known);
            }
        }
        Ok(self.ids.iter().map(|id| greatest.get(id).copied().unwrap_or(0)).collect())
    }

    /// How each piece stands.
    ///
    /// # Errors
    /// Folders and files that cannot be read.
    pub fn standing(&self) -> Result<Vec<Standing>, SweepError> {
        let (finished, generations) = (self.which_finished()?, self.generations()?);
        let each =
            finished.into_iter().zip(generations).enumerate().map(|(number, (finished, generation))| {
                if finished {
                    return Ok(Standing::Done);
                }
                if generation == 0 {
                    return Ok(Standing::Free);
                }
                let Some(text) = Text::read(&self.claim_path(number, generation)) else {
                    return Ok(Standing::Taken { by: "somebody".to_owned(), generation, progress: None });
                };
                let why = text.why.unwrap_or_default();
                Ok(match text.state {
                    State::Released => Standing::Released,
                    State::Failed => Standing::Failed(why),
                    State::GivenUp => Standing::GivenUp(why),
                    State::Working | State::Done => {
                        Standing::Taken { by: text.by, generation, progress: text.progress }
                    }
                })
            });
        each.collect()
    }

    /// Results whose bits are not those that are there.
    ///
    /// # Errors
    /// Folders and files that cannot be read.
    pub fn conflicts(&self) -> Result<Vec<Conflict>, SweepError> {
        let folder = self.in_folder("conflicts");
        let mut found = vec![];
        let mut all = names(&folder)?;
        all.sort();
        for name in all {
            let Some((id, _)) = name.strip_suffix(".json").and_then(claim::parse) else { continue };
            let Some(number) = self.ids.iter().position(|known| known == id) else { continue };
            let path = folder.join(&name);
            if let (Some(first), Some(second)) = (self.finished(number)?, read(&path)?) {
                found.push(Conflict { first, second, path });
            }
        }
        Ok(found)
    }

    fn claim_path(&self, number: usize, generation: u64) -> PathBuf {
        claim::path(&self.in_folder("claims"), &self.ids[number], generation)
    }

    /// How often a piece failed since a generation, and why the last time.
    fn failures(&self, number: usize, since: u64, until: u64) -> (usize, String) {
        let texts =
            (since + 1..=until).filter_map(|generation| Text::read(&self.claim_path(number, generation)));
        let mut whys: Vec<String> = texts
            .filter(|text| text.state == State::Failed)
            .map(|text| text.why.unwrap_or_default())
            .collect();
        (whys.len(), whys.pop().unwrap_or_default())
    }

    /// How many holders in a row, up to this one, died without getting further.
    fn deaths(&self, number: usize, until: u64) -> u64 {
        let texts =
            (1..=until).rev().map_while(|generation| Text::read(&self.claim_path(number, generation)));
        // Those who let go did not die, and did not get further either.
        let held = texts.filter(|text| text.state != State::Released);
        held.take_while(Text::died_in_vain).count() as u64
    }

    /// Takes pieces and does them, until all have results or nothing is left to do.
    ///
    /// `work` does a piece: it asks the hold often whether to stop, and returns none if it did. A piece that fails is left to others; one
    /// that failed three times while this process looked on is left. A piece whose holders died is given up, for all.
    ///
    /// # Errors
    /// A folder that cannot be read or written, and a number that no piece has.
    pub fn work(
        &self,
        options: &Options<'_>,
        work: &mut Work<'_>,
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
        let us = Holder::this_process(options.heartbeat);
        let mut worker = Worker {
            sweep: self,
            first: self.generations()?,
            watched: HashMap::new(),
            told: vec![false; count],
            failed: HashMap::new(),
            outcome: Outcome::default(),
            us,
        };
        // Many processes begin at the same time: each at another place.
        let start = place_of(&worker.us.by, wanted.len());
        loop {
            let finished = worker.news(tell)?;
            let open: Vec<usize> = wanted.iter().copied().filter(|number| !finished[*number]).collect();
            if open.is_empty() {
                worker.outcome.complete = true;
                break;
            }
            let generations = self.generations()?;
            let before_last = finished[..self.plan.pieces.len()].iter().all(|finished| *finished);
            let turn = open.partition_point(|number| *number < wanted[start]);
            let (mut worked, mut held) = (false, 0);
            for &number in open[turn..].iter().chain(&open[..turn]) {
                if (options.stop)() {
                    worker.outcome.stopped = true;
                    return Ok(worker.end());
                }
                let is_last = number == self.plan.pieces.len();
                if is_last && !before_last {
                    // Others hold what it waits for, unless it was given up.
                    held += usize::from(worker.failed.is_empty() && options.only.is_none());
                    continue;
                }
                match worker.attempt(number, generations[number], options, work, tell)? {
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
                let nap = (options.heartbeat / 4).clamp(Duration::from_millis(20), Duration::from_secs(5));
                let end = Instant::now() + nap;
                while Instant::now() < end && !(options.stop)() {
                    std::thread::sleep(Duration::from_millis(20).min(nap));
                }
            }
        }
        Ok(worker.end())
    }
}

/// Does a piece, by its number: what it came to, or none if it was to stop, or why it failed.
pub type Work<'a> = dyn FnMut(usize, &Hold<'_>) -> Result<Option<Done>, String> + 'a;

/// What became of an attempt.
enum Attempt {
    /// By us, or by another in the meantime: there is news.
    Worked,
    /// By another who may be alive.
    Held,
    GivenUp,
}

struct Worker<'a> {
    sweep: &'a Sweep,
    us: Holder,
    /// Generations when we came.
    first: Vec<u64>,
    watched: HashMap<usize, Watched>,
    told: Vec<bool>,
    failed: HashMap<usize, String>,
    outcome: Outcome,
}

impl Worker<'_> {
    /// Which pieces have results; tells of those that are new.
    fn news(&mut self, tell: &mut dyn FnMut(Event<'_>)) -> Result<Vec<bool>, SweepError> {
        let finished = self.sweep.which_finished()?;
        let count = finished.iter().filter(|finished| **finished).count();
        for (piece, told) in self.told.iter_mut().enumerate() {
            if finished[piece] && !std::mem::replace(told, true) {
                tell(Event::Finished { piece, finished: count });
            }
        }
        Ok(finished)
    }

    /// Takes a piece if it is free, and does it.
    fn attempt(
        &mut self,
        number: usize,
        generation: u64,
        options: &Options<'_>,
        work: &mut Work<'_>,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<Attempt, SweepError> {
        let sweep = self.sweep;
        let (folder, id) = (sweep.in_folder("claims"), &sweep.ids[number]);
        // What was listed may be old by now.
        if sweep.result_path(number).exists() {
            return Ok(Attempt::Worked);
        }
        if sweep.claim_path(number, generation + 1).exists() {
            return Ok(Attempt::Held);
        }
        let mut from = None;
        if generation > 0 {
            let Look { text, free } =
                self.watched.entry(number).or_default().look(&folder, id, generation, &self.us)?;
            let Some(free) = free else { return Ok(Attempt::Held) };
            // Its holder may have ended just now, after its result.
            if sweep.result_path(number).exists() {
                return Ok(Attempt::Worked);
            }
            let (failures, why) = sweep.failures(number, self.first[number], generation);
            if failures >= FAILURES || free == Free::Failed && self.failed.contains_key(&number) {
                self.failed.entry(number).or_insert(why);
                return Ok(Attempt::GivenUp);
            }
            let again = options.retry && generation <= self.first[number];
            if free == Free::GivenUp && !again {
                let why = text.and_then(|text| text.why).unwrap_or_default();
                if let Entry::Vacant(unknown) = self.failed.entry(number) {
                    tell(Event::Failed { piece: number, why: &why });
                    unknown.insert(why);
                }
                return Ok(Attempt::GivenUp);
            }
            let died = matches!(free, Free::Unlocked | Free::Silent(_));
            let deaths = if died { sweep.deaths(number, generation) } else { 0 };
            if options.deaths > 0 && deaths >= options.deaths && !again {
                let last = text.map_or_else(String::new, |text| last_words(&text, &free));
                let why = format!(
                    "given up after {deaths} of its processes died where they began; the last was {last}"
                );
                return self.give_up(number, generation + 1, why, tell);
            }
            let by = text.map_or_else(|| "somebody".to_owned(), |text| text.by);
            from = Some((by, reason(&free)));
        }
        let Some(claim) = Claim::take(&folder, id, generation + 1, &self.us)? else {
            return Ok(Attempt::Held);
        };
        if sweep.result_path(number).exists() {
            claim.end(State::Released, None)?;
            return Ok(Attempt::Worked);
        }
        tell(Event::Taken { piece: number, from });
        let start = Instant::now();
        let (claim, (result, lost)) = claim.during(options.stop, |hold| (work(number, hold), hold.lost()));
        match result {
            Ok(Some(done)) => match self.commit(number, claim.generation, done, start.elapsed(), tell)? {
                None => {
                    self.failed.remove(&number);
                    claim.end(State::Done, None)?;
                }
                Some(why) => self.fail(number, claim, why, tell)?,
            },
            Ok(None) => {
                if lost {
                    tell(Event::Lost { piece: number });
                }
                claim.end(State::Released, None)?;
            }
            // Another did it in the meantime, and took what we worked with away.
            Err(_) if sweep.result_path(number).exists() => claim.end(State::Released, None)?,
            Err(why) => self.fail(number, claim, why, tell)?,
        }
        Ok(Attempt::Worked)
    }

    /// Gives a piece up, for all who come.
    fn give_up(
        &mut self,
        number: usize,
        generation: u64,
        why: String,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<Attempt, SweepError> {
        let folder = self.sweep.in_folder("claims");
        let Some(claim) = Claim::take(&folder, &self.sweep.ids[number], generation, &self.us)? else {
            return Ok(Attempt::Held);
        };
        tell(Event::Failed { piece: number, why: &why });
        self.failed.insert(number, why.clone());
        claim.end(State::GivenUp, Some(why))?;
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
        claim.end(State::Failed, Some(why))
    }

    /// Writes a result, or compares it with the one that is there. Why it cannot be accepted, if no other is there.
    fn commit(
        &mut self,
        number: usize,
        generation: u64,
        done: Done,
        time: Duration,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<Option<String>, SweepError> {
        let sweep = self.sweep;
        let (title, inputs) = match sweep.piece(number) {
            Some(piece) => (piece.title.clone(), piece.inputs.clone()),
            None => return Err(SweepError::NoPiece { piece: number, count: sweep.ids.len() }),
        };
        let Done { sha256, value, file } = done;
        let ours = Finished {
            title,
            inputs,
            sha256,
            by: self.us.by.clone(),
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
                return Ok(Some(format!("a file with other bits is at {}", to.display())));
            }
        }
        if let Some(first) = first {
            tell(Event::Conflict(&Conflict { first, second: ours, path }));
        }
        Ok(None)
    }

    fn end(mut self) -> Outcome {
        let finished = self.sweep.which_finished().unwrap_or_default();
        let failed = self.failed.into_iter().filter(|(piece, _)| !finished.get(*piece).unwrap_or(&false));
        self.outcome.failed = failed.map(|(piece, why)| Failed { piece, why }).collect();
        self.outcome.failed.sort_by_key(|failed| failed.piece);
        self.outcome
    }
}

fn reason(free: &Free) -> String {
    match free {
        Free::Released => "who let go of it".to_owned(),
        Free::Failed => "where it failed".to_owned(),
        Free::GivenUp => "who gave it up".to_owned(),
        Free::Unlocked => "who was killed".to_owned(),
        Free::Silent(time) => {
            format!("silent for {:.1} s, more than {SILENT_BEATS} beats", time.as_secs_f64())
        }
    }
}

/// What is known of a holder that died.
fn last_words(text: &Text, free: &Free) -> String {
    let place = text.progress.as_ref().map(|progress| format!(", at {} of {}", progress.done, progress.of));
    format!("{}, {}{}", text.by, reason(free), place.unwrap_or_default())
}

/// A place among so many, by name.
fn place_of(name: &str, count: usize) -> usize {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    (hasher.finish() % count.max(1) as u64) as usize
}
