//! Loader of sentence pairs for translation.
//!
//! A folder has `train.L` and `test.L` for two languages L, a sentence a line, plain or `.gz`. The test file may have another
//! name that begins with `test`, such as `test_2016_flickr.L`. A validation file `val.L`, `valid.L` or `dev.L` is optional.
//! The source is the language other than `en`, or else the first by name; `DIR:en-de` overrides this.
//!
//! Words are runs of letters and digits in lower case; every other mark is a word. The vocabulary of a language is `<pad>`,
//! `<unk>`, `<sos>`, `<eos>`, and the words that occur at least twice in its training sentences. The most frequent come
//! first. A sentence is `<sos>`, its words, `<eos>`, and `<pad>` up to the longest of its split and language.

use std::collections::BTreeSet;
use std::path::Path;

use crate::DataError;
use crate::catalogue::LICENCE_OF_FILES;
use crate::dataset::{Column, Dataset, Split, Task};
use crate::folder::{self, File};
use crate::vocabulary::{END, PADDING, SPECIAL, START, Vocabulary};

pub(crate) const LAYOUT: &str = "train.L and test.L for two languages L, a sentence a line, plain or .gz";

/// Occurrences of a word in the training text that it needs to be in the vocabulary.
pub const MINIMUM: usize = 2;
/// Most words of a sentence.
pub const LONGEST: usize = 1024;
/// Most numbers of a padded column.
const MAX_PADDED: u64 = 1 << 28;

/// Loads the files of a folder, optionally followed by `:L-M`.
pub(crate) fn load(folder: &Path) -> Result<Dataset, DataError> {
    let (folder, direction) = direction(folder);
    let there = folder::list(folder)?;
    let languages = match direction {
        Some(languages) => languages,
        None => languages(folder, &there)?,
    };
    let [train, test] = ["train", "test"].map(|stem| Pair::open(folder, &there, stem, &languages));
    let (train, test) = (train?, test?);
    let vocabularies = [train.vocabulary(0)?, train.vocabulary(1)?];
    let mut validation = None;
    for stem in ["val", "valid", "dev"] {
        let names = languages.each_ref().map(|language| format!("{stem}.{language}"));
        if validation.is_none() && there.iter().any(|name| names.iter().any(|known| known == unpacked(name)))
        {
            validation = Some(Pair::open(folder, &there, stem, &languages)?.split(&vocabularies)?);
        }
    }
    let (train, test) = (train.split(&vocabularies)?, test.split(&vocabularies)?);
    let about = format!(
        "{} training and {} test sentence pairs, {} ({} words) to {} ({} words), read from {}; licence: {LICENCE_OF_FILES}",
        train.len(),
        test.len(),
        languages[0],
        vocabularies[0].len(),
        languages[1],
        vocabularies[1].len(),
        folder.display()
    );
    let data = Dataset::new("parallel", about, LICENCE_OF_FILES, Task::Translation, train, test);
    let [source, target] = vocabularies;
    Ok(Dataset { validation, vocabulary: Some(source), target_vocabulary: Some(target), ..data })
}

/// Splits `DIR:L-M` into folder and direction.
fn direction(folder: &Path) -> (&Path, Option<[String; 2]>) {
    let language = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    folder
        .to_str()
        .and_then(|text| text.rsplit_once(':'))
        .and_then(|(folder, languages)| Some((folder, languages.split_once('-')?)))
        .filter(|(_, (source, target))| language(source) && language(target))
        .map_or((folder, None), |(folder, (source, target))| {
            (Path::new(folder), Some([source.to_owned(), target.to_owned()]))
        })
}

fn unpacked(name: &str) -> &str {
    name.strip_suffix(".gz").unwrap_or(name)
}

/// The two languages of the training files, the source first.
fn languages(folder: &Path, there: &[String]) -> Result<[String; 2], DataError> {
    let found: BTreeSet<&str> =
        there.iter().filter_map(|name| unpacked(name).strip_prefix("train.")).collect();
    let found: Vec<String> = found.into_iter().map(str::to_owned).collect();
    match &found[..] {
        [first, second] if first == "en" => Ok([second.clone(), first.clone()]),
        [first, second] => Ok([first.clone(), second.clone()]),
        _ => {
            let wanted = format!("train.L for exactly two languages L ({} found)", found.len());
            Err(folder::missing(folder, wanted))
        }
    }
}

/// The files of a split, source and target.
struct Pair([File; 2]);

impl Pair {
    /// Opens the files `STEM.L`, or the first by name that begin with the stem and exist for both languages.
    fn open(folder: &Path, there: &[String], stem: &str, languages: &[String; 2]) -> Result<Self, DataError> {
        let has = |stem: &str, language: &str| {
            there.iter().any(|name| unpacked(name).strip_suffix(language) == Some(&format!("{stem}.")))
        };
        let both = |stem: &&str| languages.iter().all(|language| has(stem, language));
        let end = format!(".{}", languages[0]);
        let longer = there.iter().filter_map(|name| unpacked(name).strip_suffix(&end));
        let found =
            Some(stem).filter(both).or_else(|| longer.filter(|name| name.starts_with(stem)).find(both));
        let names = languages.each_ref().map(|language| format!("{}.{language}", found.unwrap_or(stem)));
        let [source, target] = names.map(|name| File::first_of(folder, &[name]));
        let files = [source?, target?];
        let [first_count, second_count] =
            [files[0].text()?, files[1].text()?].map(|text| text.lines().count() as u64);
        let [first, second] = files.each_ref().map(|file| file.path.clone());
        if first_count != second_count {
            let (first_what, second_what) = ("lines", "lines");
            return Err(DataError::Counts {
                first,
                first_what,
                first_count,
                second,
                second_what,
                second_count,
            });
        }
        if first_count == 0 {
            return Err(DataError::Empty { path: first });
        }
        Ok(Self(files))
    }

    fn vocabulary(&self, side: usize) -> Result<Vocabulary, DataError> {
        let text = self.0[side].text()?.to_lowercase();
        Ok(Vocabulary::of(&SPECIAL, words(&text), MINIMUM))
    }

    fn split(&self, vocabularies: &[Vocabulary; 2]) -> Result<Split, DataError> {
        let mut columns = vec![];
        for ((file, vocabulary), name) in self.0.iter().zip(vocabularies).zip(["source", "target"]) {
            let (width, sentences, lengths) = padded(file, vocabulary)?;
            columns.push(Column::new(name, [width], sentences));
            columns.push(Column::new(format!("{name}_length"), [], lengths));
        }
        Split::new(columns)
    }
}

/// The words of a text in lower case.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let end = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len()).max(first.len_utf8());
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

/// The longest length, all sentences padded to it, and their true lengths.
fn padded(file: &File, vocabulary: &Vocabulary) -> Result<(usize, Vec<i32>, Vec<i32>), DataError> {
    let mut sentences = vec![];
    for (at, line) in file.text()?.lines().enumerate() {
        let line = line.to_lowercase();
        let numbers = || [START].into_iter().chain(words(&line)).chain([END]);
        let length = numbers().count() - 2;
        if length > LONGEST {
            return Err(
                file.wrong_line(at, format!("the sentence has {length} words: at most {LONGEST} allowed"))
            );
        }
        sentences.push(numbers().filter_map(|word| vocabulary.number_or_unknown(word)).collect::<Vec<i32>>());
    }
    let width = sentences.iter().map(Vec::len).max().unwrap_or(0);
    let size = width as u64 * sentences.len() as u64;
    if size > MAX_PADDED {
        return Err(DataError::TooLarge {
            what: format!("{} padded", file.path.display()),
            size,
            limit: MAX_PADDED,
        });
    }
    let lengths = sentences.iter().map(|sentence| sentence.len() as i32).collect();
    let padding = vocabulary.number(PADDING).unwrap_or(0);
    for sentence in &mut sentences {
        sentence.resize(width, padding);
    }
    Ok((width, sentences.concat(), lengths))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_separate_words() {
        let found: Vec<&str> = words("ein mann's hut,  der (saftig-grün) ist. ").collect();
        assert_eq!(found.join(" "), "ein mann ' s hut , der ( saftig - grün ) ist .");
        assert_eq!(words(" \u{a0}\t").count(), 0);
    }

    #[test]
    fn direction_is_split_from_the_folder() {
        let of = |text: &'static str| {
            let (folder, languages) = direction(Path::new(text));
            (folder.to_str().unwrap(), languages.map(|languages| languages.join(" ")))
        };
        assert_eq!(of("a/b"), ("a/b", None));
        assert_eq!(of("a/b:en-de"), ("a/b", Some("en de".to_owned())));
        assert_eq!(of("c:/en-de"), ("c:/en-de", None));
    }
}
