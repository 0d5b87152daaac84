//! Loaders of texts for language models: a folder in the layout of the Penn Treebank, and the embedded Bible.

use std::path::Path;

use crate::catalogue::LICENCE_OF_FILES;
use crate::dataset::{Column, Dataset, Split, Task};
use crate::folder::File;
use crate::vocabulary::{END, UNKNOWN, Vocabulary};
use crate::{DataError, packed};

pub(crate) const LAYOUT: &str =
    "train.txt, test.txt and, if there is one, valid.txt: words between spaces, a sentence a line";

/// Made by `scripts/make_bible.py`, which documents the tokens and the encoding.
const BIBLE: &[u8] = include_bytes!("../data/bible.zz");
pub(crate) const BIBLE_LICENCE: &str = "public domain";
/// Token numbers below this take one byte.
const ONE_BYTE: i32 = 192;

/// Loads the files of a folder. The vocabulary is `<eos>`, `<unk>`, and the words of the training text, the most frequent
/// first. Words are not normalised; every line ends with `<eos>`.
pub(crate) fn load(folder: &Path) -> Result<Dataset, DataError> {
    let names =
        |part: &str| [format!("{part}.txt"), format!("ptb.{part}.txt"), format!("wiki.{part}.tokens")];
    let (train, test) = (File::first_of(folder, &names("train"))?, File::first_of(folder, &names("test"))?);
    let validation = File::optional(folder, &names("valid"))?;
    let vocabulary = Vocabulary::of(&[END, UNKNOWN], train.text()?.split_whitespace(), 1);
    let (train, test) = (tokens(&train, &vocabulary)?, tokens(&test, &vocabulary)?);
    let validation = validation.map(|file| tokens(&file, &vocabulary)).transpose()?;
    let about = format!(
        "{} training and {} test tokens of {} words, read from {}; licence: {LICENCE_OF_FILES}",
        train.len(),
        test.len(),
        vocabulary.len(),
        folder.display()
    );
    let data = Dataset::new("text", about, LICENCE_OF_FILES, Task::LanguageModel, train, test);
    Ok(Dataset { validation, vocabulary: Some(vocabulary), ..data })
}

fn tokens(file: &File, vocabulary: &Vocabulary) -> Result<Split, DataError> {
    let words = file.text()?.lines().flat_map(|line| line.split_whitespace().chain([END]));
    let tokens: Vec<i32> = words.filter_map(|word| vocabulary.number_or_unknown(word)).collect();
    if tokens.is_empty() {
        return Err(file.empty());
    }
    text(tokens)
}

fn text(tokens: Vec<i32>) -> Result<Split, DataError> {
    Split::new(vec![Column::new("token", [], tokens)])
}

/// Loads the King James Bible.
pub(crate) fn bible() -> Result<Dataset, DataError> {
    let contents = packed::unpack(BIBLE);
    let mut rest = contents.as_slice();
    let mut line = || {
        let end = rest.iter().position(|&byte| byte == b'\n').expect("the script ends each line");
        let line = std::str::from_utf8(&rest[..end]).expect("the script writes ASCII");
        rest = &rest[end + 1..];
        line
    };
    let lengths: Vec<usize> =
        line().split(' ').map(|length| length.parse().expect("the script writes lengths")).collect();
    let vocabulary = Vocabulary::numbered((0..10_000).map(|_| line()));
    let mut bytes = rest.iter();
    let mut tokens = std::iter::from_fn(|| {
        let byte = i32::from(*bytes.next()?);
        Some(if byte < ONE_BYTE {
            byte
        } else {
            ONE_BYTE + 256 * (byte - ONE_BYTE) + i32::from(*bytes.next()?)
        })
    });
    let mut part = |at: usize| text(tokens.by_ref().take(lengths[at]).collect());
    let (train, validation, test) = (part(0)?, part(1)?, part(2)?);
    let about = format!(
        "{} training, {} validation and {} test tokens of {} words: the King James Bible of 1611 from Debian's \
         bible-kjv-text, in lower case, marks as words, rare words as {UNKNOWN}, chapters 8 and 9 of each ten set aside; \
         {BIBLE_LICENCE}",
        train.len(),
        validation.len(),
        test.len(),
        vocabulary.len()
    );
    let data = Dataset::new("bible", about, BIBLE_LICENCE, Task::LanguageModel, train, test);
    Ok(Dataset { validation: Some(validation), vocabulary: Some(vocabulary), ..data })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(data: &Dataset, split: &Split) -> Vec<String> {
        let vocabulary = data.vocabulary.as_ref().unwrap();
        let tokens = split.column("token").unwrap().values.as_i32().unwrap();
        tokens.iter().map(|&token| vocabulary.word(token).unwrap().to_owned()).collect()
    }

    #[test]
    fn bible_has_all_words() {
        let data = bible().unwrap();
        let validation = data.validation.as_ref().unwrap();
        assert_eq!((data.train.len(), validation.len(), data.test.len()), (758_031, 95_281, 91_165));
        let train = words(&data, &data.train);
        assert_eq!(train[..11].join(" "), "in the beginning god created the heaven and the earth .");
        assert_eq!((train[11].as_str(), train.last().unwrap().as_str()), ("<eos>", "<eos>"));
        // Genesis 9 and 10.
        assert!(words(&data, validation).join(" ").starts_with("and god blessed noah and his sons ,"));
        assert!(
            words(&data, &data.test)
                .join(" ")
                .starts_with("now these are the generations of the sons of noah")
        );
        let verses: usize = [&data.train, validation, &data.test]
            .map(|split| words(&data, split).iter().filter(|word| *word == END).count())
            .iter()
            .sum();
        assert_eq!(verses, 31_102);
        let vocabulary = data.vocabulary.as_ref().unwrap();
        assert_eq!(
            (vocabulary.len(), vocabulary.words()[..4].join(" ").as_str()),
            (10_000, "<eos> <unk> , the")
        );
    }
}
