//! The definition of every product in plain loops over [`Operator::multiply_add`]; all kernels are tested against it.

use std::ops::Range;

use binade::carrier::power;
use binade::catalog::{BF16, F32};
use binade::operator::{Compound, Variant};
use binade::{
    Fields, Format, NanCodes, Operator, Projection, Rounding, Subnormals, SumDraws, Value, project,
};
use binade_simd::Environment;

use crate::exact::{Exact, narrow};
use crate::matrix::{Matrix, MatrixMut};
use crate::order::Order;

/// The binary32 nearest to the exact x + y.
fn add32(x: f64, y: f64) -> f32 {
    // The exact sum has no −0.
    if x == 0.0 && y == 0.0 { (x + y) as f32 } else { exact(&[x, y]).round(F32) }
}

fn exact(terms: &[f64]) -> Exact {
    let mut sum = Exact::zero();
    terms.iter().for_each(|&x| sum.add(x));
    sum
}

/// x to nearest even in a format, as a binary32.
fn rounded(format: Format, x: f32) -> f32 {
    let value = binade::decode(F32, x.to_bits() as u64);
    narrow(format, project(format, value, Projection::default()).code)
}

/// The BF16 parts of x (the paper's Formula 1, see [`binade::operator`]).
fn split(x: f32, parts: usize, flush: bool) -> [f32; 3] {
    let x = if flush && x.is_subnormal() { 0f32.copysign(x) } else { x };
    let leading = rounded(BF16, x);
    if !leading.is_finite() {
        return [leading; 3];
    }
    let mut all = [leading, 0.0, 0.0];
    let mut rest = x;
    for i in 1..parts {
        rest = add32(rest as f64, -all[i - 1] as f64);
        all[i] = rounded(BF16, rest);
    }
    all
}

fn join(parts: [f32; 3], count: usize) -> f32 {
    parts[1..count].iter().fold(parts[0], |sum, &part| add32(sum as f64, part as f64))
}

/// An element of A or B as an input of the operator: rounded to the input format, or the sum of its parts.
pub(crate) fn input(operator: &Operator, x: f32) -> f64 {
    match (operator.as_compound(), operator.formats()) {
        (Some(compound), _) => join(split(x, compound.inputs, compound.flush), compound.inputs) as f64,
        (_, Some((format, _))) => rounded(format, x) as f64,
        _ => x as f64,
    }
}

/// c ← c + x in the accumulator's arithmetic, where x is a sum that is not an accumulator yet.
///
/// This is the operator's last stage. For a pair of formats it is the exact x + c, rounded once to the accumulator. For
/// the paper's operators with N = 1, x takes the product's place in the binary32 sum. With N > 1, x is rounded to
/// binary32, takes the place of the products' binary32 sum, and is split into N parts. `exact` variants round the exact
/// sum once. Sums of a matrix unit are added in binary32.
pub fn accumulate(operator: &Operator, x: f64, c: f32) -> f32 {
    accumulate_drawn(operator, 0, x, c)
}

/// [`accumulate`], with the random word of this addition. Operators that are not stochastic ignore it.
pub fn accumulate_drawn(operator: &Operator, word: u32, x: f64, c: f32) -> f32 {
    let _environment = Environment::enter();
    let Some(compound) = operator.as_compound() else {
        let accumulator = operator.formats().map_or(F32, |(_, accumulator)| accumulator);
        let rounding = operator.rounding().of_word(word);
        // A format without NaN takes the sign of the first NaN.
        let first_nan = if x.is_nan() { x as f32 } else { c };
        let zero = |x: f32| rounded(accumulator, x);
        let cancels_to_negative = rounding == Rounding::TowardNegative;
        match () {
            () if first_nan.is_nan() => return rounded(accumulator, first_nan),
            () if x == 0.0 && c == 0.0 => {
                let sum = (x + c as f64) as f32;
                let differ = x.is_sign_negative() != c.is_sign_negative();
                return zero(if differ && cancels_to_negative { -0.0 } else { sum });
            }
            () if x == -(c as f64) && cancels_to_negative => return zero(-0.0),
            () => {}
        }
        return exact(&[x, c as f64]).round_by(accumulator, rounding);
    };
    let Compound { inputs: n, accumulator: m, flush, .. } = compound;
    let parts = split(c, m, flush);
    if compound.variant == Variant::Exact {
        let whole = join(parts, m) as f64;
        if x == 0.0 && whole == 0.0 {
            return (x + whole) as f32;
        }
        return held(&exact(&[x, whole]), m);
    }
    let sum = if n == 1 {
        add32(x, join(parts, m) as f64)
    } else {
        let x = split(add32(x, -0.0), n, flush);
        let pair = |i: usize| add32(x[i] as f64, parts[i] as f64);
        let high = add32(pair(n - 1) as f64, pair(n - 2) as f64);
        if n == 2 { high } else { add32(high as f64, pair(0) as f64) }
    };
    if compound.variant == Variant::Listing { sum } else { join(split(sum, m, flush), m) }
}

/// The number nearest to an exact sum among sums of M BF16 parts.
fn held(sum: &Exact, parts: usize) -> f32 {
    // Parts are multiples of BF16's least subnormal, and their sum is a binary32 number.
    let (Value::Finite(x), true) = (sum.value(), parts > 1) else { return sum.round(BF16) };
    if x.is_zero() {
        return 0.0;
    }
    let quantum = (x.log2_floor() - 23).max(-133);
    let near = if parts == 3 {
        sum.round(grid(24, quantum))
    } else {
        let high = sum.round(BF16);
        if !high.is_finite() {
            return high;
        }
        let mut rest = sum.clone();
        rest.add(-high as f64);
        add32(high as f64, rest.round(grid(8, quantum)) as f64)
    };
    join(split(near, parts, false), parts)
}

/// The format of numbers of at most `precision` bits that are multiples of 2^quantum.
fn grid(precision: u32, quantum: i64) -> Format {
    Format::constant(Fields {
        width: 10 + precision,
        precision,
        bias: 2 - quantum as i32 - precision as i32,
        signed: true,
        infinities: false,
        nan: NanCodes::None,
        negative_zero: true,
        subnormals: Subnormals::Ieee,
    })
}

/// c + Σ aᵢ · bᵢ under an operator, in an order, over the length of the shorter vector. The order `any` is computed as
/// `sequential`, and a matrix unit has its own order. A stochastic operator takes the words of element (0, 0) under key 0.
pub fn dot(operator: &Operator, order: Order, a: &[f32], b: &[f32], c: f32) -> f32 {
    dot_drawn(operator, order, &SumDraws::new(0), a, b, c)
}

/// [`dot`], with the random words of element (0, 0) of `draws`, which [`SumDraws`] numbers. Operators that are not
/// stochastic ignore them.
pub fn dot_drawn(operator: &Operator, order: Order, draws: &SumDraws, a: &[f32], b: &[f32], c: f32) -> f32 {
    let _environment = Environment::enter();
    if let Some(unit) = operator.as_unit() {
        return unit.dot(a, b, c);
    }
    let pairs: Vec<(f32, f32)> = a.iter().copied().zip(b.iter().copied()).collect();
    if pairs.is_empty() {
        return c;
    }
    let is_stochastic = operator.is_stochastic();
    let word = |step: usize| if is_stochastic { draws.word(0, 0, step as u64) } else { 0 };
    let step = |at: usize, c: f32| operator.multiply_add_drawn(word(at), pairs[at].0, pairs[at].1, c);
    let chain = |steps: &mut dyn Iterator<Item = usize>, c: f32| steps.fold(c, |c, at| step(at, c));
    let count = pairs.len();
    // Sums of sums are numbered after the products.
    let join = |number: usize, x: f64, c: f32| accumulate_drawn(operator, word(count + number), x, c);
    let products = |pairs: &[(f32, f32)]| -> Vec<f64> {
        // Inputs have at most 24 bits, so their product is exact in binary64.
        pairs.iter().map(|&(a, b)| input(operator, a) * input(operator, b)).collect()
    };
    match order {
        Order::Sequential | Order::Any => chain(&mut (0..count), c),
        Order::Blocked { block } => {
            let block = block.max(1);
            (0..count.div_ceil(block)).fold(c, |c, number| {
                let first = number * block;
                let mut steps = first..count.min(first.saturating_add(block));
                join(number, chain(&mut steps, 0.0) as f64, c)
            })
        }
        Order::Lanes { lanes } => (0..lanes.min(count))
            .fold(c, |c, lane| join(lane, chain(&mut (lane..count).step_by(lanes), 0.0) as f64, c)),
        Order::Pairwise => {
            fn tree(
                leaves: Range<usize>,
                leaf: &dyn Fn(usize) -> f32,
                join: &dyn Fn(usize, f64, f32) -> f32,
            ) -> f32 {
                if leaves.len() == 1 {
                    return leaf(leaves.start);
                }
                let middle = leaves.start + leaves.len().next_power_of_two() / 2;
                let (left, right) =
                    (tree(leaves.start..middle, leaf, join), tree(middle..leaves.end, leaf, join));
                join(middle, right as f64, left)
            }
            join(0, tree(0..count, &|at| step(at, 0.0), &join) as f64, c)
        }
        Order::Aligned { group, bits } => pairs
            .chunks(group.max(1))
            .enumerate()
            .fold(c, |c, (number, pairs)| join(number, aligned(&products(pairs), bits), c)),
        Order::Exact => {
            let mut sum = exact(&products(&pairs));
            sum.add(exact_c(operator, c));
            exact_result(operator, word(count), &sum)
        }
    }
}

/// The number that the order `exact` adds for C: the accumulator that C rounds to.
pub(crate) fn exact_c(operator: &Operator, c: f32) -> f64 {
    match operator.as_compound() {
        Some(compound) => join(split(c, compound.accumulator, compound.flush), compound.accumulator) as f64,
        None => c as f64,
    }
}

/// An exact sum rounded to the operator's accumulator.
pub(crate) fn exact_result(operator: &Operator, word: u32, sum: &Exact) -> f32 {
    match (operator.as_compound(), operator.formats()) {
        (Some(compound), _) if compound.variant == Variant::Listing => sum.round(F32),
        (Some(compound), _) => held(sum, compound.accumulator),
        (_, Some((_, accumulator))) => sum.round_by(accumulator, operator.rounding().of_word(word)),
        _ => sum.round(F32),
    }
}

/// The products of numbers with 1, which the orders `exact` and `aligned` add.
pub fn terms(operator: &Operator, x: &[f32]) -> Vec<f64> {
    let _environment = Environment::enter();
    let one = input(operator, 1.0);
    x.iter().map(|&x| input(operator, x) * one).collect()
}

/// A sum of [`terms`] in the order `exact`, starting from +0, whose value can be read after each term.
pub struct ExactSum<'a> {
    operator: &'a Operator,
    sum: Exact,
}

impl ExactSum<'_> {
    /// +0.
    pub fn new(operator: &Operator) -> ExactSum<'_> {
        ExactSum { operator, sum: Exact::zero() }
    }

    /// Adds a term.
    pub fn add(&mut self, term: f64) {
        self.sum.add(term);
    }

    /// The sum of all terms so far, rounded once.
    pub fn value(&self) -> f32 {
        exact_result(self.operator, 0, &self.sum)
    }
}

/// The sum of a group of products in the order `aligned`.
pub fn aligned(products: &[f64], bits: u32) -> f64 {
    let largest = products.iter().fold(0.0, |most: f64, p| most.max(p.abs()));
    if products.iter().any(|p| !p.is_finite()) {
        return products.iter().filter(|p| !p.is_finite()).sum();
    }
    if largest == 0.0 {
        return 0.0;
    }
    // Products of binary32 numbers are far from binary64's limits.
    let exponent = (largest.to_bits() >> 52) as i32 - 1023;
    let unit = power(exponent - bits as i32);
    let sum: i128 = products.iter().map(|p| (p / unit) as i128).sum();
    sum as f32 as f64 * unit
}

/// C ← C + A · B, element by element with [`dot`].
///
/// # Errors
/// If the shapes do not fit.
pub fn gemm(
    operator: &Operator,
    order: Order,
    a: Matrix,
    b: Matrix,
    c: MatrixMut,
) -> Result<(), crate::matrix::ShapeError> {
    gemm_drawn(operator, order, &SumDraws::new(0), a, b, c)
}

/// C ← C + A · B, element by element with [`dot_drawn`].
///
/// # Errors
/// If the shapes do not fit.
pub fn gemm_drawn(
    operator: &Operator,
    order: Order,
    draws: &SumDraws,
    a: Matrix,
    b: Matrix,
    mut c: MatrixMut,
) -> Result<(), crate::matrix::ShapeError> {
    crate::matrix::fits(&a, &b, &c)?;
    for row in 0..c.rows() {
        let left: Vec<f32> = (0..a.columns()).map(|k| a.at(row, k)).collect();
        for column in 0..c.columns() {
            let right: Vec<f32> = (0..b.rows()).map(|k| b.at(k, column)).collect();
            let draws = draws.at(row as u64, column as u64, 0);
            let sum = dot_drawn(operator, order, &draws, &left, &right, c.at(row, column));
            c.set(row, column, sum);
        }
    }
    Ok(())
}
