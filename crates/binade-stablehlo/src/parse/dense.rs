//! Parses dense constants: nested lists of numbers, a number for all elements, or a blob.

use binade::{Format, Projection, Rounding, Saturation, Value};
use binade_kernels::Encoder;
use memchr::{memchr, memchr2};

use super::{blob, moved};
use crate::error::{Problem, Result, fail};
use crate::lex;
use crate::tensor::Data;
use crate::types::{ElementType, FloatType};

/// The text between `dense<` and `>`: bytes `start..end`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Literal {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The end of the literal that begins at `start`: the first `>` outside strings and comments.
pub(super) fn literal_end(text: &[u8], start: usize) -> Option<usize> {
    let first = lex::skip_space(text, start);
    if text.get(first) == Some(&b'"') {
        let end = lex::skip_space(text, lex::string_end(text, first)?);
        return (text.get(end) == Some(&b'>')).then_some(end);
    }
    let mut at = start;
    loop {
        at += memchr2(b'>', b'/', text.get(at..)?)?;
        if text[at] == b'>' {
            return Some(at);
        }
        at = match text.get(at + 1) {
            Some(b'/') => at + memchr(b'\n', &text[at..])?,
            _ => at + 1,
        };
    }
}

/// The value of a code, rounded to binary64 if needed.
pub(super) fn to_f64(format: Format, code: u64) -> f64 {
    let f64_format = FloatType::F64.format();
    f64::from_bits(binade::project(f64_format, binade::decode(format, code), NEAREST).code)
}

/// Rounds as MLIR rounds literals. Overflow becomes infinity; NaN if the type has no infinity; the largest number if it has
/// neither.
const NEAREST: Projection = Projection::new(Rounding::NearestEven, Saturation::Overflow);

/// An element of a type with this value, rounded if needed.
pub(crate) fn splat(value: f64, element: &ElementType) -> Data {
    match element {
        ElementType::Bool => Data::U8(vec![u8::from(value != 0.0)]),
        ElementType::Integer { signed: true, width } => match width {
            ..=8 => Data::I8(vec![value as i8]),
            16 => Data::I16(vec![value as i16]),
            32 => Data::I32(vec![value as i32]),
            _ => Data::I64(vec![value as i64]),
        },
        ElementType::Integer { signed: false, width } => match width {
            ..=8 => Data::U8(vec![value as u8]),
            16 => Data::U16(vec![value as u16]),
            32 => Data::U32(vec![value as u32]),
            _ => Data::U64(vec![value as u64]),
        },
        ElementType::Float(FloatType::F32) => Data::F32(vec![value as f32]),
        ElementType::Float(FloatType::F64) => Data::F64(vec![value]),
        ElementType::Float(float) => {
            let format = float.format();
            let code = binade::project(format, Value::from_f64(value), NEAREST).code;
            match float {
                FloatType::Tf32 => Data::F32(vec![to_f64(format, code) as f32]),
                FloatType::Bf16 | FloatType::F16 => Data::U16(vec![code as u16]),
                _ => Data::U8(vec![code as u8]),
            }
        }
        ElementType::Complex(FloatType::F64) => Data::C128(vec![[value, 0.0]]),
        ElementType::Complex(_) => Data::C64(vec![[value as f32, 0.0]]),
        ElementType::Quantized(quantized) => splat(value, &quantized.storage),
    }
}

/// Parses a literal of a type: one element for each place of the shape, or one for all.
pub(super) fn read(text: &[u8], literal: Literal, element: &ElementType, shape: &[usize]) -> Result<Data> {
    let mut cursor = Cursor { text: &text[..literal.end], at: lex::skip_space(text, literal.start) };
    let element = match element {
        ElementType::Quantized(quantized) => &quantized.storage,
        _ => element,
    };
    let count: usize = shape.iter().product();
    if cursor.at >= literal.end {
        return match count {
            0 => Ok(Data::empty(element)),
            _ => fail(literal.start, Problem::Constant("it has no elements".to_owned())),
        };
    }
    if cursor.peek() == Some(b'"') {
        let start = cursor.at;
        let Some(end) = lex::string_end(text, start) else {
            return fail(start, Problem::Constant("its string does not end".to_owned()));
        };
        let Some(digits) = text[start + 1..end - 1].strip_prefix(b"0x") else {
            return fail(start, Problem::Constant("its string is not a blob that begins with 0x".to_owned()));
        };
        return moved(blob::read(digits, element, count), start);
    }
    let data = match element {
        ElementType::Bool => Data::U8(cursor.elements(shape, Cursor::bool)?),
        ElementType::Integer { signed: true, width } => {
            let (low, high) = (-1i128 << (width - 1), (1i128 << width) - 1);
            let shift = 64 - u32::from(*width);
            let wrapped = |value: i128| (value as i64) << shift >> shift;
            match width {
                ..=8 => Data::I8(cursor.elements(shape, |c| Ok(wrapped(c.integer(low, high)?) as i8))?),
                16 => Data::I16(cursor.elements(shape, |c| Ok(c.integer(low, high)? as i16))?),
                32 => Data::I32(cursor.elements(shape, |c| Ok(c.integer(low, high)? as i32))?),
                _ => Data::I64(cursor.elements(shape, |c| Ok(c.integer(low, high)? as i64))?),
            }
        }
        ElementType::Integer { signed: false, width } => {
            let high = (1i128 << width) - 1;
            match width {
                ..=8 => Data::U8(cursor.elements(shape, |c| Ok(c.integer(0, high)? as u8))?),
                16 => Data::U16(cursor.elements(shape, |c| Ok(c.integer(0, high)? as u16))?),
                32 => Data::U32(cursor.elements(shape, |c| Ok(c.integer(0, high)? as u32))?),
                _ => Data::U64(cursor.elements(shape, |c| Ok(c.integer(0, high)? as u64))?),
            }
        }
        ElementType::Float(FloatType::F32) => Data::F32(cursor.elements(shape, Cursor::f32)?),
        ElementType::Float(FloatType::F64) => Data::F64(cursor.elements(shape, Cursor::f64)?),
        ElementType::Float(float) => cursor.narrow(*float, shape)?,
        ElementType::Complex(FloatType::F64) => {
            Data::C128(cursor.elements(shape, |c| c.complex(Cursor::f64))?)
        }
        ElementType::Complex(_) => Data::C64(cursor.elements(shape, |c| c.complex(Cursor::f32))?),
        ElementType::Quantized(_) => {
            return fail(
                literal.start,
                Problem::Constant("a quantized type is stored as another".to_owned()),
            );
        }
    };
    Ok(data)
}

/// A position in a literal. The text ends with the literal.
struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    #[inline]
    fn space(&mut self) {
        // One space after a comma is the most common case.
        if self.peek() == Some(b' ') {
            self.at += 1;
        }
        if self.peek().is_some_and(|byte| byte <= b' ' || byte == b'/') {
            self.at = lex::skip_space(self.text, self.at);
        }
    }

    fn fail<T>(&self, what: impl Into<String>) -> Result<T> {
        fail(self.at, Problem::Constant(what.into()))
    }

    /// The elements of nested lists that have this shape, or the only element.
    fn elements<T>(
        &mut self,
        shape: &[usize],
        mut one: impl FnMut(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        if self.peek() != Some(b'[') {
            let element = one(self)?;
            self.space();
            if self.at != self.text.len() {
                return self.fail("expected '>' after the only element");
            }
            return Ok(vec![element]);
        }
        // The open lists, by their numbers of items so far. The text bounds the reserved size.
        let mut open: Vec<usize> = Vec::with_capacity(shape.len());
        let count: usize = shape.iter().product();
        let mut elements = Vec::with_capacity(count.min(self.text.len() - self.at));
        loop {
            // An item: a nested list, or an element.
            self.space();
            if self.peek() == Some(b'[') {
                if open.len() == shape.len() {
                    return self.fail(format!(
                        "lists are nested more than {} deep, as its type has it",
                        shape.len()
                    ));
                }
                self.at += 1;
                open.push(0);
                self.space();
                if self.peek() != Some(b']') {
                    continue;
                }
            } else {
                if open.len() != shape.len() {
                    return self.fail(format!(
                        "a list is nested {} deep, its type is {} deep",
                        open.len(),
                        shape.len()
                    ));
                }
                elements.push(one(self)?);
                if let Some(items) = open.last_mut() {
                    *items += 1;
                }
            }
            // Then a comma and an item, or the end of lists.
            loop {
                self.space();
                match self.peek() {
                    Some(b',') => {
                        self.at += 1;
                        break;
                    }
                    Some(b']') => {
                        let depth = open.len() - 1;
                        if open[depth] != shape[depth] {
                            let (items, size) = (open[depth], shape[depth]);
                            return self.fail(format!("a list has {items} items where its type has {size}"));
                        }
                        self.at += 1;
                        open.pop();
                        let Some(items) = open.last_mut() else {
                            self.space();
                            if self.at != self.text.len() {
                                return self.fail("expected '>' after the list");
                            }
                            // An empty outer list may omit the inner lists.
                            return if elements.len() == count {
                                Ok(elements)
                            } else {
                                self.fail(format!(
                                    "it has {} elements where its type has {count}",
                                    elements.len()
                                ))
                            };
                        };
                        *items += 1;
                    }
                    _ => return self.fail("expected ',' or ']'"),
                }
            }
        }
    }

    /// The bytes of the number or word at the position.
    #[inline]
    fn number(&mut self) -> &'a [u8] {
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest
            .iter()
            .position(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')))
            .unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn bool(&mut self) -> Result<u8> {
        let start = self.at;
        match self.number() {
            b"true" | b"1" | b"-1" => Ok(1),
            b"false" | b"0" => Ok(0),
            _ => {
                self.at = start;
                self.fail("expected true or false")
            }
        }
    }

    #[inline]
    fn integer(&mut self, low: i128, high: i128) -> Result<i128> {
        let start = self.at;
        let number = self.number();
        let (negative, digits) = match number {
            [b'-', digits @ ..] => (true, digits),
            digits => (false, digits),
        };
        // 18 digits do not overflow.
        let magnitude = if !digits.is_empty() && digits.len() <= 18 && digits.iter().all(u8::is_ascii_digit) {
            Some(i128::from(digits.iter().fold(0, |sum: i64, digit| sum * 10 + i64::from(digit - b'0'))))
        } else {
            long_integer(digits)
        };
        let Some(magnitude) = magnitude else {
            self.at = start;
            return self.fail("expected an integer");
        };
        let value = if negative { -magnitude } else { magnitude };
        if value < low || value > high {
            self.at = start;
            return self.fail(format!("{value} is not within {low}..={high}"));
        }
        Ok(value)
    }

    /// Rounds a literal to binary64 first, as MLIR does, then to the type.
    #[inline]
    fn f64(&mut self) -> Result<f64> {
        self.float(FloatType::F64, |value| value, f64::from_bits)
    }

    #[inline]
    fn f32(&mut self) -> Result<f32> {
        self.float(FloatType::F32, |value| value as f32, |bits| f32::from_bits(bits as u32))
    }

    /// A decimal number with a point, or the bits of a number in hexadecimal.
    #[inline]
    fn float<T>(
        &mut self,
        float: FloatType,
        decimal: impl FnOnce(f64) -> T,
        bits: impl FnOnce(u64) -> T,
    ) -> Result<T> {
        let start = self.at;
        let number = self.number();
        if let [b'0', b'x', digits @ ..] = number {
            let width = float.format().width();
            let code =
                std::str::from_utf8(digits).ok().and_then(|digits| u64::from_str_radix(digits, 16).ok());
            match code {
                Some(code) if width == 64 || code >> width == 0 => return Ok(bits(code)),
                _ => {
                    self.at = start;
                    return self.fail(format!("expected the {width} bits of a {}", float.name()));
                }
            }
        }
        let value = std::str::from_utf8(number).ok().and_then(|number| number.parse().ok());
        match value {
            // Words that Rust parses as numbers (inf, nan) have no point.
            Some(value) if number.contains(&b'.') => Ok(decimal(value)),
            _ => {
                self.at = start;
                self.fail("expected a number with a decimal point, or its bits in hexadecimal")
            }
        }
    }

    fn complex<T>(&mut self, mut part: impl FnMut(&mut Self) -> Result<T>) -> Result<[T; 2]> {
        if self.peek() != Some(b'(') {
            return self.fail("expected '(' before a complex number");
        }
        self.at += 1;
        self.space();
        let real = part(self)?;
        self.space();
        if self.peek() != Some(b',') {
            return self.fail("expected ',' within a complex number");
        }
        self.at += 1;
        self.space();
        let imaginary = part(self)?;
        self.space();
        if self.peek() != Some(b')') {
            return self.fail("expected ')' after a complex number");
        }
        self.at += 1;
        Ok([real, imaginary])
    }

    /// Types other than binary32 and binary64. All values are encoded at once; elements given as bits are inserted
    /// afterwards.
    fn narrow(&mut self, float: FloatType, shape: &[usize]) -> Result<Data> {
        let format = float.format();
        if float == FloatType::Tf32 {
            let round = |value| {
                let code = binade::project(format, Value::from_f64(value), NEAREST).code;
                to_f64(format, code) as f32
            };
            let bits = |code| to_f64(format, code) as f32;
            return Ok(Data::F32(self.elements(shape, |c| c.float(float, round, bits))?));
        }
        let mut given = vec![];
        let mut index = 0;
        let values = self.elements(shape, |cursor| {
            let (value, bits) = cursor.float(float, |value| (value, None), |bits| (0.0, Some(bits)))?;
            given.extend(bits.map(|bits| (index, bits)));
            index += 1;
            Ok(value)
        })?;
        let encoder = Encoder::new(format, Rounding::NearestEven, Saturation::Overflow);
        let problem = |error: binade_kernels::KernelError| Problem::Constant(error.to_string());
        let at = self.at;
        let encoder = moved(encoder.map_err(problem), at)?;
        if format.width() > 8 {
            let mut codes = vec![0u16; values.len()];
            moved(encoder.encode_f64(&values, codes.as_mut_slice()).map_err(problem), at)?;
            given.iter().for_each(|&(index, bits)| codes[index] = bits as u16);
            return Ok(Data::U16(codes));
        }
        let mut codes = vec![0u8; values.len()];
        moved(encoder.encode_f64(&values, codes.as_mut_slice()).map_err(problem), at)?;
        given.iter().for_each(|&(index, bits)| codes[index] = bits as u8);
        Ok(Data::U8(codes))
    }
}

/// An integer with more digits, or in hexadecimal.
#[cold]
fn long_integer(digits: &[u8]) -> Option<i128> {
    let digits = std::str::from_utf8(digits).ok()?;
    if digits.starts_with(['+', '-']) {
        return None;
    }
    match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok().map(i128::from),
        None => digits.parse().ok().filter(|&value: &i128| value <= i128::from(u64::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elements(text: &str, element: &ElementType, shape: &[usize]) -> std::result::Result<Data, String> {
        let literal = Literal { start: 0, end: text.len() };
        read(text.as_bytes(), literal, element, shape).map_err(|error| error.problem.to_string())
    }

    fn shown(text: &str, element: &ElementType, shape: &[usize]) -> String {
        match elements(text, element, shape) {
            Ok(data) => format!("{data:?}"),
            Err(problem) => problem,
        }
    }

    #[test]
    fn lists_have_the_shape_of_the_type() {
        let i8 = ElementType::Integer { signed: true, width: 8 };
        assert_eq!(shown("[[1, -2], [3, 4]]", &i8, &[2, 2]), "I8([1, -2, 3, 4])");
        assert_eq!(shown(" 7 ", &i8, &[2, 2]), "I8([7])");
        assert_eq!(shown("", &i8, &[2, 0]), "I8([])");
        assert_eq!(shown("[[], []]", &i8, &[2, 0]), "I8([])");
        assert_eq!(shown("[ // c >\n 1 , 2]", &i8, &[2]), "I8([1, 2])");
        for (text, shape, part) in [
            ("[1, 2]", &[3][..], "2 items where its type has 3"),
            ("[[1], [2, 3]]", &[2, 1], "2 items where its type has 1"),
            ("[1]", &[1, 1], "nested 1 deep"),
            ("[[1]]", &[1], "more than 1 deep"),
            ("[1 2]", &[2], "expected ','"),
            ("[1, ]", &[2], "expected an integer"),
            ("[]", &[0, 3], ""),
            ("", &[1], "no elements"),
            ("300", &[], "300 is not within"),
            ("1.5", &[], "expected an integer"),
            ("[1]]", &[1], "expected '>'"),
            ("[1", &[1], "expected ','"),
        ] {
            let found = shown(text, &i8, shape);
            assert!(found.contains(part), "{text}: {found}");
        }
    }

    #[test]
    fn numbers_of_every_kind() {
        let signed = |width| ElementType::Integer { signed: true, width };
        let float = ElementType::Float;
        assert_eq!(shown("[15, -8, 7]", &signed(4), &[3]), "I8([-1, -8, 7])");
        assert_eq!(shown("0xFFFFFFFFFFFFFFFF", &signed(64), &[]), "I64([-1])");
        assert_eq!(shown("[true, 0]", &ElementType::Bool, &[2]), "U8([1, 0])");
        assert_eq!(shown("[1.5, 0x7F800000, -0.0]", &float(FloatType::F32), &[3]), "F32([1.5, inf, -0.0])");
        assert_eq!(
            shown("[1.5, 0x7F80]", &float(FloatType::Bf16), &[2]),
            format!("U16([{}, {}])", 0x3fc0, 0x7f80)
        );
        // Beyond 448 + half an ulp there is NaN; 464 is a tie and rounds to 448, whose significand is even.
        assert_eq!(
            shown("[464.0, 465.0]", &float(FloatType::F8E4M3FN), &[2]),
            format!("U8([{}, {}])", 0x7e, 0x7f)
        );
        assert_eq!(shown("(1.0, -2.5)", &ElementType::Complex(FloatType::F64), &[3]), "C128([[1.0, -2.5]])");
        for (text, float) in [("1", FloatType::F32), ("nan", FloatType::F64), ("0x10000", FloatType::F16)] {
            assert!(elements(text, &ElementType::Float(float), &[]).is_err(), "{text}");
        }
        // A literal rounds twice where MLIR rounds it twice: to binary64 and to the type.
        let tie = "1.00000005960464477539062500001";
        assert_eq!(shown(tie, &float(FloatType::F32), &[]), "F32([1.0])");
    }
}
