//! Dot products on matrix units: every mode and scaled step of the catalogue, and described units at random.

use binade::unit::UNITS;
use binade_testkit::against::units::{of_described, of_mode, of_scaled};

use crate::Task;

/// Dot products of a mode, for each pair of its input formats.
const OF_A_MODE: usize = 20_000;

/// The tasks of the section.
pub(crate) fn tasks() -> Vec<Task> {
    let of_units = UNITS.iter().flat_map(|unit| {
        let modes = unit.modes.iter().map(move |mode| {
            let name = format!("units {}, {} to {}", unit.name, mode.inputs.join(" "), mode.result.format);
            Task::new(name, move |tally| of_mode(unit.name, mode, OF_A_MODE, 20, tally))
        });
        let scaled = unit.scaled.iter().map(move |scaled| {
            let name = format!("units {}, scaled {}", unit.name, scaled.step.inputs.join(" "));
            Task::new(name, move |tally| of_scaled(unit.name, scaled, OF_A_MODE / 10, 20, tally))
        });
        modes.chain(scaled)
    });
    let described = (0..20).map(|seed| {
        Task::new(format!("units, described ones, seed {seed}"), move |tally| {
            of_described(400, 100, seed, tally)
        })
    });
    of_units.chain(described).collect()
}
