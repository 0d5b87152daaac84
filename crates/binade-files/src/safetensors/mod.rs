//! Reads and writes .safetensors files: named tensors with metadata.
//!
//! The rules are those of the format. The header is a JSON object of at most 100 MB without duplicate keys. The bytes of a
//! tensor are little-endian and in C order. The tensors cover the data without overlaps or holes. An entry may have keys
//! other than `dtype`, `shape` and `data_offsets`; they are ignored.
//!
//! A written header has the tensors in the caller's order. Their data is sorted by element width, widest first. Every tensor
//! is thus aligned to its element width, which suits readers that map files.

mod header;
mod read;
mod write;

pub use header::{Header, TensorEntry, parse_header};
pub use read::Reader;
pub use write::{Entry, Writer};

/// The metadata's key among the names of tensors.
const METADATA: &str = "__metadata__";

/// Bytes before the JSON text: its length.
const PREAMBLE: u64 = 8;

/// Longest header, by the rules of the format.
const LONGEST: u64 = 100_000_000;
