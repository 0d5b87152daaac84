//! Columns from arrays: any data, brought into form elsewhere.
//!
//! A folder has `train.safetensors` and `test.safetensors`, whose tensors are the columns, or `train_NAME.npy` and
//! `test_NAME.npy` for each column NAME. The first dimension counts the examples. Bytes and Booleans become U8, binary32
//! F32, other integers I32 if they fit; other types are refused, since to round them would change the data. The columns say
//! what the [task](crate::Task) is.

use std::path::Path;

use binade_files::{ElementType, Input, Tensor};

use crate::DataError;
use crate::catalogue::LICENCE_OF_FILES;
use crate::dataset::{Column, Dataset, Split, Task, Values};
use crate::folder;

pub(crate) const LAYOUT: &str =
    "train.safetensors and test.safetensors, or train_NAME.npy and test_NAME.npy for each column NAME";

/// The files of a folder.
pub(crate) fn load(folder: &Path) -> Result<Dataset, DataError> {
    let (train, test) = (read(folder, "train")?, read(folder, "test")?);
    for column in train.columns() {
        let same = |other: &&Column| {
            other.shape == column.shape
                && std::mem::discriminant(&other.values) == std::mem::discriminant(&column.values)
        };
        if test.column(&column.name).filter(same).is_none() {
            let problem = "is not there in both splits with one shape and one type".to_owned();
            return Err(DataError::Columns { column: column.name.clone(), problem });
        }
    }
    let task = task(folder, &train)?;
    let classes = match task {
        Task::Classification => Some(classes(folder, &train, &test)?),
        _ => None,
    };
    let columns: Vec<String> =
        train.columns().iter().map(|column| format!("{} {:?}", column.name, column.shape)).collect();
    let about = format!(
        "{} training and {} test examples of {}, read from {}; licence: {LICENCE_OF_FILES}",
        train.len(),
        test.len(),
        columns.join(", "),
        folder.display()
    );
    Ok(Dataset { classes, ..Dataset::new("arrays", about, LICENCE_OF_FILES, task, train, test) })
}

fn read(folder: &Path, part: &str) -> Result<Split, DataError> {
    let there = folder::list(folder)?;
    let whole = format!("{part}.safetensors");
    let mut columns = vec![];
    if there.contains(&whole) {
        let path = folder.join(whole);
        for tensor in Input::open(&path)?.tensors() {
            columns.push(column(&path, tensor.name(), tensor)?);
        }
    } else {
        let arrays = there.iter().filter_map(|file| {
            let name = file.strip_prefix(part)?.strip_prefix('_')?.strip_suffix(".npy")?;
            Some((folder.join(file), name))
        });
        for (path, name) in arrays {
            for tensor in Input::open(&path)?.tensors() {
                columns.push(column(&path, name, tensor)?);
            }
        }
    }
    let split = Split::new(columns)?;
    if split.is_empty() {
        let wanted = format!("{part}.safetensors and no {part}_NAME.npy that holds an example");
        return Err(folder::missing(folder, wanted));
    }
    Ok(split)
}

fn column(path: &Path, name: &str, tensor: &Tensor) -> Result<Column, DataError> {
    let wrong = |problem| DataError::Array { path: path.to_owned(), problem };
    let Some((_, shape)) = tensor.shape().split_first() else {
        return Err(wrong(format!("the array {name} has no dimension that counts the examples")));
    };
    let shape: Vec<usize> = shape.iter().map(|&length| length as usize).collect();
    let integers = |bytes: Vec<u8>, width: usize, value: fn(&[u8]) -> Option<i32>| {
        let values = bytes.chunks_exact(width).enumerate().map(|(at, bytes)| {
            value(bytes).ok_or_else(|| {
                wrong(format!("element {at} of {name} is not a number of 32 bits with a sign"))
            })
        });
        values.collect::<Result<Vec<i32>, _>>().map(Values::I32)
    };
    let bytes = tensor.read_all()?;
    let values = match tensor.element() {
        ElementType::U8 | ElementType::Bool => Values::U8(bytes),
        ElementType::F32 => {
            Values::F32(bytes.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect())
        }
        ElementType::I8 => integers(bytes, 1, |b| Some(i8::from_le_bytes(b.try_into().ok()?).into()))?,
        ElementType::I16 => integers(bytes, 2, |b| Some(i16::from_le_bytes(b.try_into().ok()?).into()))?,
        ElementType::U16 => integers(bytes, 2, |b| Some(u16::from_le_bytes(b.try_into().ok()?).into()))?,
        ElementType::I32 => integers(bytes, 4, |b| Some(i32::from_le_bytes(b.try_into().ok()?)))?,
        ElementType::U32 => integers(bytes, 4, |b| u32::from_le_bytes(b.try_into().ok()?).try_into().ok())?,
        ElementType::I64 => integers(bytes, 8, |b| i64::from_le_bytes(b.try_into().ok()?).try_into().ok())?,
        ElementType::U64 => integers(bytes, 8, |b| u64::from_le_bytes(b.try_into().ok()?).try_into().ok())?,
        other => {
            return Err(wrong(format!("{name} has elements of {other}; bytes, integers and F32 are read")));
        }
    };
    Ok(Column::new(name, shape, values))
}

/// The task that has such columns.
fn task(folder: &Path, split: &Split) -> Result<Task, DataError> {
    const TASKS: [(Task, &[&str]); 5] = [
        (Task::Classification, &["image", "label"]),
        (Task::Classification, &["signal", "label"]),
        (Task::LanguageModel, &["token"]),
        (Task::Translation, &["source", "target", "source_length", "target_length"]),
        (Task::Recommendation, &["user", "item"]),
    ];
    let has = |names: &[&str]| names.iter().all(|name| split.column(name).is_some());
    TASKS.iter().find(|(_, names)| has(names)).map(|&(task, _)| task).ok_or_else(|| {
        let tasks: Vec<String> = TASKS.iter().map(|(_, names)| names.join(" and ")).collect();
        let names: Vec<&str> = split.columns().iter().map(|column| column.name.as_str()).collect();
        let problem = format!("columns are {}; a task has {}", names.join(", "), tasks.join(", or "));
        DataError::Array { path: folder.to_owned(), problem }
    })
}

/// One more than the highest label of the training split; every label must be a class.
fn classes(folder: &Path, train: &Split, test: &Split) -> Result<usize, DataError> {
    let labels = |split: &Split| -> Result<Vec<i64>, DataError> {
        match split.column("label").filter(|column| column.shape.is_empty()).map(|column| &column.values) {
            Some(Values::U8(labels)) => Ok(labels.iter().map(|&label| label.into()).collect()),
            Some(Values::I32(labels)) => Ok(labels.iter().map(|&label| label.into()).collect()),
            _ => Err(DataError::Columns {
                column: "label".into(),
                problem: "is not one whole number for each example".into(),
            }),
        }
    };
    let (train, test) = (labels(train)?, labels(test)?);
    let highest = train.iter().copied().max().unwrap_or(0).max(0);
    let wrong = |label: &i64| !(0..=highest).contains(label);
    for labels in [train, test] {
        if let Some(example) = labels.iter().position(wrong) {
            let (path, label, classes) = (folder.to_owned(), labels[example], highest as u64 + 1);
            return Err(DataError::Label { path, example: example as u64, label, classes });
        }
    }
    Ok(highest as usize + 1)
}
