//! Evaluates `iota`, and makes the counters of kernels.

use std::sync::Arc;

use binade_stablehlo::{Data, ElementType, Tensor};

use super::{convert, quantized};
use crate::error::EvalError;
use crate::movement::shape;

/// The counter 0, 1, 2, … of an element type, rounded to it.
pub(crate) fn counter(size: usize, element: &ElementType) -> Result<Tensor, EvalError> {
    let long = ElementType::Integer { signed: true, width: 64 };
    let indices =
        Tensor { element: long, shape: vec![size], data: Arc::new(Data::I64((0..size as i64).collect())) };
    let data = match element {
        ElementType::Quantized(quantized) => {
            let expressed = ElementType::Float(quantized.expressed);
            let data = Arc::new(convert::convert(&indices, &expressed)?);
            quantized::quantize(&Tensor { element: expressed, shape: vec![size], data }, quantized)?
        }
        _ => convert::convert(&indices, element)?,
    };
    Ok(Tensor { element: element.clone(), shape: vec![size], data: Arc::new(data) })
}

/// `iota`.
pub(crate) fn iota(element: &ElementType, dimension: usize, shape: &[usize]) -> Result<Tensor, EvalError> {
    if shape.contains(&0) {
        return Ok(Tensor::new(element.clone(), shape.to_vec(), Data::zeros(element, 0)));
    }
    let counter = counter(shape[dimension], element)?;
    Ok(shape::broadcast_in_dim(&counter, &[dimension], shape))
}
