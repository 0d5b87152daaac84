//! What can go wrong, and how it is shown: once, here.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use binade::text::ValueError;
use binade::{DatumError, OperationError, SpecError};
use binade_lab::checkpoint::CheckpointError;
use thiserror::Error;

/// How the command ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// All done.
    Done,
    /// A check or comparison failed.
    CheckFailed,
    /// Usage or bad input.
    BadInput,
    /// Stopped by Ctrl-C.
    Interrupted,
    /// What a program that was run returned.
    Child(u8),
}

impl Status {
    /// The exit code.
    pub const fn code(self) -> i32 {
        match self {
            Status::Done => 0,
            Status::CheckFailed => 1,
            Status::BadInput => 2,
            Status::Interrupted => 130,
            Status::Child(code) => code as i32,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status.code() as u8)
    }
}

/// Everything that ends the command early.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A program that cannot be measured.
    #[cfg(feature = "run")]
    #[error(transparent)]
    Mix(#[from] binade_launch::mix::MixError),
    /// A file that is not an instruction mix.
    #[error("{}: {reason}: it is not what `binade mix --output` writes", path.display())]
    BadMix {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A format name.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A value.
    #[error(transparent)]
    Value(#[from] ValueError),
    /// A code that its format does not have.
    #[error(transparent)]
    Datum(#[from] DatumError),
    /// Operands or scale factors that do not fit the operation.
    #[error(transparent)]
    Operation(#[from] OperationError),
    /// A text that is not a code.
    #[error(
        "'{text}' is not a code: write 0x3c, 60, 0b111100, or {width} bits with the separators of `binade table`"
    )]
    Code {
        /// The text.
        text: String,
        /// The format's width.
        width: u32,
    },
    /// No operation of this name.
    #[error("unknown operation '{name}': {}", nearest_text(.nearest, .all))]
    UnknownOperation {
        /// The name.
        name: String,
        /// Names like it.
        nearest: Vec<String>,
        /// Every name but block_OP and scaled_OP.
        all: String,
    },
    /// A text that is not an operation specialisation.
    #[error(transparent)]
    Specialisation(#[from] binade_conformance::specialisation::SpecialisationError),
    /// A statement of conformance that cannot be checked.
    #[error(transparent)]
    Statement(#[from] binade_conformance::check::StatementError),
    /// No mode of this name.
    #[error("unknown {kind} mode '{name}': it is one of {}", .known.join(", "))]
    UnknownMode {
        /// Rounding or saturation.
        kind: &'static str,
        /// The name.
        name: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// A name that means different things in different editions of P3109.
    #[error("{name} is P3109's name for a {kind} mode and needs its edition: {meanings}")]
    EditionMissing {
        /// Rounding or saturation.
        kind: &'static str,
        /// The name.
        name: String,
        /// What it means in each edition.
        meanings: String,
    },
    /// A number of random bits out of range.
    #[error("{0} random bits are out of range: 1 to 32")]
    RandomBits(u64),
    /// Random bits for a rounding that needs none.
    #[error("random bits are for stochastic rounding, not for {0}")]
    RandomUnused(&'static str),
    /// As many formats as operands, or one, are needed.
    #[error("{name} has one operand format, or one for each of its {operands} operands, not {given}")]
    Formats {
        /// The operation.
        name: &'static str,
        /// Its operands.
        operands: usize,
        /// The formats given.
        given: usize,
    },
    /// A scale factor that is not an integer, or too large.
    #[error(
        "'{0}' is not a scale factor: an integer from -2147483648 to 2147483647, the exponent of a power of two"
    )]
    Scale(String),
    /// A table of too many rows.
    #[error(
        "a table of {name} would have 2^{width} = {rows} rows: tables are for formats of at most {most} bits"
    )]
    TableSize {
        /// The format.
        name: String,
        /// Its width.
        width: u32,
        /// Its codes.
        rows: u128,
        /// The widest allowed.
        most: u32,
    },
    /// Too many exhaustive test vectors.
    #[error("exhaustive vectors of {name} would be 2^{bits} lines: at most 2^{most} are written")]
    VectorCount {
        /// The operation.
        name: String,
        /// log2 of the count.
        bits: u32,
        /// The largest allowed.
        most: u32,
    },
    /// A word of standard input.
    #[error("line {line} of standard input: {source}")]
    Line {
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        source: Box<Error>,
    },
    /// A word that is too long to be anything.
    #[error("a word of more than {0} bytes is neither a value nor a code")]
    WordLength(usize),
    /// Some lines of a batch were bad; each has been answered.
    #[error("{bad} of {lines} lines were bad: each is answered by a line `error: …`")]
    BadLines {
        /// Bad lines.
        bad: u64,
        /// All lines.
        lines: u64,
    },
    /// Standard input.
    #[error("cannot read standard input: {0}")]
    Input(#[source] io::Error),
    /// Standard output.
    #[error("cannot write standard output: {0}")]
    Output(#[from] io::Error),
    /// JSON, to standard output.
    #[error("cannot write standard output: {0}")]
    Json(#[from] serde_json::Error),
    /// Files of tensors.
    #[error(transparent)]
    Lab(#[from] binade_lab::Error),
    /// Modes where a layout has its own.
    #[error(
        "with --layout, elements are rounded to nearest even and clamp: leave rounding and saturation out"
    )]
    LayoutModes,
    /// Options of layouts without one.
    #[error(
        "--scale-rule, --resume and --shared are for checkpoints: name a --layout; the scale rule of a block format is part of its \
         name, as in --format mxfp4@rule=even"
    )]
    LayoutMissing,
    /// What Berkeley TestFloat has no form for.
    #[error(
        "TestFloat's form fits add, subtract, multiply, fma and sqrt in one of f16, bf16, f32 and f64, convert between them, \
         compare_equal, compare_less and compare_less_equal, without random bits and with saturation overflow"
    )]
    TestFloat,
    /// Blocks that do not fit an operation.
    #[error(transparent)]
    Block(#[from] binade::ops::BlockError),
    /// Blocks that are not summed.
    #[error(transparent)]
    BlockElements(#[from] binade_fma::blocks::BlockSumError),
    /// An operator for what has no sum of elements.
    #[error(
        "--arith and --order are for block_reduce_add and block_dot_product, which sum a block's elements"
    )]
    BlockSum,
    /// A scale rule where nothing is scaled.
    #[error("--scale-rule is for convert_to_block, whose scale follows by it instead of being an operand")]
    BlockRule,
    /// One format or code where a block is, or the other way round.
    #[error("{text}: {}", if *.block { "a block is wanted: formats SCALE/ELEMENT, codes SCALE:ELEMENT,ELEMENT" } else { "a format, or elements, without a scale are wanted" })]
    BlockFormats {
        /// What was given.
        text: String,
        /// Whether a block is wanted.
        block: bool,
    },
    /// Operands that are not as many as an operation takes.
    #[error(
        "{wanted} wanted, {given} given: operands are blocks SCALE:ELEMENT,… and, of results in blocks, their scale"
    )]
    BlockOperands {
        /// As many as are wanted.
        wanted: usize,
        /// As many as there are.
        given: usize,
    },
    /// Rows of a block that are not of one length.
    #[error(
        "row {row} of a block has {given} elements and its first {first}: rows, with ; between them, have as many"
    )]
    BlockRows {
        /// Elements of the first.
        first: usize,
        /// Which row, from 1.
        row: usize,
        /// Elements of it.
        given: usize,
    },
    /// Blocks of as many elements in other rows.
    #[error(
        "blocks of {} x {} and of {} x {} elements have no elements in common", .first.0, .first.1, .other.0, .other.1
    )]
    BlockShapes {
        /// Rows and columns of the first.
        first: (usize, usize),
        /// Those of another.
        other: (usize, usize),
    },
    /// A meaning that blocks do not have.
    #[error("operations on blocks are those of 4.0: leave --edition 0.9.1 out")]
    BlockEdition,
    /// Options of a choice where nothing is open.
    #[error("{0} is for a choice: it goes with --format auto, --layout auto or --scale-rule auto")]
    AutoMissing(&'static str),
    /// A scale or a bias beside candidates.
    #[error(
        "with --format auto, scales and biases belong to candidates: --candidate mxfp8_e4m3, --candidate float8_e4m3fn/block:32"
    )]
    AutoScale,
    /// A choice over a shared folder.
    #[error("--shared writes what was chosen before: leave auto out, and name a layout and a scale rule")]
    AutoShared,
    /// A conversion that would choose.
    #[error("`binade convert` takes one scale rule; auto is for `binade quantize`")]
    AutoConvert,
    /// A StableHLO program.
    #[cfg(feature = "hlo")]
    #[error(transparent)]
    Program(#[from] Box<binade_hlo::ProgramError>),
    /// A StableHLO program that cannot be read.
    #[error("{}: cannot read: {source}", .path.display())]
    ProgramFile {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A StableHLO program that cannot go on.
    #[cfg(feature = "hlo")]
    #[error("{}:{source}", .path.display())]
    Evaluation {
        /// The program's file.
        path: PathBuf,
        /// What went wrong, with line and column.
        source: Box<binade_hlo::eval::EvalError>,
    },
    /// A rule of arithmetic.
    #[cfg(feature = "hlo")]
    #[error(transparent)]
    Rule(#[from] binade_hlo::eval::rules::RuleError),
    /// A scope with nothing to hold for.
    #[cfg(feature = "hlo")]
    #[error(
        "--scope {scope} is for an operator without names of operations: write --arith bf16:bf16 --scope {scope}"
    )]
    Scope {
        /// The scope.
        scope: String,
    },
    /// An input or output of a StableHLO program.
    #[cfg(feature = "hlo")]
    #[error(transparent)]
    Npy(#[from] Box<binade_hlo::npy::NpyError>),
    /// A function that a StableHLO program does not have.
    #[error("{}: there is no function '@{name}'; there are {}", .path.display(), .known.join(", "))]
    Entry {
        /// The program's file.
        path: PathBuf,
        /// The name.
        name: String,
        /// The names of its functions.
        known: Vec<String>,
    },
    /// Another number of inputs than a function has parameters.
    #[error(
        "{}: @{name} takes {} inputs, {given} are given: --input X.npy for each of {}",
        .path.display(), .parameters.len(), parameter_text(.parameters)
    )]
    Inputs {
        /// The program's file.
        path: PathBuf,
        /// The function.
        name: String,
        /// The types of its parameters.
        parameters: Vec<String>,
        /// How many files are given.
        given: usize,
    },
    /// A text without `=`.
    #[error("'{0}' names no parameter: write NAME=arg0 for --bind, arg0=X.npy for --batches")]
    Binding(String),
    /// A parameter that a function does not have.
    #[error("{}: there is no parameter '{name}'; there are {}", .path.display(), parameter_text(.known))]
    Parameter {
        /// The program's file.
        path: PathBuf,
        /// The name.
        name: String,
        /// The parameters.
        known: Vec<String>,
    },
    /// A parameter with two values.
    #[error("{}: {name} is given twice", .path.display())]
    GivenTwice {
        /// The program's file.
        path: PathBuf,
        /// The parameter.
        name: String,
    },
    /// Parameters without a value.
    #[error("{}: nothing gives {}: --input, or --batches", .path.display(), .missing.join(", "))]
    NoValue {
        /// The program's file.
        path: PathBuf,
        /// The parameters.
        missing: Vec<String>,
    },
    /// A step of a loop that cannot go on.
    #[cfg(feature = "hlo")]
    #[error("{}:{source} (step {step})", .path.display())]
    Step {
        /// The program's file.
        path: PathBuf,
        /// From 0.
        step: u64,
        /// What went wrong, with line and column.
        source: Box<binade_hlo::eval::EvalError>,
    },
    /// Values of a program that cannot be written.
    #[cfg(feature = "hlo")]
    #[error(transparent)]
    Dump(#[from] Box<binade_hlo::dump::DumpError>),
    /// A loop that cannot be driven.
    #[cfg(feature = "hlo")]
    #[error(transparent)]
    Cycle(Box<binade_hlo::cycle::CycleError>),
    /// A value of a StableHLO program that is not a tensor, where a file is to hold it.
    #[error("{}: {what} is of type {ty}: only tensors are read from and written to files", .path.display())]
    NotTensor {
        /// The program's file.
        path: PathBuf,
        /// Which value.
        what: String,
        /// Its type.
        ty: String,
    },
    /// A limit of memory.
    #[error("'{0}' is not a number of bytes: write 1000000, 64M, 16G")]
    Bytes(String),
    /// A folder that cannot be made.
    #[error("{}: cannot be made: {source}", .path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A report or a plot that is there already.
    #[error("{} is there already: --force replaces it", .0.display())]
    ReportExists(PathBuf),
    /// A report of shared work that is there already: several processes would replace it.
    #[error("{} is there already: remove it, or name another report", .0.display())]
    SharedReportExists(PathBuf),
    /// A report or a plot that cannot be written.
    #[error("{}: cannot write: {source}", .path.display())]
    Report {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Blocks by an operator and by an option.
    #[error(
        "--in {blocks} and the inputs of --arith, {of_operator}, both name the blocks: name them once, as in --in {blocks} --arith f32:f32"
    )]
    BlocksTwice {
        /// The option's.
        blocks: String,
        /// The operator's.
        of_operator: String,
    },
    /// What a study of representation is about.
    #[error(transparent)]
    Target(#[from] binade_lab::study::representation::TargetError),
    /// An operator.
    #[error(transparent)]
    Operator(#[from] binade::operator::OperatorError),
    /// A training.
    #[cfg(feature = "train")]
    #[error(transparent)]
    Train(#[from] binade_train::TrainError),
    /// A scope of a result.
    #[cfg(feature = "hlo")]
    #[error(transparent)]
    NoScope(#[from] binade_hlo::eval::rules::ScopeError),
    /// A program that cannot be run.
    #[cfg(feature = "run")]
    #[error(transparent)]
    Launch(#[from] binade_launch::LaunchError),
    /// A Python that knows no clusters.
    #[error("--cluster {address} needs Python with binade{}: {python} has not: {reason}", if .address == "here" { "" } else { "[ray]" })]
    Cluster {
        /// The cluster.
        address: String,
        /// The Python.
        python: String,
        /// What it said.
        reason: String,
    },
    /// Pieces without a result, of which the rest needs all.
    #[error("{}: not all pieces have a result, or some have two: `binade join --status` says which", .0.display())]
    Pieces(PathBuf),
    /// A page of what is no training.
    #[error("`binade join --report` and `--plot` are for trainings, and this is a sweep of `binade {0}`{report}", report = if .0 == "vectors" { "" } else { ": that command writes one, with the same --shared and --report FILE" })]
    JoinReport(String),
    /// A sweep over a shared folder.
    #[error(transparent)]
    Sweep(#[from] binade_sweep::SweepError),
    /// A handler of Ctrl-C.
    #[error("cannot watch for Ctrl-C: {0}")]
    Interrupt(#[from] ctrlc::Error),
}

fn parameter_text(parameters: &[String]) -> String {
    if parameters.is_empty() { "none".to_owned() } else { parameters.join(", ") }
}

fn nearest_text(nearest: &[String], all: &str) -> String {
    match nearest {
        [] => format!("it is one of {all}; or block_OP and scaled_OP of these, such as block_add"),
        _ => format!("did you mean {}?", nearest.join(" or ")),
    }
}

impl Error {
    /// What to do instead, where the error does not say it already.
    fn hint(&self) -> Option<&'static str> {
        match self {
            Error::Code { .. } => Some(
                "a value becomes a code with `binade encode`; operands of `eval` may be values, written =1.5",
            ),
            Error::VectorCount { .. } => {
                Some("--count N --seed S writes N random vectors that are rich in edge cases")
            }
            Error::Cluster { .. } => Some(
                "pip install './python[ray]' from binade's root where that Python is, or name another in BINADE_PYTHON",
            ),
            Error::TableSize { .. } => Some("`binade show` has the extremes, `binade decode` any code"),
            _ => None,
        }
    }

    /// The status that the command ends with.
    pub fn status(&self) -> Status {
        match self {
            _ if self.reader_left() => Status::Done,
            Error::Lab(binade_lab::Error::Cancelled) => Status::Interrupted,
            Error::Lab(binade_lab::Error::Checkpoint(CheckpointError::Interrupted { .. })) => {
                Status::Interrupted
            }
            _ => Status::BadInput,
        }
    }

    /// Whether the reader of standard output closed it, as `head` does: its choice, and no error.
    fn reader_left(&self) -> bool {
        match self {
            Error::Output(error) => error.kind() == io::ErrorKind::BrokenPipe,
            Error::Json(error) => error.io_error_kind() == Some(io::ErrorKind::BrokenPipe),
            _ => false,
        }
    }

    /// Writes the error to standard error.
    pub fn render(&self) {
        if self.reader_left() {
            return;
        }
        let text = match self {
            #[cfg(feature = "hlo")]
            // Its lines are its own: the place, and the line of the program with a caret under it.
            Error::Program(error) => lines(&error.to_string()),
            #[cfg(feature = "train")]
            Error::Train(error @ binade_train::TrainError::Program { .. }) => lines(&error.to_string()),
            _ => printable(&self.to_string()),
        };
        crate::terminal::report("error", &text);
        if let Some(hint) = self.hint() {
            crate::terminal::report("hint", hint);
        }
    }
}

/// Text that may quote input, on one line and without what a terminal obeys.
pub(crate) fn printable(text: &str) -> String {
    binade::text::printable(text)
}

/// The same of text in lines.
#[cfg(any(feature = "hlo", feature = "train"))]
fn lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}

#[cfg(feature = "hlo")]
impl From<binade_hlo::cycle::CycleError> for Error {
    fn from(error: binade_hlo::cycle::CycleError) -> Error {
        Error::Cycle(Box::new(error))
    }
}
