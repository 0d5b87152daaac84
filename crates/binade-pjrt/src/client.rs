//! The client: devices, and programs that have been compiled.

use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::abi::{Ask, Handle, Named, Only, Slice, arguments, entries};
use crate::callback;
use crate::device::Device;
use crate::error::Failure;
use crate::executable::Compiled;
use crate::hosts::Hosts;
use crate::meet::{Role, meet};
use crate::memory::Memory;
use crate::queue::Queue;
use crate::settings::Settings;
use crate::store::{self, Store};

/// Number of distributed clients that this process has created.
static CLIENTS: AtomicUsize = AtomicUsize::new(0);

/// The role of this process among `count` processes.
fn role(settings: &Settings, count: usize) -> Result<Role, Failure> {
    if settings.node >= count {
        return Err(Failure::Invalid(format!("process {} of {count}", settings.node)));
    }
    Ok(Role {
        client: CLIENTS.fetch_add(1, Ordering::Relaxed),
        own: settings.node,
        count,
        devices: settings.devices,
        settings: settings.meaning(),
        address: settings.address.clone(),
        coordinator: settings.coordinator.clone(),
        timeout: settings.timeout,
    })
}

/// The source of a compiled program: its bytes and its options.
type Source = (Vec<u8>, Vec<u8>);

/// A client.
pub(crate) struct Client {
    pub(crate) settings: Settings,
    /// All devices by number; the devices of a process are consecutive.
    pub(crate) devices: Vec<Handle<Device>>,
    /// The devices of this process.
    pub(crate) own: Vec<Handle<Device>>,
    /// The processes of a distributed client.
    pub(crate) hosts: Option<Arc<Hosts>>,
    /// Programs that wait to run.
    pub(crate) queue: Arc<Queue>,
    memories: Vec<Handle<Memory>>,
    version: String,
    /// Compiled programs that the caller still has.
    compiled: Mutex<HashMap<Source, Weak<Compiled>>>,
}

impl Client {
    fn new(options: &[Named], store: &Store) -> Result<Client, Failure> {
        let mut settings = Settings::from_environment()?;
        for option in options {
            let name = option.name.to_text();
            if name == "callback" {
                let address = option.to_text()?.parse().map_err(|_| Failure::Null)?;
                // SAFETY: only `binade.jax` sets this option, to the address of its `Function`, which it keeps as long as the process lives.
                settings.host = unsafe { callback::host(address) };
                continue;
            }
            settings.set(name.strip_prefix("binade_").unwrap_or(&name), &option.to_text()?)?;
        }
        settings.options()?;
        let hosts = match settings.nodes {
            1 => None,
            count => {
                let met = meet(store, &role(&settings, count)?)?;
                Some(Arc::new(Hosts::new(settings.node, met, settings.timeout)?))
            }
        };
        let counts = hosts.as_ref().map_or(vec![settings.devices], |hosts| hosts.devices.clone());
        let number = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
        let (mut devices, mut own, mut memories) = (vec![], vec![], vec![]);
        // Devices and memories live as long as the process: callers keep them without owning them.
        for (process, &count) in counts.iter().enumerate() {
            for place in 0..count {
                let id = number(devices.len());
                let memory: &'static Memory = Box::leak(Box::new(Memory::new(id)));
                let here = hosts.is_none() || process == settings.node;
                let device = Device::new(id, (number(process), number(place)), here, Handle::forever(memory));
                let device = Handle::forever(Box::leak(Box::new(device)));
                let _ = memory.device.set(device);
                devices.push(device);
                if here {
                    own.push(device);
                    memories.push(Handle::forever(memory));
                }
            }
        }
        let version = format!("binade {}", env!("CARGO_PKG_VERSION"));
        let (queue, compiled) = (Arc::default(), Mutex::default());
        Ok(Client { settings, devices, own, hosts, queue, memories, version, compiled })
    }

    /// The device of a number.
    pub(crate) fn device(&self, id: i64) -> Result<Handle<Device>, Failure> {
        let found = usize::try_from(id).ok().and_then(|index| self.devices.get(index));
        found.copied().ok_or_else(|| {
            Failure::Invalid(format!("there is no device {id}; there are {}", self.devices.len()))
        })
    }

    /// Compiles a program, or returns the compiled one that the caller still has.
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

impl Drop for Client {
    fn drop(&mut self) {
        self.queue.close();
    }
}

/// The state of a process, as JAX reports it.
#[repr(C)]
pub(crate) struct ProcessInfo {
    struct_size: usize,
    number: i32,
    incarnation: u64,
    state: u32,
    code: i32,
    message: Slice<u8>,
}

impl ProcessInfo {
    /// `PJRT_ProcessState_kError`.
    const FAILED: u32 = 4;
}

arguments! {
    Create {
        options: Slice<Named>,
        get: Option<store::Get>,
        get_user: *mut c_void,
        put: Option<store::Put>,
        put_user: *mut c_void,
        client: Handle<Client>,
    }
    Processes { client: Handle<Client>, infos: *const ProcessInfo, count: usize }
    Lookup { client: Handle<Client>, id: i32, device: Handle<Device> }
    DefaultAssignment { client: Handle<Client>, replicas: i32, partitions: i32, size: usize, assignment: *mut i32 }
}

entries! {
    /// Creates a client.
    fn create(arguments: Create) {
        let Create { get, get_user, put, put_user, .. } = *arguments;
        let store = Store { get, get_user, put, put_user };
        arguments.client = Handle::give(Client::new(arguments.options.get(), &store)?);
        Ok(())
    }

    /// Frees a client.
    fn destroy(arguments: Only<Client>) {
        drop(arguments.object.take());
        Ok(())
    }

    /// The platform's name.
    fn platform_name(arguments: Ask<Client, Slice<u8>>) {
        arguments.answer = Slice::text("binade");
        Ok(())
    }

    /// The platform's version.
    fn platform_version(arguments: Ask<Client, Slice<u8>>) {
        arguments.answer = Slice::text(&arguments.object.get()?.version);
        Ok(())
    }

    /// The number of this process.
    fn process_index(arguments: Ask<Client, i32>) {
        arguments.answer = arguments.object.get()?.settings.node as i32;
        Ok(())
    }

    /// Takes note of processes that JAX reports as failed.
    fn processes(arguments: Processes) {
        let infos = Slice { start: arguments.infos, length: arguments.count };
        if let Some(hosts) = &arguments.client.get()?.hosts {
            for info in infos.get().iter().filter(|info| info.state == ProcessInfo::FAILED) {
                hosts.lost(usize::try_from(info.number).unwrap_or(usize::MAX), &info.message.to_text());
            }
        }
        Ok(())
    }

    /// This process's devices.
    fn own_devices(arguments: Ask<Client, Slice<Handle<Device>>>) {
        arguments.answer = Slice::of(&arguments.object.get()?.own);
        Ok(())
    }

    /// All devices.
    fn devices(arguments: Ask<Client, Slice<Handle<Device>>>) {
        arguments.answer = Slice::of(&arguments.object.get()?.devices);
        Ok(())
    }

    /// This process's memories.
    fn memories(arguments: Ask<Client, Slice<Handle<Memory>>>) {
        arguments.answer = Slice::of(&arguments.object.get()?.memories);
        Ok(())
    }

    /// A device by its number.
    fn lookup_device(arguments: Lookup) {
        arguments.device = arguments.client.get()?.device(i64::from(arguments.id))?;
        Ok(())
    }

    /// A device of this process by its number there.
    fn lookup_own(arguments: Lookup) {
        let own = &arguments.client.get()?.own;
        let found = usize::try_from(arguments.id).ok().and_then(|index| own.get(index));
        let missing = || Failure::Invalid(format!("there is no device {} here; there are {}", arguments.id, own.len()));
        arguments.device = *found.ok_or_else(missing)?;
        Ok(())
    }

    /// Devices in order.
    fn default_assignment(arguments: DefaultAssignment) {
        let devices = arguments.client.get()?.devices.len();
        let needed = usize::try_from(i64::from(arguments.replicas) * i64::from(arguments.partitions)).unwrap_or(usize::MAX);
        if needed > devices || needed > arguments.size || arguments.assignment.is_null() {
            let facts = format!("an assignment of {needed} devices, of which there are {devices}");
            return Err(Failure::Invalid(facts));
        }
        for index in 0..needed {
            // SAFETY: the caller's array has `size` numbers, and `needed` is at most `size`.
            unsafe { *arguments.assignment.add(index) = index as i32 };
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_have_the_sizes_of_the_c_header() {
        assert_eq!(size_of::<Named>(), 56);
        assert_eq!(size_of::<DefaultAssignment>(), 48);
        assert_eq!(size_of::<ProcessInfo>(), 48);
        assert_eq!(size_of::<Processes>(), 40);
        // Later versions have two fields more, which are not needed.
        assert_eq!(size_of::<Create>(), 88 - 16);
    }
}
