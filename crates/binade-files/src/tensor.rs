//! A tensor in a file, which callers read in chunks.

use std::sync::Arc;

use crate::gather;
use crate::gguf::{BlockLayout, read_values};
use crate::source::Named;
use crate::{ElementType, Error, Problem};

/// Largest number of dimensions of a tensor (NumPy's limit).
pub const MAX_RANK: usize = 64;

/// A tensor in an open file. Clones share the file. Threads can read it in parallel.
#[derive(Clone)]
pub struct Tensor {
    pub(crate) info: Info,
    pub(crate) source: Arc<Named>,
}

/// The checked description of a tensor from its header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Info {
    pub(crate) name: String,
    pub(crate) element: ElementType,
    pub(crate) shape: Vec<u64>,
    /// Offset and length of the data in the file.
    pub(crate) start: u64,
    pub(crate) byte_len: u64,
    pub(crate) fortran_order: bool,
    pub(crate) big_endian: bool,
    /// The block layout of a GGUF file, whose values are read.
    pub(crate) blocks: Option<&'static BlockLayout>,
}

impl Info {
    /// Bytes in the file.
    pub(crate) fn stored_bytes(&self) -> u64 {
        match (self.blocks, self.element.bits()) {
            (Some(layout), Some(bits)) => {
                self.byte_len / (u64::from(bits) / 8 * layout.elements() as u64) * layout.bytes() as u64
            }
            _ => self.byte_len,
        }
    }
}

/// Consecutive elements of a tensor, in C order and little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk<'a> {
    /// Index of the first element.
    pub first: u64,
    /// The elements. Elements narrower than a byte are packed, the first in the lowest bits.
    pub bytes: &'a [u8],
}

/// Number of elements of a shape; `None` if their bytes do not fit in 63 bits.
///
/// Axes of length zero are ignored in this check, so that every stride of the shape fits too.
pub(crate) fn count_elements(shape: &[u64], bits: u64) -> Option<u64> {
    let mut count = 1_u64;
    for &length in shape.iter().filter(|&&length| length != 0) {
        count = count.checked_mul(length)?;
    }
    let fits = u128::from(count) * u128::from(bits) / 8 <= i64::MAX as u128;
    fits.then_some(if shape.contains(&0) { 0 } else { count })
}

/// Bytes of the elements of a tensor; `None` for a type of unknown width.
pub(crate) fn count_bytes(
    tensor: &str,
    element: &ElementType,
    shape: &[u64],
) -> Result<Option<u64>, Problem> {
    if shape.len() > MAX_RANK {
        return Err(Problem::Rank { tensor: tensor.to_owned() });
    }
    let Some(bits) = element.bits() else { return Ok(None) };
    let facts = || (tensor.to_owned(), element.clone(), shape.to_owned());
    let Some(count) = count_elements(shape, bits.into()) else {
        let (tensor, element, shape) = facts();
        return Err(Problem::TooLarge { tensor, element, shape });
    };
    let bits = u128::from(count) * u128::from(bits);
    if !bits.is_multiple_of(8) {
        let (tensor, element, shape) = facts();
        return Err(Problem::PartialByte { tensor, element, shape });
    }
    Ok(Some((bits / 8) as u64))
}

impl Tensor {
    /// The name in a .safetensors file; empty for the array of a .npy file.
    pub fn name(&self) -> &str {
        &self.info.name
    }

    /// The type of the elements.
    pub fn element(&self) -> &ElementType {
        &self.info.element
    }

    /// Length of each axis; empty for a single number.
    pub fn shape(&self) -> &[u64] {
        &self.info.shape
    }

    /// Number of elements. For unknown elements, a product that overflows counts as `u64::MAX`.
    pub fn elements(&self) -> u64 {
        count_elements(&self.info.shape, 1).unwrap_or(u64::MAX)
    }

    /// Number of bytes of the elements.
    pub fn byte_len(&self) -> u64 {
        self.info.byte_len
    }

    /// The block layout of a GGUF file in which the tensor is stored. Its elements are then the values, in binary32.
    pub fn blocks(&self) -> Option<&'static BlockLayout> {
        self.info.blocks
    }

    /// Number of bytes in the file, which is smaller than [`Tensor::byte_len`] for blocks of GGUF.
    pub fn stored_bytes(&self) -> u64 {
        self.info.stored_bytes()
    }

    /// Fills `out` with elements from index `first` on, in C order and little-endian.
    ///
    /// Elements narrower than a byte are packed, the first in the lowest bits. The range must then begin and end at a byte
    /// boundary. An array in Fortran order is gathered for each call; a larger `out` needs fewer and longer reads.
    ///
    /// # Errors
    /// The element type has unknown width, the range is outside the tensor or splits an element, or the file cannot be read.
    pub fn read(&self, first: u64, out: &mut [u8]) -> Result<(), Error> {
        let bits = u128::from(self.known_bits()?) * u128::from(first);
        let offset = u64::try_from(bits / 8).unwrap_or(u64::MAX);
        if !bits.is_multiple_of(8) {
            return Err(self.split(offset, out.len()));
        }
        self.read_bytes(offset, out)
    }

    /// As [`Tensor::read`], with the offset in bytes of the C-ordered, little-endian elements. It works for unknown types
    /// too.
    ///
    /// # Errors
    /// As for [`Tensor::read`], except that narrow elements and elements of unknown width may be split.
    pub fn read_bytes(&self, offset: u64, out: &mut [u8]) -> Result<(), Error> {
        let info = &self.info;
        let end = offset.saturating_add(out.len() as u64);
        if end > info.byte_len {
            let (tensor, available) = (info.name.clone(), info.byte_len);
            return Err(self.fault(Problem::OutOfRange { tensor, range: offset..end, available }));
        }
        let width = info.element.bits().unwrap_or(8).div_ceil(8) as usize;
        if !offset.is_multiple_of(width as u64) || !out.len().is_multiple_of(width) {
            return Err(self.split(offset, out.len()));
        }
        if let (Some(layout), Some(_)) = (info.blocks, info.element.bits()) {
            return read_values(&self.source, info.start, layout, offset, out);
        }
        if info.fortran_order && !out.is_empty() {
            gather::read(&self.source, info.start, &info.shape, width, offset / width as u64, out)?;
        } else {
            self.source.read_exact_at(info.start + offset, out)?;
        }
        if info.big_endian {
            reverse_each(out, info.element.swap_bytes());
        }
        Ok(())
    }

    /// Fills `out` with bytes of the file from byte `offset` of the tensor on, as they are stored: blocks of GGUF with their
    /// scales, arrays in their own order.
    ///
    /// # Errors
    /// The range is outside the tensor, or the file cannot be read.
    pub fn read_stored(&self, offset: u64, out: &mut [u8]) -> Result<(), Error> {
        let (end, available) = (offset.saturating_add(out.len() as u64), self.stored_bytes());
        if end > available {
            let tensor = self.info.name.clone();
            return Err(self.fault(Problem::OutOfRange { tensor, range: offset..end, available }));
        }
        self.source.read_exact_at(self.info.start + offset, out)
    }

    /// Reads all elements, in C order and little-endian.
    ///
    /// # Errors
    /// As for [`Tensor::read_bytes`]; also if memory does not suffice.
    pub fn read_all(&self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        let count = usize::try_from(self.byte_len()).unwrap_or(usize::MAX);
        if let Err(error) = bytes.try_reserve_exact(count) {
            return Err(self.fault(Problem::Io { action: "hold the tensor", error: error.into() }));
        }
        bytes.resize(count, 0);
        self.read_bytes(0, &mut bytes)?;
        Ok(bytes)
    }

    /// Passes all elements to `each` in order, in chunks of at most `budget` bytes but at least one element.
    ///
    /// Chunks end between elements. An array in Fortran order is gathered several times faster with a budget of 16 MiB than
    /// with 1 MiB.
    ///
    /// # Errors
    /// As for [`Tensor::read`], and the errors of `each`.
    pub fn visit<E: From<Error>>(
        &self,
        budget: usize,
        mut each: impl FnMut(Chunk<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let bits = self.known_bits()?;
        self.visit_bytes(budget, |offset, bytes| {
            let first = (u128::from(offset) * 8 / u128::from(bits)) as u64;
            each(Chunk { first, bytes })
        })
    }

    /// As [`Tensor::visit`], by bytes: each chunk comes with its offset. It works for elements of unknown width too.
    ///
    /// # Errors
    /// The file cannot be read, and the errors of `each`.
    pub fn visit_bytes<E: From<Error>>(
        &self,
        budget: usize,
        mut each: impl FnMut(u64, &[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        // The fewest bytes with a whole number of elements: 3 for 6-bit elements, 1 for 4-bit elements.
        let bits = self.info.element.bits().unwrap_or(8).max(1) as usize;
        let whole = bits >> bits.trailing_zeros().min(3);
        let step = (budget / whole).max(1) * whole;
        let mut buffer = vec![0; self.byte_len().min(step as u64) as usize];
        let mut offset = 0;
        while offset < self.byte_len() {
            let count = (self.byte_len() - offset).min(step as u64) as usize;
            self.read_bytes(offset, &mut buffer[..count])?;
            each(offset, &buffer[..count])?;
            offset += count as u64;
        }
        Ok(())
    }

    fn known_bits(&self) -> Result<u32, Error> {
        self.info.element.bits().ok_or_else(|| {
            let element = self.info.element.safetensors_name().unwrap_or_default().to_owned();
            self.fault(Problem::UnknownElementType { tensor: self.info.name.clone(), element })
        })
    }

    fn split(&self, offset: u64, len: usize) -> Error {
        let range = offset..offset.saturating_add(len as u64);
        let (tensor, element) = (self.info.name.clone(), self.info.element.clone());
        self.fault(Problem::SplitElement { tensor, element, range })
    }

    fn fault(&self, problem: Problem) -> Error {
        Error::new(problem).in_file(&self.source.path)
    }
}

impl std::fmt::Debug for Tensor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.info.fmt(f)
    }
}

/// Reverses the bytes of each unit of `width`.
fn reverse_each(bytes: &mut [u8], width: usize) {
    fn each<const WIDTH: usize>(bytes: &mut [u8]) {
        bytes.as_chunks_mut::<WIDTH>().0.iter_mut().for_each(|unit| unit.reverse());
    }
    match width {
        0 | 1 => {}
        2 => each::<2>(bytes),
        4 => each::<4>(bytes),
        8 => each::<8>(bytes),
        _ => bytes.chunks_exact_mut(width).for_each(<[u8]>::reverse),
    }
}
