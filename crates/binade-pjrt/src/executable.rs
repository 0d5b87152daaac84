//! Programs that have been compiled.

use std::ffi::c_void;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use binade_hlo::eval::{EvalError, Executable as Evaluation, RunHosts};
use binade_hlo::sharding::Sharding;
use binade_hlo::{ElementType, Evaluate, Program, Type, Value};

use crate::abi::{self, Ask, Handle, Named, Only, Payload, Slice, arguments, entries, named};
use crate::client::Client;
use crate::device::Device;
use crate::element;
use crate::error::Failure;
use crate::hosts::{Hosts, Messenger, Run};
use crate::memory::KIND;
use crate::partition;
use crate::place;
use crate::proto::{self, CompileOptions};
use crate::queue::Queue;

/// A compiled program, and the facts that callers ask for.
pub(crate) struct Compiled {
    /// Borrows `program`, and stands before it so as to be dropped first.
    evaluation: Evaluation<'static>,
    program: Box<Program>,
    text: String,
    /// The program of one device, shown to callers, if the program is for several partitions.
    shown: Option<String>,
    /// The source: code and options.
    code: Vec<u8>,
    options: Vec<u8>,
    /// The program's devices in this process, and their indices among all its devices, by replica and then partition.
    pub(crate) devices: Vec<Handle<Device>>,
    pub(crate) places: Vec<usize>,
    /// Set if some of its devices belong to other processes.
    pub(crate) shared: Option<Shared>,
    /// The assignment of devices, as XLA's message.
    assignment: Vec<u8>,
    replicas: usize,
    partitions: usize,
    /// Replica and partition of each device in this process.
    ids: Vec<LogicalId>,
    /// For each input, true if it is a token.
    pub(crate) tokens: Vec<bool>,
    /// Shardings of the inputs and of the results.
    pub(crate) inputs: Vec<Arc<Sharding>>,
    pub(crate) results: Vec<Arc<Sharding>>,
    pub(crate) outputs: Outputs,
    /// For each input, true if the program may reuse its buffer.
    pub(crate) donated: Vec<bool>,
    parameter_kinds: Kinds,
    fingerprint: String,
    queue: Arc<Queue>,
    /// The thread and the time that it runs in.
    schedule: Schedule,
    /// Operations and bytes, under JAX's names.
    costs: OnceLock<Vec<Named>>,
    /// Nanoseconds of a run, estimated from earlier runs; u64::MAX before the first.
    took: AtomicU64,
}

/// The thread and the time that a program runs in.
#[derive(Clone, Copy, PartialEq)]
enum Schedule {
    /// In the queue's thread; the call returns at once.
    Queued,
    /// In the caller's thread.
    AtOnce,
    /// In the caller's thread, while the queue runs nothing: the program has effects, and may call Python.
    Exclusive,
}

/// The longest run that is quick: to wake another thread takes as long.
const QUICK: Duration = Duration::from_micros(100);

/// The other processes of a program that runs on several.
pub(crate) struct Shared {
    hosts: Arc<Hosts>,
    /// The process of each device, by replicas and their partitions.
    of_devices: Vec<usize>,
    /// A hash of the program, equal in all processes.
    identity: u64,
    name: String,
}

impl Shared {
    /// Begins a run on all processes.
    pub(crate) fn begin(&self) -> (Arc<Run>, RunHosts) {
        let mut with = self.of_devices.clone();
        with.sort_unstable();
        with.dedup();
        let run = Arc::new(self.hosts.begin(self.identity, &self.name, with));
        let run_hosts =
            RunHosts::new(self.hosts.own, self.of_devices.clone(), Box::new(Messenger(run.clone())));
        (run, run_hosts)
    }
}

/// A hash of a program's meaning. Locations and names of Python functions are left out: they differ between processes.
fn identity(text: &str, rest: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    let same = |line: &&str| !line.starts_with("#loc") && !line.contains("binade_python_callback");
    for line in text.lines().filter(same) {
        line[..line.find(" loc(").unwrap_or(line.len())].hash(&mut hasher);
    }
    rest.hash(&mut hasher);
    hasher.finish()
}

/// A program's name in its text.
fn name_in(text: &str) -> String {
    let name = text.lines().find_map(|line| line.strip_prefix("module @")?.split([' ', '{']).next());
    name.unwrap_or("a program").to_owned()
}

/// A replica and a partition.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct LogicalId {
    replica: i32,
    partition: i32,
}

/// The types of the results on each device, in the forms that the C API asks for.
pub(crate) struct Outputs {
    kinds: Vec<i32>,
    /// Element types; any for a token.
    elements: Vec<ElementType>,
    sizes: Vec<i64>,
    ranks: Vec<usize>,
    memories: Kinds,
}

/// Names of the kinds of memory of some values: a pointer and a length for each.
struct Kinds {
    starts: Vec<usize>,
    lengths: Vec<usize>,
}

impl Kinds {
    fn of(count: usize) -> Kinds {
        Kinds { starts: vec![KIND.as_ptr().expose_provenance(); count], lengths: vec![KIND.len(); count] }
    }
}

/// The function that a program begins with.
pub(crate) const ENTRY: &str = "main";

impl Outputs {
    fn of(types: &[Type], shardings: &[Arc<Sharding>]) -> Result<Outputs, Failure> {
        let mut outputs = Outputs {
            kinds: vec![],
            elements: vec![],
            sizes: vec![],
            ranks: vec![],
            memories: Kinds::of(types.len()),
        };
        for (ty, sharding) in types.iter().zip(shardings) {
            let unsupported = || Failure::Unimplemented(format!("a result of type {ty}"));
            let tensor = match ty {
                Type::Tensor(tensor) => tensor,
                Type::Token => {
                    outputs.kinds.push(element::TOKEN);
                    outputs.elements.push(ElementType::Bool);
                    outputs.ranks.push(0);
                    continue;
                }
                Type::Tuple(_) => return Err(unsupported()),
            };
            outputs.kinds.push(element::kind(&tensor.element)?);
            outputs.elements.push(tensor.element.clone());
            let sizes =
                tensor.shape.iter().copied().collect::<Option<Vec<usize>>>().ok_or_else(unsupported)?;
            for size in sharding.part_of(&sizes).ok_or_else(unsupported)? {
                outputs.sizes.push(i64::try_from(size).map_err(|_| unsupported())?);
            }
            outputs.ranks.push(tensor.shape.len());
        }
        Ok(outputs)
    }

    pub(crate) fn count(&self) -> usize {
        self.kinds.len()
    }

    /// For each result PJRT's number of its type, the element type, and the sizes.
    pub(crate) fn types(&self) -> impl Iterator<Item = (i32, &ElementType, &[i64])> {
        let mut rest = &self.sizes[..];
        let sizes = self.ranks.iter().map(move |&rank| {
            let (sizes, after) = rest.split_at(rank);
            rest = after;
            sizes
        });
        self.kinds
            .iter()
            .zip(&self.elements)
            .zip(sizes)
            .map(|((&kind, element), sizes)| (kind, element, sizes))
    }
}

impl Compiled {
    pub(crate) fn new(client: &Client, code: &[u8], options: &[u8]) -> Result<Compiled, Failure> {
        let refused = |error| Failure::Program(Box::new(error));
        let text = binade_hlo::text(code).map_err(refused)?.into_owned();
        let program = Box::new(Program::parse(&text).map_err(refused)?);
        let CompileOptions { overrides, replicas, partitions, devices } = CompileOptions::read(options)?;
        let mut settings = client.settings.clone();
        for (name, value) in overrides {
            match name.strip_prefix("binade_") {
                Some(name) => settings.set(name, &value)?,
                // Those of XLA's own compilers mean nothing here.
                None if name.starts_with("xla_") => {}
                None => {
                    let facts = format!("No such compile option: '{name}'; binade's begin with binade_");
                    return Err(Failure::Invalid(facts));
                }
            }
        }
        if replicas * partitions > client.devices.len() {
            let facts = format!(
                "a program for {replicas} × {partitions} devices, of which there are {} (BINADE_DEVICES sets their number)",
                client.devices.len()
            );
            return Err(Failure::Invalid(facts));
        }
        let devices = match devices.is_empty() {
            true if replicas * partitions == 1 => vec![vec![i64::from(client.own[0].get()?.id)]],
            true => {
                let id = |partition, replica| (replica * partitions + partition) as i64;
                (0..partitions).map(|at| (0..replicas).map(|replica| id(at, replica)).collect()).collect()
            }
            false => devices,
        };
        let entry = program.names.get(ENTRY).map(|&index| &program.functions[index]);
        let entry =
            entry.ok_or_else(|| Failure::Invalid(format!("a program without a function @{ENTRY}")))?;
        let parameter = |&parameter: &binade_hlo::ir::ValueId| &entry.values[parameter.0 as usize];
        let parameters: Vec<&Type> = entry.body.parameters.iter().map(parameter).collect();
        let tokens = parameters.iter().map(|ty| matches!(ty, Type::Token)).collect();
        let inputs = shardings(&entry.shardings, parameters, partitions)?;
        let results = shardings(&entry.result_shardings, entry.results.iter().collect(), partitions)?;
        let outputs = Outputs::of(&entry.results, &results)?;
        let donated = entry.donated.clone();
        let mut ids = vec![];
        let (mut used, mut places, mut of_devices) = (vec![], vec![], vec![]);
        for replica in 0..replicas {
            for (partition, ids_of) in devices.iter().enumerate() {
                let device = client.device(ids_of[replica])?;
                of_devices.push(usize::try_from(device.get()?.process).unwrap_or(0));
                if device.get()?.own {
                    ids.push(LogicalId { replica: replica as i32, partition: partition as i32 });
                    places.push(replica * partitions + partition);
                    used.push(device);
                }
            }
        }
        if used.is_empty() {
            return Err(Failure::Invalid("a program for devices of other processes alone".to_owned()));
        }
        let shared = match &client.hosts {
            Some(hosts) if used.len() < of_devices.len() => Some(Shared {
                identity: identity(&text, (settings.meaning(), &devices)),
                name: name_in(&text),
                hosts: hosts.clone(),
                of_devices,
            }),
            _ => None,
        };
        let schedule = match (program.has_effects(), shared.is_some() || !settings.async_dispatch) {
            (true, _) => Schedule::Exclusive,
            (false, true) => Schedule::AtOnce,
            (false, false) => Schedule::Queued,
        };
        // SAFETY: the program is in a box that is neither moved out of nor changed. The evaluation is a field before it in the same
        // value, so that it is dropped first, and no function gives either away.
        let borrowed: &'static Program = unsafe { &*std::ptr::from_ref::<Program>(&*program) };
        let failed = |error| Failure::Evaluation { error: Box::new(error), place: None };
        let evaluation = Evaluation::new(borrowed, settings.options()?).map_err(failed)?;
        let shown = match partitions {
            1 => None,
            _ => Some(partition::of_device(&text, entry, (replicas, partitions), &inputs, &results)?),
        };
        let mut hasher = DefaultHasher::new();
        (code, options).hash(&mut hasher);
        Ok(Compiled {
            parameter_kinds: Kinds::of(donated.len()),
            evaluation,
            program,
            text,
            shown,
            code: code.to_vec(),
            options: options.to_vec(),
            assignment: proto::assignment(&devices),
            devices: used,
            places,
            shared,
            replicas,
            partitions,
            ids,
            tokens,
            inputs,
            results,
            outputs,
            donated,
            fingerprint: format!("{:016x}", hasher.finish()),
            queue: client.queue.clone(),
            schedule,
            costs: OnceLock::new(),
            took: AtomicU64::new(u64::MAX),
        })
    }

    /// Does the work of a run of this program, in the queue or before this returns.
    ///
    /// # Errors
    /// Errors of work that is not for the queue, by the settings or by the program's effects. Errors of work for the queue, quick or
    /// not, are in its promised results.
    pub(crate) fn dispatch(
        &self,
        work: impl FnOnce() -> Result<(), Failure> + Send + 'static,
    ) -> Result<(), Failure> {
        match self.schedule {
            Schedule::Exclusive => {
                let _exclusive = self.queue.exclusive();
                work()
            }
            Schedule::AtOnce => work(),
            Schedule::Queued => {
                let quick = self.took.load(Ordering::Relaxed) <= QUICK.as_nanos() as u64;
                // Its promises have the error.
                let job = Box::new(move || drop(work()));
                if let Err(job) = self.queue.push(job, quick) {
                    job();
                }
                Ok(())
            }
        }
    }

    /// Operations and bytes on all its devices together.
    fn costs(&self) -> Result<&[Named], Failure> {
        if let Some(known) = self.costs.get() {
            return Ok(known);
        }
        let open = || Failure::Unimplemented("the cost of a program with dynamic sizes".to_owned());
        let work = self.program.work(ENTRY).ok_or_else(open)?;
        let cost = |name: &'static str, number: f64| Named {
            struct_size: size_of::<Named>(),
            extension: std::ptr::null_mut(),
            name: Slice::text(name),
            kind: named::FLOAT,
            value: Payload { float: number as f32 },
            size: 1,
        };
        let costs = vec![
            cost("flops", work.flops),
            cost("transcendentals", work.transcendentals),
            cost("bytes accessed", work.bytes),
        ];
        Ok(self.costs.get_or_init(|| costs))
    }

    /// Records the time of a run. It counts at most twice the time before: a long run may have waited for a processor.
    pub(crate) fn took(&self, time: Duration) {
        let most = self.took.load(Ordering::Relaxed).saturating_mul(2);
        let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.took.store(time.min(most).max(1), Ordering::Relaxed);
    }

    /// Number of partitions of each replica.
    pub(crate) fn partitions(&self) -> usize {
        self.partitions
    }

    /// Runs it on whole values: a list, with its number, for each replica that has devices in this process.
    pub(crate) fn run(
        &self,
        mut inputs: Vec<(usize, Vec<Value>)>,
        run_hosts: Option<RunHosts>,
    ) -> Result<Vec<Vec<Value>>, Failure> {
        let outcome = match (run_hosts, inputs.len(), inputs.pop()) {
            (None, 1, Some((_, only))) => self.evaluation.run(ENTRY, only).map(|results| vec![results]),
            (run_hosts, _, last) => {
                inputs.extend(last);
                match run_hosts {
                    Some(run_hosts) => self.evaluation.run_on_hosts(ENTRY, self.replicas, inputs, run_hosts),
                    None => self
                        .evaluation
                        .run_replicas(ENTRY, inputs.into_iter().map(|(_, list)| list).collect()),
                }
            }
        };
        outcome.map_err(|error| self.failure(error))
    }

    /// An evaluation's error, with its place in the source.
    pub(crate) fn failure(&self, error: EvalError) -> Failure {
        let place = match &error {
            EvalError::At { line, .. } => place::of(&self.text, *line),
            _ => None,
        };
        Failure::Evaluation { error: Box::new(error), place }
    }
}

/// Shardings of values over partitions. A value without a sharding, or without equal parts, is whole on every partition.
fn shardings(
    said: &[Option<Arc<Sharding>>],
    types: Vec<&Type>,
    partitions: usize,
) -> Result<Vec<Arc<Sharding>>, Failure> {
    let one = |(at, ty): (usize, &Type)| {
        let rank = match ty {
            Type::Tensor(tensor) => tensor.shape.len(),
            _ => 0,
        };
        let cut = |sharding: &Arc<Sharding>| match ty {
            Type::Tensor(tensor) => {
                let sizes = tensor.shape.iter().copied().collect::<Option<Vec<usize>>>();
                sizes.is_none_or(|sizes| sharding.part_of(&sizes).is_some())
            }
            _ => true,
        };
        let said = said.get(at).cloned().flatten().filter(|said| partitions > 1 && cut(said));
        let sharding = said.unwrap_or_else(|| Arc::new(Sharding::whole(rank)));
        match sharding.is_whole() || sharding.places.len() == partitions {
            true => Ok(sharding),
            false => Err(Failure::Invalid(format!(
                "a mesh of {} devices in a program for {partitions}",
                sharding.places.len()
            ))),
        }
    };
    types.into_iter().enumerate().map(one).collect()
}

/// A program as callers inspect it.
pub(crate) struct Executable(Arc<Compiled>);

/// A program as callers run it.
pub(crate) struct Loaded {
    pub(crate) compiled: Arc<Compiled>,
    deleted: AtomicBool,
}

impl Loaded {
    fn new(compiled: Arc<Compiled>) -> Handle<Loaded> {
        Handle::give(Loaded { compiled, deleted: AtomicBool::new(false) })
    }

    pub(crate) fn check(&self) -> Result<(), Failure> {
        match self.deleted.load(Ordering::Relaxed) {
            true => Err(Failure::Invalid("a program that has been deleted".to_owned())),
            false => Ok(()),
        }
    }
}

/// A program as bytes: the length of the options, the options, and the code.
fn serialized(compiled: &Compiled) -> Vec<u8> {
    let length = compiled.options.len() as u64;
    [&length.to_le_bytes()[..], &compiled.options, &compiled.code].concat()
}

/// Options and code of a [`serialized`] program.
fn deserialized(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)
}

/// Frees the bytes of a serialized program.
unsafe extern "C" fn free(bytes: Handle<Vec<u8>>) {
    drop(bytes.take());
}

/// Frees nothing: the bytes belong to the program.
unsafe extern "C" fn keep(_: *mut c_void) {}

arguments! {
    Compile { client: Handle<Client>, program: Handle<abi::Program>, options: Slice<u8>, loaded: Handle<Loaded> }
    Dimensions { executable: Handle<Executable>, count: usize, sizes: *const i64, ranks: *const usize }
    MemoryKinds { executable: Handle<Executable>, count: usize, starts: *const usize, lengths: *const usize }
    Assignment {
        loaded: Handle<Loaded>,
        bytes: Slice<u8>,
        owner: *mut c_void,
        delete: Option<unsafe extern "C" fn(*mut c_void)>,
    }
    Serialize {
        executable: Handle<Executable>,
        bytes: Slice<u8>,
        owner: Handle<Vec<u8>>,
        delete: Option<unsafe extern "C" fn(Handle<Vec<u8>>)>,
    }
    Load { client: Handle<Client>, bytes: Slice<u8>, loaded: Handle<Loaded>, options: Slice<u8> }
    Costs { executable: Handle<Executable>, count: usize, costs: *const Named }
    Optimized { executable: Handle<Executable>, program: *mut abi::Program }
}

entries! {
    /// Compiles a program.
    fn compile(arguments: Compile) {
        let program = arguments.program.get()?;
        let format = program.format.to_text();
        if format != "mlir" {
            return Err(Failure::Unimplemented(format!("a program in the format '{format}'")));
        }
        let code = Slice { start: program.code.cast_const(), length: program.code_size };
        let compiled = arguments.client.get()?.compile(code.get(), arguments.options.get())?;
        arguments.loaded = Loaded::new(compiled);
        Ok(())
    }

    /// Compiles a program that was serialized.
    fn load(arguments: Load) {
        let Some((options, code)) = deserialized(arguments.bytes.get()) else {
            return Err(Failure::Invalid("not a serialized program of binade".to_owned()));
        };
        let compiled = arguments.client.get()?.compile(code, options)?;
        arguments.loaded = Loaded::new(compiled);
        Ok(())
    }

    /// A program as bytes.
    fn serialize(arguments: Serialize) {
        let owner = Handle::give(serialized(&arguments.executable.get()?.0));
        arguments.bytes = Slice::of(owner.get()?);
        arguments.owner = owner;
        arguments.delete = Some(free);
        Ok(())
    }

    /// Frees a program.
    fn destroy(arguments: Only<Executable>) {
        drop(arguments.object.take());
        Ok(())
    }

    /// Frees a loaded program.
    fn loaded_destroy(arguments: Only<Loaded>) {
        drop(arguments.object.take());
        Ok(())
    }

    /// The program of a loaded program.
    fn of_loaded(arguments: Ask<Loaded, Handle<Executable>>) {
        arguments.answer = Handle::give(Executable(arguments.object.get()?.compiled.clone()));
        Ok(())
    }

    /// Its name.
    fn name(arguments: Ask<Executable, Slice<u8>>) {
        arguments.object.get()?;
        arguments.answer = Slice::text(ENTRY);
        Ok(())
    }

    /// Number of its replicas.
    fn replicas(arguments: Ask<Executable, usize>) {
        arguments.answer = arguments.object.get()?.0.replicas;
        Ok(())
    }

    /// Number of its partitions.
    fn partitions(arguments: Ask<Executable, usize>) {
        arguments.answer = arguments.object.get()?.0.partitions;
        Ok(())
    }

    /// Number of its results.
    fn output_count(arguments: Ask<Executable, usize>) {
        arguments.answer = arguments.object.get()?.0.outputs.count();
        Ok(())
    }

    /// Size of generated code: 0.
    fn code_size(arguments: Ask<Executable, i64>) {
        arguments.answer = 0;
        Ok(())
    }

    /// A hash of code and options.
    fn fingerprint(arguments: Ask<Executable, Slice<u8>>) {
        arguments.answer = Slice::text(&arguments.object.get()?.0.fingerprint);
        Ok(())
    }

    /// A hash of code and options.
    fn loaded_fingerprint(arguments: Ask<Loaded, Slice<u8>>) {
        arguments.answer = Slice::text(&arguments.object.get()?.compiled.fingerprint);
        Ok(())
    }

    /// Element types of the results.
    fn output_types(arguments: Ask<Executable, Slice<i32>>) {
        arguments.answer = Slice::of(&arguments.object.get()?.0.outputs.kinds);
        Ok(())
    }

    /// Sizes of the results.
    fn output_dimensions(arguments: Dimensions) {
        let outputs = &arguments.executable.get()?.0.outputs;
        arguments.count = outputs.count();
        arguments.sizes = outputs.sizes.as_ptr();
        arguments.ranks = outputs.ranks.as_ptr();
        Ok(())
    }

    /// Memories of the results.
    fn output_memory_kinds(arguments: MemoryKinds) {
        let kinds = &arguments.executable.get()?.0.outputs.memories;
        arguments.count = kinds.starts.len();
        arguments.starts = kinds.starts.as_ptr();
        arguments.lengths = kinds.lengths.as_ptr();
        Ok(())
    }

    /// Memories of the parameters.
    fn parameter_memory_kinds(arguments: MemoryKinds) {
        let kinds = &arguments.executable.get()?.0.parameter_kinds;
        arguments.count = kinds.starts.len();
        arguments.starts = kinds.starts.as_ptr();
        arguments.lengths = kinds.lengths.as_ptr();
        Ok(())
    }

    /// Operations and bytes, under JAX's names.
    fn costs(arguments: Costs) {
        let costs = arguments.executable.get()?.0.costs()?;
        arguments.count = costs.len();
        arguments.costs = costs.as_ptr();
        Ok(())
    }

    /// The program's text: its size, and its bytes if the caller has a buffer for them.
    fn program(arguments: Optimized) {
        let compiled = &arguments.executable.get()?.0;
        let text = compiled.shown.as_ref().unwrap_or(&compiled.text);
        // SAFETY: by the contract of the C API the pointer is null or to a structure that the caller owns during the call.
        let program = unsafe { arguments.program.as_mut() }.ok_or(Failure::Null)?;
        program.format = Slice::text("mlir");
        if program.code.is_null() {
            program.code_size = text.len();
            return Ok(());
        }
        if program.code_size < text.len() {
            return Err(Failure::Invalid(format!("the destination must have {} bytes: it has {}", text.len(), program.code_size)));
        }
        // SAFETY: the caller's memory has `code_size` bytes, at least as many as the text.
        unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), program.code, text.len()) };
        Ok(())
    }

    /// Its devices in this process.
    fn devices(arguments: Ask<Loaded, Slice<Handle<Device>>>) {
        arguments.answer = Slice::of(&arguments.object.get()?.compiled.devices);
        Ok(())
    }

    /// Replica and partition of each of them.
    fn logical_ids(arguments: Ask<Loaded, Slice<LogicalId>>) {
        arguments.answer = Slice::of(&arguments.object.get()?.compiled.ids);
        Ok(())
    }

    /// The assignment of devices, as XLA's message.
    fn assignment(arguments: Assignment) {
        arguments.bytes = Slice::of(&arguments.loaded.get()?.compiled.assignment);
        arguments.owner = std::ptr::null_mut();
        arguments.delete = Some(keep);
        Ok(())
    }

    /// Deletes the program: it cannot be run again.
    fn delete(arguments: Only<Loaded>) {
        arguments.object.get()?.deleted.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// True if the program is deleted.
    fn is_deleted(arguments: Ask<Loaded, bool>) {
        arguments.answer = arguments.object.get()?.deleted.load(Ordering::Relaxed);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_have_the_sizes_of_the_c_header() {
        assert_eq!(size_of::<Compile>(), 56);
        assert_eq!(size_of::<Dimensions>(), 48);
        assert_eq!(size_of::<Assignment>(), 56);
        assert_eq!(size_of::<Costs>(), 40);
        assert_eq!(size_of::<Serialize>(), 56);
        assert_eq!(size_of::<abi::Program>(), 48);
    }

    #[test]
    fn bytes_of_no_program_are_refused() {
        assert_eq!(deserialized(&[0; 7]), None);
        assert_eq!(deserialized(&[9, 0, 0, 0, 0, 0, 0, 0, 1]), None);
        assert_eq!(deserialized(&[1, 0, 0, 0, 0, 0, 0, 0, 7, 8]), Some((&[7][..], &[8][..])));
    }
}
