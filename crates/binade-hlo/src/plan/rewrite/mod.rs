//! Rewrites a program into an equal, cheaper one before it is planned. Programs with observers stay unchanged.
//!
//! Every result keeps its bits, since each operation computes as before. [`hoist`] runs loop invariants once. [`inline`] and
//! [`unroll`] replace calls and short loops by their operations. [`fold`] computes constants before the run. [`products`] and
//! [`transposes`] read operands in place. [`segments`] runs groups of small operations without interpretation.
//! [`rematerialize`] computes values twice instead of storing them.
//!
//! Under rules that round results, programs stay unchanged. Under operators, contracted pairs are those of the original program
//! and stay in one region. Nothing is computed before the run, and factors are not exchanged.

mod dead;
mod edit;
mod fold;
mod hoist;
mod inline;
mod products;
mod rematerialize;
mod segments;
mod transposes;
mod unroll;

use binade_stablehlo::ir::{Op, Program, Region};
use rustc_hash::FxHashSet;

use crate::arithmetic::rules::Rules;

pub(crate) use rematerialize::FAR_READER;

/// Returns the program with its entry functions rewritten: those that no other function calls. No rule may round.
pub(crate) fn rewritten(program: &Program, rules: &Rules) -> Program {
    let plain = rules.is_empty();
    let mut called = FxHashSet::default();
    program.functions.iter().for_each(|function| calls(&function.body, &mut called));
    let mut functions = program.functions.clone();
    for (at, function) in functions.iter_mut().enumerate().filter(|(at, _)| !called.contains(at)) {
        inline::calls(program, at, function);
        if plain {
            fold::constants(function);
        }
        if unroll::loops(function) && plain {
            fold::constants(function);
        }
        let mut bypassed = transposes::together(function, plain);
        bypassed.extend(products::transposes(function, products::LARGE));
        dead::operations(function, &bypassed);
        hoist::invariants(function, rules);
        bypassed.extend(products::transposes(function, 0));
        dead::operations(function, &bypassed);
        if plain {
            let bypassed = rematerialize::values(function);
            dead::operations(function, &bypassed);
            segments::together(function);
        }
    }
    program.with(functions)
}

/// The functions that a region calls.
fn calls(region: &Region, into: &mut FxHashSet<usize>) {
    for operation in &region.operations {
        match &operation.kind {
            Op::Call { function } | Op::Composite { function, .. } => {
                into.insert(*function);
            }
            kind => kind.regions().into_iter().for_each(|region| calls(region, into)),
        }
    }
}

#[cfg(test)]
mod filetests;
#[cfg(test)]
mod tests;
