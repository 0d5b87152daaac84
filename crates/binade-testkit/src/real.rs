//! Exact positive reals, defined by their comparisons with binary fractions, which is all that rounding needs.

use crate::dyadic::{Dyadic, Interval};
use crate::elementary::{Function, HUGE, near_one};
use crate::functions::Transcendental;
use std::cell::RefCell;
use std::cmp::Ordering;

/// A positive real number.
#[derive(Clone, Debug)]
pub enum Real {
    /// A binary fraction.
    Dyadic(Dyadic),
    /// A quotient of positive binary fractions.
    Quotient(Dyadic, Dyadic),
    /// Another positive real, divided by a positive binary fraction.
    Over(Box<Real>, Dyadic),
    /// The square root of a positive binary fraction.
    Root(Dyadic),
    /// 1 over the square root of a positive binary fraction.
    ReciprocalRoot(Dyadic),
    /// Above every format's range.
    Unbounded,
    /// Above zero and below every format's range.
    Infinitesimal,
    /// The magnitude of an irrational function value.
    Irrational(Irrational),
    /// The magnitude of an irrational value of another function.
    Transcendental(Transcendental),
}

impl Real {
    /// Compares the number with `point`.
    pub fn compare(&self, point: &Dyadic) -> Ordering {
        if point.is_zero() {
            return Ordering::Greater;
        }
        match self {
            Real::Dyadic(x) => x.cmp(point),
            Real::Quotient(n, d) => n.cmp(&(point * d)),
            Real::Over(x, d) => x.compare(&(point * d)),
            Real::Root(x) => x.cmp(&(point * point)),
            Real::ReciprocalRoot(x) => Dyadic::power(0).cmp(&(&(point * point) * x)),
            Real::Unbounded => Ordering::Greater,
            Real::Infinitesimal => Ordering::Less,
            Real::Irrational(x) => x.compare(point),
            Real::Transcendental(x) => x.compare(point),
        }
    }
}

/// |f(x)| if the value is irrational, as an enclosure that narrows until a comparison is decided. That always happens, because no binary fraction equals the value.
#[derive(Clone, Debug)]
pub struct Irrational {
    function: Function,
    x: Dyadic,
    negative: bool,
    known: RefCell<(i64, Interval)>,
}

const FIRST_BITS: i64 = 64;

impl Irrational {
    fn new(function: Function, x: Dyadic, negative: bool) -> Irrational {
        let tiny = matches!(function, Function::Exp | Function::Exp2) && x.log2_floor() < 0;
        let first = if tiny {
            (FIRST_BITS / 2, near_one(&x))
        } else {
            (FIRST_BITS, Self::magnitude(function, &x, negative, FIRST_BITS))
        };
        Irrational { function, x, negative, known: RefCell::new(first) }
    }

    fn magnitude(function: Function, x: &Dyadic, negative: bool, bits: i64) -> Interval {
        let enclosure = function.enclose(x, bits);
        if negative { enclosure.negated() } else { enclosure }
    }

    fn compare(&self, point: &Dyadic) -> Ordering {
        let mut known = self.known.borrow_mut();
        loop {
            let (bits, Interval { low, high }) = &*known;
            if point < low {
                return Ordering::Greater;
            }
            if point > high {
                return Ordering::Less;
            }
            let bits = bits * 2;
            *known = (bits, Self::magnitude(self.function, &self.x, self.negative, bits));
        }
    }
}

/// `function(x)` for nonzero `x` (positive for the logarithms): sign and magnitude, or `None` if it is zero.
///
/// Exact cases: 2^x for integer x, log2 of powers of two, and log 1. All other values are irrational. For e^x and ln x
/// of a rational other than 0 and 1 that is Lindemann's theorem. 2^x of a non-integer rational is a root of an integer
/// that is not a power. And if log2 of a non-power were p/q, 2^(p/q) = x would make x^q a power of two.
pub fn elementary(function: Function, x: &Dyadic) -> Option<(bool, Real)> {
    let power = x.as_power();
    match function {
        Function::Exp | Function::Exp2 if x.abs() >= Dyadic::new(HUGE, 0) => {
            Some((false, if x.is_negative() { Real::Infinitesimal } else { Real::Unbounded }))
        }
        Function::Exp2 if let Some(n) = x.as_integer().and_then(|n| i64::try_from(n).ok()) => {
            Some((false, Real::Dyadic(Dyadic::power(n))))
        }
        Function::Exp | Function::Exp2 => {
            Some((false, Real::Irrational(Irrational::new(function, x.clone(), false))))
        }
        Function::Log if power == Some(0) => None,
        Function::Log2 if let Some(n) = power => {
            (n != 0).then(|| (n < 0, Real::Dyadic(Dyadic::new(n.abs(), 0))))
        }
        Function::Log | Function::Log2 => {
            let negative = *x < Dyadic::power(0);
            Some((negative, Real::Irrational(Irrational::new(function, x.clone(), negative))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reals_compare_by_definition() {
        let third = Real::Quotient(Dyadic::power(0), Dyadic::new(3, 0));
        assert_eq!(third.compare(&Dyadic::new(5, -4)), Ordering::Greater);
        assert_eq!(third.compare(&Dyadic::new(6, -4)), Ordering::Less);
        let root = Real::Root(Dyadic::new(9, -2));
        assert_eq!(root.compare(&Dyadic::new(3, -1)), Ordering::Equal);
    }

    #[test]
    fn comparisons_of_irrationals_refine() {
        // ln(1 + 2^−52) is between 2^−52 − 2^−105 and 2^−52.
        let x = &Dyadic::power(0) + &Dyadic::power(-52);
        let Some((false, value)) = elementary(Function::Log, &x) else { panic!("positive") };
        assert_eq!(value.compare(&Dyadic::power(-52)), Ordering::Less);
        assert_eq!(value.compare(&(&Dyadic::power(-52) - &Dyadic::power(-105))), Ordering::Greater);
    }

    #[test]
    fn exact_function_values_are_recognised() {
        assert!(
            matches!(elementary(Function::Exp2, &Dyadic::new(-3, 0)), Some((false, Real::Dyadic(d))) if d == Dyadic::power(-3))
        );
        assert!(
            matches!(elementary(Function::Log2, &Dyadic::power(-9)), Some((true, Real::Dyadic(d))) if d == Dyadic::new(9, 0))
        );
        assert!(elementary(Function::Log, &Dyadic::power(0)).is_none());
    }
}
