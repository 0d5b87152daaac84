//! The store of names and values that the processes of a distributed program share, by the caller's functions.

use std::ffi::{c_char, c_int, c_void};
use std::time::Duration;

use crate::abi::{Slice, arguments};
use crate::error::{Error, Failure};

/// Makes an error that the caller's functions return: a code, and a message with its length.
type MakeError = unsafe extern "C" fn(c_int, *const u8, usize) -> *mut Error;

/// A function of the caller, of a structure of arguments.
type Function<T> = unsafe extern "C" fn(*mut T) -> *mut Error;

arguments! {
    GetArguments {
        key: Slice<u8>,
        timeout: c_int,
        error: *const MakeError,
        user: *mut c_void,
        value: *mut c_char,
        length: usize,
        delete: Option<unsafe extern "C" fn(*mut c_char)>,
    }
    PutArguments {
        key: Slice<u8>,
        value: Slice<u8>,
        error: *const MakeError,
        user: *mut c_void,
    }
}

/// Gives the value of a name.
pub(crate) type Get = Function<GetArguments>;

/// Gives a name a value.
pub(crate) type Put = Function<PutArguments>;

/// The caller's functions, and what they are called with.
pub(crate) struct Store {
    pub(crate) get: Option<Get>,
    pub(crate) get_user: *mut c_void,
    pub(crate) put: Option<Put>,
    pub(crate) put_user: *mut c_void,
}

/// # Safety
/// The message has that many bytes.
unsafe extern "C" fn make_error(code: c_int, message: *const u8, length: usize) -> *mut Error {
    let message = Slice { start: message, length }.to_text();
    Error::raw(Failure::Given { code, message })
}

static MAKE_ERROR: MakeError = make_error;

/// What a function of the caller returned: an error that [`make_error`] made, or null.
fn outcome(error: *mut Error) -> Result<(), Failure> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: errors that are not null are [`make_error`]'s, and given up to who called.
    Err(unsafe { Box::from_raw(error) }.into())
}

fn none() -> Failure {
    Failure::Invalid(
        "there is no store that processes share: jax.distributed.initialize gives one".to_owned(),
    )
}

impl Store {
    /// The value of a name; waits until there is one.
    pub(crate) fn get(&self, key: &str, timeout: Duration) -> Result<String, Failure> {
        let function = self.get.ok_or_else(none)?;
        let mut arguments = GetArguments {
            struct_size: size_of::<GetArguments>(),
            extension: std::ptr::null_mut(),
            key: Slice::text(key),
            timeout: c_int::try_from(timeout.as_millis()).unwrap_or(c_int::MAX),
            error: &raw const MAKE_ERROR,
            user: self.get_user,
            value: std::ptr::null_mut(),
            length: 0,
            delete: None,
        };
        // SAFETY: the structure is the function's, by the contract of the C API, and lives during the call.
        outcome(unsafe { function(&raw mut arguments) })?;
        let value =
            Slice { start: arguments.value.cast_const().cast::<u8>(), length: arguments.length }.to_text();
        if let Some(delete) = arguments.delete {
            // SAFETY: the caller gave both for this; the value has been copied.
            unsafe { delete(arguments.value) };
        }
        Ok(value)
    }

    /// Gives a name a value.
    pub(crate) fn put(&self, key: &str, value: &str) -> Result<(), Failure> {
        let function = self.put.ok_or_else(none)?;
        let mut arguments = PutArguments {
            struct_size: size_of::<PutArguments>(),
            extension: std::ptr::null_mut(),
            key: Slice::text(key),
            value: Slice::text(value),
            error: &raw const MAKE_ERROR,
            user: self.put_user,
        };
        // SAFETY: as above.
        outcome(unsafe { function(&raw mut arguments) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `PJRT_KeyValueGetCallback_Args_STRUCT_SIZE` and `PJRT_KeyValuePutCallback_Args_STRUCT_SIZE`.
    #[test]
    fn sizes() {
        assert_eq!(size_of::<GetArguments>(), 80);
        assert_eq!(size_of::<PutArguments>(), 64);
    }
}
