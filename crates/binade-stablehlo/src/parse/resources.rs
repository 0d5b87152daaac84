//! Parses the resource section at the end of a file, `{-# dialect_resources: { builtin: { name: "0x…" } } #-}`, and the
//! constants that refer to it: `dense_resource<name> : type`.

use std::collections::HashMap;

use memchr::memmem;

use super::{Parser, blob, moved};
use crate::error::{Problem, Result, fail};
use crate::lex::TokenKind;
use crate::syntax::{Attribute, Dense};

/// Digits before a blob's elements: the alignment, a 32-bit integer.
const ALIGNMENT: usize = 8;

/// The digits of each resource, and their places in the text.
pub(super) type Resources<'a> = HashMap<String, (&'a str, usize)>;

impl<'a> Parser<'a> {
    /// `<name> : type` after `dense_resource`.
    pub(super) fn resource(&mut self) -> Result<Attribute<'a>> {
        self.expect(b'<')?;
        let at = self.token.start;
        let name = self.resource_name()?;
        self.expect(b'>')?;
        self.expect(b':')?;
        let (element, shape) = self.constant_type()?;
        if self.resources.is_none() {
            let resources = self.section()?;
            self.resources = Some(resources);
        }
        let Some(&(blob, start)) = self.resources.as_ref().and_then(|resources| resources.get(&name)) else {
            return fail(at, Problem::Constant(format!("there is no resource '{name}'")));
        };
        let Some(digits) = blob.strip_prefix("0x").and_then(|digits| digits.get(ALIGNMENT..)) else {
            let facts = "a resource is a string of 0x, an alignment of 8 digits, and its bytes";
            return fail(start, Problem::Constant(facts.to_owned()));
        };
        let count: usize = shape.iter().product();
        let data = moved(blob::read(digits.as_bytes(), &element, count), start)?;
        if data.len() != count {
            let facts = format!("a resource has {} elements where its type has {count}", data.len());
            return fail(start, Problem::Constant(facts));
        }
        Ok(Attribute::Dense(Dense { element, shape, data }))
    }

    fn resource_name(&mut self) -> Result<String> {
        match self.token.kind {
            TokenKind::String => Ok(self.string()?.into_owned()),
            _ => Ok(self.word("the name of a resource")?.to_owned()),
        }
    }

    /// The resources of the section, which is the last item of the text. Empty without a section.
    fn section(&mut self) -> Result<Resources<'a>> {
        let mut resources = HashMap::new();
        let Some(start) = memmem::rfind(self.bytes, b"{-#") else { return Ok(resources) };
        let here = (self.token, self.last_end);
        self.go_to(start + b"{-#".len());
        while self.token.kind == TokenKind::Word {
            let group = self.word("dialect_resources")?;
            self.expect(b':')?;
            match group {
                "dialect_resources" => {
                    self.expect(b'{')?;
                    self.list(b'}', |parser| {
                        parser.word("a dialect")?;
                        parser.expect(b':')?;
                        parser.expect(b'{')?;
                        parser.list(b'}', |parser| parser.entry(&mut resources))
                    })?;
                }
                _ => self.skip_brackets()?,
            }
            if !self.eat(b',') {
                break;
            }
        }
        if self.token.kind != TokenKind::Hash {
            return self.expected("'#-}' after resources");
        }
        (self.token, self.last_end) = here;
        Ok(resources)
    }

    /// `name: "0x…"`.
    fn entry(&mut self, resources: &mut Resources<'a>) -> Result<()> {
        let at = self.token.start;
        let name = self.resource_name()?;
        self.expect(b':')?;
        if self.token.kind != TokenKind::String {
            return self.expected("a string of hexadecimal digits");
        }
        let token = self.advance();
        let blob = &self.text[token.start + 1..token.end - 1];
        if resources.insert(name.clone(), (blob, token.start)).is_some() {
            let found = format!("'{name}' again");
            return fail(at, Problem::Expected { expected: "a new resource".to_owned(), found });
        }
        Ok(())
    }
}
