//! Cells of the real line on which a format's rounding is constant, for the bias search.
//!
//! Within a binade [2^E, 2^(E+1)), [`binade::project`] under a mode without random bits compares a value only with values of
//! the format and midpoints of neighbours. In normal binades these are multiples of 2^(E−P): they have P fractional bits
//! after the leading one. They are coarser in four regions: among subnormals, in the Tesla formats' gap (whose midpoint is
//! 2^(−bias) · (1.5 − 2^−P)), below the smallest normal of a flushing format, and past the largest value.
//!
//! A code and its flags are therefore constant on each *cell*: a multiple of 2^(E−P) itself, and the open interval from it to
//! the next. No comparison point is below half the smallest value of any rule, 2^(emin−P−1) for Tesla's, nor beyond twice the
//! largest binade.

use binade::{Finite, Value};

/// All bits of a binary64 except the sign.
pub(crate) const MAGNITUDE: u64 = u64::MAX >> 1;

/// The bits of +∞.
pub(crate) const INFINITY: u64 = 0x7ff << 52;

/// Number of trailing significand bits of a binary64 below those of a cell, for formats of precision at most 52.
pub(crate) const fn below(precision: u32) -> u32 {
    52 - precision
}

/// A value of the cell that starts at `significand` · 2^exponent (significand below 2^27). It is that start, or above it by
/// less than 2^−100 of it.
pub(crate) fn representative(negative: bool, significand: u64, exponent: i64, interior: bool) -> Value {
    let significand = (significand as u128) << 100;
    Value::Finite(Finite { negative, significand, exponent: exponent - 100, sticky: interior })
}
