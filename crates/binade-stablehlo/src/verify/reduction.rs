//! Verifies the bodies of reductions, whose element types may be wider than the operands': `is_promotable` and
//! `to_destination_type` of the specification. Operands are converted before the reduction, so evaluators see one element type.

use super::{Builder, Node};
use crate::error::Result;
use crate::ir::{Op, Region, ValueId};
use crate::syntax;
use crate::types::{ElementType, FloatType, TensorType, Type};

/// Bits of a floating-point type. MLIR's `tf32` has 19.
fn width(float: FloatType) -> u32 {
    float.format().width()
}

impl ElementType {
    /// Returns true if a reduction may convert elements of this type to `to`: the same kind, and at least as wide.
    pub(super) fn is_promotable(&self, to: &ElementType) -> bool {
        match (self, to) {
            (ElementType::Bool, ElementType::Bool) => true,
            (ElementType::Integer { width: from, .. }, ElementType::Integer { width: to, .. }) => from <= to,
            (ElementType::Float(from), ElementType::Float(to))
            | (ElementType::Complex(from), ElementType::Complex(to)) => width(*from) <= width(*to),
            (ElementType::Quantized(from), ElementType::Quantized(to)) => {
                from.expressed == to.expressed && from.storage.bits() <= to.storage.bits()
            }
            _ => false,
        }
    }
}

impl<'t, 'a> Builder<'t, 'a> {
    /// Converts a value to the element type of a reduction's body.
    pub(super) fn promoted(&mut self, value: ValueId, to: &ElementType) -> ValueId {
        let Type::Tensor(ty) = self.ty(value) else { return value };
        if ty.element == *to {
            return value;
        }
        let kind = match to {
            ElementType::Quantized(_) => Op::UniformQuantize,
            _ => Op::Promote,
        };
        let ty = TensorType { element: to.clone(), ..ty.clone() };
        self.add(kind, vec![value], Type::Tensor(ty))
    }
}

/// The element types of a body's parameters: those of the operands or wider ones, each twice.
pub(super) fn elements(
    node: &Node<'_, '_>,
    parameters: &[Type],
    operands: &[ElementType],
) -> Result<Vec<ElementType>> {
    let count = operands.len();
    let scalar = |ty: &Type| match ty {
        Type::Tensor(TensorType { shape, element }) if shape.is_empty() => Some(element.clone()),
        _ => None,
    };
    let stated: Option<Vec<ElementType>> = parameters.iter().map(scalar).collect();
    let Some(stated) = stated.filter(|stated| stated.len() == 2 * count) else {
        let found = super::list(parameters);
        return node.broken(format!("the body must take {} scalars: got ({found})", 2 * count), "");
    };
    let (first, second) = stated.split_at(count);
    for (index, ((a, b), operand)) in first.iter().zip(second).zip(operands).enumerate() {
        node.must(a == b, || {
            let other = index + count;
            format!("both sides of the body must have the same type: got {a} and {b} (parameters {index} and {other})")
        })?;
        node.must(operand.is_promotable(a), || {
            format!(
                "the body must take the operand's type or a wider one of its kind: got {a} for {operand} (parameter {index})"
            )
        })?;
    }
    Ok(first.to_vec())
}

/// The element types of a body in the text.
pub(super) fn elements_of(
    node: &Node<'_, '_>,
    region: &syntax::Region<'_>,
    operands: &[ElementType],
) -> Result<Vec<ElementType>> {
    let parameters: Vec<Type> = region.parameters.iter().map(|parameter| parameter.ty.clone()).collect();
    elements(node, &parameters, operands)
}

/// Builds a body with these element types: it takes each twice, and returns it.
pub(super) fn body<'t, 'a>(
    builder: &mut Builder<'t, 'a>,
    node: &Node<'t, 'a>,
    region: &'t syntax::Region<'a>,
    elements: &[ElementType],
) -> Result<Region> {
    node.scalar_region(builder, region, &[elements, elements].concat(), elements)
}

/// Checks that a result has the body's element type.
pub(super) fn result(node: &Node<'_, '_>, index: usize, element: &ElementType) -> Result<()> {
    let found = &node.result(index)?.element;
    node.must(found == element, || {
        format!("a result must have the body's type: got {found} for {element} (result {index})")
    })
}
