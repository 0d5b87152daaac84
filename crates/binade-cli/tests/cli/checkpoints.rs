//! `quantize --layout`, `dequantize` and `convert`: arguments, output and files. Tests in `binade-lab` check the numbers.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Done, run_in};

const DIGITS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/digits.safetensors");

fn good(folder: &Path, arguments: &[&str]) -> String {
    let Done { out, err, code } = run_in(folder, arguments, "");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{arguments:?}");
    out
}

fn bad(folder: &Path, arguments: &[&str]) -> String {
    let Done { out, err, code } = run_in(folder, arguments, "");
    assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}: {err}");
    err
}

/// A folder of one file.
fn model(folder: &Path) {
    fs::create_dir(folder.join("model")).unwrap();
    fs::copy(DIGITS, folder.join("model/model.safetensors")).unwrap();
    fs::write(folder.join("model/config.json"), r#"{"model_type": "digits", "dtype": "float32"}"#).unwrap();
}

#[test]
fn folder_of_shards_is_quantized_and_dequantized() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    model(folder);
    let quantize = ["quantize", "model", "q", "--layout", "ct-mxfp8", "--exclude", "layer3*"];
    let said = good(folder, &[&quantize[..], &["--report", "q.html"]].concat());
    assert!(
        said.starts_with("quantised to ct-mxfp8, scale rule floor\n2 weights of 6144 elements: 24576 bytes"),
        "{said}"
    );
    let page = fs::read_to_string(folder.join("q.html")).unwrap();
    assert!(
        page.starts_with("<!doctype html>")
            && page
                .contains("layer1.weight</td><td class=\"text\">64 × 64</td><td class=\"number\">16384</td>")
            && page.contains(
                "<code>binade quantize model q --layout ct-mxfp8 --exclude 'layer3*' --report q.html</code>"
            ),
        "{page}"
    );
    assert!(!page.contains("http") && !page.contains("<script"));
    let config: Value = serde_json::from_slice(&fs::read(folder.join("q/config.json")).unwrap()).unwrap();
    assert_eq!(config["quantization_config"]["format"], "mxfp8-quantized");
    assert_eq!(config["quantization_config"]["ignore"], serde_json::json!(["layer3"]));

    good(folder, &["dequantize", "q", "d", "--report", "d.json"]);
    let report: Value = serde_json::from_slice(&fs::read(folder.join("d.json")).unwrap()).unwrap();
    assert_eq!((&report["dtype"], report["weights"].as_array().unwrap().len()), (&Value::from("F32"), 2));
    good(folder, &["compare", "q", "d", "--expect-equal"]);
    good(folder, &["compare", "model", "q", "--min-sqnr", "25"]);
    let converted = good(folder, &["convert", "q", "c", "--layout", "deepseek-fp8", "--exclude", "layer3*"]);
    assert!(converted.starts_with("converted to deepseek-fp8, scale rule nearest\n"), "{converted}");

    let refused = bad(folder, &quantize);
    assert_eq!(refused, "error: q: the folder is not empty: --force writes into it\n");
    good(folder, &[&quantize[..], &["--force"]].concat());
    let refused = bad(folder, &[&quantize[..], &["--resume"]].concat());
    assert!(refused.contains("there is no unfinished checkpoint"), "{refused}");
}

/// JSON has what the page has; notes are said.
#[test]
fn report_has_losses_and_notes() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    model(folder);
    fs::remove_file(folder.join("model/config.json")).unwrap();
    let quantize = ["quantize", "model", "q", "--layout", "ct-mxfp8", "--exclude", "layer3*"];
    let said = good(folder, &[&quantize[..], &["--report", "q.json"]].concat());
    assert!(said.contains("\nnote: the input has no config.json: "), "{said}");
    let report: Value = serde_json::from_slice(&fs::read(folder.join("q.json")).unwrap()).unwrap();
    assert!(report["notes"][0].as_str().unwrap().starts_with("the input has no config.json"));
    let compared: Value = serde_json::from_str(&good(folder, &["compare", "model", "q", "--json"])).unwrap();
    for weight in report["weights"].as_array().unwrap() {
        let rows = compared["tensors"].as_array().unwrap();
        let row = rows.iter().find(|row| row["name"] == weight["name"]).unwrap();
        for key in
            ["sqnr_db", "mean_square", "max_abs", "max_relative", "cosine", "overflow", "underflow", "nan"]
        {
            assert!(
                weight["losses"][key].is_number() && weight["losses"][key] == row[key],
                "{key}: {weight}"
            );
        }
        let counts = weight["losses"]["histogram"]["counts"].as_array().unwrap();
        assert!(counts.iter().map(|count| count.as_u64().unwrap()).sum::<u64>() > 2000);
    }
    let file = ["quantize", DIGITS, "q.safetensors", "--layout", "ct-mxfp8", "--exclude", "layer3*"];
    let said = good(folder, &file);
    assert!(said.contains("\nnote: programs read the layout in config.json"), "{said}");
}

/// The next process that writes a folder or a file removes the partial files of a killed one.
#[test]
fn partial_files_of_killed_processes_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    model(folder);
    let quantize = ["quantize", "model", "q", "--layout", "ct-fp8"];
    good(folder, &quantize);
    let partial = |place: &str| folder.join(place).join(".binade-a1b2c3.partial");
    let commands: [&[&str]; 3] = [
        &[&quantize[..], &["--force"]].concat(),
        &["dequantize", "q", "d", "--force"],
        &["convert", "q", "c", "--layout", "deepseek-fp8", "--force"],
    ];
    for (command, place) in commands.into_iter().zip(["q", "d", "c"]) {
        // An unfinished folder is one that --force writes over.
        fs::create_dir_all(folder.join(place)).unwrap();
        fs::write(partial(place), "half").unwrap();
        good(folder, command);
        assert!(!partial(place).exists(), "{place}");
    }
    for (format, name) in [("--format", "float8_e4m3fn"), ("--layout", "ct-fp8")] {
        fs::write(partial("."), "half").unwrap();
        good(folder, &["quantize", DIGITS, "one.safetensors", format, name, "--force"]);
        assert!(!partial(".").exists(), "{format}");
    }
}

#[test]
fn choice_of_auto_is_printed_plotted_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    model(folder);
    let candidates = ["--candidate", "ct-nvfp4", "--candidate", "ct-fp8", "--measure", "relative"];
    let layouts =
        [&["quantize", "model", "q", "--layout", "auto", "--budget", "6bits"], &candidates[..]].concat();
    let said = good(folder, &[&layouts[..], &["--plot", "q.svg", "--report", "q.html"]].concat());
    assert!(said.contains("\nct-nvfp4 ") && said.contains("\nquantised to mixed layouts\n"), "{said}");
    let plot = fs::read_to_string(folder.join("q.svg")).unwrap();
    assert!(plot.contains(">ct-fp8</text>") && plot.contains(", budget 6 bits: "), "{plot}");
    let page = fs::read_to_string(folder.join("q.html")).unwrap();
    assert!(
        page.contains("<title>quantised to mixed layouts</title>") && page.contains("fill=\"#56b4e9\""),
        "{page}"
    );
    // Worst first, and nothing from elsewhere.
    let (nvfp4, fp8) = (page.find(">layer1.weight<").unwrap(), page.find(">layer3.weight<").unwrap());
    assert!(
        nvfp4 < fp8
            && !page.contains("<script")
            && !page.replace("http://www.w3.org/2000/svg", "").contains("http")
    );

    let formats = ["quantize", DIGITS, "a.safetensors", "--format", "auto", "--budget", "5", "--report"];
    good(folder, &[&formats[..], &["a.html"]].concat());
    let page = fs::read_to_string(folder.join("a.html")).unwrap();
    assert!(page.contains(">layer1.weight</td><td class=\"text\">64 × 64</td>"), "{page}");
    good(folder, &[&formats[..], &["a.json", "--force"]].concat());
    let report: Value = serde_json::from_slice(&fs::read(folder.join("a.json")).unwrap()).unwrap();
    assert_eq!(
        (&report["format"], &report["selection"]["budget"]),
        (&Value::from("auto"), &Value::from(5.0))
    );
    assert!(report["selection"]["bits"].as_f64().unwrap() <= 5.0);
    let plain = ["quantize", DIGITS, "b.safetensors", "--format", "float8_e5m2", "--report", "b.html"];
    good(folder, &plain);
    assert!(fs::read_to_string(folder.join("b.html")).unwrap().contains(">float8_e5m2</td>"));
}

#[test]
fn bad_checkpoint_arguments_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let error =
        |arguments: &[&str]| bad(folder, &[&["quantize", DIGITS, "q.safetensors"], arguments].concat());
    assert!(error(&["--layout", "nvfp4"]).contains("did you mean ct-nvfp4 or modelopt-nvfp4?\n"));
    assert!(error(&["--layout", "foo"]).contains("gpt-oss, deepseek-fp8, or auto\n"));
    assert!(bad(folder, &["convert", "q", "c", "--layout", "foo"]).contains("gpt-oss, deepseek-fp8\n"));
    assert!(error(&["--layout", "ct-fp8", "--format", "bf16"]).contains("cannot be used with"));
    assert!(error(&[]).contains("--format <FORMAT>") && error(&[]).contains("--layout <NAME>"));
    assert!(error(&["--format", "bf16", "--scale-rule", "floor"]).contains("--shared without --layout"));
    assert!(error(&["--layout", "ct-fp8", "--rounding", "to_odd"]).contains("rounded to nearest even"));
    assert!(error(&["--layout", "ct-fp8", "--scale-rule", "up"]).contains("unknown scale rule 'up'"));
    assert!(error(&["--layout", "ct-fp8", "--scale-rule", "floor"]).contains("it takes nearest, rceil"));
    assert!(error(&["--layout", "ct-mxfp4"]).contains("rows of 'layer3.weight' have 10 elements"));
    assert!(error(&["--format", "bf16", "--budget", "4"]).contains("--budget without auto"));
    assert!(error(&["--layout", "ct-fp8", "--plot", "p.svg"]).contains("--plot without auto"));
    assert!(error(&["--format", "auto", "--scale", "tensor"]).contains("name them in candidates"));
    assert!(error(&["--format", "auto", "--budget", "4 bytes"]).contains("invalid budget '4 bytes'"));
    assert!(error(&["--format", "auto", "--budget", "1"]).contains("the smallest candidates take 4.2776"));
    assert!(error(&["--format", "auto", "--candidate", "keep"]).contains("without a budget"));
    assert!(
        error(&["--layout", "auto", "--candidate", "gpt-oss", "--candidate", "ct-fp8"])
            .contains("gpt-oss cannot be mixed")
    );
    assert!(bad(folder, &["dequantize", DIGITS, "d.safetensors"]).contains("no quantised tensor"));
    assert!(
        bad(folder, &["dequantize", DIGITS, "d.safetensors", "--dtype", "f8"])
            .contains("must be bf16, f16 or f32")
    );
    assert_eq!(fs::read_dir(folder).unwrap().count(), 0);
}

/// On a full disk, the error says so, only the marker is left, and the next run resumes.
#[cfg(target_os = "linux")]
#[test]
fn full_disk_is_an_error_and_the_next_run_resumes() {
    // A limit on the size of files stands in for the disk.
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    model(folder);
    let script = format!(
        "trap '' XFSZ; ulimit -f 4; exec {} quantize model q --layout ct-fp8",
        env!("CARGO_BIN_EXE_binade")
    );
    let done = std::process::Command::new("sh").args(["-c", &script]).current_dir(folder).output().unwrap();
    let error = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(2), "{error}");
    assert!(error.contains("cannot write: File too large"), "{error}");
    let left: Vec<_> =
        fs::read_dir(folder.join("q")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, [".binade-incomplete.json"]);
    good(folder, &["quantize", "model", "q", "--layout", "ct-fp8", "--resume"]);
}

#[test]
fn calibration_writes_static_scales() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    model(folder);
    let observed = serde_json::json!({"largest": 448.0, "percentiles": {"99.9": 224.0}, "mse": {}});
    let layers: serde_json::Map<String, serde_json::Value> = ["layer1", "layer2", "layer3"]
        .map(|layer| (layer.to_owned(), observed.clone()))
        .into_iter()
        .collect();
    let file = serde_json::json!({"kind": "binade calibration", "tokens": 9, "inputs": layers});
    fs::write(folder.join("c.json"), file.to_string()).unwrap();
    let quantize =
        ["quantize", "model", "q", "--layout", "ct-fp8-static", "--calibration", "c.json", "--force"];
    let said = good(folder, &[&quantize[..], &["--clip", "percentile=99.9"]].concat());
    assert!(said.contains("quantised to ct-fp8-static, scale rule nearest"), "{said}");
    assert!(said.contains("clip percentile=99.9, from c.json, 9 tokens"), "{said}");
    let refused = |words: &[&str]| {
        let done = run_in(folder, words, "");
        assert_eq!(done.code, Some(2), "{words:?}");
        done.err
    };
    for (more, expected) in [
        (&["--clip", "widest"][..], "invalid clip 'widest': must be largest, mse or percentile=P"),
        (&["--kv", "bf16"], "--kv bf16: the scales of a key-value cache are for float8_e4m3fn, or none"),
        (&["--kv", "float8_e4m3fn"], "c.json: no keys and values"),
        (&["--clip", "percentile=99"], "c.json: no percentile 99 for the inputs of 'layer1': it has 99.9"),
    ] {
        let said = refused(&[&quantize[..], more].concat());
        assert!(said.contains(expected), "{said}");
    }
    let with =
        |layout: &str| refused(&["quantize", "model", "r", "--layout", layout, "--calibration", "c.json"]);
    assert!(with("ct-mxfp4").contains("layout ct-mxfp4 has no static scales of activations"));
    assert!(with("auto").contains("--calibration with auto: name a layout and a scale rule"));
    let said = refused(&["quantize", "model", "r", "--layout", "ct-fp8-static"]);
    assert!(said.contains("layout ct-fp8-static without --calibration FILE"), "{said}");
    let said = refused(&["quantize", DIGITS, "r.npy", "--format", "bf16", "--calibration", "c.json"]);
    assert!(said.contains("--scale-rule, --calibration, --resume or --shared without --layout"), "{said}");
}
