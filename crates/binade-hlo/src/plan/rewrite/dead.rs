//! Removes operations that a rewriting pass has left without readers. Operations without readers in the original program stay.

use binade_stablehlo::ir::{Function, Region, ValueId};
use rustc_hash::FxHashSet;

/// Removes the operations whose only results are among these values, if no other operation reads them.
pub(super) fn operations(function: &mut Function, bypassed: &FxHashSet<ValueId>) {
    region(&mut function.body, bypassed, &mut FxHashSet::default());
}

/// Goes from the last operation to the first; `read` has the values that a later operation reads.
fn region(region: &mut Region, bypassed: &FxHashSet<ValueId>, read: &mut FxHashSet<ValueId>) {
    read.extend(&region.results);
    let mut kept = Vec::with_capacity(region.operations.len());
    for mut operation in std::mem::take(&mut region.operations).into_iter().rev() {
        if let [result] = operation.results[..]
            && bypassed.contains(&result)
            && !read.contains(&result)
        {
            continue;
        }
        for inner in operation.kind.regions_mut() {
            self::region(inner, bypassed, read);
        }
        read.extend(&operation.operands);
        kept.push(operation);
    }
    kept.reverse();
    region.operations = kept;
}
