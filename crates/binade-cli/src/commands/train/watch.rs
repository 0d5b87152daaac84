//! Updates the live screen with cells that other processes train, by polling the folder of the sweep.

use std::path::Path;

use binade_sweep::{PieceState, Sweep};
use binade_train::record::{CellResult, Run, Step};

use super::screen::{self, Screen, TrainingState};
use crate::commands::follow::{self, POLL_INTERVAL, wait_until_begun};
use crate::{Error, progress};

/// Follows the cells of a sweep.
struct CellFollower<'a> {
    sweep: &'a Sweep,
    /// For each cell, true if its result has been shown.
    ended: Vec<bool>,
    /// For each cell, the number of steps last shown.
    seen: Vec<u64>,
    /// The name of this process, whose own cells are shown without polling.
    us: String,
}

impl<'a> CellFollower<'a> {
    fn new(sweep: &'a Sweep) -> CellFollower<'a> {
        let count = sweep.plan().pieces.len();
        CellFollower {
            sweep,
            ended: vec![false; count],
            seen: vec![0; count],
            us: binade_sweep::this_process(),
        }
    }

    /// Shows changes on the screen. Returns true if no process works on a cell any more.
    fn update(&mut self, screen: &Screen) -> Result<bool, Error> {
        let mut left = 0;
        for (cell, standing) in self.sweep.piece_states()?.into_iter().enumerate().take(self.ended.len()) {
            if self.ended[cell] {
                continue;
            }
            match standing {
                PieceState::Done => {
                    let Some(found) = self.sweep.finished(cell)? else { continue };
                    let result: CellResult =
                        serde_json::from_value(found.result).map_err(|error| self.sweep.damaged(&error))?;
                    screen.tell(|training, _| {
                        training.taken(cell, &found.by);
                        training.ended_elsewhere(&result);
                    });
                    self.ended[cell] = true;
                }
                PieceState::Taken { by, progress, .. } => {
                    screen.tell(|training, _| training.taken(cell, &by));
                    let Some(told) = progress.filter(|_| by != self.us) else { continue };
                    // After a process is lost, its successor may be behind it.
                    let new = std::mem::replace(&mut self.seen[cell], told.done) != told.done;
                    if let (true, Ok(step)) = (new, serde_json::from_value::<Step>(told.facts)) {
                        screen.tell(|training, now| training.step(cell, &step, now));
                    }
                }
                PieceState::Failed(_) | PieceState::GivenUp(_) => {
                    screen.tell(|training, _| training.failed(cell));
                    left += 1;
                }
                PieceState::Free | PieceState::Released => screen.tell(|training, _| training.free(cell)),
            }
        }
        Ok(left == self.ended.iter().filter(|ended| !**ended).count())
    }
}

/// Does work while a screen shows the cells of other processes.
pub(super) fn with_screen<T>(sweep: &Path, screen: Option<&Screen>, work: impl FnOnce() -> T) -> T {
    let Some(screen) = screen else { return work() };
    let follow = |ended: &dyn Fn() -> bool| {
        // The worker reports a sweep that cannot be read.
        let Ok(Some(sweep)) = wait_until_begun(sweep, &mut || ended()) else { return };
        let mut follower = CellFollower::new(&sweep);
        while !ended() && follower.update(screen).is_ok() {
            std::thread::park_timeout(POLL_INTERVAL);
        }
    };
    follow::with_follower(follow, work)
}

/// Shows a sweep of cells until all have ended, `ended` returns true, or the user leaves. Returns false without a terminal.
pub(crate) fn watch(folder: &Path, ended: &mut dyn FnMut() -> bool) -> Result<bool, Error> {
    if !screen::wanted() {
        return Ok(false);
    }
    let found = wait_until_begun(folder, ended)?;
    let Some(sweep) = found.filter(|sweep| sweep.plan().kind == "train") else { return Ok(false) };
    let run: Run =
        serde_json::from_value(sweep.plan().about.clone()).map_err(|error| sweep.damaged(&error))?;
    let Some(screen) = Screen::begin(TrainingState::of_sweep(run)) else { return Ok(false) };
    let mut follower = CellFollower::new(&sweep);
    while !follower.update(&screen)? && !progress::interrupted() && !ended() {
        std::thread::sleep(POLL_INTERVAL / 4);
    }
    Ok(true)
}
