//! Reads GGUF files: named tensors with metadata, many of them in blocks of codes with scales.
//!
//! A tensor in blocks is read as its values in binary32, computed as llama.cpp's reference code computes them. So callers
//! read a GGUF file as they read any other. [`Tensor::blocks`](crate::Tensor::blocks) tells how it is stored.
//!
//! GGUF lists the dimensions of a tensor from the fastest one on. The shape here is in C order, as in other files.

mod blocks;
mod header;
mod read;
mod write;

pub use blocks::BlockLayout;
pub use read::Reader;
pub(crate) use read::read_values;
pub use write::{Encoding, Entry, Writer};

/// The bytes at the start of a file.
pub const MAGIC: &[u8] = b"GGUF";

/// Longest header that is read: a vocabulary of a million tokens has some tens of MB.
const LONGEST: u64 = 1 << 30;
