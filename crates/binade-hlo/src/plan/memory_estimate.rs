//! Estimates a program's memory before it runs, from its text.

use std::collections::HashMap;

use binade_stablehlo::ir::{Op, Operation, Program, Region, ValueId};
use binade_stablehlo::{ElementType, TensorType, Type};

use super::cost::{Operand, bytes, cost};

/// Computes the bytes that [`Evaluate::memory`](crate::evaluate::Evaluate::memory) returns.
pub(crate) fn memory(program: &Program, name: &str) -> Option<usize> {
    let mut ledger = Planned { program, functions: HashMap::new() };
    let constants: usize = program.functions.iter().map(|function| constants(&function.body)).sum();
    let most = ledger.function(*program.names.get(name)?)?.0;
    Some(constants.saturating_add(most))
}

fn constants(region: &Region) -> usize {
    let of = |operation: &Operation| match &operation.kind {
        Op::Constant(tensor) => tensor.data.bytes(),
        kind => kind.regions().into_iter().map(constants).sum(),
    };
    region.operations.iter().map(of).sum()
}

/// The sizes of a tensor, if the text states all of them.
fn shape(tensor: &TensorType) -> Option<Vec<usize>> {
    tensor.shape.iter().copied().collect()
}

/// Bytes of a value.
fn size(ty: &Type) -> Option<usize> {
    match ty {
        Type::Tensor(tensor) => bytes(&tensor.element, &shape(tensor)?),
        Type::Token => Some(0),
        Type::Tuple(types) => types.iter().map(size).sum(),
    }
}

/// The number of elements of a value that is a tensor.
fn elements(ty: &Type) -> Option<usize> {
    let Type::Tensor(tensor) = ty else { return None };
    Some(shape(tensor)?.iter().product())
}

struct Planned<'p> {
    program: &'p Program,
    /// The memory of functions already estimated: maximum bytes, and the bytes of the parameters among them.
    functions: HashMap<usize, Option<(usize, usize)>>,
}

impl Planned<'_> {
    fn function(&mut self, at: usize) -> Option<(usize, usize)> {
        if let Some(known) = self.functions.get(&at) {
            return *known;
        }
        let function = &self.program.functions[at];
        let parameters = function.body.parameters.iter().map(|at| size(&function.values[at.0 as usize]));
        let found = parameters.sum::<Option<usize>>().zip(self.region(&function.values, &function.body));
        let found = found.map(|(parameters, most)| (most, parameters));
        self.functions.insert(at, found);
        found
    }

    /// Maximum bytes of a region, including its parameters, without the values around it.
    fn region(&mut self, types: &[Type], region: &Region) -> Option<usize> {
        let size_of = |at: ValueId| size(&types[at.0 as usize]);
        let mut last: HashMap<ValueId, usize> = HashMap::new();
        for (at, operation) in region.operations.iter().enumerate() {
            uses(operation, &mut |value| {
                last.insert(value, at);
            });
        }
        region.results.iter().for_each(|value| {
            last.insert(*value, region.operations.len());
        });
        let mut held: HashMap<ValueId, usize> = HashMap::new();
        for value in &region.parameters {
            held.insert(*value, size_of(*value)?);
        }
        let mut live: usize = held.values().sum();
        let mut most = live;
        for (at, operation) in region.operations.iter().enumerate() {
            let mut made = 0;
            if !matches!(operation.kind, Op::Constant(_)) {
                for result in &operation.results {
                    let bytes = size_of(*result)?;
                    held.insert(*result, bytes);
                    made += bytes;
                }
            }
            most = most.max(live + made + self.besides(types, operation)?);
            live += made;
            let mut dies = |value: ValueId| {
                if last.get(&value).is_none_or(|last| *last <= at) {
                    live -= held.remove(&value).unwrap_or(0);
                }
            };
            uses(operation, &mut dies);
            operation.results.iter().for_each(|result| dies(*result));
        }
        Some(most)
    }

    /// The memory of an operation besides its operands and results.
    fn besides(&mut self, types: &[Type], operation: &Operation) -> Option<usize> {
        let mut inside = 0;
        for region in operation.kind.regions() {
            inside = inside.max(self.region(types, region)?);
        }
        if let Op::Call { function } | Op::Composite { function, .. } = operation.kind {
            let (most, parameters) = self.function(function)?;
            return Some(most - parameters);
        }
        let mut shapes = vec![];
        for at in &operation.operands {
            if let Type::Tensor(tensor) = &types[at.0 as usize] {
                shapes.push((&tensor.element, shape(tensor)?));
            }
        }
        let operands: Vec<Operand> =
            shapes.iter().map(|(element, shape)| Operand::planned(element, shape)).collect();
        let first = operation.results.first().map(|at| &types[at.0 as usize]);
        let element = match first {
            Some(Type::Tensor(tensor)) => &tensor.element,
            _ => &ElementType::Bool,
        };
        let results: usize = operation.results.iter().filter_map(|at| elements(&types[at.0 as usize])).sum();
        Some(inside + cost(&operation.kind, &operands, element, results as f64).scratch as usize)
    }
}

/// The values that an operation and its regions read.
fn uses(operation: &Operation, tell: &mut dyn FnMut(ValueId)) {
    operation.operands.iter().for_each(|value| tell(*value));
    for region in operation.kind.regions() {
        region.operations.iter().for_each(|inner| uses(inner, tell));
        region.results.iter().for_each(|value| tell(*value));
    }
}
