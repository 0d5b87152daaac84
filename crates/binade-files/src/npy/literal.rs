//! Parses the dict of a .npy header: a Python literal with three keys.

use crate::{MAX_RANK, Problem};

/// The dict of an array of plain elements.
pub(super) struct Dict {
    pub(super) descr: String,
    pub(super) fortran_order: bool,
    pub(super) shape: Vec<u64>,
}

/// A problem and its offset in the text.
type Fault = (usize, Problem);

/// Parses the dict.
pub(super) fn parse(text: &[u8], long_integers: bool) -> Result<Dict, Fault> {
    let mut cursor = Cursor { text, at: 0, long_integers };
    let (mut descr, mut fortran_order, mut shape) = (None, None, None);
    cursor.expect(b'{', "'{'")?;
    while !cursor.eat(b'}') {
        let at = cursor.at;
        let key = cursor.string().ok_or(()).or_else(|()| cursor.unexpected("a key in quotes or '}'"))?;
        let known = match key.as_str() {
            "descr" => descr.is_some(),
            "fortran_order" => fortran_order.is_some(),
            "shape" => shape.is_some(),
            _ => return Err((at, Problem::NpyUnknownKey { key })),
        };
        if known {
            return Err((at, Problem::NpyDuplicateKey { key }));
        }
        cursor.expect(b':', "':' after the key")?;
        match key.as_str() {
            "descr" => descr = Some(cursor.descr()?),
            "fortran_order" => fortran_order = Some(cursor.fortran_order()?),
            _ => shape = Some(cursor.shape()?),
        }
        if !cursor.eat(b',') && cursor.peek() != Some(b'}') {
            return cursor.unexpected("',' or '}' after the value");
        }
    }
    if cursor.peek().is_some() {
        return cursor.unexpected("the end of the header after '}'");
    }
    let missing = |key| (0, Problem::NpyMissingKey { key });
    Ok(Dict {
        descr: descr.ok_or_else(|| missing("descr"))?,
        fortran_order: fortran_order.ok_or_else(|| missing("fortran_order"))?,
        shape: shape.ok_or_else(|| missing("shape"))?,
    })
}

struct Cursor<'a> {
    text: &'a [u8],
    /// Offset of the next token. [`Cursor::peek`] moves it past white space.
    at: usize,
    long_integers: bool,
}

impl Cursor<'_> {
    /// The first byte of the next token.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text[self.at..];
        self.at += rest.iter().take_while(|c| c.is_ascii_whitespace()).count();
        self.text.get(self.at).copied()
    }

    fn eat(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, wanted: u8, name: &'static str) -> Result<(), Fault> {
        if self.eat(wanted) { Ok(()) } else { self.unexpected(name) }
    }

    fn unexpected<T>(&mut self, expected: &'static str) -> Result<T, Fault> {
        let found = self.snippet();
        Err((self.at, Problem::NpySyntax { expected, found }))
    }

    /// The next value, as an error message quotes it.
    fn snippet(&mut self) -> String {
        self.peek();
        let rest = &self.text[self.at..];
        let end = rest.iter().position(|c| b",}\n".contains(c)).unwrap_or(rest.len()).max(1).min(rest.len());
        String::from_utf8_lossy(&rest[..end]).into_owned()
    }

    /// A string in single or double quotes. No valid value has an escape.
    fn string(&mut self) -> Option<String> {
        let quote = self.peek().filter(|quote| b"'\"".contains(quote))?;
        let rest = &self.text[self.at + 1..];
        let len = rest.iter().position(|&c| c == quote || c == b'\\' || c == b'\n')?;
        if rest[len] != quote {
            return None;
        }
        self.at += 1 + len + 1;
        Some(String::from_utf8_lossy(&rest[..len]).into_owned())
    }

    fn descr(&mut self) -> Result<String, Fault> {
        if matches!(self.peek(), Some(b'[' | b'(')) {
            return Err((self.at, Problem::NpyStructured));
        }
        self.string().ok_or_else(|| {
            let found = self.snippet();
            (self.at, Problem::NpyDescr { found })
        })
    }

    fn fortran_order(&mut self) -> Result<bool, Fault> {
        self.peek();
        let rest = &self.text[self.at..];
        let len = rest.iter().take_while(|c| c.is_ascii_alphanumeric() || **c == b'_').count();
        let value = match &rest[..len] {
            b"True" => true,
            b"False" => false,
            _ => {
                let found = self.snippet();
                return Err((self.at, Problem::NpyFortranOrder { found }));
            }
        };
        self.at += len;
        Ok(value)
    }

    fn shape(&mut self) -> Result<Vec<u64>, Fault> {
        if self.peek() != Some(b'(') {
            return self.bad_shape(self.at);
        }
        let start = self.at;
        self.at += 1;
        let mut shape = Vec::new();
        let mut comma = true;
        while !self.eat(b')') {
            if !comma {
                return self.bad_shape(start);
            }
            if shape.len() == MAX_RANK {
                return Err((self.at, Problem::Rank { tensor: String::new() }));
            }
            shape.push(self.length()?);
            comma = self.eat(b',');
        }
        // `(3)` is a number in parentheses, not a tuple.
        if shape.len() == 1 && !comma { self.bad_shape(start) } else { Ok(shape) }
    }

    fn bad_shape<T>(&mut self, start: usize) -> Result<T, Fault> {
        self.at = start;
        self.peek();
        let rest = &self.text[self.at..];
        let found = match rest.iter().position(|&c| c == b')') {
            Some(end) if rest[0] == b'(' => String::from_utf8_lossy(&rest[..=end]).into_owned(),
            _ => self.snippet(),
        };
        Err((self.at, Problem::NpyShape { found }))
    }

    fn length(&mut self) -> Result<u64, Fault> {
        self.peek();
        let rest = &self.text[self.at..];
        let end = rest.iter().position(|c| b",) \n".contains(c)).unwrap_or(rest.len());
        let token = &rest[..end];
        let digits = if self.long_integers { token.strip_suffix(b"L").unwrap_or(token) } else { token };
        let plain = digits.iter().all(u8::is_ascii_digit) && (digits.len() == 1 || !digits.starts_with(b"0"));
        let value = std::str::from_utf8(digits).ok().filter(|_| plain).and_then(|digits| digits.parse().ok());
        match value {
            Some(value) => {
                self.at += end;
                Ok(value)
            }
            None => {
                let found = String::from_utf8_lossy(token).into_owned();
                Err((self.at, Problem::NpyLength { found }))
            }
        }
    }
}
