//! Memory of large tensors that are gone, kept for those to come: the system takes longer to give fresh pages than most
//! operations take to fill them.
//!
//! What is kept is bounded: of each size as many buffers as were asked for at a time and had to be made, and in all no more
//! than what is held now falls short of one and a half times the most that was in this run or the one before; but [`MOST`] in
//! any case. Old memory goes first. So a program that is evaluated again and again keeps what it takes, and does not gather what it only gives.
//! Elements that come out of it are any that were once in it, so only those who write all of them before they read may ask.
//!
//! Smaller ones, down to what allocators keep themselves without looking long, are kept by each thread, a few of each size:
//! small programs spend more time on memory than on numbers otherwise.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::storage::{Kind, Stored, each_storage, map_storage};
use crate::tensor::Data;
use crate::types::ElementType;

/// Bytes of the largest buffer that a thread keeps: greater ones are shared.
const MOST_OWN: usize = 64 << 10;

/// Bytes of the smallest buffer that a thread keeps: below, allocators do so themselves.
const LEAST: usize = 1 << 10;

/// Buffers of each type, and of between a power of two of bytes and the next, that a thread keeps.
const EACH: usize = 16;

/// Of what a run took at most, this part more is kept: buffers do not always fit, and what is let go and made again in turn
/// takes more from the system than that.
const SLACK: isize = 2;

/// Bytes that may be kept in any case.
pub(crate) const MOST: usize = 64 << 20;

/// Buffers that nobody holds.
struct Pool {
    /// Oldest first.
    buffers: VecDeque<Data>,
    bytes: usize,
    /// How many buffers of each type and length had to be made.
    made: BTreeMap<(Kind, usize), usize>,
    /// Bytes that were asked for less those that came back. What was not from here comes back as well, and what was may be
    /// freed elsewhere: only differences within a run count.
    held: isize,
    /// What it was when this run began.
    start: isize,
    /// The most that it was in this run, and what it would be if this run took as much as the one before.
    peaks: [isize; 2],
    /// Bytes that are kept at most, if they are more than [`MOST`].
    limit: usize,
}

/// Sizes that are counted, at most; then counting begins anew.
const SIZES: usize = 4096;

static POOL: Mutex<Pool> = Mutex::new(Pool::new());

impl Pool {
    const fn new() -> Pool {
        Pool {
            buffers: VecDeque::new(),
            bytes: 0,
            made: BTreeMap::new(),
            held: 0,
            start: 0,
            peaks: [0; 2],
            limit: 0,
        }
    }

    /// By how much what is held falls short of the most that was, as far as it may be kept.
    fn short(&self) -> usize {
        let most = self.peaks[0].max(self.peaks[1]);
        let short = most + (most - self.start) / SLACK - self.held;
        self.limit.min(short.max(0).unsigned_abs())
    }

    fn hold(&mut self, bytes: usize) {
        self.held += bytes.cast_signed();
        self.peaks[0] = self.peaks[0].max(self.held);
    }

    /// Lets the oldest go that may not be kept.
    fn let_go(&mut self) -> Vec<Data> {
        let mut gone = vec![];
        while self.bytes > MOST.max(self.short())
            && let Some(oldest) = self.buffers.pop_front()
        {
            self.bytes -= room(&oldest);
            gone.push(oldest);
        }
        gone
    }

    /// A buffer that has room for so many elements, but not for many more. If there is none and it has to be made, what may not be kept
    /// beside it.
    fn take<T: Stored>(&mut self, length: usize) -> Result<Vec<T>, Vec<Data>> {
        let fits =
            |data: &Data| T::within(data).is_some_and(|all| (length..=2 * length).contains(&all.capacity()));
        // The newest one is likeliest to be in a cache.
        let at = self.buffers.iter().rposition(fits);
        if let Some(data) = at.and_then(|at| self.buffers.remove(at)) {
            self.bytes -= room(&data);
            self.hold(room(&data));
            return T::unwrap(data).ok_or_else(Vec::new);
        }
        if self.made.len() == SIZES {
            self.made.clear();
        }
        *self.made.entry((Kind::of_data(&T::wrap(vec![])), length)).or_default() += 1;
        self.hold(length * size_of::<T>());
        Err(self.let_go())
    }

    /// Keeps a buffer if one like it may be asked for, and gives back those that it takes the place of, or it.
    fn give(&mut self, data: Data) -> Vec<Data> {
        let bytes = room(&data);
        self.held -= bytes.cast_signed();
        let size = |data: &Data| (Kind::of_data(data), room(data) / Kind::of_data(data).width());
        let made = self.made.get(&size(&data)).copied().unwrap_or(0);
        let alike = || self.buffers.iter().filter(|kept| size(kept) == size(&data)).count();
        if bytes > self.short().max(MOST / 2) || alike() >= made {
            return vec![data];
        }
        self.bytes += bytes;
        self.buffers.push_back(data);
        self.let_go()
    }

    /// Begins a run, for which so many bytes may be kept.
    fn begin(&mut self, limit: usize) {
        let taken = self.peaks[0] - self.start;
        self.start = self.held;
        self.peaks = [self.held, self.held + taken];
        self.limit = limit;
    }

    /// Lets go of what is not kept in any case: a program is gone.
    fn end(&mut self) -> Vec<Data> {
        self.limit = 0;
        self.let_go()
    }
}

/// Small buffers of a thread.
struct Few {
    /// By type and by the power of two that their room reaches.
    buffers: [[Vec<Data>; POWERS]; Kind::COUNT],
}

/// From [`LEAST`] to [`MOST_OWN`].
const POWERS: usize = (MOST_OWN / LEAST).ilog2() as usize + 1;

impl Few {
    const fn new() -> Few {
        Few { buffers: [const { [const { Vec::new() }; POWERS] }; Kind::COUNT] }
    }

    /// A buffer that has room for so many elements, but not for twice as many; a new one has room for just these.
    fn take<T: Stored>(&mut self, length: usize) -> Vec<T> {
        let alike =
            &mut self.buffers[Kind::of_data(&T::wrap(vec![])) as usize][power(length * size_of::<T>())];
        let fits = |data: &Data| T::within(data).is_some_and(|all| all.capacity() >= length);
        let kept = alike.iter().rposition(fits).and_then(|at| T::unwrap(alike.swap_remove(at)));
        kept.unwrap_or_else(|| Vec::with_capacity(length))
    }

    fn give(&mut self, data: Data) {
        let alike = &mut self.buffers[Kind::of_data(&data) as usize][power(room(&data))];
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
    static FEW: RefCell<Few> = const { RefCell::new(Few::new()) };
}

fn pool() -> MutexGuard<'static, Pool> {
    POOL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A run of a program begins, for which so many bytes may be kept.
pub(crate) fn begin(limit: usize) {
    pool().begin(limit);
}

/// A program is gone, and will not ask again.
pub(crate) fn end() {
    let gone = pool().end();
    // Freed now that the lock is not held.
    drop(gone);
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
        LEAST..=MOST_OWN => FEW.try_with(|few| few.borrow_mut().take(length)).ok(),
        _ => pool().take(length).ok(),
    }
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
    let bytes = room(&data);
    if bytes < LEAST {
        return;
    }
    let Some(data) = Arc::into_inner(data) else { return };
    if bytes <= MOST_OWN {
        // A thread that ends keeps nothing.
        let _ = FEW.try_with(|few| few.borrow_mut().give(data));
        return;
    }
    let gone = pool().give(data);
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
        assert!(pool.take::<u16>(50_000).is_err());
        assert!(pool.give(Data::U16(vec![7; 50_000])).is_empty());
        assert_eq!(pool.give(Data::U16(vec![7; 50_000])).len(), 1, "one had to be made");
        assert!(pool.take::<u16>(50_001).is_err(), "too small");
        assert!(pool.take::<u16>(24_999).is_err(), "too large");
        assert!(pool.take::<u32>(50_000).is_err(), "of another type");
        assert!(pool.take::<u16>(49_000).is_ok_and(|kept| kept == [7; 50_000]));
        assert!(pool.take::<u16>(49_000).is_err() && pool.bytes == 0);
        let mut gone = vec![];
        for _ in 0..40 {
            assert!(pool.take::<f64>(1 << 18).is_err());
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

    /// Buffers of 32 MiB: what has to be made in each run of a program that asks for six, of which four are held at a time.
    #[test]
    fn a_program_keeps_what_it_held_at_a_time() {
        let made = |pool: &mut Pool, held: &mut Vec<Vec<f64>>| match pool.take::<f64>(1 << 22) {
            Ok(kept) => {
                held.push(kept);
                0
            }
            Err(_) => {
                held.push(vec![1.0; 1 << 22]);
                1
            }
        };
        let mut pool = Pool::new();
        for run in 0..4 {
            pool.begin(1 << 30);
            let (mut held, mut count) = (vec![], 0);
            for _ in 0..4 {
                count += made(&mut pool, &mut held);
            }
            for _ in 0..2 {
                held.pop().map(|gone| pool.give(Data::F64(gone)));
                count += made(&mut pool, &mut held);
            }
            held.drain(..).for_each(|gone| drop(pool.give(Data::F64(gone))));
            assert_eq!((count, pool.buffers.len()), (if run == 0 { 4 } else { 0 }, 4));
        }
        // A larger one takes the place of what may not be kept beside it.
        assert_eq!(pool.take::<f64>(3 << 22).map_err(|gone| gone.len()), Err(1));
        assert_eq!(pool.end().len(), 1);
        drop(pool.give(Data::F64(vec![0.0; 3 << 22])));
        assert_eq!(pool.bytes, MOST);
        // As much as the limit says and no more.
        pool.begin(1 << 20);
        assert_eq!(pool.short(), 1 << 20);
    }

    #[test]
    fn small_buffers_come_back_to_their_thread() {
        let mut few = Few::new();
        for bytes in [LEAST, LEAST + 4, MOST_OWN / 2 + 4, MOST_OWN - 4] {
            few.give(Data::F32(vec![7.0; bytes / 4]));
            assert!(few.take::<f32>(bytes / 4 + 1).is_empty(), "it has no room");
            assert_eq!(few.take::<f32>(bytes / 4), vec![7.0; bytes / 4]);
            assert!(few.take::<f32>(bytes / 4).is_empty(), "there was one");
        }
        for _ in 0..2 * EACH {
            few.give(Data::U16(vec![7; MOST_OWN / 2]));
        }
        assert_eq!(few.buffers.iter().flatten().map(Vec::len).sum::<usize>(), EACH);
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
