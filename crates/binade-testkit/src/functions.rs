//! The functions of P3109 4.0 §4.10.9 to §4.10.16 by comparison: is f(x) above a point p?
//!
//! An inverse function is never computed: arcsin x > p iff x > sin p, and so on. That leaves enclosures of e^x and of
//! cosines, compared with more and more bits. Near 0 it leaves inequalities from the alternating series, which need no
//! enclosure.

use crate::dyadic::{Dyadic, Interval};
use crate::elementary::{Function as Known, HUGE};
use num_bigint::BigInt;
use num_traits::{One, Zero};
use std::cmp::Ordering;

/// |f(x)| (or the angle of y and x), if that is not a binary fraction.
#[derive(Clone, Debug)]
pub struct Transcendental {
    name: &'static str,
    /// The argument, or the point's first coordinate.
    x: Dyadic,
    /// The point's second coordinate.
    y: Dyadic,
}

/// The names of the functions of one operand.
pub const NAMES: [&str; 21] = [
    "log_one_plus",
    "exp_minus_one",
    "sin",
    "cos",
    "tan",
    "arc_sin",
    "arc_cos",
    "arc_tan",
    "sinh",
    "cosh",
    "tanh",
    "arc_sinh",
    "arc_cosh",
    "arc_tanh",
    "sin_pi",
    "cos_pi",
    "tan_pi",
    "arc_sin_pi",
    "arc_cos_pi",
    "arc_tan_pi",
    "softplus",
];

fn number(n: i64) -> Dyadic {
    Dyadic::new(n, 0)
}

fn point(x: &Dyadic) -> Interval {
    Interval { low: x.clone(), high: x.clone() }
}

fn minus(a: &Interval, b: &Interval) -> Interval {
    a.plus(&b.negated())
}

/// The sign of a nonzero number, by enclosures of it.
fn sign(enclose: impl Fn(i64) -> Interval) -> Ordering {
    let mut bits = 64;
    loop {
        let Interval { low, high } = enclose(bits);
        if low > Dyadic::zero() {
            return Ordering::Greater;
        }
        if high.is_negative() {
            return Ordering::Less;
        }
        bits *= 2;
    }
}

/// Gauss: π = 48 arctan(1/18) + 32 arctan(1/57) − 20 arctan(1/239).
fn pi(bits: i64) -> Interval {
    use std::cell::RefCell;
    thread_local! {
        static KNOWN: RefCell<(i64, BigInt)> = RefCell::new((0, BigInt::zero()));
    }
    KNOWN.with_borrow_mut(|(places, floor)| {
        if *places < bits {
            *places = bits + bits / 2 + 64;
            let w = *places + 40;
            let arctan = |n: u64| {
                let (mut power, mut sum, mut k) = ((BigInt::one() << w) / n, BigInt::zero(), 0u64);
                while !power.is_zero() {
                    let term = &power / (2 * k + 1);
                    if k % 2 == 0 {
                        sum += term
                    } else {
                        sum -= term
                    }
                    power /= n * n;
                    k += 1;
                }
                sum
            };
            // About w/8 terms in each series, each with an error of less than 2: 2^40 units are a hundred times that.
            *floor = (arctan(18) * 48 + arctan(57) * 32 - arctan(239) * 20) >> 40;
        }
        Interval::around(floor, 3, *places)
    })
}

/// cos of all numbers in `x`, to about `bits` places.
/// cos x = cos r with r = x − 2πk, and cos r follows from cos(r/2^j) by cos 2t = 2 cos² t − 1. That multiplies an error
/// by less than 4 + 1. In units of 2^−w, each term of the series has an error of less than 3, and the remainder is
/// below 1.
fn cos(x: &Interval, bits: i64) -> Interval {
    const J: i64 = 8;
    let size = x.high.abs().max(x.low.abs()).exponent_or_zero().max(0);
    let w = bits + 3 * J + 24;
    let places = w + size + 8;
    let (low, high) = (x.low.fixed_floor(places), x.high.fixed_ceil(places));
    let turn = pi(places).low.scaled(1).fixed_floor(places);
    let k: BigInt = &low / &turn;
    // |k| < 2^size, and the error of 2π is below 8 units.
    let off: BigInt = (&high - &low) + BigInt::from(8) * (BigInt::one() << size) + 8;
    let r = (low - k * turn) >> (places - w + J);
    let off = (off >> (places - w + J)) + 2;
    let square = (&r * &r) >> w;
    let (mut term, mut sum, mut n) = (BigInt::one() << w, BigInt::zero(), 0u64);
    while !term.is_zero() && term != -BigInt::one() {
        sum += &term;
        term = -((term * &square) >> w) / ((2 * n + 1) * (2 * n + 2));
        n += 1;
    }
    // cos' is at most 1.
    let mut error: BigInt = BigInt::from(4 * n + 8) + off;
    for _ in 0..J {
        // 2(c + e)² − 1 = 2c² − 1 + (4c + 2e)e, |c| ≤ 1 + e, and a floor.
        error = &error * 4 + ((&error * &error * 6) >> w) + 4;
        sum = ((&sum * &sum) >> (w - 1)) - (BigInt::one() << w);
    }
    Interval { low: Dyadic::new(&sum - &error, -w), high: Dyadic::new(sum + error, -w) }
}

/// The last computed pair, by argument, unit (turns or not) and bits. A function of a large argument is compared many
/// times.
struct Remembered {
    x: Dyadic,
    turns: bool,
    bits: i64,
    pair: (Interval, Interval),
}

fn remembered(
    x: &Dyadic,
    turns: bool,
    bits: i64,
    compute: impl FnOnce() -> (Interval, Interval),
) -> (Interval, Interval) {
    use std::cell::RefCell;
    thread_local! {
        static LAST: RefCell<Option<Remembered>> = const { RefCell::new(None) };
    }
    LAST.with_borrow_mut(|last| match last {
        Some(last) if last.turns == turns && last.bits >= bits && last.x == *x => last.pair.clone(),
        _ => {
            let pair = compute();
            *last = Some(Remembered { x: x.clone(), turns, bits, pair: pair.clone() });
            pair
        }
    })
}

fn sin_cos(x: &Dyadic, bits: i64) -> (Interval, Interval) {
    remembered(x, false, bits, || {
        let quarter = pi(bits + 8).times(&Dyadic::power(-1));
        (cos(&minus(&point(x), &quarter), bits), cos(&point(x), bits))
    })
}

/// sin πx and cos πx, exact if x is a multiple of ½.
fn sin_cos_pi(x: &Dyadic, bits: i64) -> (Interval, Interval) {
    let periods = x.scaled(-1).fixed_floor(0);
    let x = x - &Dyadic::new(periods * 2, 0);
    if let Some(halves) = x.scaled(1).as_integer() {
        let at = |n: i64| point(&number(n));
        return match i64::try_from(halves).unwrap_or(0) {
            0 => (at(0), at(1)),
            1 => (at(1), at(0)),
            2 => (at(0), at(-1)),
            _ => (at(-1), at(0)),
        };
    }
    remembered(&x, true, bits, || {
        let pi = pi(bits + 8);
        let (angle, turned) = (pi.times(&x), pi.times(&(&x - &Dyadic::power(-1))));
        (cos(&turned, bits), cos(&angle, bits))
    })
}

fn exp(x: &Dyadic, bits: i64) -> Interval {
    Known::Exp.enclose(x, bits)
}

/// x³ / 2^divisor_power.
fn cubed(x: &Dyadic, divisor_power: i64) -> Dyadic {
    (&(x * x) * x).scaled(-divisor_power)
}

/// Bounds of a value, both excluded, for 0 < x < ½; in units of `1/π` if the flag is set.
fn near_zero(name: &str, x: &Dyadic) -> Option<(Dyadic, Dyadic, bool)> {
    let square = x * x;
    let one = number(1);
    Some(match name {
        // x − x³/6 …, x − x³/3 …: above x − x³/2 and below x.
        "sin" | "tanh" | "arc_tan" | "arc_sinh" => (x - &cubed(x, 1), x.clone(), false),
        "tan" | "sinh" | "arc_sin" | "arc_tanh" => (x.clone(), x + &cubed(x, 0), false),
        "arc_sin_pi" => (x.clone(), x + &cubed(x, 0), true),
        "arc_tan_pi" => (x - &cubed(x, 1), x.clone(), true),
        "cos" => (&one - &square.scaled(-1), &one - &square.scaled(-2), false),
        "cosh" => (&one + &square.scaled(-1), &one + &square, false),
        _ => return None,
    })
}

impl Transcendental {
    /// `name` of x > 0 (or of any x if the function is neither odd nor even), or of the point (x, y) with y ≥ 0.
    pub fn new(name: &'static str, x: Dyadic, y: Dyadic) -> Transcendental {
        Transcendental { name, x, y }
    }

    /// Compares |f(x)| with p > 0.
    pub fn compare(&self, p: &Dyadic) -> Ordering {
        let x = &self.x;
        if !x.is_negative() && !x.is_zero() && *x < Dyadic::power(-1) {
            match near_zero(self.name, x) {
                Some((low, _, false)) if *p <= low => return Ordering::Greater,
                Some((_, high, false)) if *p >= high => return Ordering::Less,
                Some((low, high, true)) => {
                    let scaled = pi(192).times(p);
                    if scaled.high <= low {
                        return Ordering::Greater;
                    }
                    if scaled.low >= high {
                        return Ordering::Less;
                    }
                }
                _ => {}
            }
        }
        self.compare_by_enclosures(p)
    }

    fn compare_by_enclosures(&self, p: &Dyadic) -> Ordering {
        let x = &self.x;
        let (one, half) = (number(1), Dyadic::power(-1));
        let at = point(p);
        // Compares a multiple of π, by its log2, with p.
        let pi_above = |power: i64| sign(|bits| minus(&pi(bits).times(&Dyadic::power(power)), &at)).is_gt();
        let huge = p.abs() >= Dyadic::new(HUGE / 4, 0);
        let magnitude = |f: &dyn Fn(i64) -> Interval| {
            let negative = sign(f).is_lt();
            sign(|bits| minus(&if negative { f(bits).negated() } else { f(bits) }, &at))
        };
        match self.name {
            "sin" => magnitude(&|bits| sin_cos(x, bits).0),
            "cos" => magnitude(&|bits| sin_cos(x, bits).1),
            "sin_pi" if *x < Dyadic::power(-3) => {
                // Above y − y³/6 and below y, for y = πx.
                let low = &pi(192).low * x;
                let high = &pi(192).high * x;
                if *p <= &low - &cubed(&high, 2) {
                    Ordering::Greater
                } else if *p >= high {
                    Ordering::Less
                } else {
                    magnitude(&|bits| sin_cos_pi(x, bits).0)
                }
            }
            "sin_pi" => magnitude(&|bits| sin_cos_pi(x, bits).0),
            "cos_pi" if *x < Dyadic::power(-3) && *p >= one => Ordering::Less,
            // 1 − y²/2 with y < 4x.
            "cos_pi" if *x < Dyadic::power(-3) && *p <= &one - &(x * x).scaled(3) => Ordering::Greater,
            "cos_pi" => magnitude(&|bits| sin_cos_pi(x, bits).1),
            "tan" => above_tangent(p, |bits| sin_cos(x, bits)),
            "tan_pi" if *x < Dyadic::power(-3) => {
                let (low, high) = (&pi(192).low * x, &pi(192).high * x);
                if *p <= low {
                    Ordering::Greater
                } else if *p >= &high + &cubed(&high, 0) {
                    Ordering::Less
                } else {
                    above_tangent(p, |bits| sin_cos_pi(x, bits))
                }
            }
            "tan_pi" => above_tangent(p, |bits| sin_cos_pi(x, bits)),
            "arc_sin" if *x == one => {
                if pi_above(-1) {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            "arc_sin" if !pi_above(-1) => Ordering::Less,
            "arc_sin" => sign(|bits| minus(&point(x), &sin_cos(p, bits).0)),
            "arc_cos" if !pi_above(0) => Ordering::Less,
            "arc_cos" if *x == -&one => Ordering::Greater,
            "arc_cos" => sign(|bits| minus(&sin_cos(p, bits).1, &point(x))),
            "arc_tan" if !pi_above(-1) => Ordering::Less,
            "arc_tan" => sign(|bits| {
                let (sin, cos) = sin_cos(p, bits);
                minus(&cos.times(x), &sin)
            }),
            "arc_sin_pi" | "arc_tan_pi" if *p >= half => Ordering::Less,
            "arc_sin_pi" => sign(|bits| minus(&point(x), &sin_cos_pi(p, bits).0)),
            "arc_tan_pi" => sign(|bits| {
                let (sin, cos) = sin_cos_pi(p, bits);
                minus(&cos.times(x), &sin)
            }),
            "arc_cos_pi" if *p >= one => Ordering::Less,
            "arc_cos_pi" => sign(|bits| minus(&sin_cos_pi(p, bits).1, &point(x))),
            "exp_minus_one" if x.is_negative() => {
                let t = -x;
                match () {
                    () if *p >= one || *p >= t => Ordering::Less,
                    () if t >= number(512) || *p <= &t - &(&t * &t).scaled(-1) => Ordering::Greater,
                    () => sign(|bits| minus(&point(&(&one - p)), &exp(x, bits))),
                }
            }
            "exp_minus_one" if *p <= x + &(x * x).scaled(-1) => Ordering::Greater,
            "exp_minus_one" if *x < one && *p >= x + &(x * x) => Ordering::Less,
            "exp_minus_one" => sign(|bits| minus(&exp(x, bits), &point(&(&one + p)))),
            "log_one_plus" if huge => Ordering::Less,
            "log_one_plus" if x.is_negative() => {
                let t = -x;
                match () {
                    () if *p <= t => Ordering::Greater,
                    () if t < half && *p >= &t + &(&t * &t) => Ordering::Less,
                    () => sign(|bits| minus(&exp(&-p, bits), &point(&(&one - &t)))),
                }
            }
            "log_one_plus" if *p >= *x => Ordering::Less,
            "log_one_plus" if *x < one && *p <= x - &(x * x).scaled(-1) => Ordering::Greater,
            "log_one_plus" => sign(|bits| minus(&point(&(&one + x)), &exp(p, bits))),
            "sinh" => sign(|bits| minus(&minus(&exp(x, bits), &exp(&-x, bits)).times(&half), &at)),
            "cosh" => sign(|bits| minus(&exp(x, bits).plus(&exp(&-x, bits)).times(&half), &at)),
            "tanh" if *p >= one => Ordering::Less,
            // Above 1 − 2 e^−1024, beyond which no point has bits.
            "tanh" if *x >= number(512) => Ordering::Greater,
            "tanh" => sign(|bits| minus(&exp(&x.scaled(1), bits).times(&(&one - p)), &point(&(&one + p)))),
            "arc_sinh" | "arc_cosh" | "arc_tanh" if huge => Ordering::Less,
            "arc_sinh" => sign(|bits| minus(&point(x), &minus(&exp(p, bits), &exp(&-p, bits)).times(&half))),
            "arc_cosh" => sign(|bits| minus(&point(x), &exp(p, bits).plus(&exp(&-p, bits)).times(&half))),
            "arc_tanh" => sign(|bits| exp(&p.scaled(1), bits).times(&(x - &one)).plus(&point(&(x + &one)))),
            "softplus" if *x >= number(512) => {
                if *p <= *x {
                    Ordering::Greater
                } else {
                    Ordering::Less
                }
            }
            "softplus" if huge || x.is_negative() && *p >= number(1) => Ordering::Less,
            "softplus" if x.is_negative() => {
                // With t = e^x: above t − t²/2 and below t.
                let t = exp(x, 192);
                let least = &t.low - &(&t.high * &t.high).scaled(-1);
                match () {
                    () if *p <= least => Ordering::Greater,
                    () if *p >= t.high => Ordering::Less,
                    () => sign(|bits| minus(&point(&one).plus(&exp(x, bits)), &exp(p, bits))),
                }
            }
            "softplus" => sign(|bits| minus(&point(&one).plus(&exp(x, bits)), &exp(p, bits))),
            "arc_tan2" | "arc_tan2_pi" => self.angle_above(p),
            // Every name that can be constructed is above.
            _ => Ordering::Less,
        }
    }

    /// True if the angle of (x, y), in (0, π], is above p, or above πp. For p < π that is so if the point is to the
    /// left of the ray of that angle.
    fn angle_above(&self, p: &Dyadic) -> Ordering {
        let (x, y) = (&self.x, &self.y);
        let turns = self.name == "arc_tan2_pi";
        let past = match turns {
            true => *p >= number(1),
            false => sign(|bits| minus(&pi(bits), &point(p))).is_lt(),
        };
        if past {
            return Ordering::Less;
        }
        if y.is_zero() {
            return Ordering::Greater;
        }
        // q − q³/3 < arctan q < q for q = y/x: to compare with p, compare q's bounds with p x³ and p x.
        if !x.is_negative() && *y < x.scaled(-2) {
            let scaled = if turns { pi(192).times(p) } else { point(p) };
            if &scaled.low * x >= *y {
                return Ordering::Less;
            }
            let square = x * x;
            if &(&scaled.high * &square) * x <= y * &(&square - &(y * y)) {
                return Ordering::Greater;
            }
        }
        sign(|bits| {
            let (sin, cos) = if turns { sin_cos_pi(p, bits) } else { sin_cos(p, bits) };
            minus(&cos.times(y), &sin.times(x))
        })
    }

    /// The sign of sin x, cos x, tan x, sin πx, cos πx or tan πx, for x > 0; in the latter three x is not a multiple of
    /// ½.
    pub fn is_negative(name: &str, x: &Dyadic) -> bool {
        let signs = |pair: &dyn Fn(i64) -> (Interval, Interval)| {
            (sign(|bits| pair(bits).0).is_lt(), sign(|bits| pair(bits).1).is_lt())
        };
        // There neither changes its sign.
        if *x < Dyadic::power(-2) {
            return false;
        }
        let (sin, cos) = match name.ends_with("_pi") {
            true => signs(&|bits| sin_cos_pi(x, bits)),
            false => signs(&|bits| sin_cos(x, bits)),
        };
        match name {
            "sin" | "sin_pi" => sin,
            "cos" | "cos_pi" => cos,
            _ => sin != cos,
        }
    }
}

/// True if |sin x| or |cos x| is above p.
fn above_tangent(p: &Dyadic, pair: impl Fn(i64) -> (Interval, Interval)) -> Ordering {
    let (sin_negative, cos_negative) = (sign(|bits| pair(bits).0).is_lt(), sign(|bits| pair(bits).1).is_lt());
    sign(|bits| {
        let (sin, cos) = pair(bits);
        let sin = if sin_negative { sin.negated() } else { sin };
        let cos = if cos_negative { cos.negated() } else { cos };
        minus(&sin, &cos.times(p))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first 20 digits of values in tables, as lower and upper bounds in units of 10^−20.
    #[test]
    fn functions_of_known_arguments_are_enclosed() {
        let cases: [(&'static str, i64, i64, &str); 12] = [
            ("sin", 1, 0, "84147098480789650665"),
            ("cos", 1, 0, "54030230586813971740"),
            ("tan", 1, 0, "155740772465490223050"),
            ("sin", 100, 0, "50636564110975879365"),
            ("arc_sin", 1, -1, "52359877559829887307"),
            ("arc_tan", 1, 0, "78539816339744830961"),
            ("sinh", 1, 0, "117520119364380145688"),
            ("tanh", 1, 0, "76159415595576488811"),
            ("arc_sinh", 1, 0, "88137358701954302523"),
            ("softplus", 0, 0, "69314718055994530941"),
            ("sin_pi", 1, -2, "70710678118654752440"),
            ("arc_tan_pi", 2, 0, "35241638234956672582"),
        ];
        for (name, mantissa, exponent, digits) in cases {
            let value = Transcendental::new(name, Dyadic::new(mantissa, exponent), Dyadic::zero());
            let digits: BigInt = digits.parse().unwrap();
            // Bounds within 2^−80 of the decimal fractions.
            let near = |n: BigInt| Dyadic::new((n << 100) / BigInt::from(10u32).pow(20), -100);
            assert_eq!(value.compare(&near(digits.clone() - 1)), Ordering::Greater, "{name}");
            assert_eq!(value.compare(&near(digits + 2)), Ordering::Less, "{name}");
        }
    }
}
