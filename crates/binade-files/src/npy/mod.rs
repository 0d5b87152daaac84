//! NumPy's `.npy`: one array a file.
//!
//! Read: format versions 1.0, 2.0 and 3.0, C and Fortran order, both byte orders, any rank up to [`crate::MAX_RANK`].
//! Bytes after the array are allowed, as the format has it, and counted by [`Reader::trailing_bytes`].
//! Written: version 1.0, C order, little-endian; no header of a plain type and at most 64 dimensions outgrows it.

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

/// An open npy file.
#[derive(Debug)]
pub struct Reader {
    tensor: Tensor,
    trailing_bytes: u64,
}

impl Reader {
    /// Opens a file and checks its header against its length.
    ///
    /// # Errors
    /// What is wrong with the header, or with reading it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::new(Named::open(path.as_ref())?)
    }

    /// Reads a file that is in memory.
    ///
    /// # Errors
    /// What is wrong with the header.
    pub fn from_bytes(bytes: impl Into<Vec<u8>>) -> Result<Self, Error> {
        Self::from_source(Path::new(""), Box::new(bytes.into()))
    }

    /// Reads from anywhere; errors name the `path`.
    ///
    /// # Errors
    /// What is wrong with the header, or with reading it.
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
        let info = Info { name, element, shape, start, byte_len, fortran_order, big_endian };
        let trailing_bytes = found - byte_len;
        Ok(Self { tensor: Tensor { info, source: Arc::new(source) }, trailing_bytes })
    }

    /// The array.
    pub fn tensor(&self) -> &Tensor {
        &self.tensor
    }

    /// Whether the file keeps the array in Fortran order. (It is read in C order all the same.)
    pub fn fortran_order(&self) -> bool {
        self.tensor.info.fortran_order
    }

    /// How many bytes follow the array; where `numpy.save` was called on one file twice, they are another array.
    pub fn trailing_bytes(&self) -> u64 {
        self.trailing_bytes
    }
}

/// An npy file being written.
pub struct Writer {
    output: Output,
}

impl Writer {
    /// Starts a file for one array.
    ///
    /// # Errors
    /// An element type that npy cannot name, a shape that is too large, a file that exists, and failures to write.
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
            // Every type that npy can name has a width.
            let len = count_bytes("", &element, shape)?.unwrap_or_default();
            Ok((header::write(&descr, shape), len))
        };
        let (header, len) = prepare().map_err(|problem| Error::new(problem).in_file(path))?;
        let region = Region { name: String::new(), start: header.len() as u64, len };
        Ok(Self { output: Output::create(path, if_exists, &header, vec![region])? })
    }

    /// Writes elements, little-endian, at the byte `offset` of the array in C order; each byte once, in any order, from any
    /// thread.
    ///
    /// # Errors
    /// Bytes outside the array or written before, and failures to write.
    pub fn write_at(&self, offset: u64, bytes: &[u8]) -> Result<(), Error> {
        self.output.write_at(0, offset, bytes)
    }

    /// Checks that the whole array was written, and gives the file its name.
    ///
    /// # Errors
    /// Bytes that were never written, a file that came to exist meanwhile, and failures to write.
    pub fn finish(self) -> Result<(), Error> {
        self.output.finish()
    }
}
