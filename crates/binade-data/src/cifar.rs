//! Loader of CIFAR-10 and CIFAR-100 in their binary version: records of labels and three planes of 32×32 pixels.

use std::path::Path;

use crate::dataset::{Column, Dataset, Split, Task};
use crate::folder::{self, File};
use crate::{DataError, images};

const SHAPE: [usize; 3] = [32, 32, 3];
const PLANE: usize = 32 * 32;
pub(crate) const LICENCE: &str = "not stated by its authors";

/// A version of the data set: CIFAR-10 or CIFAR-100.
pub(crate) struct CifarVersion {
    name: &'static str,
    title: &'static str,
    /// Folder in the published archive.
    subfolder: &'static str,
    train: &'static [&'static str],
    test: &'static str,
    /// Labels at the start of each record, with their numbers of classes.
    labels: &'static [(&'static str, usize)],
    classes: usize,
}

pub(crate) const CIFAR10: CifarVersion = CifarVersion {
    name: "cifar10",
    title: "CIFAR-10",
    subfolder: "cifar-10-batches-bin",
    train: &[
        "data_batch_1.bin",
        "data_batch_2.bin",
        "data_batch_3.bin",
        "data_batch_4.bin",
        "data_batch_5.bin",
    ],
    test: "test_batch.bin",
    labels: &[("label", 10)],
    classes: 10,
};

pub(crate) const CIFAR100: CifarVersion = CifarVersion {
    name: "cifar100",
    title: "CIFAR-100",
    subfolder: "cifar-100-binary",
    train: &["train.bin"],
    test: "test.bin",
    labels: &[("coarse_label", 20), ("label", 100)],
    classes: 100,
};

/// Loads the files of a folder, or of the archive's folder in it.
pub(crate) fn load(version: &CifarVersion, folder: &Path) -> Result<Dataset, DataError> {
    let archive = folder::list(folder)?.iter().any(|name| name == version.subfolder);
    let folder = if archive { folder.join(version.subfolder) } else { folder.to_owned() };
    let (train, test) = (read(version, &folder, version.train)?, read(version, &folder, &[version.test])?);
    let about = format!(
        "{}: {} (Krizhevsky, \"Learning multiple layers of features from tiny images\", 2009) of {}; licence {LICENCE}",
        images::described(&train, &test, SHAPE, version.classes),
        version.title,
        folder.display()
    );
    let data = Dataset::new(version.name, about, LICENCE, Task::Classification, train, test);
    Ok(Dataset { classes: Some(version.classes), ..data })
}

/// Reads the records of some files as one split.
fn read(version: &CifarVersion, folder: &Path, names: &[&str]) -> Result<Split, DataError> {
    let record = version.labels.len() + 3 * PLANE;
    let mut pixels = vec![];
    let mut labels: Vec<Vec<i32>> = vec![vec![]; version.labels.len()];
    for name in names {
        let file = File::first_of(folder, &[name])?;
        if file.contents.is_empty() {
            return Err(file.empty());
        }
        let records = file.contents.len().div_ceil(record);
        let whole = file.require((records * record) as u64, &format!("record {}", records - 1))?;
        pixels.reserve(records * 3 * PLANE);
        for record in whole.chunks_exact(record) {
            let planes = &record[version.labels.len()..];
            pixels.extend((0..PLANE).flat_map(|at| [planes[at], planes[PLANE + at], planes[2 * PLANE + at]]));
        }
        for (at, (all, &(_, classes))) in labels.iter_mut().zip(version.labels).enumerate() {
            let here: Vec<u8> = whole.chunks_exact(record).map(|record| record[at]).collect();
            all.extend(images::checked(&file.path, &here, classes)?);
        }
    }
    let labels = version.labels.iter().zip(labels).map(|(&(name, _), labels)| Column::new(name, [], labels));
    Split::new([Column::new("image", SHAPE, pixels)].into_iter().chain(labels).collect())
}
