//! Running a program on buffers.

use std::ffi::c_void;
use std::sync::Arc;
use std::time::Instant;

use binade_hlo::eval::{RunHosts, SharedValues};
use binade_hlo::sharding::{self, Sharding};
use binade_hlo::{ElementType, Tensor, Value};

use crate::abi::{Handle, Slice, arguments, caught, entries};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::element;
use crate::error::Failure;
use crate::event::{Event, failure};
use crate::executable::{Compiled, Loaded};
use crate::promise::{Fulfiller, Promise};

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
    /// The fields of the options up to the last one that is used.
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

/// Values of devices, with their partitions.
type Parts<T> = Vec<(usize, T)>;

/// A replica that has devices in this process.
struct Replica {
    number: usize,
    inputs: Vec<Parts<Arc<Promise>>>,
}

impl Replica {
    /// A replica from the buffers of its devices. Donated buffers lose their values here, even if the program fails later, so that it
    /// may change the elements in place.
    fn of(
        compiled: &Compiled,
        number: usize,
        devices: &Parts<Vec<&Buffer>>,
        kept: &[i64],
    ) -> Result<Replica, Failure> {
        let parts = |index: usize| {
            let may = compiled.donated.get(index).copied().unwrap_or(false)
                && !kept.contains(&(index as i64))
                && !compiled.tokens[index];
            let part = |(partition, buffers): &(usize, Vec<&Buffer>)| {
                let buffer = buffers.get(index).ok_or(Failure::Null)?;
                Ok((*partition, if may { buffer.donate()? } else { buffer.value()? }))
            };
            devices.iter().map(part).collect::<Result<Parts<_>, Failure>>()
        };
        let inputs = (0..compiled.inputs.len()).map(parts).collect::<Result<Vec<_>, Failure>>()?;
        Ok(Replica { number, inputs })
    }
}

/// The sharding of an input, and some partitions' parts of it.
type Input<'a> = (&'a Sharding, Parts<Tensor>);

/// Whole values of a replica's inputs, parts of which may be in other processes.
fn values(
    compiled: &Compiled,
    replica: Replica,
    run_hosts: Option<&RunHosts>,
) -> Result<Vec<Value>, Failure> {
    let tensors = |(index, parts): (usize, Parts<Arc<Promise>>)| {
        let tensor =
            |(partition, value): (usize, Arc<Promise>)| value.take().map(|tensor| (partition, tensor));
        let tensors = parts.into_iter().map(tensor).collect::<Result<Parts<Tensor>, Failure>>()?;
        // A token is only waited for.
        Ok(if compiled.tokens[index] { vec![] } else { tensors })
    };
    let parts = replica.inputs.into_iter().enumerate().map(tensors);
    let parts = parts.collect::<Result<Vec<_>, Failure>>()?;
    let mut inputs: Vec<Input> = compiled.inputs.iter().map(|sharding| &**sharding).zip(parts).collect();
    if let Some(run_hosts) = run_hosts {
        gather(compiled, replica.number, &mut inputs, run_hosts)?;
    }
    let value = |(index, (sharding, parts)): (usize, Input)| {
        if compiled.tokens[index] {
            return Ok(Value::Token);
        }
        let held: Vec<(usize, &Tensor)> = parts.iter().map(|(partition, part)| (*partition, part)).collect();
        let whole = sharding::join(sharding, &held);
        let whole = whole
            .ok_or_else(|| Failure::Invalid(format!("the buffers of input {index} do not fit its sharding")));
        whole.map(Value::Tensor)
    };
    inputs.into_iter().enumerate().map(value).collect()
}

/// Gets the parts of other processes. An input that is whole on every device is complete in this process.
fn gather(
    compiled: &Compiled,
    replica: usize,
    inputs: &mut [Input],
    run_hosts: &RunHosts,
) -> Result<(), Failure> {
    let all: Vec<usize> = (0..compiled.partitions()).collect();
    let hosts = |partitions: &[usize]| {
        run_hosts.of(partitions.iter().map(|partition| replica * compiled.partitions() + partition))
    };
    let (mut shared, mut whose) = (vec![], vec![]);
    for (index, (sharding, parts)) in inputs.iter().enumerate() {
        let Some((_, first)) = parts.first().filter(|_| !sharding.is_whole()) else { continue };
        for partition in sharding.holders(&all) {
            let own = parts.iter().find(|(other, _)| *other == partition);
            let values = own.map(|(_, part)| vec![Value::Tensor(part.clone())]);
            shared.push(SharedValues {
                at: hosts(&[partition]),
                elements: vec![Some(&first.element)],
                values,
            });
            whose.push((index, partition));
        }
    }
    let shared_values =
        run_hosts.share(&format!("arguments of replica {replica}"), &hosts(&all), shared, &|| false);
    let shared_values = shared_values.map_err(|error| compiled.failure(error))?;
    whose.iter().for_each(|&(index, _)| inputs[index].1.clear());
    for (&(index, partition), values) in whose.iter().zip(shared_values) {
        let tensors = values.into_iter().filter_map(|value| match value {
            Value::Tensor(tensor) => Some((partition, tensor)),
            _ => None,
        });
        inputs[index].1.extend(tensors);
    }
    Ok(())
}

/// Runs a program: the results of each replica that has devices in this process.
fn run(compiled: &Compiled, replicas: Vec<Replica>) -> Result<Vec<Vec<Value>>, Failure> {
    let Some(shared) = &compiled.shared else {
        return evaluate(compiled, replicas, None);
    };
    let (run, run_hosts) = shared.begin();
    evaluate(compiled, replicas, Some(run_hosts)).inspect_err(|failure| run.fail(&failure.to_string()))
}

fn evaluate(
    compiled: &Compiled,
    replicas: Vec<Replica>,
    run_hosts: Option<RunHosts>,
) -> Result<Vec<Vec<Value>>, Failure> {
    let inputs = |replica: Replica| Ok((replica.number, values(compiled, replica, run_hosts.as_ref())?));
    let inputs = replicas.into_iter().map(inputs).collect::<Result<Vec<_>, Failure>>()?;
    let begun = Instant::now();
    let mut results = compiled.run(inputs, run_hosts)?;
    compiled.took(begun.elapsed());
    results.iter_mut().flatten().for_each(make_unique);
    Ok(results)
}

/// Copies a result that shares its elements with an operand, a constant or another result: a caller with its address may write there.
fn make_unique(result: &mut Value) {
    if let Value::Tensor(tensor) = result {
        Arc::make_mut(&mut tensor.data);
    }
}

/// A program that has been dispatched: its inputs and its promises.
struct Dispatched {
    compiled: Arc<Compiled>,
    replicas: Vec<Replica>,
    /// For each device the index of its replica in `replicas`, and its partition.
    places: Vec<(usize, usize)>,
    fulfillers: Vec<Vec<Fulfiller>>,
    done: Done,
}

/// The event of a program, which becomes ready with an error if it is dropped.
struct Done(Event);

impl Drop for Done {
    fn drop(&mut self) {
        self.0.set(Failure::Abandoned.outcome());
    }
}

impl Dispatched {
    /// Runs the program, and fulfils its promises.
    fn run(self) -> Result<(), Failure> {
        let Dispatched { compiled, replicas, places, fulfillers, done } = self;
        let made = caught(|| parts(&compiled, run(&compiled, replicas)?, &places));
        drop(compiled);
        let outcome = match &made {
            Ok(_) => None,
            Err(failure) => failure.outcome(),
        };
        match made {
            Ok(made) => {
                for (fulfiller, tensor) in fulfillers.into_iter().flatten().zip(made.into_iter().flatten()) {
                    fulfiller.fulfil(Ok(tensor));
                }
            }
            Err(_) => {
                fulfillers.into_iter().flatten().for_each(|fulfiller| fulfiller.fulfil(Err(outcome.clone())))
            }
        }
        done.0.set(outcome.clone());
        failure(&outcome).map_or(Ok(()), Err)
    }
}

/// The parts of the results on each device, which are of the types that were announced.
fn parts(
    compiled: &Compiled,
    results: Vec<Vec<Value>>,
    places: &[(usize, usize)],
) -> Result<Vec<Vec<Tensor>>, Failure> {
    let of_device = |&(replica, partition): &(usize, usize)| {
        let results = &results[replica];
        if results.len() != compiled.outputs.count() {
            let facts = format!(
                "a program with {} announced results gave {}",
                compiled.outputs.count(),
                results.len()
            );
            return Err(Failure::Invalid(facts));
        }
        let part = |(at, (kind, element, sizes)): (usize, (i32, &ElementType, &[i64]))| {
            let (result, sharding) = (&results[at], &compiled.results[at]);
            let tensor = match result {
                Value::Tensor(tensor) => sharding::part(sharding, tensor, partition),
                Value::Token if kind == element::TOKEN => {
                    return Ok(Tensor::new(
                        ElementType::Bool,
                        vec![0],
                        element::data(&ElementType::Bool, &[]),
                    ));
                }
                _ => return Err(Failure::Unimplemented("a result that is not a tensor".to_owned())),
            };
            let announced = tensor.shape.iter().map(|&size| size as i64).eq(sizes.iter().copied());
            if !announced || tensor.element != *element {
                let facts = format!(
                    "a result of {} {:?} where {element} {sizes:?} was announced",
                    tensor.element, tensor.shape
                );
                return Err(Failure::Invalid(facts));
            }
            Ok(tensor)
        };
        compiled.outputs.types().enumerate().map(part).collect()
    };
    places.iter().map(of_device).collect()
}

/// The caller's lists of inputs, one for each device.
fn buffers<'a>(arguments: &Execute) -> Result<Vec<Vec<&'a Buffer>>, Failure> {
    let lists = Slice { start: arguments.inputs, length: arguments.devices };
    let list = |device: usize| {
        let inputs = match arguments.count {
            0 => &[][..],
            // SAFETY: by the contract of the C API, the caller gives a list of `count` buffers for each device.
            count => unsafe {
                std::slice::from_raw_parts(*lists.get().get(device).ok_or(Failure::Null)?, count)
            },
        };
        inputs.iter().map(|input| input.get()).collect()
    };
    (0..arguments.devices).map(list).collect()
}

/// Takes the inputs of a program, and promises its results: buffers on each device.
fn prepare(arguments: &Execute) -> Result<(Dispatched, Vec<Vec<Buffer>>), Failure> {
    let compiled = &arguments.loaded.get()?.compiled;
    if arguments.devices != compiled.devices.len() {
        let facts = format!("{} devices for a program of {}", arguments.devices, compiled.devices.len());
        return Err(Failure::Invalid(facts));
    }
    let inputs = buffers(arguments)?;
    let options = arguments.options.get();
    let kept =
        options.map_or(Slice::of(&[]), |options| Slice { start: options.kept, length: options.kept_count });
    // A program for one device runs on the device that the caller names.
    let devices = match arguments.device.get() {
        Ok(_) => std::slice::from_ref(&arguments.device),
        Err(_) => &compiled.devices[..],
    };
    // If a buffer is missing, none is donated.
    if !inputs.iter().flatten().all(|buffer| buffer.is_there()) {
        return Err(Failure::Deleted);
    }
    let mut numbered: Vec<(usize, Parts<Vec<&Buffer>>)> = vec![];
    let mut places = vec![];
    for (buffers, &place) in inputs.into_iter().zip(&compiled.places) {
        let (number, partition) = (place / compiled.partitions(), place % compiled.partitions());
        if numbered.last().is_none_or(|(last, _)| *last != number) {
            numbered.push((number, vec![]));
        }
        places.push((numbered.len() - 1, partition));
        numbered.last_mut().ok_or(Failure::Null)?.1.push((partition, buffers));
    }
    let (mut promised, mut fulfillers) = (vec![], vec![]);
    for &device in devices {
        let (mut buffers, mut of_device) = (vec![], vec![]);
        for (kind, element, sizes) in compiled.outputs.types() {
            let (promise, fulfiller) = Promise::open();
            buffers.push(Buffer::of((kind, element.clone(), sizes.to_vec()), device, promise)?);
            of_device.push(fulfiller);
        }
        promised.push(buffers);
        fulfillers.push(of_device);
    }
    let replica = |(number, devices): &(usize, Parts<_>)| Replica::of(compiled, *number, devices, kept.get());
    let replicas = numbered.iter().map(replica).collect::<Result<Vec<_>, _>>()?;
    let dispatched =
        Dispatched { compiled: compiled.clone(), replicas, places, fulfillers, done: Done(Event::open()) };
    Ok((dispatched, promised))
}

entries! {
    /// Runs a program, or dispatches it.
    fn execute(arguments: Execute) {
        let loaded = arguments.loaded.get()?;
        loaded.check()?;
        let compiled = &loaded.compiled;
        let (dispatched, promised) = prepare(arguments).inspect_err(|failure| {
            // Other processes begin this run, too.
            if let Some(shared) = &compiled.shared {
                shared.begin().0.fail(&failure.to_string());
            }
        })?;
        let done = dispatched.done.0.clone();
        compiled.dispatch(move || dispatched.run())?;
        let devices = promised.len();
        let lists = Slice { start: arguments.outputs, length: if compiled.outputs.count() == 0 { 0 } else { devices } };
        for (buffers, &list) in promised.into_iter().zip(lists.get()) {
            for (index, buffer) in buffers.into_iter().enumerate() {
                // SAFETY: by the contract of the C API, each list has an entry for each result that the program announced.
                unsafe { list.add(index).write(Handle::give(buffer)) };
            }
        }
        if !arguments.done.is_null() {
            for at in 0..devices {
                // SAFETY: by the contract of the C API, the list has an entry for each device.
                unsafe { arguments.done.add(at).write(Handle::give(done.clone())) };
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
    fn structure_has_the_size_of_the_c_header() {
        assert_eq!(size_of::<Execute>(), 80);
    }
}
