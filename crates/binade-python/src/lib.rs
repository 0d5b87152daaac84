//! `binade._binade`, the extension module of the Python package: formats, products and the command, over flat arrays.
//!
//! The public interface is written in Python, in `python/binade`; this module has the parts that need Rust. Its functions take
//! contiguous arrays of matching lengths, which the package prepares, and release the interpreter while they compute.

mod arrays;
mod format;
mod operator;
mod quantizer;
mod recipe;
mod reveal;

use std::ffi::OsString;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

// The library exports `GetPjrtApi` too: it is what JAX loads.
use binade_pjrt as _;

use crate::format::PyFormat;
use crate::operator::{PyBlockProduct, PyMultiplier, in_blocks, stream};
use crate::quantizer::{PyBiasHistory, PyQuantizer, PyRightOperand};
use crate::recipe::{PyRecipe, is_recipe, recipe_names};

/// An error of binade as Python's.
fn value_error(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Names of all formats; those with a configurable bias without it.
#[pyfunction]
fn format_names() -> Vec<String> {
    let names = binade::Spec::all(0).map(|spec| spec.name().to_owned());
    names.map(|name| name.replace("@bias=0", "")).collect()
}

/// The exact value that a number's text stands for, as the nearest binary64.
#[pyfunction]
fn number(text: &str) -> PyResult<f64> {
    let value = binade::text::parse(text).map_err(value_error)?;
    Ok(arrays::to_f64(value))
}

/// Runs the command `binade` with these arguments, its own name first, and returns the exit code.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<OsString>) -> i32 {
    py.detach(|| binade_cli::main(arguments).code())
}

/// The extension module.
#[pymodule]
fn _binade(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("PAGE_STYLE", binade_page::STYLE)?;
    module.add_class::<PyFormat>()?;
    module.add_class::<PyMultiplier>()?;
    module.add_class::<PyBlockProduct>()?;
    module.add_class::<PyRecipe>()?;
    module.add_class::<PyQuantizer>()?;
    module.add_class::<PyBiasHistory>()?;
    module.add_class::<PyRightOperand>()?;
    module.add_function(wrap_pyfunction!(is_recipe, module)?)?;
    module.add_function(wrap_pyfunction!(recipe_names, module)?)?;
    module.add_function(wrap_pyfunction!(in_blocks, module)?)?;
    module.add_function(wrap_pyfunction!(reveal::reveal_function, module)?)?;
    module.add_function(wrap_pyfunction!(stream, module)?)?;
    module.add_function(wrap_pyfunction!(format_names, module)?)?;
    module.add_function(wrap_pyfunction!(number, module)?)?;
    module.add_function(wrap_pyfunction!(command, module)?)
}
