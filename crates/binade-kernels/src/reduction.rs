//! Reductions of rows and columns of binary32 numbers, each step rounded to a format within binary32.

use binade::carrier::NarrowRounding;
use binade_simd::lanes::{Lanes, Leg, Words};
use binade_simd::{Environment, Isa, Kernel, TILE, transpose_tile};

use crate::arithmetic::{maximum, minimum};
use crate::rounder::{Binary32Rounding, InPlace, SIGN, WithRounding};

/// `totals[i]` ← the maximum or minimum of `totals[i]` and `depth` contiguous elements for each total, `stride` apart
/// in `x`. If any is NaN, the canonical NaN. Returns false, and does nothing, for other reductions. Runs on one thread.
///
/// # Panics
/// If `x` ends before the last total's elements.
pub fn extremes(isa: Isa, fold: Fold, x: &[f32], stride: usize, depth: usize, totals: &mut [f32]) -> bool {
    let is_extreme = matches!(fold, Fold::Maximum | Fold::Minimum);
    if is_extreme && depth > 0 {
        let _environment = Environment::enter();
        isa.run(Extremes { fold, within: None, x, stride, depth, totals });
    }
    is_extreme
}

/// A binary operation that is applied before each rounding; its first operand is the total so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fold {
    /// x + y.
    Add,
    /// x · y.
    Multiply,
    /// The maximum of IEEE 754.
    Maximum,
    /// The minimum of IEEE 754.
    Minimum,
}

/// Rows of elements, `stride` apart, each as long as the totals to which they are reduced.
pub(crate) struct Rows<'a> {
    pub(crate) fold: Fold,
    pub(crate) within: Binary32Rounding,
    pub(crate) x: &'a [f32],
    pub(crate) stride: usize,
    pub(crate) rows: usize,
    pub(crate) totals: &'a mut [f32],
}

/// Rows of elements, `stride` apart and `depth` long, each with a total: its maximum or minimum, rounded if there is a
/// format.
pub(crate) struct Extremes<'a> {
    pub(crate) fold: Fold,
    pub(crate) within: Option<Binary32Rounding>,
    pub(crate) x: &'a [f32],
    pub(crate) stride: usize,
    pub(crate) depth: usize,
    pub(crate) totals: &'a mut [f32],
}

/// Rows of elements, `stride` apart and `depth` long, each with a total: its reduction in the order of the row.
pub(crate) struct InOrder<'a> {
    pub(crate) isa: Isa,
    pub(crate) fold: Fold,
    pub(crate) within: Binary32Rounding,
    pub(crate) x: &'a [f32],
    pub(crate) stride: usize,
    pub(crate) depth: usize,
    pub(crate) totals: &'a mut [f32],
}

/// Rows for which totals stay in registers; few, so that memory is read in the order of rows.
const ROWS_AT_ONCE: usize = 16;

/// Number of rows that are transposed at once, and of elements of each. Several cache lines of a row are read before
/// the next row, because rows that are a power of two apart share cache sets.
const TRANSPOSED_ROWS: usize = 4 * TILE;
const TRANSPOSED_DEPTH: usize = 4 * TILE;

impl Kernel for Rows<'_> {
    type Output = ();

    /// Processes a few vectors of totals and a few rows at a time: by a fast way if it is right for all numbers that
    /// arise, otherwise by [`Rows::steps`].
    #[inline(always)]
    fn run<L: Leg>(self, leg: L) {
        // Enough vectors that no addition waits for the previous one.
        match L::Words::COUNT {
            16.. => self.walk::<L, 4>(leg),
            _ => self.walk::<L, 8>(leg),
        }
    }
}

impl Rows<'_> {
    #[inline(always)]
    fn walk<L: Leg, const VECTORS: usize>(self, leg: L) {
        let Rows { fold, within, stride, .. } = self;
        let width = VECTORS * L::Words::COUNT;
        for first in (0..self.rows).step_by(ROWS_AT_ONCE) {
            let rows = ROWS_AT_ONCE.min(self.rows - first);
            for (group, totals) in self.totals.chunks_mut(width).enumerate() {
                let x = &self.x[first * stride + group * width..];
                let mut rows = Rows { fold, within, x, stride, rows, totals };
                let done = rows.totals.len() == width
                    && match (fold, within) {
                        (Fold::Add, Binary32Rounding::Bf16) => rows.sums_in_bf16::<L, VECTORS>(leg),
                        (Fold::Add, Binary32Rounding::Narrow(narrow @ NarrowRounding { gap: None, .. })) => {
                            rows.sums::<L, VECTORS>(leg, narrow)
                        }
                        (Fold::Maximum, _) => rows.extremes::<L, VECTORS>(leg, [u32::MAX, SIGN]),
                        (Fold::Minimum, _) => rows.extremes::<L, VECTORS>(leg, [0, !SIGN]),
                        _ => false,
                    };
                if done {
                    continue;
                }
                // NaN stays, for example that of an infinity that the format cannot represent.
                match rows.totals.iter().all(|total| total.is_nan()) {
                    true => rows.totals.fill(f32::NAN),
                    false => within.choose(rows),
                }
            }
        }
    }

    /// Every step of the reduction, by the definition.
    #[inline(always)]
    fn steps(self, step: impl Fn(f32, f32) -> f32) {
        /// Totals kept in registers.
        const GROUP: usize = 64;
        let Rows { x, stride, rows, totals, .. } = self;
        let whole = totals.len() / GROUP * GROUP;
        let (groups, rest) = totals.as_chunks_mut::<GROUP>();
        for (group, totals) in groups.iter_mut().enumerate() {
            let mut now = *totals;
            for row in 0..rows {
                let x = &x[row * stride + group * GROUP..][..GROUP];
                for (total, &x) in now.iter_mut().zip(x) {
                    *total = step(*total, x);
                }
            }
            *totals = now;
        }
        for row in 0..rows {
            let x = &x[row * stride + whole..][..rest.len()];
            for (total, &x) in rest.iter_mut().zip(x) {
                *total = step(*total, x);
            }
        }
    }

    /// The sums of `VECTORS` vectors of totals, without the instructions that only overflow and NaN need. Returns
    /// false, with nothing changed, if either arose.
    #[inline(always)]
    fn sums<L: Leg, const VECTORS: usize>(&mut self, leg: L, narrow: NarrowRounding) -> bool {
        let NarrowRounding { smallest, magic, bound, sign, .. } = narrow;
        let [smallest, magic, sign] = [smallest, magic, sign].map(|bits| leg.words(bits as u32));
        let exponent = leg.words(f32::INFINITY.to_bits());
        let mut totals = self.load::<L, VECTORS>(leg);
        // Twice the magnitude.
        let mut largest = leg.words(0);
        for row in 0..self.rows {
            for (total, x) in totals.iter_mut().zip(self.row::<L, VECTORS>(row)) {
                let sum = total.add_f32(vector(leg, x));
                largest = largest.max(sum.shl(1));
                let magic = sum.and(exponent).max(smallest).add(magic);
                *total = sum.add_f32(magic).sub_f32(magic).or(sum.and(sign));
            }
        }
        let fits = highest::<L>(largest) >> 1 < bound as u32;
        if fits {
            self.store::<L, VECTORS>(totals);
        }
        fits
    }

    /// The sums of `VECTORS` vectors of totals in BF16, where only NaN needs more instructions. A NaN that arises from
    /// infinities stays a NaN, and any NaN makes the sum of all elements one, which is checked.
    #[inline(always)]
    fn sums_in_bf16<L: Leg, const VECTORS: usize>(&mut self, leg: L) -> bool {
        let [below_half, one, top] = [0x7fff, 1, 0xffff_0000].map(|bits| leg.words(bits));
        let mut totals = self.load::<L, VECTORS>(leg);
        // Two accumulators, so that no addition waits for the previous one.
        let mut everything = [leg.words(0); 2];
        for (at, total) in totals.iter().enumerate() {
            everything[at % 2] = everything[at % 2].add_f32(*total);
        }
        for row in 0..self.rows {
            for (at, (total, x)) in totals.iter_mut().zip(self.row::<L, VECTORS>(row)).enumerate() {
                let x = vector(leg, x);
                everything[at % 2] = everything[at % 2].add_f32(x);
                let sum = total.add_f32(x);
                *total = sum.add(below_half).add(sum.shr(16).and(one)).and(top);
            }
        }
        let unsigned = leg.words(!SIGN);
        let mut largest = everything[0].and(unsigned).max(everything[1].and(unsigned));
        for total in totals {
            largest = largest.max(total.and(unsigned));
        }
        let fits = highest::<L>(largest) <= f32::INFINITY.to_bits();
        if fits {
            self.store::<L, VECTORS>(totals);
        }
        fits
    }

    /// The extremes of `VECTORS` vectors of totals, rounded once, because rounding is monotone and idempotent. This is
    /// not so for NaN and for numbers that overflow to it. Returns false, with nothing changed, if any arose.
    ///
    /// Integers have the order of numbers, with −0 before +0, after the bits in `flips` were flipped: the first for
    /// negative numbers, the second for others. For minima the order is reversed.
    #[inline(always)]
    fn extremes<L: Leg, const VECTORS: usize>(&mut self, leg: L, flips: [u32; 2]) -> bool {
        // Flipping may change the top bit, which selects the mask; then the masks are swapped for flipping back.
        let [negative, positive] = flips.map(|bits| leg.words(bits));
        let back = if flips[1] == SIGN { [positive, negative] } else { [negative, positive] };
        let flips = [negative, positive];
        let mut totals = self.load::<L, VECTORS>(leg);
        let (mut lowest, mut lowest_total) = (leg.words(u32::MAX), leg.words(u32::MAX));
        for total in &mut totals {
            *total = flipped::<L>(*total, flips);
            lowest_total = lowest_total.min(*total);
        }
        for row in 0..self.rows {
            for (total, x) in totals.iter_mut().zip(self.row::<L, VECTORS>(row)) {
                let x = flipped::<L>(vector(leg, x), flips);
                lowest = lowest.min(x);
                *total = total.max(x);
            }
        }
        let mut highest = leg.words(0);
        for total in totals {
            highest = highest.max(total);
        }
        let infinity = f32::INFINITY.to_bits();
        let bound = match self.within {
            Binary32Rounding::Bf16 => infinity + 1,
            Binary32Rounding::Narrow(narrow) => narrow.bound as u32,
        };
        // A number that overflows below the first total has no effect, unless it becomes NaN.
        let fits = all::<L>(highest, |x| x < SIGN | bound)
            && all::<L>(lowest_total, |x| x > !(SIGN | bound))
            && all::<L>(lowest, |x| x >= !(SIGN | infinity));
        if fits {
            for total in &mut totals {
                *total = flipped::<L>(*total, back);
            }
            self.store::<L, VECTORS>(totals);
            self.within.choose(InPlace(self.totals));
        }
        fits
    }

    /// Loads the totals, `VECTORS` vectors.
    #[inline(always)]
    fn load<L: Leg, const VECTORS: usize>(&self, leg: L) -> [L::Words; VECTORS] {
        let mut totals = [leg.words(0); VECTORS];
        for (total, from) in totals.iter_mut().zip(self.totals.chunks_exact(L::Words::COUNT)) {
            *total = vector(leg, from);
        }
        totals
    }

    /// The vectors of a row.
    #[inline(always)]
    fn row<L: Leg, const VECTORS: usize>(&self, row: usize) -> std::slice::ChunksExact<'_, f32> {
        self.x[row * self.stride..][..VECTORS * L::Words::COUNT].chunks_exact(L::Words::COUNT)
    }

    /// Stores `VECTORS` vectors as the totals.
    #[inline(always)]
    fn store<L: Leg, const VECTORS: usize>(&mut self, vectors: [L::Words; VECTORS]) {
        for (vector, to) in vectors.into_iter().zip(self.totals.chunks_exact_mut(L::Words::COUNT)) {
            // SAFETY: `to` has `COUNT` elements.
            unsafe { vector.store::<false>(to.as_mut_ptr().cast()) };
        }
    }
}

impl InOrder<'_> {
    /// Transposes some elements of some rows at a time into the order of [`Rows`].
    pub(crate) fn run(self) {
        let InOrder { isa, fold, within, x, stride, depth, totals } = self;
        // SAFETY: `f32` and `u32` have the same size and alignment, and all bit patterns are valid.
        let words = unsafe { std::slice::from_raw_parts(x.as_ptr().cast::<u32>(), x.len()) };
        let mut transposed = [0; TRANSPOSED_ROWS * TRANSPOSED_DEPTH];
        for (group, totals) in totals.chunks_mut(TRANSPOSED_ROWS).enumerate() {
            let x = &words[group * TRANSPOSED_ROWS * stride..];
            let rows = totals.len() / TILE * TILE;
            for first in (0..depth).step_by(TRANSPOSED_DEPTH) {
                let count = TRANSPOSED_DEPTH.min(depth - first);
                let whole = count / TILE * TILE;
                for row in (0..rows).step_by(TILE) {
                    for at in (0..whole).step_by(TILE) {
                        let from = &x[row * stride + first + at..];
                        transpose_tile(
                            isa,
                            from,
                            stride,
                            &mut transposed[at * TRANSPOSED_ROWS + row..],
                            TRANSPOSED_ROWS,
                        );
                    }
                }
                // Elements beyond whole tiles.
                for at in 0..count {
                    for row in if at < whole { rows } else { 0 }..totals.len() {
                        transposed[at * TRANSPOSED_ROWS + row] = x[row * stride + first + at];
                    }
                }
                // SAFETY: `f32` and `u32` have the same size and alignment, and all bit patterns are valid.
                let x = unsafe {
                    std::slice::from_raw_parts(transposed.as_ptr().cast::<f32>(), transposed.len())
                };
                isa.run(Rows { fold, within, x, stride: TRANSPOSED_ROWS, rows: count, totals });
            }
        }
    }
}

impl Kernel for Extremes<'_> {
    type Output = ();

    /// Rounds the extreme of all elements once, because rounding is monotone and idempotent. A NaN makes all following
    /// results NaN, and a number that overflows to NaN upwards (for minima, downwards) is the extreme itself. Only if a
    /// first step overflows to NaN in the other direction do greater elements come too late; that is checked.
    #[inline(always)]
    fn run<L: Leg>(self, leg: L) {
        /// Totals that are rounded at once.
        const GROUP: usize = 32;
        let Extremes { fold, within, x, stride, depth, totals } = self;
        let flips = match fold {
            Fold::Minimum => [0, !SIGN],
            _ => [u32::MAX, SIGN],
        };
        let step = |x, y| if fold == Fold::Minimum { minimum(x, y) } else { maximum(x, y) };
        for (group, totals) in totals.chunks_mut(GROUP).enumerate() {
            // The results of first steps, and of all.
            let mut results = [0.0; 2 * GROUP];
            let (firsts, all) = results.split_at_mut(GROUP);
            for (number, total) in totals.iter().enumerate() {
                let row = &x[(group * GROUP + number) * stride..][..depth];
                firsts[number] = step(*total, row[0]);
                all[number] = extreme(leg, flips, row, firsts[number]);
            }
            if let Some(within) = within {
                within.choose(InPlace(&mut results));
            }
            let (firsts, all) = results.split_at(GROUP);
            for ((total, &first), &last) in totals.iter_mut().zip(firsts).zip(all) {
                *total = if first.is_nan() { first } else { last };
            }
        }
    }
}

/// The extreme of a row and of the previous total, in the order of [`Rows::extremes`]: NaN if any number is.
#[inline(always)]
fn extreme<L: Leg>(leg: L, flips: [u32; 2], row: &[f32], first: f32) -> f32 {
    /// Enough vectors that no operation waits for the previous one.
    const ROWS_AT_ONCE: usize = 4;
    let lanes = flips.map(|bits| leg.words(bits));
    let mut highest = [flipped::<L>(leg.words(first.to_bits()), lanes); ROWS_AT_ONCE];
    let mut lowest = highest;
    let mut blocks = row.chunks_exact(ROWS_AT_ONCE * L::Words::COUNT);
    for block in &mut blocks {
        for (at, from) in block.chunks_exact(L::Words::COUNT).enumerate() {
            let x = flipped::<L>(vector(leg, from), lanes);
            (highest[at], lowest[at]) = (highest[at].max(x), lowest[at].min(x));
        }
    }
    for from in blocks.remainder().chunks(L::Words::COUNT) {
        let mut rest = [first; MOST];
        rest[..from.len()].copy_from_slice(from);
        let x = flipped::<L>(vector(leg, &rest), lanes);
        (highest[0], lowest[0]) = (highest[0].max(x), lowest[0].min(x));
    }
    let (mut high, mut low) = (highest[0], lowest[0]);
    for at in 1..ROWS_AT_ONCE {
        (high, low) = (high.max(highest[at]), low.min(lowest[at]));
    }
    let (high, low) = (elements::<L>(high), elements::<L>(low));
    let high = high[..L::Words::COUNT].iter().fold(0, |most, &x| most.max(x));
    let low = low[..L::Words::COUNT].iter().fold(u32::MAX, |least, &x| least.min(x));
    let infinity = f32::INFINITY.to_bits();
    if high > SIGN | infinity || low < !(SIGN | infinity) {
        return f32::NAN;
    }
    // Flipping may change the top bit, which selects the mask; then the other mask flips back.
    let [negative, positive] = flips;
    let back = if (high & SIGN != 0) == (positive != SIGN) { negative } else { positive };
    f32::from_bits(high ^ back)
}

/// Lanes of the widest vectors.
const MOST: usize = 16;

/// The elements of a vector.
#[inline(always)]
fn elements<L: Leg>(vector: L::Words) -> [u32; MOST] {
    const { assert!(L::Words::COUNT <= MOST) };
    let mut lanes = [0; MOST];
    // SAFETY: the array has at least `COUNT` elements.
    unsafe { vector.store::<false>(lanes.as_mut_ptr()) };
    lanes
}

/// A vector of the first `COUNT` elements of a slice.
#[inline(always)]
fn vector<L: Leg>(leg: L, from: &[f32]) -> L::Words {
    let from = &from[..L::Words::COUNT];
    // SAFETY: the slice has at least `COUNT` elements.
    unsafe { leg.words(0).load_u32(from.as_ptr().cast()) }
}

/// A vector with the bits `set` flipped in lanes whose top bit is set, and the bits `clear` in the others.
#[inline(always)]
fn flipped<L: Leg>(x: L::Words, [set, clear]: [L::Words; 2]) -> L::Words {
    x.xor(L::Words::select(x.sign_mask(), set, clear))
}

/// The largest lane.
#[inline(always)]
fn highest<L: Leg>(vector: L::Words) -> u32 {
    elements::<L>(vector)[..L::Words::COUNT].iter().fold(0, |most, &lane| most.max(lane))
}

/// True if `holds` is true for all lanes.
#[inline(always)]
fn all<L: Leg>(vector: L::Words, holds: impl Fn(u32) -> bool) -> bool {
    elements::<L>(vector)[..L::Words::COUNT].iter().all(|&lane| holds(lane))
}

impl WithRounding for Rows<'_> {
    #[inline(always)]
    fn rounding(self, round: impl Fn(f32) -> f32) {
        match self.fold {
            Fold::Add => self.steps(|x, y| round(x + y)),
            Fold::Multiply => self.steps(|x, y| round(x * y)),
            Fold::Maximum => self.steps(|x, y| round(maximum(x, y))),
            Fold::Minimum => self.steps(|x, y| round(minimum(x, y))),
        }
    }
}
