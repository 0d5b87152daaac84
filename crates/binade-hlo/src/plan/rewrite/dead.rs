//! Operations that rewriting has left without readers, left out. Others are done though nobody reads what they make, as the
//! program says.

use binade_stablehlo::ir::{Function, Region, ValueId};
use rustc_hash::FxHashSet;

/// Leaves out what makes one of these values alone, if nothing reads it any more.
pub(super) fn operations(function: &mut Function, bypassed: &FxHashSet<ValueId>) {
    region(&mut function.body, bypassed, &mut FxHashSet::default());
}

/// From the last operation to the first; `read` are the values that something later reads.
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
