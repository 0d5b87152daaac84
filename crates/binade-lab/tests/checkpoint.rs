//! Checkpoints end to end: every layout written, read back, converted and resumed; invalid input refused.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use binade::block::ScaleRule;
use binade::philox;
use binade_files::{ElementType, IfExists, Input, safetensors};
use binade_lab::checkpoint::{
    Action, Assignment, Auto, CheckpointLayout, Dtype, Options, Report, run, run_auto,
};
use binade_lab::select::{ErrorMeasure, SelectError, Selection};
use binade_lab::{Error, Progress, Silent, compare};
use serde_json::{Value, json};
use tempfile::TempDir;

use common::{bytes, f32s, kind, metadata};

/// Weights as bytes of bf16, of a given magnitude.
fn bf16(count: u64, seed: u64, magnitude: f32) -> Vec<u8> {
    let uniform = |at: u64| philox::word(seed, at) as f32 / 2f32.powi(31) - 1.0;
    let value = |at: u64| magnitude * uniform(2 * at) * uniform(2 * at + 1);
    (0..count).flat_map(|at| ((value(at).to_bits() >> 16) as u16).to_le_bytes()).collect()
}

type Part = (String, Vec<u64>, Vec<u8>);

fn part(name: &str, shape: &[u64], seed: u64, magnitude: f32) -> Part {
    (name.to_owned(), shape.to_vec(), bf16(shape.iter().product(), seed, magnitude))
}

fn write_file(path: &Path, parts: &[Part]) {
    let entries: Vec<_> = parts
        .iter()
        .map(|(name, shape, _)| safetensors::Entry::new(name, ElementType::Bf16, &shape[..]))
        .collect();
    let metadata = [("format".to_owned(), "pt".to_owned())];
    let writer = safetensors::Writer::create(path, &entries, &metadata, IfExists::Replace).unwrap();
    for (at, (_, _, bytes)) in parts.iter().enumerate() {
        writer.write_at(at, 0, bytes).unwrap();
    }
    writer.finish().unwrap();
}

/// Two files: a small Llama with separate q, k and v, and experts as in gpt-oss.
fn model() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model");
    fs::create_dir(&path).unwrap();
    let layer = |name: &str| format!("model.layers.0.{name}.weight");
    let files = [
        (
            "model-00001-of-00002.safetensors",
            vec![
                part("model.embed_tokens.weight", &[40, 64], 1, 1.0),
                part(&layer("input_layernorm"), &[64], 2, 1.0),
                part(&layer("self_attn.q_proj"), &[64, 64], 3, 1.0),
                part(&layer("self_attn.k_proj"), &[32, 64], 4, 7.0),
                part(&layer("mlp.gate"), &[4, 64], 5, 1.0),
                part("model.layers.0.mlp.experts.gate_up_proj", &[2, 64, 96], 6, 1.0),
            ],
        ),
        (
            "model-00002-of-00002.safetensors",
            vec![
                part(&layer("self_attn.v_proj"), &[32, 64], 7, 0.01),
                // Blocks of 128 × 128 that extend over both edges.
                part(&layer("mlp.gate_proj"), &[160, 64], 8, 1.0),
                part(&layer("mlp.up_proj"), &[160, 64], 9, 3.0),
                part(&layer("mlp.down_proj"), &[64, 160], 10, 1.0),
                part("model.layers.0.mlp.experts.down_proj", &[2, 96, 64], 11, 1.0),
                part("lm_head.weight", &[40, 64], 12, 1.0),
            ],
        ),
    ];
    let mut map = serde_json::Map::new();
    for (name, parts) in &files {
        write_file(&path.join(name), parts);
        parts.iter().for_each(|(tensor, _, _)| {
            map.insert(tensor.clone(), json!(name));
        });
    }
    let write = |name: &str, value: Value| fs::write(path.join(name), value.to_string()).unwrap();
    write("model.safetensors.index.json", json!({"metadata": {}, "weight_map": map}));
    write("config.json", json!({"model_type": "llama", "torch_dtype": "bfloat16", "rms_norm_eps": 1e-5}));
    write("tokenizer.json", json!({"version": "1.0"}));
    (folder, path)
}

/// The layouts that are written without a calibration.
fn uncalibrated() -> impl Iterator<Item = CheckpointLayout> {
    CheckpointLayout::ALL.into_iter().filter(|layout| !layout.needs_calibration())
}

fn quantize(layout: CheckpointLayout) -> Options {
    Options::new(Action::Quantize { layout, rule: None })
}

fn convert(layout: CheckpointLayout) -> Options {
    Options::new(Action::Convert { layout, rule: None })
}

fn dequantize(dtype: Dtype) -> Options {
    Options::new(Action::Dequantize { dtype: Some(dtype) })
}

fn go(input: &Path, output: &Path, options: &Options) -> Result<Report, Error> {
    run(input, output, options, &Silent)
}

fn object(path: PathBuf) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn comparison(a: &Path, b: &Path) -> compare::Comparison {
    compare::run(a, b, &compare::Options::default(), &Silent).unwrap()
}

/// The file of a folder that has a tensor.
fn file_of(folder: &Path, tensor: &str) -> PathBuf {
    let index = object(folder.join("model.safetensors.index.json"));
    folder.join(index["weight_map"][tensor].as_str().unwrap_or_else(|| panic!("{tensor} is not there")))
}

#[test]
fn every_layout_is_written_and_read_back() {
    let (folder, model) = model();
    for layout in uncalibrated() {
        let at = |name: &str| folder.path().join(format!("{layout}-{name}"));
        let report = go(&model, &at("q"), &quantize(layout)).unwrap();
        assert_eq!(report.weights.len(), if layout == CheckpointLayout::GptOss { 2 } else { 6 }, "{layout}");
        assert_eq!(report.weights.len() + report.copied.len(), 12);
        // The files have exactly the tensors of the index, and no temporary file is left.
        let index = object(at("q").join("model.safetensors.index.json"));
        let mut named = 0;
        let mut total = 0;
        for file in ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"] {
            let input = Input::open(at("q").join(file)).unwrap();
            for tensor in input.tensors() {
                assert_eq!(index["weight_map"][tensor.name()], file);
                named += 1;
                total += tensor.byte_len();
            }
            let metadata = metadata(&at("q").join(file));
            assert!(metadata.contains(&("format".to_owned(), "pt".to_owned())));
            assert!(metadata.contains(&("binade.layout".to_owned(), layout.name().to_owned())));
        }
        assert_eq!(index["weight_map"].as_object().unwrap().len(), named);
        assert_eq!(index["metadata"]["total_size"], total);
        assert_eq!(object(at("q").join("tokenizer.json")), json!({"version": "1.0"}));
        let config = object(at("q").join("config.json"));
        assert!(config["quantization_config"]["quant_method"].is_string());
        assert_eq!(config["rms_norm_eps"], 1e-5);
        assert_eq!(at("q").join("hf_quant_config.json").exists(), layout == CheckpointLayout::ModeloptNvfp4);
        assert!(!at("q").join(".binade-incomplete.json").exists());

        // Unquantised tensors are equal, quantised ones close.
        let losses = comparison(&model, &at("q"));
        assert!(losses.only_in_a.is_empty() && losses.only_in_b.is_empty() && losses.not_compared.is_empty());
        for row in &losses.tensors {
            let quantised = report.weights.iter().any(|weight| weight.name == row.name);
            assert_eq!(row.equal, !quantised, "{layout} {}", row.name);
            let least = if layout.name().contains("4") || layout.name() == "gpt-oss" { 17.0 } else { 28.0 };
            assert!(row.sqnr_db > least, "{layout} {} {}", row.name, row.sqnr_db);
        }

        // binary32 is exact for the product of an element and a scale.
        go(&at("q"), &at("d"), &dequantize(Dtype::F32)).unwrap();
        let read_back = comparison(&at("q"), &at("d"));
        for row in &read_back.tensors {
            // Scales that are not powers of two may give more than 24 bits, which are rounded once.
            let mx = layout.name().contains("mx") || layout == CheckpointLayout::GptOss;
            assert!(row.equal || !mx && row.max_relative < 6e-8, "{layout} {}", row.name);
        }
        let config = object(at("d").join("config.json"));
        assert_eq!(
            (&config["quantization_config"], &config["torch_dtype"]),
            (&Value::Null, &json!("float32"))
        );
        let headers = |path: &Path| {
            let input = Input::open(path).unwrap();
            input
                .tensors()
                .iter()
                .map(|tensor| (tensor.name().to_owned(), tensor.shape().to_vec()))
                .collect::<Vec<_>>()
        };
        for file in ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"] {
            assert_eq!(headers(&model.join(file)), headers(&at("d").join(file)));
        }

        // One thread gives the same bits, and so does quantising the numbers again.
        let single = Options { threads: Some(1), ..quantize(layout) };
        go(&model, &at("1"), &single).unwrap();
        for file in ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"] {
            assert!(
                fs::read(at("q").join(file)).unwrap() == fs::read(at("1").join(file)).unwrap(),
                "{layout}"
            );
        }
    }
}

#[test]
fn tensors_of_each_layout_have_its_names_and_types() {
    use CheckpointLayout::*;
    let (folder, model) = model();
    let check = |layout: CheckpointLayout, tensors: &[(&str, ElementType, &[u64])]| {
        let out = folder.path().join(layout.name());
        go(&model, &out, &quantize(layout)).unwrap();
        for (name, element, shape) in tensors {
            let name = format!("model.layers.0.{name}");
            assert_eq!(
                kind(&file_of(&out, &name), &name),
                (element.clone(), shape.to_vec()),
                "{layout} {name}"
            );
        }
    };
    use ElementType::{F8E4M3, F32, U8};
    check(CtFp8, &[("mlp.up_proj.weight", F8E4M3, &[160, 64]), ("mlp.up_proj.weight_scale", F32, &[160, 1])]);
    check(
        CtMxfp8,
        &[("mlp.up_proj.weight", F8E4M3, &[160, 64]), ("mlp.up_proj.weight_scale", U8, &[160, 2])],
    );
    check(
        CtMxfp4,
        &[("mlp.up_proj.weight_packed", U8, &[160, 32]), ("mlp.up_proj.weight_scale", U8, &[160, 2])],
    );
    check(
        CtNvfp4,
        &[
            ("mlp.up_proj.weight_packed", U8, &[160, 32]),
            ("mlp.up_proj.weight_scale", F8E4M3, &[160, 4]),
            ("mlp.up_proj.weight_global_scale", F32, &[1]),
        ],
    );
    check(
        ModeloptNvfp4,
        &[
            ("mlp.up_proj.weight", U8, &[160, 32]),
            ("mlp.up_proj.weight_scale", F8E4M3, &[160, 4]),
            ("mlp.up_proj.weight_scale_2", F32, &[]),
        ],
    );
    check(
        GptOss,
        &[
            ("mlp.experts.gate_up_proj_blocks", U8, &[2, 96, 2, 16]),
            ("mlp.experts.gate_up_proj_scales", U8, &[2, 96, 2]),
            ("mlp.experts.down_proj_blocks", U8, &[2, 64, 3, 16]),
        ],
    );
    check(
        DeepseekFp8,
        &[("mlp.down_proj.weight", F8E4M3, &[64, 160]), ("mlp.down_proj.weight_scale_inv", F32, &[1, 2])],
    );
}

#[test]
fn fused_projections_share_the_tensor_scale() {
    let (folder, model) = model();
    let out = folder.path().join("q");
    go(&model, &out, &quantize(CheckpointLayout::CtNvfp4)).unwrap();
    let over = |name: &str| {
        let name = format!("model.layers.0.{name}.weight_global_scale");
        f32s(&bytes(&file_of(&out, &name), &name))[0]
    };
    let maximum = |names: &[&str]| {
        let of = |name: &&str| {
            let name = format!("model.layers.0.{name}.weight");
            let numbers = bytes(&file_of(&model, &name), &name);
            let number = |b: &[u8; 2]| f32::from_bits((u16::from_le_bytes(*b) as u32) << 16).abs();
            numbers.as_chunks().0.iter().map(number).fold(0.0, f32::max)
        };
        names.iter().map(of).fold(0.0, f32::max)
    };
    let qkv = ["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"];
    for name in qkv {
        assert_eq!(over(name), 2688.0 / maximum(&qkv));
    }
    assert_eq!(over("mlp.gate_proj"), 2688.0 / maximum(&["mlp.gate_proj", "mlp.up_proj"]));
    assert_eq!(over("mlp.up_proj"), over("mlp.gate_proj"));
    assert_eq!(over("mlp.down_proj"), 2688.0 / maximum(&["mlp.down_proj"]));
}

#[test]
fn conversion_keeps_codes_or_quantises_the_numbers() {
    use CheckpointLayout::*;
    let (folder, model) = model();
    let at = |name: &str| folder.path().join(name);
    go(&model, &at("ct"), &quantize(CtNvfp4)).unwrap();
    // The same codes and scales under other names; only the tensor scale changes.
    go(&at("ct"), &at("modelopt"), &convert(ModeloptNvfp4)).unwrap();
    let of = |folder: &str, name: &str| bytes(&file_of(&at(folder), name), name);
    let down = "model.layers.0.mlp.down_proj";
    for (a, b) in [("weight_packed", "weight"), ("weight_scale", "weight_scale")] {
        assert_eq!(of("ct", &format!("{down}.{a}")), of("modelopt", &format!("{down}.{b}")));
    }
    let divisor = f32s(&of("ct", &format!("{down}.weight_global_scale")))[0];
    let factor = f32s(&of("modelopt", &format!("{down}.weight_scale_2")))[0];
    assert_eq!(factor, (1.0 / divisor as f64) as f32);

    // Other codes: as if the numbers had been quantised. binary32 represents them exactly here.
    go(&model, &at("mx"), &quantize(CtMxfp4)).unwrap();
    go(&at("mx"), &at("deepseek"), &convert(DeepseekFp8)).unwrap();
    go(&at("mx"), &at("numbers"), &dequantize(Dtype::F32)).unwrap();
    go(&at("numbers"), &at("twice"), &quantize(DeepseekFp8)).unwrap();
    let name = format!("{down}.weight");
    assert_eq!(of("deepseek", &name), of("twice", &name));
    let name = format!("{down}.weight_scale_inv");
    assert_eq!(of("deepseek", &name), of("twice", &name));

    // A given rule applies: with ceil, 6 is halved, and so is 0.5, whose half E2M1 does not have.
    let ceil = Options::new(Action::Convert { layout: CtMxfp4, rule: Some(ScaleRule::Ceil) });
    go(&at("numbers"), &at("ceil"), &ceil).unwrap();
    go(&at("mx"), &at("ceil-too"), &ceil).unwrap();
    assert!(comparison(&at("mx"), &at("ceil")).tensors.iter().any(|row| !row.equal));
    assert!(comparison(&at("ceil"), &at("ceil-too")).equal);

    // Other layouts do not support gpt-oss' experts, which become numbers.
    go(&model, &at("oss"), &quantize(GptOss)).unwrap();
    go(&at("oss"), &at("oss-ds"), &convert(DeepseekFp8)).unwrap();
    let experts = "model.layers.0.mlp.experts.down_proj";
    assert_eq!(kind(&file_of(&at("oss-ds"), experts), experts), (ElementType::Bf16, vec![2, 96, 64]));
}

#[test]
fn every_scale_rule_is_applied() {
    let (folder, model) = model();
    for rule in ScaleRule::ALL {
        let out = folder.path().join(rule.name());
        let action = Action::Quantize { layout: CheckpointLayout::CtMxfp8, rule: Some(rule) };
        let report = go(&model, &out, &Options::new(action)).unwrap();
        assert_eq!(report.rule, Some(rule.name()));
        // With nearest, up to a third of the largest elements is clamped. With the magnitude itself, most of the range is
        // unused.
        let clamps = matches!(rule, ScaleRule::Nearest | ScaleRule::MaxAbsFinite);
        let least = if clamps { 10.0 } else { 28.0 };
        let losses = comparison(&model, &out);
        assert!(losses.tensors.iter().all(|row| row.sqnr_db > least), "{rule}");
    }
    let action = Action::Quantize { layout: CheckpointLayout::CtNvfp4, rule: Some(ScaleRule::Floor) };
    let error = go(&model, &folder.path().join("no"), &Options::new(action)).unwrap_err().to_string();
    assert_eq!(error, "layout ct-nvfp4 has no scale rule floor: it takes nearest, rceil");
    assert!(!folder.path().join("no").exists());
}

#[test]
fn single_file_is_quantised() {
    let (folder, model) = model();
    let input = model.join("model-00002-of-00002.safetensors");
    let at = |name: &str| folder.path().join(name);
    go(&input, &at("q.safetensors"), &quantize(CheckpointLayout::CtMxfp8)).unwrap();
    go(&at("q.safetensors"), &at("d.safetensors"), &dequantize(Dtype::F32)).unwrap();
    assert!(comparison(&at("q.safetensors"), &at("d.safetensors")).equal);
    let exists = go(&input, &at("q.safetensors"), &quantize(CheckpointLayout::CtMxfp8)).unwrap_err();
    assert!(exists.to_string().contains("the file exists"), "{exists}");
    let replaced = Options { force: true, ..quantize(CheckpointLayout::CtMxfp4) };
    go(&input, &at("q.safetensors"), &replaced).unwrap();
    let resumed = Options { resume: true, ..quantize(CheckpointLayout::CtMxfp4) };
    let error = go(&input, &at("r.safetensors"), &resumed).unwrap_err().to_string();
    assert!(error.contains("only folders"), "{error}");
}

#[test]
fn binades_own_layout_is_dequantised() {
    let (folder, model) = model();
    let input = model.join("model-00002-of-00002.safetensors");
    let at = |name: &str| folder.path().join(name);
    for (format, scale) in [
        ("float8_e4m3fn", "block:32x32,f32"),
        ("float8_e5m2", "block:128x48"),
        ("float4_e2m1fn", "block:16,float8_e4m3fn"),
    ] {
        let mut options = common::options(format);
        (options.scale, options.force) = (scale.parse().unwrap(), true);
        options.exclude = vec!["lm_head*".to_owned()];
        common::quantize(&input, &at("q.safetensors"), &options).unwrap();
        let force = Options { force: true, ..dequantize(Dtype::F32) };
        go(&at("q.safetensors"), &at("d.safetensors"), &force).unwrap();
        let compared = comparison(&at("q.safetensors"), &at("d.safetensors"));
        assert!(compared.tensors.iter().all(|row| row.equal || row.max_relative < 6e-8), "{scale}");
        assert!(!compared.tensors.is_empty());
    }
    assert!(metadata(&at("d.safetensors")).iter().all(|(key, _)| !key.starts_with("binade.")));
    let error = go(&at("d.safetensors"), &at("e.safetensors"), &dequantize(Dtype::F32)).unwrap_err();
    assert!(error.to_string().contains("no quantised tensor"), "{error}");
}

/// Cancels after this many units.
struct StopAfter(AtomicU64);

impl Progress for StopAfter {
    fn total(&self, _: u64) {}
    fn advance(&self, _: u64, _: &str) {}
    fn cancelled(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err()
    }
}

#[test]
fn unfinished_folder_is_resumed() {
    let (folder, model) = model();
    let out = folder.path().join("q");
    let options = Options { threads: Some(1), ..quantize(CheckpointLayout::CtNvfp4) };
    let resume = Options { resume: true, ..options.clone() };
    let error = |options: &Options| go(&model, &out, options).unwrap_err().to_string();
    assert!(error(&resume).contains("there is no unfinished checkpoint"));
    // Six units of maxima, and the six tensors of the first file.
    let stopped = run(&model, &out, &options, &StopAfter(AtomicU64::new(13))).unwrap_err().to_string();
    assert!(stopped.contains("1 of 2 files are complete; --resume continues"), "{stopped}");
    let marker = out.join(".binade-incomplete.json");
    assert!(marker.exists() && out.join("model-00001-of-00002.safetensors").exists());
    assert!(!out.join("model-00002-of-00002.safetensors").exists() && !out.join("config.json").exists());
    // No temporary file is left.
    assert_eq!(fs::read_dir(&out).unwrap().count(), 2);
    assert!(error(&options).contains("--resume continues it, --force starts anew"));
    // Other options mean another checkpoint.
    let other = Options { resume: true, ..quantize(CheckpointLayout::CtMxfp4) };
    assert!(error(&other).contains("another input or other options"));
    // The files of a killed run are removed. A file that a run holds locked stays.
    let partial = |name: &str| out.join(format!(".binade-{name}.partial"));
    fs::write(partial("killed"), "half").unwrap();
    let held = fs::File::create(partial("held")).unwrap();
    held.lock().unwrap();
    let report = go(&model, &out, &resume).unwrap();
    assert_eq!((report.resumed, report.files), (1, 2));
    assert!(partial("held").exists() && !partial("killed").exists());
    fs::remove_file(partial("held")).unwrap();
    // A truncated file, as after a power failure, is written again.
    fs::remove_dir_all(&out).unwrap();
    run(&model, &out, &options, &StopAfter(AtomicU64::new(13))).unwrap_err();
    let first = out.join("model-00001-of-00002.safetensors");
    let whole = fs::read(&first).unwrap();
    fs::write(&first, &whole[..whole.len() - 1]).unwrap();
    let report = go(&model, &out, &resume).unwrap();
    assert_eq!((report.resumed, report.files), (0, 2));
    let fresh = folder.path().join("fresh");
    go(&model, &fresh, &options).unwrap();
    let files = |path: &Path| {
        let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
            .collect();
        files.sort();
        files
    };
    assert!(files(&out) == files(&fresh));
    assert!(error(&options).contains("the folder is not empty: --force writes into it"));
    go(&model, &out, &Options { force: true, ..options }).unwrap();
    assert!(files(&out) == files(&fresh));
}

#[test]
fn wrong_folders_are_refused() {
    let (folder, model) = model();
    let out = folder.path().join("q");
    let error = || {
        let error = go(&model, &out, &quantize(CheckpointLayout::CtFp8)).unwrap_err().to_string();
        assert!(!out.exists(), "{error}");
        error
    };
    let index = model.join("model.safetensors.index.json");
    let good = object(index.clone());
    let with = |change: &dyn Fn(&mut serde_json::Map<String, Value>)| {
        let mut lying = good.clone();
        change(lying["weight_map"].as_object_mut().unwrap());
        fs::write(&index, lying.to_string()).unwrap();
        error()
    };
    let first = "model-00001-of-00002.safetensors";
    assert!(
        with(&|map| {
            map.insert("lm_head.weight".into(), json!(first));
        })
        .contains(
            "the index places 'lm_head.weight' in model-00001-of-00002.safetensors, but it is in model-00002"
        )
    );
    assert!(
        with(&|map| {
            map.insert("ghost".into(), json!(first));
        })
        .contains("'ghost' in model-00001-of-00002.safetensors, but it is in none")
    );
    assert!(
        with(&|map| {
            map.remove("lm_head.weight");
        })
        .contains("'lm_head.weight' in no file, but it is in model-00002")
    );
    assert!(
        with(&|map| {
            map.insert("x".into(), json!("../x.safetensors"));
        })
        .contains("must end with .safetensors and have no folder")
    );
    assert!(
        with(&|map| {
            map.insert("x".into(), json!("absent.safetensors"));
        })
        .contains("missing file 'absent.safetensors', which the index names")
    );
    assert!(
        with(&|map| {
            map.insert("x".into(), json!(3));
        })
        .contains("a value that is not a string")
    );
    fs::write(&index, "[1]").unwrap();
    assert!(error().contains("it is not an object"));
    fs::write(&index, "{").unwrap();
    assert!(error().contains("index.json"));
    // Without an index all files count, and those that names count must exist.
    fs::remove_file(&index).unwrap();
    go(&model, &folder.path().join("all"), &quantize(CheckpointLayout::CtFp8)).unwrap();
    let second = "model-00002-of-00002.safetensors";
    for name in [first, second] {
        fs::rename(model.join(name), folder.path().join(name)).unwrap();
        assert!(error().contains(&format!("missing file '{name}', which the names of other files count")));
        fs::rename(folder.path().join(name), model.join(name)).unwrap();
    }
    fs::copy(model.join(first), model.join("copy.safetensors")).unwrap();
    assert!(error().contains("': in copy.safetensors and in model-00001"));
    fs::remove_file(model.join("copy.safetensors")).unwrap();
    let whole = fs::read(model.join(first)).unwrap();
    fs::write(model.join(first), &whole[..whole.len() / 2]).unwrap();
    assert!(error().contains(first));
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let error = go(&empty, &out, &quantize(CheckpointLayout::CtFp8)).unwrap_err().to_string();
    assert!(error.contains("no .safetensors file"), "{error}");
}

#[test]
fn wrong_weights_are_refused() {
    let (folder, model) = model();
    let (input, output) = (folder.path().join("x.safetensors"), folder.path().join("y.safetensors"));
    let error = |options: &Options| {
        let error = go(&input, &output, options).unwrap_err().to_string();
        assert!(!output.exists(), "{error}");
        error
    };
    let nvfp4 = quantize(CheckpointLayout::CtNvfp4);
    write_file(&input, &[part("a.weight", &[4, 40], 1, 1.0)]);
    assert!(error(&nvfp4).contains("rows of 'a.weight' have 40 elements, not a multiple of the block of 16"));
    write_file(&input, &[part("norm.weight", &[4, 32], 1, 1.0)]);
    assert!(error(&nvfp4).contains("no tensor that layout ct-nvfp4 quantises: 'norm.weight': norm"));
    let named = Options { include: vec!["norm*".to_owned()], ..nvfp4.clone() };
    go(&input, &output, &named).unwrap();
    assert!(go(&output, &input, &nvfp4).unwrap_err().to_string().contains("is quantised already"));
    fs::remove_file(&output).unwrap();
    for layout in uncalibrated().filter(|layout| *layout != CheckpointLayout::GptOss) {
        let mut weights = part("a.weight", &[4, 64], 1, 1.0);
        weights.2[2 * 77..][..2].copy_from_slice(&[0xc0, 0x7f]);
        write_file(&input, &[weights]);
        assert!(error(&quantize(layout)).contains("element 77 of 'a.weight' is NaN"), "{layout}");
    }
    let mut experts = part("e.down_proj", &[2, 64, 8], 1, 1.0);
    experts.2[2 * 777..][..2].copy_from_slice(&[0x80, 0xff]);
    write_file(&input, &[experts]);
    assert!(error(&quantize(CheckpointLayout::GptOss)).contains("element 777 of 'e.down_proj' is -inf"));
    // Blocks of experts are along the second axis.
    write_file(&input, &[part("e.down_proj", &[2, 40, 32], 1, 1.0)]);
    assert!(error(&quantize(CheckpointLayout::GptOss)).contains("rows of 'e.down_proj' have 40 elements"));
    let error =
        go(&model, &model, &Options { force: true, ..quantize(CheckpointLayout::CtFp8) }).unwrap_err();
    assert!(error.to_string().contains("input and output must differ"), "{error}");
}

#[test]
fn wrong_codes_are_refused() {
    let folder = common::Folder::new();
    let out = folder.path("out.safetensors");
    let mut number = 0;
    let mut error = |tensors: &[(&str, ElementType, &[u64], Vec<u8>)]| {
        number += 1;
        let input = folder.safetensors(&format!("{number}.safetensors"), tensors, &[]);
        let error = go(&input, &out, &dequantize(Dtype::Bf16)).unwrap_err().to_string();
        assert!(!out.exists(), "{error}");
        error
    };
    use ElementType::{F8E4M3, F32, U8};
    let packed = || ("a.weight_packed", U8, &[2, 16][..], vec![0x21; 32]);
    assert!(
        error(&[packed()])
            .contains("'a.weight_packed' is quantised (packed), but 'a.weight_scale' is missing")
    );
    let short = ("a.weight_scale", U8, &[1, 1][..], vec![127]);
    assert!(
        error(&[packed(), short])
            .contains("'a.weight_scale' must be [2, 1] for 'a.weight' of [2, 32], not [1, 1] of U8")
    );
    let nan = ("a.weight_scale", U8, &[2, 1][..], vec![127, 255]);
    assert!(
        error(&[packed(), nan]).contains("scale 1 in 'a.weight_scale' is NaN, which is not a valid scale")
    );
    let scales = || ("a.weight_scale", F8E4M3, &[2, 2][..], vec![0x38; 4]);
    assert!(error(&[packed(), scales()]).contains("'a.weight_global_scale' is missing"));
    let over = |x: f32| ("a.weight_global_scale", F32, &[1][..], x.to_le_bytes().to_vec());
    assert!(error(&[packed(), scales(), over(0.0)]).contains("scale 0 in 'a.weight_global_scale' is 0"));
    assert!(error(&[packed(), scales(), over(f32::INFINITY)]).contains("is inf, which is not a valid scale"));
    let zero_point = ("a.weight_zero_point", U8, &[2, 2][..], vec![0; 4]);
    assert!(
        error(&[packed(), scales(), over(1.0), zero_point]).contains("'a.weight_zero_point' is a zero point")
    );
    let eight = || ("a.weight", F8E4M3, &[2, 2][..], vec![0x38; 4]);
    let strange = ("a.weight_scale_inv", F32, &[3, 1][..], vec![0; 12]);
    assert!(error(&[eight(), strange]).contains("'a.weight_scale_inv' must be [1, 1]"));
    let plain = ("a.weight", F32, &[2, 2][..], vec![0; 16]);
    let twice = ("a.weight_packed", U8, &[2, 16][..], vec![0; 32]);
    let mx = ("a.weight_scale", U8, &[2, 1][..], vec![127; 2]);
    assert!(error(&[plain, twice, mx]).contains("duplicate tensor name 'a.weight' in the output"));
    let blocks = ("e_blocks", U8, &[2, 3, 1, 8][..], vec![0; 48]);
    let scales = ("e_scales", U8, &[2, 3, 1][..], vec![127; 6]);
    assert!(error(&[blocks, scales]).contains("'e_blocks' must be [experts, rows, blocks, 16] of U8"));
}

#[test]
fn codes_or_scales_alone_are_refused() {
    use ElementType::{Bf16, F8E4M3, F32, I8, U8};
    let folder = common::Folder::new();
    let out = folder.path("out.safetensors");
    let input = folder.path("input.safetensors");
    type Parts<'p> = &'p [(&'p str, ElementType, &'p [u64], Vec<u8>)];
    // A complete weight, and the same with a part missing.
    let refused = |tensors: Parts<'_>| {
        let whole = [
            ("b.weight_packed", U8, &[2, 16][..], vec![0x21; 32]),
            ("b.weight_scale", U8, &[2, 1][..], vec![127; 2]),
        ];
        let _ = fs::remove_file(&input);
        folder.safetensors("input.safetensors", &[&whole[..], tensors].concat(), &[]);
        let mut errors = vec![];
        for options in [dequantize(Dtype::F32), convert(CheckpointLayout::CtFp8)] {
            errors.push(go(&input, &out, &options).unwrap_err().to_string());
            assert!(!out.exists());
        }
        let compared = compare::run(&input, &input, &compare::Options::default(), &Silent);
        errors.push(compared.unwrap_err().to_string());
        assert!(errors.iter().all(|error| *error == errors[0]), "{errors:?}");
        errors.swap_remove(0)
    };
    let scale = || ("a.weight_scale", U8, &[2, 1][..], vec![127; 2]);
    assert!(
        refused(&[scale()])
            .contains("'a.weight_scale' has scales, but 'a.weight_packed' or 'a.weight' is missing")
    );
    let over = ("a.weight_global_scale", F32, &[1][..], vec![0; 4]);
    assert!(
        refused(&[over]).contains("'a.weight_global_scale' has scales, but 'a.weight_packed' is missing")
    );
    let integers = ("a.weight", I8, &[2, 32][..], vec![1; 64]);
    assert!(refused(&[integers, scale()]).contains("but 'a.weight' of I8 is not read as codes"));
    let eight = || ("a.weight", F8E4M3, &[2, 2][..], vec![0x38; 4]);
    assert!(refused(&[eight()]).contains("'a.weight' is quantised (FP8), but 'a.weight_scale' is missing"),);
    let inverse = || ("c.weight_scale_inv", F32, &[1, 1][..], 1f32.to_le_bytes().to_vec());
    let other = ("c.weight", F8E4M3, &[2, 2][..], vec![0x38; 4]);
    assert!(refused(&[eight(), other, inverse()]).contains("but 'a.weight_scale_inv' is missing"));
    assert!(refused(&[inverse()]).contains("'c.weight_scale_inv' has scales, but 'c.weight' is missing"));
    let nvfp4 = |stem: &'static str| (stem, U8, &[2, 8][..], vec![0x21; 16]);
    let blocks = || ("a.weight_scale", F8E4M3, &[2, 1][..], vec![0x38; 2]);
    assert!(
        refused(&[nvfp4("a.weight"), blocks()])
            .contains("'a.weight' is quantised (ModelOpt's NVFP4), but 'a.weight_scale_2' is missing")
    );
    let experts = ("e_blocks", U8, &[1, 2, 1, 16][..], vec![0; 32]);
    assert!(refused(&[experts]).contains("'e_blocks' is quantised (gpt-oss), but 'e_scales' is missing"));
    let scales = ("e_scales", U8, &[1, 2, 1][..], vec![127; 2]);
    assert!(refused(&[scales]).contains("'e_scales' has scales, but 'e_blocks' is missing"));

    // FP8 in a file without any scales is numbers, and scales beside numbers belong to no weight.
    let alone = folder.safetensors("alone.safetensors", &[eight()], &[]);
    assert!(comparison(&alone, &alone).equal);
    let number = ("a.weight", Bf16, &[2, 32][..], vec![0; 128]);
    let beside = folder.safetensors("beside.safetensors", &[number, scale()], &[]);
    assert_eq!(comparison(&beside, &beside).tensors.len(), 2);
}

#[test]
fn tensor_scales_must_be_positive() {
    use ElementType::{F8E4M3, F32, U8};
    let folder = common::Folder::new();
    let out = folder.path("out.safetensors");
    let read = |tensors: &[(&str, ElementType, &[u64], Vec<u8>)]| {
        let _ = fs::remove_file(folder.path("input.safetensors"));
        let input = folder.safetensors("input.safetensors", tensors, &[]);
        let error = go(&input, &out, &Options { force: true, ..dequantize(Dtype::F32) });
        error.map_err(|error| error.to_string())
    };
    let f32s = |numbers: &[f32]| common::bytes_of_f32(numbers);
    for wrong in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        for (codes, ending, element) in
            [("weight", "weight_scale_2", U8), ("weight_packed", "weight_global_scale", U8)]
        {
            let (codes, over) = (format!("a.{codes}"), format!("a.{ending}"));
            let error = read(&[
                (&codes, element, &[2, 8], vec![0x21; 16]),
                ("a.weight_scale", F8E4M3, &[2, 1], vec![0x38; 2]),
                (&over, F32, &[1], f32s(&[wrong])),
            ]);
            let error = error.unwrap_err();
            assert!(error.contains(&format!("scale 0 in '{over}' is {wrong}, which is not")), "{error}");
        }
        for ending in ["weight_scale", "weight_scale_inv"] {
            let scale = format!("a.{ending}");
            let codes = ("a.weight", F8E4M3, &[2, 2][..], vec![0; 4]);
            let error = read(&[codes, (&scale, F32, &[1, 1], f32s(&[wrong]))]).unwrap_err();
            assert!(error.contains(&format!("scale 0 in '{scale}' is {wrong}, which is not")), "{error}");
        }
    }
    // For a part of the tensor, a scale of zero is allowed for zeros only.
    let channels = |code: u8| {
        let codes = ("a.weight", F8E4M3, &[2, 2][..], vec![0x38, 0x38, 0x80, code]);
        read(&[codes, ("a.weight_scale", F32, &[2, 1], f32s(&[1.0, 0.0]))])
    };
    assert!(
        channels(0x38).unwrap_err().contains("scale 1 in 'a.weight_scale' is 0, which is not a valid scale")
    );
    channels(0).unwrap();
}

#[test]
fn zeros_survive_a_round_trip() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let zeros = |name: &str, shape: &[u64]| {
        (name.to_owned(), shape.to_vec(), vec![0; 2 * shape.iter().product::<u64>() as usize])
    };
    write_file(&at("in.safetensors"), &[zeros("a.weight", &[4, 64]), zeros("e.down_proj", &[2, 64, 4])]);
    for layout in uncalibrated() {
        let force = |options: Options| Options { force: true, ..options };
        go(&at("in.safetensors"), &at("q.safetensors"), &force(quantize(layout))).unwrap();
        go(&at("q.safetensors"), &at("d.safetensors"), &force(dequantize(Dtype::Bf16))).unwrap();
        assert!(comparison(&at("in.safetensors"), &at("d.safetensors")).equal, "{layout}");
    }
}

#[test]
fn numbers_too_small_for_the_tensor_scale_are_noted() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    // bfloat16's subnormal numbers are multiples of 2^−133.
    let tiny: Vec<u8> = (0..4 * 64u16).flat_map(|at| (at % 3).to_le_bytes()).collect();
    write_file(&at("in.safetensors"), &[("a.weight".to_owned(), vec![4, 64], tiny)]);
    let report = go(&at("in.safetensors"), &at("m.safetensors"), &quantize(CheckpointLayout::ModeloptNvfp4));
    assert!(report.unwrap().notes.iter().all(|note| !note.contains("became zero")));
    assert!(comparison(&at("in.safetensors"), &at("m.safetensors")).tensors[0].sqnr_db > 20.0);
    let report = go(&at("in.safetensors"), &at("c.safetensors"), &quantize(CheckpointLayout::CtNvfp4));
    let notes = report.unwrap().notes;
    let note = "'a.weight': weights below 1.4e-42 became zero, since for a largest magnitude of 1.8e-40";
    assert!(notes.iter().any(|said| said.starts_with(note)), "{notes:?}");
}

/// A Conv1D stores its weight as `[in, out]`, and no quantiser of linear layers loads it otherwise.
#[test]
fn conv1d_weights_are_copied() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("model");
    fs::create_dir(&model).unwrap();
    let names = ["attn.c_attn", "attn.c_proj", "mlp.c_fc", "mlp.c_proj", "extra.dense"];
    let weights = |attention: [u64; 2]| -> Vec<Part> {
        let shapes = [attention, [64, 64], [64, 256], [256, 64], [64, 64]];
        let of = |(name, shape): (&&str, [u64; 2])| part(&format!("h.0.{name}.weight"), &shape, 1, 1.0);
        names.iter().zip(shapes).map(of).collect()
    };
    let quantised = |config: Option<Value>, attention: [u64; 2]| {
        write_file(&model.join("model.safetensors"), &weights(attention));
        let path = model.join("config.json");
        match config {
            Some(config) => fs::write(path, config.to_string()).unwrap(),
            None => drop(fs::remove_file(path)),
        }
        let out = folder.path().join("q");
        let options = Options { force: true, ..quantize(CheckpointLayout::CtMxfp4) };
        let report = go(&model, &out, &options).unwrap();
        let why = "transformers' Conv1D: not a linear layer, its rows are inputs";
        let copied = report.copied.iter().filter(|copied| copied.reason == why).count();
        assert_eq!(copied + report.weights.len(), 5);
        let config = object(out.join("config.json"));
        let ignored = config["quantization_config"]["ignore"].as_array().unwrap().clone();
        assert_eq!(ignored.contains(&json!("h.0.attn.c_attn")), copied > 0);
        copied
    };
    let (turned, linear) = ([64, 192], [192, 64]);
    assert_eq!(quantised(Some(json!({"model_type": "gpt2"})), turned), 4);
    assert_eq!(quantised(Some(json!({"model_type": "imagegpt"})), turned), 4);
    let both = json!({"model_type": "encoder-decoder", "decoder": {"model_type": "gpt2"}});
    assert_eq!(quantised(Some(both), [64, 128]), 4);
    // Without a model type, the shape decides.
    assert_eq!(quantised(None, turned), 4);
    // Linear layers of the same names.
    assert_eq!(quantised(Some(json!({"model_type": "gpt_bigcode"})), linear), 0);
}

/// Data that a layout cannot represent leave no output, so that the tensor can be excluded as the error says.
#[test]
fn bad_data_leave_no_output() {
    let (folder, model) = model();
    let out = folder.path().join("q");
    let path = model.join("model-00002-of-00002.safetensors");
    let name = "model.layers.0.mlp.down_proj.weight";
    let spoiled: Vec<Part> = Input::open(&path)
        .unwrap()
        .tensors()
        .iter()
        .map(|tensor| {
            let mut bytes = bytes(&path, tensor.name());
            if tensor.name() == name {
                bytes[..2].copy_from_slice(&[0xc0, 0x7f]);
            }
            (tensor.name().to_owned(), tensor.shape().to_vec(), bytes)
        })
        .collect();
    write_file(&path, &spoiled);
    let options = Options { threads: Some(1), ..quantize(CheckpointLayout::CtMxfp4) };
    let error = |options: &Options| go(&model, &out, options).unwrap_err().to_string();
    assert!(error(&options).contains("exclude the tensor"));
    assert!(!out.exists());
    // The same for a resumed run, whose folder another run began.
    run(&model, &out, &options, &StopAfter(AtomicU64::new(7))).unwrap_err();
    assert!(out.join(".binade-incomplete.json").exists());
    assert!(error(&Options { resume: true, ..options.clone() }).contains("exclude the tensor"));
    assert_eq!(fs::read_dir(&out).unwrap().count(), 0);
    let excluding = Options { exclude: vec![name.to_owned()], ..options.clone() };
    go(&model, &out, &excluding).unwrap();
    // Over a complete checkpoint: it is unchanged if nothing was replaced yet.
    let nvfp4 = Options { force: true, ..quantize(CheckpointLayout::CtNvfp4) };
    assert!(error(&nvfp4).contains("exclude the tensor"));
    assert!(!out.join(".binade-incomplete.json").exists());
    assert!(out.join("model-00001-of-00002.safetensors").exists() && out.join("config.json").exists());
    // Otherwise replaced files are gone, and the folder is marked incomplete.
    assert!(error(&Options { force: true, ..options }).contains("exclude the tensor"));
    assert!(out.join(".binade-incomplete.json").exists());
    assert!(error(&excluding).contains("--force starts anew"));
    go(&model, &out, &Options { force: true, ..excluding }).unwrap();
    assert!(!out.join(".binade-incomplete.json").exists());
}

#[test]
fn layouts_are_recognised_without_a_config() {
    let (folder, model) = model();
    fs::remove_file(model.join("config.json")).unwrap();
    let at = |name: &str| folder.path().join(name);
    let report = go(&model, &at("q"), &quantize(CheckpointLayout::CtMxfp4)).unwrap();
    let config = object(at("q").join("config.json"));
    assert_eq!(config["quantization_config"]["format"], "mxfp4-pack-quantized");
    assert_eq!(config.as_object().unwrap().len(), 1);
    assert!(report.notes[0].starts_with("the input has no config.json"), "{:?}", report.notes);
    let report = go(&at("q"), &at("d"), &dequantize(Dtype::Bf16)).unwrap();
    assert_eq!((report.notes.len(), object(at("d").join("config.json"))), (0, json!({})));
    let file = model.join("model-00002-of-00002.safetensors");
    let report = go(&file, &at("q.safetensors"), &quantize(CheckpointLayout::CtMxfp4)).unwrap();
    assert!(report.notes[0].contains("quantization_config"), "{:?}", report.notes);
}

/// Experts whose matrices are cut into tiles along both axes, for each type of numbers.
#[test]
fn experts_in_tiles_equal_those_in_rows() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (number, shape) in [[2u64, 4160, 300], [1, 64, 5000], [1, 32, 33000]].into_iter().enumerate() {
        let count: u64 = shape.iter().product();
        let [experts, columns, rows] = shape;
        let halves = bf16(count, number as u64, 1.0);
        let words: Vec<[u8; 2]> = halves.as_chunks().0.to_vec();
        let turned: Vec<u8> = (0..experts * rows)
            .flat_map(|row| (0..columns).map(move |column| (row / rows, column, row % rows)))
            .flat_map(|(expert, column, row)| words[((expert * columns + column) * rows + row) as usize])
            .collect();
        let input = at("in.safetensors");
        write_file(&input, &[("e.down_proj".to_owned(), shape.to_vec(), halves)]);
        let rows_of = at("rows.safetensors");
        write_file(&rows_of, &[("e.weight".to_owned(), vec![experts * rows, columns], turned)]);
        let force = |options: Options| Options { force: true, ..options };
        go(&input, &at("q.safetensors"), &force(quantize(CheckpointLayout::GptOss))).unwrap();
        go(&rows_of, &at("r.safetensors"), &force(quantize(CheckpointLayout::CtMxfp4))).unwrap();
        let (q, r) = (at("q.safetensors"), at("r.safetensors"));
        assert!(bytes(&q, "e.down_proj_blocks") == bytes(&r, "e.weight_packed"), "{shape:?}");
        assert!(bytes(&q, "e.down_proj_scales") == bytes(&r, "e.weight_scale"), "{shape:?}");
        for dtype in [Dtype::F32, Dtype::F16, Dtype::Bf16] {
            go(&q, &at("d.safetensors"), &force(dequantize(dtype))).unwrap();
            go(&r, &at("s.safetensors"), &force(dequantize(dtype))).unwrap();
            let width = if dtype == Dtype::F32 { 4 } else { 2 };
            let (d, s) =
                (bytes(&at("d.safetensors"), "e.down_proj"), bytes(&at("s.safetensors"), "e.weight"));
            let element = |bytes: &[u8], at: u64| bytes[at as usize * width..][..width].to_vec();
            for at in (0..count).step_by(7) {
                let (expert, column, row) = (at / rows / columns, at / rows % columns, at % rows);
                let there = (expert * rows + row) * columns + column;
                assert_eq!(element(&d, at), element(&s, there), "{shape:?} {dtype:?} {at}");
            }
            // Numbers of other types than bfloat16 are cut and encoded in the same way.
            go(&at("d.safetensors"), &at("again.safetensors"), &force(quantize(CheckpointLayout::GptOss)))
                .unwrap();
            let again = bytes(&at("again.safetensors"), "e.down_proj_blocks");
            assert_eq!(again.len(), bytes(&q, "e.down_proj_blocks").len());
        }
        assert!(comparison(&q, &at("d.safetensors")).equal, "{shape:?}");
    }
    let mut nan = part("e.down_proj", &[1, 4160, 300], 5, 1.0);
    nan.2[2 * 1_234_567..][..2].copy_from_slice(&[0xc0, 0x7f]);
    write_file(&at("in.safetensors"), &[nan]);
    let error = go(&at("in.safetensors"), &at("no.safetensors"), &quantize(CheckpointLayout::GptOss));
    assert!(error.unwrap_err().to_string().contains("element 1234567 of 'e.down_proj' is NaN"));
    // An invalid scale is reported with its index, although a tile of others is read.
    use ElementType::U8;
    let shared = common::Folder::new();
    let mut scales = vec![127; 300 * 130];
    scales[299 * 130 + 129] = 255;
    let input = shared.safetensors(
        "nan.safetensors",
        &[
            ("e_blocks", U8, &[1, 300, 130, 16], vec![0; 300 * 130 * 16]),
            ("e_scales", U8, &[1, 300, 130], scales),
        ],
        &[],
    );
    let error = go(&input, &at("no.safetensors"), &dequantize(Dtype::Bf16)).unwrap_err().to_string();
    assert!(error.contains("scale 38999 in 'e_scales' is NaN"), "{error}");
    assert!(!at("no.safetensors").exists());
}

#[test]
fn fp8_with_other_scales_is_read() {
    let folder = common::Folder::new();
    use ElementType::{Bf16, F8E4M3, F8E5M2, F8E8M0, F32};
    let codes = || vec![0x38, 0xb8, 0x40, 0x30, 0x3c, 0x01];
    // 1, −1, 2, 0.5, 1.5, 2^−9 in E4M3.
    let values = [1.0, -1.0, 2.0, 0.5, 1.5, 2f32.powi(-9)];
    let read = |name: &str, element: ElementType, scales: (&str, ElementType, &[u64], Vec<u8>)| {
        let input = folder.safetensors(
            &format!("{name}.safetensors"),
            &[("a.weight", element, &[2, 3], codes()), scales],
            &[],
        );
        let output = folder.path(&format!("{name}-d.safetensors"));
        go(&input, &output, &dequantize(Dtype::F32)).unwrap();
        assert_eq!(Input::open(&output).unwrap().tensors().len(), 1);
        f32s(&bytes(&output, "a.weight"))
    };
    let single = |x: &[f32]| common::bytes_of_f32(x);
    let times = |scales: [f32; 6]| values.iter().zip(scales).map(|(x, s)| x * s).collect::<Vec<f32>>();
    assert_eq!(read("tensor", F8E4M3, ("a.weight_scale", F32, &[], single(&[3.0]))), times([3.0; 6]));
    let rows = [3.0, 3.0, 3.0, 5.0, 5.0, 5.0];
    assert_eq!(read("channel", F8E4M3, ("a.weight_scale", F32, &[2], single(&[3.0, 5.0]))), times(rows));
    let halves = [0x40, 0x40, 0xa0, 0x40].to_vec();
    assert_eq!(read("bf16", F8E4M3, ("a.weight_scale", Bf16, &[2, 1], halves)), times(rows));
    assert_eq!(read("e8m0", F8E4M3, ("a.weight_scale_inv", F8E8M0, &[1, 1], vec![129])), times([4.0; 6]));
    assert_eq!(read("e5m2", F8E5M2, ("a.weight_scale", F32, &[1], single(&[1.0])))[..2], [0.5, -0.5]);
}

/// Quantises with a choice for each weight.
fn chosen(input: &Path, output: &Path, auto: &Auto, threads: usize) -> Result<(Report, Selection), Error> {
    let options = Options::new(Action::Assigned(Assignment::default()));
    run_auto(input, output, &Options { threads: Some(threads), ..options }, auto, &Silent)
}

fn auto(layouts: &[CheckpointLayout], rules: Option<&[ScaleRule]>, budget: Option<&str>) -> Auto {
    let budget = budget.map(|budget| budget.parse().unwrap());
    Auto::new(layouts, rules, budget.is_some(), ErrorMeasure::Mse, budget).unwrap()
}

#[test]
fn selected_layouts_lose_what_was_measured_and_fit_the_budget() {
    let (folder, model) = model();
    let at = |name: &str| folder.path().join(name);
    let (report, selection) = chosen(&model, &at("q"), &auto(&[], None, Some("6bits")), 2).unwrap();
    assert_eq!(report.layout, Some("mixed"));
    let bits: u64 = report.weights.iter().map(|weight| 8 * weight.bytes_after).sum();
    let coded: u64 = report.weights.iter().map(|weight| weight.shape.iter().product::<u64>()).sum();
    assert!(
        coded <= selection.elements && selection.bits <= 6.0 && selection.bits > 5.0,
        "{}",
        selection.bits
    );
    assert!(bits as f64 / selection.elements as f64 <= selection.bits);
    assert!(selection.bound <= selection.error);

    // The losses of the files, measured by `compare`, equal those measured before writing.
    let losses = comparison(&model, &at("q"));
    let row = |name: &str| losses.tensors.iter().find(|row| row.name == *name).unwrap();
    let mut total = 0.0;
    for chosen in &selection.tensors {
        let noise: f64 =
            chosen.names.iter().map(|name| row(name).mean_square * row(name).elements as f64).sum();
        let measured = chosen.offered().unwrap().error * chosen.elements as f64;
        assert!((noise - measured).abs() <= 1e-12 * noise, "{:?}: {noise} {measured}", chosen.names);
        total += noise;
    }
    assert!((total / selection.elements as f64 - selection.error).abs() <= 1e-12 * selection.error);

    // Fused weights have one layout. config.json names each module once.
    let choice = |name: &str| {
        let weight = report.weights.iter().find(|weight| weight.name.contains(name)).unwrap();
        weight.choice.clone().unwrap()
    };
    assert_eq!(choice("q_proj"), choice("v_proj"));
    assert_eq!(choice("gate_proj"), choice("up_proj"));
    let config = object(at("q").join("config.json"));
    let quantization = &config["quantization_config"];
    assert_eq!(quantization["format"], "mixed-precision");
    let mut named = 0;
    for group in quantization["config_groups"].as_object().unwrap().values() {
        for target in group["targets"].as_array().unwrap() {
            let name = target.as_str().unwrap();
            let layout = choice(&format!("{name}.weight"));
            let format = match &*layout {
                "ct-fp8" => "float-quantized",
                "ct-mxfp8" => "mxfp8-quantized",
                "ct-mxfp4" => "mxfp4-pack-quantized",
                _ => "nvfp4-pack-quantized",
            };
            assert_eq!(group["format"], format, "{name}");
            named += 1;
        }
    }
    assert_eq!(named, report.weights.len());

    // The number of threads does not matter.
    chosen(&model, &at("again"), &auto(&[], None, Some("6bits")), 1).unwrap();
    for file in ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors", "config.json"] {
        assert_eq!(
            fs::read(at("q").join(file)).unwrap(),
            fs::read(at("again").join(file)).unwrap(),
            "{file}"
        );
    }
}

#[test]
fn selected_scale_rules_are_the_best() {
    let (folder, model) = model();
    let (report, selection) = chosen(
        &model,
        &folder.path().join("q"),
        &auto(&[CheckpointLayout::CtMxfp4], Some(&ScaleRule::ALL), None),
        2,
    )
    .unwrap();
    assert_eq!((report.layout, selection.bits), (Some("ct-mxfp4"), 4.25));
    let mut written: Vec<(String, compare::Comparison)> = vec![];
    for rule in ScaleRule::ALL {
        let action = Action::Quantize { layout: CheckpointLayout::CtMxfp4, rule: Some(rule) };
        let output = folder.path().join(rule.name());
        go(&model, &output, &Options::new(action)).unwrap();
        written.push((rule.name().to_owned(), comparison(&model, &output)));
    }
    for chosen in &selection.tensors {
        let noise = |comparison: &compare::Comparison| -> f64 {
            let rows = comparison.tensors.iter().filter(|row| chosen.names.contains(&row.name));
            rows.map(|row| row.mean_square * row.elements as f64).sum()
        };
        let best = written.iter().map(|(_, comparison)| noise(comparison)).fold(f64::INFINITY, f64::min);
        let error = chosen.offered().unwrap().error * chosen.elements as f64;
        assert!((error - best).abs() <= 1e-12 * best, "{:?}", chosen.names);
    }
}

#[test]
fn impossible_selection_writes_nothing() {
    let (folder, model) = model();
    let output = folder.path().join("q");
    let error = chosen(&model, &output, &auto(&[], None, Some("4.1")), 1).unwrap_err();
    assert!(matches!(&error, Error::Select(SelectError::Unaffordable { .. })), "{error}");
    assert!(!output.exists());
    let mixed =
        Auto::new(&[CheckpointLayout::CtFp8, CheckpointLayout::GptOss], None, false, ErrorMeasure::Mse, None);
    assert!(matches!(mixed.unwrap_err(), Error::Select(SelectError::Mixed("gpt-oss"))));
    // A large budget keeps everything, and declares no quantisation.
    let (report, selection) = chosen(&model, &output, &auto(&[], None, Some("16")), 1).unwrap();
    assert_eq!((report.weights.len(), selection.error, selection.bits), (0, 0.0, 16.0));
    assert_eq!(object(output.join("config.json"))["quantization_config"], Value::Null);
    let taken = chosen(&model, &output, &auto(&[], None, None), 1).unwrap_err();
    assert!(taken.to_string().contains("not empty"), "{taken}");
}
