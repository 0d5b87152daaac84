//! Exact binary fractions: an integer of any size times a power of two.

use num_bigint::{BigInt, Sign};
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

/// `mantissa · 2^exponent`. Several pairs denote the same number; comparison is by value.
#[derive(Clone, Debug)]
pub struct Dyadic {
    mantissa: BigInt,
    exponent: i64,
}

impl Dyadic {
    /// `mantissa · 2^exponent`.
    pub fn new(mantissa: impl Into<BigInt>, exponent: i64) -> Dyadic {
        let mantissa = mantissa.into();
        let exponent = if mantissa.is_zero() { 0 } else { exponent };
        Dyadic { mantissa, exponent }
    }

    /// Zero.
    pub fn zero() -> Dyadic {
        Dyadic::new(0, 0)
    }

    /// `2^exponent`.
    pub fn power(exponent: i64) -> Dyadic {
        Dyadic::new(1, exponent)
    }

    /// True for zero.
    pub fn is_zero(&self) -> bool {
        self.mantissa.is_zero()
    }

    /// True for negative numbers.
    pub fn is_negative(&self) -> bool {
        self.mantissa.is_negative()
    }

    /// Its absolute value.
    pub fn abs(&self) -> Dyadic {
        Dyadic::new(self.mantissa.abs(), self.exponent)
    }

    /// Times `2^by`.
    pub fn scaled(&self, by: i64) -> Dyadic {
        Dyadic::new(self.mantissa.clone(), self.exponent + by)
    }

    /// `⌊log2 |x|⌋`; the number must not be zero.
    pub fn log2_floor(&self) -> i64 {
        self.mantissa.bits() as i64 - 1 + self.exponent
    }

    /// `⌊log2 |x|⌋`, or 0 for zero.
    pub fn exponent_or_zero(&self) -> i64 {
        if self.is_zero() { 0 } else { self.log2_floor() }
    }

    /// The exponent if the number is a power of two.
    pub fn as_power(&self) -> Option<i64> {
        (self.mantissa.sign() == Sign::Plus && self.mantissa.magnitude().count_ones() == 1)
            .then(|| self.log2_floor())
    }

    /// `⌊x · 2^bits⌋`.
    pub fn fixed_floor(&self, bits: i64) -> BigInt {
        let shift = self.exponent + bits;
        if shift >= 0 { &self.mantissa << shift } else { &self.mantissa >> -shift }
    }

    /// `⌈x · 2^bits⌉`.
    pub fn fixed_ceil(&self, bits: i64) -> BigInt {
        -(-self).fixed_floor(bits)
    }

    /// The largest number of at most `bits` significant bits that is not above this one.
    pub fn round_down(&self, bits: u64) -> Dyadic {
        let excess = self.mantissa.bits().saturating_sub(bits);
        Dyadic::new(&self.mantissa >> excess, self.exponent + excess as i64)
    }

    /// The smallest number of about `bits` significant bits that is not below this one.
    pub fn round_up(&self, bits: u64) -> Dyadic {
        -&(-self).round_down(bits)
    }

    /// `x / 2^unit`, for a unit not above the exponent.
    fn in_units_of(&self, unit: i64) -> BigInt {
        &self.mantissa << (self.exponent - unit)
    }

    /// About `self / divisor`, to 80 significant bits or more; the divisor must not be zero.
    pub fn nearly_over(&self, divisor: &Dyadic) -> Dyadic {
        let wider = divisor.mantissa.bits() + 80;
        Dyadic::new(
            (&self.mantissa << wider) / &divisor.mantissa,
            self.exponent - divisor.exponent - wider as i64,
        )
    }

    /// The number as an integer, if it is one.
    pub fn as_integer(&self) -> Option<BigInt> {
        let floor = self.fixed_floor(0);
        (Dyadic::new(floor.clone(), 0) == *self).then_some(floor)
    }
}

impl Add for &Dyadic {
    type Output = Dyadic;
    fn add(self, other: &Dyadic) -> Dyadic {
        if self.is_zero() || other.is_zero() {
            return if self.is_zero() { other.clone() } else { self.clone() };
        }
        let exponent = self.exponent.min(other.exponent);
        Dyadic::new(self.in_units_of(exponent) + other.in_units_of(exponent), exponent)
    }
}

impl Sub for &Dyadic {
    type Output = Dyadic;
    fn sub(self, other: &Dyadic) -> Dyadic {
        self + &-other
    }
}

impl Mul for &Dyadic {
    type Output = Dyadic;
    fn mul(self, other: &Dyadic) -> Dyadic {
        Dyadic::new(&self.mantissa * &other.mantissa, self.exponent + other.exponent)
    }
}

impl Neg for &Dyadic {
    type Output = Dyadic;
    fn neg(self) -> Dyadic {
        Dyadic::new(-&self.mantissa, self.exponent)
    }
}

impl Ord for Dyadic {
    fn cmp(&self, other: &Dyadic) -> Ordering {
        let signs = self.mantissa.sign().cmp(&other.mantissa.sign());
        if signs != Ordering::Equal || self.is_zero() {
            return signs;
        }
        // Different binades decide without aligning exponents that may be 10^5 apart.
        let binades = self.log2_floor().cmp(&other.log2_floor());
        if binades != Ordering::Equal {
            return if self.is_negative() { binades.reverse() } else { binades };
        }
        match self.exponent.cmp(&other.exponent) {
            Ordering::Equal => self.mantissa.cmp(&other.mantissa),
            Ordering::Greater => (&self.mantissa << (self.exponent - other.exponent)).cmp(&other.mantissa),
            Ordering::Less => self.mantissa.cmp(&(&other.mantissa << (other.exponent - self.exponent))),
        }
    }
}

impl PartialOrd for Dyadic {
    fn partial_cmp(&self, other: &Dyadic) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Dyadic {
    fn eq(&self, other: &Dyadic) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Dyadic {}

/// An enclosure: the number is between the two ends.
#[derive(Clone, Debug)]
pub struct Interval {
    /// A bound below or equal to the number.
    pub low: Dyadic,
    /// A bound above or equal to the number.
    pub high: Dyadic,
}

impl Interval {
    /// `⌊center − error⌋ … ⌈center + error⌉` in units of `2^−bits`.
    pub fn around(center: &BigInt, error: u64, bits: i64) -> Interval {
        Interval { low: Dyadic::new(center - error, -bits), high: Dyadic::new(center + error, -bits) }
    }

    /// The square, both ends positive, with ends of `bits` significant bits.
    pub fn square(&self, bits: u64) -> Interval {
        Interval {
            low: (&self.low * &self.low).round_down(bits),
            high: (&self.high * &self.high).round_up(bits),
        }
    }

    /// The sum.
    pub fn plus(&self, other: &Interval) -> Interval {
        Interval { low: &self.low + &other.low, high: &self.high + &other.high }
    }

    /// The product with a number.
    pub fn times(&self, by: &Dyadic) -> Interval {
        let (a, b) = (&self.low * by, &self.high * by);
        if by.is_negative() { Interval { low: b, high: a } } else { Interval { low: a, high: b } }
    }

    /// The quotient of two enclosures of positive numbers, in units of `2^−bits`. A negative low end is valid: it is
    /// treated as zero.
    pub fn over(&self, divisor: &Interval, bits: i64) -> Interval {
        let low = if self.low.is_negative() { Dyadic::zero() } else { self.low.clone() };
        // Widened to integers of 2·bits and bits fraction bits, the quotient has bits of them.
        let floor = low.fixed_floor(2 * bits) / divisor.high.fixed_ceil(bits);
        let ceil = self.high.fixed_ceil(2 * bits) / divisor.low.fixed_floor(bits) + BigInt::one();
        Interval { low: Dyadic::new(floor, -bits), high: Dyadic::new(ceil, -bits) }
    }

    /// The negated enclosure.
    pub fn negated(&self) -> Interval {
        Interval { low: -&self.high, high: -&self.low }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparison_of_distant_exponents_is_exact() {
        assert_eq!(Dyadic::new(4, 0), Dyadic::power(2));
        assert!(Dyadic::new(7, -1) < Dyadic::new(1, 2));
        assert!(Dyadic::new(-7, -1) > Dyadic::new(-1, 2));
        assert!(Dyadic::power(-200_000) > Dyadic::zero());
        assert!(Dyadic::power(200_000) > Dyadic::new(u64::MAX, 0));
    }

    #[test]
    fn bounds_of_intervals_round_outward() {
        let x = Dyadic::new(0b1011, -5);
        assert_eq!(x.round_down(2), Dyadic::new(0b10, -3));
        assert_eq!(x.round_up(2), Dyadic::new(0b11, -3));
        assert_eq!((-&x).round_down(2), Dyadic::new(-0b11, -3));
        assert_eq!(x.fixed_floor(4), 5.into());
        assert_eq!(x.fixed_ceil(4), 6.into());
        assert_eq!(x.as_integer(), None);
        assert_eq!(Dyadic::new(-6, -1).as_integer(), Some((-3).into()));
    }
}
