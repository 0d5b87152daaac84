//! Divides tensors into blocks that stay in cache, and into pieces that threads share.

use binade_simd::{Environment, threads};
use binade_stablehlo::ViewMut;

use crate::error::EvalError;

/// The elements of a block: a few blocks of binary32 fit in the first-level cache, many in the second-level one.
pub(crate) const BLOCK: usize = 2048;

/// The elements that a thread processes at once, and the most that a block of intermediate values has.
const SHARED_BLOCK: usize = 4096;

/// Fewer elements than this are processed by the calling thread.
const WORTHWHILE: usize = 64 << 10;

/// Calls `work(start, part)` on the parts of `out`, in parallel if there are many elements.
pub(crate) fn in_blocks(
    out: ViewMut<'_>,
    work: impl Fn(usize, ViewMut<'_>) -> Result<(), EvalError> + Sync,
) -> Result<(), EvalError> {
    let length = out.len();
    let part = |(start, out): (usize, ViewMut<'_>)| {
        let _environment = Environment::enter();
        work(start, out)
    };
    if length < WORTHWHILE || rayon::current_num_threads() == 1 {
        return part((0, out));
    }
    let size = (length / (4 * rayon::current_num_threads())).max(SHARED_BLOCK).next_multiple_of(SHARED_BLOCK);
    let (mut parts, mut rest, mut start) = (vec![], out, 0);
    while rest.len() > size {
        let (first, others) = rest.split_at(size);
        parts.push((start, first));
        (rest, start) = (others, start + size);
    }
    parts.push((start, rest));
    threads::try_jobs(true, parts, part)
}

/// Cuts `outputs` into pieces of `size` elements. Returns for each piece its start, its length, and the part of each
/// output.
pub(crate) fn cut(
    mut outputs: Vec<ViewMut>,
    length: usize,
    size: usize,
) -> Vec<(usize, usize, Vec<ViewMut>)> {
    let mut pieces = vec![];
    for start in (0..length).step_by(size.max(1)) {
        let piece = size.min(length - start);
        let (heads, tails) = outputs.into_iter().map(|output| output.split_at(piece)).unzip();
        pieces.push((start, piece, heads));
        outputs = tails;
    }
    pieces
}
