//! Convolutions whose result has its features last, as one product over images that are padded: its rows are the places of
//! the result and its columns the output features. The element of the input that a place meets at a kernel position lies at
//! the sum of two offsets, so the matrix of them is never made.

use binade_fma::{Multiplier, Offsets, Order};
use binade_simd::threads::{self, BufferPool};

use super::Shape;
use crate::buffer_pool;
use crate::error::EvalError;
use crate::movement::layout::{Layout, advance, copy, row_major};

/// Elements of padded input that are done at once, at most, if they can be fewer than all: they stay in the second-level cache.
const AT_ONCE: usize = 64 << 10;

/// Rows that the kernel is packed for at least, if there are as many: packing it is to be little beside multiplying.
const ROWS: usize = 256;

/// How many times its own elements the input may have with padding and gaps.
const MOST_PADDING: usize = 16;

/// Rows that a thread takes at least: some tiles.
const TILES: usize = 24;

/// How such a convolution is done.
pub(super) struct Padded<'a> {
    shape: &'a Shape<'a>,
    /// The input as it is given.
    input: Vec<usize>,
    /// The same with padding and gaps.
    sizes: Vec<usize>,
    /// Strides of that.
    strides: Vec<isize>,
    /// By dimension of the input.
    used: Vec<Used>,
    /// What the input's first dimension is to the product.
    outermost: Outermost,
    /// The result's dimensions.
    pub(super) result: Vec<usize>,
}

/// The elements of a dimension that take part: `count` from `first` on, which go to `to` and every `apart` places from there.
#[derive(Clone, Copy)]
struct Used {
    first: usize,
    count: usize,
    to: usize,
    apart: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Outermost {
    /// Images, and the result's first dimension too: parts of it are parts of the rows.
    Rows,
    /// Features, the first of the depth: parts of it are added one after the other.
    Depth,
    /// It is not cut.
    Whole,
}

impl<'a> Padded<'a> {
    /// None if another way is the better one.
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
            input.iter().map(|&count| Used { first: 0, count, to: 0, apart: 1 }).collect();
        for dimension in 0..shape.space() {
            let axis = shape.axis(dimension);
            let (at, places) = (a.input_spatial[dimension], shape.output[dimension]);
            let reach = (places - 1) * axis.stride as usize
                + (shape.kernel[dimension] - 1) * axis.dilation as usize
                + 1;
            // Element e lies at e · gap + before, if that is within reach.
            let (gap, before, size) = (axis.base_dilation as usize, axis.before, input[at]);
            let beyond = |place: i64| (place.max(0) as usize).div_ceil(gap).min(size);
            let (first, end) = (beyond(-before), beyond(reach as i64 - before));
            let to = (first * gap) as i64 + before;
            sizes[at] = reach;
            used[at] = Used { first, count: end.saturating_sub(first), to: to.max(0) as usize, apart: gap };
        }
        let outermost = match () {
            () if a.input_batch == 0 && a.output_batch == 0 => Outermost::Rows,
            () if a.input_feature == 0 && multiplier.order() == Order::Sequential => Outermost::Depth,
            () => Outermost::Whole,
        };
        let elements =
            |sizes: &[usize]| sizes.iter().fold(1usize, |product, &size| product.saturating_mul(size));
        // Padding and gaps beyond measure are left to those who do not write them.
        let most = elements(input).saturating_mul(MOST_PADDING).saturating_add(AT_ONCE);
        let mut order: Vec<usize> = (0..input.len()).collect();
        if !multiplier.broadcasts_offsets() {
            // Places that follow each other are neighbours then, unless that is the dimension that is cut.
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

    /// The convolution with a kernel whose dimensions are input feature, space, output feature: elements of the result.
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
        let room = || -> Vec<f32> { vec![0.0; together * part] };
        let threads = multiplier.threads();
        let single = multiplier.clone().with_threads(1);
        match self.outermost {
            Outermost::Rows => {
                let pieces = self.sizes[0].div_ceil(together);
                let shared = threads > 1 && pieces >= 2 * threads;
                let multiplier = if shared { &single } else { multiplier };
                // A thread pads into what another one has done with.
                let rooms = BufferPool::new();
                threads::try_chunks(shared, &mut sums, rows.len() * features, |number, sums| {
                    rooms.with(room, |room| {
                        let first = number * together;
                        self.pad(input, first, together.min(self.sizes[0] - first), room);
                        let rows = &rows[..sums.len() / features];
                        let a = Offsets { data: room, rows, depths: &depths };
                        Ok::<(), EvalError>(multiplier.product_offsets(a, kernel, features, sums)?)
                    })
                })?;
            }
            Outermost::Depth => {
                // Each thread has some rows, and pads for itself.
                let taps = depths.len() / together;
                let at_once = match threads {
                    0 | 1 => rows.len(),
                    _ => rows.len().div_ceil(threads).next_multiple_of(TILES),
                };
                threads::try_chunks(threads > 1, &mut sums, at_once * features, |number, sums| {
                    let rows = &rows[number * at_once..][..sums.len() / features];
                    let mut room = room();
                    sums.fill(0.0);
                    for first in (0..self.sizes[0]).step_by(together) {
                        let count = together.min(self.sizes[0] - first);
                        self.pad(input, first, count, &mut room);
                        let a = Offsets { data: &room, rows, depths: &depths[..count * taps] };
                        let kernel = &kernel[first * taps * features..][..count * taps * features];
                        single.multiply_offsets(a, kernel, features, sums)?;
                    }
                    Ok::<(), EvalError>(())
                })?;
            }
            Outermost::Whole => {
                let mut room = room();
                self.pad(input, 0, self.input[0], &mut room);
                let a = Offsets { data: &room, rows: &rows, depths: &depths };
                multiplier.product_offsets(a, kernel, features, &mut sums)?;
            }
        }
        Ok(sums)
    }

    /// Offsets of the places of the result, in its order, for so many of the input's first dimension.
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

    /// Offsets of input features and kernel positions, in the order of sums.
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

    /// Writes `count` of the input's first dimension from `first` on to where they go; what lies between them stays +0.
    fn pad(&self, input: &[f32], first: usize, count: usize, room: &mut [f32]) {
        let (from, to) = (row_major(&self.input), self.strides.clone());
        let mut shape: Vec<usize> = self.used.iter().map(|used| used.count).collect();
        let mut source = Layout { offset: 0, strides: from };
        let mut target = Layout { offset: 0, strides: to };
        for (dimension, used) in self.used.iter().enumerate() {
            source.offset += source.strides[dimension] * used.first as isize;
            target.offset += target.strides[dimension] * used.to as isize;
            target.strides[dimension] *= used.apart as isize;
        }
        if self.outermost != Outermost::Whole {
            shape[0] = count;
            source.offset += source.strides[0] * first as isize;
        }
        copy(&shape, input, &source, room, &target);
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

    /// The same bits as by the kernel for images whose features come first: images, features and gaps as JAX has them
    /// forward and in both gradients, cut into pieces or not, under operators that tell factors, orders and signs of zeros.
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

    /// How many convolutions were done this way, of which all agreed.
    fn layouts_that_agree(multiplier: &Multiplier) -> usize {
        let plain = plain();
        let variants = [
            plain.clone(),
            Convolution { window_strides: vec![2, 3], ..plain.clone() },
            Convolution { lhs_dilation: vec![3, 2], rhs_dilation: vec![2, 1], ..plain.clone() },
            Convolution { padding: vec![(-2, 1), (3, -1)], lhs_dilation: vec![2, 1], ..plain.clone() },
        ];
        // In the order batch, feature, space: where each lies in the input, and in the result.
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
