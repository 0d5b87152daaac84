//! Options for rounding and saturation modes, and the names that the options accept: binade's own, and those of P3109's editions.

use binade::ops::Query;
use binade::{Edition, Projection, Saturation, Stochastic, SumDraws};
use binade_conformance::modes::{edition_number, rounding_names, saturation_names};
use clap::{Args, ValueEnum};
use thiserror::Error;

pub use binade_conformance::modes::Mode;
pub(crate) use binade_conformance::modes::RANDOM_BITS;

/// A mode that cannot be used.
#[derive(Debug, Error)]
pub(crate) enum ModeError {
    #[error("unknown {kind} mode '{name}': expected one of {}", .known.join(", "))]
    Unknown { kind: &'static str, name: String, known: Vec<&'static str> },
    #[error("{kind} mode '{name}' without an edition of P3109: {meanings}")]
    EditionMissing {
        kind: &'static str,
        name: String,
        /// The meaning in each edition that has the name.
        meanings: String,
    },
    #[error("--random-bits {0} is out of range: expected 1 to {RANDOM_BITS}")]
    RandomBits(u32),
    #[error("random bits for the rounding mode {0}: only stochastic modes take them")]
    RandomUnused(&'static str),
}

/// The rounding mode with this name, binade's own or one of the edition.
pub(crate) fn rounding(name: &str, edition: Option<Edition>) -> Result<Mode, ModeError> {
    let own: Vec<_> = Mode::all().collect();
    find("rounding", name, edition, &own, rounding_names, Mode::name)
}

/// The saturation mode with this name, binade's own or one of the edition.
pub(crate) fn saturation(name: &str, edition: Option<Edition>) -> Result<Saturation, ModeError> {
    let own = Saturation::ALL.map(|mode| (mode.name(), mode));
    find("saturation", name, edition, &own, saturation_names, Saturation::name)
}

/// An edition of P3109 by its number, the value of `--edition`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum EditionName {
    /// Interim report 0.9.1
    #[value(name = "0.9.1")]
    Interim,
    /// Report 4.0
    #[value(name = "4.0")]
    V4,
}

impl From<EditionName> for Edition {
    fn from(name: EditionName) -> Edition {
        match name {
            EditionName::Interim => Edition::Interim,
            EditionName::V4 => Edition::V4,
        }
    }
}

/// Looks up a name among binade's names, `own`, and among those of the edition.
fn find<T: Copy + 'static>(
    kind: &'static str,
    name: &str,
    edition: Option<Edition>,
    own: &[(&'static str, T)],
    editions: impl Fn(Edition) -> &'static [(&'static str, T)],
    own_name: impl Fn(T) -> &'static str,
) -> Result<T, ModeError> {
    let of_edition = edition.map_or(&[][..], &editions);
    let known = own.iter().chain(of_edition);
    if let Some((_, mode)) = known.clone().find(|(known, _)| *known == name) {
        return Ok(*mode);
    }
    let meanings: Vec<String> = [Edition::Interim, Edition::V4]
        .into_iter()
        .flat_map(|e| editions(e).iter().filter(|(known, _)| *known == name).map(move |(_, mode)| (e, *mode)))
        .map(|(e, mode)| format!("with --edition {} it is {}", edition_number(e), own_name(mode)))
        .collect();
    let name = crate::operand::quoted(name.as_bytes());
    if edition.is_none() && !meanings.is_empty() {
        return Err(ModeError::EditionMissing { kind, name, meanings: meanings.join(", ") });
    }
    Err(ModeError::Unknown { kind, name, known: known.map(|(known, _)| *known).collect() })
}

/// Options for rounding and saturation.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Modes")]
pub(crate) struct ModeArgs {
    /// nearest_even, nearest_away, toward_positive, toward_negative, toward_zero, to_odd, stochastic,
    /// stochastic_a, stochastic_b, stochastic_c or random (up or down by a fair coin); P3109's names with --edition
    #[arg(long, value_name = "MODE", default_value = "nearest_even")]
    rounding: String,
    /// overflow, finite (finite values clamp) or max (infinities clamp, too); P3109's names with --edition
    #[arg(long, value_name = "MODE", default_value = "overflow")]
    saturation: String,
    /// Number of random bits of a stochastic rounding, 1 to 32: the top bits of a Philox word [default: 32]
    #[arg(long, value_name = "N")]
    random_bits: Option<u32>,
    /// Key of the random bits; element or line i uses word i
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,
    /// The edition of P3109 whose mode names and definitions apply [default: 4.0 if a format has a 4.0 name, otherwise
    /// 0.9.1]
    #[arg(long, value_name = "EDITION")]
    edition: Option<EditionName>,
}

impl ModeArgs {
    /// Returns true if no option is given.
    pub(crate) fn are_default(&self) -> bool {
        (&*self.rounding, &*self.saturation, self.seed) == ("nearest_even", "overflow", 0)
            && self.random_bits.is_none()
            && self.edition.is_none()
    }

    /// The edition that the options name.
    pub(crate) fn edition(&self) -> Option<Edition> {
        self.edition.map(Edition::from)
    }

    /// The number of random bits.
    pub(crate) fn bits(&self) -> Result<u32, ModeError> {
        match self.random_bits.unwrap_or(RANDOM_BITS) {
            bits @ 1..=RANDOM_BITS => Ok(bits),
            bits => Err(ModeError::RandomBits(bits)),
        }
    }

    /// The modes that the options name.
    pub(crate) fn resolve(&self) -> Result<Modes, ModeError> {
        let (rounding, saturation) =
            (rounding(&self.rounding, self.edition())?, saturation(&self.saturation, self.edition())?);
        let takes_bits = !matches!(rounding, Mode::Fixed(_) | Mode::Stochastic(Stochastic::Random));
        if self.random_bits.is_some() && !takes_bits {
            return Err(ModeError::RandomUnused(rounding.name()));
        }
        Ok(Modes { rounding, saturation, bits: self.bits()?, seed: self.seed, edition: self.edition() })
    }
}

/// The name in 4.0 of a mode that a query returns, if that edition is asked for; otherwise the word itself.
pub(crate) fn edition_word(edition: Option<Edition>, query: Query, word: &'static str) -> &'static str {
    let of_4 = match query {
        _ if edition != Some(Edition::V4) => None,
        Query::RoundOf => {
            rounding_names(Edition::V4).iter().find(|(_, mode)| mode.name() == word).map(|(name, _)| *name)
        }
        Query::SatOf => {
            saturation_names(Edition::V4).iter().find(|(_, mode)| mode.name() == word).map(|(name, _)| *name)
        }
        _ => None,
    };
    of_4.unwrap_or(word)
}

/// The random words of the sum of line `index`: those of row `index` of a result with one column.
pub(crate) const fn sum_draws(seed: u64, index: u64) -> SumDraws {
    SumDraws::new(seed).at(index, 0, 0)
}

/// Rounding and saturation of results; stochastic rounding takes its random numbers by index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Modes {
    /// Rounding mode.
    pub rounding: Mode,
    /// Saturation mode.
    pub saturation: Saturation,
    /// Random bits of a stochastic rounding, 1 to 32.
    pub bits: u32,
    /// Key of the random bits.
    pub seed: u64,
    /// The edition of P3109 asked for.
    pub edition: Option<Edition>,
}

impl Modes {
    /// The projection of element or line `index`.
    pub fn at(&self, index: u64) -> Projection {
        Projection::new(self.rounding.at(self.bits, self.seed, index), self.saturation)
    }
}
