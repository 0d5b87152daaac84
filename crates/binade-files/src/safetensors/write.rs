//! Writes .safetensors files.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::path::Path;

use super::{LONGEST, METADATA, PREAMBLE};
use crate::output::{Output, Region};
use crate::tensor::count_bytes;
use crate::{Container, ElementType, Error, IfExists, Problem, Tensor};

/// A tensor to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    name: String,
    element: ElementType,
    shape: Vec<u64>,
    /// Set for elements of unknown width.
    byte_len: Option<u64>,
}

impl Entry {
    /// A tensor whose size follows from its shape and element type.
    pub fn new(name: impl Into<String>, element: ElementType, shape: impl Into<Vec<u64>>) -> Self {
        Self { name: name.into(), element, shape: shape.into(), byte_len: None }
    }

    /// An entry with the name, type, shape and size of a tensor that was read. The type may be unknown.
    pub fn like(tensor: &Tensor) -> Self {
        let byte_len = Some(tensor.byte_len()).filter(|_| tensor.element().bits().is_none());
        Self { byte_len, ..Self::new(tensor.name(), tensor.element().clone(), tensor.shape()) }
    }
}

/// A .safetensors file being written.
pub struct Writer {
    output: Output,
}

impl Writer {
    /// Creates a file with these tensors and metadata.
    ///
    /// # Errors
    /// A name is used twice or reserved, an element type has no safetensors name or an unknown width, or a shape is too
    /// large. The file exists or cannot be written.
    pub fn create(
        path: impl AsRef<Path>,
        entries: &[Entry],
        metadata: &[(String, String)],
        if_exists: IfExists,
    ) -> Result<Self, Error> {
        let path = path.as_ref();
        let (header, regions) =
            lay_out(entries, metadata).map_err(|problem| Error::new(problem).in_file(path))?;
        Ok(Self { output: Output::create(path, if_exists, &header, regions)? })
    }

    /// Writes little-endian elements at byte `offset` of the tensor `index`, as numbered in `create`. Each byte must be
    /// written once, in any order, from any thread.
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

/// The header, and the region of each tensor in the file.
fn lay_out(entries: &[Entry], metadata: &[(String, String)]) -> Result<(Vec<u8>, Vec<Region>), Problem> {
    let mut names = HashSet::new();
    let mut regions = Vec::with_capacity(entries.len());
    for Entry { name, element, shape, byte_len } in entries {
        if name == METADATA {
            return Err(Problem::ReservedName);
        }
        if !names.insert(name) {
            return Err(Problem::DuplicateTensor { name: name.clone() });
        }
        let Some(dtype) = element.safetensors_name() else {
            let container = Container::Safetensors;
            return Err(Problem::Unnameable { container, element: element.clone() });
        };
        let len = count_bytes(name, element, shape)?
            .or(*byte_len)
            .ok_or_else(|| Problem::UnknownElementType { tensor: name.clone(), element: dtype.to_owned() })?;
        regions.push(Region { name: name.clone(), start: 0, len });
    }

    // Widest elements first, in a stable sort.
    let mut order: Vec<usize> = (0..entries.len()).collect();
    order.sort_by_key(|&at| Reverse(entries[at].element.bits().unwrap_or(8)));
    let mut end = 0_u64;
    for at in order {
        regions[at].start = end;
        let Entry { name, element, shape, .. } = &entries[at];
        end = end.checked_add(regions[at].len).filter(|&end| end <= i64::MAX as u64).ok_or_else(|| {
            Problem::TooLarge { tensor: name.clone(), element: element.clone(), shape: shape.clone() }
        })?;
    }

    let mut keys = HashSet::new();
    if let Some((key, _)) = metadata.iter().find(|(key, _)| !keys.insert(key)) {
        return Err(Problem::DuplicateKey { key: key.clone(), place: format!("{METADATA:?}") });
    }
    let mut members = Vec::with_capacity(entries.len() + 1);
    if !metadata.is_empty() {
        let pairs = metadata.iter().map(|(key, value)| format!("{}:{}", json(key), json(value)));
        members.push(format!("{}:{{{}}}", json(METADATA), pairs.collect::<Vec<_>>().join(",")));
    }
    for (Entry { name, element, shape, .. }, region) in entries.iter().zip(&regions) {
        let lengths: Vec<String> = shape.iter().map(u64::to_string).collect();
        members.push(format!(
            r#"{}:{{"dtype":{},"shape":[{}],"data_offsets":[{},{}]}}"#,
            json(name),
            json(element.safetensors_name().unwrap_or_default()),
            lengths.join(","),
            region.start,
            region.start + region.len,
        ));
    }
    let mut text = format!("{{{}}}", members.join(","));
    let padding = text.len().next_multiple_of(8) - text.len();
    text.extend(std::iter::repeat_n(' ', padding));
    let length = text.len() as u64;
    if length > LONGEST {
        return Err(Problem::HeaderTooLong { length, limit: LONGEST });
    }
    regions.iter_mut().for_each(|region| region.start += PREAMBLE + length);
    Ok(([&length.to_le_bytes(), text.as_bytes()].concat(), regions))
}

/// A string as JSON.
fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
