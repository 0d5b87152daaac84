//! The walk: a program's steps, one after the other, on values.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::eval::EvalError;
use crate::eval::View;
use crate::eval::body::{self, Body, Form, Outside};
use crate::eval::contract::Arithmetic;
use crate::eval::convert::convert;
use crate::eval::plan::{Applied, Block, Chain, Step, Work};
use crate::eval::process::{Grid, Process};
use crate::eval::reduce::reduce;
use crate::eval::{Options, Semantics};
use crate::ir::{Binary, Function, Op, Operation, Program, ValueId};
use crate::spare;
use crate::tensor::{Data, Tensor, Value};
use crate::types::{ElementType, FloatType, Type};

/// Calls and regions within each other, at most.
const DEPTH: usize = 256;

/// A process of a program that runs.
pub(crate) struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) plan: &'p [Block<'p>],
    pub(crate) options: &'p Options,
    pub(crate) shared: &'p Shared,
    pub(crate) process: Process,
    /// None while there is one process only.
    pub(crate) grid: Option<&'p Grid>,
}

/// What all processes of a run have in common.
#[derive(Default)]
pub(crate) struct Shared {
    /// Bytes of the values that are held.
    live: AtomicUsize,
    /// Steps done.
    steps: AtomicU64,
    /// `rng` operations done.
    pub(crate) draws: AtomicU64,
    /// What `interpreter.probe` saw.
    probes: Mutex<HashMap<String, Vec<Tensor>>>,
}

/// The values of a function that is being walked.
#[derive(Clone)]
pub(crate) struct Frame<'p> {
    pub(crate) function: &'p Function,
    values: Vec<Option<Value>>,
    depth: usize,
}

/// Bytes of a value that nobody else holds.
fn owned_bytes(value: &Value) -> usize {
    match value {
        Value::Tensor(tensor) if Arc::strong_count(&tensor.data) == 1 => tensor.data.bytes(),
        Value::Tensor(_) | Value::Token => 0,
        Value::Tuple(values) => values.iter().map(owned_bytes).sum(),
    }
}

impl Shared {
    /// Remembers what a probe saw.
    pub(crate) fn saw(&self, id: &str, value: Tensor) {
        let mut probes = self.probes.lock().unwrap_or_else(PoisonError::into_inner);
        probes.entry(id.to_string()).or_default().push(value);
    }

    /// What a probe saw at an iteration.
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
        for (parameter, argument) in function.body.parameters.iter().zip(&arguments) {
            if let (Type::Tensor(declared), Value::Tensor(tensor)) =
                (&function.values[parameter.0 as usize], argument)
                && !declared.admits(&tensor.shape)
            {
                let facts =
                    format!("@{} takes {declared}, not a tensor of shape {:?}", function.name, tensor.shape);
                return Err(EvalError::shape("call", facts));
            }
        }
        let mut frame = Frame { function, values: vec![None; function.values.len()], depth };
        self.block(body, &mut frame, arguments)
    }

    /// Walks a region with these arguments.
    pub(crate) fn block(
        &self,
        block: &Block<'p>,
        frame: &mut Frame<'p>,
        arguments: Vec<Value>,
    ) -> Result<Vec<Value>, EvalError> {
        for ((&parameter, &read), argument) in block.region.parameters.iter().zip(&block.reads).zip(arguments)
        {
            if read {
                self.put(frame, parameter, argument);
            }
        }
        self.walk(block, frame)
    }

    /// Walks a region whose arguments are in the frame.
    fn walk(&self, block: &Block<'p>, frame: &mut Frame<'p>) -> Result<Vec<Value>, EvalError> {
        for step in &block.steps {
            self.step(step, frame)?;
        }
        let mut values = Vec::with_capacity(block.region.results.len());
        for (&result, &take) in block.region.results.iter().zip(&block.takes) {
            let value = if take { self.take(frame, result) } else { frame.values[result.0 as usize].clone() };
            values.push(value.ok_or_else(|| missing(result))?);
        }
        Ok(values)
    }

    fn put(&self, frame: &mut Frame<'p>, at: ValueId, value: Value) {
        self.shared.live.fetch_add(owned_bytes(&value), Ordering::Relaxed);
        frame.values[at.0 as usize] = Some(value);
    }

    fn take(&self, frame: &mut Frame<'p>, at: ValueId) -> Option<Value> {
        let value = frame.values[at.0 as usize].take()?;
        self.release(owned_bytes(&value));
        Some(value)
    }

    fn release(&self, bytes: usize) {
        let less = |live: usize| Some(live.saturating_sub(bytes));
        // An update that always has a new value always succeeds.
        let _ = self.shared.live.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }

    /// Whether there is room for a tensor.
    ///
    /// # Errors
    /// If it would exceed the limit.
    pub(crate) fn room(&self, element: &ElementType, shape: &[usize]) -> Result<(), EvalError> {
        let length = shape.iter().try_fold(element.stored_bytes(), |bytes, &size| bytes.checked_mul(size));
        let live = self.shared.live.load(Ordering::Relaxed);
        match length.and_then(|bytes| bytes.checked_add(live)) {
            Some(bytes) if bytes <= self.options.memory_limit => Ok(()),
            _ => Err(EvalError::Memory {
                shape: shape.to_vec(),
                element: element.clone(),
                live,
                limit: self.options.memory_limit,
            }),
        }
    }

    fn step(&self, step: &Step<'p>, frame: &mut Frame<'p>) -> Result<(), EvalError> {
        let done = self.shared.steps.fetch_add(1, Ordering::Relaxed);
        let operation = step.operation();
        let outcome = match self.options.step_limit {
            Some(limit) if done >= limit => Err(EvalError::Steps { limit }),
            _ => self.work(step, frame),
        };
        outcome.map_err(|error| match error {
            EvalError::At { .. } | EvalError::Deadlock(_) => error,
            error => EvalError::At {
                line: operation.position.0,
                column: operation.position.1,
                operation: operation.kind.name().to_string(),
                source: Box::new(error),
            },
        })?;
        for &value in &step.last {
            if let Some(Value::Tensor(tensor)) = self.take(frame, value) {
                spare::give(tensor.data);
            }
        }
        Ok(())
    }

    fn work(&self, step: &Step<'p>, frame: &mut Frame<'p>) -> Result<(), EvalError> {
        match &step.work {
            Work::Chain(chain) => self.chain(chain, frame),
            Work::Single { operation, blocks, bodies, takes, room, open } => {
                for (result, shape) in room {
                    if let Type::Tensor(tensor) =
                        &frame.function.values[operation.results[*result].0 as usize]
                    {
                        self.room(&tensor.element, shape)?;
                    }
                }
                let mut held = 0;
                let mut operands = Vec::with_capacity(operation.operands.len());
                for (&operand, &take) in operation.operands.iter().zip(takes) {
                    let slot = &mut frame.values[operand.0 as usize];
                    let value = if take { slot.take() } else { slot.clone() };
                    let value = value.ok_or_else(|| missing(operand))?;
                    held += if take { owned_bytes(&value) } else { 0 };
                    operands.push(value);
                }
                if *open {
                    super::dynamic::check(&operation.kind, &operands)?;
                }
                let results = self.single(operation, blocks, bodies, operands, frame);
                self.release(held);
                for (&result, value) in operation.results.iter().zip(results?) {
                    let value = self.rounded(operation, value)?;
                    let declared = &frame.function.values[result.0 as usize];
                    if let (Type::Tensor(declared), Value::Tensor(tensor)) = (declared, &value)
                        && !declared.admits(&tensor.shape)
                    {
                        let facts = format!("the result is of shape {:?}, not {declared}", tensor.shape);
                        return Err(EvalError::shape(operation.kind.name(), facts));
                    }
                    self.put(frame, result, value);
                }
                Ok(())
            }
        }
    }

    fn chain(&self, chain: &Chain<'p>, frame: &mut Frame<'p>) -> Result<(), EvalError> {
        let mut views: Vec<View> = Vec::with_capacity(chain.inputs.len());
        for input in &chain.inputs {
            views.push(outside(input, frame)?.data.view());
        }
        let (length, open) = match chain.length {
            Some(length) => (length, None),
            None => {
                let (length, shape) = open_shape(chain, frame)?;
                (length, Some(shape))
            }
        };
        let shapes = chain.outputs.iter().map(|output| output.shape.as_ref().or(open.as_ref()));
        for (output, shape) in chain.outputs.iter().zip(shapes.clone()) {
            self.room(&output.element, shape.map_or(&[], Vec::as_slice))?;
        }
        let results = chain.kernel.evaluate(&views, length)?;
        for ((output, shape), data) in chain.outputs.iter().zip(shapes).zip(results) {
            let (element, shape) = (output.element.clone(), shape.cloned().unwrap_or_default());
            self.put(frame, output.value, Value::Tensor(Tensor { element, shape, data: Arc::new(data) }));
        }
        Ok(())
    }

    /// A result as a rule of arithmetic rounds it.
    fn rounded(&self, operation: &Operation, value: Value) -> Result<Value, EvalError> {
        let Value::Tensor(tensor) = value else { return Ok(value) };
        let Some(rounding) = self.options.rules.rounding(operation, &tensor.element) else {
            return Ok(Value::Tensor(tensor));
        };
        let mut data = Data::zeros(&tensor.element, tensor.data.len());
        rounding.round_into(&tensor.element, tensor.data.view(), data.view_mut());
        Ok(Value::Tensor(Tensor { data: Arc::new(data), ..tensor }))
    }

    /// What applies a region to elements.
    pub(crate) fn body<'a>(
        &'a self,
        applied: &'a Applied<'p>,
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
            },
            Applied::Walked(block) => {
                let element = |&parameter: &ValueId| match &frame.function.values[parameter.0 as usize] {
                    Type::Tensor(tensor) => tensor.element.clone(),
                    _ => ElementType::Bool,
                };
                let worker = move || -> body::Walker<'a> {
                    let mut frame = frame.clone();
                    frame.depth += 1;
                    Box::new(move |arguments| {
                        let arguments = arguments.into_iter().map(Value::Tensor).collect();
                        self.block(block, &mut frame, arguments)?.into_iter().map(tensor).collect()
                    })
                };
                Body::Walk {
                    worker: Box::new(worker),
                    parameters: block.region.parameters.iter().map(element).collect(),
                }
            }
        })
    }

    /// Whether sums of this type are accumulated in binary32, and rounded once.
    fn accumulates_wide(&self, body: &Body, element: &ElementType) -> bool {
        self.options.semantics == Semantics::Wide
            && matches!(body.form(), Form::Combine(_))
            && matches!(element, ElementType::Float(float) if !matches!(float, FloatType::F32 | FloatType::F64 | FloatType::Tf32))
    }

    /// Whether operations take elements in index order, and round wherever the program does.
    pub(crate) fn in_order(&self) -> bool {
        self.options.semantics == Semantics::Reference
    }

    /// Applies `reduce` to the inputs and initial values, in binary32 if narrow sums are accumulated so.
    pub(crate) fn widened(
        &self,
        body: &Body,
        inputs: &[Tensor],
        initial: &[Tensor],
        reduce: impl Fn(&[Tensor], &[Tensor], &Body, bool) -> Result<Vec<Tensor>, EvalError>,
    ) -> Result<Vec<Tensor>, EvalError> {
        let in_order = self.in_order();
        let element = &initial[0].element;
        let Form::Combine(binary) = body.form() else { return reduce(inputs, initial, body, in_order) };
        if !self.accumulates_wide(body, element) {
            return reduce(inputs, initial, body, in_order);
        }
        let single = ElementType::Float(FloatType::F32);
        let wide = |tensor: &Tensor| {
            Ok::<_, EvalError>(Tensor {
                data: Arc::new(convert(tensor, &single)?),
                element: single.clone(),
                shape: tensor.shape.clone(),
            })
        };
        let kernel = body::combine(binary, &single);
        let wide_body = Body::Kernel { kernel: &kernel, captured: vec![], form: body.form() };
        let sums = reduce(&[wide(&inputs[0])?], &[wide(&initial[0])?], &wide_body, in_order)?;
        let narrow = |sum: Tensor| {
            Ok(Tensor { data: Arc::new(convert(&sum, element)?), element: element.clone(), shape: sum.shape })
        };
        sums.into_iter().map(narrow).collect()
    }

    /// How the sums of products of an operation are computed.
    pub(crate) fn arithmetic(&self, operation: &Operation) -> Arithmetic<'_> {
        Arithmetic { in_order: self.in_order(), multiplier: self.options.rules.multiplier(operation) }
    }

    /// Evaluates a region of control flow.
    pub(crate) fn nested(
        &self,
        block: &Block<'p>,
        frame: &mut Frame<'p>,
        arguments: Vec<Value>,
    ) -> Result<Vec<Value>, EvalError> {
        deeper(frame, |frame| self.block(block, frame, arguments))
    }

    /// Sums over all dimensions but one, as `reduce` with `add` computes them.
    pub(crate) fn sums(&self) -> impl Fn(&Tensor, usize) -> Result<Tensor, EvalError> {
        |x, feature| {
            let kernel = body::combine(Binary::Add, &x.element);
            let body = Body::Kernel { kernel: &kernel, captured: vec![], form: Form::Combine(Binary::Add) };
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

    fn single(
        &self,
        operation: &'p Operation,
        blocks: &[Block<'p>],
        bodies: &[Applied<'p>],
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
                let index = super::shape::integers(as_tensor(&operands[0])?)[0];
                // The last branch is the default.
                let last = branches.len() - 1;
                let branch = usize::try_from(index).map_or(last, |index| index.min(last));
                self.nested(&blocks[branch], frame, vec![])
            }
            Op::Call { function } | Op::Composite { function, .. } => {
                self.call(*function, operands, Self::depth(frame))
            }
            _ => super::operation::evaluate(self, operation, bodies, operands, frame),
        }
    }

    fn repeat(
        &self,
        condition: &Block<'p>,
        body: &Block<'p>,
        mut state: Vec<Value>,
        frame: &mut Frame<'p>,
    ) -> Result<Vec<Value>, EvalError> {
        loop {
            let again = deeper(frame, |frame| {
                // What the condition does not read stays the body's alone, which may then change it in place.
                for ((&parameter, &read), value) in
                    condition.region.parameters.iter().zip(&condition.reads).zip(&state)
                {
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

impl<'p> Step<'p> {
    fn operation(&self) -> &'p Operation {
        match &self.work {
            Work::Single { operation, .. } => operation,
            Work::Chain(chain) => chain.operation,
        }
    }
}

/// Element type and shape, if the type says all sizes.
pub(crate) fn static_type(declared: &Type) -> Option<(&ElementType, Vec<usize>)> {
    match declared {
        Type::Tensor(tensor) => Some((&tensor.element, tensor.shape.iter().copied().collect::<Option<_>>()?)),
        _ => None,
    }
}

fn missing(value: ValueId) -> EvalError {
    EvalError::shape("value", format!("number {} is read before it is defined", value.0))
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

/// Does something one level deeper.
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

/// Length and shape of a chain whose type does not say them: those of its largest input, which the others have to have.
fn open_shape(chain: &Chain, frame: &Frame) -> Result<(usize, Vec<usize>), EvalError> {
    let inputs = chain.inputs.iter().map(|input| outside(input, frame)).collect::<Result<Vec<_>, _>>()?;
    let largest = inputs.iter().max_by_key(|input| (input.shape.len(), input.data.len()));
    let shape = largest.map(|input| input.shape.clone()).unwrap_or_default();
    let length = shape.iter().product();
    match inputs.iter().find(|input| !input.shape.is_empty() && input.data.len() != length) {
        Some(other) => {
            let facts = format!("operands of shapes {shape:?} and {:?}", other.shape);
            Err(EvalError::shape(chain.operation.kind.name(), facts))
        }
        None => Ok((length, shape)),
    }
}

/// The tensor that a value is.
pub(crate) fn tensor(value: Value) -> Result<Tensor, EvalError> {
    match value {
        Value::Tensor(tensor) => Ok(tensor),
        _ => Err(EvalError::shape("operand", "a tensor is needed")),
    }
}

pub(crate) fn as_tensor(value: &Value) -> Result<&Tensor, EvalError> {
    match value {
        Value::Tensor(tensor) => Ok(tensor),
        _ => Err(EvalError::shape("operand", "a tensor is needed")),
    }
}

fn truth(value: &Value) -> Result<bool, EvalError> {
    match &*as_tensor(value)?.data {
        Data::U8(truth) if truth.len() == 1 => Ok(truth[0] != 0),
        _ => Err(EvalError::shape("predicate", "one i1 is needed")),
    }
}
