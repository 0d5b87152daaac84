//! Cutting tensors into equal parts, and joining them.

use crate::eval::shape;
use crate::tensor::Tensor;

/// The part of a tensor of these sizes that begins at `start`.
pub(crate) fn slice(tensor: &Tensor, start: &[usize], sizes: &[usize]) -> Tensor {
    shape::slice(tensor, start, &vec![1; sizes.len()], sizes)
}

/// The tensor of which `parts` are the parts, so many along each dimension, in row-major order.
pub(crate) fn join(parts: &[&Tensor], counts: &[usize]) -> Tensor {
    // From the last dimension on: what has been joined is one part along it.
    let mut joined: Vec<Tensor> = parts.iter().map(|&part| part.clone()).collect();
    for (axis, &count) in counts.iter().enumerate().rev().filter(|&(_, &count)| count > 1) {
        let row = |parts: &[Tensor]| shape::concatenate(&parts.iter().collect::<Vec<_>>(), axis);
        joined = joined.chunks(count).map(row).collect();
    }
    joined.swap_remove(0)
}
