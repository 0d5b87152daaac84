//! Verifies products, convolutions, linear algebra, Fourier transforms and batch normalisation.

use super::node::{Fields, Shape, same_shape, same_size};
use super::{Builder, Node, quantized};
use crate::error::Result;
use crate::ir::{self, DotAlgorithm, DotDimensions, FftType, Op, RaggedDot, windows};
use crate::syntax::{Attribute, Axes};
use crate::types::{ElementType, FloatType, TensorType};

/// Checks `precision_config`: absent, or a value for each operand. It does not change the results here. Returns true if it is
/// the default.
fn precision(node: &Node<'_, '_>) -> Result<bool> {
    let expected = "a list of at most two precisions: DEFAULT, HIGH or HIGHEST";
    let items = match node.attribute("precision_config") {
        None => return Ok(true),
        Some(Attribute::Array(items)) if items.len() <= 2 => items,
        Some(_) => return node.wrong("precision_config", expected),
    };
    let mut default = true;
    for item in items {
        let word = match item {
            Attribute::Word(word) => word,
            Attribute::String(word) => &**word,
            _ => return node.wrong("precision_config", expected),
        };
        if !matches!(word, "DEFAULT" | "HIGH" | "HIGHEST") {
            return node.wrong("precision_config", expected);
        }
        default &= word == "DEFAULT";
    }
    Ok(default)
}

/// Checks the element types of a product.
pub(super) fn product_elements(node: &Node<'_, '_>) -> Result<()> {
    let (lhs, rhs, result) = (&node.tensor(0)?.element, &node.tensor(1)?.element, &node.result(0)?.element);
    let holds = match (lhs, rhs, result) {
        (ElementType::Quantized(_), ..)
        | (_, ElementType::Quantized(_), _)
        | (.., ElementType::Quantized(_)) => return quantized::product(node),
        // Operands of several types and a result of another type are allowed: f8 times f8 in f32.
        (ElementType::Float(_), ElementType::Float(_), ElementType::Float(_)) => true,
        (ElementType::Complex(_), ElementType::Complex(_), ElementType::Complex(_)) => true,
        (ElementType::Complex(_), ..) | (_, ElementType::Complex(_), _) | (.., ElementType::Complex(_)) => {
            false
        }
        (ElementType::Float(_), ..) | (_, ElementType::Float(_), _) => false,
        // Integers may have a floating-point result: JAX's preferred type of accumulation.
        _ => true,
    };
    node.type_rule(
        holds,
        "operands and result must be all integers, all floating-point, all complex, or quantized alike",
    )
}

/// The shape of a product: batching dimensions, other dimensions of the left side, other dimensions of the right side.
pub(super) fn dot_shape(dimensions: &DotDimensions, lhs: &Shape, rhs: &Shape) -> Vec<Option<usize>> {
    let free = |shape: &Shape, batching: &[usize], contracting: &[usize]| {
        let free = |d: &usize| !batching.contains(d) && !contracting.contains(d);
        (0..shape.len()).filter(free).map(|d| shape[d]).collect::<Vec<_>>()
    };
    let batch =
        dimensions.lhs_batching.iter().zip(&dimensions.rhs_batching).map(|(&l, &r)| lhs[l].or(rhs[r]));
    batch
        .chain(free(lhs, &dimensions.lhs_batching, &dimensions.lhs_contracting))
        .chain(free(rhs, &dimensions.rhs_batching, &dimensions.rhs_contracting))
        .collect()
}

pub(crate) fn dot_general<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(2, 1)?;
    let dimensions = dot_dimensions(node, &node.fields("dot_dimension_numbers")?)?;
    let (lhs, rhs) = (&node.tensor(0)?.shape, &node.tensor(1)?.shape);
    node.result_shape(0, &dot_shape(&dimensions, lhs, rhs))?;
    product_elements(node)?;
    if let ElementType::Quantized(rhs) = &node.tensor(1)?.element {
        node.must(rhs.zero_points.iter().all(|&zero| zero == 0), || {
            format!("zero points of the right side must be 0: got {:?} (operand 1)", rhs.zero_points)
        })?;
        let contracted = rhs.axis.filter(|axis| dimensions.rhs_contracting.contains(axis));
        node.must(contracted.is_none(), || {
            let axis = contracted.unwrap_or(0);
            format!(
                "scales of the right side must not vary along a contracting dimension: got {axis} (operand 1)"
            )
        })?;
    }
    let default = precision(node)?;
    let algorithm = match node.attribute("algorithm") {
        None => None,
        Some(_) => Some(algorithm(node)?),
    };
    node.must(default || algorithm.is_none(), || {
        "'precision_config' must be DEFAULT where there is an algorithm: got HIGH or HIGHEST".to_owned()
    })?;
    builder.emit(node, Op::DotGeneral { dimensions, algorithm })
}

/// The dimensions of a product, checked against the first two operands.
fn dot_dimensions(node: &Node<'_, '_>, fields: &Fields<'_, '_, '_>) -> Result<DotDimensions> {
    let dimensions = DotDimensions {
        lhs_batching: fields.indices("lhs_batching_dimensions")?,
        rhs_batching: fields.indices("rhs_batching_dimensions")?,
        lhs_contracting: fields.indices("lhs_contracting_dimensions")?,
        rhs_contracting: fields.indices("rhs_contracting_dimensions")?,
    };
    let (lhs, rhs) = (&node.tensor(0)?.shape, &node.tensor(1)?.shape);
    let d = &dimensions;
    let batching = d.lhs_batching.len() == d.rhs_batching.len();
    node.rule(batching, "both sides must have the same number of batching dimensions", || {
        format!("{} and {}", d.lhs_batching.len(), d.rhs_batching.len())
    })?;
    let contracting = d.lhs_contracting.len() == d.rhs_contracting.len();
    node.rule(contracting, "both sides must have the same number of contracting dimensions", || {
        format!("{} and {}", d.lhs_contracting.len(), d.rhs_contracting.len())
    })?;
    let all = |a: &[usize], b: &[usize]| [a, b].concat();
    node.dimensions("dimensions of the left side", &all(&d.lhs_batching, &d.lhs_contracting), lhs.len())?;
    node.dimensions("dimensions of the right side", &all(&d.rhs_batching, &d.rhs_contracting), rhs.len())?;
    same_sizes(node, "batching", (lhs, &d.lhs_batching), (rhs, &d.rhs_batching))?;
    same_sizes(node, "contracting", (lhs, &d.lhs_contracting), (rhs, &d.rhs_contracting))?;
    Ok(dimensions)
}

/// Checks that paired dimensions of both sides have the same size.
fn same_sizes(
    node: &Node<'_, '_>,
    what: &str,
    (lhs, left): (&Shape, &[usize]),
    (rhs, right): (&Shape, &[usize]),
) -> Result<()> {
    for (&l, &r) in left.iter().zip(right) {
        node.must(same_size(lhs[l], rhs[r]), || {
            let (a, b) = (lhs[l].unwrap_or(0), rhs[r].unwrap_or(0));
            format!("{what} dimensions must have the same size: {a} and {b} (lhs dimension {l}, rhs dimension {r})")
        })?;
    }
    Ok(())
}

/// The algorithms of products: type of both sides, type of the accumulator, and number of products of parts.
const ALGORITHMS: &[(FloatType, FloatType, usize)] = {
    use FloatType::{Bf16, F16, F32, F64, Tf32};
    &[
        (F16, F16, 1),
        (F16, F32, 1),
        (Bf16, Bf16, 1),
        (Bf16, F32, 1),
        (Bf16, F32, 3),
        (Bf16, F32, 6),
        (Bf16, F32, 9),
        (Tf32, F32, 1),
        (Tf32, F32, 3),
        (F32, F32, 1),
        (F64, F64, 1),
    ]
};

/// Types of 8 bits. Any two may be multiplied into f32.
const EIGHT_BITS: [FloatType; 7] = [
    FloatType::F8E3M4,
    FloatType::F8E4M3,
    FloatType::F8E4M3FN,
    FloatType::F8E4M3FNUZ,
    FloatType::F8E4M3B11FNUZ,
    FloatType::F8E5M2,
    FloatType::F8E5M2FNUZ,
];

/// Returns true for an algorithm of StableHLO.
fn is_known(a: &DotAlgorithm) -> bool {
    let (ElementType::Float(lhs), ElementType::Float(rhs), ElementType::Float(sum)) =
        (&a.lhs_precision, &a.rhs_precision, &a.accumulation)
    else {
        return false;
    };
    if (a.lhs_components, a.rhs_components) != (1, 1) {
        return false;
    }
    if EIGHT_BITS.contains(lhs) && EIGHT_BITS.contains(rhs) {
        return *sum == FloatType::F32 && a.primitive_operations == 1;
    }
    lhs == rhs
        && !a.allow_imprecise_accumulation
        && ALGORITHMS.contains(&(*lhs, *sum, a.primitive_operations))
}

fn algorithm(node: &Node<'_, '_>) -> Result<DotAlgorithm> {
    let fields = node.fields("algorithm")?;
    let algorithm = DotAlgorithm {
        lhs_precision: fields.element("lhs_precision_type")?,
        rhs_precision: fields.element("rhs_precision_type")?,
        accumulation: fields.element("accumulation_type")?,
        lhs_components: fields.index("lhs_component_count", 1)?,
        rhs_components: fields.index("rhs_component_count", 1)?,
        primitive_operations: fields.index("num_primitive_operations", 1)?,
        allow_imprecise_accumulation: matches!(
            fields.get("allow_imprecise_accumulation"),
            Some(Attribute::Bool(true))
        ),
    };
    node.must(is_known(&algorithm), || {
        let name = |(side, sum, count): &(FloatType, FloatType, usize)| {
            format!("{0}×{0} in {1} by {count}", side.name(), sum.name())
        };
        let known: Vec<_> = ALGORITHMS.iter().map(name).collect();
        let a = &algorithm;
        format!(
            "the algorithm must be one that StableHLO knows: got {}×{} in {} by {}, of {} and {} components{}; the known ones, with one \
             component per side, are f8×f8 in f32 by 1, imprecise or not, and {}",
            a.lhs_precision,
            a.rhs_precision,
            a.accumulation,
            a.primitive_operations,
            a.lhs_components,
            a.rhs_components,
            if a.allow_imprecise_accumulation { ", imprecise" } else { "" },
            known.join(", ")
        )
    })?;
    Ok(algorithm)
}

/// A product of groups. The ragged dimension may be a free one of the left side, with a right side for each group. It may be a
/// contracting one, with a result for each group, or a batching one.
pub(crate) fn ragged_dot<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(3, 1)?;
    let fields = node.fields("ragged_dot_dimension_numbers")?;
    let one = |name: &str| -> Result<Option<usize>> {
        match fields.indices(name)?[..] {
            [] => Ok(None),
            [one] => Ok(Some(one)),
            _ => node.broken(format!("'{name}' must have at most one dimension"), "several"),
        }
    };
    let dimensions = dot_dimensions(node, &fields)?;
    let group = one("rhs_group_dimensions")?;
    let Some(ragged) = one("lhs_ragged_dimensions")? else {
        return node.broken("'lhs_ragged_dimensions' must have one dimension", "none");
    };
    let known = |index: usize| -> Result<Vec<usize>> {
        let shape: Option<Vec<usize>> = node.tensor(index)?.shape.iter().copied().collect();
        match shape {
            Some(shape) => Ok(shape),
            None => {
                node.broken("all sizes must be known", format!("{} (operand {index})", node.tensor(index)?))
            }
        }
    };
    let (lhs, rhs, sizes) = (known(0)?, known(1)?, known(2)?);
    node.dimension("the ragged dimension", ragged, lhs.len())?;
    let d = &dimensions;
    let used = [&d.rhs_batching[..], &d.rhs_contracting, group.as_slice()].concat();
    node.dimensions("dimensions of the right side", &used, rhs.len())?;
    let free = !d.lhs_batching.contains(&ragged) && !d.lhs_contracting.contains(&ragged);
    node.rule(
        free == group.is_some(),
        "'rhs_group_dimensions' must have a dimension exactly if the ragged dimension is neither batching nor contracting",
        || format!("{group:?} for ragged dimension {ragged}"),
    )?;
    node.integers_operand(2, None)?;
    let Some((&groups, given)) = sizes.split_last() else {
        return node.broken("group sizes must have at least one dimension", "a scalar (operand 2)");
    };
    let of_group = group.is_none_or(|dimension| rhs[dimension] == groups);
    node.type_rule(
        of_group,
        "'rhs_group_dimensions' of the right side must have the number of groups as its size",
    )?;
    let ragged_dot = RaggedDot { dimensions, ragged, group };
    let prefix = ragged_dot.prefix(lhs.len());
    let expected: Vec<usize> = prefix.iter().map(|&d| lhs[d]).collect();
    node.type_rule(
        given.is_empty() || *given == expected[..],
        "group sizes must have one dimension, or the left side's dimensions before the ragged one and then one",
    )?;
    if !given.is_empty() && prefix.iter().any(|d| ragged_dot.dimensions.lhs_contracting.contains(d)) {
        return node.unsupported("group sizes that differ along a contracting dimension");
    }
    let inferred: Vec<_> = ragged_dot.shape(&lhs, &rhs, groups).into_iter().map(Some).collect();
    node.result_shape(0, &inferred)?;
    product_elements(node)?;
    precision(node)?;
    builder.emit(node, Op::RaggedDot(ragged_dot))
}

/// `custom_call @cpu_csr_sparse_dense_ffi`: a matrix in compressed sparse rows times a vector or matrix.
pub(crate) fn sparse_dot<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(4, 1)?;
    let [values, starts, columns, rhs] = [0, 1, 2, 3].map(|at| node.tensor(at));
    let (values, starts, columns, rhs) = (values?, starts?, columns?, rhs?);
    let result = node.result(0)?;
    let numbers = !matches!(values.element, ElementType::Bool | ElementType::Quantized(_));
    let same = values.element == rhs.element && values.element == result.element;
    node.type_rule(
        numbers && same,
        "the matrix, the right side and the result must have one numeric element type",
    )?;
    node.integers_operand(1, Some(1))?;
    node.integers_operand(2, Some(1))?;
    node.type_rule(
        same_shape(&values.shape, &columns.shape),
        "values and column indices must have the same shape",
    )?;
    let holds = matches!(rhs.shape.len(), 1 | 2) && starts.shape[0] != Some(0);
    node.type_rule(holds, "row starts must not be empty, and the right side must be a vector or a matrix")?;
    let rows = starts.shape[0].map(|starts| starts - 1);
    node.result_shape(0, &[&[rows], &rhs.shape[1..]].concat())?;
    builder.emit(node, Op::SparseDot)
}

/// Checks the types of a call of `__op$block_scaled_dot`: A [B, M, K], B [B, N, K] and the scales of their blocks,
/// [B, M, K / a] and [B, N, K / b]; a factor may follow. `B` stands for any number of dimensions.
pub(crate) fn block_scaled_dot(node: &Node<'_, '_>) -> Result<()> {
    node.result_count(1)?;
    let tensors = node.tensors()?;
    let [a, b, of_a, of_b] = match tensors[..] {
        [a, b, of_a, of_b] => [a, b, of_a, of_b],
        [a, b, of_a, of_b, factor] => {
            node.type_rule(
                factor.shape.iter().all(|size| *size == Some(1)),
                "the factor must be one number",
            )?;
            [a, b, of_a, of_b]
        }
        _ => {
            let found = tensors.len().to_string();
            return node
                .broken("there must be two matrices and their scales, and there may be a factor", found);
        }
    };
    let rank = a.shape.len();
    let of_one_rank = rank >= 2 && [b, of_a, of_b].iter().all(|x| x.shape.len() == rank);
    node.type_rule(of_one_rank, "matrices and scales must have the same number of dimensions, two or more")?;
    let float = |x: &&TensorType| matches!(x.element, ElementType::Float(_));
    node.type_rule(
        tensors.iter().all(float) && float(&node.result(0)?),
        "matrices, scales and the result must be of floating-point numbers",
    )?;
    let (rows, columns) = (rank - 2, rank - 1);
    let alike =
        |x: &TensorType, y: &TensorType, until: usize| same_shape(&x.shape[..until], &y.shape[..until]);
    let fit = alike(a, of_a, columns) && alike(b, of_b, columns) && alike(a, b, rows);
    let depth = same_shape(&a.shape[columns..], &b.shape[columns..]);
    node.type_rule(
        fit && depth,
        "matrices and scales must have shapes [B, M, K], [B, N, K], [B, M, K / a] and [B, N, K / b]",
    )?;
    for scales in [of_a, of_b] {
        if let (Some(depth), Some(count)) = (a.shape[columns], scales.shape[columns]) {
            node.rule(
                count > 0 && depth % count == 0,
                &format!("the number of scales in a row must divide {depth}"),
                || count.to_string(),
            )?;
        }
    }
    node.result_shape(0, &[&a.shape[..columns], &b.shape[rows..columns]].concat())
}

/// `dot`, the older product of vectors and matrices, along the left side's last dimension and the right side's first.
pub(crate) fn dot<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(2, 1)?;
    let (lhs, rhs) = (&node.tensor(0)?.shape, &node.tensor(1)?.shape);
    let ranks = matches!(lhs.len(), 1 | 2) && matches!(rhs.len(), 1 | 2);
    node.type_rule(ranks, "operands must be vectors or matrices")?;
    same_sizes(node, "contracting", (lhs, &[lhs.len() - 1]), (rhs, &[0]))?;
    let dimensions = DotDimensions {
        lhs_contracting: vec![lhs.len() - 1],
        rhs_contracting: vec![0],
        ..DotDimensions::default()
    };
    node.result_shape(0, &dot_shape(&dimensions, lhs, rhs))?;
    product_elements(node)?;
    precision(node)?;
    builder.emit(node, Op::DotGeneral { dimensions, algorithm: None })
}

/// Checks that dimension numbers cover each dimension once.
fn axes(node: &Node<'_, '_>, what: &str, axes: &Axes, rank: usize) -> Result<(usize, usize, Vec<usize>)> {
    let all = [axes.first, axes.second].into_iter().chain(axes.spatial.iter().copied());
    let Ok(all) = all.map(usize::try_from).collect::<std::result::Result<Vec<_>, _>>() else {
        return node.broken(
            format!("dimensions of {what} must not be negative"),
            format!("{}, {}, {:?}", axes.first, axes.second, axes.spatial),
        );
    };
    node.size(&format!("dimensions of {what}"), all.len(), rank)?;
    node.dimensions(&format!("dimensions of {what}"), &all, rank)?;
    Ok((all[0], all[1], all[2..].to_vec()))
}

/// The checked attributes of a convolution. Padding that is an operand is not checked.
fn attributes(node: &Node<'_, '_>, dynamic: bool) -> Result<ir::Convolution> {
    let (lhs, rhs) = (&node.tensor(0)?.shape, &node.tensor(1)?.shape);
    let rank = lhs.len();
    node.type_rule(rank == rhs.len() && rank >= 2, "operands must have the same rank, at least 2")?;
    let Some(Attribute::Convolution(numbers)) = node.attribute("dimension_numbers") else {
        return node
            .wrong("dimension_numbers", "of the form #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>");
    };
    let (input_batch, input_feature, input_spatial) = axes(node, "the input", &numbers.input, rank)?;
    let (kernel_input_feature, kernel_output_feature, kernel_spatial) =
        axes(node, "the kernel", &numbers.kernel, rank)?;
    let (output_batch, output_feature, output_spatial) = axes(node, "the output", &numbers.output, rank)?;
    let spatial = rank - 2;
    let convolution = ir::Convolution {
        window_strides: node.indices_or("window_strides", spatial, 1, 1)?,
        padding: if dynamic { vec![(0, 0); spatial] } else { node.pairs("padding", spatial)? },
        lhs_dilation: node.indices_or("lhs_dilation", spatial, 1, 1)?,
        rhs_dilation: node.indices_or("rhs_dilation", spatial, 1, 1)?,
        window_reversal: node
            .integers_or("window_reversal", spatial, 0)?
            .iter()
            .map(|&flag| flag != 0)
            .collect(),
        input_batch,
        input_feature,
        input_spatial,
        kernel_input_feature,
        kernel_output_feature,
        kernel_spatial,
        output_batch,
        output_feature,
        output_spatial,
        feature_groups: node.integer_or("feature_group_count", 1)?.try_into().unwrap_or(0),
        batch_groups: node.integer_or("batch_group_count", 1)?.try_into().unwrap_or(0),
    };
    let (feature, batch) = (convolution.feature_groups, convolution.batch_groups);
    node.rule(
        feature >= 1 && batch >= 1,
        "'feature_group_count' and 'batch_group_count' must be positive",
        || format!("{feature} and {batch}"),
    )?;
    node.rule(feature == 1 || batch == 1, "'feature_group_count' or 'batch_group_count' must be 1", || {
        format!("{feature} and {batch}")
    })?;
    let divides = |size: Option<usize>, count: usize| size.is_none_or(|size| size % count == 0);
    node.type_rule(
        divides(lhs[input_batch], batch),
        "'batch_group_count' must divide the input's batch size",
    )?;
    node.type_rule(
        divides(lhs[input_feature], feature),
        "'feature_group_count' must divide the input's feature count",
    )?;
    let outputs = rhs[kernel_output_feature];
    node.type_rule(
        divides(outputs, batch) && divides(outputs, feature),
        "group counts must divide the kernel's output feature count",
    )?;
    let features = same_size(rhs[kernel_input_feature], lhs[input_feature].map(|size| size / feature));
    node.type_rule(features, "the kernel's input features must be those of one group of the input")?;
    product_elements(node)?;
    let (left, right) = (&node.tensor(0)?.element, &node.tensor(1)?.element);
    let integers = |element: &ElementType| matches!(element, ElementType::Bool | ElementType::Integer { .. });
    node.must(!integers(left) || left == right, || {
        format!("operands of integers must have the same element type: got {left} and {right}")
    })?;
    quantized::along(node, "the kernel", right, convolution.kernel_output_feature)?;
    quantized::along(node, "the result", &node.result(0)?.element, convolution.output_feature)?;
    for &d in &convolution.kernel_spatial {
        node.must(rhs[d] != Some(0), || {
            format!("a window must not be empty: got size 0 (kernel dimension {d})")
        })?;
    }
    precision(node)?;
    Ok(convolution)
}

/// Checks the shape of a convolution's result. Without padding, spatial sizes are not checked.
fn convolved(node: &Node<'_, '_>, c: &ir::Convolution, padding: Option<&[(i64, i64)]>) -> Result<()> {
    let (lhs, rhs) = (&node.tensor(0)?.shape, &node.tensor(1)?.shape);
    let mut inferred = vec![None; lhs.len()];
    inferred[c.output_batch] = lhs[c.input_batch].map(|size| size / c.batch_groups);
    inferred[c.output_feature] = rhs[c.kernel_output_feature];
    for (d, &padding) in padding.unwrap_or(&[]).iter().enumerate() {
        let (size, window) = (lhs[c.input_spatial[d]], rhs[c.kernel_spatial[d]]);
        let dilations = (c.lhs_dilation[d], c.rhs_dilation[d]);
        match windows(size, window, dilations, padding, c.window_strides[d]) {
            Some(count) => inferred[c.output_spatial[d]] = count,
            None => {
                return node.broken(
                    "padded sizes must not be negative",
                    format!("a negative one in spatial dimension {d}"),
                );
            }
        }
    }
    node.result_shape(0, &inferred)
}

pub(crate) fn convolution<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(2, 1)?;
    let convolution = attributes(node, false)?;
    convolved(node, &convolution, Some(&convolution.padding))?;
    builder.emit(node, Op::Convolution(convolution))
}

pub(crate) fn dynamic_conv<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(3, 1)?;
    let convolution = attributes(node, true)?;
    node.integers_operand(2, Some(2))?;
    let spatial = node.tensor(0)?.shape.len() - 2;
    let holds = same_shape(&node.tensor(2)?.shape, &[Some(spatial), Some(2)]);
    node.type_rule(holds, "the padding must have a pair for each spatial dimension")?;
    let padding: Option<Vec<_>> = builder
        .known(node.operands[2])
        .map(|edges| edges.chunks_exact(2).map(|edge| (edge[0], edge[1])).collect());
    convolved(node, &convolution, padding.as_deref())?;
    builder.emit(node, Op::DynamicConv(convolution))
}

fn field(node: &Node<'_, '_>, index: usize) -> Result<()> {
    let element = &node.tensor(index)?.element;
    let holds =
        matches!(element, ElementType::Float(_) | ElementType::Complex(_) | ElementType::Quantized(_));
    node.type_rule(holds, "elements must be floating-point, complex or quantized")
}

pub(crate) fn cholesky<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    let operand = node.tensor(0)?;
    node.type_rule(operand.is_like(node.result(0)?), "operand and result must have the same type")?;
    field(node, 0)?;
    let square = matches!(operand.shape[..], [.., rows, columns] if same_size(rows, columns));
    node.type_rule(square, "the operand's last two dimensions must have the same size")?;
    quantized::emit(builder, node, Op::Cholesky { lower: node.bool_or("lower", false)? })
}

pub(crate) fn triangular_solve<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(2, 1)?;
    let (a, b) = (node.tensor(0)?, node.tensor(1)?);
    node.type_rule(a.element.is_like(&b.element), "operands must have the same element type")?;
    field(node, 0)?;
    node.type_rule(b.is_like(node.result(0)?), "the second operand and the result must have the same type")?;
    let rank = a.shape.len();
    node.type_rule(rank >= 2 && rank == b.shape.len(), "operands must have the same rank, at least 2")?;
    let left_side = node.bool_or("left_side", false)?;
    let side = b.shape[if left_side { rank - 2 } else { rank - 1 }];
    let square = same_size(a.shape[rank - 2], a.shape[rank - 1]) && same_size(a.shape[rank - 1], side);
    let batch = same_shape(&a.shape[..rank - 2], &b.shape[..rank - 2]);
    node.type_rule(
        square && batch,
        "the first operand's matrices must be square, with the size of the second operand's rows or columns ('left_side')",
    )?;
    let (transpose, conjugate) = match node.attribute("transpose_a") {
        None => (false, false),
        Some(_) => match node.word("transpose_a")? {
            "NO_TRANSPOSE" => (false, false),
            "TRANSPOSE" => (true, false),
            "ADJOINT" => (true, true),
            _ => return node.wrong("transpose_a", "NO_TRANSPOSE, TRANSPOSE or ADJOINT"),
        },
    };
    let lower = node.bool_or("lower", false)?;
    let unit_diagonal = node.bool_or("unit_diagonal", false)?;
    let kind = Op::TriangularSolve { left_side, lower, unit_diagonal, transpose, conjugate };
    quantized::emit(builder, node, kind)
}

pub(crate) fn fft<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    let kind = match node.word("fft_type")? {
        "FFT" => FftType::Fft,
        "IFFT" => FftType::Ifft,
        "RFFT" => FftType::Rfft,
        "IRFFT" => FftType::Irfft,
        _ => return node.wrong("fft_type", "FFT, IFFT, RFFT or IRFFT"),
    };
    let length = node.indices("fft_length")?;
    let (operand, result) = (node.tensor(0)?, node.result(0)?);
    let (rank, l) = (operand.shape.len(), length.len());
    node.rule(
        (1..=3).contains(&l) && l <= rank,
        "'fft_length' must have 1 to 3 values, no more than the rank",
        || format!("{l} for rank {rank}"),
    )?;
    let elements = match (kind, &operand.element, &result.element) {
        (FftType::Fft | FftType::Ifft, ElementType::Complex(a), ElementType::Complex(b)) => a == b,
        (FftType::Rfft, ElementType::Float(a), ElementType::Complex(b)) => a == b,
        (FftType::Irfft, ElementType::Complex(a), ElementType::Float(b)) => a == b,
        _ => false,
    };
    node.type_rule(
        elements,
        "elements must be complex, except that RFFT takes real ones and IRFFT returns real ones",
    )?;
    let half = |size: Option<usize>| size.map(|size| if size == 0 { 0 } else { size / 2 + 1 });
    // The shape on the side of `fft_length`; the shape of the other side follows from it.
    let real = if kind == FftType::Irfft { &result.shape } else { &operand.shape };
    let fits = real.len() == rank
        && real[rank - l..].iter().zip(&length).all(|(&size, &length)| same_size(size, Some(length)));
    node.type_rule(fits, "the last dimensions must be those of 'fft_length'")?;
    let mut other = real.clone();
    for (size, &length) in other[rank - l..].iter_mut().zip(&length) {
        *size = Some(length);
    }
    if matches!(kind, FftType::Rfft | FftType::Irfft) {
        other[rank - 1] = half(other[rank - 1]);
    }
    let given = if kind == FftType::Irfft { &operand.shape } else { &result.shape };
    node.type_rule(same_shape(&other, given), "the last dimension of a half spectrum must be n / 2 + 1")?;
    builder.emit(node, Op::Fft { kind, length })
}

/// Checks an operand, and vectors along its feature dimension. Returns epsilon and that dimension.
fn batch_norm(node: &Node<'_, '_>, vectors: std::ops::Range<usize>) -> Result<(f32, usize)> {
    let operand = node.tensor(0)?;
    let feature = node.index("feature_index")?;
    node.dimension("'feature_index'", feature, operand.shape.len())?;
    node.type_rule(
        matches!(operand.element, ElementType::Float(_) | ElementType::Quantized(_)),
        "elements must be floating-point or quantized",
    )?;
    let vector = TensorType { shape: vec![operand.shape[feature]], element: operand.element.clone() };
    for index in vectors {
        let holds = node.tensor(index)?.is_like(&vector);
        node.type_rule(holds, "vectors must have a value for each feature, and the operand's element type")?;
    }
    Ok((node.float("epsilon")? as f32, feature))
}

/// Checks that the results are the operand's type, and vectors along the feature dimension.
fn vector_results(node: &Node<'_, '_>, feature: usize) -> Result<()> {
    let operand = node.tensor(0)?;
    node.result_count(3)?;
    let vector = TensorType { shape: vec![operand.shape[feature]], element: operand.element.clone() };
    let holds = operand.is_like(node.result(0)?)
        && vector.is_like(node.result(1)?)
        && vector.is_like(node.result(2)?);
    node.type_rule(
        holds,
        "the results must be one of the operand's type, and two vectors with a value for each feature",
    )
}

pub(crate) fn batch_norm_inference<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(5, 1)?;
    let (epsilon, feature) = batch_norm(node, 1..5)?;
    node.type_rule(node.tensor(0)?.is_like(node.result(0)?), "operand and result must have the same type")?;
    quantized::emit(builder, node, Op::BatchNormInference { epsilon, feature })
}

pub(crate) fn batch_norm_training<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.operand_count(3)?;
    let (epsilon, feature) = batch_norm(node, 1..3)?;
    vector_results(node, feature)?;
    quantized::emit(builder, node, Op::BatchNormTraining { epsilon, feature })
}

pub(crate) fn batch_norm_grad<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.operand_count(5)?;
    let (epsilon, feature) = batch_norm(node, 1..4)?;
    let same = node.tensor(0)?.is_like(node.tensor(4)?);
    node.type_rule(same, "operand and gradient must have the same type")?;
    vector_results(node, feature)?;
    quantized::emit(builder, node, Op::BatchNormGrad { epsilon, feature })
}
