//! The only list of data sets.

use std::path::Path;

use crate::{DataError, Dataset, fashion, mnist1d};

/// What is known of a data set before it is loaded.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// Its name, as `load` takes it.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Its licence; of what a folder holds, what that says.
    pub licence: &'static str,
    /// Whether it is read from a folder.
    pub folder: Folder,
    /// Whether a program makes the data up.
    pub synthetic: bool,
    loader: fn(Option<&Path>) -> Result<Dataset, DataError>,
}

/// Whether a data set is read from a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folder {
    /// The program carries or makes the data.
    None,
    /// A folder may be named; without one this is read.
    Default(&'static str),
    /// A folder must be named, which holds what the text says.
    Needed(&'static str),
}

static ENTRIES: &[Entry] = &[
    Entry {
        name: "fashion-mnist-small",
        about: "5,000 training and 2,000 test images of 28×28 pixels in 10 classes, part of Fashion-MNIST",
        licence: fashion::LICENCE,
        folder: Folder::None,
        synthetic: false,
        loader: |_| fashion::small(),
    },
    Entry {
        name: "mnist1d",
        about: "4,000 training and 1,000 test signals of 40 numbers in 10 classes, made as those of MNIST-1D are",
        licence: "MIT OR Apache-2.0",
        folder: Folder::None,
        synthetic: true,
        loader: |_| mnist1d::load(),
    },
];

/// Every data set; the first is the one that is meant where none is named.
pub fn catalogue() -> &'static [Entry] {
    ENTRIES
}

/// Loads a data set by `NAME` or `NAME:DIR`.
///
/// ```
/// let data = binade_data::load("fashion-mnist-small")?;
/// assert_eq!(data.train.column("image").unwrap().shape, [28, 28, 1]);
/// println!("{data}"); // its name, size, source and licence
/// # Ok::<(), binade_data::DataError>(())
/// ```
///
/// # Errors
/// What is wrong with the name, with the folder, or with a file in it.
pub fn load(name: &str) -> Result<Dataset, DataError> {
    let (name, folder) = match name.split_once(':') {
        Some((name, folder)) => (name, Some(folder)),
        None => (name, None),
    };
    let entry = ENTRIES.iter().find(|entry| entry.name == name).ok_or_else(|| DataError::Unknown {
        name: name.to_owned(),
        known: ENTRIES.iter().map(|entry| entry.name).collect(),
    })?;
    let folder = match (entry.folder, folder) {
        (Folder::None, None) => None,
        (Folder::None, Some(given)) => {
            return Err(DataError::TakesNoFolder { name: entry.name, given: given.to_owned() });
        }
        (Folder::Needed(layout), None | Some("")) => {
            return Err(DataError::NeedsFolder { name: entry.name, layout });
        }
        (Folder::Default(default), None | Some("")) => Some(default),
        (_, given) => given,
    };
    (entry.loader)(folder.map(Path::new))
}
