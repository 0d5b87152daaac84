//! Helpers of the passes: rename values, copy operations.

use binade_stablehlo::ir::{Operation, Region, ValueId};
use binade_stablehlo::{ElementType, TensorType, Type};
use rustc_hash::FxHashMap;

use crate::machine::values::static_type;

/// The tensor type of a value, if all sizes are known and elements are plain numbers.
pub(super) fn plain(ty: &Type) -> Option<(&ElementType, Vec<usize>)> {
    match static_type(ty) {
        Some((ElementType::Quantized(_), _)) => None,
        found => found,
    }
}

/// Replaces values by others in a region and its nested regions.
pub(super) fn rename(region: &mut Region, names: &FxHashMap<ValueId, ValueId>) {
    region.operations.iter_mut().for_each(|operation| rename_read(operation, names));
    rename_all(&mut region.results, names);
}

/// Replaces values by others in the operands of an operation and in its regions.
pub(super) fn rename_read(operation: &mut Operation, names: &FxHashMap<ValueId, ValueId>) {
    rename_all(&mut operation.operands, names);
    operation.kind.regions_mut().into_iter().for_each(|region| rename(region, names));
}

pub(super) fn rename_all(values: &mut [ValueId], names: &FxHashMap<ValueId, ValueId>) {
    values.iter_mut().for_each(|value| *value = names.get(value).copied().unwrap_or(*value));
}

/// Copies operations into a function; each result becomes a new value.
pub(super) struct Copier<'a> {
    /// Types of the values of the source function. `None` if it is the target function.
    pub(super) types: Option<&'a [Type]>,
    /// New names of values; other values keep their names.
    pub(super) names: FxHashMap<ValueId, ValueId>,
    pub(super) values: &'a mut Vec<Type>,
}

impl Copier<'_> {
    pub(super) fn get(&self, value: ValueId) -> ValueId {
        self.names.get(&value).copied().unwrap_or(value)
    }

    pub(super) fn all(&self, values: &[ValueId]) -> Vec<ValueId> {
        values.iter().map(|&value| self.get(value)).collect()
    }

    pub(super) fn define(&mut self, values: &[ValueId]) -> Vec<ValueId> {
        let mut new = |&value: &ValueId| {
            let ty = self.types.unwrap_or(self.values)[value.0 as usize].clone();
            self.values.push(ty);
            let name = ValueId(self.values.len() as u32 - 1);
            self.names.insert(value, name);
            name
        };
        values.iter().map(&mut new).collect()
    }

    pub(super) fn operation(&mut self, operation: &Operation) -> Operation {
        let operands = self.all(&operation.operands);
        let mut copy = Operation { operands, ..operation.clone() };
        for region in copy.kind.regions_mut() {
            *region = self.region(region);
        }
        copy.results = self.define(&operation.results);
        copy
    }

    pub(super) fn region(&mut self, region: &Region) -> Region {
        let parameters = self.define(&region.parameters);
        let operations = region.operations.iter().map(|operation| self.operation(operation)).collect();
        Region { parameters, operations, results: self.all(&region.results) }
    }
}

/// Returns true if all operands and results of an operation are tensors of known sizes.
pub(super) fn is_plain(operation: &Operation, values: &[Type]) -> bool {
    let known = |value: &ValueId| matches!(&values[value.0 as usize], Type::Tensor(TensorType { shape, .. }) if !shape.contains(&None));
    operation.operands.iter().chain(&operation.results).all(known)
}
