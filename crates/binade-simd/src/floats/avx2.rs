//! Eight lanes: AVX2 and FMA.

use core::arch::x86_64::*;

use super::portable::{add_odd, fma_zero, narrow_odd};
use super::{Doubles, Floats};

/// A `__m256`, on a machine with AVX2 and FMA.
#[derive(Clone, Copy)]
pub struct Lanes256(__m256);

macro_rules! bitwise {
    ($($name:ident: $intrinsic:ident;)*) => { $(
        #[inline(always)]
        fn $name(self, y: Self) -> Self {
            // SAFETY: a vector exists only where its instructions do.
            Self(unsafe {
                _mm256_castsi256_ps($intrinsic(_mm256_castps_si256(self.0), _mm256_castps_si256(y.0)))
            })
        }
    )* };
}

impl Lanes256 {
    /// |self|.
    #[inline(always)]
    fn magnitude(self) -> __m256 {
        // SAFETY: a vector exists only where its instructions do.
        unsafe { _mm256_andnot_ps(_mm256_set1_ps(-0.0), self.0) }
    }

    /// All ones where |self| is infinite.
    #[inline(always)]
    fn infinite(self) -> __m256 {
        // SAFETY: a vector exists only where its instructions do.
        unsafe { _mm256_cmp_ps::<_CMP_EQ_OQ>(self.magnitude(), _mm256_set1_ps(f32::INFINITY)) }
    }
}

/// sum ← x · y + sum, rounded to odd. It is not inlined because it is long and slow.
#[inline(never)]
fn fma_odd(x: &[f32; 8], y: &[f32; 8], sum: &mut [f32; 8]) {
    for lane in 0..8 {
        // The product of binary32 numbers is exact in binary64.
        sum[lane] = narrow_odd(add_odd(x[lane] as f64 * y[lane] as f64, sum[lane] as f64));
    }
}

/// Eight binary64 numbers in two halves, on a machine with AVX2 and FMA.
#[derive(Clone, Copy)]
pub struct Doubles256([__m256d; 2]);

/// Applies operations on two vectors of numbers, or on their bits, to both halves.
macro_rules! halves {
    ($($name:ident: $intrinsic:ident;)*) => { $(
        #[inline(always)]
        fn $name(self, y: Self) -> Self {
            // SAFETY: a vector exists only where its instructions do.
            Self(unsafe { [$intrinsic(self.0[0], y.0[0]), $intrinsic(self.0[1], y.0[1])] })
        }
    )* };
}

#[inline]
#[target_feature(enable = "avx2")]
fn add_bits_of(x: __m256d, y: __m256d) -> __m256d {
    _mm256_castsi256_pd(_mm256_add_epi64(_mm256_castpd_si256(x), _mm256_castpd_si256(y)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn sub_bits_of(x: __m256d, y: __m256d) -> __m256d {
    _mm256_castsi256_pd(_mm256_sub_epi64(_mm256_castpd_si256(x), _mm256_castpd_si256(y)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn shift_left_of(x: __m256d, by: u32) -> __m256d {
    _mm256_castsi256_pd(_mm256_sll_epi64(_mm256_castpd_si256(x), _mm_cvtsi32_si128(by as i32)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn shift_right_of(x: __m256d, by: u32) -> __m256d {
    _mm256_castsi256_pd(_mm256_srl_epi64(_mm256_castpd_si256(x), _mm_cvtsi32_si128(by as i32)))
}

/// The maximum of numbers that are not negative: their order is that of their bits as signed integers.
#[inline]
#[target_feature(enable = "avx2")]
fn max_bits_of(x: __m256d, y: __m256d) -> __m256d {
    let larger = _mm256_cmpgt_epi64(_mm256_castpd_si256(x), _mm256_castpd_si256(y));
    _mm256_blendv_pd(y, x, _mm256_castsi256_pd(larger))
}

/// x · y + z rounded to odd. The product is exact, and Knuth's TwoSum computes the error of the sum.
#[inline]
#[target_feature(enable = "avx2")]
fn fma_odd_of(x: __m256d, y: __m256d, z: __m256d) -> __m256d {
    let product = _mm256_mul_pd(x, y);
    let sum = _mm256_add_pd(product, z);
    let back = _mm256_sub_pd(sum, product);
    let error = _mm256_add_pd(_mm256_sub_pd(product, _mm256_sub_pd(sum, back)), _mm256_sub_pd(z, back));
    // If the error is zero, or NaN because the sum is not finite, the sum stays. It also stays if its last bit is set.
    // Otherwise it moves to the odd neighbour on the exact value's side: one up in magnitude if error and sum have the
    // same sign, one down if not.
    let (zero, one) = (_mm256_setzero_si256(), _mm256_set1_epi64x(1));
    let bits = _mm256_castpd_si256(sum);
    let even = _mm256_cmpeq_epi64(_mm256_and_si256(bits, one), zero);
    let inexact = _mm256_castpd_si256(_mm256_cmp_pd::<_CMP_NEQ_OQ>(error, _mm256_setzero_pd()));
    let apart = _mm256_xor_si256(_mm256_castpd_si256(error), bits);
    let step = _mm256_or_si256(_mm256_cmpgt_epi64(zero, apart), one);
    let step = _mm256_and_si256(step, _mm256_and_si256(even, inexact));
    _mm256_castsi256_pd(_mm256_add_epi64(bits, step))
}

#[inline]
#[target_feature(enable = "avx2")]
fn at_least_of(x: __m256d, bound: __m256d, yes: __m256d, no: __m256d) -> __m256d {
    let sign = _mm256_set1_pd(-0.0);
    let large = _mm256_cmp_pd::<_CMP_GE_OQ>(_mm256_andnot_pd(sign, x), bound);
    _mm256_blendv_pd(no, _mm256_or_pd(yes, _mm256_and_pd(x, sign)), large)
}

#[inline]
#[target_feature(enable = "avx2")]
fn below_zero_of(x: __m256d, yes: __m256d, no: __m256d) -> __m256d {
    _mm256_blendv_pd(no, yes, _mm256_cmp_pd::<_CMP_LT_OQ>(x, _mm256_setzero_pd()))
}

impl Doubles for Doubles256 {
    halves! {
        add: _mm256_add_pd;
        sub: _mm256_sub_pd;
        mul: _mm256_mul_pd;
        and: _mm256_and_pd;
        or: _mm256_or_pd;
        add_bits: add_bits_of;
        sub_bits: sub_bits_of;
        max_bits: max_bits_of;
    }
    #[inline(always)]
    fn shift_left(self, by: u32) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe { [shift_left_of(self.0[0], by), shift_left_of(self.0[1], by)] })
    }
    #[inline(always)]
    fn shift_right(self, by: u32) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe { [shift_right_of(self.0[0], by), shift_right_of(self.0[1], by)] })
    }
    #[inline(always)]
    fn splat_bits(self, bits: u64) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self([unsafe { _mm256_castsi256_pd(_mm256_set1_epi64x(bits as i64)) }; 2])
    }
    #[inline(always)]
    fn fma_odd(self, y: Self, z: Self) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe { [fma_odd_of(self.0[0], y.0[0], z.0[0]), fma_odd_of(self.0[1], y.0[1], z.0[1])] })
    }
    #[inline(always)]
    fn at_least(self, bound: Self, yes: Self, no: Self) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe {
            [
                at_least_of(self.0[0], bound.0[0], yes.0[0], no.0[0]),
                at_least_of(self.0[1], bound.0[1], yes.0[1], no.0[1]),
            ]
        })
    }
    #[inline(always)]
    fn below_zero(self, yes: Self, no: Self) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe {
            [below_zero_of(self.0[0], yes.0[0], no.0[0]), below_zero_of(self.0[1], yes.0[1], no.0[1])]
        })
    }
}

impl Floats for Lanes256 {
    const REGISTERS: usize = 16;
    const LANES: usize = 8;
    type Wide = Doubles256;

    #[inline(always)]
    fn widen(self) -> Doubles256 {
        // SAFETY: a vector exists only where its instructions do.
        Doubles256(unsafe {
            [
                _mm256_cvtps_pd(_mm256_castps256_ps128(self.0)),
                _mm256_cvtps_pd(_mm256_extractf128_ps::<1>(self.0)),
            ]
        })
    }
    #[inline(always)]
    fn narrowed(wide: Doubles256) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe { _mm256_set_m128(_mm256_cvtpd_ps(wide.0[1]), _mm256_cvtpd_ps(wide.0[0])) })
    }

    lanewise! {
        add: _mm256_add_ps;
        sub: _mm256_sub_ps;
        and: _mm256_and_ps;
        or: _mm256_or_ps;
    }
    bitwise! {
        xor: _mm256_xor_si256;
        add_bits: _mm256_add_epi32;
        mul_halves: _mm256_mullo_epi16;
        max_bits: _mm256_max_epu32;
    }
    #[inline(always)]
    unsafe fn splat(x: f32) -> Self {
        // SAFETY: the caller guarantees the vector's instructions.
        Self(unsafe { _mm256_set1_ps(x) })
    }
    #[inline(always)]
    unsafe fn load(source: *const f32) -> Self {
        // SAFETY: the caller guarantees the vector's instructions and eight readable elements.
        Self(unsafe { _mm256_loadu_ps(source) })
    }
    #[inline(always)]
    unsafe fn store(self, destination: *mut f32) {
        // SAFETY: the caller guarantees eight writable elements.
        unsafe { _mm256_storeu_ps(destination, self.0) }
    }
    #[inline(always)]
    fn splat_bits(self, bits: u32) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe { _mm256_castsi256_ps(_mm256_set1_epi32(bits as i32)) })
    }
    #[inline(always)]
    fn fma(self, y: Self, z: Self) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe { _mm256_fmadd_ps(self.0, y.0, z.0) })
    }
    #[inline(always)]
    fn fma_odd(self, y: Self, z: Self) -> Self {
        let (mut x, mut w, mut sum) = ([0.0; 8], [0.0; 8], [0.0; 8]);
        // SAFETY: each array has eight elements.
        unsafe {
            self.store(x.as_mut_ptr());
            y.store(w.as_mut_ptr());
            z.store(sum.as_mut_ptr());
        }
        fma_odd(&x, &w, &mut sum);
        // SAFETY: the array has eight elements, and `self` exists, so the features do.
        unsafe { Self::load(sum.as_ptr()) }
    }
    const TRUNCATES: bool = false;
    #[inline(always)]
    fn fma_zero(self, y: Self, z: Self) -> Self {
        let (mut x, mut w, mut sum) = ([0.0; 8], [0.0; 8], [0.0; 8]);
        // SAFETY: each array has eight elements.
        unsafe {
            self.store(x.as_mut_ptr());
            y.store(w.as_mut_ptr());
            z.store(sum.as_mut_ptr());
        }
        for lane in 0..8 {
            sum[lane] = fma_zero(x[lane], w[lane], sum[lane]);
        }
        // SAFETY: the array has eight elements, and `self` exists, so the features do.
        unsafe { Self::load(sum.as_ptr()) }
    }
    #[inline(always)]
    fn lower_half_up(self) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe { _mm256_castsi256_ps(_mm256_slli_epi32::<16>(_mm256_castps_si256(self.0))) })
    }
    #[inline(always)]
    fn widen_bits(self) -> Doubles256 {
        // SAFETY: a vector exists only where its instructions do.
        Doubles256(unsafe {
            let bits = _mm256_castps_si256(self.0);
            [_mm256_castsi256_si128(bits), _mm256_extracti128_si256::<1>(bits)]
                .map(|half| _mm256_castsi256_pd(_mm256_cvtepu32_epi64(half)))
        })
    }
    #[inline(always)]
    fn any_lower_half_full(self) -> bool {
        // SAFETY: a vector exists only where its instructions do.
        unsafe {
            let bits = _mm256_castps_si256(self.0);
            let upper = _mm256_or_si256(bits, _mm256_set1_epi32(0xffff_0000_u32 as i32));
            _mm256_movemask_epi8(_mm256_cmpeq_epi32(upper, _mm256_set1_epi32(-1))) != 0
        }
    }
    #[inline(always)]
    fn bf16(self) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe {
            let bits = _mm256_castps_si256(self.0);
            let last = _mm256_and_si256(_mm256_srli_epi32::<16>(bits), _mm256_set1_epi32(1));
            let sum = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7fff)), last);
            _mm256_castsi256_ps(_mm256_and_si256(sum, _mm256_set1_epi32(0xffff_0000_u32 as i32)))
        })
    }
    #[inline(always)]
    fn bf16_of_sum(self) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe {
            let bits = _mm256_castps_si256(self.0);
            // The last bit, in the upper half, times 0x81.
            let last = _mm256_and_si256(bits, _mm256_set1_epi32(1 << 16));
            let last = _mm256_madd_epi16(last, _mm256_set1_epi32(0x81 << 16));
            let sum = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7fbf)), last);
            _mm256_castsi256_ps(_mm256_and_si256(sum, _mm256_set1_epi32(0xffff_0000_u32 as i32)))
        })
    }
    #[inline(always)]
    fn rest(self, part: Self) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe { _mm256_andnot_ps(part.infinite(), _mm256_sub_ps(self.0, part.0)) })
    }
    #[inline(always)]
    fn flushed(self) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe {
            let small = _mm256_cmp_ps::<_CMP_LT_OQ>(self.magnitude(), _mm256_set1_ps(f32::MIN_POSITIVE));
            _mm256_blendv_ps(self.0, _mm256_and_ps(self.0, _mm256_set1_ps(-0.0)), small)
        })
    }
    #[inline(always)]
    fn at_least(self, bound: Self, yes: Self, no: Self) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe {
            let large = _mm256_cmp_ps::<_CMP_GE_OQ>(self.magnitude(), bound.0);
            let signed = _mm256_or_ps(yes.0, _mm256_and_ps(self.0, _mm256_set1_ps(-0.0)));
            _mm256_blendv_ps(no.0, signed, large)
        })
    }
    #[inline(always)]
    fn canonical(self) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe {
            let nan = _mm256_cmp_ps::<_CMP_UNORD_Q>(self.0, self.0);
            _mm256_blendv_ps(self.0, _mm256_set1_ps(f32::NAN), nan)
        })
    }
}
