//! Running a program on buffers.

use std::ffi::c_void;
use std::sync::Arc;

use binade_hlo::eval::{Among, Lot};
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

/// A replica of which this process has devices.
struct Replica<'a> {
    number: usize,
    /// The buffers of each of them, with its partition.
    devices: Vec<(usize, Vec<&'a Buffer>)>,
}

/// How an input is cut, and some partitions' parts of it.
type Input<'a> = (&'a Sharding, Vec<(usize, Tensor)>);

/// Whole values of the buffers of the devices that a replica is cut among, of which other processes may have some.
///
/// Buffers that the program may use up are taken out of their handles before it runs: it may then change them where they
/// are, and they count as deleted whether it succeeds or not.
fn values(
    compiled: &Compiled,
    replica: &Replica,
    kept: &[i64],
    among: Option<&Among>,
) -> Result<Vec<Value>, Failure> {
    let parts = |index: usize| {
        let may = compiled.donated.get(index).copied().unwrap_or(false) && !kept.contains(&(index as i64));
        let part = |(partition, buffers): &(usize, Vec<&Buffer>)| {
            let buffer = buffers.get(index).ok_or(Failure::Null)?;
            Ok((*partition, if may { buffer.donate()? } else { buffer.tensor()? }))
        };
        // What a token waits for is done already.
        let devices = if compiled.tokens[index] { &[][..] } else { &replica.devices };
        devices.iter().map(part).collect::<Result<Vec<(usize, Tensor)>, Failure>>()
    };
    let parts = (0..compiled.inputs.len()).map(parts).collect::<Result<Vec<_>, _>>()?;
    let mut inputs: Vec<Input> = compiled.inputs.iter().map(|sharding| &**sharding).zip(parts).collect();
    if let Some(among) = among {
        gather(compiled, replica.number, &mut inputs, among)?;
    }
    let value = |(index, (sharding, parts)): (usize, Input)| {
        if compiled.tokens[index] {
            return Ok(Value::Token);
        }
        let held: Vec<(usize, &Tensor)> = parts.iter().map(|(partition, part)| (*partition, part)).collect();
        let whole = sharding.join(&held);
        let whole =
            whole.ok_or_else(|| Failure::Invalid(format!("buffers of input {index} that do not fit")));
        whole.map(Value::Tensor)
    };
    inputs.into_iter().enumerate().map(value).collect()
}

/// Gets the parts that other processes have. What is whole on every device is so here, too.
fn gather(compiled: &Compiled, replica: usize, inputs: &mut [Input], among: &Among) -> Result<(), Failure> {
    let all: Vec<usize> = (0..compiled.partitions()).collect();
    let hosts = |partitions: &[usize]| {
        among.of(partitions.iter().map(|partition| replica * compiled.partitions() + partition))
    };
    let (mut lots, mut whose) = (vec![], vec![]);
    for (index, (sharding, parts)) in inputs.iter().enumerate() {
        let Some((_, first)) = parts.first().filter(|_| !sharding.is_whole()) else { continue };
        for partition in sharding.holders(&all) {
            let own = parts.iter().find(|(other, _)| *other == partition);
            let values = own.map(|(_, part)| vec![Value::Tensor(part.clone())]);
            lots.push(Lot { at: hosts(&[partition]), elements: vec![Some(&first.element)], values });
            whose.push((index, partition));
        }
    }
    let traded = among.trade(&format!("arguments of replica {replica}"), &hosts(&all), lots, &|| false);
    let traded = traded.map_err(|error| compiled.failure(error))?;
    whose.iter().for_each(|&(index, _)| inputs[index].1.clear());
    for (&(index, partition), values) in whose.iter().zip(traded) {
        let tensors = values.into_iter().filter_map(|value| match value {
            Value::Tensor(tensor) => Some((partition, tensor)),
            _ => None,
        });
        inputs[index].1.extend(tensors);
    }
    Ok(())
}

/// Runs a program: the results of each replica of which this process has devices.
fn run(compiled: &Compiled, replicas: &[Replica], kept: &[i64]) -> Result<Vec<Vec<Value>>, Failure> {
    let Some(shared) = &compiled.shared else {
        return evaluate(compiled, replicas, kept, None);
    };
    let (run, among) = shared.begin();
    evaluate(compiled, replicas, kept, Some(among)).inspect_err(|failure| run.fail(&failure.to_string()))
}

fn evaluate(
    compiled: &Compiled,
    replicas: &[Replica],
    kept: &[i64],
    among: Option<Among>,
) -> Result<Vec<Vec<Value>>, Failure> {
    // All or none: nothing is used up if anything is missing.
    let devices = replicas.iter().flat_map(|replica| &replica.devices);
    if !devices.flat_map(|(_, buffers)| buffers).all(|buffer| buffer.is_there()) {
        return Err(Failure::Deleted);
    }
    let inputs = |replica: &Replica| Ok((replica.number, values(compiled, replica, kept, among.as_ref())?));
    let inputs = replicas.iter().map(inputs).collect::<Result<Vec<_>, Failure>>()?;
    let mut results = compiled.run(inputs, among)?;
    results.iter_mut().flatten().for_each(alone);
    Ok(results)
}

/// Copies a result that is an operand, a constant or another result as it is: whoever gets its address may write there.
fn alone(result: &mut Value) {
    if let Value::Tensor(tensor) = result {
        Arc::make_mut(&mut tensor.data);
    }
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
        let options = arguments.options.get();
        let kept = options.map_or(Slice::of(&[]), |options| Slice { start: options.kept, length: options.kept_count });
        // A program of one device runs on any.
        let devices = match arguments.device.get() {
            Ok(_) => std::slice::from_ref(&arguments.device),
            Err(_) => &compiled.devices[..],
        };
        let mut replicas: Vec<Replica> = vec![];
        let mut places = vec![];
        for (buffers, &place) in inputs.into_iter().zip(&compiled.places) {
            let (number, partition) = (place / compiled.partitions(), place % compiled.partitions());
            if replicas.last().is_none_or(|replica| replica.number != number) {
                replicas.push(Replica { number, devices: vec![] });
            }
            places.push((replicas.len() - 1, partition));
            replicas.last_mut().ok_or(Failure::Null)?.devices.push((partition, buffers));
        }
        let results = run(compiled, &replicas, kept.get())?;
        let count = compiled.outputs.count();
        let mut made = vec![];
        for ((replica, partition), &device) in places.into_iter().zip(devices) {
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
