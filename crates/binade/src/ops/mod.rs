//! The operations, after the chapters of P3109 §4, each for any formats of operands and result.
//!
//! | module | P3109 |
//! |---|---|
//! | [`arithmetic`] | §4.7 conversions, §4.8.1 to §4.8.4, fused multiply-add, next up and down |
//! | [`scaled`] | §4.8.5, §4.8.6, §4.9.1 |
//! | [`mod@compare`] | §4.10.1, §4.10.2, §4.10.5, §4.10.6 |
//! | [`predicates`] | §4.10.3, §4.10.4 |
//!
//! [`Operation`] is the table of all of them by name, for callers that choose at run time.

pub mod arithmetic;
pub mod compare;
pub mod predicates;
pub mod scaled;

pub use arithmetic::{
    abs, add, convert, copy_sign, divide, exp, exp2, fma, log, log2, multiply, negate, next_down, next_up,
    sqrt, subtract,
};
pub use compare::{Comparison, compare, maximum, minimum, total_order};
pub use predicates::{Predicate, class, is_sign_minus, test};
pub use scaled::{add_scaled, multiply_scaled, scaled_fma};

use thiserror::Error;

use crate::catalog::Edition;
use crate::codec::{Class, Datum};
use crate::exact::Value;
use crate::flags::Flags;
use crate::format::Format;
use crate::round::{Projection, Rounded, project};

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
    /// √x.
    Sqrt,
    /// e^x.
    Exp,
    /// 2^x.
    Exp2,
    /// Natural logarithm.
    Log,
    /// Logarithm to base 2.
    Log2,
    /// x · 2^sx + y · 2^sy.
    AddScaled,
    /// x · y · 2^s.
    MultiplyScaled,
    /// a · 2^sa + x · y · 2^s.
    ScaledFma,
    /// Least of two; NaN if either is.
    Minimum,
    /// Greatest of two; NaN if either is.
    Maximum,
    /// Least value above x.
    NextUp,
    /// Greatest value below x.
    NextDown,
    /// A comparison predicate.
    Compare(Comparison),
    /// Whether x precedes y in the total order, or is y.
    TotalOrder,
    /// A classification predicate.
    Test(Predicate),
    /// The class of x.
    Class,
}

/// What an operation results in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
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

/// A call that does not fit its operation.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OperationError {
    /// Wrong number of operands.
    #[error("{name} takes {expected} operand{}, not {given}", plural(*.expected))]
    Operands {
        /// The operation.
        name: &'static str,
        /// Operands that it takes.
        expected: usize,
        /// Operands given.
        given: usize,
    },
    /// Wrong number of scale factors.
    #[error("{name} takes {expected} scale factor{}, not {given}", plural(*.expected))]
    Scales {
        /// The operation.
        name: &'static str,
        /// Scale factors that it takes.
        expected: usize,
        /// Scale factors given.
        given: usize,
    },
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}

impl Operation {
    /// Every operation, in the order of the report's chapters.
    pub const ALL: [Operation; 45] = {
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
            Sqrt,
            Exp,
            Exp2,
            Log,
            Log2,
            AddScaled,
            MultiplyScaled,
            ScaledFma,
            Minimum,
            Maximum,
            NextUp,
            NextDown,
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

    /// Name, operands, scale factors and source.
    const fn row(self) -> (&'static str, usize, usize, &'static str) {
        match self {
            Operation::Convert => ("convert", 1, 0, "P3109 §4.7"),
            Operation::Abs => ("abs", 1, 0, "P3109 §4.8.1"),
            Operation::Negate => ("negate", 1, 0, "P3109 §4.8.1"),
            Operation::CopySign => ("copy_sign", 2, 0, "P3109 §4.8.2"),
            Operation::Add => ("add", 2, 0, "P3109 §4.8.3"),
            Operation::Subtract => ("subtract", 2, 0, "P3109 §4.8.3"),
            Operation::Multiply => ("multiply", 2, 0, "P3109 §4.8.3"),
            Operation::Divide => ("divide", 2, 0, "P3109 §4.8.3"),
            Operation::Fma => ("fma", 3, 0, "P3109 §4, IEEE 754 §5.4.1"),
            Operation::Sqrt => ("sqrt", 1, 0, "P3109 §4.8.4"),
            Operation::Exp => ("exp", 1, 0, "P3109 §4.8.4"),
            Operation::Exp2 => ("exp2", 1, 0, "P3109 §4.8.4"),
            Operation::Log => ("log", 1, 0, "P3109 §4.8.4"),
            Operation::Log2 => ("log2", 1, 0, "P3109 §4.8.4"),
            Operation::AddScaled => ("add_scaled", 2, 2, "P3109 §4.8.5"),
            Operation::MultiplyScaled => ("multiply_scaled", 2, 1, "P3109 §4.8.6"),
            Operation::ScaledFma => ("scaled_fma", 3, 2, "P3109 §4.9.1"),
            Operation::Minimum => ("minimum", 2, 0, "P3109 §4.10.1"),
            Operation::Maximum => ("maximum", 2, 0, "P3109 §4.10.1"),
            Operation::NextUp => ("next_up", 1, 0, "IEEE 754 §5.3.1"),
            Operation::NextDown => ("next_down", 1, 0, "IEEE 754 §5.3.1"),
            Operation::Compare(comparison) => (comparison.name(), 2, 0, "P3109 §4.10.6"),
            Operation::TotalOrder => ("total_order", 2, 0, "P3109 §4.10.5"),
            Operation::Test(predicate) => (predicate.name(), 1, 0, "P3109 §4.10.3"),
            Operation::Class => ("class", 1, 0, "P3109 §4.10.4"),
        }
    }

    /// The snake-case name.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// How many operands it takes.
    pub const fn arity(self) -> usize {
        self.row().1
    }

    /// How many integer log2 scale factors it takes.
    pub const fn scales(self) -> usize {
        self.row().2
    }

    /// The clause that defines it.
    pub const fn clause(self) -> &'static str {
        self.row().3
    }

    /// What it results in.
    pub const fn kind(self) -> Kind {
        match self {
            Operation::Compare(_) | Operation::TotalOrder | Operation::Test(_) => Kind::Bool,
            Operation::Class => Kind::Class,
            _ => Kind::Code,
        }
    }

    /// The operation of this name.
    pub fn from_name(name: &str) -> Option<Operation> {
        Operation::ALL.into_iter().find(|operation| operation.name() == name)
    }

    /// Performs the operation. `to` and `how` matter to those of [`Kind::Code`]; `edition` to `is_sign_minus`.
    ///
    /// # Errors
    /// If there are more or fewer operands or scale factors than the operation takes.
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
        let wrong = OperationError::Operands { name, expected: self.arity(), given: operands.len() };
        Ok(match (self, operands) {
            (Operation::Convert, &[x]) => Answer::Code(convert(x, to, how)),
            (Operation::Abs, &[x]) => Answer::Code(abs(x, to, how)),
            (Operation::Negate, &[x]) => Answer::Code(negate(x, to, how)),
            (Operation::CopySign, &[x, y]) => Answer::Code(copy_sign(x, y, to, how)),
            (Operation::Add, &[x, y]) => Answer::Code(add(x, y, to, how)),
            (Operation::Subtract, &[x, y]) => Answer::Code(subtract(x, y, to, how)),
            (Operation::Multiply, &[x, y]) => Answer::Code(multiply(x, y, to, how)),
            (Operation::Divide, &[x, y]) => Answer::Code(divide(x, y, to, how)),
            (Operation::Fma, &[x, y, z]) => Answer::Code(fma(x, y, z, to, how)),
            (Operation::Sqrt, &[x]) => Answer::Code(sqrt(x, to, how)),
            (Operation::Exp, &[x]) => Answer::Code(exp(x, to, how)),
            (Operation::Exp2, &[x]) => Answer::Code(exp2(x, to, how)),
            (Operation::Log, &[x]) => Answer::Code(log(x, to, how)),
            (Operation::Log2, &[x]) => Answer::Code(log2(x, to, how)),
            (Operation::AddScaled, &[x, y]) => Answer::Code(add_scaled(x, scales[0], y, scales[1], to, how)),
            (Operation::MultiplyScaled, &[x, y]) => Answer::Code(multiply_scaled(x, y, scales[0], to, how)),
            (Operation::ScaledFma, &[a, x, y]) => {
                Answer::Code(scaled_fma(a, scales[0], x, y, scales[1], to, how))
            }
            (Operation::Minimum, &[x, y]) => Answer::Code(minimum(x, y, to, how)),
            (Operation::Maximum, &[x, y]) => Answer::Code(maximum(x, y, to, how)),
            (Operation::NextUp, &[x]) => Answer::Code(next_up(x, to, how)),
            (Operation::NextDown, &[x]) => Answer::Code(next_down(x, to, how)),
            (Operation::Compare(comparison), &[x, y]) => Answer::Bool(compare(comparison, x, y)),
            (Operation::TotalOrder, &[x, y]) => Answer::Bool(total_order(x, y)),
            (Operation::Test(predicate), &[x]) => Answer::Bool(test(predicate, x, edition)),
            (Operation::Class, &[x]) => Answer::Class(class(x)),
            _ => return Err(wrong),
        })
    }
}

/// Projects an exact result; `operands` have the Denormal flag in common.
#[inline]
fn finish(value: Value, operands: &[Datum], to: Format, how: Projection) -> Rounded {
    let denormal = operands.iter().any(Datum::is_denormal);
    let Rounded { code, flags } = project(to, value, how);
    Rounded { code, flags: flags | Flags::DENORMAL.when(denormal) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        for (i, a) in Operation::ALL.iter().enumerate() {
            assert_eq!(Operation::from_name(a.name()), Some(*a));
            assert!(Operation::ALL[..i].iter().all(|b| b.name() != a.name()), "{}", a.name());
        }
    }
}
