//! Multiply-adds in generated code, of which only the address of one instruction that is about to run is known.
//!
//! Code is followed by recursive descent: from the entry through direct branches and calls, to returns and indirect
//! jumps. What it reaches is code for certain. Functions that only indirect branches reach are found by a *tentative*
//! descent that starts where the last block ended, after padding, at the alignment of 16 that generators give
//! functions: it counts only if all of it decodes, ends in returns or jumps, and branches nowhere into the middle of an
//! instruction. Tables of constants fail one of these.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, OpKind};

use crate::fma::multiplies_tiles;
use crate::span::Span;

/// Code that has been found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// Every instruction's address and length.
    pub instructions: BTreeMap<u64, u8>,
    /// What jumps in place of those that the caller's predicate chose cover, by ascending address.
    pub sites: Vec<Span>,
    /// Those that the predicate chose and that have no room for a jump.
    pub cramped: Vec<u64>,
    /// Where branches lead, and where the search started.
    pub entered: BTreeSet<u64>,
    /// Products of tiles (AMX).
    pub tiles: BTreeSet<u64>,
    /// Where functions start: where the search did, and where calls lead.
    pub roots: BTreeSet<u64>,
}

/// What stands in the code where something else was.
pub trait Overlay {
    /// The instruction that stood at this address before it was replaced, if it was.
    fn original(&self, address: u64) -> Option<Instruction>;
}

impl<F: Fn(u64) -> Option<Instruction>> Overlay for F {
    fn original(&self, address: u64) -> Option<Instruction> {
        self(address)
    }
}

/// The code of one mapping.
pub struct Code<'a, O> {
    /// Its bytes.
    pub bytes: &'a [u8],
    /// The address of the first.
    pub base: u64,
    /// Instructions that have been replaced.
    pub overlay: O,
}

impl<O: Overlay> Code<'_, O> {
    fn end(&self) -> u64 {
        self.base + self.bytes.len() as u64
    }

    fn decode(&self, address: u64) -> Instruction {
        if let Some(instruction) = self.overlay.original(address) {
            return instruction;
        }
        let bytes = &self.bytes[(address - self.base) as usize..];
        Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).decode()
    }

    /// Everything that direct control flow reaches from `entry` and that is not `known`, or nothing where
    /// `strict` is broken: an invalid instruction, or a branch into the middle of one.
    fn reach(
        &self,
        entry: u64,
        known: &BTreeMap<u64, u8>,
        strict: bool,
    ) -> Option<BTreeMap<u64, Instruction>> {
        self.reach_at_most(entry, known, strict, true, usize::MAX)
    }

    /// As [`reach`](Self::reach), of no more than `most` instructions, and in functions that are called if `calls` says so.
    fn reach_at_most(
        &self,
        entry: u64,
        known: &BTreeMap<u64, u8>,
        strict: bool,
        calls: bool,
        most: usize,
    ) -> Option<BTreeMap<u64, Instruction>> {
        let mut reached: BTreeMap<u64, Instruction> = BTreeMap::new();
        let mut entries = vec![entry];
        while let Some(mut address) = entries.pop() {
            while (self.base..self.end()).contains(&address) && reached.len() < most {
                if reached.contains_key(&address) || known.contains_key(&address) {
                    break;
                }
                let instruction = self.decode(address);
                if strict && (instruction.is_invalid() || overlaps(&reached, known, &instruction)) {
                    return None;
                }
                if instruction.is_invalid() {
                    break;
                }
                reached.insert(address, instruction);
                match instruction.flow_control() {
                    FlowControl::Next | FlowControl::IndirectCall => {}
                    FlowControl::Call if !calls => {}
                    FlowControl::Call | FlowControl::ConditionalBranch => {
                        entries.push(instruction.near_branch_target());
                    }
                    FlowControl::UnconditionalBranch => {
                        entries.push(instruction.near_branch_target());
                        break;
                    }
                    FlowControl::Return
                    | FlowControl::IndirectBranch
                    | FlowControl::Interrupt
                    | FlowControl::XbeginXabortXend
                    | FlowControl::Exception => break,
                }
                address = instruction.next_ip();
            }
            if strict && address == self.end() {
                return None;
            }
        }
        Some(reached)
    }

    /// The instructions that direct control flow reaches from `entry`, by ascending address.
    pub fn reachable(&self, entry: u64) -> Vec<Instruction> {
        self.reach(entry, &BTreeMap::new(), false).unwrap_or_default().into_values().collect()
    }

    /// The instructions of a function, by ascending address: what direct control flow reaches from its `entry` but for
    /// functions that it calls, as far as the first `most` of them.
    pub fn function(&self, entry: u64, most: usize) -> Vec<Instruction> {
        let known = BTreeMap::new();
        self.reach_at_most(entry, &known, false, false, most).unwrap_or_default().into_values().collect()
    }

    /// The code that `entry` reaches, and tentatively all else on the pages of 2^`page_bits` bytes that any of what is found
    /// is on; `is_site` chooses the sites.
    pub fn descend(&self, entry: u64, page_bits: u32, is_site: impl Fn(&Instruction) -> bool) -> Found {
        let mut found = Found::default();
        let mut chosen: BTreeMap<u64, Instruction> = BTreeMap::new();
        let mut indirect = false;
        found.entered.insert(entry);
        found.roots.insert(entry);
        let mut take = |found: &mut Found, reached: BTreeMap<u64, Instruction>| {
            for (address, instruction) in reached {
                found.instructions.insert(address, instruction.len() as u8);
                if instruction.op0_kind() == OpKind::NearBranch64 {
                    found.entered.insert(instruction.near_branch_target());
                    if instruction.flow_control() == FlowControl::Call {
                        found.roots.insert(instruction.near_branch_target());
                    }
                }
                indirect |= instruction.flow_control() == FlowControl::IndirectBranch;
                if multiplies_tiles(&instruction) {
                    found.tiles.insert(address);
                }
                if is_site(&instruction) {
                    chosen.insert(address, instruction);
                }
            }
        };
        let reached = self.reach(entry, &found.instructions, false).unwrap_or_default();
        take(&mut found, reached);
        // What is found may lead to further pages.
        let mut seen: BTreeSet<u64> = BTreeSet::new();
        loop {
            let pages = found.instructions.iter().flat_map(|(&address, &length)| {
                let last = (address + length as u64).min(self.end()) - 1;
                [address >> page_bits, last >> page_bits]
            });
            let fresh: BTreeSet<u64> = pages.filter(|page| !seen.contains(page)).collect();
            if fresh.is_empty() {
                break;
            }
            let mut gaps = self.gaps(&found, &fresh, page_bits);
            seen.extend(fresh);
            while let Some(gap) = gaps.pop() {
                let Some(start) = self.skip_padding(&gap) else { continue };
                match self.reach(start, &found.instructions, true) {
                    Some(reached) => {
                        found.entered.insert(start);
                        found.roots.insert(start);
                        let resume =
                            reached.values().map(Instruction::next_ip).filter(|end| gap.contains(end)).max();
                        take(&mut found, reached);
                        if let Some(resume) = resume {
                            gaps.push(resume..gap.end);
                        }
                    }
                    None => gaps.push((start + 16) & !15..gap.end),
                }
            }
        }
        let decode = |address: u64| found.instructions.contains_key(&address).then(|| self.decode(address));
        // Where a jump through a register leads is not known.
        let entered = |addresses: Range<u64>| indirect || found.entered.range(addresses).next().is_some();
        let (mut sites, mut cramped, mut covered) = (vec![], vec![], 0);
        for (&address, &instruction) in &chosen {
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
        Found { sites, cramped, ..found }
    }

    /// What no instruction covers on the pages that have some.
    fn gaps(&self, found: &Found, pages: &BTreeSet<u64>, page_bits: u32) -> Vec<Range<u64>> {
        let mut gaps = Vec::new();
        for page in pages {
            let first = (page << page_bits).max(self.base);
            let last = ((page + 1) << page_bits).min(self.end());
            let mut free = first;
            for (&address, &length) in found.instructions.range(first.saturating_sub(15)..last) {
                if address > free {
                    gaps.push(free..address);
                }
                free = free.max(address + length as u64);
            }
            if free < last {
                gaps.push(free..last);
            }
        }
        gaps
    }

    /// The first address of a gap, aligned to 16, that holds no padding.
    fn skip_padding(&self, gap: &Range<u64>) -> Option<u64> {
        let mut start = (gap.start + 15) & !15;
        while start < gap.end {
            match self.bytes[(start - self.base) as usize] {
                0x00 | 0x90 | 0xcc => start += 16,
                _ => return Some(start),
            }
        }
        None
    }
}

/// Whether an instruction shares bytes with one that starts elsewhere.
fn overlaps(
    reached: &BTreeMap<u64, Instruction>,
    known: &BTreeMap<u64, u8>,
    instruction: &Instruction,
) -> bool {
    let (start, end) = (instruction.ip(), instruction.next_ip());
    reached.range(..end).next_back().is_some_and(|(_, other)| other.next_ip() > start)
        || known.range(..end).next_back().is_some_and(|(&other, &length)| other + length as u64 > start)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: u64 = 0x10000;

    fn find(bytes: &[u8], entry: u64) -> Vec<u64> {
        let code = Code { bytes, base: BASE, overlay: |_| None };
        let mut sites: Vec<u64> = code
            .descend(BASE + entry, 12, |instruction| {
                instruction.mnemonic() == iced_x86::Mnemonic::Vfmadd231ps
            })
            .sites
            .iter()
            .map(|span| span.start() - BASE)
            .collect();
        sites.sort_unstable();
        sites
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

    /// A function across the end of a page, and one behind it on the next page.
    #[test]
    fn all_pages_of_what_is_found_are_looked_at() {
        let mut bytes = vec![0xc3];
        bytes.resize(4096 - 16, 0xcc);
        bytes.extend([0x53; 14]);
        bytes.extend(FMA);
        bytes.push(0xc3);
        bytes.resize(4096 + 64, 0xcc);
        bytes.extend(FMA);
        bytes.push(0xc3);
        bytes.resize(8192, 0xcc);
        assert_eq!(find(&bytes, 0), [4094, 4096 + 64]);
    }

    #[test]
    fn what_was_replaced_is_seen_as_it_was() {
        let original = Decoder::with_ip(64, &FMA, BASE, DecoderOptions::NONE).decode();
        let bytes = [0xe9, 0, 0, 0, 0x40, 0xc3];
        let code =
            Code { bytes: &bytes, base: BASE, overlay: |address| (address == BASE).then_some(original) };
        let found = code.descend(BASE, 12, |instruction| instruction.mnemonic() == original.mnemonic());
        assert_eq!(found.sites.len(), 1);
        assert_eq!(found.instructions.len(), 2);
    }
}
