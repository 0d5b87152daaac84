//! Evaluates `batch_norm_inference`, `batch_norm_training` and `batch_norm_grad` as the specification's compositions of
//! other operations. Each of these is rounded to the element type.

use std::sync::Arc;

use binade_stablehlo::ir::{Binary, Unary};
use binade_stablehlo::{Data, ElementType, FloatType, Tensor};

use super::convert::convert;
use super::elementwise;
use crate::error::EvalError;
use crate::movement::shape::broadcast_in_dim;

/// Sums over all dimensions except one.
pub(crate) type Sums<'a> = dyn Fn(&Tensor, usize) -> Result<Tensor, EvalError> + 'a;

fn binary(op: Binary, x: &Tensor, y: &Tensor) -> Result<Tensor, EvalError> {
    let data = Arc::new(elementwise::binary(op, x, y, &x.element)?);
    Ok(Tensor { data, ..x.clone() })
}

fn add(x: &Tensor, y: &Tensor) -> Result<Tensor, EvalError> {
    binary(Binary::Add, x, y)
}

fn subtract(x: &Tensor, y: &Tensor) -> Result<Tensor, EvalError> {
    binary(Binary::Subtract, x, y)
}

fn multiply(x: &Tensor, y: &Tensor) -> Result<Tensor, EvalError> {
    binary(Binary::Multiply, x, y)
}

fn divide(x: &Tensor, y: &Tensor) -> Result<Tensor, EvalError> {
    binary(Binary::Divide, x, y)
}

/// A tensor of the shape of `x` filled with a number.
fn constant(value: f64, x: &Tensor) -> Result<Tensor, EvalError> {
    let scalar = Tensor::new(ElementType::Float(FloatType::F64), vec![], Data::F64(vec![value]));
    let data = Arc::new(convert(&scalar, &x.element)?);
    Ok(broadcast_in_dim(&Tensor { element: x.element.clone(), shape: vec![], data }, &[], &x.shape))
}

/// The values that all three operations use: x − mean, and √(variance + ε), each in the shape of x.
struct Centered {
    centered: Tensor,
    deviation: Tensor,
    /// variance + ε
    variance: Tensor,
}

fn center(
    x: &Tensor,
    mean: &Tensor,
    variance: &Tensor,
    epsilon: f32,
    feature: usize,
) -> Result<Centered, EvalError> {
    let spread = |tensor: &Tensor| broadcast_in_dim(tensor, &[feature], &x.shape);
    let variance = add(variance, &constant(epsilon.into(), variance)?)?;
    let root = elementwise::unary(Unary::Sqrt, &variance, &variance.element)?;
    let deviation = Tensor { data: Arc::new(root), ..variance.clone() };
    Ok(Centered {
        centered: subtract(x, &spread(mean))?,
        deviation: spread(&deviation),
        variance: spread(&variance),
    })
}

/// Operands: x, scale, offset, mean, variance.
pub(crate) fn inference(operands: &[Tensor], epsilon: f32, feature: usize) -> Result<Tensor, EvalError> {
    let [x, scale, offset, mean, variance] = operands else {
        return Err(EvalError::shape("batch_norm_inference", "five operands are needed"));
    };
    let Centered { centered, deviation, .. } = center(x, mean, variance, epsilon, feature)?;
    let spread = |tensor: &Tensor| broadcast_in_dim(tensor, &[feature], &x.shape);
    add(&multiply(&spread(scale), &divide(&centered, &deviation)?)?, &spread(offset))
}

/// The number of elements that share a feature.
fn count(x: &Tensor, feature: usize) -> f64 {
    x.data.len() as f64 / x.shape[feature] as f64
}

/// Operands: x, scale, offset. Results: the normalized tensor, the batch's mean and its variance.
pub(crate) fn training(
    operands: &[Tensor],
    epsilon: f32,
    feature: usize,
    sums: &Sums,
) -> Result<Vec<Tensor>, EvalError> {
    let [x, scale, offset] = operands else {
        return Err(EvalError::shape("batch_norm_training", "three operands are needed"));
    };
    let mean_of = |x: &Tensor| {
        let sum = sums(x, feature)?;
        divide(&sum, &constant(count(x, feature), &sum)?)
    };
    let mean = mean_of(x)?;
    let centered = subtract(x, &broadcast_in_dim(&mean, &[feature], &x.shape))?;
    let variance = mean_of(&multiply(&centered, &centered)?)?;
    let all = [x, scale, offset, &mean, &variance].map(Tensor::clone);
    Ok(vec![inference(&all, epsilon, feature)?, mean, variance])
}

/// Operands: x, scale, mean, variance, gradient of the output. Results: gradients of x, scale and offset.
pub(crate) fn gradient(
    operands: &[Tensor],
    epsilon: f32,
    feature: usize,
    sums: &Sums,
) -> Result<Vec<Tensor>, EvalError> {
    let [x, scale, mean, variance, output] = operands else {
        return Err(EvalError::shape("batch_norm_grad", "five operands are needed"));
    };
    let spread = |tensor: &Tensor| broadcast_in_dim(tensor, &[feature], &x.shape);
    let Centered { centered, deviation, variance } = center(x, mean, variance, epsilon, feature)?;
    let n = constant(count(x, feature), x)?;
    let offset = sums(output, feature)?;
    let along = sums(&multiply(output, &centered)?, feature)?;
    // scale / deviation / n · (n·g − Σg − (x − mean)·Σ(g·(x − mean)) / (variance + ε))
    let pulled = divide(&multiply(&spread(&along), &centered)?, &variance)?;
    let inner = subtract(&subtract(&multiply(output, &n)?, &spread(&offset))?, &pulled)?;
    let outer = divide(&divide(&spread(scale), &deviation)?, &n)?;
    let of_scale = sums(&multiply(output, &divide(&centered, &deviation)?)?, feature)?;
    Ok(vec![multiply(&outer, &inner)?, of_scale, offset])
}
