//! Blocks of 16 of E2M1 under scales of E4M3, in lanes of 32 bits and of bytes.
//!
//! Codes of E2M1 change at 1/4, 3/4, 5/4, 7/4, 5/2, 7/2 and 5: at whole numbers of quarters. So the code of x under a
//! scale s, which stands for the block's times the tensor's, follows from v = 4x/s as ⌊|v|⌋ and whether that is v: from
//! i, which is 2v where v is a whole number, and otherwise the odd number between its two neighbours' doubles. |v| is below
//! 63; a table has the codes by i, and ±63 stands for all that is beyond it.
//!
//! # With rounding control an instruction
//! i is ⌊a · x⌋ + ⌈b · x⌉ for the binary32 numbers a and b that are next to 4/s above and below, or are both it: two
//! multiply-adds, each of which rounds once, to a whole number, since they add 1.5 · 2^23. Where v is a whole number N these are N
//! and N, of −N they are −N − 1 and −N + 1, or −N both. Numbers next to those with that v may be taken for them, which does not
//! matter where the tie at N goes to the code that they have anyway. The plan asks the numbers next to each tie of each scale
//! about that, of each kind of source by itself; without a tensor's scale all is well. Under one, there are numbers of binary32
//! that are too near a tie to tell, one in some hundred thousand, and the table has a mark for these ([`NEAR`]). −0 has the
//! i of 0: where its sign is to stay, zeros have a mark, too.
//!
//! # Without
//! This is for [`super::packed`]. With u near s/4 and r near 4/s, both within a unit in the last place,
//!
//! ```text
//! n = x · r rounded to a whole number by adding 1.5 · 2^23 and taking it off
//! d = x − n · s/4
//! i = 2n + sign of d
//! ```
//!
//! x · r, which one instruction adds before it rounds, is within 63 · 2^−23 of v: n is a neighbour of v or
//! v itself, whichever of them. The sign of d is exact:
//!
//! - Without a tensor's scale s/4 has four bits, n has six, and one multiply-add rounds d, which does not change its sign.
//! - Under a factor s/4 has 28 bits, the sum of u, its first 24, and w ≥ 0. x − n · u is a binary32 number: x itself where
//!   n is 0, and otherwise a multiple of u's or x's unit in the last place, and about u/2 at most. (Only where n is 1 and x
//!   a hair below u/2 may it have a bit too many; then it is far from 0.) The multiply-add of w rounds what is left.
//! - Under a divisor g it is g · x that is compared: a product p and its error e, both in binary32. p − n · s/4 is again
//!   exact, for the same reason, and adding e rounds once. Where e is below 2^−149 and lost, p is below 2^−100, n is 0, and
//!   p, or x's sign on what p is rounded to, says all.
//!
//! A zero d is +0 but for x = −0, where all terms are −0: as an integer it is below zero, so that i is −1, which the table
//! has for all that becomes −0.
//!
//! # Scales
//! Scales are a monotone function of the largest magnitude. Binary32's words are cut into cells of a 32nd of a binade,
//! which have one of the points at which a rule changes its mind, at most: these are further apart than a sixteenth of the
//! binade that they are in. A table has for each cell that point, and the scales' codes on both sides, in one word, too.

use binade::{Edition, Format, Projection, Rounding, Saturation, Value, project};
use binade_simd::HalvesKernel;
use binade_simd::lanes::{Bytes, HalvesLeg, Lanes, Words};

use super::powers::Binary16;
use super::{WHOLE, value_of, walk};

/// Elements of a block, and lanes of a vector.
pub(super) const BLOCK: usize = 16;
/// Elements that are stored at once.
const EIGHT: usize = 8 * BLOCK;
/// Of a binary32 word, the bits that say which cell it is in.
const CELL_SHIFT: u32 = 18;
const CELLS: usize = 1 << (31 - CELL_SHIFT);
/// Bits of a scale's code: its sign is clear.
const CODE_BITS: u32 = 7;
/// As a scale's code, NaN's, which no block has: this one is not for this kernel.
const OUT: u8 = 0x7f;
/// Beside an element's code: whether this is a tie is not known.
const NEAR: u8 = 0x40;
/// Beside an element's code: it is a zero's, and its sign is not known.
const ZERO: u8 = 0x20;
/// The ties of E2M1 in quarters, and whether they are rounded up.
const TIES: [(u8, bool); 7] =
    [(1, false), (3, true), (5, false), (7, true), (10, false), (14, true), (20, false)];
/// Bits of the significands of the kinds of sources: binary32, bfloat16, binary16.
const PRECISIONS: [i32; 3] = [24, 8, 11];

/// Largest magnitudes up to `last` have the one scale, those above it the other.
#[derive(Clone, Copy, Debug)]
struct Cell {
    last: u32,
    codes: [u8; 2],
}

impl Cell {
    /// In one word, which can be gathered: of `last` the bits below the cell's, and the codes above these.
    fn word(self) -> u32 {
        let [low, high] = self.codes.map(u32::from);
        self.last & ((1 << CELL_SHIFT) - 1) | (low | high << CODE_BITS) << CELL_SHIFT
    }
}

/// By scales' codes: what elements are multiplied by, the numbers next to it above and below, or twice that if it is one, and a
/// quarter of the scale in two parts.
#[derive(Clone, Debug)]
pub(super) struct Under {
    pub(super) reciprocals: [f32; 256],
    sides: [[f32; 256]; 2],
    pub(super) quarters: [[f32; 256]; 2],
}

/// What is looked up.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    cells: Box<[Cell]>,
    /// The same in words.
    words: Box<[u32]>,
    pub(super) under: Box<Under>,
    /// Codes by i modulo 128.
    pub(super) codes: [u8; 128],
    /// The same with marks, for each kind of source.
    marked: [[u8; 128]; 3],
    pub(super) tensor: Tensor,
}

/// What a tensor's scale is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Tensor {
    None,
    Factor,
    Divisor(f32),
}

impl Plan {
    /// The plan for these formats, if the tensor's scale is such that all numbers above are as they are described: `values`
    /// has the scales' values, numbers are multiplied by `by` and divided by `over`, and `scale` finds scales of largest
    /// magnitudes, as binary32's words.
    pub(super) fn new(
        elements: Format,
        edition: Edition,
        values: &[f64; 256],
        (by, over): (f64, f64),
        scale: impl Fn(&[u32]) -> Option<Vec<u8>>,
    ) -> Option<Plan> {
        let tensor = match (by, over) {
            (1.0, 1.0) => Tensor::None,
            (1.0, _) => Tensor::Factor,
            _ => Tensor::Divisor(by as f32),
        };
        let mut under =
            Box::new(Under { reciprocals: [0.0; 256], sides: [[0.0; 256]; 2], quarters: [[0.0; 256]; 2] });
        let mut near = [false; 3];
        // 0 and NaN are no scales of blocks, nor what is negative.
        for (code, value) in values.iter().enumerate().skip(1).take(126) {
            let quarter = value / 4.0 * over;
            let nearest = quarter as f32;
            let first = if nearest as f64 > quarter { nearest.next_down() } else { nearest };
            let second = (quarter - first as f64) as f32;
            let reciprocal = (by / quarter) as f32;
            if !first.is_normal() || !reciprocal.is_normal() || first as f64 + second as f64 != quarter {
                return None;
            }
            // `by` has 24 bits, and a product of a quarter's 28: binary64 has them all.
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
                *near |= !tells(precision, (above, below), by, quarter);
            }
            under.reciprocals[code] = reciprocal;
            (under.quarters[0][code], under.quarters[1][code]) = (first, second);
        }
        let most = |code: u8| 63.0 / 4.0 * values[code as usize] * over / by;
        let codes = codes(elements, edition);
        let marked = near.map(|near| marked(codes, near, edition));
        let cells = cells(&scale, most)?;
        let words = cells.iter().map(|cell| cell.word()).collect();
        Some(Plan { cells, words, under, codes, marked, tensor })
    }

    /// The scales of largest magnitudes; whether all of the blocks are for elements by [`Plan::under`].
    pub(super) fn scale(&self, maxima: &[u32], scales: &mut [u8]) -> bool {
        let Ok(cells) = <&[Cell; CELLS]>::try_from(&*self.cells) else { return false };
        let mut all = 0;
        for (scale, &maximum) in scales.iter_mut().zip(maxima) {
            let cell = &cells[(maximum >> CELL_SHIFT) as usize & (CELLS - 1)];
            *scale = cell.codes[(maximum > cell.last) as usize];
            // Past OUT is the eighth bit.
            all |= *scale + 1;
        }
        all <= OUT
    }
}

/// The cells, if each has two scales at most: `scale` finds them, `most` has the magnitude that no number under one may
/// reach.
fn cells(scale: impl Fn(&[u32]) -> Option<Vec<u8>>, most: impl Fn(u8) -> f64) -> Option<Box<[Cell]>> {
    // What lies in the binade of infinities and NaNs is out.
    let finite = (f32::INFINITY.to_bits() >> CELL_SHIFT) as usize;
    let first: Vec<u32> = (0..finite as u32).map(|cell| cell << CELL_SHIFT).collect();
    let last: Vec<u32> = first.iter().map(|first| first | ((1 << CELL_SHIFT) - 1)).collect();
    let (low, high) = (scale(&first)?, scale(&last)?);
    let two: Vec<usize> = (0..finite).filter(|&cell| low[cell] != high[cell]).collect();
    // The last word of the first scale, a bit after the other.
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
    let mut cells = vec![Cell { last: 0, codes: [OUT; 2] }; CELLS];
    for (at, to) in cells.iter_mut().enumerate().take(finite) {
        let code = |code: u8, word: u32| match (f32::from_bits(word) as f64) < most(code) {
            true => code,
            false => OUT,
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

/// Whether ⌊above · x⌋ + ⌈below · x⌉ leaves all numbers of so many bits at the right side of all ties, which lie where by · x is
/// a whole number of quarters.
fn tells(precision: i32, (above, below): (f32, f32), by: f64, quarter: f64) -> bool {
    TIES.iter().all(|&(tie, up)| {
        let (tie, place) = (tie as f64, tie as f64 * quarter);
        // Numbers of so many bits about this place, and one below the binade. Products by `by` are exact in binary64.
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

/// Codes by i modulo 128 with marks, where ties are not to be told from what is `near` them.
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

/// Numbers that are encoded: binary32, or the bits of bfloat16 or of binary16.
pub(super) trait Number: Copy {
    /// Elements whose largest magnitudes are found together.
    const TILE: usize;
    /// What [`Plan::marked`] has for these.
    const KIND: usize;

    /// The next numbers.
    ///
    /// # Safety
    /// `BLOCK` readable elements at `source`.
    unsafe fn load<L: HalvesLeg>(leg: L, source: *const Self) -> L::Words;

    /// The largest magnitude of each of the blocks of a tile, as a binary32 word; what is beyond them means nothing.
    ///
    /// # Safety
    /// `TILE` readable elements at `source`.
    unsafe fn maxima<L: HalvesLeg>(leg: L, source: *const Self) -> [L::Words; 2];
}

impl Number for f32 {
    const TILE: usize = 2 * BLOCK * BLOCK;
    const KIND: usize = 0;

    #[inline(always)]
    unsafe fn load<L: HalvesLeg>(leg: L, source: *const f32) -> L::Words {
        // SAFETY: the caller's promise.
        unsafe { leg.words(0).load_u32(source.cast()) }
    }

    #[inline(always)]
    unsafe fn maxima<L: HalvesLeg>(leg: L, source: *const f32) -> [L::Words; 2] {
        let mask = leg.words(0x7fff_ffff);
        // SAFETY: the caller's promise; a vector is as long as a block.
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
        // SAFETY: the caller's promise.
        unsafe { leg.widened::<false>(source) }
    }

    #[inline(always)]
    unsafe fn maxima<L: HalvesLeg>(leg: L, source: *const u16) -> [L::Words; 2] {
        // SAFETY: the caller's promise.
        unsafe { leg.maxima_of_runs::<false>(source) }
    }
}

impl Number for Binary16 {
    const TILE: usize = 2 * BLOCK * BLOCK;
    const KIND: usize = 2;

    #[inline(always)]
    unsafe fn load<L: HalvesLeg>(leg: L, source: *const Binary16) -> L::Words {
        // SAFETY: the caller's promise.
        unsafe { leg.widened::<true>(source.cast()) }
    }

    #[inline(always)]
    unsafe fn maxima<L: HalvesLeg>(leg: L, source: *const Binary16) -> [L::Words; 2] {
        // SAFETY: the caller's promise.
        unsafe { leg.maxima_of_runs::<true>(source.cast()) }
    }
}

/// Whole tiles, up to those that have infinities, NaNs, numbers that are far beyond their scale's range, or such as are too
/// near a tie to tell; how many elements they have. Within an [`Environment`](binade_simd::Environment).
pub(super) struct Encode<'a, T> {
    pub(super) plan: &'a Plan,
    pub(super) numbers: &'a [T],
    pub(super) scales: &'a mut [u8],
    pub(super) elements: &'a mut [u8],
    /// Whether past the caches.
    pub(super) stream: bool,
}

impl<T: Number> HalvesKernel for Encode<'_, T> {
    type Output = usize;

    #[inline(always)]
    fn run<L: HalvesLeg>(self, leg: L) -> usize {
        let Encode { plan, numbers, scales, elements, stream } = self;
        let Ok(words) = <&[u32; CELLS]>::try_from(&*plan.words) else { return 0 };
        let count = (numbers.len() / T::TILE).min(scales.len() / (T::TILE / BLOCK));
        let mut tiles = Tiles {
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

/// What the steps of a [`walk::walk`] leave, of one tile and the next.
struct Tiles<'a, L: HalvesLeg, T> {
    leg: L,
    words: &'a [u32; CELLS],
    codes: [L::Bytes; 2],
    under: &'a Under,
    numbers: &'a [T],
    scales: &'a mut [u8],
    found: [Scales; 2],
    maxima: [[L::Words; 2]; 2],
}

impl<L: HalvesLeg, T: Number> walk::Tiles for Tiles<'_, L, T> {
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
        // SAFETY: a tile by the caller.
        self.maxima[at % 2] = unsafe { T::maxima(self.leg, self.numbers.as_ptr().add(at * T::TILE)) };
    }

    #[inline(always)]
    unsafe fn scale(&mut self, at: usize) -> bool {
        let (leg, found) = (self.leg, &mut self.found[at % 2].0);
        let mut all = leg.words(0);
        for (maxima, found) in
            self.maxima[at % 2].iter().zip(found.as_chunks_mut::<BLOCK>().0).take(T::TILE / (BLOCK * BLOCK))
        {
            let (cell, code) = (leg.words((1 << CELL_SHIFT) - 1), leg.words(OUT as u32));
            // SAFETY: magnitudes have 31 bits, what is above a cell's fewer than 13.
            let word = unsafe { leg.gather(self.words.as_ptr(), maxima.shr(CELL_SHIFT)) };
            let above = maxima.and(cell).gt_small(word.and(cell));
            let [low, high] = [word.shr(CELL_SHIFT), word.shr(CELL_SHIFT + CODE_BITS)];
            let codes = Lanes::select(above, high, low).and(code);
            all = all.max(codes);
            // SAFETY: as many bytes as a vector has lanes.
            unsafe { leg.store_low_bytes(codes, found.as_mut_ptr()) };
        }
        leg.all_below(all, leg.words(OUT as u32))
    }

    #[inline(always)]
    unsafe fn encode(&mut self, at: usize, part: usize, to: *mut u8) -> bool {
        let found = &self.found[at % 2].0[..T::TILE / BLOCK];
        if part == 0 {
            self.scales[at * found.len()..][..found.len()].copy_from_slice(found);
        }
        let scales = found.as_chunks().0[part];
        // SAFETY: eight blocks of the tile by the caller.
        unsafe { self.eight(self.numbers.as_ptr().add(at * T::TILE + part * EIGHT), scales, to) }
    }
}

/// Of a tile's blocks. Aligned, so that no access is to two cache lines.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Scales([u8; 2 * BLOCK]);

impl<L: HalvesLeg, T: Number> Tiles<'_, L, T> {
    /// Eight blocks under these scales; whether they have no number that is too near a tie.
    ///
    /// # Safety
    /// `EIGHT` readable numbers at `from`, and half as many writable bytes at `to`.
    #[inline(always)]
    unsafe fn eight(&self, from: *const T, scales: [u8; 8], to: *mut u8) -> bool {
        let (leg, [a, b, c, d, e, f, g, h]) = (self.leg, scales);
        // SAFETY: the caller's promise.
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
    /// 4 · `BLOCK` readable numbers at `from`.
    #[inline(always)]
    unsafe fn four(&self, from: *const T, scales: [u8; 4]) -> L::Bytes {
        let (leg, under) = (self.leg, self.under);
        // Adding it leaves a whole number in the low bits, as two's complement.
        let whole = leg.words(WHOLE.to_bits());
        let mut sums = [whole; 4];
        for at in 0..4 {
            let scale = scales[at] as usize;
            let (above, below) = (under.sides[0][scale].to_bits(), under.sides[1][scale].to_bits());
            // SAFETY: a block of the caller's.
            let x = unsafe { T::load(leg, from.add(at * BLOCK)) };
            sums[at] = leg.add_floor_and_ceiling(whole, x, [leg.words(above), leg.words(below)]);
        }
        leg.low_bytes(sums).clamp_signed(63).look_up(self.codes)
    }

    /// Codes without [`ZERO`]'s mark, and with the signs of the numbers.
    ///
    /// # Safety
    /// As [`Tiles::four`].
    #[inline(always)]
    unsafe fn zeros(&self, codes: L::Bytes, from: *const T) -> L::Bytes {
        let leg = self.leg;
        let mut signs = [leg.words(0); 4];
        for (at, sign) in signs.iter_mut().enumerate() {
            // SAFETY: a block of the caller's.
            *sign = unsafe { T::load(leg, from.add(at * BLOCK)) }.shr(28);
        }
        codes.and(leg.bytes(0xf)).or(leg.low_bytes(signs).and(leg.bytes(8)))
    }
}
