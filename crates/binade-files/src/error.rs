//! Errors of readers and writers: the problem, its file and offset, and what would be right.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::{ElementType, MAX_RANK};

/// A problem with a file, and its offset.
#[derive(Debug)]
pub struct Error {
    path: PathBuf,
    offset: Option<u64>,
    problem: Box<Problem>,
}

impl Error {
    /// The file; empty for input from memory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The offset in the file at which the problem was found, if there is one.
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

// No `source`: the message is complete.
impl std::error::Error for Error {}

/// A type of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// NumPy's file with one array.
    Npy,
    /// A file with named tensors.
    Safetensors,
    /// A file with named tensors, many of them in blocks, as llama.cpp reads it.
    Gguf,
}

impl Container {
    /// The type of an output that is made from a file of this type: a file in blocks becomes `.safetensors`.
    pub fn of_output(self) -> Self {
        if self == Self::Gguf { Self::Safetensors } else { self }
    }
}

impl fmt::Display for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Npy => ".npy",
            Self::Safetensors => ".safetensors",
            Self::Gguf => ".gguf",
        })
    }
}

/// A problem with a file.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // The message of a variant explains its fields.
#[non_exhaustive]
pub enum Problem {
    // Files.
    #[error("cannot {action}: {error}")]
    Io { action: &'static str, error: io::Error },
    #[error("not a regular file: pipes, devices and folders cannot be read at any offset")]
    NotAFile,
    #[error(
        r"not a .npy, .safetensors or .gguf file: {kind}; .npy begins with \x93NUMPY, .safetensors has '{{' at byte 8, .gguf begins with GGUF"
    )]
    NotTensors { kind: String },
    #[error("the file became shorter while it was read")]
    Shrank,
    #[error("the file ends within {what}: {needed} bytes needed, {found} present")]
    Truncated { what: &'static str, needed: u64, found: u64 },
    #[error("the header length of {length} bytes is too large: at most {limit} allowed")]
    HeaderTooLong { length: u64, limit: u64 },

    // Shapes and elements.
    #[error("the shape of {} has too many dimensions: at most {MAX_RANK} allowed", subject(tensor))]
    Rank { tensor: String },
    #[error(
        "the shape {shape:?} of {} is too large: the {element} elements must have fewer than 2^63 bytes",
        subject(tensor)
    )]
    TooLarge { tensor: String, element: ElementType, shape: Vec<u64> },
    #[error(
        "the shape {shape:?} of {} ends within a byte: the {element} elements must fill whole bytes",
        subject(tensor)
    )]
    PartialByte { tensor: String, element: ElementType, shape: Vec<u64> },
    #[error(
        "unknown element type {:?} of {}: only its bytes can be read and copied",
        clip(element),
        subject(tensor)
    )]
    UnknownElementType { tensor: String, element: String },
    #[error("bytes {}..{} are out of range: {} has {available} bytes", range.start, range.end, subject(tensor))]
    OutOfRange { tensor: String, range: Range<u64>, available: u64 },
    #[error("bytes {}..{} of {} split an element: they must begin and end between elements of {element}", range.start, range.end, subject(tensor))]
    SplitElement { tensor: String, element: ElementType, range: Range<u64> },

    // npy.
    #[error(r"not a .npy file: must begin with \x93NUMPY, not {}", found.escape_ascii())]
    NpyMagic { found: Vec<u8> },
    #[error("unknown version {major}.{minor} of the .npy format: must be 1.0, 2.0 or 3.0")]
    NpyVersion { major: u8, minor: u8 },
    #[error("the header is not a Python dict: expected {expected}, got {}", quote(found))]
    NpySyntax { expected: &'static str, found: String },
    #[error("duplicate key {} in the header", quote(key))]
    NpyDuplicateKey { key: String },
    #[error(
        "unknown key {} in the header: the keys must be 'descr', 'fortran_order' and 'shape'",
        quote(key)
    )]
    NpyUnknownKey { key: String },
    #[error("missing key '{key}' in the header")]
    NpyMissingKey { key: &'static str },
    #[error("'fortran_order' must be True or False, not {}", quote(found))]
    NpyFortranOrder { found: String },
    #[error("'shape' must be a tuple of lengths such as (), (3,) or (3, 4), not {}", quote(found))]
    NpyShape { found: String },
    #[error("a length in 'shape' must be a whole number from 0 to {}, not {}", u64::MAX, quote(found))]
    NpyLength { found: String },
    #[error("'descr' must be a type string such as '<f4', not {}", quote(found))]
    NpyDescr { found: String },
    #[error("structured types are not supported: save each field as an array of plain numbers")]
    NpyStructured,
    #[error("arrays of Python objects are not supported: the elements must be plain numbers")]
    NpyObjects,
    #[error(
        "unsupported type {}: must be b1, i1 to i8, u1 to u8, f2, f4, f8, c8, c16 or V1 to V16, after '<', '>' or '|'",
        quote(descr)
    )]
    NpyType { descr: String },
    #[error("the type {} has no byte order: must begin with '<' or '>'", quote(descr))]
    NpyByteOrder { descr: String },
    #[error(
        "the file is too short: the shape {shape:?} of {element} needs {needed} bytes of data, {found} present"
    )]
    NpyData { element: ElementType, shape: Vec<u64>, needed: u64, found: u64 },

    // safetensors.
    #[error("not a .safetensors file: the header must begin with '{{', not \"{}\"", found.escape_ascii())]
    HeaderStart { found: Vec<u8> },
    #[error("the header is not valid UTF-8 here")]
    HeaderNotUtf8,
    #[error("invalid header: {message}")]
    HeaderJson { message: String },
    #[error("duplicate tensor {}", quote(name))]
    DuplicateTensor { name: String },
    #[error("duplicate key {} in {place}", quote(key))]
    DuplicateKey { key: String, place: String },
    #[error("missing key {key:?} in the tensor {}", quote(tensor))]
    MissingKey { tensor: String, key: &'static str },
    #[error(
        "the data_offsets [{begin}, {end}] of the tensor {} are reversed: must be [begin, end]",
        quote(tensor)
    )]
    OffsetsReversed { tensor: String, begin: u64, end: u64 },
    #[error(
        "the tensor {} ends at byte {end} of the data, but the file has {available} bytes of data",
        quote(tensor)
    )]
    OffsetsBeyondFile { tensor: String, end: u64, available: u64 },
    #[error(
        "the tensor {} has {found} bytes of data, but its shape {shape:?} of {element} needs {needed}",
        quote(tensor)
    )]
    DataSize { tensor: String, element: ElementType, shape: Vec<u64>, needed: u64, found: u64 },
    #[error("the tensors {} and {} overlap in bytes {}..{} of the data", quote(first), quote(second), range.start, range.end)]
    Overlap { first: String, second: String, range: Range<u64> },
    #[error("bytes {}..{} of the data belong to no tensor", range.start, range.end)]
    Hole { range: Range<u64> },

    // gguf.
    #[error("not a .gguf file: must begin with GGUF, not {}", found.escape_ascii())]
    GgufMagic { found: Vec<u8> },
    #[error("unknown version {version} of GGUF: must be 2 or 3")]
    GgufVersion { version: u32 },
    #[error("big-endian GGUF is not supported: write the file on a little-endian machine")]
    GgufBigEndian,
    #[error("{what} is not valid UTF-8 here")]
    GgufNotUtf8 { what: &'static str },
    #[error(
        "unknown type {kind} of a value of the metadata: must be from 0 to 12, with at most 4 nested arrays"
    )]
    GgufValueType { kind: u32 },
    #[error("'general.alignment' must be a power of two up to 2^20, not {}", clip(found))]
    GgufAlignment { found: String },
    #[error(
        "the tensor {} begins at byte {start} of the data: must be a multiple of {alignment}",
        quote(tensor)
    )]
    GgufUnaligned { tensor: String, start: u64, alignment: u64 },
    #[error(
        "unknown type {code} of the tensor {}: GGUF's types go up to 41, without 4, 5, 31 to 33 and 36 to 38",
        quote(tensor)
    )]
    GgufType { tensor: String, code: u32 },
    #[error(
        "rows of {columns} elements of the tensor {} do not fit its type {layout}: they must be a multiple of {block}",
        quote(tensor)
    )]
    GgufPartialBlock { tensor: String, layout: &'static str, columns: u64, block: usize },

    // Writing.
    #[error("the file exists: use --force to replace it")]
    Exists,
    #[error("is a folder: name a file")]
    IsAFolder,
    #[error("a {container} file cannot have elements of {element}: write their codes as unsigned integers")]
    Unnameable { container: Container, element: ElementType },
    #[error("a tensor must not be named \"__metadata__\": the name is reserved for the metadata")]
    ReservedName,
    #[error("there is no tensor {index}: the file was created with {count}")]
    NoSuchTensor { index: usize, count: usize },
    #[error("bytes {}..{} of {} were already written", range.start, range.end, subject(tensor))]
    WrittenTwice { tensor: String, range: Range<u64> },
    #[error("bytes {}..{} of {} were never written", range.start, range.end, subject(tensor))]
    Unwritten { tensor: String, range: Range<u64> },
}

/// A tensor in a message. The array of a .npy file has no name.
fn subject(tensor: &str) -> String {
    if tensor.is_empty() { "the array".to_owned() } else { format!("the tensor {}", quote(tensor)) }
}

/// Quotes a text, escapes unprintable characters, and truncates it to a readable length.
pub(crate) fn quote(text: &str) -> String {
    format!("{:?}", clip(text))
}

/// Truncates a text to a readable length.
pub(crate) fn clip(text: &str) -> String {
    const LONGEST: usize = 100;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
