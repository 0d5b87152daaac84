//! The operations of P3109 §4, each for operands and results of any formats.
//!
//! Modules, by chapter:
//!
//! - [`arithmetic`]: §4.7 conversions, §4.8.1 to §4.8.4, fused multiply-add, next up and down.
//! - [`scaled`]: §4.8.5, §4.8.6, §4.9.1.
//! - [`mod@compare`]: §4.10.1, §4.10.2, §4.10.5, §4.10.6.
//! - [`predicates`]: §4.10.3, §4.10.4.
//! - [`mod@block`]: 4.0 §5, blocks of elements that share a scale.
//! - [`queries`]: 4.0 §4.14 and §4.15, questions about formats and projections.
//!
//! [`Operation`] is the table of all operations by name, for callers that choose at run time.

pub mod arithmetic;
pub mod block;
pub mod compare;
mod functions;
pub mod predicates;
pub mod queries;
pub mod scaled;

pub use crate::elementary::Function;
pub use arithmetic::{
    abs, add, convert, copy_sign, divide, exp, exp2, fma, log, log2, multiply, negate, next_down, next_up,
    sqrt, subtract,
};
pub use block::{
    Block, BlockError, block_dot_product, block_op, block_reduce_add, block_reduce_multiply,
    convert_from_block, convert_to_block, convert_to_block_max_abs_finite, scaled_op,
};
pub use compare::{Comparison, compare, maximum, minimum, total_order};
pub use predicates::{Predicate, class, is_sign_minus, test};
pub use queries::{Fact, Query};
pub use scaled::{add_scaled, multiply_scaled, scaled_fma};

use thiserror::Error;

use self::compare::{Extremum, MAXIMUM, MINIMUM};
use crate::catalog::Edition;
use crate::codec::{Class, Datum};
use crate::elementary;
use crate::exact::{Value, wide};
use crate::flags::Flags;
use crate::format::Format;
use crate::round::{Projection, Rounded, project, project_in};

/// An operation by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operation {
    /// Conversion between formats.
    Convert,
    /// Absolute value.
    Abs,
    /// Negation.
    Negate,
    /// Magnitude of the first, sign of the second.
    CopySign,
    /// x + y.
    Add,
    /// x − y.
    Subtract,
    /// x · y.
    Multiply,
    /// x / y.
    Divide,
    /// x · y + z, rounded once.
    Fma,
    /// x + y + z, rounded once.
    Faa,
    /// √x.
    Sqrt,
    /// 1/x.
    Recip,
    /// 1/√x.
    Rsqrt,
    /// √(x² + y²).
    Hypot,
    /// e^x.
    Exp,
    /// 2^x.
    Exp2,
    /// Natural logarithm.
    Log,
    /// Logarithm to base 2.
    Log2,
    /// A function of one operand.
    Function(Function),
    /// arctan(y/x), in the quadrant of the point (x, y); operands y and x.
    ArcTan2,
    /// arctan(y/x)/π, in the quadrant of the point (x, y); operands y and x.
    ArcTan2Pi,
    /// x · 2^sx + y · 2^sy.
    AddScaled,
    /// x · y · 2^s.
    MultiplyScaled,
    /// a · 2^sa + x · y · 2^s.
    ScaledFma,
    /// sx · x + sy · y, of scales and elements.
    ScaledAdd,
    /// sx · x − sy · y.
    ScaledSubtract,
    /// (sx · x) · (sy · y).
    ScaledMultiply,
    /// Lesser of two; NaN if either is NaN.
    Minimum,
    /// Greater of two; NaN if either is NaN.
    Maximum,
    /// Lesser of two; of a NaN and a number, the number.
    MinimumNumber,
    /// Greater of two; of a NaN and a number, the number.
    MaximumNumber,
    /// The operand of lesser magnitude, or the lesser of two with equal magnitudes; NaN if either is NaN.
    MinimumMagnitude,
    /// The operand of greater magnitude, or the greater of two with equal magnitudes; NaN if either is NaN.
    MaximumMagnitude,
    /// `MinimumMagnitude`, except that of a NaN and a number it is the number.
    MinimumMagnitudeNumber,
    /// `MaximumMagnitude`, except that of a NaN and a number it is the number.
    MaximumMagnitudeNumber,
    /// Lesser of two; of a number and a NaN the number, of a finite value and an infinity the finite value.
    MinimumFinite,
    /// Greater of two; of a number and a NaN the number, of a finite value and an infinity the finite value.
    MaximumFinite,
    /// x clamped to bounds.
    Clamp,
    /// Least value above x.
    NextUp,
    /// Greatest value below x.
    NextDown,
    /// Least value above x; NaN past the end.
    NextGreaterThan,
    /// Greatest value below x; NaN past the end.
    NextLessThan,
    /// A comparison predicate.
    Compare(Comparison),
    /// True if x precedes y in the total order, or is equivalent to it.
    TotalOrder,
    /// A classification predicate.
    Test(Predicate),
    /// The class of x.
    Class,
}

/// The kind of answer that an operation gives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AnswerKind {
    /// A code of the result format, by projection.
    Code,
    /// A truth value.
    Bool,
    /// A class of P3109 Table 4.
    Class,
}

/// The result of [`Operation::evaluate`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A code and its flags.
    Code(Rounded),
    /// A truth value.
    Bool(bool),
    /// A class.
    Class(Class),
}

impl Answer {
    /// The flags raised; truth values and classes raise none.
    pub const fn flags(&self) -> Flags {
        match self {
            Answer::Code(rounded) => rounded.flags,
            _ => Flags::NONE,
        }
    }
}

/// A call with wrong arguments for its operation.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OperationError {
    /// Wrong number of operands.
    #[error("{name} takes {expected} operand{}, not {given}", plural(*.expected))]
    Operands {
        /// The operation.
        name: &'static str,
        /// Number of operands that it takes.
        expected: usize,
        /// Number of operands given.
        given: usize,
    },
    /// Wrong number of scale factors.
    #[error("{name} takes {expected} scale factor{}, not {given}", plural(*.expected))]
    Scales {
        /// The operation.
        name: &'static str,
        /// Number of scale factors that it takes.
        expected: usize,
        /// Number of scale factors given.
        given: usize,
    },
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

impl Operation {
    /// Every operation, in the order of the report's chapters.
    pub const ALL: [Operation; 86] = {
        use crate::elementary::Function as F;
        use Comparison as C;
        use Operation::*;
        use Predicate as P;
        [
            Convert,
            Abs,
            Negate,
            CopySign,
            Add,
            Subtract,
            Multiply,
            Divide,
            Fma,
            Faa,
            Sqrt,
            Recip,
            Rsqrt,
            Exp,
            Exp2,
            Log,
            Log2,
            Function(F::LogOnePlus),
            Function(F::ExpMinusOne),
            Function(F::Sin),
            Function(F::Cos),
            Function(F::Tan),
            Function(F::ArcSin),
            Function(F::ArcCos),
            Function(F::ArcTan),
            Function(F::Sinh),
            Function(F::Cosh),
            Function(F::Tanh),
            Function(F::ArcSinh),
            Function(F::ArcCosh),
            Function(F::ArcTanh),
            Function(F::SinPi),
            Function(F::CosPi),
            Function(F::TanPi),
            Function(F::ArcSinPi),
            Function(F::ArcCosPi),
            Function(F::ArcTanPi),
            Function(F::Softplus),
            Hypot,
            ArcTan2,
            ArcTan2Pi,
            AddScaled,
            MultiplyScaled,
            ScaledFma,
            ScaledAdd,
            ScaledSubtract,
            ScaledMultiply,
            Minimum,
            Maximum,
            MinimumNumber,
            MaximumNumber,
            MinimumMagnitude,
            MaximumMagnitude,
            MinimumMagnitudeNumber,
            MaximumMagnitudeNumber,
            MinimumFinite,
            MaximumFinite,
            Clamp,
            NextUp,
            NextDown,
            NextGreaterThan,
            NextLessThan,
            Compare(C::Equal),
            Compare(C::Greater),
            Compare(C::GreaterEqual),
            Compare(C::Less),
            Compare(C::LessEqual),
            Compare(C::Ordered),
            Compare(C::NotEqual),
            Compare(C::NotGreater),
            Compare(C::LessUnordered),
            Compare(C::NotLess),
            Compare(C::GreaterUnordered),
            Compare(C::Unordered),
            TotalOrder,
            Test(P::Zero),
            Test(P::One),
            Test(P::Nan),
            Test(P::SignMinus),
            Test(P::Normal),
            Test(P::Subnormal),
            Test(P::Finite),
            Test(P::Infinite),
            Test(P::Signaling),
            Test(P::Canonical),
            Class,
        ]
    };

    /// The table of operations.
    const fn row(self) -> Row {
        use Operation as O;
        match self {
            O::Convert => row("convert", 1, 0, "§4.7", "§4.9.1", "Convert"),
            O::Abs => row("abs", 1, 0, "§4.8.1", "§4.10.1", "Abs"),
            O::Negate => row("negate", 1, 0, "§4.8.1", "§4.10.1", "Negate"),
            O::CopySign => row("copy_sign", 2, 0, "§4.8.2", "§4.10.2", "CopySign"),
            O::Add => row("add", 2, 0, "§4.8.3", "§4.10.3", "Add"),
            O::Subtract => row("subtract", 2, 0, "§4.8.3", "§4.10.3", "Subtract"),
            O::Multiply => row("multiply", 2, 0, "§4.8.3", "§4.10.4", "Multiply"),
            O::Divide => row("divide", 2, 0, "§4.8.3", "§4.10.5", "Divide"),
            O::Fma => row("fma", 3, 0, "§4", "§4.10.6", "FMA"),
            O::Faa => row("faa", 3, 0, "", "§4.10.7", "FAA"),
            O::Sqrt => row("sqrt", 1, 0, "§4.8.4", "§4.10.8", "Sqrt"),
            O::Recip => row("recip", 1, 0, "", "§4.10.8", "Recip"),
            O::Rsqrt => row("rsqrt", 1, 0, "", "§4.10.8", "RSqrt"),
            O::Exp => row("exp", 1, 0, "§4.8.4", "§4.10.9", "Exp"),
            O::Exp2 => row("exp2", 1, 0, "§4.8.4", "§4.10.9", "Exp2"),
            O::Log => row("log", 1, 0, "§4.8.4", "§4.10.9", "Log"),
            O::Log2 => row("log2", 1, 0, "§4.8.4", "§4.10.9", "Log2"),
            O::Hypot => row("hypot", 2, 0, "", "§4.10.14", "Hypot"),
            O::ArcTan2 => row("arc_tan2", 2, 0, "", "§4.10.15", "ArcTan2"),
            O::ArcTan2Pi => row("arc_tan2_pi", 2, 0, "", "§4.10.16", "ArcTan2Pi"),
            O::Function(function) => {
                let (name, name_4, clause_4) = function.names();
                row(name, 1, 0, "", clause_4, name_4)
            }
            O::AddScaled => row("add_scaled", 2, 2, "§4.8.5", "", ""),
            O::MultiplyScaled => row("multiply_scaled", 2, 1, "§4.8.6", "", ""),
            O::ScaledFma => row("scaled_fma", 3, 2, "§4.9.1", "", ""),
            O::ScaledAdd => row("scaled_add", 4, 0, "", "§5.5", "ScaledAdd"),
            O::ScaledSubtract => row("scaled_subtract", 4, 0, "", "§5.5", "ScaledSubtract"),
            O::ScaledMultiply => row("scaled_multiply", 4, 0, "", "§5.5", "ScaledMultiply"),
            O::Minimum => row("minimum", 2, 0, "§4.10.1", "§4.11.1", "Minimum"),
            O::Maximum => row("maximum", 2, 0, "§4.10.1", "§4.11.1", "Maximum"),
            O::MinimumNumber => row("minimum_number", 2, 0, "", "§4.11.1", "MinimumNumber"),
            O::MaximumNumber => row("maximum_number", 2, 0, "", "§4.11.1", "MaximumNumber"),
            O::MinimumMagnitude => row("minimum_magnitude", 2, 0, "", "§4.11.2", "MinimumMagnitude"),
            O::MaximumMagnitude => row("maximum_magnitude", 2, 0, "", "§4.11.2", "MaximumMagnitude"),
            O::MinimumMagnitudeNumber => {
                row("minimum_magnitude_number", 2, 0, "", "§4.11.2", "MinimumMagnitudeNumber")
            }
            O::MaximumMagnitudeNumber => {
                row("maximum_magnitude_number", 2, 0, "", "§4.11.2", "MaximumMagnitudeNumber")
            }
            O::MinimumFinite => row("minimum_finite", 2, 0, "", "§4.11.3", "MinimumFinite"),
            O::MaximumFinite => row("maximum_finite", 2, 0, "", "§4.11.3", "MaximumFinite"),
            O::Clamp => row("clamp", 3, 0, "", "§4.11.4", "Clamp"),
            O::NextUp => row("next_up", 1, 0, "IEEE 754 §5.3.1", "", ""),
            O::NextDown => row("next_down", 1, 0, "IEEE 754 §5.3.1", "", ""),
            O::NextGreaterThan => row("next_greater_than", 1, 0, "", "§4.16", "NextGreaterThan"),
            O::NextLessThan => row("next_less_than", 1, 0, "", "§4.16", "NextLessThan"),
            O::Compare(comparison) => {
                row(comparison.name(), 2, 0, "§4.10.6", comparison.clause_4(), comparison.name_4())
            }
            O::TotalOrder => row("total_order", 2, 0, "§4.10.5", "§4.12.1", "TotalOrder"),
            O::Test(predicate) => {
                row(predicate.name(), 1, 0, "§4.10.3", predicate.clause_4(), predicate.name_4())
            }
            O::Class => row("class", 1, 0, "§4.10.4", "§4.13.1", "Class"),
        }
    }

    /// The snake-case name.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// The number of operands.
    pub const fn arity(self) -> usize {
        self.row().operands
    }

    /// The number of integer log2 scale factors.
    pub const fn scales(self) -> usize {
        self.row().scales
    }

    /// The clause of 0.9.1, or of IEEE 754, that defines it.
    pub fn clause(self) -> Option<&'static str> {
        Some(self.row().clause).filter(|clause| !clause.is_empty())
    }

    /// The operation's name in 4.0, and the clause that defines it there.
    pub fn in_4(self) -> Option<(&'static str, &'static str)> {
        let Row { name_4, clause_4, .. } = self.row();
        (!clause_4.is_empty()).then_some((name_4, clause_4))
    }

    /// The kind of its answer.
    pub const fn kind(self) -> AnswerKind {
        match self {
            Operation::Compare(_) | Operation::TotalOrder | Operation::Test(_) => AnswerKind::Bool,
            Operation::Class => AnswerKind::Class,
            _ => AnswerKind::Code,
        }
    }

    /// The operation with this name.
    pub fn from_name(name: &str) -> Option<Operation> {
        Operation::ALL.into_iter().find(|operation| operation.name() == name)
    }

    /// Performs the operation by the definitions of an edition of P3109. `to` and `how` affect only operations of
    /// [`AnswerKind::Code`].
    ///
    /// 4.0 reads −0 as 0 (§4.8.1) and projects by [`project_in`]. Operations that 0.9.1 lacks are defined as in 4.0,
    /// with IEEE 754's signs of zero if a format has −0.
    ///
    /// # Errors
    /// If the number of operands or scale factors is wrong.
    pub fn evaluate(
        self,
        operands: &[Datum],
        scales: &[i32],
        to: Format,
        how: Projection,
        edition: Edition,
    ) -> Result<Answer, OperationError> {
        let name = self.name();
        if scales.len() != self.scales() {
            return Err(OperationError::Scales { name, expected: self.scales(), given: scales.len() });
        }
        if operands.len() != self.arity() {
            return Err(OperationError::Operands { name, expected: self.arity(), given: operands.len() });
        }
        let read = |i: usize| read_by(edition, operands[i]);
        Ok(match self {
            Operation::Compare(comparison) => Answer::Bool(compare(comparison, read(0), read(1))),
            Operation::TotalOrder => Answer::Bool(total_order(read(0), read(1))),
            Operation::Test(predicate) => Answer::Bool(test(predicate, operands[0], edition)),
            Operation::Class => Answer::Class(class(operands[0])),
            _ => Answer::Code(self.code(operands, scales, to, how, edition)),
        })
    }

    /// The result of an operation of [`AnswerKind::Code`], with the right number of operands and scale factors. It is
    /// one function that is not inlined, so that callers do not get copies of it.
    #[inline(never)]
    pub(crate) fn code(
        self,
        operands: &[Datum],
        scales: &[i32],
        to: Format,
        how: Projection,
        edition: Edition,
    ) -> Rounded {
        let mut read = [operands[0]; MOST_OPERANDS];
        for (datum, operand) in read.iter_mut().zip(operands) {
            *datum = read_by(edition, *operand);
        }
        let x = &read[..operands.len()];
        let value = self.value(x, scales, how.rounding.cancelled_negative());
        // §4.16 does not project: the neighbours are values of their format.
        let nearby = matches!(self, Operation::NextGreaterThan | Operation::NextLessThan);
        let how = if nearby && to == x[0].format() { Projection::default() } else { how };
        raised(project_in(to, value, how, edition), operands)
    }

    const fn extremum(self) -> Option<Extremum> {
        Some(match self {
            Operation::Minimum => MINIMUM,
            Operation::Maximum => MAXIMUM,
            Operation::MinimumNumber => MINIMUM.of_numbers(),
            Operation::MaximumNumber => MAXIMUM.of_numbers(),
            Operation::MinimumMagnitude => MINIMUM.by_magnitude(),
            Operation::MaximumMagnitude => MAXIMUM.by_magnitude(),
            Operation::MinimumMagnitudeNumber => MINIMUM.by_magnitude().of_numbers(),
            Operation::MaximumMagnitudeNumber => MAXIMUM.by_magnitude().of_numbers(),
            Operation::MinimumFinite => MINIMUM.of_finite(),
            Operation::MaximumFinite => MAXIMUM.of_finite(),
            _ => return None,
        })
    }

    /// The exact result of an operation of [`AnswerKind::Code`]. A sum of opposite numbers has the sign
    /// `cancelled_negative`.
    fn value(self, data: &[Datum], scales: &[i32], cancelled_negative: bool) -> Value {
        match (self, data) {
            (Operation::NextUp, &[x]) => arithmetic::neighbour(x, false),
            (Operation::NextDown, &[x]) => arithmetic::neighbour(x, true),
            (Operation::NextGreaterThan, &[x]) => arithmetic::next_than(x, false),
            (Operation::NextLessThan, &[x]) => arithmetic::next_than(x, true),
            _ => {
                let mut values = [Value::UNDEFINED; MOST_OPERANDS];
                for (value, datum) in values.iter_mut().zip(data) {
                    *value = datum.value();
                }
                self.of_values(&values[..data.len()], scales, cancelled_negative)
            }
        }
    }

    /// The exact result of operations that depend only on the values of their operands.
    fn of_values(self, values: &[Value], scales: &[i32], cancelled_negative: bool) -> Value {
        if let (Some(extremum), &[x, y]) = (self.extremum(), values) {
            return extremum.of(x, y);
        }
        if let Some(nan) = values.iter().find(|value| value.is_nan()) {
            return *nan;
        }
        match (self, values) {
            (Operation::Convert, &[x]) => x,
            (Operation::Abs, &[x]) => x.magnitude(),
            (Operation::Negate, &[x]) => x.negated(),
            (Operation::CopySign, &[x, y]) => x.copy_sign(y),
            (Operation::Add, &[x, y]) => x.plus(y, cancelled_negative),
            (Operation::Subtract, &[x, y]) => x.minus(y, cancelled_negative),
            (Operation::Multiply, &[x, y]) => x.times(y),
            (Operation::Divide, &[x, y]) => x.over(y),
            (Operation::Fma, &[x, y, z]) => x.times_plus(y, z, cancelled_negative),
            (Operation::Faa, &[x, y, z]) => arithmetic::sum_of_three(x, y, z, cancelled_negative),
            (Operation::Sqrt, &[x]) => x.square_root(),
            (Operation::Recip, &[x]) => Value::ONE.over(x),
            (Operation::Rsqrt, &[x]) => arithmetic::reciprocal_root(x),
            (Operation::Exp, &[x]) => arithmetic::exponential(x, elementary::exp),
            (Operation::Exp2, &[x]) => arithmetic::exponential(x, elementary::exp2),
            (Operation::Log, &[x]) => arithmetic::logarithm(x, elementary::log),
            (Operation::Log2, &[x]) => arithmetic::logarithm(x, elementary::log2),
            (Operation::Hypot, &[Value::Finite(x), Value::Finite(y)]) => {
                Value::Finite(wide::hypotenuse(x, y))
            }
            (Operation::Hypot, _) => arithmetic::INFINITY,
            (Operation::Function(function), &[x]) => function.of(x),
            (Operation::ArcTan2, &[y, x]) => functions::arc_tan2(y, x),
            (Operation::ArcTan2Pi, &[y, x]) => functions::arc_tan2_pi(y, x),
            (Operation::AddScaled, &[x, y]) => {
                scaled::scaled_sum([x, y], [scales[0], scales[1]], cancelled_negative)
            }
            (Operation::MultiplyScaled, &[x, y]) => x.times(y).scaled(scales[0]),
            (Operation::ScaledFma, &[a, x, y]) => {
                scaled::scaled_product_sum([a, x, y], [scales[0], scales[1]], cancelled_negative)
            }
            (Operation::ScaledAdd, &[sx, x, sy, y]) => sx.times(x).plus(sy.times(y), cancelled_negative),
            (Operation::ScaledSubtract, &[sx, x, sy, y]) => {
                sx.times(x).minus(sy.times(y), cancelled_negative)
            }
            (Operation::ScaledMultiply, &[sx, x, sy, y]) => scaled::product_of_scaled(sx, x, sy, y),
            (Operation::Clamp, &[x, lo, hi]) => compare::clamp(x, lo, hi),
            // `evaluate` checked the number of operands and handled the other kinds.
            _ => Value::UNDEFINED,
        }
    }
}

/// An operand as an edition reads it: 4.0 (§4.8.1) has no −0.
#[inline]
const fn read_by(edition: Edition, x: Datum) -> Datum {
    match edition {
        Edition::V4 => x.without_negative_zero(),
        Edition::Interim => x,
    }
}

/// The maximum number of operands of any operation.
pub const MOST_OPERANDS: usize = 4;

/// A row of the table of operations.
struct Row {
    name: &'static str,
    operands: usize,
    scales: usize,
    /// The clause of 0.9.1, or of IEEE 754; empty if undefined there.
    clause: &'static str,
    /// The clause of 4.0; empty if undefined there.
    clause_4: &'static str,
    name_4: &'static str,
}

const fn row(
    name: &'static str,
    operands: usize,
    scales: usize,
    clause: &'static str,
    clause_4: &'static str,
    name_4: &'static str,
) -> Row {
    Row { name, operands, scales, clause, clause_4, name_4 }
}

/// Projects an exact result, and raises the Denormal flag of the operands.
#[inline]
fn finish(value: Value, operands: &[Datum], to: Format, how: Projection) -> Rounded {
    raised(project(to, value, how), operands)
}

/// Adds the Denormal flag of the operands.
#[inline]
fn raised(rounded: Rounded, operands: &[Datum]) -> Rounded {
    let denormal = operands.iter().any(Datum::is_denormal);
    Rounded { flags: rounded.flags | Flags::DENORMAL.when(denormal), ..rounded }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_operations_are_unique() {
        for (i, a) in Operation::ALL.iter().enumerate() {
            assert_eq!(Operation::from_name(a.name()), Some(*a));
            assert!(Operation::ALL[..i].iter().all(|b| b.name() != a.name()), "{}", a.name());
        }
    }
}
