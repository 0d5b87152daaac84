//! What the programs of a cell are computed with.

use std::fmt;
use std::str::FromStr;

use binade::Operator;
use binade_hlo::eval::rules::Rules;

use crate::TrainError;

/// The arithmetics of the default experiment.
pub const DEFAULT_ARITHMETICS: [&str; 5] = ["f32", "bf16:f32", "bf16:bf16", "bf16:bf16x2", "bf16x2:bf16x2/3"];

/// Which operations of a program an operator computes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Products and convolutions: what ran as fused multiply-adds in "A BF16 FMA is all you need for DNN training".
    #[default]
    Paper,
}

impl FromStr for Scope {
    type Err = String;

    fn from_str(text: &str) -> Result<Scope, String> {
        match text {
            "paper" => Ok(Scope::Paper),
            _ => Err(format!("'{text}' is no scope: it is paper")),
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("paper")
    }
}

/// An arithmetic by its name: `f32` (the program as it is), an operator with an order (`bf16:bf16`,
/// `bf16x2:bf16x2/3/order=pairwise`), `mp` (mixed precision, `bf16:f32`), or rules with `;` between them
/// (`dot_general=bf16:f32;*=bf16`).
#[derive(Clone, Debug)]
pub struct Arithmetic {
    /// The name, as it was given.
    pub name: String,
    pub(crate) rules: Rules,
    operator: Option<Operator>,
}

impl Arithmetic {
    /// Reads a name.
    ///
    /// # Errors
    /// What is wrong with an operator or a rule.
    pub fn parse(name: &str, scope: Scope) -> Result<Arithmetic, TrainError> {
        let name = name.trim().to_owned();
        if name.eq_ignore_ascii_case("f32") {
            return Ok(Arithmetic { name, rules: Rules::default(), operator: "f32:f32".parse().ok() });
        }
        if name.contains('=') && !name.contains("/order=") || name.contains(';') {
            let texts: Vec<&str> = name.split(';').collect();
            return Ok(Arithmetic { rules: Rules::parse(&texts)?, name, operator: None });
        }
        let text = if name.eq_ignore_ascii_case("mp") { "bf16:f32" } else { &name };
        let rules = scoped(text, scope)?;
        let operator = text.split("/order=").next().and_then(|operator| operator.parse().ok());
        Ok(Arithmetic { rules, operator, name })
    }

    /// The operator that does its multiply-adds, if that is one.
    pub fn operator(&self) -> Option<&Operator> {
        self.operator.as_ref()
    }
}

/// The rules of an operator in a scope.
fn scoped(text: &str, scope: Scope) -> Result<Rules, TrainError> {
    let operations = match scope {
        Scope::Paper => "dot_general,convolution",
    };
    Ok(Rules::parse(&[format!("{operations}={text}")])?)
}
