//! Sixteen lanes: AVX-512, with or without VNNI and BF16.

use core::arch::asm;
use core::arch::x86_64::*;

use super::{BF16_LARGEST, BF16_OVERFLOW, Doubles, Floats};

/// A `__m512`, on a machine with AVX-512 F, BW, VL and DQ, and with VNNI and BF16 if these are true.
#[derive(Clone, Copy)]
pub struct Lanes512<const VNNI: bool, const BF16: bool = false>(pub __m512);

/// Operations on the bits of two vectors that are one instruction each.
macro_rules! bitwise {
    ($($name:ident: $intrinsic:ident;)*) => { $(
        #[inline(always)]
        fn $name(self, y: Self) -> Self {
            // SAFETY: a vector exists only where its instructions do.
            Self(unsafe {
                _mm512_castsi512_ps($intrinsic(_mm512_castps_si512(self.0), _mm512_castps_si512(y.0)))
            })
        }
    )* };
}

/// All bits but the last one that BF16 keeps, for t in `last_bits`.
pub const LAST_BIT: u32 = 0xfffe_ffff;
/// Weights of t's halves for [`Floats::bf16`]: −1 · −32766 and (−1 − l) · −1 add 0x7fff + l.
const BF16_WEIGHTS: u32 = 0xffff_8002;
/// Weights of t's halves for [`Floats::bf16_of_sum`]: −1 · −32574 and (−1 − l) · −129 add 0x7fbf + 0x81 l.
pub const BF16_OF_SUM_WEIGHTS: u32 = 0xff7f_80c2;

/// t = ~bits | 0xfffeffff. Its 16-bit halves are −1 and −1 − l, where l is the last bit that BF16 keeps.
///
/// This is assembly because the compiler would copy a constant, although the instruction that clears a register is
/// free.
#[inline]
#[target_feature(enable = "avx512f")]
fn last_bits(x: __m512) -> __m512i {
    let last = _mm512_set1_epi32(LAST_BIT as i32);
    let bits;
    // SAFETY: the instructions only read and write the registers named.
    unsafe {
        asm!(
            "vpxorq {t}, {t}, {t}",
            "vpternlogd {t}, {x}, {k}, 0xBB",
            t = out(zmm_reg) bits, x = in(zmm_reg) x, k = in(zmm_reg) last,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    bits
}

/// Adds the weighted halves of [`last_bits`] to x and truncates: two instructions and a mask.
///
/// This is assembly because the compiler would split VPDPWSSD in two if its operand stays live.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]
fn rounded_vnni(x: __m512, weights: u32) -> __m512 {
    let weights = _mm512_set1_epi32(weights as i32);
    let mut sum = _mm512_castps_si512(x);
    // SAFETY: the instruction only reads and writes the registers named.
    unsafe {
        asm!(
            "vpdpwssd {x}, {t}, {k}",
            t = in(zmm_reg) last_bits(x), x = inout(zmm_reg) sum, k = in(zmm_reg) weights,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    _mm512_castsi512_ps(_mm512_maskz_mov_epi16(0xaaaa_aaaa, sum))
}

/// [`rounded_vnni`] without VNNI.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn rounded_integer(x: __m512, weights: u32) -> __m512 {
    let sum = _mm512_add_epi32(
        _mm512_castps_si512(x),
        _mm512_madd_epi16(last_bits(x), _mm512_set1_epi32(weights as i32)),
    );
    _mm512_castsi512_ps(_mm512_maskz_mov_epi16(0xaaaa_aaaa, sum))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn bf16_integer(x: __m512) -> __m512 {
    let bits = _mm512_castps_si512(x);
    // 0xffff8000 + 1 − l, where l is the last bit that BF16 keeps. Subtracting it adds 0x7fff + l.
    let (one, half) = (_mm512_set1_epi32(1), _mm512_set1_epi32(0xffff_8000_u32 as i32));
    let less = _mm512_ternarylogic_epi32::<0xae>(_mm512_srli_epi32::<16>(bits), one, half);
    _mm512_castsi512_ps(_mm512_maskz_mov_epi16(0xaaaa_aaaa, _mm512_sub_epi32(bits, less)))
}

/// Interleaves the two halves that VCVTNE2PS2BF16 makes: word 2i is from the lower one, 2i + 1 from the upper one.
pub const INTERLEAVE: [u16; 32] = {
    let mut words = [0; 32];
    let mut i = 0;
    while i < 16 {
        words[2 * i] = i as u16;
        words[2 * i + 1] = 16 + i as u16;
        i += 1;
    }
    words
};

/// Pairs of factors (upper, lower) for VDPBF16PS: adds both words.
pub const ONE_ONE: u32 = 0x3f80_3f80;
/// Factors for VDPBF16PS that subtract the upper word and ignore the lower one.
pub const NEGATE_UPPER: u32 = 0xbf80_0000;
/// Factors for VDPBF16PS that subtract the lower word and ignore the upper one.
pub const NEGATE_LOWER: u32 = 0x0000_bf80;

/// +0 plus the products of the odd words and of the even words of p and q, both BF16. This is assembly because clearing
/// a register is free, and the compiler would copy a zero instead.
///
/// # Safety
/// The machine has AVX-512 F and BF16.
#[inline]
#[target_feature(enable = "avx512f,avx512bf16")]
pub fn dot_from_zero(p: __m512i, q: __m512i) -> __m512 {
    let sum;
    // SAFETY: the instructions only read and write the registers named.
    unsafe {
        asm!(
            "vpxorq {d}, {d}, {d}",
            "vdpbf16ps {d}, {p}, {q}",
            d = out(zmm_reg) sum, p = in(zmm_reg) p, q = in(zmm_reg) q,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    sum
}

/// [`Floats::sum_of_bf16`]: rounds both at once, interleaves them, and adds their product with (1, 1) to 0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
fn sum_of_bf16(x: __m512, y: __m512) -> __m512 {
    let words: __m512i;
    // SAFETY: INTERLEAVE has 32 words, and the instructions only read and write the registers named.
    unsafe {
        let interleave = _mm512_loadu_si512(INTERLEAVE.as_ptr().cast());
        words = _mm512_permutexvar_epi16(
            interleave,
            core::mem::transmute::<__m512bh, __m512i>(_mm512_cvtne2ps_pbh(x, y)),
        );
    }
    dot_from_zero(words, _mm512_set1_epi32(ONE_ONE as i32))
}

/// VRANGEPS: the smaller magnitude with the first one's sign.
const SMALLER: i32 = 0x2;
/// VFPCLASSPS: quiet and signalling NaN; subnormal.
const NAN: i32 = 0x81;
const SUBNORMAL: i32 = 0x20;

/// Sixteen binary64 numbers in two halves, on a machine with AVX-512 F, BW, VL and DQ.
#[derive(Clone, Copy)]
pub struct Doubles512([__m512d; 2]);

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
#[target_feature(enable = "avx512f")]
fn add_bits_of(x: __m512d, y: __m512d) -> __m512d {
    _mm512_castsi512_pd(_mm512_add_epi64(_mm512_castpd_si512(x), _mm512_castpd_si512(y)))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn sub_bits_of(x: __m512d, y: __m512d) -> __m512d {
    _mm512_castsi512_pd(_mm512_sub_epi64(_mm512_castpd_si512(x), _mm512_castpd_si512(y)))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn shift_left_of(x: __m512d, by: u32) -> __m512d {
    _mm512_castsi512_pd(_mm512_sll_epi64(_mm512_castpd_si512(x), _mm_cvtsi32_si128(by as i32)))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn shift_right_of(x: __m512d, by: u32) -> __m512d {
    _mm512_castsi512_pd(_mm512_srl_epi64(_mm512_castpd_si512(x), _mm_cvtsi32_si128(by as i32)))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn max_bits_of(x: __m512d, y: __m512d) -> __m512d {
    _mm512_castsi512_pd(_mm512_max_epu64(_mm512_castpd_si512(x), _mm512_castpd_si512(y)))
}

/// As `fma_odd` of [`Lanes512`], which has the explanation.
#[inline]
#[target_feature(enable = "avx512f")]
fn fma_odd_of(x: __m512d, y: __m512d, z: __m512d) -> __m512d {
    let down = _mm512_fmadd_round_pd::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(x, y, z);
    let up = _mm512_fmadd_round_pd::<{ _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC }>(x, y, z);
    let odd = _mm512_test_epi64_mask(_mm512_castpd_si512(down), _mm512_set1_epi64(1));
    _mm512_mask_mov_pd(up, odd, down)
}

#[inline]
#[target_feature(enable = "avx512f,avx512dq")]
fn at_least_of(x: __m512d, bound: __m512d, yes: __m512d, no: __m512d) -> __m512d {
    let large = _mm512_cmp_pd_mask::<_CMP_GE_OQ>(_mm512_abs_pd(x), bound);
    // yes | (x & sign)
    let signed = _mm512_ternarylogic_epi64::<0xf8>(
        _mm512_castpd_si512(yes),
        _mm512_castpd_si512(x),
        _mm512_set1_epi64(i64::MIN),
    );
    _mm512_mask_mov_pd(no, large, _mm512_castsi512_pd(signed))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn below_zero_of(x: __m512d, yes: __m512d, no: __m512d) -> __m512d {
    _mm512_mask_mov_pd(no, _mm512_cmp_pd_mask::<_CMP_LT_OQ>(x, _mm512_setzero_pd()), yes)
}

impl Doubles for Doubles512 {
    halves! {
        add: _mm512_add_pd;
        sub: _mm512_sub_pd;
        mul: _mm512_mul_pd;
        and: _mm512_and_pd;
        or: _mm512_or_pd;
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
        Self([unsafe { _mm512_castsi512_pd(_mm512_set1_epi64(bits as i64)) }; 2])
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

impl<const VNNI: bool, const BF16: bool> Floats for Lanes512<VNNI, BF16> {
    const REGISTERS: usize = 32;
    const LANES: usize = 16;
    type Wide = Doubles512;

    #[inline(always)]
    fn widen(self) -> Doubles512 {
        // SAFETY: a vector exists only where its instructions do.
        Doubles512(unsafe {
            [
                _mm512_cvtps_pd(_mm512_castps512_ps256(self.0)),
                _mm512_cvtps_pd(_mm512_extractf32x8_ps::<1>(self.0)),
            ]
        })
    }
    #[inline(always)]
    fn narrowed(wide: Doubles512) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe {
            let low = _mm512_castps256_ps512(_mm512_cvtpd_ps(wide.0[0]));
            _mm512_insertf32x8::<1>(low, _mm512_cvtpd_ps(wide.0[1]))
        })
    }

    lanewise! {
        add: _mm512_add_ps;
        sub: _mm512_sub_ps;
        and: _mm512_and_ps;
        or: _mm512_or_ps;
    }
    bitwise! {
        xor: _mm512_xor_si512;
        add_bits: _mm512_add_epi32;
        mul_halves: _mm512_mullo_epi16;
        max_bits: _mm512_max_epu32;
    }
    #[inline(always)]
    unsafe fn splat(x: f32) -> Self {
        // SAFETY: the caller guarantees the vector's instructions.
        Self(unsafe { _mm512_set1_ps(x) })
    }
    #[inline(always)]
    unsafe fn load(source: *const f32) -> Self {
        // SAFETY: the caller guarantees the vector's instructions and sixteen readable elements.
        Self(unsafe { _mm512_loadu_ps(source) })
    }
    #[inline(always)]
    unsafe fn store(self, destination: *mut f32) {
        // SAFETY: the caller guarantees sixteen writable elements.
        unsafe { _mm512_storeu_ps(destination, self.0) }
    }
    #[inline(always)]
    fn splat_bits(self, bits: u32) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe { _mm512_castsi512_ps(_mm512_set1_epi32(bits as i32)) })
    }
    #[inline(always)]
    fn fma(self, y: Self, z: Self) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe { _mm512_fmadd_ps(self.0, y.0, z.0) })
    }
    #[inline(always)]
    fn fma_odd(self, y: Self, z: Self) -> Self {
        const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
        const UP: i32 = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe {
            // An inexact result is between two neighbours, one of which is odd. If both are the same, the result is
            // exact. Exact zeros by cancellation are −0 downward and +0 upward; both are even, so the upper one is
            // taken. Overflow has the largest number, which is odd, on one side.
            let down = _mm512_castps_si512(_mm512_fmadd_round_ps::<DOWN>(self.0, y.0, z.0));
            let up = _mm512_castps_si512(_mm512_fmadd_round_ps::<UP>(self.0, y.0, z.0));
            let odd = _mm512_test_epi32_mask(down, _mm512_set1_epi32(1));
            _mm512_castsi512_ps(_mm512_mask_mov_epi32(up, odd, down))
        })
    }
    const TRUNCATES: bool = true;
    #[inline(always)]
    fn fma_zero(self, y: Self, z: Self) -> Self {
        const ZERO: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe { _mm512_fmadd_round_ps::<ZERO>(self.0, y.0, z.0) })
    }
    #[inline(always)]
    fn lower_half_up(self) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe { _mm512_castsi512_ps(_mm512_slli_epi32::<16>(_mm512_castps_si512(self.0))) })
    }
    #[inline(always)]
    fn widen_bits(self) -> Doubles512 {
        // SAFETY: a vector exists only where its instructions do.
        Doubles512(unsafe {
            let bits = _mm512_castps_si512(self.0);
            [_mm512_castsi512_si256(bits), _mm512_extracti64x4_epi64::<1>(bits)]
                .map(|half| _mm512_castsi512_pd(_mm512_cvtepu32_epi64(half)))
        })
    }
    #[inline(always)]
    fn any_lower_half_full(self) -> bool {
        // SAFETY: a vector exists only where its instructions do.
        unsafe {
            let bits = _mm512_castps_si512(self.0);
            _mm512_mask_cmpeq_epi16_mask(0x5555_5555, bits, _mm512_set1_epi16(-1)) != 0
        }
    }
    #[inline(always)]
    fn any_full(self, mask: u32) -> bool {
        // SAFETY: a vector exists only where its instructions do.
        unsafe {
            let mask = _mm512_set1_epi32(mask as i32);
            _mm512_cmpeq_epi32_mask(_mm512_and_si512(_mm512_castps_si512(self.0), mask), mask) != 0
        }
    }
    #[inline(always)]
    fn rotate_left(self, by: u32) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe {
            _mm512_castsi512_ps(_mm512_rolv_epi32(_mm512_castps_si512(self.0), _mm512_set1_epi32(by as i32)))
        })
    }
    #[inline(always)]
    fn not_below(self, bound: Self, yes: Self, no: Self) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe { _mm512_mask_mov_ps(no.0, _mm512_cmp_ps_mask::<_CMP_GE_OQ>(self.0, bound.0), yes.0) })
    }
    #[inline(always)]
    fn bf16(self) -> Self {
        // SAFETY: a vector exists only where its instructions do, VNNI's included if `VNNI`.
        Self(unsafe { if VNNI { rounded_vnni(self.0, BF16_WEIGHTS) } else { bf16_integer(self.0) } })
    }
    #[inline(always)]
    fn sum_of_bf16(self, y: Self) -> Self {
        // SAFETY: a vector exists only where its instructions do, those of BF16 included if `BF16`.
        if BF16 { Self(unsafe { sum_of_bf16(self.0, y.0) }) } else { self.bf16().add(y.bf16()) }
    }
    #[inline(always)]
    fn bf16_of_sum(self) -> Self {
        // SAFETY: a vector exists only where its instructions do, VNNI's included if `VNNI`.
        Self(unsafe {
            if VNNI {
                rounded_vnni(self.0, BF16_OF_SUM_WEIGHTS)
            } else {
                rounded_integer(self.0, BF16_OF_SUM_WEIGHTS)
            }
        })
    }
    #[inline(always)]
    fn overflowed(self) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe {
            // Doubling the bits removes the sign; doubling the number makes it infinite.
            let bits = _mm512_castps_si512(self.0);
            let twice = _mm512_add_epi32(bits, bits);
            let large = _mm512_cmpge_epu32_mask(twice, _mm512_set1_epi32((BF16_OVERFLOW << 1) as i32));
            _mm512_mask_add_ps(self.0, large, self.0, self.0)
        })
    }
    #[inline(always)]
    fn rest(self, part: Self) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe {
            // Comparisons use the unit of products; this instruction does not.
            let finite = _mm512_range_ps::<SMALLER>(part.0, self.splat_bits(BF16_LARGEST).0);
            _mm512_sub_ps(self.0, finite)
        })
    }
    #[inline(always)]
    fn flushed(self) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe {
            let subnormal = _mm512_fpclass_ps_mask::<SUBNORMAL>(self.0);
            _mm512_mask_and_ps(self.0, subnormal, self.0, _mm512_set1_ps(-0.0))
        })
    }
    #[inline(always)]
    fn at_least(self, bound: Self, yes: Self, no: Self) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe {
            let large = _mm512_cmp_ps_mask::<_CMP_GE_OQ>(_mm512_abs_ps(self.0), bound.0);
            // yes | (self & sign)
            let signed = _mm512_ternarylogic_epi32::<0xf8>(
                _mm512_castps_si512(yes.0),
                _mm512_castps_si512(self.0),
                _mm512_set1_epi32(i32::MIN),
            );
            _mm512_mask_mov_ps(no.0, large, _mm512_castsi512_ps(signed))
        })
    }
    #[inline(always)]
    fn canonical(self) -> Self {
        // SAFETY: a vector exists only where its instructions do.
        Self(unsafe {
            _mm512_mask_mov_ps(self.0, _mm512_fpclass_ps_mask::<NAN>(self.0), _mm512_set1_ps(f32::NAN))
        })
    }
}
