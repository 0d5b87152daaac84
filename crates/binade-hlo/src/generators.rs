//! JAX's generators of random numbers: which operations are theirs.
//!
//! `jax.random.normal` and its siblings are functions of a program, and JAX names their operations by the primitive alone.
//! Here those get the scope of their function (`jit(_normal)/…`), and so do the functions that only generators call.
//! Rules of arithmetic leave generators alone unless they name a place: a uniform number that is rounded to 1 is an infinite
//! normal one.

use std::collections::HashMap;
use std::sync::Arc;

use crate::ir::{Op, Operation, Program, Region};

/// The functions of `jax.random` that JAX compiles, but for `_f` and `_t`, which programs may call functions of their own.
const GENERATORS: [&str; 37] = [
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

/// Whether an operation of this scope is a generator's.
pub(crate) fn in_generator(scope: &str) -> bool {
    scope.contains("jit(_")
        && scope
            .split("jit(")
            .skip(1)
            .any(|rest| rest.split_once(')').is_some_and(|(name, _)| GENERATORS.binary_search(&name).is_ok()))
}

/// The generator that a function is, by its name: JAX puts a number behind it where there are several.
fn generator(function: &str) -> Option<&'static str> {
    let plain = function.trim_end_matches(|c: char| c.is_ascii_digit());
    let names = [Some(function), plain.strip_suffix('_')];
    names.into_iter().flatten().find_map(|name| GENERATORS.binary_search(&name).ok().map(|at| GENERATORS[at]))
}

/// Names the generator in the scopes of its operations, and of those that only generators call.
pub(crate) fn name_scopes(program: &mut Program) {
    let mut names: Vec<Option<&str>> =
        program.functions.iter().map(|function| generator(&function.name)).collect();
    // For each function the functions that call it, and whether the call's own scope is a generator's.
    let mut calls: Vec<Vec<(usize, bool)>> = vec![vec![]; names.len()];
    for (at, function) in program.functions.iter().enumerate() {
        each(&function.body, &mut |operation| {
            if let Op::Call { function } | Op::Composite { function, .. } = operation.kind {
                calls[function].push((at, in_generator(&operation.scope)));
            }
        });
    }
    if names.iter().all(Option::is_none) && !calls.iter().flatten().any(|(_, own)| *own) {
        return;
    }
    // A function is a generator's if all its calls are: found in as many rounds as calls are nested.
    loop {
        let found: Vec<(usize, &str)> = (calls.iter().enumerate())
            .filter(|(at, _)| names[*at].is_none())
            .filter_map(|(at, calls)| {
                let of = |&(caller, own): &(usize, bool)| names[caller].or(own.then_some(UNNAMED));
                let callers: Option<Vec<&str>> = calls.iter().map(of).collect();
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

/// The name in scopes of what a generator calls that the call's scope alone tells.
const UNNAMED: &str = "_uniform";

fn each(region: &Region, visit: &mut impl FnMut(&Operation)) {
    for operation in &region.operations {
        visit(operation);
        operation.kind.regions().into_iter().for_each(|region| each(region, visit));
    }
}

/// Puts a generator before the scopes of a region; `named` has those that it was put before.
fn scope(region: &mut Region, name: &str, named: &mut HashMap<Arc<str>, Arc<str>>) {
    for operation in &mut region.operations {
        if !in_generator(&operation.scope) {
            let whole = named.entry(operation.scope.clone()).or_insert_with_key(|scope| match &**scope {
                "" => format!("jit({name})").into(),
                scope => format!("jit({name})/{scope}").into(),
            });
            operation.scope = whole.clone();
        }
        operation.kind.regions_mut().into_iter().for_each(|region| scope(region, name, named));
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
    fn scopes_of_generators_are_known() {
        for scope in ["jit(_normal)/mul", "jit(f)/layer/vmap(jit(_uniform))/while/body/add"] {
            assert!(in_generator(scope), "{scope}");
        }
        for scope in ["", "jit(f)/mul", "jit(_normalize)/mul", "jit(normal)", "jit(_uniform", "_uniform/mul"]
        {
            assert!(!in_generator(scope), "{scope}");
        }
    }

    #[test]
    fn functions_that_only_generators_call_are_theirs() {
        let function = |name: &str, body: &str| {
            format!(
                "func.func private @{name}(%x: tensor<f32>) -> tensor<f32> {{
                  {body}
                  %1 = stablehlo.multiply %0, %0 : tensor<f32> loc(\"mul\")
                  return %1 : tensor<f32>
                }}\n"
            )
        };
        let call = |name: &str, place: &str| {
            format!("%0 = call @{name}(%x) : (tensor<f32>) -> tensor<f32> loc(\"{place}\")")
        };
        let none = "%0 = stablehlo.negate %x : tensor<f32>";
        let text = [
            function("_uniform_12", &call("closed_call", "")),
            function("closed_call", &call("inner", "")),
            function("inner", none),
            function("shared", none),
            function("_uniforms", &call("shared", "")),
            function("_normal", &call("shared", "")),
            function("model", &call("drawn", "jit(model)/jit(_gamma)/while")),
            function("drawn", none),
        ];
        let program = Program::parse(&text.concat()).unwrap();
        let scopes: Vec<_> = (program.functions.iter())
            .map(|function| (&function.name[..], &*function.body.operations[1].scope))
            .collect();
        assert_eq!(
            scopes,
            [
                ("_uniform_12", "jit(_uniform)/mul"),
                ("closed_call", "jit(_uniform)/mul"),
                ("inner", "jit(_uniform)/mul"),
                ("shared", "mul"),
                ("_uniforms", "mul"),
                ("_normal", "jit(_normal)/mul"),
                ("model", "mul"),
                ("drawn", "jit(_uniform)/mul"),
            ]
        );
    }
}
