//! Rounding to a narrower format within binary32 or binary64, its carrier, for vector code.

use crate::codec;
use crate::exact::Value;
use crate::format::{Format, NanCodes, Subnormals};

/// A format in which the numbers of a narrower format are stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Carrier {
    /// binary32.
    Binary32,
    /// binary64.
    Binary64,
}

impl Carrier {
    /// Significand bits.
    const fn precision(self) -> i32 {
        match self {
            Carrier::Binary32 => 24,
            Carrier::Binary64 => 53,
        }
    }

    /// The largest exponent, which is also the bias.
    const fn emax(self) -> i32 {
        match self {
            Carrier::Binary32 => 127,
            Carrier::Binary64 => 1023,
        }
    }

    /// The bits of a number that the carrier represents.
    fn bits(self, x: f64) -> u64 {
        match self {
            Carrier::Binary32 => (x as f32).to_bits() as u64,
            Carrier::Binary64 => x.to_bits(),
        }
    }

    /// The canonical NaN.
    const fn nan(self) -> u64 {
        match self {
            Carrier::Binary32 => f32::NAN.to_bits() as u64,
            Carrier::Binary64 => f64::NAN.to_bits(),
        }
    }

    const fn sign(self) -> u64 {
        match self {
            Carrier::Binary32 => 1 << 31,
            Carrier::Binary64 => 1 << 63,
        }
    }
}

/// The constants for rounding a carrier's number to a narrower format, to nearest even, in the carrier itself. Numbers
/// are given as their bits.
///
/// Let C be the carrier's precision, and 2^e the exponent of x, but at least that of the format's finest step times
/// 2^(P − 1). Adding M = 1.5 · 2^(e + C − P) to x rounds it to a multiple of 2^(e + 1 − P), the format's step there.
/// Subtracting M is exact. Magnitudes from `bound` on round beyond the largest finite number.
///
/// NaN stays NaN, of any payload. So the constants are for formats that have a NaN, or for data without NaN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NarrowRounding {
    /// 2^e for the least e.
    pub smallest: u64,
    /// The difference of the bits of M and of 2^e.
    pub magic: u64,
    /// The least magnitude that overflows.
    pub bound: u64,
    /// The result of overflow (infinity, NaN or the largest number), to which the sign is added.
    pub overflow: u64,
    /// The sign bit if the format has −0, and 0 otherwise.
    pub sign: u64,
    /// The gap below the smallest normal number, if there is one.
    pub gap: Option<Gap>,
    /// For unsigned formats, the result of negative numbers that do not round to zero.
    pub negative: Option<u64>,
}

/// A gap between neighbours that is wider than the steps around it. Magnitudes below `middle` round to at most `lower`,
/// the others to at least `upper`. In the gap M rounds to multiples of the step below it, so the result is on the right
/// side or at an edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Gap {
    /// The least magnitude that rounds to `upper`.
    pub middle: u64,
    /// The largest magnitude below the gap.
    pub lower: u64,
    /// The smallest normal number.
    pub upper: u64,
}

impl NarrowRounding {
    /// The constants within binary32; `None` if the algorithm does not cover the format.
    pub fn new(format: Format) -> Option<NarrowRounding> {
        NarrowRounding::within(Carrier::Binary32, format)
    }

    /// The constants within binary32 for a signed format; `None` for unsigned formats, or if the algorithm does not
    /// cover the format.
    pub fn signed(format: Format) -> Option<NarrowRounding> {
        NarrowRounding::new(format).filter(|narrow| narrow.negative.is_none())
    }

    /// The constants, or `None` if the algorithm does not cover the format. The precision must be at least two bits,
    /// and a sum rounded to odd in the carrier must have two bits to spare everywhere.
    pub fn within(carrier: Carrier, format: Format) -> Option<NarrowRounding> {
        let precision = format.precision() as i32;
        let (emin, emax) = (format.emin(), format.emax());
        // The least e: Tesla's subnormals have the step of the binade below the normal numbers.
        let (least, even) = match format.subnormals() {
            Subnormals::Ieee => (emin, true),
            Subnormals::Flush => (emin, false),
            Subnormals::Tesla => (emin - 1, false),
            Subnormals::None => return None,
        };
        let finest = 2 - carrier.emax() - carrier.precision();
        let has_nan = format.nan() != NanCodes::None;
        let fits = (2..=carrier.precision() - 2).contains(&precision)
            && least > -carrier.emax()
            && least + 1 - precision >= finest + 2
            && emax + carrier.precision() - precision <= carrier.emax()
            // A result at the edge of a gap has the operand's sign.
            && (even || format.negative_zero() || !format.signed())
            // A negative NaN is not a negative number.
            && (format.signed() || has_nan);
        if !fits {
            return None;
        }
        let number = |code: u64| match codec::decode(format, code) {
            Value::Finite(x) => x.significand as f64 * power(x.exponent as i32),
            _ => f64::INFINITY,
        };
        let largest = format.max_finite_code();
        // Half a step above the largest number; a tie goes to the even code.
        let middle = number(largest) + power(emax - precision);
        let nan = carrier.nan();
        let overflow = if format.infinities() {
            carrier.bits(f64::INFINITY)
        } else if has_nan {
            nan
        } else {
            carrier.bits(number(largest))
        };
        let upper = power(emin);
        let gap = |lower: f64, tie_up: bool| {
            let middle = carrier.bits((lower + upper) / 2.0) + !tie_up as u64;
            Gap { middle, lower: carrier.bits(lower), upper: carrier.bits(upper) }
        };
        let last = format.min_normal_code().wrapping_sub(1);
        Some(NarrowRounding {
            smallest: carrier.bits(power(least)),
            magic: ((carrier.precision() - precision) as u64) << (carrier.precision() - 1)
                | 1 << (carrier.precision() - 2),
            bound: carrier.bits(middle) + largest.is_multiple_of(2) as u64,
            overflow,
            sign: if format.negative_zero() { carrier.sign() } else { 0 },
            gap: match format.subnormals() {
                // The tie goes to the even code, that of the smallest normal number.
                Subnormals::Tesla => Some(gap(number(last), true)),
                // It goes to zero.
                Subnormals::Flush => Some(gap(0.0, false)),
                _ => None,
            },
            negative: (!format.signed()).then_some(if has_nan { nan } else { 0 }),
        })
    }
}

/// 2^exponent, normal or subnormal, for exponents from −1074 to 1023. It is exact, which the standard library does not
/// guarantee for `powi`.
pub fn power(exponent: i32) -> f64 {
    if exponent >= -1022 {
        f64::from_bits(((exponent + 1023) as u64) << 52)
    } else {
        f64::from_bits(1 << (exponent + 1074))
    }
}
