//! Errors of this crate, with the file and the tensor.

use std::path::PathBuf;

use binade_files::Container;
use thiserror::Error;

use crate::scale::ScaleError;

/// An error of an operation on files of tensors.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] binade_files::Error),
    /// The name of a format is invalid.
    #[error(transparent)]
    Format(#[from] binade::SpecError),
    /// A code is not one of its format.
    #[error(transparent)]
    Datum(#[from] binade::DatumError),
    /// A scale is invalid.
    #[error(transparent)]
    Scale(#[from] ScaleError),
    /// A problem with a checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] crate::checkpoint::CheckpointError),
    /// No candidate can be selected.
    #[error(transparent)]
    Select(#[from] crate::select::SelectError),
    /// The bias is neither a number nor `auto`.
    #[error("invalid bias '{text}': must be auto or an integer")]
    Bias {
        /// The text.
        text: String,
    },
    /// The bias search does not support the format.
    #[error("{format}: the bias search takes at most precision 12 and 8 exponent bits; name a bias")]
    BiasSearch {
        /// The format.
        format: String,
    },
    /// Two ways to fit the range are combined.
    #[error(
        "bias auto and a scale exclude each other: choose bias auto with scale none, or a scale with a fixed bias"
    )]
    BiasAndScale,
    /// A scale for a block format.
    #[error("{format} has its own scales: omit --scale, or name the format of its elements with a --scale")]
    BlocksAndScale {
        /// The block format.
        format: String,
    },
    /// A bias for a block format.
    #[error("{format} is a block format with a fixed bias: omit --bias")]
    BlocksAndBias {
        /// The block format.
        format: String,
    },
    /// A folder, where a file is needed.
    #[error(
        "{}: is a folder: --format takes one .npy or .safetensors file; --layout NAME takes folders", path.display()
    )]
    FolderByFormat {
        /// The folder.
        path: PathBuf,
    },
    /// The name of a block format is invalid.
    #[error(transparent)]
    Blocks(#[from] binade::block::BlockFormatError),
    /// A glob is invalid.
    #[error("invalid pattern '{pattern}': {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// The problem.
        reason: binade_glob::GlobError,
    },
    /// An array in place of a checkpoint.
    #[error("{}: a .npy file has no layout: must be a .safetensors or .gguf file", .0.display())]
    ArrayWithoutLayout(PathBuf),
    /// The output's name has the extension of the other file type.
    #[error("{}: the name has another extension: the output is a {container} file", path.display())]
    Kind {
        /// The output.
        path: PathBuf,
        /// The file type of the output.
        container: Container,
    },
    /// No tensor can be quantised.
    #[error("{}: no tensor to quantise: {reason}", path.display())]
    Nothing {
        /// The input.
        path: PathBuf,
        /// The reasons.
        reason: String,
    },
    /// A tensor does not have the axis.
    #[error("{}: {} has {rank} axes, so channel:{axis} is out of range; exclude it or choose another scale", path.display(), subject(tensor))]
    Axis {
        /// The input.
        path: PathBuf,
        /// The tensor.
        tensor: String,
        /// The axis.
        axis: isize,
        /// Its number of axes.
        rank: usize,
    },
    /// An array does not have the axis.
    #[error("the array has {rank} axes, so channel:{axis} is out of range")]
    NoAxis {
        /// The axis.
        axis: isize,
        /// The number of axes.
        rank: usize,
    },
    /// The number of scales does not match the shape.
    #[error("the array needs {expected} scales, not {given}")]
    ScaleCount {
        /// The number of scales.
        given: u64,
        /// The number that the shape needs.
        expected: u64,
    },
    /// An element is infinite or NaN, and neither elements nor scales have a code for it.
    #[error(
        "element {index} of {} is not finite: neither {format} nor the scales of {scale} have a NaN",
        subject(tensor)
    )]
    NoNan {
        /// The tensor.
        tensor: String,
        /// Index of the element, in C order.
        index: u64,
        /// Format of the elements.
        format: String,
        /// The scale.
        scale: String,
    },
    /// The name of the scales is taken.
    #[error("{}: the scales of {} need the name '{name}', which is taken", path.display(), subject(tensor))]
    NameTaken {
        /// The input.
        path: PathBuf,
        /// The tensor to be scaled.
        tensor: String,
        /// The name.
        name: String,
    },
    /// A note does not match its tensor.
    #[error("{}: invalid notes on {}: {reason}", path.display(), subject(tensor))]
    Notes {
        /// The file.
        path: PathBuf,
        /// The tensor.
        tensor: String,
        /// The mismatch.
        reason: String,
    },
    /// A code is not one of its format.
    #[error("{}: element {index} of {} is {code:#x}, not a code of {format}", path.display(), subject(tensor))]
    Code {
        /// The file.
        path: PathBuf,
        /// The tensor.
        tensor: String,
        /// The element.
        index: u64,
        /// Its code.
        code: u64,
        /// The format.
        format: String,
    },
    /// The notes of an .npy file could not be read or written.
    #[error("{}: cannot {action}: {source}", path.display())]
    Beside {
        /// The file of notes.
        path: PathBuf,
        /// The operation that failed.
        action: &'static str,
        /// The system's error.
        source: std::io::Error,
    },
    /// The kernels refuse a conversion.
    #[error(transparent)]
    Kernel(#[from] binade_kernels::KernelError),
    /// The file has several tensors, or none, where one array is needed.
    #[error("{}: {count} tensors, but one is needed: name it as {}:NAME", path.display(), path.display())]
    Several {
        /// The file.
        path: PathBuf,
        /// Number of tensors.
        count: usize,
    },
    /// The file has no tensor with this name.
    #[error("{}: there is no tensor '{}'", path.display(), tensor.escape_debug())]
    NoTensor {
        /// The file.
        path: PathBuf,
        /// The name.
        tensor: String,
    },
    /// The elements are not numbers.
    #[error("{}: elements of {element} are not numbers: name the format of the codes", path.display())]
    NotNumbers {
        /// The file.
        path: PathBuf,
        /// Their type.
        element: String,
    },
    /// An operand has a number that binary32 cannot represent.
    #[error(
        "{}: element {index} is {value:e}, which binary32 cannot represent: products take binary32 numbers, and rounding \
         first would round twice; `binade quantize --format f32` does that explicitly", path.display()
    )]
    NotBinary32 {
        /// The file.
        path: PathBuf,
        /// The element.
        index: u64,
        /// Its value.
        value: f64,
    },
    /// Initial values for a product in blocks.
    #[error("products in blocks start from zeros: add C to the result instead")]
    AddToBlocks,
    /// The shapes of a product do not fit.
    #[error("{what} {found:?} does not fit: {wanted}")]
    Shape {
        /// The operand.
        what: &'static str,
        /// Its shape.
        found: Vec<u64>,
        /// The shape needed.
        wanted: String,
    },
    /// An operator that cannot be parsed.
    #[error(transparent)]
    Operator(#[from] binade::OperatorError),
    /// The operator does not support the order.
    #[error(transparent)]
    Multiplier(#[from] binade_fma::MultiplierError),
    /// A kernel refuses the matrices.
    #[error(transparent)]
    Matrix(#[from] binade_fma::ShapeError),
    /// A measurement cannot be made.
    #[error("{reason}")]
    Bench {
        /// The reason.
        reason: String,
    },
    /// Threads could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// The number of threads.
        threads: usize,
        /// The system's error.
        reason: String,
    },
    /// [`crate::Progress::cancelled`] returned true.
    #[error("interrupted; nothing was written")]
    Cancelled,
}

/// A tensor in a message. The array of a .npy file has no name.
fn subject(tensor: &str) -> String {
    if tensor.is_empty() { "the array".to_owned() } else { format!("the tensor '{}'", tensor.escape_debug()) }
}
