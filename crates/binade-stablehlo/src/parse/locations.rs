//! Parses locations. Only names matter: they give the scope of the source program to which an operation belongs.

use super::Parser;
use crate::error::Result;
use crate::lex::TokenKind;
use crate::syntax::Location;

impl<'a> Parser<'a> {
    /// `loc(…)`, if it is next.
    pub(super) fn trailing_location(&mut self) -> Result<Option<Location<'a>>> {
        if self.is_word("loc") { Ok(Some(self.location()?)) } else { Ok(None) }
    }

    /// `loc(…)`.
    pub(super) fn location(&mut self) -> Result<Location<'a>> {
        self.expect_word("loc")?;
        self.expect(b'(')?;
        let location = self.nested(Parser::location_inner)?;
        self.expect(b')')?;
        Ok(location)
    }

    fn location_inner(&mut self) -> Result<Location<'a>> {
        match self.token.kind {
            TokenKind::Hash => {
                let token = self.advance();
                Ok(Location::Alias(self.slice(token)))
            }
            TokenKind::String => {
                let name = self.string()?;
                if self.eat(b':') {
                    self.place()?;
                    return Ok(Location::Nameless);
                }
                if self.eat(b'(') {
                    self.nested(Parser::location_inner)?;
                    self.expect(b')')?;
                }
                Ok(Location::Name(name))
            }
            TokenKind::Word => match self.word("a location")? {
                "unknown" => Ok(Location::Nameless),
                "callsite" => {
                    self.expect(b'(')?;
                    let callee = self.nested(Parser::location_inner)?;
                    self.expect_word("at")?;
                    let caller = self.nested(Parser::location_inner)?;
                    self.expect(b')')?;
                    Ok(Location::Several(vec![callee, caller]))
                }
                "fused" => {
                    if self.is(b'<') {
                        self.skip_brackets()?;
                    }
                    self.expect(b'[')?;
                    let mut parts = vec![];
                    self.list(b']', |parser| {
                        parts.push(parser.nested(Parser::location_inner)?);
                        Ok(())
                    })?;
                    Ok(Location::Several(parts))
                }
                _ => self.expected("a location"),
            },
            _ => self.expected("a location"),
        }
    }

    /// `line:column`, and `to line:column` or `to :column`.
    fn place(&mut self) -> Result<()> {
        self.count("a line")?;
        self.expect(b':')?;
        self.count("a column")?;
        if self.eat_word("to") {
            if self.token.kind == TokenKind::Integer {
                self.count("a line")?;
            }
            self.expect(b':')?;
            self.count("a column")?;
        }
        Ok(())
    }
}
