//! Parses operations, regions and functions.

use std::borrow::Cow;

use super::{Parser, forms};
use crate::error::{Problem, Result, fail};
use crate::lex::TokenKind;
use crate::syntax::{Attribute, Attributes, Binding, Operation, Parameter, RESULT_SHARDINGS, Region, Use};
use crate::types::Type;

/// The maximum number of results that one name stands for.
const MOST_RESULTS: usize = 1 << 12;

impl<'a> Parser<'a> {
    /// `%name`, with an optional `#index`.
    pub(super) fn operand(&mut self) -> Result<Use<'a>> {
        if self.token.kind != TokenKind::Percent {
            return self.expected("a value that begins with '%'");
        }
        let token = self.advance();
        let name = &self.text[token.start + 1..token.end];
        let mut index = 0;
        if self.token.kind == TokenKind::Hash && self.token.start == token.end {
            let text = self.slice(self.token);
            let Ok(number) = text[1..].parse() else {
                return self.expected("the number of a result after '#'");
            };
            index = number;
            self.advance();
        }
        Ok(Use { name, index, at: token.start })
    }

    /// `%a, %b` until `close`.
    pub(super) fn operands(&mut self, close: u8, into: &mut Vec<Use<'a>>) -> Result<()> {
        self.list(close, |parser| {
            into.push(parser.operand()?);
            Ok(())
        })
    }

    /// `%name` at its definition.
    pub(super) fn new_name(&mut self) -> Result<(&'a str, usize)> {
        if self.token.kind != TokenKind::Percent {
            return self.expected("a name that begins with '%'");
        }
        let token = self.advance();
        Ok((&self.text[token.start + 1..token.end], token.start))
    }

    /// `%a:2, %b =` before an operation.
    fn bindings(&mut self) -> Result<Vec<Binding<'a>>> {
        let mut bindings = vec![];
        if self.token.kind != TokenKind::Percent {
            return Ok(bindings);
        }
        loop {
            let (name, at) = self.new_name()?;
            let count = if self.eat(b':') { self.result_count()? } else { 1 };
            bindings.push(Binding { name, count, at });
            if !self.eat(b',') {
                self.expect(b'=')?;
                return Ok(bindings);
            }
        }
    }

    fn result_count(&mut self) -> Result<usize> {
        let at = self.token.start;
        match self.count("a number of results")? {
            count @ 1..=MOST_RESULTS => Ok(count),
            count => {
                let expected = format!("1 to {MOST_RESULTS} results");
                fail(at, Problem::Expected { expected, found: count.to_string() })
            }
        }
    }

    /// An operation in any form.
    pub(super) fn operation(&mut self) -> Result<Operation<'a>> {
        self.nested(Parser::operation_inner)
    }

    fn operation_inner(&mut self) -> Result<Operation<'a>> {
        let results = self.bindings()?;
        let at = self.token.start;
        let mut operation = Operation {
            name: Cow::Borrowed(""),
            at,
            results,
            operands: vec![],
            attributes: Attributes::default(),
            regions: vec![],
            operand_types: None,
            result_types: vec![],
            location: None,
        };
        match self.token.kind {
            TokenKind::String => {
                operation.name = self.string()?;
                self.generic(&mut operation)?;
            }
            TokenKind::Word => {
                let name = self.word("an operation")?;
                operation.name = Cow::Borrowed(match name {
                    "call" => "func.call",
                    "return" => "func.return",
                    _ => name,
                });
                forms::read(self, &mut operation, at)?;
            }
            _ => return self.expected("an operation"),
        }
        if let Some(location) = self.trailing_location()? {
            operation.location = Some(location);
        }
        Ok(operation)
    }

    /// `(%a) <{properties}> ({regions}) {attributes} : (types) -> types`.
    fn generic(&mut self, operation: &mut Operation<'a>) -> Result<()> {
        self.expect(b'(')?;
        self.operands(b')', &mut operation.operands)?;
        if self.is(b'[') {
            return fail(self.token.start, Problem::Unsupported("an operation with successors".to_owned()));
        }
        if self.eat(b'<') {
            self.optional_dictionary(&mut operation.attributes)?;
            self.expect(b'>')?;
        }
        if self.eat(b'(') {
            self.list(b')', |parser| {
                let region = parser.region()?;
                operation.regions.push(region);
                Ok(())
            })?;
        }
        self.optional_dictionary(&mut operation.attributes)?;
        self.expect(b':')?;
        operation.operand_types = Some(self.types()?);
        self.expect_arrow()?;
        operation.result_types = self.result_types()?;
        Ok(())
    }

    /// `{^bb0(%a: type): operations}`.
    pub(super) fn region(&mut self) -> Result<Region<'a>> {
        let at = self.token.start;
        let mut region = Region { at, ..Region::default() };
        self.expect(b'{')?;
        if self.token.kind == TokenKind::Caret {
            self.advance();
            if self.eat(b'(') {
                self.parameters(&mut region.parameters)?;
            }
            self.expect(b':')?;
        }
        while !self.eat(b'}') {
            if self.token.kind == TokenKind::Caret {
                return fail(self.token.start, Problem::Unsupported("a region of several blocks".to_owned()));
            }
            region.operations.push(self.operation()?);
        }
        Ok(region)
    }

    /// `%a: type, …)` after the opening bracket.
    pub(super) fn parameters(&mut self, into: &mut Vec<Parameter<'a>>) -> Result<()> {
        self.list(b')', |parser| {
            let (name, at) = parser.new_name()?;
            parser.expect(b':')?;
            let ty = parser.ty()?;
            let mut attributes = Attributes::default();
            parser.optional_dictionary(&mut attributes)?;
            let text = |name: &str| match attributes.get(name) {
                Some((Attribute::String(text), _)) => Some(text.clone()),
                _ => None,
            };
            let (info, constant) = (text("jax.arg_info"), text("jax.global_constant"));
            let donated = attributes.get("tf.aliasing_output").is_some()
                || matches!(attributes.get("jax.buffer_donor"), Some((Attribute::Bool(true), _)));
            let location = parser.trailing_location()?;
            let sharding = sharding(&attributes);
            into.push(Parameter { name, at, ty, info, constant, donated, sharding, location });
            Ok(())
        })
    }

    /// A function after `func.func`.
    pub(super) fn function(&mut self, operation: &mut Operation<'a>) -> Result<()> {
        let at = self.token.start;
        for visibility in ["public", "private", "nested"] {
            if self.eat_word(visibility) {
                break;
            }
        }
        let name = self.symbol()?;
        operation.attributes.push("sym_name", Attribute::String(name), at);
        let mut region = Region { at: operation.at, ..Region::default() };
        self.expect(b'(')?;
        let mut parameters = vec![];
        let mut shardings = vec![];
        if self.token.kind == TokenKind::Percent {
            self.parameters(&mut region.parameters)?;
            parameters.extend(region.parameters.iter().map(|parameter| parameter.ty.clone()));
        } else {
            self.attributed_types(&mut parameters, &mut vec![])?;
        }
        let mut results = vec![];
        if self.token.kind == TokenKind::Arrow {
            self.advance();
            if self.eat(b'(') {
                self.attributed_types(&mut results, &mut shardings)?;
            } else {
                results.push(self.ty()?);
            }
        }
        operation.attributes.push("function_type", Attribute::Function(parameters, results), at);
        operation.attributes.push(RESULT_SHARDINGS, Attribute::Array(shardings), at);
        if self.eat_word("attributes") {
            let dropped = self.dictionary()?;
            operation.attributes.0.extend(dropped.0);
        }
        if self.is(b'{') {
            let body = self.region()?;
            region.operations = body.operations;
            operation.regions.push(region);
        }
        Ok(())
    }

    /// `type {attributes}, …)` after the opening bracket.
    fn attributed_types(&mut self, into: &mut Vec<Type>, shardings: &mut Vec<Attribute<'a>>) -> Result<()> {
        self.list(b')', |parser| {
            into.push(parser.ty()?);
            let mut attributes = Attributes::default();
            parser.optional_dictionary(&mut attributes)?;
            shardings.push(sharding(&attributes).unwrap_or(Attribute::Unit));
            parser.trailing_location()?;
            Ok(())
        })
    }
}

/// The sharding of a parameter or result. Shardy's attribute precedes XLA's.
fn sharding<'a>(attributes: &Attributes<'a>) -> Option<Attribute<'a>> {
    let found = attributes.get("sdy.sharding").or_else(|| attributes.get("mhlo.sharding"));
    found.map(|(value, _)| value.clone())
}
