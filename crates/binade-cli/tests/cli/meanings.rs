//! Rules for all subcommands: names of block formats, control characters in output, and remedies in errors.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Done, bad, good, run_in};

const DIGITS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/digits.safetensors");

fn done(folder: &Path, arguments: &[&str]) -> String {
    let done = run_in(folder, arguments, "");
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""), "{arguments:?}");
    done.out
}

fn failed(folder: &Path, arguments: &[&str]) -> String {
    let Done { out, err, code } = run_in(folder, arguments, "");
    assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}: {err}");
    err
}

#[test]
fn block_format_is_refused_for_single_values() {
    for name in [
        "mxfp4",
        "NVFP4",
        "mxfp8_e4m3",
        "mxfp8_e5m2",
        "mxfp6_e2m3",
        "mxfp6_e3m2",
        "mxfp4_e2m1",
        "deepseek_fp8",
    ] {
        let element = match name {
            "mxfp8_e4m3" | "deepseek_fp8" => "float8_e4m3fn",
            "mxfp8_e5m2" => "float8_e5m2",
            "mxfp6_e2m3" => "float6_e2m3fn",
            "mxfp6_e3m2" => "float6_e3m2fn",
            _ => "float4_e2m1fn",
        };
        let uses: [&[&str]; 6] = [
            &["table", name],
            &["encode", name, "1"],
            &["decode", name, "1"],
            &["eval", "add", "=1", "=1", "--in", name],
            &["eval", "add", "=1", "=1", "--in", "bf16", "--out", name],
            &["compare", "a.npy", "b.npy", "--format-a", name],
        ];
        for arguments in uses {
            let error = bad(arguments);
            assert!(error.contains(&format!("name its elements, {element}, for single values")), "{error}");
            assert!(error.contains("`binade quantize --format` and `binade matmul --in` take"), "{error}");
        }
    }
    // `nvfp4` and `mxfp4` are recipes, too.
    assert!(bad(&["show", "mxfp6_e3m2"]).contains("name its elements, float6_e3m2fn, for single values"));
    // MXINT8's elements are called so, too.
    assert!(good(&["encode", "int8", "1"]) == good(&["encode", "mxint8", "1"]));
    assert!(!good(&["formats"]).contains("mxfp"));
}

#[test]
fn block_format_is_quantised_with_its_scales() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let sqnr = |format: &str, out: &str| {
        let report = format!("{out}.json");
        done(
            folder,
            &["quantize", DIGITS, out, "--format", format, "--include", "layer1.weight", "--report", &report],
        );
        let report: Value = serde_json::from_slice(&fs::read(folder.join(report)).unwrap()).unwrap();
        assert_eq!(report["format"], format);
        (report["total"]["sqnr_db"].as_f64().unwrap(), report["scale"].as_str().unwrap().to_owned())
    };
    let (mxfp4, scale) = sqnr("mxfp4", "a.safetensors");
    assert!(mxfp4 > 17.0 && scale == "block:32,float8_e8m0fnu", "{mxfp4} {scale}");
    let (nvfp4, scale) = sqnr("nvfp4", "b.safetensors");
    assert!(nvfp4 > 19.0 && scale == "block:16,float8_e4m3fn", "{nvfp4} {scale}");
    // Codes and scales are those of the layout, which rounds NVFP4's scales to nearest as well.
    let layout =
        ["quantize", DIGITS, "c.safetensors", "--layout", "modelopt-nvfp4", "--include", "layer1.weight"];
    done(folder, &layout);
    let comparison = done(folder, &["compare", "c.safetensors", "b.safetensors", "--json"]);
    let comparison: Value = serde_json::from_str(&comparison).unwrap();
    let row =
        comparison["tensors"].as_array().unwrap().iter().find(|row| row["name"] == "layer1.weight").unwrap();
    assert_eq!(row["equal"], true);
    // The same numbers, simulated and decoded.
    done(
        folder,
        &[
            "quantize",
            DIGITS,
            "s.safetensors",
            "--format",
            "mxfp4",
            "--simulate",
            "--include",
            "layer1.weight",
        ],
    );
    done(folder, &["compare", "a.safetensors", "s.safetensors", "--expect-equal"]);
    let error =
        failed(folder, &["quantize", DIGITS, "n.safetensors", "--format", "mxfp4", "--scale", "tensor"]);
    assert!(error.contains("mxfp4 has its own scales: omit --scale"), "{error}");
    let error =
        failed(folder, &["quantize", DIGITS, "n.safetensors", "--format", "mxfp4", "--scale-rule", "even"]);
    assert!(error.contains("--format mxfp4@rule=even"), "{error}");
    let budget = done(
        folder,
        &[
            "quantize",
            DIGITS,
            "d.safetensors",
            "--format",
            "auto",
            "--candidate",
            "nvfp4",
            "--budget",
            "4.5bits",
        ],
    );
    assert!(budget.contains("note: the budget of 4.5 bits was raised to 4."), "{budget}");
}

#[test]
fn missing_or_wrong_input_is_refused_with_a_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::create_dir(folder.join("model")).unwrap();
    let error = failed(folder, &["quantize", DIGITS, "q.safetensors"]);
    assert!(error.contains("--format <FORMAT>") && error.contains("--layout <NAME>"), "{error}");
    let error = failed(folder, &["matmul", "a.npy", "b.npy", "-o", "c.npy"]);
    assert!(error.contains("--arith <OPERATOR>") && error.contains("--in <FORMAT>"), "{error}");
    let error = failed(folder, &["quantize", "model", "q", "--format", "bf16"]);
    assert!(
        error.contains("model: is a folder: --format takes") && error.contains("--layout NAME"),
        "{error}"
    );
    for (name, contents, kind) in [
        ("README.md", &b"# A model of many words"[..], "it begins with # A model"),
        ("m.h5", b"\x89HDF\r\n\x1a\n\0\0\0\0", "an HDF5 file"),
        ("m.bin", b"PK\x03\x04\x14\0\0\0\0\0\0\0", "a zip archive"),
        ("p.safetensors", b"version https://git-lfs.example/spec/v1\noid", "a Git LFS pointer"),
        ("e", b"", "it is empty"),
    ] {
        fs::write(folder.join(name), contents).unwrap();
        let error = failed(folder, &["quantize", name, "o.safetensors", "--format", "bf16"]);
        assert!(
            error.contains("not a .npy, .safetensors or .gguf file: ") && error.contains(kind),
            "{error}"
        );
        let error = failed(folder, &["compare", name, DIGITS]);
        assert!(error.contains("not a .npy, .safetensors or .gguf file: "), "{error}");
    }
    fs::write(folder.join("m.gguf"), b"GGUF\x03\0\0\0\0\0\0\0").unwrap();
    let error = failed(folder, &["compare", "m.gguf", DIGITS]);
    assert!(error.contains("m.gguf: byte 8: the file ends within the header"), "{error}");
}

/// A safetensors file of one tensor of this name, of four binary32 numbers.
fn file(path: &Path, name: &str) {
    let name = serde_json::to_string(name).unwrap();
    let header = format!("{{{name}:{{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}}}}");
    let bytes =
        [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &[0; 12], &[0, 0, 0x80, 0x3f]].concat();
    fs::write(path, bytes).unwrap();
}

#[test]
fn name_of_any_length_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for length in [65_535, 65_536, 70_000] {
        let name = "n".repeat(length);
        file(&folder.join("a.safetensors"), &name);
        let printed =
            done(folder, &["quantize", "a.safetensors", "b.safetensors", "--format", "bf16", "--force"]);
        assert!(printed.contains(&name));
        assert!(done(folder, &["compare", "a.safetensors", "b.safetensors"]).contains(&name));
    }
    // Numbers as long, of formats with many exponents.
    for arguments in [
        &["show", "custom@width=3,precision=1,bias=65537"][..],
        &["table", "custom@width=3,precision=1,bias=131072"],
        &["decode", "custom@width=5,precision=3,bias=131072", "1"],
    ] {
        assert!(!good(arguments).is_empty());
    }
    for field in [
        "width=65537,precision=3,bias=0",
        "width=4294967296,precision=3,bias=0",
        "width=8,precision=99999,bias=0",
        "width=8,precision=3,bias=131073",
        "width=8,precision=3,bias=-9999999999",
    ] {
        assert!(bad(&["show", &format!("custom@{field}")]).starts_with("error: "), "{field}");
    }
}

#[test]
fn control_characters_of_any_input_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // A turned direction, C0 and C1 controls, a line separator, an isolate, a byte order mark, a tag.
    let spoiled = "a\u{202e}b\u{1b}[31m\u{9b}1m\u{2028}\u{2066}\u{feff}\u{e0041}z";
    let shown = "a\\u{202e}b\\u{1b}[31m\\u{9b}1m\\u{2028}\\u{2066}\\u{feff}\\u{e0041}z";
    let path = format!("{spoiled}.safetensors");
    file(&folder.join(&path), spoiled);
    let clean = |text: &str| {
        for c in "\u{202e}\u{1b}\u{9b}\u{2028}\u{2066}\u{feff}\u{e0041}".chars() {
            assert!(!text.contains(c), "{c:?} in {text:?}");
        }
    };
    let runs: [&[&str]; 10] = [
        &["quantize", &path, "q.safetensors", "--format", "bf16"],
        &["quantize", &path, "c.safetensors", "--format", "bf16", "--include", "x"],
        &["quantize", &path, "l.safetensors", "--layout", "ct-fp8"],
        &["compare", &path, &path],
        &["compare", &path, &path, "--json"],
        &["compare", &path, DIGITS],
        &["encode", spoiled, "1"],
        &["encode", "bf16", spoiled],
        &["eval", spoiled, "1", "--in", "bf16"],
        &["quantize", spoiled, "q", "--layout", spoiled],
    ];
    for arguments in runs {
        let Done { out, err, .. } = run_in(folder, arguments, "");
        clean(&out);
        clean(&err);
        // Usage errors leave escape sequences out.
        let usage = shown.replace("\\u{1b}[31m", "");
        let escaped = [&out, &err].iter().any(|text| text.contains(shown) || text.contains(&usage))
            || out.contains("a\\u202eb\\u001b[31m\\u009b");
        assert!(escaped, "{arguments:?}: {out} {err}");
    }
    // JSON says the same to who reads it.
    let comparison: Value =
        serde_json::from_str(&done(folder, &["compare", &path, &path, "--json"])).unwrap();
    assert_eq!(comparison["tensors"][0]["name"], spoiled);
}

#[test]
fn explained_error_keeps_its_magnitude() {
    for (arguments, error) in [
        (["f64", "1e-320"], "≈-1.113281731699459e-325"),
        (["f64", "1e-400"], "≈-1e-400"),
        (["f64", "1e-80000"], "≈-1e-80000"),
        (["custom@width=16,precision=8,bias=-60000", "1e-400"], "≈-1e-400"),
        (["float8_e4m3fn", "0.1"], "≈1.5625e-3"),
        (["f64", "0x1.00000000000008p0"], "-0x1p-53"),
    ] {
        let [format, value] = arguments;
        let out = good(&["encode", format, value, "--explain"]);
        let words: Vec<&str> = out.split_whitespace().collect();
        assert_eq!(words[3], error, "{arguments:?}: {out}");
    }
    let out = good(&["encode", "f64", "1e400", "--explain", "--saturation", "finite"]);
    assert!(out.contains(" ≈-1e400 "), "{out}");
}

#[test]
fn loss_with_squares_beyond_binary64_is_a_number() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let header = r#"{"big":{"dtype":"F64","shape":[2],"data_offsets":[0,16]},"small":{"dtype":"F64","shape":[2],"data_offsets":[16,32]}}"#;
    let numbers = [1e300f64, -2e300, 1.1, 2.3].map(f64::to_le_bytes).concat();
    let bytes = [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &numbers].concat();
    fs::write(folder.join("x.safetensors"), bytes).unwrap();
    let scaled = [
        "quantize",
        "x.safetensors",
        "y.safetensors",
        "--format",
        "float8_e4m3fn",
        "--scale",
        "block:1,custom@width=20,precision=9,bias=1023",
    ];
    let out = done(folder, &scaled);
    assert!(!out.contains("NaN ") && out.lines().filter(|line| !line.contains("NaN")).count() >= 3, "{out}");
    let out = done(folder, &["compare", "x.safetensors", "y.safetensors", "--json"]);
    let comparison: Value = serde_json::from_str(&out).unwrap();
    for row in comparison["tensors"].as_array().unwrap() {
        assert!(row["sqnr_db"].as_f64().unwrap() > 20.0 && row["cosine"].as_f64().unwrap() > 0.99, "{row}");
    }
}
