//! Computes `gather` and `scatter`: windows of a tensor at indices that another tensor has.

use std::collections::HashMap;
use std::sync::Arc;

use binade_kernels::arithmetic;
use binade_simd::threads;
use binade_stablehlo::ir::{Binary, Gather, Scatter};
use binade_stablehlo::storage::{Moved, Stored};
use binade_stablehlo::{Data, ElementType, FloatType, Tensor, View, ViewMut, each_storage, map_storage};

use super::layout::{Copier, PARALLEL, advance, row_major};
use super::row_sums::{self, Added, Weights};
use super::shape::{clamp_start, integers};
use crate::arithmetic::blocks::BLOCK;
use crate::arithmetic::body::Body;
use crate::arithmetic::emulated::Fused;
use crate::arithmetic::form::Form;
use crate::arithmetic::integer::Integer;
use crate::buffer_pool;
use crate::error::EvalError;
use crate::plan::gather_scatter::GatheredRows;
use crate::reduction::reduce::combine_f32;

/// Minimum elements of rows for a specialised kernel.
const RUN: usize = 8;

/// Index vectors in a tensor of indices.
struct Indices {
    values: Vec<i64>,
    /// Sizes of the dimensions without the index vector's.
    batch: Vec<usize>,
    /// Strides along them.
    strides: Vec<isize>,
    /// Stride between the components of a vector.
    component: usize,
}

impl Indices {
    fn new(indices: &Tensor, vector: usize) -> Indices {
        let mut batch = indices.shape.clone();
        let mut strides = row_major(&indices.shape);
        let mut component = 1;
        if vector < batch.len() {
            batch.remove(vector);
            component = strides.remove(vector) as usize;
        }
        Indices { values: integers(indices), batch, strides, component }
    }

    /// Returns true if vectors of this number of components are contiguous.
    fn is_dense(&self, components: usize) -> bool {
        let mut next = components as isize;
        components > 0
            && self.batch.iter().zip(&self.strides).rev().all(|(&size, &stride)| {
                let fits = size == 1 || stride == next;
                next *= size as isize;
                fits
            })
            && self.values.len() == next as usize
    }

    /// Calls `visit` with each batch index and the start in the operand's dimensions.
    fn each(
        &self,
        rank: usize,
        map: &[usize],
        batching: &[usize],
        of: &[usize],
        mut visit: impl FnMut(&[usize], &[i64]),
    ) {
        if self.batch.contains(&0) {
            return;
        }
        let mut index = vec![0; self.batch.len()];
        let mut start = vec![0; rank];
        loop {
            let first: usize = index.iter().zip(&self.strides).map(|(&at, &by)| at * by as usize).sum();
            for (component, &dimension) in map.iter().enumerate() {
                start[dimension] = self.values[first + component * self.component];
            }
            for (&dimension, &from) in batching.iter().zip(of) {
                start[dimension] = index[from] as i64;
            }
            visit(&index, &start);
            if !advance(&mut index, &self.batch) {
                return;
            }
        }
    }
}

/// Contiguous index vectors that select the starts of equal windows.
struct Starts<'a> {
    values: &'a [i64],
    /// For each component, the greatest start of a window within its dimension, and the stride of that dimension.
    components: Vec<(i64, usize)>,
}

impl<'a> Starts<'a> {
    /// Returns `None` if vectors are not contiguous, or if there are batching dimensions. `window` has the sizes of windows
    /// in each dimension of `shape`.
    fn new(
        found: &'a Indices,
        map: &[usize],
        batching: &[usize],
        shape: &[usize],
        window: impl Fn(usize) -> usize,
    ) -> Option<Starts<'a>> {
        let strides = row_major(shape);
        let component = |&dimension: &usize| {
            Some((shape[dimension].checked_sub(window(dimension))? as i64, strides[dimension] as usize))
        };
        let lie = found.component == 1 && found.is_dense(map.len()) && batching.is_empty();
        let components = map.iter().map(component).collect::<Option<_>>()?;
        lie.then_some(Starts { values: &found.values, components })
    }

    /// The number of windows.
    fn len(&self) -> usize {
        self.values.len() / self.components.len()
    }

    /// The start of each window; `None` if a component is out of range.
    fn inside(&self) -> impl Iterator<Item = Option<usize>> + '_ {
        self.values.chunks_exact(self.components.len()).map(|vector| {
            let (mut place, mut inside) = (0, true);
            for (&index, &(most, stride)) in vector.iter().zip(&self.components) {
                inside &= (0..=most).contains(&index);
                place += index.clamp(0, most) as usize * stride;
            }
            inside.then_some(place)
        })
    }

    /// The start of each window, clamped into range.
    fn clamped(&self) -> impl Iterator<Item = usize> + '_ {
        self.values.chunks_exact(self.components.len()).map(|vector| {
            let place =
                |(&index, &(most, stride)): (&i64, &(i64, usize))| index.clamp(0, most) as usize * stride;
            vector.iter().zip(&self.components).map(place).sum()
        })
    }
}

/// Positions among the dimensions of the indices without the index vector's.
fn without(dimensions: &[usize], vector: usize) -> Vec<usize> {
    dimensions.iter().map(|&dimension| dimension - usize::from(dimension > vector)).collect()
}

/// `gather`. `shape` is the result's.
pub(crate) fn gather(
    x: &Tensor,
    indices: &Tensor,
    attributes: &Gather,
    sizes: &[usize],
    shape: &[usize],
) -> Tensor {
    let Gather { offset_dims, collapsed_slice_dims, operand_batching_dims, start_index_map, .. } = attributes;
    let vector = attributes.index_vector_dim;
    let rank = x.shape.len();
    let (from, to) = (row_major(&x.shape), row_major(shape));
    // Dimensions of the operand that remain in the result.
    let window: Vec<usize> = (0..rank)
        .filter(|at| !collapsed_slice_dims.contains(at) && !operand_batching_dims.contains(at))
        .collect();
    let window_sizes: Vec<usize> = window.iter().map(|&at| sizes[at]).collect();
    let window_from: Vec<isize> = window.iter().map(|&at| from[at]).collect();
    let window_to: Vec<isize> = offset_dims.iter().map(|&at| to[at]).collect();
    let copier = Copier::new(&window_sizes, &window_from, &window_to);
    let batch_to: Vec<isize> =
        (0..shape.len()).filter(|at| !offset_dims.contains(at)).map(|at| to[at]).collect();
    let found = Indices::new(indices, vector);
    let batching = without(&attributes.start_indices_batching_dims, vector);
    // Windows that are the last dimensions of the result are contiguous there.
    let trailing = offset_dims.iter().rev().zip((0..shape.len()).rev()).all(|(&at, last)| at == last);
    if let (Some(run), true) = (copier.run(), trailing)
        && let Some(starts) =
            Starts::new(&found, start_index_map, operand_batching_dims, &x.shape, |at| sizes[at])
    {
        fn take<U: Moved>(x: &[U], starts: &Starts, run: usize, result: &mut [U]) {
            if run == 1 {
                result.iter_mut().zip(starts.clamped()).for_each(|(to, from)| *to = x[from]);
            } else if result.len() < PARALLEL || run < 16 {
                for (to, from) in result.chunks_exact_mut(run).zip(starts.clamped()) {
                    to.copy_from_slice(&x[from..from + run]);
                }
            } else {
                let starts: Vec<usize> = starts.clamped().collect();
                threads::chunks(true, result, run, |at, to| {
                    to.copy_from_slice(&x[starts[at]..starts[at] + run])
                });
            }
        }
        fn taken<T: Stored>(x: &[T], starts: &Starts, run: usize) -> Vec<T> {
            // Every element is written.
            let mut result = buffer_pool::elements(starts.len() * run);
            take(T::units(x), starts, run, T::units_mut(&mut result));
            result
        }
        let data = map_storage!(Data => Data, &*x.data, x => taken(x, &starts, run));
        return Tensor { element: x.element.clone(), shape: shape.to_vec(), data: Arc::new(data) };
    }
    let mut places = Vec::with_capacity(found.batch.iter().product());
    found.each(rank, start_index_map, operand_batching_dims, &batching, |index, start| {
        let source: usize =
            (0..rank).map(|at| clamp_start(start[at], x.shape[at], sizes[at]) * from[at] as usize).sum();
        let target: usize = index.iter().zip(&batch_to).map(|(&at, &by)| at * by as usize).sum();
        places.push((source, target));
    });
    fn take<U: Moved>(x: &[U], places: &[(usize, usize)], copier: &Copier, result: &mut [U]) {
        match copier.run() {
            Some(1) => {
                for &(from, to) in places {
                    result[to] = x[from];
                }
            }
            // Windows that are contiguous in the result.
            Some(run @ 16..)
                if result.len() >= PARALLEL && places.iter().map(|place| place.1).is_sorted() =>
            {
                threads::chunks(true, result, run, |at, result| {
                    result.copy_from_slice(&x[places[at].0..places[at].0 + run]);
                });
            }
            _ => {
                for &(from, to) in places {
                    copier.copy_units(x, from, result, to);
                }
            }
        }
    }
    fn taken<T: Stored>(x: &[T], places: &[(usize, usize)], copier: &Copier, length: usize) -> Vec<T> {
        let mut result = buffer_pool::zeros(length);
        take(T::units(x), places, copier, T::units_mut(&mut result));
        result
    }
    let length = shape.iter().product();
    let data = map_storage!(Data => Data, &*x.data, x => taken(x, &places, &copier, length));
    Tensor { element: x.element.clone(), shape: shape.to_vec(), data: Arc::new(data) }
}

/// The place of a window of updates.
enum Place {
    /// Within the input, starting at this element.
    Inside(usize),
    /// Partly or fully outside: the start in each dimension.
    Across(Vec<i64>),
}

/// `scatter`. Unshared inputs are changed in place. Updates to one element are applied in the order of the indices. Of windows
/// that are partly outside, the inner elements are updated, unless `whole` drops such windows.
pub(crate) fn scatter(
    mut inputs: Vec<Tensor>,
    indices: &Tensor,
    updates: &[Tensor],
    attributes: &Scatter,
    body: &Body,
    whole: bool,
) -> Result<Vec<Tensor>, EvalError> {
    let Scatter { update_window_dims, inserted_window_dims, input_batching_dims, .. } = attributes;
    let (shape, rank) = (inputs[0].shape.clone(), inputs[0].shape.len());
    let (vector, update) = (attributes.index_vector_dim, &updates[0].shape);
    let (to, from) = (row_major(&shape), row_major(update));
    let window: Vec<usize> = (0..rank)
        .filter(|at| !inserted_window_dims.contains(at) && !input_batching_dims.contains(at))
        .collect();
    let window_sizes: Vec<usize> = update_window_dims.iter().map(|&at| update[at]).collect();
    let window_to: Vec<isize> = window.iter().map(|&at| to[at]).collect();
    let window_from: Vec<isize> = update_window_dims.iter().map(|&at| from[at]).collect();
    let batch_from: Vec<isize> =
        (0..update.len()).filter(|at| !update_window_dims.contains(at)).map(|at| from[at]).collect();
    let copier = Copier::new(&window_sizes, &window_from, &window_to);
    let found = Indices::new(indices, vector);
    let batching = without(&attributes.scatter_indices_batching_dims, vector);
    // Windows that are the last dimensions of the updates, and whole in the dimensions without an index.
    let trailing = update_window_dims.iter().rev().zip((0..update.len()).rev()).all(|(&at, last)| at == last);
    let map = &attributes.scatter_dims_to_operand_dims;
    if let (Some(run), true, [input], [update]) = (copier.run(), trailing, &mut inputs[..], updates)
        && map.iter().all(|dimension| inserted_window_dims.contains(dimension))
        && let Some(starts) = Starts::new(&found, map, input_batching_dims, &shape, |_| 1)
        && scatter_runs(input, update, &starts, run, body)
    {
        return Ok(inputs);
    }
    let base =
        |start: &[i64]| start.iter().zip(&to).map(|(&at, &by)| at as usize * by as usize).sum::<usize>();
    let mut windows = vec![];
    let mut extent = vec![1; rank];
    for (&at, &size) in window.iter().zip(&window_sizes) {
        extent[at] = size as i64;
    }
    found.each(
        rank,
        &attributes.scatter_dims_to_operand_dims,
        input_batching_dims,
        &batching,
        |index, start| {
            let source: usize = index.iter().zip(&batch_from).map(|(&at, &by)| at * by as usize).sum();
            let inside = (0..rank).all(|at| {
                start[at] >= 0 && start[at].checked_add(extent[at]).is_some_and(|end| end <= shape[at] as i64)
            });
            match inside {
                true => windows.push((source, Place::Inside(base(start)))),
                false if whole => {}
                false => windows.push((source, Place::Across(start.to_vec()))),
            }
        },
    );
    if updates[0].data.is_empty() {
        return Ok(inputs);
    }
    // The starts, if all windows are inside.
    let starts: Option<Vec<(usize, usize)>> = (windows.iter())
        .map(|(source, place)| match place {
            Place::Inside(base) => Some((*source, *base)),
            Place::Across(_) => None,
        })
        .collect();
    if let (Form::Second, Some(starts)) = (body.form(), &starts) {
        for (input, update) in inputs.iter_mut().zip(updates) {
            each_storage!(Data, buffer_pool::own(&mut input.data), input => {
                for &(source, base) in starts {
                    copier.copy(Stored::of(&update.data), source, input, base);
                }
            });
        }
        return Ok(inputs);
    }
    if let (Some(run @ 32..), Some(starts)) = (copier.run(), &starts) {
        let mut worker = body.worker(run.min(BLOCK));
        let mut old: Vec<Data> =
            inputs.iter().map(|input| Data::zeros(&input.element, run.min(BLOCK))).collect();
        for &(source, first) in starts {
            for offset in (0..run).step_by(BLOCK) {
                let lanes = BLOCK.min(run - offset);
                let (to, from) = (first + offset, source + offset);
                for (old, input) in old.iter_mut().zip(&inputs) {
                    old.view_mut().range(0..lanes).copy_from(input.data.view().range(to..to + lanes));
                }
                let taken: Vec<View> = (old.iter().map(|old| old.view().range(0..lanes)))
                    .chain(updates.iter().map(|update| update.data.view().range(from..from + lanes)))
                    .collect();
                let mut outputs: Vec<ViewMut> = inputs
                    .iter_mut()
                    .map(|input| {
                        let all = buffer_pool::own(&mut input.data).view_mut();
                        all.split_at(to + lanes).0.split_at(to).1
                    })
                    .collect();
                worker.apply(&taken, lanes, &mut outputs)?;
            }
        }
        return Ok(inputs);
    }
    let mut pairs = Vec::with_capacity(updates[0].data.len());
    let (mut index, mut at) = (vec![0; window.len()], vec![0; rank]);
    let offset = |index: &[usize], strides: &[isize]| -> usize {
        index.iter().zip(strides).map(|(&at, &by)| at * by as usize).sum()
    };
    let mut offsets = vec![];
    loop {
        offsets.push((offset(&index, &window_to), offset(&index, &window_from)));
        // After the last index, the first follows.
        if !advance(&mut index, &window_sizes) {
            break;
        }
    }
    for (source, place) in &windows {
        match place {
            Place::Inside(base) => {
                pairs.extend(offsets.iter().map(|&(to, from)| (base + to, source + from)));
            }
            Place::Across(start) => {
                for &(_, from) in &offsets {
                    at.copy_from_slice(start);
                    for (&offset, &dimension) in index.iter().zip(&window) {
                        at[dimension] = at[dimension].saturating_add(offset as i64);
                    }
                    if at.iter().zip(&shape).all(|(&at, &size)| at >= 0 && at < size as i64) {
                        pairs.push((base(&at), source + from));
                    }
                    advance(&mut index, &window_sizes);
                }
            }
        }
    }
    accumulate(&mut inputs, &pairs, updates, body, attributes.unique_indices)?;
    Ok(inputs)
}

/// `scatter` of rows that are gathered as they are added.
pub(crate) fn add_gathered_rows(
    gathered: &GatheredRows,
    mut sums: Tensor,
    places: &Tensor,
    (x, from): (&Tensor, &Tensor),
    weights: Option<&Tensor>,
) -> Result<Tensor, EvalError> {
    let (places, from) = (integers(places), integers(from));
    let weights = match (&gathered.weight, weights.map(|weights| &*weights.data)) {
        (Some(weight), Some(Data::F32(values))) => Some(Weights {
            values: &values[weight.offset..],
            first: weight.first,
            operator: weight.operator.as_deref(),
        }),
        (None, None) => None,
        _ => return Err(EvalError::shape("scatter", "weights of binary32 are needed")),
    };
    let (Data::F32(into), Data::F32(x)) = (buffer_pool::own(&mut sums.data), &*x.data) else {
        return Err(EvalError::element("scatter", &x.element));
    };
    let added = Added { x, from: Some(&from), weights };
    row_sums::add(into, gathered.run, &places, &added, gathered.operator.as_deref());
    Ok(sums)
}

/// Applies updates of `run` elements each in order, if the combination is a known operation; otherwise returns false.
fn scatter_runs(input: &mut Tensor, update: &Tensor, starts: &Starts, run: usize, body: &Body) -> bool {
    fn each<T: Stored>(
        input: &mut [T],
        update: &[T],
        starts: &Starts,
        run: usize,
        combine: impl Fn(&mut T, T),
    ) {
        if let (1, &[(most, stride)]) = (run, &starts.components[..]) {
            for (&index, &update) in starts.values.iter().zip(update) {
                if (0..=most).contains(&index) {
                    combine(&mut input[index as usize * stride], update);
                }
            }
            return;
        }
        if run == 1 {
            for (place, &update) in starts.inside().zip(update) {
                if let Some(place) = place {
                    combine(&mut input[place], update);
                }
            }
            return;
        }
        for (place, update) in starts.inside().zip(update.chunks_exact(run)) {
            if let Some(place) = place {
                input[place..place + run].iter_mut().zip(update).for_each(|(to, &by)| combine(to, by));
            }
        }
    }
    fn integers<T: Stored + Integer>(
        binary: Binary,
        width: u32,
        input: &mut [T],
        update: &[T],
        starts: &Starts,
        run: usize,
    ) -> bool {
        macro_rules! by {
            ($f:expr) => {
                each(input, update, starts, run, |to, by| *to = $f(*to, by).fit(width))
            };
        }
        // Specialised loops for the operations that programs usually scatter with.
        let other: fn(T, T) -> T = match binary {
            Binary::Add => {
                by!(T::wrapping_add);
                return true;
            }
            Binary::Maximum => {
                by!(T::max);
                return true;
            }
            Binary::Minimum => {
                by!(T::min);
                return true;
            }
            Binary::Multiply => T::wrapping_mul,
            Binary::And => T::and,
            Binary::Or => T::or,
            Binary::Xor => T::xor,
            _ => return false,
        };
        by!(other);
        true
    }
    // Rows of binary32 to add.
    if let (Data::F32(_), &[(_, stride)], RUN..) = (&*input.data, &starts.components[..], run)
        && stride == run
        && let Some(operator) = match (body.operator(), body.form()) {
            (Some((emulated, Fused::Accumulate)), _) => Some(Some(&**emulated)),
            (None, Form::Combine(Binary::Add)) => Some(None),
            _ => None,
        }
        && input.element == ElementType::Float(FloatType::F32)
        && let (Data::F32(sums), Data::F32(x)) = (buffer_pool::own(&mut input.data), &*update.data)
    {
        row_sums::add(sums, run, starts.values, &Added { x, from: None, weights: None }, operator);
        return true;
    }
    let binary = match body.form() {
        Form::Second => {
            each_storage!(Data, buffer_pool::own(&mut input.data), input => {
                each(input, Stored::of(&update.data), starts, run, |to, by| *to = by);
            });
            return true;
        }
        Form::Combine(binary) => binary,
        Form::Compare(_) | Form::General => return false,
    };
    if input.element == ElementType::Float(FloatType::F32) {
        let (Data::F32(input), Data::F32(update)) = (buffer_pool::own(&mut input.data), &*update.data) else {
            return false;
        };
        match binary {
            Binary::Add => each(input, update, starts, run, |to: &mut f32, by| *to += by),
            Binary::Multiply => each(input, update, starts, run, |to: &mut f32, by| *to *= by),
            // Most updates change nothing, which is detected early.
            Binary::Maximum => each(input, update, starts, run, |to: &mut f32, by| match *to > by {
                true => {}
                false => *to = arithmetic::maximum(*to, by),
            }),
            Binary::Minimum => each(input, update, starts, run, |to: &mut f32, by| match *to < by {
                true => {}
                false => *to = arithmetic::minimum(*to, by),
            }),
            _ => return false,
        }
        return true;
    }
    let ElementType::Integer { width, .. } = input.element else { return false };
    macro_rules! by_type {
        ($($variant:ident),*) => {
            match (buffer_pool::own(&mut input.data), &*update.data) {
                $((Data::$variant(input), Data::$variant(update)) => {
                    integers(binary, width.into(), input, update, starts, run)
                })*
                _ => false,
            }
        };
    }
    by_type!(I8, I16, I32, I64, U8, U16, U32, U64)
}

/// `results[to] = body(results[to], updates[from])` for the pairs (to, from) in order, in batches: the first update of every
/// element, then the second of every element that has one, and so on.
pub(crate) fn accumulate(
    results: &mut [Tensor],
    pairs: &[(usize, usize)],
    updates: &[Tensor],
    body: &Body,
    unique: bool,
) -> Result<(), EvalError> {
    if body.form() == Form::Second {
        for (result, update) in results.iter_mut().zip(updates) {
            each_storage!(Data, buffer_pool::own(&mut result.data), result => {
                let update = Stored::of(&update.data);
                for &(to, from) in pairs {
                    result[to] = update[from];
                }
            });
        }
        return Ok(());
    }
    if let (Form::Combine(binary), [result], [update]) = (body.form(), &mut *results, updates)
        && result.element == ElementType::Float(FloatType::F32)
        && let Some(combine) = combine_f32(binary)
        && let (Data::F32(result), Data::F32(update)) = (buffer_pool::own(&mut result.data), &*update.data)
    {
        for &(to, from) in pairs {
            combine(&mut result[to..=to], &update[from..=from]);
        }
        return Ok(());
    }
    let rounds = rounds(results[0].data.len(), pairs, unique);
    let lanes = rounds.first().map_or(0, Vec::len).min(BLOCK);
    let mut worker = body.worker(lanes);
    let room = |tensor: &Tensor| Data::zeros(&tensor.element, lanes);
    let mut old: Vec<Data> = results.iter().map(room).collect();
    let mut new: Vec<Data> = results.iter().map(room).collect();
    let mut taken: Vec<Data> = updates.iter().map(room).collect();
    for round in rounds {
        for block in round.chunks(BLOCK) {
            let lanes = block.len();
            for (old, result) in old.iter_mut().zip(results.iter()) {
                each_storage!(Data, old, old => pick(Stored::of(&result.data), block.iter().map(|pair| pair.0), old));
            }
            for (taken, update) in taken.iter_mut().zip(updates) {
                each_storage!(Data, taken, taken => {
                    pick(Stored::of(&update.data), block.iter().map(|pair| pair.1), taken);
                });
            }
            let inputs: Vec<View> =
                old.iter().chain(&taken).map(|data| data.view().range(0..lanes)).collect();
            let mut outputs: Vec<ViewMut> =
                new.iter_mut().map(|data| data.view_mut().split_at(lanes).0).collect();
            worker.apply(&inputs, lanes, &mut outputs)?;
            for (new, result) in new.iter().zip(results.iter_mut()) {
                each_storage!(Data, buffer_pool::own(&mut result.data), result => {
                    for (&(to, _), &new) in block.iter().zip(Stored::of(new)) {
                        result[to] = new;
                    }
                });
            }
        }
    }
    Ok(())
}

/// `target[i] = source[at[i]]`.
pub(crate) fn pick<T: Stored>(source: &[T], at: impl Iterator<Item = usize>, target: &mut [T]) {
    let source = T::units(source);
    for (target, at) in T::units_mut(target).iter_mut().zip(at) {
        *target = source[at];
    }
}

/// The pairs in rounds; a round updates no element twice.
fn rounds(length: usize, pairs: &[(usize, usize)], unique: bool) -> Vec<Vec<(usize, usize)>> {
    if unique {
        return vec![pairs.to_vec()];
    }
    let mut rounds: Vec<Vec<(usize, usize)>> = vec![];
    let mut put = |round: usize, pair| {
        if rounds.len() == round {
            rounds.push(vec![]);
        }
        rounds[round].push(pair);
    };
    if length / 8 > pairs.len() {
        let mut seen: HashMap<usize, usize> = HashMap::with_capacity(pairs.len());
        for &pair in pairs {
            let round = seen.entry(pair.0).or_insert(0);
            put(*round, pair);
            *round += 1;
        }
    } else {
        let mut seen = vec![0u32; length];
        for &pair in pairs {
            put(seen[pair.0] as usize, pair);
            seen[pair.0] += 1;
        }
    }
    rounds
}
