//! Words of standard input, without an upper bound on their number.

use std::io::{BufRead, Write};

use crate::{Error, Output};

/// The longest word: a little more than the longest value that is read.
const LONGEST: usize = 101_000;

/// Calls `each` on every word that white space separates. The output is flushed before waiting for more input, so
/// that a program at the other end gets its answers.
pub(crate) fn each_word(
    input: &mut impl BufRead,
    out: &mut Output,
    mut each: impl FnMut(&str, &mut Output) -> Result<(), Error>,
) -> Result<(), Error> {
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
                    return Err(Error::Line { line, source: Box::new(Error::WordLength(LONGEST)) });
                }
                continue;
            }
            if !word.is_empty() {
                each(&String::from_utf8_lossy(&word), out).map_err(|source| match source {
                    Error::Output(error) => Error::Output(error),
                    source => Error::Line { line, source: Box::new(source) },
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
