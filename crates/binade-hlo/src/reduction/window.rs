//! Evaluates `reduce_window` and `select_and_scatter`.

use std::sync::Arc;

use binade_simd::{Environment, threads};
use binade_stablehlo::ir::{Window, windows};
use binade_stablehlo::storage::Stored;
use binade_stablehlo::{Data, ElementType, FloatType, Tensor, View, ViewMut, each_storage, map_storage};

use super::cumulative::{self, Cumulative, Direction};
use super::reduce::{self, Combine, combine_f32};
use super::{operator_sums, shared_sums};
use crate::arithmetic::blocks::{BLOCK, cut};
use crate::arithmetic::body::{Body, Worker};
use crate::arithmetic::emulated::{Emulated, Fused};
use crate::arithmetic::form::Form;
use crate::buffer_pool;
use crate::error::EvalError;
use crate::movement::gather::accumulate;
use crate::movement::layout::{Layout, PARALLEL, Strided, advance, row_major};
use crate::movement::shape;

/// Windows of more elements than this along one dimension are combined from windows of powers of two.
const LONG: usize = 8;

/// The sizes of `reduce_window`'s result: the number of windows that fit along each dimension (specification,
/// `reduce_window`, C15).
pub(crate) fn output_shape(shape: &[usize], window: &Window) -> Vec<usize> {
    let fits = |at: usize| {
        let dilations = (window.base_dilations[at], window.window_dilations[at]);
        let size = (Some(shape[at]), Some(window.dimensions[at]));
        windows(size.0, size.1, dilations, window.padding[at], window.strides[at]).flatten().unwrap_or(0)
    };
    (0..shape.len()).map(fits).collect()
}

/// `x`, dilated and padded with `value`.
fn padded(x: &Tensor, value: &Tensor, window: &Window) -> Tensor {
    let low: Vec<i64> = window.padding.iter().map(|edge| edge.0).collect();
    let interior: Vec<i64> = window.base_dilations.iter().map(|&by| by as i64 - 1).collect();
    let shape: Vec<usize> = (0..x.shape.len())
        .map(|at| {
            // At least one window fits. So the sum is at least the window's size, and small enough for an index.
            let inner = x.shape[at].checked_sub(1).map_or(0, |last| last * window.base_dilations[at] + 1);
            let (low, high) = window.padding[at];
            (i128::from(low) + inner as i128 + i128::from(high)) as usize
        })
        .collect();
    if shape == x.shape && low.iter().all(|&low| low == 0) {
        return x.clone();
    }
    shape::pad(x, value, &low, &interior, &shape)
}

/// `reduce_window`. With `in_order`, every window takes its elements in index order, starting from the initial value.
/// Otherwise long windows along one dimension, such as cumulative sums, share partial results.
pub(crate) fn reduce_window(
    inputs: &[Tensor],
    initial: &[Tensor],
    window: &Window,
    body: &Body,
    in_order: bool,
) -> Result<Vec<Tensor>, EvalError> {
    let shape = output_shape(&inputs[0].shape, window);
    if shape.contains(&0) {
        let empty = |initial: &Tensor| {
            Tensor::new(initial.element.clone(), shape.clone(), Data::zeros(&initial.element, 0))
        };
        return Ok(initial.iter().map(empty).collect());
    }
    let running = cumulative::running(&inputs[0].shape, window);
    if let Some((emulated, Fused::Accumulate)) = body.operator()
        && emulated.is_sequential()
        && let Some((dimension, Direction::Before)) = running
        && emulated.is_neutral(&initial[0])
    {
        return Ok(vec![operator_sums::running(emulated, &inputs[0], &initial[0], dimension)]);
    }
    if let Some((emulated, Fused::Accumulate)) = body.operator()
        && let Some((dimension, direction)) = running
        && let Some(sums) = shared_sums::windows(emulated, &inputs[0], &initial[0], dimension, direction)
    {
        return Ok(vec![sums]);
    }
    if let Some((dimension, direction)) = running
        && let (Form::Combine(binary), [input]) = (body.form(), inputs)
        && let (Data::F32(data), Data::F32(initial)) = (&*input.data, &*initial[0].data)
        && let Some(combine) = combine_f32(binary).filter(|_| !in_order && shape[dimension] > LONG)
    {
        let inner = shape[dimension + 1..].iter().product();
        let windows = Cumulative { direction, length: shape[dimension], inner, combine };
        let results = windows.all(data, initial[0]);
        return Ok(vec![Tensor::new(input.element.clone(), shape, Data::F32(results))]);
    }
    let mut window = window.clone();
    let mut padded: Vec<Tensor> =
        inputs.iter().zip(initial).map(|(input, initial)| padded(input, initial, &window)).collect();
    // Only windows along one dimension keep the order of their elements if each dimension is reduced separately.
    let along: Vec<usize> = (0..shape.len()).filter(|&at| window.dimensions[at] > 1).collect();
    let may_split = !in_order && (along.len() == 1 || matches!(body.form(), Form::Combine(_)));
    if may_split {
        for dimension in along {
            if window.dimensions[dimension] > LONG {
                padded = slide(padded, &mut window, dimension, shape[dimension], body)?;
            }
        }
    }
    let dense = row_major(&padded[0].shape);
    let strides: Vec<isize> =
        window.strides.iter().zip(&dense).map(|(&by, &stride)| by as isize * stride).collect();
    let mut places = vec![];
    let mut index = vec![0; shape.len()];
    loop {
        let place = (0..shape.len()).map(|at| (index[at] * window.window_dilations[at]) as isize * dense[at]);
        places.push(Strided::new(&shape, &Layout { offset: place.sum(), strides: strides.clone() }));
        if !advance(&mut index, &window.dimensions) {
            break;
        }
    }
    let inputs: Vec<View> = padded.iter().map(|input| input.data.view()).collect();
    let length = shape.iter().product();
    let mut results: Vec<Data> =
        initial.iter().map(|initial| buffer_pool::data(&initial.element, length)).collect();
    let outputs: Vec<ViewMut> = results.iter_mut().map(Data::view_mut).collect();
    let piece = |(start, length, outputs)| block(&inputs, initial, &places, start, length, outputs, body);
    threads::try_jobs(length * places.len() >= PARALLEL, cut(outputs, length, BLOCK), piece)?;
    drop(inputs);
    padded.into_iter().for_each(|padded| buffer_pool::give(padded.data));
    let tensor = |(data, initial): (Data, &Tensor)| Tensor {
        element: initial.element.clone(),
        shape: shape.clone(),
        data: Arc::new(data),
    };
    Ok(results.into_iter().zip(initial).map(tensor).collect())
}

/// The elements of windows that are gathered at once, for sums in another order than the index order.
const GATHERED: usize = 1 << 18;

/// The sums of a block of windows by an operator, in its order.
fn sums(
    emulated: &Emulated,
    input: &[f32],
    initial: f32,
    places: &[Strided],
    start: usize,
    output: &mut [f32],
) -> Result<(), EvalError> {
    let lanes = (GATHERED / places.len()).max(1);
    let mut rows = vec![];
    for (part, output) in output.chunks_mut(lanes).enumerate() {
        rows.resize(places.len() * output.len(), 0.0);
        for (place, row) in places.iter().zip(rows.chunks_exact_mut(output.len())) {
            place.fill(input, start + part * lanes, row);
        }
        output.fill(initial);
        operator_sums::add_rows(emulated, &rows, output)?;
    }
    Ok(())
}

/// A block of results, each over its window.
fn block(
    inputs: &[View],
    initial: &[Tensor],
    places: &[Strided],
    start: usize,
    lanes: usize,
    mut outputs: Vec<ViewMut>,
    body: &Body,
) -> Result<(), EvalError> {
    if let (Some((emulated, Fused::Accumulate)), [View::F32(input)], Data::F32(first), [ViewMut::F32(output)]) =
        (body.operator(), inputs, &*initial[0].data, &mut outputs[..])
        && !emulated.is_sequential()
    {
        return sums(emulated, input, first[0], places, start, output);
    }
    let mut worker = body.worker(lanes);
    let room = || initial.iter().map(|initial| Data::zeros(&initial.element, lanes)).collect::<Vec<_>>();
    let (mut totals, mut elements, mut next) = (room(), room(), room());
    for (total, initial) in totals.iter_mut().zip(initial) {
        each_storage!(Data, total, total => total.fill(Stored::of(&initial.data)[0]));
    }
    for place in places {
        for (element, input) in elements.iter_mut().zip(inputs) {
            each_storage!(Data, element, element => place.fill(Stored::of_view(*input), start, element));
        }
        step(&mut worker, &mut totals, &elements, &mut next, lanes)?;
    }
    for (output, total) in outputs.iter_mut().zip(&totals) {
        output.copy_from(total.view());
    }
    Ok(())
}

/// `totals = body(totals, elements)`.
fn step(
    worker: &mut Worker,
    totals: &mut Vec<Data>,
    elements: &[Data],
    next: &mut Vec<Data>,
    lanes: usize,
) -> Result<(), EvalError> {
    let taken: Vec<View> = totals.iter().chain(elements).map(Data::view).collect();
    let mut outputs: Vec<ViewMut> = next.iter_mut().map(Data::view_mut).collect();
    worker.apply(&taken, lanes, &mut outputs)?;
    std::mem::swap(totals, next);
    Ok(())
}

/// Reduces the window along one dimension, after which its size and stride along it are 1. Windows of 2, 4, 8, …
/// elements combine two neighbours of half the size. The window combines those that add up to its size, in order.
fn slide(
    inputs: Vec<Tensor>,
    window: &mut Window,
    dimension: usize,
    count: usize,
    body: &Body,
) -> Result<Vec<Tensor>, EvalError> {
    let (size, dilation, stride) =
        (window.dimensions[dimension], window.window_dilations[dimension], window.strides[dimension]);
    let needed = (count - 1) * stride + 1;
    if let (Form::Combine(binary), [input]) = (body.form(), &inputs[..])
        && input.element == ElementType::Float(FloatType::F32)
        && let (Some(combine), Data::F32(data)) = (combine_f32(binary), &*input.data)
    {
        let inner: usize = input.shape[dimension + 1..].iter().product();
        let along = Along { size, length: input.shape[dimension], dilation, needed, inner, combine };
        let mut shape = input.shape.clone();
        shape[dimension] = needed;
        let result = Tensor::new(input.element.clone(), shape, Data::F32(along.all(data)));
        inputs.into_iter().for_each(|input| buffer_pool::give(input.data));
        window.dimensions[dimension] = 1;
        window.window_dilations[dimension] = 1;
        return Ok(vec![result]);
    }
    // The result so far covers the first `covered` elements of the window.
    let (mut result, mut covered): (Option<Vec<Tensor>>, usize) = (None, 0);
    let (mut power, mut level) = (1, inputs);
    loop {
        if size & power != 0 {
            let part = cut_along(&level, dimension, covered * dilation, needed);
            result = Some(match result {
                None => part,
                Some(result) => reduce::pairwise(&result, &part, body)?,
            });
            covered += power;
        }
        if 2 * power > size {
            break;
        }
        let left = level[0].shape[dimension] - power * dilation;
        let first = cut_along(&level, dimension, 0, left);
        let second = cut_along(&level, dimension, power * dilation, left);
        level = reduce::pairwise(&first, &second, body)?;
        power *= 2;
    }
    let result = result.expect("a window has elements");
    window.dimensions[dimension] = 1;
    window.window_dilations[dimension] = 1;
    Ok(result)
}

/// [`slide`] on binary32 by one operation. Each row has `length` times `inner` elements and is independent of the
/// others.
struct Along {
    /// The window's size.
    size: usize,
    length: usize,
    dilation: usize,
    /// The number of results of a row, times `inner`.
    needed: usize,
    inner: usize,
    combine: Combine,
}

impl Along {
    fn all(&self, data: &[f32]) -> Vec<f32> {
        let (from, to) = (self.length * self.inner, self.needed * self.inner);
        if data.is_empty() || to == 0 {
            return vec![];
        }
        // Every element is written, so the buffer need not be cleared.
        let mut results = buffer_pool::elements(data.len() / from * to);
        threads::chunks(data.len() >= PARALLEL, &mut results, to, |row, result| {
            let _environment = Environment::enter();
            self.row(&data[row * from..][..from], result);
        });
        results
    }

    /// Overwrites windows of half the size with windows of a power of two, from the first on. None is read again after
    /// it is overwritten.
    fn row(&self, data: &[f32], result: &mut [f32]) {
        let (mut level, mut covered, mut power) = (buffer_pool::copy(data), 0, 1);
        let step = self.dilation * self.inner;
        loop {
            if self.size & power != 0 {
                let part = &level[covered * step..][..result.len()];
                match covered {
                    0 => result.copy_from_slice(part),
                    _ => (self.combine)(result, part),
                }
                covered += power;
            }
            if 2 * power > self.size {
                return buffer_pool::give(Arc::new(Data::F32(level)));
            }
            let left = level.len() - power * step;
            let mut second = [0.0; 1024];
            for start in (0..left).step_by(second.len()) {
                let second = &mut second[..(left - start).min(1024)];
                second.copy_from_slice(&level[start + power * step..][..second.len()]);
                (self.combine)(&mut level[start..start + second.len()], second);
            }
            level.truncate(left);
            power *= 2;
        }
    }
}

fn cut_along(tensors: &[Tensor], dimension: usize, start: usize, length: usize) -> Vec<Tensor> {
    let cut = |tensor: &Tensor| {
        let mut from = vec![0; tensor.shape.len()];
        from[dimension] = start;
        let mut shape = tensor.shape.clone();
        shape[dimension] = length;
        shape::slice(tensor, &from, &vec![1; from.len()], &shape)
    };
    tensors.iter().map(cut).collect()
}

/// Calls `visit` with the place of each window's selected element, in the order of `outputs`; `None` if a window is
/// outside.
fn selected(
    x: &[f32],
    shape: &[usize],
    outputs: &[usize],
    window: &Window,
    stays: impl Fn(f32, f32) -> bool,
    mut visit: impl FnMut(Option<usize>),
) {
    let rank = shape.len();
    let dense = row_major(shape);
    // For each element of a window: its index and its offset from the first element.
    let (mut steps, mut index) = (vec![], vec![0; rank]);
    loop {
        let step: Vec<i64> = (0..rank).map(|at| (index[at] * window.window_dilations[at]) as i64).collect();
        let place: isize = step.iter().zip(&dense).map(|(&by, &stride)| by as isize * stride).sum();
        steps.push((step, place as usize));
        if !advance(&mut index, &window.dimensions) {
            break;
        }
    }
    let last: Vec<i64> = (0..rank)
        .map(|at| shape[at] as i64 - ((window.dimensions[at] - 1) * window.window_dilations[at]) as i64)
        .collect();
    let (mut output, mut start) = (vec![0; rank], vec![0i64; rank]);
    loop {
        let (mut first, mut whole) = (0, true);
        for at in 0..rank {
            start[at] = (output[at] * window.strides[at]) as i64 - window.padding[at].0;
            whole &= start[at] >= 0 && start[at] < last[at];
            first += start[at] * dense[at] as i64;
        }
        let mut best = None;
        let mut challenge = |place: usize| {
            best = match best {
                Some(best) if stays(x[best], x[place]) => Some(best),
                _ => Some(place),
            }
        };
        if whole {
            steps.iter().for_each(|(_, step)| challenge(first as usize + step));
        } else {
            for (step, _) in &steps {
                let at = |at: usize| start[at] + step[at];
                if (0..rank).all(|d| (0..shape[d] as i64).contains(&at(d))) {
                    challenge((0..rank).map(|d| at(d) as usize * dense[d] as usize).sum());
                }
            }
        }
        visit(best);
        if !advance(&mut output, outputs) {
            return;
        }
    }
}

/// `select_and_scatter`: each window of the operand selects the element over which no other is selected, in index
/// order, and adds its source there. Elements outside the operand are never selected.
pub(crate) fn select_and_scatter(
    operand: &Tensor,
    source: &Tensor,
    initial: &Tensor,
    window: &Window,
    select: &Body,
    scatter: &Body,
) -> Result<Tensor, EvalError> {
    let rank = operand.shape.len();
    let dense = row_major(&operand.shape);
    let length: usize = operand.shape.iter().product();
    let data = map_storage!(Data => Data, &*initial.data, initial => buffer_pool::filled(length, initial[0]));
    let mut results =
        [Tensor { element: initial.element.clone(), shape: operand.shape.clone(), data: Arc::new(data) }];
    if source.data.is_empty() || window.dimensions.contains(&0) {
        let [result] = results;
        return Ok(result);
    }
    if let (Form::Compare(direction), Data::F32(x)) = (select.form(), &*operand.data)
        && operand.element == ElementType::Float(FloatType::F32)
        && window.base_dilations.iter().all(|&by| by == 1)
    {
        let stays = |best: f32, other: f32| direction.holds(best, other);
        let numbers = |tensor: &Tensor| tensor.element == operand.element;
        if let (Form::Combine(binary), Data::F32(source_elements)) = (scatter.form(), &*source.data)
            && numbers(source)
            && numbers(initial)
            && let Some(combine) = combine_f32(binary)
            && let Data::F32(result) = buffer_pool::own(&mut results[0].data)
        {
            let mut elements = source_elements.iter();
            selected(x, &operand.shape, &source.shape, window, stays, |place| {
                if let (Some(element), Some(place)) = (elements.next(), place) {
                    combine(&mut result[place..=place], std::slice::from_ref(element));
                }
            });
        } else {
            let (mut pairs, mut number) = (vec![], 0..source.data.len());
            selected(x, &operand.shape, &source.shape, window, stays, |place| {
                pairs.extend(place.zip(number.next()));
            });
            accumulate(&mut results, &pairs, std::slice::from_ref(source), scatter, false)?;
        }
        let [result] = results;
        return Ok(result);
    }
    let mut pairs = vec![];
    let mut worker = select.worker(BLOCK);
    let mut output = vec![0; rank];
    let mut starts: Vec<Vec<i64>> = vec![];
    let mut first = 0;
    let total = source.data.len();
    let room = || Data::zeros(&operand.element, BLOCK);
    let (mut best_values, mut values, mut truth) = (room(), room(), Data::U8(vec![0; BLOCK]));
    while first < total {
        starts.clear();
        while starts.len() < BLOCK.min(total - first) {
            starts.push(
                (0..rank).map(|at| (output[at] * window.strides[at]) as i64 - window.padding[at].0).collect(),
            );
            advance(&mut output, &source.shape);
        }
        // The selected element of each window so far.
        let mut best: Vec<Option<usize>> = vec![None; starts.len()];
        let mut offset = vec![0; rank];
        loop {
            // The windows with an element of the operand at this position.
            let mut challengers = vec![];
            for (lane, start) in starts.iter().enumerate() {
                let mut place = Some(0);
                for at in 0..rank {
                    let index = start[at] + (offset[at] * window.window_dilations[at]) as i64;
                    let dilation = window.base_dilations[at] as i64;
                    let inside =
                        index >= 0 && index % dilation == 0 && index / dilation < operand.shape[at] as i64;
                    place = place
                        .filter(|_| inside)
                        .map(|place| place + (index / dilation) as usize * dense[at] as usize);
                }
                let Some(place) = place else { continue };
                match best[lane] {
                    None => best[lane] = Some(place),
                    Some(old) => challengers.push((lane, old, place)),
                }
            }
            let lanes = challengers.len();
            if lanes > 0 {
                each_storage!(Data, &mut best_values, best => {
                    let operand = Stored::of(&operand.data);
                    for (best, challenger) in best.iter_mut().zip(&challengers) {
                        *best = operand[challenger.1];
                    }
                });
                each_storage!(Data, &mut values, values => {
                    let operand = Stored::of(&operand.data);
                    for (value, challenger) in values.iter_mut().zip(&challengers) {
                        *value = operand[challenger.2];
                    }
                });
                let taken = [best_values.view().range(0..lanes), values.view().range(0..lanes)];
                worker.apply(&taken, lanes, &mut [truth.view_mut().range(0..lanes)])?;
                for (&(lane, _, place), &stays) in challengers.iter().zip(u8::of(&truth)) {
                    if stays == 0 {
                        best[lane] = Some(place);
                    }
                }
            }
            if !advance(&mut offset, &window.dimensions) {
                break;
            }
        }
        let selected = best.iter().enumerate();
        pairs.extend(selected.filter_map(|(lane, &best)| best.map(|best| (best, first + lane))));
        first += starts.len();
    }
    accumulate(&mut results, &pairs, std::slice::from_ref(source), scatter, false)?;
    let [result] = results;
    Ok(result)
}
