//! Operations of one operand, including the elementary functions; the `exhaustive` binary runs every format.

use binade_testkit::against::{Both, Tally, unary};
use binade_testkit::format::{other_names, p3109_names};

#[test]
fn unary_operations_of_up_to_8_bits_equal_the_oracle() {
    let mut tally = Tally::default();
    for (i, name) in (3..=8).flat_map(p3109_names).chain(other_names(10)).enumerate() {
        let both = Both::named(&name).unwrap();
        if both.oracle.width <= 8 {
            unary(&both, &both, 2, i as u64 % 2, 32, &mut tally);
        }
    }
    tally.assert_agreement();
}

#[test]
fn sampled_unary_operations_of_wider_formats_equal_the_oracle() {
    let mut tally = Tally::default();
    for (i, name) in (9..=16).flat_map(p3109_names).chain(other_names(31)).enumerate() {
        let both = Both::named(&name).unwrap();
        if (9..=16).contains(&both.oracle.width) {
            let stride = both.oracle.codes() as usize / 32 - 3;
            unary(&both, &both, stride, i as u64 * 7 % stride as u64, 64, &mut tally);
        }
    }
    tally.assert_agreement();
}
