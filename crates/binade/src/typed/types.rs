//! The table of typed numbers, and the macro that writes the items of each type.

use core::cmp::Ordering;
use core::fmt;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use core::str::FromStr;

use super::number::{self, NarrowFloat, NotRepresentable, Sealed};
use crate::catalog::{Bias, ENTRIES, Edition, P3109};
use crate::codec::DatumError;
use crate::exact::Value;
use crate::format::{Format, Subnormals};
use crate::text::ValueError;

pub(super) const BINARY32: Format = named("f32", 0);
pub(super) const BINARY64: Format = named("f64", 0);

/// The catalogue's format of this name, in the catalogue's spelling; a compile error if it does not exist.
const fn named(name: &str, bias: i32) -> Format {
    let mut i = 0;
    while i < ENTRIES.len() {
        if same(ENTRIES[i].name.as_bytes(), name.as_bytes()) {
            if matches!(ENTRIES[i].bias, Bias::Configurable) {
                assert!(*Bias::RANGE.start() <= bias && bias <= *Bias::RANGE.end(), "a bias is 0 to 63");
            }
            return ENTRIES[i].format(bias);
        }
        i += 1;
    }
    match P3109::of_name(name) {
        Some(member) => match member.format() {
            Some(format) => format,
            None => panic!("the catalogue has no format of this name"),
        },
        None => panic!("the catalogue has no format of this name"),
    }
}

impl P3109 {
    /// The member of a name `binary{K}p{P}` or `binary{K}p{P}{s|u}{e|f}` with K and P of one digit.
    const fn of_name(name: &str) -> Option<P3109> {
        let [b'b', b'i', b'n', b'a', b'r', b'y', width, b'p', precision, kind @ ..] = name.as_bytes() else {
            return None;
        };
        let (signed, extended, edition) = match kind {
            b"" => (true, true, Edition::Interim),
            b"se" => (true, true, Edition::V4),
            b"sf" => (true, false, Edition::V4),
            b"ue" => (false, true, Edition::V4),
            b"uf" => (false, false, Edition::V4),
            _ => return None,
        };
        if !width.is_ascii_digit() || !precision.is_ascii_digit() {
            return None;
        }
        let (width, precision) = ((*width - b'0') as u32, (*precision - b'0') as u32);
        Some(P3109 { width, precision, signed, extended, edition })
    }
}

/// The edition that a catalogue name selects.
const fn edition(name: &str) -> Edition {
    match P3109::of_name(name) {
        Some(member) => member.edition,
        None => Edition::Interim,
    }
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// The code of 1; a compile error in a format without 1, such as CFloat8 with bias 0.
const fn one(format: Format) -> u64 {
    let (bias, trailing) = (format.bias() as i64, format.trailing_bits() as i64);
    // 1 = 2^(field − bias) in a normal binade, or 2^place units of the subnormals.
    let place = match format.subnormals() {
        Subnormals::Ieee => trailing + bias - 1,
        Subnormals::Tesla => trailing + bias,
        Subnormals::Flush | Subnormals::None => -1,
    };
    let first_field = format.min_normal_code() as i64 >> trailing;
    let code = if bias >= first_field {
        bias << trailing
    } else if 0 <= place && place < trailing {
        1 << place
    } else {
        -1
    };
    assert!(code >= 0 && code as u64 <= format.max_finite_code(), "1 is not a value of this format");
    code as u64
}

/// The code of a special value; a compile error if the format has no such value.
const fn special(code: Option<u64>) -> u64 {
    match code {
        Some(code) => code,
        None => panic!("the format has no such value"),
    }
}

/// Constants that only some types have.
macro_rules! constant {
    ($bits:ty, ZERO) => {
        /// Zero.
        pub const ZERO: Self = {
            assert!(!matches!(Self::FORMAT.subnormals(), Subnormals::None), "the format has no zero");
            Self(0)
        };
    };
    ($bits:ty, ONE) => {
        /// One.
        pub const ONE: Self = Self(one(Self::FORMAT) as $bits);
    };
    ($bits:ty, NAN) => {
        /// The canonical NaN.
        pub const NAN: Self = Self(special(Self::FORMAT.nan_code()) as $bits);
    };
    ($bits:ty, INFINITY) => {
        /// +∞.
        pub const INFINITY: Self = Self(special(Self::FORMAT.infinity_code()) as $bits);
    };
}

/// Traits that depend on a constant.
macro_rules! comes_with {
    ([$($generics:tt)*] $type:ty, ZERO) => {
        /// Zero.
        impl<$($generics)*> Default for $type {
            #[inline]
            fn default() -> Self {
                Self::ZERO
            }
        }
    };
    ([$($generics:tt)*] $type:ty, $other:ident) => {};
}

macro_rules! operator {
    ([$($generics:tt)*] $type:ty, $operator:ident $method:ident, $assign:ident $assign_method:ident, $exact:expr) => {
        impl<$($generics)*> $operator for $type {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                number::rounded($exact(self.value(), other.value()))
            }
        }

        impl<$($generics)*> $assign for $type {
            #[inline]
            fn $assign_method(&mut self, other: Self) {
                *self = $operator::$method(*self, other);
            }
        }
    };
}

macro_rules! float {
    ([$($generics:tt)*] $type:ty, $float:ident, $to:ident) => {
        /// Exact.
        impl<$($generics)*> From<$type> for $float {
            #[inline]
            fn from(x: $type) -> $float {
                x.$to()
            }
        }

        /// Exact, or an error; [`NarrowFloat`] has the conversions that round.
        impl<$($generics)*> TryFrom<$float> for $type {
            type Error = NotRepresentable;
            #[inline]
            fn try_from(x: $float) -> Result<Self, NotRepresentable> {
                number::exactly(f64::from(x))
            }
        }
    };
}

macro_rules! newtype {
    ([$($generics:tt)*] $type:ty, $name:ident, $bits:ident, $format:expr, $edition:expr, $constants:tt) => {
        impl<$($generics)*> $type {
            /// The format.
            pub const FORMAT: Format = $format;
            /// The largest finite value.
            pub const MAX: Self = Self(Self::FORMAT.max_finite_code() as $bits);
            /// The least finite value: −[`MAX`](Self::MAX), or the smallest value if there is no sign.
            pub const MIN: Self =
                Self(if Self::FORMAT.signed() { Self::FORMAT.sign_bit() | Self::FORMAT.max_finite_code() } else { 0 } as $bits);
            /// The smallest positive normal value.
            pub const MIN_POSITIVE: Self = Self(special(Self::FORMAT.smallest_normal()) as $bits);

            /// The number of a code, in the low bits of the storage.
            ///
            /// # Errors
            /// If `bits` has more bits than the format.
            #[inline]
            pub const fn from_bits(bits: $bits) -> Result<Self, DatumError> {
                if bits as u64 > Self::FORMAT.last_code() {
                    Err(DatumError { code: bits as u64, format: Self::FORMAT })
                } else {
                    Ok(Self(bits))
                }
            }

            /// The code, in the low bits of the storage.
            #[inline]
            pub const fn to_bits(self) -> $bits {
                self.0
            }
        }

        newtype!(@each [$($generics)*] $type, $bits, $constants);

        impl<$($generics)*> Sealed for $type {
            #[inline]
            fn trusted(code: u64) -> Self {
                Self(code as $bits)
            }
        }

        impl<$($generics)*> NarrowFloat for $type {
            const FORMAT: Format = Self::FORMAT;
            const EDITION: Edition = $edition;
            #[inline]
            fn code(self) -> u64 {
                self.0 as u64
            }
        }

        /// Compares values: −0 equals +0, and NaN equals nothing.
        impl<$($generics)*> PartialEq for $type {
            #[inline]
            fn eq(&self, other: &Self) -> bool {
                self.partial_cmp(other) == Some(Ordering::Equal)
            }
        }

        /// Compares values: NaN is unordered.
        impl<$($generics)*> PartialOrd for $type {
            #[inline]
            fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
                self.value().partial_cmp(&other.value())
            }
        }

        operator!([$($generics)*] $type, Add add, AddAssign add_assign, |x: Value, y| x.plus(y, false));
        operator!([$($generics)*] $type, Sub sub, SubAssign sub_assign, |x: Value, y| x.minus(y, false));
        operator!([$($generics)*] $type, Mul mul, MulAssign mul_assign, Value::times);
        operator!([$($generics)*] $type, Div div, DivAssign div_assign, Value::over);

        impl<$($generics)*> Neg for $type {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                number::rounded(self.value().negated())
            }
        }

        float!([$($generics)*] $type, f32, to_f32);
        float!([$($generics)*] $type, f64, to_f64);

        /// Writes the number as the binary32 of the same value.
        impl<$($generics)*> fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.to_f32(), f)
            }
        }

        impl<$($generics)*> fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self)
            }
        }

        /// The code.
        impl<$($generics)*> fmt::LowerHex for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::LowerHex::fmt(&self.0, f)
            }
        }

        /// The code.
        impl<$($generics)*> fmt::Binary for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Binary::fmt(&self.0, f)
            }
        }

        /// Reads the forms of [`text::parse`](crate::text::parse), rounded once.
        impl<$($generics)*> FromStr for $type {
            type Err = ValueError;
            fn from_str(text: &str) -> Result<Self, ValueError> {
                number::parse(text)
            }
        }

        #[cfg(feature = "serde")]
        impl<$($generics)*> ::serde::Serialize for $type {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                super::serde::serialize(*self, self.0, serializer)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de, $($generics)*> ::serde::Deserialize<'de> for $type {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                super::serde::deserialize::<Self, $bits, D>(deserializer)
            }
        }
    };
    (@each $generics:tt $type:ty, $bits:ty, [$($constant:ident)*]) => {
        $(newtype!(@one $generics $type, $bits, $constant);)*
    };
    (@one [$($generics:tt)*] $type:ty, $bits:ty, $constant:ident) => {
        impl<$($generics)*> $type {
            constant!($bits, $constant);
        }

        comes_with!([$($generics)*] $type, $constant);
    };
}

macro_rules! types {
    ($($constants:tt { $($name:ident $(<$bias:ident>)? $bits:ident $catalogue:literal;)* })*) => {
        $($(
            #[doc = concat!("A number of the format `", $catalogue, "`.")]
            $(
                #[doc = ""]
                #[doc = concat!("`", stringify!($bias), "`, 0 to 63, is the exponent bias; a larger one does not compile.")]
            )?
            #[derive(Clone, Copy)]
            #[repr(transparent)]
            pub struct $name $(<const $bias: u8>)? ($bits);

            newtype!(
                [$(const $bias: u8)?] $name $(<$bias>)?, $name, $bits, named($catalogue, 0 $(+ $bias as i32)?),
                edition($catalogue), $constants
            );
        )*)*

        /// The catalogue's name of each type and its checks, at some bias.
        #[cfg(test)]
        const CHECKS: &[(&str, fn())] = &[$($(($catalogue, tests::check::<$name $(<{ bias!($bias) }>)?>),)*)*];
    };
}

#[cfg(test)]
macro_rules! bias {
    (BIAS) => {
        13
    };
}

// Each type: the constants that its format has, its storage and the catalogue's name.
types! {
    [ZERO ONE NAN INFINITY] {
        F8E5M2 u8 "float8_e5m2";
        F8E4M3 u8 "float8_e4m3";
        F8E3M4 u8 "float8_e3m4";
        F16 u16 "f16";
        BF16 u16 "bf16";
        TF32 u32 "tf32";
        Uhp u16 "uhp";
        Binary8P1 u8 "binary8p1";
        Binary8P2 u8 "binary8p2";
        Binary8P3 u8 "binary8p3";
        Binary8P4 u8 "binary8p4";
        Binary8P5 u8 "binary8p5";
        Binary8P6 u8 "binary8p6";
        Binary8P7 u8 "binary8p7";
        Binary4P1Se u8 "binary4p1se";
        Binary4P2Se u8 "binary4p2se";
        Binary4P3Se u8 "binary4p3se";
        Binary4P1Ue u8 "binary4p1ue";
        Binary4P2Ue u8 "binary4p2ue";
        Binary4P3Ue u8 "binary4p3ue";
        Binary4P4Ue u8 "binary4p4ue";
        Binary5P1Se u8 "binary5p1se";
        Binary5P2Se u8 "binary5p2se";
        Binary5P3Se u8 "binary5p3se";
        Binary5P4Se u8 "binary5p4se";
        Binary5P1Ue u8 "binary5p1ue";
        Binary5P2Ue u8 "binary5p2ue";
        Binary5P3Ue u8 "binary5p3ue";
        Binary5P4Ue u8 "binary5p4ue";
        Binary5P5Ue u8 "binary5p5ue";
        Binary6P1Se u8 "binary6p1se";
        Binary6P2Se u8 "binary6p2se";
        Binary6P3Se u8 "binary6p3se";
        Binary6P4Se u8 "binary6p4se";
        Binary6P5Se u8 "binary6p5se";
        Binary6P1Ue u8 "binary6p1ue";
        Binary6P2Ue u8 "binary6p2ue";
        Binary6P3Ue u8 "binary6p3ue";
        Binary6P4Ue u8 "binary6p4ue";
        Binary6P5Ue u8 "binary6p5ue";
        Binary6P6Ue u8 "binary6p6ue";
        Binary7P1Se u8 "binary7p1se";
        Binary7P2Se u8 "binary7p2se";
        Binary7P3Se u8 "binary7p3se";
        Binary7P4Se u8 "binary7p4se";
        Binary7P5Se u8 "binary7p5se";
        Binary7P6Se u8 "binary7p6se";
        Binary7P1Ue u8 "binary7p1ue";
        Binary7P2Ue u8 "binary7p2ue";
        Binary7P3Ue u8 "binary7p3ue";
        Binary7P4Ue u8 "binary7p4ue";
        Binary7P5Ue u8 "binary7p5ue";
        Binary7P6Ue u8 "binary7p6ue";
        Binary7P7Ue u8 "binary7p7ue";
        Binary8P1Se u8 "binary8p1se";
        Binary8P2Se u8 "binary8p2se";
        Binary8P3Se u8 "binary8p3se";
        Binary8P4Se u8 "binary8p4se";
        Binary8P5Se u8 "binary8p5se";
        Binary8P6Se u8 "binary8p6se";
        Binary8P7Se u8 "binary8p7se";
        Binary8P1Ue u8 "binary8p1ue";
        Binary8P2Ue u8 "binary8p2ue";
        Binary8P3Ue u8 "binary8p3ue";
        Binary8P4Ue u8 "binary8p4ue";
        Binary8P5Ue u8 "binary8p5ue";
        Binary8P6Ue u8 "binary8p6ue";
        Binary8P7Ue u8 "binary8p7ue";
        Binary8P8Ue u8 "binary8p8ue";
    }

    [ZERO ONE NAN] {
        F8E4M3FNUZ u8 "float8_e4m3fnuz";
        F8E5M2FNUZ u8 "float8_e5m2fnuz";
        F8E4M3B11FNUZ u8 "float8_e4m3b11fnuz";
        F8E4M3FN u8 "float8_e4m3fn";
        Binary4P1Sf u8 "binary4p1sf";
        Binary4P2Sf u8 "binary4p2sf";
        Binary4P3Sf u8 "binary4p3sf";
        Binary4P1Uf u8 "binary4p1uf";
        Binary4P2Uf u8 "binary4p2uf";
        Binary4P3Uf u8 "binary4p3uf";
        Binary4P4Uf u8 "binary4p4uf";
        Binary5P1Sf u8 "binary5p1sf";
        Binary5P2Sf u8 "binary5p2sf";
        Binary5P3Sf u8 "binary5p3sf";
        Binary5P4Sf u8 "binary5p4sf";
        Binary5P1Uf u8 "binary5p1uf";
        Binary5P2Uf u8 "binary5p2uf";
        Binary5P3Uf u8 "binary5p3uf";
        Binary5P4Uf u8 "binary5p4uf";
        Binary5P5Uf u8 "binary5p5uf";
        Binary6P1Sf u8 "binary6p1sf";
        Binary6P2Sf u8 "binary6p2sf";
        Binary6P3Sf u8 "binary6p3sf";
        Binary6P4Sf u8 "binary6p4sf";
        Binary6P5Sf u8 "binary6p5sf";
        Binary6P1Uf u8 "binary6p1uf";
        Binary6P2Uf u8 "binary6p2uf";
        Binary6P3Uf u8 "binary6p3uf";
        Binary6P4Uf u8 "binary6p4uf";
        Binary6P5Uf u8 "binary6p5uf";
        Binary6P6Uf u8 "binary6p6uf";
        Binary7P1Sf u8 "binary7p1sf";
        Binary7P2Sf u8 "binary7p2sf";
        Binary7P3Sf u8 "binary7p3sf";
        Binary7P4Sf u8 "binary7p4sf";
        Binary7P5Sf u8 "binary7p5sf";
        Binary7P6Sf u8 "binary7p6sf";
        Binary7P1Uf u8 "binary7p1uf";
        Binary7P2Uf u8 "binary7p2uf";
        Binary7P3Uf u8 "binary7p3uf";
        Binary7P4Uf u8 "binary7p4uf";
        Binary7P5Uf u8 "binary7p5uf";
        Binary7P6Uf u8 "binary7p6uf";
        Binary7P7Uf u8 "binary7p7uf";
        Binary8P1Sf u8 "binary8p1sf";
        Binary8P2Sf u8 "binary8p2sf";
        Binary8P3Sf u8 "binary8p3sf";
        Binary8P4Sf u8 "binary8p4sf";
        Binary8P5Sf u8 "binary8p5sf";
        Binary8P6Sf u8 "binary8p6sf";
        Binary8P7Sf u8 "binary8p7sf";
        Binary8P1Uf u8 "binary8p1uf";
        Binary8P2Uf u8 "binary8p2uf";
        Binary8P3Uf u8 "binary8p3uf";
        Binary8P4Uf u8 "binary8p4uf";
        Binary8P5Uf u8 "binary8p5uf";
        Binary8P6Uf u8 "binary8p6uf";
        Binary8P7Uf u8 "binary8p7uf";
        Binary8P8Uf u8 "binary8p8uf";
    }

    [ZERO ONE] {
        F6E2M3FN u8 "float6_e2m3fn";
        F6E3M2FN u8 "float6_e3m2fn";
        F4E2M1FN u8 "float4_e2m1fn";
        CFloat8E4M3<BIAS> u8 "cfloat8_1_4_3";
        CFloat8E5M2<BIAS> u8 "cfloat8_1_5_2";
        Shp<BIAS> u16 "shp";
    }

    [ONE NAN] {
        F8E8M0FNU u8 "float8_e8m0fnu";
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Spec, classify, is_canonical};

    /// Rust itself has binary32 and binary64. P3109's types are those of 0.9.1 with 8 bits, and of 4.0 with 4 to 8.
    #[test]
    fn every_catalogue_entry_has_its_type() {
        let entries =
            ENTRIES.iter().map(|entry| entry.name.to_owned()).filter(|name| name != "f32" && name != "f64");
        let families = P3109::all().filter(|member| match member.edition {
            Edition::Interim => member.width == 8,
            Edition::V4 => (4..=8).contains(&member.width),
        });
        let families = families.map(|member| member.name());
        let mut expected: Vec<String> = entries.chain(families).collect();
        let mut found: Vec<&str> = CHECKS.iter().map(|(name, _)| *name).collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected);
    }

    #[test]
    fn names_of_types_give_the_formats_of_specs() {
        for (name, _) in CHECKS {
            let spec =
                [(*name).to_owned(), format!("{name}@bias=13")].iter().find_map(|n| n.parse::<Spec>().ok());
            let (format, calls_for) = (spec.as_ref().map(|spec| spec.format), Spec::edition_of(&spec));
            assert_eq!((format, calls_for), (Some(named(name, 13)), edition(name)), "{name}");
        }
    }

    #[test]
    fn values_of_every_type_round_trip() {
        for (_, check) in CHECKS {
            check();
        }
    }

    /// Every code, or every seventh for formats wider than 16 bits, through every conversion and back.
    pub(super) fn check<T>()
    where
        T: NarrowFloat + TryFrom<f64> + TryFrom<f32>,
        f64: From<T>,
        f32: From<T>,
    {
        let last = T::FORMAT.last_code();
        assert!(T::from_code(last + 1).is_err());
        for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 1e-300, -1e-300, 0.0, -0.0]
        {
            let expected =
                crate::project_in(T::FORMAT, Value::from_f64(x), crate::Projection::default(), T::EDITION);
            assert_eq!(T::from_f64(x).code(), expected.code, "{} {x}", T::FORMAT);
            assert_eq!(x.to_string().parse::<T>().unwrap().code(), expected.code, "{} {x}", T::FORMAT);
        }
        for code in (0..=last).step_by(if last > 0xffff { 7 } else { 1 }) {
            let x = T::from_code(code).unwrap();
            assert_eq!(x.code(), code);
            let context = format!("{} {code:#x} {x:?}", T::FORMAT);
            // A NaN's payload, the sign of a redundant zero and flushed codes are not values.
            let canonical =
                if x.is_nan() { T::FORMAT.nan_code() } else { is_canonical(T::FORMAT, code).then_some(code) };
            let back = [T::from_f64(f64::from(x)), T::from_f32(f32::from(x)), x.to_string().parse().unwrap()];
            for y in back.into_iter().chain(T::try_from(x.to_f64())).chain(T::try_from(x.to_f32())) {
                assert_eq!(y.code(), canonical.unwrap_or(0), "{context}");
            }
            assert!(T::try_from(x.to_f64()).is_ok() && T::try_from(x.to_f32()).is_ok(), "{context}");
            assert_eq!(
                Value::from_f64(x.to_f64()).partial_cmp(&x.value()).is_some(),
                !x.is_nan(),
                "{context}"
            );
            assert_eq!((x.to_f32() as f64).to_bits(), x.to_f64().to_bits(), "{context}");
            assert_eq!(x.class(), classify(T::FORMAT, code));
            assert_eq!(x.to_f64().is_nan(), x.is_nan());
            assert!(x.total_cmp(x).is_eq());
        }
    }
}
