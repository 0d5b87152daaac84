//! Memory of large tensors that are gone, kept for those to come: the system takes longer to give fresh pages than most
//! operations take to fill them.
//!
//! What is kept is bounded, and old memory goes first. Elements that come out of it are any that were once in it, so
//! only those who write all of them before they read may ask.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use crate::storage::{Stored, each_storage};
use crate::tensor::Data;
use crate::types::ElementType;

/// Bytes of the smallest buffer that is kept: below, allocators keep memory themselves.
const LEAST: usize = 64 << 10;

/// Bytes that are kept, at most.
pub(crate) const MOST: usize = 64 << 20;

struct Pool {
    /// Oldest first.
    buffers: VecDeque<Data>,
    bytes: usize,
}

static POOL: Mutex<Pool> = Mutex::new(Pool { buffers: VecDeque::new(), bytes: 0 });

/// `length` elements with any values.
pub(crate) fn elements<T: Stored>(length: usize) -> Vec<T> {
    if length.saturating_mul(size_of::<T>()) >= LEAST
        && let Some(mut elements) = kept::<T>(length)
    {
        elements.resize(length, T::default());
        return elements;
    }
    vec![T::default(); length]
}

/// `length` zeros.
pub(crate) fn zeros<T: Stored>(length: usize) -> Vec<T> {
    match kept::<T>(length) {
        Some(mut elements) => {
            elements.clear();
            elements.resize(length, T::default());
            elements
        }
        None => vec![T::default(); length],
    }
}

/// `length` elements of a type, with any values.
pub(crate) fn data(element: &ElementType, length: usize) -> Data {
    let mut data = Data::empty(element);
    each_storage!(Data, &mut data, all => *all = elements(length));
    data
}

/// A buffer that has room for so many elements, but not for many more.
fn kept<T: Stored>(length: usize) -> Option<Vec<T>> {
    if length.saturating_mul(size_of::<T>()) < LEAST {
        return None;
    }
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    let fits =
        |data: &Data| T::within(data).is_some_and(|all| (length..=2 * length).contains(&all.capacity()));
    // The newest one is likeliest to be in a cache.
    let at = pool.buffers.iter().rposition(fits)?;
    let data = pool.buffers.remove(at)?;
    pool.bytes -= room(&data);
    T::unwrap(data)
}

/// Bytes that a buffer takes.
fn room(data: &Data) -> usize {
    fn bytes<T>(elements: &Vec<T>) -> usize {
        elements.capacity() * size_of::<T>()
    }
    each_storage!(Data, data, elements => bytes(elements))
}

/// Takes the memory of elements that nobody else holds.
pub(crate) fn give(data: Arc<Data>) {
    if !(LEAST..=MOST / 2).contains(&room(&data)) {
        return;
    }
    let Some(data) = Arc::into_inner(data) else { return };
    // What is let go is freed after the lock is.
    let mut gone = vec![];
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    pool.bytes += room(&data);
    pool.buffers.push_back(data);
    while pool.bytes > MOST
        && let Some(oldest) = pool.buffers.pop_front()
    {
        pool.bytes -= room(&oldest);
        gone.push(oldest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In one test, as tests share the pool: whatever others give and take, buffers are as long as asked for.
    #[test]
    fn buffers_come_back_and_are_bounded() {
        // An unusual length, which no other test has.
        let length = 123_457;
        give(Arc::new(Data::U16(vec![7; length])));
        let again: Vec<u16> = elements(length - 1000);
        assert_eq!(again.len(), length - 1000);
        assert!(again.capacity() >= length && again.iter().all(|&x| x == 7));
        give(Arc::new(Data::U16(again)));
        assert!(zeros::<u16>(length).iter().all(|&x| x == 0));
        // Nobody else's.
        let held = Arc::new(Data::U16(vec![9; length]));
        give(held.clone());
        assert!(matches!(&*held, Data::U16(all) if all[0] == 9));
        assert!(elements::<u16>(length).iter().all(|&x| x == 0));
        for _ in 0..40 {
            give(Arc::new(Data::F64(vec![1.0; 1 << 18])));
        }
        let pool = POOL.lock().unwrap();
        assert!(pool.bytes <= MOST);
        assert_eq!(pool.bytes, pool.buffers.iter().map(room).sum::<usize>());
    }
}
