//! Evaluates `chlo.ragged_dot`: a dimension of the left side is cut into groups, each with its own product.

use std::sync::Arc;

use binade_stablehlo::ir::{DotDimensions, RaggedDot};
use binade_stablehlo::{Data, ElementType, Tensor};

use super::dot_general;
use super::products::Arithmetic;
use crate::error::EvalError;
use crate::movement::layout::advance;
use crate::movement::shape::{dynamic_update_slice, integers, reshape, slice};

/// A range of indices along one dimension.
fn narrowed(x: Tensor, dimension: usize, start: usize, length: usize) -> Tensor {
    let mut shape = x.shape.clone();
    let mut from = vec![0; shape.len()];
    (from[dimension], shape[dimension]) = (start, length);
    slice(&x, &from, &vec![1; shape.len()], &shape)
}

/// Computes each group's product by `dot_general`. Elements of the result that belong to no group are zero.
///
/// # Errors
/// If a group's size is negative, or the product is not defined.
pub(crate) fn ragged_dot(
    lhs: &Tensor,
    rhs: &Tensor,
    sizes: &Tensor,
    op: &RaggedDot,
    result: &ElementType,
    arithmetic: Arithmetic,
) -> Result<Tensor, EvalError> {
    let d = &op.dimensions;
    let groups = sizes.shape.last().copied().unwrap_or(0);
    let shape = op.shape(&lhs.shape, &rhs.shape, groups);
    let mut sums = Tensor {
        element: result.clone(),
        data: Arc::new(Data::zeros(result, shape.iter().product())),
        shape,
    };
    // One list of sizes for all, or one for each index of the dimensions before the ragged one.
    let prefix = if sizes.shape.len() == 1 { vec![] } else { op.prefix(lhs.shape.len()) };
    let counts: Vec<usize> = prefix.iter().map(|&dimension| lhs.shape[dimension]).collect();
    let contracted = d.lhs_contracting.contains(&op.ragged);
    let left = d.lhs_free(lhs.shape.len());
    // The result's dimension for a dimension of the left side.
    let place = |dimension: usize| {
        let all = d.lhs_batching.iter().chain(&left);
        all.into_iter().position(|&other| other == dimension).map(|at| at + usize::from(contracted))
    };
    // The right side's dimension for a dimension of the left side.
    let across = |dimension: usize| {
        let pairs = d.lhs_batching.iter().zip(&d.rhs_batching);
        pairs.chain(d.lhs_contracting.iter().zip(&d.rhs_contracting)).find(|pair| *pair.0 == dimension)
    };
    // The dimension without that of groups.
    let shifted = |dimension: usize| dimension - usize::from(op.group.is_some_and(|group| group < dimension));
    let dimensions = DotDimensions {
        rhs_batching: d.rhs_batching.iter().map(|&dimension| shifted(dimension)).collect(),
        rhs_contracting: d.rhs_contracting.iter().map(|&dimension| shifted(dimension)).collect(),
        ..d.clone()
    };
    let sizes = integers(sizes);
    let mut index = vec![0; prefix.len()];
    for sizes in sizes.chunks_exact(groups.max(1)) {
        let (mut a, mut b, mut to) = (lhs.clone(), rhs.clone(), vec![0; sums.shape.len()]);
        for (&dimension, &at) in prefix.iter().zip(&index) {
            a = narrowed(a, dimension, at, 1);
            if let Some((_, &other)) = across(dimension) {
                b = narrowed(b, other, at, 1);
            }
            if let Some(place) = place(dimension) {
                to[place] = at;
            }
        }
        let mut start = 0;
        for (group, &size) in sizes.iter().enumerate() {
            let size = usize::try_from(size).map_err(|_| {
                let facts = format!("group {group}: the size must not be negative: got {size}");
                EvalError::shape("chlo.ragged_dot", facts)
            })?;
            let length = size.min(lhs.shape[op.ragged] - start);
            let a = narrowed(a.clone(), op.ragged, start, length);
            let mut b = match across(op.ragged) {
                Some((_, &other)) => narrowed(b.clone(), other, start, length),
                None => b.clone(),
            };
            if let Some(dimension) = op.group {
                b = narrowed(b, dimension, group, 1);
                let mut shape = b.shape.clone();
                shape.remove(dimension);
                b = reshape(b, &shape);
            }
            let mut product = dot_general(&a, &b, &dimensions, None, result, arithmetic)?;
            if contracted {
                let shape = [&[1], &product.shape[..]].concat();
                product = reshape(product, &shape);
                to[0] = group;
            } else if let Some(place) = place(op.ragged) {
                to[place] = start;
            }
            let to: Vec<i64> = to.iter().map(|&at| at as i64).collect();
            sums = dynamic_update_slice(sums, &product, &to);
            start += length;
        }
        advance(&mut index, &counts);
    }
    Ok(sums)
}
