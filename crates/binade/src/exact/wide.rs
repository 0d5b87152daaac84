//! Exact sums, products and roots of any length, truncated once.

use alloc::vec::Vec;

use num_bigint::{BigInt, BigUint, Sign};

use super::Finite;

/// Significant bits that are kept.
const BITS: u64 = 128;

/// (−1)^negative · magnitude · 2^exponent, truncated. If `lost`, the value is strictly above that magnitude and below
/// the next; the magnitude must have at least 100 bits.
pub(crate) fn truncated(negative: bool, magnitude: &BigUint, exponent: i64, lost: bool) -> Finite {
    let excess = magnitude.bits().saturating_sub(BITS);
    let below = excess > 0 && magnitude.trailing_zeros().is_some_and(|zeros| zeros < excess);
    let words: Vec<u64> = (magnitude >> excess).iter_u64_digits().collect();
    let word = |i: usize| words.get(i).copied().unwrap_or(0) as u128;
    let significand = word(0) | word(1) << 64;
    match significand {
        0 => Finite::zero(negative),
        _ => Finite { negative, significand, exponent: exponent + excess as i64, sticky: lost || below },
    }
}

/// The sum of exact terms. A zero sum has the sign of the terms if all are zeros of one sign, and otherwise
/// `cancelled_negative`.
pub(crate) fn sum(terms: &[Finite], cancelled_negative: bool) -> Finite {
    let nonzero = || terms.iter().filter(|term| !term.is_zero());
    let Some(unit) = nonzero().map(|term| term.exponent).min() else {
        let same = terms.iter().all(|term| term.negative == terms[0].negative);
        return Finite::zero(if same { terms[0].negative } else { cancelled_negative });
    };
    let total: BigInt = nonzero()
        .map(|term| {
            let sign = if term.negative { Sign::Minus } else { Sign::Plus };
            BigInt::from_biguint(sign, BigUint::from(term.significand) << (term.exponent - unit) as u64)
        })
        .sum();
    match total.sign() {
        Sign::NoSign => Finite::zero(cancelled_negative),
        sign => truncated(sign == Sign::Minus, total.magnitude(), unit, false),
    }
}

/// The product of exact factors.
pub(crate) fn product(factors: &[Finite]) -> Finite {
    let negative = factors.iter().fold(false, |negative, factor| negative != factor.negative);
    if factors.iter().any(Finite::is_zero) {
        return Finite::zero(negative);
    }
    let magnitude: BigUint = factors.iter().map(|factor| BigUint::from(factor.significand)).product();
    truncated(negative, &magnitude, factors.iter().map(|factor| factor.exponent).sum(), false)
}

/// x / d for exact x ≠ 0 and an integer d, to 128 bits or more.
pub(crate) fn quotient(x: Finite, d: u128) -> Finite {
    let up = 128 + 128;
    let numerator = BigUint::from(x.significand) << up;
    let divisor = BigUint::from(d);
    let quotient = &numerator / &divisor;
    let exact = &quotient * &divisor == numerator;
    truncated(x.negative, &quotient, x.exponent - up as i64, !exact)
}

/// 1/√x for exact x > 0 of at most 64 significant bits.
///
/// Let x = m·2^(2e) and q = ⌊2^(2k)/m⌋. Then ⌊2^k/√m⌋ = ⌊√q⌋, and that is the exact value iff ⌊√q⌋²·m = 2^(2k). k = 160
/// gives 160 − 33 bits.
pub(crate) fn reciprocal_root(x: Finite) -> Finite {
    const K: i64 = 160;
    let odd = x.exponent.rem_euclid(2);
    let m = BigUint::from(x.significand) << odd as u64;
    let one = BigUint::from(1u32) << (2 * K) as u64;
    let root = (&one / &m).sqrt();
    let exact = &root * &root * m == one;
    truncated(false, &root, -K - (x.exponent - odd) / 2, !exact)
}

/// √(x² + y²) for exact x and y of at most 64 significant bits.
///
/// If the smaller is below 2^−70 of the greater, the result exceeds the greater by less than 2^−141 of it. Otherwise
/// the sum of squares has at most 270 bits, and the integer root is computed with 130 or more further bits.
pub(crate) fn hypotenuse(x: Finite, y: Finite) -> Finite {
    let [x, y] = [x, y].map(|v| Finite { negative: false, ..v });
    let (x, y) =
        if y.is_zero() || (!x.is_zero() && x.log2_floor() >= y.log2_floor()) { (x, y) } else { (y, x) };
    if y.is_zero() {
        return x;
    }
    if x.log2_floor() - y.log2_floor() > 70 {
        return just_beside(x, true);
    }
    let unit = x.exponent.min(y.exponent);
    let square = |v: Finite| {
        let root = BigUint::from(v.significand) << (v.exponent - unit) as u64;
        &root * &root
    };
    let scaled = (square(x) + square(y)) << 260u32;
    let root = scaled.sqrt();
    let exact = &root * &root == scaled;
    truncated(false, &root, unit - 130, !exact)
}

/// A magnitude above (or below) that of exact x ≠ 0 by less than 2^−128 of it.
pub(crate) fn just_beside(x: Finite, above: bool) -> Finite {
    let zeros = x.significand.leading_zeros();
    let (significand, exponent) = (x.significand << zeros, x.exponent - zeros as i64);
    // Below a power of two the significand has 127 bits, each worth half of the 128th.
    Finite { significand: if above { significand } else { significand - 1 }, exponent, sticky: true, ..x }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dyadic(significand: i64, exponent: i64) -> Finite {
        match significand {
            0 => Finite::zero(false),
            _ => Finite::new(significand < 0, significand.unsigned_abs() as u128, exponent),
        }
    }

    #[test]
    fn wide_sums_cancel_exactly() {
        let (big, small) = (dyadic(3, 200_000), dyadic(5, -200_000));
        assert_eq!(sum(&[big, small, dyadic(-3, 200_000)], false), small);
        assert_eq!(sum(&[big, dyadic(-3, 200_000), Finite::zero(true)], true), Finite::zero(true));
        assert_eq!(sum(&[Finite::zero(true); 3], false), Finite::zero(true));
        let near = sum(&[big, small, small], false);
        assert!(near.sticky && near.significand >> 127 == 1 && near.log2_floor() == 200_001);
    }

    #[test]
    fn wide_roots_square_to_their_argument() {
        assert_eq!(hypotenuse(dyadic(-3, 9), dyadic(4, 9)).log2_floor(), 11);
        assert!(!hypotenuse(dyadic(-3, 9), dyadic(4, 9)).sticky);
        assert!(hypotenuse(dyadic(1, 0), dyadic(1, 0)).sticky);
        assert!(hypotenuse(dyadic(1, 0), dyadic(1, -1000)).sticky);
        assert_eq!(hypotenuse(Finite::zero(false), dyadic(-7, 5)), dyadic(7, 5));
        let half = reciprocal_root(dyadic(4, 0));
        assert!(!half.sticky && half.log2_floor() == -1 && half.significand.is_power_of_two());
        assert!(reciprocal_root(dyadic(2, 0)).sticky && reciprocal_root(dyadic(9, -3)).sticky);
    }
}
