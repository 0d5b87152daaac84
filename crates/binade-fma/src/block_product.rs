//! Products of matrices in blocks whose elements share scales along the depth: MX, NVFP4 and DeepSeek's FP8.
//!
//! [`crate::blocks::dot`] defines each element of a product; this module computes the same results in bulk.
//!
//! # Exactness
//! A [`Multiplier`] computes the products of one block. Its sum S times the scales s and u is then rounded once to
//! binary32. ScaleArithmetic have few bits, so one of three ways is right:
//!
//! - s · u is a binary32 number for all s and u: S · (s · u) in binary32.
//! - S, s and u have at most 53 bits together: the product in binary64, which is exact, rounded to binary32.
//! - Otherwise the product in binary64 rounded to odd, which has two bits more than the midpoints of binary32 need.
//!
//! In the order `exact`, the sum of a block is exact in binary64 if the largest possible sum has at most 53 bits above
//! the least bit of any product. Otherwise products are added one by one in wide integers. A product of two binary64
//! numbers is the rounded product plus a remainder that an FMA computes. Nothing overflows or underflows: the product
//! of six binary32 numbers is between 2^−894 and 2^768.

use binade::Operator;
use binade::catalog::F32;
use binade_simd::floats::portable::to_odd;
use binade_simd::lanes::Leg;
use binade_simd::{Isa, Kernel};

use crate::exact::Exact;
use crate::gemm::in_parallel;
use crate::matrix::{Matrix, MatrixMut, ShapeError, same};
use crate::multiply::{Multiplier, MultiplierError, SlowNotice};
use crate::order::Order;
use crate::reference::{accumulate, input};
use crate::units::ScaledProduct;

/// A matrix in blocks: the values of its elements, of the scales that they share, and of one scale for all.
#[derive(Clone, Copy, Debug)]
pub struct BlockMatrix<'a> {
    elements: Matrix<'a>,
    scales: Matrix<'a>,
    shape: (usize, usize),
    over: f32,
}

impl<'a> BlockMatrix<'a> {
    /// Element (i, j) represents elements(i, j) · scales(⌊i / rows⌋, ⌊j / columns⌋) · over, where `shape` is (rows,
    /// columns).
    ///
    /// # Errors
    /// If a dimension of the shape is 0, or if there is not one scale for each block, including those at the edges.
    pub fn new(
        elements: Matrix<'a>,
        scales: Matrix<'a>,
        shape: (usize, usize),
        over: f32,
    ) -> Result<BlockMatrix<'a>, ShapeError> {
        for (what, given) in [("the rows of a block", shape.0), ("the columns of a block", shape.1)] {
            if given == 0 {
                return Err(ShapeError::Number { what, expected: "at least 1", given });
            }
        }
        same("the number of rows of scales", scales.rows(), elements.rows().div_ceil(shape.0))?;
        same("the number of columns of scales", scales.columns(), elements.columns().div_ceil(shape.1))?;
        Ok(BlockMatrix { elements, scales, shape, over })
    }

    /// The transpose: rows become columns.
    pub fn transposed(self) -> BlockMatrix<'a> {
        BlockMatrix {
            elements: self.elements.transposed(),
            scales: self.scales.transposed(),
            shape: (self.shape.1, self.shape.0),
            over: self.over,
        }
    }

    /// The elements, without their scales.
    pub(crate) fn elements(&self) -> Matrix<'a> {
        self.elements
    }

    /// Rows and columns of a block.
    pub(crate) fn shape(&self) -> (usize, usize) {
        self.shape
    }

    /// The scale of an element.
    pub(crate) fn scale(&self, row: usize, column: usize) -> f32 {
        self.scales.at(row / self.shape.0, column / self.shape.1)
    }
}

/// Products of matrices in blocks under an operator, in an order of accumulation.
///
/// Results equal [`crate::blocks::dot`] bit for bit on every instruction set and for any number of threads; a NaN
/// equals any NaN.
///
/// ```
/// use binade_fma::{BlockMatrix, BlockMultiplier, Matrix, Order};
///
/// // Two blocks of two elements: 2 · (1·1 + 2·1) + 8 · (3·1 + 4·1).
/// let (a, scales, b, ones) = ([1.0, 2.0, 3.0, 4.0], [2.0, 8.0], [1.0; 4], [1.0; 2]);
/// let a = BlockMatrix::new(Matrix::new(&a, 1, 4)?, Matrix::new(&scales, 1, 2)?, (1, 2), 1.0)?;
/// let b = BlockMatrix::new(Matrix::new(&b, 4, 1)?, Matrix::new(&ones, 2, 1)?, (2, 1), 1.0)?;
/// let mut c = [0.0];
/// BlockMultiplier::new("f32:f32".parse()?, Order::Sequential)?.product(a, b, &mut c)?;
/// assert_eq!(c, [62.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BlockMultiplier {
    multiplier: Multiplier,
    isa: Isa,
    threads: usize,
    /// The step of a matrix unit that applies scales itself.
    scaled: Option<ScaledProduct>,
}

/// Rows and columns of a product that are processed at once.
const TILE: (usize, usize) = (128, 512);
/// Rows and columns that are processed at once in the order `exact`, whose sums are long.
const EXACT_TILE: (usize, usize) = (8, 32);

impl BlockMultiplier {
    /// Uses the best instruction set of this machine and one thread.
    ///
    /// # Errors
    /// The errors of [`Multiplier::new`]; a rounding mode of the accumulator; the order `any`; the order `exact` under an operator whose accumulator is not
    /// one format.
    pub fn new(operator: Operator, order: Order) -> Result<BlockMultiplier, MultiplierError> {
        if operator.formats().is_some() && operator.as_pair().is_none() {
            return Err(MultiplierError::BlockRounding { operator: operator.to_string() });
        }
        let of_parts = order == Order::Exact && operator.as_pair().is_none();
        if operator.as_unit().is_none() && (of_parts || order == Order::Any) {
            return Err(MultiplierError::Blocks { operator: operator.to_string(), order });
        }
        let multiplier = Multiplier::new(operator, order)?;
        Ok(BlockMultiplier { multiplier, isa: Isa::detect(), threads: 1, scaled: None })
    }

    /// Uses this instruction set.
    pub fn with_isa(self, isa: Isa) -> BlockMultiplier {
        BlockMultiplier { multiplier: self.multiplier.with_isa(isa), isa, ..self }
    }

    /// Uses this number of threads (0 counts as 1), among which the rows are divided.
    pub fn with_threads(self, threads: usize) -> BlockMultiplier {
        BlockMultiplier { threads, ..self }
    }

    /// Multiplies by a matrix unit's scaled step, in place of unscaled products of each block.
    pub(crate) fn with_scaled_step(self, scaled: ScaledProduct) -> BlockMultiplier {
        BlockMultiplier { scaled: Some(scaled), ..self }
    }

    /// The operator.
    pub fn operator(&self) -> &Operator {
        self.multiplier.operator()
    }

    /// The notice for a user if the products of elements have no vector code; see [`Multiplier::slow`].
    pub fn slow(&self) -> Option<SlowNotice> {
        match self.multiplier.order() {
            // This module sums blocks exactly, in integers or binary64.
            Order::Exact => None,
            _ => self.multiplier.slow(),
        }
    }

    /// C ← A · B, where `c` stores the product row after row.
    ///
    /// # Errors
    /// Shapes that do not fit, and blocks of different lengths along the depth. Nothing is written then.
    pub fn product(&self, a: BlockMatrix, b: BlockMatrix, c: &mut [f32]) -> Result<(), ShapeError> {
        let (rows, depth, columns) = (a.elements.rows(), a.elements.columns(), b.elements.columns());
        same("the number of B's rows", b.elements.rows(), depth)?;
        same("the rows of a block of B", b.shape.0, a.shape.1)?;
        same("the length of C", c.len(), rows.saturating_mul(columns))?;
        c.fill(0.0);
        if c.is_empty() || depth == 0 {
            return Ok(());
        }
        if let Some(scaled) = &self.scaled {
            scaled.multiply(self.isa, self.threads, &a, &b, c);
            scale_all(&a, &b, c);
            return Ok(());
        }
        let rows_each = rows.div_ceil(self.threads.max(1));
        let pieces: Vec<_> = c.chunks_mut(rows_each * columns).enumerate().collect();
        let exact = self.multiplier.order() == Order::Exact;
        let scales = ScaleArithmetic::of(&a, &b);
        let sides = exact.then(|| Binary64Operands::of(self.multiplier.operator(), &a, &b));
        in_parallel(pieces, |(piece, c)| {
            let top = piece * rows_each;
            match &sides {
                Some(sides) => {
                    self.isa.run(ExactRows { operator: self.multiplier.operator(), sides, a, b, top, c })
                }
                None => self.by_tiles(&scales, a, b, top, c),
            }
        });
        Ok(())
    }

    /// Computes the rows of a product from `top` on, one block of the depth after the other.
    fn by_tiles(&self, scales: &ScaleArithmetic, a: BlockMatrix, b: BlockMatrix, top: usize, c: &mut [f32]) {
        let columns = b.elements.columns();
        let rows = c.len() / columns;
        let (depth, length) = (a.elements.columns(), a.shape.1);
        let mut sums = vec![0.0; TILE.0.min(rows) * TILE.1.min(columns)];
        let mut of_columns = vec![0.0; TILE.1.min(columns)];
        for first in (0..rows).step_by(TILE.0) {
            let tall = TILE.0.min(rows - first);
            for left in (0..columns).step_by(TILE.1) {
                let wide = TILE.1.min(columns - left);
                for start in (0..depth).step_by(length) {
                    let deep = length.min(depth - start);
                    let sums = &mut sums[..tall * wide];
                    let of_a = part(a.elements, (top + first, tall), (start, deep));
                    let of_b = part(b.elements, (start, deep), (left, wide));
                    let fits = MatrixMut::new(sums, tall, wide)
                        .and_then(|sums| self.multiplier.product(of_a, of_b, sums));
                    debug_assert!(fits.is_ok(), "parts of matrices that fit");
                    for (at, scale) in of_columns[..wide].iter_mut().enumerate() {
                        *scale = b.scale(start, left + at);
                    }
                    for row in 0..tall {
                        let scale = a.scale(top + first + row, start);
                        self.isa.run(AddScaled {
                            operator: self.multiplier.operator(),
                            scales,
                            scale,
                            of_columns: &of_columns[..wide],
                            sums: &sums[row * wide..][..wide],
                            c: &mut c[(first + row) * columns + left..][..wide],
                        });
                    }
                }
            }
        }
        scale_all(&a, &b, c);
    }
}

/// Multiplies a product by the scales over both tensors.
fn scale_all(a: &BlockMatrix, b: &BlockMatrix, c: &mut [f32]) {
    let over = a.over as f64 * b.over as f64;
    if over != 1.0 {
        c.iter_mut().for_each(|c| *c = scale_once(*c, over) + 0.0);
    }
}

/// The part of a matrix with these rows and columns, each (first, count).
fn part(matrix: Matrix<'_>, rows: (usize, usize), columns: (usize, usize)) -> Matrix<'_> {
    let (down, across) = (matrix.row_stride(), matrix.column_stride());
    let data = &matrix.data()[rows.0 * down + columns.0 * across..];
    Matrix::with_strides(data, rows.1, columns.1, down, across)
        .expect("a part of a matrix is within its data")
}

/// x · scale, rounded once to binary32. The scale has at most 48 bits.
#[inline(always)]
fn scale_once(x: f32, scale: f64) -> f32 {
    let (product, rest) = two_product(x as f64, scale);
    to_odd(product, rest) as f32
}

/// The bits of finite numbers: all are below 2^above in magnitude, multiples of 2^unit, and have at most `precision`
/// bits.
#[derive(Clone, Copy)]
struct BitRange {
    above: i32,
    unit: i32,
    precision: i32,
}

impl BitRange {
    fn of(numbers: impl Iterator<Item = f64>) -> BitRange {
        let mut bits = BitRange { above: i32::MIN, unit: i32::MAX, precision: 0 };
        for x in numbers.filter(|x| x.is_finite() && *x != 0.0) {
            // Numbers of binary32 are normal numbers of binary64.
            let significand = x.to_bits() & ((1 << 52) - 1) | 1 << 52;
            let exponent = (x.to_bits() >> 52 & 0x7ff) as i32 - 1023;
            let unit = exponent - 52 + significand.trailing_zeros() as i32;
            bits.above = bits.above.max(exponent + 1);
            bits.unit = bits.unit.min(unit);
            bits.precision = bits.precision.max(exponent + 1 - unit);
        }
        // If all numbers are zero, the bits of 1.
        if bits.precision == 0 { BitRange { above: 1, unit: 0, precision: 1 } } else { bits }
    }
}

/// The arithmetic in which sums of blocks are scaled.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ScaleArithmetic {
    /// Binary32.
    Single,
    /// Binary64.
    Double,
    /// Binary64, rounded to odd.
    Odd,
}

impl ScaleArithmetic {
    fn of(a: &BlockMatrix, b: &BlockMatrix) -> ScaleArithmetic {
        let [a, b] = [a, b].map(|matrix| BitRange::of(elements_of(matrix.scales).map(f64::from)));
        let precision = a.precision + b.precision;
        match () {
            () if precision <= 24 && a.above + b.above <= 128 && a.unit + b.unit >= -149 => {
                ScaleArithmetic::Single
            }
            () if precision + 24 <= 53 => ScaleArithmetic::Double,
            () => ScaleArithmetic::Odd,
        }
    }
}

/// All elements.
fn elements_of(matrix: Matrix<'_>) -> impl Iterator<Item = f32> {
    (0..matrix.rows()).flat_map(move |row| (0..matrix.columns()).map(move |column| matrix.at(row, column)))
}

/// c ← c + sums · scale · of_columns.
struct AddScaled<'a> {
    operator: &'a Operator,
    scales: &'a ScaleArithmetic,
    scale: f32,
    of_columns: &'a [f32],
    sums: &'a [f32],
    c: &'a mut [f32],
}

impl Kernel for AddScaled<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        let AddScaled { operator, scales, scale, of_columns, sums, c } = self;
        // Sums of a unit are added in binary32.
        let is_pair = operator.as_pair().is_some_and(|(_, accumulator)| accumulator == F32);
        let in_binary32 = is_pair || operator.as_unit().is_some();
        let wide = scale as f64;
        let cells = c.iter_mut().zip(sums.iter().zip(of_columns));
        match scales {
            ScaleArithmetic::Single if in_binary32 => {
                cells.for_each(|(c, (sum, other))| *c += sum * (scale * other))
            }
            ScaleArithmetic::Double if in_binary32 => {
                cells.for_each(|(c, (&sum, &other))| *c += (sum as f64 * (wide * other as f64)) as f32);
            }
            ScaleArithmetic::Odd if in_binary32 => {
                cells.for_each(|(c, (&sum, &other))| *c += scale_once(sum, wide * other as f64));
            }
            _ => cells.for_each(|(c, (&sum, &other))| {
                *c = accumulate(operator, scale_once(sum, wide * other as f64) as f64, *c);
            }),
        }
    }
}

/// The elements of both operands in binary64, as the operator's inputs: A's by rows, B's by columns of a tile.
struct Binary64Operands {
    a: Vec<f64>,
    b: Vec<f64>,
    /// True if sums of blocks are exact in binary64.
    sums: bool,
}

impl Binary64Operands {
    fn of(operator: &Operator, a: &BlockMatrix, b: &BlockMatrix) -> Binary64Operands {
        let plain = operator.as_pair().is_some_and(|(inputs, _)| inputs == F32);
        let taken = |x: f32| if plain { x as f64 } else { input(operator, x) };
        let length = a.shape.1.min(a.elements.columns());
        let (a, b): (Vec<f64>, Vec<f64>) =
            (elements_of(a.elements).map(taken).collect(), elements_of(b.elements).map(taken).collect());
        let [of_a, of_b] = [&a, &b].map(|side| BitRange::of(side.iter().copied()));
        let carries = length.next_power_of_two().trailing_zeros() as i32;
        let sums = of_a.above + of_b.above + carries - of_a.unit - of_b.unit <= 53;
        Binary64Operands { a, b, sums }
    }
}

/// Computes the rows of a product from `top` on in the order `exact`.
struct ExactRows<'a> {
    operator: &'a Operator,
    sides: &'a Binary64Operands,
    a: BlockMatrix<'a>,
    b: BlockMatrix<'a>,
    top: usize,
    c: &'a mut [f32],
}

impl Kernel for ExactRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        let ExactRows { operator, sides, a, b, top, c } = self;
        let accumulator = operator.as_pair().map_or(F32, |(_, accumulator)| accumulator);
        let (depth, length, columns) = (a.elements.columns(), a.shape.1, b.elements.columns());
        let rows = c.len() / columns;
        let over = a.over as f64 * b.over as f64;
        for left in (0..columns).step_by(EXACT_TILE.1) {
            let wide = EXACT_TILE.1.min(columns - left);
            for first in (0..rows).step_by(EXACT_TILE.0) {
                let tall = EXACT_TILE.0.min(rows - first);
                let mut totals = vec![Exact::zero(); tall * wide];
                for start in (0..depth).step_by(length) {
                    let deep = length.min(depth - start);
                    for row in 0..tall {
                        let scale = a.scale(top + first + row, start) as f64;
                        let of_a = &sides.a[(top + first + row) * depth + start..][..deep];
                        let totals = &mut totals[row * wide..][..wide];
                        let scale_of = |column| scale * b.scale(start, left + column) as f64;
                        if !sides.sums {
                            for (at, &x) in of_a.iter().enumerate() {
                                let of_b = &sides.b[(start + at) * columns + left..][..wide];
                                for (column, (total, &y)) in totals.iter_mut().zip(of_b).enumerate() {
                                    add(total, x * y, scale_of(column), over);
                                }
                            }
                            continue;
                        }
                        let mut sums = [0.0; EXACT_TILE.1];
                        for (at, &x) in of_a.iter().enumerate() {
                            let of_b = &sides.b[(start + at) * columns + left..][..wide];
                            sums.iter_mut().zip(of_b).for_each(|(sum, &y)| *sum += x * y);
                        }
                        for (column, (total, &sum)) in totals.iter_mut().zip(&sums).enumerate() {
                            add(total, sum, scale_of(column), over);
                        }
                    }
                }
                for (row, totals) in totals.chunks(wide).enumerate() {
                    let c = &mut c[(first + row) * columns + left..][..wide];
                    c.iter_mut().zip(totals).for_each(|(c, total)| *c = total.round(accumulator));
                }
            }
        }
    }
}

/// Adds x · scale · over, exactly.
#[inline(always)]
fn add(total: &mut Exact, x: f64, scale: f64, over: f64) {
    let (product, rest) = two_product(x, scale);
    for factor in [product, rest] {
        // A remainder of 0 contributes nothing, and multiplied by an infinite scale it would give NaN.
        if factor != 0.0 || product == 0.0 {
            let (product, rest) = two_product(factor, over);
            total.add(product);
            if rest != 0.0 {
                total.add(rest);
            }
        }
    }
}

/// A product as a rounded number and its remainder, which is 0 if the product is not finite.
#[inline(always)]
fn two_product(x: f64, y: f64) -> (f64, f64) {
    let product = x * y;
    (product, if product.is_finite() { x.mul_add(y, -product) } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use binade::block::BlockFormat;
    use binade::ops::block::Block;
    use binade::philox::Stream;
    use binade::{Datum, Flags, Format, Projection, project};

    use super::*;
    use crate::blocks;

    /// One operand by rows: values, and the codes that they decode.
    struct Coded {
        elements: (Vec<Datum>, Vec<f32>),
        scales: (Vec<Datum>, Vec<f32>),
        shape: (usize, usize),
        over: Datum,
    }

    fn values(data: &[Datum]) -> Vec<f32> {
        let value = |datum: &Datum| {
            let rounded = project(F32, datum.value(), Projection::default());
            assert!(!rounded.flags.contains(Flags::INEXACT));
            f32::from_bits(rounded.code as u32)
        };
        data.iter().map(value).collect()
    }

    fn single(x: f32) -> Datum {
        Datum::new(F32, x.to_bits() as u64).unwrap()
    }

    /// Random codes: scales within `near` codes of the middle, and with probability 1/`special` any code.
    fn coded(
        format: &BlockFormat,
        rows: usize,
        depth: usize,
        shape: (usize, usize),
        over: f32,
        special: usize,
        stream: &mut Stream,
    ) -> Coded {
        let mut any = |format: Format, wild: bool| {
            let codes = 1u64 << format.width();
            let code = match format == F32 {
                // ScaleArithmetic of binary32 within 2^±8, and occasionally any code.
                true if !wild => u64::from(stream.word() & 0x87ff_ffff | 0x3c00_0000) & 0x7fff_ffff,
                _ if wild => stream.bits() % codes,
                _ if format.precision() == 1 => 119 + stream.bits() % 16,
                _ => stream.bits() % codes,
            };
            let datum = Datum::new(format, code).unwrap();
            match datum.value() {
                binade::Value::Finite(_) => datum,
                _ if wild => datum,
                _ => Datum::new(format, 1).unwrap(),
            }
        };
        let mut many = |format: Format, count: usize| -> Vec<Datum> {
            (0..count).map(|at| any(format, special > 0 && at % special == special - 1)).collect()
        };
        let elements = many(format.element.grid(), rows * depth);
        let scales = many(format.scale, rows.div_ceil(shape.0) * depth.div_ceil(shape.1));
        let (of_elements, of_scales) = (values(&elements), values(&scales));
        Coded { elements: (elements, of_elements), scales: (scales, of_scales), shape, over: single(over) }
    }

    impl Coded {
        fn matrix(&self, rows: usize, depth: usize) -> BlockMatrix<'_> {
            let scales = (rows.div_ceil(self.shape.0), depth.div_ceil(self.shape.1));
            BlockMatrix::new(
                Matrix::new(&self.elements.1, rows, depth).unwrap(),
                Matrix::new(&self.scales.1, scales.0, scales.1).unwrap(),
                self.shape,
                f32::from_bits(self.over.code() as u32),
            )
            .unwrap()
        }

        fn blocks(&self, row: usize, depth: usize) -> Vec<Block<'_>> {
            let scales = &self.scales.0[row / self.shape.0 * depth.div_ceil(self.shape.1)..];
            let elements = self.elements.0[row * depth..][..depth].chunks(self.shape.1);
            scales.iter().zip(elements).map(|(&scale, elements)| Block { scale, elements }).collect()
        }
    }

    /// All formats, operators of every kind and all orders: every element against [`blocks::dot`], which computes with
    /// exact values.
    #[test]
    fn products_of_blocks_on_every_leg_equal_their_definition() {
        let mut stream = Stream::new(17);
        let operators = ["f32:f32", "f32:bf16", "bf16:f32", "bf16x2:bf16x2/3"];
        let orders = ["sequential", "pairwise", "blocked:8", "lanes:4", "aligned:16,14", "exact"];
        let formats = [
            ("mxfp8_e4m3", "mxfp8_e4m3"),
            ("mxfp8_e5m2", "mxfp8_e5m2"),
            ("mxfp6_e3m2", "mxfp6_e2m3"),
            ("mxfp4", "mxfp8_e4m3"),
            ("mxint8", "mxfp4"),
            ("nvfp4", "nvfp4"),
            ("deepseek_fp8", "deepseek_fp8"),
        ];
        let mut compared = 0;
        for (number, (a, b)) in formats.into_iter().enumerate() {
            let [a, b]: [BlockFormat; 2] = [a, b].map(|name| name.parse().unwrap());
            let is_wide = a.shape.0 > 1;
            let (rows, columns, depth) = if is_wide { (2, 130, 150) } else { (5, 35, 75) };
            for (special, over) in [(0, [1.0, 1.0]), (0, [0.1, 3.7e-5]), (41, [1.0, 0.3])] {
                let left = coded(&a, rows, depth, (1, a.shape.1), over[0], special, &mut stream);
                let right = coded(&b, columns, depth, b.shape, over[1], special, &mut stream);
                for (at, operator) in operators.iter().enumerate() {
                    for (turn, order) in orders.iter().enumerate() {
                        let unscaled = over == [1.0, 1.0];
                        // All of f32:f32, and a sample of the others.
                        if at > 0 && (at + turn + number + usize::from(unscaled)) % 4 != 0 {
                            continue;
                        }
                        let operator: Operator = operator.parse().unwrap();
                        let order: Order = order.parse().unwrap();
                        let Ok(multiplier) = BlockMultiplier::new(operator.clone(), order) else { continue };
                        let over = [left.over, right.over];
                        let wanted: Vec<f32> = (0..rows * columns)
                            .map(|at| {
                                let (x, y) =
                                    (left.blocks(at / columns, depth), right.blocks(at % columns, depth));
                                let pairs: Vec<_> = x.into_iter().zip(y).collect();
                                blocks::dot(&operator, order, &pairs, if unscaled { &[] } else { &over })
                                    .unwrap()
                            })
                            .collect();
                        for (isa, threads) in Isa::available().zip([1, 3, 2].into_iter().cycle()) {
                            let mut found = vec![f32::NAN; rows * columns];
                            let multiplier = multiplier.clone().with_isa(isa).with_threads(threads);
                            let (a, b) =
                                (left.matrix(rows, depth), right.matrix(columns, depth).transposed());
                            multiplier.product(a, b, &mut found).unwrap();
                            for (at, (found, wanted)) in found.iter().zip(&wanted).enumerate() {
                                let same =
                                    found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan();
                                assert!(
                                    same,
                                    "{a:?} {b:?} {operator} {order} {isa:?} at {at}: {found} for {wanted}"
                                );
                                compared += 1;
                            }
                        }
                    }
                }
            }
        }
        assert!(compared > 50_000);
    }

    #[test]
    fn products_larger_than_tiles_equal_those_of_their_parts() {
        let format: BlockFormat = "mxfp4".parse().unwrap();
        let mut stream = Stream::new(3);
        let (rows, columns, depth) = (150, 530, 40);
        let left = coded(&format, rows, depth, (1, 32), 1.0, 0, &mut stream);
        let right = coded(&format, columns, depth, (1, 32), 1.0, 0, &mut stream);
        for order in [Order::Sequential, Order::Exact] {
            let multiplier = BlockMultiplier::new("f32:f32".parse().unwrap(), order).unwrap();
            let product = |threads| {
                let mut c = vec![0.0; rows * columns];
                let b = right.matrix(columns, depth).transposed();
                let multiplier = multiplier.clone().with_threads(threads);
                multiplier.product(left.matrix(rows, depth), b, &mut c).unwrap();
                c
            };
            let whole = product(1);
            assert_eq!(product(4), whole);
            for (row, column) in [(0, 0), (127, 511), (128, 512), (149, 529), (8, 32)] {
                let pairs: Vec<_> =
                    left.blocks(row, depth).into_iter().zip(right.blocks(column, depth)).collect();
                let wanted = blocks::dot(multiplier.multiplier.operator(), order, &pairs, &[]).unwrap();
                assert_eq!(whole[row * columns + column], wanted);
            }
        }
    }

    #[test]
    fn scaling_of_many_bits_rounds_once() {
        // (1 + 2^−23) (1 + 2^−23) (1 + 2^−12) and neighbours, against exact sums.
        let mut stream = Stream::new(9);
        for _ in 0..20_000 {
            let x = f32::from_bits(stream.word());
            let scales = [0; 2].map(|_| f32::from_bits(stream.word() & 0x83ff_ffff | 0x3c00_0000));
            let scale = scales[0] as f64 * scales[1] as f64;
            let mut exact = Exact::zero();
            add(&mut exact, x as f64, scale, 1.0);
            let (found, wanted) = (scale_once(x, scale) + 0.0, exact.round(F32));
            assert!(
                found.to_bits() == wanted.to_bits() || found.is_nan() && wanted.is_nan(),
                "{x} {scales:?}"
            );
        }
    }

    #[test]
    fn block_matrices_of_wrong_shapes_are_errors() {
        let data = [1.0; 64];
        let matrix = |rows, columns| Matrix::new(&data, rows, columns).unwrap();
        let error = |result: Result<BlockMatrix<'_>, ShapeError>| result.unwrap_err().to_string();
        assert_eq!(
            error(BlockMatrix::new(matrix(2, 20), matrix(2, 1), (1, 16), 1.0)),
            "the number of columns of scales must be 2: got 1"
        );
        assert_eq!(
            error(BlockMatrix::new(matrix(2, 20), matrix(2, 1), (1, 0), 1.0)),
            "the columns of a block must be at least 1: got 0"
        );
        let a = BlockMatrix::new(matrix(2, 20), matrix(2, 2), (1, 16), 1.0).unwrap();
        let b = BlockMatrix::new(matrix(20, 3), matrix(1, 3), (32, 1), 1.0).unwrap();
        let multiplier = BlockMultiplier::new("f32:f32".parse().unwrap(), Order::Sequential).unwrap();
        let found = multiplier.product(a, b, &mut [0.0; 6]).unwrap_err().to_string();
        assert_eq!(found, "the rows of a block of B must be 16: got 32");
        for (operator, order) in [("f32:f32", Order::Any), ("bf16x2:bf16x2/3", Order::Exact)] {
            let refused = BlockMultiplier::new(operator.parse().unwrap(), order).unwrap_err();
            assert!(matches!(refused, MultiplierError::Blocks { .. }));
        }
    }
}
