//! Names of rounding and saturation modes: ours, by meaning, and those of P3109's editions.

use binade::ops::Query;
use binade::{Edition, Projection, Rounding, Saturation, Stochastic};
use clap::{Args, ValueEnum};

use crate::Error;

/// The most random bits of a stochastic rounding, and the default.
pub(crate) const RANDOM_BITS: u32 = 32;

/// A rounding mode, before its random bits are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// One without random bits.
    Fixed(Rounding),
    /// One with.
    Stochastic(Stochastic),
}

impl Mode {
    /// Every mode by its own name, and `stochastic`, another name of `stochastic_a`.
    pub fn all() -> impl Iterator<Item = (&'static str, Mode)> {
        let fixed =
            Rounding::DETERMINISTIC.into_iter().map(|rounding| (rounding.name(), Mode::Fixed(rounding)));
        let variants = [Stochastic::A, Stochastic::B, Stochastic::C].into_iter().map(Mode::Stochastic);
        fixed
            .chain([("stochastic", Mode::Stochastic(Stochastic::A))])
            .chain(variants.map(|mode| (mode.name(), mode)))
    }

    /// The mode's own name.
    pub fn name(self) -> &'static str {
        self.with(RANDOM_BITS, 0).name()
    }

    /// The mode with N = `bits` random bits R = `random`, where it takes any.
    pub fn with(self, bits: u32, random: u32) -> Rounding {
        match self {
            Mode::Fixed(rounding) => rounding,
            Mode::Stochastic(variant) => Rounding::Stochastic { variant, bits, random },
        }
    }

    /// The mode for the element or line `index`: random bits are the top `bits` of Philox's word `index` under `seed`.
    pub fn at(self, bits: u32, seed: u64, index: u64) -> Rounding {
        self.with(bits, 0).drawn(seed, index)
    }
}

/// The rounding mode that binade, or the edition, calls so.
pub(crate) fn rounding(name: &str, edition: Option<EditionName>) -> Result<Mode, Error> {
    let own: Vec<_> = Mode::all().collect();
    find("rounding", name, edition, &own, EditionName::rounding, Mode::name)
}

/// The saturation mode that binade, or the edition, calls so.
pub(crate) fn saturation(name: &str, edition: Option<EditionName>) -> Result<Saturation, Error> {
    let own = Saturation::ALL.map(|mode| (mode.name(), mode));
    find("saturation", name, edition, &own, EditionName::saturation, Saturation::name)
}

/// An edition of P3109, as the user names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum EditionName {
    /// Interim report 0.9.1
    #[value(name = "0.9.1")]
    Interim,
    /// Report 4.0
    #[value(name = "4.0")]
    V4,
}

impl EditionName {
    /// The edition's number.
    pub(crate) fn number(self) -> &'static str {
        match self {
            EditionName::Interim => "0.9.1",
            EditionName::V4 => "4.0",
        }
    }

    /// The edition's names of rounding modes (0.9.1 §4.3).
    pub(crate) fn rounding(self) -> &'static [(&'static str, Mode)] {
        const ALL: [(&str, Mode); 9] = [
            ("NearestTiesToEven", Mode::Fixed(Rounding::NearestEven)),
            ("NearestTiesToAway", Mode::Fixed(Rounding::NearestAway)),
            ("TowardPositive", Mode::Fixed(Rounding::TowardPositive)),
            ("TowardNegative", Mode::Fixed(Rounding::TowardNegative)),
            ("TowardZero", Mode::Fixed(Rounding::TowardZero)),
            ("ToOdd", Mode::Fixed(Rounding::ToOdd)),
            ("StochasticA", Mode::Stochastic(Stochastic::A)),
            ("StochasticB", Mode::Stochastic(Stochastic::B)),
            ("StochasticC", Mode::Stochastic(Stochastic::C)),
        ];
        match self {
            EditionName::Interim => &ALL[..5],
            EditionName::V4 => &ALL,
        }
    }

    /// The edition's names of saturation modes (0.9.1 §4.3); 4.0 moved them.
    pub(crate) fn saturation(self) -> &'static [(&'static str, Saturation)] {
        match self {
            EditionName::Interim => &[
                ("SatMax", Saturation::Max),
                ("SatFinite", Saturation::Finite),
                ("OvfInf", Saturation::Overflow),
            ],
            EditionName::V4 => &[
                ("SatFinite", Saturation::Max),
                ("SatPropagate", Saturation::Finite),
                ("SatNone", Saturation::Overflow),
            ],
        }
    }
}

impl From<EditionName> for Edition {
    fn from(name: EditionName) -> Edition {
        match name {
            EditionName::Interim => Edition::Interim,
            EditionName::V4 => Edition::V4,
        }
    }
}

/// Looks a name up among ours and among the edition's; `own` has our names.
fn find<T: Copy + 'static>(
    kind: &'static str,
    name: &str,
    edition: Option<EditionName>,
    own: &[(&'static str, T)],
    editions: impl Fn(EditionName) -> &'static [(&'static str, T)],
    own_name: impl Fn(T) -> &'static str,
) -> Result<T, Error> {
    let of_edition = edition.map_or(&[][..], &editions);
    let known = own.iter().chain(of_edition);
    if let Some((_, mode)) = known.clone().find(|(known, _)| *known == name) {
        return Ok(*mode);
    }
    let meanings: Vec<String> = EditionName::value_variants()
        .iter()
        .flat_map(|&e| {
            editions(e).iter().filter(|(known, _)| *known == name).map(move |(_, mode)| (e, *mode))
        })
        .map(|(e, mode)| format!("with --edition {} it is {}", e.number(), own_name(mode)))
        .collect();
    let name = crate::operand::quoted(name.as_bytes());
    if edition.is_none() && !meanings.is_empty() {
        return Err(Error::EditionMissing { kind, name, meanings: meanings.join(", ") });
    }
    Err(Error::UnknownMode { kind, name, known: known.map(|(known, _)| *known).collect() })
}

/// The options that say how a result is rounded.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Modes")]
pub(crate) struct ModeArgs {
    /// nearest_even, nearest_away, toward_positive, toward_negative, toward_zero, to_odd, stochastic,
    /// stochastic_a, stochastic_b or stochastic_c; P3109's names with --edition
    #[arg(long, value_name = "MODE", default_value = "nearest_even")]
    rounding: String,
    /// overflow, finite (finite values clamp) or max (infinities clamp too); P3109's names with --edition
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
    pub(crate) edition: Option<EditionName>,
}

impl ModeArgs {
    /// Whether nothing was asked for.
    pub(crate) fn are_default(&self) -> bool {
        (&*self.rounding, &*self.saturation, self.seed) == ("nearest_even", "overflow", 0)
            && self.random_bits.is_none()
            && self.edition.is_none()
    }

    /// The number of random bits.
    pub(crate) fn bits(&self) -> Result<u32, Error> {
        match self.random_bits.unwrap_or(RANDOM_BITS) {
            bits @ 1..=RANDOM_BITS => Ok(bits),
            bits => Err(Error::RandomBits(bits.into())),
        }
    }

    /// The modes that the options name.
    pub(crate) fn resolve(&self) -> Result<Modes, Error> {
        let (rounding, saturation) =
            (rounding(&self.rounding, self.edition)?, saturation(&self.saturation, self.edition)?);
        if let (Some(_), Mode::Fixed(fixed)) = (self.random_bits, rounding) {
            return Err(Error::RandomUnused(fixed.name()));
        }
        Ok(Modes {
            rounding,
            saturation,
            bits: self.bits()?,
            seed: self.seed,
            edition: self.edition.map(Edition::from),
        })
    }
}

/// The word of the edition asked for, where it is 4.0 and the word is a mode's name.
pub(crate) fn edition_word(edition: Option<Edition>, query: Query, word: &'static str) -> &'static str {
    let names = EditionName::V4;
    let of_4 = match query {
        _ if edition != Some(Edition::V4) => None,
        Query::RoundOf => {
            names.rounding().iter().find(|(_, mode)| mode.name() == word).map(|(name, _)| *name)
        }
        Query::SatOf => {
            names.saturation().iter().find(|(_, mode)| mode.name() == word).map(|(name, _)| *name)
        }
        _ => None,
    };
    of_4.unwrap_or(word)
}

/// How results are projected, with the random numbers of stochastic rounding given by index.
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
