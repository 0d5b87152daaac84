//! `dot_general`.

use std::ops::Range;
use std::sync::Arc;

use binade_fma::{Matrix, MatrixMut, Multiplier};

use super::{
    Arithmetic, F32, F64, How, I32, Plan, SINGLE, Sizes, multiplier, permuted, rounding_to, strides,
};
use crate::eval::convert::convert;
use crate::eval::error::EvalError;
use crate::eval::quantized;
use crate::ir::{DotAlgorithm, DotDimensions};
use crate::spare;
use crate::storage::each_storage;
use crate::tensor::{Data, Tensor};
use crate::types::{ElementType, FloatType};

/// Sums of products over the contracted dimensions, for each index of the batching ones. The result's dimensions are
/// the batching ones, then the others of `lhs`, then the others of `rhs`.
///
/// An algorithm is obeyed in either semantics: operands are rounded to the precision types; with 3, 6 or 9 primitive
/// operations (or several components) they are split into parts of that type, a = a₀ + a₁ (+ a₂), and the products of
/// parts whose indices add up to at most 1, 2 or 4 are accumulated one after the other, the smallest first; where the
/// sum of all but a₀ · b₀ is NaN, as infinite operands make it, it counts as 0. Sums are formed in the accumulation type.
///
/// # Errors
/// If dimensions do not fit, or an algorithm is one for numbers that the operands are not.
pub fn dot_general(
    lhs: &Tensor,
    rhs: &Tensor,
    dimensions: &DotDimensions,
    algorithm: Option<&DotAlgorithm>,
    result: &ElementType,
    arithmetic: Arithmetic,
) -> Result<Tensor, EvalError> {
    let of_numbers = |lhs: &Tensor, rhs: &Tensor, element: &ElementType| {
        dot_general(lhs, rhs, dimensions, algorithm, element, arithmetic)
    };
    if let Some(product) = quantized::product(lhs, rhs, result, of_numbers) {
        return product;
    }
    let shapes = Shapes::new(lhs, rhs, dimensions)?;
    if let (Some(algorithm), None) = (algorithm, arithmetic.multiplier) {
        return by_algorithm(lhs, rhs, &shapes, algorithm, result);
    }
    let plan = Plan::new("dot_general", &lhs.element, &rhs.element, result, arithmetic)?;
    let plan = plan.shared_out(shapes.sizes.products());
    let (a, b) = (plan.operand(lhs)?, plan.operand(rhs)?);
    let mut sums = Data::empty(&plan.working);
    let length = shapes.result.iter().product();
    each_storage!(Data, &mut sums, sums => *sums = spare::zeros(length));
    shapes.multiply(&plan, &a, &b, &mut sums)?;
    plan.finish(sums, shapes.result, result)
}

/// An operand: its dimensions by what they are, and how to find its elements as matrices.
struct Side {
    shape: Vec<usize>,
    batching: Vec<usize>,
    free: Vec<usize>,
    contracting: Vec<usize>,
}

struct Shapes {
    lhs: Side,
    rhs: Side,
    sizes: Sizes,
    result: Vec<usize>,
}

impl Side {
    fn new(x: &Tensor, batching: &[usize], contracting: &[usize]) -> Result<Side, EvalError> {
        let rank = x.shape.len();
        let mut used = vec![false; rank];
        for &dimension in batching.iter().chain(contracting) {
            if dimension >= rank || std::mem::replace(&mut used[dimension], true) {
                let facts = format!("dimension {dimension} of {:?} is not there or used twice", x.shape);
                return Err(EvalError::shape("dot_general", facts));
            }
        }
        Ok(Side {
            shape: x.shape.clone(),
            batching: batching.to_vec(),
            free: (0..rank).filter(|&dimension| !used[dimension]).collect(),
            contracting: contracting.to_vec(),
        })
    }

    fn sizes(&self, dimensions: &[usize]) -> Vec<usize> {
        dimensions.iter().map(|&dimension| self.shape[dimension]).collect()
    }

    fn count(&self, dimensions: &[usize]) -> usize {
        dimensions.iter().map(|&dimension| self.shape[dimension]).product()
    }

    /// The stride of several dimensions taken as one, if they are one.
    fn merged(&self, dimensions: &[usize]) -> Option<usize> {
        let all = strides(&self.shape);
        let mut several = dimensions.iter().rev().filter(|&&dimension| self.shape[dimension] != 1);
        let &last = several.next().or(dimensions.last())?;
        let mut expected = all[last] * self.shape[last];
        for &dimension in several {
            if all[dimension] != expected {
                return None;
            }
            expected *= self.shape[dimension];
        }
        Some(all[last])
    }

    /// Where each index of the batching dimensions begins.
    fn starts(&self) -> Vec<usize> {
        let all = strides(&self.shape);
        let mut starts = vec![0];
        for &dimension in &self.batching {
            let steps = |start: &usize| {
                let start = *start;
                (0..self.shape[dimension]).map(move |i| (start, i))
            };
            starts = starts.iter().flat_map(steps).map(|(start, i)| start + i * all[dimension]).collect();
        }
        starts
    }

    /// Elements that the matrix at a start is within.
    fn span(&self, start: usize) -> Range<usize> {
        start..self.shape.iter().product()
    }
}

impl Shapes {
    fn new(lhs: &Tensor, rhs: &Tensor, dimensions: &DotDimensions) -> Result<Shapes, EvalError> {
        let left = Side::new(lhs, &dimensions.lhs_batching, &dimensions.lhs_contracting)?;
        let right = Side::new(rhs, &dimensions.rhs_batching, &dimensions.rhs_contracting)?;
        for (what, a, b) in [
            ("batching", &left.batching, &right.batching),
            ("contracting", &left.contracting, &right.contracting),
        ] {
            let (a, b) = (left.sizes(a), right.sizes(b));
            if a != b {
                return Err(EvalError::shape(
                    "dot_general",
                    format!("{what} dimensions are {a:?} and {b:?}"),
                ));
            }
        }
        let mut result = left.sizes(&left.batching);
        result.extend(left.sizes(&left.free));
        result.extend(right.sizes(&right.free));
        let sizes = Sizes {
            batch: left.count(&left.batching),
            rows: left.count(&left.free),
            depth: left.count(&left.contracting),
            columns: right.count(&right.free),
        };
        Ok(Shapes { lhs: left, rhs: right, sizes, result })
    }

    /// Adds the products to sums of the plan's working type.
    fn multiply(&self, plan: &Plan, a: &Data, b: &Data, sums: &mut Data) -> Result<(), EvalError> {
        if let (How::Multiplier(multiplier), Data::F32(a), Data::F32(b), Data::F32(sums)) =
            (&plan.how, a, b, &mut *sums)
            && self.in_place(multiplier, a, b, sums)?
        {
            return Ok(());
        }
        let order = |first: &[usize], second: &[usize], third: &[usize]| [first, second, third].concat();
        let Shapes { lhs, rhs, .. } = self;
        let left = order(&lhs.batching, &lhs.free, &lhs.contracting);
        let right = order(&rhs.batching, &rhs.contracting, &rhs.free);
        let ordered = |order: &[usize]| order.windows(2).all(|pair| pair[0] < pair[1]);
        let (packed_a, packed_b);
        let a = if ordered(&left) {
            a
        } else {
            packed_a = permuted(a, &lhs.shape, &left);
            &packed_a
        };
        let b = if ordered(&right) {
            b
        } else {
            packed_b = permuted(b, &rhs.shape, &right);
            &packed_b
        };
        plan.multiply(self.sizes, a, b, sums)
    }

    /// Without moving the operands, if their dimensions are those of matrices; false if not.
    fn in_place(
        &self,
        multiplier: &Multiplier,
        a: &[f32],
        b: &[f32],
        sums: &mut [f32],
    ) -> Result<bool, EvalError> {
        let Sizes { rows, depth, columns, .. } = self.sizes;
        if rows * columns * depth == 0 {
            return Ok(true);
        }
        // One without dimensions has one index.
        let stride = |side: &Side, dimensions: &[usize]| {
            if dimensions.is_empty() { Some(1) } else { side.merged(dimensions) }
        };
        let strides = (
            stride(&self.lhs, &self.lhs.free),
            stride(&self.lhs, &self.lhs.contracting),
            stride(&self.rhs, &self.rhs.contracting),
            stride(&self.rhs, &self.rhs.free),
        );
        let (Some(a_row), Some(a_depth), Some(b_depth), Some(b_column)) = strides else { return Ok(false) };
        let left = self
            .lhs
            .starts()
            .into_iter()
            .map(|start| Matrix::with_strides(&a[self.lhs.span(start)], rows, depth, a_row, a_depth));
        let right =
            self.rhs.starts().into_iter().map(|start| {
                Matrix::with_strides(&b[self.rhs.span(start)], depth, columns, b_depth, b_column)
            });
        let targets = sums.chunks_exact_mut(rows * columns).map(|c| MatrixMut::new(c, rows, columns));
        multiplier.multiply_batch(
            &left.collect::<Result<Vec<_>, _>>()?,
            &right.collect::<Result<Vec<_>, _>>()?,
            targets.collect::<Result<_, _>>()?,
        )?;
        Ok(true)
    }
}

fn by_algorithm(
    lhs: &Tensor,
    rhs: &Tensor,
    shapes: &Shapes,
    algorithm: &DotAlgorithm,
    result: &ElementType,
) -> Result<Tensor, EvalError> {
    let refused = || EvalError::element("a dot algorithm", &lhs.element);
    let plan = match &algorithm.accumulation {
        ElementType::Float(FloatType::F32) => Plan { working: F32, how: How::Multiplier(SINGLE.clone()) },
        ElementType::Float(FloatType::F64) => Plan { working: F64, how: How::Plain },
        ElementType::Float(float) => {
            Plan { working: F32, how: How::Multiplier(multiplier(rounding_to(*float))) }
        }
        ElementType::Integer { .. } => Plan { working: I32, how: How::Plain },
        _ => return Err(refused()),
    };
    let plan = plan.shared_out(shapes.sizes.products());
    let parts = algorithm.parts();
    let split = |x: &Tensor, precision: &ElementType| split(x, precision, parts, &plan.working);
    let (a, b) = (split(lhs, &algorithm.lhs_precision)?, split(rhs, &algorithm.rhs_precision)?);
    let length = shapes.result.iter().product();
    let mut sums = Data::zeros(&plan.working, length);
    // The greatest sum of indices: all products of 4 and 9, those of leading order of 3 and 6.
    let reach = if matches!(algorithm.primitive_operations, 4 | 9) { 2 * (parts - 1) } else { parts - 1 };
    for order in (1..=reach).rev() {
        for i in (0..parts).rev().filter(|&i| i <= order && order - i < parts) {
            shapes.multiply(&plan, &a[i], &b[order - i], &mut sums)?;
        }
    }
    match &mut sums {
        Data::F32(sums) => sums.iter_mut().filter(|sum| sum.is_nan()).for_each(|sum| *sum = 0.0),
        Data::F64(sums) => sums.iter_mut().filter(|sum| sum.is_nan()).for_each(|sum| *sum = 0.0),
        _ => {}
    }
    shapes.multiply(&plan, &a[0], &b[0], &mut sums)?;
    plan.finish(sums, shapes.result.clone(), result)
}

/// A tensor's values as a sum of values of a type, each the nearest to what is left, in the working type.
fn split(
    x: &Tensor,
    precision: &ElementType,
    parts: usize,
    working: &ElementType,
) -> Result<Vec<Arc<Data>>, EvalError> {
    let tensor = |element: &ElementType, data| Tensor::new(element.clone(), x.shape.clone(), data);
    let mut all = vec![];
    let mut rest = x.clone();
    for number in 0..parts {
        let part = tensor(precision, convert(&rest, precision)?);
        all.push(Arc::new(convert(&part, working)?));
        if number + 1 < parts {
            let part = convert(&part, &F64)?;
            let (Data::F64(mut left), Data::F64(part)) = (convert(&rest, &F64)?, part) else {
                return Err(EvalError::element("a dot algorithm", precision));
            };
            left.iter_mut().zip(part).for_each(|(left, part)| *left -= part);
            rest = tensor(&F64, Data::F64(left));
        }
    }
    Ok(all)
}
