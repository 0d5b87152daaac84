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
//! | `base` | the recipe that these keys change, or `none` |
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
//!
//! # Texts
//! `NAME[{KEY=VALUE|…}][@SUMS]`. `nvfp4-training` is a recipe with a name; `nvfp4-training{leave=}` is that recipe with another list
//! of layers; `nvfp4@b200` has other sums. In `mine{base=nvfp4|forward.weight=none}`, `mine` is the name of a new recipe. A recipe from
//! a file has such a text ([`Recipe::text`]), so that it is one wherever a recipe's name is.

mod history;
mod learnt;
mod named;
mod quantizer;

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use thiserror::Error;

use crate::block::BlockFormat;
use crate::operator::{Operator, OperatorError};
use crate::spec::{Spec, SpecError};
use crate::text::nearest;
use crate::unit::{UNITS, UnitOperator};

pub use history::{BiasHistory, BiasSpan, MOST_CHANGES};
pub use learnt::{BiasRule, Learnt, exponent_counts, largest_exponent};
pub use named::NAMES;
pub use quantizer::{Quantizer, QuantizerError, Rotation, Scope, largest_number};

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
    /// A text between braces that is no key with a value.
    #[error(
        "recipe '{recipe}': '{text}' is no change of a recipe: write {{KEY=VALUE|KEY=VALUE}}, as in {{leave=first|forward.weight=mxfp4}}"
    )]
    Change {
        /// The recipe.
        recipe: String,
        /// The text.
        text: String,
    },
    /// A name that belongs to another recipe, a format or an operator, or has characters that names do not have.
    #[error("'{name}' cannot be the name of a recipe of your own: {reason}")]
    Name {
        /// The name.
        name: String,
        /// The reason.
        reason: &'static str,
    },
    /// A layer whose name has characters that separate names.
    #[error(
        "recipe '{recipe}': leave: '{layer}' has a character that separates layers or keys ('|', ';', braces): write each layer for itself, with * and ? for patterns"
    )]
    Layer {
        /// The recipe.
        recipe: String,
        /// The layer.
        layer: String,
    },
    /// Sums that are neither a format nor a matrix unit.
    #[error(
        "recipe '{recipe}': {pass}.sums: '{sums}' is neither an accumulator's format nor a matrix unit: {}`binade units` lists the units",
        match nearest(.sums, units()) { Some(near) => format!("did you mean {near}? "), None => String::new() }
    )]
    UnknownSums {
        /// The recipe.
        recipe: String,
        /// The pass.
        pass: &'static str,
        /// The format or the unit.
        sums: String,
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
    /// A rotation of a tensor that is no operand of a product.
    #[error(
        "recipe '{recipe}': {key}: '{quantizer}': hadamard is for operands of products, where two rotations cancel: leave it out"
    )]
    RotatedStored {
        /// The recipe.
        recipe: String,
        /// The key.
        key: String,
        /// The quantizer.
        quantizer: String,
    },
    /// Operands of a product that are rotated in different ways.
    #[error(
        "recipe '{recipe}': {pass}: rotations cancel only if both operands have the same one: {left} has {}, and {right} has {}",
        rotation_text(.rotations[0]), rotation_text(.rotations[1])
    )]
    Rotations {
        /// The recipe.
        recipe: String,
        /// The pass.
        pass: &'static str,
        /// The role of the left operand.
        left: &'static str,
        /// The role of the right operand.
        right: &'static str,
        /// The rotations of both.
        rotations: [Option<Rotation>; 2],
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

impl RecipeError {
    /// The keys that may have caused the error, the first one most likely.
    pub fn keys(&self) -> Vec<String> {
        match self {
            RecipeError::Unknown { .. } => vec!["base".to_owned()],
            RecipeError::Change { .. } => vec![],
            RecipeError::Name { .. } => vec!["name".to_owned()],
            RecipeError::Layer { .. } => vec!["leave".to_owned()],
            RecipeError::Key { key, .. } | RecipeError::Quantizer { key, .. } => vec![key.clone()],
            RecipeError::RotatedStored { key, .. } => vec![key.clone()],
            RecipeError::Rotations { pass, left, right, rotations, .. } => {
                let keys = [right, left].map(|role| format!("{pass}.{role}"));
                let at = usize::from(rotations[1].is_none());
                vec![keys[at].clone(), keys[1 - at].clone(), (*pass).to_owned()]
            }
            RecipeError::UnknownSums { pass, .. }
            | RecipeError::Sums { pass, .. }
            | RecipeError::NoFormat { pass, .. } => vec![format!("{pass}.sums"), "sums".to_owned()],
        }
    }
}

/// A rotation as options of a quantizer.
fn rotation_text(rotation: Option<Rotation>) -> String {
    match rotation {
        Some(Rotation { size, signs }) => {
            format!("hadamard={size}{}", if signs { "/signs=random" } else { "" })
        }
        None => "none".to_owned(),
    }
}

/// The names of matrix units, and formats of accumulators.
fn units() -> impl Iterator<Item = &'static str> {
    UNITS.iter().map(|unit| unit.name).chain(["f32", "bf16", "f16"])
}

/// The parts of a text `NAME[{CHANGES}][@SUMS]`.
struct Parts<'a> {
    name: &'a str,
    changes: Option<&'a str>,
    sums: Option<&'a str>,
}

impl<'a> Parts<'a> {
    fn of(text: &'a str) -> Parts<'a> {
        let text = text.trim();
        let braces = text.find('{').and_then(|open| Some((open, open + closing(&text[open..])?)));
        let (name, changes, rest) = match braces {
            Some((open, close)) => (&text[..open], Some(&text[open + 1..close]), &text[close + 1..]),
            None => {
                let end = text.find('@').unwrap_or(text.len());
                (&text[..end], None, &text[end..])
            }
        };
        let sums = rest.trim().strip_prefix('@');
        // Text after the braces that is no sums is part of a name, which no recipe has.
        let name = if sums.is_none() && !rest.trim().is_empty() { text } else { name.trim() };
        Parts { name, changes, sums }
    }

    /// True if the changes begin with a base, so that the name is that of a new recipe.
    fn has_base(&self) -> bool {
        self.changes.is_some_and(|changes| changes.trim_start().starts_with("base="))
    }
}

/// The place of the brace that closes the first one of a text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.char_indices().find_map(|(at, character)| {
        depth += match character {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        (character == '}' && depth == 0).then_some(at)
    })
}

/// True for a character of recipes' names.
fn is_of_name(character: char) -> bool {
    character.is_alphanumeric() || "-_.+".contains(character)
}

/// Writes an arithmetic without the keys and values of the recipes in it that have a base: `dot_general=mine` for
/// `dot_general=mine{base=none|…}`. With `names` false, only the keys and values are written.
fn rewritten(arithmetic: &str, names: bool) -> String {
    let (mut written, mut rest) = (String::new(), arithmetic);
    while let Some(open) = rest.find("{base=") {
        let Some(close) = closing(&rest[open..]) else { break };
        let (before, changes) = (&rest[..open], &rest[open..=open + close]);
        match names {
            true => written += before,
            false => {
                written += before.trim_end_matches(is_of_name);
                written += changes;
            }
        }
        rest = &rest[open + close + 1..];
    }
    written + rest
}

/// The short form of an arithmetic, for tables: recipes with a base are only named.
pub fn short_form(arithmetic: &str) -> String {
    rewritten(arithmetic, true)
}

/// The content of an arithmetic, on which its results depend: recipes with a base have no name.
pub fn content(arithmetic: &str) -> String {
    rewritten(arithmetic, false)
}

/// All keys of a recipe.
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
        "base",
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

    /// True if a text begins with a recipe's name, or with a name and the keys of a recipe.
    pub fn is_named_by(text: &str) -> bool {
        let parts = Parts::of(text);
        named::find(parts.name).is_some()
            || parts.has_base() && !parts.name.is_empty() && parts.name.chars().all(is_of_name)
    }

    /// True for the text of a recipe, with or without sums. The name of an operator, as `mp`, and that of a block format with a rule
    /// of scales are no recipe's.
    pub fn is_text(text: &str) -> bool {
        let Parts { name, changes, sums } = Parts::of(text);
        let outside = || [name, sums.unwrap_or("")];
        let is_other = || {
            outside().iter().any(|part| part.contains(':'))
                || changes.is_none()
                    && (sums.is_some_and(|sums| sums.starts_with("rule="))
                        || text.parse::<Operator>().is_ok())
        };
        Recipe::is_named_by(text) && !is_other()
    }

    /// The recipe of a text `NAME[{KEY=VALUE|…}][@SUMS]`, whose products are added as `SUMS` says: `nvfp4-training@b200`.
    ///
    /// # Errors
    /// No recipe of this name, a key or a value that was not understood, and sums that do not fit its formats.
    pub fn parse(text: &str) -> Result<Recipe, RecipeError> {
        let parts = Parts::of(text);
        let Parts { name, changes, sums } = parts;
        let recipe = match changes {
            None => Recipe::named(name).ok_or_else(|| RecipeError::Unknown { name: name.to_owned() })?,
            Some(changes) => {
                let all = match parts.has_base() {
                    true => Recipe::own_name(name)?.to_owned(),
                    false => format!("{name}{{{changes}}}"),
                };
                let mut pairs = vec![];
                if !parts.has_base() {
                    pairs.push(("base", name));
                }
                for change in changes.split('|').map(str::trim).filter(|change| !change.is_empty()) {
                    let pair = change.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
                    let wrong = || RecipeError::Change { recipe: all.clone(), text: change.to_owned() };
                    pairs.push(pair.ok_or_else(wrong)?);
                }
                Recipe::of_pairs(&all, pairs)?
            }
        };
        match sums {
            Some(sums) => recipe.with_sums(sums),
            None => Ok(recipe),
        }
    }

    /// Checks that a new recipe may have this name.
    fn own_name(name: &str) -> Result<&str, RecipeError> {
        let wrong = |reason| Err(RecipeError::Name { name: name.to_owned(), reason });
        if named::find(name).is_some() {
            return wrong("it is another recipe's");
        }
        if name.parse::<Spec>().is_ok() || name.parse::<Operator>().is_ok() || BlockFormat::is_named(name) {
            return wrong("it is that of a format or an operator");
        }
        match !name.is_empty() && name.chars().all(is_of_name) {
            true => Ok(name),
            false => wrong("names have letters, digits, '-', '_', '.' and '+'"),
        }
    }

    /// The text of this recipe, which [`Recipe::parse`] reads: its name if that says all of it, otherwise with its keys and values.
    ///
    /// # Errors
    /// A recipe of one's own has the name of another, or a name that no recipe can have.
    pub fn text(&self) -> Result<String, RecipeError> {
        if Recipe::parse(&self.name).is_ok_and(|known| known.computes_as(self)) {
            return Ok(self.name.clone());
        }
        let Parts { name, sums, .. } = Parts::of(&self.name);
        let mut text = format!("{}{{base=none", Recipe::own_name(name)?);
        for (key, value) in self.pairs() {
            if sums.is_none() || !key.ends_with(".sums") {
                text += &format!("|{key}={value}");
            }
        }
        text += "}";
        if let Some(sums) = sums {
            text += "@";
            text += sums;
        }
        Ok(text)
    }

    /// True if both recipes have the same arithmetic, whatever their names and sources are.
    fn computes_as(&self, other: &Recipe) -> bool {
        let arithmetic =
            |of: &Recipe| (of.products.clone(), of.attention.clone(), of.stored.clone(), of.leave.clone());
        arithmetic(self) == arithmetic(other)
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
        let pairs: Vec<(&str, &str)> = pairs.into_iter().collect();
        if let Some((_, base)) = pairs.iter().find(|(key, base)| *key == "base" && *base != "none") {
            let base =
                Recipe::named(base).ok_or_else(|| RecipeError::Unknown { name: (*base).to_owned() })?;
            let about = format!("{} with changes", base.name);
            recipe = Recipe { name: recipe.name, about, ..base };
        }
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
                ("base", _) => {}
                ("about", _) => recipe.about = value.to_owned(),
                ("source", _) => recipe.source = value.to_owned(),
                ("leave", _) => {
                    let layers = value.split(',').map(str::trim).filter(|layer| !layer.is_empty());
                    recipe.leave = layers.map(str::to_owned).collect();
                    if let Some(layer) =
                        recipe.leave.iter().find(|layer| layer.contains(['|', '{', '}', ';']))
                    {
                        let (recipe, layer) = (name.to_owned(), layer.clone());
                        return Err(RecipeError::Layer { recipe, layer });
                    }
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

    /// Returns an error if the products of a pass have no operator, or rotations that do not cancel.
    fn checked(self) -> Result<Recipe, RecipeError> {
        for pass in Pass::ALL {
            self.operator(pass)?;
        }
        self.attention_operator()?;
        for (role, quantizer) in self.stored.entries() {
            if quantizer.rotation.is_some() {
                let (recipe, key, quantizer) =
                    (self.name.clone(), format!("stored.{role}"), format!("{quantizer}"));
                return Err(RecipeError::RotatedStored { recipe, key, quantizer });
            }
        }
        let passes = Pass::ALL
            .map(|pass| (pass.name(), pass.operands().map(OperandRole::name), &self.product(pass).operands));
        let attention = ("attention", ["left", "right"], &self.attention.operands);
        for (pass, [left, right], operands) in passes.into_iter().chain([attention]) {
            let rotations = operands.each_ref().map(|quantizer| quantizer.rotation);
            if rotations[0] != rotations[1] {
                let recipe = self.name.clone();
                return Err(RecipeError::Rotations { recipe, pass, left, right, rotations });
            }
        }
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
        if let Err(OperatorError::Format { source: SpecError::Unknown { .. }, .. }) = &parsed {
            let sums = unit.to_owned();
            return Err(RecipeError::UnknownSums { recipe: recipe(), pass: pass_name, sums });
        }
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
            || products().any(|product| {
                ["rounding=stochastic", "rounding=random"].iter().any(|mode| product.sums.contains(mode))
            })
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
        assert!(of(&[("forward.sums", "bf16/rounding=random")]).is_stochastic());
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
            (
                &[("sums", "bf17")],
                "forward.sums: 'bf17' is neither an accumulator's format nor a matrix unit: did you mean bf16?",
            ),
            (&[("sums", "h10")], "did you mean h100? `binade units` lists the units"),
            (&[("base", "nvfp5")], "there is no recipe 'nvfp5': did you mean nvfp4?"),
            (&[("leave", "a|b")], "leave: 'a|b' has a character"),
            (&[("forward.weight", "nvfp4/partial=drop")], "partial=drop is not understood: partial is pad"),
            (
                &[("forward.weight", "bf16/partial=leave")],
                "partial=leave is not understood: partial is for blocks",
            ),
            (&[("forward.weight", "cfloat8_1_4_3/bias=learnt/by=least")], "by is largest (exponent) or mse"),
            (&[("forward.weight", "cfloat8_1_4_3@bias=64")], "bias=64 is out of range: 0 to 63"),
            (&[("stored.weights", "bf16/hadamard=16")], "hadamard is for operands of products"),
            (
                &[("forward.weight", "nvfp4/hadamard=16/signs=random")],
                "activation has none, and weight has hadamard=16/signs=random",
            ),
            (
                &[("attention.left", "nvfp4/hadamard=16"), ("attention.right", "nvfp4/hadamard=32")],
                "attention: rotations cancel only if both operands have the same one: left has hadamard=16, and right has hadamard=32",
            ),
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

    #[test]
    fn text_of_a_recipe_is_read_as_that_recipe() {
        for name in NAMES {
            let recipe = Recipe::named(name).unwrap();
            assert_eq!(recipe.text().unwrap(), name);
            let own = Recipe { name: "mine".to_owned(), ..recipe };
            let text = own.text().unwrap();
            assert!(text.starts_with("mine{base=none"), "{text}");
            assert!(Recipe::is_text(&text));
            let again = Recipe::parse(&text).unwrap();
            assert!(again.computes_as(&own) && again.name == "mine", "{text}");
            let on_unit = Recipe::parse(&format!("{text}@bf16")).unwrap();
            assert_eq!(on_unit.name, "mine@bf16");
            assert!(Recipe::parse(&on_unit.text().unwrap()).unwrap().computes_as(&on_unit));
        }
    }

    #[test]
    fn changes_of_a_named_recipe_are_those_between_braces() {
        let text = "nvfp4-training{leave=| input_gradient.gradient=none}@bf16";
        let changed = Recipe::parse(text).unwrap();
        assert_eq!(changed.text().unwrap(), text);
        assert!(changed.leave.is_empty());
        assert!(changed.product(Pass::InputGradient).operands[0].is_none());
        let named = Recipe::parse("nvfp4-training@bf16").unwrap();
        assert_eq!(changed.product(Pass::Forward), named.product(Pass::Forward));
        for (text, wanted) in [
            ("nvfp4{leave}", "'leave' is no change of a recipe"),
            ("nvfp4{forward.weigth=bf16}", "did you mean forward.weight?"),
            (
                "nvfp4{base=none}",
                "'nvfp4' cannot be the name of a recipe of your own: it is another recipe's",
            ),
            ("bf16{base=none}", "it is that of a format or an operator"),
            (
                "mine{base=nvfp4}more",
                "'mine{base=nvfp4}more' cannot be the name of a recipe of your own: names have",
            ),
            ("nvfp4{leave=last}more", "there is no recipe"),
        ] {
            let found = Recipe::parse(text).unwrap_err().to_string();
            assert!(found.contains(wanted), "{text}: {found}");
        }
        assert!(!Recipe::is_text("dot_general@{a,b}/*=bf16"));
        assert!(!Recipe::is_text("nvfp4{leave=first"));
    }

    #[test]
    fn short_form_has_names_and_content_has_keys() {
        let text = "dot_general=mine{base=none|leave=a*}@b200;add=bf16;*=nvfp4{leave=last}";
        assert_eq!(short_form(text), "dot_general=mine@b200;add=bf16;*=nvfp4{leave=last}");
        assert_eq!(content(text), "dot_general={base=none|leave=a*}@b200;add=bf16;*=nvfp4{leave=last}");
        for plain in ["bf16:f32", "nvfp4", "{base=", "a{b}c"] {
            assert_eq!((short_form(plain), content(plain)), (plain.to_owned(), plain.to_owned()));
        }
    }
}
