//! Programs that do the same with less: what is planned in place of a program that nobody looks into.
//!
//! Every result keeps its bits, since operations stay what they are: some are done once rather than often ([`hoist`]), at
//! once rather than by a call or a loop ([`inline`], [`unroll`]), before the program runs ([`fold`]), or read their operands
//! where they lie ([`products`], [`transposes`]), and short ones are done without being walked ([`segments`]). Others are done
//! twice rather than held in between ([`rematerialize`]).
//!
//! Under rules that round what operations give, programs stay as they are. Under operators, contracted pairs are those that
//! the program has and stay in one region; nothing is computed before the program runs, and factors are not exchanged.

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

/// The program with the functions rewritten that no other one calls. Rules are none that round.
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
