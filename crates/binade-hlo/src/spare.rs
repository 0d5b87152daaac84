//! Memory of large tensors that are gone, kept for those to come: the system takes longer to give fresh pages than most
//! operations take to fill them.
//!
//! What is kept is bounded: of each size as many buffers as were asked for at a time and had to be made, and no more in all
//! than [`MOST`]; old memory goes first. So a program that is evaluated again and again keeps what it takes, and does not
//! gather what it only gives. Elements that come out of it are any that were once in it, so
//! only those who write all of them before they read may ask.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use crate::storage::{Kind, Stored, each_storage};
use crate::tensor::Data;
use crate::types::ElementType;

/// Bytes of the smallest buffer that is kept: below, allocators keep memory themselves.
const LEAST: usize = 64 << 10;

/// Bytes that are kept, at most.
pub(crate) const MOST: usize = 64 << 20;

/// Buffers that nobody holds.
struct Pool {
    /// Oldest first.
    buffers: VecDeque<Data>,
    bytes: usize,
    /// How many buffers of each type and length had to be made.
    made: BTreeMap<(Kind, usize), usize>,
}

/// Sizes that are counted, at most; then counting begins anew.
const SIZES: usize = 4096;

static POOL: Mutex<Pool> = Mutex::new(Pool::new());

impl Pool {
    const fn new() -> Pool {
        Pool { buffers: VecDeque::new(), bytes: 0, made: BTreeMap::new() }
    }

    /// A buffer that has room for so many elements, but not for many more.
    fn take<T: Stored>(&mut self, length: usize) -> Option<Vec<T>> {
        let fits =
            |data: &Data| T::within(data).is_some_and(|all| (length..=2 * length).contains(&all.capacity()));
        // The newest one is likeliest to be in a cache.
        let Some(at) = self.buffers.iter().rposition(fits) else {
            if self.made.len() == SIZES {
                self.made.clear();
            }
            *self.made.entry((Kind::of_data(&T::wrap(vec![])), length)).or_default() += 1;
            return None;
        };
        let data = self.buffers.remove(at)?;
        self.bytes -= room(&data);
        T::unwrap(data)
    }

    /// Keeps a buffer if one like it may be asked for, and gives back those that it takes the place of, or it.
    fn give(&mut self, data: Data) -> Vec<Data> {
        let size = |data: &Data| (Kind::of_data(data), room(data) / Kind::of_data(data).width());
        let made = self.made.get(&size(&data)).copied().unwrap_or(0);
        if self.buffers.iter().filter(|kept| size(kept) == size(&data)).count() >= made {
            return vec![data];
        }
        let mut gone = vec![];
        self.bytes += room(&data);
        self.buffers.push_back(data);
        while self.bytes > MOST
            && let Some(oldest) = self.buffers.pop_front()
        {
            self.bytes -= room(&oldest);
            gone.push(oldest);
        }
        gone
    }
}

/// `length` elements with any values.
pub(crate) fn elements<T: Stored>(length: usize) -> Vec<T> {
    match kept::<T>(length) {
        Some(mut elements) => {
            elements.resize(length, T::default());
            elements
        }
        None => vec![T::default(); length],
    }
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

fn kept<T: Stored>(length: usize) -> Option<Vec<T>> {
    if length.saturating_mul(size_of::<T>()) < LEAST {
        return None;
    }
    POOL.lock().unwrap_or_else(PoisonError::into_inner).take(length)
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
    let gone = POOL.lock().unwrap_or_else(PoisonError::into_inner).give(data);
    // Freed now that the lock is not held.
    drop(gone);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_come_back_and_are_bounded() {
        let mut pool = Pool::new();
        assert_eq!(pool.give(Data::U16(vec![7; 50_000])).len(), 1, "nobody asked for one");
        assert!(pool.take::<u16>(50_000).is_none());
        assert!(pool.give(Data::U16(vec![7; 50_000])).is_empty());
        assert_eq!(pool.give(Data::U16(vec![7; 50_000])).len(), 1, "one had to be made");
        assert!(pool.take::<u16>(50_001).is_none(), "too small");
        assert!(pool.take::<u16>(24_999).is_none(), "too large");
        assert!(pool.take::<u32>(50_000).is_none(), "of another type");
        assert_eq!(pool.take::<u16>(49_000), Some(vec![7; 50_000]));
        assert_eq!((pool.take::<u16>(49_000), pool.bytes), (None, 0));
        let mut gone = vec![];
        for _ in 0..40 {
            assert!(pool.take::<f64>(1 << 18).is_none());
        }
        for i in 0..40 {
            gone.extend(pool.give(Data::F64(vec![i as f64; 1 << 18])));
            assert!(pool.bytes <= MOST);
        }
        // The oldest ones go.
        let first = |data: &Data| matches!(data, Data::F64(all) if all[0] < 8.0);
        assert!(gone.len() == 8 && gone.iter().all(first));
        assert_eq!(pool.bytes, pool.buffers.iter().map(room).sum::<usize>());
    }

    #[test]
    fn what_is_asked_for_is_as_long() {
        give(Arc::new(Data::F32(vec![3.0; 100_000])));
        assert_eq!(elements::<f32>(99_000).len(), 99_000);
        give(Arc::new(Data::F32(vec![3.0; 100_000])));
        assert!(zeros::<f32>(100_000) == vec![0.0; 100_000]);
        let held = Arc::new(Data::F32(vec![9.0; 100_000]));
        give(held.clone());
        assert!(matches!(&*held, Data::F32(all) if all[99_999] == 9.0));
    }
}
