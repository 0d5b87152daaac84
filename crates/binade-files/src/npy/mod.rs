//! Reads and writes NumPy's .npy files: one array in a file.
//!
//! Reads format versions 1.0, 2.0 and 3.0, C and Fortran order, both byte orders, and any rank up to [`crate::MAX_RANK`]. As
//! the format allows, bytes may follow the array; [`Reader::trailing_bytes`] counts them. Writes version 1.0, C order,
//! little-endian. The header of a plain type with at most 64 dimensions always fits version 1.0.

mod header;
mod literal;

use std::path::Path;
use std::sync::Arc;

pub use header::{Header, parse_header};

pub(crate) use header::MAGIC;

use crate::output::{Output, Region};
use crate::source::{Named, Source};
use crate::tensor::{Info, count_bytes};
use crate::{Container, ElementType, Error, IfExists, Problem, Tensor};

/// An open .npy file.
#[derive(Debug)]
pub struct Reader {
    tensor: Tensor,
    trailing_bytes: u64,
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
        let start = source.read_start(header::PREAMBLE)?;
        let end = header::parse_preamble(&start, size).map_err(in_file)?.header_end;
        let Header { element, big_endian, fortran_order, shape, data_start, byte_len } =
            parse_header(&source.read_start(end)?).map_err(in_file)?;
        let found = size - data_start;
        if byte_len > found {
            let problem = Problem::NpyData { element, shape, needed: byte_len, found };
            return Err(in_file(Error::at(data_start, problem)));
        }
        let (name, start) = (String::new(), data_start);
        let info = Info { name, element, shape, start, byte_len, fortran_order, big_endian, blocks: None };
        let trailing_bytes = found - byte_len;
        Ok(Self { tensor: Tensor { info, source: Arc::new(source) }, trailing_bytes })
    }

    /// The array.
    pub fn tensor(&self) -> &Tensor {
        &self.tensor
    }

    /// True if the file has the array in Fortran order. Reads return C order all the same.
    pub fn fortran_order(&self) -> bool {
        self.tensor.info.fortran_order
    }

    /// Number of bytes after the array. After two calls of `numpy.save` on one file, they are another array.
    pub fn trailing_bytes(&self) -> u64 {
        self.trailing_bytes
    }
}

/// A .npy file being written.
pub struct Writer {
    output: Output,
}

impl Writer {
    /// Creates a file for one array.
    ///
    /// # Errors
    /// The element type has no .npy name, or the shape is too large. The file exists or cannot be written.
    pub fn create(
        path: impl AsRef<Path>,
        element: ElementType,
        shape: &[u64],
        if_exists: IfExists,
    ) -> Result<Self, Error> {
        let path = path.as_ref();
        let prepare = || {
            let Some(descr) = element.npy_descr() else {
                let container = Container::Npy;
                return Err(Problem::Unnameable { container, element: element.clone() });
            };
            // Every type with a .npy name has a known width.
            let len = count_bytes("", &element, shape)?.unwrap_or_default();
            Ok((header::write(&descr, shape), len))
        };
        let (header, len) = prepare().map_err(|problem| Error::new(problem).in_file(path))?;
        let region = Region { name: String::new(), start: header.len() as u64, len };
        Ok(Self { output: Output::create(path, if_exists, &header, vec![region])? })
    }

    /// Writes little-endian elements at byte `offset` of the array in C order. Each byte must be written once, in any order,
    /// from any thread.
    ///
    /// # Errors
    /// The bytes are outside the array or were written before, or the file cannot be written.
    pub fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        self.output.write_at(0, offset, bytes)
    }

    /// Checks that the whole array was written, and gives the file its name.
    ///
    /// # Errors
    /// Bytes were not written, the file exists by now, or it cannot be written.
    pub fn finish(self) -> Result<(), Error> {
        self.output.finish()
    }
}
