//! Devices, each of which is its own description.

use crate::abi::{Ask, Handle, Named, Slice, arguments, entries};
use crate::memory::Memory;

/// A device.
pub(crate) struct Device {
    pub(crate) id: i32,
    /// The process that has it, and its number there.
    pub(crate) process: i32,
    place: i32,
    pub(crate) own: bool,
    text: String,
    pub(crate) memory: Handle<Memory>,
}

impl Device {
    pub(crate) fn new(id: i32, (process, place): (i32, i32), own: bool, memory: Handle<Memory>) -> Device {
        Device { id, process, place, own, text: format!("binade:{id}"), memory }
    }
}

/// Frees nothing: attributes are constants.
unsafe extern "C" fn keep(_: *mut u8) {}

arguments! {
    Attributes {
        device: Handle<Device>,
        attributes: Slice<Named>,
        owner: *mut u8,
        delete: Option<unsafe extern "C" fn(*mut u8)>,
    }
    DescriptionAttributes { device: Handle<Device>, count: usize, attributes: *const Named }
}

entries! {
    /// Its number.
    fn id(arguments: Ask<Device, i32>) {
        arguments.answer = arguments.object.get()?.id;
        Ok(())
    }

    /// The process that it belongs to.
    fn process_index(arguments: Ask<Device, i32>) {
        arguments.answer = arguments.object.get()?.process;
        Ok(())
    }

    /// Its number in its process.
    fn place(arguments: Ask<Device, i32>) {
        arguments.answer = arguments.object.get()?.place;
        Ok(())
    }

    /// Its description.
    fn description(arguments: Ask<Device, Handle<Device>>) {
        arguments.answer = arguments.object;
        Ok(())
    }

    /// Attributes of the description: none.
    fn description_attributes(arguments: DescriptionAttributes) {
        arguments.count = 0;
        arguments.attributes = std::ptr::null();
        Ok(())
    }

    /// Its kind.
    fn kind(arguments: Ask<Device, Slice<u8>>) {
        arguments.answer = Slice::text("binade");
        Ok(())
    }

    /// Its text for people.
    fn text(arguments: Ask<Device, Slice<u8>>) {
        arguments.answer = Slice::text(&arguments.object.get()?.text);
        Ok(())
    }

    /// True if it belongs to this process.
    fn is_addressable(arguments: Ask<Device, bool>) {
        arguments.answer = arguments.object.get()?.own;
        Ok(())
    }

    /// Its one memory.
    fn memories(arguments: Ask<Device, Slice<Handle<Memory>>>) {
        let device = arguments.object.get()?;
        arguments.answer = Slice::of(std::slice::from_ref(&device.memory));
        Ok(())
    }

    /// Its one memory.
    fn default_memory(arguments: Ask<Device, Handle<Memory>>) {
        arguments.answer = arguments.object.get()?.memory;
        Ok(())
    }

    /// Its attributes: none.
    fn attributes(arguments: Attributes) {
        arguments.attributes = Slice::of(&[]);
        arguments.owner = std::ptr::null_mut();
        arguments.delete = Some(keep);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_have_the_sizes_of_the_c_header() {
        assert_eq!(size_of::<Attributes>(), 56);
    }
}
