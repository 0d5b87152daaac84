//! Fixed-point numbers in [0, 1) of any number of 64-bit limbs.

use alloc::vec;
use alloc::vec::Vec;

/// Storage of limbs, least significant first: an array, or a vector if their number is known only at run time.
pub(super) trait Limbs: Clone + AsRef<[u64]> + AsMut<[u64]> {
    /// Limbs of 0; an array ignores the argument.
    fn zero(limbs: usize) -> Self;
}

impl<const L: usize> Limbs for [u64; L] {
    #[inline(always)]
    fn zero(_limbs: usize) -> Self {
        [0; L]
    }
}

impl Limbs for Vec<u64> {
    fn zero(limbs: usize) -> Self {
        vec![0; limbs]
    }
}

/// The limbs, as an integer, times a unit of 2^(−64 · limbs). Sums and differences are modulo 1.
#[derive(Clone, Debug)]
pub(super) struct Fraction<F>(F);

impl<F: Limbs> Fraction<F> {
    #[inline(always)]
    pub(super) fn zero(limbs: usize) -> Self {
        Fraction(F::zero(limbs))
    }

    #[inline(always)]
    fn limbs(&self) -> &[u64] {
        self.0.as_ref()
    }

    /// A fraction with the same number of limbs, each a function of its index.
    #[inline(always)]
    fn build(&self, mut limb: impl FnMut(usize) -> u64) -> Self {
        let mut result = Self::zero(self.limbs().len());
        result.0.as_mut().iter_mut().enumerate().for_each(|(i, out)| *out = limb(i));
        result
    }

    /// The fraction of integer · 2^exponent, truncated; exponent < 64.
    #[inline(always)]
    pub(super) fn of(limbs: usize, integer: u64, exponent: i64) -> Self {
        let mut result = Self::zero(limbs);
        let n = result.limbs().len() as i64;
        let place = exponent + 64 * n;
        if place < 0 {
            result.0.as_mut()[0] = integer.checked_shr(place.unsigned_abs().min(64) as u32).unwrap_or(0);
            return result;
        }
        let (limb, wide) = ((place / 64) as usize, (integer as u128) << (place % 64));
        let high = [wide as u64, (wide >> 64) as u64];
        result.0.as_mut().iter_mut().skip(limb).zip(high).for_each(|(out, part)| *out = part);
        result
    }

    /// numerator / denominator, truncated; numerator < denominator.
    #[inline(always)]
    pub(super) fn quotient(limbs: usize, numerator: u64, denominator: u64) -> Self {
        let mut result = Self::zero(limbs);
        let mut rest = numerator as u128;
        for out in result.0.as_mut().iter_mut().rev() {
            let dividend = rest << 64;
            *out = (dividend / denominator as u128) as u64;
            rest = dividend % denominator as u128;
        }
        result
    }

    /// The leading limbs of a fraction that has at least as many.
    pub(super) fn leading(limbs: usize, of: &Fraction<Vec<u64>>) -> Self {
        let skipped = of.limbs().len() - limbs;
        Self::zero(limbs).build(|i| of.limbs()[skipped + i])
    }

    /// The most significant limb.
    #[inline(always)]
    pub(super) fn top(&self) -> u64 {
        self.limbs().last().copied().unwrap_or(0)
    }

    #[inline(always)]
    pub(super) fn less(&self, other: &Self) -> bool {
        self.limbs().iter().rev().lt(other.limbs().iter().rev())
    }

    #[inline(always)]
    pub(super) fn plus(&self, other: &Self) -> Self {
        self.carrying_sum(other).0
    }

    #[inline(always)]
    fn carrying_sum(&self, other: &Self) -> (Self, bool) {
        let mut carry = false;
        let sum = self.build(|i| {
            let (limb, over) = self.limbs()[i].carrying_add(other.limbs()[i], carry);
            carry = over;
            limb
        });
        (sum, carry)
    }

    #[inline(always)]
    pub(super) fn minus(&self, other: &Self) -> Self {
        self.borrowing_difference(other).0
    }

    #[inline(always)]
    fn borrowing_difference(&self, other: &Self) -> (Self, bool) {
        let mut borrow = false;
        let difference = self.build(|i| {
            let (limb, under) = self.limbs()[i].borrowing_sub(other.limbs()[i], borrow);
            borrow = under;
            limb
        });
        (difference, borrow)
    }

    /// 1 − self, modulo 1.
    #[inline(always)]
    pub(super) fn negated(&self) -> Self {
        Self::zero(self.limbs().len()).minus(self)
    }

    /// self − units and self + units, unless one of them is outside [0, 1).
    #[inline(always)]
    pub(super) fn neighbours(&self, units: u64) -> Option<(Self, Self)> {
        let units = self.build(|i| if i == 0 { units } else { 0 });
        let ((low, under), (high, over)) = (self.borrowing_difference(&units), self.carrying_sum(&units));
        (!under && !over).then_some((low, high))
    }

    /// The product, low by less than 2 units.
    /// Partial products of limbs i and j with i + j < n − 2 are omitted. For each sum i + j there are at most n − 2 of
    /// them, less than n · 2^(64(n−1)) in all, and the unit is 2^(64n). Truncation lowers the product by less than 1
    /// unit more.
    #[inline(always)]
    pub(super) fn product(&self, other: &Self) -> Self {
        let (a, b) = (self.limbs(), other.limbs());
        let n = a.len();
        let mut result = Self::zero(n);
        let out = result.0.as_mut();
        let mut sum = 0u128;
        for column in n.saturating_sub(2)..2 * n - 1 {
            let mut carries = 0u128;
            for i in (column + 1).saturating_sub(n)..n.min(column + 1) {
                let (next, over) = sum.overflowing_add(a[i] as u128 * b[column - i] as u128);
                (sum, carries) = (next, carries + over as u128);
            }
            if column >= n {
                out[column - n] = sum as u64;
            }
            sum = sum >> 64 | carries << 64;
        }
        out[n - 1] = sum as u64;
        result
    }

    /// self · factor, as its fraction and its integer part.
    #[inline(always)]
    pub(super) fn times(&self, factor: u64) -> (Self, u64) {
        let mut carry = 0;
        let low = self.build(|i| {
            let (limb, high) = self.limbs()[i].carrying_mul(factor, carry);
            carry = high;
            limb
        });
        (low, carry)
    }

    /// self / divisor, truncated.
    #[inline(always)]
    pub(super) fn divided(&self, divisor: u64) -> Self {
        let mut result = Self::zero(self.limbs().len());
        let mut rest = 0u128;
        for (out, limb) in result.0.as_mut().iter_mut().zip(self.limbs()).rev() {
            let dividend = rest << 64 | *limb as u128;
            *out = (dividend / divisor as u128) as u64;
            rest = dividend % divisor as u128;
        }
        result
    }

    /// (integer + self) / 2^shift, truncated; integer < 2^shift.
    #[inline(always)]
    pub(super) fn shifted(&self, integer: u64, shift: u32) -> Self {
        let limbs = self.limbs();
        let at = |i: usize| if i == limbs.len() { integer } else { limbs.get(i).copied().unwrap_or(0) };
        let (skipped, shift) = ((shift / 64) as usize, shift % 64);
        self.build(|i| ((at(i + skipped) as u128 | (at(i + skipped + 1) as u128) << 64) >> shift) as u64)
    }

    #[inline(always)]
    pub(super) fn leading_zeros(&self) -> u32 {
        let mut zeros = 0;
        for limb in self.limbs().iter().rev() {
            zeros += limb.leading_zeros();
            if *limb != 0 {
                break;
            }
        }
        zeros
    }

    /// The 128 bits after the first `skipped`, with zeros after the last limb.
    #[inline(always)]
    pub(super) fn bits(&self, skipped: u32) -> u128 {
        let (limbs, shift) = ((skipped / 64) as usize, skipped % 64);
        let at = |i: usize| self.limbs().iter().rev().nth(limbs + i).copied().unwrap_or(0) as u128;
        (at(0) << 64 | at(1)) << shift | at(2) << shift >> 64
    }

    /// Σ c_j self^j over j ≥ 1, where c_1 ≥ c_2 ≥ …, each truncated to `coefficients`. It is low by less than 4 units
    /// if self ≤ 1/16.
    ///
    /// Terms are omitted from the first one below 1 unit on, together less than 1.1. Each step of Horner's rule changes
    /// a deficit d of the sum to (d + 1)/16 + 2, so it stays below 2.2.
    #[inline(always)]
    pub(super) fn series(&self, coefficients: &[Self]) -> Self {
        let n = self.limbs().len();
        let zeros = self.leading_zeros();
        let mut power = 0;
        let significant = |coefficient: &&Self| {
            power += zeros;
            power + coefficient.leading_zeros() < 64 * n as u32
        };
        let terms = coefficients.iter().take_while(significant).count();
        coefficients[..terms].iter().rev().fold(Self::zero(n), |sum, c| sum.plus(c).product(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::philox::word;

    /// Limbs drawn at random, a third of them all ones or all zeros.
    fn drawn(seed: u64, limbs: usize) -> Vec<u64> {
        let limb = |i| match word(seed, 3 * i) % 6 {
            0 => 0,
            1 => u64::MAX,
            _ => (word(seed, 3 * i + 1) as u64) << 32 | word(seed, 3 * i + 2) as u64,
        };
        (0..limbs as u64).map(limb).collect()
    }

    fn padded(limbs: &[u64], zeros: usize) -> Fraction<Vec<u64>> {
        Fraction([vec![0; zeros], limbs.to_vec()].concat())
    }

    /// With the same number of zero limbs below, a product is exact.
    #[test]
    fn products_of_fractions_are_low_by_less_than_two_units() {
        for limbs in [1, 2, 3, 4, 9] {
            for seed in 0..300 {
                let (a, b) = (drawn(seed, limbs), drawn(seed + 1000, limbs));
                let exact = padded(&a, limbs).product(&padded(&b, limbs));
                let lack =
                    Fraction::<Vec<u64>>::leading(limbs, &exact).minus(&Fraction(a).product(&Fraction(b)));
                assert!(lack.limbs()[0] <= 1 && lack.leading_zeros() >= 64 * limbs as u32 - 1, "{lack:?}");
            }
        }
    }

    /// Against 128-bit integers, with two limbs.
    #[test]
    fn fractions_of_two_limbs_equal_integers() {
        let fraction = |x: u128| Fraction([x as u64, (x >> 64) as u64]);
        let integer = |x: Fraction<[u64; 2]>| x.bits(0);
        for seed in 0..300 {
            let [a, b] = [0, 2].map(|i| drawn(seed, 4)[i] as u128 | (drawn(seed, 4)[i + 1] as u128) << 64);
            let small = drawn(seed + 1000, 1)[0].max(1);
            let (x, y) = (fraction(a), fraction(b));
            assert_eq!(integer(x.plus(&y)), a.wrapping_add(b));
            assert_eq!(integer(x.minus(&y)), a.wrapping_sub(b));
            assert_eq!(integer(x.negated()), a.wrapping_neg());
            assert_eq!(x.less(&y), a < b);
            assert_eq!(x.leading_zeros(), a.leading_zeros());
            assert_eq!(integer(x.divided(small)), a / small as u128);
            let (low, high) = x.times(small);
            assert_eq!(integer(low), a.wrapping_mul(small as u128));
            let carry = (a as u64 as u128 * small as u128) >> 64;
            assert_eq!(high, (((a >> 64) * small as u128 + carry) >> 64) as u64);
            for shift in [0, 1, 63, 64, 65, 127, 128, 200] {
                assert_eq!(integer(x.shifted(0, shift)), a.checked_shr(shift).unwrap_or(0));
                assert_eq!(x.bits(shift), a.checked_shl(shift).unwrap_or(0));
                let place = shift as i64 - 128;
                assert_eq!(
                    integer(Fraction::of(2, small, place)),
                    (small as u128).checked_shl(shift).unwrap_or(0)
                );
                let below = (small as u128).checked_shr(shift).unwrap_or(0);
                assert_eq!(integer(Fraction::of(2, small, -128 - shift as i64)), below);
            }
            assert_eq!(integer(x.shifted(1, 1)), a >> 1 | 1 << 127);
            let neighbours = x.neighbours(small).map(|(low, high)| (integer(low), integer(high)));
            assert_eq!(neighbours, a.checked_sub(small as u128).zip(a.checked_add(small as u128)));
        }
        let third = Fraction::<[u64; 2]>::quotient(2, 1, 3);
        assert_eq!(integer(third), u128::MAX / 3);
    }
}
