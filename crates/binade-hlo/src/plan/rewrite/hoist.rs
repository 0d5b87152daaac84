//! Hoists loop invariants: operations with the same result in every iteration run once before the loop, such as transposes of
//! constant weights.

use binade_stablehlo::Type;
use binade_stablehlo::ir::{Function, Op, Operation, Region, ValueId};
use binade_stablehlo::traits::ReadThrough;
use rustc_hash::{FxHashMap, FxHashSet};

use super::edit::{Copier, is_plain};
use crate::arithmetic::rules::Rules;

/// Hoists operations on loop invariants, from inner loops outwards.
pub(super) fn invariants(function: &mut Function, rules: &Rules) {
    region(&mut function.body, &mut function.values, rules);
}

fn region(region: &mut Region, values: &mut Vec<Type>, rules: &Rules) {
    let mut operations = Vec::with_capacity(region.operations.len());
    for mut operation in std::mem::take(&mut region.operations) {
        for inner in operation.kind.regions_mut() {
            self::region(inner, values, rules);
        }
        if let Op::While { body, .. } = &mut operation.kind {
            operations.extend(before(body, &operation.operands, values, rules));
        }
        operations.push(operation);
    }
    region.operations = operations;
}

/// Takes the invariant operations out of the body of a loop over `state`.
fn before(body: &mut Region, state: &[ValueId], values: &mut Vec<Type>, rules: &Rules) -> Vec<Operation> {
    // Parameters that every iteration passes on unchanged.
    let passed = body.parameters.iter().zip(&body.results).zip(state);
    let mut names: FxHashMap<ValueId, ValueId> = passed
        .filter(|((parameter, result), _)| parameter == result)
        .map(|((&parameter, _), &before)| (parameter, before))
        .collect();
    let mut changed: FxHashSet<ValueId> =
        body.parameters.iter().copied().filter(|parameter| !names.contains_key(parameter)).collect();
    let mut free: FxHashMap<ValueId, Operation> = FxHashMap::default();
    let (mut moved, mut left) = (vec![], vec![]);
    for operation in std::mem::take(&mut body.operations) {
        let same = operation.kind.traits().movable
            && is_plain(&operation, values)
            && !rules.is_bound(&operation)
            && !operation.operands.iter().any(|operand| changed.contains(operand));
        if !same {
            changed.extend(&operation.results);
            left.push(operation);
        } else if operation.kind.traits().read_through == ReadThrough::Always {
            // Stays in the loop unless a hoisted operation needs it.
            free.extend(operation.results.iter().map(|&result| (result, operation.clone())));
            left.push(operation);
        } else {
            for &operand in &operation.operands {
                copy(operand, &free, &mut names, &mut moved, values);
            }
            let operands =
                operation.operands.iter().map(|value| *names.get(value).unwrap_or(value)).collect();
            moved.push(Operation { operands, ..operation });
        }
    }
    body.operations = left;
    moved
}

/// Also hoists a free operation, with all that it needs.
fn copy(
    value: ValueId,
    free: &FxHashMap<ValueId, Operation>,
    names: &mut FxHashMap<ValueId, ValueId>,
    moved: &mut Vec<Operation>,
    values: &mut Vec<Type>,
) {
    let Some(operation) = free.get(&value).filter(|_| !names.contains_key(&value)) else { return };
    operation.operands.iter().for_each(|&operand| copy(operand, free, names, moved, values));
    let mut copier = Copier { types: None, names: std::mem::take(names), values };
    moved.push(copier.operation(operation));
    *names = copier.names;
}
