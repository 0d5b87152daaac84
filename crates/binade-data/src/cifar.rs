//! CIFAR-10 and CIFAR-100 in their binary version: records of labels and three planes of 32×32 pixels.

use std::path::Path;

use crate::dataset::{Column, Dataset, Split, Task};
use crate::folder::{self, File};
use crate::{DataError, images};

const SHAPE: [usize; 3] = [32, 32, 3];
const PLANE: usize = 32 * 32;
pub(crate) const LICENCE: &str = "not stated by its authors";

/// One of the two sets.
pub(crate) struct Kind {
    name: &'static str,
    title: &'static str,
    /// The folder in the published archive.
    subfolder: &'static str,
    train: &'static [&'static str],
    test: &'static str,
    /// The labels at the beginning of each record.
    labels: &'static [(&'static str, usize)],
    classes: usize,
}

pub(crate) const CIFAR10: Kind = Kind {
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

pub(crate) const CIFAR100: Kind = Kind {
    name: "cifar100",
    title: "CIFAR-100",
    subfolder: "cifar-100-binary",
    train: &["train.bin"],
    test: "test.bin",
    labels: &[("coarse_label", 20), ("label", 100)],
    classes: 100,
};

/// The files of a folder, or of the archive's folder in it.
pub(crate) fn load(kind: &Kind, folder: &Path) -> Result<Dataset, DataError> {
    let archive = folder::list(folder)?.iter().any(|name| name == kind.subfolder);
    let folder = if archive { folder.join(kind.subfolder) } else { folder.to_owned() };
    let (train, test) = (read(kind, &folder, kind.train)?, read(kind, &folder, &[kind.test])?);
    let about = format!(
        "{}: {} (Krizhevsky, \"Learning multiple layers of features from tiny images\", 2009) of {}; licence {LICENCE}",
        images::described(&train, &test, SHAPE, kind.classes),
        kind.title,
        folder.display()
    );
    let data = Dataset::new(kind.name, about, LICENCE, Task::Classification, train, test);
    Ok(Dataset { classes: Some(kind.classes), ..data })
}

/// The records of some files, one split.
fn read(kind: &Kind, folder: &Path, names: &[&str]) -> Result<Split, DataError> {
    let record = kind.labels.len() + 3 * PLANE;
    let mut pixels = vec![];
    let mut labels: Vec<Vec<i32>> = vec![vec![]; kind.labels.len()];
    for name in names {
        let file = File::first_of(folder, &[name])?;
        if file.contents.is_empty() {
            return Err(file.empty());
        }
        let records = file.contents.len().div_ceil(record);
        let whole =
            file.need((records * record) as u64, &format!("record {} of {record} bytes", records - 1))?;
        pixels.reserve(records * 3 * PLANE);
        for record in whole.chunks_exact(record) {
            let planes = &record[kind.labels.len()..];
            pixels.extend((0..PLANE).flat_map(|at| [planes[at], planes[PLANE + at], planes[2 * PLANE + at]]));
        }
        for (at, (all, &(_, classes))) in labels.iter_mut().zip(kind.labels).enumerate() {
            let here: Vec<u8> = whole.chunks_exact(record).map(|record| record[at]).collect();
            all.extend(images::checked(&file.path, &here, classes)?);
        }
    }
    let labels = kind.labels.iter().zip(labels).map(|(&(name, _), labels)| Column::new(name, [], labels));
    Split::new([Column::new("image", SHAPE, pixels)].into_iter().chain(labels).collect())
}
