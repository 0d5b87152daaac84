//! Parses text into the syntax tree that the verifier reads. Operations in a pretty form are parsed by the table in
//! `parse/forms.rs`.

mod aliases;
mod attributes;
mod blob;
mod dense;
mod forms;
mod locations;
mod operations;
mod resources;
mod types;

use aliases::Alias;
pub(crate) use dense::splat;
use resources::Resources;

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::error::{Error, Problem, Result, fail};
use crate::lex::{self, Token, TokenKind};
use crate::syntax::{Attribute, Attributes, Location, Operation};
use crate::types::Type;

/// The greatest nesting of regions, types, attributes and locations together.
const DEEPEST: usize = 64;

/// The top level of a text.
#[derive(Debug)]
pub(crate) struct Tree<'a> {
    /// Functions.
    pub(crate) functions: Vec<Operation<'a>>,
    /// The names of functions without a body.
    pub(crate) declared: Vec<String>,
    /// The attributes of the module.
    pub(crate) attributes: Attributes<'a>,
    pub(crate) locations: HashMap<&'a str, Location<'a>>,
    /// `sdy.mesh`, in the form of `#stablehlo.mesh`.
    pub(crate) meshes: HashMap<Cow<'a, str>, Attribute<'a>>,
    /// The number of processes that groups along mesh axes have named so far.
    pub(crate) members: Cell<usize>,
    /// The number of devices that shardings have named so far.
    pub(crate) sharded: Cell<usize>,
}

impl<'a> Tree<'a> {
    fn add_function(&mut self, function: Operation<'a>) {
        match function.attributes.get("sym_name") {
            Some((Attribute::String(name), _)) if function.regions.is_empty() => {
                self.declared.push(name.to_string());
            }
            _ => self.functions.push(function),
        }
    }

    fn add_mesh(&mut self, name: Cow<'a, str>, mesh: Attribute<'a>, at: usize) -> Result<()> {
        let found = format!("'@{name}' again");
        match self.meshes.insert(name, mesh) {
            None => Ok(()),
            Some(_) => fail(at, Problem::Expected { expected: "a new mesh".to_owned(), found }),
        }
    }

    /// In the generic form.
    fn add_mesh_of(&mut self, operation: Operation<'a>) -> Result<()> {
        let get = |name| operation.attributes.get(name).map(|(value, _)| value.clone());
        match (get("sym_name"), get("mesh")) {
            (Some(Attribute::String(name)), Some(mesh)) => self.add_mesh(name, mesh, operation.at),
            _ => {
                let (expected, found) = ("'sym_name' and 'mesh'".to_owned(), "a mesh without".to_owned());
                fail(operation.at, Problem::Expected { expected, found })
            }
        }
    }
}

/// Parses a module, or functions without a module around them.
pub(crate) fn parse(text: &str) -> Result<Tree<'_>> {
    let mut parser = Parser::new(text);
    let mut tree = Tree {
        functions: vec![],
        declared: vec![],
        attributes: Attributes::default(),
        locations: HashMap::new(),
        meshes: HashMap::new(),
        members: Cell::new(0),
        sharded: Cell::new(0),
    };
    parser.top_level(&mut tree)?;
    tree.locations = parser.locations;
    Ok(tree)
}

/// Parses a text token by token, with one token of lookahead.
pub(crate) struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    token: Token,
    /// The end of the previous token.
    last_end: usize,
    depth: usize,
    attributes: HashMap<&'a str, Rc<Alias<Attribute<'a>>>>,
    types: HashMap<&'a str, Rc<Alias<Type>>>,
    /// The bytes that copies of both kinds of aliases take.
    copied: usize,
    locations: HashMap<&'a str, Location<'a>>,
    /// Parsed when a constant first refers to one.
    resources: Option<Resources<'a>>,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str) -> Parser<'a> {
        let bytes = text.as_bytes();
        Parser {
            text,
            bytes,
            token: lex::token(bytes, 0),
            last_end: 0,
            depth: 0,
            attributes: HashMap::new(),
            types: HashMap::new(),
            copied: 0,
            locations: HashMap::new(),
            resources: None,
        }
    }

    /// The text of a token. An invalid token may be a part of a character: the whole character is shown.
    fn slice(&self, token: Token) -> &'a str {
        &self.text[self.text.floor_char_boundary(token.start)..self.text.ceil_char_boundary(token.end)]
    }

    /// Advances to the next token, and returns the current one.
    fn advance(&mut self) -> Token {
        let token = self.token;
        self.last_end = token.end;
        self.token = lex::token(self.bytes, token.end);
        token
    }

    /// Continues at a byte of the text.
    fn go_to(&mut self, at: usize) {
        self.last_end = at;
        self.token = lex::token(self.bytes, at);
    }

    fn is(&self, mark: u8) -> bool {
        self.token.kind == TokenKind::Mark(mark)
    }

    fn is_word(&self, word: &str) -> bool {
        self.token.kind == TokenKind::Word && self.slice(self.token) == word
    }

    fn eat(&mut self, mark: u8) -> bool {
        let there = self.is(mark);
        if there {
            self.advance();
        }
        there
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let there = self.is_word(word);
        if there {
            self.advance();
        }
        there
    }

    /// The current token in words, for an error.
    fn found(&self) -> String {
        match self.token.kind {
            TokenKind::End => "the end of the text".to_owned(),
            TokenKind::OpenString => "a string that does not end".to_owned(),
            TokenKind::String => "a string".to_owned(),
            TokenKind::Mark(_) => {
                let char = self.text[self.token.start..].chars().next().unwrap_or(' ');
                format!("'{}'", char.escape_debug())
            }
            _ => {
                let text: String = self.slice(self.token).chars().take(40).collect();
                format!("'{text}'")
            }
        }
    }

    fn expected<T>(&self, what: impl Into<String>) -> Result<T> {
        fail(self.token.start, Problem::Expected { expected: what.into(), found: self.found() })
    }

    fn expect(&mut self, mark: u8) -> Result<()> {
        if self.eat(mark) { Ok(()) } else { self.expected(format!("'{}'", char::from(mark))) }
    }

    fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) { Ok(()) } else { self.expected(format!("'{word}'")) }
    }

    fn expect_arrow(&mut self) -> Result<()> {
        if self.token.kind == TokenKind::Arrow {
            self.advance();
            return Ok(());
        }
        self.expected("'->'")
    }

    fn word(&mut self, what: &str) -> Result<&'a str> {
        if self.token.kind != TokenKind::Word {
            return self.expected(what);
        }
        let token = self.advance();
        Ok(self.slice(token))
    }

    /// `-?` and a decimal integer.
    fn integer(&mut self) -> Result<i128> {
        let negative = self.eat(b'-');
        if self.token.kind != TokenKind::Integer {
            return self.expected("an integer");
        }
        let text = self.slice(self.token);
        let value = match text.strip_prefix("0x") {
            Some(digits) => i128::from_str_radix(digits, 16),
            None => text.parse(),
        };
        let Ok(value) = value else { return self.expected("an integer of at most 128 bits") };
        self.advance();
        Ok(if negative { -value } else { value })
    }

    fn count(&mut self, what: &str) -> Result<usize> {
        let at = self.token.start;
        let found = self.found();
        let value = self.integer()?;
        match usize::try_from(value) {
            Ok(value) => Ok(value),
            Err(_) => fail(at, Problem::Expected { expected: what.to_owned(), found }),
        }
    }

    /// Items separated by commas up to `close`, which is consumed.
    fn list(&mut self, close: u8, mut item: impl FnMut(&mut Parser<'a>) -> Result<()>) -> Result<()> {
        if self.eat(close) {
            return Ok(());
        }
        loop {
            item(self)?;
            if self.eat(close) {
                return Ok(());
            }
            if !self.eat(b',') {
                return self.expected(format!("',' or '{}'", char::from(close)));
            }
        }
    }

    /// Runs a parser that may recurse, to a limited depth.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Parser<'a>) -> Result<T>) -> Result<T> {
        if self.depth == DEEPEST {
            let what = "regions, types and attributes";
            return fail(self.token.start, Problem::TooDeep { what, limit: DEEPEST });
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// The contents of the string token.
    fn string(&mut self) -> Result<Cow<'a, str>> {
        if self.token.kind != TokenKind::String {
            return self.expected("a string");
        }
        let Token { start, end, .. } = self.advance();
        let raw = &self.text[start + 1..end - 1];
        if !raw.contains('\\') {
            return Ok(Cow::Borrowed(raw));
        }
        let mut bytes = vec![];
        let mut rest = raw.bytes();
        while let Some(byte) = rest.next() {
            if byte != b'\\' {
                bytes.push(byte);
                continue;
            }
            let first = rest.next().unwrap_or(b'\\');
            let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|d| u8::try_from(d).ok());
            bytes.push(match first {
                b'n' => b'\n',
                b't' => b'\t',
                b'"' | b'\\' => first,
                _ => match (digit(first), rest.next().and_then(digit)) {
                    (Some(high), Some(low)) => high << 4 | low,
                    _ => {
                        let found = "another escape".to_owned();
                        let expected =
                            "an escape \\n, \\t, \\\", \\\\ or of two hexadecimal digits".to_owned();
                        return fail(start, Problem::Expected { expected, found });
                    }
                },
            });
        }
        Ok(Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// `@name` or `@"name"`, nested ones joined with `::`.
    fn symbol(&mut self) -> Result<Cow<'a, str>> {
        if self.token.kind != TokenKind::At {
            return self.expected("a name that begins with '@'");
        }
        let token = self.advance();
        let name = match token.end - token.start {
            1 if self.token.kind == TokenKind::String && self.token.start == token.end => self.string()?,
            1 => return self.expected("a name after '@'"),
            _ => Cow::Borrowed(&self.text[token.start + 1..token.end]),
        };
        if self.is(b':') && self.bytes[self.token.end..].starts_with(b":@") {
            self.advance();
            self.advance();
            let inner = self.nested(Parser::symbol)?;
            return Ok(Cow::Owned(format!("{name}::{inner}")));
        }
        Ok(name)
    }

    /// Skips the bracket at `at` and its contents.
    fn skip_brackets(&mut self) -> Result<()> {
        let start = self.token.start;
        let mut depth = 0usize;
        loop {
            match self.token.kind {
                TokenKind::Mark(b'<' | b'[' | b'{' | b'(') => depth += 1,
                TokenKind::Mark(b'>' | b']' | b'}' | b')') => depth = depth.saturating_sub(1),
                TokenKind::End | TokenKind::OpenString => {
                    let (expected, found) = ("a bracket that closes".to_owned(), self.found());
                    return fail(start, Problem::Expected { expected, found });
                }
                _ => {}
            }
            self.advance();
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn top_level(&mut self, tree: &mut Tree<'a>) -> Result<()> {
        while self.token.kind != TokenKind::End {
            match self.token.kind {
                TokenKind::Hash => self.alias()?,
                TokenKind::Bang => self.type_alias()?,
                TokenKind::Mark(b'{') => self.skip_brackets()?,
                _ if self.is_word("module") || self.is_word("builtin.module") => self.module(tree)?,
                _ => self.module_operation(tree)?,
            }
        }
        Ok(())
    }

    /// `module @name attributes {…} {…}`.
    fn module(&mut self, tree: &mut Tree<'a>) -> Result<()> {
        self.advance();
        if self.token.kind == TokenKind::At {
            self.symbol()?;
        }
        if self.eat_word("attributes") {
            let attributes = self.dictionary()?;
            tree.attributes.0.extend(attributes.0);
        }
        self.expect(b'{')?;
        while !self.eat(b'}') {
            if self.is_word("module") || self.is_word("builtin.module") {
                return fail(self.token.start, Problem::Unsupported("a module within a module".to_owned()));
            }
            self.module_operation(tree)?;
        }
        self.trailing_location()?;
        Ok(())
    }

    /// An item of a module.
    fn module_operation(&mut self, tree: &mut Tree<'a>) -> Result<()> {
        let at = self.token.start;
        if self.is_word("sdy.mesh") {
            self.advance();
            let name = self.symbol()?;
            self.expect(b'=')?;
            let mesh = self.mesh()?;
            if self.is(b'{') {
                self.skip_brackets()?;
            }
            self.trailing_location()?;
            return tree.add_mesh(name, mesh, at);
        }
        if !(self.is_word("func.func") || self.token.kind == TokenKind::String) {
            return self.expected("'module' or 'func.func'");
        }
        let operation = self.operation()?;
        match &*operation.name {
            "func.func" => tree.add_function(operation),
            "sdy.mesh" => tree.add_mesh_of(operation)?,
            "builtin.module" => {
                tree.attributes.0.extend(operation.attributes.0);
                for region in operation.regions {
                    for operation in region.operations {
                        match &*operation.name {
                            "func.func" => tree.add_function(operation),
                            "sdy.mesh" => tree.add_mesh_of(operation)?,
                            other => {
                                return fail(
                                    operation.at,
                                    Problem::Unsupported(format!("'{other}' in a module")),
                                );
                            }
                        }
                    }
                }
            }
            other => return fail(at, Problem::Unsupported(format!("'{other}' in a module"))),
        }
        Ok(())
    }

    /// `#name = attribute` or `#name = loc(…)`.
    fn alias(&mut self) -> Result<()> {
        let token = self.advance();
        let name = self.slice(token);
        self.expect(b'=')?;
        let clash = if self.is_word("loc") {
            let location = self.location()?;
            self.locations.insert(name, location).is_some()
        } else {
            let attribute = self.attribute()?;
            self.attributes.insert(name, Rc::new(Alias::new(attribute))).is_some()
        };
        if clash {
            return fail(
                token.start,
                Problem::Expected { expected: "a new alias".into(), found: format!("'{name}' again") },
            );
        }
        Ok(())
    }

    /// `!name = type`.
    fn type_alias(&mut self) -> Result<()> {
        let token = self.advance();
        self.expect(b'=')?;
        let ty = self.ty()?;
        if self.types.insert(self.slice(token), Rc::new(Alias::new(ty))).is_some() {
            let found = format!("'{}' again", self.slice(token));
            return fail(token.start, Problem::Expected { expected: "a new alias".into(), found });
        }
        Ok(())
    }
}

/// The problem of an error from `fail`.
fn moved<T>(result: std::result::Result<T, Problem>, at: usize) -> Result<T> {
    result.map_err(|problem| Box::new(Error { at, problem }))
}
