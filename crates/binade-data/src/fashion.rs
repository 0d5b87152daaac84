//! Loader of Fashion-MNIST: the embedded part, or the whole set from a folder.

use std::path::Path;

use crate::dataset::{Column, Dataset, Split, Task};
use crate::{DataError, idx, packed};

/// Made by `scripts/make_fashion_small.py`, which documents its contents.
const SMALL: &[u8] = include_bytes!("../data/fashion-mnist-small.zz");
/// Images of each class in the embedded part.
const TRAIN: usize = 500;
const TEST: usize = 200;

const CLASSES: usize = 10;
const SIDE: usize = 28;
const SIZE: usize = SIDE * SIDE;

/// Folder of Debian's package dataset-fashion-mnist.
pub(crate) const FOLDER: &str = "/usr/share/datasets/fashion-mnist";
pub(crate) const LAYOUT: &str =
    "its four IDX files; Debian's package dataset-fashion-mnist puts them where they are found without DIR";
pub(crate) const LICENCE: &str = "MIT";
const SOURCE: &str = "Fashion-MNIST of Zalando (arXiv 1708.07747)";

/// Loads the embedded part. Example i has class i mod 10, so that every prefix of a split is balanced too.
pub(crate) fn small() -> Result<Dataset, DataError> {
    let contents = packed::unpack(SMALL);
    let (train, test) = contents.split_at(CLASSES * TRAIN * SIZE);
    let about = format!(
        "{} training and {} test images of {SIDE}×{SIDE} pixels in {CLASSES} classes: the first {TRAIN} of 6000 and the \
         first {TEST} of 1000 of each class of {SOURCE}; {LICENCE} licence",
        CLASSES * TRAIN,
        CLASSES * TEST,
    );
    let (train, test) = (split(train)?, split(test)?);
    let data = Dataset::new("fashion-mnist-small", about, LICENCE, Task::Classification, train, test);
    Ok(Dataset { classes: Some(CLASSES), ..data })
}

/// Loads the whole set, from the package's folder or another one.
pub(crate) fn whole(folder: &Path) -> Result<Dataset, DataError> {
    let source = format!("{SOURCE}, read from {}; {LICENCE} licence", folder.display());
    idx::load("fashion-mnist", folder, &source, LICENCE, Some(CLASSES))
}

/// Unpacks the images of a split, stored class by class, and interleaves the classes.
fn split(packed: &[u8]) -> Result<Split, DataError> {
    let each = packed.len() / SIZE / CLASSES;
    let mut images = Vec::with_capacity(packed.len());
    for at in 0..each {
        for class in 0..CLASSES {
            let begin = images.len();
            images.extend_from_slice(&packed[SIZE * (each * class + at)..][..SIZE]);
            add_row_above(&mut images[begin..]);
        }
    }
    let labels: Vec<i32> = (0..each).flat_map(|_| 0..CLASSES as i32).collect();
    Split::new(vec![Column::new("image", [SIDE, SIDE, 1], images), Column::new("label", [], labels)])
}

/// Adds the row above to each row but the first: rows are stored as differences.
fn add_row_above(image: &mut [u8]) {
    for at in SIDE..SIZE {
        image[at] = image[at].wrapping_add(image[at - SIDE]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn embedded_part_has_all_examples() {
        let data = small().unwrap();
        assert_eq!((data.train.len(), data.test.len()), (5_000, 2_000));
        let labels = data.test.column("label").unwrap().values.as_i32().unwrap();
        assert!(labels.iter().zip((0..10).cycle()).all(|(&label, class)| label == class));
        assert!(data.about.contains("5000 training") && data.about.contains("MIT"));
    }

    /// The first test image is the ankle boot, class 9, on the set's own page: bright below, dark above. The mean of all
    /// pixels is the published 0.286 of 255, within the deviation of a part.
    #[test]
    fn first_image_and_mean_are_the_published_ones() {
        let data = small().unwrap();
        let images = data.test.column("image").unwrap().values.as_u8().unwrap();
        let boot = &images[9 * SIZE..10 * SIZE];
        let light = |rows: std::ops::Range<usize>| -> u32 {
            boot[SIDE * rows.start..SIDE * rows.end].iter().map(|&pixel| u32::from(pixel)).sum()
        };
        assert_eq!(light(0..4), 0);
        assert!(light(14..21) > 7 * 28 * 60, "{}", light(14..21));
        let train = data.train.column("image").unwrap().values.as_u8().unwrap();
        let mean = train.iter().map(|&pixel| f64::from(pixel)).sum::<f64>() / train.len() as f64 / 255.0;
        assert!((mean - 0.286).abs() < 0.01, "{mean}");
    }
}
