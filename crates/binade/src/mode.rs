//! Names of rounding modes: the one table that commands, operators and rules read.

use alloc::borrow::ToOwned;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use thiserror::Error;

use crate::round::{Rounding, Stochastic};
use crate::text::nearest;

/// The largest number of random bits of a stochastic rounding, and the default.
pub const RANDOM_BITS: u32 = 32;

/// A name that is not a rounding mode, or a number of random bits that the mode cannot have.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RoundingError {
    /// No mode of this name.
    #[error(
        "unknown rounding mode '{name}': {}expected one of {}",
        nearest(.name, names()).map_or(String::new(), |near| alloc::format!("did you mean {near}? ")),
        names().collect::<Vec<_>>().join(", ")
    )]
    Unknown {
        /// The name as it was written.
        name: String,
    },
    /// A number of random bits that is no number from 1 to [`RANDOM_BITS`].
    #[error("random bits '{bits}' of a stochastic rounding are out of range: expected 1 to {RANDOM_BITS}")]
    Bits {
        /// The number as it was written.
        bits: String,
    },
    /// Random bits for a mode without any.
    #[error("random bits for the rounding mode {mode}: only stochastic modes take them")]
    NoBits {
        /// The mode.
        mode: &'static str,
    },
}

fn names() -> impl Iterator<Item = &'static str> {
    Rounding::NAMED.iter().map(|(name, _)| *name)
}

impl Rounding {
    /// Every mode by name. Stochastic ones have [`RANDOM_BITS`] random bits, whose value is 0 until they are
    /// [drawn](Rounding::drawn); `stochastic` is another name of `stochastic_a`.
    pub const NAMED: [(&'static str, Rounding); 11] = {
        const fn random(variant: Stochastic) -> Rounding {
            Rounding::Stochastic { variant, bits: RANDOM_BITS, random: 0 }
        }
        let [a, b, c, d, e, f] = Rounding::DETERMINISTIC;
        [
            (a.name(), a),
            (b.name(), b),
            (c.name(), c),
            (d.name(), d),
            (e.name(), e),
            (f.name(), f),
            ("stochastic", random(Stochastic::A)),
            ("stochastic_a", random(Stochastic::A)),
            ("stochastic_b", random(Stochastic::B)),
            ("stochastic_c", random(Stochastic::C)),
            ("random", random(Stochastic::Random)),
        ]
    };

    /// True if the mode has random bits.
    pub const fn is_stochastic(self) -> bool {
        matches!(self, Rounding::Stochastic { .. })
    }

    /// The mode with this number of random bits.
    ///
    /// # Errors
    /// A number out of range, or a mode without random bits; `random` has one, and no other number.
    pub fn with_bits(self, text: &str) -> Result<Rounding, RoundingError> {
        let (variant, random) = match self {
            Rounding::Stochastic { variant, random, .. } if variant != Stochastic::Random => {
                (variant, random)
            }
            _ => return Err(RoundingError::NoBits { mode: self.name() }),
        };
        match text.trim().parse() {
            Ok(bits @ 1..=RANDOM_BITS) => Ok(Rounding::Stochastic { variant, bits, random }),
            _ => Err(RoundingError::Bits { bits: text.trim().to_owned() }),
        }
    }

    /// The text that [`FromStr`] reads: `toward_zero`, `stochastic`, `stochastic_b:8`.
    pub fn text(self) -> impl fmt::Display {
        match self {
            Rounding::Stochastic { variant: Stochastic::A, bits: RANDOM_BITS, .. } => "stochastic".to_owned(),
            Rounding::Stochastic { bits, .. } if bits != RANDOM_BITS => {
                alloc::format!("{}:{bits}", self.name())
            }
            mode => mode.name().to_string(),
        }
    }
}

impl FromStr for Rounding {
    type Err = RoundingError;

    /// Reads a mode's name; `:BITS` after a stochastic one gives its number of random bits.
    fn from_str(text: &str) -> Result<Rounding, RoundingError> {
        let lower = text.trim().to_ascii_lowercase();
        let (name, bits) = match lower.split_once(':') {
            Some((name, bits)) => (name.trim(), Some(bits)),
            None => (lower.as_str(), None),
        };
        let known = Rounding::NAMED.into_iter().find(|(known, _)| *known == name);
        let (_, mode) = known.ok_or_else(|| RoundingError::Unknown { name: name.to_owned() })?;
        bits.map_or(Ok(mode), |bits| mode.with_bits(bits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_names_round_trip() {
        for (name, mode) in Rounding::NAMED {
            assert_eq!(name.parse(), Ok(mode));
            assert_eq!(mode.text().to_string().parse(), Ok(mode), "{name}");
        }
        for text in ["stochastic", "stochastic_b", "stochastic_a:8", "stochastic_c:31", "toward_zero"] {
            assert_eq!(text.parse::<Rounding>().unwrap().text().to_string(), text);
        }
        assert_eq!("Stochastic_A: 32".parse::<Rounding>().unwrap().text().to_string(), "stochastic");
    }

    #[test]
    fn wrong_rounding_names_are_errors() {
        let error = |text: &str| text.parse::<Rounding>().unwrap_err().to_string();
        assert!(
            error("stochastik").starts_with("unknown rounding mode 'stochastik': did you mean stochastic? ")
        );
        assert!(error("odd").starts_with("unknown rounding mode 'odd': expected one of nearest_even, "));
        assert!(
            error("stochastic:33")
                .contains("'33' of a stochastic rounding are out of range: expected 1 to 32")
        );
        assert!(error("stochastic:0").contains("expected 1 to 32"));
        assert!(error("stochastic:x").contains("expected 1 to 32"));
        assert!(error("to_odd:3").contains("only stochastic modes take them"));
        assert!(error("random:3").contains("the rounding mode random: only stochastic modes take them"));
    }
}
