//! Opens a file and detects its type: .npy, .safetensors or .gguf.

use std::path::Path;

use crate::source::Named;
use crate::{Container, Error, Problem, Tensor, gguf, npy, safetensors};

/// Number of leading bytes that identify the type of a file.
const START: u64 = 24;

/// Describes a file of another type by its first bytes.
fn describe_other(start: &[u8]) -> String {
    const KINDS: [(&[u8], &str); 8] = [
        (b"PK\x03\x04", "a zip archive, as PyTorch and NumPy's .npz are"),
        (b"\x80\x02", "a pickle, as older files of PyTorch are"),
        (b"\x80\x04", "a pickle"),
        (b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
        (b"\x1f\x8b", "compressed by gzip"),
        (b"\x28\xb5\x2f\xfd", "compressed by zstd"),
        (b"version https://git-lfs", "a Git LFS pointer; run `git lfs pull` to fetch the file"),
        (b"ML\xefR", "an MLIR bytecode file"),
    ];
    match KINDS.iter().find(|(magic, _)| start.starts_with(magic)) {
        Some((_, kind)) => format!("it is {kind}"),
        None if start.is_empty() => "it is empty".to_owned(),
        None => format!("it begins with {}", start[..start.len().min(9)].escape_ascii()),
    }
}

/// An open .npy, .safetensors or .gguf file.
#[derive(Debug)]
pub enum Input {
    /// A .npy file.
    Npy(npy::Reader),
    /// A .safetensors file.
    Safetensors(safetensors::Reader),
    /// A .gguf file.
    Gguf(gguf::Reader),
}

impl Input {
    /// Opens a file. It is read as .npy or .gguf if it has that magic string or that extension, otherwise as .safetensors.
    ///
    /// # Errors
    /// The file cannot be read, is of another type, or has an invalid header.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let source = Named::open(path)?;
        let named =
            |ending: &str| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending));
        let start = source.read_start(START)?;
        if named("npy") || start.starts_with(npy::MAGIC) {
            return npy::Reader::new(source).map(Self::Npy);
        }
        if named("gguf") || start.starts_with(gguf::MAGIC) {
            return gguf::Reader::new(source).map(Self::Gguf);
        }
        // Checked before the first eight bytes are taken for a length. A short file named .safetensors is reported as
        // truncated.
        match start.get(8) {
            Some(b'{') => {}
            None if named("safetensors") => {}
            _ => return Err(Error::new(Problem::NotTensors { kind: describe_other(&start) }).in_file(path)),
        }
        safetensors::Reader::new(source).map(Self::Safetensors)
    }

    /// The type of the file.
    pub fn container(&self) -> Container {
        match self {
            Self::Npy(_) => Container::Npy,
            Self::Safetensors(_) => Container::Safetensors,
            Self::Gguf(_) => Container::Gguf,
        }
    }

    /// The tensors in the order of the header. The one array of a .npy file has the empty name.
    pub fn tensors(&self) -> &[Tensor] {
        match self {
            Self::Npy(reader) => std::slice::from_ref(reader.tensor()),
            Self::Safetensors(reader) => reader.tensors(),
            Self::Gguf(reader) => reader.tensors(),
        }
    }

    /// The tensor with this name.
    pub fn get(&self, name: &str) -> Option<&Tensor> {
        match self {
            Self::Npy(reader) => name.is_empty().then(|| reader.tensor()),
            Self::Safetensors(reader) => reader.get(name),
            Self::Gguf(reader) => reader.get(name),
        }
    }

    /// The metadata in the order of the header; empty for a .npy file.
    pub fn metadata(&self) -> &[(String, String)] {
        match self {
            Self::Npy(_) => &[],
            Self::Safetensors(reader) => reader.metadata(),
            Self::Gguf(reader) => reader.metadata(),
        }
    }
}
