//! Evaluates `dot_general`.

use std::borrow::Cow;
use std::sync::Arc;

use binade_fma::{Bytes, Matrix, MatrixMut, Multiplier, QuantizedProduct, multiply_bytes};
use binade_stablehlo::ir::{DotAlgorithm, DotDimensions};
use binade_stablehlo::{Data, ElementType, FloatType, Tensor, each_storage};

use super::products::{
    Accumulation, Accumulator, Arithmetic, F32, F64, I32, SHARED, SHARED_EMULATED, SINGLE, Sizes,
    exact_depth, multiplier, permuted, rounding_to, strides,
};
use crate::arithmetic::convert::convert;
use crate::arithmetic::instruction_set::ISA;
use crate::arithmetic::quantized;
use crate::buffer_pool;
use crate::error::EvalError;

/// Computes sums of products over the contracted dimensions, for each index of the batching dimensions. The result's
/// dimensions are the batching ones, then the others of `lhs`, then the others of `rhs`.
///
/// A dot algorithm applies in either semantics. Operands are rounded to its precision types, and sums are formed in its
/// accumulation type. With several primitive operations or components, operands are split into parts of the precision
/// type, a = a₀ + a₁ (+ a₂). With 3, 6 or 9 operations, the products of parts whose indices add up to at most 1, 2 or 4
/// are accumulated, the smallest first. If the sum without a₀ · b₀ is NaN, as for infinite operands, it counts as 0.
///
/// # Errors
/// If dimensions do not match, or an algorithm is not defined on the operands' types.
pub fn dot_general(
    lhs: &Tensor,
    rhs: &Tensor,
    dimensions: &DotDimensions,
    algorithm: Option<&DotAlgorithm>,
    result: &ElementType,
    arithmetic: Arithmetic,
) -> Result<Tensor, EvalError> {
    let of_numbers = |lhs: &Tensor, rhs: &Tensor, element: &ElementType| {
        dot_general(lhs, rhs, dimensions, algorithm, element, arithmetic)
    };
    if let Some(product) = quantized::product(lhs, rhs, result, of_numbers) {
        return product;
    }
    let shapes = Shapes::new(&lhs.shape, &rhs.shape, dimensions)?;
    let is_float = |element: &ElementType| matches!(element, ElementType::Float(_));
    if let Some(product) = arithmetic.blocks
        && [&lhs.element, &rhs.element, result].into_iter().all(is_float)
    {
        return in_blocks(product, lhs, rhs, shapes, result);
    }
    if let (Some(algorithm), None) = (algorithm, arithmetic.multiplier) {
        return by_algorithm(lhs, rhs, &shapes, algorithm, result);
    }
    if exact_depth(&lhs.element, &rhs.element, result).is_some()
        && let Some(product) = of_bytes(lhs, rhs, &shapes, result)?
    {
        return Ok(product);
    }
    let plan = Accumulation::new("dot_general", &lhs.element, &rhs.element, result, arithmetic)?;
    let plan = plan.shared_out(shapes.sizes.products());
    let (a, b) = (plan.operand(lhs)?, plan.operand(rhs)?);
    let length = shapes.result.iter().product();
    if let (Accumulator::Multiplier(multiplier), Data::F32(a), Data::F32(b)) = (&plan.how, &*a, &*b) {
        // Every element is written, so the buffer need not be cleared.
        let mut sums = buffer_pool::elements(length);
        if shapes.in_place(multiplier, a, b, &mut sums)? {
            return plan.finish(Data::F32(sums), shapes.result, result);
        }
    }
    let mut sums = Data::empty(&plan.working);
    each_storage!(Data, &mut sums, sums => *sums = buffer_pool::zeros(length));
    plan.multiply(shapes.sizes, &shapes.left(&a), &shapes.right(&b), &mut sums)?;
    plan.finish(sums, shapes.result, result)
}

/// Products of binary32 numbers that are encoded in blocks along the contracted dimensions, which count as one
/// dimension in their order. Each matrix of a batch is encoded separately.
fn in_blocks(
    product: &QuantizedProduct,
    lhs: &Tensor,
    rhs: &Tensor,
    shapes: Shapes,
    result: &ElementType,
) -> Result<Tensor, EvalError> {
    let whole = Accumulation { working: F32, how: Accumulator::Plain };
    let (a, b) = (whole.operand(lhs)?, whole.operand(rhs)?);
    let (a, b) = (shapes.left(&a), shapes.right(&b));
    let Sizes { rows, depth, columns, .. } = shapes.sizes;
    let mut sums = buffer_pool::zeros(shapes.result.iter().product());
    if let (Data::F32(a), Data::F32(b)) = (&*a, &*b)
        && rows * depth * columns > 0
    {
        let shared = shapes.sizes.products() >= SHARED_EMULATED;
        let product = product.clone().with_threads(if shared { rayon::current_num_threads() } else { 1 });
        let wrong = |error| EvalError::shape("dot_general", error);
        let matrices = a.chunks_exact(rows * depth).zip(b.chunks_exact(depth * columns));
        let matrices = matrices.zip(sums.chunks_exact_mut(rows * columns)).enumerate();
        for (matrix, ((a, b), sums)) in matrices {
            let left = product.left(a, depth, matrix).map_err(wrong)?;
            let right = product.right(b, depth, columns, matrix).map_err(wrong)?;
            product.rows(&left, &right, (0, columns), sums)?;
            product.finish(sums, columns, matrix).map_err(wrong)?;
        }
    }
    whole.finish(Data::F32(sums), shapes.result, result)
}

/// The plan of a small binary32 product that is repeated many times.
#[derive(Debug)]
pub(crate) struct SmallProduct {
    shapes: Shapes,
}

impl SmallProduct {
    /// Returns `None` if the operands' dimensions cannot be merged into those of matrices.
    pub(crate) fn new(lhs: &[usize], rhs: &[usize], dimensions: &DotDimensions) -> Option<SmallProduct> {
        let shapes = Shapes::new(lhs, rhs, dimensions).ok()?;
        shapes.strides().is_some().then_some(SmallProduct { shapes })
    }

    /// Computes the product as [`dot_general`] with sums in binary32 does.
    pub(crate) fn product(&self, a: &[f32], b: &[f32], sums: &mut [f32]) -> Result<(), EvalError> {
        self.shapes.in_place(&SINGLE, a, b, sums).map(|_| ())
    }
}

/// Sums of products of integers of up to 8 bits; `None` for other elements.
fn of_bytes(
    lhs: &Tensor,
    rhs: &Tensor,
    shapes: &Shapes,
    result: &ElementType,
) -> Result<Option<Tensor>, EvalError> {
    /// The bytes of integers, and true if they are signed.
    fn bytes(data: &Data) -> Option<(&[u8], bool)> {
        match data {
            Data::U8(all) => Some((all, false)),
            Data::I8(all) => Some((bytemuck::cast_slice(all), true)),
            _ => None,
        }
    }
    let Sizes { batch, rows, depth, columns } = shapes.sizes;
    let (mut a, mut b) = (Cow::Borrowed(&*lhs.data), Cow::Borrowed(&*rhs.data));
    let mut dense = None;
    if shapes.strides().is_none() {
        (a, b) = (shapes.left(&lhs.data), shapes.right(&rhs.data));
        dense = Some(Shapes::dense(shapes.sizes));
    }
    let places = dense.as_ref().unwrap_or(shapes);
    let (Some((a, a_signed)), Some((b, b_signed)), Some(strides)) = (bytes(&a), bytes(&b), places.strides())
    else {
        return Ok(None);
    };
    let [a_row, a_depth, b_depth, b_column] = strides;
    let threads = if shapes.sizes.products() < SHARED { 1 } else { rayon::current_num_threads() };
    let mut sums = vec![0i32; batch * rows * columns];
    if rows * columns * depth > 0 {
        let starts = places.lhs.starts().into_iter().zip(places.rhs.starts());
        for ((left, right), sums) in starts.zip(sums.chunks_exact_mut(rows * columns)) {
            let a = Bytes::new(&a[left..], a_signed, [rows, depth], [a_row, a_depth])?;
            let b = Bytes::new(&b[right..], b_signed, [depth, columns], [b_depth, b_column])?;
            multiply_bytes(*ISA, threads, a, b, sums)?;
        }
    }
    let whole = Accumulation { working: I32, how: Accumulator::Plain };
    whole.finish(Data::I32(sums), shapes.result.clone(), result).map(Some)
}

/// An operand: its dimensions by role.
#[derive(Debug)]
struct Side {
    shape: Vec<usize>,
    batching: Vec<usize>,
    free: Vec<usize>,
    contracting: Vec<usize>,
}

#[derive(Debug)]
struct Shapes {
    lhs: Side,
    rhs: Side,
    sizes: Sizes,
    result: Vec<usize>,
}

impl Side {
    fn new(shape: &[usize], batching: &[usize], contracting: &[usize]) -> Result<Side, EvalError> {
        let rank = shape.len();
        let mut used = vec![false; rank];
        for &dimension in batching.iter().chain(contracting) {
            if dimension >= rank || std::mem::replace(&mut used[dimension], true) {
                let facts = format!("dimension {dimension} of {shape:?} is out of range or used twice");
                return Err(EvalError::shape("dot_general", facts));
            }
        }
        Ok(Side {
            shape: shape.to_vec(),
            batching: batching.to_vec(),
            free: (0..rank).filter(|&dimension| !used[dimension]).collect(),
            contracting: contracting.to_vec(),
        })
    }

    fn sizes(&self, dimensions: &[usize]) -> Vec<usize> {
        dimensions.iter().map(|&dimension| self.shape[dimension]).collect()
    }

    fn count(&self, dimensions: &[usize]) -> usize {
        dimensions.iter().map(|&dimension| self.shape[dimension]).product()
    }

    /// The stride of several dimensions as one; `None` if they cannot be merged.
    fn merged(&self, dimensions: &[usize]) -> Option<usize> {
        let all = strides(&self.shape);
        let mut several = dimensions.iter().rev().filter(|&&dimension| self.shape[dimension] != 1);
        let &last = several.next().or(dimensions.last())?;
        let mut expected = all[last] * self.shape[last];
        for &dimension in several {
            if all[dimension] != expected {
                return None;
            }
            expected *= self.shape[dimension];
        }
        Some(all[last])
    }

    /// The offset of each index of the batching dimensions.
    fn starts(&self) -> Vec<usize> {
        let all = strides(&self.shape);
        let mut starts = vec![0];
        for &dimension in &self.batching {
            let steps = |start: &usize| {
                let start = *start;
                (0..self.shape[dimension]).map(move |i| (start, i))
            };
            starts = starts.iter().flat_map(steps).map(|(start, i)| start + i * all[dimension]).collect();
        }
        starts
    }

    /// The elements with these dimensions in this order.
    fn ordered<'a>(&self, x: &'a Data, dimensions: &[&[usize]]) -> Cow<'a, Data> {
        let order = dimensions.concat();
        match order.is_sorted() {
            true => Cow::Borrowed(x),
            false => Cow::Owned(permuted(x, &self.shape, &order)),
        }
    }
}

impl Shapes {
    fn new(lhs: &[usize], rhs: &[usize], dimensions: &DotDimensions) -> Result<Shapes, EvalError> {
        let left = Side::new(lhs, &dimensions.lhs_batching, &dimensions.lhs_contracting)?;
        let right = Side::new(rhs, &dimensions.rhs_batching, &dimensions.rhs_contracting)?;
        for (what, a, b) in [
            ("batching", &left.batching, &right.batching),
            ("contracting", &left.contracting, &right.contracting),
        ] {
            let (a, b) = (left.sizes(a), right.sizes(b));
            if a != b {
                return Err(EvalError::shape(
                    "dot_general",
                    format!("{what} dimensions must have the same sizes: got {a:?} and {b:?}"),
                ));
            }
        }
        let mut result = left.sizes(&left.batching);
        result.extend(left.sizes(&left.free));
        result.extend(right.sizes(&right.free));
        let sizes = Sizes {
            batch: left.count(&left.batching),
            rows: left.count(&left.free),
            depth: left.count(&left.contracting),
            columns: right.count(&right.free),
        };
        Ok(Shapes { lhs: left, rhs: right, sizes, result })
    }

    /// Adds the products to sums of the plan's working type.
    fn add(&self, plan: &Accumulation, a: &Data, b: &Data, sums: &mut Data) -> Result<(), EvalError> {
        plan.multiply(self.sizes, &self.left(a), &self.right(b), sums)
    }

    /// The left operand as batch × rows × depth.
    fn left<'a>(&self, a: &'a Data) -> Cow<'a, Data> {
        self.lhs.ordered(a, &[&self.lhs.batching, &self.lhs.free, &self.lhs.contracting])
    }

    /// The right operand as batch × depth × columns.
    fn right<'a>(&self, b: &'a Data) -> Cow<'a, Data> {
        self.rhs.ordered(b, &[&self.rhs.batching, &self.rhs.contracting, &self.rhs.free])
    }

    /// The shapes of dense matrices.
    fn dense(sizes: Sizes) -> Shapes {
        let Sizes { batch, rows, depth, columns } = sizes;
        let side = |shape: [usize; 3], free, contracting| Side {
            shape: shape.to_vec(),
            batching: vec![0],
            free: vec![free],
            contracting: vec![contracting],
        };
        let (lhs, rhs) = (side([batch, rows, depth], 1, 2), side([batch, depth, columns], 2, 1));
        Shapes { lhs, rhs, sizes, result: vec![batch, rows, columns] }
    }

    /// The distances between rows and columns of A, then of B; `None` if the dimensions are not those of matrices.
    fn strides(&self) -> Option<[usize; 4]> {
        // Without dimensions there is one index, and any stride works.
        let stride = |side: &Side, dimensions: &[usize]| {
            if dimensions.is_empty() { Some(1) } else { side.merged(dimensions) }
        };
        Some([
            stride(&self.lhs, &self.lhs.free)?,
            stride(&self.lhs, &self.lhs.contracting)?,
            stride(&self.rhs, &self.rhs.contracting)?,
            stride(&self.rhs, &self.rhs.free)?,
        ])
    }

    /// Computes the products without moving the operands; false if their dimensions are not those of matrices.
    fn in_place(
        &self,
        multiplier: &Multiplier,
        a: &[f32],
        b: &[f32],
        sums: &mut [f32],
    ) -> Result<bool, EvalError> {
        let Sizes { batch, rows, columns, depth } = self.sizes;
        if batch * rows * columns == 0 {
            return Ok(true);
        }
        let Some([a_row, a_depth, b_depth, b_column]) = self.strides() else { return Ok(false) };
        let left = self.lhs.starts().into_iter();
        let left = left.map(|start| Matrix::with_strides(&a[start..], rows, depth, a_row, a_depth));
        let right = self.rhs.starts().into_iter();
        let right = right.map(|start| Matrix::with_strides(&b[start..], depth, columns, b_depth, b_column));
        let mut targets = sums.chunks_exact_mut(rows * columns).map(|c| MatrixMut::new(c, rows, columns));
        if batch == 1 {
            for ((a, b), c) in left.zip(right).zip(targets) {
                multiplier.product(a?, b?, c?)?;
            }
            return Ok(true);
        }
        multiplier.product_batch(
            &left.collect::<Result<Vec<_>, _>>()?,
            &right.collect::<Result<Vec<_>, _>>()?,
            targets.by_ref().collect::<Result<_, _>>()?,
        )?;
        Ok(true)
    }
}

fn by_algorithm(
    lhs: &Tensor,
    rhs: &Tensor,
    shapes: &Shapes,
    algorithm: &DotAlgorithm,
    result: &ElementType,
) -> Result<Tensor, EvalError> {
    let refused = || EvalError::element("a dot algorithm", &lhs.element);
    let plan = match &algorithm.accumulation {
        ElementType::Float(FloatType::F32) => {
            Accumulation { working: F32, how: Accumulator::Multiplier(SINGLE.clone()) }
        }
        ElementType::Float(FloatType::F64) => Accumulation { working: F64, how: Accumulator::Plain },
        ElementType::Float(float) => {
            Accumulation { working: F32, how: Accumulator::Multiplier(multiplier(rounding_to(*float))) }
        }
        ElementType::Integer { .. } => Accumulation { working: I32, how: Accumulator::Plain },
        _ => return Err(refused()),
    };
    let plan = plan.shared_out(shapes.sizes.products());
    let parts = algorithm.parts();
    let split = |x: &Tensor, precision: &ElementType| split(x, precision, parts, &plan.working);
    let (a, b) = (split(lhs, &algorithm.lhs_precision)?, split(rhs, &algorithm.rhs_precision)?);
    let length = shapes.result.iter().product();
    let mut sums = Data::zeros(&plan.working, length);
    // The greatest sum of indices: 4 and 9 operations take all products, 3 and 6 those of leading order.
    let reach = if matches!(algorithm.primitive_operations, 4 | 9) { 2 * (parts - 1) } else { parts - 1 };
    for order in (1..=reach).rev() {
        for i in (0..parts).rev().filter(|&i| i <= order && order - i < parts) {
            shapes.add(&plan, &a[i], &b[order - i], &mut sums)?;
        }
    }
    match &mut sums {
        Data::F32(sums) => sums.iter_mut().filter(|sum| sum.is_nan()).for_each(|sum| *sum = 0.0),
        Data::F64(sums) => sums.iter_mut().filter(|sum| sum.is_nan()).for_each(|sum| *sum = 0.0),
        _ => {}
    }
    shapes.add(&plan, &a[0], &b[0], &mut sums)?;
    plan.finish(sums, shapes.result.clone(), result)
}

/// Splits a tensor into a sum of tensors of a type, in the working type. Each is the remainder, rounded to the type.
fn split(
    x: &Tensor,
    precision: &ElementType,
    parts: usize,
    working: &ElementType,
) -> Result<Vec<Arc<Data>>, EvalError> {
    let tensor = |element: &ElementType, data| Tensor::new(element.clone(), x.shape.clone(), data);
    let mut all = vec![];
    let mut rest = x.clone();
    for number in 0..parts {
        let part = tensor(precision, convert(&rest, precision)?);
        all.push(Arc::new(convert(&part, working)?));
        if number + 1 < parts {
            let part = convert(&part, &F64)?;
            let (Data::F64(mut left), Data::F64(part)) = (convert(&rest, &F64)?, part) else {
                return Err(EvalError::element("a dot algorithm", precision));
            };
            left.iter_mut().zip(part).for_each(|(left, part)| *left -= part);
            rest = tensor(&F64, Data::F64(left));
        }
    }
    Ok(all)
}
