//! What a data set is: two splits of columns, and what is known about them.

use std::fmt;

use crate::{DataError, Vocabulary};

/// A data set in memory.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// Its name in the [catalogue](crate::catalogue()).
    pub name: String,
    /// What it is: size, source, licence, and what was done to it. It stands beside every number that the data gives.
    pub about: String,
    /// The licence of the data.
    pub licence: String,
    /// Whether a program made the data up.
    pub synthetic: bool,
    /// What is learned from it.
    pub task: Task,
    /// What is trained on.
    pub train: Split,
    /// What is set aside to choose by; few sets have one.
    pub validation: Option<Split>,
    /// What is tested on.
    pub test: Split,
    /// How many classes the column `label` has.
    pub classes: Option<usize>,
    /// The words of the column `token`, or of `source`.
    pub vocabulary: Option<Vocabulary>,
    /// The words of the column `target` of a translation.
    pub target_vocabulary: Option<Vocabulary>,
}

impl Dataset {
    /// Real data with two splits and nothing else; the rest is filled in by struct update.
    pub(crate) fn new(
        name: &str,
        about: String,
        licence: &str,
        task: Task,
        train: Split,
        test: Split,
    ) -> Self {
        Self {
            name: name.to_owned(),
            about,
            licence: licence.to_owned(),
            synthetic: false,
            task,
            train,
            validation: None,
            test,
            classes: None,
            vocabulary: None,
            target_vocabulary: None,
        }
    }

    /// What the whole numbers of a column are below: how many classes, words, users or items there are. Where nothing else
    /// says so, it is one more than the highest number of any split. `None` if the column is not there or has others than
    /// whole numbers from zero.
    pub fn bound(&self, column: &str) -> Option<usize> {
        let words = |vocabulary: &Option<Vocabulary>| vocabulary.as_ref().map(Vocabulary::len);
        let stated = match column {
            "label" => self.classes,
            "token" | "source" => words(&self.vocabulary),
            "target" => words(&self.target_vocabulary),
            _ => None,
        };
        let mut bound = stated.unwrap_or(0);
        for split in [Some(&self.train), self.validation.as_ref(), Some(&self.test)].into_iter().flatten() {
            for &value in split.column(column)?.values.as_i32()? {
                bound = bound.max(usize::try_from(value).ok()? + 1);
            }
        }
        Some(bound)
    }
}

impl fmt::Display for Dataset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.about)
    }
}

/// What is learned from a data set, which says what its columns are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Task {
    /// `image` (height × width × channels) or `signal`, and its `label`.
    Classification,
    /// `token`: a text in its order.
    LanguageModel,
    /// `source` and `target`: sentences, padded to one length; `source_length` and `target_length` tell their own.
    Translation,
    /// `user` and `item`: what was chosen by whom.
    Recommendation,
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Classification => "classification",
            Self::LanguageModel => "language model",
            Self::Translation => "translation",
            Self::Recommendation => "recommendation",
        })
    }
}

/// Columns of one length: element i of each belongs to example i.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Split {
    columns: Vec<Column>,
    len: usize,
}

impl Split {
    /// A split of these columns.
    ///
    /// # Errors
    /// [`DataError::Columns`] if two have one name or different numbers of examples, or if values do not divide into
    /// examples; [`DataError::TooLarge`] from 2³² examples on.
    pub fn new(columns: Vec<Column>) -> Result<Self, DataError> {
        let mut len = None;
        for (at, column) in columns.iter().enumerate() {
            let wrong = |problem: String| DataError::Columns { column: column.name.clone(), problem };
            if columns[..at].iter().any(|other| other.name == column.name) {
                return Err(wrong("is there twice".to_owned()));
            }
            let examples = column.examples().ok_or_else(|| {
                wrong(format!(
                    "has {} values, which is not a multiple of {:?}",
                    column.values.len(),
                    column.shape
                ))
            })?;
            if *len.get_or_insert(examples) != examples {
                let first = &columns[0].name;
                return Err(wrong(format!("has {examples} examples, {first} has {}", len.unwrap_or(0))));
            }
        }
        let len = len.unwrap_or(0);
        if u32::try_from(len).is_err() {
            return Err(DataError::TooLarge {
                what: "a split".into(),
                size: len as u64,
                limit: u32::MAX.into(),
            });
        }
        Ok(Self { columns, len })
    }

    /// How many examples there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no example.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// All columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }
}

/// One thing that is known of each example.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The shape of one example's value; empty for a single number.
    pub shape: Vec<usize>,
    /// The values of all examples one after the other, each in C order.
    pub values: Values,
}

impl Column {
    /// A column.
    pub fn new(name: impl Into<String>, shape: impl Into<Vec<usize>>, values: impl Into<Values>) -> Self {
        Self { name: name.into(), shape: shape.into(), values: values.into() }
    }

    /// How many numbers belong to one example; `None` where the shape has more than a machine can count.
    pub fn stride(&self) -> Option<usize> {
        self.shape.iter().try_fold(1_usize, |product, &length| product.checked_mul(length))
    }

    /// How many examples there are; `None` where the values do not divide into any.
    fn examples(&self) -> Option<usize> {
        match self.stride()? {
            0 => self.values.is_empty().then_some(0),
            stride => self.values.len().is_multiple_of(stride).then(|| self.values.len() / stride),
        }
    }
}

/// The numbers of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Bytes, such as pixels.
    U8(Vec<u8>),
    /// Measurements.
    F32(Vec<f32>),
    /// Labels, tokens, users, items.
    I32(Vec<i32>),
}

impl Values {
    /// How many numbers there are.
    pub fn len(&self) -> usize {
        match self {
            Self::U8(values) => values.len(),
            Self::F32(values) => values.len(),
            Self::I32(values) => values.len(),
        }
    }

    /// How many bytes they take.
    pub fn bytes(&self) -> usize {
        match self {
            Self::U8(values) => values.len(),
            Self::F32(values) => 4 * values.len(),
            Self::I32(values) => 4 * values.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers, if they are bytes.
    pub fn as_u8(&self) -> Option<&[u8]> {
        if let Self::U8(values) = self { Some(values) } else { None }
    }

    /// The numbers, if they are binary32.
    pub fn as_f32(&self) -> Option<&[f32]> {
        if let Self::F32(values) = self { Some(values) } else { None }
    }

    /// The numbers, if they are integers.
    pub fn as_i32(&self) -> Option<&[i32]> {
        if let Self::I32(values) = self { Some(values) } else { None }
    }
}

impl From<Vec<u8>> for Values {
    fn from(values: Vec<u8>) -> Self {
        Self::U8(values)
    }
}

impl From<Vec<f32>> for Values {
    fn from(values: Vec<f32>) -> Self {
        Self::F32(values)
    }
}

impl From<Vec<i32>> for Values {
    fn from(values: Vec<i32>) -> Self {
        Self::I32(values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(columns: Vec<Column>) -> String {
        Split::new(columns).unwrap_err().to_string()
    }

    #[test]
    fn bounds_are_stated_or_found() {
        let split = |labels: Vec<i32>| {
            let signals = vec![0.5_f32; labels.len()];
            Split::new(vec![Column::new("label", [], labels), Column::new("signal", [], signals)]).unwrap()
        };
        let of = |train, test| {
            Dataset::new("", String::new(), "", Task::Classification, split(train), split(test))
        };
        let data = of(vec![1, 2], vec![3]);
        assert_eq!((data.bound("label"), data.bound("signal"), data.bound("image")), (Some(4), None, None));
        assert_eq!(Dataset { classes: Some(9), ..data }.bound("label"), Some(9));
        assert_eq!(of(vec![1], vec![-1]).bound("label"), None);
    }

    #[test]
    fn columns_must_agree() {
        let labels = || Column::new("label", [], vec![1_i32, 2]);
        let split = Split::new(vec![Column::new("image", [2, 2], vec![0_u8; 8]), labels()]).unwrap();
        assert_eq!((split.len(), split.column("image").unwrap().stride()), (2, Some(4)));
        assert!(split.column("signal").is_none());
        assert_eq!(problem(vec![labels(), labels()]), "the column label is there twice");
        assert_eq!(
            problem(vec![labels(), Column::new("x", [], vec![0.5_f32])]),
            "the column x has 1 examples, label has 2"
        );
        assert_eq!(
            problem(vec![Column::new("x", [2, 3], vec![0_u8; 7])]),
            "the column x has 7 values, which is not a multiple of [2, 3]"
        );
        assert!(Split::new(vec![Column::new("x", [usize::MAX, 3], vec![0_u8; 7])]).is_err());
        assert!(Split::new(vec![Column::new("x", [0], vec![0_u8; 7])]).is_err());
        assert!(Split::new(vec![]).unwrap().is_empty());
    }
}
