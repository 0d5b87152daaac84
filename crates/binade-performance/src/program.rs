//! The operations of a StableHLO program in the order of a run, with the tensors that they read and write.
//!
//! Chains of elementwise operations are one operation, as a compiler would fuse them: a value with a single reader that is elementwise or a
//! reduction is not stored. Broadcasts, reshapes, slices, transpositions and reversals are read through. Calls are followed. A loop's body
//! is walked twice: the second walk, with the first one's values in caches, stands for all later iterations.

use std::collections::HashMap;
use std::rc::Rc;

use binade_hlo::eval::iterations;
use binade_hlo::ir::{Binary, Convolution, Function, Op, Operation, Region, Unary, ValueId};
use binade_hlo::{ElementType, FloatType, Program, TensorType, Type};
use thiserror::Error;

use crate::traffic::Patches;

/// Vector instructions of a quotient, a root, or a function such as exp: range reduction and a polynomial.
pub const FUNCTION_INSTRUCTIONS: f64 = 20.0;

/// A program that cannot be estimated.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ProgramError {
    /// A function that does not exist.
    #[error("there is no function '@{name}': the program has {known}")]
    NoFunction {
        /// The name.
        name: String,
        /// Names of the program's functions.
        known: String,
    },
    /// A size that only a run tells.
    #[error(
        "{line}:{column}: {operation} has the type {found}, whose sizes only a run tells: give the sizes, for instance by an export with \
         a fixed batch"
    )]
    OpenSize {
        /// Line in the text.
        line: u32,
        /// Column in the text.
        column: u32,
        /// The operation.
        operation: String,
        /// The type.
        found: String,
    },
}

/// A tensor, or a part of it, that an operation reads or writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Access {
    /// The number of the tensor's memory.
    pub tensor: usize,
    /// Elements that are accessed.
    pub elements: f64,
    /// Elements of the tensor.
    pub whole: f64,
    /// Bits of an element.
    pub bits: f64,
    /// True for binary32, which an arithmetic may store in fewer bits.
    pub is_binary32: bool,
}

/// The computation of an operation.
#[derive(Clone, Debug)]
pub enum Work<'p> {
    /// Equal products of matrices. The first two accesses are those of its operands.
    Product {
        /// The operation, for rules of arithmetic.
        operation: &'p Operation,
        /// The number of products.
        count: f64,
        /// Rows, columns and depth of each.
        sizes: [usize; 3],
        /// The patches of a convolution.
        patches: Option<Patches>,
    },
    /// Operations on elements.
    Elements {
        /// The number of elementary operations.
        operations: f64,
    },
}

/// An operation that runs.
#[derive(Clone, Debug)]
pub struct Item<'p> {
    /// Its name: that of the last of a chain.
    pub name: &'static str,
    /// The number of runs.
    pub times: f64,
    /// The computation.
    pub work: Work<'p>,
    /// Tensors that it reads.
    pub reads: Vec<Access>,
    /// Tensors that it writes.
    pub writes: Vec<Access>,
}

/// The operations of a program.
#[derive(Clone, Debug)]
pub struct Operations<'p> {
    /// In the order of a run.
    pub items: Vec<Item<'p>>,
    /// Loops whose number of iterations the text does not tell; they count once.
    pub open_loops: usize,
}

impl<'p> Operations<'p> {
    /// The operations of the function `main`.
    ///
    /// # Errors
    /// The function does not exist, or a size is open.
    pub fn of(program: &'p Program) -> Result<Operations<'p>, ProgramError> {
        let Some(&main) = program.names.get("main") else {
            let known: Vec<String> =
                program.functions.iter().map(|function| format!("@{}", function.name)).collect();
            let known = if known.is_empty() { "no functions".to_owned() } else { known.join(", ") };
            return Err(ProgramError::NoFunction { name: "main".to_owned(), known });
        };
        let mut walk = Walk { program, items: vec![], tensors: 0, times: 1.0, open_loops: 0 };
        let function = &program.functions[main];
        let mut arguments = vec![];
        for parameter in &function.body.parameters {
            let ty = &function.values[parameter.0 as usize];
            arguments.push(walk.fresh(ty, "a parameter of @main", function.position)?);
        }
        walk.function(main, arguments)?;
        Ok(Operations { items: walk.items, open_loops: walk.open_loops })
    }
}

/// A value during a walk.
#[derive(Clone, Debug)]
enum Held {
    /// In memory.
    Stored(Access),
    /// Computed by its reader.
    Fused(Rc<Chain>),
    /// At most one element, or a token.
    Scalar,
    /// A tuple.
    Several(Vec<Held>),
}

/// Elementwise operations whose result is not stored.
#[derive(Clone, Debug, Default)]
struct Chain {
    reads: Vec<Access>,
    operations: f64,
}

struct Walk<'p> {
    program: &'p Program,
    items: Vec<Item<'p>>,
    tensors: usize,
    /// The number of runs of what is walked.
    times: f64,
    open_loops: usize,
}

/// A function that is walked.
struct Frame<'p> {
    function: &'p Function,
    held: HashMap<ValueId, Held>,
    /// Values with a single reader that is elementwise or a reduction.
    fusable: HashMap<ValueId, bool>,
}

/// Elements and bits of a type; `None` if a size is open.
fn size(ty: &TensorType) -> Option<(f64, f64, bool)> {
    let elements = ty.shape.iter().map(|size| size.map(|size| size as f64)).product::<Option<f64>>()?;
    let bits = 8.0 * ty.element.stored_bytes() as f64;
    Some((elements, bits, matches!(ty.element, ElementType::Float(FloatType::F32))))
}

fn fusable(region: &Region, into: &mut HashMap<ValueId, bool>) {
    let mut use_of = |value: ValueId, fuses: bool| {
        into.entry(value).and_modify(|single| *single = false).or_insert(fuses);
    };
    for operation in &region.operations {
        let fuses = is_elementwise(&operation.kind) || matches!(operation.kind, Op::Reduce { .. });
        operation.operands.iter().for_each(|operand| use_of(*operand, fuses));
    }
    region.results.iter().for_each(|result| use_of(*result, false));
    for operation in &region.operations {
        operation.kind.regions().into_iter().for_each(|region| fusable(region, into));
    }
}

fn is_elementwise(op: &Op) -> bool {
    use binade_hlo::ir::Op::*;
    matches!(
        op,
        Unary(_)
            | Binary(_)
            | Compare { .. }
            | Select
            | Clamp
            | Convert
            | Promote
            | ReducePrecision { .. }
            | Map { .. }
    ) || matches!(op, UniformQuantize | UniformDequantize | BitcastConvert)
}

/// Vector instructions for a vector of results.
fn instructions(op: &Op) -> f64 {
    use Unary::*;
    match op {
        Op::Unary(
            Abs | Ceil | Conj | CountLeadingZeros | Floor | Imag | IsFinite | IsInf | IsNegInf | IsPosInf
            | Negate | Not | Popcnt | Real | RoundNearestAfz | RoundNearestEven | Sign | Square,
        ) => 1.0,
        Op::Unary(_) => FUNCTION_INSTRUCTIONS,
        Op::Binary(
            Binary::Divide
            | Binary::Remainder
            | Binary::Atan2
            | Binary::Power
            | Binary::Polygamma
            | Binary::Zeta,
        ) => FUNCTION_INSTRUCTIONS,
        Op::Clamp => 2.0,
        Op::Map { body, .. } => body.operations.iter().map(|operation| instructions(&operation.kind)).sum(),
        _ => 1.0,
    }
}

impl<'p> Walk<'p> {
    fn fresh(
        &mut self,
        ty: &Type,
        operation: &str,
        (line, column): (u32, u32),
    ) -> Result<Held, ProgramError> {
        let Type::Tensor(tensor) = ty else { return Ok(Held::Scalar) };
        let Some((whole, bits, is_binary32)) = size(tensor) else {
            let (operation, found) = (operation.to_owned(), ty.to_string());
            return Err(ProgramError::OpenSize { line, column, operation, found });
        };
        if whole <= 1.0 {
            return Ok(Held::Scalar);
        }
        self.tensors += 1;
        Ok(Held::Stored(Access { tensor: self.tensors, elements: whole, whole, bits, is_binary32 }))
    }

    fn function(&mut self, at: usize, arguments: Vec<Held>) -> Result<Vec<Held>, ProgramError> {
        let function = &self.program.functions[at];
        let mut frame = Frame { function, held: HashMap::new(), fusable: HashMap::new() };
        fusable(&function.body, &mut frame.fusable);
        self.region(&mut frame, &function.body, arguments)
    }

    fn region(
        &mut self,
        frame: &mut Frame<'p>,
        region: &'p Region,
        arguments: Vec<Held>,
    ) -> Result<Vec<Held>, ProgramError> {
        frame.held.extend(region.parameters.iter().copied().zip(arguments));
        for operation in &region.operations {
            let results = self.operation(frame, operation)?;
            frame.held.extend(operation.results.iter().copied().zip(results));
        }
        Ok(region.results.iter().map(|result| frame.get(*result)).collect())
    }

    fn operation(
        &mut self,
        frame: &mut Frame<'p>,
        operation: &'p Operation,
    ) -> Result<Vec<Held>, ProgramError> {
        let operands: Vec<Held> = operation.operands.iter().map(|value| frame.get(*value)).collect();
        match &operation.kind {
            Op::Call { function } | Op::Composite { function, .. } => {
                return self.function(*function, operands);
            }
            Op::While { body, .. } => return self.repeated(frame, operation, body, operands),
            kind @ (Op::If { .. } | Op::Case { .. }) => return self.branches(frame, kind),
            Op::Tuple => return Ok(vec![Held::Several(operands)]),
            Op::GetTupleElement { index } => {
                let element = match operands.into_iter().next() {
                    Some(Held::Several(elements)) => elements.into_iter().nth(*index),
                    _ => None,
                };
                return Ok(vec![element.unwrap_or(Held::Scalar)]);
            }
            Op::OptimizationBarrier => return Ok(operands),
            _ => {}
        }
        let mut results = vec![];
        for result in &operation.results {
            let ty = &frame.function.values[result.0 as usize];
            results.push(self.fresh(ty, operation.kind.name(), operation.position)?);
        }
        let first = operands.first().cloned().unwrap_or(Held::Scalar);
        let made: f64 = results.iter().map(Held::elements).sum();
        let largest = operands.iter().map(Held::elements).fold(made, f64::max);
        match &operation.kind {
            // Nothing that takes time.
            Op::Constant(_) | Op::Iota { .. } => {
                return Ok(results.iter().map(|_| Held::Scalar).collect());
            }
            Op::BroadcastInDim { .. } | Op::Reshape | Op::Transpose { .. } | Op::Reverse { .. } => {
                return Ok(vec![first]);
            }
            Op::Slice { .. } => {
                return Ok(vec![match first {
                    Held::Stored(access) => Held::Stored(Access { elements: made.max(1.0), ..access }),
                    other => other,
                }]);
            }
            _ if largest <= 1.0 => return Ok(results),
            _ => {}
        }
        if let Some(work) = product(frame, operation) {
            let reads = operands.iter().flat_map(Held::reads).collect();
            self.add(operation, work, reads, &results);
            return Ok(results);
        }
        let mut chain = Chain::default();
        match &operation.kind {
            Op::DynamicSlice { .. } | Op::Gather(_) | Op::DynamicGather(_) | Op::TorchIndexSelect { .. } => {
                let reads = first
                    .reads()
                    .into_iter()
                    .map(|access| Access { elements: made.min(access.whole), ..access });
                chain.reads.extend(reads);
                chain.reads.extend(operands[1..].iter().flat_map(Held::reads));
            }
            Op::DynamicUpdateSlice | Op::Scatter { .. } => {
                // In place: the updates' elements are read and written.
                let updated = match &operation.kind {
                    Op::Scatter { .. } => operands.last(),
                    _ => operands.get(1),
                };
                let elements = updated.map_or(1.0, Held::elements);
                chain.reads.extend(operands[1..].iter().flat_map(Held::reads));
                let Held::Stored(target) = first else { return Ok(results) };
                let part = Access { elements: elements.min(target.whole), ..target };
                chain.reads.push(part);
                let work = Work::Elements { operations: elements };
                self.add(operation, work, chain.reads, &[Held::Stored(part)]);
                return Ok(vec![Held::Stored(Access { elements: target.whole, ..target })]);
            }
            kind => {
                let each = match kind {
                    Op::ReduceWindow { window, .. } | Op::SelectAndScatter { window, .. } => {
                        window.dimensions.iter().product::<usize>() as f64
                    }
                    Op::Sort { .. } | Op::TopK { .. } | Op::Fft { .. } => 8.0 * largest.max(2.0).log2(),
                    Op::BatchNormGrad { .. }
                    | Op::BatchNormTraining { .. }
                    | Op::BatchNormInference { .. } => 8.0,
                    Op::Rng { .. } | Op::RngBitGenerator(_) | Op::CustomCall { .. } => FUNCTION_INSTRUCTIONS,
                    kind => instructions(kind),
                };
                let elements = match kind {
                    Op::Reduce { .. } => largest,
                    _ => made.max(1.0),
                };
                chain.operations = each * elements;
                for operand in &operands {
                    match operand {
                        Held::Fused(inner) => {
                            chain.operations += inner.operations;
                            chain.reads.extend(&inner.reads);
                        }
                        other => chain.reads.extend(other.reads()),
                    }
                }
            }
        }
        let single = operation.results.first().is_some_and(|result| frame.fusable.get(result) == Some(&true));
        if single && operation.results.len() == 1 && is_elementwise(&operation.kind) {
            return Ok(vec![Held::Fused(Rc::new(chain))]);
        }
        self.add(operation, Work::Elements { operations: chain.operations }, chain.reads, &results);
        Ok(results)
    }

    fn add(&mut self, operation: &'p Operation, work: Work<'p>, reads: Vec<Access>, results: &[Held]) {
        let writes = results.iter().flat_map(Held::reads).collect();
        // An operand that is read twice is read from registers the second time, unless it is a product's.
        let mut once: Vec<Access> = vec![];
        for access in reads {
            if matches!(work, Work::Product { .. }) || !once.iter().any(|known| known.tensor == access.tensor)
            {
                once.push(access);
            }
        }
        self.items.push(Item { name: operation.kind.name(), times: self.times, work, reads: once, writes });
    }

    fn repeated(
        &mut self,
        frame: &mut Frame<'p>,
        operation: &'p Operation,
        body: &'p Region,
        operands: Vec<Held>,
    ) -> Result<Vec<Held>, ProgramError> {
        let iterations = iterations(frame.function, operation);
        self.open_loops += usize::from(iterations.is_none());
        let iterations = iterations.unwrap_or(1.0);
        if iterations < 1.0 {
            return Ok(operands);
        }
        let outside = self.times;
        let mut state = self.region(frame, body, operands)?;
        if iterations > 1.0 {
            self.times = outside * (iterations - 1.0);
            state = self.region(frame, body, state)?;
            self.times = outside;
        }
        Ok(state)
    }

    /// The branch with the most work.
    fn branches(&mut self, frame: &mut Frame<'p>, kind: &'p Op) -> Result<Vec<Held>, ProgramError> {
        let mut most: Option<(f64, Vec<Item<'p>>, Vec<Held>)> = None;
        let before = std::mem::take(&mut self.items);
        for region in kind.regions() {
            let results = self.region(frame, region, vec![])?;
            let items = std::mem::take(&mut self.items);
            let work = items.iter().map(|item| item.times * item.operations()).sum();
            if most.as_ref().is_none_or(|(least, ..)| work > *least) {
                most = Some((work, items, results));
            }
        }
        self.items = before;
        let (_, items, results) = most.unwrap_or_default();
        self.items.extend(items);
        Ok(results)
    }
}

impl<'p> Frame<'p> {
    fn get(&self, value: ValueId) -> Held {
        self.held.get(&value).cloned().unwrap_or(Held::Scalar)
    }

    /// The sizes of an operand, which are known.
    fn shape(&self, value: ValueId) -> Vec<usize> {
        match &self.function.values[value.0 as usize] {
            Type::Tensor(tensor) => tensor.shape.iter().map(|size| size.unwrap_or(1)).collect(),
            _ => vec![],
        }
    }
}

impl Held {
    fn reads(&self) -> Vec<Access> {
        match self {
            Held::Stored(access) => vec![*access],
            Held::Fused(chain) => chain.reads.clone(),
            Held::Scalar => vec![],
            Held::Several(elements) => elements.iter().flat_map(Held::reads).collect(),
        }
    }

    fn elements(&self) -> f64 {
        match self {
            Held::Stored(access) => access.elements,
            Held::Fused(chain) => chain.reads.iter().map(|access| access.elements).fold(1.0, f64::max),
            Held::Scalar => 1.0,
            Held::Several(elements) => elements.iter().map(Held::elements).sum(),
        }
    }
}

impl Item<'_> {
    /// Multiply-adds, or elementary operations.
    pub fn operations(&self) -> f64 {
        match &self.work {
            Work::Product { count, sizes, .. } => {
                count * sizes.iter().map(|&size| size as f64).product::<f64>()
            }
            Work::Elements { operations } => *operations,
        }
    }
}

/// The product that an operation computes.
fn product<'p>(frame: &Frame<'p>, operation: &'p Operation) -> Option<Work<'p>> {
    let shape = |at: usize| operation.operands.get(at).map_or(vec![], |value| frame.shape(*value));
    let (left, right) = (shape(0), shape(1));
    let of = |shape: &[usize], dimensions: &[usize]| dimensions.iter().map(|&d| shape[d]).product::<usize>();
    let (count, sizes) = match &operation.kind {
        Op::DotGeneral { dimensions: d, .. } => (
            of(&left, &d.lhs_batching),
            [
                of(&left, &d.lhs_free(left.len())),
                of(&right, &d.rhs_free(right.len())),
                of(&left, &d.lhs_contracting),
            ],
        ),
        Op::RaggedDot(ragged) => {
            let result = frame.shape(*operation.results.first()?);
            let columns = *result.last()?;
            let rows = result[..result.len() - 1].iter().product();
            (1, [rows, columns, of(&left, &ragged.dimensions.lhs_contracting)])
        }
        Op::SparseDot => (1, [1, shape(3).get(1).copied().unwrap_or(1), left.iter().product()]),
        Op::Convolution(c) | Op::DynamicConv(c) => {
            return Some(convolution(operation, c, &left, &right, &frame.shape(*operation.results.first()?)));
        }
        _ => return None,
    };
    Some(Work::Product { operation, count: count as f64, sizes, patches: None })
}

/// A convolution as a product of patches with the kernel, or of the input itself where a place reads the features of one place only, which
/// are contiguous. Zeros between elements of the input, which its dilation inserts, are not multiplied.
fn convolution<'p>(
    operation: &'p Operation,
    c: &Convolution,
    left: &[usize],
    right: &[usize],
    result: &[usize],
) -> Work<'p> {
    let count = c.feature_groups * c.batch_groups;
    let taps: usize = c.kernel_spatial.iter().map(|&d| right[d]).product();
    let columns = (right[c.kernel_output_feature] / count.max(1)).max(1);
    let zeros: usize = c.lhs_dilation.iter().product();
    let depth = (taps * right[c.kernel_input_feature]).div_ceil(zeros.max(1)).max(1);
    let rows = (result.iter().product::<usize>() / (columns * count).max(1)).max(1);
    let elements: usize = left.iter().product();
    let distinct = elements as f64 / (rows as f64 * depth as f64 * count as f64);
    let side = |at: usize| c.kernel_spatial.get(at).map_or(1.0, |&d| right[d] as f64);
    let row = c.output_spatial.last().map_or(1.0, |&d| result[d] as f64);
    let stride: usize = left[c.input_feature + 1..].iter().product();
    let is_plain = taps == 1 && count == 1 && stride == 1;
    let patches = (!is_plain).then_some(Patches {
        kernel: [side(0), side(1)],
        row,
        stride: stride as f64,
        distinct: distinct.min(1.0),
    });
    Work::Product { operation, count: count as f64, sizes: [rows, columns, depth], patches }
}
