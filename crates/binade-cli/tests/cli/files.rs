//! `quantize` and `compare`: arguments, output and files. Tests in `binade-lab` check the numbers.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Done, run_in};

const DIGITS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/digits.safetensors");

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The header of a version 1.0 .npy file of `elements` binary32 numbers.
fn npy_header(elements: u64) -> Vec<u8> {
    let text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({elements},), }}");
    let mut header = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    header.extend(format!("{text:117}\n").bytes());
    header
}

fn npy(path: &Path, values: &[f32]) {
    let mut bytes = npy_header(values.len() as u64);
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    fs::write(path, bytes).unwrap();
}

fn good(folder: &Path, arguments: &[&str]) -> String {
    let done = run_in(folder, arguments, "");
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{arguments:?}");
    done.out
}

fn bad(folder: &Path, arguments: &[&str]) -> String {
    let Done { out, err, code } = run_in(folder, arguments, "");
    assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}: {err}");
    err
}

#[test]
fn quantize_writes_codes_table_and_report() {
    let folder = folder();
    let folder = folder.path();
    let quantize = [
        "quantize",
        DIGITS,
        "q.safetensors",
        "--format",
        "cfloat8_1_4_3",
        "--bias",
        "auto",
        "--report",
        "q.json",
    ];
    let table = good(folder, &quantize);
    assert_eq!(names(folder), ["q.json", "q.safetensors"]);
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines[0][..3], ["tensor", "format", "elements"]);
    assert_eq!(lines.last().unwrap()[..2], ["(all)", "6570"]);
    let report: Value = serde_json::from_slice(&fs::read(folder.join("q.json")).unwrap()).unwrap();
    let tensors = report["tensors"].as_array().unwrap();
    assert_eq!(tensors.len(), lines.len() - 2);
    for (tensor, line) in tensors.iter().zip(&lines[1..]) {
        assert_eq!(tensor["name"], line[0]);
        assert_eq!(format!("cfloat8_1_4_3@bias={}", tensor["bias"]), line[1]);
        assert_eq!(tensor["bias_search"].as_array().unwrap().len(), 64);
    }
    // Nothing is replaced unasked, and what was there is whole.
    let before = fs::read(folder.join("q.safetensors")).unwrap();
    let refused = bad(folder, &quantize);
    assert_eq!(refused, "error: q.json: the file exists: use --force to replace it\n");
    let refused = bad(folder, &quantize[..7]);
    assert!(refused.contains("q.safetensors") && refused.starts_with("error: "), "{refused}");
    good(folder, &[&quantize[..], &["--force", "--threads", "1"]].concat());
    assert_eq!(fs::read(folder.join("q.safetensors")).unwrap(), before);
    assert_eq!(names(folder), ["q.json", "q.safetensors"]);

    let compared: Value =
        serde_json::from_str(&good(folder, &["compare", DIGITS, "q.safetensors", "--json"])).unwrap();
    for (row, tensor) in compared["tensors"].as_array().unwrap().iter().zip(tensors) {
        assert_eq!(row["name"], tensor["name"]);
        assert_eq!(row["format_b"], tensor["target"]);
        let decibels = |value: &Value| value["sqnr_db"].as_f64().unwrap();
        assert!((decibels(row) - decibels(tensor)).abs() < 1e-6);
        for key in
            ["elements", "max_abs", "max_relative", "mean_square", "cosine", "overflow", "underflow", "nan"]
        {
            assert!(row[key].is_number(), "{key}");
        }
    }
}

#[test]
fn quantized_codes_equal_those_of_encode() {
    let folder = folder();
    let folder = folder.path();
    let values = [0.1f32, -1.0, 3.7, 1e9, -0.0, 1e-9, f32::NAN];
    npy(&folder.join("x.npy"), &values);
    for modes in [
        &[][..],
        &["--rounding", "toward_zero", "--saturation", "max"],
        &["--rounding", "stochastic_b", "--random-bits", "7", "--seed", "5"],
    ] {
        good(
            folder,
            &[&["quantize", "x.npy", "q.npy", "--format", "float8_e4m3fn", "--force"], modes].concat(),
        );
        let bytes = fs::read(folder.join("q.npy")).unwrap();
        let codes: String =
            bytes[bytes.len() - values.len()..].iter().map(|code| format!("{code:#04x}\n")).collect();
        let words: Vec<String> = values.iter().map(|value| format!("{value:e}")).collect();
        let mut encode = vec!["encode", "float8_e4m3fn"];
        encode.extend(words.iter().map(String::as_str));
        encode.extend(modes);
        assert_eq!(good(folder, &encode), codes);
    }
}

#[test]
fn quantize_options_change_the_output() {
    let folder = folder();
    let folder = folder.path();
    let quantize = |options: &[&str]| {
        good(
            folder,
            &[&["quantize", DIGITS, "q.safetensors", "--force", "--report", "q.json"], options].concat(),
        );
        serde_json::from_slice::<Value>(&fs::read(folder.join("q.json")).unwrap()).unwrap()
    };
    let report = quantize(&[
        "--format",
        "float4_e2m1fn",
        "--scale",
        "block:16,float8_e4m3fn",
        "--include",
        "*.weight",
        "--exclude",
        "layer3*",
    ]);
    assert_eq!(
        (report["tensors"].as_array().unwrap().len(), report["copied"].as_array().unwrap().len()),
        (2, 4)
    );
    assert_eq!(report["scale"], "block:16,float8_e4m3fn");
    let report = quantize(&[
        "--format",
        "shp",
        "--bias",
        "31",
        "--simulate",
        "--rounding",
        "to_odd",
        "--saturation",
        "finite",
    ]);
    assert_eq!((&report["format"], &report["simulate"]), (&"shp@bias=31".into(), &true.into()));
    assert_eq!((&report["rounding"], &report["saturation"]), (&"to_odd".into(), &"finite".into()));
    let report = quantize(&["--format", "bf16", "--rounding", "stochastic", "--seed", "3"]);
    assert_eq!(
        (&report["rounding"], &report["seed"], &report["random_bits"]),
        (&"stochastic_a".into(), &3.into(), &32.into())
    );
}

/// A format without NaN makes numbers of NaNs, which is told, and only then.
#[test]
fn nan_that_becomes_a_number_is_counted() {
    let folder = folder();
    let folder = folder.path();
    npy(&folder.join("in.npy"), &[1.0, f32::NAN, -f32::NAN, f32::INFINITY, 0.5, 2.0, 3.0, 4.0]);
    let table = |out: &str, format: &str, scale: &str| {
        let quantize =
            ["quantize", "in.npy", out, "--format", format, "--scale", scale, "--report", "r.json"];
        let said = good(folder, &[&quantize[..], &["--force"]].concat());
        let report: Value = serde_json::from_slice(&fs::read(folder.join("r.json")).unwrap()).unwrap();
        assert_eq!(report["tensors"][0]["from_nan"], report["total"]["from_nan"]);
        (said, report["total"]["from_nan"].as_u64().unwrap())
    };
    let (said, count) = table("q.npy", "float4_e2m1fn", "none");
    let mut lines = said.lines();
    assert!(lines.next().unwrap().ends_with("  lost  from NaN") && lines.next().unwrap().ends_with("  2"));
    assert_eq!(count, 2);
    // Under a scale they are NaN by the scale.
    for scale in ["block:4", "tensor"] {
        let (said, count) = table("q.npy", "float4_e2m1fn", scale);
        assert!(said.lines().next().unwrap().ends_with("  lost"), "{said}");
        assert_eq!(count, 0);
    }
    let (said, count) = table("q.npy", "float8_e5m2", "none");
    assert!(said.lines().next().unwrap().ends_with("  lost"), "{said}");
    assert_eq!(count, 0);
}

#[test]
fn bad_file_is_refused_and_leaves_no_output() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("bad.npy"), b"\x93NUMPY\x01\x00\xff\xff{").unwrap();
    npy(&folder.join("x.npy"), &[1.0]);
    let quantize = |input, output, options: &[&str]| {
        bad(folder, &[&["quantize", input, output, "--report", "r.json"], options].concat())
    };
    for (error, part) in [
        (quantize("bad.npy", "q.npy", &["--format", "bf16"]), "error: bad.npy: "),
        (quantize("missing.npy", "q.npy", &["--format", "bf16"]), "error: missing.npy: "),
        (quantize("x.npy", "q.safetensors", &["--format", "bf16"]), "error: q.safetensors: "),
        (quantize("x.npy", "none/q.npy", &["--format", "bf16"]), "error: none/q.npy: "),
        (
            quantize("x.npy", "q.npy", &["--format", "cfloat8_1_4_3"]),
            "error: cfloat8_1_4_3 needs its exponent bias, 0 to 63: ",
        ),
        (
            quantize("x.npy", "q.npy", &["--format", "cfloat8_1_4_3", "--bias", "-1"]),
            "error: cfloat8_1_4_3: bias=-1 is out of range: 0 to 63",
        ),
        (
            quantize("x.npy", "q.npy", &["--format", "cfloat8_1_4_3", "--bias", "best"]),
            "error: invalid bias 'best': ",
        ),
        (quantize("x.npy", "q.npy", &["--format", "bf16", "--scale", "row"]), "error: invalid scale 'row': "),
        (
            quantize("x.npy", "q.npy", &["--format", "bf16", "--include", "[a"]),
            "error: invalid pattern '[a': ",
        ),
        (
            quantize("x.npy", "q.npy", &["--format", "bf16", "--threads", "0"]),
            "error: invalid value '0' for '--threads <N>': ",
        ),
    ] {
        assert!(error.starts_with(part), "{error}");
        assert_eq!(names(folder), ["bad.npy", "x.npy"]);
    }
    let error = bad(folder, &["quantize", "x.npy", "q.npy", "--format", "bf16", "--report", "none/r.json"]);
    assert!(error.starts_with("error: none/r.json: cannot write: "), "{error}");
    assert_eq!(names(folder), ["bad.npy", "x.npy"]);
}

#[test]
fn compare_fails_below_its_requirements() {
    let folder = folder();
    let folder = folder.path();
    npy(&folder.join("a.npy"), &[1.0, 2.0, -3.5]);
    npy(&folder.join("b.npy"), &[1.0, 2.0, -3.25]);
    npy(&folder.join("c.npy"), &[1.0, 2.0, f32::NAN]);
    let compare = |arguments: &[&str]| {
        let Done { err, code, .. } = run_in(folder, &[&["compare"], arguments].concat(), "");
        (code.unwrap(), err)
    };
    assert_eq!(compare(&["a.npy", "b.npy"]), (0, String::new()));
    assert_eq!(compare(&["a.npy", "a.npy", "--expect-equal", "--min-sqnr", "1e9"]), (0, String::new()));
    let (code, error) = compare(&["a.npy", "b.npy", "--expect-equal"]);
    assert_eq!((code, error.as_str()), (1, "failed: (array): 1 of 3 elements are different\n"));
    // 10 log10(17.25 / 0.0625) = 24.409…
    assert_eq!(compare(&["a.npy", "b.npy", "--min-sqnr", "24.4"]), (0, String::new()));
    let (code, error) = compare(&["a.npy", "b.npy", "--min-sqnr", "24.5"]);
    assert_eq!(
        (code, error.as_str()),
        (1, "failed: (array): 24.41 dB and 0 new NaNs, expected at least 24.5 dB and none\n")
    );
    assert_eq!(compare(&["a.npy", "c.npy", "--min-sqnr", "1"]).0, 1);
    assert_eq!(compare(&["a.npy", "missing.npy"]).0, 2);
    insta::assert_snapshot!(good(folder, &["compare", "a.npy", "b.npy"]), @"
    tensor   elements   max abs   max rel       MSE  SQNR dB    cosine  overflow  underflow  NaN
    (array)         3  2.500e-1  7.143e-2  2.083e-2    24.41  0.999418         0          0    0
    ");
}

/// Ctrl-C in the middle of a long run: neither output nor temporaries, exit code 130.
#[cfg(unix)]
#[test]
fn interrupted_quantize_leaves_no_output() {
    let folder = folder();
    let folder = folder.path();
    // A sparse file of zeros: long work on a small disk.
    let elements = 1 << 33;
    let header = npy_header(elements);
    fs::write(folder.join("x.npy"), &header).unwrap();
    let file = fs::File::options().write(true).open(folder.join("x.npy")).unwrap();
    file.set_len(header.len() as u64 + 4 * elements).unwrap();
    let arguments = ["quantize", "x.npy", "q.npy", "--format", "shp", "--bias", "auto", "--report", "r.json"];
    let mut child = crate::command(folder, &arguments).spawn().unwrap();
    // It listens before it makes the report's temporary, and the search for a bias reads the whole file.
    while names(folder).len() < 2 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let done = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&done.stderr), "error: interrupted; nothing was written\n");
    assert_eq!(done.status.code(), Some(130));
    assert_eq!(names(folder), ["x.npy"]);
}
