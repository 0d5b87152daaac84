//! Plain arrays: the leg that every machine can run, and the reference for the legs with instructions.

use crate::lanes::{Lanes, Leg, TableLeg, Words};

/// The leg without any requirements.
#[derive(Clone, Copy)]
pub(crate) struct Portable;

const COUNT: usize = 8;

/// Eight 32-bit lanes.
#[derive(Clone, Copy)]
pub(crate) struct Array([u32; COUNT]);

impl Array {
    #[inline(always)]
    fn map(self, other: Self, f: impl Fn(u32, u32) -> u32) -> Self {
        let mut result = [0; COUNT];
        for (i, lane) in result.iter_mut().enumerate() {
            *lane = f(self.0[i], other.0[i]);
        }
        Array(result)
    }

    #[inline(always)]
    fn test(self, other: Self, f: impl Fn(u32, u32) -> bool) -> [bool; COUNT] {
        let mut result = [false; COUNT];
        for (i, lane) in result.iter_mut().enumerate() {
            *lane = f(self.0[i], other.0[i]);
        }
        result
    }

    #[inline(always)]
    fn from_fn(f: impl Fn(usize) -> u32) -> Self {
        let mut result = [0; COUNT];
        for (i, lane) in result.iter_mut().enumerate() {
            *lane = f(i);
        }
        Array(result)
    }
}

impl Lanes for Array {
    type Mask = [bool; COUNT];
    const BITS: u32 = 32;
    const COUNT: usize = COUNT;

    #[inline(always)]
    fn splat(self, word: u32) -> Self {
        Array([word; COUNT])
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.map(other, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.map(other, |a, b| a | b)
    }
    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        self.map(other, |a, b| a ^ b)
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.map(other, u32::wrapping_add)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.map(other, u32::wrapping_sub)
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.map(other, u32::min)
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.map(other, u32::max)
    }
    #[inline(always)]
    fn saturating_decrement(self) -> Self {
        self.map(self, |a, _| a.saturating_sub(1))
    }
    #[inline(always)]
    fn saturating_sub(self, other: Self) -> Self {
        self.map(other, u32::saturating_sub)
    }
    #[inline(always)]
    fn shr(self, count: u32) -> Self {
        self.map(self, |a, _| a >> count)
    }
    #[inline(always)]
    fn shl(self, count: u32) -> Self {
        self.map(self, |a, _| a << count)
    }
    #[inline(always)]
    fn shr_each(self, counts: Self) -> Self {
        self.map(counts, |a, n| if n < 32 { a >> (n & 31) } else { 0 })
    }
    #[inline(always)]
    fn shl_each(self, counts: Self) -> Self {
        self.map(counts, |a, n| if n < 32 { a << (n & 31) } else { 0 })
    }
    #[inline(always)]
    fn gt(self, other: Self) -> Self::Mask {
        self.test(other, |a, b| a > b)
    }
    #[inline(always)]
    fn ge(self, other: Self) -> Self::Mask {
        self.test(other, |a, b| a >= b)
    }
    #[inline(always)]
    fn gt_small(self, other: Self) -> Self::Mask {
        self.gt(other)
    }
    #[inline(always)]
    fn eq(self, other: Self) -> Self::Mask {
        self.test(other, |a, b| a == b)
    }
    #[inline(always)]
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
        Self::from_fn(|i| if mask[i] { yes.0[i] } else { no.0[i] })
    }
    #[inline(always)]
    fn add_if(self, mask: Self::Mask, addend: Self) -> Self {
        Self::from_fn(|i| self.0[i].wrapping_add(if mask[i] { addend.0[i] } else { 0 }))
    }
    #[inline(always)]
    fn increment_if(self, mask: Self::Mask, ones: Self) -> Self {
        self.add_if(mask, ones)
    }
    #[inline(always)]
    fn sign_mask(self) -> Self::Mask {
        self.test(self, |a, _| a >> 31 == 1)
    }
    #[inline(always)]
    fn and_masks(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        std::array::from_fn(|i| a[i] & b[i])
    }
    #[inline(always)]
    fn and_not(a: Self::Mask, b: Self::Mask) -> Self::Mask {
        std::array::from_fn(|i| a[i] & !b[i])
    }
    #[inline(always)]
    unsafe fn load_f32(self, source: *const f32) -> Self {
        // SAFETY: the caller guarantees COUNT readable elements.
        Array(unsafe { source.cast::<[u32; COUNT]>().read_unaligned() })
    }
    #[inline(always)]
    unsafe fn pack_u8<const STREAM: bool>(vectors: [Self; 4], destination: *mut u8) {
        let mut packed = [0; 4 * COUNT];
        for (i, byte) in packed.iter_mut().enumerate() {
            *byte = vectors[i / COUNT].0[i % COUNT] as u8;
        }
        // SAFETY: the caller guarantees 4 · COUNT writable bytes.
        unsafe { destination.cast::<[u8; 4 * COUNT]>().write_unaligned(packed) }
    }
}

impl Words for Array {
    #[inline(always)]
    fn any(masks: [Self::Mask; 4]) -> bool {
        masks.iter().any(|mask| mask.contains(&true))
    }
    #[inline(always)]
    fn mul_even(self, other: Self) -> Self {
        let product = |i: usize| self.0[i & !1] as u64 * other.0[i & !1] as u64;
        Self::from_fn(|i| (product(i) >> (32 * (i & 1))) as u32)
    }
    #[inline(always)]
    fn odd_to_even(self) -> Self {
        Self::from_fn(|i| self.0[i | 1])
    }
    #[inline(always)]
    fn philox_counters(self, first: u32) -> Self {
        // Two vectors hold the words of blocks 0 to 3: weave takes its first vector from lanes 0 and 4.
        let block = [0, 0, 2, 0, 1, 0, 3, 0];
        Self::from_fn(|i| if i & 1 == 0 { first.wrapping_add(block[i]) } else { 0 })
    }
    #[inline(always)]
    fn swap_pairs_xor_even(self, a: Self, b: Self) -> Self {
        Self::from_fn(|i| if i & 1 == 0 { self.0[i + 1] ^ a.0[i] ^ b.0[i] } else { self.0[i - 1] })
    }
    #[inline(always)]
    fn interleave_philox(pairs: [Self; 2]) -> [Self; 2] {
        let from = |first: usize| Self::from_fn(|i| pairs[i / 2 % 2].0[first + i / 4 * 4 + i % 2]);
        [from(0), from(2)]
    }
    #[inline(always)]
    fn to_f32_scaled(self, scale: Self) -> Self {
        // From signed integers: for unsigned ones SSE2 uses sums that turn 0 into −0 when rounding down.
        self.map(scale, |a, scale| (a as i32 as f32 * f32::from_bits(scale)).to_bits())
    }
    #[inline(always)]
    fn add_f32(self, other: Self) -> Self {
        self.map(other, |a, b| (f32::from_bits(a) + f32::from_bits(b)).to_bits())
    }
    #[inline(always)]
    fn sub_f32(self, other: Self) -> Self {
        self.map(other, |a, b| (f32::from_bits(a) - f32::from_bits(b)).to_bits())
    }
    #[inline(always)]
    fn multiply_add_f32(self, by: Self, addend: Self) -> Self {
        // The product is exact, so the two operations round once.
        self.map(by, |a, b| (f32::from_bits(a) * f32::from_bits(b)).to_bits()).add_f32(addend)
    }
    #[inline(always)]
    unsafe fn load_u32(self, source: *const u32) -> Self {
        // SAFETY: the caller guarantees COUNT readable elements.
        Array(unsafe { source.cast::<[u32; COUNT]>().read_unaligned() })
    }
    #[inline(always)]
    unsafe fn load_u8(self, source: *const u8) -> Self {
        // SAFETY: the caller guarantees COUNT readable elements.
        let bytes = unsafe { source.cast::<[u8; COUNT]>().read_unaligned() };
        Self::from_fn(|i| bytes[i] as u32)
    }
    #[inline(always)]
    unsafe fn load_u16(self, source: *const u16) -> Self {
        // SAFETY: the caller guarantees COUNT readable elements.
        let words = unsafe { source.cast::<[u16; COUNT]>().read_unaligned() };
        Self::from_fn(|i| words[i] as u32)
    }
    #[inline(always)]
    unsafe fn load_i8(self, source: *const u8) -> Self {
        // SAFETY: the caller guarantees COUNT readable elements.
        let bytes = unsafe { source.cast::<[i8; COUNT]>().read_unaligned() };
        Self::from_fn(|i| bytes[i] as u32)
    }
    #[inline(always)]
    unsafe fn load_i16(self, source: *const u16) -> Self {
        // SAFETY: the caller guarantees COUNT readable elements.
        let words = unsafe { source.cast::<[i16; COUNT]>().read_unaligned() };
        Self::from_fn(|i| words[i] as u32)
    }
    #[inline(always)]
    unsafe fn load_f64(self, source: *const f64) -> (Self, Self) {
        // SAFETY: the caller guarantees COUNT readable elements.
        let words = unsafe { source.cast::<[u64; COUNT]>().read_unaligned() };
        (Self::from_fn(|i| (words[i] >> 32) as u32), Self::from_fn(|i| words[i] as u32))
    }
    #[inline(always)]
    unsafe fn store<const STREAM: bool>(self, destination: *mut u32) {
        // SAFETY: the caller guarantees COUNT writable elements.
        unsafe { destination.cast::<[u32; COUNT]>().write_unaligned(self.0) }
    }
    #[inline(always)]
    unsafe fn pack_u16<const STREAM: bool>(vectors: [Self; 4], destination: *mut u16) {
        let mut packed = [0; 4 * COUNT];
        for (i, word) in packed.iter_mut().enumerate() {
            *word = vectors[i / COUNT].0[i % COUNT] as u16;
        }
        // SAFETY: the caller guarantees 4 · COUNT writable elements.
        unsafe { destination.cast::<[u16; 4 * COUNT]>().write_unaligned(packed) }
    }
}

impl Leg for Portable {
    type Words = Array;
    const STREAM_ALIGN: usize = 1;
    const SPECIALIZES_SHAPES: bool = false;

    #[inline(always)]
    fn words(self, word: u32) -> Array {
        Array([word; COUNT])
    }
    #[inline(always)]
    fn prefetch(self, _: *const u8, _: usize) {}
    #[inline(always)]
    fn fence(self) {}
}

impl TableLeg for Portable {
    const PREFERS_TABLES: bool = true;
}
