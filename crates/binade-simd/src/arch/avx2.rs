//! AVX2: eight 32-bit lanes.

use core::arch::x86_64::*;

use super::{uniform_shifts, variable_shifts};
use crate::dispatch::{Kernel, PackedKernel, TableKernel};
use crate::lanes::{Lanes, Leg, PackedLeg, SmallFloat, TableLeg, Words};

/// The token: it exists only if the processor has AVX2, FMA and F16C.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    pub(crate) fn detect() -> Option<Avx2> {
        let all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("f16c");
        all.then_some(Avx2(()))
    }

    /// Runs a kernel with the leg's features enabled.
    ///
    /// # Safety
    /// The processor has AVX2, FMA and F16C.
    #[target_feature(enable = "avx2,fma,f16c")]
    pub(crate) unsafe fn enter<K: Kernel>(kernel: K) -> K::Output {
        kernel.run(Avx2(()))
    }

    /// Runs a kernel with the leg's features enabled.
    ///
    /// # Safety
    /// The processor has AVX2, FMA and F16C.
    #[target_feature(enable = "avx2,fma,f16c")]
    pub(crate) unsafe fn enter_tables<K: TableKernel>(kernel: K) -> K::Output {
        kernel.run(Avx2(()))
    }

    /// Runs a kernel with the leg's features enabled.
    ///
    /// # Safety
    /// The processor has AVX2, FMA and F16C.
    #[target_feature(enable = "avx2,fma,f16c")]
    pub(crate) unsafe fn enter_packed<K: PackedKernel>(kernel: K) -> K::Output {
        kernel.run(Avx2(()))
    }
}

variable_shifts! {
    shift_right: "vpsrlvd", ymm_reg, __m256i, "avx2";
    shift_left: "vpsllvd", ymm_reg, __m256i, "avx2";
}

/// A `__m256i` of 32-bit lanes; only the token constructs one.
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
        saturating_sub: _mm256_subs_epu16;
        shr_each: shift_right;
        shl_each: shift_left;
    }
    uniform_shifts! {
        shr: _mm256_srl_epi32;
        shl: _mm256_sll_epi32;
    }
    #[inline(always)]
    fn splat(self, word: u32) -> Self {
        // SAFETY: `self` exists, so the features do.
        Words256(unsafe { _mm256_set1_epi32(word as i32) })
    }
    #[inline(always)]
    fn saturating_decrement(self) -> Self {
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
    fn sign_mask(self) -> __m256i {
        // SAFETY: `self` exists, so the features do.
        unsafe { _mm256_srai_epi32::<31>(self.0) }
    }
    #[inline(always)]
    fn and_masks(a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: masks exist only where vectors do.
        unsafe { _mm256_and_si256(a, b) }
    }
    #[inline(always)]
    fn and_not(a: __m256i, b: __m256i) -> __m256i {
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
        // SAFETY: vectors exist, so the features do; 32 writable bytes, aligned if STREAM, by the caller. Packing works
        // within 128-bit halves: the permutation restores the order of the eight quadruples.
        unsafe {
            let bytes = _mm256_packus_epi16(_mm256_packus_epi32(a, b), _mm256_packus_epi32(c, d));
            let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
            write::<STREAM>(destination, _mm256_permutevar8x32_epi32(bytes, order));
        }
    }
}

/// Stores a vector.
///
/// # Safety
/// The processor has AVX2; 32 bytes are writable at `destination`, which is aligned if `STREAM`.
#[inline(always)]
unsafe fn write<const STREAM: bool>(destination: *mut u8, vector: __m256i) {
    // SAFETY: the caller guarantees AVX2 and 32 writable bytes.
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
    fn any([a, b, c, d]: [__m256i; 4]) -> bool {
        // SAFETY: masks come from vectors, which prove the features.
        unsafe {
            let all = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
            _mm256_testz_si256(all, all) == 0
        }
    }
    #[inline(always)]
    fn odd_to_even(self) -> Self {
        // SAFETY: `self` exists, so the features do.
        Words256(unsafe { _mm256_shuffle_epi32::<0xf5>(self.0) })
    }
    #[inline(always)]
    fn philox_counters(self, first: u32) -> Self {
        // SAFETY: `self` exists, so the features do. No call goes beyond 2^32, so no carry leaves the lane.
        Words256(unsafe {
            _mm256_add_epi64(_mm256_set1_epi64x(first as i64), _mm256_setr_epi64x(0, 2, 1, 3))
        })
    }
    #[inline(always)]
    fn swap_pairs_xor_even(self, a: Self, b: Self) -> Self {
        // SAFETY: `self` exists, so the features do.
        Words256(unsafe {
            let exchanged = _mm256_shuffle_epi32::<0xb1>(self.0);
            let even = _mm256_xor_si256(exchanged, _mm256_xor_si256(a.0, b.0));
            _mm256_blend_epi32::<0xaa>(even, exchanged)
        })
    }
    #[inline(always)]
    fn interleave_philox(pairs: [Self; 2]) -> [Self; 2] {
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
        // SAFETY: `self` exists, so the features do; the caller guarantees 32 writable bytes.
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
    const SPECIALIZES_SHAPES: bool = true;

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
        // SAFETY: every x86-64 processor has the instruction.
        unsafe { _mm_sfence() }
    }
}

/// Unpacks 32 codes of `WIDTH` bits to a byte each.
///
/// # Safety
/// The processor has AVX2; 4 · `WIDTH` bytes are readable at `source`.
#[inline(always)]
unsafe fn unpacked<const WIDTH: u32>(source: *const u8) -> __m256i {
    // SAFETY: the caller guarantees AVX2 and the readable bytes.
    unsafe {
        match WIDTH {
            4 => {
                // In 16-bit lanes: the byte, and the byte shifted up by four bits.
                let wide = _mm256_cvtepu8_epi16(_mm_loadu_si128(source.cast()));
                let twice = _mm256_or_si256(wide, _mm256_slli_epi16::<4>(wide));
                _mm256_and_si256(twice, _mm256_set1_epi8(0xf))
            }
            6 => {
                // Bytes 0 to 15 and 8 to 23: one half takes the first twelve, the other the last twelve. Each three
                // bytes fill two 16-bit lanes. The first lane has bytes 0 and 1, with codes from bits 0 and 6. The
                // second has bytes 1 and 2, with codes from bits 4 and 10.
                let (first, last) = (_mm_loadu_si128(source.cast()), _mm_loadu_si128(source.add(8).cast()));
                let order = _mm256_setr_epi8(
                    0, 1, 1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 9, 10, 10, 11, //
                    4, 5, 5, 6, 7, 8, 8, 9, 10, 11, 11, 12, 13, 14, 14, 15,
                );
                let twos = _mm256_shuffle_epi8(_mm256_set_m128i(last, first), order);
                let low = _mm256_blend_epi16::<0xaa>(twos, _mm256_srli_epi16::<4>(twos));
                let high =
                    _mm256_blend_epi16::<0xaa>(_mm256_slli_epi16::<2>(twos), _mm256_srli_epi16::<2>(twos));
                _mm256_or_si256(
                    _mm256_and_si256(low, _mm256_set1_epi16(0x003f)),
                    _mm256_and_si256(high, _mm256_set1_epi16(0x3f00)),
                )
            }
            _ => _mm256_loadu_si256(source.cast()),
        }
    }
}

impl PackedLeg for Avx2 {
    #[inline(always)]
    unsafe fn widened<const BINARY16: bool>(self, source: *const u16) -> Words256 {
        // SAFETY: the token exists, so the features do; 16 readable bytes by the caller.
        Words256(unsafe {
            let bits = _mm_loadu_si128(source.cast());
            if BINARY16 {
                _mm256_castps_si256(_mm256_cvtph_ps(bits))
            } else {
                _mm256_slli_epi32::<16>(_mm256_cvtepu16_epi32(bits))
            }
        })
    }

    #[inline(always)]
    unsafe fn narrow<const BINARY16: bool>(
        self,
        numbers: [Words256; 4],
        unsigned: bool,
        destination: *mut u16,
    ) {
        // SAFETY: the token exists, so the features do; 64 writable bytes by the caller.
        unsafe {
            let [a, b, c, d] = [numbers[0].0, numbers[1].0, numbers[2].0, numbers[3].0];
            macro_rules! each_pair {
                ($of:ident) => {
                    for (at, (a, b)) in [(a, b), (c, d)].into_iter().enumerate() {
                        _mm256_storeu_si256(destination.add(16 * at).cast(), $of!(a, b));
                    }
                };
            }
            macro_rules! without_minus_zero {
                ($bits:expr) => {{
                    let (bits, minus_zero) = ($bits, _mm256_set1_epi16(i16::MIN));
                    match unsigned {
                        true => _mm256_andnot_si256(_mm256_cmpeq_epi16(bits, minus_zero), bits),
                        false => bits,
                    }
                }};
            }
            macro_rules! binary16 {
                ($a:expr, $b:expr) => {{
                    const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT;
                    let low = _mm256_cvtps_ph::<NEAREST>(_mm256_castsi256_ps($a));
                    let high = _mm256_cvtps_ph::<NEAREST>(_mm256_castsi256_ps($b));
                    without_minus_zero!(_mm256_set_m128i(high, low))
                }};
            }
            macro_rules! high_halves {
                ($a:expr, $b:expr) => {{
                    let halves =
                        _mm256_packus_epi32(_mm256_srli_epi32::<16>($a), _mm256_srli_epi32::<16>($b));
                    _mm256_permute4x64_epi64::<0xd8>(halves)
                }};
            }
            // Adds half of the last place, minus one where the last place is even, so that the carry rounds to nearest
            // even.
            macro_rules! rounded {
                ($x:expr) => {{
                    let odd = _mm256_and_si256(_mm256_srli_epi32::<16>($x), _mm256_set1_epi32(1));
                    _mm256_add_epi32(_mm256_add_epi32($x, _mm256_set1_epi32(0x7fff)), odd)
                }};
            }
            macro_rules! bfloat16 {
                ($a:expr, $b:expr) => {
                    without_minus_zero!(high_halves!(rounded!($a), rounded!($b)))
                };
            }
            if BINARY16 {
                each_pair!(binary16);
                return;
            }
            let all = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
            if _mm256_testz_si256(all, _mm256_set1_epi32(0xffff)) == 1 {
                each_pair!(high_halves);
            } else {
                each_pair!(bfloat16);
            }
        }
    }

    #[inline(always)]
    unsafe fn load_numbers<const WIDTH: u32>(
        self,
        source: *const u8,
        format: SmallFloat<'_>,
    ) -> ([Words256; 4], u32) {
        // SAFETY: the token exists, so the features do; the caller guarantees 4 · WIDTH readable bytes.
        unsafe {
            let codes = unpacked::<WIDTH>(source);
            if WIDTH < 8 {
                // An order in which two interleavings within 128-bit halves give the original order.
                let order = _mm256_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7);
                let codes = _mm256_permutevar8x32_epi32(codes, order);
                // For codes of six bits, bit 4 selects one of two tables, and the sign is kept separately.
                macro_rules! look_up {
                    ($table:expr, $at:expr) => {{
                        let part = _mm_loadu_si128($table.as_ptr().add($at).cast());
                        _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(part), codes)
                    }};
                }
                let [low, high] = format.bytes;
                let (mut low, mut high) =
                    ((look_up!(low, 0), look_up!(low, 16)), (look_up!(high, 0), look_up!(high, 16)));
                if WIDTH == 6 {
                    let upper = _mm256_slli_epi16::<3>(codes);
                    low.0 = _mm256_blendv_epi8(low.0, low.1, upper);
                    high.0 = _mm256_blendv_epi8(high.0, high.1, upper);
                    let signs = _mm256_and_si256(_mm256_slli_epi16::<2>(codes), _mm256_set1_epi8(i8::MIN));
                    high.0 = _mm256_or_si256(high.0, signs);
                }
                let zero = _mm256_setzero_si256();
                let first = _mm256_unpacklo_epi8(low.0, high.0);
                let last = _mm256_unpackhi_epi8(low.0, high.0);
                let numbers = [
                    Words256(_mm256_unpacklo_epi16(zero, first)),
                    Words256(_mm256_unpackhi_epi16(zero, first)),
                    Words256(_mm256_unpacklo_epi16(zero, last)),
                    Words256(_mm256_unpackhi_epi16(zero, last)),
                ];
                return (numbers, 0);
            }
            // The code's sign is moved to the sign's place and to the bits above its exponent, which are then cleared.
            let count = _mm_cvtsi32_si128(5 - format.exponent_bits as i32);
            let kept = _mm256_set1_epi16((0x8000 | 0x7fff >> (5 - format.exponent_bits)) as i16);
            macro_rules! binary16 {
                ($unpack:ident) => {{
                    let high = $unpack(_mm256_setzero_si256(), codes);
                    _mm256_and_si256(_mm256_sra_epi16(high, count), kept)
                }};
            }
            let (even, odd) = (binary16!(_mm256_unpacklo_epi8), binary16!(_mm256_unpackhi_epi8));
            // Replaces binary16's least exponent by the format's.
            let unit = _mm256_castsi256_ps(_mm256_set1_epi32((format.emin + 14 + 127) << 23));
            macro_rules! wide {
                ($bits:expr) => {
                    Words256(_mm256_castps_si256(_mm256_mul_ps(_mm256_cvtph_ps($bits), unit)))
                };
            }
            let numbers = [
                wide!(_mm256_castsi256_si128(even)),
                wide!(_mm256_castsi256_si128(odd)),
                wide!(_mm256_extracti128_si256::<1>(even)),
                wide!(_mm256_extracti128_si256::<1>(odd)),
            ];
            // Magnitudes are nonnegative signed bytes.
            let magnitudes = _mm256_and_si256(codes, _mm256_set1_epi8(0x7f));
            let last = _mm256_set1_epi8(format.last as i8);
            let nans = _mm256_movemask_epi8(_mm256_cmpgt_epi8(magnitudes, last)) as u32;
            (numbers, nans)
        }
    }

    #[inline(always)]
    unsafe fn store_codes<const WIDTH: u32>(
        self,
        magnitudes: [Words256; 4],
        (first, most): (u8, u8),
        signs: [Words256; 4],
        zeros: bool,
        destination: *mut u8,
    ) {
        // SAFETY: the token exists, so the features do; 4 · WIDTH writable bytes by the caller.
        unsafe {
            macro_rules! bytes {
                ($vectors:expr, $of:ident, $last:ident) => {{
                    let [a, b, c, d] = $vectors;
                    $last(_mm256_packs_epi32($of!(a), $of!(b)), _mm256_packs_epi32($of!(c), $of!(d)))
                }};
            }
            macro_rules! low_byte {
                ($vector:expr) => {
                    _mm256_and_si256($vector.0, _mm256_set1_epi32(0xff))
                };
            }
            macro_rules! all {
                ($vector:expr) => {
                    $vector.0
                };
            }
            let bytes = bytes!(magnitudes, low_byte, _mm256_packus_epi16);
            let bytes = _mm256_sub_epi8(bytes, _mm256_set1_epi8(first as i8));
            let bytes = _mm256_min_epu8(bytes, _mm256_set1_epi8(most as i8));
            // Saturation keeps signs.
            let sign_mask = bytes!(signs, all, _mm256_packs_epi16);
            let sign_mask = _mm256_and_si256(sign_mask, _mm256_set1_epi8(i8::MIN));
            let mut sign_mask = _mm256_srl_epi16(sign_mask, _mm_cvtsi32_si128(8 - WIDTH as i32));
            if !zeros {
                sign_mask = _mm256_andnot_si256(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256()), sign_mask);
            }
            store_bits::<WIDTH>(_mm256_or_si256(bytes, sign_mask), destination);
        }
    }

    #[inline(always)]
    fn maxima(self, vectors: [Words256; 8]) -> Words256 {
        // SAFETY: the token exists, so the features do. Each step joins two vectors of several sources into one, and
        // keeps the larger of the halves of each source's lanes.
        unsafe {
            macro_rules! halved {
                ($first:ident, $second:ident, $a:expr, $b:expr) => {{
                    let (a, b) = ($a, $b);
                    _mm256_max_epu32($first(a, b), $second(a, b))
                }};
            }
            macro_rules! two {
                ($at:expr) => {
                    halved!(_mm256_unpacklo_epi32, _mm256_unpackhi_epi32, vectors[$at].0, vectors[$at + 1].0)
                };
            }
            macro_rules! four {
                ($at:expr) => {
                    halved!(_mm256_unpacklo_epi64, _mm256_unpackhi_epi64, two!($at), two!($at + 2))
                };
            }
            let (low, high) = (four!(0), four!(4));
            let first = _mm256_permute2x128_si256::<0x20>(low, high);
            Words256(_mm256_max_epu32(first, _mm256_permute2x128_si256::<0x31>(low, high)))
        }
    }

    #[inline(always)]
    fn fma_f32(self, z: Words256, x: Words256, y: Words256) -> Words256 {
        // SAFETY: the token exists, so the features do.
        unsafe {
            let (z, x, y) = (_mm256_castsi256_ps(z.0), _mm256_castsi256_ps(x.0), _mm256_castsi256_ps(y.0));
            Words256(_mm256_castps_si256(_mm256_fmadd_ps(x, y, z)))
        }
    }

    #[inline(always)]
    fn fnma_f32(self, z: Words256, x: Words256, y: Words256) -> Words256 {
        // SAFETY: the token exists, so the features do.
        unsafe {
            let (z, x, y) = (_mm256_castsi256_ps(z.0), _mm256_castsi256_ps(x.0), _mm256_castsi256_ps(y.0));
            Words256(_mm256_castps_si256(_mm256_fnmadd_ps(x, y, z)))
        }
    }

    #[inline(always)]
    unsafe fn store_doubles(self, wholes: [Words256; 4], signs: [Words256; 4], destination: *mut u8) {
        // SAFETY: the token exists, so the features do; 32 writable bytes by the caller.
        unsafe {
            macro_rules! bytes {
                ($vectors:expr) => {{
                    let [a, b, c, d] = $vectors;
                    _mm256_packs_epi16(_mm256_packs_epi32(a.0, b.0), _mm256_packs_epi32(c.0, d.0))
                }};
            }
            // Saturation keeps signs.
            let (wholes, signs) = (bytes!(wholes), bytes!(signs));
            let signs = _mm256_sign_epi8(_mm256_set1_epi8(1), signs);
            let doubles = _mm256_adds_epi8(_mm256_adds_epi8(wholes, wholes), signs);
            _mm256_storeu_si256(destination.cast(), doubles);
        }
    }

    #[inline(always)]
    unsafe fn store_by_doubles(
        self,
        doubles: *const u8,
        table: &[u8; 128],
        zeros: bool,
        destination: *mut u8,
    ) {
        // SAFETY: the token exists, so the features do; 32 readable and 16 writable bytes by the caller.
        unsafe {
            macro_rules! look_up {
                ($at:expr, $index:expr) => {{
                    let part = _mm_loadu_si128(table.as_ptr().add($at).cast());
                    _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(part), $index)
                }};
            }
            let doubles = _mm256_loadu_si256(doubles.cast());
            let place = _mm256_min_epu8(_mm256_abs_epi8(doubles), _mm256_set1_epi8(47));
            // Bits 4 and 5 select one of three parts.
            let low =
                _mm256_blendv_epi8(look_up!(0, place), look_up!(16, place), _mm256_slli_epi16::<3>(place));
            let codes = _mm256_blendv_epi8(low, look_up!(32, place), _mm256_slli_epi16::<2>(place));
            let sign_mask = _mm256_and_si256(doubles, _mm256_set1_epi8(i8::MIN));
            let mut sign_mask = _mm256_srli_epi16::<4>(sign_mask);
            if !zeros {
                sign_mask = _mm256_andnot_si256(_mm256_cmpeq_epi8(codes, _mm256_setzero_si256()), sign_mask);
            }
            store_bits::<4>(_mm256_or_si256(codes, sign_mask), destination);
        }
    }
}

/// Stores the low `WIDTH` bits of bytes, whose other bits must be clear, as a bit string, the first lowest. The bytes
/// are in the order that packing four vectors of words gives.
///
/// # Safety
/// The processor has AVX2; 4 · `WIDTH` bytes are writable at `destination`.
#[inline(always)]
unsafe fn store_bits<const WIDTH: u32>(packed: __m256i, destination: *mut u8) {
    // SAFETY: the caller guarantees AVX2 and the writable bytes.
    unsafe {
        // Packing works within 128-bit halves, one of which has the first, third, fifth and seventh quadruple.
        let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
        let codes = _mm256_permutevar8x32_epi32(packed, order);
        match WIDTH {
            4 => {
                // Pairs become first + 16 · second; those of each half are joined before they are put in order.
                let pairs = _mm256_maddubs_epi16(packed, _mm256_set1_epi16(0x1001));
                let bytes = _mm256_packus_epi16(pairs, pairs);
                let (odd, even) = (_mm256_castsi256_si128(bytes), _mm256_extracti128_si256::<1>(bytes));
                _mm_storeu_si128(destination.cast(), _mm_unpacklo_epi16(odd, even));
            }
            6 => {
                // Pairs become first + 64 · second, and pairs of these first + 4096 · second: three bytes from four.
                let pairs = _mm256_maddubs_epi16(codes, _mm256_set1_epi16(0x4001));
                let fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x1000_0001));
                let order = _mm256_setr_epi8(
                    0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1, //
                    0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1,
                );
                let twelves = _mm256_shuffle_epi8(fours, order);
                let order = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 7, 7);
                let packed = _mm256_permutevar8x32_epi32(twelves, order);
                _mm_storeu_si128(destination.cast(), _mm256_castsi256_si128(packed));
                let last = _mm256_extracti128_si256::<1>(packed);
                _mm_storel_epi64(destination.add(16).cast(), last);
            }
            _ => _mm256_storeu_si256(destination.cast(), codes),
        }
    }
}

impl TableLeg for Avx2 {
    const PREFERS_TABLES: bool = false;

    #[inline(always)]
    fn translate(self, table: &[u8; 256], source: &[u8], destination: &mut [u8]) {
        // SAFETY: the token exists, so the features do.
        unsafe { translate(table, source, destination) }
    }
}

/// [`TableLeg::translate`] on AVX2.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
pub(super) unsafe fn translate(table: &[u8; 256], source: &[u8], destination: &mut [u8]) {
    let whole = source.len().min(destination.len()) / 64 * 64;
    // SAFETY: the caller guarantees AVX2.
    let parts = unsafe { Parts::new(table) };
    for at in (0..whole).step_by(64) {
        // SAFETY: the caller guarantees AVX2, and 64 bytes from `at` are within both slices. Processing two vectors at
        // once loads each part once.
        unsafe {
            let (from, to) = (source.as_ptr().add(at), destination.as_mut_ptr().add(at));
            let indices = [_mm256_loadu_si256(from.cast()), _mm256_loadu_si256(from.add(32).cast())];
            let [first, second] = parts.at(indices);
            _mm256_storeu_si256(to.cast(), first);
            _mm256_storeu_si256(to.add(32).cast(), second);
        }
    }
    for (to, &from) in destination[whole..].iter_mut().zip(&source[whole..]) {
        *to = table[from as usize];
    }
}

/// A table of 256 bytes as sixteen parts of sixteen bytes, each in both lanes.
struct Parts([__m256i; 16]);

impl Parts {
    /// Loads a table.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn new(table: &[u8; 256]) -> Parts {
        // SAFETY: the caller guarantees AVX2; part i has the 16 bytes from 16 · i.
        unsafe {
            let mut parts = [_mm256_setzero_si256(); 16];
            for (part, bytes) in parts.iter_mut().zip(table.as_chunks::<16>().0) {
                *part = _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast()));
            }
            Parts(parts)
        }
    }

    /// Looks up two vectors of 32 indices. A byte shuffle takes the low four bits of an index and returns 0 where its top
    /// bit is set. The index is looked up in one half of the table, and with its top bit flipped in the other. The two
    /// results are joined by OR, which runs on more ports than a blend. Bits 4 to 6, each moved to the top of its byte in turn,
    /// select among the eight remaining vectors.
    ///
    /// # Safety
    /// The processor has AVX2.
    #[inline(always)]
    unsafe fn at(&self, indices: [__m256i; 2]) -> [__m256i; 2] {
        // SAFETY: the caller guarantees AVX2.
        unsafe {
            let top = _mm256_set1_epi8(i8::MIN);
            let flipped = [_mm256_xor_si256(indices[0], top), _mm256_xor_si256(indices[1], top)];
            // No closures: they would not have the leg's features.
            macro_rules! chosen {
                ($shift:literal, $low:expr, $high:expr) => {{
                    let (low, high) = ($low, $high);
                    [
                        _mm256_blendv_epi8(low[0], high[0], _mm256_slli_epi16::<$shift>(indices[0])),
                        _mm256_blendv_epi8(low[1], high[1], _mm256_slli_epi16::<$shift>(indices[1])),
                    ]
                }};
            }
            macro_rules! of {
                (1, $at:expr) => {{
                    let (low, high) = (self.0[$at], self.0[$at + 8]);
                    [
                        _mm256_or_si256(
                            _mm256_shuffle_epi8(low, indices[0]),
                            _mm256_shuffle_epi8(high, flipped[0]),
                        ),
                        _mm256_or_si256(
                            _mm256_shuffle_epi8(low, indices[1]),
                            _mm256_shuffle_epi8(high, flipped[1]),
                        ),
                    ]
                }};
                (2, $at:expr) => {
                    chosen!(3, of!(1, $at), of!(1, $at + 1))
                };
                (4, $at:expr) => {
                    chosen!(2, of!(2, $at), of!(2, $at + 2))
                };
            }
            chosen!(1, of!(4, 0), of!(4, 4))
        }
    }
}
