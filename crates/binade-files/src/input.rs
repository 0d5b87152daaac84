//! A file of either kind.

use std::path::Path;

use crate::source::Named;
use crate::{Container, Error, Tensor, npy, safetensors};

/// An open file of either kind.
#[derive(Debug)]
pub enum Input {
    /// An npy file.
    Npy(npy::Reader),
    /// A safetensors file.
    Safetensors(safetensors::Reader),
}

impl Input {
    /// Opens a file: npy if it begins as one or is named `.npy`, safetensors otherwise.
    ///
    /// # Errors
    /// What is wrong with the file's header, or with reading it.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let source = Named::open(path)?;
        let named_npy = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npy"));
        if named_npy || source.read_start(npy::MAGIC.len() as u64)? == npy::MAGIC {
            npy::Reader::new(source).map(Self::Npy)
        } else {
            safetensors::Reader::new(source).map(Self::Safetensors)
        }
    }

    /// Which kind of file it is.
    pub fn container(&self) -> Container {
        match self {
            Self::Npy(_) => Container::Npy,
            Self::Safetensors(_) => Container::Safetensors,
        }
    }

    /// The tensors, in the order of the header; the one array of an npy file has the empty name.
    pub fn tensors(&self) -> &[Tensor] {
        match self {
            Self::Npy(reader) => std::slice::from_ref(reader.tensor()),
            Self::Safetensors(reader) => reader.tensors(),
        }
    }

    /// The tensor of that name.
    pub fn get(&self, name: &str) -> Option<&Tensor> {
        match self {
            Self::Npy(reader) => name.is_empty().then(|| reader.tensor()),
            Self::Safetensors(reader) => reader.get(name),
        }
    }

    /// The metadata, in the order of the header; an npy file has none.
    pub fn metadata(&self) -> &[(String, String)] {
        match self {
            Self::Npy(_) => &[],
            Self::Safetensors(reader) => reader.metadata(),
        }
    }
}
