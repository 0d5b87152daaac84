//! The error of a result as text.

use alloc::format;
use alloc::string::String;

use super::hex;
use crate::catalog::F64;
use crate::exact::{Finite, Value};
use crate::round::{Projection, project};

/// value − input: a hexadecimal float where it is exact in 126 bits, otherwise `≈` and a decimal.
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
    let error = difference(value, input);
    if error.sticky {
        let binary64 = project(F64, Value::Finite(Finite { sticky: false, ..error }), Projection::default());
        format!("≈{:e}", f64::from_bits(binary64.code))
    } else {
        hex(Value::Finite(error))
    }
}

/// x − y; sticky, with an error beyond the 60th bit of the larger operand, where 126 bits cannot hold it exactly.
fn difference(x: Finite, y: Finite) -> Finite {
    let top = |v: &Finite| if v.is_zero() { i64::MIN } else { v.log2_floor() };
    // A unit in which both fit 126 bits; the finer of their own units if that will do.
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
    fn errors() {
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
        assert_eq!(error("448", "inf"), "-inf");
        assert_eq!(error("inf", "inf"), "0x0p+0");
        assert_eq!(error("-inf", "-1e9"), "-inf");
        assert_eq!(error("inf", "-inf"), "inf");
        assert_eq!(error("nan", "1"), "nan");
        assert_eq!(error("1", "nan"), "nan");
    }
}
