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

/// A program that can be run, and what is asked of it.
pub(crate) struct Compiled {
    /// Before the program, so that it is dropped before what it borrows.
    evaluation: Evaluation<'static>,
    program: Box<Program>,
    text: String,
    /// What a device does, for who asks, where that is another program.
    shown: Option<String>,
    /// What it was compiled from.
    code: Vec<u8>,
    options: Vec<u8>,
    /// This process's devices of it, and where they are among all, by replicas and their partitions.
    pub(crate) devices: Vec<Handle<Device>>,
    pub(crate) places: Vec<usize>,
    /// Where other processes have some of its devices.
    pub(crate) shared: Option<Shared>,
    /// The same as XLA's message.
    assignment: Vec<u8>,
    replicas: usize,
    partitions: usize,
    /// Of this process's devices.
    ids: Vec<LogicalId>,
    /// Which inputs are tokens.
    pub(crate) tokens: Vec<bool>,
    /// Where the parts of the inputs and of the results are, by partition.
    pub(crate) inputs: Vec<Arc<Sharding>>,
    pub(crate) results: Vec<Arc<Sharding>>,
    pub(crate) outputs: Outputs,
    /// Which inputs may be used up.
    pub(crate) donated: Vec<bool>,
    parameter_kinds: Kinds,
    fingerprint: String,
    queue: Arc<Queue>,
    /// Where and when it is run.
    turn: Turn,
    /// What it computes and moves, by the names that JAX has for that.
    costs: OnceLock<Vec<Named>>,
    /// Nanoseconds that a run takes, by those before; the most that there are where it has not been run.
    took: AtomicU64,
}

/// Where and when a program is run.
#[derive(Clone, Copy, PartialEq)]
enum Turn {
    /// In the queue, while its caller goes on.
    Queued,
    /// By its caller.
    AtOnce,
    /// By its caller, and nothing else meanwhile: it has effects, and may call Python.
    Alone,
}

/// A run that takes no longer is quick: another thread would have to wake first.
const QUICK: Duration = Duration::from_micros(100);

/// A program some of whose devices other processes have.
pub(crate) struct Shared {
    hosts: Arc<Hosts>,
    /// The process of each device, by replicas and their partitions.
    of_devices: Vec<usize>,
    /// What tells the program from others, in all processes alike.
    identity: u64,
    name: String,
}

impl Shared {
    /// Begins a run.
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

/// What a program's text means: processes may have its source in different places, and each names functions of Python anew.
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

/// The types of the results on each device, in the forms that are asked for.
pub(crate) struct Outputs {
    kinds: Vec<i32>,
    /// Of a token any.
    elements: Vec<ElementType>,
    sizes: Vec<i64>,
    ranks: Vec<usize>,
    memories: Kinds,
}

/// The kind of memory of some values: a pointer and a length for each.
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

    /// Of each result PJRT's number of its type, the type, and the sizes.
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
                "a program for {replicas} × {partitions} devices, of which there are {} (BINADE_DEVICES says how many)",
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
        let turn = match (program.has_effects(), shared.is_some() || !settings.async_dispatch) {
            (true, _) => Turn::Alone,
            (false, true) => Turn::AtOnce,
            (false, false) => Turn::Queued,
        };
        // SAFETY: the program is on the heap and is neither moved nor changed while the evaluation lives: both are fields of
        // one value, the evaluation is dropped first, and neither is given away.
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
            turn,
            costs: OnceLock::new(),
            took: AtomicU64::new(u64::MAX),
        })
    }

    /// Has work done that is a run of this program: when its turn comes, or before this returns.
    ///
    /// # Errors
    /// Those of the work where it is not left to the queue by the settings, or by what the program does. A quick program's are
    /// found in its results, as if it had been queued.
    pub(crate) fn dispatch(
        &self,
        work: impl FnOnce() -> Result<(), Failure> + Send + 'static,
    ) -> Result<(), Failure> {
        match self.turn {
            Turn::Alone => {
                let _alone = self.queue.alone();
                work()
            }
            Turn::AtOnce => work(),
            Turn::Queued => {
                let quick = self.took.load(Ordering::Relaxed) <= QUICK.as_nanos() as u64;
                // What went wrong is found in what was promised.
                let job = Box::new(move || drop(work()));
                if let Err(job) = self.queue.push(job, quick) {
                    job();
                }
                Ok(())
            }
        }
    }

    /// What it computes and moves on all its devices together.
    fn costs(&self) -> Result<&[Named], Failure> {
        if let Some(known) = self.costs.get() {
            return Ok(known);
        }
        let open =
            || Failure::Unimplemented("the cost of a program of which only a run tells sizes".to_owned());
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

    /// How long a run took. One that took far longer than those before may have waited for a processor.
    pub(crate) fn took(&self, time: Duration) {
        let most = self.took.load(Ordering::Relaxed).saturating_mul(2);
        let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.took.store(time.min(most).max(1), Ordering::Relaxed);
    }

    /// How many partitions each replica has.
    pub(crate) fn partitions(&self) -> usize {
        self.partitions
    }

    /// Runs it on whole values, a list for each replica of which this process has devices, with its number.
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

/// Where values are that say so, for each partition; others are whole on all, as are those that have no equal parts.
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

/// What callers ask about a program.
pub(crate) struct Executable(Arc<Compiled>);

/// What callers run.
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

/// A program as bytes: how many are options, the options, and the code.
fn serialized(compiled: &Compiled) -> Vec<u8> {
    let length = compiled.options.len() as u64;
    [&length.to_le_bytes()[..], &compiled.options, &compiled.code].concat()
}

/// Options and code of such bytes.
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
            return Err(Failure::Invalid("bytes that are no serialized program of binade".to_owned()));
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

    /// Frees what is run.
    fn loaded_destroy(arguments: Only<Loaded>) {
        drop(arguments.object.take());
        Ok(())
    }

    /// The program of what is run.
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

    /// How many replicas it is for.
    fn replicas(arguments: Ask<Executable, usize>) {
        arguments.answer = arguments.object.get()?.0.replicas;
        Ok(())
    }

    /// How many partitions it is for.
    fn partitions(arguments: Ask<Executable, usize>) {
        arguments.answer = arguments.object.get()?.0.partitions;
        Ok(())
    }

    /// How many results it has.
    fn output_count(arguments: Ask<Executable, usize>) {
        arguments.answer = arguments.object.get()?.0.outputs.count();
        Ok(())
    }

    /// How much code was made: none.
    fn code_size(arguments: Ask<Executable, i64>) {
        arguments.answer = 0;
        Ok(())
    }

    /// What tells it from others.
    fn fingerprint(arguments: Ask<Executable, Slice<u8>>) {
        arguments.answer = Slice::text(&arguments.object.get()?.0.fingerprint);
        Ok(())
    }

    /// What tells it from others.
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

    /// What it computes and moves.
    fn costs(arguments: Costs) {
        let costs = arguments.executable.get()?.0.costs()?;
        arguments.count = costs.len();
        arguments.costs = costs.as_ptr();
        Ok(())
    }

    /// The program's text: its size, and its bytes where the caller has room for them.
    fn program(arguments: Optimized) {
        let compiled = &arguments.executable.get()?.0;
        let text = compiled.shown.as_ref().unwrap_or(&compiled.text);
        // SAFETY: the caller owns the structure during the call.
        let program = unsafe { arguments.program.as_mut() }.ok_or(Failure::Null)?;
        program.format = Slice::text("mlir");
        if program.code.is_null() {
            program.code_size = text.len();
            return Ok(());
        }
        if program.code_size < text.len() {
            return Err(Failure::Invalid(format!("{} bytes are to go into {}", text.len(), program.code_size)));
        }
        // SAFETY: the caller's memory has that many bytes.
        unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), program.code, text.len()) };
        Ok(())
    }

    /// This process's devices that it runs on.
    fn devices(arguments: Ask<Loaded, Slice<Handle<Device>>>) {
        arguments.answer = Slice::of(&arguments.object.get()?.compiled.devices);
        Ok(())
    }

    /// Replica and partition of each of them.
    fn logical_ids(arguments: Ask<Loaded, Slice<LogicalId>>) {
        arguments.answer = Slice::of(&arguments.object.get()?.compiled.ids);
        Ok(())
    }

    /// The same as XLA's message.
    fn assignment(arguments: Assignment) {
        arguments.bytes = Slice::of(&arguments.loaded.get()?.compiled.assignment);
        arguments.owner = std::ptr::null_mut();
        arguments.delete = Some(keep);
        Ok(())
    }

    /// Says that it will not be run any more.
    fn delete(arguments: Only<Loaded>) {
        arguments.object.get()?.deleted.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Whether that has been said.
    fn is_deleted(arguments: Ask<Loaded, bool>) {
        arguments.answer = arguments.object.get()?.deleted.load(Ordering::Relaxed);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!(size_of::<Compile>(), 56);
        assert_eq!(size_of::<Dimensions>(), 48);
        assert_eq!(size_of::<Assignment>(), 56);
        assert_eq!(size_of::<Costs>(), 40);
        assert_eq!(size_of::<Serialize>(), 56);
        assert_eq!(size_of::<abi::Program>(), 48);
    }

    #[test]
    fn bytes_of_no_program() {
        assert_eq!(deserialized(&[0; 7]), None);
        assert_eq!(deserialized(&[9, 0, 0, 0, 0, 0, 0, 0, 1]), None);
        assert_eq!(deserialized(&[1, 0, 0, 0, 0, 0, 0, 0, 7, 8]), Some((&[7][..], &[8][..])));
    }
}
