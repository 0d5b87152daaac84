//! Blocks between packed codes and binary32, 32 elements at a time, for legs whose lanes of 16 bits are not those of
//! [`super::powers`] and [`super::quarters`]. What is left over of a slice, and what is not finite, is not for these.
//!
//! Under a scale that is a power of two, x times its reciprocal is exact, or so small that it becomes zero. With T trailing
//! bits, and e the exponent of such a number y, but at least the format's least one, adding 2^(e + 23 − T) rounds |y| to a whole
//! number k of its units 2^(e − T), ties to even, and leaves it in the last bits of the sum. The code is k + (e − emin) · 2^T: of a
//! normal number k is 2^T and its trailing bits, and a k that is rounded up to 2^(T + 1) is the next binade's first code.

use binade::Format;
use binade_simd::PackedKernel;
use binade_simd::lanes::{Lanes, PackedLeg, SmallFloat, Words};

use super::CHUNK;
use super::WHOLE;
use super::encoder::reciprocal;
use super::powers::Binary16;
use super::quarters::{self, Tensor};
use crate::pack;

/// Elements that are worked on at once.
pub(super) const STEP: usize = 32;
/// Elements that have a scale in common whatever the block.
const RUN: usize = 16;
const MAGNITUDE: u32 = 0x7fff_ffff;
const EXPONENT: u32 = 0xff << 23;

/// Sixteen-bit numbers as binary32; all of `bits`, which are a multiple of eight. Within an
/// [`Environment`](binade_simd::Environment), as all of these.
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
            // SAFETY: a vector of each.
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

/// The words of the largest magnitudes of blocks of 16 or 32, eight blocks at a time: of how many, and the largest.
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
            16 => self.eights::<L, 16>(leg),
            32 => self.eights::<L, 32>(leg),
            _ => (0, 0),
        }
    }
}

impl Maxima<'_> {
    #[inline(always)]
    fn eights<L: PackedLeg, const BLOCK: usize>(self, leg: L) -> (usize, u32) {
        const { assert!(L::Words::COUNT == 8) };
        let magnitude = leg.words(MAGNITUDE);
        let (mut done, mut all) = (0, leg.words(0));
        for (numbers, maxima) in self.numbers.chunks_exact(8 * BLOCK).zip(self.maxima.as_chunks_mut::<8>().0)
        {
            let mut vectors = [magnitude; 8];
            for (block, vector) in vectors.iter_mut().enumerate() {
                let mut most = leg.words(0);
                for at in (0..BLOCK).step_by(8) {
                    // SAFETY: a part of a block, and blocks are eight.
                    let x = unsafe { magnitude.load_u32(numbers.as_ptr().add(BLOCK * block + at).cast()) };
                    most = most.max(x.and(magnitude));
                }
                *vector = most;
            }
            let most = leg.maxima(vectors);
            all = all.max(most);
            // SAFETY: eight words.
            unsafe { most.store::<false>(maxima.as_mut_ptr()) };
            done += 8;
        }
        let mut lanes = [0; 8];
        // SAFETY: eight words.
        unsafe { all.store::<false>(lanes.as_mut_ptr()) };
        let mut most = 0;
        for lane in lanes {
            most = most.max(lane);
        }
        (done, most)
    }
}

/// The scales of runs, a chunk's at a time: found inside the loops they would cost as much as a third of the rest.
struct Runs<'a> {
    scales: &'a [u8],
    block: usize,
    /// Of the first scale's block, elements that are past.
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

/// How numbers become codes.
#[derive(Clone, Copy)]
pub(super) enum By<'a> {
    /// Rounded under powers of two.
    Powers,
    /// By scale, how many of the first seven words a magnitude is above: E2M1.
    Edges(&'a [[u32; 8]; 256]),
    /// As [`quarters`] has it.
    Quarters(&'a quarters::Plan),
}

/// Codes of finite numbers, in whole steps and in blocks of a multiple of 16.
pub(super) struct Encode<'a> {
    pub(super) grid: Format,
    pub(super) by: By<'a>,
    pub(super) block: usize,
    /// Whether −0 stays.
    pub(super) zeros: bool,
    pub(super) numbers: &'a [f32],
    /// Where the numbers lie that are read next, and the bytes that one has, to be prefetched: their largest magnitudes are looked
    /// for in a loop that waits for memory and has nothing else to do.
    pub(super) ahead: (*const u8, usize),
    pub(super) scales: &'a [u8],
    pub(super) elements: &'a mut [u8],
}

impl PackedKernel for Encode<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: PackedLeg>(self, leg: L) {
        match (self.by, self.grid.width()) {
            (By::Powers, 4) => self.powers::<L, 4>(leg),
            (By::Powers, 6) => self.powers::<L, 6>(leg),
            (By::Powers, _) => self.powers::<L, 8>(leg),
            (By::Edges(edges), _) => self.edges(leg, edges),
            (By::Quarters(plan), _) => match plan.tensor {
                Tensor::None => self.quarters::<L, ALONE>(leg, plan, 1.0),
                Tensor::Factor => self.quarters::<L, TIMES>(leg, plan, 1.0),
                Tensor::Divisor(divisor) => self.quarters::<L, OVER>(leg, plan, divisor),
            },
        }
    }
}

/// Calls `$body` for each step: the numbers, the scales of their two runs, and the codes.
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

/// By scale, 2^(127 − its code), as [`reciprocal`] has it.
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
        // Bytes wrap, and codes before they are clamped, which are of numbers below twice the largest power of two, fit.
        let (first, most) = ((least << trailing) as u8, grid.max_finite_code() as u8);
        steps!(leg, self, WIDTH, |numbers, scales, codes| {
            let (mut magnitudes, mut signs) = ([magnitude; 4], [magnitude; 4]);
            for at in 0..4 {
                // SAFETY: a quarter of a step.
                let x = unsafe { magnitude.load_u32(numbers.as_ptr().add(at * L::Words::COUNT).cast()) };
                let by = leg.words(RECIPROCALS[scales[at / 2] as usize].to_bits());
                let y = x.multiply_add_f32(by, minus_zero);
                let binade = y.and(exponent).max(lowest);
                let sum = y.and(magnitude).add_f32(binade.add(above));
                (magnitudes[at], signs[at]) = (binade.shr(dropped).add(sum), x);
            }
            // SAFETY: a step.
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
                // SAFETY: a quarter of a step.
                let x = unsafe { magnitude.load_u32(numbers.as_ptr().add(at * L::Words::COUNT).cast()) };
                let x_magnitude = x.and(magnitude);
                for &edge in &edges[scales[at / 2] as usize][..7] {
                    above[at] = above[at].increment_if(x_magnitude.gt_small(leg.words(edge)), one);
                }
                signs[at] = x;
            }
            // SAFETY: a step.
            unsafe { leg.store_codes::<4>(above, (0, 7), signs, zeros, codes.as_mut_ptr()) };
        });
    }
}

/// Without a tensor's scale, under a factor, and under a divisor.
const ALONE: u32 = 0;
const TIMES: u32 = 1;
const OVER: u32 = 2;

impl Encode<'_> {
    /// As [`quarters::Encode`]. In two loops: in one, too few steps are under way at a time to hide how long each takes.
    #[inline(always)]
    fn quarters<L: PackedLeg, const TENSOR: u32>(self, leg: L, plan: &quarters::Plan, divisor: f32) {
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
                    // SAFETY: a quarter of a step.
                    let x = unsafe { whole.load_u32(numbers.as_ptr().add(at * L::Words::COUNT).cast()) };
                    let sum = leg.fma_f32(whole, x, leg.words(under.reciprocals[scale].to_bits()));
                    let n = sum.sub_f32(whole);
                    let quarter = leg.words(under.quarters[0][scale].to_bits());
                    let rest = leg.words(under.quarters[1][scale].to_bits());
                    signs[at] = match TENSOR {
                        ALONE => leg.fnma_f32(x, n, quarter),
                        TIMES => leg.fnma_f32(leg.fnma_f32(x, n, quarter), n, rest),
                        _ => {
                            let product = leg.fma_f32(minus_zero, x, by);
                            // The negative error.
                            let error = leg.fnma_f32(product, x, by);
                            leg.fnma_f32(leg.fnma_f32(product, n, quarter), error, one)
                        }
                    };
                    wholes[at] = sum.sub(whole);
                }
                // SAFETY: a step.
                unsafe { leg.store_doubles(wholes, signs, doubles.as_mut_ptr()) };
            }
            for (doubles, codes) in doubles.iter().zip(codes.chunks_exact_mut(STEP / 2)) {
                // SAFETY: a step.
                unsafe { leg.store_by_doubles(doubles.as_ptr(), &plan.codes, zeros, codes.as_mut_ptr()) };
            }
        }
    }
}

/// What is decoded to: binary32, or the bits of bfloat16 or of binary16.
pub(super) trait Target: Copy {
    /// NaN.
    const NAN: Self;

    /// # Safety
    /// `STEP` writable elements at `to`.
    unsafe fn store<L: PackedLeg>(leg: L, numbers: [L::Words; 4], unsigned: bool, to: *mut Self);
}

impl Target for f32 {
    const NAN: f32 = f32::NAN;

    #[inline(always)]
    unsafe fn store<L: PackedLeg>(_: L, numbers: [L::Words; 4], _: bool, to: *mut f32) {
        for (at, numbers) in numbers.into_iter().enumerate() {
            // SAFETY: a quarter of the caller's.
            unsafe { numbers.store::<false>(to.add(at * L::Words::COUNT).cast()) };
        }
    }
}

impl Target for u16 {
    const NAN: u16 = 0x7fc0;

    #[inline(always)]
    unsafe fn store<L: PackedLeg>(leg: L, numbers: [L::Words; 4], unsigned: bool, to: *mut u16) {
        // SAFETY: the caller's promise.
        unsafe { leg.narrow::<false>(numbers, unsigned, to) }
    }
}

impl Target for Binary16 {
    const NAN: Binary16 = Binary16::NAN;

    #[inline(always)]
    unsafe fn store<L: PackedLeg>(leg: L, numbers: [L::Words; 4], unsigned: bool, to: *mut Binary16) {
        // SAFETY: the caller's promise.
        unsafe { leg.narrow::<true>(numbers, unsigned, to.cast()) }
    }
}

/// Products of elements and scales, in whole steps and in blocks of a multiple of 16: how many.
pub(super) struct Decode<'a, T> {
    /// Of elements that are no integers.
    pub(super) float: Option<SmallFloat<'a>>,
    pub(super) width: u32,
    pub(super) block: usize,
    pub(super) scales: &'a [u8],
    /// The scales' values.
    pub(super) by: &'a [f32; 256],
    /// The tensor's; only to binary32.
    pub(super) factor: Option<f32>,
    /// What is added to products: 0 if −0 is 0, and otherwise −0.
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
                // SAFETY: a step.
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
                        // What underflows keeps its sign through the rounding, and zero takes it or not.
                        let product = number.multiply_add_f32(leg.words(factor.to_bits()), minus_zero);
                        *number = product.add_f32(addend);
                    }
                }
                // SAFETY: a step.
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
