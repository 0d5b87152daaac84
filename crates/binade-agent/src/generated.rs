//! Code generated at run time.
//!
//! Pages that the program makes executable are kept either writable or executable, whatever it asked for: *written* pages
//! fault when they are executed, *executed* ones when they are written. An execution fault finds the multiply-adds that the
//! faulting instruction leads to, patches them, and makes the pages executable on which it has found code. A write fault
//! takes the patches of that page back, so that the program finds its own bytes, and makes it writable; other pages stay.
//! Patches change only while their pages are neither writable nor executable, so no thread runs a torn instruction or has
//! its own write undone: it faults, and waits.
//!
//! The instructions and patches of a page are known while it is executable, and dropped together. So the cost of a fault depends on
//! the pages that change their protection, not on how much the program has mapped.
//!
//! Pages on which the program keeps writing beside its code, such as a heap's, would go back and forth for ever, and system
//! calls that write there would fail. After [`PATIENCE`] such writes a page becomes writable and executable, with its patches.
//! What is written over code there afterwards is not seen before the program changes the page's protection again.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Range;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use binade_patch::descent::{self, Marks, Memory};
use binade_patch::span::{self, JUMP, Span};
use binade_profile::record::Counter;
use iced_x86::{Decoder, DecoderOptions, Instruction};

use crate::memory::{self, Access, PAGE};
use crate::record::{ObjectRecord, Record, counter_of};
use crate::sites::{Candidate, NO_ROOM, Origin, Sites};
use crate::stubs::STUB;

const READ_EXECUTE: i32 = libc::PROT_READ | libc::PROT_EXEC;

/// Writes beside its code after which an executable page stays writable.
const PATIENCE: u32 = 256;

/// Ranges given up that are remembered, for threads whose faults come late.
const REMEMBERED: usize = 64;

/// Times that one fault is tried again because the mapping allows the access.
const TRIES: u32 = 1000;

/// True once there has been any such memory. It is read without the lock.
static ANY: AtomicBool = AtomicBool::new(false);

/// True if the program has made memory executable.
pub(crate) fn any() -> bool {
    ANY.load(Ordering::Acquire)
}

/// The bytes of a span, padded: the jump may replace not all.
type Bytes = [u8; span::LONGEST];

/// A patched span.
#[derive(Clone, Copy, Debug)]
struct Patch {
    original: Bytes,
    stub: u64,
}

impl Patch {
    fn jump(&self, address: u64) -> [u8; JUMP] {
        memory::jump(address, self.stub)
    }
}

/// Memory that the program made executable.
#[derive(Clone, Copy, Debug)]
struct Region {
    end: u64,
    /// The protection that the program asked for.
    protection: i32,
    object: ObjectRecord,
}

impl Region {
    /// The protection of written pages.
    fn written(&self) -> i32 {
        (self.protection & !libc::PROT_EXEC) | libc::PROT_READ
    }
}

/// A page that is or was executable, or that branches of one lead to.
#[derive(Debug, Default)]
struct Page {
    executable: bool,
    /// True if it stays writable while it is executable.
    mixed: bool,
    /// The known facts about its code; the instructions only while it is executable.
    marks: Marks,
    /// Writes beside its code while it was executable.
    writes: u32,
}

/// All such memory.
#[derive(Debug, Default)]
pub(crate) struct Regions {
    /// By its start; regions do not overlap.
    regions: BTreeMap<u64, Region>,
    /// By address.
    pages: BTreeMap<u64, Page>,
    /// Patches in force, by address.
    patches: BTreeMap<u64, Patch>,
    /// Multiply-adds that have no room for a jump.
    cramped: BTreeSet<u64>,
    /// Multiply-adds in functions that were not chosen.
    refused: BTreeSet<u64>,
    /// Addresses that code uses as data.
    data: BTreeSet<u64>,
    /// Products of tiles and multiply-adds of other types that have been counted.
    tiles: BTreeSet<u64>,
    /// Stubs of patches that were taken back, for the same instructions at the same address.
    retired: BTreeMap<(u64, Bytes), u64>,
    /// True if code with jumps through registers has been seen.
    indirect: bool,
    /// Ranges given up last.
    left: VecDeque<Range<u64>>,
    /// The last fault that was tried again because the address space allows the access, and how often.
    tried: (u64, u64, u32),
}

/// The code that a site leads to, of a function whose bounds are not known.
pub(crate) struct Surroundings {
    /// The instructions that the site leads to, by ascending address.
    pub(crate) instructions: Vec<Instruction>,
    /// The stubs of the sites among it, by address.
    pub(crate) stubs: BTreeMap<u64, u64>,
    /// Of generated code, which may change: its bytes, as the program wrote them.
    pub(crate) copied: Rc<Copied>,
}

/// Runs of instructions by their addresses.
pub(crate) type Copied = Vec<(u64, Vec<u8>)>;

/// The parts of the agent that the regions use.
pub(crate) struct Tools<'a> {
    pub(crate) sites: &'a mut Sites,
    pub(crate) record: &'a mut Record,
    pub(crate) chosen: &'a dyn Fn(&Instruction) -> bool,
    /// The number of the operator at the address of a chosen instruction.
    pub(crate) operator: &'a dyn Fn(u64) -> u16,
    /// True if elementary functions are computed under the operator too.
    pub(crate) elementary: bool,
}

fn page_of(address: u64) -> u64 {
    address & !(PAGE - 1)
}

/// The pages that a patch is on.
fn pages_of(patch: u64) -> [u64; 2] {
    [page_of(patch), page_of(patch + JUMP as u64 - 1)]
}

/// Sets the protection of pages, a run of them at a time.
fn protect_each(pages: &BTreeSet<u64>, protection: i32) -> bool {
    let mut done = true;
    let mut run = 0..0;
    for &page in pages {
        if run.end != page {
            done &= run.is_empty() || memory::protect(run, protection);
            run = page..page;
        }
        run.end = page + PAGE;
    }
    done & (run.is_empty() || memory::protect(run, protection))
}

/// Of pages, those that are mapped still, readable only now.
fn still_mapped(mut pages: BTreeSet<u64>) -> BTreeSet<u64> {
    if !protect_each(&pages, libc::PROT_READ) {
        pages.retain(|&page| memory::protect(page..page + PAGE, libc::PROT_READ));
    }
    pages
}

impl Regions {
    /// Takes over pages that the program has made executable, or is about to. Returns the protection that they get instead.
    pub(crate) fn enter(
        &mut self,
        sites: &Sites,
        mut range: Range<u64>,
        protection: i32,
        object: ObjectRecord,
    ) -> i32 {
        ANY.store(true, Ordering::Release);
        self.leave(sites, range.clone());
        let alike =
            |region: &Region| region.protection == protection && region.object.index() == object.index();
        if let Some((&start, before)) = self.regions.range(..range.start).next_back()
            && before.end == range.start
            && alike(before)
        {
            range.start = start;
        }
        if let Some(after) = self.regions.get(&range.end).filter(|after| alike(after)).copied() {
            self.regions.remove(&range.end);
            range.end = after.end;
        }
        let region = Region { end: range.end, protection, object };
        self.regions.insert(range.start, region);
        region.written()
    }

    /// Takes patches back, since the program is about to use these pages otherwise. Returns protection and object of the first of them.
    pub(crate) fn leave(&mut self, sites: &Sites, range: Range<u64>) -> Option<(i32, ObjectRecord)> {
        let overlapping: Vec<u64> = self
            .regions
            .range(..range.end)
            .rev()
            .take_while(|(_, region)| region.end > range.start)
            .map(|(&start, _)| start)
            .collect();
        if overlapping.is_empty() {
            return None;
        }
        self.renew(sites, range.clone());
        let mut left = None;
        for start in overlapping {
            let Some(region) = self.regions.remove(&start) else { continue };
            left = Some((region.protection, region.object));
            for rest in [start..range.start.min(region.end), range.end.max(start)..region.end] {
                if rest.start < rest.end {
                    self.regions.insert(rest.start, Region { end: rest.end, ..region });
                }
            }
        }
        self.left.push_back(range);
        if self.left.len() > REMEMBERED {
            self.left.pop_front();
        }
        left
    }

    /// Gives all memory back to the program: its bytes and protections are those that the program wants.
    pub(crate) fn release(&mut self, sites: &Sites) {
        let all: Vec<(Range<u64>, i32)> =
            self.regions.iter().map(|(&start, region)| (start..region.end, region.protection)).collect();
        for (range, protection) in all {
            self.leave(sites, range.clone());
            memory::protect(range, protection);
        }
    }

    /// The contents of these pages are about to be replaced: nothing known about them is true any longer.
    pub(crate) fn renew(&mut self, sites: &Sites, range: Range<u64>) {
        let executable = self.pages.range(range.clone()).filter(|(_, page)| page.executable);
        let executable: BTreeSet<u64> = executable.map(|(&at, _)| at).collect();
        self.stop(sites, executable);
        let forget = |set: &mut BTreeSet<u64>| {
            let mut rest = set.split_off(&range.start);
            set.append(&mut rest.split_off(&range.end));
        };
        forget(&mut self.cramped);
        forget(&mut self.refused);
        forget(&mut self.data);
        forget(&mut self.tiles);
        let mut rest = self.pages.split_off(&range.start);
        self.pages.append(&mut rest.split_off(&range.end));
    }

    /// True if code on the page of an address runs as it is known.
    pub(crate) fn marks(&self, address: u64) -> Option<&Marks> {
        self.pages.get(&page_of(address)).filter(|page| page.executable).map(|page| &page.marks)
    }

    /// The instructions that direct branches reach, at most `most`, and the stubs of the sites among them.
    fn reachable(&self, start: u64, most: usize) -> (BTreeMap<u64, Instruction>, BTreeMap<u64, u64>) {
        let view = View { of: self, freezes: false, frozen: RefCell::default(), last: Cell::new(u64::MAX) };
        let reached = descent::reachable(&view, start, most);
        let patch = |address: u64| {
            let (&start, patch) = self.patches.range(..=address).next_back()?;
            (address < start + JUMP as u64).then_some((start, patch.stub))
        };
        let stubs = reached.keys().filter_map(|&address| patch(address)).collect();
        (reached, stubs)
    }

    /// The first `most` instructions of the function that starts at an address, and the stubs of the sites among them.
    pub(crate) fn function(&self, start: u64, most: usize) -> (Vec<Instruction>, BTreeMap<u64, u64>) {
        let (reached, stubs) = self.reachable(start, most);
        (reached.into_values().collect(), stubs)
    }

    /// The code that a patched instruction leads to, as far as it runs: it does not change without a fault.
    pub(crate) fn surroundings(&self, address: u64) -> Option<Surroundings> {
        let (reached, stubs) = self.reachable(address, usize::MAX);
        let mut copied: Vec<Range<u64>> = Vec::new();
        for instruction in reached.values() {
            match copied.last_mut() {
                Some(last) if last.end == instruction.ip() => last.end = instruction.next_ip(),
                _ => copied.push(instruction.ip()..instruction.next_ip()),
            }
        }
        let bytes = |range: Range<u64>| Some((range.start, self.original(range, &BTreeSet::new())?));
        let copied = copied.into_iter().map(bytes).collect::<Option<_>>()?;
        // Another thread may have taken the patches back.
        stubs.contains_key(&address).then(|| Surroundings {
            instructions: reached.into_values().collect(),
            stubs,
            copied: Rc::new(copied),
        })
    }

    /// Answers a fault, if it was one of ours: then the access is to be tried again.
    pub(crate) fn fault(&mut self, address: u64, instruction: u64, access: Access, tools: Tools<'_>) -> bool {
        let answered = match (self.region(address), access) {
            (Some(_), Access::Execute) => self.execute(address, instruction, tools),
            (Some(region), Access::Write) if region.protection & libc::PROT_WRITE != 0 => {
                self.write(region, address, tools)
            }
            _ => false,
        };
        answered || self.came_late(address, instruction, access)
    }

    /// True if a fault is of memory that another thread has given another protection meanwhile, which allows the access.
    fn came_late(&mut self, address: u64, instruction: u64, access: Access) -> bool {
        let given_up = self.left.iter().any(|range| range.contains(&address));
        if !given_up && self.region(address).is_none() || !memory::allows(address, access) {
            return false;
        }
        let (last, at, times) = &mut self.tried;
        if (*last, *at) != (address, instruction) {
            (*last, *at, *times) = (address, instruction, 0);
        }
        *times += 1;
        *times <= TRIES
    }

    /// The object that the generated code at an address belongs to.
    pub(crate) fn object(&self, address: u64) -> Option<ObjectRecord> {
        self.region(address).map(|region| region.object)
    }

    fn region(&self, address: u64) -> Option<Region> {
        let (_, region) = self.regions.range(..=address).next_back()?;
        (address < region.end).then_some(*region)
    }

    /// The patch that covers an address without starting there.
    fn covering(&self, address: u64) -> Option<u64> {
        let (&patched, _) = self.patches.range(..address).next_back()?;
        (address < patched + JUMP as u64).then_some(patched)
    }

    /// Makes a page writable that the program writes.
    fn write(&mut self, region: Region, address: u64, tools: Tools<'_>) -> bool {
        let at = page_of(address);
        let Some(page) = self.pages.get_mut(&at).filter(|page| page.executable) else {
            // Another thread was first.
            return memory::protect(at..at + PAGE, region.written());
        };
        page.writes += u32::from(!page.marks.is_covered(address));
        if page.writes > PATIENCE {
            if !std::mem::replace(&mut page.mixed, true) {
                tools.record.note(
                    "memory that holds code and data stays writable: multiply-adds that are written there later run natively",
                );
            }
            return memory::protect(at..at + PAGE, region.protection | libc::PROT_READ);
        }
        self.stop(tools.sites, BTreeSet::from([at]))
    }

    /// Takes the patches of executable pages back, and of those that hang together with them, and makes them written pages.
    fn stop(&mut self, sites: &Sites, pages: BTreeSet<u64>) -> bool {
        if pages.is_empty() {
            return true;
        }
        // A patch across two pages, and a copy of code on several, end with any of them.
        let mut stopping = BTreeSet::new();
        let mut patches = Vec::new();
        let mut more: Vec<u64> = pages.into_iter().collect();
        while let Some(page) = more.pop() {
            if !self.pages.get(&page).is_some_and(|page| page.executable) || !stopping.insert(page) {
                continue;
            }
            for (&patch, _) in self.patches.range(page.saturating_sub(JUMP as u64 - 1)..page + PAGE) {
                patches.push(patch);
                more.extend(pages_of(patch));
            }
            for entry in sites.copies_of(page) {
                if self.patches.contains_key(&entry) {
                    more.extend(pages_of(entry));
                }
            }
        }
        patches.sort_unstable();
        patches.dedup();
        let touched: BTreeSet<u64> = patches.iter().flat_map(|&patch| pages_of(patch)).collect();
        let mapped = still_mapped(touched);
        for address in patches {
            let Some(patch) = self.patches.remove(&address) else { continue };
            // What is not there any more, or not the jump any more, is the program's already.
            let there = pages_of(address).iter().all(|page| mapped.contains(page));
            // SAFETY: the pages are mapped, and neither writable nor executable.
            if there && unsafe { memory::replace(address, &patch.jump(address), &patch.original[..JUMP]) } {
                self.retired.insert((address, patch.original), patch.stub);
            }
        }
        let mut by_protection: BTreeMap<i32, BTreeSet<u64>> = BTreeMap::new();
        for &at in &stopping {
            let written = self.region(at).map_or(libc::PROT_READ, |region| region.written());
            let Some(page) = self.pages.get_mut(&at) else { continue };
            (page.executable, page.mixed) = (false, false);
            page.marks.forget_instructions();
            by_protection.entry(written).or_default().insert(at);
        }
        by_protection.iter().fold(true, |done, (&protection, pages)| protect_each(pages, protection) & done)
    }

    /// Finds, patches and makes executable what runs from `instruction`, whose fetch failed at `address`.
    fn execute(&mut self, address: u64, instruction: u64, mut tools: Tools<'_>) -> bool {
        let entry = if self.region(instruction).is_some() { instruction } else { address };
        let mut running = BTreeSet::from([page_of(address)]);
        if let Some(patched) = self.covering(entry) {
            running.extend(self.take_back(patched));
        }
        if self.marks(address).is_some() && self.marks(entry).is_some_and(|marks| marks.is_start(entry)) {
            // Another thread was first.
            return self.run(running);
        }
        let view = View { of: self, freezes: true, frozen: RefCell::default(), last: Cell::new(u64::MAX) };
        let found = descent::descend(&view, entry, address, tools.sites.kinds(), tools.chosen);
        let frozen = view.frozen.into_inner();
        self.indirect |= found.indirect;
        self.data.extend(&found.data);
        for &target in &found.entered {
            if let Some(patched) = self.covering(target) {
                running.extend(self.take_back(patched));
            }
        }
        let mut sites: Vec<&Span> = vec![];
        let mut cramped: Vec<u64> = found.cramped.clone();
        for span in found.sites.iter().filter(|span| !self.patches.contains_key(&span.start())) {
            let several = span.instructions().len() > 1;
            if several && (self.indirect || self.cramped.contains(&span.start()) || self.is_within(span)) {
                cramped.push(span.start());
            } else {
                sites.push(span);
            }
        }
        self.report_cramped(cramped, &mut tools);
        running.extend(&found.pages);
        for (&at, marks) in &found.marks {
            self.pages.entry(at).or_default().marks.add(marks);
        }
        if let Some(region) = self.region(address) {
            let tiles = found.tiles.iter().filter(|&&product| self.tiles.insert(product)).count();
            region.object.count(Counter::Tiles, tiles as u64);
            for (&at, &native) in &found.native {
                if self.tiles.insert(at) {
                    region.object.count(counter_of(native), 1);
                }
            }
        }
        tools.sites.know_functions(&found.roots);
        self.plant(&sites, &running, &mut tools);
        let rest: BTreeSet<u64> = frozen.difference(&running).copied().collect();
        for at in rest {
            if let Some(region) = self.region(at) {
                memory::protect(at..at + PAGE, region.written());
            }
        }
        self.run(running)
    }

    /// Makes pages executable.
    fn run(&mut self, running: BTreeSet<u64>) -> bool {
        let mut mixed = BTreeSet::new();
        for &at in &running {
            let page = self.pages.entry(at).or_default();
            page.executable = true;
            if page.mixed {
                mixed.insert(at);
            }
        }
        let done = protect_each(&running.difference(&mixed).copied().collect(), READ_EXECUTE);
        mixed.into_iter().fold(done, |done, at| {
            let protection = self.region(at).map_or(0, |region| region.protection);
            memory::protect(at..at + PAGE, protection | libc::PROT_READ) & done
        })
    }

    /// True if a thread may be between two instructions of a span: it may where the page of the second is executable.
    fn is_within(&self, span: &Span) -> bool {
        span.instructions().iter().skip(1).any(|instruction| self.marks(instruction.ip()).is_some())
    }

    /// Counts multiply-adds that are left alone for a reason.
    pub(crate) fn leave_alone(&mut self, refused: BTreeSet<u64>, why: &str, record: &mut Record) {
        let mut by_object: BTreeMap<u64, (ObjectRecord, u64)> = BTreeMap::new();
        for address in refused {
            if self.refused.insert(address)
                && let Some(region) = self.region(address)
            {
                by_object.entry(region.object.index()).or_insert((region.object, 0)).1 += 1;
            }
        }
        for (object, count) in by_object.into_values() {
            object.count(Counter::Found, count);
            record.skipped(object, count, why);
        }
    }

    fn report_cramped(&mut self, cramped: Vec<u64>, tools: &mut Tools<'_>) {
        for address in cramped {
            if self.cramped.insert(address)
                && let Some(region) = self.region(address)
            {
                region.object.count(Counter::Found, 1);
                tools.record.skipped(region.object, 1, NO_ROOM);
            }
        }
    }

    /// Patches sites, whose pages are among those that will run.
    fn plant(&mut self, sites: &[&Span], running: &BTreeSet<u64>, tools: &mut Tools<'_>) {
        let stubs = self.stubs(sites, running, tools);
        let touched: BTreeSet<u64> = stubs.iter().flat_map(|&(address, _)| pages_of(address)).collect();
        if !protect_each(&touched, libc::PROT_READ) {
            return;
        }
        for (address, patch) in stubs {
            // SAFETY: the pages are mapped, and neither writable nor executable, so no other thread writes or runs these bytes.
            if unsafe { memory::replace(address, &patch.original[..JUMP], &patch.jump(address)) } {
                self.patches.insert(address, patch);
            } else if let Some(region) = self.region(address) {
                tools.record.skipped(region.object, 1, "the code cannot be written");
            }
        }
    }

    /// Takes a patch back for good: something leads to an instruction that it covers. Its pages can be read only, then.
    fn take_back(&mut self, address: u64) -> [u64; 2] {
        let pages = pages_of(address);
        if let Some(patch) = self.patches.remove(&address)
            && protect_each(&BTreeSet::from(pages), libc::PROT_READ)
        {
            // SAFETY: the pages are mapped, and neither writable nor executable.
            unsafe { memory::replace(address, &patch.jump(address), &patch.original[..JUMP]) };
            self.cramped.insert(address);
        }
        pages
    }

    /// Bytes as the program wrote them, of pages that run or are about to; nothing if there are others among them.
    fn original(&self, range: Range<u64>, running: &BTreeSet<u64>) -> Option<Vec<u8>> {
        let stable = |at: u64| running.contains(&at) || self.marks(at).is_some();
        if !(page_of(range.start)..range.end).step_by(PAGE as usize).all(stable) {
            return None;
        }
        // SAFETY: mapped, readable, and not written while the lock is held.
        let mut bytes = unsafe { memory::view(range.clone()) }.to_vec();
        for (&address, patch) in self.patches.range(range.start.saturating_sub(JUMP as u64)..range.end) {
            for (byte, original) in (address..).zip(&patch.original[..JUMP]) {
                if range.contains(&byte) {
                    bytes[(byte - range.start) as usize] = *original;
                }
            }
        }
        Some(bytes)
    }

    /// Patches for spans, as far as there is room for their stubs.
    fn stubs(
        &mut self,
        sites: &[&Span],
        running: &BTreeSet<u64>,
        tools: &mut Tools<'_>,
    ) -> Vec<(u64, Patch)> {
        let mut stubs = Vec::with_capacity(sites.len());
        // By the start of the region.
        let mut fresh: BTreeMap<u64, Vec<&Span>> = BTreeMap::new();
        for &site in sites {
            let address = site.start();
            let original = original_bytes(site);
            let known = self.retired.remove(&(address, original)).filter(|&stub| {
                // A copy may be of instructions that have changed, and a function's name with its operator may be another.
                tools.sites.operator(stub) == Some((tools.operator)(address))
                    && tools.sites.is_right(stub, |range| self.original(range, running))
            });
            match (known, self.regions.range(..=address).next_back()) {
                (Some(stub), _) => {
                    tools.sites.reconsider(stub);
                    stubs.push((address, Patch { original, stub }));
                }
                (None, Some((&start, _))) => fresh.entry(start).or_default().push(site),
                (None, None) => {}
            }
        }
        for (start, sites) in fresh {
            let region = self.regions[&start];
            let chosen = |instruction: &&Instruction| (tools.chosen)(instruction);
            let multiply_adds =
                sites.iter().map(|site| site.instructions().iter().filter(chosen).count() as u64).sum();
            region.object.count(Counter::Found, multiply_adds);
            let candidates: Vec<(Candidate, Bytes)> = sites
                .iter()
                .map(|site| (site.start(), original_bytes(site)))
                .map(|(address, bytes)| (Candidate::new(address, &bytes, (tools.operator)(address)), bytes))
                .collect();
            // What else runs now belongs to the same code: loops are looked for there.
            let within = |page: &&u64| (start..region.end).contains(*page);
            let first = running.iter().find(within).copied().unwrap_or(start);
            let last = running.iter().rev().find(within).map_or(region.end, |page| page + PAGE);
            let only: Vec<Candidate> = candidates.iter().map(|(candidate, _)| *candidate).collect();
            let origin = Origin { elementary: tools.elementary, mapping: start, ..Origin::default() };
            match tools.sites.add(first..last, &only, true, region.object, origin) {
                Some(stub) => {
                    region.object.count(Counter::Patched, multiply_adds);
                    for (number, (candidate, original)) in candidates.iter().enumerate() {
                        let stub = stub + number as u64 * STUB;
                        let patch = Patch { original: *original, stub };
                        stubs.push((candidate.address, patch));
                    }
                }
                None => tools.record.skipped(region.object, multiply_adds, tools.sites.no_space()),
            }
        }
        stubs
    }
}

/// The bytes of a span that has been decoded.
fn original_bytes(span: &Span) -> Bytes {
    let mut original = [0; size_of::<Bytes>()];
    // SAFETY: decoded instructions, on pages that are not written.
    original[..span.length()].copy_from_slice(unsafe { memory::view(span.start()..span.end()) });
    original
}

/// The code as the program wrote it. What is read is frozen: who writes it waits for the lock.
struct View<'a> {
    of: &'a Regions,
    /// True if pages that do not run are read too.
    freezes: bool,
    frozen: RefCell<BTreeSet<u64>>,
    /// The last page that may be read.
    last: Cell<u64>,
}

impl View<'_> {
    /// True if a page may be read, and does not change.
    fn freeze(&self, page: u64) -> bool {
        if self.last.get() == page {
            return true;
        }
        let frozen = self.of.marks(page).is_some() || self.frozen.borrow().contains(&page);
        if !frozen {
            if !self.freezes
                || self.of.region(page).is_none()
                || !memory::protect(page..page + PAGE, libc::PROT_READ)
            {
                return false;
            }
            self.frozen.borrow_mut().insert(page);
        }
        self.last.set(page);
        true
    }
}

impl Memory for View<'_> {
    fn bytes(&self, address: u64) -> &[u8] {
        /// The longest instruction.
        const LONGEST: u64 = 15;
        let page = page_of(address);
        if !self.freeze(page) {
            return &[];
        }
        let mut end = address + LONGEST;
        if end > page + PAGE && !self.freeze(page + PAGE) {
            end = page + PAGE;
        }
        // SAFETY: mapped, readable, and not written while the lock is held.
        unsafe { memory::view(address..end) }
    }

    fn page(&self, page: u64) -> &[u8] {
        if !self.freeze(page) {
            return &[];
        }
        // SAFETY: `freeze` has made the page readable, and it is not written while the lock is taken.
        unsafe { memory::view(page..page + PAGE) }
    }

    fn original(&self, address: u64) -> Option<Instruction> {
        let (&patched, patch) = self.of.patches.range(..=address).next_back()?;
        let covered = (address - patched) as usize;
        (covered < JUMP)
            .then(|| Decoder::with_ip(64, &patch.original[covered..], address, DecoderOptions::NONE).decode())
    }

    fn marks(&self, address: u64) -> Option<&Marks> {
        self.of.marks(address)
    }

    fn entered(&self, page: u64) -> Option<&Marks> {
        self.of.pages.get(&page).map(|page| &page.marks)
    }

    fn is_data(&self, addresses: Range<u64>) -> bool {
        self.of.data.range(addresses).next().is_some()
    }
}

#[cfg(test)]
mod tests {
    use binade_profile::record::Object;

    use super::*;
    use crate::memory::tests::pages;
    use crate::record::tests::Scratch;
    use crate::sites::tests::{FMA, sites};

    const ALL: i32 = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;

    /// A program that has generated a function on the first of two pages.
    struct Program {
        sites: Sites,
        record: Record,
        regions: Regions,
        object: ObjectRecord,
        at: u64,
        scratch: Scratch,
    }

    impl Program {
        fn new(name: &str) -> Option<Program> {
            let sites = sites("bf16:bf16")?;
            let scratch = Scratch::new(name);
            let mut record = Record::create(&scratch.config()).unwrap();
            let object = record.object(&Object { path: "a [generated]".into(), ..Object::default() });
            let at = pages(2, libc::PROT_READ | libc::PROT_WRITE, &[&FMA[..], &[0xc3]].concat());
            let mut regions = Regions::default();
            let given = regions.enter(&sites, at..at + 2 * PAGE, ALL, object);
            assert_eq!(given, libc::PROT_READ | libc::PROT_WRITE, "not executable before it is executed");
            Some(Program { sites, record, regions, object, at, scratch })
        }

        fn fault(&mut self, address: u64, access: Access) -> bool {
            let kinds = self.sites.kinds();
            let chosen = |instruction: &Instruction| kinds.site(instruction);
            let tools = Tools {
                sites: &mut self.sites,
                record: &mut self.record,
                chosen: &chosen,
                operator: &|_| 0,
                elementary: false,
            };
            self.regions.fault(address, address, access, tools)
        }

        fn bytes(&self) -> [u8; JUMP] {
            // SAFETY: the first page is mapped readable, and nothing writes it now.
            unsafe { memory::view(self.at..self.at + JUMP as u64) }.try_into().unwrap()
        }
    }

    #[test]
    fn executed_page_is_patched_and_written_page_is_the_programs() {
        let Some(mut program) = Program::new("pages") else { return };
        let (at, jump) = (program.at, 0xe9);
        assert!(program.fault(at, Access::Execute));
        assert_eq!(program.bytes()[0], jump);
        assert!(memory::allows(at, Access::Execute) && !memory::allows(at, Access::Write));
        assert!(!memory::allows(at + PAGE, Access::Execute), "the other page has not been executed");
        assert!(program.fault(at + 100, Access::Write));
        assert_eq!(program.bytes(), FMA);
        assert!(memory::allows(at, Access::Write) && !memory::allows(at, Access::Execute));
        // The same code again is found, and has the same stub.
        assert!(program.fault(at, Access::Execute));
        assert_eq!(program.bytes()[0], jump);
        let object = &program.scratch.read()[0].objects[0];
        assert_eq!((object.found, object.patched), (1, 1));
    }

    #[test]
    fn leave_gives_the_programs_bytes_back_and_keeps_the_rest() {
        let Some(mut program) = Program::new("leave") else { return };
        let at = program.at;
        assert!(program.fault(at, Access::Execute));
        let left = program.regions.leave(&program.sites, at..at + PAGE);
        assert_eq!(
            left.map(|(protection, object)| (protection, object.index())),
            Some((ALL, program.object.index()))
        );
        assert_eq!(program.bytes(), FMA);
        assert!(program.regions.region(at).is_none() && program.regions.region(at + PAGE).is_some());
        assert!(program.regions.leave(&program.sites, at..at + PAGE).is_none());
    }

    #[test]
    fn fault_elsewhere_is_not_answered() {
        let Some(mut program) = Program::new("elsewhere") else { return };
        let other = pages(1, libc::PROT_READ, &[]);
        assert!(!program.fault(other, Access::Execute) && !program.fault(other, Access::Write));
        let (at, sites) = (program.at, &program.sites);
        program.regions.enter(sites, at..at + PAGE, libc::PROT_READ | libc::PROT_EXEC, program.object);
        memory::protect(at..at + PAGE, libc::PROT_READ);
        assert!(!program.fault(at, Access::Write), "the program itself has forbidden it");
    }

    #[test]
    fn page_that_is_written_beside_its_code_stays_writable() {
        let Some(mut program) = Program::new("mixed") else { return };
        let at = program.at;
        for _ in 0..=PATIENCE {
            assert!(program.fault(at, Access::Execute));
            assert!(program.fault(at + 2048, Access::Write));
        }
        assert!(memory::allows(at, Access::Write) && memory::allows(at, Access::Execute));
    }
}
