//! Lets products read transposed operands in place, without the transpose. A transpose that a loop's products read stays before
//! the loop ([`crate::plan::rewrite::hoist`]), unless it is large: it runs once, and contiguous rows are read faster.

use binade_stablehlo::Type;
use binade_stablehlo::ir::{Function, Op, Region, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::edit::plain;
use crate::plan::cost::bytes;

/// Minimum bytes of an operand that is not stored twice, plain and transposed. Such an operand fits no cache, and loading it
/// from memory takes most of a product's time in any layout.
pub(super) const LARGE: usize = 4 << 20;

/// Replaces products of transposes of at least `least` bytes by products of the transposed tensors, if the result keeps the
/// order of its dimensions. Returns the transposes that the products read before.
pub(super) fn transposes(function: &mut Function, least: usize) -> FxHashSet<ValueId> {
    let mut bypassed = FxHashSet::default();
    region(&mut function.body, &function.values, least, &mut bypassed);
    bypassed
}

/// The operand and the permutation of a transpose.
type Known = FxHashMap<ValueId, (ValueId, Vec<usize>)>;

fn region(region: &mut Region, values: &[Type], least: usize, bypassed: &mut FxHashSet<ValueId>) {
    // The transposes of this region.
    let mut known = Known::default();
    for operation in &mut region.operations {
        for inner in operation.kind.regions_mut() {
            self::region(inner, values, least, bypassed);
        }
        if let (Op::Transpose { permutation }, [x], [result]) =
            (&operation.kind, &operation.operands[..], &operation.results[..])
            && let Some((element, shape)) = plain(&values[x.0 as usize])
            && bytes(element, &shape).is_none_or(|bytes| bytes >= least)
        {
            known.insert(*result, (*x, permutation.clone()));
        }
        let Op::DotGeneral { dimensions, .. } = &mut operation.kind else { continue };
        let [lhs, rhs] = &mut operation.operands[..] else { continue };
        let (left, right) = (*lhs, *rhs);
        read_through(&known, lhs, &mut dimensions.lhs_batching, &mut dimensions.lhs_contracting);
        read_through(&known, rhs, &mut dimensions.rhs_batching, &mut dimensions.rhs_contracting);
        bypassed
            .extend([(left, *lhs), (right, *rhs)].iter().filter(|(old, new)| old != new).map(|pair| pair.0));
    }
}

fn read_through(known: &Known, operand: &mut ValueId, batching: &mut [usize], contracting: &mut [usize]) {
    let Some((x, permutation)) = known.get(operand) else { return };
    let is_free = |dimension: &usize| !batching.contains(dimension) && !contracting.contains(dimension);
    let free = (0..permutation.len()).filter(is_free).map(|dimension| permutation[dimension]);
    if !free.is_sorted() {
        return;
    }
    *operand = *x;
    for dimension in batching.iter_mut().chain(contracting) {
        *dimension = permutation[*dimension];
    }
}
