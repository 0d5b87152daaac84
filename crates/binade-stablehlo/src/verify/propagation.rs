//! Propagates shardings from operands to results that state none, as programs for several devices need. It does not change what
//! is computed; it decides where results are stored.

use std::collections::HashMap;
use std::sync::Arc;

use crate::ir::{Op, Operation, ValueId};
use crate::sharding::Sharding;
use crate::types::Type;

/// The values of a function that are known to be in parts.
#[derive(Default)]
pub(super) struct Propagation(HashMap<ValueId, Arc<Sharding>>);

impl Propagation {
    /// Records the sharding of a value.
    pub(super) fn place(&mut self, value: ValueId, sharding: Arc<Sharding>) {
        self.0.insert(value, sharding);
    }

    pub(super) fn get(&self, value: ValueId) -> Option<&Arc<Sharding>> {
        self.0.get(&value)
    }

    /// Propagates shardings from the operands of operations to their results.
    pub(super) fn follow(&mut self, operations: &[Operation], values: &[Type]) {
        for operation in operations {
            for (at, &result) in operation.results.iter().enumerate() {
                if let Some(sharding) = self.made(operation, at, result, values) {
                    self.place(result, sharding);
                }
            }
        }
    }

    /// The sharding of a result.
    fn made(
        &self,
        operation: &Operation,
        at: usize,
        result: ValueId,
        values: &[Type],
    ) -> Option<Arc<Sharding>> {
        if self.0.is_empty() {
            return None;
        }
        let shape = |value: ValueId| match &values[value.0 as usize] {
            Type::Tensor(tensor) => tensor.shape.iter().copied().collect::<Option<Vec<usize>>>(),
            _ => None,
        };
        let made = shape(result)?;
        // From an operand: `dimensions` has, for each dimension of the result, that of the operand.
        let from = |operand: usize, dimensions: &[Option<usize>]| {
            let sharding = self.get(*operation.operands.get(operand)?)?;
            let found = sharding.mapped(dimensions);
            (!found.is_whole() && found.part_of(&made).is_some()).then(|| Arc::new(found))
        };
        let own: Vec<Option<usize>> = (0..made.len()).map(Some).collect();
        match &operation.kind {
            Op::Unary(_)
            | Op::Binary(_)
            | Op::Compare { .. }
            | Op::Select
            | Op::Clamp
            | Op::Convert
            | Op::Promote
            | Op::ReducePrecision { .. } => {
                let alike = |&operand: &usize| shape(operation.operands[operand]).as_ref() == Some(&made);
                (0..operation.operands.len()).filter(alike).find_map(|operand| from(operand, &own))
            }
            Op::OptimizationBarrier => from(at, &own),
            Op::Reverse { .. } => from(0, &own),
            Op::Transpose { permutation } => {
                from(0, &permutation.iter().map(|&axis| Some(axis)).collect::<Vec<_>>())
            }
            Op::BroadcastInDim { dimensions } => {
                let operand = shape(operation.operands[0])?;
                let source = |axis: usize| dimensions.iter().position(|&to| to == axis);
                let same = |axis: usize| source(axis).filter(|&from| operand[from] == made[axis]);
                from(0, &(0..made.len()).map(same).collect::<Vec<_>>())
            }
            Op::Reshape => from(0, &reshaped(&shape(operation.operands[0])?, &made)?),
            Op::Slice { .. } | Op::DynamicSlice { .. } | Op::DynamicUpdateSlice | Op::Pad { .. } => {
                let operand = shape(operation.operands[0])?;
                let same = |axis: usize| Some(axis).filter(|&axis| operand[axis] == made[axis]);
                from(0, &(0..made.len()).map(same).collect::<Vec<_>>())
            }
            Op::Reduce { dimensions, .. } => {
                let rank = shape(*operation.operands.get(at)?)?.len();
                let kept = (0..rank).filter(|axis| !dimensions.contains(axis)).map(Some);
                from(at, &kept.collect::<Vec<_>>())
            }
            Op::DotGeneral { dimensions, .. } => {
                let free = |operand: usize, batching: &[usize], contracting: &[usize]| {
                    let rank = shape(operation.operands[operand])?.len();
                    let rest =
                        (0..rank).filter(|axis| !batching.contains(axis) && !contracting.contains(axis));
                    Some(rest.collect::<Vec<_>>())
                };
                let lhs = free(0, &dimensions.lhs_batching, &dimensions.lhs_contracting)?;
                let rhs = free(1, &dimensions.rhs_batching, &dimensions.rhs_contracting)?;
                let some = |axes: &[usize]| axes.iter().map(|&axis| Some(axis)).collect::<Vec<_>>();
                let none = |axes: &[usize]| vec![None; axes.len()];
                from(0, &[some(&dimensions.lhs_batching), some(&lhs), none(&rhs)].concat())
                    .or_else(|| from(1, &[some(&dimensions.rhs_batching), none(&lhs), some(&rhs)].concat()))
            }
            _ => None,
        }
    }
}

/// For each new dimension, the equal old one, if only dimensions of size 1 are added or removed.
fn reshaped(old: &[usize], new: &[usize]) -> Option<Vec<Option<usize>>> {
    let mut rest = (0..old.len()).filter(|&axis| old[axis] != 1);
    let dimension = |&size: &usize| match size {
        1 => Some(None),
        _ => rest.next().filter(|&axis| old[axis] == size).map(Some),
    };
    let dimensions = new.iter().map(dimension).collect::<Option<Vec<_>>>()?;
    rest.next().is_none().then_some(dimensions)
}

#[cfg(test)]
mod tests {
    use crate::ir::Program;

    /// The parts along each dimension of the results of a program with this body. Its parameter is cut along its first
    /// dimension.
    fn parts(body: &str, result: &str) -> Vec<usize> {
        let text = format!(
            "module attributes {{mhlo.num_partitions = 2 : i32}} {{\nsdy.mesh @m = <[\"x\"=2]>\nfunc.func @main(%a: \
             tensor<4x6xf32> {{sdy.sharding = #sdy.sharding<@m, [{{\"x\"}}, {{}}]>}}) -> {result} {{\n{body}\nreturn %r : \
             {result}\n}}\n}}"
        );
        let program = Program::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let found = &program.functions[0].result_shardings[0];
        found.as_ref().map_or(vec![], |sharding| sharding.parts.clone())
    }

    #[test]
    fn results_are_where_their_operands_are() {
        let transposed = "%r = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>";
        assert_eq!(parts(transposed, "tensor<6x4xf32>"), [1, 2]);
        let sum = "%c = stablehlo.constant dense<0.0> : tensor<f32>\n%0 = stablehlo.abs %a : tensor<4x6xf32>\n%r = \
                   stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, \
                   tensor<f32>) -> tensor<4xf32>";
        assert_eq!(parts(sum, "tensor<4xf32>"), [2]);
        assert_eq!(
            parts(
                &sum.replace("[1] :", "[0] :").replace("-> tensor<4xf32>", "-> tensor<6xf32>"),
                "tensor<6xf32>"
            ),
            [] as [usize; 0]
        );
        let taller = "%r = stablehlo.reshape %a : (tensor<4x6xf32>) -> tensor<4x1x6xf32>";
        assert_eq!(parts(taller, "tensor<4x1x6xf32>"), [2, 1, 1]);
        let flat = "%r = stablehlo.reshape %a : (tensor<4x6xf32>) -> tensor<24xf32>";
        assert_eq!(parts(flat, "tensor<24xf32>"), [] as [usize; 0]);
        let product = "%r = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<4x6xf32>, tensor<4x6xf32>) \
                       -> tensor<6x6xf32>";
        assert_eq!(parts(product, "tensor<6x6xf32>"), [] as [usize; 0]);
        let gram = product.replace("[0] x [0]", "[1] x [1]").replace("6x6", "4x4");
        assert_eq!(parts(&gram, "tensor<4x4xf32>"), [2, 1]);
        let stated = "%0 = stablehlo.abs %a : tensor<4x6xf32>\n%r = sdy.sharding_constraint %0 <@m, [{}, {\"x\"}]> : \
                    tensor<4x6xf32>";
        assert_eq!(parts(stated, "tensor<4x6xf32>"), [1, 2]);
        assert_eq!(parts(&stated.replace("[{}, {\"x\"}]", "[{?}, {?}]"), "tensor<4x6xf32>"), [2, 1]);
    }
}
