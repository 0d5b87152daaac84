//! `compare` on files of `quantize` and on other files.

mod common;

use binade_files::ElementType;
use binade_lab::compare::{Comparison, Options, run};
use binade_lab::quantize::{BiasChoice, Target};
use binade_lab::{Error, Silent};
use common::*;
use std::path::Path;

fn compare(a: &Path, b: &Path) -> Result<Comparison, Error> {
    run(a, b, &Options::default(), &Silent)
}

#[test]
fn measures_equal_hand_computed_values() {
    let folder = Folder::new();
    let a = folder.npy_f32("a.npy", &[6], &[3.0, 4.0, 1.0, f32::NAN, f32::INFINITY, 1e30]);
    let b = folder.npy_f32("b.npy", &[6], &[3.0, 3.0, 0.0, f32::NAN, 2.0, f32::INFINITY]);
    let comparison = compare(&a, &b).unwrap();
    let row = &comparison.tensors[0];
    assert_eq!((row.elements, row.max_abs, row.max_relative), (6, 1.0, 1.0));
    assert_eq!(row.mean_square, 2.0 / 3.0);
    assert_eq!(row.sqnr_db, 10.0 * 13f64.log10());
    assert_eq!(row.cosine, 21.0 / (26f64.sqrt() * 18f64.sqrt()));
    assert_eq!((row.overflow, row.underflow, row.nan, row.different), (1, 1, 0, 4));
    assert!(!row.equal && !comparison.equal);
    let same = compare(&a, &a).unwrap();
    assert!(same.equal && same.tensors[0].equal && same.tensors[0].sqnr_db == f64::INFINITY);
    assert!(serde_json::to_string(&same).unwrap().contains("\"sqnr_db\":null"));
}

#[test]
fn overflow_counts_values_beyond_the_format() {
    let folder = Folder::new();
    let a = folder.npy_f32("a.npy", &[5], &[448.0, 460.0, 500.0, -1e9, f32::NAN]);
    for (saturation, nan) in [(binade::Saturation::Overflow, 2), (binade::Saturation::Finite, 0)] {
        let mut options = options("float8_e4m3fn");
        (options.saturation, options.force) = (saturation, true);
        let b = folder.path("b.npy");
        quantize(&a, &b, &options).unwrap();
        let comparison = compare(&a, &b).unwrap();
        let row = &comparison.tensors[0];
        // 460 rounds to 448, the largest value, and counts as an overflow.
        assert_eq!((row.overflow, row.nan), (3, nan), "{saturation:?}");
    }
}

/// Scales and notes are read back: the comparison finds the error that the quantiser reports.
#[test]
fn quantised_files_are_read_back() {
    let folder = Folder::new();
    let values = weights(70_000);
    let npy = folder.npy_f32("x.npy", &[70, 1000], &values);
    let safetensors = folder.safetensors(
        "x.safetensors",
        &[("w", ElementType::F32, &[70, 1000], bytes_of_f32(&values))],
        &[],
    );
    for input in [npy, safetensors] {
        let ending = input.extension().unwrap().to_str().unwrap();
        for (name, bias, scale) in [
            ("float8_e4m3fn", None, "none"),
            ("cfloat8_1_4_3", Some(BiasChoice::Auto), "none"),
            ("binary5p2", None, "tensor"),
            ("float4_e2m1fn", None, "tensor"),
            ("float8_e5m2", None, "channel:1"),
            ("binary10p4", None, "channel:0"),
            ("float4_e2m1fn", None, "block:32"),
            ("float4_e2m1fn", None, "block:16,float8_e4m3fn"),
            ("float6_e2m3fn", None, "block:33,float8_e4m3b11fnuz"),
            ("float8_e4m3fn", None, "block:64,f32"),
            ("bf16", None, "tensor"),
        ] {
            let mut options = options("bf16");
            options.target = Target::parse(name, bias).unwrap();
            (options.scale, options.force) = (scale.parse().unwrap(), true);
            let output = folder.path(&format!("y.{ending}"));
            let report = quantize(&input, &output, &options).unwrap();
            let comparison = compare(&input, &output).unwrap();
            assert_eq!(comparison.tensors.len(), 1);
            assert!(comparison.only_in_b.is_empty() && comparison.not_compared.is_empty());
            let (row, losses) = (&comparison.tensors[0], &report.tensors[0].losses);
            assert_eq!(row.format_b, report.tensors[0].target);
            let found = (row.mean_square, row.max_abs, row.sqnr_db, row.underflow);
            assert_eq!(
                found,
                (losses.mean_square, losses.max_abs, losses.sqnr_db, losses.to_zero),
                "{name} {scale} {ending}"
            );

            options.simulate = true;
            let simulated = folder.path(&format!("s.{ending}"));
            quantize(&input, &simulated, &options).unwrap();
            let row = &compare(&output, &simulated).unwrap().tensors[0];
            assert!(row.sqnr_db > 140.0, "{name} {scale} {ending} {}", row.sqnr_db);
        }
    }
}

#[test]
fn files_of_different_tensors_are_reported() {
    let folder = Folder::new();
    let ones = |count: usize| bytes_of_f32(&vec![1.0; count]);
    let a = folder.safetensors(
        "a.safetensors",
        &[
            ("same", ElementType::F32, &[2][..], ones(2)),
            ("shape", ElementType::F32, &[2][..], ones(2)),
            ("gone", ElementType::F32, &[2][..], ones(2)),
            ("whole", ElementType::I32, &[2][..], vec![1, 0, 0, 0, 255, 255, 255, 255]),
            ("complex", ElementType::C64, &[1][..], ones(2)),
        ],
        &[],
    );
    let b = folder.safetensors(
        "b.safetensors",
        &[
            ("same", ElementType::F64, &[2][..], bytes_of_f64(&[1.0, 1.0])),
            ("shape", ElementType::F32, &[2, 1][..], ones(2)),
            ("new", ElementType::F32, &[2][..], ones(2)),
            ("whole", ElementType::I8, &[2][..], vec![1, 255]),
            ("complex", ElementType::C64, &[1][..], ones(2)),
        ],
        &[],
    );
    let comparison = compare(&a, &b).unwrap();
    let names: Vec<(&str, bool)> =
        comparison.tensors.iter().map(|row| (row.name.as_str(), row.equal)).collect();
    assert_eq!(names, [("same", true), ("whole", true)]);
    assert_eq!(
        (comparison.only_in_a, comparison.only_in_b),
        (vec!["gone".to_owned()], vec!["new".to_owned()])
    );
    let reasons: Vec<&str> = comparison.not_compared.iter().map(|one| one.reason.as_str()).collect();
    assert_eq!(reasons, ["the shapes differ: [2] and [2, 1]", "elements of C64 are not numbers"]);
    assert!(!comparison.equal);
}

#[test]
fn codes_without_notes_need_a_format() {
    let folder = Folder::new();
    let a = folder.npy_f32("a.npy", &[2], &[1.0, -1.5]);
    let b = folder.npy("b.npy", ElementType::Raw(1), &[2], &[0x38, 0xbc]);
    assert_eq!(compare(&a, &b).unwrap().not_compared[0].reason, "elements of V1 are not numbers");
    let options = Options { format_b: Some("float8_e4m3fn".parse().unwrap()), ..Options::default() };
    assert!(run(&a, &b, &options, &Silent).unwrap().equal);
}

#[test]
fn notes_that_contradict_the_file_are_refused() {
    let folder = Folder::new();
    let a = folder.npy_f32("a.npy", &[2], &[1.0, 2.0]);
    let b = folder.npy("b.npy", ElementType::U8, &[2], &[1, 0x40]);
    let message = |notes: &str| {
        std::fs::write(folder.path("b.binade.json"), notes).unwrap();
        compare(&a, &b).unwrap_err().to_string().replace(folder.path("").to_str().unwrap(), "")
    };
    assert_eq!(
        message("{\"format\":\"binary6p3\"}"),
        "b.npy: element 1 of the array is 0x40, not a code of binary6p3"
    );
    assert_eq!(
        message("{\"format\":\"bf16\"}"),
        "b.npy: invalid notes on the array: codes of bf16 must be [2] of U16, not [2] of U8: the notes are for another file"
    );
    assert!(
        message("{\"format\":\"bf61\"}")
            .starts_with("b.npy: invalid notes on the array: unknown format 'bf61'")
    );
    assert!(message("{").starts_with("b.binade.json: cannot read: "));
    assert!(message("{\"format\":\"E4M3\",\"scale\":\"rows\"}").contains("invalid scale 'rows'"));
    assert!(message("{\"format\":\"E4M3\",\"scale\":\"tensor\"}").starts_with("b.scale.npy: cannot open"));
    assert!(message("{\"format\":\"E4M3\",\"scale\":\"channel:3\"}").contains("b.scale.npy"));
    folder.npy_f32("b.scale.npy", &[2], &[1.0, 2.0]);
    assert_eq!(
        message("{\"format\":\"E4M3\",\"scale\":\"tensor\"}"),
        "b.npy: invalid notes on the array: its scales must be [] of f32, not [2] of F32"
    );
    // In safetensors: shapes that the bytes contradict.
    let notes =
        [("binade.format.w", "float4_e2m1fn"), ("binade.shape.w", "99999999999,99999999999,99999999999")];
    let c = folder.safetensors("c.safetensors", &[("w", ElementType::U8, &[2], vec![1, 2])], &notes);
    assert!(compare(&c, &c).unwrap_err().to_string().contains("is not a shape"));
    let notes = [("binade.format.w", "float4_e2m1fn"), ("binade.shape.w", "3,7")];
    let c = folder.safetensors("d.safetensors", &[("w", ElementType::U8, &[2], vec![1, 2])], &notes);
    assert!(compare(&c, &c).unwrap_err().to_string().contains("must be [11] of U8"));
}

#[test]
fn comparison_does_not_depend_on_threads() {
    let folder = Folder::new();
    let a = folder.npy_f32("a.npy", &[300_000], &weights(300_000));
    let b = folder.path("b.npy");
    quantize(&a, &b, &options("float8_e5m2")).unwrap();
    let of = |threads| {
        let options = Options { threads: Some(threads), ..Options::default() };
        serde_json::to_string(&run(&a, &b, &options, &Silent).unwrap()).unwrap()
    };
    assert_eq!(of(1), of(2));
    assert_eq!(of(1), of(5));
}
