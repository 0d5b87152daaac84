//! Checks shapes at run time for operations whose types leave sizes open: the rules on operand sizes that `verify` could not
//! check.

use binade_stablehlo::ir::{Convolution, DotDimensions, FftType, Op, Window, windows};
use binade_stablehlo::{Tensor, Type, Value};

use crate::error::EvalError;

/// The shapes of an operation's tensor operands.
struct Shapes<'a> {
    op: &'a Op,
    all: Vec<&'a [usize]>,
}

impl<'a> Shapes<'a> {
    fn refused<T>(&self, facts: String) -> Result<T, EvalError> {
        Err(EvalError::shape(self.op.name(), facts))
    }

    fn rule(&self, holds: bool, facts: impl FnOnce() -> String) -> Result<(), EvalError> {
        if holds { Ok(()) } else { self.refused(facts()) }
    }

    /// An operand's shape.
    fn at(&self, at: usize) -> Result<&'a [usize], EvalError> {
        match self.all.get(at) {
            Some(shape) => Ok(shape),
            None => self.refused(format!("operand {at} is missing")),
        }
    }

    /// Checks that operands have one shape. Scalars are repeated for all elements.
    fn alike(&self, which: impl IntoIterator<Item = usize>, scalars: bool) -> Result<(), EvalError> {
        let mut first: Option<&[usize]> = None;
        for at in which {
            let shape = self.at(at)?;
            if scalars && shape.is_empty() {
                continue;
            }
            let known = *first.get_or_insert(shape);
            self.rule(shape == known, || {
                format!("operands must have the same shape: got {known:?} and {shape:?} (operand {at})")
            })?;
        }
        Ok(())
    }

    /// Checks that operands have an integer for each dimension.
    fn indices(&self, which: std::ops::Range<usize>, rank: usize) -> Result<(), EvalError> {
        for at in which {
            let shape = self.at(at)?;
            self.rule(shape == [rank], || format!("operand {at} must have shape [{rank}]: got {shape:?}"))?;
        }
        Ok(())
    }

    /// Checks that sizes are at most those of the first operand.
    fn within(&self, what: &str, sizes: &[usize]) -> Result<(), EvalError> {
        let shape = self.at(0)?;
        let within = sizes.len() == shape.len() && sizes.iter().zip(shape).all(|(size, of)| size <= of);
        self.rule(within, || {
            format!("{what} must not be larger than the operand: got {sizes:?} for {shape:?}")
        })
    }

    /// Checks that paired dimensions have the same sizes.
    fn same_sizes(&self, what: &str, a: &[usize], b: &[usize]) -> Result<(), EvalError> {
        self.rule(a == b, || format!("{what} must have the same sizes: got {a:?} and {b:?}"))
    }

    /// Checks the dimensions of a product.
    fn products(&self, d: &DotDimensions) -> Result<(), EvalError> {
        let (lhs, rhs) = (self.at(0)?, self.at(1)?);
        let sizes =
            |shape: &[usize], which: &[usize]| -> Vec<usize> { which.iter().map(|&d| shape[d]).collect() };
        let (l, r) = (sizes(lhs, &d.lhs_batching), sizes(rhs, &d.rhs_batching));
        self.same_sizes("batching dimensions", &l, &r)?;
        let (l, r) = (sizes(lhs, &d.lhs_contracting), sizes(rhs, &d.rhs_contracting));
        self.same_sizes("contracting dimensions", &l, &r)
    }

    /// The number of windows along each dimension.
    fn windows(&self, shape: &[usize], window: &Window) -> Result<Vec<usize>, EvalError> {
        (0..shape.len())
            .map(|d| {
                let dilations = (window.base_dilations[d], window.window_dilations[d]);
                let size = (Some(shape[d]), Some(window.dimensions[d]));
                match windows(size.0, size.1, dilations, window.padding[d], window.strides[d]) {
                    Some(Some(count)) => Ok(count),
                    _ => self.refused(format!(
                        "padded sizes must be from 0 to the largest index: got another (dimension {d} of {shape:?})"
                    )),
                }
            })
            .collect()
    }

    /// The sizes of a convolution's result.
    fn convolved(&self, c: &Convolution, padding: &[(i64, i64)]) -> Result<Vec<usize>, EvalError> {
        let (lhs, rhs) = (self.at(0)?, self.at(1)?);
        let mut result = vec![0; lhs.len()];
        result[c.output_batch] = lhs[c.input_batch] / c.batch_groups;
        result[c.output_feature] = rhs[c.kernel_output_feature];
        for (d, &edges) in padding.iter().enumerate() {
            let (size, window) = (Some(lhs[c.input_spatial[d]]), Some(rhs[c.kernel_spatial[d]]));
            let dilations = (c.lhs_dilation[d], c.rhs_dilation[d]);
            match windows(size, window, dilations, edges, c.window_strides[d]) {
                Some(Some(count)) => result[c.output_spatial[d]] = count,
                _ => {
                    return self.refused(format!(
                        "padded sizes must be from 0 to the largest index: got another (spatial dimension {d})"
                    ));
                }
            }
        }
        Ok(result)
    }

    /// Checks the sizes that gather and scatter share. Index vectors have a value for each mapped dimension, and batching
    /// dimensions have equal sizes. Returns the indices' sizes without their vectors.
    fn indexed(
        &self,
        indices: &[usize],
        vector: usize,
        map: &[usize],
        batching: (&[usize], &[usize]),
    ) -> Result<Vec<usize>, EvalError> {
        let shape = self.at(0)?;
        let mut batch = indices.to_vec();
        let length = if vector < batch.len() { batch.remove(vector) } else { 1 };
        self.rule(length == map.len(), || {
            format!(
                "index vectors must have a value for each mapped dimension: got {length} for {}",
                map.len()
            )
        })?;
        let pairs = batching.0.iter().zip(batching.1);
        let same = pairs.clone().all(|(&from, &to)| shape[from] == indices[to]);
        self.rule(same, || {
            format!("batching dimensions must have the same sizes: got {shape:?} and {indices:?}")
        })?;
        Ok(batch)
    }
}

/// The window that tensors of integers describe: dimensions, strides, base dilations, window dilations, and pairs of padding.
/// `None` if a tensor is missing, or has an invalid number.
pub(crate) fn window_of(parts: &[&Tensor]) -> Option<Window> {
    let &[dimensions, strides, base, own, edges] = parts else { return None };
    let positive = |x: &Tensor| {
        let one = |&size: &i64| usize::try_from(size).ok().filter(|&size| size > 0);
        crate::movement::shape::integers(x).iter().map(one).collect::<Option<Vec<_>>>()
    };
    Some(Window {
        dimensions: positive(dimensions)?,
        strides: positive(strides)?,
        base_dilations: positive(base)?,
        window_dilations: positive(own)?,
        padding: crate::movement::shape::integers(edges)
            .chunks(2)
            .map(|edge| (edge[0], edge[edge.len() - 1]))
            .collect(),
    })
}

/// Merges `batch` and `window` sizes into one shape; window sizes are at the positions `offsets`.
fn combined(batch: &[usize], window: &[usize], offsets: &[usize]) -> Option<Vec<usize>> {
    let (mut batch, mut window) = (batch.iter(), window.iter());
    (0..batch.len() + window.len())
        .map(|d| if offsets.contains(&d) { window.next().copied() } else { batch.next().copied() })
        .collect()
}

/// The shape of a Fourier transform's result.
pub(crate) fn transformed(kind: FftType, length: &[usize], shape: &[usize]) -> Vec<usize> {
    let mut result = shape.to_vec();
    if let (Some(last), Some(&n)) = (result.last_mut(), length.last()) {
        match kind {
            FftType::Fft | FftType::Ifft => {}
            FftType::Rfft => *last = half(n),
            FftType::Irfft => *last = n,
        }
    }
    result
}

/// The length of the half spectrum of `n` real values.
fn half(n: usize) -> usize {
    if n == 0 { 0 } else { n / 2 + 1 }
}

/// Checks that an operation's operands fit each other. Returns the shape of its results if they can be larger than the first
/// operand. Otherwise the results have the first operand's shape, or the shape in their types.
///
/// # Errors
/// If the operands do not fit.
pub(crate) fn check(op: &Op, operands: &[Value], results: &[&Type]) -> Result<Option<Vec<usize>>, EvalError> {
    if !op.traits().fitting {
        return Ok(None);
    }
    let tensors: Vec<&Tensor> = operands
        .iter()
        .filter_map(|value| match value {
            Value::Tensor(tensor) => Some(tensor),
            _ => None,
        })
        .collect();
    let shapes = Shapes { op, all: tensors.iter().map(|tensor| &tensor.shape[..]).collect() };
    let count = shapes.all.len();
    if count == 0 {
        return Ok(None);
    }
    let first = shapes.at(0)?;
    let rank = match results.first() {
        Some(Type::Tensor(ty)) => ty.shape.len(),
        _ => 0,
    };
    match op {
        Op::Binary(_) | Op::Compare { .. } | Op::Sort { .. } | Op::Map { .. } => {
            shapes.alike(0..count, false)?
        }
        Op::Select => {
            shapes.alike([1, 2], false)?;
            shapes.alike([0, 1], true)?;
        }
        Op::Clamp => shapes.alike([1, 0, 2], true)?,
        Op::DynamicIota { .. } => shapes.indices(0..1, rank)?,
        Op::DynamicBroadcastInDim { .. } | Op::DynamicReshape => shapes.indices(1..2, rank)?,
        Op::Rng { .. } => shapes.indices(2..3, rank)?,
        Op::DynamicPad => shapes.indices(2..5, first.len())?,
        Op::RealDynamicSlice => shapes.indices(1..4, first.len())?,
        Op::Slice { limit, .. } => shapes.within("limits", limit)?,
        Op::DynamicSlice { sizes } => shapes.within("a slice", sizes)?,
        Op::DynamicUpdateSlice => shapes.within("an update", shapes.at(1)?)?,
        Op::Concatenate { dimension } => {
            let others = |shape: &[usize]| {
                let mut shape = shape.to_vec();
                shape[*dimension] = 0;
                shape
            };
            let mut result = others(first);
            for &shape in &shapes.all {
                shapes.rule(others(shape) == others(first), || {
                    format!("{first:?} and {shape:?} along dimension {dimension}")
                })?;
                result[*dimension] = result[*dimension].saturating_add(shape[*dimension]);
            }
            return Ok(Some(result));
        }
        Op::DotGeneral { dimensions: d, .. } => {
            let (lhs, rhs) = (first, shapes.at(1)?);
            shapes.products(d)?;
            let batch: Vec<usize> = d.lhs_batching.iter().map(|&dimension| lhs[dimension]).collect();
            let free = |shape: &[usize], batching: &[usize], contracting: &[usize]| -> Vec<usize> {
                let free = |d: &usize| !batching.contains(d) && !contracting.contains(d);
                (0..shape.len()).filter(free).map(|d| shape[d]).collect()
            };
            let lhs = free(lhs, &d.lhs_batching, &d.lhs_contracting);
            let rhs = free(rhs, &d.rhs_batching, &d.rhs_contracting);
            return Ok(Some([batch, lhs, rhs].concat()));
        }
        Op::RaggedDot(ragged) => {
            let (rhs, sizes) = (shapes.at(1)?, shapes.at(2)?);
            shapes.products(&ragged.dimensions)?;
            let groups = sizes.last().copied().unwrap_or(0);
            let given = &sizes[..sizes.len().saturating_sub(1)];
            let expected: Vec<usize> = ragged.prefix(first.len()).iter().map(|&d| first[d]).collect();
            let fits = !sizes.is_empty()
                && ragged.group.is_none_or(|dimension| rhs[dimension] == groups)
                && (given.is_empty() || *given == expected[..]);
            shapes.rule(fits, || {
                format!("group sizes must fit both sides: got shape {sizes:?} for {first:?} and {rhs:?}")
            })?;
            return Ok(Some(ragged.shape(first, rhs, groups)));
        }
        Op::SparseDot => {
            let (starts, columns, rhs) = (shapes.at(1)?, shapes.at(2)?, shapes.at(3)?);
            let rows = starts.first().and_then(|starts| starts.checked_sub(1));
            let (Some(rows), true) = (rows, first == columns) else {
                return shapes
                    .refused(format!(
                        "there must be a column for each element, and a row start: got columns {columns:?}, elements {first:?}, starts {starts:?}"
                    ));
            };
            return Ok(Some([&[rows], &rhs[1..]].concat()));
        }
        Op::Convolution(c) => return shapes.convolved(c, &c.padding).map(Some),
        Op::DynamicConv(c) => {
            let spatial = c.input_spatial.len();
            let shape = shapes.at(2)?;
            shapes.rule(*shape == [spatial, 2], || {
                format!("the padding must have shape [{spatial}, 2]: got {shape:?} (operand 2)")
            })?;
            let edges = crate::movement::shape::integers(tensors[2]);
            let padding: Vec<_> = edges.chunks_exact(2).map(|edge| (edge[0], edge[1])).collect();
            return shapes.convolved(c, &padding).map(Some);
        }
        Op::Cholesky { .. } => {
            let square = matches!(first, [.., rows, columns] if rows == columns);
            shapes.rule(square, || format!("matrices must be square: got {first:?}"))?;
        }
        Op::TriangularSolve { left_side, .. } => {
            let b = shapes.at(1)?;
            let fits = match (first, b) {
                ([batch @ .., rows, columns], [others @ .., n, m]) => {
                    batch == others && rows == columns && columns == if *left_side { n } else { m }
                }
                _ => false,
            };
            shapes.rule(fits, || {
                format!("matrices must be square and fit the other side: got {first:?} for {b:?}")
            })?;
        }
        Op::Fft { kind, length } => {
            let mut expected = length.clone();
            if let (FftType::Irfft, Some(last)) = (kind, expected.last_mut()) {
                *last = half(*last);
            }
            let fits = first.ends_with(&expected);
            shapes.rule(fits, || format!("the last dimensions must be {expected:?}: got {first:?}"))?;
            return Ok(Some(transformed(*kind, length, first)));
        }
        Op::BatchNormInference { feature, .. }
        | Op::BatchNormTraining { feature, .. }
        | Op::BatchNormGrad { feature, .. } => {
            let vectors = if matches!(op, Op::BatchNormGrad { .. }) { 1..count - 1 } else { 1..count };
            shapes.indices(vectors, first[*feature])?;
            if let Op::BatchNormGrad { .. } = op {
                shapes.alike([0, count - 1], false)?;
            }
        }
        Op::Reduce { .. } => shapes.alike(0..count / 2, false)?,
        Op::ReduceWindow { window, .. } => {
            shapes.alike(0..count / 2, false)?;
            return shapes.windows(first, window).map(Some);
        }
        Op::DynamicReduceWindow { .. } => {
            let inputs = count.saturating_sub(5) / 2;
            shapes.rule(inputs > 0, || {
                format!(
                    "operands must be inputs, initial values, and five for the window: got {count} operands"
                )
            })?;
            shapes.alike(0..inputs, false)?;
            let window = window_of(&tensors[2 * inputs..]).filter(|window| window.has_rank(first.len()));
            let Some(window) = window else {
                return shapes.refused(format!(
                    "the window must have dimensions, strides, dilations and padding for {first:?}, all but padding positive: got another"
                ));
            };
            return shapes.windows(first, &window).map(Some);
        }
        Op::SelectAndScatter { window, .. } => {
            let (counts, source) = (shapes.windows(first, window)?, shapes.at(1)?);
            shapes.rule(counts == source, || {
                format!("the source must have an element for each window: got {source:?} for {counts:?}")
            })?;
        }
        Op::Gather(g) | Op::DynamicGather(g) => {
            let indices = shapes.at(1)?;
            let sizes = match &g.slice_sizes {
                Some(sizes) => sizes.clone(),
                None => {
                    shapes.indices(2..3, first.len())?;
                    let sizes = crate::movement::shape::integers(tensors[2]);
                    sizes.iter().map(|&size| usize::try_from(size).unwrap_or(usize::MAX)).collect()
                }
            };
            shapes.within("slices", &sizes)?;
            let batching = (&g.operand_batching_dims[..], &g.start_indices_batching_dims[..]);
            let batch = shapes.indexed(indices, g.index_vector_dim, &g.start_index_map, batching)?;
            let dropped =
                |d: &usize| g.collapsed_slice_dims.contains(d) || g.operand_batching_dims.contains(d);
            let thin = (0..sizes.len()).filter(&dropped).all(|d| sizes[d] <= 1);
            shapes.rule(thin, || {
                format!("slice sizes must be at most 1 in collapsed and batching dimensions: got {sizes:?}")
            })?;
            let window: Vec<usize> = (0..sizes.len()).filter(|d| !dropped(d)).map(|d| sizes[d]).collect();
            return Ok(combined(&batch, &window, &g.offset_dims));
        }
        Op::Scatter { attributes: a, .. } => {
            let inputs = count / 2;
            shapes.alike(0..inputs, false)?;
            shapes.alike(inputs + 1..count, false)?;
            let (indices, update) = (shapes.at(inputs)?, shapes.at(inputs + 1)?);
            let batching = (&a.input_batching_dims[..], &a.scatter_indices_batching_dims[..]);
            let batch =
                shapes.indexed(indices, a.index_vector_dim, &a.scatter_dims_to_operand_dims, batching)?;
            let dropped = |d: &usize| a.inserted_window_dims.contains(d) || a.input_batching_dims.contains(d);
            let bounds: Vec<usize> = (0..first.len()).filter(|d| !dropped(d)).map(|d| first[d]).collect();
            let fits = combined(&batch, &bounds, &a.update_window_dims).is_some_and(|largest| {
                let fits = |(d, (&bound, &size)): (usize, (&usize, &usize))| {
                    bound == size || (a.update_window_dims.contains(&d) && size < bound)
                };
                largest.len() == update.len() && largest.iter().zip(update).enumerate().all(fits)
            });
            shapes.rule(fits, || {
                format!(
                    "updates must fit the input and the indices: got {update:?} for {first:?} and {indices:?}"
                )
            })?;
        }
        Op::TorchIndexSelect { dimension, batch_dims } => {
            let index = shapes.at(1)?;
            shapes.same_sizes("batch dimensions", &first[..*batch_dims], &index[..*batch_dims])?;
            return Ok(Some([&first[..*dimension], &index[*batch_dims..], &first[dimension + 1..]].concat()));
        }
        _ => {}
    }
    Ok(None)
}
