//! Structures of PJRT's C API as they are in memory (`xla/pjrt/c/pjrt_c_api.h`, version 0.112).
//!
//! Every function takes one pointer, to a structure that begins with its size and a list of extensions. The function writes its
//! results into the same structure. Sizes are tested against those of the C header.

use std::ffi::c_void;
use std::ptr::NonNull;

use crate::error::{Error, Failure};

/// A function of the table.
pub(crate) type Entry = unsafe extern "C" fn(*mut c_void) -> *mut Error;

#[repr(C)]
pub(crate) struct Version {
    pub(crate) struct_size: usize,
    pub(crate) extension: *mut c_void,
    pub(crate) major: i32,
    pub(crate) minor: i32,
}

/// The table of functions.
#[repr(C)]
pub(crate) struct Api<const N: usize> {
    pub(crate) struct_size: usize,
    pub(crate) extension: *mut c_void,
    pub(crate) version: Version,
    pub(crate) entries: [Entry; N],
}

// SAFETY: the table is never written, and its pointers are null or to functions.
unsafe impl<const N: usize> Sync for Api<N> {}

/// A pointer to an object that this library gave out, or that the caller owns during the call.
#[repr(transparent)]
pub(crate) struct Handle<T>(*mut T);

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Handle<T> {}

// SAFETY: a handle gives shared access to its object only, and `T: Sync` allows that from any thread. `take` needs the last use.
unsafe impl<T: Sync> Send for Handle<T> {}
// SAFETY: a shared handle gives no more than a copy of it does: shared access to a `T: Sync`.
unsafe impl<T: Sync> Sync for Handle<T> {}

impl<T> Handle<T> {
    /// Gives an object to the caller, who returns it through the function that destroys it.
    pub(crate) fn give(value: T) -> Handle<T> {
        Handle(Box::into_raw(Box::new(value)))
    }

    /// A handle of an object that lives as long as the process.
    pub(crate) fn forever(value: &'static T) -> Handle<T> {
        Handle(std::ptr::from_ref(value).cast_mut())
    }

    /// The object; an error if the handle is null.
    pub(crate) fn get<'a>(self) -> Result<&'a T, Failure> {
        // SAFETY: by the contract of the C API, a handle that is not null comes from `give` or `forever` and has not been destroyed,
        // or it points to a structure that the caller owns during the call. This library changes neither through another pointer.
        unsafe { self.0.as_ref() }.ok_or(Failure::Null)
    }

    /// Takes an object back from the caller; none if the handle is null.
    pub(crate) fn take(self) -> Option<Box<T>> {
        // SAFETY: only functions named Destroy call this. By their contract the handle comes from `give`, and is not used again.
        NonNull::new(self.0).map(|pointer| unsafe { Box::from_raw(pointer.as_ptr()) })
    }
}

/// An array, which the C API passes as a pointer and a size.
#[repr(C)]
pub(crate) struct Slice<T> {
    pub(crate) start: *const T,
    pub(crate) length: usize,
}

impl<T> Slice<T> {
    /// An array of an object, valid while that object lives.
    pub(crate) fn of(values: &[T]) -> Slice<T> {
        Slice { start: values.as_ptr(), length: values.len() }
    }

    pub(crate) fn get(&self) -> &[T] {
        if self.length == 0 || self.start.is_null() {
            return &[];
        }
        // SAFETY: by the contract of the C API, `start` points to `length` values that no one changes during the call.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }
}

impl Slice<u8> {
    pub(crate) fn text(text: &str) -> Slice<u8> {
        Slice::of(text.as_bytes())
    }

    pub(crate) fn to_text(&self) -> String {
        String::from_utf8_lossy(self.get()).into_owned()
    }
}

/// A value with a name.
#[repr(C)]
pub(crate) struct Named {
    pub(crate) struct_size: usize,
    pub(crate) extension: *mut c_void,
    pub(crate) name: Slice<u8>,
    pub(crate) kind: i32,
    pub(crate) value: Payload,
    pub(crate) size: usize,
}

/// The value of a [`Named`], by its kind.
#[repr(C)]
pub(crate) union Payload {
    pub(crate) text: *const u8,
    pub(crate) integer: i64,
    pub(crate) integers: *const i64,
    pub(crate) float: f32,
    pub(crate) bool: bool,
}

/// Kinds of [`Named`].
pub(crate) mod named {
    pub(crate) const TEXT: i32 = 0;
    pub(crate) const INTEGER: i32 = 1;
    pub(crate) const INTEGERS: i32 = 2;
    pub(crate) const FLOAT: i32 = 3;
    pub(crate) const BOOL: i32 = 4;
}

// SAFETY: a `Named` of this library is never written, and its pointers are to constants.
unsafe impl Sync for Named {}
// SAFETY: a `Named` owns nothing that belongs to a thread: its pointers are to constants.
unsafe impl Send for Named {}

impl Named {
    /// The value as text, whatever its kind is.
    pub(crate) fn to_text(&self) -> Result<String, Failure> {
        // SAFETY: by the contract of the C API, `kind` says which field of the union is set, and `size` is the length of the text.
        unsafe {
            Ok(match self.kind {
                named::TEXT => Slice { start: self.value.text, length: self.size }.to_text(),
                named::INTEGER => self.value.integer.to_string(),
                named::FLOAT => self.value.float.to_string(),
                named::BOOL => self.value.bool.to_string(),
                kind => {
                    return Err(Failure::Invalid(format!(
                        "the option '{}' of kind {kind}",
                        self.name.to_text()
                    )));
                }
            })
        }
    }
}

/// A program in the caller's memory: one to compile, or space for one that the caller asks for.
#[repr(C)]
pub(crate) struct Program {
    pub(crate) struct_size: usize,
    pub(crate) extension: *mut c_void,
    pub(crate) code: *mut u8,
    pub(crate) code_size: usize,
    pub(crate) format: Slice<u8>,
}

/// An order of elements in memory.
#[repr(C)]
pub(crate) struct Layout {
    pub(crate) struct_size: usize,
    pub(crate) extension: *mut c_void,
    pub(crate) order: Order,
    pub(crate) kind: i32,
}

/// Either of the forms of [`Layout`].
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) union Order {
    pub(crate) tiled: Tiled,
    pub(crate) strides: Strides,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Tiled {
    pub(crate) struct_size: usize,
    pub(crate) extension: *mut c_void,
    pub(crate) minor_to_major: *const i64,
    pub(crate) rank: usize,
    pub(crate) tile_sizes: *const i64,
    pub(crate) tile_ranks: *const usize,
    pub(crate) tiles: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Strides {
    pub(crate) struct_size: usize,
    pub(crate) extension: *mut c_void,
    pub(crate) strides: *const i64,
    pub(crate) rank: usize,
}

/// Kinds of [`Layout`].
pub(crate) mod layout {
    pub(crate) const TILED: i32 = 0;
}

/// Structures of arguments: a size, extensions, and these fields.
macro_rules! arguments {
    ($($(#[$about:meta])* $name:ident { $($field:ident: $ty:ty),* $(,)? })*) => { $(
        $(#[$about])*
        #[repr(C)]
        pub(crate) struct $name {
            pub(crate) struct_size: usize,
            pub(crate) extension: *mut std::ffi::c_void,
            $(pub(crate) $field: $ty),*
        }
    )* };
}
pub(crate) use arguments;

/// Arguments of functions that only take an object.
#[repr(C)]
pub(crate) struct Only<T> {
    pub(crate) struct_size: usize,
    pub(crate) extension: *mut c_void,
    pub(crate) object: Handle<T>,
}

/// Arguments of functions that take an object and answer with a value.
#[repr(C)]
pub(crate) struct Ask<T, V> {
    pub(crate) struct_size: usize,
    pub(crate) extension: *mut c_void,
    pub(crate) object: Handle<T>,
    pub(crate) answer: V,
}

/// Runs `work` and returns its result; a panic becomes a failure.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("of no known kind");
        Err(Failure::Panic(text.to_owned()))
    })
}

/// Runs a function of the table: a failure or a panic becomes an error object.
pub(crate) fn guarded(work: impl FnOnce() -> Result<(), Failure>) -> *mut Error {
    caught(work).err().map_or(std::ptr::null_mut(), Error::raw)
}

/// Functions of the table: `fn name(arguments: Structure) { … }`.
macro_rules! entries {
    ($($(#[$about:meta])* fn $name:ident($arguments:ident: $ty:ty) $body:block)*) => { $(
        $(#[$about])*
        ///
        /// # Safety
        /// The arguments are a structure of this function, of this version of the C API or of a later one.
        pub(crate) unsafe extern "C" fn $name(arguments: *mut std::ffi::c_void) -> *mut $crate::error::Error {
            $crate::abi::guarded(|| {
                // SAFETY: by this function's contract the pointer is null or to a `$ty`, which no one else uses during the call.
                let $arguments = unsafe { arguments.cast::<$ty>().as_mut() }.ok_or($crate::error::Failure::Null)?;
                $body
            })
        }
    )* };
}
pub(crate) use entries;
