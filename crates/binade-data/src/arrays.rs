//! Loader of arrays: any data, prepared elsewhere.
//!
//! A folder has `train.safetensors` and `test.safetensors`, whose tensors are the columns. Instead it may have
//! `train_NAME.npy` and `test_NAME.npy` for each column NAME. The first dimension counts the examples. Bytes and Booleans of
//! `image` become U8, binary32 becomes F32, other integers become I32 if they fit. Other types are refused, because rounding
//! would change the data. The columns determine the [task](crate::Task).

use std::path::Path;

use binade_files::{ElementType, Input, Tensor};

use crate::DataError;
use crate::catalogue::LICENCE_OF_FILES;
use crate::dataset::{Column, Dataset, Split, Task, Values};
use crate::folder;

pub(crate) const LAYOUT: &str =
    "train.safetensors and test.safetensors, or train_NAME.npy and test_NAME.npy for each column NAME";

/// Loads the files of a folder.
pub(crate) fn load(folder: &Path) -> Result<Dataset, DataError> {
    let (train, test) = (read(folder, "train")?, read(folder, "test")?);
    for column in train.columns() {
        let same = |other: &&Column| {
            other.shape == column.shape
                && std::mem::discriminant(&other.values) == std::mem::discriminant(&column.values)
        };
        if test.column(&column.name).filter(same).is_none() {
            let problem = "must be in both splits with the same shape and type".to_owned();
            return Err(DataError::Columns { column: column.name.clone(), problem });
        }
    }
    let task = task(folder, [&train, &test])?;
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
        let wanted = format!("{part}.safetensors and no {part}_NAME.npy with an example");
        return Err(folder::missing(folder, wanted));
    }
    Ok(split)
}

fn column(path: &Path, name: &str, tensor: &Tensor) -> Result<Column, DataError> {
    let wrong = |problem| DataError::Array { path: path.to_owned(), problem };
    let Some((_, shape)) = tensor.shape().split_first() else {
        return Err(wrong(format!(
            "the array {name} is a scalar: its first dimension must count the examples"
        )));
    };
    let shape: Vec<usize> = shape.iter().map(|&length| length as usize).collect();
    let integers = |bytes: Vec<u8>, width: usize, value: fn(&[u8]) -> Option<i32>| {
        let values = bytes.chunks_exact(width).enumerate().map(|(at, bytes)| {
            value(bytes).ok_or_else(|| {
                wrong(format!("element {at} of {name} does not fit in a signed 32-bit integer"))
            })
        });
        values.collect::<Result<Vec<i32>, _>>().map(Values::I32)
    };
    let bytes = tensor.read_all()?;
    let values = match tensor.element() {
        ElementType::U8 | ElementType::Bool if name == "image" => Values::U8(bytes),
        ElementType::U8 | ElementType::Bool => Values::I32(bytes.into_iter().map(i32::from).collect()),
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
            return Err(wrong(format!("{name} has elements of {other}: must be bytes, integers or F32")));
        }
    };
    Ok(Column::new(name, shape, values))
}

/// Columns of each task, with the rank of an example.
const TASKS: [(Task, &[(&str, usize)]); 5] = [
    (Task::Classification, &[("image", 3), ("label", 0)]),
    (Task::Classification, &[("signal", 1), ("label", 0)]),
    (Task::LanguageModel, &[("token", 0)]),
    (Task::Translation, &[("source", 1), ("target", 1), ("source_length", 0), ("target_length", 0)]),
    (Task::Recommendation, &[("user", 0), ("item", 0)]),
];

/// The task with these columns. They must have the right rank and type.
fn task(folder: &Path, splits: [&Split; 2]) -> Result<Task, DataError> {
    let has = |names: &[(&str, usize)]| names.iter().all(|(name, _)| splits[0].column(name).is_some());
    let Some((task, names)) = TASKS.iter().find(|(_, names)| has(names)) else {
        let wanted = |(_, names): &(Task, &[(&str, usize)])| -> String {
            names.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" and ")
        };
        let tasks: Vec<String> = TASKS.iter().map(wanted).collect();
        let found: Vec<&str> = splits[0].columns().iter().map(|column| column.name.as_str()).collect();
        let problem =
            format!("no task has the columns {}: must be {}", found.join(", "), tasks.join(", or "));
        return Err(DataError::Array { path: folder.to_owned(), problem });
    };
    for (name, dimensions) in *names {
        for column in splits.iter().filter_map(|split| split.column(name)) {
            check(column, *dimensions)
                .map_err(|problem| DataError::Columns { column: column.name.clone(), problem })?;
        }
    }
    Ok(*task)
}

/// Checks a column of a task; the error describes the problem.
fn check(column: &Column, dimensions: usize) -> Result<(), String> {
    if column.shape.len() != dimensions {
        return Err(format!("has examples of shape {:?}: must have {dimensions} dimensions", column.shape));
    }
    let (kind, right) = match (column.name.as_str(), &column.values) {
        ("image", values) => ("U8 or F32", !matches!(values, Values::I32(_))),
        ("signal", values) => ("F32", matches!(values, Values::F32(_))),
        (_, values) => ("I32", matches!(values, Values::I32(_))),
    };
    if !right {
        return Err(format!("must have numbers of type {kind}"));
    }
    // Labels are compared with their classes elsewhere.
    let numbers = column.values.as_i32().filter(|_| column.name != "label").unwrap_or_default();
    if numbers.iter().any(|&number| number < 0) {
        Err("must not have negative numbers".to_owned())
    } else {
        Ok(())
    }
}

/// One more than the highest training label. Every label must be below it.
fn classes(folder: &Path, train: &Split, test: &Split) -> Result<usize, DataError> {
    let labels = |split: &Split| -> Vec<i64> {
        let values = split.column("label").and_then(|column| column.values.as_i32()).unwrap_or_default();
        values.iter().map(|&label| label.into()).collect()
    };
    let (train, test) = (labels(train), labels(test));
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
