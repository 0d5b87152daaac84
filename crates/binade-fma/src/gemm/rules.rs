//! The step d = a · b + c of every operator, on vectors, as [`binade::operator`] defines it.
//!
//! Operands come rounded to the input format, or split into its parts, by the packing; the accumulator is a binary32.
//! Steps work on `G` vectors in lockstep, stage by stage, since one vector's chain of dependent instructions is long.

use binade::carrier::{Carrier, Narrow};
use binade::catalog::F64;
use binade::operator::{Compound, Variant};
use binade::{Format, Subnormals};
use binade_simd::floats::portable::Lane;
use binade_simd::floats::{Doubles, Floats};

/// A step of an accumulator.
pub(crate) trait Step: Copy + Send + Sync {
    /// Parts of an element of A or B.
    const PARTS: usize;

    /// Whether steps with a zero may be left out, and take long enough to be worth it: see [`super::skipping`].
    const SKIPS: bool = false;

    /// c ← op(a, b, c).
    fn step<F: Floats, const G: usize>(&self, a: &[[F; G]; 3], b: &[[F; G]; 3], c: &mut [F; G]);

    /// What an accumulator is between the steps of a run.
    #[inline(always)]
    fn begin<F: Floats>(&self, c: F) -> F {
        c
    }
    /// The accumulator again, after so many steps.
    #[inline(always)]
    fn end<F: Floats>(&self, c: F, steps: usize) -> F {
        let _ = steps;
        c
    }
}

/// All that happens to an accumulator.
pub(crate) trait Rule: Step {
    /// c ← accumulate(x, c), x being an accumulator.
    fn accumulate<F: Floats, const G: usize>(&self, x: &[F; G], c: &mut [F; G]);
    /// c ← op(a, b, c), a and b being what −0 and 1 are as inputs.
    #[inline(always)]
    fn hold<F: Floats, const G: usize>(&self, a: &[F; 3], b: &[F; 3], c: &mut [F; G]) {
        self.step(&a.map(|part| [part; G]), &b.map(|part| [part; G]), c);
    }
    /// What an accumulator keeps of a binary32 sum.
    fn settle<F: Floats, const G: usize>(&self, c: &mut [F; G]) {
        let _ = c;
    }
    /// c as the first step finds it. Steps may rely on having seen it.
    fn prepare<F: Floats, const G: usize>(&self, c: &mut [F; G]) {
        for lane in c {
            *lane = lane.canonical();
        }
    }
}

/// Inputs that are binary32, an accumulator that is binary32: the machine's own FMA.
#[derive(Clone, Copy)]
pub(crate) struct Native {
    /// Whether C is the sum of several parts, of which −0 has +0 ones: it counts as +0.
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
                *lane = lane.add(lane.like(0));
            }
        }
    }
}

/// A format that accumulators are rounded to.
pub(crate) trait Target: Copy + Send + Sync {
    /// Whether it is BF16.
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

impl Target for Narrow {
    const BF16: bool = false;

    /// For signed formats.
    #[inline(always)]
    fn round<F: Floats, const G: usize>(&self, x: &mut [F; G]) {
        let like = |bits: u64| x[0].like(bits as u32);
        let (exponent, smallest, magic) = (x[0].like(0x7f80_0000), like(self.smallest), like(self.magic));
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

/// x to nearest even in a target.
pub(crate) fn nearest(target: impl Target, x: f32) -> f32 {
    let mut lanes = [Lane::of(x)];
    target.round(&mut lanes);
    lanes[0].get()
}

/// Any pair of formats whose accumulator is narrower than binary32: the exact a · b + c rounded once.
///
/// If `ODD`, through a sum rounded to odd, which loses nothing for a format of up to 22 bits of precision. Otherwise
/// through binary32's nearest, which is allowed where [`rounds_once`] holds.
#[derive(Clone, Copy)]
pub(crate) struct Pair<T, const ODD: bool> {
    pub(crate) target: T,
    /// Whether the first C is rounded to the accumulator's format, as the operators of BF16 parts do.
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
        let one = c[0].like(1f32.to_bits());
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

/// A pair of formats whose accumulator is rounded to in binary64: those that [`Narrow`] does not cover within binary32.
///
/// Let p = a · b and s = p + c for binary32 numbers a, b and c. p has at most 48 bits and is zero or from 2^−298 to 2^256 in
/// magnitude, so that binary64 holds it; s is a multiple of 2^−298 and neither overflows nor is subnormal there.
///
/// - An accumulator of P ≤ 51 bits: let s° be s rounded to odd in binary64. If s is not s°, the last of the 53 bits of s° is
///   set, and no binary64 number with a last bit of zero lies between them or is s°. The accumulator's numbers and the middles
///   between them have at most P + 1 ≤ 52 bits and no finer step than [`Narrow::within`] allows, hence such a last bit. So s
///   and s° lie on the same side of each of them: rounding s° to the accumulator is rounding s. [`Narrow`] does that with
///   additions of binary64, each exact or rounded as it says.
/// - binary64 itself: p + c is one addition of binary64, which rounds s once.
///
/// The accumulator's number is rounded to binary32 at the end, as [`binade::Operator::multiply_add`] does: exact where
/// binary32 has all its numbers, as for every format of up to 24 bits within binary32's exponents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wide {
    /// How to round to the accumulator; `None` for binary64.
    narrow: Option<Narrow>,
}

impl Wide {
    /// For an accumulator of this format, if it is one of these.
    pub(crate) fn new(accumulator: Format) -> Option<Wide> {
        if accumulator == F64 {
            return Some(Wide { narrow: None });
        }
        Some(Wide { narrow: Some(Narrow::within(Carrier::Binary64, accumulator)?) })
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

    /// To nearest even. [`Target`] has the same for binary32 and signed formats.
    #[inline(always)]
    pub(crate) fn rounded<D: Doubles>(&self, x: D) -> D {
        const SIGN: u64 = 1 << 63;
        let Some(narrow) = &self.narrow else { return x };
        let magic = x
            .and(x.like(f64::INFINITY.to_bits()))
            .max_bits(x.like(narrow.smallest))
            .add_bits(x.like(narrow.magic));
        let mut rounded = x.add(magic).sub(magic).or(x.and(x.like(narrow.sign)));
        if let Some(gap) = narrow.gap {
            let (lower, upper) = (x.like(gap.lower), x.like(gap.upper));
            let below = rounded.at_least(lower, lower, rounded);
            let above = rounded.at_least(upper, rounded, upper.or(x.and(x.like(SIGN))));
            rounded = x.at_least(x.like(gap.middle), above, below);
        }
        rounded = x.at_least(x.like(narrow.bound), x.like(narrow.overflow), rounded);
        if let Some(negative) = narrow.negative {
            // Zero and NaN may still have a sign.
            rounded = rounded.below_zero(x.like(negative), rounded).and(x.like(!SIGN));
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
        let one = c[0].like(1f32.to_bits());
        for g in 0..G {
            c[g] = self.multiply_add(x[g], one, c[g]);
        }
    }
}

/// Whether binary32's rounding of a · b + c to nearest, rounded to the accumulator's format again, is the exact sum
/// rounded once, for all a and b of one format and c of the other.
///
/// Let a · b have q bits and the accumulator P. Two roundings differ only if the exact sum is close to, but not on, the
/// middle of two accumulator numbers: within 2^(e − 24), 2^e being its exponent. Where the product is the smaller addend
/// it would have to be that close to half a step of c, 2^(e − P), and not equal: it is at least 2^(e − P − q) away, so
/// q ≤ 23 − P excludes it. Where c is the smaller addend and q ≤ P, the same holds with c's P bits, and 2P ≤ 23
/// excludes it. Otherwise the sum has at most 24 bits and is exact. Nor may the product underflow in binary32. (Formats with a
/// gap below their normal numbers, whose middle is not a half step, are left out.)
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
    /// −0, unknown to the compiler.
    negative_zero: u32,
}

/// The bits of −0, unknown to the compiler, for [`product`].
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

    /// The parts of x, leading first. Where the leading part is infinite the others may be finite here and are infinite
    /// in the definition; that makes no difference to a sum with finite parts, or with parts that are all infinite.
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

    /// The accumulator as the binary32 sum of its parts. Splitting again is not idle after a step: sums of two parts may be
    /// so large that they count as infinite.
    #[inline(always)]
    fn whole<F: Floats, const G: usize>(&self, c: &[F; G]) -> [F; G] {
        if PLAIN && M == 1 { *c } else { Self::join(&self.split(c, M), M) }
    }

    /// The binary32 sum to the accumulator.
    #[inline(always)]
    fn finish<F: Floats, const G: usize>(&self, sum: [F; G]) -> [F; G] {
        if !PLAIN && self.listing { sum } else { Self::join(&self.split(&sum, M), M) }
    }

    /// d from the binary32 product and c, for N > 1.
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

/// The binary32 product of parts. `zero` is −0, unknown to the compiler: a partial product alone is fused with it, which
/// changes nothing, since processors that take long over a multiplication whose result is subnormal do not over a fused
/// one. (The compiler would make it a multiplication again.)
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
                // The paper's listing multiplies the leading parts apart.
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
        let product = product::<F, G, P>(b[0][0].like(self.negative_zero), a, b);
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
    fn hold<F: Floats, const G: usize>(&self, a: &[F; 3], b: &[F; 3], c: &mut [F; G]) {
        if N == 1 {
            // −0 leaves every number as it is.
            *c = self.finish(self.whole(c));
        } else {
            let [product] = product::<F, 1, P>(
                a[0].like(self.negative_zero),
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
        // With more parts every step splits C itself, and splitting twice is not splitting once.
        if N == 1 && M == 1 {
            *c = Self::join(&self.split(c, M), M);
        }
    }
    #[inline(always)]
    fn settle<F: Floats, const G: usize>(&self, c: &mut [F; G]) {
        *c = self.finish(*c);
    }
}
