//! Opens GGUF files, and reads tensors in blocks as their values.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::LONGEST;
use super::blocks::{BlockLayout, MOST};
use super::header::{Header, Stop, parse};
use crate::source::{Named, Source};
use crate::{Error, Problem, Tensor};

/// An open GGUF file.
#[derive(Debug)]
pub struct Reader {
    tensors: Vec<Tensor>,
    metadata: Vec<(String, String)>,
    index: HashMap<String, usize>,
    pub(super) pairs: Vec<(String, Vec<u8>)>,
}

impl Reader {
    /// Opens a file and checks its header against its length.
    ///
    /// # Errors
    /// The file cannot be read, or its header is invalid.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::new(Named::open(path.as_ref())?)
    }

    /// Reads a file from memory.
    ///
    /// # Errors
    /// The header is invalid.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self, Error> {
        let source: Box<dyn Source> = Box::new(bytes.into());
        Self::new(Named::new(Path::new(""), source))
    }

    pub(crate) fn new(source: Named) -> Result<Self, Error> {
        // The length of the header is not in the file.
        let mut length = 1 << 20;
        let (bytes, header) = loop {
            let bytes = source.read_start(length)?;
            match parse(&bytes, source.size()) {
                Ok(header) => break (bytes, header),
                Err(Stop::More) if length < LONGEST => length *= 4,
                Err(Stop::More) => {
                    let problem = Problem::HeaderTooLong { length: source.size(), limit: LONGEST };
                    return Err(Error::new(problem).in_file(&source.path));
                }
                Err(Stop::Wrong(error)) => return Err(error.in_file(&source.path)),
            }
        };
        let Header { metadata, pairs, tensors, index, .. } = header;
        let pairs = pairs.into_iter().map(|(key, range)| (key, bytes[range].to_vec())).collect();
        let source = Arc::new(source);
        let tensors = tensors.into_iter().map(|info| Tensor { info, source: Arc::clone(&source) });
        Ok(Self { tensors: tensors.collect(), metadata, index, pairs })
    }

    /// The tensors in the order of the file.
    pub fn tensors(&self) -> &[Tensor] {
        &self.tensors
    }

    /// The tensor with this name.
    pub fn get(&self, name: &str) -> Option<&Tensor> {
        self.index.get(name).map(|&at| &self.tensors[at])
    }

    /// The metadata in the order of the file, as text. Arrays of more than 16 values have their number only.
    pub fn metadata(&self) -> &[(String, String)] {
        &self.metadata
    }
}

/// Reads values in binary32 from byte `offset` of them on, as little-endian bytes. Both ends are between values.
pub(crate) fn read_values(
    source: &Named,
    start: u64,
    layout: &BlockLayout,
    offset: u64,
    out: &mut [u8],
) -> Result<(), Error> {
    /// Blocks that are read at once.
    const AT_ONCE: usize = 1024;
    let Some(decode) = layout.decode else { return Ok(()) };
    let width = 4 * layout.elements;
    let mut block = offset / width as u64;
    let mut skipped = (offset % width as u64) as usize;
    let mut values = [0.0; MOST];
    let values = &mut values[..layout.elements];
    let mut bytes = vec![0; layout.bytes * AT_ONCE.min((skipped + out.len()).div_ceil(width))];
    let mut out = out;
    while !out.is_empty() {
        let count = AT_ONCE.min((skipped + out.len()).div_ceil(width));
        let bytes = &mut bytes[..count * layout.bytes];
        source.read_exact_at(start + block * layout.bytes as u64, bytes)?;
        for bytes in bytes.chunks_exact(layout.bytes) {
            decode(bytes, values);
            let taken = (width - skipped).min(out.len());
            let (now, later) = out.split_at_mut(taken);
            for (to, value) in now.as_chunks_mut::<4>().0.iter_mut().zip(&values[skipped / 4..]) {
                *to = value.to_le_bytes();
            }
            (out, skipped) = (later, 0);
        }
        block += count as u64;
    }
    Ok(())
}
