//! Cutting a slice among threads.

use rayon::prelude::*;

/// Pieces begin at multiples of this many elements, so that no two threads write to one cache line or one page.
const GRAIN: usize = 4096;

/// Fewer elements a thread than this are not worth handing out.
const WORTHWHILE: usize = 32 << 10;

/// How to cut `length` elements among `threads` threads: (start, end) of each piece, in order.
pub(crate) fn cut(length: usize, threads: usize) -> Vec<(usize, usize)> {
    let pieces = threads.clamp(1, (length / WORTHWHILE).max(1));
    let size = length.div_ceil(pieces).next_multiple_of(GRAIN);
    (0..length).step_by(size.max(1)).map(|start| (start, (start + size).min(length))).collect()
}

/// Does the pieces of work, in parallel if there are several.
pub(crate) fn each<T: Send>(pieces: Vec<T>, work: impl Fn(T) + Sync + Send) {
    if pieces.len() <= 1 {
        pieces.into_iter().for_each(work);
    } else {
        pieces.into_par_iter().for_each(work);
    }
}

/// Cuts `destination` as [`cut`] does `length`, and does the pieces: `work(start, piece)`.
pub(crate) fn split<D: Send>(
    destination: &mut [D],
    threads: usize,
    work: impl Fn(usize, &mut [D]) + Sync + Send,
) {
    let mut rest = destination;
    let mut pieces = vec![];
    for (start, end) in cut(rest.len(), threads) {
        let (piece, after) = rest.split_at_mut(end - start);
        pieces.push((start, piece));
        rest = after;
    }
    each(pieces, |(start, piece)| work(start, piece));
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn pieces_cover_all_in_order() {
        for length in [0, 1, 4095, 65_536, 65_537, 1_000_003] {
            for threads in [0, 1, 2, 3, 64] {
                let pieces = cut(length, threads);
                assert!(pieces.len() <= threads.max(1));
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
