//! Writes the quantisation into config.json (`quantization_config`) and into ModelOpt's own file, for the readers of a
//! layout.

use serde_json::{Map, Value, json};

use super::scheme::{CheckpointLayout, module_of};

/// Static scales that the checkpoint has beside those of weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct StaticScales {
    /// Scales of the inputs of layers.
    pub(crate) inputs: bool,
    /// Scales of keys and values.
    pub(crate) cache: bool,
}

/// The `quantization_config` of a layout; `left` are the modules that were not quantised.
pub(crate) fn quantization(layout: CheckpointLayout, left: &[String], scales: StaticScales) -> Value {
    use CheckpointLayout::*;
    match layout {
        CtFp8 | CtFp8Static | CtMxfp8 | CtMxfp4 | CtNvfp4 => compressed_tensors(layout, left, scales),
        ModeloptNvfp4 => modelopt(left, scales),
        GptOss => json!({"quant_method": "mxfp4", "modules_to_not_convert": left}),
        DeepseekFp8 => json!({
            "quant_method": "fp8",
            "fmt": "e4m3",
            "activation_scheme": "dynamic",
            "weight_block_size": [128, 128],
            "modules_to_not_convert": left,
        }),
    }
}

fn producer() -> Value {
    json!({"name": "binade", "version": env!("CARGO_PKG_VERSION")})
}

fn modelopt(left: &[String], scales: StaticScales) -> Value {
    let args = json!({"dynamic": false, "num_bits": 4, "type": "float", "group_size": 16});
    let mut group = json!({"weights": args, "targets": ["Linear"]});
    if scales.inputs {
        group["input_activations"] = args;
    }
    let mut quantization = json!({
        "quant_method": "modelopt",
        "quant_algo": modelopt_algorithm(scales),
        "config_groups": {"group_0": group},
        "ignore": left,
        "producer": producer(),
    });
    if scales.cache {
        quantization["kv_cache_scheme"] = json!({"dynamic": false, "num_bits": 8, "type": "float"});
    }
    quantization
}

/// ModelOpt's name of the arithmetic: NVFP4 has activations in it too, W4A16_NVFP4 weights only.
fn modelopt_algorithm(scales: StaticScales) -> &'static str {
    if scales.inputs { "NVFP4" } else { "W4A16_NVFP4" }
}

/// Contents of ModelOpt's hf_quant_config.json.
pub(crate) fn hf_quant_config(left: &[String], scales: StaticScales) -> Value {
    json!({
        "producer": producer(),
        "quantization": {
            "quant_algo": modelopt_algorithm(scales),
            "kv_cache_quant_algo": if scales.cache { json!("FP8") } else { Value::Null },
            "group_size": 16,
            "exclude_modules": left,
        },
    })
}

fn compressed_tensors(layout: CheckpointLayout, left: &[String], scales: StaticScales) -> Value {
    let args = |bits: u32, strategy: &str, dynamic: bool| json!({"num_bits": bits, "type": "float", "strategy": strategy, "symmetric": true, "dynamic": dynamic});
    let with = |mut args: Value, more: &[(&str, Value)]| {
        more.iter().for_each(|(key, value)| args[*key] = value.clone());
        args
    };
    let mx = [("group_size", json!(32)), ("scale_dtype", json!("torch.uint8"))];
    let nv = [("group_size", json!(16)), ("scale_dtype", json!("torch.float8_e4m3fn"))];
    let (format, weights, activations) = match layout {
        CheckpointLayout::CtMxfp8 => ("mxfp8-quantized", with(args(8, "group", false), &mx), Value::Null),
        CheckpointLayout::CtMxfp4 => {
            ("mxfp4-pack-quantized", with(args(4, "group", false), &mx), Value::Null)
        }
        CheckpointLayout::CtNvfp4 => {
            // The global scale is static, those of blocks are computed as the model runs.
            let local = [&nv[..], &[("dynamic", json!("local"))]].concat();
            let activations =
                if scales.inputs { with(args(4, "tensor_group", false), &local) } else { Value::Null };
            ("nvfp4-pack-quantized", with(args(4, "tensor_group", false), &nv), activations)
        }
        CheckpointLayout::CtFp8Static => {
            ("float-quantized", args(8, "channel", false), args(8, "tensor", false))
        }
        // Activations are quantised dynamically, with a scale for each token.
        _ => ("float-quantized", args(8, "channel", false), args(8, "token", true)),
    };
    json!({
        "quant_method": "compressed-tensors",
        "format": format,
        "quantization_status": "compressed",
        "config_groups": {"group_0": {
            "targets": ["Linear"],
            "weights": weights,
            "input_activations": activations,
            "output_activations": null,
        }},
        "ignore": left,
        "kv_cache_scheme": if scales.cache { args(8, "tensor", false) } else { Value::Null },
    })
}

/// The `quantization_config` for several layouts of compressed-tensors: a group for each, whose targets are module names.
pub(crate) fn mixed(layouts: &[(CheckpointLayout, Vec<&str>)], left: &[String]) -> Value {
    let mut groups = Map::new();
    for (number, (layout, weights)) in layouts.iter().enumerate() {
        let mut own = compressed_tensors(*layout, &[], StaticScales::default());
        let mut group = own["config_groups"]["group_0"].take();
        group["format"] = own["format"].take();
        group["targets"] = json!(weights.iter().map(|weight| module_of(weight)).collect::<Vec<_>>());
        groups.insert(format!("group_{number}"), group);
    }
    json!({
        "quant_method": "compressed-tensors",
        "format": "mixed-precision",
        "quantization_status": "compressed",
        "config_groups": groups,
        "ignore": left,
        "kv_cache_scheme": null,
    })
}

/// A config.json with this `quantization_config`, or without one.
pub(crate) fn with_quantization(
    config: &Map<String, Value>,
    quantization: Option<Value>,
) -> Map<String, Value> {
    let mut config = config.clone();
    config.retain(|key, _| key != "quantization_config" && key != "compression_config");
    if let Some(quantization) = quantization {
        config.insert("quantization_config".to_owned(), quantization);
    }
    config
}
