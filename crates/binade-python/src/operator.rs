//! `Multiplier`: products under an FMA operator in an order of accumulation.

use binade::operator::Cost;
use binade::philox::word;
use binade::{Operator, SumDraws};
use binade_fma::{
    Convolution, InBlocks, LANES, Lanes, Matrix, MatrixMut, Multiplier, MultiplyAdd, Order, QuantizedProduct,
};
use binade_simd::{Environment, Isa};
use numpy::{
    PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3, PyReadwriteArray1, PyReadwriteArray2,
    PyReadwriteArray3, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::quantizer::PyRightOperand;
use crate::value_error;

/// An operator in an order of accumulation, on a number of threads.
#[pyclass(frozen, name = "Multiplier", module = "binade._binade")]
pub(crate) struct PyMultiplier {
    multiplier: Multiplier,
}

/// The shape of a convolution: the fields of binade_fma's.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Shape {
    batch: usize,
    input_channels: usize,
    output_channels: usize,
    groups: usize,
    input: [usize; 2],
    kernel: [usize; 2],
    stride: [usize; 2],
    dilation: [usize; 2],
    padding: [(usize, usize); 2],
}

impl From<Shape> for Convolution {
    fn from(shape: Shape) -> Convolution {
        let Shape {
            batch,
            input_channels,
            output_channels,
            groups,
            input,
            kernel,
            stride,
            dilation,
            padding,
        } = shape;
        Convolution {
            batch,
            input_channels,
            output_channels,
            groups,
            input,
            kernel,
            stride,
            dilation,
            padding,
        }
    }
}

#[pymethods]
impl PyMultiplier {
    #[new]
    fn new(arith: &str, order: &str, threads: usize) -> PyResult<PyMultiplier> {
        let operator: Operator = arith.parse().map_err(value_error)?;
        let order: Order = order.parse().map_err(value_error)?;
        let multiplier = Multiplier::new(operator, order).map_err(value_error)?.with_threads(threads);
        Ok(PyMultiplier { multiplier })
    }

    /// The operator's canonical name.
    #[getter]
    fn arith(&self) -> String {
        self.multiplier.operator().to_string()
    }

    /// The order of accumulation.
    #[getter]
    fn order(&self) -> String {
        self.multiplier.order().to_string()
    }

    /// The notice that there is no vector code, if so.
    #[getter]
    fn slow(&self) -> Option<String> {
        self.multiplier.slow().map(|slow| slow.to_string())
    }

    /// True if each step takes random bits.
    #[getter]
    fn stochastic(&self) -> bool {
        self.multiplier.operator().is_stochastic()
    }

    /// Size and throughput as in the BF16 FMA paper's Table 1.
    #[getter]
    fn cost<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let cost = self.multiplier.operator().clone().of_single_numbers().map_err(value_error)?.cost();
        let Cost { multiplier_bits, operand_bits, products, area } = cost;
        let dict = PyDict::new(py);
        dict.set_item("multiplier_bits", multiplier_bits)?;
        dict.set_item("operand_bits", operand_bits)?;
        dict.set_item("products", products)?;
        dict.set_item("area", area)?;
        dict.set_item("speed_up", cost.speed_up())?;
        Ok(dict)
    }

    /// C ← C + A · B for each matrix of the batch, with the random words under a key.
    #[pyo3(signature = (a, b, c, key = 0))]
    fn multiply(
        &self,
        py: Python<'_>,
        a: PyReadonlyArray3<'_, f32>,
        b: PyReadonlyArray3<'_, f32>,
        c: PyReadwriteArray3<'_, f32>,
        key: u64,
    ) -> PyResult<()> {
        of_matrices(py, (a, b, c), |[n, rows, depth, columns], a, b, c| {
            if rows * columns == 0 {
                return Ok(());
            }
            let a = matrices(a, n, rows, depth)?;
            let b = matrices(b, n, depth, columns)?;
            let c = c.chunks_mut(rows * columns).map(|c| MatrixMut::new(c, rows, columns));
            let c = c.collect::<Result<_, _>>().map_err(value_error)?;
            self.keyed(key).multiply_batch(&a, &b, c).map_err(value_error)
        })
    }

    /// d ← a · b + c, element by element, with the random words of the elements' indices under a key.
    #[pyo3(signature = (a, b, c, d, key = 0))]
    fn multiply_add(
        &self,
        py: Python<'_>,
        a: PyReadonlyArray1<'_, f32>,
        b: PyReadonlyArray1<'_, f32>,
        c: PyReadonlyArray1<'_, f32>,
        mut d: PyReadwriteArray1<'_, f32>,
        key: u64,
    ) -> PyResult<()> {
        let [a, b, c] = [&a, &b, &c].map(|operand| operand.as_slice());
        let (a, b, c) = (a.map_err(value_error)?, b.map_err(value_error)?, c.map_err(value_error)?);
        let d = d.as_slice_mut().map_err(value_error)?;
        if [a.len(), b.len(), c.len()] != [d.len(); 3] {
            return Err(value_error(format!(
                "{}, {} and {} operands for {}",
                a.len(),
                b.len(),
                c.len(),
                d.len()
            )));
        }
        py.detach(|| {
            let step = MultiplyAdd::new(self.multiplier.operator(), Isa::detect());
            if self.multiplier.operator().is_stochastic() {
                let _environment = Environment::enter();
                let words: Vec<u32> = (0..d.len() as u64).map(|at| word(key, at)).collect();
                return step.apply_drawn_in_default([a, b, c], &words, d);
            }
            for (number, d) in d.chunks_mut(LANES).enumerate() {
                let lanes = |operand: &[f32]| {
                    let mut lanes: Lanes = [0.0; LANES];
                    lanes[..d.len()].copy_from_slice(&operand[number * LANES..][..d.len()]);
                    lanes
                };
                let mut result = [0.0; LANES];
                step.apply(&lanes(a), &lanes(b), &lanes(c), &mut result);
                d.copy_from_slice(&result[..d.len()]);
            }
        });
        Ok(())
    }

    /// Height and width of a convolution's output.
    #[staticmethod]
    fn convolution_output(shape: Shape) -> PyResult<[usize; 2]> {
        Convolution::from(shape).output().map_err(value_error)
    }

    /// `result` ← `result` + a convolution's part `what`: forward (of input and weight), input_gradient (of the output's
    /// gradient and weight) or weight_gradient (of input and the output's gradient).
    #[pyo3(signature = (what, shape, a, b, result, key = 0))]
    #[allow(clippy::too_many_arguments, reason = "they are those of the Python method")]
    fn convolve(
        &self,
        py: Python<'_>,
        what: &str,
        shape: Shape,
        a: PyReadonlyArray1<'_, f32>,
        b: PyReadonlyArray1<'_, f32>,
        mut result: PyReadwriteArray1<'_, f32>,
        key: u64,
    ) -> PyResult<()> {
        let part = match what {
            "forward" => Convolution::forward,
            "input_gradient" => Convolution::input_gradient,
            "weight_gradient" => Convolution::weight_gradient,
            other => return Err(value_error(format!("no part '{other}' of a convolution"))),
        };
        let (a, b) = (a.as_slice().map_err(value_error)?, b.as_slice().map_err(value_error)?);
        let result = result.as_slice_mut().map_err(value_error)?;
        let shape = Convolution::from(shape);
        py.detach(|| part(&shape, &self.keyed(key), a, b, result)).map_err(value_error)
    }
}

impl PyMultiplier {
    /// The multiplier with the random words under a key.
    fn keyed(&self, key: u64) -> Multiplier {
        self.multiplier.clone().with_draws(SumDraws::new(key))
    }
}

/// The key of an operation's random words from a seed and numbers.
#[pyfunction]
pub(crate) fn stream(seed: u64, numbers: Vec<u32>) -> u64 {
    binade::philox::stream(seed, &numbers)
}

/// The block formats of an operator whose inputs are such, and the operator on their elements: `("mxfp4", "f32:f32")` of
/// `mxfp4:f32`. None of other operators.
#[pyfunction]
pub(crate) fn in_blocks(arith: &str) -> PyResult<Option<(String, String)>> {
    let found = binade_fma::in_blocks(arith).map_err(value_error)?;
    Ok(found.map(|(blocks, operator)| (blocks.to_string(), operator.to_string())))
}

/// Products of matrices that are encoded in blocks first.
#[pyclass(frozen, name = "BlockProduct", module = "binade._binade")]
pub(crate) struct PyBlockProduct {
    pub(crate) product: QuantizedProduct,
}

#[pymethods]
impl PyBlockProduct {
    #[new]
    fn new(blocks: &str, arith: &str, order: &str, threads: usize) -> PyResult<PyBlockProduct> {
        let blocks: InBlocks = blocks.parse().map_err(value_error)?;
        let operator: Operator = arith.parse().map_err(value_error)?;
        let order: Order = order.parse().map_err(value_error)?;
        let product = QuantizedProduct::new(blocks.quantizers(), operator, order)
            .map_err(value_error)?
            .with_threads(threads);
        Ok(PyBlockProduct { product })
    }

    /// The notice that there is no vector code, if so.
    #[getter]
    fn slow(&self) -> Option<String> {
        self.product.slow().map(|slow| slow.to_string())
    }

    /// C ← A · B for each matrix of the batch, which is encoded by itself. There may be one B for all. The seed is that of stochastic
    /// rounding.
    #[pyo3(signature = (a, b, c, seed = 0))]
    fn multiply(
        &self,
        py: Python<'_>,
        a: PyReadonlyArray3<'_, f32>,
        b: PyReadonlyArray3<'_, f32>,
        c: PyReadwriteArray3<'_, f32>,
        seed: u64,
    ) -> PyResult<()> {
        of_matrices(py, (a, b, c), |[_, rows, depth, columns], a, b, c| {
            let product = &self.product.clone().with_key(seed);
            if c.is_empty() || depth == 0 {
                c.fill(0.0);
                return Ok(());
            }
            let right = |at: usize| {
                product.right(part(b, at, depth * columns), depth, columns, at).map_err(value_error)
            };
            let (count, mut encoded) = (b.len() / (depth * columns), right(0)?);
            for (at, c) in c.chunks_mut(rows * columns).enumerate() {
                let left = product.left(part(a, at, rows * depth), depth, at).map_err(value_error)?;
                if (1..count).contains(&at) {
                    encoded = right(at)?;
                }
                product.rows(&left, &encoded, (0, columns), c).map_err(value_error)?;
                product.finish(c, columns, at).map_err(value_error)?;
            }
            Ok(())
        })
    }

    /// B as the right operand of products, quantised once. None if its rounding draws random bits, which differ in each product.
    fn right(&self, py: Python<'_>, b: PyReadonlyArray2<'_, f32>) -> PyResult<Option<PyRightOperand>> {
        let [depth, columns] = [b.shape()[0], b.shape()[1]];
        if self.product.quantizers()[1].is_stochastic() || depth * columns == 0 {
            return Ok(None);
        }
        let b = b.as_slice().map_err(value_error)?;
        let right = py.detach(|| self.product.right(b, depth, columns, 0)).map_err(value_error)?;
        Ok(Some(PyRightOperand { right, depth, columns }))
    }

    /// C ← A · B with a right operand that [`Self::right`] made: the same bits as `multiply`.
    #[pyo3(signature = (a, right, c, seed = 0))]
    fn multiply_right(
        &self,
        py: Python<'_>,
        a: PyReadonlyArray2<'_, f32>,
        right: &PyRightOperand,
        mut c: PyReadwriteArray2<'_, f32>,
        seed: u64,
    ) -> PyResult<()> {
        let PyRightOperand { right, depth, columns } = right;
        if a.shape()[1] != *depth || c.shape() != [a.shape()[0], *columns] {
            return Err(value_error(format_args!(
                "shapes {:?}, [{depth}, {columns}] and {:?} do not fit",
                a.shape(),
                c.shape()
            )));
        }
        let (a, c) = (a.as_slice().map_err(value_error)?, c.as_slice_mut().map_err(value_error)?);
        if c.is_empty() {
            return Ok(());
        }
        py.detach(|| {
            let product = &self.product.clone().with_key(seed);
            let left = product.left(a, *depth, 0).map_err(value_error)?;
            product.rows(&left, right, (0, *columns), c).map_err(value_error)?;
            product.finish(c, *columns, 0).map_err(value_error)
        })
    }
}

/// Calls a function with the sizes and the elements of batches of matrices, without Python's lock.
fn of_matrices(
    py: Python<'_>,
    (a, b, mut c): (PyReadonlyArray3<'_, f32>, PyReadonlyArray3<'_, f32>, PyReadwriteArray3<'_, f32>),
    multiply: impl FnOnce([usize; 4], &[f32], &[f32], &mut [f32]) -> PyResult<()> + Send,
) -> PyResult<()> {
    let sizes = sizes(a.shape(), b.shape(), c.shape())?;
    let a = a.as_slice().map_err(value_error)?;
    let b = b.as_slice().map_err(value_error)?;
    let c = c.as_slice_mut().map_err(value_error)?;
    py.detach(|| multiply(sizes, a, b, c))
}

/// Matrices of a batch, and the rows of A, what is summed over and the columns of B, if shapes fit: as many B as A, or one.
fn sizes(a: &[usize], b: &[usize], c: &[usize]) -> PyResult<[usize; 4]> {
    match (a, b, c) {
        (&[n, rows, depth], &[m, inner, columns], c)
            if (m == n || m == 1) && inner == depth && c == [n, rows, columns] =>
        {
            Ok([n, rows, depth, columns])
        }
        _ => Err(value_error(format_args!("shapes {a:?}, {b:?} and {c:?} do not fit"))),
    }
}

/// The `count` matrices of a batch, or one matrix `count` times.
fn matrices(data: &[f32], count: usize, rows: usize, columns: usize) -> PyResult<Vec<Matrix<'_>>> {
    let of_one = data.len() == rows * columns;
    let place = |at| if of_one { 0 } else { at };
    let matrix = |at| Matrix::new(part(data, place(at), rows * columns), rows, columns);
    (0..count).map(matrix).collect::<Result<_, _>>().map_err(value_error)
}

/// The matrix `at` of a batch of matrices of `size` elements.
fn part(data: &[f32], at: usize, size: usize) -> &[f32] {
    &data[at * size..][..size]
}
