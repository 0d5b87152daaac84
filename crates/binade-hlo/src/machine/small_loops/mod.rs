//! Runs loops and choices on few elements without the interpreter. All values of a loop have fixed places in one array of
//! words, which its steps read and write. A step neither allocates memory nor looks up operands. Elementwise operations run as
//! in kernels, by [`apply`], or on single numbers and short vectors by the same arithmetic without type dispatch ([`quick`]).
//!
//! Large tensors are allowed if a loop only reads slices of them, or writes slices into tensors that it carries. The latter are
//! changed in place, since no step reads their earlier elements.

mod compile;
mod quick;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use binade_simd::Environment;
use binade_stablehlo::ir::DotDimensions;
use binade_stablehlo::storage::{StorageKind, Stored};
use binade_stablehlo::{Data, ElementType, Tensor, Value, View, ViewMut, each_storage, map_storage};
use bytemuck::{Pod, bytes_of, bytes_of_mut, cast, cast_slice, cast_slice_mut};

use self::quick::{Quick, first, low};
use crate::arithmetic::body::{Body, Outside};
use crate::arithmetic::form::Form;
use crate::arithmetic::instruction::Instruction;
use crate::arithmetic::instruction_set::ISA;
use crate::arithmetic::kernel::{Kernel, apply};
use crate::arithmetic::plain::{Operand, Plain, Target};
use crate::error::EvalError;
use crate::linear::products::Arithmetic;
use crate::linear::{SmallProduct, dot_general};
use crate::movement::shape::clamp_start;
use crate::reduction::reduce::{SmallReduction, reduce};

pub(crate) use self::compile::{Grower, compile};

/// A small value: its first word, number of elements, and type.
#[derive(Clone, Debug)]
struct Cell {
    at: usize,
    count: usize,
    kind: StorageKind,
    element: ElementType,
}

impl Cell {
    fn new(at: usize, count: usize, element: &ElementType) -> Cell {
        Cell { at, count, kind: StorageKind::of(element), element: element.clone() }
    }

    /// Bytes per element.
    fn width(&self) -> usize {
        self.kind.width()
    }

    /// The value's elements among all words.
    fn view<'a>(&self, words: &'a [u64]) -> View<'a> {
        self.kind.view(&words[self.at..], self.count)
    }

    /// The value's elements at the beginning of the words from `at` on.
    fn view_mut<'a>(&self, words: &'a mut [u64]) -> ViewMut<'a> {
        self.kind.view_mut(words, self.count)
    }

    /// Elements of 32, 16 or 8 bits; a single element is repeated.
    #[inline(always)]
    fn operand<'a>(&self, words: &'a [u64]) -> Operand<'a> {
        let words = &words[self.at..self.at + self.words()];
        match (self.width(), self.count) {
            (1, 1) => Operand::Byte(first(words[0])),
            (1, count) => Operand::Bytes(&cast_slice(words)[..count]),
            (2, 1) => Operand::Half(cast::<u64, [u16; 4]>(words[0])[0]),
            (2, count) => Operand::Halves(&cast_slice(words)[..count]),
            (_, 1) => Operand::Word(low(words[0])),
            (_, count) => Operand::Words(&cast_slice(words)[..count]),
        }
    }

    /// The value's elements at the beginning of the words from `at` on, mutable.
    #[inline(always)]
    fn target<'a>(&self, words: &'a mut [u64]) -> Target<'a> {
        let words = &mut words[..self.words()];
        match self.width() {
            1 => Target::Bytes(&mut cast_slice_mut(words)[..self.count]),
            2 => Target::Halves(&mut cast_slice_mut(words)[..self.count]),
            _ => Target::Words(&mut cast_slice_mut(words)[..self.count]),
        }
    }

    fn data(&self, words: &[u64]) -> Data {
        map_storage!(View => Data, self.view(words), elements => elements.to_vec())
    }
}

macro_rules! moves {
    ($($variant:ident),*) => {
        /// `to[i] = from[first + offsets[i]]`.
        fn read(from: View<'_>, first: usize, offsets: &Offsets, to: ViewMut<'_>) {
            match (from, to) {
                $((View::$variant(from), ViewMut::$variant(to)) => match offsets {
                    Offsets::Run(count) => to.copy_from_slice(&from[first..first + count]),
                    Offsets::Each(offsets) => {
                        to.iter_mut().zip(offsets).for_each(|(to, offset)| *to = from[first + offset]);
                    }
                })*
                (from, to) => panic!("{from:?} read as {to:?}"),
            }
        }

        /// `to[first + offsets[i]] = from[i]`.
        fn write(from: View<'_>, first: usize, offsets: &Offsets, to: ViewMut<'_>) {
            match (from, to) {
                $((View::$variant(from), ViewMut::$variant(to)) => match offsets {
                    Offsets::Run(count) => to[first..first + count].copy_from_slice(from),
                    Offsets::Each(offsets) => {
                        from.iter().zip(offsets).for_each(|(from, offset)| to[first + offset] = *from);
                    }
                })*
                (from, to) => panic!("{from:?} written as {to:?}"),
            }
        }
    };
}

moves!(I8, I16, I32, I64, U8, U16, U32, U64, F32, F64, C64, C128);

impl Cell {
    fn words(&self) -> usize {
        (self.count * self.width()).div_ceil(size_of::<u64>())
    }

    /// The value's only integer, as an index.
    fn index(&self, words: &[u64]) -> i64 {
        match self.kind {
            StorageKind::I32 => return low::<i32>(words[self.at]).into(),
            StorageKind::I64 => return words[self.at] as i64,
            // Truth values.
            StorageKind::U8 => return first(words[self.at]).into(),
            _ => {}
        }
        match self.view(words) {
            View::I8(x) => x[0].into(),
            View::I16(x) => x[0].into(),
            View::U16(x) => x[0].into(),
            View::U32(x) => x[0].into(),
            // A number that does not fit is beyond any tensor.
            View::U64(x) => x[0].try_into().unwrap_or(i64::MAX),
            _ => 0,
        }
    }
}

/// The place of a value.
#[derive(Clone, Debug)]
enum Place {
    Cell(Cell),
    /// The index of a large tensor.
    Large(usize),
}

/// A compiled loop or choice.
#[derive(Debug)]
pub(crate) struct Loop {
    /// The initial words: constants, and zeros.
    words: Vec<u64>,
    /// Values from outside.
    captured: Vec<(Outside, Place)>,
    /// The places of the operands.
    operands: Vec<Place>,
    steps: Vec<Step>,
    /// The places of the results, with types and shapes.
    results: Vec<(Place, ElementType, Vec<usize>)>,
    /// For each large tensor, true if it is written.
    large: Vec<bool>,
    /// The words of a finished run, for reuse: words other than constants are written before they are read.
    spare: Mutex<Option<Vec<u64>>>,
}

/// A copy: source word, target word, number of words.
type Move = (usize, usize, usize);

/// A condition, and the body that runs while it is true.
#[derive(Debug)]
struct WhileLoop {
    condition: Vec<Step>,
    truth: Cell,
    body: Vec<Step>,
    /// Copies from the body's results to the state.
    moves: Vec<Move>,
    /// Number of operations of both, which count as steps.
    operations: u64,
}

#[derive(Debug)]
enum Step {
    /// An operation on few elements, and the steps that run if the quick evaluation does not apply.
    Quick(Quick, Box<[Step]>),
    Apply(Box<Apply>),
    /// Vector operations with processor instructions, one after the other.
    Plain(Vec<PlainApply>),
    /// Gathered elements: for each, the value and the index in it.
    Gather {
        sources: Vec<Cell>,
        from: Vec<(u16, u16)>,
        result: Cell,
    },
    /// Contiguous runs of a value: for each, its start, its length, and true if its elements are neighbours rather than one
    /// repeated element.
    Runs {
        source: Cell,
        runs: Vec<(usize, usize, bool)>,
        result: Cell,
    },
    /// One number in all elements.
    Fill {
        source: Cell,
        result: Cell,
    },
    Move(Move),
    One(One),
    /// A slice of a value or of a large tensor.
    Read {
        source: Place,
        start: Start,
        result: Cell,
    },
    /// Writes elements into a slice of a value or of a large tensor.
    Write {
        target: Place,
        start: Start,
        elements: Cell,
    },
    /// A product of binary32 matrices.
    Product(Box<Product>),
    /// Reductions.
    Reduce(Box<Reduce>),
    /// One of several lists of steps, selected by a predicate or an index. Each list has the copies of its results.
    Choose {
        selector: Cell,
        branches: Vec<(Vec<Step>, Vec<Move>)>,
    },
    WhileLoop(Box<WhileLoop>),
}

/// One element of at most 64 bits, of a value or of a large tensor, at one index.
#[derive(Debug)]
struct One {
    source: Place,
    index: Cell,
    /// The size and the stride along the index.
    size: usize,
    stride: usize,
    /// The target word.
    result: usize,
}

/// An elementwise operation.
#[derive(Debug)]
struct Apply {
    instruction: Instruction,
    operands: Vec<Cell>,
    result: Cell,
}

/// An elementwise operation with processor instructions. An operand of one element is repeated for all elements of the result.
#[derive(Debug)]
struct PlainApply {
    plain: Plain,
    operands: Vec<Cell>,
    result: Cell,
}

/// A reduction with one operation.
#[derive(Debug)]
struct Reduce {
    operand: Cell,
    shape: Vec<usize>,
    initial: Cell,
    dimensions: Vec<usize>,
    kernel: Kernel,
    form: Form,
    result: Cell,
    /// The reduction of binary32 numbers without a tensor, with working memory after the result.
    few: Option<(SmallReduction, Cell)>,
}

/// A product.
#[derive(Debug)]
struct Product {
    lhs: Cell,
    rhs: Cell,
    few: SmallProduct,
    result: Cell,
    /// Shapes and dimensions of the operands, for sums that are rounded at every step.
    shapes: [Vec<usize>; 2],
    dimensions: DotDimensions,
}

/// Offsets of the elements of a slice from its first one.
#[derive(Debug)]
enum Offsets {
    /// This number of contiguous elements.
    Run(usize),
    Each(Vec<usize>),
}

/// The start of a slice, and the offsets of its elements.
#[derive(Debug)]
struct Start {
    dimensions: Vec<Dimension>,
    /// True if a slice that is partly outside is moved inside; otherwise it is skipped.
    clamped: bool,
    offsets: Offsets,
}

/// A dimension in which a slice has a computed start.
#[derive(Debug)]
struct Dimension {
    index: Cell,
    /// The sizes of the tensor and of the slice.
    sizes: (usize, usize),
    stride: usize,
}

impl Start {
    /// The index of the slice's first element.
    fn first(&self, words: &[u64]) -> Option<usize> {
        let mut first = 0;
        for Dimension { index, sizes: (size, length), stride } in &self.dimensions {
            let given = index.index(words);
            let start = clamp_start(given, *size, *length);
            if !self.clamped && start as i64 != given {
                return None;
            }
            first += start * stride;
        }
        Some(first)
    }
}

/// A large tensor.
enum LargeTensor {
    /// A tensor that is only read.
    Shared(Arc<Data>),
    /// A tensor that is written. No other owner shares it.
    Own(Data),
}

impl LargeTensor {
    fn data(&self) -> &Data {
        match self {
            LargeTensor::Shared(data) => data,
            LargeTensor::Own(data) => data,
        }
    }
}

/// The steps that a program has run and may run, and the order of its reductions.
#[derive(Debug)]
pub(crate) struct StepBudget<'a> {
    /// Steps run.
    pub(crate) steps: &'a AtomicU64,
    pub(crate) limit: Option<u64>,
    /// True if reductions take elements in index order.
    pub(crate) in_order: bool,
}

/// The state that a run of a loop changes.
struct Run<'a> {
    words: &'a mut [u64],
    large: &'a mut [LargeTensor],
    /// Steps run here, the limit, and all steps run before.
    steps: u64,
    limit: Option<u64>,
    before: u64,
    /// True if reductions process elements in index order.
    in_order: bool,
}

impl Loop {
    /// Runs the loop or choice; `outside` are values from outside.
    ///
    /// # Errors
    /// If the steps exceed the limit.
    pub(crate) fn run<'v>(
        &'v self,
        budget: &StepBudget,
        outside: impl Fn(&'v Outside) -> Result<&'v Tensor, EvalError>,
        operands: Vec<Value>,
    ) -> Result<Vec<Value>, EvalError> {
        let _environment = Environment::enter();
        let spare = || self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = spare().take();
        let mut words = kept.unwrap_or_else(|| self.words.clone());
        let nothing = || LargeTensor::Own(Data::U8(vec![]));
        let mut large: Vec<LargeTensor> = self.large.iter().map(|_| nothing()).collect();
        let mut put = |place: &Place, data: Arc<Data>| match place {
            Place::Cell(cell) => cell.view_mut(&mut words[cell.at..]).copy_from(data.view()),
            Place::Large(number) => {
                large[*number] = match self.large[*number] {
                    true => LargeTensor::Own(Arc::unwrap_or_clone(data)),
                    false => LargeTensor::Shared(data),
                }
            }
        };
        for (value, place) in &self.captured {
            put(place, outside(value)?.data.clone());
        }
        for (value, place) in operands.into_iter().zip(&self.operands) {
            put(place, crate::machine::values::tensor(value)?.data);
        }
        let before = budget.steps.load(Ordering::Relaxed);
        let &StepBudget { limit, in_order, .. } = budget;
        let mut run = Run { words: &mut words, large: &mut large, steps: 0, limit, before, in_order };
        let outcome = run.all(&self.steps);
        budget.steps.fetch_add(run.steps, Ordering::Relaxed);
        outcome?;
        let result = |(place, element, shape): &(Place, ElementType, Vec<usize>)| {
            let data = match place {
                Place::Cell(cell) => Arc::new(cell.data(&words)),
                Place::Large(number) => match std::mem::replace(&mut large[*number], nothing()) {
                    LargeTensor::Shared(data) => data,
                    LargeTensor::Own(data) => Arc::new(data),
                },
            };
            Tensor { element: element.clone(), shape: shape.clone(), data }
        };
        let results = self.results.iter().map(result).map(Value::Tensor).collect();
        *spare() = Some(words);
        Ok(results)
    }
}

impl Run<'_> {
    fn while_loop(&mut self, while_loop: &WhileLoop) -> Result<(), EvalError> {
        loop {
            self.steps += while_loop.operations;
            if let Some(limit) = self.limit
                && self.before.saturating_add(self.steps) > limit
            {
                return Err(EvalError::Steps { limit });
            }
            self.all(&while_loop.condition)?;
            if while_loop.truth.index(self.words) == 0 {
                return Ok(());
            }
            self.all(&while_loop.body)?;
            self.moves(&while_loop.moves);
        }
    }

    fn moves(&mut self, moves: &[Move]) {
        for &(from, to, count) in moves {
            match count {
                1 => self.words[to] = self.words[from],
                _ => self.words.copy_within(from..from + count, to),
            }
        }
    }

    fn all(&mut self, steps: &[Step]) -> Result<(), EvalError> {
        for step in steps {
            match step {
                // Most operations, which cannot fail.
                Step::Quick(quick, _) if quick.run(self.words) => {}
                step => self.step(step)?,
            }
        }
        Ok(())
    }

    /// An element of a value or of a large tensor.
    fn one(&mut self, one: &One) {
        let start = clamp_start(one.index.index(self.words), one.size, 1) * one.stride;
        let element = match &one.source {
            Place::Cell(cell) => element(cell.view(self.words), start),
            Place::Large(tensor) => element(self.large[*tensor].data().view(), start),
        };
        self.words[one.result] = element;
    }

    #[inline(never)]
    fn step(&mut self, step: &Step) -> Result<(), EvalError> {
        match step {
            // Where the quick evaluation does not apply.
            Step::Quick(_, general) => return self.all(general),
            Step::One(one) => self.one(one),
            Step::Apply(general) => return self.apply(general),
            Step::Plain(steps) => {
                let isa = *ISA;
                for PlainApply { plain, operands, result } in steps {
                    let (before, words) = self.words.split_at_mut(result.at);
                    let elements =
                        |at: usize| operands.get(at).map_or(Operand::Byte(0), |cell| cell.operand(before));
                    plain.run(isa, [elements(0), elements(1), elements(2)], None, result.target(words));
                }
            }
            Step::Gather { sources, from, result } => {
                let (before, words) = self.words.split_at_mut(result.at);
                match result.width() {
                    1 => gather::<u8>(before, sources, from, words, result),
                    2 => gather::<u16>(before, sources, from, words, result),
                    4 => gather::<u32>(before, sources, from, words, result),
                    8 => gather::<u64>(before, sources, from, words, result),
                    _ => gather::<[u64; 2]>(before, sources, from, words, result),
                }
            }
            Step::Move(one) => self.moves(std::slice::from_ref(one)),
            Step::Read { source, start, result } => {
                let (before, words) = self.words.split_at_mut(result.at);
                let first = start.first(before).unwrap_or(0);
                let from = match source {
                    Place::Cell(cell) => cell.view(before),
                    Place::Large(tensor) => self.large[*tensor].data().view(),
                };
                read(from, first, &start.offsets, result.view_mut(words));
            }
            Step::Runs { source, runs, result } => {
                let (before, words) = self.words.split_at_mut(result.at);
                match result.width() {
                    1 => stretches::<u8>(before, source, runs, words, result),
                    2 => stretches::<u16>(before, source, runs, words, result),
                    4 => stretches::<u32>(before, source, runs, words, result),
                    8 => stretches::<u64>(before, source, runs, words, result),
                    _ => stretches::<[u64; 2]>(before, source, runs, words, result),
                }
            }
            Step::Fill { source, result } => fill(self.words, source, result),
            Step::Write { target, start, elements } => {
                let Some(first) = start.first(self.words) else { return Ok(()) };
                match target {
                    Place::Cell(cell) => {
                        let (before, words) = self.words.split_at_mut(cell.at);
                        write(elements.view(before), first, &start.offsets, cell.view_mut(words));
                    }
                    Place::Large(tensor) => {
                        if let LargeTensor::Own(to) = &mut self.large[*tensor] {
                            write(elements.view(self.words), first, &start.offsets, to.view_mut());
                        }
                    }
                }
            }
            Step::Product(product) => return self.product(product),
            Step::Reduce(reduce) => return self.reduce(reduce),
            Step::Choose { selector, branches } => {
                let index = selector.index(self.words);
                let last = branches.len() - 1;
                let branch = match selector.element {
                    // The first branch is that of a true predicate.
                    ElementType::Bool => usize::from(index == 0),
                    _ => usize::try_from(index).map_or(last, |index| index.min(last)),
                };
                let (steps, moves) = &branches[branch];
                self.all(steps)?;
                self.moves(moves);
            }
            Step::WhileLoop(while_loop) => return self.while_loop(while_loop),
        }
        Ok(())
    }

    fn product(&mut self, step: &Product) -> Result<(), EvalError> {
        let Product { lhs, rhs, few, result, shapes, dimensions } = step;
        let (before, words) = self.words.split_at_mut(result.at);
        let result = result.view_mut(words);
        if !self.in_order {
            let (View::F32(a), View::F32(b), ViewMut::F32(sums)) =
                (lhs.view(before), rhs.view(before), result)
            else {
                return Err(EvalError::element("dot_general", &lhs.element));
            };
            return few.product(a, b, sums);
        }
        let tensor = |cell: &Cell, shape: &[usize]| {
            Tensor::new(cell.element.clone(), shape.to_vec(), cell.data(before))
        };
        let arithmetic = Arithmetic { in_order: true, ..Arithmetic::default() };
        let (a, b) = (tensor(lhs, &shapes[0]), tensor(rhs, &shapes[1]));
        let product = dot_general(&a, &b, dimensions, None, &lhs.element, arithmetic)?;
        let mut result = result;
        result.copy_from(product.data.view());
        Ok(())
    }

    /// Evaluates as the interpreter does, on small tensors.
    fn reduce(&mut self, step: &Reduce) -> Result<(), EvalError> {
        let Reduce { operand, shape, initial, dimensions, kernel, form, result, few } = step;
        if let (Some((rows, room)), false) = (few, self.in_order) {
            let (before, words) = self.words.split_at_mut(result.at);
            let (results, rest) = words.split_at_mut(room.at - result.at);
            if let (View::F32(x), View::F32(initial), ViewMut::F32(results), ViewMut::F32(room)) =
                (operand.view(before), initial.view(before), result.view_mut(results), room.view_mut(rest))
            {
                rows.reduce(x, initial[0], room, results);
                // Which NaN results depends on the order of operands.
                if !results.iter().any(|result| result.is_nan()) {
                    return Ok(());
                }
            }
        }
        let tensor = |cell: &Cell, shape: &[usize]| Tensor {
            element: cell.element.clone(),
            shape: shape.to_vec(),
            data: Arc::new(cell.data(self.words)),
        };
        let (x, initial) = (tensor(operand, shape), tensor(initial, &[]));
        let body = Body::Kernel { kernel, captured: vec![], form: *form, rule: Default::default() };
        let sums = reduce(&[x], &[initial], dimensions, &body, self.in_order)?;
        result.view_mut(&mut self.words[result.at..]).copy_from(sums[0].data.view());
        Ok(())
    }

    fn apply(&mut self, step: &Apply) -> Result<(), EvalError> {
        let (before, words) = self.words.split_at_mut(step.result.at);
        let mut operands = [(&step.result.element, View::U8(&[])); 3];
        for (operand, cell) in operands.iter_mut().zip(&step.operands) {
            *operand = (&cell.element, cell.view(before));
        }
        apply(&step.instruction, &operands, &step.result.element, step.result.view_mut(words))
    }
}

/// One number in all elements.
fn fill(words: &mut [u64], source: &Cell, result: &Cell) {
    let (before, words) = words.split_at_mut(result.at);
    each_storage!(ViewMut, result.view_mut(words), to => {
        to.fill(Stored::of_view(source.view(before))[0]);
    });
}

/// A word that begins with an element of at most 64 bits.
fn element(view: View<'_>, at: usize) -> u64 {
    let mut word = 0;
    each_storage!(View, view, elements => {
        let bytes = bytes_of(&elements[at]);
        bytes_of_mut(&mut word)[..bytes.len()].copy_from_slice(bytes);
    });
    word
}

/// `result[i] = sources[from[i].0][from[i].1]`, in units of an element's size. `words` begin with the result.
fn gather<U: Pod>(before: &[u64], sources: &[Cell], from: &[(u16, u16)], words: &mut [u64], result: &Cell) {
    let result = &mut cast_slice_mut::<u64, U>(&mut words[..result.words()])[..result.count];
    for (to, &(source, at)) in result.iter_mut().zip(from) {
        let source = &sources[usize::from(source)];
        let elements: &[U] = cast_slice(&before[source.at..source.at + source.words()]);
        *to = elements[usize::from(at)];
    }
}

/// Copies the runs of [`Step::Runs`]. `words` begin with the result.
fn stretches<U: Pod>(
    before: &[u64],
    source: &Cell,
    runs: &[(usize, usize, bool)],
    words: &mut [u64],
    result: &Cell,
) {
    let mut rest = &mut cast_slice_mut::<u64, U>(&mut words[..result.words()])[..result.count];
    let elements: &[U] = cast_slice(&before[source.at..source.at + source.words()]);
    for &(from, count, neighbours) in runs {
        let (to, others) = rest.split_at_mut(count);
        match neighbours {
            true => to.copy_from_slice(&elements[from..from + count]),
            false => to.fill(elements[from]),
        }
        rest = others;
    }
}

#[cfg(test)]
mod tests;
