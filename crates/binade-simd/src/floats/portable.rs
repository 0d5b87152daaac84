//! A vector of one lane, in plain Rust.

use super::{Doubles, Floats};

/// A vector of one number.
#[derive(Clone, Copy)]
pub struct Lane(f32);

impl Lane {
    /// A lane with this number.
    pub fn of(x: f32) -> Lane {
        Lane(x)
    }

    /// The lane's number.
    pub fn get(self) -> f32 {
        self.0
    }
}

/// The sum x + y of binary64 numbers rounded to odd: inexact results have their last bit set and are on the exact
/// value's side. `x` and `y` must be far from overflow.
#[inline(always)]
pub fn add_odd(x: f64, y: f64) -> f64 {
    let sum = x + y;
    // Knuth's TwoSum, whose error is exact.
    let back = sum - x;
    let error = (x - (sum - back)) + (y - back);
    to_odd(sum, error)
}

/// The exact value `near + error` rounded to odd, where `near` is its nearest binary64 number. Returns `near` itself if
/// `error` is not finite.
#[inline(always)]
pub fn to_odd(near: f64, error: f64) -> f64 {
    let bits = near.to_bits();
    if error == 0.0 || !error.is_finite() || bits & 1 == 1 {
        near
    } else if (error > 0.0) == (near > 0.0) {
        f64::from_bits(bits + 1)
    } else {
        f64::from_bits(bits - 1)
    }
}

/// A binary64 number rounded to odd in binary32.
#[inline(always)]
pub fn narrow_odd(x: f64) -> f32 {
    let near = x as f32;
    if near as f64 == x || x.is_nan() {
        return near;
    }
    // The neighbour toward zero, with the last bit set. Beyond binary32's range that is its largest number, which is
    // odd.
    let bits = near.to_bits() - ((near as f64).abs() > x.abs()) as u32;
    f32::from_bits(bits | 1)
}

/// x · y + z rounded toward zero.
pub fn fma_zero(x: f32, y: f32, z: f32) -> f32 {
    // Binary64 rounds to odd, which loses nothing that matters to binary32.
    let sum = add_odd(x as f64 * y as f64, z as f64);
    let near = sum as f32;
    if sum.is_finite() && (near as f64).abs() > sum.abs() { f32::from_bits(near.to_bits() - 1) } else { near }
}

impl Doubles for f64 {
    #[inline(always)]
    fn splat_bits(self, bits: u64) -> Self {
        f64::from_bits(bits)
    }
    #[inline(always)]
    fn add(self, y: Self) -> Self {
        self + y
    }
    #[inline(always)]
    fn sub(self, y: Self) -> Self {
        self - y
    }
    #[inline(always)]
    fn mul(self, y: Self) -> Self {
        self * y
    }
    #[inline(always)]
    fn fma_odd(self, y: Self, z: Self) -> Self {
        add_odd(self * y, z)
    }
    #[inline(always)]
    fn and(self, y: Self) -> Self {
        f64::from_bits(self.to_bits() & y.to_bits())
    }
    #[inline(always)]
    fn or(self, y: Self) -> Self {
        f64::from_bits(self.to_bits() | y.to_bits())
    }
    #[inline(always)]
    fn add_bits(self, y: Self) -> Self {
        f64::from_bits(self.to_bits().wrapping_add(y.to_bits()))
    }
    #[inline(always)]
    fn sub_bits(self, y: Self) -> Self {
        f64::from_bits(self.to_bits().wrapping_sub(y.to_bits()))
    }
    #[inline(always)]
    fn shift_left(self, by: u32) -> Self {
        f64::from_bits(self.to_bits() << by)
    }
    #[inline(always)]
    fn shift_right(self, by: u32) -> Self {
        f64::from_bits(self.to_bits() >> by)
    }
    #[inline(always)]
    fn max_bits(self, y: Self) -> Self {
        f64::from_bits(self.to_bits().max(y.to_bits()))
    }
    #[inline(always)]
    fn at_least(self, bound: Self, yes: Self, no: Self) -> Self {
        if self.abs() >= bound { f64::from_bits(yes.to_bits() | self.to_bits() & 1 << 63) } else { no }
    }
    #[inline(always)]
    fn below_zero(self, yes: Self, no: Self) -> Self {
        if self < 0.0 { yes } else { no }
    }
}

impl Floats for Lane {
    const REGISTERS: usize = 16;
    const LANES: usize = 1;
    type Wide = f64;

    #[inline(always)]
    fn widen(self) -> f64 {
        self.0.into()
    }
    #[inline(always)]
    fn narrowed(wide: f64) -> Self {
        Lane(wide as f32)
    }

    #[inline(always)]
    unsafe fn splat(x: f32) -> Self {
        Lane(x)
    }
    #[inline(always)]
    unsafe fn load(source: *const f32) -> Self {
        // SAFETY: the caller guarantees a readable element.
        Lane(unsafe { source.read() })
    }
    #[inline(always)]
    unsafe fn store(self, destination: *mut f32) {
        // SAFETY: the caller guarantees a writable element.
        unsafe { destination.write(self.0) }
    }
    #[inline(always)]
    fn splat_bits(self, bits: u32) -> Self {
        Lane(f32::from_bits(bits))
    }
    #[inline(always)]
    fn add(self, y: Self) -> Self {
        Lane(self.0 + y.0)
    }
    #[inline(always)]
    fn sub(self, y: Self) -> Self {
        Lane(self.0 - y.0)
    }
    #[inline(always)]
    fn fma(self, y: Self, z: Self) -> Self {
        Lane(self.0.mul_add(y.0, z.0))
    }
    #[inline(always)]
    fn fma_odd(self, y: Self, z: Self) -> Self {
        // The product of binary32 numbers is exact in binary64.
        Lane(narrow_odd(add_odd(self.0 as f64 * y.0 as f64, z.0 as f64)))
    }
    #[inline(always)]
    fn and(self, y: Self) -> Self {
        Lane(f32::from_bits(self.0.to_bits() & y.0.to_bits()))
    }
    #[inline(always)]
    fn or(self, y: Self) -> Self {
        Lane(f32::from_bits(self.0.to_bits() | y.0.to_bits()))
    }
    #[inline(always)]
    fn add_bits(self, y: Self) -> Self {
        Lane(f32::from_bits(self.0.to_bits().wrapping_add(y.0.to_bits())))
    }
    const TRUNCATES: bool = false;
    #[inline(always)]
    fn fma_zero(self, y: Self, z: Self) -> Self {
        Lane(fma_zero(self.0, y.0, z.0))
    }
    #[inline(always)]
    fn xor(self, y: Self) -> Self {
        Lane(f32::from_bits(self.0.to_bits() ^ y.0.to_bits()))
    }
    #[inline(always)]
    fn mul_halves(self, y: Self) -> Self {
        let (x, y) = (self.0.to_bits(), y.0.to_bits());
        let lower = x.wrapping_mul(y) & 0xffff;
        Lane(f32::from_bits((x >> 16).wrapping_mul(y >> 16) << 16 | lower))
    }
    #[inline(always)]
    fn lower_half_up(self) -> Self {
        Lane(f32::from_bits(self.0.to_bits() << 16))
    }
    #[inline(always)]
    fn widen_bits(self) -> f64 {
        f64::from_bits(self.0.to_bits().into())
    }
    #[inline(always)]
    fn any_lower_half_full(self) -> bool {
        self.0.to_bits() & 0xffff == 0xffff
    }
    #[inline(always)]
    fn max_bits(self, y: Self) -> Self {
        Lane(f32::from_bits(self.0.to_bits().max(y.0.to_bits())))
    }
    #[inline(always)]
    fn bf16(self) -> Self {
        let bits = self.0.to_bits();
        Lane(f32::from_bits(bits.wrapping_add(0x7fff + (bits >> 16 & 1)) & 0xffff_0000))
    }
    #[inline(always)]
    fn bf16_of_sum(self) -> Self {
        let bits = self.0.to_bits();
        Lane(f32::from_bits(bits.wrapping_add(0x7fbf + 0x81 * (bits >> 16 & 1)) & 0xffff_0000))
    }
    #[inline(always)]
    fn rest(self, part: Self) -> Self {
        Lane(if part.0.is_infinite() { 0.0 } else { self.0 - part.0 })
    }
    #[inline(always)]
    fn flushed(self) -> Self {
        Lane(if self.0.is_subnormal() { 0.0f32.copysign(self.0) } else { self.0 })
    }
    #[inline(always)]
    fn at_least(self, bound: Self, yes: Self, no: Self) -> Self {
        if self.0.abs() >= bound.0 {
            Lane(f32::from_bits(yes.0.to_bits() | self.0.to_bits() & 1 << 31))
        } else {
            no
        }
    }
    #[inline(always)]
    fn canonical(self) -> Self {
        Lane(if self.0.is_nan() { f32::NAN } else { self.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_rounded_to_odd_are_truncated_with_the_last_bit_set() {
        assert_eq!(add_odd(1.0, 2f64.powi(-60)).to_bits(), 1f64.to_bits() + 1);
        assert_eq!(add_odd(1.0, -(2f64.powi(-60))).to_bits(), 1f64.to_bits() - 1);
        assert_eq!(add_odd(-1.0, 2f64.powi(-60)).to_bits(), (-1f64).to_bits() - 1);
        assert_eq!(add_odd(1.0, 2.0), 3.0);
        assert_eq!(narrow_odd(1.0 + 2f64.powi(-40)).to_bits(), 1f32.to_bits() + 1);
        assert_eq!(narrow_odd(1.0 - 2f64.powi(-40)).to_bits(), 1f32.to_bits() - 1);
        assert_eq!(fma_zero(1.0, 1.0 + f32::EPSILON, 2f32.powi(-40)), 1.0 + f32::EPSILON);
        assert_eq!(fma_zero(-1.0, 1.0, 2f32.powi(-40)).to_bits(), (-1f32).to_bits() - 1);
        assert_eq!(fma_zero(f32::MAX, 2.0, 0.0), f32::MAX);
        assert_eq!(fma_zero(-f32::INFINITY, 2.0, 0.0), -f32::INFINITY);
        assert_eq!(narrow_odd(1e300), f32::MAX);
        assert_eq!(narrow_odd(-1e-300).to_bits(), 1 << 31 | 1);
        assert_eq!(narrow_odd(f64::NEG_INFINITY), f32::NEG_INFINITY);
    }
}
