//! The real line cut into cells on which a format's rounding is constant.
//!
//! Within the binade [2^E, 2^(E+1)) all that [`binade::project`] compares a value with, under a rounding mode without
//! random bits, are values of the format and midpoints of neighbouring ones. In normal binades these are multiples of
//! 2^(E−P), that is they have P fractional bits after the leading one; among subnormals, in the Tesla formats' gap (whose
//! midpoint is 2^(−bias) · (1.5 − 2^−P)), below the smallest normal of a flushing format and past the largest value they
//! are coarser. So a code and its flags are constant on each *cell*: a multiple of 2^(E−P) by itself, and the open
//! interval from it to the next. There is nothing to compare with below half the smallest value that any rule knows,
//! 2^(emin−P−1) in Tesla's, nor beyond twice the largest binade.

use binade::{Finite, Value};

/// All bits of a binary64 but the sign.
pub(crate) const MAGNITUDE: u64 = u64::MAX >> 1;

/// The bits of +∞.
pub(crate) const INFINITY: u64 = 0x7ff << 52;

/// The binary64 significand's trailing bits that lie below a cell's own, for formats of a precision of at most 52.
pub(crate) const fn below(precision: u32) -> u32 {
    52 - precision
}

/// A value of the cell that starts at `significand` · 2^exponent (significand below 2^27): that start, or something
/// above it by less than one of its 2^100th.
pub(crate) fn representative(negative: bool, significand: u64, exponent: i64, interior: bool) -> Value {
    let significand = (significand as u128) << 100;
    Value::Finite(Finite { negative, significand, exponent: exponent - 100, sticky: interior })
}
