//! Cutting tensors into equal parts, and joining them.

use std::sync::Arc;

use crate::eval::{elementwise, shape};
use crate::ir::Binary;
use crate::tensor::{Data, Tensor};
use crate::types::ElementType;

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

/// A tensor of zeros.
pub(crate) fn zeros(element: &ElementType, shape: Vec<usize>) -> Tensor {
    let data = Data::zeros(element, shape.iter().product());
    Tensor { element: element.clone(), shape, data: Arc::new(data) }
}

/// The sum of tensors of one type, from the first to the last; none if the type has no sums.
pub(crate) fn sum(terms: &[&Tensor]) -> Option<Tensor> {
    let (&first, rest) = terms.split_first()?;
    rest.iter().try_fold(first.clone(), |total, term| {
        let data = elementwise::binary(Binary::Add, &total, term, &first.element).ok()?;
        Some(Tensor { data: Arc::new(data), ..total })
    })
}
