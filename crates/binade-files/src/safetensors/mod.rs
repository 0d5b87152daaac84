//! safetensors: any number of named tensors a file, with metadata.
//!
//! The rules are the format's own: the header is a JSON object of at most 100 MB, a tensor's bytes are little-endian and in C
//! order, the tensors cover the data without overlap, hole or rest, no key is there twice. Keys of an entry beyond `dtype`,
//! `shape` and `data_offsets` are passed over.
//!
//! A written file has the tensors in the caller's order in its header. Their data is laid out widest elements first, so
//! that every tensor begins at a multiple of its elements' width, as readers that map files like it.

mod header;
mod read;
mod write;

pub use header::{Header, TensorEntry, parse_header};
pub use read::Reader;
pub use write::{Entry, Writer};

/// The key of the metadata among the tensors' names.
const METADATA: &str = "__metadata__";

/// Bytes before the JSON text: its length.
const PREAMBLE: u64 = 8;

/// The longest header, the format's limit.
const LONGEST: u64 = 100_000_000;
