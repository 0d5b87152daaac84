//! A sweep in a folder: its plan, and the state and results of its pieces.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::claim::{self, ClaimRecord, ClaimState, Progress};
use crate::error::SweepError;
use crate::files::{failed, names, read, write_once};
use crate::plan::{PLAN_FILE, Piece, SweepPlan};
use crate::result::{Conflict, StoredResult};

/// Subfolders of a sweep.
const FOLDERS: [&str; 3] = ["claims", "results", "conflicts"];

/// A sweep in a folder: its plan, claims and results.
#[derive(Debug)]
pub struct Sweep {
    folder: PathBuf,
    plan: SweepPlan,
    pub(crate) ids: Vec<String>,
}

/// State of a piece.
#[derive(Clone, Debug, PartialEq)]
pub enum PieceState {
    /// Not claimed yet.
    Free,
    /// Claimed. Only missing heartbeats show whether the worker has died.
    Taken {
        /// The worker.
        by: String,
        /// Generation of the claim, from 1.
        generation: u64,
        /// Progress at the last heartbeat.
        progress: Option<Progress>,
    },
    /// Its worker stopped before the end.
    Released,
    /// It failed, for this reason.
    Failed(String),
    /// Too many workers died on it.
    GivenUp(String),
    /// It has a result.
    Done,
}

impl Sweep {
    /// Creates a sweep in a folder, or joins the sweep that is there.
    ///
    /// # Errors
    /// The folder cannot be created or written, or has a different sweep.
    pub fn begin(folder: &Path, plan: SweepPlan) -> Result<Sweep, SweepError> {
        for name in FOLDERS {
            let path = folder.join(name);
            fs::create_dir_all(&path).map_err(failed(&path, "make the folder"))?;
        }
        let path = folder.join(PLAN_FILE);
        if !path.exists() && write_once(&path, &plan)? {
            return Ok(Sweep::new(folder, plan));
        }
        let sweep = Sweep::open(folder)?;
        match sweep.plan.first_difference(&plan) {
            Some(what) => Err(SweepError::Different { path: folder.to_owned(), what }),
            None => Ok(sweep),
        }
    }

    /// Opens the sweep in a folder.
    ///
    /// # Errors
    /// The folder has no sweep.
    pub fn open(folder: &Path) -> Result<Sweep, SweepError> {
        let plan: Option<SweepPlan> = read(&folder.join(PLAN_FILE))?;
        Ok(Sweep::new(folder, plan.ok_or_else(|| SweepError::NoSweep(folder.to_owned()))?))
    }

    fn new(folder: &Path, plan: SweepPlan) -> Sweep {
        let ids = (0..plan.pieces.len()).map(|number| format!("{number:05}"));
        let ids = ids.chain(plan.last.is_some().then(|| "last".to_owned())).collect();
        Sweep { folder: folder.to_owned(), plan, ids }
    }

    /// Error for a sweep whose results are not as expected.
    pub fn damaged(&self, reason: &dyn std::fmt::Display) -> SweepError {
        SweepError::Damaged { path: self.folder.clone(), reason: reason.to_string() }
    }

    /// The plan of this sweep.
    pub fn plan(&self) -> &SweepPlan {
        &self.plan
    }

    /// A piece by number. The last piece has the greatest number.
    pub fn piece(&self, number: usize) -> Option<&Piece> {
        self.plan.pieces.get(number).or(self.plan.last.as_ref().filter(|_| number == self.plan.pieces.len()))
    }

    pub(crate) fn in_folder(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn result_path(&self, number: usize) -> PathBuf {
        self.folder.join("results").join(format!("{}.json", self.ids[number]))
    }

    /// The result of a piece, if it exists.
    ///
    /// # Errors
    /// The file cannot be read, or is not a result.
    pub fn finished(&self, number: usize) -> Result<Option<StoredResult>, SweepError> {
        read(&self.result_path(number))
    }

    /// True for each piece with a result, by number; the last piece included.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn finished_pieces(&self) -> Result<Vec<bool>, SweepError> {
        let names = names(&self.in_folder("results"))?;
        let known: HashSet<&str> = names.iter().filter_map(|name| name.strip_suffix(".json")).collect();
        Ok(self.ids.iter().map(|id| known.contains(id.as_str())).collect())
    }

    /// The greatest generation of each piece; 0 if it was never claimed.
    ///
    /// # Errors
    /// The folder cannot be read.
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

    /// State of each piece.
    ///
    /// # Errors
    /// A folder or file cannot be read.
    pub fn piece_states(&self) -> Result<Vec<PieceState>, SweepError> {
        let (finished, generations) = (self.finished_pieces()?, self.generations()?);
        let each =
            finished.into_iter().zip(generations).enumerate().map(|(number, (finished, generation))| {
                if finished {
                    return Ok(PieceState::Done);
                }
                if generation == 0 {
                    return Ok(PieceState::Free);
                }
                let Some(record) = ClaimRecord::read(&self.claim_path(number, generation)) else {
                    return Ok(PieceState::Taken {
                        by: "an unknown worker".to_owned(),
                        generation,
                        progress: None,
                    });
                };
                let why = record.why.unwrap_or_default();
                Ok(match record.state {
                    ClaimState::Released => PieceState::Released,
                    ClaimState::Failed => PieceState::Failed(why),
                    ClaimState::GivenUp => PieceState::GivenUp(why),
                    ClaimState::Working | ClaimState::Done => {
                        PieceState::Taken { by: record.by, generation, progress: record.progress }
                    }
                })
            });
        each.collect()
    }

    /// Results whose bits differ from the accepted ones.
    ///
    /// # Errors
    /// A folder or file cannot be read.
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

    pub(crate) fn claim_path(&self, number: usize, generation: u64) -> PathBuf {
        claim::path(&self.in_folder("claims"), &self.ids[number], generation)
    }

    /// Number of failures of a piece since a generation, and the last reason.
    pub(crate) fn failures(&self, number: usize, since: u64, until: u64) -> (usize, String) {
        let records = (since + 1..=until)
            .filter_map(|generation| ClaimRecord::read(&self.claim_path(number, generation)));
        let mut whys: Vec<String> = records
            .filter(|record| record.state == ClaimState::Failed)
            .map(|record| record.why.unwrap_or_default())
            .collect();
        (whys.len(), whys.pop().unwrap_or_default())
    }

    /// Number of workers in a row, up to generation `until`, that died without saving progress.
    pub(crate) fn deaths(&self, number: usize, until: u64) -> u64 {
        let records =
            (1..=until).rev().map_while(|generation| ClaimRecord::read(&self.claim_path(number, generation)));
        // A worker that released the piece neither died nor made progress.
        let died = records.filter(|record| record.state != ClaimState::Released);
        died.take_while(ClaimRecord::died_without_progress).count() as u64
    }
}
