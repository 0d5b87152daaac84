//! Vocabularies: words and their numbers.

use std::collections::HashMap;

/// Stands for every word that is not in the vocabulary.
pub const UNKNOWN: &str = "<unk>";
/// Ends a verse, line or sentence.
pub const END: &str = "<eos>";
/// Pads sentences to equal length. If present, it is number 0.
pub const PADDING: &str = "<pad>";
/// Begins a sentence.
pub const START: &str = "<sos>";

/// The first words of a sentence vocabulary, in the order of their numbers.
pub const SPECIAL: [&str; 4] = [PADDING, UNKNOWN, START, END];

/// Words numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    words: Vec<String>,
    numbers: HashMap<String, i32>,
}

impl Vocabulary {
    /// The `special` words in their order, then the words of `text` that occur at least `minimum` times. The most frequent
    /// come first; ties are sorted by bytes.
    pub(crate) fn of<'a>(special: &[&str], text: impl Iterator<Item = &'a str>, minimum: usize) -> Self {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for word in text {
            *counts.entry(word).or_default() += 1;
        }
        let mut frequent: Vec<(&str, usize)> =
            counts.into_iter().filter(|(word, count)| *count >= minimum && !special.contains(word)).collect();
        frequent.sort_unstable_by_key(|&(word, count)| (std::cmp::Reverse(count), word));
        Self::numbered(special.iter().copied().chain(frequent.into_iter().map(|(word, _)| word)))
    }

    /// A vocabulary of these words in this order.
    pub(crate) fn numbered<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let words: Vec<String> = words.map(str::to_owned).collect();
        let numbers = words.iter().cloned().zip(0..).collect();
        Self { words, numbers }
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Returns true if there is no word.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words in the order of their numbers.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The word with this number.
    pub fn word(&self, number: i32) -> Option<&str> {
        self.words.get(usize::try_from(number).ok()?).map(String::as_str)
    }

    /// The number of a word.
    pub fn number(&self, word: &str) -> Option<i32> {
        self.numbers.get(word).copied()
    }

    /// The number of a word, or of `<unk>` if that exists.
    pub fn number_or_unknown(&self, word: &str) -> Option<i32> {
        self.number(word).or_else(|| self.number(UNKNOWN))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequent_words_come_first() {
        let text = "b a c a b d <unk> c c";
        let vocabulary = Vocabulary::of(&[PADDING, UNKNOWN], text.split(' '), 2);
        assert_eq!(vocabulary.words(), ["<pad>", "<unk>", "c", "a", "b"]);
        assert_eq!((vocabulary.number("a"), vocabulary.word(3)), (Some(3), Some("a")));
        assert_eq!((vocabulary.number("d"), vocabulary.number_or_unknown("d")), (None, Some(1)));
        assert_eq!((vocabulary.word(-1), vocabulary.word(5)), (None, None));
    }
}
