//! Conversions, sign operations, arithmetic and elementary functions (P3109 §4.7, §4.8.1 to §4.8.4), and IEEE 754's
//! nextUp and nextDown.

use super::finish;
use crate::codec::{Datum, decode};
use crate::elementary;
use crate::exact::{Finite, Value};
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

/// |x| with the sign of y; NaN if either is (P3109 §4.8.2).
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
    let minus_y = match y.value() {
        nan @ Value::Nan { .. } => nan,
        value => value.negated(),
    };
    finish(x.value().plus(minus_y, how.rounding.cancelled_negative()), &[x, y], to, how)
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
    let (product, addend) = (x.value().times(y.value()), z.value());
    // A NaN addend comes before an undefined product of operands that are not NaN.
    let undefined = product.is_nan() && !x.value().is_nan() && !y.value().is_nan();
    let sum = if undefined && addend.is_nan() {
        addend
    } else {
        product.plus(addend, how.rounding.cancelled_negative())
    };
    finish(sum, &[x, y, z], to, how)
}

/// √x; NaN below zero (P3109 §4.8.4).
#[inline]
pub fn sqrt(x: Datum, to: Format, how: Projection) -> Rounded {
    finish(x.value().square_root(), &[x], to, how)
}

const ZERO: Value = Value::Finite(Finite::zero(false));
const INFINITY: Value = Value::Infinite { negative: false };
const MINUS_INFINITY: Value = Value::Infinite { negative: true };

/// e^x (P3109 §4.8.4); 0 at −∞, +∞ at +∞.
pub fn exp(x: Datum, to: Format, how: Projection) -> Rounded {
    finish(x.value().map(ZERO, INFINITY, |x| Value::Finite(elementary::exp(x))), &[x], to, how)
}

/// 2^x (P3109 §4.8.4); 0 at −∞, +∞ at +∞.
pub fn exp2(x: Datum, to: Format, how: Projection) -> Rounded {
    finish(x.value().map(ZERO, INFINITY, |x| Value::Finite(elementary::exp2(x))), &[x], to, how)
}

/// Natural logarithm (P3109 §4.8.4); −∞ at 0, NaN below.
pub fn log(x: Datum, to: Format, how: Projection) -> Rounded {
    finish(logarithm(x.value(), elementary::log), &[x], to, how)
}

/// Logarithm to base 2 (P3109 §4.8.4); −∞ at 0, NaN below.
pub fn log2(x: Datum, to: Format, how: Projection) -> Rounded {
    finish(logarithm(x.value(), elementary::log2), &[x], to, how)
}

fn logarithm(x: Value, of_positive: fn(Finite) -> Finite) -> Value {
    x.map(Value::UNDEFINED, INFINITY, |x| match x {
        x if x.is_zero() => MINUS_INFINITY,
        x if x.negative => Value::UNDEFINED,
        x => Value::Finite(of_positive(x)),
    })
}

/// The least value of x's format above x, as IEEE 754 §5.3.1 has it, then projected: +∞ above the largest (which
/// overflows where there is no infinity), −0 above the negative number nearest zero, where there is a −0.
pub fn next_up(x: Datum, to: Format, how: Projection) -> Rounded {
    finish(neighbour(x, false), &[x], to, how)
}

/// The greatest value of x's format below x: −`next_up`(−x).
pub fn next_down(x: Datum, to: Format, how: Projection) -> Rounded {
    finish(neighbour(x, true), &[x], to, how)
}

/// The neighbour of x toward −∞ if `down`, toward +∞ otherwise.
fn neighbour(x: Datum, down: bool) -> Value {
    let format = x.format();
    let (largest, smallest) = (
        format.max_finite_code(),
        match format.subnormals() {
            Subnormals::Ieee | Subnormals::Tesla => 1,
            Subnormals::Flush => format.min_normal_code(),
            Subnormals::None => 0,
        },
    );
    let code = |magnitude, negative| {
        decode(format, if negative { magnitude | format.sign_bit() } else { magnitude })
    };
    match x.value() {
        nan @ Value::Nan { .. } => nan,
        Value::Infinite { negative } if negative == down => x.value(),
        Value::Infinite { negative } => code(largest, negative),
        // From zero the direction alone decides; an unsigned format has nothing below.
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
                // No zero between the smallest magnitudes of either sign.
                code(smallest, down)
            } else {
                MINUS_INFINITY
            }
        }
    }
}
