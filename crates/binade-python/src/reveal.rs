//! `reveal`: the arithmetic of a Python function that multiplies matrices.

use binade::Spec;
use binade_lab::reveal::{self, Operands, Options, ResultType, Results, RevealError, Size};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::value_error;

/// The report as text and as JSON, and the picture of the tree.
type Found = (String, String, Option<String>);

/// Probes a function. It takes the elements of A and B, flat arrays of f32 or f64, and returns the type of the product's elements
/// and their codes.
#[pyfunction]
pub(crate) fn reveal_function(
    py: Python<'_>,
    multiply: &Bound<'_, PyAny>,
    input: &str,
    size: [usize; 3],
) -> PyResult<Found> {
    let input: Spec = input.parse().map_err(value_error)?;
    let [rows, depth, columns] = size;
    let size: Size = format!("{rows}x{depth}x{columns}").parse().map_err(value_error)?;
    let options = Options { input, size };
    let wide = options.is_wide();
    let mut call = |operands: Operands<'_>| -> PyResult<Results> {
        let array = |values: &[f64]| match wide {
            true => PyArray1::from_slice(py, values).into_any(),
            false => {
                let narrow: Vec<f32> = values.iter().map(|&x| x as f32).collect();
                PyArray1::from_vec(py, narrow).into_any()
            }
        };
        let returned = multiply.call1((array(operands.a), array(operands.b)))?;
        let (element, codes): (String, PyReadonlyArray1<'_, u64>) = returned.extract()?;
        let element = match element.as_str() {
            "float16" => ResultType::F16,
            "bfloat16" => ResultType::Bf16,
            "float64" => ResultType::F64,
            _ => ResultType::F32,
        };
        Ok(Results { element, codes: codes.as_slice().map_err(value_error)?.to_vec() })
    };
    match reveal::reveal(&options, &mut call) {
        Ok(found) => Ok((found.to_string(), found.json().to_string(), found.picture())),
        Err(RevealError::Multiply(error)) => Err(error),
        Err(error) => Err(value_error(error)),
    }
}
