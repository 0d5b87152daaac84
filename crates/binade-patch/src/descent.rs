//! Multiply-adds in generated code, of which only the address of one instruction that is about to run is known.
//!
//! Code is followed by recursive descent: from the entry through direct branches, and through calls whose target is on a
//! page that runs. What it reaches is code for certain. A call to a page that does not run yet is left: it faults there.
//!
//! Functions that only indirect branches reach do not fault if they are on pages that run because of their neighbours. They are
//! found by a *tentative* descent. It starts where code of other pages led to, which may have changed since. It also starts
//! behind the last block, after padding, at the alignment of 16 that generators give functions. It counts under these
//! conditions:
//!
//! - all of it decodes, ends in returns or jumps, and branches nowhere into the middle of an instruction;
//! - no instruction that is code for certain reads or writes its bytes, or loads their address without calling it.
//!
//! Tables of constants fail one of these.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use iced_x86::{Code as Opcode, Decoder, DecoderOptions, FlowControl, Instruction, OpKind, Register};

use crate::fma::multiplies_tiles;
use crate::native::NativeType;
use crate::sites::Kinds;
use crate::span::Span;

/// Bytes of a page.
pub const PAGE: u64 = 4096;

/// A tentative function of more instructions is none.
const LARGEST_GUESS: usize = 1 << 14;

/// One bit for each byte of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Bits([u64; (PAGE / 64) as usize]);

impl Bits {
    const NONE: Bits = Bits([0; (PAGE / 64) as usize]);

    fn has(&self, address: u64) -> bool {
        let at = address % PAGE;
        self.0[(at / 64) as usize] >> (at % 64) & 1 != 0
    }

    fn set(&mut self, address: u64) {
        let at = address % PAGE;
        self.0[(at / 64) as usize] |= 1 << (at % 64);
    }

    /// The bits of a range within the page, word by word.
    fn words(addresses: Range<u64>) -> impl Iterator<Item = (usize, u64)> {
        let (start, end) =
            (addresses.start % PAGE, addresses.start % PAGE + (addresses.end - addresses.start));
        (start / 64..end.div_ceil(64)).map(move |word| {
            let from = start.saturating_sub(word * 64);
            let to = (end - word * 64).min(64);
            (word as usize, (!0 << from) & (!0 >> (64 - to)))
        })
    }

    fn any(&self, addresses: Range<u64>) -> bool {
        !addresses.is_empty() && Bits::words(addresses).any(|(word, bits)| self.0[word] & bits != 0)
    }

    fn set_all(&mut self, addresses: Range<u64>) {
        if !addresses.is_empty() {
            Bits::words(addresses).for_each(|(word, bits)| self.0[word] |= bits);
        }
    }

    fn add(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(bits, more)| *bits |= more);
    }
}

/// The roles of a page's bytes, as far as they are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marks {
    /// Starts of instructions.
    starts: Bits,
    /// Bytes that instructions cover.
    covered: Bits,
    /// Targets of branches.
    entered: Bits,
    /// The address at which the previous page's code continues.
    continued: Bits,
}

impl Default for Marks {
    fn default() -> Marks {
        Marks { starts: Bits::NONE, covered: Bits::NONE, entered: Bits::NONE, continued: Bits::NONE }
    }
}

impl Marks {
    /// Returns true if a known instruction starts at an address of the page.
    pub fn is_start(&self, address: u64) -> bool {
        self.starts.has(address)
    }

    /// Returns true if a known instruction covers an address of the page.
    pub fn is_covered(&self, address: u64) -> bool {
        self.covered.has(address)
    }

    /// Returns true if a branch is known to lead to an address of the page.
    pub fn is_entered(&self, address: u64) -> bool {
        self.entered.has(address)
    }

    /// Known targets of other pages' code, by the page's address.
    pub fn entries(&self, page: u64) -> impl Iterator<Item = u64> + '_ {
        (page..page + PAGE).filter(|&address| self.entered.has(address) || self.continued.has(address))
    }

    /// Adds what another says of the same page.
    pub fn add(&mut self, other: &Marks) {
        self.starts.add(&other.starts);
        self.covered.add(&other.covered);
        self.entered.add(&other.entered);
        self.continued.add(&other.continued);
    }

    /// Forgets the instructions. Where branches of other pages lead stays.
    pub fn forget_instructions(&mut self) {
        self.starts = Bits::NONE;
        self.covered = Bits::NONE;
    }
}

/// Memory that holds generated code.
pub trait Memory {
    /// The bytes from an address on, 15 of them if code goes on so far; none where there is no code.
    fn bytes(&self, address: u64) -> &[u8];

    /// The bytes of a page, as far as there is code; none if it cannot be read.
    fn page(&self, page: u64) -> &[u8];

    /// The instruction that stood at this address before it was replaced, if it was.
    fn original(&self, address: u64) -> Option<Instruction>;

    /// The marks of the page of an address; `None` for a page that does not run.
    fn marks(&self, address: u64) -> Option<&Marks>;

    /// Targets, on a page that is not executable, of code that is or was known.
    fn entered(&self, page: u64) -> Option<&Marks>;

    /// Returns true if code is known to use bytes there as data.
    fn is_data(&self, addresses: Range<u64>) -> bool;
}

/// Code that has been found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// By the addresses of pages, the instructions that are new, and where branches lead.
    pub marks: BTreeMap<u64, Marks>,
    /// The pages that instructions are on which are new.
    pub pages: BTreeSet<u64>,
    /// The spans of the chosen instructions, by ascending address.
    pub sites: Vec<Span>,
    /// Chosen instructions without space for a jump.
    pub cramped: Vec<u64>,
    /// Targets of branches, and the start of the search.
    pub entered: BTreeSet<u64>,
    /// Addresses that the code uses as data.
    pub data: BTreeSet<u64>,
    /// Products of tiles (AMX) that are no sites.
    pub tiles: BTreeSet<u64>,
    /// Multiply-adds of other types, which are native.
    pub native: BTreeMap<u64, NativeType>,
    /// Starts of functions: the search's own, and targets of calls.
    pub roots: BTreeSet<u64>,
    /// True if there are jumps through registers or memory.
    pub indirect: bool,
}

/// The code that `entry` reaches and that is not known yet, and tentatively all else on its pages that may hold sites of these
/// `kinds`; of those, `is_site` chooses. The page of `fetched` will run, which is another if the first instruction is on two.
pub fn descend(
    memory: &impl Memory,
    entry: u64,
    fetched: u64,
    kinds: Kinds,
    is_site: impl Fn(&Instruction) -> bool,
) -> Found {
    let mut search =
        Search { memory, kinds, is_site, found: Found::default(), chosen: BTreeMap::new(), recent: [1; 2] };
    search.found.entered.insert(entry);
    search.found.roots.insert(entry);
    search.found.pages.insert(page(fetched));
    search.follow(entry);
    search.guess_rest();
    search.finish()
}

/// The instructions that direct branches reach from `entry`, by ascending address, as far as the first `most` of them: calls
/// are passed, and pages that do not run are not entered.
pub fn reachable(memory: &impl Memory, entry: u64, most: usize) -> BTreeMap<u64, Instruction> {
    follow(entry, most, |address| {
        memory.marks(address)?;
        let instruction = decode(memory, address)?;
        memory.marks(instruction.next_ip() - 1).map(|_| instruction)
    })
}

/// The instructions that direct branches reach from `entry`, by ascending address: at most `most` of them, and only those that
/// `decode` gives. Control flow is taken to return from calls.
pub fn follow(
    entry: u64,
    most: usize,
    decode: impl Fn(u64) -> Option<Instruction>,
) -> BTreeMap<u64, Instruction> {
    let mut reached = BTreeMap::new();
    let mut entries = vec![entry];
    while let Some(mut address) = entries.pop() {
        while reached.len() < most && !reached.contains_key(&address) {
            let Some(instruction) = decode(address) else { break };
            reached.insert(address, instruction);
            if matches!(
                instruction.flow_control(),
                FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch
            ) {
                entries.push(instruction.near_branch_target());
            }
            if !goes_on(&instruction) {
                break;
            }
            address = instruction.next_ip();
        }
    }
    reached
}

/// The instruction at an address; `None` where no code is known. Zeros are memory that has not been written.
fn decode(memory: &impl Memory, address: u64) -> Option<Instruction> {
    if let Some(instruction) = memory.original(address) {
        return Some(instruction);
    }
    let bytes = memory.bytes(address);
    if bytes.is_empty() || bytes.starts_with(&[0; 4]) {
        return None;
    }
    let instruction = Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).decode();
    (!instruction.is_invalid()).then_some(instruction)
}

/// Returns true if the next instruction may follow.
fn goes_on(instruction: &Instruction) -> bool {
    match instruction.flow_control() {
        FlowControl::Next
        | FlowControl::IndirectCall
        | FlowControl::Call
        | FlowControl::ConditionalBranch => true,
        FlowControl::UnconditionalBranch
        | FlowControl::Return
        | FlowControl::IndirectBranch
        | FlowControl::Interrupt
        | FlowControl::XbeginXabortXend
        | FlowControl::Exception => false,
    }
}

fn page(address: u64) -> u64 {
    address & !(PAGE - 1)
}

struct Search<'a, M, S> {
    memory: &'a M,
    kinds: Kinds,
    is_site: S,
    found: Found,
    chosen: BTreeMap<u64, Instruction>,
    /// The pages of the last instruction.
    recent: [u64; 2],
}

impl<M: Memory, S: Fn(&Instruction) -> bool> Search<'_, M, S> {
    /// Returns true if a page runs, or will.
    fn runs(&self, address: u64) -> bool {
        self.found.pages.contains(&page(address)) || self.memory.marks(address).is_some()
    }

    fn is_start(&self, address: u64) -> bool {
        self.found.marks.get(&page(address)).is_some_and(|marks| marks.is_start(address))
            || self.memory.marks(address).is_some_and(|marks| marks.is_start(address))
    }

    /// Returns true if a known instruction covers one of some bytes.
    fn is_covered(&self, addresses: Range<u64>) -> bool {
        let end_of_page = page(addresses.start) + PAGE;
        let part = |addresses: Range<u64>| {
            let covered = |marks: &Marks| marks.covered.any(addresses.clone());
            self.found.marks.get(&page(addresses.start)).is_some_and(covered)
                || self.memory.marks(addresses.start).is_some_and(covered)
        };
        part(addresses.start..addresses.end.min(end_of_page))
            || addresses.end > end_of_page && part(end_of_page..addresses.end)
    }

    /// Returns true if a site may start on a page without known instructions.
    fn may_hold(&self, page: u64) -> bool {
        let bytes = self.memory.page(page);
        // An instruction at the end continues on another page: its escape byte tells whether it may be a site.
        let tail = (bytes.len().saturating_sub(4)..bytes.len())
            .filter(|&at| matches!(bytes[at], 0xc4 | 0xc5 | 0x62 | 0x0f));
        self.kinds.may_start(bytes).into_iter().chain(tail).any(|at| {
            let at = page + at as u64;
            !self.is_covered(at..at + 1)
        })
    }

    fn is_data(&self, addresses: Range<u64>) -> bool {
        self.found.data.range(addresses.clone()).next().is_some() || self.memory.is_data(addresses)
    }

    /// Adds an instruction.
    fn take(&mut self, instruction: &Instruction) {
        let (start, end) = (instruction.ip(), instruction.next_ip());
        let (first, last) = (page(start), page(end - 1));
        let marks = self.found.marks.entry(first).or_default();
        marks.starts.set(start);
        marks.covered.set_all(start..end.min(first + PAGE));
        if last != first {
            self.found.marks.entry(last).or_default().covered.set_all(last..end);
        }
        if self.recent != [first, last] {
            self.recent = [first, last];
            self.found.pages.extend(self.recent);
        }
        if instruction.op0_kind() == OpKind::NearBranch64 {
            self.found.entered.insert(instruction.near_branch_target());
        }
        // The other page's entry, in case that only this one is searched again.
        if page(end) != first && goes_on(instruction) {
            self.found.marks.entry(page(end)).or_default().continued.set(end);
        }
        self.found.indirect |= instruction.flow_control() == FlowControl::IndirectBranch;
        if multiplies_tiles(instruction) && !(self.is_site)(instruction) {
            self.found.tiles.insert(start);
        }
        if let Some(native) = NativeType::of(instruction, self.kinds) {
            self.found.native.insert(start, native);
        }
        if (self.is_site)(instruction) {
            self.chosen.insert(start, *instruction);
        }
    }

    /// Adds everything that is code for certain from `entry` on.
    fn follow(&mut self, entry: u64) {
        let mut entries = vec![entry];
        let mut calls: Vec<u64> = Vec::new();
        while !entries.is_empty() {
            while let Some(start) = entries.pop() {
                self.follow_block(start, &mut entries, &mut calls);
            }
            (entries, calls) = calls.into_iter().partition(|&target| self.runs(target));
        }
    }

    /// Adds one run of instructions.
    fn follow_block(&mut self, start: u64, entries: &mut Vec<u64>, calls: &mut Vec<u64>) {
        let mut address = start;
        // The last address that was loaded into a register.
        let mut loaded: Option<(Register, u64)> = None;
        while !self.is_start(address) {
            let Some(instruction) = decode(self.memory, address) else { break };
            self.take(&instruction);
            if instruction.is_ip_rel_memory_operand() && instruction.code() != Opcode::Lea_r64_m {
                self.found.data.insert(instruction.ip_rel_memory_address());
            }
            match instruction.flow_control() {
                FlowControl::Call => {
                    self.found.roots.insert(instruction.near_branch_target());
                    calls.push(instruction.near_branch_target());
                }
                FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch => {
                    entries.push(instruction.near_branch_target());
                }
                FlowControl::IndirectCall | FlowControl::IndirectBranch => {
                    if let Some((_, target)) =
                        loaded.take_if(|(register, _)| *register == instruction.op0_register())
                    {
                        self.found.entered.insert(target);
                        calls.push(target);
                    }
                }
                _ => {}
            }
            if instruction.code() == Opcode::Mov_r64_imm64
                && let Some((_, other)) =
                    loaded.replace((instruction.op0_register(), instruction.immediate64()))
            {
                self.found.data.insert(other);
            }
            if !goes_on(&instruction) {
                break;
            }
            address = instruction.next_ip();
        }
        self.found.data.extend(loaded.map(|(_, address)| address));
    }

    /// Adds what is a function by all appearances, on the pages that begin to run.
    fn guess_rest(&mut self) {
        let fresh: Vec<u64> =
            self.found.pages.iter().copied().filter(|&page| self.memory.marks(page).is_none()).collect();
        for page in fresh {
            if !self.may_hold(page) {
                continue;
            }
            let end = page + PAGE;
            let entered: Vec<u64> =
                self.memory.entered(page).into_iter().flat_map(|marks| marks.entries(page)).collect();
            for start in entered {
                if let Some(reached) = self.guess(start) {
                    reached.values().for_each(|instruction| self.take(instruction));
                }
            }
            let mut at = page;
            while at < end {
                // Where a block ends, padding may follow up to the next multiple of 16.
                let start = at.next_multiple_of(16);
                let first = self.memory.bytes(start).first().copied();
                if start >= end
                    || self.is_covered(start..start + 1)
                    || matches!(first, None | Some(0x00 | 0x90 | 0xcc))
                {
                    at = start + 16;
                    continue;
                }
                let Some(reached) = self.guess(start) else {
                    at = start + 16;
                    continue;
                };
                self.found.entered.insert(start);
                self.found.roots.insert(start);
                let here = |address: &u64| (start..end).contains(address);
                at = reached.values().map(Instruction::next_ip).filter(here).max().unwrap_or(end);
                reached.values().for_each(|instruction| self.take(instruction));
            }
        }
    }

    /// All that branches reach from `start`, on pages that run, if it looks like a function.
    fn guess(&self, start: u64) -> Option<BTreeMap<u64, Instruction>> {
        let mut reached: BTreeMap<u64, Instruction> = BTreeMap::new();
        let mut entries = vec![start];
        while let Some(mut address) = entries.pop() {
            // Another page faults when it is entered.
            while self.runs(address) && !reached.contains_key(&address) && !self.is_start(address) {
                let instruction = decode(self.memory, address)?;
                let end = instruction.next_ip();
                if !self.runs(end - 1) {
                    break;
                }
                let covered = self.is_covered(address..end)
                    || reached.range(..end).next_back().is_some_and(|(_, other)| other.next_ip() > address);
                if covered || self.is_data(address..end) || reached.len() == LARGEST_GUESS {
                    return None;
                }
                reached.insert(address, instruction);
                if instruction.op0_kind() == OpKind::NearBranch64 {
                    let target = instruction.near_branch_target();
                    if self.memory.bytes(target).is_empty() && instruction.flow_control() != FlowControl::Call
                    {
                        return None;
                    }
                    entries.push(target);
                }
                if !goes_on(&instruction) {
                    break;
                }
                address = end;
            }
        }
        Some(reached)
    }

    /// The spans of the chosen instructions.
    fn finish(mut self) -> Found {
        for &target in &self.found.entered {
            self.found.marks.entry(page(target)).or_default().entered.set(target);
        }
        let decode = |address: u64| self.is_start(address).then(|| decode(self.memory, address)).flatten();
        // Where a jump through a register leads is not known.
        let entered = |mut addresses: Range<u64>| {
            self.found.indirect
                || self.found.entered.range(addresses.clone()).next().is_some()
                || addresses.any(|address| {
                    self.memory.entered(page(address)).is_some_and(|marks| marks.is_entered(address))
                })
        };
        let (mut sites, mut cramped, mut covered) = (vec![], vec![], 0);
        for (&address, &instruction) in &self.chosen {
            if address < covered {
                continue;
            }
            match Span::new(instruction, decode, entered) {
                Some(span) => {
                    covered = span.end();
                    sites.push(span);
                }
                None => cramped.push(address),
            }
        }
        Found { sites, cramped, ..self.found }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: u64 = 0x10000;

    /// Code of which no page runs, with an instruction that was replaced.
    struct Bytes<'a> {
        bytes: &'a [u8],
        replaced: Option<Instruction>,
        /// A page that runs.
        running: Option<(u64, Marks)>,
        /// Targets of code on the first page.
        entered: Option<Marks>,
    }

    impl Memory for Bytes<'_> {
        fn bytes(&self, address: u64) -> &[u8] {
            let at =
                address.checked_sub(BASE).map_or(self.bytes.len(), |at| at as usize).min(self.bytes.len());
            &self.bytes[at..self.bytes.len().min(at + 15)]
        }

        fn page(&self, page: u64) -> &[u8] {
            let at = (page - BASE) as usize;
            &self.bytes[at..self.bytes.len().min(at + PAGE as usize)]
        }

        fn original(&self, address: u64) -> Option<Instruction> {
            self.replaced.filter(|replaced| replaced.ip() == address)
        }

        fn marks(&self, address: u64) -> Option<&Marks> {
            self.running.as_ref().filter(|(running, _)| *running == page(address)).map(|(_, marks)| marks)
        }

        fn entered(&self, page: u64) -> Option<&Marks> {
            self.entered.as_ref().filter(|_| page == BASE)
        }

        fn is_data(&self, _addresses: Range<u64>) -> bool {
            false
        }
    }

    fn is_site(instruction: &Instruction) -> bool {
        instruction.mnemonic() == iced_x86::Mnemonic::Vfmadd231ps
    }

    fn found(bytes: &[u8], entry: u64) -> Found {
        descend(
            &Bytes { bytes, replaced: None, running: None, entered: None },
            BASE + entry,
            BASE + entry,
            Kinds::default(),
            is_site,
        )
    }

    fn find(bytes: &[u8], entry: u64) -> Vec<u64> {
        found(bytes, entry).sites.iter().map(|span| span.start() - BASE).collect()
    }

    /// vfmadd231ps ymm0, ymm1, ymm2
    const FMA: [u8; 5] = [0xc4, 0xe2, 0x75, 0xb8, 0xc2];

    #[test]
    fn branches_are_followed_and_islands_are_not() {
        let mut bytes = Vec::new();
        bytes.extend([0xeb, 0x05]); // jmp over the island
        bytes.extend(FMA); // data that looks like a multiply-add
        bytes.extend(FMA);
        bytes.extend([0x74, 0xf9]); // je to the multiply-add before it
        bytes.push(0xc3);
        assert_eq!(find(&bytes, 0), [7]);
    }

    #[test]
    fn a_function_that_nothing_calls_is_found_after_padding() {
        let mut bytes = vec![0xc3];
        bytes.resize(16, 0xcc);
        bytes.extend(FMA);
        bytes.push(0xc3);
        bytes.resize(32, 0x90);
        bytes.extend([0x06; 16]); // no instruction
        bytes.extend(FMA);
        bytes.push(0xc3);
        bytes.resize(64, 0);
        assert_eq!(find(&bytes, 0), [16, 48]);
    }

    #[test]
    fn constants_are_not_taken_for_a_function() {
        let mut bytes = vec![0xc3];
        bytes.resize(16, 0xcc);
        bytes.extend(FMA); // then runs into nothing that is code
        bytes.extend([0x06, 0x06, 0x06]);
        bytes.resize(64, 0);
        assert_eq!(find(&bytes, 0), [] as [u64; 0]);
    }

    #[test]
    fn what_code_reads_is_not_taken_for_a_function() {
        let table = |start: &[u8]| {
            let mut bytes = start.to_vec();
            bytes.push(0xc3);
            bytes.resize(32, 0xcc);
            bytes.extend(FMA);
            bytes.push(0xc3);
            bytes.resize(64, 0xcc);
            find(&bytes, 0)
        };
        assert_eq!(table(&[]), [32]);
        // vmovups xmm0, [rip + 24], whose end is at 8.
        assert_eq!(table(&[0xc5, 0xf8, 0x10, 0x05, 24, 0, 0, 0]), [] as [u64; 0]);
        // mov rax, BASE + 32, and the same with call rax.
        let address = (BASE + 32).to_le_bytes();
        let load = [&[0x48, 0xb8][..], &address].concat();
        assert_eq!(table(&load), [] as [u64; 0]);
        assert_eq!(table(&[&load[..], &[0xff, 0xd0]].concat()), [32]);
    }

    /// A function behind a call on another page is found when it runs; one behind a jump with what jumps there.
    #[test]
    fn calls_to_pages_that_do_not_run_are_left() {
        let code = |opcode: u8| {
            let mut bytes = vec![opcode];
            bytes.extend((4096 - 5i32).to_le_bytes());
            bytes.push(0xc3);
            bytes.resize(4096, 0xcc);
            bytes.extend(FMA);
            bytes.push(0xc3);
            bytes.resize(8192, 0xcc);
            bytes
        };
        assert_eq!(find(&code(0xe8), 0), [] as [u64; 0]);
        assert_eq!(find(&code(0xe9), 0), [4096]);
        let bytes = code(0xe8);
        let found = |marks: Marks| {
            let running = Some((BASE + 4096, marks));
            let memory = Bytes { bytes: &bytes, replaced: None, running, entered: None };
            descend(&memory, BASE, BASE, Kinds::default(), is_site)
        };
        let first = found(Marks::default());
        assert_eq!(first.sites.len(), 1);
        // Known instructions are not found again.
        assert_eq!(found(first.marks[&(BASE + 4096)].clone()).sites.len(), 0);
    }

    /// A tentative function that goes on on the next page, which does not run: what is there is found when it does.
    #[test]
    fn tentative_functions_end_with_the_pages_that_run() {
        let mut bytes = vec![0xc3];
        bytes.resize(4096 - 16, 0xcc);
        bytes.extend(FMA);
        bytes.extend([0x53; 9]);
        bytes.extend(FMA); // across the page's end
        bytes.push(0xc3);
        bytes.resize(8192, 0xcc);
        assert_eq!(find(&bytes, 0), [4096 - 16]);
        assert_eq!(found(&bytes, 0).pages.len(), 1);
        assert_eq!(find(&bytes, 4094), [4096 - 16, 4094]);
        assert_eq!(found(&bytes, 4094).pages.len(), 2);
    }

    /// A page that runs again: targets of other pages' code are searched again, if they look like functions.
    #[test]
    fn what_other_pages_lead_to_is_found_again() {
        let mut bytes = vec![0x06; 4096];
        bytes[0] = 0xc3;
        bytes[101..106].copy_from_slice(&FMA);
        bytes[106] = 0xc3;
        bytes[201..206].copy_from_slice(&FMA); // and then no instruction
        let mut entered = Marks::default();
        entered.entered.set(BASE + 101);
        entered.entered.set(BASE + 201);
        let memory = Bytes { bytes: &bytes, replaced: None, running: None, entered: Some(entered) };
        let found = descend(&memory, BASE, BASE, Kinds::default(), is_site);
        assert_eq!(found.sites.iter().map(Span::start).collect::<Vec<_>>(), [BASE + 101]);
    }

    /// An instruction on two pages, of which the first runs already.
    #[test]
    fn code_behind_an_instruction_on_two_pages_is_found() {
        let mut bytes = vec![0x90; 2 * 4096];
        bytes[4096 - 2..4096 + 5].copy_from_slice(&[0x81, 0xc0, 0, 0, 0, 1, 0x90]); // add eax, 1 << 24
        bytes[4096 + 5..4096 + 10].copy_from_slice(&FMA);
        bytes[4096 + 10] = 0xc3;
        let memory = Bytes { bytes: &bytes, replaced: None, running: None, entered: None };
        let first = descend(&memory, BASE + 4094, BASE + 4094, Kinds::default(), is_site);
        assert_eq!(first.sites.len(), 1);
        assert!(first.marks[&(BASE + 4096)].continued.has(BASE + 4100));
    }

    #[test]
    fn memory_that_was_never_written_is_no_code() {
        let mut bytes = vec![0xe8, 0x7b, 0, 0, 0]; // a call behind which nothing is
        bytes.resize(64 << 10, 0);
        bytes[0x80] = 0xc3;
        assert_eq!(found(&bytes, 0).pages.len(), 1);
    }

    #[test]
    fn bits_of_ranges_are_those_of_their_bytes() {
        for (start, end) in [(0, 1), (60, 70), (63, 64), (64, 79), (0, 4096), (4090, 4096), (5, 200)] {
            let mut bits = Bits::NONE;
            bits.set_all(BASE + start..BASE + end);
            for at in 0..4096 {
                assert_eq!(bits.has(BASE + at), (start..end).contains(&at), "{start}..{end} at {at}");
                assert_eq!(bits.any(BASE + at..BASE + at + 1), (start..end).contains(&at));
            }
        }
    }

    #[test]
    fn what_was_replaced_is_seen_as_it_was() {
        let original = Decoder::with_ip(64, &FMA, BASE, DecoderOptions::NONE).decode();
        let bytes = [0xe9, 0, 0, 0, 0x40, 0xc3];
        let found = descend(
            &Bytes { bytes: &bytes, replaced: Some(original), running: None, entered: None },
            BASE,
            BASE,
            Kinds::default(),
            is_site,
        );
        assert_eq!(found.sites.len(), 1);
        assert!(found.marks[&BASE].is_start(BASE + 5) && !found.marks[&BASE].is_start(BASE + 4));
    }
}
