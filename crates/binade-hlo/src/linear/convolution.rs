//! Evaluates `convolution` and `dynamic_conv`, as products of matrices or by the kernel for two dimensions.

mod padded;
mod patches;
mod phases;

use std::sync::Arc;

use binade_fma::{Convolution as Kernel, Matrix, MatrixMut, Multiplier};
use binade_simd::threads;
use binade_stablehlo::ir::{Convolution, DotDimensions, windows};
use binade_stablehlo::storage::Stored;
use binade_stablehlo::{Data, ElementType, Tensor};

use self::padded::Padded;
use super::dot_general;
use super::products::{
    Accumulation, Accumulator, Arithmetic, F32, I32, Sizes, exact_depth, permuted, strides,
};
use crate::arithmetic::convert::convert;
use crate::arithmetic::quantized;
use crate::buffer_pool;
use crate::error::EvalError;
use crate::movement::layout::{self, Layout};
use crate::movement::shape;

/// Images of at most this many elements are processed several at once.
const SMALL_IMAGE: usize = 256;

/// The most elements of the matrix for images that are processed at once; it fits in the last-level cache.
const TOGETHER: usize = 1 << 20;

/// The convolution of `lhs` with `rhs`. Products are added in the order input feature, then kernel position, the last
/// spatial dimension fastest. Padding and the gaps of a dilated input count as +0. A quantised product has another order:
/// kernel position, then input feature.
///
/// # Errors
/// If the shapes do not match.
pub fn convolution(
    lhs: &Tensor,
    rhs: &Tensor,
    attributes: &Convolution,
    result: &ElementType,
    arithmetic: Arithmetic,
) -> Result<Tensor, EvalError> {
    let of_numbers = |lhs: &Tensor, rhs: &Tensor, element: &ElementType| {
        convolution(lhs, rhs, attributes, element, arithmetic)
    };
    if let Some(product) = quantized::product(lhs, rhs, result, of_numbers) {
        return product;
    }
    let shape = Shape::new(lhs, rhs, attributes)?;
    let is_float = |element: &ElementType| matches!(element, ElementType::Float(_));
    if let Some(product) = arithmetic.blocks
        && [&lhs.element, &rhs.element, result].into_iter().all(is_float)
    {
        return patches::convolution(product, &shape, lhs, rhs, result);
    }
    if exact_depth(&lhs.element, &rhs.element, result).is_some_and(|most| shape.depth() <= most) {
        return of_bytes(lhs, rhs, attributes, result);
    }
    // An operator distinguishes its first factor from its second, so that factors must not be exchanged.
    if arithmetic.multiplier.is_none()
        && let Some(product) = shape.as_product(lhs, rhs, result, arithmetic)?
    {
        return Ok(product);
    }
    let plan = Accumulation::new("convolution", &lhs.element, &rhs.element, result, arithmetic)?;
    let plan = plan.shared_out(shape.products());
    let is_drawn = matches!(&plan.how, Accumulator::Multiplier(one) if one.operator().is_stochastic());
    if *result == F32
        && let Accumulator::Multiplier(multiplier) = &plan.how
        && let Some(product) = phases::convolution(&shape, lhs, rhs, multiplier, arithmetic)?
    {
        return Ok(product);
    }
    let a = attributes;
    // The kernel's order: batch, features, space; output features, input features, space.
    let order = |first: usize, second: usize, space: &[usize]| [&[first, second], space].concat();
    let input_order = order(a.input_batch, a.input_feature, &a.input_spatial);
    let kernel_order = order(a.kernel_output_feature, a.kernel_input_feature, &a.kernel_spatial);
    if let Accumulator::Multiplier(multiplier) = &plan.how
        && !is_drawn
        && let Some(padded) = Padded::new(&shape, &lhs.shape, multiplier)
    {
        let features_last = [&kernel_order[1..], &kernel_order[..1]].concat();
        let kernel = arranged(plan.operand(rhs)?, &rhs.shape, &features_last);
        if let (Data::F32(input), Data::F32(matrix)) = (&*plan.operand(lhs)?, &*kernel) {
            let sums = padded.multiply(multiplier, input, matrix)?;
            let result_shape = padded.result;
            buffer_pool::give(kernel);
            return plan.finish(Data::F32(sums), result_shape, result);
        }
    }
    let mut kernel = arranged(plan.operand(rhs)?, &rhs.shape, &kernel_order);
    if a.window_reversal.contains(&true) {
        let reversal = a.window_reversal.as_slice();
        kernel = Arc::new(reversed(&kernel, &shape.kernel, reversal, shape.kernel_planes()));
    }
    let input = plan.operand(lhs)?;
    let canonical = order(a.output_batch, a.output_feature, &a.output_spatial);
    let mut sizes = vec![shape.batch / a.batch_groups, shape.output_features];
    sizes.extend(&shape.output);
    let mut place = vec![0; canonical.len()];
    for (from, &to) in canonical.iter().enumerate() {
        place[to] = from;
    }
    let result_shape = shape.result();
    if let (Accumulator::Multiplier(multiplier), Data::F32(input), Data::F32(matrix)) =
        (&plan.how, &*input, &*kernel)
        && shape.is_small()
        && !is_drawn
    {
        let in_order = |strides: Vec<usize>, order: &[usize]| -> Vec<usize> {
            order.iter().map(|&dimension| strides[dimension]).collect()
        };
        let from = in_order(strides(&lhs.shape), &input_order);
        let to = in_order(strides(&result_shape), &canonical);
        let sums = shape.at_once(multiplier, matrix, (input, &from), &to, TOGETHER)?;
        buffer_pool::give(kernel);
        return plan.finish(Data::F32(sums), result_shape, result);
    }
    let input = arranged(input, &lhs.shape, &input_order);
    let sums = match (&plan.how, &*input, &*kernel) {
        (Accumulator::Multiplier(multiplier), Data::F32(input), Data::F32(kernel)) if shape.space() <= 2 => {
            Data::F32(shape.planar(multiplier, input, kernel)?)
        }
        _ => shape.unfolded(&plan, &input, &kernel)?,
    };
    [input, kernel].into_iter().for_each(buffer_pool::give);
    // Dense sums have the order batch, features, space.
    if place.is_sorted() {
        return plan.finish(sums, result_shape, result);
    }
    let arranged = permuted(&sums, &sizes, &place);
    buffer_pool::give(Arc::new(sums));
    plan.finish(arranged, result_shape, result)
}

/// The elements with their dimensions in this order.
fn arranged(data: Arc<Data>, shape: &[usize], order: &[usize]) -> Arc<Data> {
    if order.is_sorted() {
        return data;
    }
    let arranged = permuted(&data, shape, order);
    // A copy that only this function used returns to the buffer pool.
    buffer_pool::give(data);
    Arc::new(arranged)
}

/// Returns memory that is not needed any more to the buffer pool.
fn recycle(elements: Vec<f32>) {
    buffer_pool::give(Arc::new(Data::F32(elements)));
}

/// A convolution of integers whose sums binary32 represents exactly.
fn of_bytes(
    lhs: &Tensor,
    rhs: &Tensor,
    attributes: &Convolution,
    result: &ElementType,
) -> Result<Tensor, EvalError> {
    let single = |x: &Tensor| Ok::<_, EvalError>(Tensor::new(F32, x.shape.clone(), convert(x, &F32)?));
    let sums = convolution(&single(lhs)?, &single(rhs)?, attributes, &F32, Arithmetic::default())?;
    let whole = Tensor::new(I32, sums.shape.clone(), convert(&sums, &I32)?);
    match *result == I32 {
        true => Ok(whole),
        false => Ok(Tensor::new(result.clone(), sums.shape, convert(&whole, result)?)),
    }
}

/// The sizes of a convolution, with its attributes.
struct Shape<'a> {
    attributes: &'a Convolution,
    batch: usize,
    input_features: usize,
    output_features: usize,
    input: Vec<usize>,
    kernel: Vec<usize>,
    output: Vec<usize>,
}

/// Maps kernel positions and output indices to input indices along one dimension.
struct Axis {
    stride: i64,
    dilation: i64,
    base_dilation: i64,
    before: i64,
    size: i64,
}

impl Axis {
    /// Returns the input index; `None` for padding and gaps.
    fn input(&self, output: usize, tap: usize) -> Option<usize> {
        let place = output as i64 * self.stride + tap as i64 * self.dilation - self.before;
        let inside = place >= 0 && place % self.base_dilation == 0 && place / self.base_dilation < self.size;
        inside.then_some((place / self.base_dilation) as usize)
    }
}

impl<'a> Shape<'a> {
    fn new(lhs: &Tensor, rhs: &Tensor, a: &'a Convolution) -> Result<Shape<'a>, EvalError> {
        let refuse = |facts: String| EvalError::shape("convolution", facts);
        let space = a.input_spatial.len();
        let lengths = [
            a.kernel_spatial.len(),
            a.output_spatial.len(),
            a.window_strides.len(),
            a.padding.len(),
            a.lhs_dilation.len(),
            a.rhs_dilation.len(),
            a.window_reversal.len(),
        ];
        if lengths.iter().any(|&length| length != space)
            || lhs.shape.len() != space + 2
            || rhs.shape.len() != space + 2
        {
            return Err(refuse(format!(
                "both operands must have {space} spatial dimensions, batch and features: got {:?} and {:?}",
                lhs.shape, rhs.shape
            )));
        }
        let at = |shape: &[usize], dimensions: &[usize]| -> Result<Vec<usize>, EvalError> {
            let size = |&dimension: &usize| shape.get(dimension).copied();
            let sizes: Option<Vec<usize>> = dimensions.iter().map(size).collect();
            sizes.ok_or_else(|| refuse(format!("dimensions {dimensions:?} are out of range for {shape:?}")))
        };
        let one = |shape: &[usize], dimension: usize| Ok::<_, EvalError>(at(shape, &[dimension])?[0]);
        let (input, kernel) = (at(&lhs.shape, &a.input_spatial)?, at(&rhs.shape, &a.kernel_spatial)?);
        let mut output = vec![];
        for dimension in 0..space {
            let (size, window) = (Some(input[dimension]), Some(kernel[dimension]));
            let dilations = (a.lhs_dilation[dimension], a.rhs_dilation[dimension]);
            let stride = a.window_strides[dimension].max(1);
            match windows(size, window, dilations, a.padding[dimension], stride) {
                Some(Some(count)) => output.push(count),
                _ => {
                    let edges = a.padding[dimension];
                    return Err(refuse(format!(
                        "the result's size is negative or too large: {input:?} padded by {edges:?}"
                    )));
                }
            }
        }
        let shape = Shape {
            attributes: a,
            batch: one(&lhs.shape, a.input_batch)?,
            input_features: one(&lhs.shape, a.input_feature)?,
            output_features: one(&rhs.shape, a.kernel_output_feature)?,
            input,
            kernel,
            output,
        };
        let kernel_features = one(&rhs.shape, a.kernel_input_feature)?;
        let groups = a.feature_groups.max(1);
        let fits = kernel_features * groups == shape.input_features
            && shape.output_features.is_multiple_of(groups * a.batch_groups.max(1))
            && shape.batch.is_multiple_of(a.batch_groups.max(1))
            && (a.feature_groups == 1 || a.batch_groups == 1)
            && a.feature_groups * a.batch_groups > 0;
        if !fits {
            return Err(refuse(format!(
                "groups do not match the features or the batch: {} input features and a batch of {} in {} feature \
                 groups and {} batch groups, with a kernel of {kernel_features} input and {} output features",
                shape.input_features, shape.batch, a.feature_groups, a.batch_groups, shape.output_features
            )));
        }
        Ok(shape)
    }

    fn space(&self) -> usize {
        self.input.len()
    }

    /// The sizes of the result, in its own order of dimensions.
    fn result(&self) -> Vec<usize> {
        let a = self.attributes;
        let mut sizes = vec![0; self.space() + 2];
        (sizes[a.output_batch], sizes[a.output_feature]) =
            (self.batch / a.batch_groups, self.output_features);
        a.output_spatial.iter().zip(&self.output).for_each(|(&at, &size)| sizes[at] = size);
        sizes
    }

    fn kernel_planes(&self) -> usize {
        self.output_features * (self.input_features / self.attributes.feature_groups)
    }

    fn axis(&self, dimension: usize) -> Axis {
        let a = self.attributes;
        Axis {
            stride: a.window_strides[dimension] as i64,
            dilation: a.rhs_dilation[dimension] as i64,
            base_dilation: a.lhs_dilation[dimension] as i64,
            before: a.padding[dimension].0,
            size: self.input[dimension] as i64,
        }
    }

    /// The number of multiply-adds.
    fn products(&self) -> usize {
        let factors = [self.batch / self.attributes.batch_groups, self.kernel_planes()];
        let sizes = factors.iter().chain(&self.kernel).chain(&self.output);
        sizes.fold(1, |product: usize, &size| product.saturating_mul(size))
    }

    /// The most products that a sum has.
    fn depth(&self) -> usize {
        let features = self.input_features / self.attributes.feature_groups;
        self.kernel.iter().fold(features, |product: usize, &size| product.saturating_mul(size))
    }

    /// Computes a convolution with a kernel of one element as a matrix product, with or without strides. The result's
    /// dimensions must have the input's order, the features last. Sums are over the input's features.
    fn as_product(
        &self,
        lhs: &Tensor,
        rhs: &Tensor,
        result: &ElementType,
        arithmetic: Arithmetic,
    ) -> Result<Option<Tensor>, EvalError> {
        let a = self.attributes;
        let one = self.kernel.iter().chain(&a.lhs_dilation).all(|&size| size == 1)
            && a.padding.iter().all(|&edges| edges == (0, 0))
            && a.feature_groups == 1
            && a.batch_groups == 1;
        // The input's dimension for each dimension of the result.
        let mut order = vec![0; lhs.shape.len()];
        order[a.output_batch] = a.input_batch;
        order[a.output_feature] = a.input_feature;
        a.output_spatial.iter().zip(&a.input_spatial).for_each(|(&to, &from)| order[to] = from);
        let (last, kept) = order.split_last().expect("a batch and features");
        if !one || *last != a.input_feature || !kept.is_sorted() {
            return Ok(None);
        }
        let mut steps = vec![1; lhs.shape.len()];
        a.input_spatial.iter().zip(&a.window_strides).for_each(|(&at, &step)| steps[at] = step.max(1));
        let mut sizes = lhs.shape.clone();
        a.input_spatial.iter().zip(&self.output).for_each(|(&at, &size)| sizes[at] = size);
        let whole = sizes == lhs.shape;
        let lhs = match whole {
            true => lhs.clone(),
            false => shape::slice(lhs, &vec![0; sizes.len()], &steps, &sizes),
        };
        let dimensions = DotDimensions {
            lhs_batching: vec![],
            rhs_batching: vec![],
            lhs_contracting: vec![a.input_feature],
            rhs_contracting: vec![a.kernel_input_feature],
        };
        let product = dot_general(&lhs, rhs, &dimensions, None, result, arithmetic)?;
        let mut sizes: Vec<usize> = kept.iter().map(|&at| sizes[at]).collect();
        sizes.push(self.output_features);
        Ok(Some(shape::reshape(product, &sizes)))
    }

    /// Returns true if a product of several images at once is faster than one image at a time.
    fn is_small(&self) -> bool {
        let places: usize = self.output.iter().product();
        let sizes = [places, self.input_features].into_iter().chain(self.kernel.iter().copied());
        self.attributes.feature_groups == 1
            && self.attributes.batch_groups == 1
            && places <= SMALL_IMAGE
            && sizes.fold(1, usize::saturating_mul) <= TOGETHER
    }

    /// Computes products of the kernel with matrices that unfold some images. A matrix has a column for each image and
    /// output place, and a row for each input feature and kernel position. It has at most `most` elements, unless one
    /// image needs more. `from` and `to` are the strides of the input and of the result, in the order batch, features,
    /// space.
    fn at_once(
        &self,
        multiplier: &Multiplier,
        kernel: &[f32],
        (input, from): (&[f32], &[usize]),
        to: &[usize],
        most: usize,
    ) -> Result<Vec<f32>, EvalError> {
        let (taps, places): (usize, usize) = (self.kernel.iter().product(), self.output.iter().product());
        let depth = self.input_features * taps;
        let mut result = buffer_pool::zeros(self.output_features * self.batch * places);
        if result.is_empty() || depth == 0 || input.is_empty() {
            return Ok(result);
        }
        let together = (most / (depth * places)).clamp(1, self.batch);
        let (mut matrix, mut sums): (Vec<f32>, Vec<f32>) = (vec![], vec![]);
        for first in (0..self.batch).step_by(together) {
            let images = together.min(self.batch - first);
            // If images are neighbours in the input, they are neighbours in the matrix as well.
            let unfolding = Unfolding::new(self, from, images, from[0] == 1);
            let columns = images * places;
            if matrix.len() != depth * columns {
                // The zeros of padding and gaps have the same places for all images, so they are written once.
                matrix = buffer_pool::zeros(depth * columns);
                sums = buffer_pool::elements(self.output_features * columns);
            }
            threads::chunks(multiplier.threads() > 1, &mut matrix, taps * columns, |feature, rows| {
                unfolding.rows(&input[first * from[0] + feature * from[1]..], rows);
            });
            sums.fill(0.0);
            multiplier.multiply(
                Matrix::new(kernel, self.output_features, depth)?,
                Matrix::new(&matrix, depth, columns)?,
                MatrixMut::new(&mut sums, self.output_features, columns)?,
            )?;
            let mut sizes = vec![images, self.output_features];
            sizes.extend(&self.output);
            let target = Layout {
                offset: (first * to[0]) as isize,
                strides: to.iter().map(|&by| by as isize).collect(),
            };
            layout::copy(&sizes, &sums, &unfolding.sums(columns), &mut result, &target);
        }
        recycle(matrix);
        recycle(sums);
        Ok(result)
    }

    /// Uses the kernel for two dimensions. Gaps and negative padding, which it does not support, are applied to the
    /// input first. Each batch group is a separate convolution.
    fn planar(&self, multiplier: &Multiplier, input: &[f32], kernel: &[f32]) -> Result<Vec<f32>, EvalError> {
        let a = self.attributes;
        let two = |sizes: &[usize]| match *sizes {
            [] => [1, 1],
            [width] => [1, width],
            [height, width, ..] => [height, width],
        };
        let padding = |side: fn(&(i64, i64)) -> i64| {
            let edges: Vec<usize> = a.padding.iter().map(|edge| side(edge).max(0) as usize).collect();
            match *edges {
                [] => [0, 0],
                [width] => [0, width],
                [height, width, ..] => [height, width],
            }
        };
        let (before, after) = (padding(|edge| edge.0), padding(|edge| edge.1));
        let mut spread = vec![];
        let (image, input) = if a.lhs_dilation.iter().all(|&by| by == 1)
            && a.padding.iter().all(|&(low, high)| low >= 0 && high >= 0)
        {
            (self.input.clone(), input)
        } else {
            let (image, data) = self.spread(input);
            spread = data;
            (image, &spread[..])
        };
        let (images, groups) = (self.batch / a.batch_groups, a.batch_groups);
        let outputs = self.output_features / groups;
        let shape = Kernel {
            groups: a.feature_groups,
            stride: two(&a.window_strides),
            dilation: two(&a.rhs_dilation),
            padding: [(before[0], after[0]), (before[1], after[1])],
            ..Kernel::new(images, self.input_features, outputs, two(&image), two(&self.kernel))
        };
        let places: usize = self.output.iter().product();
        let mut sums = buffer_pool::zeros(images * self.output_features * places);
        if sums.is_empty() || kernel.is_empty() || input.is_empty() {
            return Ok(sums);
        }
        if groups == 1 {
            shape.forward(multiplier, input, kernel, &mut sums)?;
            recycle(spread);
            return Ok(sums);
        }
        let mut part = buffer_pool::elements(images * outputs * places);
        for group in 0..groups {
            part.fill(0.0);
            let input = &input[input.len() / groups * group..][..input.len() / groups];
            let kernel = &kernel[kernel.len() / groups * group..][..kernel.len() / groups];
            let draws = multiplier.draws().at((group * outputs) as u64, 0, 0);
            shape.forward(&multiplier.clone().with_draws(draws), input, kernel, &mut part)?;
            for (image, part) in part.chunks_exact(outputs * places).enumerate() {
                let start = (image * self.output_features + group * outputs) * places;
                sums[start..start + part.len()].copy_from_slice(part);
            }
        }
        recycle(part);
        recycle(spread);
        Ok(sums)
    }

    /// The input with zeros between its elements, and without the elements that negative padding cuts off.
    fn spread(&self, input: &[f32]) -> (Vec<usize>, Vec<f32>) {
        let a = self.attributes;
        let sizes: Vec<usize> = (0..self.space())
            .map(|dimension| {
                let spread =
                    self.input[dimension].checked_sub(1).map_or(0, |n| n * a.lhs_dilation[dimension] + 1);
                let (low, high) = a.padding[dimension];
                (spread as i64 + low.min(0) + high.min(0)).max(0) as usize
            })
            .collect();
        let (from, to) = (strides(&self.input), strides(&sizes));
        let (plane, wide): (usize, usize) = (self.input.iter().product(), sizes.iter().product());
        // Pairs (from, to) of every element that stays.
        let mut places = vec![(0, 0)];
        for dimension in 0..self.space() {
            let cut = -a.padding[dimension].0.min(0);
            let mut next = vec![];
            for &(source, target) in &places {
                for i in 0..self.input[dimension] {
                    let place = (i * a.lhs_dilation[dimension]) as i64 - cut;
                    if (0..sizes[dimension] as i64).contains(&place) {
                        next.push((source + i * from[dimension], target + place as usize * to[dimension]));
                    }
                }
            }
            places = next;
        }
        let mut data = buffer_pool::zeros(self.batch * self.input_features * wide);
        if plane > 0 && wide > 0 {
            for (input, data) in input.chunks_exact(plane).zip(data.chunks_exact_mut(wide)) {
                places.iter().for_each(|&(source, target)| data[target] = input[source]);
            }
        }
        (sizes, data)
    }

    /// Computes products of the kernel with matrices of the input's elements: a column for each output index, a row for
    /// each product.
    fn unfolded(&self, plan: &Accumulation, input: &Data, kernel: &Data) -> Result<Data, EvalError> {
        macro_rules! each {
            ($($variant:ident),*) => {
                match (input, kernel) {
                    $((Data::$variant(input), Data::$variant(kernel)) => self.unfolded_of(plan, input, kernel),)*
                    _ => unreachable!("operands are of the working type"),
                }
            };
        }
        each!(I32, I64, F32, F64, C64, C128)
    }

    fn unfolded_of<T: Stored>(
        &self,
        plan: &Accumulation,
        input: &[T],
        kernel: &[T],
    ) -> Result<Data, EvalError> {
        let a = self.attributes;
        let groups = a.feature_groups * a.batch_groups;
        let (features, outputs) = (self.input_features / a.feature_groups, self.output_features / groups);
        let images = self.batch / a.batch_groups;
        let (plane, taps, places): (usize, usize, usize) =
            (self.input.iter().product(), self.kernel.iter().product(), self.output.iter().product());
        let depth = features * taps;
        let sizes = Sizes { batch: 1, rows: outputs, depth, columns: places };
        let mut sums = T::wrap(vec![T::default(); images * self.output_features * places]);
        if outputs * depth * places == 0 {
            return Ok(sums);
        }
        let sources = self.sources();
        for image in 0..images {
            for group in 0..groups {
                let (first_feature, from_image) =
                    if a.batch_groups > 1 { (0, group * images + image) } else { (group * features, image) };
                let mut matrix = vec![T::default(); depth * places];
                for (feature, matrix) in matrix.chunks_exact_mut(taps * places).enumerate() {
                    let start = (from_image * self.input_features + first_feature + feature) * plane;
                    for (element, source) in matrix.iter_mut().zip(&sources) {
                        if let Some(source) = source {
                            *element = input[start + source];
                        }
                    }
                }
                let rows = kernel[group * outputs * depth..][..outputs * depth].to_vec();
                let mut part = T::wrap(vec![T::default(); outputs * places]);
                let origin = (group * outputs, image * places);
                plan.multiply_at(origin, sizes, &T::wrap(rows), &T::wrap(matrix), &mut part)?;
                let start = (image * self.output_features + group * outputs) * places;
                T::of_mut(&mut sums)[start..start + outputs * places].copy_from_slice(T::of(&part));
            }
        }
        Ok(sums)
    }

    /// For each kernel position and each output index, the offset in an input plane; `None` for padding and gaps.
    fn sources(&self) -> Vec<Option<usize>> {
        let from = strides(&self.input);
        let (kernel, output) = (strides(&self.kernel), strides(&self.output));
        let axes: Vec<Axis> = (0..self.space()).map(|dimension| self.axis(dimension)).collect();
        let (taps, places): (usize, usize) = (self.kernel.iter().product(), self.output.iter().product());
        let source = |tap: usize, place: usize| {
            let mut source = 0;
            for (dimension, axis) in axes.iter().enumerate() {
                let tap = tap / kernel[dimension] % self.kernel[dimension];
                let place = place / output[dimension] % self.output[dimension];
                source += axis.input(place, tap)? * from[dimension];
            }
            Some(source)
        };
        (0..taps * places).map(|i| source(i / places, i % places)).collect()
    }
}

/// The output places that meet an input element at one kernel position, along one dimension. They are equally spaced.
#[derive(Clone, Copy, Default)]
struct Meeting {
    count: usize,
    /// Offsets in the input, and in a row of the matrix: of the first place, and from one place to the next.
    input: [usize; 2],
    column: [usize; 2],
}

impl Meeting {
    fn new(axis: &Axis, places: usize, tap: usize, input: usize, column: usize) -> Meeting {
        let mut meetings = (0..places).filter_map(|place| Some((place, axis.input(place, tap)?)));
        let Some(first) = meetings.next() else { return Meeting::default() };
        let second = meetings.next();
        let (place, element) = second.map_or((0, 0), |next| (next.0 - first.0, next.1 - first.1));
        Meeting {
            count: 1 + usize::from(second.is_some()) + meetings.count(),
            input: [first.1 * input, element * input],
            column: [first.0 * column, place * column],
        }
    }
}

/// Unfolds one feature of some images into rows of a matrix: a row for each kernel position, a column for each image
/// and output place.
struct Unfolding<'a> {
    shape: &'a Shape<'a>,
    /// Meetings by dimension and kernel position.
    meetings: Vec<Vec<Meeting>>,
    images: usize,
    /// The offset from an image to the next, in the input and in a row.
    image: [usize; 2],
    /// True if neighbouring columns are images of one place, false if they are places of one image.
    images_last: bool,
}

impl<'a> Unfolding<'a> {
    fn new(shape: &'a Shape<'a>, strides: &[usize], images: usize, images_last: bool) -> Unfolding<'a> {
        let places: usize = shape.output.iter().product();
        let inner = if images_last { images } else { 1 };
        let meetings = (self::strides(&shape.output).into_iter().enumerate())
            .map(|(dimension, column)| {
                let (axis, places) = (shape.axis(dimension), shape.output[dimension]);
                let of = |tap| Meeting::new(&axis, places, tap, strides[2 + dimension], column * inner);
                (0..shape.kernel[dimension]).map(of).collect()
            })
            .collect();
        let image = [strides[0], if images_last { 1 } else { places }];
        Unfolding { shape, meetings, images, image, images_last }
    }

    /// The layout of sums in a product of `columns` columns, in the order batch, features, space.
    fn sums(&self, columns: usize) -> Layout {
        let inner = if self.images_last { self.images } else { 1 };
        let mut sums = vec![self.image[1] as isize, columns as isize];
        sums.extend(strides(&self.shape.output).iter().map(|&by| (by * inner) as isize));
        Layout { offset: 0, strides: sums }
    }

    /// Writes the input elements that each kernel position meets. Other elements of the rows are unchanged.
    fn rows(&self, input: &[f32], rows: &mut [f32]) {
        let kernel = &self.shape.kernel;
        let taps: usize = kernel.iter().product();
        let mut index = vec![0; kernel.len()];
        let mut now: Vec<Meeting> = vec![Meeting::default(); kernel.len()];
        let columns = rows.len() / taps;
        for row in rows.chunks_exact_mut(columns) {
            for ((now, of), &tap) in now.iter_mut().zip(&self.meetings).zip(&index) {
                *now = of[tap];
            }
            match now.split_last() {
                Some((last, outer)) if !self.images_last => {
                    for image in 0..self.images {
                        each_place(outer, image * self.image[0], image * self.image[1], &mut |from, to| {
                            let (mut from, mut to) = (from + last.input[0], to + last.column[0]);
                            for _ in 0..last.count {
                                row[to] = input[from];
                                from += last.input[1];
                                to += last.column[1];
                            }
                        });
                    }
                }
                _ if self.images_last => each_place(&now, 0, 0, &mut |from, to| {
                    row[to..to + self.images].copy_from_slice(&input[from..from + self.images]);
                }),
                // Without spatial dimensions there is one place.
                _ => each_place(&now, 0, 0, &mut |from, to| {
                    for image in 0..self.images {
                        row[to + image * self.image[1]] = input[from + image * self.image[0]];
                    }
                }),
            }
            layout::advance(&mut index, kernel);
        }
    }
}

/// Visits every place that meets an element, with its offsets in the input and in a row.
fn each_place(along: &[Meeting], from: usize, to: usize, visit: &mut impl FnMut(usize, usize)) {
    let Some((first, rest)) = along.split_first() else { return visit(from, to) };
    for i in 0..first.count {
        let (from, to) =
            (from + first.input[0] + i * first.input[1], to + first.column[0] + i * first.column[1]);
        each_place(rest, from, to, visit);
    }
}

/// Planes of `sizes`, reversed along the dimensions that `which` selects.
fn reversed(data: &Data, sizes: &[usize], which: &[bool], planes: usize) -> Data {
    let steps = strides(sizes);
    let plane: usize = sizes.iter().product();
    let sources: Vec<usize> = (0..plane)
        .map(|place| {
            let index = |dimension: usize| {
                let index = place / steps[dimension] % sizes[dimension];
                if which[dimension] { sizes[dimension] - 1 - index } else { index }
            };
            (0..sizes.len()).map(|dimension| index(dimension) * steps[dimension]).sum()
        })
        .collect();
    macro_rules! each {
        ($($variant:ident),*) => {
            match data {
                $(Data::$variant(data) => {
                    let plane_of = |number: usize| {
                        let start = number * plane;
                        sources.iter().map(move |source| data[start + source])
                    };
                    Data::$variant((0..planes).flat_map(plane_of).collect())
                })*
            }
        };
    }
    each!(I8, I16, I32, I64, U8, U16, U32, U64, F32, F64, C64, C128)
}

#[cfg(test)]
mod tests {
    use binade_fma::Order;

    use super::*;

    /// A convolution of batch, features, height, width, with kernels of output features, input features, height, width,
    /// and two kinds of padding.
    pub(super) fn plain() -> Convolution {
        Convolution {
            window_strides: vec![1, 1],
            padding: vec![(1, 1), (0, 2)],
            lhs_dilation: vec![1, 1],
            rhs_dilation: vec![1, 1],
            window_reversal: vec![false, false],
            input_batch: 0,
            input_feature: 1,
            input_spatial: vec![2, 3],
            kernel_input_feature: 1,
            kernel_output_feature: 0,
            kernel_spatial: vec![2, 3],
            output_batch: 0,
            output_feature: 1,
            output_spatial: vec![2, 3],
            feature_groups: 1,
            batch_groups: 1,
        }
    }

    pub(super) fn values(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|i| ((i * 7919 + seed * 104_729) % 1009) as f32 / 1009.0 - 0.5).collect()
    }

    /// Several images at once and one at a time, by either kernel, give the same bits. The operator makes the order of
    /// products visible.
    #[test]
    fn images_at_once_and_one_by_one() {
        let multiplier = Multiplier::new("bf16x2:bf16x2/3".parse().unwrap(), Order::Sequential).unwrap();
        let plain = plain();
        let variants = [
            plain.clone(),
            Convolution { window_strides: vec![2, 3], ..plain.clone() },
            Convolution { lhs_dilation: vec![3, 2], rhs_dilation: vec![2, 1], ..plain.clone() },
            Convolution { lhs_dilation: vec![2, 3], window_strides: vec![3, 2], ..plain.clone() },
            Convolution { padding: vec![(-2, 1), (3, -1)], ..plain.clone() },
        ];
        let element = ElementType::Float(binade_stablehlo::FloatType::F32);
        let (batch, features) = (5, 3);
        let input = Tensor::new(element.clone(), vec![batch, features, 6, 7], Data::F32(values(630, 1)));
        let kernel = Tensor::new(element, vec![4, features, 3, 2], Data::F32(values(72, 2)));
        let (Data::F32(x), Data::F32(w)) = (&*input.data, &*kernel.data) else { panic!("binary32") };
        for attributes in &variants {
            let shape = Shape::new(&input, &kernel, attributes).unwrap();
            let expected = shape.planar(&multiplier, x, w).unwrap();
            let places: usize = shape.output.iter().product();
            let to = strides(&[batch, shape.output_features, shape.output[0], shape.output[1]]);
            // Images are outermost in memory, or innermost.
            let last = permuted(&input.data, &input.shape, &[1, 2, 3, 0]);
            let Data::F32(last) = &last else { panic!("binary32") };
            for (x, from) in [(x, vec![126, 42, 7, 1]), (last, vec![1, 210, 35, 5])] {
                for images in [1, 2, 5] {
                    for threads in [1, 3] {
                        let multiplier = multiplier.clone().with_threads(threads);
                        let most = images * features * 6 * places;
                        let given = shape.at_once(&multiplier, w, (x, &from), &to, most).unwrap();
                        let same = given.iter().zip(&expected).all(|(a, b)| a.to_bits() == b.to_bits());
                        assert!(same, "{images} images, {threads} threads, {from:?}, {attributes:?}");
                    }
                }
            }
        }
    }
}
