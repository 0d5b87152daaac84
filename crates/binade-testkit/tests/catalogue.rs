//! Every named format has the same meaning on both sides, and both sides name the same formats.

use binade_testkit::against::{Both, Tally, all_operations, decoding, limits};
use binade_testkit::format::{other_names, p3109_names};
use binade_testkit::generate::Generator;
use std::collections::BTreeSet;

fn all_names(bias: u32) -> Vec<String> {
    (3..=16).flat_map(p3109_names).chain(other_names(bias)).collect()
}

#[test]
fn catalogue_names_equal_those_of_the_oracle() {
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

/// Every code up to 12 bits, and samples of wider formats; every bias of Tesla's formats and both subnormal rules.
#[test]
fn codes_of_every_format_decode_equal() {
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

/// All names beyond the listed widths: their limits, and the codes at the ends of each field, with samples between
/// them.
#[test]
fn wide_p3109_formats_are_equal() {
    let (mut tally, mut random) = (Tally::default(), Generator::new(17));
    let names: Vec<String> = (17..=64).flat_map(p3109_names).collect();
    let named = |name: &String| name.parse::<binade::Spec>().is_ok_and(|spec| spec.name() == name);
    assert!(names.iter().all(named));
    // All that can be read: the oracle omits none.
    let read = (17..=65u32).flat_map(|width| {
        (0..=width + 1).flat_map(move |precision| {
            ["", "se", "sf", "ue", "uf"].map(move |kind| format!("binary{width}p{precision}{kind}"))
        })
    });
    let read: BTreeSet<String> = read.filter(named).collect();
    assert_eq!(read, names.iter().cloned().collect());
    for name in &names {
        let both = Both::named(name).unwrap();
        limits(&both, &mut tally);
        let (oracle, ours) = (&both.oracle, both.ours.format);
        let normal = 1u64 << ours.trailing_bits();
        let near = [0, normal, 2 * normal, ours.max_finite_code(), ours.magnitude_mask(), ours.sign_bit()];
        let near =
            near.into_iter().flat_map(|code| (0..5).map(move |add| code.wrapping_add(add).wrapping_sub(2)));
        let ends = near.map(|code| code & ours.last_code());
        let ends = ends.flat_map(|code| [code, code ^ ours.sign_bit()]);
        let sampled: Vec<u64> = (0..100).map(|_| random.code(oracle)).collect();
        decoding(&both, ends.chain(sampled), &mut tally);
    }
    tally.assert_agreement();
}

/// IEEE 754's formats have a bias that is one less, and P3109's have numbers in the binade of their infinities and
/// NaNs.
#[test]
fn wide_p3109_formats_have_half_the_values_of_ieee_754() {
    let mut random = Generator::new(18);
    for (name, other, most) in
        [("binary32p24se", "f32", 0x7f7f_ffff), ("binary64p53sf", "f64", 0x7fef_ffff_ffff_ffff)]
    {
        let (ours, ieee) = (Both::named(name).unwrap().ours.format, Both::named(other).unwrap().ours.format);
        let mut numbers = 0;
        let ends = [0, 1, 2, most, most - 1, 1 << ieee.trailing_bits()];
        for code in ends.into_iter().chain((0..20_000).map(|_| random.bits() & ieee.magnitude_mask())) {
            for sign in [0, ieee.sign_bit()] {
                if code > most || sign | code == sign && sign != 0 {
                    continue;
                }
                let (half, whole) = (binade::decode(ours, sign | code), binade::decode(ieee, sign | code));
                let (binade::Value::Finite(half), binade::Value::Finite(whole)) = (half, whole) else {
                    panic!("{name} {code:#x}: {half:?}, {whole:?}")
                };
                let doubled = binade_testkit::dyadic::Dyadic::new(half.significand, half.exponent + 1);
                let same = doubled == binade_testkit::dyadic::Dyadic::new(whole.significand, whole.exponent);
                assert!(same && half.negative == whole.negative, "{name} {code:#x}: {half:?}, {whole:?}");
                numbers += 1;
            }
        }
        assert!(numbers > 35_000, "{numbers}");
        let last = ours.magnitude_mask();
        assert_eq!(ours.infinity_code(), (name == "binary32p24se").then_some(last));
        assert_eq!((ours.nan_code(), ours.emax() - ieee.emax()), (Some(ours.sign_bit()), 0));
    }
}

/// The documented guarantee: only the comparing module may use `binade`.
#[test]
fn oracle_sources_do_not_use_binade() {
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
