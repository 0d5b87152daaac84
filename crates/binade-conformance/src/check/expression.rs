//! Parses and evaluates the expressions of `Requires` and of bounds of intervals.
//!
//! Relations are `fx == fy`, `BitwidthOf(fr) >= BitwidthOf(fx) + 1`, `fx in [Binary8p3se, Binary8p4se]`, joined by `and`, `or`
//! and `not`. Queries are those of §4.14; the values that they return compare by value. Numbers are exact: `-Sqrt(2)`, `3/2`, `π`,
//! `1 - 2^-Precision`.

use std::cmp::Ordering;

use binade::ops::{self, Comparison, Fact, Query};
use binade::{Datum, Projection, Spec};

use super::real::{Effort, Fault, Real};
use crate::names::{self, NamedOperation};

/// Operators between two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Operator {
    Plus,
    Minus,
    Times,
    Over,
    /// `÷`, which some languages define as `/`, others as the quotient without remainder.
    Division,
    /// `%`, whose result for a negative operand differs among languages.
    Remainder,
    Power,
    Minimum,
    Maximum,
}

/// Functions of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Function {
    Minus,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
}

const FUNCTIONS: [(&str, Function); 4] = [
    ("Sqrt", Function::Sqrt),
    ("Floor", Function::Floor),
    ("Ceil", Function::Ceil),
    ("Trunc", Function::Trunc),
];

const EXTREMES: [(&str, Operator); 2] = [("Minimum", Operator::Minimum), ("Maximum", Operator::Maximum)];

/// Queries of the first operand's format, written without a format.
const OF_FIRST: [(&str, Query); 8] = [
    ("Bitwidth", Query::BitwidthOf),
    ("K", Query::BitwidthOf),
    ("Precision", Query::PrecisionOf),
    ("P", Query::PrecisionOf),
    ("ExponentBits", Query::ExponentBitwidthOf),
    ("TrailingBits", Query::TrailingSignificandBitwidthOf),
    ("ExponentBias", Query::ExponentBiasOf),
    ("bias", Query::ExponentBiasOf),
];

/// A parsed expression.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Expression {
    /// The text of a number.
    Number(String),
    Infinity,
    Pi,
    /// emin or emax of the first operand's format.
    Exponent {
        largest: bool,
    },
    /// A variable of the signature, by number.
    Variable(usize),
    Format(Spec),
    Word(String),
    Ask(Query, Box<Expression>),
    Apply(Function, Box<Expression>),
    Join(Operator, Box<Expression>, Box<Expression>),
    Compare(Comparison, bool, Box<Expression>, Box<Expression>),
    In(Box<Expression>, Vec<Expression>),
    Not(Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
}

/// The result of an expression.
#[derive(Clone, Debug)]
enum Item {
    Number(Real),
    Truth(bool),
    Format(Spec),
    Word(String),
    Code(Datum),
}

impl Item {
    fn kind(&self) -> &'static str {
        match self {
            Item::Number(_) => "a number",
            Item::Truth(_) => "a relation",
            Item::Format(_) => "a format",
            Item::Word(_) => "a word",
            Item::Code(_) => "a value",
        }
    }
}

/// Bits of enclosures, tried in this order until the comparison is decided.
const BITS: [u64; 3] = [64, 512, 2048];

/// The result with the first enclosures that decide.
fn decided<T>(find: impl Fn(u64) -> Result<T, Fault>) -> Result<T, String> {
    for bits in BITS {
        match find(bits) {
            Err(Fault::Undecided) => {}
            Err(Fault::Wrong(message)) => return Err(message),
            Ok(found) => return Ok(found),
        }
    }
    Err(format!("not decided by {} bits which of two numbers is larger", BITS[BITS.len() - 1]))
}

/// The context in which an expression is evaluated.
#[derive(Clone, Copy)]
struct Scope<'a> {
    formats: &'a [Spec],
    /// The bits of enclosures.
    bits: u64,
    effort: &'a Effort,
}

impl Scope<'_> {
    fn format(&self, number: usize) -> Result<&Spec, Fault> {
        self.formats
            .get(number)
            .ok_or_else(|| Fault::Wrong("the operation does not have this format".to_owned()))
    }

    fn ask(&self, query: Query, spec: &Spec) -> Result<Item, Fault> {
        Ok(match query.answer(spec.format, Projection::default()) {
            Fact::Integer(integer) => Item::Number(Real::integer(integer)),
            Fact::Word(word) => Item::Word(word.to_owned()),
            Fact::Code(Some(code)) => {
                Item::Code(Datum::new(spec.format, code).map_err(|error| error.to_string())?)
            }
            Fact::Code(None) => return Err(format!("{} has no {}", spec.name(), query.in_4().0).into()),
        })
    }

    fn join(&self, operator: Operator, a: &Real, b: &Real) -> Result<Real, Fault> {
        let effort = self.effort;
        let zero = Real::integer(0);
        match operator {
            Operator::Plus => a.plus(b, effort),
            Operator::Minus => a.plus(&b.negated(), effort),
            Operator::Times => a.times(b, effort),
            Operator::Over => a.over(b, effort),
            Operator::Division => {
                let quotient = a.over(b, effort)?;
                match quotient.compare(&quotient.floor(effort)?, effort)? {
                    Ordering::Equal => Ok(quotient),
                    _ => Err(Fault::Wrong("a ÷ b is not whole: write a / b or Trunc(a / b)".to_owned())),
                }
            }
            Operator::Remainder => {
                if a.compare(&zero, effort)? == Ordering::Less || b.compare(&zero, effort)? == Ordering::Less
                {
                    return Err(Fault::Wrong(
                        "% of a negative number: write a - b * Floor(a / b)".to_owned(),
                    ));
                }
                a.plus(&b.times(&a.over(b, effort)?.floor(effort)?, effort)?.negated(), effort)
            }
            Operator::Power => a.raised(b, effort),
            Operator::Minimum | Operator::Maximum => {
                let lesser = a.compare(b, effort)? != Ordering::Greater;
                Ok(if lesser == (operator == Operator::Minimum) { a.clone() } else { b.clone() })
            }
        }
    }

    fn compare(&self, comparison: Comparison, a: &Item, b: &Item) -> Result<bool, Fault> {
        let same = comparison == Comparison::Equal;
        match (a, b) {
            (Item::Code(a), Item::Code(b)) => Ok(ops::compare(comparison, *a, *b)),
            (Item::Number(_) | Item::Code(_), Item::Number(_) | Item::Code(_)) => {
                let relation = match (number(a)?, number(b)?) {
                    (Some(a), Some(b)) => Some(a.compare(&b, self.effort)?),
                    _ => None,
                };
                Ok(comparison.holds(relation))
            }
            // By the format and not by its name: BFloat16 is bf16.
            (Item::Format(a), Item::Format(b)) if same => Ok((a.format, a.edition) == (b.format, b.edition)),
            (Item::Word(a), Item::Word(b)) if same => Ok(a == b),
            (Item::Truth(a), Item::Truth(b)) if same => Ok(a == b),
            _ => Err(format!("cannot compare {} and {} so", a.kind(), b.kind()).into()),
        }
    }
}

/// The number of an item; `None` for NaN.
fn number(item: &Item) -> Result<Option<Real>, Fault> {
    match item {
        Item::Number(number) => Ok(Some(number.clone())),
        Item::Code(code) => Ok(Real::of(code.value())),
        other => Err(format!("expected a number, got {}", other.kind()).into()),
    }
}

impl Expression {
    /// Parses an expression in which `variables` name formats.
    pub(super) fn parse(text: &str, variables: &[String]) -> Result<Expression, String> {
        let tokens = tokens(text)?;
        let mut parser = Parser { tokens: &tokens, at: 0, depth: 0, operators: 0, variables, text };
        let found = parser.either()?;
        match parser.tokens.get(parser.at) {
            None => Ok(found),
            Some(extra) => Err(format!("unexpected '{}' in '{}'", extra.escape_debug(), excerpt(text))),
        }
    }

    /// Returns true if the relation holds for these formats.
    pub(super) fn holds(&self, formats: &[Spec], effort: &Effort) -> Result<bool, String> {
        decided(|bits| self.truth(Scope { formats, bits, effort }))
    }

    /// Compares the number of this expression with that of another.
    pub(super) fn compare(
        &self,
        other: &Expression,
        formats: &[Spec],
        effort: &Effort,
    ) -> Result<Ordering, String> {
        // Enclosures cannot show that two irrational numbers are equal: equal expressions are.
        if self == other {
            return Ok(Ordering::Equal);
        }
        decided(|bits| {
            let scope = Scope { formats, bits, effort };
            self.real(scope)?.compare(&other.real(scope)?, effort)
        })
    }

    /// Compares the number of this expression with a value other than NaN.
    pub(super) fn compare_value(
        &self,
        value: binade::Value,
        formats: &[Spec],
        effort: &Effort,
    ) -> Result<Ordering, String> {
        let value = Real::of(value).ok_or("NaN cannot be compared")?;
        decided(|bits| self.real(Scope { formats, bits, effort })?.compare(&value, effort))
    }

    /// Returns true if the expression is the same for all formats.
    pub(super) fn is_fixed(&self) -> bool {
        match self {
            Expression::Number(_) | Expression::Infinity | Expression::Pi | Expression::Word(_) => true,
            Expression::Exponent { .. } | Expression::Variable(_) => false,
            // A format that is named in full does not depend on the signature.
            Expression::Format(_) => true,
            Expression::Ask(_, a) | Expression::Apply(_, a) | Expression::Not(a) => a.is_fixed(),
            Expression::Join(_, a, b)
            | Expression::Compare(_, _, a, b)
            | Expression::And(a, b)
            | Expression::Or(a, b) => a.is_fixed() && b.is_fixed(),
            Expression::In(a, list) => a.is_fixed() && list.iter().all(Expression::is_fixed),
        }
    }

    fn truth(&self, scope: Scope<'_>) -> Result<bool, Fault> {
        match self.item(scope)? {
            Item::Truth(truth) => Ok(truth),
            other => Err(format!("expected a relation, got {}", other.kind()).into()),
        }
    }

    fn real(&self, scope: Scope<'_>) -> Result<Real, Fault> {
        number(&self.item(scope)?)?.ok_or_else(|| Fault::Wrong("the number is NaN".to_owned()))
    }

    fn item(&self, scope: Scope<'_>) -> Result<Item, Fault> {
        let Scope { bits, effort, .. } = scope;
        Ok(match self {
            Expression::Number(text) => Item::Number(Real::parse(text, effort)?),
            Expression::Infinity => Item::Number(Real::Infinite { negative: false }),
            Expression::Pi => Item::Number(Real::pi(bits, effort)?),
            Expression::Exponent { largest } => {
                let format = scope.format(0)?.format;
                Item::Number(Real::integer(i64::from(if *largest { format.emax() } else { format.emin() })))
            }
            Expression::Variable(number) => Item::Format(scope.format(*number)?.clone()),
            Expression::Format(spec) => Item::Format(spec.clone()),
            Expression::Word(word) => Item::Word(word.clone()),
            Expression::Ask(query, of) => match of.item(scope)? {
                Item::Format(spec) => scope.ask(*query, &spec)?,
                other => {
                    return Err(format!("{} takes a format: got {}", query.in_4().0, other.kind()).into());
                }
            },
            Expression::Apply(function, a) => {
                let a = a.real(scope)?;
                Item::Number(match function {
                    Function::Minus => a.negated(),
                    Function::Sqrt => a.root(bits, effort)?,
                    Function::Floor => a.floor(effort)?,
                    Function::Ceil => a.negated().floor(effort)?.negated(),
                    Function::Trunc => a.truncated(effort)?,
                })
            }
            Expression::Join(operator, a, b) => {
                Item::Number(scope.join(*operator, &a.real(scope)?, &b.real(scope)?)?)
            }
            Expression::Compare(comparison, negated, a, b) => {
                Item::Truth(scope.compare(*comparison, &a.item(scope)?, &b.item(scope)?)? != *negated)
            }
            Expression::In(a, list) => {
                let a = a.item(scope)?;
                let mut found = false;
                for item in list {
                    found |= scope.compare(Comparison::Equal, &a, &item.item(scope)?)?;
                }
                Item::Truth(found)
            }
            Expression::Not(a) => Item::Truth(!a.truth(scope)?),
            Expression::And(a, b) => Item::Truth(a.truth(scope)? & b.truth(scope)?),
            Expression::Or(a, b) => Item::Truth(a.truth(scope)? | b.truth(scope)?),
        })
    }
}

/// The first characters of a text, for a message.
pub(super) fn excerpt(text: &str) -> String {
    const MOST: usize = 200;
    let text = text.trim();
    let head: String = text.chars().take(MOST).collect();
    format!("{}{}", head.escape_debug(), if head.len() < text.len() { "…" } else { "" })
}

fn tokens(text: &str) -> Result<Vec<String>, String> {
    let mut tokens: Vec<String> = vec![];
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let two = ["==", "!=", ">=", "<=", "**"];
        let length = if first.is_ascii_digit() || first == '.' {
            number_length(rest)
        } else if word(first) {
            rest.find(|c| !word(c)).unwrap_or(rest.len())
        } else if two.iter().any(|two| rest.starts_with(two)) {
            2
        } else if "<>()[]{},+-*/÷%^∞".contains(first) {
            first.len_utf8()
        } else {
            return Err(format!("unexpected character '{}' in '{}'", first.escape_debug(), excerpt(text)));
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token.to_owned());
        rest = after.trim_start();
    }
    Ok(tokens)
}

/// The length of the number at the start of a text. A sign after the letter of the exponent belongs to it.
fn number_length(text: &str) -> usize {
    let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    let exponent = if hexadecimal { ['p', 'P'] } else { ['e', 'E'] };
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let inside =
            c.is_alphanumeric() || c == '_' || c == '.' || "+-".contains(c) && exponent.contains(&before);
        if !inside {
            return at;
        }
        before = c;
    }
    text.len()
}

/// The largest number of operators: each adds a level of recursion to evaluation.
const MOST_OPERATORS: usize = 256;

struct Parser<'a> {
    tokens: &'a [String],
    at: usize,
    depth: usize,
    operators: usize,
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
            false => Err(format!("missing '{token}' in '{}'", excerpt(self.text))),
        }
    }

    fn operator(&mut self, token: &str) -> Result<bool, String> {
        let found = self.takes(token);
        self.operators += found as usize;
        match self.operators > MOST_OPERATORS {
            true => Err(format!("'{}' has more than {MOST_OPERATORS} operators", excerpt(self.text))),
            false => Ok(found),
        }
    }

    fn either(&mut self) -> Parsed {
        let mut found = self.both()?;
        while self.operator("or")? {
            found = Expression::Or(Box::new(found), Box::new(self.both()?));
        }
        Ok(found)
    }

    fn both(&mut self) -> Parsed {
        let mut found = self.relation()?;
        while self.operator("and")? {
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
            true => Err(format!("missing 'in' in '{}'", excerpt(self.text))),
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
        const OPERATORS: [(&str, Operator); 2] = [("+", Operator::Plus), ("-", Operator::Minus)];
        self.joined(&OPERATORS, Parser::product)
    }

    fn product(&mut self) -> Parsed {
        const OPERATORS: [(&str, Operator); 4] = [
            ("*", Operator::Times),
            ("/", Operator::Over),
            ("÷", Operator::Division),
            ("%", Operator::Remainder),
        ];
        self.joined(&OPERATORS, Parser::signed)
    }

    /// Operators of one precedence, from the left.
    fn joined(&mut self, operators: &[(&str, Operator)], part: fn(&mut Self) -> Parsed) -> Parsed {
        let mut found = part(self)?;
        'more: loop {
            for (token, operator) in operators {
                if self.operator(token)? {
                    found = Expression::Join(*operator, Box::new(found), Box::new(part(self)?));
                    continue 'more;
                }
            }
            return Ok(found);
        }
    }

    /// Signs and powers. A power binds tighter than a sign before it, and its exponent may have a sign: −2^2 is −4, 2^−1 a half.
    fn signed(&mut self) -> Parsed {
        self.depth += 1;
        self.check_depth()?;
        let found = if self.takes("-") {
            Expression::Apply(Function::Minus, Box::new(self.signed()?))
        } else if self.takes("+") {
            self.signed()?
        } else {
            let base = self.atom()?;
            match self.operator("^")? || self.operator("**")? {
                true => Expression::Join(Operator::Power, Box::new(base), Box::new(self.signed()?)),
                false => base,
            }
        };
        self.depth -= 1;
        Ok(found)
    }

    fn check_depth(&self) -> Result<(), String> {
        match self.depth > 64 {
            true => Err(format!("'{}' is nested too deeply", excerpt(self.text))),
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
        let Some(token) = self.tokens.get(self.at).cloned() else {
            return Err(format!("unexpected end of '{}'", excerpt(self.text)));
        };
        self.at += 1;
        if token.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            Real::parse(&token, &Effort::new()).map_err(|fault| match fault {
                Fault::Wrong(message) => message,
                Fault::Undecided => format!("'{token}' is not a number"),
            })?;
            return Ok(Expression::Number(token));
        }
        if ["inf", "infinity", "∞"].contains(&&*token.to_lowercase()) {
            return Ok(Expression::Infinity);
        }
        if let Some(number) = self.variables.iter().position(|variable| *variable == token) {
            return Ok(Expression::Variable(number));
        }
        if ["π", "pi"].contains(&&*token) {
            return Ok(Expression::Pi);
        }
        if ["emin", "emax"].contains(&&*token) {
            return Ok(Expression::Exponent { largest: token == "emax" });
        }
        if let Some((_, query)) = OF_FIRST.iter().find(|(name, _)| *name == token) {
            return Ok(Expression::Ask(*query, Box::new(Expression::Variable(0))));
        }
        if self.takes("(") {
            if let Some((_, function)) = FUNCTIONS.iter().find(|(name, _)| *name == token) {
                let of = self.sum()?;
                self.wants(")")?;
                return Ok(Expression::Apply(*function, Box::new(of)));
            }
            if let Some((_, extreme)) = EXTREMES.iter().find(|(name, _)| *name == token) {
                let a = self.sum()?;
                self.wants(",")?;
                let b = self.sum()?;
                self.wants(")")?;
                return Ok(Expression::Join(*extreme, Box::new(a), Box::new(b)));
            }
            let query = match names::operation(&token)? {
                NamedOperation::Query(query) if !query.of_projection() => query,
                _ => return Err(format!("{token} is not a query of a format")),
            };
            let of = self.either()?;
            self.wants(")")?;
            return Ok(Expression::Ask(query, Box::new(of)));
        }
        if ["Signed", "Unsigned", "Extended", "Finite"].contains(&&*token) {
            return Ok(Expression::Word(token));
        }
        let unknown = |message: String| {
            let name = token.escape_debug();
            match self.variables {
                [] => format!("unknown name '{name}': {message}"),
                variables => {
                    format!("unknown name '{name}': the formats are {}; {message}", variables.join(", "))
                }
            }
        };
        Ok(Expression::Format(names::format(&token).map_err(unknown)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str, formats: &[&str]) -> Result<bool, String> {
        let variables: Vec<String> =
            ["fx", "fy", "fr"][..formats.len()].iter().map(|x| x.to_string()).collect();
        let formats: Vec<Spec> = formats.iter().map(|name| name.parse().unwrap()).collect();
        Expression::parse(text, &variables)?.holds(&formats, &Effort::new())
    }

    #[test]
    fn relation_holds_for_its_formats() {
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
    fn malformed_expression_is_refused_with_its_part() {
        let error = |text: &str| holds(text, &["Binary8p3se", "Binary8p4se"]).unwrap_err();
        assert!(error("fx == fz").contains("unknown name 'fz': the formats are fx, fy;"));
        assert!(error("fx >").contains("unexpected end"));
        assert!(error("fx = fy").contains("unexpected character '='"));
        assert!(error("fx >= fy").contains("cannot compare a format and a format so"));
        assert!(error("WidthOf(fx) == 1").contains("is not an operation of 4.0"));
        assert!(error("BitwidthOf(fx)").contains("expected a relation, got a number"));
        assert!(error("fx in [fy").contains("missing ']'"));
        assert!(error("fx == fy fy").contains("unexpected 'fy'"));
        assert!(error(&"(".repeat(500)).contains("nested"));
        assert!(error(&"not ".repeat(5000)).contains("nested"));
        assert!(error(&"-".repeat(5000)).contains("nested"));
    }
}
