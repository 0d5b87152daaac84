//! Joins the older form of manual computations in JAX programs, from before `sdy.manual_computation`. It is a call of a
//! function, whose operands `custom_call @SPMDFullToShardShape` cuts from whole values, and whose results
//! `@SPMDShardToFullShape` makes whole. The calls become the operation of [`super::sharding::manual_computation`].
//!
//! ```text
//! %1 = custom_call @Sharding(%0) {mhlo.sharding = "{devices=[2]<=[2]}"}            how the value is cut
//! %2 = custom_call @SPMDFullToShardShape(%1) {mhlo.sharding = "{manual}"}          a device's part of it
//! %3 = call @body(%2)
//! %4 = custom_call @Sharding(%3) {mhlo.sharding = "{manual}"}
//! %5 = custom_call @SPMDShardToFullShape(%4) {mhlo.sharding = "{devices=[2]<=[2]}"}
//! ```

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::Builder;
use super::sharding::{manual_groups, of_xla};
use super::stated_shardings::{SHARDING, TO_PARTS, TO_WHOLE};
use crate::ir::{Groups, ManualComputation, Op, Operation, Region, ValueId};
use crate::sharding::Sharding;
use crate::types::{TensorType, Type};

/// A call of `target` with one operand: the operand, and the sharding stated for the result.
fn step<'t>(
    builder: &Builder<'t, '_>,
    operation: &Operation,
    target: &str,
) -> Option<(ValueId, ValueId, &'t str)> {
    match (&operation.kind, &operation.operands[..], &operation.results[..]) {
        (Op::CustomCall { target: own, .. }, &[operand], &[result]) if own == target => {
            Some((operand, result, builder.stated.0.get(&result)?))
        }
        _ => None,
    }
}

/// The cut of a whole value among all devices whose parts have the type of another value. `None` if there is no such cut.
fn cut(builder: &Builder<'_, '_>, sharding: &str, whole: ValueId, part: ValueId) -> Option<Arc<Sharding>> {
    let (Type::Tensor(whole), Type::Tensor(part)) = (builder.ty(whole), builder.ty(part)) else {
        return None;
    };
    let sizes = |tensor: &TensorType| tensor.shape.iter().copied().collect::<Option<Vec<usize>>>();
    let sharding = of_xla(builder.tree, sharding, whole.shape.len())?;
    let fits = whole.element == part.element && sharding.part_of(&sizes(whole)?)? == sizes(part)?;
    let everywhere = sharding.is_whole() || sharding.places.len() == builder.partitions;
    (fits && everywhere).then(|| Arc::new(sharding))
}

/// A call, the operations that read its results, and the operation that replaces all of them.
struct Found {
    call: usize,
    manual: ManualComputation,
    operands: Vec<ValueId>,
    results: Vec<ValueId>,
    gone: Vec<usize>,
}

/// Joins such calls among the operations of a region that returns `returned`.
pub(super) fn join(builder: &mut Builder<'_, '_>, operations: &mut Vec<Operation>, returned: &[ValueId]) {
    let calls: Vec<usize> =
        (0..operations.len()).filter(|&at| matches!(operations[at].kind, Op::Call { .. })).collect();
    if builder.stated.0.is_empty() || calls.is_empty() {
        return;
    }
    let mut makers = HashMap::new();
    let mut readers: HashMap<ValueId, Vec<usize>> = HashMap::new();
    for (at, operation) in operations.iter().enumerate() {
        operation.results.iter().for_each(|&result| _ = makers.insert(result, at));
        read(operation, &mut |value| readers.entry(value).or_default().push(at));
    }
    returned.iter().for_each(|&value| readers.entry(value).or_default().push(operations.len()));
    let found = calls.into_iter().filter_map(|call| find(builder, operations, call, &makers, &readers));
    let found: Vec<Found> = found.collect();
    let mut gone = HashSet::new();
    for Found { call, manual, operands, results, gone: these } in found {
        for (&value, sharding) in results.iter().zip(&manual.results) {
            sharding.iter().for_each(|sharding| builder.propagation.place(value, sharding.clone()));
        }
        let operation = &mut operations[call];
        (operation.kind, operation.operands, operation.results) =
            (Op::ManualComputation(manual), operands, results);
        gone.extend(these);
    }
    let mut at = 0..;
    operations.retain(|_| at.next().is_some_and(|at| !gone.contains(&at)));
}

/// Calls `read` for each value that an operation and its regions read.
fn read(operation: &Operation, each: &mut impl FnMut(ValueId)) {
    operation.operands.iter().for_each(|&operand| each(operand));
    for Region { operations, results, .. } in operation.kind.regions() {
        operations.iter().for_each(|operation| read(operation, each));
        results.iter().for_each(|&result| each(result));
    }
}

/// The call at `call`, if its operands are parts and its results become whole.
fn find(
    builder: &Builder<'_, '_>,
    operations: &[Operation],
    call: usize,
    makers: &HashMap<ValueId, usize>,
    readers: &HashMap<ValueId, Vec<usize>>,
) -> Option<Found> {
    let Op::Call { function } = operations[call].kind else { return None };
    let mut groups: Option<Groups> = None;
    let mut agree = |text: &str| {
        let found = manual_groups(builder.tree, text, builder.partitions)?;
        (*groups.get_or_insert_with(|| found.clone()) == found).then_some(())
    };
    let (mut operands, mut operand_cuts) = (vec![], vec![]);
    for &part in &operations[call].operands {
        let (stated, _, manual) = step(builder, &operations[*makers.get(&part)?], TO_PARTS)?;
        let (whole, _, sharding) = step(builder, &operations[*makers.get(&stated)?], SHARDING)?;
        agree(manual)?;
        operands.push(whole);
        operand_cuts.push(Some(cut(builder, sharding, whole, part)?));
    }
    let only = |value: ValueId| match readers.get(&value).map(Vec::as_slice) {
        Some(&[reader]) => Some(reader),
        _ => None,
    };
    let (mut results, mut result_cuts, mut gone) = (vec![], vec![], vec![]);
    for &part in &operations[call].results {
        let first = only(part)?;
        let (_, stated, manual) = step(builder, operations.get(first)?, SHARDING)?;
        let second = only(stated)?;
        let (_, whole, sharding) = step(builder, operations.get(second)?, TO_WHOLE)?;
        agree(manual)?;
        results.push(whole);
        result_cuts.push(Some(cut(builder, sharding, whole, part)?));
        gone.extend([first, second]);
    }
    // The operations that make the parts are removed too: outside the call they would fail on whole values.
    for &part in &operations[call].operands {
        let users = readers.get(&part)?;
        if users.iter().any(|&user| user != call) {
            return None;
        }
        gone.push(*makers.get(&part)?);
    }
    let manual =
        ManualComputation { function, groups: groups?, operands: operand_cuts, results: result_cuts };
    Some(Found { call, manual, operands, results, gone })
}

#[cfg(test)]
mod tests {
    use crate::ir::{Op, Program};

    const TEXT: &str = r#"module attributes {mhlo.num_partitions = 2 : i32} {
func.func private @body(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<2xf32>
  %2 = call @body(%1) : (tensor<2xf32>) -> tensor<2xf32>
  %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<2xf32>) -> tensor<2xf32>
  %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<2xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}
}"#;

    /// The number of operations in `main`, and true if one of them is a manual computation.
    fn operations(text: &str) -> (usize, bool) {
        let program = Program::parse(text).unwrap_or_else(|error| panic!("{error}"));
        let main = &program.functions[program.names["main"]].body.operations;
        (main.len(), main.iter().any(|operation| matches!(operation.kind, Op::ManualComputation(_))))
    }

    #[test]
    fn a_call_between_parts_and_wholes_is_a_manual_computation() {
        // The first statement of a value's sharding stays.
        assert_eq!(operations(TEXT), (2, true));
    }

    #[test]
    fn what_does_not_fit_stays_as_it_is() {
        let wrong = [
            // Three devices where the program has two, and two where it has three.
            (
                r#"(%a) {mhlo.sharding = "{devices=[2]<=[2]}"}"#,
                r#"(%a) {mhlo.sharding = "{devices=[3]<=[3]}"}"#,
            ),
            ("num_partitions = 2", "num_partitions = 3"),
            ("num_partitions = 2", "num_partitions = 1"),
            // Parts of other sizes.
            ("tensor<4xf32>", "tensor<6xf32>"),
            // No groups.
            (
                r#"{mhlo.sharding = "{manual}"} : (tensor<4xf32>)"#,
                r#"{mhlo.sharding = "{replicated}"} : (tensor<4xf32>)"#,
            ),
            // A part that another operation reads.
            ("  %3 =", "  %x = stablehlo.abs %1 : tensor<2xf32>\n  %3 ="),
            ("  %3 =", "  %x = stablehlo.abs %2 : tensor<2xf32>\n  %3 ="),
        ];
        for (from, to) in wrong {
            let text = TEXT.replace(from, to);
            assert_ne!(text, TEXT, "{from}");
            assert!(!operations(&text).1, "{to}");
        }
        let other_type = TEXT.replace("@main(%a: tensor<4xf32>)", "@main(%a: tensor<4xi32>)").replace(
            "@Sharding(%a) {mhlo.sharding = \"{devices=[2]<=[2]}\"} : (tensor<4xf32>)",
            "@Sharding(%a) {mhlo.sharding = \"{devices=[2]<=[2]}\"} : (tensor<4xi32>)",
        );
        assert_ne!(other_type, TEXT);
        assert!(!operations(&other_type).1);
    }
}
