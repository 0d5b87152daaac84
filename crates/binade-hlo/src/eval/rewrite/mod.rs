//! Programs that do the same with less: what is planned in place of a program that nobody looks into.
//!
//! Every result keeps its bits, since operations stay what they are: some are done once rather than often ([`hoist`]), at
//! once rather than by a call or a loop ([`inline`], [`unroll`]), before the program runs ([`fold`]), or read their operands
//! where they lie ([`products`], [`transposes`]), and short ones are done without being walked ([`segments`]). Others are done
//! twice rather than held in between ([`again`]).
//!
//! Under rules that round what operations give, programs stay as they are. Under operators, contracted pairs are those that
//! the program has and stay in one region; nothing is computed before the program runs, and factors are not exchanged.

mod again;
mod dead;
mod fold;
mod hoist;
mod inline;
mod products;
mod segments;
mod transposes;
mod unroll;

use binade_stablehlo::ir::{Op, Operation, Program, Region, ValueId};
use binade_stablehlo::{ElementType, TensorType, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use super::rules::Rules;

pub(crate) use again::FAR;

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
            let bypassed = again::values(function);
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

/// The tensor type of a value, if all sizes are known and elements are numbers as they are.
fn plain(ty: &Type) -> Option<(&ElementType, Vec<usize>)> {
    match super::machine::static_type(ty) {
        Some((ElementType::Quantized(_), _)) => None,
        found => found,
    }
}

/// Values in place of others, in a region and all regions in it.
fn rename(region: &mut Region, names: &FxHashMap<ValueId, ValueId>) {
    region.operations.iter_mut().for_each(|operation| rename_read(operation, names));
    rename_all(&mut region.results, names);
}

/// The same in what an operation reads, itself or in its regions.
fn rename_read(operation: &mut Operation, names: &FxHashMap<ValueId, ValueId>) {
    rename_all(&mut operation.operands, names);
    operation.kind.regions_mut().into_iter().for_each(|region| rename(region, names));
}

fn rename_all(values: &mut [ValueId], names: &FxHashMap<ValueId, ValueId>) {
    values.iter_mut().for_each(|value| *value = names.get(value).copied().unwrap_or(*value));
}

/// Copies operations, each result as a new value of a function.
struct Copier<'a> {
    /// Types of the values of the function that operations come from; none if it is that which they go to.
    types: Option<&'a [Type]>,
    /// What values are called there; others keep their names.
    names: FxHashMap<ValueId, ValueId>,
    values: &'a mut Vec<Type>,
}

impl Copier<'_> {
    fn get(&self, value: ValueId) -> ValueId {
        self.names.get(&value).copied().unwrap_or(value)
    }

    fn all(&self, values: &[ValueId]) -> Vec<ValueId> {
        values.iter().map(|&value| self.get(value)).collect()
    }

    fn define(&mut self, values: &[ValueId]) -> Vec<ValueId> {
        let mut new = |&value: &ValueId| {
            let ty = self.types.unwrap_or(self.values)[value.0 as usize].clone();
            self.values.push(ty);
            let name = ValueId(self.values.len() as u32 - 1);
            self.names.insert(value, name);
            name
        };
        values.iter().map(&mut new).collect()
    }

    fn operation(&mut self, operation: &Operation) -> Operation {
        let operands = self.all(&operation.operands);
        let mut copy = Operation { operands, ..operation.clone() };
        for region in copy.kind.regions_mut() {
            *region = self.region(region);
        }
        copy.results = self.define(&operation.results);
        copy
    }

    fn region(&mut self, region: &Region) -> Region {
        let parameters = self.define(&region.parameters);
        let operations = region.operations.iter().map(|operation| self.operation(operation)).collect();
        Region { parameters, operations, results: self.all(&region.results) }
    }
}

/// Whether all that an operation reads and makes are tensors whose sizes are known.
fn is_plain(operation: &Operation, values: &[Type]) -> bool {
    let known = |value: &ValueId| matches!(&values[value.0 as usize], Type::Tensor(TensorType { shape, .. }) if !shape.contains(&None));
    operation.operands.iter().chain(&operation.results).all(known)
}

#[cfg(test)]
mod tests;
