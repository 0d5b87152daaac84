//! Recipes for the Python package: their products by pass, and the quantizers of their keys.

use binade::recipe::{NAMES, Pass, Recipe};
use binade_fma::QuantizedProduct;
use pyo3::prelude::*;

use crate::operator::PyBlockProduct;
use crate::quantizer::PyQuantizer;
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
        let recipe = match binade_recipes::of_text(text).map_err(value_error)? {
            Some(recipe) => recipe,
            None => Recipe::parse(text).map_err(value_error)?,
        };
        Ok(PyRecipe { recipe })
    }

    /// The recipe of a TOML text, with this name unless the text has one.
    #[staticmethod]
    #[pyo3(signature = (text, name = "recipe"))]
    fn from_toml(text: &str, name: &str) -> PyResult<PyRecipe> {
        Ok(PyRecipe { recipe: binade_recipes::from_toml(text, name).map_err(value_error)? })
    }

    /// The TOML of this recipe, to be changed.
    fn to_toml(&self) -> String {
        binade_recipes::to_toml(&self.recipe)
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

/// True if a text is a recipe: RECIPE, RECIPE@SUMS, or FILE.toml.
#[pyfunction]
pub(crate) fn is_recipe(text: &str) -> bool {
    Recipe::is_text(text) || binade_recipes::is_text(text)
}

/// The names of all recipes.
#[pyfunction]
pub(crate) fn recipe_names() -> Vec<&'static str> {
    NAMES.to_vec()
}
