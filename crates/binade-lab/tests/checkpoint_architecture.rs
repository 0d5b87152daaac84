//! Checkpoints by model type: the weights that are quantised, the modules that config.json ignores, shared scales, and other
//! files.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use binade::philox;
use binade_files::{ElementType, IfExists, safetensors};
use binade_lab::checkpoint::{
    Action, Assignment, Auto, CheckpointLayout, Dtype, Options, Report, run, run_auto,
};
use binade_lab::select::ErrorMeasure;
use binade_lab::{Error, Silent};
use serde_json::{Value, json};
use tempfile::TempDir;

use common::{bytes, f32s};

/// A folder of one file with weights in bf16, and a config.json.
struct Model {
    folder: TempDir,
}

impl Model {
    fn new(config: Value, weights: &[(&str, &[u64])]) -> Model {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("model");
        fs::create_dir(&model).unwrap();
        fs::write(model.join("config.json"), config.to_string()).unwrap();
        let entries: Vec<_> = weights
            .iter()
            .map(|(name, shape)| safetensors::Entry::new(*name, ElementType::Bf16, *shape))
            .collect();
        let path = model.join("model.safetensors");
        let writer = safetensors::Writer::create(&path, &entries, &[], IfExists::Replace).unwrap();
        for (at, (_, shape)) in weights.iter().enumerate() {
            // Each weight has its own magnitude.
            let number = |n: u64| {
                let uniform = philox::word(at as u64, n) as f32 / 2f32.powi(31) - 1.0;
                ((uniform * 2f32.powi(at as i32)).to_bits() >> 16) as u16
            };
            let numbers = (0..shape.iter().product()).flat_map(|n| number(n).to_le_bytes());
            writer.write_at(at, 0, &numbers.collect::<Vec<u8>>()).unwrap();
        }
        writer.finish().unwrap();
        Model { folder }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn quantize(&self, layout: CheckpointLayout, include: &[&str]) -> Result<Report, Error> {
        let include = include.iter().map(|glob| (*glob).to_owned()).collect();
        let options =
            Options { include, force: true, ..Options::new(Action::Quantize { layout, rule: None }) };
        run(&self.at("model"), &self.at("q"), &options, &Silent)
    }

    fn config(&self) -> Value {
        object(&self.at("q/config.json"))
    }

    /// The modules that config.json names as not quantised.
    fn ignored(&self) -> Vec<String> {
        let config = &self.config()["quantization_config"];
        let list = config.get("ignore").unwrap_or(&config["modules_to_not_convert"]);
        list.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
    }
}

fn object(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn coded(report: &Report) -> Vec<&str> {
    let mut names: Vec<&str> = report.weights.iter().map(|weight| weight.name.as_str()).collect();
    names.sort_unstable();
    names
}

const MATRIX: &[u64] = &[64, 64];
const LAYOUTS: [CheckpointLayout; 6] = {
    use CheckpointLayout::*;
    [CtFp8, CtMxfp8, CtMxfp4, CtNvfp4, ModeloptNvfp4, DeepseekFp8]
};

/// Embeddings whose names do not say so stay in every layout, included or not, and are not in `ignore`.
#[test]
fn embeddings_of_a_known_type_are_not_quantised() {
    let model = Model::new(
        json!({"model_type": "t5", "architectures": ["T5ForConditionalGeneration"]}),
        &[
            ("shared.weight", MATRIX),
            ("encoder.block.0.layer.0.SelfAttention.q.weight", MATRIX),
            ("encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight", &[32, 64]),
            ("encoder.block.0.layer.1.DenseReluDense.wi_0.weight", MATRIX),
            ("encoder.block.0.layer.1.layer_norm.weight", &[64]),
            ("lm_head.weight", MATRIX),
        ],
    );
    let linear = [
        "encoder.block.0.layer.0.SelfAttention.q.weight",
        "encoder.block.0.layer.1.DenseReluDense.wi_0.weight",
    ];
    for layout in LAYOUTS {
        let report = model.quantize(layout, &[]).unwrap();
        assert_eq!(coded(&report), linear, "{layout}");
        assert_eq!(model.ignored(), ["lm_head"], "{layout}");
        assert_eq!(report.linear_layers.unwrap().rule(), "linear layers by architecture: t5");
        let all = model.quantize(layout, &["*"]).unwrap();
        assert_eq!(coded(&all), [&linear[..], &["lm_head.weight"]].concat(), "{layout}");
        assert!(model.ignored().is_empty(), "{layout}: {:?}", model.ignored());
    }
}

/// A norm in the model's name does not count for its layers. For an unknown type names decide, and the report says so.
#[test]
fn unknown_type_is_decided_by_names() {
    let weights: [(&str, &[u64]); 6] = [
        ("roberta_prelayernorm.encoder.layer.0.attention.self.query.weight", MATRIX),
        ("roberta_prelayernorm.embeddings.word_embeddings.weight", MATRIX),
        ("roberta_prelayernorm.shared.weight", MATRIX),
        ("roberta_prelayernorm.rel_pos_emb.weight", MATRIX),
        ("roberta_prelayernorm.decoder.output.weight", &[96, 64]),
        ("roberta_prelayernorm.norm.weight", MATRIX),
    ];
    let rules = [
        (
            json!({"model_type": "no-such", "vocab_size": 96}),
            "linear layers by name: the model type no-such is unknown",
        ),
        (json!({"vocab_size": 96}), "linear layers by name: no config.json names a model type"),
    ];
    for (config, rule) in rules {
        let model = Model::new(config, &weights);
        let report = model.quantize(CheckpointLayout::CtMxfp4, &[]).unwrap();
        assert_eq!(coded(&report), [weights[0].0]);
        let linear = report.linear_layers.unwrap();
        assert_eq!((linear.by_name.len(), linear.rule().as_str()), (6, rule));
    }
    let known = json!({"model_type": "roberta-prelayernorm", "architectures": ["RobertaPreLayerNormModel"]});
    let model = Model::new(known, &weights);
    let report = model.quantize(CheckpointLayout::CtMxfp4, &[]).unwrap();
    assert!(coded(&report).contains(&weights[0].0) && !coded(&report).contains(&weights[1].0));
    let rule = report.linear_layers.unwrap().rule();
    assert!(rule.starts_with("linear layers by architecture: roberta-prelayernorm; by name "), "{rule}");
}

/// `ignore` has the output head exactly if it is not quantised: for files with or without it, in every layout and in mixes.
#[test]
fn heads_are_ignored_unless_quantised() {
    let body: [(&str, &[u64]); 3] = [
        ("model.embed_tokens.weight", &[96, 64]),
        ("model.layers.0.mlp.up_proj.weight", MATRIX),
        ("model.layers.0.mlp.down_proj.weight", MATRIX),
    ];
    let apart = [&body[..], &[("lm_head.weight", &[96, 64][..])]].concat();
    let config = |tied: bool| json!({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "tie_word_embeddings": tied});
    for layout in LAYOUTS {
        for (tied, weights) in [(true, &body[..]), (false, &apart), (true, &apart)] {
            let model = Model::new(config(tied), weights);
            model.quantize(layout, &[]).unwrap();
            assert_eq!(model.ignored(), ["lm_head"], "{layout}");
            assert_eq!(model.config()["tie_word_embeddings"], tied);
            if weights.len() > body.len() {
                let report = model.quantize(layout, &["lm_head.weight", "*proj.weight"]).unwrap();
                assert_eq!(report.weights.len(), 3);
                assert!(model.ignored().is_empty(), "{layout}");
                // A quantised head cannot be tied to the embeddings.
                assert_eq!(model.config()["tie_word_embeddings"], false);
                assert_eq!(report.notes.iter().any(|note| note.contains("tie_word_embeddings")), tied);
                model.quantize(layout, &["lm_head.weight"]).unwrap();
                assert_eq!(model.ignored(), ["model.layers.0.mlp.down_proj", "model.layers.0.mlp.up_proj"]);
            }
        }
    }
    let model = Model::new(config(false), &apart);
    let auto = Auto::new(&[], None, false, ErrorMeasure::Mse, None).unwrap();
    let options =
        Options { include: vec!["*".to_owned()], ..Options::new(Action::Assigned(Assignment::default())) };
    run_auto(&model.at("model"), &model.at("q"), &options, &auto, &Silent).unwrap();
    assert!(model.ignored().is_empty());
}

/// The tensor scale of a weight in NVFP4.
fn over(model: &Model, module: &str) -> f32 {
    f32s(&bytes(&model.at("q/model.safetensors"), &format!("{module}.weight_global_scale")))[0]
}

#[test]
fn projections_that_readers_fuse_share_the_tensor_scale() {
    let cases: [(&str, &[&str], &[&str]); 6] = [
        (
            "qwen3_next",
            &["l.0.linear_attn.in_proj_qkvz", "l.0.linear_attn.in_proj_ba"],
            &["l.0.linear_attn.out_proj"],
        ),
        ("no-such", &["b.0.attn.to_q", "b.0.attn.to_k", "b.0.attn.to_v"], &["b.0.attn.to_out.0"]),
        ("t5", &["e.0.DenseReluDense.wi_0", "e.0.DenseReluDense.wi_1"], &["e.0.DenseReluDense.wo"]),
        ("bert", &["l.0.self.query", "l.0.self.key", "l.0.self.value"], &["l.0.output.dense"]),
        ("mixtral", &["m.experts.0.w1", "m.experts.0.w3"], &["m.experts.0.w2", "m.experts.1.w1"]),
        ("qwen", &["h.0.mlp.w1", "h.0.mlp.w2"], &["h.1.mlp.w1"]),
    ];
    for (model_type, fused, others) in cases {
        let modules = [fused, others].concat();
        let names: Vec<String> = modules.iter().map(|module| format!("{module}.weight")).collect();
        let weights: Vec<(&str, &[u64])> = names.iter().map(|name| (name.as_str(), MATRIX)).collect();
        let model = Model::new(json!({"model_type": model_type}), &weights);
        let report = model.quantize(CheckpointLayout::CtNvfp4, &["*"]).unwrap();
        assert_eq!(report.weights.len(), weights.len(), "{model_type}");
        let first = over(&model, fused[0]);
        assert!(fused.iter().all(|module| over(&model, module) == first), "{model_type}");
        assert!(others.iter().all(|module| over(&model, module) != first), "{model_type}");
    }
}

/// Unquantised parts of a fused projection, or of a layer's experts, are named in a note.
#[test]
fn weights_loaded_together_are_noted_if_they_differ() {
    let model = Model::new(
        json!({"model_type": "mixtral", "architectures": ["MixtralForCausalLM"]}),
        &[
            ("model.layers.0.self_attn.q_proj.weight", MATRIX),
            ("model.layers.0.self_attn.k_proj.weight", MATRIX),
            ("model.layers.0.block_sparse_moe.experts.0.w1.weight", MATRIX),
            ("model.layers.0.block_sparse_moe.experts.0.w3.weight", MATRIX),
            ("model.layers.0.block_sparse_moe.experts.1.w1.weight", MATRIX),
        ],
    );
    let report = model.quantize(CheckpointLayout::CtNvfp4, &["*q_proj.weight", "*experts.0.*"]).unwrap();
    let noted = |part: &str| report.notes.iter().any(|note| note.contains(part));
    assert!(noted("k_proj.weight' is not") && noted("all experts of a layer or none"), "{:?}", report.notes);
    let report = model.quantize(CheckpointLayout::CtNvfp4, &["*_proj.weight"]).unwrap();
    assert!(!report.notes.iter().any(|note| note.contains("is not:")), "{:?}", report.notes);
    // vLLM looks up the experts by the first, under the names of most models.
    for name in ["gate_proj", "up_proj", "down_proj", "w1", "w3"] {
        let module = format!("model.layers.0.block_sparse_moe.experts.0.{name}");
        assert!(model.ignored().contains(&module), "{module}: {:?}", model.ignored());
    }
}

/// Experts in three dimensions stay if a layout is for matrices, and are named as readers look them up.
#[test]
fn unquantised_stacked_experts_are_ignored() {
    let model = Model::new(
        json!({"model_type": "gpt_oss", "architectures": ["GptOssForCausalLM"]}),
        &[
            ("model.layers.3.self_attn.o_proj.weight", MATRIX),
            ("model.layers.3.mlp.router.weight", MATRIX),
            ("model.layers.3.mlp.experts.gate_up_proj", &[2, 64, 64]),
        ],
    );
    for layout in LAYOUTS {
        model.quantize(layout, &[]).unwrap();
        let ignored = model.ignored();
        for name in
            ["mlp.router", "mlp.experts.0.gate_proj", "mlp.experts.0.up_proj", "mlp.experts.0.down_proj"]
        {
            assert!(ignored.contains(&format!("model.layers.3.{name}")), "{layout} {name}: {ignored:?}");
        }
        let whole = ignored.contains(&"model.layers.3.mlp.experts".to_owned());
        assert_eq!(whole, layout == CheckpointLayout::DeepseekFp8);
    }
    // Codes that another layout does not support become numbers, and are named too.
    model.quantize(CheckpointLayout::GptOss, &[]).unwrap();
    let convert = Options::new(Action::Convert { layout: CheckpointLayout::CtFp8, rule: None });
    run(&model.at("q"), &model.at("c"), &convert, &Silent).unwrap();
    let config = object(&model.at("c/config.json"));
    let ignored = config["quantization_config"]["ignore"].as_array().unwrap();
    assert!(ignored.contains(&json!("model.layers.3.mlp.experts.0.gate_proj")), "{ignored:?}");
}

#[test]
fn files_in_subfolders_are_copied_or_reported() {
    let model = Model::new(json!({"model_type": "bert"}), &[("l.0.self.query.weight", MATRIX)]);
    let put = |name: &str, text: &str| {
        let path = model.at("model").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let copied = [
        "1_Pooling/config.json",
        "additional_chat_templates/tool_use.jinja",
        "2_Dense/model.safetensors",
        "a/b/c.txt",
    ];
    let omitted = ["original/model.safetensors", "pytorch_model.bin"];
    for name in copied.iter().chain(&omitted) {
        put(name, name);
    }
    put("modules.json", r#"[{"path": ""}, {"path": "1_Pooling"}, {"path": "2_Dense"}]"#);
    put(".cache/huggingface/x", "x");
    let report = model.quantize(CheckpointLayout::CtFp8, &[]).unwrap();
    for name in copied {
        assert_eq!(fs::read_to_string(model.at("q").join(name)).unwrap(), name);
    }
    assert!(!model.at("q/.cache").exists());
    let note = report.notes.iter().find(|note| note.starts_with("not copied")).unwrap();
    for name in omitted {
        assert!(!model.at("q").join(name).exists() && note.contains(name), "{note}");
    }
    // A folder within the input is not copied into itself.
    let options = Options::new(Action::Quantize { layout: CheckpointLayout::CtFp8, rule: None });
    run(&model.at("model"), &model.at("model/out"), &options, &Silent).unwrap();
    assert!(model.at("model/out/a/b/c.txt").exists() && !model.at("model/out/out").exists());
}

/// Quark stores MXFP4 under the names of ModelOpt's NVFP4, with scales of another type and no tensor scale.
#[test]
fn quark_mxfp4_is_read() {
    let folder = common::Folder::new();
    let codes: Vec<u8> = (0..64).collect();
    let scales = vec![128, 127, 126, 130];
    let quark = folder.safetensors(
        "quark.safetensors",
        &[
            ("a.weight", ElementType::U8, &[2, 32], codes.clone()),
            ("a.weight_scale", ElementType::U8, &[2, 2], scales.clone()),
        ],
        &[],
    );
    let packed = folder.safetensors(
        "ct.safetensors",
        &[
            ("a.weight_packed", ElementType::U8, &[2, 32], codes),
            ("a.weight_scale", ElementType::U8, &[2, 2], scales),
        ],
        &[],
    );
    let numbers = |input: &Path, name: &str| {
        let output = folder.path(name);
        run(input, &output, &Options::new(Action::Dequantize { dtype: Some(Dtype::F32) }), &Silent).unwrap();
        f32s(&bytes(&output, "a.weight"))
    };
    assert_eq!(numbers(&quark, "a.safetensors"), numbers(&packed, "b.safetensors"));
    // Rows that are not a whole number of blocks are in another format of Quark's.
    let wrong = folder.safetensors(
        "wrong.safetensors",
        &[
            ("a.weight", ElementType::U8, &[2, 48], vec![0; 96]),
            ("a.weight_scale", ElementType::U8, &[2, 2], vec![127; 4]),
        ],
        &[],
    );
    let options = Options::new(Action::Dequantize { dtype: None });
    let error = run(&wrong, &folder.path("c.safetensors"), &options, &Silent).unwrap_err().to_string();
    assert!(error.contains("[2, 3] for 'a.weight'"), "{error}");
}
