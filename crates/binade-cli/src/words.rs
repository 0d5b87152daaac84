//! Reads words from standard input as a stream.

use std::io::{BufRead, Write};

use thiserror::Error;

use crate::error::CommandError;
use crate::{Error, Output};

/// A word of standard input that is refused.
#[derive(Debug, Error)]
pub(crate) enum WordError {
    #[error("line {line} of standard input: {source}")]
    Line { line: u64, source: Box<Error> },
    #[error("a word of more than {LONGEST} bytes is neither a value nor a code")]
    TooLong,
}

impl CommandError for WordError {}

/// The largest length of a word: a little above that of the longest value.
const LONGEST: usize = 101_000;

/// Calls `each` on every word between white space. The output is flushed before waiting for more input, so that a program that
/// waits for answers gets them.
pub(crate) fn each_word(
    input: &mut impl BufRead,
    out: &mut Output,
    mut each: impl FnMut(&str, &mut Output) -> Result<(), Error>,
) -> Result<(), Error> {
    let at = |line, source| Error::from(WordError::Line { line, source: Box::new(source) });
    let mut word = vec![];
    let mut line = 1;
    loop {
        out.flush()?;
        let bytes = input.fill_buf().map_err(Error::Input)?;
        let (end, count) = (bytes.is_empty(), bytes.len());
        // The end of input ends a word, as white space does.
        for &byte in if end { &b" "[..] } else { bytes } {
            if !byte.is_ascii_whitespace() {
                word.push(byte);
                if word.len() > LONGEST {
                    return Err(at(line, WordError::TooLong.into()));
                }
                continue;
            }
            if !word.is_empty() {
                each(&String::from_utf8_lossy(&word), out).map_err(|source| match source {
                    Error::Output(error) => Error::Output(error),
                    source => at(line, source),
                })?;
                word.clear();
            }
            line += u64::from(byte == b'\n');
        }
        if end {
            return Ok(());
        }
        input.consume(count);
    }
}
