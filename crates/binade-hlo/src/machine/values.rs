//! Converts values to tensors, and types to shapes, for the interpreter.

use binade_stablehlo::{ElementType, Tensor, Type, Value};

use crate::error::EvalError;

/// Element type and shape, if the type states all sizes.
pub(crate) fn static_type(declared: &Type) -> Option<(&ElementType, Vec<usize>)> {
    match declared {
        Type::Tensor(tensor) => Some((&tensor.element, tensor.shape.iter().copied().collect::<Option<_>>()?)),
        _ => None,
    }
}

/// The tensor of a value.
pub(crate) fn tensor(value: Value) -> Result<Tensor, EvalError> {
    match value {
        Value::Tensor(tensor) => Ok(tensor),
        _ => Err(EvalError::shape("operand", "a tensor is needed")),
    }
}

pub(crate) fn as_tensor(value: &Value) -> Result<&Tensor, EvalError> {
    match value {
        Value::Tensor(tensor) => Ok(tensor),
        _ => Err(EvalError::shape("operand", "a tensor is needed")),
    }
}
