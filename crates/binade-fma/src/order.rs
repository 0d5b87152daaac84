//! The order in which a sum of products is accumulated, by name.

use std::fmt;
use std::str::FromStr;

use binade::text::nearest;
use thiserror::Error;

/// The order of accumulation. It is part of the meaning of a dot product, since every step rounds.
///
/// The list defines c + Σ aᵢ·bᵢ for i = 0 … k − 1. `op(a, b, c)` is the operator's step and `accumulate(x, c)` its
/// accumulator's addition (see [`crate::reference`]). An empty sum is c itself in every order.
///
/// - `sequential`: c ← op(aᵢ, bᵢ, c), i ascending.
/// - `pairwise`: the leaves op(aᵢ, bᵢ, +0) are summed in a binary tree; then c ← accumulate(tree, c). The tree over n >
///   1 leaves joins a left tree over the first p leaves and a right tree over the other n − p. p is the largest power
///   of two below n, and the join is accumulate(right, left).
/// - `blocked:N`: each N consecutive products are summed sequentially from +0; the last block may be shorter. Then for
///   each block's sum x, in order: c ← accumulate(x, c).
/// - `lanes:N`: the products i with the same i mod N are summed sequentially from +0, for each of the first min(N, k)
///   remainders. Then for each remainder's sum x, in order: c ← accumulate(x, c).
/// - `aligned:N,BITS`: each N consecutive products, computed exactly, are truncated toward zero to multiples of the
///   unit 2^(e − BITS). Here 2^e ≤ the largest magnitude in the group < 2^(e + 1). They are summed as integers; the
///   integer sum, rounded to binary32, times the unit is x. Then c ← accumulate(x, c). If a product is NaN, or if there
///   are infinities of both signs, x is NaN. With infinities of one sign, x is that infinity.
/// - `exact`: the exact c + Σ aᵢ·bᵢ of the rounded operands, rounded once to the accumulator. An exact zero is +0, and
///   no intermediate result overflows.
/// - `any`: unspecified, as a native binary32 library computes it. It is only for the operator `f32:f32`, and not
///   reproducible between machines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Order {
    /// One product after another.
    #[default]
    Sequential,
    /// A balanced tree.
    Pairwise,
    /// Sums of blocks.
    Blocked {
        /// Products a block, at least 1.
        block: usize,
    },
    /// Interleaved accumulators.
    Lanes {
        /// The number of accumulators, at least 1.
        lanes: usize,
    },
    /// Groups of products truncated to a common unit and summed exactly; each sum is then added to the accumulator,
    /// rounded to nearest. This is a generic aligned sum, not the arithmetic of a real chip: see `binade::unit` for
    /// that of matrix units.
    Aligned {
        /// Products a group, 1 to [`Order::MAX_GROUP`].
        group: usize,
        /// Bits kept below the leading bit of the largest product, 1 to [`Order::MAX_BITS`].
        bits: u32,
    },
    /// One rounding at the end.
    Exact,
    /// Unspecified.
    Any,
}

/// An error in the text of an order.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OrderError {
    /// No order of this name.
    #[error(
        "'{0}' is not an order of accumulation: {near}write sequential, pairwise, blocked:N, lanes:N, aligned:N,BITS, exact or any",
        near = did_you_mean(.0)
    )]
    Unknown(String),
    /// A number that is missing, malformed or out of range.
    #[error("'{text}': {what} must be a whole number from {least} {}", up_to(*most))]
    Number {
        /// The order as it was written.
        text: String,
        /// The number, as "the block's length".
        what: &'static str,
        /// Least value.
        least: usize,
        /// Largest value.
        most: usize,
    },
}

/// The end of a range of numbers, in words.
fn up_to(most: usize) -> String {
    if most == usize::MAX { "on".to_owned() } else { format!("to {most}") }
}

/// The order whose name is nearest to what precedes the numbers, as a suggestion.
fn did_you_mean(text: &str) -> String {
    const NAMES: [&str; 7] = ["sequential", "pairwise", "blocked", "lanes", "aligned", "exact", "any"];
    let name = text.split(':').next().unwrap_or("").trim();
    let near = nearest(name, NAMES).filter(|near| !near.eq_ignore_ascii_case(name));
    near.map_or(String::new(), |near| format!("did you mean {near}? "))
}

impl Order {
    /// The most products a group of `aligned` has.
    pub const MAX_GROUP: usize = 1 << 20;
    /// The most bits that `aligned` keeps. Products of binary32 numbers have 48.
    pub const MAX_BITS: u32 = 64;
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Order::Sequential => f.write_str("sequential"),
            Order::Pairwise => f.write_str("pairwise"),
            Order::Blocked { block } => write!(f, "blocked:{block}"),
            Order::Lanes { lanes } => write!(f, "lanes:{lanes}"),
            Order::Aligned { group, bits } => write!(f, "aligned:{group},{bits}"),
            Order::Exact => f.write_str("exact"),
            Order::Any => f.write_str("any"),
        }
    }
}

impl FromStr for Order {
    type Err = OrderError;

    fn from_str(text: &str) -> Result<Order, OrderError> {
        let lower = text.trim().to_ascii_lowercase();
        let (name, rest) = match lower.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (lower.as_str(), None),
        };
        let number = |digits: Option<&str>, what, most: usize| {
            digits
                .and_then(|d| d.trim().parse().ok())
                .filter(|n| (1..=most).contains(n))
                .ok_or_else(|| OrderError::Number { text: text.to_owned(), what, least: 1, most })
        };
        match (name, rest) {
            ("sequential", None) => Ok(Order::Sequential),
            ("pairwise", None) => Ok(Order::Pairwise),
            ("exact", None) => Ok(Order::Exact),
            ("any", None) => Ok(Order::Any),
            ("blocked", rest) => {
                Ok(Order::Blocked { block: number(rest, "the block's length", usize::MAX)? })
            }
            ("lanes", rest) => Ok(Order::Lanes { lanes: number(rest, "the number of lanes", usize::MAX)? }),
            ("aligned", rest) => {
                let mut numbers = rest.unwrap_or("").splitn(2, ',');
                let group = number(numbers.next(), "the group's length", Order::MAX_GROUP)?;
                let bits = number(numbers.next(), "the number of bits", Order::MAX_BITS as usize)?;
                Ok(Order::Aligned { group, bits: bits as u32 })
            }
            _ => Err(OrderError::Unknown(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_names_parse_and_print_and_wrong_ones_are_errors() {
        for text in ["sequential", "pairwise", "blocked:32", "lanes:16", "aligned:16,14", "exact", "any"] {
            assert_eq!(text.parse::<Order>().unwrap().to_string(), text);
        }
        assert_eq!(" Aligned: 16, 14".parse(), Ok(Order::Aligned { group: 16, bits: 14 }));
        for wrong in [
            "",
            "blocked",
            "blocked:0",
            "blocked:x",
            "lanes",
            "lanes:0",
            "aligned:16",
            "aligned:16,65",
            "aligned:0,4",
            "exact:1",
        ] {
            assert!(wrong.parse::<Order>().is_err(), "{wrong}");
        }
        let error = |text: &str| text.parse::<Order>().unwrap_err().to_string();
        assert!(
            error("pairwize")
                .starts_with("'pairwize' is not an order of accumulation: did you mean pairwise? ")
        );
        assert!(error("block:32").contains("did you mean blocked? write"));
        assert!(error("odd").contains("accumulation: write sequential"));
        assert_eq!(
            "aligned:16".parse::<Order>().unwrap_err().to_string(),
            "'aligned:16': the number of bits must be a whole number from 1 to 64"
        );
    }
}
