//! Follows a sweep of several processes by polling its folder, and shows a bar of its pieces.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;
use std::time::{Duration, Instant};

use binade_sweep::{PLAN_FILE, PieceState, Progress, Sweep};

use crate::Error;
use crate::error::printable;
use crate::progress::PiecesBar;

/// The time between polls of a folder.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(1000);

/// Waits for the sweep in a folder; `None` if `ended` returns true first.
pub(crate) fn wait_until_begun(
    folder: &Path,
    ended: &mut dyn FnMut() -> bool,
) -> Result<Option<Sweep>, Error> {
    while !folder.join(PLAN_FILE).exists() {
        if ended() {
            return Ok(None);
        }
        std::thread::sleep(POLL_INTERVAL / 20);
    }
    Ok(Some(Sweep::open(folder)?))
}

/// Does work while `follow` runs in another thread. The argument of `follow` tells if the work has ended.
pub(crate) fn with_follower<T>(follow: impl FnOnce(&dyn Fn() -> bool) + Send, work: impl FnOnce() -> T) -> T {
    let ended = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let ended = &ended;
        let follower = scope.spawn(move || follow(&|| ended.load(Ordering::Relaxed)));
        // The scope waits for the thread, which has to end even if the work panics.
        let _end = EndOnDrop(ended, follower.thread());
        work()
    })
}

/// Does work under a bar of the pieces of a sweep, if standard error is a terminal.
pub(crate) fn with_pieces_bar<T>(folder: &Path, work: impl FnOnce() -> T) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    let follow = |ended: &dyn Fn() -> bool| {
        // The worker reports a sweep that cannot be read.
        if let Ok(Some(sweep)) = wait_until_begun(folder, &mut || ended()) {
            let _ = PiecesFollower::new(&sweep).follow(ended);
        }
    };
    with_follower(follow, work)
}

struct EndOnDrop<'a>(&'a AtomicBool, &'a Thread);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
        self.1.unpark();
    }
}

/// Follows the pieces of a sweep, and shows them on a bar.
pub(crate) struct PiecesFollower<'a> {
    sweep: &'a Sweep,
    ended: Vec<bool>,
    bar: PiecesBar,
}

impl<'a> PiecesFollower<'a> {
    pub(crate) fn new(sweep: &'a Sweep) -> PiecesFollower<'a> {
        let count = sweep.plan().all().count();
        PiecesFollower { sweep, ended: vec![false; count], bar: PiecesBar::new(count) }
    }

    /// Polls the sweep and shows its state. Calls `tell` for each piece that has ended since the last poll, with the number of ended
    /// pieces. Returns true while a process works on a piece, or may take one.
    pub(crate) fn update(
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

    /// Shows the state until `ended` returns true. A slow folder is polled less often.
    fn follow(&mut self, ended: &dyn Fn() -> bool) -> Result<(), Error> {
        while !ended() {
            let begun = Instant::now();
            self.update(|_, _| Ok(()))?;
            std::thread::park_timeout(POLL_INTERVAL.max(10 * begun.elapsed()));
        }
        Ok(())
    }
}
