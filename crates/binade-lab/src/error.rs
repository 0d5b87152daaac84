//! What can go wrong, with the file and the tensor where it did.

use std::path::PathBuf;

use binade_files::Container;
use thiserror::Error;

use crate::scale::ScaleError;

/// Why files were not quantised or compared.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A file that cannot be read or written.
    #[error(transparent)]
    File(#[from] binade_files::Error),
    /// A format's name that is not understood.
    #[error(transparent)]
    Format(#[from] binade::SpecError),
    /// A scale that is not understood.
    #[error(transparent)]
    Scale(#[from] ScaleError),
    /// A checkpoint that is not what it should be.
    #[error(transparent)]
    Checkpoint(#[from] crate::checkpoint::CheckpointError),
    /// Candidates among which nothing could be chosen.
    #[error(transparent)]
    Select(#[from] crate::select::SelectError),
    /// A bias that is neither a number nor `auto`.
    #[error("bias '{text}' is not understood: it is auto or a whole number")]
    Bias {
        /// What was given.
        text: String,
    },
    /// A format whose best bias cannot be searched for.
    #[error(
        "{format}: a bias is searched for in formats of precision 12 and 8 exponent bits at most; name one"
    )]
    BiasSearch {
        /// The format.
        format: String,
    },
    /// Two ways to fit the range at once.
    #[error(
        "a searched bias is a scale itself: choose bias auto with scale none, or a scale with a fixed bias"
    )]
    BiasAndScale,
    /// A glob that is not understood.
    #[error("the pattern '{pattern}' is not understood: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: binade_glob::GlobError,
    },
    /// A file name of one kind for contents of the other.
    #[error("{}: the output is a {container} file; its name says otherwise", path.display())]
    Kind {
        /// The output.
        path: PathBuf,
        /// The kind that is written.
        container: Container,
    },
    /// Nothing that can be quantised.
    #[error("{}: no tensor to quantise: {reason}", path.display())]
    Nothing {
        /// The input.
        path: PathBuf,
        /// Why each was left out.
        reason: String,
    },
    /// An axis that a tensor does not have.
    #[error("{}: {} has {rank} axes, so channel:{axis} is not one of them; exclude it or choose another scale", path.display(), subject(tensor))]
    Axis {
        /// The input.
        path: PathBuf,
        /// The tensor.
        tensor: String,
        /// The axis asked for.
        axis: isize,
        /// How many it has.
        rank: usize,
    },
    /// A scale's name that is taken.
    #[error("{}: the scales of {} would be called '{name}', which is there already", path.display(), subject(tensor))]
    NameTaken {
        /// The input.
        path: PathBuf,
        /// The tensor to be scaled.
        tensor: String,
        /// The name.
        name: String,
    },
    /// Notes on a tensor that do not fit it.
    #[error("{}: the notes on {} are wrong: {reason}", path.display(), subject(tensor))]
    Notes {
        /// The file.
        path: PathBuf,
        /// The tensor.
        tensor: String,
        /// What does not fit.
        reason: String,
    },
    /// A code that its format does not have.
    #[error("{}: element {index} of {} is {code:#x}, which is not a code of {format}", path.display(), subject(tensor))]
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
    /// The notes beside an .npy file could not be read or written.
    #[error("{}: cannot {action}: {source}", path.display())]
    Beside {
        /// The file of notes.
        path: PathBuf,
        /// What was attempted.
        action: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
    /// A conversion that the kernels refuse.
    #[error(transparent)]
    Kernel(#[from] binade_kernels::KernelError),
    /// A file of several tensors, or none, where one array is wanted.
    #[error("{}: {count} tensors, where one is wanted: name it, {}:NAME", path.display(), path.display())]
    Several {
        /// The file.
        path: PathBuf,
        /// How many it has.
        count: usize,
    },
    /// A tensor that is not there.
    #[error("{}: there is no tensor '{}' in it", path.display(), tensor.escape_debug())]
    NoTensor {
        /// The file.
        path: PathBuf,
        /// The name.
        tensor: String,
    },
    /// Elements that are not numbers.
    #[error("{}: elements of {element} are not read as numbers; name the format of codes", path.display())]
    NotNumbers {
        /// The file.
        path: PathBuf,
        /// Their type.
        element: String,
    },
    /// A number that an operand of a product cannot be.
    #[error(
        "{}: element {index} is {value:e}, which binary32 does not hold: products are of binary32 numbers, and rounding \
         it first would round twice; `binade quantize --format f32` does so on purpose", path.display()
    )]
    NotBinary32 {
        /// The file.
        path: PathBuf,
        /// The element.
        index: u64,
        /// Its value.
        value: f64,
    },
    /// A start of sums of products in blocks.
    #[error("products in blocks start from zeros: add C to the result instead")]
    AddToBlocks,
    /// Shapes of a product that do not fit.
    #[error("{what} {found:?} does not fit: {wanted}")]
    Shape {
        /// Which operand.
        what: &'static str,
        /// Its shape.
        found: Vec<u64>,
        /// What would fit.
        wanted: String,
    },
    /// An operator and an order that do not go together.
    #[error(transparent)]
    Multiplier(#[from] binade_fma::MultiplierError),
    /// Matrices that a kernel refuses.
    #[error(transparent)]
    Matrix(#[from] binade_fma::ShapeError),
    /// A measurement that cannot be made.
    #[error("{reason}")]
    Bench {
        /// Why not.
        reason: String,
    },
    /// Threads could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads {
        /// How many.
        threads: usize,
        /// What the system said.
        reason: String,
    },
    /// [`crate::Progress::cancelled`] said so.
    #[error("interrupted; nothing was written")]
    Cancelled,
}

/// A tensor in a message: the one array of an npy file has no name.
fn subject(tensor: &str) -> String {
    if tensor.is_empty() { "the array".to_owned() } else { format!("the tensor '{}'", tensor.escape_debug()) }
}
