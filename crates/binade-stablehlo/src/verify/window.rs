//! Verifies reductions, windows, sorting, gathering and scattering.

use super::node::{same_shape, same_size, spelt};
use super::{Builder, Node, reduction};
use crate::error::Result;
use crate::ir::{Gather, Op, Region, Scatter, ValueId, Window, windows};
use crate::syntax::Attribute;
use crate::tensor::{Data, Tensor};
use crate::types::{ElementType, TensorType, Type};

/// The first half of an operation's operands: inputs, each of which has a scalar or other operand in the second half.
struct ReductionOperands<'n> {
    inputs: Vec<&'n TensorType>,
    elements: Vec<ElementType>,
}

/// The operands of a reduction: inputs of one shape, and an initial value for each.
fn reduction_operands<'n>(node: &'n Node<'_, '_>) -> Result<ReductionOperands<'n>> {
    reduction_operands_among(node, node.operands.len())
}

/// The inputs and initial values among the first `among` operands.
fn reduction_operands_among<'n>(node: &'n Node<'_, '_>, among: usize) -> Result<ReductionOperands<'n>> {
    let mut inputs = node.tensors()?;
    inputs.truncate(among);
    let count = among / 2;
    let even = count >= 1 && inputs.len() == 2 * count;
    node.rule(even, "operands must be one or more inputs, and an initial value for each", || {
        format!("{} operands", inputs.len())
    })?;
    let others = inputs.split_off(count);
    let same = inputs.iter().all(|input| same_shape(&input.shape, &inputs[0].shape));
    node.type_rule(same, "all inputs must have the same shape")?;
    let elements: Vec<_> = inputs.iter().map(|input| input.element.clone()).collect();
    for (index, (input, other)) in inputs.iter().zip(&others).enumerate() {
        node.must(input.element == other.element, || {
            let (input, other) = (&input.element, &other.element);
            format!("an input and its initial value must have the same element type: got {input} and {other} (input {index})")
        })?;
        node.must(other.shape.is_empty(), || {
            format!("an initial value must be a scalar: got {other} (initial value {index})")
        })?;
    }
    node.result_count(count)?;
    Ok(ReductionOperands { inputs, elements })
}

/// Checks that results have the element types of a body, and returns the operands in these types. Inputs and initial values,
/// which come first, are promoted; others are unchanged.
fn promoted<'t, 'a>(
    builder: &mut Builder<'t, 'a>,
    node: &Node<'t, 'a>,
    elements: &[ElementType],
) -> Result<Vec<ValueId>> {
    for (index, element) in elements.iter().enumerate() {
        reduction::result(node, index, element)?;
    }
    let to = elements.iter().chain(elements).map(Some).chain(std::iter::repeat(None));
    let promoted = node.operands.iter().zip(to).map(|(&operand, to)| match to {
        Some(element) => builder.promoted(operand, element),
        None => operand,
    });
    Ok(promoted.collect())
}

pub(crate) fn reduce<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    let reduced = reduction_operands(node)?;
    let shape = &reduced.inputs[0].shape;
    let dimensions = node.indices("dimensions")?;
    node.dimensions("'dimensions'", &dimensions, shape.len())?;
    let kept = (0..shape.len()).filter(|d| !dimensions.contains(d));
    let inferred: Vec<_> = kept.map(|d| shape[d]).collect();
    for index in 0..reduced.inputs.len() {
        node.result_shape(index, &inferred)?;
    }
    let [region] = node.regions::<1>()?;
    let elements = reduction::elements_of(node, region, &reduced.elements)?;
    let operands = promoted(builder, node, &elements)?;
    let body = reduction::body(builder, node, region, &elements)?;
    builder.emit_of(node, Op::Reduce { dimensions, body }, operands)
}

/// The window over an operand of rank `rank`.
fn window(node: &Node<'_, '_>, rank: usize, dilated: bool) -> Result<Window> {
    let dimensions = node.indices("window_dimensions")?;
    node.size("'window_dimensions'", dimensions.len(), rank)?;
    let holds = dimensions.iter().all(|&size| size >= 1);
    node.rule(holds, "window dimensions must be positive", || format!("{dimensions:?}"))?;
    let dilations = |name| if dilated { node.indices_or(name, rank, 1, 1) } else { Ok(vec![1; rank]) };
    Ok(Window {
        dimensions,
        strides: node.indices_or("window_strides", rank, 1, 1)?,
        base_dilations: dilations("base_dilations")?,
        window_dilations: dilations("window_dilations")?,
        padding: node.pairs("padding", rank)?,
    })
}

/// The number of windows in each dimension.
fn window_counts(node: &Node<'_, '_>, shape: &[Option<usize>], w: &Window) -> Result<Vec<Option<usize>>> {
    let mut counts = vec![];
    for (d, &size) in shape.iter().enumerate() {
        let dilations = (w.base_dilations[d], w.window_dilations[d]);
        match windows(size, Some(w.dimensions[d]), dilations, w.padding[d], w.strides[d]) {
            Some(count) => counts.push(count),
            None => {
                return node.broken(
                    "padded sizes must not be negative",
                    format!("a negative one in dimension {d} of {}", spelt(shape)),
                );
            }
        }
    }
    Ok(counts)
}

pub(crate) fn reduce_window<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    let reduced = reduction_operands(node)?;
    let shape = &reduced.inputs[0].shape;
    let window = window(node, shape.len(), true)?;
    let inferred = window_counts(node, shape, &window)?;
    for index in 0..reduced.inputs.len() {
        node.result_shape(index, &inferred)?;
    }
    let [region] = node.regions::<1>()?;
    let elements = reduction::elements_of(node, region, &reduced.elements)?;
    let operands = promoted(builder, node, &elements)?;
    let body = reduction::body(builder, node, region, &elements)?;
    builder.emit_of(node, Op::ReduceWindow { window, body }, operands)
}

/// `custom_call @stablehlo.dynamic_reduce_window`: a `reduce_window` whose window is given by operands, and whose body is a
/// function.
pub(crate) fn dynamic_reduce_window<'t, 'a>(
    builder: &mut Builder<'t, 'a>,
    node: &Node<'t, 'a>,
) -> Result<()> {
    /// The number of operands that describe a window.
    const PARTS: usize = 5;
    let Some(count) = node.operands.len().checked_sub(PARTS) else {
        return node.broken(
            "operands must be inputs, initial values, and five for the window",
            format!("{} operands", node.operands.len()),
        );
    };
    let reduced = reduction_operands_among(node, count)?;
    let rank = reduced.inputs[0].shape.len();
    for part in count..count + PARTS {
        let pairs = part + 1 == count + PARTS;
        node.integers_operand(part, Some(if pairs { 2 } else { 1 }))?;
        let expected = [Some(rank), Some(2)];
        let fits = same_shape(&node.tensor(part)?.shape, &expected[..if pairs { 2 } else { 1 }]);
        node.type_rule(
            fits,
            "the window's sizes, strides, dilations and padding must have an entry for each dimension",
        )?;
    }
    for index in 0..reduced.inputs.len() {
        node.result_shape(index, &vec![None; rank])?;
    }
    let (elements, body) = function_body(builder, node, &reduced.elements)?;
    let operands = promoted(builder, node, &elements)?;
    builder.emit_of(node, Op::DynamicReduceWindow { body }, operands)
}

/// The function that a custom call names as the body of a reduction, and its element types. A short function without calls
/// becomes the operation's region.
fn function_body<'t, 'a>(
    builder: &mut Builder<'t, 'a>,
    node: &Node<'t, 'a>,
    operands: &[ElementType],
) -> Result<(Vec<ElementType>, Region)> {
    /// Longer functions are called, since a text may name one many times.
    const SHORT: usize = 16;
    let name = called(node)?;
    let function = builder.function_within(name, node.at())?;
    let signature = builder.signature(function);
    let elements = reduction::elements(node, signature.parameters, operands)?;
    let plain = |operation: &crate::syntax::Operation<'_>| {
        let calls = matches!(&*operation.name, "stablehlo.custom_call" | "stablehlo.composite");
        operation.regions.is_empty()
            && !calls
            && (operation.name.starts_with("stablehlo.") || operation.name == "func.return")
    };
    let tree = builder.tree;
    if let [region] = &tree.functions[function].regions[..]
        && region.operations.len() <= SHORT
        && region.operations.iter().all(plain)
    {
        // The function uses no values around the call.
        let visible = std::mem::take(&mut builder.visible);
        let body = reduction::body(builder, node, region, &elements);
        builder.visible = visible;
        return Ok((elements, body?));
    }
    let scalar = |element: &ElementType| Type::Tensor(TensorType { shape: vec![], element: element.clone() });
    let given: Vec<_> = elements.iter().map(scalar).collect();
    node.must(super::all_compatible(&given, signature.results), || {
        let (given, found) = (super::list(&given), super::list(signature.results));
        format!("the function must return ({given}): got ({found}) (function '{name}')")
    })?;
    let parameters: Vec<_> = given.iter().chain(&given).map(|ty| builder.value(ty.clone())).collect();
    let results: Vec<_> = given.into_iter().map(|ty| builder.value(ty)).collect();
    let call = builder.made(Op::Call { function }, parameters.clone(), results.clone());
    Ok((elements, Region { parameters, operations: vec![call], results }))
}

pub(crate) fn select_and_scatter<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(3, 1)?;
    let (operand, source, initial) = (node.tensor(0)?, node.tensor(1)?, node.tensor(2)?);
    let element = operand.element.clone();
    let same = element == source.element && element == initial.element;
    node.must(same, || {
        let (source, initial) = (&source.element, &initial.element);
        format!("operand, source and initial value must have the same element type: got {element}, {source} and {initial}")
    })?;
    node.must(initial.shape.is_empty(), || format!("the initial value must be a scalar: got {initial}"))?;
    node.result_shape(0, &operand.shape)?;
    let window = window(node, operand.shape.len(), false)?;
    let counts = window_counts(node, &operand.shape, &window)?;
    node.type_rule(same_shape(&counts, &source.shape), "the source must have an element for each window")?;
    let [select, scatter] = node.regions::<2>()?;
    let wide = reduction::elements_of(node, scatter, std::slice::from_ref(&element))?;
    reduction::result(node, 0, &wide[0])?;
    // Elements are selected in their own type, and added in the type of the body.
    let [operand, source, initial] = [node.operands[0], node.operands[1], node.operands[2]];
    let operands = vec![operand, builder.promoted(source, &wide[0]), builder.promoted(initial, &wide[0])];
    let select = node.scalar_region(builder, select, &[element.clone(), element], &[ElementType::Bool])?;
    let scatter = reduction::body(builder, node, scatter, &wide)?;
    builder.emit_of(node, Op::SelectAndScatter { window, select, scatter }, operands)
}

pub(crate) fn sort<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    let inputs = node.tensors()?;
    let Some(first) = inputs.first() else { return node.broken("there must be at least one input", "none") };
    node.result_count(inputs.len())?;
    let same = inputs.iter().all(|input| same_shape(&input.shape, &first.shape));
    node.type_rule(same, "all inputs must have the same shape")?;
    for (index, input) in inputs.iter().enumerate() {
        let same = input.element == node.result(index)?.element && input.is_like(node.result(index)?);
        node.type_rule(same, "an input and its result must have the same type")?;
    }
    let (rank, given) = (first.shape.len(), node.integer_or("dimension", -1)?);
    let dimension = if given < 0 { given + rank as i64 } else { given };
    let dimension = match usize::try_from(dimension) {
        Ok(dimension) if dimension < rank => dimension,
        _ => {
            return node.broken("'dimension' must be from -rank to rank - 1", given.to_string());
        }
    };
    let stable = node.bool_or("is_stable", false)?;
    let pairs: Vec<_> =
        inputs.iter().flat_map(|input| [input.element.clone(), input.element.clone()]).collect();
    let [region] = node.regions::<1>()?;
    let comparator = node.scalar_region(builder, region, &pairs, &[ElementType::Bool])?;
    builder.emit(node, Op::Sort { dimension, stable, comparator })
}

/// The only function that a custom call names.
fn called<'t>(node: &Node<'t, '_>) -> Result<&'t str> {
    match node.attribute("called_computations") {
        Some(Attribute::Array(functions)) if let [Attribute::Symbol(name)] = &functions[..] => Ok(name),
        _ => node.wrong("called_computations", "a list with one function"),
    }
}

/// `custom_call @ApproxTopK`: the first elements in the order of a comparison, computed exactly; equal elements keep their
/// order. Operands are the inputs, then a value for each, which pads an approximation. If sizes are unknown, operands with the
/// requested count and the shapes of results follow.
pub(crate) fn approx_top_k<'t, 'a>(
    builder: &mut Builder<'t, 'a>,
    node: &Node<'t, 'a>,
    counts: usize,
) -> Result<()> {
    let shapes = match node.attribute("indices_of_shape_operands") {
        Some(_) => node.indices("indices_of_shape_operands")?,
        None => vec![],
    };
    let among = node.operands.len().saturating_sub(counts + shapes.len());
    let ReductionOperands { inputs, elements, .. } = reduction_operands_among(node, among)?;
    let (inputs, shape) = (inputs.len(), inputs[0].shape.clone());
    node.result_count(inputs)?;
    let config = ["mhlo.backend_config", "backend_config"]
        .into_iter()
        .find(|name| node.attribute(name).is_some())
        .map_or_else(|| node.wrong("mhlo.backend_config", "a dictionary"), |name| node.fields(name))?;
    let dimension = config.index("reduction_dim", -1)?;
    node.dimensions("'reduction_dim'", &[dimension], shape.len())?;
    let count = node.result(0)?.shape.get(dimension).copied().flatten();
    let mut sizes = shape.clone();
    sizes[dimension] = count;
    let limit: Option<Vec<usize>> = sizes.iter().copied().collect();
    if shapes.is_empty() && (limit.is_none() || shape[dimension].is_none()) {
        return node.unsupported("custom call '@ApproxTopK' of sizes that are not known");
    }
    for (index, element) in elements.iter().enumerate() {
        let result = node.result(index)?;
        let within = count.zip(shape[dimension]).is_none_or(|(count, size)| count <= size);
        let holds = same_shape(&result.shape, &sizes) && result.element == *element && within;
        node.type_rule(holds, "the results must be parts of the inputs")?;
    }
    if !shapes.is_empty() {
        node.size("'indices_of_shape_operands'", shapes.len(), inputs)?;
        for &at in &shapes {
            node.integers_operand(at, Some(1))?;
            let fits = same_shape(&node.tensor(at)?.shape, &[Some(shape.len())]);
            node.type_rule(fits, "a shape must have a size for each dimension")?;
        }
    }
    let name = called(node)?;
    let scalar = |element: &ElementType| Type::Tensor(TensorType { shape: vec![], element: element.clone() });
    let types: Vec<Type> = elements.iter().flat_map(|element| [scalar(element), scalar(element)]).collect();
    let truth = scalar(&ElementType::Bool);
    let function = builder.function_within(name, node.at())?;
    let signature = builder.signature(function);
    let fits = super::all_compatible(&types, signature.parameters)
        && super::all_compatible(std::slice::from_ref(&truth), signature.results);
    node.type_rule(fits, "the function must compare two elements of each input")?;
    let parameters: Vec<_> = types.into_iter().map(|ty| builder.value(ty)).collect();
    let result = builder.value(truth);
    let call = builder.made(Op::Call { function }, parameters.clone(), vec![result]);
    let comparator = Region { parameters, operations: vec![call], results: vec![result] };
    let sorted: Vec<_> = node.types[..inputs].iter().map(|ty| builder.value(ty.clone())).collect();
    builder.push(
        Op::Sort { dimension, stable: true, comparator },
        node.operands[..inputs].to_vec(),
        sorted.clone(),
    );
    let first = sorted.iter().zip(node.results());
    let results = match limit.filter(|_| shapes.is_empty()) {
        Some(limit) => {
            let slice = Op::Slice { start: vec![0; limit.len()], strides: vec![1; limit.len()], limit };
            first.map(|(&value, ty)| builder.add(slice.clone(), vec![value], ty.clone())).collect()
        }
        None => {
            let [zeros, ones] = [0, 1].map(|number| {
                let element = ElementType::Integer { signed: true, width: 64 };
                let data = Data::I64(vec![number; shape.len()]);
                let ty = TensorType { shape: vec![Some(shape.len())], element: element.clone() };
                let constant = Op::Constant(Tensor::new(element, vec![shape.len()], data));
                builder.add(constant, vec![], Type::Tensor(ty))
            });
            let parts = first.zip(&shapes).map(|((&value, ty), &at)| {
                builder.add(Op::RealDynamicSlice, vec![value, zeros, node.operands[at], ones], ty.clone())
            });
            parts.collect()
        }
    };
    builder.define(node, results)
}

/// Checks that values are dimensions of a tensor of this rank, sorted, each at most once.
fn sorted(node: &Node<'_, '_>, what: &str, values: &[usize], rank: usize) -> Result<()> {
    node.dimensions(what, values, rank)?;
    node.rule(values.is_sorted(), &format!("{what} must be in ascending order"), || format!("{values:?}"))
}

/// The sizes of the indices without the index vectors, and the length of a vector.
fn batch_sizes(indices: &TensorType, vector: usize) -> (Vec<Option<usize>>, Option<usize>) {
    let mut sizes = indices.shape.clone();
    let length = if vector < sizes.len() { sizes.remove(vector) } else { Some(1) };
    (sizes, length)
}

/// Merges `batch` and `window` sizes into one shape; window sizes are at the positions `offsets`.
fn combined(batch: &[Option<usize>], window: &[Option<usize>], offsets: &[usize]) -> Vec<Option<usize>> {
    let (mut batch, mut window) = (batch.iter(), window.iter());
    let count = batch.len() + window.len();
    (0..count)
        .map(|d| if offsets.contains(&d) { window.next() } else { batch.next() })
        .map(|size| size.copied().flatten())
        .collect()
}

/// The dimension numbers that gather and scatter share: how dimensions of the operand and of the indices correspond.
struct Batching<'n> {
    operand: &'n TensorType,
    indices: &'n TensorType,
    /// Dimensions of the operand that a window lacks: those dropped, and the batching ones.
    dropped: &'n [usize],
    operand_batching: &'n [usize],
    indices_batching: &'n [usize],
    /// The operand dimension of each element of an index vector.
    map: &'n [usize],
    vector: usize,
}

fn batching(node: &Node<'_, '_>, b: &Batching<'_>) -> Result<()> {
    let rank = b.operand.shape.len();
    node.type_rule(matches!(b.indices.element, ElementType::Integer { .. }), "indices must be integers")?;
    let holds = b.vector <= b.indices.shape.len();
    node.rule(holds, "'index_vector_dim' must be at most the rank of the indices", || {
        format!("{} for rank {}", b.vector, b.indices.shape.len())
    })?;
    sorted(node, "dropped dimensions", b.dropped, rank)?;
    sorted(node, "batching dimensions of the operand", b.operand_batching, rank)?;
    node.dimensions("dropped and batching dimensions", &[b.dropped, b.operand_batching].concat(), rank)?;
    node.dimensions("batching dimensions of the indices", b.indices_batching, b.indices.shape.len())?;
    let holds = !b.indices_batching.contains(&b.vector);
    node.rule(holds, "batching dimensions of the indices must not include 'index_vector_dim'", || {
        b.vector.to_string()
    })?;
    node.size("batching dimensions of the indices", b.indices_batching.len(), b.operand_batching.len())?;
    let pairs = b.operand_batching.iter().zip(b.indices_batching);
    let same = pairs.clone().all(|(&from, &to)| same_size(b.operand.shape[from], b.indices.shape[to]));
    node.type_rule(same, "batching dimensions must have the same sizes")?;
    node.dimensions("mapped and batching dimensions", &[b.map, b.operand_batching].concat(), rank)?;
    let (_, length) = batch_sizes(b.indices, b.vector);
    node.rule(
        same_size(length, Some(b.map.len())),
        "an index vector must have a value for each mapped dimension",
        || format!("{} for {} mapped dimensions", length.unwrap_or(0), b.map.len()),
    )
}

fn gather_attributes(node: &Node<'_, '_>, slice_sizes: Option<Vec<usize>>) -> Result<Gather> {
    let fields = node.fields("dimension_numbers")?;
    let gather = Gather {
        offset_dims: fields.indices("offset_dims")?,
        collapsed_slice_dims: fields.indices("collapsed_slice_dims")?,
        operand_batching_dims: fields.indices("operand_batching_dims")?,
        start_indices_batching_dims: fields.indices("start_indices_batching_dims")?,
        start_index_map: fields.indices("start_index_map")?,
        index_vector_dim: fields.index("index_vector_dim", 0)?,
        slice_sizes,
        indices_are_sorted: node.bool_or("indices_are_sorted", false)?,
    };
    let (operand, indices) = (node.tensor(0)?, node.tensor(1)?);
    node.same_element(0, 0)?;
    batching(
        node,
        &Batching {
            operand,
            indices,
            dropped: &gather.collapsed_slice_dims,
            operand_batching: &gather.operand_batching_dims,
            indices_batching: &gather.start_indices_batching_dims,
            map: &gather.start_index_map,
            vector: gather.index_vector_dim,
        },
    )?;
    let parts =
        gather.offset_dims.len() + gather.collapsed_slice_dims.len() + gather.operand_batching_dims.len();
    node.rule(
        parts == operand.shape.len(),
        "each dimension of the operand must be offset, collapsed or batching",
        || format!("{parts} of {}", operand.shape.len()),
    )?;
    let (batch, _) = batch_sizes(indices, gather.index_vector_dim);
    sorted(node, "'offset_dims'", &gather.offset_dims, batch.len() + gather.offset_dims.len())?;
    let dropped =
        |d: &usize| gather.collapsed_slice_dims.contains(d) || gather.operand_batching_dims.contains(d);
    let mut window = vec![None; gather.offset_dims.len()];
    if let Some(sizes) = &gather.slice_sizes {
        node.size("'slice_sizes'", sizes.len(), operand.shape.len())?;
        let within =
            sizes.iter().zip(&operand.shape).all(|(slice, size)| size.is_none_or(|size| *slice <= size));
        node.rule(within, "slices must not be larger than the operand", || {
            format!("{sizes:?} for {}", spelt(&operand.shape))
        })?;
        let thin = (0..sizes.len()).filter(&dropped).all(|d| sizes[d] <= 1);
        node.rule(thin, "slice sizes must be at most 1 in collapsed and batching dimensions", || {
            format!("{sizes:?}")
        })?;
        window = (0..sizes.len()).filter(|d| !dropped(d)).map(|d| Some(sizes[d])).collect();
    }
    node.result_shape(0, &combined(&batch, &window, &gather.offset_dims))?;
    Ok(gather)
}

pub(crate) fn gather<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(2, 1)?;
    let sizes = node.indices("slice_sizes")?;
    let gather = gather_attributes(node, Some(sizes))?;
    builder.emit(node, Op::Gather(gather))
}

pub(crate) fn dynamic_gather<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(3, 1)?;
    node.integers_operand(2, Some(1))?;
    let rank = node.tensor(0)?.shape.len();
    let holds = node.tensor(2)?.shape[0] == Some(rank);
    node.type_rule(holds, "there must be a slice size for each dimension of the operand")?;
    let sizes = match builder.known(node.operands[2]) {
        None => None,
        Some(known) => {
            let sizes: Option<Vec<_>> = known.iter().map(|&size| usize::try_from(size).ok()).collect();
            node.must(sizes.is_some(), || {
                format!("slice sizes must not be negative: got {known:?} (operand 2)")
            })?;
            sizes
        }
    };
    let gather = gather_attributes(node, sizes)?;
    builder.emit(node, Op::DynamicGather(Gather { slice_sizes: None, ..gather }))
}

pub(crate) fn scatter<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    let tensors = node.tensors()?;
    let count = tensors.len().saturating_sub(1) / 2;
    let holds = count >= 1 && tensors.len() == 2 * count + 1;
    node.rule(holds, "operands must be one or more inputs, indices, and an update for each input", || {
        format!("{} operands", tensors.len())
    })?;
    node.result_count(count)?;
    let (inputs, indices, updates) = (&tensors[..count], tensors[count], &tensors[count + 1..]);
    let fields = node.fields("scatter_dimension_numbers")?;
    let attributes = Scatter {
        update_window_dims: fields.indices("update_window_dims")?,
        inserted_window_dims: fields.indices("inserted_window_dims")?,
        input_batching_dims: fields.indices("input_batching_dims")?,
        scatter_indices_batching_dims: fields.indices("scatter_indices_batching_dims")?,
        scatter_dims_to_operand_dims: fields.indices("scatter_dims_to_operand_dims")?,
        index_vector_dim: fields.index("index_vector_dim", 0)?,
        indices_are_sorted: node.bool_or("indices_are_sorted", false)?,
        unique_indices: node.bool_or("unique_indices", false)?,
    };
    for k in 0..count {
        node.type_rule(
            same_shape(&inputs[k].shape, &inputs[0].shape),
            "all inputs must have the same shape",
        )?;
        node.type_rule(
            same_shape(&updates[k].shape, &updates[0].shape),
            "all updates must have the same shape",
        )?;
        let (input, update) = (&inputs[k].element, &updates[k].element);
        node.must(input == update, || {
            format!("an input and its updates must have the same element type: got {input} and {update} (input {k})")
        })?;
        node.result_shape(k, &inputs[k].shape)?;
    }
    let a = &attributes;
    let (operand, update) = (inputs[0], updates[0]);
    batching(
        node,
        &Batching {
            operand,
            indices,
            dropped: &a.inserted_window_dims,
            operand_batching: &a.input_batching_dims,
            indices_batching: &a.scatter_indices_batching_dims,
            map: &a.scatter_dims_to_operand_dims,
            vector: a.index_vector_dim,
        },
    )?;
    sorted(node, "'update_window_dims'", &a.update_window_dims, update.shape.len())?;
    let parts = a.update_window_dims.len() + a.inserted_window_dims.len() + a.input_batching_dims.len();
    node.rule(
        parts == operand.shape.len(),
        "each dimension of the input must be of a window, inserted or batching",
        || format!("{parts} of {}", operand.shape.len()),
    )?;
    let (batch, _) = batch_sizes(indices, a.index_vector_dim);
    let dropped = |d: &usize| a.inserted_window_dims.contains(d) || a.input_batching_dims.contains(d);
    let bounds: Vec<_> = (0..operand.shape.len()).filter(|d| !dropped(d)).map(|d| operand.shape[d]).collect();
    let largest = combined(&batch, &bounds, &a.update_window_dims);
    let fits = largest.len() == update.shape.len()
        && largest.iter().zip(&update.shape).enumerate().all(|(d, (&bound, &size))| {
            let window = a.update_window_dims.contains(&d);
            same_size(bound, size) || (window && size < bound)
        });
    node.rule(
        fits,
        "updates must have the indices' batch sizes, and windows no larger than the input",
        || format!("{}, at most {}", spelt(&update.shape), spelt(&largest)),
    )?;
    let elements: Vec<_> = inputs.iter().map(|input| input.element.clone()).collect();
    let [region] = node.regions::<1>()?;
    let elements = reduction::elements_of(node, region, &elements)?;
    let mut operands = node.operands.clone();
    for (k, element) in elements.iter().enumerate() {
        reduction::result(node, k, element)?;
        for at in [k, count + 1 + k] {
            operands[at] = builder.promoted(operands[at], element);
        }
    }
    let body = reduction::body(builder, node, region, &elements)?;
    builder.emit_of(node, Op::Scatter { attributes, body }, operands)
}

pub(crate) fn torch_index_select<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(2, 1)?;
    let (operand, index) = (node.tensor(0)?, node.tensor(1)?);
    node.same_element(0, 0)?;
    node.integers_operand(1, None)?;
    let (dimension, batch_dims) = (node.index("dim")?, node.index("batch_dims")?);
    node.dimension("'dim'", dimension, operand.shape.len())?;
    let holds = batch_dims <= dimension && batch_dims <= index.shape.len();
    node.rule(holds, "'batch_dims' must be at most 'dim' and the rank of the index", || {
        batch_dims.to_string()
    })?;
    let same = same_shape(&operand.shape[..batch_dims], &index.shape[..batch_dims]);
    node.type_rule(same, "batch dimensions must have the same sizes")?;
    let parts = [&operand.shape[..dimension], &index.shape[batch_dims..], &operand.shape[dimension + 1..]];
    node.result_shape(0, &parts.concat())?;
    builder.emit(node, Op::TorchIndexSelect { dimension, batch_dims })
}
