//! Computes convolutions whose result has its features last, as one product over a padded copy of the input.
//!
//! The rows of the product are the places of the result, its columns the output features. The input element for a place
//! and a kernel position is at the sum of two offsets. So the product reads the padded input, and the unfolded matrix
//! is never made.

use binade_fma::{Multiplier, Offsets, Order};
use binade_simd::threads::{self, BufferPool};

use super::Shape;
use crate::buffer_pool;
use crate::error::EvalError;
use crate::movement::layout::{Layout, advance, copy, row_major};

/// The most elements of padded input that are processed at once, where the input can be cut. They fit in the
/// second-level cache.
const AT_ONCE: usize = 64 << 10;

/// The least number of rows for one packing of the kernel, which makes the cost of packing small.
const ROWS: usize = 256;

/// The largest ratio of the input's size with padding and gaps to its own size.
const MOST_PADDING: usize = 16;

/// The least number of rows for a thread: a few tiles.
const MIN_ROWS_PER_THREAD: usize = 24;

/// A plan for such a convolution.
pub(super) struct Padded<'a> {
    shape: &'a Shape<'a>,
    /// The input's sizes.
    input: Vec<usize>,
    /// The input's sizes with padding and gaps.
    sizes: Vec<usize>,
    /// The strides of the padded input.
    strides: Vec<isize>,
    /// The used elements, by dimension of the input.
    used: Vec<Used>,
    /// The role of the input's first dimension in the product.
    outermost: Outermost,
    /// The result's sizes.
    pub(super) result: Vec<usize>,
}

/// The elements of a dimension that take part: `count` from `first` on. Element i of them is written to `to` + i ·
/// `spacing`.
#[derive(Clone, Copy)]
struct Used {
    first: usize,
    count: usize,
    to: usize,
    spacing: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outermost {
    /// Images, which are also the result's first dimension: its parts are parts of the rows.
    Rows,
    /// Features, the outermost part of the depth: products of its parts are added in order.
    Depth,
    /// The dimension is not cut.
    Whole,
}

impl<'a> Padded<'a> {
    /// Returns `None` if the convolution is not of this form, or another method is faster.
    pub(super) fn new(shape: &'a Shape, input: &[usize], multiplier: &Multiplier) -> Option<Padded<'a>> {
        let a = shape.attributes;
        let last = a.output_feature == input.len() - 1;
        let grouped = a.feature_groups != 1 || a.batch_groups != 1 || a.window_reversal.contains(&true);
        if !last
            || grouped
            || shape.products() == 0
            || input.contains(&0)
            || !multiplier.reads_offsets(shape.output_features)
        {
            return None;
        }
        let mut sizes = input.to_vec();
        let mut used: Vec<Used> =
            input.iter().map(|&count| Used { first: 0, count, to: 0, spacing: 1 }).collect();
        for dimension in 0..shape.space() {
            let axis = shape.axis(dimension);
            let (at, places) = (a.input_spatial[dimension], shape.output[dimension]);
            let reach = (places - 1) * axis.stride as usize
                + (shape.kernel[dimension] - 1) * axis.dilation as usize
                + 1;
            // Element e is at e · gap + before, if the window reaches it.
            let (gap, before, size) = (axis.base_dilation as usize, axis.before, input[at]);
            let beyond = |place: i64| (place.max(0) as usize).div_ceil(gap).min(size);
            let (first, end) = (beyond(-before), beyond(reach as i64 - before));
            let to = (first * gap) as i64 + before;
            sizes[at] = reach;
            used[at] = Used { first, count: end.saturating_sub(first), to: to.max(0) as usize, spacing: gap };
        }
        let outermost = match () {
            () if a.input_batch == 0 && a.output_batch == 0 => Outermost::Rows,
            () if a.input_feature == 0 && multiplier.order() == Order::Sequential => Outermost::Depth,
            () => Outermost::Whole,
        };
        let elements =
            |sizes: &[usize]| sizes.iter().fold(1usize, |product, &size| product.saturating_mul(size));
        // Inputs that padding or gaps enlarge too much are left to methods that do not write them.
        let most = elements(input).saturating_mul(MOST_PADDING).saturating_add(AT_ONCE);
        let mut order: Vec<usize> = (0..input.len()).collect();
        if !multiplier.broadcasts_offsets() {
            // Without broadcasts, consecutive places should be neighbours in memory, unless their dimension is the one
            // that is cut.
            let along = input.len() - 2;
            let (at, step) = match a.output_spatial.iter().position(|&to| to == along) {
                Some(dimension) => (a.input_spatial[dimension], a.window_strides[dimension]),
                None => (a.input_batch, 1),
            };
            if step == 1 && (at > 0 || outermost == Outermost::Whole) {
                order.retain(|&dimension| dimension != at);
                order.push(at);
            }
        }
        let mut strides = vec![0; input.len()];
        order.iter().rev().fold(1isize, |stride, &dimension| {
            strides[dimension] = stride;
            stride.saturating_mul(sizes[dimension] as isize)
        });
        (elements(&sizes) <= most).then(|| Padded {
            shape,
            input: input.to_vec(),
            sizes,
            strides,
            used,
            outermost,
            result: shape.result(),
        })
    }

    /// Computes the convolution. The kernel's dimensions are input feature, space, output feature.
    pub(super) fn multiply(
        &self,
        multiplier: &Multiplier,
        input: &[f32],
        kernel: &[f32],
    ) -> Result<Vec<f32>, EvalError> {
        let features = self.shape.output_features;
        let mut sums = buffer_pool::elements(self.result.iter().product());
        let part: usize = self.sizes[1..].iter().product();
        let together = match self.outermost {
            Outermost::Whole => self.sizes[0],
            outermost => {
                let places = self.result.iter().product::<usize>() / features / self.shape.batch;
                let least = if outermost == Outermost::Rows { ROWS.div_ceil(places) } else { 1 };
                (AT_ONCE / part.max(1)).max(least).clamp(1, self.sizes[0])
            }
        };
        let (rows, depths) = (self.rows(together), self.depths(together));
        let buffer = || -> Vec<f32> { vec![0.0; together * part] };
        let threads = multiplier.threads();
        let single = multiplier.clone().with_threads(1);
        match self.outermost {
            Outermost::Rows => {
                let pieces = self.sizes[0].div_ceil(together);
                let shared = threads > 1 && pieces >= 2 * threads;
                let multiplier = if shared { &single } else { multiplier };
                // Padded buffers are reused between pieces.
                let pool = BufferPool::new();
                threads::try_chunks(shared, &mut sums, rows.len() * features, |number, sums| {
                    pool.with(buffer, |buffer| {
                        let first = number * together;
                        self.pad(input, first, together.min(self.sizes[0] - first), buffer);
                        let rows = &rows[..sums.len() / features];
                        let a = Offsets { data: buffer, rows, depths: &depths };
                        Ok::<(), EvalError>(multiplier.product_offsets(a, kernel, features, sums)?)
                    })
                })?;
            }
            Outermost::Depth => {
                // Each thread has some rows, and its own padded buffer.
                let taps = depths.len() / together;
                let at_once = match threads {
                    0 | 1 => rows.len(),
                    _ => rows.len().div_ceil(threads).next_multiple_of(MIN_ROWS_PER_THREAD),
                };
                threads::try_chunks(threads > 1, &mut sums, at_once * features, |number, sums| {
                    let rows = &rows[number * at_once..][..sums.len() / features];
                    let mut buffer = buffer();
                    sums.fill(0.0);
                    for first in (0..self.sizes[0]).step_by(together) {
                        let count = together.min(self.sizes[0] - first);
                        self.pad(input, first, count, &mut buffer);
                        let a = Offsets { data: &buffer, rows, depths: &depths[..count * taps] };
                        let kernel = &kernel[first * taps * features..][..count * taps * features];
                        single.multiply_offsets(a, kernel, features, sums)?;
                    }
                    Ok::<(), EvalError>(())
                })?;
            }
            Outermost::Whole => {
                let mut buffer = buffer();
                self.pad(input, 0, self.input[0], &mut buffer);
                let a = Offsets { data: &buffer, rows: &rows, depths: &depths };
                multiplier.product_offsets(a, kernel, features, &mut sums)?;
            }
        }
        Ok(sums)
    }

    /// The offsets of the result's places, in its order, for `together` elements of the input's first dimension.
    fn rows(&self, together: usize) -> Vec<usize> {
        let a = self.shape.attributes;
        let strides = &self.strides;
        let mut sizes = self.result.clone();
        let mut steps = vec![0; sizes.len()];
        steps[a.output_batch] = strides[a.input_batch] as usize;
        for (dimension, &at) in a.output_spatial.iter().enumerate() {
            let stride = a.window_strides[dimension].max(1);
            steps[at] = strides[a.input_spatial[dimension]] as usize * stride;
        }
        if self.outermost == Outermost::Rows {
            sizes[0] = together;
        }
        sizes.pop();
        steps.pop();
        offsets(&sizes, &steps)
    }

    /// The offsets of input features and kernel positions, in the order of sums.
    fn depths(&self, together: usize) -> Vec<usize> {
        let a = self.shape.attributes;
        let strides = &self.strides;
        let features = if self.outermost == Outermost::Depth { together } else { self.shape.input_features };
        let (mut sizes, mut steps) = (vec![features], vec![strides[a.input_feature] as usize]);
        for (dimension, &at) in a.input_spatial.iter().enumerate() {
            sizes.push(self.shape.kernel[dimension]);
            steps.push(strides[at] as usize * a.rhs_dilation[dimension]);
        }
        offsets(&sizes, &steps)
    }

    /// Writes `count` elements of the input's first dimension, from `first` on, to their padded places. The elements
    /// between them stay +0.
    fn pad(&self, input: &[f32], first: usize, count: usize, buffer: &mut [f32]) {
        let (from, to) = (row_major(&self.input), self.strides.clone());
        let mut shape: Vec<usize> = self.used.iter().map(|used| used.count).collect();
        let mut source = Layout { offset: 0, strides: from };
        let mut target = Layout { offset: 0, strides: to };
        for (dimension, used) in self.used.iter().enumerate() {
            source.offset += source.strides[dimension] * used.first as isize;
            target.offset += target.strides[dimension] * used.to as isize;
            target.strides[dimension] *= used.spacing as isize;
        }
        if self.outermost != Outermost::Whole {
            shape[0] = count;
            source.offset += source.strides[0] * first as isize;
        }
        copy(&shape, input, &source, buffer, &target);
    }
}

/// Σ index · step for every index of these sizes, the last one fastest.
fn offsets(sizes: &[usize], steps: &[usize]) -> Vec<usize> {
    let mut all = Vec::with_capacity(sizes.iter().product());
    let mut index = vec![0; sizes.len()];
    loop {
        all.push(index.iter().zip(steps).map(|(index, step)| index * step).sum());
        if !advance(&mut index, sizes) {
            return all;
        }
    }
}

#[cfg(test)]
mod tests {
    use binade_stablehlo::ir::Convolution;
    use binade_stablehlo::{Data, Tensor};

    use super::*;
    use crate::linear::convolution::tests::{plain, values};
    use crate::linear::products::{F32, permuted};

    /// Gives the same bits as the kernel for images whose features come first. The layouts and gaps are those of JAX,
    /// forward and in both gradients. The operators make the order of factors and sums and the sign of zeros visible.
    #[test]
    fn features_last_are_those_of_features_first() {
        for (operator, order) in [
            ("f32:f32", "sequential"),
            ("bf16:bf16", "sequential"),
            ("bf16x2:bf16x2/4", "sequential"),
            ("float8_e4m3fn:bf16", "sequential"),
            ("bf16:bf16x2", "blocked:7"),
        ] {
            let multiplier = Multiplier::new(operator.parse().unwrap(), order.parse().unwrap()).unwrap();
            let expected = if multiplier.reads_offsets(16) { 96 } else { 0 };
            assert_eq!(layouts_that_agree(&multiplier), expected, "{operator} {order}");
        }
    }

    /// Returns the number of convolutions that this method computed, all with the expected bits.
    fn layouts_that_agree(multiplier: &Multiplier) -> usize {
        let plain = plain();
        let variants = [
            plain.clone(),
            Convolution { window_strides: vec![2, 3], ..plain.clone() },
            Convolution { lhs_dilation: vec![3, 2], rhs_dilation: vec![2, 1], ..plain.clone() },
            Convolution { padding: vec![(-2, 1), (3, -1)], lhs_dilation: vec![2, 1], ..plain.clone() },
        ];
        // For batch, feature and space: their dimensions in the input and in the result.
        let layouts: [([usize; 4], [usize; 4]); 4] = [
            ([0, 3, 1, 2], [0, 3, 1, 2]),
            ([3, 0, 1, 2], [2, 3, 0, 1]),
            ([0, 1, 2, 3], [0, 3, 1, 2]),
            ([2, 3, 0, 1], [1, 3, 0, 2]),
        ];
        let mut done = 0;
        for (batch, features, outputs, size) in
            [(5, 3, 17, [6, 7]), (70, 11, 40, [20, 9]), (3, 70, 16, [30, 31])]
        {
            let shape = vec![batch, features, size[0], size[1]];
            let data = values(shape.iter().product(), 1);
            let first = Tensor::new(F32, shape, Data::F32(data));
            let weights = values(outputs * features * 6, 2);
            let kernel = Tensor::new(F32, vec![outputs, features, 3, 2], Data::F32(weights));
            let (Data::F32(x), Data::F32(w)) = (&*first.data, &*kernel.data) else { panic!("binary32") };
            let last = permuted(&kernel.data, &kernel.shape, &[1, 2, 3, 0]);
            let Data::F32(last) = &last else { panic!("binary32") };
            for attributes in &variants {
                let expected = Shape::new(&first, &kernel, attributes).unwrap();
                let output = expected.output.clone();
                let expected = Data::F32(expected.planar(multiplier, x, w).unwrap());
                for (from, to) in layouts {
                    let attributes = Convolution {
                        input_batch: from[0],
                        input_feature: from[1],
                        input_spatial: from[2..].to_vec(),
                        output_batch: to[0],
                        output_feature: to[1],
                        output_spatial: to[2..].to_vec(),
                        ..attributes.clone()
                    };
                    let place = |places: [usize; 4]| {
                        let mut order = [0; 4];
                        places.iter().enumerate().for_each(|(from, &to)| order[to] = from);
                        order
                    };
                    let order = place(from);
                    let input = permuted(&first.data, &first.shape, &order);
                    let sizes = order.iter().map(|&at| first.shape[at]).collect();
                    let input = Tensor::new(F32, sizes, input);
                    let canonical = [batch, outputs, output[0], output[1]];
                    let expected = permuted(&expected, &canonical, &place(to));
                    let shape = Shape::new(&input, &kernel, &attributes).unwrap();
                    for threads in [1, 3] {
                        let multiplier = multiplier.clone().with_threads(threads);
                        let Some(padded) = Padded::new(&shape, &input.shape, &multiplier) else { continue };
                        let (Data::F32(input), Data::F32(expected)) = (&*input.data, &expected) else {
                            panic!("binary32")
                        };
                        let given = padded.multiply(&multiplier, input, last).unwrap();
                        let same = given.iter().zip(expected).all(|(a, b)| a.to_bits() == b.to_bits());
                        assert!(same && given.len() == expected.len(), "{threads} threads, {attributes:?}");
                        done += 1;
                    }
                }
            }
        }
        done
    }
}
