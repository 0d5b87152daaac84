//! Sites that have been patched: their stubs, and the code that takes their place.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::ptr;
use std::rc::Rc;

use binade_run::emulator::Emulator;
use binade_run::fma::Fma;
use binade_run::record::Counter;
use binade_run::region::{self, Map, Request};
use binade_run::sites::Kinds;
use binade_run::span::{self, JUMP};
use binade_run::trampoline::{self, Place, Recovery, Target, Track};
use iced_x86::{Decoder, DecoderOptions, Instruction};

use crate::discovery::Symbols;
use crate::functions::{self, Unwind};
use crate::gate;
use crate::generated::{Copied, Regions, Surroundings};
use crate::memory::{self, Near, PAGE};
use crate::observe::{self, Observer};
use crate::record::{ObjectRecord, Record};

/// Bytes that every site without code is sure of, whatever the others take: enough for its instructions, moved.
const SURE: u64 = 64;

/// Room for the code of a site, where there is room; what is not written takes no memory.
const GENEROUS: u64 = 1024;

/// Room that is looked for ahead of making the code of a site: more than it and its share of a region take.
const ROOM: u64 = 4096;

/// How often loops at one address of generated code are translated, each time that the program has rewritten it.
const TRANSLATIONS: u8 = 4;

/// The room that code generated at run time is given at a time.
const SHARED: u64 = 4 << 20;

/// A span whose start is replaced by a jump to its stub.
#[derive(Clone, Copy, Debug)]
struct Site {
    /// From the start of its batch's code.
    offset: u32,
    /// What the jump replaced.
    original: [u8; JUMP],
    /// Whether its code is made.
    resolved: bool,
    /// Of generated code: whether the code that the site leads to has been looked at as a whole.
    seen: bool,
}

/// Room near some code: what its sites' code refers to, then stubs and code.
#[derive(Debug)]
struct Block {
    near: Near,
    /// The jump to the gate that makes code.
    table: u64,
    /// What trampolines refer to.
    constants: u64,
    /// The gate through which trampolines call the agent.
    gate: u64,
    /// Bytes that the sites without code are sure of.
    promised: u64,
    /// Whether it serves code generated at run time, which comes in small pieces.
    shared: bool,
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
    /// All of the object.
    object_range: Range<u64>,
}

/// Where code comes from: what is known of its object, which is nothing for generated code.
#[derive(Debug, Default)]
pub(crate) struct Origin {
    pub(crate) symbols: Rc<Symbols>,
    pub(crate) unwind: Option<Unwind>,
    /// The addresses of all of the object.
    pub(crate) object_range: Range<u64>,
}

/// Every site of the process.
#[derive(Debug)]
pub(crate) struct Sites {
    target: Target,
    /// What else in a span is computed under the operator.
    kinds: Kinds,
    blocks: BTreeMap<usize, Block>,
    next_block: usize,
    /// By the address of the first stub.
    batches: BTreeMap<u64, Batch>,
    observer: &'static mut Observer,
    /// Stubs of generated code that lead to regions, and the instructions that those hold, the site's among them.
    translated: BTreeMap<u64, Rc<Copied>>,
    /// By page, the addresses of such sites whose regions hold instructions of the page.
    copies: BTreeMap<u64, BTreeSet<u64>>,
    /// How often loops at an address of generated code have been translated.
    translations: BTreeMap<u64, u8>,
    /// Under a profile: the counters of functions, by object and symbol.
    histograms: BTreeMap<(u64, String), *mut u64>,
    /// Where the program is in the code of sites and of regions, by the code's address.
    tracks: BTreeMap<u64, Track>,
    maps: BTreeMap<u64, Map>,
    /// The code of instructions of generated code that a jump covers besides its own, by the jump's stub and their address.
    covered: BTreeMap<(u64, u64), u64>,
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
    /// Where the stub of each site is to lead.
    leads: Places,
}

/// A site to be: the address of a span, and its first bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) address: u64,
    original: [u8; JUMP],
}

impl Candidate {
    /// A span by its bytes.
    pub(crate) fn new(address: u64, span: &[u8]) -> Candidate {
        let mut original = [0; JUMP];
        original.copy_from_slice(&span[..JUMP]);
        Candidate { address, original }
    }
}

impl Sites {
    pub(crate) fn new(target: Target, kinds: Kinds) -> Sites {
        Sites {
            blocks: BTreeMap::new(),
            next_block: 0,
            batches: BTreeMap::new(),
            observer: Observer::new(Emulator::new(target.operator.clone())),
            translated: BTreeMap::new(),
            copies: BTreeMap::new(),
            translations: BTreeMap::new(),
            histograms: BTreeMap::new(),
            tracks: BTreeMap::new(),
            maps: BTreeMap::new(),
            covered: BTreeMap::new(),
            target,
            kinds,
        }
    }

    /// A block near `code` with room for `count` sites; blocks of generated code are shared.
    fn block(&mut self, code: &Range<u64>, count: u64, shared: bool) -> Option<usize> {
        let least = count * (gate::STUB + SURE);
        if shared {
            let fits = |block: &Block| {
                block.shared && block.near.is_near(code) && block.near.left() >= block.promised + least + 4096
            };
            if let Some((&index, _)) = self.blocks.iter().find(|(_, block)| fits(block)) {
                return Some(index);
            }
        }
        let size = (count * (gate::STUB + GENEROUS)).max(if shared { SHARED } else { 1 << 16 });
        self.new_block(code, least, size, shared)
    }

    /// A new block near `code` of a size, or of less if it has to be, but of `least` at least.
    fn new_block(&mut self, code: &Range<u64>, least: u64, mut size: u64, shared: bool) -> Option<usize> {
        let constants = trampoline::pool();
        /// More than the table and the gate take.
        const GATES: u64 = 8192;
        let header = constants.len() as u64 + GATES;
        let mut near = loop {
            match Near::reserve(code, header + size) {
                Some(near) => break near,
                None if size / 2 >= least => size /= 2,
                None => return None,
            }
        };
        let place = |near: &mut Near, bytes: &[u8]| {
            let at = near.allocate(bytes.len() as u64, 64)?;
            // SAFETY: fresh memory that nobody knows yet.
            unsafe { memory::write(at, bytes) };
            Some(at)
        };
        let table = place(&mut near, &gate::gate_table())?;
        let constants = place(&mut near, &constants)?;
        let context = ptr::from_ref::<Observer>(self.observer) as u64;
        let handler = observe::handle as *const () as u64;
        let gate = trampoline::gate(self.target.level, near.next(64), handler, context).ok()?;
        let gate = place(&mut near, &gate)?;
        let index = self.next_block;
        self.next_block += 1;
        self.blocks.insert(index, Block { near, table, constants, gate, promised: 0, shared });
        Some(index)
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
        let first = block.near.allocate(count * gate::STUB, 16)?;
        block.promised += count * SURE;
        for number in 0..count {
            let stub = first + number * gate::STUB;
            // SAFETY: fresh memory that nobody knows yet.
            unsafe { memory::write(stub, &gate::stub(stub, block.table)) };
        }
        let site = |candidate: &Candidate| Site {
            offset: (candidate.address - code.start) as u32,
            original: candidate.original,
            resolved: false,
            seen: false,
        };
        let sites = candidates.iter().map(site).collect();
        let Origin { symbols, unwind, object_range } = origin;
        self.batches
            .insert(first, Batch { code, sites, block: index, object, symbols, unwind, object_range });
        Some(first)
    }

    /// Forgets the sites of unloaded code, whose first stub this is.
    pub(crate) fn remove(&mut self, first: u64) {
        let Some(batch) = self.batches.remove(&first) else { return };
        if self.blocks.get(&batch.block).is_some_and(|block| !block.shared)
            && let Some(block) = self.blocks.remove(&batch.block)
        {
            let range = block.near.range();
            self.tracks.retain(|at, _| !range.contains(at));
            self.maps.retain(|at, _| !range.contains(at));
            block.near.release();
        }
    }

    /// Where the program is whose instruction pointer and stack pointer these are, if they are in code of ours.
    pub(crate) fn recover(&self, address: u64, stack: u64) -> Option<Recovery> {
        if let Some((_, track)) = self.tracks.range(..=address).next_back()
            && track.code.contains(&address)
        {
            return Some(track.recover(address, stack));
        }
        if let Some((_, map)) = self.maps.range(..=address).next_back()
            && map.range.contains(&address)
        {
            return map.recover(address, stack);
        }
        let (&first, batch) = self.batches.range(..=address).next_back()?;
        let index = ((address - first) / gate::STUB) as usize;
        let within = (address - first) % gate::STUB;
        (index < batch.sites.len()).then(|| gate::recover_in_stub(batch.address(index), within, stack))
    }

    /// Whether a stub leads to nothing but its own instructions, or to a copy of others that are still the same. `original`
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

    /// What is computed under the operator.
    pub(crate) fn kinds(&self) -> Kinds {
        self.kinds
    }

    /// The generated code that a site leads to, if regions are to be made of it.
    fn surroundings(&self, stub: u64, regions: &Regions) -> Option<Surroundings> {
        let (&first, batch) = self.batches.range(..=stub).next_back()?;
        let block = self.blocks.get(&batch.block)?;
        let number = ((stub - first) / gate::STUB) as usize;
        let address = batch.address(number);
        let times = self.translations.get(&address).copied().unwrap_or_default();
        let worthwhile =
            block.shared && !self.target.observed && !batch.sites[number].seen && times < TRANSLATIONS;
        if worthwhile { regions.surroundings(address) } else { None }
    }

    /// A block with room for the code of `count` sites in `code` and for the regions around them: theirs, another, or a new
    /// one. If there is none in reach, theirs.
    fn roomy(&mut self, home: usize, code: &Range<u64>, count: u64) -> usize {
        let room = count * ROOM + 16 * ROOM;
        let fits = |block: &Block| block.near.is_near(code) && block.near.left() >= block.promised + room;
        if fits(&self.blocks[&home]) {
            return home;
        }
        let other =
            self.blocks.iter().find(|(_, block)| block.shared && fits(block)).map(|(&index, _)| index);
        other.or_else(|| self.new_block(code, room, room.max(SHARED), true)).unwrap_or(home)
    }

    /// Makes the code of the site whose stub called the gate, and of all others of its function; the address of the
    /// site's.
    pub(crate) fn resolve(
        &mut self,
        stub: u64,
        record: &mut Record,
        regions: &Regions,
        defaults: bool,
    ) -> u64 {
        let surroundings = self.surroundings(stub, regions);
        let (&first, batch) = self.batches.range(..=stub).next_back().expect("every stub is in a batch");
        let (home, shared) = (batch.block, self.blocks[&batch.block].shared);
        let number = ((stub - first) / gate::STUB) as usize;
        if batch.sites[number].resolved {
            // Another thread was first: the stub leads on now.
            return stub;
        }
        let address = batch.address(number);
        let range = if shared { None } else { batch.function(address) };
        let (range, function) =
            match range.and_then(|range| Some((range.clone(), batch.instructions(&range)?))) {
                Some((range, function)) => (range, Some(function)),
                None => (address..address + 1, None),
            };
        let native = defaults
            && function.as_ref().is_some_and(|function| functions::elementary(function, &batch.object_range));
        let indices: Vec<usize> = match (&surroundings, shared) {
            // What has its own code already keeps it.
            (Some(code), _) => (0..batch.sites.len())
                .filter(|&index| {
                    code.stubs.contains_key(&batch.address(index)) && !batch.sites[index].resolved
                })
                .collect(),
            (None, true) => vec![number],
            (None, false) => {
                let before = |end: u64| {
                    batch.sites.partition_point(|site| batch.code.start + (site.offset as u64) < end)
                };
                (before(range.start)..before(range.end)).collect()
            }
        };
        let code = batch.code.clone();
        let roomy = self.roomy(home, &code, indices.len() as u64);
        let mut made = self.make_sites(first, &indices, roomy, native, record);
        let batch = self.batches.get_mut(&first).expect("found above");
        indices.iter().for_each(|&index| batch.sites[index].seen |= surroundings.is_some());
        let around = surroundings.as_ref();
        let function = function.as_ref().or(surroundings.as_ref().map(|code| &code.instructions));
        if let (Some(function), false) = (function, native) {
            self.make_regions(function, roomy, around, &mut made);
        }
        let batch = &self.batches[&first];
        for index in indices {
            gate::fill(first + index as u64 * gate::STUB, made.leads[&batch.address(index)]);
        }
        made.leads[&address]
    }

    /// Makes the code of sites of the batch whose first stub this is, in a block with room: under the operator, or as they are
    /// if they are to stay `native` or cannot be served, which is recorded.
    fn make_sites(
        &mut self,
        first: u64,
        indices: &[usize],
        roomy: usize,
        native: bool,
        record: &mut Record,
    ) -> Made {
        let batch = self.batches.get_mut(&first).expect("the caller's batch");
        let home = batch.block;
        let shared = self.blocks[&home].shared;
        let mut all = Made::default();
        let mut skipped: BTreeMap<String, u64> = BTreeMap::new();
        let mut emulated = 0;
        let kinds = self.kinds;
        let chosen = |fma: &Fma| kinds.contain(fma);
        for &index in indices {
            let address = batch.address(index);
            let span = batch.span(index);
            if !std::mem::replace(&mut batch.sites[index].resolved, true) {
                self.blocks.get_mut(&home).expect("every batch has a block").promised -= SURE;
            }
            let block = self.blocks.get_mut(&roomy).expect("a block with room");
            let at = block.near.next(16);
            let made = if native {
                Err("by default: elementary functions, by their constants".to_owned())
            } else {
                let number = if self.target.observed {
                    let symbol = batch.symbols.at(address).unwrap_or_default().to_owned();
                    let counters = self
                        .histograms
                        .entry((batch.object.index(), symbol))
                        .or_insert_with_key(|(_, symbol)| record.histogram(batch.object, symbol));
                    self.observer.number(*counters)
                } else {
                    0
                };
                let place = Place { at, constants: block.constants, gate: block.gate, site: number };
                trampoline::chain(&span, chosen, &self.target, place).map_err(|why| why.to_string()).and_then(
                    |chain| {
                        let room = block.near.left() >= chain.code.len() as u64 + 16 + block.promised;
                        room.then_some(chain).ok_or_else(|| "no room in reach of the code".to_owned())
                    },
                )
            };
            let multiply_adds = span.iter().filter_map(Fma::decode).filter(chosen).count() as u64;
            let (within, at, chain) = match made {
                Ok(chain) => {
                    emulated += multiply_adds;
                    all.own.extend(chain.places());
                    (roomy, at, chain)
                }
                Err(why) => {
                    *skipped.entry(why).or_default() += multiply_adds;
                    let block = &self.blocks[&home];
                    let at = block.near.next(16);
                    let place = Place { at, constants: block.constants, gate: block.gate, site: 0 };
                    let chain = trampoline::chain(&span, |_| false, &self.target, place)
                        .expect("what was decoded can be encoded within reach");
                    (home, at, chain)
                }
            };
            // SAFETY: fresh memory that nobody knows yet.
            unsafe { memory::write(at, &chain.code) };
            let block = self.blocks.get_mut(&within).expect("the block of its code");
            block.near.allocate(chain.code.len() as u64, 16).expect("the room has been promised");
            all.leads.insert(address, chain.entry());
            all.places.extend(chain.places());
            if shared {
                let stub = first + index as u64 * gate::STUB;
                self.covered.extend(chain.places().skip(1).map(|(address, at)| ((stub, address), at)));
            }
            self.tracks.extend(chain.tracks.into_iter().map(|track| (track.code.start, track)));
        }
        batch.object.count(Counter::Executed, emulated);
        for (why, count) in skipped {
            record.skipped(batch.object, count, &why);
        }
        all
    }

    /// Makes the regions of some code, in a block with room. `around` is the generated code around a site, whose other sites
    /// may have been made earlier.
    fn make_regions(
        &mut self,
        function: &[Instruction],
        roomy: usize,
        around: Option<&Surroundings>,
        made: &mut Made,
    ) {
        let stubs = around.map(|code| &code.stubs);
        let Made { places, own, leads } = made;
        let kinds = self.kinds;
        let covered = |address: u64| {
            let (&start, &stub) = stubs?.range(..address).next_back()?;
            (address < start + JUMP as u64).then(|| self.covered.get(&(stub, address)).copied())?
        };
        let is_start =
            |address| leads.contains_key(&address) || stubs.is_some_and(|stubs| stubs.contains_key(&address));
        let earlier = |address: u64| stubs?.get(&address).copied().or_else(|| covered(address));
        let code_of = |address: u64| own.get(&address).copied().or_else(|| earlier(address));
        let request = Request {
            target: &self.target,
            selected: &|fma| kinds.contain(fma) && code_of(fma.instruction.ip()).is_some(),
            single: &|address| code_of(address).expect("only selected ones are asked for"),
            resume: &|address| {
                let place = || places.get(&address).copied().or_else(|| earlier(address));
                if is_start(address) { address } else { place().unwrap_or(address) }
            },
        };
        let block = self.blocks.get_mut(&roomy).expect("a block with room");
        let regions = region::translate(function, &request, block.near.next(64));
        for region in regions {
            if block.near.left() < region.code.len() as u64 + 64 + block.promised
                || block.near.next(64) != region.at
            {
                break;
            }
            block.near.allocate(region.code.len() as u64, 64).expect("there is room");
            // SAFETY: fresh memory that nobody knows yet.
            unsafe { memory::write(region.at, &region.code) };
            for entry in &region.entries {
                let Some(lead) = leads.get_mut(&entry.original) else { continue };
                *lead = region.at + entry.offset as u64;
                if let Some(around) = around {
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
            self.maps.insert(region.at, region.map);
        }
    }
}

impl Batch {
    fn address(&self, index: usize) -> u64 {
        self.code.start + self.sites[index].offset as u64
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

    /// The bounds of the function around an address.
    fn function(&self, address: u64) -> Option<Range<u64>> {
        let unwound = self.unwind.and_then(|unwind| unwind.function(address));
        let range = unwound.or_else(|| self.symbols.range(address))?;
        (self.code.start <= range.start && range.end <= self.code.end).then_some(range)
    }

    fn instructions(&self, range: &Range<u64>) -> Option<Vec<Instruction>> {
        functions::instructions(range, |address| self.original(address))
    }
}
