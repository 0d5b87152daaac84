//! Fused multiply-add operators as data, and their scalar definition.
//!
//! An operator computes d = a · b + c as a narrower unit would, for a program that works in binary32. It rounds the
//! inputs to a format, or splits them into a sum of N BF16 parts. It stores the accumulator in a format, or as M BF16
//! parts ("A BF16 FMA is all you need for DNN training", sections 2 and 4). Grammar:
//! `INPUTS[xN]:ACC[xM][/PRODUCTS][+VARIANT…]`.
//!
//! - `bf16:bf16`, `bf16:bf16x2`, `bf16:bf16x3` (the paper's FMA_1_1, 1_2, 1_3): one binary32 FMA adds the exact product
//!   to the sum of C's parts. The result is split into M parts.
//! - `bf16x2:bf16x2/3`, `/4` (FMA_2_2{3}, {4}): partial products are summed smallest first in binary32. The sum is
//!   split and added to C part by part.
//! - `bf16x3:bf16x3/6`, `/9` (FMA_3_3{6}, {9}): likewise with three parts.
//! - `F:G`: inputs are rounded to F, and the exact a · b + c once to G, to nearest even.
//! - `F:G/rounding=MODE`: the exact a · b + c is rounded to G by another mode, a name of [`Rounding::NAMED`].
//!   `stochastic_a:8`, or `/random-bits=8` after the mode, gives a stochastic mode's number of random bits. The random
//!   word of each step is an argument ([`Operator::multiply_add_drawn`]); [`crate::draws`] says which it is.
//! - `mp` (MP, mixed precision): another name of `bf16:f32`.
//! - `h100:f16`, `unit(…):F`: a matrix unit, see [`UnitOperator`]. Its multiply-add is a step with one product.
//!
//! Everything here is defined through [`project`], so it is independent of the machine's floating-point environment.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use thiserror::Error;

use crate::block::{BlockFormat, Element};
use crate::catalog::{BF16, F32, F64, ieee};
use crate::codec;
use crate::exact::{Finite, Value};
use crate::format::{Fields, Format, NanCodes};
use crate::mode::RoundingError;
use crate::round::{Projection, Rounding, Saturation, project};
use crate::spec::{Spec, SpecError};
use crate::text::nearest;
use crate::unit::{UnitError, UnitOperator};

/// The treatment of the exact a · b + c on its way to the accumulator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Variant {
    /// As the list of this module says.
    #[default]
    Standard,
    /// The exact a · b + c of the rounded inputs, rounded once to the nearest binary32 value that the accumulator
    /// represents.
    Exact,
    /// The binary32 sum itself, not split again, as in the paper's Listing 1.
    Listing,
}

/// An operator; see the [module](self).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Operator {
    kind: OperatorKind,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum OperatorKind {
    Compound(Compound),
    Pair { inputs: Spec, accumulator: Spec, rounding: Rounding },
    Unit(Box<UnitOperator>),
}

/// An operator of the BF16 paper.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Compound {
    /// Parts N of the inputs A and B.
    pub inputs: usize,
    /// Parts M of the accumulator C and D.
    pub accumulator: usize,
    /// Partial products.
    pub products: usize,
    /// The rounding of the result to the accumulator.
    pub variant: Variant,
    /// True if splitting reads subnormal binary32 values as zero, as the instruction VCVTNEPS2BF16 does.
    pub flush: bool,
}

/// An operator's size in the paper's Table 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cost {
    /// Significand bits of the multiplication.
    pub multiplier_bits: u32,
    /// Bits of the widest operand.
    pub operand_bits: u32,
    /// Multiplications of input parts.
    pub products: u32,
    /// Σ P² over the multipliers, where P is a part's precision.
    pub area: u32,
}

impl Cost {
    /// Area of the binary32 FMA, 24².
    pub const BINARY32_AREA: u32 = 576;

    /// Throughput over binary32 at equal area.
    pub fn speed_up(&self) -> f64 {
        Cost::BINARY32_AREA as f64 / self.area as f64
    }
}

/// A quantity that an operator splits into parts, or reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantity {
    /// The operand a.
    A,
    /// The operand b.
    B,
    /// The accumulator before.
    C,
    /// The product of a and b.
    Product,
    /// The accumulator after.
    D,
}

impl Quantity {
    /// Its letter; that of the product is m.
    pub const fn letter(self) -> char {
        match self {
            Quantity::A => 'a',
            Quantity::B => 'b',
            Quantity::C => 'c',
            Quantity::Product => 'm',
            Quantity::D => 'd',
        }
    }
}

/// A rounding inside an operator, named by its operands: a0 is the first part of a, m the product, s the current sum.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// An operand as the operator reads it.
    Read(Quantity),
    /// The remainder of a quantity after its first `1` parts.
    Rest(Quantity, usize),
    /// Part number `1` of a quantity: the remainder, rounded.
    Part(Quantity, usize),
    /// The sum of a quantity's parts up to number `1`.
    Joined(Quantity, usize),
    /// The first partial product, of these parts of a and b.
    Product(usize, usize),
    /// A partial product and the previous sum, fused.
    ProductAdded(usize, usize),
    /// A partial product, rounded separately.
    Apart(usize, usize),
    /// The previous sum plus the separate product.
    ApartAdded,
    /// a0 · b0 + c, fused.
    MultiplyAdd,
    /// The sum of a part of the product and the same part of c.
    Pair(usize),
    /// Sums of pairs: `1` of the first two, `2` of the last two, `0` of the latter and the first.
    Pairs(usize),
    /// The exact a · b + c, rounded to the nearest binary32 value that the accumulator represents.
    Held,
    /// The exact a · b + c.
    Whole,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Step::Read(of) => write!(f, "{}", of.letter()),
            Step::Part(of, i) => write!(f, "{}{i}", of.letter()),
            Step::Rest(of, count) => {
                write!(f, "{}", of.letter())?;
                (0..count).try_for_each(|i| write!(f, " − {}{i}", of.letter()))
            }
            Step::Joined(of, last) => {
                write!(f, "{}0", of.letter())?;
                (1..=last).try_for_each(|i| write!(f, " + {}{i}", of.letter()))
            }
            Step::Product(i, j) => write!(f, "s = a{i}·b{j}"),
            Step::ProductAdded(i, j) => write!(f, "s = a{i}·b{j} + s"),
            Step::Apart(i, j) => write!(f, "p = a{i}·b{j}"),
            Step::ApartAdded => f.write_str("s = s + p"),
            Step::MultiplyAdd => f.write_str("s = a0·b0 + c"),
            Step::Pair(i) => write!(f, "t{i} = m{i} + c{i}"),
            Step::Pairs(1) => f.write_str("s = t0 + t1"),
            Step::Pairs(2) => f.write_str("s = t2 + t1"),
            Step::Pairs(_) => f.write_str("s = s + t0"),
            Step::Held | Step::Whole => f.write_str("d = a·b + c"),
        }
    }
}

/// A step of [`Operator::steps`], with its value before and after rounding.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StepResult {
    /// The operation.
    pub step: Step,
    /// The format to which it is rounded, to nearest even unless the operator has another mode for it.
    pub format: Format,
    /// The exact value.
    pub exact: Value,
    /// The rounded value.
    pub value: Value,
}

/// An error in the text of an operator.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OperatorError {
    /// A text without the form of an operator.
    #[error(
        "'{0}' is not an operator: write INPUTS:ACCUMULATOR, as in bf16:f32, bf16x2:bf16x2/3 or float8_e4m3fn:f32, or \
         UNIT:FORMAT, as in h100:e4m3"
    )]
    Syntax(String),
    /// A matrix unit that was not understood.
    #[error(transparent)]
    Unit(#[from] Box<UnitError>),
    /// A matrix unit where an operator computes single multiply-adds.
    #[error(
        "'{0}' is a matrix unit, which computes products of matrices: write an operator of single multiply-adds here, such as \
         bf16:f32. Units are for matmul, hlo, train, and products of PyTorch and JAX"
    )]
    MatrixUnit(String),
    /// An operator with a rounding mode, for the instructions of a program.
    #[error(
        "'{0}' has a rounding mode, and a program's instructions round to nearest even: `hlo run`, `train`, `matmul` and \
         binade.torch.arith take such operators"
    )]
    OfPrograms(String),
    /// An unknown format.
    #[error("'{operator}': its {part}: {source}")]
    Format {
        /// The operator.
        operator: String,
        /// The side of the operator.
        part: Part,
        /// The error of the format.
        source: SpecError,
    },
    /// A block format where an operator needs single numbers.
    #[error(
        "'{operator}': {name} is a format of blocks, whose elements share a scale, and this operation takes single numbers. \
         {}", elements_text(.name, *.part)
    )]
    Blocks {
        /// The operator.
        operator: String,
        /// The side of the operator.
        part: Part,
        /// The block format.
        name: String,
    },
    /// A compound operator that the paper does not define.
    #[error(
        "'{0}' is not defined: compound operators are bf16:bf16, bf16:bf16x2, bf16:bf16x3, bf16x2:bf16x2/3, \
         bf16x2:bf16x2/4, bf16x3:bf16x3/6 and bf16x3:bf16x3/9"
    )]
    Compound(String),
    /// A text after a `/` that is not a number of products.
    #[error(
        "'{operator}': '/{option}' is not understood: a number of partial products (3, 4, 6 or 9) or rounding=MODE follows a /, \
         and an order of accumulation is given apart or, in rules, as /order=ORDER"
    )]
    Option {
        /// The operator.
        operator: String,
        /// The text after the `/`.
        option: String,
    },
    /// A rounding mode that was not understood.
    #[error("'{operator}': {source}")]
    Rounding {
        /// The operator.
        operator: String,
        /// The error of the mode.
        source: RoundingError,
    },
    /// Random bits without a stochastic rounding mode.
    #[error(
        "'{0}': /random-bits belongs to a stochastic rounding mode: write /rounding=stochastic/random-bits=N, each once"
    )]
    RandomBits(String),
    /// A rounding mode of an accumulator that is a sum of parts, or of a variant.
    #[error(
        "'{0}' takes no /rounding: a mode rounds an accumulator that is one number, as in bf16:bf16/rounding=stochastic or \
         float8_e4m3fn:f16/rounding=toward_zero; accumulators of several parts, and variants, are rounded as the paper's steps are"
    )]
    CompoundRounding(String),
    /// An unknown variant, or one that this operator does not have.
    #[error(
        "'{operator}' has no variant '{variant}': {}bf16 operators have exact, listing and flush, format pairs exact",
        nearest(.variant, ["exact", "listing", "flush"]).filter(|near| near != .variant).map_or(String::new(), |near| format!("did you mean {near}? "))
    )]
    Variant {
        /// The operator.
        operator: String,
        /// The variant.
        variant: String,
    },
}

/// A side of an operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The format of the inputs.
    Inputs,
    /// The format of the accumulator.
    Accumulator,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Part::Inputs => "inputs",
            Part::Accumulator => "accumulator",
        })
    }
}

/// The advice to write elements in place of a block format.
fn elements_text(name: &str, part: Part) -> String {
    let element = match name.parse::<BlockFormat>().map(|blocks| blocks.element) {
        Ok(Element::Float(format)) => format!("{format} is the format of its elements without a scale"),
        _ => "its elements are integers, which no operator takes".to_owned(),
    };
    match part {
        Part::Inputs => format!(
            "{element}; products in blocks are matmul's (--arith {name}:f32, --in {name}) and those of rules for dot_general"
        ),
        Part::Accumulator => format!("{element}; a block format is no accumulator"),
    }
}

/// Rounds a value to a format, nearest even.
fn rounded(format: Format, value: Value) -> Value {
    codec::decode(format, project(format, value, Projection::default()).code)
}

/// An observer of an operator's steps; it receives each exact value with its rounded value.
trait StepObserver {
    fn observe(&mut self, result: StepResult);
}

/// An observer that does nothing.
struct NoObserver;

impl StepObserver for NoObserver {
    #[inline(always)]
    fn observe(&mut self, _: StepResult) {}
}

impl StepObserver for Vec<StepResult> {
    fn observe(&mut self, result: StepResult) {
        self.push(result);
    }
}

/// Rounds a value to a format and reports the step.
#[inline]
fn round_observed(observer: &mut impl StepObserver, step: Step, format: Format, exact: Value) -> Value {
    let value = rounded(format, exact);
    observer.observe(StepResult { step, format, exact, value });
    value
}

/// Formula 1, with its third line read as a − (a0 + a1): N parts, each the BF16 nearest to the remainder. Every part of
/// an infinity is that infinity, and every part of a NaN a NaN. A value whose leading part overflows counts as
/// infinite.
fn split(value: Value, parts: usize, flush: bool) -> [Value; 3] {
    split_observed(&mut NoObserver, Quantity::C, value, parts, flush)
}

fn split_observed(
    observer: &mut impl StepObserver,
    of: Quantity,
    value: Value,
    parts: usize,
    flush: bool,
) -> [Value; 3] {
    let value = match value {
        Value::Finite(x) if flush && !x.is_zero() && x.log2_floor() < F32.emin() as i64 => {
            Value::Finite(Finite::zero(x.negative))
        }
        value => value,
    };
    let leading = round_observed(observer, Step::Part(of, 0), BF16, value);
    if !matches!(leading, Value::Finite(_)) {
        return [leading; 3];
    }
    let mut all = [leading, Value::Finite(Finite::zero(false)), Value::Finite(Finite::zero(false))];
    let mut rest = value;
    for i in 1..parts {
        rest = round_observed(observer, Step::Rest(of, i), F32, rest.plus(all[i - 1].negated(), false));
        all[i] = round_observed(observer, Step::Part(of, i), BF16, rest);
    }
    all
}

/// The binary32 sum of the leading `count` parts, largest first.
fn join(parts: [Value; 3], count: usize) -> Value {
    join_observed(&mut NoObserver, Quantity::C, parts, count)
}

fn join_observed(observer: &mut impl StepObserver, of: Quantity, parts: [Value; 3], count: usize) -> Value {
    (1..count).fold(parts[0], |sum, i| {
        round_observed(observer, Step::Joined(of, i), F32, sum.plus(parts[i], false))
    })
}

impl Compound {
    /// The seven operators of the paper's Table 1, in its order.
    pub const PAPER: [Compound; 7] = {
        const fn of(inputs: usize, accumulator: usize, products: usize) -> Compound {
            Compound { inputs, accumulator, products, variant: Variant::Standard, flush: false }
        }
        [of(1, 1, 1), of(1, 2, 1), of(1, 3, 1), of(2, 2, 3), of(2, 2, 4), of(3, 3, 6), of(3, 3, 9)]
    };

    /// d = a · b + c. Operands and result are binary32 values; NaN is canonical.
    pub fn multiply_add(&self, a: Value, b: Value, c: Value) -> Value {
        self.evaluate_observed(&mut NoObserver, a, b, c)
    }

    fn evaluate_observed(&self, observer: &mut impl StepObserver, a: Value, b: Value, c: Value) -> Value {
        let (n, m) = (self.inputs, self.accumulator);
        let a = split_observed(observer, Quantity::A, a, n, self.flush);
        let b = split_observed(observer, Quantity::B, b, n, self.flush);
        let c = split_observed(observer, Quantity::C, c, m, self.flush);
        if self.variant == Variant::Exact {
            let whole = |parts: [Value; 3], count: usize| {
                parts[1..count].iter().fold(parts[0], |sum, part| sum.plus(*part, false))
            };
            let exact = whole(a, n).times(whole(b, n)).plus(whole(c, m), false);
            let value = self.nearest_of_parts(exact);
            observer.observe(StepResult { step: Step::Held, format: F32, exact, value });
            return value;
        }
        let sum = if n == 1 {
            let c = join_observed(observer, Quantity::C, c, m);
            round_observed(observer, Step::MultiplyAdd, F32, a[0].times(b[0]).plus(c, false))
        } else {
            let product = self.product(observer, &a, &b);
            let product = split_observed(observer, Quantity::Product, product, n, self.flush);
            let pairs = [0, 1, 2].map(|i| match i < n {
                true => round_observed(observer, Step::Pair(i), F32, product[i].plus(c[i], false)),
                false => Value::ZERO,
            });
            match n {
                2 => round_observed(observer, Step::Pairs(1), F32, pairs[0].plus(pairs[1], false)),
                _ => {
                    let small = round_observed(observer, Step::Pairs(2), F32, pairs[2].plus(pairs[1], false));
                    round_observed(observer, Step::Pairs(0), F32, small.plus(pairs[0], false))
                }
            }
        };
        match self.variant {
            Variant::Listing => sum,
            _ => {
                let parts = split_observed(observer, Quantity::D, sum, m, self.flush);
                join_observed(observer, Quantity::D, parts, m)
            }
        }
    }

    /// The index pairs (i, j) of the partial products a_i · b_j of an operator with `products` of them, in the order of
    /// summation: smallest first.
    pub const fn order(products: usize) -> &'static [(usize, usize)] {
        const NINE: &[(usize, usize)] =
            &[(2, 2), (1, 2), (2, 1), (0, 2), (1, 1), (2, 0), (0, 1), (1, 0), (0, 0)];
        const FOUR: &[(usize, usize)] = &[(1, 1), (0, 1), (1, 0), (0, 0)];
        match products {
            1 => FOUR.split_at(3).1,
            3 => FOUR.split_at(1).1,
            4 => FOUR,
            6 => NINE.split_at(3).1,
            _ => NINE,
        }
    }

    /// The partial products summed in [order](Compound::order). Each is exact in binary32 except for underflow and
    /// overflow.
    fn product(&self, observer: &mut impl StepObserver, a: &[Value; 3], b: &[Value; 3]) -> Value {
        // Listing 1 computes a0 · b0 separately and adds it.
        let apart = self.products == 3;
        let order = Compound::order(self.products);
        let (i, j) = order[0];
        let mut sum = round_observed(observer, Step::Product(i, j), F32, a[i].times(b[j]));
        for (at, &(i, j)) in order.iter().enumerate().skip(1) {
            let product = a[i].times(b[j]);
            sum = if apart && at + 1 == order.len() {
                let product = round_observed(observer, Step::Apart(i, j), F32, product);
                round_observed(observer, Step::ApartAdded, F32, sum.plus(product, false))
            } else {
                round_observed(observer, Step::ProductAdded(i, j), F32, product.plus(sum, false))
            };
        }
        sum
    }

    /// The binary32 value nearest to x among sums of M parts.
    fn nearest_of_parts(&self, x: Value) -> Value {
        let Value::Finite(finite) = x else { return rounded(F32, x) };
        if finite.is_zero() {
            return x;
        }
        let near = match self.accumulator {
            1 => rounded(BF16, x),
            // Multiples of the unit in the last place of binary32, and of BF16's least subnormal.
            3 => rounded(grid(24, (finite.log2_floor() - 23).max(-133)), x),
            _ => {
                let high = rounded(BF16, x);
                if !matches!(high, Value::Finite(_)) {
                    return high;
                }
                // The remainder, at BF16's precision and on the same grid.
                let rest = Value::Finite(finite.odd()).plus(high.negated(), false);
                let low = rounded(grid(8, (finite.log2_floor() - 23).max(-133)), rest);
                high.plus(low, false)
            }
        };
        // To binary32, where the result may overflow.
        join(split(rounded(F32, near), self.accumulator, false), self.accumulator)
    }

    fn cost(&self) -> Cost {
        let covered = 8 * self.inputs as u32;
        Cost {
            multiplier_bits: covered,
            operand_bits: 16 * self.inputs.max(self.accumulator) as u32,
            products: self.products as u32,
            area: 64 * self.products as u32,
        }
    }
}

/// The format of values of at most `precision` bits that are multiples of 2^quantum.
fn grid(precision: u32, quantum: i64) -> Format {
    let emin = quantum as i32 + precision as i32 - 1;
    Format::constant(Fields {
        infinities: false,
        nan: NanCodes::None,
        ..ieee(10 + precision, precision, 1 - emin)
    })
}

impl Operator {
    /// The paper's seven operators, in the order of its Table 1.
    pub const fn paper() -> [Operator; 7] {
        let [a, b, c, d, e, f, g] = Compound::PAPER;
        [
            Operator::compound(a),
            Operator::compound(b),
            Operator::compound(c),
            Operator::compound(d),
            Operator::compound(e),
            Operator::compound(f),
            Operator::compound(g),
        ]
    }

    /// An operator of the paper.
    pub const fn compound(compound: Compound) -> Operator {
        Operator { kind: OperatorKind::Compound(compound) }
    }

    /// An operator that rounds inputs to a format, and the exact a · b + c once to another, to nearest even.
    pub fn pair(inputs: Spec, accumulator: Spec) -> Operator {
        Operator::rounding_pair(inputs, accumulator, Rounding::NearestEven)
    }

    /// An operator that rounds inputs to a format, to nearest even, and the exact a · b + c once to another by this mode.
    pub fn rounding_pair(inputs: Spec, accumulator: Spec, rounding: Rounding) -> Operator {
        Operator { kind: OperatorKind::Pair { inputs, accumulator, rounding: rounding.of_word(0) } }
    }

    /// The mode by which the accumulator is rounded: to nearest even but for pairs that name another one. The bits of a
    /// stochastic mode are not drawn yet.
    pub const fn rounding(&self) -> Rounding {
        match &self.kind {
            OperatorKind::Pair { rounding, .. } => *rounding,
            _ => Rounding::NearestEven,
        }
    }

    /// True if each step takes random bits.
    pub const fn is_stochastic(&self) -> bool {
        self.rounding().is_stochastic()
    }

    /// The compound, if this is a compound operator.
    pub const fn as_compound(&self) -> Option<Compound> {
        match &self.kind {
            OperatorKind::Compound(compound) => Some(*compound),
            OperatorKind::Pair { .. } | OperatorKind::Unit(_) => None,
        }
    }

    /// The operator, if it computes single multiply-adds.
    ///
    /// # Errors
    /// A matrix unit.
    pub fn of_single_numbers(self) -> Result<Operator, OperatorError> {
        match self.kind {
            OperatorKind::Unit(unit) => Err(OperatorError::MatrixUnit(format!("{unit}"))),
            _ => Ok(self),
        }
    }

    /// The operator, if it computes the multiply-adds of a running program, which rounds to nearest even.
    ///
    /// # Errors
    /// A matrix unit, and an operator with another rounding mode.
    pub fn of_programs(self) -> Result<Operator, OperatorError> {
        match self.rounding() {
            Rounding::NearestEven => self.of_single_numbers(),
            _ => Err(OperatorError::OfPrograms(format!("{self}"))),
        }
    }

    /// The matrix unit, if this is one.
    pub fn as_unit(&self) -> Option<&UnitOperator> {
        match &self.kind {
            OperatorKind::Unit(unit) => Some(unit),
            _ => None,
        }
    }

    /// The input and accumulator formats, if this is a pair of formats that is rounded to nearest even.
    pub const fn as_pair(&self) -> Option<(Format, Format)> {
        match self.rounding() {
            Rounding::NearestEven => self.formats(),
            _ => None,
        }
    }

    /// The input and accumulator formats, if this is a pair of formats, whatever its rounding mode.
    pub const fn formats(&self) -> Option<(Format, Format)> {
        match &self.kind {
            OperatorKind::Compound(_) | OperatorKind::Unit(_) => None,
            OperatorKind::Pair { inputs, accumulator, .. } => Some((inputs.format, accumulator.format)),
        }
    }

    /// d = a · b + c on exact values; compound operators first round them to binary32. A stochastic rounding takes
    /// random bits 0.
    pub fn evaluate(&self, a: Value, b: Value, c: Value) -> Value {
        self.evaluate_observed(&mut NoObserver, 0, a, b, c)
    }

    /// [`Operator::evaluate`], with the random word of this step. Operators that are not stochastic ignore it.
    pub fn evaluate_drawn(&self, word: u32, a: Value, b: Value, c: Value) -> Value {
        self.evaluate_observed(&mut NoObserver, word, a, b, c)
    }

    /// The steps of [`Operator::evaluate`]: every rounding in order, the last of which is the result.
    pub fn steps(&self, a: Value, b: Value, c: Value) -> Vec<StepResult> {
        let mut steps = vec![];
        self.evaluate_observed(&mut steps, 0, a, b, c);
        steps
    }

    fn evaluate_observed(
        &self,
        observer: &mut impl StepObserver,
        word: u32,
        a: Value,
        b: Value,
        c: Value,
    ) -> Value {
        let mut read = |format: Format, of: Quantity, value: Value| {
            round_observed(observer, Step::Read(of), format, value)
        };
        match &self.kind {
            OperatorKind::Compound(compound) => {
                let (a, b) = (read(F32, Quantity::A, a), read(F32, Quantity::B, b));
                let c = read(F32, Quantity::C, c);
                compound.evaluate_observed(observer, a, b, c)
            }
            OperatorKind::Pair { inputs, accumulator, rounding } => {
                let (a, b) = (read(inputs.format, Quantity::A, a), read(inputs.format, Quantity::B, b));
                let exact = a.times(b).plus(c, rounding.cancelled_negative());
                let format = accumulator.format;
                let how = Projection::new(rounding.of_word(word), Saturation::Overflow);
                let value = codec::decode(format, project(format, exact, how).code);
                observer.observe(StepResult { step: Step::Whole, format, exact, value });
                value
            }
            OperatorKind::Unit(unit) => {
                let c = read(F32, Quantity::C, c);
                let mut operand = |at: usize, of: Quantity, exact: Value| {
                    let format = unit.inputs()[at];
                    let value = codec::decode(format, project(format, exact, unit.reading(at)).code);
                    observer.observe(StepResult { step: Step::Read(of), format, exact, value });
                    value
                };
                let (a, b) = (operand(0, Quantity::A, a), operand(1, Quantity::B, b));
                let value = unit.multiply_add(a, b, c);
                let exact = a.times(b).plus(c, false);
                observer.observe(StepResult {
                    step: Step::Whole,
                    format: unit.mode().accumulator(),
                    exact,
                    value,
                });
                value
            }
        }
    }

    /// d = a · b + c for a binary32 program. A result that is not a binary32 value, because the accumulator is wider,
    /// is rounded to one. A stochastic rounding takes random bits 0.
    pub fn multiply_add(&self, a: f32, b: f32, c: f32) -> f32 {
        self.multiply_add_drawn(0, a, b, c)
    }

    /// [`Operator::multiply_add`], with the random word of this step. Operators that are not stochastic ignore it.
    pub fn multiply_add_drawn(&self, word: u32, a: f32, b: f32, c: f32) -> f32 {
        let value = |x: f32| codec::decode(F32, x.to_bits() as u64);
        let result = self.evaluate_drawn(word, value(a), value(b), value(c));
        f32::from_bits(project(F32, result, Projection::default()).code as u32)
    }

    /// d = a · b + c for a binary64 program: [`Operator::evaluate`], rounded to binary64; NaN is canonical.
    pub fn multiply_add_f64(&self, a: f64, b: f64, c: f64) -> f64 {
        let value = |x: f64| codec::decode(F64, x.to_bits());
        let result = self.evaluate(value(a), value(b), value(c));
        f64::from_bits(project(F64, result, Projection::default()).code)
    }

    /// The size of the operator, as in the paper's Table 1. A unit counts as its multiplier of input significands.
    pub fn cost(&self) -> Cost {
        match &self.kind {
            OperatorKind::Compound(compound) => compound.cost(),
            OperatorKind::Pair { inputs, accumulator, .. } => {
                let precision = inputs.format.precision();
                Cost {
                    multiplier_bits: precision,
                    operand_bits: inputs.format.width().max(accumulator.format.width()),
                    products: 1,
                    area: precision * precision,
                }
            }
            OperatorKind::Unit(unit) => {
                let [a, b] = unit.inputs();
                let width = a.width().max(b.width()).max(unit.mode().accumulator().width());
                Cost {
                    multiplier_bits: a.precision().max(b.precision()),
                    operand_bits: width,
                    products: 1,
                    area: a.precision() * b.precision(),
                }
            }
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            OperatorKind::Pair { inputs, accumulator, rounding } => {
                write!(f, "{inputs}:{accumulator}")?;
                // bf16:bf16 is the paper's operator.
                match rounding {
                    Rounding::NearestEven if (inputs.format, accumulator.format) != (BF16, BF16) => Ok(()),
                    mode => write!(f, "/rounding={}", mode.text()),
                }
            }
            OperatorKind::Unit(unit) => write!(f, "{unit}"),
            OperatorKind::Compound(Compound { inputs, accumulator, products, variant, flush }) => {
                let times = |n: usize| if n == 1 { String::new() } else { format!("x{n}") };
                write!(f, "bf16{}:bf16{}", times(*inputs), times(*accumulator))?;
                if *inputs > 1 {
                    write!(f, "/{products}")?;
                }
                f.write_str(match variant {
                    Variant::Standard => "",
                    Variant::Exact => "+exact",
                    Variant::Listing => "+listing",
                })?;
                f.write_str(if *flush { "+flush" } else { "" })
            }
        }
    }
}

/// Reads one side of an operator: a format and its number of parts.
fn side(operator: &str, part: Part, text: &str) -> Result<(Spec, usize), OperatorError> {
    let text = text.trim();
    let (name, _) = text.split_once('@').unwrap_or((text, ""));
    if BlockFormat::is_name(name) {
        let (operator, name) = (operator.to_owned(), name.to_ascii_lowercase());
        return Err(OperatorError::Blocks { operator, part, name });
    }
    match text.parse::<Spec>() {
        Ok(spec) => Ok((spec, 1)),
        Err(source) => {
            let stripped =
                text.rsplit_once(['x', 'X']).and_then(|(name, n)| Some((name, n.parse::<usize>().ok()?)));
            match stripped.map(|(name, n)| (name.parse::<Spec>(), n)) {
                Some((Ok(spec), n)) => Ok((spec, n)),
                _ => Err(OperatorError::Format { operator: operator.to_owned(), part, source }),
            }
        }
    }
}

/// Splits an operator's text from its rounding mode, if it names one.
fn split_rounding(text: &str) -> Result<(&str, Option<Rounding>), OperatorError> {
    let mut slashes = text.match_indices('/').map(|(at, _)| at);
    let is_option = |at: &usize| text[at + 1..].split('/').next().is_some_and(|piece| piece.contains('='));
    let Some(start) = slashes.find(is_option) else {
        return Ok((text, None));
    };
    let operator = || text.to_owned();
    let (mut rounding, mut bits) = (None, None);
    for piece in text[start + 1..].split('/') {
        let (key, value) = piece.split_once('=').unwrap_or((piece, ""));
        match key.trim().to_ascii_lowercase().as_str() {
            "rounding" if rounding.is_none() => {
                let wrong = |source| OperatorError::Rounding { operator: operator(), source };
                rounding = Some(value.parse::<Rounding>().map_err(wrong)?);
            }
            "random-bits" if bits.is_none() => bits = Some(value),
            _ => return Err(OperatorError::Option { operator: operator(), option: piece.to_owned() }),
        }
    }
    let rounding = match (rounding, bits) {
        (None, _) => return Err(OperatorError::RandomBits(operator())),
        (Some(rounding), None) => rounding,
        (Some(rounding), Some(bits)) => rounding
            .with_bits(bits)
            .map_err(|source| OperatorError::Rounding { operator: operator(), source })?,
    };
    Ok((text[..start].trim_end(), Some(rounding)))
}

impl FromStr for Operator {
    type Err = OperatorError;

    fn from_str(text: &str) -> Result<Operator, OperatorError> {
        let text = text.trim();
        if let Some(unit) = UnitOperator::parse(text).map_err(Box::new)? {
            return Ok(Operator { kind: OperatorKind::Unit(Box::new(unit)) });
        }
        let (text, rounding) = split_rounding(text)?;
        let mut pieces = text.split('+');
        let body = pieces.next().unwrap_or("");
        let variants: Vec<&str> = pieces.collect();
        // The paper's spelling, FMAbf16_2_2{3}.
        let lower = body.to_ascii_lowercase();
        let expanded = match lower.strip_prefix("fmabf16_") {
            Some(numbers) => {
                let (sizes, products) = match numbers.split_once('{') {
                    Some((sizes, rest)) => (sizes, rest.strip_suffix('}').map(|p| format!("/{p}"))),
                    None => (numbers, Some(String::new())),
                };
                match (sizes.split_once('_'), products) {
                    (Some((n, m)), Some(products)) => format!("bf16x{n}:bf16x{m}{products}"),
                    _ => return Err(OperatorError::Syntax(text.to_owned())),
                }
            }
            None if lower == "mp" => "bf16:f32".to_owned(),
            None => body.to_owned(),
        };
        let (inputs, accumulator) =
            expanded.split_once(':').ok_or_else(|| OperatorError::Syntax(text.to_owned()))?;
        let (accumulator, products) = match accumulator.rsplit_once('/') {
            Some((accumulator, products)) => {
                let option =
                    || OperatorError::Option { operator: text.to_owned(), option: products.to_owned() };
                (accumulator, Some(products.parse().map_err(|_| option())?))
            }
            None => (accumulator, None),
        };
        let (inputs, n) = side(text, Part::Inputs, inputs)?;
        let (accumulator, m) = side(text, Part::Accumulator, accumulator)?;
        if let Some(rounding) = rounding {
            if n != 1 || m != 1 || products.is_some() || !variants.is_empty() {
                return Err(OperatorError::CompoundRounding(text.to_owned()));
            }
            return Ok(Operator::rounding_pair(inputs, accumulator, rounding));
        }
        let mut compound = None;
        if inputs.format == BF16 && accumulator.format == BF16 {
            let known = Compound::PAPER.into_iter().find(|known| {
                known.inputs == n
                    && known.accumulator == m
                    && match products {
                        Some(count) => known.products == count,
                        None => n == 1,
                    }
            });
            compound = Some(known.ok_or_else(|| OperatorError::Compound(body.to_owned()))?);
        } else if n != 1 || m != 1 || products.is_some_and(|count| count != 1) {
            return Err(OperatorError::Compound(body.to_owned()));
        }
        for variant in variants {
            let unknown =
                || OperatorError::Variant { operator: body.to_owned(), variant: variant.to_owned() };
            match (compound.as_mut(), variant.to_ascii_lowercase().as_str()) {
                (Some(known), "exact") if known.variant == Variant::Standard => {
                    known.variant = Variant::Exact
                }
                (Some(known), "listing") if known.variant == Variant::Standard => {
                    known.variant = Variant::Listing
                }
                (Some(known), "flush") if !known.flush => known.flush = true,
                // A pair of formats rounds once anyway.
                (None, "exact") => {}
                _ => return Err(unknown()),
            }
        }
        Ok(match compound {
            Some(compound) => Operator::compound(compound),
            None => Operator::pair(inputs, accumulator),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    fn operator(text: &str) -> Operator {
        text.parse().unwrap()
    }

    #[test]
    fn operator_names_round_trip() {
        for compound in Compound::PAPER {
            let shown = Operator::compound(compound).to_string();
            assert_eq!(operator(&shown), Operator::compound(compound), "{shown}");
        }
        assert_eq!(operator("FMAbf16_2_2{3}").to_string(), "bf16x2:bf16x2/3");
        assert_eq!(operator("fmaBF16_1_1").to_string(), "bf16:bf16");
        assert_eq!(operator("MP"), operator("bf16:f32"));
        let paper = Operator::paper().map(|operator| operator.to_string());
        assert_eq!((paper[0].as_str(), paper[6].as_str()), ("bf16:bf16", "bf16x3:bf16x3/9"));
        assert_eq!(operator("bfloat16X3:BF16x3/9+exact+flush").to_string(), "bf16x3:bf16x3/9+exact+flush");
        assert_eq!(
            operator("cfloat8_1_4_3@bias=10,subnormals=ieee:bf16").to_string(),
            "cfloat8_1_4_3@bias=10,subnormals=ieee:bf16"
        );
        for wrong in [
            "bf16",
            "bf16x2:bf16x2",
            "bf16x2:bf16x3/4",
            "bf16x2:f32",
            "bf16:f32+listing",
            "bf16:bf17",
            "a:b/c",
            "FMAbf16_2",
        ] {
            assert!(wrong.parse::<Operator>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn errors_of_operators_name_the_part() {
        let error = |text: &str| text.parse::<Operator>().unwrap_err().to_string();
        for (text, wanted) in [
            (
                "fp8:fp32",
                "'fp8:fp32': its inputs: unknown format 'fp8': did you mean float8_e4m3fn or float8_e5m2?",
            ),
            ("bf16:bf17", "'bf16:bf17': its accumulator: unknown format 'bf17': did you mean bf16?"),
            ("bf16:bf16/orde=pairwise", "'bf16:bf16/orde=pairwise': '/orde=pairwise' is not understood"),
            ("bf16:bf16+exakt", "'bf16:bf16' has no variant 'exakt': did you mean exact? "),
            ("bf16:f32+listing", "'bf16:f32' has no variant 'listing': bf16 operators"),
            ("mxfp4:f32", "'mxfp4:f32': mxfp4 is a format of blocks"),
            ("MXFP8_E4M3@rule=rceil:bf16", "mxfp8_e4m3 is a format of blocks"),
            (
                "bf16:nvfp4",
                "float4_e2m1fn is the format of its elements without a scale; a block format is no accumulator",
            ),
            ("mxint8:f32", "its elements are integers"),
            ("mxfp4_e2m1:f32", "mxfp4_e2m1 is a format of blocks"),
        ] {
            assert!(error(text).contains(wanted), "{text}: {}", error(text));
        }
        assert!(error("mxfp4:f32").contains("float4_e2m1fn is the format of its elements without a scale"));
    }

    #[test]
    fn rounding_modes_round_trip_and_round_the_accumulator_once() {
        for text in [
            "bf16:bf16/rounding=stochastic",
            "bf16:bf16/rounding=stochastic_b:8",
            "bf16:bf16/rounding=random",
            "bf16:bf16/rounding=nearest_even",
            "float8_e4m3fn:f32/rounding=toward_zero",
            "cfloat8_1_4_3@bias=10:shp@bias=31/rounding=to_odd",
        ] {
            assert_eq!(operator(text).to_string(), text);
            assert_eq!(operator(&operator(text).to_string()), operator(text));
        }
        assert_eq!(
            operator("BF16:bf16/Rounding=STOCHASTIC_A/random-bits=8").to_string(),
            "bf16:bf16/rounding=stochastic_a:8"
        );
        assert_eq!(operator("bf16:f32/rounding=nearest_even"), operator("bf16:f32"));
        assert_eq!(operator("bf16:bf16/rounding=toward_zero").as_pair(), None);
        // 1 + 3/4 of a step.
        let three_quarters = 3.0 * 2f32.powi(-9);
        let up = 1.0 + 2f32.powi(-7);
        let step = |text: &str, word| operator(text).multiply_add_drawn(word, 1.0, three_quarters, 1.0);
        assert_eq!(step("bf16:bf16/rounding=toward_zero", 0), 1.0);
        assert_eq!(step("bf16:bf16/rounding=toward_positive", 0), up);
        assert_eq!(step("bf16:bf16/rounding=stochastic_a:2", 0x3fff_ffff), 1.0);
        assert_eq!(step("bf16:bf16/rounding=stochastic_a:2", 0x4000_0000), up);
        let ups =
            (0..1u32 << 8).filter(|word| step("bf16:bf16/rounding=stochastic", word << 24) == up).count();
        assert_eq!(ups, 3 << 6);
        assert_eq!(step("bf16:bf16/rounding=random", 0x7fff_ffff), 1.0);
        assert_eq!(step("bf16:bf16/rounding=random", 0x8000_0000), up);
        // An exact cancellation is −0 toward −∞.
        let down = operator("f16:f16/rounding=toward_negative");
        assert_eq!(down.multiply_add(1.0, 1.0, -1.0).to_bits(), 1 << 31);
    }

    #[test]
    fn wrong_rounding_modes_of_operators_are_errors() {
        let error = |text: &str| text.parse::<Operator>().unwrap_err().to_string();
        for (text, wanted) in [
            (
                "bf16:bf16/rounding=stochastik",
                "unknown rounding mode 'stochastik': did you mean stochastic? ",
            ),
            (
                "bf16:bf16/rounding=stochastic:40",
                "'40' of a stochastic rounding are out of range: expected 1 to 32",
            ),
            ("bf16:bf16/rounding=to_odd/random-bits=3", "only stochastic modes take them"),
            ("bf16:bf16/random-bits=3", "write /rounding=stochastic/random-bits=N"),
            ("bf16:bf16/roundin=to_odd", "'/roundin=to_odd' is not understood"),
            ("bf16:bf16x2/rounding=stochastic", "'bf16:bf16x2' takes no /rounding: a mode rounds"),
            ("bf16x2:bf16x2/3/rounding=stochastic", "'bf16x2:bf16x2/3' takes no /rounding"),
            ("bf16:bf16+exact/rounding=stochastic", "'bf16:bf16+exact' takes no /rounding"),
            ("h100:f16/rounding=stochastic", "unit(…,rounding=…)"),
        ] {
            assert!(error(text).contains(wanted), "{text}: {}", error(text));
        }
    }

    /// Table 1 of the paper: 24² over the area units.
    #[test]
    fn costs_equal_table_1_of_the_paper() {
        let speed_ups = Compound::PAPER.map(|c| c.cost().speed_up());
        assert_eq!(speed_ups, [9.0, 9.0, 9.0, 3.0, 2.25, 1.5, 1.0]);
        assert_eq!(operator("f32:f32").cost().area, Cost::BINARY32_AREA);
    }

    /// Formula 1: BF16x3 represents every binary32, and its parts sum to it.
    #[test]
    fn three_parts_represent_every_binary32() {
        for i in 0..20_000u32 {
            let x = f32::from_bits(crate::philox::word(3, i as u64) & 0xbfff_ffff | 0x2000_0000);
            let value = Value::from_f64(x as f64);
            assert_eq!(text::hex(join(split(value, 3, false), 3)), text::hex(value));
        }
    }

    #[test]
    fn f32_operator_equals_the_native_fma() {
        let identity = operator("f32:f32");
        for i in 0..20_000u64 {
            let [a, b, c] = [0, 1, 2].map(|j| f32::from_bits(crate::philox::word(4, 3 * i + j)));
            let (ours, native) = (identity.multiply_add(a, b, c), a.mul_add(b, c));
            assert!(
                ours.to_bits() == native.to_bits() || ours.is_nan() && native.is_nan(),
                "{a:e} {b:e} {c:e}"
            );
        }
    }

    /// The nearest value that two parts represent, against a search among the neighbours.
    #[test]
    fn exact_variant_gives_the_nearest_of_two_parts() {
        let exact = operator("bf16:bf16x2+exact");
        let holds = |x: f32| {
            let value = Value::from_f64(x as f64);
            text::hex(join(split(value, 2, false), 2)) == text::hex(value)
        };
        for i in 0..5_000u64 {
            let [a, b, c] = [0, 1, 2]
                .map(|j| f32::from_bits(crate::philox::word(5, 3 * i + j) & 0x83ff_ffff | 0x3c00_0000));
            let bf = |x: f32| f32::from_bits((x.to_bits() + 0x7fff + (x.to_bits() >> 16 & 1)) & 0xffff_0000);
            let c = exact.multiply_add(0.0, 0.0, c);
            assert!(holds(c));
            // Products of two BF16 and sums of this range are exact in binary64.
            let real = bf(a) as f64 * bf(b) as f64 + c as f64;
            let got = exact.multiply_add(a, b, c);
            assert!(holds(got), "{got:e}");
            let error = (got as f64 - real).abs();
            for step in 1..600u32 {
                for other in [got.to_bits().wrapping_add(step), got.to_bits().wrapping_sub(step)] {
                    let other = f32::from_bits(other);
                    assert!(
                        !holds(other) || (other as f64 - real).abs() >= error,
                        "{real:e}: {got:e} {other:e}"
                    );
                }
            }
        }
    }

    /// A product half way between two values of two parts, and an addend too small for 128 bits beside it.
    #[test]
    fn exact_variant_rounds_once_for_addends_of_any_size() {
        let exact = operator("bf16x2:bf16x2/3+exact");
        let step = |c: u32| {
            exact
                .multiply_add(f32::from_bits(0x3f28_abdb), f32::from_bits(0x530e_0000), f32::from_bits(c))
                .to_bits()
        };
        assert_eq!([step(0), step(0x0001_8000), step(0x8001_8000)], [0x52bb_1ec0, 0x52bb_1ee0, 0x52bb_1ec0]);
        assert_eq!(step(0x3f80_0000), 0x52bb_1ee0);
    }

    #[test]
    fn steps_end_with_the_result_of_the_operator() {
        let names = |name: &str| -> Vec<String> {
            let one = Value::ONE;
            operator(name).steps(one, one, one).iter().map(|result| result.step.to_string()).collect()
        };
        assert_eq!(names("float8_e4m3fn:f32"), ["a", "b", "d = a·b + c"]);
        assert_eq!(names("bf16:bf16"), ["a", "b", "c", "a0", "b0", "c0", "s = a0·b0 + c", "d0"]);
        assert_eq!(
            names("bf16:bf16x2").join(" "),
            "a b c a0 b0 c0 c − c0 c1 c0 + c1 s = a0·b0 + c d0 d − d0 d1 d0 + d1"
        );
        assert_eq!(
            names("bf16x2:bf16x2/3").join("; "),
            "a; b; c; a0; a − a0; a1; b0; b − b0; b1; c0; c − c0; c1; s = a0·b1; s = a1·b0 + s; p = a0·b0; \
             s = s + p; m0; m − m0; m1; t0 = m0 + c0; t1 = m1 + c1; s = t0 + t1; d0; d − d0; d1; d0 + d1"
        );
        assert!(
            names("bf16x3:bf16x3/6").ends_with(
                &[
                    "s = t2 + t1",
                    "s = s + t0",
                    "d0",
                    "d − d0",
                    "d1",
                    "d − d0 − d1",
                    "d2",
                    "d0 + d1",
                    "d0 + d1 + d2"
                ]
                .map(str::to_owned)
            )
        );
        let of_paper = Operator::paper().map(|operator| operator.to_string());
        let more = ["bf16x2:bf16x2/3+listing", "bf16x2:bf16x2/4+exact", "bf16:bf16+flush", "f16:f32", "mp"];
        for name in of_paper.iter().map(String::as_str).chain(more) {
            let operator = operator(name);
            for i in 0..500u64 {
                let [a, b, c] = [0, 1, 2]
                    .map(|j| Value::from_f64(f32::from_bits(crate::philox::word(6, 3 * i + j)).into()));
                let steps = operator.steps(a, b, c);
                let result = operator.evaluate(a, b, c);
                assert_eq!(
                    steps.last().map(|result| text::hex(result.value)),
                    Some(text::hex(result)),
                    "{name} {i}"
                );
                assert!(steps.iter().all(|result| {
                    result.step == Step::Held
                        || text::hex(rounded(result.format, result.exact)) == text::hex(result.value)
                }));
            }
        }
    }

    #[test]
    fn infinities_are_in_every_part() {
        let fma = operator("bf16:bf16x2");
        assert_eq!(fma.multiply_add(1.0, 1.0, f32::INFINITY), f32::INFINITY);
        assert_eq!(fma.multiply_add(0.0, 0.0, f32::MAX), f32::INFINITY);
        assert!(fma.multiply_add(f32::INFINITY, 0.0, 1.0).is_nan());
        let flush = operator("bf16:bf16+flush");
        assert_eq!(flush.multiply_add(1.0, 0.0, 1e-40), 0.0);
        assert!(operator("bf16:bf16").multiply_add(1.0, 0.0, 1e-40) > 0.0);
    }
}
