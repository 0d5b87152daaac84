//! Types and shapes of values that may be the same, where some sizes are open.

use crate::types::Type;

/// Sizes of a tensor; none where its type leaves them open.
pub(crate) type Shape = [Option<usize>];

/// Whether two sizes may be the same.
pub(crate) fn same_size(a: Option<usize>, b: Option<usize>) -> bool {
    a.is_none() || b.is_none() || a == b
}

/// Whether two shapes may be the same.
pub(crate) fn same_shape(a: &Shape, b: &Shape) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| same_size(a, b))
}

/// Types between commas.
pub(crate) fn list(types: &[Type]) -> String {
    types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ")
}

/// Whether values of these types may be the same: sizes are equal unless one leaves them open.
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
