//! Exact real numbers of expressions: fractions over integers of any length, and enclosures of irrational numbers.

use std::cell::Cell;
use std::cmp::Ordering;

use binade::Value;
use num_bigint::{BigInt, Sign};

/// A number that cannot be computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    Wrong(String),
    /// The enclosures are too wide to decide.
    Undecided,
}

impl From<String> for Fault {
    fn from(message: String) -> Fault {
        Fault::Wrong(message)
    }
}

fn wrong<T>(message: &str) -> Result<T, Fault> {
    Err(Fault::Wrong(message.to_owned()))
}

type Result<T, E = Fault> = std::result::Result<T, E>;

/// The largest number of bits of a numerator or denominator.
const LONGEST: u64 = 1 << 16;
/// The largest exponent of the power of two of a fraction.
const FARTHEST: i64 = 1 << 24;

/// The work that an expression may still cause, in words of 64 bits.
pub(super) struct Effort(Cell<u64>);

impl Effort {
    pub(super) fn new() -> Effort {
        Effort(Cell::new(1 << 28))
    }

    fn spend(&self, words: u64) -> Result<()> {
        match self.0.get().checked_sub(16 + words) {
            Some(left) => {
                self.0.set(left);
                Ok(())
            }
            None => wrong("too many steps: simplify the expression"),
        }
    }
}

/// n / d · 2^e: n odd or 0, d odd and positive; n and d may have factors in common.
#[derive(Clone, Debug)]
pub(super) struct Fraction {
    n: BigInt,
    d: BigInt,
    e: i64,
}

impl Fraction {
    fn integer(n: i64) -> Fraction {
        Fraction { n: n.into(), d: 1.into(), e: 0 }.odd()
    }

    /// Moves factors of two into the exponent.
    fn odd(mut self) -> Fraction {
        let (zeros_n, zeros_d) = (self.n.trailing_zeros(), self.d.trailing_zeros().unwrap_or(0));
        match zeros_n {
            None => Fraction { n: self.n, d: 1.into(), e: 0 },
            Some(zeros_n) => {
                self.n >>= zeros_n;
                self.d >>= zeros_d;
                self.e += zeros_n as i64 - zeros_d as i64;
                self
            }
        }
    }

    fn checked(self) -> Result<Fraction> {
        let found = self.odd();
        match found.n.bits().max(found.d.bits()) > LONGEST || found.e.abs() > FARTHEST {
            true => wrong(&format!(
                "a number needs more than {LONGEST} bits, or is above 2^{FARTHEST} or below its reciprocal"
            )),
            false => Ok(found),
        }
    }

    fn words(&self) -> u64 {
        (self.n.bits() + self.d.bits()) / 64
    }

    fn sign(&self) -> Sign {
        self.n.sign()
    }

    fn negated(&self) -> Fraction {
        Fraction { n: -&self.n, ..self.clone() }
    }

    /// n1/d1 and n2/d2 over one denominator and one power of two.
    fn aligned(&self, other: &Fraction, effort: &Effort) -> Result<(BigInt, BigInt, i64)> {
        let e = self.e.min(other.e);
        let (up, other_up) = ((self.e - e) as u64, (other.e - e) as u64);
        if up.max(other_up) > 4 * LONGEST {
            return wrong(&format!("the sum of two numbers needs more than {} bits", 4 * LONGEST));
        }
        effort.spend((1 + self.words()) * (1 + other.words()) + (up + other_up) / 64)?;
        Ok(((&self.n * &other.d) << up, (&other.n * &self.d) << other_up, e))
    }

    fn plus(&self, other: &Fraction, effort: &Effort) -> Result<Fraction> {
        if self.sign() == Sign::NoSign {
            return Ok(other.clone());
        }
        if other.sign() == Sign::NoSign {
            return Ok(self.clone());
        }
        let (a, b, e) = self.aligned(other, effort)?;
        Fraction { n: a + b, d: &self.d * &other.d, e }.checked()
    }

    fn times(&self, other: &Fraction, effort: &Effort) -> Result<Fraction> {
        effort.spend((1 + self.words()) * (1 + other.words()))?;
        Fraction { n: &self.n * &other.n, d: &self.d * &other.d, e: self.e + other.e }.checked()
    }

    fn reciprocal(&self) -> Result<Fraction> {
        let (n, d) = match self.sign() {
            Sign::NoSign => return wrong("division by 0"),
            Sign::Plus => (self.d.clone(), self.n.clone()),
            Sign::Minus => (-&self.d, -&self.n),
        };
        Ok(Fraction { n, d, e: -self.e })
    }

    /// Compares exactly. If the magnitudes do not decide, the powers of two are close enough to align.
    fn compare(&self, other: &Fraction, effort: &Effort) -> Result<Ordering> {
        let by_sign = (self.sign() as i8).cmp(&(other.sign() as i8));
        if by_sign != Ordering::Equal || self.sign() == Sign::NoSign {
            return Ok(by_sign);
        }
        // |x| lies above 2^(top − 1) and below 2^(top + 1).
        let top = |x: &Fraction| x.n.bits() as i64 - x.d.bits() as i64 + x.e;
        let apart = top(self) - top(other);
        if apart.abs() >= 2 {
            let larger = apart.cmp(&0);
            return Ok(if self.sign() == Sign::Minus { larger.reverse() } else { larger });
        }
        let (a, b, _) = self.aligned(other, effort)?;
        Ok(a.cmp(&b))
    }

    fn floor(&self, effort: &Effort) -> Result<Fraction> {
        let up = self.e.max(0) as u64;
        let down = (-self.e).max(0) as u64;
        if up >= LONGEST || down > 4 * LONGEST {
            return wrong("the number is too large or too small for Floor, Ceil or Trunc");
        }
        effort.spend((1 + self.words()) * (1 + self.words()) + (up + down) / 64)?;
        let (n, d) = (&self.n << up, &self.d << down);
        // Division of integers truncates.
        let quotient = &n / &d;
        let below = n.sign() == Sign::Minus && &quotient * &d != n;
        Fraction { n: quotient - below as i32, d: 1.into(), e: 0 }.checked()
    }

    /// Fractions on both sides of √x for x ≥ 0, equal if √x is a fraction: √(n/d) = √(nd)/d.
    fn root(&self, bits: u64, effort: &Effort) -> Result<(Fraction, Fraction)> {
        let odd = self.e.rem_euclid(2);
        let square = (&self.n * &self.d) << odd as u64;
        effort.spend((1 + self.words() + bits / 64).pow(2))?;
        let e = (self.e - odd) / 2;
        let whole = square.sqrt();
        if &whole * &whole == square {
            let root = Fraction { n: whole, d: self.d.clone(), e }.checked()?;
            return Ok((root.clone(), root));
        }
        let below = (square << (2 * bits)).sqrt();
        let end = |n: BigInt| Fraction { n, d: self.d.clone(), e: e - bits as i64 }.checked();
        Ok((end(below.clone())?, end(below + 1)?))
    }

    fn whole(&self) -> Option<i64> {
        let n = i64::try_from(&self.n).ok()?;
        let d = i64::try_from(&self.d).ok()?;
        match u32::try_from(self.e) {
            Ok(up) if n % d == 0 => (n / d).checked_mul(1i64.checked_shl(up).filter(|power| *power > 0)?),
            _ => None,
        }
    }
}

/// A real, or an infinity.
#[derive(Clone, Debug)]
pub(super) enum Real {
    Infinite {
        negative: bool,
    },
    /// A number between these, or this fraction if both are equal.
    Within(Fraction, Fraction),
}

impl Real {
    fn exact(x: Fraction) -> Real {
        Real::Within(x.clone(), x)
    }

    pub(super) fn integer(n: i64) -> Real {
        Real::exact(Fraction::integer(n))
    }

    /// The number of a value; `None` for NaN.
    pub(super) fn of(value: Value) -> Option<Real> {
        Some(match value {
            Value::Nan { .. } => return None,
            Value::Infinite { negative } => Real::Infinite { negative },
            Value::Finite(x) => {
                let n = BigInt::from(x.significand);
                Real::exact(Fraction { n: if x.negative { -n } else { n }, d: 1.into(), e: x.exponent }.odd())
            }
        })
    }

    /// Reads `3`, `0.1`, `2.5e-3`, `0x1.8p-3` exactly.
    pub(super) fn parse(text: &str, effort: &Effort) -> Result<Real> {
        let no = || Fault::Wrong(format!("'{text}' is not a number"));
        if text.starts_with("0x") || text.starts_with("0X") {
            return match binade::text::parse(text) {
                Ok(Value::Finite(x)) if !x.sticky => Real::of(Value::Finite(x)).ok_or_else(no),
                _ => Err(no()),
            };
        }
        let (digits, power) = match text.split_once(['e', 'E']) {
            Some((digits, power)) => (digits, power.parse::<i64>().map_err(|_| no())?),
            None => (text, 0),
        };
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let all = format!("{whole}{part}");
        if all.is_empty() || !all.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(no());
        }
        // More digits exceed the longest numerator, and reading takes time proportional to the square of their number.
        if all.len() > 4096 {
            return wrong("a number has more than 4096 digits");
        }
        effort.spend((all.len() as u64 / 16).pow(2))?;
        let n = BigInt::parse_bytes(all.as_bytes(), 10).ok_or_else(no)?;
        let ten = Real::integer(10).power(power.saturating_sub(part.len() as i64), effort)?;
        Real::exact(Fraction { n, d: 1.into(), e: 0 }.checked()?).times(&ten, effort)
    }

    /// π by Machin's 16 arctan 1/5 − 4 arctan 1/239, in units of 2^−(bits + 16).
    ///
    /// Each arctan adds fewer than `bits` terms, each truncated by less than 2 units, and the rest of the series is below one
    /// unit. For at most 2^11 bits, the total error is below 2^16 units.
    pub(super) fn pi(bits: u64, effort: &Effort) -> Result<Real> {
        effort.spend(bits * bits / 64)?;
        let one = BigInt::from(1) << (bits + 16);
        let arctan = |x: i64| {
            let (mut power, mut sum, mut k) = (&one / x, BigInt::ZERO, 0i64);
            while power != BigInt::ZERO {
                let term = &power / (2 * k + 1);
                sum = if k % 2 == 0 { sum + term } else { sum - term };
                power /= x * x;
                k += 1;
            }
            sum
        };
        let near = arctan(5) * 16 - arctan(239) * 4;
        let end = |n: BigInt| Fraction { n, d: 1.into(), e: -(bits as i64) - 16 }.checked();
        let slack = BigInt::from(1) << 16;
        Ok(Real::Within(end(&near - &slack)?, end(near + slack)?))
    }

    /// The ends of the enclosure.
    fn ends(&self) -> Result<(&Fraction, &Fraction)> {
        match self {
            Real::Within(low, high) => Ok((low, high)),
            Real::Infinite { .. } => wrong("arithmetic on Inf: Inf can only be compared"),
        }
    }

    fn is_exact(&self, effort: &Effort) -> Result<bool> {
        let (low, high) = self.ends()?;
        Ok(low.compare(high, effort)? == Ordering::Equal)
    }

    pub(super) fn negated(&self) -> Real {
        match self {
            Real::Infinite { negative } => Real::Infinite { negative: !negative },
            Real::Within(low, high) => Real::Within(high.negated(), low.negated()),
        }
    }

    pub(super) fn plus(&self, other: &Real, effort: &Effort) -> Result<Real> {
        let ((a, b), (c, d)) = (self.ends()?, other.ends()?);
        Ok(Real::Within(a.plus(c, effort)?, b.plus(d, effort)?))
    }

    pub(super) fn times(&self, other: &Real, effort: &Effort) -> Result<Real> {
        let ((a, b), (c, d)) = (self.ends()?, other.ends()?);
        let mut ends = [a.times(c, effort)?, a.times(d, effort)?, b.times(c, effort)?, b.times(d, effort)?];
        for (at, swap) in [(0, 1), (2, 3), (0, 2), (1, 3)] {
            if ends[at].compare(&ends[swap], effort)? == Ordering::Greater {
                ends.swap(at, swap);
            }
        }
        let [low, _, _, high] = ends;
        Ok(Real::Within(low, high))
    }

    pub(super) fn over(&self, other: &Real, effort: &Effort) -> Result<Real> {
        let (c, d) = other.ends()?;
        if c.sign() != d.sign() {
            return Err(Fault::Undecided);
        }
        self.times(&Real::Within(d.reciprocal()?, c.reciprocal()?), effort)
    }

    fn power(&self, exponent: i64, effort: &Effort) -> Result<Real> {
        let mut left = exponent.unsigned_abs();
        let (mut found, mut square) = (Real::integer(1), self.clone());
        // The square after the last bit is not needed.
        while left > 0 {
            if left & 1 == 1 {
                found = found.times(&square, effort)?;
            }
            left >>= 1;
            if left > 0 {
                square = square.times(&square, effort)?;
            }
        }
        match exponent < 0 {
            true => Real::integer(1).over(&found, effort),
            false => Ok(found),
        }
    }

    /// The power with a whole number as exponent.
    pub(super) fn raised(&self, exponent: &Real, effort: &Effort) -> Result<Real> {
        let (low, _) = exponent.ends()?;
        match low.whole() {
            Some(whole) if exponent.is_exact(effort)? => self.power(whole, effort),
            _ => wrong("an exponent must be a whole number below 2^63: write Sqrt for a root"),
        }
    }

    pub(super) fn root(&self, bits: u64, effort: &Effort) -> Result<Real> {
        let (low, high) = self.ends()?;
        match (low.sign(), high.sign()) {
            (_, Sign::Minus) => wrong("Sqrt of a negative number"),
            (Sign::Minus, _) => Err(Fault::Undecided),
            _ => Ok(Real::Within(low.root(bits, effort)?.0, high.root(bits, effort)?.1)),
        }
    }

    /// The largest whole number that is not above this one.
    pub(super) fn floor(&self, effort: &Effort) -> Result<Real> {
        let (low, high) = self.ends()?;
        let (low, high) = (low.floor(effort)?, high.floor(effort)?);
        match low.compare(&high, effort)? {
            Ordering::Equal => Ok(Real::exact(low)),
            _ => Err(Fault::Undecided),
        }
    }

    /// The number without its fractional part.
    pub(super) fn truncated(&self, effort: &Effort) -> Result<Real> {
        match self.compare(&Real::integer(0), effort)? {
            Ordering::Less => Ok(self.negated().floor(effort)?.negated()),
            _ => self.floor(effort),
        }
    }

    pub(super) fn compare(&self, other: &Real, effort: &Effort) -> Result<Ordering> {
        let side = |x: &Real| match x {
            Real::Infinite { negative: true } => -1,
            Real::Within(..) => 0,
            Real::Infinite { negative: false } => 1,
        };
        let (Real::Within(a, b), Real::Within(c, d)) = (self, other) else {
            return Ok(side(self).cmp(&side(other)));
        };
        if b.compare(c, effort)? == Ordering::Less {
            return Ok(Ordering::Less);
        }
        if d.compare(a, effort)? == Ordering::Less {
            return Ok(Ordering::Greater);
        }
        match self.is_exact(effort)? && other.is_exact(effort)? {
            true => Ok(Ordering::Equal),
            false => Err(Fault::Undecided),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares fractions of small integers, powers of two included, with products of integers.
    #[test]
    fn fractions_add_multiply_and_compare_like_integers() {
        let effort = Effort::new();
        let fraction = |n: i64, d: i64| Real::integer(n).over(&Real::integer(d), &effort).unwrap();
        let range = || (-6..=6i64).flat_map(|n| [1, 2, 3, 4, 6, -5].map(|d| (n, d)));
        for (n, d) in range() {
            for (m, c) in range() {
                let (x, y) = (fraction(n, d), fraction(m, c));
                let flip = if d * c < 0 { -1 } else { 1 };
                assert_eq!(
                    x.compare(&y, &effort).unwrap(),
                    (flip * n * c).cmp(&(flip * m * d)),
                    "{n}/{d} {m}/{c}"
                );
                let same = |found: Real, n: i64, d: i64| {
                    assert_eq!(
                        found.compare(&fraction(n, d), &effort),
                        Ok(Ordering::Equal),
                        "{found:?} {n}/{d}"
                    );
                };
                same(x.plus(&y, &effort).unwrap(), n * c + m * d, d * c);
                same(x.times(&y, &effort).unwrap(), n * m, d * c);
                if m != 0 {
                    same(x.over(&y, &effort).unwrap(), n * c, d * m);
                }
            }
            same_whole(
                &fraction(n, d).floor(&effort).unwrap(),
                n.div_euclid(d) - (d < 0 && n % d != 0) as i64,
            );
            same_whole(&fraction(n, d).truncated(&effort).unwrap(), n / d);
        }
        fn same_whole(found: &Real, n: i64) {
            assert_eq!(
                found.compare(&Real::integer(n), &Effort::new()),
                Ok(Ordering::Equal),
                "{found:?} {n}"
            );
        }
    }

    #[test]
    fn enclosure_contains_its_number() {
        let effort = Effort::new();
        // The first 80 digits of π; π is between this number and the next.
        let digits = "31415926535897932384626433832795028841971693993751058209749445923078164062862089";
        let at = |add: i64| {
            let n = BigInt::parse_bytes(digits.as_bytes(), 10).unwrap() + add;
            let ten = Real::integer(10).power(79, &effort).unwrap();
            Real::exact(Fraction { n, d: 1.into(), e: 0 }).over(&ten, &effort).unwrap()
        };
        for bits in [300, 512, 1024] {
            let pi = Real::pi(bits, &effort).unwrap();
            assert_eq!(pi.compare(&at(0), &effort), Ok(Ordering::Greater));
            assert_eq!(pi.compare(&at(1), &effort), Ok(Ordering::Less));
        }
        for n in 0..200i64 {
            let x = Real::integer(n).over(&Real::integer(12), &effort).unwrap();
            let root = x.root(128, &effort).unwrap();
            // √(n/12) is a fraction iff 3n is a square.
            let third = (3 * n).isqrt();
            assert_eq!(root.is_exact(&effort).unwrap(), third * third == 3 * n, "{n}");
            let (low, high) = root.ends().unwrap();
            let square = |end: &Fraction| end.times(end, &effort).unwrap();
            assert_ne!(square(low).compare(x.ends().unwrap().0, &effort), Ok(Ordering::Greater));
            assert_ne!(square(high).compare(x.ends().unwrap().0, &effort), Ok(Ordering::Less));
        }
    }

    #[test]
    fn number_is_read_exactly() {
        let effort = Effort::new();
        let read = |text: &str| Real::parse(text, &effort);
        let ten = Real::integer(10);
        let tenth = Real::integer(1).over(&ten, &effort).unwrap();
        for text in ["0.1", "1e-1", "0.01e1", "10e-2", ".1"] {
            assert_eq!(read(text).unwrap().compare(&tenth, &effort), Ok(Ordering::Equal), "{text}");
        }
        let three = Real::integer(3).over(&Real::integer(16), &effort).unwrap();
        assert_eq!(read("0x1.8p-3").unwrap().compare(&three, &effort), Ok(Ordering::Equal));
        for text in ["", ".", "e5", "1e", "1.2.3", "0x", "1e99999999999999999999", "1e9999999", "1_0"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn number_too_large_is_refused_at_once() {
        let effort = Effort::new();
        let two = Real::integer(2);
        let power = |exponent: i64| two.raised(&Real::integer(exponent), &effort);
        assert!(power(1 << 20).is_ok() && power(-(1 << 20)).is_ok());
        assert!(power(1_000_000_000).is_err() && power(i64::MIN).is_err());
        assert!(Real::integer(3).raised(&Real::integer(100_000), &effort).is_err());
        assert!(power(1 << 20).unwrap().plus(&Real::integer(1), &effort).is_err());
        assert!(Real::integer(1).over(&Real::integer(0), &effort).is_err());
        assert!(power(1 << 20).unwrap().floor(&effort).is_err());
    }
}
