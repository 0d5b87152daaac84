//! Faster steps of the operators of BF16 parts for data that cannot underflow, or cannot overflow.
//!
//! They compute what [`Parts`](super::rules::Parts) computes, with fewer instructions. They leave out handling of the
//! other end of the range, and do once what the end of one step and the start of the next would both do.

#[cfg(doc)]
use binade_simd::floats::BF16_OVERFLOW;
use binade_simd::floats::Floats;

use super::micro::{Kernel, Planes, Shape, TileSteps, Word};
use super::rules::{Step, negative_zero, product};
use super::skipping::Skipping;

/// An operator of N input parts, M accumulator parts and P products, for data without overflow.
///
/// The accumulator is the sum of its parts. A step recovers them by rounding all but the last, which is the remainder.
#[derive(Clone, Copy)]
pub(crate) struct NoOverflow<const N: usize, const M: usize, const P: usize> {
    negative_zero: u32,
}

impl<const N: usize, const M: usize, const P: usize> NoOverflow<N, M, P> {
    pub(crate) fn new() -> Self {
        NoOverflow { negative_zero: negative_zero() }
    }

    /// The sum of two or three parts of x.
    ///
    /// Three parts hold 24 bits, but only multiples of 2^−133. Rounding to these is rounding to nearest even: a tie of
    /// a lower part goes to even in units in which the higher parts are even or zero. So it is a multiplication by
    /// 2^−16, whose subnormal results are multiples of 2^−149, and one by 2^16. Both are fused with a zero, see
    /// [`product`]. The first zero is +0: the parts of −0 are −0, +0 and +0, whose sum is +0. A negative number that
    /// underflows keeps its −0.
    #[inline(always)]
    fn joined<F: Floats, const G: usize>(&self, x: [F; G]) -> [F; G] {
        let mut joined = x;
        let zero = x[0].splat_bits(self.negative_zero);
        if M == 2 {
            let parts = split::<F, G, 2>(&x, true);
            for g in 0..G {
                joined[g] = parts[0][g].add(parts[1][g]);
            }
        } else {
            let [down, up] = [-16, 16].map(|exponent| x[0].splat_bits(((127 + exponent) as u32) << 23));
            for lane in &mut joined {
                *lane = lane.fma(down, x[0].splat_bits(0));
            }
            for lane in &mut joined {
                *lane = lane.fma(up, zero);
            }
        }
        joined
    }
}

/// Splits x into N parts; the last one is rounded too if `round`.
#[inline(always)]
fn split<F: Floats, const G: usize, const N: usize>(x: &[F; G], round: bool) -> [[F; G]; 3] {
    let mut parts = [*x; 3];
    let mut rest = *x;
    for i in 0..N {
        for g in 0..G {
            if i > 0 {
                rest[g] = rest[g].sub(parts[i - 1][g]);
            }
        }
        for g in 0..G {
            parts[i][g] = if i + 1 < N || round { rest[g].bf16() } else { rest[g] };
        }
    }
    parts
}

/// The sum of the parts of a product and of an accumulator, as the operators with several input parts define it.
#[inline(always)]
pub(super) fn sum<F: Floats, const G: usize, const N: usize>(m: &[[F; G]; 3], c: &[[F; G]; 3]) -> [F; G] {
    let mut sums = *m;
    for i in 0..N {
        for g in 0..G {
            sums[i][g] = m[i][g].add(c[i][g]);
        }
    }
    let mut sum = sums[0];
    for g in 0..G {
        sum[g] = if N == 2 { sums[0][g].add(sums[1][g]) } else { sums[2][g].add(sums[1][g]).add(sums[0][g]) };
    }
    sum
}

impl<const N: usize, const M: usize, const P: usize> Step for NoOverflow<N, M, P> {
    const PARTS: usize = N;

    #[inline(always)]
    fn step<F: Floats, const G: usize>(&self, a: &[[F; G]; 3], b: &[[F; G]; 3], c: &mut [F; G]) {
        if N == 1 {
            for g in 0..G {
                c[g] = a[0][g].fma(b[0][g], c[g]);
            }
            *c = self.joined(*c);
            return;
        }
        let product = product::<F, G, P>(b[0][0].splat_bits(self.negative_zero), a, b);
        *c = self.joined(sum::<F, G, N>(&split::<F, G, N>(&product, true), &split::<F, G, N>(c, false)));
    }
}

/// An operator of N input parts, M > 1 accumulator parts and P products, for data without underflow.
///
/// The accumulator is the last step's sum before it is split: the next step splits it. `NORMAL` if no number is
/// subnormal.
#[derive(Clone, Copy)]
pub(crate) struct NoUnderflowSteps<const N: usize, const M: usize, const P: usize, const NORMAL: bool>;

/// Steps for data where numbers may be subnormal.
pub(crate) type NoUnderflow<const N: usize, const M: usize, const P: usize> =
    NoUnderflowSteps<N, M, P, false>;
/// Steps for data where all numbers are normal.
pub(crate) type AllNormal<const N: usize, const M: usize, const P: usize> = NoUnderflowSteps<N, M, P, true>;

impl<const N: usize, const M: usize, const P: usize, const NORMAL: bool> NoUnderflowSteps<N, M, P, NORMAL> {
    pub(crate) fn new() -> Self {
        NoUnderflowSteps
    }
    /// The leading part, infinite where x counts as infinite, and the remainder.
    #[inline(always)]
    fn leading<F: Floats, const G: usize>(x: &[F; G], of_sum: bool) -> ([F; G], [F; G]) {
        let (mut leading, mut rest) = (*x, *x);
        for g in 0..G {
            leading[g] = if of_sum { x[g].bf16_of_sum() } else { x[g].bf16() };
        }
        for g in 0..G {
            rest[g] = x[g].rest(leading[g]);
        }
        (leading, rest)
    }

    /// Parts whose sum is that of x's parts. The first is infinite where that sum counts as infinite. Three parts are
    /// exact.
    #[inline(always)]
    fn split<F: Floats, const G: usize, const COUNT: usize>(x: &[F; G], of_sum: bool) -> [[F; G]; 3] {
        let (leading, rest) = Self::leading(x, of_sum);
        let mut parts = [leading; 3];
        for g in 0..G {
            parts[1][g] = rest[g].bf16();
        }
        if COUNT == 3 {
            for g in 0..G {
                parts[2][g] = rest[g].rest(parts[1][g]);
            }
        }
        parts
    }
}

impl<const N: usize, const M: usize, const P: usize, const NORMAL: bool> Step
    for NoUnderflowSteps<N, M, P, NORMAL>
{
    const PARTS: usize = N;

    #[inline(always)]
    fn step<F: Floats, const G: usize>(&self, a: &[[F; G]; 3], b: &[[F; G]; 3], c: &mut [F; G]) {
        if N == 1 {
            let mut whole = *c;
            if M == 2 {
                let parts = Self::split::<F, G, 2>(c, true);
                for g in 0..G {
                    whole[g] = parts[0][g].add(parts[1][g]);
                }
            } else {
                for lane in &mut whole {
                    *lane = lane.overflowed();
                }
            }
            for g in 0..G {
                c[g] = a[0][g].fma(b[0][g], whole[g]);
            }
            return;
        }
        // The compiler turns the FMA with −0 into a multiplication, which is right for normal results.
        let product = product::<F, G, P>(b[0][0].splat_bits(1 << 31), a, b);
        if N == 2 && NORMAL {
            let (m, rest) = Self::leading(&product, false);
            let (parts, remaining) = Self::leading(c, true);
            for g in 0..G {
                c[g] = m[g].add(parts[g]).add(rest[g].sum_of_bf16(remaining[g]));
            }
            return;
        }
        let (m, parts) = match N {
            2 => (Self::split::<F, G, 2>(&product, false), Self::split::<F, G, 2>(c, true)),
            _ => (Self::split::<F, G, 3>(&product, false), Self::split::<F, G, 3>(c, false)),
        };
        *c = sum::<F, G, N>(&m, &parts);
    }
}

/// An operator of N input parts, M > 1 accumulator parts and P products, for data of magnitudes below
/// 2^[`Tiny::LIMIT`].
///
/// BF16's subnormal numbers are the multiples of q = 2^−133. At such magnitudes M parts hold the nearest multiple of q,
/// to even. Below 2^−126 one part does that. Up to 2^−117 (with three parts, 2^−109) each part is a multiple of q, an
/// even one except for the last. Each part leaves at most 2^−8 of its power of two to the next. The last one is a
/// subnormal number or 2^−126.
///
/// So adding 1.5 · 2^−110, whose unit in the last place is q, rounds to parts. With several input parts the product's
/// and the accumulator's parts are multiples of q, and their sums below 2^−109 are exact: c ← c + the product rounded
/// to q. The accumulator is stored as a count of q, including the bits that the constant adds at each step.
///
/// A zero is always +0 here. The operators of several input parts give no other after a step, as −0 has the parts −0
/// and +0. With one input part, a negative sum that underflows is −0. The following step does not see the difference,
/// as −0 + −0 is +0 to it as well.
#[derive(Clone, Copy)]
pub(crate) struct Tiny<const N: usize, const M: usize, const P: usize> {
    negative_zero: u32,
}

/// 1.5 · 2^−110.
pub(crate) const UNITS: u32 = (127 - 110) << 23 | 1 << 22;

impl<const N: usize, const M: usize, const P: usize> Tiny<N, M, P> {
    /// Sums of magnitudes up to 2^`LIMIT` are exact.
    pub(crate) const LIMIT: i32 = if M == 2 { -117 } else { -111 };

    pub(crate) fn new() -> Self {
        Tiny { negative_zero: negative_zero() }
    }
}

impl<const N: usize, const M: usize, const P: usize> Step for Tiny<N, M, P> {
    const PARTS: usize = N;

    #[inline(always)]
    fn step<F: Floats, const G: usize>(&self, a: &[[F; G]; 3], b: &[[F; G]; 3], c: &mut [F; G]) {
        let units = b[0][0].splat_bits(UNITS);
        if N == 1 {
            for g in 0..G {
                c[g] = a[0][g].fma(b[0][g], c[g]);
            }
            for lane in c {
                *lane = lane.add(units).sub(units);
            }
            return;
        }
        let product = product::<F, G, P>(b[0][0].splat_bits(self.negative_zero), a, b);
        for g in 0..G {
            c[g] = c[g].add_bits(product[g].add(units));
        }
    }
    #[inline(always)]
    fn begin<F: Floats>(&self, c: F) -> F {
        if N == 1 { c } else { c.add(c.splat_bits(UNITS)) }
    }
    #[inline(always)]
    fn end<F: Floats>(&self, c: F, steps: usize) -> F {
        if N == 1 {
            return c;
        }
        c.add_bits(c.splat_bits(UNITS.wrapping_mul(steps as u32).wrapping_neg())).sub(c.splat_bits(UNITS))
    }
}

/// FMA_1_3 for large data: multiples of 2^30. Three parts hold what binary32 does, except that magnitudes from
/// [`BF16_OVERFLOW`] on count as infinite.
///
/// The steps check for that after every two additions. Let x be the larger of the two sums. Add 0x8000 to its bits and
/// keep only sign and exponent. The result is ±∞ if x counts as infinite or is infinite, and a power of two up to 2 |x|
/// otherwise. Multiplied by 2^−126 it is added to the second sum. That makes the second sum infinite, or leaves it
/// unchanged: less than 4 does not change a nonzero multiple of 2^30 of 24 bits. A sum of 0 does change. The next
/// nonzero product absorbs that remnant, as it has 16 bits, and so does the end of a run.
///
/// If both sums count as infinite they have the same sign. They differ by a product, which is below
/// 2 · [`BF16_OVERFLOW`]: if the first is above [`BF16_OVERFLOW`], the second is above −[`BF16_OVERFLOW`].
#[derive(Clone, Copy)]
pub(crate) struct Capped;

/// The bits of half a step of BF16.
pub(crate) const HALF_STEP: u32 = 0x8000;
pub(crate) const EXPONENT: u32 = 0xff80_0000;
pub(crate) const LEAST: u32 = 0x0080_0000;

impl Capped {
    #[inline(always)]
    fn cap<F: Floats>(x: F, sum: F) -> F {
        let power = x.add_bits(x.splat_bits(HALF_STEP)).and(x.splat_bits(EXPONENT));
        power.fma(x.splat_bits(LEAST), sum)
    }
}

impl Step for Capped {
    const PARTS: usize = 1;

    #[inline(always)]
    fn step<F: Floats, const G: usize>(&self, a: &[[F; G]; 3], b: &[[F; G]; 3], c: &mut [F; G]) {
        for g in 0..G {
            let sum = a[0][g].fma(b[0][g], c[g]);
            c[g] = Self::cap(sum, sum);
        }
    }
    #[inline(always)]
    fn end<F: Floats>(&self, c: F, _steps: usize) -> F {
        // No zero is negative: the sum of −0's parts is +0. NaN is kept.
        c.at_least(c.splat_bits(4f32.to_bits()), c, c.sub(c))
    }
}

/// The steps of [`Tiny`], and the conditions for using them.
pub(crate) struct TinySteps {
    pub(crate) steps: Box<dyn TileSteps>,
    /// Steps after which the accumulators' magnitudes are checked again.
    pub(crate) at_once: usize,
    /// The bits of the largest magnitude that accumulators may have at a check.
    pub(crate) largest: u32,
    /// True if a run's last step must produce the right signs of zeros.
    pub(crate) signs: bool,
}

impl TinySteps {
    /// Steps for accumulators up to 2^limit and products up to 2^products; `None` if that is not worthwhile.
    ///
    /// Half of the limit is for the accumulators at a check, half for their growth until the next.
    pub(crate) fn new(
        steps: Box<dyn TileSteps>,
        limit: i32,
        products: i32,
        signs: bool,
    ) -> Option<TinySteps> {
        // A product below q that is rounded to q becomes at most q.
        let count = limit - 1 - products.max(-133);
        let largest = ((limit - 1 + 127) as u32) << 23;
        (count >= 4).then(|| TinySteps { steps, at_once: 1 << count, largest, signs })
    }
}

/// A kernel of one of these steps, with the operator's general kernel for all other data.
pub(crate) struct Ranged {
    plain: Box<dyn Kernel>,
    steps: Box<dyn TileSteps>,
    /// Steps for as long as accumulators are tiny.
    tiny: Option<TinySteps>,
    /// True if the last step's sum is still to be split.
    split_deferred: bool,
    /// True if C is rounded to the accumulator before the first step: for operators of one input part whose steps do
    /// not split C.
    rounds_c: bool,
    /// True if the general kernel computes tiles that contain −0. The steps lose its sign, and never produce a −0.
    keeps_negative_zeros: bool,
}

impl Ranged {
    /// All kernels must have tiles of the same size on the same leg.
    pub(crate) fn new(plain: Box<dyn Kernel>, steps: Box<dyn TileSteps>, split_deferred: bool) -> Ranged {
        Ranged { plain, steps, tiny: None, split_deferred, rounds_c: false, keeps_negative_zeros: false }
    }

    /// Rounds C to the accumulator before the first step, which then is like the others.
    pub(crate) fn rounding_c(self, rounds_c: bool) -> Ranged {
        Ranged { rounds_c, ..self }
    }

    /// Keeps the signs of zeros in C, which the steps lose.
    pub(crate) fn keeping_negative_zeros(self) -> Ranged {
        Ranged { keeps_negative_zeros: true, ..self }
    }

    /// Adds steps for tiny accumulators. The sum after a step is split.
    pub(crate) fn with_tiny(self, tiny: Option<TinySteps>) -> Ranged {
        Ranged { tiny, ..self }
    }

    /// All steps but the first one.
    ///
    /// # Safety
    /// `a`, `b` and `c` are valid as for [`Kernel::run`]; `depth` may be 0.
    unsafe fn following(&self, mut depth: usize, mut a: *const u32, mut b: *const u32, c: *mut f32) {
        let (a_step, b_step) = (self.rows() * self.a_words().len(), self.columns() * self.b_words().len());
        while depth > 0 {
            let (mut count, mut steps) = (depth, &self.steps);
            if let Some(tiny) = &self.tiny {
                count = (depth - tiny.signs as usize).min(tiny.at_once);
                // SAFETY: the caller guarantees that `c` is a whole tile.
                let tile = unsafe { core::slice::from_raw_parts(c, self.rows() * self.columns()) };
                if count == 0 {
                    count = 1;
                } else if self.plain.largest(tile) <= tiny.largest {
                    steps = &tiny.steps;
                }
            }
            // SAFETY: the caller guarantees `depth` steps, and 1 ≤ `count` ≤ `depth`.
            unsafe {
                steps.steps(count, a, b, c);
                (a, b) = (a.add(count * a_step), b.add(count * b_step));
            }
            depth -= count;
        }
    }
}

impl Kernel for Ranged {
    fn rows(&self) -> usize {
        self.plain.rows()
    }
    fn columns(&self) -> usize {
        self.plain.columns()
    }
    fn lanes(&self) -> usize {
        self.plain.lanes()
    }
    fn a_words(&self) -> &'static [Word] {
        self.plain.a_words()
    }
    fn b_words(&self) -> &'static [Word] {
        self.plain.b_words()
    }
    fn pack(&self, block: &[f32], shape: &Shape, planes: &mut Planes, out: &mut [u32]) {
        self.plain.pack(block, shape, planes, out);
    }
    fn prepare(&self, c: &mut [f32]) {
        self.plain.prepare(c);
    }
    unsafe fn run(&self, is_initial: bool, depth: usize, a: *const u32, b: *const u32, c: *mut f32) {
        // SAFETY: the caller guarantees `depth` steps: the first one and those that follow.
        unsafe {
            if self.keeps_negative_zeros {
                let tile = core::slice::from_raw_parts(c, self.rows() * self.columns());
                // No early exit, so that this compiles to vector code.
                if tile.iter().fold(false, |found, x| found | (x.to_bits() == 1 << 31)) {
                    return self.plain.run(is_initial, depth, a, b, c);
                }
            }
            if is_initial && self.rounds_c {
                self.plain
                    .round_to_accumulator(core::slice::from_raw_parts_mut(c, self.rows() * self.columns()));
            }
            if !is_initial || self.rounds_c {
                return self.following(depth, a, b, c);
            }
            // The initial C is split as it is, not as a sum of parts.
            self.plain.run(true, 1, a, b, c);
            let (a_step, b_step) =
                (self.rows() * self.a_words().len(), self.columns() * self.b_words().len());
            self.following(depth - 1, a.add(a_step), b.add(b_step), c);
        }
    }
    fn skipping(&self) -> Option<&dyn Skipping> {
        (self.steps.skips() && self.tiny.is_none()).then_some(self)
    }
    fn finish(&self, c: &mut [f32]) {
        if self.split_deferred {
            self.plain.round_to_accumulator(c);
        }
    }
    fn round_to_accumulator(&self, c: &mut [f32]) {
        self.plain.round_to_accumulator(c);
    }
    fn largest(&self, c: &[f32]) -> u32 {
        self.plain.largest(c)
    }
    fn accumulate(&self, x: &[f32], c: &mut [f32]) {
        self.plain.accumulate(x, c);
    }
}

impl Skipping for Ranged {
    unsafe fn run_lists(
        &self,
        swapped: bool,
        steps: usize,
        a: *const u32,
        at: *const u32,
        b: *const u32,
        c: *mut f32,
    ) {
        // SAFETY: the caller's guarantees are those of `run_lists`.
        unsafe { self.steps.lists(swapped, steps, a, at, b, c) }
    }
}
