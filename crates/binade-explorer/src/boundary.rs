//! The functions that the page calls, over linear memory.
//!
//! The page gets a buffer from [`binade_question`] and writes its question there as UTF-8. [`binade_answer`] replaces the question by the
//! answer, whose address [`binade_text`] returns. Numbers of a file have a second buffer. A buffer keeps its address until the function
//! that made it, or `binade_answer`, is called again.
//!
//! There are no unsafe blocks: this code dereferences no pointer. The attribute that exports a name is called unsafe since two functions
//! of one name would clash; no other code of the page has these names.
#![expect(unsafe_code, reason = "names for the page")]

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::Explorer;

/// Buffers that page and explorer share, and the explorer.
struct Shared {
    text: Vec<u8>,
    numbers: Vec<f64>,
    explorer: Explorer,
}

static SHARED: Mutex<Shared> =
    Mutex::new(Shared { text: Vec::new(), numbers: Vec::new(), explorer: Explorer::new() });

fn shared() -> MutexGuard<'static, Shared> {
    SHARED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Resizes a buffer to `count` zeros and returns its address, or null if memory is short.
fn make<T: Clone>(buffer: &mut Vec<T>, count: usize, zero: T) -> *mut T {
    buffer.clear();
    if buffer.try_reserve(count).is_err() {
        return std::ptr::null_mut();
    }
    buffer.resize(count, zero);
    buffer.as_mut_ptr()
}

/// A buffer for a question of `bytes` bytes; null if memory is short.
#[unsafe(no_mangle)]
pub extern "C" fn binade_question(bytes: usize) -> *mut u8 {
    make(&mut shared().text, bytes, 0)
}

/// A buffer for `count` binary64 numbers of the next question; null if memory is short.
#[unsafe(no_mangle)]
pub extern "C" fn binade_numbers(count: usize) -> *mut f64 {
    make(&mut shared().numbers, count, 0.0)
}

/// Replaces the question by its answer, and returns the answer's length in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn binade_answer() -> usize {
    let Shared { text, numbers, explorer } = &mut *shared();
    *text = explorer.answer(&String::from_utf8_lossy(text), numbers).into_bytes();
    // Numbers belong to one question.
    numbers.clear();
    text.len()
}

/// The address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn binade_text() -> *const u8 {
    shared().text.as_ptr()
}
