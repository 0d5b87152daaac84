//! AVX-512: sixteen 32-bit lanes or thirty-two 16-bit lanes, byte tables in registers, rounding control in each
//! instruction.

use core::arch::x86_64::*;

use super::{uniform_shifts, variable_shifts};
use crate::dispatch::{HalvesKernel, Kernel, OddKernel, TableKernel};
use crate::lanes::{Bytes, HalvesLeg, Lanes, Leg, OddLeg, PairTable, PairTarget, TableLeg, Words};

/// The token: it exists only if the processor has AVX-512 F, BW, VL and DQ.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

/// The token: it exists only if the processor also has VBMI and VNNI.
#[derive(Clone, Copy)]
pub(crate) struct Avx512Vbmi(());

impl Avx512 {
    pub(crate) fn detect() -> Option<Avx512> {
        let present = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("fma");
        present.then_some(Avx512(()))
    }

    /// Runs a kernel with the leg's features enabled.
    ///
    /// # Safety
    /// The processor has AVX-512 F, BW, VL and DQ.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,fma")]
    pub(crate) unsafe fn enter<K: Kernel>(kernel: K) -> K::Output {
        kernel.run(Avx512(()))
    }

    /// Runs a kernel with the leg's features enabled.
    ///
    /// # Safety
    /// The processor has AVX-512 F, BW, VL and DQ.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,fma")]
    pub(crate) unsafe fn enter_tables<K: TableKernel>(kernel: K) -> K::Output {
        kernel.run(Avx512(()))
    }

    /// Runs a kernel with the leg's features enabled.
    ///
    /// # Safety
    /// The processor has AVX-512 F, BW, VL and DQ.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,fma")]
    pub(crate) unsafe fn enter_odd<K: OddKernel>(kernel: K) -> K::Output {
        kernel.run(Avx512(()))
    }
}

impl Avx512Vbmi {
    pub(crate) fn detect() -> Option<Avx512Vbmi> {
        let present = Avx512::detect().is_some()
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vnni");
        present.then_some(Avx512Vbmi(()))
    }

    /// True if the processor also has BF16.
    pub(crate) fn has_bf16(self) -> bool {
        is_x86_feature_detected!("avx512bf16")
    }

    /// Runs a kernel with the leg's features enabled.
    ///
    /// # Safety
    /// The processor has AVX-512 F, BW, VL, DQ, VBMI and VNNI.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vnni,fma")]
    pub(crate) unsafe fn enter_tables<K: TableKernel>(kernel: K) -> K::Output {
        kernel.run(Avx512Vbmi(()))
    }

    /// Runs a kernel with the leg's features enabled.
    ///
    /// # Safety
    /// The processor has AVX-512 F, BW, VL, DQ, VBMI and VNNI.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vnni,fma")]
    pub(crate) unsafe fn enter_halves<K: HalvesKernel>(kernel: K) -> K::Output {
        kernel.run(Avx512Vbmi(()))
    }
}

variable_shifts! {
    shift_right_32: "vpsrlvd", zmm_reg, __m512i, "avx512f";
    shift_left_32: "vpsllvd", zmm_reg, __m512i, "avx512f";
    shift_right_16: "vpsrlvw", zmm_reg, __m512i, "avx512f,avx512bw";
    shift_left_16: "vpsllvw", zmm_reg, __m512i, "avx512f,avx512bw";
}

/// XORs the even 32-bit lanes with those of `a` and `b` in one instruction; the compiler would use two for the
/// intrinsic.
#[inline]
#[target_feature(enable = "avx512f")]
fn xor_even(mut vector: __m512i, a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the instruction only reads and writes the registers named. 0x96 is the table of a ^ b ^ c.
    unsafe {
        core::arch::asm!(
            "vpternlogd {}{{{}}}, {}, {}, 0x96",
            inlateout(zmm_reg) vector, in(kreg) 0x5555_u16, in(zmm_reg) a, in(zmm_reg) b,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    vector
}

/// The 64-bit lanes of `b` where bits of `mask` are set, otherwise of `a`. A blend runs on twice as many ports as the
/// permutation that the compiler makes of the intrinsic.
#[inline]
#[target_feature(enable = "avx512f")]
fn blend_64(mask: u8, a: __m512i, b: __m512i) -> __m512i {
    let blended;
    // SAFETY: the instruction only reads and writes the registers named.
    unsafe {
        core::arch::asm!(
            "vpblendmq {}{{{}}}, {}, {}",
            lateout(zmm_reg) blended, in(kreg) mask, in(zmm_reg) a, in(zmm_reg) b,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    blended
}

/// The minimum of lanes in one instruction; the compiler uses three for a minimum with ones.
macro_rules! least {
    ($($name:ident: $instruction:literal;)*) => { $(
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw")]
        fn $name(a: __m512i, b: __m512i) -> __m512i {
            let least;
            // SAFETY: the instruction only reads and writes the registers named.
            unsafe {
                core::arch::asm!(
                    concat!($instruction, " {}, {}, {}"),
                    lateout(zmm_reg) least, in(zmm_reg) a, in(zmm_reg) b,
                    options(pure, nomem, nostack, preserves_flags)
                );
            }
            least
        }
    )* };
}

least! {
    least_8: "vpminub";
    least_16: "vpminuw";
}

/// Stores a vector.
///
/// # Safety
/// The processor has AVX-512 F; 64 bytes are writable at `destination`, which is aligned if `STREAM`.
#[inline(always)]
unsafe fn write<const STREAM: bool>(destination: *mut u8, vector: __m512i) {
    // SAFETY: the caller guarantees AVX-512 F and 64 writable bytes.
    unsafe {
        if STREAM {
            _mm512_stream_si512(destination.cast(), vector);
        } else {
            _mm512_storeu_si512(destination.cast(), vector);
        }
    }
}

/// A `__m512i` of 32-bit lanes; only a token constructs one.
#[derive(Clone, Copy)]
pub(crate) struct Words512(__m512i);

/// A `__m512i` of 16-bit lanes; only the token of VBMI constructs one.
#[derive(Clone, Copy)]
pub(crate) struct Halves512(__m512i);

impl Lanes for Words512 {
    type Mask = __mmask16;
    const BITS: u32 = 32;
    const COUNT: usize = 16;

    lanewise! {
        and: _mm512_and_si512;
        or: _mm512_or_si512;
        xor: _mm512_xor_si512;
        add: _mm512_add_epi32;
        sub: _mm512_sub_epi32;
        min: _mm512_min_epu32;
        max: _mm512_max_epu32;
        saturating_sub: _mm512_subs_epu16;
        shr_each: shift_right_32;
        shl_each: shift_left_32;
    }
    uniform_shifts! {
        shr: _mm512_srl_epi32;
        shl: _mm512_sll_epi32;
    }
    #[inline(always)]
    fn splat(self, word: u32) -> Self {
        // SAFETY: `self` exists, so the features do.
        Words512(unsafe { _mm512_set1_epi32(word as i32) })
    }
    #[inline(always)]
    fn saturating_decrement(self) -> Self {
        // SAFETY: `self` exists, so the features do. The high halves of lane and subtrahend are 0.
        Words512(unsafe { _mm512_subs_epu16(self.0, _mm512_set1_epi32(1)) })
    }
    #[inline(always)]
    fn gt(self, other: Self) -> __mmask16 {
        // SAFETY: `self` exists, so the features do.
        unsafe { _mm512_cmpgt_epu32_mask(self.0, other.0) }
    }
    #[inline(always)]
    fn ge(self, other: Self) -> __mmask16 {
        // SAFETY: `self` exists, so the features do.
        unsafe { _mm512_cmpge_epu32_mask(self.0, other.0) }
    }
    #[inline(always)]
    fn gt_small(self, other: Self) -> __mmask16 {
        self.gt(other)
    }
    #[inline(always)]
    fn eq(self, other: Self) -> __mmask16 {
        // SAFETY: `self` exists, so the features do.
        unsafe { _mm512_cmpeq_epi32_mask(self.0, other.0) }
    }
    #[inline(always)]
    fn select(mask: __mmask16, yes: Self, no: Self) -> Self {
        // SAFETY: `yes` exists, so the features do.
        Words512(unsafe { _mm512_mask_blend_epi32(mask, no.0, yes.0) })
    }
    #[inline(always)]
    fn add_if(self, mask: __mmask16, addend: Self) -> Self {
        // SAFETY: `self` exists, so the features do.
        Words512(unsafe { _mm512_mask_add_epi32(self.0, mask, self.0, addend.0) })
    }
    #[inline(always)]
    fn increment_if(self, mask: __mmask16, ones: Self) -> Self {
        self.add_if(mask, ones)
    }
    #[inline(always)]
    fn sign_mask(self) -> __mmask16 {
        // SAFETY: `self` exists, so the features do.
        unsafe { _mm512_movepi32_mask(self.0) }
    }
    #[inline(always)]
    fn and_masks(a: __mmask16, b: __mmask16) -> __mmask16 {
        a & b
    }
    #[inline(always)]
    fn and_not(a: __mmask16, b: __mmask16) -> __mmask16 {
        a & !b
    }
    #[inline(always)]
    unsafe fn load_f32(self, source: *const f32) -> Self {
        // SAFETY: `self` exists, so the features do; 64 readable bytes by the caller.
        Words512(unsafe { _mm512_loadu_si512(source.cast()) })
    }
    #[inline(always)]
    unsafe fn pack_u8<const STREAM: bool>(vectors: [Self; 4], destination: *mut u8) {
        let [Words512(a), Words512(b), Words512(c), Words512(d)] = vectors;
        // SAFETY: vectors exist, so the features do; 64 writable bytes, aligned if STREAM, by the caller. Packing works
        // within 128-bit quarters: the permutation restores the order of the sixteen quadruples.
        unsafe {
            let bytes = _mm512_packus_epi16(_mm512_packus_epi32(a, b), _mm512_packus_epi32(c, d));
            let order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
            write::<STREAM>(destination, _mm512_permutexvar_epi32(order, bytes));
        }
    }
}

impl Words for Words512 {
    lanewise! { mul_even: _mm512_mul_epu32; }
    #[inline(always)]
    fn any([a, b, c, d]: [__mmask16; 4]) -> bool {
        a | b | c | d != 0
    }
    #[inline(always)]
    fn odd_to_even(self) -> Self {
        // SAFETY: `self` exists, so the features do.
        Words512(unsafe { _mm512_shuffle_epi32::<0xf5>(self.0) })
    }
    #[inline(always)]
    fn philox_counters(self, first: u32) -> Self {
        // SAFETY: `self` exists, so the features do. No call goes beyond 2^32, so no carry leaves the lane.
        Words512(unsafe {
            _mm512_add_epi64(_mm512_set1_epi64(first as i64), _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7))
        })
    }
    #[inline(always)]
    fn swap_pairs_xor_even(self, a: Self, b: Self) -> Self {
        // SAFETY: `self` exists, so the features do.
        Words512(unsafe { xor_even(_mm512_shuffle_epi32::<0xb1>(self.0), a.0, b.0) })
    }
    #[inline(always)]
    fn interleave_philox(pairs: [Self; 2]) -> [Self; 2] {
        let [Words512(ab), Words512(cd)] = pairs;
        // SAFETY: vectors exist, so the features do.
        unsafe { [Words512(_mm512_unpacklo_epi64(ab, cd)), Words512(_mm512_unpackhi_epi64(ab, cd))] }
    }
    #[inline(always)]
    fn to_f32_scaled(self, scale: Self) -> Self {
        // SAFETY: `self` exists, so the features do.
        Words512(unsafe {
            _mm512_castps_si512(_mm512_mul_ps(_mm512_cvtepi32_ps(self.0), _mm512_castsi512_ps(scale.0)))
        })
    }
    #[inline(always)]
    fn add_f32(self, other: Self) -> Self {
        // SAFETY: `self` exists, so the features do.
        Words512(unsafe {
            _mm512_castps_si512(_mm512_add_ps(_mm512_castsi512_ps(self.0), _mm512_castsi512_ps(other.0)))
        })
    }
    #[inline(always)]
    fn sub_f32(self, other: Self) -> Self {
        // SAFETY: `self` exists, so the features do.
        Words512(unsafe {
            _mm512_castps_si512(_mm512_sub_ps(_mm512_castsi512_ps(self.0), _mm512_castsi512_ps(other.0)))
        })
    }
    #[inline(always)]
    fn multiply_add_f32(self, by: Self, addend: Self) -> Self {
        // SAFETY: `self` exists, so the features do.
        Words512(unsafe {
            let (x, by) = (_mm512_castsi512_ps(self.0), _mm512_castsi512_ps(by.0));
            _mm512_castps_si512(_mm512_fmadd_ps(x, by, _mm512_castsi512_ps(addend.0)))
        })
    }
    #[inline(always)]
    unsafe fn load_u32(self, source: *const u32) -> Self {
        // SAFETY: `self` exists, so the features do; 64 readable bytes by the caller.
        Words512(unsafe { _mm512_loadu_si512(source.cast()) })
    }
    #[inline(always)]
    unsafe fn load_u8(self, source: *const u8) -> Self {
        // SAFETY: `self` exists, so the features do; 16 readable bytes by the caller.
        Words512(unsafe { _mm512_cvtepu8_epi32(_mm_loadu_si128(source.cast())) })
    }
    #[inline(always)]
    unsafe fn load_u16(self, source: *const u16) -> Self {
        // SAFETY: `self` exists, so the features do; 32 readable bytes by the caller.
        Words512(unsafe { _mm512_cvtepu16_epi32(_mm256_loadu_si256(source.cast())) })
    }
    #[inline(always)]
    unsafe fn load_binary16(self, source: *const u16) -> Option<Self> {
        // SAFETY: `self` exists, so the features do; 32 readable bytes by the caller. The instruction ignores DAZ. It
        // is exact, so rounding does not matter.
        Some(Words512(unsafe {
            let words = _mm512_cvt_roundph_ps::<_MM_FROUND_NO_EXC>(_mm256_loadu_si256(source.cast()));
            let nan = _mm512_cmp_round_ps_mask::<_CMP_UNORD_Q, _MM_FROUND_NO_EXC>(words, words);
            _mm512_mask_mov_epi32(_mm512_castps_si512(words), nan, _mm512_set1_epi32(0x7fc0_0000))
        }))
    }
    #[inline(always)]
    unsafe fn load_i8(self, source: *const u8) -> Self {
        // SAFETY: `self` exists, so the features do; 16 readable bytes by the caller.
        Words512(unsafe { _mm512_cvtepi8_epi32(_mm_loadu_si128(source.cast())) })
    }
    #[inline(always)]
    unsafe fn load_i16(self, source: *const u16) -> Self {
        // SAFETY: `self` exists, so the features do; 32 readable bytes by the caller.
        Words512(unsafe { _mm512_cvtepi16_epi32(_mm256_loadu_si256(source.cast())) })
    }
    #[inline(always)]
    unsafe fn load_f64(self, source: *const f64) -> (Self, Self) {
        // SAFETY: `self` exists, so the features do; 128 readable bytes by the caller.
        unsafe {
            let (a, b) = (_mm512_loadu_si512(source.cast()), _mm512_loadu_si512(source.add(8).cast()));
            let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
            let odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
            (Words512(_mm512_permutex2var_epi32(a, odd, b)), Words512(_mm512_permutex2var_epi32(a, even, b)))
        }
    }
    #[inline(always)]
    unsafe fn store<const STREAM: bool>(self, destination: *mut u32) {
        // SAFETY: `self` exists, so the features do; the caller guarantees 64 writable bytes.
        unsafe { write::<STREAM>(destination.cast(), self.0) }
    }
    #[inline(always)]
    unsafe fn pack_u16<const STREAM: bool>(vectors: [Self; 4], destination: *mut u16) {
        let [Words512(a), Words512(b), Words512(c), Words512(d)] = vectors;
        // SAFETY: vectors exist, so the features do; 128 writable bytes, aligned if STREAM, by the caller.
        unsafe {
            let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
            let (ab, cd) = (_mm512_packus_epi32(a, b), _mm512_packus_epi32(c, d));
            write::<STREAM>(destination.cast(), _mm512_permutexvar_epi64(order, ab));
            write::<STREAM>(destination.add(32).cast(), _mm512_permutexvar_epi64(order, cd));
        }
    }
}

impl Lanes for Halves512 {
    type Mask = __mmask32;
    const BITS: u32 = 16;
    const COUNT: usize = 32;

    lanewise! {
        and: _mm512_and_si512;
        or: _mm512_or_si512;
        xor: _mm512_xor_si512;
        add: _mm512_add_epi16;
        sub: _mm512_sub_epi16;
        min: _mm512_min_epu16;
        max: _mm512_max_epu16;
        saturating_sub: _mm512_subs_epu16;
        shr_each: shift_right_16;
        shl_each: shift_left_16;
    }
    uniform_shifts! {
        shr: _mm512_srl_epi16;
        shl: _mm512_sll_epi16;
    }
    #[inline(always)]
    fn splat(self, word: u32) -> Self {
        // SAFETY: `self` exists, so the features do.
        Halves512(unsafe { _mm512_set1_epi16(word as i16) })
    }
    #[inline(always)]
    fn saturating_decrement(self) -> Self {
        // SAFETY: `self` exists, so the features do.
        Halves512(unsafe { _mm512_subs_epu16(self.0, _mm512_set1_epi16(1)) })
    }
    #[inline(always)]
    fn gt(self, other: Self) -> __mmask32 {
        // SAFETY: `self` exists, so the features do.
        unsafe { _mm512_cmpgt_epu16_mask(self.0, other.0) }
    }
    #[inline(always)]
    fn ge(self, other: Self) -> __mmask32 {
        // SAFETY: `self` exists, so the features do.
        unsafe { _mm512_cmpge_epu16_mask(self.0, other.0) }
    }
    #[inline(always)]
    fn gt_small(self, other: Self) -> __mmask32 {
        self.gt(other)
    }
    #[inline(always)]
    fn eq(self, other: Self) -> __mmask32 {
        // SAFETY: `self` exists, so the features do.
        unsafe { _mm512_cmpeq_epi16_mask(self.0, other.0) }
    }
    #[inline(always)]
    fn select(mask: __mmask32, yes: Self, no: Self) -> Self {
        // SAFETY: `yes` exists, so the features do.
        Halves512(unsafe { _mm512_mask_blend_epi16(mask, no.0, yes.0) })
    }
    #[inline(always)]
    fn add_if(self, mask: __mmask32, addend: Self) -> Self {
        // SAFETY: `self` exists, so the features do.
        Halves512(unsafe { _mm512_mask_add_epi16(self.0, mask, self.0, addend.0) })
    }
    #[inline(always)]
    fn increment_if(self, mask: __mmask32, ones: Self) -> Self {
        self.add_if(mask, ones)
    }
    #[inline(always)]
    fn sign_mask(self) -> __mmask32 {
        // SAFETY: `self` exists, so the features do.
        unsafe { _mm512_movepi16_mask(self.0) }
    }
    #[inline(always)]
    fn and_masks(a: __mmask32, b: __mmask32) -> __mmask32 {
        a & b
    }
    #[inline(always)]
    fn and_not(a: __mmask32, b: __mmask32) -> __mmask32 {
        a & !b
    }
    /// Lane 2i has element i, and lane 2i + 1 has element 16 + i.
    #[inline(always)]
    unsafe fn load_f32(self, source: *const f32) -> Self {
        // SAFETY: `self` exists, so the features do; 128 readable bytes by the caller.
        unsafe {
            let (a, b) = (_mm512_loadu_si512(source.cast()), _mm512_loadu_si512(source.add(16).cast()));
            // In 16-bit lanes: min(low half, 1), and min(high half, 0) = 0.
            let one = _mm512_set1_epi32(1);
            let (sticky_a, sticky_b) = (_mm512_min_epu16(a, one), _mm512_min_epu16(b, one));
            let even = _mm512_or_si512(_mm512_srli_epi32::<16>(a), sticky_a);
            let odd = _mm512_or_si512(b, _mm512_slli_epi32::<16>(sticky_b));
            Halves512(_mm512_mask_blend_epi16(0xaaaa_aaaa, even, odd))
        }
    }
    #[inline(always)]
    unsafe fn pack_u8<const STREAM: bool>(vectors: [Self; 4], destination: *mut u8) {
        /// After x | y << 8, bytes 4i and 4i + 1 are element i of x and of y. Bytes 4i + 2 and 4i + 3 are element 16 +
        /// i of x and of y.
        const ORDER: [u8; 64] = {
            let mut order = [0; 64];
            let mut i = 0;
            while i < 16 {
                let first = 4 * i as u8;
                (order[i], order[16 + i], order[32 + i], order[48 + i]) =
                    (first, first + 2, first + 1, first + 3);
                i += 1;
            }
            order
        };
        let [Halves512(a), Halves512(b), Halves512(c), Halves512(d)] = vectors;
        // SAFETY: vectors exist, so the features do; 128 writable bytes, aligned if STREAM, by the caller.
        unsafe {
            let order = _mm512_loadu_si512(ORDER.as_ptr().cast());
            let ab = _mm512_or_si512(a, _mm512_slli_epi16::<8>(b));
            let cd = _mm512_or_si512(c, _mm512_slli_epi16::<8>(d));
            write::<STREAM>(destination, _mm512_permutexvar_epi8(order, ab));
            write::<STREAM>(destination.add(64), _mm512_permutexvar_epi8(order, cd));
        }
    }
}

/// The items that both legs share.
macro_rules! leg {
    () => {
        type Words = Words512;
        const STREAM_ALIGN: usize = 64;
        const SPECIALIZES_SHAPES: bool = true;

        #[inline(always)]
        fn words(self, word: u32) -> Words512 {
            // SAFETY: the token exists, so the features do.
            Words512(unsafe { _mm512_set1_epi32(word as i32) })
        }
        #[inline(always)]
        fn prefetch(self, address: *const u8, bytes: usize) {
            super::prefetch(address, bytes);
        }
        #[inline(always)]
        fn fence(self) {
            // SAFETY: every x86-64 processor has the instruction.
            unsafe { _mm_sfence() }
        }
    };
}

impl Leg for Avx512 {
    leg!();
}

impl TableLeg for Avx512 {
    const PREFERS_TABLES: bool = false;

    #[inline(always)]
    fn translate(self, table: &[u8; 256], source: &[u8], destination: &mut [u8]) {
        // SAFETY: the token exists, so the features do, and they include AVX2.
        unsafe { super::avx2::translate(table, source, destination) }
    }
}

/// A table of 256 bytes in four registers.
#[derive(Clone, Copy)]
struct ByteTable([__m512i; 4]);

impl ByteTable {
    /// Loads a table.
    ///
    /// # Safety
    /// The processor has AVX-512 F.
    #[inline(always)]
    unsafe fn load(table: &[u8; 256]) -> ByteTable {
        let quarter = |i: usize| {
            // SAFETY: 64 bytes from 64 · i are within the table; the caller guarantees AVX-512 F.
            unsafe { _mm512_loadu_si512(table.as_ptr().add(64 * i).cast()) }
        };
        ByteTable([quarter(0), quarter(1), quarter(2), quarter(3)])
    }

    /// The bytes at 64 indices.
    ///
    /// # Safety
    /// The processor has AVX-512 VBMI.
    #[inline(always)]
    unsafe fn at(self, index: __m512i) -> __m512i {
        let [a, b, c, d] = self.0;
        // SAFETY: the caller guarantees VBMI. The permutations use the low seven bits of an index, the blend the
        // eighth.
        unsafe {
            let (low, high) = (_mm512_permutex2var_epi8(a, index, b), _mm512_permutex2var_epi8(c, index, d));
            _mm512_mask_blend_epi8(_mm512_movepi8_mask(index), low, high)
        }
    }
}

impl Leg for Avx512Vbmi {
    leg!();
}

/// The numbers of the 16-bit lanes of two vectors that are the high (1) or low (0) halves of their 32-bit lanes, in
/// order.
const fn halves_of_pairs(high: u16) -> [u16; 32] {
    let mut order = [0; 32];
    let mut i = 0;
    while i < 32 {
        order[i] = 2 * i as u16 + high;
        i += 1;
    }
    order
}

/// Joins two vectors, in which each of several sources has a run of lanes, into one in which each run has half the
/// length. The result is the maximum of the two halves of a run, or of the even and the odd 32-bit lanes. The numbers
/// are the bits in each half.
macro_rules! halve {
    ($max:ident, 256, $a:expr, $b:expr) => {{
        // One of two pairs of halves stays in place: a blend runs on more ports than a permutation.
        let (a, b) = ($a, $b);
        $max(blend_64(0xf0, a, b), _mm512_shuffle_i64x2::<0b01_00_11_10>(a, b))
    }};
    ($max:ident, 128, $a:expr, $b:expr) => {{
        let (a, b) = ($a, $b);
        $max(_mm512_shuffle_i64x2::<0b10_00_10_00>(a, b), _mm512_shuffle_i64x2::<0b11_01_11_01>(a, b))
    }};
    ($max:ident, 64, $a:expr, $b:expr) => {{
        let (a, b) = ($a, $b);
        let crossed = _mm512_shuffle_pd::<0b0101_0101>(_mm512_castsi512_pd(a), _mm512_castsi512_pd(b));
        $max(_mm512_mask_blend_epi64(0xaa, a, b), _mm512_castpd_si512(crossed))
    }};
    ($max:ident, 32, $a:expr, $b:expr) => {{
        let (a, b) = (_mm512_castsi512_ps($a), _mm512_castsi512_ps($b));
        let (even, odd) =
            (_mm512_shuffle_ps::<0b10_00_10_00>(a, b), _mm512_shuffle_ps::<0b11_01_11_01>(a, b));
        $max(_mm512_castps_si512(even), _mm512_castps_si512(odd))
    }};
}

/// Joins four, eight or sixteen vectors into one by steps of [`halve`]. The order of sources in the result is their own
/// order if the first step joins sources whose numbers are `$far` apart, and later steps closer ones.
macro_rules! narrow {
    (four, $max:ident, $far:literal, $vector:ident, $k:expr) => {
        halve!(
            $max,
            128,
            halve!($max, 256, $vector!($k), $vector!($k + $far)),
            halve!($max, 256, $vector!($k + 2 * $far), $vector!($k + 3 * $far))
        )
    };
    (eight, $max:ident, $far:literal, $vector:ident, $k:expr) => {
        halve!(
            $max,
            64,
            narrow!(four, $max, $far, $vector, $k),
            narrow!(four, $max, $far, $vector, $k + $far / 4)
        )
    };
    (sixteen, $max:ident, $far:literal, $vector:ident, $k:expr) => {
        halve!(
            $max,
            32,
            narrow!(eight, $max, $far, $vector, $k),
            narrow!(eight, $max, $far, $vector, $k + $far / 2)
        )
    };
}

/// The largest byte of each block, as 16-bit lanes, from sixteen vectors of crossed bytes with two blocks each.
macro_rules! largest_of_crossed {
    ($vector:ident) => {{
        /// After the steps below, the lanes are blocks 8i, 8i + 4, 8i + 1, 8i + 5 and so on.
        const ORDER: [u16; 32] = {
            let mut order = [0; 32];
            let mut at = 0;
            while at < 32 {
                order[at] = (at / 8 * 8 + at % 4 * 2 + at % 8 / 4) as u16;
                at += 1;
            }
            order
        };
        macro_rules! four {
            ($k:expr) => {
                narrow!(four, _mm512_max_epu8, 4, $vector, $k)
            };
        }
        let first = halve!(_mm512_max_epu8, 32, four!(0), four!(1));
        let second = halve!(_mm512_max_epu8, 32, four!(2), four!(3));
        let low = _mm512_mask_blend_epi16(0xaaaa_aaaa, first, _mm512_slli_epi32::<16>(second));
        let high = _mm512_mask_blend_epi16(0xaaaa_aaaa, _mm512_srli_epi32::<16>(first), second);
        let pairs = _mm512_max_epu8(low, high);
        let either = _mm512_max_epu8(pairs, _mm512_srli_epi16::<8>(pairs));
        let largest = _mm512_and_si512(either, _mm512_set1_epi16(0xff));
        Halves512(_mm512_permutexvar_epi16(_mm512_loadu_si512(ORDER.as_ptr().cast()), largest))
    }};
}

/// The last step of such a reduction: the maximum of each pair of lanes, alternately of two vectors.
///
/// # Safety
/// The features of [`Avx512Vbmi`].
#[inline(always)]
unsafe fn joined_halves(even: __m512i, odd: __m512i) -> __m512i {
    // SAFETY: the caller guarantees the features.
    unsafe {
        let low = _mm512_mask_blend_epi16(0xaaaa_aaaa, even, _mm512_slli_epi32::<16>(odd));
        let high = _mm512_mask_blend_epi16(0xaaaa_aaaa, _mm512_srli_epi32::<16>(even), odd);
        _mm512_max_epu16(low, high)
    }
}

/// The words of two vectors rounded to odd, in order.
///
/// # Safety
/// The features of [`Avx512Vbmi`].
#[inline(always)]
unsafe fn odd(a: __m512i, b: __m512i) -> Halves512 {
    const LOW: [u16; 32] = halves_of_pairs(0);
    const HIGH: [u16; 32] = halves_of_pairs(1);
    // SAFETY: the caller guarantees the features; the constants are whole vectors.
    unsafe {
        let low = _mm512_permutex2var_epi16(a, _mm512_loadu_si512(LOW.as_ptr().cast()), b);
        let high = _mm512_permutex2var_epi16(a, _mm512_loadu_si512(HIGH.as_ptr().cast()), b);
        Halves512(_mm512_or_si512(high, least_16(low, _mm512_set1_epi16(1))))
    }
}

/// Loads the next 64 codes of `WIDTH` bits, one in each byte. Bits above a narrower code are unspecified. Each 128-bit
/// quarter gets runs of `RUN` codes in turn, so that interleavings within quarters give the original order.
///
/// # Safety
/// The features of [`Avx512Vbmi`]; 64 codes are readable at `source`.
#[inline(always)]
unsafe fn quarters_of_codes<const WIDTH: u32, const RUN: usize>(source: *const u8) -> Bytes512 {
    /// For each eight codes the bytes that contain them, by run length (4 or 8) and by half the width minus two.
    const ORDERS: [[[u8; 64]; 3]; 2] = {
        let mut orders = [[[0; 64]; 3]; 2];
        let mut at = 0;
        while at < 2 * 3 * 64 {
            let (eights, width, byte) = (at / 192, 4 + 2 * (at / 64 % 3), at % 64);
            let (run, bytes) = (4 << eights, width * (4 << eights) / 8);
            // This byte belongs to the eight codes of one run. The run's number in order and its number in its quarter
            // are exchanged.
            let within = byte % 8;
            if within < width {
                let number = (byte / 8 * 8) / run + within / bytes;
                let runs = 16 / run;
                orders[eights][at / 64 % 3][byte] =
                    ((number % runs * 4 + number / runs) * bytes + within % bytes) as u8;
            }
            at += 1;
        }
        orders
    };
    // SAFETY: the caller guarantees the features and the readable codes.
    Bytes512(unsafe {
        let order = _mm512_loadu_si512(ORDERS[RUN / 8][WIDTH as usize / 2 - 2].as_ptr().cast());
        match WIDTH {
            4 => {
                let packed = _mm512_castsi256_si512(_mm256_loadu_si256(source.cast()));
                // Bytes from bits 0, 4, … 28 on.
                let from = _mm512_set1_epi64(0x1c18_1410_0c08_0400);
                _mm512_multishift_epi64_epi8(from, _mm512_permutexvar_epi8(order, packed))
            }
            6 => {
                // A masked load would take longer.
                let first = _mm512_castsi256_si512(_mm256_loadu_si256(source.cast()));
                let packed = _mm512_inserti32x4::<2>(first, _mm_loadu_si128(source.add(32).cast()));
                // Bytes from bits 0, 6, … 42 on.
                let from = _mm512_set1_epi64(0x2a24_1e18_120c_0600);
                _mm512_multishift_epi64_epi8(from, _mm512_permutexvar_epi8(order, packed))
            }
            _ => _mm512_permutexvar_epi8(order, _mm512_loadu_si512(source.cast())),
        }
    })
}

/// The bytes of `high`, except their top bits: these are the top bits of `signs` where those of `high` are clear, and
/// clear elsewhere.
///
/// # Safety
/// The features of [`Avx512Vbmi`].
#[inline(always)]
unsafe fn signed_unless(high: __m512i, signs: __m512i) -> __m512i {
    // SAFETY: the caller guarantees the features. 0x58 is the truth table of c ? !a & b : a.
    unsafe { _mm512_ternarylogic_epi32::<0x58>(high, signs, _mm512_set1_epi8(i8::MIN)) }
}

impl HalvesLeg for Avx512Vbmi {
    type Halves = Halves512;
    type Bytes = Bytes512;

    #[inline(always)]
    fn halves(self, word: u32) -> Halves512 {
        // SAFETY: the token exists, so the features do.
        Halves512(unsafe { _mm512_set1_epi16(word as i16) })
    }
    #[inline(always)]
    fn bytes(self, byte: u8) -> Bytes512 {
        // SAFETY: the token exists, so the features do.
        Bytes512(unsafe { _mm512_set1_epi8(byte as i8) })
    }
    #[inline(always)]
    unsafe fn load_odd(self, source: *const f32) -> Halves512 {
        // SAFETY: the token exists, so the features do; 128 readable bytes by the caller.
        unsafe { odd(_mm512_loadu_si512(source.cast()), _mm512_loadu_si512(source.add(16).cast())) }
    }
    #[inline(always)]
    unsafe fn load_odd_binary16(self, source: *const u16) -> Halves512 {
        // SAFETY: the token exists, so the features do; 64 readable bytes by the caller.
        unsafe {
            let first = _mm512_cvtph_ps(_mm256_loadu_si256(source.cast()));
            let second = _mm512_cvtph_ps(_mm256_loadu_si256(source.add(16).cast()));
            odd(_mm512_castps_si512(first), _mm512_castps_si512(second))
        }
    }
    #[inline(always)]
    unsafe fn load_halves(self, source: *const u16) -> Halves512 {
        // SAFETY: the token exists, so the features do; 64 readable bytes by the caller.
        Halves512(unsafe { _mm512_loadu_si512(source.cast()) })
    }
    #[inline(always)]
    unsafe fn widened<const BINARY16: bool>(self, source: *const u16) -> Words512 {
        // SAFETY: the token exists, so the features do; 32 readable bytes by the caller.
        Words512(unsafe {
            let halves = _mm256_loadu_si256(source.cast());
            if BINARY16 {
                _mm512_castps_si512(_mm512_cvtph_ps(halves))
            } else {
                _mm512_slli_epi32::<16>(_mm512_cvtepu16_epi32(halves))
            }
        })
    }
    #[inline(always)]
    unsafe fn store_halves(self, halves: Halves512, destination: *mut u16) {
        // SAFETY: the token exists, so the features do; 64 writable bytes by the caller.
        unsafe { _mm512_storeu_si512(destination.cast(), halves.0) }
    }
    #[inline(always)]
    fn narrowed<const BINARY16: bool>(self, numbers: [Words512; 2], unsigned: bool) -> Halves512 {
        const HIGH: [u16; 32] = halves_of_pairs(1);
        let [Words512(a), Words512(b)] = numbers;
        // SAFETY: the token exists, so the features do.
        unsafe {
            if !BINARY16 {
                // Usually no number needs rounding.
                let below = _mm512_test_epi32_mask(_mm512_or_si512(a, b), _mm512_set1_epi32(0xffff));
                if below == 0 {
                    let order = _mm512_loadu_si512(HIGH.as_ptr().cast());
                    return Halves512(_mm512_permutex2var_epi16(a, order, b));
                }
            }
            let halves = if BINARY16 {
                // Rounds to nearest even in any environment.
                let first = _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm512_castsi512_ps(a));
                let second = _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm512_castsi512_ps(b));
                _mm512_inserti64x4::<1>(_mm512_castsi256_si512(first), second)
            } else {
                let (half, one) = (_mm512_set1_epi32(0x7fff), _mm512_set1_epi32(1));
                let odd = _mm512_and_si512(_mm512_srli_epi32::<16>(a), one);
                let first = _mm512_add_epi32(_mm512_add_epi32(a, half), odd);
                let odd = _mm512_and_si512(_mm512_srli_epi32::<16>(b), one);
                let second = _mm512_add_epi32(_mm512_add_epi32(b, half), odd);
                _mm512_permutex2var_epi16(first, _mm512_loadu_si512(HIGH.as_ptr().cast()), second)
            };
            let zeros =
                if unsigned { _mm512_cmpeq_epi16_mask(halves, _mm512_set1_epi16(i16::MIN)) } else { 0 };
            Halves512(_mm512_mask_mov_epi16(halves, zeros, _mm512_setzero_si512()))
        }
    }
    #[inline(always)]
    unsafe fn look_up_nibbles(self, codes: *const u8, tables: [&[u16; 16]; 2]) -> Halves512 {
        // SAFETY: the token exists, so the features do; the caller guarantees 16 readable bytes, and the tables have 32
        // bytes. 0xa8 is the truth table of (a | b) & c. The permutation uses five bits of each lane: the code, and the
        // table's number above it.
        unsafe {
            let first = _mm256_loadu_si256(tables[0].as_ptr().cast());
            let second = _mm256_loadu_si256(tables[1].as_ptr().cast());
            let table = _mm512_inserti64x4::<1>(_mm512_castsi256_si512(first), second);
            let bytes = _mm512_cvtepu8_epi32(_mm_loadu_si128(codes.cast()));
            let code = _mm512_set1_epi32(0x000f_000f);
            let places = _mm512_ternarylogic_epi32::<0xa8>(bytes, _mm512_slli_epi32::<12>(bytes), code);
            let numbers = _mm512_mask_set1_epi32(_mm512_setzero_si512(), 0xff00, 0x0010_0010);
            Halves512(_mm512_permutexvar_epi16(_mm512_or_si512(places, numbers), table))
        }
    }
    #[inline(always)]
    unsafe fn look_up_bfloats<const WIDTH: u32>(
        self,
        source: *const u8,
        low: [Bytes512; 2],
        high: [Bytes512; 2],
    ) -> [Words512; 4] {
        // SAFETY: the token exists, so the features do; the caller guarantees the readable codes.
        unsafe {
            let codes = quarters_of_codes::<WIDTH, 4>(source);
            let (low, mut high) = (codes.look_up(low).0, codes.look_up(high).0);
            if WIDTH == 8 {
                high = signed_unless(high, codes.0);
            }
            let zero = _mm512_setzero_si512();
            let (a, b) = (_mm512_unpacklo_epi8(low, high), _mm512_unpackhi_epi8(low, high));
            [
                Words512(_mm512_unpacklo_epi16(zero, a)),
                Words512(_mm512_unpackhi_epi16(zero, a)),
                Words512(_mm512_unpacklo_epi16(zero, b)),
                Words512(_mm512_unpackhi_epi16(zero, b)),
            ]
        }
    }
    #[inline(always)]
    unsafe fn look_up_byte_pairs<const WIDTH: u32>(
        self,
        source: *const u8,
        low: [Bytes512; 2],
        high: [Bytes512; 2],
    ) -> [Halves512; 2] {
        // SAFETY: the token exists, so the features do; the caller guarantees the readable codes.
        unsafe {
            let codes = quarters_of_codes::<WIDTH, 8>(source);
            let (low, mut high) = (codes.look_up(low).0, codes.look_up(high).0);
            if WIDTH == 8 {
                high = signed_unless(high, codes.0);
            }
            [Halves512(_mm512_unpacklo_epi8(low, high)), Halves512(_mm512_unpackhi_epi8(low, high))]
        }
    }
    #[inline(always)]
    fn add_to_nonzero(self, lanes: Halves512, by: u32, unsigned: bool) -> Halves512 {
        // SAFETY: the token exists, so the features do.
        Halves512(unsafe {
            let numbers = _mm512_test_epi16_mask(lanes.0, _mm512_set1_epi16(i16::MAX));
            let others = if unsigned { _mm512_setzero_si512() } else { lanes.0 };
            _mm512_mask_add_epi16(others, numbers, lanes.0, _mm512_set1_epi16(by as i16))
        })
    }
    #[inline(always)]
    fn add_to_finite_nonzero(self, lanes: Halves512, by: u32, infinity: u32) -> Halves512 {
        // SAFETY: the token exists, so the features do. A magnitude of 0 minus 1 wraps to the maximum.
        Halves512(unsafe {
            let magnitudes = _mm512_and_si512(lanes.0, _mm512_set1_epi16(i16::MAX));
            let less = _mm512_add_epi16(magnitudes, _mm512_set1_epi16(-1));
            let finite = _mm512_cmplt_epu16_mask(less, _mm512_set1_epi16(infinity as i16 - 1));
            _mm512_mask_add_epi16(lanes.0, finite, lanes.0, _mm512_set1_epi16(by as i16))
        })
    }
    #[inline(always)]
    fn lane_numbers(self, first: u32) -> Words512 {
        // SAFETY: the token exists, so the features do.
        Words512(unsafe {
            let order = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
            _mm512_add_epi32(order, _mm512_set1_epi32(first as i32))
        })
    }
    #[inline(always)]
    fn permute_pair(self, before: Words512, after: Words512, lanes: Words512) -> Words512 {
        // SAFETY: the token exists, so the features do.
        Words512(unsafe { _mm512_permutex2var_epi32(before.0, lanes.0, after.0) })
    }
    #[inline(always)]
    fn add_floor_and_ceiling(self, whole: Words512, x: Words512, by: [Words512; 2]) -> Words512 {
        const FLOOR: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
        const CEILING: i32 = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;
        let [Words512(above), Words512(below)] = by;
        // SAFETY: the token exists, so the features do.
        Words512(unsafe {
            let (x, whole) = (_mm512_castsi512_ps(x.0), _mm512_castsi512_ps(whole.0));
            let floor = _mm512_fmadd_round_ps::<FLOOR>(x, _mm512_castsi512_ps(above), whole);
            let sum = _mm512_fmadd_round_ps::<CEILING>(x, _mm512_castsi512_ps(below), floor);
            _mm512_castps_si512(sum)
        })
    }
    #[inline(always)]
    fn all_below(self, words: Words512, limit: Words512) -> bool {
        words.ge(limit) == 0
    }
    #[inline(always)]
    unsafe fn gather(self, table: *const u32, places: Words512) -> Words512 {
        // SAFETY: the token exists, so the features do; the caller guarantees a readable word at each position.
        Words512(unsafe { _mm512_i32gather_epi32::<4>(places.0, table.cast()) })
    }
    #[inline(always)]
    unsafe fn store_low_bytes(self, words: Words512, destination: *mut u8) {
        // SAFETY: the token exists, so the features do; 16 writable bytes by the caller.
        unsafe { _mm_storeu_si128(destination.cast(), _mm512_cvtepi32_epi8(words.0)) }
    }
    #[inline(always)]
    fn low_bytes(self, words: [Words512; 4]) -> Bytes512 {
        /// From two vectors, alternately eight bytes of each.
        const ORDER: [u8; 64] = {
            let mut order = [0; 64];
            let mut at = 0;
            while at < 64 {
                order[at] = 4 * (at / 16 * 8 + at % 8) as u8;
                at += 1;
            }
            order
        };
        let [Words512(a), Words512(b), Words512(c), Words512(d)] = words;
        // SAFETY: the token exists, so the features do.
        Bytes512(unsafe {
            let order = _mm512_loadu_si512(ORDER.as_ptr().cast());
            let (ab, cd) = (_mm512_permutex2var_epi8(a, order, b), _mm512_permutex2var_epi8(c, order, d));
            blend_64(0xaa, ab, cd)
        })
    }
    #[inline(always)]
    fn signed_bytes(self, words: [Words512; 4]) -> Bytes512 {
        const LOW: [u16; 32] = halves_of_pairs(0);
        let [Words512(a), Words512(b), Words512(c), Words512(d)] = words;
        // SAFETY: the token exists, so the features do. Packing saturates, and crosses the vectors.
        Bytes512(unsafe {
            let low = _mm512_loadu_si512(LOW.as_ptr().cast());
            let (ab, cd) = (_mm512_permutex2var_epi16(a, low, b), _mm512_permutex2var_epi16(c, low, d));
            _mm512_max_epi8(_mm512_packs_epi16(ab, cd), _mm512_set1_epi8(-127))
        })
    }
    #[inline(always)]
    fn planes(self, [a, b]: [Halves512; 2]) -> [Bytes512; 2] {
        // SAFETY: the token exists, so the features do. Of each four lanes, the bytes from bits 0 and 7 on. Packing saturates, which
        // keeps signs, and crosses. 0xe4 is the table of c ? a : b.
        unsafe {
            let from = _mm512_set1_epi64(0x3727_1707_3020_1000);
            let x = _mm512_castsi512_ps(_mm512_multishift_epi64_epi8(from, a.0));
            let y = _mm512_castsi512_ps(_mm512_multishift_epi64_epi8(from, b.0));
            let low = _mm512_castps_si512(_mm512_shuffle_ps::<0b10_00_10_00>(x, y));
            let exponents = _mm512_castps_si512(_mm512_shuffle_ps::<0b11_01_11_01>(x, y));
            let signs = _mm512_packs_epi16(a.0, b.0);
            let low = _mm512_ternarylogic_epi32::<0xe4>(low, signs, _mm512_set1_epi8(i8::MAX));
            [Bytes512(low), Bytes512(exponents)]
        }
    }
    #[inline(always)]
    unsafe fn largest_exponents(self, planes: *const u8) -> Halves512 {
        macro_rules! vector {
            ($k:expr) => {
                _mm512_loadu_si512(planes.add(128 * ($k) + 64).cast())
            };
        }
        // SAFETY: the token exists, so the features do; 16 pairs of vectors by the caller.
        unsafe { largest_of_crossed!(vector) }
    }
    #[inline(always)]
    unsafe fn largest_significands(self, planes: *const u8, exponents: *const u8) -> Halves512 {
        macro_rules! vector {
            ($k:expr) => {{
                let low = _mm512_loadu_si512(planes.add(128 * ($k)).cast());
                let own = _mm512_loadu_si512(planes.add(128 * ($k) + 64).cast());
                let most = _mm512_broadcast_i32x4(_mm_loadu_si128(exponents.add(16 * ($k)).cast()));
                let low = _mm512_and_si512(low, _mm512_set1_epi8(i8::MAX));
                _mm512_maskz_mov_epi8(_mm512_cmpeq_epi8_mask(own, most), low)
            }};
        }
        // SAFETY: the token exists, so the features do; 16 pairs of vectors and 256 bytes by the caller.
        unsafe { largest_of_crossed!(vector) }
    }
    #[inline(always)]
    unsafe fn repeat_bytes(self, halves: Halves512, destination: *mut u8) {
        /// The low bytes of the first eight lanes, each eight times.
        const ORDER: [u8; 64] = {
            let mut order = [0; 64];
            let mut at = 0;
            while at < 64 {
                order[at] = (at / 8 * 2) as u8;
                at += 1;
            }
            order
        };
        // SAFETY: the token exists, so the features do; 256 writable bytes by the caller.
        unsafe {
            let mut order = _mm512_loadu_si512(ORDER.as_ptr().cast());
            for eight in 0..4 {
                let bytes = _mm512_permutexvar_epi8(order, halves.0);
                _mm512_storeu_si512(destination.add(64 * eight).cast(), bytes);
                order = _mm512_add_epi8(order, _mm512_set1_epi8(16));
            }
        }
    }
    #[inline(always)]
    unsafe fn store_low_bytes_of_halves(self, halves: Halves512, destination: *mut u8) {
        // SAFETY: the token exists, so the features do; 32 writable bytes by the caller.
        unsafe { _mm256_storeu_si256(destination.cast(), _mm512_cvtepi16_epi8(halves.0)) }
    }
    #[inline(always)]
    fn is_empty_mask(self, mask: __mmask32) -> bool {
        mask == 0
    }
    #[inline(always)]
    unsafe fn broadcast_sixteen(self, source: *const u8) -> Bytes512 {
        // SAFETY: the token exists, so the features do; 16 readable bytes by the caller.
        Bytes512(unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(source.cast())) })
    }
    #[inline(always)]
    unsafe fn maxima_of_words(self, mask: Words512, source: *const u32) -> Words512 {
        macro_rules! vector {
            ($k:expr) => {
                _mm512_and_si512(mask.0, _mm512_loadu_si512(source.add(16 * ($k)).cast()))
            };
        }
        // SAFETY: the token exists, so the features do; 16 vectors of 16 readable elements by the caller.
        unsafe { Words512(narrow!(sixteen, _mm512_max_epu32, 4, vector, 0)) }
    }
    #[inline(always)]
    unsafe fn maxima_of_runs<const BINARY16: bool>(self, source: *const u16) -> [Words512; 2] {
        /// Lane numbers with bits 0 and 3 exchanged.
        const ORDER: [u16; 32] = {
            let mut order = [0; 32];
            let mut at = 0;
            while at < 32 {
                order[at] = (at & 0b10110 | (at & 1) << 3 | at >> 3 & 1) as u16;
                at += 1;
            }
            order
        };
        // A vector has two runs, like a vector that joins two others.
        macro_rules! four {
            ($k:expr) => {
                halve!(_mm512_max_epu16, 128, vector!($k), vector!($k + 8))
            };
        }
        macro_rules! vector {
            ($k:expr) => {
                _mm512_and_si512(
                    _mm512_set1_epi16(i16::MAX),
                    _mm512_loadu_si512(source.add(32 * ($k)).cast()),
                )
            };
        }
        macro_rules! sixteen {
            ($k:expr) => {
                halve!(
                    _mm512_max_epu16,
                    32,
                    halve!(_mm512_max_epu16, 64, four!($k), four!($k + 1)),
                    halve!(_mm512_max_epu16, 64, four!($k + 2), four!($k + 3))
                )
            };
        }
        // SAFETY: the token exists, so the features do; 32 runs of 16 readable elements by the caller.
        unsafe {
            let halves = joined_halves(sixteen!(0), sixteen!(4));
            let halves = _mm512_permutexvar_epi16(_mm512_loadu_si512(ORDER.as_ptr().cast()), halves);
            let (a, b) = (_mm512_castsi512_si256(halves), _mm512_extracti64x4_epi64::<1>(halves));
            if BINARY16 {
                let (a, b) = (_mm512_cvtph_ps(a), _mm512_cvtph_ps(b));
                [Words512(_mm512_castps_si512(a)), Words512(_mm512_castps_si512(b))]
            } else {
                let (a, b) = (_mm512_cvtepu16_epi32(a), _mm512_cvtepu16_epi32(b));
                [Words512(_mm512_slli_epi32::<16>(a)), Words512(_mm512_slli_epi32::<16>(b))]
            }
        }
    }
}

/// A `__m512i` of bytes; only the token of VBMI constructs one.
#[derive(Clone, Copy)]
pub(crate) struct Bytes512(__m512i);

impl Bytes for Bytes512 {
    type Halves = Halves512;
    const COUNT: usize = 64;

    lanewise! {
        and: _mm512_and_si512;
        or: _mm512_or_si512;
        add: _mm512_add_epi8;
        saturating_add: _mm512_adds_epu8;
        saturating_sub: _mm512_subs_epu8;
        min: least_8;
    }
    uniform_shifts! {
        shl: _mm512_sll_epi16;
    }
    #[inline(always)]
    fn clamp_signed(self, most: u8) -> Bytes512 {
        // SAFETY: `self` exists, so the features do.
        Bytes512(unsafe {
            let (most, least) = (_mm512_set1_epi8(most as i8), _mm512_set1_epi8(-(most as i8)));
            _mm512_min_epi8(_mm512_max_epi8(self.0, least), most)
        })
    }
    #[inline(always)]
    fn table(self, entries: &[u8; 128]) -> [Bytes512; 2] {
        let at = |half: usize| {
            // SAFETY: `self` exists, so the features do; 64 bytes of a table of 128.
            Bytes512(unsafe { _mm512_loadu_si512(entries.as_ptr().add(64 * half).cast()) })
        };
        [at(0), at(1)]
    }
    #[inline(always)]
    fn look_up(self, [low, high]: [Bytes512; 2]) -> Bytes512 {
        // SAFETY: `self` exists, so the features do.
        Bytes512(unsafe { _mm512_permutex2var_epi8(low.0, self.0, high.0) })
    }
    #[inline(always)]
    fn below(self, limit: Bytes512) -> u64 {
        // SAFETY: `self` exists, so the features do.
        unsafe { _mm512_cmplt_epu8_mask(self.0, limit.0) }
    }
    #[inline(always)]
    fn blend(self, mask: u64, yes: Bytes512) -> Bytes512 {
        // SAFETY: `self` exists, so the features do.
        Bytes512(unsafe { _mm512_mask_blend_epi8(mask, self.0, yes.0) })
    }
    #[inline(always)]
    fn signed<const WIDTH: u32>(self, signs: Bytes512) -> Bytes512 {
        // SAFETY: `self` exists, so the features do. Bits that shifts move in from the next lane are ignored. 0xd0 is
        // the truth table of a & (b | !c).
        unsafe {
            let signs = match WIDTH {
                4 => _mm512_srli_epi16::<4>(signs.0),
                6 => _mm512_srli_epi16::<2>(signs.0),
                _ => signs.0,
            };
            let sign = _mm512_set1_epi8((1u8 << (WIDTH - 1)) as i8);
            Bytes512(_mm512_ternarylogic_epi32::<0xd0>(self.0, signs, sign))
        }
    }
    #[inline(always)]
    unsafe fn load(self, source: *const u8) -> Bytes512 {
        // SAFETY: `self` exists, so the features do; 64 readable bytes by the caller.
        Bytes512(unsafe { _mm512_loadu_si512(source.cast()) })
    }
    #[inline(always)]
    unsafe fn store_lanes(self, destination: *mut u8) {
        // SAFETY: `self` exists, so the features do; 64 writable bytes by the caller.
        unsafe { _mm512_storeu_si512(destination.cast(), self.0) }
    }
    #[inline(always)]
    unsafe fn store(self, destination: *mut u8) {
        // SAFETY: `self` exists, so the features do; 64 writable bytes by the caller.
        unsafe {
            let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
            _mm512_storeu_si512(destination.cast(), _mm512_permutexvar_epi64(order, self.0));
        }
    }
    #[inline(always)]
    unsafe fn store_nibbles([a, b]: [Bytes512; 2], destination: *mut u8) {
        /// One byte for each pair of each four bytes, from the first and the second vector.
        const ORDER: [u8; 64] = {
            let mut order = [0; 64];
            let mut at = 0;
            while at < 64 {
                let (vector, half, pair) = (at / 32, at % 32 / 16, at % 16);
                order[at] = (64 * vector + 2 * (pair / 4 * 8 + half * 4 + pair % 4)) as u8;
                at += 1;
            }
            order
        };
        // SAFETY: vectors exist, so the features do; 64 writable bytes by the caller. Pairs become first + 16 · second.
        unsafe {
            let (by, order) = (_mm512_set1_epi16(0x1001), _mm512_loadu_si512(ORDER.as_ptr().cast()));
            let (a, b) = (_mm512_maddubs_epi16(a.0, by), _mm512_maddubs_epi16(b.0, by));
            _mm512_storeu_si512(destination.cast(), _mm512_permutex2var_epi8(a, order, b));
        }
    }
    #[inline(always)]
    unsafe fn store_sixes(self, destination: *mut u8) {
        /// Three of each four bytes, from the first and the second half.
        const THREES: [u8; 64] = {
            let mut order = [0; 64];
            let mut at = 0;
            while at < 48 {
                let (half, four, byte) = (at / 24, at % 24 / 3, at % 3);
                order[at] = (4 * (four / 2 * 4 + half * 2 + four % 2) + byte) as u8;
                at += 1;
            }
            order
        };
        // SAFETY: `self` exists, so the features do; 48 writable bytes by the caller. Pairs become first + 64 · second,
        // and pairs of these first + 4096 · second.
        unsafe {
            let pairs = _mm512_maddubs_epi16(self.0, _mm512_set1_epi16(0x4001));
            let fours = _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x1000_0001));
            let order = _mm512_loadu_si512(THREES.as_ptr().cast());
            // A masked store would take longer.
            let packed = _mm512_permutexvar_epi8(order, fours);
            _mm256_storeu_si256(destination.cast(), _mm512_castsi512_si256(packed));
            _mm_storeu_si128(destination.add(32).cast(), _mm512_extracti32x4_epi32::<2>(packed));
        }
    }
}

impl TableLeg for Avx512Vbmi {
    const PREFERS_TABLES: bool = true;

    #[inline(always)]
    fn translate(self, table: &[u8; 256], source: &[u8], destination: &mut [u8]) {
        let whole = source.len().min(destination.len()) / 64 * 64;
        // SAFETY: the token exists, so the features do.
        let bytes = unsafe { ByteTable::load(table) };
        for at in (0..whole).step_by(64) {
            // SAFETY: 64 bytes from `at` lie within both slices.
            unsafe {
                let index = _mm512_loadu_si512(source.as_ptr().add(at).cast());
                _mm512_storeu_si512(destination.as_mut_ptr().add(at).cast(), bytes.at(index));
            }
        }
        for (to, &from) in destination[whole..].iter_mut().zip(&source[whole..]) {
            *to = table[from as usize];
        }
    }

    #[inline(always)]
    fn translate_pairs<D: PairTarget>(
        self,
        table: &PairTable,
        source: &[u8],
        destination: &mut [D],
        stream: bool,
    ) {
        let length = source.len().min(destination.len());
        let (source, destination) = (&source[..length], &mut destination[..length]);
        // Streaming stores need an aligned destination; elements before that are stored one by one.
        let head = if stream { destination.as_ptr().align_offset(64).min(length) } else { 0 };
        let whole = head + (length - head) / 64 * 64;
        for (to, &from) in destination[..head].iter_mut().zip(&source[..head]) {
            *to = D::from_pair(table.low[from as usize], table.high[from as usize]);
        }
        // SAFETY: the token exists, so the features do.
        let (low, high) = unsafe { (ByteTable::load(&table.low), ByteTable::load(&table.high)) };
        for at in (head..whole).step_by(64) {
            // SAFETY: 64 elements from `at` lie within both slices; if `stream`, they are aligned to 64 bytes.
            unsafe {
                let (from, to) = (source.as_ptr().add(at), destination.as_mut_ptr().add(at).cast());
                if stream {
                    translate_64::<D, true>(low, high, from, to);
                } else {
                    translate_64::<D, false>(low, high, from, to);
                }
            }
        }
        for (to, &from) in destination[whole..].iter_mut().zip(&source[whole..]) {
            *to = D::from_pair(table.low[from as usize], table.high[from as usize]);
        }
        if stream {
            self.fence();
        }
    }
}

/// Translates 64 bytes by [`PairTable`]'s two tables.
///
/// # Safety
/// The processor has AVX-512 VBMI; 64 bytes are readable at `source`, and 64 elements writable at `destination`, which
/// is aligned if `STREAM`.
#[inline(always)]
unsafe fn translate_64<D: PairTarget, const STREAM: bool>(
    low: ByteTable,
    high: ByteTable,
    source: *const u8,
    destination: *mut u8,
) {
    // SAFETY: the caller guarantees VBMI, and the readable and writable elements.
    unsafe {
        let index = _mm512_loadu_si512(source.cast());
        if D::WIDE {
            // The permutation makes the four interleavings within 128-bit quarters give the original order.
            let order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
            let index = _mm512_permutexvar_epi32(order, index);
            let (low, high, zero) = (low.at(index), high.at(index), _mm512_setzero_si512());
            let (a, b) = (_mm512_unpacklo_epi8(low, high), _mm512_unpackhi_epi8(low, high));
            write::<STREAM>(destination, _mm512_unpacklo_epi16(zero, a));
            write::<STREAM>(destination.add(64), _mm512_unpackhi_epi16(zero, a));
            write::<STREAM>(destination.add(128), _mm512_unpacklo_epi16(zero, b));
            write::<STREAM>(destination.add(192), _mm512_unpackhi_epi16(zero, b));
        } else {
            let order = _mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7);
            let index = _mm512_permutexvar_epi64(order, index);
            let (low, high) = (low.at(index), high.at(index));
            write::<STREAM>(destination, _mm512_unpacklo_epi8(low, high));
            write::<STREAM>(destination.add(64), _mm512_unpackhi_epi8(low, high));
        }
    }
}

const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
const UP: i32 = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;

/// Rounds to odd from the two results of rounding down and up. If the result is exact they are equal. Otherwise they
/// are adjacent words, one of which is odd, and truncation with the last bit set gives that one. Zeros of either sign
/// compare equal. NaNs compare unequal, which at most sets the last bit of a payload.
macro_rules! to_odd {
    ($negative_zero:expr, $down:expr, $up:expr) => {{
        let (down, up) = ($down, $up);
        let inexact = _mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(down, up);
        let (down, up) = (_mm512_castps_si512(down), _mm512_castps_si512(up));
        // Words of one sign compare as magnitudes, so the lesser is the one toward zero. An exact zero by cancellation
        // is −0 rounding down and +0 rounding up.
        let toward_zero = if $negative_zero {
            _mm512_mask_min_epu32(down, inexact, down, up)
        } else {
            _mm512_mask_min_epu32(up, inexact, down, up)
        };
        Words512(_mm512_mask_or_epi32(toward_zero, inexact, toward_zero, _mm512_set1_epi32(1)))
    }};
}

/// VRANGEPS with the sign of the comparison's result. It orders zeros by sign, and prefers a number to NaN, so NaN is
/// restored afterwards.
macro_rules! extreme {
    ($x:expr, $y:expr, $which:literal) => {{
        // SAFETY: vectors exist, so the features do.
        unsafe {
            let (x, y) = (_mm512_castsi512_ps($x.0), _mm512_castsi512_ps($y.0));
            let ordered = _mm512_range_round_ps::<$which, _MM_FROUND_NO_EXC>(x, y);
            let unordered = _mm512_cmp_round_ps_mask::<_CMP_UNORD_Q, _MM_FROUND_NO_EXC>(x, y);
            Words512(_mm512_mask_mov_epi32(
                _mm512_castps_si512(ordered),
                unordered,
                _mm512_set1_epi32(0x7fc0_0000),
            ))
        }
    }};
}

macro_rules! odd_leg {
    ($token:ty) => {
        impl OddLeg for $token {
            #[inline(always)]
            fn add_odd(self, negative_zero: bool, x: Words512, y: Words512) -> Words512 {
                // SAFETY: the token exists, so the features do.
                unsafe {
                    let (x, y) = (_mm512_castsi512_ps(x.0), _mm512_castsi512_ps(y.0));
                    to_odd!(negative_zero, _mm512_add_round_ps::<DOWN>(x, y), _mm512_add_round_ps::<UP>(x, y))
                }
            }
            #[inline(always)]
            fn add_exact(self, negative_zero: bool, x: Words512, y: Words512) -> Words512 {
                // SAFETY: the token exists, so the features do.
                unsafe {
                    let (x, y) = (_mm512_castsi512_ps(x.0), _mm512_castsi512_ps(y.0));
                    let sum = if negative_zero {
                        _mm512_add_round_ps::<DOWN>(x, y)
                    } else {
                        _mm512_add_round_ps::<UP>(x, y)
                    };
                    Words512(_mm512_castps_si512(sum))
                }
            }
            #[inline(always)]
            fn multiply_exact(self, x: Words512, y: Words512) -> Words512 {
                // SAFETY: the token exists, so the features do.
                unsafe {
                    let (x, y) = (_mm512_castsi512_ps(x.0), _mm512_castsi512_ps(y.0));
                    Words512(_mm512_castps_si512(_mm512_mul_round_ps::<UP>(x, y)))
                }
            }
            #[inline(always)]
            fn multiply_odd(self, x: Words512, y: Words512) -> Words512 {
                // SAFETY: the token exists, so the features do.
                unsafe {
                    let (x, y) = (_mm512_castsi512_ps(x.0), _mm512_castsi512_ps(y.0));
                    to_odd!(false, _mm512_mul_round_ps::<DOWN>(x, y), _mm512_mul_round_ps::<UP>(x, y))
                }
            }
            #[inline(always)]
            fn divide_odd(self, x: Words512, y: Words512) -> Words512 {
                // SAFETY: the token exists, so the features do.
                unsafe {
                    let (x, y) = (_mm512_castsi512_ps(x.0), _mm512_castsi512_ps(y.0));
                    to_odd!(false, _mm512_div_round_ps::<DOWN>(x, y), _mm512_div_round_ps::<UP>(x, y))
                }
            }
            #[inline(always)]
            fn divide_toward_zero(self, x: Words512, y: Words512) -> Words512 {
                const TOWARD_ZERO: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
                // SAFETY: the token exists, so the features do.
                unsafe {
                    let (x, y) = (_mm512_castsi512_ps(x.0), _mm512_castsi512_ps(y.0));
                    Words512(_mm512_castps_si512(_mm512_div_round_ps::<TOWARD_ZERO>(x, y)))
                }
            }
            #[inline(always)]
            fn minimum(self, x: Words512, y: Words512) -> Words512 {
                extreme!(x, y, 0b0100)
            }
            #[inline(always)]
            fn maximum(self, x: Words512, y: Words512) -> Words512 {
                extreme!(x, y, 0b0101)
            }
            #[inline(always)]
            fn fma_odd(self, negative_zero: bool, x: Words512, y: Words512, z: Words512) -> Words512 {
                // SAFETY: the token exists, so the features do.
                unsafe {
                    let (x, y, z) =
                        (_mm512_castsi512_ps(x.0), _mm512_castsi512_ps(y.0), _mm512_castsi512_ps(z.0));
                    to_odd!(
                        negative_zero,
                        _mm512_fmadd_round_ps::<DOWN>(x, y, z),
                        _mm512_fmadd_round_ps::<UP>(x, y, z)
                    )
                }
            }
        }
    };
}

odd_leg!(Avx512);
