//! Four lanes: NEON, which every AArch64 processor has.

use core::arch::aarch64::*;

use super::portable::fma_zero;
use super::{Doubles, Floats};

/// A vector of four binary32 numbers.
#[derive(Clone, Copy, Debug)]
pub struct Lanes128(float32x4_t);

/// Operations on the bits of two vectors that are one instruction each.
macro_rules! bitwise {
    ($($name:ident: $intrinsic:ident;)*) => { $(
        #[inline(always)]
        fn $name(self, y: Self) -> Self {
            // SAFETY: every AArch64 processor has NEON.
            Self(unsafe { vreinterpretq_f32_u32($intrinsic(self.bits(), y.bits())) })
        }
    )* };
}

impl Lanes128 {
    #[inline(always)]
    fn bits(self) -> uint32x4_t {
        // SAFETY: every AArch64 processor has NEON.
        unsafe { vreinterpretq_u32_f32(self.0) }
    }

    #[inline(always)]
    fn of_bits(bits: uint32x4_t) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Self(unsafe { vreinterpretq_f32_u32(bits) })
    }

    /// |self|.
    #[inline(always)]
    fn magnitude(self) -> float32x4_t {
        // SAFETY: every AArch64 processor has NEON.
        unsafe { vabsq_f32(self.0) }
    }

    /// The sign bits alone.
    #[inline(always)]
    fn signs(self) -> uint32x4_t {
        // SAFETY: every AArch64 processor has NEON.
        unsafe { vandq_u32(self.bits(), vdupq_n_u32(1 << 31)) }
    }
}

/// x · y + z of two lanes, rounded to odd in binary64. The product is exact there, and Knuth's TwoSum computes the
/// error of the sum.
#[inline(always)]
fn fma_odd_of(x: float64x2_t, y: float64x2_t, z: float64x2_t) -> float64x2_t {
    // SAFETY: every AArch64 processor has NEON.
    unsafe {
        let product = vmulq_f64(x, y);
        let sum = vaddq_f64(product, z);
        let back = vsubq_f64(sum, product);
        let error = vaddq_f64(vsubq_f64(product, vsubq_f64(sum, back)), vsubq_f64(z, back));
        // If the error is zero, or NaN because the sum is not finite, the sum stays. It also stays if its last bit is
        // set. Otherwise the sum moves to the odd neighbour on the exact value's side: one bit up in magnitude if error
        // and sum have the same sign, one down if not.
        let bits = vreinterpretq_u64_f64(sum);
        let even = vceqzq_u64(vandq_u64(bits, vdupq_n_u64(1)));
        let inexact = vorrq_u64(vcltzq_f64(error), vcgtzq_f64(error));
        let finite = vcltq_f64(vabsq_f64(sum), vdupq_n_f64(f64::INFINITY));
        let moves = vandq_u64(vandq_u64(even, inexact), finite);
        let apart = veorq_u64(vreinterpretq_u64_f64(error), bits);
        // 1 or −1: the sign of `apart` spread over the lane, with its last bit set.
        let step = vorrq_s64(vshrq_n_s64::<63>(vreinterpretq_s64_u64(apart)), vdupq_n_s64(1));
        let bits = vaddq_u64(bits, vandq_u64(vreinterpretq_u64_s64(step), moves));
        vreinterpretq_f64_u64(bits)
    }
}

/// [`fma_odd_of`] rounded to odd in binary32: FCVTXN rounds to odd.
#[inline(always)]
fn fma_odd(x: float64x2_t, y: float64x2_t, z: float64x2_t) -> float32x2_t {
    // SAFETY: every AArch64 processor has NEON.
    unsafe { vcvtx_f32_f64(fma_odd_of(x, y, z)) }
}

/// Four binary64 numbers in two halves.
#[derive(Clone, Copy, Debug)]
pub struct Doubles128([float64x2_t; 2]);

/// Applies operations on two vectors of numbers, or on their bits, to both halves.
macro_rules! halves {
    ($($name:ident: $function:ident;)*) => { $(
        #[inline(always)]
        fn $name(self, y: Self) -> Self {
            // SAFETY: every AArch64 processor has NEON.
            Self(unsafe { [$function(self.0[0], y.0[0]), $function(self.0[1], y.0[1])] })
        }
    )* };
}

/// Defines functions of the bits of two vectors.
macro_rules! of_bits {
    ($($name:ident: $intrinsic:ident;)*) => { $(
        #[inline(always)]
        unsafe fn $name(x: float64x2_t, y: float64x2_t) -> float64x2_t {
            // SAFETY: every AArch64 processor has NEON.
            unsafe { vreinterpretq_f64_u64($intrinsic(vreinterpretq_u64_f64(x), vreinterpretq_u64_f64(y))) }
        }
    )* };
}

of_bits! {
    and_of: vandq_u64;
    or_of: vorrq_u64;
    add_bits_of: vaddq_u64;
    sub_bits_of: vsubq_u64;
}

/// The bits shifted to the left, or to the right if `by` is negative.
#[inline(always)]
fn shift_of(x: float64x2_t, by: i64) -> float64x2_t {
    // SAFETY: every AArch64 processor has NEON.
    unsafe { vreinterpretq_f64_u64(vshlq_u64(vreinterpretq_u64_f64(x), vdupq_n_s64(by))) }
}

#[inline(always)]
unsafe fn mul_halves_of(x: uint32x4_t, y: uint32x4_t) -> uint32x4_t {
    // SAFETY: every AArch64 processor has NEON.
    unsafe { vreinterpretq_u32_u16(vmulq_u16(vreinterpretq_u16_u32(x), vreinterpretq_u16_u32(y))) }
}

#[inline(always)]
unsafe fn max_bits_of(x: float64x2_t, y: float64x2_t) -> float64x2_t {
    // SAFETY: every AArch64 processor has NEON.
    unsafe { vbslq_f64(vcgtq_u64(vreinterpretq_u64_f64(x), vreinterpretq_u64_f64(y)), x, y) }
}

#[inline(always)]
fn at_least_of(x: float64x2_t, bound: float64x2_t, yes: float64x2_t, no: float64x2_t) -> float64x2_t {
    // SAFETY: every AArch64 processor has NEON.
    unsafe {
        let large = vcgeq_f64(vabsq_f64(x), bound);
        vbslq_f64(large, or_of(yes, and_of(x, vdupq_n_f64(-0.0))), no)
    }
}

#[inline(always)]
fn below_zero_of(x: float64x2_t, yes: float64x2_t, no: float64x2_t) -> float64x2_t {
    // SAFETY: every AArch64 processor has NEON.
    unsafe { vbslq_f64(vcltzq_f64(x), yes, no) }
}

impl Doubles for Doubles128 {
    halves! {
        add: vaddq_f64;
        sub: vsubq_f64;
        mul: vmulq_f64;
        and: and_of;
        or: or_of;
        add_bits: add_bits_of;
        sub_bits: sub_bits_of;
        max_bits: max_bits_of;
    }
    #[inline(always)]
    fn shift_left(self, by: u32) -> Self {
        Self(self.0.map(|half| shift_of(half, by.into())))
    }
    #[inline(always)]
    fn shift_right(self, by: u32) -> Self {
        Self(self.0.map(|half| shift_of(half, -i64::from(by))))
    }
    #[inline(always)]
    fn splat_bits(self, bits: u64) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Self([unsafe { vreinterpretq_f64_u64(vdupq_n_u64(bits)) }; 2])
    }
    #[inline(always)]
    fn fma_odd(self, y: Self, z: Self) -> Self {
        Self([fma_odd_of(self.0[0], y.0[0], z.0[0]), fma_odd_of(self.0[1], y.0[1], z.0[1])])
    }
    #[inline(always)]
    fn at_least(self, bound: Self, yes: Self, no: Self) -> Self {
        Self([
            at_least_of(self.0[0], bound.0[0], yes.0[0], no.0[0]),
            at_least_of(self.0[1], bound.0[1], yes.0[1], no.0[1]),
        ])
    }
    #[inline(always)]
    fn below_zero(self, yes: Self, no: Self) -> Self {
        Self([below_zero_of(self.0[0], yes.0[0], no.0[0]), below_zero_of(self.0[1], yes.0[1], no.0[1])])
    }
}

impl Floats for Lanes128 {
    const REGISTERS: usize = 32;
    const LANES: usize = 4;
    type Wide = Doubles128;

    #[inline(always)]
    fn widen(self) -> Doubles128 {
        // SAFETY: every AArch64 processor has NEON.
        Doubles128(unsafe { [vcvt_f64_f32(vget_low_f32(self.0)), vcvt_high_f64_f32(self.0)] })
    }
    #[inline(always)]
    fn narrowed(wide: Doubles128) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Self(unsafe { vcombine_f32(vcvt_f32_f64(wide.0[0]), vcvt_f32_f64(wide.0[1])) })
    }

    lanewise! {
        add: vaddq_f32;
        sub: vsubq_f32;
    }
    bitwise! {
        and: vandq_u32;
        or: vorrq_u32;
        xor: veorq_u32;
        add_bits: vaddq_u32;
        mul_halves: mul_halves_of;
        max_bits: vmaxq_u32;
    }
    #[inline(always)]
    unsafe fn splat(x: f32) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Self(unsafe { vdupq_n_f32(x) })
    }
    #[inline(always)]
    unsafe fn load(source: *const f32) -> Self {
        // SAFETY: the caller guarantees 4 readable elements.
        Self(unsafe { vld1q_f32(source) })
    }
    #[inline(always)]
    unsafe fn store(self, destination: *mut f32) {
        // SAFETY: the caller guarantees 4 writable elements.
        unsafe { vst1q_f32(destination, self.0) }
    }
    #[inline(always)]
    fn splat_bits(self, bits: u32) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Self::of_bits(unsafe { vdupq_n_u32(bits) })
    }
    #[inline(always)]
    fn fma(self, y: Self, z: Self) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Self(unsafe { vfmaq_f32(z.0, self.0, y.0) })
    }
    #[inline(always)]
    fn fma_odd(self, y: Self, z: Self) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Self(unsafe {
            let ([x, x_high], [y, y_high], [z, z_high]) = (self.widen().0, y.widen().0, z.widen().0);
            vcombine_f32(fma_odd(x, y, z), fma_odd(x_high, y_high, z_high))
        })
    }
    const TRUNCATES: bool = false;
    #[inline(always)]
    fn fma_zero(self, y: Self, z: Self) -> Self {
        let (mut x, mut w, mut sum) = ([0.0; 4], [0.0; 4], [0.0; 4]);
        // SAFETY: each array has four elements.
        unsafe {
            self.store(x.as_mut_ptr());
            y.store(w.as_mut_ptr());
            z.store(sum.as_mut_ptr());
        }
        for lane in 0..4 {
            sum[lane] = fma_zero(x[lane], w[lane], sum[lane]);
        }
        // SAFETY: the array has four elements.
        unsafe { Self::load(sum.as_ptr()) }
    }
    #[inline(always)]
    fn lower_half_up(self) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Self::of_bits(unsafe { vshlq_n_u32::<16>(self.bits()) })
    }
    #[inline(always)]
    fn widen_bits(self) -> Doubles128 {
        // SAFETY: every AArch64 processor has NEON.
        Doubles128(unsafe {
            let bits = self.bits();
            [vmovl_u32(vget_low_u32(bits)), vmovl_high_u32(bits)].map(|half| vreinterpretq_f64_u64(half))
        })
    }
    #[inline(always)]
    fn any_lower_half_full(self) -> bool {
        // SAFETY: every AArch64 processor has NEON.
        unsafe { vmaxvq_u32(vorrq_u32(self.bits(), vdupq_n_u32(0xffff_0000))) == u32::MAX }
    }
    #[inline(always)]
    fn bf16(self) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Self::of_bits(unsafe {
            let bits = self.bits();
            let last = vandq_u32(vshrq_n_u32::<16>(bits), vdupq_n_u32(1));
            let sum = vaddq_u32(vaddq_u32(bits, vdupq_n_u32(0x7fff)), last);
            vandq_u32(sum, vdupq_n_u32(0xffff_0000))
        })
    }
    #[inline(always)]
    fn bf16_of_sum(self) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Self::of_bits(unsafe {
            let bits = self.bits();
            let last = vandq_u32(vshrq_n_u32::<16>(bits), vdupq_n_u32(1));
            let sum = vmlaq_u32(vaddq_u32(bits, vdupq_n_u32(0x7fbf)), last, vdupq_n_u32(0x81));
            vandq_u32(sum, vdupq_n_u32(0xffff_0000))
        })
    }
    #[inline(always)]
    fn rest(self, part: Self) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Self::of_bits(unsafe {
            let infinite = vceqq_f32(part.magnitude(), vdupq_n_f32(f32::INFINITY));
            vbicq_u32(self.sub(part).bits(), infinite)
        })
    }
    #[inline(always)]
    fn flushed(self) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Self::of_bits(unsafe {
            let small = vcltq_f32(self.magnitude(), vdupq_n_f32(f32::MIN_POSITIVE));
            vbslq_u32(small, self.signs(), self.bits())
        })
    }
    #[inline(always)]
    fn at_least(self, bound: Self, yes: Self, no: Self) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Self::of_bits(unsafe {
            let large = vcgeq_f32(self.magnitude(), bound.0);
            vbslq_u32(large, vorrq_u32(yes.bits(), self.signs()), no.bits())
        })
    }
    #[inline(always)]
    fn canonical(self) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Self(unsafe { vbslq_f32(vceqq_f32(self.0, self.0), self.0, vdupq_n_f32(f32::NAN)) })
    }
}
