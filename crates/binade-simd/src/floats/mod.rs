//! Vectors of binary32 lanes, over which the steps of operators are written.

#[cfg(target_arch = "x86_64")]
pub mod avx2;
#[cfg(target_arch = "x86_64")]
pub mod avx512;
#[cfg(target_arch = "aarch64")]
pub mod neon;
pub mod portable;

/// The least magnitude that rounds to infinity in BF16.
pub const BF16_OVERFLOW: u32 = 0x7f7f_8000;

/// The largest BF16 number.
#[cfg(target_arch = "x86_64")]
pub const BF16_LARGEST: u32 = 0x7f7f_0000;

/// A vector of binary32 lanes. Arithmetic rounds to nearest even and keeps subnormals, within an
/// [`Environment`](crate::Environment).
///
/// A vector exists only on a machine with its instructions. So only its construction is unsafe. Everything is
/// `#[inline(always)]` into a function with the target features.
pub trait Floats: Copy {
    /// The number of vector registers.
    const REGISTERS: usize;
    /// The number of lanes.
    const LANES: usize;
    /// A vector of the same lanes in binary64.
    type Wide: Doubles;

    /// The numbers in binary64, exactly.
    fn widen(self) -> Self::Wide;
    /// Binary64 numbers rounded to nearest even.
    fn narrowed(wide: Self::Wide) -> Self;

    /// A vector with x in all lanes.
    ///
    /// # Safety
    /// The machine has the vector's instructions.
    unsafe fn splat(x: f32) -> Self;
    /// Loads the next numbers.
    ///
    /// # Safety
    /// The machine has the vector's instructions, and `LANES` elements are readable at `source`.
    unsafe fn load(source: *const f32) -> Self;
    /// Stores the lanes.
    ///
    /// # Safety
    /// `LANES` elements are writable at `destination`.
    unsafe fn store(self, destination: *mut f32);

    /// A vector with the number of these bits in all lanes.
    fn splat_bits(self, bits: u32) -> Self;
    /// Sums.
    fn add(self, y: Self) -> Self;
    /// Differences.
    fn sub(self, y: Self) -> Self;
    /// self · y + z, rounded once.
    fn fma(self, y: Self, z: Self) -> Self;
    /// self · y + z rounded to odd: truncated to binary32, and the last bit set if that was inexact.
    fn fma_odd(self, y: Self, z: Self) -> Self;
    /// True if [`Floats::fma_zero`] is one instruction.
    const TRUNCATES: bool;
    /// self · y + z rounded toward zero.
    fn fma_zero(self, y: Self, z: Self) -> Self;
    /// Bitwise and.
    fn and(self, y: Self) -> Self;
    /// Bitwise or.
    fn or(self, y: Self) -> Self;
    /// Bitwise exclusive or.
    fn xor(self, y: Self) -> Self;
    /// The sum of the bits as integers.
    fn add_bits(self, y: Self) -> Self;
    /// The products of the bits' halves as integers, modulo 2^16.
    fn mul_halves(self, y: Self) -> Self;
    /// The lower half of the bits in place of the upper one, and zeros below it.
    fn lower_half_up(self) -> Self;
    /// The bits as integers of 64 bits.
    fn widen_bits(self) -> Self::Wide;
    /// True if the lower half of any lane's bits is all ones.
    fn any_lower_half_full(self) -> bool;
    /// True if the bits in `mask` are all ones in any lane. This and the next two operations go lane by lane, except
    /// with AVX-512, whose steps alone use them.
    #[inline(always)]
    fn any_full(self, mask: u32) -> bool {
        let (lanes, count) = lanes_of(self);
        lanes[..count].iter().any(|lane| lane.to_bits() & mask == mask)
    }
    /// The bits rotated to the left, by fewer than 32 places.
    #[inline(always)]
    fn rotate_left(self, by: u32) -> Self {
        let (lanes, _) = lanes_of(self);
        of_lanes(lanes.map(|lane| f32::from_bits(lane.to_bits().rotate_left(by))), self)
    }
    /// `yes` where self ≥ bound, and `no` elsewhere, also where self is NaN.
    #[inline(always)]
    fn not_below(self, bound: Self, yes: Self, no: Self) -> Self {
        let [(x, _), (bound, _), (yes, _), (no, _)] = [self, bound, yes, no].map(lanes_of);
        let chosen = |lane: usize| if x[lane] >= bound[lane] { yes[lane] } else { no[lane] };
        of_lanes(core::array::from_fn(chosen), self)
    }
    /// The maximum of the bits as unsigned integers.
    fn max_bits(self, y: Self) -> Self;
    /// Rounds to BF16, nearest even. Infinities stay; NaNs must be quiet with few payload bits.
    fn bf16(self) -> Self;
    /// The sum of both numbers, each rounded to BF16 first; neither may be subnormal then.
    #[inline(always)]
    fn sum_of_bf16(self, y: Self) -> Self {
        self.bf16().add(y.bf16())
    }
    /// The leading part of the sum of self's two leading parts; NaN as for [`Floats::bf16`].
    ///
    /// Let x be within 64 of its last units of the midpoint of two BF16 numbers. Then its second part rounds to exactly
    /// half a step, the sum is the midpoint, and its leading part is the even neighbour. So if the last bit l is odd, x
    /// rounds up from 64 units below the midpoint, and if it is even, only from more than 64 units above. Adding
    /// 0x7fbf + 0x81 l to the bits and truncating does that. Parts must not have been rounded as subnormals.
    fn bf16_of_sum(self) -> Self;
    /// Infinite where |self| ≥ [`BF16_OVERFLOW`], otherwise self.
    #[inline(always)]
    fn overflowed(self) -> Self {
        self.at_least(self.splat_bits(BF16_OVERFLOW), self.splat_bits(f32::INFINITY.to_bits()), self)
    }
    /// self − part. If `part` is infinite, a number that does not change sums with it: finite, or infinite as self is.
    fn rest(self, part: Self) -> Self;
    /// self, but subnormal numbers become zero with their sign.
    fn flushed(self) -> Self;
    /// `yes` with self's sign where |self| ≥ bound, and `no` elsewhere, also where self is NaN.
    fn at_least(self, bound: Self, yes: Self, no: Self) -> Self;
    /// self, but NaN becomes the canonical NaN.
    fn canonical(self) -> Self;
}

/// The lanes of a vector, and how many they are.
#[inline(always)]
fn lanes_of<F: Floats>(vector: F) -> ([f32; 16], usize) {
    let mut lanes = [0.0; 16];
    // SAFETY: vectors have at most 16 lanes.
    unsafe { vector.store(lanes.as_mut_ptr()) };
    (lanes, F::LANES)
}

/// A vector of the first of these lanes, of the type of another vector.
#[inline(always)]
fn of_lanes<F: Floats>(lanes: [f32; 16], _like: F) -> F {
    // SAFETY: vectors have at most 16 lanes, and the machine has their instructions, since a vector exists.
    unsafe { F::load(lanes.as_ptr()) }
}

/// The lanes of a vector of [`Floats`] in binary64, which represents every product of two binary32 numbers.
///
/// Arithmetic rounds to nearest even, as in [`Floats`].
pub trait Doubles: Copy {
    /// A vector with the number of these bits in all lanes.
    fn splat_bits(self, bits: u64) -> Self;
    /// Sums.
    fn add(self, y: Self) -> Self;
    /// Differences.
    fn sub(self, y: Self) -> Self;
    /// Products.
    fn mul(self, y: Self) -> Self;
    /// self · y + z rounded to odd: truncated to binary64, and the last bit set if that was inexact. The factors must
    /// be binary32 numbers, and z far from overflow, infinite or NaN.
    fn fma_odd(self, y: Self, z: Self) -> Self;
    /// Bitwise and.
    fn and(self, y: Self) -> Self;
    /// Bitwise or.
    fn or(self, y: Self) -> Self;
    /// The sum of the bits as integers.
    fn add_bits(self, y: Self) -> Self;
    /// The difference of the bits as integers.
    fn sub_bits(self, y: Self) -> Self;
    /// The bits shifted to the left, zeros following; by fewer than 64 places.
    fn shift_left(self, by: u32) -> Self;
    /// The bits shifted to the right, zeros following; by fewer than 64 places.
    fn shift_right(self, by: u32) -> Self;
    /// The maximum of two numbers that are not negative, by their bits.
    fn max_bits(self, y: Self) -> Self;
    /// `yes` with self's sign where |self| ≥ bound, and `no` elsewhere, also where self is NaN.
    fn at_least(self, bound: Self, yes: Self, no: Self) -> Self;
    /// `yes` where self < 0, and `no` elsewhere, also where self is −0 or NaN.
    fn below_zero(self, yes: Self, no: Self) -> Self;
}
