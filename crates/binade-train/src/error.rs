//! What can go wrong.

use std::io;
use std::path::PathBuf;

use binade_data::DataError;
use binade_hlo::ProgramError;
use binade_hlo::eval::EvalError;
use binade_hlo::eval::rules::RuleError;
use thiserror::Error;

/// Why a model cannot be trained.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainError {
    /// No built-in model of this name, and no folder.
    #[error("unknown model '{name}': {}; a model of one's own is a folder (`binade train --new FOLDER` starts one)", known(.nearest, .all))]
    UnknownModel {
        /// The name.
        name: String,
        /// Names like it.
        nearest: Vec<&'static str>,
        /// All names.
        all: Vec<&'static str>,
    },
    /// A model whose script is in the repository, but whose programs are too large for the command.
    #[error(
        "{name} is exported on demand: in binade's repository, `python models/export.py models/{name}` (with JAX), then `binade train models/{name}`"
    )]
    OnDemand {
        /// The name.
        name: &'static str,
    },
    /// A folder with the script of a model that has not been exported.
    #[error("{0}: the model is not exported yet: `python models/export.py {0}` of binade's repository does it (with JAX)", .folder.display())]
    NotExported {
        /// The folder.
        folder: PathBuf,
    },
    /// A folder that does not hold a model.
    #[error("{}: no model: there is no {missing}; a model's folder has model.json, init.mlir, train_step.mlir and evaluate.mlir", .folder.display())]
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
        /// What the system said.
        source: io::Error,
    },
    /// A file that cannot be written.
    #[error("{}: cannot write: {source}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Something that is there already and is not to be replaced.
    #[error("{} is there already", .0.display())]
    Exists(PathBuf),
    /// A manifest that is not JSON of the right form.
    #[error("{place}: {source}")]
    ManifestText {
        /// The file.
        place: String,
        /// What is wrong, with line and column.
        source: serde_json::Error,
    },
    /// A manifest that contradicts itself.
    #[error("{place}: {reason}")]
    Manifest {
        /// The file.
        place: String,
        /// What is wrong.
        reason: String,
    },
    /// A program that is not one.
    #[error("{place}: {source}")]
    Program {
        /// The file.
        place: String,
        /// What is wrong, with its line.
        source: Box<ProgramError>,
    },
    /// A program without the function that is run.
    #[error("{place}: there is no function '@main'; there {}", functions(.found))]
    NoMain {
        /// The file.
        place: String,
        /// The functions that it has.
        found: Vec<String>,
    },
    /// A program with another number of arguments or results than its manifest says.
    #[error("{place}: @main has {found} {what}s, model.json says {expected}: {listed}")]
    Count {
        /// The file.
        place: String,
        /// Argument or result.
        what: &'static str,
        /// What the manifest says.
        expected: usize,
        /// What the program has.
        found: usize,
        /// The manifest's names.
        listed: String,
    },
    /// A program whose argument or result is of another type than its manifest says.
    #[error("{place}: {what} {at} of @main ('{name}') is {found}, model.json says {expected}")]
    Signature {
        /// The file.
        place: String,
        /// Argument or result.
        what: &'static str,
        /// Its number, from 0.
        at: usize,
        /// Its name in the manifest.
        name: String,
        /// The type that the manifest says.
        expected: String,
        /// The type that the program has.
        found: String,
    },
    /// Data.
    #[error(transparent)]
    Data(#[from] DataError),
    /// Data that do not fit the model.
    #[error("the data {data} do not fit the model {model}: {reason}")]
    Unfit {
        /// The data.
        data: String,
        /// The model.
        model: String,
        /// Why.
        reason: String,
    },
    /// An arithmetic.
    #[error("{0}")]
    Arithmetic(#[from] RuleError),
    /// An arithmetic twice.
    #[error("the arithmetic {0} is given twice")]
    Twice(String),
    /// What is not one operator, where there must be one.
    #[error("'{0}' is not an operator: parts are swapped for one, as bf16:bf16 or bf16:f32/order=pairwise")]
    NoOperator(String),
    /// A model whose locations name no parts that an operator computes.
    #[error(
        "no location in train_step.mlir names a part that {0} computes: layers are jax.named_scope, listed as \"scopes\" in model.json"
    )]
    NoParts(String),
    /// A rule for a part that does nothing.
    #[error("'{0}': train_step.mlir has no such part that it computes; --blame lists the parts")]
    NoSuchPart(String),
    /// A search in which nothing is cheaper than binary32.
    #[error("none of the operators {0} is cheaper than f32's: there is nothing to search for")]
    NothingCheaper(String),
    /// A budget in which not even the measure fits.
    #[error(
        "a budget of {budget} steps is too small: binary32 and the cheapest operator take {needed} steps"
    )]
    Budget {
        /// The budget.
        budget: u64,
        /// What is needed.
        needed: u64,
    },
    /// A search whose measure diverges.
    #[error("training diverges under f32: there is no range to stay in")]
    NoRange,
    /// A cell that is not there.
    #[error("there is no cell {cell}: there are {count}, from 0")]
    NoCell {
        /// The cell.
        cell: usize,
        /// How many there are.
        count: usize,
    },
    /// A program that fails.
    #[error("{program}, step {step}, {cell}: {source}")]
    Evaluation {
        /// Which program.
        program: &'static str,
        /// The step.
        step: u64,
        /// The cell.
        cell: String,
        /// What is wrong.
        source: Box<EvalError>,
    },
    /// A training that came to other bits when it was looked into.
    #[error("{cell}: {what} came to other bits; this is a fault of binade")]
    OtherBits {
        /// The cell.
        cell: String,
        /// What was done.
        what: &'static str,
    },
    /// A checkpoint file.
    #[error(transparent)]
    File(#[from] binade_files::Error),
    /// A checkpoint that cannot be gone on from.
    #[error("{}: {reason}", .path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// A checkpoint that is there already, though nothing is to be gone on with.
    #[error("{} is there already: --resume goes on from it, another --checkpoint folder starts again", .0.display())]
    CheckpointExists(PathBuf),
    /// A log or a result that is not what `binade train` writes.
    #[error("{}{}: {reason}", .path.display(), .line.map_or(String::new(), |line| format!(":{line}")))]
    Record {
        /// The file.
        path: PathBuf,
        /// The line of a log.
        line: Option<usize>,
        /// What is wrong with it.
        reason: String,
    },
}

fn known(nearest: &[&str], all: &[&str]) -> String {
    match nearest {
        [] => format!("it is one of {}", all.join(", ")),
        _ => format!("did you mean {}?", nearest.join(" or ")),
    }
}

fn functions(found: &[String]) -> String {
    if found.is_empty() { "is none".to_owned() } else { format!("are {}", found.join(", ")) }
}
