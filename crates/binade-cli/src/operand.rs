//! Codes, formats and scale factors in arguments and batch lines.

use binade::block::Element;
use binade::ops::{Fact, Query};
use binade::table::code_text;
use binade::{Datum, Edition, Format, Operation, Projection, Spec, text};

use crate::block_operation::BlockOperation;
use crate::{Error, modes};

/// A code of a format.
#[inline]
pub(crate) fn datum(word: &[u8], format: Format) -> Result<Datum, Error> {
    match text::parse_code(word, format) {
        Some(code) => Ok(Datum::new(format, code)?),
        None => Err(Error::Code { text: quoted(word), width: format.width() }),
    }
}

/// A code of elements.
pub(crate) fn code(word: &[u8], element: Element) -> Result<u64, Error> {
    Ok(datum(word, element.grid())?.code())
}

/// At most 60 characters of a text, for an error.
pub(crate) fn quoted(text: &[u8]) -> String {
    String::from_utf8_lossy(&text[..text.len().min(240)]).chars().take(60).collect()
}

/// The operation of this name, which is neither of blocks nor a query.
pub(crate) fn operation(name: &str) -> Result<Operation, Error> {
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
        Error::UnknownOperation {
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

/// What a query answers: a code, a number or a word, where an edition is asked for its word.
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

/// A query is of one format, and has no operands.
pub(crate) fn query_format(query: Query, list: &str, operands: usize) -> Result<Format, Error> {
    if operands > 0 {
        let (name, expected, given) = (query.name(), 0, operands);
        return Err(binade::OperationError::Operands { name, expected, given }.into());
    }
    Ok(list.parse::<Spec>()?.format)
}

/// A format, or what elements of blocks are beside formats: what `table`, `encode` and `decode` take.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) element: Element,
    /// The edition that the name calls for.
    pub(crate) edition: Edition,
    pub(crate) name: String,
}

impl std::str::FromStr for Named {
    type Err = binade::SpecError;

    fn from_str(text: &str) -> Result<Named, binade::SpecError> {
        if let Ok(element @ Element::Int8) = text.parse() {
            return Ok(Named { element, edition: Edition::Interim, name: element.to_string() });
        }
        let spec: Spec = text.parse()?;
        Ok(Named { element: spec.format.into(), edition: spec.edition, name: spec.name().to_owned() })
    }
}

/// A result's format: one, or those of a block.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    Plain(Spec),
    /// `SCALE/ELEMENT`, or the elements of a block that are no format.
    Block(String),
}

impl std::str::FromStr for Target {
    type Err = binade::SpecError;

    fn from_str(text: &str) -> Result<Target, binade::SpecError> {
        match text.contains('/') || text.parse() == Ok(Element::Int8) {
            true => Ok(Target::Block(text.to_owned())),
            false => Ok(Target::Plain(text.parse()?)),
        }
    }
}

impl Target {
    /// As it was named.
    pub(crate) fn text(&self) -> &str {
        match self {
            Target::Plain(spec) => spec.name(),
            Target::Block(text) => text,
        }
    }

    /// The one format that an operation without blocks has.
    pub(crate) fn plain(&self) -> Result<&Spec, Error> {
        match self {
            Target::Plain(spec) => Ok(spec),
            Target::Block(text) => Err(Error::BlockFormats { text: quoted(text.as_bytes()), block: false }),
        }
    }
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
