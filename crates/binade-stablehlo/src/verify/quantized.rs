//! Rules of quantized types, for all groups of operations.

use super::{Builder, Node};
use crate::error::Result;
use crate::ir::{Op, ValueId};
use crate::types::{ElementType, Quantized, TensorType, Type};

/// The quantized element type of a tensor.
fn of(ty: &Type) -> Option<&Quantized> {
    match ty {
        Type::Tensor(TensorType { element: ElementType::Quantized(quantized), .. }) => Some(quantized),
        _ => None,
    }
}

/// Checks that no type has scales that vary along an axis.
pub(super) fn one_scale(node: &Node<'_, '_>) -> Result<()> {
    let sides = [("operand", &node.types[..]), ("result", node.results())];
    for (side, types) in sides {
        let along = |ty: &Type| of(ty).is_some_and(|quantized| quantized.axis.is_some());
        if let Some(index) = types.iter().position(along) {
            let ty = &types[index];
            return node.broken(
                format!("a quantized tensor must have one scale here: got {ty} ({side} {index})"),
                "",
            );
        }
    }
    Ok(())
}

/// Checks the element types of an operation that moves elements unchanged. Scales that vary along an axis of the operand vary
/// along `axis` of it in the result. Each scale occurs once; the scale of a dimension of size 1 occurs `repeated` times.
pub(super) fn moved(
    node: &Node<'_, '_>,
    axis: impl FnOnce(usize) -> Option<usize>,
    repeated: impl FnOnce(usize) -> Option<usize>,
) -> Result<()> {
    let (operand, result) = (&node.tensor(0)?.element, &node.result(0)?.element);
    let (ElementType::Quantized(from), ElementType::Quantized(to)) = (operand, result) else {
        return node.same_element(0, 0);
    };
    let like = from.storage == to.storage
        && (from.storage_min, from.storage_max) == (to.storage_min, to.storage_max)
        && from.expressed == to.expressed;
    let scales = match from.axis {
        None => to.axis.is_none() && from.scales == to.scales && from.zero_points == to.zero_points,
        Some(along) => {
            node.must(to.axis.is_some() && to.axis == axis(along), || {
                format!("scales must vary along the dimension that theirs becomes: got {result} for {operand} (result 0)")
            })?;
            match repeated(along) {
                Some(count) => {
                    to.scales.len() == count
                        && to.scales.iter().all(|scale| *scale == from.scales[0])
                        && to.zero_points.iter().all(|zero| *zero == from.zero_points[0])
                }
                None => from.scales == to.scales && from.zero_points == to.zero_points,
            }
        }
    };
    node.must(like && scales, || {
        format!(
            "elements must keep their type, scales and zero points: got {result} for {operand} (result 0)"
        )
    })
}

/// The dimension of a reshaped tensor that a dimension becomes: one with the same size, and the same number of elements before
/// it.
pub(super) fn reshaped(node: &Node<'_, '_>, along: usize) -> Option<usize> {
    let (operand, result) = (node.tensor(0).ok()?, node.result(0).ok()?);
    let ElementType::Quantized(to) = &result.element else { return None };
    let axis = to.axis?;
    let before = |shape: &[Option<usize>]| shape.iter().copied().product::<Option<usize>>();
    let (from, to) = (operand.shape.get(..along)?, result.shape.get(..axis)?);
    let fits = match (before(from), before(to)) {
        (Some(from), Some(to)) => from == to,
        _ => true,
    };
    fits.then_some(axis)
}

/// Checks the types of lhs, rhs and result of a product whose right side is quantized.
pub(super) fn product(node: &Node<'_, '_>) -> Result<()> {
    let (lhs, rhs, result) = (&node.tensor(0)?.element, &node.tensor(1)?.element, &node.result(0)?.element);
    let expressed = |element: &ElementType| match element {
        ElementType::Quantized(quantized) => Some(quantized.expressed),
        ElementType::Float(float) => Some(*float),
        _ => None,
    };
    let axis = |element: &ElementType| match element {
        ElementType::Quantized(quantized) => quantized.axis,
        _ => None,
    };
    let both = matches!(lhs, ElementType::Quantized(_)) == matches!(result, ElementType::Quantized(_));
    node.must(both && matches!(rhs, ElementType::Quantized(_)), || {
        format!(
            "in a quantized product the right side must be quantized, and the left side and the result both or neither: \
             got {lhs}, {rhs} and {result}"
        )
    })?;
    node.must(expressed(lhs) == expressed(rhs) && expressed(rhs) == expressed(result), || {
        format!("operands and result must express the same type: got {lhs}, {rhs} and {result}")
    })?;
    if let (ElementType::Quantized(lhs), ElementType::Quantized(rhs)) = (lhs, rhs) {
        node.must(lhs.storage == rhs.storage, || {
            format!("operands must have the same storage type: got {} and {}", lhs.storage, rhs.storage)
        })?;
    }
    node.must(axis(lhs).is_none(), || format!("the left side must have one scale: got {lhs} (operand 0)"))?;
    node.must(axis(rhs).is_some() || axis(result).is_none(), || {
        format!("the result must have one scale where the right side has: got {result} for {rhs} (result 0)")
    })
}

/// Checks that scales that vary do so along this dimension.
pub(super) fn along(node: &Node<'_, '_>, what: &str, element: &ElementType, dimension: usize) -> Result<()> {
    match element {
        ElementType::Quantized(quantized) => {
            node.must(quantized.axis.is_none_or(|axis| axis == dimension), || {
                let axis = quantized.axis.unwrap_or(0);
                format!(
                    "scales of {what} must vary along its output feature dimension, {dimension}: got {axis}"
                )
            })
        }
        _ => Ok(()),
    }
}

/// Checks the scales of `add`. The result's scales vary if those of an operand do, along the same axis.
pub(super) fn sum(node: &Node<'_, '_>) -> Result<()> {
    let axis = |ty: &Type| of(ty).and_then(|quantized| quantized.axis);
    let result = node.results().first().and_then(axis);
    let operands: Vec<_> = node.types.iter().map(axis).collect();
    let fits = operands.iter().flatten().all(|axis| Some(*axis) == result);
    let some = result.is_none() || operands.iter().any(Option::is_some);
    node.must(fits && some, || {
        let types = super::list(&node.types);
        let result = super::list(node.results());
        format!(
            "scales of the result must vary along the axis of those of the operands: got {result} for {types}"
        )
    })
}

/// The type of the numbers that quantized elements express.
fn expressed(ty: &Type) -> Type {
    match (ty, of(ty)) {
        (Type::Tensor(tensor), Some(quantized)) => {
            Type::Tensor(TensorType { element: ElementType::Float(quantized.expressed), ..tensor.clone() })
        }
        _ => ty.clone(),
    }
}

/// Adds the operation of a node on the dequantized operands, and quantizes its results: `dequantize_op_quantize` of the
/// specification.
pub(super) fn emit<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>, kind: Op) -> Result<()> {
    if !node.types.iter().chain(node.results()).any(|ty| of(ty).is_some()) {
        return builder.emit(node, kind);
    }
    let mut operands = vec![];
    for (&operand, ty) in node.operands.iter().zip(&node.types) {
        operands.push(match of(ty) {
            Some(_) => builder.add(Op::UniformDequantize, vec![operand], expressed(ty)),
            None => operand,
        });
    }
    let made: Vec<ValueId> = node.results().iter().map(|ty| builder.value(expressed(ty))).collect();
    builder.push(kind, operands, made.clone());
    let mut results = vec![];
    for (value, ty) in made.into_iter().zip(node.results()) {
        results.push(match of(ty) {
            Some(_) => builder.add(Op::UniformQuantize, vec![value], ty.clone()),
            None => value,
        });
    }
    builder.define(node, results)
}
