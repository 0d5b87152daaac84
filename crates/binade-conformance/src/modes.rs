//! Rounding and saturation modes, with the names that the editions of P3109 give them.

use binade::{Edition, Rounding, Saturation, Stochastic};

pub use binade::mode::RANDOM_BITS;

/// A rounding mode, before its random bits are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// A mode without random bits.
    Fixed(Rounding),
    /// A mode with random bits.
    Stochastic(Stochastic),
}

impl Mode {
    /// Every mode by its own name, and `stochastic`, another name of `stochastic_a`.
    pub fn all() -> impl Iterator<Item = (&'static str, Mode)> {
        Rounding::NAMED.into_iter().map(|(name, rounding)| {
            (
                name,
                match rounding {
                    Rounding::Stochastic { variant, .. } => Mode::Stochastic(variant),
                    fixed => Mode::Fixed(fixed),
                },
            )
        })
    }

    /// The mode's own name.
    pub fn name(self) -> &'static str {
        self.with(RANDOM_BITS, 0).name()
    }

    /// The rounding of this mode; a stochastic one has N = `bits` random bits R = `random`.
    pub fn with(self, bits: u32, random: u32) -> Rounding {
        match self {
            Mode::Fixed(rounding) => rounding,
            Mode::Stochastic(variant) => Rounding::Stochastic { variant, bits, random },
        }
    }

    /// The rounding of element or line `index`: random bits are the top `bits` of Philox's word `index` under `seed`.
    pub fn at(self, bits: u32, seed: u64, index: u64) -> Rounding {
        self.with(bits, 0).drawn(seed, index)
    }
}

/// An edition's number.
pub const fn edition_number(edition: Edition) -> &'static str {
    match edition {
        Edition::Interim => "0.9.1",
        Edition::V4 => "4.0",
    }
}

/// An edition's names of rounding modes (0.9.1 §4.3).
pub fn rounding_names(edition: Edition) -> &'static [(&'static str, Mode)] {
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
    match edition {
        Edition::Interim => &ALL[..5],
        Edition::V4 => &ALL,
    }
}

/// An edition's names of saturation modes (0.9.1 §4.3). 4.0 gave `SatFinite` another meaning.
pub fn saturation_names(edition: Edition) -> &'static [(&'static str, Saturation)] {
    match edition {
        Edition::Interim => &[
            ("SatMax", Saturation::Max),
            ("SatFinite", Saturation::Finite),
            ("OvfInf", Saturation::Overflow),
        ],
        Edition::V4 => &[
            ("SatFinite", Saturation::Max),
            ("SatPropagate", Saturation::Finite),
            ("SatNone", Saturation::Overflow),
        ],
    }
}
