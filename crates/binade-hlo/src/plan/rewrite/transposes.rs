//! Merges transposes of transposes, and turns transposes of products into products with exchanged factors.

use binade_stablehlo::Type;
use binade_stablehlo::ir::{DotDimensions, Function, Op, Operation, Region, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::edit::{plain, rename};

/// Merges transposes with each other, and with products if factors may be exchanged (`turns`). Returns the values that were
/// read before and may now be unread.
pub(super) fn together(function: &mut Function, turns: bool) -> FxHashSet<ValueId> {
    let mut bypassed = FxHashSet::default();
    let mut readers = FxHashMap::default();
    count(&function.body, &mut readers);
    region(&mut function.body, &function.values, &readers, turns, &mut bypassed);
    bypassed
}

/// The number of reads of each value.
fn count(region: &Region, into: &mut FxHashMap<ValueId, usize>) {
    let mut read = |value: &ValueId| *into.entry(*value).or_default() += 1;
    region.operations.iter().flat_map(|operation| &operation.operands).for_each(&mut read);
    region.results.iter().for_each(read);
    let inner = region.operations.iter().flat_map(|operation| operation.kind.regions());
    inner.for_each(|region| count(region, into));
}

fn region(
    region: &mut Region,
    values: &[Type],
    readers: &FxHashMap<ValueId, usize>,
    turns: bool,
    bypassed: &mut FxHashSet<ValueId>,
) {
    let mut names = FxHashMap::default();
    // The operands and permutations of this region's transposes, and its products.
    let mut known: FxHashMap<ValueId, (ValueId, Vec<usize>)> = FxHashMap::default();
    let mut products: FxHashMap<ValueId, Operation> = FxHashMap::default();
    for operation in &mut region.operations {
        for inner in operation.kind.regions_mut() {
            self::region(inner, values, readers, turns, bypassed);
        }
        let new = |value: &ValueId| names.get(value).copied().unwrap_or(*value);
        operation.operands = operation.operands.iter().map(new).collect();
        let (&[x], &[result]) = (&operation.operands[..], &operation.results[..]) else {
            if let (Op::DotGeneral { algorithm: None, .. }, &[result]) =
                (&operation.kind, &operation.results[..])
                && turns
            {
                products.insert(result, operation.clone());
            }
            continue;
        };
        let Op::Transpose { permutation } = &mut operation.kind else { continue };
        if plain(&values[x.0 as usize]).is_none() {
            continue;
        }
        let mut source = x;
        if let Some((of, first)) = known.get(&x) {
            *permutation = permutation.iter().map(|&at| first[at]).collect();
            operation.operands = vec![*of];
            bypassed.insert(x);
            source = *of;
        }
        if permutation.is_sorted() {
            names.insert(result, source);
            bypassed.insert(result);
            continue;
        }
        known.insert(result, (source, permutation.clone()));
        if let Some(product) = products.get(&source).filter(|_| readers.get(&source) == Some(&1))
            && let Some(turned) = turned(product, permutation, values)
        {
            bypassed.insert(source);
            operation.kind = turned;
            operation.operands = vec![product.operands[1], product.operands[0]];
            known.remove(&result);
            products.insert(result, operation.clone());
        }
    }
    rename(region, &names);
}

/// A product with exchanged factors, if that has the effect of this permutation of its result.
fn turned(product: &Operation, permutation: &[usize], values: &[Type]) -> Option<Op> {
    let Op::DotGeneral { dimensions, .. } = &product.kind else { return None };
    let (_, lhs) = plain(&values[product.operands[0].0 as usize])?;
    let (_, rhs) = plain(&values[product.operands[1].0 as usize])?;
    let DotDimensions { lhs_batching, rhs_batching, lhs_contracting, rhs_contracting } = dimensions.clone();
    let batch = lhs_batching.len();
    let (left, right) =
        (lhs.len() - batch - lhs_contracting.len(), rhs.len() - rhs_batching.len() - rhs_contracting.len());
    let middle = batch + left;
    let exchanged = (0..batch).chain(middle..middle + right).chain(batch..middle);
    let dimensions = DotDimensions {
        lhs_batching: rhs_batching,
        rhs_batching: lhs_batching,
        lhs_contracting: rhs_contracting,
        rhs_contracting: lhs_contracting,
    };
    permutation.iter().copied().eq(exchanged).then_some(Op::DotGeneral { dimensions, algorithm: None })
}
