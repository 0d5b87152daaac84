//! Converts programs in MLIR's bytecode to the text that the parser reads.
//!
//! The form is that of MLIR's document "MLIR Bytecode Format", versions 0 to 6. Supported are the operations, attributes and
//! types of VHLO (StableHLO's portable artifacts, from 0.9 on), of StableHLO itself, and of the dialects that programs mix with
//! it. VHLO becomes StableHLO: names lose their versions, attributes are gathered into StableHLO's structures, and defaults
//! that VHLO spells out are left out. A program thus has one meaning, whatever its storage.

mod cursor;
mod decode;
mod exported;
mod print;
mod properties;
mod tables;

use std::borrow::Cow;

use crate::entry::PLATFORM;
use crate::error::{Error, Problem, ProgramError, Source};

const MAGIC: &[u8] = b"ML\xefR";

/// An error of malformed bytecode, with the byte.
#[derive(Debug)]
struct Malformed {
    at: usize,
    fact: String,
}

type Result<T> = std::result::Result<T, Box<Malformed>>;

fn malformed<T>(at: usize, fact: impl Into<String>) -> Result<T> {
    Err(Box::new(Malformed { at, fact: fact.into() }))
}

fn is_bytecode(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Returns a program's text from any of its forms: text, MLIR's bytecode (including StableHLO's portable artifacts), or the
/// output of JAX's `Exported.serialize()`.
///
/// # Errors
/// Malformed bytecode, with the byte, or text that is not UTF-8.
pub fn text(bytes: &[u8]) -> std::result::Result<Cow<'_, str>, ProgramError> {
    let bytecode = if is_bytecode(bytes) { Some(bytes) } else { exported::program(bytes) };
    let Some(bytecode) = bytecode else { return plain(bytes).map(Cow::Borrowed) };
    print::module(bytecode).map(Cow::Owned).map_err(|malformed| {
        let Malformed { at, fact } = *malformed;
        Source::new("", 1).error(Error { at: 0, problem: Problem::Bytecode { at, fact } })
    })
}

/// The CPU's index among the platforms in the output of `Exported.serialize()`. `None` for any other input.
pub(crate) fn platform(bytes: &[u8]) -> Option<usize> {
    if is_bytecode(bytes) {
        return None;
    }
    exported::program(bytes)?;
    exported::platforms(bytes)?.iter().position(|platform| *platform == PLATFORM.as_bytes())
}

fn plain(bytes: &[u8]) -> std::result::Result<&str, ProgramError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or("");
        Source::new(valid, 1).error(Error { at: valid.len(), problem: Problem::Encoding })
    })
}
