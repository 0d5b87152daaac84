//! Steps of the operators of BF16 parts where either nothing underflows or nothing overflows.
//!
//! They are [`Parts`](super::rules::Parts)'s steps with fewer instructions: what only the other end of the
//! range needs is left out, and what the end of one step and the start of the next do twice is done once.

use super::floats::Floats;
use super::micro::{Kernel, Planes, Run, Shape, Word};
use super::rules::{Step, negative_zero, product};

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
fn sum<F: Floats, const G: usize, const N: usize>(m: &[[F; G]; 3], c: &[[F; G]; 3]) -> [F; G] {
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
    fn step<F: Floats, const G: usize>(&self, a: &[[F; G]; 3], b: &[F; 3], c: &mut [F; G]) {
        if N == 1 {
            for g in 0..G {
                c[g] = a[0][g].fma(b[0], c[g]);
            }
            *c = self.joined(*c);
            return;
        }
        let product = product::<F, G, P>(b[0].like(self.negative_zero), a, b);
        *c = self.joined(sum::<F, G, N>(&split::<F, G, N>(&product, true), &split::<F, G, N>(c, false)));
    }
}

/// An operator of N input parts, M > 1 accumulator parts and P products, where nothing underflows.
///
/// The accumulator is what the last step's sum was before it was split: the next step does that.
#[derive(Clone, Copy)]
pub(crate) struct NoUnderflow<const N: usize, const M: usize, const P: usize> {
    negative_zero: u32,
}

impl<const N: usize, const M: usize, const P: usize> NoUnderflow<N, M, P> {
    pub(crate) fn new() -> Self {
        NoUnderflow { negative_zero: negative_zero() }
    }

    /// Parts whose sum is that of x's parts. The first is infinite where that sum counts as infinite, and the
    /// others zero there. Three parts are exact.
    #[inline(always)]
    fn split<F: Floats, const G: usize, const COUNT: usize>(x: &[F; G], of_sum: bool) -> [[F; G]; 3] {
        let mut parts = [*x; 3];
        for g in 0..G {
            parts[0][g] = if of_sum { x[g].bf16_of_sum() } else { x[g].bf16() };
        }
        let mut rest = *x;
        for g in 0..G {
            rest[g] = x[g].rest(parts[0][g]);
        }
        for g in 0..G {
            parts[1][g] = rest[g].bf16();
        }
        if COUNT == 3 {
            for g in 0..G {
                parts[2][g] = rest[g].sub(parts[1][g]);
            }
        }
        parts
    }
}

impl<const N: usize, const M: usize, const P: usize> Step for NoUnderflow<N, M, P> {
    const PARTS: usize = N;

    #[inline(always)]
    fn step<F: Floats, const G: usize>(&self, a: &[[F; G]; 3], b: &[F; 3], c: &mut [F; G]) {
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
                c[g] = a[0][g].fma(b[0], whole[g]);
            }
            return;
        }
        let product = product::<F, G, P>(b[0].like(self.negative_zero), a, b);
        let (m, parts) = match N {
            2 => (Self::split::<F, G, 2>(&product, false), Self::split::<F, G, 2>(c, true)),
            _ => (Self::split::<F, G, 3>(&product, false), Self::split::<F, G, 3>(c, false)),
        };
        *c = sum::<F, G, N>(&m, &parts);
    }
}

/// The kernel of one of these steps, with the operator's kernel for all data.
pub(crate) struct Ranged {
    plain: Box<dyn Kernel>,
    steps: Box<dyn Run>,
    /// Whether the last step's sum is still to be split.
    deferred: bool,
}

impl Ranged {
    /// Both kernels are for tiles of the same size on the same leg.
    pub(crate) fn new(plain: Box<dyn Kernel>, steps: Box<dyn Run>, deferred: bool) -> Ranged {
        Ranged { plain, steps, deferred }
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
            if !given {
                return self.steps.steps(depth, a, b, c);
            }
            // C as it was given is split as it is, not as a sum of parts.
            self.plain.run(true, 1, a, b, c);
            if depth > 1 {
                let (a_step, b_step) =
                    (self.rows() * self.a_words().len(), self.columns() * self.b_words().len());
                self.steps.steps(depth - 1, a.add(a_step), b.add(b_step), c);
            }
        }
    }
    fn finish(&self, c: &mut [f32]) {
        if self.deferred {
            self.plain.settle(c);
        }
    }
    fn settle(&self, c: &mut [f32]) {
        self.plain.settle(c);
    }
    fn accumulate(&self, x: &[f32], c: &mut [f32]) {
        self.plain.accumulate(x, c);
    }
}
