//! The command line of this invocation, as text for a shell.

use std::cell::RefCell;
use std::ffi::{OsStr, OsString};

thread_local! {
    // The Python package runs commands in several threads of one process.
    static WORDS: RefCell<Vec<OsString>> = const { RefCell::new(vec![]) };
}

/// Keeps the words of the command that this thread runs.
pub(crate) fn set(words: &[OsString]) {
    WORDS.with_borrow_mut(|kept| words.clone_into(kept));
}

/// The command line as text for a shell, if it has been set.
pub(crate) fn line() -> Option<String> {
    WORDS.with_borrow(|words| (words.len() > 1).then(|| format!("binade {}", quoted_words(&words[1..]))))
}

/// Words as text for a shell, with spaces between them.
pub(crate) fn quoted_words(words: &[OsString]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.into_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_a_shell_would_change_are_quoted() {
        let words = ["binade", "run", "--skip=a*", "it's", "", "bf16:bf16"].map(OsString::from);
        set(&words);
        assert_eq!(line().unwrap(), r"binade run '--skip=a*' 'it'\''s' '' bf16:bf16");
        set(&[]);
        assert_eq!(line(), None);
    }
}
