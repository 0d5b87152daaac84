//! Quantizers of recipes for the Python package: values of a matrix, and operands that several products share.

use binade::block::Element;
use binade::recipe::{BiasRule, Quantizer, Scope, exponent_counts};
use binade_fma::{Quantized, quantize};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::value_error;

/// The rounding of a tensor, as recipes have it.
#[pyclass(frozen, name = "Quantizer", module = "binade._binade")]
pub(crate) struct PyQuantizer {
    pub(crate) quantizer: Quantizer,
}

#[pymethods]
impl PyQuantizer {
    #[new]
    fn new(text: &str) -> PyResult<PyQuantizer> {
        Ok(PyQuantizer { quantizer: text.parse().map_err(value_error)? })
    }

    #[getter]
    fn name(&self) -> String {
        self.quantizer.to_string()
    }

    /// True if tensors stay as they are.
    #[getter]
    fn is_none(&self) -> bool {
        self.quantizer.is_none()
    }

    /// True if elements are rounded stochastically.
    #[getter]
    fn is_stochastic(&self) -> bool {
        self.quantizer.is_stochastic()
    }

    /// Bits for each element of a matrix, with its scales.
    fn bits(&self, rows: usize, columns: usize) -> f64 {
        self.quantizer.bits(rows, columns)
    }

    /// Rows and columns of a block; None if scales are shared otherwise, or if there are none.
    #[getter]
    fn block(&self) -> Option<(usize, usize)> {
        match self.quantizer.scope {
            Scope::Block(rows, columns) => Some((rows, columns)),
            _ => None,
        }
    }

    /// Steps and binades of a learnt bias.
    #[getter]
    fn learnt(&self) -> Option<(usize, i32)> {
        self.quantizer.learnt.map(|learnt| (learnt.history, learnt.margin))
    }

    /// True if a learnt bias is that of the least mean square error, not of the largest exponent.
    #[getter]
    fn by_error(&self) -> bool {
        self.quantizer.learnt.is_some_and(|learnt| learnt.rule == BiasRule::MeanSquareError)
    }

    /// The numbers of a tensor by exponent, in ascending order of exponents. Zeros do not count.
    #[staticmethod]
    fn exponents(values: PyReadonlyArray1<'_, f32>) -> PyResult<Vec<(i32, u64)>> {
        Ok(exponent_counts(values.as_slice()?))
    }

    /// The bias that numbers with these exponents want, if biases are learnt.
    fn wanted_bias(&self, counts: Vec<(i32, u64)>) -> Option<i32> {
        match (self.quantizer.learnt, self.quantizer.element) {
            (Some(learnt), Some(Element::Float(format))) => learnt.bias(format, &counts),
            _ => None,
        }
    }

    /// Rounds rows of `columns` numbers along the depth. `bias` replaces a learnt one, `seed` is that of stochastic rounding.
    #[pyo3(signature = (values, columns, bias = None, seed = 0))]
    fn quantize<'py>(
        &self,
        py: Python<'py>,
        values: PyReadonlyArray1<'_, f32>,
        columns: usize,
        bias: Option<i32>,
        seed: u64,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let values = values.as_slice()?;
        if values.is_empty() {
            return Ok(PyArray1::from_vec(py, Vec::new()));
        }
        let quantizer = match bias {
            Some(bias) => self.quantizer.under_bias(bias),
            None => self.quantizer.clone(),
        };
        let rounded = py.detach(|| quantize(&quantizer, values, columns, seed)).map_err(value_error)?;
        Ok(PyArray1::from_vec(py, rounded))
    }

    fn __repr__(&self) -> String {
        format!("Quantizer('{}')", self.quantizer)
    }

    fn __reduce__(slf: PyRef<'_, Self>) -> (Py<PyAny>, (String,)) {
        let name = slf.quantizer.to_string();
        (slf.py().get_type::<PyQuantizer>().into_any().unbind(), (name,))
    }
}

/// The right operand of products, quantised once.
#[pyclass(frozen, name = "RightOperand", module = "binade._binade")]
pub(crate) struct PyRightOperand {
    pub(crate) right: Quantized,
    pub(crate) depth: usize,
    pub(crate) columns: usize,
}
