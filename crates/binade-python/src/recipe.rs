//! Recipes for the Python package: their products, by pass.

use binade::recipe::{NAMES, Pass, Recipe};
use binade_fma::{Order, QuantizedProduct};
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
        Ok(PyRecipe { recipe: Recipe::parse(text).map_err(value_error)? })
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
        if self.recipe.leaves(pass) {
            return Ok(None);
        }
        let (operands, operator) = self.recipe.operands_and_operator(pass, swapped).map_err(value_error)?;
        let product = QuantizedProduct::new(operands, operator, Order::Sequential).map_err(value_error)?;
        let product = product.with_result(self.recipe.result(pass)).with_threads(threads);
        Ok(Some(PyBlockProduct { product }))
    }

    fn __repr__(&self) -> String {
        format!("Recipe('{}')", self.recipe.name)
    }

    fn __reduce__(slf: PyRef<'_, Self>) -> (Py<PyAny>, (String,)) {
        let name = slf.recipe.name.clone();
        (slf.py().get_type::<PyRecipe>().into_any().unbind(), (name,))
    }
}

/// True if a text is RECIPE or RECIPE@SUMS.
#[pyfunction]
pub(crate) fn is_recipe(text: &str) -> bool {
    Recipe::is_text(text)
}

/// The names of all recipes.
#[pyfunction]
pub(crate) fn recipe_names() -> Vec<&'static str> {
    NAMES.to_vec()
}
