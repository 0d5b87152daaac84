//! Joins consecutive operations on few elements into a segment: a `case` of one branch, which runs without interpretation.

use std::ops::Range;
use std::sync::Arc;

use binade_stablehlo::ir::{Function, Op, Operation, Region, ValueId};
use binade_stablehlo::traits::ReadThrough;
use binade_stablehlo::{Data, ElementType, Tensor, TensorType, Type};
use rustc_hash::FxHashSet;

use super::edit::Copier;
use crate::machine::small_loops::{self, Grower};

/// Minimum number of operations of a segment that do more than reinterpret a value.
const LEAST: usize = 4;

/// Maximum number of operations of a segment.
const MOST: usize = 128;

/// Maximum words of all values of a segment, which stay in the second-level cache.
const WORDS: usize = 32 << 10;

/// Forms segments in the function and in its loops.
pub(super) fn together(function: &mut Function) {
    region(&mut function.body, &mut function.values);
}

fn region(region: &mut Region, values: &mut Vec<Type>) {
    for operation in &mut region.operations {
        if small_loops::compile(operation, values).is_some() {
            continue;
        }
        if let Op::While { body, .. } = &mut operation.kind {
            self::region(body, values);
        }
    }
    let found = segments(&region.operations, values);
    if found.is_empty() {
        return;
    }
    // For each operation and for the results of the region: the values read from there on, after a segment that ends there.
    let mut read: FxHashSet<ValueId> = region.results.iter().copied().collect();
    let mut operations = std::mem::take(&mut region.operations);
    let mut tail: Vec<Vec<Operation>> = vec![];
    for segment in found.into_iter().rev() {
        let after = operations.split_off(segment.end);
        after.iter().for_each(|operation| reads(operation, &mut read));
        tail.push(after);
        let inside = operations.split_off(segment.start);
        let made = one(&inside, &read, values).unwrap_or(inside);
        made.iter().for_each(|operation| reads(operation, &mut read));
        tail.push(made);
    }
    operations.extend(tail.into_iter().rev().flatten());
    region.operations = operations;
}

fn reads(operation: &Operation, into: &mut FxHashSet<ValueId>) {
    into.extend(&operation.operands);
    let mut named = vec![];
    operation.kind.regions().into_iter().for_each(|region| region.named(&mut named));
    into.extend(named);
}

/// Returns true for an operation that computes, and that kernels do not read through.
fn is_work(operation: &&Operation) -> bool {
    operation.kind.traits().read_through == ReadThrough::Never
}

/// The ranges of the segments.
fn segments(operations: &[Operation], values: &[Type]) -> Vec<Range<usize>> {
    let mut found = vec![];
    let mut at = 0;
    while at < operations.len() {
        let mut grower = Grower::new(values);
        let start = at;
        while at < operations.len()
            && at - start < MOST
            && !matches!(operations[at].kind, Op::While { .. })
            && grower.takes(&operations[at])
            && grower.words() <= WORDS
        {
            at += 1;
        }
        if operations[start..at].iter().filter(is_work).count() >= LEAST {
            found.push(start..at);
        }
        at = at.max(start + 1);
    }
    found
}

/// A segment as a `case` that returns the values read later. `None` if no value is read later.
fn one(inside: &[Operation], read: &FxHashSet<ValueId>, values: &mut Vec<Type>) -> Option<Vec<Operation>> {
    let mut copier = Copier { types: None, names: Default::default(), values };
    let operations = inside.iter().map(|operation| copier.operation(operation)).collect();
    let mut needed = read.clone();
    let (mut results, mut exported, mut again) = (vec![], vec![], vec![]);
    for operation in inside.iter().rev() {
        let [result] = operation.results[..] else {
            let read = operation.results.iter().filter(|result| needed.contains(result));
            for &result in read {
                results.push(result);
                exported.push(copier.get(result));
            }
            continue;
        };
        if !needed.contains(&result) {
            continue;
        }
        if !is_work(&operation) {
            needed.extend(&operation.operands);
            again.push(operation.clone());
        } else {
            results.push(result);
            exported.push(copier.get(result));
        }
    }
    let first = inside.first().filter(|_| !results.is_empty())?;
    let index = ElementType::Integer { signed: true, width: 32 };
    let zero = Tensor { element: index.clone(), shape: vec![], data: Arc::new(Data::I32(vec![0])) };
    values.push(Type::Tensor(TensorType { shape: vec![], element: index }));
    let selector = ValueId(values.len() as u32 - 1);
    let at = |kind, operands, results| Operation {
        kind,
        operands,
        results,
        scope: first.scope.clone(),
        position: first.position,
    };
    let branch = Region { parameters: vec![], operations, results: exported };
    let case = at(Op::Case { branches: vec![branch] }, vec![selector], results);
    small_loops::compile(&case, values)?;
    let mut made = vec![at(Op::Constant(zero), vec![], vec![selector]), case];
    again.reverse();
    made.extend(again);
    Some(made)
}
