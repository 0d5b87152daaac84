//! `binade reveal`: the arithmetic of a program that multiplies matrices.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use binade::Spec;
use binade_files::{ElementType, IfExists, npy};
use binade_lab::reveal::{Operands, Options, ResultType, Results, RevealError, Size, reveal};
use clap::Args;
use thiserror::Error;

use crate::error::{CommandError, printable};
use crate::{Error, Output, Status};

pub(super) const ABOUT: &str = "\
Reveal the arithmetic of a program that multiplies matrices, by probing it

COMMAND reads A and B from .npy files and writes their product to another one. It is run some tens of times. In its arguments, {a}, {b} and \
{out} are replaced by the paths of the files. A and B have the sizes of --size, always the same, and elements of f32 (f64 if the \
format is wider). Their values are numbers of --input, so that a conversion to that type is exact: .npy has no bf16 or FP8. The \
product has elements of f16, f32 or f64, and the same bits in each run for the same matrices. Results of a type that .npy does not \
have are converted to f32, which is exact.

NumPy's product is probed by
  binade reveal -- python3 -c 'import sys, numpy; a, b, out = sys.argv[1:]; numpy.save(out, numpy.load(a) @ numpy.load(b))' \
{a} {b} {out}

Printed are the order of summation, the products of a step, the bits that it keeps, rounding, subnormal numbers and NaN. Then the \
matrix units (`binade units`) and operators follow whose results equal all random products. A property that no probe decides is \
said to be not decided.

--json: {\"input\", \"narrowed_to\", \"result\", \"size\", \"calls\", \"positions\", \"order\", \"tree\", \"products\", \"exact_steps\", \
\"fraction_bits\", \"accumulator\", \"sum_bits\", \"rounding\", \"result_bits\", \"fused\", \"subnormal_inputs\", \"subnormal_results\", \
\"nan\", \"overflow\", \"undecided\", \"compared\", \"fits\": [{\"kind\", \"name\"}…], \"nearest\"}.";

/// Arguments of `binade reveal`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// The format of the numbers in A and B: bf16, f16, tf32, f32, f64, float8_e4m3fn…
    #[arg(long, value_name = "FORMAT", default_value = "f32")]
    input: Spec,
    /// The sizes MxKxN of A·B: rows, products of a sum, columns. Programs choose other code for other sizes
    #[arg(long, value_name = "MxKxN", default_value = "64x64x64")]
    size: Size,
    /// Also print the tree of additions
    #[arg(long, conflicts_with = "json")]
    tree: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// The program and its arguments, with {a}, {b} and {out}
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// Why a program was not probed.
#[derive(Debug, Error)]
pub(crate) enum CommandFailed {
    /// No argument has a placeholder.
    #[error(
        "{}: no argument has {placeholder}: the command must name {{a}}, {{b}} and {{out}}, as in -- python3 multiply.py {{a}} {{b}} {{out}}",
        printable(command)
    )]
    Placeholder { command: String, placeholder: &'static str },
    /// The files of matrices.
    #[error("the temporary folder of the matrices: {0}")]
    Folder(std::io::Error),
    /// A file of a matrix.
    #[error(transparent)]
    File(#[from] binade_files::Error),
    /// The program cannot be started.
    #[error("{}: cannot be started: {error}: name a program on the PATH, or its path", printable(command))]
    Start { command: String, error: std::io::Error },
    /// The program failed.
    #[error(
        "{}: {status}{}: it must write the product to {{out}} and exit with 0",
        printable(command),
        last_words(messages)
    )]
    Exit { command: String, status: ExitStatus, messages: String },
    /// The program wrote nothing.
    #[error(
        "{}: wrote no file at {{out}}{}: it must write the product there, as an .npy file",
        printable(command),
        last_words(messages)
    )]
    NoFile { command: String, messages: String },
    /// The product has another shape.
    #[error(
        "{}: the array at {{out}} has the shape {found:?}: must be {expected:?}, rows of A and columns of B",
        printable(command)
    )]
    Shape { command: String, found: Vec<u64>, expected: [u64; 2] },
    /// The product has elements of an unknown type.
    #[error(
        "{}: the array at {{out}} has elements of {found}: must be f16, f32 or f64; convert others, such as bf16, to f32",
        printable(command)
    )]
    Element { command: String, found: String },
}

impl CommandError for CommandFailed {}
impl CommandError for RevealError<CommandFailed> {}

/// The last line that a program printed, as a part of a sentence.
fn last_words(messages: &str) -> String {
    match messages.lines().rfind(|line| !line.trim().is_empty()) {
        Some(line) => format!(" ({})", printable(line.trim())),
        None => String::new(),
    }
}

const PLACEHOLDERS: [&str; 3] = ["{a}", "{b}", "{out}"];

/// A program that multiplies matrices in files.
struct Program {
    words: Vec<OsString>,
    name: String,
    folder: tempfile::TempDir,
    wide: bool,
}

impl Program {
    fn new(words: Vec<OsString>, wide: bool) -> Result<Program, CommandFailed> {
        let name = words[0].to_string_lossy().into_owned();
        for placeholder in PLACEHOLDERS {
            if !words[1..].iter().any(|word| word.to_string_lossy().contains(placeholder)) {
                return Err(CommandFailed::Placeholder { command: name, placeholder });
            }
        }
        let folder = tempfile::tempdir().map_err(CommandFailed::Folder)?;
        Ok(Program { words, name, folder, wide })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, path: &Path, shape: [usize; 2], values: &[f64]) -> Result<(), CommandFailed> {
        let element = if self.wide { ElementType::F64 } else { ElementType::F32 };
        let writer =
            npy::Writer::create(path, element, &shape.map(|length| length as u64), IfExists::Replace)?;
        let bytes: Vec<u8> = match self.wide {
            true => values.iter().flat_map(|x| x.to_le_bytes()).collect(),
            false => values.iter().flat_map(|&x| (x as f32).to_le_bytes()).collect(),
        };
        writer.write_at(0, &bytes)?;
        Ok(writer.finish()?)
    }

    /// Runs the program on matrices.
    fn multiply(&self, operands: Operands<'_>) -> Result<Results, CommandFailed> {
        let Size { rows, depth, columns } = operands.size;
        let paths = ["a.npy", "b.npy", "out.npy"].map(|name| self.path(name));
        self.write(&paths[0], [rows, depth], operands.a)?;
        self.write(&paths[1], [depth, columns], operands.b)?;
        // A result of an earlier run is no result of this one.
        match std::fs::remove_file(&paths[2]) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(CommandFailed::Folder(error));
            }
            _ => {}
        }
        let replaced = self.words[1..].iter().map(|word| match word.to_str() {
            Some(text) => {
                let with = |text: String, at: usize| {
                    text.replace(PLACEHOLDERS[at], &paths[at].display().to_string())
                };
                OsString::from((0..3).fold(text.to_owned(), with))
            }
            None => word.clone(),
        });
        let command = || self.name.clone();
        let done = Command::new(&self.words[0])
            .args(replaced)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| CommandFailed::Start { command: command(), error })?;
        let messages = || String::from_utf8_lossy(&done.stderr).into_owned();
        if !done.status.success() {
            return Err(CommandFailed::Exit {
                command: command(),
                status: done.status,
                messages: messages(),
            });
        }
        if !paths[2].exists() {
            return Err(CommandFailed::NoFile { command: command(), messages: messages() });
        }
        self.read(&paths[2], [rows as u64, columns as u64])
    }

    fn read(&self, path: &Path, expected: [u64; 2]) -> Result<Results, CommandFailed> {
        let reader = npy::Reader::open(path)?;
        let tensor = reader.tensor();
        let command = || self.name.clone();
        if tensor.shape() != expected {
            let found = tensor.shape().to_vec();
            return Err(CommandFailed::Shape { command: command(), found, expected });
        }
        let element = match tensor.element() {
            ElementType::F16 => ResultType::F16,
            ElementType::F32 => ResultType::F32,
            ElementType::F64 => ResultType::F64,
            other => return Err(CommandFailed::Element { command: command(), found: other.to_string() }),
        };
        let bytes = tensor.read_all()?;
        let width = element.format().width() as usize / 8;
        let code = |bytes: &[u8]| bytes.iter().rev().fold(0, |code, &byte| code << 8 | u64::from(byte));
        Ok(Results { element, codes: bytes.chunks(width).map(code).collect() })
    }
}

impl Arguments {
    pub(crate) fn run(self, out: &mut Output) -> Result<Status, Error> {
        let options = Options { input: self.input, size: self.size };
        let program = Program::new(self.command, options.is_wide())?;
        let revealed = reveal(&options, &mut |operands| program.multiply(operands))?;
        if self.json {
            serde_json::to_writer_pretty(&mut *out, &revealed.json())?;
            writeln!(out)?;
            return Ok(Status::Done);
        }
        writeln!(out, "{revealed}")?;
        if let (true, Some(picture)) = (self.tree, revealed.picture()) {
            writeln!(out, "\n{picture}")?;
        }
        Ok(Status::Done)
    }
}
