//! Running a program on buffers.

use std::ffi::c_void;

use binade_hlo::Value;

use crate::abi::{Handle, Slice, arguments, entries};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::Failure;
use crate::event::Event;
use crate::executable::Loaded;

arguments! {
    Execute {
        loaded: Handle<Loaded>,
        options: Handle<Options>,
        inputs: *const *const Handle<Buffer>,
        devices: usize,
        count: usize,
        outputs: *const *mut Handle<Buffer>,
        done: *mut Handle<Event>,
        device: Handle<Device>,
    }
    /// As far as they are needed.
    Options {
        send: *const c_void,
        receive: *const c_void,
        sends: usize,
        receives: usize,
        launch: i32,
        kept: *const i64,
        kept_count: usize,
    }
}

/// Values of the buffers of one device, and those of which nobody else has anything.
///
/// Buffers that the program may use up are taken out of their handles before it runs: it may then change them where they
/// are, and they count as deleted whether it succeeds or not.
fn values(loaded: &Loaded, inputs: &[Handle<Buffer>], kept: &[i64]) -> Result<Vec<Value>, Failure> {
    let donated = &loaded.compiled.donated;
    let buffers = inputs.iter().map(|input| input.get()).collect::<Result<Vec<_>, _>>()?;
    // All or none: nothing is used up if anything is missing.
    for buffer in &buffers {
        if !buffer.is_there() {
            return Err(Failure::Deleted);
        }
    }
    let take = |(index, buffer): (usize, &&Buffer)| {
        let may = donated.get(index).copied().unwrap_or(false) && !kept.contains(&(index as i64));
        let tensor = if may { buffer.donate() } else { buffer.tensor() };
        tensor.map(Value::Tensor)
    };
    buffers.iter().enumerate().map(take).collect()
}

entries! {
    /// Runs a program.
    fn execute(arguments: Execute) {
        let loaded = arguments.loaded.get()?;
        loaded.check()?;
        if arguments.devices != 1 {
            return Err(Failure::Unimplemented(format!("a program on {} devices at once", arguments.devices)));
        }
        let lists = Slice { start: arguments.inputs, length: 1 };
        let inputs = match arguments.count {
            0 => &[][..],
            // SAFETY: the caller gives a list of as many buffers for each device.
            count => unsafe { std::slice::from_raw_parts(*lists.get().first().ok_or(Failure::Null)?, count) },
        };
        let options = arguments.options.get();
        let kept = options.map_or(Slice::of(&[]), |options| Slice { start: options.kept, length: options.kept_count });
        let device = match arguments.device.get() {
            Ok(_) => arguments.device,
            Err(_) => loaded.compiled.devices.first().copied().ok_or(Failure::Null)?,
        };
        let results = loaded.compiled.run(values(loaded, inputs, kept.get())?)?;
        let mut buffers = vec![];
        for result in results {
            let Value::Tensor(tensor) = result else {
                return Err(Failure::Unimplemented("a result that is no tensor".to_owned()));
            };
            buffers.push(Buffer::new(tensor, device)?);
        }
        let count = loaded.compiled.outputs.count();
        if buffers.len() != count {
            return Err(Failure::Invalid(format!("{} results where {count} were announced", buffers.len())));
        }
        if !buffers.is_empty() {
            let lists = Slice { start: arguments.outputs, length: 1 };
            let &list = lists.get().first().ok_or(Failure::Null)?;
            for (index, buffer) in buffers.into_iter().enumerate() {
                // SAFETY: the caller's list has room for as many results as the program announced.
                unsafe { list.add(index).write(Handle::give(buffer)) };
            }
        }
        if !arguments.done.is_null() {
            // SAFETY: the caller's list has room for an event for each device.
            unsafe { arguments.done.write(Handle::give(Event::ready())) };
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `PJRT_LoadedExecutable_Execute_Args_STRUCT_SIZE`.
    #[test]
    fn size() {
        assert_eq!(size_of::<Execute>(), 80);
    }
}
