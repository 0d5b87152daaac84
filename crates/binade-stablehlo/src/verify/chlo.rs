//! Verifies the operations of chlo that are more than elementwise, and expresses them in StableHLO.

use super::node::{same_shape, same_size};
use super::{Builder, Classes, Node, elementwise};
use crate::error::Result;
use crate::ir::{Binary, Direction, Op, Order, Region, ValueId};
use crate::parse;
use crate::syntax::{Attribute, Dense};
use crate::types::{ElementType, TensorType, Type};

const I64: ElementType = ElementType::Integer { signed: true, width: 64 };

fn tensor(shape: Vec<Option<usize>>, element: &ElementType) -> Type {
    Type::Tensor(TensorType { shape, element: element.clone() })
}

impl<'t, 'a> Builder<'t, 'a> {
    /// A constant with one value everywhere.
    pub(super) fn splat(&mut self, value: f64, element: &ElementType, shape: &[usize]) -> ValueId {
        let data = parse::splat(value, element);
        self.constant(&Dense { element: element.clone(), shape: shape.to_vec(), data }, element)
    }
}

/// Broadcasts operands to their common shape as NumPy does. 'broadcast_dimensions', if present, says to which dimensions those
/// of the operand of lower rank map.
fn broadcast<'t, 'a>(
    builder: &mut Builder<'t, 'a>,
    node: &Node<'t, 'a>,
    shape: &[Option<usize>],
) -> Result<Vec<ValueId>> {
    let mut operands = vec![];
    for index in 0..node.operands.len() {
        let operand = node.tensor(index)?;
        let (value, rank) = (node.operands[index], operand.shape.len());
        if same_shape(&operand.shape, shape) {
            operands.push(value);
            continue;
        }
        let fits = rank <= shape.len();
        node.type_rule(fits, "operands must broadcast to the result's shape")?;
        let dimensions: Vec<usize> = match node.attribute("broadcast_dimensions") {
            Some(_) if rank < shape.len() => node.indices("broadcast_dimensions")?,
            _ => (shape.len() - rank..shape.len()).collect(),
        };
        node.size("'broadcast_dimensions'", dimensions.len(), rank)?;
        node.dimensions("'broadcast_dimensions'", &dimensions, shape.len())?;
        let fits = operand
            .shape
            .iter()
            .zip(&dimensions)
            .all(|(&size, &to)| size == Some(1) || same_size(size, shape[to]));
        node.type_rule(fits, "operands must broadcast to the result's shape")?;
        if shape.iter().chain(&operand.shape).any(Option::is_none) {
            return node.unsupported("broadcasting of shapes that are not known");
        }
        let ty = tensor(shape.to_vec(), &operand.element);
        operands.push(builder.add(Op::BroadcastInDim { dimensions }, vec![value], ty));
    }
    Ok(operands)
}

/// Broadcasts the operands, and adds the operation.
fn broadcasting<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>, op: Op) -> Result<()> {
    let operands = broadcast(builder, node, &node.result(0)?.shape)?;
    let result = builder.add(op, operands, node.results()[0].clone());
    builder.define(node, vec![result])
}

pub(super) fn broadcast_binary<'t, 'a>(
    builder: &mut Builder<'t, 'a>,
    node: &Node<'t, 'a>,
    op: Binary,
    classes: Classes,
) -> Result<()> {
    node.arity(2, 1)?;
    let (lhs, rhs, result) = (node.tensor(0)?, node.tensor(1)?, node.result(0)?);
    let same = lhs.element.is_like(&rhs.element) && lhs.element.is_like(&result.element);
    node.type_rule(same && classes.has(&lhs.element), "operands and result must have the same element type")?;
    broadcasting(builder, node, Op::Binary(op))
}

pub(crate) fn broadcast_compare<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(2, 1)?;
    let (lhs, rhs, result) = (node.tensor(0)?, node.tensor(1)?, node.result(0)?);
    node.type_rule(lhs.element.is_like(&rhs.element), "operands must have the same element type")?;
    node.type_rule(result.element == ElementType::Bool, "the result's elements must be i1")?;
    let op = elementwise::comparison(node, &lhs.element)?;
    broadcasting(builder, node, op)
}

pub(crate) fn broadcast_complex<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(2, 1)?;
    let (lhs, rhs, result) = (node.tensor(0)?, node.tensor(1)?, node.result(0)?);
    let holds = lhs.element == rhs.element
        && matches!((&lhs.element, &result.element), (ElementType::Float(a), ElementType::Complex(b)) if a == b);
    node.type_rule(holds, "operands must have the type of the result's real and imaginary parts")?;
    broadcasting(builder, node, Op::Binary(Binary::Complex))
}

pub(crate) fn broadcast_select<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(3, 1)?;
    let (predicate, on_true, on_false) = (node.tensor(0)?, node.tensor(1)?, node.tensor(2)?);
    let same = on_true.element == on_false.element && on_true.element == node.result(0)?.element;
    node.type_rule(same, "both values and the result must have the same element type")?;
    node.type_rule(predicate.element == ElementType::Bool, "the predicate's elements must be i1")?;
    broadcasting(builder, node, Op::Select)
}

pub(crate) fn constant_like<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    let result = node.result(0)?;
    node.type_rule(
        same_shape(&node.tensor(0)?.shape, &result.shape),
        "operand and result must have the same shape",
    )?;
    let Some(shape) = result.shape.iter().copied().collect::<Option<Vec<_>>>() else {
        return node.unsupported("a shape that is not known");
    };
    let integers = matches!(result.element, ElementType::Bool | ElementType::Integer { .. });
    let value = match node.attribute("value") {
        Some(Attribute::Float(value)) if !integers => *value,
        Some(Attribute::Integer(value)) if integers => *value as f64,
        Some(Attribute::Bool(value)) if integers => f64::from(u8::from(*value)),
        _ => {
            return node
                .wrong("value", &format!("a number of the result's element type, {}", result.element));
        }
    };
    let value = builder.splat(value, &result.element, &shape);
    builder.define(node, vec![value])
}

pub(crate) fn top_k<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 2)?;
    let k = node.index("k")?;
    let operand = node.tensor(0)?;
    let Some(last) = operand.shape.last() else {
        return node.broken("the operand must have at least one dimension", "a scalar (operand 0)");
    };
    node.rule(
        last.is_none_or(|size| k <= size),
        "'k' must be at most the size of the last dimension",
        || format!("{k} for {}", last.unwrap_or(0)),
    )?;
    node.same_element(0, 0)?;
    let i32 = ElementType::Integer { signed: true, width: 32 };
    node.type_rule(node.result(1)?.element == i32, "the second result's elements must be i32")?;
    let mut inferred = operand.shape.clone();
    *inferred.last_mut().expect("it is not empty") = Some(k);
    node.result_shape(0, &inferred)?;
    node.result_shape(1, &inferred)?;
    builder.emit(node, Op::TopK { k })
}

/// A loop over slices of the inputs along a dimension. Its body takes slices and carried values, and returns slices of the
/// outputs and carried values.
pub(crate) fn scan<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    let segments = node.indices("operandSegmentSizes")?;
    let (inputs, carries) = match segments[..] {
        [inputs, carries] if inputs.checked_add(carries) == Some(node.operands.len()) && inputs > 0 => {
            (inputs, carries)
        }
        _ => {
            return node.broken(
                "operands must be inputs and initial values",
                format!("{} operands", node.operands.len()),
            );
        }
    };
    let Some(outputs) = node.results().len().checked_sub(carries) else {
        return node.broken(
            "there must be a result for each initial value",
            format!("{} results for {carries}", node.results().len()),
        );
    };
    let dimension = node.index("dimension")?;
    let reverse = node.bool_or("is_reverse", false)?;
    let mut length = None;
    let mut slices = vec![];
    for index in 0..inputs {
        let input = node.tensor(index)?;
        node.dimension("'dimension'", dimension, input.shape.len())?;
        node.rule(input.shape.iter().all(Option::is_some), "all sizes of inputs must be known", || {
            input.to_string()
        })?;
        let size = input.shape[dimension];
        node.type_rule(
            length.is_none_or(|length| length == size),
            "all inputs must have the same size along 'dimension'",
        )?;
        length = Some(size);
        let mut slice = input.clone();
        slice.shape.remove(dimension);
        slices.push(slice);
    }
    let length = length.flatten().unwrap_or(0);
    if node.attribute("scan_dim_size").is_some() {
        let stated = node.index("scan_dim_size")?;
        node.must(stated == length, || {
            format!(
                "'scan_dim_size' must be the size of the inputs along 'dimension': got {stated} for {length}"
            )
        })?;
    }
    let carried = &node.types[inputs..];
    let parameters: Vec<_> = slices.into_iter().map(Type::Tensor).chain(carried.iter().cloned()).collect();
    let [region] = node.regions::<1>()?;
    let (inner, returned) = builder.region(region, &parameters, node.name())?;
    let mut expected = vec![];
    for index in 0..outputs {
        let output = node.result(index)?;
        node.dimension("'dimension'", dimension, output.shape.len())?;
        node.rule(output.shape.iter().all(Option::is_some), "all sizes of results must be known", || {
            output.to_string()
        })?;
        node.type_rule(
            output.shape[dimension] == Some(length),
            "outputs must have the inputs' size along 'dimension'",
        )?;
        let mut slice = output.clone();
        slice.shape.remove(dimension);
        expected.push(Type::Tensor(slice));
    }
    expected.extend(carried.iter().cloned());
    node.rule(
        super::all_compatible(&returned, &expected),
        &format!("the region must return ({})", super::list(&expected)),
        || format!("({})", super::list(&returned)),
    )?;
    node.type_rule(
        super::all_compatible(&node.results()[outputs..], carried),
        "the last results must have the types of the carried values",
    )?;

    // Before the loop: the counter, empty outputs, the carried values.
    let index_type = tensor(vec![], &I64);
    let mut state = vec![builder.splat(0.0, &I64, &[])];
    for index in 0..outputs {
        let output = node.result(index)?;
        let shape: Vec<_> = output.shape.iter().flatten().copied().collect();
        let element = output.element.clone();
        state.push(builder.splat(0.0, &element, &shape));
    }
    state.extend(&node.operands[inputs..]);
    let types: Vec<_> = state.iter().map(|&value| builder.ty(value).clone()).collect();
    let outer = std::mem::take(&mut builder.operations);

    // While the counter is less than the length …
    let conditions: Vec<_> = types.iter().map(|ty| builder.value(ty.clone())).collect();
    let limit = builder.splat(length as f64, &I64, &[]);
    let less = Op::Compare { direction: Direction::Lt, order: Order::Partial };
    let less = builder.add(less, vec![conditions[0], limit], tensor(vec![], &ElementType::Bool));
    let operations = std::mem::take(&mut builder.operations);
    let condition = Region { parameters: conditions, operations, results: vec![less] };

    // … take slices, …
    let counter = builder.value(index_type.clone());
    let buffers: Vec<_> = types[1..=outputs].iter().map(|ty| builder.value(ty.clone())).collect();
    let zero = builder.splat(0.0, &I64, &[]);
    let one = builder.splat(1.0, &I64, &[]);
    let at = if reverse {
        let last = builder.splat(length as f64 - 1.0, &I64, &[]);
        builder.add(Op::Binary(Binary::Subtract), vec![last, counter], index_type.clone())
    } else {
        counter
    };
    let starts = |rank: usize| (0..rank).map(move |d| if d == dimension { at } else { zero });
    for (index, &slice) in inner.parameters[..inputs].iter().enumerate() {
        let input = node.tensor(index)?;
        let mut sizes: Vec<_> = input.shape.iter().flatten().copied().collect();
        sizes[dimension] = 1;
        let ty = tensor(sizes.iter().copied().map(Some).collect(), &input.element);
        let operands = std::iter::once(node.operands[index]).chain(starts(sizes.len())).collect();
        let thick = builder.add(Op::DynamicSlice { sizes }, operands, ty);
        builder.push(Op::Reshape, vec![thick], vec![slice]);
    }
    // … run the region, …
    builder.operations.extend(inner.operations);
    // … and put slices into the outputs.
    let next = builder.add(Op::Binary(Binary::Add), vec![counter, one], index_type);
    let mut results = vec![next];
    for index in 0..outputs {
        let output = node.result(index)?;
        let mut shape = output.shape.clone();
        shape[dimension] = Some(1);
        let thick = builder.add(Op::Reshape, vec![inner.results[index]], tensor(shape, &output.element));
        let operands = [buffers[index], thick].into_iter().chain(starts(output.shape.len())).collect();
        results.push(builder.add(Op::DynamicUpdateSlice, operands, types[1 + index].clone()));
    }
    results.extend(&inner.results[outputs..]);
    let parameters =
        [counter].into_iter().chain(buffers).chain(inner.parameters[inputs..].iter().copied()).collect();
    let operations = std::mem::replace(&mut builder.operations, outer);
    let body = Region { parameters, operations, results };

    let finals: Vec<_> = types.into_iter().map(|ty| builder.value(ty)).collect();
    builder.push(Op::While { condition, body }, state, finals.clone());
    builder.define(node, finals[1..].to_vec())
}
