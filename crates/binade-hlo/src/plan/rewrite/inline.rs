//! Calls, done where they stand: operations of a function that is called can then be done together with those around.

use binade_stablehlo::Type;
use binade_stablehlo::ir::{Function, Op, Operation, Program, Region, ValueId};
use rustc_hash::FxHashMap;

use super::edit::Copier;

/// Operations of a function with what it calls, at most: the plan's time grows with them.
const MOST: usize = 20_000;

/// Functions that are called within each other, at most.
const DEPTH: usize = 64;

/// Puts functions in place of their calls.
pub(super) fn calls(program: &Program, at: usize, function: &mut Function) {
    let mut inliner = Inliner { program, left: MOST.saturating_sub(function.body.size()), within: vec![at] };
    inliner.region(&mut function.body, &mut FxHashMap::default(), &mut function.values);
}

struct Inliner<'a> {
    program: &'a Program,
    /// Operations that may still be added.
    left: usize,
    /// The functions that operations come from, outermost first.
    within: Vec<usize>,
}

impl Inliner<'_> {
    /// `names` are values in place of results of calls.
    fn region(
        &mut self,
        region: &mut Region,
        names: &mut FxHashMap<ValueId, ValueId>,
        values: &mut Vec<Type>,
    ) {
        let mut operations = Vec::with_capacity(region.operations.len());
        for mut operation in std::mem::take(&mut region.operations) {
            for operand in &mut operation.operands {
                *operand = names.get(operand).copied().unwrap_or(*operand);
            }
            for region in operation.kind.regions_mut() {
                self.region(region, names, values);
            }
            match self.body(&operation, values) {
                Some((callee, mut body)) => {
                    self.within.push(callee);
                    self.region(&mut body, names, values);
                    self.within.pop();
                    names.extend(operation.results.iter().copied().zip(body.results));
                    operations.extend(body.operations);
                }
                None => operations.push(operation),
            }
        }
        region.operations = operations;
        for result in &mut region.results {
            *result = names.get(result).copied().unwrap_or(*result);
        }
    }

    /// What a call does: the function, and its body with the call's operands for its parameters.
    fn body(&mut self, call: &Operation, values: &mut Vec<Type>) -> Option<(usize, Region)> {
        let (Op::Call { function } | Op::Composite { function, .. }) = call.kind else { return None };
        let callee = &self.program.functions[function];
        let size = callee.body.size();
        if self.within.contains(&function) || self.within.len() == DEPTH || size > self.left {
            return None;
        }
        // Types that leave sizes open are compared with the values of a run.
        let alike = |outside: &[ValueId], inside: &[ValueId]| {
            let ty = |values: &[Type], value: &ValueId| values[value.0 as usize].clone();
            outside.len() == inside.len()
                && outside.iter().zip(inside).all(|(outer, inner)| {
                    let inner = ty(&callee.values, inner);
                    crate::machine::values::static_type(&inner).is_some() && ty(values, outer) == inner
                })
        };
        if !alike(&call.operands, &callee.body.parameters) || !alike(&call.results, &callee.body.results) {
            return None;
        }
        self.left -= size;
        let names = callee.body.parameters.iter().copied().zip(call.operands.iter().copied()).collect();
        let mut copier = Copier { types: Some(&callee.values), names, values };
        let operations = callee.body.operations.iter().map(|operation| copier.operation(operation)).collect();
        let results = copier.all(&callee.body.results);
        Some((function, Region { parameters: vec![], operations, results }))
    }
}
