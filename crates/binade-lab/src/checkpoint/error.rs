//! Errors of checkpoints.

use std::path::PathBuf;

use binade::block::ScaleRule;
use binade_files::ElementType;
use thiserror::Error;

use super::CheckpointLayout;

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
    #[error("{}: it is not the JSON that is expected here: {reason}", path.display())]
    Json { path: PathBuf, reason: String },
    #[error("{}: no .safetensors file is in this folder", path.display())]
    NoShards { path: PathBuf },
    #[error("{}: the index has the file name {name:?}; a name without folders, ending with .safetensors, is needed", path.display())]
    ShardName { path: PathBuf, name: String },
    #[error("{}: the index has the file '{shard}', which is not in the folder", path.display())]
    ShardMissing { path: PathBuf, shard: String },
    #[error("{}: '{shard}', which the names of other files count, is not in the folder", path.display())]
    ShardUncounted { path: PathBuf, shard: String },
    #[error("{}: the index says that '{tensor}' is in {shard}, and it is {found}", path.display())]
    Index { path: PathBuf, tensor: String, shard: String, found: String },
    #[error("{}: the tensor '{tensor}' is in {first} and in {second}", path.display())]
    Twice { path: PathBuf, tensor: String, first: String, second: String },
    #[error("{}: '{tensor}' is quantised ({reason}), and '{missing}' is not there", path.display())]
    Missing { path: PathBuf, tensor: String, missing: String, reason: &'static str },
    #[error("{}: '{tensor}' holds scales, and {codes}", path.display())]
    Orphan { path: PathBuf, tensor: String, codes: String },
    #[error("{}: it declares {what}, whose codes are not read: give the checkpoint before it was quantised, or one that compressed-tensors (FP8, MXFP8, MXFP4, NVFP4), fp8, modelopt or mxfp4 made", path.display())]
    Declared { path: PathBuf, what: String },
    #[error("{}: '{tensor}' is of {of}, whose codes are not read: give the checkpoint before it was quantised", path.display())]
    Foreign { path: PathBuf, tensor: String, of: &'static str },
    #[error("{}: '{tensor}' of {element} is codes, which '{scale}' scales: they are not read in this layout, and are no numbers; FP8 is read beside '.weight_scale', '.weight_scale_inv' and, of stacked experts, '_scale_inv'", path.display())]
    Scaled { path: PathBuf, tensor: String, element: ElementType, scale: String },
    #[error("{}: '{tensor}' would be {wanted}, and is {found}", path.display())]
    Shape { path: PathBuf, tensor: String, wanted: String, found: String },
    #[error("{}: scale {index} in '{tensor}' is {value}, which is not a scale", path.display())]
    Scale { path: PathBuf, tensor: String, index: u64, value: f64 },
    #[error("{}: '{tensor}' has a zero point; only symmetric weights are read", path.display())]
    ZeroPoint { path: PathBuf, tensor: String },
    #[error("{}: element {index} of '{tensor}' is {value}, which quantised weights do not hold; exclude the tensor", path.display())]
    NotFinite { path: PathBuf, tensor: String, index: u64, value: f64 },
    #[error("{}: rows of '{tensor}' have {columns} elements, not a multiple of the block of {block}; exclude it or choose another layout", path.display())]
    Divisible { path: PathBuf, tensor: String, columns: u64, block: u64 },
    #[error("{}: rows of '{tensor}' have {columns} elements; at most {most} are worked on at once", path.display())]
    RowTooLong { path: PathBuf, tensor: String, columns: u64, most: u64 },
    #[error("{}: '{tensor}' is quantised already: `binade convert` changes its layout, `binade dequantize` undoes it", path.display())]
    Quantised { path: PathBuf, tensor: String },
    #[error("{}: no tensor is quantised in it", path.display())]
    NothingQuantised { path: PathBuf },
    #[error("{}: no tensor that layout {layout} quantises: {reason}", path.display())]
    Nothing { path: PathBuf, layout: CheckpointLayout, reason: String },
    #[error("{}: two tensors would be called '{name}'", path.display())]
    NameTaken { path: PathBuf, name: String },
    #[error("{}: the folder is not empty; --force writes into it", path.display())]
    NotEmpty { path: PathBuf },
    #[error("{}: an unfinished checkpoint is in this folder: --resume goes on with it, --force starts again", path.display())]
    Unfinished { path: PathBuf },
    #[error("{}: nothing to go on with: {reason}", path.display())]
    Resume { path: PathBuf, reason: String },
    #[error("{}: input and output are the same", path.display())]
    SamePlace { path: PathBuf },
    #[error("{}: a folder is written to a folder, and a file to a file", path.display())]
    FolderOrFile { path: PathBuf },
    #[error("{}: --shared is for folders: their files are the pieces", path.display())]
    NoFolder { path: PathBuf },
    #[error("interrupted; {}: {done} of {shards} files are done, and --resume goes on from there", path.display())]
    Interrupted { path: PathBuf, done: usize, shards: usize },
    #[error("{0} is not a type of weights: it is bf16, f16 or f32")]
    Dtype(String),
}

fn did_you_mean(nearest: &[&str]) -> String {
    match nearest {
        [] => format!("it is one of {}", CheckpointLayout::ALL.map(CheckpointLayout::name).join(", ")),
        _ => format!("did you mean {}?", nearest.join(" or ")),
    }
}
