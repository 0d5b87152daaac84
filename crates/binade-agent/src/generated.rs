//! Code generated at run time.
//!
//! Memory that the program makes executable is kept either writable or executable, never both, whatever it asked for:
//! *written* pages fault when they are executed, *executed* ones when they are written. An execution fault finds the
//! multiply-adds that the faulting instruction leads to, patches them, and makes their pages executable; a write fault
//! takes all of the region's patches back, so that the program finds its own bytes, and makes it writable. Bytes change
//! only while their pages are not executable, so no thread ever runs a torn instruction: it faults, and waits.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use binade_run::descent::Code;
use binade_run::record::Counter;
use iced_x86::{Decoder, DecoderOptions, Instruction};

use crate::memory::{self, PAGE};
use crate::record::{ObjectRecord, Record};
use crate::sites::{Candidate, JUMP, Origin, Sites};

const PAGE_BITS: u32 = PAGE.trailing_zeros();
const READ_WRITE: i32 = libc::PROT_READ | libc::PROT_WRITE;
const READ_EXECUTE: i32 = libc::PROT_READ | libc::PROT_EXEC;

/// Whether there has been any such memory; what is cheap to ask without the lock.
static ANY: AtomicBool = AtomicBool::new(false);

/// Whether the program has made memory executable.
pub(crate) fn any() -> bool {
    ANY.load(Ordering::Acquire)
}

/// The bytes of an instruction, padded: of one with an operand in memory, the jump replaces not all.
type Bytes = [u8; 15];

/// Stubs of patches that were taken back, for the same instruction at the same address.
type Retired = BTreeMap<(u64, Bytes), u64>;

/// A patched site.
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
}

impl Regions {
    /// The program is about to give these pages a protection with execution: what they get instead.
    pub(crate) fn enter(&mut self, range: Range<u64>, protection: i32, object: ObjectRecord) -> i32 {
        ANY.store(true, Ordering::Release);
        self.leave(range.clone());
        let pages = ((range.end - range.start) >> PAGE_BITS) as usize;
        let region = Region {
            end: range.end,
            protection,
            object,
            executable: vec![false; pages],
            patches: BTreeMap::new(),
        };
        self.regions.insert(range.start, region);
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
                    let pages = ((rest.end - rest.start) >> PAGE_BITS) as usize;
                    let part = Region {
                        end: rest.end,
                        protection: region.protection,
                        object: region.object,
                        executable: vec![false; pages],
                        patches: BTreeMap::new(),
                    };
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
        tools: Tools<'_>,
        retired: &mut Retired,
    ) -> bool {
        if self.executable[self.page(start, address)] {
            // Another thread was first.
            let page = address & !(PAGE - 1);
            return memory::protect(page..page + PAGE, READ_EXECUTE);
        }
        if !memory::is_mapped(start..self.end) {
            return false;
        }
        // Who writes now waits until the patches are in.
        self.protect_written(start, libc::PROT_READ);
        let found = {
            let patches = &self.patches;
            // SAFETY: the region is mapped readable. Another thread may write pages that are not executable; whatever
            // is read of them then is decoded again when they are executed.
            let bytes = unsafe { memory::view(start..self.end) };
            let original = |address: u64| {
                let patch = patches.get(&address)?;
                let mut bytes = [0x90; 15];
                let length = 15.min(self.end - address);
                // SAFETY: within the region.
                bytes[..length as usize].copy_from_slice(unsafe { memory::view(address..address + length) });
                bytes[..JUMP].copy_from_slice(&patch.original[..JUMP]);
                Some(Decoder::with_ip(64, &bytes, address, DecoderOptions::NONE).decode())
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
        let is_new = |site: &&Instruction| !self.patches.contains_key(&site.ip());
        let sites: Vec<Instruction> = found.sites.iter().filter(is_new).copied().collect();
        let stubs = self.stubs(start, &sites, tools.sites, tools.record, retired);
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

    /// Stubs for sites, as far as there is room: address, bytes, stub.
    fn stubs(
        &self,
        start: u64,
        sites: &[Instruction],
        all: &mut Sites,
        record: &mut Record,
        retired: &mut Retired,
    ) -> Vec<(u64, Bytes, u64)> {
        let mut stubs = Vec::with_capacity(sites.len());
        let mut fresh = Vec::new();
        for site in sites {
            let address = site.ip();
            let mut original = [0; size_of::<Bytes>()];
            // SAFETY: a decoded instruction of the region.
            original[..site.len()].copy_from_slice(unsafe { memory::view(address..site.next_ip()) });
            match retired.remove(&(address, original)) {
                // A region's copy may be of instructions that have changed.
                Some(stub) if !all.leads_to_region(stub) => stubs.push((address, original, stub)),
                _ => fresh.push((address, original)),
            }
        }
        if fresh.is_empty() {
            return stubs;
        }
        self.object.count(Counter::Found, fresh.len() as u64);
        let candidate = |&(address, bytes): &(u64, Bytes)| {
            let mut original = [0; JUMP];
            original.copy_from_slice(&bytes[..JUMP]);
            Candidate { address, original }
        };
        let candidates: Vec<Candidate> = fresh.iter().map(candidate).collect();
        match all.add(start..self.end, &candidates, true, self.object, Origin::default()) {
            Some(first) => {
                self.object.count(Counter::Patched, fresh.len() as u64);
                for (number, &(address, original)) in fresh.iter().enumerate() {
                    stubs.push((address, original, first + number as u64 * crate::gate::STUB));
                }
            }
            None => record.skipped(self.object, fresh.len() as u64, "no room in reach of the code"),
        }
        stubs
    }
}
