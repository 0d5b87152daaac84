//! Memories of devices. Each device has one, which is memory of the process.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::abi::{Ask, Handle, Slice, entries};
use crate::device::Device;

/// The kind of every memory.
pub(crate) const KIND: &str = "device";

/// The caller's function that frees attached data.
type Deleter = Option<unsafe extern "C" fn(*mut c_void)>;

/// Data that the caller has attached to a memory, with its deleter.
struct Attached {
    data: *mut c_void,
    delete: Deleter,
}

// SAFETY: this library does not access the data. By the contract of the C API, its owner may read or delete it from any thread.
unsafe impl Send for Attached {}

impl Drop for Attached {
    fn drop(&mut self) {
        if let Some(delete) = self.delete
            && !self.data.is_null()
        {
            // SAFETY: the caller attached the deleter for this data, and `drop` calls it once.
            unsafe { delete(self.data) };
        }
    }
}

/// A memory. Callers may call its functions through the first field.
#[repr(C)]
pub(crate) struct Memory {
    functions: &'static Functions,
    id: i32,
    text: String,
    pub(crate) device: OnceLock<Handle<Device>>,
    attached: Mutex<HashMap<usize, Attached>>,
}

#[repr(C)]
struct Functions {
    struct_size: usize,
    extension: usize,
    instance_size: usize,
    get: unsafe extern "C" fn(*const Memory, *const c_void) -> *mut c_void,
    set: unsafe extern "C" fn(*const Memory, *const c_void, *mut c_void, Deleter),
}

static FUNCTIONS: Functions = Functions {
    struct_size: size_of::<Functions>(),
    extension: 0,
    instance_size: size_of::<Memory>(),
    get: attached,
    set: attach,
};

/// The data that is attached under a key, or null.
///
/// # Safety
/// The memory is alive.
unsafe extern "C" fn attached(memory: *const Memory, key: *const c_void) -> *mut c_void {
    // SAFETY: by this function's contract the memory is alive.
    let attached = unsafe { &(*memory).attached };
    let attached = attached.lock().unwrap_or_else(PoisonError::into_inner);
    attached.get(&key.addr()).map_or(std::ptr::null_mut(), |found| found.data)
}

/// Attaches data under a key, instead of the data there.
///
/// # Safety
/// The memory is alive, and the deleter may free the data.
unsafe extern "C" fn attach(memory: *const Memory, key: *const c_void, data: *mut c_void, delete: Deleter) {
    // SAFETY: by this function's contract the memory is alive.
    let attached = unsafe { &(*memory).attached };
    let before =
        attached.lock().unwrap_or_else(PoisonError::into_inner).insert(key.addr(), Attached { data, delete });
    // The deleter may call these functions: the lock is released.
    drop(before);
}

impl Memory {
    pub(crate) fn new(id: i32) -> Memory {
        Memory {
            functions: &FUNCTIONS,
            id,
            text: format!("binade:{id} (memory)"),
            device: OnceLock::new(),
            attached: Mutex::default(),
        }
    }
}

entries! {
    /// Its number: its device's.
    fn id(arguments: Ask<Memory, i32>) {
        let memory = arguments.object.get()?;
        debug_assert_eq!(memory.functions.struct_size, 40);
        arguments.answer = memory.id;
        Ok(())
    }

    /// Its kind.
    fn kind(arguments: Ask<Memory, Slice<u8>>) {
        arguments.answer = Slice::text(KIND);
        Ok(())
    }

    /// Its kind's number.
    fn kind_id(arguments: Ask<Memory, i32>) {
        arguments.answer = 0;
        Ok(())
    }

    /// Its text for people.
    fn text(arguments: Ask<Memory, Slice<u8>>) {
        arguments.answer = Slice::text(&arguments.object.get()?.text);
        Ok(())
    }

    /// Its device.
    fn devices(arguments: Ask<Memory, Slice<Handle<Device>>>) {
        let device = arguments.object.get()?.device.get();
        arguments.answer = Slice::of(device.map_or(&[], std::slice::from_ref));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `PJRT_Memory_FunctionTable_STRUCT_SIZE`.
    #[test]
    fn structure_has_the_size_of_the_c_header() {
        assert_eq!(size_of::<Functions>(), 40);
    }
}
