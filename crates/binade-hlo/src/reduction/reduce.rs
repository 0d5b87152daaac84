//! Evaluates `reduce`: applies the body to lanes of elements, in an order that depends on the shape alone, never on the
//! number of threads.
//!
//! - In index order (semantics `reference`): one lane for each result, one element of each at a time.
//! - Otherwise, if the body is one commutative operation: long runs of elements at once, whose lanes are folded at the
//!   end.
//! - Otherwise: within equal chunks of the reduced elements, then over the chunks' results in their order. The
//!   specification requires associative bodies.

use std::convert::Infallible;
use std::ops::Range;
use std::sync::Arc;

use binade_kernels::{Fold, arithmetic};
use binade_simd::lanes::Leg;
use binade_simd::threads;
use binade_stablehlo::ir::Binary;
use binade_stablehlo::storage::Stored;
use binade_stablehlo::{Data, ElementType, FloatType, Tensor, View, ViewMut, each_storage};

use super::arg_extreme::{self, ArgExtreme};
use super::columns::{Columns, FOLD_LANES, Group, chunks};
use super::operator_sums;
use crate::arithmetic::blocks::{BLOCK, cut};
use crate::arithmetic::body::{Body, Worker};
use crate::arithmetic::emulated::Fused;
use crate::arithmetic::form::Form;
use crate::arithmetic::instruction_set::ISA;
use crate::arithmetic::kernel::{Kernel, Scratch};
use crate::buffer_pool;
use crate::error::EvalError;
use crate::movement::layout::{self, Layout, PARALLEL, Strided};
use crate::movement::shape;

/// The number of pieces of the outermost reduced dimension that are reduced separately, then combined.
const PIECES: usize = 16;

/// Merges a tensor's dimensions into groups.
fn groups(sizes: &[usize], dimensions: &[usize]) -> Vec<Group> {
    let mut groups: Vec<Group> = vec![];
    for (dimension, &size) in sizes.iter().enumerate() {
        let reduced = dimensions.contains(&dimension);
        match groups.last_mut() {
            Some(last) if last.reduced == reduced => last.size *= size,
            _ if size == 1 => {}
            _ => groups.push(Group { size, reduced }),
        }
    }
    groups
}

/// Reduces `dimensions` of the inputs, which have one shape. With `in_order`, each result takes its elements in index
/// order, starting from the initial value.
pub(crate) fn reduce(
    inputs: &[Tensor],
    initial: &[Tensor],
    dimensions: &[usize],
    body: &Body,
    in_order: bool,
) -> Result<Vec<Tensor>, EvalError> {
    let sizes = &inputs[0].shape;
    let kept: Vec<usize> = (0..sizes.len()).filter(|dimension| !dimensions.contains(dimension)).collect();
    let shape: Vec<usize> = kept.iter().map(|&dimension| sizes[dimension]).collect();
    let length: usize = shape.iter().product();
    let elements: usize = sizes.iter().product();
    let finish = |results: Vec<Data>| {
        let tensor = |(data, initial): (Data, &Tensor)| Tensor {
            element: initial.element.clone(),
            shape: shape.clone(),
            data: Arc::new(data),
        };
        results.into_iter().zip(initial).map(tensor).collect()
    };
    if elements == 0 || length == 0 {
        return Ok(finish(splat(initial, length)));
    }
    if let (Some((emulated, Fused::Accumulate)), Data::F32(_)) = (body.operator(), &*inputs[0].data) {
        let mut results = splat(initial, length);
        if let Data::F32(sums) = &mut results[0] {
            operator_sums::add(emulated, &inputs[0], dimensions, &groups(sizes, dimensions), sums)?;
        }
        return Ok(finish(results));
    }
    if let (Some(folding), Data::F32(_)) = (body.folding(), &*inputs[0].data) {
        let (columns, moved) = Columns::of(&inputs[0], dimensions, &groups(sizes, dimensions), length);
        let x = moved.as_ref().unwrap_or(&inputs[0]);
        let mut results = splat(initial, length);
        if let (Data::F32(totals), Data::F32(x)) = (&mut results[0], &*x.data) {
            folding.all(columns, x, in_order, totals);
        }
        return Ok(finish(results));
    }
    if matches!(body.form(), Form::Combine(_)) && !in_order && elements > length {
        let (x, element) = (inputs[0].data.view(), &inputs[0].element);
        return Ok(finish(vec![of_given(&groups(sizes, dimensions), element, body, x, &initial[0])?]));
    }
    // The order with reduced dimensions first.
    let order: Vec<usize> = dimensions_in_order(dimensions).into_iter().chain(kept).collect();
    let moved = order.iter().enumerate().any(|(to, &from)| to != from);
    let inputs: Vec<Tensor> = match moved {
        true => inputs.iter().map(|input| shape::transpose(input, &order)).collect(),
        false => inputs.to_vec(),
    };
    let inputs: Vec<View> = inputs.iter().map(|input| input.data.view()).collect();
    Ok(finish(rows(&inputs, initial, elements / length, length, body, in_order)?))
}

/// Finds the extreme element of each row and its place, and combines them with the initial ones by the body.
pub(crate) fn found(
    x: &Tensor,
    extreme: &ArgExtreme,
    initial: &[Tensor],
    body: &Body,
) -> Result<Vec<Data>, EvalError> {
    let Data::F32(x) = &*x.data else { return Err(EvalError::element("reduce", &x.element)) };
    let length = x.len() / extreme.row;
    let (mut elements, mut places) = (vec![0.0; length], vec![0; length]);
    arg_extreme::find(x, extreme.row, extreme.greatest, &mut elements, &mut places);
    let start = splat(initial, length);
    let mut results = splat(initial, length);
    let inputs = [&start[0], &start[1], &Data::F32(elements), &Data::I32(places)];
    body.worker(length.min(BLOCK)).blocks(&inputs, &mut results, length)?;
    Ok(results)
}

/// Folds the elements of a tensor by a commutative body, with the initial value.
fn of_given(
    groups: &[Group],
    element: &ElementType,
    body: &Body,
    x: View,
    initial: &Tensor,
) -> Result<Data, EvalError> {
    let combine = match body.form() {
        Form::Combine(binary) if x.len() <= BLOCK => combine_f32(binary),
        _ => None,
    };
    if let (View::F32(x), Data::F32(initial)) = (x, &*initial.data)
        && let [Group { reduced: false, .. }, Group { reduced: true, size }] = *groups
        && let Some(fold) = extreme(body)
    {
        let results = extremes_of_rows(x, size, fold, initial[0]);
        // A NaN result depends on the order of operands, as below, so the general code computes it.
        if !results.iter().any(|result| result.is_nan()) {
            return Ok(Data::F32(results));
        }
    }
    if let (View::F32(x), Data::F32(initial)) = (x, &*initial.data)
        && let Some(rows) = combine.and_then(|combine| SmallReduction::of_groups(groups, combine))
    {
        let (mut room, mut results) =
            (buffer_pool::elements(rows.room()), buffer_pool::elements(rows.results(x.len())));
        rows.reduce(x, initial[0], &mut room, &mut results);
        buffer_pool::give(Arc::new(Data::F32(room)));
        // A NaN result depends on the order of operands, so the general code computes it.
        if !results.iter().any(|result| result.is_nan()) {
            return Ok(Data::F32(results));
        }
    }
    let folded = fold(groups, element, body, |range, _| Given(x.range(range)), |_| vec![])?;
    from_initial(folded, initial, body)
}

/// Returns the fold of a maximum or minimum body. Its result depends on no order, except for which NaN it is.
fn extreme(body: &Body) -> Option<Fold> {
    match body.form() {
        Form::Combine(Binary::Maximum) => Some(Fold::Maximum),
        Form::Combine(Binary::Minimum) => Some(Fold::Minimum),
        _ => None,
    }
}

/// The extremes of rows of `row` elements and of the initial value.
fn extremes_of_rows(x: &[f32], row: usize, fold: Fold, initial: f32) -> Vec<f32> {
    let mut results = vec![initial; x.len() / row];
    let together = (PARALLEL / 4).div_ceil(row);
    threads::chunks(x.len() >= PARALLEL, &mut results, together, |number, results| {
        let x = &x[number * together * row..];
        binade_kernels::extremes(*ISA, fold, x, row, row, results);
    });
    results
}

/// Combines the initial value with the folded elements.
fn from_initial(folded: Data, initial: &Tensor, body: &Body) -> Result<Data, EvalError> {
    let length = folded.len();
    let initial = std::slice::from_ref(initial);
    let (mut results, start) = (splat(initial, length), splat(initial, length));
    body.worker(length.min(BLOCK)).blocks(&[&start[0], &folded], &mut results, length)?;
    Ok(results.remove(0))
}

/// Reduces `dimensions` of a kernel's result `folded`, which has these sizes, while the kernel computes it. Returns all
/// of the kernel's results and the reduced one. The result `folded` is only returned if `written`.
pub(crate) fn of_kernel(
    kernel: &Kernel,
    inputs: &[View],
    (folded, written): (usize, bool),
    (sizes, dimensions): (&[usize], &[usize]),
    initial: &Tensor,
    body: &Body,
) -> Result<(Vec<Data>, Data), EvalError> {
    let groups = groups(sizes, dimensions);
    let length: usize = sizes.iter().product();
    let elements: Vec<&ElementType> = kernel.results().collect();
    // Every element is written below, so buffers need not be cleared.
    let room = |(at, element): (usize, &&ElementType)| match at == folded && !written {
        true => Data::zeros(element, 0),
        false => buffer_pool::data(element, length),
    };
    let mut results: Vec<Data> = elements.iter().enumerate().map(room).collect();
    let mut rest: Vec<ViewMut> = results.iter_mut().map(Data::view_mut).collect();
    let length_of = |at: usize, range: &Range<usize>| if at == folded && !written { 0 } else { range.len() };
    let mut outputs = |range: Range<usize>| -> Vec<ViewMut> {
        let (heads, tails) = (std::mem::take(&mut rest).into_iter().enumerate())
            .map(|(at, output)| output.split_at(length_of(at, &range)))
            .unzip();
        rest = tails;
        heads
    };
    let like = elements[folded];
    let kept = match groups.last() {
        Some(last) if !last.reduced => last.size,
        _ => 1,
    };
    let made = |range: Range<usize>, outputs| {
        let block = BLOCK.min(range.len());
        Made {
            kernel,
            inputs,
            scratch: kernel.scratch(inputs, block),
            start: range.start,
            length: range.len(),
            // If rows are processed in parts, the following elements belong to another row.
            ahead: if kept <= BLOCK { BLOCK } else { 0 },
            outputs,
            folded,
            own: buffer_pool::data(like, if written { 0 } else { block }),
            written,
            done: 0..0,
        }
    };
    let reduced = if length <= BLOCK {
        let mut source = made(0..length, outputs(0..length));
        let reduced = of_given(&groups, like, body, source.get(0, length)?, initial)?;
        kernel.keep(source.scratch);
        buffer_pool::give(Arc::new(source.own));
        reduced
    } else {
        from_initial(fold(&groups, like, body, made, outputs)?, initial, body)?
    };
    Ok((results, reduced))
}

/// The source of the elements that are folded.
trait Source {
    /// Returns `length` elements from `start` on, at most a block. The caller asks for all elements of a piece in turn.
    fn get(&mut self, start: usize, length: usize) -> Result<View<'_>, EvalError>;
}

/// Elements of a tensor.
struct Given<'a>(View<'a>);

impl Source for Given<'_> {
    fn get(&mut self, start: usize, length: usize) -> Result<View<'_>, EvalError> {
        Ok(self.0.range(start..start + length))
    }
}

/// Elements that a kernel computes.
struct Made<'a> {
    kernel: &'a Kernel,
    inputs: &'a [View<'a>],
    scratch: Scratch,
    /// The first element of the piece, and the number of its elements.
    start: usize,
    length: usize,
    /// The least number of elements that are computed at once.
    ahead: usize,
    /// The piece of each result; empty for a result that is only folded.
    outputs: Vec<ViewMut<'a>>,
    folded: usize,
    /// A block of the folded result, if it is not written.
    own: Data,
    written: bool,
    /// The range of the folded result's elements that are available.
    done: Range<usize>,
}

impl Source for Made<'_> {
    fn get(&mut self, start: usize, length: usize) -> Result<View<'_>, EvalError> {
        if !(self.done.start <= start && start + length <= self.done.end) {
            let ahead = self.ahead.min(self.kernel.elements_to_row_end(self.start + start));
            let block = length.max(ahead).min(self.length - start);
            let Made { own, folded, written, outputs, .. } = self;
            let mut targets: Vec<ViewMut> = (outputs.iter_mut().enumerate())
                .map(|(at, output)| match at == *folded && !*written {
                    true => ViewMut::U8(&mut []),
                    false => output.range(start..start + block),
                })
                .collect();
            if !*written {
                targets[*folded] = own.view_mut().split_at(block).0;
            }
            self.kernel.run(&mut self.scratch, self.inputs, (self.start + start, block), &mut targets, 0)?;
            self.done = start..start + block;
        }
        let from = start - self.done.start;
        Ok(match self.written {
            true => self.outputs[self.folded].as_view().range(start..start + length),
            false => self.own.view().range(from..from + length),
        })
    }
}

fn dimensions_in_order(dimensions: &[usize]) -> Vec<usize> {
    let mut dimensions = dimensions.to_vec();
    dimensions.sort_unstable();
    dimensions
}

/// `length` copies of each initial value.
fn splat(initial: &[Tensor], length: usize) -> Vec<Data> {
    let splat = |initial: &Tensor| {
        let mut data = Data::zeros(&initial.element, length);
        each_storage!(Data, &mut data, data => data.fill(Stored::of(&initial.data)[0]));
        data
    };
    initial.iter().map(splat).collect()
}

/// Buffers for `length` elements of the type of each initial value.
fn empty(initial: &[Tensor], length: usize) -> Vec<Data> {
    initial.iter().map(|initial| Data::zeros(&initial.element, length)).collect()
}

impl Worker<'_> {
    /// Applies the body to `length` elements in blocks; the worker has working memory for one block.
    fn blocks(&mut self, inputs: &[&Data], outputs: &mut [Data], length: usize) -> Result<(), EvalError> {
        for start in (0..length).step_by(BLOCK) {
            let range = start..length.min(start + BLOCK);
            let inputs: Vec<View> = inputs.iter().map(|input| input.view().range(range.clone())).collect();
            let mut outputs: Vec<ViewMut> =
                outputs.iter_mut().map(|output| part(output, range.clone())).collect();
            self.apply(&inputs, range.len(), &mut outputs)?;
        }
        Ok(())
    }
}

/// A range of elements, for writing.
fn part(data: &mut Data, range: Range<usize>) -> ViewMut<'_> {
    data.view_mut().split_at(range.end).0.split_at(range.start).1
}

/// Folds a nonempty reduction by a commutative body, without the initial value. `source` makes the elements of a piece,
/// with the result of `outputs` for it. Pieces are made in their order.
fn fold<'v, S: Source>(
    groups: &[Group],
    like: &ElementType,
    body: &Body,
    source: impl Fn(Range<usize>, Vec<ViewMut<'v>>) -> S + Sync,
    mut outputs: impl FnMut(Range<usize>) -> Vec<ViewMut<'v>>,
) -> Result<Data, EvalError> {
    let (&first, rest) = groups.split_first().expect("something is reduced");
    let inner: usize = rest.iter().map(|group| group.size).product();
    let kept: usize = rest.iter().filter(|group| !group.reduced).map(|group| group.size).product();
    let elements = first.size * inner;
    let most = match first.reduced {
        // The partial results of all pieces must be much smaller than the operand.
        true => (elements / PARALLEL).min(PIECES).min(elements / kept / 8),
        // So few elements need no pool; the calling thread may not have one.
        false if elements < PARALLEL => 1,
        false => (elements / PARALLEL).min(4 * rayon::current_num_threads()),
    };
    let size = first.size.div_ceil(most.max(1));
    let pieces: Vec<(Range<usize>, Vec<ViewMut>)> = (0..first.size)
        .step_by(size)
        .map(|start| start * inner..first.size.min(start + size) * inner)
        .map(|range| (range.clone(), outputs(range)))
        .collect();
    let mut partial: Vec<Data> = pieces.iter().map(|_| Data::U8(vec![])).collect();
    let jobs: Vec<_> = pieces.into_iter().zip(&mut partial).collect();
    threads::try_jobs(true, jobs, |((range, outputs), partial)| {
        let mut groups = groups.to_vec();
        groups[0].size = range.len() / inner;
        *partial = Folder::new(body, &groups, like).fold(&mut source(range, outputs), &groups)?;
        Ok::<_, EvalError>(())
    })?;
    if !first.reduced {
        return Ok(join(like, partial));
    }
    let mut worker = body.worker(kept.min(BLOCK));
    let mut result = partial.remove(0);
    for other in &partial {
        let mut sum = [Data::zeros(like, kept)];
        worker.blocks(&[&result, other], &mut sum, kept)?;
        [result] = sum;
    }
    Ok(result)
}

fn join(like: &ElementType, parts: Vec<Data>) -> Data {
    if parts.len() == 1 {
        return parts.into_iter().next().expect("one part");
    }
    let mut result = Data::zeros(like, parts.iter().map(Data::len).sum());
    let mut start = 0;
    for data in &parts {
        part(&mut result, start..start + data.len()).copy_from(data.view());
        start += data.len();
    }
    result
}

/// The working memory for folding the innermost dimensions: `reduced` rows of `kept` neighbours.
struct Folder<'a> {
    worker: Worker<'a>,
    reduced: usize,
    kept: usize,
    /// The current sums and the next ones.
    sums: [Data; 2],
    total: Data,
    like: &'a ElementType,
    /// For binary32: the body's operation, if it is as fast in place.
    combine: Option<Combine>,
    /// For binary32: the fold of whole rows by the body's operation.
    combine_rows: Option<CombineRows>,
}

/// `totals[i] = f(totals[i], elements[i])`.
#[inline(always)]
fn combine_each(totals: &mut [f32], elements: &[f32], f: impl Fn(f32, f32) -> f32) {
    for (total, &element) in totals.iter_mut().zip(elements) {
        *total = f(*total, element);
    }
}

/// A macro applied to the function on binary32 of a binary operation; `None` for operations without one.
macro_rules! of_function {
    ($binary:expr, $made:ident) => {
        match $binary {
            Binary::Add => Some($made!(|x: f32, y: f32| x + y)),
            Binary::Multiply => Some($made!(|x: f32, y: f32| x * y)),
            Binary::Maximum => Some($made!(arithmetic::maximum)),
            Binary::Minimum => Some($made!(arithmetic::minimum)),
            _ => None,
        }
    };
}

/// `totals[i] = body(totals[i], elements[i])`.
pub(crate) type Combine = fn(&mut [f32], &[f32]);

/// Folds each row of this many elements to a total.
type CombineRows = fn(&[f32], usize, &mut [f32]);

/// The fold of rows by a body on binary32, in the order of [`Rows::fold`]; `None` if it has none.
fn combine_rows_f32(binary: Binary) -> Option<CombineRows> {
    struct EachRow<'a, F>(&'a [f32], usize, &'a mut [f32], F);
    impl<F: Fn(f32, f32) -> f32> binade_simd::Kernel for EachRow<'_, F> {
        type Output = ();

        #[inline(always)]
        fn run<L: Leg>(self, _: L) {
            let EachRow(x, length, totals, f) = self;
            let whole = together(length, 1);
            let mut sums = [0.0; FOLD_LANES];
            for (row, total) in x.chunks_exact(length).zip(totals) {
                let sums = &mut sums[..whole];
                let (first, rest) = row.split_at(whole);
                sums.copy_from_slice(first);
                for elements in rest.chunks(whole) {
                    combine_each(sums, elements, &f);
                }
                let mut lanes = whole;
                while lanes > 1 {
                    lanes /= 2;
                    let (left, right) = sums.split_at_mut(lanes);
                    combine_each(left, &right[..lanes], &f);
                }
                *total = sums[0];
            }
        }
    }
    macro_rules! rows {
        ($f:expr) => {
            |x, length, totals| ISA.run(EachRow(x, length, totals, $f))
        };
    }
    of_function!(binary, rows)
}

/// The operation of a body on binary32, in place; `None` if it has none.
pub(crate) fn combine_f32(binary: Binary) -> Option<Combine> {
    /// Fewer elements are computed without selecting an instruction set.
    const FEW: usize = 8;
    struct InPlace<'a, F>(&'a mut [f32], &'a [f32], F);
    impl<F: Fn(f32, f32) -> f32> binade_simd::Kernel for InPlace<'_, F> {
        type Output = ();

        #[inline(always)]
        fn run<L: Leg>(self, _: L) {
            let InPlace(totals, elements, f) = self;
            combine_each(totals, elements, f);
        }
    }
    macro_rules! each {
        ($f:expr) => {
            |totals, elements| match totals.len() {
                ..FEW => combine_each(totals, elements, $f),
                _ => ISA.run(InPlace(totals, elements, $f)),
            }
        };
    }
    of_function!(binary, each)
}

impl<'a> Folder<'a> {
    fn new(body: &'a Body, groups: &[Group], like: &'a ElementType) -> Folder<'a> {
        let (reduced, kept) = match groups {
            [.., rows, columns] if !columns.reduced => (rows.size, columns.size),
            [.., rows] if rows.reduced => (rows.size, 1),
            _ => (1, groups.last().map_or(1, |group| group.size)),
        };
        let lanes = FOLD_LANES.min(reduced * kept).max(kept.min(BLOCK));
        let (combine, combine_rows) = match (body.form(), like) {
            (Form::Combine(binary), ElementType::Float(FloatType::F32)) => {
                (combine_f32(binary), combine_rows_f32(binary))
            }
            _ => (None, None),
        };
        // The in-place operation on binary32 needs no second buffer.
        let room = |lanes| Data::zeros(like, if combine.is_some() { 0 } else { lanes });
        Folder {
            worker: body.worker(lanes),
            reduced,
            kept,
            sums: [Data::zeros(like, lanes), room(lanes)],
            total: room(kept.min(BLOCK)),
            like,
            combine,
            combine_rows,
        }
    }

    /// Folds whole rows, several at once.
    fn rows(
        combine: CombineRows,
        source: &mut impl Source,
        row: usize,
        count: usize,
    ) -> Result<Data, EvalError> {
        let mut totals = buffer_pool::elements(count);
        let together = BLOCK / row;
        for (number, totals) in totals.chunks_mut(together).enumerate() {
            match source.get(number * together * row, totals.len() * row)? {
                View::F32(x) => combine(x, row, totals),
                other => unreachable!("{other:?} of binary32"),
            }
        }
        Ok(Data::F32(totals))
    }

    fn fold(mut self, source: &mut impl Source, groups: &[Group]) -> Result<Data, EvalError> {
        if let (
            &[Group { size: count, reduced: false }, Group { size: row @ 2..=BLOCK, reduced: true }],
            Some(combine),
        ) = (groups, self.combine_rows)
        {
            return Self::rows(combine, source, row, count);
        }
        let inner = if self.kept == 1 && groups.last().is_some_and(|last| last.reduced) { 1 } else { 2 };
        let outer = &groups[..groups.len().saturating_sub(inner)];
        let length = groups.iter().filter(|group| !group.reduced).map(|group| group.size).product();
        let mut result = Data::zeros(self.like, length);
        let shape: Vec<usize> = outer.iter().map(|group| group.size).collect();
        // The distances between results; 0 along reduced dimensions.
        let mut strides = vec![0; outer.len()];
        let mut stride = self.kept;
        for (at, group) in outer.iter().enumerate().rev() {
            if !group.reduced {
                strides[at] = stride;
                stride *= group.size;
            }
        }
        let run = self.reduced * self.kept;
        let mut index = vec![0; outer.len()];
        let mut start = 0;
        loop {
            let to: usize = index.iter().zip(&strides).map(|(at, stride)| at * stride).sum();
            // True if an earlier run has the same results.
            let again = index.iter().zip(outer).any(|(&at, group)| group.reduced && at > 0);
            for column in (0..self.kept).step_by(BLOCK) {
                let columns = column..self.kept.min(column + BLOCK);
                self.run(source, start, columns.clone())?;
                let mut target = part(&mut result, to + columns.start..to + columns.end);
                let sum = self.sums[0].view().range(0..columns.len());
                if let (Some(combine), true, ViewMut::F32(target), View::F32(sum)) =
                    (self.combine, again, &mut target, sum)
                {
                    combine(target, sum);
                } else if again {
                    let mut total = self.total.view_mut().split_at(columns.len()).0;
                    total.copy_from(target.as_view());
                    self.worker.apply(&[total.as_view(), sum], columns.len(), &mut [target])?;
                } else {
                    target.copy_from(sum);
                }
            }
            start += run;
            if !layout::advance(&mut index, &shape) {
                return Ok(result);
            }
        }
    }

    /// Folds the rows from `start` on within `columns` (all, or one block of many) into the start of `sums[0]`.
    fn run(
        &mut self,
        source: &mut impl Source,
        start: usize,
        columns: Range<usize>,
    ) -> Result<(), EvalError> {
        let Folder { worker, reduced, kept, sums, combine, .. } = self;
        let (rows, width, kept) = (*reduced, columns.len(), *kept);
        let mut together = if width == kept { together(rows, width) } else { 1 };
        let row = |at: usize| start + at * kept + columns.start;
        let span = |count: usize| (count - 1) * kept + width;
        if let (Some(combine), Data::F32(sums)) = (*combine, &mut sums[0]) {
            let rows = Rows { rows, width, together };
            return rows.fold(combine, sums, |at, count, then| match source.get(row(at), span(count))? {
                View::F32(elements) => {
                    then(elements);
                    Ok(())
                }
                other => unreachable!("{other:?} of binary32"),
            });
        }
        let first = source.get(row(0), span(together))?;
        part(&mut sums[0], 0..together * width).copy_from(first);
        let mut at = together;
        while at < rows {
            let count = together.min(rows - at);
            let [now, next] = sums;
            let lanes = count * width;
            worker.apply(
                &[now.view().range(0..lanes), source.get(row(at), span(count))?],
                lanes,
                &mut [part(next, 0..lanes)],
            )?;
            if count < together {
                let others = lanes..together * width;
                part(next, others.clone()).copy_from(now.view().range(others));
            }
            sums.swap(0, 1);
            at += count;
        }
        while together > 1 {
            together /= 2;
            let lanes = together * width;
            let [now, next] = sums;
            let halves = [now.view().range(0..lanes), now.view().range(lanes..2 * lanes)];
            worker.apply(&halves, lanes, &mut [part(next, 0..lanes)])?;
            sums.swap(0, 1);
        }
        Ok(())
    }
}

/// The number of consecutive rows that are processed together.
fn together(rows: usize, width: usize) -> usize {
    let mut together = 1;
    while 2 * together * width <= FOLD_LANES && 2 * together <= rows {
        together *= 2;
    }
    together
}

/// Rows of binary32. `together` rows are processed at once, as long as there are that many.
struct Rows {
    rows: usize,
    width: usize,
    together: usize,
}

impl Rows {
    /// Folds the rows into the start of `sums`. `get(at, count, then)` passes `count` rows to `then`.
    fn fold<E>(
        &self,
        combine: Combine,
        sums: &mut [f32],
        mut get: impl FnMut(usize, usize, &mut dyn FnMut(&[f32])) -> Result<(), E>,
    ) -> Result<(), E> {
        let Rows { rows, width, mut together } = *self;
        let mut at = together;
        let halves = together == rows && together > 1;
        get(0, together, &mut |first| {
            if halves {
                // The first half can be the accumulator of the second one.
                let (first, second) = first.split_at(together / 2 * width);
                sums[..first.len()].copy_from_slice(first);
                combine(&mut sums[..first.len()], second);
            } else {
                sums[..first.len()].copy_from_slice(first);
            }
        })?;
        if halves {
            together /= 2;
        }
        while at < rows {
            let count = together.min(rows - at);
            get(at, count, &mut |elements| combine(&mut sums[..count * width], elements))?;
            at += count;
        }
        while together > 1 {
            together /= 2;
            let (first, second) = sums.split_at_mut(together * width);
            combine(first, &second[..together * width]);
        }
        Ok(())
    }
}

/// A plan for small reductions of binary32: any number of matrices of `rows` × `width`, whose rows are reduced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SmallReduction {
    rows: usize,
    width: usize,
    combine: Combine,
}

impl SmallReduction {
    /// Returns `None` if the dimensions do not have this form.
    pub(crate) fn new(sizes: &[usize], dimensions: &[usize], combine: Combine) -> Option<SmallReduction> {
        SmallReduction::of_groups(&groups(sizes, dimensions), combine)
    }

    fn of_groups(groups: &[Group], combine: Combine) -> Option<SmallReduction> {
        let (rows, width) = match *groups {
            [Group { reduced: false, .. }, rows, Group { size, reduced: false }] if rows.reduced => {
                (rows, size)
            }
            [rows, Group { size, reduced: false }] if rows.reduced => (rows, size),
            [Group { reduced: false, .. }, rows] | [rows] if rows.reduced => (rows, 1),
            _ => return None,
        };
        (rows.size > 1 && (1..FOLD_LANES / 2).contains(&width)).then_some(SmallReduction {
            rows: rows.size,
            width,
            combine,
        })
    }

    /// The number of results for this number of elements.
    fn results(&self, elements: usize) -> usize {
        elements / self.rows
    }

    /// The number of elements of the scratch buffer.
    pub(crate) fn room(&self) -> usize {
        self.rows * self.width
    }

    /// Computes the results of [`reduce`] with `in_order` unset; the same bits unless a result is NaN.
    pub(crate) fn reduce(&self, x: &[f32], initial: f32, room: &mut [f32], results: &mut [f32]) {
        let SmallReduction { rows, width, combine } = *self;
        let by = Rows { rows, width, together: together(rows, width) };
        results.fill(initial);
        for (x, results) in x.chunks_exact(rows * width).zip(results.chunks_exact_mut(width)) {
            let get = |at: usize, count: usize, then: &mut dyn FnMut(&[f32])| {
                then(&x[at * width..(at + count) * width]);
                Ok::<_, Infallible>(())
            };
            let Ok(()) = by.fold(combine, room, get);
            combine(results, &room[..width]);
        }
    }
}

/// Reduces the rows of dense `rows` × `columns` inputs by any body.
fn rows(
    inputs: &[View],
    initial: &[Tensor],
    rows: usize,
    columns: usize,
    body: &Body,
    in_order: bool,
) -> Result<Vec<Data>, EvalError> {
    let chunks = chunks(rows, columns, in_order);
    if chunks > 1 {
        return chunked(inputs, initial, rows, columns, chunks, body);
    }
    let mut results = splat(initial, columns);
    let outputs = results.iter_mut().map(Data::view_mut).collect();
    let size = match rows * columns >= PARALLEL {
        true => columns.div_ceil(rayon::current_num_threads()).clamp(64, BLOCK),
        false => BLOCK,
    };
    threads::try_jobs(true, cut(outputs, columns, size), |(start, length, mut totals)| {
        let mut worker = body.worker(length);
        let mut next = empty(initial, length);
        for row in 0..rows {
            let at = row * columns + start;
            let taken: Vec<View> = (totals.iter().map(ViewMut::as_view))
                .chain(inputs.iter().map(|input| input.range(at..at + length)))
                .collect();
            let mut outputs: Vec<ViewMut> = next.iter_mut().map(Data::view_mut).collect();
            worker.apply(&taken, length, &mut outputs)?;
            for (total, next) in totals.iter_mut().zip(&next) {
                total.copy_from(next.view());
            }
        }
        Ok::<_, EvalError>(())
    })?;
    Ok(results)
}

/// As [`rows`], in `chunks` chunks of equally many rows. The chunks' results are combined in order, then the remaining
/// rows.
fn chunked(
    inputs: &[View],
    initial: &[Tensor],
    rows: usize,
    columns: usize,
    chunks: usize,
    body: &Body,
) -> Result<Vec<Data>, EvalError> {
    let steps = rows / chunks;
    let taken_rows = steps * chunks;
    let mut lanes = chunks * columns;
    let mut worker = body.worker(lanes);
    let (mut totals, mut elements) = (empty(initial, lanes), empty(initial, lanes));
    let mut next = empty(initial, lanes);
    for step in 0..steps {
        let from = Layout { offset: (step * columns) as isize, strides: vec![(steps * columns) as isize, 1] };
        let from = Strided::new(&[chunks, columns], &from);
        let target = if step == 0 { &mut totals } else { &mut elements };
        for (target, input) in target.iter_mut().zip(inputs) {
            each_storage!(Data, target, target => from.fill(Stored::of_view(*input), 0, target));
        }
        if step > 0 {
            let taken: Vec<View> = totals.iter().chain(&elements).map(Data::view).collect();
            let mut outputs: Vec<ViewMut> = next.iter_mut().map(Data::view_mut).collect();
            worker.apply(&taken, lanes, &mut outputs)?;
            std::mem::swap(&mut totals, &mut next);
        }
    }
    // Combines chunks 0 and 1, 2 and 3, …, until one is left.
    let mut chunks = chunks;
    while chunks > 1 {
        let pairs = chunks / 2;
        lanes = pairs * columns;
        let mut sides = vec![];
        for side in 0..2 {
            for (total, initial) in totals.iter().zip(initial) {
                let from =
                    Layout { offset: (side * columns) as isize, strides: vec![2 * columns as isize, 1] };
                let from = Strided::new(&[pairs, columns], &from);
                let mut data = Data::zeros(&initial.element, lanes);
                each_storage!(Data, &mut data, data => from.fill(Stored::of(total), 0, data));
                sides.push(data);
            }
        }
        let taken: Vec<View> = sides.iter().map(Data::view).collect();
        let mut outputs: Vec<ViewMut> = next.iter_mut().map(|next| part(next, 0..lanes)).collect();
        worker.apply(&taken, lanes, &mut outputs)?;
        if chunks % 2 == 1 {
            let last = (chunks - 1) * columns..chunks * columns;
            for (next, total) in next.iter_mut().zip(&totals) {
                part(next, lanes..lanes + columns).copy_from(total.view().range(last.clone()));
            }
        }
        std::mem::swap(&mut totals, &mut next);
        chunks = chunks.div_ceil(2);
    }
    let mut results = splat(initial, columns);
    let mut take = |others: Vec<View>| -> Result<(), EvalError> {
        let mut after = empty(initial, columns);
        let taken: Vec<View> = results.iter().map(Data::view).chain(others).collect();
        let mut outputs: Vec<ViewMut> = after.iter_mut().map(Data::view_mut).collect();
        worker.apply(&taken, columns, &mut outputs)?;
        drop(outputs);
        results = after;
        Ok::<_, EvalError>(())
    };
    take(totals.iter().map(|total| total.view().range(0..columns)).collect())?;
    for row in taken_rows..rows {
        take(inputs.iter().map(|input| input.range(row * columns..(row + 1) * columns)).collect())?;
    }
    Ok(results)
}

/// Applies the body to the elements of tensors of one shape.
pub(crate) fn each(
    inputs: &[&Tensor],
    body: &Body,
    results: &[&ElementType],
) -> Result<Vec<Data>, EvalError> {
    let length = inputs[0].data.len();
    let mut data: Vec<Data> = results.iter().map(|element| Data::zeros(element, length)).collect();
    let outputs: Vec<ViewMut> = data.iter_mut().map(Data::view_mut).collect();
    let pieces = cut(outputs, length, if length >= PARALLEL { 4 * BLOCK } else { length });
    threads::try_jobs(true, pieces, |(start, length, mut outputs)| {
        let mut worker = body.worker(length.min(BLOCK));
        for from in (0..length).step_by(BLOCK) {
            let lanes = BLOCK.min(length - from);
            let range = start + from..start + from + lanes;
            let taken: Vec<View> =
                inputs.iter().map(|input| input.data.view().range(range.clone())).collect();
            let mut parts: Vec<ViewMut> =
                outputs.iter_mut().map(|output| output.range(from..from + lanes)).collect();
            worker.apply(&taken, lanes, &mut parts)?;
        }
        Ok::<_, EvalError>(())
    })?;
    Ok(data)
}

/// Applies the body to the elements of `left` and `right`, which have one shape.
pub(crate) fn pairwise(left: &[Tensor], right: &[Tensor], body: &Body) -> Result<Vec<Tensor>, EvalError> {
    let inputs: Vec<&Tensor> = left.iter().chain(right).collect();
    let elements: Vec<&ElementType> = left.iter().map(|tensor| &tensor.element).collect();
    let tensor = |(data, like): (Data, &Tensor)| Tensor { data: Arc::new(data), ..like.clone() };
    Ok(each(&inputs, body, &elements)?.into_iter().zip(left).map(tensor).collect())
}
