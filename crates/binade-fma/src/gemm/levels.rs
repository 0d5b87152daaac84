//! The order `exact`: sums of products without rounding, in up to three binary64 numbers.
//!
//! Products of inputs are exact in binary64 and multiples of some 2^low. As long as all partial sums stay below
//! 2^(low + 53), the sums are exact too. If the magnitudes exceed that, a product is cut in two by adding and subtracting 1.5
//! · 2^(52 + g): a multiple of 2^g, and a remainder of at most 2^(g − 1). Each goes to a separate sum: two sums hold
//! about 90 bits, three 130. At the end the sums and C are added with one rounding.

use std::ops::Range;

use binade::carrier::power;
#[cfg(target_arch = "x86_64")]
use binade_simd::Instructions;
use binade_simd::Isa;
use binade_simd::floats::portable::add_odd;

use super::micro::Inputs;
use super::source::{MagnitudeRange, Source};
use super::{Target, in_parallel, parts};
use crate::exact::Exact;

/// Rows and columns of a tile.
const ROWS: usize = 8;
const COLUMNS: usize = 16;
/// Depth and rows packed at once.
const DEPTH: usize = 256;
const BLOCK: usize = 128;

/// The cuts of products into sums.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Levels {
    /// Number of sums, 1 to 3.
    count: usize,
    /// The constants that cut products at the first and the second level.
    cuts: [f64; 2],
}

impl Levels {
    /// The cuts for inputs of these magnitudes and this precision; `None` if three sums are not enough, or if not all
    /// numbers are finite.
    pub(crate) fn new(a: MagnitudeRange, b: MagnitudeRange, precision: i32, depth: usize) -> Option<Levels> {
        if !a.is_finite() || !b.is_finite() {
            return None;
        }
        let steps = usize::BITS as i32 - depth.leading_zeros() as i32;
        let low = a.least_exponent() + b.least_exponent() - 2 * (precision - 1);
        // Rounding to the input format may have raised magnitudes to the next power of two.
        let high = a.largest_exponent() + b.largest_exponent() + 4;
        let cut = |g: i32| 1.5 * power(52 + g);
        if high + steps <= low + 53 {
            return Some(Levels { count: 1, cuts: [0.0; 2] });
        }
        // Sums of multiples of 2^g below 2^(high + steps) are exact, and the cut's magnitude exceeds the products'.
        let first = high + steps - 52;
        if first + steps <= low + 53 {
            return Some(Levels { count: 2, cuts: [cut(first), 0.0] });
        }
        let second = first + steps - 52;
        // Remainders are exact: each is a multiple of the product's last bit and not beyond the product.
        (second + steps <= low + 53).then(|| Levels { count: 3, cuts: [cut(first), cut(second)] })
    }
}

/// A product C ← C + A · B with exact sums.
pub(crate) struct ExactProduct<'a> {
    pub(crate) levels: Levels,
    pub(crate) inputs: &'a Inputs,
    pub(crate) isa: Isa,
    pub(crate) a: &'a dyn Source,
    pub(crate) b: &'a dyn Source,
    pub(crate) c: Target,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) depth: usize,
    /// Rounds a sum of binary64 numbers and C to the accumulator.
    pub(crate) round: &'a (dyn Fn(&[f64], f32) -> f32 + Sync),
}

/// The sums of a tile, by level.
type Sums = [[[f64; COLUMNS]; ROWS]; 3];

impl ExactProduct<'_> {
    /// # Safety
    /// C's rows and columns are at distinct addresses that nothing else uses.
    pub(crate) unsafe fn multiply(&self, threads: usize) {
        in_parallel(parts((self.rows, self.columns), (ROWS, COLUMNS), threads), |(rows, columns)| {
            for left in columns.clone().step_by(BLOCK) {
                for top in rows.clone().step_by(BLOCK) {
                    let rows = top..(top + BLOCK).min(rows.end);
                    let columns = left..(left + BLOCK).min(columns.end);
                    // SAFETY: the parts are disjoint, and the caller guarantees that nothing else accesses C.
                    unsafe { self.block(rows, columns) };
                }
            }
        });
    }

    /// # Safety
    /// C's rows and columns are at distinct addresses that nothing else uses.
    unsafe fn block(&self, rows: Range<usize>, columns: Range<usize>) {
        let (row_panels, column_panels) = (rows.len().div_ceil(ROWS), columns.len().div_ceil(COLUMNS));
        let mut tiles = vec![[[[0.0; COLUMNS]; ROWS]; 3]; row_panels * column_panels];
        let (mut block, mut packed_a, mut packed_b) = (vec![], vec![], vec![]);
        for shallow in (0..self.depth).step_by(DEPTH) {
            let depths = shallow..(shallow + DEPTH).min(self.depth);
            self.pack(self.a, rows.clone(), &depths, ROWS, &mut block, &mut packed_a);
            self.pack(self.b, columns.clone(), &depths, COLUMNS, &mut block, &mut packed_b);
            for (panel_b, b) in packed_b.chunks_exact(depths.len() * COLUMNS).enumerate() {
                for (panel_a, a) in packed_a.chunks_exact(depths.len() * ROWS).enumerate() {
                    let tile = &mut tiles[panel_a * column_panels + panel_b];
                    self.run(a, b, tile);
                }
            }
        }
        for (row, column) in rows.clone().flat_map(|row| columns.clone().map(move |column| (row, column))) {
            let (i, j) = (row - rows.start, column - columns.start);
            let tile = &tiles[i / ROWS * column_panels + j / COLUMNS];
            let sums = [0, 1, 2].map(|level: usize| tile[level][i % ROWS][j % COLUMNS]);
            // SAFETY: the element is within C, which nothing else accesses.
            unsafe {
                let place = self.c.at(row, column);
                place.write((self.round)(&sums[..self.levels.count], place.read()));
            }
        }
    }

    /// Packs panels of vectors as `[panel][depth][width]`.
    fn pack(
        &self,
        source: &dyn Source,
        vectors: Range<usize>,
        depths: &Range<usize>,
        width: usize,
        block: &mut Vec<f32>,
        packed: &mut Vec<f64>,
    ) {
        packed.clear();
        for start in vectors.clone().step_by(width) {
            block.clear();
            block.resize(depths.len() * width, 0.0);
            source.block(start..(start + width).min(vectors.end), depths.clone(), width, block);
            self.inputs.round_fully(block);
            packed.extend(block.iter().map(|&x| x as f64));
        }
    }

    fn run(&self, a: &[f64], b: &[f64], tile: &mut Sums) {
        match self.isa.instructions() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the token proves that the machine has the leg's instructions.
            Instructions::Avx512Bf16 | Instructions::Avx512Vbmi | Instructions::Avx512 => unsafe {
                on_avx512(self.levels, a, b, tile)
            },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the token proves that the machine has the leg's instructions.
            Instructions::Avx2 => unsafe { on_avx2(self.levels, a, b, tile) },
            _ => run(self.levels, a, b, tile),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq")]
unsafe fn on_avx512(levels: Levels, a: &[f64], b: &[f64], tile: &mut Sums) {
    run(levels, a, b, tile);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn on_avx2(levels: Levels, a: &[f64], b: &[f64], tile: &mut Sums) {
    run(levels, a, b, tile);
}

#[inline(always)]
fn run(levels: Levels, a: &[f64], b: &[f64], tile: &mut Sums) {
    for row in 0..ROWS {
        match levels.count {
            1 => run_row::<1>(levels, row, a, b, tile),
            2 => run_row::<2>(levels, row, a, b, tile),
            _ => run_row::<3>(levels, row, a, b, tile),
        }
    }
}

/// One row, in plain loops over lanes that compile to vector code.
#[inline(always)]
fn run_row<const LEVELS: usize>(levels: Levels, row: usize, a: &[f64], b: &[f64], tile: &mut Sums) {
    let [first, second] = levels.cuts;
    let mut sums = [tile[0][row], tile[1][row], tile[2][row]];
    for (a, b) in a.chunks_exact(ROWS).zip(b.chunks_exact(COLUMNS)) {
        let left = a[row];
        for lane in 0..COLUMNS {
            let product = left * b[lane];
            if LEVELS == 1 {
                sums[0][lane] += product;
                continue;
            }
            let high = (product + first) - first;
            let rest = product - high;
            sums[0][lane] += high;
            if LEVELS == 2 {
                sums[1][lane] += rest;
                continue;
            }
            let middle = (rest + second) - second;
            sums[1][lane] += middle;
            sums[2][lane] += rest - middle;
        }
    }
    for level in 0..3 {
        tile[level][row] = sums[level];
    }
}

/// The exact sum of binary64 numbers and c, rounded to odd; an exact zero is +0. `None` if that takes more than a few
/// operations.
pub(crate) fn sum_odd(sums: &[f64], c: f64) -> Option<f64> {
    if !c.is_finite() {
        return None;
    }
    let mut terms = sums.iter().copied().chain([c]).filter(|&x| x != 0.0);
    let mut sum = terms.next().unwrap_or(0.0);
    let mut rest = terms.next().unwrap_or(0.0);
    for next in terms {
        let whole = sum + rest;
        let back = whole - sum;
        if (sum - (whole - back)) + (rest - back) != 0.0 {
            return None;
        }
        (sum, rest) = (whole, next);
    }
    Some(add_odd(sum, rest))
}

/// The sum of [`sum_odd`] for any numbers, in wide integers.
pub(crate) fn exact_sum(sums: &[f64], c: f64) -> Exact {
    let mut exact = Exact::zero();
    for &x in sums {
        exact.add(x);
    }
    exact.add(c);
    exact
}
