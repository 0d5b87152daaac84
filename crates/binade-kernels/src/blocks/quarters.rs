//! Encoding of blocks of 16 of E2M1 under scales of E4M3, in lanes of 32 bits and of bytes.
//!
//! Rounding boundaries of E2M1 are at 1/4, 3/4, 5/4, 7/4, 5/2, 7/2 and 5: at integer numbers of quarters. Let s be the
//! block's scale times the tensor's. The code of x follows from v = 4x/s, namely from ⌊|v|⌋ and from the fact that v is
//! an integer or not. Both are in an integer i. If v is an integer, i is 2v; otherwise it is the odd number between
//! twice the two integers next to v. |v| is below 63. A table has the codes by i, and ±63 represents everything beyond.
//!
//! # With rounding control in each instruction
//! Let a and b be the binary32 numbers next to 4/s above and below, or both 4/s if it is one. Then i is ⌊a · x⌋ + ⌈b ·
//! x⌉. Each term is a multiply-add that rounds once to an integer, since it adds 1.5 · 2^23. If v is an integer N, both
//! terms are N; for −N they are −N − 1 and −N + 1, or both −N.
//!
//! A number next to one with that v may get the same i. That does not matter if the tie at N rounds to the code that
//! the number has anyway. The plan checks this for the numbers next to each tie of each scale, for each kind of source.
//! It always holds without a tensor's scale. With one, there are binary32 numbers too close to a tie to distinguish,
//! about one in some hundred thousand. Their table entries have a mark ([`NEAR`]). −0 has the i of 0; if its sign must
//! be kept, zeros have a mark too.
//!
//! # Without rounding control
//! [`super::packed`] uses this method. Let u be near s/4 and r near 4/s, both within a unit in the last place. Then
//!
//! ```text
//! n = x · r rounded to a whole number by adding 1.5 · 2^23 and taking it off
//! d = x − n · s/4
//! i = 2n + sign of d
//! ```
//!
//! An FMA adds x · r before it rounds, and x · r is within 63 · 2^−23 of v. So n is v or one of its neighbours; which
//! one does not matter. The sign of d is exact:
//!
//! - Without a tensor's scale, s/4 has four bits and n has six. One multiply-add rounds d, which does not change its
//!   sign.
//! - Under a factor, s/4 has 28 bits: the sum of u, its first 24, and w ≥ 0. x − n · u is a binary32 number. If n is 0
//!   it is x itself. Otherwise it is a multiple of u's or x's unit in the last place, and at most about u/2. (Only if n
//!   is 1 and x just below u/2 may it have one bit too many; then it is far from 0.) The multiply-add with w rounds the
//!   rest.
//! - Under a divisor g, the comparison is with g · x: a product p and its error e, both in binary32. p − n · s/4 is
//!   exact for the same reason, and adding e rounds once. If e is below 2^−149 and lost, p is below 2^−100 and n is 0.
//!   Then p, or x's sign on the rounded p, decides.
//!
//! A zero d is +0 except for x = −0, where all terms are −0. As an integer −0 is below zero, so i is −1, the table
//! index of everything that becomes −0.
//!
//! # Scales
//! Scales are a monotone function of the largest magnitude. Binary32's words are divided into cells of 1/32 of a
//! binade. A cell has at most one threshold of a rule, because thresholds are more than 1/16 of their binade apart. For
//! each cell a table has that threshold and the codes of the scales on both sides, also packed in one word.

use binade::{Edition, Format, Projection, Rounding, Saturation, Value, project};
use binade_simd::HalvesKernel;
use binade_simd::lanes::{Bytes, HalvesLeg, Lanes, Words};

use super::powers::Binary16;
use super::{WHOLE, value_of, walk};

/// Elements in a block, and lanes in a vector.
pub(super) const BLOCK: usize = 16;
/// Elements that are stored at once.
const EIGHT: usize = 8 * BLOCK;
/// The shift that gives the number of a binary32 word's cell.
const CELL_SHIFT: u32 = 18;
const CELLS: usize = 1 << (31 - CELL_SHIFT);
/// Bits of a scale's code, without the sign, which is clear.
const CODE_BITS: u32 = 7;
/// The code of NaN, used as a mark: blocks with this scale are not for this kernel.
const EXCLUDED: u8 = 0x7f;
/// A mark on an element's code: the kernel cannot tell if the number is at a tie.
const NEAR: u8 = 0x40;
/// A mark on an element's code: it is zero, and its sign is unknown.
const ZERO: u8 = 0x20;
/// The ties of E2M1 in quarters, each with true if it is rounded up.
const TIES: [(u8, bool); 7] =
    [(1, false), (3, true), (5, false), (7, true), (10, false), (14, true), (20, false)];
/// Significand bits of the kinds of sources: binary32, bfloat16, binary16.
const PRECISIONS: [i32; 3] = [24, 8, 11];

/// Two scales of a cell: largest magnitudes up to `last` have the first, those above it the second.
#[derive(Clone, Copy, Debug)]
struct Cell {
    last: u32,
    codes: [u8; 2],
}

impl Cell {
    /// Packs the cell into one word, which can be gathered: the bits of `last` below the cell's, and the two codes
    /// above these.
    fn word(self) -> u32 {
        let [low, high] = self.codes.map(u32::from);
        self.last & ((1 << CELL_SHIFT) - 1) | (low | high << CODE_BITS) << CELL_SHIFT
    }
}

/// Data by scale code: the numbers next to the reciprocal above and below (twice the reciprocal itself if it is a
/// binary32 number), and a quarter of the scale in two parts.
#[derive(Clone, Debug)]
pub(super) struct ScaleData {
    pub(super) reciprocals: [f32; 256],
    sides: [[f32; 256]; 2],
    pub(super) quarters: [[f32; 256]; 2],
}

/// The tables of the kernel.
#[derive(Clone, Debug)]
pub(super) struct QuarterTables {
    cells: Box<[Cell]>,
    /// The cells as words.
    words: Box<[u32]>,
    pub(super) under: Box<ScaleData>,
    /// Codes by i modulo 128.
    pub(super) codes: [u8; 128],
    /// Codes with marks, for each kind of source.
    marked: [[u8; 128]; 3],
    pub(super) tensor: Tensor,
}

/// The kind of the tensor's scale.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Tensor {
    None,
    Factor,
    Divisor(f32),
}

impl QuarterTables {
    /// The plan for these formats; `None` if the tensor's scale violates the assumptions above. `values` has the values
    /// of the scales. Numbers are multiplied by `by` and divided by `over`. `scale` finds the scales of largest
    /// magnitudes, given as binary32 words.
    pub(super) fn new(
        elements: Format,
        edition: Edition,
        values: &[f64; 256],
        (by, over): (f64, f64),
        scale: impl Fn(&[u32]) -> Option<Vec<u8>>,
    ) -> Option<QuarterTables> {
        let tensor = match (by, over) {
            (1.0, 1.0) => Tensor::None,
            (1.0, _) => Tensor::Factor,
            _ => Tensor::Divisor(by as f32),
        };
        let mut under = Box::new(ScaleData {
            reciprocals: [0.0; 256],
            sides: [[0.0; 256]; 2],
            quarters: [[0.0; 256]; 2],
        });
        let mut near = [false; 3];
        // 0, NaN and negative numbers are not scales of blocks.
        for (code, value) in values.iter().enumerate().skip(1).take(126) {
            let quarter = value / 4.0 * over;
            let nearest = quarter as f32;
            let first = if nearest as f64 > quarter { nearest.next_down() } else { nearest };
            let second = (quarter - first as f64) as f32;
            let reciprocal = (by / quarter) as f32;
            if !first.is_normal() || !reciprocal.is_normal() || first as f64 + second as f64 != quarter {
                return None;
            }
            // `by` has 24 bits, and its product with a quarter's 28 is exact in binary64.
            let (mut above, mut below) = (reciprocal, reciprocal);
            if reciprocal as f64 * quarter != by {
                while above as f64 * quarter <= by {
                    above = above.next_up();
                }
                while below as f64 * quarter >= by {
                    below = below.next_down();
                }
            }
            if !below.is_normal() || !above.is_normal() {
                return None;
            }
            (under.sides[0][code], under.sides[1][code]) = (above, below);
            for (near, precision) in near.iter_mut().zip(PRECISIONS) {
                *near |= !separates_ties(precision, (above, below), by, quarter);
            }
            under.reciprocals[code] = reciprocal;
            (under.quarters[0][code], under.quarters[1][code]) = (first, second);
        }
        let most = |code: u8| 63.0 / 4.0 * values[code as usize] * over / by;
        let codes = codes(elements, edition);
        let marked = near.map(|near| marked(codes, near, edition));
        let cells = cells(&scale, most)?;
        let words = cells.iter().map(|cell| cell.word()).collect();
        Some(QuarterTables { cells, words, under, codes, marked, tensor })
    }

    /// Finds the scales of largest magnitudes. Returns true if all blocks can be encoded by [`QuarterTables::under`].
    pub(super) fn scale(&self, maxima: &[u32], scales: &mut [u8]) -> bool {
        let Ok(cells) = <&[Cell; CELLS]>::try_from(&*self.cells) else { return false };
        let mut all = 0;
        for (scale, &maximum) in scales.iter_mut().zip(maxima) {
            let cell = &cells[(maximum >> CELL_SHIFT) as usize & (CELLS - 1)];
            *scale = cell.codes[(maximum > cell.last) as usize];
            // Adding 1 to OUT sets the eighth bit.
            all |= *scale + 1;
        }
        all <= EXCLUDED
    }
}

/// The cells, or `None` if one has more than two scales. `scale` finds the scales, and `most` gives the magnitude that
/// numbers under a scale must not reach.
fn cells(scale: impl Fn(&[u32]) -> Option<Vec<u8>>, most: impl Fn(u8) -> f64) -> Option<Box<[Cell]>> {
    // Words in the binade of infinities and NaNs are excluded.
    let finite = (f32::INFINITY.to_bits() >> CELL_SHIFT) as usize;
    let first: Vec<u32> = (0..finite as u32).map(|cell| cell << CELL_SHIFT).collect();
    let last: Vec<u32> = first.iter().map(|first| first | ((1 << CELL_SHIFT) - 1)).collect();
    let (low, high) = (scale(&first)?, scale(&last)?);
    let two: Vec<usize> = (0..finite).filter(|&cell| low[cell] != high[cell]).collect();
    // The last word of the first scale, found bit by bit.
    let mut words: Vec<u32> = two.iter().map(|&cell| first[cell]).collect();
    for bit in (0..CELL_SHIFT).rev() {
        let tried: Vec<u32> = words.iter().map(|word| word | 1 << bit).collect();
        for (at, code) in scale(&tried)?.into_iter().enumerate() {
            if code == low[two[at]] {
                words[at] = tried[at];
            }
        }
    }
    let next: Vec<u32> = words.iter().map(|word| word + 1).collect();
    if scale(&next)?.into_iter().zip(&two).any(|(code, &cell)| code != high[cell]) {
        return None;
    }
    let mut ends = last.clone();
    two.iter().zip(words).for_each(|(&cell, word)| ends[cell] = word);
    let mut cells = vec![Cell { last: 0, codes: [EXCLUDED; 2] }; CELLS];
    for (at, to) in cells.iter_mut().enumerate().take(finite) {
        let code = |code: u8, word: u32| match (f32::from_bits(word) as f64) < most(code) {
            true => code,
            false => EXCLUDED,
        };
        *to = Cell { last: ends[at], codes: [code(low[at], ends[at]), code(high[at], last[at])] };
    }
    Some(cells.into())
}

/// The codes by i.
fn codes(elements: Format, edition: Edition) -> [u8; 128] {
    let how = Projection::new(Rounding::NearestEven, Saturation::Max);
    std::array::from_fn(|at| {
        let i = if at < 64 { at as i32 } else { at as i32 - 128 };
        // v = i / 2 quarters.
        let magnitude: Value = value_of(i.unsigned_abs() as f32 / 8.0);
        let code = project(elements, magnitude, how).code as u8;
        let signed = i < 0 && (code != 0 || edition != Edition::V4);
        code | (signed as u8) << (elements.width() - 1)
    })
}

/// True if ⌊above · x⌋ + ⌈below · x⌉ puts all numbers of `precision` bits on the right side of all ties. Ties are where
/// by · x is an integer number of quarters.
fn separates_ties(precision: i32, (above, below): (f32, f32), by: f64, quarter: f64) -> bool {
    TIES.iter().all(|&(tie, up)| {
        let (tie, place) = (tie as f64, tie as f64 * quarter);
        // Numbers of this precision around the tie, and one below the binade. Products with `by` are exact in binary64.
        let field = ((place / by).to_bits() >> 52) as i32 - 1023;
        let unit = f64::from_bits(((field - precision + 1 + 1023) as u64) << 52);
        let first = (place / by / unit).floor();
        let steps = [first - 1.0, first - 0.5, first, first + 1.0, first + 2.0];
        let mut numbers =
            steps.into_iter().filter(|steps| steps.fract() == 0.0 || first == 2f64.powi(precision - 1));
        numbers.all(|steps| {
            let x = steps * unit;
            match (x * by).total_cmp(&place) {
                std::cmp::Ordering::Less => !up || x * (above as f64) < tie,
                std::cmp::Ordering::Equal => true,
                std::cmp::Ordering::Greater => up || x * (below as f64) > tie,
            }
        })
    })
}

/// Adds marks to codes by i modulo 128: at ties that cannot be distinguished from numbers near them if `near`, and at
/// zeros.
fn marked(mut codes: [u8; 128], near: bool, edition: Edition) -> [u8; 128] {
    if near {
        for (tie, _) in TIES {
            codes[2 * tie as usize] |= NEAR;
            codes[128 - 2 * tie as usize] |= NEAR;
        }
    }
    if edition != Edition::V4 {
        codes[0] |= ZERO;
    }
    codes
}

/// Numbers to encode: binary32, or the bits of bfloat16 or of binary16.
pub(super) trait Number: Copy {
    /// Elements whose largest magnitudes are found together.
    const TILE: usize;
    /// The index of this kind in [`QuarterTables::marked`].
    const KIND: usize;

    /// Loads the next numbers.
    ///
    /// # Safety
    /// `BLOCK` elements are readable at `source`.
    unsafe fn load<L: HalvesLeg>(leg: L, source: *const Self) -> L::Words;

    /// The largest magnitude of each block of a tile, as a binary32 word; further lanes are unspecified.
    ///
    /// # Safety
    /// `TILE` elements are readable at `source`.
    unsafe fn maxima<L: HalvesLeg>(leg: L, source: *const Self) -> [L::Words; 2];
}

impl Number for f32 {
    const TILE: usize = 2 * BLOCK * BLOCK;
    const KIND: usize = 0;

    #[inline(always)]
    unsafe fn load<L: HalvesLeg>(leg: L, source: *const f32) -> L::Words {
        // SAFETY: the caller guarantees `BLOCK` readable elements.
        unsafe { leg.words(0).load_u32(source.cast()) }
    }

    #[inline(always)]
    unsafe fn maxima<L: HalvesLeg>(leg: L, source: *const f32) -> [L::Words; 2] {
        let mask = leg.words(0x7fff_ffff);
        // SAFETY: the caller guarantees `TILE` readable elements, and a vector is as long as a block.
        unsafe {
            let next = source.add(BLOCK * BLOCK).cast();
            [leg.maxima_of_words(mask, source.cast()), leg.maxima_of_words(mask, next)]
        }
    }
}

impl Number for u16 {
    const TILE: usize = 2 * BLOCK * BLOCK;
    const KIND: usize = 1;

    #[inline(always)]
    unsafe fn load<L: HalvesLeg>(leg: L, source: *const u16) -> L::Words {
        // SAFETY: the caller guarantees `BLOCK` readable elements.
        unsafe { leg.widened::<false>(source) }
    }

    #[inline(always)]
    unsafe fn maxima<L: HalvesLeg>(leg: L, source: *const u16) -> [L::Words; 2] {
        // SAFETY: the caller guarantees `TILE` readable elements.
        unsafe { leg.maxima_of_runs::<false>(source) }
    }
}

impl Number for Binary16 {
    const TILE: usize = 2 * BLOCK * BLOCK;
    const KIND: usize = 2;

    #[inline(always)]
    unsafe fn load<L: HalvesLeg>(leg: L, source: *const Binary16) -> L::Words {
        // SAFETY: the caller guarantees `BLOCK` readable elements.
        unsafe { leg.widened::<true>(source.cast()) }
    }

    #[inline(always)]
    unsafe fn maxima<L: HalvesLeg>(leg: L, source: *const Binary16) -> [L::Words; 2] {
        // SAFETY: the caller guarantees `TILE` readable elements.
        unsafe { leg.maxima_of_runs::<true>(source.cast()) }
    }
}

/// Encodes whole tiles. Stops at a tile that has infinities, NaNs, numbers far beyond their scale's range, or numbers
/// too close to a tie to distinguish. Returns the number of elements encoded. To be called within an
/// [`Environment`](binade_simd::Environment).
pub(super) struct Encode<'a, T> {
    pub(super) plan: &'a QuarterTables,
    pub(super) numbers: &'a [T],
    pub(super) scales: &'a mut [u8],
    pub(super) elements: &'a mut [u8],
    /// True if stores bypass the caches.
    pub(super) stream: bool,
}

impl<T: Number> HalvesKernel for Encode<'_, T> {
    type Output = usize;

    #[inline(always)]
    fn run<L: HalvesLeg>(self, leg: L) -> usize {
        let Encode { plan, numbers, scales, elements, stream } = self;
        let Ok(words) = <&[u32; CELLS]>::try_from(&*plan.words) else { return 0 };
        let count = (numbers.len() / T::TILE).min(scales.len() / (T::TILE / BLOCK));
        let mut tiles = QuarterTiles {
            leg,
            words,
            codes: leg.bytes(0).table(&plan.marked[T::KIND]),
            under: &plan.under,
            numbers,
            scales,
            found: [Scales([0; 2 * BLOCK]); 2],
            maxima: [[leg.words(0); 2]; 2],
        };
        walk::walk(leg, &mut tiles, numbers.as_ptr(), count, elements, stream)
    }
}

/// The intermediate results of the steps of [`walk::walk`], for one tile and the next.
struct QuarterTiles<'a, L: HalvesLeg, T> {
    leg: L,
    words: &'a [u32; CELLS],
    codes: [L::Bytes; 2],
    under: &'a ScaleData,
    numbers: &'a [T],
    scales: &'a mut [u8],
    found: [Scales; 2],
    maxima: [[L::Words; 2]; 2],
}

impl<L: HalvesLeg, T: Number> walk::Tiles for QuarterTiles<'_, L, T> {
    type Number = T;
    const NUMBERS: usize = T::TILE;
    const BYTES: usize = T::TILE / 2;
    const PARTS: usize = T::TILE / EIGHT;

    #[inline(always)]
    unsafe fn read(&mut self, _: usize, _: usize) {}

    #[inline(always)]
    unsafe fn find(&mut self, at: usize) {
        const { assert!(<L::Words as Lanes>::COUNT == BLOCK && <L::Bytes as Bytes>::COUNT == 4 * BLOCK) };
        const { assert!(T::TILE <= 2 * BLOCK * BLOCK && T::TILE.is_multiple_of(EIGHT)) };
        // SAFETY: the caller guarantees an existing tile.
        self.maxima[at % 2] = unsafe { T::maxima(self.leg, self.numbers.as_ptr().add(at * T::TILE)) };
    }

    #[inline(always)]
    unsafe fn scale(&mut self, at: usize) -> bool {
        let (leg, found) = (self.leg, &mut self.found[at % 2].0);
        let mut all = leg.words(0);
        for (maxima, found) in
            self.maxima[at % 2].iter().zip(found.as_chunks_mut::<BLOCK>().0).take(T::TILE / (BLOCK * BLOCK))
        {
            let (cell, code) = (leg.words((1 << CELL_SHIFT) - 1), leg.words(EXCLUDED as u32));
            // SAFETY: magnitudes have 31 bits, so a cell's number has at most 13, and the table has an entry for each.
            let word = unsafe { leg.gather(self.words.as_ptr(), maxima.shr(CELL_SHIFT)) };
            let above = maxima.and(cell).gt_small(word.and(cell));
            let [low, high] = [word.shr(CELL_SHIFT), word.shr(CELL_SHIFT + CODE_BITS)];
            let codes = Lanes::select(above, high, low).and(code);
            all = all.max(codes);
            // SAFETY: the slice has as many bytes as a vector has lanes.
            unsafe { leg.store_low_bytes(codes, found.as_mut_ptr()) };
        }
        leg.all_below(all, leg.words(EXCLUDED as u32))
    }

    #[inline(always)]
    unsafe fn encode(&mut self, at: usize, part: usize, to: *mut u8) -> bool {
        let found = &self.found[at % 2].0[..T::TILE / BLOCK];
        if part == 0 {
            self.scales[at * found.len()..][..found.len()].copy_from_slice(found);
        }
        let scales = found.as_chunks().0[part];
        // SAFETY: eight blocks of a tile that the caller guarantees.
        unsafe { self.eight(self.numbers.as_ptr().add(at * T::TILE + part * EIGHT), scales, to) }
    }
}

/// The scales of a tile's blocks. Aligned, so that no access crosses a cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Scales([u8; 2 * BLOCK]);

impl<L: HalvesLeg, T: Number> QuarterTiles<'_, L, T> {
    /// Encodes eight blocks under these scales. Returns false if a number is too close to a tie to distinguish.
    ///
    /// # Safety
    /// `EIGHT` numbers are readable at `from`, and half as many bytes writable at `to`.
    #[inline(always)]
    unsafe fn eight(&self, from: *const T, scales: [u8; 8], to: *mut u8) -> bool {
        let (leg, [a, b, c, d, e, f, g, h]) = (self.leg, scales);
        // SAFETY: the caller guarantees `EIGHT` numbers and the writable bytes.
        unsafe {
            let next = from.add(4 * BLOCK);
            let mut both = [self.four(from, [a, b, c, d]), self.four(next, [e, f, g, h])];
            let marks = both[0].or(both[1]);
            if marks.below(leg.bytes(ZERO)) != !0 {
                if marks.below(leg.bytes(NEAR)) != !0 {
                    return false;
                }
                both = [self.zeros(both[0], from), self.zeros(both[1], next)];
            }
            L::Bytes::store_nibbles(both, to);
        }
        true
    }

    /// The codes of four blocks.
    ///
    /// # Safety
    /// 4 · `BLOCK` numbers are readable at `from`.
    #[inline(always)]
    unsafe fn four(&self, from: *const T, scales: [u8; 4]) -> L::Bytes {
        let (leg, under) = (self.leg, self.under);
        // Adding it leaves an integer in the low bits, as two's complement.
        let whole = leg.words(WHOLE.to_bits());
        let mut sums = [whole; 4];
        for at in 0..4 {
            let scale = scales[at] as usize;
            let (above, below) = (under.sides[0][scale].to_bits(), under.sides[1][scale].to_bits());
            // SAFETY: this block is among the four that the caller guarantees.
            let x = unsafe { T::load(leg, from.add(at * BLOCK)) };
            sums[at] = leg.add_floor_and_ceiling(whole, x, [leg.words(above), leg.words(below)]);
        }
        leg.low_bytes(sums).clamp_signed(63).look_up(self.codes)
    }

    /// Removes the mark [`ZERO`] from codes, and adds the signs of the numbers.
    ///
    /// # Safety
    /// 4 · `BLOCK` numbers are readable at `from`.
    #[inline(always)]
    unsafe fn zeros(&self, codes: L::Bytes, from: *const T) -> L::Bytes {
        let leg = self.leg;
        let mut signs = [leg.words(0); 4];
        for (at, sign) in signs.iter_mut().enumerate() {
            // SAFETY: this block is among the four that the caller guarantees.
            *sign = unsafe { T::load(leg, from.add(at * BLOCK)) }.shr(28);
        }
        codes.and(leg.bytes(0xf)).or(leg.low_bytes(signs).and(leg.bytes(8)))
    }
}
