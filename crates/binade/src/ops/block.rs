//! Operations on blocks (P3109 4.0 §5), whose elements share a scale, by the definitions of the report.
//!
//! An element represents the exact product of itself and the scale. Results are exact functions of these products,
//! divided by the scale of the result, and rounded once. Blocks belong to 4.0: −0 is read as 0, and projection is that
//! of 4.0.

use alloc::vec;
use alloc::vec::Vec;

use thiserror::Error;

use super::arithmetic::INFINITY;
use super::compare::MAXIMUM;
use super::{Operation, raised};
use crate::catalog::{Edition, F32};
use crate::codec::{Datum, decode};
use crate::exact::{Finite, Value, wide};
use crate::format::Format;
use crate::round::{Projection, Rounded, project_in};

/// A block: a scale, and the elements that share it.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// The scale; any value of any format.
    pub scale: Datum,
    /// The elements.
    pub elements: &'a [Datum],
}

/// Blocks that an operation cannot take.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BlockError {
    /// Blocks of different sizes.
    #[error("blocks of {first} and of {other} elements have no elements in common")]
    Sizes {
        /// Elements of the first.
        first: usize,
        /// Elements of another.
        other: usize,
    },
    /// Wrong number of blocks.
    #[error("{name} takes {expected} blocks, not {given}")]
    Blocks {
        /// The operation.
        name: &'static str,
        /// Number of blocks that it takes.
        expected: usize,
        /// Number of blocks given.
        given: usize,
    },
    /// An operation that §5.4 does not list.
    #[error("{0} is not an operation on blocks (P3109 4.0 §5.4)")]
    NoBlockOperation(&'static str),
    /// Products with more bits than exact operations support.
    #[error(
        "scales of precision {scale} and elements of precision {element}: together they may have at most 53 bits, unless \
         one of them has 1"
    )]
    Precision {
        /// Precision of the scales.
        scale: u32,
        /// Precision of the elements.
        element: u32,
    },
    /// A NaN or infinity in a block that has no NaN.
    #[error(
        "element {index} is not finite: neither elements of {element} nor scales of {scale} have a NaN for it"
    )]
    NotFinite {
        /// Its index.
        index: usize,
        /// The format of elements.
        element: Format,
        /// The format of scales.
        scale: Format,
    },
    /// A result scale with too many bits.
    #[error("result scales of precision {0}: at most 24 bits are divided by")]
    ResultScale(u32),
}

/// Checks that products of an element and a scale have few enough bits for exact operations.
fn check_product(scale: Format, element: Format) -> Result<(), BlockError> {
    let (scale, element) = (scale.precision(), element.precision());
    match scale.min(element) == 1 || scale + element <= 53 {
        true => Ok(()),
        false => Err(BlockError::Precision { scale, element }),
    }
}

fn check_result(scale: Datum) -> Result<(), BlockError> {
    match scale.format().precision() {
        ..=24 => Ok(()),
        precision => Err(BlockError::ResultScale(precision)),
    }
}

/// Replaces −0 by 0: 4.0 has no −0 (§4.8.1).
fn unsigned_zero(value: Value) -> Value {
    match value {
        Value::Finite(x) if x.is_zero() => Value::ZERO,
        _ => value,
    }
}

fn read(datum: Datum) -> Value {
    datum.without_negative_zero().value()
}

impl Block<'_> {
    /// The value of an element: ωBlockDecode (§5.1.1).
    fn value(&self, element: Datum) -> Value {
        unsigned_zero(read(self.scale).times(read(element)))
    }

    fn checked(&self) -> Result<(), BlockError> {
        self.elements.iter().try_for_each(|element| check_product(self.scale.format(), element.format()))
    }

    fn values(&self) -> impl Iterator<Item = Value> {
        self.elements.iter().map(|&element| self.value(element))
    }
}

/// ωBlockProject (§5.1.2) of one element.
fn block_project(x: Value, scale: Value, to: Format, how: Projection) -> Rounded {
    let z = match (scale, x) {
        (Value::Nan { .. }, _) => scale,
        (_, Value::Nan { .. }) => x,
        (Value::Finite(s), _) if s.is_zero() => Value::ZERO,
        (Value::Infinite { .. }, Value::Finite(x)) if x.is_zero() => Value::ZERO,
        (Value::Infinite { negative }, _) => Value::Finite(Finite::new(negative != x.negative(), 1, 0)),
        (Value::Finite(s), Value::Infinite { negative }) => {
            Value::Infinite { negative: negative != s.negative }
        }
        (Value::Finite(s), Value::Finite(x)) => Value::Finite(over_scale(x, s)),
    };
    project_in(to, unsigned_zero(z), how, Edition::V4)
}

/// x / s for s ≠ 0 of at most 24 bits.
///
/// Let s = d·2^t with d odd. The quotient of an exact x is computed to 128 bits or more. An inexact x is m + δ units
/// with 0 < δ < 1, and m has at least 100 bits. ⌊(m + δ)/d⌋ = ⌊m/d⌋, and the quotient is strictly between that and the
/// next integer. That leaves 76 bits: enough for results of up to 40 bits plus 32 random ones, and for binary64.
fn over_scale(x: Finite, s: Finite) -> Finite {
    if x.is_zero() {
        return x;
    }
    let twos = s.significand.trailing_zeros();
    let (odd, exponent) = (s.significand >> twos, x.exponent - s.exponent - twos as i64);
    let negative = x.negative != s.negative;
    if odd == 1 {
        return Finite { negative, exponent, ..x };
    }
    if x.sticky {
        return Finite { negative, significand: x.significand / odd, exponent, sticky: true };
    }
    wide::quotient(Finite { negative, exponent, ..x }, odd)
}

/// The values of a block as codes of a format (§5.2.1, ConvertFromBlock).
///
/// # Errors
/// Formats whose products have too many bits.
pub fn convert_from_block(block: Block<'_>, to: Format, how: Projection) -> Result<Vec<Rounded>, BlockError> {
    block.checked()?;
    let each = block.elements.iter().map(|&element| {
        raised(project_in(to, block.value(element), how, Edition::V4), &[block.scale, element])
    });
    Ok(each.collect())
}

/// Values as elements of a block with this scale (§5.2.2, ConvertToBlock).
///
/// ```
/// use binade::ops::convert_to_block;
/// use binade::{Datum, Projection, Spec, catalog::F32};
/// let format = |name: &str| name.parse::<Spec>().map(|spec| spec.format);
/// let (e2m1, e8m0) = (format("float4_e2m1fn")?, format("float8_e8m0fnu")?);
/// let x = [1.0f32, -3.0, 0.1].map(|x| Datum::new(F32, x.to_bits() as u64).unwrap());
/// // Divided by 2^−1 they are 2, −6 and 0.2.
/// let elements = convert_to_block(&x, Datum::new(e8m0, 126)?, e2m1, Projection::default())?;
/// assert_eq!(elements.iter().map(|element| element.code).collect::<Vec<_>>(), [0x4, 0xf, 0x0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A scale of more than 24 bits.
pub fn convert_to_block(
    elements: &[Datum],
    scale: Datum,
    to: Format,
    how: Projection,
) -> Result<Vec<Rounded>, BlockError> {
    check_result(scale)?;
    let s = read(scale);
    let each = elements.iter().map(|&x| raised(block_project(read(x), s, to, how), &[x, scale]));
    Ok(each.collect())
}

/// Values as a block whose scale is their largest finite magnitude, not divided by that of the elements' format
/// (§5.2.3, ConvertToBlockMaxAbsFinite). Returns the scale, projected by `how_scale`, and the elements.
///
/// # Errors
/// Scales of more than 24 bits.
pub fn convert_to_block_max_abs_finite(
    elements: &[Datum],
    scales: Format,
    how_scale: Projection,
    to: Format,
    how: Projection,
) -> Result<(Rounded, Vec<Rounded>), BlockError> {
    let finite = MAXIMUM.of_finite();
    let largest =
        elements.iter().fold(Value::UNDEFINED, |largest, &x| finite.of(largest, read(x).magnitude()));
    let scale = raised(project_in(scales, largest, how_scale, Edition::V4), elements);
    let datum = Datum::new(scales, scale.code).expect("a projection gives a code of its format");
    Ok((scale, convert_to_block(elements, datum, to, how)?))
}

/// The sum of a block's values, exact and rounded once (§5.3.1).
///
/// # Errors
/// Formats whose products have too many bits.
pub fn block_reduce_add(block: Block<'_>, to: Format, how: Projection) -> Result<Rounded, BlockError> {
    block.checked()?;
    let total = sum(block.values());
    Ok(with_operands(project_in(to, total, how, Edition::V4), &[block]))
}

/// The product of a block's values, exact and rounded once (§5.3.1).
///
/// # Errors
/// Formats whose products have too many bits.
pub fn block_reduce_multiply(block: Block<'_>, to: Format, how: Projection) -> Result<Rounded, BlockError> {
    block.checked()?;
    let total = product(block.values());
    Ok(with_operands(project_in(to, total, how, Edition::V4), &[block]))
}

/// The sum of the products of two blocks' values, exact and rounded once (§5.3.2).
///
/// # Errors
/// Blocks of different sizes, and formats whose products have too many bits.
pub fn block_dot_product(
    x: Block<'_>,
    y: Block<'_>,
    to: Format,
    how: Projection,
) -> Result<Rounded, BlockError> {
    check_sizes(&[x, y])?;
    let total = sum(x.values().zip(y.values()).map(|(x, y)| x.times(y)));
    Ok(with_operands(project_in(to, total, how, Edition::V4), &[x, y]))
}

/// The sum over pairs of blocks of the products of their values, times factors (the scales of whole tensors), exact and
/// rounded once. It is OCP MX's DotGeneral, without its freedom of rounding. For one pair it is [`block_dot_product`].
///
/// # Errors
/// Blocks of different sizes, and formats whose products have too many bits: more than 128, including those of the
/// factors.
pub fn block_dot_products(
    pairs: &[(Block<'_>, Block<'_>)],
    factors: &[Datum],
    to: Format,
    how: Projection,
) -> Result<Rounded, BlockError> {
    let of_factors: u32 = factors.iter().map(|factor| factor.format().precision()).sum();
    for (x, y) in pairs {
        check_sizes(&[*x, *y])?;
        let of = |block: &Block<'_>| block.elements.first().map_or(0, |element| element.format().precision());
        let (scale, element) = (x.scale.format().precision() + y.scale.format().precision(), of(x) + of(y));
        if scale + element + of_factors > 128 {
            return Err(BlockError::Precision { scale: scale + of_factors, element });
        }
    }
    let raised_by = |value: Value| factors.iter().fold(value, |value, &factor| value.times(read(factor)));
    let products = |(x, y): &(Block<'_>, Block<'_>)| -> Vec<Value> {
        x.values().zip(y.values()).map(|(x, y)| raised_by(x.times(y))).collect()
    };
    let total = sum(pairs.iter().flat_map(products));
    let blocks: Vec<Block<'_>> = pairs.iter().flat_map(|&(x, y)| [x, y]).collect();
    Ok(raised(with_operands(project_in(to, total, how, Edition::V4), &blocks), factors))
}

/// Multiplies a sum by the scales of its blocks, and rounds once. The sum is over the elements of one block, or over
/// the products of two blocks' elements, and was computed in some other arithmetic. The flags are those of this
/// rounding, plus Denormal of all operands in the blocks.
///
/// # Errors
/// Blocks of different sizes, and scales whose products with a binary32 sum have too many bits.
pub fn block_sum(sum: f32, blocks: &[Block<'_>], to: Format, how: Projection) -> Result<Rounded, BlockError> {
    check_sizes(blocks)?;
    blocks.iter().try_for_each(|block| check_product(block.scale.format(), F32))?;
    let sum = unsigned_zero(decode(F32, u64::from(sum.to_bits())));
    let total = blocks.iter().fold(sum, |total, block| unsigned_zero(total.times(read(block.scale))));
    Ok(with_operands(project_in(to, total, how, Edition::V4), blocks))
}

/// An operation on blocks, element by element, with results as elements of a block with this scale (§5.4, BlockOp).
///
/// # Errors
/// An operation that §5.4 does not list, a wrong number of blocks, blocks of different sizes, or formats whose products
/// have too many bits.
pub fn block_op(
    operation: Operation,
    blocks: &[Block<'_>],
    scale: Datum,
    to: Format,
    how: Projection,
) -> Result<Vec<Rounded>, BlockError> {
    if !is_block_operation(operation) {
        return Err(BlockError::NoBlockOperation(operation.name()));
    }
    let (name, expected) = (operation.name(), operation.arity());
    if blocks.len() != expected {
        return Err(BlockError::Blocks { name, expected, given: blocks.len() });
    }
    check_sizes(blocks)?;
    check_result(scale)?;
    let s = read(scale);
    let count = blocks.first().map_or(0, |block| block.elements.len());
    let each = (0..count).map(|at| {
        let values: Vec<Value> = blocks.iter().map(|block| block.value(block.elements[at])).collect();
        let z = operation.of_values(&values, &[], how.rounding.cancelled_negative());
        let rounded = block_project(z, s, to, how);
        let operands = blocks.iter().flat_map(|block| [block.scale, block.elements[at]]);
        raised(rounded, &operands.chain([scale]).collect::<Vec<Datum>>())
    });
    Ok(each.collect())
}

/// An operation on scaled operands: on blocks of one element, with a result of scale 1 (§5.5, ScaledOp).
///
/// # Errors
/// The errors of [`block_op`].
pub fn scaled_op(
    operation: Operation,
    operands: &[(Datum, Datum)],
    to: Format,
    how: Projection,
) -> Result<Rounded, BlockError> {
    let elements: Vec<[Datum; 1]> = operands.iter().map(|&(_, element)| [element]).collect();
    let blocks: Vec<Block<'_>> =
        operands.iter().zip(&elements).map(|(&(scale, _), elements)| Block { scale, elements }).collect();
    let results = block_op(operation, &blocks, one(), to, how)?;
    results.first().copied().ok_or(BlockError::NoBlockOperation(operation.name()))
}

/// The number 1, in a format that does not affect results.
fn one() -> Datum {
    Datum::new(F32, 1f32.to_bits() as u64).expect("1 is a code of binary32")
}

/// True if §5.4 lists the operation.
pub fn is_block_operation(operation: Operation) -> bool {
    use Operation as O;
    match operation {
        O::Convert | O::Abs | O::Negate | O::Sqrt | O::Rsqrt | O::Recip => true,
        O::Exp | O::Exp2 | O::Log | O::Log2 | O::Function(_) => true,
        O::CopySign
        | O::Add
        | O::Subtract
        | O::Multiply
        | O::Divide
        | O::Hypot
        | O::ArcTan2
        | O::ArcTan2Pi => true,
        O::Minimum | O::Maximum | O::MinimumNumber | O::MaximumNumber => true,
        O::MinimumMagnitude | O::MaximumMagnitude => true,
        O::MinimumMagnitudeNumber | O::MaximumMagnitudeNumber => true,
        O::MinimumFinite | O::MaximumFinite => true,
        O::Fma | O::Faa | O::Clamp => true,
        O::AddScaled | O::MultiplyScaled | O::ScaledFma => false,
        O::ScaledAdd | O::ScaledSubtract | O::ScaledMultiply => false,
        O::NextUp | O::NextDown | O::NextGreaterThan | O::NextLessThan => false,
        O::Compare(_) | O::TotalOrder | O::Test(_) | O::Class => false,
    }
}

fn check_sizes(blocks: &[Block<'_>]) -> Result<(), BlockError> {
    let first = blocks.first().map_or(0, |block| block.elements.len());
    for block in blocks {
        block.checked()?;
        let other = block.elements.len();
        if other != first {
            return Err(BlockError::Sizes { first, other });
        }
    }
    Ok(())
}

/// Adds the Denormal flag of all operands in the blocks.
fn with_operands(rounded: Rounded, blocks: &[Block<'_>]) -> Rounded {
    blocks.iter().fold(rounded, |rounded, block| raised(raised(rounded, block.elements), &[block.scale]))
}

/// reduce(ωAdd, [0, x…]): the order does not matter.
fn sum(values: impl Iterator<Item = Value>) -> Value {
    let (mut terms, mut infinite, mut nan) = (vec![Finite::zero(false)], None, None);
    for value in values {
        match value {
            Value::Finite(x) => terms.push(x),
            Value::Nan { .. } => nan = nan.or(Some(value)),
            Value::Infinite { negative } if infinite == Some(!negative) => {
                nan = nan.or(Some(Value::UNDEFINED))
            }
            Value::Infinite { negative } => infinite = Some(negative),
        }
    }
    match (nan, infinite) {
        (Some(nan), _) => nan,
        (_, Some(negative)) => Value::Infinite { negative },
        _ => unsigned_zero(Value::Finite(wide::sum(&terms, false))),
    }
}

/// reduce(ωMultiply, [1, x…]): NaN for zero and infinity in any order.
fn product(values: impl Iterator<Item = Value>) -> Value {
    let (mut factors, mut infinite, mut nan) = (vec![Finite::new(false, 1, 0)], false, None);
    for value in values {
        match value {
            Value::Finite(x) => factors.push(x),
            Value::Nan { .. } => nan = nan.or(Some(value)),
            Value::Infinite { negative } => {
                infinite = true;
                factors.push(Finite::new(negative, 1, 0));
            }
        }
    }
    let finite = wide::product(&factors);
    match (nan, infinite) {
        (Some(nan), _) => nan,
        (_, true) if finite.is_zero() => Value::UNDEFINED,
        (_, true) if finite.negative => INFINITY.negated(),
        (_, true) => INFINITY,
        _ => unsigned_zero(Value::Finite(finite)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{F32, F64};
    use crate::{Rounding, Spec};

    fn format(name: &str) -> Format {
        name.parse::<Spec>().unwrap().format
    }

    fn codes(name: &str, codes: &[u64]) -> Vec<Datum> {
        codes.iter().map(|&code| Datum::new(format(name), code).unwrap()).collect()
    }

    fn single(x: f32) -> Datum {
        Datum::new(F32, x.to_bits() as u64).unwrap()
    }

    const HOW: Projection =
        Projection { rounding: Rounding::NearestEven, saturation: crate::Saturation::Overflow };

    fn as_f32(rounded: Rounded) -> f32 {
        f32::from_bits(rounded.code as u32)
    }

    #[test]
    fn special_scales_follow_the_report() {
        let x = [1.5, -2.0, 0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN].map(single);
        let by = |scale: f32| -> Vec<f32> {
            convert_to_block(&x, single(scale), F32, HOW).unwrap().into_iter().map(as_f32).collect()
        };
        // §5.1.2: NaN first, then zeros, then signs.
        assert_eq!(by(0.0)[..5], [0.0; 5]);
        assert!(by(0.0)[5].is_nan());
        assert_eq!(by(f32::NEG_INFINITY)[..5], [-1.0, 1.0, 0.0, -1.0, 1.0]);
        assert_eq!(by(-2.0)[..5], [-0.75, 1.0, 0.0, f32::NEG_INFINITY, f32::INFINITY]);
        assert!(by(f32::NAN).iter().all(|x| x.is_nan()));
    }

    #[test]
    fn block_sums_are_rounded_once() {
        // 2^60 + 1 − 2^60 in binary32, with a scale of −0.5.
        let x = [2f32.powi(60), 1.0, -(2f32.powi(60))].map(single);
        let block = Block { scale: single(-0.5), elements: &x };
        assert_eq!(as_f32(block_reduce_add(block, F32, HOW).unwrap()), -0.5);
        assert_eq!(as_f32(block_reduce_multiply(block, F32, HOW).unwrap()), 2f32.powi(117));
        assert_eq!(as_f32(block_dot_product(block, block, F32, HOW).unwrap()), 2f32.powi(119));
        let infinite = [f32::INFINITY, 0.0, f32::NEG_INFINITY].map(single);
        let block = Block { scale: single(1.0), elements: &infinite };
        assert!(as_f32(block_reduce_add(block, F32, HOW).unwrap()).is_nan());
        assert!(as_f32(block_reduce_multiply(block, F32, HOW).unwrap()).is_nan());
        let one_infinity = Block { elements: &infinite[..2], ..block };
        assert_eq!(as_f32(block_reduce_add(one_infinity, F32, HOW).unwrap()), f32::INFINITY);
        let none = Block { elements: &[], ..block };
        assert_eq!(as_f32(block_reduce_add(none, F32, HOW).unwrap()), 0.0);
        assert_eq!(as_f32(block_reduce_multiply(none, F32, HOW).unwrap()), 1.0);
    }

    #[test]
    fn max_abs_finite_scale_is_the_largest_magnitude() {
        let (e4m3, e8m0) = (format("float8_e4m3fn"), format("float8_e8m0fnu"));
        let x = [3.0, -5.0, f32::INFINITY, 0.5].map(single);
        let (scale, elements) = convert_to_block_max_abs_finite(&x, e8m0, HOW, F32, HOW).unwrap();
        assert_eq!(scale.code, 129);
        assert_eq!(elements.into_iter().map(as_f32).collect::<Vec<_>>(), [0.75, -1.25, f32::INFINITY, 0.125]);
        let (scale, _) = convert_to_block_max_abs_finite(&[single(f32::NAN)], e4m3, HOW, F32, HOW).unwrap();
        assert_eq!(scale.code, 0x7f);
        let (scale, elements) =
            convert_to_block_max_abs_finite(&[single(1e-9)], e4m3, HOW, F32, HOW).unwrap();
        assert_eq!((scale.code, as_f32(elements[0])), (0, 0.0));
    }

    #[test]
    fn scaled_operations_equal_blocks_of_one() {
        let scales = codes("binary8p1uf", &[0x7f, 0x81]);
        let elements = codes("binary8p4se", &[0x38, 0x44]);
        let operands = [(scales[0], elements[0]), (scales[1], elements[1])];
        for (block, plain) in [
            (Operation::Add, Operation::ScaledAdd),
            (Operation::Subtract, Operation::ScaledSubtract),
            (Operation::Multiply, Operation::ScaledMultiply),
        ] {
            let flat = [scales[0], elements[0], scales[1], elements[1]];
            let plain = plain.evaluate(&flat, &[], F32, HOW, Edition::V4).unwrap();
            assert_eq!(super::super::Answer::Code(scaled_op(block, &operands, F32, HOW).unwrap()), plain);
        }
    }

    #[test]
    fn inexact_results_divided_by_the_scale_round_once() {
        // √2 / 3, and sin(10) / 3.
        let three = single(3.0);
        for (operation, x, wanted) in [
            (Operation::Sqrt, 2.0, (2f64.sqrt() / 3.0) as f32),
            (Operation::Function(crate::elementary::Function::Sin), 10.0, (10f64.sin() / 3.0) as f32),
        ] {
            let block = Block { scale: single(0.5), elements: &[single(2.0 * x)] };
            let result = block_op(operation, &[block], three, F32, HOW).unwrap();
            assert_eq!(as_f32(result[0]), wanted);
        }
    }

    #[test]
    fn invalid_blocks_are_errors() {
        let (x, wide) = (single(1.0), Datum::new(F64, 1f64.to_bits()).unwrap());
        let block = Block { scale: x, elements: &[x] };
        let error = |result: Result<Vec<Rounded>, BlockError>| result.unwrap_err().to_string();
        assert!(
            error(block_op(Operation::Class, &[block], x, F32, HOW))
                .contains("class is not an operation on blocks")
        );
        assert!(error(block_op(Operation::Add, &[block], x, F32, HOW)).contains("add takes 2 blocks, not 1"));
        let two = Block { scale: x, elements: &[x, x] };
        assert!(
            error(block_op(Operation::Add, &[block, two], x, F32, HOW)).contains("of 1 and of 2 elements")
        );
        assert!(error(block_op(Operation::Abs, &[block], wide, F32, HOW)).contains("precision 53"));
        let long = Block { scale: x, elements: &[wide] };
        assert!(
            error(convert_from_block(long, F32, HOW)).contains("precision 24 and elements of precision 53")
        );
    }

    #[test]
    fn block_operations_are_all_of_the_report() {
        let of = |arity: usize| {
            let taken =
                |operation: &&Operation| is_block_operation(**operation) && operation.arity() == arity;
            Operation::ALL.iter().filter(taken).count()
        };
        // §5.4: 31 unary, 18 binary, 3 ternary.
        assert_eq!((of(1), of(2), of(3)), (31, 18, 3));
    }
}
