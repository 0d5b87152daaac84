//! Values as tensors, and types as shapes.

use binade_stablehlo::{ElementType, Tensor, Type, Value};

use crate::error::EvalError;

/// Element type and shape, if the type says all sizes.
pub(crate) fn static_type(declared: &Type) -> Option<(&ElementType, Vec<usize>)> {
    match declared {
        Type::Tensor(tensor) => Some((&tensor.element, tensor.shape.iter().copied().collect::<Option<_>>()?)),
        _ => None,
    }
}

/// The tensor that a value is.
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
