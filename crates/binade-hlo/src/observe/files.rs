//! Reads inputs of programs from files of several tensors (`.safetensors`, `.npz`) and from files with a row for each
//! step.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use binade_files::{npy, safetensors};
use binade_stablehlo::{Data, Tensor, TensorType};

use super::npy::{NpyError, accepts, check_codes, read_tensor};

/// The tensors of a `.safetensors` or `.npz` file, by name.
pub struct Named {
    path: PathBuf,
    container: Container,
}

enum Container {
    Safetensors(safetensors::Reader),
    /// An archive as `numpy.savez` writes it: a zip file of arrays.
    Npz(Box<std::sync::Mutex<Archive>>),
}

type Archive = zip::ZipArchive<BufReader<File>>;

/// The suffix of an array's name in an archive.
const NPY: &str = ".npy";

/// Returns true if a file has this extension, in upper or lower case.
fn is_named(path: &Path, suffix: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(suffix))
}

impl Named {
    /// Returns true if a file of this name has several tensors.
    pub fn is_one(path: &Path) -> bool {
        is_named(path, "safetensors") || is_named(path, "npz")
    }

    /// Opens a file: an archive if its name ends in `.npz`.
    ///
    /// # Errors
    /// A file that cannot be read or is of neither kind.
    pub fn open(path: &Path) -> Result<Named, NpyError> {
        let container = match is_named(path, "npz") {
            true => {
                let wrong = |reason: String| NpyError::Archive { path: path.to_owned(), reason };
                let file = File::open(path).map_err(|error| wrong(format!("cannot read: {error}")))?;
                let archive = Archive::new(BufReader::new(file)).map_err(|error| wrong(error.to_string()))?;
                Container::Npz(Box::new(std::sync::Mutex::new(archive)))
            }
            false => Container::Safetensors(safetensors::Reader::open(path)?),
        };
        Ok(Named { path: path.to_owned(), container })
    }

    /// Returns the names of the tensors.
    pub fn names(&self) -> Vec<String> {
        match &self.container {
            Container::Safetensors(reader) => {
                reader.tensors().iter().map(|tensor| tensor.name().to_owned()).collect()
            }
            Container::Npz(archive) => {
                let archive = archive.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                let own = |name: std::borrow::Cow<str>| Some(name.strip_suffix(NPY)?.to_owned());
                archive.file_names().filter_map(|name| own(name.ok()?)).collect()
            }
        }
    }

    /// Reads the tensor of this name as one of a type, of at most `limit` bytes.
    ///
    /// # Errors
    /// No tensor of this name, and those of [`crate::observe::npy::read`].
    pub fn read(&self, name: &str, ty: &TensorType, limit: usize) -> Result<Tensor, NpyError> {
        let path = PathBuf::from(format!("{}: {name}", self.path.display()));
        let wrong = |reason: String| NpyError::Archive { path: path.clone(), reason };
        match &self.container {
            Container::Safetensors(reader) => {
                let tensor = reader.get(name).ok_or_else(|| wrong("there is no such tensor".to_owned()))?;
                read_tensor(&path, tensor, ty, limit)
            }
            Container::Npz(archive) => {
                let mut archive = archive.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                let file =
                    archive.by_name(&format!("{name}{NPY}")).map_err(|error| wrong(error.to_string()))?;
                // The header of an array of the right type is far shorter than a page, so this bound stops a
                // decompression bomb.
                let most = (limit as u64).saturating_add(1 << 16);
                let mut bytes = vec![];
                file.take(most.saturating_add(1))
                    .read_to_end(&mut bytes)
                    .map_err(|error| wrong(error.to_string()))?;
                if bytes.len() as u64 > most {
                    return Err(NpyError::Memory { path, bytes: bytes.len() as u64, limit });
                }
                let reader = npy::Reader::from_source(&path, Box::new(bytes))?;
                read_tensor(&path, reader.tensor(), ty, limit)
            }
        }
    }
}

/// An array with one tensor for each step: step `s` reads row `s`.
pub struct Rows {
    path: PathBuf,
    reader: npy::Reader,
    /// The type of a row.
    ty: TensorType,
    shape: Vec<usize>,
    rows: u64,
}

impl Rows {
    /// Opens a `.npy` file of rows of a type.
    ///
    /// # Errors
    /// A file that is not an array, has no rows, or has rows of another type or shape.
    pub fn open(path: &Path, ty: &TensorType) -> Result<Rows, NpyError> {
        let reader = npy::Reader::open(path)?;
        let tensor = reader.tensor();
        let sizes: Option<Vec<usize>> =
            tensor.shape().iter().map(|&size| usize::try_from(size).ok()).collect();
        let sizes = sizes.unwrap_or_default();
        let fits = sizes.split_first().filter(|(rows, shape)| {
            **rows > 0 && ty.has_sizes(shape) && accepts(&ty.element, tensor.element())
        });
        let Some((&rows, shape)) = fits else {
            let found = format!("{} {:?} for rows", tensor.element(), tensor.shape());
            return Err(NpyError::Type { path: path.to_owned(), found, expected: ty.clone() });
        };
        let (rows, shape) = (rows as u64, shape.to_vec());
        Ok(Rows { path: path.to_owned(), ty: ty.clone(), shape, rows, reader })
    }

    /// The file's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of rows.
    pub fn count(&self) -> u64 {
        self.rows
    }

    /// Reads the row of a step. After the last row, the first one follows.
    ///
    /// # Errors
    /// Failures to read, and codes that the element type does not have.
    pub fn row(&self, step: u64) -> Result<Tensor, NpyError> {
        let tensor = self.reader.tensor();
        let length = tensor.byte_len() / self.rows;
        let mut bytes = vec![0; usize::try_from(length).unwrap_or(usize::MAX)];
        tensor.read_bytes(step % self.rows * length, &mut bytes)?;
        let data = Data::from_le_bytes(&self.ty.element, &bytes);
        check_codes(&self.path, &self.ty.element, &data)?;
        Ok(Tensor { element: self.ty.element.clone(), shape: self.shape.clone(), data: Arc::new(data) })
    }
}
