//! Running a program on buffers.

use std::ffi::c_void;
use std::sync::Arc;

use binade_hlo::sharding::Sharding;
use binade_hlo::{Tensor, Value};

use crate::abi::{Handle, Slice, arguments, entries};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::Failure;
use crate::event::Event;
use crate::executable::{Compiled, Loaded};

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

/// Whole values of the buffers of the devices that one replica is cut among.
///
/// Buffers that the program may use up are taken out of their handles before it runs: it may then change them where they
/// are, and they count as deleted whether it succeeds or not.
fn values(compiled: &Compiled, devices: &[Vec<&Buffer>], kept: &[i64]) -> Result<Vec<Value>, Failure> {
    let value = |(index, sharding): (usize, &Arc<Sharding>)| {
        let may = compiled.donated.get(index).copied().unwrap_or(false) && !kept.contains(&(index as i64));
        let part = |buffers: &Vec<&Buffer>| {
            let buffer = buffers.get(index).ok_or(Failure::Null)?;
            if may { buffer.donate() } else { buffer.tensor() }
        };
        // What it waits for is done already.
        if compiled.tokens[index] {
            return Ok(Value::Token);
        }
        let parts = devices.iter().map(part).collect::<Result<Vec<Tensor>, _>>()?;
        let held: Vec<(usize, &Tensor)> = parts.iter().enumerate().collect();
        let whole = sharding.join(&held);
        let whole =
            whole.ok_or_else(|| Failure::Invalid(format!("buffers of input {index} that do not fit")));
        whole.map(Value::Tensor)
    };
    compiled.inputs.iter().enumerate().map(value).collect()
}

/// The caller's lists of inputs, one for each device.
fn buffers<'a>(arguments: &Execute) -> Result<Vec<Vec<&'a Buffer>>, Failure> {
    let lists = Slice { start: arguments.inputs, length: arguments.devices };
    let list = |device: usize| {
        let inputs = match arguments.count {
            0 => &[][..],
            // SAFETY: the caller gives a list of as many buffers for each device.
            count => unsafe {
                std::slice::from_raw_parts(*lists.get().get(device).ok_or(Failure::Null)?, count)
            },
        };
        inputs.iter().map(|input| input.get()).collect()
    };
    (0..arguments.devices).map(list).collect()
}

entries! {
    /// Runs a program.
    fn execute(arguments: Execute) {
        let loaded = arguments.loaded.get()?;
        loaded.check()?;
        let compiled = &loaded.compiled;
        if arguments.devices != compiled.devices.len() {
            let facts = format!("{} devices for a program of {}", arguments.devices, compiled.devices.len());
            return Err(Failure::Invalid(facts));
        }
        let inputs = buffers(arguments)?;
        // All or none: nothing is used up if anything is missing.
        if !inputs.iter().flatten().all(|buffer| buffer.is_there()) {
            return Err(Failure::Deleted);
        }
        let options = arguments.options.get();
        let kept = options.map_or(Slice::of(&[]), |options| Slice { start: options.kept, length: options.kept_count });
        // A program of one device runs on any.
        let devices = match arguments.device.get() {
            Ok(_) => std::slice::from_ref(&arguments.device),
            Err(_) => &compiled.devices[..],
        };
        let replicas = inputs.chunks(compiled.partitions());
        let whole = replicas.map(|devices| values(compiled, devices, kept.get())).collect::<Result<_, _>>()?;
        let results = compiled.run(whole)?;
        let count = compiled.outputs.count();
        let mut made = vec![];
        for (at, &device) in devices.iter().enumerate() {
            let (replica, partition) = (at / compiled.partitions(), at % compiled.partitions());
            let results = &results[replica];
            if results.len() != count {
                return Err(Failure::Invalid(format!("{} results where {count} were announced", results.len())));
            }
            let buffer = |(result, sharding): (&Value, &Arc<Sharding>)| {
                match result {
                    Value::Tensor(tensor) => Buffer::new(sharding.part(tensor, partition), device),
                    Value::Token => Buffer::token(device),
                    Value::Tuple(_) => Err(Failure::Unimplemented("a result that is a tuple".to_owned())),
                }
            };
            made.push(results.iter().zip(&compiled.results).map(buffer).collect::<Result<Vec<_>, _>>()?);
        }
        let lists = Slice { start: arguments.outputs, length: if count == 0 { 0 } else { made.len() } };
        for (buffers, &list) in made.into_iter().zip(lists.get()) {
            for (index, buffer) in buffers.into_iter().enumerate() {
                // SAFETY: each of the caller's lists has room for as many results as the program announced.
                unsafe { list.add(index).write(Handle::give(buffer)) };
            }
        }
        if !arguments.done.is_null() {
            for at in 0..devices.len() {
                // SAFETY: the caller's list has room for an event for each device.
                unsafe { arguments.done.add(at).write(Handle::give(Event::ready())) };
            }
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
