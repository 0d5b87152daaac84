//! The step d = a · b + c of every operator in vector code, as [`binade::operator`] defines it.
//!
//! Packing has rounded the operands to the input format or split them into its parts. The accumulator is a binary32
//! number. Steps process `G` vectors in lockstep, stage by stage, because one vector's chain of dependent instructions
//! is long.

use binade::carrier::{Carrier, NarrowRounding};
use binade::catalog::F64;
use binade::operator::{Compound, Variant};
use binade::{Format, Subnormals};
use binade_simd::floats::portable::Lane;
use binade_simd::floats::{Doubles, Floats};

/// A step of an accumulator.
pub(crate) trait Step: Copy + Send + Sync {
    /// Parts of an element of A or B.
    const PARTS: usize;

    /// True if parts 1 and 2 of an element are random words: see [`super::modes`].
    const DRAWS: bool = false;

    /// True if steps with a zero may be left out, and take long enough that this is worthwhile: see
    /// [`super::skipping`].
    const SKIPS: bool = false;

    /// c ← op(a, b, c).
    fn step<F: Floats, const G: usize>(&self, a: &[[F; G]; 3], b: &[[F; G]; 3], c: &mut [F; G]);

    /// Converts an accumulator to the form that it has between the steps of a run.
    #[inline(always)]
    fn begin<F: Floats>(&self, c: F) -> F {
        c
    }
    /// Converts an accumulator back after `steps` steps.
    #[inline(always)]
    fn end<F: Floats>(&self, c: F, steps: usize) -> F {
        let _ = steps;
        c
    }
}

/// All operations on an accumulator.
pub(crate) trait Rule: Step {
    /// c ← accumulate(x, c), where x is an accumulator.
    fn accumulate<F: Floats, const G: usize>(&self, x: &[F; G], c: &mut [F; G]);
    /// c ← op(a, b, c), where a and b are −0 and 1 as inputs.
    #[inline(always)]
    fn add_negative_zero<F: Floats, const G: usize>(&self, a: &[F; 3], b: &[F; 3], c: &mut [F; G]) {
        self.step(&a.map(|part| [part; G]), &b.map(|part| [part; G]), c);
    }
    /// Rounds a binary32 sum to an accumulator.
    fn round_to_accumulator<F: Floats, const G: usize>(&self, c: &mut [F; G]) {
        let _ = c;
    }
    /// Converts C before the first step. Steps may rely on it.
    fn prepare<F: Floats, const G: usize>(&self, c: &mut [F; G]) {
        for lane in c {
            *lane = lane.canonical();
        }
    }
}

/// Inputs and accumulator are binary32: the machine's own FMA.
#[derive(Clone, Copy)]
pub(crate) struct Native {
    /// True if C is a sum of several parts. The parts of −0 sum to +0, so −0 becomes +0.
    pub(crate) positive_zero: bool,
}

impl Step for Native {
    const PARTS: usize = 1;

    #[inline(always)]
    fn step<F: Floats, const G: usize>(&self, a: &[[F; G]; 3], b: &[[F; G]; 3], c: &mut [F; G]) {
        for g in 0..G {
            c[g] = a[0][g].fma(b[0][g], c[g]);
        }
    }
}

impl Rule for Native {
    #[inline(always)]
    fn accumulate<F: Floats, const G: usize>(&self, x: &[F; G], c: &mut [F; G]) {
        for g in 0..G {
            c[g] = x[g].add(c[g]);
        }
    }
    #[inline(always)]
    fn prepare<F: Floats, const G: usize>(&self, c: &mut [F; G]) {
        if self.positive_zero {
            for lane in c {
                *lane = lane.add(lane.splat_bits(0));
            }
        }
    }
}

/// A format to which accumulators are rounded.
pub(crate) trait Target: Copy + Send + Sync {
    /// True for BF16.
    const BF16: bool;

    /// To nearest even.
    fn round<F: Floats, const G: usize>(&self, x: &mut [F; G]);
}

/// BF16.
#[derive(Clone, Copy)]
pub(crate) struct Bf16;

impl Target for Bf16 {
    const BF16: bool = true;

    #[inline(always)]
    fn round<F: Floats, const G: usize>(&self, x: &mut [F; G]) {
        for lane in x {
            *lane = lane.bf16();
        }
    }
}

impl Target for NarrowRounding {
    const BF16: bool = false;

    /// For signed formats.
    #[inline(always)]
    fn round<F: Floats, const G: usize>(&self, x: &mut [F; G]) {
        let like = |bits: u64| x[0].splat_bits(bits as u32);
        let (exponent, smallest, magic) =
            (x[0].splat_bits(0x7f80_0000), like(self.smallest), like(self.magic));
        let (bound, overflow, sign) = (like(self.bound), like(self.overflow), like(self.sign));
        let gap = self.gap.map(|gap| [like(gap.middle), like(gap.lower), like(gap.upper), like(1 << 31)]);
        for lane in x {
            let magic = lane.and(exponent).max_bits(smallest).add_bits(magic);
            let mut rounded = lane.add(magic).sub(magic).or(lane.and(sign));
            if let Some([middle, lower, upper, sign]) = gap {
                let below = rounded.at_least(lower, lower, rounded);
                let above = rounded.at_least(upper, rounded, upper.or(lane.and(sign)));
                rounded = lane.at_least(middle, above, below);
            }
            *lane = lane.at_least(bound, overflow, rounded);
        }
    }
}

/// Rounds x to nearest even in a target.
pub(crate) fn nearest(target: impl Target, x: f32) -> f32 {
    let mut lanes = [Lane::of(x)];
    target.round(&mut lanes);
    lanes[0].get()
}

/// A pair of formats whose accumulator is narrower than binary32: the exact a · b + c, rounded once.
///
/// If `ODD`, the sum is rounded to odd first. That loses nothing for a format with a precision of up to 22 bits.
/// Otherwise the sum is rounded to binary32's nearest first, which is correct where [`rounds_once`] holds.
#[derive(Clone, Copy)]
pub(crate) struct Pair<T, const ODD: bool> {
    pub(crate) target: T,
    /// True if the first C is rounded to the accumulator's format, as the operators of BF16 parts require.
    pub(crate) rounds_c: bool,
}

impl<T: Target, const ODD: bool> Step for Pair<T, ODD> {
    const PARTS: usize = 1;

    #[inline(always)]
    fn step<F: Floats, const G: usize>(&self, a: &[[F; G]; 3], b: &[[F; G]; 3], c: &mut [F; G]) {
        for g in 0..G {
            c[g] = if ODD { a[0][g].fma_odd(b[0][g], c[g]) } else { a[0][g].fma(b[0][g], c[g]) };
        }
        self.target.round(c);
    }
}

impl<T: Target, const ODD: bool> Rule for Pair<T, ODD> {
    #[inline(always)]
    fn accumulate<F: Floats, const G: usize>(&self, x: &[F; G], c: &mut [F; G]) {
        let one = c[0].splat_bits(1f32.to_bits());
        for g in 0..G {
            c[g] = x[g].fma_odd(one, c[g]);
        }
        self.target.round(c);
    }
    #[inline(always)]
    fn prepare<F: Floats, const G: usize>(&self, c: &mut [F; G]) {
        for lane in c.iter_mut() {
            *lane = lane.canonical();
        }
        if self.rounds_c {
            self.target.round(c);
        }
    }
}

/// A pair of formats whose accumulator is rounded to in binary64: those for which [`NarrowRounding`] does not work within
/// binary32.
///
/// Let p = a · b and s = p + c for binary32 numbers a, b and c. The product p has at most 48 bits and is zero or from
/// 2^−298 to 2^256 in magnitude, so binary64 represents it exactly. The sum s is a multiple of 2^−298 and in binary64
/// neither overflows nor is subnormal.
///
/// - An accumulator of P ≤ 51 bits: let s° be s rounded to odd in binary64. If s ≠ s°, the last of the 53 bits of s° is
///   set. Then no binary64 number whose last bit is zero lies between them or equals s°. The accumulator's numbers and
///   the midpoints between them have at most P + 1 ≤ 52 bits. Their step is no finer than [`NarrowRounding::within`] allows, so
///   their last bit is zero. Therefore s and s° lie on the same side of each of them, and rounding s° to the
///   accumulator is rounding s. [`NarrowRounding`] does that with binary64 additions, each exact or rounded as it documents.
/// - binary64 itself: p + c is one addition of binary64, which rounds s once.
///
/// At the end the accumulator is rounded to binary32, as [`binade::Operator::multiply_add`] does. That is exact if
/// binary32 represents all its numbers, as for every format of up to 24 bits within binary32's exponents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide {
    /// The rounding to the accumulator; `None` for binary64.
    narrow: Option<NarrowRounding>,
}

impl Wide {
    /// The rule for an accumulator of this format; `None` if the derivation above does not cover it.
    pub(crate) fn new(accumulator: Format) -> Option<Wide> {
        if accumulator == F64 {
            return Some(Wide { narrow: None });
        }
        Some(Wide { narrow: Some(NarrowRounding::within(Carrier::Binary64, accumulator)?) })
    }

    /// x rounded to the format, and to binary32.
    pub(crate) fn nearest(&self, x: f32) -> f32 {
        self.rounded(f64::from(x)) as f32
    }

    /// a · b + c rounded to the accumulator.
    #[inline(always)]
    fn multiply_add<F: Floats>(&self, a: F, b: F, c: F) -> F {
        let (a, b, c) = (a.widen(), b.widen(), c.widen());
        F::narrowed(if self.narrow.is_none() { a.mul(b).add(c) } else { self.rounded(a.fma_odd(b, c)) })
    }

    /// Rounds to nearest even. [`Target`] has this operation for binary32 and signed formats.
    #[inline(always)]
    pub(crate) fn rounded<D: Doubles>(&self, x: D) -> D {
        const SIGN: u64 = 1 << 63;
        let Some(narrow) = &self.narrow else { return x };
        let magic = x
            .and(x.splat_bits(f64::INFINITY.to_bits()))
            .max_bits(x.splat_bits(narrow.smallest))
            .add_bits(x.splat_bits(narrow.magic));
        let mut rounded = x.add(magic).sub(magic).or(x.and(x.splat_bits(narrow.sign)));
        if let Some(gap) = narrow.gap {
            let (lower, upper) = (x.splat_bits(gap.lower), x.splat_bits(gap.upper));
            let below = rounded.at_least(lower, lower, rounded);
            let above = rounded.at_least(upper, rounded, upper.or(x.and(x.splat_bits(SIGN))));
            rounded = x.at_least(x.splat_bits(gap.middle), above, below);
        }
        rounded = x.at_least(x.splat_bits(narrow.bound), x.splat_bits(narrow.overflow), rounded);
        if let Some(negative) = narrow.negative {
            // Zero and NaN may still have a sign bit.
            rounded = rounded.below_zero(x.splat_bits(negative), rounded).and(x.splat_bits(!SIGN));
        }
        rounded
    }
}

impl Step for Wide {
    const PARTS: usize = 1;

    #[inline(always)]
    fn step<F: Floats, const G: usize>(&self, a: &[[F; G]; 3], b: &[[F; G]; 3], c: &mut [F; G]) {
        for g in 0..G {
            c[g] = self.multiply_add(a[0][g], b[0][g], c[g]);
        }
    }
}

impl Rule for Wide {
    #[inline(always)]
    fn accumulate<F: Floats, const G: usize>(&self, x: &[F; G], c: &mut [F; G]) {
        let one = c[0].splat_bits(1f32.to_bits());
        for g in 0..G {
            c[g] = self.multiply_add(x[g], one, c[g]);
        }
    }
}

/// True if rounding a · b + c to binary32 and then to the accumulator's format gives the exact sum rounded once. This
/// holds for all a and b of the input format and c of the accumulator's format.
///
/// Let a · b have q bits and the accumulator P. Two roundings differ only if the exact sum is within 2^(e − 24) of the
/// midpoint of two accumulator numbers but not equal to it, where 2^e is its exponent. Suppose the product is the
/// smaller addend. Then it would be that close to half a step of c, 2^(e − P), and not equal. But it differs by at
/// least 2^(e − P − q), so q ≤ 23 − P excludes this case. Suppose c is the smaller addend and q ≤ P. Then the same
/// argument holds with c's P bits, and 2P ≤ 23 excludes the case. Otherwise the sum has at most 24 bits and is exact.
/// The product must not underflow in binary32 either. Formats with a gap below their normal numbers are excluded: the
/// midpoint of the gap is not half a step.
pub(crate) fn rounds_once(inputs: Format, accumulator: Format) -> bool {
    let (q, p) = (2 * inputs.precision(), accumulator.precision());
    let finest = 2 * (inputs.emin() - inputs.precision() as i32);
    let even = accumulator.subnormals() == Subnormals::Ieee;
    even && q <= p && q + p <= 23 && 2 * p <= 23 && finest >= -149
}

/// An operator of the BF16 paper with N input parts, M accumulator parts and P products; `PLAIN` if it is the standard
/// variant without flushing.
#[derive(Clone, Copy)]
pub(crate) struct Parts<const N: usize, const M: usize, const P: usize, const PLAIN: bool> {
    listing: bool,
    flush: bool,
    /// −0, hidden from the compiler.
    negative_zero: u32,
}

/// The bits of −0, hidden from the compiler, for [`product`].
pub(crate) fn negative_zero() -> u32 {
    std::hint::black_box(1 << 31)
}

impl<const N: usize, const M: usize, const P: usize, const PLAIN: bool> Parts<N, M, P, PLAIN> {
    pub(crate) fn new(compound: Compound) -> Self {
        Parts {
            listing: compound.variant == Variant::Listing,
            flush: compound.flush,
            negative_zero: negative_zero(),
        }
    }

    /// The parts of x, leading first. If the leading part is infinite, the definition makes all parts infinite, and
    /// here they may be finite. A sum with finite parts, or with parts that are all infinite, is the same either way.
    #[inline(always)]
    fn split<F: Floats, const G: usize>(&self, x: &[F; G], parts: usize) -> [[F; G]; 3] {
        let mut all = [*x; 3];
        let mut rest = *x;
        if !PLAIN && self.flush {
            for lane in &mut rest {
                *lane = lane.flushed();
            }
        }
        for i in 0..parts {
            if i > 0 {
                for g in 0..G {
                    rest[g] = rest[g].rest(all[i - 1][g]);
                }
            }
            for g in 0..G {
                all[i][g] = rest[g].bf16();
            }
        }
        all
    }

    /// The sum of the leading `count` parts, largest first.
    #[inline(always)]
    fn join<F: Floats, const G: usize>(parts: &[[F; G]; 3], count: usize) -> [F; G] {
        let mut sum = parts[0];
        for part in &parts[1..count] {
            for g in 0..G {
                sum[g] = sum[g].add(part[g]);
            }
        }
        sum
    }

    /// The accumulator as the binary32 sum of its parts. A step's result must be split again: a sum of two parts may be
    /// so large that it counts as infinite.
    #[inline(always)]
    fn whole<F: Floats, const G: usize>(&self, c: &[F; G]) -> [F; G] {
        if PLAIN && M == 1 { *c } else { Self::join(&self.split(c, M), M) }
    }

    /// Rounds a binary32 sum to the accumulator.
    #[inline(always)]
    fn finish<F: Floats, const G: usize>(&self, sum: [F; G]) -> [F; G] {
        if !PLAIN && self.listing { sum } else { Self::join(&self.split(&sum, M), M) }
    }

    /// Adds the binary32 product to c, for N > 1.
    #[inline(always)]
    fn merge<F: Floats, const G: usize>(&self, product: &[F; G], c: &mut [F; G]) {
        let (m, parts) = (self.split(product, N), self.split(c, N));
        let mut pairs = [*c; 3];
        for i in 0..N {
            for g in 0..G {
                pairs[i][g] = m[i][g].add(parts[i][g]);
            }
        }
        let mut sum = pairs[0];
        for g in 0..G {
            sum[g] = if N == 2 {
                pairs[0][g].add(pairs[1][g])
            } else {
                pairs[2][g].add(pairs[1][g]).add(pairs[0][g])
            };
        }
        *c = self.finish(sum);
    }
}

/// The binary32 product of parts. A partial product without an addend is fused with `zero`, a −0 hidden from the
/// compiler, which does not change it. Some processors are slow at a multiplication with a subnormal result but not at
/// a fused one. A visible −0 would be optimised back to a multiplication.
#[inline(always)]
pub(crate) fn product<F: Floats, const G: usize, const P: usize>(
    zero: F,
    a: &[[F; G]; 3],
    b: &[[F; G]; 3],
) -> [F; G] {
    let mut product = a[0];
    for (number, &(i, j)) in const { Compound::order(P) }.iter().enumerate() {
        for g in 0..G {
            product[g] = if number == 0 {
                a[i][g].fma(b[j][g], zero)
            } else if P == 3 && number == 2 {
                // The paper's listing computes the product of the leading parts separately.
                product[g].add(a[i][g].fma(b[j][g], zero))
            } else {
                a[i][g].fma(b[j][g], product[g])
            };
        }
    }
    product
}

impl<const N: usize, const M: usize, const P: usize, const PLAIN: bool> Step for Parts<N, M, P, PLAIN> {
    const PARTS: usize = N;

    #[inline(always)]
    fn step<F: Floats, const G: usize>(&self, a: &[[F; G]; 3], b: &[[F; G]; 3], c: &mut [F; G]) {
        if N == 1 {
            let mut sum = self.whole(c);
            for g in 0..G {
                sum[g] = a[0][g].fma(b[0][g], sum[g]);
            }
            *c = self.finish(sum);
            return;
        }
        let product = product::<F, G, P>(b[0][0].splat_bits(self.negative_zero), a, b);
        self.merge(&product, c);
    }
}

impl<const N: usize, const M: usize, const P: usize, const PLAIN: bool> Rule for Parts<N, M, P, PLAIN> {
    #[inline(always)]
    fn accumulate<F: Floats, const G: usize>(&self, x: &[F; G], c: &mut [F; G]) {
        if N == 1 {
            let mut sum = self.whole(c);
            for g in 0..G {
                sum[g] = x[g].add(sum[g]);
            }
            *c = self.finish(sum);
        } else {
            self.merge(x, c);
        }
    }

    #[inline(always)]
    fn add_negative_zero<F: Floats, const G: usize>(&self, a: &[F; 3], b: &[F; 3], c: &mut [F; G]) {
        if N == 1 {
            // Adding −0 leaves every number unchanged.
            *c = self.finish(self.whole(c));
        } else {
            let [product] = product::<F, 1, P>(
                a[0].splat_bits(self.negative_zero),
                &a.map(|part| [part]),
                &b.map(|part| [part]),
            );
            self.merge(&[product; G], c);
        }
    }

    #[inline(always)]
    fn prepare<F: Floats, const G: usize>(&self, c: &mut [F; G]) {
        for lane in c.iter_mut() {
            *lane = lane.canonical();
        }
        // With several parts every step splits C itself. Splitting twice would give a different result than splitting
        // once.
        if N == 1 && M == 1 {
            *c = Self::join(&self.split(c, M), M);
        }
    }
    #[inline(always)]
    fn round_to_accumulator<F: Floats, const G: usize>(&self, c: &mut [F; G]) {
        *c = self.finish(*c);
    }
}

/// True if every finite number of the format is a binary32 number.
pub(super) fn within_binary32(format: Format) -> bool {
    format.precision() <= 24 && format.emax() <= 127 && format.emin() - format.precision() as i32 >= -149
}
