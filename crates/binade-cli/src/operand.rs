//! Codes, formats and scale factors in arguments and batch lines.

use binade::ops::Query;
use binade::{Datum, Edition, Format, Operation, Spec};

use crate::Error;

/// An integer as `0x3c`, `0b111100` or `60`.
#[inline]
pub(crate) fn number(text: &[u8]) -> Option<u64> {
    let (digits, radix) = match text {
        [b'0', b'x' | b'X', digits @ ..] => (digits, 16),
        [b'0', b'b' | b'B', digits @ ..] => (digits, 2),
        digits => (digits, 10),
    };
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0u64, |value, &digit| {
        let digit = (digit as char).to_digit(radix)?;
        value.checked_mul(radix.into())?.checked_add(digit.into())
    })
}

/// Bits with the separators of `binade table`, as many as the format has.
fn separated_bits(text: &[u8], width: u32) -> Option<u64> {
    let bits: Vec<u8> = text.iter().copied().filter(|b| !matches!(b, b'.' | b'_')).collect();
    if bits.len() == text.len()
        || bits.len() != width as usize
        || bits.iter().any(|b| !matches!(b, b'0' | b'1'))
    {
        return None;
    }
    Some(bits.iter().fold(0, |code, bit| code << 1 | u64::from(bit - b'0')))
}

/// A code of a format.
#[inline]
pub(crate) fn datum(text: &[u8], format: Format) -> Result<Datum, Error> {
    match number(text).or_else(|| separated_bits(text, format.width())) {
        Some(code) => Ok(Datum::new(format, code)?),
        None => Err(Error::Code { text: quoted(text), width: format.width() }),
    }
}

/// At most 60 characters of a text, for an error.
pub(crate) fn quoted(text: &[u8]) -> String {
    String::from_utf8_lossy(&text[..text.len().min(240)]).chars().take(60).collect()
}

/// The operation of this name.
pub(crate) fn operation(name: &str) -> Result<Operation, Error> {
    if let Some(query) = Query::from_name(name) {
        return Err(Error::QueryHere(query.name()));
    }
    Operation::from_name(name).ok_or_else(|| {
        let names = || Operation::ALL.into_iter().map(Operation::name);
        // `is_nan` for `isnan`, `multiply_scaled` for `scaled`, `compare_less` for `less`.
        let plain = |text: &str| text.to_ascii_lowercase().replace(['_', '-'], "");
        let wanted = plain(name);
        let alike = |known: &&str| {
            wanted.len() >= 3 && (plain(known).contains(&wanted) || wanted.contains(&plain(known)))
        };
        let mut nearest: Vec<_> = names().filter(alike).collect();
        nearest.sort_by_key(|known| known.len().abs_diff(name.len()));
        nearest.truncate(3);
        Error::UnknownOperation {
            name: quoted(name.as_bytes()),
            nearest,
            all: names().collect::<Vec<_>>().join(", "),
        }
    })
}

/// The operands' formats, as they were named. One name serves all operands.
pub(crate) struct Sources {
    pub(crate) formats: Vec<Format>,
    names: Vec<Spec>,
}

impl Sources {
    /// Reads `F[,F…]` for an operation.
    pub(crate) fn parse(list: &str, operation: Operation) -> Result<Sources, Error> {
        let names = Spec::split_list(list);
        let operands = operation.arity();
        if names.len() != 1 && names.len() != operands {
            return Err(Error::Formats { name: operation.name(), operands, given: names.len() });
        }
        let specs: Vec<Spec> = names.into_iter().map(str::parse).collect::<Result<_, _>>()?;
        let formats = (0..operands).map(|i| specs[i % specs.len()].format).collect();
        Ok(Sources { formats, names: specs })
    }

    /// The edition that an operation from these formats into `to` is done by, where none is asked for.
    pub(crate) fn edition(&self, to: Option<&Spec>) -> Edition {
        Spec::edition_of(self.names.iter().chain(to))
    }
}

/// Scale factors `S[,S]`; none given are zeros.
pub(crate) fn scales(text: Option<&str>, operation: Operation) -> Result<Vec<i32>, Error> {
    match text {
        None => Ok(vec![0; operation.scales()]),
        Some(list) => list
            .split(',')
            .map(|word| word.parse().map_err(|_| Error::Scale(quoted(word.as_bytes()))))
            .collect(),
    }
}
