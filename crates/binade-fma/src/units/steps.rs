//! A unit's steps on a tile of C: plain loops over lanes, which become vector code on each leg.
//!
//! A term is cut to a multiple of 2^(E − F) by a product with 2^(F − E) and a conversion to an integer, both exact but for the cut.
//! Powers of two of the operands give E: their products are compared, and zeros have the power 0. The sum of a few integers fits 32
//! bits. The sum of a step and the accumulator fit binary64, so that the last rounding is the only one.
//!
//! Where products are binary32 numbers far from its limits, terms are binary32; elsewhere they are binary64.

use std::ops::Mul;

use binade::unit::{Mode, Step, UnitOperator};
use binade::{Format, Rounding};
#[cfg(target_arch = "x86_64")]
use binade_simd::Instructions;
use binade_simd::Isa;

use super::Panel;
use crate::gemm::Data;

/// Rows and columns of a tile.
pub(super) const ROWS: usize = 4;
pub(super) const COLUMNS: usize = 16;

/// Elements of C.
pub(super) type Tile = [[f32; COLUMNS]; ROWS];

/// Elements whose sums left binary32's range.
type Flags = [[bool; COLUMNS]; ROWS];

/// The bits of a binary32 magnitude.
const MAGNITUDE: u32 = 0x7fff_ffff;

/// Exponent of the least power of two by which binary32 terms are aligned.
const NARROW_LEAST: i32 = -95;

/// Exponent of the largest products and sums that binary32 terms have.
const NARROW_MOST: i32 = 110;

/// 2^exponent, for exponents of normal binary64 numbers.
const fn power(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// The power of two in a normal number, positive; 0 for 0.
fn power_in(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0x7ff0_0000_0000_0000)
}

/// The power of two that aligns a number of a format with this least exponent; 0 for 0.
#[inline(always)]
pub(super) fn aligning_power(x: f64, emin: i32) -> f64 {
    if x == 0.0 { 0.0 } else { power_in(x).max(power(emin)) }
}

/// x / y of powers of two.
fn ratio(x: f64, y: f64) -> f64 {
    f64::from_bits(x.to_bits().wrapping_sub(y.to_bits()).wrapping_add(1023 << 52))
}

/// The largest integer up to x, for |x| < 2^51.
fn floor(x: f64) -> f64 {
    const ROUND: f64 = 1.5 * (1u64 << 52) as f64;
    let near = (x + ROUND) - ROUND;
    if near > x { near - 1.0 } else { near }
}

/// x, or a zero of its sign below 2^emin.
#[inline(always)]
fn flushed_below(x: f64, emin: i32) -> f64 {
    if x.abs() < power(emin) { 0f64.copysign(x) } else { x }
}

/// True if [`exact`] computes sums of this number of products of two formats: one or two products that binary64 has, or four that
/// are multiples of 2^l below 2^m with m − l ≤ 103.
///
/// Sums of such products are below 2^(m + 2). Binary64 rounds these with an error of at most 2^(m + 2 − 54), so that the three
/// errors of a tree add up to less than 2^(m − 50). They are multiples of 2^l: the sum of the errors has at most 53 bits.
fn sums_exactly(products: usize, formats: [Format; 2]) -> bool {
    let bits = formats.map(|format| format.precision() as i32);
    let least: i32 = formats.iter().map(|format| format.emin() - format.precision() as i32 + 1).sum();
    let most: i32 = formats.iter().map(|format| format.emax() + 1).sum();
    let are_binary64 = bits[0] + bits[1] <= 53 && least >= -900 && most <= 900;
    are_binary64 && (products <= 2 || products <= 4 && most - least <= 103)
}

/// The computation of a unit's steps for some data.
#[derive(Clone, Copy, Debug)]
pub(super) struct Method {
    mode: Mode,
    /// Terms are binary32.
    narrow: bool,
    /// Products whose integers are summed in 32 bits.
    run: usize,
    /// Least exponents of both operands' formats.
    emin: [i32; 2],
}

impl Method {
    /// The method for this data; `None` if only the definition computes the unit.
    pub(super) fn new(unit: &UnitOperator, data: &Data) -> Option<Method> {
        let mode = *unit.mode();
        let formats = unit.inputs();
        let emin = formats.map(|format| format.emin());
        let (bits, sum_bits) = match mode.step {
            Step::Exact => {
                let rounds_once =
                    mode.result.precision == 24 && mode.result.rounding == Rounding::NearestEven;
                let fits = rounds_once && !mode.flush && sums_exactly(mode.products, formats);
                return fits.then_some(Method { mode, narrow: true, run: 1, emin });
            }
            Step::Fused => return None,
            Step::OddPairs | Step::FusedPairs => return Some(Method { mode, narrow: true, run: 1, emin }),
            Step::Tree | Step::Pairs | Step::TwoChains => {
                let signed = mode.result.precision == 24 && mode.result.rounding == Rounding::NearestEven;
                return signed.then_some(Method { mode, narrow: true, run: 1, emin });
            }
            Step::Aligned { fraction_bits, .. } => (fraction_bits, fraction_bits),
            Step::Late { fraction_bits, sum_bits, .. } => (fraction_bits, sum_bits),
        };
        let (bits, sum_bits) = (i32::try_from(bits).ok()?, i32::try_from(sum_bits).ok()?);
        let log_of_products = mode.products.next_power_of_two().trailing_zeros() as i32;
        if bits > 26 || log_of_products + sum_bits + 2 > 50 || emin.iter().any(|&e| e < -1000) {
            return None;
        }
        // A term is below 2^(bits + 2).
        let run = 1 << (28 - bits).min(6);
        let [a, b, c] = (data.magnitudes)();
        // Rounding to the formats may raise magnitudes to the next power of two.
        let least = a.least_exponent() + b.least_exponent();
        let most = a.largest_exponent().saturating_add(b.largest_exponent()) + 4;
        let steps = usize::BITS as i32 - data.depth.leading_zeros() as i32;
        let narrow = a.is_finite()
            && b.is_finite()
            && c.is_finite()
            && formats[0].precision() + formats[1].precision() <= 24
            && emin.iter().all(|&e| e >= -126)
            && least >= sum_bits + NARROW_LEAST
            && most.max(c.largest_exponent()) + steps <= NARROW_MOST
            && c.least_exponent() >= NARROW_LEAST;
        Some(Method { mode, narrow, run, emin })
    }

    /// The method for a scaled step on elements of these formats, in binary64; `None` if only the definition computes it.
    pub(super) fn scaled(mode: Mode, emin: [i32; 2]) -> Option<Method> {
        let Step::Aligned { fraction_bits, .. } = mode.step else { return None };
        // Sums of groups are below 2^12 and exact, whatever their bits.
        (fraction_bits <= 38).then_some(Method {
            mode,
            narrow: false,
            run: 1 << (28 - fraction_bits).clamp(0, 6),
            emin,
        })
    }

    pub(super) fn is_narrow(&self) -> bool {
        self.narrow
    }

    /// True if the steps compute with infinities and NaN as the definition does.
    pub(super) fn keeps_infinities(&self) -> bool {
        !matches!(self.mode.step, Step::Aligned { .. } | Step::Late { .. })
    }

    /// The least exponent of accumulators, and the first one beyond their range.
    fn limits(&self) -> (i32, i32) {
        if self.mode.result.format == "f16" { (-14, 16) } else { (-126, 128) }
    }

    /// C as the unit's accumulator.
    pub(super) fn addend(&self, c: f32) -> f32 {
        let (emin, beyond) = self.limits();
        if emin == -126 || !c.is_finite() {
            return if self.mode.flush { flushed(c) } else { c };
        }
        let near = nearest(c.into(), 11, emin);
        let near = if self.mode.flush { flushed_below(near, emin) } else { near };
        if near.abs() >= power(beyond) { f32::INFINITY.copysign(c) } else { near as f32 }
    }

    /// Makes the elements of a packed operand those that steps read, and marks vectors that steps cannot compute.
    pub(super) fn prepare(&self, operand: usize, block: &mut [f32], special: &mut [bool], width: usize) {
        if self.mode.flush {
            let least = power(self.emin[operand]);
            for x in block.iter_mut() {
                *x = if f64::from(x.abs()) < least { 0f32.copysign(*x) } else { *x };
            }
        }
        if self.keeps_infinities() {
            return;
        }
        for row in block.chunks_exact_mut(width) {
            for (x, special) in row.iter_mut().zip(special.iter_mut()) {
                if !x.is_finite() {
                    *special = true;
                }
            }
            for x in row {
                *x = if x.is_finite() { *x } else { 0.0 };
            }
        }
    }

    /// Elements and their powers of two, in binary32.
    pub(super) fn pack_narrow(&self, operand: usize, block: &[f32], width: usize, out: &mut [f32]) {
        let least = power(self.emin[operand].max(-126)) as f32;
        for (row, out) in block.chunks_exact(width).zip(out.chunks_exact_mut(2 * width)) {
            let (elements, powers) = out.split_at_mut(width);
            elements.copy_from_slice(row);
            for (power, x) in powers.iter_mut().zip(row) {
                let own = f32::from_bits(x.to_bits() & 0x7f80_0000).max(least);
                *power = if *x == 0.0 { 0.0 } else { own };
            }
        }
    }

    /// Elements and their powers of two, in binary64.
    pub(super) fn pack_wide(&self, operand: usize, block: &[f32], width: usize, out: &mut [f64]) {
        for (row, out) in block.chunks_exact(width).zip(out.chunks_exact_mut(2 * width)) {
            let (elements, powers) = out.split_at_mut(width);
            for ((element, power), x) in elements.iter_mut().zip(powers).zip(row) {
                *element = f64::from(*x);
                *power = aligning_power(*element, self.emin[operand]);
            }
        }
    }

    /// The steps of a panel of A and one of B on a tile of C; of groups of products where these share scales.
    pub(super) fn run(&self, isa: Isa, a: Panel, b: Panel, c: &mut Tile, escaped: &mut Flags) {
        match isa.instructions() {
            // On AVX-512 the compiler makes code of these loops that takes 2.5 times as long as that for AVX2.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512Bf16
            | Instructions::Avx512Vbmi
            | Instructions::Avx512
            | Instructions::Avx2 => {
                // SAFETY: the token proves that the machine has AVX2 and FMA, which AVX-512 includes.
                unsafe { on_avx2(self, a, b, c, escaped) }
            }
            _ => run(self, a, b, c, escaped),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn on_avx2(method: &Method, a: Panel, b: Panel, c: &mut Tile, escaped: &mut Flags) {
    run(method, a, b, c, escaped);
}

#[inline(always)]
fn run(method: &Method, a: Panel, b: Panel, c: &mut Tile, escaped: &mut Flags) {
    if a.group > 1 {
        return grouped(method, a, b, c, escaped);
    }
    match (method.mode.step, method.narrow) {
        (Step::Aligned { .. }, true) => aligned::<f32>(method, a, b, c, escaped),
        (Step::Aligned { .. }, false) => aligned::<f64>(method, a, b, c, escaped),
        (Step::Late { .. }, true) => late::<f32>(method, a, b, c, escaped),
        (Step::Late { .. }, false) => late::<f64>(method, a, b, c, escaped),
        (Step::Tree, _) => tree(method, a, b, c),
        (Step::Pairs, _) => pairs(method, a, b, c),
        (Step::TwoChains, _) => two_chains(method, a, b, c),
        (Step::Exact, _) => exact(a, b, c, method.mode.products),
        (Step::OddPairs, _) => {
            let product = |x: f32, y: f32| flushed(x * y).into();
            of_pairs(method, a, b, c, product, |x, y| flushed(narrowed_to_odd(to_odd(two_sum(x, y)))));
        }
        (Step::FusedPairs, _) => {
            let product = |x: f32, y: f32| f64::from(x) * f64::from(y);
            of_pairs(method, a, b, c, product, |x, y| to_odd(two_sum(x, y)) as f32);
        }
        (Step::Fused, _) => {}
    }
}

/// The arithmetic that terms are in.
trait Real: Copy + PartialOrd + Mul<Output = Self> {
    const ZERO: Self;
    /// The least power of two by which terms are aligned.
    const LEAST: i32;
    /// The elements of a panel and their powers.
    fn elements<'a>(panel: Panel<'a>) -> &'a [Self];
    /// A power of two in range, from binary64.
    fn of(power: f64) -> Self;
    fn wide(self) -> f64;
    /// 2^bits / self, for a power of two.
    fn scale(self, bits: i32) -> Self;
    /// The integer part.
    ///
    /// # Safety
    /// It fits 32 bits.
    unsafe fn cut(self) -> i32;
}

impl Real for f32 {
    const ZERO: f32 = 0.0;
    const LEAST: i32 = NARROW_LEAST;
    #[inline(always)]
    fn elements<'a>(panel: Panel<'a>) -> &'a [f32] {
        panel.narrow
    }
    #[inline(always)]
    fn of(power: f64) -> f32 {
        power as f32
    }
    #[inline(always)]
    fn wide(self) -> f64 {
        self.into()
    }
    #[inline(always)]
    fn scale(self, bits: i32) -> f32 {
        f32::from_bits((((254 + bits) as u32) << 23).wrapping_sub(self.to_bits()))
    }
    #[inline(always)]
    unsafe fn cut(self) -> i32 {
        // SAFETY: the integer part fits 32 bits, as the caller guarantees.
        unsafe { self.to_int_unchecked() }
    }
}

impl Real for f64 {
    const ZERO: f64 = 0.0;
    const LEAST: i32 = -900;
    #[inline(always)]
    fn elements<'a>(panel: Panel<'a>) -> &'a [f64] {
        panel.wide
    }
    #[inline(always)]
    fn of(power: f64) -> f64 {
        power
    }
    #[inline(always)]
    fn wide(self) -> f64 {
        self
    }
    #[inline(always)]
    fn scale(self, bits: i32) -> f64 {
        f64::from_bits((((2046 + bits) as u64) << 52).wrapping_sub(self.to_bits()))
    }
    #[inline(always)]
    unsafe fn cut(self) -> i32 {
        // SAFETY: the integer part fits 32 bits, as the caller guarantees.
        unsafe { self.to_int_unchecked() }
    }
}

/// Lanes of a tile.
type Lanes<T> = [[T; COLUMNS]; ROWS];

/// A depth of both panels: elements of A and B, or their powers.
#[inline(always)]
fn at<T: Real>(a: &[T], b: &[T], depth: usize, powers: bool) -> ([T; ROWS], [T; COLUMNS]) {
    let (from_a, from_b) = ((2 * depth + powers as usize) * ROWS, (2 * depth + powers as usize) * COLUMNS);
    let mut left = [T::ZERO; ROWS];
    left.copy_from_slice(&a[from_a..from_a + ROWS]);
    let mut right = [T::ZERO; COLUMNS];
    right.copy_from_slice(&b[from_b..from_b + COLUMNS]);
    (left, right)
}

/// Raises each lane to the largest power of two among the products of depths.
#[inline(always)]
fn raise<T: Real>(most: &mut Lanes<T>, a: &[T], b: &[T], depths: impl Iterator<Item = usize>) {
    for depth in depths {
        let (left, right) = at(a, b, depth, true);
        for row in 0..ROWS {
            for lane in 0..COLUMNS {
                let power = left[row] * right[lane];
                let before = most[row][lane];
                most[row][lane] = if power > before { power } else { before };
            }
        }
    }
}

/// The sums of the products of depths, each cut to a multiple of 1 / scale; `run` of them are added in 32 bits.
#[inline(always)]
fn sum<T: Real>(
    scale: &Lanes<T>,
    a: &[T],
    b: &[T],
    depths: impl Iterator<Item = usize> + Clone,
    run: usize,
) -> Lanes<f64> {
    let mut total = [[0.0; COLUMNS]; ROWS];
    let mut depths = depths.peekable();
    while depths.peek().is_some() {
        let mut part = [[0i32; COLUMNS]; ROWS];
        for depth in depths.by_ref().take(run) {
            let (left, right) = at(a, b, depth, false);
            for row in 0..ROWS {
                for lane in 0..COLUMNS {
                    let term = left[row] * right[lane] * scale[row][lane];
                    // SAFETY: the scale is 2^F / 2^E, E being no less than the exponent of any term, so that a term is
                    // below 2^(F + 2), which `Method::new` keeps within 28 bits; `run` of them fit 31.
                    part[row][lane] = part[row][lane].wrapping_add(unsafe { term.cut() });
                }
            }
        }
        for row in 0..ROWS {
            for lane in 0..COLUMNS {
                total[row][lane] += f64::from(part[row][lane]);
            }
        }
    }
    total
}

/// The multiple of 2^(e − precision + 1) nearest to x, 2^e being its power of two, at least 2^emin.
#[inline(always)]
fn nearest(x: f64, precision: i32, emin: i32) -> f64 {
    let own = power_in(x).max(power(emin));
    let round = own * (1.5 * power(53 - precision));
    ((x + round) - round).copysign(x)
}

/// x cut to a multiple of 2^(e − precision + 1).
#[inline(always)]
fn cut(x: f64, precision: i32, emin: i32) -> f64 {
    let kept = f64::from_bits(x.to_bits() & (u64::MAX << (53 - precision)));
    let (up, down) = (power(precision - 1 - emin), power(emin + 1 - precision));
    let small = if x.abs() < power(emin) { x * up } else { 0.0 };
    // SAFETY: below 2^emin this is less than 2^(precision − 1); other numbers are replaced by 0.
    let small = f64::from(unsafe { small.to_int_unchecked::<i32>() }) * down;
    if x.abs() < power(emin) { small.copysign(x) } else { kept }
}

/// Rounds sums to the accumulator.
#[inline(always)]
fn finish(method: &Method, sums: &Lanes<f64>, c: &mut Tile, escaped: &mut Flags) {
    let precision = method.mode.result.precision as i32;
    let (emin, beyond) = method.limits();
    let beyond = power(beyond);
    let to_zero = method.mode.result.rounding == Rounding::TowardZero;
    for row in 0..ROWS {
        for lane in 0..COLUMNS {
            let x = sums[row][lane];
            let near = if to_zero { cut(x, precision, emin) } else { nearest(x, precision, emin) };
            let near = if method.mode.flush { flushed_below(near, emin) } else { near };
            let is_large = near.abs() >= beyond;
            escaped[row][lane] |= is_large;
            c[row][lane] = if is_large { 0.0 } else { near as f32 };
        }
    }
}

#[inline(always)]
fn aligned<T: Real>(method: &Method, a: Panel, b: Panel, c: &mut Tile, escaped: &mut Flags) {
    let Step::Aligned { fraction_bits, least_exponent } = method.mode.step else { return };
    let (bits, emin) = (fraction_bits as i32, method.limits().0);
    let least = T::of(power((least_exponent as i32).max(T::LEAST)));
    let depth = a.depth;
    let (a, b) = (T::elements(a), T::elements(b));
    for start in (0..depth).step_by(method.mode.products) {
        let depths = start..depth.min(start + method.mode.products);
        let mut most = [[least; COLUMNS]; ROWS];
        for row in 0..ROWS {
            for lane in 0..COLUMNS {
                let power = T::of(aligning_power(c[row][lane].into(), emin));
                most[row][lane] = if power > least { power } else { least };
            }
        }
        raise(&mut most, a, b, depths.clone());
        let scale = most.map(|row| row.map(|power| power.scale(bits)));
        let mut sums = sum(&scale, a, b, depths, method.run);
        for row in 0..ROWS {
            for lane in 0..COLUMNS {
                let own = f64::from(c[row][lane]) * scale[row][lane].wide();
                // SAFETY: as for products, the accumulator is below 2^(F + 1) in these units.
                let own = f64::from(unsafe { own.to_int_unchecked::<i32>() });
                let unit = most[row][lane].wide() * power(-bits);
                sums[row][lane] = (sums[row][lane] + own) * unit;
            }
        }
        finish(method, &sums, c, escaped);
    }
}

/// The scaled step: sums of groups, cut in binary64. A group of a panel has its elements, then the significands and the powers of
/// two of its scales.
#[inline(always)]
fn grouped(method: &Method, a: Panel, b: Panel, c: &mut Tile, escaped: &mut Flags) {
    let Step::Aligned { fraction_bits, least_exponent } = method.mode.step else { return };
    let (bits, emin, group) = (fraction_bits as i32, method.limits().0, a.group);
    let least = power((least_exponent as i32).max(<f64 as Real>::LEAST));
    let groups = a.depth / group;
    let each = method.mode.products / group;
    // The place of a row of a group's part of a panel.
    let of = |width: usize, at: usize, row: usize| (at * (group + 2) + row) * width;
    for start in (0..groups).step_by(each) {
        let end = groups.min(start + each);
        let mut most = [[least; COLUMNS]; ROWS];
        for row in 0..ROWS {
            for lane in 0..COLUMNS {
                let power = aligning_power(c[row][lane].into(), emin);
                most[row][lane] = if power > least { power } else { least };
            }
        }
        for at in start..end {
            let left = &a.wide[of(ROWS, at, group + 1)..][..ROWS];
            let right = &b.wide[of(COLUMNS, at, group + 1)..][..COLUMNS];
            for row in 0..ROWS {
                for lane in 0..COLUMNS {
                    let power = left[row] * right[lane];
                    let before = most[row][lane];
                    most[row][lane] = if power > before { power } else { before };
                }
            }
        }
        let mut sums = [[0.0; COLUMNS]; ROWS];
        for row in 0..ROWS {
            for lane in 0..COLUMNS {
                sums[row][lane] = toward_zero(f64::from(c[row][lane]) * most[row][lane].scale(bits));
            }
        }
        for at in start..end {
            let mut products = [[0.0; COLUMNS]; ROWS];
            for element in 0..group {
                let left = &a.wide[of(ROWS, at, element)..][..ROWS];
                let right = &b.wide[of(COLUMNS, at, element)..][..COLUMNS];
                for row in 0..ROWS {
                    for lane in 0..COLUMNS {
                        products[row][lane] += left[row] * right[lane];
                    }
                }
            }
            let part =
                |panel: &[f64], width: usize, row: usize, lane: usize| panel[of(width, at, row) + lane];
            for row in 0..ROWS {
                for lane in 0..COLUMNS {
                    let significand = part(a.wide, ROWS, group, row) * part(b.wide, COLUMNS, group, lane);
                    let power = part(a.wide, ROWS, group + 1, row) * part(b.wide, COLUMNS, group + 1, lane);
                    let scale = power * most[row][lane].scale(bits);
                    sums[row][lane] += toward_zero(products[row][lane] * significand * scale);
                }
            }
        }
        for row in 0..ROWS {
            for lane in 0..COLUMNS {
                // A sum of 0 is +0, whatever the signs of its terms.
                sums[row][lane] = (sums[row][lane] + 0.0) * most[row][lane] * power(-bits);
            }
        }
        finish(method, &sums, c, escaped);
    }
}

/// The integer part of |x| < 2^51, with x's sign.
#[inline(always)]
fn toward_zero(x: f64) -> f64 {
    floor(x.abs()).copysign(x)
}

#[inline(always)]
fn late<T: Real>(method: &Method, a: Panel, b: Panel, c: &mut Tile, escaped: &mut Flags) {
    let Step::Late { fraction_bits, sum_bits, halves } = method.mode.step else { return };
    let (bits, sum_bits, emin) = (fraction_bits as i32, sum_bits as i32, method.limits().0);
    let least = T::of(power(T::LEAST));
    let depth = a.depth;
    let (a, b) = (T::elements(a), T::elements(b));
    // The sums of the products of every other depth, or of all, and the powers of two of their alignments; 0 for none.
    let of = |depths: std::iter::StepBy<std::ops::Range<usize>>| {
        let mut most = [[T::ZERO; COLUMNS]; ROWS];
        raise(&mut most, a, b, depths.clone());
        let scale = most.map(|row| row.map(|power| if power > least { power } else { least }.scale(bits)));
        (most.map(|row| row.map(T::wide)), sum(&scale, a, b, depths, method.run))
    };
    for start in (0..depth).step_by(method.mode.products) {
        let depths = start..depth.min(start + method.mode.products);
        let (mut most, mut sums) = of(depths.clone().step_by(1 + halves as usize));
        if halves {
            let (of_odd, odd) = of((start + 1..depths.end).step_by(2));
            for row in 0..ROWS {
                for lane in 0..COLUMNS {
                    let (x, y) = (most[row][lane], of_odd[row][lane]);
                    let larger = if x > y { x } else { y };
                    let joined = if larger > least.wide() { larger } else { least.wide() };
                    let down = |sum: f64, own: f64| {
                        let own = if own > least.wide() { own } else { least.wide() };
                        floor(sum * ratio(own, joined))
                    };
                    sums[row][lane] = down(sums[row][lane], x) + down(odd[row][lane], y);
                    most[row][lane] = larger;
                }
            }
        }
        for row in 0..ROWS {
            for lane in 0..COLUMNS {
                let c = f64::from(c[row][lane]);
                let of_c = aligning_power(c, emin);
                let (sum, of_products) = (sums[row][lane], most[row][lane]);
                let own = if of_products > least.wide() { of_products } else { least.wide() };
                let joined = if of_c > own { of_c } else { own };
                let products = floor(sum * ratio(own, joined) * power(sum_bits - bits));
                let addend = floor(c * ratio(power(bits), joined)) * power(sum_bits - bits);
                let is_far = halves && of_c < joined * power(-25);
                let addend = if is_far { 0.0 } else { addend };
                let both = (products + addend) * (joined * power(-sum_bits));
                let both = if of_c == 0.0 { sum * (own * power(-bits)) } else { both };
                let alone = if c == 0.0 { 0.0 } else { c };
                sums[row][lane] = if of_products == 0.0 { alone } else { both };
                // Products of 2^128 and more are infinite.
                escaped[row][lane] |= of_products >= power(127);
            }
        }
        finish(method, &sums, c, escaped);
    }
}

/// x, or a zero of its sign if it is subnormal.
#[inline(always)]
fn flushed(x: f32) -> f32 {
    let is_small = x.to_bits() & MAGNITUDE < 0x0080_0000;
    if is_small { f32::from_bits(x.to_bits() & !MAGNITUDE) } else { x }
}

#[inline(always)]
fn kept(method: &Method, x: f32) -> f32 {
    if method.mode.flush { flushed(x) } else { x }
}

/// c ← a · b + c in every lane.
#[inline(always)]
fn multiply_add(method: &Method, a: Panel, b: Panel, depth: usize, c: &mut Tile) {
    let (left, right) = at(a.narrow, b.narrow, depth, false);
    for row in 0..ROWS {
        for lane in 0..COLUMNS {
            c[row][lane] = kept(method, left[row].mul_add(right[lane], c[row][lane]));
        }
    }
}

/// to ← to + x in every lane.
#[inline(always)]
fn add(method: &Method, x: &Tile, to: &mut Tile) {
    for row in 0..ROWS {
        for lane in 0..COLUMNS {
            to[row][lane] = kept(method, to[row][lane] + x[row][lane]);
        }
    }
}

#[inline(always)]
fn tree(method: &Method, a: Panel, b: Panel, c: &mut Tile) {
    // Units of the catalogue have two or four products; the sums of neighbours take as many tiles as the tree is deep.
    const DEEPEST: usize = 14;
    let products = method.mode.products;
    for start in (0..a.depth).step_by(products) {
        let mut trees = [[[0.0; COLUMNS]; ROWS]; DEEPEST];
        let mut count = 0;
        for leaf in 0..products {
            let mut sums = [[0.0; COLUMNS]; ROWS];
            if start + leaf < a.depth {
                let (left, right) = at(a.narrow, b.narrow, start + leaf, false);
                for row in 0..ROWS {
                    for lane in 0..COLUMNS {
                        sums[row][lane] = kept(method, left[row] * right[lane]);
                    }
                }
            }
            for _ in 0..leaf.trailing_ones() {
                count -= 1;
                let mut earlier = trees[count];
                add(method, &sums, &mut earlier);
                sums = earlier;
            }
            trees[count] = sums;
            count += 1;
        }
        add(method, &trees[0], c);
    }
}

/// x + y = h + l, h being the binary64 number nearest to the sum (Knuth's TwoSum).
#[inline(always)]
fn two_sum(x: f64, y: f64) -> (f64, f64) {
    let h = x + y;
    let of_y = h - x;
    (h, (x - (h - of_y)) + (y - of_y))
}

/// h + l rounded to odd, for h nearest to the sum: h if l is 0, else the neighbour of the sum whose significand is odd.
#[inline(always)]
fn to_odd((h, l): (f64, f64)) -> f64 {
    let bits = h.to_bits();
    // The sum is below h's magnitude if the signs differ; then the neighbours are this number and the one before it.
    let below = (bits ^ l.to_bits()) >> 63;
    let odd = bits.wrapping_sub(below) | 1;
    // The remainder of an infinite sum is NaN.
    f64::from_bits(if l.abs() > 0.0 { odd } else { bits })
}

/// The exact sum of products and accumulator, rounded once to binary32.
///
/// 1. The sum of the products is s + e without error, |e| ≤ ulp(s) / 2: by one TwoSum of two products, or by a tree of them whose
///    errors add up exactly ([`sums_exactly`]).
/// 2. (t, r) = TwoSum(c, s). The sum of all is t + (r + e). Let g be the smaller of the last places of c and s, of
///    which c + s is a multiple. If r ≠ 0, then |c + s| > 2^53 · g. If g is that of s, then |e| < 2^-53 |t|. If g is that of c, then
///    |c| < 2^24 · g < 2^-28 |s|, so that t is about s and |e| < 2^-52 |t|. Hence |r + e| < 2^-51 |t|.
/// 3. v = r + e and w = t + v are rounded to odd. Without r, v is e. Otherwise consider a number b, halfway between binary32
///    numbers or one of these. Near the sum, b and t are multiples of 2^-53 |t|, and so is b − t. The last place of v is far
///    below that. So r + e compares with b − t as v does, and the sum compares with b as t + v does.
/// 4. b has at most 25 bits, thus is even among binary64 numbers, and w compares with b as t + v does. So w rounds to binary32
///    as the sum does. A subnormal result has fewer bits, and the same holds.
///
/// No sum of finite terms leaves binary64's range, so that the plain sum tells infinities and NaN, and is their result.
#[inline(always)]
fn exact(a: Panel, b: Panel, c: &mut Tile, products: usize) {
    for start in (0..a.depth).step_by(products) {
        let mut terms = [[[0f64; COLUMNS]; ROWS]; 4];
        for (depth, terms) in (start..a.depth.min(start + products)).zip(&mut terms) {
            let (left, right) = at(a.narrow, b.narrow, depth, false);
            for row in 0..ROWS {
                for lane in 0..COLUMNS {
                    terms[row][lane] = f64::from(left[row]) * f64::from(right[lane]);
                }
            }
        }
        let [first, second, third, fourth] = &terms;
        for row in 0..ROWS {
            for lane in 0..COLUMNS {
                let own = f64::from(c[row][lane]);
                let (mut sum, mut error) = two_sum(first[row][lane], second[row][lane]);
                let mut plain = own + sum;
                if products > 2 {
                    let (other, of_other) = two_sum(third[row][lane], fourth[row][lane]);
                    let (both, of_both) = two_sum(sum, other);
                    plain = own + both;
                    (sum, error) = two_sum(both, error + of_other + of_both);
                }
                let (total, rest) = two_sum(own, sum);
                let rounded = to_odd(two_sum(total, to_odd(two_sum(rest, error))));
                // A sum of 0 is +0, whatever the signs of its terms.
                let sum = if plain.abs() < f64::INFINITY { rounded + 0.0 } else { plain };
                c[row][lane] = sum as f32;
            }
        }
    }
}

#[inline(always)]
fn pairs(method: &Method, a: Panel, b: Panel, c: &mut Tile) {
    for start in (0..a.depth).step_by(2) {
        match start + 1 < a.depth {
            true => multiply_add(method, a, b, start + 1, c),
            // The product of two zeros, which makes a negative zero positive.
            false => add(method, &[[0.0; COLUMNS]; ROWS], c),
        }
        multiply_add(method, a, b, start, c);
    }
}

#[inline(always)]
fn two_chains(method: &Method, a: Panel, b: Panel, c: &mut Tile) {
    for start in (0..a.depth).step_by(method.mode.products) {
        let end = a.depth.min(start + method.mode.products);
        let mut chains = [[[0.0; COLUMNS]; ROWS]; 2];
        for depth in start..end {
            multiply_add(method, a, b, depth, &mut chains[(depth - start) % 2]);
        }
        let [mut even, odd] = chains;
        add(method, &odd, &mut even);
        add(method, &even, c);
    }
}

/// x rounded to odd in binary32, but for its subnormal range.
#[inline(always)]
fn narrowed_to_odd(x: f64) -> f32 {
    const CUT: u64 = (1 << 29) - 1;
    let bits = x.to_bits();
    let last = if bits & CUT == 0 { 0 } else { 1 << 29 };
    f64::from_bits(bits & !CUT | last) as f32
}

/// The sum of each pair of products, and the accumulator plus it. Products are exact; missing ones are 0.
#[inline(always)]
fn of_pairs(
    method: &Method,
    a: Panel,
    b: Panel,
    c: &mut Tile,
    product: impl Fn(f32, f32) -> f64,
    sum: impl Fn(f64, f64) -> f32,
) {
    let padded = a.depth.next_multiple_of(method.mode.products);
    let operands = |depth: usize| match depth < a.depth {
        true => at(a.narrow, b.narrow, depth, false),
        false => ([0.0; ROWS], [0.0; COLUMNS]),
    };
    for depth in (0..padded).step_by(2) {
        let (first, second) = (operands(depth), operands(depth + 1));
        for (row, lanes) in c.iter_mut().enumerate() {
            for (lane, c) in lanes.iter_mut().enumerate() {
                let both = sum(product(first.0[row], first.1[lane]), product(second.0[row], second.1[lane]));
                *c = sum((*c).into(), both.into());
            }
        }
    }
}
