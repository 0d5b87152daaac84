//! Compares every value of a program with the same program in binary64, for `binade hlo run --against f64`.
//!
//! Both programs run side by side, and each result is compared as soon as both have it; none is stored. The error of a
//! value includes the errors of the operations before it.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use binade_stablehlo::ir::{Program, ValueId};
use binade_stablehlo::{Data, ElementType, FloatType, Tensor, Value};

use super::widen::{widened, widened_value};
use super::{Event, Observer, Place};
use crate::arithmetic::convert::convert;
use crate::error::EvalError;
use crate::machine::run::Executable;
use crate::options::Options;

/// The most results by which one program may be ahead of the other.
const AHEAD: usize = 4;

/// The errors of an operation's result against binary64, over all executions of the operation.
#[derive(Clone, Debug, PartialEq)]
pub struct OperationError {
    /// The operation and result.
    pub place: Place,
    /// The number of executions.
    pub executions: u64,
    /// The number of elements that are finite in both programs.
    pub compared: u64,
    /// The largest |value − reference|.
    pub max_absolute: f64,
    /// The largest |value − reference| / |reference|, where the reference is not 0.
    pub max_relative: f64,
    /// The mean of |value − reference|.
    pub mean_absolute: f64,
    /// The mean of |value − reference| / |reference|, over the elements whose reference is not 0.
    pub mean_relative: f64,
    /// The largest error in units in the last place of its own type, at the reference.
    pub max_ulps: f64,
    /// The number of infinities where the reference is finite.
    pub infinities: u64,
    /// The number of NaN where the reference is not NaN.
    pub nans: u64,
    /// The number of infinities and NaN that arise from finite operands, whatever the reference is.
    pub births: u64,
    related: u64,
}

/// The result of a comparison.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Operations with floating-point results, in the order of their first execution.
    pub operations: Vec<OperationError>,
    /// The place where the two programs took different branches, if they did. Nothing after it is compared.
    pub parted: Option<String>,
}

/// Runs a function and the same function in binary64 side by side. The observers see the first one.
///
/// # Errors
/// If either fails. Of several processes, only the first is compared.
pub fn run(
    program: &Program,
    entry: &str,
    inputs: Vec<Value>,
    options: &Options,
    observers: Vec<&dyn Observer>,
) -> Result<(Vec<Value>, Comparison), EvalError> {
    let wide = widened(program)?;
    let wide_inputs = inputs.iter().map(widened_value).collect::<Result<_, _>>()?;
    let own: HashMap<&str, usize> =
        program.functions.iter().map(|function| (function.name.as_str(), function.values.len())).collect();
    let wide_options =
        Options { rules: Default::default(), semantics: Default::default(), ..options.clone() };
    let (sender, receiver) = sync_channel(AHEAD);
    thread::scope(|scope| {
        let reference = scope.spawn(|| {
            let reference = Reference { own, sender: Mutex::new(sender) };
            let executable = Executable::observed(&wide, wide_options, &reference)?;
            let done = executable.run(entry, wide_inputs);
            match done {
                // The receiver is gone because the other program has ended; its result has the reason.
                Err(error) if stopped(&error) => Ok(()),
                done => done.map(drop),
            }
        });
        let compare = Compare { state: Mutex::new(State { receiver: Some(receiver), ..State::default() }) };
        let mut all = observers;
        all.push(&compare);
        let results = Executable::observed(program, options.clone(), &all)
            .and_then(|executable| executable.run(entry, inputs));
        drop(all);
        let mut state = compare.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Ends the reference if it still runs.
        state.receiver = None;
        let reference = reference.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let results = results?;
        reference?;
        Ok((results, state.found))
    })
}

/// Returns true if an observer ended the evaluation.
pub(super) fn stopped(error: &EvalError) -> bool {
    match error {
        EvalError::At { source, .. } => stopped(source),
        error => *error == EvalError::Stopped,
    }
}

/// A result in binary64: its function's name, its value's number, and the tensor.
type Sent = (String, ValueId, Tensor);

/// The observer of the program in binary64.
struct Reference<'a> {
    /// The number of values that each function had before it was widened.
    own: HashMap<&'a str, usize>,
    sender: Mutex<SyncSender<Sent>>,
}

impl Observer for Reference<'_> {
    fn done(&self, event: &Event<'_>) -> bool {
        let sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner);
        if event.process != (0, 0) {
            return true;
        }
        let own = self.own.get(event.function.name.as_str()).copied().unwrap_or(0);
        event.operation.results.iter().zip(event.results).all(|(&id, value)| match value {
            Value::Tensor(x) if (id.0 as usize) < own && is_real(&x.element) => {
                sender.send((event.function.name.clone(), id, x.clone())).is_ok()
            }
            _ => true,
        })
    }
}

/// Returns true for elements of floating point.
pub(super) fn is_real(element: &ElementType) -> bool {
    matches!(element, ElementType::Float(_) | ElementType::Complex(_))
}

/// The observer of the program itself.
struct Compare {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    receiver: Option<Receiver<Sent>>,
    found: Comparison,
    places: HashMap<(String, ValueId), usize>,
}

impl Observer for Compare {
    fn done(&self, event: &Event<'_>) -> bool {
        if event.process != (0, 0) {
            return true;
        }
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        for (at, (&id, value)) in event.operation.results.iter().zip(event.results).enumerate() {
            if let Value::Tensor(x) = value
                && is_real(&x.element)
            {
                let reference = state.reference(event, id);
                let place = state.place(event, at, id, x);
                place.add(event, x, reference.as_ref());
            }
        }
        true
    }
}

impl State {
    /// Returns the result in binary64 for a value: the next one of the same function and number.
    fn reference(&mut self, event: &Event<'_>, id: ValueId) -> Option<Tensor> {
        let receiver = self.receiver.as_ref()?;
        // Skips values that only the reference has: products of contracted pairs, and extra iterations of a loop.
        while let Ok((function, found, tensor)) = receiver.recv() {
            if found == id && function == event.function.name {
                return Some(tensor);
            }
        }
        self.receiver = None;
        let (line, column) = event.operation.position;
        self.found.parted = Some(format!("{line}:{column}: {}", event.operation.kind.name()));
        None
    }

    fn place(&mut self, event: &Event<'_>, result: usize, id: ValueId, x: &Tensor) -> &mut OperationError {
        let operations = &mut self.found.operations;
        let place = *self.places.entry((event.function.name.clone(), id)).or_insert_with(|| {
            operations.push(OperationError {
                place: event.place(result, x),
                executions: 0,
                compared: 0,
                max_absolute: 0.0,
                max_relative: 0.0,
                mean_absolute: 0.0,
                mean_relative: 0.0,
                max_ulps: 0.0,
                infinities: 0,
                nans: 0,
                births: 0,
                related: 0,
            });
            operations.len() - 1
        });
        &mut operations[place]
    }
}

impl OperationError {
    fn add(&mut self, event: &Event<'_>, x: &Tensor, reference: Option<&Tensor>) {
        self.executions += 1;
        let values = numbers(x);
        self.births += births(event, &values);
        let Some(reference) = reference.map(numbers).filter(|reference| reference.len() == values.len())
        else {
            return;
        };
        let float = match x.element {
            ElementType::Float(float) | ElementType::Complex(float) => float,
            _ => return,
        };
        let unit = Ulp::of(float);
        let (mut absolute_sum, mut relative_sum) = (0.0, 0.0);
        let (mut compared, mut related) = (0, 0);
        for (&value, &reference) in values.iter().zip(&reference) {
            match (value.is_finite(), reference.is_finite()) {
                (true, true) => {}
                (false, _) if value.is_nan() && !reference.is_nan() => {
                    self.nans += 1;
                    continue;
                }
                (false, true) => {
                    self.infinities += 1;
                    continue;
                }
                _ => continue,
            }
            compared += 1;
            let error = (value - reference).abs();
            absolute_sum += error;
            self.max_absolute = self.max_absolute.max(error);
            self.max_ulps = self.max_ulps.max(error / unit.at(reference));
            if reference != 0.0 {
                related += 1;
                relative_sum += error / reference.abs();
                self.max_relative = self.max_relative.max(error / reference.abs());
            }
        }
        // Combines the mean of earlier executions with the sum of this one.
        let joined = |mean: f64, count: u64, sum: f64, more: u64| match count + more {
            0 => 0.0,
            all => (mean * count as f64 + sum) / all as f64,
        };
        self.mean_absolute = joined(self.mean_absolute, self.compared, absolute_sum, compared);
        self.mean_relative = joined(self.mean_relative, self.related, relative_sum, related);
        self.compared += compared;
        self.related += related;
    }
}

/// The elements in binary64, which represents all of them exactly; of complex numbers, the real and imaginary parts in
/// turn.
pub(crate) fn numbers(x: &Tensor) -> Vec<f64> {
    let wide = match x.element {
        ElementType::Complex(_) => ElementType::Complex(FloatType::F64),
        _ => ElementType::Float(FloatType::F64),
    };
    match convert(x, &wide) {
        Ok(Data::F64(numbers)) => numbers,
        Ok(Data::C128(numbers)) => numbers.into_flattened(),
        _ => vec![],
    }
}

/// Counts infinities and NaN among the results, if all operands are finite.
pub(crate) fn births(event: &Event<'_>, values: &[f64]) -> u64 {
    let born = values.iter().filter(|value| !value.is_finite()).count() as u64;
    // Infinite constants are intended, and operations that only move elements create no infinity.
    if born == 0 || event.operands.is_empty() {
        return 0;
    }
    let finite = |value: &Value| match value {
        Value::Tensor(x) if is_real(&x.element) => numbers(x).iter().all(|x| x.is_finite()),
        _ => true,
    };
    if event.operands.iter().all(finite) { born } else { 0 }
}

/// The distance between neighbouring numbers of a type.
struct Ulp {
    precision: i32,
    emin: i32,
}

impl Ulp {
    fn of(float: FloatType) -> Ulp {
        let format = float.format();
        Ulp { precision: format.precision() as i32, emin: format.emin() }
    }

    fn at(&self, x: f64) -> f64 {
        let exponent = match x.abs() {
            0.0 => self.emin,
            x if x < f64::MIN_POSITIVE => -1023,
            x => (x.to_bits() >> 52) as i32 - 1023,
        };
        2f64.powi((exponent.max(self.emin) - (self.precision - 1)).max(-1074))
    }
}
