//! Cutting a slice among threads.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

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
    let thread = || {
        while let Some((start, piece)) = next() {
            work(start, piece);
        }
    };
    match threads {
        1 => thread(),
        _ => (0..threads).into_par_iter().with_max_len(1).for_each(|_| thread()),
    }
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
