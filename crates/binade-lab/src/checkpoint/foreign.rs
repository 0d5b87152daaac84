//! Refuses codes of unsupported layouts, recognised by config.json, by the names of tensors, or by scales beside them. A
//! checkpoint with copies of such codes beside other layouts would not load anywhere.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use binade_files::{Container, ElementType, Tensor};
use serde_json::{Map, Value};

use super::calibration::kind_of;
use super::error::CheckpointError;
use super::store::{CONFIG, Checkpoint, HF_QUANT_CONFIG, json};
use crate::Error;

/// Supported values of `quant_method` in config.json.
const METHODS: [&str; 5] = ["compressed-tensors", "fp8", "modelopt", "mxfp4", "mxfp8"];

/// Supported values of `format` of compressed-tensors. Weights of `dense` are not quantised.
const FORMATS: [&str; 7] = [
    "dense",
    "float-quantized",
    "naive-quantized",
    "mxfp8-quantized",
    "mxfp4-pack-quantized",
    "nvfp4-pack-quantized",
    "mixed-precision",
];

/// Supported values of `quant_algo` of ModelOpt.
const ALGORITHMS: [&str; 7] =
    ["fp8", "fp8_per_channel_per_token", "fp8_pb_wo", "nvfp4", "w4a16_nvfp4", "mxfp8", "mixed_precision"];

/// Condition under which a tensor with a name has unsupported codes.
#[derive(Clone, Copy)]
enum Condition {
    Always,
    /// Its elements are integers.
    Integers,
    /// Another tensor has the same name with this ending.
    Beside(&'static str),
}

/// Endings of names that only unsupported codes have, and the layout.
const NAMES: [(&str, Condition, &str); 21] = {
    use Condition::{Always, Beside, Integers};
    [
        (".qweight", Integers, "GPTQ, AWQ or a relative of them"),
        (".qzeros", Always, "GPTQ, AWQ or a relative of them"),
        (".q_weight", Integers, "ExLlamaV2"),
        (".trellis", Integers, "ExLlamaV3 or QTIP"),
        (".Qidxs", Always, "QuIP#"),
        (".W_q", Integers, "HQQ"),
        (".codebooks", Beside(".codes"), "AQLM"),
        (".centroids", Beside(".indices"), "VPTQ"),
        (".centroids.weight", Beside(".indices"), "VPTQ"),
        (".dense_weights", Integers, "SpQR"),
        (".absmax", Always, "bitsandbytes"),
        (".quant_map", Always, "bitsandbytes"),
        (".quant_state.bitsandbytes__nf4", Always, "bitsandbytes"),
        (".quant_state.bitsandbytes__fp4", Always, "bitsandbytes"),
        (".SCB", Always, "bitsandbytes"),
        (".comfy_quant", Always, "ComfyUI"),
        ("scaled_fp8", Always, "ComfyUI"),
        ("._data", Beside("._scale"), "Quanto"),
        ("_qdata", Always, "torchao"),
        (".pre_quant_scale", Always, "ModelOpt's AWQ"),
        (".bitmask", Beside(".compressed"), "compressed-tensors' sparse weights"),
    ]
};

/// Refuses a checkpoint whose configuration declares unsupported codes.
pub(crate) fn refuse_declared(checkpoint: &Checkpoint<'_>) -> Result<(), Error> {
    let files = || checkpoint.shards.iter().map(|shard| &shard.side.noted.input);
    let tensors = || files().flat_map(|input| input.tensors());
    // A file of numbers may be in the folder of another model.
    if files().any(|input| input.container() != Container::Safetensors)
        || !checkpoint.folder && tensors().all(|tensor| is_number(tensor.element()))
    {
        return Ok(());
    }
    let folder = match checkpoint.folder {
        true => &*checkpoint.path,
        false => checkpoint.path.parent().unwrap_or(Path::new("")),
    };
    let refused = |file: &str, what: String| -> Result<(), Error> {
        Err(CheckpointError::Declared { path: folder.join(file), what }.into())
    };
    if let Some(reason) = checkpoint.config.as_ref().and_then(wrong_type) {
        return Err(CheckpointError::Json { path: folder.join(CONFIG), reason }.into());
    }
    for declared in checkpoint.config.iter().flat_map(declarations) {
        if let Some(what) = not_read(declared) {
            return refused(CONFIG, what);
        }
    }
    let of_modelopt = match json(&folder.join(HF_QUANT_CONFIG)) {
        // A single file may be in the folder of another model.
        Err(_) if !checkpoint.folder => None,
        read => read?,
    };
    if let Some(reason) = of_modelopt.as_ref().and_then(wrong_type_of_modelopt) {
        return Err(CheckpointError::Json { path: folder.join(HF_QUANT_CONFIG), reason }.into());
    }
    let algorithms = of_modelopt.as_ref().and_then(|config| config.get("quantization")?.as_object());
    match algorithms.and_then(algorithm_not_read) {
        Some(what) => refused(HF_QUANT_CONFIG, what),
        None => Ok(()),
    }
}

/// The first field of a configuration that must be of another type, and would otherwise be read as missing.
fn wrong_type(config: &Map<String, Value>) -> Option<String> {
    let mut parts = vec![config];
    while let Some(part) = parts.pop() {
        for key in ["quantization_config", "compression_config"] {
            let declared = part.get(key);
            let inside = format!("{key}.quant_method");
            let method = declared.and_then(|declared| declared.get("quant_method"));
            let found = wrong(key, "an object", declared, Value::is_object)
                .or_else(|| wrong(&inside, "a string", method, Value::is_string));
            if found.is_some() {
                return found;
            }
        }
        parts.extend(part.values().filter_map(Value::as_object));
    }
    // Some versions of transformers write an object of types, by part of the model.
    let is_dtype = |value: &Value| value.is_string() || value.is_object();
    wrong("model_type", "a string", config.get("model_type"), Value::is_string)
        .or_else(|| wrong("dtype", "a string", config.get("dtype"), is_dtype))
        .or_else(|| wrong("torch_dtype", "a string", config.get("torch_dtype"), is_dtype))
        .or_else(|| wrong("vocab_size", "a number", config.get("vocab_size"), Value::is_number))
}

/// As `wrong_type`, for ModelOpt's own file.
fn wrong_type_of_modelopt(config: &Map<String, Value>) -> Option<String> {
    let quantization = config.get("quantization");
    let algorithm = quantization.and_then(|quantization| quantization.get("quant_algo"));
    wrong("quantization", "an object", quantization, Value::is_object)
        .or_else(|| wrong("quantization.quant_algo", "a string", algorithm, Value::is_string))
}

/// A sentence that says what a field must be, if it is there and of another type.
fn wrong(key: &str, wanted: &str, found: Option<&Value>, is_right: fn(&Value) -> bool) -> Option<String> {
    let found = found.filter(|found| !found.is_null() && !is_right(found))?;
    Some(format!("{key} must be {wanted}, not {}", kind_of(found)))
}

/// Every `quantization_config` of a configuration. Composite models have nested ones.
fn declarations(config: &Map<String, Value>) -> Vec<&Map<String, Value>> {
    let (mut found, mut parts) = (vec![], vec![config]);
    while let Some(part) = parts.pop() {
        for (key, value) in part {
            let Value::Object(value) = value else { continue };
            match &**key {
                "quantization_config" | "compression_config" => found.push(value),
                _ => parts.push(value),
            }
        }
    }
    found
}

fn text<'a>(map: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    map.get(key)?.as_str()
}

/// The unsupported part of a declaration.
fn not_read(declared: &Map<String, Value>) -> Option<String> {
    let flag = |key: &str| declared.get(key).and_then(Value::as_bool) == Some(true);
    let method = text(declared, "quant_method").map(str::to_ascii_lowercase);
    match method.as_deref() {
        Some(method) if !METHODS.contains(&method) => {
            return Some(format!("quant_method '{method}'"));
        }
        Some(_) => {}
        None if flag("load_in_4bit") || flag("load_in_8bit") => return Some("bitsandbytes".to_owned()),
        None if declared.is_empty()
            || ["config_groups", "quant_algo", "weight_block_size"]
                .iter()
                .any(|key| declared.contains_key(*key)) => {}
        None => return Some("a quantization_config without quant_method".to_owned()),
    }
    let groups = declared.get("config_groups").and_then(Value::as_object);
    let of_groups = groups.into_iter().flat_map(|groups| groups.values()).filter_map(|group| {
        let group = group.as_object()?;
        text(group, "format")
    });
    if matches!(method.as_deref(), None | Some("compressed-tensors"))
        && let Some(format) =
            text(declared, "format").into_iter().chain(of_groups).find(|format| !FORMATS.contains(format))
    {
        return Some(format!("compressed-tensors' format '{format}'"));
    }
    let filled = |key: &str| declared.get(key).and_then(Value::as_object).is_some_and(|map| !map.is_empty());
    let sparse =
        declared.get("sparsity_config").and_then(Value::as_object).and_then(|map| text(map, "format"));
    match sparse {
        Some(format) if format != "dense" => Some(format!("sparse weights of format '{format}'")),
        _ if filled("transform_config") => Some("weights that a transform_config rotates".to_owned()),
        _ => algorithm_not_read(declared),
    }
}

/// The unsupported algorithm of ModelOpt; for mixed precision, one of the layers' algorithms.
fn algorithm_not_read(declared: &Map<String, Value>) -> Option<String> {
    let layers = declared.get("quantized_layers").and_then(Value::as_object);
    let of_layers = layers.into_iter().flat_map(|layers| layers.values()).filter_map(|layer| {
        let layer = layer.as_object()?;
        text(layer, "quant_algo")
    });
    let known = |algorithm: &str| ALGORITHMS.iter().any(|known| known.eq_ignore_ascii_case(algorithm));
    let unknown =
        text(declared, "quant_algo").into_iter().chain(of_layers).find(|algorithm| !known(algorithm))?;
    Some(format!("ModelOpt's quant_algo '{unknown}'"))
}

/// Returns true for the element types of weights that are not quantised.
fn is_number(element: &ElementType) -> bool {
    use ElementType::{Bf16, F16, F32, F64};
    matches!(element, Bf16 | F16 | F32 | F64)
}

/// Returns true for element types that may be codes.
fn is_narrow(element: &ElementType) -> bool {
    !is_number(element) && !matches!(element, ElementType::Bool | ElementType::F8E8M0)
}

fn is_integer(element: &ElementType) -> bool {
    use ElementType::{I8, I16, I32, I64, U8, U16, U32, U64};
    matches!(element, I8 | I16 | I32 | I64 | U8 | U16 | U32 | U64)
}

/// The tensors of a file or checkpoint by name.
pub(crate) struct Names<'a> {
    path: PathBuf,
    all: HashMap<&'a str, &'a Tensor>,
    /// Names of the scales in each module.
    scales: HashMap<&'a str, Vec<&'a str>>,
}

/// Splits a tensor's name into module and name within it.
fn split(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or(("", name))
}

/// Returns true for names of scales: of weights, activations or caches.
pub(crate) fn is_scale(name: &str) -> bool {
    let lower = split(name).1.to_ascii_lowercase();
    ["scal", "scb", "absmax"].iter().any(|word| lower.contains(word))
}

/// Returns true if `name` is a scale of the weight `weight` in the same module. It depends on the words of the name; scales
/// of activations and caches contain other words.
fn is_scale_of(name: &str, weight: &str) -> bool {
    let rest = match name.strip_prefix(weight) {
        Some(rest) if rest.is_empty() || rest.starts_with('_') => rest,
        _ if weight == "weight" => name,
        _ => return false,
    };
    let mut scale = false;
    let words = rest.split('_').all(|word| {
        let lower = word.to_ascii_lowercase();
        let says = matches!(&*lower, "scale" | "scales" | "qscale" | "scb" | "absmax" | "scaling");
        scale |= says;
        says || matches!(
            &*lower,
            "" | "weight"
                | "inv"
                | "inverse"
                | "global"
                | "block"
                | "tensor"
                | "channel"
                | "group"
                | "factor"
                | "1"
                | "2"
        )
    });
    words && scale
}

impl<'a> Names<'a> {
    pub(crate) fn new(path: &Path, tensors: impl Iterator<Item = &'a Tensor>) -> Names<'a> {
        let all: HashMap<&str, &Tensor> = tensors.map(|tensor| (tensor.name(), tensor)).collect();
        let mut scales: HashMap<&str, Vec<&str>> = HashMap::new();
        for &name in all.keys() {
            if is_scale(name) {
                scales.entry(split(name).0).or_default().push(name);
            }
        }
        // Sorted, because the order of the map varies.
        scales.values_mut().for_each(|names| names.sort_unstable());
        Names { path: path.to_owned(), all, scales }
    }

    /// Refuses names of unsupported codes.
    pub(crate) fn refuse_others(&self) -> Result<(), Error> {
        let mut names: Vec<&&str> = self.all.keys().collect();
        names.sort_unstable();
        for name in names {
            let of = const { &NAMES }.iter().find(|(ending, when, _)| {
                let stem = name.strip_suffix(ending);
                stem.is_some_and(|stem| match when {
                    Condition::Always => true,
                    Condition::Integers => is_integer(self.all[name].element()),
                    Condition::Beside(other) => self.all.contains_key(&*format!("{stem}{other}")),
                })
            });
            if let Some((_, _, of)) = of {
                let (path, tensor) = (self.path.clone(), (*name).to_owned());
                return Err(CheckpointError::Foreign { path, tensor, of }.into());
            }
        }
        Ok(())
    }

    /// Names of the scales beside a tensor, except those of activations.
    fn scales_of<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'a str> + use<'a, 'n> {
        let (module, own) = split(name);
        let within = |module: &str| self.scales.get(module).into_iter().flatten().copied();
        let beside = within(module).filter(move |scale| *scale != name && is_scale_of(split(scale).1, own));
        beside.chain(within(name).filter(|scale| is_scale_of(split(scale).1, "weight")))
    }

    /// The first of these scales.
    pub(crate) fn scale_of(&self, name: &str) -> Option<&'a str> {
        self.scales_of(name).next()
    }

    /// The first tensor of codes that would be taken for numbers, if it or one of its scales is in `taken`.
    pub(crate) fn codes_among(&self, taken: impl Fn(&str) -> bool) -> Option<&'a str> {
        let mut names: Vec<&&str> = self.all.keys().collect();
        names.sort_unstable();
        names.into_iter().copied().find(|name| {
            is_narrow(self.all[name].element())
                && self.scales_of(name).any(|scale| taken(scale) || taken(name))
        })
    }

    /// Refuses a tensor of narrow floats or integers that has a scale beside it, unless it is in `known`, the tensors of
    /// supported codes.
    pub(crate) fn refuse_scaled(&self, tensor: &Tensor, known: &HashSet<String>) -> Result<(), Error> {
        let element = tensor.element();
        if !is_narrow(element) {
            return Ok(());
        }
        match self.scale_of(tensor.name()).filter(|scale| !known.contains(*scale)) {
            None => Ok(()),
            Some(scale) => {
                let (path, element) = (self.path.clone(), element.clone());
                let (tensor, scale) = (tensor.name().to_owned(), scale.to_owned());
                Err(CheckpointError::ScaledCodes { path, tensor, element, scale }.into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn fields_of_a_wrong_type_are_named() {
        let found = |value: Value| wrong_type(value.as_object().unwrap()).unwrap_or_default();
        for (value, expected) in [
            (json!({"quantization_config": []}), "quantization_config must be an object, not a list"),
            (
                json!({"text_config": {"quantization_config": {"quant_method": 3}}}),
                "quantization_config.quant_method must be a string, not a number",
            ),
            (json!({"model_type": 5}), "model_type must be a string, not a number"),
            (json!({"torch_dtype": true}), "torch_dtype must be a string, not a boolean"),
            (json!({"vocab_size": "many"}), "vocab_size must be a number, not a string"),
            (json!({"quantization_config": null, "dtype": {"": "bfloat16"}, "vocab_size": 9}), ""),
        ] {
            assert_eq!(found(value), expected);
        }
        let found = |value: Value| wrong_type_of_modelopt(value.as_object().unwrap()).unwrap_or_default();
        for (value, expected) in [
            (json!({"quantization": []}), "quantization must be an object, not a list"),
            (
                json!({"quantization": {"quant_algo": 4}}),
                "quantization.quant_algo must be a string, not a number",
            ),
            (json!({"quantization": {"quant_algo": null}}), ""),
        ] {
            assert_eq!(found(value), expected);
        }
    }

    #[test]
    fn scales_of_weights_are_recognised_by_their_words() {
        for name in [
            "scale",
            "_scale",
            "scale_inv",
            "scale_weight",
            "weight_scale",
            "weight_scale_inv",
            "weight_scale_2",
            "scales",
            "weight_scales",
            "qscale_weight",
            "SCB",
            "weight_global_scale",
            "weight_inverse_scale",
            "scaling_factor",
        ] {
            assert!(is_scale_of(name, "weight"), "{name}");
        }
        for name in [
            "input_scale",
            "scale_input",
            "k_scale",
            "v_scale",
            "activation_scale",
            "weight",
            "bias",
            "output_scale",
            "logit_scale",
            "input_scale_ub",
            "scale_shift_table",
        ] {
            assert!(!is_scale_of(name, "weight"), "{name}");
        }
        assert!(is_scale_of("gate_up_proj_scale_inv", "gate_up_proj") && is_scale_of("w1_scale", "w1"));
        assert!(!is_scale_of("gate_up_proj_activation_scale", "gate_up_proj"));
        assert!(!is_scale_of("down_proj_scale_inv", "gate_up_proj") && !is_scale_of("w13_scale", "w1"));
    }

    #[test]
    fn unsupported_declarations_are_recognised() {
        let not_read = |value: Value| not_read(value.as_object().unwrap());
        for method in [
            "awq",
            "gptq",
            "gptq_marlin",
            "bitsandbytes",
            "hqq",
            "eetq",
            "aqlm",
            "quark",
            "torchao",
            "fbgemm_fp8",
            "vptq",
            "spqr",
            "higgs",
            "quanto",
            "bitnet",
            "auto-round",
            "fp_quant",
            "exl2",
            "AWQ",
            "gguf",
            "sinq",
            "metal",
            "nvfp4",
        ] {
            let what = not_read(json!({"quant_method": method})).unwrap();
            assert_eq!(what, format!("quant_method '{}'", method.to_ascii_lowercase()));
        }
        for read in [
            json!({}),
            json!({"quant_method": "fp8", "weight_block_size": [128, 128], "fmt": "e4m3"}),
            json!({"quant_method": "mxfp4", "modules_to_not_convert": []}),
            json!({"quant_method": "modelopt", "quant_algo": "NVFP4"}),
            json!({"quant_method": "compressed-tensors", "format": "mixed-precision",
                "config_groups": {"group_0": {"format": "nvfp4-pack-quantized"}},
                "sparsity_config": {"format": "dense"}, "transform_config": {}}),
        ] {
            assert_eq!(not_read(read.clone()), None, "{read}");
        }
        for (declared, what) in [
            (json!({"load_in_8bit": true}), "bitsandbytes"),
            (json!({"bits": 4, "group_size": 128}), "without quant_method"),
            (
                json!({"quant_method": "compressed-tensors", "format": "pack-quantized"}),
                "format 'pack-quantized'",
            ),
            (json!({"config_groups": {"g": {"format": "int-quantized"}}}), "format 'int-quantized'"),
            (
                json!({"quant_method": "compressed-tensors", "sparsity_config": {"format": "sparse-24-bitmask"}}),
                "sparse",
            ),
            (
                json!({"quant_method": "compressed-tensors", "transform_config": {"config_groups": {}}}),
                "rotates",
            ),
            (json!({"quant_method": "modelopt", "quant_algo": "W4A8_AWQ"}), "'W4A8_AWQ'"),
            (
                json!({"quant_algo": "MIXED_PRECISION", "quantized_layers": {"a": {"quant_algo": "INT4_AWQ"}}}),
                "'INT4_AWQ'",
            ),
        ] {
            let found = not_read(declared.clone()).unwrap_or_default();
            assert!(found.contains(what), "{declared}: {found}");
        }
        let nested =
            json!({"text_config": {"quantization_config": {"quant_method": "awq"}}, "model_type": "x"});
        assert_eq!(declarations(nested.as_object().unwrap()).len(), 1);
    }
}
