//! Processes the chunks of a tensor on several threads, with progress reports.

use std::ops::Range;

use binade_files::Tensor;
use binade_simd::threads::{BufferPool, try_map};

use crate::Error;

/// Elements of a chunk: a multiple of 8, so that chunks of any element width begin at a byte.
pub(crate) const CHUNK: u64 = 1 << 16;

/// Receives progress reports, from any thread.
pub trait Progress: Sync {
    /// Total number of bytes to read. Called again when another pass begins.
    fn total(&self, bytes: u64);
    /// This many more bytes of the tensor were read.
    fn advance(&self, bytes: u64, tensor: &str);
    /// Returns true if the work must stop. Called before each chunk.
    fn cancelled(&self) -> bool {
        false
    }
}

/// A [`Progress`] that ignores all reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn total(&self, _: u64) {}
    fn advance(&self, _: u64, _: &str) {}
}

/// Runs `work` on this many threads; `None` for all of the machine.
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

/// Calls `each` with the first element and the number of elements of every chunk in a range, on all threads. Chunks are
/// aligned to multiples of their size. Results are in the order of the chunks, so sums over them do not depend on the
/// threads. Scratch buffers are reused from chunk to chunk.
pub(crate) fn over_chunks<R: Default + Send, T: Send>(
    tensor: &Tensor,
    elements: u64,
    range: Range<u64>,
    progress: &dyn Progress,
    each: impl Fn(&mut R, u64, u64) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    let bytes_up_to =
        |element: u64| (tensor.byte_len() as u128 * element as u128 / elements.max(1) as u128) as u64;
    let buffers = BufferPool::new();
    let (start, end) = (range.start.div_ceil(CHUNK), range.end.min(elements).div_ceil(CHUNK));
    try_map(end.saturating_sub(start) as usize, |chunk| {
        if progress.cancelled() {
            return Err(Error::Cancelled);
        }
        let first = (start + chunk as u64) * CHUNK;
        let end = (first + CHUNK).min(elements);
        let result = buffers.with(R::default, |buffer| each(buffer, first, end - first))?;
        progress.advance(bytes_up_to(end) - bytes_up_to(first), tensor.name());
        Ok(result)
    })
}
