//! Unsupported codes are refused by every command that reads checkpoints. Stacked FP8 experts are supported.

mod common;

use std::fs;
use std::path::Path;

use binade::{Spec, decode};
use binade_files::ElementType::{self, Bf16, F8E4M3, F8E8M0, F16, F32, I8, I32, U8};
use binade_lab::checkpoint::{Action, CheckpointLayout, Dtype, Options, run};
use binade_lab::{Silent, compare};
use serde_json::{Value, json};

use common::{Folder, bytes, bytes_of_f32, f32s, kind, options};

type Tensors<'t> = &'t [(&'t str, ElementType, &'t [u64], Vec<u8>)];

fn actions() -> [Options; 3] {
    let layout = CheckpointLayout::CtFp8;
    [
        Action::Quantize { layout, rule: None },
        Action::Convert { layout, rule: None },
        Action::Dequantize { dtype: Some(Dtype::F32) },
    ]
    .map(Options::new)
}

/// A folder of one file. Its weight `other.weight` could be quantised.
fn model(folder: &Folder, tensors: Tensors<'_>, config: Option<Value>) -> std::path::PathBuf {
    let path = folder.path("model");
    let _ = fs::remove_dir_all(&path);
    fs::create_dir(&path).unwrap();
    let other = ("other.weight", Bf16, &[4, 32][..], vec![0x3f; 256]);
    folder.safetensors("model/model.safetensors", &[&[other], tensors].concat(), &[]);
    if let Some(config) = config {
        fs::write(path.join("config.json"), config.to_string()).unwrap();
    }
    path
}

/// The error of every command that reads the checkpoint; all are the same. Nothing is written or changed.
fn refused(folder: &Folder, tensors: Tensors<'_>, config: Option<Value>) -> String {
    let model = model(folder, tensors, config.clone());
    let out = folder.path("out");
    let mut errors = vec![];
    for options in actions() {
        errors.push(run(&model, &out, &options, &Silent).map(|_| ()).unwrap_err().to_string());
        assert!(!out.exists());
    }
    let compared = compare::run(&model, &model, &compare::Options::default(), &Silent);
    errors.push(compared.map(|_| ()).unwrap_err().to_string());
    assert!(errors.iter().all(|error| *error == errors[0]), "{errors:?}");
    if let Some(config) = config {
        let found: Value = serde_json::from_slice(&fs::read(model.join("config.json")).unwrap()).unwrap();
        assert_eq!(found, config);
    }
    errors.swap_remove(0)
}

#[test]
fn unsupported_codes_declared_by_config_are_refused() {
    let folder = Folder::new();
    for method in [
        "awq",
        "gptq",
        "bitsandbytes",
        "hqq",
        "eetq",
        "aqlm",
        "quark",
        "torchao",
        "fbgemm_fp8",
        "vptq",
        "spqr",
    ] {
        let config =
            json!({"model_type": "llama", "quantization_config": {"quant_method": method, "bits": 4}});
        let error = refused(&folder, &[], Some(config));
        assert!(
            error.contains(&format!(
                "config.json: it declares quant_method '{method}', whose codes are not supported"
            )),
            "{error}"
        );
    }
    let nested = json!({"text_config": {"quantization_config": {"quant_method": "awq"}}});
    assert!(refused(&folder, &[], Some(nested)).contains("quant_method 'awq'"));
    let packed =
        json!({"quantization_config": {"quant_method": "compressed-tensors", "format": "pack-quantized"}});
    assert!(refused(&folder, &[], Some(packed)).contains("compressed-tensors' format 'pack-quantized'"));
    // ModelOpt's own file, without config.json, as in older exports.
    let path = model(&folder, &[], Some(json!({})));
    let algorithm = json!({"quantization": {"quant_algo": "W4A8_AWQ"}});
    fs::write(path.join("hf_quant_config.json"), algorithm.to_string()).unwrap();
    let error = run(&path, &folder.path("out"), &actions()[0], &Silent).unwrap_err().to_string();
    assert!(error.contains("hf_quant_config.json: it declares ModelOpt's quant_algo 'W4A8_AWQ'"), "{error}");
    // A file of such a folder is refused only if it has codes.
    let path = model(
        &folder,
        &[("x.qbits", U8, &[2], vec![0; 2])],
        Some(json!({"quantization_config": {"quant_method": "hqq"}})),
    );
    let compared = |file: &Path| compare::run(file, file, &compare::Options::default(), &Silent);
    assert!(
        compared(&path.join("model.safetensors")).unwrap_err().to_string().contains("quant_method 'hqq'")
    );
    folder.safetensors("model/adapter.safetensors", &[("x.weight", F32, &[1], vec![0; 4])], &[]);
    assert!(compared(&path.join("adapter.safetensors")).unwrap().equal);
}

#[test]
fn unsupported_codes_recognised_by_name_are_refused() {
    let folder = Folder::new();
    let one = || 1f32.to_le_bytes().to_vec();
    let scales = |name: &'static str| (name, F16, &[2, 1][..], vec![0x3c; 4]);
    let ints = |name: &'static str| (name, I32, &[2, 2][..], vec![1; 16]);
    let bytes8 = |name: &'static str| (name, U8, &[2, 2][..], vec![1; 4]);
    for (tensors, of) in [
        (vec![ints("a.qweight"), ints("a.qzeros"), scales("a.scales")], "'a.qweight' is of GPTQ, AWQ"),
        (vec![ints("a.q_weight"), scales("a.q_scale_max")], "of ExLlamaV2"),
        (
            vec![bytes8("a.weight"), ("a.weight.absmax", F32, &[1], one()), scales("a.weight.quant_map")],
            "of bitsandbytes",
        ),
        (vec![bytes8("a.weight"), bytes8("a.weight.quant_state.bitsandbytes__nf4")], "of bitsandbytes"),
        (vec![("a.weight", I8, &[2, 2], vec![1; 4]), ("a.SCB", F32, &[2], vec![0; 8])], "of bitsandbytes"),
        (vec![bytes8("a.W_q"), scales("a.meta")], "of HQQ"),
        (vec![("a.codes", I8, &[2, 2], vec![1; 4]), scales("a.codebooks")], "of AQLM"),
        (vec![ints("a.indices"), scales("a.centroids.weight")], "of VPTQ"),
        (vec![ints("a.dense_weights")], "of SpQR"),
        (
            vec![("scaled_fp8", F8E4M3, &[0], vec![]), ("a.weight", F8E4M3, &[2, 2], vec![0x38; 4])],
            "of ComfyUI",
        ),
        (vec![bytes8("a.weight"), bytes8("a.comfy_quant")], "of ComfyUI"),
        (vec![bytes8("a.weight._data"), scales("a.weight._scale")], "of Quanto"),
        (vec![("a.weight_qdata", I8, &[2, 2], vec![1; 4]), scales("a.weight_scale")], "of torchao"),
    ] {
        let error = refused(&folder, &tensors, None);
        assert!(error.contains(of) && error.contains("codes are not supported"), "{of}: {error}");
    }
    // Elements that are not codes may have such names.
    let model = model(&folder, &[scales("a.W_q"), scales("a.codebooks"), scales("a.trellis")], None);
    run(&model, &folder.path("out"), &actions()[0], &Silent).unwrap();
}

#[test]
fn codes_beside_a_scale_are_not_taken_for_numbers() {
    let folder = Folder::new();
    let one = |name: &'static str| (name, F32, &[1][..], 1f32.to_le_bytes().to_vec());
    let fp8 = |name: &'static str| (name, F8E4M3, &[2, 32][..], vec![0x38; 64]);
    for (codes, scale) in [
        ("a.weight", "a.scale_weight"),
        ("a.weight", "a.scale"),
        ("a.weight", "a._scale"),
        ("a.weight", "a.scale_inv"),
        ("a.weight", "a.weight_scales"),
        ("a.weight", "a.qscale_weight"),
        ("a.weight", "a.weight.scale"),
        ("experts.gate_up_proj", "experts.gate_up_proj_scale"),
        ("experts.gate_up_proj", "experts.gate_up_proj.scale_inv"),
    ] {
        let wanted = format!("'{codes}' of F8_E4M3 has codes that '{scale}' scales");
        let error = refused(&folder, &[fp8(codes), one(scale)], None);
        assert!(error.contains(&wanted), "{error}");
        // The same beside supported FP8.
        let read = [fp8("b.weight"), one("b.weight_scale")];
        let error = refused(&folder, &[&read[..], &[fp8(codes), one(scale)]].concat(), None);
        assert!(error.contains(&wanted), "{error}");
    }
    // FP4 in bytes under powers of two, as for the experts of DeepSeek-V4.
    let packed = ("w1.weight", I8, &[2, 16][..], vec![0x21; 32]);
    let powers = ("w1.scale", F8E8M0, &[2, 1][..], vec![127; 2]);
    let error = refused(&folder, &[packed, powers], None);
    assert!(error.contains("'w1.weight' of I8 has codes that 'w1.scale' scales"), "{error}");
    // One stack without scales among others.
    let stack = |name: &'static str| (name, F8E4M3, &[1, 2, 32][..], vec![0x38; 64]);
    let scales = ("e.down_proj_scale_inv", F32, &[1, 1, 1][..], 1f32.to_le_bytes().to_vec());
    let error = refused(&folder, &[stack("e.up_proj"), stack("e.down_proj"), scales.clone()], None);
    assert!(
        error.contains("'e.up_proj' is quantised (FP8), but 'e.up_proj_scale_inv' is missing"),
        "{error}"
    );
    let error = refused(&folder, &[scales], None);
    assert!(error.contains("'e.down_proj_scale_inv' has scales, but 'e.down_proj' is missing"), "{error}");
    // Scales of activations and caches are not scales of weights.
    let model = model(&folder, &[fp8("a.weight"), one("a.input_scale"), one("a.k_scale")], None);
    assert!(compare::run(&model, &model, &compare::Options::default(), &Silent).unwrap().equal);
}

/// FP8 experts in one tensor, their scales, and their values in binary32.
fn stacked(shape: [u64; 3], scales: &[u64], block: [u64; 2]) -> (Vec<u8>, Vec<f32>, Vec<f32>) {
    let [experts, rows, columns] = shape;
    let codes: Vec<u8> =
        (0..experts * rows * columns).map(|at| (at * 37 % 0x7f) as u8 | ((at % 2) as u8 * 0x80)).collect();
    let grid: Vec<f32> = (0..scales.iter().product::<u64>()).map(|at| 0.5 + 0.3 * at as f32).collect();
    let e4m3 = "float8_e4m3fn".parse::<Spec>().unwrap().format;
    let value = |code: u8| match decode(e4m3, code.into()) {
        binade::Value::Finite(x) => {
            x.significand as f32 * 2f32.powi(x.exponent as i32) * if x.negative { -1.0 } else { 1.0 }
        }
        other => panic!("{other:?}"),
    };
    let (down, across) = (rows.div_ceil(block[0]), columns.div_ceil(block[1]));
    let numbers = codes.iter().zip(0u64..).map(|(&code, at)| {
        let (expert, row, column) = (at / columns / rows, at / columns % rows, at % columns);
        let place = (expert * down + row / block[0]) * across + column / block[1];
        value(code) * grid[place as usize % grid.len()]
    });
    let numbers = numbers.collect();
    (codes, grid, numbers)
}

#[test]
fn stacked_experts_are_dequantised_by_their_own_grids() {
    let folder = Folder::new();
    for (shape, scales, block, declared) in [
        // 160 rows are not a multiple of 128: blocks begin anew with each expert.
        ([3, 160, 200], &[3, 2, 2][..], [128, 128], None),
        ([2, 160, 200], &[2, 5, 4], [32, 64], Some(json!([32, 64]))),
        ([2, 12, 40], &[2, 1, 1], [12, 40], None),
        ([2, 12, 40], &[2], [12, 40], None),
        // A scale for gate and one for up.
        ([2, 12, 40], &[2, 2, 1], [6, 40], None),
        ([2, 12, 40], &[2, 12, 1], [1, 40], None),
        // One scale for all.
        ([2, 12, 40], &[1], [24, 40], None),
    ] {
        let (codes, grid, wanted) = stacked(shape, scales, block);
        let tensors = [
            ("mlp.experts.gate_up_proj", F8E4M3, &shape[..], codes),
            ("mlp.experts.gate_up_proj_scale_inv", F32, scales, bytes_of_f32(&grid)),
            ("mlp.experts.gate_up_proj_activation_scale", F32, &[2], vec![0; 8]),
        ];
        let quantization = match declared {
            Some(block) => json!({"quant_method": "fp8", "weight_block_size": block}),
            None => json!({"quant_method": "fp8"}),
        };
        let model = model(&folder, &tensors, Some(json!({"quantization_config": quantization})));
        let numbers = folder.path("numbers.safetensors");
        let _ = fs::remove_file(&numbers);
        let plain = [
            ("other.weight", Bf16, &[4, 32][..], vec![0x3f; 256]),
            ("mlp.experts.gate_up_proj", F32, &shape, bytes_of_f32(&wanted)),
        ];
        folder.safetensors("numbers.safetensors", &plain, &[]);
        for threads in [1, 2] {
            let dequantize = Options { threads: Some(threads), ..actions()[2].clone() };
            let out = folder.path("out");
            run(&model, &out, &dequantize, &Silent).unwrap();
            let file = out.join("model.safetensors");
            assert_eq!(kind(&file, "mlp.experts.gate_up_proj"), (F32, shape.to_vec()));
            assert!(f32s(&bytes(&file, "mlp.experts.gate_up_proj")) == wanted, "{shape:?} {scales:?}");
            fs::remove_dir_all(&out).unwrap();
        }
        let comparison = compare::run(&model, &numbers, &compare::Options::default(), &Silent).unwrap();
        // The exact products differ from the values in binary32 by rounding only.
        let near = comparison.tensors.iter().all(|row| row.max_relative < 1e-7 && row.shape.len() > 1);
        assert!(near && comparison.tensors.len() == 2, "{shape:?} {scales:?}: {comparison:?}");
        // A weight that the layout does not quantise becomes numbers, since the old configuration is removed.
        let out = folder.path("out");
        let report = run(&model, &out, &actions()[1], &Silent).unwrap();
        assert!(report.weights.iter().any(|weight| weight.name == "mlp.experts.gate_up_proj"));
        assert_eq!(kind(&out.join("model.safetensors"), "mlp.experts.gate_up_proj").0, Bf16);
        fs::remove_dir_all(&out).unwrap();
    }
    // Scales that match no grid.
    let (codes, _, _) = stacked([2, 12, 40], &[2, 1, 1], [12, 40]);
    let tensors = [
        ("e.gate_up_proj", F8E4M3, &[2, 12, 40][..], codes),
        ("e.gate_up_proj_scale_inv", F32, &[2, 5, 3], vec![0; 120]),
    ];
    let error = refused(&folder, &tensors, None);
    assert!(error.contains("'e.gate_up_proj_scale_inv' must be [2, 1, 1] for 'e.gate_up_proj'"), "{error}");
}

#[test]
fn plain_files_of_codes_are_not_rounded() {
    let folder = Folder::new();
    let file = |tensors: Tensors<'_>| {
        let _ = fs::remove_file(folder.path("x.safetensors"));
        folder.safetensors("x.safetensors", tensors, &[])
    };
    let out = folder.path("y.safetensors");
    let number = || ("norm.weight", F32, &[2][..], vec![0; 8]);
    let fp8 = || ("a.weight", F8E4M3, &[2, 2][..], vec![0x38; 4]);
    let scale = || ("a.weight_scale", F32, &[2, 1][..], vec![0; 8]);
    let input = file(&[number(), fp8(), scale()]);
    let error = common::quantize(&input, &out, &options("bf16")).unwrap_err().to_string();
    assert!(error.contains("'a.weight' is quantised already"), "{error}");
    // Without the scales the file is valid.
    let mut excluding = options("bf16");
    excluding.exclude = vec!["*_scale".to_owned()];
    common::quantize(&input, &out, &excluding).unwrap();
    fs::remove_file(&out).unwrap();
    let mut codes = options("bf16");
    codes.include = vec!["a.weight".to_owned()];
    assert!(common::quantize(&input, &out, &codes).unwrap_err().to_string().contains("is quantised already"));
    let input =
        file(&[number(), ("a.qweight", I32, &[2, 2][..], vec![0; 16]), ("a.scales", F16, &[2], vec![0; 4])]);
    let error = common::quantize(&input, &out, &options("bf16")).unwrap_err().to_string();
    assert!(error.contains("'a.qweight' is of GPTQ, AWQ"), "{error}");
    assert!(!out.exists());
}
