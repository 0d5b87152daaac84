//! Pairs of operands of 8-bit formats, sampled; the `exhaustive` binary runs them all.

use binade_testkit::against::{Both, Tally, pairs};
use binade_testkit::format::{other_names, p3109_names};
use binade_testkit::ops::{EXTREMA, RELATIONS};

const ARITHMETIC: [&str; 4] = ["add", "subtract", "multiply", "divide"];

#[test]
fn sampled_pairs_of_8_bit_formats_equal_the_oracle() {
    let mut names = p3109_names(8);
    for bias in [0, 10, 63] {
        names.extend(other_names(bias));
    }
    names.extend(
        ["cfloat8_1_4_3@bias=7,subnormals=ieee", "cfloat8_1_5_2@bias=15,subnormals=ieee"].map(String::from),
    );
    names.sort();
    names.dedup();
    let mut tally = Tally::default();
    for (seed, name) in names.iter().enumerate() {
        let both = Both::named(name).unwrap();
        if both.oracle.width == 8 {
            pairs(&ARITHMETIC, &both, &both, &both, 10, seed as u64, &mut tally);
        }
    }
    tally.assert_agreement();
}

/// The narrow formats have few enough pairs to test all, in every two-operand operation.
#[test]
fn all_pairs_of_narrow_formats_equal_the_oracle() {
    let mut names = p3109_names(3);
    names.extend(p3109_names(4));
    names.push("float4_e2m1fn".into());
    let operations = ["add", "subtract", "multiply", "divide", "copy_sign", "hypot"];
    let mut tally = Tally::default();
    for name in &names {
        let both = Both::named(name).unwrap();
        let all: Vec<&str> = operations.into_iter().chain(EXTREMA).chain(RELATIONS).collect();
        pairs(&all, &both, &both, &both, 1, 0, &mut tally);
    }
    tally.assert_agreement();
}
