//! The rounding error of a result as text.

use alloc::format;
use alloc::string::String;

use super::{hex, scientific};
use crate::catalog::F64;
use crate::exact::{Finite, Value};
use crate::round::{Projection, project};

/// value − input: a hexadecimal float if it is exact in 126 bits, otherwise `≈` and a decimal.
pub fn error(value: Value, input: Value) -> String {
    let (Value::Finite(value), Value::Finite(input)) = (value, input) else {
        let error = match (value, input) {
            (Value::Infinite { negative: a }, Value::Infinite { negative: b }) if a == b => {
                Value::Finite(Finite::zero(false))
            }
            (Value::Infinite { .. }, Value::Finite(_)) => value,
            (Value::Finite(_) | Value::Infinite { .. }, Value::Infinite { negative }) => {
                Value::Infinite { negative: !negative }
            }
            _ => Value::UNDEFINED,
        };
        return hex(error);
    };
    match difference(value, input) {
        error if error.sticky => format!("≈{}", approximate(Finite { sticky: false, ..error })),
        error => hex(Value::Finite(error)),
    }
}

/// [`error`] for the text of an input, from which [`super::parse`] made a value. The value of a decimal beyond
/// 10^±70,000 does not have its magnitude, so it is taken from the text.
pub fn error_of_text(value: Value, input: Value, text: &str) -> String {
    let magnitude = text.trim_start_matches(['+', '-']);
    let decimal = !magnitude.starts_with("0x") && !magnitude.starts_with("0X");
    let (Value::Finite(value), Value::Finite(of_text)) = (value, input) else { return error(value, input) };
    match super::scan(magnitude, ['e', 'E'], 10, 1).filter(|_| decimal && of_text.exponent.abs() >= FAR) {
        // A finite value is negligible beside so large a number, and so small a number is negligible beside a nonzero
        // value.
        Some((digits, exponent)) if value.is_zero() || of_text.exponent > 0 => {
            let sign = if of_text.negative { "" } else { "-" };
            format!("≈{sign}{}", leading(digits.trim_start_matches('0'), exponent))
        }
        Some(_) => format!("≈{}", approximate(value)),
        None => error(Value::Finite(value), input),
    }
}

/// Exponents of decimals whose value does not have their magnitude.
const FAR: i64 = 1 << 39;

/// The first digits of digits · 10^exponent, truncated.
fn leading(digits: &str, exponent: i64) -> String {
    let exponent = exponent.saturating_add(digits.len() as i64 - 1);
    let (first, fraction) = digits.split_at(digits.len().min(1));
    let fraction = fraction.get(..15).unwrap_or(fraction).trim_end_matches('0');
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{first}{point}{fraction}e{exponent}")
}

/// The largest binary exponent of a number that is written as a decimal.
const LONGEST: i64 = 1 << 18;

/// A number as a decimal: the shortest that binary64 reads as the same number. If binary64 has fewer than 53 bits for
/// it, or no such number, 16 digits.
///
/// Beyond the exponents of any format, whose decimal expansion would be long, it is a hexadecimal float of 53 bits.
fn approximate(x: Finite) -> String {
    if !x.is_zero() && x.log2_floor().abs() > LONGEST {
        let down = (128 - x.significand.leading_zeros()).saturating_sub(53);
        return hex(Value::Finite(Finite::new(
            x.negative,
            x.significand >> down,
            x.exponent + i64::from(down),
        )));
    }
    let normal = !x.is_zero() && (F64.emin() as i64..F64.emax() as i64).contains(&x.log2_floor());
    match normal || x.is_zero() {
        true => format!("{:e}", f64::from_bits(project(F64, Value::Finite(x), Projection::default()).code)),
        false => scientific(Value::Finite(x)).replace(".0e", "e"),
    }
}

/// x − y. If 126 bits cannot represent it exactly it is sticky, with an error beyond the 60th bit of the larger
/// operand.
fn difference(x: Finite, y: Finite) -> Finite {
    let top = |v: &Finite| if v.is_zero() { i64::MIN } else { v.log2_floor() };
    // A unit in which both fit 126 bits; the finer of their own units if possible.
    let finest = [x, y].iter().filter(|v| !v.is_zero()).map(|v| v.exponent).min().unwrap_or(0);
    let unit = finest.max(top(&x).max(top(&y)).saturating_sub(125));
    let mut sticky = false;
    let mut in_units = |v: Finite| {
        let shift = v.exponent - unit;
        let magnitude = match shift {
            0.. => v.significand.checked_shl(shift.min(200) as u32).unwrap_or(0),
            _ => {
                let kept = v.significand.checked_shr(shift.unsigned_abs().min(200) as u32).unwrap_or(0);
                sticky |=
                    kept.checked_shl(shift.unsigned_abs().min(200) as u32).unwrap_or(0) != v.significand;
                kept
            }
        };
        sticky |= v.sticky;
        if v.negative { -(magnitude as i128) } else { magnitude as i128 }
    };
    let difference = in_units(x) - in_units(y);
    Finite { negative: difference < 0, significand: difference.unsigned_abs(), exponent: unit, sticky }
}

#[cfg(test)]
mod tests {
    use crate::text::parse;

    #[test]
    fn errors_of_results_are_exact_or_rounded() {
        let error = |value: &str, input: &str| super::error(parse(value).unwrap(), parse(input).unwrap());
        assert_eq!(error("1", "1"), "0x0p+0");
        assert_eq!(error("0", "0"), "0x0p+0");
        assert_eq!(error("1.5", "1.375"), "0x1p-3");
        assert_eq!(error("-1.5", "-1.375"), "-0x1p-3");
        assert_eq!(error("0", "-0x1p-60000"), "0x1p-60000");
        assert_eq!(error("0x1p20", "0x1.00001p20"), "-0x1p+0");
        // One tenth is not a sum of powers of two; the nearest to it of binary16 is 0x1.998p-4.
        assert_eq!(error("0x1.998p-4", "0.1"), "≈-2.44140625e-5");
        assert_eq!(error("1", "0x1p-200"), "≈1e0");
        assert_eq!(error("0x1p-200", "1"), "≈-1e0");
        assert_eq!(error("1", "0x1p+2000000000"), "≈-0x1p+2000000000");
        assert_eq!(error("448", "inf"), "-inf");
        assert_eq!(error("inf", "inf"), "0x0p+0");
        assert_eq!(error("-inf", "-1e9"), "-inf");
        assert_eq!(error("inf", "-inf"), "inf");
        assert_eq!(error("nan", "1"), "nan");
        assert_eq!(error("1", "nan"), "nan");
    }

    /// Errors of inputs that are no sums of powers of two, by decimal arithmetic of 80 digits (Python's decimal).
    #[test]
    fn errors_beyond_binary64_keep_their_magnitude() {
        let error =
            |value: &str, text: &str| super::error_of_text(parse(value).unwrap(), parse(text).unwrap(), text);
        // The nearest number of binary64 to 1e-320 is 2024 · 2^−1074.
        assert_eq!(error("0x1.fap-1064", "1e-320"), "≈-1.113281731699459e-325");
        assert_eq!(error("0x0p+0", "1e-400"), "≈-1e-400");
        assert_eq!(error("0x0p+0", "-1.25e-400"), "≈1.25e-400");
        assert_eq!(error("0x1.fffffffffffffp+1023", "1e400"), "≈-1e400");
        assert_eq!(error("0x1p-60000", "1e-400"), "≈-1e-400");
        // 2^−60000 = 1.6e-18062
        assert_eq!(error("0x1p-60000", "1e-30000"), "≈1.585842896277363e-18062");
        // Inputs far beyond the values of all formats.
        assert_eq!(error("0x0p+0", "1e-80000"), "≈-1e-80000");
        assert_eq!(error("0x0p+0", "-0.00125e-80000"), "≈1.25e-80003");
        assert_eq!(error("0x1p+60000", "-123456789012345678e80000"), "≈1.234567890123456e80017");
        assert_eq!(error("0x1p-60000", "1e-80000"), "≈1.585842896277363e-18062");
        assert_eq!(error("0x0p+0", "0x1p-2000000"), "-0x1p-2000000");
        assert_eq!(error("inf", "1e80000"), "inf");
        assert_eq!(error("0x1.ap-4", "0.1"), "≈1.5625e-3");
    }
}
