//! The constants of the elementary functions to a number of limbs: ln 2, its reciprocal, and coefficients of series.

use alloc::vec::Vec;

use super::fraction::{Fraction, Limbs};

/// The constants of one precision. The unit is 2^(−64 · limbs).
pub(super) struct Constants<F> {
    /// Limbs of each fraction.
    pub(super) limbs: usize,
    /// ln 2, low by 0 to 1.01 units.
    pub(super) ln_2: Fraction<F>,
    /// 1/(2 ln 2), low by −0.01 to 1.01 units.
    pub(super) half_log2_e: Fraction<F>,
    /// Number of halvings of the argument of e^r, at least 4. More limbs need more, to keep the series short.
    pub(super) halvings: u32,
    /// 1/(j+1)! for j = 1, 2, …, truncated: all that arguments below 2^−`halvings` need.
    pub(super) factorial_reciprocals: Vec<Fraction<F>>,
    /// 1/(2j+1) for j = 1, 2, …, truncated: all that arguments below 2^−5 need.
    pub(super) odd_reciprocals: Vec<Fraction<F>>,
}

impl<F: Limbs> Constants<F> {
    pub(super) fn new(limbs: usize) -> Constants<F> {
        let ln_2 = ln_2(limbs + 1);
        let half_log2_e = half_reciprocal(limbs + 1, &ln_2);
        let bits = 64 * limbs as u32;
        let halvings = (2 * limbs as u32).clamp(4, 32);
        // ⌊⌊a/b⌋/c⌋ = ⌊a/(bc)⌋, so each of these is truncated once.
        let half = Fraction::quotient(limbs, 1, 2);
        let factorials =
            core::iter::successors(Some((half, 2)), |(last, n)| Some((last.divided(n + 1), n + 1)));
        let odd = (1..=(bits / 5) as u64).map(|j| Fraction::quotient(limbs, 1, 2 * j + 1));
        Constants {
            limbs,
            ln_2: Fraction::leading(limbs, &ln_2),
            half_log2_e: Fraction::leading(limbs, &half_log2_e),
            halvings,
            factorial_reciprocals: factorials.map(|(c, _)| c).take((bits / halvings) as usize).collect(),
            odd_reciprocals: odd.collect(),
        }
    }
}

/// ln 2 = 2 artanh(1/3), low by less than 2^9 · limbs units: 21 terms for each limb, each low by less than 4, and a
/// remainder below 1. So the leading limbs, computed with one more limb, are low by less than 1 + 2^−40.
fn ln_2(limbs: usize) -> Fraction<Vec<u64>> {
    let sum = artanh_reciprocal(limbs, 3);
    sum.plus(&sum)
}

/// artanh(1/n) = Σ 1/((2j+1) n^(2j+1)); n > 1, n² < 2^64.
///
/// The powers are truncated once (floors of floors), and so is each term: low by less than 1 + 1/(2j+1) units.
pub(super) fn artanh_reciprocal(limbs: usize, n: u64) -> Fraction<Vec<u64>> {
    let mut power = Fraction::quotient(limbs, 1, n);
    let mut sum = power.clone();
    let mut odd = 1;
    while power.leading_zeros() < 64 * limbs as u32 {
        power = power.divided(n * n);
        odd += 2;
        sum = sum.plus(&power.divided(odd));
    }
    sum
}

/// 1/(2x) for ½ < x < 1, with an error of less than 2^5 units plus the effect of the error of x.
///
/// Newton's step from y = (1 − d)/(2x) is 2y(1 − xy) = (1 − d²)/(2x). The two products and the doubling lower it by
/// less than 8 units. It starts with 50 bits.
fn half_reciprocal(limbs: usize, x: &Fraction<Vec<u64>>) -> Fraction<Vec<u64>> {
    let approximation = 0.5 / (x.top() as f64 / (1_u128 << 64) as f64);
    let mut y = Fraction::of(limbs, (approximation * (1_u64 << 62) as f64) as u64, -62);
    let mut bits = 50;
    while bits < 64 * limbs + 8 {
        let half = y.product(&x.product(&y).negated());
        y = half.plus(&half);
        bits *= 2;
    }
    y
}
