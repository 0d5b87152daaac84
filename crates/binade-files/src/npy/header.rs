//! Parses and writes the header of a .npy file: magic string, version, length, and a Python dict.

use super::literal;
use crate::tensor::count_bytes;
use crate::{ElementType, Error, Problem};

pub(crate) const MAGIC: &[u8] = b"\x93NUMPY";

/// Bytes before the dict, at most.
pub(super) const PREAMBLE: u64 = 12;

/// Longest header that is read. The header of a plain type needs fewer than 2,000 bytes.
const LONGEST: u64 = 1 << 20;

/// The header of a .npy file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The type of the elements.
    pub element: ElementType,
    /// True if the elements are big-endian.
    pub big_endian: bool,
    /// True if the first index varies fastest.
    pub fortran_order: bool,
    /// Length of each axis.
    pub shape: Vec<u64>,
    /// Offset of the elements in the file.
    pub data_start: u64,
    /// Bytes of the elements.
    pub byte_len: u64,
}

/// The part before the dict.
pub(super) struct Preamble {
    /// True for versions 1.0 and 2.0, in which Python 2 wrote lengths as long integers: `3L`.
    long_integers: bool,
    header_start: u64,
    pub(super) header_end: u64,
}

/// Parses the part before the dict. `start` has at least [`PREAMBLE`] bytes of a file of `size` bytes, or all of it.
pub(super) fn parse_preamble(start: &[u8], size: u64) -> Result<Preamble, Error> {
    if !start.starts_with(MAGIC) {
        let found = &start[..start.len().min(MAGIC.len())];
        return Err(if MAGIC.starts_with(found) {
            let (needed, found) = (MAGIC.len() as u64, found.len() as u64);
            Error::at(0, Problem::Truncated { what: "the magic string", needed, found })
        } else {
            Error::at(0, Problem::NpyMagic { found: found.to_owned() })
        });
    }
    let at = MAGIC.len() as u64;
    let truncated = |offset: u64, what, needed| {
        Error::at(offset, Problem::Truncated { what, needed, found: size.saturating_sub(offset) })
    };
    let (version, rest) =
        start[MAGIC.len()..].split_first_chunk().ok_or_else(|| truncated(at, "the version", 2))?;
    let (length_bytes, length) = match *version {
        [1, 0] => (2, rest.first_chunk().map(|&bytes| u64::from(u16::from_le_bytes(bytes)))),
        [2 | 3, 0] => (4, rest.first_chunk().map(|&bytes| u64::from(u32::from_le_bytes(bytes)))),
        [major, minor] => return Err(Error::at(at, Problem::NpyVersion { major, minor })),
    };
    let length = length.ok_or_else(|| truncated(at + 2, "the header's length", length_bytes))?;
    if length > LONGEST {
        return Err(Error::at(at + 2, Problem::HeaderTooLong { length, limit: LONGEST }));
    }
    let header_start = at + 2 + length_bytes;
    let header_end = header_start + length;
    if header_end > size {
        return Err(truncated(header_start, "the header", length));
    }
    Ok(Preamble { long_integers: version[0] < 3, header_start, header_end })
}

/// Parses the header from the first bytes of a file. The elements are not read.
///
/// # Errors
/// The header is invalid: the error has the problem and its offset.
pub fn parse_header(bytes: &[u8]) -> Result<Header, Error> {
    let Preamble { long_integers, header_start, header_end } = parse_preamble(bytes, bytes.len() as u64)?;
    let dict = literal::parse(&bytes[header_start as usize..header_end as usize], long_integers)
        .map_err(|(offset, problem)| Error::at(header_start + offset as u64, problem))?;
    let at_dict = |problem| Error::at(header_start, problem);
    let (element, big_endian) = ElementType::from_npy(&dict.descr).map_err(at_dict)?;
    // Every .npy type has a known width.
    let byte_len = count_bytes("", &element, &dict.shape).map_err(at_dict)?.unwrap_or_default();
    let (fortran_order, shape) = (dict.fortran_order, dict.shape);
    Ok(Header { element, big_endian, fortran_order, shape, data_start: header_end, byte_len })
}

/// The bytes before the elements of an array in C order. The version is 1.0, and the length a multiple of 64, as NumPy aligns
/// it.
pub(super) fn write(descr: &str, shape: &[u64]) -> Vec<u8> {
    let lengths: Vec<String> = shape.iter().map(u64::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    let shape = lengths.join(", ") + comma;
    let mut dict = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    // Magic string, version and length have 10 bytes, the line feed one.
    let end = (10 + dict.len() + 1).next_multiple_of(64);
    dict.extend(std::iter::repeat_n(' ', end - 10 - dict.len() - 1));
    dict.push('\n');
    // At most 64 lengths of 20 digits, which fits in the 16-bit length.
    let length = (dict.len() as u16).to_le_bytes();
    [MAGIC, &[1, 0], &length, dict.as_bytes()].concat()
}
