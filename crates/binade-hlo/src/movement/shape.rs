//! Operations that move elements without reading their values, for the machine.

use std::sync::Arc;

use binade_simd::threads;
use binade_stablehlo::storage::{Moved, Stored};
use binade_stablehlo::{Data, Tensor, each_storage, map_storage};

use super::layout::{self, Layout, row_major};
use crate::buffer_pool;

/// `x` read through a layout as a dense tensor.
fn read(x: &Tensor, shape: &[usize], from: &Layout) -> Tensor {
    let data = map_storage!(Data => Data, &*x.data, elements => layout::read(shape, elements, from));
    Tensor { element: x.element.clone(), shape: shape.to_vec(), data: Arc::new(data) }
}

/// The layout in which a broadcast reads an operand of shape `operand`: dimension i of the operand is `dimensions[i]` of the
/// result.
pub(crate) fn broadcast_layout(operand: &[usize], dimensions: &[usize], shape: &[usize]) -> Layout {
    let mut strides = vec![0; shape.len()];
    for ((&size, stride), &dimension) in operand.iter().zip(row_major(operand)).zip(dimensions) {
        if size != 1 {
            strides[dimension] = stride;
        }
    }
    Layout { offset: 0, strides }
}

/// `broadcast_in_dim`.
pub(crate) fn broadcast_in_dim(x: &Tensor, dimensions: &[usize], shape: &[usize]) -> Tensor {
    read(x, shape, &broadcast_layout(&x.shape, dimensions, shape))
}

/// `reshape`: the same elements.
pub(crate) fn reshape(x: Tensor, shape: &[usize]) -> Tensor {
    Tensor { shape: shape.to_vec(), ..x }
}

/// `transpose`.
pub(crate) fn transpose(x: &Tensor, permutation: &[usize]) -> Tensor {
    let strides = row_major(&x.shape);
    let shape: Vec<usize> = permutation.iter().map(|&dimension| x.shape[dimension]).collect();
    let strides = permutation.iter().map(|&dimension| strides[dimension]).collect();
    read(x, &shape, &Layout { offset: 0, strides })
}

/// `reverse`.
pub(crate) fn reverse(x: &Tensor, dimensions: &[usize]) -> Tensor {
    let mut from = Layout::dense(&x.shape);
    for &dimension in dimensions {
        let stride = &mut from.strides[dimension];
        from.offset += *stride * (x.shape[dimension] as isize - 1);
        *stride = -*stride;
    }
    read(x, &x.shape, &from)
}

/// `slice`. `shape` is the result's.
pub(crate) fn slice(x: &Tensor, start: &[usize], strides: &[usize], shape: &[usize]) -> Tensor {
    let dense = row_major(&x.shape);
    let offset = start.iter().zip(&dense).map(|(&start, &stride)| start as isize * stride).sum();
    let strides = strides.iter().zip(&dense).map(|(&by, &stride)| by as isize * stride).collect();
    read(x, shape, &Layout { offset, strides })
}

/// The start of a dynamic slice: the given starts, moved so that the slice is within the operand.
pub(crate) fn clamp_start(start: i64, size: usize, length: usize) -> usize {
    start.clamp(0, size as i64 - length as i64) as usize
}

/// `dynamic_slice`.
pub(crate) fn dynamic_slice(x: &Tensor, starts: &[i64], sizes: &[usize]) -> Tensor {
    let start: Vec<usize> = (starts.iter().zip(&x.shape).zip(sizes))
        .map(|((&start, &size), &length)| clamp_start(start, size, length))
        .collect();
    slice(x, &start, &vec![1; sizes.len()], sizes)
}

/// `dynamic_update_slice`, in place if the operand is not shared.
pub(crate) fn dynamic_update_slice(mut x: Tensor, update: &Tensor, starts: &[i64]) -> Tensor {
    let mut to = Layout::dense(&x.shape);
    for (at, &start) in starts.iter().enumerate() {
        to.offset += clamp_start(start, x.shape[at], update.shape[at]) as isize * to.strides[at];
    }
    let (shape, from) = (&update.shape, Layout::dense(&update.shape));
    each_storage!(Data, buffer_pool::own(&mut x.data), elements => {
        layout::copy(shape, Stored::of(&update.data), &from, elements, &to);
    });
    x
}

/// `concatenate`.
pub(crate) fn concatenate(inputs: &[&Tensor], dimension: usize) -> Tensor {
    let first = inputs[0];
    let mut shape = first.shape.clone();
    shape[dimension] = inputs.iter().map(|x| x.shape[dimension]).sum();
    let outer: usize = shape[..dimension].iter().product();
    // Each input has a run of this length for each index before the dimension.
    let runs: Vec<usize> = inputs.iter().map(|x| x.shape[dimension..].iter().product()).collect();
    fn join<T: Stored>(_: &[T], inputs: &[&Tensor], runs: &[usize], outer: usize) -> Vec<T> {
        let whole: usize = runs.iter().sum();
        // Every element is written below.
        let mut result = buffer_pool::elements(outer * whole);
        if whole > 0 {
            let inputs: Vec<&[T::Unit]> = inputs.iter().map(|x| T::units(T::of(&x.data))).collect();
            join_units(&inputs, runs, whole, T::units_mut(&mut result));
        }
        result
    }
    fn join_units<U: Moved>(inputs: &[&[U]], runs: &[usize], whole: usize, result: &mut [U]) {
        threads::chunks(result.len() >= layout::PARALLEL && whole >= 256, result, whole, |at, mut row| {
            for (input, &length) in inputs.iter().zip(runs) {
                let (head, tail) = row.split_at_mut(length);
                head.copy_from_slice(&input[at * length..(at + 1) * length]);
                row = tail;
            }
        });
    }
    let data = map_storage!(Data => Data, &*first.data, elements => join(elements, inputs, &runs, outer));
    Tensor { element: first.element.clone(), shape, data: Arc::new(data) }
}

/// `pad`. `shape` is the result's; padding at the edges may be negative.
pub(crate) fn pad(x: &Tensor, value: &Tensor, low: &[i64], interior: &[i64], shape: &[usize]) -> Tensor {
    let dense = row_major(&x.shape);
    let result = row_major(shape);
    let (mut from, mut to) = (Layout { offset: 0, strides: dense }, Layout { offset: 0, strides: vec![] });
    let mut kept = vec![];
    for at in 0..shape.len() {
        // Element i has index low + i · step; those with 0 ≤ index < size are kept. 128 bits do not overflow.
        let (step, size, low) = (i128::from(interior[at]) + 1, shape[at] as i128, i128::from(low[at]));
        let first = ((-low).max(0) + step - 1) / step;
        let last = (size - low + step - 1).div_euclid(step).min(x.shape[at] as i128);
        kept.push((last - first).max(0) as usize);
        if last <= first {
            to.strides.push(0);
            continue;
        }
        from.offset += first as isize * from.strides[at];
        to.offset += (low + first * step) as isize * result[at];
        to.strides.push(step as isize * result[at]);
    }
    let length = shape.iter().product();
    let data = map_storage!(Data => Data, &*x.data, elements => {
        let mut result = buffer_pool::filled(length, Stored::of(&value.data)[0]);
        layout::copy(&kept, elements, &from, &mut result, &to);
        result
    });
    Tensor { element: x.element.clone(), shape: shape.to_vec(), data: Arc::new(data) }
}

/// `torch_index_select`: `operand[…, index[i, …], …]` along `dimension`. The first `batch` dimensions are batching ones.
/// Indices are clamped to the operand.
pub(crate) fn torch_index_select(
    x: &Tensor,
    indices: &[i64],
    index: &[usize],
    dimension: usize,
    batch: usize,
) -> Tensor {
    let (size, inner) = (x.shape[dimension], x.shape[dimension + 1..].iter().product::<usize>());
    let batches: usize = x.shape[..batch].iter().product();
    let middle: usize = x.shape[batch..dimension].iter().product();
    let count: usize = index[batch..].iter().product();
    fn select<T: Stored>(x: &[T], indices: &[i64], size: usize, inner: usize, sizes: [usize; 3]) -> Vec<T> {
        let [batches, middle, count] = sizes;
        let mut result = Vec::with_capacity(batches * middle * count * inner);
        for batch in 0..batches {
            for row in 0..middle {
                for &index in &indices[batch * count..(batch + 1) * count] {
                    let index = clamp_start(index, size, 1);
                    let from = ((batch * middle + row) * size + index) * inner;
                    result.extend_from_slice(&x[from..from + inner]);
                }
            }
        }
        result
    }
    let sizes = [batches, middle, count];
    let data = map_storage!(Data => Data, &*x.data, x => select(x, indices, size, inner, sizes));
    let mut shape = x.shape[..dimension].to_vec();
    shape.extend(&index[batch..]);
    shape.extend(&x.shape[dimension + 1..]);
    Tensor { element: x.element.clone(), shape, data: Arc::new(data) }
}

/// The integers of a tensor of any integer type (or `i1`).
pub(crate) fn integers(x: &Tensor) -> Vec<i64> {
    match &*x.data {
        Data::I8(x) => x.iter().map(|&x| x.into()).collect(),
        Data::I16(x) => x.iter().map(|&x| x.into()).collect(),
        Data::I32(x) => x.iter().map(|&x| x.into()).collect(),
        Data::I64(x) => x.clone(),
        Data::U8(x) => x.iter().map(|&x| x.into()).collect(),
        Data::U16(x) => x.iter().map(|&x| x.into()).collect(),
        Data::U32(x) => x.iter().map(|&x| x.into()).collect(),
        // As an index: a number that does not fit is beyond any tensor.
        Data::U64(x) => x.iter().map(|&x| x.try_into().unwrap_or(i64::MAX)).collect(),
        Data::F32(_) | Data::F64(_) | Data::C64(_) | Data::C128(_) => vec![0; x.data.len()],
    }
}
