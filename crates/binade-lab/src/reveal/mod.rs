//! Reveals the arithmetic of a program that multiplies matrices, by probing its results.
//!
//! [`reveal`] takes a function that multiplies. It finds the order of summation, the products of a fused step, the bits that a
//! step keeps, its rounding, and how subnormal numbers, NaN and overflow are treated. Then it compares random products with
//! the matrix units of [`binade::unit`], with operators in each order, and with the order that it found.
//!
//! # The order
//! A large product M and its negative −M are put at two places i and j, and small equal products at all others. Each small
//! product that is added to M, or to −M, before these two cancel, is lost. The number of lost products is the size of the
//! smallest part of the sum that contains i and j, less these two. All sizes together determine the tree of additions (Xie et al.,
//! "Revealing floating-point accumulation orders", arXiv 2411.00442). A step that adds several products at once is a node
//! with several children. `tree` measures only the pairs that it needs, and then checks others.
//!
//! # The steps
//! `facts` follows the tests of Fasi, Higham, Mikaitis and Khattak for tensor cores: two products cancel, and the smallest third
//! product that survives tells the bits that are kept.
//!
//! A statement is made only if a probe decides it; [`Fact::Undecided`] has the reason otherwise.

mod candidates;
mod facts;
mod probe;
mod report;
mod scale;
mod tree;
mod words;

#[cfg(test)]
mod tests;

use std::fmt::{self, Display};

use binade::{Format, Spec, Subnormals};
use serde::Serialize;
use thiserror::Error;

pub use candidates::{Difference, Fit};
pub use facts::{Facts, Joined, Nan, Overflow};
pub use probe::Positions;
pub use tree::{Child, Tree};

use candidates::compare;
use probe::Prober;
use scale::Scale;

/// The element type of a program's results.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultType {
    /// binary16
    F16,
    /// bfloat16
    Bf16,
    /// binary32
    F32,
    /// binary64
    F64,
}

impl ResultType {
    /// The format of this type.
    pub fn format(self) -> Format {
        match self {
            ResultType::F16 => binade::catalog::F16,
            ResultType::Bf16 => binade::catalog::BF16,
            ResultType::F32 => binade::catalog::F32,
            ResultType::F64 => binade::catalog::F64,
        }
    }

    /// The value of a code; that of a NaN is NaN.
    fn value(self, code: u64) -> f64 {
        match self {
            ResultType::F32 => f32::from_bits(code as u32).into(),
            ResultType::Bf16 => f32::from_bits((code as u32) << 16).into(),
            ResultType::F64 => f64::from_bits(code),
            ResultType::F16 => match binade::decode(self.format(), code) {
                binade::Value::Finite(x) => {
                    let magnitude = x.significand as f64 * binade::carrier::power(x.exponent as i32);
                    if x.negative { -magnitude } else { magnitude }
                }
                binade::Value::Infinite { negative: true } => f64::NEG_INFINITY,
                binade::Value::Infinite { negative: false } => f64::INFINITY,
                binade::Value::Nan { .. } => f64::NAN,
            },
        }
    }
}

impl Display for ResultType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ResultType::F16 => "f16",
            ResultType::Bf16 => "bf16",
            ResultType::F32 => "f32",
            ResultType::F64 => "f64",
        })
    }
}

/// The sizes of a product: A is `rows` × `depth`, B is `depth` × `columns`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Size {
    /// Rows of A.
    pub rows: usize,
    /// Products of a sum.
    pub depth: usize,
    /// Columns of B.
    pub columns: usize,
}

impl Default for Size {
    fn default() -> Size {
        Size { rows: 64, depth: 64, columns: 64 }
    }
}

impl Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}x{}", self.rows, self.depth, self.columns)
    }
}

/// The largest depth that is probed.
pub const MOST_DEPTH: usize = 4096;
/// The largest number of rows, and of columns.
pub const MOST_ROWS: usize = 4096;

impl std::str::FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Size, SizeError> {
        let wrong = || SizeError { text: text.to_owned() };
        let sizes: Vec<usize> = text
            .split(['x', 'X', '×'])
            .map(|size| size.trim().parse().map_err(|_| wrong()))
            .collect::<Result<_, _>>()?;
        let &[rows, depth, columns] = &sizes[..] else { return Err(wrong()) };
        let size = Size { rows, depth, columns };
        if size.is_allowed() { Ok(size) } else { Err(wrong()) }
    }
}

impl Size {
    /// True if the sizes are within the limits of [`reveal`].
    pub fn is_allowed(self) -> bool {
        (1..=MOST_ROWS).contains(&self.rows)
            && (1..=MOST_ROWS).contains(&self.columns)
            && (2..=MOST_DEPTH).contains(&self.depth)
    }
}

/// A size that is malformed or out of range.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "'{text}' is not a size: write MxKxN, as in 64x64x64, with M and N from 1 to {MOST_ROWS} and the depth K from 2 to {MOST_DEPTH}"
)]
pub struct SizeError {
    text: String,
}

/// The matrices of a product, in C order. All elements are numbers of the input format.
#[derive(Clone, Copy, Debug)]
pub struct Operands<'a> {
    /// The sizes.
    pub size: Size,
    /// A.
    pub a: &'a [f64],
    /// B.
    pub b: &'a [f64],
}

/// A product, in C order.
#[derive(Clone, Debug)]
pub struct Results {
    /// The type of the elements.
    pub element: ResultType,
    /// Their codes.
    pub codes: Vec<u64>,
}

/// Settings of [`reveal`].
#[derive(Clone, Debug)]
pub struct Options {
    /// The format of A's and B's elements.
    pub input: Spec,
    /// The sizes of each product.
    pub size: Size,
}

impl Options {
    /// True if binary32 does not have all numbers of the input format.
    pub fn is_wide(&self) -> bool {
        let range = Range::of(self.input.format);
        range.precision > 24 || range.emax > 127 || range.least < -149
    }
}

/// A property that probes decided, or did not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact<T> {
    /// The property.
    Known(T),
    /// The reason why no probe decides it.
    Undecided(String),
}

impl<T> Fact<T> {
    /// The property, if it is known.
    pub fn known(&self) -> Option<&T> {
        match self {
            Fact::Known(value) => Some(value),
            Fact::Undecided(_) => None,
        }
    }

    fn undecided(reason: impl Into<String>) -> Fact<T> {
        Fact::Undecided(reason.into())
    }
}

/// The order of summation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// The tree of additions. If [`Order::exact`], products of a node are added exactly.
    pub tree: Tree,
    /// True if the products of a step are added exactly, so that none is lost beside a larger one.
    pub exact: bool,
    /// The largest number of products that a step adds at once.
    pub products: usize,
    /// The order in words.
    pub words: String,
    /// True if each step adds the same number of products to the sum of the earlier ones, in order of depth.
    pub in_steps: bool,
}

/// The properties that were found.
#[derive(Clone, Debug)]
pub struct Revealed {
    /// The settings.
    pub options: Options,
    /// The format that the program rounds its inputs to, if it has fewer bits than the one stated.
    pub narrowed_to: Option<Spec>,
    /// The type of the results.
    pub element: ResultType,
    /// Products that were computed.
    pub calls: usize,
    /// The positions of the result that agree.
    pub positions: Positions,
    /// The order of summation.
    pub order: Fact<Order>,
    /// The properties of a step.
    pub facts: Facts,
    /// Dot products that were compared with candidates.
    pub compared: usize,
    /// The candidates that equal all of them: units of the catalogue first.
    pub fits: Vec<Fit>,
    /// The nearest candidate, if none is equal.
    pub nearest: Option<(Fit, Difference)>,
}

/// The reason why nothing could be revealed. `E` is the error of the function that multiplies.
#[derive(Debug, Error)]
pub enum RevealError<E> {
    /// The function failed.
    #[error(transparent)]
    Multiply(E),
    /// The product has another number of elements.
    #[error("the product has {found} elements: {size} matrices must give {expected}")]
    Elements {
        /// Elements returned.
        found: usize,
        /// Elements of a product.
        expected: usize,
        /// The sizes.
        size: Size,
    },
    /// Two products have elements of different types.
    #[error(
        "the product has elements of {found}, and the first one had {first}: the type must always be the same"
    )]
    Element {
        /// Type of this product.
        found: ResultType,
        /// Type of the first product.
        first: ResultType,
    },
    /// The function does not multiply matrices.
    #[error(
        "element [{row}, {column}] of the product is {found:?}: must be {expected:?}, the value of A·B, so this is no product of matrices"
    )]
    NotProduct {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The element.
        found: f64,
        /// The element of a product.
        expected: f64,
    },
    /// Two runs on the same matrices differ.
    #[error(
        "element [{row}, {column}] of the product is {first:?} in one run and {second:?} in the next, of the same matrices: results \
         must be the same in each run; try one thread"
    )]
    NotDeterministic {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The element of the first run.
        first: f64,
        /// The element of the second run.
        second: f64,
    },
    /// The input format has no numbers to probe with.
    #[error(
        "{format} cannot be probed: an input format must be signed and have 0, ±1, 2 and at least 2 bits of precision, as bf16, f16, tf32, f32, f64 and float8_e4m3fn"
    )]
    Input {
        /// The format.
        format: String,
    },
}

/// Facts about a format that decide which probes it allows.
#[derive(Clone, Copy, Debug)]
struct Range {
    precision: i32,
    emin: i32,
    emax: i32,
    /// The exponent of the least positive number.
    least: i32,
}

impl Range {
    fn of(format: Format) -> Range {
        let (precision, emin, emax) = (format.precision() as i32, format.emin(), format.emax());
        let least = if format.subnormals() == Subnormals::Ieee { emin - precision + 1 } else { emin };
        Range { precision, emin, emax, least }
    }

    /// Exponents of two factors whose product is 2^`exponent`, of normal numbers if possible.
    fn factors(&self, exponent: i32) -> Option<(i32, i32)> {
        let half = exponent.div_euclid(2);
        [self.emin, self.least].into_iter().find_map(|low| {
            let left = (exponent - half).clamp(low, self.emax);
            let right = exponent - left;
            (low..=self.emax).contains(&right).then_some((left, right))
        })
    }
}

/// 2^`exponent`; 0 below binary64's range.
fn power(exponent: i32) -> f64 {
    binade::carrier::power(exponent)
}

/// True if a format has the numbers that probes need.
fn can_be_probed(format: Format) -> bool {
    format.signed() && format.precision() >= 2 && format.emin() <= 0 && format.emax() >= 1
}

/// Probes a function that multiplies matrices.
///
/// The function is called some tens of times with matrices of the size of `options`. Their elements are numbers of the input
/// format. It must return A·B, with the same bits for the same matrices.
///
/// # Errors
/// See [`RevealError`].
pub fn reveal<E>(
    options: &Options,
    multiply: &mut dyn FnMut(Operands<'_>) -> Result<Results, E>,
) -> Result<Revealed, RevealError<E>> {
    let format = options.input.format;
    if !can_be_probed(format) {
        return Err(RevealError::Input { format: options.input.to_string() });
    }
    let mut prober = Prober::start(options.size, multiply)?;
    let positions = prober.check_positions(format)?;
    let narrowed_to = facts::narrower_input(&mut prober, &options.input)?;
    let input = narrowed_to.clone().unwrap_or_else(|| options.input.clone());
    let scale = Scale::find(&mut prober, input.format)?;
    let order = match &scale {
        Some(scale) => tree::find(&mut prober, scale)?,
        None => Fact::undecided(format!(
            "numbers of {input} do not differ enough for a product to hide others, or the results are not sums"
        )),
    };
    let facts = facts::find(&mut prober, input.format, scale.as_ref(), &order)?;
    let compared = compare(&mut prober, &input, &order, &facts)?;
    Ok(Revealed {
        options: options.clone(),
        narrowed_to,
        element: prober.element(),
        calls: prober.calls(),
        positions,
        order,
        facts,
        compared: compared.products,
        fits: compared.fits,
        nearest: compared.nearest,
    })
}
