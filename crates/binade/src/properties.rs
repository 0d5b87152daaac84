//! The properties of a format by name, which `binade show` and the explorer print.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};

use crate::codec::decode;
use crate::exact::Value;
use crate::spec::Spec;
use crate::table::code_text;

/// The value of a property.
#[derive(Clone, PartialEq, Debug)]
pub enum Property {
    /// A word.
    Word(String),
    /// A whole number.
    Whole(i128),
    /// Yes or no.
    Holds(bool),
    /// A value; `None` if the format has none.
    Value(Option<Value>),
    /// Runs of codes, each with its first and last, as text.
    Codes(Vec<String>),
}

/// The properties of a format, by name.
pub fn of(spec: &Spec) -> Vec<(&'static str, Property)> {
    let format = spec.format;
    let word = |text: &str| Property::Word(text.to_owned());
    let value = |code: Option<u64>| Property::Value(code.map(|code| decode(format, code)));
    let run = |(first, last)| match first == last {
        true => code_text(format, first),
        false => format!("{}-{}", code_text(format, first), code_text(format, last)),
    };
    vec![
        ("name", word(spec.name())),
        ("width", Property::Whole(format.width().into())),
        ("precision", Property::Whole(format.precision().into())),
        ("exponent_bits", Property::Whole(format.exponent_bits().into())),
        ("signed", Property::Holds(format.signed())),
        ("bias", Property::Whole(format.bias().into())),
        ("emin", Property::Whole(format.emin().into())),
        ("emax", Property::Whole(format.emax().into())),
        ("min_subnormal", value(format.min_subnormal_code())),
        ("max_subnormal", value(format.max_subnormal_code())),
        ("min_normal", value(format.smallest_normal())),
        ("max_finite", value(Some(format.max_finite_code()))),
        ("infinities", Property::Holds(format.infinities())),
        ("nan_codes", Property::Codes(format.nan_ranges().into_iter().map(run).collect())),
        ("negative_zero", Property::Holds(format.negative_zero())),
        // At most 2^64.
        ("finite_values", Property::Whole(format.finite_values() as i128)),
        ("subnormals", word(format.subnormals().name())),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    #[test]
    fn properties_of_binary8p3_are_complete() {
        let properties = of(&"binary8p3".parse().unwrap());
        let shown: Vec<String> = properties
            .into_iter()
            .map(|(name, property)| match property {
                Property::Word(word) => format!("{name} {word}"),
                Property::Whole(number) => format!("{name} {number}"),
                Property::Holds(yes) => format!("{name} {yes}"),
                Property::Value(value) => format!("{name} {}", value.map_or("none".to_owned(), text::hex)),
                Property::Codes(codes) => format!("{name} {}", codes.join(" ")),
            })
            .collect();
        assert_eq!(
            shown,
            [
                "name binary8p3",
                "width 8",
                "precision 3",
                "exponent_bits 5",
                "signed true",
                "bias 16",
                "emin -15",
                "emax 15",
                "min_subnormal 0x1p-17",
                "max_subnormal 0x1.8p-16",
                "min_normal 0x1p-15",
                "max_finite 0x1.8p+15",
                "infinities true",
                "nan_codes 0x80",
                "negative_zero false",
                "finite_values 253",
                "subnormals ieee",
            ]
        );
    }
}
