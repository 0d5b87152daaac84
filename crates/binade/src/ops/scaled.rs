//! Operations with integer log2 scale factors (P3109 §4.8.5, §4.8.6, §4.9.1).
//!
//! Scale factors apply to the exact reals, before the one rounding. Every `i32` is a valid factor.

use super::finish;
use crate::codec::Datum;
use crate::exact::{Value, wide};
use crate::format::Format;
use crate::round::{Projection, Rounded};

/// x · 2^scale_x + y · 2^scale_y (P3109 §4.8.5).
pub fn add_scaled(x: Datum, scale_x: i32, y: Datum, scale_y: i32, to: Format, how: Projection) -> Rounded {
    finish(
        scaled_sum([x.value(), y.value()], [scale_x, scale_y], how.rounding.cancelled_negative()),
        &[x, y],
        to,
        how,
    )
}

pub(super) fn scaled_sum(x: [Value; 2], scales: [i32; 2], cancelled_negative: bool) -> Value {
    x[0].scaled(scales[0]).plus(x[1].scaled(scales[1]), cancelled_negative)
}

/// x · y · 2^scale (P3109 §4.8.6).
pub fn multiply_scaled(x: Datum, y: Datum, scale: i32, to: Format, how: Projection) -> Rounded {
    finish(x.value().times(y.value()).scaled(scale), &[x, y], to, how)
}

/// a · 2^scale_a + x · y · 2^scale (P3109 §4.9.1, for any formats). 0 · ∞ and sums of opposite infinities are NaN.
pub fn scaled_fma(
    a: Datum,
    scale_a: i32,
    x: Datum,
    y: Datum,
    scale: i32,
    to: Format,
    how: Projection,
) -> Rounded {
    let values = [a, x, y].map(|x| x.value());
    finish(
        scaled_product_sum(values, [scale_a, scale], how.rounding.cancelled_negative()),
        &[a, x, y],
        to,
        how,
    )
}

pub(super) fn scaled_product_sum(x: [Value; 3], scales: [i32; 2], cancelled_negative: bool) -> Value {
    x[0].scaled(scales[0]).plus(x[1].times(x[2]).scaled(scales[1]), cancelled_negative)
}

/// (sx · x) · (sy · y) (P3109 4.0 §5.5), for operands that are not NaN. The four factors may exceed a u128.
pub(super) fn product_of_scaled(sx: Value, x: Value, sy: Value, y: Value) -> Value {
    match (sx, x, sy, y) {
        (Value::Finite(a), Value::Finite(b), Value::Finite(c), Value::Finite(d)) => {
            Value::Finite(wide::product(&[a, b, c, d]))
        }
        _ => sx.times(x).times(sy.times(y)),
    }
}
