//! What `verify` cannot check before shapes are known: an operation whose operands have sizes that their types leave open.

use crate::eval::EvalError;
use crate::ir::Op;
use crate::tensor::{Tensor, Value};
use crate::types::TensorType;

impl TensorType {
    /// Whether a tensor of this shape is of the type.
    pub(crate) fn admits(&self, shape: &[usize]) -> bool {
        self.shape.len() == shape.len()
            && self
                .shape
                .iter()
                .zip(shape)
                .all(|(declared, size)| declared.is_none_or(|declared| declared == *size))
    }
}

/// Whether an operation's operands fit each other.
///
/// # Errors
/// If they do not.
pub(crate) fn check(op: &Op, operands: &[Value]) -> Result<(), EvalError> {
    let tensors: Vec<&Tensor> = operands
        .iter()
        .filter_map(|value| match value {
            Value::Tensor(tensor) => Some(tensor),
            _ => None,
        })
        .collect();
    let Some(first) = tensors.first() else { return Ok(()) };
    let shape = &first.shape;
    let refused = |facts: String| Err(EvalError::shape(op.name(), facts));
    let within =
        |sizes: &[usize]| sizes.len() == shape.len() && sizes.iter().zip(shape).all(|(size, of)| size <= of);
    let alike = |tensors: &[&Tensor]| match tensors.iter().find(|tensor| tensor.shape != *shape) {
        Some(other) => refused(format!("operands of shapes {shape:?} and {:?}", other.shape)),
        None => Ok(()),
    };
    match op {
        Op::DynamicSlice { sizes } if !within(sizes) => refused(format!("a slice {sizes:?} of {shape:?}")),
        Op::DynamicUpdateSlice if !within(&tensors[1].shape) => {
            refused(format!("an update {:?} of {shape:?}", tensors[1].shape))
        }
        Op::Slice { limit, .. } if !within(limit) => refused(format!("limits {limit:?} of {shape:?}")),
        Op::Gather(attributes) if !attributes.slice_sizes.as_ref().is_some_and(|sizes| within(sizes)) => {
            refused(format!("slices {:?} of {shape:?}", attributes.slice_sizes))
        }
        Op::TorchIndexSelect { dimension, .. } if shape[*dimension] == 0 => {
            refused(format!("nothing in {shape:?}"))
        }
        Op::Concatenate { dimension } => {
            let others = |shape: &[usize]| {
                let mut shape = shape.to_vec();
                shape[*dimension] = 0;
                shape
            };
            match tensors.iter().find(|tensor| others(&tensor.shape) != others(shape)) {
                Some(other) => {
                    refused(format!("{shape:?} and {:?} along dimension {dimension}", other.shape))
                }
                None => Ok(()),
            }
        }
        Op::Reduce { .. } | Op::ReduceWindow { .. } => alike(&tensors[..tensors.len() / 2]),
        Op::Scatter { .. } => {
            let inputs = tensors.len() / 2;
            alike(&tensors[..inputs])?;
            let updates = &tensors[inputs + 1..];
            match updates.iter().find(|tensor| tensor.shape != updates[0].shape) {
                Some(other) => {
                    refused(format!("updates of shapes {:?} and {:?}", updates[0].shape, other.shape))
                }
                None => Ok(()),
            }
        }
        Op::Sort { .. } | Op::Map { .. } => alike(&tensors),
        _ => Ok(()),
    }
}
