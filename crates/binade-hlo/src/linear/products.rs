//! Sums of products on every element type, for `dot_general`, convolutions and their variants.
//!
//! # Semantics
//! | operands | `wide` | `reference` |
//! |---|---|---|
//! | binary32 and below | fused multiply-adds in binary32, in index order of the contracted dimensions, from +0 on; the sum is rounded to the result type once | every product and every partial sum is rounded to the result type, in index order |
//! | binary64 | in binary64, every product and every partial sum rounded, in index order | the same |
//! | integers | modulo 2^width of the result | the same |
//! | `i1` | disjunction of conjunctions | the same |
//! | complex | every component's product and sum rounded, in index order | the same |
//! | quantized | dequantized, computed in the expressed type, and quantized | the same |
//!
//! A dot algorithm or a rule's operator takes precedence over both: see [`dot_general`] and
//! [`crate::arithmetic::rules`]. Results do not depend on the number of threads or on the instruction set.

use std::sync::{Arc, LazyLock};

use binade::{Operator, Spec};
use binade_fma::{Matrix, MatrixMut, Multiplier, Order, QuantizedProduct, ShapeError};
use binade_kernels::Rounder;
use binade_simd::lanes::{Lanes, Leg};
use binade_simd::{Environment, Kernel, threads};
use binade_stablehlo::storage::Stored;
use binade_stablehlo::{Data, ElementType, FloatType, Tensor, map_storage};

use crate::arithmetic::convert::convert;
use crate::arithmetic::elementwise_blocks::multiply_c64;
use crate::arithmetic::instruction_set::ISA;
use crate::error::EvalError;
use crate::movement::layout::{self, Layout};

/// The arithmetic of an operation's sums of products.
#[derive(Clone, Copy, Debug, Default)]
pub struct Arithmetic<'a> {
    /// Every product and every partial sum is rounded to the result type (semantics `reference`).
    pub in_order: bool,
    /// The operator of a rule, which replaces the type's own arithmetic.
    pub multiplier: Option<&'a Multiplier>,
    /// The quantised product of a rule, for `dot_general` and convolutions.
    pub blocks: Option<&'a QuantizedProduct>,
}

/// The working type of sums, and the arithmetic.
pub(super) struct Accumulation {
    /// The type to which operands are converted and in which sums are formed.
    pub(super) working: ElementType,
    pub(super) how: Accumulator,
}

#[allow(clippy::large_enum_variant, reason = "there is one for a product")]
pub(super) enum Accumulator {
    /// A kernel of fused multiply-adds, in binary32.
    Multiplier(Multiplier),
    /// c + a · b, with the product and the sum rounded in the working type.
    Plain,
    /// c + a · b, with the product and the sum rounded to this type. The working type represents all of its values.
    Rounded(FloatType),
}

pub(super) const I32: ElementType = ElementType::Integer { signed: true, width: 32 };
pub(super) const I64: ElementType = ElementType::Integer { signed: true, width: 64 };
pub(super) const F32: ElementType = ElementType::Float(FloatType::F32);
pub(super) const F64: ElementType = ElementType::Float(FloatType::F64);

/// Fused multiply-adds of binary32 in index order.
pub(super) static SINGLE: LazyLock<Multiplier> =
    LazyLock::new(|| multiplier("f32:f32".parse::<Operator>().expect("an operator")));

pub(super) fn multiplier(operator: Operator) -> Multiplier {
    Multiplier::new(operator, Order::Sequential).expect("every operator goes in sequence")
}

/// The number of products whose sum binary32 forms exactly; its integers up to 2^24 are exact. `None` unless the
/// operands are integers of up to 8 bits and the result is one of up to 32.
pub(super) fn exact_depth(lhs: &ElementType, rhs: &ElementType, result: &ElementType) -> Option<usize> {
    let magnitude = |element: &ElementType| match *element {
        ElementType::Integer { signed, width: width @ ..=8 } => Some(width - u8::from(signed)),
        _ => None,
    };
    let sums = matches!(result, ElementType::Integer { width: ..=32, .. });
    Some(1 << (24 - magnitude(lhs)? - magnitude(rhs)?)).filter(|_| sums)
}

/// The operator with exact products that rounds the accumulator to a type after each one.
pub(super) fn rounding_to(accumulator: FloatType) -> Operator {
    let spec =
        |float: FloatType| float.name().parse::<Spec>().expect("the catalogue has every StableHLO type");
    Operator::pair(spec(FloatType::F32), spec(accumulator))
}

impl Accumulation {
    /// Chooses the arithmetic for operands and a result that are not quantized.
    pub(super) fn new(
        operation: &str,
        lhs: &ElementType,
        rhs: &ElementType,
        result: &ElementType,
        arithmetic: Arithmetic,
    ) -> Result<Accumulation, EvalError> {
        let all = [lhs, rhs, result];
        let plain = |working| Ok(Accumulation { working, how: Accumulator::Plain });
        let float = |element: &ElementType| match element {
            ElementType::Float(float) => Some(*float),
            _ => None,
        };
        if all.iter().any(|element| matches!(element, ElementType::Complex(_))) {
            let wide = all.iter().any(|element| matches!(element, ElementType::Complex(FloatType::F64)));
            return plain(ElementType::Complex(if wide { FloatType::F64 } else { FloatType::F32 }));
        }
        let Some(to) = float(result) else {
            let narrow = crate::arithmetic::integer::width(result) <= 32;
            return match result {
                ElementType::Bool | ElementType::Integer { .. } => plain(if narrow { I32 } else { I64 }),
                _ => Err(EvalError::result(operation, lhs, result)),
            };
        };
        if let Some(multiplier) = arithmetic.multiplier {
            return Ok(Accumulation { working: F32, how: Accumulator::Multiplier(multiplier.clone()) });
        }
        if all.contains(&&F64) {
            return plain(F64);
        }
        if !arithmetic.in_order {
            return Ok(Accumulation { working: F32, how: Accumulator::Multiplier(SINGLE.clone()) });
        }
        match to {
            FloatType::F32 => plain(F32),
            // Products of f8E8M0FNU underflow in binary32, and tf32 treats subnormal numbers in its own way.
            FloatType::F8E8M0FNU | FloatType::Tf32 => {
                Ok(Accumulation { working: F64, how: Accumulator::Rounded(to) })
            }
            _ => Ok(Accumulation { working: F32, how: Accumulator::Rounded(to) }),
        }
    }

    /// Uses all threads if there are enough multiply-adds.
    pub(super) fn shared_out(self, products: usize) -> Accumulation {
        let how = match self.how {
            Accumulator::Multiplier(multiplier) => {
                let native = multiplier.operator() == SINGLE.operator();
                let worthwhile = if native { SHARED } else { SHARED_EMULATED };
                let threads = if products < worthwhile { 1 } else { rayon::current_num_threads() };
                Accumulator::Multiplier(multiplier.with_threads(threads))
            }
            how => how,
        };
        Accumulation { how, ..self }
    }

    /// The elements in the working type.
    pub(super) fn operand(&self, x: &Tensor) -> Result<Arc<Data>, EvalError> {
        if x.element == self.working { Ok(x.data.clone()) } else { Ok(Arc::new(convert(x, &self.working)?)) }
    }

    /// The sums in the result type.
    pub(super) fn finish(
        &self,
        sums: Data,
        shape: Vec<usize>,
        result: &ElementType,
    ) -> Result<Tensor, EvalError> {
        let sums = Tensor::new(self.working.clone(), shape, sums);
        if self.working == *result {
            return Ok(sums);
        }
        let data = convert(&sums, result)?;
        Ok(Tensor::new(result.clone(), sums.shape, data))
    }

    /// c[b] ← c[b] + A[b] · B[b] for each b, over dense matrices of the working type.
    pub(super) fn multiply(&self, sizes: Sizes, a: &Data, b: &Data, c: &mut Data) -> Result<(), EvalError> {
        self.multiply_at((0, 0), sizes, a, b, c)
    }

    /// [`Self::multiply`] for a part of a result that begins at this row and column, which tell a stochastic operator's
    /// random words.
    pub(super) fn multiply_at(
        &self,
        (row, column): (usize, usize),
        sizes: Sizes,
        a: &Data,
        b: &Data,
        c: &mut Data,
    ) -> Result<(), EvalError> {
        match (&self.how, a, b, c) {
            (Accumulator::Multiplier(multiplier), Data::F32(a), Data::F32(b), Data::F32(c)) => {
                let Sizes { rows, depth, columns, .. } = sizes;
                if rows * columns == 0 || depth == 0 {
                    return Ok(());
                }
                let targets = c.chunks_exact_mut(rows * columns);
                let targets = targets.map(|part| MatrixMut::new(part, rows, columns));
                let draws = multiplier.draws().at(row as u64, column as u64, 0);
                multiplier.clone().with_draws(draws).multiply_batch(
                    &matrices(a, rows, depth)?,
                    &matrices(b, depth, columns)?,
                    targets.collect::<Result<_, _>>()?,
                )?;
            }
            (Accumulator::Plain, Data::F32(a), Data::F32(b), Data::F32(c)) => {
                sizes.each(a, b, c, |c, a, b| c + a * b)
            }
            (Accumulator::Plain, Data::F64(a), Data::F64(b), Data::F64(c)) => {
                sizes.each(a, b, c, |c, a, b| c + a * b)
            }
            (Accumulator::Plain, Data::I32(a), Data::I32(b), Data::I32(c)) => {
                sizes.each(a, b, c, |c: i32, a: i32, b| c.wrapping_add(a.wrapping_mul(b)));
            }
            (Accumulator::Plain, Data::I64(a), Data::I64(b), Data::I64(c)) => {
                sizes.each(a, b, c, |c: i64, a: i64, b| c.wrapping_add(a.wrapping_mul(b)));
            }
            (Accumulator::Plain, Data::C64(a), Data::C64(b), Data::C64(c)) => {
                sizes.each(a, b, c, |c, a, b| {
                    let product = multiply_c64(a, b);
                    [c[0] + product[0], c[1] + product[1]]
                })
            }
            (Accumulator::Plain, Data::C128(a), Data::C128(b), Data::C128(c)) => {
                sizes.each(a, b, c, |c: [f64; 2], a: [f64; 2], b: [f64; 2]| {
                    [c[0] + (a[0] * b[0] - a[1] * b[1]), c[1] + (a[0] * b[1] + a[1] * b[0])]
                });
            }
            (Accumulator::Rounded(float), Data::F64(a), Data::F64(b), Data::F64(c)) => {
                sizes.each(a, b, c, move |c, a, b| float.round(c + float.round(a * b)));
            }
            (Accumulator::Rounded(float), Data::F32(a), Data::F32(b), Data::F32(c)) => {
                let rounder = Rounder::new(float.format(), Default::default(), Default::default())
                    .map_err(|error| EvalError::shape("dot_general", error))?;
                sizes.rows(1, a, b, c, |a, b, c| {
                    let mut products = vec![0.0; c.len()];
                    for (&a, b) in a.iter().zip(b.chunks_exact(c.len())) {
                        products.iter_mut().zip(b).for_each(|(product, &b)| *product = a * b);
                        rounder.round_in_place(&mut products);
                        c.iter_mut().zip(&products).for_each(|(c, product)| *c += product);
                        rounder.round_in_place(c);
                    }
                });
            }
            _ => unreachable!("operands and sums are of the working type"),
        }
        Ok(())
    }
}

/// Splits data into dense matrices.
pub(super) fn matrices(data: &[f32], rows: usize, columns: usize) -> Result<Vec<Matrix<'_>>, ShapeError> {
    data.chunks_exact(rows * columns).map(|part| Matrix::new(part, rows, columns)).collect()
}

/// The sizes of a batch of matrix products: rows × depth times depth × columns each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) batch: usize,
    pub(super) rows: usize,
    pub(super) depth: usize,
    pub(super) columns: usize,
}

/// The least number of binary32 multiply-adds that a kernel shares among threads. Fewer take as long as waking another
/// thread.
pub(super) const SHARED: usize = 1 << 19;

/// The least number of multiply-adds under an emulated operator that a kernel shares among threads.
pub(super) const SHARED_EMULATED: usize = 1 << 16;

/// The least number of multiply-adds that other loops share among threads.
pub(super) const WORTHWHILE: usize = 64 << 10;

impl Sizes {
    /// The number of multiply-adds.
    pub(super) fn products(&self) -> usize {
        let Sizes { batch, rows, depth, columns } = *self;
        batch.saturating_mul(rows).saturating_mul(depth).saturating_mul(columns)
    }

    /// Calls `work(a, b, c)` for each `together` rows of each product; the last call may have fewer. `a` has A's rows,
    /// `b` all of B.
    pub(super) fn rows<T: Stored>(
        &self,
        together: usize,
        a: &[T],
        b: &[T],
        c: &mut [T],
        work: impl Fn(&[T], &[T], &mut [T]) + Sync,
    ) {
        let Sizes { batch, rows, depth, columns } = *self;
        if batch * rows * columns == 0 {
            return;
        }
        let pieces = c.chunks_exact_mut(rows * columns).enumerate().flat_map(|(product, c)| {
            let pieces = c.chunks_mut(together * columns).enumerate();
            pieces.map(move |(at, c)| (product, at * together, c))
        });
        let shared = self.products() >= WORTHWHILE && rayon::current_num_threads() > 1;
        threads::each(shared, pieces.collect(), |(product, row, c): (usize, usize, &mut [T])| {
            let _environment = Environment::enter();
            let b = &b[product * depth * columns..][..depth * columns];
            work(&a[(product * rows + row) * depth..][..c.len() / columns * depth], b, c);
        });
    }

    /// c ← step(c, a, b) for each product in index order.
    pub(super) fn each<T: Stored>(
        &self,
        a: &[T],
        b: &[T],
        c: &mut [T],
        step: impl Fn(T, T, T) -> T + Copy + Sync,
    ) {
        self.rows(4 * ROWS, a, b, c, |a, b, c| ISA.run(Block { columns: self.columns, a, b, c, step }));
    }
}

/// c ← c − a · b for each product of a matrix of rows × depth and one of depth × columns, in index order.
pub(crate) fn take_products([rows, depth, columns]: [usize; 3], a: &[f64], b: &[f64], c: &mut [f64]) {
    Sizes { batch: 1, rows, depth, columns }.each(a, b, c, |c, a, b| c - a * b);
}

/// The rows whose sums are kept in registers.
pub(super) const ROWS: usize = 4;

/// c ← step(c, a, b) for [`ROWS`] rows of a product, `COLUMNS` columns at a time. Returns the number of columns that
/// were done.
#[inline(always)]
pub(super) fn tiles<const COLUMNS: usize, T: Stored, F: Fn(T, T, T) -> T>(
    columns: usize,
    a: &[T],
    b: &[T],
    c: &mut [T],
    step: F,
) -> usize {
    let depth = b.len() / columns;
    let whole = columns / COLUMNS * COLUMNS;
    for column in (0..whole).step_by(COLUMNS) {
        let mut sums = [[T::default(); COLUMNS]; ROWS];
        for (sums, c) in sums.iter_mut().zip(c.chunks_exact(columns)) {
            sums.copy_from_slice(&c[column..column + COLUMNS]);
        }
        let [first, second, third, fourth] = std::array::from_fn(|row| &a[row * depth..][..depth]);
        let rows = first.iter().zip(second).zip(third.iter().zip(fourth));
        for (b, ((&first, &second), (&third, &fourth))) in b.chunks_exact(columns).zip(rows) {
            let b: &[T; COLUMNS] = b[column..].first_chunk().expect("columns are left");
            // Four rows at once: with one row at a time, the compiler neither keeps sums in registers nor uses vectors.
            let a: [T; ROWS] = [first, second, third, fourth];
            for (column, &b) in b.iter().enumerate() {
                for (row, &a) in a.iter().enumerate() {
                    sums[row][column] = step(sums[row][column], a, b);
                }
            }
        }
        for (sums, c) in sums.iter().zip(c.chunks_exact_mut(columns)) {
            c[column..column + COLUMNS].copy_from_slice(sums);
        }
    }
    whole
}

/// Some rows of a product.
pub(super) struct Block<'a, T, F> {
    columns: usize,
    a: &'a [T],
    b: &'a [T],
    c: &'a mut [T],
    step: F,
}

impl<T: Stored, F: Fn(T, T, T) -> T + Copy> Kernel for Block<'_, T, F> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        let Block { columns, a, b, c, step } = self;
        let depth = b.len() / columns;
        if depth == 0 {
            return;
        }
        for (a, c) in a.chunks(ROWS * depth).zip(c.chunks_mut(ROWS * columns)) {
            // Half of the registers of AVX-512. On AVX2 the compiler does not vectorise fewer columns.
            let whole = match L::Words::COUNT {
                _ if c.len() < ROWS * columns => 0,
                16 if size_of::<T>() <= 8 => tiles::<32, T, F>(columns, a, b, c, step),
                _ => tiles::<16, T, F>(columns, a, b, c, step),
            };
            for (a, c) in a.chunks_exact(depth).zip(c.chunks_exact_mut(columns)) {
                for (&a, b) in a.iter().zip(b.chunks_exact(columns)) {
                    for (c, &b) in c[whole..].iter_mut().zip(&b[whole..]) {
                        *c = step(*c, a, b);
                    }
                }
            }
        }
    }
}

/// The strides of a dense tensor's dimensions.
pub(crate) fn strides(shape: &[usize]) -> Vec<usize> {
    let mut strides = vec![1; shape.len()];
    for dimension in (1..shape.len()).rev() {
        strides[dimension - 1] = strides[dimension] * shape[dimension];
    }
    strides
}

/// The tensor's elements with its dimensions in another order, dense.
pub(super) fn permuted(data: &Data, shape: &[usize], order: &[usize]) -> Data {
    let all = strides(shape);
    let sizes: Vec<usize> = order.iter().map(|&dimension| shape[dimension]).collect();
    let strides = order.iter().map(|&dimension| all[dimension] as isize).collect();
    let from = Layout { offset: 0, strides };
    map_storage!(Data => Data, data, data => layout::read(&sizes, data, &from))
}

#[cfg(test)]
mod tests;
