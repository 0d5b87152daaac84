//! `binade hlo`: runs, checks and prints StableHLO programs.

mod against;
mod inputs;
mod observers;
mod page;

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use binade::recipe::{Recipe, short_form};
use binade_files::IfExists;
use binade_hlo::check::{Outcome, check};
use binade_hlo::comparison;
use binade_hlo::cycle::{Cycle, CycleError};
use binade_hlo::difference::{self, DifferenceError, Other};
use binade_hlo::dump::DumpError;
use binade_hlo::eval::convert::convert;
use binade_hlo::eval::rules::{Reach, RuleError, Rules, Scope, is_operator};
use binade_hlo::eval::{EvalError, Executable, Options, Semantics, parse_bytes, reuse};
use binade_hlo::{
    Data, ElementType, Evaluate, FloatType, Program, ProgramError, Tensor, Value, npy, supported,
};
use binade_recipes::{RecipeFileError, with_contents};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand};
use serde::Serialize;
use thiserror::Error;

use crate::error::{CommandError, printable, printable_lines};
use crate::report_file::create_folder;
use crate::terminal::report;
use crate::text_table::counted;
use crate::{Error, Output, Status, examples, progress};
use against::{Against, DifferenceReport, write_difference};
use inputs::{EntryPoint, InputArgs, InputError};
use observers::{ErrorLine, ObserverArgs, Observers, ProfileLine, SwampingLine};

/// A StableHLO program that cannot be run, or options that do not fit it.
#[derive(Debug, Error)]
pub(crate) enum HloError {
    #[error(transparent)]
    Program(Box<ProgramError>),
    #[error("{}: cannot read: {source}", .path.display())]
    Read { path: PathBuf, source: std::io::Error },
    #[error("{}:{source}", .path.display())]
    Evaluation {
        path: PathBuf,
        /// The error, with line and column.
        source: Box<EvalError>,
    },
    #[error("{}:{source} (step {step})", .path.display())]
    Step {
        path: PathBuf,
        /// The number of the step, from 0.
        step: u64,
        /// The error, with line and column.
        source: Box<EvalError>,
    },
    #[error(
        "--against {text}: must be f64, an operator or rule, or the folder or file of a dump, and is none: {reason}"
    )]
    Against { text: String, reason: Box<RuleError> },
    #[error(
        "--against {0}: no floating-point operation of the program has a value there: name values by `binade hlo run --dump`, or by the \
         operations' locations"
    )]
    NothingCompared(String),
    #[error(
        "--against {0}: no such folder or file: give a folder that --dump wrote, a folder of .npy files, a .safetensors or .npz file, \
         f64, or an operator or rule such as mi300x:bf16"
    )]
    NoDump(String),
    #[error(
        "--against {}: one array does not say which operation's result it is: give a folder of .npy files named by the operations' \
         locations, or a .safetensors or .npz file with these names", .0.display()
    )]
    OneArray(PathBuf),
    #[error("--threshold is for --against with a rule or a file: --against f64 lists all operations")]
    Threshold,
    #[error("{}: not the index of a dump: {reason}; `binade hlo run --dump` writes it", .path.display())]
    DumpIndex { path: PathBuf, reason: String },
    #[error("{}: no dump.json and no .npy file in this folder", .path.display())]
    EmptyDump { path: PathBuf },
    #[error(transparent)]
    Rule(#[from] RuleError),
    #[error(transparent)]
    Recipe(#[from] RecipeFileError),
    #[error(
        "--scope {scope} without an operator for all operations: write --arith bf16:bf16 --scope {scope}"
    )]
    Scope { scope: Scope },
    #[error("'{0}' is not a number of bytes: write 1000000, 64M or 16G")]
    Bytes(String),
    #[error(
        "{}: unknown function '@{name}': the program has {}", .path.display(),
        if known.is_empty() { "no functions".to_owned() } else { known.join(", ") }
    )]
    Entry { path: PathBuf, name: String, known: Vec<String> },
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(transparent)]
    Output(Box<npy::NpyError>),
    #[error(transparent)]
    Dump(Box<DumpError>),
    #[error(transparent)]
    Cycle(Box<CycleError>),
}

impl CommandError for HloError {
    fn shown(&self) -> String {
        match self {
            // Several lines: the place, and the line of the program with a caret under it.
            HloError::Program(error) => printable_lines(&error.to_string()),
            _ => printable(&self.to_string()),
        }
    }
}

impl From<CycleError> for HloError {
    fn from(error: CycleError) -> HloError {
        HloError::Cycle(Box::new(error))
    }
}

/// An error in a loop of steps: of the loop, or of what follows each step.
enum LoopError {
    Cycle(CycleError),
    Other(Error),
}

impl From<CycleError> for LoopError {
    fn from(error: CycleError) -> LoopError {
        LoopError::Cycle(error)
    }
}

impl From<Error> for LoopError {
    fn from(error: Error) -> LoopError {
        LoopError::Other(error)
    }
}

/// Arguments of `binade hlo`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Run a program
    ///
    /// A RULE of --arith is OPS[@LOCATION]=FORMAT|OPERATOR, or an OPERATOR for all operations of --scope. OPS are names of
    /// operations or patterns, separated by commas. The name multiply_add stands for a product together with the one sum that
    /// uses it. LOCATION is a pattern for the name of the operation's location, which contains the scopes of jax.named_scope.
    ///
    /// A format rounds results. An operator computes multiply-adds: a + b is FMA(a, 1, b), and a · b is FMA(a, b, 0). Sums are
    /// chains of multiply-adds in the order that may follow the operator, as in bf16:bf16/order=pairwise. Functions such as exp
    /// have their operands and results rounded.
    #[command(after_help = examples::HLO_RUN)]
    Run(Box<Run>),
    /// Run the assertions of test programs, one line per function
    ///
    /// Each function without arguments that no other function calls is run. Its assertions are the operations check.expect_*.
    /// The exit code is 1 if an assertion fails, and 2 if a file is not a program.
    #[command(after_help = examples::HLO_CHECK)]
    Check(Check),
    /// Print a program as text, from any of the forms in which it is stored
    ///
    /// Programs are read as text, as MLIR bytecode (portable artifacts of StableHLO, from version 0.9 on), and in the form that
    /// Exported.serialize() of JAX writes.
    #[command(after_help = examples::HLO_TEXT)]
    Text(Text),
    /// List the operations and element types that programs may use
    #[command(after_help = examples::HLO_OPS)]
    Ops(Ops),
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        match self.command {
            Command::Run(arguments) => arguments.run(out),
            Command::Check(arguments) => arguments.run(out),
            Command::Text(arguments) => arguments.run(out),
            Command::Ops(arguments) => arguments.run(out),
        }
    }
}

/// Options of the evaluation of programs.
#[derive(Args, Debug)]
struct Evaluation {
    /// Rounding of sums and products of narrow types. With wide, they accumulate in binary32 and are rounded once. xla is the
    /// same, and drops windows of scatter that reach over an edge. With reference, each step is rounded, in index order, as in
    /// the interpreter of StableHLO
    #[arg(long, default_value = "wide", value_parser = semantics())]
    semantics: Semantics,
    /// Compute operations under other arithmetic: OPS[@LOCATION]=FORMAT|OPERATOR, or an OPERATOR; the first match applies
    #[arg(long, value_name = "RULE")]
    arith: Vec<String>,
    /// The operations that an OPERATOR of --arith without OPS computes. With paper, these are the multiply-adds of products,
    /// convolutions and contracted pairs; with all, every sum, product and function [default: all]
    #[arg(long, value_name = "SCOPE", requires = "arith")]
    scope: Option<Scope>,
    /// Limit of the memory for constants, inputs, values and workspaces together, in bytes: 1000000, 64M, 16G [default: three
    /// quarters of the memory that the machine, containers and ulimit leave]
    #[arg(long, value_name = "BYTES")]
    memory_limit: Option<String>,
    /// Number of threads; results do not depend on it [default: one per processor]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// The seed of the operation rng, and of rules that round stochastically
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
}

/// Parses a semantics by its name.
fn semantics() -> impl TypedValueParser<Value = Semantics> {
    let names = PossibleValuesParser::new(Semantics::ALL.map(|(name, _)| name));
    names.map(|name| Semantics::named(&name).expect("one of the possible values"))
}

impl Evaluation {
    fn options(&self) -> Result<Options, HloError> {
        let default = Options::default();
        Ok(Options {
            semantics: self.semantics,
            rules: self.rules()?,
            threads: self.threads.map(usize::from),
            memory_limit: match &self.memory_limit {
                Some(text) => bytes(text)?,
                None => default.memory_limit,
            },
            seed: self.seed,
            ..default
        })
    }
}

impl Evaluation {
    fn rules(&self) -> Result<Rules, HloError> {
        let arith: Vec<String> =
            self.arith.iter().map(|rule| with_contents(rule)).collect::<Result<_, _>>()?;
        if let Some(scope) = self.scope
            && !arith.iter().any(|rule| is_operator(rule))
        {
            return Err(HloError::Scope { scope });
        }
        Ok(Rules::parse_in(&arith, self.scope.unwrap_or_default())?)
    }
}

/// A number of bytes with a unit of powers of 1024.
fn bytes(text: &str) -> Result<usize, HloError> {
    parse_bytes(text).ok_or_else(|| HloError::Bytes(text.to_owned()))
}

/// A program's bytes; those of `-` come from standard input.
fn read(path: &Path) -> Result<Vec<u8>, HloError> {
    let bytes = if path.as_os_str() == "-" {
        let mut bytes = vec![];
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    bytes.map_err(|source| HloError::Read { path: path.to_owned(), source })
}

fn in_file(error: ProgramError, path: &Path) -> HloError {
    HloError::Program(Box::new(error.in_file(path.display().to_string())))
}

/// Arguments of `binade hlo run`.
#[derive(Args, Debug)]
struct Run {
    /// The program: text, MLIR bytecode or an export of JAX; - reads standard input
    program: PathBuf,
    /// The function to run
    #[arg(long, value_name = "NAME", default_value = "main")]
    entry: String,
    #[command(flatten)]
    inputs: InputArgs,
    /// Folder for the results, out0.npy, out1.npy, … [default: only their types are printed]
    #[arg(long, value_name = "FOLDER")]
    output_dir: Option<PathBuf>,
    /// Overwrite existing results
    #[arg(long)]
    force: bool,
    /// Evaluate N times and print the time that this takes, without reading files and planning
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: Option<u32>,
    /// Print one JSON object: results with their types and files, and times in seconds. With --steps, a line for each step
    /// precedes it: {"step": 0, "out1": 2.5}
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    observers: ObserverArgs,
    #[command(flatten)]
    evaluation: Evaluation,
}

/// The output of `hlo run --json`.
#[derive(Serialize)]
struct RunReport<'a> {
    results: Vec<ResultLine>,
    parse_s: f64,
    plan_s: f64,
    /// Every evaluation, in order.
    evaluations_s: Vec<f64>,
    /// Errors against binary64, the worst operation first.
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<Vec<ErrorLine<'a>>>,
    /// Differences from another run.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<DifferenceReport<'a>>,
    /// Operations by time, the longest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<Vec<ProfileLine<'a>>>,
    /// Losses of accumulators, by named scope.
    #[serde(skip_serializing_if = "Option::is_none")]
    swamping: Option<Vec<SwampingLine<'a>>>,
}

/// A result of a program.
#[derive(Serialize)]
struct ResultLine {
    #[serde(rename = "type")]
    ty: Option<String>,
    file: Option<String>,
}

/// The result of `work`, and the seconds it took.
fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}

/// The number in a tensor of one element; `None` if it is not real.
fn scalar(tensor: &Tensor) -> Option<f64> {
    if tensor.element.is_complex() {
        return None;
    }
    match convert(tensor, &ElementType::Float(FloatType::F64)) {
        Ok(Data::F64(numbers)) => numbers.first().copied(),
        _ => None,
    }
}

impl Run {
    /// The text of `--against`.
    fn against(&self) -> &str {
        self.observers.against.as_deref().unwrap_or_default()
    }

    fn threshold(&self) -> f64 {
        self.observers.threshold.unwrap_or(0.01)
    }

    fn run(self, out: &mut Output) -> Result<Status, Error> {
        let path = &self.program;
        let options = self.evaluation.options()?;
        let text = read(path)?;
        let (program, parse_s) = timed(|| Program::from_bytes(&text));
        let program = program.map_err(|error| in_file(error, path))?.without_tokens(&self.entry);
        report_left_out(path, &program);
        options.rules.reach(&program).iter().for_each(report_reach);
        options.rules.slow().iter().for_each(|slow| report("slow", &slow.to_string()));
        let target = self.target(&program, &options)?;
        let (inputs, cycle) = self.inputs.read(&target).map_err(HloError::from)?;
        if let Some(folder) = &self.output_dir {
            create_folder(folder)?;
        }
        let failed = |error| HloError::Evaluation { path: path.clone(), source: Box::new(error) };
        let rules = options.rules.clone();
        let mut observers = self.observers.start(&rules, self.output_dir.as_deref(), self.force)?;
        let against = self.observers.against.as_deref();
        let against = against.map(|text| Against::new(text, self.evaluation.scope)).transpose()?;
        let other = match against {
            Some(Against::Rules(rules)) => {
                rules.reach(&program).iter().for_each(report_reach);
                Some(Other::Run(Box::new(Options { rules, ..options.clone() })))
            }
            Some(Against::Dump(values)) => Some(Other::Dump(values)),
            Some(Against::F64) | None => None,
        };
        let (outcome, plan_s) = if let Some(other) = other {
            let list = observers.list();
            let is_dump = matches!(other, Other::Dump(_));
            let (found, took) = timed(|| {
                difference::run(&program, &self.entry, inputs, &options, other, self.threshold(), list)
            });
            let found = found.map_err(|error| match error {
                DifferenceError::Run(error) => Error::from(failed(error)),
                DifferenceError::Dump(error) => HloError::Output(Box::new(error)).into(),
            });
            if is_dump && matches!(&found, Ok((_, found)) if found.operations.is_empty()) {
                return Err(HloError::NothingCompared(self.against().to_owned()).into());
            }
            let outcome = found.map(|(results, found)| {
                observers.difference = Some(found);
                (results, vec![took])
            });
            (outcome, 0.0)
        } else if self.observers.against.is_some() {
            if self.observers.threshold.is_some() {
                return Err(HloError::Threshold.into());
            }
            let (found, took) =
                timed(|| comparison::run(&program, &self.entry, inputs, &options, observers.list()));
            let outcome = found.map_err(|error| Error::from(failed(error))).map(|(results, comparison)| {
                observers.comparison = Some(comparison);
                (results, vec![took])
            });
            // Planning is part of the comparison, which plans both programs.
            (outcome, 0.0)
        } else {
            let listed = observers.list();
            let (executable, plan_s) = timed(|| match listed.is_empty() {
                true => Executable::new(&program, options),
                false => Executable::observed(&program, options, &listed),
            });
            let executable = executable.map_err(failed)?;
            let outcome = match self.inputs.steps {
                Some(_) => self.steps(&executable, inputs, &cycle, &observers, out),
                None => self.evaluations(&executable, inputs),
            };
            (outcome, plan_s)
        };
        // The observations are written even if the program failed. The error of an observer that stopped the program comes first.
        let observed = observers.finish(path)?;
        let (results, evaluations_s) = outcome?;
        let mut written = vec![];
        for (index, result) in results.iter().enumerate() {
            written.push(self.write(index, result)?);
        }
        let status = if progress::interrupted() { Status::Interrupted } else { Status::Done };
        if self.json {
            let against = observed
                .comparison
                .as_ref()
                .map(|found| observers::worst(found).into_iter().map(ErrorLine::from).collect());
            let difference = observed
                .difference
                .as_ref()
                .map(|found| DifferenceReport::new(found, self.against(), self.threshold()));
            let profile = observed.profile.as_ref().map(|rows| rows.iter().map(ProfileLine::from).collect());
            let swamping = observed
                .swamping
                .as_ref()
                .map(|scopes| scopes.iter().map(|(scope, steps)| SwampingLine::new(scope, steps)).collect());
            let report = RunReport {
                results: written,
                parse_s,
                plan_s,
                evaluations_s,
                against,
                difference,
                profile,
                swamping,
            };
            match self.inputs.steps {
                Some(_) => crate::json::to_writer(&mut *out, &report)?,
                None => crate::json::to_writer_pretty(&mut *out, &report)?,
            }
            writeln!(out)?;
            return Ok(status);
        }
        for (index, ResultLine { ty, file }) in written.iter().enumerate() {
            match (ty, file) {
                (Some(ty), Some(file)) => writeln!(out, "{file}: {ty}")?,
                (Some(ty), None) => writeln!(out, "result {index}: {ty}")?,
                (None, _) => writeln!(out, "result {index}: a token or tuple, which is not written")?,
            }
        }
        if let Some(comparison) = &observed.comparison {
            observers::write_errors(comparison, out)?;
        }
        if let Some(found) = &observed.difference {
            write_difference(found, self.against(), self.threshold(), out)?;
        }
        if let Some(scopes) = &observed.swamping {
            observers::write_swamping(scopes, out)?;
        }
        if self.repeat.is_some() {
            let mut sorted = evaluations_s;
            sorted.sort_by(f64::total_cmp);
            let (median, least) = (sorted[sorted.len() / 2], sorted[0]);
            writeln!(out, "evaluation: median {:.3} ms, least {:.3} ms", median * 1e3, least * 1e3)?;
        }
        Ok(status)
    }

    /// The results of the last evaluation, and the seconds of each.
    fn evaluations(
        &self,
        executable: &Executable,
        inputs: Vec<Value>,
    ) -> Result<(Vec<Value>, Vec<f64>), Error> {
        let (mut results, mut seconds) = (vec![], vec![]);
        for _ in 0..self.repeat.unwrap_or(1) {
            // The memory of earlier results is free for this evaluation.
            reuse(std::mem::take(&mut results));
            let inputs = inputs.clone();
            let (found, took) = timed(|| executable.run(&self.entry, inputs));
            let failed = |error| HloError::Evaluation { path: self.program.clone(), source: Box::new(error) };
            results = found.map_err(failed)?;
            seconds.push(took);
        }
        Ok((results, seconds))
    }

    /// The results of the last step, and the seconds of each. The scalars of each step are printed. Ctrl-C ends the loop after
    /// the current step.
    fn steps(
        &self,
        executable: &Executable,
        inputs: Vec<Value>,
        cycle: &Cycle,
        observers: &Observers,
        out: &mut Output,
    ) -> Result<(Vec<Value>, Vec<f64>), Error> {
        progress::listen()?;
        let mut seconds = vec![];
        let mut start = Instant::now();
        let results = cycle.run(executable, &self.entry, inputs, |step, results| {
            seconds.push(start.elapsed().as_secs_f64());
            self.write_step(step, results, out)?;
            observers.begin(step + 1);
            start = Instant::now();
            Ok::<_, LoopError>(!progress::interrupted())
        });
        let results = results.map_err(|error| match error {
            LoopError::Cycle(CycleError::Step { step, source }) => {
                HloError::Step { path: self.program.clone(), step, source: Box::new(source) }.into()
            }
            LoopError::Cycle(error) => HloError::from(error).into(),
            LoopError::Other(error) => error,
        })?;
        Ok((results, seconds))
    }

    /// Prints a line with the scalar outputs of a step.
    fn write_step(&self, step: u64, results: &[Value], out: &mut Output) -> Result<(), Error> {
        let scalars = results.iter().enumerate().filter_map(|(at, value)| match value {
            Value::Tensor(tensor) if tensor.shape.is_empty() => Some((format!("out{at}"), scalar(tensor)?)),
            _ => None,
        });
        if self.json {
            let number = |x: f64| match x.is_finite() {
                true => serde_json::Value::from(x),
                false => serde_json::Value::from(x.to_string()),
            };
            let mut line = serde_json::Map::from_iter([("step".to_owned(), step.into())]);
            line.extend(scalars.map(|(name, x)| (name, number(x))));
            crate::json::to_writer(&mut *out, &line)?;
            writeln!(out)?;
        } else {
            let scalars: String = scalars.map(|(name, x)| format!(" {name} {x}")).collect();
            writeln!(out, "step {step}:{scalars}")?;
        }
        Ok(out.flush()?)
    }

    fn target<'a>(&'a self, program: &'a Program, options: &Options) -> Result<EntryPoint<'a>, HloError> {
        let Some(&index) = program.names.get(&self.entry) else {
            let known = program.functions.iter().map(|function| format!("@{}", function.name)).collect();
            return Err(HloError::Entry { path: self.program.clone(), name: self.entry.clone(), known });
        };
        Ok(EntryPoint {
            path: &self.program,
            function: &program.functions[index],
            platform: program.platform_index(&self.entry),
            limit: options.memory_limit,
        })
    }

    /// Writes a result if there is a folder for results.
    fn write(&self, index: usize, result: &Value) -> Result<ResultLine, Error> {
        let Value::Tensor(tensor) = result else { return Ok(ResultLine { ty: None, file: None }) };
        let sizes: String = tensor.shape.iter().map(|size| format!("{size}x")).collect();
        let ty = Some(format!("tensor<{sizes}{}>", tensor.element));
        let Some(folder) = &self.output_dir else { return Ok(ResultLine { ty, file: None }) };
        let name = format!("out{index}.npy");
        let if_exists = if self.force { IfExists::Replace } else { IfExists::Refuse };
        npy::write(&folder.join(&name), tensor, if_exists)
            .map_err(|error| HloError::Output(Box::new(error)))?;
        Ok(ResultLine { ty, file: Some(name) })
    }
}

/// Arguments of `binade hlo text`.
#[derive(Args, Debug)]
struct Text {
    /// The program; - reads standard input
    program: PathBuf,
}

impl Text {
    fn run(self, out: &mut Output) -> Result<Status, Error> {
        let bytes = read(&self.program)?;
        let text = binade_hlo::text(&bytes).map_err(|error| in_file(error, &self.program))?;
        out.write_all(text.as_bytes())?;
        Ok(Status::Done)
    }
}

/// Arguments of `binade hlo check`.
#[derive(Args, Debug)]
struct Check {
    /// Programs; a line `// -----` separates several in one file
    #[arg(required = true, value_name = "FILE.mlir")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    evaluation: Evaluation,
}

impl Check {
    fn run(self, out: &mut Output) -> Result<Status, Error> {
        let options = self.evaluation.options()?;
        let mut failed = false;
        let mut refused = None;
        for path in &self.files {
            for program in Program::parse_all(&read(path)?) {
                let program = match program {
                    Ok(program) => program,
                    Err(error) => {
                        // The other programs still run.
                        if let Some(error) = refused.replace(in_file(error, path)) {
                            Error::from(error).render();
                        }
                        continue;
                    }
                };
                let mut written = Ok(());
                let result = check(&program, options.clone(), |outcome| {
                    failed |= outcome.result.is_err();
                    if written.is_ok() {
                        written = write_outcome(out, path, outcome);
                    }
                });
                result
                    .map_err(|error| HloError::Evaluation { path: path.clone(), source: Box::new(error) })?;
                written?;
            }
        }
        match refused {
            Some(error) => Err(error.into()),
            None => Ok(if failed { Status::CheckFailed } else { Status::Done }),
        }
    }
}

/// Warns of calls of Python, which are not run.
fn report_left_out(path: &Path, program: &Program) {
    /// The number of calls that are listed; the others are counted.
    const MOST: usize = 8;
    let left = program.effects_left_out();
    for operation in left.iter().take(MOST) {
        let ((line, column), scope) = (operation.position, printable(&operation.scope));
        let scope = if scope.is_empty() { String::new() } else { format!(" ({scope})") };
        eprintln!(
            "warning: {}:{line}:{column}: not run: a call of Python without results, such as jax.debug.print{scope}",
            path.display()
        );
    }
    if left.len() > MOST {
        eprintln!("warning: {}: {} more calls of Python are not run", path.display(), left.len() - MOST);
    }
}

/// Reports the operations that a rule of --arith applies to.
fn report_reach(reach: &Reach) {
    let Reach { rule, computed, left } = reach;
    let shown = printable(&short_form(rule));
    match (computed, left) {
        (0, 0) => eprintln!("warning: --arith '{shown}' matches no operation of the program"),
        (_, 0) => eprintln!("--arith '{shown}': {}", counted(*computed, "operation")),
        _ => {
            let is_recipe = Recipe::is_text(rule)
                || rule.split_once('=').is_some_and(|(_, how)| Recipe::is_text(how.trim()));
            let reason = match is_recipe {
                true => "the recipe leaves their layers or their kinds",
                false => "an operator does not compute their types or kinds",
            };
            eprintln!(
                "--arith '{shown}': {}; {left} more stay as they are: {reason}",
                counted(*computed, "operation")
            );
        }
    }
}

fn write_outcome(out: &mut Output, path: &Path, outcome: Outcome) -> Result<(), Error> {
    match outcome.result {
        Ok(()) => writeln!(out, "ok {}", outcome.function)?,
        Err(error) => {
            let place = match &error {
                EvalError::At { .. } => format!("{}:", path.display()),
                _ => String::new(),
            };
            writeln!(out, "FAILED {}: {place}{}", outcome.function, printable(&error.to_string()))?;
        }
    }
    Ok(())
}

/// Arguments of `binade hlo ops`.
#[derive(Args, Debug)]
struct Ops {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Listing {
    operations: Vec<Operation>,
    types: Vec<String>,
}

#[derive(Serialize)]
struct Operation {
    name: &'static str,
    /// Classes of element types of an elementwise operation.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    elements: Vec<&'static str>,
}

impl Ops {
    fn run(self, out: &mut Output) -> Result<Status, Error> {
        let operations: Vec<_> = supported()
            .into_iter()
            .map(|operation| Operation { name: operation.name, elements: operation.elements })
            .collect();
        let integers =
            [2, 4, 8, 16, 32, 64].into_iter().flat_map(|width| [format!("i{width}"), format!("ui{width}")]);
        let floats = FloatType::ALL.iter().map(|(_, name)| (*name).to_owned());
        let others = ["complex<f32>", "complex<f64>", "!quant.uniform<…>"].map(str::to_owned);
        let types = std::iter::once("i1".to_owned()).chain(integers).chain(floats).chain(others).collect();
        let listing = Listing { operations, types };
        if self.json {
            crate::json::to_writer_pretty(&mut *out, &listing)?;
            writeln!(out)?;
            return Ok(Status::Done);
        }
        for operation in &listing.operations {
            match &operation.elements[..] {
                [] => writeln!(out, "{}", operation.name)?,
                elements => writeln!(out, "{:<40} {}", operation.name, elements.join(" "))?,
            }
        }
        writeln!(out, "types: {}", listing.types.join(" "))?;
        Ok(Status::Done)
    }
}
