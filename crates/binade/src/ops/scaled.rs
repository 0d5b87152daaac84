//! Operations with integer log2 scale factors (P3109 §4.8.5, §4.8.6, §4.9.1).
//!
//! Scale factors apply to the exact reals, before the one rounding. Every `i32` is a valid factor.

use super::finish;
use crate::codec::Datum;
use crate::format::Format;
use crate::round::{Projection, Rounded};

/// x · 2^scale_x + y · 2^scale_y (P3109 §4.8.5).
pub fn add_scaled(x: Datum, scale_x: i32, y: Datum, scale_y: i32, to: Format, how: Projection) -> Rounded {
    let sum = x.value().scaled(scale_x).plus(y.value().scaled(scale_y), how.rounding.cancelled_negative());
    finish(sum, &[x, y], to, how)
}

/// x · y · 2^scale (P3109 §4.8.6).
pub fn multiply_scaled(x: Datum, y: Datum, scale: i32, to: Format, how: Projection) -> Rounded {
    finish(x.value().times(y.value()).scaled(scale), &[x, y], to, how)
}

/// a · 2^scale_a + x · y · 2^scale (P3109 §4.9.1, for any formats). 0 · ∞ and opposite infinities are NaN.
pub fn scaled_fma(
    a: Datum,
    scale_a: i32,
    x: Datum,
    y: Datum,
    scale: i32,
    to: Format,
    how: Projection,
) -> Rounded {
    let product = x.value().times(y.value()).scaled(scale);
    let sum = a.value().scaled(scale_a).plus(product, how.rounding.cancelled_negative());
    finish(sum, &[a, x, y], to, how)
}
