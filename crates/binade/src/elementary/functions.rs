//! The functions of P3109 4.0 §4.10.9 to §4.10.16 beyond exp, exp2, log and log2, of binary fractions.
//!
//! # Exact cases
//!
//! An enclosure decides every value that is not a binary fraction. The values that are binary fractions are handled
//! first; x is a binary fraction.
//! - e^x, sin, cos, tan, sinh, cosh, tanh and their inverses, ln(1 + x): for algebraic x ≠ 0 the value is
//!   transcendental, unless the value is 0 (Lindemann). For inverse functions: if the value were algebraic and not 0,
//!   then x, the function of it, would be transcendental.
//! - ln(1 + e^x) = q with algebraic q would be e^q − e^x − e^0 = 0. q is neither x nor 0, so that this contradicts
//!   Lindemann and Weierstrass, or for x = 0 says e^q = 2.
//! - sin πx, cos πx: rational for rational x only where they are 0, ±½, ±1 (Niven); ±½ has x = n/6, no binary fraction.
//!   So 0 and ±1 at multiples of ½. tan πx: rational only where it is 0 and ±1, at multiples of ¼.
//! - arcsin x/π, arccos x/π, arctan x/π, and arctan(y/x)/π as a binary fraction q have sin πq = x and so on: x = 0, ±1,
//!   or |y| = |x|.
//!
//! # Arguments that would take many bits
//! Near 0 and far from it, a function differs from its limit, or from its argument, by less than 2^−128 of it. There
//! the value is that, with a sticky bit on the right side ([`just_beside`]).

use super::ball::{Ball, pi, reduced};
use super::{BITS, LIMIT, beyond};
use crate::exact::Finite;
use crate::exact::wide::just_beside;

/// A function of one operand, of 4.0 §4.10.9 to §4.10.13.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Function {
    /// ln(1 + x).
    LogOnePlus,
    /// e^x − 1.
    ExpMinusOne,
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Tangent.
    Tan,
    /// Inverse sine.
    ArcSin,
    /// Inverse cosine.
    ArcCos,
    /// Inverse tangent.
    ArcTan,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Inverse hyperbolic sine.
    ArcSinh,
    /// Inverse hyperbolic cosine.
    ArcCosh,
    /// Inverse hyperbolic tangent.
    ArcTanh,
    /// sin πx.
    SinPi,
    /// cos πx.
    CosPi,
    /// tan πx.
    TanPi,
    /// arcsin x / π.
    ArcSinPi,
    /// arccos x / π.
    ArcCosPi,
    /// arctan x / π.
    ArcTanPi,
    /// ln(1 + e^x).
    Softplus,
}

const ONE: Finite = Finite::new(false, 1, 0);
const HALF: Finite = Finite::new(false, 1, -1);

/// Significant bits of the first enclosure.
const FIRST: u64 = BITS as u64 + 48;

/// Encloses a value more and more narrowly until the leading bits are known.
fn decided(enclose: impl Fn(u64) -> Option<Ball>) -> Finite {
    let mut bits = FIRST;
    loop {
        if let Some(value) = enclose(bits).and_then(|ball| ball.truncated(BITS)) {
            return value;
        }
        bits *= 2;
    }
}

/// f(x) of an exact x of at most 62 significant bits. f(x) must be a real number. If f(0) is 0, x must not be 0,
/// because the caller determines the sign.
pub(crate) fn function(f: Function, x: Finite) -> Finite {
    use Function as F;
    let magnitude = Finite { negative: false, ..x };
    let signed = |value: Finite| Finite { negative: value.negative != x.negative, ..value };
    match f {
        F::LogOnePlus => log_one_plus(x),
        F::ExpMinusOne => exp_minus_one(x),
        F::Cos => cos(magnitude),
        F::Cosh => cosh(magnitude),
        F::CosPi => cos_pi(magnitude),
        F::ArcCos => arc_cos(x),
        F::ArcCosPi => arc_cos_pi(x),
        F::ArcCosh => decided(|bits| {
            let x = Ball::exact(x);
            let less = x.minus(&Ball::integer(1), bits);
            let root = less.times(&x.plus(&Ball::integer(1), bits), bits).root(bits)?;
            less.plus(&root, bits).log_one_plus(bits)
        }),
        F::Softplus => softplus(x),
        // Odd functions.
        F::Sin => signed(sin(magnitude)),
        F::Tan => signed(tan(magnitude)),
        F::ArcSin => signed(arc_sin(magnitude)),
        F::ArcTan => signed(arc_tan(magnitude)),
        F::Sinh => signed(sinh(magnitude)),
        F::Tanh => signed(tanh(magnitude)),
        F::ArcSinh => signed(arc_sinh(magnitude)),
        F::ArcTanh => signed(arc_tanh(magnitude)),
        F::SinPi => signed(sin_pi(magnitude)),
        F::TanPi => signed(tan_pi(magnitude)),
        F::ArcSinPi => signed(arc_sin_pi(magnitude)),
        F::ArcTanPi => signed(arc_tan_pi(magnitude)),
    }
}

/// True if |x| < 2^−70, so that x² < 2^−140: odd functions x + O(x³) equal x except for a sticky bit.
fn tiny(x: Finite) -> bool {
    x.log2_floor() < -70
}

/// x − x²/2 + …
fn log_one_plus(x: Finite) -> Finite {
    match x.log2_floor() {
        ..-130 => just_beside(x, x.negative),
        _ => decided(|bits| Ball::exact(x).log_one_plus(bits)),
    }
}

/// x + x²/2 + …; computed by e^x if x is not small.
fn exp_minus_one(x: Finite) -> Finite {
    match x.log2_floor() {
        ..-130 => just_beside(x, !x.negative),
        7.. if x.negative => just_beside(Finite::new(true, 1, 0), false),
        magnitude if magnitude >= LIMIT as i64 => beyond(false),
        magnitude => decided(|bits| {
            let power = Ball::exact(x).exp(bits + cancelled(magnitude))?;
            Some(power.minus(&Ball::integer(1), bits + cancelled(magnitude)))
        }),
    }
}

/// Number of bits that cancel in e^x − 1 and e^x − e^−x.
fn cancelled(magnitude: i64) -> u64 {
    magnitude.min(0).unsigned_abs() + 2
}

/// sin and cos of x ≥ 0.
fn sin_cos(x: Finite, bits: u64) -> Option<(Ball, Ball)> {
    let (quadrant, rest) = reduced(x, bits);
    turned(quadrant, rest.sin_cos(bits)?)
}

/// sin and cos of r + n π/2 from those of r.
fn turned(quadrant: u8, (sin, cos): (Ball, Ball)) -> Option<(Ball, Ball)> {
    Some(match quadrant & 3 {
        0 => (sin, cos),
        1 => (cos, sin.negated()),
        2 => (sin.negated(), cos.negated()),
        _ => (cos.negated(), sin),
    })
}

fn sin(x: Finite) -> Finite {
    if tiny(x) {
        return just_beside(x, false);
    }
    decided(|bits| Some(sin_cos(x, bits)?.0))
}

fn cos(x: Finite) -> Finite {
    if tiny(x) {
        return just_beside(ONE, false);
    }
    decided(|bits| Some(sin_cos(x, bits)?.1))
}

fn tan(x: Finite) -> Finite {
    if tiny(x) {
        return just_beside(x, true);
    }
    decided(|bits| {
        let (sin, cos) = sin_cos(x, bits)?;
        sin.over(&cos, bits)
    })
}

/// n and r = x − n/2 with |r| ≤ ¼, for x ≥ 0 that is not a multiple of ½: n modulo 4.
fn half_turns(x: Finite) -> (u8, Finite) {
    if x.log2_floor() < -2 {
        return (0, x);
    }
    // Below 2^62, with at most 61 places: x is in units of 2^exponent, and ½ is 2^(−1 − exponent) of them.
    let half = 1i128 << (-1 - x.exponent);
    let x_units = x.significand as i128;
    let n = (2 * x_units + half).div_euclid(2 * half);
    let rest = x_units - n * half;
    (n as u8 & 3, Finite::new(rest < 0, rest.unsigned_abs(), x.exponent))
}

/// x without its trailing zeros.
fn odd(x: Finite) -> Finite {
    let zeros = if x.is_zero() { 0 } else { x.significand.trailing_zeros() };
    Finite { significand: x.significand >> zeros, exponent: x.exponent + zeros as i64, ..x }
}

/// sin πx and cos πx, where x is not a multiple of ½.
fn sin_cos_pi(x: Finite, bits: u64) -> Option<(Ball, Ball)> {
    let (quadrant, rest) = half_turns(x);
    turned(quadrant, Ball::exact(rest).times(&pi(bits), bits).sin_cos(bits)?)
}

/// The position of a multiple of ½ in a period of 2, in halves; `None` for any other x ≥ 0.
fn halves(x: Finite) -> Option<u8> {
    match odd(x).exponent {
        1.. => Some(0),
        0 => Some(2),
        -1 => Some(odd(x).significand as u8 & 3),
        _ => None,
    }
}

fn sin_pi(x: Finite) -> Finite {
    match halves(x) {
        Some(1) => ONE,
        Some(3) => Finite::new(true, 1, 0),
        Some(_) => Finite::zero(false),
        None => decided(|bits| Some(sin_cos_pi(odd(x), bits)?.0)),
    }
}

fn cos_pi(x: Finite) -> Finite {
    match halves(x) {
        Some(0) => ONE,
        Some(2) => Finite::new(true, 1, 0),
        Some(_) => Finite::zero(false),
        None if tiny(x) => just_beside(ONE, false),
        None => decided(|bits| Some(sin_cos_pi(odd(x), bits)?.1)),
    }
}

/// tan πx, not at a pole; its zeros at odd integers are −0 (IEEE 754 §9.2).
fn tan_pi(x: Finite) -> Finite {
    let x = odd(x);
    match (halves(x), x.exponent) {
        (Some(halves), _) => Finite::zero(halves == 2),
        (None, -2) => Finite::new(x.significand & 3 == 3, 1, 0),
        _ => decided(|bits| {
            let (sin, cos) = sin_cos_pi(x, bits)?;
            sin.over(&cos, bits)
        }),
    }
}

/// The enclosure of arcsin x for 0 < x ≤ 1.
fn arc_sin_enclosure(x: Finite, bits: u64) -> Option<Ball> {
    let x = Ball::exact(x);
    let one = Ball::integer(1);
    let square = one.minus(&x, bits).times(&one.plus(&x, bits), bits);
    x.over(&square.root(bits)?, bits)?.arc_tan(bits)
}

fn is_one(x: Finite) -> bool {
    let x = odd(x);
    (x.significand, x.exponent) == (1, 0)
}

fn arc_sin(x: Finite) -> Finite {
    match () {
        () if tiny(x) => just_beside(x, true),
        () if is_one(x) => decided(|bits| Some(pi(bits).scaled(-1))),
        () => decided(|bits| arc_sin_enclosure(x, bits)),
    }
}

fn arc_sin_pi(x: Finite) -> Finite {
    if is_one(x) {
        return HALF;
    }
    decided(|bits| arc_sin_enclosure(x, bits)?.over(&pi(bits), bits))
}

/// 2 arctan √((1 − x)/(1 + x)), for −1 < x < 1.
fn arc_cos_enclosure(x: Finite, bits: u64) -> Option<Ball> {
    let (x, one) = (Ball::exact(x), Ball::integer(1));
    let ratio = one.minus(&x, bits).over(&one.plus(&x, bits), bits)?;
    Some(ratio.root(bits)?.arc_tan(bits)?.scaled(1))
}

/// arccos x, for x ≠ 1.
fn arc_cos(x: Finite) -> Finite {
    if x.negative && is_one(x) {
        return decided(|bits| Some(pi(bits)));
    }
    decided(|bits| arc_cos_enclosure(x, bits))
}

/// ½ − x/π − …
fn arc_cos_pi(x: Finite) -> Finite {
    match () {
        () if x.is_zero() => HALF,
        () if is_one(x) => ONE,
        () if x.log2_floor() < -130 => just_beside(HALF, x.negative),
        () => decided(|bits| arc_cos_enclosure(x, bits)?.over(&pi(bits), bits)),
    }
}

fn arc_tan(x: Finite) -> Finite {
    if tiny(x) {
        return just_beside(x, false);
    }
    decided(|bits| Ball::exact(x).arc_tan(bits))
}

/// ½ − 1/(πx) + …
fn arc_tan_pi(x: Finite) -> Finite {
    match () {
        () if is_one(x) => Finite::new(false, 1, -2),
        () if x.log2_floor() > 130 => just_beside(HALF, false),
        () => decided(|bits| Ball::exact(x).arc_tan(bits)?.over(&pi(bits), bits)),
    }
}

/// e^x and e^−x.
fn powers(x: Finite, bits: u64) -> Option<(Ball, Ball)> {
    let power = Ball::exact(x).exp(bits)?;
    let reciprocal = Ball::integer(1).over(&power, bits)?;
    Some((power, reciprocal))
}

fn sinh(x: Finite) -> Finite {
    match x.log2_floor() {
        _ if tiny(x) => just_beside(x, true),
        magnitude if magnitude >= LIMIT as i64 => beyond(false),
        magnitude => decided(|bits| {
            let bits = bits + 2 * cancelled(magnitude);
            let (up, down) = powers(x, bits)?;
            Some(up.minus(&down, bits).scaled(-1))
        }),
    }
}

fn cosh(x: Finite) -> Finite {
    match x.log2_floor() {
        _ if tiny(x) => just_beside(ONE, true),
        magnitude if magnitude >= LIMIT as i64 => beyond(false),
        _ => decided(|bits| {
            let (up, down) = powers(x, bits)?;
            Some(up.plus(&down, bits).scaled(-1))
        }),
    }
}

/// Below 1 by 2 e^(−2x).
fn tanh(x: Finite) -> Finite {
    match x.log2_floor() {
        _ if tiny(x) => just_beside(x, false),
        7.. => just_beside(ONE, false),
        magnitude => decided(|bits| {
            let bits = bits + 2 * cancelled(magnitude);
            let (up, down) = powers(x, bits)?;
            up.minus(&down, bits).over(&up.plus(&down, bits), bits)
        }),
    }
}

/// ln(1 + x + x²/(1 + √(1 + x²))).
fn arc_sinh(x: Finite) -> Finite {
    if tiny(x) {
        return just_beside(x, false);
    }
    decided(|bits| {
        let (x, one) = (Ball::exact(x), Ball::integer(1));
        let square = x.times(&x, bits);
        let more = one.plus(&square, bits).root(bits)?.plus(&one, bits);
        x.plus(&square.over(&more, bits)?, bits).log_one_plus(bits)
    })
}

/// Half of ln((1 + x)/(1 − x)), for x < 1.
fn arc_tanh(x: Finite) -> Finite {
    match x.log2_floor() {
        _ if tiny(x) => just_beside(x, true),
        ..-2 => decided(|bits| Ball::exact(x).artanh_of_small(bits)),
        _ => decided(|bits| {
            let (x, one) = (Ball::exact(x), Ball::integer(1));
            let ratio = one.plus(&x, bits).over(&one.minus(&x, bits), bits)?;
            Some(ratio.log(bits)?.scaled(-1))
        }),
    }
}

/// x + e^−x − … for large x, and ln(1 + e^x) for others: e^x − e^(2x)/2 + … far below 0.
fn softplus(x: Finite) -> Finite {
    match x.log2_floor() {
        _ if x.is_zero() => decided(|bits| Some(super::ball::ln_2(bits))),
        7.. if !x.negative => just_beside(x, true),
        magnitude if magnitude >= LIMIT as i64 => beyond(true),
        _ => decided(|bits| Ball::exact(x).exp(bits)?.log_one_plus(bits)),
    }
}

/// arctan(y/x) in the quadrant of (x, y), in (−π, π]. x and y are not both 0, and y ≠ 0 if x is positive.
pub(crate) fn arc_tan2(y: Finite, x: Finite) -> Finite {
    let [above, right] = [y, x].map(|v| Finite { negative: false, ..v });
    let signed = |value: Finite| Finite { negative: y.negative, ..value };
    if y.is_zero() {
        return decided(|bits| Some(pi(bits)));
    }
    if x.is_zero() {
        return signed(decided(|bits| Some(pi(bits).scaled(-1))));
    }
    let ratio = crate::exact::divide(above, right);
    if !x.negative && ratio.log2_floor() < -100 {
        return signed(below_quotient(ratio));
    }
    signed(decided(|bits| {
        let angle = Ball::exact(above).over(&Ball::exact(right), bits)?.arc_tan(bits)?;
        Some(if x.negative { pi(bits).minus(&angle, bits) } else { angle })
    }))
}

/// r − r³/3 for r < 2^−100, which is below r by less than 2^−200 of it. If r is not a binary fraction, it is a quotient
/// of two significands below 2^62. Then it exceeds its 126 bits by at least 2^−62 of the last one.
fn below_quotient(ratio: Finite) -> Finite {
    if ratio.sticky { ratio } else { just_beside(odd(ratio), false) }
}

/// [`arc_tan2`] divided by π. Its distance from 1, ½ and 0 is about the ratio over π if that is small.
pub(crate) fn arc_tan2_pi(y: Finite, x: Finite) -> Finite {
    let [above, right] = [y, x].map(|v| Finite { negative: false, ..v });
    let signed = |value: Finite| Finite { negative: y.negative, ..value };
    if y.is_zero() {
        return ONE;
    }
    if x.is_zero() {
        return signed(HALF);
    }
    if odd(above).significand == odd(right).significand && odd(above).exponent == odd(right).exponent {
        return signed(Finite::new(false, if x.negative { 3 } else { 1 }, -2));
    }
    let magnitude = above.log2_floor() - right.log2_floor();
    signed(match magnitude {
        ..-135 if x.negative => just_beside(ONE, false),
        135.. => just_beside(HALF, x.negative),
        _ => decided(|bits| {
            let angle = Ball::exact(above).over(&Ball::exact(right), bits)?.arc_tan(bits)?;
            let turn = angle.over(&pi(bits), bits)?;
            Some(if x.negative { Ball::integer(1).minus(&turn, bits) } else { turn })
        }),
    })
}
