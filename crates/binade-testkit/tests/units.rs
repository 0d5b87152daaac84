//! Matrix units against the oracle, by generated dot products.

use binade::unit::UNITS;
use binade_testkit::against::Tally;
use binade_testkit::against::units::{of_described, of_mode, of_operator, of_scaled};

#[test]
fn modes_of_the_catalogue_equal_the_oracle() {
    for unit in UNITS {
        for (seed, mode) in (1..).zip(unit.modes) {
            let mut tally = Tally::default();
            of_mode(unit.name, mode, 2_000 / mode.inputs.len(), seed, &mut tally).unwrap();
            tally.assert_agreement();
        }
    }
}

#[test]
fn scaled_steps_of_the_catalogue_equal_the_oracle() {
    let steps = UNITS.iter().flat_map(|unit| unit.scaled.iter().map(move |scaled| (unit.name, scaled)));
    for (seed, (unit, scaled)) in (1..).zip(steps) {
        let mut tally = Tally::default();
        of_scaled(unit, scaled, 1_000 / scaled.step.inputs.len(), seed, &mut tally).unwrap();
        tally.assert_agreement();
    }
}

#[test]
fn described_units_equal_the_oracle() {
    let mut tally = Tally::default();
    of_described(200, 50, 3, &mut tally).unwrap();
    tally.assert_agreement();
}

#[test]
fn promoted_split_and_saturated_sums_equal_the_oracle() {
    for (seed, text) in (1..).zip([
        "h100:float8_e4m3fn/promote=32",
        "h100:float8_e4m3fn*float8_e5m2/promote=40/split=3",
        "h100:f16/split=4",
        "h100:f16/saturate",
        "h100:f16/result=f16",
        "a100:tf32/split=2",
        "mi300x:bf16/promote=64",
        "mi250:f16/split=3",
        "amx:bf16/split=2",
        "arm-bfdot:bf16/promote=10",
        "arm-fp8-fdot:float8_e5m2/split=3/saturate",
        "unit(products=5,bits=9,result=f16):bf16/promote=7",
    ]) {
        let mut tally = Tally::default();
        of_operator(text, 400, seed, &mut tally).unwrap();
        tally.assert_agreement();
    }
}
