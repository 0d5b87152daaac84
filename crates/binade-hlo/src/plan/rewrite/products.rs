//! Products that read transposed operands where they lie. What a loop's products read stays transposed before the loop
//! ([`crate::plan::rewrite::hoist`]), unless it is large: that is done once, and rows that lie one behind the other are read faster.

use binade_stablehlo::Type;
use binade_stablehlo::ir::{Function, Op, Region, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::edit::plain;
use crate::plan::cost::bytes;

/// Bytes from which on an operand is not held twice, as it is and transposed: no cache keeps it from one iteration to the
/// next, and its way from memory takes most of a product's time however it lies.
pub(super) const LARGE: usize = 4 << 20;

/// Makes products of transposes of `least` bytes and more products of what was transposed, where the result's dimensions keep
/// their order. Gives the transposes that a product read before.
pub(super) fn transposes(function: &mut Function, least: usize) -> FxHashSet<ValueId> {
    let mut bypassed = FxHashSet::default();
    region(&mut function.body, &function.values, least, &mut bypassed);
    bypassed
}

/// What a transpose is of, and how.
type Known = FxHashMap<ValueId, (ValueId, Vec<usize>)>;

fn region(region: &mut Region, values: &[Type], least: usize, bypassed: &mut FxHashSet<ValueId>) {
    // Those of this region.
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
