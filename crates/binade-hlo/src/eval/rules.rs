//! Rules of arithmetic: which operations of a program are done as another machine would do them.
//!
//! A rule is `OPS[@LOCATION]=FORMAT|OPERATOR`:
//! - `OPS`: names of operations separated by commas, with `*`, `?`, `[…]` and `{…}` as in shells: `dot_general`, `add,sub*`, `*`,
//!   `chlo.erf`. `stablehlo.` may be written.
//! - `LOCATION`: a pattern for the named scopes of the operation's location, joined by `/`, outermost first.
//!   Without one the rule is for every place.
//! - A `FORMAT` (`bf16`, `float8_e4m3fn`, `cfloat8_1_4_3@bias=7`) is what the operation's floating-point and complex results are rounded to,
//!   once, to nearest even; overflow goes to infinity, or to NaN or the largest number where there is none. The type of
//!   the result stays.
//! - An `OPERATOR` (`bf16x2:bf16x2/3`, `float8_e4m3fn:f32`) does the multiply-adds of `dot_general` and of convolutions,
//!   from +0 on, one product after the other in index order, or in the order that follows: `bf16:bf16/order=pairwise`.
//!   Results are rounded to the result type once. All other operations stay as they are.
//!
//! Of several rules, the first one that fits an operation holds, alone.

use std::str::FromStr;

use binade::{Format, Operator, OperatorError, Projection, Rounding, Saturation, Spec, SpecError, Value};
use binade_fma::{Multiplier, MultiplierError, Order, OrderError};
use binade_glob::{Glob, GlobError};
use binade_kernels::Rounder;
use thiserror::Error;

use super::view::{View, ViewMut};
use super::{coded, plan};
use crate::ir::{Op, Operation, Program};
use crate::names;
use crate::types::{ElementType, FloatType, Type};

/// Rules, the first one that fits counting.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    rules: Vec<Rule>,
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
    Multiply(Multiplier),
}

/// Why a rule was not understood.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum RuleError {
    /// No `=`, or nothing on one of its sides.
    #[error(
        "'{0}' is no rule: write OPS[@LOCATION]=FORMAT or OPS[@LOCATION]=OPERATOR, as in dot_general=bf16:f32"
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
    /// An operator on operations that have no multiply-adds.
    #[error(
        "'{rule}': '{pattern}' has no multiply-adds that an operator could do; dot_general and convolution have"
    )]
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

/// Whether an operation other than products adds or multiplies numbers.
fn adds_or_multiplies(op: &Op) -> bool {
    use crate::ir::Binary;
    match op {
        Op::Binary(binary) => {
            matches!(binary, Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide)
        }
        Op::Reduce { .. } | Op::ReduceWindow { .. } => true,
        _ => false,
    }
}

/// Operations whose multiply-adds an operator does.
const WITH_PRODUCTS: [&str; 4] = ["dot_general", "dot", "convolution", "dynamic_conv"];

impl FromStr for Rule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Rule, RuleError> {
        let syntax = || RuleError::Syntax(text.to_owned());
        let (place, how) = text.split_once('=').ok_or_else(syntax)?;
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
        let how = if how.contains(':') {
            let (operator, order) = match how.split_once("/order=") {
                Some((operator, order)) => (operator, order.parse::<Order>()?),
                None => (how, Order::Sequential),
            };
            How::Multiply(Multiplier::new(operator.parse::<Operator>()?, order)?)
        } else {
            How::Round(Box::new(Rounded::new(how.parse::<Spec>()?.format)))
        };
        let mut globs = Vec::new();
        for pattern in split_list(operations) {
            let pattern = pattern.trim();
            let bare = pattern.strip_prefix("stablehlo.").unwrap_or(pattern);
            let glob = glob(bare)?;
            let (rule, pattern) = (text.to_owned(), pattern.to_owned());
            if !names::operations().any(|name| glob.matches(name)) {
                return Err(RuleError::Operation { rule, pattern });
            }
            let products = WITH_PRODUCTS.iter().any(|name| glob.matches(name));
            if matches!(how, How::Multiply(_)) && !products {
                return Err(RuleError::NoProducts { rule, pattern });
            }
            globs.push(glob);
        }
        let location = location.map(glob).transpose()?;
        Ok(Rule { text: text.to_owned(), operations: globs, location, how })
    }
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
    /// Rules in their order.
    ///
    /// # Errors
    /// The first one that is not understood.
    pub fn parse<S: AsRef<str>>(texts: &[S]) -> Result<Rules, RuleError> {
        let rules = texts.iter().map(|text| text.as_ref().parse()).collect::<Result<_, _>>()?;
        Ok(Rules { rules })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    fn position(&self, operation: &Operation) -> Option<usize> {
        let name = operation.kind.name();
        self.rules.iter().position(|rule| {
            rule.operations.iter().any(|glob| glob.matches(name))
                && rule.location.as_ref().is_none_or(|location| location.matches(&operation.scope))
        })
    }

    fn first(&self, operation: &Operation) -> Option<&How> {
        self.position(operation).map(|at| &self.rules[at].how)
    }

    /// What each rule does in a program.
    pub fn reach(&self, program: &Program) -> Vec<Reach> {
        let none = |rule: &Rule| Reach { rule: rule.text.clone(), computed: 0, left: 0 };
        let mut reach: Vec<Reach> = self.rules.iter().map(none).collect();
        for function in &program.functions {
            let mut bodies = vec![&function.body];
            while let Some(body) = bodies.pop() {
                for operation in &body.operations {
                    bodies.extend(plan::regions(operation));
                    let Some(at) = self.position(operation) else { continue };
                    let elements = || {
                        let types =
                            operation.results.iter().map(|result| &function.values[result.0 as usize]);
                        types.filter_map(|ty| match ty {
                            Type::Tensor(tensor) => Some(&tensor.element),
                            _ => None,
                        })
                    };
                    let rounded = elements().any(|element| self.rounding(operation, element).is_some());
                    let floats =
                        || elements().any(|e| matches!(e, ElementType::Float(_) | ElementType::Complex(_)));
                    if rounded || self.multiplier(operation).is_some() {
                        reach[at].computed += 1;
                    } else if adds_or_multiplies(&operation.kind) && floats() {
                        reach[at].left += 1;
                    }
                }
            }
        }
        reach
    }

    /// What the operation's results of this element type are rounded to, if they are.
    pub fn rounding(&self, operation: &Operation, element: &ElementType) -> Option<&Rounded> {
        // Control flow passes on what its regions have computed.
        let computes = !matches!(
            operation.kind,
            Op::While { .. } | Op::If { .. } | Op::Case { .. } | Op::Call { .. } | Op::Composite { .. }
        );
        match (self.first(operation), element) {
            (Some(How::Round(rounding)), ElementType::Float(_) | ElementType::Complex(_)) if computes => {
                Some(rounding)
            }
            _ => None,
        }
    }

    /// What does the operation's multiply-adds, if a rule says.
    pub fn multiplier(&self, operation: &Operation) -> Option<&Multiplier> {
        match (self.first(operation), operation.kind.name()) {
            (Some(How::Multiply(multiplier)), name) if WITH_PRODUCTS.contains(&name) => Some(multiplier),
            _ => None,
        }
    }
}

/// Rounding of values to a format within their own type.
#[derive(Clone, Debug)]
pub struct Rounded {
    format: Format,
    /// For formats of up to 16 bits.
    rounder: Option<Rounder>,
}

impl Rounded {
    /// To nearest even, overflow as the format has it.
    pub fn new(format: Format) -> Rounded {
        Rounded { format, rounder: Rounder::new(format, Rounding::NearestEven, Saturation::Overflow).ok() }
    }

    /// Rounds values of a floating-point or complex type; others stay as they are.
    ///
    /// # Panics
    /// If lengths differ, or elements are not stored as the type says.
    pub fn round_into(&self, element: &ElementType, x: View<'_>, mut out: ViewMut<'_>) {
        let float = match element {
            ElementType::Float(float) | ElementType::Complex(float) => *float,
            _ => return out.copy_from(x),
        };
        match out {
            ViewMut::U8(_) | ViewMut::U16(_) => {
                let mut values = [0.0; 1024];
                for start in (0..x.len()).step_by(values.len()) {
                    let range = start..x.len().min(start + values.len());
                    let values = &mut values[..range.len()];
                    coded::decode(float, x.range(range.clone()), values).expect("codes");
                    self.round_f32(values);
                    match out.range(range) {
                        ViewMut::U8(out) => float.encode_f32(values, out.into()),
                        ViewMut::U16(out) => float.encode_f32(values, out.into()),
                        _ => unreachable!("a part of codes is codes"),
                    }
                }
                return;
            }
            _ => out.copy_from(x),
        }
        match out {
            ViewMut::F32(out) => {
                self.round_f32(out);
                if float == FloatType::Tf32 {
                    // It has fewer bits than its storage.
                    out.iter_mut().for_each(|x| *x = float.round(*x as f64) as f32);
                }
            }
            ViewMut::F64(out) => self.round_f64(out),
            ViewMut::C64(out) => self.round_f32(out.as_flattened_mut()),
            ViewMut::C128(out) => self.round_f64(out.as_flattened_mut()),
            _ => {}
        }
    }

    fn round_f32(&self, values: &mut [f32]) {
        match &self.rounder {
            Some(rounder) => rounder.round_in_place(values),
            None => values.iter_mut().for_each(|x| *x = self.one(*x as f64) as f32),
        }
    }

    fn round_f64(&self, values: &mut [f64]) {
        match &self.rounder {
            Some(rounder) => rounder.round_in_place_f64(values),
            None => values.iter_mut().for_each(|x| *x = self.one(*x)),
        }
    }

    /// By the definition, for formats beyond the kernels.
    fn one(&self, x: f64) -> f64 {
        let code = binade::project(self.format, Value::from_f64(x), Projection::default()).code;
        super::narrow::binary64(binade::decode(self.format, code))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::ir::{Binary, DotDimensions, Unary};

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
        assert_eq!(reached(&["*=bf16:bf16"]), [(1, 1)]);
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
        assert!(matches!(wrong("add=bf16:bf16"), RuleError::NoProducts { .. }));
    }

    #[test]
    fn wide_formats_and_narrow_types_round_too() {
        let tf32 = Rounded::new("tf32".parse::<Spec>().unwrap().format);
        let mut out = [0.0];
        let f64 = ElementType::Float(FloatType::F64);
        tf32.round_into(&f64, View::F64(&[1.0 + 2f64.powi(-11) + 2f64.powi(-40)]), ViewMut::F64(&mut out));
        assert_eq!(out, [1.0 + 2f64.powi(-10)]);
        let e4m3 = Rounded::new(FloatType::F8E4M3FN.format());
        let mut codes = [0u16];
        // 1.0625 in bf16 is a tie of e4m3.
        e4m3.round_into(&ElementType::Float(FloatType::Bf16), View::U16(&[0x3f88]), ViewMut::U16(&mut codes));
        assert_eq!(codes, [0x3f80]);
    }
}
