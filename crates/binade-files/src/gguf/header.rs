//! Parses the header of a GGUF file: version, metadata and the list of tensors.

use std::collections::HashMap;

use super::MAGIC;
use super::blocks::BlockLayout;
use crate::tensor::{Info, count_bytes};
use crate::{ElementType, Error, Problem};

/// The parsed header.
pub(super) struct Header {
    /// Metadata as text, in the order of the file. An array of more than 16 values has their number only.
    pub(super) metadata: Vec<(String, String)>,
    /// The bytes of all key-value pairs, and of each: its key and range in the file.
    pub(super) pairs: Vec<(String, std::ops::Range<usize>)>,
    pub(super) tensors: Vec<Info>,
    pub(super) index: HashMap<String, usize>,
    /// Alignment of the data of tensors.
    pub(super) alignment: u64,
}

/// Alignment of tensors without `general.alignment`.
pub(super) const ALIGNMENT: u64 = 32;
pub(super) const ALIGNMENT_KEY: &str = "general.alignment";

/// Longest array whose values are shown in the metadata.
const SHOWN: u64 = 16;

/// Nested arrays that are read.
const DEEPEST: usize = 4;

/// Reads from a prefix of the file.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// True if the file goes on after `bytes`.
    more: bool,
}

/// The reason why a header cannot be parsed.
pub(super) enum Stop {
    /// The header is longer than the given bytes.
    More,
    Wrong(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Wrong(error)
    }
}

impl<'a> Cursor<'a> {
    fn wrong(&self, problem: Problem) -> Stop {
        Stop::Wrong(Error::at(self.at as u64, problem))
    }

    fn take(&mut self, count: u64, what: &'static str) -> Result<&'a [u8], Stop> {
        let found = (self.bytes.len() - self.at) as u64;
        if count > found {
            if self.more {
                return Err(Stop::More);
            }
            return Err(self.wrong(Problem::Truncated { what, needed: count, found }));
        }
        let taken = &self.bytes[self.at..self.at + count as usize];
        self.at += count as usize;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], Stop> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N as u64, what)?);
        Ok(out)
    }

    fn u32(&mut self, what: &'static str) -> Result<u32, Stop> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    fn u64(&mut self, what: &'static str) -> Result<u64, Stop> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    fn string(&mut self, what: &'static str) -> Result<String, Stop> {
        let length = self.u64(what)?;
        let start = self.at;
        let bytes = self.take(length, what)?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(error) => Err(Stop::Wrong(Error::at(
                (start + error.valid_up_to()) as u64,
                Problem::GgufNotUtf8 { what },
            ))),
        }
    }

    /// A value of the metadata as text.
    fn value(&mut self, kind: u32, depth: usize) -> Result<String, Stop> {
        const WHAT: &str = "a value of the metadata";
        Ok(match kind {
            0 => self.array::<1>(WHAT)?[0].to_string(),
            1 => i8::from_le_bytes(self.array(WHAT)?).to_string(),
            2 => u16::from_le_bytes(self.array(WHAT)?).to_string(),
            3 => i16::from_le_bytes(self.array(WHAT)?).to_string(),
            4 => self.u32(WHAT)?.to_string(),
            5 => i32::from_le_bytes(self.array(WHAT)?).to_string(),
            6 => f32::from_le_bytes(self.array(WHAT)?).to_string(),
            7 => (self.array::<1>(WHAT)?[0] != 0).to_string(),
            8 => return self.text(WHAT),
            9 if depth < DEEPEST => {
                let (kind, count) = (self.u32(WHAT)?, self.u64(WHAT)?);
                let mut shown = Vec::new();
                for _ in 0..count {
                    let value = self.value(kind, depth + 1)?;
                    if count <= SHOWN {
                        shown.push(value);
                    }
                }
                if count > SHOWN { format!("[{count} values]") } else { format!("[{}]", shown.join(", ")) }
            }
            10 => self.u64(WHAT)?.to_string(),
            11 => i64::from_le_bytes(self.array(WHAT)?).to_string(),
            12 => f64::from_le_bytes(self.array(WHAT)?).to_string(),
            _ => return Err(self.wrong(Problem::GgufValueType { kind })),
        })
    }

    /// A string of the metadata. Tokens of a vocabulary may be parts of characters.
    fn text(&mut self, what: &'static str) -> Result<String, Stop> {
        let length = self.u64(what)?;
        Ok(String::from_utf8_lossy(self.take(length, what)?).into_owned())
    }
}

/// Parses the header in `bytes`, the first ones of a file of `size` bytes.
pub(super) fn parse(bytes: &[u8], size: u64) -> Result<Header, Stop> {
    let mut cursor = Cursor { bytes, at: 0, more: (bytes.len() as u64) < size };
    let magic = cursor.take(4, "the header")?;
    if magic != MAGIC {
        let found = magic.to_vec();
        return Err(Stop::Wrong(Error::at(0, Problem::GgufMagic { found })));
    }
    let version = cursor.u32("the header")?;
    if version.swap_bytes() < 1 << 16 && version >= 1 << 16 {
        return Err(Stop::Wrong(Error::at(4, Problem::GgufBigEndian)));
    }
    if !(2..=3).contains(&version) {
        return Err(Stop::Wrong(Error::at(4, Problem::GgufVersion { version })));
    }
    let (tensors, pairs) = (cursor.u64("the header")?, cursor.u64("the header")?);
    let mut header = Header {
        metadata: vec![],
        pairs: vec![],
        tensors: vec![],
        index: HashMap::new(),
        alignment: ALIGNMENT,
    };
    let mut keys = HashMap::new();
    for _ in 0..pairs {
        let start = cursor.at;
        let key = cursor.string("a key of the metadata")?;
        let kind = cursor.u32("the metadata")?;
        let value = cursor.value(kind, 0)?;
        if keys.insert(key.clone(), ()).is_some() {
            let place = "the metadata".to_owned();
            return Err(Stop::Wrong(Error::at(start as u64, Problem::DuplicateKey { key, place })));
        }
        if key == ALIGNMENT_KEY {
            header.alignment = value
                .parse()
                .ok()
                .filter(|alignment: &u64| alignment.is_power_of_two() && *alignment <= 1 << 20)
                .ok_or_else(|| {
                    Stop::Wrong(Error::at(start as u64, Problem::GgufAlignment { found: value.clone() }))
                })?;
        }
        header.pairs.push((key.clone(), start..cursor.at));
        header.metadata.push((key, value));
    }
    for number in 0..tensors {
        let (start, info) = (cursor.at as u64, tensor(&mut cursor, header.alignment)?);
        if header.index.insert(info.name.clone(), number as usize).is_some() {
            return Err(Stop::Wrong(Error::at(start, Problem::DuplicateTensor { name: info.name })));
        }
        header.tensors.push(info);
    }
    let data = (cursor.at as u64).next_multiple_of(header.alignment);
    let available = size.saturating_sub(data);
    for info in &mut header.tensors {
        let end = info.start.checked_add(info.stored_bytes());
        if end.is_none_or(|end| end > available) {
            let (tensor, end) = (info.name.clone(), end.unwrap_or(u64::MAX));
            return Err(Stop::Wrong(Error::new(Problem::OffsetsBeyondFile { tensor, end, available })));
        }
        info.start += data;
    }
    Ok(header)
}

/// The entry of a tensor. Its start is relative to the data.
fn tensor(cursor: &mut Cursor<'_>, alignment: u64) -> Result<Info, Stop> {
    const WHAT: &str = "the list of tensors";
    let at = cursor.at as u64;
    let wrong = |problem| Stop::Wrong(Error::at(at, problem));
    let name = cursor.string("the name of a tensor")?;
    let rank = cursor.u32(WHAT)?;
    if rank as usize > crate::MAX_RANK {
        return Err(wrong(Problem::Rank { tensor: name }));
    }
    let mut shape = vec![];
    for _ in 0..rank {
        shape.push(cursor.u64(WHAT)?);
    }
    shape.reverse();
    let (code, start) = (cursor.u32(WHAT)?, cursor.u64(WHAT)?);
    if !start.is_multiple_of(alignment) {
        return Err(wrong(Problem::GgufUnaligned { tensor: name, start, alignment }));
    }
    let mut blocks = None;
    let element = match code {
        0 => ElementType::F32,
        1 => ElementType::F16,
        24 => ElementType::I8,
        25 => ElementType::I16,
        26 => ElementType::I32,
        27 => ElementType::I64,
        28 => ElementType::F64,
        30 => ElementType::Bf16,
        _ => {
            let Some(layout) = BlockLayout::of(code) else {
                return Err(wrong(Problem::GgufType { tensor: name, code }));
            };
            let columns = shape.last().copied().unwrap_or(1);
            if !columns.is_multiple_of(layout.elements as u64) {
                let (layout, block) = (layout.name, layout.elements);
                return Err(wrong(Problem::GgufPartialBlock { tensor: name, layout, columns, block }));
            }
            blocks = Some(layout);
            match layout.decode {
                Some(_) => ElementType::F32,
                None => ElementType::Unknown(layout.name.into()),
            }
        }
    };
    // Bytes of a type that is not decoded are those of its blocks.
    let counted = match count_bytes(&name, &element, &shape).map_err(wrong)? {
        Some(bytes) => Some(bytes),
        None => blocks.and_then(|layout| {
            let elements = crate::tensor::count_elements(&shape, 8)?;
            (elements / layout.elements as u64).checked_mul(layout.bytes as u64)
        }),
    };
    let Some(byte_len) = counted else {
        return Err(wrong(Problem::TooLarge { tensor: name, element, shape }));
    };
    Ok(Info { name, element, shape, start, byte_len, fortran_order: false, big_endian: false, blocks })
}
