//! Compares tensors for the assertions `check.expect_*`.

use std::fmt;

use binade_stablehlo::ir::Tolerance;
use binade_stablehlo::{Data, ElementType, FloatType, Tensor, View};

use crate::arithmetic::convert;
use crate::error::{Difference, EvalError};

/// The tolerance as text.
struct Allowed(Tolerance);

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            Tolerance::Equal => Ok(()),
            Tolerance::Absolute(most) => write!(f, "a difference of {most:e}"),
            Tolerance::Ulps { min, max } => write!(f, "{min} to {max} ulps"),
        }
    }
}

/// Checks that two tensors agree within the tolerance. NaN agrees with NaN, −0 with +0, and an infinity only with itself. Ulps
/// are steps between neighbouring numbers of the element type. Components of complex numbers are compared one by one.
///
/// # Errors
/// If they differ: in type or shape, or in an element.
pub fn expect(tolerance: Tolerance, actual: &Tensor, expected: &Tensor) -> Result<(), EvalError> {
    if actual.element != expected.element || actual.shape != expected.shape {
        let text = |tensor: &Tensor| format!("{:?} of {}", tensor.shape, tensor.element);
        let facts = format!(
            "actual and expected values must have the same type: got {} for {}",
            text(actual),
            text(expected)
        );
        return Err(EvalError::shape("check.expect", facts));
    }
    let length = actual.data.len();
    let agrees = |i: usize| {
        let (a, b) = (components(actual, i), components(expected, i));
        match (a, b) {
            (Components::Integer(a), Components::Integer(b)) => match tolerance {
                Tolerance::Equal => a == b,
                Tolerance::Absolute(most) => (a.abs_diff(b) as f64) <= most,
                Tolerance::Ulps { min, max } => (min as u128..=max as u128).contains(&a.abs_diff(b)),
            },
            (Components::Float(float, a), Components::Float(_, b)) => match tolerance {
                Tolerance::Ulps { min, max } => {
                    let [first, second] = [0, 1].map(|part| ulps(float, a[part], b[part]));
                    (min..=max).contains(&first.max(second))
                }
                _ => close(tolerance, float, a[0], b[0]) && close(tolerance, float, a[1], b[1]),
            },
            _ => false,
        }
    };
    let mut wrong = (0..length).filter(|&i| !agrees(i));
    let Some(first) = wrong.next() else { return Ok(()) };
    let count = 1 + wrong.count();
    let mut index = vec![0; actual.shape.len()];
    let mut left = first;
    for (place, &size) in index.iter_mut().zip(&actual.shape).rev() {
        *place = left % size;
        left /= size;
    }
    Err(EvalError::Check(Difference {
        index,
        expected: text(expected, first),
        actual: text(actual, first),
        allowed: Allowed(tolerance).to_string(),
        count,
        of: length,
    }))
}

/// An element to compare: an integer, or the codes of one or two floating-point numbers.
enum Components {
    Integer(i128),
    Float(FloatType, [u64; 2]),
}

fn components(tensor: &Tensor, i: usize) -> Components {
    let float = match tensor.element {
        ElementType::Float(float) | ElementType::Complex(float) => Some(float),
        _ => None,
    };
    let code = |bits: u64, number: i128| match float {
        Some(float) => Components::Float(float, [bits, 0]),
        None => Components::Integer(number),
    };
    match tensor.data.view() {
        View::I8(x) => code(0, x[i] as i128),
        View::I16(x) => code(0, x[i] as i128),
        View::I32(x) => code(0, x[i] as i128),
        View::I64(x) => code(0, x[i] as i128),
        View::U8(x) => code(x[i] as u64, x[i] as i128),
        View::U16(x) => code(x[i] as u64, x[i] as i128),
        View::U32(x) => code(0, x[i] as i128),
        View::U64(x) => code(0, x[i] as i128),
        View::F32(x) => Components::Float(float.unwrap_or(FloatType::F32), [x[i].to_bits() as u64, 0]),
        View::F64(x) => Components::Float(FloatType::F64, [x[i].to_bits(), 0]),
        View::C64(x) => Components::Float(FloatType::F32, x[i].map(|x| x.to_bits() as u64)),
        View::C128(x) => Components::Float(FloatType::F64, x[i].map(f64::to_bits)),
    }
}

fn close(tolerance: Tolerance, float: FloatType, a: u64, b: u64) -> bool {
    let (x, y) = (float.value(a), float.value(b));
    if x.is_nan() || y.is_nan() {
        return x.is_nan() && y.is_nan();
    }
    match tolerance {
        Tolerance::Equal => x == y,
        Tolerance::Absolute(most) => x == y || (x - y).abs() <= most,
        Tolerance::Ulps { min, max } => (min..=max).contains(&ulps(float, a, b)),
    }
}

/// The number of steps between neighbouring numbers from one number to another. NaN and infinities have distance 0 to
/// themselves, and the greatest distance to all other numbers.
fn ulps(float: FloatType, a: u64, b: u64) -> u64 {
    let (x, y) = (float.value(a), float.value(b));
    if x.is_finite() && y.is_finite() {
        let distance = place_on_line(float, a).abs_diff(place_on_line(float, b));
        return u64::try_from(distance).unwrap_or(u64::MAX);
    }
    let same = x == y || (x.is_nan() && y.is_nan());
    if same { 0 } else { u64::MAX }
}

/// The number of steps from zero to a number, negative for negative numbers.
fn place_on_line(float: FloatType, code: u64) -> i128 {
    let sign = match float {
        FloatType::Tf32 => 1 << 31,
        _ => float.format().sign_bit(),
    };
    let magnitude = (code & !sign) as i128 >> if float == FloatType::Tf32 { 13 } else { 0 };
    if code & sign != 0 { -magnitude } else { magnitude }
}

/// An element in readable form.
pub(crate) fn text(tensor: &Tensor, i: usize) -> String {
    let number = |float: FloatType, code: u64| {
        let x = float.value(code);
        match float {
            FloatType::F64 => format!("{x:?}"),
            _ => format!("{:?}", x as f32),
        }
    };
    match components(tensor, i) {
        Components::Integer(x) if tensor.element == ElementType::Bool => (x != 0).to_string(),
        Components::Integer(x) => x.to_string(),
        Components::Float(float, [re, im]) => match tensor.element {
            ElementType::Complex(_) => format!("({}, {})", number(float, re), number(float, im)),
            _ => number(float, re),
        },
    }
}

/// The elements in binary64, for printing and for tests.
///
/// # Errors
/// If the tensor is quantized.
pub fn to_f64(x: &Tensor) -> Result<Vec<f64>, EvalError> {
    match convert::convert(x, &ElementType::Float(FloatType::F64))? {
        Data::F64(values) => Ok(values),
        _ => Err(EvalError::element("convert", &x.element)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(values: &[f32]) -> Tensor {
        Tensor::new(ElementType::Float(FloatType::F32), vec![values.len()], Data::F32(values.to_vec()))
    }

    fn codes(float: FloatType, codes: &[u8]) -> Tensor {
        Tensor::new(ElementType::Float(float), vec![codes.len()], Data::U8(codes.to_vec()))
    }

    #[test]
    fn tolerances() {
        let nan = f32::NAN;
        assert!(
            expect(
                Tolerance::Equal,
                &floats(&[nan, 0.0, f32::INFINITY]),
                &floats(&[nan, -0.0, f32::INFINITY])
            )
            .is_ok()
        );
        assert!(expect(Tolerance::Absolute(1e-4), &floats(&[1.00009]), &floats(&[1.0])).is_ok());
        assert!(expect(Tolerance::Absolute(1e-4), &floats(&[1.0002]), &floats(&[1.0])).is_err());
        assert!(expect(Tolerance::Absolute(1e-4), &floats(&[nan]), &floats(&[1.0])).is_err());
        let next = f32::from_bits(1.0f32.to_bits() + 3);
        let ulps = |min, max| expect(Tolerance::Ulps { min, max }, &floats(&[next]), &floats(&[1.0]));
        assert!(ulps(0, 3).is_ok() && ulps(0, 2).is_err() && ulps(4, 9).is_err());
        let around_zero = (codes(FloatType::F8E5M2FNUZ, &[0x01]), codes(FloatType::F8E5M2FNUZ, &[0x81]));
        let ulps = |max| expect(Tolerance::Ulps { min: 0, max }, &around_zero.0, &around_zero.1);
        assert!(ulps(2).is_ok() && ulps(1).is_err());
    }

    #[test]
    fn the_first_difference_is_told() {
        let shape = |values: &[f32]| Tensor { shape: vec![2, 2], ..floats(values) };
        let error = expect(Tolerance::Equal, &shape(&[1.0, 2.0, 4.0, 5.0]), &shape(&[1.0, 2.0, 3.0, 4.0]));
        assert_eq!(error.unwrap_err().to_string(), "expected 3.0 at [1, 0], got 4.0; 2 of 4 elements differ");
        let error = expect(Tolerance::Absolute(1e-4), &floats(&[1.0]), &floats(&[2.0])).unwrap_err();
        assert_eq!(error.to_string(), "expected 2.0 at [0], got 1.0 (a difference of 1e-4 allowed)");
    }
}
