//! Reads the inputs of a program from files, and the loop in which outputs become inputs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use binade_hlo::cycle::{Carry, Cycle, CycleError};
use binade_hlo::files::{Named, Rows};
use binade_hlo::ir::Function;
use binade_hlo::{TensorType, Type, Value, npy};
use clap::Args;
use thiserror::Error;

use crate::text_table::counted;

/// Inputs that do not fit a program.
#[derive(Debug, Error)]
pub(crate) enum InputError {
    #[error(transparent)]
    Npy(#[from] Box<npy::NpyError>),
    #[error(transparent)]
    Cycle(Box<CycleError>),
    #[error(
        "{}: expected {} for @{name}, got {given}: give --input X.npy for each of {}",
        .path.display(), counted(.parameters.len(), "input"), listed(.parameters)
    )]
    Count {
        path: PathBuf,
        name: String,
        /// The types of its parameters.
        parameters: Vec<String>,
        /// The number of files.
        given: usize,
    },
    #[error("'{0}' names no parameter: write NAME=arg0 for --bind, arg0=X.npy for --batches")]
    Binding(String),
    #[error("{}: unknown parameter '{name}': the function has {}", .path.display(), listed(.known))]
    Parameter { path: PathBuf, name: String, known: Vec<String> },
    #[error("{}: two values for {name}: give one, by --input or --batches", .path.display())]
    Duplicate { path: PathBuf, name: String },
    #[error("{}: no value for {}: give --input or --batches", .path.display(), .missing.join(", "))]
    Missing { path: PathBuf, missing: Vec<String> },
    #[error("{}: parameter {parameter} has type {ty}: only tensors are read from files", .path.display())]
    NotTensor { path: PathBuf, parameter: usize, ty: String },
}

impl From<CycleError> for InputError {
    fn from(error: CycleError) -> InputError {
        InputError::Cycle(Box::new(error))
    }
}

fn listed(parameters: &[String]) -> String {
    if parameters.is_empty() { "none".to_owned() } else { parameters.join(", ") }
}

/// Options that name files with inputs, and the loop over steps.
#[derive(Args, Debug)]
pub(super) struct InputArgs {
    /// Value of a parameter; may be repeated. X.npy is for the next parameter, P=X.npy for the parameter P. Each tensor of a
    /// .safetensors or .npz file is for the parameter of its name. P is arg0, arg1, …, or the name in the program (jax.arg_info,
    /// or a location)
    #[arg(long, value_name = "FILE")]
    input: Vec<String>,
    /// Use the tensor NAME of a .safetensors or .npz file for the parameter P
    #[arg(long, value_name = "NAME=P")]
    bind: Vec<String>,
    /// Number of steps to run; each prints a line with its scalar outputs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), conflicts_with = "repeat")]
    pub(super) steps: Option<u64>,
    /// Use outputs as inputs of the next step: out0..7=in0..7, out3=in0
    #[arg(long, value_name = "OUT=IN", requires = "steps")]
    carry: Vec<String>,
    /// Use row s of the array for the parameter P at step s, from 0
    #[arg(long, value_name = "P=X.npy", requires = "steps")]
    batches: Vec<String>,
    /// Start again with the first row of --batches after the last
    #[arg(long, requires = "batches")]
    wrap: bool,
}

/// The function to run, with the limits of its inputs.
pub(super) struct EntryPoint<'a> {
    /// The program's file.
    pub(super) path: &'a Path,
    pub(super) function: &'a Function,
    /// The parameter for the index of the platform, and its value.
    pub(super) platform: Option<(usize, Value)>,
    /// The largest size of all inputs, in bytes.
    pub(super) limit: usize,
}

impl EntryPoint<'_> {
    fn parameters(&self) -> usize {
        self.function.body.parameters.len()
    }

    /// The parameter with this name, or argK.
    fn named(&self, name: &str) -> Option<usize> {
        let known = self.function.parameter_names.iter().position(|known| known.as_deref() == Some(name));
        let number = || name.strip_prefix("arg")?.parse::<usize>().ok().filter(|at| *at < self.parameters());
        known.or_else(number)
    }

    fn parameter(&self, name: &str) -> Result<usize, InputError> {
        self.named(name).ok_or_else(|| {
            let known = (0..self.parameters()).map(|at| self.name(at)).collect();
            InputError::Parameter { path: self.path.to_owned(), name: name.to_owned(), known }
        })
    }

    /// The name of a parameter, for messages.
    fn name(&self, at: usize) -> String {
        match &self.function.parameter_names[at] {
            Some(name) => format!("arg{at} ({name})"),
            None => format!("arg{at}"),
        }
    }

    fn ty(&self, at: usize) -> Result<&TensorType, InputError> {
        match &self.function.values[self.function.body.parameters[at].0 as usize] {
            Type::Tensor(ty) => Ok(ty),
            ty => {
                Err(InputError::NotTensor { path: self.path.to_owned(), parameter: at, ty: ty.to_string() })
            }
        }
    }
}

/// The texts on both sides of the last `=`.
fn sides(text: &str) -> Result<(&str, &str), InputError> {
    text.rsplit_once('=').ok_or_else(|| InputError::Binding(text.to_owned()))
}

/// The values of parameters that have been read.
struct ParameterValues<'a> {
    target: &'a EntryPoint<'a>,
    values: Vec<Option<Value>>,
    remaining_bytes: usize,
}

impl ParameterValues<'_> {
    fn set(
        &mut self,
        at: usize,
        read: impl FnOnce(&TensorType, usize) -> Result<binade_hlo::Tensor, npy::NpyError>,
    ) -> Result<(), InputError> {
        if self.values[at].is_some() {
            let (path, name) = (self.target.path.to_owned(), self.target.name(at));
            return Err(InputError::Duplicate { path, name });
        }
        let tensor = read(self.target.ty(at)?, self.remaining_bytes).map_err(Box::new)?;
        self.remaining_bytes = self.remaining_bytes.saturating_sub(tensor.data.bytes());
        self.values[at] = Some(Value::Tensor(tensor));
        Ok(())
    }
}

impl InputArgs {
    /// Reads the values of all parameters, and the loop.
    pub(super) fn read(&self, target: &EntryPoint) -> Result<(Vec<Value>, Cycle), InputError> {
        let cycle = self.cycle(target)?;
        let mut given = ParameterValues {
            target,
            values: vec![None; target.parameters()],
            remaining_bytes: target.limit,
        };
        // Batches supply these parameters at each step.
        for (at, _) in &cycle.batches {
            given.values[*at] = Some(Value::Token);
        }
        let mut in_order: Vec<&Path> = vec![];
        for text in &self.input {
            let path = Path::new(text);
            match text.split_once('=').and_then(|(name, file)| Some((target.named(name)?, file))) {
                Some((at, file)) => {
                    given.set(at, |ty, remaining_bytes| npy::read(Path::new(file), ty, remaining_bytes))?
                }
                None if Named::is_one(path) => self.named(path, target, &mut given)?,
                None => in_order.push(path),
            }
        }
        let plain = in_order.len();
        let missing = given.values.iter().filter(|value| value.is_none()).count();
        // The index of the platform is filled in, unless there is a file for every parameter.
        if let Some((at, index)) = &target.platform
            && plain < missing
        {
            given.values[*at].get_or_insert_with(|| index.clone());
        }
        let mut free =
            (0..target.parameters()).filter(|at| given.values[*at].is_none()).collect::<Vec<_>>().into_iter();
        for path in in_order {
            let Some(at) = free.next() else { return Err(self.wrong_number(target, plain)) };
            given.set(at, |ty, remaining_bytes| npy::read(path, ty, remaining_bytes))?;
        }
        let missing: Vec<usize> = free.collect();
        if !missing.is_empty() {
            // If files have no names, their number is the error.
            if plain == self.input.len() && cycle.batches.is_empty() {
                return Err(self.wrong_number(target, plain));
            }
            let missing = missing.into_iter().map(|at| target.name(at)).collect();
            return Err(InputError::Missing { path: target.path.to_owned(), missing });
        }
        Ok((given.values.into_iter().flatten().collect(), cycle))
    }

    fn wrong_number(&self, target: &EntryPoint, given: usize) -> InputError {
        let types = target.function.body.parameters.iter();
        let parameters = types.map(|at| target.function.values[at.0 as usize].to_string()).collect();
        let (path, name) = (target.path.to_owned(), target.function.name.clone());
        InputError::Count { path, name, parameters, given }
    }

    /// Reads the tensors of a file that have the name of a parameter.
    fn named(&self, path: &Path, target: &EntryPoint, given: &mut ParameterValues) -> Result<(), InputError> {
        let file = Named::open(path).map_err(Box::new)?;
        let mut others = 0;
        for name in file.names() {
            let bound =
                self.bind.iter().filter_map(|text| text.rsplit_once('=')).find(|(bound, _)| *bound == name);
            let at = match bound {
                Some((_, parameter)) => Some(target.parameter(parameter)?),
                None => target.named(&name),
            };
            match at {
                Some(at) => given.set(at, |ty, remaining_bytes| file.read(&name, ty, remaining_bytes))?,
                None => others += 1,
            }
        }
        if others > 0 {
            eprintln!("{}: {others} tensors have no parameter of their name", path.display());
        }
        Ok(())
    }

    fn cycle(&self, target: &EntryPoint) -> Result<Cycle, InputError> {
        self.bind
            .iter()
            .try_for_each(|text| sides(text).and_then(|(_, name)| target.parameter(name)).map(drop))?;
        let mut cycle = Cycle { steps: self.steps.unwrap_or(1), ..Cycle::default() };
        for text in &self.carry {
            cycle.carried.extend(text.parse::<Carry>()?.pairs);
        }
        for text in &self.batches {
            let (name, file) = text.split_once('=').ok_or_else(|| InputError::Binding(text.to_owned()))?;
            let at = target.parameter(name)?;
            let rows = Rows::open(Path::new(file), target.ty(at)?).map_err(Box::new)?;
            if rows.count() < cycle.steps && self.wrap {
                eprintln!("{file}: after the last of {} rows, the first follows", rows.count());
            }
            cycle.batches.push((at, Arc::new(rows)));
        }
        cycle.check(target.function, self.wrap)?;
        Ok(cycle)
    }
}
