//! The agent's state, behind its lock.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use binade::Operator;
use binade_patch::fma::Fma;
use binade_patch::names::Names;
use binade_patch::sites::Kinds;
use binade_patch::trampoline::{Level, ProgramRounding, Recovery, Target, Units};
use binade_patch::workspace::Header;
use binade_profile::config::{Also, Config, Rounding};
use binade_profile::filter::Filter;
use binade_profile::record::{GENERATED, Object as ObjectFacts};
use binade_profile::rules::{Rules, Site};
use binade_simd::Isa;
use iced_x86::Instruction;

use crate::gate::DEFAULT_MXCSR;
use crate::generated::{self, Regions, Tools};
use crate::kernel::KernelAction;
use crate::lock::Locked;
use crate::memory::{self, Access, Keys};
use crate::names::Sources;
use crate::record::{ObjectRecord, Record};
use crate::sandbox::quiet;
use crate::sites::{Account, Handlers, Sites};
use crate::threads::Threads;

/// The reason for multiply-adds that a rule leaves as they are.
pub(crate) const BY_RULE: &str = "by rule";

/// The operator that leaves results as they are.
const IDENTITY: &str = "f32:f32";

/// An object that is loaded.
pub(crate) struct Object {
    pub(crate) path: String,
    pub(crate) code: Range<u64>,
    /// The first of its stubs, if any.
    pub(crate) batch: Option<u64>,
}

/// Everything.
pub(crate) struct State {
    pub(crate) config: Config,
    pub(crate) filter: Filter,
    pub(crate) rules: Rules,
    pub(crate) kinds: Kinds,
    pub(crate) record: Record,
    pub(crate) sites: Sites,
    pub(crate) regions: Regions,
    pub(crate) threads: Threads,
    /// Names of generated code, if the configuration needs them.
    pub(crate) names: Option<Sources>,
    /// The program's action for SIGSEGV, once the kernel's is the agent's.
    pub(crate) segv: Option<KernelAction>,
    /// By the dynamic linker's name for them.
    pub(crate) objects: BTreeMap<usize, Object>,
    /// Loaded, and not searched for multiply-adds yet.
    pub(crate) pending: Vec<Pending>,
    /// The linker has ended with these, by its name for them.
    pub(crate) ended: Vec<usize>,
    /// Records by path: an object that is loaded again counts on.
    records: BTreeMap<String, ObjectRecord>,
    /// True if threads may be started that have no workspaces.
    pub(crate) threads_unseen: bool,
}

/// An object that has been loaded: the linker's name, its path, and what its addresses are relative to.
pub(crate) struct Pending {
    pub(crate) name: usize,
    pub(crate) path: String,
    /// The file to read.
    pub(crate) file: String,
    pub(crate) base: u64,
    /// True if it is in the program's own namespace.
    pub(crate) main: bool,
}

static STATE: Locked<Option<State>> = Locked::new(None);

/// The state, if the agent is at work.
///
/// # Safety
/// The caller has the lock, and no other result of this call is alive.
pub(crate) unsafe fn state<'a>() -> Option<&'a mut State> {
    // SAFETY: the caller holds the lock, and has no other reference to the state.
    unsafe { STATE.get() }.as_mut()
}

/// Begins.
///
/// # Safety
/// As of [`state`].
pub(crate) unsafe fn begin(config: Config, handlers: Handlers) -> Result<(), String> {
    let rules = Rules::new(&config).map_err(|error| error.to_string())?;
    let read = |text: &String| text.parse::<Operator>().and_then(Operator::of_programs);
    let mut operators: Vec<Operator> =
        rules.operators().iter().map(read).collect::<Result<_, _>>().map_err(|error| format!("{error}"))?;
    if operators.is_empty() {
        // Nothing is computed by it.
        operators.push(IDENTITY.parse().expect("an operator"));
    }
    let filter = Filter::new(&config).map_err(|error| error.to_string())?;
    let mut level = Level::detect().ok_or("this machine has no fused multiply-add on AVX2 vectors")?;
    let named = Isa::from_environment().map_err(|error| error.to_string())?;
    if named.unwrap_or_else(Isa::detect).name() == "avx2" {
        // BINADE_ISA says so: for programs that use no AVX-512 themselves.
        level = Level::Avx2;
    }
    let Also { multiply, add, double, dot } = config.also;
    let kinds = Kinds { multiply, add, double, dot };
    let rounding = config.rounding.map(|rounding| match rounding {
        Rounding::Up => ProgramRounding::Up,
        Rounding::Down => ProgramRounding::Down,
        Rounding::Random => ProgramRounding::Random,
        Rounding::Stochastic => ProgramRounding::Stochastic,
    });
    let observed = config.profile;
    let target = |operator| Target { operator, level, observed, units: Units::of_machine(), rounding };
    let targets = operators.into_iter().map(target).collect();
    if config.check {
        crate::threads::check();
    }
    if config.profile {
        crate::threads::observe();
    }
    let record = Record::create(&config)?;
    let mut threads = Threads::default();
    if !threads.adopt() {
        return Err(memory::no_memory("a thread"));
    }
    Fma::prepare();
    binade_patch::native::prepare();
    memory::open_own();
    let by_name = filter.needs_symbols() || !rules.is_empty();
    let names = by_name || config.why || config.profile || config.check;
    let state = State {
        filter,
        rules,
        kinds,
        record,
        sites: Sites::new(targets, config.seed, kinds, handlers, config.check, config.sabotage),
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
    // SAFETY: the caller holds the lock, and nothing has a reference to the state yet.
    *unsafe { STATE.get() } = Some(state);
    Ok(())
}

impl State {
    /// The record of an object, made when it is first loaded.
    pub(crate) fn record_of(&mut self, object: &ObjectFacts) -> ObjectRecord {
        if let Some(&record) = self.records.get(&object.path) {
            return record;
        }
        let record = self.record.object(object);
        self.records.insert(object.path.clone(), record);
        record
    }

    /// The record for code that is generated on behalf of the code at this address; none if it is to be left alone.
    pub(crate) fn generator(&mut self, caller: u64) -> Option<ObjectRecord> {
        let object = self.objects.values().find(|object| object.code.contains(&caller));
        let path = object.map_or("", |object| object.path.as_str());
        if self.threads_unseen || self.filter.object(path).is_some() {
            return None;
        }
        let path = format!("{path}{GENERATED}");
        let path = path.trim_start().to_owned();
        Some(self.record_of(&ObjectFacts { path, ..ObjectFacts::default() }))
    }

    /// Answers a fault of generated code.
    pub(crate) fn fault(&mut self, address: u64, instruction: u64, access: Access) -> bool {
        let kinds = self.kinds;
        let needs_names = self.filter.needs_symbols() || !self.rules.is_empty();
        let by_name = self.names.as_mut().filter(|_| needs_names).map(|names| {
            names.refresh();
            &names.names
        });
        let object = self.regions.object(address).or_else(|| self.regions.object(instruction));
        let is_object =
            |record: &&ObjectRecord| object.is_some_and(|object| object.index() == record.index());
        let path = self.records.iter().find(|(_, record)| is_object(record)).map_or("", |(path, _)| path);
        let rules = self.rules.of_object(path);
        let hits = RefCell::new(BTreeMap::new());
        let operator_at = |at: u64| {
            let symbol = by_name.and_then(|names| names.at(at));
            let site = Site { generated: true, symbol, start: &|| at, address: at, lines: &Vec::new };
            let (choice, rule) = rules.choose(&site);
            if let Some(rule) = rule {
                hits.borrow_mut().insert(at, rule);
            }
            choice
        };
        let refused = RefCell::new(BTreeMap::<&'static str, BTreeSet<u64>>::new());
        let chosen = |instruction: &Instruction| {
            if !kinds.site(instruction) {
                return false;
            }
            let at = instruction.ip();
            let by_symbol = by_name
                .filter(|_| self.filter.needs_symbols())
                .and_then(|names| self.filter.function(names.at(at)));
            let why = by_symbol.or_else(|| operator_at(at).is_none().then_some(BY_RULE));
            if let Some(why) = why {
                refused.borrow_mut().entry(why).or_default().insert(at);
            }
            why.is_none()
        };
        let elementary = self.config.elementary;
        let tools = Tools {
            sites: &mut self.sites,
            record: &mut self.record,
            chosen: &chosen,
            operator: &|at| operator_at(at).unwrap_or(0),
            elementary,
        };
        let answered = self.regions.fault(address, instruction, access, tools);
        for (why, addresses) in refused.into_inner() {
            self.regions.leave_alone(addresses, why, &mut self.record);
        }
        if let Some(object) = object {
            let mut counts = BTreeMap::new();
            hits.into_inner().into_values().for_each(|rule| *counts.entry(rule).or_default() += 1);
            for (rule, count) in counts {
                self.record.rule(object, rule, count);
            }
        }
        answered
    }

    /// The program is about to map a file so that it could run.
    pub(crate) fn mapped(&mut self, file: i32) {
        if let Some(names) = &mut self.names {
            names.mapped(file);
        }
    }

    /// Makes the code of the site whose stub this is, which the program executes under this MXCSR.
    pub(crate) fn resolve(&mut self, stub: u64, mxcsr: u32) -> u64 {
        let _keys = Keys::open();
        let none = Names::default();
        let names = match &mut self.names {
            Some(sources) if generated::any() => {
                sources.refresh();
                &sources.names
            }
            _ => &none,
        };
        let account = Account { record: &mut self.record, names, mxcsr };
        self.sites.resolve(stub, account, &self.regions, self.filter.by_default())
    }

    /// The address of the program with these registers, if they are in generated code.
    pub(crate) fn recover(&self, address: u64, stack: u64, workspace: &Header) -> Option<Recovery> {
        if !workspace.holds(stack) {
            return self.sites.recover(address, stack, workspace.own);
        }
        // Code of the agent's that has called a function left its return address first on the workspace's stack.
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
        let account = Account { record: &mut self.record, names: &none, mxcsr: DEFAULT_MXCSR };
        self.sites.resolve_all(account, &self.regions, self.filter.by_default());
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
