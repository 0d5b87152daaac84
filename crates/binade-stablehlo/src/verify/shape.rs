//! Verifies constants, and operations that move elements without computing.

use super::node::{integers, same_shape, same_size, spelt};
use super::{Builder, Node, quantized};
use crate::error::Result;
use crate::ir::{Op, ValueId};
use crate::syntax::{Attribute, Dense};
use crate::tensor::{Data, Tensor};
use crate::types::{ElementType, TensorType, Type};

/// The maximum number of elements of an integer constant that rules read: shapes and paddings of usual ranks.
const MOST_KNOWN: usize = 64;

impl<'t, 'a> Builder<'t, 'a> {
    /// The value of a constant. A splat of more than one element becomes a scalar that is broadcast.
    pub(super) fn constant(&mut self, dense: &Dense, element: &ElementType) -> ValueId {
        let count: usize = dense.shape.iter().product();
        let value = self.constant_value(dense, element);
        if matches!(element, ElementType::Integer { .. }) && count <= MOST_KNOWN {
            let items = integers(&Attribute::Dense(dense.clone()), Some(count));
            self.constants.extend(items.map(|items| (value, items)));
        }
        value
    }

    fn constant_value(&mut self, dense: &Dense, element: &ElementType) -> ValueId {
        let count: usize = dense.shape.iter().product();
        let ty = |shape: &[usize]| {
            Type::Tensor(TensorType {
                shape: shape.iter().copied().map(Some).collect(),
                element: element.clone(),
            })
        };
        if dense.data.len() == count {
            let tensor = Tensor::new(element.clone(), dense.shape.clone(), dense.data.clone());
            return self.add(Op::Constant(tensor), vec![], ty(&dense.shape));
        }
        if count == 0 {
            let tensor = Tensor::new(element.clone(), dense.shape.clone(), Data::empty(element));
            return self.add(Op::Constant(tensor), vec![], ty(&dense.shape));
        }
        let tensor = Tensor::new(element.clone(), vec![], dense.data.clone());
        let scalar = self.add(Op::Constant(tensor), vec![], ty(&[]));
        self.add(Op::BroadcastInDim { dimensions: vec![] }, vec![scalar], ty(&dense.shape))
    }
}

pub(crate) fn constant<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(0, 1)?;
    let Some(Attribute::Dense(dense)) = node.attribute("value") else {
        return node.wrong("value", "a constant dense<…>");
    };
    let result = node.result(0)?;
    let shape: Vec<_> = dense.shape.iter().copied().map(Some).collect();
    let holds = match &result.element {
        ElementType::Quantized(quantized) => {
            dense.element == quantized.storage || dense.element == result.element
        }
        element => *element == dense.element,
    };
    node.type_rule(
        holds && same_shape(&shape, &result.shape),
        "the result must have the type of the constant",
    )?;
    if let ElementType::Quantized(quantized) = &result.element
        && quantized.axis.is_some()
        && dense.data.len() != dense.shape.iter().product::<usize>()
    {
        return node.unsupported("one value for all elements where scales vary along an axis");
    }
    let value = builder.constant(dense, &result.element);
    builder.define(node, vec![value])
}

pub(crate) fn iota<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(0, 1)?;
    let dimension = node.index("iota_dimension")?;
    let result = node.result(0)?;
    node.dimension("'iota_dimension'", dimension, result.shape.len())?;
    node.rule(result.shape.iter().all(Option::is_some), "the result's sizes must be known", || {
        result.to_string()
    })?;
    node.type_rule(result.element != ElementType::Bool, "elements must be numbers")?;
    builder.emit(node, Op::Iota { dimension })
}

pub(crate) fn dynamic_iota<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    node.integers_operand(0, Some(1))?;
    let dimension = node.index("iota_dimension")?;
    node.dimension("'iota_dimension'", dimension, node.result(0)?.shape.len())?;
    shape_operand(builder, node, 0)?;
    builder.emit(node, Op::DynamicIota { dimension })
}

/// Checks an operand with the shape of the result. Returns its elements, if it is a constant.
pub(super) fn shape_operand<'b>(
    builder: &'b Builder<'_, '_>,
    node: &Node<'_, '_>,
    index: usize,
) -> Result<Option<&'b [i64]>> {
    node.integers_operand(index, Some(1))?;
    let (length, result) = (node.tensor(index)?.shape[0], node.result(0)?);
    let rank = result.shape.len();
    node.must(length == Some(rank), || {
        let length = length.map_or("?".to_owned(), |length| length.to_string());
        format!("the shape must have a size for each dimension of the result: got {length} for {rank} (operand {index})")
    })?;
    let known = builder.known(node.operands[index]);
    if let Some(sizes) = known {
        let fits = |(&given, &size): (&i64, &Option<usize>)| match usize::try_from(given) {
            Ok(given) => same_size(Some(given), size),
            Err(_) => false,
        };
        node.must(sizes.iter().zip(&result.shape).all(fits), || {
            format!(
                "the result must have the shape that is given: got {result} for {sizes:?} (operand {index})"
            )
        })?;
    }
    Ok(known)
}

/// Checks that a shape broadcasts along dimensions of another.
fn broadcasts(node: &Node<'_, '_>, dimensions: &[usize]) -> Result<()> {
    let (operand, result) = (&node.tensor(0)?.shape, &node.result(0)?.shape);
    node.size("'broadcast_dimensions'", dimensions.len(), operand.len())?;
    node.dimensions("'broadcast_dimensions'", dimensions, result.len())?;
    let repeated = |along: usize| match (operand.get(along)?, result.get(*dimensions.get(along)?)?) {
        (Some(1), size) => Some(size.unwrap_or(1)),
        _ => None,
    };
    quantized::moved(node, |along| dimensions.get(along).copied(), repeated)?;
    let fits =
        operand.iter().zip(dimensions).all(|(&size, &to)| size == Some(1) || same_size(size, result[to]));
    node.type_rule(fits, "each size of the operand must be 1, or that of the result dimension it maps to")
}

pub(crate) fn broadcast_in_dim<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    let dimensions = node.indices("broadcast_dimensions")?;
    broadcasts(node, &dimensions)?;
    one_open(node)?;
    builder.emit(node, Op::BroadcastInDim { dimensions })
}

/// Checks that at most one size of the result is open, since more would not follow from the operand.
fn one_open(node: &Node<'_, '_>) -> Result<()> {
    let result = node.result(0)?;
    let open = result.shape.iter().filter(|size| size.is_none()).count();
    node.must(open <= 1, || {
        format!(
            "all sizes of the result but one must be known: got {result} (the dynamic form takes a shape)"
        )
    })
}

pub(crate) fn dynamic_broadcast_in_dim<'t, 'a>(
    builder: &mut Builder<'t, 'a>,
    node: &Node<'t, 'a>,
) -> Result<()> {
    node.arity(2, 1)?;
    let known = shape_operand(builder, node, 1)?;
    let dimensions = node.indices("broadcast_dimensions")?;
    broadcasts(node, &dimensions)?;
    let operand = node.tensor(0)?;
    if let Some(sizes) = known {
        for (d, (size, &to)) in operand.shape.iter().zip(&dimensions).enumerate() {
            let fits = size.is_none_or(|size| size == 1 || i64::try_from(size) == Ok(sizes[to]));
            node.must(fits, || {
                format!("a size must be 1 or that of the shape: got {operand} for {sizes:?} (operand dimension {d})")
            })?;
        }
    }
    let mut hints = vec![];
    for name in ["known_expanding_dimensions", "known_nonexpanding_dimensions"] {
        if node.attribute(name).is_some() {
            hints.extend(node.indices(name)?);
        }
    }
    node.dimensions("known dimensions of the operand", &hints, operand.shape.len())?;
    builder.emit(node, Op::DynamicBroadcastInDim { dimensions })
}

/// `broadcast`, the older operation: its new dimensions come first.
pub(crate) fn broadcast<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    let sizes = node.indices("broadcast_sizes")?;
    quantized::moved(node, |along| Some(along + sizes.len()), |_| None)?;
    let operand = &node.tensor(0)?.shape;
    let inferred: Vec<_> = sizes.iter().copied().map(Some).chain(operand.iter().copied()).collect();
    node.result_shape(0, &inferred)?;
    builder.emit(node, Op::BroadcastInDim { dimensions: (sizes.len()..inferred.len()).collect() })
}

pub(crate) fn reshape<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    reshapes(node)?;
    one_open(node)?;
    builder.emit(node, Op::Reshape)
}

/// Checks that operand and result have the same number of elements.
fn reshapes(node: &Node<'_, '_>) -> Result<()> {
    let (operand, result) = (node.tensor(0)?, node.result(0)?);
    quantized::moved(node, |along| quantized::reshaped(node, along), |_| None)?;
    let count = |ty: &TensorType| ty.shape.iter().copied().product::<Option<usize>>();
    node.type_rule(
        same_size(count(operand), count(result)),
        "operand and result must have the same number of elements",
    )
}

pub(crate) fn dynamic_reshape<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(2, 1)?;
    reshapes(node)?;
    let operand = node.tensor(0)?;
    if let Some(sizes) = shape_operand(builder, node, 1)? {
        let sizes: Vec<_> = sizes.iter().map(|&size| usize::try_from(size).ok()).collect();
        let (given, count) =
            (sizes.iter().copied().product::<Option<usize>>(), operand.shape.iter().copied());
        node.must(same_size(given, count.product()), || {
            format!(
                "operand and shape must have the same number of elements: got {operand} for {} (operand 1)",
                spelt(&sizes)
            )
        })?;
    }
    builder.emit(node, Op::DynamicReshape)
}

pub(crate) fn transpose<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    let operand = node.tensor(0)?;
    let permutation = node.indices("permutation")?;
    node.size("'permutation'", permutation.len(), operand.shape.len())?;
    node.dimensions("'permutation'", &permutation, operand.shape.len())?;
    quantized::moved(node, |along| permutation.iter().position(|&from| from == along), |_| None)?;
    let inferred: Vec<_> = permutation.iter().map(|&from| operand.shape[from]).collect();
    node.result_shape(0, &inferred)?;
    builder.emit(node, Op::Transpose { permutation })
}

pub(crate) fn reverse<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    node.same_type(0, 0)?;
    let dimensions = node.indices("dimensions")?;
    node.dimensions("'dimensions'", &dimensions, node.result(0)?.shape.len())?;
    builder.emit(node, Op::Reverse { dimensions })
}

pub(crate) fn concatenate<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.result_count(1)?;
    let inputs = node.tensors()?;
    let Some(first) = inputs.first() else { return node.broken("there must be at least one input", "none") };
    let dimension = node.index("dimension")?;
    node.dimension("'dimension'", dimension, first.shape.len())?;
    let mut inferred = first.shape.clone();
    for input in &inputs[1..] {
        let same = input.shape.len() == first.shape.len()
            && (0..first.shape.len()).all(|d| d == dimension || same_size(input.shape[d], first.shape[d]));
        node.type_rule(same, "inputs must have the same shape, except along 'dimension'")?;
        inferred[dimension] = match (inferred[dimension], input.shape[dimension]) {
            (Some(a), Some(b)) => a.checked_add(b),
            _ => None,
        };
    }
    let result = node.result(0)?;
    let same = inputs.iter().all(|input| input.element == result.element);
    node.type_rule(same, "inputs and result must have the same element type")?;
    node.result_shape(0, &inferred)?;
    builder.emit(node, Op::Concatenate { dimension })
}

pub(crate) fn pad<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(2, 1)?;
    padding_value(node)?;
    let shape = &node.tensor(0)?.shape;
    let low = node.integers_or("edge_padding_low", shape.len(), 0)?;
    let high = node.integers_or("edge_padding_high", shape.len(), 0)?;
    let interior = node.integers_or("interior_padding", shape.len(), 0)?;
    padded(node, &low, &high, &interior)?;
    builder.emit(node, Op::Pad { low, high, interior })
}

/// Checks the shape of a padded operand.
fn padded(node: &Node<'_, '_>, low: &[i64], high: &[i64], interior: &[i64]) -> Result<()> {
    let shape = &node.tensor(0)?.shape;
    let holds = interior.iter().all(|&size| size >= 0);
    node.rule(holds, "interior padding must not be negative", || format!("{interior:?}"))?;
    let mut inferred = vec![];
    for (d, size) in shape.iter().enumerate() {
        let Some(size) = *size else {
            inferred.push(None);
            continue;
        };
        let size = size as i128;
        let edges = i128::from(low[d]) + i128::from(high[d]);
        let padded = size + (size - 1).max(0).saturating_mul(i128::from(interior[d])) + edges;
        match usize::try_from(padded) {
            Ok(padded) => inferred.push(Some(padded)),
            Err(_) => {
                return node
                    .broken("sizes of the result must not be negative", format!("{padded} (dimension {d})"));
            }
        }
    }
    node.result_shape(0, &inferred)
}

fn padding_value(node: &Node<'_, '_>) -> Result<()> {
    let (operand, value, result) = (node.tensor(0)?, node.tensor(1)?, node.result(0)?);
    node.type_rule(value.shape.is_empty(), "the padding value must be a scalar")?;
    let same = operand.element == value.element && operand.element == result.element;
    node.type_rule(same, "operand, padding value and result must have the same element type")
}

pub(crate) fn dynamic_pad<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(5, 1)?;
    padding_value(node)?;
    let rank = node.tensor(0)?.shape.len();
    node.type_rule(node.result(0)?.shape.len() == rank, "operand and result must have the same rank")?;
    for index in 2..5 {
        index_operand(node, index, rank)?;
    }
    let [low, high, interior] = [2, 3, 4].map(|index| builder.known(node.operands[index]));
    if let Some(interior) = interior {
        let holds = interior.iter().all(|&size| size >= 0);
        node.must(holds, || format!("interior padding must not be negative: got {interior:?} (operand 4)"))?;
    }
    if let (Some(low), Some(high), Some(interior)) = (low, high, interior) {
        padded(node, low, high, interior)?;
    }
    builder.emit(node, Op::DynamicPad)
}

/// Checks an operand with an integer for each dimension.
fn index_operand(node: &Node<'_, '_>, index: usize, rank: usize) -> Result<()> {
    node.integers_operand(index, Some(1))?;
    let size = node.tensor(index)?.shape[0];
    node.type_rule(same_size(size, Some(rank)), "there must be an index for each dimension of the operand")
}

pub(crate) fn slice<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    let operand = node.tensor(0)?;
    node.same_element(0, 0)?;
    let rank = operand.shape.len();
    let start = node.indices("start_indices")?;
    let limit = node.indices("limit_indices")?;
    let strides = node.indices_or("strides", rank, 1, 1)?;
    node.size("'start_indices'", start.len(), rank)?;
    node.size("'limit_indices'", limit.len(), rank)?;
    let mut inferred = vec![];
    for d in 0..rank {
        let within = start[d] <= limit[d] && operand.shape[d].is_none_or(|size| limit[d] <= size);
        node.rule(within, "0 <= start <= limit <= size must be true of every dimension", || {
            format!("start {} and limit {} for {} (dimension {d})", start[d], limit[d], spelt(&operand.shape))
        })?;
        inferred.push(Some((limit[d] - start[d]).div_ceil(strides[d])));
    }
    node.result_shape(0, &inferred)?;
    builder.emit(node, Op::Slice { start, limit, strides })
}

pub(crate) fn real_dynamic_slice<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(4, 1)?;
    node.same_element(0, 0)?;
    let rank = node.tensor(0)?.shape.len();
    node.type_rule(node.result(0)?.shape.len() == rank, "operand and result must have the same rank")?;
    for index in 1..4 {
        index_operand(node, index, rank)?;
    }
    builder.emit(node, Op::RealDynamicSlice)
}

/// Checks that the operands from `first` on are scalar indices, one per dimension.
fn scalar_indices(node: &Node<'_, '_>, first: usize, rank: usize) -> Result<()> {
    node.operand_count(first + rank)?;
    for index in first..first + rank {
        node.integers_operand(index, Some(0))?;
        let same = node.tensor(index)?.element == node.tensor(first)?.element;
        node.type_rule(same, "all indices must have the same type")?;
    }
    Ok(())
}

pub(crate) fn dynamic_slice<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.result_count(1)?;
    let operand = node.tensor(0)?;
    node.same_element(0, 0)?;
    scalar_indices(node, 1, operand.shape.len())?;
    let sizes = node.indices("slice_sizes")?;
    node.size("'slice_sizes'", sizes.len(), operand.shape.len())?;
    let within = operand.shape.iter().zip(&sizes).all(|(size, slice)| size.is_none_or(|size| *slice <= size));
    node.rule(within, "slices must not be larger than the operand", || {
        format!("{sizes:?} for {}", spelt(&operand.shape))
    })?;
    let inferred: Vec<_> = sizes.iter().copied().map(Some).collect();
    node.result_shape(0, &inferred)?;
    builder.emit(node, Op::DynamicSlice { sizes })
}

pub(crate) fn dynamic_update_slice<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.result_count(1)?;
    let (operand, update) = (node.tensor(0)?, node.tensor(1)?);
    node.same_type(0, 0)?;
    node.type_rule(operand.element == update.element, "operand and update must have the same element type")?;
    node.type_rule(operand.shape.len() == update.shape.len(), "operand and update must have the same rank")?;
    scalar_indices(node, 2, operand.shape.len())?;
    let within = operand.shape.iter().zip(&update.shape).all(|(size, part)| match (size, part) {
        (Some(size), Some(part)) => part <= size,
        _ => true,
    });
    node.type_rule(within, "the update must not be larger than the operand")?;
    builder.emit(node, Op::DynamicUpdateSlice)
}

pub(crate) fn get_dimension_size<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    let dimension = node.index("dimension")?;
    node.dimension("'dimension'", dimension, node.tensor(0)?.shape.len())?;
    let result = node.result(0)?;
    let i32 = ElementType::Integer { signed: true, width: 32 };
    node.type_rule(result.shape.is_empty() && result.element == i32, "the result must be tensor<i32>")?;
    builder.emit(node, Op::GetDimensionSize { dimension })
}

pub(crate) fn set_dimension_size<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(2, 1)?;
    let dimension = node.index("dimension")?;
    node.dimension("'dimension'", dimension, node.tensor(0)?.shape.len())?;
    node.same_element(0, 0)?;
    node.integers_operand(1, Some(0))?;
    let same = node.tensor(0)?.shape.len() == node.result(0)?.shape.len();
    node.type_rule(same, "operand and result must have the same rank")?;
    builder.emit(node, Op::SetDimensionSize { dimension })
}
