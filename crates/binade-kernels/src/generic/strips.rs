//! Loops over slices in whole groups of vectors, with a buffer for the remainder.

use binade_simd::lanes::Leg;

/// A computation on a group of elements, in which each result depends only on its counterpart.
pub(crate) trait Strip<S, D> {
    /// Elements in a group, at most [`MAX_GROUP`].
    const GROUP: usize;

    /// Reads `GROUP` elements and writes `GROUP`. `at` is the index of the first in the slices.
    ///
    /// # Safety
    /// `GROUP` elements are readable at `source` and writable at `destination`, which is aligned to
    /// [`Leg::STREAM_ALIGN`] if `STREAM`.
    unsafe fn run<const STREAM: bool>(&self, source: *const S, destination: *mut D, at: usize);
}

const MAX_GROUP: usize = 128;

/// Prefetch distance of a streaming loop. Measured: 4 to 8 KiB are best, 1 to 2 KiB are slower.
const PREFETCH_BYTES: usize = 8 << 10;

/// Total size of slices from which streaming stores, which bypass the caches, are worthwhile.
pub(crate) const STREAM_BYTES: usize = 4 << 20;

/// True if a conversion between these slices should use streaming stores.
pub(crate) fn streams<S, D>(source: &[S], destination: &[D]) -> bool {
    size_of_val(source) + size_of_val(destination) >= STREAM_BYTES
}

/// Runs `strip` over two slices, up to the length of the shorter. If `stream`, stores bypass the caches and the source
/// is prefetched.
#[inline(always)]
pub(crate) fn over<L: Leg, S: Copy + Default, D: Copy + Default, B: Strip<S, D>>(
    leg: L,
    strip: &B,
    source: &[S],
    destination: &mut [D],
    stream: bool,
) {
    const { assert!(B::GROUP <= MAX_GROUP) };
    // A leg without alignment has no streaming stores.
    let stream = stream && L::STREAM_ALIGN > 1;
    let length = source.len().min(destination.len());
    let (from, to) = (source.as_ptr(), destination.as_mut_ptr());
    // Streams whole groups from the first aligned element on; if none can be aligned, there are no such groups.
    let head = if stream { to.align_offset(L::STREAM_ALIGN).min(length) } else { length };
    let mut at = head;
    while at + B::GROUP <= length {
        leg.prefetch(
            from.wrapping_add(at).cast::<u8>().wrapping_add(PREFETCH_BYTES),
            B::GROUP * size_of::<S>(),
        );
        // SAFETY: GROUP elements from `at` are within both slices; `at` starts aligned, and whole groups keep the
        // alignment.
        unsafe { strip.run::<true>(from.add(at), to.add(at), at) };
        at += B::GROUP;
    }
    if stream {
        leg.fence();
    }
    // The parts before and after are processed in ordinary groups, and the remainder of each as a group in buffers. One
    // inner loop serves both, because kernels are large.
    let (mut sources, mut results) = ([S::default(); MAX_GROUP], [D::default(); MAX_GROUP]);
    for (start, end) in [(0, head), (at, length)] {
        let rest = (end - start) % B::GROUP;
        let whole = end - rest;
        sources[..rest].copy_from_slice(&source[whole..end]);
        let mut at = start;
        // Element `at` is at `from + at` and `to + at`, first in the slices and then in the buffers.
        let (mut from, mut to, mut stop) = (from, to, whole);
        loop {
            while at < stop {
                // SAFETY: before `whole` a group is within both slices; after that, within the buffers of MAX_GROUP
                // elements.
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
