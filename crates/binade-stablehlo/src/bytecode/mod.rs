//! Programs in MLIR's bytecode, as text.
//!
//! The form is that of MLIR's document "MLIR Bytecode Format", versions 0 to 6. Operations, attributes and types are
//! those of VHLO (StableHLO's portable artifacts, from 0.9 on), of StableHLO itself, and of the dialects that programs
//! mix with it. VHLO's become StableHLO's: the same names without their versions, attributes gathered where StableHLO
//! has structures of them, and what VHLO spells out of defaults is left out again. The text is what the parser reads,
//! so that a program has one meaning whatever it is stored as.

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

/// What is wrong with bytecode, and at which byte.
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

/// A program's text, whatever it is stored as: text itself, MLIR's bytecode (StableHLO's portable artifacts among it),
/// or what `Exported.serialize()` of JAX writes.
///
/// # Errors
/// Bytecode that is malformed, with the byte, and text that is not UTF-8.
pub fn text(bytes: &[u8]) -> std::result::Result<Cow<'_, str>, ProgramError> {
    let bytecode = if is_bytecode(bytes) { Some(bytes) } else { exported::program(bytes) };
    let Some(bytecode) = bytecode else { return plain(bytes).map(Cow::Borrowed) };
    print::module(bytecode).map(Cow::Owned).map_err(|malformed| {
        let Malformed { at, fact } = *malformed;
        Source::new("", 1).error(Error { at: 0, problem: Problem::Bytecode { at, fact } })
    })
}

/// The processor's place among the platforms of what `Exported.serialize()` wrote; none if it is something else.
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
