//! Reductions and dot products of blocks (P3109 4.0 §5.3) as hardware computes them: the elements under an operator, in
//! a stated order of accumulation, and the scales at the end. [`binade::ops::block`] has P3109's own operations, which
//! round once.

use binade::catalog::F32;
use binade::ops::BlockError;
use binade::ops::block::{Block, block_sum};
use binade::{Datum, Flags, Format, Operator, Projection, Rounded, SumDraws, project};
use thiserror::Error;

use crate::order::Order;
use crate::reference::{self, accumulate};

/// An error in the blocks to be summed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum BlockSumError {
    /// Blocks whose shapes or formats do not fit.
    #[error(transparent)]
    Block(#[from] BlockError),
    /// An element that operators cannot take.
    #[error("element {code:#x} of {format} is not a number of binary32, which operators take")]
    Element {
        /// Its format.
        format: Format,
        /// Its code.
        code: u64,
    },
}

/// sₓ · s_y · Σ xᵢ · yᵢ. The sum from +0 under an operator, in an order ([`crate::reference::dot`]), times both scales,
/// rounded once to `to`. A stochastic accumulator takes the words of element (0, 0) of `draws`.
///
/// # Errors
/// Blocks of different sizes, elements that are not binary32 numbers, or scales with too many bits.
pub fn block_dot_product(
    operator: &Operator,
    order: Order,
    draws: &SumDraws,
    x: Block<'_>,
    y: Block<'_>,
    to: Format,
    how: Projection,
) -> Result<Rounded, BlockSumError> {
    let (a, b) = (elements(x)?, elements(y)?);
    Ok(block_sum(reference::dot_drawn(operator, order, draws, &a, &b, 0.0), &[x, y], to, how)?)
}

/// s · Σ xᵢ, computed as [`block_dot_product`] of xᵢ and 1.
///
/// # Errors
/// Those of [`block_dot_product`].
pub fn block_reduce_add(
    operator: &Operator,
    order: Order,
    draws: &SumDraws,
    x: Block<'_>,
    to: Format,
    how: Projection,
) -> Result<Rounded, BlockSumError> {
    let a = elements(x)?;
    let ones = vec![1.0; a.len()];
    Ok(block_sum(reference::dot_drawn(operator, order, draws, &a, &ones, 0.0), &[x], to, how)?)
}

/// The definition of one element of a product of matrices in blocks ([`crate::BlockMultiplier`]). It takes two vectors
/// in blocks, pair by pair, and the scales of their tensors.
///
/// The accumulator c starts at +0. For each pair of blocks, in order:
///
/// 1. Σ xᵢ · yᵢ is summed from +0 under the operator and in the order ([`crate::reference::dot`]).
/// 2. The exact product of that sum with sₓ and s_y is rounded once to binary32, which gives x.
/// 3. c ← c + x in the accumulator's arithmetic ([`crate::reference::accumulate`]).
///
/// At the end c is multiplied by the scales of the tensors, and the exact product rounded once to binary32. MX's
/// DotGeneral, the block-scaled products of matrix units and DeepSeek's kernels add in this way: a block in the matrix
/// unit, the scaled sums of blocks in binary32, a tensor's scale last.
///
/// In the order `exact` the result is the exact value of the whole expression, rounded once to the accumulator
/// ([`binade::ops::block::block_dot_products`]).
///
/// # Errors
/// The errors of [`block_dot_product`]. In the order `exact`, an operator that is not a pair of formats is treated as
/// f32:f32.
pub fn dot(
    operator: &Operator,
    order: Order,
    pairs: &[(Block<'_>, Block<'_>)],
    over: &[Datum],
) -> Result<f32, BlockSumError> {
    let how = Projection::default();
    let as_f32 = |rounded: Rounded| f32::from_bits(rounded.code as u32);
    if order == Order::Exact {
        let (inputs, accumulator) = operator.as_pair().unwrap_or((F32, F32));
        let taken = |block: &Block<'_>| -> Vec<Datum> {
            let rounded = |element: &Datum| {
                let rounded = project(inputs, element.value(), how);
                match rounded.flags.contains(Flags::INEXACT) {
                    // Unchanged, with no more bits than it needs.
                    false => *element,
                    true => {
                        Datum::new(inputs, rounded.code).expect("a projection gives a code of its format")
                    }
                }
            };
            block.elements.iter().map(rounded).collect()
        };
        let taken: Vec<_> = pairs.iter().map(|(x, y)| (taken(x), taken(y))).collect();
        let pairs: Vec<_> = pairs
            .iter()
            .zip(&taken)
            .map(|((x, y), (a, b))| (Block { elements: a, ..*x }, Block { elements: b, ..*y }))
            .collect();
        let total = binade::ops::block::block_dot_products(&pairs, over, accumulator, how)?;
        return Ok(as_f32(project(F32, binade::decode(accumulator, total.code), how)));
    }
    let mut c = 0.0;
    for &(x, y) in pairs {
        let scaled = block_dot_product(operator, order, &SumDraws::new(0), x, y, F32, how)?;
        c = accumulate(operator, as_f32(scaled) as f64, c);
    }
    if over.is_empty() {
        return Ok(c);
    }
    let factors: Vec<_> = over.iter().map(|&scale| Block { scale, elements: &[] }).collect();
    Ok(as_f32(block_sum(c, &factors, F32, how)?))
}

/// The elements as binary32 numbers; blocks have no −0 (§4.8.1).
fn elements(block: Block<'_>) -> Result<Vec<f32>, BlockSumError> {
    let element = |element: &Datum| {
        let rounded = project(F32, element.without_negative_zero().value(), Projection::default());
        match rounded.flags.contains(Flags::INEXACT) {
            true => Err(BlockSumError::Element { format: element.format(), code: element.code() }),
            false => Ok(f32::from_bits(rounded.code as u32)),
        }
    };
    block.elements.iter().map(element).collect()
}

#[cfg(test)]
mod tests {
    use binade::catalog::{BF16, F64};
    use binade::ops::block;
    use binade::philox::Stream;
    use binade::{Rounding, Saturation, Spec, Value};

    use super::*;

    const HOW: Projection = Projection::new(Rounding::NearestEven, Saturation::Overflow);
    const DRAWS: SumDraws = SumDraws::new(0);

    fn data(format: Format, stream: &mut Stream, count: usize) -> Vec<Datum> {
        let code = |_| Datum::new(format, u64::from(stream.word()) & ((1 << format.width()) - 1)).unwrap();
        (0..count).map(code).collect()
    }

    fn format(name: &str) -> Format {
        name.parse::<Spec>().unwrap().format
    }

    fn f32s(values: &[f32]) -> Vec<Datum> {
        values.iter().map(|x| Datum::new(F32, u64::from(x.to_bits())).unwrap()).collect()
    }

    /// The order `exact` with an accumulator that represents the sum, against P3109's operation, which adds after
    /// scaling.
    #[test]
    fn exact_sums_within_binary32_equal_p3109_operations() {
        let (scales, elements) = (format("float8_e8m0fnu"), format("float4_e2m1fn"));
        let operator: Operator = "f32:f32".parse().unwrap();
        let mut stream = Stream::new(5);
        for _ in 0..2000 {
            let (sx, sy) = (data(scales, &mut stream, 1)[0], data(scales, &mut stream, 1)[0]);
            let (x, y) = (data(elements, &mut stream, 32), data(elements, &mut stream, 32));
            let (x, y) = (Block { scale: sx, elements: &x }, Block { scale: sy, elements: &y });
            for to in [F32, BF16, format("binary8p3se")] {
                let ours = block_dot_product(&operator, Order::Exact, &DRAWS, x, y, to, HOW).unwrap();
                assert_eq!(ours, block::block_dot_product(x, y, to, HOW).unwrap());
                let ours = block_reduce_add(&operator, Order::Exact, &DRAWS, x, to, HOW).unwrap();
                assert_eq!(ours, block::block_reduce_add(x, to, HOW).unwrap());
            }
        }
    }

    #[test]
    fn block_sums_depend_on_accumulator_and_order() {
        // 256 + 1 + 1 in BF16, whose unit beyond 256 is 2.
        let one = f32s(&[1.0; 3]);
        let x = f32s(&[256.0, 1.0, 1.0]);
        let scale = f32s(&[0.5])[0];
        let (x, y) = (Block { scale, elements: &x }, Block { scale, elements: &one });
        let operator: Operator = "bf16:bf16".parse().unwrap();
        let found = |order: &str| {
            let sum = block_dot_product(&operator, order.parse().unwrap(), &DRAWS, x, y, F32, HOW).unwrap();
            f32::from_bits(sum.code as u32)
        };
        assert_eq!(found("sequential"), 64.0);
        assert_eq!(found("exact"), 64.5);
        // (256) + (1 + 1).
        assert_eq!(found("lanes:1"), 64.0);
        assert_eq!(found("pairwise"), 64.0);
        let sum = block_reduce_add(&operator, Order::Exact, &DRAWS, x, F32, HOW).unwrap();
        assert_eq!(f32::from_bits(sum.code as u32), 129.0);
    }

    #[test]
    fn blocks_of_wrong_shapes_are_errors() {
        let operator: Operator = "bf16:f32".parse().unwrap();
        let ones = f32s(&[1.0, 1.0]);
        let tenth = [Datum::new(F64, 0.1f64.to_bits()).unwrap(); 2];
        let scale = f32s(&[1.0])[0];
        let block = |scale, elements| Block { scale, elements };
        let dot = |x, y| block_dot_product(&operator, Order::Sequential, &DRAWS, x, y, F32, HOW).unwrap_err();
        let found = dot(block(scale, &tenth), block(scale, &ones));
        assert!(matches!(found, BlockSumError::Element { code, .. } if code == 0.1f64.to_bits()));
        let found = dot(block(scale, &ones), block(scale, &ones[..1]));
        assert!(matches!(found, BlockSumError::Block(BlockError::Sizes { first: 2, other: 1 })));
        let found = dot(block(tenth[0], &ones), block(scale, &ones));
        assert!(matches!(found, BlockSumError::Block(BlockError::Precision { scale: 53, .. })));
        let nan = f32s(&[f32::NAN, 1.0]);
        let sum = block_dot_product(
            &operator,
            Order::Sequential,
            &DRAWS,
            block(scale, &nan),
            block(scale, &ones),
            F32,
            HOW,
        );
        assert!(matches!(binade::decode(F32, sum.unwrap().code), Value::Nan { .. }));
    }

    #[test]
    fn stochastic_sums_of_blocks_take_the_words_of_their_draws() {
        let operator: Operator = "bf16:bf16/rounding=stochastic".parse().unwrap();
        let numbers: Vec<f32> = (0..40).map(|at| 1.0 + (at % 9) as f32 / 8.0).collect();
        let (elements, ones, scale) = (f32s(&numbers), f32s(&[1.0; 40]), f32s(&[2.0])[0]);
        let exact = 2.0 * numbers.iter().map(|&x| f64::from(x)).sum::<f64>();
        let mut sums = [vec![], vec![]];
        for row in 0..2000 {
            let draws = SumDraws::new(5).at(row, 0, 0);
            let order = Order::Sequential;
            let one = f32s(&[1.0])[0];
            let (x, y) = (Block { scale, elements: &elements }, Block { scale: one, elements: &ones });
            let dot = block_dot_product(&operator, order, &draws, x, y, F32, HOW).unwrap();
            let sum = block_reduce_add(&operator, order, &draws, x, F32, HOW).unwrap();
            let wanted = 2.0 * reference::dot_drawn(&operator, order, &draws, &numbers, &[1.0; 40], 0.0);
            for (sums, found) in sums.iter_mut().zip([dot, sum]) {
                let found = f32::from_bits(found.code as u32);
                assert_eq!(found, wanted, "row {row}");
                sums.push(f64::from(found));
            }
        }
        for sums in sums {
            let mean = sums.iter().sum::<f64>() / 2000.0;
            let variance = sums.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 1999.0;
            assert!(
                variance > 0.0 && (mean - exact).abs() < 5.0 * (variance / 2000.0).sqrt(),
                "{mean} {exact}"
            );
        }
    }
}
