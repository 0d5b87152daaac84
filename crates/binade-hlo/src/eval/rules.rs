//! Rules of arithmetic: which operations of a program are done as another machine would do them.
//!
//! A rule is `OPS[@LOCATION]=FORMAT|OPERATOR`:
//! - `OPS`: names of operations separated by commas, with `*`, `?`, `[…]` and `{…}` as in shells: `dot_general`, `add,sub*`, `*`,
//!   `chlo.erf`. `stablehlo.` may be written. `multiply_add` is a product with the sum that alone reads it.
//! - `LOCATION`: a pattern for the named scopes of the operation's location, joined by `/`, outermost first.
//!   Without one the rule is for every place but JAX's generators of random numbers (`jax.random.normal` and its siblings),
//!   which a pattern may name: `*@jax.random/*`, or `*@*` for every place.
//! - A `FORMAT` (`bf16`, `float8_e4m3fn`, `cfloat8_1_4_3@bias=7`) is what the operation's floating-point and complex results are rounded to,
//!   once, to nearest even; overflow goes to infinity, or to NaN or the largest number where there is none. The type of
//!   the result stays.
//! - An `OPERATOR` (`bf16x2:bf16x2/3`, `float8_e4m3fn:f32`, `mp`) does the multiply-adds of products and convolutions, from +0
//!   on, one after the other in index order, or in the order that follows: `bf16:bf16/order=pairwise`; contracted pairs
//!   (`multiply_add`); elementwise operations and reductions, the sums of `reduce` and
//!   `reduce_window` in that order as well. Results are rounded to the result type once.
//! - An `OPERATOR` alone is a [`Scope`] of operations: all of them, unless said otherwise.
//!
//! Of several rules, the first one that fits an operation holds, alone.
//!
//! # What an operator reaches
//! | operations | `paper` | `all`, `*` |
//! |---|---|---|
//! | `dot_general`, `convolution`, `dynamic_conv`, `chlo.ragged_dot`, `sparse_dot` (binary64 operands rounded to binary32) | operator | operator |
//! | contracted pairs, `multiply_add` | operator | operator |
//! | `add`, `subtract`, `multiply`, `chlo.square` | as the program says | operator |
//! | `divide`, `power`, `remainder`, `atan2`, roots, elementary and special functions | as the program says | operands and result rounded |
//! | `reduce`, `reduce_window`, `dynamic_reduce_window`, `scatter`, `select_and_scatter`, `all_reduce`, `reduce_scatter`, `collective_reduce` whose region is one `add` or `multiply` | as the program says | operator |
//! | regions of more operations | pairs in them | each operation by its own row, elements in index order |
//! | comparisons, `select`, `clamp`, `maximum`, `minimum`, `abs`, `negate`, `sign`, `floor` and the like, conversions, everything that moves elements, integers, `i1` | as the program says | as the program says |
//! | binary64, complex and quantized elements, `fft`, `cholesky`, `triangular_solve`, `batch_norm_*` | as the program says | as the program says, and counted as left |
//!
//! In no order but `sequential` are: products, in index order; `scatter` and `select_and_scatter`, whose updates come
//! one after the other; collectives, whose members do.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use binade::{Operator, OperatorError, Spec, SpecError};
use binade_fma::{Multiplier, MultiplierError, Order, OrderError};
use binade_glob::{Glob, GlobError};
use thiserror::Error;

use super::body;
use super::contraction::{Contracted, Pairs};
use super::elementwise::ISA;
use super::emulated::{self, Class, Emulated, is_emulated};
use crate::generators::in_generator;
use crate::ir::{Op, Operation, Program, Region};
use crate::names;
use crate::traits::Arithmetic;
use crate::types::{ElementType, Type};

pub use super::rounded::Rounded;

/// Rules, the first one that fits counting.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    rules: Vec<Rule>,
    /// The only pairs that may be contracted, where a program was rewritten.
    contracted: Option<Arc<Contracted>>,
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
}

/// What an operator without names of operations is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Scope {
    /// Multiply-adds: those of products and convolutions, and contracted pairs. What the BF16 paper's tool emulated.
    Paper,
    /// All that an operator computes.
    #[default]
    All,
}

impl Scope {
    const ALL: [(Scope, &'static str); 2] = [(Scope::Paper, "paper"), (Scope::All, "all")];

    /// The operations, as a rule names them.
    pub fn operations(self) -> &'static str {
        match self {
            Scope::Paper => "dot_general,convolution,dynamic_conv,chlo.ragged_dot,sparse_dot,multiply_add",
            Scope::All => "*",
        }
    }
}

/// No scope of this name.
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

/// Why a rule was not understood.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum RuleError {
    /// No `=`, or nothing on one of its sides.
    #[error(
        "'{0}' is not a rule: write OPS[@LOCATION]=FORMAT or OPS[@LOCATION]=OPERATOR, as in dot_general=bf16:f32"
    )]
    Syntax(String),
    /// A pattern that is not one.
    #[error("'{rule}': {reason}")]
    Pattern {
        /// The rule.
        rule: String,
        /// What is wrong with it.
        reason: GlobError,
    },
    /// A pattern that fits no operation.
    #[error("'{rule}': there is no operation '{pattern}'")]
    Operation {
        /// The rule.
        rule: String,
        /// The pattern.
        pattern: String,
    },
    /// An operator on operations that it would not do otherwise.
    #[error("'{rule}': '{pattern}' has nothing that an operator computes; sums, products and functions have")]
    NoProducts {
        /// The rule.
        rule: String,
        /// The pattern.
        pattern: String,
    },
    /// A format that is not one.
    #[error(transparent)]
    Format(#[from] SpecError),
    /// An operator that is not one.
    #[error(transparent)]
    Operator(#[from] OperatorError),
    /// An order that is not one.
    #[error(transparent)]
    Order(#[from] OrderError),
    /// An operator and an order that do not go together.
    #[error(transparent)]
    Multiplier(#[from] MultiplierError),
}

/// What a rule does in a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reach {
    /// The rule, as it was written.
    pub rule: String,
    /// How many operations are computed as it says.
    pub computed: usize,
    /// How many operations that add or multiply it fits before all other rules and leaves as they are.
    pub left: usize,
}

/// The name of contracted pairs.
const MULTIPLY_ADD: &str = "multiply_add";

/// Sums of products.
fn is_product(op: &Op) -> bool {
    op.traits().arithmetic == Arithmetic::Product
}

/// Whether an operation combines many elements by one sum or product.
fn is_sum(op: &Op) -> bool {
    op.reducer().is_some_and(|body| emulated::reduction(body::form(body)).is_some())
}

/// Operations besides elementwise ones that an operator does otherwise: products, reductions, pairs.
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

/// The names of all operations that an operator does otherwise.
fn computed() -> impl Iterator<Item = &'static str> {
    use crate::ir::{Binary, Unary};
    let unary =
        Unary::ALL.iter().filter(|(op, _)| emulated::unary(*op) != Class::Exact).map(|(_, name)| name);
    let binary =
        Binary::ALL.iter().filter(|(op, _)| emulated::binary(*op) != Class::Exact).map(|(_, name)| name);
    unary.chain(binary).chain(&COMPUTED).copied()
}

/// Whether an operation computes sums, products or functions of numbers that may be floating-point ones.
pub(crate) fn computes(op: &Op) -> bool {
    match op.traits().arithmetic {
        Arithmetic::None => false,
        Arithmetic::Elementwise => emulated::class(op) != Class::Exact,
        Arithmetic::Reduction => is_sum(op),
        Arithmetic::Product | Arithmetic::Function => true,
    }
}

/// An operator with its order, if the text is one; otherwise why not.
fn multiplier(text: &str) -> Result<Multiplier, RuleError> {
    let (operator, order) = match text.split_once("/order=") {
        Some((operator, order)) => (operator, order.parse::<Order>()?),
        None => (text, Order::Sequential),
    };
    Ok(Multiplier::new(operator.parse::<Operator>()?, order)?)
}

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Rule, RuleError> {
        Rule::scoped(text, Scope::All)
    }
}

impl Rule {
    /// A rule, or an operator for a scope.
    fn scoped(text: &str, scope: Scope) -> Result<Rule, RuleError> {
        match is_operator(text) {
            true => Rule::of(&format!("{}={text}", scope.operations()), text),
            false => Rule::of(text, text),
        }
    }

    /// What the rule `rule` says, which was written as `text`.
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
        let how = match how.parse::<Spec>() {
            Ok(spec) => How::Round(Box::new(Rounded::new(spec.format))),
            Err(error) => match multiplier(how) {
                Ok(multiplier) => How::Operator(Arc::new(Emulated::new(multiplier, *ISA))),
                Err(_) if !how.contains(':') => return Err(error.into()),
                Err(error) => return Err(error),
            },
        };
        let mut globs = Vec::new();
        for pattern in split_list(operations) {
            let pattern = pattern.trim();
            let bare = pattern.strip_prefix("stablehlo.").unwrap_or(pattern);
            let glob = glob(bare)?;
            let (rule, pattern) = (text.to_owned(), pattern.to_owned());
            let by_operator = matches!(how, How::Operator(_));
            let pairs = by_operator && glob.matches(MULTIPLY_ADD);
            if !pairs && !names::operations().any(|name| glob.matches(name)) {
                return Err(RuleError::Operation { rule, pattern });
            }
            if by_operator && !computed().any(|name| glob.matches(name)) {
                return Err(RuleError::NoProducts { rule, pattern });
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

/// Whether a rule is an operator for a [`Scope`], with no operations named.
pub fn is_operator(text: &str) -> bool {
    operator(text).is_some()
}

/// The operator of such a rule, whatever its order is.
pub fn operator(text: &str) -> Option<Operator> {
    text.split_once("/order=").map_or(text, |(operator, _)| operator).parse().ok()
}

/// The pieces between commas outside of braces.
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
    /// Rules in their order; operators without names of operations are for all of them.
    ///
    /// # Errors
    /// The first one that is not understood.
    pub fn parse<S: AsRef<str>>(texts: &[S]) -> Result<Rules, RuleError> {
        Rules::parse_in(texts, Scope::All)
    }

    /// Rules in their order; operators without names of operations are for this scope.
    ///
    /// # Errors
    /// The first one that is not understood.
    pub fn parse_in<S: AsRef<str>>(texts: &[S], scope: Scope) -> Result<Rules, RuleError> {
        let rules = texts.iter().map(|text| Rule::scoped(text.as_ref(), scope)).collect::<Result<_, _>>()?;
        Ok(Rules { rules, contracted: None })
    }

    /// The one rule that this operator in its order does all operations of a scope.
    pub fn scoped(multiplier: Multiplier, scope: Scope) -> Rules {
        let glob = |name: &str| name.parse::<Glob>().expect("names of operations are patterns");
        let operations = scope.operations().split(',').map(glob).collect();
        let order = match multiplier.order() {
            Order::Sequential => String::new(),
            order => format!("/order={order}"),
        };
        let text = format!("{}{order}", multiplier.operator());
        let how = How::Operator(Arc::new(Emulated::new(multiplier, *ISA)));
        Rules { rules: vec![Rule { text, operations, location: None, how }], contracted: None }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    fn position(&self, name: &str, scope: &str) -> Option<usize> {
        self.rules.iter().position(|rule| rule.fits(name, scope))
    }

    fn first(&self, operation: &Operation) -> Option<&How> {
        self.position(operation.kind.name(), &operation.scope).map(|at| &self.rules[at].how)
    }

    /// What each rule does in a program.
    pub fn reach(&self, program: &Program) -> Vec<Reach> {
        let none = |rule: &Rule| Reach { rule: rule.text.clone(), computed: 0, left: 0 };
        let mut reach: Vec<Reach> = self.rules.iter().map(none).collect();
        for function in &program.functions {
            let mut bodies = vec![&function.body];
            while let Some(region) = bodies.pop() {
                let pairs = Pairs::of(region, &function.values, self);
                for (at, operation) in region.operations.iter().enumerate() {
                    if !self.replaces_region(operation) {
                        bodies.extend(operation.kind.regions());
                    }
                    match self.position(MULTIPLY_ADD, &operation.scope) {
                        Some(rule) if pairs.at(at).is_some() || pairs.absorbs(at) => {
                            reach[rule].computed += 1
                        }
                        _ => self.count(operation, &function.values, &mut reach),
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
            How::Round(_) => elements.iter().any(|element| self.rounding(operation, element).is_some()),
            How::Operator(_) if is_product(&operation.kind) => {
                elements.iter().any(|element| matches!(element, ElementType::Float(_)))
            }
            How::Operator(_) => elements.iter().any(|element| self.operator(operation, element).is_some()),
        };
        let numbers =
            |element: &&ElementType| !matches!(element, ElementType::Bool | ElementType::Integer { .. });
        if computed {
            reach[at].computed += 1;
        } else if computes(&operation.kind) && elements.iter().any(numbers) {
            reach[at].left += 1;
        }
    }

    /// Whether the rule for a reduction holds in place of those for the one operation of its region.
    fn replaces_region(&self, operation: &Operation) -> bool {
        is_sum(&operation.kind) && matches!(self.first(operation), Some(How::Operator(_)))
    }

    /// What the operation's results of this element type are rounded to, if they are.
    pub fn rounding(&self, operation: &Operation, element: &ElementType) -> Option<&Rounded> {
        // Control flow passes on what its regions have computed.
        match (self.first(operation), element) {
            (Some(How::Round(rounding)), ElementType::Float(_) | ElementType::Complex(_))
                if !operation.kind.is_control() =>
            {
                Some(rounding)
            }
            _ => None,
        }
    }

    /// What does the multiply-adds of a product or convolution, if a rule says.
    pub fn multiplier(&self, operation: &Operation) -> Option<&Multiplier> {
        match self.first(operation) {
            Some(How::Operator(emulated)) if is_product(&operation.kind) => Some(emulated.multiplier()),
            _ => None,
        }
    }

    /// What does an elementwise operation, or a reduction by one sum or product, on elements of this type, if a rule says
    /// and it makes a difference.
    pub(crate) fn operator(&self, operation: &Operation, element: &ElementType) -> Option<&Arc<Emulated>> {
        let concerned = || is_sum(&operation.kind) || emulated::class(&operation.kind) != Class::Exact;
        match self.first(operation) {
            Some(How::Operator(emulated)) if is_emulated(element) && concerned() => Some(emulated),
            _ => None,
        }
    }

    /// Whether an operator computes something in a region.
    pub(crate) fn computes_in(&self, region: &Region, values: &[Type]) -> bool {
        let element = |operation: &Operation| match &values[operation.results.first()?.0 as usize] {
            Type::Tensor(tensor) => Some(&tensor.element),
            _ => None,
        };
        let pairs = Pairs::of(region, values, self);
        region.operations.iter().enumerate().any(|(at, operation)| {
            pairs.at(at).is_some()
                || self.multiplier(operation).is_some()
                || element(operation).is_some_and(|element| self.operator(operation, element).is_some())
                || operation.kind.regions().into_iter().any(|region| self.computes_in(region, values))
        })
    }

    /// Whether there are rules for contracted pairs.
    pub(crate) fn contract(&self) -> bool {
        self.rules.iter().any(|rule| {
            matches!(rule.how, How::Operator(_))
                && rule.operations.iter().any(|glob| glob.matches(MULTIPLY_ADD))
        })
    }

    /// The same rules for a program that may be rewritten, whose pairs stay those that it has; none if a rule rounds whatever
    /// an operation gives, or the program does not tell its operations from each other.
    pub(crate) fn for_rewriting(&self, program: &Program) -> Option<Rules> {
        if self.rules.iter().any(|rule| matches!(rule.how, How::Round(_))) {
            return None;
        }
        let contracted = match self.contract() {
            true => Contracted::of(program, self)?,
            false => Contracted::default(),
        };
        Some(Rules { contracted: Some(Arc::new(contracted)), ..self.clone() })
    }

    /// Whether a product and a sum that reads it may be one.
    pub(crate) fn may_contract(&self, product: &Operation, sum: &Operation) -> bool {
        self.contracted.as_ref().is_none_or(|contracted| contracted.has(product, sum))
    }

    /// Whether an operation has to stay in the region of the sum that it is one with.
    pub(crate) fn is_bound(&self, operation: &Operation) -> bool {
        self.contracted.as_ref().is_some_and(|contracted| contracted.has_product(operation))
    }

    /// What does a product and the sum that reads it as one, if a rule says.
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

    use super::*;
    use crate::eval::{View, ViewMut};
    use crate::ir::{Binary, DotDimensions, Unary};
    use crate::types::FloatType;

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
        assert!(matches!(wrong("add=bf17"), RuleError::Format(_)));
        assert!(matches!(wrong("convolution=bf16:bf17"), RuleError::Operator(_)));
        assert!(matches!(wrong("convolution=bf16:bf16/order=odd"), RuleError::Order(_)));
        assert!(matches!(wrong("convolution=bf16:f32/order=any"), RuleError::Multiplier(_)));
        assert!(matches!(wrong("a[dd=bf16"), RuleError::Pattern { .. }));
        assert_eq!(wrong("dott*=bf16").to_string(), "'dott*=bf16': there is no operation 'dott*'");
        assert!(matches!(wrong("transpose=bf16:bf16"), RuleError::NoProducts { .. }));
        assert!(matches!(wrong("multiply_add=bf16"), RuleError::Operation { .. }));
    }
}
