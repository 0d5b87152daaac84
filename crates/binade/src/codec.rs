//! Decoding of codes to exact values, and their classes.

use thiserror::Error;

use crate::exact::{Finite, Value};
use crate::format::{Format, NanCodes, Subnormals};

/// The value of a code (P3109 §4.6.1). Bits above the format's width are ignored.
#[inline]
pub fn decode(format: Format, code: u64) -> Value {
    let code = code & format.last_code();
    let magnitude = code & format.magnitude_mask();
    let negative = code & format.sign_bit() != 0;
    if magnitude > format.max_finite_code() {
        return if format.infinities() && magnitude == format.max_finite_code() + 1 {
            Value::Infinite { negative }
        } else {
            Value::Nan { negative }
        };
    }
    if magnitude == 0 && negative && !format.negative_zero() && format.subnormals() != Subnormals::None {
        return match format.nan() {
            NanCodes::NegativeZero => Value::Nan { negative },
            // A redundant zero: never produced, and read as the format's only zero.
            _ => Value::Finite(Finite::zero(false)),
        };
    }
    Value::Finite(match on_line(format, magnitude) {
        zero if zero.is_zero() => Finite::zero(negative && format.negative_zero()),
        x => Finite { negative, ..x },
    })
}

/// The magnitude at a position of the format's code line. Past the largest finite code the line continues with larger
/// exponents.
#[inline]
pub fn on_line(format: Format, magnitude: u64) -> Finite {
    let trailing = format.trailing_bits();
    let (field, t) = ((magnitude >> trailing) as i64, magnitude & ((1 << trailing) - 1));
    // The value is t, with the implicit bit in normal binades, in units of 2^(exponent − (P − 1)).
    let (significand, exponent) = if field > 0 {
        (t | 1 << trailing, field - format.bias() as i64)
    } else {
        match format.subnormals() {
            Subnormals::Ieee => (t, 1 - format.bias() as i64),
            Subnormals::Tesla => (t, -format.bias() as i64),
            Subnormals::Flush => (0, 0),
            Subnormals::None => (t | 1 << trailing, -format.bias() as i64),
        }
    };
    match significand {
        0 => Finite::zero(false),
        _ => Finite::new(false, significand as u128, exponent - trailing as i64),
    }
}

/// The classes of P3109 Table 4. −0 is a zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// Not a number.
    Nan,
    /// −∞.
    NegativeInfinity,
    /// Negative, not below the smallest normal in magnitude.
    NegativeNormal,
    /// Negative, nonzero, below the smallest normal in magnitude.
    NegativeSubnormal,
    /// Zero, of either sign, and codes that are read as zero.
    Zero,
    /// Positive, below the smallest normal.
    PositiveSubnormal,
    /// Positive, not below the smallest normal.
    PositiveNormal,
    /// +∞.
    PositiveInfinity,
}

impl Class {
    /// The snake-case name, such as `positive_normal`.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Nan => "nan",
            Class::NegativeInfinity => "negative_infinity",
            Class::NegativeNormal => "negative_normal",
            Class::NegativeSubnormal => "negative_subnormal",
            Class::Zero => "zero",
            Class::PositiveSubnormal => "positive_subnormal",
            Class::PositiveNormal => "positive_normal",
            Class::PositiveInfinity => "positive_infinity",
        }
    }
}

/// The class of a code (P3109 §4.10.4).
pub fn classify(format: Format, code: u64) -> Class {
    match decode(format, code) {
        Value::Nan { .. } => Class::Nan,
        Value::Infinite { negative: true } => Class::NegativeInfinity,
        Value::Infinite { negative: false } => Class::PositiveInfinity,
        Value::Finite(x) if x.is_zero() => Class::Zero,
        Value::Finite(x) => match (format.below_normal(code & format.magnitude_mask()), x.negative) {
            (true, true) => Class::NegativeSubnormal,
            (true, false) => Class::PositiveSubnormal,
            (false, true) => Class::NegativeNormal,
            (false, false) => Class::PositiveNormal,
        },
    }
}

/// True if a format produces the code. It does not produce flushed subnormals, nor the sign-only code if that is
/// neither −0 nor NaN. NaNs with any payload count as canonical, as in IEEE 754.
pub fn is_canonical(format: Format, code: u64) -> bool {
    let magnitude = code & format.magnitude_mask();
    let flushed =
        format.subnormals() == Subnormals::Flush && magnitude != 0 && format.below_normal(magnitude);
    let redundant_zero = magnitude == 0
        && code & format.sign_bit() != 0
        && !format.negative_zero()
        && !matches!(format.nan(), NanCodes::NegativeZero)
        && format.subnormals() != Subnormals::None;
    !flushed && !redundant_zero
}

/// A code together with its format: IEEE 754's floating-point datum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Datum {
    format: Format,
    code: u64,
}

/// A code with more bits than its format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("code {code:#x} has more bits than {format}: the largest is {:#x}", .format.last_code())]
pub struct DatumError {
    /// The code.
    pub code: u64,
    /// The format.
    pub format: Format,
}

impl Datum {
    /// A code of a format.
    ///
    /// # Errors
    /// If the code has more bits than the format is wide.
    #[inline]
    pub const fn new(format: Format, code: u64) -> Result<Datum, DatumError> {
        if code > format.last_code() { Err(DatumError { code, format }) } else { Ok(Datum { format, code }) }
    }

    /// The format.
    #[inline]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// The code.
    #[inline]
    pub const fn code(&self) -> u64 {
        self.code
    }

    /// This datum, or 0 if it is −0, as P3109 4.0 reads formats that have −0 (§4.8.1).
    #[inline]
    pub const fn without_negative_zero(self) -> Datum {
        let magnitude = self.code & self.format.magnitude_mask();
        let flushed =
            matches!(self.format.subnormals(), Subnormals::Flush) && self.format.below_normal(magnitude);
        let zero = (magnitude == 0 || flushed) && self.format.negative_zero() && self.code != magnitude;
        Datum { code: if zero { 0 } else { self.code }, ..self }
    }

    /// The exact value.
    #[inline]
    pub fn value(&self) -> Value {
        decode(self.format, self.code)
    }

    /// True if this is a nonzero subnormal code, even if the format reads it as zero: the condition of the Denormal
    /// flag for operands.
    #[inline]
    pub const fn is_denormal(&self) -> bool {
        let magnitude = self.code & self.format.magnitude_mask();
        magnitude != 0 && magnitude <= self.format.max_finite_code() && self.format.below_normal(magnitude)
    }
}
