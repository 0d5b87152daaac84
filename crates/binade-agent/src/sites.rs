//! Sites that have been patched: their stubs, and the code that takes their place.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::ptr;
use std::rc::Rc;

use binade_patch::check::{Check, Event};
use binade_patch::fma::Fma;
use binade_patch::names::Names;
use binade_patch::region::{self, Map, Request};
use binade_patch::sites::Kinds;
use binade_patch::snapshot;
use binade_patch::span::{self, JUMP};
use binade_patch::trampoline::{self, Place, Recovery, Target, Track};
use binade_profile::record::{Counter, FunctionName};
use iced_x86::{Decoder, DecoderOptions, Instruction};

use crate::check_point;
use crate::discovery::Symbols;
use crate::emulator::Emulator;
use crate::functions::{self, Unwind};
use crate::generated::{Copied, Regions, Surroundings};
use crate::memory::{self, Near, NoSpace, PAGE};
use crate::observe::{self, Observed, Observer};
use crate::record::{ObjectRecord, Record};
use crate::stubs::{self, STUB};
use crate::tiles;

/// Bytes that every site without code is sure of, whatever the others take: enough for its instructions, moved.
const SURE: u64 = 64;

/// Room for the code of a site, where there is room; what is not written takes no memory.
const GENEROUS: u64 = 1024;

/// Space that is reserved for the code of a site and its share of a region: more than they take.
const ROOM: u64 = 4096;

/// The reason for multiply-adds that evaluate elementary functions or make random numbers.
const ELEMENTARY: &str = "by default: elementary functions, by their constants and shape";

/// The reason for a multiply-add that is shorter than a jump, and whose successors cannot be moved.
pub(crate) const NO_ROOM: &str = "no room for a jump";

/// Maximum number of translations of loops at one address of generated code, one each time that the program rewrites it.
const TRANSLATIONS: u8 = 4;

/// The reason for which they are not translated after that.
const REWRITTEN: &str = "the program has rewritten the code four times";

/// The room that code generated at run time is given at a time.
const SHARED: u64 = 4 << 20;

/// A span whose start is replaced by a jump to its stub.
#[derive(Clone, Copy, Debug)]
struct Site {
    /// From the start of its batch's code.
    offset: u32,
    /// The number of its operator.
    operator: u16,
    /// The bytes that the jump replaced.
    original: [u8; JUMP],
    /// True if its code is made.
    resolved: bool,
    /// Of generated code: true if the code that the site leads to has been searched for loops.
    seen: bool,
    /// The target of its stub.
    lead: u64,
    /// True if its code leaves its multiply-adds as they are, since they evaluate elementary functions.
    native: bool,
    /// Of generated code: true if its surroundings may have changed since its code was made.
    again: bool,
}

/// Room near some code: what its sites' code refers to, then stubs and code.
#[derive(Debug)]
struct Block {
    near: Near,
    /// The jump to the gate that makes code.
    table: u64,
    /// The constants of trampolines.
    constants: u64,
    /// The gates of each operator.
    gates: Vec<Gates>,
    /// The gate through which checked regions call the agent.
    check_gate: u64,
    /// Bytes that the sites without code are sure of.
    promised: u64,
    /// True if it serves code generated at run time, which comes in small pieces.
    shared: bool,
}

/// The gates of an operator, through which code of sites calls the agent.
#[derive(Clone, Copy, Debug, Default)]
struct Gates {
    /// That of trampolines.
    trampolines: u64,
    /// That of products of tiles; 0 if they are native.
    tiles: u64,
}

/// Sites whose stubs stand one after the other.
#[derive(Debug)]
struct Batch {
    code: Range<u64>,
    sites: Vec<Site>,
    block: usize,
    object: ObjectRecord,
    symbols: Rc<Symbols>,
    unwind: Option<Unwind>,
    /// True if elementary functions are computed under the operator too.
    elementary: bool,
    /// Addresses of multiply-adds that are known to evaluate elementary functions.
    native: BTreeSet<u64>,
    /// Of code in no known function: addresses whose surroundings have been searched for elementary functions.
    judged: BTreeSet<u64>,
    /// True if the object has code without AVX; `None` until the first function asks.
    mixed: Option<bool>,
    /// The start of the mapping that generated code is in; 0 for an object's code.
    mapping: u64,
    /// The starts of functions without symbol and unwind range, by the addresses of their sites, as far as they are known.
    starts: BTreeMap<u64, u64>,
}

/// The origin of code: the known facts of its object, or none for generated code.
#[derive(Debug, Default)]
pub(crate) struct Origin {
    pub(crate) symbols: Rc<Symbols>,
    pub(crate) unwind: Option<Unwind>,
    /// True if elementary functions are computed under the operator too.
    pub(crate) elementary: bool,
    /// The start of the mapping that generated code is in; 0 for an object's code.
    pub(crate) mapping: u64,
}

/// The record that lists what happens to sites, and the name of generated code there.
pub(crate) struct Account<'a> {
    pub(crate) record: &'a mut Record,
    pub(crate) names: &'a Names,
    /// The program's MXCSR.
    pub(crate) mxcsr: u32,
}

/// Addresses of functions that the code of sites calls, and that use the sites themselves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Handlers {
    /// The gate.
    pub(crate) gate: u64,
    /// The handler of events of checked regions.
    pub(crate) check: u64,
}

/// Every site of the process.
#[derive(Debug)]
pub(crate) struct Sites {
    /// The targets, which differ only in their operators, of which there is at least one.
    targets: Vec<Target>,
    handlers: Handlers,
    /// The value of [`trampoline::knows_clean_uppers`].
    transitions: bool,
    /// The other instructions of a span that are computed under the operator.
    kinds: Kinds,
    /// True if regions are checked, and made wrong for a test of that.
    check: bool,
    sabotage: bool,
    blocks: BTreeMap<usize, Block>,
    next_block: usize,
    /// By the address of the first stub.
    batches: BTreeMap<u64, Batch>,
    /// That of each operator.
    observers: Vec<&'static mut Observer>,
    /// The seed of random roundings.
    seed: u64,
    /// Stubs of generated code that lead to regions, and the instructions that those hold, the site's among them.
    translated: BTreeMap<u64, Rc<Copied>>,
    /// By page, the addresses of such sites whose regions hold instructions of the page.
    copies: BTreeMap<u64, BTreeSet<u64>>,
    /// The number of translations of loops at an address of generated code.
    translations: BTreeMap<u64, u8>,
    /// Under a profile: the counters of functions, by object and symbol.
    histograms: BTreeMap<(u64, FunctionName), *mut u64>,
    /// Under a profile: the counters of instructions, by object, function and address.
    site_counts: BTreeMap<(u64, FunctionName, u64), *mut u64>,
    /// The program's addresses for the code of sites and of regions, by the code's address.
    tracks: BTreeMap<u64, Track>,
    maps: BTreeMap<u64, Map>,
    /// Known starts of functions in generated code.
    roots: BTreeSet<u64>,
    /// The code of instructions that a jump covers besides its own, by the jump's stub and their address.
    covered: BTreeMap<(u64, u64), u64>,
    /// The reason why the last search for space failed.
    no_space: NoSpace,
}

/// Addresses of code, by those of the program's instructions.
type Places = BTreeMap<u64, u64>;

/// Code that has been made.
#[derive(Default)]
struct Made {
    /// That of each instruction.
    places: Places,
    /// That of instructions whose span is computed under the operator.
    own: Places,
    /// The target of each site's stub.
    leads: Places,
}

/// A site to be: the address of a span, and its first bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) address: u64,
    original: [u8; JUMP],
    operator: u16,
}

impl Candidate {
    /// A span by its bytes, and the number of its operator.
    pub(crate) fn new(address: u64, span: &[u8], operator: u16) -> Candidate {
        let mut original = [0; JUMP];
        original.copy_from_slice(&span[..JUMP]);
        Candidate { address, original, operator }
    }
}

impl Sites {
    pub(crate) fn new(
        targets: Vec<Target>,
        seed: u64,
        kinds: Kinds,
        handlers: Handlers,
        check: bool,
        sabotage: bool,
    ) -> Sites {
        Sites {
            blocks: BTreeMap::new(),
            next_block: 0,
            batches: BTreeMap::new(),
            observers: targets.iter().map(|target| Observer::new(Emulator::new(target))).collect(),
            seed,
            translated: BTreeMap::new(),
            copies: BTreeMap::new(),
            translations: BTreeMap::new(),
            histograms: BTreeMap::new(),
            site_counts: BTreeMap::new(),
            tracks: BTreeMap::new(),
            maps: BTreeMap::new(),
            roots: BTreeSet::new(),
            covered: BTreeMap::new(),
            no_space: NoSpace::Full,
            handlers,
            targets,
            transitions: trampoline::knows_clean_uppers(),
            kinds,
            check,
            sabotage,
        }
    }

    /// A block near `code` with room for `count` sites; blocks of generated code are shared.
    fn block(&mut self, code: &Range<u64>, count: u64, shared: bool) -> Option<usize> {
        let least = count * (STUB + SURE);
        if shared {
            let fits = |block: &Block| {
                block.shared && block.near.is_near(code) && block.near.left() >= block.promised + least + 4096
            };
            if let Some((&index, _)) = self.blocks.iter().find(|(_, block)| fits(block)) {
                return Some(index);
            }
        }
        let size = (count * (STUB + GENEROUS)).max(if shared { SHARED } else { 1 << 16 });
        self.new_block(code, least, size, shared)
    }

    /// A new block near `code` of a size, or of less if it has to be, but of `least` at least.
    fn new_block(&mut self, code: &Range<u64>, least: u64, mut size: u64, shared: bool) -> Option<usize> {
        let constants = trampoline::pool();
        /// More than the table and the gates of an operator take.
        const GATES: u64 = 16384;
        let header = constants.len() as u64 + GATES * self.targets.len() as u64;
        let mut near = loop {
            match Near::reserve(code, header + size) {
                Ok(near) => break near,
                Err(_) if size / 2 >= least => size /= 2,
                Err(reason) => {
                    self.no_space = reason;
                    return None;
                }
            }
        };
        let place = |near: &mut Near, bytes: &[u8]| {
            let at = near.allocate(bytes.len() as u64, 64)?;
            // SAFETY: fresh writable memory, to which nothing leads yet.
            unsafe { memory::write(at, bytes) };
            Some(at)
        };
        let table = place(&mut near, &stubs::absolute_jump(self.handlers.gate))?;
        let constants = place(&mut near, &constants)?;
        let level = self.targets[0].level;
        let mut gates = Vec::with_capacity(self.targets.len());
        for (target, observer) in self.targets.iter().zip(&self.observers) {
            let context = ptr::from_ref::<Observer>(observer) as u64;
            let handler = observe::handle as *const () as u64;
            let code = trampoline::gate(level, near.next(64), handler, context).ok()?;
            let mut of_operator = Gates { trampolines: place(&mut near, &code)?, tiles: 0 };
            if self.kinds.dot && !target.identity() {
                let handler = tiles::handle as *const () as u64;
                let code = snapshot::gate(level, near.next(64), handler, context).ok()?;
                of_operator.tiles = place(&mut near, &code)?;
            }
            gates.push(of_operator);
        }
        let mut check_gate = 0;
        if self.check {
            let code = snapshot::gate(level, near.next(64), self.handlers.check, 0).ok()?;
            check_gate = place(&mut near, &code)?;
        }
        let index = self.next_block;
        self.next_block += 1;
        self.blocks.insert(index, Block { near, table, constants, gates, check_gate, promised: 0, shared });
        Some(index)
    }

    /// The reason why the last search for space failed, as the summary says it.
    pub(crate) fn no_space(&self) -> &'static str {
        self.no_space.why()
    }

    /// Makes stubs for sites in `code`, in order; the address of the first, or nothing where no room is in reach. The
    /// caller makes the sites jump to them.
    pub(crate) fn add(
        &mut self,
        code: Range<u64>,
        candidates: &[Candidate],
        shared: bool,
        object: ObjectRecord,
        origin: Origin,
    ) -> Option<u64> {
        let count = candidates.len() as u64;
        let index = self.block(&code, count, shared)?;
        let block = self.blocks.get_mut(&index)?;
        let first = block.near.allocate(count * STUB, 16)?;
        block.promised += count * SURE;
        for number in 0..count {
            let stub = first + number * STUB;
            // SAFETY: fresh writable memory, to which nothing leads yet.
            unsafe { memory::write(stub, &stubs::stub(stub, block.table)) };
        }
        let site = |candidate: &Candidate| Site {
            offset: (candidate.address - code.start) as u32,
            operator: candidate.operator,
            original: candidate.original,
            resolved: false,
            seen: false,
            lead: 0,
            native: false,
            again: false,
        };
        let sites = candidates.iter().map(site).collect();
        let Origin { symbols, unwind, elementary, mapping } = origin;
        let batch = Batch {
            code,
            sites,
            block: index,
            object,
            symbols,
            unwind,
            elementary,
            native: BTreeSet::new(),
            judged: BTreeSet::new(),
            mixed: shared.then_some(false),
            mapping,
            starts: BTreeMap::new(),
        };
        self.batches.insert(first, batch);
        Some(first)
    }

    /// Forgets the sites of unloaded code, whose first stub this is.
    pub(crate) fn remove(&mut self, first: u64) {
        let Some(batch) = self.batches.remove(&first) else { return };
        let stubs = first..first + batch.sites.len() as u64 * STUB;
        self.covered.retain(|(stub, _), _| !stubs.contains(stub));
        if self.blocks.get(&batch.block).is_some_and(|block| !block.shared)
            && let Some(block) = self.blocks.remove(&batch.block)
        {
            let range = block.near.range();
            self.tracks.retain(|at, _| !range.contains(at));
            self.maps.retain(|at, _| !range.contains(at));
            block.near.release();
        }
    }

    /// The address of a program whose instruction pointer is in generated code, from its stack pointer and the thread's workspace.
    pub(crate) fn recover(&self, address: u64, stack: u64, workspace: u64) -> Option<Recovery> {
        if let Some((_, track)) = self.tracks.range(..=address).next_back()
            && track.code.contains(&address)
        {
            return Some(track.recover(address, stack, workspace));
        }
        if let Some((_, map)) = self.maps.range(..=address).next_back()
            && map.range.contains(&address)
        {
            return map.recover(address, stack, workspace);
        }
        let (&first, batch) = self.batches.range(..=address).next_back()?;
        let index = ((address - first) / STUB) as usize;
        (index < batch.sites.len()).then(|| Recovery::bare(batch.address(index), stack))
    }

    /// True if a stub leads to nothing but its own instructions, or to a copy of others that are still the same. `original`
    /// gives bytes as the program wrote them.
    pub(crate) fn is_right(&self, stub: u64, original: impl Fn(Range<u64>) -> Option<Vec<u8>>) -> bool {
        self.translated.get(&stub).is_none_or(|copied| {
            copied.iter().all(|(start, bytes)| {
                original(*start..start + bytes.len() as u64).is_some_and(|now| now == *bytes)
            })
        })
    }

    /// The sites whose code was a copy of instructions on a page, too.
    pub(crate) fn copies_of(&self, page: u64) -> impl Iterator<Item = u64> + '_ {
        self.copies.get(&page).into_iter().flatten().copied()
    }

    /// The number of the operator of the site that a stub is for.
    pub(crate) fn operator(&self, stub: u64) -> Option<u16> {
        let (&first, batch) = self.batches.range(..=stub).next_back()?;
        batch.sites.get(((stub - first) / STUB) as usize).map(|site| site.operator)
    }

    /// The instructions that are computed under the operator.
    pub(crate) fn kinds(&self) -> Kinds {
        self.kinds
    }

    /// The code that a site leads to, if regions are to be made of it and its function is not known: generated code, or that of an
    /// object without symbols and unwind information.
    fn surroundings(&self, stub: u64, regions: &Regions) -> Option<Surroundings> {
        let (&first, batch) = self.batches.range(..=stub).next_back()?;
        let block = self.blocks.get(&batch.block)?;
        let number = ((stub - first) / STUB) as usize;
        let address = batch.address(number);
        if self.targets[0].observed {
            return None;
        }
        if !block.shared {
            return (!batch.sites[number].seen).then(|| batch.surroundings(first, address));
        }
        let times = self.translations.get(&address).copied().unwrap_or_default();
        let worthwhile = !batch.sites[number].seen && times < TRANSLATIONS;
        if worthwhile { regions.surroundings(address) } else { None }
    }

    /// Functions of generated code start there.
    pub(crate) fn know_functions(&mut self, starts: &BTreeSet<u64>) {
        self.roots.extend(starts);
    }

    /// Looks at a site of an object, whose function is given if it is known: which of the multiply-adds there evaluate
    /// elementary functions.
    fn judge(&mut self, first: u64, address: u64, function: Option<&[Instruction]>) {
        let Some(batch) = self.batches.get_mut(&first) else { return };
        match function {
            Some(function) => batch.native.append(&mut functions::elementary(function)),
            None if batch.judged.contains(&address) => {}
            None => {
                let original = |at| batch.original(at);
                let (code, own) = functions::around(address, &batch.code, batch.unwind, original);
                let native = functions::elementary(&code);
                let among = |site: &Site| own.contains(&(batch.code.start + u64::from(site.offset)));
                let judged = batch.sites.iter().filter(|site| among(site));
                let judged: Vec<u64> = judged.map(|site| batch.code.start + u64::from(site.offset)).collect();
                batch.native.extend(native.range(own));
                batch.judged.extend(judged);
            }
        }
    }

    /// Looks at the generated code around a site, from the start of its function if that is known: which of its multiply-adds
    /// evaluate elementary functions.
    fn judge_generated(&mut self, first: u64, address: u64, regions: &Regions) {
        /// Starts of functions that are tried.
        const TRIED: usize = 8;
        if self.batches[&first].judged.contains(&address) {
            return;
        }
        let function_at = |start| regions.function(start, functions::MOST);
        let before = self.roots.range(..=address).rev().take(TRIED);
        let (code, stubs) = before
            .map(|&root| function_at(root))
            .find(|(code, _)| code.binary_search_by_key(&address, Instruction::ip).is_ok())
            .unwrap_or_else(|| function_at(address));
        let mut native = functions::elementary(&code);
        let mut judged = stubs.into_keys().collect();
        let root = self.roots.range(..=address).next_back().copied().unwrap_or(address);
        let Some(batch) = self.batches.get_mut(&first) else { return };
        batch.starts.insert(address, root);
        batch.native.append(&mut native);
        batch.judged.append(&mut judged);
        batch.judged.insert(address);
    }

    /// A stub of generated code is used again, for the same instruction: the code around it may be another.
    pub(crate) fn reconsider(&mut self, stub: u64) {
        let Some((&first, batch)) = self.batches.range_mut(..=stub).next_back() else { return };
        let number = ((stub - first) / STUB) as usize;
        batch.native.clear();
        batch.judged.clear();
        if batch.sites[number].resolved && !batch.elementary {
            batch.sites[number].again = true;
            stubs::fill(stub, stub + JUMP as u64);
        }
    }

    /// A block with room for the code of `count` sites in `code` and for the regions around them: theirs, another, or a new
    /// one. Without one in reach it is theirs.
    fn roomy(&mut self, home: usize, code: &Range<u64>, count: u64) -> usize {
        // A checked region holds code for each multiply-add twice more.
        let room = (count * ROOM + 16 * ROOM) * if self.check { 2 } else { 1 };
        // Within reach of the stubs, too, which lead there.
        let stubs = self.blocks[&home].near.range();
        let code = &(code.start.min(stubs.start)..code.end.max(stubs.end));
        let fits = |block: &Block| block.near.is_near(code) && block.near.left() >= block.promised + room;
        if fits(&self.blocks[&home]) {
            return home;
        }
        let other =
            self.blocks.iter().find(|(_, block)| block.shared && fits(block)).map(|(&index, _)| index);
        other.or_else(|| self.new_block(code, room, room.max(SHARED), true)).unwrap_or(home)
    }

    /// Makes the code of all sites of objects.
    pub(crate) fn resolve_all(&mut self, account: Account<'_>, regions: &Regions, defaults: bool) {
        let Account { record, names, mxcsr } = account;
        let firsts: Vec<u64> = self.batches.keys().copied().collect();
        for first in firsts {
            let batch = &self.batches[&first];
            if self.blocks[&batch.block].shared {
                continue;
            }
            for number in 0..batch.sites.len() {
                if !self.batches[&first].sites[number].resolved {
                    let account = Account { record: &mut *record, names, mxcsr };
                    self.resolve(first + number as u64 * STUB, account, regions, defaults);
                }
            }
        }
    }

    /// Makes the code of the site whose stub called the gate, and of all others of its function; the address of the
    /// site's.
    pub(crate) fn resolve(
        &mut self,
        stub: u64,
        mut account: Account<'_>,
        regions: &Regions,
        defaults: bool,
    ) -> u64 {
        let (&first, batch) = self.batches.range(..=stub).next_back().expect("every stub is in a batch");
        let (home, shared) = (batch.block, self.blocks[&batch.block].shared);
        let number = ((stub - first) / STUB) as usize;
        let Site { resolved, again, .. } = batch.sites[number];
        if resolved && !again {
            // Another thread was first: the stub leads on now.
            return stub;
        }
        let address = batch.address(number);
        let defaults = defaults && !batch.elementary;
        if shared && defaults {
            self.judge_generated(first, address, regions);
        }
        let batch = &self.batches[&first];
        if again {
            let site = &batch.sites[number];
            if site.native == batch.native.contains(&address) {
                let lead = site.lead;
                self.batches.get_mut(&first).expect("found above").sites[number].again = false;
                stubs::fill(stub, lead);
                return lead;
            }
        }
        let range = if shared { None } else { batch.function(address) };
        let (range, function) =
            match range.and_then(|range| Some((range.clone(), batch.instructions(&range)?))) {
                Some((range, function)) => (range, Some(function)),
                None => (address..address + 1, None),
            };
        let surroundings = if function.is_none() { self.surroundings(stub, regions) } else { None };
        if self.translations.get(&address).is_some_and(|&times| times >= TRANSLATIONS) {
            account.record.refused(self.batches[&first].object, REWRITTEN);
        }
        if defaults {
            if !shared {
                self.judge(first, address, function.as_deref());
            }
            for &address in surroundings.iter().flat_map(|code| code.stubs.keys()) {
                if shared {
                    self.judge_generated(first, address, regions);
                } else {
                    self.judge(first, address, None);
                }
            }
        }
        let batch = &self.batches[&first];
        let indices: Vec<usize> = match (&surroundings, shared) {
            // What has its own code already keeps it.
            (Some(code), _) => (0..batch.sites.len())
                .filter(|&index| {
                    code.stubs.contains_key(&batch.address(index)) && !batch.sites[index].resolved
                })
                .collect(),
            (None, _) if function.is_none() => vec![number],
            (None, _) => {
                let before = |end: u64| {
                    batch.sites.partition_point(|site| batch.code.start + (site.offset as u64) < end)
                };
                (before(range.start)..before(range.end)).collect()
            }
        };
        let code = batch.code.clone();
        let roomy = self.roomy(home, &code, indices.len() as u64);
        let code = function.as_deref().or(surroundings.as_ref().map(|code| &code.instructions[..]));
        let keeps_clean = self.keeps_clean(first, &range, code);
        let mut made = self.make_sites(first, &indices, (roomy, keeps_clean), &mut account);
        let batch = self.batches.get_mut(&first).expect("found above");
        indices.iter().for_each(|&index| batch.sites[index].seen |= surroundings.is_some());
        let around = surroundings.as_ref();
        let function = function.as_ref().or(surroundings.as_ref().map(|code| &code.instructions));
        if let Some(function) = function {
            let looped = region::looped(function);
            let whole =
                self.make_regions(first, function, (roomy, keeps_clean), around, &mut made, &mut account);
            let object = self.batches[&first].object;
            object.count(Counter::Whole, whole.len() as u64);
            let single = |address: &u64| !whole.contains(address) && looped.contains(address);
            object.count(Counter::Single, made.own.keys().copied().filter(single).count() as u64);
        }
        let batch = self.batches.get_mut(&first).expect("found above");
        for index in indices {
            let lead = made.leads[&batch.address(index)];
            stubs::fill(first + index as u64 * STUB, lead);
            batch.sites[index].lead = lead;
            batch.sites[index].again = false;
        }
        made.leads[&address]
    }

    /// True if legacy SSE instructions may run behind code of a function with clean upper halves of vectors. Either the function
    /// has such instructions itself, or it uses at most 128 bits, so that its caller in the same object may have them.
    fn keeps_clean(&mut self, first: u64, range: &Range<u64>, function: Option<&[Instruction]>) -> bool {
        if !self.transitions {
            return false;
        }
        let (mut legacy, mut wide) = (false, false);
        for instruction in function.unwrap_or_default() {
            legacy |= functions::is_legacy_vector(instruction);
            wide |= functions::is_wide(instruction);
        }
        // Called from anywhere, in place of an instruction that the caller's machine may lack.
        let itself = function.is_some() && functions::is_multiply_add(range);
        let Some(batch) = self.batches.get_mut(&first) else { return false };
        legacy || itself || !wide && *batch.mixed.get_or_insert_with(|| functions::has_legacy(&batch.code))
    }

    /// Makes the code of sites of the batch whose first stub this is, in a block with room: under the operator, or as they are
    /// if they evaluate elementary functions or cannot be served, which is recorded.
    fn make_sites(
        &mut self,
        first: u64,
        indices: &[usize],
        (roomy, keeps_clean): (usize, bool),
        account: &mut Account<'_>,
    ) -> Made {
        let Account { record, names, .. } = account;
        let batch = self.batches.get_mut(&first).expect("the caller's batch");
        let home = batch.block;
        let mut all = Made::default();
        let mut skipped: BTreeMap<String, u64> = BTreeMap::new();
        let (mut emulated, mut gated) = (0, 0);
        let mut functions: BTreeMap<FunctionName, (u64, u64)> = BTreeMap::new();
        // By function and operator, where there are several.
        let mut by_operator: BTreeMap<(FunctionName, u16), u64> = BTreeMap::new();
        let kinds = self.kinds;
        let batch_native = std::mem::take(&mut batch.native);
        let elementary = |fma: &Fma| batch_native.contains(&fma.instruction.ip());
        let chosen = |fma: &Fma| kinds.contain(fma) && !elementary(fma);
        for &index in indices {
            let address = batch.address(index);
            let operator = batch.sites[index].operator;
            let target = &self.targets[usize::from(operator)];
            let through_gate = |fma: &Fma| target.through_gate(fma.element);
            let span = batch.span(index);
            let of_kind = || span.iter().filter_map(Fma::decode).filter(|fma| kinds.contain(fma));
            let left = of_kind().filter(elementary).count() as u64;
            let native = left > 0 && of_kind().all(|fma| elementary(&fma));
            batch.sites[index].native = native;
            if left > 0 {
                *skipped.entry(ELEMENTARY.to_owned()).or_default() += left;
            }
            if !std::mem::replace(&mut batch.sites[index].resolved, true) {
                self.blocks.get_mut(&home).expect("every batch has a block").promised -= SURE;
            }
            let block = self.blocks.get_mut(&roomy).expect("a block with room");
            let at = block.near.next(16);
            let base = batch.base();
            let is_named = target.observed || self.targets.len() > 1 || record.says_why();
            let name = is_named.then(|| batch.name(address, names));
            let made = if native {
                Err(ELEMENTARY.to_owned())
            } else {
                let number = match &name {
                    Some(name) if target.observed => {
                        let (object, index) = (batch.object, batch.object.index());
                        let function = *self
                            .histograms
                            .entry((index, name.clone()))
                            .or_insert_with(|| record.histogram(object, name));
                        let observed = |instruction: &Instruction| {
                            let address = instruction.ip().wrapping_sub(base);
                            let is_chosen = Fma::decode(instruction).filter(chosen).is_some();
                            let own = if is_chosen {
                                *self
                                    .site_counts
                                    .entry((index, name.clone(), address))
                                    .or_insert_with(|| record.site_counts(object, name, address))
                            } else {
                                ptr::null_mut()
                            };
                            Observed::new(instruction, function, own)
                        };
                        self.observers[usize::from(operator)].number(span.iter().map(observed).collect())
                    }
                    _ => 0,
                };
                let Gates { trampolines: gate, tiles } = block.gates[usize::from(operator)];
                let word = random_seed(self.seed, batch.object.hash(), address.wrapping_sub(base));
                let constants = block.constants;
                let place = Place { at, constants, gate, tiles, site: number, word, keeps_clean };
                trampoline::chain(&span, chosen, target, place).map_err(|why| why.to_string()).and_then(
                    |chain| {
                        let room = block.near.left() >= chain.code.len() as u64 + 16 + block.promised;
                        room.then_some(chain).ok_or_else(|| self.no_space.why().to_owned())
                    },
                )
            };
            let products =
                span.iter().filter(|instruction| kinds.product(instruction).is_some()).count() as u64;
            let multiply_adds = of_kind().filter(chosen).count() as u64 + products;
            if let Some(name) = name.clone().filter(|_| self.targets.len() > 1 && made.is_ok()) {
                *by_operator.entry((name, operator)).or_default() += multiply_adds;
            }
            if let Some(name) = name.filter(|_| record.says_why()) {
                for fma in of_kind() {
                    let address = fma.instruction.ip().wrapping_sub(base);
                    record.site(batch.object, &name, address, made.is_ok() && chosen(&fma));
                }
                let (under, other) = functions.entry(name).or_default();
                let computed = if made.is_ok() { multiply_adds } else { 0 };
                *under += computed;
                *other += left + multiply_adds - computed;
            }
            let (within, at, chain) = match made {
                Ok(chain) => {
                    emulated += multiply_adds;
                    gated += of_kind().filter(chosen).filter(through_gate).count() as u64;
                    gated += if target.identity() { 0 } else { products };
                    all.own.extend(chain.places());
                    (roomy, at, chain)
                }
                Err(why) => {
                    if multiply_adds > 0 {
                        *skipped.entry(why).or_default() += multiply_adds;
                    }
                    let block = &self.blocks[&home];
                    let at = block.near.next(16);
                    let (constants, gate) = (block.constants, block.gates[usize::from(operator)].trampolines);
                    let place = Place { at, constants, gate, tiles: 0, site: 0, word: 0, keeps_clean: false };
                    let chain = trampoline::chain(&span, |_| false, target, place)
                        .expect("what was decoded can be encoded within reach");
                    (home, at, chain)
                }
            };
            // SAFETY: fresh writable memory, to which nothing leads yet.
            unsafe { memory::write(at, &chain.code) };
            let block = self.blocks.get_mut(&within).expect("the block of its code");
            block.near.allocate(chain.code.len() as u64, 16).expect("the room has been promised");
            all.leads.insert(address, chain.entry());
            all.places.extend(chain.places());
            let stub = first + index as u64 * STUB;
            self.covered.extend(chain.places().skip(1).map(|(address, at)| ((stub, address), at)));
            self.tracks.extend(chain.tracks.into_iter().map(|track| (track.code.start, track)));
        }
        batch.native = batch_native;
        batch.object.count(Counter::Executed, emulated);
        batch.object.count(Counter::Gate, gated);
        for (name, (under, other)) in functions {
            record.function(batch.object, &name, under, other);
        }
        for ((name, operator), count) in by_operator {
            let operator = self.targets[usize::from(operator)].operator.to_string();
            record.operator(batch.object, &name, &operator, count);
        }
        for (why, count) in skipped {
            record.skipped(batch.object, count, &why);
        }
        all
    }

    /// Makes the regions of some code, in a block with room: those of one operator after the other. `around` is the generated code
    /// around a site, whose other sites may have been made earlier. Returns the addresses of multiply-adds in regions.
    fn make_regions(
        &mut self,
        first: u64,
        function: &[Instruction],
        room: (usize, bool),
        around: Option<&Surroundings>,
        made: &mut Made,
        account: &mut Account<'_>,
    ) -> BTreeSet<u64> {
        let stubs = around.map(|code| &code.stubs);
        let batch = &self.batches[&first];
        let mut by_site: BTreeMap<u64, u16> = BTreeMap::new();
        for address in function.iter().map(Instruction::ip) {
            let operator = match stubs.and_then(|stubs| stubs.get(&address)) {
                Some(&stub) => self.operator(stub),
                None => batch.number(address).map(|number| batch.sites[number].operator),
            };
            by_site.extend(operator.map(|operator| (address, operator)));
        }
        let operators: BTreeSet<u16> = by_site.values().copied().collect();
        let mut whole = BTreeSet::new();
        for operator in operators {
            // An instruction that another one's jump covers has that one's operator.
            let is_foreign = |fma: &Fma| {
                let site = by_site.range(..=fma.instruction.ip()).next_back();
                site.is_some_and(|(_, &other)| other != operator)
            };
            let of_operator = (usize::from(operator), &is_foreign as &dyn Fn(&Fma) -> bool);
            whole.extend(self.make_regions_of(of_operator, first, (function, around), room, made, account));
        }
        whole
    }

    /// The regions of one operator, given by its number, and a function that returns true for multiply-adds of another.
    fn make_regions_of(
        &mut self,
        (operator, is_foreign): (usize, &dyn Fn(&Fma) -> bool),
        first: u64,
        (function, around): (&[Instruction], Option<&Surroundings>),
        (roomy, keeps_clean): (usize, bool),
        made: &mut Made,
        account: &mut Account<'_>,
    ) -> BTreeSet<u64> {
        let Account { record, names, mxcsr } = account;
        let stubs = around.map(|code| &code.stubs);
        let object = self.batches[&first].object;
        let mut whole = BTreeSet::new();
        let Made { places, own, leads } = made;
        let kinds = self.kinds;
        let native = &self.batches[&first].native;
        let covered = |address: u64| {
            let (&start, &stub) = stubs?.range(..address).next_back()?;
            (address < start + JUMP as u64).then(|| self.covered.get(&(stub, address)).copied())?
        };
        let is_start =
            |address| leads.contains_key(&address) || stubs.is_some_and(|stubs| stubs.contains_key(&address));
        let earlier = |address: u64| stubs?.get(&address).copied().or_else(|| covered(address));
        let code_of = |address: u64| own.get(&address).copied().or_else(|| earlier(address));
        let start = function.first().map_or(0, Instruction::ip);
        let symbol = self.batches[&first].symbol(start, names);
        let block = self.blocks.get_mut(&roomy).expect("a block with room");
        let base = Some(self.batches[&first].base()).filter(|_| self.batches[&first].mapping == 0);
        let word = |event: Event| check_point::word(event, object, symbol, start, base);
        let check = self.check.then_some(Check {
            gate: block.check_gate,
            constants: block.constants,
            trampoline_gate: block.gates[operator].trampolines,
            word: &word,
        });
        let (seed, hash, start_of_object) = (self.seed, object.hash(), self.batches[&first].base());
        let random = |address: u64| {
            let before = leads.range(..=address).next_back().map(|(&start, _)| start);
            let before = before.max(stubs.and_then(|stubs| Some(*stubs.range(..=address).next_back()?.0)));
            let start = before.unwrap_or(address);
            let index = function.iter().filter(|i| (start..address).contains(&i.ip())).count();
            trampoline::word_in_span(random_seed(seed, hash, start.wrapping_sub(start_of_object)), index)
        };
        let request = Request {
            word: &random,
            target: &self.targets[operator],
            selected: &|fma| {
                let address = fma.instruction.ip();
                kinds.contain(fma) && !native.contains(&address) && code_of(address).is_some()
            },
            foreign: is_foreign,
            single: &|address| code_of(address).expect("only selected ones are asked for"),
            resume: &|address| {
                let place = || places.get(&address).copied().or_else(|| earlier(address));
                if is_start(address) { address } else { place().unwrap_or(address) }
            },
            keeps_clean,
            check,
        };
        let regions = region::translate_all(function, &request, block.near.next(64));
        for region in regions {
            let mut region = match region {
                Ok(region) => region,
                Err(why) => {
                    record.refused(object, &why.to_string());
                    continue;
                }
            };
            if block.near.left() < region.code.len() as u64 + 64 + block.promised
                || block.near.next(64) != region.at
            {
                record.refused(object, self.no_space.why());
                continue;
            }
            block.near.allocate(region.code.len() as u64, 64).expect("there is room");
            if self.sabotage {
                region::sabotage(&mut region.code, self.targets[operator].level.wide());
            }
            // SAFETY: fresh writable memory, to which nothing leads yet.
            unsafe { memory::write(region.at, &region.code) };
            let obstacle = region.obstacle(*mxcsr);
            self.tracks.extend(region.tracks.into_iter().map(|track| (track.code.start, track)));
            for entry in &region.entries {
                let Some(lead) = leads.get_mut(&entry.original) else { continue };
                *lead = region.at + entry.offset as u64;
                if let Some(around) = around {
                    if around.copied.is_empty() {
                        continue;
                    }
                    self.translated.insert(around.stubs[&entry.original], Rc::clone(&around.copied));
                    *self.translations.entry(entry.original).or_default() += 1;
                    for (start, bytes) in around.copied.iter() {
                        let pages = (start & !(PAGE - 1)..start + bytes.len() as u64).step_by(PAGE as usize);
                        pages.for_each(|page| {
                            self.copies.entry(page).or_default().insert(entry.original);
                        });
                    }
                }
            }
            // As long as the program keeps such an MXCSR, the ways in lead to single multiply-adds.
            if let Some(why) = obstacle {
                record.refused(object, &why.to_string());
            } else {
                let originals = region.map.addresses.iter().map(|address| address.original);
                whole.extend(originals.filter(|address| own.contains_key(address)));
            }
            self.maps.insert(region.at, region.map);
        }
        whole
    }
}

/// The random word of an instruction: by the run's seed, its object and its address there, so that it is the same in each run.
fn random_seed(seed: u64, object: u64, address: u64) -> u32 {
    /// The finaliser of SplitMix64.
    fn mix(x: u64) -> u64 {
        let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    (mix(mix(mix(seed.wrapping_add(STEP)) ^ object) ^ address) >> 32) as u32
}

impl Batch {
    fn address(&self, index: usize) -> u64 {
        self.code.start + self.sites[index].offset as u64
    }

    /// The number of the site at an address.
    fn number(&self, address: u64) -> Option<usize> {
        let offset = u32::try_from(address.checked_sub(self.code.start)?).ok()?;
        self.sites.binary_search_by_key(&offset, |site| site.offset).ok()
    }

    /// The instruction that a site's jump covers at an address, if any does.
    fn original(&self, address: u64) -> Option<Instruction> {
        let offset = address.checked_sub(self.code.start)?;
        let behind = self.sites.partition_point(|site| u64::from(site.offset) <= offset);
        let index = behind.checked_sub(1)?;
        let start = self.address(index);
        let covered = (address - start) as usize;
        if covered >= JUMP {
            return None;
        }
        let mut bytes = [0x90; span::LONGEST];
        bytes[..JUMP].copy_from_slice(&self.sites[index].original);
        let end = (start + span::LONGEST as u64).min(self.code.end);
        // SAFETY: the code is mapped, and the span is not shorter than the jump.
        bytes[JUMP..(end - start) as usize]
            .copy_from_slice(unsafe { memory::view(start + JUMP as u64..end) });
        Some(Decoder::with_ip(64, &bytes[covered..], address, DecoderOptions::NONE).decode())
    }

    /// The instructions that a site's jump covers.
    fn span(&self, index: usize) -> Vec<Instruction> {
        let start = self.address(index);
        let covered = |address: &u64| *address < start + JUMP as u64;
        let next = |last: &Instruction| Some(last.next_ip()).filter(covered).and_then(|at| self.original(at));
        std::iter::successors(self.original(start), next).collect()
    }

    /// The name of the function that an address belongs to, or nothing: of an object by its symbols, of generated code by what
    /// the program tells of it.
    fn symbol<'a>(&'a self, address: u64, names: &'a Names) -> &'a str {
        self.symbols.at(address).or_else(|| names.at(address)).unwrap_or_default()
    }

    /// The name of the function that a site belongs to. Without a symbol it is the place where the function starts, or that of the
    /// site if the start is unknown.
    fn name(&mut self, address: u64, names: &Names) -> FunctionName {
        let symbol = self.symbol(address, names);
        if !symbol.is_empty() {
            return FunctionName::Symbol(symbol.to_owned());
        }
        let known = self.function(address).map(|range| range.start);
        let start = known.or_else(|| self.starts.get(&address).copied()).unwrap_or_else(|| {
            let mut start = address;
            if self.mapping == 0 {
                let original = |at| self.original(at);
                let (_, own) = functions::around(address, &self.code, self.unwind, original);
                start = own.start;
                let sites = (0..self.sites.len()).map(|index| self.address(index));
                let known: Vec<(u64, u64)> =
                    sites.filter(|site| own.contains(site)).map(|site| (site, start)).collect();
                self.starts.extend(known);
            }
            start
        });
        FunctionName::Place { mapping: self.mapping, offset: start.wrapping_sub(self.base()) }
    }

    /// The address from which addresses in records count: what the object's file counts as 0, or the start of the mapping that
    /// generated code is in.
    fn base(&self) -> u64 {
        if self.mapping == 0 { self.symbols.base() } else { self.mapping }
    }

    /// The bounds of the function around an address.
    fn function(&self, address: u64) -> Option<Range<u64>> {
        let unwound = self.unwind.and_then(|unwind| unwind.function(address));
        let range = unwound.or_else(|| self.symbols.range(address))?;
        (self.code.start <= range.start && range.end <= self.code.end).then_some(range)
    }

    /// The code that a site leads to; the batch's first stub is given. It does not change, so that no bytes are kept of it.
    fn surroundings(&self, first: u64, address: u64) -> Surroundings {
        let instructions = functions::reachable(address, &self.code, |at| self.original(at));
        let stub = |number: usize| first + number as u64 * STUB;
        let addresses = instructions.iter().map(Instruction::ip);
        let stubs = addresses.filter_map(|address| Some((address, stub(self.number(address)?)))).collect();
        Surroundings { instructions, stubs, copied: Rc::default() }
    }

    fn instructions(&self, range: &Range<u64>) -> Option<Vec<Instruction>> {
        functions::instructions(range, |address| self.original(address))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use binade_patch::trampoline::{Level, Units};
    use binade_profile::record::Object;

    use super::*;
    use crate::memory::tests::pages;
    use crate::record::tests::Scratch;
    use crate::threads::Threads;

    /// vfmadd231ss xmm0, xmm1, xmm2
    pub(crate) const FMA: [u8; 5] = [0xc4, 0xe2, 0x71, 0xb9, 0xc2];
    const RET: u8 = 0xc3;

    /// Sites under an operator, unless the machine has no multiply-adds.
    pub(crate) fn sites(arith: &str) -> Option<Sites> {
        let (operator, level) = (arith.parse().unwrap(), Level::detect()?);
        let target = Target { operator, level, observed: false, units: Units::of_machine(), rounding: None };
        Some(Sites::new(vec![target], 0, Kinds::default(), Handlers { gate: 0x1000, check: 0 }, false, false))
    }

    /// A function without a symbol that is one multiply-add, behind the end of another function: its address.
    fn function() -> u64 {
        let code = [&[RET][..], &FMA, &[RET]].concat();
        pages(1, libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC, &code) + 1
    }

    fn added(sites: &mut Sites, record: &mut Record, address: u64) -> u64 {
        let page = address & !(PAGE - 1);
        let object = record.object(&Object { path: "/lib/a.so".into(), ..Object::default() });
        let symbols = Rc::new(Symbols::new(page, vec![]));
        let origin = Origin { symbols, ..Origin::default() };
        sites.add(page..page + PAGE, &[Candidate::new(address, &FMA, 0)], false, object, origin).unwrap()
    }

    #[test]
    fn resolve_makes_code_that_computes_the_operator() {
        let Some(mut sites) = sites("bf16:bf16") else { return };
        assert!(Threads::default().adopt(), "code of sites uses the thread's workspace");
        let scratch = Scratch::new("resolve");
        let mut record = Record::create(&scratch.config()).unwrap();
        let address = function();
        // SAFETY: the page holds this function of three scalars, and stays mapped.
        let call: extern "C" fn(f32, f32, f32) -> f32 = unsafe { std::mem::transmute(address as usize) };
        let (a, b, c) = (1.003_f32, 3.0_f32, 0.123_f32);
        assert_eq!(call(c, a, b), a.mul_add(b, c));
        let stub = added(&mut sites, &mut record, address);
        // SAFETY: the page is writable, and no other thread runs it.
        unsafe { memory::write(address, &memory::jump(address, stub)) };
        let account = Account { record: &mut record, names: &Names::default(), mxcsr: 0x1f80 };
        let lead = sites.resolve(stub, account, &Regions::default(), true);
        assert_ne!(lead, stub);
        let expected = sites.targets[0].operator.multiply_add(a, b, c);
        assert_ne!(expected, a.mul_add(b, c));
        assert_eq!(call(c, a, b), expected);
        // A second thread that waited for the lock is sent back to the stub.
        let account = Account { record: &mut record, names: &Names::default(), mxcsr: 0x1f80 };
        assert_eq!(sites.resolve(stub, account, &Regions::default(), true), stub);
        let object = &scratch.read()[0].objects[0];
        assert_eq!(object.executed, 1);
        let name = FunctionName::Place { mapping: 0, offset: 1 };
        assert_eq!(object.functions.get(&name), Some(&(1, 0)), "{:?}", object.functions);
    }

    #[test]
    fn recover_in_a_stub_is_the_site() {
        let Some(mut sites) = sites("f32:f32") else { return };
        let scratch = Scratch::new("recover");
        let mut record = Record::create(&scratch.config()).unwrap();
        let address = function();
        let stub = added(&mut sites, &mut record, address);
        let recovery = sites.recover(stub + 3, 0x7000, 0).unwrap();
        assert_eq!((recovery.address, recovery.stack), (address, 0x7000));
        assert!(sites.recover(stub + STUB, 0x7000, 0).is_none());
        sites.remove(stub);
        assert!(sites.recover(stub, 0x7000, 0).is_none());
        assert!(memory::read(stub, 1).is_none(), "its memory is given back");
    }

    #[test]
    fn add_out_of_reach_says_why() {
        let Some(mut sites) = sites("f32:f32") else { return };
        let scratch = Scratch::new("reach");
        let mut record = Record::create(&scratch.config()).unwrap();
        let object = record.object(&Object::default());
        // Code of 4 GiB has no neighbourhood that all of it reaches.
        let code = 0x1000..(1 << 32);
        let candidate = Candidate::new(0x2000, &FMA, 0);
        assert_eq!(sites.add(code, &[candidate], false, object, Origin::default()), None);
        assert_eq!(sites.no_space(), NoSpace::Full.why());
    }
}
