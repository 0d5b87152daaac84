//! The pipeline over tiles of blocks that encoders share: read, find maxima, find scales, encode.

use std::mem::MaybeUninit;

use binade_simd::lanes::{Lanes, Leg, Words};

/// Prefetch distance in bytes; the fastest from memory, of 2 to 20 KiB.
const PREFETCH_DISTANCE: usize = 6 << 10;
/// Bytes in a cache line, which is stored at once.
const LINE: usize = 64;

/// Tiles of numbers to encode. Each step stores its results for the next one.
pub(super) trait Tiles {
    /// The type of the numbers.
    type Number;
    /// Numbers in a tile.
    const NUMBERS: usize;
    /// Bytes of a tile's elements, a whole number of cache lines.
    const BYTES: usize;
    /// Parts of a tile that are read, and encoded, in turn.
    const PARTS: usize;

    /// Reads a part of a tile, before its largest magnitudes are found.
    ///
    /// # Safety
    /// `at` is the number of an existing tile.
    unsafe fn read(&mut self, at: usize, part: usize);

    /// Finds the largest magnitudes of a tile.
    ///
    /// # Safety
    /// All parts of this tile have been read.
    unsafe fn find(&mut self, at: usize);

    /// Finds the scales of a tile. Returns false if the encoding step cannot use them.
    ///
    /// # Safety
    /// This tile's largest magnitudes have been found.
    unsafe fn scale(&mut self, at: usize) -> bool;

    /// Encodes the elements of a part. Returns false if some could not be encoded.
    ///
    /// # Safety
    /// This tile's scales have been found; the bytes of a part are writable at `to`.
    unsafe fn encode(&mut self, at: usize, part: usize, to: *mut u8) -> bool;
}

/// Encodes `count` tiles, or up to the first tile that a step rejects. Returns the number of elements encoded.
///
/// The steps are pipelined. Each iteration reads a tile, finds the largest magnitudes of the tile before, and the
/// scales of the one before that, and encodes the elements of a fourth. So none of these waits for another, and memory
/// is read while elements are encoded. Stores of `elements` bypass the caches if `stream`.
#[inline(always)]
pub(super) fn walk<L: Leg, T: Tiles>(
    leg: L,
    tiles: &mut T,
    numbers: *const T::Number,
    count: usize,
    elements: &mut [u8],
    stream: bool,
) -> usize {
    let (count, elements) = (count.min(elements.len() / T::BYTES), elements.as_mut_ptr());
    let mut buffer =
        StreamBuffer { bytes: MaybeUninit::uninit(), stored: 0, after: elements.align_offset(LINE) };
    let (mut end, mut step) = (count, 0);
    'steps: while step < end + 3 {
        // SAFETY: the tiles are below `count`, and each passes the steps in order; `elements` has space for `count`
        // tiles, and the stage for two.
        unsafe {
            if step >= 1 && step - 1 < end {
                tiles.find(step - 1);
            }
            if step >= 2 && step - 2 < end && !tiles.scale(step - 2) {
                end = step - 2;
            }
            let encoded = step.checked_sub(3);
            let to = encoded.map_or(std::ptr::null_mut(), |at| match stream {
                true => buffer.place::<L, T>(leg, at, elements),
                false => elements.wrapping_add(at * T::BYTES),
            });
            for part in 0..T::PARTS {
                if step < end {
                    let size = T::NUMBERS / T::PARTS * size_of::<T::Number>();
                    let at = numbers.cast::<u8>().wrapping_add((step * T::PARTS + part) * size);
                    leg.prefetch(at.wrapping_add(PREFETCH_DISTANCE), size);
                    tiles.read(step, part);
                }
                if let Some(at) = encoded
                    && !tiles.encode(at, part, to.wrapping_add(part * (T::BYTES / T::PARTS)))
                {
                    end = at;
                    break 'steps;
                }
            }
        }
        step += 1;
    }
    if stream {
        // SAFETY: `end` tiles are complete.
        unsafe { buffer.finish::<L, T>(leg, end, elements) };
    }
    end * T::NUMBERS
}

/// Maximum number of bytes of a tile.
const MAX_TILE_BYTES: usize = 1024;

/// A buffer for the elements of two tiles before they are streamed to memory. Streaming stores are of aligned lines,
/// but tiles need not be aligned. So a tile's lines begin `after` bytes later and reach into the next tile. All lines
/// of a tile are stored at once, which is faster than part by part.
#[repr(align(64))]
struct StreamBuffer {
    /// Two tiles in turn, and the first line of the first one again.
    bytes: MaybeUninit<[u8; 2 * MAX_TILE_BYTES + LINE]>,
    /// Tiles whose lines have been stored.
    stored: usize,
    after: usize,
}

impl StreamBuffer {
    /// The address for a tile, after the lines of the second tile before it have been stored.
    ///
    /// # Safety
    /// `elements` has space for the tiles before, which are at their places in the buffer.
    #[inline(always)]
    unsafe fn place<L: Leg, T: Tiles>(&mut self, leg: L, at: usize, elements: *mut u8) -> *mut u8 {
        const { assert!(T::BYTES <= MAX_TILE_BYTES && T::BYTES.is_multiple_of(LINE)) };
        // SAFETY: the caller guarantees the space and the tiles.
        unsafe { self.store::<L, T>(leg, elements, at.saturating_sub(1)) };
        self.bytes.as_mut_ptr().cast::<u8>().wrapping_add(at % 2 * T::BYTES)
    }

    /// Stores the lines of tiles up to tile `until`.
    ///
    /// # Safety
    /// `elements` has space for these tiles and for the one after them, which are at their places in the buffer.
    #[inline(always)]
    unsafe fn store<L: Leg, T: Tiles>(&mut self, leg: L, elements: *mut u8, until: usize) {
        let (at, any, bytes) = (self.stored, leg.words(0), self.bytes.as_mut_ptr().cast::<u8>());
        if at >= until {
            return;
        }
        // SAFETY: the copied bytes belong to these tiles; a vector is within both sides, and aligned as lines are.
        unsafe {
            if at == 0 {
                elements.copy_from_nonoverlapping(bytes, self.after);
            }
            if at % 2 == 1 {
                bytes.add(2 * T::BYTES).copy_from_nonoverlapping(bytes, LINE);
            }
            let from = bytes.add(at % 2 * T::BYTES + self.after);
            let to = elements.add(at * T::BYTES + self.after);
            for line in (0..T::BYTES).step_by(4 * L::Words::COUNT) {
                any.load_u32(from.add(line).cast()).store::<true>(to.add(line).cast());
            }
        }
        self.stored = at + 1;
    }

    /// Stores the rest of the first `end` tiles.
    ///
    /// # Safety
    /// `elements` has space for the tiles, which are at their places in the buffer.
    #[inline(always)]
    unsafe fn finish<L: Leg, T: Tiles>(&mut self, leg: L, end: usize, elements: *mut u8) {
        if let Some(last) = end.checked_sub(1) {
            // SAFETY: the tiles before the last are complete, and the rest belongs to the last.
            unsafe {
                self.store::<L, T>(leg, elements, last);
                let first = if last == 0 { 0 } else { self.after };
                let from = self.bytes.as_ptr().cast::<u8>().add(last % 2 * T::BYTES + first);
                elements.add(last * T::BYTES + first).copy_from_nonoverlapping(from, T::BYTES - first);
            }
        }
        leg.fence();
    }
}
