//! Quantizers of recipes for the Python package: values of a matrix, learnt biases, and operands that several products share.

use binade::recipe::{BiasHistory, BiasSpan, Quantizer, Scope};
use binade_fma::{Quantized, quantize};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

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

    /// True if the exponent bias follows the tensor.
    #[getter]
    fn is_learnt(&self) -> bool {
        self.quantizer.learnt.is_some()
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

/// The learnt bias of a tensor from step to step.
#[pyclass(name = "BiasHistory", module = "binade._binade")]
#[derive(Default)]
pub(crate) struct PyBiasHistory {
    history: BiasHistory,
}

#[pymethods]
impl PyBiasHistory {
    #[new]
    fn new() -> PyBiasHistory {
        PyBiasHistory::default()
    }

    /// The history that `state` has given. Without `by_step`, spans begin with the next change.
    #[staticmethod]
    fn of_state(state: &Bound<'_, PyDict>) -> PyResult<PyBiasHistory> {
        let of = |name: &str| {
            let found = state.get_item(name)?;
            found.ok_or_else(|| value_error(format!("the state of a bias has no '{name}'")))
        };
        let exponents: Vec<Vec<(i32, u64)>> = (of("exponents")?.extract::<Vec<Vec<[i64; 2]>>>()?.into_iter())
            .map(|step| step.into_iter().map(|[exponent, count]| (exponent as i32, count as u64)).collect())
            .collect();
        let spans: Vec<[i64; 4]> = state.get_item("by_step")?.map_or(Ok(vec![]), |spans| spans.extract())?;
        let span = |[from, bias, overflowed, underflowed]: [i64; 4]| BiasSpan {
            from: from as u64,
            bias: bias as i32,
            overflowed: overflowed as u64,
            underflowed: underflowed as u64,
        };
        let history = BiasHistory {
            bias: of("bias")?.extract()?,
            exponents,
            steady: of("steady")?.extract()?,
            moves: of("moves")?.extract()?,
            overflowed: of("overflowed")?.extract()?,
            underflowed: of("underflowed")?.extract()?,
            by_step: spans.into_iter().map(span).collect(),
            last: None,
        };
        Ok(PyBiasHistory { history })
    }

    /// All of the history, as plain numbers and lists.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let BiasHistory { bias, exponents, steady, moves, overflowed, underflowed, by_step, .. } =
            &self.history;
        let state = PyDict::new(py);
        state.set_item("bias", bias)?;
        state.set_item("exponents", exponents.clone())?;
        state.set_item("steady", steady)?;
        state.set_item("moves", moves)?;
        state.set_item("overflowed", overflowed)?;
        state.set_item("underflowed", underflowed)?;
        let spans = by_step.iter().map(|span| (span.from, span.bias, span.overflowed, span.underflowed));
        state.set_item("by_step", spans.collect::<Vec<_>>())?;
        Ok(state)
    }

    /// The bias; None before the first number that is not zero.
    #[getter]
    fn bias(&self) -> Option<i32> {
        self.history.bias
    }

    /// Changes of the bias.
    #[getter]
    fn moves(&self) -> u64 {
        self.history.moves
    }

    /// Numbers beyond the format's largest one.
    #[getter]
    fn overflowed(&self) -> u64 {
        self.history.overflowed
    }

    /// Nonzero numbers that became zero.
    #[getter]
    fn underflowed(&self) -> u64 {
        self.history.underflowed
    }

    /// Rounds rows of `columns` numbers of a step under the bias that follows them.
    fn round<'py>(
        &mut self,
        py: Python<'py>,
        quantizer: &PyQuantizer,
        values: PyReadonlyArray1<'_, f32>,
        columns: usize,
        step: u64,
        seed: u64,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let values = values.as_slice()?;
        let (quantizer, _) = self.history.take(step, &quantizer.quantizer, values);
        let rounded = py.detach(|| quantize(&quantizer, values, columns, seed)).map_err(value_error)?;
        self.history.count(&quantizer, values, &rounded);
        Ok(PyArray1::from_vec(py, rounded))
    }
}

/// The right operand of products, quantised once.
#[pyclass(frozen, name = "RightOperand", module = "binade._binade")]
pub(crate) struct PyRightOperand {
    pub(crate) right: Quantized,
    pub(crate) depth: usize,
    pub(crate) columns: usize,
}
