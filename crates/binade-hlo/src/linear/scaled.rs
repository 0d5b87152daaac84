//! The custom call `__op$block_scaled_dot`: products of matrices that are given as elements and as the scales of their blocks.
//!
//! JAX lowers `jax.nn.scaled_matmul` to it. Operands are A (…, m, k), B (…, n, k), A's scales (…, m, k / a) and B's scales
//! (…, n, k / b); a fifth one, if present, is a factor for the whole result. Leading dimensions are those of a batch. `a` and `b` are
//! the lengths of blocks, as 32 for MXFP8 and 16 for NVFP4.
//!
//! The products of elements are added block by block in binary32, in index order with one rounding each. The sum of a block is
//! multiplied by both scales and rounded once, and added to the result in binary32. The result is rounded to its own type once.

use binade_fma::{BlockMatrix, BlockMultiplier, Matrix, Order};
use binade_stablehlo::{Data, ElementType, FloatType, Tensor};

use super::products::{Accumulation, Accumulator, F32, SHARED_EMULATED, Sizes};
use crate::error::EvalError;

/// The target of the custom call.
pub(crate) const BLOCK_SCALED_DOT: &str = "__op$block_scaled_dot";

/// Sizes of a product: those of the matrices, and the lengths of A's and of B's blocks.
struct Shape {
    sizes: Sizes,
    blocks: [usize; 2],
    result: Vec<usize>,
}

fn refuse<T>(facts: String) -> Result<T, EvalError> {
    Err(EvalError::shape(BLOCK_SCALED_DOT, facts))
}

impl Shape {
    fn new([a, b, of_a, of_b]: [&Tensor; 4]) -> Result<Shape, EvalError> {
        let all = [a, b, of_a, of_b].map(|x| &x.shape[..]);
        let (
            [[a @ .., m, k], [b @ .., n, other], [of_a @ .., rows, groups], [of_b @ .., columns, others]],
            true,
        ) = (all, all.iter().all(|shape| shape.len() >= 2))
        else {
            return refuse(format!("operands must have two dimensions or more: got {all:?}"));
        };
        if [b, of_a, of_b].iter().any(|batch| *batch != a) || k != other || m != rows || n != columns {
            return refuse(format!(
                "operands must have shapes [B, M, K], [B, N, K], [B, M, K / a] and [B, N, K / b]: got {all:?}"
            ));
        }
        let block = |groups: usize| match k.checked_div(groups) {
            Some(block) if block * groups == *k => Ok(block),
            _ => refuse(format!("the number of scales must divide {k}, the length of a row: got {groups}")),
        };
        let blocks = [block(*groups)?, block(*others)?];
        let batch = a.iter().product();
        Ok(Shape {
            sizes: Sizes { batch, rows: *m, depth: *k, columns: *n },
            blocks,
            result: [a, &[*m, *n]].concat(),
        })
    }
}

/// The greatest common divisor.
fn common(a: usize, b: usize) -> usize {
    if b == 0 { a } else { common(b, a % b) }
}

/// The scales of blocks, each written for every common block in it.
fn repeated(scales: &[f32], times: usize) -> Vec<f32> {
    scales.iter().flat_map(|&scale| std::iter::repeat_n(scale, times)).collect()
}

/// Computes the call.
///
/// # Errors
/// Operands that are not as the [module](self) says, or results that are not floating-point numbers.
pub(crate) fn block_scaled_dot(operands: &[&Tensor], result: &ElementType) -> Result<Tensor, EvalError> {
    let (inputs, factor) = match operands {
        [a, b, of_a, of_b] => ([*a, *b, *of_a, *of_b], None),
        [a, b, of_a, of_b, factor] => ([*a, *b, *of_a, *of_b], Some(*factor)),
        _ => return refuse(format!("it has four operands, or five with a factor: got {}", operands.len())),
    };
    let wide = ElementType::Float(FloatType::F64);
    let is_narrow = |element: &ElementType| match element {
        ElementType::Float(_) => *element != wide,
        ElementType::Integer { width, .. } => *width <= 8,
        _ => false,
    };
    if let Some(other) = operands.iter().find(|x| !is_narrow(&x.element)) {
        return Err(EvalError::element(BLOCK_SCALED_DOT, &other.element));
    }
    let Shape { sizes, blocks, result: shape } = Shape::new(inputs)?;
    let Sizes { rows, depth, columns, .. } = sizes;
    let whole = Accumulation { working: F32, how: Accumulator::Plain };
    let numbers = |x: &Tensor| whole.operand(x);
    let [a, b, of_a, of_b] = inputs.map(numbers);
    let mut sums = vec![0.0; shape.iter().product()];
    if let (Data::F32(a), Data::F32(b), Data::F32(of_a), Data::F32(of_b)) = (&*a?, &*b?, &*of_a?, &*of_b?)
        && sizes.products() > 0
    {
        let threads = if sizes.products() >= SHARED_EMULATED { rayon::current_num_threads() } else { 1 };
        let operator = "f32:f32".parse().map_err(|error| EvalError::shape(BLOCK_SCALED_DOT, error))?;
        let multiplier = BlockMultiplier::new(operator, Order::Sequential);
        let multiplier = multiplier.map_err(|error| EvalError::shape(BLOCK_SCALED_DOT, error))?;
        let multiplier = multiplier.with_threads(threads);
        let block = common(blocks[0], blocks[1]);
        let scales = [repeated(of_a, blocks[0] / block), repeated(of_b, blocks[1] / block)];
        let wide = depth / block;
        let matrices = a.chunks_exact(rows * depth).zip(b.chunks_exact(columns * depth));
        let scales = scales[0].chunks_exact(rows * wide).zip(scales[1].chunks_exact(columns * wide));
        for ((matrices, scales), sums) in matrices.zip(scales).zip(sums.chunks_exact_mut(rows * columns)) {
            let of = |elements, scales, rows| {
                let elements = Matrix::new(elements, rows, depth)?;
                BlockMatrix::new(elements, Matrix::new(scales, rows, wide)?, (1, block), 1.0)
            };
            let (left, right) = (of(matrices.0, scales.0, rows)?, of(matrices.1, scales.1, columns)?);
            multiplier.product(left, right.transposed(), sums)?;
        }
    }
    if let Some(factor) = factor {
        match &*numbers(factor)? {
            Data::F32(factor) if factor.len() == 1 => sums.iter_mut().for_each(|sum| *sum *= factor[0]),
            _ => return refuse(format!("the factor must be one number: got shape {:?}", factor.shape)),
        }
    }
    whole.finish(Data::F32(sums), shape, result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::convert::convert;

    fn tensor(float: FloatType, shape: &[usize], values: impl Fn(usize) -> f32) -> Tensor {
        let count = shape.iter().product();
        let numbers = Data::F32((0..count).map(values).collect());
        let numbers = Tensor::new(F32, shape.to_vec(), numbers);
        let element = ElementType::Float(float);
        let data = convert(&numbers, &element).unwrap();
        Tensor::new(element, shape.to_vec(), data)
    }

    fn wide(x: &Tensor) -> Vec<f64> {
        match convert(x, &ElementType::Float(FloatType::F64)).unwrap() {
            Data::F64(numbers) => numbers,
            _ => panic!("binary64"),
        }
    }

    #[test]
    fn products_equal_those_of_scaled_numbers() {
        for (elements, scales, blocks) in [
            (FloatType::F8E4M3FN, FloatType::F8E8M0FNU, [32, 32]),
            (FloatType::F8E5M2, FloatType::F8E8M0FNU, [32, 16]),
            (FloatType::F4E2M1FN, FloatType::F8E4M3FN, [16, 16]),
        ] {
            // Small integers times powers of two, whose sums are exact.
            let element = |at: usize| [0.0, 1.0, -2.0, 3.0, -0.5, 4.0][at * 7 % 6];
            let scale = |at: usize| [0.5, 1.0, 2.0, 4.0][at * 5 % 4];
            let (batch, m, n, k) = (2, 3, 5, 64);
            let a = tensor(elements, &[batch, m, k], element);
            let b = tensor(elements, &[batch, n, k], |at| element(at + 3));
            let of_a = tensor(scales, &[batch, m, k / blocks[0]], scale);
            let of_b = tensor(scales, &[batch, n, k / blocks[1]], |at| scale(at + 1));
            let found = block_scaled_dot(&[&a, &b, &of_a, &of_b], &F32).unwrap();
            assert_eq!(found.shape, [batch, m, n]);
            let [a, b, of_a, of_b] = [&a, &b, &of_a, &of_b].map(wide);
            for (at, found) in wide(&found).into_iter().enumerate() {
                let (matrix, row, column) = (at / (m * n), at / n % m, at % n);
                let (row, column) = (matrix * m + row, matrix * n + column);
                let product = |at: usize| {
                    a[row * k + at]
                        * b[column * k + at]
                        * of_a[(row * k + at) / blocks[0]]
                        * of_b[(column * k + at) / blocks[1]]
                };
                assert_eq!(found, (0..k).map(product).sum::<f64>(), "{elements:?} {at}");
            }
        }
    }

    #[test]
    fn factors_and_result_types_are_applied_once() {
        let ones = |shape: &[usize]| tensor(FloatType::F8E4M3FN, shape, |_| 1.0);
        let scales = |shape: &[usize]| tensor(FloatType::F8E8M0FNU, shape, |_| 2.0);
        let (a, of_a) = (ones(&[1, 32]), scales(&[1, 1]));
        let factor = tensor(FloatType::F32, &[], |_| 1.01);
        let bf16 = ElementType::Float(FloatType::Bf16);
        let found = block_scaled_dot(&[&a, &a, &of_a, &of_a, &factor], &bf16).unwrap();
        // 32 · 4 · 1.01 is 129.28, and numbers of BF16 from 128 on are integers.
        assert_eq!((wide(&found), found.shape), (vec![129.0], vec![1, 1]));
    }

    #[test]
    fn wrong_operands_are_named() {
        let ones = |shape: &[usize]| tensor(FloatType::F8E4M3FN, shape, |_| 1.0);
        let error = |shapes: &[&[usize]]| {
            let operands: Vec<Tensor> = shapes.iter().map(|shape| ones(shape)).collect();
            block_scaled_dot(&operands.iter().collect::<Vec<_>>(), &F32).unwrap_err().to_string()
        };
        assert!(
            error(&[&[1, 4, 32], &[1, 4, 32], &[1, 4, 1]])
                .contains("it has four operands, or five with a factor: got 3")
        );
        assert!(error(&[&[4], &[4], &[1], &[1]]).contains("operands must have two dimensions or more"));
        assert!(error(&[&[1, 4, 32], &[1, 4, 16], &[1, 4, 1], &[1, 4, 1]]).contains("[B, M, K], [B, N, K]"));
        assert!(
            error(&[&[4, 32], &[4, 32], &[4, 5], &[4, 1]])
                .contains("must divide 32, the length of a row: got 5")
        );
        assert!(error(&[&[4, 32], &[4, 32], &[4, 0], &[4, 1]]).contains("must divide 32"));
        let one = ones(&[1, 1]);
        let two = ones(&[2]);
        let found = block_scaled_dot(&[&one, &one, &one, &one, &two], &F32).unwrap_err().to_string();
        assert!(found.contains("the factor must be one number: got shape [2]"), "{found}");
        let long = Tensor::new(ElementType::Float(FloatType::F64), vec![1, 1], Data::F64(vec![1.0]));
        assert!(block_scaled_dot(&[&long, &one, &one, &one], &F32).is_err());
    }
}
