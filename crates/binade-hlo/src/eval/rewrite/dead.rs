//! Operations whose results nobody reads, left out.

use std::collections::HashSet;

use super::{is_plain, is_pure};
use crate::ir::{Function, Region, ValueId};
use crate::types::Type;

/// Leaves out what only makes values that are not read.
pub(super) fn operations(function: &mut Function) {
    let mut read = HashSet::new();
    region(&mut function.body, &function.values, &mut read);
}

/// From the last operation to the first; `read` are the values that something later reads.
fn region(region: &mut Region, values: &[Type], read: &mut HashSet<ValueId>) {
    read.extend(&region.results);
    let mut kept = Vec::with_capacity(region.operations.len());
    for mut operation in std::mem::take(&mut region.operations).into_iter().rev() {
        let wanted = operation.results.iter().any(|result| read.contains(result));
        if !wanted && is_pure(&operation.kind) && is_plain(&operation, values) {
            continue;
        }
        for inner in operation.kind.regions_mut() {
            self::region(inner, values, read);
        }
        read.extend(&operation.operands);
        kept.push(operation);
    }
    kept.reverse();
    region.operations = kept;
}
