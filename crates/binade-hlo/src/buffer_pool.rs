//! Memory of tensors: large ones have it from the allocator, not filled; small ones, down to what allocators keep themselves
//! without looking long, from what each thread keeps of those that are gone, a few of each size, as small programs spend
//! more time on memory than on numbers otherwise.
//!
//! Elements that come out of here are any that were once in it, so only those who write all of them before they read may
//! ask.

use std::cell::RefCell;
use std::sync::Arc;

use binade_stablehlo::storage::{StorageKind, Stored};
use binade_stablehlo::{Data, ElementType, each_storage, map_storage};

/// Bytes of the largest buffer that a thread keeps.
pub(crate) const MOST: usize = 64 << 10;

/// Bytes of the smallest buffer that a thread keeps: below, allocators do so themselves.
const LEAST: usize = 1 << 10;

/// Buffers of each type, and of between a power of two of bytes and the next, that a thread keeps.
const EACH: usize = 16;

/// Small buffers of a thread.
struct ThreadCache {
    /// By type and by the power of two that their room reaches.
    buffers: [[Vec<Data>; POWERS]; StorageKind::COUNT],
}

/// From [`LEAST`] to [`MOST`].
const POWERS: usize = (MOST / LEAST).ilog2() as usize + 1;

impl ThreadCache {
    const fn new() -> ThreadCache {
        ThreadCache { buffers: [const { [const { Vec::new() }; POWERS] }; StorageKind::COUNT] }
    }

    /// A buffer that has room for so many elements, but not for twice as many; a new one has room for just these.
    fn take<T: Stored>(&mut self, length: usize) -> Vec<T> {
        let alike = &mut self.buffers[StorageKind::of_data(&T::wrap(vec![])) as usize]
            [power(length * size_of::<T>())];
        let fits = |data: &Data| T::within(data).is_some_and(|all| all.capacity() >= length);
        let kept = alike.iter().rposition(fits).and_then(|at| T::unwrap(alike.swap_remove(at)));
        kept.unwrap_or_else(|| Vec::with_capacity(length))
    }

    fn give(&mut self, data: Data) {
        let alike = &mut self.buffers[StorageKind::of_data(&data) as usize][power(capacity_bytes(&data))];
        if alike.len() < EACH {
            alike.push(data);
        }
    }
}

/// The power of two, from [`LEAST`] on, that bytes reach.
fn power(bytes: usize) -> usize {
    (bytes / LEAST).ilog2() as usize
}

thread_local! {
    static CACHE: RefCell<ThreadCache> = const { RefCell::new(ThreadCache::new()) };
}

/// `length` elements with any values.
pub(crate) fn elements<T: Stored>(length: usize) -> Vec<T> {
    match kept::<T>(length) {
        Some(mut elements) => {
            elements.resize(length, T::default());
            elements
        }
        None => binade_heap::uninitialized(length),
    }
}

/// `length` zeros.
pub(crate) fn zeros<T: Stored>(length: usize) -> Vec<T> {
    filled(length, T::default())
}

/// `length` copies of an element.
pub(crate) fn filled<T: Stored>(length: usize, element: T) -> Vec<T> {
    match kept(length) {
        Some(mut elements) => {
            elements.clear();
            elements.resize(length, element);
            elements
        }
        None => vec![element; length],
    }
}

/// The same elements.
pub(crate) fn copy<T: Stored>(elements: &[T]) -> Vec<T> {
    match kept(elements.len()) {
        Some(mut copy) => {
            copy.clear();
            copy.extend_from_slice(elements);
            copy
        }
        None => elements.to_vec(),
    }
}

/// Elements to change: copies, if others hold them.
pub(crate) fn own(data: &mut Arc<Data>) -> &mut Data {
    if Arc::strong_count(data) > 1 {
        *data = Arc::new(map_storage!(Data => Data, &**data, elements => copy(elements)));
    }
    // Who only looks on (`Weak`) loses sight of them.
    Arc::make_mut(data)
}

/// `length` elements of a type, with any values.
pub(crate) fn data(element: &ElementType, length: usize) -> Data {
    let mut data = Data::empty(element);
    each_storage!(Data, &mut data, all => *all = elements(length));
    data
}

fn kept<T: Stored>(length: usize) -> Option<Vec<T>> {
    match length.saturating_mul(size_of::<T>()) {
        ..LEAST => None,
        LEAST..=MOST => CACHE.try_with(|cache| cache.borrow_mut().take(length)).ok(),
        _ => None,
    }
}

/// Bytes that a buffer takes.
fn capacity_bytes(data: &Data) -> usize {
    fn bytes<T>(elements: &Vec<T>) -> usize {
        elements.capacity() * size_of::<T>()
    }
    each_storage!(Data, data, elements => bytes(elements))
}

/// Takes the memory of elements that nobody else holds, if the thread keeps such.
pub(crate) fn give(data: Arc<Data>) {
    if (LEAST..=MOST).contains(&capacity_bytes(&data))
        && let Some(data) = Arc::into_inner(data)
    {
        // A thread that ends keeps nothing.
        let _ = CACHE.try_with(|cache| cache.borrow_mut().give(data));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_buffers_come_back_to_their_thread() {
        let mut cache = ThreadCache::new();
        for bytes in [LEAST, LEAST + 4, MOST / 2 + 4, MOST - 4] {
            cache.give(Data::F32(vec![7.0; bytes / 4]));
            assert!(cache.take::<f32>(bytes / 4 + 1).is_empty(), "it has no room");
            assert_eq!(cache.take::<f32>(bytes / 4), vec![7.0; bytes / 4]);
            assert!(cache.take::<f32>(bytes / 4).is_empty(), "there was one");
        }
        for _ in 0..2 * EACH {
            cache.give(Data::U16(vec![7; MOST / 2]));
        }
        assert_eq!(cache.buffers.iter().flatten().map(Vec::len).sum::<usize>(), EACH);
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
