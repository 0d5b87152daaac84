//! Blocks of 16 of E2M1 under scales of E4M3, in lanes of 32 bits and of bytes.
//!
//! Codes of E2M1 change at 1/4, 3/4, 5/4, 7/4, 5/2, 7/2 and 5: at whole numbers of quarters. So the code of x under a
//! scale s, which stands for the block's times the tensor's, follows from v = 4x/s as ⌊|v|⌋ and whether that is v. With u
//! near s/4 and r near 4/s, both within a unit in the last place,
//!
//! ```text
//! n = x · r rounded to a whole number by adding 1.5 · 2^23 and taking it off
//! d = x − n · s/4
//! i = 2n + sign of d
//! ```
//!
//! |v| is below 63, and x · r, which one instruction adds before it rounds, within 63 · 2^−23 of v: n is a neighbour of v or
//! v itself, and i is 2v where v is a whole number, and otherwise the odd number between its two neighbours' doubles,
//! whichever of them n is. A table has the codes by i; ±63 stands for all that is beyond it.
//!
//! The sign of d is exact:
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
//! Scales are a monotone function of the largest magnitude. Binary32's words are cut into cells of a sixteenth of a binade,
//! which have one of the points at which a rule changes its mind, at most: these are further apart than a sixteenth of the
//! binade that they are in. A table has for each cell that point, and the scales' codes on both sides.

use binade::{Edition, Format, Projection, Rounding, Saturation, Value, project};
use binade_simd::HalvesKernel;
use binade_simd::lanes::{Bytes, HalvesLeg, Lanes, Words};

use super::powers::Binary16;
use super::value_of;

/// Elements of a block, and lanes of a vector.
pub(super) const BLOCK: usize = 16;
/// Elements of as many blocks as vectors have lanes.
const TILE: usize = BLOCK * BLOCK;
/// Elements that are worked on at once, at most: all scales before all elements, so that one does not wait for the other. Few,
/// since memory is read while elements are encoded and hardly while scales are found.
const GROUP: usize = TILE;
/// Of a binary32 word, the bits that say which cell it is in.
const CELL_SHIFT: u32 = 19;
const CELLS: usize = 1 << (31 - CELL_SHIFT);
/// As a scale's code: this block is not for this kernel. Scales' signs are clear.
const OUT: u8 = 0x80;

/// Largest magnitudes up to `last` have the one scale, those above it the other.
#[derive(Clone, Copy, Debug)]
struct Cell {
    last: u32,
    codes: [u8; 2],
}

/// By scales' codes: what elements are multiplied by, and a quarter of the scale in two parts.
#[derive(Clone, Debug)]
pub(super) struct Under {
    pub(super) reciprocals: [f32; 256],
    pub(super) quarters: [[f32; 256]; 2],
}

/// What is looked up.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    cells: Box<[Cell]>,
    pub(super) under: Box<Under>,
    /// Codes by i modulo 128.
    pub(super) codes: [u8; 128],
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
        let mut under = Box::new(Under { reciprocals: [0.0; 256], quarters: [[0.0; 256]; 2] });
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
            under.reciprocals[code] = reciprocal;
            (under.quarters[0][code], under.quarters[1][code]) = (first, second);
        }
        let most = |code: u8| 63.0 / 4.0 * values[code as usize] * over / by;
        Some(Plan { cells: cells(&scale, most)?, under, codes: codes(elements, edition), tensor })
    }

    /// The scales of largest magnitudes; whether all of the blocks are for elements by [`Plan::under`].
    pub(super) fn scale(&self, maxima: &[u32], scales: &mut [u8]) -> bool {
        let mut all = 0;
        for (scale, &maximum) in scales.iter_mut().zip(maxima) {
            let cell = &self.cells[(maximum >> CELL_SHIFT) as usize & (CELLS - 1)];
            *scale = cell.codes[(maximum > cell.last) as usize];
            all |= *scale;
        }
        all & OUT == 0
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
    for (at, cell) in cells.iter_mut().enumerate().take(finite) {
        let code = |code: u8, word: u32| match (f32::from_bits(word) as f64) < most(code) {
            true => code,
            false => OUT,
        };
        *cell = Cell { last: ends[at], codes: [code(low[at], ends[at]), code(high[at], last[at])] };
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

/// Numbers that are encoded: binary32, or the bits of bfloat16 or of binary16.
pub(super) trait Number: Copy {
    /// The next numbers.
    ///
    /// # Safety
    /// `BLOCK` readable elements at `source`.
    unsafe fn load<L: HalvesLeg>(leg: L, source: *const Self) -> L::Words;

    /// The largest magnitude of each of `BLOCK` blocks, as a binary32 word.
    ///
    /// # Safety
    /// `TILE` readable elements at `source`.
    unsafe fn maxima<L: HalvesLeg>(leg: L, source: *const Self) -> L::Words;
}

impl Number for f32 {
    #[inline(always)]
    unsafe fn load<L: HalvesLeg>(leg: L, source: *const f32) -> L::Words {
        // SAFETY: the caller's promise.
        unsafe { leg.words(0).load_u32(source.cast()) }
    }

    #[inline(always)]
    unsafe fn maxima<L: HalvesLeg>(leg: L, source: *const f32) -> L::Words {
        // SAFETY: the caller's promise.
        unsafe { leg.maxima_of_words::<1>(leg.words(0x7fff_ffff), source.cast()) }
    }
}

impl Number for u16 {
    #[inline(always)]
    unsafe fn load<L: HalvesLeg>(leg: L, source: *const u16) -> L::Words {
        // SAFETY: the caller's promise.
        unsafe { leg.widened::<false>(source) }
    }

    #[inline(always)]
    unsafe fn maxima<L: HalvesLeg>(leg: L, source: *const u16) -> L::Words {
        // SAFETY: the caller's promise.
        unsafe { leg.maxima_of_runs::<false>(source) }
    }
}

impl Number for Binary16 {
    #[inline(always)]
    unsafe fn load<L: HalvesLeg>(leg: L, source: *const Binary16) -> L::Words {
        // SAFETY: the caller's promise.
        unsafe { leg.widened::<true>(source.cast()) }
    }

    #[inline(always)]
    unsafe fn maxima<L: HalvesLeg>(leg: L, source: *const Binary16) -> L::Words {
        // SAFETY: the caller's promise.
        unsafe { leg.maxima_of_runs::<true>(source.cast()) }
    }
}

/// Whole tiles, up to those that have infinities, NaNs, or numbers that are far beyond their scale's range; how many
/// elements they have. Within an [`Environment`](binade_simd::Environment).
pub(super) struct Encode<'a, T> {
    pub(super) plan: &'a Plan,
    pub(super) numbers: &'a [T],
    pub(super) scales: &'a mut [u8],
    pub(super) elements: &'a mut [u8],
}

impl<T: Number> HalvesKernel for Encode<'_, T> {
    type Output = usize;

    #[inline(always)]
    fn run<L: HalvesLeg>(self, leg: L) -> usize {
        match self.plan.tensor {
            Tensor::None => self.groups(leg, Alone),
            Tensor::Factor => self.groups(leg, Times),
            Tensor::Divisor(by) => self.groups(leg, Over(leg.words(by.to_bits()))),
        }
    }
}

/// How d is found.
trait Difference<L: HalvesLeg>: Copy {
    fn of(self, leg: L, x: L::Words, n: L::Words, quarter: [f32; 2]) -> L::Words;
}

#[derive(Clone, Copy)]
struct Alone;

impl<L: HalvesLeg> Difference<L> for Alone {
    #[inline(always)]
    fn of(self, leg: L, x: L::Words, n: L::Words, quarter: [f32; 2]) -> L::Words {
        leg.less_product(x, n, leg.words(quarter[0].to_bits()))
    }
}

/// Under a factor.
#[derive(Clone, Copy)]
struct Times;

impl<L: HalvesLeg> Difference<L> for Times {
    #[inline(always)]
    fn of(self, leg: L, x: L::Words, n: L::Words, quarter: [f32; 2]) -> L::Words {
        let (first, second) = (leg.words(quarter[0].to_bits()), leg.words(quarter[1].to_bits()));
        leg.less_product(leg.less_product(x, n, first), n, second)
    }
}

/// Under a divisor.
#[derive(Clone, Copy)]
struct Over<W>(W);

impl<L: HalvesLeg> Difference<L> for Over<L::Words> {
    #[inline(always)]
    fn of(self, leg: L, x: L::Words, n: L::Words, quarter: [f32; 2]) -> L::Words {
        let minus_zero = leg.words(1 << 31);
        let product = leg.plus_product(minus_zero, x, self.0);
        // The negative error: x · by is what is taken off.
        let error = leg.less_product(product, x, self.0);
        let rest = leg.less_product(product, n, leg.words(quarter[0].to_bits()));
        leg.less_product(rest, error, leg.words(1f32.to_bits()))
    }
}

impl<T: Number> Encode<'_, T> {
    #[inline(always)]
    fn groups<L: HalvesLeg, D: Difference<L>>(self, leg: L, difference: D) -> usize {
        const { assert!(<L::Words as Lanes>::COUNT == BLOCK && <L::Bytes as Bytes>::COUNT == 4 * BLOCK) };
        let Encode { plan, numbers, scales, elements } = self;
        let Ok(cells) = <&[Cell; CELLS]>::try_from(&*plan.cells) else { return 0 };
        let under = &*plan.under;
        let codes = leg.bytes(0).table(&plan.codes);
        let mut done = 0;
        let groups = scales.chunks_mut(GROUP / BLOCK).zip(elements.chunks_mut(GROUP / 2));
        for (numbers, (scales, elements)) in numbers.chunks(GROUP).zip(groups) {
            let numbers = &numbers[..numbers.len() / TILE * TILE];
            let blocks = numbers.len() / BLOCK;
            let (Some(scales), Some(elements)) =
                (scales.get_mut(..blocks), elements.get_mut(..numbers.len() / 2))
            else {
                break;
            };
            let mut found = [0u8; GROUP / BLOCK];
            let mut all = 0;
            for (numbers, found) in numbers.chunks_exact(TILE).zip(found.as_chunks_mut::<BLOCK>().0) {
                let mut maxima = [0u32; BLOCK];
                // SAFETY: a tile, and a vector of words.
                unsafe {
                    T::maxima(leg, numbers.as_ptr()).store::<false>(maxima.as_mut_ptr());
                }
                for (found, maximum) in found.iter_mut().zip(&maxima) {
                    // SAFETY: a reference. Volatile, so that this stays with the ports that vectors do not use: the compiler
                    // would make it gathers, and masks moved bit by bit.
                    let maximum = unsafe { std::ptr::from_ref(maximum).read_volatile() };
                    let cell = &cells[(maximum >> CELL_SHIFT) as usize & (CELLS - 1)];
                    *found = cell.codes[(maximum > cell.last) as usize];
                    all |= *found;
                }
            }
            if all & OUT != 0 {
                break;
            }
            scales.copy_from_slice(&found[..blocks]);
            for ((numbers, found), elements) in numbers
                .chunks_exact(8 * BLOCK)
                .zip(found.as_chunks::<8>().0)
                .zip(elements.chunks_exact_mut(4 * BLOCK))
            {
                // Of the next group.
                leg.prefetch(numbers.as_ptr().wrapping_add(GROUP).cast(), size_of_val(numbers));
                // SAFETY: eight blocks, and their elements at two a byte.
                unsafe {
                    let (first, second) = (numbers.as_ptr(), numbers.as_ptr().add(4 * BLOCK));
                    let first = Self::four(
                        leg,
                        difference,
                        codes,
                        under,
                        first,
                        [found[0], found[1], found[2], found[3]],
                    );
                    let second = Self::four(
                        leg,
                        difference,
                        codes,
                        under,
                        second,
                        [found[4], found[5], found[6], found[7]],
                    );
                    L::Bytes::store_nibbles_of_words([first, second], elements.as_mut_ptr());
                }
            }
            done += numbers.len();
        }
        done
    }

    /// The codes of four blocks, in the order of [`HalvesLeg::doubles_and_signs`].
    ///
    /// # Safety
    /// 4 · `BLOCK` readable numbers at `from`.
    #[inline(always)]
    unsafe fn four<L: HalvesLeg, D: Difference<L>>(
        leg: L,
        difference: D,
        codes: [L::Bytes; 2],
        under: &Under,
        from: *const T,
        scales: [u8; 4],
    ) -> L::Bytes {
        // Adding it leaves a whole number in the low bits, as two's complement.
        let (whole, back) = (leg.words(12_582_912f32.to_bits()), leg.words((-12_582_912f32).to_bits()));
        let (mut sums, mut differences) = ([whole; 4], [whole; 4]);
        for at in 0..4 {
            let scale = scales[at] as usize;
            let quarter = [under.quarters[0][scale], under.quarters[1][scale]];
            // SAFETY: a block of the caller's.
            let x = unsafe { T::load(leg, from.add(at * BLOCK)) };
            sums[at] = leg.plus_product(whole, x, leg.words(under.reciprocals[scale].to_bits()));
            differences[at] = difference.of(leg, x, sums[at].add_f32(back), quarter);
        }
        leg.doubles_and_signs(sums, differences).look_up(codes)
    }
}
