//! Products under the named recipes against the oracle, on generated matrices; the `exhaustive` binary has more of them.

use binade::recipe::{NAMES, Pass, Recipe};
use binade_testkit::against::Tally;
use binade_testkit::against::recipes::{Numbers, of_quantizers, of_recipe, rotations_of_integers};

#[test]
fn products_under_named_recipes_equal_the_oracle() {
    let mut tally = Tally::default();
    for (seed, name) in (0..).zip(NAMES) {
        let recipe = Recipe::named(name).unwrap();
        for pass in Pass::ALL.into_iter().filter(|pass| !recipe.leaves(*pass)) {
            for numbers in Numbers::ALL {
                of_recipe(name, pass, &[numbers], 3, seed * 3 + pass as u64, &mut tally);
            }
        }
    }
    tally.assert_agreement();
}

#[test]
fn products_on_units_equal_the_oracle() {
    let mut tally = Tally::default();
    for (seed, text) in (0..).zip([
        "nvfp4@b200",
        "nvfp4-training@b200",
        "mxfp4@b200",
        "mxfp6@b200",
        "mxfp8@b200",
        "mxfp8@h100",
        "fp8-deepseek@h100/promote=128",
        "fp8-deepseek@h100",
        "fp8-tensorwise@h100",
        "fp8-rowwise@h100/split=2",
        "mp@a100",
        "mp@bf16",
        "mxfp8@bf16",
        "w8a8@h100",
    ]) {
        for pass in [Pass::Forward, Pass::WeightGradient] {
            if !Recipe::parse(text).is_ok_and(|recipe| recipe.leaves(pass)) {
                of_recipe(text, pass, &Numbers::ALL, 10, seed, &mut tally);
            }
        }
    }
    tally.assert_agreement();
}

#[test]
fn products_under_other_quantizers_equal_the_oracle() {
    let mut tally = Tally::default();
    for (seed, texts) in (0..).zip([
        ["mxfp8_e5m2", "mxfp4@rule=even"],
        ["mxfp6_e2m3/rule=ceil", "mxfp6_e3m2/rule=nearest"],
        ["mxfp8_e4m3/rule=max_abs_finite", "mxfp8_e5m2/rule=rceil"],
        ["nvfp4/rule=rceil", "nvfp4/scale=1x32"],
        ["nvfp4/scale=16x16/rule=four_over_six", "mxfp8_e4m3"],
        ["nvfp4/rounding=stochastic_b:8", "nvfp4/rounding=stochastic_c:5/rule=four_over_six"],
        ["mxfp4/rounding=toward_zero", "bf16/rounding=stochastic"],
        ["float8_e4m3fn/scale=1x24", "float8_e5m2/scale=2x36/rounding=to_odd"],
        ["float8_e4m3fn/scale=tensor/scales=bf16", "none"],
        ["none/hadamard=8", "none/hadamard=8"],
        ["mxfp4/hadamard=32/signs=random", "mxfp4/hadamard=2"],
        ["cfloat8_1_4_3/bias=learnt/margin=3", "shp/bias=learnt/rounding=stochastic"],
        ["float8_e3m4/scale=row/scales=f16", "binary8p3se/scale=4x8"],
    ]) {
        of_quantizers(texts, "f32:f32", &Numbers::ALL, 30, 100 + seed, &mut tally);
    }
    tally.assert_agreement();
}

#[test]
fn rotations_of_integers_are_the_hadamard_matrix() {
    let mut tally = Tally::default();
    for size in [2, 4, 16, 64, 256] {
        rotations_of_integers(size, size as u64, &mut tally);
    }
    tally.assert_agreement();
}
