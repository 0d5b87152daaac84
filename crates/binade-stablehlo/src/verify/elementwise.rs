//! Verifies operations that compute element by element.

use super::node::{same_shape, spelt};
use super::{Builder, Classes, Node, quantized};
use crate::error::Result;
use crate::ir::{Binary, Direction, Op, Order, Unary};
use crate::syntax::Attribute;
use crate::types::{ElementType, FloatType, TensorType};

impl ElementType {
    /// Returns true if the types are equal apart from scales and zero points of quantized types.
    pub(crate) fn is_like(&self, other: &ElementType) -> bool {
        match (self, other) {
            (ElementType::Quantized(a), ElementType::Quantized(b)) => {
                a.storage == b.storage && a.expressed == b.expressed
            }
            _ => self == other,
        }
    }
}

impl TensorType {
    pub(super) fn is_like(&self, other: &TensorType) -> bool {
        self.element.is_like(&other.element) && same_shape(&self.shape, &other.shape)
    }
}

fn class<'t, 'a>(node: &Node<'t, 'a>, classes: Classes, index: usize) -> Result<()> {
    let element = &node.tensor(index)?.element;
    node.rule(classes.has(element), &format!("elements must be {}", classes.names().join(", ")), || {
        format!("{element} (operand {index})")
    })
}

pub(super) fn unary<'t, 'a>(
    builder: &mut Builder<'t, 'a>,
    node: &Node<'t, 'a>,
    op: Unary,
    classes: Classes,
) -> Result<()> {
    node.arity(1, 1)?;
    class(node, classes, 0)?;
    let (operand, result) = (node.tensor(0)?, node.result(0)?);
    let same = same_shape(&operand.shape, &result.shape);
    node.type_rule(same, "operand and result must have the same shape")?;
    let inferred = match (op, &operand.element) {
        (Unary::IsFinite | Unary::IsInf | Unary::IsNegInf | Unary::IsPosInf, _) => ElementType::Bool,
        (Unary::Abs | Unary::Real | Unary::Imag, ElementType::Complex(part)) => ElementType::Float(*part),
        (_, element) => element.clone(),
    };
    let rule = match op {
        Unary::IsFinite | Unary::IsInf | Unary::IsNegInf | Unary::IsPosInf => {
            "the result's elements must be i1"
        }
        Unary::Abs | Unary::Real | Unary::Imag => {
            "the result's elements must be the operand's, or the parts of its complex elements"
        }
        _ => "operand and result must have the same type",
    };
    node.type_rule(inferred.is_like(&result.element), rule)?;
    accuracy(node)?;
    if matches!(op, Unary::Abs | Unary::Sign)
        && let ElementType::Integer { signed: false, .. } = operand.element
    {
        return node.broken("integers must be signed", format!("{} (operand 0)", operand.element));
    }
    builder.emit(node, Op::Unary(op))
}

/// Checks `result_accuracy`: tolerances are not negative, and present only in mode `TOLERANCE`. Functions are computed in one
/// way, whatever the attribute says.
fn accuracy(node: &Node<'_, '_>) -> Result<()> {
    if node.attribute("result_accuracy").is_none() {
        return Ok(());
    }
    let fields = node.fields("result_accuracy")?;
    let mut tolerances = vec![];
    for name in ["atol", "rtol", "ulps"] {
        let value = match fields.get(name) {
            None => 0.0,
            Some(Attribute::Float(value)) => *value,
            Some(Attribute::Integer(value)) => *value as f64,
            Some(_) => return node.wrong("result_accuracy", "made of tolerances that are numbers"),
        };
        node.must(value >= 0.0, || format!("a tolerance must not be negative: got {value} ('{name}')"))?;
        tolerances.push(value);
    }
    let mode = match fields.get("mode") {
        None => "DEFAULT",
        Some(Attribute::Word(mode)) => mode,
        Some(_) => return node.wrong("result_accuracy", "made with mode DEFAULT, HIGHEST or TOLERANCE"),
    };
    let none = tolerances.iter().all(|&value| value == 0.0);
    let known = matches!(mode, "DEFAULT" | "HIGHEST" | "TOLERANCE");
    node.must(known, || {
        format!("the mode of 'result_accuracy' must be DEFAULT, HIGHEST or TOLERANCE: got {mode}")
    })?;
    node.must(none || mode == "TOLERANCE", || {
        format!("tolerances must be zero in mode {mode}: got {tolerances:?} (atol, rtol, ulps)")
    })
}

pub(super) fn binary<'t, 'a>(
    builder: &mut Builder<'t, 'a>,
    node: &Node<'t, 'a>,
    op: Binary,
    classes: Classes,
) -> Result<()> {
    node.arity(2, 1)?;
    class(node, classes, 0)?;
    let (lhs, rhs, result) = (node.tensor(0)?, node.tensor(1)?, node.result(0)?);
    node.type_rule(lhs.is_like(rhs) && lhs.is_like(result), "operands and result must have the same type")?;
    quantized::sum(node)?;
    builder.emit(node, Op::Binary(op))
}

pub(crate) fn complex<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(2, 1)?;
    let (lhs, rhs, result) = (node.tensor(0)?, node.tensor(1)?, node.result(0)?);
    node.type_rule(lhs.is_like(rhs), "operands must have the same type")?;
    let inferred = match lhs.element {
        ElementType::Float(part @ (FloatType::F32 | FloatType::F64)) => ElementType::Complex(part),
        _ => return node.broken("elements must be f32 or f64", format!("{} (operand 0)", lhs.element)),
    };
    let same = result.element == inferred && same_shape(&lhs.shape, &result.shape);
    node.type_rule(same, "the result must have the operands' shape, and complex elements of their type")?;
    builder.emit(node, Op::Binary(Binary::Complex))
}

/// A comparison from `comparison_direction` and `compare_type`.
pub(super) fn comparison(node: &Node<'_, '_>, element: &ElementType) -> Result<Op> {
    let direction = match node.word("comparison_direction")? {
        "EQ" => Direction::Eq,
        "NE" => Direction::Ne,
        "GE" => Direction::Ge,
        "GT" => Direction::Gt,
        "LE" => Direction::Le,
        "LT" => Direction::Lt,
        _ => return node.wrong("comparison_direction", "EQ, NE, GE, GT, LE or LT"),
    };
    let order = match node.attribute("compare_type") {
        None | Some(Attribute::Word("NOTYPE")) => Order::Partial,
        Some(_) => {
            let kind = node.word("compare_type")?;
            let holds = match (element, kind) {
                (ElementType::Bool, "UNSIGNED") => true,
                (ElementType::Integer { signed, .. }, _) => {
                    kind == if *signed { "SIGNED" } else { "UNSIGNED" }
                }
                (ElementType::Float(_), "FLOAT" | "WEAKORDER" | "TOTALORDER") => true,
                (ElementType::Complex(_) | ElementType::Quantized(_), "FLOAT") => true,
                (ElementType::Quantized(_), _) => true,
                _ => false,
            };
            node.rule(holds, "'compare_type' must be one that the elements allow", || {
                format!("{kind} for {element}")
            })?;
            match kind {
                "WEAKORDER" => Order::Weak,
                "TOTALORDER" => Order::Total,
                _ => Order::Partial,
            }
        }
    };
    let ordered = !matches!(direction, Direction::Eq | Direction::Ne);
    if ordered && matches!(element, ElementType::Complex(_)) {
        return node.broken("'comparison_direction' of complex numbers must be EQ or NE", "an order");
    }
    Ok(Op::Compare { direction, order })
}

pub(crate) fn compare<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(2, 1)?;
    let (lhs, rhs, result) = (node.tensor(0)?, node.tensor(1)?, node.result(0)?);
    node.type_rule(lhs.is_like(rhs), "operands must have the same type")?;
    let same = same_shape(&lhs.shape, &result.shape) && result.element == ElementType::Bool;
    node.type_rule(same, "the result must have the operands' shape, and elements i1")?;
    let op = comparison(node, &lhs.element)?;
    builder.emit(node, op)
}

pub(crate) fn select<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(3, 1)?;
    let (predicate, on_true, on_false) = (node.tensor(0)?, node.tensor(1)?, node.tensor(2)?);
    node.type_rule(predicate.element == ElementType::Bool, "the predicate's elements must be i1")?;
    let shape = predicate.shape.is_empty() || same_shape(&predicate.shape, &on_true.shape);
    node.type_rule(shape, "the predicate must be a scalar, or have the shape of the other operands")?;
    let same = on_true.is_like(on_false) && on_true.element == on_false.element;
    node.type_rule(same, "both values and the result must have the same type")?;
    node.same_type(1, 0)?;
    builder.emit(node, Op::Select)
}

pub(crate) fn clamp<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(3, 1)?;
    let (min, operand, max) = (node.tensor(0)?, node.tensor(1)?, node.tensor(2)?);
    for bound in [min, max] {
        let shape = bound.shape.is_empty() || same_shape(&bound.shape, &operand.shape);
        node.type_rule(shape, "bounds must be scalars, or have the operand's shape")?;
        node.type_rule(
            bound.element.is_like(&operand.element),
            "bounds and operand must have the same element type",
        )?;
    }
    node.type_rule(operand.is_like(node.result(0)?), "operand and result must have the same type")?;
    builder.emit(node, Op::Clamp)
}

pub(crate) fn convert<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    let (operand, result) = (node.tensor(0)?, node.result(0)?);
    node.type_rule(same_shape(&operand.shape, &result.shape), "operand and result must have the same shape")?;
    for ty in [operand, result] {
        if let ElementType::Quantized(_) = ty.element {
            return node.broken(
                "quantized types must be converted by uniform_quantize or uniform_dequantize",
                ty.to_string(),
            );
        }
    }
    builder.emit(node, Op::Convert)
}

pub(crate) fn bitcast_convert<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    let (operand, result) = (node.tensor(0)?, node.result(0)?);
    let is_complex = |ty: &TensorType| matches!(ty.element, ElementType::Complex(_));
    node.type_rule(
        is_complex(operand) == is_complex(result),
        "operand and result must be both complex, or neither",
    )?;
    let (from, to) = (operand.element.bits(), result.element.bits());
    let holds = if from == to {
        same_shape(&operand.shape, &result.shape)
    } else {
        // The side with narrower elements has one more dimension: the ratio of widths.
        let (narrow, wide, ratio) = match from > to {
            true => (&result.shape, &operand.shape, (from / to, from % to)),
            false => (&operand.shape, &result.shape, (to / from, to % from)),
        };
        match narrow.split_last() {
            Some((last, rest)) => {
                ratio.1 == 0 && last.is_none_or(|last| last == ratio.0) && same_shape(rest, wide)
            }
            None => false,
        }
    };
    node.type_rule(
        holds,
        "the side with narrower elements must have one more dimension, the last, for the parts of a wider element",
    )?;
    builder.emit(node, Op::BitcastConvert)
}

pub(crate) fn reduce_precision<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    let operand = node.tensor(0)?;
    node.type_rule(
        matches!(operand.element, ElementType::Float(_) | ElementType::Quantized(_)),
        "elements must be floating-point or quantized",
    )?;
    node.type_rule(operand.is_like(node.result(0)?), "operand and result must have the same type")?;
    let (exponent, mantissa) = (node.integer("exponent_bits")?, node.integer("mantissa_bits")?);
    let (Ok(exponent_bits @ 1..), Ok(mantissa_bits)) = (u32::try_from(exponent), u32::try_from(mantissa))
    else {
        let found = format!("{exponent} and {mantissa}");
        return node.broken("'exponent_bits' must be at least 1, and 'mantissa_bits' at least 0", found);
    };
    quantized::emit(builder, node, Op::ReducePrecision { exponent_bits, mantissa_bits })
}

pub(crate) fn uniform_quantize<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    let (operand, result) = (node.tensor(0)?, node.result(0)?);
    node.type_rule(same_shape(&operand.shape, &result.shape), "operand and result must have the same shape")?;
    let holds = match (&operand.element, &result.element) {
        (ElementType::Float(float), ElementType::Quantized(quantized)) => quantized.expressed == *float,
        (ElementType::Quantized(from), ElementType::Quantized(to)) => from.expressed == to.expressed,
        _ => false,
    };
    node.type_rule(holds, "the result must be quantized, and express the operand's type")?;
    builder.emit(node, Op::UniformQuantize)
}

pub(crate) fn uniform_dequantize<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    let (operand, result) = (node.tensor(0)?, node.result(0)?);
    node.type_rule(same_shape(&operand.shape, &result.shape), "operand and result must have the same shape")?;
    let holds = match (&operand.element, &result.element) {
        (ElementType::Quantized(quantized), ElementType::Float(float)) => quantized.expressed == *float,
        _ => false,
    };
    node.type_rule(holds, "the operand must be quantized, and express the result's type")?;
    builder.emit(node, Op::UniformDequantize)
}

pub(crate) fn map<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.result_count(1)?;
    let (inputs, result) = (node.tensors()?, node.result(0)?);
    node.rule(!inputs.is_empty(), "there must be at least one input", || "none".to_owned())?;
    let same = inputs.iter().all(|input| same_shape(&input.shape, &result.shape));
    node.type_rule(same, "inputs and result must have the same shape")?;
    let dimensions = node.indices("dimensions")?;
    let all = dimensions.iter().copied().eq(0..result.shape.len());
    node.rule(all, "'dimensions' must be all dimensions in order", || {
        format!("{dimensions:?} for {}", spelt(&result.shape))
    })?;
    let elements: Vec<_> = inputs.iter().map(|input| input.element.clone()).collect();
    let [region] = node.regions::<1>()?;
    let body = node.scalar_region(builder, region, &elements, std::slice::from_ref(&result.element))?;
    builder.emit(node, Op::Map { dimensions, body })
}
