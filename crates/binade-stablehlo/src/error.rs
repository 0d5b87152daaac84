//! Errors of the parser and the verifier: what is wrong with a program, and at which place of its text.

use std::fmt;

use thiserror::Error;

use crate::types::Type;

/// The error of a program that is refused: why, and where.
///
/// Displayed over several lines: file (if [`ProgramError::in_file`] named one), line, column and problem, then the
/// line of the text with a caret under the column.
#[derive(Debug, Error)]
pub struct ProgramError {
    /// The file, if it is known.
    pub file: Option<String>,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The line of the text. A long line is cut to the characters around the column.
    pub excerpt: String,
    /// Number of characters of the excerpt before the column.
    pub caret: usize,
    /// The reason.
    #[source]
    pub problem: Box<Problem>,
}

/// The reason why a program is refused.
#[derive(Debug, Error, PartialEq)]
pub enum Problem {
    /// The text has another form.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// The forms that are possible here.
        expected: String,
        /// The form that the text has.
        found: String,
    },
    /// Malformed bytecode.
    #[error("bytecode, byte {at}: {fact}")]
    Bytecode {
        /// The byte of the program.
        at: usize,
        /// The fault.
        fact: String,
    },
    /// The text is not UTF-8.
    #[error("the text is not UTF-8: must be StableHLO text, or MLIR bytecode")]
    Encoding,
    /// Regions, types, attributes or calls that are nested too deeply.
    #[error("{what} nested more than {limit} deep")]
    TooDeep {
        /// The kind of thing that is nested.
        what: &'static str,
        /// The greatest depth.
        limit: usize,
    },
    /// A tensor type that takes more bytes than can be addressed.
    #[error("a tensor must take at most {limit} bytes")]
    TooLarge {
        /// The most.
        limit: usize,
    },
    /// A tensor type with too many dimensions.
    #[error("a tensor must have at most {limit} dimensions")]
    TooHigh {
        /// The most.
        limit: usize,
    },
    /// A text that needs more memory than is left.
    #[error(
        "not enough memory to read a text of this length: it takes about {needed} bytes, and the process may take {left} more"
    )]
    Memory {
        /// Estimate of the bytes that reading takes.
        needed: usize,
        /// Bytes that the machine, control groups and resource limits leave.
        left: usize,
    },
    /// Aliases that expand to too many bytes.
    #[error("aliases must expand to at most {limit} bytes")]
    Copies {
        /// The most.
        limit: usize,
    },
    /// No operation of this name is known.
    #[error("unknown operation '{0}' (`binade hlo ops` lists those that are supported)")]
    UnknownOperation(String),
    /// A value is used that is not defined before, or not visible here.
    #[error("'%{0}' is not defined here")]
    UndefinedValue(String),
    /// A name is defined twice.
    #[error("'{name}' is defined twice; first in line {line}")]
    Redefined {
        /// The name with its sigil, `%` or `@`.
        name: String,
        /// The line of the first definition.
        line: usize,
    },
    /// A call of a function that does not exist.
    #[error("there is no function '@{0}'")]
    UndefinedFunction(String),
    /// An alias is used that is not defined.
    #[error("'{0}' is not defined")]
    UndefinedAlias(String),
    /// Functions that call each other in a cycle.
    #[error("functions must not call themselves: got {0}")]
    CyclicCalls(String),
    /// A value is used with another type than it is defined with.
    #[error("'%{name}' has type {defined}, but is used as {used}")]
    TypeMismatch {
        /// The name without `%`.
        name: String,
        /// The type it is defined with.
        defined: Type,
        /// The type it is used with.
        used: Type,
    },
    /// A constant that does not fit its type.
    #[error("constant: {0}")]
    Constant(String),
    /// An operation that breaks a rule of the specification.
    #[error("{operation}: {rule}{}", instead(.found))]
    Rule {
        /// Name of the operation.
        operation: String,
        /// The rule: what must be true.
        rule: String,
        /// The fact that breaks the rule. Empty if `rule` includes it.
        found: String,
    },
    /// Something of StableHLO or MLIR that is not supported.
    #[error("{0} is not supported")]
    Unsupported(String),
}

fn instead(found: &str) -> String {
    if found.is_empty() { String::new() } else { format!(": got {found}") }
}

impl ProgramError {
    /// Names the file that the text comes from.
    pub fn in_file(self, file: impl Into<String>) -> ProgramError {
        ProgramError { file: Some(file.into()), ..self }
    }
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}:", on_one_line(file))?;
        }
        writeln!(f, "{}:{}: {}", self.line, self.column, on_one_line(&self.problem.to_string()))?;
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        writeln!(f, " {number} | {}", self.excerpt)?;
        write!(f, " {margin} | {}^", " ".repeat(self.caret))
    }
}

/// Replaces control characters, which names may contain.
fn on_one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// A problem, and the byte of the text where it is.
#[derive(Debug)]
pub(crate) struct Error {
    pub(crate) at: usize,
    pub(crate) problem: Problem,
}

/// Boxed to be small, since every step of the parser returns one.
pub(crate) type Result<T> = std::result::Result<T, Box<Error>>;

/// A failure at a byte of the text.
pub(crate) fn fail<T>(at: usize, problem: Problem) -> Result<T> {
    Err(Box::new(Error { at, problem }))
}

/// A text and the start of each line.
pub(crate) struct Source<'a> {
    pub(crate) text: &'a str,
    /// The number of the first line.
    first_line: usize,
    /// The byte that each line begins at.
    lines: Vec<usize>,
}

/// Most characters of a line that an error shows before and after its column.
const BEFORE: usize = 60;
const AFTER: usize = 60;

impl<'a> Source<'a> {
    pub(crate) fn new(text: &'a str, first_line: usize) -> Source<'a> {
        let starts = memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1);
        Source { text, first_line, lines: std::iter::once(0).chain(starts).collect() }
    }

    /// The number of lines.
    pub(crate) fn lines(&self) -> usize {
        self.lines.len()
    }

    /// Line and column, from 1, of a byte. Columns count bytes.
    pub(crate) fn position(&self, at: usize) -> (u32, u32) {
        let line = self.lines.partition_point(|&start| start <= at) - 1;
        let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        (small(self.first_line + line), small(at - self.lines[line] + 1))
    }

    pub(crate) fn error(&self, error: Error) -> ProgramError {
        let at = error.at.min(self.text.len());
        let index = self.lines.partition_point(|&start| start <= at) - 1;
        let start = self.lines[index];
        let line = self.text[start..].lines().next().unwrap_or("");
        let at = (at - start).min(line.len());
        let column = line.char_indices().take_while(|&(byte, _)| byte < at).count();
        let skipped = column.saturating_sub(BEFORE);
        let mut excerpt: String = line
            .chars()
            .skip(skipped)
            .take(BEFORE + AFTER)
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let mut caret = column - skipped;
        if skipped > 0 {
            excerpt.insert(0, '…');
            caret += 1;
        }
        ProgramError {
            file: None,
            line: self.first_line + index,
            column: column + 1,
            excerpt,
            caret,
            problem: Box::new(error.problem),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_shows_its_line() {
        let source = Source::new("first\nsecond ü line\nthird", 10);
        let at = source.text.find("line").unwrap();
        let error = source.error(Error { at, problem: Problem::Encoding }).in_file("a.mlir");
        let shown = "a.mlir:11:10: the text is not UTF-8: must be StableHLO text, or MLIR bytecode\n 11 | second ü line\n    |          ^";
        assert_eq!(error.to_string(), shown);
    }

    #[test]
    fn a_long_line_is_shortened() {
        let text = "x".repeat(1_000_000);
        let source = Source::new(&text, 1);
        let error = source.error(Error { at: 500_000, problem: Problem::Encoding });
        assert_eq!(error.column, 500_001);
        assert!(error.excerpt.chars().count() < 130, "{}", error.excerpt.len());
        assert_eq!(error.caret, BEFORE + 1);
        assert_eq!(source.error(Error { at: 2_000_000, problem: Problem::Encoding }).column, 1_000_001);
    }
}
