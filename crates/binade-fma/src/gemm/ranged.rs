//! Steps of the operators of BF16 parts where either nothing underflows or nothing overflows.
//!
//! They are [`Parts`](super::rules::Parts)'s steps with fewer instructions: what only the other end of the
//! range needs is left out, and what the end of one step and the start of the next do twice is done once.

#[cfg(doc)]
use binade_simd::floats::BF16_OVERFLOW;
use binade_simd::floats::Floats;

use super::micro::{Kernel, Planes, Run, Shape, Word};
use super::rules::{Step, negative_zero, product};
use super::skipping::Skipping;

/// An operator of N input parts, M accumulator parts and P products, where nothing overflows.
///
/// The accumulator is the sum of its parts. They are found again by rounding all but the last, which is what
/// remains.
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
    /// Three parts hold 24 bits, but no more than multiples of 2^−133. Rounding to these is rounding to
    /// nearest even, as a tie of a lower part is to even in units in which the higher parts are even, or all
    /// that there is. So it is a multiplication with 2^−16, whose subnormal results are multiples of 2^−149,
    /// and one with 2^16, both fused with a zero, see [`product`]. The first zero is +0: −0 has the parts −0,
    /// +0, +0, of which the sum is +0, unlike those of negative numbers that vanish.
    #[inline(always)]
    fn joined<F: Floats, const G: usize>(&self, x: [F; G]) -> [F; G] {
        let mut joined = x;
        let zero = x[0].like(self.negative_zero);
        if M == 2 {
            let parts = split::<F, G, 2>(&x, true);
            for g in 0..G {
                joined[g] = parts[0][g].add(parts[1][g]);
            }
        } else {
            let [down, up] = [-16, 16].map(|exponent| x[0].like(((127 + exponent) as u32) << 23));
            for lane in &mut joined {
                *lane = lane.fma(down, x[0].like(0));
            }
            for lane in &mut joined {
                *lane = lane.fma(up, zero);
            }
        }
        joined
    }
}

/// Splits x into N parts, the last one rounded too if `round`.
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

/// The sum of the parts of a product and of an accumulator, as the operators with several input parts define
/// it.
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
        let product = product::<F, G, P>(b[0][0].like(self.negative_zero), a, b);
        *c = self.joined(sum::<F, G, N>(&split::<F, G, N>(&product, true), &split::<F, G, N>(c, false)));
    }
}

/// An operator of N input parts, M > 1 accumulator parts and P products, where nothing underflows.
///
/// The accumulator is what the last step's sum was before it was split: the next step does that. `NORMAL` if
/// nothing is even subnormal.
#[derive(Clone, Copy)]
pub(crate) struct Above<const N: usize, const M: usize, const P: usize, const NORMAL: bool>;

/// Subnormal numbers among those that are computed.
pub(crate) type NoUnderflow<const N: usize, const M: usize, const P: usize> = Above<N, M, P, false>;
/// None.
pub(crate) type AllNormal<const N: usize, const M: usize, const P: usize> = Above<N, M, P, true>;

impl<const N: usize, const M: usize, const P: usize, const NORMAL: bool> Above<N, M, P, NORMAL> {
    pub(crate) fn new() -> Self {
        Above
    }
    /// The leading part, infinite where x counts as infinite, and the rest.
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

impl<const N: usize, const M: usize, const P: usize, const NORMAL: bool> Step for Above<N, M, P, NORMAL> {
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
        // The compiler makes the fused step with −0 a multiplication, which is fine for results that are normal.
        let product = product::<F, G, P>(b[0][0].like(1 << 31), a, b);
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

/// An operator of N input parts, M > 1 accumulator parts and P products, where all is tiny: below
/// 2^[`Tiny::LIMIT`].
///
/// BF16's subnormal numbers are the multiples of q = 2^−133, and what M parts hold of such a magnitude is the
/// nearest multiple of q, to even. For below 2^−126 one part does that. From there up to 2^−117, or with three
/// parts 2^−109, each part is a multiple of q, an even one but for the last, and leaves at most the
/// 2^−8th of its power of two to the next one; the last one is a subnormal number or 2^−126.
///
/// So adding 1.5 · 2^−110, whose units are q, rounds to parts. With several input parts both the product's and
/// the accumulator's parts are multiples of q, and their sums below 2^−109 exact: c ← c + the product
/// rounded to q. The accumulator is a count of q, kept with what the constant's bits add at each step.
///
/// A zero is +0 here. The operators of several input parts give no other after a step, as −0 has the parts −0 and
/// +0. With one, a negative sum that vanishes is −0, which makes no difference to a following step, as −0 + −0 is
/// +0 to it as well.
#[derive(Clone, Copy)]
pub(crate) struct Tiny<const N: usize, const M: usize, const P: usize> {
    negative_zero: u32,
}

/// 1.5 · 2^−110.
pub(crate) const UNITS: u32 = (127 - 110) << 23 | 1 << 22;

impl<const N: usize, const M: usize, const P: usize> Tiny<N, M, P> {
    /// Sums of magnitudes up to 2^this are fine.
    pub(crate) const LIMIT: i32 = if M == 2 { -117 } else { -111 };

    pub(crate) fn new() -> Self {
        Tiny { negative_zero: negative_zero() }
    }
}

impl<const N: usize, const M: usize, const P: usize> Step for Tiny<N, M, P> {
    const PARTS: usize = N;

    #[inline(always)]
    fn step<F: Floats, const G: usize>(&self, a: &[[F; G]; 3], b: &[[F; G]; 3], c: &mut [F; G]) {
        let units = b[0][0].like(UNITS);
        if N == 1 {
            for g in 0..G {
                c[g] = a[0][g].fma(b[0][g], c[g]);
            }
            for lane in c {
                *lane = lane.add(units).sub(units);
            }
            return;
        }
        let product = product::<F, G, P>(b[0][0].like(self.negative_zero), a, b);
        for g in 0..G {
            c[g] = c[g].add_bits(product[g].add(units));
        }
    }
    #[inline(always)]
    fn begin<F: Floats>(&self, c: F) -> F {
        if N == 1 { c } else { c.add(c.like(UNITS)) }
    }
    #[inline(always)]
    fn end<F: Floats>(&self, c: F, steps: usize) -> F {
        if N == 1 {
            return c;
        }
        c.add_bits(c.like(UNITS.wrapping_mul(steps as u32).wrapping_neg())).sub(c.like(UNITS))
    }
}

/// FMA_1_3 where all is large: a multiple of 2^30. Three parts hold what a binary32 does then, but for magnitudes from
/// [`BF16_OVERFLOW`] on, which are infinite to them.
///
/// That is seen to after two steps at once. The larger of the two sums, x, with 0x8000 added to its bits and only its
/// sign and exponent kept, is ±∞ where it counts as infinite or is infinite, and a power of two up to 2 |x|
/// elsewhere. Its 2^−126th is added to the second sum, which makes that infinite, or leaves it as it is: less than
/// 4 is nothing to a nonzero multiple of 2^30 of 24 bits. It is not nothing to a sum of 0. Where that becomes such
/// a remnant, the next nonzero product makes it nothing again, as it has 16 bits, and the end of a run does.
///
/// If both sums count as infinite they have the same sign, given that products are less than twice
/// [`BF16_OVERFLOW`]: the second is beyond −[`BF16_OVERFLOW`] where the first is beyond [`BF16_OVERFLOW`].
#[derive(Clone, Copy)]
pub(crate) struct Capped;

/// The bits of half a step of BF16, of sign and exponent, and 2^−126.
pub(crate) const HALF_STEP: u32 = 0x8000;
pub(crate) const EXPONENT: u32 = 0xff80_0000;
pub(crate) const LEAST: u32 = 0x0080_0000;

impl Capped {
    #[inline(always)]
    fn cap<F: Floats>(x: F, sum: F) -> F {
        let power = x.add_bits(x.like(HALF_STEP)).and(x.like(EXPONENT));
        power.fma(x.like(LEAST), sum)
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
        // No zero is negative: the sum of −0's parts is +0. NaN stays.
        c.at_least(c.like(4f32.to_bits()), c, c.sub(c))
    }
}

/// The steps of [`Tiny`], and where they may be done.
pub(crate) struct TinySteps {
    pub(crate) steps: Box<dyn Run>,
    /// Steps until the accumulators are looked at again.
    pub(crate) at_once: usize,
    /// The bits of the largest magnitude they may have then.
    pub(crate) largest: u32,
    /// Whether a run's last step has to tell the signs of zeros.
    pub(crate) signs: bool,
}

impl TinySteps {
    /// For accumulators up to 2^limit and products up to 2^products; `None` if that is not worth while.
    ///
    /// Half of the limit is for what the accumulators are, half for what they become.
    pub(crate) fn new(steps: Box<dyn Run>, limit: i32, products: i32, signs: bool) -> Option<TinySteps> {
        // A product that is rounded to q is at most q where it is below.
        let count = limit - 1 - products.max(-133);
        let largest = ((limit - 1 + 127) as u32) << 23;
        (count >= 4).then(|| TinySteps { steps, at_once: 1 << count, largest, signs })
    }
}

/// The kernel of one of these steps, with the operator's kernel for all data.
pub(crate) struct Ranged {
    plain: Box<dyn Kernel>,
    steps: Box<dyn Run>,
    /// Steps for as long as accumulators are tiny.
    tiny: Option<TinySteps>,
    /// Whether the last step's sum is still to be split.
    deferred: bool,
    /// Whether C as it was given only has to become the sum of its parts: of operators of one input part that do
    /// not split it in their steps.
    settles: bool,
    /// Whether tiles with a −0 are the plain kernel's: the steps lose its sign, and make none themselves.
    keeps_zeros: bool,
}

impl Ranged {
    /// All kernels are for tiles of the same size on the same leg.
    pub(crate) fn new(plain: Box<dyn Kernel>, steps: Box<dyn Run>, deferred: bool) -> Ranged {
        Ranged { plain, steps, tiny: None, deferred, settles: false, keeps_zeros: false }
    }

    /// With C settled before the first step, which is like the others then.
    pub(crate) fn settling(self, settles: bool) -> Ranged {
        Ranged { settles, ..self }
    }

    /// With the signs of zeros in C, which the steps lose.
    pub(crate) fn keeping_zeros(self) -> Ranged {
        Ranged { keeps_zeros: true, ..self }
    }

    /// With other steps where they may be done; the sum after a step is split.
    pub(crate) fn with_tiny(self, tiny: Option<TinySteps>) -> Ranged {
        Ranged { tiny, ..self }
    }

    /// Steps but the first one.
    ///
    /// # Safety
    /// As [`Kernel::run`], but there may be none.
    unsafe fn following(&self, mut depth: usize, mut a: *const u32, mut b: *const u32, c: *mut f32) {
        let (a_step, b_step) = (self.rows() * self.a_words().len(), self.columns() * self.b_words().len());
        while depth > 0 {
            let (mut count, mut steps) = (depth, &self.steps);
            if let Some(tiny) = &self.tiny {
                count = (depth - tiny.signs as usize).min(tiny.at_once);
                // SAFETY: a whole tile, the caller's promise.
                let tile = unsafe { core::slice::from_raw_parts(c, self.rows() * self.columns()) };
                if count == 0 {
                    count = 1;
                } else if self.plain.largest(tile) <= tiny.largest {
                    steps = &tiny.steps;
                }
            }
            // SAFETY: the caller's promise; `count` of the `depth` steps, at least 1.
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
    unsafe fn run(&self, given: bool, depth: usize, a: *const u32, b: *const u32, c: *mut f32) {
        // SAFETY: the caller's promise; the first step and the others are `depth` steps.
        unsafe {
            if self.keeps_zeros {
                let tile = core::slice::from_raw_parts(c, self.rows() * self.columns());
                // No early end, so that this is vector code.
                if tile.iter().fold(false, |found, x| found | (x.to_bits() == 1 << 31)) {
                    return self.plain.run(given, depth, a, b, c);
                }
            }
            if given && self.settles {
                self.plain.settle(core::slice::from_raw_parts_mut(c, self.rows() * self.columns()));
            }
            if !given || self.settles {
                return self.following(depth, a, b, c);
            }
            // C as it was given is split as it is, not as a sum of parts.
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
        if self.deferred {
            self.plain.settle(c);
        }
    }
    fn settle(&self, c: &mut [f32]) {
        self.plain.settle(c);
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
        turned: bool,
        steps: usize,
        a: *const u32,
        at: *const u32,
        b: *const u32,
        c: *mut f32,
    ) {
        // SAFETY: the caller's promise.
        unsafe { self.steps.lists(turned, steps, a, at, b, c) }
    }
}
