//! The loops: whole groups of vectors, and what is left over through a buffer.

use binade_simd::lanes::Leg;

/// Work on a group of elements of which each depends on its counterpart alone.
pub(crate) trait Strip<S, D> {
    /// Elements a group, at most [`MAX_GROUP`].
    const GROUP: usize;

    /// Reads `GROUP` elements, writes `GROUP`. `at` is the index of the first in the slices.
    ///
    /// # Safety
    /// `GROUP` readable elements at `source`, `GROUP` writable ones at `destination`, the latter aligned to
    /// [`Leg::STREAM_ALIGN`] if `STREAM`.
    unsafe fn run<const STREAM: bool>(&self, source: *const S, destination: *mut D, at: usize);
}

const MAX_GROUP: usize = 128;

/// How far ahead of a streaming loop the source is asked for. Measured: 4 to 8 KiB are best, 1 to 2 KiB lose.
const PREFETCH_BYTES: usize = 8 << 10;

/// Slices of this many bytes together are worth streaming past the caches.
pub(crate) const STREAM_BYTES: usize = 4 << 20;

/// Whether conversion between slices of these should stream.
pub(crate) fn streams<S, D>(source: &[S], destination: &[D]) -> bool {
    size_of_val(source) + size_of_val(destination) >= STREAM_BYTES
}

/// Runs `strip` over two slices, the shorter of which decides. With `stream`, the destination is written past the
/// caches and the source prefetched.
#[inline(always)]
pub(crate) fn over<L: Leg, S: Copy + Default, D: Copy + Default, B: Strip<S, D>>(
    leg: L,
    strip: &B,
    source: &[S],
    destination: &mut [D],
    stream: bool,
) {
    const { assert!(B::GROUP <= MAX_GROUP) };
    // A leg without alignment has no such stores.
    let stream = stream && L::STREAM_ALIGN > 1;
    let length = source.len().min(destination.len());
    let (from, to) = (source.as_ptr(), destination.as_mut_ptr());
    // Whole groups streamed: from the first aligned element on; an alignment that cannot be reached leaves none.
    let head = if stream { to.align_offset(L::STREAM_ALIGN).min(length) } else { length };
    let mut at = head;
    while at + B::GROUP <= length {
        leg.prefetch(
            from.wrapping_add(at).cast::<u8>().wrapping_add(PREFETCH_BYTES),
            B::GROUP * size_of::<S>(),
        );
        // SAFETY: GROUP elements from `at` lie within both slices; `at` started aligned and groups keep it.
        unsafe { strip.run::<true>(from.add(at), to.add(at), at) };
        at += B::GROUP;
    }
    if stream {
        leg.fence();
    }
    // What is before and after goes in ordinary groups, and what is left of each part as a group in buffers. The one
    // inner loop is for both: kernels are large.
    let (mut sources, mut results) = ([S::default(); MAX_GROUP], [D::default(); MAX_GROUP]);
    for (start, end) in [(0, head), (at, length)] {
        let rest = (end - start) % B::GROUP;
        let whole = end - rest;
        sources[..rest].copy_from_slice(&source[whole..end]);
        let mut at = start;
        // Element `at` is at `from + at` and `to + at`, in the slices and then in the buffers.
        let (mut from, mut to, mut stop) = (from, to, whole);
        loop {
            while at < stop {
                // SAFETY: a group lies within both slices before `whole`, and in the buffers, which have MAX_GROUP.
                unsafe { strip.run::<false>(from.wrapping_add(at), to.wrapping_add(at), at) };
                at += B::GROUP;
            }
            if at >= end {
                break;
            }
            (from, to, stop) =
                (sources.as_ptr().wrapping_sub(at), results.as_mut_ptr().wrapping_sub(at), end);
        }
        destination[whole..end].copy_from_slice(&results[..rest]);
    }
}
