//! Allocates tensor memory for all operations. Large buffers come uninitialised from the allocator. Small ones come from a
//! cache that each thread keeps, with a few buffers of each size, since small programs spend most of their time on allocation.
//! Buffers below the cached sizes come from the allocator, which caches such sizes too.
//!
//! Elements of a buffer have arbitrary earlier values. A caller must write all of them before it reads any.

use std::cell::RefCell;
use std::sync::Arc;

use binade_stablehlo::storage::{StorageKind, Stored};
use binade_stablehlo::{Data, ElementType, each_storage, map_storage};

/// Bytes of the largest buffer that a thread keeps.
pub(crate) const MOST: usize = 64 << 10;

/// Bytes of the smallest buffer that a thread keeps. Allocators cache smaller ones.
const LEAST: usize = 1 << 10;

/// Number of buffers that a thread keeps for each type and each power of two of bytes.
const EACH: usize = 16;

/// The cached buffers of a thread.
struct ThreadCache {
    /// By type and by the power of two of their capacity.
    buffers: [[Vec<Data>; POWERS]; StorageKind::COUNT],
}

/// One list for each power of two from [`LEAST`] to [`MOST`].
const POWERS: usize = (MOST / LEAST).ilog2() as usize + 1;

impl ThreadCache {
    const fn new() -> ThreadCache {
        ThreadCache { buffers: [const { [const { Vec::new() }; POWERS] }; StorageKind::COUNT] }
    }

    /// A buffer with capacity for `length` elements, and for less than twice as many. A new one has just that capacity.
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

/// The index of the power of two, from [`LEAST`] on, that covers a number of bytes.
fn power(bytes: usize) -> usize {
    (bytes / LEAST).ilog2() as usize
}

thread_local! {
    static CACHE: RefCell<ThreadCache> = const { RefCell::new(ThreadCache::new()) };
}

/// `length` elements with arbitrary values.
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

/// A copy of elements.
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

/// Mutable elements. They are copied if they are shared.
pub(crate) fn own(data: &mut Arc<Data>) -> &mut Data {
    if Arc::strong_count(data) > 1 {
        *data = Arc::new(map_storage!(Data => Data, &**data, elements => copy(elements)));
    }
    // Weak references (`Weak`) lose their target.
    Arc::make_mut(data)
}

/// `length` elements of a type, with arbitrary values.
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

/// The bytes of a buffer.
fn capacity_bytes(data: &Data) -> usize {
    fn bytes<T>(elements: &Vec<T>) -> usize {
        elements.capacity() * size_of::<T>()
    }
    each_storage!(Data, data, elements => bytes(elements))
}

/// Returns the memory of unshared elements to the thread's cache, if it keeps that size.
pub(crate) fn give(data: Arc<Data>) {
    if (LEAST..=MOST).contains(&capacity_bytes(&data))
        && let Some(data) = Arc::into_inner(data)
    {
        // A thread that ends has no cache any more.
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
