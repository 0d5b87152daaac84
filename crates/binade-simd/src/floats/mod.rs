//! The vectors of binary32 lanes that the steps of operators are written over.

#[cfg(target_arch = "x86_64")]
pub mod avx2;
#[cfg(target_arch = "x86_64")]
pub mod avx512;
#[cfg(target_arch = "aarch64")]
pub mod neon;
pub mod portable;

/// The least magnitude whose BF16 is infinite.
pub const BF16_OVERFLOW: u32 = 0x7f7f_8000;

/// The largest BF16.
#[cfg(target_arch = "x86_64")]
pub const BF16_LARGEST: u32 = 0x7f7f_0000;

/// A vector of binary32 lanes. Arithmetic rounds to nearest even and keeps subnormals: see
/// [`Environment`](crate::Environment).
///
/// A vector exists only on a machine that has its instructions, which is why making one is `unsafe` and everything
/// else is not. Everything is `#[inline(always)]` into a function with the target features.
pub trait Floats: Copy {
    /// Registers that hold vectors.
    const REGISTERS: usize;
    /// Lanes.
    const LANES: usize;
    /// The same lanes in binary64.
    type Wide: Doubles;

    /// The numbers in binary64, exactly.
    fn widen(self) -> Self::Wide;
    /// Numbers of binary64 rounded to nearest even.
    fn narrowed(wide: Self::Wide) -> Self;

    /// # Safety
    /// The machine has the vector's instructions.
    unsafe fn splat(x: f32) -> Self;
    /// # Safety
    /// As `splat`, and `LANES` readable elements at `source`.
    unsafe fn load(source: *const f32) -> Self;
    /// # Safety
    /// `LANES` writable elements at `destination`.
    unsafe fn store(self, destination: *mut f32);

    /// All lanes the number with these bits.
    fn like(self, bits: u32) -> Self;
    /// Sums.
    fn add(self, y: Self) -> Self;
    /// Differences.
    fn sub(self, y: Self) -> Self;
    /// self · y + z, rounded once.
    fn fma(self, y: Self, z: Self) -> Self;
    /// self · y + z rounded to odd: truncated to binary32, and the last bit set if that was inexact.
    fn fma_odd(self, y: Self, z: Self) -> Self;
    /// The bits of both.
    fn and(self, y: Self) -> Self;
    /// The bits of either.
    fn or(self, y: Self) -> Self;
    /// Sum of the bits as integers.
    fn add_bits(self, y: Self) -> Self;
    /// The larger of the bits as unsigned integers.
    fn max_bits(self, y: Self) -> Self;
    /// BF16, nearest even. Infinities stay, NaN must be quiet with few payload bits.
    fn bf16(self) -> Self;
    /// The sum of both, rounded to BF16 first, neither being subnormal then.
    #[inline(always)]
    fn sum_of_bf16(self, y: Self) -> Self {
        self.bf16().add(y.bf16())
    }
    /// The leading part of the sum of self's two leading parts, NaN as for [`Floats::bf16`].
    ///
    /// If x lies within 64 of its last units of the middle of two BF16 numbers, its second part rounds to exactly half a
    /// step, the sum lies in the middle, and its leading part is the even neighbour. So with an odd last bit l, x rounds
    /// up from 64 units below the middle, with an even one only beyond 64 units above. Adding 0x7fbf + 0x81 l to the bits
    /// and truncating does that. Parts must not have been rounded as subnormals.
    fn bf16_of_sum(self) -> Self;
    /// Infinite where |self| ≥ [`BF16_OVERFLOW`].
    #[inline(always)]
    fn overflowed(self) -> Self {
        self.at_least(self.like(BF16_OVERFLOW), self.like(f32::INFINITY.to_bits()), self)
    }
    /// self − part. Where `part` is infinite, something that changes no sum with it: finite, or infinite as self is.
    fn rest(self, part: Self) -> Self;
    /// self where |self| is a normal number, zero, infinite or NaN; zero with its sign where it is subnormal.
    fn flushed(self) -> Self;
    /// `yes` with self's sign where |self| ≥ bound, and `no` elsewhere, NaN included.
    fn at_least(self, bound: Self, yes: Self, no: Self) -> Self;
    /// The canonical NaN where self is NaN.
    fn canonical(self) -> Self;
}

/// The lanes of a vector of [`Floats`] in binary64, which holds every product of two binary32 numbers.
///
/// Arithmetic rounds to nearest even, as that of [`Floats`] does.
pub trait Doubles: Copy {
    /// All lanes the number with these bits.
    fn like(self, bits: u64) -> Self;
    /// Sums.
    fn add(self, y: Self) -> Self;
    /// Differences.
    fn sub(self, y: Self) -> Self;
    /// Products.
    fn mul(self, y: Self) -> Self;
    /// self · y + z rounded to odd: truncated to binary64, and the last bit set if that was inexact. The factors are binary32
    /// numbers, and z is far from overflow, infinite or NaN.
    fn fma_odd(self, y: Self, z: Self) -> Self;
    /// The bits of both.
    fn and(self, y: Self) -> Self;
    /// The bits of either.
    fn or(self, y: Self) -> Self;
    /// Sum of the bits as integers.
    fn add_bits(self, y: Self) -> Self;
    /// The larger of two numbers that are not negative, by their bits.
    fn max_bits(self, y: Self) -> Self;
    /// `yes` with self's sign where |self| ≥ bound, and `no` elsewhere, NaN included.
    fn at_least(self, bound: Self, yes: Self, no: Self) -> Self;
    /// `yes` where self < 0, and `no` elsewhere, −0 and NaN included.
    fn below_zero(self, yes: Self, no: Self) -> Self;
}
