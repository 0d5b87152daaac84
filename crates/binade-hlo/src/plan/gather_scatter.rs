//! Fuses `gather`, an optional product with a weight per row, and `scatter` into one step of the plan. Programs on graphs add
//! rows along edges in this way. The rows between are not written out.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use binade_stablehlo::ir::{Binary, Gather, Op, Operation, Region, Scatter, ValueId};
use binade_stablehlo::{ElementType, FloatType, Type};

use crate::arithmetic::body::{self, Compiled, Outside};
use crate::arithmetic::emulated::{Emulated, Fused};
use crate::arithmetic::form::Form;
use crate::movement::layout::{Layout, row_major};
use crate::options::Options;

/// Minimum number of elements of a row.
const RUN: usize = 8;

const F32: ElementType = ElementType::Float(FloatType::F32);

/// The fused parts of a `scatter` of binary32 rows.
#[derive(Clone, Debug)]
pub(crate) struct GatheredRows {
    /// The tensor of rows, and the indices that select them.
    pub(crate) x: ValueId,
    pub(crate) from: ValueId,
    pub(crate) weight: Option<RowWeights>,
    /// The operator that adds, if not binary32.
    pub(crate) operator: Option<Arc<Emulated>>,
    /// Elements of a row.
    pub(crate) run: usize,
}

/// Weights of rows.
#[derive(Clone, Debug)]
pub(crate) struct RowWeights {
    /// The tensor and the index of the first weight; weights are contiguous.
    pub(crate) base: Outside,
    pub(crate) offset: usize,
    /// True if the weights are the products' first factors.
    pub(crate) first: bool,
    /// The operator that multiplies, if not binary32.
    pub(crate) operator: Option<Arc<Emulated>>,
}

/// The fused scatters of a region, by the index of the `scatter`.
#[derive(Debug, Default)]
pub(crate) struct GatherScatters {
    found: HashMap<usize, GatheredRows>,
    absorbed: HashSet<usize>,
}

/// The sizes of a tensor of binary32 numbers, if known.
fn sizes(values: &[Type], value: ValueId) -> Option<Vec<usize>> {
    match &values[value.0 as usize] {
        Type::Tensor(tensor) if tensor.element == F32 => tensor.shape.iter().copied().collect(),
        _ => None,
    }
}

impl GatherScatters {
    /// `layout` gives the tensor that stores a value of some sizes, and its layout there.
    pub(crate) fn of(
        region: &Region,
        values: &[Type],
        options: &Options,
        layout: impl Fn(ValueId, &[usize]) -> Option<(Outside, Layout)>,
    ) -> GatherScatters {
        let mut found = GatherScatters::default();
        let operations = &region.operations;
        if !operations.iter().any(|operation| matches!(operation.kind, Op::Scatter { .. })) {
            return found;
        }
        let mut named = vec![];
        region.named(&mut named);
        let mut uses: HashMap<ValueId, usize> = HashMap::new();
        named.into_iter().for_each(|value| *uses.entry(value).or_default() += 1);
        let makers: HashMap<ValueId, usize> = (operations.iter().enumerate())
            .filter_map(|(at, operation)| Some((*operation.results.first()?, at)))
            .collect();
        let finder = Finder { operations, values, options, uses, makers };
        for (at, operation) in operations.iter().enumerate() {
            if let Some((rows, absorbed)) = finder.gathered_rows(operation, &layout) {
                found.found.insert(at, rows);
                found.absorbed.extend(absorbed);
            }
        }
        found
    }

    /// The fused parts of the operation at this index.
    pub(crate) fn at(&self, scatter: usize) -> Option<&GatheredRows> {
        self.found.get(&scatter)
    }

    /// Returns true if a `scatter` does the work of the operation at this index.
    pub(crate) fn absorbs(&self, at: usize) -> bool {
        self.absorbed.contains(&at)
    }
}

struct Finder<'a> {
    operations: &'a [Operation],
    values: &'a [Type],
    options: &'a Options,
    /// The number of reads of each value.
    uses: HashMap<ValueId, usize>,
    makers: HashMap<ValueId, usize>,
}

impl Finder<'_> {
    /// The operation that makes a value, if the value is read once and no rule rounds it.
    fn read_once(&self, value: ValueId) -> Option<(usize, &Operation)> {
        let at = *self.makers.get(&value).filter(|_| self.uses[&value] == 1)?;
        let operation = &self.operations[at];
        self.options.rules.rounding(operation, &F32).is_none().then_some((at, operation))
    }

    /// The fused parts of a `scatter`, and the indices of the fused operations.
    fn gathered_rows(
        &self,
        scatter: &Operation,
        layout: impl Fn(ValueId, &[usize]) -> Option<(Outside, Layout)>,
    ) -> Option<(GatheredRows, Vec<usize>)> {
        let Op::Scatter { attributes, body } = &scatter.kind else { return None };
        let &[sums, _, updates] = &scatter.operands[..] else { return None };
        let rules = &self.options.rules;
        let shape = sizes(self.values, updates)?;
        let window = added_rows(attributes, &sizes(self.values, sums)?, &shape)?;
        let run = shape[shape.len() - window..].iter().product();
        if run < RUN || rules.rounding(scatter, &F32).is_some() {
            return None;
        }
        let operator = adder(&body::compile(scatter, body, self.values, self.options)?)?;
        let taken = |value: ValueId| {
            let (at, gather) = self.read_once(value)?;
            let Op::Gather(attributes) = &gather.kind else { return None };
            let &[x, from] = &gather.operands[..] else { return None };
            takes_rows(attributes, &sizes(self.values, x)?, &shape, window).then_some((at, x, from))
        };
        let rows = |x, from, weight| GatheredRows { x, from, weight, operator, run };
        if let Some((gather, x, from)) = taken(updates) {
            return Some((rows(x, from, None), vec![gather]));
        }
        let (at, product) = self.read_once(updates)?;
        let Op::Binary(Binary::Multiply) = product.kind else { return None };
        let factor = |side: usize| Some((side, taken(product.operands[side])?));
        let (side, (gather, x, from)) = factor(0).or_else(|| factor(1))?;
        let (base, layout) = layout(product.operands[1 - side], &shape)?;
        let offset = one_each(&layout, &shape, window)?;
        let operator = rules.operator(product, &F32).filter(|emulated| !emulated.is_binary32()).cloned();
        let weight = RowWeights { base, offset, first: side == 1, operator };
        Some((rows(x, from, Some(weight)), vec![gather, at]))
    }
}

/// The addition of a body that only adds: an operator, or binary32's sum.
fn adder(body: &Compiled) -> Option<Option<Arc<Emulated>>> {
    match &body.step {
        Some((emulated, Fused::Accumulate)) => Some(Some(emulated.clone())),
        Some(_) => None,
        None => (body.form == Form::Combine(Binary::Add)).then_some(None),
    }
}

/// The number of window dimensions of the updates, if windows are whole rows of the target and one index selects the row.
fn added_rows(attributes: &Scatter, sums: &[usize], updates: &[usize]) -> Option<usize> {
    let rows = sums.get(1..)?;
    let batch = updates.len().checked_sub(rows.len())?;
    let whole = attributes.input_batching_dims.is_empty()
        && attributes.inserted_window_dims == [0]
        && attributes.scatter_dims_to_operand_dims == [0]
        && attributes.update_window_dims.iter().copied().eq(batch..updates.len())
        && updates[batch..] == *rows;
    whole.then_some(rows.len())
}

/// Returns true if `gather` takes whole rows of `x`, as the last dimensions of the result.
fn takes_rows(attributes: &Gather, x: &[usize], shape: &[usize], window: usize) -> bool {
    let batch = shape.len() - window;
    attributes.operand_batching_dims.is_empty()
        && attributes.collapsed_slice_dims == [0]
        && attributes.start_index_map == [0]
        && attributes.offset_dims.iter().copied().eq(batch..shape.len())
        && x.first().is_some_and(|&rows| rows > 0)
        && x[1..] == shape[batch..]
}

/// The index of the first number of a layout with one number for each row, all contiguous.
fn one_each(layout: &Layout, shape: &[usize], window: usize) -> Option<usize> {
    let (batch, window) = shape.split_at(shape.len() - window);
    let wanted = row_major(batch).into_iter().chain(window.iter().map(|_| 0));
    let lies =
        layout.strides.iter().zip(shape).zip(wanted).all(|((&by, &size), wanted)| size == 1 || by == wanted);
    usize::try_from(layout.offset).ok().filter(|_| lies)
}
