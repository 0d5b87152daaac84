//! Slices of values in IEEE 754's formats: the sources of encoders.

use std::ops::Range;

use binade::catalog::{BF16, F16, F32, F64};
use binade::{Format, Value};

/// Values to encode.
#[derive(Clone, Copy)]
pub(crate) enum Values<'a> {
    Binary32(&'a [f32]),
    Binary64(&'a [f64]),
    /// Bits of bfloat16 numbers.
    Bfloat16(&'a [u16]),
    /// Bits of binary16 numbers.
    Binary16(&'a [u16]),
}

impl<'a> Values<'a> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Values::Binary32(values) => values.len(),
            Values::Binary64(values) => values.len(),
            Values::Bfloat16(bits) | Values::Binary16(bits) => bits.len(),
        }
    }

    pub(crate) fn range(&self, range: Range<usize>) -> Values<'a> {
        match self {
            Values::Binary32(values) => Values::Binary32(&values[range]),
            Values::Binary64(values) => Values::Binary64(&values[range]),
            Values::Bfloat16(bits) => Values::Bfloat16(&bits[range]),
            Values::Binary16(bits) => Values::Binary16(&bits[range]),
        }
    }

    /// The code and the format of an element.
    pub(crate) fn code(&self, at: usize) -> (Format, u64) {
        match self {
            Values::Binary32(values) => (F32, values[at].to_bits() as u64),
            Values::Binary64(values) => (F64, values[at].to_bits()),
            Values::Bfloat16(bits) => (BF16, bits[at] as u64),
            Values::Binary16(bits) => (F16, bits[at] as u64),
        }
    }

    /// The exact value of an element.
    pub(crate) fn value(&self, at: usize) -> Value {
        let (format, code) = self.code(at);
        binade::decode(format, code)
    }
}

/// Widens a bfloat16, the top half of a binary32.
#[inline(always)]
pub(crate) fn widen_bfloat16(bits: u16) -> u32 {
    (bits as u32) << 16
}

/// Widens a binary16 to the binary32 word of the same value; NaN payloads move along. Subnormals are multiples of
/// 2^−24, so they are exact and normal in binary32.
#[inline(always)]
pub(crate) fn widen_binary16(bits: u16) -> u32 {
    let (sign, magnitude) = ((bits as u32 & 0x8000) << 16, bits as u32 & 0x7fff);
    let normal = (magnitude << 13) + (112 << 23);
    let word = match magnitude {
        0..0x400 => (magnitude as f32 * f32::from_bits(103 << 23)).to_bits(),
        0x400..0x7c00 => normal,
        _ => normal + (112 << 23),
    };
    sign | word
}

/// The binary64 word of a binary32 word that is zero, normal, infinite or the canonical NaN.
#[inline(always)]
pub(crate) fn widen_binary32(word: u32) -> u64 {
    let (sign, magnitude) = ((word as u64 >> 31) << 63, (word & 0x7fff_ffff) as u64);
    let rebias = match magnitude {
        0 => 0,
        1..0x7f80_0000 => 896 << 52,
        _ => 1792 << 52,
    };
    sign | ((magnitude << 29) + rebias)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widened_values_are_exact() {
        for bits in 0..=u16::MAX {
            let half = binade::decode(F16, bits as u64);
            let word = f32::from_bits(widen_binary16(bits));
            let brain = f32::from_bits(widen_bfloat16(bits));
            assert_eq!(word.is_sign_negative(), bits >> 15 == 1);
            assert_eq!(word.is_nan(), half.is_nan());
            if !half.is_nan() {
                assert_eq!(
                    Value::from_f64(word as f64).partial_cmp(&half),
                    Some(std::cmp::Ordering::Equal),
                    "{bits:#x}"
                );
            }
            if brain.is_normal() || brain == 0.0 || brain.is_infinite() {
                assert_eq!(widen_binary32(brain.to_bits()), (brain as f64).to_bits(), "{bits:#x}");
            }
        }
        assert_eq!(widen_binary32(0x7fc0_0000), 0x7ff8 << 48);
    }
}
