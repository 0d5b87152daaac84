//! Errors of the plugin, and the error objects of the C API.

use std::ffi::c_void;

use binade_hlo::ProgramError;
use binade_hlo::eval::EvalError;

use crate::abi::{Ask, Only, Slice, entries};
use crate::event::Outcome;

/// The reason for an error.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("a null pointer where an object is needed")]
    Null,
    #[error("{0} is not implemented by binade")]
    Unimplemented(String),
    #[error("{0}")]
    Invalid(String),
    #[error("the buffer has been deleted or donated")]
    Deleted,
    /// A program that is refused.
    #[error("{0}")]
    Program(Box<ProgramError>),
    /// A program that fails, and the place in its source.
    #[error("{error}{}", place.as_deref().map_or(String::new(), |place| format!("\n{place}")))]
    Evaluation { error: Box<EvalError>, place: Option<String> },
    /// A process that is needed and cannot be reached.
    #[error("{0}")]
    Unavailable(String),
    /// A program that was never run.
    #[error("the client has ended before the program was run")]
    Abandoned,
    /// A bug of binade.
    #[error("binade panicked: {0}")]
    Panic(String),
    /// An error that the caller set an event to.
    #[error("{message}")]
    Given { code: i32, message: String },
}

/// Codes of errors: those of absl.
mod code {
    pub(super) const CANCELLED: i32 = 1;
    pub(super) const INVALID_ARGUMENT: i32 = 3;
    pub(super) const RESOURCE_EXHAUSTED: i32 = 8;
    pub(super) const FAILED_PRECONDITION: i32 = 9;
    pub(super) const UNIMPLEMENTED: i32 = 12;
    pub(super) const INTERNAL: i32 = 13;
    pub(super) const UNAVAILABLE: i32 = 14;
}

fn code_of(error: &EvalError) -> i32 {
    match error {
        EvalError::At { source, .. } => code_of(source),
        EvalError::Memory { .. }
        | EvalError::Scratch { .. }
        | EvalError::Plan { .. }
        | EvalError::Threads(_) => code::RESOURCE_EXHAUSTED,
        EvalError::CustomCall { .. } | EvalError::Python { .. } => code::UNIMPLEMENTED,
        EvalError::Callback { .. } => code::INTERNAL,
        EvalError::Host(_) => code::UNAVAILABLE,
        _ => code::INVALID_ARGUMENT,
    }
}

impl Failure {
    /// The outcome of an event with this failure.
    pub(crate) fn outcome(&self) -> Outcome {
        Some((self.code(), self.to_string()))
    }

    fn code(&self) -> i32 {
        use binade_hlo::Problem::{UnknownOperation, Unsupported};
        match self {
            Failure::Null | Failure::Invalid(_) => code::INVALID_ARGUMENT,
            Failure::Unimplemented(_) => code::UNIMPLEMENTED,
            Failure::Deleted => code::FAILED_PRECONDITION,
            Failure::Program(error) => match *error.problem {
                Unsupported(_) | UnknownOperation(_) => code::UNIMPLEMENTED,
                binade_hlo::Problem::Memory { .. } => code::RESOURCE_EXHAUSTED,
                _ => code::INVALID_ARGUMENT,
            },
            Failure::Evaluation { error, .. } => code_of(error),
            Failure::Unavailable(_) => code::UNAVAILABLE,
            Failure::Abandoned => code::CANCELLED,
            Failure::Panic(_) => code::INTERNAL,
            Failure::Given { code, .. } => *code,
        }
    }
}

/// An error object of the C API. Callers may call its functions through the first field.
#[repr(C)]
pub(crate) struct Error {
    functions: &'static Functions,
    code: i32,
    message: String,
}

/// A visitor of an error's payloads, of which there are none.
type Visitor = Option<unsafe extern "C" fn(*const u8, usize, *const u8, usize, *mut c_void)>;

#[repr(C)]
struct Functions {
    struct_size: usize,
    instance_size: usize,
    extension: usize,
    destroy: unsafe extern "C" fn(*mut Error),
    message: unsafe extern "C" fn(*const Error, *mut *const u8, *mut usize),
    code: unsafe extern "C" fn(*const Error) -> i32,
    payloads: unsafe extern "C" fn(*const Error, Visitor, *mut c_void),
}

static FUNCTIONS: Functions = Functions {
    struct_size: size_of::<Functions>(),
    instance_size: size_of::<Error>(),
    extension: 0,
    destroy: of_error::destroy,
    message: of_error::message,
    code: of_error::code,
    payloads: of_error::payloads,
};

/// The functions of an error that is reached by its own table.
mod of_error {
    use std::ffi::c_void;

    use crate::error::{Error, Visitor};

    /// # Safety
    /// The error is null or was given out by this library, and is not used again.
    pub(super) unsafe extern "C" fn destroy(error: *mut Error) {
        if !error.is_null() {
            // SAFETY: by this function's contract the error comes from `Error::raw`, and this is its last use.
            drop(unsafe { Box::from_raw(error) });
        }
    }

    /// # Safety
    /// The error is alive, and the other pointers can be written.
    pub(super) unsafe extern "C" fn message(error: *const Error, start: *mut *const u8, length: *mut usize) {
        // SAFETY: by this function's contract the error is alive, and both pointers can be written.
        unsafe {
            let message = &(*error).message;
            *start = message.as_ptr();
            *length = message.len();
        }
    }

    /// # Safety
    /// The error is alive.
    pub(super) unsafe extern "C" fn code(error: *const Error) -> i32 {
        // SAFETY: by this function's contract the error is alive.
        unsafe { (*error).code }
    }

    /// # Safety
    /// None is needed: there is nothing to visit.
    pub(super) unsafe extern "C" fn payloads(_: *const Error, _: Visitor, _: *mut c_void) {}
}

impl From<Box<Error>> for Failure {
    fn from(error: Box<Error>) -> Failure {
        Failure::Given { code: error.code, message: error.message }
    }
}

impl Error {
    pub(crate) fn new(failure: Failure) -> Box<Error> {
        Box::new(Error { functions: &FUNCTIONS, code: failure.code(), message: failure.to_string() })
    }

    /// An error object for the caller.
    pub(crate) fn raw(failure: Failure) -> *mut Error {
        Box::into_raw(Error::new(failure))
    }
}

entries! {
    /// Frees an error.
    fn destroy(arguments: Only<Error>) {
        drop(arguments.object.take());
        Ok(())
    }

    /// Its message.
    fn message(arguments: Ask<Error, Slice<u8>>) {
        arguments.answer = Slice::text(&arguments.object.get()?.message);
        Ok(())
    }

    /// Its code.
    fn code(arguments: Ask<Error, i32>) {
        arguments.answer = arguments.object.get()?.code;
        Ok(())
    }

    /// Visits its payloads, of which there are none.
    fn payloads(_arguments: Only<Error>) {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `PJRT_Error_FunctionTable_STRUCT_SIZE`.
    #[test]
    fn structure_has_the_size_of_the_c_header() {
        assert_eq!(size_of::<Functions>(), 56);
        assert_eq!(FUNCTIONS.instance_size, size_of::<Error>());
    }
}
