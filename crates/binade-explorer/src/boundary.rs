//! The functions that the page calls, over linear memory.
//!
//! The page asks for room for its question and writes the question there as UTF-8; [`binade_answer`] puts the answer in its
//! place, from the same address on that [`binade_text`] gives. Numbers of a file are written to a room of their own. Each
//! room stays where it is until the function that made it, or `binade_answer`, is called again.
//!
//! There are no unsafe blocks: pointers only leave. The attribute that keeps a function's name is called unsafe because two
//! of one name would be one; these names are this library's alone.
#![expect(unsafe_code, reason = "names for the page")]

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::Explorer;

/// What the page and the explorer hand each other.
struct Rooms {
    text: Vec<u8>,
    numbers: Vec<f64>,
    explorer: Explorer,
}

static ROOMS: Mutex<Rooms> =
    Mutex::new(Rooms { text: Vec::new(), numbers: Vec::new(), explorer: Explorer::new() });

fn rooms() -> MutexGuard<'static, Rooms> {
    ROOMS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a room of so many zeros, or says that there is no memory for it.
fn make<T: Clone>(room: &mut Vec<T>, count: usize, zero: T) -> *mut T {
    room.clear();
    if room.try_reserve(count).is_err() {
        return std::ptr::null_mut();
    }
    room.resize(count, zero);
    room.as_mut_ptr()
}

/// Room for a question of so many bytes; null if there is not so much memory.
#[unsafe(no_mangle)]
pub extern "C" fn binade_question(bytes: usize) -> *mut u8 {
    make(&mut rooms().text, bytes, 0)
}

/// Room for so many binary64 numbers, which the next question is about; null if there is not so much memory.
#[unsafe(no_mangle)]
pub extern "C" fn binade_numbers(count: usize) -> *mut f64 {
    make(&mut rooms().numbers, count, 0.0)
}

/// Puts the answer in the question's place, and returns how many bytes it has.
#[unsafe(no_mangle)]
pub extern "C" fn binade_answer() -> usize {
    let Rooms { text, numbers, explorer } = &mut *rooms();
    *text = explorer.answer(&String::from_utf8_lossy(text), numbers).into_bytes();
    // For one question only.
    numbers.clear();
    text.len()
}

/// Where the answer is.
#[unsafe(no_mangle)]
pub extern "C" fn binade_text() -> *const u8 {
    rooms().text.as_ptr()
}
