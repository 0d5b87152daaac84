//! Code generated at run time.
//!
//! Memory that the program makes executable is kept either writable or executable, never both, whatever it asked for:
//! *written* pages fault when they are executed, *executed* ones when they are written. An execution fault finds the
//! multiply-adds that the faulting instruction leads to, patches them, and makes their pages executable; a write fault
//! takes all of the region's patches back, so that the program finds its own bytes, and makes it writable. Bytes change
//! only while their pages are not executable, so no thread ever runs a torn instruction: it faults, and waits.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use binade_run::descent::Code;
use binade_run::record::Counter;
use binade_run::span::{self, JUMP, Span};
use iced_x86::{Decoder, DecoderOptions, Instruction};

use crate::memory::{self, PAGE};
use crate::record::{ObjectRecord, Record};
use crate::sites::{Candidate, Origin, Sites};
use crate::state::NO_ROOM;

const PAGE_BITS: u32 = PAGE.trailing_zeros();
const READ_WRITE: i32 = libc::PROT_READ | libc::PROT_WRITE;
const READ_EXECUTE: i32 = libc::PROT_READ | libc::PROT_EXEC;

/// Whether there has been any such memory; what is cheap to ask without the lock.
static ANY: AtomicBool = AtomicBool::new(false);

/// Whether the program has made memory executable.
pub(crate) fn any() -> bool {
    ANY.load(Ordering::Acquire)
}

/// The bytes of a span, padded: the jump may replace not all.
type Bytes = [u8; span::LONGEST];

/// Stubs of patches that were taken back, for the same instruction at the same address.
type Retired = BTreeMap<(u64, Bytes), u64>;

/// A patched span.
#[derive(Clone, Copy, Debug)]
struct Patch {
    original: Bytes,
    stub: u64,
}

/// Memory that the program made executable by one call.
#[derive(Debug)]
struct Region {
    end: u64,
    /// What the program asked for.
    protection: i32,
    object: ObjectRecord,
    /// Which pages are executable now; no other is.
    executable: Vec<bool>,
    /// What is patched now, by address.
    patches: BTreeMap<u64, Patch>,
    /// Multiply-adds that have no room for a jump.
    cramped: BTreeSet<u64>,
    /// Products of tiles that have been counted.
    tiles: BTreeSet<u64>,
}

/// All such memory, by its start; regions do not overlap.
#[derive(Debug, Default)]
pub(crate) struct Regions {
    regions: BTreeMap<u64, Region>,
    retired: Retired,
}

/// How an access failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    Read,
    Write,
    Execute,
}

/// What the regions need of the rest of the agent.
pub(crate) struct Tools<'a> {
    pub(crate) sites: &'a mut Sites,
    pub(crate) record: &'a mut Record,
    pub(crate) chosen: &'a dyn Fn(&Instruction) -> bool,
    /// Whether elementary functions are computed under the operator too.
    pub(crate) elementary: bool,
}

impl Regions {
    /// The program is about to give these pages a protection with execution: what they get instead.
    pub(crate) fn enter(&mut self, range: Range<u64>, protection: i32, object: ObjectRecord) -> i32 {
        ANY.store(true, Ordering::Release);
        self.leave(range.clone());
        self.regions.insert(range.start, Region::new(&range, protection, object));
        (protection & !libc::PROT_EXEC) | libc::PROT_READ
    }

    /// The program is about to do something else with these pages: their bytes are the program's again, and the rest of
    /// their regions stays. What the first of them was, if any.
    pub(crate) fn leave(&mut self, range: Range<u64>) -> Option<(i32, ObjectRecord)> {
        let overlapping: Vec<u64> = self
            .regions
            .range(..range.end)
            .rev()
            .take_while(|(_, region)| region.end > range.start)
            .map(|(&start, _)| start)
            .collect();
        let mut left = None;
        for start in overlapping {
            let Some(mut region) = self.regions.remove(&start) else { continue };
            left = Some((region.protection, region.object));
            region.make_writable(start, &mut self.retired);
            for rest in [start..range.start.min(region.end), range.end.max(start)..region.end] {
                if rest.start < rest.end {
                    let part = Region::new(&rest, region.protection, region.object);
                    self.regions.insert(rest.start, part);
                }
            }
        }
        left
    }

    /// Answers a fault, if it was one of ours: then the access is to be tried again.
    pub(crate) fn fault(&mut self, address: u64, instruction: u64, access: Access, tools: Tools<'_>) -> bool {
        let Some((&start, region)) = self.regions.range_mut(..=address).next_back() else { return false };
        if address >= region.end {
            return false;
        }
        match access {
            Access::Execute => region.execute(start, address, instruction, tools, &mut self.retired),
            Access::Write if region.protection & libc::PROT_WRITE != 0 => {
                region.make_writable(start, &mut self.retired)
            }
            Access::Write | Access::Read => false,
        }
    }
}

impl Region {
    fn new(range: &Range<u64>, protection: i32, object: ObjectRecord) -> Region {
        Region {
            end: range.end,
            protection,
            object,
            executable: vec![false; ((range.end - range.start) >> PAGE_BITS) as usize],
            patches: BTreeMap::new(),
            cramped: BTreeSet::new(),
            tiles: BTreeSet::new(),
        }
    }

    fn page(&self, start: u64, address: u64) -> usize {
        ((address - start) >> PAGE_BITS) as usize
    }

    /// Takes all patches back, and makes every page what the program asked for, but for execution.
    fn make_writable(&mut self, start: u64, retired: &mut Retired) -> bool {
        if self.executable.contains(&true) || !self.patches.is_empty() {
            if !memory::protect(start..self.end, READ_WRITE) {
                // Not there any more, or never to be written.
                return false;
            }
            for (address, patch) in std::mem::take(&mut self.patches) {
                // SAFETY: the page is writable and not executable.
                unsafe { memory::write(address, &patch.original[..JUMP]) };
                retired.insert((address, patch.original), patch.stub);
            }
            self.executable.fill(false);
        }
        memory::protect(start..self.end, self.written_protection())
    }

    /// Finds, patches and makes executable what runs from `instruction`, whose fetch failed at `address`.
    fn execute(
        &mut self,
        start: u64,
        address: u64,
        instruction: u64,
        mut tools: Tools<'_>,
        retired: &mut Retired,
    ) -> bool {
        if self.executable[self.page(start, address)] {
            // Another thread was first.
            let mut pages = address..address + 1;
            if let Some(patched) = self.covering(instruction) {
                self.take_back(patched);
                pages = patched..patched + JUMP as u64;
            }
            return memory::protect(pages, READ_EXECUTE);
        }
        if !memory::is_mapped(start..self.end) {
            return false;
        }
        // Who writes now waits until the patches are in.
        self.protect_written(start, libc::PROT_READ);
        let found = {
            // SAFETY: the region is mapped readable. Another thread may write pages that are not executable; whatever
            // is read of them then is decoded again when they are executed.
            let bytes = unsafe { memory::view(start..self.end) };
            let original = |address: u64| {
                let (&patched, patch) = self.patches.range(..=address).next_back()?;
                let covered = (address - patched) as usize;
                (covered < JUMP).then(|| {
                    Decoder::with_ip(64, &patch.original[covered..], address, DecoderOptions::NONE).decode()
                })
            };
            let entry = if (start..self.end).contains(&instruction) { instruction } else { address };
            Code { bytes, base: start, overlay: original }.descend(entry, PAGE_BITS, tools.chosen)
        };
        let mut pages = vec![false; self.executable.len()];
        pages[self.page(start, address)] = true;
        for (&address, &length) in &found.instructions {
            pages[self.page(start, address)] = true;
            let last = (address + length as u64 - 1).min(self.end - 1);
            pages[self.page(start, last)] = true;
        }
        for &target in &found.entered {
            if let Some(patched) = self.covering(target) {
                self.take_back(patched);
                // Executable again below.
                for byte in [patched, patched + JUMP as u64 - 1] {
                    pages[self.page(start, byte)] = true;
                }
            }
        }
        let tiles = found.tiles.iter().filter(|&&address| self.tiles.insert(address)).count() as u64;
        self.object.count(Counter::Tiles, tiles);
        let mut sites: Vec<&Span> = vec![];
        let mut cramped: Vec<u64> = found.cramped;
        for span in &found.sites {
            let alone = span.instructions().len() == 1;
            let running = [span.start(), span.end() - 1].map(|byte| self.executable[self.page(start, byte)]);
            if self.patches.contains_key(&span.start()) {
                continue;
            }
            // Of several instructions, a thread may be between two.
            if alone || running == [false; 2] && !self.cramped.contains(&span.start()) {
                sites.push(span);
            } else {
                cramped.push(span.start());
            }
        }
        let cramped = cramped.into_iter().filter(|&address| self.cramped.insert(address)).count() as u64;
        self.object.count(Counter::Found, cramped);
        tools.record.skipped(self.object, cramped, NO_ROOM);
        let stubs = self.stubs(start, &sites, found.roots.clone(), &mut tools, retired);
        for &(address, ..) in &stubs {
            memory::protect(address..address + JUMP as u64, libc::PROT_READ);
        }
        for &(address, original, stub) in &stubs {
            // SAFETY: the page is neither writable nor executable, so nobody else writes or runs these bytes.
            if !unsafe { memory::force(address, &memory::jump(address, stub)) } {
                tools.record.skipped(self.object, 1, "the code cannot be written");
                continue;
            }
            self.patches.insert(address, Patch { original, stub });
            for byte in [address, address + JUMP as u64 - 1] {
                pages[self.page(start, byte)] = true;
            }
        }
        let mut done = true;
        for (index, page) in pages.into_iter().enumerate() {
            if page {
                let at = start + index as u64 * PAGE;
                done &= memory::protect(at..at + PAGE, READ_EXECUTE);
                self.executable[index] = true;
            }
        }
        self.protect_written(start, self.written_protection());
        done
    }

    /// Takes a patch back for good: something leads to an instruction that it covers. Its pages can be read only, then.
    fn take_back(&mut self, address: u64) {
        let Some(patch) = self.patches.remove(&address) else { return };
        memory::protect(address..address + JUMP as u64, libc::PROT_READ);
        // SAFETY: the pages are neither writable nor executable, so nobody else writes or runs these bytes.
        unsafe { memory::force(address, &patch.original[..JUMP]) };
        self.cramped.insert(address);
    }

    /// The patch that covers an address without starting there.
    fn covering(&self, address: u64) -> Option<u64> {
        let (&patched, _) = self.patches.range(..address).next_back()?;
        (address < patched + JUMP as u64).then_some(patched)
    }

    /// What pages have that are not executable now.
    fn written_protection(&self) -> i32 {
        (self.protection & !libc::PROT_EXEC) | libc::PROT_READ
    }

    /// Sets the protection of the pages that are not executable now, a run of them at a time.
    fn protect_written(&self, start: u64, protection: i32) {
        let mut run = 0;
        while run < self.executable.len() {
            let length = self.executable[run..].iter().take_while(|&&executable| !executable).count();
            if length > 0 {
                let at = start + run as u64 * PAGE;
                memory::protect(at..at + length as u64 * PAGE, protection);
            }
            run += length + 1;
        }
    }

    /// Stubs for spans, as far as there is room: address, bytes, stub.
    fn stubs(
        &self,
        start: u64,
        sites: &[&Span],
        roots: BTreeSet<u64>,
        tools: &mut Tools<'_>,
        retired: &mut Retired,
    ) -> Vec<(u64, Bytes, u64)> {
        let mut stubs = Vec::with_capacity(sites.len());
        let mut fresh = Vec::new();
        let mut multiply_adds = 0;
        for site in sites {
            let address = site.start();
            let mut original = [0; size_of::<Bytes>()];
            // SAFETY: decoded instructions of the region.
            original[..site.length()].copy_from_slice(unsafe { memory::view(address..site.end()) });
            match retired.remove(&(address, original)) {
                // A region's copy may be of instructions that have changed.
                Some(stub) if !tools.sites.leads_to_region(stub) => {
                    tools.sites.reconsider(stub);
                    stubs.push((address, original, stub));
                }
                _ => {
                    let chosen = |instruction: &&Instruction| (tools.chosen)(instruction);
                    multiply_adds += site.instructions().iter().filter(chosen).count() as u64;
                    fresh.push((address, original));
                }
            }
        }
        if fresh.is_empty() {
            return stubs;
        }
        self.object.count(Counter::Found, multiply_adds);
        let candidates: Vec<Candidate> =
            fresh.iter().map(|(address, bytes)| Candidate::new(*address, bytes)).collect();
        let origin = Origin { roots, elementary: tools.elementary, ..Origin::default() };
        match tools.sites.add(start..self.end, &candidates, true, self.object, origin) {
            Some(first) => {
                self.object.count(Counter::Patched, multiply_adds);
                for (number, &(address, original)) in fresh.iter().enumerate() {
                    stubs.push((address, original, first + number as u64 * crate::gate::STUB));
                }
            }
            None => tools.record.skipped(self.object, multiply_adds, "no room in reach of the code"),
        }
        stubs
    }
}
