//! Enclosures of exp, exp2, log and log2, as narrow as requested.
//!
//! Numbers are integers in units of 2^−w. Every bound below counts units. Bounds are generous where they could be
//! sharper, because a wide enclosure only costs another round of doubling.

use crate::dyadic::{Dyadic, Interval};
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// Arguments of exp and exp2 at or beyond this in magnitude give results beyond 2^±500000, outside every format
/// (exponents of 16 bits, biases of 18 bits).
pub const HUGE: i64 = 1 << 19;

/// The functions whose values are irrational except for the exact cases that [`crate::real`] recognises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Function {
    /// e^x
    Exp,
    /// 2^x
    Exp2,
    /// natural logarithm
    Log,
    /// logarithm to base 2
    Log2,
}

impl Function {
    /// An enclosure for `x`: |x| < [`HUGE`] for exp and exp2, and x > 0 for log and log2. It narrows as `bits` grows.
    pub fn enclose(self, x: &Dyadic, bits: i64) -> Interval {
        match self {
            Function::Exp => exp(x, bits),
            Function::Exp2 => exp2(x, bits),
            Function::Log => log(x, bits),
            Function::Log2 => log2(x, bits),
        }
    }
}

/// For 0 < |x| < 1 both functions are strictly between 1 + x/2 and 1 + 2x, in the order that the sign of x gives. e^x ≥
/// 1 + x by its tangent. By chords, e^x ≤ 1 + 2x on [0, 1) and e^x ≤ 1 + x/2 on (−1, 0). Similarly 2^x stays between
/// 1 + x/2 and 1 + x. This decides tiny arguments without thousands of digits.
pub fn near_one(x: &Dyadic) -> Interval {
    let one = Dyadic::power(0);
    let (near, far) = (&one + &x.scaled(-1), &one + &x.scaled(1));
    if x.is_negative() { Interval { low: far, high: near } } else { Interval { low: near, high: far } }
}

fn exp(x: &Dyadic, bits: i64) -> Interval {
    // e^x = (e^r)^(2^j) with |r| < 2^−8.
    let j = if x.is_zero() { 0 } else { (x.log2_floor() + 9).max(0) };
    let w = bits + j + 16;
    let r = x.scaled(-j).fixed_floor(w);
    // Σ r^k/k!. A term inherits less than 1/256 of the error of the previous one. Rounding of r adds at most 1 unit,
    // and its own rounding 2, so its error is below 4. The tail after a zero term is below 1.
    let (mut term, mut sum, mut k) = (BigInt::one() << w, BigInt::zero(), 0u64);
    while term.magnitude() > &1u32.into() {
        sum += &term;
        k += 1;
        term = ((term * &r) >> w) / k;
    }
    let mut enclosure = Interval::around(&sum, 4 * k + 8, w);
    for _ in 0..j {
        enclosure = enclosure.square(w as u64);
    }
    enclosure
}

fn exp2(x: &Dyadic, bits: i64) -> Interval {
    let whole = x.fixed_floor(0);
    let fraction = x - &Dyadic::new(whole.clone(), 0);
    let w = bits + 16;
    let y = ln2(w).times(&fraction);
    let (low, high) = (y.low.round_down(w as u64), y.high.round_up(w as u64));
    let shift = i64::try_from(whole).unwrap_or(HUGE); // |x| < HUGE
    Interval { low: exp(&low, bits).low.scaled(shift), high: exp(&high, bits).high.scaled(shift) }
}

/// 2·atanh(z) for z = numerator/denominator in [0, 1/3]: 2(z + z³/3 + z⁵/5 + …).
fn twice_atanh(numerator: BigInt, denominator: &BigInt, w: i64) -> Interval {
    let z = (numerator << w) / denominator;
    let square = (&z * &z) >> w;
    // A power inherits 1/9 of the error of the previous one, 1/3 of the square's error (less than 2), and 1 from its
    // own rounding: less than 2 units each. Its division adds 1, the tail is below 1, and the final doubling doubles
    // all.
    let (mut power, mut sum, mut k) = (z, BigInt::zero(), 0u64);
    while !power.is_zero() {
        sum += &power / (2 * k + 1);
        k += 1;
        power = (power * &square) >> w;
    }
    Interval::around(&(sum * 2), 6 * k + 16, w)
}

/// ln 2 = 2·atanh(1/3).
fn ln2(w: i64) -> Interval {
    twice_atanh(BigInt::one(), &3.into(), w)
}

/// x = m·2^e with 1 ≤ m < 2: e and ln m, by (m − 1)/(m + 1) ≤ 1/3.
fn split(x: &Dyadic, w: i64) -> (Dyadic, Interval) {
    let e = x.log2_floor();
    let m = x.scaled(-e);
    let one = Dyadic::power(0);
    let (above, below) = (&m - &one, &m + &one);
    // x has finitely many bits: both are integers in units of its last one.
    let unit = (0..).step_by(64).find(|&u| above.scaled(u).as_integer().is_some()).unwrap_or(0);
    (Dyadic::new(e, 0), twice_atanh(above.fixed_floor(unit), &below.fixed_floor(unit), w))
}

fn log(x: &Dyadic, bits: i64) -> Interval {
    let w = bits + 32;
    let (e, ln_m) = split(x, w);
    ln2(w).times(&e).plus(&ln_m)
}

fn log2(x: &Dyadic, bits: i64) -> Interval {
    let w = bits + 32;
    let (e, ln_m) = split(x, w);
    let fraction = ln_m.over(&ln2(w), w);
    Interval { low: e.clone(), high: e }.plus(&fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Digits from the reference values of e, √2, ln 3 and log2 10, times 10^30.
    #[test]
    fn enclosures_contain_known_constants() {
        let scale = BigInt::from(10u32).pow(30);
        let cases: [(Function, Dyadic, &str); 5] = [
            (Function::Exp, Dyadic::power(0), "2718281828459045235360287471352"),
            (Function::Exp, Dyadic::new(-10, 0), "45399929762484851535591515"),
            (Function::Exp2, Dyadic::new(1, -1), "1414213562373095048801688724209"),
            (Function::Log, Dyadic::new(3, 0), "1098612288668109691395245236922"),
            (Function::Log2, Dyadic::new(10, 0), "3321928094887362347870319429489"),
        ];
        for (function, x, digits) in cases {
            let Interval { low, high } = function.enclose(&x, 160);
            let floor = (&low * &Dyadic::new(scale.clone(), 0)).fixed_floor(0);
            let ceil = (&high * &Dyadic::new(scale.clone(), 0)).fixed_floor(0);
            assert_eq!((floor.to_string(), ceil.to_string()), (digits.into(), digits.into()), "{function:?}");
        }
    }

    #[test]
    fn enclosures_of_tiny_arguments_bracket_one() {
        for x in [Dyadic::power(-1074), Dyadic::new(-3, -200)] {
            let Interval { low, high } = near_one(&x);
            assert!(low < high && (low > Dyadic::power(0)) != x.is_negative());
        }
    }
}
