//! Recipes for the Python package: their products by pass, and their quantizers.

use binade::block::Element;
use binade::recipe::{BiasRule, NAMES, Pass, Quantizer, Recipe, Scope, exponent_counts};
use binade_fma::{QuantizedProduct, quantize};
use binade_lab::recipe_file;
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use crate::operator::PyBlockProduct;
use crate::value_error;

/// A recipe, with its sums: `RECIPE` or `RECIPE@SUMS`.
#[pyclass(frozen, eq, hash, name = "Recipe", module = "binade._binade")]
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PyRecipe {
    recipe: Recipe,
}

impl std::hash::Hash for PyRecipe {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.recipe.name.hash(state);
    }
}

#[pymethods]
impl PyRecipe {
    #[new]
    fn new(text: &str) -> PyResult<PyRecipe> {
        let recipe = match recipe_file::of_text(text).map_err(value_error)? {
            Some(recipe) => recipe,
            None => Recipe::parse(text).map_err(value_error)?,
        };
        Ok(PyRecipe { recipe })
    }

    /// The recipe of a TOML text, with this name unless the text has one.
    #[staticmethod]
    #[pyo3(signature = (text, name = "recipe"))]
    fn from_toml(text: &str, name: &str) -> PyResult<PyRecipe> {
        Ok(PyRecipe { recipe: recipe_file::from_toml(text, name).map_err(value_error)? })
    }

    /// The TOML of this recipe, to be changed.
    fn to_toml(&self) -> String {
        recipe_file::to_toml(&self.recipe)
    }

    /// The text of this recipe: its name, or its name with its keys and values.
    #[getter]
    fn text(&self) -> PyResult<String> {
        self.recipe.text().map_err(value_error)
    }

    /// The recipe of keys and values, as `pairs` has them, beside those that are their defaults.
    #[staticmethod]
    fn of_pairs(name: &str, pairs: std::collections::BTreeMap<String, String>) -> PyResult<PyRecipe> {
        let pairs = pairs.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        Ok(PyRecipe { recipe: Recipe::of_pairs(name, pairs).map_err(value_error)? })
    }

    #[getter]
    fn name(&self) -> &str {
        &self.recipe.name
    }

    #[getter]
    fn about(&self) -> &str {
        &self.recipe.about
    }

    #[getter]
    fn source(&self) -> &str {
        &self.recipe.source
    }

    #[getter]
    fn leave(&self) -> Vec<String> {
        self.recipe.leave.clone()
    }

    /// The keys and values that differ from their defaults.
    #[getter]
    fn pairs(&self) -> std::collections::BTreeMap<String, String> {
        self.recipe.pairs().into_iter().collect()
    }

    /// The products of a pass; None if they stay as they are.
    fn product(&self, part: &str, swapped: bool, threads: usize) -> PyResult<Option<PyBlockProduct>> {
        let pass = Pass::ALL.into_iter().find(|pass| pass.name() == part);
        let pass = pass.ok_or_else(|| value_error(format!("'{part}' is no pass of a recipe")))?;
        let product = QuantizedProduct::of_pass(&self.recipe, pass, swapped).map_err(value_error)?;
        Ok(product.map(|product| PyBlockProduct { product: product.with_threads(threads) }))
    }

    /// The quantizer of a key, as `forward.activation` or `stored.weights`.
    fn quantizer(&self, key: &str) -> PyResult<PyQuantizer> {
        let stored = self.recipe.stored.entries().into_iter();
        let stored = stored.map(|(name, quantizer)| (format!("stored.{name}"), quantizer));
        let products = Pass::ALL.into_iter().flat_map(|pass| {
            let quantizers = self.recipe.product(pass).operands.iter();
            let keys = pass.operands().map(|role| format!("{}.{}", pass.name(), role.name()));
            keys.into_iter().zip(quantizers)
        });
        let found = stored.chain(products).find(|(name, _)| name == key);
        let (_, quantizer) =
            found.ok_or_else(|| value_error(format!("'{key}' is no quantizer of a recipe")))?;
        Ok(PyQuantizer { quantizer: quantizer.clone() })
    }

    fn __repr__(&self) -> String {
        format!("Recipe('{}')", self.recipe.name)
    }

    fn __reduce__(slf: PyRef<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        let text = slf.text()?;
        Ok((slf.py().get_type::<PyRecipe>().into_any().unbind(), (text,)))
    }
}

/// The rounding of a tensor, as recipes have it.
#[pyclass(frozen, name = "Quantizer", module = "binade._binade")]
pub(crate) struct PyQuantizer {
    quantizer: Quantizer,
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

/// True if a text is a recipe: RECIPE, RECIPE@SUMS, or FILE.toml.
#[pyfunction]
pub(crate) fn is_recipe(text: &str) -> bool {
    Recipe::is_text(text) || recipe_file::is_text(text)
}

/// The names of all recipes.
#[pyfunction]
pub(crate) fn recipe_names() -> Vec<&'static str> {
    NAMES.to_vec()
}
