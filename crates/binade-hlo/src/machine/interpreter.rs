//! The interpreter: runs the steps of a plan in order on values.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use binade_stablehlo::ir::{Binary, Function, Op, Operation, Program, ValueId};
use binade_stablehlo::{Data, ElementType, FloatType, Tensor, Type, Value, View};

use super::memory::Ledger;
use super::small_loops::StepBudget;
use super::values::{as_tensor, tensor};
use crate::arithmetic::body::{self, Body, Compiled, Outside, Steps};
use crate::arithmetic::convert::convert;
use crate::arithmetic::form::Form;
use crate::arithmetic::instruction::Instruction;
use crate::arithmetic::kernel::Kernel;
use crate::arithmetic::rules::KeyedProduct;
use crate::buffer_pool;
use crate::devices::process::{Grid, Process};
use crate::error::EvalError;
use crate::linear::products::Arithmetic;
use crate::movement::gather;
use crate::movement::layout::PARALLEL;
use crate::observe::{Event, Observer};
use crate::options::{Options, Semantics};
use crate::plan::cost::{self, Cost, Operand, cost};
use crate::plan::step::{Action, Applied, Block, Chain, GatherScatterAdd, ReducedChain, Step};
use crate::reduction::arg_extreme::ArgExtreme;
use crate::reduction::folding::Folding;
use crate::reduction::reduce::{self, of_kernel, reduce};

/// Maximum nesting of calls and regions.
const DEPTH: usize = 256;

/// The type in which narrow numbers are accumulated.
const SINGLE: ElementType = ElementType::Float(FloatType::F32);

/// A process of a running program.
#[derive(Clone, Copy)]
pub(crate) struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) plan: &'p [Block],
    pub(crate) options: &'p Options,
    pub(crate) shared: &'p Shared,
    pub(crate) ledger: &'p Ledger,
    pub(crate) process: Process,
    /// `None` for a single process.
    pub(crate) grid: Option<&'p Grid>,
    /// For each partition, the one whose process computes its values. Empty while one process computes all.
    pub(crate) stands: &'p [usize],
    pub(crate) observer: Option<&'p dyn Observer>,
}

/// State shared by all processes of a run.
#[derive(Default)]
pub(crate) struct Shared {
    /// Steps run.
    pub(crate) steps: AtomicU64,
    /// Processes started in grids.
    pub(crate) processes: AtomicUsize,
    /// `rng` operations run by each process.
    draws: Mutex<HashMap<Process, u64>>,
    /// The key of all random words of stochastic rules.
    pub(crate) key: u64,
    /// Executions of each operation under a stochastic rule: by process, and by line, column and number of its result.
    executions: Mutex<HashMap<(Process, [u32; 3]), u32>>,
    /// Values recorded by `interpreter.probe`.
    probes: Mutex<HashMap<String, Vec<Tensor>>>,
}

/// The values of a function that is being interpreted.
#[derive(Clone)]
pub(crate) struct Frame<'p> {
    pub(crate) function: &'p Function,
    values: Vec<Option<Value>>,
    depth: usize,
}

/// Elements, multiply-adds or similar operations per step.
const STEP: f64 = 4096.0;

impl Shared {
    /// The state of a run with this key.
    pub(crate) fn new(key: u64) -> Shared {
        Shared { key, ..Shared::default() }
    }

    /// Counts an execution, and returns the number of those before.
    pub(crate) fn execution(&self, operation: (Process, [u32; 3])) -> u32 {
        let mut executions = self.executions.lock().unwrap_or_else(PoisonError::into_inner);
        let count = executions.entry(operation).or_insert(0);
        *count = count.wrapping_add(1);
        count.wrapping_sub(1)
    }

    /// The number of a process's next draw. It is unique, and does not depend on other processes.
    pub(crate) fn draw(&self, process: Process) -> u64 {
        let mut draws = self.draws.lock().unwrap_or_else(PoisonError::into_inner);
        let next = draws.entry(process).or_insert(0);
        let draw = (process.0 as u64) << 52 | (process.1 as u64) << 36 | *next;
        *next += 1;
        draw
    }

    /// Records a probe's value.
    pub(crate) fn saw(&self, id: &str, value: Tensor) {
        let mut probes = self.probes.lock().unwrap_or_else(PoisonError::into_inner);
        probes.entry(id.to_string()).or_default().push(value);
    }

    /// The value that a probe recorded at an iteration.
    pub(crate) fn seen(&self, id: &str, iteration: usize) -> Option<Tensor> {
        self.probes.lock().unwrap_or_else(PoisonError::into_inner).get(id)?.get(iteration).cloned()
    }
}

impl<'p> Machine<'p> {
    /// Calls a function.
    pub(crate) fn call(
        &self,
        function: usize,
        arguments: Vec<Value>,
        depth: usize,
    ) -> Result<Vec<Value>, EvalError> {
        if depth > DEPTH {
            return Err(EvalError::Depth { limit: DEPTH });
        }
        let body = &self.plan[function];
        let function = &self.program.functions[function];
        let mut frame = Frame { function, values: vec![None; function.values.len()], depth };
        let results = self.block(body, &mut frame, arguments)?;
        for (at, (declared, result)) in function.results.iter().zip(&results).enumerate() {
            admitted(declared, result, || format!("result {at} of @{}", function.name))?;
        }
        Ok(results)
    }

    /// Interprets a region with these arguments.
    pub(crate) fn block(
        &self,
        block: &Block,
        frame: &mut Frame<'p>,
        arguments: Vec<Value>,
    ) -> Result<Vec<Value>, EvalError> {
        let arguments = block.parameters.iter().zip(&block.reads).zip(arguments);
        for (at, ((&parameter, &read), argument)) in arguments.enumerate() {
            admitted(&frame.function.values[parameter.0 as usize], &argument, || format!("parameter {at}"))?;
            if read {
                self.put(frame, parameter, argument);
            }
        }
        self.walk(block, frame)
    }

    /// Interprets a region whose arguments are in the frame.
    fn walk(&self, block: &Block, frame: &mut Frame<'p>) -> Result<Vec<Value>, EvalError> {
        for step in &block.steps {
            self.step(step, frame)?;
        }
        let mut values = Vec::with_capacity(block.results.len());
        for (&result, &take) in block.results.iter().zip(&block.takes) {
            let value =
                if take { self::take(frame, result) } else { frame.values[result.0 as usize].clone() };
            values.push(value.ok_or_else(|| missing(result))?);
        }
        Ok(values)
    }

    fn put(&self, frame: &mut Frame<'p>, at: ValueId, value: Value) {
        self.ledger.enter(&value);
        frame.values[at.0 as usize] = Some(value);
    }

    /// Checks that the memory limit leaves enough for a tensor.
    ///
    /// # Errors
    /// If the tensor would exceed the limit.
    pub(crate) fn check_fits(&self, element: &ElementType, shape: &[usize]) -> Result<(), EvalError> {
        let limit = self.options.memory_limit;
        let bytes = cost::bytes(element, shape).unwrap_or(usize::MAX);
        self.ledger.check_fits(bytes, limit).map_err(|live| EvalError::Memory {
            shape: shape.to_vec(),
            element: element.clone(),
            live,
            limit,
        })
    }

    /// Counts an operation's work, and checks that the memory limit leaves enough for it.
    ///
    /// # Errors
    /// If the operation would exceed the limit of memory or of steps.
    pub(crate) fn afford(&self, cost: Cost, results: usize) -> Result<(), EvalError> {
        let limit = self.options.memory_limit;
        // A sum that overflows becomes the greatest number.
        let bytes = results.saturating_add(cost.scratch as usize);
        self.ledger.check_fits(bytes, limit).map_err(|live| EvalError::Scratch { bytes, live, limit })?;
        self.count(cost.work)
    }

    /// Counts work.
    ///
    /// # Errors
    /// If the work would exceed the limit of steps.
    fn count(&self, work: f64) -> Result<(), EvalError> {
        let Some(limit) = self.options.step_limit else { return Ok(()) };
        let steps = (work / STEP) as u64;
        let done = self.shared.steps.fetch_add(steps, Ordering::Relaxed);
        if done.saturating_add(steps) > limit { Err(EvalError::Steps { limit }) } else { Ok(()) }
    }

    fn step(&self, step: &Step, frame: &mut Frame<'p>) -> Result<(), EvalError> {
        let done = self.shared.steps.fetch_add(1, Ordering::Relaxed);
        let operation = step.operation();
        let outcome = match self.options.step_limit {
            Some(limit) if done >= limit => Err(EvalError::Steps { limit }),
            _ => self.act(step, frame),
        };
        outcome.map_err(|error| match error {
            EvalError::At { .. } | EvalError::Deadlock(_) | EvalError::Stopped => error,
            error => EvalError::At {
                line: operation.position.0,
                column: operation.position.1,
                operation: operation.kind.name().to_string(),
                source: Box::new(error),
            },
        })?;
        for &value in &step.last {
            if let Some(Value::Tensor(tensor)) = take(frame, value) {
                buffer_pool::give(tensor.data);
            }
        }
        Ok(())
    }

    fn act(&self, step: &Step, frame: &mut Frame<'p>) -> Result<(), EvalError> {
        match &step.action {
            Action::Chain(chain) => self.chain(chain, frame),
            Action::ReducedChain(reduced) => self.reduced_chain(reduced, frame),
            Action::GatherScatterAdd(added) => self.gather_scatter_add(added, frame),
            Action::ArgExtreme { operation, extreme, body } => {
                self.arg_extreme(operation, extreme, body, frame)
            }
            Action::Single {
                operation,
                drawn,
                small_loop,
                blocks,
                bodies,
                takes,
                sized_results,
                open,
                ..
            } => {
                let mut operands = Vec::with_capacity(operation.operands.len());
                for (&operand, &take) in operation.operands.iter().zip(takes) {
                    let slot = &mut frame.values[operand.0 as usize];
                    let value = if take { slot.take() } else { slot.clone() };
                    let value = value.ok_or_else(|| missing(operand))?;
                    operands.push(value);
                }
                self.prepare(operation, &operands, sized_results, *open, frame)?;
                let seen = self.observer.map(|observer| (observer, operands.clone(), Instant::now()));
                let results = match (small_loop, drawn) {
                    (Some(small_loop), _) => {
                        small_loop.run(&self.step_budget(), |value| outside(value, frame), operands)?
                    }
                    (None, Some(drawn)) => self.drawn(drawn, operation, (blocks, bodies), operands, frame)?,
                    (None, None) => self.single(operation, None, (blocks, bodies), operands, frame)?,
                };
                if results.len() != operation.results.len() {
                    let facts = format!("{} results instead of {}", results.len(), operation.results.len());
                    return Err(EvalError::shape(operation.kind.name(), facts));
                }
                for (&result, value) in operation.results.iter().zip(results) {
                    let value = self.rounded(operation, value)?;
                    let declared = &frame.function.values[result.0 as usize];
                    admitted(declared, &value, || operation.kind.name().to_string())?;
                    self.put(frame, result, value);
                }
                match seen {
                    Some((observer, operands, start)) => {
                        let ids: Vec<_> = operation.operands.iter().copied().map(Some).collect();
                        self.show(observer, operation, (&ids, &operands), start, frame)
                    }
                    None => Ok(()),
                }
            }
        }
    }

    /// Reports an operation to the observer. Its results are in the frame.
    fn show(
        &self,
        observer: &dyn Observer,
        operation: &Operation,
        (operand_ids, operands): (&[Option<ValueId>], &[Value]),
        start: Instant,
        frame: &Frame<'p>,
    ) -> Result<(), EvalError> {
        let seconds = start.elapsed().as_secs_f64();
        let value =
            |result: &ValueId| frame.values[result.0 as usize].clone().ok_or_else(|| missing(*result));
        let results = operation.results.iter().map(value).collect::<Result<Vec<_>, _>>()?;
        let (function, process) = (frame.function, self.process);
        let event = Event { function, operation, process, operand_ids, operands, results: &results, seconds };
        if observer.done(&event) { Ok(()) } else { Err(EvalError::Stopped) }
    }

    /// Checks the sizes that were open in `verify`, and the memory for a single operation: for results of known sizes
    /// (`sized_results`), for other results, and for working memory.
    fn prepare(
        &self,
        operation: &Operation,
        operands: &[Value],
        sized_results: &[(usize, Vec<usize>)],
        open: bool,
        frame: &Frame<'p>,
    ) -> Result<(), EvalError> {
        let kind = &operation.kind;
        // Control flow needs no memory itself.
        if kind.is_control() {
            return Ok(());
        }
        let ty = |value: &ValueId| &frame.function.values[value.0 as usize];
        let (mut bytes, mut elements) = (0usize, 0.0);
        let mut result = |element: &ElementType, shape: &[usize]| {
            self.check_fits(element, shape)?;
            bytes = bytes.saturating_add(cost::bytes(element, shape).unwrap_or(usize::MAX));
            elements += shape.iter().map(|&size| size as f64).product::<f64>();
            Ok::<_, EvalError>(())
        };
        for (at, shape) in sized_results {
            if let Type::Tensor(declared) = ty(&operation.results[*at]) {
                result(&declared.element, shape)?;
            }
        }
        let tensors: Vec<Operand> =
            operands.iter().filter_map(|value| as_tensor(value).ok()).map(Operand::of).collect();
        if open {
            let declared: Vec<&Type> = operation.results.iter().map(ty).collect();
            let inferred = crate::machine::open_sizes::check(kind, operands, &declared)?;
            let shape = inferred.as_deref().or(tensors.first().map(Operand::shape));
            for declared in declared {
                if let (Type::Tensor(declared), Some(shape)) = (declared, shape)
                    && declared.is_open()
                {
                    result(&declared.element, shape)?;
                }
            }
        }
        let element = match operation.results.first().map(ty) {
            Some(Type::Tensor(tensor)) => &tensor.element,
            _ => &ElementType::Bool,
        };
        let mut cost = cost(kind, &tensors, element, elements);
        if self.options.rules.blocks(operation).is_some() {
            cost.scratch += cost::quantised(kind, &tensors, elements);
        }
        self.afford(cost, bytes)
    }

    fn chain(&self, chain: &Chain, frame: &mut Frame<'p>) -> Result<(), EvalError> {
        let start = self.observer.map(|observer| (observer, Instant::now()));
        let given = given(chain, frame);
        let mut views: Vec<View> = Vec::with_capacity(chain.inputs.len());
        for (at, input) in chain.inputs.iter().enumerate() {
            views.push(match given.iter().any(|&(input, ..)| input == at) {
                true => View::U8(&[]),
                false => outside(input, frame)?.data.view(),
            });
        }
        let (length, open) = match chain.length {
            Some(length) => (length, None),
            None => {
                let shape = open_shape(chain, frame)?;
                (shape.iter().product(), Some(shape))
            }
        };
        let shapes = chain.outputs.iter().map(|output| output.shape.as_ref().or(open.as_ref()));
        let mut bytes = 0usize;
        for (at, (output, shape)) in chain.outputs.iter().zip(shapes.clone()).enumerate() {
            if given.iter().any(|&(_, output, _)| output == at) {
                continue;
            }
            let shape = shape.map_or(&[][..], Vec::as_slice);
            self.check_fits(&output.element, shape)?;
            bytes = bytes.saturating_add(cost::bytes(&output.element, shape).unwrap_or(usize::MAX));
        }
        self.afford(Cost { scratch: 0.0, work: length as f64 }, bytes)?;
        let results = chain.kernel.evaluate_in(&views, given, length)?;
        for ((output, shape), data) in chain.outputs.iter().zip(shapes).zip(results) {
            let (element, shape) = (output.element.clone(), shape.cloned().unwrap_or_default());
            self.put(frame, output.value, Value::Tensor(Tensor { element, shape, data: Arc::new(data) }));
        }
        // An operation whose result is never read has no result.
        let Some((observer, start)) = start.filter(|_| !chain.outputs.is_empty()) else { return Ok(()) };
        let operand = |input| outside(input, frame).cloned().map(Value::Tensor);
        let operands = chain.inputs.iter().map(operand).collect::<Result<Vec<_>, _>>()?;
        let ids: Vec<_> = chain.inputs.iter().map(Outside::value).collect();
        self.show(observer, &chain.operation, (&ids, &operands), start, frame)
    }

    /// Runs a chain with known sizes, and the reduction of one of its results.
    fn reduced_chain(&self, reduced_chain: &ReducedChain, frame: &mut Frame<'p>) -> Result<(), EvalError> {
        let ReducedChain { chain, reduced, written, shape, dimensions, initial, body, output } =
            reduced_chain;
        let mut views: Vec<View> = Vec::with_capacity(chain.inputs.len());
        for input in &chain.inputs {
            views.push(outside(input, frame)?.data.view());
        }
        let initial = outside(initial, frame)?.clone();
        let body =
            Body::Kernel { kernel: &body.kernel, captured: vec![], form: body.form, rule: Steps::default() };
        let mut bytes = 0usize;
        for output in chain.outputs.iter().chain([output]) {
            let shape = output.shape.as_deref().unwrap_or_default();
            self.check_fits(&output.element, shape)?;
            bytes = bytes.saturating_add(cost::bytes(&output.element, shape).unwrap_or(usize::MAX));
        }
        let length: usize = shape.iter().product();
        // Partial sums of blocks.
        let sums = output.shape.iter().flatten().product::<usize>() * output.element.stored_bytes();
        self.afford(Cost { scratch: 16.0 * sums as f64, work: 2.0 * length as f64 }, bytes)?;
        let (results, total) =
            of_kernel(&chain.kernel, &views, (*reduced, *written), (shape, dimensions), &initial, &body)?;
        let results = results.into_iter().enumerate().filter(|&(at, _)| at != *reduced || *written);
        let results = results.map(|(_, data)| data).chain([total]);
        for (output, data) in chain.outputs.iter().chain([output]).zip(results) {
            let (element, shape) = (output.element.clone(), output.shape.clone().unwrap_or_default());
            self.put(frame, output.value, Value::Tensor(Tensor { element, shape, data: Arc::new(data) }));
        }
        Ok(())
    }

    /// Runs a `scatter` whose updates are not written out.
    fn gather_scatter_add(&self, added: &GatherScatterAdd, frame: &mut Frame<'p>) -> Result<(), EvalError> {
        let GatherScatterAdd { operation, rows, takes } = added;
        let get = |value: ValueId, frame: &Frame| outside(&Outside::Value(value), frame).cloned();
        let sums = match takes {
            true => {
                tensor(take(frame, operation.operands[0]).ok_or_else(|| missing(operation.operands[0]))?)?
            }
            false => get(operation.operands[0], frame)?,
        };
        let places = get(operation.operands[1], frame)?;
        let (x, from) = (get(rows.x, frame)?, get(rows.from, frame)?);
        let weights = match &rows.weight {
            Some(weight) => Some(outside(&weight.base, frame)?.clone()),
            None => None,
        };
        self.check_fits(&sums.element, &sums.shape)?;
        let bytes = cost::bytes(&sums.element, &sums.shape).unwrap_or(usize::MAX);
        let edges = places.data.len() as f64;
        // Indices, their order, and the start of each row.
        let scratch = 24.0 * edges + 8.0 * sums.shape[0] as f64;
        self.afford(Cost { scratch, work: 2.0 * edges * rows.run as f64 }, bytes)?;
        let sums = gather::add_gathered_rows(rows, sums, &places, (&x, &from), weights.as_ref())?;
        self.put(frame, operation.results[0], Value::Tensor(sums));
        Ok(())
    }

    /// Runs a search of rows for an extreme.
    fn arg_extreme(
        &self,
        operation: &Operation,
        extreme: &ArgExtreme,
        body: &Compiled,
        frame: &mut Frame<'p>,
    ) -> Result<(), EvalError> {
        let get = |value: ValueId| outside(&Outside::Value(value), frame).cloned();
        let x = get(extreme.x)?;
        let initial = [get(extreme.initial[0])?, get(extreme.initial[1])?];
        let shape = &x.shape[..x.shape.len() - 1];
        let mut bytes = 0usize;
        for initial in &initial {
            self.check_fits(&initial.element, shape)?;
            bytes = bytes.saturating_add(cost::bytes(&initial.element, shape).unwrap_or(usize::MAX));
        }
        self.afford(Cost { scratch: bytes as f64, work: x.data.len() as f64 }, bytes)?;
        let body =
            Body::Kernel { kernel: &body.kernel, captured: vec![], form: body.form, rule: Steps::default() };
        let results = reduce::found(&x, extreme, &initial, &body)?;
        for ((&result, data), initial) in operation.results.iter().zip(results).zip(&initial) {
            let (element, shape) = (initial.element.clone(), shape.to_vec());
            self.put(frame, result, Value::Tensor(Tensor { element, shape, data: Arc::new(data) }));
        }
        Ok(())
    }

    /// Rounds a result by a rule of arithmetic.
    fn rounded(&self, operation: &Operation, value: Value) -> Result<Value, EvalError> {
        let Value::Tensor(mut tensor) = value else { return Ok(value) };
        let Some(rounding) = self.options.rules.rounding(operation, &tensor.element) else {
            return Ok(Value::Tensor(tensor));
        };
        rounding.round_in_place(&tensor.element, buffer_pool::own(&mut tensor.data));
        Ok(Value::Tensor(tensor))
    }

    /// The evaluator that applies a region to elements.
    pub(crate) fn body<'a>(
        &'a self,
        applied: &'a Applied,
        frame: &'a Frame<'p>,
    ) -> Result<Body<'a>, EvalError> {
        Ok(match applied {
            Applied::Compiled(compiled) => Body::Kernel {
                kernel: &compiled.kernel,
                captured: compiled
                    .captured
                    .iter()
                    .map(|value| outside(value, frame).cloned())
                    .collect::<Result<_, _>>()?,
                form: compiled.form,
                rule: Steps {
                    operator: compiled.step.as_ref().map(|(emulated, fused)| (emulated, *fused)),
                    folding: (compiled.rounded.as_ref())
                        .map(|(fold, rounder)| Folding { fold: *fold, rounder }),
                    in_order: compiled.in_order,
                },
            },
            Applied::Walked { block, in_order } => {
                let element = |&parameter: &ValueId| match &frame.function.values[parameter.0 as usize] {
                    Type::Tensor(tensor) => tensor.element.clone(),
                    _ => ElementType::Bool,
                };
                // Operations on elements are not reported to observers.
                let unseen = Machine { observer: None, ..*self };
                let worker = move || -> body::Walker<'a> {
                    let mut frame = frame.clone();
                    frame.depth += 1;
                    Box::new(move |arguments| {
                        let arguments = arguments.into_iter().map(Value::Tensor).collect();
                        unseen.block(block, &mut frame, arguments)?.into_iter().map(tensor).collect()
                    })
                };
                Body::Walk {
                    worker: Box::new(worker),
                    parameters: block.parameters.iter().map(element).collect(),
                    in_order: *in_order,
                }
            }
        })
    }

    /// Returns true if sums of this type are accumulated in binary32, and rounded once.
    fn accumulates_wide(&self, body: &Body, element: &ElementType) -> bool {
        !self.in_order()
            && matches!(body.form(), Form::Combine(_))
            && matches!(element, ElementType::Float(float) if !matches!(float, FloatType::F32 | FloatType::F64 | FloatType::Tf32))
    }

    /// Returns true if `scatter` drops windows that are partly outside, rather than their outer elements only.
    pub(crate) fn whole_windows(&self) -> bool {
        self.options.semantics == Semantics::Xla
    }

    fn step_budget(&self) -> StepBudget<'p> {
        StepBudget { steps: &self.shared.steps, limit: self.options.step_limit, in_order: self.in_order() }
    }

    /// Returns true if operations process elements in index order, and round wherever the program does.
    pub(crate) fn in_order(&self) -> bool {
        self.options.semantics == Semantics::Reference
    }

    /// Applies `reduce` to the inputs and initial values. Narrow sums are accumulated in binary32 if the semantics say so,
    /// and always by an operator.
    pub(crate) fn widened(
        &self,
        body: &Body,
        inputs: &[Tensor],
        initial: &[Tensor],
        reduce: impl Fn(&[Tensor], &[Tensor], &Body, bool) -> Result<Vec<Tensor>, EvalError>,
    ) -> Result<Vec<Tensor>, EvalError> {
        let in_order = self.in_order() || body.in_order();
        let element = &initial[0].element;
        let kernel = match (body.operator(), body.form()) {
            (Some(_), _) if *element == SINGLE => return reduce(inputs, initial, body, in_order),
            (Some((emulated, fused)), _) => Kernel::step(emulated, fused, &SINGLE),
            (None, Form::Combine(binary)) if self.accumulates_wide(body, element) => {
                body::combine(binary, &SINGLE)
            }
            _ => return reduce(inputs, initial, body, in_order),
        };
        let rule = Steps { operator: body.operator(), folding: None, in_order: body.in_order() };
        let wide_body = Body::Kernel { kernel: &kernel, captured: vec![], form: body.form(), rule };
        let wide = |tensor: &Tensor| as_type(tensor, &SINGLE);
        let sums = reduce(&[wide(&inputs[0])?], &[wide(&initial[0])?], &wide_body, in_order)?;
        sums.into_iter().map(|sum| as_type(&sum, element)).collect()
    }

    /// Reduces `dimensions` of one input if narrow sums are accumulated in binary32. Elements are widened during the
    /// reduction.
    pub(crate) fn widening(
        &self,
        body: &Body,
        x: &Tensor,
        initial: &Tensor,
        dimensions: &[usize],
    ) -> Result<Option<Tensor>, EvalError> {
        let kept = |at: &usize| !dimensions.contains(at);
        let shape: Vec<usize> = (0..x.shape.len()).filter(kept).map(|at| x.shape[at]).collect();
        let length: usize = shape.iter().product();
        let (Form::Combine(binary), None) = (body.form(), body.operator()) else { return Ok(None) };
        if !self.accumulates_wide(body, &initial.element) || length == 0 || x.data.len() <= length {
            return Ok(None);
        }
        let kernel = body::combine(binary, &SINGLE);
        let rule = Steps::default();
        let body = Body::Kernel { kernel: &kernel, captured: vec![], form: body.form(), rule };
        let widen = Kernel::single(Instruction::Convert, &[(x.element.clone(), false)], &SINGLE);
        let sizes = (&x.shape[..], dimensions);
        let start = as_type(initial, &SINGLE)?;
        let (_, data) = of_kernel(&widen, &[x.data.view()], (0, false), sizes, &start, &body)?;
        let sum = Tensor { element: SINGLE, shape, data: Arc::new(data) };
        Ok(Some(as_type(&sum, &initial.element)?))
    }

    /// The way in which an operation accumulates products.
    pub(crate) fn arithmetic<'a>(
        &'a self,
        operation: &Operation,
        drawn: Option<KeyedProduct<'a>>,
    ) -> Arithmetic<'a> {
        let rules = &self.options.rules;
        let (multiplier, blocks) = match drawn {
            Some(KeyedProduct::Sums(multiplier)) => (Some(multiplier), None),
            Some(KeyedProduct::Quantized(product)) => (None, Some(product)),
            None => (rules.multiplier(operation), rules.blocks(operation)),
        };
        Arithmetic { in_order: self.in_order(), multiplier, blocks }
    }

    /// Evaluates a region of control flow.
    pub(crate) fn nested(
        &self,
        block: &Block,
        frame: &mut Frame<'p>,
        arguments: Vec<Value>,
    ) -> Result<Vec<Value>, EvalError> {
        deeper(frame, |frame| self.block(block, frame, arguments))
    }

    /// Sums over all dimensions but one, as `reduce` with `add` does.
    pub(crate) fn sums(&self) -> impl Fn(&Tensor, usize) -> Result<Tensor, EvalError> {
        |x, feature| {
            let kernel = body::combine(Binary::Add, &x.element);
            let body = Body::Kernel {
                kernel: &kernel,
                captured: vec![],
                form: Form::Combine(Binary::Add),
                rule: Steps::default(),
            };
            let zero = Data::zeros(&x.element, 1);
            let zero = Tensor { element: x.element.clone(), shape: vec![], data: Arc::new(zero) };
            let others: Vec<usize> = (0..x.shape.len()).filter(|&dimension| dimension != feature).collect();
            let sums =
                self.widened(&body, std::slice::from_ref(x), &[zero], |inputs, initial, body, in_order| {
                    reduce(inputs, initial, &others, body, in_order)
                })?;
            sums.into_iter().next().ok_or_else(|| EvalError::shape("reduce", "one result is needed"))
        }
    }

    pub(crate) fn depth(frame: &Frame) -> usize {
        frame.depth + 1
    }

    /// Runs an operation; `drawn` is a product under a stochastic rule.
    pub(crate) fn single(
        &self,
        operation: &Operation,
        drawn: Option<KeyedProduct<'_>>,
        (blocks, bodies): (&[Block], &[Applied]),
        operands: Vec<Value>,
        frame: &mut Frame<'p>,
    ) -> Result<Vec<Value>, EvalError> {
        match &operation.kind {
            Op::While { .. } => self.repeat(&blocks[0], &blocks[1], operands, frame),
            Op::If { .. } => {
                let truth = truth(&operands[0])?;
                self.nested(&blocks[usize::from(!truth)], frame, vec![])
            }
            Op::Case { branches } => {
                let index = crate::movement::shape::integers(as_tensor(&operands[0])?)[0];
                // The last branch is the default.
                let last = branches.len() - 1;
                let branch = usize::try_from(index).map_or(last, |index| index.min(last));
                self.nested(&blocks[branch], frame, vec![])
            }
            Op::Call { function } | Op::Composite { function, .. } => {
                self.call(*function, operands, Self::depth(frame))
            }
            _ => crate::machine::operation::evaluate(self, operation, drawn, bodies, operands, frame),
        }
    }

    fn repeat(
        &self,
        condition: &Block,
        body: &Block,
        mut state: Vec<Value>,
        frame: &mut Frame<'p>,
    ) -> Result<Vec<Value>, EvalError> {
        loop {
            let again = deeper(frame, |frame| {
                // Values that the condition does not read are the body's alone, which may change them in place.
                for ((&parameter, &read), value) in
                    condition.parameters.iter().zip(&condition.reads).zip(&state)
                {
                    admitted(&frame.function.values[parameter.0 as usize], value, || "while".to_string())?;
                    if read {
                        self.put(frame, parameter, value.clone());
                    }
                }
                self.walk(condition, frame)
            })?;
            if !truth(&again[0])? {
                return Ok(state);
            }
            state = self.nested(body, frame, state)?;
        }
    }
}

impl Step {
    fn operation(&self) -> &Operation {
        match &self.action {
            Action::Single { operation, .. } => operation,
            Action::Chain(chain) => &chain.operation,
            Action::ReducedChain(reduced) => &reduced.chain.operation,
            Action::GatherScatterAdd(added) => &added.operation,
            Action::ArgExtreme { operation, .. } => operation,
        }
    }
}

/// Moves a value out of a frame.
fn take(frame: &mut Frame, at: ValueId) -> Option<Value> {
    frame.values[at.0 as usize].take()
}

/// Checks that a value has its type, since the type at its definition may leave sizes open.
///
/// # Errors
/// If the value has another type.
fn admitted(declared: &Type, value: &Value, what: impl FnOnce() -> String) -> Result<(), EvalError> {
    if declared.admits(value) {
        return Ok(());
    }
    let found = match value {
        Value::Tensor(tensor) => format!("shape {:?} of {}", tensor.shape, tensor.element),
        Value::Token => "a token".to_string(),
        Value::Tuple(values) => format!("a tuple of {}", values.len()),
    };
    Err(EvalError::shape(what(), format!("{declared} is needed, not {found}")))
}

fn missing(value: ValueId) -> EvalError {
    EvalError::shape("value", format!("number {} is read before it is defined", value.0))
}

/// Large unshared input buffers that a chain reuses for its outputs: (input, output, elements).
fn given(chain: &Chain, frame: &mut Frame) -> Vec<(usize, usize, Data)> {
    let Some(length) = chain.length.filter(|&length| length >= PARALLEL) else { return vec![] };
    let give = |&(input, output): &(usize, usize)| {
        let slot = &mut frame.values[chain.inputs[input].value()?.0 as usize];
        let tensor = match slot.take()? {
            Value::Tensor(tensor) if tensor.data.len() == length => tensor,
            other => {
                *slot = Some(other);
                return None;
            }
        };
        let Tensor { element, shape, data } = tensor;
        match Arc::try_unwrap(data) {
            Ok(data) => Some((input, output, data)),
            Err(data) => {
                *slot = Some(Value::Tensor(Tensor { element, shape, data }));
                None
            }
        }
    };
    chain.takes.iter().filter_map(give).collect()
}

fn outside<'a>(value: &'a Outside, frame: &'a Frame) -> Result<&'a Tensor, EvalError> {
    match value {
        Outside::Constant(tensor) => Ok(tensor),
        Outside::Value(id) => match &frame.values[id.0 as usize] {
            Some(Value::Tensor(tensor)) => Ok(tensor),
            _ => Err(missing(*id)),
        },
    }
}

/// Runs a function one level deeper.
fn deeper<'p, T>(
    frame: &mut Frame<'p>,
    work: impl FnOnce(&mut Frame<'p>) -> Result<T, EvalError>,
) -> Result<T, EvalError> {
    if frame.depth >= DEPTH {
        return Err(EvalError::Depth { limit: DEPTH });
    }
    frame.depth += 1;
    let result = work(frame);
    frame.depth -= 1;
    result
}

/// The shape of the operands of an operation whose types leave sizes open. Scalars are repeated for all elements.
///
/// # Errors
/// If the operands differ in shape, or the results have other sizes.
fn open_shape(chain: &Chain, frame: &Frame) -> Result<Vec<usize>, EvalError> {
    let name = chain.operation.kind.name();
    let mut shape: Option<&[usize]> = None;
    for input in &chain.inputs {
        let input = outside(input, frame)?;
        if input.shape.is_empty() {
            continue;
        }
        let known = *shape.get_or_insert(&input.shape);
        if *known != input.shape {
            return Err(EvalError::shape(
                name,
                format!("operands must have the same shape: got {known:?} and {:?}", input.shape),
            ));
        }
    }
    let shape = shape.unwrap_or(&[]);
    for output in &chain.outputs {
        if let Type::Tensor(declared) = &frame.function.values[output.value.0 as usize]
            && !declared.admits(shape)
        {
            return Err(EvalError::shape(
                name,
                format!("the result must have type {declared}: got shape {shape:?}"),
            ));
        }
    }
    Ok(shape.to_vec())
}

fn truth(value: &Value) -> Result<bool, EvalError> {
    match &*as_tensor(value)?.data {
        Data::U8(truth) if truth.len() == 1 => Ok(truth[0] != 0),
        _ => Err(EvalError::shape("predicate", "one i1 is needed")),
    }
}

fn as_type(x: &Tensor, element: &ElementType) -> Result<Tensor, EvalError> {
    Ok(Tensor { data: Arc::new(convert(x, element)?), element: element.clone(), shape: x.shape.clone() })
}
