//! Errors of loading and training models.

use std::io;
use std::path::PathBuf;

use binade::recipe::RecipeError;
use binade_data::DataError;
use binade_hlo::ProgramError;
use binade_hlo::eval::EvalError;
use binade_hlo::eval::rules::RuleError;
use binade_kernels::KernelError;
use thiserror::Error;

/// An error of loading or training a model.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainError {
    /// No built-in model has this name, and no folder.
    #[error("unknown model '{name}': {}; `binade train --new FOLDER` starts a new model", known(.nearest, .all))]
    UnknownModel {
        /// The name.
        name: String,
        /// Similar names.
        nearest: Vec<&'static str>,
        /// All names.
        all: Vec<&'static str>,
    },
    /// The repository has the model's script, but its programs are too large to be built in.
    #[error(
        "{name} is not built in: in binade's repository, run `python models/export.py models/{name}` (with JAX), then `binade train models/{name}`"
    )]
    OnDemand {
        /// The name.
        name: &'static str,
    },
    /// The folder has a model's script, but the model has not been exported.
    #[error("{0}: the model is not exported yet: in binade's repository, run `python models/export.py {0}` (with JAX)", .folder.display())]
    NotExported {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder has no model.
    #[error("{}: not a model: {missing} is missing; a model's folder has model.json, init.mlir, train_step.mlir and evaluate.mlir", .folder.display())]
    NotModel {
        /// The folder.
        folder: PathBuf,
        /// The first file that is missing.
        missing: &'static str,
    },
    /// A file that cannot be read.
    #[error("{}: cannot read: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file that cannot be written.
    #[error("{}: cannot write: {source}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file or folder exists and must not be replaced.
    #[error("{} exists already: name another folder", .0.display())]
    Exists(PathBuf),
    /// The manifest is not valid JSON of the expected form.
    #[error("{place}: {source}")]
    ManifestText {
        /// The file.
        place: String,
        /// The problem, with line and column.
        source: serde_json::Error,
    },
    /// The manifest contradicts itself.
    #[error("{place}: {reason}")]
    Manifest {
        /// The file.
        place: String,
        /// The contradiction.
        reason: String,
    },
    /// The program is not valid.
    #[error("{place}: {source}")]
    Program {
        /// The file.
        place: String,
        /// The problem, with its line.
        source: Box<ProgramError>,
    },
    /// The program has no function `main`.
    #[error("{place}: missing function '@main'; the program has {}", functions(.found))]
    NoMain {
        /// The file.
        place: String,
        /// The functions that it has.
        found: Vec<String>,
    },
    /// The program's number of arguments or results differs from the manifest.
    #[error("{place}: @main must have {expected} {what}s as in model.json, not {found}: {listed}")]
    Count {
        /// The file.
        place: String,
        /// "argument" or "result".
        what: &'static str,
        /// The number in the manifest.
        expected: usize,
        /// The number in the program.
        found: usize,
        /// The manifest's names.
        listed: String,
    },
    /// The type of an argument or result differs from the manifest.
    #[error("{place}: {what} {at} of @main ('{name}') must be {expected} as in model.json, not {found}")]
    Signature {
        /// The file.
        place: String,
        /// "argument" or "result".
        what: &'static str,
        /// Its number, from 0.
        at: usize,
        /// Its name in the manifest.
        name: String,
        /// The type in the manifest.
        expected: String,
        /// The type in the program.
        found: String,
    },
    /// A problem with the data.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The data do not fit the model.
    #[error("the data {data} do not fit the model {model}: {reason}")]
    DataMismatch {
        /// The data.
        data: String,
        /// The model.
        model: String,
        /// The reason.
        reason: String,
    },
    /// An invalid arithmetic.
    #[error("{0}")]
    Arithmetic(#[from] RuleError),
    /// An invalid recipe.
    #[error("{0}")]
    Recipe(#[from] RecipeError),
    /// A stored tensor that cannot be rounded to its format.
    #[error("the tensors that are stored after step {step}: {source}")]
    Stored {
        /// The step.
        step: u64,
        /// The error of the kernels.
        source: KernelError,
    },
    /// A duplicate arithmetic.
    #[error("duplicate arithmetic {0}: name each once")]
    DuplicateArithmetic(String),
    /// The name is not an operator, where one is needed.
    #[error("'{0}' is not an operator: name one, such as bf16:bf16 or bf16:f32/order=pairwise")]
    NotAnOperator(String),
    /// No location of the program names a part that the operator computes.
    #[error(
        "no location in train_step.mlir names a part that {0} computes: each layer needs a jax.named_scope, listed under \"scopes\" in model.json"
    )]
    NoParts(String),
    /// A rule names a part that matches no operation.
    #[error("'{0}': train_step.mlir has no such part with operations to compute; --blame lists the parts")]
    NoSuchPart(String),
    /// A recipe leaves a layer that no product of the model has.
    #[error(
        "{arithmetic}: leave: '{pattern}' matches no layer of the model: {}, and 'first' and 'last' are known",
        layers.join(", ")
    )]
    NoSuchLayer {
        /// The arithmetic.
        arithmetic: String,
        /// The pattern.
        pattern: String,
        /// The layers with products.
        layers: Vec<String>,
    },
    /// Two recipes from files with the same name.
    #[error(
        "two recipes are called {0}, and differ: give one of the files another name, or a line `name = \"…\"`"
    )]
    SameRecipeName(String),
    /// Only recipes, where accumulators of operators are followed.
    #[error(
        "--swamping follows the sums of operators, and {0} quantises the operands of its products: name an operator as well, such as \
         bf16:f32"
    )]
    SwampingOfRecipes(String),
    /// A recipe where a search needs operators.
    #[error(
        "'{0}' is a recipe: --search weighs the area of operators, which recipes do not have. Name operators such as bf16:bf16, or use \
         --blame to see the part of the recipe that costs most"
    )]
    RecipeInSearch(String),
    /// No operator of a search is cheaper than binary32.
    #[error("none of the operators {0} is cheaper than f32: a search needs a cheaper one")]
    NothingCheaper(String),
    /// The budget is too small for the first two trials of a search.
    #[error(
        "a budget of {budget} steps is too small: binary32 and the cheapest operator take {needed} steps"
    )]
    Budget {
        /// The budget.
        budget: u64,
        /// Steps needed.
        needed: u64,
    },
    /// Binary32 diverges, so a search has no range to compare with.
    #[error("training diverges under f32: a search needs f32's losses for comparison")]
    DivergesInF32,
    /// A cell number out of range.
    #[error("there is no cell {cell}: there are {count}, numbered from 0")]
    NoCell {
        /// The cell.
        cell: usize,
        /// Number of cells.
        count: usize,
    },
    /// A program fails.
    #[error("{program}, step {step}, {cell}: {source}")]
    Evaluation {
        /// The program.
        program: &'static str,
        /// The step.
        step: u64,
        /// The cell.
        cell: String,
        /// The problem.
        source: Box<EvalError>,
    },
    /// A repeated training gave different bits.
    #[error("{cell}: {what} gave different bits; this is a bug in binade")]
    OtherBits {
        /// The cell.
        cell: String,
        /// The repeated run.
        what: &'static str,
    },
    /// A problem with a checkpoint file.
    #[error(transparent)]
    File(#[from] binade_files::Error),
    /// A checkpoint that cannot be resumed.
    #[error("{}: {reason}", .path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// A checkpoint exists, but `--resume` was not given.
    #[error("{} exists already: --resume continues from it, another --checkpoint folder starts anew", .0.display())]
    CheckpointExists(PathBuf),
    /// A log or a result that `binade train` did not write.
    #[error("{}{}: {reason}", .path.display(), .line.map_or(String::new(), |line| format!(":{line}")))]
    Record {
        /// The file.
        path: PathBuf,
        /// The line, for a log.
        line: Option<usize>,
        /// The problem.
        reason: String,
    },
}

fn known(nearest: &[&str], all: &[&str]) -> String {
    match nearest {
        [] => format!("must be one of {}", all.join(", ")),
        _ => format!("did you mean {}?", nearest.join(" or ")),
    }
}

fn functions(found: &[String]) -> String {
    if found.is_empty() { "none".to_owned() } else { found.join(", ") }
}
