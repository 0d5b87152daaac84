//! `--check`: what stands behind the gate of checked regions.
//!
//! Events come from the program's threads, between two of its instructions or in the middle of a region, without the lock:
//! the program's memory is read and written there, whose faults are the program's or generated code's. Each workspace of a
//! thread has a [`Checker`](binade_patch::check::Checker) of its own, since a handler may come to regions in the middle of one.

use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use binade_patch::check::{Difference, Event, Outcome};
use binade_patch::snapshot::{Snapshot, WORD};
use binade_profile::record::Counter;

use crate::lock::Guard;
use crate::record::ObjectRecord;
use crate::state::state;
use crate::threads;

/// An event, and what it is about: the word behind the call of the gate is the address of one.
#[derive(Debug)]
struct Told {
    event: Event,
    object: ObjectRecord,
    /// The function's symbol and address, if they are known.
    symbol: String,
    start: u64,
    /// Whether a difference has been told of here.
    known: AtomicBool,
}

/// The word for an event of a function of an object. It lives as long as the process, as the code does.
pub(crate) fn word(event: Event, object: ObjectRecord, symbol: &str, start: u64) -> u64 {
    let (symbol, known) = (symbol.to_owned(), AtomicBool::new(false));
    ptr::from_ref(Box::leak(Box::new(Told { event, object, symbol, start, known }))) as u64
}

/// The handler of the gate.
///
/// # Safety
/// Called by the gate from code whose words are those of [`word`].
pub(crate) unsafe extern "C" fn handle(snapshot: *mut Snapshot, _context: *const c_void) {
    // SAFETY: by the contract; what is behind the call is within the code.
    let (now, told) = unsafe {
        let now = &mut *snapshot;
        let told = (now.target as *const *const Told).read_unaligned();
        (now, &*told)
    };
    now.target += WORD;
    // SAFETY: this thread's own, and events come one at a time in a workspace.
    let outcome = unsafe { (*threads::checker()).step(now, &told.event) };
    match outcome {
        Outcome::Going => {}
        Outcome::Same => told.object.count(Counter::Compared, 1),
        Outcome::TooMany => {
            if !told.known.swap(true, Ordering::Relaxed) {
                let _guard = Guard::take();
                // SAFETY: the lock is held.
                if let Some(state) = unsafe { state() } {
                    state.record.note(
                        "a loop stores too often to be checked in one piece: single instructions computed it",
                    );
                }
            }
        }
        Outcome::Differs(difference) => report(told, &difference),
    }
}

/// Records a difference, the first at each way out of a region.
fn report(told: &Told, difference: &Difference) {
    let first = !told.known.swap(true, Ordering::Relaxed);
    let _guard = Guard::take();
    // SAFETY: the lock is held.
    if let (true, Some(state)) = (first, unsafe { state() }) {
        let offset = difference.address().wrapping_sub(told.start);
        let place = match told.symbol.as_str() {
            "" => format!("at {:#x}", difference.address()),
            symbol => format!("{symbol}+{offset:#x}"),
        };
        state.record.difference(told.object, &format!("{place}: {difference}"));
    }
}
