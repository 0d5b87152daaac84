//! Sums of products: `dot_general` and convolutions on every element type.
//!
//! # What is computed
//! | operands | `wide` | `reference` |
//! |---|---|---|
//! | binary32 and below | in binary32, a fused multiply-add after the other in index order of the contracted dimensions, from +0 on; the sum is rounded to the result type once | every product and every partial sum is rounded to the result type, in index order |
//! | binary64 | in binary64, every product and every partial sum rounded, in index order | the same |
//! | integers | modulo 2^width of the result | the same |
//! | `i1` | or of ands | the same |
//! | complex | every component's product and sum rounded, in index order | the same |
//! | quantized | dequantized, as above in the expressed type, and quantized | the same |
//!
//! A dot algorithm or an operator of a rule goes before either: see [`dot_general`] and [`crate::arithmetic::rules`]. Results do not
//! depend on the number of threads or on the instruction set.

use std::sync::{Arc, LazyLock};

use binade::{Operator, Spec};
use binade_fma::{BlockProduct, Matrix, MatrixMut, Multiplier, Order, ShapeError};
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

/// How the sums of products of an operation are computed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Arithmetic<'a> {
    /// Every product and every partial sum is rounded to the result type (semantics `reference`).
    pub in_order: bool,
    /// What a rule asks for instead.
    pub multiplier: Option<&'a Multiplier>,
    /// The products in blocks that a rule asks for instead; of `dot_general` alone.
    pub blocks: Option<&'a BlockProduct>,
}

/// The types that sums are formed in, and how.
pub(super) struct Accumulation {
    /// The type that operands are brought to and that sums have.
    pub(super) working: ElementType,
    pub(super) how: Accumulator,
}

pub(super) enum Accumulator {
    /// By a kernel, in binary32.
    Multiplier(Multiplier),
    /// c + a · b, the product and the sum rounded in the working type.
    Plain,
    /// The same, both rounded to this type, whose values the working type holds.
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

/// How many products of these types binary32 adds exactly, if they are integers of up to 8 bits whose sums go into 32 at
/// most: its integers up to 2^24 are.
pub(super) fn exact_depth(lhs: &ElementType, rhs: &ElementType, result: &ElementType) -> Option<usize> {
    let magnitude = |element: &ElementType| match *element {
        ElementType::Integer { signed, width: width @ ..=8 } => Some(width - u8::from(signed)),
        _ => None,
    };
    let sums = matches!(result, ElementType::Integer { width: ..=32, .. });
    Some(1 << (24 - magnitude(lhs)? - magnitude(rhs)?)).filter(|_| sums)
}

/// The operator that rounds its accumulator to a type after every product, which is exact.
pub(super) fn rounding_to(accumulator: FloatType) -> Operator {
    let spec =
        |float: FloatType| float.name().parse::<Spec>().expect("the catalogue has every StableHLO type");
    Operator::pair(spec(FloatType::F32), spec(accumulator))
}

impl Accumulation {
    /// For operands and a result that are not quantized.
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
            // Products of f8E8M0FNU fall below binary32; tf32 has subnormal numbers of its own.
            FloatType::F8E8M0FNU | FloatType::Tf32 => {
                Ok(Accumulation { working: F64, how: Accumulator::Rounded(to) })
            }
            _ => Ok(Accumulation { working: F32, how: Accumulator::Rounded(to) }),
        }
    }

    /// On all threads, if so many multiply-adds are worth it.
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
        match (&self.how, a, b, c) {
            (Accumulator::Multiplier(multiplier), Data::F32(a), Data::F32(b), Data::F32(c)) => {
                let Sizes { rows, depth, columns, .. } = sizes;
                if rows * columns == 0 || depth == 0 {
                    return Ok(());
                }
                let targets = c.chunks_exact_mut(rows * columns);
                let targets = targets.map(|part| MatrixMut::new(part, rows, columns));
                multiplier.multiply_batch(
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

/// Dense matrices one after the other.
pub(super) fn matrices(data: &[f32], rows: usize, columns: usize) -> Result<Vec<Matrix<'_>>, ShapeError> {
    data.chunks_exact(rows * columns).map(|part| Matrix::new(part, rows, columns)).collect()
}

/// A number of products of matrices: rows × depth times depth × columns each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) batch: usize,
    pub(super) rows: usize,
    pub(super) depth: usize,
    pub(super) columns: usize,
}

/// Fewer multiply-adds of binary32's own by a kernel are done by the thread that calls: they take as long as waking
/// another one.
pub(super) const SHARED: usize = 1 << 19;

/// The same under an operator that is emulated.
pub(super) const SHARED_EMULATED: usize = 1 << 16;

/// Fewer multiply-adds are done by the thread that calls.
pub(super) const WORTHWHILE: usize = 64 << 10;

impl Sizes {
    /// How many multiply-adds there are.
    pub(super) fn products(&self) -> usize {
        let Sizes { batch, rows, depth, columns } = *self;
        batch.saturating_mul(rows).saturating_mul(depth).saturating_mul(columns)
    }

    /// Does `work(a, b, c)` for each `together` rows of each product, or as many as are left: `a` has A's rows, `b` all of B.
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

/// Rows whose sums are kept in registers.
pub(super) const ROWS: usize = 4;

/// c ← step(c, a, b) for [`ROWS`] rows of a product, `COLUMNS` columns at a time; how many columns that are.
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
            // Row by row the compiler would neither keep the sums in registers nor use vectors.
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
            // Half of the registers of AVX-512; with fewer columns on AVX2 the compiler takes no vectors.
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

/// Elements from an index to the next in each dimension of a dense tensor.
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
