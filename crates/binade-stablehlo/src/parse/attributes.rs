//! Parses attributes, in every form that MLIR prints.

use super::dense::{self, Literal};
use super::{Parser, moved, types};
use crate::error::{Problem, Result, fail};
use crate::lex::{self, TokenKind};
use crate::syntax::{Attribute, Attributes, Axes, Axis, ConvolutionDimensions, Dense, Sharding};
use crate::types::{ElementType, Type};

/// The dialects whose attributes are parsed; those of others are skipped.
const DIALECTS: [&str; 3] = ["#stablehlo", "#mhlo", "#chlo"];

/// Structured attributes, with the names of their fields.
const FIELDS: &[(&str, &[&str])] = &[
    (
        "dot",
        &[
            "lhs_batching_dimensions",
            "rhs_batching_dimensions",
            "lhs_contracting_dimensions",
            "rhs_contracting_dimensions",
        ],
    ),
    (
        "gather",
        &[
            "offset_dims",
            "collapsed_slice_dims",
            "operand_batching_dims",
            "start_indices_batching_dims",
            "start_index_map",
            "index_vector_dim",
        ],
    ),
    (
        "scatter",
        &[
            "update_window_dims",
            "inserted_window_dims",
            "input_batching_dims",
            "scatter_indices_batching_dims",
            "scatter_dims_to_operand_dims",
            "index_vector_dim",
        ],
    ),
];

impl<'a> Parser<'a> {
    /// `{name = attribute, name, …}`.
    pub(super) fn dictionary(&mut self) -> Result<Attributes<'a>> {
        let mut attributes = Attributes::default();
        self.expect(b'{')?;
        self.named(b'}', &mut attributes)?;
        Ok(attributes)
    }

    /// `{…}`, if it is next.
    pub(super) fn optional_dictionary(&mut self, into: &mut Attributes<'a>) -> Result<()> {
        if self.eat(b'{') { self.named(b'}', into) } else { Ok(()) }
    }

    /// `name = attribute, name, …` until `close`. A comma may stand before '>', but not before '}'.
    pub(super) fn named(&mut self, close: u8, into: &mut Attributes<'a>) -> Result<()> {
        self.list(close, |parser| {
            if close == b'>' && parser.is(close) {
                return Ok(());
            }
            let at = parser.token.start;
            let name = match parser.token.kind {
                TokenKind::String => parser.string()?,
                _ => parser.word("the name of an attribute")?.into(),
            };
            let value = if parser.eat(b'=') { parser.attribute()? } else { Attribute::Unit };
            into.push(name, value, at);
            Ok(())
        })
    }

    /// An attribute.
    pub(super) fn attribute(&mut self) -> Result<Attribute<'a>> {
        self.nested(Parser::attribute_inner)
    }

    fn attribute_inner(&mut self) -> Result<Attribute<'a>> {
        let text = self.slice(self.token);
        match self.token.kind {
            TokenKind::Mark(b'[') => {
                self.advance();
                let mut items = vec![];
                self.list(b']', |parser| {
                    items.push(parser.attribute()?);
                    Ok(())
                })?;
                Ok(Attribute::Array(items))
            }
            TokenKind::Mark(b'{') => Ok(Attribute::Struct(self.dictionary()?)),
            TokenKind::Mark(b'<') => {
                self.advance();
                let mut fields = Attributes::default();
                self.named(b'>', &mut fields)?;
                Ok(Attribute::Struct(fields))
            }
            TokenKind::Mark(b'(') if lex::token(self.bytes, self.token.end).kind == TokenKind::Integer => {
                self.sub_axis()
            }
            TokenKind::Mark(b'(') => {
                let parameters = self.types()?;
                self.expect_arrow()?;
                Ok(Attribute::Function(parameters, self.result_types()?))
            }
            TokenKind::Mark(b'-') | TokenKind::Integer | TokenKind::Float => self.number(),
            TokenKind::String => {
                let string = self.string()?;
                self.optional_type()?;
                Ok(Attribute::String(string))
            }
            TokenKind::At => Ok(Attribute::Symbol(self.symbol()?)),
            TokenKind::Hash => self.dialect_attribute(),
            // No operation has a type as an attribute, so a type of any dialect is accepted.
            TokenKind::Bang => {
                self.advance();
                if self.is(b'<') {
                    self.skip_brackets()?;
                }
                Ok(Attribute::Opaque)
            }
            TokenKind::Word => match text {
                "true" | "false" => {
                    self.advance();
                    Ok(Attribute::Bool(text == "true"))
                }
                "unit" => {
                    self.advance();
                    Ok(Attribute::Unit)
                }
                "tensor" | "tuple" => {
                    self.ty()?;
                    Ok(Attribute::Opaque)
                }
                "dense" => {
                    self.advance();
                    let literal = self.literal()?;
                    self.expect(b':')?;
                    self.dense_of(literal)
                }
                "array" => {
                    self.advance();
                    self.array()
                }
                "loc" => {
                    self.location()?;
                    Ok(Attribute::Opaque)
                }
                "dense_resource" => {
                    self.advance();
                    self.resource()
                }
                _ => {
                    if let Some(element) = types::element(text) {
                        self.advance();
                        return Ok(Attribute::Element(element));
                    }
                    let word = self.word("an attribute")?;
                    if self.is(b'<') {
                        self.skip_brackets()?;
                        self.optional_type()?;
                        return Ok(Attribute::Opaque);
                    }
                    Ok(Attribute::Word(word))
                }
            },
            _ => self.expected("an attribute"),
        }
    }

    fn optional_type(&mut self) -> Result<()> {
        if self.eat(b':') {
            if self.token.kind == TokenKind::Word && types::element(self.slice(self.token)).is_some() {
                self.advance();
            } else {
                self.ty()?;
            }
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Attribute<'a>> {
        let start = self.token.start;
        let negative = self.is(b'-');
        let number = if negative { lex::token(self.bytes, self.token.end) } else { self.token };
        let value = match number.kind {
            TokenKind::Float => Attribute::Float(self.float()?),
            _ => Attribute::Integer(self.integer()?),
        };
        if !self.eat(b':') {
            return Ok(value);
        }
        let element = self.element()?;
        // A float may be written as its bits.
        match (value, element) {
            (Attribute::Integer(bits), ElementType::Float(float)) => {
                let (format, code) = (float.format(), u64::try_from(bits).unwrap_or(u64::MAX));
                match binade::Datum::new(format, code) {
                    Ok(_) if !negative => Ok(Attribute::Float(dense::to_f64(format, code))),
                    _ => {
                        let (expected, found) = (format!("the bits of a {}", float.name()), bits.to_string());
                        fail(start, Problem::Expected { expected, found })
                    }
                }
            }
            (value, _) => Ok(value),
        }
    }

    /// `<["x"=2, "y"=4], device_ids=[0, 1, …]>`, converted to the form of `#stablehlo.mesh<axes = […], device_ids = …>`.
    pub(super) fn mesh(&mut self) -> Result<Attribute<'a>> {
        let mut fields = Attributes::default();
        let (at, mut axes) = (self.token.start, vec![]);
        self.expect(b'<')?;
        self.expect(b'[')?;
        self.list(b']', |parser| {
            let at = parser.token.start;
            let mut axis = Attributes::default();
            axis.push("name", Attribute::String(parser.string()?), at);
            parser.expect(b'=')?;
            axis.push("size", Attribute::Integer(parser.integer()?), at);
            axes.push(Attribute::Struct(axis));
            Ok(())
        })?;
        fields.push("axes", Attribute::Array(axes), at);
        if self.eat(b',') {
            self.expect_word("device_ids")?;
            self.expect(b'=')?;
            let ids = self.attribute()?;
            fields.push("device_ids", ids, at);
        }
        self.expect(b'>')?;
        Ok(Attribute::Struct(fields))
    }

    /// `(2)4`: the part of size 4 of a mesh's axis after a part of size 2.
    fn part(&mut self) -> Result<(usize, usize)> {
        self.expect(b'(')?;
        let before = self.count("a size")?;
        self.expect(b')')?;
        Ok((before, self.count("a size")?))
    }

    /// A part of a mesh's axis, as an attribute.
    fn sub_axis(&mut self) -> Result<Attribute<'a>> {
        let (before, size) = self.part()?;
        match [before, size].map(i64::try_from) {
            [Ok(before), Ok(size)] => Ok(Attribute::Integers(vec![before, size])),
            _ => self.expected("sizes of 64 bits"),
        }
    }

    /// `<@mesh, [{"x", ?}p1, {}], replicated={"y"}>`. The mesh is given by name or in place.
    pub(super) fn sharding_attribute(&mut self) -> Result<Attribute<'a>> {
        self.expect(b'<')?;
        let mesh = if self.eat_word("mesh") { self.mesh()? } else { self.attribute()? };
        self.expect(b',')?;
        self.expect(b'[')?;
        let (mut dimensions, mut open) = (vec![], vec![]);
        self.list(b']', |parser| {
            let (axes, more) = parser.axis_names()?;
            dimensions.push(axes);
            open.push(more);
            // A priority, which only sharding propagation uses.
            if parser.token.kind == TokenKind::Word {
                parser.advance();
            }
            Ok(())
        })?;
        // Devices along other axes have copies.
        let mut unreduced = vec![];
        while self.eat(b',') {
            let kind = self.word("'replicated' or 'unreduced'")?;
            self.expect(b'=')?;
            let (axes, _) = self.axis_names()?;
            if kind == "unreduced" {
                unreduced = axes;
            }
        }
        self.expect(b'>')?;
        Ok(Attribute::Sharding(Box::new(Sharding { mesh, dimensions, open, unreduced })))
    }

    /// `[<@mesh, [{"x"}]>, …]`.
    pub(super) fn shardings(&mut self) -> Result<Attribute<'a>> {
        let mut all = vec![];
        self.expect(b'[')?;
        self.list(b']', |parser| {
            all.push(parser.sharding_attribute()?);
            Ok(())
        })?;
        Ok(Attribute::Array(all))
    }

    /// `{"x", "y":(1)2, ?}`: axes, and true if a question mark allows more.
    fn axis_names(&mut self) -> Result<(Vec<Axis<'a>>, bool)> {
        let (mut axes, mut more) = (vec![], false);
        self.expect(b'{')?;
        self.list(b'}', |parser| {
            if parser.eat(b'?') {
                more = true;
                return Ok(());
            }
            let name = parser.string()?;
            let part = match parser.eat(b':') {
                true => Some(parser.part()?),
                false => None,
            };
            axes.push(Axis { name, part });
            Ok(())
        })?;
        Ok((axes, more))
    }

    /// `{"x", "y"}`.
    pub(super) fn manual_axes(&mut self) -> Result<Attribute<'a>> {
        let (axes, _) = self.axis_names()?;
        Ok(Attribute::Array(axes.into_iter().map(|axis| Attribute::String(axis.name)).collect()))
    }

    /// `<i64: 1, 2>` after `array`.
    fn array(&mut self) -> Result<Attribute<'a>> {
        self.expect(b'<')?;
        // No operation has an array of floating-point numbers.
        if matches!(self.element()?, ElementType::Float(_)) {
            while !self.eat(b'>') {
                if matches!(self.token.kind, TokenKind::End | TokenKind::OpenString) {
                    return self.expected("'>' after an array");
                }
                self.advance();
            }
            return Ok(Attribute::Opaque);
        }
        let mut items = vec![];
        if self.eat(b':') {
            self.list(b'>', |parser| {
                let at = parser.token.start;
                items.push(match () {
                    () if parser.eat_word("true") => 1,
                    () if parser.eat_word("false") => 0,
                    () => match i64::try_from(parser.integer()?) {
                        Ok(item) => item,
                        Err(_) => {
                            let expected = "an integer of 64 bits".to_owned();
                            return fail(
                                at,
                                Problem::Expected { expected, found: "a greater one".to_owned() },
                            );
                        }
                    },
                });
                Ok(())
            })?;
        } else {
            self.expect(b'>')?;
        }
        Ok(Attribute::Integers(items))
    }

    /// `<…>` after `dense`, not parsed yet.
    pub(super) fn literal(&mut self) -> Result<Literal> {
        if !self.is(b'<') {
            return self.expected("'<'");
        }
        let start = self.token.end;
        let Some(end) = dense::literal_end(self.bytes, start) else {
            return fail(
                start,
                Problem::Expected { expected: "'>' after a constant".into(), found: "none".into() },
            );
        };
        self.go_to(end + 1);
        Ok(Literal { start, end })
    }

    /// The constant of a literal, followed by its type.
    pub(super) fn dense_of(&mut self, literal: Literal) -> Result<Attribute<'a>> {
        let (element, shape) = self.constant_type()?;
        let data = dense::read(self.bytes, literal, &element, &shape)?;
        Ok(Attribute::Dense(Dense { element, shape, data }))
    }

    /// The type of a constant, with all its sizes.
    pub(super) fn constant_type(&mut self) -> Result<(ElementType, Vec<usize>)> {
        let at = self.token.start;
        let ty = if self.is_word("vector") {
            self.advance();
            self.tensor()?
        } else {
            match self.ty()? {
                Type::Tensor(ty) => ty,
                other => {
                    return fail(
                        at,
                        Problem::Expected { expected: "a tensor type".into(), found: other.to_string() },
                    );
                }
            }
        };
        let Some(shape) = ty.shape.iter().copied().collect::<Option<Vec<usize>>>() else {
            return fail(at, Problem::Constant("its type leaves a size open".to_owned()));
        };
        Ok((ty.element, shape))
    }

    /// `#name`, `#stablehlo<name VALUE>`, `#stablehlo.name<…>`.
    fn dialect_attribute(&mut self) -> Result<Attribute<'a>> {
        let token = self.advance();
        let name = self.slice(token);
        let (dialect, rest) = name.split_once('.').unwrap_or((name, ""));
        let angle = self.is(b'<') && self.token.start == self.last_end;
        if !angle {
            if let Some(alias) = self.attributes.get(name).cloned() {
                return self.copy(&alias, token.start);
            }
            // Locations may be named before they are defined; no operation needs them as attributes.
            return match rest {
                "" if name.starts_with("#loc") => Ok(Attribute::Opaque),
                "" => fail(token.start, Problem::UndefinedAlias(name.to_owned())),
                _ => Ok(Attribute::Opaque),
            };
        }
        match name {
            "#sdy.mesh" => return self.mesh(),
            "#sdy.sharding" => return self.sharding_attribute(),
            "#sdy.sharding_per_value" => {
                self.expect(b'<')?;
                let shardings = self.shardings()?;
                self.expect(b'>')?;
                return Ok(shardings);
            }
            "#sdy" if self.word_after("manual_axes") => {
                self.expect(b'<')?;
                self.expect_word("manual_axes")?;
                let axes = self.manual_axes()?;
                self.expect(b'>')?;
                return Ok(axes);
            }
            _ => {}
        }
        if !DIALECTS.contains(&dialect) {
            self.skip_brackets()?;
            return Ok(Attribute::Opaque);
        }
        if rest.is_empty() {
            self.expect(b'<')?;
            let kind = self.word("the name of an attribute")?;
            let value = match self.token.kind {
                TokenKind::Mark(b'<') if kind == "conv" => self.convolution_attribute()?,
                TokenKind::Mark(b'<') => self.fields(kind)?,
                TokenKind::Word => Attribute::Word(self.word("a word")?),
                _ => Attribute::Word(kind),
            };
            self.expect(b'>')?;
            return Ok(value);
        }
        if rest == "conv" { self.convolution_attribute() } else { self.fields(rest) }
    }

    /// Returns true if a word follows the current token.
    fn word_after(&self, word: &str) -> bool {
        let next = lex::token(self.bytes, self.token.end);
        next.kind == TokenKind::Word && self.slice(next) == word
    }

    /// `<name = attribute, …>` or `<WORD>`, of an attribute of this name.
    fn fields(&mut self, attribute: &str) -> Result<Attribute<'a>> {
        let first = lex::token(self.bytes, self.token.end);
        if !matches!(first.kind, TokenKind::Word | TokenKind::Mark(b'>')) {
            self.skip_brackets()?;
            return Ok(Attribute::Opaque);
        }
        let second = lex::token(self.bytes, first.end);
        self.expect(b'<')?;
        if first.kind == TokenKind::Word && second.kind == TokenKind::Mark(b'>') {
            let word = self.word("a word")?;
            self.expect(b'>')?;
            return Ok(Attribute::Word(word));
        }
        let mut fields = Attributes::default();
        self.named(b'>', &mut fields)?;
        if let Some((_, known)) = FIELDS.iter().find(|(name, _)| *name == attribute) {
            for (index, (name, _, at)) in fields.0.iter().enumerate() {
                let twice = fields.0[..index].iter().any(|(other, ..)| other == name);
                if twice || !known.contains(&&**name) {
                    let expected =
                        format!("fields of #stablehlo.{attribute}, each once: {}", known.join(", "));
                    let found = format!("'{name}'{}", if twice { " for the second time" } else { "" });
                    return fail(*at, Problem::Expected { expected, found });
                }
            }
        }
        Ok(Attribute::Struct(fields))
    }

    /// `<[b, 0, f]x[0, i, o]->[b, 0, f]>` or `<raw input_batch_dimension = 0, …>`.
    fn convolution_attribute(&mut self) -> Result<Attribute<'a>> {
        self.expect(b'<')?;
        if self.eat_word("raw") {
            let at = self.token.start;
            let mut fields = Attributes::default();
            self.named(b'>', &mut fields)?;
            return moved(raw_dimensions(&fields), at);
        }
        let dimensions = self.convolution_dimensions()?;
        self.expect(b'>')?;
        Ok(dimensions)
    }

    /// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`.
    pub(super) fn convolution_dimensions(&mut self) -> Result<Attribute<'a>> {
        let input = self.axes(["b", "f"])?;
        self.expect_word("x")?;
        let kernel = self.axes(["i", "o"])?;
        self.expect_arrow()?;
        let output = self.axes(["b", "f"])?;
        Ok(Attribute::Convolution(Box::new(ConvolutionDimensions { input, kernel, output })))
    }

    fn axes(&mut self, letters: [&str; 2]) -> Result<Axes> {
        let at = self.token.start;
        let (mut named, mut spatial) = ([None; 2], vec![]);
        let mut position = 0;
        self.expect(b'[')?;
        self.list(b']', |parser| {
            if parser.token.kind == TokenKind::Word {
                let word = parser.slice(parser.token);
                match letters.iter().position(|letter| *letter == word) {
                    Some(index) => named[index] = Some(position),
                    None => {
                        return parser.expected(format!("'{}', '{}' or a number", letters[0], letters[1]));
                    }
                }
                parser.advance();
            } else {
                spatial.push((parser.count("a number")?, position));
            }
            position += 1;
            Ok(())
        })?;
        spatial.sort_unstable();
        let dense = spatial.iter().enumerate().all(|(index, (number, _))| index == *number);
        match (named, dense) {
            ([Some(first), Some(second)], true) if position == spatial.len() as i128 + 2 => Ok(Axes {
                first,
                second,
                spatial: spatial.into_iter().map(|(_, position)| position).collect(),
            }),
            _ => {
                let [first, second] = letters;
                let expected = format!("'{first}', '{second}' and the numbers from 0, each once");
                fail(at, Problem::Expected { expected, found: "other dimensions".to_owned() })
            }
        }
    }
}

fn raw_dimensions<'a>(fields: &Attributes<'a>) -> std::result::Result<Attribute<'a>, Problem> {
    let missing = |name: String| Problem::Expected { expected: name, found: "none".to_owned() };
    let one = |name: String| match fields.get(&name) {
        Some((Attribute::Integer(value), _)) => Ok(*value),
        _ => Err(missing(name)),
    };
    let several = |name: String| match fields.get(&name) {
        Some((Attribute::Array(items), _)) => items
            .iter()
            .map(|item| match item {
                Attribute::Integer(value) => Ok(*value),
                _ => Err(missing(name.clone())),
            })
            .collect(),
        _ => Err(missing(name)),
    };
    let axes = |part: &str, first: &str, second: &str| {
        Ok(Axes {
            first: one(format!("{part}_{first}_dimension"))?,
            second: one(format!("{part}_{second}_dimension"))?,
            spatial: several(format!("{part}_spatial_dimensions"))?,
        })
    };
    Ok(Attribute::Convolution(Box::new(ConvolutionDimensions {
        input: axes("input", "batch", "feature")?,
        kernel: axes("kernel", "input_feature", "output_feature")?,
        output: axes("output", "batch", "feature")?,
    })))
}
