//! `matmul` and `bench`: their arguments and what they print. What they compute and measure is tested in `binade-lab`.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Done, bad, good, run_in};

/// A version 1.0 .npy file of binary32 numbers.
fn npy(path: &Path, shape: &str, values: &[f32]) {
    let text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({shape}), }}");
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    bytes.extend(format!("{text:117}\n").bytes());
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    fs::write(path, bytes).unwrap();
}

fn floats(path: &Path) -> Vec<f32> {
    let bytes = fs::read(path).unwrap();
    bytes[128..].as_chunks().0.iter().map(|&b| f32::from_le_bytes(b)).collect()
}

#[test]
fn products_round_where_the_operator_says() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    npy(&folder.join("a.npy"), "1, 3", &[1.0, 1.0, 1.0]);
    npy(&folder.join("b.npy"), "3, 2", &[256.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
    npy(&folder.join("c.npy"), "2,", &[0.0, 0.5]);
    let product = |options: &[&str]| {
        let arguments = [&["matmul", "a.npy", "b.npy", "-o", "y.npy", "--force"], options].concat();
        let Done { out, err, code } = run_in(folder, &arguments, "");
        assert_eq!((code, err.as_str()), (Some(0), ""), "{options:?}");
        (out, floats(&folder.join("y.npy")))
    };
    // 256 + 1 is a tie that bfloat16 rounds down, twice; the exact sum 258 is a value.
    let (out, sums) = product(&["--arith", "bf16:bf16"]);
    assert_eq!(out, "y.npy [1, 2] under bf16:bf16, sequential: 6 steps\n");
    assert_eq!(sums, [256.0, 3.0]);
    assert_eq!(product(&["--arith", "bf16:bf16", "--order", "exact"]).1, [258.0, 3.0]);
    assert_eq!(product(&["--arith", "bf16:f32", "--add", "c.npy", "--threads", "1"]).1, [258.0, 3.5]);
}

#[test]
fn bad_products_leave_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    npy(&folder.join("a.npy"), "1, 3", &[1.0, 1.0, 1.0]);
    for (arguments, part) in [
        (
            &["a.npy", "a.npy", "--arith", "bf16:f32"][..],
            "error: B of shape [1, 3] does not fit: A is [1, 3]",
        ),
        (
            &["a.npy", "a.npy", "--arith", "bf17:f32"],
            "error: invalid value 'bf17:f32' for '--arith <OPERATOR>': ",
        ),
        (
            &["a.npy", "a.npy", "--arith", "f32:f32", "--order", "up"],
            "error: invalid value 'up' for '--order <ORDER>': ",
        ),
        (
            &["a.npy", "a.npy", "--arith", "bf16:f32", "--order", "any"],
            "error: the order 'any' is a native library's",
        ),
        (&["a.npy", "b.npy", "--arith", "bf16:f32"], "error: b.npy: "),
    ] {
        let done = run_in(folder, &[&["matmul", "-o", "y.npy"], arguments].concat(), "");
        assert!(done.code == Some(2) && done.out.is_empty() && done.err.starts_with(part), "{}", done.err);
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
    }
    // What is there stays.
    fs::write(folder.join("y.npy"), "old").unwrap();
    npy(&folder.join("b.npy"), "3, 1", &[1.0, 1.0, 1.0]);
    let arguments = ["matmul", "a.npy", "b.npy", "--arith", "bf16:f32", "-o", "y.npy"];
    let done = run_in(folder, &arguments, "");
    assert_eq!(done.err, "error: y.npy: the file exists; it is replaced only with --force\n");
    assert_eq!(fs::read(folder.join("y.npy")).unwrap(), b"old");
}

#[test]
fn figures_as_json_and_as_a_table() {
    let works = ["bench", "decode/float8_e5m2/L2", "gemm/bf16:f32/seq*", "--seconds", "0"];
    let report: Value = serde_json::from_str(&good(&[&works[..], &["--json"]].concat())).unwrap();
    assert!(report["machine"].is_string() && report["memcpy_elements_per_s"].is_number());
    let results = report["results"].as_array().unwrap();
    for result in results {
        let gemm = result["name"].as_str().unwrap().contains("gemm");
        assert_eq!((result["fma_per_s"].is_number(), result["elements_per_s"].is_number()), (gemm, !gemm));
        assert!(result["isa"].is_string() && result["threads"] == 1 && result["ratio_to_floor"].is_number());
        assert!(results.iter().any(|other| other["name"] == result["floor"]));
    }
    let table = good(&works);
    let names: Vec<&str> = table.lines().skip(2).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(
        names,
        [
            "floor/unpack/L2",
            "decode/float8_e5m2/L2",
            "floor/memcpy/64MiB",
            "floor/sgemm/512",
            "gemm/bf16:f32/sequential/512"
        ]
    );
    assert!(bad(&["bench", "nothing"]).starts_with("error: nothing is called 'nothing': "));
    assert!(bad(&["bench", "--seconds", "-1"]).contains("--seconds"));
}
