//! Exact sums of binary64 numbers, rounded to a format once.

use binade::catalog::F32;
use binade::{Finite, Format, Projection, Rounding, Saturation, Value, project};

/// 64-bit limbs: the unit is the least subnormal 2^−1074, and the sum of 2^64 numbers below 2^1024 fits with a sign.
const LIMBS: usize = 35;
/// Exponent of the unit in the last place.
const UNIT: i64 = -1074;

/// An exact sum in two's complement, with the effect of infinities and NaN.
#[derive(Clone)]
pub(crate) struct Exact {
    limbs: [u64; LIMBS],
    nan: bool,
    /// True for +∞ and for −∞ if it has been added.
    infinite: [bool; 2],
}

impl Exact {
    pub(crate) fn zero() -> Exact {
        Exact { limbs: [0; LIMBS], nan: false, infinite: [false; 2] }
    }

    /// Adds x, exactly.
    pub(crate) fn add(&mut self, x: f64) {
        if !x.is_finite() {
            self.nan |= x.is_nan();
            self.infinite[(x < 0.0) as usize] |= !x.is_nan();
            return;
        }
        let field = (x.to_bits() >> 52 & 0x7ff) as usize;
        let trailing = x.to_bits() & ((1 << 52) - 1);
        let (significand, shift) = if field == 0 { (trailing, 0) } else { (trailing | 1 << 52, field - 1) };
        let wide = (significand as u128) << (shift % 64);
        let (first, words) = (shift / 64, [wide as u64, (wide >> 64) as u64]);
        let mut carry = false;
        for at in first..LIMBS {
            let word = words.get(at - first).copied().unwrap_or(0);
            if at >= first + 2 && !carry {
                break;
            }
            let limb = &mut self.limbs[at];
            (*limb, carry) = if x > 0.0 {
                let (sum, over) = limb.overflowing_add(word);
                let (sum, again) = sum.overflowing_add(carry as u64);
                (sum, over | again)
            } else {
                let (rest, under) = limb.overflowing_sub(word);
                let (rest, again) = rest.overflowing_sub(carry as u64);
                (rest, under | again)
            };
        }
    }

    /// The sum. An exact zero is +0.
    pub(crate) fn value(&self) -> Value {
        match (self.nan, self.infinite) {
            (true, _) | (_, [true, true]) => return Value::UNDEFINED,
            (_, [true, false]) => return Value::Infinite { negative: false },
            (_, [false, true]) => return Value::Infinite { negative: true },
            _ => {}
        }
        let negative = self.limbs[LIMBS - 1] >> 63 != 0;
        let mut limbs = self.limbs;
        if negative {
            let mut carry = true;
            for limb in &mut limbs {
                (*limb, carry) = (!*limb).overflowing_add(carry as u64);
            }
        }
        let Some(top) = limbs.iter().rposition(|&limb| limb != 0) else {
            return Value::Finite(Finite::zero(false));
        };
        // The leading three limbs, shifted to 128 significant bits.
        let limb = |at: usize| if at <= top { limbs[top - at] } else { 0 };
        let shift = limb(0).leading_zeros();
        let wide = (limb(0) as u128) << 64 | limb(1) as u128;
        let significand = if shift == 0 { wide } else { wide << shift | (limb(2) >> (64 - shift)) as u128 };
        let below = if shift == 0 { limb(2) } else { limb(2) << shift };
        let sticky = below != 0 || top > 2 && limbs[..top - 2].iter().any(|&limb| limb != 0);
        let exponent = UNIT + 64 * (top as i64 - 1) - shift as i64;
        Value::Finite(Finite { negative, significand, exponent, sticky })
    }

    /// The sum rounded to a format, to nearest even, as a binary32.
    pub(crate) fn round(&self, format: Format) -> f32 {
        self.round_by(format, Rounding::NearestEven)
    }

    /// The sum rounded to a format by a mode, as a binary32.
    pub(crate) fn round_by(&self, format: Format, rounding: Rounding) -> f32 {
        let how = Projection::new(rounding, Saturation::Overflow);
        narrow(format, project(format, self.value(), how).code)
    }
}

/// The value of a code rounded to binary32, to nearest even.
pub(crate) fn narrow(format: Format, code: u64) -> f32 {
    let value = binade::decode(format, code);
    f32::from_bits(project(F32, value, Projection::default()).code as u32)
}

#[cfg(test)]
mod tests {
    use binade::philox::Stream;

    use super::*;

    #[test]
    fn exact_sums_round_once() {
        let sum = |numbers: &[f64]| {
            let mut exact = Exact::zero();
            numbers.iter().for_each(|&x| exact.add(x));
            exact.round(F32)
        };
        assert_eq!(sum(&[1e300, 1.5, -1e300]), 1.5);
        assert_eq!(sum(&[1.0, 2f64.powi(-24)]), 1.0);
        assert_eq!(sum(&[1.0, 2f64.powi(-24), f64::from_bits(1)]), 1.0 + f32::EPSILON);
        assert_eq!(sum(&[-1.0, -(2f64.powi(-24)), -f64::from_bits(1)]), -1.0 - f32::EPSILON);
        assert_eq!(sum(&[-0.0]).to_bits(), 0);
        assert_eq!(sum(&[f64::MAX, f64::MAX]), f32::INFINITY);
        assert!(sum(&[f64::INFINITY, f64::NEG_INFINITY]).is_nan());
        assert_eq!(sum(&[f64::NEG_INFINITY, 3.0]), f32::NEG_INFINITY);
        let mut random = Stream::new(1);
        for _ in 0..2000 {
            let mut numbers = vec![];
            let mut total = 0i128;
            for _ in 0..20 {
                let number = (random.bits() >> 20) as i128 - (1 << 43);
                let shift = random.below(40) as u32;
                total += number << shift;
                numbers.push(number as f64 * 2f64.powi(shift as i32));
            }
            assert_eq!(sum(&numbers), total as f32);
        }
    }
}
