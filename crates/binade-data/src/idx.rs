//! Loader of IDX files, the format of MNIST and its successors.

use std::path::{Path, PathBuf};

use crate::catalogue::LICENCE_OF_FILES;
use crate::dataset::{Column, Dataset, Split, Task};
use crate::folder::File;
use crate::{DataError, images};

pub(crate) const LAYOUT: &str = "train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte and t10k-labels-idx1-ubyte, plain or .gz";

/// Loads the files of a folder. Without `classes`, the training labels determine the number of classes.
pub(crate) fn load(
    name: &str,
    folder: &Path,
    source: &str,
    licence: &str,
    classes: Option<usize>,
) -> Result<Dataset, DataError> {
    let (train, test) = (Part::read(folder, &["train"])?, Part::read(folder, &["t10k", "test"])?);
    if train.shape != test.shape {
        let problem =
            format!("images of shape {:?}, but the training images have shape {:?}", test.shape, train.shape);
        return Err(DataError::Array { path: test.path, problem });
    }
    let highest = train.labels.iter().max().map_or(0, |&label| usize::from(label));
    let (shape, classes) = (train.shape, classes.unwrap_or(highest + 1));
    let (train, test) = (train.split(classes)?, test.split(classes)?);
    let about = format!("{}: {source}", images::described(&train, &test, shape, classes));
    let data = Dataset::new(name, about, licence, Task::Classification, train, test);
    Ok(Dataset { classes: Some(classes), ..data })
}

/// Loads a folder of an unknown data set.
pub(crate) fn any(folder: &Path) -> Result<Dataset, DataError> {
    let source = format!("read from {}; licence: {LICENCE_OF_FILES}", folder.display());
    load("idx", folder, &source, LICENCE_OF_FILES, None)
}

/// Images and labels of a split.
struct Part {
    /// File of the labels.
    path: PathBuf,
    shape: [usize; 3],
    pixels: Vec<u8>,
    labels: Vec<u8>,
}

impl Part {
    fn read(folder: &Path, prefixes: &[&str]) -> Result<Self, DataError> {
        let open = |end: &str| {
            let separated =
                |prefix| [format!("{prefix}-{end}"), format!("{prefix}-{}", end.replacen('-', ".", 1))];
            File::first_of(folder, &prefixes.iter().flat_map(separated).collect::<Vec<_>>())
        };
        let (pixels, labels) = (open("images-idx3-ubyte")?, open("labels-idx1-ubyte")?);
        let [count, height, width] = take_header(&pixels, 0x803, "of images")?;
        let [labelled] = take_header(&labels, 0x801, "of labels")?;
        if count != labelled {
            return Err(DataError::Counts {
                first: pixels.path,
                first_what: "images",
                first_count: count,
                second: labels.path,
                second_what: "labels",
                second_count: labelled,
            });
        }
        if count == 0 {
            return Err(pixels.empty());
        }
        // The file contains height · width bytes per image, so each factor fits.
        let shape = [height as usize, width as usize, 1];
        let body = |mut file: File, header: usize| {
            file.contents.drain(..header);
            file.contents
        };
        Ok(Self { path: labels.path.clone(), shape, pixels: body(pixels, 16), labels: body(labels, 8) })
    }

    fn split(self, classes: usize) -> Result<Split, DataError> {
        let labels = images::checked(&self.path, &self.labels, classes)?;
        Split::new(vec![Column::new("image", self.shape, self.pixels), Column::new("label", [], labels)])
    }
}

/// Reads the lengths that follow the magic number `magic`, and checks them against the length of the file.
fn take_header<const D: usize>(file: &File, magic: u32, what: &'static str) -> Result<[u64; D], DataError> {
    let header = file.require(4 + 4 * D as u64, "the header")?;
    let word = |at: usize| {
        let bytes = header[4 * at..][..4].try_into().unwrap_or_default();
        u32::from_be_bytes(bytes)
    };
    if word(0) != magic {
        return Err(DataError::Magic { path: file.path.clone(), what, expected: magic, found: word(0) });
    }
    let lengths: [u64; D] = std::array::from_fn(|at| word(1 + at).into());
    let elements = lengths.iter().try_fold(1_u64, |product, &length| product.checked_mul(length));
    let end = elements.unwrap_or(u64::MAX).saturating_add(header.len() as u64);
    file.require(end, &format!("the array of shape {lengths:?}"))?;
    match file.contents.len() as u64 - end {
        0 => Ok(lengths),
        extra => {
            let what = format!("the array of shape {lengths:?}");
            Err(DataError::Trailing { path: file.path.clone(), what, end, extra })
        }
    }
}
