//! A value in every rounding and saturation mode.

use binade::table::{bits_text, code_text, short_decimal};
use binade::{
    Edition, Format, Projection, Rounded, Rounding, Saturation, Spec, Stochastic, Value, decode, project_in,
    text,
};
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::ExplorerError;
use crate::question::edition;

/// Parameters of modes besides their names.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Modes {
    /// Random bits of stochastic roundings, 1 to 32. `random` has 32, unless its bits are given.
    pub random_bits: u32,
    /// Key of the random bits; they are the first that the command draws.
    pub seed: u64,
    /// The random bits themselves, instead.
    pub random: Option<u32>,
    /// The edition of P3109 whose definitions are meant: `0.9.1` or `4.0`, or nothing for the formats' own.
    pub edition: Option<String>,
}

impl Default for Modes {
    fn default() -> Modes {
        Modes { random_bits: 32, seed: 0, random: None, edition: None }
    }
}

impl Modes {
    /// Every rounding mode, with its random bits.
    fn roundings(&self) -> Result<[Rounding; 10], ExplorerError> {
        if !(1..=32).contains(&self.random_bits) {
            return Err(ExplorerError::RandomBits(self.random_bits));
        }
        let stochastic = |variant| {
            let bits = match (variant, self.random) {
                (Stochastic::Random, None) => 32,
                _ => self.random_bits,
            };
            let rounding = |random| Rounding::Stochastic { variant, bits, random };
            self.random.map_or_else(|| rounding(0).drawn(self.seed, 0), rounding)
        };
        let [a, b, c, d, e, f] = Rounding::DETERMINISTIC;
        let [g, h, i, j] = [Stochastic::A, Stochastic::B, Stochastic::C, Stochastic::Random].map(stochastic);
        Ok([a, b, c, d, e, f, g, h, i, j])
    }

    /// The modes of these names; `stochastic` is `stochastic_a`.
    pub(crate) fn projection(&self, rounding: &str, saturation: &str) -> Result<Projection, ExplorerError> {
        let unknown = |kind, name: &str| ExplorerError::Mode { kind, name: name.chars().take(60).collect() };
        let name = if rounding == "stochastic" { "stochastic_a" } else { rounding };
        let mode = self.roundings()?.into_iter().find(|mode| mode.name() == name);
        let mode = mode.ok_or_else(|| unknown("rounding", rounding))?;
        let clamp = Saturation::ALL.into_iter().find(|mode| mode.name() == saturation);
        Ok(Projection::new(mode, clamp.ok_or_else(|| unknown("saturation", saturation))?))
    }

    /// The edition asked for.
    pub(crate) fn edition(&self) -> Result<Option<Edition>, ExplorerError> {
        edition(self.edition.as_deref())
    }
}

/// A code, what it is, and the flags.
pub(crate) fn cell(format: Format, rounded: Rounded) -> Json {
    let value = decode(format, rounded.code);
    json!({
        "code": code_text(format, rounded.code),
        "bits": bits_text(format, rounded.code),
        "value": text::hex(value),
        "decimal": short_decimal(value),
        "flags": rounded.flags.to_string(),
    })
}

/// The results of every rounding mode, under each saturation mode in the order of [`Saturation::ALL`].
pub(crate) fn every_mode(
    modes: &Modes,
    mut result: impl FnMut(Projection) -> Result<Json, ExplorerError>,
) -> Result<Json, ExplorerError> {
    let rows = modes.roundings()?.map(|rounding| {
        let mut cells = vec![];
        for saturation in Saturation::ALL {
            cells.push(result(Projection::new(rounding, saturation))?);
        }
        let mut row = json!({ "rounding": rounding.name(), "results": cells });
        if let Rounding::Stochastic { bits, random, .. } = rounding {
            row["random"] = format!("{random}/{bits}").into();
        }
        Ok(row)
    });
    Ok(rows.into_iter().collect::<Result<Vec<_>, ExplorerError>>()?.into())
}

/// A value rounded to a format in every mode, with the error.
pub(crate) fn grid(spec: &Spec, value: Value, modes: &Modes) -> Result<Json, ExplorerError> {
    let edition = modes.edition()?.unwrap_or(spec.edition);
    let rows = every_mode(modes, |how| {
        let rounded = project_in(spec.format, value, how, edition);
        let mut cell = cell(spec.format, rounded);
        cell["error"] = text::error(decode(spec.format, rounded.code), value).into();
        Ok(cell)
    })?;
    let exact = !matches!(value, Value::Finite(x) if x.sticky);
    Ok(json!({ "value": text::hex(value), "decimal": short_decimal(value), "exact": exact, "modes": rows }))
}
