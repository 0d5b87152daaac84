//! Chunks of a tensor, worked on by several threads and told to whoever watches.

use std::ops::Range;

use binade_files::Tensor;
use binade_simd::threads::{BufferPool, try_map};

use crate::Error;

/// Elements in a chunk: a multiple of 8, so that chunks of any element width begin with a byte.
pub(crate) const CHUNK: u64 = 1 << 16;

/// Who is told how far the work is, from any of its threads.
pub trait Progress: Sync {
    /// How many bytes will be read in all; said again where another pass begins.
    fn total(&self, bytes: u64);
    /// So many more were, of this tensor.
    fn advance(&self, bytes: u64, tensor: &str);
    /// Whether to stop; asked before each chunk.
    fn cancelled(&self) -> bool {
        false
    }
}

/// A [`Progress`] that shows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn total(&self, _: u64) {}
    fn advance(&self, _: u64, _: &str) {}
}

/// Runs `work` on so many threads, or as many as the machine has.
pub(crate) fn with_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> Result<T, Error> + Send,
) -> Result<T, Error> {
    let threads = threads.unwrap_or(0);
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(work),
        Err(error) => Err(Error::Threads { threads, reason: error.to_string() }),
    }
}

/// Calls `each` with the first element and the number of elements of every chunk that begins in a range of a tensor's elements, on
/// all threads; its results come in the order of the chunks, so that sums over them do not depend on the threads. A room is handed
/// on from chunk to chunk, for the memory in it.
pub(crate) fn over_chunks<R: Default + Send, T: Send>(
    tensor: &Tensor,
    elements: u64,
    range: Range<u64>,
    progress: &dyn Progress,
    each: impl Fn(&mut R, u64, u64) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let bytes_up_to =
        |element: u64| (tensor.byte_len() as u128 * element as u128 / elements.max(1) as u128) as u64;
    let rooms = BufferPool::new();
    let (start, end) = (range.start.div_ceil(CHUNK), range.end.min(elements).div_ceil(CHUNK));
    try_map(end.saturating_sub(start) as usize, |chunk| {
        if progress.cancelled() {
            return Err(Error::Cancelled);
        }
        let first = (start + chunk as u64) * CHUNK;
        let end = (first + CHUNK).min(elements);
        let result = rooms.with(R::default, |room| each(room, first, end - first))?;
        progress.advance(bytes_up_to(end) - bytes_up_to(first), tensor.name());
        Ok(result)
    })
}
