//! The BLEU score of translations, by Papineni et al. (ACL 2002): over a corpus, with one reference for each sentence.

use std::collections::HashMap;

use binade_data::{END, PADDING, SPECIAL, START, UNKNOWN};

/// Longest n-gram that is counted.
const MAX_NGRAM: usize = 4;

/// Number of a special word, the same in every vocabulary.
fn special(word: &str) -> i32 {
    SPECIAL.iter().zip(0..).find(|(known, _)| **known == word).map_or(-1, |(_, number)| number)
}

/// Counts over sentences and their references.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Bleu {
    /// Matched n-grams by length, each counted at most as often as it occurs in the reference.
    found: [u64; MAX_NGRAM],
    /// All n-grams by length.
    runs: [u64; MAX_NGRAM],
    written: u64,
    wanted: u64,
}

impl Bleu {
    /// Adds a sentence and its reference as word numbers. Both end before the first `<eos>` or `<pad>`; a leading `<sos>` is
    /// skipped. Each `<unk>` stands for an unknown word, so it matches nothing.
    pub(crate) fn add(&mut self, written: &[i32], reference: &[i32]) {
        let (written, reference) = (sentence(written), sentence(reference));
        self.written += written.len() as u64;
        self.wanted += reference.len() as u64;
        let unknown = special(UNKNOWN);
        for length in 1..=MAX_NGRAM {
            let mut there: HashMap<&[i32], u64> = HashMap::new();
            for run in reference.windows(length) {
                *there.entry(run).or_default() += 1;
            }
            for run in written.windows(length) {
                self.runs[length - 1] += 1;
                if let Some(left) = there.get_mut(run).filter(|left| **left > 0 && !run.contains(&unknown)) {
                    *left -= 1;
                    self.found[length - 1] += 1;
                }
            }
        }
    }

    /// The score, from 0 to 100: the geometric mean of the match rates. If c words were written and the references have r >
    /// c, it is multiplied by e^(1 − r/c). It is 0 if nothing matched at some length.
    pub(crate) fn score(&self) -> f64 {
        let logarithms = self.found.iter().zip(self.runs).map(|(found, runs)| {
            if *found == 0 { f64::NEG_INFINITY } else { libm::log(*found as f64 / runs as f64) }
        });
        let mean = logarithms.sum::<f64>() / MAX_NGRAM as f64;
        let missing = (1.0 - self.wanted as f64 / self.written.max(1) as f64).min(0.0);
        100.0 * libm::exp(mean + missing)
    }
}

/// A sentence without `<sos>`, `<eos>` and `<pad>`.
fn sentence(words: &[i32]) -> &[i32] {
    let words = words.strip_prefix(&[special(START)]).unwrap_or(words);
    let marks = [special(END), special(PADDING)];
    let end = words.iter().position(|word| marks.contains(word)).unwrap_or(words.len());
    &words[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sentences: &[(&[i32], &[i32])]) -> f64 {
        let mut bleu = Bleu::default();
        sentences.iter().for_each(|(written, reference)| bleu.add(written, reference));
        bleu.score()
    }

    #[test]
    fn special_words_do_not_count() {
        let words = [10, 11, 12, 13, 14];
        assert!((of(&[(&words, &[2, 10, 11, 12, 13, 14, 3, 0, 0])]) - 100.0).abs() < 1e-9);
        assert!((of(&[(&[10, 11, 12, 13, 14, 3, 15, 16], &words)]) - 100.0).abs() < 1e-9);
        assert_eq!(of(&[(&[], &words)]), 0.0);
        assert_eq!(of(&[(&[3], &[3])]), 0.0);
    }

    #[test]
    fn ngrams_are_counted_over_the_corpus() {
        // Papineni's "the the the the the the the": two of seven are in the reference.
        let mut bleu = Bleu::default();
        bleu.add(&[10; 7], &[10, 11, 12, 13, 10, 14]);
        assert_eq!((bleu.found, bleu.runs), ([2, 0, 0, 0], [7, 6, 5, 4]));
        // Unigrams: 5 + 4 matched of 5 + 5. Bigrams: 4 + 3 of 8; trigrams: 3 + 2 of 6; 4-grams: 2 + 1 of 4. The length is
        // that of the references.
        let score = of(&[
            (&[10, 11, 12, 13, 14], &[10, 11, 12, 13, 14]),
            (&[20, 21, 22, 23, 24], &[20, 21, 22, 23, 25]),
        ]);
        let expected = 100.0 * (0.9 * 7.0 / 8.0 * 5.0 / 6.0 * 0.75_f64).powf(0.25);
        assert!((score - expected).abs() < 1e-9, "{score}");
    }

    #[test]
    fn score_equals_sacrebleu() {
        // Version 2.6.0, corpus_bleu(…, tokenize="none", smooth_method="none").
        let score = of(&[
            (&[10, 11, 12, 13, 14, 10, 11], &[10, 11, 12, 13, 15, 10, 11, 16]),
            (&[20, 21, 22, 20, 21, 22, 23], &[20, 21, 22, 23, 20, 21, 22]),
            (&[30, 31, 32, 33], &[30, 31, 32, 33, 34, 35]),
        ]);
        assert!((score - 52.406_248_514_765_17).abs() < 1e-9, "{score}");
    }

    #[test]
    fn short_translations_are_penalised() {
        let score = of(&[(&[10, 11, 12, 13], &[10, 11, 12, 13, 14, 15])]);
        assert!((score - 100.0 * (1.0 - 6.0 / 4.0_f64).exp()).abs() < 1e-9, "{score}");
        // A longer translation loses only by its unmatched n-grams.
        let score = of(&[(&[10, 11, 12, 13, 14, 15], &[10, 11, 12, 13])]);
        let expected = 100.0 * (4.0 / 6.0 * 3.0 / 5.0 * 2.0 / 4.0 / 3.0_f64).powf(0.25);
        assert!((score - expected).abs() < 1e-9, "{score}");
    }

    #[test]
    fn unknown_words_never_match() {
        let mut bleu = Bleu::default();
        bleu.add(&[10, 1, 11], &[10, 1, 11]);
        assert_eq!((bleu.found, bleu.runs), ([2, 0, 0, 0], [3, 2, 1, 0]));
    }
}
