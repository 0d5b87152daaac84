//! Marks the operations of JAX's random number generators with a scope, so that rules of arithmetic leave them alone.
//!
//! `jax.random.normal` and its siblings are functions of a program whose first argument is a key. Their operations, and those
//! of functions that only generators call, get a scope (`jax.random/jit(_normal)/mul`) before JAX's scope. Rules of arithmetic
//! apply to generators only if they name such a scope: rounding a uniform number to 1 would make a normal number infinite.

use std::collections::HashMap;
use std::sync::Arc;

use crate::ir::{Function, Op, Operation, Program, Region};
use crate::types::{ElementType, Type};

/// The functions of `jax.random` that JAX compiles, and the initialisers of `binade.jax` (`_initializer`).
const GENERATORS: [&str; 38] = [
    "_ball",
    "_bernoulli",
    "_beta",
    "_binomial",
    "_binomial_inversion",
    "_btrs",
    "_categorical",
    "_cauchy",
    "_chisquare",
    "_dirichlet",
    "_double_sided_maxwell",
    "_exponential",
    "_gamma",
    "_generalized_normal",
    "_geometric",
    "_gumbel",
    "_initializer",
    "_laplace",
    "_logistic",
    "_lognormal",
    "_maxwell",
    "_multivariate_normal",
    "_normal",
    "_normal_real",
    "_orthogonal",
    "_pareto",
    "_poisson",
    "_poisson_knuth",
    "_poisson_rejection",
    "_rademacher",
    "_randint",
    "_rayleigh",
    "_shuffle",
    "_triangular",
    "_truncated_normal",
    "_uniform",
    "_wald",
    "_weibull_min",
];

/// The scope of generators.
const SCOPE: &str = "jax.random";

/// True for the scope of a generator's operation.
pub fn in_generator(scope: &str) -> bool {
    scope.strip_prefix(SCOPE).is_some_and(|rest| rest.starts_with('/'))
}

/// The name of the generator that a function is. A generator has a known name and a key as its first argument.
fn generator(function: &Function) -> Option<&'static str> {
    let key = function.body.parameters.first()?;
    let Type::Tensor(key) = &function.values[key.0 as usize] else { return None };
    if key.element != (ElementType::Integer { signed: false, width: 32 }) {
        return None;
    }
    // JAX appends a number to a name that occurs several times. A generator that is a whole program is the entry, with its
    // name in scopes.
    let plain = function.name.trim_end_matches(|c: char| c.is_ascii_digit());
    let of_entry = function.body.operations.iter().find_map(|operation| outermost(&operation.scope));
    let spelt =
        [Some(&*function.name), plain.strip_suffix('_'), of_entry.filter(|_| function.name == "main")];
    let found = spelt.into_iter().flatten().find_map(|name| GENERATORS.binary_search(&name).ok());
    found.map(|at| GENERATORS[at])
}

/// `f` of `jit(f)/…`.
fn outermost(scope: &str) -> Option<&str> {
    scope.strip_prefix("jit(")?.split_once(")/").map(|(name, _)| name)
}

/// Puts the operations of generators, and of functions that only generators call, into the generators' scope.
pub fn name_scopes(program: &mut Program) {
    let mut names: Vec<Option<&str>> = program.functions.iter().map(generator).collect();
    if names.iter().all(Option::is_none) {
        return;
    }
    // The callers of each function.
    let mut callers: Vec<Vec<usize>> = vec![vec![]; names.len()];
    for (at, function) in program.functions.iter().enumerate() {
        each(&function.body, &mut |operation| {
            if let Op::Call { function } | Op::Composite { function, .. } = operation.kind {
                callers[function].push(at);
            }
        });
    }
    // Takes one round per level of nested calls.
    loop {
        let found: Vec<(usize, &str)> = (callers.iter().enumerate())
            .filter(|(at, _)| names[*at].is_none())
            .filter_map(|(at, callers)| {
                let callers: Option<Vec<&str>> = callers.iter().map(|&caller| names[caller]).collect();
                Some((at, *callers?.first()?))
            })
            .collect();
        if found.is_empty() {
            break;
        }
        found.into_iter().for_each(|(at, name)| names[at] = Some(name));
    }
    for (function, name) in program.functions.iter_mut().zip(names) {
        if let Some(name) = name {
            scope(&mut function.body, name, &mut HashMap::new());
        }
    }
}

fn each(region: &Region, visit: &mut impl FnMut(&Operation)) {
    for operation in &region.operations {
        visit(operation);
        operation.kind.regions().into_iter().for_each(|region| each(region, visit));
    }
}

/// Puts a generator's name before the scopes of a region. `scoped` has the scopes already made.
fn scope(region: &mut Region, name: &str, scoped: &mut HashMap<Arc<str>, Arc<str>>) {
    for operation in &mut region.operations {
        let whole = scoped.entry(operation.scope.clone()).or_insert_with_key(|scope| match &**scope {
            "" => format!("{SCOPE}/jit({name})").into(),
            scope if outermost(scope) == Some(name) => format!("{SCOPE}/{scope}").into(),
            scope => format!("{SCOPE}/jit({name})/{scope}").into(),
        });
        operation.scope = whole.clone();
        operation.kind.regions_mut().into_iter().for_each(|region| scope(region, name, scoped));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_order() {
        assert!(GENERATORS.is_sorted());
    }

    #[test]
    fn functions_that_only_generators_call_are_theirs() {
        let function = |name: &str, parameters: &str, body: &str, scope: &str| {
            format!(
                "func.func @{name}({parameters}) -> tensor<f32> {{
                  {body}
                  %1 = stablehlo.multiply %0, %0 : tensor<f32> loc(\"{scope}\")
                  return %1 : tensor<f32>
                }}\n"
            )
        };
        let drawn = "%0 = stablehlo.constant dense<1.0> : tensor<f32>";
        let (keyed, plain) = ("%k: tensor<2xui32>, %x: tensor<f32>", "%x: tensor<f32>");
        let call = |name: &str| format!("%0 = call @{name}(%x) : (tensor<f32>) -> tensor<f32>");
        let scopes = |functions: &[String]| {
            let program = Program::parse(&functions.concat()).unwrap();
            let multiply = |function: &Function| function.body.operations[1].scope.to_string();
            program.functions.iter().map(multiply).collect::<Vec<_>>()
        };
        let found = scopes(&[
            function("_uniform_12", keyed, &call("closed_call"), "mul"),
            function("closed_call", plain, &call("inner"), "mul"),
            function("inner", plain, drawn, "mul"),
            function("shared", plain, drawn, "mul"),
            function("_uniforms", keyed, &call("shared"), "mul"),
            function("_normal", keyed, &call("shared"), "jit(_normal)/mul"),
            // A function of a program that has such a name by chance has no key.
            function("_logistic", plain, drawn, "mul"),
            function("main", keyed, drawn, "jit(model)/jit(_normal)/mul"),
        ]);
        assert_eq!(
            found,
            [
                "jax.random/jit(_uniform)/mul",
                "jax.random/jit(_uniform)/mul",
                "jax.random/jit(_uniform)/mul",
                "mul",
                "mul",
                "jax.random/jit(_normal)/mul",
                "mul",
                "jit(model)/jit(_normal)/mul",
            ]
        );
        let entry = |parameters| scopes(&[function("main", parameters, drawn, "jit(_normal)/mul")]);
        assert_eq!(entry(keyed), ["jax.random/jit(_normal)/mul"]);
        assert_eq!(entry(plain), ["jit(_normal)/mul"]);
    }
}
