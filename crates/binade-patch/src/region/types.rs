//! The request for regions, the ways into them, and the stages of their code.

use crate::check::Check;
use crate::fma::Fma;
use crate::trampoline::Target;

/// Fewest multiply-adds for which straight code is worth its ways in and out.
pub(super) const LEAST: usize = 4;

/// A request for translation.
pub struct Request<'a> {
    /// The operator and the machine.
    pub target: &'a Target,
    /// The multiply-adds that are computed under the operator. The others stay native.
    pub selected: &'a dyn Fn(&Fma) -> bool,
    /// Returns true if another operator computes a selected multiply-add: it is in no region.
    pub foreign: &'a dyn Fn(&Fma) -> bool,
    /// The address of the code that computes a single multiply-add, by the address of its instruction.
    pub single: &'a dyn Fn(u64) -> u64,
    /// The target for an instruction behind a region: its address, unless a jump [covers](crate::span) it.
    pub resume: &'a dyn Fn(u64) -> u64,
    /// The random word of the instruction at an address, for random roundings.
    pub word: &'a dyn Fn(u64) -> u32,
    /// True if legacy SSE instructions may follow, so that regions whose vectors have 128 bits leave upper halves clean where
    /// they were.
    pub keeps_clean: bool,
    /// The check of each execution against single instructions, if it is to be compared.
    pub check: Option<Check<'a>>,
}

/// A way into a region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The address of the multiply-add that it stands for.
    pub original: u64,
    /// Its offset from the region's start.
    pub offset: u32,
}

/// The part of a region that an address is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The program's registers are untouched.
    Outside,
    /// The frame's register is saved.
    Saved,
    /// On the way in, while it is asked whether upper halves of vectors are in use: rax, rcx and rdx are saved.
    Probing,
    /// On the way in: rcx is saved, too.
    Entering,
    /// In the copy. General registers, flags and memory are those of the program ahead of the original instruction if
    /// this is an access to the program's memory; vector registers may hold rounded values, values of instructions
    /// around it, and what they held before they were loaded.
    Running,
    /// On the way out: no access faults.
    Leaving,
    /// On the way in: rax is saved, not rcx.
    Flags,
    /// On the way out of a quick copy, or back to where it began: no access faults, and rcx is saved, too.
    Deciding,
}

/// A run of code on behalf of one instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    /// Its start, from the region's.
    pub offset: u32,
    /// The instruction's address.
    pub original: u64,
    /// The part that it belongs to.
    pub stage: Stage,
}
