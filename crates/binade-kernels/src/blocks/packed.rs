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

use super::Within;
use super::encoder::reciprocal;
use super::powers::Binary16;
use crate::pack;

/// Elements that are worked on at once.
pub(super) const STEP: usize = 32;
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
        let pairs =
            self.bits.chunks_exact(L::Words::COUNT).zip(self.values.chunks_exact_mut(L::Words::COUNT));
        for (bits, values) in pairs {
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

/// What becomes of numbers.
#[derive(Clone, Copy)]
pub(super) enum By<'a> {
    /// Rounded under powers of two.
    Powers,
    /// By scale, how many of the seven words a magnitude is above: E2M1.
    Edges(&'a [[u32; 8]; 256]),
}

/// Codes of finite numbers, in whole steps and in blocks of a multiple of 16.
pub(super) struct Encode<'a> {
    pub(super) grid: Format,
    pub(super) by: By<'a>,
    pub(super) block: usize,
    /// Whether −0 stays.
    pub(super) zeros: bool,
    pub(super) numbers: &'a [f32],
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
        }
    }
}

impl Encode<'_> {
    #[inline(always)]
    fn powers<L: PackedLeg, const WIDTH: u32>(self, leg: L) {
        const { assert!(4 * L::Words::COUNT == STEP) };
        let Encode { grid, block, zeros, numbers, scales, elements, .. } = self;
        let trailing = grid.precision() - 1;
        let (dropped, least) = (23 - trailing, (grid.emin() + 127) as u32);
        let (magnitude, exponent, minus_zero) =
            (leg.words(MAGNITUDE), leg.words(EXPONENT), leg.words(1 << 31));
        let (least, first) = (leg.words(least << 23), leg.words(least << trailing));
        let above = leg.words(dropped << 23);
        let most = grid.max_finite_code() as u8;
        let mut place = Within::new(block);
        let steps =
            numbers.as_chunks::<STEP>().0.iter().zip(elements.chunks_exact_mut(pack::bytes(STEP, WIDTH)));
        for (numbers, elements) in steps {
            let by = [place.next(), place.next()].map(|at| leg.words(reciprocal(scales[at]).to_bits()));
            let (mut magnitudes, mut signs) = ([magnitude; 4], [magnitude; 4]);
            for at in 0..4 {
                // SAFETY: a quarter of a step.
                let x = unsafe { magnitude.load_u32(numbers.as_ptr().add(at * L::Words::COUNT).cast()) };
                let y = x.multiply_add_f32(by[at / 2], minus_zero);
                let binade = y.and(exponent).max(least);
                let unit = binade.add(above);
                let whole = y.and(magnitude).add_f32(unit).sub(unit);
                (magnitudes[at], signs[at]) = (binade.shr(dropped).sub(first).add(whole), x);
            }
            // SAFETY: a step.
            unsafe { leg.store_codes::<WIDTH>(magnitudes, most, signs, zeros, elements.as_mut_ptr()) };
        }
    }

    #[inline(always)]
    fn edges<L: PackedLeg>(self, leg: L, edges: &[[u32; 8]; 256]) {
        const { assert!(4 * L::Words::COUNT == STEP) };
        let Encode { block, zeros, numbers, scales, elements, .. } = self;
        let (magnitude, none, one) = (leg.words(MAGNITUDE), leg.words(0), leg.words(1));
        let mut place = Within::new(block);
        let steps = numbers.as_chunks::<STEP>().0.iter().zip(elements.chunks_exact_mut(STEP / 2));
        for (numbers, elements) in steps {
            let edges = [place.next(), place.next()].map(|at| &edges[scales[at] as usize]);
            let (mut above, mut signs) = ([none; 4], [none; 4]);
            for at in 0..4 {
                // SAFETY: a quarter of a step.
                let x = unsafe { magnitude.load_u32(numbers.as_ptr().add(at * L::Words::COUNT).cast()) };
                let x_magnitude = x.and(magnitude);
                let mut count = none;
                for &edge in &edges[at / 2][..7] {
                    count = count.increment_if(x_magnitude.gt_small(leg.words(edge)), one);
                }
                (above[at], signs[at]) = (count, x);
            }
            // SAFETY: a step.
            unsafe { leg.store_codes::<4>(above, 7, signs, zeros, elements.as_mut_ptr()) };
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

/// Four vectors times their blocks' scales, and the tensor's.
macro_rules! products {
    ($decode:ident, $leg:ident, $place:ident, $numbers:ident) => {{
        let addend = $leg.words($decode.zero.to_bits());
        for half in 0..2 {
            let by = $leg.words($decode.by[$decode.scales[$place.next()] as usize].to_bits());
            for number in &mut $numbers[2 * half..2 * half + 2] {
                *number = number.multiply_add_f32(by, addend);
            }
        }
        if let Some(factor) = $decode.factor {
            for number in &mut $numbers {
                // What underflows keeps its sign through the rounding, and zero takes it or not.
                let product = number.multiply_add_f32($leg.words(factor.to_bits()), $leg.words(1 << 31));
                *number = product.add_f32(addend);
            }
        }
    }};
}

/// Products of elements and scales, in whole steps and in blocks of a multiple of 16: how many.
pub(super) struct Decode<'a, T> {
    /// Of elements that are no integers.
    pub(super) grid: Option<Format>,
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
        match (self.grid, self.width) {
            (Some(grid), 4) => self.steps::<L, 4>(leg, grid),
            (Some(grid), 6) => self.steps::<L, 6>(leg, grid),
            (Some(grid), _) => self.steps::<L, 8>(leg, grid),
            (None, _) => self.integers(leg),
        }
    }
}

impl<T: Target> Decode<'_, T> {
    #[inline(always)]
    fn steps<L: PackedLeg, const WIDTH: u32>(self, leg: L, grid: Format) -> usize {
        let format = SmallFloat {
            exponent_bits: grid.exponent_bits(),
            last: if grid.infinities() { grid.max_finite_code() + 1 } else { grid.max_finite_code() } as u8,
        };
        // The least exponent in place of binary16's.
        let unit = leg.words(((grid.emin() + 14 + 127) as u32) << 23);
        let minus_zero = leg.words(1 << 31);
        let mut place = Within::new(self.block);
        let steps = self.elements.chunks_exact(pack::bytes(STEP, WIDTH));
        let mut done = 0;
        for (elements, values) in steps.zip(self.values.as_chunks_mut::<STEP>().0) {
            // SAFETY: a step.
            let (mut numbers, mut nans) = unsafe { leg.load_numbers::<WIDTH>(elements.as_ptr(), format) };
            for number in &mut numbers {
                *number = number.multiply_add_f32(unit, minus_zero);
            }
            products!(self, leg, place, numbers);
            // SAFETY: a step.
            unsafe { T::store(leg, numbers, self.zero.to_bits() == 0, values.as_mut_ptr()) };
            while nans != 0 {
                values[nans.trailing_zeros() as usize] = T::NAN;
                nans &= nans - 1;
            }
            done += STEP;
        }
        done
    }

    /// Integers in units of 2^−6.
    #[inline(always)]
    fn integers<L: PackedLeg>(self, leg: L) -> usize {
        let (unit, mut place, mut done) = (leg.words((127 - 6) << 23), Within::new(self.block), 0);
        let steps = self.elements.as_chunks::<STEP>().0.iter();
        for (elements, values) in steps.zip(self.values.as_chunks_mut::<STEP>().0) {
            let mut numbers = [unit; 4];
            for (at, number) in numbers.iter_mut().enumerate() {
                // SAFETY: a quarter of a step.
                let integers = unsafe { unit.load_i8(elements.as_ptr().add(at * L::Words::COUNT)) };
                *number = integers.to_f32_scaled(unit);
            }
            products!(self, leg, place, numbers);
            // SAFETY: a step.
            unsafe { T::store(leg, numbers, self.zero.to_bits() == 0, values.as_mut_ptr()) };
            done += STEP;
        }
        done
    }
}
