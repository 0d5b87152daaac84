//! Recipes: how a training or an inference quantises the operands of its products, adds the products, and stores its tensors.
//!
//! A recipe is plain data. It says what happens to each role, and leaves the computation to the programs that train or evaluate.
//!
//! | key | meaning |
//! |---|---|
//! | `forward.activation`, `forward.weight` | the [`Quantizer`] of each operand of forward products |
//! | `input_gradient.gradient`, `input_gradient.weight` | those of products that give gradients of inputs |
//! | `weight_gradient.activation`, `weight_gradient.gradient` | those of products that give gradients of weights |
//! | `attention`, or `attention.left` and `attention.right` | those of the left and of the right operand of products with batching dimensions |
//! | `sums`, `forward.sums`, … | how products are added: an accumulator's format, or a matrix unit, with options (`f32`, `bf16/rounding=stochastic`, `h100/promote=128`) |
//! | `stored.weights`, `stored.gradients`, `stored.momentum`, `stored.second_moments` | the quantizer of a tensor that is stored between steps |
//! | `leave` | layers whose products stay as they are: `first`, `last`, or names with `*` and `?` |
//!
//! Keys that are not given are `none`: tensors stay as they are, and products are added in `f32`. Activations that are kept for the
//! backward pass are the operand `weight_gradient.activation`. Master weights are weights without a `stored` format.
//!
//! ```
//! use binade::recipe::{Pass, Recipe};
//!
//! let recipe = Recipe::named("nvfp4-training").unwrap();
//! assert_eq!(recipe.product(Pass::Forward).operands[1].to_string(), "nvfp4/scale=16x16");
//! assert!(recipe.product(Pass::InputGradient).operands[0].is_stochastic());
//! ```

mod learnt;
mod named;
mod quantizer;

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use thiserror::Error;

use crate::operator::{Operator, OperatorError};
use crate::text::nearest;
use crate::unit::UnitOperator;

pub use learnt::{Learnt, largest_exponent};
pub use named::NAMES;
pub use quantizer::{Quantizer, QuantizerError, Rotation, Scope};

/// A recipe; see the [module](self).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recipe {
    /// Its name.
    pub name: String,
    /// A sentence for users.
    pub about: String,
    /// The paper or the library that it is from.
    pub source: String,
    products: [ProductRecipe; 3],
    /// Products with batching dimensions, as those of attention, forward and backward: the left and the right operand.
    attention: ProductRecipe,
    /// Tensors that are stored between steps.
    pub stored: Stored,
    /// Layers whose products stay as they are: `first`, `last`, or patterns of names.
    pub leave: Vec<String>,
}

/// The products of a layer, by their result.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pass {
    /// The output: activation times weight.
    Forward,
    /// The gradient of the input: gradient of the output times weight.
    InputGradient,
    /// The gradient of the weight: activation times gradient of the output.
    WeightGradient,
}

impl Pass {
    /// All passes.
    pub const ALL: [Pass; 3] = [Pass::Forward, Pass::InputGradient, Pass::WeightGradient];

    /// The name in keys.
    pub const fn name(self) -> &'static str {
        match self {
            Pass::Forward => "forward",
            Pass::InputGradient => "input_gradient",
            Pass::WeightGradient => "weight_gradient",
        }
    }

    /// The roles of both operands.
    pub const fn operands(self) -> [OperandRole; 2] {
        match self {
            Pass::Forward => [OperandRole::Activation, OperandRole::Weight],
            Pass::InputGradient => [OperandRole::Gradient, OperandRole::Weight],
            Pass::WeightGradient => [OperandRole::Activation, OperandRole::Gradient],
        }
    }
}

/// The role of an operand in its layer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OperandRole {
    /// The layer's input.
    Activation,
    /// The layer's weight.
    Weight,
    /// The gradient of the layer's output.
    Gradient,
}

impl OperandRole {
    /// The name in keys.
    pub const fn name(self) -> &'static str {
        match self {
            OperandRole::Activation => "activation",
            OperandRole::Weight => "weight",
            OperandRole::Gradient => "gradient",
        }
    }
}

/// The arithmetic of one pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProductRecipe {
    /// The quantizers of both operands, in the order of [`Pass::operands`].
    pub operands: [Quantizer; 2],
    /// How products are added: an accumulator's format or a matrix unit, with options.
    pub sums: String,
}

/// The quantizers of tensors that are stored between steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stored {
    /// Weights; with `none`, masters of binary32.
    pub weights: Quantizer,
    /// Gradients of weights, before the optimizer reads them.
    pub gradients: Quantizer,
    /// First moments of the optimizer.
    pub momentum: Quantizer,
    /// Second moments of the optimizer, which are never negative.
    pub second_moments: Quantizer,
}

impl Stored {
    /// The quantizers with their keys.
    pub fn entries(&self) -> [(&'static str, &Quantizer); 4] {
        [
            ("weights", &self.weights),
            ("gradients", &self.gradients),
            ("momentum", &self.momentum),
            ("second_moments", &self.second_moments),
        ]
    }

    /// True if no tensor has a format of its own.
    pub fn is_none(&self) -> bool {
        self.entries().iter().all(|(_, quantizer)| quantizer.is_none())
    }
}

/// The reason why a recipe was not understood.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecipeError {
    /// No recipe of this name.
    #[error(
        "there is no recipe '{name}': {}`binade recipes` lists them",
        match nearest(.name, NAMES) { Some(near) => format!("did you mean {near}? "), None => String::new() }
    )]
    Unknown {
        /// The name.
        name: String,
    },
    /// A key that recipes do not have.
    #[error(
        "recipe '{recipe}': there is no key '{key}': {}the keys are {}",
        match nearest(.key, keys()) { Some(near) => format!("did you mean {near}? "), None => String::new() },
        keys().collect::<Vec<_>>().join(", ")
    )]
    Key {
        /// The recipe.
        recipe: String,
        /// The key.
        key: String,
    },
    /// A quantizer that was not understood.
    #[error("recipe '{recipe}': {key}: {source}")]
    Quantizer {
        /// The recipe.
        recipe: String,
        /// The key.
        key: String,
        /// The error of the quantizer.
        source: Box<QuantizerError>,
    },
    /// Sums that no operator computes.
    #[error("recipe '{recipe}': {pass}.sums: {source}")]
    Sums {
        /// The recipe.
        recipe: String,
        /// The pass.
        pass: &'static str,
        /// The error of the operator.
        source: Box<OperatorError>,
    },
    /// Products under the scales of one operand only, whose elements the unit does not take.
    #[error("recipe '{recipe}': {pass}: {unit} multiplies numbers of its formats, and {operand} has none")]
    NoFormat {
        /// The recipe.
        recipe: String,
        /// The pass.
        pass: &'static str,
        /// The unit.
        unit: String,
        /// The role of the operand.
        operand: &'static str,
    },
}

/// All keys of a recipe's arithmetic.
fn keys() -> impl Iterator<Item = &'static str> {
    [
        "forward.activation",
        "forward.weight",
        "forward.sums",
        "input_gradient.gradient",
        "input_gradient.weight",
        "input_gradient.sums",
        "weight_gradient.activation",
        "weight_gradient.gradient",
        "weight_gradient.sums",
        "attention",
        "attention.left",
        "attention.right",
        "attention.sums",
        "sums",
        "stored.weights",
        "stored.gradients",
        "stored.momentum",
        "stored.second_moments",
        "leave",
        "about",
        "source",
    ]
    .into_iter()
}

impl Recipe {
    /// The recipe of this name, in any letter case.
    pub fn named(name: &str) -> Option<Recipe> {
        let (name, pairs) = named::find(name.trim())?;
        // A test parses all of them.
        Recipe::of_pairs(name, pairs.iter().copied()).ok()
    }

    /// True if a text `RECIPE[@SUMS]` begins with a recipe's name.
    pub fn is_named_by(text: &str) -> bool {
        named::find(text.split('@').next().unwrap_or("").trim()).is_some()
    }

    /// True for a text `RECIPE` or `RECIPE@SUMS`. The name of an operator, as `mp`, and that of a block format with a rule of scales
    /// are no recipe's.
    pub fn is_text(text: &str) -> bool {
        let is_other = || text.contains(':') || text.contains("@rule=") || text.parse::<Operator>().is_ok();
        Recipe::is_named_by(text) && !is_other()
    }

    /// The recipe that a text `RECIPE[@SUMS]` names, whose products are added as `SUMS` says: `nvfp4-training@b200`.
    ///
    /// # Errors
    /// No recipe of this name, and sums that do not fit its formats.
    pub fn parse(text: &str) -> Result<Recipe, RecipeError> {
        let (name, sums) =
            text.trim().split_once('@').map_or((text.trim(), None), |(name, sums)| (name, Some(sums)));
        let recipe = Recipe::named(name).ok_or_else(|| RecipeError::Unknown { name: name.to_owned() })?;
        match sums {
            Some(sums) => recipe.with_sums(sums),
            None => Ok(recipe),
        }
    }

    /// This recipe with other sums in all passes.
    ///
    /// # Errors
    /// Sums that do not fit the formats.
    pub fn with_sums(mut self, sums: &str) -> Result<Recipe, RecipeError> {
        let sums = sums.trim().to_ascii_lowercase();
        self.name = format!("{}@{sums}", self.name);
        for product in self.products.iter_mut().chain([&mut self.attention]) {
            product.sums = sums.clone();
        }
        self.checked()
    }

    /// The recipe of keys and values; see the [module](self).
    ///
    /// # Errors
    /// A key or a value that was not understood.
    pub fn of_pairs<'a>(
        name: &str,
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Recipe, RecipeError> {
        let none = Quantizer::none;
        let product = || ProductRecipe { operands: [none(), none()], sums: "f32".to_owned() };
        let mut recipe = Recipe {
            name: name.to_owned(),
            about: String::new(),
            source: String::new(),
            products: [product(), product(), product()],
            attention: product(),
            stored: Stored { weights: none(), gradients: none(), momentum: none(), second_moments: none() },
            leave: Vec::new(),
        };
        let mut own_sums = [false; 4];
        for (key, value) in pairs {
            let quantizer = || {
                value.parse::<Quantizer>().map_err(|source| RecipeError::Quantizer {
                    recipe: name.to_owned(),
                    key: key.to_owned(),
                    source: Box::new(source),
                })
            };
            let unknown = || RecipeError::Key { recipe: name.to_owned(), key: key.to_owned() };
            match (key, key.split_once('.')) {
                ("about", _) => recipe.about = value.to_owned(),
                ("source", _) => recipe.source = value.to_owned(),
                ("leave", _) => {
                    let layers = value.split(',').map(str::trim).filter(|layer| !layer.is_empty());
                    recipe.leave = layers.map(str::to_owned).collect();
                }
                ("sums", _) => {
                    let products = recipe.products.iter_mut().chain([&mut recipe.attention]);
                    for (product, own) in products.zip(own_sums) {
                        if !own {
                            product.sums = value.trim().to_ascii_lowercase();
                        }
                    }
                }
                (_, Some(("stored", role))) => {
                    let stored = &mut recipe.stored;
                    let place = match role {
                        "weights" => &mut stored.weights,
                        "gradients" => &mut stored.gradients,
                        "momentum" => &mut stored.momentum,
                        "second_moments" => &mut stored.second_moments,
                        _ => return Err(unknown()),
                    };
                    *place = quantizer()?;
                }
                ("attention", _) => recipe.attention.operands = [quantizer()?, quantizer()?],
                ("attention.left", _) => recipe.attention.operands[0] = quantizer()?,
                ("attention.right", _) => recipe.attention.operands[1] = quantizer()?,
                ("attention.sums", _) => {
                    own_sums[3] = true;
                    recipe.attention.sums = value.trim().to_ascii_lowercase();
                }
                (_, Some((pass, operand))) => {
                    let pass =
                        Pass::ALL.into_iter().find(|known| known.name() == pass).ok_or_else(unknown)?;
                    let product = &mut recipe.products[pass as usize];
                    if operand == "sums" {
                        own_sums[pass as usize] = true;
                        product.sums = value.trim().to_ascii_lowercase();
                        continue;
                    }
                    let at =
                        pass.operands().iter().position(|role| role.name() == operand).ok_or_else(unknown)?;
                    product.operands[at] = quantizer()?;
                }
                _ => return Err(unknown()),
            }
        }
        recipe.checked()
    }

    /// Returns an error if the products of a pass have no operator.
    fn checked(self) -> Result<Recipe, RecipeError> {
        for pass in Pass::ALL {
            self.operator(pass)?;
        }
        self.attention_operator()?;
        Ok(self)
    }

    /// The arithmetic of a pass.
    pub fn product(&self, pass: Pass) -> &ProductRecipe {
        &self.products[pass as usize]
    }

    /// The arithmetic of products with batching dimensions: the left and the right operand.
    pub fn attention(&self) -> &ProductRecipe {
        &self.attention
    }

    /// The operator of products with batching dimensions; `None` if they stay as they are.
    ///
    /// # Errors
    /// As [`Recipe::operator`].
    pub fn attention_operator(&self) -> Result<Option<Operator>, RecipeError> {
        if self.attention.operands.iter().all(Quantizer::is_none) {
            return Ok(None);
        }
        self.operator_for(&self.attention, "attention", ["left", "right"], false).map(Some)
    }

    /// The quantizer of a pass's results: that of stored gradients for gradients of weights.
    pub fn result(&self, pass: Pass) -> Quantizer {
        match pass {
            Pass::WeightGradient => self.stored.gradients.clone(),
            _ => Quantizer::none(),
        }
    }

    /// True if a pass is computed as in the program.
    pub fn leaves(&self, pass: Pass) -> bool {
        self.product(pass).operands.iter().all(Quantizer::is_none) && self.result(pass).is_none()
    }

    /// The operator that multiplies and adds the elements of a pass, both of which are binary32 numbers.
    ///
    /// # Errors
    /// Sums that no operator computes, and formats for which a unit has no instruction.
    pub fn operator(&self, pass: Pass) -> Result<Operator, RecipeError> {
        self.operator_of(pass, false)
    }

    /// The quantizers of a pass and its operator. If the operands are `swapped`, both have them in the other order.
    ///
    /// # Errors
    /// As [`Recipe::operator`].
    pub fn operands_and_operator(
        &self,
        pass: Pass,
        swapped: bool,
    ) -> Result<([Quantizer; 2], Operator), RecipeError> {
        let [first, second] = self.product(pass).operands.clone();
        let operands = if swapped { [second, first] } else { [first, second] };
        Ok((operands, self.operator_of(pass, swapped)?))
    }

    fn operator_of(&self, pass: Pass, swapped: bool) -> Result<Operator, RecipeError> {
        let roles = pass.operands().map(OperandRole::name);
        self.operator_for(self.product(pass), pass.name(), roles, swapped)
    }

    /// The operator of products that have this name in messages, and operands of these roles.
    fn operator_for(
        &self,
        product: &ProductRecipe,
        pass_name: &'static str,
        roles: [&'static str; 2],
        swapped: bool,
    ) -> Result<Operator, RecipeError> {
        let ProductRecipe { operands, sums } = product;
        let recipe = || self.name.clone();
        let unit = sums.split('/').next().unwrap_or("").trim();
        let text = if UnitOperator::is_named_by(&format!("{unit}:f32")) {
            let mut formats = Vec::new();
            for (quantizer, operand) in operands.iter().zip(roles) {
                match quantizer.element {
                    Some(element) => formats.push(element),
                    _ if operands.iter().all(Quantizer::is_none) => {}
                    _ => {
                        let unit = unit.to_owned();
                        return Err(RecipeError::NoFormat {
                            recipe: recipe(),
                            pass: pass_name,
                            unit,
                            operand,
                        });
                    }
                }
            }
            let options = sums.split_once('/').map_or(String::new(), |(_, options)| format!("/{options}"));
            match &formats[..] {
                [first, second] => {
                    let (left, right) = if swapped { (second, first) } else { (first, second) };
                    format!("{unit}:{left}*{right}{options}")
                }
                // A pass that is left as it is has no unit.
                _ => "f32:f32".to_owned(),
            }
        } else {
            format!("f32:{sums}")
        };
        let parsed = text.parse();
        parsed.map_err(|source| RecipeError::Sums {
            recipe: recipe(),
            pass: pass_name,
            source: Box::new(source),
        })
    }

    /// True if any operand, sum or stored tensor is rounded stochastically.
    pub fn is_stochastic(&self) -> bool {
        let products = || self.products.iter().chain([&self.attention]);
        let operands = products().flat_map(|product| &product.operands);
        let stored = self.stored.entries();
        operands.chain(stored.iter().map(|(_, quantizer)| *quantizer)).any(Quantizer::is_stochastic)
            || products().any(|product| product.sums.contains("rounding=stochastic"))
    }

    /// The keys and values that differ from their defaults.
    pub fn pairs(&self) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        for pass in Pass::ALL {
            let ProductRecipe { operands, sums } = self.product(pass);
            for (role, quantizer) in pass.operands().into_iter().zip(operands) {
                if *quantizer != Quantizer::none() {
                    pairs.push((format!("{}.{}", pass.name(), role.name()), format!("{quantizer}")));
                }
            }
            if sums != "f32" {
                pairs.push((format!("{}.sums", pass.name()), sums.clone()));
            }
        }
        let ProductRecipe { operands, sums } = &self.attention;
        for (side, quantizer) in ["left", "right"].into_iter().zip(operands) {
            if *quantizer != Quantizer::none() {
                pairs.push((format!("attention.{side}"), format!("{quantizer}")));
            }
        }
        if sums != "f32" && !operands.iter().all(Quantizer::is_none) {
            pairs.push(("attention.sums".to_owned(), sums.clone()));
        }
        for (role, quantizer) in self.stored.entries() {
            if *quantizer != Quantizer::none() {
                pairs.push((format!("stored.{role}"), format!("{quantizer}")));
            }
        }
        if !self.leave.is_empty() {
            pairs.push(("leave".to_owned(), self.leave.join(",")));
        }
        pairs
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_recipes_are_those_of_their_pairs() {
        for name in NAMES {
            let (_, pairs) = named::find(name).unwrap();
            let recipe =
                Recipe::of_pairs(name, pairs.iter().copied()).unwrap_or_else(|error| panic!("{error}"));
            let written = recipe.pairs();
            let again =
                Recipe::of_pairs(name, written.iter().map(|(key, value)| (&**key, &**value))).unwrap();
            assert_eq!(
                Recipe { about: recipe.about.clone(), source: recipe.source.clone(), ..again },
                recipe
            );
            assert!(!recipe.about.is_empty() && !recipe.source.is_empty(), "{name}");
        }
    }

    #[test]
    fn sums_of_a_recipe_are_replaced_by_those_of_its_text() {
        let recipe = Recipe::parse("fp8-deepseek@h100/promote=64").unwrap();
        assert_eq!(recipe.operator(Pass::Forward).unwrap().to_string(), "h100:float8_e4m3fn/promote=64");
        let recipe = Recipe::parse("fp8-tensorwise@h100").unwrap();
        let operator = recipe.operator(Pass::InputGradient).unwrap().to_string();
        assert_eq!(operator, "h100:float8_e5m2*float8_e4m3fn");
        let recipe = Recipe::parse("mxfp8@bf16").unwrap();
        assert_eq!(recipe.operator(Pass::Forward).unwrap().to_string(), "f32:bf16");
    }

    #[test]
    fn attention_has_one_quantizer_for_both_operands_or_one_each() {
        let of = |pairs: &[(&str, &str)]| Recipe::of_pairs("mine", pairs.iter().copied()).unwrap();
        let none = of(&[("forward.weight", "nvfp4")]);
        assert_eq!(none.attention_operator(), Ok(None));
        let both = of(&[("attention", "mxfp8_e4m3"), ("sums", "bf16")]);
        assert_eq!(
            both.attention().operands.each_ref().map(Quantizer::to_string),
            ["mxfp8_e4m3", "mxfp8_e4m3"]
        );
        assert_eq!(both.attention_operator().unwrap().unwrap().to_string(), "f32:bf16");
        let own = of(&[("attention.sums", "f32"), ("attention.left", "nvfp4"), ("sums", "bf16")]);
        assert_eq!(own.attention_operator().unwrap().unwrap().to_string(), "f32:f32");
        for recipe in [&both, &own] {
            let written = recipe.pairs();
            let again = Recipe::of_pairs("mine", written.iter().map(|(key, value)| (&**key, &**value)));
            assert_eq!(again.unwrap(), *recipe);
        }
        assert!(of(&[("attention.right", "nvfp4/rounding=stochastic")]).is_stochastic());
    }

    #[test]
    fn wrong_texts_say_what_is_right() {
        let of =
            |pairs: &[(&str, &str)]| Recipe::of_pairs("mine", pairs.iter().copied()).unwrap_err().to_string();
        for (pairs, wanted) in [
            (
                &[("forward.weigth", "nvfp4")][..],
                "there is no key 'forward.weigth': did you mean forward.weight?",
            ),
            (&[("forward.gradient", "nvfp4")], "there is no key 'forward.gradient'"),
            (
                &[("attention.weight", "nvfp4")],
                "there is no key 'attention.weight': did you mean attention.right?",
            ),
            (
                &[("attention.left", "bf16"), ("sums", "h100")],
                "attention: h100 multiplies numbers of its formats, and right has none",
            ),
            (&[("forward.weight", "nvfp5")], "forward.weight: 'nvfp5': unknown format 'nvfp5'"),
            (
                &[("forward.weight", "nvfp4/scal=row")],
                "'scal' is no option of a quantizer: did you mean scale?",
            ),
            (&[("forward.weight", "nvfp4/scale=16x")], "scale=16x is not understood"),
            (&[("forward.weight", "bf16/rule=ceil")], "rule is an option of scales, and there are none"),
            (
                &[("forward.weight", "nvfp4/rounding=stochastic:33")],
                "random bits '33' of a stochastic rounding are out of range",
            ),
            (
                &[("forward.weight", "nvfp4/hadamard=12")],
                "hadamard=12 is not understood: hadamard is a power of two",
            ),
            (&[("forward.weight", "nvfp4/bias=learnt")], "bias=learnt is not understood"),
            (&[("forward.weight", "bf16/history=4")], "an option beside bias=learnt"),
            (&[("sums", "bf17")], "forward.sums: "),
            (
                &[("forward.weight", "bf16"), ("forward.activation", "bf16"), ("sums", "v100")],
                "v100 has no instruction for bf16",
            ),
            (
                &[("forward.weight", "bf16"), ("sums", "h100")],
                "h100 multiplies numbers of its formats, and activation has none",
            ),
        ] {
            let found = of(pairs);
            assert!(found.contains(wanted), "{pairs:?}: {found}");
        }
        assert!(
            Recipe::parse("nvfp4-trainig").unwrap_err().to_string().contains("did you mean nvfp4-training?")
        );
    }
}
