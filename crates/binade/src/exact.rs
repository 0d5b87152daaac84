//! Exact extended reals and their arithmetic, which defines the operations.
//!
//! Nothing here rounds. If a result has no finite binary expansion, or would need too many bits, it is truncated to at
//! least 100 significant bits and marked sticky. The exact value is then strictly between two neighbouring
//! significands. Every rounding decision of [`crate::project`] compares the exact value with a number of at most 53 +
//! 33 significant bits (a precision, and a 33-bit fraction of the step). So it decides as if the value were known in
//! full.

pub(crate) mod wide;

use core::cmp::Ordering;

/// An exact result: NaN, an infinity, or a finite real.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Not a number. The sign is the sign bit of the operand that it came from; undefined results are positive.
    Nan {
        /// Sign bit.
        negative: bool,
    },
    /// ±∞.
    Infinite {
        /// True for −∞.
        negative: bool,
    },
    /// A finite real, zeros with their sign.
    Finite(Finite),
}

/// (−1)^negative · (significand + δ) · 2^exponent, with 0 < δ < 1 if sticky and δ = 0 otherwise.
///
/// A sticky significand has at least 100 bits. A zero significand is a zero with its sign; its exponent is 0.
/// Equality is equality of the fields; compare values with [`Value::partial_cmp`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finite {
    /// Sign.
    pub negative: bool,
    /// Significand, an integer.
    pub significand: u128,
    /// Exponent of the significand's unit.
    pub exponent: i64,
    /// True if the value is strictly above this significand (in magnitude) and below the next.
    pub sticky: bool,
}

impl Finite {
    /// An exact value.
    #[inline]
    pub const fn new(negative: bool, significand: u128, exponent: i64) -> Finite {
        Finite { negative, significand, exponent, sticky: false }
    }

    /// Zero with a sign.
    #[inline]
    pub const fn zero(negative: bool) -> Finite {
        Finite::new(negative, 0, 0)
    }

    /// True if this is +0 or −0.
    #[inline]
    pub const fn is_zero(&self) -> bool {
        self.significand == 0
    }

    /// ⌊log2 |x|⌋ of a nonzero value.
    #[inline]
    pub const fn log2_floor(&self) -> i64 {
        self.exponent + 127 - self.significand.leading_zeros() as i64
    }

    /// Times 2^scale.
    #[inline]
    const fn scaled(self, scale: i64) -> Finite {
        if self.is_zero() { self } else { Finite { exponent: self.exponent + scale, ..self } }
    }

    /// An exact value in place of one that may be sticky: rounded to odd. Rounding to fewer bits, and comparing with a
    /// number of fewer bits, give the same results.
    #[inline]
    pub(crate) const fn odd(self) -> Finite {
        Finite { significand: self.significand | self.sticky as u128, sticky: false, ..self }
    }

    /// Compares magnitudes; both are exact.
    fn cmp_magnitude(&self, other: &Finite) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => return Ordering::Equal,
            (true, false) => return Ordering::Less,
            (false, true) => return Ordering::Greater,
            (false, false) => {}
        }
        let normalised = |x: &Finite| x.significand << x.significand.leading_zeros();
        (self.log2_floor().cmp(&other.log2_floor()))
            .then_with(|| normalised(self).cmp(&normalised(other)))
            .then_with(|| self.sticky.cmp(&other.sticky))
    }
}

impl Value {
    /// A NaN that does not come from an operand.
    pub const UNDEFINED: Value = Value::Nan { negative: false };
    /// +0.
    pub const ZERO: Value = Value::Finite(Finite::zero(false));
    /// +1.
    pub const ONE: Value = Value::Finite(Finite::new(false, 1, 0));

    /// The exact value of a binary64.
    pub const fn from_f64(x: f64) -> Value {
        let bits = x.to_bits();
        let (negative, field, trailing) =
            (bits >> 63 != 0, (bits >> 52) as i64 & 0x7ff, bits & ((1 << 52) - 1));
        match (field, trailing) {
            (0x7ff, 0) => Value::Infinite { negative },
            (0x7ff, _) => Value::Nan { negative },
            (0, 0) => Value::Finite(Finite::zero(negative)),
            (0, _) => Value::Finite(Finite::new(negative, trailing as u128, -1074)),
            _ => Value::Finite(Finite::new(negative, (trailing | 1 << 52) as u128, field - 1075)),
        }
    }

    /// True if this is NaN.
    #[inline]
    pub const fn is_nan(&self) -> bool {
        matches!(self, Value::Nan { .. })
    }

    /// The sign bit, also of a zero, and of a NaN's operand.
    #[inline]
    pub const fn negative(&self) -> bool {
        match self {
            Value::Nan { negative } | Value::Infinite { negative } => *negative,
            Value::Finite(x) => x.negative,
        }
    }

    #[inline]
    const fn with_sign(self, negative: bool) -> Value {
        match self {
            Value::Nan { .. } => self,
            Value::Infinite { .. } => Value::Infinite { negative },
            Value::Finite(x) => Value::Finite(Finite { negative, ..x }),
        }
    }

    /// −x; NaN stays as it is.
    #[inline]
    pub(crate) const fn negated(self) -> Value {
        self.with_sign(!self.negative())
    }

    /// |x|; NaN stays as it is.
    #[inline]
    pub(crate) const fn magnitude(self) -> Value {
        self.with_sign(false)
    }

    /// |x| with y's sign; NaN if either is NaN (P3109 §4.8.2). −0 counts as negative.
    #[inline]
    pub(crate) const fn copy_sign(self, y: Value) -> Value {
        if y.is_nan() && !self.is_nan() { y } else { self.with_sign(y.negative()) }
    }

    /// x · 2^scale.
    #[inline]
    pub(crate) const fn scaled(self, scale: i32) -> Value {
        match self {
            Value::Finite(x) => Value::Finite(x.scaled(scale as i64)),
            special => special,
        }
    }

    /// x + y. The sum of opposite numbers is zero with the sign `cancelled_negative` (IEEE 754 §6.3: − when rounding
    /// toward negative, + otherwise).
    #[inline]
    pub(crate) fn plus(self, y: Value, cancelled_negative: bool) -> Value {
        match (self, y) {
            (Value::Finite(x), Value::Finite(y)) => Value::Finite(add(x, y, cancelled_negative)),
            (Value::Nan { .. }, _) => self,
            (_, Value::Nan { .. }) => y,
            (Value::Infinite { negative: a }, Value::Infinite { negative: b }) if a != b => Value::UNDEFINED,
            (Value::Infinite { .. }, _) => self,
            (_, Value::Infinite { .. }) => y,
        }
    }

    /// x · y, which is exact, since operands have at most 53 bits.
    #[inline]
    pub(crate) fn times(self, y: Value) -> Value {
        let negative = self.negative() != y.negative();
        match (self, y) {
            (Value::Finite(x), Value::Finite(y)) => {
                let significand = x.significand * y.significand;
                let exponent = if significand == 0 { 0 } else { x.exponent + y.exponent };
                Value::Finite(Finite::new(negative, significand, exponent))
            }
            (Value::Nan { .. }, _) => self,
            (_, Value::Nan { .. }) => y,
            (Value::Finite(x), _) | (_, Value::Finite(x)) if x.is_zero() => Value::UNDEFINED,
            _ => Value::Infinite { negative },
        }
    }

    /// x / y (P3109 §4.8.3): NaN for a zero divisor and for ∞/∞, zero for finite/∞.
    pub(crate) fn over(self, y: Value) -> Value {
        let negative = self.negative() != y.negative();
        match (self, y) {
            (Value::Nan { .. }, _) => self,
            (_, Value::Nan { .. }) => y,
            (_, Value::Finite(d)) if d.is_zero() => Value::UNDEFINED,
            (Value::Infinite { .. }, Value::Infinite { .. }) => Value::UNDEFINED,
            (Value::Infinite { .. }, Value::Finite(_)) => Value::Infinite { negative },
            (Value::Finite(_), Value::Infinite { .. }) => Value::Finite(Finite::zero(negative)),
            (Value::Finite(x), Value::Finite(d)) => Value::Finite(divide(x, d)),
        }
    }

    /// √x (P3109 §4.8.4): NaN below zero; √(−0) is −0.
    pub(crate) fn square_root(self) -> Value {
        match self {
            Value::Nan { .. } => self,
            Value::Finite(x) if x.is_zero() => self,
            _ if self.negative() => Value::UNDEFINED,
            Value::Infinite { .. } => self,
            Value::Finite(x) => Value::Finite(square_root(x)),
        }
    }

    /// x − y, as [`Value::plus`].
    #[inline]
    pub(crate) fn minus(self, y: Value, cancelled_negative: bool) -> Value {
        self.plus(if y.is_nan() { y } else { y.negated() }, cancelled_negative)
    }

    /// x · y + z. A NaN addend takes precedence over an undefined product of operands that are not NaN.
    #[inline]
    pub(crate) fn times_plus(self, y: Value, addend: Value, cancelled_negative: bool) -> Value {
        let product = self.times(y);
        let undefined = product.is_nan() && !self.is_nan() && !y.is_nan();
        if undefined && addend.is_nan() { addend } else { product.plus(addend, cancelled_negative) }
    }

    /// Applies a function of a finite real whose limits at ±∞ are given; `None` is undefined.
    pub(crate) fn map(
        self,
        at_minus_infinity: Value,
        at_plus_infinity: Value,
        of: impl FnOnce(Finite) -> Value,
    ) -> Value {
        match self {
            Value::Nan { .. } => self,
            Value::Infinite { negative: true } => at_minus_infinity,
            Value::Infinite { negative: false } => at_plus_infinity,
            Value::Finite(x) => of(x),
        }
    }
}

/// The order of the extended reals: −0 equals +0, NaN is unordered.
impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        // Ranks infinities below and above all reals.
        let rank = |v: &Value| match v {
            Value::Infinite { negative } => Some(if *negative { -1 } else { 1 }),
            Value::Finite(_) => Some(0),
            Value::Nan { .. } => None,
        };
        let ranks = rank(self)?.cmp(&rank(other)?);
        let (Value::Finite(x), Value::Finite(y)) = (self, other) else { return Some(ranks) };
        Some(match (x.negative && !x.is_zero(), y.negative && !y.is_zero()) {
            (false, false) => x.cmp_magnitude(y),
            (true, true) => y.cmp_magnitude(x),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        })
    }
}

/// x + y for exact x and y whose significands have at most 106 bits (a product of two).
#[inline]
fn add(x: Finite, y: Finite, cancelled_negative: bool) -> Finite {
    debug_assert!(!x.sticky && !y.sticky, "{x:?} + {y:?}");
    if x.is_zero() || y.is_zero() {
        return match (x.is_zero(), y.is_zero()) {
            (true, true) => {
                Finite::zero(if x.negative == y.negative { x.negative } else { cancelled_negative })
            }
            (true, false) => y,
            _ => x,
        };
    }
    // Near: both significands can be shifted to the smaller exponent's unit, and the sum is exact.
    let distance = x.exponent - y.exponent;
    let (up_x, up_y) = (distance.max(0), (-distance).max(0));
    if up_x < x.significand.leading_zeros() as i64 - 1 && up_y < y.significand.leading_zeros() as i64 - 1 {
        let signed = |v: Finite, up: i64| {
            // Two's complement without a branch on the sign, which is unpredictable.
            let mask = -(v.negative as i128);
            (((v.significand << up) as i128) ^ mask) - mask
        };
        let sum = signed(x, up_x) + signed(y, up_y);
        return match sum {
            0 => Finite::zero(cancelled_negative),
            _ => Finite::new(sum < 0, sum.unsigned_abs(), x.exponent - up_x),
        };
    }
    // Far: shifting `high` up would exceed bit 126, so its value is at least 2^126 units of `low`, whose significand is
    // below 2^106: |high| > 2^20 |low|. Move high's top bit to 125, and let low lose the bits below the unit. At most
    // one bit cancels, so 124 significant bits and the sticky one remain.
    let (high, low) = if distance >= 0 { (x, y) } else { (y, x) };
    let up = high.significand.leading_zeros() - 2;
    let (big, unit) = (high.significand << up, high.exponent - up as i64);
    let down = (unit - low.exponent) as u64; // > 0: the unit is above low's, or the near case would have applied
    let (small, lost) = if down >= 128 {
        (0, true)
    } else {
        (low.significand >> down, low.significand & ((1 << down) - 1) != 0)
    };
    let significand = if high.negative == low.negative { big + small } else { big - small - lost as u128 };
    Finite { negative: high.negative, significand, exponent: unit, sticky: lost }
}

/// x / d for exact x and d ≠ 0 below 2^64: two digits of long division in base 2^63 or more, at least 126 bits.
pub(crate) fn divide(x: Finite, d: Finite) -> Finite {
    let negative = x.negative != d.negative;
    if x.is_zero() {
        return Finite::zero(negative);
    }
    let up = (x.significand as u64).leading_zeros();
    let numerator = (x.significand as u64) << up;
    let down = (d.significand as u64).leading_zeros();
    let divisor = ((d.significand as u64) << down) as u128;
    // 2^63 ≤ numerator, divisor < 2^64: the first quotient is in (2^62, 2^64), the second below 2^63.
    let first = (numerator as u128) << 63;
    let (q1, r1) = (first / divisor, first % divisor);
    let second = r1 << 63;
    let (q2, r2) = (second / divisor, second % divisor);
    let exponent = (x.exponent - up as i64) - (d.exponent - down as i64) - 126;
    Finite { negative, significand: (q1 << 63) | q2, exponent, sticky: r2 != 0 }
}

/// √x for exact x > 0 below 2^64: 64 bits by integer square root, and 62 more by one step of Zimmermann's Karatsuba
/// square root.
fn square_root(x: Finite) -> Finite {
    // n = significand · 2^up with an even remaining exponent and its top bit at 127 or 126, so that the integer root
    // s of n has 64 bits. √(n · 2^124) is then s · 2^62 + (r · 2^62) / (2s) corrected by at most one.
    let mut up = x.significand.leading_zeros();
    up -= (x.exponent - up as i64).rem_euclid(2) as u32;
    let n = x.significand << up;
    let s = n.isqrt();
    let r = n - s * s;
    // r ≤ 2s < 2^65, hence r · 2^62 < 2^127.
    let (q, u) = ((r << 62) / (2 * s), (r << 62) % (2 * s));
    // Remainder u · 2^62 − q²; u < 2^65 and q ≤ 2^62.
    let (rest, square) = (u << 62, q * q);
    let root = (s << 62) + q;
    let (significand, sticky) = if rest >= square { (root, rest != square) } else { (root - 1, true) };
    Finite { negative: false, significand, exponent: (x.exponent - up as i64) / 2 - 62, sticky }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_distant_terms_are_sticky() {
        let one = Finite::new(false, 1, 0);
        let tiny = Finite::new(true, 1, -1000);
        let sum = add(one, tiny, false);
        // 1 − 2^−1000 is just below 2^125 units.
        assert_eq!(
            sum,
            Finite { negative: false, significand: (1 << 125) - 1, exponent: -125, sticky: true }
        );
        assert_eq!(add(one, Finite::new(true, 1, 0), true), Finite::zero(true));
    }

    #[test]
    fn square_roots_square_to_their_argument() {
        for (significand, exponent) in [(2, 0), (3, 1), (5, -3), ((1 << 53) - 1, -1074), (1, 7), (1 << 52, 1)]
        {
            let root = square_root(Finite::new(false, significand, exponent));
            assert!(root.sticky && root.significand >= 1 << 124, "{root:?}");
            let approximate = root.significand as f64 * 2f64.powi(root.exponent as i32);
            let exact = (significand as f64).sqrt() * 2f64.powf(exponent as f64 / 2.0);
            assert!((approximate / exact - 1.0).abs() < 1e-14);
        }
        let four = square_root(Finite::new(false, 16, -2));
        assert_eq!((four.significand.trailing_zeros() as i64 + four.exponent, four.sticky), (1, false));
    }

    #[test]
    fn quotients_times_divisor_equal_the_dividend() {
        let third = divide(Finite::new(false, 1, 0), Finite::new(false, 3, 0));
        assert!(third.sticky && third.significand >> 120 != 0);
        let half = divide(Finite::new(true, 3, 0), Finite::new(false, 6, 0));
        assert_eq!((half.significand.trailing_zeros() as i64 + half.exponent, half.sticky), (-1, false));
    }
}
