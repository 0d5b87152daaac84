//! Inlines calls, so that a called function's operations can be grouped with those around the call.

use binade_stablehlo::Type;
use binade_stablehlo::ir::{Function, Op, Operation, Program, Region, ValueId};
use rustc_hash::FxHashMap;

use super::edit::Copier;

/// Maximum operations of a function with inlined calls: the time of planning grows with them.
const MOST: usize = 20_000;

/// Maximum depth of inlined calls.
const DEPTH: usize = 64;

/// Replaces calls by the functions' operations.
pub(super) fn calls(program: &Program, at: usize, function: &mut Function) {
    let mut inliner = Inliner { program, left: MOST.saturating_sub(function.body.size()), within: vec![at] };
    inliner.region(&mut function.body, &mut FxHashMap::default(), &mut function.values);
}

struct Inliner<'a> {
    program: &'a Program,
    /// The number of operations that may still be added.
    left: usize,
    /// The functions being inlined, outermost first.
    within: Vec<usize>,
}

impl Inliner<'_> {
    /// `names` maps results of calls to the values that replace them.
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

    /// The callee of a call, and its body with the call's operands for its parameters.
    fn body(&mut self, call: &Operation, values: &mut Vec<Type>) -> Option<(usize, Region)> {
        let (Op::Call { function } | Op::Composite { function, .. }) = call.kind else { return None };
        let callee = &self.program.functions[function];
        let size = callee.body.size();
        if self.within.contains(&function) || self.within.len() == DEPTH || size > self.left {
            return None;
        }
        // Types with open sizes are compared with the values at run time.
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
