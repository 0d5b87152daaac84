//! Words and their numbers.

use std::collections::HashMap;

/// The word that stands for all others.
pub const UNKNOWN: &str = "<unk>";
/// The end of a verse, line or sentence.
pub const END: &str = "<eos>";
/// What fills sentences up to one length; always number 0 where it is there.
pub const PADDING: &str = "<pad>";
/// The beginning of a sentence.
pub const START: &str = "<sos>";

/// The first words of the vocabulary of sentences, in the order of their numbers.
pub const SPECIAL: [&str; 4] = [PADDING, UNKNOWN, START, END];

/// Words numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    words: Vec<String>,
    numbers: HashMap<String, i32>,
}

impl Vocabulary {
    /// The `special` words in their order, then those of `text` that occur at least `minimum` times, the most frequent
    /// first and equally frequent ones by their bytes.
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

    /// These words in this order.
    pub(crate) fn numbered<'a>(words: impl Iterator<Item = &'a str>) -> Self {
        let words: Vec<String> = words.map(str::to_owned).collect();
        let numbers = words.iter().cloned().zip(0..).collect();
        Self { words, numbers }
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there is no word.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words in the order of their numbers.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The word of a number.
    pub fn word(&self, number: i32) -> Option<&str> {
        self.words.get(usize::try_from(number).ok()?).map(String::as_str)
    }

    /// The number of a word.
    pub fn number(&self, word: &str) -> Option<i32> {
        self.numbers.get(word).copied()
    }

    /// The number of a word, or of `<unk>`, if that is there.
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
