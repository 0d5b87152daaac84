//! Convolutions under a quantised product, as the product of a matrix of patches with the kernel as a matrix.
//!
//! A patch has the elements that one result sums: for each kernel position, the last spatial dimension fastest, all input features.
//! Features are thus innermost, and the length of a patch is the depth of the product. Padding and gaps are zeros. Rows are patches,
//! in the order batch, output position; the matrix of the kernel has a row for each element of a patch and a column for each output
//! feature. Each group of features or of the batch is a product with matrices of its own.

use binade_fma::{Patches, Quantized, QuantizedProduct};
use binade_kernels::KernelError;
use binade_simd::threads;
use binade_stablehlo::{Data, ElementType, Tensor};

use super::super::products::{Accumulation, Accumulator, F32, SHARED_EMULATED, permuted};
use super::{Shape, arranged};
use crate::buffer_pool;
use crate::error::EvalError;
use crate::movement::layout;

/// Patches that a thread copies at once.
const TOGETHER: usize = 64;

/// Computes a convolution of floating-point numbers under a quantised product.
pub(super) fn convolution(
    product: &QuantizedProduct,
    shape: &Shape,
    lhs: &Tensor,
    rhs: &Tensor,
    result: &ElementType,
) -> Result<Tensor, EvalError> {
    let a = shape.attributes;
    let whole = Accumulation { working: F32, how: Accumulator::Plain };
    let features_last = |first: usize, space: &[usize], last: usize| [&[first], space, &[last]].concat();
    let order = features_last(a.input_batch, &a.input_spatial, a.input_feature);
    let input = arranged(whole.operand(lhs)?, &lhs.shape, &order);
    let order = [&a.kernel_spatial[..], &[a.kernel_input_feature, a.kernel_output_feature]].concat();
    let kernel = arranged(whole.operand(rhs)?, &rhs.shape, &order);
    let groups = a.feature_groups * a.batch_groups;
    let images = shape.batch / a.batch_groups;
    let outputs = shape.output_features / groups;
    let taps: usize = shape.kernel.iter().product();
    let places: usize = shape.output.iter().product();
    let depth = taps * (shape.input_features / a.feature_groups);
    let rows = images * places;
    let mut sums = buffer_pool::zeros(rows * shape.output_features);
    if let (Data::F32(input), Data::F32(kernel)) = (&*input, &*kernel)
        && rows * depth * outputs > 0
    {
        let shared = rows.saturating_mul(depth).saturating_mul(outputs) >= SHARED_EMULATED;
        let product = product.clone().with_threads(if shared { rayon::current_num_threads() } else { 1 });
        let wrong = |error| EvalError::shape("convolution", error);
        let sources = shape.sources();
        for group in 0..groups {
            let once = shape.left_by_pixels(&product, input, &sources, group, shared).map_err(wrong)?;
            let left = match once {
                Some(left) => left,
                None => {
                    let patches = shape.patches(input, &sources, group, shared);
                    let left = product.left(&patches, depth, group).map_err(wrong)?;
                    buffer_pool::give(std::sync::Arc::new(Data::F32(patches)));
                    left
                }
            };
            let right =
                product.right(&shape.kernel_matrix(kernel, group), depth, outputs, group).map_err(wrong)?;
            let mut part = buffer_pool::zeros(rows * outputs);
            product.rows(&left, &right, (0, outputs), &mut part)?;
            product.finish(&mut part, outputs, group).map_err(wrong)?;
            for (from, to) in part.chunks_exact(outputs).zip(sums.chunks_exact_mut(shape.output_features)) {
                to[group * outputs..][..outputs].copy_from_slice(from);
            }
            buffer_pool::give(std::sync::Arc::new(Data::F32(part)));
        }
    }
    let mut sizes = vec![images];
    sizes.extend(&shape.output);
    sizes.push(shape.output_features);
    // The place of each dimension of the result among those of the sums.
    let order = features_last(a.output_batch, &a.output_spatial, a.output_feature);
    let mut place = vec![0; order.len()];
    for (from, &to) in order.iter().enumerate() {
        place[to] = from;
    }
    let sums = Data::F32(sums);
    let sums = if place.is_sorted() { sums } else { permuted(&sums, &sizes, &place) };
    whole.finish(sums, shape.result(), result)
}

impl Shape<'_> {
    /// The quantised patches of a group, if each pixel can be quantised once and then copied to its patches.
    fn left_by_pixels(
        &self,
        product: &QuantizedProduct,
        input: &[f32],
        sources: &[Option<usize>],
        group: usize,
        shared: bool,
    ) -> Result<Option<Quantized>, KernelError> {
        let a = self.attributes;
        let (images, features) = (self.batch / a.batch_groups, self.input_features / a.feature_groups);
        let (plane, taps, places): (usize, usize, usize) =
            (self.input.iter().product(), self.kernel.iter().product(), self.output.iter().product());
        let padding = images * plane;
        if images * places * taps <= padding || u32::try_from(padding).is_err() {
            return Ok(None);
        }
        let (first_image, first_feature) =
            if a.batch_groups > 1 { (group * images, 0) } else { (0, group * features) };
        let of_image = |image: usize| {
            (0..places).flat_map(move |place| {
                let pixel = move |tap: usize| sources[tap * places + place];
                (0..taps).map(move |tap| pixel(tap).map_or(padding, |source| image * plane + source) as u32)
            })
        };
        let of_patches: Vec<u32> = (0..images).flat_map(of_image).collect();
        let mut pixels = buffer_pool::zeros((padding + 1) * features);
        let all = input[first_image * plane * self.input_features..].chunks_exact(self.input_features);
        for (to, from) in pixels.chunks_exact_mut(features).take(padding).zip(all) {
            to.copy_from_slice(&from[first_feature..first_feature + features]);
        }
        let patches = Patches { pixels: &pixels, features, sources: &of_patches, taps };
        let left = product.left_of_patches(&patches, group, shared);
        buffer_pool::give(std::sync::Arc::new(Data::F32(pixels)));
        left
    }

    /// The patches of a group. `input` has the order batch, space, features.
    fn patches(&self, input: &[f32], sources: &[Option<usize>], group: usize, shared: bool) -> Vec<f32> {
        let a = self.attributes;
        let images = self.batch / a.batch_groups;
        let features = self.input_features / a.feature_groups;
        let (plane, taps, places): (usize, usize, usize) =
            (self.input.iter().product(), self.kernel.iter().product(), self.output.iter().product());
        let (first_image, first_feature) =
            if a.batch_groups > 1 { (group * images, 0) } else { (0, group * features) };
        let depth = taps * features;
        let mut patches = buffer_pool::zeros(images * places * depth);
        threads::chunks(shared, &mut patches, TOGETHER * depth, |chunk, patches| {
            for (row, patch) in (chunk * TOGETHER..).zip(patches.chunks_exact_mut(depth)) {
                let (image, place) = (first_image + row / places, row % places);
                for (tap, to) in patch.chunks_exact_mut(features).enumerate() {
                    if let Some(source) = sources[tap * places + place] {
                        let from = (image * plane + source) * self.input_features + first_feature;
                        to.copy_from_slice(&input[from..from + features]);
                    }
                }
            }
        });
        patches
    }

    /// The matrix of a group's kernel, depth × output features. `kernel` has the order space, input features, output features.
    fn kernel_matrix(&self, kernel: &[f32], group: usize) -> Vec<f32> {
        let a = self.attributes;
        let features = self.input_features / a.feature_groups;
        let outputs = self.output_features / (a.feature_groups * a.batch_groups);
        let mut matrix = Vec::with_capacity(kernel.len() / self.output_features * outputs);
        let mut index = vec![0; self.kernel.len()];
        for _ in 0..self.kernel.iter().product() {
            let along = index.iter().zip(&self.kernel).zip(&a.window_reversal);
            let tap = along.fold(0, |tap, ((&at, &size), &reversed)| {
                tap * size + if reversed { size - 1 - at } else { at }
            });
            for feature in 0..features {
                let from = (tap * features + feature) * self.output_features + group * outputs;
                matrix.extend(&kernel[from..from + outputs]);
            }
            layout::advance(&mut index, &self.kernel);
        }
        matrix
    }
}

#[cfg(test)]
mod tests {
    use binade_fma::Order;
    use binade_stablehlo::FloatType;
    use binade_stablehlo::ir::Convolution;

    use super::super::tests::{plain, values};
    use super::*;
    use crate::linear::Arithmetic;

    fn product(quantizers: [&str; 2], operator: &str) -> QuantizedProduct {
        let quantizers = quantizers.map(|text| text.parse().unwrap());
        QuantizedProduct::new(quantizers, operator.parse().unwrap(), Order::Sequential).unwrap()
    }

    fn tensor(shape: &[usize], seed: usize) -> Tensor {
        let count = shape.iter().product();
        Tensor::new(ElementType::Float(FloatType::F32), shape.to_vec(), Data::F32(values(count, seed)))
    }

    fn numbers(x: &Tensor) -> &[f32] {
        match &*x.data {
            Data::F32(numbers) => numbers,
            _ => panic!("binary32"),
        }
    }

    /// Variants of a convolution of 4 images of 6 features and 5 × 7 elements, with the shape of their kernel.
    fn variants() -> Vec<(Convolution, [usize; 4])> {
        let plain = plain();
        vec![
            (plain.clone(), [8, 6, 3, 2]),
            (Convolution { window_strides: vec![2, 3], ..plain.clone() }, [8, 6, 3, 2]),
            (Convolution { window_reversal: vec![true, false], ..plain.clone() }, [8, 6, 3, 2]),
            (
                Convolution { lhs_dilation: vec![2, 1], rhs_dilation: vec![1, 2], ..plain.clone() },
                [8, 6, 3, 2],
            ),
            (Convolution { padding: vec![(-1, 2), (1, 0)], ..plain.clone() }, [8, 6, 3, 2]),
            (Convolution { feature_groups: 3, ..plain.clone() }, [6, 2, 3, 2]),
            // Depthwise.
            (Convolution { feature_groups: 6, ..plain.clone() }, [6, 1, 2, 2]),
            (Convolution { batch_groups: 2, ..plain }, [8, 6, 3, 2]),
        ]
    }

    /// The element (image, feature, y, x) of the input that kernel position (u, v) meets at output position (i, j).
    fn met(
        c: &Convolution,
        input: &[f32],
        [image, feature]: [usize; 2],
        [i, j]: [usize; 2],
        [u, v]: [usize; 2],
    ) -> f32 {
        let along = |axis: usize, output: usize, tap: usize, size: usize| {
            let tap = tap * c.rhs_dilation[axis];
            let at = (output * c.window_strides[axis] + tap) as i64 - c.padding[axis].0;
            let by = c.lhs_dilation[axis] as i64;
            (at >= 0 && at % by == 0 && at / by < size as i64).then_some((at / by) as usize)
        };
        match (along(0, i, u, 5), along(1, j, v, 7)) {
            (Some(y), Some(x)) => input[((image * 6 + feature) * 5 + y) * 7 + x],
            _ => 0.0,
        }
    }

    /// The sums of each output element of a convolution, by `sum(patch, kernel column, group)`; patches have features innermost.
    fn by_patches(
        c: &Convolution,
        input: &Tensor,
        kernel: &Tensor,
        sizes: &[usize],
        multiply: impl Fn(&[f32], &[f32], usize, usize) -> Vec<f32>,
    ) -> Vec<f32> {
        let [outputs, features, height, width] = kernel.shape[..] else { panic!("four dimensions") };
        let [images, _, rows, columns] = sizes[..] else { panic!("four dimensions") };
        let groups = c.feature_groups * c.batch_groups;
        let own = outputs / groups;
        let mut all = vec![0.0; images * outputs * rows * columns];
        let taps = || (0..height).flat_map(|u| (0..width).map(move |v| [u, v]));
        for group in 0..groups {
            let (first_image, first_feature) =
                if c.batch_groups > 1 { (group * images, 0) } else { (0, group * features) };
            let mut patches = vec![];
            for image in 0..images {
                for place in 0..rows * columns {
                    for tap in taps() {
                        patches.extend((0..features).map(|feature| {
                            let from = [first_image + image, first_feature + feature];
                            met(c, numbers(input), from, [place / columns, place % columns], tap)
                        }));
                    }
                }
            }
            let mut matrix = vec![];
            for [u, v] in taps() {
                let flip = |at: usize, size: usize, axis: usize| {
                    if c.window_reversal[axis] { size - 1 - at } else { at }
                };
                let (u, v) = (flip(u, height, 0), flip(v, width, 1));
                for feature in 0..features {
                    matrix.extend((0..own).map(|output| {
                        numbers(kernel)
                            [(((group * own + output) * features + feature) * height + u) * width + v]
                    }));
                }
            }
            let sums = multiply(&patches, &matrix, own, group);
            for (row, sums) in sums.chunks_exact(own).enumerate() {
                let (image, place) = (row / (rows * columns), row % (rows * columns));
                for (output, &sum) in sums.iter().enumerate() {
                    all[(image * outputs + group * own + output) * rows * columns + place] = sum;
                }
            }
        }
        all
    }

    fn convolved(c: &Convolution, product: &QuantizedProduct, input: &Tensor, kernel: &Tensor) -> Tensor {
        let arithmetic = Arithmetic { blocks: Some(product), ..Arithmetic::default() };
        super::super::convolution(input, kernel, c, &ElementType::Float(FloatType::F32), arithmetic).unwrap()
    }

    #[test]
    fn quantised_convolution_equals_product_of_patches() {
        for quantizers in [
            ["mxfp8_e4m3", "mxfp8_e4m3"],
            ["nvfp4", "nvfp4/scale=16x16"],
            // The image has 6 channels, of which groups have 6, 3 or 2: blocks within a pixel, and across pixels.
            ["float8_e4m3fn/scale=1x3", "float8_e4m3fn/scale=1x6"],
            ["float4_e2m1fn/scale=1x2/scales=float8_e4m3fn/rule=four_over_six", "bf16"],
            [
                "float8_e5m2/scale=tensor/hadamard=2/signs=random",
                "float8_e4m3fn/scale=128x128/hadamard=2/signs=random",
            ],
            [
                "float4_e2m1fn/scale=tensor/scales=float8_e4m3fn",
                "float4_e2m1fn/scale=1x2/scales=float8_e4m3fn",
            ],
            ["float8_e4m3fn/scale=row", "float8_e4m3fn/scale=row"],
            ["none", "bf16"],
            ["bf16", "none"],
            ["mxint8/scale=1x1", "mxint8"],
            ["cfloat8_1_4_3/bias=learnt/by=mse", "bf16"],
            ["nvfp4/rounding=stochastic/hadamard=16/signs=random", "bf16"],
            ["cfloat8_1_4_3/bias=learnt", "cfloat8_1_5_2/bias=learnt"],
        ] {
            let product = product(quantizers, "f32:f32").with_key(9);
            for (c, shape) in variants() {
                let (input, kernel) = (tensor(&[4, 6, 5, 7], 1), tensor(&shape, 2));
                let found = convolved(&c, &product, &input, &kernel);
                let wanted =
                    by_patches(&c, &input, &kernel, &found.shape, |patches, matrix, columns, group| {
                        let depth = matrix.len() / columns;
                        let left = product.left(patches, depth, group).unwrap();
                        let right = product.right(matrix, depth, columns, group).unwrap();
                        let mut sums = vec![0.0; patches.len() / depth * columns];
                        product.rows(&left, &right, (0, columns), &mut sums).unwrap();
                        sums
                    });
                assert_eq!(numbers(&found), wanted, "{quantizers:?} {c:?}");
            }
        }
    }

    #[test]
    fn convolution_under_a_scale_for_each_tensor_equals_a_loop() {
        // E5M2 by a scale that makes the largest magnitude 57344, rounded to nearest even by its two fraction bits.
        let dequantised = |all: &[f32]| -> Vec<f64> {
            let scale = all.iter().fold(0f32, |most, x| most.max(x.abs())) / 57344.0;
            all.iter()
                .map(|&x| {
                    if x == 0.0 {
                        return 0.0;
                    }
                    let quotient = f64::from(x) / f64::from(scale);
                    let step = 2f64.powf((quotient.abs().log2().floor() - 2.0).max(-16.0));
                    (quotient / step).round_ties_even() * step * f64::from(scale)
                })
                .collect()
        };
        let quantizer = "float8_e5m2/scale=tensor";
        let product = product([quantizer, quantizer], "f32:f32");
        let c = plain();
        let (input, kernel) = (tensor(&[4, 6, 5, 7], 3), tensor(&[8, 6, 3, 2], 4));
        let found = convolved(&c, &product, &input, &kernel);
        let wanted = by_patches(&c, &input, &kernel, &found.shape, |patches, matrix, columns, _| {
            let depth = matrix.len() / columns;
            let (a, b) = (dequantised(patches), dequantised(matrix));
            let rows = a.len() / depth;
            let sum = |at: usize| -> f64 {
                let (row, column) = (at / columns, at % columns);
                (0..depth).map(|k| a[row * depth + k] * b[k * columns + column]).sum()
            };
            (0..rows * columns).map(|at| sum(at) as f32).collect()
        });
        let plain = super::super::convolution(
            &input,
            &kernel,
            &c,
            &ElementType::Float(FloatType::F32),
            Arithmetic::default(),
        );
        let mut error = [0f64; 2];
        for ((&found, &wanted), &exact) in numbers(&found).iter().zip(&wanted).zip(numbers(&plain.unwrap())) {
            assert!((found - wanted).abs() <= 2e-5, "{found} {wanted}");
            error[0] = error[0].max(f64::from(found - wanted).abs());
            error[1] = error[1].max(f64::from(found - exact).abs());
        }
        // Quantisation changes sums by far more than the order of addition does.
        assert!(error[1] > 100.0 * error[0], "{error:?}");
    }
}
