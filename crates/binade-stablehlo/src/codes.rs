//! Elements of floating-point types as codes and as the binary64 numbers they mean.
//!
//! Every value of a type of up to 16 bits, and of `tf32`, is a binary64 number. A result computed in binary64 is
//! rounded to the type once, by [`binade::project`] or by the kernels that equal it. For +, −, ×, ÷ and √ of operands
//! of precision p ≤ 24 that gives the correctly rounded result, since 53 ≥ 2p + 2.

use std::sync::{LazyLock, OnceLock};

use binade::{Format, NanCodes, Projection, Rounding, Saturation, Value, decode, project};
use binade_kernels::{Codes, CodesMut, Decoder, Encoder};

use crate::types::FloatType;

/// Tables derived from a floating-point type, made once.
struct Derived {
    format: Format,
    /// Values of all codes, for types of at most 8 bits.
    values: OnceLock<Vec<f64>>,
    /// Set for types of at most 16 bits.
    codecs: Option<(Encoder, Decoder)>,
}

static DERIVED: LazyLock<Vec<Derived>> = LazyLock::new(|| {
    let derive = |(float, _): (FloatType, &str)| {
        let format = float.format();
        let encoder = Encoder::new(format, Rounding::NearestEven, Saturation::Overflow).ok();
        Derived { format, values: OnceLock::new(), codecs: encoder.zip(Decoder::new(format).ok()) }
    };
    FloatType::ALL.into_iter().map(derive).collect()
});

/// An exact value, which binary64 represents.
#[inline]
pub fn binary64(value: Value) -> f64 {
    f64::from_bits(project(FloatType::F64.derived().format, value, Projection::default()).code)
}

impl FloatType {
    #[inline]
    fn derived(self) -> &'static Derived {
        &DERIVED[self as usize]
    }

    /// Bits per value.
    #[inline]
    pub fn width(self) -> u32 {
        // StableHLO's tf32 has 19 significant bits in a word of 32.
        if self == FloatType::Tf32 { 32 } else { self.derived().format.width() }
    }

    /// Returns true if elements are stored as codes: for types of at most 16 bits.
    #[inline]
    pub fn is_coded(self) -> bool {
        self.derived().codecs.is_some()
    }

    /// Returns true if elements are codes of one byte.
    #[inline]
    pub fn is_byte(self) -> bool {
        self.derived().format.width() <= 8
    }

    /// The kernels of a coded type.
    #[inline]
    pub fn codecs(self) -> &'static (Encoder, Decoder) {
        self.derived().codecs.as_ref().expect("asked of types of up to 16 bits only")
    }

    /// The value of a code. Bits above the type's width are ignored. For `f32`, `f64` and `tf32`, the code is the bits of
    /// the stored number.
    #[inline]
    pub fn value(self, code: u64) -> f64 {
        match self {
            FloatType::F64 => f64::from_bits(code),
            FloatType::F32 | FloatType::Tf32 => f32::from_bits(code as u32) as f64,
            FloatType::Bf16 => f32::from_bits((code as u32) << 16) as f64,
            FloatType::F16 => binary16(code as u16),
            _ => {
                let derived = self.derived();
                let all = || (0..=derived.format.last_code()).map(|c| binary64(decode(derived.format, c)));
                let values = derived.values.get_or_init(|| all().collect());
                values[(code & derived.format.last_code()) as usize]
            }
        }
    }

    /// The code of a number rounded once to nearest, ties to even. Overflow becomes infinity; NaN if the type has no
    /// infinity; the largest number if it has neither. For `f32`, `f64` and `tf32`, the code is the bits as stored.
    #[inline]
    pub fn code(self, x: f64) -> u64 {
        match self {
            FloatType::F64 => x.to_bits(),
            FloatType::F32 => (x as f32).to_bits() as u64,
            FloatType::Tf32 => {
                if !x.is_finite() {
                    return (x as f32).to_bits() as u64;
                }
                let format = self.derived().format;
                let code = project(format, Value::from_f64(x), Projection::default()).code;
                // The codes are binary32's without the last thirteen bits.
                (binary64(decode(format, code)) as f32).to_bits() as u64
            }
            _ => {
                let format = self.derived().format;
                // The processor decides the sign of a NaN, so it must not decide between two numbers.
                let x = if x.is_nan() && format.nan() == NanCodes::None { f64::NAN } else { x };
                project(format, Value::from_f64(x), Projection::default()).code
            }
        }
    }

    /// The sign bit of a NaN. 0 if a type has no NaN or only one (FNUZ types, `f8E8M0FNU`).
    #[inline]
    pub fn nan_sign(self) -> u64 {
        let format = self.derived().format;
        match format.nan() {
            NanCodes::Ieee | NanCodes::AllOnes => format.sign_bit(),
            NanCodes::None | NanCodes::NegativeZero => 0,
        }
    }

    /// The total order of a type of at most 16 bits: an integer for each code. Numbers are ordered by value, with −0 below
    /// +0. NaNs are ordered by sign and payload, beyond the infinities. The only NaN of a FNUZ type has the code of −0,
    /// whose sign bit is set: it is below all numbers, as in XLA.
    #[inline]
    pub fn total_order(self) -> impl Fn(u64) -> i32 + Copy {
        let format = self.derived().format;
        let (last, sign) = (format.last_code(), format.sign_bit());
        let lowest = if format.nan() == NanCodes::NegativeZero { Some(sign) } else { None };
        move |code| match code & last {
            code if Some(code) == lowest => i32::MIN,
            code if code & sign != 0 => !((code ^ sign) as i32),
            code => code as i32,
        }
    }

    /// Rounds a number to the type.
    #[inline]
    pub fn round(self, x: f64) -> f64 {
        match self {
            FloatType::F64 => x,
            FloatType::F32 => x as f32 as f64,
            _ => self.value(self.code(x)),
        }
    }

    /// Decodes to binary32, which represents every value of a coded type.
    #[inline]
    pub fn decode_f32(self, codes: Codes<'_>, values: &mut [f32]) {
        self.codecs().1.decode_f32(codes, values).expect("lengths and widths are the caller's care");
    }

    /// Decodes to binary64.
    #[inline]
    pub fn decode_f64(self, codes: Codes<'_>, values: &mut [f64]) {
        self.codecs().1.decode_f64(codes, values).expect("lengths and widths are the caller's care");
    }

    /// Encodes binary32 values, each rounded once.
    #[inline]
    pub fn encode_f32(self, values: &[f32], codes: CodesMut<'_>) {
        if self.derived().format.nan() == NanCodes::None && values.iter().any(|value| value.is_nan()) {
            return self.encode_each(values.iter().map(|&value| value as f64), codes);
        }
        self.codecs().0.encode_f32(values, codes).expect("lengths and widths are the caller's care");
    }

    /// Encodes binary64 values, each rounded once.
    #[inline]
    pub fn encode_f64(self, values: &[f64], codes: CodesMut<'_>) {
        if self.derived().format.nan() == NanCodes::None && values.iter().any(|value| value.is_nan()) {
            return self.encode_each(values.iter().copied(), codes);
        }
        self.codecs().0.encode_f64(values, codes).expect("lengths and widths are the caller's care");
    }
}

impl FloatType {
    /// Encodes one value after the other, as [`FloatType::code`] does.
    fn encode_each(self, values: impl Iterator<Item = f64>, codes: CodesMut<'_>) {
        match codes {
            CodesMut::Bytes(codes) => {
                codes.iter_mut().zip(values).for_each(|(code, x)| *code = self.code(x) as u8);
            }
            CodesMut::Words(codes) => {
                codes.iter_mut().zip(values).for_each(|(code, x)| *code = self.code(x) as u16);
            }
        }
    }
}

/// The value of a binary16 code.
#[inline]
fn binary16(code: u16) -> f64 {
    let (sign, field, trailing) = ((code as u64 >> 15) << 63, code as u64 >> 10 & 0x1f, code as u64 & 0x3ff);
    let magnitude = match field {
        0 => return f64::from_bits((trailing as f64 * 2f64.powi(-24)).to_bits() | sign),
        0x1f => 0x7ff << 52,
        _ => (field + 1008) << 52,
    };
    f64::from_bits(sign | magnitude | trailing << 42)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_codes_of_every_type() {
        for (float, name) in FloatType::ALL {
            if !float.is_coded() {
                continue;
            }
            for code in 0..=float.format().last_code() {
                let (value, meant) = (float.value(code), binary64(decode(float.format(), code)));
                assert_eq!(value.is_nan(), meant.is_nan(), "{name} {code:#x}");
                if !meant.is_nan() {
                    assert_eq!(value.to_bits(), meant.to_bits(), "{name} {code:#x}");
                    assert_eq!(float.code(value), code, "{name} {code:#x}");
                }
            }
        }
    }

    #[test]
    fn tf32_keeps_eleven_bits() {
        for x in [1.0f64, 1.0 + 2f64.powi(-10), -3.5e38, f64::INFINITY, 2f64.powi(-136), 1e-45, 0.1] {
            let rounded = FloatType::Tf32.round(x);
            assert_eq!((rounded as f32).to_bits() & 0x1fff, 0, "{x}");
            assert!(!rounded.is_finite() || (rounded - x).abs() <= (x.abs() / 2048.0).max(2f64.powi(-137)));
        }
        assert_eq!(FloatType::Tf32.round(1.0 + 2f64.powi(-11)), 1.0);
    }
}
