//! Constants of conversion kernels, derived from a [`Format`].
//!
//! A plan exists if the vector algorithm of [`crate::generic::convert`] is proven to equal `binade`'s definition. Other
//! formats use tables, or [`binade::project`] itself.

use binade::{Format, NanCodes, Projection, Rounding, Saturation, Stochastic, Subnormals};

/// The layout of a source in the lanes of an encoding kernel: sign, exponent field and trailing significand of an IEEE
/// 754 number, or its leading bits with everything below ORed into the last one.
///
/// Such rounding to odd loses nothing for a precision P (and the midpoints of P + 1 bits) if P + 2 bits are kept.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    bits: u32,
    pub(crate) trailing: u32,
    bias: i32,
    /// True if bits below the word may have been ORed into its last one.
    odd: bool,
}

/// Binary32 in 32-bit lanes.
pub(crate) const BINARY32: Source = Source { bits: 32, trailing: 23, bias: 127, odd: false };
/// Binary32 rounded to odd in 16-bit lanes.
pub(crate) const BINARY32_HALF: Source = Source { bits: 16, trailing: 7, bias: 127, odd: true };
/// Binary64 in 32-bit lanes: its high word, rounded to odd.
pub(crate) const BINARY64: Source = Source { bits: 32, trailing: 20, bias: 1023, odd: true };

/// The part of the code line below the smallest normal that is not evenly spaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Gap {
    /// No gap: gradual underflow.
    None,
    /// From the largest subnormal, at half the usual scale, to the smallest normal.
    Tesla,
    /// From zero to the smallest normal.
    Flush,
}

/// Constants of an encoding kernel. "Word" is a source magnitude, "code" a magnitude code of the format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Encode {
    /// 1, see [`binade_simd::lanes::Lanes::increment_if`].
    pub(crate) one: u32,
    /// A mask of everything but the source's sign, and that sign's bit, which is one half for fractions.
    pub(crate) magnitude: u32,
    pub(crate) top: u32,
    /// A fraction above this rounds up in magnitude, for positive and for negative values. No fraction is above all
    /// ones.
    pub(crate) up_positive: u32,
    pub(crate) up_negative: u32,
    /// The code's bits that count below the fraction, 1 if ties go to even codes; and the bits that a nonzero fraction
    /// sets, 1 if rounding is to odd.
    pub(crate) parity: u32,
    pub(crate) sticky: u32,
    /// Exponent steps that the source has below the smallest normal: its exponent field minus one.
    pub(crate) steps_below: u32,
    /// Bits to cut off a normal significand, T + 1 − P.
    pub(crate) normal_cut: u32,
    /// Bits to cut off at the source's smallest exponent; one fewer for each exponent step.
    pub(crate) deepest_cut: u32,
    /// Word of the smallest normal.
    pub(crate) normal_word: u32,
    pub(crate) gap: Gap,
    /// Codes on either side of the gap.
    pub(crate) gap_low: u32,
    pub(crate) gap_high: u32,
    /// From this word on, values in the gap round to its upper side, for positive and for negative values.
    pub(crate) gap_positive: u32,
    pub(crate) gap_negative: u32,
    /// Largest finite code.
    pub(crate) largest: u32,
    /// The result of finite overflow: `largest` or `largest` + 1.
    pub(crate) overflow_positive: u32,
    pub(crate) overflow_negative: u32,
    /// The word of infinity, and the code of infinity. Overflow or NaN have that code too, unless `infinity_step`.
    pub(crate) infinity_word: u32,
    pub(crate) infinity: u32,
    pub(crate) infinity_step: bool,
    /// True if the format keeps infinities.
    pub(crate) infinity_stays: bool,
    /// The code of NaN if it must be inserted explicitly, before or after the sign, for words above `nan_above`. That
    /// excludes infinity unless infinity becomes NaN.
    pub(crate) nan_before_sign: Option<u32>,
    pub(crate) nan_after_sign: Option<u32>,
    pub(crate) nan_above: u32,
    /// Sign bit of the code, 0 if unsigned.
    pub(crate) sign: u32,
    /// True if the code 0, and the code `largest` + 1 if overflow leads there, take the sign.
    pub(crate) signed_zero: bool,
    pub(crate) signed_overflow: bool,
    /// For unsigned formats: the codes of negative values that do not round to zero, and of −∞.
    pub(crate) unsigned: Option<(u32, u32)>,
    /// The addend of the fraction is r & kept | half for a random word r, of which the top N bits count.
    pub(crate) random_kept: u32,
    pub(crate) random_half: u32,
    /// The constants of [`Adding`], if binary32 additions can do the rounding.
    pub(crate) adding: Option<Adding>,
}

/// Constants of [`crate::generic::convert::encode_by_addition`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Adding {
    /// The word of the code that overflow gives.
    pub(crate) most: u32,
    /// Binary32's exponent field.
    pub(crate) exponent: u32,
    /// 2^(23 − (P − 1)) times the smallest normal value: the word whose unit in the last place is the quantum of that
    /// value.
    pub(crate) base: u32,
}

impl Adding {
    /// The constants, if binary32's range includes numbers 2^(24 − P) times the largest, and every code below that of
    /// overflow is evenly spaced.
    fn new(precision: u32, field: u32, gap: Gap, most: u32) -> Option<Adding> {
        const TRAILING: u32 = BINARY32.trailing;
        let cut = TRAILING + 1 - precision;
        // The smallest normal code, 2^(P−1), is the word `field` << TRAILING.
        let normal = 1 << (precision - 1);
        if gap != Gap::None || precision < 2 || most < normal {
            return None;
        }
        let most = ((field as u64 - 1) << TRAILING) + ((most as u64) << cut);
        let room = (most >> TRAILING) + cut as u64 <= 254;
        room.then(|| Adding {
            most: most as u32,
            exponent: 0xff << TRAILING,
            base: (field + cut) << TRAILING,
        })
    }
}

impl Encode {
    /// The shape of the plan; kernels do not exist for all shapes.
    pub(crate) fn shape(&self) -> u32 {
        shape::of(self)
    }

    /// The constants, if the kernel's derivation covers the format and the modes.
    pub(crate) fn new(format: &Format, how: Projection, source: Source) -> Option<Encode> {
        let Source { bits, trailing, bias, odd } = source;
        let (precision, width) = (format.precision(), format.width());
        let kept = trailing + 1;
        let room = if odd { precision + 2 <= kept } else { precision < kept };
        // Exponent field of the smallest normal in the source, where it must be normal and finite.
        let field = bias + format.emin();
        let max_field = (1 << (bits - 1 - trailing)) - 2;
        let in_range = field >= 1 && field <= max_field;
        if !room || !in_range || format.subnormals() == Subnormals::None || width > 16 || width > bits {
            return None;
        }
        let field = field as u32;
        let gap = match format.subnormals() {
            // With P = 1 no rule has values between 0 and the smallest normal.
            _ if precision == 1 => Gap::None,
            Subnormals::Tesla => Gap::Tesla,
            Subnormals::Flush => Gap::Flush,
            Subnormals::Ieee | Subnormals::None => Gap::None,
        };
        // The gap's edges must be normal in the source: Tesla's begins below 2^(emin − 1), at 1 − 2^(1−P) of it.
        let deepest = match gap {
            Gap::None => 1,
            Gap::Flush => 2,
            Gap::Tesla => 3,
        };
        if field < deepest {
            return None;
        }

        let largest = format.max_finite_code() as u32;
        let nan = format.nan_code().map(|code| code as u32);
        let beyond = match (format.infinity_code(), nan) {
            (Some(_), _) => largest + 1,
            (None, Some(nan)) => nan,
            (None, None) => largest,
        };
        if beyond > largest + 1 {
            // IEEE NaNs without an infinity: the canonical NaN is further up the line.
            return None;
        }
        let overflow = if how.saturation == Saturation::Overflow { beyond } else { largest };
        let (overflow_positive, overflow_negative) = match how.rounding {
            Rounding::TowardPositive => (overflow, largest),
            Rounding::TowardNegative => (largest, overflow),
            Rounding::TowardZero | Rounding::ToOdd => (largest, largest),
            _ => (overflow, overflow),
        };
        let infinity = if how.saturation == Saturation::Max { largest } else { beyond };

        let normal_cut = trailing + 1 - precision;
        let top = 1u32 << (bits - 1);
        let infinity_word = (top - 1) >> trailing << trailing;
        // The code that the line would give the source's infinity: past the largest, unless the format has a larger
        // range than the source.
        let outreaches = (infinity_word - ((field - 1) << trailing)) >> normal_cut <= largest;
        let apart = outreaches || infinity != overflow_positive || infinity != overflow_negative;
        let infinity_is_nan = nan == Some(infinity);
        let (nan_before_sign, nan_after_sign) = match nan {
            None if apart || infinity != largest || !format.signed() => (Some(largest), None),
            // NaN words are past the largest code, and so become NaN without extra steps.
            Some(_) if infinity_is_nan && !apart && format.signed() => (None, None),
            Some(nan) => (None, Some(nan)),
            None => (None, None),
        };
        let infinity_step = apart && !(infinity_is_nan && format.signed());

        let gap_low = match gap {
            Gap::Tesla => (1 << (precision - 1)) - 1,
            Gap::None | Gap::Flush => 0,
        };
        let normal_word = field << trailing;
        // The lower edge, and the midpoint.
        let (gap_word, middle) = match gap {
            Gap::None => (0, 0),
            // In units of 2^(emin − 1): the edge is (2^(P−1) − 1) / 2^(P−1), which is 1.11…1 · 2^−1. The midpoint
            // between the edge and 2 is 1 + (2^(P−1) − 1) / 2^P.
            Gap::Tesla => {
                let fraction = gap_low & !(1 << (precision - 2));
                let edge = ((field - 2) << trailing) + (fraction << (trailing + 2 - precision));
                (edge, ((field - 1) << trailing) + (gap_low << (trailing - precision)))
            }
            Gap::Flush => (0, (field - 1) << trailing),
        };
        // A tie rounds up to the even code 2^(P−1) from Tesla's odd lower edge, and down to zero in flush-to-zero
        // formats.
        let nearest = match (gap, how.rounding) {
            (Gap::Flush, Rounding::NearestEven) => middle + 1,
            _ => middle,
        };
        let (gap_positive, gap_negative) = match how.rounding {
            Rounding::NearestEven | Rounding::NearestAway => (nearest, nearest),
            Rounding::TowardPositive => (gap_word + 1, normal_word),
            Rounding::TowardNegative => (normal_word, gap_word + 1),
            // The upper edge is an even code.
            _ => (normal_word, normal_word),
        };

        let never = u32::MAX >> (32 - bits);
        let (up_positive, up_negative) = match how.rounding {
            Rounding::NearestEven => (top, top),
            Rounding::NearestAway => (top - 1, top - 1),
            Rounding::TowardPositive => (0, never),
            Rounding::TowardNegative => (never, 0),
            Rounding::TowardZero | Rounding::ToOdd | Rounding::Stochastic { .. } => (never, never),
        };

        // Round up iff ν·2^N + R ≥ 2^N (variant A), or with R + ½ (variant B). In units of 2^−32: if the fraction plus
        // R·2^(32−N), in B plus another 2^(31−N), carries.
        let (random_kept, random_half) = match how.rounding {
            Rounding::Stochastic { variant: Stochastic::A, bits, .. } => (!0 << (32 - bits.clamp(1, 32)), 0),
            Rounding::Stochastic { variant: Stochastic::B, bits, .. } if bits < 32 => {
                (!0 << (32 - bits.max(1)), 1 << (31 - bits.max(1)))
            }
            Rounding::Stochastic { .. } => return None,
            _ => (!0, 0),
        };

        let adding = (bits == BINARY32.bits && !odd && how.rounding == Rounding::NearestEven)
            .then(|| Adding::new(precision, field, gap, overflow_positive))
            .flatten();

        // NaN takes no sign.
        let overflows_to_nan = overflow_negative > largest && nan == Some(beyond);
        let stays = matches!(how.rounding, Rounding::TowardZero | Rounding::TowardPositive);
        let negative = |stays: bool| match nan {
            Some(nan) if how.saturation == Saturation::Overflow && !stays => nan,
            _ => 0,
        };
        Some(Encode {
            one: 1,
            magnitude: top - 1,
            top,
            up_positive,
            up_negative,
            parity: (how.rounding == Rounding::NearestEven) as u32,
            sticky: (how.rounding == Rounding::ToOdd) as u32,
            steps_below: field - 1,
            normal_cut,
            deepest_cut: normal_cut + field - 1 - (gap == Gap::Tesla) as u32,
            normal_word,
            gap,
            gap_low,
            gap_high: 1 << (precision - 1),
            gap_positive,
            gap_negative,
            largest,
            overflow_positive,
            overflow_negative,
            infinity_word,
            infinity,
            infinity_step,
            infinity_stays: format.infinities() && how.saturation != Saturation::Max,
            nan_before_sign,
            nan_after_sign,
            nan_above: infinity_word - (infinity_is_nan && format.signed()) as u32,
            sign: format.sign_bit() as u32,
            signed_zero: format.negative_zero() || !format.signed(),
            signed_overflow: !(overflows_to_nan && format.signed()),
            unsigned: (!format.signed()).then(|| (negative(stays), negative(false))),
            random_kept,
            random_half,
            adding,
        })
    }
}

/// Functions of a shape and a plan that tell if a kernel has a branch: by the shape's bit, or for the shape ANY by the
/// plan. Also the shape of a plan; a kernel for it may not exist.
macro_rules! flags {
    ($plan:ident; $($name:ident: $bit:ident, |$known:ident| $value:expr;)*) => {
        $(
            #[inline(always)]
            pub(crate) const fn $name(shape: u32, $known: &$plan) -> bool {
                if shape == ANY { $value } else { shape & $bit != 0 }
            }
        )*

        pub(super) fn of(plan: &$plan) -> u32 {
            KNOWN $(| if $name(ANY, plan) { $bit } else { 0 })*
        }
    };
}

/// The branches of an encoding kernel, decided at compile time.
///
/// A kernel of the shape [`shape::ANY`] reads them from its plan. Kernels of the other shapes, which cover the common
/// formats and modes, contain only the instructions that they need.
pub(crate) mod shape {
    use super::{Encode, Gap};

    const KNOWN: u32 = 1;
    const TESLA: u32 = 2;
    const FLUSH: u32 = 4;
    const INFINITY: u32 = 8;
    const UNSIGNED: u32 = 16;
    const NAN_BEFORE: u32 = 32;
    const NAN_AFTER: u32 = 64;
    const SIGNED_ZERO: u32 = 128;
    const SIGNED_OVERFLOW: u32 = 256;
    const NEGATIVE_NAN: u32 = 512;

    pub(crate) const ANY: u32 = 0;
    /// Formats of IEEE 754's kind: Inf and NaN above the largest, −0.
    pub(crate) const IEEE: u32 = KNOWN | NAN_AFTER | SIGNED_ZERO | SIGNED_OVERFLOW;
    /// [`IEEE`] in modes where infinity and overflow have different results.
    pub(crate) const IEEE_INFINITY: u32 = IEEE | INFINITY;
    /// NaN at the code of −0, Inf above the largest.
    pub(crate) const P3109: u32 = KNOWN | NAN_AFTER | SIGNED_OVERFLOW;
    /// [`P3109`] in modes where infinity and overflow have different results.
    pub(crate) const P3109_INFINITY: u32 = P3109 | INFINITY;
    /// "FN" formats: one NaN code above the largest, which is also the result of overflow; −0.
    pub(crate) const FN: u32 = KNOWN | SIGNED_ZERO;
    /// [`FN`] in modes where only negative values overflow to NaN.
    pub(crate) const FN_DOWN: u32 = FN | NAN_AFTER;
    /// "FNUZ" formats: NaN at the code of −0, which is also the result of overflow.
    pub(crate) const FNUZ: u32 = KNOWN;
    /// [`FNUZ`] in modes where only negative values overflow to NaN.
    pub(crate) const FNUZ_DOWN: u32 = FNUZ | NAN_AFTER;
    /// Formats with neither Inf nor NaN.
    pub(crate) const CLAMPING: u32 = KNOWN | SIGNED_ZERO | SIGNED_OVERFLOW;
    /// [`CLAMPING`] with Tesla's gap.
    pub(crate) const CLAMPING_TESLA: u32 = CLAMPING | TESLA;
    /// UHP: unsigned, flushing, with Inf and NaN; negative values become NaN.
    pub(crate) const UHP: u32 = IEEE | UNSIGNED | NEGATIVE_NAN | FLUSH;

    flags! {
        Encode;
        tesla: TESLA, |plan| matches!(plan.gap, Gap::Tesla);
        flush: FLUSH, |plan| matches!(plan.gap, Gap::Flush);
        infinity: INFINITY, |plan| plan.infinity_step;
        unsigned: UNSIGNED, |plan| plan.unsigned.is_some();
        nan_before: NAN_BEFORE, |plan| plan.nan_before_sign.is_some();
        nan_after: NAN_AFTER, |plan| plan.nan_after_sign.is_some();
        signed_zero: SIGNED_ZERO, |plan| plan.signed_zero;
        signed_overflow: SIGNED_OVERFLOW, |plan| plan.signed_overflow;
        negative_nan: NEGATIVE_NAN, |plan| {
            matches!((plan.unsigned, plan.nan_after_sign), (Some((a, b)), Some(nan)) if a == nan && b == nan)
        };
    }
}

/// The branches of a decoding kernel, decided at compile time, as [`shape`] for encoding. All shapes except
/// [`code_shape::ANY`] require codes as wide as their elements.
pub(crate) mod code_shape {
    use super::Decode;

    const KNOWN: u32 = 1;
    const SIGNED: u32 = 2;
    const SUBNORMALS: u32 = 4;
    const FLUSH: u32 = 8;
    const REBIASED: u32 = 16;
    const INFINITY: u32 = 32;
    const NAN_ABOVE: u32 = 64;
    const NAN_CODE: u32 = 128;
    const SIGNED_ZERO: u32 = 256;
    const BINARY16: u32 = 512;

    pub(crate) const ANY: u32 = 0;
    /// Formats with neither Inf nor NaN; Tesla's gap makes no difference here.
    pub(crate) const CLAMPING: u32 = KNOWN | SIGNED | SUBNORMALS | REBIASED | SIGNED_ZERO;
    /// Formats of IEEE 754's kind.
    pub(crate) const IEEE: u32 = CLAMPING | INFINITY | NAN_ABOVE;
    /// Binary16 itself, for which machines have an instruction.
    pub(crate) const HALF: u32 = IEEE | BINARY16;
    /// Binary32 with fewer trailing bits.
    pub(crate) const CUT_SHORT: u32 = KNOWN | SIGNED | NAN_ABOVE | SIGNED_ZERO;
    /// NaN at the code of −0, Inf above the largest.
    pub(crate) const P3109: u32 = CLAMPING | INFINITY | NAN_CODE;
    /// One NaN code above the largest.
    pub(crate) const FN: u32 = CLAMPING | NAN_ABOVE;
    /// NaN at the code of −0, no Inf.
    pub(crate) const FNUZ: u32 = CLAMPING | NAN_CODE;
    /// Unsigned, flushing, with Inf and NaN.
    pub(crate) const UHP: u32 = KNOWN | FLUSH | REBIASED | INFINITY | NAN_ABOVE | SIGNED_ZERO;

    flags! {
        Decode;
        signed: SIGNED, |plan| plan.sign != 0;
        subnormals: SUBNORMALS, |plan| plan.normal > 0 && plan.quantum > 0;
        flush: FLUSH, |plan| plan.normal > 0 && plan.quantum == 0;
        rebiased: REBIASED, |plan| plan.rebias > 0;
        // Unless the code line leads to infinity.
        infinity: INFINITY, |plan| {
            plan.infinity > plan.largest
                && (plan.infinity << plan.shift).wrapping_add(plan.rebias) != 0x7f80_0000
        };
        nan_above: NAN_ABOVE, |plan| plan.infinity < plan.magnitude;
        nan_code: NAN_CODE, |plan| plan.nan_code.is_some();
        signed_zero: SIGNED_ZERO, |plan| plan.signed_zero;
        binary16: BINARY16, |plan| {
            plan.code == 0xffff
                && plan.shift == 13
                && plan.rebias == 112 << 23
                && plan.infinity == 0x7c00
                && plan.largest == 0x7bff
                && plan.quantum == 103 << 23
        };
    }
}

/// Constants of a decoding kernel to binary32.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decode {
    /// Masks of all bits of the code, and of the magnitude.
    pub(crate) code: u32,
    pub(crate) magnitude: u32,
    /// The shift that moves the magnitude code to its place in binary32, and the difference of the exponents there.
    pub(crate) shift: u32,
    pub(crate) rebias: u32,
    /// The first normal code, and the binary32 word of the value of 1 (in units of the code) below it.
    pub(crate) normal: u32,
    pub(crate) quantum: u32,
    pub(crate) largest: u32,
    /// Largest code that is not NaN.
    pub(crate) infinity: u32,
    /// The NaN at the code of −0.
    pub(crate) nan_code: Option<u32>,
    /// Sign bit of binary32 (0 if unsigned), and its distance from the code's sign bit.
    pub(crate) sign: u32,
    pub(crate) sign_shift: u32,
    /// True if zero words take the sign, or if there is no sign.
    pub(crate) signed_zero: bool,
    /// True if some values are subnormal binary32 numbers.
    pub(crate) subnormals: bool,
}

impl Decode {
    /// The shape of the plan for codes in elements of `element_bits` bits; kernels do not exist for all shapes.
    pub(crate) fn shape(&self, element_bits: u32) -> u32 {
        let whole = self.code == u32::MAX >> (32 - element_bits);
        if whole { code_shape::of(self) } else { code_shape::ANY }
    }

    /// The constants, if every finite value of the format is zero or a normal binary32 number, or if the format is the
    /// upper part of binary32.
    pub(crate) fn new(format: &Format) -> Option<Decode> {
        let (precision, width) = (format.precision(), format.width());
        let evenly = matches!(format.subnormals(), Subnormals::Ieee | Subnormals::Tesla) && precision > 1;
        // Binary32 with fewer trailing bits: its subnormals move to their place like other codes.
        let cut_short = evenly && format.subnormals() == Subnormals::Ieee && format.bias() == 127;
        // Binary32's exponent fields of the smallest nonzero value and of the largest.
        let below = match format.subnormals() {
            Subnormals::Tesla => precision as i32,
            _ => precision as i32 - 1,
        };
        let smallest = 127 + format.emin() - if evenly { below } else { 0 };
        if width > 16 || (smallest < 1 && !cut_short) || 127 + format.emax() > 254 {
            return None;
        }
        let largest = format.max_finite_code() as u32;
        Some(Decode {
            code: format.last_code() as u32,
            magnitude: format.magnitude_mask() as u32,
            shift: 24 - precision,
            rebias: ((127 - format.bias()) << 23) as u32,
            normal: if cut_short { 0 } else { format.min_normal_code() as u32 },
            quantum: if evenly && !cut_short { (smallest as u32) << 23 } else { 0 },
            largest,
            infinity: largest + format.infinities() as u32,
            nan_code: (format.nan() == NanCodes::NegativeZero).then_some(format.sign_bit() as u32),
            sign: (format.signed() as u32) << 31,
            sign_shift: 32 - width,
            // With NaN at the code of −0, only flushed numbers are zeros with a sign.
            signed_zero: format.negative_zero()
                || !format.signed()
                || format.subnormals() == Subnormals::None
                || (format.nan() == NanCodes::NegativeZero && format.subnormals() != Subnormals::Flush),
            subnormals: cut_short,
        })
    }
}
