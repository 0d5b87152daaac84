//! Quantizers of recipes for the Python package: values of a matrix, and operands that several products share.

use binade::recipe::Quantizer;
use binade_fma::{Quantized, quantize};
use numpy::{PyArray1, PyReadonlyArray2, PyUntypedArrayMethods, ToPyArray};
use pyo3::prelude::*;

use crate::value_error;

/// A quantizer of a recipe: a format with options, as `float8_e4m3fn/scale=row`.
#[pyclass(frozen, name = "OperandQuantizer", module = "binade._binade")]
pub(crate) struct PyOperandQuantizer {
    quantizer: Quantizer,
}

#[pymethods]
impl PyOperandQuantizer {
    #[new]
    fn new(text: &str) -> PyResult<PyOperandQuantizer> {
        Ok(PyOperandQuantizer { quantizer: text.parse().map_err(value_error)? })
    }

    /// The canonical text.
    #[getter]
    fn name(&self) -> String {
        self.quantizer.to_string()
    }

    /// True if it changes no value.
    #[getter]
    fn none(&self) -> bool {
        self.quantizer.is_none()
    }

    /// True if elements are rounded stochastically.
    #[getter]
    fn stochastic(&self) -> bool {
        self.quantizer.is_stochastic()
    }

    /// The number of columns that share a scale; None without scales, or with one for a row or a tensor.
    #[getter]
    fn across(&self) -> Option<usize> {
        self.quantizer.blocks().map(|format| format.shape.1).filter(|&across| across < usize::MAX / 2)
    }

    /// Bits for each element of a matrix, with its scales.
    fn bits(&self, rows: usize, columns: usize) -> f64 {
        self.quantizer.bits(rows, columns)
    }

    /// The quantised values of a matrix, flat: each element times its scales, rounded to binary32 once.
    #[pyo3(signature = (values, seed = 0))]
    fn values<'py>(
        &self,
        py: Python<'py>,
        values: PyReadonlyArray2<'py, f32>,
        seed: u64,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let columns = values.shape()[1];
        let slice = values.as_slice().map_err(value_error)?;
        if slice.is_empty() {
            return Ok(slice.to_pyarray(py));
        }
        let quantised = py.detach(|| quantize(&self.quantizer, slice, columns, seed)).map_err(value_error)?;
        Ok(quantised.to_pyarray(py))
    }

    fn __repr__(&self) -> String {
        format!("OperandQuantizer('{}')", self.quantizer)
    }
}

/// The right operand of products, quantised once.
#[pyclass(frozen, name = "RightOperand", module = "binade._binade")]
pub(crate) struct PyRightOperand {
    pub(crate) right: Quantized,
    pub(crate) depth: usize,
    pub(crate) columns: usize,
}
