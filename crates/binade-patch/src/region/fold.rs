//! Broadcasts that a single product needs become its operand in memory: an instruction and a temporary less.

use std::collections::{BTreeMap, BTreeSet};

use super::ir::{Opcode, Operation, Place};

/// Folds broadcasts of numbers in the frame into the products of a segment.
pub(super) fn fold(mut operations: Vec<Operation>) -> Vec<Operation> {
    let mut occurrences: BTreeMap<Place, usize> = BTreeMap::new();
    let mut spreads = BTreeMap::new();
    for operation in &operations {
        for place in operation.from.iter().chain([&operation.to]).flatten() {
            *occurrences.entry(*place).or_default() += 1;
        }
        if let (
            Opcode::Spread { bytes: 4, offset },
            Some(t @ Place::Temporary(_)),
            [Some(Place::Slot(slot)), _],
        ) = (operation.opcode, operation.to, operation.from)
        {
            spreads.insert(t, Place::Spread(slot, offset));
        }
    }
    spreads.retain(|t, _| occurrences[t] == 2);
    let mut gone = BTreeSet::new();
    for operation in &mut operations {
        let (Opcode::Multiply | Opcode::MultiplyAdd(_), [Some(x), Some(y)]) =
            (operation.opcode, operation.from)
        else {
            continue;
        };
        // Only the last operand may be one in memory.
        let pairs = [(x, y), (y, x)].map(|(x, y)| (x, y, spreads.get(&y)));
        let found = pairs.into_iter().find(|(x, _, spread)| spread.is_some() && !matches!(x, Place::Slot(_)));
        if let Some((x, t, spread)) = found {
            operation.from = [Some(x), spread.copied()];
            gone.insert(t);
        }
    }
    operations.retain(|operation| operation.to.is_none_or(|to| !gone.contains(&to)));
    operations
}
