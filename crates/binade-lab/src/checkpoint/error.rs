//! Errors of checkpoints.

use std::path::PathBuf;

use binade::block::ScaleRule;
use binade_files::ElementType;
use thiserror::Error;

use super::scheme::CheckpointLayout;

/// An error of reading or writing a checkpoint.
#[derive(Debug, Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The message of a variant says what its fields are.
pub enum CheckpointError {
    #[error("unknown layout '{name}': {}", did_you_mean(.nearest))]
    Layout { name: String, nearest: Vec<&'static str> },
    #[error("layout {layout} has no scale rule {rule}: it takes {}", .layout.rules().iter().map(|rule| rule.name()).collect::<Vec<_>>().join(", "))]
    Rule { layout: CheckpointLayout, rule: ScaleRule },
    #[error("{}: cannot {action}: {source}", path.display())]
    Io { path: PathBuf, action: &'static str, source: std::io::Error },
    #[error("{}: not the expected JSON: {reason}", path.display())]
    Json { path: PathBuf, reason: String },
    #[error("{}: no .safetensors file in this folder", path.display())]
    NoShards { path: PathBuf },
    #[error("{}: invalid file name {name:?} in the index: must end with .safetensors and have no folder", path.display())]
    ShardName { path: PathBuf, name: String },
    #[error("{}: missing file '{shard}', which the index names", path.display())]
    ShardMissing { path: PathBuf, shard: String },
    #[error("{}: missing file '{shard}', which the names of other files count", path.display())]
    ShardUncounted { path: PathBuf, shard: String },
    #[error("{}: the index places '{tensor}' in {shard}, but it is {found}", path.display())]
    Index { path: PathBuf, tensor: String, shard: String, found: String },
    #[error("{}: duplicate tensor '{tensor}': in {first} and in {second}", path.display())]
    Twice { path: PathBuf, tensor: String, first: String, second: String },
    #[error("{}: '{tensor}' is quantised ({reason}), but '{missing}' is missing", path.display())]
    Missing { path: PathBuf, tensor: String, missing: String, reason: &'static str },
    #[error("{}: '{tensor}' has scales, but {codes}", path.display())]
    Orphan { path: PathBuf, tensor: String, codes: String },
    #[error("{}: it declares {what}, whose codes are not supported: use the checkpoint before it was quantised, or one by compressed-tensors (FP8, MXFP8, MXFP4, NVFP4), fp8, modelopt or mxfp4", path.display())]
    Declared { path: PathBuf, what: String },
    #[error("{}: '{tensor}' is of {of}, whose codes are not supported: use the checkpoint before it was quantised", path.display())]
    Foreign { path: PathBuf, tensor: String, of: &'static str },
    #[error("{}: '{tensor}' of {element} has codes that '{scale}' scales, in an unsupported layout: FP8 needs scales named '.weight_scale', '.weight_scale_inv' or, for stacked experts, '_scale_inv'", path.display())]
    ScaledCodes { path: PathBuf, tensor: String, element: ElementType, scale: String },
    #[error("{}: '{tensor}' must be {wanted}, not {found}", path.display())]
    Shape { path: PathBuf, tensor: String, wanted: String, found: String },
    #[error("{}: scale {index} in '{tensor}' is {value}, which is not a valid scale", path.display())]
    Scale { path: PathBuf, tensor: String, index: u64, value: f64 },
    #[error("{}: '{tensor}' is a zero point: only symmetric weights are supported", path.display())]
    ZeroPoint { path: PathBuf, tensor: String },
    #[error("{}: element {index} of '{tensor}' is {value}, but quantised weights must be finite; exclude the tensor", path.display())]
    NotFinite { path: PathBuf, tensor: String, index: u64, value: f64 },
    #[error("{}: rows of '{tensor}' have {columns} elements, not a multiple of the block of {block}; exclude it or choose another layout", path.display())]
    Divisible { path: PathBuf, tensor: String, columns: u64, block: u64 },
    #[error("{}: rows of '{tensor}' have {columns} elements: at most {most} supported", path.display())]
    RowTooLong { path: PathBuf, tensor: String, columns: u64, most: u64 },
    #[error("{}: '{tensor}' is quantised already: `binade convert` changes its layout, `binade dequantize` undoes it", path.display())]
    Quantised { path: PathBuf, tensor: String },
    #[error("{}: no quantised tensor", path.display())]
    NothingQuantised { path: PathBuf },
    #[error("{}: no tensor that layout {layout} quantises: {reason}", path.display())]
    Nothing { path: PathBuf, layout: CheckpointLayout, reason: String },
    #[error("{}: no tensor that layout {layout} quantises: {reason}", path.display())]
    NothingInGguf { path: PathBuf, layout: &'static str, reason: String },
    #[error("{}: not a GGUF file: layouts 'gguf-…' need one, because it has the model's tokenizer and hyperparameters", path.display())]
    NotGguf { path: PathBuf },
    #[error("{}: '{tensor}' is of {element}, whose codes are not supported: the types are F32, F16, BF16, Q4_0 to Q8_0, Q2_K to Q6_K, IQ4_NL, IQ4_XS, TQ1_0, TQ2_0, MXFP4 and NVFP4", path.display())]
    GgufCodes { path: PathBuf, tensor: String, element: ElementType },
    #[error("{}: duplicate tensor name '{name}' in the output", path.display())]
    NameTaken { path: PathBuf, name: String },
    #[error("{}: the folder is not empty: --force writes into it", path.display())]
    NotEmpty { path: PathBuf },
    #[error("{}: an unfinished checkpoint is in this folder: --resume continues it, --force starts anew", path.display())]
    Unfinished { path: PathBuf },
    #[error("{}: nothing to resume: {reason}", path.display())]
    Resume { path: PathBuf, reason: String },
    #[error("{}: input and output must differ", path.display())]
    SamePlace { path: PathBuf },
    #[error("{}: input and output must both be files, or both folders", path.display())]
    FolderOrFile { path: PathBuf },
    #[error("{}: --shared needs a folder: its files are the pieces", path.display())]
    NoFolder { path: PathBuf },
    #[error("interrupted; {}: {done} of {shards} files are complete; --resume continues", path.display())]
    Interrupted { path: PathBuf, done: usize, shards: usize },
    #[error("invalid clip '{0}': must be largest, mse or percentile=P, as percentile=99.9")]
    Clip(String),
    #[error(
        "layout {0} without --calibration FILE: it has a static scale for the inputs of each layer, from a file that `binade.torch.calibrate` writes"
    )]
    Uncalibrated(CheckpointLayout),
    #[error("layout {layout} has no static scales of activations: --calibration is for {}", CheckpointLayout::calibrated().map(CheckpointLayout::name).collect::<Vec<_>>().join(", "))]
    NoStaticScales { layout: CheckpointLayout },
    #[error("{}: no statistics of {what} for '{module}': calibrate the model whose weights these are, or exclude the layer", path.display())]
    NotCalibrated { path: PathBuf, what: &'static str, module: String },
    #[error("{}: no keys and values, which the scales of a key-value cache need: calibrate with the key-value cache", path.display())]
    NoCacheStatistics { path: PathBuf },
    #[error("{}: no {what} for the {of}: it has {known}", path.display())]
    Statistic { path: PathBuf, of: String, what: String, known: String },
    #[error("{}: the {clip} of the {of} is infinite or NaN, but a scale must be finite: exclude the layer, or clip by a percentile", path.display())]
    NotFiniteStatistic { path: PathBuf, of: String, clip: String },
    #[error("{}: the {clip} of the {of} is 0, but other numbers were observed: clip by largest, or exclude the layer", path.display())]
    ZeroStatistic { path: PathBuf, of: String, clip: String },
    #[error("{}: '{module}' is not in {}: calibrate the model whose weights these are", path.display(), checkpoint.display())]
    UnknownModule { path: PathBuf, module: String, checkpoint: PathBuf },
    #[error("{}: none of its layers is in {}, such as {layers}: calibrate the model whose weights these are", path.display(), checkpoint.display())]
    NoKnownLayer { path: PathBuf, layers: String, checkpoint: PathBuf },
    #[error("{}: no finite element of the {of} was observed{}: calibrate on text that reaches the layer, or exclude it", path.display(), infinities(*.not_finite))]
    Unobserved { path: PathBuf, of: String, not_finite: u64 },
    #[error("{}: the {clip} of the {of} is {magnitude:e}, whose scale {scale:.1e} is beyond the normal binary32 numbers: exclude the layer, or clip otherwise", path.display())]
    TinyStatistic { path: PathBuf, of: String, clip: String, magnitude: f64, scale: f64 },
    #[error("{}: {missing} of {of} weights have no static scale of their inputs, which {layout} needs: {names}; calibrate the model and give the file with --calibration, or exclude these weights", path.display())]
    MissingInputScales { path: PathBuf, layout: CheckpointLayout, missing: usize, of: usize, names: String },
    #[error("{}: {missing} of {of} key-value caches have only one of k_scale and v_scale, without {names}; calibrate the model, keys and values included, and give the file with --calibration, or leave all out with --calibration and --kv none", path.display())]
    MissingCacheScales { path: PathBuf, missing: usize, of: usize, names: String },
    #[error("invalid type of weights {0}: must be bf16, f16 or f32")]
    Dtype(String),
}

fn infinities(count: u64) -> String {
    if count == 0 { String::new() } else { format!(", but {count} infinities and NaNs") }
}

fn did_you_mean(nearest: &[&str]) -> String {
    match nearest {
        [] => format!("must be one of {}", CheckpointLayout::ALL.map(CheckpointLayout::name).join(", ")),
        _ => format!("did you mean {}?", nearest.join(" or ")),
    }
}
