//! What the programs of a cell are computed with.

use binade::Operator;
use binade_hlo::Program;
use binade_hlo::eval::rules::{Rules, Scope, operator};

use crate::{TrainError, parts};

/// The arithmetics of the default experiment.
pub const DEFAULT_ARITHMETICS: [&str; 5] = ["f32", "bf16:f32", "bf16:bf16", "bf16:bf16x2", "bf16x2:bf16x2/3"];

/// An arithmetic by its name: `f32` (the program as it is), an operator with an order (`bf16:bf16`,
/// `bf16x2:bf16x2/3/order=pairwise`, `mp`), or rules with `;` between them (`dot_general=bf16:f32;*=bf16`).
#[derive(Clone, Debug)]
pub struct Arithmetic {
    /// The name, as it was given.
    pub name: String,
    pub(crate) rules: Rules,
    operator: Option<Operator>,
}

impl Arithmetic {
    /// Reads a name. Operators compute what is in the scope; rules say themselves what they are for.
    ///
    /// # Errors
    /// What is wrong with an operator or a rule.
    pub fn parse(name: &str, scope: Scope) -> Result<Arithmetic, TrainError> {
        let name = name.trim().to_owned();
        if name.eq_ignore_ascii_case("f32") {
            return Ok(Arithmetic { name, rules: Rules::default(), operator: "f32:f32".parse().ok() });
        }
        let texts: Vec<&str> = name.split(';').collect();
        let rules = Rules::parse_in(&texts, scope)?;
        let operator = operator(&name).ok();
        Ok(Arithmetic { rules, operator, name })
    }

    /// Refuses rules for a part that does nothing in a program, as one with a misspelt layer.
    pub(crate) fn refuse_dead_parts(&self, program: &Program) -> Result<(), TrainError> {
        let reach = self.rules.reach(program);
        match reach.into_iter().find(|reach| reach.computed == 0 && parts::named_in(&reach.rule)) {
            Some(dead) => Err(TrainError::NoSuchPart(dead.rule)),
            None => Ok(()),
        }
    }

    /// The notices of its operators that have no vector code, each once.
    pub fn slow(&self) -> Vec<String> {
        self.rules.slow().iter().map(ToString::to_string).collect()
    }

    /// The operator that does its multiply-adds, if there is one for all.
    pub fn operator(&self) -> Option<&Operator> {
        self.operator.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_operators_or_rules() {
        let of = |name: &str| {
            let parsed = Arithmetic::parse(name, Scope::Paper).unwrap();
            (parsed.operator.map(|operator| operator.to_string()), parsed.rules.is_empty())
        };
        let some = |name: &str| Some(name.to_owned());
        assert_eq!(of("f32"), (some("f32:f32"), true));
        assert_eq!(of("mp"), (some("bf16:f32"), false));
        assert_eq!(of("bf16x2:bf16x2/3/order=pairwise"), (some("bf16x2:bf16x2/3"), false));
        assert_eq!(of("dot_general=bf16:f32;add=bf16"), (None, false));
        for wrong in ["", "bf17:f32", "bf16:bf16/order=random", "nothing=bf16", "bf16:bf16;"] {
            assert!(Arithmetic::parse(wrong, Scope::All).is_err(), "{wrong}");
        }
    }
}
