//! Ball arithmetic: real numbers enclosed by a binary midpoint of any length, and a radius.
//!
//! Every operation encloses all results for numbers in its operands, and keeps about `bits` bits of the midpoint.
//! Callers rely on nothing else: a wide ball costs another round with more bits, never a wrong result.

use alloc::boxed::Box;

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{CheckedSub, Signed, Zero};
use once_cell::race::OnceBox;

use crate::exact::Finite;

/// A number within `radius` · 2^exponent of `middle` · 2^exponent.
#[derive(Clone, Debug)]
pub(super) struct Ball {
    middle: BigInt,
    radius: u64,
    exponent: i64,
}

/// Maximum number of bits of a radius; shortening changes it by a factor of at most 1 + 2^−29.
const RADIUS_BITS: u64 = 30;

impl Ball {
    pub(super) fn integer(n: i64) -> Ball {
        Ball { middle: n.into(), radius: 0, exponent: 0 }
    }

    /// An exact value.
    pub(super) fn exact(x: Finite) -> Ball {
        let sign = if x.negative { Sign::Minus } else { Sign::Plus };
        let middle = BigInt::from_biguint(sign, x.significand.into());
        Ball { middle, radius: 0, exponent: x.exponent }
    }

    /// A ball shortened to `bits` bits, with the radius shortened to [`RADIUS_BITS`]. The floor of the midpoint moves
    /// it by less than 1, and so does that of the radius.
    fn new(middle: BigInt, radius: BigUint, exponent: i64, bits: u64) -> Ball {
        let excess = (middle.bits().saturating_sub(bits)).max(radius.bits().saturating_sub(RADIUS_BITS));
        let shorter: BigUint = if excess > 0 { (radius >> excess) + 2u32 } else { radius };
        let radius = shorter.iter_u64_digits().next().unwrap_or(0);
        Ball { middle: middle >> excess, radius, exponent: exponent + excess as i64 }
    }

    /// An exponent such that 2^`top` is above the magnitude of every number in the ball.
    fn top(&self) -> i64 {
        self.exponent + self.middle.bits().max(64 - self.radius.leading_zeros() as u64) as i64 + 1
    }

    pub(super) fn scaled(self, power: i64) -> Ball {
        Ball { exponent: self.exponent + power, ..self }
    }

    pub(super) fn negated(self) -> Ball {
        Ball { middle: -self.middle, ..self }
    }

    /// The midpoint and the radius in units of 2^unit. Floors move the midpoint by less than 1, which the radius
    /// includes.
    fn in_units(&self, unit: i64) -> (BigInt, BigUint) {
        let up = self.exponent - unit;
        let radius = BigUint::from(self.radius);
        match up {
            0.. => (&self.middle << up, radius << up),
            _ => (&self.middle >> -up, (radius >> -up) + 2u32),
        }
    }

    pub(super) fn plus(&self, other: &Ball, bits: u64) -> Ball {
        let zero = |ball: &Ball| ball.middle.is_zero() && ball.radius == 0;
        if zero(self) || zero(other) {
            return if zero(self) { other.clone() } else { self.clone() };
        }
        // A unit far enough below the greater operand; the result is exact if both are multiples of it.
        let top = self.top().max(other.top());
        let unit = (top - bits as i64 - 8).max(self.exponent.min(other.exponent));
        let ((a, e), (b, f)) = (self.in_units(unit), other.in_units(unit));
        Ball::new(a + b, e + f, unit, bits)
    }

    pub(super) fn minus(&self, other: &Ball, bits: u64) -> Ball {
        self.plus(&other.clone().negated(), bits)
    }

    pub(super) fn times(&self, other: &Ball, bits: u64) -> Ball {
        let (a, b) = (self.middle.magnitude(), other.middle.magnitude());
        let radius = a * other.radius + b * self.radius + BigUint::from(self.radius) * other.radius;
        Ball::new(&self.middle * &other.middle, radius, self.exponent + other.exponent, bits)
    }

    /// The quotient; `None` if the divisor may be zero.
    ///
    /// With |a − x| ≤ e, |b − y| ≤ f and q = a/b: |x/y − q| ≤ (e + |q| f)/(|b| − f).
    pub(super) fn over(&self, divisor: &Ball, bits: u64) -> Option<Ball> {
        let b = divisor.middle.magnitude();
        let least = b.checked_sub(&divisor.radius.into()).filter(|least| !least.is_zero())?;
        let up = (bits + 8 + b.bits()).saturating_sub(self.middle.bits());
        let quotient = (&self.middle << up) / &divisor.middle;
        let moved = (BigUint::from(self.radius) << up) + (quotient.magnitude() + 1u32) * divisor.radius;
        let radius = moved / least + 2u32;
        Some(Ball::new(quotient, radius, self.exponent - divisor.exponent - up as i64, bits))
    }

    /// The square root; `None` if the ball contains negative numbers.
    pub(super) fn root(&self, bits: u64) -> Option<Ball> {
        let (low, high) = (&self.middle - self.radius, &self.middle + self.radius);
        let mut up = (2 * bits + 8).saturating_sub(self.middle.bits());
        up += (self.exponent - up as i64).rem_euclid(2) as u64;
        let root = |x: BigInt| -> Option<BigInt> { (!x.is_negative()).then(|| (x << up).sqrt()) };
        let (low, high) = (root(low)?, root(high)? + 1u32);
        let radius = (&high - &low).magnitude().clone();
        Some(Ball::new(low, radius, (self.exponent - up as i64) / 2, bits))
    }

    /// The leading `bits` bits of a number that is not a binary fraction; `None` if they are not the same in the whole
    /// ball.
    pub(super) fn truncated(&self, bits: u32) -> Option<Finite> {
        let negative = self.middle.is_negative();
        let low = self.middle.magnitude().checked_sub(&self.radius.into())?;
        let high = self.middle.magnitude() + self.radius;
        let down = high.bits().checked_sub(bits as u64)?;
        let (low, high) = (low >> down, high >> down);
        let mut words = high.iter_u64_digits().map(u128::from);
        let significand = words.next().unwrap_or(0) | words.next().unwrap_or(0) << 64;
        let exponent = self.exponent + down as i64;
        (low == high).then_some(Finite { negative, significand, exponent, sticky: true })
    }

    /// e^x for |x| < 2^41; `None` if the ball is wider than 1.
    ///
    /// x = k ln 2 + 2^s t with 0 ≤ 2^s t < 0.7, in units of 2^−w. x is a floor, k ln 2 has an error of 2 |k|, and t is
    /// a floor. So 2^s t has an error of d < 2^s + 2 + 2 |k| units, and e^(2^s t) one of less than 2d. A term of the
    /// series for e^t is low by less than 3 units, and the remainder after the last one is below 1. A radius ρ ≤ ½
    /// gives a factor within 1 ± 2ρ.
    pub(super) fn exp(&self, bits: u64) -> Option<Ball> {
        if self.top() > 42 {
            return None;
        }
        let s = 8 + bits / 64;
        let w = bits as i64 + 64;
        let (x, radius) = self.in_units(-w);
        if radius.bits() as i64 > w - 1 {
            return None;
        }
        let (ln_2, _) = ln_2(w as u64).in_units(-w);
        let k = x.magnitude() / ln_2.magnitude();
        let k = if x.is_negative() { -BigInt::from(k) - 1 } else { BigInt::from(k) };
        let t = (x - &k * &ln_2) >> s;
        let one = BigInt::from(1) << w;
        let (mut term, mut sum, mut n) = (one.clone(), BigInt::zero(), 0u64);
        while !term.is_zero() {
            sum += &term;
            n += 1;
            term = ((term * &t) >> w) / n;
        }
        let mut power = Ball::new(sum, (3 * n + 2).into(), -w, w as u64);
        for _ in 0..s {
            power = power.times(&power, w as u64);
        }
        let off = (BigUint::from(1u32) << s) + 2u32 + k.magnitude() * 2u32 + radius;
        let factor = Ball::new(one, off * 2u32, -w, w as u64);
        Some(power.times(&factor, bits).scaled(i64::try_from(k).ok()?))
    }

    /// ln x; `None` if x may not be positive. It is ln 2^k + 2 artanh((m − 1)/(m + 1)) with ½ ≤ m < 2.
    pub(super) fn log(&self, bits: u64) -> Option<Ball> {
        let k = self.exponent + self.middle.bits() as i64;
        let m = self.clone().scaled(-k);
        let one = Ball::integer(1);
        // ¾ or more is closer to 1 than to ½.
        let (k, m) =
            if &m.middle << 2 >= BigInt::from(3) << m.middle.bits() { (k, m) } else { (k - 1, m.scaled(1)) };
        if !m.middle.is_positive() {
            return None;
        }
        let z = m.minus(&one, bits).over(&m.plus(&one, bits), bits)?;
        Some(z.artanh_of_small(bits)?.scaled(1).plus(&ln_2(bits + 64).times(&Ball::integer(k), bits), bits))
    }

    /// ln(1 + x), with full relative precision for small x; `None` if 1 + x may not be positive.
    pub(super) fn log_one_plus(&self, bits: u64) -> Option<Ball> {
        if self.top() > -1 {
            return self.plus(&Ball::integer(1), bits).log(bits);
        }
        let z = self.over(&self.plus(&Ball::integer(2), bits), bits)?;
        Some(z.artanh_of_small(bits)?.scaled(1))
    }

    /// artanh x for |x| < ½.
    pub(super) fn artanh_of_small(&self, bits: u64) -> Option<Ball> {
        self.odd_series(bits, false)
    }

    /// arctan x for x > 0: of the reciprocal if x > 1, then of x/(1 + √(1 + x²)) four times, which halves the result.
    pub(super) fn arc_tan(&self, bits: u64) -> Option<Ball> {
        let one = Ball::integer(1);
        if self.top() > 2 {
            let complement = one.over(self, bits)?.arc_tan(bits)?;
            return Some(pi(bits).scaled(-1).minus(&complement, bits));
        }
        let mut x = self.clone();
        for _ in 0..4 {
            let hypotenuse = x.times(&x, bits).plus(&one, bits).root(bits)?;
            x = x.over(&hypotenuse.plus(&one, bits), bits)?;
        }
        Some(x.odd_series(bits, true)?.scaled(4))
    }

    /// x (1 ± u/3 + u²/5 ± …) with u = x², for u ≤ ¼; with alternating signs arctan, otherwise artanh.
    ///
    /// In units of 2^−w, a power of u is low by less than 2, and a term by less than 3. The remainder after a power
    /// that is 0 is below 2. The derivative is below 1.
    fn odd_series(&self, bits: u64, alternating: bool) -> Option<Ball> {
        let w = bits as i64 + 16;
        let (u, off) = self.times(self, bits).in_units(-w);
        if u.is_negative() || (&u + BigInt::from(off.clone())).bits() as i64 > w - 2 {
            return None;
        }
        let (mut power, mut sum, mut n) = (BigInt::from(1) << w, BigInt::zero(), 0u64);
        while !power.is_zero() {
            let term = &power / (2 * n + 1);
            if alternating && n % 2 == 1 {
                sum -= term
            } else {
                sum += term
            }
            n += 1;
            power = (power * &u) >> w;
        }
        Some(self.times(&Ball::new(sum, off + 3 * n + 4u32, -w, w as u64), bits))
    }

    /// sin r and cos r for |r| < 1, if the radius is below 1 too: r (1 − u/3! + …) and 1 − u/2! + …, with u = r².
    ///
    /// In units of 2^−w, a term has an error of less than 3, and the remainder is below 2; the derivatives are below 1.
    pub(super) fn sin_cos(&self, bits: u64) -> Option<(Ball, Ball)> {
        let w = bits as i64 + 16;
        let (u, off) = self.times(self, bits).in_units(-w);
        if u.is_negative() || (&u + BigInt::from(off.clone())).bits() as i64 > w {
            return None;
        }
        let series = |first: u64| {
            let (mut term, mut sum, mut n) = (BigInt::from(1) << w, BigInt::zero(), first);
            let mut terms = 0u64;
            while !term.is_zero() {
                if terms % 2 == 1 {
                    sum -= &term
                } else {
                    sum += &term
                }
                term = ((term * &u) >> w) / ((n + 1) * (n + 2));
                n += 2;
                terms += 1;
            }
            Ball::new(sum, &off + 3 * terms + 2u32, -w, w as u64)
        };
        Some((self.times(&series(1), bits), series(0)))
    }
}

/// n and r = x − n π/2 with |r| < 0.8, for exact x: n modulo 4.
///
/// With π/2 to W bits, n π/2 has an error of less than |n| of its units; |n| < 2^(E+1) if |x| < 2^E.
pub(super) fn reduced(x: Finite, bits: u64) -> (u8, Ball) {
    let top = x.log2_floor() + 1;
    if top < 0 {
        return (0, Ball::exact(x));
    }
    let places = bits as i64 + top + 16;
    let (half_pi, _) = pi(places as u64 + 8).scaled(-1).in_units(-places);
    let Ball { middle, .. } = Ball::exact(x);
    // x has its last bit at most 62 below its first.
    let x = match x.exponent + places {
        up @ 0.. => middle << up,
        down => middle >> -down,
    };
    let twice: BigInt = (&x << 1) + &half_pi;
    let n = floor_quotient(&twice, &(&half_pi << 1));
    let rest = x - &n * &half_pi;
    let off = (n.magnitude() + 1u32) * 4u32;
    let quadrant = (&n & BigInt::from(3)).iter_u64_digits().next().unwrap_or(0) as u8;
    (quadrant, Ball::new(rest, off, -places, bits))
}

fn floor_quotient(a: &BigInt, b: &BigInt) -> BigInt {
    let (quotient, rest) = (a / b, a % b);
    if rest.is_negative() { quotient - 1 } else { quotient }
}

/// A constant to any number of places; computed lengths are kept.
struct Constant {
    /// The constant in units of 2^−places of each of [`PLACES`], low by less than 2.
    known: [OnceBox<BigInt>; LEVELS],
    /// Computes the constant in units of 2^−places, with an error of less than 2^40.
    compute: fn(u64) -> BigInt,
}

/// Number of lengths of a constant that are kept.
const LEVELS: usize = 32;

/// Their places, each a quarter more than the one before.
const PLACES: [u64; LEVELS] = {
    let mut places = [128; LEVELS];
    let mut level = 1;
    while level < LEVELS {
        places[level] = places[level - 1] + places[level - 1] / 4;
        level += 1;
    }
    places
};

impl Constant {
    const fn new(compute: fn(u64) -> BigInt) -> Constant {
        Constant { known: [const { OnceBox::new() }; LEVELS], compute }
    }

    /// The constant to this number of places.
    fn ball(&self, places: u64) -> Ball {
        let to = |places: u64| -> BigInt { (self.compute)(places + 42) >> 42 };
        let middle = match PLACES.iter().position(|&kept| kept >= places) {
            Some(level) => {
                let kept = self.known[level].get_or_init(|| Box::new(to(PLACES[level])));
                kept >> (PLACES[level] - places)
            }
            None => to(places),
        };
        // The computation has an error of less than ¼, and each of two floors one of less than 1.
        Ball { middle, radius: 3, exponent: -(places as i64) }
    }
}

/// Machin: π = 16 arctan(1/5) − 4 arctan(1/239).
static PI: Constant =
    Constant::new(|w| reciprocal_series(5, w, true) * 16 - reciprocal_series(239, w, true) * 4);

/// ln 2 = 18 artanh(1/26) − 2 artanh(1/4801) + 8 artanh(1/8749).
static LN_2: Constant = Constant::new(|w| {
    reciprocal_series(26, w, false) * 18 - reciprocal_series(4801, w, false) * 2
        + reciprocal_series(8749, w, false) * 8
});

pub(super) fn pi(bits: u64) -> Ball {
    PI.ball(bits + 8)
}

pub(super) fn ln_2(bits: u64) -> Ball {
    LN_2.ball(bits + 8)
}

/// arctan(1/n) or artanh(1/n) in units of 2^−w. Each of the at most w/2 terms has an error of less than 2. So w < 2^34
/// keeps 24 times the sum within an error of 2^40.
fn reciprocal_series(n: u32, w: u64, alternating: bool) -> BigInt {
    let (mut power, mut sum, mut odd) = ((BigUint::from(1u32) << w) / n, BigInt::zero(), 1u32);
    while !power.is_zero() {
        let term = BigInt::from(&power / odd);
        if alternating && odd % 4 == 3 {
            sum -= term
        } else {
            sum += term
        }
        power /= n * n;
        odd += 2;
    }
    sum
}
