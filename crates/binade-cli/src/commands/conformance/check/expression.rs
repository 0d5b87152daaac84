//! The language of `Requires`: relations between the formats of an operation.
//!
//! `fx == fy`, `BitwidthOf(fr) >= BitwidthOf(fx) + 1`, `fx in [Binary8p3se, Binary8p4se]`, joined by `and`, `or` and `not`;
//! questions are those of §4.14. Values of formats are compared as the values they are.

use binade::ops::{self, Comparison, Fact, Query};
use binade::{Datum, Projection, Spec};

use super::names;

/// A parsed expression.
#[derive(Debug)]
pub(super) enum Expression {
    Integer(i64),
    /// A variable of the signature, by number.
    Variable(usize),
    Format(Spec),
    Word(String),
    Ask(Query, Box<Expression>),
    Sum(Box<Expression>, Box<Expression>, i64),
    Product(Box<Expression>, Box<Expression>),
    Compare(Comparison, bool, Box<Expression>, Box<Expression>),
    In(Box<Expression>, Vec<Expression>),
    Not(Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
}

/// What an expression is.
#[derive(Clone, Debug)]
enum Item {
    Integer(i64),
    Truth(bool),
    Format(Spec),
    Word(String),
    Code(Datum),
}

impl Item {
    fn kind(&self) -> &'static str {
        match self {
            Item::Integer(_) => "an integer",
            Item::Truth(_) => "a truth",
            Item::Format(_) => "a format",
            Item::Word(_) => "a word",
            Item::Code(_) => "a value",
        }
    }
}

impl Expression {
    /// Parses, with names of variables.
    pub(super) fn parse(text: &str, variables: &[String]) -> Result<Expression, String> {
        let tokens = tokens(text)?;
        let mut parser = Parser { tokens: &tokens, at: 0, depth: 0, variables, text };
        let found = parser.either()?;
        match parser.tokens.get(parser.at) {
            None => Ok(found),
            Some(extra) => Err(format!("'{extra}' is not expected in '{}'", text.trim())),
        }
    }

    /// Whether it holds for these formats.
    pub(super) fn holds(&self, formats: &[Spec]) -> Result<bool, String> {
        match self.item(formats)? {
            Item::Truth(truth) => Ok(truth),
            other => Err(format!("it is {}, and no relation", other.kind())),
        }
    }

    fn item(&self, formats: &[Spec]) -> Result<Item, String> {
        let integer = |expression: &Expression| match expression.item(formats)? {
            Item::Integer(integer) => Ok(integer),
            other => Err(format!("{} is added or multiplied", other.kind())),
        };
        let beyond = || "an integer is out of range".to_owned();
        Ok(match self {
            Expression::Integer(integer) => Item::Integer(*integer),
            Expression::Variable(number) => Item::Format(formats[*number].clone()),
            Expression::Format(spec) => Item::Format(spec.clone()),
            Expression::Word(word) => Item::Word(word.clone()),
            Expression::Ask(query, of) => match of.item(formats)? {
                Item::Format(spec) => match query.answer(spec.format, Projection::default()) {
                    Fact::Integer(integer) => Item::Integer(integer),
                    Fact::Word(word) => Item::Word(word.to_owned()),
                    Fact::Code(Some(code)) => {
                        Item::Code(Datum::new(spec.format, code).map_err(|error| error.to_string())?)
                    }
                    Fact::Code(None) => return Err(format!("{} has no {}", spec.name(), query.in_4().0)),
                },
                other => return Err(format!("{} asks about a format, not {}", query.in_4().0, other.kind())),
            },
            Expression::Sum(a, b, sign) => {
                let b = integer(b)?.checked_mul(*sign).ok_or_else(beyond)?;
                Item::Integer(integer(a)?.checked_add(b).ok_or_else(beyond)?)
            }
            Expression::Product(a, b) => {
                Item::Integer(integer(a)?.checked_mul(integer(b)?).ok_or_else(beyond)?)
            }
            Expression::Compare(comparison, negated, a, b) => {
                Item::Truth(compare(*comparison, &a.item(formats)?, &b.item(formats)?)? != *negated)
            }
            Expression::In(a, list) => {
                let a = a.item(formats)?;
                let mut found = false;
                for item in list {
                    found |= compare(Comparison::Equal, &a, &item.item(formats)?)?;
                }
                Item::Truth(found)
            }
            Expression::Not(a) => Item::Truth(!a.holds(formats)?),
            Expression::And(a, b) => Item::Truth(a.holds(formats)? & b.holds(formats)?),
            Expression::Or(a, b) => Item::Truth(a.holds(formats)? | b.holds(formats)?),
        })
    }
}

fn compare(comparison: Comparison, a: &Item, b: &Item) -> Result<bool, String> {
    let same = comparison == Comparison::Equal;
    match (a, b) {
        (Item::Integer(a), Item::Integer(b)) => Ok(comparison.holds(Some(a.cmp(b)))),
        (Item::Code(a), Item::Code(b)) => Ok(ops::compare(comparison, *a, *b)),
        // By what it is: BFloat16 is bf16.
        (Item::Format(a), Item::Format(b)) if same => Ok((a.format, a.edition) == (b.format, b.edition)),
        (Item::Word(a), Item::Word(b)) if same => Ok(a == b),
        (Item::Truth(a), Item::Truth(b)) if same => Ok(a == b),
        _ => Err(format!("{} and {} are not compared so", a.kind(), b.kind())),
    }
}

fn tokens(text: &str) -> Result<Vec<String>, String> {
    let mut tokens: Vec<String> = vec![];
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else if ["==", "!=", ">=", "<="].iter().any(|two| rest.starts_with(two)) {
            2
        } else if "<>()[]{},+-*".contains(first) {
            1
        } else {
            return Err(format!("'{}' is not understood in '{}'", first.escape_debug(), text.trim()));
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token.to_owned());
        rest = after.trim_start();
    }
    Ok(tokens)
}

struct Parser<'a> {
    tokens: &'a [String],
    at: usize,
    depth: usize,
    variables: &'a [String],
    text: &'a str,
}

type Parsed = Result<Expression, String>;

impl Parser<'_> {
    fn takes(&mut self, token: &str) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|next| next == token);
        self.at += found as usize;
        found
    }

    fn wants(&mut self, token: &str) -> Result<(), String> {
        match self.takes(token) {
            true => Ok(()),
            false => Err(format!("'{token}' is missing in '{}'", self.text.trim())),
        }
    }

    fn either(&mut self) -> Parsed {
        let mut found = self.both()?;
        while self.takes("or") {
            found = Expression::Or(Box::new(found), Box::new(self.both()?));
        }
        Ok(found)
    }

    fn both(&mut self) -> Parsed {
        let mut found = self.relation()?;
        while self.takes("and") {
            found = Expression::And(Box::new(found), Box::new(self.relation()?));
        }
        Ok(found)
    }

    fn relation(&mut self) -> Parsed {
        if self.takes("not") {
            self.depth += 1;
            self.check_depth()?;
            let found = Expression::Not(Box::new(self.relation()?));
            self.depth -= 1;
            return Ok(found);
        }
        let left = self.sum()?;
        const RELATIONS: [(&str, Comparison, bool); 6] = [
            ("==", Comparison::Equal, false),
            ("!=", Comparison::Equal, true),
            (">=", Comparison::GreaterEqual, false),
            ("<=", Comparison::LessEqual, false),
            (">", Comparison::Greater, false),
            ("<", Comparison::Less, false),
        ];
        for (token, comparison, negated) in RELATIONS {
            if self.takes(token) {
                return Ok(Expression::Compare(comparison, negated, Box::new(left), Box::new(self.sum()?)));
            }
        }
        let negated = self.tokens.get(self.at).is_some_and(|token| token == "not");
        self.at += negated as usize;
        if self.takes("in") {
            let found = Expression::In(Box::new(left), self.list()?);
            return Ok(if negated { Expression::Not(Box::new(found)) } else { found });
        }
        match negated {
            true => Err(format!("'in' is missing in '{}'", self.text.trim())),
            false => Ok(left),
        }
    }

    fn list(&mut self) -> Result<Vec<Expression>, String> {
        let close = if self.takes("{") { "}" } else { "]" };
        if close == "]" {
            self.wants("[")?;
        }
        let mut items = vec![self.sum()?];
        while self.takes(",") {
            items.push(self.sum()?);
        }
        self.wants(close)?;
        Ok(items)
    }

    fn sum(&mut self) -> Parsed {
        let mut found = self.product()?;
        loop {
            let sign = if self.takes("+") {
                1
            } else if self.takes("-") {
                -1
            } else {
                return Ok(found);
            };
            found = Expression::Sum(Box::new(found), Box::new(self.product()?), sign);
        }
    }

    fn product(&mut self) -> Parsed {
        let mut found = self.atom()?;
        while self.takes("*") {
            found = Expression::Product(Box::new(found), Box::new(self.atom()?));
        }
        Ok(found)
    }

    fn check_depth(&self) -> Result<(), String> {
        match self.depth > 64 {
            true => Err(format!("'{}' is nested too deeply", self.text.trim())),
            false => Ok(()),
        }
    }

    fn atom(&mut self) -> Parsed {
        self.depth += 1;
        self.check_depth()?;
        let found = self.shallow();
        self.depth -= 1;
        found
    }

    fn shallow(&mut self) -> Parsed {
        if self.takes("(") {
            let inside = self.either()?;
            self.wants(")")?;
            return Ok(inside);
        }
        if self.takes("-") {
            return Ok(Expression::Product(Box::new(Expression::Integer(-1)), Box::new(self.atom()?)));
        }
        let Some(token) = self.tokens.get(self.at).cloned() else {
            return Err(format!("something is missing at the end of '{}'", self.text.trim()));
        };
        self.at += 1;
        if token.starts_with(|c: char| c.is_ascii_digit()) {
            return token
                .parse()
                .map(Expression::Integer)
                .map_err(|_| format!("'{token}' is not an integer"));
        }
        if let Some(number) = self.variables.iter().position(|variable| *variable == token) {
            return Ok(Expression::Variable(number));
        }
        if self.takes("(") {
            let query = match names::operation(&token)? {
                names::Named::Query(query) if !query.of_projection() => query,
                _ => return Err(format!("{token} asks nothing about a format")),
            };
            let of = self.either()?;
            self.wants(")")?;
            return Ok(Expression::Ask(query, Box::new(of)));
        }
        if ["Signed", "Unsigned", "Extended", "Finite"].contains(&&*token) {
            return Ok(Expression::Word(token));
        }
        let known = self.variables.join(", ");
        let wrong = |why: String| format!("'{token}' is none of the formats {known}, and {why}");
        Ok(Expression::Format(names::format(&token).map_err(wrong)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str, formats: &[&str]) -> Result<bool, String> {
        let variables: Vec<String> =
            ["fx", "fy", "fr"][..formats.len()].iter().map(|x| x.to_string()).collect();
        let formats: Vec<Spec> = formats.iter().map(|name| name.parse().unwrap()).collect();
        Expression::parse(text, &variables)?.holds(&formats)
    }

    #[test]
    fn relations_hold_as_they_say() {
        let formats = ["Binary8p3se", "Binary8p4se", "binary32"];
        for (text, expected) in [
            (" fx == fy ", false),
            ("fx != fy and fr == binary32", true),
            ("BitwidthOf(fr) >= BitwidthOf(fx) + 24", true),
            ("BitwidthOf(fr) > BitwidthOf(fx) * 4", false),
            ("(PrecisionOf(fx) == 3) or fx == fr", true),
            ("fx in [Binary4p2se, Binary8p3se]", true),
            ("fy not in {Binary4p2se, Binary8p3se}", true),
            ("not (fx in [Binary8p3se])", false),
            ("SignednessOf(fx) == Signed and DomainOf(fy) == Extended", true),
            ("MaxFiniteOf(fx) > MaxFiniteOf(fy)", true),
            ("MinPositiveOf(fr) < MinPositiveOf(fx)", true),
            ("ExponentBiasOf(fx) - 1 == 15", true),
            ("-1 < PrecisionOf(fx)", true),
        ] {
            assert_eq!(holds(text, &formats), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_understood_is_named() {
        let error = |text: &str| holds(text, &["Binary8p3se", "Binary8p4se"]).unwrap_err();
        assert!(error("fx == fz").contains("'fz' is none of the formats fx, fy"));
        assert!(error("fx >").contains("missing at the end"));
        assert!(error("fx = fy").contains("'=' is not understood"));
        assert!(error("fx >= fy").contains("not compared so"));
        assert!(error("WidthOf(fx) == 1").contains("is not an operation of 4.0"));
        assert!(error("BitwidthOf(fx)").contains("no relation"));
        assert!(error("fx in [fy").contains("']' is missing"));
        assert!(error("fx == fy fy").contains("not expected"));
        assert!(error(&"(".repeat(500)).contains("nested"));
        assert!(error(&"not ".repeat(5000)).contains("nested"));
        assert!(error(&"-".repeat(5000)).contains("nested"));
    }
}
