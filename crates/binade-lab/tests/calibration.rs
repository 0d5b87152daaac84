//! Calibrated checkpoints: static scales of activations and of key-value caches, and calibrations that do not fit.

mod common;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use binade::philox;
use binade_files::{ElementType, IfExists, Input, Tensor, safetensors};
use binade_lab::checkpoint::{Action, Calibration, CheckpointLayout, Clip, Dtype, Options, Report, run};
use binade_lab::{Error, Silent};
use serde_json::{Value, json};
use tempfile::TempDir;

use common::f32s;

const FILES: [&str; 2] = ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"];

const LAYER: [(&str, [u64; 2]); 7] = [
    ("self_attn.q_proj", [64, 64]),
    ("self_attn.k_proj", [32, 64]),
    ("self_attn.v_proj", [32, 64]),
    ("self_attn.o_proj", [64, 64]),
    ("mlp.gate_proj", [96, 64]),
    ("mlp.up_proj", [96, 64]),
    ("mlp.down_proj", [64, 96]),
];

fn bf16(count: u64, seed: u64) -> Vec<u8> {
    let value = |at: u64| philox::word(seed, at) as f32 / 2f32.powi(31) - 1.0;
    (0..count).flat_map(|at| ((value(at).to_bits() >> 16) as u16).to_le_bytes()).collect()
}

struct Model(TempDir);

impl Model {
    /// A Llama of two layers, a file for each.
    fn new() -> Model {
        let model = Model(tempfile::tempdir().unwrap());
        fs::create_dir(model.at("model")).unwrap();
        let mut map = serde_json::Map::new();
        for layer in 0..2 {
            let file = format!("model-0000{}-of-00002.safetensors", layer + 1);
            let name = |part: &str| format!("model.layers.{layer}.{part}.weight");
            let mut entries =
                vec![safetensors::Entry::new(name("input_layernorm"), ElementType::Bf16, &[64][..])];
            entries.extend(
                LAYER
                    .iter()
                    .map(|(part, shape)| safetensors::Entry::new(name(part), ElementType::Bf16, &shape[..])),
            );
            let path = model.at("model").join(&file);
            let writer = safetensors::Writer::create(&path, &entries, &[], IfExists::Refuse).unwrap();
            writer.write_at(0, 0, &bf16(64, 99)).unwrap();
            map.insert(name("input_layernorm"), json!(file));
            for (at, (part, shape)) in LAYER.iter().enumerate() {
                writer.write_at(at + 1, 0, &bf16(shape[0] * shape[1], at as u64)).unwrap();
                map.insert(name(part), json!(file));
            }
            writer.finish().unwrap();
        }
        let write =
            |name: &str, value: Value| fs::write(model.at("model").join(name), value.to_string()).unwrap();
        write("model.safetensors.index.json", json!({"metadata": {}, "weight_map": map}));
        write("config.json", json!({"model_type": "llama", "torch_dtype": "bfloat16"}));
        model
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Statistics of all layers. `change` may change them.
    fn calibration(&self, change: impl FnOnce(&mut Value)) -> PathBuf {
        let observed = |largest: f64| {
            json!({"elements": 1000, "not_finite": 0, "largest": largest,
                "percentiles": {"99": largest / 4.0, "99.9": largest / 2.0},
                "mse": {"float8_e4m3fn": largest / 8.0, "float4_e2m1fn": largest / 16.0}})
        };
        let mut file = json!({"kind": "binade calibration", "binade": "0.1.0", "model": "m", "tokens": 512,
            "inputs": {}, "keys": {}, "values": {}});
        for layer in 0..2 {
            for (at, (part, _)) in LAYER.iter().enumerate() {
                file["inputs"][format!("model.layers.{layer}.{part}")] =
                    observed((10 * layer + at + 1) as f64);
            }
            let attention = format!("model.layers.{layer}.self_attn");
            file["keys"][&attention] = observed(20.0 + layer as f64);
            file["values"][&attention] = observed(3.0 + layer as f64);
        }
        change(&mut file);
        let path = self.at("calibration.json");
        fs::write(&path, file.to_string()).unwrap();
        path
    }

    fn quantize(&self, layout: CheckpointLayout, calibration: Option<Calibration>) -> Result<Report, Error> {
        let action = Action::Quantize { layout, rule: None };
        let options = Options { calibration, force: true, ..Options::new(action) };
        run(&self.at("model"), &self.at("out"), &options, &Silent)
    }

    /// Removes tensors from a checkpoint that was written.
    fn remove(&self, folder: &str, removed: &[&str]) {
        let index = self.at(folder).join("model.safetensors.index.json");
        let mut plain: Value = serde_json::from_slice(&fs::read(&index).unwrap()).unwrap();
        for name in removed {
            plain["weight_map"].as_object_mut().unwrap().remove(*name).unwrap();
        }
        fs::write(index, plain.to_string()).unwrap();
        self.rewrite(folder, |name, bytes| (!removed.contains(&name)).then_some(bytes));
    }

    /// Gives a tensor of one binary32 number of a checkpoint another value.
    fn replace(&self, folder: &str, replaced: &str, value: f32) {
        self.rewrite(folder, |name, bytes| {
            Some(if name == replaced { value.to_le_bytes().to_vec() } else { bytes })
        });
    }

    /// Writes the files of a checkpoint anew, with the bytes that a function returns for each tensor, or without it.
    fn rewrite(&self, folder: &str, change: impl Fn(&str, Vec<u8>) -> Option<Vec<u8>>) {
        for file in FILES {
            let path = self.at(folder).join(file);
            let input = Input::open(&path).unwrap();
            let changed =
                |tensor: &Tensor| Some((tensor.clone(), change(tensor.name(), tensor.read_all().unwrap())?));
            let (kept, bytes): (Vec<_>, Vec<_>) = input.tensors().iter().filter_map(changed).unzip();
            let entries: Vec<_> = kept.iter().map(safetensors::Entry::like).collect();
            let writer = safetensors::Writer::create(&path, &entries, &[], IfExists::Replace).unwrap();
            for (at, bytes) in bytes.iter().enumerate() {
                writer.write_at(at, 0, bytes).unwrap();
            }
            writer.finish().unwrap();
        }
    }

    /// Converts the checkpoint `out` to `other`.
    fn convert(&self, layout: CheckpointLayout, change: impl FnOnce(&mut Options)) -> Result<Report, Error> {
        let action = Action::Convert { layout, rule: None };
        let mut options = Options { force: true, ..Options::new(action) };
        change(&mut options);
        run(&self.at("out"), &self.at("other"), &options, &Silent)
    }

    /// The error of quantising under a changed calibration, without the path of the file.
    fn error(&self, layout: CheckpointLayout, clip: Clip, change: impl FnOnce(&mut Value)) -> String {
        let path = self.calibration(change);
        let calibration = Calibration::read(&path, clip, None);
        let error = match calibration {
            Ok(calibration) => self.quantize(layout, Some(calibration)).unwrap_err().to_string(),
            Err(error) => error.to_string(),
        };
        error.replace(&format!("{}: ", path.display()), "")
    }
}

fn read(path: &Path, clip: Clip) -> Calibration {
    Calibration::read(path, clip, None).unwrap()
}

/// Tensors of one number in a folder.
fn scalars(folder: &Path) -> HashMap<String, f32> {
    let mut found = HashMap::new();
    for file in FILES {
        let input = Input::open(folder.join(file)).unwrap();
        for tensor in input.tensors().iter().filter(|tensor| tensor.elements() == 1) {
            assert_eq!(*tensor.element(), ElementType::F32);
            found.insert(tensor.name().to_owned(), f32s(&tensor.read_all().unwrap())[0]);
        }
    }
    found
}

/// Shapes of tensors by name.
fn shapes(folder: &Path) -> Vec<(String, Vec<u64>)> {
    let inputs = FILES.map(|file| Input::open(folder.join(file)).unwrap());
    let tensors = inputs.iter().flat_map(|input| input.tensors());
    tensors.map(|tensor| (tensor.name().to_owned(), tensor.shape().to_vec())).collect()
}

fn config(folder: &Path) -> Value {
    let text = fs::read(folder.join("config.json")).unwrap();
    serde_json::from_slice::<Value>(&text).unwrap()["quantization_config"].clone()
}

#[test]
fn fp8_has_input_scales_that_fused_layers_share() {
    let model = Model::new();
    let path = model.calibration(|_| {});
    let report = model.quantize(CheckpointLayout::CtFp8Static, Some(read(&path, Clip::Largest))).unwrap();
    assert_eq!(report.layout, Some("ct-fp8-static"));
    let scales = scalars(&model.at("out"));
    assert_eq!(scales.len(), 2 * (7 + 2));
    for layer in 0..2 {
        let of = |name: &str| scales[&format!("model.layers.{layer}.{name}")];
        let scale = |largest: usize| (10 * layer + largest) as f32 / 448.0;
        // q, k and v, and gate and up, have the scale of the largest among them.
        for (name, largest) in [("q", 3), ("k", 3), ("v", 3), ("o", 4)] {
            assert_eq!(of(&format!("self_attn.{name}_proj.input_scale")), scale(largest));
        }
        for (name, largest) in [("gate", 6), ("up", 6), ("down", 7)] {
            assert_eq!(of(&format!("mlp.{name}_proj.input_scale")), scale(largest));
        }
        assert_eq!(of("self_attn.k_scale"), (20.0 + layer as f32) / 448.0);
        assert_eq!(of("self_attn.v_scale"), (3.0 + layer as f32) / 448.0);
    }
    let config = config(&model.at("out"));
    let static_tensor =
        json!({"num_bits": 8, "type": "float", "strategy": "tensor", "symmetric": true, "dynamic": false});
    assert_eq!(config["format"], "float-quantized");
    assert_eq!(config["config_groups"]["group_0"]["input_activations"], static_tensor);
    assert_eq!(config["config_groups"]["group_0"]["weights"]["strategy"], "channel");
    assert_eq!(config["kv_cache_scheme"], static_tensor);
    // Scales are in the file of their layer, which the index says.
    let index: Value =
        serde_json::from_slice(&fs::read(model.at("out/model.safetensors.index.json")).unwrap()).unwrap();
    assert_eq!(index["weight_map"]["model.layers.1.self_attn.v_scale"], "model-00002-of-00002.safetensors");
    let transformers =
        "transformers 5.24 with compressed-tensors 0.20 leaves k_scale and v_scale out; vLLM reads them";
    let [first, last] = &report.notes[..] else { panic!("{report:?}") };
    assert_eq!(first, transformers);
    assert!(last.contains("14 inputs and 2 key-value caches, clip largest"), "{report:?}");
}

#[test]
fn nvfp4_has_input_global_scales_as_divisors() {
    let model = Model::new();
    let path = model.calibration(|_| {});
    model.quantize(CheckpointLayout::CtNvfp4, Some(read(&path, Clip::Largest))).unwrap();
    let scales = scalars(&model.at("out"));
    assert_eq!(scales["model.layers.1.mlp.down_proj.input_global_scale"], 2688.0 / 17.0);
    assert_eq!(scales["model.layers.1.mlp.gate_proj.input_global_scale"], 2688.0 / 16.0);
    assert_eq!(scales["model.layers.0.self_attn.q_proj.input_global_scale"], 2688.0 / 3.0);
    assert!(scales.contains_key("model.layers.0.self_attn.q_proj.weight_global_scale"));
    assert_eq!(
        config(&model.at("out"))["config_groups"]["group_0"]["input_activations"],
        json!({"num_bits": 4, "type": "float", "strategy": "tensor_group", "symmetric": true, "dynamic": "local",
            "group_size": 16, "scale_dtype": "torch.float8_e4m3fn"})
    );
    // Without a calibration nothing changes: weights only.
    model.quantize(CheckpointLayout::CtNvfp4, None).unwrap();
    assert_eq!(config(&model.at("out"))["config_groups"]["group_0"]["input_activations"], Value::Null);
    assert!(
        !scalars(&model.at("out")).keys().any(|name| name.contains("input") || name.ends_with("k_scale"))
    );
}

#[test]
fn modelopt_has_input_scales_as_factors() {
    let model = Model::new();
    let path = model.calibration(|_| {});
    let modelopt = CheckpointLayout::ModeloptNvfp4;
    let report = model.quantize(modelopt, Some(read(&path, Clip::Largest))).unwrap();
    let of_transformers: Vec<&String> =
        report.notes.iter().filter(|note| note.contains("transformers")).collect();
    assert_eq!(of_transformers, ["transformers 5.24 does not read ModelOpt's layout; vLLM and SGLang do"]);
    let scales = scalars(&model.at("out"));
    assert_eq!(scales["model.layers.1.mlp.down_proj.input_scale"], 17.0 / 2688.0);
    assert_eq!(scales["model.layers.0.self_attn.q_proj.input_scale"], 3.0 / 2688.0);
    assert_eq!(scales["model.layers.1.self_attn.k_scale"], 21.0 / 448.0);
    let own = |path: &Path| serde_json::from_slice::<Value>(&fs::read(path).unwrap()).unwrap();
    let quantization = config(&model.at("out"));
    assert_eq!(quantization["quant_algo"], "NVFP4");
    assert_eq!(quantization["config_groups"]["group_0"]["input_activations"]["num_bits"], 4);
    assert_eq!(quantization["kv_cache_scheme"], json!({"dynamic": false, "num_bits": 8, "type": "float"}));
    let hf = &own(&model.at("out/hf_quant_config.json"))["quantization"];
    assert_eq!((&hf["quant_algo"], &hf["kv_cache_quant_algo"]), (&json!("NVFP4"), &json!("FP8")));
    model.quantize(modelopt, None).unwrap();
    assert_eq!(config(&model.at("out"))["quant_algo"], "W4A16_NVFP4");
    assert!(config(&model.at("out")).get("kv_cache_scheme").is_none());
    let hf = &own(&model.at("out/hf_quant_config.json"))["quantization"];
    assert_eq!((&hf["quant_algo"], &hf["kv_cache_quant_algo"]), (&json!("W4A16_NVFP4"), &Value::Null));
}

/// Static scales of inputs and of caches, by name.
fn static_scales(folder: &Path) -> Vec<(String, f32)> {
    let mut found: Vec<(String, f32)> =
        scalars(folder).into_iter().filter(|(name, _)| !name.contains(".weight_")).collect();
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

#[test]
fn conversion_carries_static_scales_or_names_them() {
    use CheckpointLayout::*;
    let model = Model::new();
    let path = model.calibration(|_| {});
    let calibrated = [CtFp8Static, CtNvfp4, ModeloptNvfp4];
    let direct: HashMap<CheckpointLayout, Vec<(String, f32)>> = calibrated
        .into_iter()
        .map(|layout| {
            model.quantize(layout, Some(read(&path, Clip::Largest))).unwrap();
            (layout, static_scales(&model.at("out")))
        })
        .collect();
    for from in calibrated {
        model.quantize(from, Some(read(&path, Clip::Largest))).unwrap();
        for to in [CtFp8, CtFp8Static, CtMxfp8, CtMxfp4, CtNvfp4, ModeloptNvfp4, DeepseekFp8] {
            let action = Action::Convert { layout: to, rule: None };
            let options = Options { force: true, ..Options::new(action) };
            let report = run(&model.at("out"), &model.at("other"), &options, &Silent).unwrap();
            let (scales, config) = (static_scales(&model.at("other")), config(&model.at("other")));
            let said = |part: &str| report.notes.iter().any(|note| note.contains(part));
            let place = match to {
                DeepseekFp8 => "are copied, but config.json of deepseek-fp8",
                _ => "are those of the input",
            };
            assert!(said(&format!("k_scale and v_scale of 2 key-value caches {place}")), "{report:?}");
            let shape: &[u64] = if to == ModeloptNvfp4 { &[] } else { &[1] };
            for (name, of) in shapes(&model.at("other")) {
                let is_cache = name.ends_with(".k_scale") || name.ends_with(".v_scale");
                assert!(!is_cache || of == shape, "{from} to {to}: {name} {of:?}");
            }
            match direct.get(&to) {
                Some(wanted) => {
                    assert_eq!(scales.len(), wanted.len(), "{from} to {to}");
                    for ((name, scale), (of, wanted)) in scales.iter().zip(wanted) {
                        assert_eq!(name, of, "{from} to {to}");
                        // A scale is in binary32, so another one that follows from it may differ in its last bit.
                        let error = (scale - wanted).abs();
                        assert!(
                            if from == to { error == 0.0 } else { error <= wanted * f32::EPSILON },
                            "{name}"
                        );
                    }
                    assert!(said("static scales of 14 inputs are those of the input"), "{report:?}");
                    assert!(!config["config_groups"]["group_0"]["input_activations"].is_null(), "{to}");
                }
                None => {
                    assert_eq!(scales.len(), 4, "{from} to {to}: {scales:?}");
                    assert!(said("static scales of 14 inputs are left out"), "{report:?}");
                    let weights_only = matches!(to, CtMxfp8 | CtMxfp4);
                    assert_eq!(said("leave them as they are"), weights_only, "{to}: {report:?}");
                }
            }
            if to != DeepseekFp8 {
                assert_eq!(config["kv_cache_scheme"]["num_bits"], 8, "{from} to {to}");
            }
        }
    }
}

#[test]
fn conversion_to_static_scales_needs_some() {
    let model = Model::new();
    model.quantize(CheckpointLayout::CtFp8, None).unwrap();
    let action = Action::Convert { layout: CheckpointLayout::CtFp8Static, rule: None };
    let options = Options { force: true, ..Options::new(action) };
    let error = run(&model.at("out"), &model.at("other"), &options, &Silent).unwrap_err().to_string();
    assert!(error.starts_with("layout ct-fp8-static without --calibration FILE"), "{error}");
}

#[test]
fn conversion_names_weights_without_a_static_scale() {
    let model = Model::new();
    let path = model.calibration(|_| {});
    model.quantize(CheckpointLayout::CtFp8Static, Some(read(&path, Clip::Largest))).unwrap();
    let removed = ["0.mlp.down_proj", "0.mlp.gate_proj", "1.self_attn.o_proj", "1.self_attn.q_proj"];
    let removed = removed.map(|name| format!("model.layers.{name}.input_scale"));
    model.remove("out", &removed.each_ref().map(|name| &**name));
    let error = model.convert(CheckpointLayout::CtFp8Static, |_| {}).unwrap_err().to_string();
    assert_eq!(
        error.replace(&model.at("out").display().to_string(), "out"),
        "out: 4 of 14 weights have no static scale of their inputs, which ct-fp8-static needs: \
         'model.layers.0.mlp.gate_proj.weight', 'model.layers.0.mlp.down_proj.weight', \
         'model.layers.1.self_attn.q_proj.weight' and 1 more; calibrate the model and give the file with --calibration, or exclude these \
         weights"
    );
    assert!(!model.at("other").exists());
    let report = model.convert(CheckpointLayout::CtNvfp4, |_| {}).unwrap();
    let note = "static scales of 10 inputs are left out: 4 of 14 weights are without: 'model.layers.0.mlp.gate_proj.weight', ";
    assert!(report.notes.iter().any(|found| found.starts_with(note)), "{report:?}");
    // Without these weights, the others have a scale each.
    let exclude = |options: &mut Options| {
        options.exclude = ["*.0.mlp.down_proj*", "*.0.mlp.gate_proj*", "*.1.*.o_proj*", "*.1.*.q_proj*"]
            .map(str::to_owned)
            .to_vec();
    };
    let report = model.convert(CheckpointLayout::CtFp8Static, exclude).unwrap();
    assert!(report.notes.iter().any(|note| note == "static scales of 10 inputs are those of the input"));
}

#[test]
fn conversion_refuses_caches_with_one_scale() {
    let model = Model::new();
    let path = model.calibration(|_| {});
    model.quantize(CheckpointLayout::CtFp8Static, Some(read(&path, Clip::Largest))).unwrap();
    model.remove("out", &["model.layers.1.self_attn.v_scale"]);
    let error = model.convert(CheckpointLayout::CtFp8Static, |_| {}).unwrap_err().to_string();
    let expected = "1 of 2 key-value caches have only one of k_scale and v_scale, without 'model.layers.1.self_attn.v_scale'; calibrate the model, keys and \
                    values included, and give the file with --calibration, or leave all out with --calibration and --kv none";
    assert!(error.contains(expected), "{error}");
    assert!(!model.at("other").exists());
    // A layout without a place for the scheme copies what there is.
    model.convert(CheckpointLayout::DeepseekFp8, |_| {}).unwrap();
    model
        .convert(CheckpointLayout::CtFp8Static, |options| {
            options.calibration = Some(read(&path, Clip::Largest))
        })
        .unwrap();
    assert_eq!(scalars(&model.at("other")).len(), 18);
}

#[test]
fn conversion_refuses_scales_of_caches_that_are_no_positive_numbers() {
    let model = Model::new();
    let path = model.calibration(|_| {});
    model.quantize(CheckpointLayout::CtFp8Static, Some(read(&path, Clip::Largest))).unwrap();
    for (scale, named) in [(f32::NAN, "NaN"), (0.0, "0"), (-1.0, "-1"), (f32::INFINITY, "inf")] {
        model.replace("out", "model.layers.1.self_attn.v_scale", scale);
        let error = model.convert(CheckpointLayout::CtFp8, |_| {}).unwrap_err().to_string();
        let expected =
            format!("scale 0 in 'model.layers.1.self_attn.v_scale' is {named}, which is not a valid scale");
        assert!(error.contains(&expected), "{error}");
        assert!(!model.at("other").exists());
    }
    // A calibration replaces them.
    let calibration = Some(read(&path, Clip::Largest));
    model.convert(CheckpointLayout::CtFp8Static, |options| options.calibration = calibration).unwrap();
    assert_eq!(scalars(&model.at("other"))["model.layers.1.self_attn.v_scale"], 4.0 / 448.0);
}

#[test]
fn conversion_names_attention_without_scales() {
    let model = Model::new();
    let path = model.calibration(|_| {});
    model.quantize(CheckpointLayout::CtNvfp4, Some(read(&path, Clip::Largest))).unwrap();
    model.remove("out", &["model.layers.1.self_attn.k_scale", "model.layers.1.self_attn.v_scale"]);
    let report = model.convert(CheckpointLayout::ModeloptNvfp4, |_| {}).unwrap();
    for note in [
        "k_scale and v_scale of 1 key-value caches are those of the input",
        "1 of 2 attention modules have no k_scale and v_scale, and readers take 1: 'model.layers.1.self_attn'",
    ] {
        assert!(report.notes.iter().any(|found| found == note), "{note}: {report:?}");
    }
}

#[test]
fn calibration_without_caches_keeps_those_of_the_input() {
    let model = Model::new();
    let path = model.calibration(|_| {});
    model.quantize(CheckpointLayout::CtNvfp4, Some(read(&path, Clip::Largest))).unwrap();
    let path = model.calibration(|file| {
        (file["keys"], file["values"]) = (json!({}), json!({}));
        file["inputs"]["model.layers.0.mlp.down_proj"]["largest"] = json!(896.0);
    });
    let convert = |cache| {
        let calibration = Calibration::read(&path, Clip::Largest, cache).unwrap();
        let report =
            model.convert(CheckpointLayout::CtFp8Static, |options| options.calibration = Some(calibration));
        (
            report.unwrap().notes,
            scalars(&model.at("other")),
            config(&model.at("other"))["kv_cache_scheme"]["num_bits"].clone(),
        )
    };
    let (notes, scales, bits) = convert(None);
    assert_eq!(scales["model.layers.0.mlp.down_proj.input_scale"], 2.0);
    assert_eq!(scales["model.layers.1.self_attn.k_scale"], 21.0 / 448.0);
    assert_eq!((scales.len(), bits), (18, json!(8)));
    assert!(
        notes.iter().any(|note| note == "k_scale and v_scale of 2 key-value caches are those of the input"),
        "{notes:?}"
    );
    let (notes, scales, bits) = convert(Some(false));
    assert_eq!((scales.len(), bits), (14, Value::Null));
    let left = "k_scale and v_scale of 2 key-value caches of the input are left out, as --kv none asks";
    assert!(notes.iter().any(|note| note == left), "{notes:?}");
}

#[test]
fn unknown_layers_of_a_calibration_are_named() {
    let model = Model::new();
    let path = model.calibration(|file| {
        let observed = file["inputs"]["model.layers.0.mlp.down_proj"].clone();
        for layer in ["lm_head", "model.layers.2.mlp.up_proj", "model.layers.2.mlp.down_proj"] {
            file["inputs"][layer] = observed.clone();
        }
    });
    let report = model.quantize(CheckpointLayout::CtFp8Static, Some(read(&path, Clip::Largest))).unwrap();
    // The output head is tied to the embeddings, so it has no tensor.
    let note = "the checkpoint does not have 2 of the 17 layers of the calibration: 'model.layers.2.mlp.down_proj', \
                'model.layers.2.mlp.up_proj'";
    assert!(report.notes.iter().any(|found| found == note), "{report:?}");
    let error = model.error(CheckpointLayout::CtNvfp4, Clip::Largest, |file| {
        let observed = file["inputs"]["model.layers.0.mlp.down_proj"].clone();
        file["inputs"] = json!({});
        for layer in 0..5 {
            file["inputs"][format!("blk.{layer}.ffn_up")] = observed.clone();
        }
        file["inputs"]["lm_head"] = observed;
    });
    let expected = "none of its layers is in";
    assert!(error.contains(expected), "{error}");
    let layers = "such as 'blk.0.ffn_up', 'blk.1.ffn_up', 'blk.2.ffn_up' and 3 more: calibrate the model whose weights these are";
    assert!(error.contains(layers), "{error}");
}

#[test]
fn layers_of_zeros_are_noted() {
    let model = Model::new();
    let path = model.calibration(|file| file["inputs"]["model.layers.0.mlp.down_proj"]["largest"] = json!(0));
    let report = model.quantize(CheckpointLayout::CtFp8Static, Some(read(&path, Clip::Largest))).unwrap();
    assert_eq!(scalars(&model.at("out"))["model.layers.0.mlp.down_proj.input_scale"], 1.0);
    let note = "only zeros were observed in the inputs of 'model.layers.0.mlp.down_proj': the scale is 1";
    assert!(report.notes.iter().any(|found| found == note), "{report:?}");
}

#[test]
fn clip_chooses_the_statistic() {
    let model = Model::new();
    let path = model.calibration(|_| {});
    let scale = |layout, clip: &str, name: &str| {
        model.quantize(layout, Some(read(&path, clip.parse().unwrap()))).unwrap();
        scalars(&model.at("out"))[&format!("model.layers.0.{name}")]
    };
    let (fp8, nvfp4) = (CheckpointLayout::CtFp8Static, CheckpointLayout::CtNvfp4);
    assert_eq!(scale(fp8, "percentile=99.9", "mlp.down_proj.input_scale"), 3.5 / 448.0);
    assert_eq!(scale(fp8, "percentile=99.90", "mlp.down_proj.input_scale"), 3.5 / 448.0);
    assert_eq!(scale(fp8, "mse", "mlp.down_proj.input_scale"), 7.0 / 8.0 / 448.0);
    assert_eq!(scale(nvfp4, "mse", "mlp.down_proj.input_global_scale"), 2688.0 / (7.0 / 16.0));
    assert_eq!(scale(nvfp4, "mse", "self_attn.k_scale"), 20.0 / 8.0 / 448.0);
}

#[test]
fn weights_are_those_without_a_calibration() {
    let model = Model::new();
    let path = model.calibration(|_| {});
    for (plain, calibrated) in [
        (CheckpointLayout::CtFp8, CheckpointLayout::CtFp8Static),
        (CheckpointLayout::CtNvfp4, CheckpointLayout::CtNvfp4),
    ] {
        let tensors = |calibration: Option<Calibration>, layout| {
            model.quantize(layout, calibration).unwrap();
            let input = Input::open(model.at("out/model-00001-of-00002.safetensors")).unwrap();
            let each =
                input.tensors().iter().map(|tensor| (tensor.name().to_owned(), tensor.read_all().unwrap()));
            each.collect::<HashMap<_, _>>()
        };
        let (without, with) = (tensors(None, plain), tensors(Some(read(&path, Clip::Largest)), calibrated));
        assert!(without.iter().all(|(name, bytes)| with[name] == *bytes));
        assert_eq!(with.len(), without.len() + 7 + 2);
    }
}

#[test]
fn dequantised_model_has_no_static_scale() {
    let model = Model::new();
    let path = model.calibration(|_| {});
    model.quantize(CheckpointLayout::CtFp8Static, Some(read(&path, Clip::Largest))).unwrap();
    let options = Options::new(Action::Dequantize { dtype: Some(Dtype::Bf16) });
    run(&model.at("out"), &model.at("plain"), &options, &Silent).unwrap();
    assert!(scalars(&model.at("plain")).is_empty());
    // A calibration replaces the scales of another.
    let doubled = model.calibration(|file| file["keys"]["model.layers.0.self_attn"]["largest"] = json!(40.0));
    let action = Action::Convert { layout: CheckpointLayout::CtFp8Static, rule: None };
    let options = Options { calibration: Some(read(&doubled, Clip::Largest)), ..Options::new(action) };
    run(&model.at("out"), &model.at("again"), &options, &Silent).unwrap();
    assert_eq!(scalars(&model.at("again"))["model.layers.0.self_attn.k_scale"], 40.0 / 448.0);
    assert_eq!(scalars(&model.at("again")).len(), 18);
}

#[test]
fn key_value_scales_are_optional() {
    let model = Model::new();
    let path = model.calibration(|_| {});
    let without = Calibration::read(&path, Clip::Largest, Some(false)).unwrap();
    model.quantize(CheckpointLayout::CtFp8Static, Some(without)).unwrap();
    assert_eq!(scalars(&model.at("out")).len(), 14);
    assert_eq!(config(&model.at("out"))["kv_cache_scheme"], Value::Null);
    let path = model.calibration(|file| (file["keys"], file["values"]) = (json!({}), json!({})));
    let error = Calibration::read(&path, Clip::Largest, Some(true)).unwrap_err().to_string();
    assert!(error.contains("no keys and values, which the scales of a key-value cache need"), "{error}");
    model.quantize(CheckpointLayout::CtFp8Static, Some(read(&path, Clip::Largest))).unwrap();
    assert_eq!(config(&model.at("out"))["kv_cache_scheme"], Value::Null);
}

#[test]
fn calibrations_that_do_not_fit_are_refused() {
    let model = Model::new();
    let fp8 = CheckpointLayout::CtFp8Static;
    let down = "model.layers.1.mlp.down_proj";
    let cases: [(&str, String); 29] = [
        (
            "no statistics of inputs for 'model.layers.1.mlp.down_proj': calibrate the model whose weights these are, or exclude the layer",
            model
                .error(fp8, Clip::Largest, |file| drop(file["inputs"].as_object_mut().unwrap().remove(down))),
        ),
        (
            "the largest of the inputs of 'model.layers.1.mlp.down_proj' is infinite or NaN, but a scale must be finite",
            model.error(fp8, Clip::Largest, |file| file["inputs"][down]["largest"] = Value::Null),
        ),
        (
            "no percentile 99.5 for the inputs of 'model.layers.0.self_attn.q_proj': it has 99, 99.9",
            model.error(fp8, Clip::Percentile("99.5".to_owned()), |_| {}),
        ),
        (
            "no mean square error of float4_e2m1fn for the inputs of 'model.layers.1.mlp.down_proj': it has float8_e4m3fn",
            model.error(CheckpointLayout::CtNvfp4, Clip::Mse, |file| {
                drop(file["inputs"][down]["mse"].as_object_mut().unwrap().remove("float4_e2m1fn"));
            }),
        ),
        (
            "no percentile 99.9 for the inputs of 'model.layers.1.mlp.down_proj': it has none",
            model.error(fp8, Clip::Percentile("99.9".to_owned()), |file| {
                file["inputs"][down]["percentiles"] = json!({});
            }),
        ),
        (
            "the percentile=99.9 of the inputs of 'model.layers.1.mlp.down_proj' is 0, but other numbers were observed: clip by largest, or exclude",
            model.error(fp8, Clip::Percentile("99.9".to_owned()), |file| {
                file["inputs"][down]["percentiles"]["99.9"] = json!(0);
            }),
        ),
        (
            "keys must be an object of layers, not null",
            model.error(fp8, Clip::Largest, |file| file["keys"] = Value::Null),
        ),
        (
            "no statistics of values for 'model.layers.0.self_attn'",
            model.error(fp8, Clip::Largest, |file| {
                drop(file["values"].as_object_mut().unwrap().remove("model.layers.0.self_attn"));
            }),
        ),
        (
            "no statistics of keys for 'model.layers.1.self_attn'",
            model.error(fp8, Clip::Largest, |file| {
                for what in ["keys", "values"] {
                    drop(file[what].as_object_mut().unwrap().remove("model.layers.1.self_attn"));
                }
            }),
        ),
        (
            "'model.layers.7.self_attn' is not in",
            model.error(fp8, Clip::Largest, |file| {
                for what in ["keys", "values"] {
                    file[what]["model.layers.7.self_attn"] = file[what]["model.layers.0.self_attn"].clone();
                }
            }),
        ),
        (
            "layout ct-mxfp4 has no static scales of activations: --calibration is for ct-fp8-static, ct-nvfp4, modelopt-nvfp4",
            model.error(CheckpointLayout::CtMxfp4, Clip::Largest, |_| {}),
        ),
        (
            "layout ct-fp8 has no static scales of activations",
            model.error(CheckpointLayout::CtFp8, Clip::Largest, |_| {}),
        ),
        (
            "its \"kind\" must be \"binade calibration\", not \"report\"",
            model.error(fp8, Clip::Largest, |file| file["kind"] = json!("report")),
        ),
        (
            "not the expected JSON: missing field `kind`",
            model.error(fp8, Clip::Largest, |file| *file = json!({})),
        ),
        (
            "inputs of 'model.layers.1.mlp.down_proj': largest must be a magnitude from 0 to 3.4028235e38, not -4.0",
            model.error(fp8, Clip::Largest, |file| file["inputs"][down]["largest"] = json!(-4)),
        ),
        (
            "percentiles 99 must be a magnitude from 0 to 3.4028235e38, not 1e300",
            model.error(fp8, Clip::Largest, |file| file["inputs"][down]["percentiles"]["99"] = json!(1e300)),
        ),
        (
            "inputs of 'model.layers.1.mlp.down_proj' must be an object with largest, percentiles and mse, not a list",
            model.error(fp8, Clip::Largest, |file| file["inputs"][down] = json!([1, 2])),
        ),
        (
            "inputs must be an object of layers, not a list",
            model.error(fp8, Clip::Largest, |file| file["inputs"] = json!([])),
        ),
        (
            "a calibration file must be an object, not a list; `binade.torch.calibrate` writes one",
            model.error(fp8, Clip::Largest, |file| *file = json!([])),
        ),
        (
            "keys of 'model.layers.0.self_attn': missing field `largest`",
            model.error(fp8, Clip::Largest, |file| file["keys"]["model.layers.0.self_attn"] = json!({})),
        ),
        (
            "no finite element of the inputs of 'model.layers.1.mlp.down_proj' was observed: calibrate on text that reaches the layer, or exclude it",
            model.error(fp8, Clip::Largest, |file| file["inputs"][down]["elements"] = json!(0)),
        ),
        (
            "no finite element of the inputs of 'model.layers.1.mlp.down_proj' was observed, but 1000 infinities and NaNs: calibrate",
            model.error(fp8, Clip::Largest, |file| file["inputs"][down]["not_finite"] = json!(1000)),
        ),
        (
            "inputs of 'model.layers.1.mlp.down_proj': not_finite must be at most elements, 1000, not 1001",
            model.error(fp8, Clip::Largest, |file| file["inputs"][down]["not_finite"] = json!(1001)),
        ),
        (
            "the largest of the inputs of 'model.layers.1.mlp.down_proj' is 1e-44, whose scale 2.2e-47 is beyond the normal binary32 numbers: exclude the layer, or clip otherwise",
            model.error(fp8, Clip::Largest, |file| file["inputs"][down]["largest"] = json!(1e-44)),
        ),
        (
            "the largest of the values of 'model.layers.1.self_attn' is 1e-36, whose scale 2.2e-39 is beyond",
            model.error(CheckpointLayout::CtNvfp4, Clip::Largest, |file| {
                file["values"]["model.layers.1.self_attn"]["largest"] = json!(1e-36);
            }),
        ),
        (
            "unknown field `input`: must be one of kind, binade, model, tokens, inputs, keys, values",
            model.error(fp8, Clip::Largest, |file| file["input"] = json!({})),
        ),
        (
            "inputs of 'model.layers.1.mlp.down_proj': unknown field `maximum`: must be elements, not_finite, largest, percentiles or mse",
            model.error(fp8, Clip::Largest, |file| file["inputs"][down]["maximum"] = json!(3)),
        ),
        (
            "tokens must be a whole number from 0 on, not a string",
            model.error(fp8, Clip::Largest, |file| file["tokens"] = json!("many")),
        ),
        (
            "inputs of 'model.layers.1.mlp.down_proj': mse must be an object of magnitudes, not a number",
            model.error(fp8, Clip::Largest, |file| file["inputs"][down]["mse"] = json!(3)),
        ),
    ];
    for (expected, found) in cases {
        assert!(found.contains(expected), "{expected}: {found}");
    }
    let error = model.quantize(fp8, None).unwrap_err().to_string();
    assert!(error.starts_with("layout ct-fp8-static without --calibration FILE"), "{error}");
    assert!(!model.at("out").exists());
}

#[test]
fn infinity_of_python_is_named() {
    let model = Model::new();
    let path = model.calibration(|file| file["inputs"]["model.layers.0.mlp.up_proj"]["largest"] = json!("@"));
    let text = fs::read_to_string(&path).unwrap().replace("\"@\"", "Infinity");
    fs::write(&path, text).unwrap();
    let error = model.quantize(CheckpointLayout::CtFp8Static, Some(read(&path, Clip::Largest))).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the largest of the inputs of 'model.layers.0.mlp.up_proj' is infinite or NaN")
    );
}

#[test]
fn not_finite_activations_are_noted() {
    let model = Model::new();
    let path =
        model.calibration(|file| file["inputs"]["model.layers.0.mlp.up_proj"]["not_finite"] = json!(3));
    let report = model.quantize(CheckpointLayout::CtFp8Static, Some(read(&path, Clip::Largest))).unwrap();
    let note = "inputs of 'model.layers.0.mlp.up_proj' had infinities or NaNs, 3 in all, which its scale does not count";
    assert!(report.notes.iter().any(|found| found == note), "{:?}", report.notes);
}
