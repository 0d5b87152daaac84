//! The client: devices, and programs that have been compiled.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::abi::{Ask, Handle, Named, Only, Slice, arguments, entries};
use crate::callback;
use crate::device::Device;
use crate::error::Failure;
use crate::executable::Compiled;
use crate::memory::Memory;
use crate::settings::Settings;

/// What a program was compiled from: its bytes and its options.
type Source = (Vec<u8>, Vec<u8>);

/// A client.
pub(crate) struct Client {
    pub(crate) settings: Settings,
    pub(crate) devices: Vec<Handle<Device>>,
    memories: Vec<Handle<Memory>>,
    version: String,
    /// Programs that somebody still has.
    compiled: Mutex<HashMap<Source, Weak<Compiled>>>,
}

impl Client {
    fn new(options: &[Named]) -> Result<Client, Failure> {
        let mut settings = Settings::from_environment()?;
        for option in options {
            let name = option.name.to_text();
            if name == "callback" {
                let address = option.to_text()?.parse().map_err(|_| Failure::Null)?;
                // SAFETY: by this name only `binade.jax` gives an option: the address of its function, which it keeps.
                settings.host = unsafe { callback::host(address) };
                continue;
            }
            settings.set(name.strip_prefix("binade_").unwrap_or(&name), &option.to_text()?)?;
        }
        settings.options()?;
        let (mut devices, mut memories) = (vec![], vec![]);
        // Devices and memories live as long as the process: callers keep them without owning them.
        for id in 0..settings.devices {
            let id = i32::try_from(id).unwrap_or(i32::MAX);
            let memory: &'static Memory = Box::leak(Box::new(Memory::new(id)));
            let device: &'static Device = Box::leak(Box::new(Device::new(id, Handle::forever(memory))));
            let _ = memory.device.set(Handle::forever(device));
            devices.push(Handle::forever(device));
            memories.push(Handle::forever(memory));
        }
        let version = format!("binade {}", env!("CARGO_PKG_VERSION"));
        Ok(Client { settings, devices, memories, version, compiled: Mutex::default() })
    }

    /// The device of a number.
    pub(crate) fn device(&self, id: i64) -> Result<Handle<Device>, Failure> {
        let found = usize::try_from(id).ok().and_then(|index| self.devices.get(index));
        found.copied().ok_or_else(|| {
            Failure::Invalid(format!("there is no device {id}; there are {}", self.devices.len()))
        })
    }

    /// A program, compiled unless somebody has it already.
    pub(crate) fn compile(&self, code: &[u8], options: &[u8]) -> Result<Arc<Compiled>, Failure> {
        let source = (code.to_vec(), options.to_vec());
        let lock = || self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = lock().get(&source).and_then(Weak::upgrade) {
            return Ok(found);
        }
        let compiled = Arc::new(Compiled::new(self, code, options)?);
        let mut all = lock();
        all.retain(|_, compiled| compiled.strong_count() > 0);
        all.insert(source, Arc::downgrade(&compiled));
        Ok(compiled)
    }
}

arguments! {
    Create {
        options: Slice<Named>,
        get: *const c_void,
        get_argument: *mut c_void,
        put: *const c_void,
        put_argument: *mut c_void,
        client: Handle<Client>,
    }
    Lookup { client: Handle<Client>, id: i32, device: Handle<Device> }
    DefaultAssignment { client: Handle<Client>, replicas: i32, partitions: i32, size: usize, assignment: *mut i32 }
}

entries! {
    /// Makes a client.
    fn create(arguments: Create) {
        arguments.client = Handle::give(Client::new(arguments.options.get())?);
        Ok(())
    }

    /// Frees it.
    fn destroy(arguments: Only<Client>) {
        drop(arguments.object.take());
        Ok(())
    }

    /// What JAX calls the platform.
    fn platform_name(arguments: Ask<Client, Slice<u8>>) {
        arguments.answer = Slice::text("binade");
        Ok(())
    }

    /// Its version.
    fn platform_version(arguments: Ask<Client, Slice<u8>>) {
        arguments.answer = Slice::text(&arguments.object.get()?.version);
        Ok(())
    }

    /// There is one process.
    fn process_index(arguments: Ask<Client, i32>) {
        arguments.answer = 0;
        Ok(())
    }

    /// All devices, which are all this process's.
    fn devices(arguments: Ask<Client, Slice<Handle<Device>>>) {
        arguments.answer = Slice::of(&arguments.object.get()?.devices);
        Ok(())
    }

    /// All memories.
    fn memories(arguments: Ask<Client, Slice<Handle<Memory>>>) {
        arguments.answer = Slice::of(&arguments.object.get()?.memories);
        Ok(())
    }

    /// A device by its number.
    fn lookup_device(arguments: Lookup) {
        arguments.device = arguments.client.get()?.device(i64::from(arguments.id))?;
        Ok(())
    }

    /// Devices in order.
    fn default_assignment(arguments: DefaultAssignment) {
        let devices = arguments.client.get()?.devices.len();
        let needed = usize::try_from(i64::from(arguments.replicas) * i64::from(arguments.partitions)).unwrap_or(usize::MAX);
        if needed > devices || needed > arguments.size || arguments.assignment.is_null() {
            let facts = format!("{needed} devices are asked for, and there are {devices}");
            return Err(Failure::Invalid(facts));
        }
        for index in 0..needed {
            // SAFETY: the caller's array has `size` numbers, which are no fewer.
            unsafe { *arguments.assignment.add(index) = index as i32 };
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size_of::<Named>(), 56);
        assert_eq!(size_of::<DefaultAssignment>(), 48);
        // Later versions have two fields more, which are not needed.
        assert_eq!(size_of::<Create>(), 88 - 16);
    }
}
