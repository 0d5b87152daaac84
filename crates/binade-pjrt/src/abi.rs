//! PJRT's C API: what its structures are in memory (`xla/pjrt/c/pjrt_c_api.h`, version 0.112).
//!
//! Every function takes one pointer, to a structure that begins with its size and a list of extensions; what it gives is
//! written into the same structure. Sizes are tested against those of the C header.

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

/// A pointer to something that this library gave out, or that the caller owns for as long as the call takes.
#[repr(transparent)]
pub(crate) struct Handle<T>(*mut T);

impl<T> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Handle<T> {}

// SAFETY: through a handle there is only shared access, until its one owner takes it back.
unsafe impl<T: Sync> Send for Handle<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Handle<T> {}

impl<T> Handle<T> {
    /// Gives something out. The caller gives it back by the function that destroys it.
    pub(crate) fn give(value: T) -> Handle<T> {
        Handle(Box::into_raw(Box::new(value)))
    }

    /// Of something that lives as long as the process.
    pub(crate) fn forever(value: &'static T) -> Handle<T> {
        Handle(std::ptr::from_ref(value).cast_mut())
    }

    /// What it points to; an error if it is null.
    pub(crate) fn get<'a>(self) -> Result<&'a T, Failure> {
        // SAFETY: by the contract of the C API a handle that is not null was given out by `give` or `forever` and has not
        // been destroyed, or it is a structure that the caller owns during the call; nothing here changes either through
        // another pointer.
        unsafe { self.0.as_ref() }.ok_or(Failure::Null)
    }

    /// Takes back what was given out; nothing if it is null.
    pub(crate) fn take(self) -> Option<Box<T>> {
        // SAFETY: the caller destroys what `give` gave, and uses it no more: the contract of the functions named Destroy.
        NonNull::new(self.0).map(|pointer| unsafe { Box::from_raw(pointer.as_ptr()) })
    }
}

/// Some values one after the other, where the C API has a pointer and a size.
#[repr(C)]
pub(crate) struct Slice<T> {
    pub(crate) start: *const T,
    pub(crate) length: usize,
}

impl<T> Slice<T> {
    /// A part of something that lives as long as the object that it is asked of.
    pub(crate) fn of(values: &[T]) -> Slice<T> {
        Slice { start: values.as_ptr(), length: values.len() }
    }

    pub(crate) fn get(&self) -> &[T] {
        if self.length == 0 || self.start.is_null() {
            return &[];
        }
        // SAFETY: a caller that gives a size gives a pointer to as many values, which it does not change during the call.
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

// SAFETY: those that are given out are never written, and point to constants.
unsafe impl Sync for Named {}
// SAFETY: as above.
unsafe impl Send for Named {}

impl Named {
    /// The value as text, whatever its kind is.
    pub(crate) fn to_text(&self) -> Result<String, Failure> {
        // SAFETY: the kind says which of the values it is, and the size how many there are.
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

/// A program that is to be compiled, or that is asked for.
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

/// Arguments of functions that take an object and give something.
#[repr(C)]
pub(crate) struct Ask<T, V> {
    pub(crate) struct_size: usize,
    pub(crate) extension: *mut c_void,
    pub(crate) object: Handle<T>,
    pub(crate) answer: V,
}

/// Does something: what it panics with becomes its failure.
pub(crate) fn caught<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("of no known kind");
        Err(Failure::Panic(text.to_owned()))
    })
}

/// Runs a function of the table: its failure, or what it panicked with, becomes an error.
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
                // SAFETY: the caller's promise; nobody else uses the structure during the call.
                let $arguments = unsafe { arguments.cast::<$ty>().as_mut() }.ok_or($crate::error::Failure::Null)?;
                $body
            })
        }
    )* };
}
pub(crate) use entries;
