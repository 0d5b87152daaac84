//! Finds the first operation in which two runs of a program part, for `binade hlo run --against OPERATOR|FILE`.
//!
//! Run A is the program under its own rules. Run B is the same program under other rules, side by side with A, or the values of
//! a dump. Each result of A is compared with B's as soon as both are known. The difference of two tensors is
//! √(Σ (a − b)² / Σ b²).
//!
//! The error *entering* an operation is the largest difference of its operands, the error *leaving* it that of its result. The
//! error *made* is the difference that the operation itself makes: of its result in A from B's operation on A's operands.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use binade_stablehlo::ir::{Function, Op, Operation, Program, Region, ValueId};
use binade_stablehlo::{ElementType, FloatType, Tensor, TensorType, Type, Value};

use super::comparison::{is_real, numbers, stopped};
use super::files::Named;
use super::npy::{self, NpyError};
use super::{Event, Observer, Place};
use crate::error::EvalError;
use crate::machine::run::Executable;
use crate::machine::thread_pool::Pool;
use crate::options::Options;

/// The most results by which run B may be ahead of run A.
const AHEAD: usize = 4;

/// The most results of run B that wait for an operation of run A with the same place.
const WINDOW: usize = 64;

/// The differences of an operation's result, the largest over all executions.
#[derive(Clone, Debug, PartialEq)]
pub struct OperationDifference {
    /// The operation and result.
    pub place: Place,
    /// The number of executions.
    pub executions: u64,
    /// The largest difference of the operands; `None` if B's operands are unknown.
    pub entering: Option<f64>,
    /// The difference between A's result and B's operation on A's operands; `None` for control flow, random numbers and
    /// dumps, where it is unknown.
    pub made: Option<f64>,
    /// The difference of the result.
    pub leaving: f64,
    /// The number of executions that bring a difference beyond the threshold back within it.
    pub healed: u64,
}

/// The comparison of two runs.
#[derive(Clone, Debug, Default)]
pub struct Difference {
    /// Operations with floating-point results that both runs have, in the order of their first execution.
    pub operations: Vec<OperationDifference>,
    /// The index of the operation whose result was the first beyond the threshold.
    pub first: Option<usize>,
    /// The difference of each result of the program; `None` for results that are not compared.
    pub results: Vec<Option<f64>>,
    /// The place where the runs took different branches, if they did. Nothing after it is compared.
    pub parted: Option<String>,
}

/// A place in a dump that `hlo run --dump` wrote: function, line and column, number of the result, and number of earlier
/// executions.
pub type DumpPlace = (String, (u32, u32), usize, u64);

/// The values of a dump.
#[derive(Default)]
pub struct DumpedValues {
    /// Files of `hlo run --dump`.
    pub places: HashMap<DumpPlace, PathBuf>,
    /// `.npy` files by the operation's location; of several operations at a location, `NAME#1`, `NAME#2`, … after the first.
    pub files: HashMap<String, PathBuf>,
    /// Tensors of an archive, named in the same way.
    pub archive: Option<Named>,
}

impl DumpedValues {
    /// Returns true if there is a tensor of this name.
    fn has(&self, name: &str) -> bool {
        self.files.contains_key(name)
            || self.archive.as_ref().is_some_and(|archive| archive.names().iter().any(|known| known == name))
    }

    /// Reads a result, in its own type or in another of floating point.
    fn read(
        &self,
        place: &DumpPlace,
        name: &str,
        x: &Tensor,
        limit: usize,
    ) -> Result<Option<Tensor>, NpyError> {
        let file = self.places.get(place).or_else(|| self.files.get(name));
        if file.is_none() && !self.has(name) {
            return Ok(None);
        }
        let shape: Vec<Option<usize>> = x.shape.iter().map(|&size| Some(size)).collect();
        let read = |element: ElementType| {
            let ty = TensorType { shape: shape.clone(), element };
            match (file, &self.archive) {
                (Some(path), _) => npy::read(path, &ty, limit).map(Some),
                (None, Some(archive)) => archive.read(name, &ty, limit).map(Some),
                (None, None) => Ok(None),
            }
        };
        let own = read(x.element.clone());
        if !matches!(own, Err(NpyError::Type { .. })) {
            return own;
        }
        let others = [FloatType::F32, FloatType::F64, FloatType::Bf16, FloatType::F16];
        others.into_iter().find_map(|float| read(ElementType::Float(float)).ok()).map_or(own, Ok)
    }
}

/// The other run.
pub enum Other {
    /// The same program under these options.
    Run(Box<Options>),
    /// The values of a dump.
    Dump(Box<DumpedValues>),
}

/// Errors of a comparison.
#[derive(Debug, thiserror::Error)]
pub enum DifferenceError {
    /// One of the runs failed.
    #[error(transparent)]
    Run(#[from] EvalError),
    /// A file of the dump cannot be read.
    #[error(transparent)]
    Dump(#[from] NpyError),
}

/// Runs a function and compares its operations with those of another run. The observers see run A.
///
/// # Errors
/// If a run fails, or a dump cannot be read. Of several processes, only the first is compared.
pub fn run(
    program: &Program,
    entry: &str,
    inputs: Vec<Value>,
    options: &Options,
    other: Other,
    threshold: f64,
    observers: Vec<&dyn Observer>,
) -> Result<(Vec<Value>, Difference), DifferenceError> {
    let index = Index::of(program);
    let with = |source: Source| Compare {
        index: &index,
        entry: program.names.get(entry).map(|&at| &program.functions[at]),
        threshold,
        state: Mutex::new(State { source, ..State::default() }),
    };
    let other = match other {
        Other::Dump(values) => {
            let limit = options.memory_limit;
            let dump = DumpSource { values: *values, limit, ..DumpSource::default() };
            let compare = with(Source::Dump(Box::new(dump)));
            let results = observed(program, entry, inputs, options, observers, &compare);
            let state = compare.state.into_inner().unwrap_or_else(PoisonError::into_inner);
            return match state.failed {
                Some(error) => Err(error.into()),
                None => Ok((results?, state.found)),
            };
        }
        Other::Run(options) => options,
    };
    let pool = Pool::new(other.threads.unwrap_or(0))?;
    let alone =
        Options { pool: Some(pool), rules: other.rules.clone().with_roles_of(program), ..(*other).clone() };
    let (sender, receiver) = sync_channel(AHEAD);
    thread::scope(|scope| {
        let inputs_of_other = inputs.clone();
        let other = scope.spawn(move || {
            let events = Events { sender: Mutex::new(sender) };
            let executable = Executable::observed(program, *other, &events)?;
            match executable.run(entry, inputs_of_other) {
                // The receiver is gone because run A has ended; its result has the reason.
                Err(error) if stopped(&error) => Ok(None),
                done => done.map(Some),
            }
        });
        let waiting = VecDeque::new();
        let compare =
            with(Source::Run(RunSource { receiver: Some(receiver), waiting, options: Box::new(alone) }));
        let results = observed(program, entry, inputs, options, observers, &compare);
        let mut state = compare.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        // Ends run B if it still runs and run A has failed.
        state.source.close(results.is_err());
        let others = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let (results, others) = (results?, others?);
        let mut found = state.found;
        if let Some(others) = others {
            found.results = results.iter().zip(&others).map(|(a, b)| real_difference(a, b)).collect();
        }
        Ok((results, found))
    })
}

/// Runs the program under run A's options.
fn observed<'o>(
    program: &Program,
    entry: &str,
    inputs: Vec<Value>,
    options: &Options,
    mut observers: Vec<&'o dyn Observer>,
    compare: &'o Compare<'_>,
) -> Result<Vec<Value>, EvalError> {
    observers.push(compare);
    Executable::observed(program, options.clone(), &observers)?.run(entry, inputs)
}

/// An operation that run B has executed.
struct Sent {
    function: String,
    /// The first result, by which operations are known.
    id: ValueId,
    operands: Vec<(ValueId, Value)>,
    results: Vec<Value>,
}

/// The observer of run B.
struct Events {
    sender: Mutex<SyncSender<Sent>>,
}

impl Observer for Events {
    fn done(&self, event: &Event<'_>) -> bool {
        let sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(&id) = event.operation.results.first().filter(|_| is_compared(event)) else { return true };
        let function = event.function.name.clone();
        let (operands, results) = (operands(event), event.results.to_vec());
        sender.send(Sent { function, id, operands, results }).is_ok()
    }
}

/// Returns true for operations of the first process with a floating-point result. Control flow is left out: operations inside it
/// have its results.
fn is_compared(event: &Event<'_>) -> bool {
    event.process == (0, 0) && !event.is_control() && event.results.iter().any(|x| real(x).is_some())
}

/// The tensor, if its elements are of floating point.
fn real(value: &Value) -> Option<&Tensor> {
    match value {
        Value::Tensor(x) if is_real(&x.element) => Some(x),
        _ => None,
    }
}

fn real_difference(a: &Value, b: &Value) -> Option<f64> {
    Some(difference(real(a)?, real(b)?))
}

/// √(Σ (a − b)² / Σ b²). It is infinite if only one of two elements is finite, or two infinities or NaNs differ.
fn difference(a: &Tensor, b: &Tensor) -> f64 {
    let (a, b) = (numbers(a), numbers(b));
    if a.len() != b.len() {
        return f64::INFINITY;
    }
    let (mut error, mut size) = (0.0, 0.0);
    for (&a, &b) in a.iter().zip(&b) {
        if a.is_finite() && b.is_finite() {
            error += (a - b) * (a - b);
            size += b * b;
        } else if a != b && !(a.is_nan() && b.is_nan()) {
            return f64::INFINITY;
        }
    }
    match error == 0.0 {
        true => 0.0,
        false => (error / size).sqrt(),
    }
}

/// The operands of an event, each once, without constants.
fn operands(event: &Event<'_>) -> Vec<(ValueId, Value)> {
    let mut found: Vec<(ValueId, Value)> = vec![];
    for (id, value) in event.operand_ids.iter().zip(event.operands) {
        if let Some(id) = *id
            && found.iter().all(|(known, _)| *known != id)
        {
            found.push((id, value.clone()));
        }
    }
    found
}

/// The largest difference of operands that both runs have. A sum that only one of the runs computes with its product has other
/// operands there.
fn largest(a: &[(ValueId, Value)], b: &[(ValueId, Value)]) -> f64 {
    let other = |id: &ValueId| b.iter().find(|(known, _)| known == id).map(|(_, value)| value);
    a.iter().filter_map(|(id, a)| real_difference(a, other(id)?)).fold(0.0, f64::max)
}

/// The operations of a program by function and first result.
struct Index<'p>(HashMap<(&'p str, ValueId), &'p Operation>);

impl<'p> Index<'p> {
    fn of(program: &'p Program) -> Index<'p> {
        fn add<'p>(index: &mut Index<'p>, function: &'p str, region: &'p Region) {
            for operation in &region.operations {
                if let Some(&first) = operation.results.first() {
                    index.0.insert((function, first), operation);
                }
                operation.kind.regions().into_iter().for_each(|region| add(index, function, region));
            }
        }
        let mut index = Index(HashMap::new());
        program.functions.iter().for_each(|function| add(&mut index, &function.name, &function.body));
        index
    }

    /// The operation of an event alone, as the body of a function whose parameters are its operands, with their values. Constants
    /// and the product of a contracted pair come before it. `None` if regions of the operation use other values.
    fn alone(&self, event: &Event<'_>) -> Option<(Region, Vec<Value>)> {
        let find = |id: ValueId| self.0.get(&(event.function.name.as_str(), id)).copied();
        let own = find(*event.operation.results.first()?)?;
        let (parameters, values): (Vec<ValueId>, Vec<Value>) = operands(event).into_iter().unzip();
        let mut operations = vec![];
        for &operand in own.operands.iter().filter(|operand| !parameters.contains(operand)) {
            operations.push(find(operand)?.clone());
        }
        operations.push(own.clone());
        let mut known: HashSet<ValueId> = parameters.iter().copied().collect();
        known.extend(operations.iter().flat_map(|operation| &operation.results));
        let mut used: Vec<ValueId> =
            operations.iter().flat_map(|operation| operation.operands.clone()).collect();
        for operation in &operations {
            for region in operation.kind.regions() {
                region.named(&mut used);
                defined(region, &mut known);
            }
        }
        let complete = used.iter().all(|id| known.contains(id));
        complete.then(|| (Region { parameters, operations, results: own.results.clone() }, values))
    }
}

/// Adds the values that a region defines.
fn defined(region: &Region, known: &mut HashSet<ValueId>) {
    known.extend(&region.parameters);
    for operation in &region.operations {
        known.extend(&operation.results);
        operation.kind.regions().into_iter().for_each(|region| defined(region, known));
    }
}

/// Run B as a source of values.
struct RunSource {
    receiver: Option<Receiver<Sent>>,
    waiting: VecDeque<Sent>,
    /// The options of run B, for single operations.
    options: Box<Options>,
}

impl RunSource {
    /// The next execution of an operation. Operations that only run B has are skipped.
    fn next(&mut self, function: &str, id: ValueId) -> Option<Sent> {
        let is = |sent: &Sent| sent.id == id && sent.function == function;
        if let Some(at) = self.waiting.iter().position(is) {
            return self.waiting.drain(..=at).next_back();
        }
        while self.waiting.len() < WINDOW {
            let Ok(sent) = self.receiver.as_ref()?.recv() else {
                self.receiver = None;
                return None;
            };
            if is(&sent) {
                self.waiting.clear();
                return Some(sent);
            }
            self.waiting.push_back(sent);
        }
        None
    }

    /// The difference between A's results and those of B's operation on A's operands.
    fn made(
        &self,
        event: &Event<'_>,
        index: &Index<'_>,
        functions: &mut HashMap<String, Program>,
    ) -> Option<Vec<f64>> {
        if matches!(event.operation.kind, Op::Rng { .. }) {
            return None;
        }
        let (body, values) = index.alone(event)?;
        let function = event.function;
        let program = functions.entry(function.name.clone()).or_insert_with(|| single(function));
        let alone = &mut program.functions[0];
        let (parameters, results) = (body.parameters.len(), body.results.len());
        alone.results = body.results.iter().map(|id| function.values[id.0 as usize].clone()).collect();
        alone.body = body;
        (alone.parameter_names, alone.donated) = (vec![None; parameters], vec![false; parameters]);
        (alone.shardings, alone.result_shardings) = (vec![None; parameters], vec![None; results]);
        let executable = Executable::new(program, (*self.options).clone()).ok()?;
        let theirs = executable.run(&function.name, values).ok()?;
        Some(event.results.iter().zip(&theirs).map(|(a, b)| real_difference(a, b).unwrap_or(0.0)).collect())
    }
}

/// A program of one function with the types of this one's values.
fn single(function: &Function) -> Program {
    let body = Region { parameters: vec![], operations: vec![], results: vec![] };
    let function = Function { body, platform: None, ..function.clone() };
    let names = HashMap::from([(function.name.clone(), 0)]);
    Program { functions: vec![function], names, replicas: 1, partitions: 1, platform: 0 }
}

/// A dump as a source of values.
#[derive(Default)]
struct DumpSource {
    values: DumpedValues,
    limit: usize,
    /// Executions of each operation so far.
    executions: HashMap<(String, ValueId), u64>,
    /// Results at each location so far.
    at_location: HashMap<String, u64>,
    /// The difference of each value, as far as it is known.
    differences: HashMap<(String, ValueId), f64>,
}

impl DumpSource {
    /// The value of a result, and its difference.
    fn leaving(
        &mut self,
        event: &Event<'_>,
        at: usize,
        x: &Tensor,
        execution: u64,
    ) -> Result<Option<f64>, NpyError> {
        let scope = event.operation.scope.to_string();
        let count = self.at_location.entry(scope.clone()).or_default();
        let name = if *count == 0 { scope } else { format!("{scope}#{count}") };
        *count += 1;
        let place = (event.function.name.clone(), event.operation.position, at, execution);
        let read = self.values.read(&place, &name, x, self.limit)?;
        Ok(read.map(|theirs| difference(x, &theirs)))
    }

    /// The largest difference of the operands, if all are known.
    fn entering(&self, event: &Event<'_>, entry: Option<&Function>) -> Option<f64> {
        let is_entry = entry.is_some_and(|entry| entry.name == event.function.name);
        let is_input = |id: &ValueId| is_entry && event.function.body.parameters.contains(id);
        let known = |id: &ValueId| match is_input(id) || is_exact(event, *id) {
            true => Some(0.0),
            false => self.differences.get(&(event.function.name.clone(), *id)).copied(),
        };
        event.operand_ids.iter().flatten().map(known).try_fold(0.0, |most: f64, next| Some(most.max(next?)))
    }
}

/// Returns true for values without floating point.
fn is_exact(event: &Event<'_>, id: ValueId) -> bool {
    match &event.function.values[id.0 as usize] {
        Type::Tensor(ty) => !is_real(&ty.element),
        _ => true,
    }
}

/// Values of run B.
enum Source {
    Run(RunSource),
    Dump(Box<DumpSource>),
}

impl Default for Source {
    fn default() -> Source {
        Source::Dump(Box::default())
    }
}

impl Source {
    /// Receives no more of run B. If it is not to be stopped, it ends first.
    fn close(&mut self, stop: bool) {
        if let Source::Run(run) = self {
            while !stop && run.receiver.as_ref().is_some_and(|receiver| receiver.recv().is_ok()) {}
            run.receiver = None;
        }
    }
}

/// The observer of run A.
struct Compare<'p> {
    index: &'p Index<'p>,
    entry: Option<&'p Function>,
    threshold: f64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    source: Source,
    found: Difference,
    places: HashMap<(String, ValueId), usize>,
    /// Programs of single operations, by function.
    functions: HashMap<String, Program>,
    failed: Option<NpyError>,
}

impl Observer for Compare<'_> {
    fn done(&self, event: &Event<'_>) -> bool {
        let Some(&id) = event.operation.results.first().filter(|_| is_compared(event)) else { return true };
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let state = &mut *state;
        match &mut state.source {
            Source::Run(run) => {
                let Some(sent) = run.next(&event.function.name, id) else {
                    let (line, column) = event.operation.position;
                    let place = || format!("{line}:{column}: {}", event.operation.kind.name());
                    state.found.parted.get_or_insert_with(place);
                    return true;
                };
                // A product that only one of the runs computes with its sum was no other branch.
                state.found.parted = None;
                let entering = Some(largest(&operands(event), &sent.operands));
                let made = run.made(event, self.index, &mut state.functions);
                for (at, (a, b)) in event.results.iter().zip(&sent.results).enumerate() {
                    let (Some(x), Some(leaving)) = (real(a), real_difference(a, b)) else { continue };
                    let made = made.as_ref().and_then(|made| made.get(at)).copied();
                    state.found.add(
                        &mut state.places,
                        event,
                        (at, x),
                        [entering, made],
                        leaving,
                        self.threshold,
                    );
                }
            }
            Source::Dump(dump) => {
                let key = (event.function.name.clone(), id);
                let execution = *dump.executions.entry(key).and_modify(|count| *count += 1).or_insert(0);
                let entering = dump.entering(event, self.entry);
                for (at, (value, result)) in event.results.iter().zip(&event.operation.results).enumerate() {
                    let Some(x) = real(value) else { continue };
                    let leaving = match dump.leaving(event, at, x, execution) {
                        Ok(leaving) => leaving,
                        Err(error) => {
                            state.failed = Some(error);
                            return false;
                        }
                    };
                    // What the dump leaves out has the difference of its operands.
                    if let Some(known) = leaving.or(entering) {
                        dump.differences.insert((event.function.name.clone(), *result), known);
                    }
                    if let Some(leaving) = leaving {
                        state.found.add(
                            &mut state.places,
                            event,
                            (at, x),
                            [entering, None],
                            leaving,
                            self.threshold,
                        );
                    }
                }
            }
        }
        true
    }
}

impl Difference {
    /// Adds an execution of an operation.
    fn add(
        &mut self,
        places: &mut HashMap<(String, ValueId), usize>,
        event: &Event<'_>,
        (at, x): (usize, &Tensor),
        [entering, made]: [Option<f64>; 2],
        leaving: f64,
        threshold: f64,
    ) {
        let key = (event.function.name.clone(), event.operation.results[at]);
        let index = *places.entry(key).or_insert_with(|| {
            let place = event.place(at, x);
            self.operations.push(OperationDifference {
                place,
                executions: 0,
                entering: None,
                made: None,
                leaving: 0.0,
                healed: 0,
            });
            self.operations.len() - 1
        });
        let operation = &mut self.operations[index];
        operation.executions += 1;
        let most = |a: Option<f64>, b: Option<f64>| a.map_or(b, |a| Some(b.map_or(a, |b| a.max(b))));
        operation.entering = most(operation.entering, entering);
        operation.made = most(operation.made, made);
        operation.leaving = operation.leaving.max(leaving);
        operation.healed +=
            u64::from(entering.is_some_and(|entering| entering > threshold) && leaving <= threshold);
        if leaving > threshold {
            self.first.get_or_insert(index);
        }
    }
}
