//! Reads and writes tensors as `.npy` files.
//!
//! Element types that `.npy` has no name for are stored as their codes, in unsigned integers of the same width. Types
//! below a byte take a byte for each element. The descriptors that ml_dtypes writes (`|V1`, `<V2`) are accepted on
//! reading.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use binade_files::{ElementType as Stored, IfExists, npy};
use binade_stablehlo::{Data, ElementType, FloatType, Tensor, TensorType, each_storage};
use thiserror::Error;

/// Errors of reading or writing a tensor's file.
#[derive(Debug, Error)]
pub enum NpyError {
    /// The file cannot be opened, read or written.
    #[error(transparent)]
    File(#[from] binade_files::Error),
    /// An array whose element type or shape differs from the parameter's.
    #[error("{}: an array of {found}, where {expected} is needed", .path.display())]
    Type {
        /// The file.
        path: PathBuf,
        /// The array's type.
        found: String,
        /// The parameter's type.
        expected: TensorType,
    },
    /// A code that the element type does not have.
    #[error("{}: element {index} is {code:#x}, which is no {element}", .path.display())]
    Code {
        /// The file.
        path: PathBuf,
        /// The element's index, from 0.
        index: usize,
        /// The code.
        code: u64,
        /// The element type.
        element: ElementType,
    },
    /// A file that is not an archive of arrays.
    #[error("{}: {reason}", .path.display())]
    Archive {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// An array that exceeds the memory limit.
    #[error("{}: {bytes} bytes of elements are more than the limit of {limit} bytes", .path.display())]
    Memory {
        /// The file.
        path: PathBuf,
        /// The bytes of its elements.
        bytes: u64,
        /// The limit.
        limit: usize,
    },
}

/// The descriptor of elements in a file; for types without a name in `.npy`, that of the unsigned integer that stores
/// the codes.
fn stored(element: &ElementType) -> Stored {
    match element {
        ElementType::Bool => Stored::Bool,
        ElementType::Integer { signed, width } => match (signed, width) {
            (true, ..=8) => Stored::I8,
            (true, 16) => Stored::I16,
            (true, 32) => Stored::I32,
            (true, _) => Stored::I64,
            (false, ..=8) => Stored::U8,
            (false, 16) => Stored::U16,
            (false, 32) => Stored::U32,
            (false, _) => Stored::U64,
        },
        ElementType::Float(FloatType::F32 | FloatType::Tf32) => Stored::F32,
        ElementType::Float(FloatType::F64) => Stored::F64,
        ElementType::Float(FloatType::F16) => Stored::F16,
        ElementType::Float(FloatType::Bf16) => Stored::U16,
        ElementType::Float(_) => Stored::U8,
        ElementType::Complex(FloatType::F64) => Stored::C128,
        ElementType::Complex(_) => Stored::C64,
        ElementType::Quantized(quantized) => stored(&quantized.storage),
    }
}

/// Returns true if a file with elements `found` may store elements of a type.
pub(crate) fn accepts(element: &ElementType, found: &Stored) -> bool {
    let own = stored(element);
    let others: &[Stored] = match element {
        // ml_dtypes gives this type a descriptor, f1.
        ElementType::Float(FloatType::F8E5M2) => &[Stored::Raw(1), Stored::F8E5M2],
        ElementType::Float(FloatType::Bf16) => &[Stored::Raw(2)],
        ElementType::Float(FloatType::F16) => &[Stored::U16],
        ElementType::Float(float) if float.format().width() <= 8 => &[Stored::Raw(1)],
        ElementType::Integer { width: ..8, .. } => &[Stored::Raw(1)],
        ElementType::Bool => &[Stored::U8],
        _ => &[],
    };
    own == *found || others.contains(found)
}

/// The bytes that are read at a time.
const READ: usize = 256 << 10;

/// Reads an array as a tensor of a type, of at most `limit` bytes.
///
/// # Errors
/// A file that is not an array, is too large, has another type or shape, or has codes that the element type does not
/// have.
pub fn read(path: &Path, ty: &TensorType, limit: usize) -> Result<Tensor, NpyError> {
    read_tensor(path, npy::Reader::open(path)?.tensor(), ty, limit)
}

/// Converts a tensor of a file to a type, of at most `limit` bytes. Errors name the `path`.
pub(crate) fn read_tensor(
    path: &Path,
    tensor: &binade_files::Tensor,
    ty: &TensorType,
    limit: usize,
) -> Result<Tensor, NpyError> {
    let shape: Option<Vec<usize>> = tensor.shape().iter().map(|&size| usize::try_from(size).ok()).collect();
    let fits = shape.filter(|shape| ty.has_sizes(shape));
    let Some(shape) = fits.filter(|_| accepts(&ty.element, tensor.element())) else {
        let found = format!("{} {:?}", tensor.element(), tensor.shape());
        return Err(NpyError::Type { path: path.to_owned(), found, expected: ty.clone() });
    };
    if tensor.byte_len() > limit as u64 {
        return Err(NpyError::Memory { path: path.to_owned(), bytes: tensor.byte_len(), limit });
    }
    let mut data = Data::empty(&ty.element);
    each_storage!(Data, &mut data, elements => elements.reserve_exact(shape.iter().product()));
    tensor.visit_bytes(READ, |_, bytes| {
        data.push_le_bytes(bytes);
        Ok::<_, NpyError>(())
    })?;
    check_codes(path, &ty.element, &data)?;
    Ok(Tensor { element: ty.element.clone(), shape, data: Arc::new(data) })
}

/// Checks that every byte is a code of the type: types below a byte have fewer than 256.
pub(crate) fn check_codes(path: &Path, element: &ElementType, data: &Data) -> Result<(), NpyError> {
    let (signed, width) = match element {
        ElementType::Bool => (false, 1),
        ElementType::Integer { signed, width } => (*signed, u32::from(*width)),
        ElementType::Float(float) => (false, float.format().width()),
        _ => return Ok(()),
    };
    let found = match data {
        _ if width >= 8 => None,
        Data::U8(codes) => {
            codes.iter().position(|&code| code >> width != 0).map(|i| (i, u64::from(codes[i])))
        }
        Data::I8(codes) if signed => {
            let shift = 8 - width;
            codes.iter().position(|&code| code << shift >> shift != code).map(|i| (i, codes[i] as u8 as u64))
        }
        _ => None,
    };
    match found {
        None => Ok(()),
        Some((index, code)) => {
            Err(NpyError::Code { path: path.to_owned(), index, code, element: element.clone() })
        }
    }
}

/// Writes a tensor as an array, atomically.
///
/// # Errors
/// A file that exists, unless it may be replaced, and failures to write.
pub fn write(path: &Path, tensor: &Tensor, if_exists: IfExists) -> Result<(), NpyError> {
    let shape: Vec<u64> = tensor.shape.iter().map(|&size| size as u64).collect();
    let writer = npy::Writer::create(path, stored(&tensor.element), &shape, if_exists)?;
    let mut offset = 0;
    for chunk in (Chunks { data: &tensor.data, at: 0 }) {
        writer.write_at(offset, &chunk)?;
        offset += chunk.len() as u64;
    }
    writer.finish()?;
    Ok(())
}

/// The bytes of elements in little-endian order, a chunk at a time.
struct Chunks<'a> {
    data: &'a Data,
    at: usize,
}

/// The elements of a chunk.
const CHUNK: usize = 1 << 16;

impl Iterator for Chunks<'_> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let end = self.data.len().min(self.at + CHUNK);
        if self.at == end {
            return None;
        }
        let chunk = self.data.to_le_bytes(self.at..end);
        self.at = end;
        Some(chunk)
    }
}
