//! Parses codes, formats and scale factors of arguments and batch lines.

use binade::block::Element;
use binade::ops::{Fact, Query};
use binade::table::code_text;
use binade::text::{self, ValueError};
use binade::{Datum, DatumError, Edition, Format, Operation, OperationError, Projection, Spec, SpecError};
use thiserror::Error;

use crate::block_operation::BlockOperation;
use crate::modes;

/// An operand, format or scale factor that an operation cannot take.
#[derive(Debug, Error)]
pub(crate) enum OperandError {
    #[error(transparent)]
    Format(#[from] SpecError),
    #[error(transparent)]
    Value(#[from] ValueError),
    #[error(transparent)]
    Datum(#[from] DatumError),
    #[error(transparent)]
    Operation(#[from] OperationError),
    #[error(
        "'{text}' is not a code: write 0x3c, 60, 0b111100, or {width} bits with the separators of `binade table`"
    )]
    Code { text: String, width: u32 },
    #[error("unknown operation '{name}': {}", alternatives(.nearest, .all))]
    UnknownOperation {
        name: String,
        nearest: Vec<String>,
        /// Every name except those of the forms block_OP and scaled_OP.
        all: String,
    },
    #[error(
        "got {given} operand formats for {name}: expected one for all, or one for each of its {operands} operands"
    )]
    FormatCount { name: &'static str, operands: usize, given: usize },
    #[error(
        "'{0}' is not a scale factor: expected an integer from -2147483648 to 2147483647, the exponent of a power of two"
    )]
    Scale(String),
    #[error("{0} is not a block: expected formats SCALE/ELEMENT, codes SCALE:ELEMENT,ELEMENT")]
    BlockExpected(String),
    #[error("{0} has a scale: expected a format, or elements, without one")]
    UnexpectedScale(String),
}

impl OperandError {
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            OperandError::Code { .. } => Some(
                "a value becomes a code with `binade encode`; operands of `eval` may be values, written =1.5",
            ),
            _ => None,
        }
    }
}

fn alternatives(nearest: &[String], all: &str) -> String {
    match nearest {
        [] => format!("expected one of {all}, or block_OP or scaled_OP of these, such as block_add"),
        _ => format!("did you mean {}?", nearest.join(" or ")),
    }
}

/// A code of a format.
#[inline]
pub(crate) fn datum(word: &[u8], format: Format) -> Result<Datum, OperandError> {
    match text::parse_code(word, format) {
        Some(code) => Ok(Datum::new(format, code)?),
        None => Err(OperandError::Code { text: quoted(word), width: format.width() }),
    }
}

/// A code of elements.
pub(crate) fn code(word: &[u8], element: Element) -> Result<u64, OperandError> {
    Ok(datum(word, element.grid())?.code())
}

/// At most 60 characters of a text, for an error.
pub(crate) fn quoted(text: &[u8]) -> String {
    String::from_utf8_lossy(&text[..text.len().min(240)]).chars().take(60).collect()
}

/// The operation with this name. Operations on blocks and queries have their own functions.
pub(crate) fn operation(name: &str) -> Result<Operation, OperandError> {
    Operation::from_name(name).ok_or_else(|| {
        let values = || Operation::ALL.into_iter().map(|operation| operation.name().to_owned());
        let queries = || Query::ALL.into_iter().map(|query| query.name().to_owned());
        let names = || values().chain(queries()).chain(BlockOperation::names());
        // `is_nan` for `isnan`, `multiply_scaled` for `scaled`, `compare_less` for `less`.
        let plain = |text: &str| text.to_ascii_lowercase().replace(['_', '-'], "");
        let wanted = plain(name);
        let alike = |known: &String| {
            wanted.len() >= 3 && (plain(known).contains(&wanted) || wanted.contains(&plain(known)))
        };
        let mut nearest: Vec<_> = names().filter(alike).collect();
        nearest.sort_by_key(|known| known.len().abs_diff(name.len()));
        nearest.truncate(3);
        OperandError::UnknownOperation {
            name: quoted(name.as_bytes()),
            nearest,
            all: values()
                .chain(queries())
                .chain(BlockOperation::named().map(str::to_owned))
                .collect::<Vec<_>>()
                .join(", "),
        }
    })
}

/// The answer to a query: a code, a number, or a word of the edition asked for.
pub(crate) fn fact_text(
    query: Query,
    format: Format,
    how: Projection,
    edition: Option<Edition>,
) -> (String, Option<u64>) {
    match query.answer(format, how) {
        Fact::Integer(number) => (number.to_string(), None),
        Fact::Word(word) => (modes::edition_word(edition, query, word).to_owned(), None),
        Fact::Code(Some(code)) => (code_text(format, code).to_string(), Some(code)),
        Fact::Code(None) => ("nan".to_owned(), None),
    }
}

/// The one format of a query, which has no operands.
pub(crate) fn query_format(query: Query, list: &str, operands: usize) -> Result<Format, OperandError> {
    if operands > 0 {
        let (name, expected, given) = (query.name(), 0, operands);
        return Err(OperationError::Operands { name, expected, given }.into());
    }
    Ok(list.parse::<Spec>()?.format)
}

/// A format, or an element of blocks that is not a format; an argument of `table`, `encode` and `decode`.
#[derive(Clone, Debug)]
pub(crate) struct NamedElement {
    pub(crate) element: Element,
    /// The edition that the name implies.
    pub(crate) edition: Edition,
    pub(crate) name: String,
}

impl std::str::FromStr for NamedElement {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<NamedElement, SpecError> {
        if let Ok(element @ Element::Int8) = text.parse() {
            return Ok(NamedElement { element, edition: Edition::Interim, name: element.to_string() });
        }
        let spec: Spec = text.parse()?;
        Ok(NamedElement { element: spec.format.into(), edition: spec.edition, name: spec.name().to_owned() })
    }
}

/// The format of a result: one, or those of a block.
#[derive(Clone, Debug)]
pub(crate) enum ResultFormat {
    Plain(Spec),
    /// `SCALE/ELEMENT`, or an element of blocks that is not a format.
    Block(String),
}

impl std::str::FromStr for ResultFormat {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<ResultFormat, SpecError> {
        match text.contains('/') || text.parse() == Ok(Element::Int8) {
            true => Ok(ResultFormat::Block(text.to_owned())),
            false => Ok(ResultFormat::Plain(text.parse()?)),
        }
    }
}

impl ResultFormat {
    /// The text of the argument.
    pub(crate) fn text(&self) -> &str {
        match self {
            ResultFormat::Plain(spec) => spec.name(),
            ResultFormat::Block(text) => text,
        }
    }

    /// The one format; an error if it is that of a block.
    pub(crate) fn plain(&self) -> Result<&Spec, OperandError> {
        match self {
            ResultFormat::Plain(spec) => Ok(spec),
            ResultFormat::Block(text) => Err(OperandError::UnexpectedScale(quoted(text.as_bytes()))),
        }
    }
}

/// The formats of operands. One name is for all operands.
pub(crate) struct OperandFormats {
    pub(crate) formats: Vec<Format>,
    names: Vec<Spec>,
}

impl OperandFormats {
    /// Parses `F[,F…]` for an operation.
    pub(crate) fn parse(list: &str, operation: Operation) -> Result<OperandFormats, OperandError> {
        let names = Spec::split_list(list);
        let operands = operation.arity();
        if names.len() != 1 && names.len() != operands {
            return Err(OperandError::FormatCount { name: operation.name(), operands, given: names.len() });
        }
        let specs: Vec<Spec> = names.into_iter().map(str::parse).collect::<Result<_, _>>()?;
        let formats = (0..operands).map(|i| specs[i % specs.len()].format).collect();
        Ok(OperandFormats { formats, names: specs })
    }

    /// The edition that these formats and `to` imply for an operation without --edition.
    pub(crate) fn edition(&self, to: Option<&Spec>) -> Edition {
        Spec::edition_of(self.names.iter().chain(to))
    }
}

/// Parses scale factors `S[,S]`; without a text, they are zeros.
pub(crate) fn scales(text: Option<&str>, operation: Operation) -> Result<Vec<i32>, OperandError> {
    match text {
        None => Ok(vec![0; operation.scales()]),
        Some(list) => list
            .split(',')
            .map(|word| word.parse().map_err(|_| OperandError::Scale(quoted(word.as_bytes()))))
            .collect(),
    }
}
