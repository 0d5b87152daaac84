//! Tile after tile of blocks that are encoded.

use std::mem::MaybeUninit;

use binade_simd::lanes::{Lanes, Leg, Words};

/// How many bytes ahead of the numbers that are read next ones are prefetched: of 2 to 20 KiB the best from memory.
const AHEAD: usize = 6 << 10;
/// Bytes of a line of the cache, which is stored at once.
const LINE: usize = 64;

/// Tiles of numbers that are encoded: what each of the three steps leaves is kept for the next ones.
pub(super) trait Tiles {
    /// What numbers are.
    type Number;
    /// Numbers of a tile.
    const NUMBERS: usize;
    /// Bytes of its elements, whole lines.
    const BYTES: usize;
    /// Parts of a tile that are read, and encoded, in turn.
    const PARTS: usize;

    /// Reads a part of a tile, before its largest magnitudes are found.
    ///
    /// # Safety
    /// The tile is one of those that there are.
    unsafe fn read(&mut self, at: usize, part: usize);

    /// Finds the largest magnitudes of a tile.
    ///
    /// # Safety
    /// All parts of this tile have been read.
    unsafe fn find(&mut self, at: usize);

    /// Finds the scales that follow; whether they are for the third step.
    ///
    /// # Safety
    /// This tile's largest magnitudes have been found.
    unsafe fn scale(&mut self, at: usize) -> bool;

    /// Encodes the elements of a part; whether all of them could be.
    ///
    /// # Safety
    /// This tile's scales have been found; a part of `BYTES` is writable at `to`.
    unsafe fn encode(&mut self, at: usize, part: usize, to: *mut u8) -> bool;
}

/// Encodes so many tiles, up to those that have scales or elements which are not for this: how many elements are done.
///
/// In steps: each reads a tile, finds the largest magnitudes of the tile before and the scales of the one before that, and
/// encodes the elements of a fourth. So none of these waits for another, and memory is read while elements are encoded.
/// `elements` go past the caches if `stream`.
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
    let mut stage = Stage { bytes: MaybeUninit::uninit(), stored: 0, after: elements.align_offset(LINE) };
    let (mut end, mut step) = (count, 0);
    'steps: while step < end + 3 {
        // SAFETY: tiles below `count`, each of which goes through the steps in turn; elements have room for that many, and the
        // stage for two.
        unsafe {
            if step >= 1 && step - 1 < end {
                tiles.find(step - 1);
            }
            if step >= 2 && step - 2 < end && !tiles.scale(step - 2) {
                end = step - 2;
            }
            let encoded = step.checked_sub(3);
            let to = encoded.map_or(std::ptr::null_mut(), |at| match stream {
                true => stage.place::<L, T>(leg, at, elements),
                false => elements.wrapping_add(at * T::BYTES),
            });
            for part in 0..T::PARTS {
                if step < end {
                    let size = T::NUMBERS / T::PARTS * size_of::<T::Number>();
                    let at = numbers.cast::<u8>().wrapping_add((step * T::PARTS + part) * size);
                    leg.prefetch(at.wrapping_add(AHEAD), size);
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
        // SAFETY: as many tiles are complete.
        unsafe { stage.finish::<L, T>(leg, end, elements) };
    }
    end * T::NUMBERS
}

/// Bytes of a tile at most.
const MOST: usize = 1024;

/// Two tiles' elements on their way past the caches. Streaming stores are of aligned lines, which tiles need not be: a tile's
/// lines begin `after` bytes later and reach into the next tile. All of a tile's are stored at once: part by part takes longer.
#[repr(align(64))]
struct Stage {
    /// Two tiles in turn, and the first line of the first one again.
    bytes: MaybeUninit<[u8; 2 * MOST + LINE]>,
    /// Tiles whose lines have been stored.
    stored: usize,
    after: usize,
}

impl Stage {
    /// Where a tile is put, once the lines of the second tile before it are stored.
    ///
    /// # Safety
    /// `elements` has room for the tiles before, which are where they were put.
    #[inline(always)]
    unsafe fn place<L: Leg, T: Tiles>(&mut self, leg: L, at: usize, elements: *mut u8) -> *mut u8 {
        const { assert!(T::BYTES <= MOST && T::BYTES.is_multiple_of(LINE)) };
        // SAFETY: the caller's promise.
        unsafe { self.store::<L, T>(leg, elements, at.saturating_sub(1)) };
        self.bytes.as_mut_ptr().cast::<u8>().wrapping_add(at % 2 * T::BYTES)
    }

    /// Stores the lines of tiles until so many have been.
    ///
    /// # Safety
    /// `elements` has room for these tiles and for the one after them, which are where they were put.
    #[inline(always)]
    unsafe fn store<L: Leg, T: Tiles>(&mut self, leg: L, elements: *mut u8, until: usize) {
        let (at, any, bytes) = (self.stored, leg.words(0), self.bytes.as_mut_ptr().cast::<u8>());
        if at >= until {
            return;
        }
        // SAFETY: what is copied is of these tiles; a vector lies within both sides, and is aligned as lines are.
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

    /// Stores what is left of so many tiles.
    ///
    /// # Safety
    /// `elements` has room for them, and they are where they were put.
    #[inline(always)]
    unsafe fn finish<L: Leg, T: Tiles>(&mut self, leg: L, end: usize, elements: *mut u8) {
        if let Some(last) = end.checked_sub(1) {
            // SAFETY: the tiles before the last one, and what is left of this.
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
