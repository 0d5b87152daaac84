//! Parallel loops over slices and jobs, on rayon's threads.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::iter::ParallelIterator;
use rayon::{Scope, ThreadPool, ThreadPoolBuilder};

/// Pieces start at multiples of this many elements, so that no two threads write to one cache line or one page.
const PIECE_ALIGNMENT: usize = 4096;

/// The minimum number of elements that are worth dividing among threads.
const MIN_LENGTH: usize = 32 << 10;

/// Pieces for each thread. If a thread is descheduled, other threads take its remaining pieces.
const PIECES_PER_THREAD: usize = 8;

/// Divides `length` elements among `threads` threads. Returns (start, end) of each piece, in order.
fn cut(length: usize, threads: usize) -> Vec<(usize, usize)> {
    let most = if threads > 1 { threads.saturating_mul(PIECES_PER_THREAD) } else { 1 };
    let pieces = most.min(length / MIN_LENGTH).max(1);
    let size = length.div_ceil(pieces).next_multiple_of(PIECE_ALIGNMENT);
    (0..length).step_by(size.max(1)).map(|start| (start, (start + size).min(length))).collect()
}

/// Divides `destination` among at most `threads` threads and calls `work(start, piece)` for each piece.
pub fn split<D: Send>(destination: &mut [D], threads: usize, work: impl Fn(usize, &mut [D]) + Sync + Send) {
    if threads <= 1 || destination.len() < 2 * MIN_LENGTH {
        if !destination.is_empty() {
            work(0, destination);
        }
        return;
    }
    let mut rest = destination;
    let mut pieces = vec![];
    for (start, end) in cut(rest.len(), threads) {
        let (piece, after) = rest.split_at_mut(end - start);
        pieces.push((start, piece));
        rest = after;
    }
    let threads = threads.clamp(1, pieces.len().max(1));
    let queue = Mutex::new(pieces.into_iter());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    each(true, vec![(); threads], |()| {
        while let Some((start, piece)) = next() {
            work(start, piece);
        }
    });
}

/// Runs jobs, the first one on this thread: on all threads if `shared`, otherwise in order.
pub fn each<T: Send>(shared: bool, jobs: Vec<T>, work: impl Fn(T) + Sync) {
    if !shared || jobs.len() < 2 {
        return jobs.into_iter().for_each(work);
    }
    let jobs: Vec<Mutex<Option<T>>> = jobs.into_iter().map(|job| Mutex::new(Some(job))).collect();
    spawn(jobs.len(), &|number| {
        jobs[number].lock().unwrap_or_else(PoisonError::into_inner).take().map_or((), &work)
    });
}

/// Runs jobs 0 to `count` − 1, the first one on this thread. All callers share this one function, as they share
/// [`ranges`]. rayon's own functions would be compiled again for each closure.
fn spawn(count: usize, work: &(dyn Fn(usize) + Sync)) {
    let of_child = match rayon::current_thread_index() {
        // This is a thread of a pool, which runs the jobs.
        Some(_) => None,
        None => of_child(process()),
    };
    fn all<'s>(count: usize, work: &'s (dyn Fn(usize) + Sync)) -> impl FnOnce(&Scope<'s>) {
        move |scope| {
            (1..count).for_each(|number| scope.spawn(move |_| work(number)));
            work(0);
        }
    }
    match of_child {
        None => rayon::in_place_scope(all(count, work)),
        Some(Some(pool)) => pool.in_place_scope(all(count, work)),
        Some(None) => (0..count).for_each(work),
    }
}

/// Calls `work` on ranges that cover the numbers below `count`, on the pool of this thread, or else on rayon's global
/// pool.
fn ranges(count: usize, work: &(dyn Fn(Range<usize>) + Sync)) {
    let halves = |all: Range<usize>| match all.len() {
        0 | 1 => (all, None),
        length => (all.start..all.start + length / 2, Some(all.start + length / 2..all.end)),
    };
    rayon::iter::split(0..count, halves).for_each(work);
}

/// Calls `work(number, chunk)` on the chunks of `size` elements of a slice; the last one may be shorter. Uses all
/// threads if `shared`.
pub fn chunks<T: Send>(shared: bool, slice: &mut [T], size: usize, work: impl Fn(usize, &mut [T]) + Sync) {
    /// Pointer to a slice's first element, which threads share under the conditions of the slice.
    struct First<T>(*mut T);
    // SAFETY: each thread makes slices of elements that no other thread accesses, and `T: Send` allows that.
    unsafe impl<T: Send> Sync for First<T> {}
    impl<T> First<T> {
        fn at(&self) -> *mut T {
            self.0
        }
    }

    let length = slice.len();
    if !shared || length <= size {
        return slice.chunks_mut(size).enumerate().for_each(|(number, chunk)| work(number, chunk));
    }
    let first = First(slice.as_mut_ptr());
    ranges(length.div_ceil(size), &|numbers| {
        let (start, end) = (numbers.start * size, length.min(numbers.end.saturating_mul(size)));
        // SAFETY: `numbers` are below the number of chunks, so `start..end` is within the slice. The slice is borrowed
        // until `ranges` returns, and no number is in two ranges.
        let part = unsafe { std::slice::from_raw_parts_mut(first.at().add(start), end - start) };
        numbers.zip(part.chunks_mut(size)).for_each(|(number, chunk)| work(number, chunk));
    });
}

/// Runs jobs that may fail, on all threads if `shared`.
///
/// # Errors
/// The error of the first job that fails. Some of the jobs after it do not run.
pub fn try_jobs<T: Send, E: Send>(
    shared: bool,
    jobs: Vec<T>,
    work: impl Fn(T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let mut jobs: Vec<Option<T>> = jobs.into_iter().map(Some).collect();
    try_chunks(shared, &mut jobs, 1, |_, job| job[0].take().map_or(Ok(()), &work))
}

/// [`chunks`] that may fail.
///
/// # Errors
/// The error of the first chunk that fails. Some of the chunks after it are not processed.
pub fn try_chunks<T: Send, E: Send>(
    shared: bool,
    slice: &mut [T],
    size: usize,
    work: impl Fn(usize, &mut [T]) -> Result<(), E> + Sync,
) -> Result<(), E> {
    // The number of the first chunk that has failed so far.
    let failed = AtomicUsize::new(usize::MAX);
    let error = Mutex::new(None);
    chunks(shared, slice, size, |number, chunk| {
        if number > failed.load(Ordering::Relaxed) {
            return;
        }
        if let Err(found) = work(number, chunk) {
            let mut error = error.lock().unwrap_or_else(PoisonError::into_inner);
            if number < failed.fetch_min(number, Ordering::Relaxed) {
                *error = Some(found);
            }
        }
    });
    error.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

/// The results of `work` for the numbers below `count`, in order, computed on all threads.
pub fn map<R: Send>(count: usize, work: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let mut results: Vec<Option<R>> = (0..count).map(|_| None).collect();
    chunks(true, &mut results, 1, |number, result| result[0] = Some(work(number)));
    results.into_iter().flatten().collect()
}

/// [`map`] that may fail.
///
/// # Errors
/// The error of the first number that fails. Some of the numbers after it are not processed.
pub fn try_map<R: Send, E: Send>(
    count: usize,
    work: impl Fn(usize) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let mut results: Vec<Option<R>> = (0..count).map(|_| None).collect();
    try_chunks(true, &mut results, 1, |number, result| {
        result[0] = Some(work(number)?);
        Ok(())
    })?;
    Ok(results.into_iter().flatten().collect())
}

/// A pool of buffers that pieces of work reuse.
#[derive(Debug)]
pub struct BufferPool<R>(Mutex<Vec<R>>);

impl<R> BufferPool<R> {
    /// An empty pool.
    pub const fn new() -> BufferPool<R> {
        BufferPool(Mutex::new(vec![]))
    }

    /// Calls `work` with a buffer that no other call uses: a free one, or one from `make`.
    pub fn with<T>(&self, make: impl FnOnce() -> R, work: impl FnOnce(&mut R) -> T) -> T {
        let free = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = free().pop();
        let mut room = last.unwrap_or_else(make);
        let done = work(&mut room);
        free().push(room);
        done
    }
}

impl<R> Default for BufferPool<R> {
    fn default() -> BufferPool<R> {
        BufferPool::new()
    }
}

/// The number of this process, to detect a fork.
pub fn process() -> u32 {
    if cfg!(unix) { std::process::id() } else { 1 }
}

/// The thread pool for a forked process. The child has none of the threads of rayon's global pool, and would wait for
/// them forever. Returns `None` in the process that owns the global pool, and `Some(None)` if the system cannot create
/// threads.
fn of_child(process: u32) -> Option<Option<Arc<ThreadPool>>> {
    /// The process that owns the global pool: the first one that asked.
    static PARENT: AtomicU32 = AtomicU32::new(0);
    static CHILD: Mutex<Option<(u32, Arc<ThreadPool>)>> = Mutex::new(None);
    match PARENT.compare_exchange(0, process, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => return None,
        Err(parent) if parent == process => return None,
        Err(_) => {}
    }
    let mut child = CHILD.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, pool)) = child.as_ref().filter(|(of, _)| *of == process) {
        return Some(Some(pool.clone()));
    }
    let Ok(pool) = ThreadPoolBuilder::new().build() else { return Some(None) };
    let pool = Arc::new(pool);
    // The threads of an intermediate process do not exist here either, and dropping its pool would wait for them.
    std::mem::forget(child.replace((process, pool.clone())));
    Some(Some(pool))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::{PIECES_PER_THREAD, chunks, cut, each, map, try_jobs};

    #[test]
    fn chunks_are_each_processed_once() {
        for shared in [false, true] {
            for (length, size) in [(0, 3), (1, 1), (2, 1), (7, 3), (9, 3), (1000, 7), (4099, 64), (5, 8)] {
                let mut all: Vec<(usize, usize)> = vec![(0, usize::MAX); length];
                chunks(shared, &mut all, size, |number, chunk| {
                    assert_eq!(chunk.len(), size.min(length - number * size));
                    chunk.iter_mut().enumerate().for_each(|(at, one)| *one = (one.0 + 1, number * size + at));
                });
                assert!(all.iter().enumerate().all(|(at, &one)| one == (1, at)), "{length} by {size}");
            }
        }
    }

    #[test]
    fn results_of_map_are_in_order() {
        assert_eq!(
            map(1000, |number| number.to_string()),
            (0..1000).map(|n| n.to_string()).collect::<Vec<_>>()
        );
    }

    #[test]
    fn jobs_are_each_run_once() {
        for shared in [false, true] {
            let done = Mutex::new(vec![]);
            each(shared, (0..100).collect(), |job: usize| done.lock().unwrap().push(job));
            let mut done = done.into_inner().unwrap();
            done.sort_unstable();
            assert_eq!(done, (0..100).collect::<Vec<_>>());
        }
    }

    /// The error of the lowest failing number is returned, in any order of execution.
    #[test]
    fn first_error_of_failing_jobs_is_returned() {
        for shared in [false, true] {
            // The interpreter needs a second for each repetition.
            for _ in 0..if cfg!(miri) { 1 } else { 100 } {
                let fail = |job: usize| if job % 10 == 7 { Err(job) } else { Ok(()) };
                assert_eq!(try_jobs(shared, (0..200).collect(), fail), Err(7));
                assert_eq!(try_jobs(shared, (0..7).collect(), fail), Ok(()));
            }
        }
    }

    #[test]
    fn pieces_of_a_slice_cover_it_in_order() {
        for length in [0, 1, 4095, 65_536, 65_537, 1_000_003] {
            for threads in [0, 1, 2, 3, 64] {
                let pieces = cut(length, threads);
                assert!(
                    pieces.len() <= (threads * PIECES_PER_THREAD).max(1)
                        && (threads > 1 || pieces.len() <= 1)
                );
                let mut next = 0;
                for (start, end) in pieces {
                    assert_eq!(start, next);
                    assert!(end > start && start % 4096 == 0);
                    next = end;
                }
                assert_eq!(next, length);
            }
        }
    }
}
