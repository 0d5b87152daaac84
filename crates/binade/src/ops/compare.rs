//! Minimum, maximum, comparisons and the total order (P3109 §4.10.1, §4.10.2, §4.10.5, §4.10.6).

use std::cmp::Ordering;

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
    /// Some operand is NaN.
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

    /// Whether a relation satisfies the predicate; `None` is unordered. §4.10.2 prints the expressions of
    /// compareGreater and compareGreaterEqual in each other's place; Table 5 has them right.
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

/// A comparison of values, whatever the formats; −0 equals +0 (P3109 §4.10.6). Raises no flags.
#[inline]
pub fn compare(comparison: Comparison, x: Datum, y: Datum) -> bool {
    comparison.holds(x.value().partial_cmp(&y.value()))
}

/// The order of values in which −0 precedes +0; neither is NaN.
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

/// The lesser of x and y, NaN if either is; −0 is less than +0 (P3109 §4.10.1).
pub fn minimum(x: Datum, y: Datum, to: Format, how: Projection) -> Rounded {
    finish(extreme(x.value(), y.value(), Ordering::Less), &[x, y], to, how)
}

/// The greater of x and y, NaN if either is; +0 is greater than −0 (P3109 §4.10.1).
pub fn maximum(x: Datum, y: Datum, to: Format, how: Projection) -> Rounded {
    finish(extreme(x.value(), y.value(), Ordering::Greater), &[x, y], to, how)
}

fn extreme(x: Value, y: Value, wanted: Ordering) -> Value {
    if x.is_nan() {
        x
    } else if y.is_nan() || signed_order(&y, &x) == wanted {
        y
    } else {
        x
    }
}
