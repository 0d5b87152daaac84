//! The trait of all typed numbers, and its methods, written once for all types.

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::str::FromStr;

use thiserror::Error;

use super::types::{BINARY32, BINARY64};
use crate::catalog::Edition;
use crate::codec::{Class, Datum, DatumError};
use crate::exact::Value;
use crate::flags::Flags;
use crate::format::{Format, NanCodes};
use crate::ops::{self, Function, Operation, Predicate};
use crate::round::{Projection, Rounded, project, project_in};
use crate::text::{self, ValueError};

/// The methods that are operations on numbers of one type: their documentation, their names, the operands after the
/// first, and the rows of [`Operation`]; then the predicates. Clauses are those of 4.0.
macro_rules! operations {
    ($then:ident) => {
        $then! {
            {
                /// |x| (§4.10.1).
                abs() Abs;
                /// |x| with the sign of y; NaN if either is NaN (§4.10.2).
                copysign(y) CopySign;
                /// self + y + z, rounded once (§4.10.7).
                faa(y, z) Faa;
                /// √x; NaN below zero (§4.10.8).
                sqrt() Sqrt;
                /// 1/x; NaN at zero (§4.10.8).
                recip() Recip;
                /// 1/√x; NaN at zero and below (§4.10.8).
                rsqrt() Rsqrt;
                /// e^x (§4.10.9). This and all other functions are correctly rounded.
                exp() Exp;
                /// 2^x (§4.10.9).
                exp2() Exp2;
                /// The natural logarithm; −∞ at zero, NaN below (§4.10.9).
                ln() Log;
                /// The logarithm to base 2; −∞ at zero, NaN below (§4.10.9).
                log2() Log2;
                /// ln(1 + x); −∞ at −1, NaN below (§4.10.9).
                ln_1p() Function(Function::LogOnePlus);
                /// e^x − 1 (§4.10.9).
                exp_m1() Function(Function::ExpMinusOne);
                /// The sine (§4.10.10).
                sin() Function(Function::Sin);
                /// The cosine (§4.10.10).
                cos() Function(Function::Cos);
                /// The tangent (§4.10.10).
                tan() Function(Function::Tan);
                /// The arcsine; NaN beyond ±1 (§4.10.10).
                asin() Function(Function::ArcSin);
                /// The arccosine; NaN beyond ±1 (§4.10.10).
                acos() Function(Function::ArcCos);
                /// The arctangent (§4.10.10).
                atan() Function(Function::ArcTan);
                /// The hyperbolic sine (§4.10.11).
                sinh() Function(Function::Sinh);
                /// The hyperbolic cosine (§4.10.11).
                cosh() Function(Function::Cosh);
                /// The hyperbolic tangent (§4.10.11).
                tanh() Function(Function::Tanh);
                /// The inverse hyperbolic sine (§4.10.11).
                asinh() Function(Function::ArcSinh);
                /// The inverse hyperbolic cosine; NaN below 1 (§4.10.11).
                acosh() Function(Function::ArcCosh);
                /// The inverse hyperbolic tangent; ±∞ at ±1, NaN beyond (§4.10.11).
                atanh() Function(Function::ArcTanh);
                /// sin πx (§4.10.12).
                sin_pi() Function(Function::SinPi);
                /// cos πx (§4.10.12).
                cos_pi() Function(Function::CosPi);
                /// tan πx; NaN at its poles (§4.10.12).
                tan_pi() Function(Function::TanPi);
                /// The arcsine over π; NaN beyond ±1 (§4.10.12).
                asin_pi() Function(Function::ArcSinPi);
                /// The arccosine over π; NaN beyond ±1 (§4.10.12).
                acos_pi() Function(Function::ArcCosPi);
                /// The arctangent over π (§4.10.12).
                atan_pi() Function(Function::ArcTanPi);
                /// ln(1 + e^x) (§4.10.13).
                softplus() Function(Function::Softplus);
                /// √(x² + y²); NaN if either is NaN, even if the other is infinite (§4.10.14).
                hypot(y) Hypot;
                /// The angle of the point (x, self), in (−π, π] (§4.10.15); NaN for two zeros or two infinities.
                atan2(x) ArcTan2;
                /// The angle of the point (x, self) over π (§4.10.16).
                atan2_pi(x) ArcTan2Pi;
                /// The lesser; NaN if either is NaN (§4.11.1).
                minimum(y) Minimum;
                /// The greater; NaN if either is NaN (§4.11.1).
                maximum(y) Maximum;
                /// The lesser; of a NaN and a number, the number (§4.11.1).
                minimum_number(y) MinimumNumber;
                /// The greater; of a NaN and a number, the number (§4.11.1).
                maximum_number(y) MaximumNumber;
                /// The operand of lesser magnitude, or the lesser of two with equal magnitudes; NaN if either is NaN
                /// (§4.11.2).
                minimum_magnitude(y) MinimumMagnitude;
                /// The operand of greater magnitude, or the greater of two with equal magnitudes; NaN if either is NaN
                /// (§4.11.2).
                maximum_magnitude(y) MaximumMagnitude;
                /// [`minimum_magnitude`](Self::minimum_magnitude), except that of a NaN and a number it is the number
                /// (§4.11.2).
                minimum_magnitude_number(y) MinimumMagnitudeNumber;
                /// [`maximum_magnitude`](Self::maximum_magnitude), except that of a NaN and a number it is the number
                /// (§4.11.2).
                maximum_magnitude_number(y) MaximumMagnitudeNumber;
                /// The lesser; of a number and a NaN the number, of a finite value and an infinity the finite value
                /// (§4.11.3).
                minimum_finite(y) MinimumFinite;
                /// The greater; of a number and a NaN the number, of a finite value and an infinity the finite value
                /// (§4.11.3).
                maximum_finite(y) MaximumFinite;
                /// x clamped to bounds; NaN if any of the three is NaN, or if the bounds are out of order (§4.11.4).
                clamp(low, high) Clamp;
                /// The least value above (IEEE 754 §5.3.1); past the largest, the result of overflow.
                next_up() NextUp;
                /// The greatest value below (IEEE 754 §5.3.1); past the least, the result of overflow.
                next_down() NextDown;
                /// The least value above; NaN past the end (§4.16).
                next_greater_than() NextGreaterThan;
                /// The greatest value below; NaN past the end (§4.16).
                next_less_than() NextLessThan;
            }
            {
                /// True for zero of either sign (§4.13).
                is_zero Zero;
                /// True for one (§4.13).
                is_one One;
                /// True for NaN (§4.13).
                is_nan Nan;
                /// True for negative numbers (§4.13). −0 is negative in 0.9.1 and not in 4.0; a NaN's sign bit counts
                /// only in 0.9.1.
                is_sign_minus SignMinus;
                /// True for normal numbers (§4.13).
                is_normal Normal;
                /// True for nonzero subnormal numbers (§4.13).
                is_subnormal Subnormal;
                /// True for numbers that are neither infinite nor NaN (§4.13).
                is_finite Finite;
                /// True for +∞ and −∞ (§4.13).
                is_infinite Infinite;
            }
        }
    };
}

/// Writes [`operations`] as methods of a trait.
macro_rules! methods {
    (
        { $($(#[$doc:meta])* $name:ident($($y:ident),*) $operation:ident $(($function:expr))?;)* }
        { $($(#[$said:meta])* $test:ident $predicate:ident;)* }
    ) => {
        $(
            $(#[$doc])*
            #[inline]
            fn $name(self, $($y: Self),*) -> Self {
                perform(Operation::$operation $(($function))?, [self, $($y),*])
            }
        )*
        $(
            $(#[$said])*
            #[inline]
            fn $test(self) -> bool {
                ops::test(Predicate::$predicate, self.datum(), Self::EDITION)
            }
        )*
    };
}

pub trait Sealed {
    /// The number of a code, which must be one of the format's.
    fn trusted(code: u64) -> Self;
}

/// A number whose type fixes its format, for generic code.
///
/// ```
/// use binade::typed::{F4E2M1FN, NarrowFloat};
///
/// fn largest_error<T: NarrowFloat>(data: &[f64]) -> f64 {
///     data.iter().map(|&x| (T::from_f64(x).to_f64() - x).abs()).fold(0.0, f64::max)
/// }
/// assert_eq!(largest_error::<F4E2M1FN>(&[0.5, 1.2, 5.5]), 0.5); // 5.5 rounds to 6
/// ```
pub trait NarrowFloat:
    Sealed + Copy + fmt::Debug + fmt::Display + FromStr<Err = ValueError> + PartialOrd + Send + Sync + 'static
{
    /// The format.
    const FORMAT: Format;
    /// The edition of P3109 that defines operations and conversions: 4.0 for types with its names (`Se`, `Sf`, `Ue`,
    /// `Uf`), otherwise 0.9.1.
    const EDITION: Edition;

    /// The code.
    fn code(self) -> u64;

    /// The number of a code.
    ///
    /// # Errors
    /// If the format has no such code.
    #[inline]
    fn from_code(code: u64) -> Result<Self, DatumError> {
        Datum::new(Self::FORMAT, code).map(|datum| Self::trusted(datum.code()))
    }

    /// Code and format, as the operations of [`ops`] take them.
    #[inline]
    fn datum(self) -> Datum {
        Datum::new(Self::FORMAT, self.code()).expect("a number of the type has a code of the format")
    }

    /// The exact value.
    #[inline]
    fn value(self) -> Value {
        crate::decode(Self::FORMAT, self.code())
    }

    /// An exact value rounded and saturated by these modes, with the flags raised.
    #[inline]
    fn project(value: Value, how: Projection) -> (Self, Flags) {
        let Rounded { code, flags } = project_in(Self::FORMAT, value, how, Self::EDITION);
        (Self::trusted(code), flags)
    }

    /// The nearest number to a binary64, rounded once.
    #[inline]
    fn from_f64(x: f64) -> Self {
        rounded(Value::from_f64(x))
    }

    /// The nearest number to a binary32.
    #[inline]
    fn from_f32(x: f32) -> Self {
        Self::from_f64(f64::from(x))
    }

    /// The value as a binary64: exact, for every format that has a type.
    #[inline]
    fn to_f64(self) -> f64 {
        f64::from_bits(project(BINARY64, self.value(), Projection::default()).code)
    }

    /// The value as a binary32: exact, for every format that has a type.
    #[inline]
    fn to_f32(self) -> f32 {
        f32::from_bits(project(BINARY32, self.value(), Projection::default()).code as u32)
    }

    /// The nearest number of another type; by 4.0 if either type has a name of 4.0.
    #[inline]
    fn convert<T: NarrowFloat>(self) -> T {
        let edition = if Self::EDITION == Edition::V4 { Edition::V4 } else { T::EDITION };
        let projection = Projection::default();
        T::trusted(Operation::Convert.code(&[self.datum()], &[], T::FORMAT, projection, edition).code)
    }

    /// self · y + z, rounded once (§4.10.6).
    #[inline]
    fn mul_add(self, y: Self, z: Self) -> Self {
        rounded(self.value().times_plus(y.value(), z.value(), false))
    }

    operations!(methods);

    /// The class.
    #[inline]
    fn class(self) -> Class {
        ops::class(self.datum())
    }

    /// The total order of P3109 §4.10.5: NaN first, −0 before +0. [`Total`] sorts by it.
    #[inline]
    fn total_cmp(self, y: Self) -> Ordering {
        ops::compare::total_cmp(self.datum(), y.datum())
    }
}

/// An operation whose operands and result are of one type, by the definitions of its edition.
#[inline]
pub(super) fn perform<T: NarrowFloat, const N: usize>(operation: Operation, x: [T; N]) -> T {
    let operands = x.map(NarrowFloat::datum);
    T::trusted(operation.code(&operands, &[], T::FORMAT, Projection::default(), T::EDITION).code)
}

/// An exact result rounded to nearest even. Types of 4.0 have no −0, so its rule for −0 does not matter here.
#[inline]
pub(super) fn rounded<T: NarrowFloat>(value: Value) -> T {
    T::project(value, Projection::default()).0
}

/// A number under the total order: NaN precedes all numbers and equals itself, and −0 precedes +0.
#[derive(Clone, Copy, Debug)]
pub struct Total<T>(pub T);

impl<T: NarrowFloat> PartialEq for Total<T> {
    #[inline]
    fn eq(&self, other: &Total<T>) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T: NarrowFloat> Eq for Total<T> {}

impl<T: NarrowFloat> PartialOrd for Total<T> {
    #[inline]
    fn partial_cmp(&self, other: &Total<T>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: NarrowFloat> Ord for Total<T> {
    #[inline]
    fn cmp(&self, other: &Total<T>) -> Ordering {
        self.0.total_cmp(other.0)
    }
}

impl<T: NarrowFloat> Hash for Total<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The order does not distinguish NaNs, nor codes that are read as zero; projection maps each of these to one
        // code.
        T::project(self.0.value(), Projection::default()).0.code().hash(state);
    }
}

/// A binary number that a format does not represent.
#[derive(Clone, Copy, PartialEq, Debug, Error)]
#[error("{value} is not a value of {format}: the nearest is {nearest}")]
pub struct NotRepresentable {
    /// The number.
    pub value: f64,
    /// The format.
    pub format: Format,
    /// The number that it rounds to.
    pub nearest: f64,
}

/// The number that equals `x`; the sign of a zero and the payload of a NaN may be lost.
pub(super) fn exactly<T: NarrowFloat>(x: f64) -> Result<T, NotRepresentable> {
    let (number, flags) = T::project(Value::from_f64(x), Projection::default());
    if flags == Flags::NONE || (x.is_nan() && T::FORMAT.nan() != NanCodes::None) {
        Ok(number)
    } else {
        Err(NotRepresentable { value: x, format: T::FORMAT, nearest: number.to_f64() })
    }
}

pub(super) fn parse<T: NarrowFloat>(text: &str) -> Result<T, ValueError> {
    Ok(rounded(text::parse(text)?))
}

#[cfg(test)]
mod tests {
    use core::ops::{Add, Div, Mul, Sub};

    use super::*;
    use crate::ops::{Answer, AnswerKind};
    use crate::typed::*;

    /// Methods, each with its operation.
    type All<F> = Vec<(Operation, F)>;

    /// The methods of one, two and three operands.
    struct Methods<T> {
        unary: All<fn(T) -> T>,
        binary: All<fn(T, T) -> T>,
        ternary: All<fn(T, T, T) -> T>,
        predicates: All<fn(T) -> bool>,
    }

    macro_rules! list {
        (
            { $($(#[$doc:meta])* $name:ident($($y:ident),*) $operation:ident $(($function:expr))?;)* }
            { $($(#[$said:meta])* $test:ident $predicate:ident;)* }
        ) => {
            impl<T: NarrowFloat> Methods<T> {
                fn all() -> Methods<T> {
                    let mut all = Methods { unary: vec![], binary: vec![], ternary: vec![], predicates: vec![] };
                    $(list!(all $operation $(($function))?; $name $($y)*);)*
                    $(all.predicates.push((Operation::Test(Predicate::$predicate), T::$test));)*
                    all
                }
            }
        };
        ($all:ident $operation:ident $(($function:expr))?; $name:ident) => {
            $all.unary.push((Operation::$operation $(($function))?, T::$name))
        };
        ($all:ident $operation:ident; $name:ident $y:ident) => {
            $all.binary.push((Operation::$operation, T::$name))
        };
        ($all:ident $operation:ident; $name:ident $y:ident $z:ident) => {
            $all.ternary.push((Operation::$operation, T::$name))
        };
    }

    operations!(list);

    /// The answer of [`Operation::evaluate`] in the type's format, by an edition.
    fn evaluated<T: NarrowFloat>(operation: Operation, operands: &[T], edition: Edition) -> Answer {
        let data: Vec<Datum> = operands.iter().map(|x| x.datum()).collect();
        operation.evaluate(&data, &[], T::FORMAT, Projection::default(), edition).unwrap()
    }

    fn codes<T: NarrowFloat>() -> impl Iterator<Item = T> + Clone {
        (0..=T::FORMAT.last_code()).map(|code| T::from_code(code).unwrap())
    }

    fn agrees<T: NarrowFloat>(operation: Operation, operands: &[T], ours: T, edition: Edition) {
        match evaluated(operation, operands, edition) {
            Answer::Code(rounded) => {
                assert_eq!(ours.code(), rounded.code, "{} {operands:?} {}", operation.name(), T::FORMAT);
            }
            other => panic!("{}: {other:?}", operation.name()),
        }
    }

    /// Every method on all codes, on pairs of codes, and on a sample of triples.
    fn methods_are_the_operations<T>(edition: Edition)
    where
        T: NarrowFloat + Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T>,
    {
        let Methods { unary, mut binary, mut ternary, predicates } = Methods::<T>::all();
        ternary.push((Operation::Fma, T::mul_add));
        binary.extend([
            (Operation::Add, T::add as fn(T, T) -> T),
            (Operation::Subtract, T::sub),
            (Operation::Multiply, T::mul),
            (Operation::Divide, T::div),
        ]);
        for x in codes::<T>() {
            for &(operation, method) in &unary {
                agrees(operation, &[x], method(x), edition);
            }
            for &(operation, test) in &predicates {
                assert_eq!(
                    Answer::Bool(test(x)),
                    evaluated(operation, &[x], edition),
                    "{}",
                    operation.name()
                );
            }
            for (i, y) in codes::<T>().enumerate() {
                for &(operation, method) in &binary {
                    // The angle functions are slow.
                    let slow = matches!(operation, Operation::ArcTan2 | Operation::ArcTan2Pi);
                    if !slow || (i + x.code() as usize).is_multiple_of(8) {
                        agrees(operation, &[x, y], method(x, y), edition);
                    }
                }
                for z in codes::<T>().skip((7 * i + x.code() as usize) % 61).step_by(61) {
                    for &(operation, method) in &ternary {
                        agrees(operation, &[x, y, z], method(x, y, z), edition);
                    }
                }
            }
        }
    }

    #[test]
    fn methods_of_types_of_4_equal_their_operations() {
        methods_are_the_operations::<Binary8P4Sf>(Edition::V4);
        methods_are_the_operations::<Binary4P2Sf>(Edition::V4);
        methods_are_the_operations::<Binary6P3Ue>(Edition::V4);
        methods_are_the_operations::<Binary5P5Uf>(Edition::V4);
    }

    #[test]
    fn methods_of_types_of_0_9_1_equal_their_operations() {
        methods_are_the_operations::<Binary8P4>(Edition::Interim);
        methods_are_the_operations::<F6E2M3FN>(Edition::Interim);
    }

    /// Every operation of 4.0 §4.10, §4.11, §4.13 and §4.16 has a method or an operator, except three whose operands
    /// have two formats.
    #[test]
    fn every_operation_of_4_has_a_method() {
        let Methods { unary, binary, ternary, predicates } = Methods::<BF16>::all();
        let mut found: Vec<Operation> = unary.into_iter().map(|(operation, _)| operation).collect();
        found.extend(binary.into_iter().map(|(operation, _)| operation));
        found.extend(ternary.into_iter().map(|(operation, _)| operation));
        found.extend(predicates.into_iter().map(|(operation, _)| operation));
        use Operation as O;
        found.extend([
            O::Convert,
            O::Fma,
            O::Negate,
            O::Add,
            O::Subtract,
            O::Multiply,
            O::Divide,
            O::TotalOrder,
            O::Class,
        ]);
        for operation in Operation::ALL.into_iter().filter(|operation| operation.in_4().is_some()) {
            let apart =
                matches!(operation, O::ScaledAdd | O::ScaledSubtract | O::ScaledMultiply | O::Compare(_));
            assert_eq!(found.contains(&operation), !apart, "{}", operation.name());
        }
        assert!(
            found.iter().all(|operation| operation.kind() != AnswerKind::Code || operation.scales() == 0)
        );
    }

    /// A conversion is by 4.0 if either type has a name of 4.0.
    #[test]
    fn conversions_between_types_follow_the_editions() {
        fn check<T: NarrowFloat, U: NarrowFloat>(edition: Edition) {
            for x in codes::<T>() {
                let ours = x.convert::<U>().code();
                let how = Projection::default();
                let answer = Operation::Convert.evaluate(&[x.datum()], &[], U::FORMAT, how, edition).unwrap();
                assert_eq!(answer, Answer::Code(Rounded { code: ours, flags: answer.flags() }), "{x:?}");
            }
        }
        check::<F16, Binary8P4Sf>(Edition::V4);
        check::<Binary8P4Se, Binary4P2Sf>(Edition::V4);
        check::<Binary8P4Se, F8E4M3FN>(Edition::V4);
        check::<F8E5M2, F8E4M3FNUZ>(Edition::Interim);
        check::<Binary8P3, F8E4M3FN>(Edition::Interim);
    }
}
