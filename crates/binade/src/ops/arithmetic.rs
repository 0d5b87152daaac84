//! Conversions, sign operations, arithmetic and elementary functions (P3109 §4.7, §4.8.1 to §4.8.4), and IEEE 754's
//! nextUp and nextDown.

use super::finish;
use crate::codec::{Datum, decode};
use crate::elementary;
use crate::exact::{Finite, Value, wide};
use crate::format::{Format, Subnormals};
use crate::round::{Projection, Rounded};

/// The value of x in another format (P3109 §4.7.2 to §4.7.4).
#[inline]
pub fn convert(x: Datum, to: Format, how: Projection) -> Rounded {
    finish(x.value(), &[x], to, how)
}

/// |x| (P3109 §4.8.1).
#[inline]
pub fn abs(x: Datum, to: Format, how: Projection) -> Rounded {
    finish(x.value().magnitude(), &[x], to, how)
}

/// −x (P3109 §4.8.1).
#[inline]
pub fn negate(x: Datum, to: Format, how: Projection) -> Rounded {
    finish(x.value().negated(), &[x], to, how)
}

/// |x| with the sign of y; NaN if either is NaN (P3109 §4.8.2).
#[inline]
pub fn copy_sign(x: Datum, y: Datum, to: Format, how: Projection) -> Rounded {
    finish(x.value().copy_sign(y.value()), &[x, y], to, how)
}

/// x + y (P3109 §4.8.3).
#[inline]
pub fn add(x: Datum, y: Datum, to: Format, how: Projection) -> Rounded {
    finish(x.value().plus(y.value(), how.rounding.cancelled_negative()), &[x, y], to, how)
}

/// x − y (P3109 §4.8.3).
#[inline]
pub fn subtract(x: Datum, y: Datum, to: Format, how: Projection) -> Rounded {
    finish(x.value().minus(y.value(), how.rounding.cancelled_negative()), &[x, y], to, how)
}

/// x · y (P3109 §4.8.3).
#[inline]
pub fn multiply(x: Datum, y: Datum, to: Format, how: Projection) -> Rounded {
    finish(x.value().times(y.value()), &[x, y], to, how)
}

/// x / y; NaN for a zero divisor (P3109 §4.8.3).
#[inline]
pub fn divide(x: Datum, y: Datum, to: Format, how: Projection) -> Rounded {
    finish(x.value().over(y.value()), &[x, y], to, how)
}

/// x · y + z, rounded once.
#[inline]
pub fn fma(x: Datum, y: Datum, z: Datum, to: Format, how: Projection) -> Rounded {
    finish(x.value().times_plus(y.value(), z.value(), how.rounding.cancelled_negative()), &[x, y, z], to, how)
}

/// √x; NaN below zero (P3109 §4.8.4).
#[inline]
pub fn sqrt(x: Datum, to: Format, how: Projection) -> Rounded {
    finish(x.value().square_root(), &[x], to, how)
}

pub(super) const INFINITY: Value = Value::Infinite { negative: false };
pub(super) const MINUS_INFINITY: Value = Value::Infinite { negative: true };

/// e^x (P3109 §4.8.4); 0 at −∞, +∞ at +∞.
pub fn exp(x: Datum, to: Format, how: Projection) -> Rounded {
    finish(exponential(x.value(), elementary::exp), &[x], to, how)
}

/// 2^x (P3109 §4.8.4); 0 at −∞, +∞ at +∞.
pub fn exp2(x: Datum, to: Format, how: Projection) -> Rounded {
    finish(exponential(x.value(), elementary::exp2), &[x], to, how)
}

/// Natural logarithm (P3109 §4.8.4); −∞ at 0, NaN below.
pub fn log(x: Datum, to: Format, how: Projection) -> Rounded {
    finish(logarithm(x.value(), elementary::log), &[x], to, how)
}

/// Logarithm to base 2 (P3109 §4.8.4); −∞ at 0, NaN below.
pub fn log2(x: Datum, to: Format, how: Projection) -> Rounded {
    finish(logarithm(x.value(), elementary::log2), &[x], to, how)
}

/// x + y + z (P3109 4.0 §4.10.7), for operands that are not NaN.
pub(super) fn sum_of_three(x: Value, y: Value, z: Value, cancelled_negative: bool) -> Value {
    match (x, y, z) {
        (Value::Finite(x), Value::Finite(y), Value::Finite(z)) => {
            Value::Finite(wide::sum(&[x, y, z], cancelled_negative))
        }
        // If an operand is infinite, the rounding of finite sums does not matter.
        _ => x.plus(y, cancelled_negative).plus(z, cancelled_negative),
    }
}

/// 1/√x (P3109 4.0 §4.10.8): NaN at zero and below.
pub(super) fn reciprocal_root(x: Value) -> Value {
    x.map(Value::UNDEFINED, Value::ZERO, |x| match x {
        x if x.is_zero() || x.negative => Value::UNDEFINED,
        x => Value::Finite(wide::reciprocal_root(x)),
    })
}

pub(super) fn exponential(x: Value, of: fn(Finite) -> Finite) -> Value {
    x.map(Value::ZERO, INFINITY, |x| Value::Finite(of(x)))
}

pub(super) fn logarithm(x: Value, of_positive: fn(Finite) -> Finite) -> Value {
    x.map(Value::UNDEFINED, INFINITY, |x| match x {
        x if x.is_zero() => MINUS_INFINITY,
        x if x.negative => Value::UNDEFINED,
        x => Value::Finite(of_positive(x)),
    })
}

/// The least value of x's format above x, as in IEEE 754 §5.3.1, then projected. Above the largest it is +∞, which
/// overflows in a format without infinity. Above the negative number nearest zero it is −0, if the format has −0.
pub fn next_up(x: Datum, to: Format, how: Projection) -> Rounded {
    finish(neighbour(x, false), &[x], to, how)
}

/// The greatest value of x's format below x: −`next_up`(−x).
pub fn next_down(x: Datum, to: Format, how: Projection) -> Rounded {
    finish(neighbour(x, true), &[x], to, how)
}

/// The neighbour of x as in P3109 4.0 §4.16: NaN past the end of the format's values, and only one zero.
pub(super) fn next_than(x: Datum, down: bool) -> Value {
    let format = x.format();
    let past_end = x.value() == Value::Infinite { negative: down };
    match neighbour(x, down) {
        Value::Infinite { negative }
            if past_end || !format.infinities() || (negative && !format.signed()) =>
        {
            Value::UNDEFINED
        }
        Value::Finite(zero) if zero.is_zero() => Value::ZERO,
        value => value,
    }
}

/// The neighbour of x toward −∞ if `down`, toward +∞ otherwise.
pub(super) fn neighbour(x: Datum, down: bool) -> Value {
    let format = x.format();
    let (largest, smallest) = (format.max_finite_code(), format.min_positive_code());
    let code = |magnitude, negative| {
        decode(format, if negative { magnitude | format.sign_bit() } else { magnitude })
    };
    match x.value() {
        nan @ Value::Nan { .. } => nan,
        Value::Infinite { negative } if negative == down => x.value(),
        Value::Infinite { negative } => code(largest, negative),
        // From zero the direction alone decides; an unsigned format has no value below.
        Value::Finite(zero) if zero.is_zero() && down && !format.signed() => MINUS_INFINITY,
        Value::Finite(zero) if zero.is_zero() => code(smallest, down),
        Value::Finite(value) => {
            let magnitude = x.code() & format.magnitude_mask();
            if value.negative == down {
                // Away from zero.
                if magnitude == largest {
                    Value::Infinite { negative: down }
                } else {
                    code(magnitude + 1, down)
                }
            } else if magnitude > smallest {
                code(magnitude - 1, value.negative)
            } else if format.subnormals() != Subnormals::None {
                Value::Finite(Finite::zero(value.negative && format.negative_zero()))
            } else if format.signed() {
                // There is no zero between the smallest magnitudes of either sign.
                code(smallest, down)
            } else {
                MINUS_INFINITY
            }
        }
    }
}
