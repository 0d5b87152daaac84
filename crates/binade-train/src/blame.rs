//! Finds the part of a model that loses most under an operator, for `--blame`. One part at a time uses the operator, all
//! others binary32. Under a recipe, a part is a role in a layer, such as the weight of a forward product, or the stored tensors
//! of a role.

use std::collections::BTreeSet;

use binade::recipe::{Pass as RecipePass, Recipe, short_form};
use binade_hlo::eval::rules::{self, Scope, is_operator};
use serde::Serialize;

use crate::experiment::{Experiment, Settings, add_cells};
use crate::parts::{Part, Pass, label_parts};
use crate::record::CellResult;
use crate::{Arithmetic, Model, TrainError, stored};

/// Effect of a part on the loss.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gap {
    /// The part.
    #[serde(flatten)]
    pub part: Part,
    /// The key of a recipe that the part has alone, as `forward.weight`; `None` under an operator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Number of its operations that the operator computes.
    pub operations: usize,
    /// Mean training loss of the last epoch relative to f32, averaged over seeds. `None` if a seed diverged or was stopped.
    pub gap: Option<f64>,
}

impl Gap {
    /// The part in words: `backward hidden`, or under a recipe `weight_gradient.gradient hidden`.
    pub fn title(&self) -> String {
        self.blamed().title()
    }

    fn blamed(&self) -> Blamed {
        Blamed { part: self.part.clone(), role: self.role.clone(), operations: self.operations }
    }
}

/// Gaps of all parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gaps {
    /// The operator.
    pub operator: String,
    /// Mean training loss of the last epoch under f32, averaged over seeds.
    pub f32_loss: Option<f64>,
    /// The gap if the operator computes everything.
    pub everything: Option<f64>,
    /// The gaps if it computes one part.
    pub parts: Vec<Gap>,
}

impl Gaps {
    /// The part with the largest gap. A part that diverged ranks first.
    pub fn most(&self) -> Option<&Gap> {
        let height = |gap: &Gap| gap.gap.unwrap_or(f64::INFINITY);
        self.parts.iter().max_by(|a, b| height(a).total_cmp(&height(b)))
    }
}

/// An experiment with cells for f32, for the operator, and for each part under it, for every seed.
#[derive(Debug)]
pub struct Blame {
    /// The experiment, to be run like any other.
    pub experiment: Experiment,
    operator: String,
    parts: Vec<Blamed>,
    seeds: usize,
}

/// A part that has the arithmetic alone.
#[derive(Clone, Debug)]
struct Blamed {
    part: Part,
    role: Option<String>,
    operations: usize,
}

impl Blamed {
    fn title(&self) -> String {
        match (&self.role, &self.part.layer) {
            (Some(role), Some(layer)) => format!("{role} {layer}"),
            (Some(role), None) => role.clone(),
            (None, _) => self.part.to_string(),
        }
    }
}

/// A recipe that quantises one role of another.
struct OneRole {
    /// Its key.
    key: String,
    /// The pass of the training step with its products; the optimizer for stored tensors.
    pass: Pass,
    /// The recipe's text.
    text: String,
}

/// The recipes that quantise one role of a recipe each. A matrix unit multiplies numbers of its formats, so that both operands of a
/// pass are one role under it.
fn one_role_each(recipe: &Recipe) -> Vec<OneRole> {
    let pairs = recipe.pairs();
    let mut roles = vec![];
    let mut push = |key: &str, pass: Pass, keys: &[&str], rotation: &str| {
        let kept = pairs.iter().filter(|(key, _)| key == "leave" || keys.contains(&&**key));
        let text: String = kept.map(|(key, value)| format!("|{key}={value}")).collect();
        let text = format!("one-role{{base=none{rotation}{text}}}");
        let known = keys.iter().any(|key| pairs.iter().any(|(known, _)| known == key));
        let valid = known && Recipe::parse(&text).is_ok();
        if valid {
            roles.push(OneRole { key: key.to_owned(), pass, text });
        }
        valid
    };
    for of in RecipePass::ALL {
        let pass = if of == RecipePass::Forward { Pass::Forward } else { Pass::Backward };
        let sums = format!("{}.sums", of.name());
        let keys = of.operands().map(|role| format!("{}.{}", of.name(), role.name()));
        // Rotations of both operands cancel, so the other operand is rotated as well.
        let rotations = of.operands().into_iter().zip(&recipe.product(of).operands).map(|(role, operand)| {
            let rotation = operand.rotation?;
            let signs = if rotation.signs { "/signs=random" } else { "" };
            Some(format!("|{}.{}=none/hadamard={}{signs}", of.name(), role.name(), rotation.size))
        });
        let rotations: Vec<String> = rotations.map(Option::unwrap_or_default).collect();
        let alone =
            (0..2).filter(|&at| push(&keys[at], pass, &[&keys[at], &sums], &rotations[1 - at])).count();
        if alone == 0 {
            push(of.name(), pass, &[&keys[0], &keys[1], &sums], "");
        }
    }
    for pass in [Pass::Forward, Pass::Backward] {
        let keys = ["attention.left", "attention.right", "attention.sums"];
        push(&format!("attention.{pass}"), pass, &keys, "");
    }
    for (name, _) in recipe.stored.entries() {
        let key = format!("stored.{name}");
        let pass = if name == "gradients" { Pass::Backward } else { Pass::Optimizer };
        push(&key, pass, &[&key], "");
    }
    roles
}

/// The parts of a labelled training step under an operator, each with its arithmetic.
fn parts_under_operator(
    model: &Model,
    parts: BTreeSet<Part>,
    operator: &str,
    scope: Scope,
) -> Result<Vec<(Blamed, Arithmetic)>, TrainError> {
    let mut found = vec![];
    for part in parts {
        let mut arithmetic = Arithmetic::parse(&part.rule(scope, operator), scope)?;
        arithmetic.name = format!("{operator} {part}");
        let operations = computed(model, &arithmetic);
        if operations > 0 {
            found.push((Blamed { part, role: None, operations }, arithmetic));
        }
    }
    Ok(found)
}

/// The roles of a recipe in each layer of a labelled training step, and its stored tensors, each with its arithmetic.
fn roles_of_recipe(
    model: &Model,
    parts: &BTreeSet<Part>,
    text: &str,
    scope: Scope,
) -> Result<Vec<(Blamed, Arithmetic)>, TrainError> {
    let mut found = vec![];
    for OneRole { key, pass, text: one } in one_role_each(&Recipe::parse(text)?) {
        let mut push = |part: Part, mut arithmetic: Arithmetic, operations: usize| {
            let blamed = Blamed { part, role: Some(key.clone()), operations };
            arithmetic.name = format!("{} {}", short_form(text), blamed.title());
            if operations > 0 {
                found.push((blamed, arithmetic));
            }
        };
        if pass == Pass::Optimizer {
            let role = key.trim_start_matches("stored.");
            let tensors = stored::tensors_of_role(&model.manifest, role);
            push(Part { pass, layer: None }, Arithmetic::parse(&one, scope)?, tensors);
            continue;
        }
        for part in parts.iter().filter(|part| part.pass == pass) {
            let arithmetic = Arithmetic::parse(&part.rule(scope, &one), scope)?;
            let operations = computed(model, &arithmetic);
            push(part.clone(), arithmetic, operations);
        }
    }
    Ok(found)
}

/// The number of operations of the training step that an arithmetic changes.
fn computed(model: &Model, arithmetic: &Arithmetic) -> usize {
    arithmetic.rules.reach(&model.train_step).iter().map(|reach| reach.computed).sum()
}

impl Blame {
    /// Prepares the experiment.
    ///
    /// # Errors
    /// The name is not one operator, the model has no parts, or [`Experiment::new`] fails.
    pub fn new(
        mut model: Model,
        data: Option<&str>,
        operator: &str,
        seeds: u64,
        settings: Settings,
    ) -> Result<Blame, TrainError> {
        let operator = operator.trim();
        if !is_operator(operator) {
            return Err(TrainError::NotAnOperator(operator.to_owned()));
        }
        if !Recipe::is_text(operator) {
            rules::operator(operator)?;
        }
        let parts = label_parts(&mut model.train_step, &model.manifest.scopes);
        let reached = match Recipe::is_text(operator) {
            true => roles_of_recipe(&model, &parts, operator, settings.scope)?,
            false => parts_under_operator(&model, parts, operator, settings.scope)?,
        };
        if reached.is_empty() {
            return Err(TrainError::NoParts(operator.to_owned()));
        }
        let both = ["f32".to_owned(), operator.to_owned()];
        let mut experiment = Experiment::new(model, data, &both, seeds, settings)?;
        for (_, arithmetic) in &reached {
            add_cells(&mut experiment.cells, arithmetic, seeds);
        }
        Ok(Blame {
            experiment,
            operator: operator.to_owned(),
            parts: reached.into_iter().map(|(blamed, _)| blamed).collect(),
            seeds: seeds as usize,
        })
    }

    /// The gaps, from the results of all cells.
    pub fn gaps(&self, results: &[CellResult]) -> Gaps {
        let loss = |arithmetic: usize| {
            let cells = arithmetic * self.seeds..(arithmetic + 1) * self.seeds;
            let of = |number| results.iter().find(|result| result.cell == number)?.loss;
            let losses: Option<Vec<f64>> = cells.map(of).collect();
            losses.map(|losses| losses.iter().sum::<f64>() / losses.len() as f64)
        };
        let f32_loss = loss(0);
        let gap = |arithmetic| Some(loss(arithmetic)? - f32_loss?);
        let parts = self.parts.iter().enumerate().map(|(at, Blamed { part, role, operations })| Gap {
            part: part.clone(),
            role: role.clone(),
            operations: *operations,
            gap: gap(at + 2),
        });
        Gaps { operator: self.operator.clone(), f32_loss, everything: gap(1), parts: parts.collect() }
    }
}
