//! The definition of a number format as plain, checked data, from which all limits are derived in integers.

use alloc::vec;
use alloc::vec::Vec;

use thiserror::Error;

/// The codes that are NaN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NanCodes {
    /// No NaN (CFloat8, SHP, OCP's 4- and 6-bit formats).
    None,
    /// Exponent field all ones, trailing significand nonzero; the canonical one has only its top bit set (IEEE 754).
    Ieee,
    /// The magnitude field all ones, with either sign ("FN" formats, unsigned P3109 formats, E8M0).
    AllOnes,
    /// The code that −0 would have ("FNUZ" formats, signed P3109 formats).
    NegativeZero,
}

/// The meaning of codes with an all-zero exponent field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Subnormals {
    /// Gradual underflow: 2^(1−bias) · 0.t, evenly spaced up to the smallest normal (IEEE 754, P3109).
    Ieee,
    /// 2^(−bias) · 0.t, at half the usual scale, so that a gap stays below the smallest normal (TSL).
    Tesla,
    /// Read as zero and never produced (UHP).
    Flush,
    /// An ordinary binade, 2^(−bias) · 1.t: there is neither zero nor subnormal (E8M0).
    None,
}

/// The fields that define a [`Format`]. They are independent; [`Format::new`] rejects combinations that contradict each
/// other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fields {
    /// Storage width K in bits, 3 to [`Format::MOST_WIDTH`] (one less if unsigned).
    pub width: u32,
    /// Significand bits P, the implicit one included, 1 to [`Format::MOST_PRECISION`].
    pub precision: u32,
    /// Exponent bias: a normal code with exponent field e is worth 2^(e − bias) times its significand.
    pub bias: i32,
    /// True if the top bit is a sign.
    pub signed: bool,
    /// True if there are infinities. They have the largest magnitude code that is not NaN.
    pub infinities: bool,
    /// The codes that are NaN.
    pub nan: NanCodes,
    /// True if the code with only the sign bit set is −0.
    pub negative_zero: bool,
    /// The meaning of an all-zero exponent field.
    pub subnormals: Subnormals,
}

/// An error in the fields of a format.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
pub enum FormatError {
    /// Width outside 3 to 64, or 3 to 63 without a sign: one past the largest magnitude code must also fit.
    #[error("width {0} is out of range: a format has 3 to {most} bits, an unsigned one 3 to {less}", most = Format::MOST_WIDTH, less = Format::MOST_WIDTH - 1)]
    Width(u32),
    /// Precision outside 1 to 53, or too large for the width.
    #[error("precision {precision} is out of range: {width} bits {} a sign allow 1 to {max}", if *.signed {"with"} else {"without"})]
    Precision {
        /// The precision asked for.
        precision: u32,
        /// The format's width.
        width: u32,
        /// The format's signedness.
        signed: bool,
        /// The largest precision that this width allows.
        max: u32,
    },
    /// More exponent bits than 16.
    #[error(
        "{bits} exponent bits are too many: at most {}, so the precision must be at least {min_precision}",
        Format::MOST_EXPONENT_BITS
    )]
    ExponentBits {
        /// The number of exponent bits from width and precision.
        bits: u32,
        /// The smallest precision that is possible.
        min_precision: u32,
    },
    /// Bias outside ±131072.
    #[error("exponent bias {0} is out of range: -131072 to 131072")]
    Bias(i32),
    /// A NaN or a zero at the code of −0 in an unsigned format.
    #[error(
        "an unsigned format has no negative zero code: nan=negative_zero and negative_zero=yes need a sign"
    )]
    NegativeZeroUnsigned,
    /// −0 and NaN have the same code.
    #[error("negative zero and NaN share a code: choose nan=negative_zero or negative_zero=yes")]
    NegativeZeroTaken,
    /// −0 in a format without zero.
    #[error("subnormals=none leaves no zero, so that negative_zero and nan=negative_zero have no code")]
    NoZero,
    /// IEEE NaNs need a trailing significand to tell them from infinity.
    #[error("nan=ieee needs a precision of at least 2")]
    IeeeNanPrecision,
    /// Specials leave no finite nonzero value.
    #[error("no finite nonzero value is left beside the special values")]
    NoFinite,
}

/// A floating-point format: the mapping from the codes 0 … 2^width − 1 to values.
///
/// A code without its sign bit is a *magnitude code*. The finite ones 0, 1, 2, … have increasing magnitudes, and the
/// special values are above the largest of them. All limits below are derived from [`Fields`] in exact integers.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Format {
    fields: Fields,
    // Derived once, so that arithmetic does not recompute it.
    max_code: u64,
}

/// The mask of the `bits` lowest bits, for `bits` from 0 to 64.
const fn ones(bits: u32) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> (64 - bits) }
}

impl Format {
    /// The largest width of a signed format. It is one less for unsigned formats, since one past the largest magnitude
    /// code must also fit.
    pub const MOST_WIDTH: u32 = 64;
    /// The largest precision.
    pub const MOST_PRECISION: u32 = 53;
    /// The widest exponent field.
    pub const MOST_EXPONENT_BITS: u32 = 16;

    /// Checks the fields.
    ///
    /// # Errors
    /// The first rule that the fields break.
    pub const fn new(fields: Fields) -> Result<Format, FormatError> {
        let Fields { width, precision, bias, signed, infinities, nan, negative_zero, subnormals } = fields;
        if width < 3 || width - signed as u32 > Format::MOST_WIDTH - 1 {
            return Err(FormatError::Width(width));
        }
        // At least one exponent bit remains: K = (sign) + W + (P − 1), W ≥ 1.
        let room = width - signed as u32;
        let max = if room < Format::MOST_PRECISION { room } else { Format::MOST_PRECISION };
        if precision < 1 || precision > max {
            return Err(FormatError::Precision { precision, width, signed, max });
        }
        let exponent_bits = room - (precision - 1);
        if exponent_bits > Format::MOST_EXPONENT_BITS {
            return Err(FormatError::ExponentBits {
                bits: exponent_bits,
                min_precision: precision + exponent_bits - Format::MOST_EXPONENT_BITS,
            });
        }
        if bias < -131_072 || bias > 131_072 {
            return Err(FormatError::Bias(bias));
        }
        let nan_at_negative_zero = matches!(nan, NanCodes::NegativeZero);
        if !signed && (negative_zero || nan_at_negative_zero) {
            return Err(FormatError::NegativeZeroUnsigned);
        }
        if negative_zero && nan_at_negative_zero {
            return Err(FormatError::NegativeZeroTaken);
        }
        if matches!(subnormals, Subnormals::None) && (negative_zero || nan_at_negative_zero) {
            return Err(FormatError::NoZero);
        }
        if matches!(nan, NanCodes::Ieee) && precision < 2 {
            return Err(FormatError::IeeeNanPrecision);
        }
        let magnitudes = ones(room);
        let nans = match nan {
            NanCodes::Ieee => ones(precision - 1),
            NanCodes::AllOnes => 1,
            NanCodes::None | NanCodes::NegativeZero => 0,
        };
        let specials = nans + infinities as u64;
        let smallest = match subnormals {
            Subnormals::Ieee => 1,
            // P = 1 has no subnormal in any rule: code 1 is the smallest normal.
            Subnormals::Tesla => 1,
            Subnormals::Flush => 1 << (precision - 1),
            Subnormals::None => 0,
        };
        if magnitudes < specials || magnitudes - specials < smallest {
            return Err(FormatError::NoFinite);
        }
        Ok(Format { fields, max_code: magnitudes - specials })
    }

    /// [`Format::new`] for constants.
    ///
    /// # Panics
    /// If the fields contradict each other; in a constant that is a compile error.
    pub const fn constant(fields: Fields) -> Format {
        match Format::new(fields) {
            Ok(format) => format,
            Err(_) => panic!("these fields do not make a format"),
        }
    }

    /// The defining fields.
    #[inline]
    pub const fn fields(&self) -> Fields {
        self.fields
    }

    /// Storage width K in bits.
    #[inline]
    pub const fn width(&self) -> u32 {
        self.fields.width
    }

    /// Significand bits P, the implicit one included.
    #[inline]
    pub const fn precision(&self) -> u32 {
        self.fields.precision
    }

    /// Exponent bias.
    #[inline]
    pub const fn bias(&self) -> i32 {
        self.fields.bias
    }

    /// True if the top bit is a sign.
    #[inline]
    pub const fn signed(&self) -> bool {
        self.fields.signed
    }

    /// True if there are infinities.
    #[inline]
    pub const fn infinities(&self) -> bool {
        self.fields.infinities
    }

    /// The codes that are NaN.
    #[inline]
    pub const fn nan(&self) -> NanCodes {
        self.fields.nan
    }

    /// True if there is a −0.
    #[inline]
    pub const fn negative_zero(&self) -> bool {
        self.fields.negative_zero
    }

    /// The meaning of an all-zero exponent field.
    #[inline]
    pub const fn subnormals(&self) -> Subnormals {
        self.fields.subnormals
    }

    /// This format with another subnormal rule.
    ///
    /// # Errors
    /// The errors of [`Format::new`].
    pub const fn with_subnormals(self, subnormals: Subnormals) -> Result<Format, FormatError> {
        Format::new(Fields { subnormals, ..self.fields })
    }

    /// Width of the magnitude field: everything but the sign.
    #[inline]
    pub const fn magnitude_bits(&self) -> u32 {
        self.fields.width - self.fields.signed as u32
    }

    /// Width W of the exponent field.
    #[inline]
    pub const fn exponent_bits(&self) -> u32 {
        self.magnitude_bits() + 1 - self.fields.precision
    }

    /// Width of the trailing significand field, P − 1.
    #[inline]
    pub const fn trailing_bits(&self) -> u32 {
        self.fields.precision - 1
    }

    /// The largest code, 2^K − 1.
    #[inline]
    pub const fn last_code(&self) -> u64 {
        ones(self.fields.width)
    }

    /// Mask of the magnitude field, which is also the largest magnitude code, special or not.
    #[inline]
    pub const fn magnitude_mask(&self) -> u64 {
        ones(self.magnitude_bits())
    }

    /// The sign bit, 0 for unsigned formats.
    #[inline]
    pub const fn sign_bit(&self) -> u64 {
        (self.fields.signed as u64) << (self.fields.width - 1)
    }

    /// Code of the largest finite value.
    #[inline]
    pub const fn max_finite_code(&self) -> u64 {
        self.max_code
    }

    /// Code of +∞.
    #[inline]
    pub const fn infinity_code(&self) -> Option<u64> {
        if self.fields.infinities { Some(self.max_code + 1) } else { None }
    }

    /// The canonical NaN: positive, quiet, without payload (P3109 §4.7.1).
    #[inline]
    pub const fn nan_code(&self) -> Option<u64> {
        match self.fields.nan {
            NanCodes::None => None,
            NanCodes::Ieee => {
                Some(self.max_code + self.fields.infinities as u64 + (1 << (self.trailing_bits() - 1)))
            }
            NanCodes::AllOnes => Some(self.magnitude_mask()),
            NanCodes::NegativeZero => Some(self.sign_bit()),
        }
    }

    /// First and last code of each run of NaN codes.
    pub fn nan_ranges(&self) -> Vec<(u64, u64)> {
        let first = self.max_code + self.fields.infinities as u64 + 1;
        match self.fields.nan {
            NanCodes::None => vec![],
            NanCodes::NegativeZero => vec![(self.sign_bit(), self.sign_bit())],
            NanCodes::Ieee | NanCodes::AllOnes => {
                let mut ranges = vec![(first, self.magnitude_mask())];
                if self.fields.signed {
                    ranges.push((first | self.sign_bit(), self.last_code()));
                }
                ranges
            }
        }
    }

    /// Magnitude code of the smallest normal value.
    #[inline]
    pub const fn min_normal_code(&self) -> u64 {
        match self.fields.subnormals {
            Subnormals::None => 0,
            _ => 1 << self.trailing_bits(),
        }
    }

    /// Exponent of the smallest normal value.
    #[inline]
    pub const fn emin(&self) -> i32 {
        match self.fields.subnormals {
            Subnormals::None => -self.fields.bias,
            _ => 1 - self.fields.bias,
        }
    }

    /// Exponent of the largest finite value.
    #[inline]
    pub const fn emax(&self) -> i32 {
        (self.max_code >> self.trailing_bits()) as i32 - self.fields.bias
    }

    /// Code of the smallest positive value.
    #[inline]
    pub const fn min_positive_code(&self) -> u64 {
        match self.fields.subnormals {
            Subnormals::Ieee | Subnormals::Tesla => 1,
            Subnormals::Flush => self.min_normal_code(),
            Subnormals::None => 0,
        }
    }

    /// Code of the smallest subnormal, if there is one.
    pub const fn min_subnormal_code(&self) -> Option<u64> {
        match self.fields.subnormals {
            Subnormals::Ieee | Subnormals::Tesla if self.fields.precision > 1 => Some(1),
            _ => None,
        }
    }

    /// Code of the largest subnormal, if there is one.
    pub const fn max_subnormal_code(&self) -> Option<u64> {
        match self.min_subnormal_code() {
            // A format of one exponent bit may end within its subnormals.
            Some(_) => {
                let last = self.min_normal_code() - 1;
                Some(if last < self.max_code { last } else { self.max_code })
            }
            None => None,
        }
    }

    /// Code of the smallest positive normal value, if there is one.
    pub const fn smallest_normal(&self) -> Option<u64> {
        if self.min_normal_code() <= self.max_code { Some(self.min_normal_code()) } else { None }
    }

    /// The number of finite codes, including zeros and codes that are read as zero.
    pub const fn finite_codes(&self) -> u128 {
        let magnitudes = self.max_code as u128 + 1;
        match (self.fields.signed, self.fields.nan) {
            (false, _) => magnitudes,
            (true, NanCodes::NegativeZero) => 2 * magnitudes - 1,
            (true, _) => 2 * magnitudes,
        }
    }

    /// The number of different finite values; −0 and +0 count as one.
    pub const fn finite_values(&self) -> u128 {
        let zero = !matches!(self.fields.subnormals, Subnormals::None);
        let flushed = match self.fields.subnormals {
            Subnormals::Flush => (1u128 << self.trailing_bits()) - 1,
            _ => 0,
        };
        let nonzero = self.max_code as u128 + !zero as u128 - flushed;
        (1 + self.fields.signed as u128) * nonzero + zero as u128
    }

    /// True if the exponent field of a magnitude code is zero, in a format in which that means zero or subnormal.
    #[inline]
    pub(crate) const fn below_normal(&self, magnitude: u64) -> bool {
        magnitude < self.min_normal_code()
    }
}

impl core::fmt::Debug for Format {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Format({self})")
    }
}
