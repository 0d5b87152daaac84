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

/// What the elements of blocks are.
///
/// MX's INT8 is no [`Format`]: the codes of a format are a sign and a magnitude, in everything that knows formats, and this one
/// has two's complement, with one negative number more than there are positive ones. Its other numbers are those of a format
/// with one exponent bit, though, evenly spaced; that is its [grid](Element::grid), to which it is rounded by the same one rounding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Element {
    /// Codes of a format.
    Float(Format),
    /// MXINT8 (OCP MX 1.0): two's complement integers of 8 bits, in units of 2^−6.
    ///
    /// −2, code 0x80, is read and never made, so that what is clamped is symmetric about 0: −127/64 … 127/64. There is
    /// neither NaN nor infinity, which are the scale's matter, nor subnormals, so that no result underflows.
    Int8,
}

/// The names of [`Element::Int8`].
const INT8_NAMES: [&str; 2] = ["mxint8", "int8"];

/// k / 64 for |k| < 128, as signs and magnitudes.
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
    /// Bits of a code.
    pub const fn width(self) -> u32 {
        self.grid().width()
    }

    /// The format whose values results are rounded to. Codes are its codes, but for those of [`Element::Int8`], which
    /// [`Element::coded`] makes of them.
    pub const fn grid(self) -> Format {
        match self {
            Element::Float(format) => format,
            Element::Int8 => INT8_GRID,
        }
    }

    /// What a code stands for; integers as numbers of bfloat16, which has them all.
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
    /// If the code has more bits than there are.
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

    /// The code in binary, as [`table::bits_text`] has it; integers with the point where their units have it.
    pub fn bits_text(self, code: u64) -> String {
        match self {
            Element::Float(format) => table::bits_text(format, code),
            Element::Int8 => format!("{:02b}.{:06b}", code >> 6 & 3, code & 0x3f),
        }
    }

    /// The class of a code; integers are normal or zero.
    ///
    /// # Errors
    /// As [`Element::datum`].
    pub fn class(self, code: u64) -> Result<Class, DatumError> {
        let datum = self.datum(code)?;
        Ok(classify(datum.format(), datum.code()))
    }

    /// A row of the table, as [`table::row`] has it: `0x81 = 10.000001 = -127×2^-6 = -1.984375`.
    ///
    /// # Errors
    /// As [`Element::datum`].
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

    /// A result on the [grid](Element::grid) as a code of elements, with the flags that these have.
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

/// A sign and seven bits as two's complement; the sign alone, which no result has, is 0.
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
    fn int8_every_code_is_its_integer() {
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
    fn int8_rounding_is_of_integers() {
        // Every multiple of 2^−10 in range against integers; ties to even ones.
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
    fn int8_rows() {
        let row = |code| Element::Int8.row(code).unwrap();
        assert_eq!(row(0x81), "0x81 = 10.000001 = -127×2^-6 = -1.984375");
        assert_eq!(row(0x01), "0x01 = 00.000001 = +1×2^-6 = 0.015625");
        assert_eq!(row(0), "0x00 = 00.000000 = 0.0");
        assert_eq!(Element::Int8.class(0xff), Ok(Class::NegativeNormal));
        assert_eq!(text::parse_code(b"10.000001", Element::Int8.grid()), Some(0x81));
    }

    #[test]
    fn names_are_read() {
        assert_eq!("MXINT8".parse(), Ok(Element::Int8));
        assert_eq!("int8".parse(), Ok(Element::Int8));
        assert_eq!(Element::Int8.to_string(), "mxint8");
        let e2m1: Element = "mxfp4".parse().unwrap();
        assert_eq!((e2m1.to_string().as_str(), e2m1.width()), ("float4_e2m1fn", 4));
        assert!("int9".parse::<Element>().is_err());
    }
}
