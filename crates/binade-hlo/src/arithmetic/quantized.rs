//! Quantized tensors: quantization, dequantization, and operations by the specification's `dequantize_op_quantize`.
//! Every step is rounded in the expressed type.

use std::sync::Arc;

use binade_stablehlo::ir::{Binary, Direction, Order, Unary};
use binade_stablehlo::{Data, ElementType, FloatType, Quantized, Tensor, View};

use super::elementwise;
use crate::error::EvalError;

/// The number of consecutive elements with one scale, and the number of scales: element i has scale (i / run) mod
/// count.
fn runs(quantized: &Quantized, shape: &[usize]) -> (usize, usize) {
    match quantized.axis {
        Some(axis) if axis < shape.len() => {
            (shape[axis + 1..].iter().product::<usize>().max(1), quantized.scales.len().max(1))
        }
        _ => (1, 1),
    }
}

fn stored(data: &Data) -> Result<Vec<i64>, EvalError> {
    Ok(match data.view() {
        View::I8(x) => x.iter().map(|&x| x as i64).collect(),
        View::I16(x) => x.iter().map(|&x| x as i64).collect(),
        View::I32(x) => x.iter().map(|&x| x as i64).collect(),
        View::I64(x) => x.to_vec(),
        View::U8(x) => x.iter().map(|&x| x as i64).collect(),
        View::U16(x) => x.iter().map(|&x| x as i64).collect(),
        View::U32(x) => x.iter().map(|&x| x as i64).collect(),
        View::U64(x) => x.iter().map(|&x| x as i64).collect(),
        _ => return Err(EvalError::shape("uniform_dequantize", "the storage is not of integers")),
    })
}

/// (stored − zero point) · scale.
///
/// # Errors
/// If the tensor is not quantized.
pub fn dequantize(x: &Tensor) -> Result<Tensor, EvalError> {
    let ElementType::Quantized(quantized) = &x.element else {
        return Err(EvalError::element("uniform_dequantize", &x.element));
    };
    let float = quantized.expressed;
    let (run, count) = runs(quantized, &x.shape);
    let value = |(i, stored): (usize, i64)| {
        let channel = i / run % count;
        let centred = float.round(stored as f64) - float.round(quantized.zero_points[channel] as f64);
        float.round(float.round(centred) * float.round(quantized.scales[channel]))
    };
    let values: Vec<f64> = stored(&x.data)?.into_iter().enumerate().map(value).collect();
    let wide = Tensor::new(ElementType::Float(FloatType::F64), x.shape.clone(), Data::F64(values));
    let data = crate::arithmetic::convert::convert(&wide, &ElementType::Float(float))?;
    Ok(Tensor::new(ElementType::Float(float), x.shape.clone(), data))
}

/// x / scale + zero point, clamped to the storage's range and rounded to nearest even.
///
/// # Errors
/// If the tensor is not of a floating-point type.
pub fn quantize(x: &Tensor, to: &Arc<Quantized>) -> Result<Data, EvalError> {
    let ElementType::Float(_) = x.element else {
        return Err(EvalError::element("uniform_quantize", &x.element));
    };
    let Data::F64(values) = crate::arithmetic::convert::convert(x, &ElementType::Float(FloatType::F64))?
    else {
        return Err(EvalError::element("uniform_quantize", &x.element));
    };
    let float = to.expressed;
    let (run, count) = runs(to, &x.shape);
    let (least, most) = (to.storage_min as f64, to.storage_max as f64);
    let code = |(i, x): (usize, f64)| {
        let channel = i / run % count;
        let scaled = float.round(x / float.round(to.scales[channel]));
        let moved = float.round(scaled + float.round(to.zero_points[channel] as f64));
        let code = moved.max(least).min(most).round_ties_even();
        if moved.is_nan() { 0.0 } else { code }
    };
    let codes: Vec<f64> = values.into_iter().enumerate().map(code).collect();
    let codes = Tensor::new(ElementType::Float(FloatType::F64), x.shape.clone(), Data::F64(codes));
    crate::arithmetic::convert::convert(&codes, &to.storage)
}

/// `uniform_quantize`, of floating-point numbers, or of quantized numbers after dequantization.
///
/// # Errors
/// If the result type is not quantized, or the operand's is neither quantized nor a floating-point one.
pub fn uniform_quantize(x: &Tensor, result: &ElementType) -> Result<Data, EvalError> {
    let ElementType::Quantized(to) = result else {
        return Err(EvalError::result("uniform_quantize", &x.element, result));
    };
    match x.element {
        ElementType::Quantized(_) => quantize(&dequantize(x)?, to),
        _ => quantize(x, to),
    }
}

/// Converts a result to the operation's result type.
pub(crate) fn requantize(x: Tensor, result: &ElementType) -> Result<Data, EvalError> {
    match result {
        ElementType::Quantized(to) => quantize(&x, to),
        _ => crate::arithmetic::convert::convert(&x, result),
    }
}

/// Dequantizes a tensor if it is quantized.
pub(crate) fn expressed(x: &Tensor) -> Result<Tensor, EvalError> {
    match x.element {
        ElementType::Quantized(_) => dequantize(x),
        _ => Ok(x.clone()),
    }
}

/// A product of dequantized operands; `None` if neither the operands nor the result are quantized.
pub(crate) fn product(
    lhs: &Tensor,
    rhs: &Tensor,
    result: &ElementType,
    product: impl FnOnce(&Tensor, &Tensor, &ElementType) -> Result<Tensor, EvalError>,
) -> Option<Result<Tensor, EvalError>> {
    if ![&lhs.element, &rhs.element, result]
        .iter()
        .any(|element| matches!(element, ElementType::Quantized(_)))
    {
        return None;
    }
    let of_numbers = || {
        let numbers = match result {
            ElementType::Quantized(to) => ElementType::Float(to.expressed),
            element => element.clone(),
        };
        let product = product(&expressed(lhs)?, &expressed(rhs)?, &numbers)?;
        let shape = product.shape.clone();
        Ok(Tensor::new(result.clone(), shape, requantize(product, result)?))
    };
    Some(of_numbers())
}

pub(crate) fn unary(op: Unary, x: &Tensor, result: &ElementType) -> Result<Data, EvalError> {
    let x = dequantize(x)?;
    if *result == ElementType::Bool {
        return elementwise::unary(op, &x, result);
    }
    let data = elementwise::unary(op, &x, &x.element)?;
    requantize(Tensor::new(x.element, x.shape, data), result)
}

pub(crate) fn binary(op: Binary, x: &Tensor, y: &Tensor, result: &ElementType) -> Result<Data, EvalError> {
    let (x, y) = (dequantize(x)?, expressed(y)?);
    let data = elementwise::binary(op, &x, &y, &x.element)?;
    requantize(Tensor::new(x.element, x.shape, data), result)
}

pub(crate) fn compare(direction: Direction, order: Order, x: &Tensor, y: &Tensor) -> Result<Data, EvalError> {
    elementwise::compare(direction, order, &dequantize(x)?, &expressed(y)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn per_axis() -> ElementType {
        ElementType::Quantized(Arc::new(Quantized {
            storage: ElementType::Integer { signed: true, width: 8 },
            storage_min: -128,
            storage_max: 127,
            expressed: FloatType::F32,
            axis: Some(0),
            scales: vec![0.5, 0.25],
            zero_points: vec![0, -10],
        }))
    }

    #[test]
    fn there_and_back_by_axis() {
        let codes = Tensor::new(per_axis(), vec![2, 2], Data::I8(vec![1, -4, 10, 127]));
        let values = dequantize(&codes).unwrap();
        let Data::F32(numbers) = &*values.data else { panic!("f32") };
        assert_eq!(*numbers, [0.5, -2.0, 5.0, 34.25]);
        let Data::I8(back) = uniform_quantize(&values, &per_axis()).unwrap() else { panic!("i8") };
        assert_eq!(back, [1, -4, 10, 127]);
    }

    #[test]
    fn ties_go_to_even_and_range_ends_hold() {
        let values = Tensor::new(
            ElementType::Float(FloatType::F32),
            vec![2, 2],
            Data::F32(vec![0.25, 0.75, 1e9, f32::NEG_INFINITY]),
        );
        let Data::I8(codes) = uniform_quantize(&values, &per_axis()).unwrap() else { panic!("i8") };
        assert_eq!(codes, [0, 2, 127, -128]);
    }

    #[test]
    fn sums_go_through_the_expressed_type() {
        let x = Tensor::new(per_axis(), vec![2, 1], Data::I8(vec![3, 10]));
        let Data::I8(sum) = elementwise::binary(Binary::Add, &x, &x, &per_axis()).unwrap() else {
            panic!("i8")
        };
        assert_eq!(sum, [6, 30]);
    }
}
