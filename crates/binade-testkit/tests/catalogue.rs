//! Every named format means the same on both sides, and both sides name the same formats.

use binade_testkit::against::{Both, Tally, all_operations, decoding, limits};
use binade_testkit::format::{other_names, p3109_names};
use binade_testkit::generate::Generator;
use std::collections::BTreeSet;

fn all_names(bias: u32) -> Vec<String> {
    (3..=16).flat_map(p3109_names).chain(other_names(bias)).collect()
}

#[test]
fn the_catalogue_is_complete() {
    let oracle: BTreeSet<String> = all_names(31).into_iter().collect();
    let binade: BTreeSet<String> = binade::Spec::all(31).map(|spec| spec.name().to_owned()).collect();
    assert_eq!(oracle, binade);
}

/// A new operation without an oracle fails here.
#[test]
fn every_operation_has_an_oracle() {
    let key = |name: &str, operands, scales| (name.to_owned(), operands, scales);
    let oracle: BTreeSet<_> = all_operations().into_iter().map(|(name, n, s)| key(name, n, s)).collect();
    let binade: BTreeSet<_> =
        binade::Operation::ALL.iter().map(|op| key(op.name(), op.arity(), op.scales())).collect();
    assert_eq!(oracle, binade);
}

/// Every code up to 12 bits, samples of the wider ones; every bias of Tesla's formats and both subnormal rules.
#[test]
fn every_code_decodes_equal() {
    let mut names = all_names(0);
    for bias in 0..64 {
        for base in ["cfloat8_1_4_3", "cfloat8_1_5_2", "shp"] {
            names.push(format!("{base}@bias={bias}"));
            names.push(format!("{base}@bias={bias},subnormals=ieee"));
        }
    }
    let (mut tally, mut random) = (Tally::default(), Generator::new(1));
    for name in &names {
        let both = Both::named(name).unwrap();
        limits(&both, &mut tally);
        if both.oracle.width <= 12 {
            decoding(&both, 0..both.oracle.codes() as u64, &mut tally);
        } else {
            decoding(&both, (0..3000).map(|_| random.code(&both.oracle)), &mut tally);
        }
    }
    tally.assert_agreement();
}

/// What the documents promise: only the comparing module may know `binade`.
#[test]
fn the_oracle_does_not_use_binade() {
    let source = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    for entry in std::fs::read_dir(source).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() || path.ends_with("against.rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(!text.contains("binade::") && !text.contains("use binade"), "{}", path.display());
        seen += 1;
    }
    assert!(seen >= 7, "{seen} modules");
}
