//! Helpers of the passes: values renamed, operations copied.

use binade_stablehlo::ir::{Operation, Region, ValueId};
use binade_stablehlo::{ElementType, TensorType, Type};
use rustc_hash::FxHashMap;

use crate::machine::values::static_type;

/// The tensor type of a value, if all sizes are known and elements are numbers as they are.
pub(super) fn plain(ty: &Type) -> Option<(&ElementType, Vec<usize>)> {
    match static_type(ty) {
        Some((ElementType::Quantized(_), _)) => None,
        found => found,
    }
}

/// Values in place of others, in a region and all regions in it.
pub(super) fn rename(region: &mut Region, names: &FxHashMap<ValueId, ValueId>) {
    region.operations.iter_mut().for_each(|operation| rename_read(operation, names));
    rename_all(&mut region.results, names);
}

/// The same in what an operation reads, itself or in its regions.
pub(super) fn rename_read(operation: &mut Operation, names: &FxHashMap<ValueId, ValueId>) {
    rename_all(&mut operation.operands, names);
    operation.kind.regions_mut().into_iter().for_each(|region| rename(region, names));
}

pub(super) fn rename_all(values: &mut [ValueId], names: &FxHashMap<ValueId, ValueId>) {
    values.iter_mut().for_each(|value| *value = names.get(value).copied().unwrap_or(*value));
}

/// Copies operations, each result as a new value of a function.
pub(super) struct Copier<'a> {
    /// Types of the values of the function that operations come from; none if it is that which they go to.
    pub(super) types: Option<&'a [Type]>,
    /// What values are called there; others keep their names.
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

/// Whether all that an operation reads and makes are tensors whose sizes are known.
pub(super) fn is_plain(operation: &Operation, values: &[Type]) -> bool {
    let known = |value: &ValueId| matches!(&values[value.0 as usize], Type::Tensor(TensorType { shape, .. }) if !shape.contains(&None));
    operation.operands.iter().chain(&operation.results).all(known)
}
