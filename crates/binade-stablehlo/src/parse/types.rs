//! Parses types of values and of elements.

use std::sync::Arc;

use super::{Parser, dense};
use crate::error::{Problem, Result, fail};
use crate::lex::{self, TokenKind};
use crate::types::{ElementType, FloatType, Quantized, TensorType, Type};

/// The maximum size of a tensor, in bytes.
pub(crate) const MOST_BYTES: usize = isize::MAX as usize;

/// The maximum rank of a tensor.
const HIGHEST: usize = 256;

/// The element type of a name. `index` is the type that the reference interpreter uses for it.
pub(super) fn element(name: &str) -> Option<ElementType> {
    let integer = |signed, digits: &str| match digits.parse() {
        Ok(width @ (2 | 4 | 8 | 16 | 32 | 64)) if !digits.starts_with(['0', '+']) => {
            Some(ElementType::Integer { signed, width })
        }
        _ => None,
    };
    match name {
        "i1" => Some(ElementType::Bool),
        "index" => Some(ElementType::Integer { signed: true, width: 64 }),
        _ => match name.strip_prefix("ui").or(name.strip_prefix("u")) {
            Some(digits) => integer(false, digits),
            None => match name.strip_prefix("si").or(name.strip_prefix('i')) {
                Some(digits) => integer(true, digits),
                None => {
                    let float = FloatType::ALL.iter().find(|(_, spelt)| *spelt == name)?;
                    Some(ElementType::Float(float.0))
                }
            },
        },
    }
}

/// The smallest and the largest positive number of a type.
fn positive_range(float: FloatType) -> (f64, f64) {
    let format = float.format();
    (dense::to_f64(format, format.min_positive_code()), dense::to_f64(format, format.max_finite_code()))
}

impl<'a> Parser<'a> {
    /// A type of a value.
    pub(super) fn ty(&mut self) -> Result<Type> {
        self.nested(|parser| parser.ty_inner())
    }

    fn ty_inner(&mut self) -> Result<Type> {
        let at = self.token.start;
        let name = self.slice(self.token);
        match (self.token.kind, name) {
            (TokenKind::Word, "tensor") => {
                self.advance();
                Ok(Type::Tensor(self.tensor()?))
            }
            (TokenKind::Word, "tuple") => {
                self.advance();
                self.expect(b'<')?;
                let mut types = vec![];
                self.list(b'>', |parser| {
                    types.push(parser.ty()?);
                    Ok(())
                })?;
                Ok(Type::Tuple(types))
            }
            (TokenKind::Bang, "!stablehlo.token" | "!mhlo.token") => {
                self.advance();
                Ok(Type::Token)
            }
            (TokenKind::Bang, _) => match self.types.get(name).cloned() {
                Some(alias) => {
                    self.advance();
                    self.copy(&alias, at)
                }
                None if name.contains('.') => fail(at, Problem::Unsupported(format!("type '{name}'"))),
                None => fail(at, Problem::UndefinedAlias(name.to_owned())),
            },
            (TokenKind::Word, "memref" | "vector" | "none" | "complex" | "index") => {
                fail(at, Problem::Unsupported(format!("a value of type '{name}'")))
            }
            (TokenKind::Word, _) if element(name).is_some() => fail(
                at,
                Problem::Unsupported(format!("a value of type '{name}' (a scalar is tensor<{name}>)")),
            ),
            _ => self.expected("a type"),
        }
    }

    /// The rest of a tensor type after `tensor`.
    pub(super) fn tensor(&mut self) -> Result<TensorType> {
        let at = self.token.start;
        if !self.is(b'<') {
            return self.expected("'<'");
        }
        let mut next = self.token.end;
        let mut shape = vec![];
        loop {
            next = lex::skip_space(self.bytes, next);
            let end = match self.bytes.get(next) {
                Some(b'*') => return fail(next, Problem::Unsupported("a tensor without a rank".to_owned())),
                Some(b'?') => next + 1,
                Some(b'0'..=b'9') => lex::run(self.bytes, next, |byte| byte.is_ascii_digit()),
                _ => break,
            };
            let size = &self.text[next..end];
            let end = lex::skip_space(self.bytes, end);
            if self.bytes.get(end) != Some(&b'x') {
                self.go_to(end);
                return self.expected("'x' after a size");
            }
            shape.push(match size {
                "?" => None,
                _ => match size.parse() {
                    Ok(size) => Some(size),
                    Err(_) => return fail(next, Problem::TooLarge { limit: MOST_BYTES }),
                },
            });
            next = end + 1;
        }
        if shape.len() > HIGHEST {
            return fail(at, Problem::TooHigh { limit: HIGHEST });
        }
        self.go_to(next);
        let element = self.element()?;
        if self.eat(b',') {
            self.encoding(&shape)?;
        }
        self.expect(b'>')?;
        // An element takes at most 16 bytes (two binary64 numbers).
        let mut sizes = shape.iter().map(|size: &Option<usize>| size.unwrap_or(1).max(1));
        if sizes
            .try_fold(16usize, |bytes, size| bytes.checked_mul(size))
            .is_none_or(|bytes| bytes > MOST_BYTES)
        {
            return fail(at, Problem::TooLarge { limit: MOST_BYTES });
        }
        if let ElementType::Quantized(quantized) = &element
            && let (axis, scales) = (quantized.axis, quantized.scales.len())
            && let Some(axis) = axis
            && shape.get(axis).is_none_or(|size| size.is_some_and(|size| size != scales))
        {
            let expected = format!("a dimension {axis} of {scales} for as many scales");
            return fail(
                at,
                Problem::Expected { expected, found: TensorType { shape, element }.to_string() },
            );
        }
        Ok(TensorType { shape, element })
    }

    /// Bounds, which must fit the sizes, and layouts. Evaluation needs neither.
    fn encoding(&mut self, shape: &[Option<usize>]) -> Result<()> {
        if self.is(b'{') {
            return self.skip_brackets();
        }
        if self.token.kind != TokenKind::Hash {
            return self.expected("an encoding that begins with '#'");
        }
        let at = self.token.start;
        let name = self.slice(self.token);
        self.advance();
        if self.is(b'<') && matches!(name, "#stablehlo.bounds" | "#stablehlo.type_extensions") {
            let bounds = self.bounds(name == "#stablehlo.type_extensions")?;
            let wrong = |expected: String, found: String| fail(at, Problem::Expected { expected, found });
            if bounds.len() != shape.len() {
                let expected = format!("as many bounds as dimensions, {}", shape.len());
                return wrong(expected, bounds.len().to_string());
            }
            let known = |(_, (size, bound)): &(usize, (&Option<usize>, &bool))| size.is_some() && **bound;
            if let Some((dimension, _)) = shape.iter().zip(&bounds).enumerate().find(known) {
                let expected = format!("'?' as the bound of dimension {dimension}, whose size is known");
                return wrong(expected, "a bound".to_owned());
            }
            return Ok(());
        }
        if self.is(b'<') { self.skip_brackets() } else { Ok(()) }
    }

    /// `<5, ?>` or `<bounds = [5, ?]>`: for each dimension, true if it has a bound.
    fn bounds(&mut self, named: bool) -> Result<Vec<bool>> {
        self.expect(b'<')?;
        if named {
            self.expect_word("bounds")?;
            self.expect(b'=')?;
            self.expect(b'[')?;
        }
        let mut bounds = vec![];
        self.list(if named { b']' } else { b'>' }, |parser| {
            let open = parser.eat(b'?');
            if !open {
                parser.count("a bound")?;
            }
            bounds.push(!open);
            Ok(())
        })?;
        if named {
            self.expect(b'>')?;
        }
        Ok(bounds)
    }

    /// The type of elements.
    pub(super) fn element(&mut self) -> Result<ElementType> {
        let at = self.token.start;
        let name = self.slice(self.token);
        match self.token.kind {
            TokenKind::Word if name == "complex" => {
                self.advance();
                self.expect(b'<')?;
                let part = self.word("f32 or f64")?;
                let float = match part {
                    "f32" => FloatType::F32,
                    "f64" => FloatType::F64,
                    _ => return fail(at, Problem::Unsupported(format!("complex<{part}>"))),
                };
                self.expect(b'>')?;
                Ok(ElementType::Complex(float))
            }
            TokenKind::Bang if name == "!quant.uniform" => {
                self.advance();
                self.quantized()
            }
            TokenKind::Word => match element(name) {
                Some(element) => {
                    self.advance();
                    Ok(element)
                }
                None => {
                    self.expected("an element type (i1, ui8, bf16, f32, complex<f32>, !quant.uniform<…>, …)")
                }
            },
            TokenKind::Bang => match self.types.get(name) {
                Some(_) => fail(at, Problem::Unsupported(format!("'{name}' as an element type"))),
                None => fail(at, Problem::Unsupported(format!("type '{name}'"))),
            },
            _ => self.expected("an element type"),
        }
    }

    /// `<i8<-128:127>:f32:1, {0.1:3, 0.2:4}>` after `!quant.uniform`.
    fn quantized(&mut self) -> Result<ElementType> {
        let at = self.token.start;
        self.expect(b'<')?;
        let spelt = self.slice(self.token);
        let storage = self.element()?;
        if spelt.starts_with("si") {
            let expected = format!("a storage type without a mark of its sign, as i{}", storage.bits());
            return fail(at, Problem::Expected { expected, found: format!("'{spelt}'") });
        }
        let ElementType::Integer { signed, width } = storage else {
            return fail(
                at,
                Problem::Expected { expected: "an integer type".into(), found: storage.to_string() },
            );
        };
        let (mut storage_min, mut storage_max) = match (signed, width) {
            (true, 64) => (i64::MIN, i64::MAX),
            (false, 64) => (0, i64::MAX),
            (true, _) => (-1 << (width - 1), (1 << (width - 1)) - 1),
            (false, _) => (0, (1 << width) - 1),
        };
        if self.eat(b'<') {
            let at = self.token.start;
            let low = self.integer()?;
            self.expect(b':')?;
            let high = self.integer()?;
            self.expect(b'>')?;
            if low > high || low < i128::from(storage_min) || high > i128::from(storage_max) {
                let (expected, found) =
                    (format!("a range within that of {storage}"), format!("{low}:{high}"));
                return fail(at, Problem::Expected { expected, found });
            }
            (storage_min, storage_max) = (low as i64, high as i64);
        }
        self.expect(b':')?;
        let ElementType::Float(expressed) = self.element()? else {
            return fail(
                at,
                Problem::Expected { expected: "a floating-point type".into(), found: self.found() },
            );
        };
        let axis = if self.eat(b':') { Some(self.count("an axis")?) } else { None };
        self.expect(b',')?;
        let (mut scales, mut zero_points) = (vec![], vec![]);
        let (least, most) = positive_range(expressed);
        let mut pair = |parser: &mut Parser<'a>| {
            let at = parser.token.start;
            let scale = parser.float()?;
            let zero = if parser.eat(b':') { parser.integer()? } else { 0 };
            let range = i128::from(storage_min)..=i128::from(storage_max);
            if !((least..=most).contains(&scale) && range.contains(&zero)) {
                let expected = format!(
                    "a scale within {least:e} and {most:e}, the positive numbers of {}, and a zero point in \
                     {storage_min}..={storage_max}",
                    expressed.name()
                );
                return fail(at, Problem::Expected { expected, found: format!("{scale}:{zero}") });
            }
            scales.push(scale);
            zero_points.push(zero as i64);
            Ok(())
        };
        match axis {
            Some(_) => {
                self.expect(b'{')?;
                self.list(b'}', pair)?;
            }
            None => pair(self)?,
        }
        self.expect(b'>')?;
        Ok(ElementType::Quantized(Arc::new(Quantized {
            storage: ElementType::Integer { signed, width },
            storage_min,
            storage_max,
            expressed,
            axis,
            scales,
            zero_points,
        })))
    }

    /// A number with or without a decimal point.
    pub(super) fn float(&mut self) -> Result<f64> {
        let negative = self.eat(b'-');
        if !matches!(self.token.kind, TokenKind::Integer | TokenKind::Float) {
            return self.expected("a number");
        }
        let text = self.slice(self.token);
        let value = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok().map(f64::from_bits),
            None => text.parse().ok(),
        };
        let Some(value) = value else { return self.expected("a number") };
        self.advance();
        Ok(if negative { -value } else { value })
    }

    /// `(types)`.
    pub(super) fn types(&mut self) -> Result<Vec<Type>> {
        self.expect(b'(')?;
        let mut types = vec![];
        self.list(b')', |parser| {
            types.push(parser.ty()?);
            Ok(())
        })?;
        Ok(types)
    }

    /// `(types)` or a type, after an arrow.
    pub(super) fn result_types(&mut self) -> Result<Vec<Type>> {
        if self.is(b'(') { self.types() } else { Ok(vec![self.ty()?]) }
    }
}
