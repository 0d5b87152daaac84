//! Handler for `--check` events of checked regions.
//!
//! Events come from the program's threads, between two of its instructions or in the middle of a region, without the lock:
//! the program's memory is read and written there, whose faults are the program's or generated code's. Each workspace of a
//! thread has a [`Checker`](binade_patch::check::Checker) of its own, since a handler may come to regions in the middle of one.

use std::ffi::c_void;
use std::sync::atomic::Ordering;

use binade_patch::check::{Difference, Outcome};
use binade_patch::snapshot::{Snapshot, WORD};
use binade_profile::record::Counter;

use crate::check_point::CheckPoint;
use crate::lock::Guard;
use crate::state::state;
use crate::threads;

/// The handler of the gate.
///
/// # Safety
/// Called by the gate from code whose words are those of [`word`](crate::check_point::word).
pub(crate) unsafe extern "C" fn handle(snapshot: *mut Snapshot, _context: *const c_void) {
    // SAFETY: the gate gives its own frame; the word behind the call is the address of a point that is never freed.
    let (now, point) = unsafe {
        let now = &mut *snapshot;
        let point = (now.target as *const *const CheckPoint).read_unaligned();
        (now, &*point)
    };
    now.target += WORD;
    // SAFETY: this thread's own, and events come one at a time in a workspace.
    let outcome = unsafe { (*threads::checker()).step(now, &point.event) };
    match outcome {
        Outcome::Going => {}
        Outcome::Same => point.object.count(Counter::Compared, 1),
        Outcome::TooMany => {
            if !point.reported.swap(true, Ordering::Relaxed) {
                let _guard = Guard::take();
                // SAFETY: the lock is held.
                if let Some(state) = unsafe { state() } {
                    state.record.note(
                        "a loop stores too often to be checked in one piece: single instructions computed it",
                    );
                }
            }
        }
        Outcome::Differs(difference) => report(point, &difference),
    }
}

/// Records a difference, the first at each way out of a region.
fn report(point: &CheckPoint, difference: &Difference) {
    let first = !point.reported.swap(true, Ordering::Relaxed);
    let _guard = Guard::take();
    // SAFETY: the lock is held.
    if let (true, Some(state)) = (first, unsafe { state() }) {
        let offset = difference.address().wrapping_sub(point.start);
        let place = match point.symbol.as_str() {
            "" => format!("at {:#x}", difference.address()),
            symbol => format!("{symbol}+{offset:#x}"),
        };
        let address = point.base.map_or(0, |base| difference.address().wrapping_sub(base));
        state.record.difference(point.object, address, &format!("{place}: {difference}"));
    }
}
