//! A sweep that several processes work on, as its folder tells of it: a bar, and what waits for it.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;
use std::time::{Duration, Instant};

use binade_sweep::{PLAN_FILE, PieceState, Progress, Sweep};

use crate::Error;
use crate::error::printable;
use crate::progress::PiecesBar;

/// How often a folder is looked at.
pub(crate) const LOOK: Duration = Duration::from_millis(1000);

/// The sweep in a folder, once it is there; none if it is not waited for any more.
pub(crate) fn begun(folder: &Path, ended: &mut dyn FnMut() -> bool) -> Result<Option<Sweep>, Error> {
    while !folder.join(PLAN_FILE).exists() {
        if ended() {
            return Ok(None);
        }
        std::thread::sleep(LOOK / 20);
    }
    Ok(Some(Sweep::open(folder)?))
}

/// Does work while `look` looks on, again and again, until it need not any more; it is asked whether the work has ended.
pub(crate) fn beside<T>(look: impl FnOnce(&dyn Fn() -> bool) + Send, work: impl FnOnce() -> T) -> T {
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let ended = &ended;
        let follower = scope.spawn(move || look(&|| ended.load(Ordering::Relaxed)));
        // Even if the work panics: the scope waits for the thread.
        let _end = End(ended, follower.thread());
        work()
    })
}

/// Does work under a bar of the pieces of the sweep in a folder, where standard error is a terminal.
pub(crate) fn under_a_bar<T>(folder: &Path, work: impl FnOnce() -> T) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    let look = |ended: &dyn Fn() -> bool| {
        // What cannot be read is the worker's to tell.
        if let Ok(Some(sweep)) = begun(folder, &mut || ended()) {
            let _ = Follower::new(&sweep).follow(ended);
        }
    };
    beside(look, work)
}

struct End<'a>(&'a AtomicBool, &'a Thread);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
        self.1.unpark();
    }
}

/// A bar of the pieces of a sweep, and what is known of them.
pub(crate) struct Follower<'a> {
    sweep: &'a Sweep,
    ended: Vec<bool>,
    bar: PiecesBar,
}

impl<'a> Follower<'a> {
    pub(crate) fn new(sweep: &'a Sweep) -> Follower<'a> {
        let count = sweep.plan().all().count();
        Follower { sweep, ended: vec![false; count], bar: PiecesBar::new(count) }
    }

    /// Shows what stands, and tells of each piece that has ended since it was looked at last, and how many have. Whether any piece is
    /// left that somebody works on, or may.
    pub(crate) fn look(
        &mut self,
        mut tell: impl FnMut(usize, usize) -> Result<(), Error>,
    ) -> Result<bool, Error> {
        let (mut working, mut at_work) = (false, vec![]);
        let mut count = self.ended.iter().filter(|ended| **ended).count();
        for (piece, standing) in self.sweep.piece_states()?.into_iter().enumerate() {
            match standing {
                PieceState::Failed(_) | PieceState::GivenUp(_) => continue,
                PieceState::Done => {
                    if !std::mem::replace(&mut self.ended[piece], true) {
                        count += 1;
                        tell(piece, count)?;
                    }
                    continue;
                }
                PieceState::Taken { progress, .. } => {
                    let share = |at: Progress| format!(" {} %", 100 * at.done.min(at.of) / at.of.max(1));
                    let title = printable(self.sweep.piece(piece).map_or("", |piece| &piece.title));
                    at_work.push(title + &progress.map_or(String::new(), share));
                }
                PieceState::Free | PieceState::Released => {}
            }
            working = true;
        }
        self.bar.show(count, at_work.join(", "));
        Ok(working)
    }

    /// Shows what stands until `ended` says that nobody asks. A folder that takes long is asked less often.
    fn follow(&mut self, ended: &dyn Fn() -> bool) -> Result<(), Error> {
        while !ended() {
            let begun = Instant::now();
            self.look(|_, _| Ok(()))?;
            std::thread::park_timeout(LOOK.max(10 * begun.elapsed()));
        }
        Ok(())
    }
}
