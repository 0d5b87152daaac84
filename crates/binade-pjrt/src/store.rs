//! The store of names and values that the processes of a distributed program share, through the caller's functions.

use std::ffi::{c_char, c_int, c_void};
use std::time::Duration;

use crate::abi::{Slice, arguments};
use crate::error::{Error, Failure};

/// Makes an error for the caller's functions to return, from a code and a message with its length.
type MakeError = unsafe extern "C" fn(c_int, *const u8, usize) -> *mut Error;

/// A function of the caller that takes a structure of arguments.
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

/// The caller's function that reads a name.
pub(crate) type Get = Function<GetArguments>;

/// The caller's function that sets a name.
pub(crate) type Put = Function<PutArguments>;

/// The caller's functions, and their arguments of the caller's own.
pub(crate) struct Store {
    pub(crate) get: Option<Get>,
    pub(crate) get_user: *mut c_void,
    pub(crate) put: Option<Put>,
    pub(crate) put_user: *mut c_void,
}

/// # Safety
/// The message has `length` bytes.
unsafe extern "C" fn make_error(code: c_int, message: *const u8, length: usize) -> *mut Error {
    let message = Slice { start: message, length }.to_text();
    Error::raw(Failure::Given { code, message })
}

static MAKE_ERROR: MakeError = make_error;

/// The result of a function of the caller: an error that [`make_error`] made, or null.
fn outcome(error: *mut Error) -> Result<(), Failure> {
    if error.is_null() {
        return Ok(());
    }
    // SAFETY: by the contract of the C API, an error that is not null comes from `make_error`, and its receiver owns it.
    Err(unsafe { Box::from_raw(error) }.into())
}

fn none() -> Failure {
    Failure::Invalid("no store that processes share: call jax.distributed.initialize first".to_owned())
}

impl Store {
    /// Waits until a name has a value, and returns it.
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
        // SAFETY: by the contract of the C API the function takes this structure, which lives during the call.
        outcome(unsafe { function(&raw mut arguments) })?;
        let value =
            Slice { start: arguments.value.cast_const().cast::<u8>(), length: arguments.length }.to_text();
        if let Some(delete) = arguments.delete {
            // SAFETY: the caller gave the deleter for this value, which has been copied and is not used again.
            unsafe { delete(arguments.value) };
        }
        Ok(value)
    }

    /// Sets the value of a name.
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
        // SAFETY: by the contract of the C API the function takes this structure, which lives during the call.
        outcome(unsafe { function(&raw mut arguments) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `PJRT_KeyValueGetCallback_Args_STRUCT_SIZE` and `PJRT_KeyValuePutCallback_Args_STRUCT_SIZE`.
    #[test]
    fn structures_have_the_sizes_of_the_c_header() {
        assert_eq!(size_of::<GetArguments>(), 80);
        assert_eq!(size_of::<PutArguments>(), 64);
    }
}
