//! Compatibility of types and shapes, for all rules of the verifier: open sizes fit any size.

use crate::types::Type;

/// Sizes of a tensor; `None` where the type leaves them open.
pub(crate) type Shape = [Option<usize>];

/// Returns true if two sizes can be equal.
pub(crate) fn same_size(a: Option<usize>, b: Option<usize>) -> bool {
    a.is_none() || b.is_none() || a == b
}

/// Returns true if two shapes can be equal.
pub(crate) fn same_shape(a: &Shape, b: &Shape) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| same_size(a, b))
}

/// Types separated by commas.
pub(crate) fn list(types: &[Type]) -> String {
    types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ")
}

/// Returns true if values of these types can have the same type: sizes are equal, or one of them is open.
pub(crate) fn compatible(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Tensor(a), Type::Tensor(b)) => a.element == b.element && same_shape(&a.shape, &b.shape),
        (Type::Tuple(a), Type::Tuple(b)) => all_compatible(a, b),
        _ => a == b,
    }
}

pub(crate) fn all_compatible(a: &[Type], b: &[Type]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| compatible(a, b))
}
