//! Rounding to the powers of two that a format of a single bit of precision consists of, within binary64.

use binade::{Format, NanCodes, Subnormals, Value};

/// The rounding of a binary64 to such a format, nearest even; numbers are bits of binary64.
///
/// Adding half a step less one, and one if a tie is to go up, carries into the exponent where the magnitude rounds up. A tie
/// goes to the even code, so up from an odd one, and codes are exponents less a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Power {
    /// True if odd codes have even exponent fields.
    pub(super) odd_if_even: bool,
    /// The smallest number above zero.
    pub(super) smallest: u64,
    /// The least magnitude that rounds to it, and not to zero.
    pub(super) least: u64,
    /// The least magnitude that overflows.
    pub(super) bound: u64,
    /// The result of overflow: infinity or NaN, to which the sign is added.
    pub(super) overflow: u64,
    pub(super) signed: bool,
    pub(super) negative_zero: bool,
    /// True if it has a zero; otherwise that becomes NaN.
    pub(super) zero: bool,
}

impl Power {
    /// The constants; `None` for other formats, and for those without NaN or beyond the normal numbers of binary64.
    pub(super) fn new(format: Format) -> Option<Power> {
        let (emin, emax) = (format.emin(), format.emax());
        let fits = format.precision() == 1 && format.nan() != NanCodes::None && emin > -1000 && emax < 1000;
        if !fits {
            return None;
        }
        let power = |exponent: i32| ((exponent + 1023) as u64) << 52;
        let zero = format.subnormals() != Subnormals::None;
        let odd = |code: u64| code % 2 == 1;
        // One and a half times the largest number. A tie overflows where that has an odd code.
        let middle = power(emax) | 1 << 51;
        let largest = match binade::decode(format, format.max_finite_code()) {
            Value::Finite(_) => format.max_finite_code(),
            _ => return None,
        };
        Some(Power {
            odd_if_even: odd(format.min_normal_code()) == (power(emin) >> 52).is_multiple_of(2),
            smallest: power(emin),
            // A tie goes to zero, whose code is even.
            least: if zero { power(emin - 1) + 1 } else { 1 },
            bound: middle + !odd(largest) as u64,
            overflow: if format.infinities() { f64::INFINITY.to_bits() } else { f64::NAN.to_bits() },
            signed: format.signed(),
            negative_zero: format.negative_zero(),
            zero,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use binade::{Operator, Projection, Rounding, Saturation, project};

    /// The edges of the constants, against the projection of the numbers there.
    #[test]
    fn ties_go_where_the_projection_takes_them() {
        for name in
            ["e8m0fnu", "binary8p1", "binary8p1se", "binary8p1uf", "binary8p1ue", "binary6p1sf", "binary5p1"]
        {
            let operator: Operator = format!("f32:{name}").parse().unwrap();
            let format = operator.as_pair().unwrap().1;
            let power = Power::new(format).unwrap();
            let how = Projection::new(Rounding::NearestEven, Saturation::Overflow);
            let code = |bits: u64| project(format, Value::from_f64(f64::from_bits(bits)), how).code;
            assert_eq!(code(power.least), code(power.smallest), "{name}: the least");
            assert_ne!(code(power.least), code(0), "{name}: the least");
            assert_eq!(code(power.least - 1), code(0), "{name}: below the least");
            assert_eq!(Some(code(0)) == format.nan_code(), !power.zero, "{name}: zero");
            assert_eq!(code(power.bound - 1), format.max_finite_code(), "{name}: below the bound");
            let beyond = match format.infinities() {
                true => format.infinity_code(),
                false => format.nan_code(),
            };
            assert_eq!(Some(code(power.bound)), beyond, "{name}: the bound");
            for exponent in format.emin()..format.emax() {
                let field = (exponent + 1023) as u64;
                let up = code(field << 52 | 1 << 51) == code((field + 1) << 52);
                assert_eq!(up, (field % 2 == 1) != power.odd_if_even, "{name}: 1.5 · 2^{exponent}");
            }
        }
        assert_eq!(Power::new(binade::catalog::BF16), None);
    }
}
