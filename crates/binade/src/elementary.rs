//! e^x, 2^x, ln x and log2 x of a binary fraction: exact, or truncated with a sticky bit.
//!
//! # Exact cases
//!
//! A result that is a binary fraction must be recognised as one. These are all of them:
//!
//! - e^x: if x ≠ 0 is algebraic then e^x is transcendental (Lindemann). Only e^0 = 1.
//! - ln x: were ln x ≠ 0 algebraic, then x = e^(ln x) would be transcendental, and it is rational. Only ln 1 = 0.
//! - 2^x with x = p/2^j, p odd, j > 0: a rational y = 2^x has y^(2^j) = 2^p, and the exponent of 2 on the left is a
//!   multiple of 2^j, hence even, and on the right p. So only integers x.
//! - log2 x: if log2 x = p/q with q > 0 then x^q = 2^p, so that the odd part of x to the power q is 1. Only powers of two.
//!
//! # All others
//!
//! are irrational, so each is strictly between two neighbouring multiples of any power of two. Ziv's method finds the bits: an
//! enclosure of the result is computed to some number of limbs. If both ends have the same leading [`BITS`] bits, these are the
//! truncated value. Otherwise it is repeated with more limbs. The enclosures shrink to the value, so one of them is decisive.
//!
//! Two limbs suffice for all but about one in 2^13 arguments: the enclosure is about 2^10 units wide, and 2^24 units make
//! one of the last of the [`BITS`]. They fail more often for small arguments of e^x, for which 1 + x + x²/2 may be a short
//! fraction.

use alloc::vec::Vec;

mod ball;
mod constants;
mod fraction;
mod functions;
#[cfg(test)]
mod tests;

pub use self::functions::Function;
pub(crate) use self::functions::{arc_tan2, arc_tan2_pi, function};

use self::constants::Constants;
use self::fraction::{Fraction, Limbs};
use crate::exact::Finite;
use crate::lazy::Lazy;
use crate::text::floor;

/// Significant bits of a truncated result; [`exp`] of a small argument gives 128.
const BITS: u32 = 104;

/// Results outside 2^±2^40, beyond every format, are replaced by results near 2^±2^40.
const LIMIT: u32 = 40;

static TWO_LIMBS: Lazy<Constants<[u64; 2]>> = Lazy::new(|| Constants::new(2));
static FOUR_LIMBS: Lazy<Constants<[u64; 4]>> = Lazy::new(|| Constants::new(4));

/// A function and its argument, without the exact cases.
#[derive(Clone, Copy, Debug)]
enum Call {
    /// x ≠ 0, |x| < 2^40.
    Exp(Argument),
    /// x not an integer, |x| < 2^40.
    Exp2(Argument),
    /// x > 0, not 1.
    Log(Argument),
    /// x > 0, not a power of two.
    Log2(Argument),
}

/// (−1)^negative · significand · 2^exponent, the significand odd and below 2^62.
#[derive(Clone, Copy, Debug)]
struct Argument {
    negative: bool,
    significand: u64,
    exponent: i64,
}

/// A value within (fraction ± error · 2^(−64 · limbs)) · 2^exponent, with a sign.
struct Enclosure<F> {
    negative: bool,
    fraction: Fraction<F>,
    error: u64,
    exponent: i64,
}

/// e^x, for exact x whose significand has at most 62 bits, not counting trailing zeros.
pub(crate) fn exp(x: Finite) -> Finite {
    if x.is_zero() {
        return Finite::new(false, 1, 0);
    }
    match x.log2_floor() {
        ..-64 => exp_of_small(x),
        magnitude if magnitude >= LIMIT as i64 => beyond(x.negative),
        _ => evaluate(Call::Exp(Argument::new(x))),
    }
}

/// 2^x, for exact x whose significand has at most 62 bits, not counting trailing zeros.
pub(crate) fn exp2(x: Finite) -> Finite {
    if x.is_zero() {
        return Finite::new(false, 1, 0);
    }
    let argument = Argument::new(x);
    match x.log2_floor() {
        // |2^x − 1| < |x| < 2^−BITS, and the unit of the significand is 2^(1 − BITS) above 1 and 2^−BITS below.
        magnitude if magnitude < -(BITS as i64) => match x.negative {
            false => Finite {
                negative: false,
                significand: 1 << (BITS - 1),
                exponent: 1 - BITS as i64,
                sticky: true,
            },
            true => Finite {
                negative: false,
                significand: (1 << BITS) - 1,
                exponent: -(BITS as i64),
                sticky: true,
            },
        },
        magnitude if magnitude >= LIMIT as i64 => beyond(x.negative),
        _ if argument.exponent >= 0 => {
            let magnitude = (argument.significand << argument.exponent) as i64;
            Finite::new(false, 1, if x.negative { -magnitude } else { magnitude })
        }
        _ => evaluate(Call::Exp2(argument)),
    }
}

/// The natural logarithm, for exact x > 0 whose significand has at most 62 bits, not counting trailing zeros.
pub(crate) fn log(x: Finite) -> Finite {
    let argument = Argument::new(x);
    match (argument.significand, argument.exponent) {
        (1, 0) => Finite::zero(false),
        _ => evaluate(Call::Log(argument)),
    }
}

/// The logarithm to base 2, for exact x > 0 whose significand has at most 62 bits, not counting trailing zeros.
pub(crate) fn log2(x: Finite) -> Finite {
    let argument = Argument::new(x);
    match (argument.significand, argument.exponent) {
        (1, 0) => Finite::zero(false),
        (1, exponent) => Finite::new(exponent < 0, exponent.unsigned_abs() as u128, 0),
        _ => evaluate(Call::Log2(argument)),
    }
}

/// A replacement for e^x or 2^x with |x| ≥ 2^40.
fn beyond(negative: bool) -> Finite {
    let magnitude = 1 << LIMIT;
    let exponent = if negative { -magnitude } else { magnitude } - 127;
    Finite { negative: false, significand: 1 << 127, exponent, sticky: true }
}

/// e^x for 0 < |x| < 2^−64: the bits of 1 + x.
///
/// 1 + x < e^x < 1 + x + x² for x ≠ 0 in (−1, 1). Let u be the unit of a 128-bit significand, 2^−127 if x > 0 and
/// 2^−128 if x < 0; then x² < 2^−128 ≤ u. Let v be the unit of x. If v ≥ u then 1 + x is a multiple of u, and e^x
/// is less than u above it. If v < u, then 1 + x = floor + rest with rest ≤ u − v; and x² < v: |x| < 2^62 v gives
/// x² < 2^124 v · v < 2^(124−127) v. So e^x < floor + u again.
fn exp_of_small(x: Finite) -> Finite {
    let Argument { negative, significand, exponent } = Argument::new(x);
    let place = if negative { 128 } else { 127 };
    let up = exponent + place;
    let (units, rest) = match up {
        0.. => ((significand as u128) << up, false),
        -127.. => (significand as u128 >> -up, true),
        _ => (0, true),
    };
    let significand = match negative {
        false => (1 << 127) + units,
        true => (units + rest as u128).wrapping_neg(), // modulo 2^128, and units > 0 or rest
    };
    Finite { negative: false, significand, exponent: -place, sticky: true }
}

fn evaluate(call: Call) -> Finite {
    if let Some(result) = call.enclose(&TWO_LIMBS).truncated() {
        return result;
    }
    if let Some(result) = call.enclose(&FOUR_LIMBS).truncated() {
        return result;
    }
    let mut limbs = 8;
    loop {
        if let Some(result) = call.enclose::<Vec<u64>>(&Constants::new(limbs)).truncated() {
            return result;
        }
        limbs *= 2;
    }
}

impl Argument {
    fn new(x: Finite) -> Argument {
        debug_assert!(!x.sticky && !x.is_zero());
        let zeros = x.significand.trailing_zeros();
        let significand = x.significand >> zeros;
        debug_assert!(significand < 1 << 62);
        Argument {
            negative: x.negative,
            significand: significand as u64,
            exponent: x.exponent + zeros as i64,
        }
    }
}

impl Call {
    #[inline]
    fn enclose<F: Limbs>(self, constants: &Constants<F>) -> Enclosure<F> {
        match self {
            Call::Exp(x) => exp_enclosure(x, constants),
            Call::Exp2(x) => exp2_enclosure(x, constants),
            Call::Log(x) => log_enclosure(x, constants, Base::E),
            Call::Log2(x) => log_enclosure(x, constants, Base::Two),
        }
    }
}

impl<F: Limbs> Enclosure<F> {
    /// The leading bits, if they are the same at both ends.
    ///
    /// The value is irrational, so it is strictly between the bits at the lower end and their successor.
    #[inline]
    fn truncated(&self) -> Option<Finite> {
        let (low, high) = self.fraction.neighbours(self.error)?;
        let zeros = low.leading_zeros();
        let significand = low.bits(zeros) >> (128 - BITS);
        let decided = high.leading_zeros() == zeros && high.bits(zeros) >> (128 - BITS) == significand;
        let exponent = self.exponent - (zeros + BITS) as i64;
        decided.then_some(Finite { negative: self.negative, significand, exponent, sticky: true })
    }
}

// In the error bounds below, a unit is that of the last limb, 2^(−64 · limbs). Fractions are never negative. Products,
// shifts, the constants and the series err downwards: a product by less than 2 units, a shift by less than 1, ln 2 and
// 1/(2 ln 2) by less than 1.01, a series by less than 4 (see `fraction.rs` and `constants.rs`).

/// x = k ln 2 + r with 0 ≤ r < ln 2, and e^x = 2^k e^r.
///
/// k is computed by a binary64 product. |x| < 2^40, and so |x / ln 2| < 2^41. Three roundings by a factor of at most
/// 1 + 2^−53 each change it by less than 2^−10. Only the fraction of r is computed. It is between −2^−10 and ln 2 +
/// 2^−10, so one correction by ln 2 suffices.
///
/// Before the correction, the fraction of |x| is low by less than 1, and |k| ln 2 by less than 1.01 |k|. The correction
/// changes |k| by at most 1.
#[inline]
fn exp_enclosure<F: Limbs>(x: Argument, constants: &Constants<F>) -> Enclosure<F> {
    // 2^exponent is a normal binary64: |x| ≥ 2^−64 and x's significand is below 2^62.
    let unit = f64::from_bits(((1023 + x.exponent) as u64) << 52);
    let magnitude = x.significand as f64 * unit;
    let mut k = floor(if x.negative { -magnitude } else { magnitude } * core::f64::consts::LOG2_E);
    let fraction = Fraction::of(constants.limbs, x.significand, x.exponent);
    let (multiple, _) = constants.ln_2.times(k.unsigned_abs());
    let mut r = if x.negative { multiple.minus(&fraction) } else { fraction.minus(&multiple) };
    if r.top() >= 7 << 61 {
        r = r.plus(&constants.ln_2);
        k -= 1;
    } else if !r.less(&constants.ln_2) {
        r = r.minus(&constants.ln_2);
        k += 1;
    }
    exponential(&r, k, 2 * k.unsigned_abs() + 4, constants)
}

/// x = k + f with 0 < f < 1, and 2^x = 2^k e^(f ln 2).
///
/// The error of f is less than 1; the product with ln 2 adds less than 1 + 1.01 + 2.
#[inline]
fn exp2_enclosure<F: Limbs>(x: Argument, constants: &Constants<F>) -> Enclosure<F> {
    // exponent < 0, since x is not an integer.
    let whole = x.significand.checked_shr(x.exponent.unsigned_abs() as u32).unwrap_or(0) as i64;
    let fraction = Fraction::of(constants.limbs, x.significand, x.exponent);
    let (k, f) = if x.negative { (-1 - whole, fraction.negated()) } else { (whole, fraction) };
    exponential(&f.product(&constants.ln_2), k, 6, constants)
}

/// 2^k e^r, where 0 ≤ r ≤ ln 2, and the ln 2 of `constants` has an error of less than `error`.
///
/// Let t = r / 2^s and q0 = e^t − 1 = t + t · Σ t^j/(j+1)!. Then q = e^(2t) − 1 = 2q0 + q0², and so on, s times.
///
/// - t is low by less than 1, which makes q0 low by less than e^t < 1.05; s ≥ 4.
/// - The series is low by 4, its product with t < 0.05 by 2 + 0.2. Together, q0 is low by less than 4.
/// - A step changes the deficit d to less than 2(1 + q)d + 2. The factors 2(1 + q) are at least 2, and their product is
///   2^s e^(t + 2t + … + 2^(s−1) t) < 2^s e^r ≤ 2^(s+1). So the final deficit is less than 2^(s+1) (4 + 2 (1/2 + 1/4 +
///   …)) < 2^(s+4).
/// - `error` changes the result by less than 2.01 `error`: e^r ≤ 2, and the error is far below 1.
///
/// All errors but the last are downwards, so e^r − 1 < 1 remains a fraction. The enclosure is of (1 + q)/2; a shift
/// adds 1.
#[inline]
fn exponential<F: Limbs>(r: &Fraction<F>, k: i64, error: u64, constants: &Constants<F>) -> Enclosure<F> {
    let halvings = constants.halvings;
    let t = r.shifted(0, halvings);
    let mut q = t.plus(&t.product(&t.series(&constants.factorial_reciprocals)));
    for _ in 0..halvings {
        q = q.plus(&q).plus(&q.product(&q));
    }
    let error = (1 << (halvings + 4)) + 3 * error + 1;
    Enclosure { negative: false, fraction: q.shifted(1, 1), error, exponent: k + 1 }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Base {
    E,
    Two,
}

/// x = 2^k m with √½ ≤ m < √2, and ln m = 2 artanh z with z = (m − 1)/(m + 1).
///
/// So |z| < 0.1716 and z² < 0.0295. Let z = ±z' 2^−h with ¼ ≤ z' < ½, hence h ≥ 1. Then the relative precision does not
/// depend on the distance of m from 1: artanh |z| = g 2^−h, g = z' + z' · Σ z^(2j)/(2j+1) < 0.51.
///
/// - z' is a truncated quotient, low by less than 1. z'² is low by less than 2 + 2 z' ≤ 3, and z² by less than 3/4 + 1
///   < 2.
/// - The derivative of the series is below 0.36. So the series is low by less than 4 + 0.8 < 5, and g by less than 1 +
///   2 + 5/2 + 0.02 < 6.
/// - For base 2, g / (2 ln 2) is low by less than 2 + 0.73 · 6 + 0.51 · 1.01 < 7.
///
/// If k = 0, the result is g 2^(1−h), or g/(2 ln 2) 2^(2−h). Otherwise it is k ln 2 ± g 2^(1−h) or k ± g/(2 ln 2)
/// 2^(2−h), with k's sign. Divided by 2^b > |k| it is at least 0.34/2. It is at most (0.6932 |k| + 0.35)/2^b or (|k| +
/// ½)/2^b, both below 1. Then the terms are low by less than 1.01 + 1 (or exact) and by less than 7 + 1.
#[inline]
fn log_enclosure<F: Limbs>(x: Argument, constants: &Constants<F>, base: Base) -> Enclosure<F> {
    // m = significand / one, with 2^61 ≤ significand < 2^62.
    let up = x.significand.leading_zeros() - 2;
    let significand = x.significand << up;
    let (k, one) = match significand < ROOT_2 {
        true => (x.exponent - up as i64 + 61, 1 << 61),
        false => (x.exponent - up as i64 + 62, 1 << 62),
    };
    let below_one = significand < one;
    // |z| = difference / sum. If the difference is 0, so is artanh z; then k is not 0, or x = 1.
    let (difference, sum) = (significand.abs_diff(one), significand + one);
    let (g, h) = if difference == 0 {
        (Fraction::zero(constants.limbs), 1)
    } else {
        // With their top bits aligned, difference / sum is in (½, 2).
        let align = difference.leading_zeros() - sum.leading_zeros();
        let h = if difference << align < sum { align - 1 } else { align - 2 };
        let z = Fraction::quotient(constants.limbs, difference << h, sum);
        let square = z.product(&z).shifted(0, 2 * h);
        (z.plus(&z.product(&square.series(&constants.odd_reciprocals))), h)
    };
    // ln m or log2 m is ± g 2^−scale.
    let (g, scale) = match base {
        Base::E => (g, h as i32 - 1),
        Base::Two => (g.product(&constants.half_log2_e), h as i32 - 2),
    };
    if k == 0 {
        return Enclosure { negative: below_one, fraction: g, error: 8, exponent: -scale as i64 };
    }
    let magnitude = k.unsigned_abs();
    let b = magnitude.ilog2() + 1;
    let multiple = match base {
        Base::E => {
            let (low, high) = constants.ln_2.times(magnitude);
            low.shifted(high, b)
        }
        Base::Two => Fraction::of(constants.limbs, magnitude, -(b as i64)),
    };
    let part = g.shifted(0, (scale + b as i32) as u32);
    let fraction = if below_one == (k < 0) { multiple.plus(&part) } else { multiple.minus(&part) };
    Enclosure { negative: k < 0, fraction, error: 12, exponent: b as i64 }
}

/// ⌊√2 · 2^61⌋.
const ROOT_2: u64 = (1u128 << 123).isqrt() as u64;
