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
use binade_glob::{Glob, GlobError};
use binade_kernels::{Multiplier, MultiplierError, Order, OrderError, Rounder};
use thiserror::Error;

use super::coded;
use super::view::{View, ViewMut};
use crate::ir::{Op, Operation};
use crate::names;
use crate::types::{ElementType, FloatType};

/// Rules, the first one that fits counting.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    rules: Vec<Rule>,
}

/// A rule; see the [module](self).
#[derive(Clone, Debug)]
pub struct Rule {
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
        Ok(Rule { operations: globs, location, how })
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

    fn first(&self, operation: &Operation) -> Option<&How> {
        let name = operation.kind.name();
        let fits = |rule: &&Rule| {
            rule.operations.iter().any(|glob| glob.matches(name))
                && rule.location.as_ref().is_none_or(|location| location.matches(&operation.scope))
        };
        self.rules.iter().find(fits).map(|rule| &rule.how)
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
