//! Parts of a training step, for `--blame` and `--search`: the forward and the backward pass of each layer, and the
//! optimizer.
//!
//! Locations of operations identify the part. JAX writes `jvp(LAYER)` for the forward pass and `transpose(jvp(LAYER))` for
//! the backward pass. In an evaluation, the bare name of a layer is its forward pass. An operation without such a name, in a
//! function or a loop, belongs to the part of the caller. A function that several parts call is copied for each. In a
//! labelled program, locations begin with `part:PASS:LAYER/` or `part:PASS/`, which rules can name.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use binade_hlo::Program;
use binade_hlo::eval::rules::Scope;
use binade_hlo::ir::{Op, Region};
use serde::Serialize;

/// Largest number of functions in a labelled program. Further calls stay as they are, and their functions belong to no part.
const MAX_FUNCTIONS: usize = 2000;

/// The pass of a part.
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

/// A part of a training step. A part without a layer is between layers; the optimizer's is for all layers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Part {
    /// Its pass.
    pub pass: Pass,
    /// Its layer.
    pub layer: Option<String>,
}

/// Prefix of the locations of parts.
const PREFIX: &str = "part:";

/// Returns true if rules name parts, so that programs must be labelled.
pub(crate) fn named_in(rules: &str) -> bool {
    rules.contains(&format!("@{PREFIX}"))
}

impl Part {
    /// The prefix of its locations, up to a `/`. Characters with a meaning in rules are removed from the layer's name.
    fn location(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || "_.-".contains(c) { c } else { '_' };
        let layer = self.layer.as_ref();
        let layer = layer.map(|layer| format!(":{}", layer.chars().map(plain).collect::<String>()));
        format!("{PREFIX}{}{}", self.pass, layer.unwrap_or_default())
    }

    /// The rule that assigns the operations of this part to an operator.
    pub fn rule(&self, scope: Scope, operator: &str) -> String {
        format!("{}@{}/*={operator}", scope.operations_under(operator), self.location())
    }

    /// The part of a location in a labelled program.
    pub(crate) fn of<'p>(parts: &'p [Part], scope: &str) -> Option<&'p Part> {
        let location = scope.split('/').next().filter(|first| first.starts_with(PREFIX))?;
        parts.iter().find(|part| part.location() == location)
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.layer {
            Some(layer) => write!(f, "{} {layer}", self.pass),
            None => write!(f, "{}", self.pass),
        }
    }
}

/// The part that a location names.
pub(crate) fn named(scope: &str, layers: &[String]) -> Option<Part> {
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
            // Counting lost updates is not part of the training.
            "count" => None,
            name => layer(name).map(|layer| Part { pass: Pass::Forward, layer: Some(layer) }),
        }
    })
}

/// Labels each operation: its location begins with the name of its part. Results do not change.
pub(crate) fn label_parts(program: &mut Program, layers: &[String]) -> BTreeSet<Part> {
    let mut parts = BTreeSet::new();
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
    parts: &mut BTreeSet<Part>,
) {
    for operation in &mut region.operations {
        let part = named(&operation.scope, layers).or_else(|| around.cloned());
        if let Some(part) = &part {
            operation.scope = Arc::from(format!("{}/{}", part.location(), operation.scope));
            if !parts.contains(part) {
                parts.insert(part.clone());
            }
        }
        if let Op::Call { function } | Op::Composite { function, .. } = &mut operation.kind
            && program.functions.len() < MAX_FUNCTIONS
        {
            let mut called = program.functions[*function].clone();
            *function = program.functions.len();
            called.name = format!("{} {function}", called.name);
            program.names.insert(called.name.clone(), *function);
            let mut body = called.body.clone();
            // Registered before its callees, so that recursion terminates.
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
    use binade_hlo::eval::rules::Rules;

    use super::*;
    use crate::Model;

    #[test]
    fn locations_are_parsed_to_parts() {
        let layers = ["hidden".to_owned(), "count".to_owned()];
        let of = |scope: &str| named(scope, &layers).map(|part| part.to_string());
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(of("jit(train_step)/jvp(hidden)/dot_general"), some("forward hidden"));
        assert_eq!(of("jit(train_step)/transpose(jvp(hidden))/while/body/mul"), some("backward hidden"));
        assert_eq!(of("jit(train_step)/jvp()/div"), some("forward"));
        assert_eq!(of("jit(train_step)/optimizer/sub"), some("optimizer"));
        assert_eq!([of("jit(train_step)/count/eq"), of("exp")], [None, None]);
    }

    /// Together, the parts have every operation that an operator computes, except those without a part.
    #[test]
    fn parts_cover_the_operations_of_the_whole() {
        for name in ["mlp", "lstm"] {
            for scope in [Scope::Paper, Scope::All] {
                let mut model = Model::load(name).unwrap();
                let computed = |model: &Model, rules: &Rules| -> usize {
                    rules.reach(&model.train_step).iter().map(|reach| reach.computed).sum()
                };
                let parts = label_parts(&mut model.train_step, &model.manifest.scopes);
                let rules: Vec<String> = [format!("{}=bf16:bf16", scope.operations())]
                    .into_iter()
                    .chain(parts.iter().map(|part| part.rule(scope, "bf16:bf16")))
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
