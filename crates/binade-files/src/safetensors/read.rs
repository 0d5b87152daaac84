//! Reads .safetensors files.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use super::PREAMBLE;
use super::header::{Header, TensorEntry, parse_header, parse_preamble};
use crate::source::{Named, Source};
use crate::tensor::Info;
use crate::{Error, Problem, Tensor};

/// An open safetensors file.
#[derive(Debug)]
pub struct Reader {
    tensors: Vec<Tensor>,
    metadata: Vec<(String, String)>,
    index: HashMap<String, usize>,
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
        Self::from_source(Path::new(""), Box::new(bytes.into()))
    }

    /// Reads from a source. Errors name the `path`.
    ///
    /// # Errors
    /// The source cannot be read, or its header is invalid.
    pub fn from_source(path: &Path, source: Box<dyn Source>) -> Result<Self, Error> {
        Self::new(Named::new(path, source))
    }

    pub(crate) fn new(source: Named) -> Result<Self, Error> {
        let size = source.size();
        let in_file = |error: Error| error.in_file(&source.path);
        let length = parse_preamble(&source.read_start(2 * PREAMBLE)?, size).map_err(in_file)?;
        let header = parse_header(&source.read_start(PREAMBLE + length)?).map_err(in_file)?;
        let Header { metadata, tensors, data_start, data_len, index } = header;

        let available = size - data_start;
        if data_len > available {
            // The tensors cover the data without holes, so one of them ends at its end.
            let last = tensors.iter().find(|entry| entry.data_offsets.1 > available);
            let tensor = last.map(|entry| entry.name.clone()).unwrap_or_default();
            let end = last.map_or(data_len, |entry| entry.data_offsets.1);
            return Err(in_file(Error::at(size, Problem::OffsetsBeyondFile { tensor, end, available })));
        }
        if data_len < available {
            return Err(in_file(Error::at(
                data_start + data_len,
                Problem::Hole { range: data_len..available },
            )));
        }
        let source = Arc::new(source);
        let tensors =
            tensors.into_iter().map(|TensorEntry { name, element, shape, data_offsets: (begin, end) }| {
                let (start, byte_len) = (data_start + begin, end - begin);
                let info = Info {
                    name,
                    element,
                    shape,
                    start,
                    byte_len,
                    fortran_order: false,
                    big_endian: false,
                    blocks: None,
                };
                Tensor { info, source: Arc::clone(&source) }
            });
        Ok(Self { tensors: tensors.collect(), metadata, index })
    }

    /// The tensors in the order of the header.
    pub fn tensors(&self) -> &[Tensor] {
        &self.tensors
    }

    /// The tensor with this name.
    pub fn get(&self, name: &str) -> Option<&Tensor> {
        self.index.get(name).map(|&at| &self.tensors[at])
    }

    /// The metadata in the order of the header.
    pub fn metadata(&self) -> &[(String, String)] {
        &self.metadata
    }
}
