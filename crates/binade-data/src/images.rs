//! Helpers of the loaders of labelled images.

use std::path::Path;

use crate::DataError;
use crate::dataset::Split;

/// The labels as numbers, checked to be below `classes`.
pub(crate) fn checked(path: &Path, labels: &[u8], classes: usize) -> Result<Vec<i32>, DataError> {
    match labels.iter().position(|&label| usize::from(label) >= classes) {
        Some(example) => Err(DataError::Label {
            path: path.to_owned(),
            example: example as u64,
            label: labels[example].into(),
            classes: classes as u64,
        }),
        None => Ok(labels.iter().copied().map(i32::from).collect()),
    }
}

/// Description of a set of images, for its `about`.
pub(crate) fn described(
    train: &Split,
    test: &Split,
    [height, width, channels]: [usize; 3],
    classes: usize,
) -> String {
    let colours = if channels == 3 { " in colour" } else { "" };
    format!(
        "{} training and {} test images of {height}×{width} pixels{colours} in {classes} classes",
        train.len(),
        test.len()
    )
}
