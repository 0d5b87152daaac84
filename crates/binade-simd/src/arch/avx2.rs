//! AVX2: eight 32-bit lanes.

use core::arch::x86_64::*;

use super::{uniform_shifts, variable_shifts};
use crate::dispatch::{Kernel, TableKernel};
use crate::lanes::{Lanes, Leg, TableLeg, Words};

/// The token: AVX2 and FMA are there.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    pub(crate) fn detect() -> Option<Avx2> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Avx2(()))
    }

    /// # Safety
    /// The processor has AVX2 and FMA.
    #[target_feature(enable = "avx2,fma")]
    pub(crate) unsafe fn enter<K: Kernel>(kernel: K) -> K::Output {
        kernel.run(Avx2(()))
    }

    /// # Safety
    /// As [`Avx2::enter`].
    #[target_feature(enable = "avx2,fma")]
    pub(crate) unsafe fn enter_tables<K: TableKernel>(kernel: K) -> K::Output {
        kernel.run(Avx2(()))
    }
}

variable_shifts! {
    shift_right: "vpsrlvd", ymm_reg, __m256i, "avx2";
    shift_left: "vpsllvd", ymm_reg, __m256i, "avx2";
}

/// A `__m256i` of 32-bit lanes; made from the token only.
#[derive(Clone, Copy)]
pub(crate) struct Words256(__m256i);

impl Lanes for Words256 {
    type Mask = __m256i;
    const BITS: u32 = 32;
    const COUNT: usize = 8;

    lanewise! {
        and: _mm256_and_si256;
        or: _mm256_or_si256;
        xor: _mm256_xor_si256;
        add: _mm256_add_epi32;
        sub: _mm256_sub_epi32;
        min: _mm256_min_epu32;
        max: _mm256_max_epu32;
        excess: _mm256_subs_epu16;
        shr_each: shift_right;
        shl_each: shift_left;
    }
    uniform_shifts! {
        shr: _mm256_srl_epi32;
        shl: _mm256_sll_epi32;
    }
    #[inline(always)]
    fn like(self, word: u32) -> Self {
        // SAFETY: `self` exists, so the features do.
        Words256(unsafe { _mm256_set1_epi32(word as i32) })
    }
    #[inline(always)]
    fn before(self) -> Self {
        // SAFETY: `self` exists, so the features do. The high halves of lane and subtrahend are 0.
        Words256(unsafe { _mm256_subs_epu16(self.0, _mm256_set1_epi32(1)) })
    }
    #[inline(always)]
    fn gt(self, other: Self) -> __m256i {
        // SAFETY: `self` exists, so the features do. Flipping the top bits makes the signed comparison unsigned.
        unsafe {
            let top = _mm256_set1_epi32(i32::MIN);
            _mm256_cmpgt_epi32(_mm256_xor_si256(self.0, top), _mm256_xor_si256(other.0, top))
        }
    }
    #[inline(always)]
    fn ge(self, other: Self) -> __m256i {
        // SAFETY: `self` exists, so the features do.
        unsafe { _mm256_cmpeq_epi32(_mm256_max_epu32(self.0, other.0), self.0) }
    }
    #[inline(always)]
    fn gt_small(self, other: Self) -> __m256i {
        // SAFETY: `self` exists, so the features do.
        unsafe { _mm256_cmpgt_epi32(self.0, other.0) }
    }
    #[inline(always)]
    fn eq(self, other: Self) -> __m256i {
        // SAFETY: `self` exists, so the features do.
        unsafe { _mm256_cmpeq_epi32(self.0, other.0) }
    }
    #[inline(always)]
    fn select(mask: __m256i, yes: Self, no: Self) -> Self {
        // SAFETY: `yes` exists, so the features do.
        Words256(unsafe { _mm256_blendv_epi8(no.0, yes.0, mask) })
    }
    #[inline(always)]
    fn add_if(self, mask: __m256i, addend: Self) -> Self {
        // SAFETY: `self` exists, so the features do.
        Words256(unsafe { _mm256_add_epi32(self.0, _mm256_and_si256(mask, addend.0)) })
    }
    #[inline(always)]
    fn increment_if(self, mask: __m256i, _: Self) -> Self {
        // SAFETY: `self` exists, so the features do. A mask's lanes are 0 or −1.
        Words256(unsafe { _mm256_sub_epi32(self.0, mask) })
    }
    #[inline(always)]
    fn tops(self) -> __m256i {
        // SAFETY: `self` exists, so the features do.
        unsafe { _mm256_srai_epi32::<31>(self.0) }
    }
    #[inline(always)]
    fn both(a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: masks exist only where vectors do.
        unsafe { _mm256_and_si256(a, b) }
    }
    #[inline(always)]
    fn but_not(a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: masks exist only where vectors do.
        unsafe { _mm256_andnot_si256(b, a) }
    }
    #[inline(always)]
    unsafe fn load_f32(self, source: *const f32) -> Self {
        // SAFETY: `self` exists, so the features do; 32 readable bytes by the caller.
        Words256(unsafe { _mm256_loadu_si256(source.cast()) })
    }
    #[inline(always)]
    unsafe fn pack_u8<const STREAM: bool>(vectors: [Self; 4], destination: *mut u8) {
        let [Words256(a), Words256(b), Words256(c), Words256(d)] = vectors;
        // SAFETY: vectors exist, so the features do; 32 writable bytes, aligned if STREAM, by the caller.
        // Packing works within 128-bit halves: the permutation puts the eight quadruples back in order.
        unsafe {
            let bytes = _mm256_packus_epi16(_mm256_packus_epi32(a, b), _mm256_packus_epi32(c, d));
            let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
            write::<STREAM>(destination, _mm256_permutevar8x32_epi32(bytes, order));
        }
    }
}

/// # Safety
/// AVX2; 32 writable bytes at `destination`, aligned if `STREAM`.
#[inline(always)]
unsafe fn write<const STREAM: bool>(destination: *mut u8, vector: __m256i) {
    // SAFETY: the caller's promise.
    unsafe {
        if STREAM {
            _mm256_stream_si256(destination.cast(), vector);
        } else {
            _mm256_storeu_si256(destination.cast(), vector);
        }
    }
}

impl Words for Words256 {
    lanewise! { mul_even: _mm256_mul_epu32; }
    #[inline(always)]
    fn odd_to_even(self) -> Self {
        // SAFETY: `self` exists, so the features do.
        Words256(unsafe { _mm256_shuffle_epi32::<0xf5>(self.0) })
    }
    #[inline(always)]
    fn counters(self, first: u32) -> Self {
        // SAFETY: `self` exists, so the features do. A call never passes 2^32, so that no carry leaves the lane.
        Words256(unsafe {
            _mm256_add_epi64(_mm256_set1_epi64x(first as i64), _mm256_setr_epi64x(0, 2, 1, 3))
        })
    }
    #[inline(always)]
    fn exchange_xor_even(self, a: Self, b: Self) -> Self {
        // SAFETY: `self` exists, so the features do.
        Words256(unsafe {
            let exchanged = _mm256_shuffle_epi32::<0xb1>(self.0);
            let even = _mm256_xor_si256(exchanged, _mm256_xor_si256(a.0, b.0));
            _mm256_blend_epi32::<0xaa>(even, exchanged)
        })
    }
    #[inline(always)]
    fn weave(pairs: [Self; 2]) -> [Self; 2] {
        let [Words256(ab), Words256(cd)] = pairs;
        // SAFETY: vectors exist, so the features do.
        unsafe { [Words256(_mm256_unpacklo_epi64(ab, cd)), Words256(_mm256_unpackhi_epi64(ab, cd))] }
    }
    #[inline(always)]
    fn to_f32_scaled(self, scale: Self) -> Self {
        // SAFETY: `self` exists, so the features do.
        Words256(unsafe {
            _mm256_castps_si256(_mm256_mul_ps(_mm256_cvtepi32_ps(self.0), _mm256_castsi256_ps(scale.0)))
        })
    }
    #[inline(always)]
    fn add_f32(self, other: Self) -> Self {
        // SAFETY: `self` exists, so the features do.
        Words256(unsafe {
            _mm256_castps_si256(_mm256_add_ps(_mm256_castsi256_ps(self.0), _mm256_castsi256_ps(other.0)))
        })
    }
    #[inline(always)]
    fn sub_f32(self, other: Self) -> Self {
        // SAFETY: `self` exists, so the features do.
        Words256(unsafe {
            _mm256_castps_si256(_mm256_sub_ps(_mm256_castsi256_ps(self.0), _mm256_castsi256_ps(other.0)))
        })
    }
    #[inline(always)]
    fn multiply_add_f32(self, by: Self, addend: Self) -> Self {
        let [x, by, addend] = [self.0, by.0, addend.0];
        // SAFETY: `self` exists, so the features do.
        Words256(unsafe {
            let (x, by, addend) =
                (_mm256_castsi256_ps(x), _mm256_castsi256_ps(by), _mm256_castsi256_ps(addend));
            _mm256_castps_si256(_mm256_fmadd_ps(x, by, addend))
        })
    }
    #[inline(always)]
    unsafe fn load_u32(self, source: *const u32) -> Self {
        // SAFETY: `self` exists, so the features do; 32 readable bytes by the caller.
        Words256(unsafe { _mm256_loadu_si256(source.cast()) })
    }
    #[inline(always)]
    unsafe fn load_u8(self, source: *const u8) -> Self {
        // SAFETY: `self` exists, so the features do; 8 readable bytes by the caller.
        Words256(unsafe { _mm256_cvtepu8_epi32(_mm_loadl_epi64(source.cast())) })
    }
    #[inline(always)]
    unsafe fn load_u16(self, source: *const u16) -> Self {
        // SAFETY: `self` exists, so the features do; 16 readable bytes by the caller.
        Words256(unsafe { _mm256_cvtepu16_epi32(_mm_loadu_si128(source.cast())) })
    }
    #[inline(always)]
    unsafe fn load_i8(self, source: *const u8) -> Self {
        // SAFETY: `self` exists, so the features do; 8 readable bytes by the caller.
        Words256(unsafe { _mm256_cvtepi8_epi32(_mm_loadl_epi64(source.cast())) })
    }
    #[inline(always)]
    unsafe fn load_i16(self, source: *const u16) -> Self {
        // SAFETY: `self` exists, so the features do; 16 readable bytes by the caller.
        Words256(unsafe { _mm256_cvtepi16_epi32(_mm_loadu_si128(source.cast())) })
    }
    #[inline(always)]
    unsafe fn load_f64(self, source: *const f64) -> (Self, Self) {
        // SAFETY: `self` exists, so the features do; 64 readable bytes by the caller. The shuffles move bits only.
        unsafe {
            let (a, b) = (_mm256_loadu_ps(source.cast()), _mm256_loadu_ps(source.cast::<f32>().add(8)));
            let in_order =
                |pairs: __m256| Words256(_mm256_permute4x64_epi64::<0xd8>(_mm256_castps_si256(pairs)));
            (in_order(_mm256_shuffle_ps::<0xdd>(a, b)), in_order(_mm256_shuffle_ps::<0x88>(a, b)))
        }
    }
    #[inline(always)]
    unsafe fn store<const STREAM: bool>(self, destination: *mut u32) {
        // SAFETY: `self` exists, so the features do; the rest is the caller's promise.
        unsafe { write::<STREAM>(destination.cast(), self.0) }
    }
    #[inline(always)]
    unsafe fn pack_u16<const STREAM: bool>(vectors: [Self; 4], destination: *mut u16) {
        let [Words256(a), Words256(b), Words256(c), Words256(d)] = vectors;
        // SAFETY: vectors exist, so the features do; 64 writable bytes, aligned if STREAM, by the caller.
        unsafe {
            let (ab, cd) = (_mm256_packus_epi32(a, b), _mm256_packus_epi32(c, d));
            write::<STREAM>(destination.cast(), _mm256_permute4x64_epi64::<0xd8>(ab));
            write::<STREAM>(destination.add(16).cast(), _mm256_permute4x64_epi64::<0xd8>(cd));
        }
    }
}

impl Leg for Avx2 {
    type Words = Words256;
    const STREAM_ALIGN: usize = 32;
    const SHAPES: bool = true;

    #[inline(always)]
    fn words(self, word: u32) -> Words256 {
        // SAFETY: the token exists, so the features do.
        Words256(unsafe { _mm256_set1_epi32(word as i32) })
    }
    #[inline(always)]
    fn prefetch(self, address: *const u8, bytes: usize) {
        super::prefetch(address, bytes);
    }
    #[inline(always)]
    fn fence(self) {
        // SAFETY: part of every x86-64 processor.
        unsafe { _mm_sfence() }
    }
}

impl TableLeg for Avx2 {
    const TRANSLATES: bool = false;

    #[inline(always)]
    fn translate(self, table: &[u8; 256], source: &[u8], destination: &mut [u8]) {
        let whole = source.len().min(destination.len()) / 32 * 32;
        // SAFETY: the token exists, so the features do.
        let parts = unsafe { Parts::new(table) };
        for at in (0..whole).step_by(32) {
            // SAFETY: as above; 32 bytes from `at` lie within both slices.
            unsafe {
                let index = _mm256_loadu_si256(source.as_ptr().add(at).cast());
                _mm256_storeu_si256(destination.as_mut_ptr().add(at).cast(), parts.at(index));
            }
        }
        for (to, &from) in destination[whole..].iter_mut().zip(&source[whole..]) {
            *to = table[from as usize];
        }
    }
}

/// A table of 256 bytes as sixteen of sixteen, each in both lanes.
struct Parts([__m256i; 16]);

impl Parts {
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn new(table: &[u8; 256]) -> Parts {
        // SAFETY: the features are there; part i has the 16 bytes from 16·i.
        unsafe {
            let mut parts = [_mm256_setzero_si256(); 16];
            for (part, bytes) in parts.iter_mut().zip(table.as_chunks::<16>().0) {
                *part = _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast()));
            }
            Parts(parts)
        }
    }

    /// The table's bytes at 32 indices: by the low four bits in every part, of which bits 4 to 7, each moved to the top of its byte in
    /// turn, choose one.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn at(&self, index: __m256i) -> __m256i {
        // SAFETY: the features are there.
        unsafe {
            let low = _mm256_and_si256(index, _mm256_set1_epi8(15));
            let (bit_4, bit_5, bit_6) =
                (_mm256_slli_epi16::<3>(index), _mm256_slli_epi16::<2>(index), _mm256_slli_epi16::<1>(index));
            // No closures, which would not have the leg's features.
            macro_rules! of {
                (2, $at:expr) => {
                    _mm256_blendv_epi8(
                        _mm256_shuffle_epi8(self.0[$at], low),
                        _mm256_shuffle_epi8(self.0[$at + 1], low),
                        bit_4,
                    )
                };
                (4, $at:expr) => {
                    _mm256_blendv_epi8(of!(2, $at), of!(2, $at + 2), bit_5)
                };
                (8, $at:expr) => {
                    _mm256_blendv_epi8(of!(4, $at), of!(4, $at + 4), bit_6)
                };
            }
            _mm256_blendv_epi8(of!(8, 0), of!(8, 8), index)
        }
    }
}
