//! What can be wrong with a file, where, and what would be right.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::{ElementType, MAX_RANK};

/// A problem, and the place in a file where it was found.
#[derive(Debug)]
pub struct Error {
    path: PathBuf,
    offset: Option<u64>,
    problem: Box<Problem>,
}

impl Error {
    /// The file; empty where the input was bytes in memory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The byte of the file at which the problem was noticed, where it has one.
    pub fn offset(&self) -> Option<u64> {
        self.offset
    }

    /// The problem.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    pub(crate) fn new(problem: Problem) -> Self {
        Self { path: PathBuf::new(), offset: None, problem: Box::new(problem) }
    }

    pub(crate) fn at(offset: u64, problem: Problem) -> Self {
        Self { offset: Some(offset), ..Self::new(problem) }
    }

    pub(crate) fn io(action: &'static str, error: io::Error) -> Self {
        Self::new(Problem::Io { action, error })
    }

    pub(crate) fn in_file(self, path: &Path) -> Self {
        Self { path: path.to_owned(), ..self }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.as_os_str().is_empty() {
            write!(f, "{}: ", self.path.display())?;
        }
        if let Some(offset) = self.offset {
            write!(f, "byte {offset}: ")?;
        }
        self.problem.fmt(f)
    }
}

// No `source`: the message holds all there is.
impl std::error::Error for Error {}

/// The two kinds of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// NumPy's file of one array.
    Npy,
    /// The safetensors file of named tensors.
    Safetensors,
}

impl fmt::Display for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Npy => ".npy",
            Self::Safetensors => ".safetensors",
        })
    }
}

/// What is wrong.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // The message of a variant says what its fields are.
#[non_exhaustive]
pub enum Problem {
    // The file as such.
    #[error("cannot {action}: {error}")]
    Io { action: &'static str, error: io::Error },
    #[error("is not a regular file; one that can be read at any offset is needed")]
    NotAFile,
    #[error(r"not a .npy or .safetensors file: {kind}; the first begins with \x93NUMPY, the second has '{{' after 8 bytes")]
    NotTensors { kind: String },
    #[error("the file became shorter while it was read")]
    Shrank,
    #[error("the file ends within {what}, which takes {needed} bytes; {found} are there")]
    Truncated { what: &'static str, needed: u64, found: u64 },
    #[error("the header is said to take {length} bytes; at most {limit} are read")]
    HeaderTooLong { length: u64, limit: u64 },

    // Shapes and elements.
    #[error("the shape of {} has more than {MAX_RANK} dimensions", subject(tensor))]
    Rank { tensor: String },
    #[error(
        "the shape {shape:?} of {} has too many elements of {element} to count their bytes in 63 bits",
        subject(tensor)
    )]
    TooLarge { tensor: String, element: ElementType, shape: Vec<u64> },
    #[error(
        "the shape {shape:?} of {} with elements of {element} ends within a byte; a multiple of 8 bits is needed",
        subject(tensor)
    )]
    PartialByte { tensor: String, element: ElementType, shape: Vec<u64> },
    #[error(
        "the element type {:?} of {} is unknown, so its elements cannot be read; its bytes can",
        clip(element),
        subject(tensor)
    )]
    UnknownElementType { tensor: String, element: String },
    #[error("{} has {available} bytes of elements; bytes {}..{} of them were asked for", subject(tensor), range.start, range.end)]
    OutOfRange { tensor: String, range: Range<u64>, available: u64 },
    #[error("bytes {}..{} of {} do not begin and end between elements of {element}", range.start, range.end, subject(tensor))]
    SplitElement { tensor: String, element: ElementType, range: Range<u64> },

    // npy.
    #[error(r"not a .npy file: it begins with {} and would begin with \x93NUMPY", found.escape_ascii())]
    NpyMagic { found: Vec<u8> },
    #[error("version {major}.{minor} of the .npy format is unknown; 1.0, 2.0 and 3.0 are read")]
    NpyVersion { major: u8, minor: u8 },
    #[error("the header is not a dict literal: {expected} is expected, not {}", quote(found))]
    NpySyntax { expected: &'static str, found: String },
    #[error("the header has the key {} twice", quote(key))]
    NpyDuplicateKey { key: String },
    #[error(
        "the header has the unknown key {}; its keys are 'descr', 'fortran_order' and 'shape'",
        quote(key)
    )]
    NpyUnknownKey { key: String },
    #[error("the header lacks the key '{key}'")]
    NpyMissingKey { key: &'static str },
    #[error("'fortran_order' is {}; it would be True or False", quote(found))]
    NpyFortranOrder { found: String },
    #[error("'shape' is {}; it would be a tuple of lengths such as (), (3,) or (3, 4)", quote(found))]
    NpyShape { found: String },
    #[error(
        "'shape' has {} for a length, which would be a whole number from 0 to {}",
        quote(found),
        u64::MAX
    )]
    NpyLength { found: String },
    #[error("'descr' is {}; it would be a type string such as '<f4'", quote(found))]
    NpyDescr { found: String },
    #[error(
        "'descr' is a structured type; only arrays of plain numbers are read, so save each field by itself"
    )]
    NpyStructured,
    #[error(
        "'descr' is the object type, whose elements are pickled Python objects; only plain numbers are read"
    )]
    NpyObjects,
    #[error(
        "the type {} is not supported; b1, i1 to i8, u1 to u8, f2, f4, f8, c8, c16 and V1 to V16 are, after '<', '>' or '|'",
        quote(descr)
    )]
    NpyType { descr: String },
    #[error("the type {} leaves the order of its bytes open; it would begin with '<' or '>'", quote(descr))]
    NpyByteOrder { descr: String },
    #[error("the shape {shape:?} of {element} takes {needed} bytes of data; the file has {found}")]
    NpyData { element: ElementType, shape: Vec<u64>, needed: u64, found: u64 },

    // safetensors.
    #[error("the header begins with {} and would begin with '{{'", found.escape_ascii())]
    HeaderStart { found: Vec<u8> },
    #[error("the header is not UTF-8 here")]
    HeaderNotUtf8,
    #[error("the header is not right: {message}")]
    HeaderJson { message: String },
    #[error("the tensor {} is there twice", quote(name))]
    DuplicateTensor { name: String },
    #[error("the key {} is there twice in {place}", quote(key))]
    DuplicateKey { key: String, place: String },
    #[error("the tensor {} lacks the key {key:?}", quote(tensor))]
    MissingKey { tensor: String, key: &'static str },
    #[error("the tensor {} begins at byte {begin} of the data and ends before it, at {end}", quote(tensor))]
    OffsetsReversed { tensor: String, begin: u64, end: u64 },
    #[error("the tensor {} ends at byte {end} of the data, which has {available}", quote(tensor))]
    OffsetsBeyondFile { tensor: String, end: u64, available: u64 },
    #[error(
        "the tensor {} has {found} bytes of data; its shape {shape:?} of {element} takes {needed}",
        quote(tensor)
    )]
    DataSize { tensor: String, element: ElementType, shape: Vec<u64>, needed: u64, found: u64 },
    #[error("the tensors {} and {} overlap in bytes {}..{} of the data", quote(first), quote(second), range.start, range.end)]
    Overlap { first: String, second: String, range: Range<u64> },
    #[error("bytes {}..{} of the data belong to no tensor", range.start, range.end)]
    Hole { range: Range<u64> },

    // Writing.
    #[error("the file exists; it is replaced only with --force")]
    Exists,
    #[error("is a folder; the name of a file is needed")]
    IsAFolder,
    #[error(
        "a {container} file has no name for elements of {element}; their codes can be written as unsigned integers"
    )]
    Unnameable { container: Container, element: ElementType },
    #[error("no tensor can be called \"__metadata__\", the name of the metadata")]
    ReservedName,
    #[error("there is no tensor {index}; {count} were promised")]
    NoSuchTensor { index: usize, count: usize },
    #[error("bytes {}..{} of {} are written twice", range.start, range.end, subject(tensor))]
    WrittenTwice { tensor: String, range: Range<u64> },
    #[error("bytes {}..{} of {} were never written", range.start, range.end, subject(tensor))]
    Unwritten { tensor: String, range: Range<u64> },
}

/// A tensor in a message: the one array of an npy file has no name.
fn subject(tensor: &str) -> String {
    if tensor.is_empty() { "the array".to_owned() } else { format!("the tensor {}", quote(tensor)) }
}

/// Quoted, with what cannot be shown escaped, and cut to a readable length.
pub(crate) fn quote(text: &str) -> String {
    format!("{:?}", clip(text))
}

/// Cut to a readable length.
pub(crate) fn clip(text: &str) -> String {
    const LONGEST: usize = 100;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
