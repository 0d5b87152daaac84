//! Computes convolutions of inputs with gaps without multiplying the gaps. The gradients of strided convolutions by
//! their input are of this form.
//!
//! Output places at the distance of a gap meet the same kernel positions, and gaps at all other positions. So each
//! residue class of places (a *phase*) is a convolution of the original input by a part of the kernel.
//!
//! The omitted products are with +0, which changes a sum only if the sum is −0. Such sums come from underflow and are
//! rare. If one occurs, the convolution is computed again with the gaps.

use std::sync::Arc;

use binade_fma::Multiplier;
use binade_stablehlo::ir::Convolution;
use binade_stablehlo::{Data, Tensor};

use super::{Arithmetic, F32, Shape};
use crate::buffer_pool;
use crate::error::EvalError;
use crate::movement::layout::{Layout, advance, copy, row_major};
use crate::movement::shape;

/// A phase of one dimension: `places` places `first`, `first` + gap, …. They meet `taps` kernel positions, from `tap`
/// on at the distance of a gap, in the input with this padding.
struct Phase {
    first: usize,
    places: usize,
    tap: usize,
    taps: usize,
    padding: (i64, i64),
}

/// Computes the convolution by phases; `None` if it has no gaps that may be omitted.
///
/// # Errors
/// Those of [`super::convolution`].
pub(super) fn convolution(
    shape: &Shape,
    lhs: &Tensor,
    rhs: &Tensor,
    multiplier: &Multiplier,
    arithmetic: Arithmetic,
) -> Result<Option<Tensor>, EvalError> {
    let a = shape.attributes;
    let regular = |dimension: usize| {
        a.lhs_dilation[dimension] == 1
            || a.window_strides[dimension] <= 1
                && a.rhs_dilation[dimension] == 1
                && !a.window_reversal[dimension]
    };
    let Data::F32(factors) = &*rhs.data else { return Ok(None) };
    if a.lhs_dilation.iter().all(|&gap| gap == 1)
        || !(0..shape.space()).all(regular)
        || shape.products() == 0
        || !multiplier.passes_zeros(factors)
    {
        return Ok(None);
    }
    let phases: Vec<Vec<Phase>> = (0..shape.space()).map(|dimension| shape.phases(dimension)).collect();
    let sizes = shape.result();
    let dense = row_major(&sizes);
    let mut sums: Vec<f32> = buffer_pool::zeros(sizes.iter().product());
    let counts: Vec<usize> = phases.iter().map(Vec::len).collect();
    let mut index = vec![0; counts.len()];
    loop {
        let phase: Vec<&Phase> = index.iter().zip(&phases).map(|(&at, phases)| &phases[at]).collect();
        // Places that only meet gaps stay +0.
        if phase.iter().all(|phase| phase.taps > 0 && phase.places > 0) {
            let attributes = Convolution {
                padding: phase.iter().map(|phase| phase.padding).collect(),
                lhs_dilation: vec![1; phase.len()],
                ..a.clone()
            };
            let kernel = part_of(rhs, a, &phase);
            let part = crate::linear::convolution::convolution(lhs, &kernel, &attributes, &F32, arithmetic)?;
            let mut to = Layout { offset: 0, strides: dense.clone() };
            for ((phase, &at), &gap) in phase.iter().zip(&a.output_spatial).zip(&a.lhs_dilation) {
                to.offset += to.strides[at] * phase.first as isize;
                to.strides[at] *= gap as isize;
            }
            let from = Layout { offset: 0, strides: row_major(&part.shape) };
            let Data::F32(elements) = &*part.data else { unreachable!("the result was to be binary32") };
            copy(&part.shape, elements, &from, &mut sums, &to);
            buffer_pool::give(part.data);
        }
        if !advance(&mut index, &counts) {
            break;
        }
    }
    if sums.iter().any(|sum| sum.to_bits() == (-0f32).to_bits()) {
        buffer_pool::give(Arc::new(Data::F32(sums)));
        return Ok(None);
    }
    Ok(Some(Tensor::new(F32, sizes, Data::F32(sums))))
}

/// The kernel positions that the places of a phase meet.
fn part_of(kernel: &Tensor, a: &Convolution, phase: &[&Phase]) -> Tensor {
    let rank = kernel.shape.len();
    let (mut start, mut steps, mut sizes) = (vec![0; rank], vec![1; rank], kernel.shape.clone());
    for ((phase, &at), &gap) in phase.iter().zip(&a.kernel_spatial).zip(&a.lhs_dilation) {
        (start[at], steps[at], sizes[at]) = (phase.tap, gap, phase.taps);
    }
    shape::slice(kernel, &start, &steps, &sizes)
}

impl Shape<'_> {
    /// The phases of a dimension; one if it has no gaps.
    fn phases(&self, dimension: usize) -> Vec<Phase> {
        let (places, taps) = (self.output[dimension], self.kernel[dimension]);
        let axis = self.axis(dimension);
        let (gap, before) = (axis.base_dilation, axis.before);
        if gap == 1 {
            let padding = self.attributes.padding[dimension];
            return vec![Phase { first: 0, places, tap: 0, taps, padding }];
        }
        let phase = |first: usize| {
            // Place p meets position t at element (p + t − before) / gap, if that is an integer.
            let tap = (before - first as i64).rem_euclid(gap);
            let before = (before - first as i64 - tap) / gap;
            let (places, tap) = (places.saturating_sub(first).div_ceil(gap as usize), tap as usize);
            let taps = taps.saturating_sub(tap).div_ceil(gap as usize);
            let after = places as i64 - 1 + taps as i64 - axis.size - before;
            Phase { first, places, tap, taps, padding: (before, after) }
        };
        (0..(gap as usize).min(places)).map(phase).collect()
    }
}

#[cfg(test)]
mod tests {
    use binade::Operator;

    use super::*;
    use crate::linear::convolution::tests::{plain, values};

    fn multiplier(operator: &str, order: &str) -> Multiplier {
        Multiplier::new(operator.parse().unwrap(), order.parse().unwrap()).unwrap()
    }

    fn tensor(shape: [usize; 4], values: Vec<f32>) -> Tensor {
        Tensor::new(F32, shape.to_vec(), Data::F32(values))
    }

    /// The convolution by phases, if it has them, and with the gaps.
    fn both(
        multiplier: &Multiplier,
        input: &Tensor,
        kernel: &Tensor,
        attributes: &Convolution,
    ) -> (Option<Vec<u32>>, Vec<u32>) {
        let shape = Shape::new(input, kernel, attributes).unwrap();
        let arithmetic = Arithmetic { multiplier: Some(multiplier), ..Arithmetic::default() };
        let bits = |data: &Data| match data {
            Data::F32(elements) => elements.iter().map(|x| x.to_bits()).collect::<Vec<u32>>(),
            _ => panic!("binary32"),
        };
        let given = convolution(&shape, input, kernel, multiplier, arithmetic).unwrap();
        let (Data::F32(x), Data::F32(w)) = (&*input.data, &*kernel.data) else { panic!("binary32") };
        let expected = Data::F32(shape.planar(multiplier, x, w).unwrap());
        if let Some(given) = &given {
            assert_eq!(given.shape, [shape.batch, shape.output_features, shape.output[0], shape.output[1]]);
        }
        (given.map(|given| bits(&given.data)), bits(&expected))
    }

    /// Phases and gaps give the same bits, for every combination of gaps, kernels and edges, under operators that make
    /// an omitted product visible.
    #[test]
    fn gaps_are_left_out_without_a_trace() {
        let operators = Operator::paper().map(|operator| operator.to_string());
        let others = ["f32:f32", "mp", "float8_e4m3fn:bf16", "bf16x2:bf16x2/3+exact", "bf16:bf16x2+flush"];
        let others = others.map(str::to_owned);
        for operator in operators.iter().chain(&others) {
            let multiplier = multiplier(operator, "sequential");
            let mut done = 0;
            for gaps in [[2, 2], [3, 1], [1, 2], [4, 3]] {
                for kernel in [[1, 1], [3, 3], [2, 5], [4, 1]] {
                    for padding in [(0, 0), (1, 2), (-1, 1), (2, -2)] {
                        let attributes = Convolution {
                            lhs_dilation: gaps.to_vec(),
                            padding: vec![padding, (padding.1, padding.0.max(1 - kernel[1] as i64))],
                            ..plain()
                        };
                        let input = tensor([2, 3, 4, 5], values(120, done));
                        let kernel =
                            tensor([4, 3, kernel[0], kernel[1]], values(12 * kernel[0] * kernel[1], 7));
                        let (given, expected) = both(&multiplier, &input, &kernel, &attributes);
                        assert_eq!(given, Some(expected), "{operator} {attributes:?}");
                        done += 1;
                    }
                }
            }
            assert_eq!(done, 64);
        }
    }

    /// Products that underflow to −0 are noticed, and the gaps are multiplied.
    #[test]
    fn a_sum_that_is_negative_zero_has_its_gaps() {
        let attributes = Convolution { lhs_dilation: vec![2, 2], padding: vec![(2, 2); 2], ..plain() };
        let (input, kernel) = (tensor([1, 1, 2, 2], vec![1e-30; 4]), tensor([1, 1, 3, 3], vec![-1e-30; 9]));
        let (given, expected) = both(&multiplier("f32:f32", "sequential"), &input, &kernel, &attributes);
        assert_eq!(given, None);
        assert!(expected.contains(&(-0f32).to_bits()));
        let positive = tensor([1, 1, 3, 3], vec![1e-30; 9]);
        let (given, expected) = both(&multiplier("f32:f32", "sequential"), &input, &positive, &attributes);
        assert_eq!(given, Some(expected));
    }

    /// Gaps are not omitted if a kernel element is not finite, or the order or the operator makes them visible.
    #[test]
    fn what_gaps_may_not_be_left_out_of() {
        let passes = |operator, order, factor: f32| multiplier(operator, order).passes_zeros(&[0.5, -factor]);
        assert!(passes("f32:f32", "sequential", 3e38));
        assert!(!passes("f32:f32", "sequential", f32::INFINITY));
        assert!(!passes("f32:f32", "sequential", f32::NAN));
        assert!(!passes("f32:f32", "blocked:4", 1.0));
        // Exceeds the inputs' largest number, so that it rounds to NaN.
        assert!(passes("float8_e4m3fn:f32", "sequential", 448.0));
        assert!(!passes("float8_e4m3fn:f32", "sequential", 1000.0));
        assert!(!passes("bf16:bf16", "sequential", f32::MAX));
        // These formats have no zero.
        assert!(!passes("float8_e8m0fnu:f32", "sequential", 1.0));
        assert!(!passes("bf16x2:bf16x2/3+listing", "sequential", 1.0));
    }
}
