//! Arithmetic, comparisons and choices of slices of binary32 numbers: one machine operation for each element, on
//! vectors as wide as the instruction set has them.

use binade_simd::Environment;
use binade_simd::lanes::Leg;
use binade_simd::{Isa, Kernel};

use crate::error::KernelError;

/// An operation on two numbers, correctly rounded to nearest even.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    /// x + y.
    Add,
    /// x − y.
    Subtract,
    /// x · y.
    Multiply,
    /// x / y.
    Divide,
    /// IEEE 754's maximum: NaN if either operand is, −0 below +0.
    Maximum,
    /// IEEE 754's minimum.
    Minimum,
}

/// A comparison; but for `NotEqual`, none holds for NaN.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// x = y.
    Equal,
    /// x ≠ y.
    NotEqual,
    /// x < y.
    Less,
    /// x ≤ y.
    LessOrEqual,
    /// x > y.
    Greater,
    /// x ≥ y.
    GreaterOrEqual,
}

/// IEEE 754's maximum. For equal numbers the bits of both ANDed are the result: zeros of different sign make +0.
#[inline(always)]
pub fn maximum(x: f32, y: f32) -> f32 {
    let equal = f32::from_bits(x.to_bits() & y.to_bits());
    let ordered = if x > y { x } else { y };
    let ordered = if x == y { equal } else { ordered };
    if x.is_nan() { x } else { ordered }
}

/// IEEE 754's minimum, the maximum of the negated operands negated.
#[inline(always)]
pub fn minimum(x: f32, y: f32) -> f32 {
    -maximum(-x, -y)
}

impl Binary {
    /// All of them.
    pub const ALL: [Binary; 6] =
        [Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Divide, Binary::Maximum, Binary::Minimum];

    /// `out[i] = x[i] ∘ y[i]`, on one thread.
    ///
    /// # Errors
    /// If the slices differ in length.
    pub fn apply_on(self, isa: Isa, x: &[f32], y: &[f32], out: &mut [f32]) -> Result<(), KernelError> {
        KernelError::check_length("the second operand", y.len(), x.len())?;
        KernelError::check_length("the result", out.len(), x.len())?;
        let _environment = Environment::enter();
        isa.run(Apply { operation: self, x, y, out });
        Ok(())
    }
}

struct Apply<'a> {
    operation: Binary,
    x: &'a [f32],
    y: &'a [f32],
    out: &'a mut [f32],
}

/// `out[i] = f(x[i], y[i])`.
#[inline(always)]
fn map2<R>(x: &[f32], y: &[f32], out: &mut [R], f: impl Fn(f32, f32) -> R) {
    for (out, (&x, &y)) in out.iter_mut().zip(x.iter().zip(y)) {
        *out = f(x, y);
    }
}

impl Kernel for Apply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        let Apply { operation, x, y, out } = self;
        // A loop each, so that the choice is not made in it.
        match operation {
            Binary::Add => map2(x, y, out, |x, y| x + y),
            Binary::Subtract => map2(x, y, out, |x, y| x - y),
            Binary::Multiply => map2(x, y, out, |x, y| x * y),
            Binary::Divide => map2(x, y, out, |x, y| x / y),
            Binary::Maximum => map2(x, y, out, maximum),
            Binary::Minimum => map2(x, y, out, minimum),
        }
    }
}

impl Comparison {
    /// All of them.
    pub const ALL: [Comparison; 6] = [
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Less,
        Comparison::LessOrEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
    ];

    /// `out[i]` is 1 where the comparison of `x[i]` with `y[i]` holds and 0 elsewhere, on one thread.
    ///
    /// # Errors
    /// If the slices differ in length.
    pub fn apply_on(self, isa: Isa, x: &[f32], y: &[f32], out: &mut [u8]) -> Result<(), KernelError> {
        KernelError::check_length("the second operand", y.len(), x.len())?;
        KernelError::check_length("the result", out.len(), x.len())?;
        let _environment = Environment::enter();
        isa.run(Compare { comparison: self, x, y, out });
        Ok(())
    }
}

struct Compare<'a> {
    comparison: Comparison,
    x: &'a [f32],
    y: &'a [f32],
    out: &'a mut [u8],
}

impl Kernel for Compare<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        let Compare { comparison, x, y, out } = self;
        match comparison {
            Comparison::Equal => map2(x, y, out, |x, y| (x == y) as u8),
            Comparison::NotEqual => map2(x, y, out, |x, y| (x != y) as u8),
            Comparison::Less => map2(x, y, out, |x, y| (x < y) as u8),
            Comparison::LessOrEqual => map2(x, y, out, |x, y| (x <= y) as u8),
            Comparison::Greater => map2(x, y, out, |x, y| (x > y) as u8),
            Comparison::GreaterOrEqual => map2(x, y, out, |x, y| (x >= y) as u8),
        }
    }
}

/// `out[i]` is `yes[i]` where `predicate[i]` is not 0 and `no[i]` elsewhere, on one thread.
///
/// # Errors
/// If the slices differ in length.
pub fn select_on(
    isa: Isa,
    predicate: &[u8],
    yes: &[f32],
    no: &[f32],
    out: &mut [f32],
) -> Result<(), KernelError> {
    KernelError::check_length("the predicate", predicate.len(), out.len())?;
    KernelError::check_length("the first operand", yes.len(), out.len())?;
    KernelError::check_length("the second operand", no.len(), out.len())?;
    isa.run(Select { predicate, yes, no, out });
    Ok(())
}

struct Select<'a> {
    predicate: &'a [u8],
    yes: &'a [f32],
    no: &'a [f32],
    out: &'a mut [f32],
}

impl Kernel for Select<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        let Select { predicate, yes, no, out } = self;
        for ((out, &holds), (&yes, &no)) in out.iter_mut().zip(predicate).zip(yes.iter().zip(no)) {
            *out = if holds != 0 { yes } else { no };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of special values and of values over the whole range, enough for vectors and what they leave over.
    fn pairs() -> (Vec<f32>, Vec<f32>) {
        let mut values =
            vec![0.0, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-45, f32::MAX];
        values.push(f32::from_bits(0xffc1_2345));
        values.extend((0..60u32).map(|i| f32::from_bits(i.wrapping_mul(0x9e37_79b9))));
        values.iter().flat_map(|&x| values.iter().map(move |&y| (x, y))).unzip()
    }

    /// Against the operations on numbers, on every leg: bits, but for NaN's.
    #[test]
    fn equal_their_definitions() {
        let (x, y) = pairs();
        let wide = |x: f32, y: f32, f: fn(f64, f64) -> f64| f(x as f64, y as f64) as f32;
        let largest = |x: f32, y: f32| match x.partial_cmp(&y) {
            None => f32::NAN,
            Some(std::cmp::Ordering::Greater) => x,
            Some(std::cmp::Ordering::Less) => y,
            Some(std::cmp::Ordering::Equal) => {
                if x.is_sign_positive() {
                    x
                } else {
                    y
                }
            }
        };
        for isa in Isa::available() {
            for operation in Binary::ALL {
                let mut out = vec![0.0; x.len()];
                operation.apply_on(isa, &x, &y, &mut out).unwrap();
                for ((&x, &y), &given) in x.iter().zip(&y).zip(&out) {
                    // Rounding to binary64 first does no harm to sums, products and quotients of binary32.
                    let expected = match operation {
                        Binary::Add => wide(x, y, |x, y| x + y),
                        Binary::Subtract => wide(x, y, |x, y| x - y),
                        Binary::Multiply => wide(x, y, |x, y| x * y),
                        Binary::Divide => wide(x, y, |x, y| x / y),
                        Binary::Maximum => largest(x, y),
                        Binary::Minimum => -largest(-x, -y),
                    };
                    let same = given.to_bits() == expected.to_bits() || given.is_nan() && expected.is_nan();
                    assert!(same, "{isa}: {operation:?} of {x:e} and {y:e} is {given:e}, not {expected:e}");
                }
            }
            for comparison in Comparison::ALL {
                let mut out = vec![2; x.len()];
                comparison.apply_on(isa, &x, &y, &mut out).unwrap();
                for ((x, y), &given) in x.iter().zip(&y).zip(&out) {
                    use std::cmp::Ordering::{Equal, Greater, Less};
                    let expected = match (comparison, x.partial_cmp(y)) {
                        (Comparison::Equal, order) => order == Some(Equal),
                        (Comparison::NotEqual, order) => order != Some(Equal),
                        (Comparison::Less, order) => order == Some(Less),
                        (Comparison::LessOrEqual, order) => matches!(order, Some(Less | Equal)),
                        (Comparison::Greater, order) => order == Some(Greater),
                        (Comparison::GreaterOrEqual, order) => matches!(order, Some(Greater | Equal)),
                    };
                    assert_eq!(given, expected as u8, "{isa}: {comparison:?} of {x:e} and {y:e}");
                }
            }
            let predicate: Vec<u8> = (0..x.len()).map(|i| (i * i % 3) as u8).collect();
            let mut out = vec![0.0; x.len()];
            select_on(isa, &predicate, &x, &y, &mut out).unwrap();
            for (i, given) in out.iter().enumerate() {
                let expected = if predicate[i] != 0 { x[i] } else { y[i] };
                assert_eq!(given.to_bits(), expected.to_bits(), "{isa}: element {i}");
            }
        }
    }

    #[test]
    fn lengths_are_compared() {
        let isa = Isa::PORTABLE;
        assert!(Binary::Add.apply_on(isa, &[1.0], &[1.0, 2.0], &mut [0.0]).is_err());
        assert!(Comparison::Less.apply_on(isa, &[1.0], &[1.0], &mut [0, 0]).is_err());
        assert!(select_on(isa, &[1], &[1.0], &[1.0], &mut []).is_err());
    }
}
