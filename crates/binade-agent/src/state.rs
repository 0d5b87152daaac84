//! The agent's state, behind its lock.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use binade::Operator;
use binade_patch::fma::Fma;
use binade_patch::names::Names;
use binade_patch::native::NativeCounts;
use binade_patch::sites::Kinds;
use binade_patch::span::JUMP;
use binade_patch::trampoline::{Level, Recovery, Target, Units};
use binade_patch::workspace::Header;
use binade_profile::config::{Also, Config};
use binade_profile::filter::Filter;
use binade_profile::record::{Counter, Object as ObjectFacts};
use binade_simd::Isa;
use iced_x86::Instruction;

use crate::discovery::{self, Mapped};
use crate::fault::{self, KernelAction};
use crate::functions;
use crate::generated::{self, Regions, Tools};
use crate::hooks::{self, Hook};
use crate::lock::Locked;
use crate::memory::{self, Access, Keys, Near, NoSpace};
use crate::names::Sources;
use crate::record::{ObjectRecord, Record};
use crate::sandbox::quiet;
use crate::sites::{Account, Candidate, Origin, Sites};
use crate::threads::Threads;

/// Why a multiply-add is left alone that is shorter than a jump, and what is behind it cannot be moved.
pub(crate) const NO_ROOM: &str = "no room for a jump";
/// Bytes for the moved beginnings of the C library's functions.
const HOOK_ROOM: u64 = 1 << 14;

/// An object that is loaded.
struct Object {
    path: String,
    code: Range<u64>,
    /// The first of its stubs, if any.
    batch: Option<u64>,
}

/// Everything.
pub(crate) struct State {
    pub(crate) config: Config,
    filter: Filter,
    kinds: Kinds,
    pub(crate) record: Record,
    pub(crate) sites: Sites,
    pub(crate) regions: Regions,
    pub(crate) threads: Threads,
    /// Names of generated code, if somebody asks for them.
    names: Option<Sources>,
    /// What the program's action for SIGSEGV is, once the kernel's is the agent's.
    pub(crate) segv: Option<KernelAction>,
    /// By the dynamic linker's name for them.
    objects: BTreeMap<usize, Object>,
    /// Loaded, and not looked at yet.
    pending: Vec<Pending>,
    /// The linker has ended with these, by its name for them.
    ended: Vec<usize>,
    /// Records by path: an object that is loaded again counts on.
    records: BTreeMap<String, ObjectRecord>,
    /// Whether threads may be started that have no workspaces.
    threads_unseen: bool,
}

/// An object that has been loaded: the linker's name, its path, and what its addresses are relative to.
pub(crate) struct Pending {
    pub(crate) name: usize,
    pub(crate) path: String,
    pub(crate) base: u64,
    /// Whether it is in the program's own namespace.
    pub(crate) main: bool,
}

/// Whether a path is that of a part of the C library: `libc.so.6`.
fn is_part(path: &str, part: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_prefix(part).is_some_and(|rest| rest.starts_with(".so."))
}

static STATE: Locked<Option<State>> = Locked::new(None);

/// The state, if the agent is at work.
///
/// # Safety
/// The lock is held, and no other result of this call is alive.
pub(crate) unsafe fn state<'a>() -> Option<&'a mut State> {
    // SAFETY: by the contract.
    unsafe { STATE.get() }.as_mut()
}

/// Begins.
///
/// # Safety
/// As of [`state`].
pub(crate) unsafe fn begin(config: Config, json: &str) -> Result<(), String> {
    let operator: Operator = config.arith.parse().map_err(|error| format!("{error}"))?;
    let filter = Filter::new(&config).map_err(|error| error.to_string())?;
    let mut level = Level::detect().ok_or("this machine has no fused multiply-add on AVX2 vectors")?;
    if Isa::detect().name() == "avx2" {
        // BINADE_ISA says so: for programs that use no AVX-512 themselves.
        level = Level::Avx2;
    }
    let Also { multiply, add, double, dot } = config.also;
    let kinds = Kinds { multiply, add, double, dot };
    let target = Target { operator, level, observed: config.profile, units: Units::of_machine() };
    if config.check {
        crate::threads::check();
    }
    let record = Record::create(&config)?;
    let mut threads = Threads::default();
    if !threads.adopt() {
        return Err(memory::no_memory("a thread"));
    }
    Fma::prepare();
    binade_patch::native::prepare();
    memory::open_own();
    crate::signals::prepare();
    crate::children::prepare(&config, json);
    let names = config.functions.is_some() || config.why || config.profile || config.check;
    let state = State {
        filter,
        kinds,
        record,
        sites: Sites::new(target, kinds, config.check, config.sabotage),
        regions: Regions::default(),
        threads,
        names: names.then(Sources::new),
        segv: None,
        objects: BTreeMap::new(),
        pending: Vec::new(),
        ended: Vec::new(),
        records: BTreeMap::new(),
        threads_unseen: false,
        config,
    };
    // SAFETY: by the contract.
    *unsafe { STATE.get() } = Some(state);
    Ok(())
}

impl State {
    /// An object has been mapped.
    pub(crate) fn opened(&mut self, pending: Pending) {
        self.pending.push(pending);
    }

    /// The linker has ended with an object: it is about to be unmapped, or the program ends.
    pub(crate) fn closed(&mut self, name: usize) {
        self.pending.retain(|pending| pending.name != name);
        self.ended.push(name);
    }

    /// All objects of one call are mapped, and none of their code has run; or they are unmapped.
    pub(crate) fn consistent(&mut self) {
        // At a program's end all objects stay where they are, and threads and destructors go on in them.
        for name in std::mem::take(&mut self.ended) {
            let unmapped = |object: &Object| memory::read(object.code.start, 1).is_none();
            if self.objects.get(&name).is_some_and(unmapped) {
                self.forget(name);
            }
        }
        let mut pending = std::mem::take(&mut self.pending);
        // Threads must be seen before there is code under the operator.
        pending
            .sort_by_key(|pending| !is_part(&pending.path, "libc") && !is_part(&pending.path, "libpthread"));
        for pending in pending {
            let name = pending.name;
            // What the address named before, if the linker emptied a namespace without saying that its list is consistent.
            self.forget(name);
            if let Some(object) = self.load(pending) {
                self.objects.insert(name, object);
            }
        }
    }

    /// An object is gone.
    fn forget(&mut self, name: usize) {
        if let Some(first) = self.objects.remove(&name).and_then(|object| object.batch) {
            self.sites.remove(first);
        }
    }

    fn record_of(&mut self, object: &ObjectFacts) -> ObjectRecord {
        if let Some(&record) = self.records.get(&object.path) {
            return record;
        }
        let record = self.record.object(object);
        self.records.insert(object.path.clone(), record);
        record
    }

    fn load(&mut self, pending: Pending) -> Option<Object> {
        let Pending { path, base, main, .. } = pending;
        let file = Mapped::open(&path)?;
        if main && is_part(&path, "libc") {
            self.hook(file.bytes(), base, hooks::ALL);
        }
        if main && (is_part(&path, "libc") || is_part(&path, "libpthread")) {
            self.hook(file.bytes(), base, hooks::THREADS);
        }
        if let Some(names) = &mut self.names {
            names.loaded(file.bytes(), base);
        }
        let swept = discovery::sweep(&file, base, self.kinds, self.config.cache.as_deref())?;
        let mut object = Object { path, code: swept.code.clone(), batch: None };
        let count = swept.sites.iter().map(|site| u64::from(site.multiply_adds)).sum::<u64>();
        let found = count + swept.doubtful + swept.cramped;
        let whole = self.filter.object(&object.path);
        let facts = ObjectFacts {
            path: object.path.clone(),
            code: swept.code.end - swept.code.start,
            left_alone: whole.is_some(),
        };
        let record = self.record_of(&facts);
        let NativeCounts { double, half, dot } = swept.native;
        record.count(Counter::Double, double);
        record.count(Counter::Half, half);
        record.count(Counter::Dot, dot);
        record.count(Counter::Tiles, swept.tiles);
        if found == 0 {
            return Some(object);
        }
        record.count(Counter::Found, found);
        self.record.skipped(record, swept.doubtful, "may be data");
        let text_relocations =
            || swept.text_relocations.then(|| "its code is relocated by the linker".to_owned());
        let unseen = || self.threads_unseen.then(|| "its threads are not seen".to_owned());
        // A library of elementary functions may hold the multiply-add itself.
        let refused_whole = whole.clone().filter(|_| !self.filter.is_elementary(&object.path));
        if let Some(why) = refused_whole.or_else(text_relocations).or_else(unseen) {
            self.record.skipped(record, count + swept.cramped, &why);
            return Some(object);
        }
        self.record.skipped(record, swept.cramped, whole.as_deref().unwrap_or(NO_ROOM));
        let mut skipped: BTreeMap<&str, u64> = BTreeMap::new();
        let mut candidates = Vec::with_capacity(swept.sites.len());
        // The sites of a function follow each other.
        let mut last: (Option<&str>, Option<&'static str>) = (None, self.filter.function(None));
        let mut refused = |symbol| {
            if symbol != last.0 {
                last = (symbol, self.filter.function(symbol));
            }
            last.1
        };
        let by_default = self.filter.by_default();
        let itself = |address| {
            let unwound = swept.unwind.and_then(|unwind| unwind.function(address));
            by_default
                && unwound
                    .or_else(|| swept.symbols.range(address))
                    .is_some_and(|range| functions::is_multiply_add(&range))
        };
        for site in &swept.sites {
            // SAFETY: the object is mapped, and its code readable.
            let bytes = unsafe { memory::view(site.address..site.address + site.bytes.len() as u64) };
            let why = if bytes == site.bytes {
                let by_name = || refused(swept.symbols.at(site.address));
                whole.as_deref().or_else(by_name).filter(|_| !itself(site.address))
            } else {
                Some("the code is not that of the file")
            };
            match why {
                Some(why) => *skipped.entry(why).or_default() += u64::from(site.multiply_adds),
                None => candidates.push(Candidate::new(site.address, bytes)),
            }
        }
        let count = count - skipped.values().sum::<u64>();
        for (why, count) in skipped {
            self.record.skipped(record, count, why);
        }
        if let (Some(first), Some(last)) = (candidates.first(), candidates.last()) {
            let text = first.address..last.address + JUMP as u64;
            let elementary = self.config.elementary || self.filter.is_named_elementary(&object.path);
            let (symbols, unwind) = (Rc::new(swept.symbols), swept.unwind);
            let origin = Origin { symbols, unwind, elementary, mapping: 0 };
            match self.sites.add(swept.code, &candidates, false, record, origin) {
                None => self.record.skipped(record, count, self.sites.no_space()),
                Some(stubs) if !memory::protect(text.clone(), libc::PROT_READ | libc::PROT_WRITE) => {
                    self.sites.remove(stubs);
                    self.record.skipped(record, count, "the code cannot be written");
                }
                Some(stubs) => {
                    for (number, candidate) in candidates.iter().enumerate() {
                        let stub = stubs + number as u64 * crate::gate::STUB;
                        // SAFETY: writable, and no thread runs the code of an object before it is consistent.
                        unsafe { memory::write(candidate.address, &memory::jump(candidate.address, stub)) };
                    }
                    memory::protect(text, libc::PROT_READ | libc::PROT_EXEC);
                    record.count(Counter::Patched, count);
                    object.batch = Some(stubs);
                }
            }
        }
        Some(object)
    }

    /// Replaces functions of the C library. Where it starts threads unseen, nothing is changed from then on: they would share
    /// their parent's workspaces.
    fn hook(&mut self, library: &[u8], base: u64, hooks: &[Hook]) {
        if let Err(why) = self.replace(library, base, hooks) {
            self.record
                .note(&format!("the C library {why}: generated code and cleared environments are not seen"));
            self.threads_unseen = true;
            if why == NoSpace::Refused.of_hooks() {
                let text =
                    memory::no_memory("hooks in the C library, without which multiply-adds stay native");
                self.record.failure(&text);
            }
        }
    }

    fn replace(&mut self, library: &[u8], base: u64, hooks: &[Hook]) -> Result<(), &'static str> {
        let (text, functions) = discovery::exported(library, base).ok_or("is not understood")?;
        let mut near = Near::reserve(&text, HOOK_ROOM).map_err(NoSpace::of_hooks)?;
        if !memory::protect(text.clone(), libc::PROT_READ | libc::PROT_WRITE) {
            return Err("cannot be written");
        }
        for hook in hooks.iter().filter(|hook| !hook.is_placed()) {
            let address = hook.names.iter().find_map(|name| functions.get(name));
            if address.is_none() && hook.is_elsewhere() {
                continue;
            }
            if !address.is_some_and(|&address| hooks::replace(hook, address, &text, &mut near)) {
                self.record.note(&format!("the C library's {} is not seen", hook.names[0]));
                self.threads_unseen |= hook.is_elsewhere();
            }
        }
        memory::protect(text, libc::PROT_READ | libc::PROT_EXEC);
        Ok(())
    }

    /// The record for code that is generated on behalf of the code at this address; none if it is to be left alone.
    pub(crate) fn generator(&mut self, caller: u64) -> Option<ObjectRecord> {
        let object = self.objects.values().find(|object| object.code.contains(&caller));
        let path = object.map_or("", |object| object.path.as_str());
        if self.threads_unseen || self.filter.object(path).is_some() {
            return None;
        }
        let path = format!("{path} [generated]");
        let path = path.trim_start().to_owned();
        Some(self.record_of(&ObjectFacts { path, ..ObjectFacts::default() }))
    }

    /// From now on faults come to the agent first.
    pub(crate) fn watch_faults(&mut self) {
        if self.segv.is_none() {
            self.segv = Some(fault::install());
        }
    }

    /// Answers a fault of generated code.
    pub(crate) fn fault(&mut self, address: u64, instruction: u64, access: Access) -> bool {
        let kinds = self.kinds;
        let by_name = self.names.as_mut().filter(|_| self.config.functions.is_some()).map(|names| {
            names.refresh();
            &names.names
        });
        let refused = RefCell::new(BTreeSet::new());
        let chosen = |instruction: &Instruction| {
            let site = kinds.site(instruction);
            let refuses = |names: &&Names| self.filter.function(names.at(instruction.ip())).is_some();
            if site && by_name.as_ref().is_some_and(refuses) {
                refused.borrow_mut().insert(instruction.ip());
                return false;
            }
            site
        };
        let elementary = self.config.elementary;
        let tools = Tools { sites: &mut self.sites, record: &mut self.record, chosen: &chosen, elementary };
        let answered = self.regions.fault(address, instruction, access, tools);
        self.regions.leave_alone(refused.into_inner(), "--functions", &mut self.record);
        answered
    }

    /// The program is about to map a file so that it could run.
    pub(crate) fn mapped(&mut self, file: i32) {
        if let Some(names) = &mut self.names {
            names.mapped(file);
        }
    }

    /// Makes the code of the site whose stub this is.
    pub(crate) fn resolve(&mut self, stub: u64) -> u64 {
        let _keys = Keys::open();
        let none = Names::default();
        let names = match &mut self.names {
            Some(sources) if generated::any() => {
                sources.refresh();
                &sources.names
            }
            _ => &none,
        };
        let account = Account { record: &mut self.record, names };
        self.sites.resolve(stub, account, &self.regions, self.config.functions.is_none())
    }

    /// Where the program is whose registers these are, if they are in code of ours.
    pub(crate) fn recover(&self, address: u64, stack: u64, workspace: &Header) -> Option<Recovery> {
        if !workspace.holds(stack) {
            return self.sites.recover(address, stack, workspace.own);
        }
        // In what code of ours has called, its return address stands first on the workspace's stack.
        let called = || {
            // SAFETY: the thread's own workspace.
            let back = unsafe { *((workspace.top - 8) as *const u64) };
            self.sites.recover(back, workspace.stack, workspace.own)
        };
        self.sites.recover(address, workspace.stack, workspace.own).or_else(called)
    }

    /// The program is about to install a filter that forbids a system call: what would need one is done now.
    pub(crate) fn prepare_for_filter(&mut self, forbidden: &str) {
        let none = Names::default();
        let account = Account { record: &mut self.record, names: &none };
        self.sites.resolve_all(account, &self.regions, self.config.functions.is_none());
        self.regions.release(&self.sites);
        self.threads.stock();
        self.record.note(&format!(
            "a filter of system calls (seccomp) forbids {forbidden}: code that is loaded or generated from then on, and \
             programs that are started, run natively"
        ));
    }

    /// This is the child of a fork.
    pub(crate) fn forked(&mut self) {
        if quiet() {
            // It counts on in its parent's file.
            return;
        }
        memory::open_own();
        self.record.fork(&self.config);
    }
}
