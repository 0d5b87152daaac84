//! Two-dimensional convolution under an operator: forward, and the gradients of the input and of the weight.
//!
//! Tensors are dense. The input is `[batch][input channels][height][width]`, the weight `[output channels][input
//! channels / groups][kernel height][kernel width]`, and the output is laid out like the input. All three functions add
//! to the previous values, as a matrix product adds to C. They sum in the multiplier's order of accumulation:
//!
//! - [`Convolution::forward`]: a is the weight and b the input. Ascending: input channel of the group, kernel row,
//!   kernel column.
//! - [`Convolution::input_gradient`]: a is the weight and b the gradient of the output. Ascending: output channel of
//!   the group, kernel row, kernel column.
//! - [`Convolution::weight_gradient`]: a is the gradient of the output and b the input. Ascending: image, output row,
//!   output column.
//!
//! The factor b is +0 if the kernel reaches beyond the input, or if an output element does not use an input element. It
//! takes part like any other factor: an infinite weight on padding gives NaN, and −0 + 0 · w is +0. So results are
//! those of the matrix product over the padded and dilated tensor, as StableHLO defines convolution.

use std::ops::Range;

use crate::gemm::source::{MagnitudeRange, Scan, Source, Strided, copy_short, share_of_zeros, transpose};
use crate::gemm::{self, Target};
use crate::matrix::{ShapeError, same};
use crate::multiply::Multiplier;
use crate::order::Order;

/// Elements of the input or output that are rounded at once for the gradient of the weight: half of the second-level
/// cache.
const ROUNDED: usize = 128 << 10;

/// The shape of a two-dimensional convolution. Pairs are (vertical, horizontal).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Convolution {
    /// Images.
    pub batch: usize,
    /// Channels of the input, a multiple of `groups`.
    pub input_channels: usize,
    /// Channels of the output, a multiple of `groups`.
    pub output_channels: usize,
    /// Groups of channels that are convolved separately, at least 1.
    pub groups: usize,
    /// Height and width of the input.
    pub input: [usize; 2],
    /// Height and width of the kernel, at least 1.
    pub kernel: [usize; 2],
    /// Distance in input elements between output elements, at least 1.
    pub stride: [usize; 2],
    /// Distance in input elements between kernel elements, at least 1.
    pub dilation: [usize; 2],
    /// Zeros around the input: ((above, below), (left, right)).
    pub padding: [(usize, usize); 2],
}

impl Convolution {
    /// One group, stride and dilation 1, no padding.
    pub fn new(
        batch: usize,
        input_channels: usize,
        output_channels: usize,
        input: [usize; 2],
        kernel: [usize; 2],
    ) -> Convolution {
        Convolution {
            batch,
            input_channels,
            output_channels,
            groups: 1,
            input,
            kernel,
            stride: [1; 2],
            dilation: [1; 2],
            padding: [(0, 0); 2],
        }
    }

    /// Height and width of the output: 0 where the kernel does not fit.
    ///
    /// # Errors
    /// If the shape is invalid, or does not fit in memory.
    pub fn output(&self) -> Result<[usize; 2], ShapeError> {
        let least_one = [
            ("groups", self.groups),
            ("kernel height", self.kernel[0]),
            ("kernel width", self.kernel[1]),
            ("vertical stride", self.stride[0]),
            ("horizontal stride", self.stride[1]),
            ("vertical dilation", self.dilation[0]),
            ("horizontal dilation", self.dilation[1]),
        ];
        if let Some(&(what, given)) = least_one.iter().find(|(_, given)| *given == 0) {
            return Err(ShapeError::Number { what, expected: "at least 1", given });
        }
        for (what, given) in
            [("input channels", self.input_channels), ("output channels", self.output_channels)]
        {
            if given % self.groups != 0 {
                return Err(ShapeError::Number { what, expected: "a multiple of the groups", given });
            }
        }
        let mut output = [0; 2];
        #[allow(clippy::needless_range_loop, reason = "the axis indexes five arrays")]
        for axis in 0..2 {
            let (before, after) = self.padding[axis];
            let sizes = (|| {
                let padded = self.input[axis].checked_add(before)?.checked_add(after)?;
                let reach = (self.kernel[axis] - 1).checked_mul(self.dilation[axis])?.checked_add(1)?;
                // Indices are computed as signed numbers.
                let most = (i32::MAX / 4) as usize;
                (padded <= most && reach <= most).then_some((padded, reach))
            })();
            let (padded, reach) =
                sizes.ok_or_else(|| ShapeError::Size { what: "a padded input".to_owned() })?;
            output[axis] = if padded < reach { 0 } else { (padded - reach) / self.stride[axis] + 1 };
        }
        Ok(output)
    }

    /// The numbers of elements of the input, the weight and the output.
    ///
    /// # Errors
    /// As [`Convolution::output`].
    pub fn lengths(&self) -> Result<[usize; 3], ShapeError> {
        let [height, width] = self.output()?;
        let product = |what: &str, factors: &[usize]| {
            let whole = factors.iter().try_fold(1usize, |whole, &factor| whole.checked_mul(factor));
            whole.ok_or_else(|| ShapeError::Size { what: what.to_owned() })
        };
        let [rows, columns] = self.input;
        let [kernel_rows, kernel_columns] = self.kernel;
        let group = self.input_channels / self.groups;
        Ok([
            product("the input", &[self.batch, self.input_channels, rows, columns])?,
            product("the weight", &[self.output_channels, group, kernel_rows, kernel_columns])?,
            product("the output", &[self.batch, self.output_channels, height, width])?,
        ])
    }

    fn check(&self, input: usize, weight: usize, output: usize) -> Result<Sizes, ShapeError> {
        let lengths = self.lengths()?;
        same("the input's length", input, lengths[0])?;
        same("the weight's length", weight, lengths[1])?;
        same("the output's length", output, lengths[2])?;
        let [height, width] = self.output()?;
        Ok(Sizes {
            inputs: self.input_channels / self.groups,
            outputs: self.output_channels / self.groups,
            taps: self.kernel[0] * self.kernel[1],
            image: self.input[0] * self.input[1],
            result: height * width,
            height,
            width,
        })
    }

    /// output ← output + input ∗ weight.
    ///
    /// # Errors
    /// If the shape is invalid, or a slice has another length than the shape needs.
    pub fn forward(
        &self,
        multiplier: &Multiplier,
        input: &[f32],
        weight: &[f32],
        output: &mut [f32],
    ) -> Result<(), ShapeError> {
        let sizes = self.check(input.len(), weight.len(), output.len())?;
        let Sizes { inputs, outputs, taps, image, result, .. } = sizes;
        let axes = self.axes(sizes, false);
        let mut buffer = vec![];
        let weight = multiplier.rounded(weight, &mut buffer);
        let depth = inputs * taps;
        self.for_each_part(multiplier, outputs * result, output, |multiplier, number, target| {
            let (mut buffer, input) = (vec![], &input[number * inputs * image..][..inputs * image]);
            let input = multiplier.rounded(input, &mut buffer);
            let group = number % self.groups;
            let a = Strided {
                data: &weight[group * outputs * depth..],
                vectors: outputs,
                depth,
                vector_stride: depth,
                depth_stride: 1,
            };
            let b = Window {
                data: input,
                image_stride: 0,
                channel_stride: image,
                row_stride: self.input[1],
                rows: &axes[0],
                columns: &axes[1],
            };
            let c = Target { start: target, row_stride: result, column_stride: 1 };
            let column = number / self.groups * result;
            let draws = multiplier.draws().at((group * outputs) as u64, column as u64, 0);
            // SAFETY: `for_each_part` gives every image and group a disjoint part of the output.
            unsafe { multiplier.clone().with_draws(draws).run(true, &a, &b, c, [outputs, result, depth]) };
        });
        Ok(())
    }

    /// input gradient ← input gradient + the contribution of output gradient and weight.
    ///
    /// # Errors
    /// As [`Convolution::forward`].
    pub fn input_gradient(
        &self,
        multiplier: &Multiplier,
        output_gradient: &[f32],
        weight: &[f32],
        input_gradient: &mut [f32],
    ) -> Result<(), ShapeError> {
        let sizes = self.check(input_gradient.len(), weight.len(), output_gradient.len())?;
        let Sizes { inputs, outputs, taps, image, result, width, .. } = sizes;
        let axes = self.axes(sizes, true);
        let mut buffer = vec![];
        let weight = multiplier.rounded(weight, &mut buffer);
        let depth = outputs * taps;
        self.for_each_part(multiplier, inputs * image, input_gradient, |multiplier, number, target| {
            let mut buffer = vec![];
            let output_gradient = &output_gradient[number * outputs * result..][..outputs * result];
            let output_gradient = multiplier.rounded(output_gradient, &mut buffer);
            let group = number % self.groups;
            let a = TwoLevel {
                data: &weight[group * outputs * inputs * taps..],
                vectors: inputs,
                vector_stride: taps,
                outer: outputs,
                outer_stride: inputs * taps,
                inner: taps,
            };
            let b = Window {
                data: output_gradient,
                image_stride: 0,
                channel_stride: result,
                row_stride: width,
                rows: &axes[0],
                columns: &axes[1],
            };
            let c = Target { start: target, row_stride: image, column_stride: 1 };
            let column = number / self.groups * image;
            let draws = multiplier.draws().at((group * inputs) as u64, column as u64, 0);
            // SAFETY: `for_each_part` gives every image and group a disjoint part of the gradient.
            unsafe { multiplier.clone().with_draws(draws).run(true, &a, &b, c, [inputs, image, depth]) };
        });
        Ok(())
    }

    /// weight gradient ← weight gradient + the contribution of input and output gradient.
    ///
    /// # Errors
    /// As [`Convolution::forward`].
    pub fn weight_gradient(
        &self,
        multiplier: &Multiplier,
        input: &[f32],
        output_gradient: &[f32],
        weight_gradient: &mut [f32],
    ) -> Result<(), ShapeError> {
        let sizes = self.check(input.len(), weight_gradient.len(), output_gradient.len())?;
        let Sizes { inputs, outputs, taps, image, result, .. } = sizes;
        let axes = self.axes(sizes, false);
        let columns = inputs * taps;
        if self.batch == 0 || result == 0 || outputs == 0 || columns == 0 {
            return Ok(());
        }
        // The number of images rounded at once: a few, in the same buffer, if the order allows C to be continued.
        let (of_input, of_output) = (self.input_channels * image, self.output_channels * result);
        let images = match multiplier.order() {
            Order::Sequential | Order::Any if multiplier.rounds() => {
                (ROUNDED / of_input.max(of_output)).clamp(1, self.batch)
            }
            _ => self.batch,
        };
        let (mut buffer, mut buffer_of_output) = (vec![], vec![]);
        for first in (0..self.batch).step_by(images) {
            let batch = images.min(self.batch - first);
            let input = multiplier.rounded(&input[first * of_input..][..batch * of_input], &mut buffer);
            let output_gradient = &output_gradient[first * of_output..][..batch * of_output];
            let output_gradient = multiplier.rounded(output_gradient, &mut buffer_of_output);
            for (group, target) in weight_gradient.chunks_exact_mut((outputs * columns).max(1)).enumerate() {
                let a = TwoLevel {
                    data: &output_gradient[group * outputs * result..],
                    vectors: outputs,
                    vector_stride: result,
                    outer: batch,
                    outer_stride: of_output,
                    inner: result,
                };
                let b = TransposedWindow(Window {
                    data: &input[group * inputs * image..],
                    image_stride: of_input,
                    channel_stride: image,
                    row_stride: self.input[1],
                    rows: &axes[0],
                    columns: &axes[1],
                });
                let c = Target { start: target.as_mut_ptr(), row_stride: columns, column_stride: 1 };
                let draws = multiplier.draws().at((group * outputs) as u64, 0, (first * result) as u64);
                let multiplier = multiplier.clone().with_draws(draws);
                // SAFETY: each group has a disjoint part of the gradient.
                unsafe { multiplier.run(true, &a, &b, c, [outputs, columns, batch * result]) };
            }
        }
        Ok(())
    }

    /// The elements under each kernel row and column: of the input, or of the output's gradient if `gradient`.
    fn axes(&self, sizes: Sizes, gradient: bool) -> [Vec<Tap>; 2] {
        let output = [sizes.height, sizes.width];
        [0, 1].map(|axis| {
            let (stride, dilation) = (self.stride[axis] as isize, self.dilation[axis] as isize);
            let before = self.padding[axis].0 as isize;
            let (places, elements) = match gradient {
                false => (output[axis], self.input[axis]),
                true => (self.input[axis], output[axis]),
            };
            (0..self.kernel[axis] as isize)
                .map(|tap| {
                    Tap::new(places, |place| {
                        let place = place as isize;
                        let element = match gradient {
                            false => place * stride + tap * dilation - before,
                            true => {
                                let spread = place + before - tap * dilation;
                                if spread % stride != 0 { -1 } else { spread / stride }
                            }
                        };
                        usize::try_from(element).ok().filter(|&element| element < elements)
                    })
                })
                .collect()
        })
    }

    /// Runs the work for each image and group, on parts of `target` of this size.
    fn for_each_part(
        &self,
        multiplier: &Multiplier,
        size: usize,
        target: &mut [f32],
        work: impl Fn(&Multiplier, usize, *mut f32) + Sync,
    ) {
        if size == 0 {
            return;
        }
        let threads = multiplier.threads();
        let parts: Vec<_> = target.chunks_exact_mut(size).enumerate().collect();
        // If there are enough images, each is one thread's. Otherwise threads share an image.
        let shared = parts.len() < 2 * threads;
        let multiplier = &multiplier.clone().with_threads(if shared { threads } else { 1 });
        let count = if shared { 1 } else { threads };
        let mut pieces: Vec<Vec<_>> = (0..count).map(|_| vec![]).collect();
        let share = parts.len().div_ceil(count).max(1);
        for (number, part) in parts {
            pieces[number / share].push((number, part));
        }
        gemm::in_parallel(pieces, |parts| {
            for (number, part) in parts {
                work(multiplier, number, part.as_mut_ptr());
            }
        });
    }
}

/// Sizes of a group.
#[derive(Clone, Copy)]
struct Sizes {
    /// Channels of the input and of the output.
    inputs: usize,
    outputs: usize,
    /// Elements of the kernel.
    taps: usize,
    /// Elements of a channel of the input and of the output.
    image: usize,
    result: usize,
    height: usize,
    width: usize,
}

/// The element under one kernel element, for each place along one axis.
struct Tap {
    elements: Vec<Option<usize>>,
    /// Set if the places `run` take consecutive elements from `first` on, and the others none.
    run: Option<(Range<usize>, usize)>,
}

impl Tap {
    fn new(places: usize, element: impl Fn(usize) -> Option<usize>) -> Tap {
        let elements: Vec<_> = (0..places).map(element).collect();
        let from = elements.iter().position(Option::is_some).unwrap_or(places);
        let to = elements.iter().rposition(Option::is_some).map_or(from, |last| last + 1);
        let first = elements.get(from).copied().flatten().unwrap_or(0);
        let consecutive = (from..to).all(|place| elements[place] == Some(first + place - from));
        Tap { run: consecutive.then_some((from..to, first)), elements }
    }
}

/// The tensor that a convolution multiplies by its weight, as a matrix that is never stored ("im2col"). A vector is a
/// place (row, column) of the result, and the depth is a kernel element (channel, row, column).
struct Window<'a> {
    data: &'a [f32],
    /// Distance between images, for places of several images.
    image_stride: usize,
    channel_stride: usize,
    row_stride: usize,
    rows: &'a [Tap],
    columns: &'a [Tap],
}

impl Window<'_> {
    /// Number of places in a row, and in an image.
    fn places(&self) -> (usize, usize) {
        let row = self.columns[0].elements.len();
        (row, row * self.rows[0].elements.len())
    }

    /// Splits consecutive places into parts of rows.
    fn segments(&self, places: Range<usize>) -> Vec<Segment> {
        let (width, image) = self.places();
        let mut segments = vec![];
        let mut place = places.start;
        while place < places.end {
            let (x, y) = (place % width, place % image / width);
            let count = (width - x).min(places.end - place);
            let (base, at) = (place / image * self.image_stride, place - places.start);
            segments.push(Segment { at, count, x, y, base });
            place += count;
        }
        segments
    }

    /// Kernel elements from `first` on, as (channel, row, column).
    fn taps(&self, first: usize) -> impl Iterator<Item = (usize, usize, usize)> {
        let (rows, columns) = (self.rows.len(), self.columns.len());
        let mut tap = (first / (rows * columns), first / columns % rows, first % columns);
        std::iter::from_fn(move || {
            let now = tap;
            tap.2 += 1;
            if tap.2 == columns {
                tap = (tap.0, tap.1 + 1, 0);
            }
            if tap.1 == rows {
                tap = (tap.0 + 1, 0, 0);
            }
            Some(now)
        })
    }

    /// Writes the elements of a segment under one kernel element.
    #[inline]
    fn fill(&self, segment: &Segment, (channel, row, column): (usize, usize, usize), out: &mut [f32]) {
        let &Segment { count, x, y, base, .. } = segment;
        let out = &mut out[..count];
        let column = &self.columns[column];
        let Some(element) = self.rows[row].elements[y] else {
            out.fill(0.0);
            return;
        };
        let data = &self.data[base + channel * self.channel_stride + element * self.row_stride..];
        let Some((run, first)) = &column.run else {
            for (to, element) in out.iter_mut().zip(&column.elements[x..x + count]) {
                *to = element.map_or(0.0, |element| data[element]);
            }
            return;
        };
        // Zeros, consecutive elements, zeros.
        let from = run.start.clamp(x, x + count);
        let to = run.end.clamp(from, x + count);
        let source = if to > from { &data[first + from - run.start..][..to - from] } else { &[] };
        fill_ends(out, from - x, x + count - to);
        copy_short(source, &mut out[from - x..to - x]);
    }
}

/// Writes zeros to the first `first` and the last `last` elements, and possibly to those between.
#[inline(always)]
fn fill_ends(out: &mut [f32], first: usize, last: usize) {
    /// Number of elements that are as fast to write as one.
    const FEW: usize = 8;
    if first > FEW || last > FEW || out.len() < FEW {
        out.fill(0.0);
        return;
    }
    if let (1.., Some(out)) = (first, out.first_chunk_mut::<FEW>()) {
        *out = [0.0; FEW];
    }
    if let (1.., Some(out)) = (last, out.last_chunk_mut::<FEW>()) {
        *out = [0.0; FEW];
    }
}

/// Consecutive places of one row of the result.
struct Segment {
    /// Its start among the requested places.
    at: usize,
    count: usize,
    x: usize,
    y: usize,
    /// Offset of the image.
    base: usize,
}

impl Source for Window<'_> {
    fn block(&self, vectors: Range<usize>, depths: Range<usize>, width: usize, out: &mut [f32]) {
        let segments = self.segments(vectors);
        let rows = out.chunks_mut(width).take(depths.len());
        for (row, tap) in rows.zip(self.taps(depths.start)) {
            for segment in &segments {
                self.fill(segment, tap, &mut row[segment.at..]);
            }
        }
    }

    /// The range over all elements, used or not, and the zeros around them.
    fn magnitudes(&self, scan: Scan) -> MagnitudeRange {
        scan.numbers(self.data)
    }

    fn zeros(&self) -> f64 {
        share_of_zeros(self.data)
    }
}

/// A [`Window`] with vectors and depth exchanged.
struct TransposedWindow<'a>(Window<'a>);

/// Places gathered at once, so that their elements and the output stay in the first-level cache.
const PLACES: usize = 64;

impl Source for TransposedWindow<'_> {
    fn block(&self, vectors: Range<usize>, depths: Range<usize>, width: usize, out: &mut [f32]) {
        let mut rows = vec![0.0; vectors.len() * PLACES];
        for start in depths.clone().step_by(PLACES) {
            let places = start..(start + PLACES).min(depths.end);
            let segments = self.0.segments(places.clone());
            for (row, tap) in rows.chunks_exact_mut(PLACES).zip(self.0.taps(vectors.start)) {
                for segment in &segments {
                    self.0.fill(segment, tap, &mut row[segment.at..]);
                }
            }
            transpose(
                &rows,
                PLACES,
                [vectors.len(), places.len()],
                &mut out[(start - depths.start) * width..],
                width,
            );
        }
    }

    fn magnitudes(&self, scan: Scan) -> MagnitudeRange {
        self.0.magnitudes(scan)
    }

    fn zeros(&self) -> f64 {
        self.0.zeros()
    }
}

/// Vectors whose depth has two levels, of which the inner one is dense.
struct TwoLevel<'a> {
    data: &'a [f32],
    vectors: usize,
    vector_stride: usize,
    outer: usize,
    outer_stride: usize,
    inner: usize,
}

impl Source for TwoLevel<'_> {
    fn block(&self, vectors: Range<usize>, depths: Range<usize>, width: usize, out: &mut [f32]) {
        let mut depth = depths.start;
        while depth < depths.end {
            let (outer, inner) = (depth / self.inner, depth % self.inner);
            let count = (self.inner - inner).min(depths.end - depth);
            let source = &self.data[vectors.start * self.vector_stride + outer * self.outer_stride + inner..];
            let out = &mut out[(depth - depths.start) * width..];
            transpose(source, self.vector_stride, [vectors.len(), count], out, width);
            depth += count;
        }
    }

    fn magnitudes(&self, scan: Scan) -> MagnitudeRange {
        let mut magnitudes = MagnitudeRange::EMPTY;
        for vector in 0..self.vectors {
            let data = &self.data[vector * self.vector_stride..];
            magnitudes = magnitudes.joined(scan.rows(data, self.outer, self.outer_stride, self.inner));
        }
        magnitudes
    }

    fn zeros(&self) -> f64 {
        share_of_zeros(self.data)
    }
}
