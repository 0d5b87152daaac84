//! Work for several threads, and cutting a slice among them.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::{Scope, ThreadPool, ThreadPoolBuilder};

/// Pieces begin at multiples of this many elements, so that no two threads write to one cache line or one page.
const GRAIN: usize = 4096;

/// Fewer elements than this are not worth handing out.
const WORTHWHILE: usize = 32 << 10;

/// Pieces a thread: what a thread that loses its processor for a while leaves undone, the others take.
const SHARES: usize = 8;

/// How to cut `length` elements among `threads` threads: (start, end) of each piece, in order.
fn cut(length: usize, threads: usize) -> Vec<(usize, usize)> {
    let most = if threads > 1 { threads.saturating_mul(SHARES) } else { 1 };
    let pieces = most.min(length / WORTHWHILE).max(1);
    let size = length.div_ceil(pieces).next_multiple_of(GRAIN);
    (0..length).step_by(size.max(1)).map(|start| (start, (start + size).min(length))).collect()
}

/// Cuts `destination` among at most `threads` threads, and does the pieces: `work(start, piece)`.
pub fn split<D: Send>(destination: &mut [D], threads: usize, work: impl Fn(usize, &mut [D]) + Sync + Send) {
    if threads <= 1 || destination.len() < 2 * WORTHWHILE {
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
    each(vec![(); threads], |()| {
        while let Some((start, piece)) = next() {
            work(start, piece);
        }
    });
}

/// Does jobs on the threads that there are, the first one on this thread.
pub fn each<T: Send>(jobs: Vec<T>, work: impl Fn(T) + Sync) {
    let (mut jobs, work) = (jobs.into_iter(), &work);
    let Some(first) = jobs.next() else { return };
    if jobs.len() == 0 {
        return work(first);
    }
    let of_child = match rayon::current_thread_index() {
        // One of a pool's threads, which share it.
        Some(_) => None,
        None => of_child(process()),
    };
    fn all<'s, T: Send + 's>(
        jobs: impl Iterator<Item = T>,
        first: T,
        work: &'s (impl Fn(T) + Sync),
    ) -> impl FnOnce(&Scope<'s>) {
        move |scope| {
            jobs.for_each(|job| scope.spawn(move |_| work(job)));
            work(first);
        }
    }
    match of_child {
        None => rayon::in_place_scope(all(jobs, first, work)),
        Some(Some(pool)) => pool.in_place_scope(all(jobs, first, work)),
        Some(None) => std::iter::once(first).chain(jobs).for_each(work),
    }
}

/// This process's number, where there are processes that fork.
pub fn process() -> u32 {
    if cfg!(unix) { std::process::id() } else { 1 }
}

/// The threads of a process that was forked from the one that has rayon's: a child has none of them, and would wait for them
/// without end. None of its own if the system refuses them.
fn of_child(process: u32) -> Option<Option<Arc<ThreadPool>>> {
    /// The process that has rayon's threads: the first one that asked.
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
    // Threads of a process between are not here either, and nobody may wait for them.
    std::mem::forget(child.replace((process, pool.clone())));
    Some(Some(pool))
}

#[cfg(test)]
mod tests {
    use super::{SHARES, cut};

    #[test]
    fn pieces_cover_all_in_order() {
        for length in [0, 1, 4095, 65_536, 65_537, 1_000_003] {
            for threads in [0, 1, 2, 3, 64] {
                let pieces = cut(length, threads);
                assert!(pieces.len() <= (threads * SHARES).max(1) && (threads > 1 || pieces.len() <= 1));
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
