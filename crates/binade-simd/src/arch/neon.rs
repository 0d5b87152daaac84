//! NEON: four 32-bit lanes. Every AArch64 processor has it, so its intrinsics need no proof. Those that take pointers
//! are still unsafe.

use core::arch::aarch64::*;

use crate::lanes::{Lanes, Leg, PairTable, PairTarget, TableLeg, Words};

/// The leg of AArch64.
#[derive(Clone, Copy)]
pub(crate) struct Neon;

/// A vector of 32-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct Words128(uint32x4_t);

impl Lanes for Words128 {
    type Mask = uint32x4_t;
    const BITS: u32 = 32;
    const COUNT: usize = 4;

    lanewise! {
        and: vandq_u32;
        or: vorrq_u32;
        xor: veorq_u32;
        add: vaddq_u32;
        sub: vsubq_u32;
        min: vminq_u32;
        max: vmaxq_u32;
        saturating_sub: vqsubq_u32;
    }
    #[inline(always)]
    fn splat(self, word: u32) -> Self {
        Neon.words(word)
    }
    #[inline(always)]
    fn saturating_decrement(self) -> Self {
        self.saturating_sub(self.splat(1))
    }
    #[inline(always)]
    fn shr(self, count: u32) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Words128(unsafe { vshlq_u32(self.0, vdupq_n_s32(-(count as i32))) })
    }
    #[inline(always)]
    fn shl(self, count: u32) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Words128(unsafe { vshlq_u32(self.0, vdupq_n_s32(count as i32)) })
    }
    #[inline(always)]
    fn shr_each(self, counts: Self) -> Self {
        // SAFETY: every AArch64 processor has NEON. The instruction takes the low byte of a count as signed.
        Words128(unsafe {
            let counts = vminq_u32(counts.0, vdupq_n_u32(32));
            vshlq_u32(self.0, vnegq_s32(vreinterpretq_s32_u32(counts)))
        })
    }
    #[inline(always)]
    fn shl_each(self, counts: Self) -> Self {
        // SAFETY: every AArch64 processor has NEON. The instruction takes the low byte of a count as signed.
        Words128(unsafe {
            let counts = vminq_u32(counts.0, vdupq_n_u32(32));
            vshlq_u32(self.0, vreinterpretq_s32_u32(counts))
        })
    }
    #[inline(always)]
    fn gt(self, other: Self) -> uint32x4_t {
        // SAFETY: every AArch64 processor has NEON.
        unsafe { vcgtq_u32(self.0, other.0) }
    }
    #[inline(always)]
    fn ge(self, other: Self) -> uint32x4_t {
        // SAFETY: every AArch64 processor has NEON.
        unsafe { vcgeq_u32(self.0, other.0) }
    }
    #[inline(always)]
    fn gt_small(self, other: Self) -> uint32x4_t {
        self.gt(other)
    }
    #[inline(always)]
    fn eq(self, other: Self) -> uint32x4_t {
        // SAFETY: every AArch64 processor has NEON.
        unsafe { vceqq_u32(self.0, other.0) }
    }
    #[inline(always)]
    fn select(mask: uint32x4_t, yes: Self, no: Self) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Words128(unsafe { vbslq_u32(mask, yes.0, no.0) })
    }
    #[inline(always)]
    fn add_if(self, mask: uint32x4_t, addend: Self) -> Self {
        self.add(addend.and(Words128(mask)))
    }
    #[inline(always)]
    fn increment_if(self, mask: uint32x4_t, _: Self) -> Self {
        // A mask's lanes are 0 or −1.
        self.sub(Words128(mask))
    }
    #[inline(always)]
    fn sign_mask(self) -> uint32x4_t {
        // SAFETY: every AArch64 processor has NEON.
        unsafe { vcltzq_s32(vreinterpretq_s32_u32(self.0)) }
    }
    #[inline(always)]
    fn and_masks(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        // SAFETY: every AArch64 processor has NEON.
        unsafe { vandq_u32(a, b) }
    }
    #[inline(always)]
    fn and_not(a: uint32x4_t, b: uint32x4_t) -> uint32x4_t {
        // SAFETY: every AArch64 processor has NEON.
        unsafe { vbicq_u32(a, b) }
    }
    #[inline(always)]
    unsafe fn load_f32(self, source: *const f32) -> Self {
        // SAFETY: the caller guarantees 4 readable elements.
        Words128(unsafe { vld1q_u32(source.cast()) })
    }
    #[inline(always)]
    unsafe fn pack_u8<const STREAM: bool>(vectors: [Self; 4], destination: *mut u8) {
        let [Words128(a), Words128(b), Words128(c), Words128(d)] = vectors;
        // SAFETY: 16 writable bytes by the caller.
        unsafe {
            let (ab, cd) = (halves(a, b), halves(c, d));
            vst1q_u8(destination, vcombine_u8(vmovn_u16(ab), vmovn_u16(cd)));
        }
    }
}

/// The low halves of the lanes of two vectors.
#[inline(always)]
fn halves(a: uint32x4_t, b: uint32x4_t) -> uint16x8_t {
    // SAFETY: every AArch64 processor has NEON.
    unsafe { vcombine_u16(vmovn_u32(a), vmovn_u32(b)) }
}

impl Words for Words128 {
    #[inline(always)]
    fn any([a, b, c, d]: [uint32x4_t; 4]) -> bool {
        // SAFETY: every AArch64 processor has NEON.
        unsafe { vmaxvq_u32(vorrq_u32(vorrq_u32(a, b), vorrq_u32(c, d))) != 0 }
    }
    #[inline(always)]
    fn mul_even(self, other: Self) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Words128(unsafe {
            let even = |words| vmovn_u64(vreinterpretq_u64_u32(words));
            vreinterpretq_u32_u64(vmull_u32(even(self.0), even(other.0)))
        })
    }
    #[inline(always)]
    fn odd_to_even(self) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Words128(unsafe { vrev64q_u32(self.0) })
    }
    #[inline(always)]
    fn philox_counters(self, first: u32) -> Self {
        // Two vectors hold the words of two blocks.
        // SAFETY: every AArch64 processor has NEON; the array has four elements.
        Words128(unsafe { vld1q_u32([first, 0, first.wrapping_add(1), 0].as_ptr()) })
    }
    #[inline(always)]
    fn swap_pairs_xor_even(self, a: Self, b: Self) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        let (exchanged, even) =
            unsafe { (Words128(vrev64q_u32(self.0)), vreinterpretq_u32_u64(vdupq_n_u64(0xffff_ffff))) };
        Self::select(even, exchanged.xor(a).xor(b), exchanged)
    }
    #[inline(always)]
    fn interleave_philox(pairs: [Self; 2]) -> [Self; 2] {
        // SAFETY: every AArch64 processor has NEON.
        unsafe {
            let [ab, cd] = pairs.map(|Words128(pair)| vreinterpretq_u64_u32(pair));
            [vzip1q_u64(ab, cd), vzip2q_u64(ab, cd)].map(|block| Words128(vreinterpretq_u32_u64(block)))
        }
    }
    #[inline(always)]
    fn to_f32_scaled(self, scale: Self) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Words128(unsafe {
            vreinterpretq_u32_f32(vmulq_f32(vcvtq_f32_u32(self.0), vreinterpretq_f32_u32(scale.0)))
        })
    }
    #[inline(always)]
    fn add_f32(self, other: Self) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Words128(unsafe {
            vreinterpretq_u32_f32(vaddq_f32(vreinterpretq_f32_u32(self.0), vreinterpretq_f32_u32(other.0)))
        })
    }
    #[inline(always)]
    fn sub_f32(self, other: Self) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Words128(unsafe {
            vreinterpretq_u32_f32(vsubq_f32(vreinterpretq_f32_u32(self.0), vreinterpretq_f32_u32(other.0)))
        })
    }
    #[inline(always)]
    fn multiply_add_f32(self, by: Self, addend: Self) -> Self {
        // SAFETY: every AArch64 processor has NEON.
        Words128(unsafe {
            let (x, by) = (vreinterpretq_f32_u32(self.0), vreinterpretq_f32_u32(by.0));
            vreinterpretq_u32_f32(vfmaq_f32(vreinterpretq_f32_u32(addend.0), x, by))
        })
    }
    #[inline(always)]
    unsafe fn load_u32(self, source: *const u32) -> Self {
        // SAFETY: the caller guarantees 4 readable elements.
        Words128(unsafe { vld1q_u32(source) })
    }
    #[inline(always)]
    unsafe fn load_u8(self, source: *const u8) -> Self {
        // SAFETY: 4 readable bytes by the caller.
        Words128(unsafe {
            let bytes = vcreate_u8(source.cast::<u32>().read_unaligned().into());
            vmovl_u16(vget_low_u16(vmovl_u8(bytes)))
        })
    }
    #[inline(always)]
    unsafe fn load_u16(self, source: *const u16) -> Self {
        // SAFETY: 8 readable bytes by the caller.
        Words128(unsafe { vmovl_u16(vld1_u16(source)) })
    }
    #[inline(always)]
    unsafe fn load_i8(self, source: *const u8) -> Self {
        // SAFETY: 4 readable bytes by the caller.
        Words128(unsafe {
            let bytes = vcreate_s8(source.cast::<u32>().read_unaligned().into());
            vreinterpretq_u32_s32(vmovl_s16(vget_low_s16(vmovl_s8(bytes))))
        })
    }
    #[inline(always)]
    unsafe fn load_i16(self, source: *const u16) -> Self {
        // SAFETY: 8 readable bytes by the caller.
        Words128(unsafe { vreinterpretq_u32_s32(vmovl_s16(vld1_s16(source.cast()))) })
    }
    #[inline(always)]
    unsafe fn load_f64(self, source: *const f64) -> (Self, Self) {
        // SAFETY: 32 readable bytes by the caller.
        unsafe {
            let (a, b) = (vld1q_u32(source.cast()), vld1q_u32(source.cast::<u32>().add(4)));
            (Words128(vuzp2q_u32(a, b)), Words128(vuzp1q_u32(a, b)))
        }
    }
    #[inline(always)]
    unsafe fn store<const STREAM: bool>(self, destination: *mut u32) {
        // SAFETY: 16 writable bytes by the caller.
        unsafe { vst1q_u32(destination, self.0) }
    }
    #[inline(always)]
    unsafe fn pack_u16<const STREAM: bool>(vectors: [Self; 4], destination: *mut u16) {
        let [Words128(a), Words128(b), Words128(c), Words128(d)] = vectors;
        // SAFETY: 32 writable bytes by the caller.
        unsafe {
            vst1q_u16(destination, halves(a, b));
            vst1q_u16(destination.add(8), halves(c, d));
        }
    }
}

impl Leg for Neon {
    type Words = Words128;
    const STREAM_ALIGN: usize = 1;
    const SPECIALIZES_SHAPES: bool = true;

    #[inline(always)]
    fn words(self, word: u32) -> Words128 {
        // SAFETY: every AArch64 processor has NEON.
        Words128(unsafe { vdupq_n_u32(word) })
    }
    #[inline(always)]
    fn prefetch(self, _: *const u8, _: usize) {}
    #[inline(always)]
    fn fence(self) {}
}

/// A table of 256 bytes in sixteen registers.
#[derive(Clone, Copy)]
struct Bytes([uint8x16x4_t; 4]);

impl Bytes {
    #[inline(always)]
    fn load(table: &[u8; 256]) -> Bytes {
        // SAFETY: every AArch64 processor has NEON; 64 bytes from the start of each quarter are within the table.
        Bytes(std::array::from_fn(|quarter| unsafe { vld1q_u8_x4(table.as_ptr().add(64 * quarter)) }))
    }

    /// The bytes at sixteen indices. A lookup among 64 bytes returns 0, or the previous value, for indices out of its
    /// range.
    #[inline(always)]
    fn at(&self, index: uint8x16_t) -> uint8x16_t {
        let [first, second, third, fourth] = self.0;
        // SAFETY: every AArch64 processor has NEON.
        unsafe {
            let less = |by| vsubq_u8(index, vdupq_n_u8(by));
            let found = vqtbl4q_u8(first, index);
            let found = vqtbx4q_u8(found, second, less(64));
            let found = vqtbx4q_u8(found, third, less(128));
            vqtbx4q_u8(found, fourth, less(192))
        }
    }
}

impl TableLeg for Neon {
    const PREFERS_TABLES: bool = true;

    #[inline(always)]
    fn translate(self, table: &[u8; 256], source: &[u8], destination: &mut [u8]) {
        let bytes = Bytes::load(table);
        let (source, rest) = source.as_chunks::<16>();
        let (destination, rest_of_destination) = destination.as_chunks_mut::<16>();
        for (to, from) in destination.iter_mut().zip(source) {
            // SAFETY: every AArch64 processor has NEON; both chunks have 16 bytes.
            unsafe { vst1q_u8(to.as_mut_ptr(), bytes.at(vld1q_u8(from.as_ptr()))) }
        }
        for (to, &from) in rest_of_destination.iter_mut().zip(rest) {
            *to = table[from as usize];
        }
    }

    #[inline(always)]
    fn translate_pairs<D: PairTarget>(
        self,
        table: &PairTable,
        source: &[u8],
        destination: &mut [D],
        _stream: bool,
    ) {
        let (low, high) = (Bytes::load(&table.low), Bytes::load(&table.high));
        let (source, rest) = source.as_chunks::<16>();
        let (destination, rest_of_destination) = destination.as_chunks_mut::<16>();
        for (to, from) in destination.iter_mut().zip(source) {
            let to: *mut u16 = to.as_mut_ptr().cast();
            // SAFETY: every AArch64 processor has NEON. 16 bytes are read, and 16 elements are written: of four bytes
            // if WIDE, otherwise of two.
            unsafe {
                let index = vld1q_u8(from.as_ptr());
                let (low, high) = (low.at(index), high.at(index));
                let first = vreinterpretq_u16_u8(vzip1q_u8(low, high));
                let second = vreinterpretq_u16_u8(vzip2q_u8(low, high));
                if D::WIDE {
                    let zero = vdupq_n_u16(0);
                    vst1q_u16(to, vzip1q_u16(zero, first));
                    vst1q_u16(to.add(8), vzip2q_u16(zero, first));
                    vst1q_u16(to.add(16), vzip1q_u16(zero, second));
                    vst1q_u16(to.add(24), vzip2q_u16(zero, second));
                } else {
                    vst1q_u16(to, first);
                    vst1q_u16(to.add(8), second);
                }
            }
        }
        for (to, &from) in rest_of_destination.iter_mut().zip(rest) {
            *to = D::from_pair(table.low[from as usize], table.high[from as usize]);
        }
    }
}
