//! Rows of value tables, in the notation of P3109's Annex C.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use core::fmt::Write;

use crate::codec::{Class, classify, decode};
use crate::exact::Value;
use crate::format::{Format, Subnormals};
use crate::text;

/// The longest decimal expansion that a row shows in full.
const LONGEST_EXACT: usize = 24;

/// The code in hexadecimal, with as many digits as the format's width needs.
pub fn code_text(format: Format, code: u64) -> String {
    format!("{code:#0digits$x}", digits = 2 + format.width().div_ceil(4) as usize)
}

/// The code in binary: sign, a point, exponent field, an underscore, trailing significand (`0.0001_011`). Parts that a
/// format lacks are omitted with their separators.
pub fn bits_text(format: Format, code: u64) -> String {
    let mut text = String::with_capacity(format.width() as usize + 2);
    if format.signed() {
        text.push(if code & format.sign_bit() != 0 { '1' } else { '0' });
        text.push('.');
    }
    let trailing = format.trailing_bits();
    let field = (code & format.magnitude_mask()) >> trailing;
    let _ = write!(text, "{field:0width$b}", width = format.exponent_bits() as usize);
    if trailing > 0 {
        let _ = write!(text, "_{:0width$b}", code & ((1 << trailing) - 1), width = trailing as usize);
    }
    text
}

/// The value of a code in binary: sign, significand and power of two (`+0b1.011×2^-7`). Empty for zeros, infinities and
/// NaN.
pub fn form_text(format: Format, code: u64) -> String {
    let value = decode(format, code);
    if !matches!(value, Value::Finite(x) if !x.is_zero()) {
        return String::new();
    }
    let trailing = format.trailing_bits();
    let magnitude = code & format.magnitude_mask();
    let (field, t) = ((magnitude >> trailing) as i64, magnitude & ((1 << trailing) - 1));
    let (leading, exponent) = match (field, format.subnormals()) {
        (0, Subnormals::Ieee | Subnormals::Flush) => (0, 1 - format.bias() as i64),
        (0, Subnormals::Tesla) => (0, -format.bias() as i64),
        _ => (1, field - format.bias() as i64),
    };
    let digits =
        if trailing == 0 { "0".to_owned() } else { format!("{t:0width$b}", width = trailing as usize) };
    format!("{}0b{leading}.{digits}×2^{exponent}", if value.negative() { '-' } else { '+' })
}

/// Beyond 2^±FARTHEST no format has a value, and a decimal expansion would be too long.
const FARTHEST: u64 = 1 << 18;

/// The exact decimal expansion, or `≈ ` and 16 digits if it has more than 24 characters. Values beyond all formats are
/// written in hexadecimal.
pub fn short_decimal(value: Value) -> String {
    let distance = match value {
        Value::Finite(x) if !x.is_zero() => x.log2_floor().unsigned_abs(),
        _ => 0,
    };
    if distance > FARTHEST {
        return format!("≈ {}", text::hex(value));
    }
    // Beyond 2^±96 an expansion has more than 28 characters.
    let short = distance < 4 * LONGEST_EXACT as u64;
    match Some(value).filter(|_| short).map(text::decimal) {
        Some(decimal) if decimal.len() <= LONGEST_EXACT => decimal,
        _ => format!("≈ {}", text::scientific(value)),
    }
}

/// A row of the table: `0x0b = 0.0001_011 = +0b1.011×2^-7 = 0.0107421875`. A decimal expansion of more than 24
/// characters is rounded to 16 digits after `≈`.
pub fn row(format: Format, code: u64) -> String {
    let mut row = format!("{} = {} = ", code_text(format, code), bits_text(format, code));
    let value = decode(format, code);
    match classify(format, code) {
        Class::Nan => row.push_str("NaN"),
        Class::PositiveInfinity => row.push_str("Inf"),
        Class::NegativeInfinity => row.push_str("-Inf"),
        Class::Zero => row.push_str(&text::decimal(value)),
        _ => {
            let decimal = short_decimal(value);
            let equals = if decimal.starts_with('≈') { "" } else { "= " };
            let _ = write!(row, "{} {equals}{decimal}", form_text(format, code));
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Spec;

    fn row_of(name: &str, code: u64) -> String {
        row(name.parse::<Spec>().unwrap().format, code)
    }

    /// The samples of P3109 0.9.1 Annex C, and its Table 3 for long rows.
    #[test]
    fn rows_equal_those_of_p3109() {
        assert_eq!(row_of("binary8p4", 0x0b), "0x0b = 0.0001_011 = +0b1.011×2^-7 = 0.0107421875");
        assert_eq!(row_of("binary8p4", 0x05), "0x05 = 0.0000_101 = +0b0.101×2^-7 = 0.0048828125");
        assert_eq!(row_of("binary8p4", 0x80), "0x80 = 1.0000_000 = NaN");
        assert_eq!(row_of("binary8p4", 0xff), "0xff = 1.1111_111 = -Inf");
        assert_eq!(row_of("binary8p4", 0), "0x00 = 0.0000_000 = 0.0");
        assert_eq!(row_of("binary8p1", 1), "0x01 = 0.0000001 = +0b1.0×2^-62 ≈ 2.168404344971009e-19");
        assert_eq!(row_of("cfloat8_1_4_3@bias=0", 0x87), "0x87 = 1.0000_111 = -0b0.111×2^0 = -0.875");
        assert_eq!(row_of("float8_e8m0fnu", 0x80), "0x80 = 10000000 = +0b1.0×2^1 = 2.0");
        assert_eq!(row_of("float4_e2m1fn", 0xf), "0xf = 1.11_1 = -0b1.1×2^2 = -6.0");
    }

    #[test]
    fn decimals_of_any_size_are_short() {
        let short = |text: &str| short_decimal(text::parse(text).unwrap());
        assert_eq!(["0.1875", "-0", "inf", "nan"].map(short), ["0.1875", "-0.0", "inf", "nan"]);
        assert_eq!(short("0x1p-140000"), "≈ 6.318398926894324e-42145");
        assert_eq!(short("0x1p999999999999"), "≈ 0x1p+999999999999");
        assert!(short("1e-99999").starts_with("≈ 0x1"));
    }
}
