//! Which part of a model an operator spoils: one part at a time is computed with it, everything else in binary32.
//!
//! Parts are the named scopes of the manifest's layers, forward and backward, and the optimizer, as the locations of
//! train_step.mlir tell them: JAX writes `jvp(LAYER)` for the forward pass, `transpose(jvp(LAYER))` for the backward one. An
//! operation without such a name in a function or a loop belongs to the part of what leads there; a function that several parts
//! call is one for each of them.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use binade_hlo::Program;
use binade_hlo::eval::rules::is_operator;
use binade_hlo::ir::{Op, Region};
use serde::Serialize;

use crate::experiment::{Experiment, Settings, add_cells};
use crate::record::CellResult;
use crate::{Arithmetic, Model, TrainError};

/// Functions of a program that is taken apart. Calls beyond stay as they are, and what they call belongs to no part.
const MOST_FUNCTIONS: usize = 2000;

/// The direction of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Pass {
    /// From the inputs to the loss.
    Forward,
    /// From the loss to the gradients.
    Backward,
    /// From gradients to new weights.
    Optimizer,
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(["forward", "backward", "optimizer"][*self as usize])
    }
}

/// A part of a training step. Parts without a layer are between layers, or, in the optimizer, for all of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Part {
    /// Its direction.
    pub pass: Pass,
    /// Its layer.
    pub layer: Option<String>,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.layer {
            Some(layer) => write!(f, "{} {layer}", self.pass),
            None => write!(f, "{}", self.pass),
        }
    }
}

/// What a part does to the loss.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gap {
    /// The part.
    #[serde(flatten)]
    pub part: Part,
    /// Operations of it that the operator computes.
    pub operations: usize,
    /// The mean training loss of the last epoch over f32's, mean over seeds; none if a seed diverged or was stopped.
    pub gap: Option<f64>,
}

/// Gaps of all parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gaps {
    /// The operator.
    pub operator: String,
    /// The mean training loss of the last epoch under f32, mean over seeds.
    pub f32_loss: Option<f64>,
    /// The gap where the operator computes everything.
    pub everything: Option<f64>,
    /// The gaps where it computes one part.
    pub parts: Vec<Gap>,
}

impl Gaps {
    /// The part with the largest gap; one that diverged is before all others.
    pub fn most(&self) -> Option<&Gap> {
        let height = |gap: &Gap| gap.gap.unwrap_or(f64::INFINITY);
        self.parts.iter().max_by(|a, b| height(a).total_cmp(&height(b)))
    }
}

/// An experiment with a cell for f32, the operator, and each part under it, for every seed.
#[derive(Debug)]
pub struct Blame {
    /// The experiment, to be run as any other.
    pub experiment: Experiment,
    operator: String,
    parts: Vec<(Part, usize)>,
    seeds: usize,
}

impl Blame {
    /// Takes a model apart.
    ///
    /// # Errors
    /// What is not one operator, a model without parts, and what [`Experiment::new`] refuses.
    pub fn new(
        mut model: Model,
        data: Option<&str>,
        operator: &str,
        seeds: u64,
        settings: Settings,
    ) -> Result<Blame, TrainError> {
        let operator = operator.trim();
        if !is_operator(operator) {
            return Err(TrainError::NoOperator(operator.to_owned()));
        }
        let parts = take_apart(&mut model.train_step, &model.manifest.scopes);
        let operations = settings.scope.operations();
        let mut reached = vec![];
        for (part, number) in parts {
            let rule = format!("{operations}@{}={operator}", pattern(number));
            let mut arithmetic = Arithmetic::parse(&rule, settings.scope)?;
            arithmetic.name = format!("{operator} {part}");
            let count: usize =
                arithmetic.rules.reach(&model.train_step).iter().map(|reach| reach.computed).sum();
            if count > 0 {
                reached.push((part, count, arithmetic));
            }
        }
        if reached.is_empty() {
            return Err(TrainError::NoParts(operator.to_owned()));
        }
        let both = ["f32".to_owned(), operator.to_owned()];
        let mut experiment = Experiment::new(model, data, &both, seeds, settings)?;
        for (_, _, arithmetic) in &reached {
            add_cells(&mut experiment.cells, arithmetic, seeds);
        }
        Ok(Blame {
            experiment,
            operator: operator.to_owned(),
            parts: reached.into_iter().map(|(part, count, _)| (part, count)).collect(),
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
        let parts = self.parts.iter().enumerate().map(|(at, (part, operations))| Gap {
            part: part.clone(),
            operations: *operations,
            gap: gap(at + 2),
        });
        Gaps { operator: self.operator.clone(), f32_loss, everything: gap(1), parts: parts.collect() }
    }
}

/// The locations of a part in a program that has been taken apart.
fn pattern(number: usize) -> String {
    format!("part {number}/*")
}

/// The part that a location names.
fn named(scope: &str, layers: &[String]) -> Option<Part> {
    let layer = |name: &str| layers.iter().find(|layer| *layer == name).cloned();
    scope.split('/').find_map(|segment| {
        let within = |before: &str, after: &str| segment.strip_prefix(before)?.strip_suffix(after);
        if let Some(name) = within("transpose(jvp(", "))") {
            return Some(Part { pass: Pass::Backward, layer: layer(name) });
        }
        if let Some(name) = within("jvp(", ")") {
            return Some(Part { pass: Pass::Forward, layer: layer(name) });
        }
        match segment {
            "optimizer" => Some(Part { pass: Pass::Optimizer, layer: None }),
            // What counts lost updates is none of the training.
            "count" => None,
            name => layer(name).map(|layer| Part { pass: Pass::Forward, layer: Some(layer) }),
        }
    })
}

/// Gives each operation a location that begins with its part's number. Arithmetic stays as it is.
fn take_apart(program: &mut Program, layers: &[String]) -> BTreeMap<Part, usize> {
    let mut parts = BTreeMap::new();
    let Some(&main) = program.names.get("main") else { return parts };
    let mut body = program.functions[main].body.clone();
    mark(program, &mut body, None, layers, &mut parts);
    program.functions[main].body = body;
    parts
}

fn mark(
    program: &mut Program,
    region: &mut Region,
    around: Option<&Part>,
    layers: &[String],
    parts: &mut BTreeMap<Part, usize>,
) {
    for operation in &mut region.operations {
        let part = named(&operation.scope, layers).or_else(|| around.cloned());
        if let Some(part) = &part {
            let next = parts.len();
            let number = *parts.entry(part.clone()).or_insert(next);
            operation.scope = Arc::from(pattern(number).replace('*', &operation.scope));
        }
        if let Op::Call { function } | Op::Composite { function, .. } = &mut operation.kind
            && program.functions.len() < MOST_FUNCTIONS
        {
            let mut called = program.functions[*function].clone();
            *function = program.functions.len();
            called.name = format!("{} {function}", called.name);
            program.names.insert(called.name.clone(), *function);
            let mut body = called.body.clone();
            // It has its place before what it calls has, so that functions that call themselves come to an end.
            program.functions.push(called);
            mark(program, &mut body, part.as_ref(), layers, parts);
            program.functions[*function].body = body;
        }
        for region in operation.kind.regions_mut() {
            mark(program, region, part.as_ref(), layers, parts);
        }
    }
}

#[cfg(test)]
mod tests {
    use binade_hlo::eval::rules::{Rules, Scope};

    use super::*;

    #[test]
    fn locations_name_parts() {
        let layers = ["hidden".to_owned(), "count".to_owned()];
        let of = |scope: &str| named(scope, &layers).map(|part| part.to_string());
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(of("jit(train_step)/jvp(hidden)/dot_general"), some("forward hidden"));
        assert_eq!(of("jit(train_step)/transpose(jvp(hidden))/while/body/mul"), some("backward hidden"));
        assert_eq!(of("jit(train_step)/jvp()/div"), some("forward"));
        assert_eq!(of("jit(train_step)/optimizer/sub"), some("optimizer"));
        assert_eq!([of("jit(train_step)/count/eq"), of("exp")], [None, None]);
    }

    /// Together, the parts are what an operator reaches, but for what belongs to no part.
    #[test]
    fn the_parts_are_the_whole() {
        for name in ["mlp", "lstm"] {
            for scope in [Scope::Paper, Scope::All] {
                let mut model = Model::load(name).unwrap();
                let computed = |model: &Model, rules: &Rules| -> usize {
                    rules.reach(&model.train_step).iter().map(|reach| reach.computed).sum()
                };
                let parts = take_apart(&mut model.train_step, &model.manifest.scopes);
                let rules: Vec<String> = [format!("{}=bf16:bf16", scope.operations())]
                    .into_iter()
                    .chain(
                        parts.values().map(|at| format!("{}@{}=bf16:bf16", scope.operations(), pattern(*at))),
                    )
                    .collect();
                let each: Vec<usize> =
                    rules.iter().map(|rule| computed(&model, &Rules::parse(&[rule]).unwrap())).collect();
                let plain = computed(&model, &Rules::parse_in(&["bf16:bf16"], scope).unwrap());
                assert_eq!(each[0], plain, "{name} {scope}");
                assert!(each[1..].iter().filter(|count| **count > 0).count() > 3, "{name} {scope} {each:?}");
            }
        }
    }
}
