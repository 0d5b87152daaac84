//! The catalogue of named formats and their aliases, the only such list; everything else iterates it.

use alloc::format;
use alloc::string::String;

use crate::format::{Fields, Format, NanCodes, Subnormals};

/// Editions of the P3109 report whose operations differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Edition {
    /// Interim report 0.9.1 (2024-10-29).
    Interim,
    /// Report 4.0 (2026-06-26).
    V4,
}

/// The origin of an entry's exponent bias.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bias {
    /// The format fixes it.
    Fixed(i32),
    /// The user chooses it, as a six-bit unsigned integer (TSL Tables 3 and 6).
    Configurable,
}

impl Bias {
    /// The configurable biases.
    pub const RANGE: core::ops::RangeInclusive<i32> = 0..=63;
}

/// A named format outside the P3109 families.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Canonical name, in lower case.
    pub name: &'static str,
    /// Other spellings; any letter case is accepted.
    pub aliases: &'static [&'static str],
    /// The document that defines the format.
    pub source: &'static str,
    /// The exponent bias, or that the user chooses it.
    pub bias: Bias,
    // The fields, with 0 for a configurable bias.
    fields: Fields,
}

impl Entry {
    /// The format under a bias, which is ignored if the format fixes its own.
    pub const fn format(&self, bias: i32) -> Format {
        let bias = match self.bias {
            Bias::Fixed(fixed) => fixed,
            Bias::Configurable => bias,
        };
        Format::constant(Fields { bias, ..self.fields })
    }
}

/// IEEE 754's rules for a width and a precision.
pub(crate) const fn ieee(width: u32, precision: u32, bias: i32) -> Fields {
    Fields {
        width,
        precision,
        bias,
        signed: true,
        infinities: true,
        nan: NanCodes::Ieee,
        negative_zero: true,
        subnormals: Subnormals::Ieee,
    }
}

/// IEEE 754's binary16.
pub const F16: Format = Format::constant(ieee(16, 11, 15));
/// bfloat16.
pub const BF16: Format = Format::constant(ieee(16, 8, 127));
/// IEEE 754's binary32.
pub const F32: Format = Format::constant(ieee(32, 24, 127));
/// IEEE 754's binary64.
pub const F64: Format = Format::constant(ieee(64, 53, 1023));

/// Formats with one NaN, at the all-ones magnitude, and no infinity.
const fn finite_nan(width: u32, precision: u32, bias: i32) -> Fields {
    Fields { infinities: false, nan: NanCodes::AllOnes, ..ieee(width, precision, bias) }
}

/// Formats with one NaN, at the code of −0, and no infinity.
const fn fnuz(width: u32, precision: u32, bias: i32) -> Fields {
    Fields {
        infinities: false,
        nan: NanCodes::NegativeZero,
        negative_zero: false,
        ..ieee(width, precision, bias)
    }
}

/// Formats with finite values only.
const fn finite(width: u32, precision: u32, bias: i32) -> Fields {
    Fields { infinities: false, nan: NanCodes::None, ..ieee(width, precision, bias) }
}

/// CFloat8 and SHP: finite values only, subnormals at half the usual scale.
const fn tesla(width: u32, precision: u32) -> Fields {
    Fields { subnormals: Subnormals::Tesla, ..finite(width, precision, 0) }
}

const fn fixed(
    name: &'static str,
    aliases: &'static [&'static str],
    source: &'static str,
    fields: Fields,
) -> Entry {
    Entry { name, aliases, source, bias: Bias::Fixed(fields.bias), fields }
}

const fn configurable(
    name: &'static str,
    aliases: &'static [&'static str],
    source: &'static str,
    fields: Fields,
) -> Entry {
    Entry { name, aliases, source, bias: Bias::Configurable, fields }
}

/// E8M0: powers of two and one NaN, neither sign nor zero.
const E8M0: Fields = Fields {
    width: 8,
    precision: 1,
    bias: 127,
    signed: false,
    infinities: false,
    nan: NanCodes::AllOnes,
    negative_zero: false,
    subnormals: Subnormals::None,
};

/// UHP: IEEE's rules without a sign; subnormal codes are read as zero and never produced.
const UHP: Fields =
    Fields { signed: false, negative_zero: false, subnormals: Subnormals::Flush, ..ieee(16, 11, 31) };

/// Every named format except the P3109 families, which [`P3109`] makes.
pub const ENTRIES: &[Entry] = &[
    configurable("cfloat8_1_4_3", &["cfloat8_143", "cf8_1_4_3"], "TSL Table 3", tesla(8, 4)),
    configurable("cfloat8_1_5_2", &["cfloat8_152", "cf8_1_5_2"], "TSL Table 3", tesla(8, 3)),
    configurable("shp", &["cfloat16_shp", "cfloat16_signed"], "TSL Table 6", tesla(16, 11)),
    fixed("uhp", &["cfloat16_uhp", "cfloat16_unsigned"], "TSL Table 6", UHP),
    fixed(
        "float8_e4m3fnuz",
        &["f8E4M3FNUZ", "Float8E4M3FNUZ", "torch.float8_e4m3fnuz", "e4m3fnuz", "F8_E4M3FNUZ"],
        "RFC",
        fnuz(8, 4, 8),
    ),
    fixed(
        "float8_e5m2fnuz",
        &["f8E5M2FNUZ", "Float8E5M2FNUZ", "torch.float8_e5m2fnuz", "e5m2fnuz", "F8_E5M2FNUZ"],
        "RFC",
        fnuz(8, 3, 16),
    ),
    fixed(
        "float8_e4m3b11fnuz",
        &["f8E4M3B11FNUZ", "Float8E4M3B11FNUZ", "e4m3b11fnuz", "float8_e4m3b11"],
        "StableHLO",
        fnuz(8, 4, 11),
    ),
    fixed(
        "float8_e4m3fn",
        &["f8E4M3FN", "Float8E4M3FN", "torch.float8_e4m3fn", "e4m3fn", "E4M3", "F8_E4M3"],
        "OCP OFP8",
        finite_nan(8, 4, 7),
    ),
    fixed(
        "float8_e5m2",
        &["f8E5M2", "Float8E5M2", "torch.float8_e5m2", "E5M2", "F8_E5M2"],
        "OCP OFP8",
        ieee(8, 3, 15),
    ),
    fixed("float8_e4m3", &["f8E4M3", "Float8E4M3"], "StableHLO", ieee(8, 4, 7)),
    fixed("float8_e3m4", &["f8E3M4", "Float8E3M4", "e3m4"], "StableHLO", ieee(8, 5, 3)),
    fixed(
        "float8_e8m0fnu",
        &["f8E8M0FNU", "Float8E8M0FNU", "torch.float8_e8m0fnu", "e8m0fnu", "E8M0", "F8_E8M0"],
        "OCP MX",
        E8M0,
    ),
    fixed(
        "float6_e2m3fn",
        &["f6E2M3FN", "Float6E2M3FN", "e2m3fn", "E2M3", "F6_E2M3"],
        "OCP MX",
        finite(6, 4, 1),
    ),
    fixed(
        "float6_e3m2fn",
        &["f6E3M2FN", "Float6E3M2FN", "e3m2fn", "E3M2", "F6_E3M2"],
        "OCP MX",
        finite(6, 3, 3),
    ),
    fixed(
        "float4_e2m1fn",
        &["f4E2M1FN", "Float4E2M1FN", "torch.float4_e2m1fn_x2", "e2m1fn", "E2M1", "F4"],
        "OCP MX",
        finite(4, 2, 1),
    ),
    fixed("f16", &["float16", "half", "binary16", "fp16", "torch.float16"], "IEEE 754", ieee(16, 11, 15)),
    fixed("bf16", &["bfloat16", "torch.bfloat16"], "TSL Table 2", ieee(16, 8, 127)),
    fixed(
        "tf32",
        &["tensorfloat32", "tensorfloat-32"],
        "19 bits: binary32's exponent, binary16's precision",
        ieee(19, 11, 127),
    ),
    fixed(
        "f32",
        &["float32", "float", "binary32", "single", "fp32", "torch.float32"],
        "IEEE 754",
        ieee(32, 24, 127),
    ),
    fixed("f64", &["float64", "double", "binary64", "fp64", "torch.float64"], "IEEE 754", ieee(64, 53, 1023)),
];

/// A member of the P3109 families, whose width is unbounded; as a [`Format`] it is bounded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct P3109 {
    /// Width K.
    pub width: u32,
    /// Precision P: below K if signed, at most K if unsigned.
    pub precision: u32,
    /// True if there is a sign; 0.9.1 formats have one.
    pub signed: bool,
    /// True if there are infinities; 0.9.1 formats have them.
    pub extended: bool,
    /// The edition that defines this name and bias.
    pub edition: Edition,
}

impl P3109 {
    /// The widths K that are listed. Names are read up to the limits of [`Format`].
    pub const WIDTHS: core::ops::RangeInclusive<u32> = 3..=16;

    /// The largest precision for a width.
    pub const fn max_precision(width: u32, signed: bool) -> u32 {
        width - signed as u32
    }

    /// True if P3109 defines it: K ≥ 3 and 1 ≤ P ≤ K − 1, or P ≤ K if unsigned.
    pub const fn is_defined(&self) -> bool {
        self.width >= 3
            && self.precision >= 1
            && self.precision <= P3109::max_precision(self.width, self.signed)
    }

    /// The name: `binary8p3` (0.9.1) or `binary8p3se` (4.0).
    pub fn name(&self) -> String {
        let P3109 { width, precision, .. } = self;
        match self.edition {
            Edition::Interim => format!("binary{width}p{precision}"),
            Edition::V4 => format!(
                "binary{width}p{precision}{}{}",
                if self.signed { 's' } else { 'u' },
                if self.extended { 'e' } else { 'f' }
            ),
        }
    }

    /// The format, if it is defined and within the limits of [`Format`].
    ///
    /// The bias is 2^(K−P−1), or 2^(K−P) if unsigned. 0.9.1 (§3.1.2) uses one less at P = 1, so its P = 1 values are
    /// twice the later ones.
    pub const fn format(&self) -> Option<Format> {
        let P3109 { width, precision, signed, extended, edition } = *self;
        if !self.is_defined() {
            return None;
        }
        // One less than the number of exponent bits.
        let power = P3109::max_precision(width, signed) - precision;
        if power >= Format::MOST_EXPONENT_BITS {
            return None;
        }
        let bias = 1 << power;
        let early = matches!(edition, Edition::Interim) && precision == 1;
        let fields = Fields {
            width,
            precision,
            bias: bias - early as i32,
            signed,
            infinities: extended,
            nan: if signed { NanCodes::NegativeZero } else { NanCodes::AllOnes },
            negative_zero: false,
            subnormals: Subnormals::Ieee,
        };
        match Format::new(fields) {
            Ok(format) => Some(format),
            Err(_) => None,
        }
    }

    /// The member that equals a format; the member of 0.9.1 if both editions have it.
    pub fn of(format: &Format) -> Option<P3109> {
        let (width, precision) = (format.width(), format.precision());
        let (signed, extended) = (format.signed(), format.infinities());
        let member = |edition| P3109 { width, precision, signed, extended, edition };
        let early = Some(member(Edition::Interim)).filter(|_| signed && extended);
        let mut members = early.into_iter().chain([member(Edition::V4)]);
        members.find(|member| member.format() == Some(*format))
    }

    /// Reads `binary{K}p{P}` and `binary{K}p{P}{s|u}{e|f}` in lower case; the numbers may be out of range.
    pub(crate) fn parse(name: &str) -> Option<P3109> {
        let (width, rest) = name.strip_prefix("binary")?.split_once('p')?;
        let (precision, signed, extended, edition) =
            match rest.len().checked_sub(2).and_then(|n| rest.split_at_checked(n)) {
                Some((p, "se")) => (p, true, true, Edition::V4),
                Some((p, "sf")) => (p, true, false, Edition::V4),
                Some((p, "ue")) => (p, false, true, Edition::V4),
                Some((p, "uf")) => (p, false, false, Edition::V4),
                _ => (rest, true, true, Edition::Interim),
            };
        let number = |text: &str| match text.as_bytes() {
            [b'1'..=b'9', ..] => text.parse().ok(),
            _ => None,
        };
        Some(P3109 { width: number(width)?, precision: number(precision)?, signed, extended, edition })
    }

    /// Every listed member: 0.9.1's formats, then 4.0's.
    pub fn all() -> impl Iterator<Item = P3109> {
        let kinds = [
            (Edition::Interim, true, true),
            (Edition::V4, true, true),
            (Edition::V4, true, false),
            (Edition::V4, false, true),
            (Edition::V4, false, false),
        ];
        kinds.into_iter().flat_map(|(edition, signed, extended)| {
            P3109::WIDTHS.flat_map(move |width| {
                (1..=P3109::max_precision(width, signed)).map(move |precision| P3109 {
                    width,
                    precision,
                    signed,
                    extended,
                    edition,
                })
            })
        })
    }
}
