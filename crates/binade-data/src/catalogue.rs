//! The only list of data sets.

use std::path::Path;

use crate::{
    DataError, Dataset, arrays, choices, cifar, fashion, idx, interactions, mnist1d, parallel, text,
};

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
    /// Takes the folder, if there is one.
    loader: fn(&Path) -> Result<Dataset, DataError>,
}

/// Whether a data set is read from a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Folder {
    /// The program carries or makes the data.
    None,
    /// A folder may be named, which holds what `layout` says; without one, `folder` is read.
    Default {
        /// Where a system's package puts the files.
        folder: &'static str,
        /// What a folder holds.
        layout: &'static str,
    },
    /// A folder must be named, which holds what the text says.
    Needed(&'static str),
}

/// Of data that the program knows nothing about.
pub(crate) const LICENCE_OF_FILES: &str = "that of the files";

/// The first is the one that is meant where none is named.
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
        name: "fashion-mnist",
        about: "all of Fashion-MNIST: 60,000 training and 10,000 test images",
        licence: fashion::LICENCE,
        folder: Folder::Default { folder: fashion::FOLDER, layout: fashion::LAYOUT },
        synthetic: false,
        loader: fashion::whole,
    },
    Entry {
        name: "mnist1d",
        about: "4,000 training and 1,000 test signals of 40 numbers in 10 classes, made as those of MNIST-1D are",
        licence: mnist1d::LICENCE,
        folder: Folder::None,
        synthetic: true,
        loader: |_| mnist1d::load(),
    },
    Entry {
        name: "bible",
        about: "the King James Bible as 944,477 tokens of 10,000 words, in the manner of the Penn Treebank",
        licence: text::BIBLE_LICENCE,
        folder: Folder::None,
        synthetic: false,
        loader: |_| text::bible(),
    },
    Entry {
        name: "cifar10",
        about: "CIFAR-10: 50,000 training and 10,000 test images of 32×32 pixels in colour",
        licence: cifar::LICENCE,
        folder: Folder::Needed("data_batch_1.bin to data_batch_5.bin and test_batch.bin"),
        synthetic: false,
        loader: |folder| cifar::load(&cifar::CIFAR10, folder),
    },
    Entry {
        name: "cifar100",
        about: "CIFAR-100: the same in 100 classes",
        licence: cifar::LICENCE,
        folder: Folder::Needed("train.bin and test.bin"),
        synthetic: false,
        loader: |folder| cifar::load(&cifar::CIFAR100, folder),
    },
    Entry {
        name: "idx",
        about: "images and labels in IDX files, as those of MNIST",
        licence: LICENCE_OF_FILES,
        folder: Folder::Needed(idx::LAYOUT),
        synthetic: false,
        loader: idx::any,
    },
    Entry {
        name: "text",
        about: "texts for a language model, in the layout of the Penn Treebank",
        licence: LICENCE_OF_FILES,
        folder: Folder::Needed(text::LAYOUT),
        synthetic: false,
        loader: text::load,
    },
    Entry {
        name: "parallel",
        about: "sentence pairs for translation; DIR:L-M names the direction",
        licence: LICENCE_OF_FILES,
        folder: Folder::Needed(parallel::LAYOUT),
        synthetic: false,
        loader: parallel::load,
    },
    Entry {
        name: "ngcf",
        about: "users and the items that they chose, in the files of NGCF",
        licence: LICENCE_OF_FILES,
        folder: Folder::Needed(interactions::NGCF_LAYOUT),
        synthetic: false,
        loader: interactions::ngcf,
    },
    Entry {
        name: "movielens",
        about: "MovieLens-100k: 100,000 ratings of 1,682 films by 943 users",
        licence: interactions::MOVIELENS_LICENCE,
        folder: Folder::Needed(interactions::MOVIELENS_LAYOUT),
        synthetic: false,
        loader: interactions::movielens,
    },
    Entry {
        name: "choices",
        about: "4,199 training and 950 test pairs: made-up choices of 256 items by 192 users",
        licence: choices::LICENCE,
        folder: Folder::None,
        synthetic: true,
        loader: |_| choices::load(),
    },
    Entry {
        name: "arrays",
        about: "any columns, as .npy or .safetensors",
        licence: LICENCE_OF_FILES,
        folder: Folder::Needed(arrays::LAYOUT),
        synthetic: false,
        loader: arrays::load,
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
    let folder = folder.filter(|folder| !folder.is_empty());
    let folder = match (entry.folder, folder) {
        (Folder::None, None) => "",
        (Folder::None, Some(given)) => {
            return Err(DataError::TakesNoFolder { name: entry.name, given: given.to_owned() });
        }
        (Folder::Default { folder, .. }, None) if Path::new(folder).is_dir() => folder,
        (Folder::Needed(layout) | Folder::Default { layout, .. }, None) => {
            return Err(DataError::NeedsFolder { name: entry.name, layout });
        }
        (Folder::Default { .. } | Folder::Needed(_), Some(folder)) => folder,
    };
    (entry.loader)(Path::new(folder))
}
