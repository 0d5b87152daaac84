//! The verifier: turns the syntax tree into the checked program that the evaluator runs. It resolves names, infers types and
//! compares them with the stated ones, and checks every static constraint of the specification. Operations that others can
//! express are replaced by them.
//!
//! Errors state a rule in words, since the numbers of the specification's constraints have changed with its versions. They say
//! what must be true, what the program has, and where.

mod builder;
pub(crate) mod check;
pub(crate) mod chlo;
pub(crate) mod collective;
mod compatible;
pub(crate) mod contract;
pub(crate) mod control;
pub(crate) mod einsum;
pub(crate) mod elementwise;
mod mesh;
mod node;
mod pieces;
mod propagation;
mod quantized;
mod reduction;
pub(crate) mod shape;
pub(crate) mod sharding;
mod stated_shardings;
pub(crate) mod window;

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

pub(crate) use builder::Builder;
use builder::{Calls, Rules, Signature};
pub(crate) use compatible::{all_compatible, compatible, list};
pub(crate) use node::{Classes, Node};
use propagation::Propagation;
use stated_shardings::StatedShardings;

use crate::error::{Problem, Result, Source, fail};
use crate::ir::{Function, Program};
use crate::ops::{self, Verify};
use crate::parse::Tree;
use crate::syntax::{self, Attribute};

/// The greatest nesting of calls and regions together in a run.
const DEEPEST: usize = 256;

/// Verifies a tree.
pub(crate) fn program(source: &Source<'_>, tree: &Tree<'_>) -> Result<Program> {
    let mut names = HashMap::new();
    let mut signatures = vec![];
    for (index, function) in tree.functions.iter().enumerate() {
        let name = match function.attributes.get("sym_name") {
            Some((Attribute::String(name), _)) => name.to_string(),
            _ => {
                return fail(
                    function.at,
                    Problem::Expected { expected: "a name".into(), found: "none".into() },
                );
            }
        };
        if let Some(first) = names.insert(name.clone(), index) {
            let (line, _) = source.position(tree.functions[first].at);
            return fail(function.at, Problem::Redefined { name: format!("@{name}"), line: line as usize });
        }
        let Some((Attribute::Function(parameters, results), _)) = function.attributes.get("function_type")
        else {
            return fail(
                function.at,
                Problem::Expected { expected: "a function type".into(), found: "none".into() },
            );
        };
        signatures.push(Signature { parameters, results });
    }
    let count = |name: &str| match tree.attributes.get(name) {
        Some((Attribute::Integer(value), at)) => match usize::try_from(*value) {
            Ok(value @ 1..=1024) => Ok(value),
            _ => fail(
                at,
                Problem::Expected { expected: format!("{name} of 1 to 1024"), found: value.to_string() },
            ),
        },
        _ => Ok(1),
    };
    let (replicas, partitions) = (count("mhlo.num_replicas")?, count("mhlo.num_partitions")?);
    let outlined = RefCell::default();
    let mut functions = vec![];
    let mut calls = vec![];
    for (function, signature) in tree.functions.iter().zip(&signatures) {
        let mut builder = Builder {
            rules: Rules { operation, sharding: sharding::of_value, join: pieces::join },
            source,
            tree,
            names: &names,
            partitions,
            outlined: &outlined,
            signatures: &signatures,
            values: vec![],
            constants: HashMap::new(),
            visible: HashMap::new(),
            defined: vec![],
            operations: vec![],
            scopes: HashMap::new(),
            scope: Arc::from(""),
            at: function.at,
            propagation: Propagation::default(),
            stated: StatedShardings::default(),
            calls: vec![],
            depth: 0,
            deepest: 0,
        };
        functions.push(builder.function(function, signature)?);
        calls.push((builder.calls, builder.deepest));
    }
    let mut places: Vec<usize> = tree.functions.iter().map(|function| function.at).collect();
    for region in outlined.into_inner() {
        names.insert(region.function.name.clone(), functions.len());
        functions.push(region.function);
        calls.push(region.calls);
        places.push(region.at);
    }
    check_calls(&places, &functions, &calls)?;
    Ok(Program { functions, names, replicas, partitions, platform: 0 })
}

/// Checks that no function calls itself, directly or through others, and that calls and regions nest to a limited depth.
fn check_calls(places: &[usize], functions: &[Function], calls: &[Calls]) -> Result<()> {
    // Depth-first without recursion, since the text decides the length of a chain of calls. A function's depth is known
    // once all its callees have theirs.
    let mut depths: Vec<Option<usize>> = vec![None; functions.len()];
    let mut open = vec![false; functions.len()];
    for start in 0..functions.len() {
        let mut path = vec![(start, 0)];
        while let Some(&mut (function, ref mut next)) = path.last_mut() {
            let (calls, own) = &calls[function];
            open[function] = true;
            if depths[function].is_none() && *next < calls.len() {
                let (callee, _) = calls[*next];
                *next += 1;
                if open[callee] {
                    let from = path.iter().position(|&(on_path, _)| on_path == callee).unwrap_or(0);
                    let circle = path[from..].iter().map(|&(on_path, _)| on_path).chain([callee]);
                    let names: Vec<_> = circle.map(|index| format!("@{}", functions[index].name)).collect();
                    return fail(places[callee], Problem::CyclicCalls(names.join(" → ")));
                }
                if depths[callee].is_none() {
                    path.push((callee, 0));
                }
                continue;
            }
            let through = calls.iter().map(|&(callee, depth)| depth + 1 + depths[callee].unwrap_or(0));
            let depth = through.max().unwrap_or(0).max(*own);
            if depth > DEEPEST {
                let what = "calls and regions";
                return fail(places[function], Problem::TooDeep { what, limit: DEEPEST });
            }
            depths[function] = Some(depth);
            open[function] = false;
            path.pop();
        }
    }
    Ok(())
}

/// Verifies an operation by its row in the table.
fn operation<'t, 'a>(builder: &mut Builder<'t, 'a>, operation: &'t syntax::Operation<'a>) -> Result<()> {
    builder.at = operation.at;
    builder.scope = match &operation.location {
        Some(location) => builder.scope_of(location),
        None => builder.scope.clone(),
    };
    let Some(known) = ops::find(&operation.name) else {
        return fail(operation.at, Problem::UnknownOperation(operation.name.to_string()));
    };
    let operands = builder.operands(operation)?;
    let types = operands.iter().map(|&value| builder.ty(value).clone()).collect();
    let node = Node { syntax: operation, operands, types };
    if !known.per_axis {
        quantized::one_scale(&node)?;
    }
    let before = builder.operations.len();
    match known.verify {
        Verify::Unary(op, classes) => elementwise::unary(builder, &node, op, classes),
        Verify::Binary(op, classes) => elementwise::binary(builder, &node, op, classes),
        Verify::Broadcast(op, classes) => chlo::broadcast_binary(builder, &node, op, classes),
        Verify::Rules(rules) => rules(builder, &node),
    }?;
    builder.propagation.follow(&builder.operations[before..], &builder.values);
    Ok(())
}
