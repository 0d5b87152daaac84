//! What the types have in common, written once for all of them.

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

use thiserror::Error;

use super::types::{BINARY32, BINARY64};
use crate::codec::{Class, Datum, DatumError};
use crate::exact::Value;
use crate::flags::Flags;
use crate::format::{Format, NanCodes};
use crate::ops;
use crate::round::{Projection, Rounded, project};
use crate::text::{self, ValueError};

pub trait Sealed {
    /// The number of a code that the format has.
    fn trusted(code: u64) -> Self;
}

/// A number of a format that is fixed by its type, for generic code.
///
/// ```
/// use binade::typed::{F4E2M1FN, Narrow};
///
/// fn largest_error<T: Narrow>(data: &[f64]) -> f64 {
///     data.iter().map(|&x| (T::from_f64(x).to_f64() - x).abs()).fold(0.0, f64::max)
/// }
/// assert_eq!(largest_error::<F4E2M1FN>(&[0.5, 1.2, 5.5]), 0.5); // 5.5 rounds to 6
/// ```
pub trait Narrow:
    Sealed + Copy + fmt::Debug + fmt::Display + FromStr<Err = ValueError> + PartialOrd + Send + Sync + 'static
{
    /// The format.
    const FORMAT: Format;

    /// The code.
    fn code(self) -> u64;

    /// The number of a code.
    ///
    /// # Errors
    /// If the format has no such code.
    #[inline]
    fn from_code(code: u64) -> Result<Self, DatumError> {
        Datum::new(Self::FORMAT, code).map(|datum| Self::trusted(datum.code()))
    }

    /// Code and format, as the operations of [`ops`] take them.
    #[inline]
    fn datum(self) -> Datum {
        Datum::new(Self::FORMAT, self.code()).expect("a number of the type has a code of the format")
    }

    /// The exact value.
    #[inline]
    fn value(self) -> Value {
        crate::decode(Self::FORMAT, self.code())
    }

    /// An exact value rounded and saturated as asked, with the flags that this raises.
    #[inline]
    fn project(value: Value, how: Projection) -> (Self, Flags) {
        let Rounded { code, flags } = project(Self::FORMAT, value, how);
        (Self::trusted(code), flags)
    }

    /// The nearest number to a binary64, rounded once.
    #[inline]
    fn from_f64(x: f64) -> Self {
        Self::project(Value::from_f64(x), Projection::default()).0
    }

    /// The nearest number to a binary32.
    #[inline]
    fn from_f32(x: f32) -> Self {
        Self::from_f64(f64::from(x))
    }

    /// The value as a binary64: exact, for every format that has a type.
    #[inline]
    fn to_f64(self) -> f64 {
        f64::from_bits(project(BINARY64, self.value(), Projection::default()).code)
    }

    /// The value as a binary32: exact, for every format that has a type.
    #[inline]
    fn to_f32(self) -> f32 {
        f32::from_bits(project(BINARY32, self.value(), Projection::default()).code as u32)
    }

    /// The nearest number of another type.
    #[inline]
    fn convert<T: Narrow>(self) -> T {
        T::trusted(ops::convert(self.datum(), T::FORMAT, Projection::default()).code)
    }

    /// self · y + z, rounded once.
    #[inline]
    fn mul_add(self, y: Self, z: Self) -> Self {
        Self::trusted(ops::fma(self.datum(), y.datum(), z.datum(), Self::FORMAT, Projection::default()).code)
    }

    /// |x|.
    #[inline]
    fn abs(self) -> Self {
        unary(ops::abs, self)
    }

    /// √x; NaN below zero.
    #[inline]
    fn sqrt(self) -> Self {
        unary(ops::sqrt, self)
    }

    /// e^x, correctly rounded.
    #[inline]
    fn exp(self) -> Self {
        unary(ops::exp, self)
    }

    /// 2^x, correctly rounded.
    #[inline]
    fn exp2(self) -> Self {
        unary(ops::exp2, self)
    }

    /// The natural logarithm, correctly rounded; −∞ at zero, NaN below.
    #[inline]
    fn ln(self) -> Self {
        unary(ops::log, self)
    }

    /// The logarithm to base 2, correctly rounded; −∞ at zero, NaN below.
    #[inline]
    fn log2(self) -> Self {
        unary(ops::log2, self)
    }

    /// The lesser; NaN if either is.
    #[inline]
    fn minimum(self, y: Self) -> Self {
        binary(ops::minimum, self, y)
    }

    /// The greater; NaN if either is.
    #[inline]
    fn maximum(self, y: Self) -> Self {
        binary(ops::maximum, self, y)
    }

    /// The least value above.
    #[inline]
    fn next_up(self) -> Self {
        unary(ops::next_up, self)
    }

    /// The greatest value below.
    #[inline]
    fn next_down(self) -> Self {
        unary(ops::next_down, self)
    }

    /// The class.
    #[inline]
    fn class(self) -> Class {
        ops::class(self.datum())
    }

    /// Whether this is NaN.
    #[inline]
    fn is_nan(self) -> bool {
        self.value().is_nan()
    }

    /// Whether this is +∞ or −∞.
    #[inline]
    fn is_infinite(self) -> bool {
        matches!(self.value(), Value::Infinite { .. })
    }

    /// Whether this is neither infinite nor NaN.
    #[inline]
    fn is_finite(self) -> bool {
        matches!(self.value(), Value::Finite(_))
    }

    /// The total order of P3109 §4.10.5: NaN first, −0 before +0. [`Total`] sorts by it.
    #[inline]
    fn total_cmp(self, y: Self) -> Ordering {
        ops::compare::total_cmp(self.datum(), y.datum())
    }
}

/// An operation of one operand and a result of the same format.
#[inline]
pub(super) fn unary<T: Narrow>(operation: fn(Datum, Format, Projection) -> Rounded, x: T) -> T {
    T::trusted(operation(x.datum(), T::FORMAT, Projection::default()).code)
}

/// An operation of two operands and a result of the same format.
#[inline]
pub(super) fn binary<T: Narrow>(operation: fn(Datum, Datum, Format, Projection) -> Rounded, x: T, y: T) -> T {
    T::trusted(operation(x.datum(), y.datum(), T::FORMAT, Projection::default()).code)
}

/// A number under the total order: NaN before everything and equal to itself, −0 before +0.
#[derive(Clone, Copy, Debug)]
pub struct Total<T>(pub T);

impl<T: Narrow> PartialEq for Total<T> {
    #[inline]
    fn eq(&self, other: &Total<T>) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T: Narrow> Eq for Total<T> {}

impl<T: Narrow> PartialOrd for Total<T> {
    #[inline]
    fn partial_cmp(&self, other: &Total<T>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Narrow> Ord for Total<T> {
    #[inline]
    fn cmp(&self, other: &Total<T>) -> Ordering {
        self.0.total_cmp(other.0)
    }
}

impl<T: Narrow> Hash for Total<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The order does not tell NaNs apart, nor codes that are read as zero; projecting makes each of them one.
        T::project(self.0.value(), Projection::default()).0.code().hash(state);
    }
}

/// A binary number that a format does not have.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[error("{value} is not a value of {format}: the nearest is {nearest}")]
pub struct NotRepresentable {
    /// The number.
    pub value: f64,
    /// The format.
    pub format: Format,
    /// What the number rounds to.
    pub nearest: f64,
}

/// The number that equals `x`; the sign of a zero and the payload of a NaN may be lost.
pub(super) fn exactly<T: Narrow>(x: f64) -> Result<T, NotRepresentable> {
    let (number, flags) = T::project(Value::from_f64(x), Projection::default());
    if flags == Flags::NONE || (x.is_nan() && T::FORMAT.nan() != NanCodes::None) {
        Ok(number)
    } else {
        Err(NotRepresentable { value: x, format: T::FORMAT, nearest: number.to_f64() })
    }
}

pub(super) fn parse<T: Narrow>(text: &str) -> Result<T, ValueError> {
    Ok(T::project(text::parse(text)?, Projection::default()).0)
}
