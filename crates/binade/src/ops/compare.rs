//! Minimum, maximum, comparisons and the total order (P3109 §4.10.1, §4.10.2, §4.10.5, §4.10.6).

use core::cmp::Ordering;

use super::finish;
use crate::codec::Datum;
use crate::exact::Value;
use crate::format::Format;
use crate::round::{Projection, Rounded};

/// The comparison predicates and negations of P3109 Table 5.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    /// x = y.
    Equal,
    /// x > y.
    Greater,
    /// x ≥ y.
    GreaterEqual,
    /// x < y.
    Less,
    /// x ≤ y.
    LessEqual,
    /// Neither is NaN.
    Ordered,
    /// Not equal.
    NotEqual,
    /// Not greater.
    NotGreater,
    /// Not greater or equal.
    LessUnordered,
    /// Not less.
    NotLess,
    /// Not less or equal.
    GreaterUnordered,
    /// An operand is NaN.
    Unordered,
}

impl Comparison {
    /// The snake-case name, as in Table 5.
    pub const fn name(self) -> &'static str {
        match self {
            Comparison::Equal => "compare_equal",
            Comparison::Greater => "compare_greater",
            Comparison::GreaterEqual => "compare_greater_equal",
            Comparison::Less => "compare_less",
            Comparison::LessEqual => "compare_less_equal",
            Comparison::Ordered => "compare_ordered",
            Comparison::NotEqual => "compare_not_equal",
            Comparison::NotGreater => "compare_not_greater",
            Comparison::LessUnordered => "compare_less_unordered",
            Comparison::NotLess => "compare_not_less",
            Comparison::GreaterUnordered => "compare_greater_unordered",
            Comparison::Unordered => "compare_unordered",
        }
    }

    /// The name in 4.0 §4.12, which has five of them.
    pub(super) const fn name_4(self) -> &'static str {
        match self {
            Comparison::Equal => "CompareEqual",
            Comparison::Greater => "CompareGreater",
            Comparison::GreaterEqual => "CompareGreaterEqual",
            Comparison::Less => "CompareLess",
            Comparison::LessEqual => "CompareLessEqual",
            _ => "",
        }
    }

    pub(super) const fn clause_4(self) -> &'static str {
        if self.name_4().is_empty() { "" } else { "§4.12" }
    }

    /// True if a relation satisfies the predicate; `None` is unordered. §4.10.2 swaps the expressions of compareGreater
    /// and compareGreaterEqual; Table 5 has them right.
    pub fn holds(self, relation: Option<Ordering>) -> bool {
        use Ordering::{Equal, Greater, Less};
        match self {
            Comparison::Equal => relation == Some(Equal),
            Comparison::Greater => relation == Some(Greater),
            Comparison::GreaterEqual => matches!(relation, Some(Greater | Equal)),
            Comparison::Less => relation == Some(Less),
            Comparison::LessEqual => matches!(relation, Some(Less | Equal)),
            Comparison::Ordered => relation.is_some(),
            Comparison::NotEqual => !Comparison::Equal.holds(relation),
            Comparison::NotGreater => !Comparison::Greater.holds(relation),
            Comparison::LessUnordered => !Comparison::GreaterEqual.holds(relation),
            Comparison::NotLess => !Comparison::Less.holds(relation),
            Comparison::GreaterUnordered => !Comparison::LessEqual.holds(relation),
            Comparison::Unordered => !Comparison::Ordered.holds(relation),
        }
    }
}

/// Compares values of any formats; −0 equals +0 (P3109 §4.10.6). Raises no flags.
#[inline]
pub fn compare(comparison: Comparison, x: Datum, y: Datum) -> bool {
    comparison.holds(x.value().partial_cmp(&y.value()))
}

/// The order of values in which −0 precedes +0; neither may be NaN.
fn signed_order(x: &Value, y: &Value) -> Ordering {
    // Equal values of different signs are zeros.
    x.partial_cmp(y).unwrap_or(Ordering::Equal).then_with(|| y.negative().cmp(&x.negative()))
}

/// The total order of P3109 §4.10.5: NaN precedes everything and is equivalent to itself; −0 precedes +0.
#[inline]
pub fn total_order(x: Datum, y: Datum) -> bool {
    total_cmp(x, y).is_le()
}

/// [`total_order`] as an ordering.
pub(crate) fn total_cmp(x: Datum, y: Datum) -> Ordering {
    let (x, y) = (x.value(), y.value());
    match (x.is_nan(), y.is_nan()) {
        (false, false) => signed_order(&x, &y),
        (x_nan, y_nan) => y_nan.cmp(&x_nan),
    }
}

/// The lesser of x and y; NaN if either is NaN; −0 is less than +0 (P3109 §4.10.1).
pub fn minimum(x: Datum, y: Datum, to: Format, how: Projection) -> Rounded {
    finish(MINIMUM.of(x.value(), y.value()), &[x, y], to, how)
}

/// The greater of x and y; NaN if either is NaN; +0 is greater than −0 (P3109 §4.10.1).
pub fn maximum(x: Datum, y: Datum, to: Format, how: Projection) -> Rounded {
    finish(MAXIMUM.of(x.value(), y.value()), &[x, y], to, how)
}

/// A minimum or maximum of P3109 4.0 §4.11.1 to §4.11.3. Of zeros with different signs, −0 is the lesser.
#[derive(Clone, Copy)]
pub(super) struct Extremum {
    wanted: Ordering,
    /// Compares magnitudes first, and values only if magnitudes are equal.
    by_magnitude: bool,
    /// Of a number and a NaN, returns the number.
    numbers: bool,
    /// Of a finite value and an infinity, returns the finite one.
    finite: bool,
}

pub(super) const MINIMUM: Extremum =
    Extremum { wanted: Ordering::Less, by_magnitude: false, numbers: false, finite: false };
pub(super) const MAXIMUM: Extremum = Extremum { wanted: Ordering::Greater, ..MINIMUM };

impl Extremum {
    pub(super) const fn by_magnitude(self) -> Extremum {
        Extremum { by_magnitude: true, ..self }
    }

    pub(super) const fn of_numbers(self) -> Extremum {
        Extremum { numbers: true, ..self }
    }

    pub(super) const fn of_finite(self) -> Extremum {
        Extremum { finite: true, numbers: true, ..self }
    }

    /// Returns one of two values.
    pub(super) fn of(self, x: Value, y: Value) -> Value {
        let Extremum { wanted, by_magnitude, numbers, finite } = self;
        match (x.is_nan(), y.is_nan()) {
            (true, false) if numbers => return y,
            (false, true) if numbers => return x,
            (true, _) => return x,
            (_, true) => return y,
            _ => {}
        }
        match (x, y) {
            (Value::Finite(_), Value::Infinite { .. }) if finite => return x,
            (Value::Infinite { .. }, Value::Finite(_)) if finite => return y,
            _ => {}
        }
        let magnitudes = match by_magnitude {
            true => y.magnitude().partial_cmp(&x.magnitude()).unwrap_or(Ordering::Equal),
            false => Ordering::Equal,
        };
        if magnitudes.then_with(|| signed_order(&y, &x)) == wanted { y } else { x }
    }
}

/// x clamped to lo … hi (P3109 4.0 §4.11.4), for operands that are not NaN. NaN if the bounds are in the wrong order.
/// If x equals a bound, the bound is returned.
pub(super) fn clamp(x: Value, lo: Value, hi: Value) -> Value {
    if lo > hi {
        Value::UNDEFINED
    } else if x <= lo {
        lo
    } else if x >= hi {
        hi
    } else {
        x
    }
}
