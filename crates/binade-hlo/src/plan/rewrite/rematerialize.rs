//! Rematerialises large elementwise values that are read again long after they were made. They are recomputed from values that
//! are stored until then anyway. Backward passes read the values of forward passes, which together take more memory than
//! anything else.

use binade_stablehlo::Type;
use binade_stablehlo::ir::{Binary, Function, Op, Operation, Region, Unary, ValueId};
use binade_stablehlo::traits::{Arithmetic, ReadThrough};
use rustc_hash::{FxHashMap, FxHashSet};

use super::edit::{Copier, is_plain, rename_read};
use crate::plan::cost;

/// Minimum number of operations between a value and a reader for which it is recomputed.
pub(crate) const FAR_READER: usize = 48;

/// Minimum bytes of a value.
const LARGE: usize = 64 << 10;

/// Divisor of a value's bytes: an operand of at most that size may be stored only for its recomputation.
const SMALL: usize = 8;

/// Maximum number of operations that recompute a value.
const MOST: usize = 12;

/// Recomputes values. Returns those that may have lost all readers.
pub(super) fn values(function: &mut Function) -> FxHashSet<ValueId> {
    let mut bypassed = FxHashSet::default();
    region(&mut function.body, &mut function.values, true, &mut bypassed);
    bypassed
}

fn region(region: &mut Region, values: &mut Vec<Type>, outermost: bool, bypassed: &mut FxHashSet<ValueId>) {
    for operation in &mut region.operations {
        for inner in operation.kind.regions_mut() {
            self::region(inner, values, false, bypassed);
        }
    }
    let operations = &region.operations;
    let is_large = |at: usize| {
        is_cheap(&operations[at], values) && bytes(&values[operations[at].results[0].0 as usize]) >= LARGE
    };
    let large: Vec<usize> = match operations.len() {
        ..=FAR_READER => vec![],
        count => (0..count).filter(|&at| is_large(at)).collect(),
    };
    if large.is_empty() {
        return;
    }
    let mut lives = Lives::of(region, outermost);
    for at in large {
        let value = operations[at].results[0];
        let Some(far) = lives.far(value, at) else { continue };
        let (place, size) = (far[0], bytes(&values[value.0 as usize]));
        let mut needed = vec![];
        if !lives.gather(value, [place, size], values, &mut needed) {
            continue;
        }
        // The operands read in place of the value are no larger than it.
        let large = |&&operand: &&ValueId| bytes(&values[operand.0 as usize]).saturating_mul(SMALL) > size;
        let operands = needed.iter().flat_map(|&at| &operations[at].operands);
        let read: FxHashSet<&ValueId> = operands
            .filter(|operand| !lives.made.get(operand).is_some_and(|at| needed.contains(at)))
            .filter(large)
            .collect();
        if read.len() > 1 {
            continue;
        }
        needed.sort_unstable();
        let mut copier = Copier { types: None, names: lives.copies_at(place, &needed), values };
        let copies: Vec<Operation> = needed.iter().map(|&at| copier.operation(&operations[at])).collect();
        let copy = copier.get(value);
        lives.insert(place, &needed, copies);
        lives.take_over(value, copy, far);
        bypassed.insert(value);
    }
    let Lives { inserted, names, .. } = lives;
    write(region, inserted, names);
}

/// Uses and recomputations of the values in a region.
struct Lives<'a> {
    operations: &'a [Operation],
    /// The operation that makes each value.
    made: FxHashMap<ValueId, usize>,
    /// The parameters of the region, unless the caller stores them in any case.
    parameters: FxHashSet<ValueId>,
    /// The operations that read each value, in order. A result of the region is read after the last operation.
    uses: FxHashMap<ValueId, Vec<usize>>,
    /// The places where values are recomputed, and their names from there on.
    copies: FxHashMap<ValueId, Vec<(usize, ValueId)>>,
    /// Operations to insert before an operation.
    inserted: FxHashMap<usize, Vec<Operation>>,
    /// Values that an operation reads in place of others.
    names: FxHashMap<usize, FxHashMap<ValueId, ValueId>>,
}

impl<'a> Lives<'a> {
    fn of(region: &'a Region, outermost: bool) -> Lives<'a> {
        let operations = &region.operations;
        let (mut made, mut uses) = (FxHashMap::default(), FxHashMap::<_, Vec<usize>>::default());
        for (at, operation) in operations.iter().enumerate() {
            made.extend(operation.results.iter().map(|&result| (result, at)));
            let mut read = operation.operands.clone();
            operation.kind.regions().into_iter().for_each(|region| region.named(&mut read));
            read.sort_unstable();
            read.dedup();
            read.into_iter().for_each(|value| uses.entry(value).or_default().push(at));
        }
        region.results.iter().for_each(|&value| uses.entry(value).or_default().push(operations.len()));
        let parameters = if outermost { &[] } else { &region.parameters[..] };
        Lives {
            operations,
            made,
            parameters: parameters.iter().copied().collect(),
            uses,
            copies: FxHashMap::default(),
            inserted: FxHashMap::default(),
            names: FxHashMap::default(),
        }
    }

    /// The places that read a value of the operation `at`, from the first place on that is far from the previous ones.
    /// `None` if no place is far, or if the value is stored to the end anyway.
    fn far(&self, value: ValueId, at: usize) -> Option<Vec<usize>> {
        let uses = self.uses.get(&value)?;
        let mut before = at;
        let first = uses.iter().position(|&next| next - std::mem::replace(&mut before, next) > FAR_READER)?;
        (uses.last() != Some(&self.operations.len())).then(|| uses[first..].to_vec())
    }

    /// Returns true if a value is stored at a place, or is small compared with the recomputed value.
    fn is_stored(&self, value: ValueId, [place, size]: [usize; 2], values: &[Type]) -> bool {
        let elsewhere = !self.made.contains_key(&value) && !self.parameters.contains(&value);
        elsewhere
            || self.reaches(value, place)
            || bytes(&values[value.0 as usize]).saturating_mul(SMALL) <= size
    }

    /// Returns true if a value is read at a place or later.
    fn reaches(&self, value: ValueId, place: usize) -> bool {
        self.uses.get(&value).and_then(|uses| uses.last()).is_some_and(|&last| last >= place)
    }

    /// The name of a recomputed value that is stored at a place.
    fn copy_at(&self, value: ValueId, place: usize) -> Option<ValueId> {
        let copies = self.copies.get(&value)?.iter();
        copies
            .filter(|&&(at, copy)| at <= place && self.reaches(copy, place))
            .map(|&(_, copy)| copy)
            .next_back()
    }

    /// Collects the operations that recompute a value of `size` bytes at a place. Returns false if they need values that
    /// are not stored there.
    fn gather(&self, value: ValueId, at: [usize; 2], values: &[Type], into: &mut Vec<usize>) -> bool {
        let Some(&maker) = self.made.get(&value) else { return false };
        let operation = &self.operations[maker];
        if into.contains(&maker) {
            return true;
        }
        if into.len() == MOST || !(is_free(operation, values) || is_cheap(operation, values)) {
            return false;
        }
        into.push(maker);
        operation.operands.iter().all(|&operand| {
            // Readers do not keep a value that they read through.
            let free = self.made.get(&operand).is_some_and(|&of| is_free(&self.operations[of], values));
            !free && self.is_stored(operand, at, values)
                || self.copy_at(operand, at[0]).is_some()
                || self.gather(operand, at, values, into)
        })
    }

    /// The names at a place of the values that these operations read and do not make.
    fn copies_at(&self, place: usize, needed: &[usize]) -> FxHashMap<ValueId, ValueId> {
        let operands = needed.iter().flat_map(|&at| &self.operations[at].operands);
        let others = operands.filter(|&&operand| !self.reaches(operand, place));
        others.filter_map(|&operand| Some((operand, self.copy_at(operand, place)?))).collect()
    }

    /// Inserts copies of operations at a place.
    fn insert(&mut self, place: usize, needed: &[usize], copies: Vec<Operation>) {
        for (&at, copy) in needed.iter().zip(&copies) {
            for operand in &copy.operands {
                let uses = self.uses.entry(*operand).or_default();
                uses.insert(uses.partition_point(|&other| other <= place), place);
            }
            let value = self.operations[at].results[0];
            self.copies.entry(value).or_default().push((place, copy.results[0]));
        }
        self.inserted.entry(place).or_default().extend(copies);
    }

    /// Replaces a value by its copy in an operation.
    fn take_over(&mut self, value: ValueId, copy: ValueId, far: Vec<usize>) {
        if let Some(uses) = self.uses.get_mut(&value) {
            uses.truncate(uses.len() - far.len());
        }
        for &at in &far {
            self.names.entry(at).or_default().insert(value, copy);
        }
        self.uses.insert(copy, far);
    }
}

/// The region with the inserted operations, and with the new names of operands.
fn write(
    region: &mut Region,
    mut inserted: FxHashMap<usize, Vec<Operation>>,
    names: FxHashMap<usize, FxHashMap<ValueId, ValueId>>,
) {
    let operations = std::mem::take(&mut region.operations);
    for (at, mut operation) in operations.into_iter().enumerate() {
        region.operations.extend(inserted.remove(&at).into_iter().flatten());
        if let Some(names) = names.get(&at) {
            rename_read(&mut operation, names);
        }
        region.operations.push(operation);
    }
}

/// Bytes of a tensor of known size; 0 for any other value.
fn bytes(ty: &Type) -> usize {
    crate::plan::rewrite::edit::plain(ty)
        .map_or(0, |(element, shape)| cost::bytes(element, &shape).unwrap_or(usize::MAX))
}

/// Returns true if readers read through the operation, so its result is not stored.
fn is_free(operation: &Operation, values: &[Type]) -> bool {
    operation.kind.traits().read_through == ReadThrough::Always && is_plain(operation, values)
}

/// Returns true if an operation takes little more time than reading its result would.
fn is_cheap(operation: &Operation, values: &[Type]) -> bool {
    let traits = operation.kind.traits();
    let quick = match &operation.kind {
        Op::Unary(unary) => matches!(
            unary,
            Unary::Abs
                | Unary::Ceil
                | Unary::Exponential
                | Unary::Floor
                | Unary::IsFinite
                | Unary::Logistic
                | Unary::Negate
                | Unary::Not
                | Unary::Rsqrt
                | Unary::Sign
                | Unary::Sqrt
                | Unary::Square
                | Unary::Tanh
        ),
        Op::Binary(binary) => matches!(
            binary,
            Binary::Add
                | Binary::And
                | Binary::Divide
                | Binary::Maximum
                | Binary::Minimum
                | Binary::Multiply
                | Binary::Or
                | Binary::Subtract
                | Binary::Xor
        ),
        _ => true,
    };
    quick && traits.arithmetic == Arithmetic::Elementwise && traits.movable && is_plain(operation, values)
}
