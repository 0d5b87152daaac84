//! Classification (P3109 §4.10.3, §4.10.4). Raises no flags.

use crate::catalog::Edition;
use crate::codec::{Class, Datum, classify, is_canonical};
use crate::exact::Value;
use crate::format::NanCodes;

/// The predicates of P3109 §4.10.3.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Predicate {
    /// Zero, of either sign.
    Zero,
    /// One.
    One,
    /// Not a number.
    Nan,
    /// Negative, −0 included; see [`is_sign_minus`] for NaN.
    SignMinus,
    /// Normal.
    Normal,
    /// Nonzero and below the smallest normal in magnitude.
    Subnormal,
    /// Neither infinite nor NaN.
    Finite,
    /// ±∞.
    Infinite,
    /// A signalling NaN: only formats with IEEE 754's NaNs have them.
    Signaling,
    /// A code that the format produces.
    Canonical,
}

impl Predicate {
    /// The snake-case name, such as `is_zero`.
    pub const fn name(self) -> &'static str {
        match self {
            Predicate::Zero => "is_zero",
            Predicate::One => "is_one",
            Predicate::Nan => "is_nan",
            Predicate::SignMinus => "is_sign_minus",
            Predicate::Normal => "is_normal",
            Predicate::Subnormal => "is_subnormal",
            Predicate::Finite => "is_finite",
            Predicate::Infinite => "is_infinite",
            Predicate::Signaling => "is_signaling",
            Predicate::Canonical => "is_canonical",
        }
    }

    /// The name in 4.0 §4.13, which has eight of them.
    pub(super) const fn name_4(self) -> &'static str {
        match self {
            Predicate::Zero => "IsZero",
            Predicate::One => "IsOne",
            Predicate::Nan => "IsNaN",
            Predicate::SignMinus => "IsSignMinus",
            Predicate::Normal => "IsNormal",
            Predicate::Subnormal => "IsSubnormal",
            Predicate::Finite => "IsFinite",
            Predicate::Infinite => "IsInfinite",
            Predicate::Signaling | Predicate::Canonical => "",
        }
    }

    pub(super) const fn clause_4(self) -> &'static str {
        if self.name_4().is_empty() { "" } else { "§4.13" }
    }
}

/// The class of x (P3109 Table 4).
#[inline]
pub fn class(x: Datum) -> Class {
    classify(x.format(), x.code())
}

/// A predicate of x (P3109 §4.10.3).
pub fn test(predicate: Predicate, x: Datum, edition: Edition) -> bool {
    match predicate {
        Predicate::Zero => class(x) == Class::Zero,
        Predicate::One => x.value().partial_cmp(&Value::ONE) == Some(core::cmp::Ordering::Equal),
        Predicate::Nan => x.value().is_nan(),
        Predicate::SignMinus => is_sign_minus(x, edition),
        Predicate::Normal => matches!(class(x), Class::NegativeNormal | Class::PositiveNormal),
        Predicate::Subnormal => matches!(class(x), Class::NegativeSubnormal | Class::PositiveSubnormal),
        Predicate::Finite => matches!(x.value(), Value::Finite(_)),
        Predicate::Infinite => matches!(x.value(), Value::Infinite { .. }),
        Predicate::Signaling => {
            // IEEE 754 §6.2.1: the top trailing bit distinguishes quiet from signalling NaNs.
            x.value().is_nan()
                && x.format().nan() == NanCodes::Ieee
                && x.code() >> (x.format().trailing_bits() - 1) & 1 == 0
        }
        Predicate::Canonical => is_canonical(x.format(), x.code()),
    }
}

/// True if x is negative. In 0.9.1 −0 is negative, and a NaN is if its sign bit is set. So P3109's only NaN, at the
/// code that −0 would have, is negative. In 4.0 (since 3.2.1) neither is negative.
pub fn is_sign_minus(x: Datum, edition: Edition) -> bool {
    match edition {
        Edition::Interim => x.value().negative(),
        Edition::V4 => x.value().partial_cmp(&Value::ZERO) == Some(core::cmp::Ordering::Less),
    }
}
