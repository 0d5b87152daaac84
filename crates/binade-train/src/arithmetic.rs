//! An arithmetic: the name of a cell's operators or rules, parsed for its programs.

use binade::Operator;
use binade::recipe::{Recipe, short_form};
use binade_hlo::Program;
use binade_hlo::eval::rules::{Rules, Scope, operator};

use crate::manifest::Manifest;
use crate::{TrainError, parts, stored};

/// The arithmetics of the default experiment.
pub const DEFAULT_ARITHMETICS: [&str; 5] = ["f32", "bf16:f32", "bf16:bf16", "bf16:bf16x2", "bf16x2:bf16x2/3"];

/// An arithmetic by its name. There are four forms:
/// - `f32` leaves the program as it is.
/// - An operator may have an order: `bf16:bf16`, `bf16x2:bf16x2/3/order=pairwise`, `mp`.
/// - A recipe quantises operands and stored tensors: `nvfp4-training`, `fp8-deepseek@h100/promote=128`.
/// - Rules are separated by `;`: `dot_general=bf16:f32;*=bf16`.
#[derive(Clone, Debug)]
pub struct Arithmetic {
    /// The name, as given.
    pub name: String,
    pub(crate) rules: Rules,
    operator: Option<Operator>,
    /// The recipe, if the name is one: its stored tensors are those of the trainer.
    pub(crate) recipe: Option<Recipe>,
}

impl Arithmetic {
    /// Parses a name. An operator computes the operations of `scope`; rules name their operations.
    ///
    /// # Errors
    /// An operator or a rule is invalid.
    pub fn parse(name: &str, scope: Scope) -> Result<Arithmetic, TrainError> {
        let name = name.trim().to_owned();
        if name.eq_ignore_ascii_case("f32") {
            return Ok(Arithmetic {
                name,
                rules: Rules::default(),
                operator: "f32:f32".parse().ok(),
                recipe: None,
            });
        }
        let texts: Vec<&str> = name.split(';').collect();
        let rules = Rules::parse_in(&texts, scope)?;
        let operator = operator(&name).ok();
        let recipe = Recipe::is_text(&name).then(|| Recipe::parse(&name)).transpose()?;
        Ok(Arithmetic { rules, operator, recipe, name })
    }

    /// The name in tables, where recipes from files have their names only.
    pub fn short_name(&self) -> String {
        short_form(&self.name)
    }

    /// Refuses a recipe that leaves layers which the program does not have.
    pub(crate) fn refuse_unknown_layers(
        &self,
        program: &Program,
        scopes: &[String],
    ) -> Result<(), TrainError> {
        let (layers, unmatched) = self.rules.layers(program);
        let Some(pattern) = unmatched.into_iter().next() else { return Ok(()) };
        let named: Vec<String> = layers.iter().filter(|layer| scopes.contains(layer)).cloned().collect();
        let layers = if named.is_empty() { layers } else { named };
        Err(TrainError::NoSuchLayer { arithmetic: self.short_name(), pattern, layers })
    }

    /// Returns true if it is a recipe.
    pub fn is_recipe(&self) -> bool {
        self.recipe.is_some()
    }

    /// Roles of a recipe's stored tensors that a model does not have.
    pub fn unused_roles(&self, manifest: &Manifest) -> Vec<&'static str> {
        let Some(recipe) = &self.recipe else { return vec![] };
        let given = recipe.stored.entries().into_iter().filter(|(_, quantizer)| !quantizer.is_none());
        given.map(|(role, _)| role).filter(|role| !stored::has_role(manifest, role)).collect()
    }

    /// Refuses a rule for a part that matches no operation of the program, such as a misspelt layer.
    pub(crate) fn refuse_dead_parts(&self, program: &Program) -> Result<(), TrainError> {
        let reach = self.rules.reach(program);
        match reach.into_iter().find(|reach| reach.computed == 0 && parts::named_in(&reach.rule)) {
            Some(dead) => Err(TrainError::NoSuchPart(dead.rule)),
            None => Ok(()),
        }
    }

    /// Notices for its operators without vector code, each once.
    pub fn slow(&self) -> Vec<String> {
        self.rules.slow().iter().map(ToString::to_string).collect()
    }

    /// The operator of all multiply-adds, if it is the same for all.
    pub fn operator(&self) -> Option<&Operator> {
        self.operator.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_parses_to_operator_or_rules() {
        let of = |name: &str| {
            let parsed = Arithmetic::parse(name, Scope::Paper).unwrap();
            (parsed.operator.map(|operator| operator.to_string()), parsed.rules.is_empty())
        };
        let some = |name: &str| Some(name.to_owned());
        assert_eq!(of("f32"), (some("f32:f32"), true));
        assert_eq!(of("mp"), (some("bf16:f32"), false));
        assert_eq!(of("bf16x2:bf16x2/3/order=pairwise"), (some("bf16x2:bf16x2/3"), false));
        assert_eq!(of("dot_general=bf16:f32;add=bf16"), (None, false));
        for wrong in ["", "bf17:f32", "bf16:bf16/order=random", "nothing=bf16", "bf16:bf16;"] {
            assert!(Arithmetic::parse(wrong, Scope::All).is_err(), "{wrong}");
        }
    }
    #[test]
    fn recipes_reach_convolutions_and_leave_only_what_they_say() {
        let program = crate::Model::load("resnet8").unwrap().train_step;
        let reach = |name: &str| {
            let reach = Arithmetic::parse(name, Scope::Paper).unwrap().rules.reach(&program);
            (reach[0].computed, reach[0].left)
        };
        // 20 convolutions, and the three products of the last layer.
        assert_eq!(reach("nvfp4-training"), (20, 3));
        assert_eq!(reach("tesla-cfloat8"), (23, 0));
        assert_eq!(reach("mxfp8_e5m2"), (23, 0));
        assert_eq!(reach("convolution=nvfp4*bf16"), (20, 0));
    }
}
