//! Plans a function for the machine: orders its operations and groups them into steps. Elementwise operations on equally many
//! elements become one kernel. Each value is freed after its last use.
//!
//! Broadcasts, reshapes, slices and small counters that only feed elementwise operations are never written out: kernels read
//! through them. Values that are read only by a reduction with one operation are not written out either: they are reduced as
//! they are made.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use binade_stablehlo::ir::{Op, Operation, Program, Region, ValueId};
use binade_stablehlo::traits::ReadThrough;
use binade_stablehlo::{Data, ElementType, FloatType, Tensor, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use super::gather_scatter::GatherScatters;
use super::rewrite::FAR_READER;
use super::step::{
    Action, Applied, Block, Chain, GatherScatterAdd, Output, ReducedChain, Step, reads_of_rows, searched,
};
use crate::arithmetic::body::{self, Compiled, Outside};
use crate::arithmetic::contraction::{Pair, Pairs};
use crate::arithmetic::form::{Form, form};
use crate::arithmetic::instruction::{bitcasts, instruction};
use crate::arithmetic::kernel::{Access, Builder, Source};
use crate::arithmetic::rounded::Rounded;
use crate::arithmetic::rules::Drawn;
use crate::machine::small_loops;
use crate::movement::layout::{Layout, Strided};
use crate::options::{Options, Semantics};
use crate::reduction::arg_extreme::ArgExtreme;

/// Operations among which kernels are formed. Bounds the time of planning a long function.
const WINDOW: usize = 1024;

/// Maximum number of operations in a kernel.
const MEMBERS: usize = 64;

/// Maximum number of consumers examined per operation.
const READERS: usize = 8;

/// Longest dimension whose counter a kernel stores. Longer counters are written out as tensors.
const COUNTER: usize = 1 << 16;

/// Limits on stored counters: total elements, and number.
const COUNTERS: usize = 1 << 20;
const MOST_COUNTERS: usize = 256;

/// Minimum number of contiguous elements of a slice that kernels read through.
const RUN: usize = 8;

/// Plans every function. If operations are `observed`, each one is a step, and nothing is read through.
pub(crate) fn plan(program: &Program, options: &Options, observed: bool) -> Vec<Block> {
    let counters = Counters::default();
    let draws = options.rules.are_stochastic();
    let inside = Options { rules: options.rules.inside_regions(), ..options.clone() };
    let planner = |values| Planner { values, options, inside: &inside, counters: &counters, observed, draws };
    program.functions.iter().map(|function| planner(&function.values).block(&function.body)).collect()
}

struct Planner<'a> {
    values: &'a [Type],
    options: &'a Options,
    /// The options for regions that are applied to many elements.
    inside: &'a Options,
    counters: &'a Counters,
    observed: bool,
    /// True if a rule is stochastic. Then only chains do the work of several operations.
    draws: bool,
}

/// The counters 0, 1, 2, … that kernels store, each once.
#[derive(Default)]
struct Counters(RefCell<Vec<Tensor>>);

impl Counters {
    /// Returns `None` if the limits on stored counters are reached: the counter is then written out.
    fn get(&self, size: usize, element: &ElementType) -> Option<Tensor> {
        let mut all = self.0.borrow_mut();
        let same = |counter: &&Tensor| counter.shape == [size] && counter.element == *element;
        if let Some(counter) = all.iter().find(same) {
            return Some(counter.clone());
        }
        let held: usize = all.iter().map(|counter| counter.data.len()).sum();
        if held + size > COUNTERS || all.len() == MOST_COUNTERS {
            return None;
        }
        let counter = crate::arithmetic::iota::counter(size, element).ok()?;
        all.push(counter.clone());
        Some(counter)
    }
}

/// The way in which an elementwise operation reads an operand.
#[derive(Clone, Debug)]
struct Read {
    base: Outside,
    access: Access,
}

/// The values that a block's operations define, and the operation of each.
struct Producers<'p> {
    operations: &'p [Operation],
    of: FxHashMap<ValueId, usize>,
}

impl<'p> Producers<'p> {
    fn get(&self, value: ValueId) -> Option<&'p Operation> {
        self.of.get(&value).map(|&at| &self.operations[at])
    }
}

/// Steps that also do the work of other operations.
struct Absorbed {
    pairs: Pairs,
    gathers: GatherScatters,
    /// Searches for extremes, by the index of the reduction. Counters of elements are not among their operands.
    extremes: FxHashMap<usize, (ArgExtreme, Compiled)>,
}

impl Absorbed {
    /// Returns true if another operation does the work of this one.
    fn has(&self, at: usize) -> bool {
        self.pairs.absorbs(at) || self.gathers.absorbs(at)
    }

    /// The operands that an operation computes on. A sum that also computes a product takes the product's operands too.
    fn operands<'a>(&'a self, at: usize, operation: &'a Operation) -> &'a [ValueId] {
        self.pairs.at(at).map_or(&operation.operands, |pair| &pair.operands)
    }

    /// The values that an operation outside kernels reads.
    fn read_by(&self, at: usize, operation: &Operation) -> Vec<ValueId> {
        if let Some(pair) = self.pairs.at(at) {
            return pair.operands.to_vec();
        }
        match (self.gathers.at(at), self.extremes.get(&at)) {
            (Some(rows), _) => reads_of_rows(operation, rows),
            (_, Some((extreme, _))) => searched(extreme),
            (None, None) => read_by(operation),
        }
    }
}

/// The operation without the regions that become blocks.
fn without_regions(operation: &Operation) -> Arc<Operation> {
    let none = || Region { parameters: vec![], operations: vec![], results: vec![] };
    let kind = match &operation.kind {
        Op::While { .. } => Op::While { condition: none(), body: none() },
        Op::If { .. } => Op::If { then: none(), otherwise: none() },
        Op::Case { branches } => Op::Case { branches: branches.iter().map(|_| none()).collect() },
        kind => kind.clone(),
    };
    let Operation { operands, results, scope, position, .. } = operation.clone();
    Arc::new(Operation { kind, operands, results, scope, position })
}

/// Returns true if the machine interprets the operation's regions.
fn is_walked(operation: &Operation) -> bool {
    operation.kind.traits().control && !operation.kind.regions().is_empty()
}

/// Operands, and the values that regions name. The latter include values that the regions define; no enclosing block has those.
fn read_by(operation: &Operation) -> Vec<ValueId> {
    let mut read = operation.operands.clone();
    operation.kind.regions().into_iter().for_each(|region| region.named(&mut read));
    read
}

impl<'a> Planner<'a> {
    fn shape(&self, value: ValueId) -> Option<Vec<usize>> {
        match &self.values[value.0 as usize] {
            Type::Tensor(tensor) => tensor.shape.iter().copied().collect(),
            _ => None,
        }
    }

    fn element(&self, value: ValueId) -> Option<&'a ElementType> {
        match &self.values[value.0 as usize] {
            Type::Tensor(tensor) => Some(&tensor.element),
            _ => None,
        }
    }

    /// The effect of a stochastic rule on an operation.
    fn drawn(&self, operation: &Operation) -> Option<Drawn> {
        if !self.draws {
            return None;
        }
        self.options.rules.drawn(operation, self.element(*operation.results.first()?)?)
    }

    /// Returns true if an operation can be part of a kernel.
    fn fuses(&self, operation: &Operation) -> bool {
        if self.drawn(operation).is_some() {
            return false;
        }
        let plain = |&value: &ValueId| !matches!(self.element(value), None | Some(ElementType::Quantized(_)));
        let same_width = || match self.element(operation.operands[0]).zip(self.element(operation.results[0]))
        {
            Some((from, to)) => bitcasts(from, to),
            None => false,
        };
        instruction(&operation.kind).is_some()
            && operation.operands.iter().chain(&operation.results).all(plain)
            && (!matches!(operation.kind, Op::BitcastConvert) || same_width())
    }

    fn block(&self, region: &Region) -> Block {
        let operations = &region.operations;
        let of = (operations.iter().enumerate())
            .flat_map(|(at, operation)| operation.results.iter().map(move |&result| (result, at)))
            .collect();
        let producers = Producers { operations, of };
        let pairs = Pairs::of(region, self.values, &self.options.rules);
        let gathers = match self.observed || self.draws {
            true => GatherScatters::default(),
            false => GatherScatters::of(region, self.values, self.options, |value, shape| {
                self.layout(value, shape, &producers, 0)
            }),
        };
        let extremes = match self.observed || self.draws {
            true => FxHashMap::default(),
            false => self.extremes(region, &producers),
        };
        let absorbed = Absorbed { pairs, gathers, extremes };
        let mut order = self.order(region, &producers, &absorbed);
        if !self.observed && !self.draws && self.options.semantics != Semantics::Reference {
            self.fold(region, &mut order);
        }
        self.steps(region, order)
    }

    /// Finds the reductions that search rows for an extreme.
    fn extremes(&self, region: &Region, producers: &Producers) -> FxHashMap<usize, (ArgExtreme, Compiled)> {
        let found = region.operations.iter().enumerate().filter_map(|(at, operation)| {
            let maker = |value: ValueId| producers.get(value);
            let extreme = ArgExtreme::of(operation, self.values, &self.options.rules, maker)?;
            let Op::Reduce { body, .. } = &operation.kind else { return None };
            let body = body::compile(operation, body, self.values, self.inside)?;
            body.captured.is_empty().then_some((at, (extreme, body)))
        });
        found.collect()
    }

    /// Merges each chain with the reduction of its result.
    fn fold(&self, region: &Region, order: &mut Vec<Action>) {
        let mut maker: FxHashMap<ValueId, usize> = FxHashMap::default();
        // The actions that read each value, in order.
        let mut readers: FxHashMap<ValueId, Vec<usize>> = FxHashMap::default();
        for (at, action) in order.iter().enumerate() {
            action.reads().into_iter().for_each(|value| readers.entry(value).or_default().push(at));
            if let Action::Chain(chain) = action {
                maker.extend(chain.outputs.iter().map(|output| (output.value, at)));
            }
        }
        let kept: FxHashSet<ValueId> = region.results.iter().copied().collect();
        let mut actions: Vec<Option<Action>> = order.drain(..).map(Some).collect();
        for at in 0..actions.len() {
            let Some(Action::Single { operation, .. }) = &actions[at] else { continue };
            let &[x, initial] = &operation.operands[..] else { continue };
            let Some(&from) = maker.get(&x) else { continue };
            let Some(Action::Chain(chain)) = &actions[from] else { continue };
            // No action reads the chain's outputs before this reduction.
            let first = |output: &Output| readers.get(&output.value).and_then(|all| all.first());
            if chain.outputs.iter().any(|output| first(output).is_some_and(|&first| first < at)) {
                continue;
            }
            let Some((shape, dimensions)) = self.folds(operation) else { continue };
            // No operator computes it, and no rule rounds it.
            let Some(Action::Single { bodies, .. }) = &actions[at] else { continue };
            let plain = matches!(
                &bodies[..],
                [Applied::Compiled(Compiled { form: Form::Combine(_), step: None, .. })]
            );
            if !plain || self.options.rules.rounding(operation, self.element(x).expect("a tensor")).is_some()
            {
                continue;
            }
            let others = kept.contains(&x) || readers[&x].iter().any(|&reader| reader != at);
            let (Some(Action::Single { operation, bodies, .. }), Some(Action::Chain(mut chain))) =
                (actions[at].take(), actions[from].take())
            else {
                unreachable!("both were looked at");
            };
            let Some(Applied::Compiled(body)) = bodies.into_iter().next() else {
                unreachable!("a body of one operation is compiled");
            };
            let Some(reduced) = chain.outputs.iter().position(|output| output.value == x) else {
                unreachable!("the chain makes it");
            };
            if !others {
                chain.outputs.remove(reduced);
            }
            let result = operation.results[0];
            let element = self.element(result).expect("reductions make tensors").clone();
            let output = Output { value: result, element, shape: self.shape(result) };
            actions[at] = Some(Action::ReducedChain(Box::new(ReducedChain {
                chain,
                reduced,
                written: others,
                shape,
                dimensions,
                initial: Outside::Value(initial),
                body,
                output,
            })));
        }
        order.extend(actions.into_iter().flatten());
    }

    /// The sizes and dimensions of a reduction that makes something smaller by one operation, and rounds as its elements
    /// are rounded.
    fn folds(&self, operation: &Operation) -> Option<(Vec<usize>, Vec<usize>)> {
        let Op::Reduce { dimensions, body } = &operation.kind else { return None };
        let &[x, initial] = &operation.operands[..] else { return None };
        let element = self.element(x)?;
        let exact = matches!(
            element,
            ElementType::Float(FloatType::F32 | FloatType::F64) | ElementType::Integer { .. }
        );
        let (shape, result) = (self.shape(x)?, self.shape(operation.results[0])?);
        let (before, after) = (shape.iter().product::<usize>(), result.iter().product::<usize>());
        let combines = matches!(form(body), Form::Combine(_));
        (exact && combines && self.element(initial) == Some(element) && after > 0 && before > after)
            .then(|| (shape, dimensions.clone()))
    }

    /// Resolves an operand through broadcasts, reshapes and counters.
    fn read(&self, value: ValueId, producers: &Producers) -> Read {
        let dense = |value: ValueId| Read { base: Outside::Value(value), access: Access::Dense };
        let Some(shape) = self.shape(value) else { return dense(value) };
        if let Some(read) = self.counted(value, &shape, producers) {
            return read;
        }
        match self.layout(value, &shape, producers, 0) {
            Some((base, layout)) => {
                let strided = Strided::new(&shape, &layout);
                let access = match strided.splat() {
                    // One element, of a tensor of one.
                    Some(0) if shape.iter().product::<usize>() == 1 => Access::Dense,
                    Some(at) => Access::Splat(at),
                    None if strided.is_dense() => Access::Dense,
                    None => Access::Strided(strided),
                };
                Read { base, access }
            }
            None => dense(value),
        }
    }

    /// A counter too long to store, of 32-bit or 64-bit integers.
    fn counted(&self, value: ValueId, shape: &[usize], producers: &Producers) -> Option<Read> {
        let operation = producers.get(value)?;
        let Op::Iota { dimension } = operation.kind else { return None };
        let element = self.element(value)?;
        let size = shape[dimension];
        let counted = size > COUNTER
            && matches!(element, ElementType::Integer { width: 32 | 64, .. })
            && self.options.rules.rounding(operation, element).is_none()
            && self.drawn(operation).is_none();
        let none = || Tensor::new(element.clone(), vec![0], Data::zeros(element, 0));
        let inner = shape[dimension + 1..].iter().product();
        counted.then(|| Read { base: Outside::Constant(none()), access: Access::Counter { inner, size } })
    }

    /// Returns true if an operation that makes elements of this type rounds them. Elements that it moves may already be
    /// rounded.
    fn rounds(&self, operation: &Operation, element: &ElementType, producers: &Producers) -> bool {
        let rules = &self.options.rules;
        if self.drawn(operation).is_some() {
            return true;
        }
        let Some(rounding) = rules.rounding(operation, element) else { return false };
        let before = || {
            let &operand = operation.operands.first()?;
            rules.rounding(producers.get(operand)?, self.element(operand)?)
        };
        let moves = matches!(operation.kind, Op::BroadcastInDim { .. } | Op::Reshape | Op::Slice { .. });
        let again = |before: &Rounded| before == rounding && rounding.settles(element);
        !(moves && before().is_some_and(again))
    }

    /// The tensor that stores the elements of `value`, and their layout in it. `None` if the layout is not known to be
    /// simple.
    fn layout(
        &self,
        value: ValueId,
        shape: &[usize],
        producers: &Producers,
        depth: usize,
    ) -> Option<(Outside, Layout)> {
        let own = || Some((Outside::Value(value), Layout::dense(shape)));
        let Some(operation) = producers.get(value).filter(|_| depth < 16) else { return own() };
        if self.element(value).is_none_or(|element| self.rounds(operation, element, producers)) {
            return own();
        }
        let inner = |operand: ValueId| {
            let shape = self.shape(operand)?;
            Some((self.layout(operand, &shape, producers, depth + 1)?, shape))
        };
        match &operation.kind {
            Op::Constant(tensor) if tensor.data.len() <= COUNTER => {
                Some((Outside::Constant(tensor.clone()), Layout::dense(shape)))
            }
            Op::Iota { dimension } if shape[*dimension] <= COUNTER => {
                let Some(ElementType::Integer { .. } | ElementType::Float(_)) = self.element(value) else {
                    return own();
                };
                let counter = self.counters.get(shape[*dimension], self.element(value)?)?;
                let mut strides = vec![0; shape.len()];
                strides[*dimension] = 1;
                Some((Outside::Constant(counter), Layout { offset: 0, strides }))
            }
            Op::BroadcastInDim { dimensions } => {
                let ((base, layout), operand) = inner(operation.operands[0])?;
                let mut strides = vec![0; shape.len()];
                for ((&size, &stride), &dimension) in operand.iter().zip(&layout.strides).zip(dimensions) {
                    if size != 1 {
                        strides[dimension] = stride;
                    }
                }
                Some((base, Layout { offset: layout.offset, strides }))
            }
            // For contiguous elements.
            Op::Slice { start, strides: steps, .. }
                if steps.iter().all(|&step| step == 1) && shape.last().is_none_or(|&size| size >= RUN) =>
            {
                let ((base, layout), operand) = inner(operation.operands[0])?;
                if layout != Layout::dense(&operand) {
                    return own();
                }
                let offset = start.iter().zip(&layout.strides).map(|(&at, &by)| at as isize * by);
                Some((base, Layout { offset: layout.offset + offset.sum::<isize>(), ..layout }))
            }
            Op::Reshape => {
                let ((base, layout), operand) = inner(operation.operands[0])?;
                let splat =
                    layout.strides.iter().zip(&operand).all(|(&stride, &size)| stride == 0 || size == 1);
                match () {
                    () if splat => {
                        Some((base, Layout { offset: layout.offset, strides: vec![0; shape.len()] }))
                    }
                    () if layout == Layout::dense(&operand) => Some((base, Layout::dense(shape))),
                    () => own(),
                }
            }
            _ => own(),
        }
    }

    /// The operations in execution order; those of a kernel are together.
    fn order(&self, region: &Region, producers: &Producers, absorbed: &Absorbed) -> Vec<Action> {
        let operations = producers.operations;
        let mut clusters = Clusters::new(operations.len());
        let mut reads: Vec<Option<Vec<Read>>> = vec![];
        let mut lengths = vec![None; operations.len()];
        let mut previous = None;
        for (at, operation) in operations.iter().enumerate() {
            // The product of a contracted pair is computed with its sum.
            let is_drawn_pair = absorbed.pairs.at(at).is_some_and(|pair| pair.is_stochastic());
            let fuses = !is_drawn_pair && self.fuses(operation) && !absorbed.has(at);
            let length = operation.results.first().and_then(|&result| self.shape(result));
            let open = operation.operands.iter().any(|&operand| self.shape(operand).is_none());
            lengths[at] = length.filter(|_| fuses && !open).map(|shape| shape.iter().product::<usize>());
            let known =
                fuses.then(|| self.operand_reads(absorbed.operands(at, operation), producers, lengths[at]));
            let local =
                |value: ValueId| producers.of.get(&value).copied().filter(|&of| of / WINDOW == at / WINDOW);
            let mut before: Vec<usize> = match &known {
                Some(reads) => reads.iter().filter_map(|read| read.value()).filter_map(local).collect(),
                None if absorbed.has(at) => vec![],
                None => absorbed.read_by(at, operation).into_iter().filter_map(local).collect(),
            };
            if operation.kind.traits().ordered {
                before.extend(previous.replace(at).filter(|&other: &usize| other / WINDOW == at / WINDOW));
            }
            let dense = |read: &&Read| matches!(read.access, Access::Dense);
            let read_as = |dense_wanted: bool| -> Vec<usize> {
                let chosen = known.iter().flatten().filter(|read| dense(read) == dense_wanted);
                chosen.filter_map(|read| local(read.value()?)).collect()
            };
            // Values that are not read element by element must be written out first.
            clusters.add(at, before, read_as(false));
            if let (true, Some(length)) = (fuses && !self.observed, lengths[at]) {
                let mut makers = read_as(true);
                makers.retain(|&maker| lengths[maker] == Some(length));
                makers.sort_unstable();
                makers.dedup();
                makers.into_iter().rev().for_each(|maker| clusters.join(maker, at));
            }
            reads.push(known);
        }
        self.emit(region, producers, absorbed, clusters, reads, &lengths)
    }

    fn operand_reads(&self, operands: &[ValueId], producers: &Producers, length: Option<usize>) -> Vec<Read> {
        let read = |&operand: &ValueId| {
            let scalar = self.shape(operand).is_some_and(|shape| shape.is_empty());
            let mut read = match length {
                Some(_) if !self.observed => self.read(operand, producers),
                // Shapes are compared at run time, so operands must be present in their own shapes.
                _ => Read { base: Outside::Value(operand), access: Access::Dense },
            };
            // A scalar predicate or bound is repeated for all elements.
            if let (Access::Dense, true, true) = (&read.access, scalar, length != Some(1)) {
                read.access = Access::Splat(0);
            }
            read
        };
        operands.iter().map(read).collect()
    }

    fn emit(
        &self,
        region: &Region,
        producers: &Producers,
        absorbed: &Absorbed,
        clusters: Clusters,
        reads: Vec<Option<Vec<Read>>>,
        lengths: &[Option<usize>],
    ) -> Vec<Action> {
        let operations = producers.operations;
        // Values that must be written out.
        let mut needed: FxHashSet<ValueId> = region.results.iter().copied().collect();
        let mut dropped = vec![false; operations.len()];
        for (at, operation) in operations.iter().enumerate().rev() {
            if absorbed.has(at) {
                dropped[at] = true;
                continue;
            }
            let free = operation.kind.traits().read_through > ReadThrough::Never;
            if free && !operation.results.iter().any(|result| needed.contains(result)) {
                dropped[at] = true;
                continue;
            }
            match &reads[at] {
                None => needed.extend(absorbed.read_by(at, operation)),
                Some(reads) => needed.extend(reads.iter().filter_map(|read| {
                    let value = read.value()?;
                    let inside = matches!(read.access, Access::Dense)
                        && producers.of.get(&value).is_some_and(|&of| clusters.same(of, at));
                    (!inside).then_some(value)
                })),
            }
        }
        let mut order = vec![];
        for members in clusters.sorted() {
            let members: Vec<usize> = members.into_iter().filter(|&at| !dropped[at]).collect();
            let Some(&first) = members.first() else { continue };
            match &reads[first] {
                None => order.push(match (absorbed.gathers.at(first), absorbed.extremes.get(&first)) {
                    (Some(rows), _) => Action::GatherScatterAdd(Box::new(GatherScatterAdd {
                        operation: without_regions(&operations[first]),
                        rows: rows.clone(),
                        takes: false,
                    })),
                    (_, Some((extreme, body))) => Action::ArgExtreme {
                        operation: without_regions(&operations[first]),
                        extreme: *extreme,
                        body: Box::new(body.clone()),
                    },
                    (None, None) => self.single(&operations[first], absorbed.pairs.at(first)),
                }),
                Some(_) => {
                    let chain = self.chain(&members, operations, absorbed, &reads, &needed, lengths[first]);
                    order.push(Action::Chain(chain));
                }
            }
        }
        order
    }

    fn chain(
        &self,
        members: &[usize],
        operations: &[Operation],
        absorbed: &Absorbed,
        reads: &[Option<Vec<Read>>],
        needed: &FxHashSet<ValueId>,
        length: Option<usize>,
    ) -> Chain {
        let mut builder = Builder::default();
        let mut made: FxHashMap<ValueId, Source> = FxHashMap::default();
        let mut inputs: Vec<Outside> = vec![];
        let mut known: Vec<(Read, Source)> = vec![];
        let (mut results, mut outputs) = (vec![], vec![]);
        for &at in members {
            let operation = &operations[at];
            let mut sources = vec![];
            for (read, &operand) in reads[at].iter().flatten().zip(absorbed.operands(at, operation)) {
                let inside = read
                    .value()
                    .filter(|_| matches!(read.access, Access::Dense))
                    .and_then(|value| made.get(&value));
                if let Some(source) = inside {
                    sources.push(*source);
                    continue;
                }
                if let Some((_, source)) = known.iter().find(|(other, _)| other.same(read)) {
                    sources.push(*source);
                    continue;
                }
                let element = self.element(operand).expect("kernels work on tensors");
                let source = builder.input(read.access.clone(), element);
                inputs.push(read.base.clone());
                known.push((read.clone(), source));
                sources.push(source);
            }
            let result = operation.results[0];
            let element = self.element(result).expect("kernels work on tensors");
            let source = match absorbed.pairs.at(at) {
                Some(pair) => builder.fused(&pair.emulated, pair.fused, sources, element),
                None => builder.operation(operation, sources, element, &self.options.rules).expect("fuses"),
            };
            made.insert(result, source);
            if needed.contains(&result) {
                results.push(source);
                outputs.push(Output { value: result, element: element.clone(), shape: self.shape(result) });
            }
        }
        Chain {
            operation: Arc::new(operations[members[0]].clone()),
            kernel: builder.finish(results),
            inputs,
            outputs,
            takes: vec![],
            length,
        }
    }

    fn single(&self, operation: &Operation, pair: Option<&Pair>) -> Action {
        let mut drawn = self.drawn(operation).map(Box::new);
        let contracted;
        let operation = match pair {
            Some(pair) => {
                drawn = Some(Box::new(Drawn::Fused(pair.emulated.clone(), pair.fused)));
                contracted = Operation { operands: pair.operands.to_vec(), ..operation.clone() };
                &contracted
            }
            None => operation,
        };
        let (mut blocks, mut bodies) = (vec![], vec![]);
        let plain = !self.observed && self.options.rules.is_empty();
        let small_loop = plain.then(|| small_loops::compile(operation, self.values)).flatten().map(Box::new);
        let regions = if small_loop.is_some() { vec![] } else { operation.kind.regions() };
        for region in regions {
            if is_walked(operation) {
                blocks.push(self.block(region));
            } else {
                bodies.push(match body::compile(operation, region, self.values, self.inside) {
                    Some(compiled) => Applied::Compiled(compiled),
                    None => Applied::Walked {
                        block: Planner { options: self.inside, draws: false, ..*self }.block(region),
                        in_order: self.inside.rules.computes_in(region, self.values),
                    },
                });
            }
        }
        let sized_results = (operation.results.iter().enumerate())
            .filter(|_| !operation.kind.traits().shares)
            .filter_map(|(at, &result)| Some((at, self.shape(result)?)))
            .collect();
        let open = operation.operands.iter().any(|operand| match &self.values[operand.0 as usize] {
            Type::Tensor(tensor) => tensor.shape.contains(&None),
            _ => false,
        });
        Action::Single {
            operation: without_regions(operation),
            drawn,
            small_loop,
            blocks,
            bodies,
            reads: read_by(operation),
            takes: vec![],
            sized_results,
            open,
        }
    }

    /// Adds to each step the values that are not needed after it.
    fn steps(&self, region: &Region, order: Vec<Action>) -> Block {
        let mut own: FxHashSet<ValueId> = region.parameters.iter().copied().collect();
        let (read, made) = (Action::reads, Action::makes);
        order.iter().for_each(|action| own.extend(made(action)));
        let mut live: FxHashSet<ValueId> = region.results.iter().copied().collect();
        let mut steps = vec![];
        for mut action in order.into_iter().rev() {
            let mut last: Vec<ValueId> = vec![];
            for value in made(&action).into_iter().chain(read(&action)) {
                if own.contains(&value) && live.insert(value) {
                    last.push(value);
                }
            }
            for value in made(&action) {
                live.remove(&value);
            }
            if let Action::Single { operation, reads, takes, .. } = &mut action {
                // Values that regions read follow the operands.
                let inside = &reads[operation.operands.len()..];
                let (borrows, count) = (operation.kind.traits().borrows, operation.operands.len());
                *takes = (operation.operands.iter().enumerate())
                    .map(|(at, operand)| {
                        let again =
                            operation.operands[at + 1..].contains(operand) || inside.contains(operand);
                        last.contains(operand) && !again && !borrows.has(at, count)
                    })
                    .collect();
            }
            if let Action::Chain(chain) = &mut action
                && !self.observed
            {
                chain.takes = chain.taking(&last);
            }
            if let Action::GatherScatterAdd(added) = &mut action {
                let sums = added.operation.operands[0];
                let once = added.reads().iter().filter(|&&value| value == sums).count() == 1;
                added.takes = once && last.contains(&sums);
            }
            steps.push(Step { action, last });
        }
        steps.reverse();
        let reads = region.parameters.iter().map(|parameter| live.contains(parameter)).collect();
        let results = &region.results;
        let takes = (results.iter().enumerate())
            .map(|(at, result)| own.contains(result) && !results[at + 1..].contains(result))
            .collect();
        Block { parameters: region.parameters.clone(), results: results.clone(), reads, takes, steps }
    }
}

impl Read {
    fn value(&self) -> Option<ValueId> {
        self.base.value()
    }

    /// Returns true if a kernel with the first operand as its input needs no other input for the second.
    fn same(&self, other: &Read) -> bool {
        self.value().is_some() && self.value() == other.value() && self.access == other.access
    }
}

/// Groups of operations, with the order between groups.
struct Clusters {
    /// The cluster of each operation, as a union-find forest: the root is the least member.
    parent: Vec<usize>,
    members: Vec<Vec<usize>>,
    before: Vec<Vec<usize>>,
    /// Operations whose results a member reads from memory.
    separate: Vec<Vec<usize>>,
    /// The first consumers of an operation's results.
    readers: Vec<Vec<usize>>,
}

impl Clusters {
    fn new(operations: usize) -> Clusters {
        Clusters {
            parent: (0..operations).collect(),
            members: (0..operations).map(|at| vec![at]).collect(),
            before: vec![vec![]; operations],
            separate: vec![vec![]; operations],
            readers: vec![vec![]; operations],
        }
    }

    fn root(&self, mut at: usize) -> usize {
        while self.parent[at] != at {
            at = self.parent[at];
        }
        at
    }

    fn same(&self, a: usize, b: usize) -> bool {
        self.root(a) == self.root(b)
    }

    fn add(&mut self, at: usize, before: Vec<usize>, separate: Vec<usize>) {
        for &of in &before {
            if self.readers[of].len() < READERS {
                self.readers[of].push(at);
            }
        }
        self.before[at] = before;
        self.separate[at] = separate;
    }

    /// Merges the clusters of `maker` and `at`, unless the merged cluster would wait for itself, or read from memory a
    /// value that it makes.
    fn join(&mut self, maker: usize, at: usize) {
        let (a, b) = (self.root(maker), self.root(at));
        if a == b || self.members[a].len() + self.members[b].len() > MEMBERS {
            return;
        }
        let reads =
            |reader: usize, maker: usize| self.separate[reader].iter().any(|&of| self.root(of) == maker);
        if reads(a, b) || reads(b, a) || self.leads(a, b) || self.leads(b, a) || self.waits_on(a, b, at) {
            return;
        }
        let (to, from) = (a.min(b), a.max(b));
        self.parent[from] = to;
        let moved = std::mem::take(&mut self.members[from]);
        self.members[to].extend(moved);
        self.members[to].sort_unstable();
        let moved = std::mem::take(&mut self.before[from]);
        self.before[to].extend(moved);
        let moved = std::mem::take(&mut self.separate[from]);
        self.separate[to].extend(moved);
    }

    /// Returns true if another cluster needs the values of cluster `a` long before the operation `at` of cluster `b` runs.
    /// The result of `at` would then have to be stored from that point on.
    fn waits_on(&self, a: usize, b: usize, at: usize) -> bool {
        let early = |reader: usize| reader + FAR_READER < at && ![a, b].contains(&self.root(reader));
        self.members[a].iter().any(|&of| self.readers[of].iter().any(|&reader| early(reader)))
    }

    /// Returns true if cluster `from` must precede cluster `to` because of a third cluster.
    fn leads(&self, from: usize, to: usize) -> bool {
        let next = |cluster: usize| self.before[cluster].iter().map(|&before| self.root(before));
        let mut seen = FxHashSet::default();
        let mut ahead: Vec<usize> = next(to).filter(|&cluster| cluster != from && cluster != to).collect();
        while let Some(cluster) = ahead.pop() {
            if cluster == from {
                return true;
            }
            if cluster != to && seen.insert(cluster) {
                ahead.extend(next(cluster));
            }
        }
        false
    }

    /// The clusters in execution order: each after those that it needs. Among the ready clusters, the one that begins first
    /// is next.
    fn sorted(self) -> Vec<Vec<usize>> {
        let roots: Vec<usize> = (0..self.parent.len()).filter(|&at| self.parent[at] == at).collect();
        let mut waits: FxHashMap<usize, usize> = FxHashMap::default();
        let mut after: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
        for &root in &roots {
            let before: FxHashSet<usize> =
                self.before[root].iter().map(|&at| self.root(at)).filter(|&other| other != root).collect();
            waits.insert(root, before.len());
            for other in before {
                after.entry(other).or_default().push(root);
            }
        }
        let key = |root: usize| Reverse((root / WINDOW, self.members[root].last().copied(), root));
        let mut ready: BinaryHeap<_> =
            roots.iter().filter(|root| waits[root] == 0).map(|&root| key(root)).collect();
        let mut sorted = vec![];
        while let Some(Reverse((_, _, root))) = ready.pop() {
            sorted.push(self.members[root].clone());
            for &next in after.get(&root).into_iter().flatten() {
                let waits = waits.get_mut(&next).expect("every root waits");
                *waits -= 1;
                if *waits == 0 {
                    ready.push(key(next));
                }
            }
        }
        sorted
    }
}
