//! Unrolls loops of a few iterations, such as the rounds of a random number generator.

use binade_stablehlo::ir::{Binary, Direction, Function, Op, Operation, Region, ValueId};
use binade_stablehlo::{Tensor, Type};
use rustc_hash::FxHashMap;

use super::edit::{Copier, rename};
use crate::movement::shape::integers;

/// Maximum number of iterations.
const ITERATIONS: i64 = 8;

/// Maximum number of operations of all iterations.
const MOST: usize = 512;

/// Unrolls loops whose number of iterations is a small constant. Returns true if there was one.
pub(super) fn loops(function: &mut Function) -> bool {
    let before = function.values.len();
    region(&mut function.body, &mut function.values, &mut FxHashMap::default());
    function.values.len() != before
}

fn region(region: &mut Region, values: &mut Vec<Type>, known: &mut FxHashMap<ValueId, i64>) {
    let mut operations = Vec::with_capacity(region.operations.len());
    let mut names = FxHashMap::default();
    for mut operation in std::mem::take(&mut region.operations) {
        if let (Op::Constant(constant), [result]) = (&operation.kind, &operation.results[..])
            && let Some(integer) = scalar(constant)
        {
            known.insert(*result, integer);
        }
        for inner in operation.kind.regions_mut() {
            self::region(inner, values, known);
        }
        match (&operation.kind, iterations(&operation, known)) {
            (Op::While { body, .. }, Some(count)) => {
                let mut state = operation.operands.clone();
                for _ in 0..count {
                    let names = body.parameters.iter().copied().zip(state).collect();
                    let mut copier = Copier { types: None, names, values };
                    operations.extend(body.operations.iter().map(|operation| copier.operation(operation)));
                    state = copier.all(&body.results);
                }
                names.extend(operation.results.iter().copied().zip(state));
            }
            _ => operations.push(operation),
        }
    }
    region.operations = operations;
    // A later loop may rename a loop's result.
    let last = |mut value: ValueId| {
        while let Some(next) = names.get(&value) {
            value = *next;
        }
        value
    };
    let names = names.keys().map(|&name| (name, last(name))).collect();
    rename(region, &names);
}

/// The integer of a scalar constant.
fn scalar(constant: &Tensor) -> Option<i64> {
    use binade_stablehlo::ElementType;
    let is_integer = matches!(constant.element, ElementType::Integer { .. });
    (is_integer && constant.shape.is_empty()).then(|| integers(constant)[0])
}

/// The number of iterations of a loop that counts by one between constants, if it is small.
fn iterations(operation: &Operation, known: &FxHashMap<ValueId, i64>) -> Option<i64> {
    let Op::While { condition, body } = &operation.kind else { return None };
    let made = |region: &Region, value: ValueId| -> Option<Operation> {
        region.operations.iter().find(|operation| operation.results == [value]).cloned()
    };
    let [result] = condition.results[..] else { return None };
    let compare = made(condition, result)?;
    let (Op::Compare { direction: Direction::Lt, .. }, [counter, limit]) =
        (&compare.kind, &compare.operands[..])
    else {
        return None;
    };
    let at = condition.parameters.iter().position(|parameter| parameter == counter)?;
    let next = made(body, body.results[at])?;
    let (Op::Binary(Binary::Add), [counted, step]) = (&next.kind, &next.operands[..]) else { return None };
    if *counted != body.parameters[at] || *known.get(step)? != 1 {
        return None;
    }
    let count = known.get(limit)?.checked_sub(*known.get(&operation.operands[at])?)?.max(0);
    let total = usize::try_from(count).ok()?.checked_mul(body.size())?;
    // The condition must do nothing else.
    let only = condition.operations.iter().all(|other| other.kind.traits().movable);
    (count <= ITERATIONS && total <= MOST && only).then_some(count)
}
