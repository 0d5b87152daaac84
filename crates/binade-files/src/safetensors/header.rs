//! Parses the header of a .safetensors file, for the reader: a length, then a JSON object.
//!
//! serde_json parses the text. The visitors below keep the order of keys, reject duplicates and enforce limits. A visitor
//! that finds a problem stores it in a [`FoundProblem`]; serde's error carries the position.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::{LONGEST, METADATA, PREAMBLE};
use crate::error::quote;
use crate::tensor::count_bytes;
use crate::{ElementType, Error, MAX_RANK, Problem};

/// The header of a .safetensors file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The metadata in the order of the header.
    pub metadata: Vec<(String, String)>,
    /// The tensors in the order of the header.
    pub tensors: Vec<TensorEntry>,
    /// Offset of the data in the file.
    pub data_start: u64,
    /// Bytes of data of all tensors. The file must have exactly this many.
    pub data_len: u64,
    pub(super) index: HashMap<String, usize>,
}

/// A tensor's entry in the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorEntry {
    /// Its name.
    pub name: String,
    /// The type of its elements.
    pub element: ElementType,
    /// Length of each axis.
    pub shape: Vec<u64>,
    /// Begin and end of its bytes in the data.
    pub data_offsets: (u64, u64),
}

/// The length of the JSON text. `start` has at least 2 · [`PREAMBLE`] bytes of a file of `size` bytes, or all of it.
pub(super) fn parse_preamble(start: &[u8], size: u64) -> Result<u64, Error> {
    let truncated = |offset, what, needed| {
        Error::at(offset, Problem::Truncated { what, needed, found: size.saturating_sub(offset) })
    };
    let length = start.first_chunk().ok_or_else(|| truncated(0, "the header's length", PREAMBLE))?;
    let length = u64::from_le_bytes(*length);
    // A file of another type is recognised before its first bytes are taken for a length.
    let json = start.get(PREAMBLE as usize..).unwrap_or_default();
    let json = &json[..json.len().min(length.min(8) as usize)];
    if json.first().is_some_and(|first| *first != b'{') || length == 0 {
        return Err(Error::at(PREAMBLE, Problem::HeaderStart { found: json.to_owned() }));
    }
    if length > LONGEST {
        return Err(Error::at(0, Problem::HeaderTooLong { length, limit: LONGEST }));
    }
    if PREAMBLE + length > size {
        return Err(truncated(PREAMBLE, "the header", length));
    }
    Ok(length)
}

/// Parses and checks the header from the first bytes of a file. The data is not read.
///
/// # Errors
/// The header is invalid: the error has the problem and its offset.
pub fn parse_header(bytes: &[u8]) -> Result<Header, Error> {
    let length = parse_preamble(bytes, bytes.len() as u64)?;
    let data_start = PREAMBLE + length;
    let json = &bytes[PREAMBLE as usize..data_start as usize];
    let text = std::str::from_utf8(json)
        .map_err(|error| Error::at(PREAMBLE + error.valid_up_to() as u64, Problem::HeaderNotUtf8))?;

    let found = FoundProblem::default();
    let mut header =
        Header { metadata: Vec::new(), tensors: Vec::new(), data_start, data_len: 0, index: HashMap::new() };
    let mut parser = serde_json::Deserializer::from_str(text);
    let parsed = HeaderSeed { found: &found, header: &mut header }.deserialize(&mut parser);
    parsed.and_then(|()| parser.end()).map_err(|error| {
        let offset = PREAMBLE + offset_of(&error, text) as u64;
        Error::at(offset, found.take().unwrap_or_else(|| Problem::HeaderJson { message: message_of(&error) }))
    })?;
    header.data_len = check_layout(&header.tensors)
        .map_err(|(at, problem)| Error::at(data_start.saturating_add(at), problem))?;
    Ok(header)
}

/// Checks that the tensors have the sizes of their shapes and cover the data once. Returns the end of the last tensor, or a
/// problem with its offset in the data.
fn check_layout(tensors: &[TensorEntry]) -> Result<u64, (u64, Problem)> {
    for TensorEntry { name, element, shape, data_offsets } in tensors {
        let (begin, end) = *data_offsets;
        let tensor = || name.clone();
        let Some(found) = end.checked_sub(begin) else {
            return Err((begin, Problem::OffsetsReversed { tensor: tensor(), begin, end }));
        };
        let needed = count_bytes(name, element, shape).map_err(|problem| (begin, problem))?.unwrap_or(found);
        if needed != found {
            let (element, shape) = (element.clone(), shape.clone());
            return Err((begin, Problem::DataSize { tensor: tensor(), element, shape, needed, found }));
        }
    }
    let mut order: Vec<&TensorEntry> = tensors.iter().collect();
    order.sort_by_key(|entry| entry.data_offsets);
    let mut covered = 0;
    let mut last: Option<&TensorEntry> = None;
    for entry in order {
        let (begin, end) = entry.data_offsets;
        if begin > covered {
            return Err((covered, Problem::Hole { range: covered..begin }));
        }
        if let Some(last) = last.filter(|_| begin < covered) {
            let (first, second) = (last.name.clone(), entry.name.clone());
            return Err((begin, Problem::Overlap { first, second, range: begin..end.min(covered) }));
        }
        (covered, last) = (end, Some(entry));
    }
    Ok(covered)
}

/// Offset in the text of serde_json's line and column.
fn offset_of(error: &serde_json::Error, text: &str) -> usize {
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    (lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1)).min(text.len())
}

/// serde_json's message without line and column, truncated to a readable length.
fn message_of(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = message.strip_suffix(&place).unwrap_or(&message);
    const LONGEST: usize = 400;
    match message.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message.to_owned(),
    }
}

/// The problem that a visitor found, for errors that have their own [`Problem`].
#[derive(Default)]
struct FoundProblem(RefCell<Option<Problem>>);

impl FoundProblem {
    fn set<E: de::Error>(&self, problem: Problem) -> E {
        self.0.replace(Some(problem));
        E::custom("")
    }

    fn take(&self) -> Option<Problem> {
        self.0.take()
    }
}

struct HeaderSeed<'a> {
    found: &'a FoundProblem,
    header: &'a mut Header,
}

impl<'de> DeserializeSeed<'de> for HeaderSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for HeaderSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with an entry for each tensor")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { found, header } = self;
        let mut has_metadata = false;
        while let Some(name) = map.next_key::<String>()? {
            if name == METADATA {
                if std::mem::replace(&mut has_metadata, true) {
                    let place = "the header".to_owned();
                    return Err(found.set(Problem::DuplicateKey { key: name, place }));
                }
                map.next_value_seed(MetadataSeed { found, metadata: &mut header.metadata })?;
            } else {
                if header.index.insert(name.clone(), header.tensors.len()).is_some() {
                    return Err(found.set(Problem::DuplicateTensor { name }));
                }
                let entry = map.next_value_seed(EntrySeed { found, name: &name })?;
                header.tensors.push(entry);
            }
        }
        Ok(())
    }
}

struct MetadataSeed<'a> {
    found: &'a FoundProblem,
    metadata: &'a mut Vec<(String, String)>,
}

impl<'de> DeserializeSeed<'de> for MetadataSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for MetadataSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{METADATA:?} to be an object from strings to strings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut keys = HashSet::new();
        while let Some(key) = map.next_key::<String>()? {
            if !keys.insert(key.clone()) {
                let place = format!("{METADATA:?}");
                return Err(self.found.set(Problem::DuplicateKey { key, place }));
            }
            let wanted = || format!("a string for {} in {METADATA:?}", quote(&key));
            let value = map.next_value_seed(Text(&wanted))?;
            self.metadata.push((key, value));
        }
        Ok(())
    }
}

struct EntrySeed<'a> {
    found: &'a FoundProblem,
    name: &'a str,
}

impl<'de> DeserializeSeed<'de> for EntrySeed<'_> {
    type Value = TensorEntry;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<TensorEntry, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for EntrySeed<'_> {
    type Value = TensorEntry;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "an object with \"dtype\", \"shape\" and \"data_offsets\" for the tensor {}",
            quote(self.name)
        )
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<TensorEntry, A::Error> {
        let Self { found, name } = self;
        let (mut element, mut shape, mut data_offsets) = (None, None, None);
        let mut passed_over = HashSet::new();
        while let Some(key) = map.next_key::<String>()? {
            let fresh = match key.as_str() {
                "dtype" => element.is_none(),
                "shape" => shape.is_none(),
                "data_offsets" => data_offsets.is_none(),
                _ => passed_over.insert(key.clone()),
            };
            if !fresh {
                let place = format!("the tensor {}", quote(name));
                return Err(found.set(Problem::DuplicateKey { key, place }));
            }
            match key.as_str() {
                "dtype" => {
                    let wanted = || format!("a string for \"dtype\" of the tensor {}", quote(name));
                    let dtype = map.next_value_seed(Text(&wanted))?;
                    element = Some(ElementType::from_safetensors(&dtype));
                }
                "shape" => {
                    let list = Numbers { found, name, key: "shape", exactly: None };
                    shape = Some(map.next_value_seed(list)?);
                }
                "data_offsets" => {
                    let list = Numbers { found, name, key: "data_offsets", exactly: Some(2) };
                    let list = map.next_value_seed(list)?;
                    data_offsets = Some((list[0], list[1]));
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        let lacks = |key| found.set(Problem::MissingKey { tensor: name.to_owned(), key });
        Ok(TensorEntry {
            name: name.to_owned(),
            element: element.ok_or_else(|| lacks("dtype"))?,
            shape: shape.ok_or_else(|| lacks("shape"))?,
            data_offsets: data_offsets.ok_or_else(|| lacks("data_offsets"))?,
        })
    }
}

/// A string. The closure describes what is expected.
struct Text<'a>(&'a dyn Fn() -> String);

impl<'de> DeserializeSeed<'de> for Text<'_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Text<'_> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&(self.0)())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<String, E> {
        Ok(text.to_owned())
    }
}

/// A list of whole numbers: `exactly` this many, or at most [`MAX_RANK`].
#[derive(Clone, Copy)]
struct Numbers<'a> {
    found: &'a FoundProblem,
    name: &'a str,
    key: &'static str,
    exactly: Option<usize>,
}

impl<'de> DeserializeSeed<'de> for Numbers<'_> {
    type Value = Vec<u64>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<u64>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Numbers<'_> {
    type Value = Vec<u64>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = if self.exactly == Some(2) { "two " } else { "" };
        write!(f, "a list of {count}whole numbers for {:?} of the tensor {}", self.key, quote(self.name))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<u64>, A::Error> {
        let mut numbers = Vec::new();
        while let Some(number) = list.next_element_seed(Number(self))? {
            if numbers.len() == self.exactly.unwrap_or(MAX_RANK) {
                return Err(match self.exactly {
                    Some(_) => de::Error::invalid_length(numbers.len() + 1, &self),
                    None => self.found.set(Problem::Rank { tensor: self.name.to_owned() }),
                });
            }
            numbers.push(number);
        }
        match self.exactly {
            Some(count) if numbers.len() != count => Err(de::Error::invalid_length(numbers.len(), &self)),
            _ => Ok(numbers),
        }
    }
}

/// One number of the list.
struct Number<'a>(Numbers<'a>);

impl<'de> DeserializeSeed<'de> for Number<'_> {
    type Value = u64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u64, D::Error> {
        deserializer.deserialize_u64(self)
    }
}

impl Visitor<'_> for Number<'_> {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Numbers { key, name, .. } = self.0;
        write!(f, "a whole number from 0 to {} in {key:?} of the tensor {}", u64::MAX, quote(name))
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<u64, E> {
        Ok(number)
    }
}
