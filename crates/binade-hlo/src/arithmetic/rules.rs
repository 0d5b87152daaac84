//! Rules of arithmetic: they select the operations of a program that are computed in other formats or by other
//! operators.
//!
//! A rule is `OPS[@LOCATION]=FORMAT|OPERATOR`:
//! - `OPS`: names of operations separated by commas, with `*`, `?`, `[…]` and `{…}` as in shells: `dot_general`,
//!   `add,sub*`, `*`, `chlo.erf`. The prefix `stablehlo.` is optional. `multiply_add` is a product with the only sum
//!   that reads it.
//! - `LOCATION`: a pattern for the named scopes of the operation's location, joined by `/`, outermost first. Without
//!   one, the rule applies everywhere except in JAX's generators of random numbers (`jax.random.normal` and its
//!   siblings). A pattern may name these: `*@jax.random/*`, or `*@*` for every place.
//! - `FORMAT` (`bf16`, `float8_e4m3fn`, `cfloat8_1_4_3@bias=7`): the operation's floating-point and complex results are
//!   rounded to it once, to nearest even; `/rounding=MODE` names another mode (`add=bf16/rounding=stochastic`). Overflow gives infinity; in formats without infinity it gives NaN or the
//!   largest number. The result keeps its type. If a reduction's body has a wider type, the conversion of operands is
//!   part of the reduction, and is not rounded.
//! - `OPERATOR` (`bf16x2:bf16x2/3`, `float8_e4m3fn:f32`, `mp`): computes multiply-adds, from +0 on, in index order.
//!   Another order may follow: `bf16:bf16/order=pairwise`, and another rounding mode of the accumulator:
//!   `bf16:bf16/rounding=stochastic`. An operator applies to products and convolutions, contracted
//!   pairs (`multiply_add`), elementwise operations and reductions. The sums of `reduce` and `reduce_window` have this
//!   order as well. Results are rounded to the result type once.
//! - A block format (`dot_general=mxfp4`, `mxfp8_e5m2:bf16`), or two formats of which one has blocks (`nvfp4*mxfp8_e4m3`,
//!   `mxfp4*bf16:f32`), is for `dot_general` and convolutions. Operands are encoded in blocks along the contracted dimensions,
//!   which count as one dimension. The products of elements are added as [`binade_fma::in_blocks`] specifies. A convolution is
//!   the product of its patches.
//! - A recipe ([`binade::recipe`]) quantises the operands of layers: `dot_general,convolution=nvfp4-training`, or with sums on a
//!   matrix unit `nvfp4-training@b200`. Forward products, gradients of inputs and gradients of weights are told apart by JAX's
//!   scopes. Products with batching dimensions, as those of attention, stay as they are unless the recipe has a key for them.
//! - An `OPERATOR` without `OPS` applies to a [`Scope`] of operations, by default to all.
//!
//! If several rules match an operation, only the first one applies.
//!
//! # Operations under an operator
//! | operations | `paper` | `all`, `*` |
//! |---|---|---|
//! | `dot_general`, `convolution`, `dynamic_conv`, `chlo.ragged_dot`, `sparse_dot` (binary64 operands rounded to binary32) | operator | operator |
//! | contracted pairs, `multiply_add` | operator | operator |
//! | `add`, `subtract`, `multiply`, `chlo.square` | as in the program | operator |
//! | `divide`, `power`, `remainder`, `atan2`, roots, elementary and special functions | as in the program | operands and result rounded |
//! | `reduce`, `reduce_window`, `dynamic_reduce_window`, `scatter`, `select_and_scatter`, `all_reduce`, `reduce_scatter`, `collective_reduce` whose region is one `add` or `multiply` | as in the program | operator |
//! | regions of more operations | pairs in them | each operation by its own row, elements in index order |
//! | comparisons, `select`, `clamp`, `maximum`, `minimum`, `abs`, `negate`, `sign`, `floor` and the like, conversions, operations that only move elements, integers, `i1` | as in the program | as in the program |
//! | binary64, complex and quantized elements, `fft`, `cholesky`, `triangular_solve`, `batch_norm_*` | as in the program | as in the program, and reported as left |
//!
//! # Stochastic rules
//! Each execution of an operation under a stochastic rule has a key of its own: [`binade::philox::stream`] of the run's key and six
//! numbers. These are replica, partition, the operation's line and column in the program, the number of its result in the function, and
//! the number of its executions before in this run. The run's key is `stream(seed, [run])`, where `run` counts the runs of a program,
//! or what the caller gives. Elements of products and of `reduce` take the words that [`binade::SumDraws`] says, all others
//! that of their index. Stochastic rules leave as in the program, and report as left: operations inside regions that are
//! applied to many elements (of `reduce`, `map`, `scatter`, `sort` …), `chlo.ragged_dot` and `sparse_dot`, and sums other
//! than those of `reduce`.
//!
//! Three kinds of reduction ignore the order and take elements one after the other: those by `multiply`, `scatter` and
//! `select_and_scatter`, and collectives.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use binade::block::BlockFormat;
use binade::recipe::{OperandRole, Pass, Recipe, RecipeError};
use binade::text::{edit_distance, nearest};
use binade::unit::UnitOperator;
use binade::{Operator, OperatorError, Rounding, RoundingError, Spec, SpecError};
use binade_fma::{
    InBlocksError, Multiplier, MultiplierError, NotFiniteCounter, Order, OrderError, QuantizedProduct,
    RecipeProductError, SlowNotice, in_blocks, refuse_quantizers,
};
use binade_glob::{Glob, GlobError};
use binade_stablehlo::generators::in_generator;
use binade_stablehlo::ir::{Op, Operation, Program, Region};
use binade_stablehlo::traits::Arithmetic;
use binade_stablehlo::{ElementType, Type, operation_names};
use thiserror::Error;

use super::contraction::{Contracted, Pairs};
use super::emulated::{self, Class, Emulated, Fused, is_emulated};
use super::form::form;
use super::instruction_set::ISA;
use super::passes::{ProductRole, ProductRoles};

pub use super::operand_biases::{OperandBias, OperandBiases};
pub use super::rounded::Rounded;

/// Rules, of which the first one that matches an operation applies.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    rules: Vec<Rule>,
    /// The only pairs that may be contracted in a rewritten program.
    contracted: Option<Arc<Contracted>>,
    /// The roles of the program's products, if a rule is a recipe.
    roles: Option<Arc<ProductRoles>>,
    /// Where NaNs and infinities of quantised operands are counted.
    not_finite: Option<NotFinite>,
    /// Histories of learnt biases.
    biases: Option<OperandBiases>,
    /// The quantised products that count or have histories, by text position; empty without `not_finite` and `biases`.
    with_memory: Arc<HashMap<(u32, u32), QuantizedProduct>>,
}

/// NaNs and infinities in the operands that quantised products have encoded, by the scope of the operation. Clones share the counts.
#[derive(Clone, Debug, Default)]
pub struct NotFinite(Arc<Mutex<BTreeMap<NotFinitePlace, NotFiniteCounter>>>);

/// A scope, and the roles of the left and of the right operand.
type NotFinitePlace = (String, [&'static str; 2]);

/// The operands in which NaNs or infinities were found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotFiniteCount {
    /// The scope of the operation.
    pub scope: String,
    /// The role of the operand: `activation`, `weight` or `gradient` in a recipe, `left` or `right` under other rules.
    pub operand: &'static str,
    /// NaNs.
    pub nans: u64,
    /// Infinities.
    pub infinities: u64,
}

impl NotFinite {
    /// The counts since the last call that are not zero, by scope.
    pub fn take(&self) -> Vec<NotFiniteCount> {
        let places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of = |((scope, roles), counter): (&NotFinitePlace, &NotFiniteCounter)| {
            let counts = roles.iter().zip(counter.take()).map(|(&operand, [nans, infinities])| {
                NotFiniteCount { scope: scope.clone(), operand, nans, infinities }
            });
            counts.filter(|count| count.nans + count.infinities > 0).collect::<Vec<_>>()
        };
        places.iter().flat_map(of).collect()
    }

    fn counter(&self, scope: &str, roles: [&'static str; 2]) -> NotFiniteCounter {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        places.entry((scope.to_owned(), roles)).or_default().clone()
    }
}

/// A rule; see the [module](self).
#[derive(Clone, Debug)]
pub struct Rule {
    text: String,
    operations: Vec<Glob>,
    location: Option<Glob>,
    how: How,
}

#[derive(Clone, Debug)]
enum How {
    Round(Box<Rounded>),
    Operator(Arc<Emulated>),
    Blocks(Arc<QuantizedProduct>),
    Recipe(Arc<RecipeProducts>),
    /// As in the program: a stochastic rule inside a region that is applied to many elements.
    Left,
}

/// The effect of a stochastic rule on an operation, each of whose executions takes random words of its own.
#[derive(Clone, Debug)]
pub(crate) enum Drawn {
    /// Results are rounded.
    Rounding(Rounded),
    /// A product or a convolution.
    Product(Multiplier),
    /// A product whose operands or results are rounded stochastically.
    Quantized(Box<QuantizedProduct>),
    /// One multiply-add of each element.
    Fused(Arc<Emulated>, Fused),
    /// A function of operands rounded as the operator's inputs, whose result is rounded to the accumulator.
    Function(Arc<Emulated>),
    /// A `reduce` by one sum.
    Sum(Multiplier),
}

/// A product of one execution under a stochastic rule, with the random words of its key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KeyedProduct<'a> {
    /// Sums are rounded stochastically.
    Sums(&'a Multiplier),
    /// Operands or results are.
    Quantized(&'a QuantizedProduct),
}

/// The products of a recipe.
#[derive(Debug)]
struct RecipeProducts {
    /// By pass, and by the order of operands: those of the pass, or swapped. `None` for products that stay as they are.
    products: [[Option<QuantizedProduct>; 2]; 3],
    /// Products with batching dimensions. `None` if they stay as they are.
    attention: Option<QuantizedProduct>,
    /// True if products of the first and of the last layer stay as they are.
    leaves_ends: [bool; 2],
    /// Names of other layers whose products stay as they are.
    leaves: Vec<Glob>,
    /// The same, as texts.
    patterns: Vec<String>,
}

impl RecipeProducts {
    fn new(recipe: &Recipe, rule: &str) -> Result<RecipeProducts, RuleError> {
        let mut products = [const { [None, None] }; 3];
        for pass in Pass::ALL {
            for (at, swapped) in [false, true].into_iter().enumerate() {
                products[pass as usize][at] = QuantizedProduct::of_pass(recipe, pass, swapped)?;
            }
        }
        let attention = QuantizedProduct::of_attention(recipe)?;
        let (ends, others): (Vec<&String>, Vec<&String>) =
            recipe.leave.iter().partition(|layer| ["first", "last"].contains(&layer.as_str()));
        let glob = |layer: &String| {
            layer.parse::<Glob>().map_err(|reason| RuleError::Pattern { rule: rule.to_owned(), reason })
        };
        let patterns = others.iter().copied().cloned().collect();
        let leaves = others.into_iter().map(glob).collect::<Result<_, _>>()?;
        let leaves_ends = ["first", "last"].map(|end| ends.iter().any(|layer| *layer == end));
        Ok(RecipeProducts { products, attention, leaves_ends, leaves, patterns })
    }

    /// The product of an operation in this role; without a role it has batching dimensions.
    fn get(&self, operation: &Operation, role: Option<ProductRole>) -> Option<&QuantizedProduct> {
        let ends = role.map_or([false; 2], |role| role.ends);
        let at_end = ends.iter().zip(self.leaves_ends).any(|(at, leaves)| *at && leaves);
        let layers = || operation.scope.split('/').map(layer_of);
        if at_end || self.leaves.iter().any(|glob| layers().any(|layer| glob.matches(layer))) {
            return None;
        }
        match role {
            Some(role) => self.products[role.pass as usize][usize::from(role.swapped)].as_ref(),
            None => self.attention.as_ref(),
        }
    }

    /// All products.
    fn all(&self) -> impl Iterator<Item = &QuantizedProduct> {
        self.products.iter().flatten().flatten().chain(&self.attention)
    }
}

/// The layer that a scope names: `hidden` of `transpose(jvp(hidden))`.
fn layer_of(scope: &str) -> &str {
    scope.rsplit('(').next().unwrap_or(scope).trim_end_matches(')')
}

/// The operations to which an operator without names of operations applies.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Scope {
    /// Multiply-adds: those of products and convolutions, and contracted pairs. The tool of the BF16 paper emulated
    /// these.
    Paper,
    /// All operations that an operator can compute.
    #[default]
    All,
}

impl Scope {
    const ALL: [(Scope, &'static str); 2] = [(Scope::Paper, "paper"), (Scope::All, "all")];

    /// The scope's operations, as a rule names them.
    pub fn operations(self) -> &'static str {
        match self {
            Scope::Paper => "dot_general,convolution,dynamic_conv,chlo.ragged_dot,sparse_dot,multiply_add",
            Scope::All => "*",
        }
    }

    /// The operations of the scope that an operator computes, as a rule names them. A matrix unit computes only products of
    /// matrices. A recipe and a block format quantise the operands of products and convolutions.
    pub fn operations_under(self, operator: &str) -> &'static str {
        let is_quantised = |text: &str| Recipe::is_text(text) || !matches!(in_blocks(text), Ok(None));
        match operator {
            text if is_quantised(text) => QUANTISED_OPERATIONS,
            text if UnitOperator::is_named_by(text) => UNIT_OPERATIONS,
            _ => self.operations(),
        }
    }
}

/// The error for an unknown scope.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("'{0}' is not a scope: write paper or all")]
pub struct ScopeError(String);

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(Scope::ALL[*self as usize].1)
    }
}

impl FromStr for Scope {
    type Err = ScopeError;

    fn from_str(text: &str) -> Result<Scope, ScopeError> {
        let known = Scope::ALL.iter().find(|(_, name)| text.trim().eq_ignore_ascii_case(name));
        known.map(|(scope, _)| *scope).ok_or_else(|| ScopeError(text.to_owned()))
    }
}

/// Errors of a rule's text.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum RuleError {
    /// A text without `=`, or with nothing on one side of it.
    #[error(
        "'{}' is neither an operator nor a rule: {}write INPUTS:ACCUMULATOR, as in bf16:f32, or OPS[@LOCATION]=FORMAT or \
         OPS[@LOCATION]=OPERATOR, as in dot_general=bf16:f32",
        .0, recipe_near(.0)
    )]
    Syntax(String),
    /// An unknown option of an operator.
    #[error(
        "'{rule}': '{option}' is no option of an operator: {}operators have /order=ORDER and /rounding=MODE",
        match ["order", "rounding"].into_iter().find(|known| (1..=2).contains(&edit_distance(.option, known))) {
            Some(near) => format!("did you mean {near}? "),
            None => String::new(),
        }
    )]
    Option {
        /// The rule.
        rule: String,
        /// The option.
        option: String,
    },
    /// A format with an operator's option.
    #[error(
        "'{rule}': {format} is a format, to which results are rounded once: an order is an operator's, as in {format}:f32/order=pairwise"
    )]
    OptionOfFormat {
        /// The rule.
        rule: String,
        /// The format.
        format: String,
    },
    /// An invalid pattern.
    #[error("'{rule}': {reason}")]
    Pattern {
        /// The rule.
        rule: String,
        /// The error in the pattern.
        reason: GlobError,
    },
    /// A pattern that matches no operation.
    #[error(
        "'{rule}': there is no operation '{pattern}'{}",
        match nearest(.pattern, operation_names()) { Some(near) => format!(": did you mean {near}?"), None => String::new() }
    )]
    Operation {
        /// The rule.
        rule: String,
        /// The pattern.
        pattern: String,
    },
    /// An operator for operations that it does not change.
    #[error("'{rule}': '{pattern}' has nothing that an operator computes; sums, products and functions have")]
    NoProducts {
        /// The rule.
        rule: String,
        /// The pattern.
        pattern: String,
    },
    /// An invalid format.
    #[error("'{rule}': {source}")]
    Format {
        /// The rule.
        rule: String,
        /// The error of the format.
        source: SpecError,
    },
    /// A recipe for operations other than products and convolutions.
    #[error(
        "'{rule}': a recipe is for products of layers, not '{pattern}': write dot_general=RECIPE or convolution=RECIPE, with other \
         rules beside it"
    )]
    Recipe {
        /// The rule.
        rule: String,
        /// The pattern.
        pattern: String,
    },
    /// An invalid recipe.
    #[error(transparent)]
    Recipes(#[from] RecipeError),
    /// A recipe without products.
    #[error(transparent)]
    RecipeProducts(#[from] RecipeProductError),
    /// A block product for operations other than products and convolutions.
    #[error(
        "'{rule}': only dot_general and convolution multiply in blocks, not '{pattern}': write dot_general=INPUTS:ACCUMULATOR, \
         with other rules beside it; {} is the format of the elements of {name} without a scale", element_of(.name)
    )]
    Blocks {
        /// The rule.
        rule: String,
        /// The pattern.
        pattern: String,
        /// The block format of the left operand.
        name: String,
    },
    /// A matrix unit for operations that do not multiply matrices.
    #[error(
        "'{rule}': '{pattern}' is more than products of matrices, which are all that {unit} computes: write dot_general,convolution={unit}, \
         with other rules beside it"
    )]
    Unit {
        /// The rule.
        rule: String,
        /// The pattern.
        pattern: String,
        /// The unit.
        unit: String,
    },
    /// An invalid operator.
    #[error(transparent)]
    Operator(#[from] OperatorError),
    /// An invalid block operator.
    #[error(transparent)]
    InBlocks(#[from] InBlocksError),
    /// An invalid order.
    #[error("'{rule}': {source}")]
    Order {
        /// The rule.
        rule: String,
        /// The error of the order.
        source: OrderError,
    },
    /// A rounding mode of a format that was not understood.
    #[error("'{rule}': {source}")]
    Rounding {
        /// The rule.
        rule: String,
        /// The error of the mode.
        source: RoundingError,
    },
    /// An operator that does not support the order.
    #[error(transparent)]
    Multiplier(#[from] MultiplierError),
}

/// The recipe whose name is near to that of a text, for a message.
fn recipe_near(text: &str) -> String {
    let name = text.split(['@', '{']).next().unwrap_or("");
    nearest(name, binade::recipe::NAMES)
        .map_or_else(String::new, |near| format!("did you mean the recipe {near}? Or "))
}

/// The name of a block format's element format, for a message.
fn element_of(name: &str) -> String {
    let first = name.split(',').next().unwrap_or("");
    first.parse::<BlockFormat>().map_or_else(|_| first.to_owned(), |blocks| blocks.element.to_string())
}

/// The effect of a rule on a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reach {
    /// The rule, as it was written.
    pub rule: String,
    /// The number of operations to which the rule applies.
    pub computed: usize,
    /// The number of operations that add or multiply and match this rule first, but are not changed by it.
    pub left: usize,
}

/// The operations whose operands recipes and block formats quantise.
const QUANTISED_OPERATIONS: &str = "dot_general,convolution,dynamic_conv";

/// Returns true if a pattern matches an operation whose operands are not quantised.
fn matches_others(glob: &Glob) -> bool {
    let is_quantised = |name: &str| QUANTISED_OPERATIONS.split(',').any(|own| own == name);
    operation_names().chain([MULTIPLY_ADD]).any(|name| !is_quantised(name) && glob.matches(name))
}

/// Returns true if recipes and block formats quantise the operands of an operation.
fn is_quantised(op: &Op) -> bool {
    matches!(op, Op::DotGeneral { .. } | Op::Convolution(_) | Op::DynamicConv(_))
}

/// The operations that multiply matrices: those that a matrix unit computes.
const UNIT_OPERATIONS: &str = "dot_general,convolution,dynamic_conv,chlo.ragged_dot,sparse_dot";

/// The name of contracted pairs.
const MULTIPLY_ADD: &str = "multiply_add";

/// Returns true for sums of products.
fn is_product(op: &Op) -> bool {
    op.traits().arithmetic == Arithmetic::Product
}

/// Returns true if an operation combines many elements by one sum or product.
fn is_sum(op: &Op) -> bool {
    op.reducer().is_some_and(|body| emulated::reduction(form(body)).is_some())
}

/// The operations beside elementwise ones that an operator changes: products, reductions, pairs.
const COMPUTED: [&str; 14] = [
    "dot_general",
    "chlo.ragged_dot",
    "sparse_dot",
    "convolution",
    "dynamic_conv",
    MULTIPLY_ADD,
    "reduce",
    "reduce_window",
    "dynamic_reduce_window",
    "scatter",
    "select_and_scatter",
    "all_reduce",
    "collective_reduce",
    "reduce_scatter",
];

/// The names of all operations that an operator changes.
fn computed() -> impl Iterator<Item = &'static str> {
    use binade_stablehlo::ir::{Binary, Unary};
    let unary =
        Unary::ALL.iter().filter(|(op, _)| emulated::unary(*op) != Class::Exact).map(|(_, name)| name);
    let binary =
        Binary::ALL.iter().filter(|(op, _)| emulated::binary(*op) != Class::Exact).map(|(_, name)| name);
    unary.chain(binary).chain(&COMPUTED).copied()
}

/// Returns true if an operation computes sums, products or functions of numbers that may be floating-point.
pub(crate) fn computes(op: &Op) -> bool {
    match op.traits().arithmetic {
        Arithmetic::None => false,
        Arithmetic::Elementwise => emulated::class(op) != Class::Exact,
        Arithmetic::Reduction => is_sum(op),
        Arithmetic::Product | Arithmetic::Function => true,
    }
}

/// Splits `OPERATOR[/order=ORDER][/rounding=MODE]` of a rule into the operator with its rounding mode, and its order.
fn operator_and_order(text: &str, rule: &str) -> Result<(String, Order), RuleError> {
    if UnitOperator::is_named_by(text) {
        // A unit's text has its own options, among them its order.
        return Ok((text.trim().to_owned(), Order::Sequential));
    }
    let rule = || rule.to_owned();
    let pieces = || text.match_indices('/').map(|(at, _)| at).chain([text.len()]);
    // Options begin at the first piece after a slash that has a `=`. Options of formats follow a `@`.
    let option = |at: &usize| {
        text[*at..]
            .strip_prefix('/')
            .is_some_and(|rest| rest.split('/').next().is_some_and(|piece| piece.contains('=')))
    };
    let start = pieces().find(option).unwrap_or(text.len());
    let (mut order, mut kept) = (None, text[..start].trim().to_owned());
    for piece in text[start..].split('/').skip(1) {
        let (key, value) = piece.split_once('=').unwrap_or((piece, ""));
        match key.trim() {
            // The operator's own.
            "rounding" | "random-bits" => {
                kept += "/";
                kept += piece;
            }
            "order" if order.is_none() => {
                let order_of = |source| RuleError::Order { rule: rule(), source };
                order = Some(value.parse::<Order>().map_err(order_of)?);
            }
            key => return Err(RuleError::Option { rule: rule(), option: key.to_owned() }),
        }
    }
    Ok((kept, order.unwrap_or(Order::Sequential)))
}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Rule, RuleError> {
        Rule::scoped(text, Scope::All)
    }
}

impl Rule {
    /// Parses a rule, or an operator for a scope.
    fn scoped(text: &str, scope: Scope) -> Result<Rule, RuleError> {
        match is_operator(text) {
            true => Rule::of(&format!("{}={text}", scope.operations_under(text)), text),
            false => Rule::of(text, text),
        }
    }

    /// Parses `rule`; messages show `text`, which the user wrote.
    fn of(rule: &str, text: &str) -> Result<Rule, RuleError> {
        let syntax = || RuleError::Syntax(text.to_owned());
        let (place, how) = rule.split_once('=').ok_or_else(syntax)?;
        let (operations, location) = match place.split_once('@') {
            Some((operations, location)) => (operations, Some(location.trim())),
            None => (place, None),
        };
        let how = how.trim();
        if operations.trim().is_empty() || how.is_empty() || location == Some("") {
            return Err(syntax());
        }
        let glob = |pattern: &str| {
            let wrong = |reason| RuleError::Pattern { rule: text.to_owned(), reason };
            pattern.parse::<Glob>().map_err(wrong)
        };
        let how = How::parse(how, text)?;
        let mut globs = Vec::new();
        for pattern in split_list(operations) {
            let pattern = pattern.trim();
            let bare = pattern.strip_prefix("stablehlo.").unwrap_or(pattern);
            let glob = glob(bare)?;
            let (rule, pattern) = (text.to_owned(), pattern.to_owned());
            let by_operator = matches!(how, How::Operator(_));
            let pairs = by_operator && glob.matches(MULTIPLY_ADD);
            if !pairs && !operation_names().any(|name| glob.matches(name)) {
                return Err(RuleError::Operation { rule, pattern });
            }
            if by_operator && !computed().any(|name| glob.matches(name)) {
                return Err(RuleError::NoProducts { rule, pattern });
            }
            if let How::Operator(operator) = &how
                && operator.multiplier().operator().as_unit().is_some()
                && computed()
                    .any(|name| !UNIT_OPERATIONS.split(',').any(|own| own == name) && glob.matches(name))
            {
                let unit = operator.multiplier().operator().to_string();
                return Err(RuleError::Unit { rule, pattern, unit });
            }
            if let How::Recipe(_) = &how
                && matches_others(&glob)
            {
                return Err(RuleError::Recipe { rule, pattern });
            }
            if let How::Blocks(product) = &how
                && matches_others(&glob)
            {
                return Err(RuleError::Blocks { rule, pattern, name: product.names() });
            }
            globs.push(glob);
        }
        let location = location.map(glob).transpose()?;
        Ok(Rule { text: text.to_owned(), operations: globs, location, how })
    }

    fn fits(&self, name: &str, scope: &str) -> bool {
        let here = || match &self.location {
            Some(location) => location.matches(scope),
            None => !in_generator(scope),
        };
        self.operations.iter().any(|glob| glob.matches(name)) && here()
    }
}

/// Returns true if a rule for a format rounds the results of an operation. Control flow passes on the results of its
/// regions, and a promotion the operand of its reduction.
fn is_rounded(kind: &Op) -> bool {
    !kind.is_control() && !matches!(kind, Op::Promote)
}

impl How {
    /// Returns true if each execution takes random words.
    fn is_stochastic(&self) -> bool {
        match self {
            How::Round(rounding) => rounding.is_stochastic(),
            How::Operator(emulated) => emulated.multiplier().operator().is_stochastic(),
            How::Recipe(recipe) => recipe.all().any(QuantizedProduct::is_stochastic),
            How::Blocks(_) | How::Left => false,
        }
    }

    /// Parses the right side of the rule `rule`.
    fn parse(how: &str, rule: &str) -> Result<How, RuleError> {
        if Recipe::is_text(how) {
            return Ok(How::Recipe(Arc::new(RecipeProducts::new(&Recipe::parse(how)?, rule)?)));
        }
        let source = match how.parse::<Spec>() {
            Ok(spec) => return Ok(How::Round(Box::new(Rounded::new(spec.format)))),
            Err(source) => source,
        };
        if let Some((format, rounding)) = how.split_once("/rounding=")
            && !format.contains(':')
            && let Ok(spec) = format.parse::<Spec>()
        {
            let (mode, bits) =
                rounding.split_once("/random-bits=").map_or((rounding, None), |(m, b)| (m, Some(b)));
            let wrong = |source| RuleError::Rounding { rule: rule.to_owned(), source };
            let mut mode = mode.parse::<Rounding>().map_err(wrong)?;
            if let Some(bits) = bits {
                mode = mode.with_bits(bits).map_err(wrong)?;
            }
            return Ok(How::Round(Box::new(Rounded::by(spec.format, mode))));
        }
        if !UnitOperator::is_named_by(how) {
            refuse_quantizers(how)?;
        }
        let (operator, order) = operator_and_order(how, rule)?;
        let operator = &*operator;
        if let Some((blocks, of_elements)) = in_blocks(operator)? {
            return Ok(How::Blocks(Arc::new(QuantizedProduct::new(
                blocks.quantizers(),
                of_elements,
                order,
            )?)));
        }
        match operator.parse::<Operator>() {
            Ok(operator) => {
                Ok(How::Operator(Arc::new(Emulated::new(Multiplier::new(operator, order)?, *ISA))))
            }
            Err(_) if operator.parse::<Spec>().is_ok() => {
                Err(RuleError::OptionOfFormat { rule: rule.to_owned(), format: operator.to_owned() })
            }
            Err(_) if !how.contains(':') => Err(RuleError::Format { rule: rule.to_owned(), source }),
            Err(error) => Err(error.into()),
        }
    }
}

/// Returns true if a rule has the form of an operator for a [`Scope`], valid or not: it names no operations.
pub fn is_operator(text: &str) -> bool {
    if Recipe::is_text(text) {
        return true;
    }
    // The text before `=` and without a location: names of operations, which have no colon.
    let place = text.split(['=', '@']).next().unwrap_or("").trim();
    let of_paper = place.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("fmabf16_"));
    let is_format =
        || !matches!(place.parse::<Spec>(), Err(SpecError::Unknown { .. })) || BlockFormat::is_name(place);
    let rest = &text[text.find(place).unwrap_or(0) + place.len()..];
    place.contains(':')
        || matches!(in_blocks(text), Ok(Some(_)))
        || refuse_quantizers(text).is_err()
        || place.split([',', '*']).any(|part| BlockFormat::is_name(part.trim())) && !rest.starts_with('=')
        || UnitOperator::is_named_by(text)
        || of_paper
        || operator(text).is_ok()
        || rest.starts_with('@') && text.contains(':') && is_format()
}

/// Parses the operator of such a rule, and ignores its order.
///
/// # Errors
/// An invalid operator, and a block operator.
pub fn operator(text: &str) -> Result<Operator, RuleError> {
    Ok(operator_and_order(text, text)?.0.parse::<Operator>()?)
}

/// The pieces between commas outside of braces and brackets.
fn split_list(list: &str) -> Vec<&str> {
    let (mut pieces, mut start, mut depth) = (vec![], 0, 0i32);
    for (at, character) in list.char_indices() {
        match character {
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            ',' if depth <= 0 => {
                pieces.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(&list[start..]);
    pieces
}

impl Rules {
    /// Parses rules in their order; operators without names of operations apply to all operations.
    ///
    /// # Errors
    /// The first rule that is not valid.
    pub fn parse<S: AsRef<str>>(texts: &[S]) -> Result<Rules, RuleError> {
        Rules::parse_in(texts, Scope::All)
    }

    /// Parses rules in their order; operators without names of operations apply to this scope.
    ///
    /// # Errors
    /// The first rule that is not valid.
    pub fn parse_in<S: AsRef<str>>(texts: &[S], scope: Scope) -> Result<Rules, RuleError> {
        let rules = texts.iter().map(|text| Rule::scoped(text.as_ref(), scope)).collect::<Result<_, _>>()?;
        Ok(Rules { rules, ..Rules::default() })
    }

    /// A single rule: this recipe, for all operations whose operands recipes quantise.
    ///
    /// # Errors
    /// A recipe without products, and layers that are not valid patterns.
    pub fn of_recipe(recipe: &Recipe) -> Result<Rules, RuleError> {
        let glob = |name: &str| name.parse::<Glob>().expect("names of operations are patterns");
        let operations = QUANTISED_OPERATIONS.split(',').map(glob).collect();
        let how = How::Recipe(Arc::new(RecipeProducts::new(recipe, &recipe.name)?));
        let rule = Rule { text: recipe.name.clone(), operations, location: None, how };
        Ok(Rules { rules: vec![rule], ..Rules::default() })
    }

    /// A single rule: this operator, in its order, for all operations of a scope.
    pub fn scoped(multiplier: Multiplier, scope: Scope) -> Rules {
        let glob = |name: &str| name.parse::<Glob>().expect("names of operations are patterns");
        let operator = multiplier.operator().to_string();
        let operations = scope.operations_under(&operator).split(',').map(glob).collect();
        let order = match multiplier.order() {
            Order::Sequential => String::new(),
            order => format!("/order={order}"),
        };
        let text = format!("{operator}{order}");
        let how = How::Operator(Arc::new(Emulated::new(multiplier, *ISA)));
        Rules { rules: vec![Rule { text, operations, location: None, how }], ..Rules::default() }
    }

    /// These rules for a program, whose products have roles in recipes.
    pub(crate) fn for_program(self, program: &Program) -> Rules {
        let has_recipe = self.rules.iter().any(|rule| matches!(rule.how, How::Recipe(_)));
        let roles = self.roles.clone();
        let roles = roles.or_else(|| has_recipe.then(|| Arc::new(ProductRoles::of(program))));
        let rules = Rules { roles, with_memory: Arc::default(), ..self };
        if rules.not_finite.is_none() && rules.biases.is_none() {
            return rules;
        }
        let mut with_memory = HashMap::new();
        let mut regions: Vec<&Region> = program.functions.iter().map(|function| &function.body).collect();
        while let Some(region) = regions.pop() {
            for operation in &region.operations {
                regions.extend(operation.kind.regions());
                let Some(product) = rules.blocks(operation) else { continue };
                let role = rules.roles.as_ref().and_then(|roles| roles.get(operation));
                let in_recipe = matches!(rules.first(operation), Some(How::Recipe(_)));
                let names = match role.filter(|_| in_recipe) {
                    Some(role) => {
                        let [first, second] = role.pass.operands().map(OperandRole::name);
                        if role.swapped { [second, first] } else { [first, second] }
                    }
                    None => ["left", "right"],
                };
                let mut product = product.clone();
                if let Some(not_finite) = &rules.not_finite {
                    product = product.counting(not_finite.counter(&operation.scope, names));
                }
                if let Some(biases) = &rules.biases {
                    product = biases.followed_by(product, operation, role);
                }
                with_memory.insert(operation.position, product);
            }
        }
        Rules { with_memory: Arc::new(with_memory), ..rules }
    }

    /// These rules with the roles that products have in this program, for copies of it with other functions. Products are known by
    /// their text positions.
    pub fn with_roles_of(self, program: &Program) -> Rules {
        let roles = Some(Arc::new(ProductRoles::of(program)));
        Rules { roles, ..self }
    }

    /// These rules, with NaNs and infinities of quantised operands counted.
    pub fn counting(self, not_finite: NotFinite) -> Rules {
        Rules { not_finite: Some(not_finite), ..self }
    }

    /// These rules, with learnt biases that follow operands from step to step, if their quantizers have a `history`.
    pub fn following(self, biases: OperandBiases) -> Rules {
        Rules { biases: Some(biases), ..self }
    }

    /// The layers of a program with products or convolutions, and the patterns of `leave` that match none of them.
    ///
    /// Layers are the names of scopes, without those of transformations: `hidden` of `jit(f)/transpose(jvp(hidden))`.
    pub fn layers(&self, program: &Program) -> (Vec<String>, Vec<String>) {
        let mut scopes = BTreeSet::new();
        let mut regions: Vec<&Region> = program.functions.iter().map(|function| &function.body).collect();
        while let Some(region) = regions.pop() {
            for operation in &region.operations {
                regions.extend(operation.kind.regions());
                if is_quantised(&operation.kind) {
                    scopes.insert(&*operation.scope);
                }
            }
        }
        let recipes = self.rules.iter().filter_map(|rule| match &rule.how {
            How::Recipe(recipe) => Some(recipe.patterns.iter().zip(&recipe.leaves)),
            _ => None,
        });
        let matches = |glob: &Glob| {
            scopes.iter().any(|scope| scope.split('/').any(|name| glob.matches(layer_of(name))))
        };
        let unmatched = recipes.flatten().filter(|(_, glob)| !matches(glob)).map(|(text, _)| text.clone());
        // The last name of a scope is that of the operation.
        let layers = scopes.iter().filter_map(|scope| Some(scope.rsplit_once('/')?.0));
        let layers: BTreeSet<&str> = layers
            .flat_map(|scope| scope.split('/').map(layer_of))
            .filter(|layer| !layer.is_empty())
            .collect();
        (layers.into_iter().map(str::to_owned).collect(), unmatched.collect())
    }

    /// Returns true if there are no rules.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    fn position(&self, name: &str, scope: &str) -> Option<usize> {
        self.rules.iter().position(|rule| rule.fits(name, scope))
    }

    fn first(&self, operation: &Operation) -> Option<&How> {
        self.position(operation.kind.name(), &operation.scope).map(|at| &self.rules[at].how)
    }

    /// Counts the operations of a program to which each rule applies.
    pub fn reach(&self, program: &Program) -> Vec<Reach> {
        self.clone().for_program(program).reach_of(program)
    }

    /// [`Rules::reach`], if these are the rules for the program.
    fn reach_of(&self, program: &Program) -> Vec<Reach> {
        let none = |rule: &Rule| Reach { rule: rule.text.clone(), computed: 0, left: 0 };
        let mut reach: Vec<Reach> = self.rules.iter().map(none).collect();
        let inside = self.inside_regions();
        for function in &program.functions {
            let mut bodies = vec![(&function.body, self)];
            while let Some((region, rules)) = bodies.pop() {
                let pairs = Pairs::of(region, &function.values, rules);
                for (at, operation) in region.operations.iter().enumerate() {
                    if !rules.replaces_region(operation) {
                        let within = if operation.kind.is_control() { rules } else { &inside };
                        bodies.extend(operation.kind.regions().into_iter().map(|region| (region, within)));
                    }
                    match rules.position(MULTIPLY_ADD, &operation.scope) {
                        Some(rule) if pairs.at(at).is_some() || pairs.absorbs(at) => {
                            reach[rule].computed += 1
                        }
                        _ => rules.count(operation, &function.values, &mut reach),
                    }
                }
            }
        }
        reach
    }

    /// Counts an operation that is not part of a pair.
    fn count(&self, operation: &Operation, values: &[Type], reach: &mut [Reach]) {
        let Some(at) = self.position(operation.kind.name(), &operation.scope) else { return };
        let elements: Vec<&ElementType> = (operation.results.iter())
            .filter_map(|result| match &values[result.0 as usize] {
                Type::Tensor(tensor) => Some(&tensor.element),
                _ => None,
            })
            .collect();
        let computed = match &self.rules[at].how {
            How::Left => false,
            _ if elements.iter().any(|element| self.drawn(operation, element).is_some()) => true,
            How::Round(_) => elements.iter().any(|element| self.rounding(operation, element).is_some()),
            How::Recipe(_) => {
                let float = |element: &&ElementType| matches!(element, ElementType::Float(_));
                self.blocks(operation).is_some() && elements.iter().any(float)
            }
            how if how.is_stochastic() => false,
            How::Operator(_) if is_product(&operation.kind) => {
                elements.iter().any(|element| matches!(element, ElementType::Float(_)))
            }
            How::Operator(_) => elements.iter().any(|element| self.operator(operation, element).is_some()),
            How::Blocks(_) => elements.iter().any(|element| matches!(element, ElementType::Float(_))),
        };
        let numbers =
            |element: &&ElementType| !matches!(element, ElementType::Bool | ElementType::Integer { .. });
        if computed {
            reach[at].computed += 1;
        } else if computes(&operation.kind) && elements.iter().any(numbers) {
            reach[at].left += 1;
        }
    }

    /// Returns true if the rule for a reduction replaces the rules for the one operation of its region.
    fn replaces_region(&self, operation: &Operation) -> bool {
        is_sum(&operation.kind)
            && self
                .first(operation)
                .is_some_and(|how| matches!(how, How::Operator(_)) && !how.is_stochastic())
    }

    /// The rounding of the operation's results of this element type, if a rule has one.
    pub fn rounding(&self, operation: &Operation, element: &ElementType) -> Option<&Rounded> {
        match (self.first(operation), element) {
            (Some(How::Round(rounding)), ElementType::Float(_) | ElementType::Complex(_))
                if !rounding.is_stochastic() && is_rounded(&operation.kind) =>
            {
                Some(rounding)
            }
            _ => None,
        }
    }

    /// The effect of a stochastic rule on an operation whose result has elements of this type; `None` if no such rule
    /// applies, or it changes nothing.
    pub(crate) fn drawn(&self, operation: &Operation, element: &ElementType) -> Option<Drawn> {
        match self.first(operation)? {
            How::Round(rounding) if rounding.is_stochastic() && is_rounded(&operation.kind) => {
                let is_number = matches!(element, ElementType::Float(_) | ElementType::Complex(_));
                is_number.then(|| Drawn::Rounding(Rounded::clone(rounding)))
            }
            How::Operator(emulated) if emulated.multiplier().operator().is_stochastic() => {
                let is_float = matches!(element, ElementType::Float(_));
                if let Op::DotGeneral { .. } | Op::Convolution(_) | Op::DynamicConv(_) = &operation.kind {
                    return is_float.then(|| Drawn::Product(emulated.multiplier().clone()));
                }
                if !is_emulated(element) {
                    return None;
                }
                match (emulated::class(&operation.kind), &operation.kind) {
                    (Class::Fused(fused), _) => Some(Drawn::Fused(emulated.clone(), fused)),
                    (Class::Function, _) => Some(Drawn::Function(emulated.clone())),
                    (_, Op::Reduce { body, .. })
                        if emulated::reduction(form(body)) == Some(Fused::Accumulate)
                            && operation.operands.len() == 2 =>
                    {
                        Some(Drawn::Sum(emulated.multiplier().clone()))
                    }
                    _ => None,
                }
            }
            How::Recipe(_) => {
                let product = self.blocks(operation).filter(|product| product.is_stochastic())?;
                matches!(element, ElementType::Float(_)).then(|| Drawn::Quantized(Box::new(product.clone())))
            }
            _ => None,
        }
    }

    /// Returns true if a rule rounds stochastically.
    pub fn are_stochastic(&self) -> bool {
        self.rules.iter().any(|rule| rule.how.is_stochastic())
    }

    /// The rules inside regions that are applied to many elements: stochastic ones leave operations as they are there.
    pub(crate) fn inside_regions(&self) -> Rules {
        let mut rules = self.clone();
        for rule in rules.rules.iter_mut().filter(|rule| rule.how.is_stochastic()) {
            rule.how = How::Left;
        }
        rules
    }

    /// The multiplier of a product or convolution, if a rule has one that is not stochastic.
    pub fn multiplier(&self, operation: &Operation) -> Option<&Multiplier> {
        match self.first(operation) {
            Some(how @ How::Operator(emulated)) if is_product(&operation.kind) && !how.is_stochastic() => {
                Some(emulated.multiplier())
            }
            _ => None,
        }
    }

    /// The quantised product of a `dot_general` or a convolution, if a rule has one.
    pub fn blocks(&self, operation: &Operation) -> Option<&QuantizedProduct> {
        if let Some(product) = self.with_memory.get(&operation.position) {
            return Some(product);
        }
        match self.first(operation) {
            Some(How::Blocks(product)) if is_quantised(&operation.kind) => Some(product),
            Some(How::Recipe(products)) if is_quantised(&operation.kind) => {
                products.get(operation, self.roles.as_ref()?.get(operation))
            }
            _ => None,
        }
    }

    /// Returns true if no rule quantises the operands of a product, and none rounds its sums stochastically.
    pub(crate) fn keeps_operands(&self, operation: &Operation) -> bool {
        match self.first(operation) {
            Some(How::Blocks(_) | How::Recipe(_)) => false,
            Some(how @ How::Operator(_)) => !how.is_stochastic(),
            _ => true,
        }
    }

    /// The notices of rules whose operators have no vector code, without repetition.
    pub fn slow(&self) -> Vec<SlowNotice> {
        let mut all: Vec<SlowNotice> = vec![];
        for rule in &self.rules {
            let slow = match &rule.how {
                How::Round(_) | How::Left => None,
                How::Operator(emulated) => emulated.multiplier().slow(),
                How::Blocks(product) => product.slow(),
                How::Recipe(recipe) => recipe.all().find_map(QuantizedProduct::slow),
            };
            all.extend(slow.filter(|slow| !all.contains(slow)));
        }
        all
    }

    /// The operator of an elementwise operation, or of a reduction by one sum or product, on elements of this type.
    /// `None` if no rule has one, or it changes nothing.
    pub(crate) fn operator(&self, operation: &Operation, element: &ElementType) -> Option<&Arc<Emulated>> {
        let concerned = || is_sum(&operation.kind) || emulated::class(&operation.kind) != Class::Exact;
        match self.first(operation) {
            Some(how @ How::Operator(emulated))
                if !how.is_stochastic() && is_emulated(element) && concerned() =>
            {
                Some(emulated)
            }
            _ => None,
        }
    }

    /// Returns true if an operator computes an operation of a region.
    pub(crate) fn computes_in(&self, region: &Region, values: &[Type]) -> bool {
        let element = |operation: &Operation| match &values[operation.results.first()?.0 as usize] {
            Type::Tensor(tensor) => Some(&tensor.element),
            _ => None,
        };
        let pairs = Pairs::of(region, values, self);
        region.operations.iter().enumerate().any(|(at, operation)| {
            pairs.at(at).is_some()
                || self.multiplier(operation).is_some()
                || self.blocks(operation).is_some()
                || element(operation).is_some_and(|element| self.operator(operation, element).is_some())
                || operation.kind.regions().into_iter().any(|region| self.computes_in(region, values))
        })
    }

    /// Returns true if a rule applies to contracted pairs.
    pub(crate) fn contract(&self) -> bool {
        self.rules.iter().any(|rule| {
            matches!(rule.how, How::Operator(_))
                && rule.operations.iter().any(|glob| glob.matches(MULTIPLY_ADD))
        })
    }

    /// The rules for a program that may be rewritten, in which only its original pairs are contracted. `None` if a rule
    /// rounds results, or the program's positions do not identify its operations.
    pub(crate) fn for_rewriting(&self, program: &Program) -> Option<Rules> {
        if self.are_stochastic() || self.rules.iter().any(|rule| matches!(rule.how, How::Round(_))) {
            return None;
        }
        let contracted = match self.contract() {
            true => Contracted::of(program, self)?,
            false => Contracted::default(),
        };
        Some(Rules { contracted: Some(Arc::new(contracted)), ..self.clone() })
    }

    /// Returns true if a product and a sum that reads it may be contracted.
    pub(crate) fn may_contract(&self, product: &Operation, sum: &Operation) -> bool {
        self.contracted.as_ref().is_none_or(|contracted| contracted.has(product, sum))
    }

    /// Returns true if an operation must stay in the region of the sum with which it is contracted.
    pub(crate) fn is_bound(&self, operation: &Operation) -> bool {
        self.contracted.as_ref().is_some_and(|contracted| contracted.has_product(operation))
    }

    /// The operator that contracts a product and the sum that reads it, if a rule has one.
    pub(crate) fn contracts(
        &self,
        product: &Operation,
        sum: &Operation,
        element: &ElementType,
    ) -> Option<&Arc<Emulated>> {
        let at = self.position(MULTIPLY_ADD, &sum.scope)?;
        let How::Operator(emulated) = &self.rules[at].how else { return None };
        let apart = |operation: &Operation| {
            self.position(MULTIPLY_ADD, &operation.scope) != Some(at)
                || self.position(operation.kind.name(), &operation.scope).is_some_and(|own| own < at)
        };
        (is_emulated(element) && !apart(product) && !apart(sum)).then_some(emulated)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use binade_stablehlo::ir::{Binary, DotDimensions, Unary};
    use binade_stablehlo::{FloatType, View, ViewMut};

    use super::*;

    fn operation(kind: Op, scope: &str) -> Operation {
        Operation { kind, operands: vec![], results: vec![], scope: Arc::from(scope), position: (1, 1) }
    }

    #[test]
    fn the_first_rule_that_fits_holds() {
        let texts = [
            "dot_general,convolution@model/*/attention=float8_e4m3fn:f32",
            "stablehlo.dot_general=bf16x2:bf16x2/3/order=pairwise",
            "a{dd,bs}=cfloat8_1_4_3@bias=7",
            "*@layer*=bf16",
        ];
        let rules = Rules::parse(&texts).unwrap();
        let dot = || Op::DotGeneral { dimensions: DotDimensions::default(), algorithm: None };
        let multiplier = |scope| rules.multiplier(&operation(dot(), scope)).unwrap().operator().to_string();
        assert_eq!(multiplier("model/3/attention"), "float8_e4m3fn:f32");
        assert_eq!(multiplier("layer3"), "bf16x2:bf16x2/3");
        let f32 = ElementType::Float(FloatType::F32);
        let add = operation(Op::Binary(Binary::Add), "layer1");
        let mut out = [0.0];
        rules.rounding(&add, &f32).unwrap().round_into(&f32, View::F32(&[1000.0]), ViewMut::F32(&mut out));
        assert_eq!(out, [480.0]);
        let exp = |scope| operation(Op::Unary(Unary::Exponential), scope);
        rules.rounding(&exp("layer1"), &f32).unwrap().round_into(
            &f32,
            View::F32(&[1.001]),
            ViewMut::F32(&mut out),
        );
        assert_eq!(out, [1.0]);
        assert!(rules.rounding(&exp("head"), &f32).is_none());
        assert!(rules.rounding(&add, &ElementType::Bool).is_none() && rules.multiplier(&add).is_none());
        assert!(rules.operator(&add, &f32).is_none());
    }

    #[test]
    fn generators_of_random_numbers_are_reached_by_place_alone() {
        let f32 = ElementType::Float(FloatType::F32);
        let drawn = operation(Op::Binary(Binary::Multiply), "jax.random/jit(_normal)/mul");
        let rules = |texts: &[&str]| Rules::parse(texts).unwrap();
        for texts in [["bf16:bf16"], ["*=bf16:bf16"], ["multiply=bf16:bf16"]] {
            assert!(rules(&texts).operator(&drawn, &f32).is_none(), "{texts:?}");
        }
        for texts in [["*@jax.random/*=bf16:bf16"], ["multiply@*=bf16:bf16"]] {
            assert!(rules(&texts).operator(&drawn, &f32).is_some(), "{texts:?}");
        }
        let other = operation(Op::Binary(Binary::Multiply), "jit(f)/mul");
        assert!(rules(&["bf16:bf16"]).operator(&other, &f32).is_some());
    }

    #[test]
    fn what_rules_reach_is_counted() {
        let text = "func.func @main(%x: tensor<2x2xf32>, %n: tensor<i32>) -> tensor<2x2xf32> {
            %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
            %1 = stablehlo.add %n, %n : tensor<i32>
            %2 = \"stablehlo.if\"(%p) ({ %a = stablehlo.add %0, %x : tensor<2x2xf32>
              stablehlo.return %a : tensor<2x2xf32> }, { stablehlo.return %x : tensor<2x2xf32> }) : (tensor<i1>) -> tensor<2x2xf32>
            return %2 : tensor<2x2xf32> }"
            .replace("%1 =", "%p = stablehlo.compare LT, %n, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n%1 =");
        let program = Program::parse(&text).unwrap();
        let reached = |texts: &[&str]| {
            let reach = Rules::parse(texts).unwrap().reach(&program);
            reach.into_iter().map(|r| (r.computed, r.left)).collect::<Vec<_>>()
        };
        assert_eq!(reached(&["*=bf16:bf16"]), [(2, 0)]);
        assert_eq!(
            reached(&["convolution=bf16:bf16", "add=bf16", "*@nowhere*=bf16"]),
            [(0, 0), (1, 0), (0, 0)]
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = |text: &str| text.parse::<Rule>().unwrap_err();
        assert!(matches!(wrong("dot_general"), RuleError::Syntax(_)));
        assert!(matches!(wrong("=bf16"), RuleError::Syntax(_)));
        assert!(matches!(wrong("add@=bf16"), RuleError::Syntax(_)));
        assert!(matches!(wrong("add=bf17"), RuleError::Format { .. }));
        assert!(matches!(wrong("convolution=bf16:bf17"), RuleError::Operator(_)));
        assert!(matches!(wrong("convolution=bf16:bf16/order=odd"), RuleError::Order { .. }));
        assert!(matches!(wrong("convolution=bf16:f32/order=any"), RuleError::Multiplier(_)));
        assert!(matches!(wrong("a[dd=bf16"), RuleError::Pattern { .. }));
        assert_eq!(wrong("dott*=bf16").to_string(), "'dott*=bf16': there is no operation 'dott*'");
        assert!(matches!(wrong("transpose=bf16:bf16"), RuleError::NoProducts { .. }));
        assert!(matches!(wrong("multiply_add=bf16"), RuleError::Operation { .. }));
        for (text, wanted) in [
            (
                "fp8:fp32",
                "'fp8:fp32': its inputs: unknown format 'fp8': did you mean float8_e4m3fn or float8_e5m2?",
            ),
            (
                "bf16:bf16/orde=pairwise",
                "'bf16:bf16/orde=pairwise': 'orde' is no option of an operator: did you mean order? ",
            ),
            (
                "dot_general=bf16:bf16/ordre=exact",
                "'ordre' is no option of an operator: did you mean order? ",
            ),
            (
                "bf16:bf16/order=pairwize",
                "'bf16:bf16/order=pairwize': 'pairwize' is not an order of accumulation: did you mean pairwise? ",
            ),
            ("bf16:bf16/order=exact/order=exact", "'order' is no option of an operator: operators have"),
            ("bf16:bf16/rounding=up", "unknown rounding mode 'up': expected one of nearest_even"),
            ("bf16:bf16/roundin=to_odd", "'roundin' is no option of an operator: did you mean rounding?"),
            ("add=bf16/rounding=stochastik", "unknown rounding mode 'stochastik': did you mean stochastic?"),
            (
                "add=bf16/rounding=stochastic:33",
                "'33' of a stochastic rounding are out of range: expected 1 to 32",
            ),
            ("bf16:bf16x2/rounding=stochastic", "'bf16:bf16x2' takes no /rounding"),
            ("dot_general=h100:f16/rounding=stochastic", "unit(…,rounding=…)"),
            (
                "dot_general=mxfp4:bf16/rounding=stochastic",
                "products of blocks round their accumulator to nearest even",
            ),
            ("bf16:bf16/order", "'/order' is not understood"),
            ("dot_genral=bf16", "there is no operation 'dot_genral': did you mean dot_general?"),
            ("cfloat8_1_4_3@bias=10:bf17", "unknown format 'bf17'"),
            ("bf16:bf16+exat/order=pairwise", "'bf16:bf16' has no variant 'exat': did you mean exact?"),
            ("FMAbf16_2_2(3)", "'FMAbf16_2_2(3)'"),
            ("add=bf17", "'add=bf17': unknown format 'bf17': did you mean bf16?"),
            ("dot_general=bf16/order=pairwise", "bf16 is a format, to which results are rounded once"),
            ("bf17", "'bf17' is neither an operator nor a rule"),
            ("*=mxfp4", "'*=mxfp4': a recipe is for products of layers, not '*'"),
            ("*=mxfp8_e5m2", "only dot_general and convolution multiply in blocks, not '*'"),
            ("dot_general=nvfp4@h100", "h100 has no instruction for float4_e2m1fn"),
            ("add=MXFP8_e4m3", "float8_e4m3fn is the format of the elements of mxfp8_e4m3 without a scale"),
            ("dot_general,chlo.ragged_dot=nvfp4:f32", "not 'chlo.ragged_dot'"),
            ("nvfp4*mxfp7", "'nvfp4*mxfp7': its inputs: unknown block format 'mxfp7'"),
            ("dot_general=nvfp4*bf17", "unknown block format 'bf17'"),
            ("dot_general=mxfp4@rul=ceil:f32", "takes no option 'rul'"),
            ("dot_general=bf16:mxfp4", "a block format is no accumulator"),
        ] {
            let found = wrong(text).to_string();
            assert!(found.contains(wanted), "{text}: {found}");
        }
        for right in [
            "dot_general=mxfp8_e4m3",
            "mxfp8_e5m2",
            "mxfp4:f32",
            "mxfp4@rule=ceil",
            "nvfp4*mxfp8_e4m3",
            "convolution=mxfp4*bf16:f32/order=pairwise",
            "dot_general,convolution=nvfp4-training",
            "dot_general@*hidden*=mxfp4@rule=ceil",
            "nvfp4-training@b200",
            "fp8-deepseek@h100/promote=128",
            "dot_general=mxfp4:f32/order=pairwise",
            "bf16:bf16/rounding=stochastic/order=pairwise",
            "bf16:bf16/order=pairwise/rounding=stochastic_b:8",
            "add=bf16/rounding=stochastic/random-bits=8",
            "convert=float8_e4m3fn/rounding=toward_zero",
            "dot_general@*=mxfp8_e4m3,mxfp4@rule=rceil:bf16",
            "bf16x2:bf16x2/3+exact/order=pairwise",
        ] {
            assert!(right.parse::<Rule>().is_ok(), "{right}: {}", wrong(right));
        }
    }
}
