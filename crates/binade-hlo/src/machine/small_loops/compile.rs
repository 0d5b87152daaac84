//! Compiles a loop or a choice to the steps that this module runs.

use std::sync::Mutex;

use binade_stablehlo::ir::{Binary, Op, Operation, Region, Scatter, ValueId};
use binade_stablehlo::{Data, ElementType, FloatType, Tensor, Type, elements};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{
    Apply, Cell, Dimension, Loop, Move, Offsets, One, Place, PlainApply, Product, Quick, Reduce, Start, Step,
    WhileLoop, fill,
};
use crate::arithmetic::body::{Outside, combine};
use crate::arithmetic::form::{Form, form};
use crate::arithmetic::instruction::{Instruction, bitcasts, instruction};
use crate::arithmetic::iota::iota;
use crate::arithmetic::plain::Plain;
use crate::linear::SmallProduct;
use crate::machine::values::static_type;
use crate::movement::layout::{advance, row_major};
use crate::movement::shape;
use crate::reduction::reduce::{SmallReduction, combine_f32};

/// Maximum elements of a small value.
const FEW: usize = 256;

/// Maximum words of all values.
const WORDS: usize = 1 << 16;

/// Compiles a loop or a choice. `None` if an operation has no step here. Rules of arithmetic must not apply.
pub(crate) fn compile(operation: &Operation, values: &[Type]) -> Option<Loop> {
    let mut compiler = Compiler::new(values);
    let (mut operands, mut steps) = (vec![], vec![]);
    if !matches!(operation.kind, Op::While { .. } | Op::If { .. } | Op::Case { .. }) {
        return None;
    }
    for &value in &operation.operands {
        let (element, shape) = compiler.plain(value)?;
        operands.push(match few(&shape) {
            Some(count) => Place::Cell(compiler.cell(element, count)),
            None => Place::Large(compiler.tensor()),
        });
    }
    let places = match &operation.kind {
        Op::While { condition, body } => {
            let while_loop = compiler.while_loop(condition, body, &operands)?;
            steps.push(Step::WhileLoop(Box::new(while_loop)));
            operands.clone()
        }
        _ => {
            compiler.places.insert(operation.operands[0], operands[0].clone());
            compiler.operation(operation, &mut steps)?;
            let place = |result| compiler.places.get(result).cloned();
            operation.results.iter().map(place).collect::<Option<_>>()?
        }
    };
    let mut results = vec![];
    for (place, &value) in places.into_iter().zip(&operation.results) {
        let (element, shape) = compiler.plain(value)?;
        results.push((place, element.clone(), shape));
    }
    let Compiler { words, captured, large, written, .. } = compiler;
    let large = (0..large.len()).map(|number| written.contains(&number)).collect();
    let spare = Mutex::default();
    (words.len() <= WORDS).then_some(Loop { words, captured, operands, steps, results, large, spare })
}

/// Tests which consecutive operations can run here.
pub(crate) struct Grower<'a>(Compiler<'a>);

impl<'a> Grower<'a> {
    pub(crate) fn new(values: &'a [Type]) -> Grower<'a> {
        Grower(Compiler::new(values))
    }

    /// Returns true if an operation can follow the previous ones.
    pub(crate) fn takes(&mut self, operation: &Operation) -> bool {
        self.0.operation(operation, &mut vec![]).is_some()
    }

    /// The number of words of all values so far.
    pub(crate) fn words(&self) -> usize {
        self.0.words.len()
    }
}

/// The number of elements of a shape, if small.
fn few(shape: &[usize]) -> Option<usize> {
    elements(shape).filter(|&count| count <= FEW)
}

struct Compiler<'a> {
    values: &'a [Type],
    words: Vec<u64>,
    places: FxHashMap<ValueId, Place>,
    /// The first word of the constants.
    constants: FxHashSet<usize>,
    captured: Vec<(Outside, Place)>,
    /// For each large tensor, the values that it stores at this point.
    large: Vec<FxHashSet<ValueId>>,
    /// The large tensors that a step writes.
    written: FxHashSet<usize>,
    /// The large tensors that the innermost loop carries and changes.
    writable: FxHashSet<usize>,
}

impl<'a> Compiler<'a> {
    fn new(values: &'a [Type]) -> Compiler<'a> {
        Compiler {
            values,
            words: vec![],
            places: FxHashMap::default(),
            constants: FxHashSet::default(),
            captured: vec![],
            large: vec![],
            written: FxHashSet::default(),
            writable: FxHashSet::default(),
        }
    }

    fn plain(&self, value: ValueId) -> Option<(&'a ElementType, Vec<usize>)> {
        match static_type(&self.values[value.0 as usize])? {
            (ElementType::Quantized(_), _) => None,
            found => Some(found),
        }
    }

    fn cell(&mut self, element: &ElementType, count: usize) -> Cell {
        let cell = Cell::new(self.words.len(), count, element);
        // At least one word, so that an empty value does not share the next value's word.
        self.words.resize(self.words.len() + cell.words().max(1), 0);
        cell
    }

    /// Allocates the words of a small result.
    fn result(&mut self, value: ValueId) -> Option<Cell> {
        let (element, shape) = self.plain(value)?;
        let cell = self.cell(element, few(&shape)?);
        self.places.insert(value, Place::Cell(cell.clone()));
        Some(cell)
    }

    /// Adds a large tensor.
    fn tensor(&mut self) -> usize {
        self.large.push(FxHashSet::default());
        self.large.len() - 1
    }

    /// The place of a value. A value from outside the loop is copied in.
    fn place(&mut self, value: ValueId) -> Option<Place> {
        if let Some(place) = self.places.get(&value) {
            return match place {
                // The tensor may store another value by now.
                Place::Large(number) if !self.large[*number].contains(&value) => None,
                place => Some(place.clone()),
            };
        }
        let (element, shape) = self.plain(value)?;
        let place = match few(&shape) {
            Some(count) => Place::Cell(self.cell(element, count)),
            None => Place::Large(self.tensor()),
        };
        self.captured.push((Outside::Value(value), place.clone()));
        self.name(value, &place);
        Some(place)
    }

    fn name(&mut self, value: ValueId, place: &Place) {
        if let Place::Large(number) = place {
            self.large[*number].insert(value);
        }
        self.places.insert(value, place.clone());
    }

    fn few(&mut self, value: ValueId) -> Option<Cell> {
        match self.place(value)? {
            Place::Cell(cell) => Some(cell),
            Place::Large(_) => None,
        }
    }

    /// The condition and the body of a loop with its state at these places.
    fn while_loop(&mut self, condition: &Region, body: &Region, state: &[Place]) -> Option<WhileLoop> {
        let around = std::mem::take(&mut self.writable);
        // A value that the body passes on is unchanged.
        let changes = |at: usize| body.parameters[at] != body.results[at];
        for (at, place) in state.iter().enumerate() {
            if let (Place::Large(number), true) = (place, changes(at)) {
                // Two tensors would have to swap places.
                if !self.writable.insert(*number) {
                    return None;
                }
            }
        }
        let enter = |compiler: &mut Self, region: &Region| {
            for (at, (&parameter, place)) in region.parameters.iter().zip(state).enumerate() {
                match place {
                    // From the second iteration on, it differs from the value outside.
                    Place::Large(number) if compiler.writable.contains(number) => {
                        compiler.places.insert(parameter, place.clone());
                        if changes(at) {
                            compiler.large[*number] = FxHashSet::from_iter([parameter]);
                        }
                    }
                    place => compiler.name(parameter, place),
                }
            }
        };
        enter(self, condition);
        let kept = std::mem::take(&mut self.writable);
        let mut before = vec![];
        self.steps(condition, &mut before)?;
        let [truth] = condition.results[..] else { return None };
        let truth = self.few(truth)?;
        self.writable = kept;
        enter(self, body);
        let mut steps = vec![];
        self.steps(body, &mut steps)?;
        let mut moves = vec![];
        let own: Vec<usize> = state.iter().filter_map(Place::at).collect();
        for (place, &result) in state.iter().zip(&body.results) {
            match (place, self.place(result)?) {
                (Place::Cell(to), Place::Cell(mut from)) if to.at != from.at => {
                    if own.contains(&from.at) {
                        // Another value of the state, which may already be overwritten.
                        let copy = self.cell(&from.element, from.count);
                        steps.push(Step::Move((from.at, copy.at, copy.words())));
                        from = copy;
                    }
                    moves.push((from.at, to.at, to.words()));
                }
                (Place::Cell(_), Place::Cell(_)) => {}
                (Place::Large(to), Place::Large(from)) if *to == from => {}
                _ => return None,
            }
        }
        self.writable = around;
        let operations = (condition.operations.len() + body.operations.len()).max(1) as u64;
        Some(WhileLoop { condition: before, truth, body: steps, moves, operations })
    }

    fn steps(&mut self, region: &Region, steps: &mut Vec<Step>) -> Option<()> {
        for operation in &region.operations {
            self.operation(operation, steps)?;
        }
        Some(())
    }

    fn operation(&mut self, operation: &Operation, steps: &mut Vec<Step>) -> Option<()> {
        let operands = &operation.operands;
        match &operation.kind {
            Op::While { condition, body } => return self.inner(operation, condition, body, steps),
            Op::If { then, otherwise } => return self.choose(operation, &[then, otherwise], steps),
            Op::Case { branches } => {
                return self.choose(operation, &branches.iter().collect::<Vec<_>>(), steps);
            }
            _ => {}
        }
        let [result] = operation.results[..] else { return None };
        let (element, sizes) = self.plain(result)?;
        match &operation.kind {
            Op::Constant(constant) => self.constant(result, constant)?,
            Op::Iota { dimension } => {
                few(&sizes)?;
                self.constant(result, &iota(element, *dimension, &sizes).ok()?)?;
            }
            Op::Reshape => {
                let cell = self.few(operands[0])?;
                self.places.insert(result, Place::Cell(cell));
            }
            Op::BroadcastInDim { .. }
            | Op::Transpose { .. }
            | Op::Reverse { .. }
            | Op::Slice { .. }
            | Op::Concatenate { .. }
            | Op::Pad { .. } => {
                let sources = operands.iter().map(|&operand| self.few(operand)).collect::<Option<_>>()?;
                let from = self.moved(operation, &sizes)?;
                self.gather(result, sources, from, steps)?;
            }
            Op::DynamicSlice { sizes } => {
                let start = self.start(operands[0], &operands[1..], sizes)?;
                let source = self.place(operands[0])?;
                let result = self.result(result)?;
                let word = result.words() == 1;
                steps.push(match (&start.dimensions[..], &start.offsets) {
                    ([Dimension { index, sizes: (size, 1), stride }], Offsets::Run(1)) if word => {
                        let (index, result) = (index.clone(), result.at);
                        Step::One(One { source, index, size: *size, stride: *stride, result })
                    }
                    _ => Step::Read { source, start, result },
                });
            }
            Op::DynamicUpdateSlice => {
                let (_, slice) = self.plain(operands[1])?;
                let start = self.start(operands[0], &operands[2..], &slice)?;
                self.write(result, operands[0], operands[1], start, steps)?;
            }
            Op::Scatter { attributes, body } if form(body) == Form::Second && operands.len() == 3 => {
                let start = self.scattered(operands, attributes)?;
                self.write(result, operands[0], operands[2], start, steps)?;
            }
            Op::Reduce { dimensions, body } if operands.len() == 2 => {
                let form = form(body);
                let Form::Combine(binary) = form else { return None };
                // Narrower sums are accumulated in binary32.
                let exact = matches!(
                    element,
                    ElementType::Float(FloatType::F32 | FloatType::F64)
                        | ElementType::Integer { .. }
                        | ElementType::Bool
                );
                let (operand, initial) = (self.few(operands[0])?, self.few(operands[1])?);
                if !exact || operand.element != *element || initial.element != *element {
                    return None;
                }
                let ((_, shape), dimensions) = (self.plain(operands[0])?, dimensions.clone());
                let (kernel, result) = (combine(binary, element), self.result(result)?);
                let every = match binary {
                    Binary::And => Some(true),
                    Binary::Or => Some(false),
                    _ => None,
                };
                if let (Some(every), ElementType::Bool, 1) = (every, element, result.count) {
                    steps.push(Step::Quick(Quick::truth(every, &operand, &initial, &result), [].into()));
                    return Some(());
                }
                let single = *element == ElementType::Float(FloatType::F32);
                let few = combine_f32(binary).filter(|_| single);
                let few = few.and_then(|combine| SmallReduction::new(&shape, &dimensions, combine));
                let few = few.map(|rows| (rows, self.cell(element, rows.room())));
                let step = Reduce { operand, shape, initial, dimensions, kernel, form, result, few };
                steps.push(Step::Reduce(Box::new(step)));
            }
            Op::DotGeneral { dimensions, algorithm: None } => {
                let single = ElementType::Float(FloatType::F32);
                let (lhs, rhs) = (self.few(operands[0])?, self.few(operands[1])?);
                if [&lhs.element, &rhs.element, element].iter().any(|element| **element != single) {
                    return None;
                }
                let ((_, a), (_, b)) = (self.plain(operands[0])?, self.plain(operands[1])?);
                let (few, result) = (SmallProduct::new(&a, &b, dimensions)?, self.result(result)?);
                let dimensions = dimensions.clone();
                let product = Product { lhs, rhs, few, result, shapes: [a, b], dimensions };
                steps.push(Step::Product(Box::new(product)));
            }
            _ => self.elementwise(operation, result, steps)?,
        }
        Some(())
    }

    fn constant(&mut self, value: ValueId, constant: &Tensor) -> Option<()> {
        match few(&constant.shape) {
            Some(count) => {
                let cell = self.cell(&constant.element, count);
                cell.view_mut(&mut self.words[cell.at..]).copy_from(constant.data.view());
                self.constants.insert(cell.at);
                self.places.insert(value, Place::Cell(cell));
            }
            None => {
                let place = Place::Large(self.tensor());
                self.captured.push((Outside::Constant(constant.clone()), place.clone()));
                self.name(value, &place);
            }
        }
        Some(())
    }

    fn elementwise(&mut self, operation: &Operation, result: ValueId, steps: &mut Vec<Step>) -> Option<()> {
        let instruction = instruction(&operation.kind)?;
        let cells = operation.operands.iter().map(|&operand| self.few(operand));
        let operands: Vec<Cell> = cells.collect::<Option<_>>()?;
        let (element, shape) = self.plain(result)?;
        if instruction == Instruction::BitcastConvert && !bitcasts(&operands[0].element, element) {
            return None;
        }
        let count = few(&shape)?;
        let types: Vec<&ElementType> = operands.iter().map(|operand| &operand.element).collect();
        let plain = Plain::new(&instruction, &types, element).filter(|_| count > 1);
        if operands.iter().any(|operand| ![1, count].contains(&operand.count)) {
            return None;
        }
        let mut general = vec![];
        let each = operands.iter().map(|operand| match (&plain, operand.count == count) {
            (None, false) => self.spread(operand, count, &mut general),
            _ => operand.clone(),
        });
        let each: Vec<Cell> = each.collect();
        let result = self.result(result)?;
        let quick = Quick::new(&instruction, &operands, &result);
        if let Some(plain) = plain {
            let apply = PlainApply { plain, operands, result };
            match steps.last_mut() {
                Some(Step::Plain(all)) if quick.is_none() => {
                    all.push(apply);
                    return Some(());
                }
                _ => general.push(Step::Plain(vec![apply])),
            }
        } else {
            general.push(Step::Apply(Box::new(Apply { instruction, operands: each, result })));
        }
        match quick {
            Some(quick) => steps.push(Step::Quick(quick, general.into())),
            None => steps.extend(general),
        }
        Some(())
    }

    /// Allocates a value of `elements` equal elements, copied from one cell, and adds the step that fills it.
    fn spread(&mut self, source: &Cell, count: usize, steps: &mut Vec<Step>) -> Cell {
        let result = self.cell(&source.element, count);
        self.fill(source, &result, steps);
        result
    }

    /// Fills a value with one number: at compile time, if it is known.
    fn fill(&mut self, source: &Cell, result: &Cell, steps: &mut Vec<Step>) {
        if self.constants.contains(&source.at) {
            fill(&mut self.words, source, result);
            self.constants.insert(result.at);
            return;
        }
        let general = Step::Fill { source: source.clone(), result: result.clone() };
        steps.push(match Quick::fill(source, result) {
            Some(quick) => Step::Quick(quick, [general].into()),
            None => general,
        });
    }

    /// For each element of a result, its operand and index there. They are found by running the operation on numbers that
    /// encode them.
    fn moved(&self, operation: &Operation, sizes: &[usize]) -> Option<Vec<(u16, u16)>> {
        const LONG: ElementType = ElementType::Integer { signed: true, width: 64 };
        few(sizes)?;
        let mut operands = vec![];
        for (number, &operand) in operation.operands.iter().enumerate() {
            let (_, shape) = self.plain(operand)?;
            let first = (number as i64) << 16;
            let places = (first..).take(few(&shape)?).collect();
            operands.push(Tensor::new(LONG, shape, Data::I64(places)));
        }
        let x = &operands[0];
        let moved = match &operation.kind {
            Op::BroadcastInDim { dimensions } => shape::broadcast_in_dim(x, dimensions, sizes),
            Op::Transpose { permutation } => shape::transpose(x, permutation),
            Op::Reverse { dimensions } => shape::reverse(x, dimensions),
            Op::Slice { start, strides, .. } => shape::slice(x, start, strides, sizes),
            Op::Concatenate { dimension } => {
                shape::concatenate(&operands.iter().collect::<Vec<_>>(), *dimension)
            }
            Op::Pad { low, interior, .. } => shape::pad(x, &operands[1], low, interior, sizes),
            _ => return None,
        };
        let place = |from: i64| Some((u16::try_from(from >> 16).ok()?, (from & 0xffff) as u16));
        shape::integers(&moved).into_iter().map(place).collect()
    }

    fn gather(
        &mut self,
        result: ValueId,
        sources: Vec<Cell>,
        from: Vec<(u16, u16)>,
        steps: &mut Vec<Step>,
    ) -> Option<()> {
        let same = |(at, from): (usize, &(u16, u16))| usize::from(from.1) == at && from.0 == 0;
        if sources[0].count == from.len() && from.iter().enumerate().all(same) {
            self.places.insert(result, Place::Cell(sources[0].clone()));
            return Some(());
        }
        let result = self.result(result)?;
        if let [source] = &sources[..]
            && source.count == 1
        {
            self.fill(source, &result, steps);
            return Some(());
        }
        steps.push(match &sources[..] {
            [source] => match runs(&from) {
                Some(runs) => Step::Runs { source: source.clone(), runs, result },
                None => Step::Gather { sources, from, result },
            },
            _ => Step::Gather { sources, from, result },
        });
        Some(())
    }

    /// The start of a slice of these sizes in a tensor.
    fn start(&mut self, tensor: ValueId, indices: &[ValueId], slice: &[usize]) -> Option<Start> {
        let (_, sizes) = self.plain(tensor)?;
        few(slice)?;
        let mut dimensions = vec![];
        let all = indices.iter().zip(sizes.iter().zip(slice)).zip(row_major(&sizes));
        for ((&index, (&size, &length)), stride) in all {
            // A slice as long as the tensor begins at 0.
            if size != length {
                let index = self.few(index)?;
                dimensions.push(Dimension { index, sizes: (size, length), stride: stride as usize });
            }
        }
        Some(Start { dimensions, clamped: true, offsets: offsets(slice, &row_major(&sizes)) })
    }

    /// The start of the only window of a scatter. `None` if there are several windows, or if it is not whole.
    fn scattered(&mut self, operands: &[ValueId], attributes: &Scatter) -> Option<Start> {
        let (_, sizes) = self.plain(operands[0])?;
        let (_, updates) = self.plain(operands[2])?;
        let indices = self.few(operands[1])?;
        let map = &attributes.scatter_dims_to_operand_dims;
        let inserted = &attributes.inserted_window_dims;
        if indices.count != map.len()
            || updates.len() != attributes.update_window_dims.len()
            || !attributes.input_batching_dims.is_empty()
            || !map.iter().all(|dimension| inserted.contains(dimension))
        {
            return None;
        }
        few(&updates)?;
        let strides = row_major(&sizes);
        let window: Vec<usize> = (0..sizes.len()).filter(|at| !inserted.contains(at)).collect();
        let mut dimensions = vec![];
        for (component, &dimension) in map.iter().enumerate() {
            // Each component has its own word only if it is alone.
            if indices.count != 1 || component != 0 {
                return None;
            }
            let sizes = (sizes[dimension], 1);
            let stride = strides[dimension] as usize;
            dimensions.push(Dimension { index: indices.clone(), sizes, stride });
        }
        let strides: Vec<isize> = window.iter().map(|&at| strides[at]).collect();
        Some(Start { dimensions, clamped: false, offsets: offsets(&updates, &strides) })
    }

    /// Writes few elements into a large tensor that the loop carries, or into a copy of a small value.
    fn write(
        &mut self,
        result: ValueId,
        tensor: ValueId,
        elements: ValueId,
        start: Start,
        steps: &mut Vec<Step>,
    ) -> Option<()> {
        let elements = self.few(elements)?;
        let number = match self.place(tensor)? {
            Place::Large(number) => number,
            Place::Cell(from) => {
                let to = self.result(result)?;
                steps.push(Step::Move((from.at, to.at, to.words())));
                steps.push(Step::Write { target: Place::Cell(to), start, elements });
                return Some(());
            }
        };
        if !self.writable.contains(&number) {
            return None;
        }
        self.large[number].clear();
        self.name(result, &Place::Large(number));
        self.written.insert(number);
        steps.push(Step::Write { target: Place::Large(number), start, elements });
        Some(())
    }

    fn inner(
        &mut self,
        operation: &Operation,
        condition: &Region,
        body: &Region,
        steps: &mut Vec<Step>,
    ) -> Option<()> {
        let mut state = vec![];
        for (at, &operand) in operation.operands.iter().enumerate() {
            let place = match self.place(operand)? {
                Place::Cell(from) => {
                    let to = self.cell(&from.element, from.count);
                    steps.push(Step::Move((from.at, to.at, to.words())));
                    Place::Cell(to)
                }
                Place::Large(number) => {
                    let changes = body.parameters[at] != body.results[at];
                    if changes && !self.writable.contains(&number) {
                        return None;
                    }
                    Place::Large(number)
                }
            };
            state.push(place);
        }
        let while_loop = self.while_loop(condition, body, &state)?;
        steps.push(Step::WhileLoop(Box::new(while_loop)));
        for (at, (&result, place)) in operation.results.iter().zip(&state).enumerate() {
            if let Place::Large(number) = place
                && body.parameters[at] != body.results[at]
            {
                self.large[*number].clear();
            }
            self.name(result, place);
        }
        Some(())
    }

    fn choose(&mut self, operation: &Operation, regions: &[&Region], steps: &mut Vec<Step>) -> Option<()> {
        let selector = self.few(operation.operands[0])?;
        let results = operation.results.iter().map(|&result| self.result(result));
        let results: Vec<Cell> = results.collect::<Option<_>>()?;
        // One branch does not see the other's writes.
        let around = std::mem::take(&mut self.writable);
        let mut branches = vec![];
        for region in regions {
            let mut inside = vec![];
            self.steps(region, &mut inside)?;
            let mut moves: Vec<Move> = vec![];
            for (&from, to) in region.results.iter().zip(&results) {
                moves.push((self.few(from)?.at, to.at, to.words()));
            }
            branches.push((inside, moves));
        }
        self.writable = around;
        steps.push(Step::Choose { selector, branches });
        Some(())
    }
}

impl Place {
    /// The first word of a small value.
    fn at(&self) -> Option<usize> {
        match self {
            Place::Cell(cell) => Some(cell.at),
            Place::Large(_) => None,
        }
    }
}

/// The indices of one value as contiguous runs, unless these are short: see [`Step::Runs`].
fn runs(from: &[(u16, u16)]) -> Option<Vec<(usize, usize, bool)>> {
    /// Length of a run from which on it is as fast as single elements.
    const STRETCH: usize = 6;
    let mut runs: Vec<(usize, usize, bool)> = vec![];
    for &(_, at) in from {
        let at = usize::from(at);
        match runs.last_mut() {
            Some((first, count, neighbours)) if *count == 1 && (at == *first || at == *first + 1) => {
                (*count, *neighbours) = (2, at != *first);
            }
            Some((first, count, true)) if at == *first + *count => *count += 1,
            Some((first, count, false)) if *count > 1 && at == *first => *count += 1,
            _ => runs.push((at, 1, true)),
        }
    }
    (runs.len() * STRETCH <= from.len()).then_some(runs)
}

/// Offsets of the elements of a slice from its first one.
fn offsets(slice: &[usize], strides: &[isize]) -> Offsets {
    // An empty slice has none; its start may be beyond the last element.
    if slice.contains(&0) {
        return Offsets::Each(vec![]);
    }
    let mut index = vec![0; slice.len()];
    let mut offsets: Vec<usize> = vec![];
    loop {
        offsets.push(index.iter().zip(strides).map(|(&at, &by)| at * by as usize).sum());
        if !advance(&mut index, slice) {
            break;
        }
    }
    match offsets.iter().enumerate().all(|(at, &offset)| at == offset) {
        true => Offsets::Run(offsets.len()),
        false => Offsets::Each(offsets),
    }
}
