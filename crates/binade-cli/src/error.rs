//! The errors of the command. Each module defines the type of its own errors, a [`CommandError`]. [`Error`] wraps them without
//! naming them, and [`Error::render`] writes them.

use std::io;
use std::process::ExitCode;

use binade::text::ValueError;
use binade::{DatumError, OperationError, SpecError};
use binade_lab::checkpoint::CheckpointError;
use binade_recipes::RecipeFileError;
use binade_simd::IsaVariableError;
use thiserror::Error;

use crate::block_operation::BlockOperationError;
use crate::modes::ModeError;
use crate::operand::OperandError;
use crate::report_file::ReportFileError;

/// The way the command ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// All done.
    Done,
    /// A check or comparison failed.
    CheckFailed,
    /// Usage or bad input.
    BadInput,
    /// Stopped by Ctrl-C.
    Interrupted,
    /// The exit code of a child process.
    Child(u8),
}

impl Status {
    /// The exit code.
    pub const fn code(self) -> i32 {
        match self {
            Status::Done => 0,
            Status::CheckFailed => 1,
            Status::BadInput => 2,
            Status::Interrupted => 130,
            Status::Child(code) => code as i32,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status.code() as u8)
    }
}

/// An error that is defined in the module of a command, or of a part that commands share.
pub(crate) trait CommandError: std::error::Error + Send + Sync + 'static {
    /// The remedy, if the message does not say it.
    fn hint(&self) -> Option<&'static str> {
        None
    }

    /// The message as standard error shows it: on one line, unless the error has a program to show.
    fn shown(&self) -> String {
        printable(&self.to_string())
    }
}

impl CommandError for RecipeFileError {}

impl CommandError for IsaVariableError {}

impl<E: CommandError> From<E> for Error {
    fn from(error: E) -> Error {
        Error::Command(Box::new(error))
    }
}

/// An error that ends the command.
#[derive(Debug, Error)]
pub(crate) enum Error {
    #[error("cannot read standard input: {0}")]
    Input(#[source] io::Error),
    #[error("cannot write standard output: {0}")]
    Output(#[from] io::Error),
    #[error("cannot write standard output: {0}")]
    Json(#[from] serde_json::Error),
    #[error("cannot handle Ctrl-C: {0}")]
    Interrupt(#[from] ctrlc::Error),

    // Arguments and files that several commands have.
    #[error(transparent)]
    Operand(#[from] OperandError),
    #[error(transparent)]
    Mode(#[from] ModeError),
    #[error(transparent)]
    BlockOperation(#[from] BlockOperationError),
    #[error(transparent)]
    Operator(#[from] binade::OperatorError),
    #[error(transparent)]
    ReportFile(#[from] ReportFileError),
    #[error(transparent)]
    Lab(#[from] binade_lab::Error),
    #[error(transparent)]
    Sweep(#[from] binade_sweep::SweepError),

    // Commands.
    #[error("{0}")]
    Command(Box<dyn CommandError>),
    #[cfg(feature = "run")]
    #[error(transparent)]
    Launch(#[from] binade_launch::LaunchError),
    #[cfg(feature = "run")]
    #[error(transparent)]
    Mix(#[from] binade_launch::mix::MixError),
}

/// Lets `?` turn an error of a library into the [`Error`] that wraps it.
macro_rules! from {
    ($($library:ty => $error:ty;)*) => {
        $(impl From<$library> for Error {
            fn from(error: $library) -> Error {
                <$error>::from(error).into()
            }
        })*
    };
}

from! {
    SpecError => OperandError;
    ValueError => OperandError;
    DatumError => OperandError;
    OperationError => OperandError;
}

impl Error {
    /// The remedy, if the message does not say it.
    fn hint(&self) -> Option<&'static str> {
        match self {
            Error::Command(error) => error.hint(),
            Error::Operand(error) => error.hint(),
            _ => None,
        }
    }

    /// The status with which the command ends.
    pub(crate) fn status(&self) -> Status {
        match self {
            _ if self.reader_left() => Status::Done,
            Error::Lab(binade_lab::Error::Cancelled) => Status::Interrupted,
            Error::Lab(binade_lab::Error::Checkpoint(CheckpointError::Interrupted { .. })) => {
                Status::Interrupted
            }
            _ => Status::BadInput,
        }
    }

    /// Returns true if the reader of standard output closed it, as `head` does. That is not an error.
    fn reader_left(&self) -> bool {
        match self {
            Error::Output(error) => error.kind() == io::ErrorKind::BrokenPipe,
            Error::Json(error) => error.io_error_kind() == Some(io::ErrorKind::BrokenPipe),
            _ => false,
        }
    }

    /// Writes the error to standard error.
    pub(crate) fn render(&self) {
        if self.reader_left() {
            return;
        }
        let text = match self {
            Error::Command(error) => error.shown(),
            _ => printable(&self.to_string()),
        };
        crate::terminal::report("error", &text);
        if let Some(hint) = self.hint() {
            crate::terminal::report("hint", hint);
        }
    }
}

/// A text that may quote input, on one line and without control sequences.
pub(crate) fn printable(text: &str) -> String {
    binade::text::printable(text)
}

/// A text of several lines, without control sequences.
#[cfg(any(feature = "hlo", feature = "train", feature = "run"))]
pub(crate) fn printable_lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}
