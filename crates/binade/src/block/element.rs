//! Elements of blocks: floating-point formats, and OCP MX's 8-bit fixed point.

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use crate::catalog::BF16;
use crate::codec::{Class, Datum, DatumError, classify};
use crate::exact::{Finite, Value};
use crate::flags::Flags;
use crate::format::{Fields, Format, NanCodes, Subnormals};
use crate::round::{Projection, Rounded, project};
use crate::spec::{Spec, SpecError};
use crate::table::{self, code_text};
use crate::text;

/// The type of a block's elements.
///
/// MX's INT8 is not a [`Format`]. The codes of a format are a sign and a magnitude, and all code that handles formats
/// relies on it. INT8 is two's complement, with one more negative number than positive ones. But its other numbers are
/// those of an evenly spaced format with one exponent bit. That is its [grid](Element::grid), to which the one rounding
/// rounds it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Element {
    /// Codes of a format.
    Float(Format),
    /// MXINT8 (OCP MX 1.0): two's complement integers of 8 bits, in units of 2^−6.
    ///
    /// −2, code 0x80, is read but never produced, so the clamped range is symmetric: −127/64 … 127/64. There is neither
    /// NaN nor infinity, which the scale must represent. There are no subnormals, so no result underflows.
    Int8,
}

/// The names of [`Element::Int8`].
const INT8_NAMES: [&str; 2] = ["mxint8", "int8"];

/// The format of k / 64 for |k| < 128, as signs and magnitudes.
const INT8_GRID: Format = Format::constant(Fields {
    width: 8,
    precision: 7,
    bias: 1,
    signed: true,
    infinities: false,
    nan: NanCodes::None,
    negative_zero: false,
    subnormals: Subnormals::Ieee,
});

impl Element {
    /// Width of a code in bits.
    pub const fn width(self) -> u32 {
        self.grid().width()
    }

    /// The format to whose values results are rounded. Codes are its codes, except those of [`Element::Int8`], which
    /// [`Element::coded`] converts.
    pub const fn grid(self) -> Format {
        match self {
            Element::Float(format) => format,
            Element::Int8 => INT8_GRID,
        }
    }

    /// The value of a code. Integers are numbers of bfloat16, which represents all of them.
    ///
    /// ```
    /// use binade::block::Element;
    /// use binade::text::hex;
    /// assert_eq!(hex(Element::Int8.datum(0x80)?.value()), "-0x1p+1");
    /// assert_eq!(hex(Element::Int8.datum(0x7f)?.value()), "0x1.fcp+0");
    /// # Ok::<(), binade::DatumError>(())
    /// ```
    ///
    /// # Errors
    /// If the code has more bits than an element.
    pub fn datum(self, code: u64) -> Result<Datum, DatumError> {
        let datum = Datum::new(self.grid(), code)?;
        match self {
            Element::Float(_) => Ok(datum),
            Element::Int8 => {
                let integer = code as u8 as i8;
                let value = Finite::new(integer < 0, integer.unsigned_abs().into(), -6);
                let value = if integer == 0 { Value::ZERO } else { Value::Finite(value) };
                Datum::new(BF16, project(BF16, value, Projection::default()).code)
            }
        }
    }

    /// The code in binary, as by [`table::bits_text`]; integers have a point before their fraction bits.
    pub fn bits_text(self, code: u64) -> String {
        match self {
            Element::Float(format) => table::bits_text(format, code),
            Element::Int8 => format!("{:02b}.{:06b}", code >> 6 & 3, code & 0x3f),
        }
    }

    /// The class of a code; integers are normal or zero.
    ///
    /// # Errors
    /// The errors of [`Element::datum`].
    pub fn class(self, code: u64) -> Result<Class, DatumError> {
        let datum = self.datum(code)?;
        Ok(classify(datum.format(), datum.code()))
    }

    /// A row of the table, as by [`table::row`]: `0x81 = 10.000001 = -127×2^-6 = -1.984375`.
    ///
    /// # Errors
    /// The errors of [`Element::datum`].
    pub fn row(self, code: u64) -> Result<String, DatumError> {
        let value = self.datum(code)?.value();
        Ok(match self {
            Element::Float(format) => table::row(format, code),
            Element::Int8 => {
                let (code_text, bits) = (code_text(INT8_GRID, code), self.bits_text(code));
                let (integer, decimal) = (code as u8 as i8, text::decimal(value));
                match integer {
                    0 => format!("{code_text} = {bits} = {decimal}"),
                    _ => format!("{code_text} = {bits} = {integer:+}×2^-6 = {decimal}"),
                }
            }
        })
    }

    /// Converts a result on the [grid](Element::grid) to a code of the elements, with the flags that these raise.
    pub fn coded(self, rounded: Rounded) -> Rounded {
        match self {
            Element::Float(_) => rounded,
            Element::Int8 => Rounded {
                code: u64::from(to_twos_complement(rounded.code as u8)),
                flags: rounded.flags.without(Flags::UNDERFLOW),
            },
        }
    }
}

/// Converts a sign and seven bits to two's complement. The sign alone, which no result is, becomes 0.
const fn to_twos_complement(code: u8) -> u8 {
    let magnitude = code & 0x7f;
    if code == magnitude { magnitude } else { magnitude.wrapping_neg() }
}

impl From<Format> for Element {
    fn from(format: Format) -> Element {
        Element::Float(format)
    }
}

impl FromStr for Element {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Element, SpecError> {
        match INT8_NAMES.iter().any(|name| name.eq_ignore_ascii_case(text.trim())) {
            true => Ok(Element::Int8),
            false => Ok(Element::Float(text.parse::<Spec>()?.format)),
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Element::Float(format) => format.fmt(f),
            Element::Int8 => f.write_str(INT8_NAMES[0]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::F64;
    use crate::{Rounding, Saturation};

    #[test]
    fn int8_codes_decode_to_their_integers() {
        for code in 0..=255u64 {
            let datum = Element::Int8.datum(code).unwrap();
            let value = f64::from_bits(project(F64, datum.value(), Projection::default()).code);
            assert_eq!(value, f64::from(code as u8 as i8) / 64.0);
            assert!(!datum.is_denormal());
            // Back: all but −2, which is clamped.
            let how = Projection::new(Rounding::NearestEven, Saturation::Max);
            let back = Element::Int8.coded(project(Element::Int8.grid(), datum.value(), how));
            let (wanted, flags) =
                if code == 0x80 { (0x81, Flags::OVERFLOW | Flags::INEXACT) } else { (code, Flags::NONE) };
            assert_eq!((back.code, back.flags), (wanted, flags));
        }
        assert!(Element::Int8.datum(256).is_err());
    }

    #[test]
    fn int8_rounding_equals_integer_rounding() {
        // Every multiple of 2^−10 in range, against integers; ties to even.
        for sixteenths in -2047i32..=2047 {
            let value = f64::from(sixteenths) / 1024.0;
            let how = Projection::new(Rounding::NearestEven, Saturation::Max);
            let got = Element::Int8.coded(project(Element::Int8.grid(), Value::from_f64(value), how));
            let wanted = (f64::from(sixteenths) / 16.0).round_ties_even().clamp(-127.0, 127.0);
            assert_eq!(got.code as u8 as i8, wanted as i8, "{value}");
            assert!(!got.flags.contains(Flags::UNDERFLOW));
        }
    }

    #[test]
    fn int8_rows_show_bits_and_value() {
        let row = |code| Element::Int8.row(code).unwrap();
        assert_eq!(row(0x81), "0x81 = 10.000001 = -127×2^-6 = -1.984375");
        assert_eq!(row(0x01), "0x01 = 00.000001 = +1×2^-6 = 0.015625");
        assert_eq!(row(0), "0x00 = 00.000000 = 0.0");
        assert_eq!(Element::Int8.class(0xff), Ok(Class::NegativeNormal));
        assert_eq!(text::parse_code(b"10.000001", Element::Int8.grid()), Some(0x81));
    }

    #[test]
    fn element_names_parse() {
        assert_eq!("MXINT8".parse(), Ok(Element::Int8));
        assert_eq!("int8".parse(), Ok(Element::Int8));
        assert_eq!(Element::Int8.to_string(), "mxint8");
        let e2m1: Element = "e2m1".parse().unwrap();
        assert_eq!((e2m1.to_string().as_str(), e2m1.width()), ("float4_e2m1fn", 4));
        assert!("int9".parse::<Element>().is_err());
        // The name of a block format is not the name of its elements.
        assert!(
            "mxfp4".parse::<Element>().unwrap_err().to_string().contains("name its elements, float4_e2m1fn")
        );
    }
}
