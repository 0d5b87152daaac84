//! Writes GGUF files whose metadata comes from another one.

use std::path::Path;

use super::Reader;
use super::blocks::BlockLayout;
use super::header::{ALIGNMENT, ALIGNMENT_KEY};
use crate::output::{Output, Region};
use crate::tensor::count_elements;
use crate::{Error, IfExists, Problem, Tensor};

/// A type of tensors that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// binary32.
    F32,
    /// bfloat16.
    Bf16,
    /// Blocks of 32 integers of 8 bits with a binary16 scale.
    Q8_0,
    /// Blocks of 32 numbers of E2M1 with an E8M0 scale.
    Mxfp4,
}

impl Encoding {
    /// Number of the type in the file.
    fn code(self) -> u32 {
        match self {
            Self::F32 => 0,
            Self::Bf16 => 30,
            Self::Q8_0 => 8,
            Self::Mxfp4 => 39,
        }
    }

    /// The value of `general.file_type` for a file most of whose tensors have this type.
    fn file_type(self) -> u32 {
        match self {
            Self::F32 => 0,
            Self::Bf16 => 32,
            Self::Q8_0 => 7,
            Self::Mxfp4 => 38,
        }
    }

    /// Elements and bytes of a block.
    pub fn block(self) -> (usize, usize) {
        match self {
            Self::F32 => (1, 4),
            Self::Bf16 => (1, 2),
            Self::Q8_0 | Self::Mxfp4 => {
                BlockLayout::of(self.code()).map_or((1, 1), |layout| (layout.elements(), layout.bytes()))
            }
        }
    }
}

/// A tensor to be written.
#[derive(Clone, Debug)]
pub struct Entry {
    name: String,
    shape: Vec<u64>,
    code: u32,
    bytes: u64,
}

impl Entry {
    /// A tensor in a new encoding, with the name and shape of one that was read. `None` if blocks do not fit its rows.
    pub fn new(tensor: &Tensor, encoding: Encoding) -> Option<Self> {
        let (elements, bytes) = encoding.block();
        let columns = tensor.shape().last().copied().unwrap_or(1);
        let count = count_elements(tensor.shape(), 64)?;
        columns.is_multiple_of(elements as u64).then(|| Self {
            name: tensor.name().to_owned(),
            shape: tensor.shape().to_vec(),
            code: encoding.code(),
            bytes: count / elements as u64 * bytes as u64,
        })
    }

    /// A tensor of a GGUF file as it is stored; `None` for a tensor of another file. Its bytes are those of
    /// [`Tensor::read_stored`].
    pub fn stored(tensor: &Tensor) -> Option<Self> {
        use crate::ElementType::{Bf16, F16, F32, F64, I8, I16, I32, I64};
        let code = match (tensor.blocks(), tensor.element()) {
            (Some(layout), _) => layout.code,
            (None, F32) => 0,
            (None, F16) => 1,
            (None, I8) => 24,
            (None, I16) => 25,
            (None, I32) => 26,
            (None, I64) => 27,
            (None, F64) => 28,
            (None, Bf16) => 30,
            _ => return None,
        };
        let (name, shape, bytes) = (tensor.name().to_owned(), tensor.shape().to_vec(), tensor.stored_bytes());
        Some(Self { name, shape, code, bytes })
    }

    /// Bytes of the tensor.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// A .gguf file being written.
pub struct Writer {
    output: Output,
}

/// Metadata that is written anew.
const FILE_TYPE: &str = "general.file_type";
const QUANTIZATION_VERSION: &str = "general.quantization_version";

impl Writer {
    /// Creates a file with the metadata of `like` and these tensors, most of which have the type `most`.
    ///
    /// # Errors
    /// The file exists or cannot be written.
    pub fn create(
        path: impl AsRef<Path>,
        like: &Reader,
        entries: &[Entry],
        most: Encoding,
        if_exists: IfExists,
    ) -> Result<Self, Error> {
        let path = path.as_ref();
        let kept = |key: &str| ![FILE_TYPE, QUANTIZATION_VERSION, ALIGNMENT_KEY].contains(&key);
        let pairs: Vec<&Vec<u8>> =
            like.pairs.iter().filter(|(key, _)| kept(key)).map(|(_, bytes)| bytes).collect();
        let mut header = super::MAGIC.to_vec();
        header.extend(3_u32.to_le_bytes());
        header.extend((entries.len() as u64).to_le_bytes());
        header.extend((pairs.len() as u64 + 2).to_le_bytes());
        pairs.iter().for_each(|bytes| header.extend(*bytes));
        for (key, value) in [(FILE_TYPE, most.file_type()), (QUANTIZATION_VERSION, 2)] {
            string(&mut header, key);
            // A value of 32 bits without sign.
            header.extend(4_u32.to_le_bytes());
            header.extend(value.to_le_bytes());
        }
        let (mut regions, mut end) = (vec![], 0_u64);
        for Entry { name, shape, code, bytes } in entries {
            string(&mut header, name);
            header.extend((shape.len() as u32).to_le_bytes());
            shape.iter().rev().for_each(|length| header.extend(length.to_le_bytes()));
            header.extend(code.to_le_bytes());
            header.extend(end.to_le_bytes());
            regions.push(Region { name: name.clone(), start: end, len: *bytes });
            end = bytes
                .checked_next_multiple_of(ALIGNMENT)
                .and_then(|bytes| end.checked_add(bytes))
                .ok_or_else(|| {
                    let (tensor, element, shape) = (name.clone(), crate::ElementType::F32, shape.clone());
                    Error::new(Problem::TooLarge { tensor, element, shape }).in_file(path)
                })?;
        }
        let padded = header.len().next_multiple_of(ALIGNMENT as usize);
        header.resize(padded, 0);
        regions.iter_mut().for_each(|region| region.start += header.len() as u64);
        // The data ends at a multiple of the alignment, as each tensor begins at one.
        let (data, len) = entries
            .last()
            .map_or((header.len() as u64, 0), |last| (header.len() as u64 + end, end_padding(last.bytes)));
        let padding = regions.len();
        regions.push(Region { name: "padding".to_owned(), start: data - len, len });
        let output = Output::create(path, if_exists, &header, regions)?;
        output.write_at(padding, 0, &vec![0; len as usize])?;
        Ok(Self { output })
    }

    /// Writes bytes at `offset` of the tensor `index`, as numbered in `create`. Each byte must be written once, in any order,
    /// from any thread.
    ///
    /// # Errors
    /// The bytes are outside the tensor or were written before, or the file cannot be written.
    pub fn write_at(&self, index: usize, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        self.output.write_at(index, offset, bytes)
    }

    /// Checks that every tensor was written, and gives the file its name.
    ///
    /// # Errors
    /// Bytes were not written, the file exists by now, or it cannot be written.
    pub fn finish(self) -> Result<(), Error> {
        self.output.finish()
    }
}

fn end_padding(bytes: u64) -> u64 {
    bytes.next_multiple_of(ALIGNMENT) - bytes
}

fn string(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend(text.as_bytes());
}
