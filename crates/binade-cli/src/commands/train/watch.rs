//! The live screen of a sweep that several processes work on: what they tell in its folder.

use std::path::Path;

use binade_sweep::{PieceState, Sweep};
use binade_train::record::{CellResult, Run, Step};

use super::screen::{self, Picture, Screen};
use crate::commands::follow::{self, LOOK, begun};
use crate::{Error, progress};

/// What has been seen of a sweep.
struct Follower<'a> {
    sweep: &'a Sweep,
    /// Whether a cell's result has been shown, and how far it was before.
    ended: Vec<bool>,
    seen: Vec<u64>,
    /// Who looks, and is not told of himself.
    us: String,
}

impl<'a> Follower<'a> {
    fn new(sweep: &'a Sweep) -> Follower<'a> {
        let count = sweep.plan().pieces.len();
        Follower { sweep, ended: vec![false; count], seen: vec![0; count], us: binade_sweep::this_process() }
    }

    /// Tells the screen what is new; whether nobody works any more.
    fn look(&mut self, screen: &Screen) -> Result<bool, Error> {
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
                    screen.tell(|picture, _| {
                        picture.taken(cell, &found.by);
                        picture.ended_elsewhere(&result);
                    });
                    self.ended[cell] = true;
                }
                PieceState::Taken { by, progress, .. } => {
                    screen.tell(|picture, _| picture.taken(cell, &by));
                    let Some(told) = progress.filter(|_| by != self.us) else { continue };
                    // Who follows may be behind who was lost.
                    let new = std::mem::replace(&mut self.seen[cell], told.done) != told.done;
                    if let (true, Ok(step)) = (new, serde_json::from_value::<Step>(told.facts)) {
                        screen.tell(|picture, now| picture.step(cell, &step, now));
                    }
                }
                PieceState::Failed(_) | PieceState::GivenUp(_) => {
                    screen.tell(|picture, _| picture.failed(cell));
                    left += 1;
                }
                PieceState::Free | PieceState::Released => screen.tell(|picture, _| picture.free(cell)),
            }
        }
        Ok(left == self.ended.iter().filter(|ended| !**ended).count())
    }
}

/// Does work while a screen shows what others do in the meantime.
pub(super) fn beside<T>(sweep: &Path, screen: Option<&Screen>, work: impl FnOnce() -> T) -> T {
    let Some(screen) = screen else { return work() };
    let look = |ended: &dyn Fn() -> bool| {
        // What cannot be read is the worker's to tell.
        let Ok(Some(sweep)) = begun(sweep, &mut || ended()) else { return };
        let mut follower = Follower::new(&sweep);
        while !ended() && follower.look(screen).is_ok() {
            std::thread::park_timeout(LOOK);
        }
    };
    follow::beside(look, work)
}

/// Shows a sweep of cells until all have ended, `ended` says so, or the user leaves. Whether there was a terminal to show it on.
pub(crate) fn watch(folder: &Path, ended: &mut dyn FnMut() -> bool) -> Result<bool, Error> {
    if !screen::wanted() {
        return Ok(false);
    }
    let found = begun(folder, ended)?;
    let Some(sweep) = found.filter(|sweep| sweep.plan().kind == "train") else { return Ok(false) };
    let run: Run =
        serde_json::from_value(sweep.plan().about.clone()).map_err(|error| sweep.damaged(&error))?;
    let Some(screen) = Screen::begin(Picture::of_sweep(run)) else { return Ok(false) };
    let mut follower = Follower::new(&sweep);
    while !follower.look(&screen)? && !progress::interrupted() && !ended() {
        std::thread::sleep(LOOK / 4);
    }
    Ok(true)
}
