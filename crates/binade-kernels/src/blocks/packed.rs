//! Conversion between packed codes and binary32, 32 elements at a time, for legs without the 16-bit lanes that
//! [`super::powers`] and [`super::quarters`] need. The callers handle the remainder of a slice, and infinities and
//! NaNs.
//!
//! Under a scale that is a power of two, x times its reciprocal is exact, or so small that it becomes zero. Let y be
//! such a product, e its exponent but at least the format's least one, and T the number of trailing bits. Adding 2^(e +
//! 23 − T) rounds |y| to an integer k of units 2^(e − T), ties to even, in the last bits of the sum. The code is k + (e
//! − emin) · 2^T. For a normal number k is 2^T plus its trailing bits, and a k that is rounded up to 2^(T + 1) gives
//! the first code of the next binade.

use binade::Format;
use binade_simd::PackedKernel;
use binade_simd::lanes::{Lanes, PackedLeg, SmallFloat, Words};

use super::CHUNK;
use super::WHOLE;
use super::encoder::reciprocal;
use super::powers::Binary16;
use super::quarters::{self, Tensor};
use crate::pack;

/// Elements that are processed at once.
pub(super) const STEP: usize = 32;
/// Elements that share a scale in any block.
const RUN: usize = 16;
const MAGNITUDE: u32 = 0x7fff_ffff;
const EXPONENT: u32 = 0xff << 23;

/// Widens 16-bit numbers to binary32, all of `bits`, whose length is a multiple of eight. As all kernels here, to be
/// called within an [`Environment`](binade_simd::Environment).
pub(super) struct Widen<'a> {
    pub(super) bits: &'a [u16],
    pub(super) binary16: bool,
    pub(super) values: &'a mut [f32],
}

impl PackedKernel for Widen<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: PackedLeg>(self, leg: L) {
        let count = L::Words::COUNT;
        for (bits, values) in self.bits.chunks_exact(count).zip(self.values.chunks_exact_mut(count)) {
            // SAFETY: a vector is within both slices.
            unsafe {
                let words = if self.binary16 {
                    leg.widened::<true>(bits.as_ptr())
                } else {
                    leg.widened::<false>(bits.as_ptr())
                };
                words.store::<false>(values.as_mut_ptr().cast());
            }
        }
    }
}

/// The words of the largest magnitudes of blocks of 16 or 32, eight blocks at a time. Returns the number of blocks, and
/// the largest of all.
pub(super) struct Maxima<'a> {
    pub(super) numbers: &'a [f32],
    pub(super) block: usize,
    pub(super) maxima: &'a mut [u32],
}

impl PackedKernel for Maxima<'_> {
    type Output = (usize, u32);

    #[inline(always)]
    fn run<L: PackedLeg>(self, leg: L) -> (usize, u32) {
        match self.block {
            16 => self.maxima_by_eight::<L, 16>(leg),
            32 => self.maxima_by_eight::<L, 32>(leg),
            _ => (0, 0),
        }
    }
}

impl Maxima<'_> {
    #[inline(always)]
    fn maxima_by_eight<L: PackedLeg, const BLOCK: usize>(self, leg: L) -> (usize, u32) {
        const { assert!(L::Words::COUNT == 8) };
        let magnitude = leg.words(MAGNITUDE);
        let (mut done, mut all) = (0, leg.words(0));
        for (numbers, maxima) in self.numbers.chunks_exact(8 * BLOCK).zip(self.maxima.as_chunks_mut::<8>().0)
        {
            let mut vectors = [magnitude; 8];
            for (block, vector) in vectors.iter_mut().enumerate() {
                let mut most = leg.words(0);
                for at in (0..BLOCK).step_by(8) {
                    // SAFETY: this part of the block is within the slice, which has eight blocks.
                    let x = unsafe { magnitude.load_u32(numbers.as_ptr().add(BLOCK * block + at).cast()) };
                    most = most.max(x.and(magnitude));
                }
                *vector = most;
            }
            let most = leg.maxima(vectors);
            all = all.max(most);
            // SAFETY: the slice has eight words.
            unsafe { most.store::<false>(maxima.as_mut_ptr()) };
            done += 8;
        }
        let mut lanes = [0; 8];
        // SAFETY: the array has eight words.
        unsafe { all.store::<false>(lanes.as_mut_ptr()) };
        let mut most = 0;
        for lane in lanes {
            most = most.max(lane);
        }
        (done, most)
    }
}

/// The scales of runs, for a chunk at a time. Finding them inside the loops would cost a third of the rest.
struct Runs<'a> {
    scales: &'a [u8],
    block: usize,
    /// The number of elements of the first scale's block that are already done.
    within: usize,
}

impl Runs<'_> {
    #[inline(always)]
    fn next(&mut self, elements: usize) -> [u8; CHUNK / RUN] {
        let mut all = [0; CHUNK / RUN];
        let runs = &mut all[..elements / RUN];
        match self.block / RUN {
            1 if self.scales.len() >= runs.len() => {
                let (scales, rest) = self.scales.split_at(runs.len());
                runs.copy_from_slice(scales);
                self.scales = rest;
                return all;
            }
            2 if self.scales.len() >= runs.len() / 2 => {
                let (scales, rest) = self.scales.split_at(runs.len() / 2);
                for (pair, &scale) in runs.as_chunks_mut().0.iter_mut().zip(scales) {
                    *pair = (scale as u16 * 0x101).to_ne_bytes();
                }
                self.scales = rest;
                return all;
            }
            _ => {}
        }
        for run in runs {
            let Some((&scale, rest)) = self.scales.split_first() else { break };
            *run = scale;
            self.within += RUN;
            if self.within == self.block {
                (self.scales, self.within) = (rest, 0);
            }
        }
        all
    }
}

/// The method that converts numbers to codes.
#[derive(Clone, Copy)]
pub(super) enum EncodeMethod<'a> {
    /// By rounding, under scales that are powers of two.
    Powers,
    /// For E2M1: the number of the first seven words in the scale's row that a magnitude exceeds.
    Edges(&'a [[u32; 8]; 256]),
    /// By the method of [`quarters`].
    Quarters(&'a quarters::QuarterTables),
}

/// Encodes finite numbers, in whole steps and in blocks of a multiple of 16.
pub(super) struct Encode<'a> {
    pub(super) grid: Format,
    pub(super) by: EncodeMethod<'a>,
    pub(super) block: usize,
    /// True if −0 is kept.
    pub(super) zeros: bool,
    pub(super) numbers: &'a [f32],
    /// The address of the numbers that are read next, and the bytes in a number, for prefetching. Finding their largest
    /// magnitudes would otherwise wait for memory.
    pub(super) ahead: (*const u8, usize),
    pub(super) scales: &'a [u8],
    pub(super) elements: &'a mut [u8],
}

impl PackedKernel for Encode<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: PackedLeg>(self, leg: L) {
        match (self.by, self.grid.width()) {
            (EncodeMethod::Powers, 4) => self.powers::<L, 4>(leg),
            (EncodeMethod::Powers, 6) => self.powers::<L, 6>(leg),
            (EncodeMethod::Powers, _) => self.powers::<L, 8>(leg),
            (EncodeMethod::Edges(edges), _) => self.edges(leg, edges),
            (EncodeMethod::Quarters(plan), _) => match plan.tensor {
                Tensor::None => self.quarters::<L, NO_TENSOR_SCALE>(leg, plan, 1.0),
                Tensor::Factor => self.quarters::<L, TENSOR_FACTOR>(leg, plan, 1.0),
                Tensor::Divisor(divisor) => self.quarters::<L, TENSOR_DIVISOR>(leg, plan, divisor),
            },
        }
    }
}

/// Evaluates `$body` for each step: the numbers, the scales of their two runs, and the codes.
macro_rules! steps {
    ($leg:ident, $encode:ident, $width:expr, |$numbers:ident, $scales:ident, $codes:ident| $body:block) => {{
        let (mut ahead, size) = $encode.ahead;
        let mut runs = Runs { scales: $encode.scales, block: $encode.block, within: 0 };
        let chunks =
            $encode.numbers.chunks(CHUNK).zip($encode.elements.chunks_mut(pack::bytes(CHUNK, $width)));
        for (numbers, codes) in chunks {
            let scales = runs.next(numbers.len());
            let codes = codes.chunks_exact_mut(pack::bytes(STEP, $width));
            for (($numbers, $scales), $codes) in
                numbers.as_chunks::<STEP>().0.iter().zip(scales.as_chunks::<2>().0).zip(codes)
            {
                $leg.prefetch(ahead, size * STEP);
                ahead = ahead.wrapping_add(size * STEP);
                $body
            }
        }
    }};
}

/// The reciprocal 2^(127 − code) of each scale, as in [`reciprocal`].
static RECIPROCALS: [f32; 256] = {
    let mut all = [0.0; 256];
    let mut code = 0;
    while code < 256 {
        all[code] = reciprocal(code as u8);
        code += 1;
    }
    all
};

impl Encode<'_> {
    #[inline(always)]
    fn powers<L: PackedLeg, const WIDTH: u32>(self, leg: L) {
        const { assert!(4 * L::Words::COUNT == STEP) };
        let (grid, zeros) = (self.grid, self.zeros);
        let trailing = grid.precision() - 1;
        let (dropped, least) = (23 - trailing, (grid.emin() + 127) as u32);
        let (magnitude, exponent, minus_zero) =
            (leg.words(MAGNITUDE), leg.words(EXPONENT), leg.words(1 << 31));
        let (lowest, above) = (leg.words(least << 23), leg.words(dropped << 23));
        // Bytes wrap. Codes before clamping belong to numbers below twice the largest power of two, so they fit.
        let (first, most) = ((least << trailing) as u8, grid.max_finite_code() as u8);
        steps!(leg, self, WIDTH, |numbers, scales, codes| {
            let (mut magnitudes, mut signs) = ([magnitude; 4], [magnitude; 4]);
            for at in 0..4 {
                // SAFETY: this quarter is within the step.
                let x = unsafe { magnitude.load_u32(numbers.as_ptr().add(at * L::Words::COUNT).cast()) };
                let by = leg.words(RECIPROCALS[scales[at / 2] as usize].to_bits());
                let y = x.multiply_add_f32(by, minus_zero);
                let binade = y.and(exponent).max(lowest);
                let sum = y.and(magnitude).add_f32(binade.add(above));
                (magnitudes[at], signs[at]) = (binade.shr(dropped).add(sum), x);
            }
            // SAFETY: `codes` has space for a step.
            unsafe { leg.store_codes::<WIDTH>(magnitudes, (first, most), signs, zeros, codes.as_mut_ptr()) };
        });
    }

    #[inline(always)]
    fn edges<L: PackedLeg>(self, leg: L, edges: &[[u32; 8]; 256]) {
        const { assert!(4 * L::Words::COUNT == STEP) };
        let zeros = self.zeros;
        let (magnitude, none, one) = (leg.words(MAGNITUDE), leg.words(0), leg.words(1));
        steps!(leg, self, 4, |numbers, scales, codes| {
            let (mut above, mut signs) = ([none; 4], [none; 4]);
            for at in 0..4 {
                // SAFETY: this quarter is within the step.
                let x = unsafe { magnitude.load_u32(numbers.as_ptr().add(at * L::Words::COUNT).cast()) };
                let x_magnitude = x.and(magnitude);
                for &edge in &edges[scales[at / 2] as usize][..7] {
                    above[at] = above[at].increment_if(x_magnitude.gt_small(leg.words(edge)), one);
                }
                signs[at] = x;
            }
            // SAFETY: `codes` has space for a step.
            unsafe { leg.store_codes::<4>(above, (0, 7), signs, zeros, codes.as_mut_ptr()) };
        });
    }
}

/// Without a tensor's scale, with a factor, and with a divisor.
const NO_TENSOR_SCALE: u32 = 0;
const TENSOR_FACTOR: u32 = 1;
const TENSOR_DIVISOR: u32 = 2;

impl Encode<'_> {
    /// Encodes as [`quarters::Encode`] does. In two loops, because in one loop too few steps would be in flight to hide
    /// their latency.
    #[inline(always)]
    fn quarters<L: PackedLeg, const TENSOR: u32>(self, leg: L, plan: &quarters::QuarterTables, divisor: f32) {
        const { assert!(4 * L::Words::COUNT == STEP) };
        let (zeros, under) = (self.zeros, &*plan.under);
        let [whole, by, one, minus_zero] = [WHOLE, divisor, 1.0, -0.0].map(|x: f32| leg.words(x.to_bits()));
        let mut runs = Runs { scales: self.scales, block: self.block, within: 0 };
        let (mut doubles, (mut ahead, size)) = ([0; CHUNK], self.ahead);
        for (numbers, codes) in self.numbers.chunks(CHUNK).zip(self.elements.chunks_mut(CHUNK / 2)) {
            let scales = runs.next(numbers.len());
            let numbers = numbers.as_chunks::<STEP>().0;
            let doubles = &mut doubles.as_chunks_mut::<STEP>().0[..numbers.len()];
            for ((numbers, scales), doubles) in
                numbers.iter().zip(scales.as_chunks::<2>().0).zip(&mut *doubles)
            {
                leg.prefetch(ahead, size * STEP);
                ahead = ahead.wrapping_add(size * STEP);
                let (mut wholes, mut signs) = ([whole; 4], [whole; 4]);
                for at in 0..4 {
                    let scale = scales[at / 2] as usize;
                    // SAFETY: this quarter is within the step.
                    let x = unsafe { whole.load_u32(numbers.as_ptr().add(at * L::Words::COUNT).cast()) };
                    let sum = leg.fma_f32(whole, x, leg.words(under.reciprocals[scale].to_bits()));
                    let n = sum.sub_f32(whole);
                    let quarter = leg.words(under.quarters[0][scale].to_bits());
                    let rest = leg.words(under.quarters[1][scale].to_bits());
                    signs[at] = match TENSOR {
                        NO_TENSOR_SCALE => leg.fnma_f32(x, n, quarter),
                        TENSOR_FACTOR => leg.fnma_f32(leg.fnma_f32(x, n, quarter), n, rest),
                        _ => {
                            let product = leg.fma_f32(minus_zero, x, by);
                            // The negated error.
                            let error = leg.fnma_f32(product, x, by);
                            leg.fnma_f32(leg.fnma_f32(product, n, quarter), error, one)
                        }
                    };
                    wholes[at] = sum.sub(whole);
                }
                // SAFETY: `doubles` has space for a step.
                unsafe { leg.store_doubles(wholes, signs, doubles.as_mut_ptr()) };
            }
            for (doubles, codes) in doubles.iter().zip(codes.chunks_exact_mut(STEP / 2)) {
                // SAFETY: `doubles` has a step, and `codes` space for one.
                unsafe { leg.store_by_doubles(doubles.as_ptr(), &plan.codes, zeros, codes.as_mut_ptr()) };
            }
        }
    }
}

/// Numbers to which blocks are decoded: binary32, or the bits of bfloat16 or of binary16.
pub(super) trait Target: Copy {
    /// NaN.
    const NAN: Self;

    /// Stores numbers.
    ///
    /// # Safety
    /// `STEP` elements are writable at `to`.
    unsafe fn store<L: PackedLeg>(leg: L, numbers: [L::Words; 4], unsigned: bool, to: *mut Self);
}

impl Target for f32 {
    const NAN: f32 = f32::NAN;

    #[inline(always)]
    unsafe fn store<L: PackedLeg>(_: L, numbers: [L::Words; 4], _: bool, to: *mut f32) {
        for (at, numbers) in numbers.into_iter().enumerate() {
            // SAFETY: this quarter is within the elements that the caller guarantees.
            unsafe { numbers.store::<false>(to.add(at * L::Words::COUNT).cast()) };
        }
    }
}

impl Target for u16 {
    const NAN: u16 = 0x7fc0;

    #[inline(always)]
    unsafe fn store<L: PackedLeg>(leg: L, numbers: [L::Words; 4], unsigned: bool, to: *mut u16) {
        // SAFETY: the caller guarantees `STEP` writable elements.
        unsafe { leg.narrow::<false>(numbers, unsigned, to) }
    }
}

impl Target for Binary16 {
    const NAN: Binary16 = Binary16::NAN;

    #[inline(always)]
    unsafe fn store<L: PackedLeg>(leg: L, numbers: [L::Words; 4], unsigned: bool, to: *mut Binary16) {
        // SAFETY: the caller guarantees `STEP` writable elements.
        unsafe { leg.narrow::<true>(numbers, unsigned, to.cast()) }
    }
}

/// Decodes products of elements and scales, in whole steps and in blocks of a multiple of 16. Returns the number of
/// elements.
pub(super) struct Decode<'a, T> {
    /// The format of elements that are not integers.
    pub(super) float: Option<SmallFloat<'a>>,
    pub(super) width: u32,
    pub(super) block: usize,
    pub(super) scales: &'a [u8],
    /// The values of the scales, by code.
    pub(super) by: &'a [f32; 256],
    /// The tensor's scale; only for binary32.
    pub(super) factor: Option<f32>,
    /// The addend of products: 0 if −0 is decoded as 0, otherwise −0.
    pub(super) zero: f32,
    pub(super) elements: &'a [u8],
    pub(super) values: &'a mut [T],
}

impl<T: Target> PackedKernel for Decode<'_, T> {
    type Output = usize;

    #[inline(always)]
    fn run<L: PackedLeg>(self, leg: L) -> usize {
        match (self.float, self.width) {
            (Some(float), 4) => self.steps::<L, 4>(leg, Some(float)),
            (Some(float), 6) => self.steps::<L, 6>(leg, Some(float)),
            (Some(float), _) => self.steps::<L, 8>(leg, Some(float)),
            (None, _) => self.steps::<L, 8>(leg, None),
        }
    }
}

impl<T: Target> Decode<'_, T> {
    #[inline(always)]
    fn steps<L: PackedLeg, const WIDTH: u32>(self, leg: L, float: Option<SmallFloat<'_>>) -> usize {
        const { assert!(4 * L::Words::COUNT == STEP) };
        let Decode { block, scales, by, factor, zero, elements, values, .. } = self;
        let (addend, minus_zero) = (leg.words(zero.to_bits()), leg.words(1 << 31));
        let mut runs = Runs { scales, block, within: 0 };
        let whole = values.len() / STEP * STEP;
        let chunks = elements.chunks(pack::bytes(CHUNK, WIDTH)).zip(values[..whole].chunks_mut(CHUNK));
        for (elements, values) in chunks {
            let scales = runs.next(values.len());
            let elements = elements.chunks_exact(pack::bytes(STEP, WIDTH));
            for ((elements, scales), values) in
                elements.zip(scales.as_chunks::<2>().0).zip(values.as_chunks_mut::<STEP>().0)
            {
                // SAFETY: `elements` has a step.
                let (mut numbers, mut nans) = unsafe {
                    match float {
                        Some(float) => leg.load_numbers::<WIDTH>(elements.as_ptr(), float),
                        None => (super::integers(leg, elements.as_ptr()), 0),
                    }
                };
                for (at, number) in numbers.iter_mut().enumerate() {
                    let by = leg.words(by[scales[at / 2] as usize].to_bits());
                    *number = number.multiply_add_f32(by, addend);
                }
                if let Some(factor) = factor {
                    for number in &mut numbers {
                        // A product that underflows keeps its sign through the rounding; then zero gets or loses its
                        // sign.
                        let product = number.multiply_add_f32(leg.words(factor.to_bits()), minus_zero);
                        *number = product.add_f32(addend);
                    }
                }
                // SAFETY: `values` has space for a step.
                unsafe { T::store(leg, numbers, zero.to_bits() == 0, values.as_mut_ptr()) };
                while nans != 0 {
                    values[nans.trailing_zeros() as usize] = T::NAN;
                    nans &= nans - 1;
                }
            }
        }
        whole
    }
}
