//! Helpers that the tests share.
#![allow(dead_code, reason = "each test uses its part")]

use binade::{Datum, Format, Projection, Rounded, Rounding, Saturation, Spec, Value, decode, project, text};

/// The format of this name.
pub(crate) fn format(name: &str) -> Format {
    name.parse::<Spec>().unwrap().format
}

/// The datum of a code that the format has.
pub(crate) fn datum(format: Format, code: u64) -> Datum {
    Datum::new(format, code).unwrap()
}

/// The value of a text.
pub(crate) fn value(text: &str) -> Value {
    text::parse(text).unwrap()
}

/// A value of a code in hexadecimal.
pub(crate) fn hex(format: Format, code: u64) -> String {
    text::hex(decode(format, code))
}

/// A text rounded to a format.
pub(crate) fn round(format: Format, text: &str, rounding: Rounding, saturation: Saturation) -> Rounded {
    project(format, value(text), Projection { rounding, saturation })
}

/// A text rounded to nearest, overflowing.
pub(crate) fn nearest(format: Format, text: &str) -> Rounded {
    round(format, text, Rounding::NearestEven, Saturation::Overflow)
}
