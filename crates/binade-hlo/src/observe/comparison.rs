//! The error of every value of a program against the same program in binary64.
//!
//! Both run side by side, and each result is compared as it comes: nothing is kept. The error of a value is all that has
//! come together on the way to it, not that of its own operation alone.

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

/// Results that one program may be ahead of the other.
const AHEAD: usize = 4;

/// How far an operation's results are from those in binary64, over all the times that it was done.
#[derive(Clone, Debug, PartialEq)]
pub struct OperationError {
    /// Which result it is.
    pub place: Place,
    /// How often it was done.
    pub executions: u64,
    /// Elements that are finite in both.
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
    /// Infinities where the reference is finite.
    pub infinities: u64,
    /// NaN where the reference is none.
    pub nans: u64,
    /// Infinities or NaN that come of finite operands, by themselves: births, whatever the reference is.
    pub births: u64,
    related: u64,
}

/// What a comparison found.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// Operations with floating-point results, in the order in which they were first done.
    pub operations: Vec<OperationError>,
    /// The place from which on the two programs did different operations, if they did: a condition came out otherwise.
    pub parted: Option<String>,
}

/// Runs a function and, beside it, the same in binary64. The observers see the first.
///
/// # Errors
/// If either fails. Of several processes, the first is compared.
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
                // Nobody listens any more: the other program has ended, and says why.
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

/// Whether an evaluation ended because who looked on wanted it.
fn stopped(error: &EvalError) -> bool {
    match error {
        EvalError::At { source, .. } => stopped(source),
        error => *error == EvalError::Stopped,
    }
}

/// A result in binary64: its function, its number and itself.
type Sent = (String, ValueId, Tensor);

/// Who watches the program in binary64.
struct Reference<'a> {
    /// How many values each function had before it was widened.
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
            Value::Tensor(x) if (id.0 as usize) < own && is_real(x) => {
                sender.send((event.function.name.clone(), id, x.clone())).is_ok()
            }
            _ => true,
        })
    }
}

/// Whether a tensor has floating-point elements.
fn is_real(x: &Tensor) -> bool {
    matches!(x.element, ElementType::Float(_) | ElementType::Complex(_))
}

/// Who watches the program itself.
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
                && is_real(x)
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
    /// The result in binary64 that belongs to one: the next of the same number.
    fn reference(&mut self, event: &Event<'_>, id: ValueId) -> Option<Tensor> {
        let receiver = self.receiver.as_ref()?;
        // Values that only the other program has are passed over: the products of contracted pairs, a turn of a loop more.
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
        // Means over all executions, from sums over this one.
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

/// Elements as binary64, which holds all of them; parts of complex numbers one after the other.
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

/// Infinities and NaN among the results of operands that are all finite.
pub(crate) fn births(event: &Event<'_>, values: &[f64]) -> u64 {
    let born = values.iter().filter(|value| !value.is_finite()).count() as u64;
    // Constants of that kind are meant, and what only moves elements bears none.
    if born == 0 || event.operands.is_empty() {
        return 0;
    }
    let finite = |value: &Value| match value {
        Value::Tensor(x) if is_real(x) => numbers(x).iter().all(|x| x.is_finite()),
        _ => true,
    };
    if event.operands.iter().all(finite) { born } else { 0 }
}

/// The distance between neighbours of a type.
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
