//! Hot loops under an operator, as whole regions.
//!
//! A jump to separate code for each multiply-add has to save and restore registers and to round every operand each time.
//! Here a loop with several multiply-adds, or a straight run of them, is copied as a whole: an operand is rounded, or
//! split into its parts, once where it is defined; registers that the loop does not use hold temporaries; and the order of
//! instructions hides their latency. The result is, bit for bit, that of [`binade::Operator::multiply_add`] in each lane.
//!
//! # What is needed of the code
//!
//! A region is an innermost loop, or straight code. Its multiply-adds are binary32, without a mask, and of one operator. It neither
//! calls, nor changes rsp, nor touches the upper halves of all registers. Anything else in it is copied. A loop needs one
//! multiply-add, straight code four.
//!
//! The instructions given are those of the program, not of a patched copy. They should be a whole function, or all that direct
//! branches reach from an executed instruction: beyond them every register counts as read. More is not assumed, since no other
//! byte of the program changes. So a branch that is not among them finds the program's own code.
//!
//! # How a program comes to use it
//!
//! Every multiply-add of the program has its own code already, to which a jump in its place leads. [`translate`] gives
//! regions for a function; each has entries, which are the first multiply-adds of its blocks. The caller copies
//! [`Region::code`] to [`Region::at`] and then lets the jumps of its entries lead to `at + offset` instead. No other byte
//! of the program changes, so that unknown jumps into the middle of a region find every multiply-add's own
//! code as before. A region leaves by jumps into the program's own code, with all registers as the program expects them.
//!
//! ```text
//! let at = arena.reserve(…);                  // within 2 GiB of the function and of the instructions' own code
//! for region in translate(&function, &request, at) {
//!     arena.write(region.at, &region.code);    // then made executable
//!     for entry in &region.entries {
//!         sites[entry.original].slot.store(region.at + entry.offset as u64); // the slot of `jmp [rip + slot]`
//!     }
//! }
//! ```
//!
//! # What is kept
//!
//! Flags, mask registers, registers that are not the region's destinations, and memory, below rsp too, stay as they are.
//! Inside, one general register holds the address of a frame in the thread's [`workspace`]. MXCSR is the default one
//! inside: where the program's differs it is set and put back, or if other instructions of the region depend on it, the
//! entry falls back to the multiply-add's own code. Where the program's does not mask all exceptions the entry falls back as
//! well, so that they trap. MXCSR's
//! flags tell of the steps of the operator on its rounded operands: overflow and inexact always, underflow for inputs of
//! one part, invalid and denormal where the accumulator has one part as well. Rounding modes that instructions carry are
//! ignored by all operators but the identity.
//!
//! # Quick copies
//!
//! A loop under FMA_2_2, on Intel's processors under FMA_1_1 as well, has a second copy that rounds in fewer instructions. It is
//! right unless the processor's exception flags say otherwise at its end. Then the registers are put back, and the usual copy
//! repeats the loop. Nothing is stored in such a loop: where a loop does store, and most of its multiply-adds lie in long stretches between
//! stores, each stretch is a region. Module `quick` has the reasons.
//!
//! # Other roundings
//!
//! Up, down and random keep the program's format. MXCSR rounds up or down within a region, so that a multiply-add's own instruction
//! does. So a region has no other floating-point instruction. Down and random compute the upper neighbour by a second instruction;
//! random hashes the operands ([`random_word`](crate::trampoline::random_word)).
//!
//! # Facts
//!
//! Code is made for each set of facts about registers with which an instruction is reached: that a register holds a BF16
//! already, a finished accumulator, the leading part of a value. Data flow over the function tells where a register's own
//! bits are not needed except by multiply-adds of the region; there the rounded value takes their place. NaNs are
//! 0xffc00000 inside, as invalid operations give them, and are made canonical where something else reads them.

mod allocate;
mod cycles;
mod emit;
#[cfg(test)]
mod filetests;
mod fold;
mod graph;
mod ir;
mod lower;
mod narrow;
mod quick;
mod refusal;
mod rows;
mod schedule;
#[cfg(test)]
mod text;
mod types;

use std::collections::{BTreeSet, VecDeque};
use std::ops::{Range, RangeInclusive};

use iced_x86::{EncodingKind, Instruction, Register};

use crate::check;
use crate::fma::{Fma, Operand};
use crate::trampoline::{Level, ProgramRounding, Recovery, Track};
use crate::workspace::{self, Field};
use allocate::allocate;
use emit::{Emitter, Frame};
use fold::fold;
use graph::{Graph, Vectors};
use ir::{Constant, Operation, Place, Resources, Width, Word};
use lower::{Adders, Destination, Held, Invariant, Item, Lowering, Rule};
use narrow::Avx2Resources;
use quick::Quick;
use schedule::schedule;
use types::LEAST;

pub use refusal::Refusal;
pub use types::{Address, Entry, Request, Stage};

/// Operations from which on a region's code is not kept decoded by any processor known: Zen 4 and 5, the largest, keep
/// about 6,000 instructions.
const LONG: usize = 6000;

/// Temporaries that a schedule of shorter vectors than 512 bits holds at a time. For the same work there is twice the code, which
/// processors fetch more slowly than they execute it: what the frame is spared counts for more than what waiting is.
const HELD: usize = 10;

/// Fewest multiply-adds of a loop and of straight code. A loop repeats them between one way in and one way out.
const LEASTS: [usize; 2] = [1, LEAST];

/// A translated region.
#[derive(Clone, Debug)]
pub struct Region {
    /// The address that its code is made for, a multiple of 64.
    pub at: u64,
    /// Its code and constants; it is never written to.
    pub code: Vec<u8>,
    /// The ways in.
    pub entries: Vec<Entry>,
    /// Multiply-adds of the program in it.
    pub multiply_adds: usize,
    /// The program's address while it runs.
    pub map: Map,
    /// Of a checked region: where it is in the code of the reference's multiply-adds.
    pub tracks: Vec<Track>,
    /// True if the program's own instructions in it depend on MXCSR.
    floats: bool,
}

impl Region {
    /// Why its ways in lead to the code of single multiply-adds under a program's MXCSR, if they do.
    pub fn obstacle(&self, mxcsr: u32) -> Option<Refusal> {
        /// The bits that mask exceptions.
        const MASKS: u32 = 0x1f80;
        let control = |mxcsr: u32| mxcsr as u16 >> emit::MXCSR_CONTROL;
        // Without a frame nothing of the program's is changed or tested.
        self.map.frame?;
        if mxcsr & MASKS != MASKS {
            Some(Refusal::Unmasked)
        } else if self.floats && control(mxcsr) != control(emit::MXCSR) {
            Some(Refusal::Environment)
        } else {
            None
        }
    }
}

/// The instructions of the program that the addresses of a region's code stand for.
#[derive(Clone, Debug)]
pub struct Map {
    /// The addresses of its constants and code.
    pub range: Range<u64>,
    /// The instructions that pieces of code stand for, by ascending offset.
    pub addresses: Vec<Address>,
    /// The general register that holds the frame's address, if there is a frame.
    frame: Option<Register>,
    /// Offset of rcx's value on entry, from the frame's start.
    saved_rcx: u64,
    /// Vector registers whose own values lie in slots of 64 bytes of the frame: in the usual copy, and in the quick one.
    saved: [Vec<(u8, u16)>; 2],
    /// The addresses of the quick copy and its ways out.
    quick: Range<u64>,
}

impl Map {
    /// The instruction of the program that an address within the region stands for, and the part it lies in.
    pub fn original(&self, address: u64) -> Option<Address> {
        let offset = Some(address).filter(|at| self.range.contains(at))? - self.range.start;
        let next = self.addresses.partition_point(|a| u64::from(a.offset) <= offset);
        self.addresses.get(next.checked_sub(1)?).copied()
    }

    /// The program's state at an address within the region, given rsp and the address of the workspace. Masks, and vectors
    /// on the way in, are as they are.
    pub fn recover(&self, address: u64, stack: u64, workspace: u64) -> Option<Recovery> {
        let Address { original, stage, .. } = self.original(address)?;
        let mut recovery = Recovery::bare(original, stack);
        let (Some(frame), true) = (self.frame, stage != Stage::Outside) else {
            return Some(recovery);
        };
        let start = workspace::frame(workspace);
        recovery.general.push((frame.number(), Field::Pointer.at(workspace)));
        if matches!(stage, Stage::Entering | Stage::Deciding) {
            recovery.general.push((Register::RCX.number(), start + self.saved_rcx));
        }
        if stage == Stage::Flags {
            let saved_rax = self.saved_rcx + (emit::SAVED_RAX - emit::SAVED_RCX) as u64;
            recovery.general.push((Register::RAX.number(), start + saved_rax));
        }
        if matches!(stage, Stage::Running | Stage::Leaving | Stage::Deciding) {
            let slot = |&(register, slot): &(u8, u16)| (register, start + 64 * u64::from(slot));
            let copy = usize::from(self.quick.contains(&address));
            recovery.vectors = self.saved[copy].iter().map(slot).collect();
        }
        Some(recovery)
    }
}

/// The regions of a function, whose instructions ascend by address, laid out from `at` on.
///
/// The operator must be the identity, with or without a rounding other than stochastic, or one of the BF16 paper's without `exact`
/// and `flush`. Single multiply-adds must not be observed. Otherwise there are no regions.
pub fn translate(function: &[Instruction], request: &Request, at: u64) -> Vec<Region> {
    translate_all(function, request, at).into_iter().filter_map(Result::ok).collect()
}

/// As [`translate`], with the reason for each region that is not made, and for each other loop whose multiply-adds run one by
/// one.
pub fn translate_all(function: &[Instruction], request: &Request, at: u64) -> Vec<Result<Region, Refusal>> {
    if function.is_empty() || request.target.observed {
        return Vec::new();
    }
    let graph = Graph::new(function, request.selected);
    let Some(rule) = Rule::of(request.target) else {
        let reasons = graph.unexplained(&|_| false, &|_| Some(Refusal::Operator), request.foreign);
        return reasons.into_iter().map(Err).collect();
    };
    let mut at = at.next_multiple_of(64);
    let mut regions = Vec::new();
    let mut explained = vec![false; function.len()];
    let long = quick::long(rule, request.target);
    let supported = |fma: &Fma| rule.obstacle(fma).is_none() && !(request.foreign)(fma);
    let mut candidates: VecDeque<_> = graph.candidates(LEASTS, &supported, long).into();
    while let Some(range) = candidates.pop_front() {
        let region = Builder::new(&graph, range.clone(), rule, request).and_then(|builder| builder.build(at));
        // Where accumulators are loaded and stored as well, they are not to be had; between that they are.
        if let Err(Refusal::VectorRegisters(_)) = region
            && let Some(stretches) = graph.stretches(range.clone(), LEAST)
        {
            let worth = |stretch: &RangeInclusive<usize>| graph.multiply_adds(stretch) >= LEAST;
            stretches.into_iter().rev().filter(worth).for_each(|stretch| candidates.push_front(stretch));
            continue;
        }
        explained[range].fill(true);
        if let Ok(region) = &region {
            at = (at + region.code.len() as u64).next_multiple_of(64);
        }
        regions.push(region);
    }
    let obstacle = |fma: &Fma| {
        let foreign = Some(Refusal::Operators).filter(|_| (request.foreign)(fma));
        foreign.or_else(|| rule.obstacle(fma).map(Refusal::Instruction))
    };
    regions.extend(graph.unexplained(&|k| explained[k], &obstacle, request.foreign).into_iter().map(Err));
    regions
}

/// The addresses of a function's instructions that are in loops.
pub fn looped(function: &[Instruction]) -> BTreeSet<u64> {
    let cycles = cycles::cycles(function);
    function.iter().zip(cycles).filter(|(_, cycle)| cycle.is_some()).map(|(i, _)| i.ip()).collect()
}

/// Makes a region's code wrong, for tests of what checks it: BF16 are rounded up from three quarters on, or have other bits.
/// `wide` is whether it has AVX-512.
pub fn sabotage(code: &mut [u8], wide: bool) {
    let constants = if wide {
        [Constant::Weights, Constant::Spread].map(|constant| 4 * constant as usize..4 * constant as usize + 4)
    } else {
        narrow::rounding().map(|range| emit::POOL + range.start..emit::POOL + range.end)
    };
    for word in constants.into_iter().flat_map(|range| range.step_by(4)) {
        // 0x4000 in what is little-endian.
        code[word + 1] ^= 0x40;
    }
}

/// Builds a region: the registers that it uses, and for what.
struct Builder<'a> {
    graph: &'a Graph<'a>,
    range: RangeInclusive<usize>,
    rule: Rule,
    request: &'a Request<'a>,
    resident: Vec<(Constant, u8)>,
    pool: Vec<u8>,
    /// Without AVX-512, a register for masks.
    mask: Option<u8>,
    hosted: Vectors,
    /// Operands that are rounded or split once on the way in.
    invariants: Vec<Invariant>,
    odd: Option<Register>,
    frame: Option<Register>,
    floats: bool,
    keeps_clean: bool,
}

impl<'a> Builder<'a> {
    fn new(
        graph: &'a Graph<'a>,
        range: RangeInclusive<usize>,
        rule: Rule,
        request: &'a Request<'a>,
    ) -> Result<Builder<'a>, Refusal> {
        let mut builder = Builder {
            graph,
            range: range.clone(),
            rule,
            request,
            resident: Vec::new(),
            pool: Vec::new(),
            mask: None,
            hosted: 0,
            invariants: Vec::new(),
            odd: None,
            frame: None,
            floats: false,
            keeps_clean: request.keeps_clean && !range.clone().any(|k| graph.effects[k].wide),
        };
        let repeatable = |k: usize| check::is_repeatable(&graph.instructions[k], graph.effects[k].stores);
        if request.check.is_some() && !range.clone().all(repeatable) {
            return Err(Refusal::Unchecked);
        }
        let wide = request.target.level.wide();
        let is_evex = |k: usize| graph.instructions[k].code().encoding() == EncodingKind::EVEX;
        if !wide && range.clone().any(is_evex) {
            return Err(Refusal::Evex);
        }
        if rule == Rule::Identity {
            return Ok(builder);
        }
        let (mut used, mut general, mut masks) = (0, 1 << Register::RSP.number(), 1);
        for k in range.clone() {
            let effects = &graph.effects[k];
            used |= effects.reads | effects.writes;
            general |= effects.general;
            masks |= effects.masks;
            builder.floats |= effects.floats && graph.sites[k].is_none();
        }
        if matches!(rule, Rule::Rounded(_)) && builder.floats {
            return Err(Refusal::Rounding);
        }
        // rcx is needed on the way in.
        const GENERAL: [usize; 14] = [8, 9, 10, 11, 7, 6, 2, 0, 3, 5, 12, 13, 14, 15];
        let frame = GENERAL.iter().find(|&&n| general >> n & 1 == 0).ok_or(Refusal::GeneralRegisters)?;
        builder.frame = Some(Register::RAX + *frame as u32);
        if wide {
            builder.odd = (1..8).find(|n| masks >> n & 1 == 0).map(|n| Register::K0 + n as u32);
            if builder.odd.is_none() && matches!(rule, Rule::Rounded(_)) {
                return Err(Refusal::MaskRegisters);
            }
        }
        // Registers that the region does not touch; those that are not read afterwards need not be saved.
        let live = graph.live[*range.start()];
        let mut free: Vec<u8> = (0..if wide { 32 } else { 16 }).filter(|r| used >> r & 1 == 0).collect();
        free.sort_by_key(|&r| (live >> r & 1, r));
        let wanted = match (rule, wide) {
            (Rule::Rounded(ProgramRounding::Random), _) => 8,
            (Rule::Rounded(_), _) => SMALLEST_POOL + 1,
            (_, true) if rule.inputs() == 1 => 4,
            (_, true) => 16,
            (_, false) if rule.inputs() == 1 => 8,
            (_, false) => 12,
        };
        if free.len() < wanted {
            let mut accumulators = builder.accumulators(used);
            accumulators.truncate(wanted - free.len());
            builder.hosted = accumulators.iter().fold(0, |set, r| set | 1 << r);
            free.extend(accumulators);
        }
        if !wide {
            if free.len() <= SMALLEST_POOL {
                return Err(Refusal::VectorRegisters(free.len()));
            }
            builder.mask = Some(free.remove(0));
            builder.pool = free;
            builder.choose_invariants(wanted);
            return Ok(builder);
        }
        let weights = (!builder.vnni() && rule.has_parts()) as usize;
        let own = free.len() - builder.hosted.count_ones() as usize;
        if free.len() < SMALLEST_POOL + weights || own < weights {
            return Err(Refusal::VectorRegisters(free.len()));
        }
        free.truncate(26);
        // The hosted ones come last: a constant would not gain from a register that costs a load and a store.
        let mut constants = Vec::new();
        if rule.has_parts() {
            constants.extend([Constant::Weights, Constant::Parity]);
            constants.extend(builder.odd.is_none().then_some(Constant::High));
        }
        if rule.inputs() > 1 {
            constants.extend([Constant::Half, Constant::Last]);
        }
        for (i, constant) in constants.into_iter().enumerate() {
            let needed = i < weights;
            if needed || free.len() - builder.hosted.count_ones() as usize > wanted {
                builder.resident.push((constant, free.remove(0)));
            }
        }
        builder.pool = free;
        builder.choose_invariants(wanted.max(HELD));
        Ok(builder)
    }

    /// Gives registers of the pool to operands that a loop does not write, as far as it keeps `least` that are not hosted.
    fn choose_invariants(&mut self, least: usize) {
        let (graph, range) = (self.graph, self.range.clone());
        if !graph.is_loop(&range) || !self.rule.has_parts() {
            return;
        }
        let written = range.clone().fold(0, |set, k| set | graph.effects[k].writes);
        let sites = range.filter_map(|k| graph.sites[k].as_ref());
        for (register, scalar) in Invariant::candidates(self.rule, sites, written) {
            // The hosted ones come last.
            let own = self.pool.iter().filter(|&&r| self.hosted >> r & 1 == 0).count();
            if own < least + self.rule.inputs() {
                return;
            }
            let parts = self.pool.drain(own - self.rule.inputs()..own).collect();
            self.invariants.push(Invariant { register, scalar, parts });
        }
    }

    /// Returns true if the machine has VPDPWSSD.
    fn vnni(&self) -> bool {
        self.request.target.level == Level::Avx512 { vnni: true }
    }

    /// Registers that the region uses only as accumulators d = a · b + d.
    fn accumulators(&self, used: Vectors) -> Vec<u8> {
        let mut pure = used;
        for k in self.range.clone() {
            match &self.graph.sites[k] {
                Some(fma) => {
                    let addend = !fma.scalar && fma.c() == Operand::Register(fma.destination());
                    let others = [fma.a(), fma.b(), if addend { Operand::One } else { fma.c() }];
                    for operand in others {
                        if let Operand::Register(register) = operand {
                            pure &= !(1 << register.number());
                        }
                    }
                    if !addend {
                        pure &= !(1 << fma.destination().number());
                    }
                }
                None => pure &= !(self.graph.effects[k].reads | self.graph.effects[k].writes),
            }
        }
        (0..32).rev().filter(|r| pure >> r & 1 == 1).collect()
    }

    /// The first multiply-add of each block.
    fn entries(&self) -> Vec<usize> {
        let mut fresh = true;
        let mut entries = Vec::new();
        for k in self.range.clone() {
            fresh |= self.graph.leaders.contains(&k);
            if fresh && self.graph.sites[k].is_some() {
                entries.push(k);
                fresh = false;
            }
        }
        entries
    }

    /// Registers for temporaries of a quick copy, and which of them are hosted, if not those of the usual copy. Without AVX-512 a
    /// BF16 takes one temporary in place of several and no masks; and a sum that lived in the frame would be waited for.
    fn quick_registers(&self) -> Option<(Vec<u8>, Vectors)> {
        let mask = self.mask.filter(|_| self.rule.inputs() == 1)?;
        let all = || std::iter::once(mask).chain(self.pool.iter().copied());
        let own = all().filter(|r| self.hosted >> r & 1 == 0).count();
        let pool: Vec<u8> = all().take(own.max(LEAST_QUICK_POOL)).collect();
        let hosted = self.hosted & pool.iter().fold(0, |set, r| set | 1 << r);
        Some((pool, hosted))
    }

    /// A segment in its order, with registers for its temporaries.
    fn arranged(&self, segment: Vec<Operation>, pool: &[u8]) -> Vec<Operation> {
        let width = self.graph.width(self.range.clone());
        // Without AVX-512 no operand is a broadcast.
        let segment = if self.mask.is_none() { fold(segment) } else { segment };
        let held = if width == Width::Zmm { pool.len() } else { pool.len().min(HELD) };
        // A sum of one part is done before the frame would give back what it was lent: with 16 registers, where much is lent,
        // PyTorch's transformer (MKL's product) takes two thirds more time so.
        let spill = self.mask.is_none() || !matches!(self.rule, Rule::Parts { inputs: 1, .. });
        allocate(&schedule(&segment, &self.graph.effects, held, spill), pool, width)
    }

    /// The [quick] copy, if there is to be one.
    fn quick(&self, slots: &mut lower::Slots) -> Option<QuickCopy> {
        let (graph, range) = (self.graph, self.range.clone());
        if self.floats || self.frame == Some(Register::RAX) {
            return None;
        }
        let few = self.quick_registers();
        let at_home = few.is_some();
        let (pool, hosted) = few.unwrap_or_else(|| (self.pool.clone(), self.hosted));
        let (entries, target) = (self.entries(), self.request.target);
        let plan =
            Quick::of(graph, range.clone(), (self.rule, target), &entries, [self.hosted, hosted], slots)?;
        let arrange = |segment| self.arranged(segment, &pool);
        let mut lowering = Lowering::new(graph, range, self.rule, (hosted, &self.invariants), &arrange)
            .quick(Adders::of(self.rule, target), at_home);
        lowering.slots = slots.clone();
        let labels = entries.iter().map(|&k| lowering.enter(k)).collect::<Result<_, _>>().ok()?;
        let Lowering { items, exits, slots, .. } = lowering;
        Some(QuickCopy { plan, items, exits, labels, slots })
    }

    fn build(self, at: u64) -> Result<Region, Refusal> {
        let (graph, range) = (self.graph, self.range.clone());
        let arrange = |segment| self.arranged(segment, &self.pool);
        let kept = (self.hosted, &self.invariants[..]);
        let mut lowering =
            Lowering::new(graph, range.clone(), self.rule, kept, &arrange).with_words(self.request.word);
        for register in (0..32).filter(|r| self.hosted >> r & 1 == 1) {
            lowering.slots.of(Held::Hosted(register));
        }
        let mut labels = Vec::new();
        for k in self.entries() {
            labels.push((k, lowering.enter(k)?));
        }
        let Lowering { items, exits, mut slots, words, .. } = lowering;
        let quick = self.quick(&mut slots);
        if let Some(copy) = &quick {
            slots = copy.slots.clone();
        }
        let width = graph.width(range.clone());
        let prepared = self.invariants.iter().map(|invariant| invariant.prepare(self.rule, width));
        let prologue: Vec<Operation> = prepared.flat_map(arrange).collect();
        let both = |register| {
            occurs(&items, register)
                || quick.as_ref().is_some_and(|quick| occurs(&quick.items, register))
                || prologue.iter().any(|operation| names(operation, register))
        };
        // Temporaries that occur, and every register that a constant lies in.
        let mut scratch: Vec<u8> = self.pool.iter().copied().filter(|&r| both(r)).collect();
        if scratch.iter().all(|r| self.hosted >> r & 1 == 1) {
            scratch.extend(self.pool.iter().find(|&&r| self.hosted >> r & 1 == 0));
        }
        // A way out takes two, that of a quick copy three.
        let least = if quick.is_some() { 3 } else { 2 * usize::from(self.mask.is_some()) };
        let more = least.saturating_sub(scratch.len());
        let others: Vec<u8> = self.pool.iter().copied().filter(|r| !scratch.contains(r)).collect();
        scratch.extend(others.into_iter().take(more));
        scratch.extend(self.resident.iter().map(|&(_, register)| register).chain(self.mask));
        scratch.extend(self.invariants.iter().flat_map(|invariant| &invariant.parts));
        for &register in scratch.iter().filter(|&&r| self.hosted >> r & 1 == 0) {
            slots.of(Held::Saved(register));
        }
        let first_exit = exits.len();
        let count = slots.count() as i64;
        if self.frame.is_some() && Frame::bytes(count) > workspace::FRAME_BYTES {
            return Err(Refusal::Slots(count));
        }
        let words: Vec<u32> = match self.rule {
            Rule::Rounded(ProgramRounding::Random) => Word::SHARED.into_iter().chain(words).collect(),
            _ => Vec::new(),
        };
        let mut emitter = Emitter::new(at, self.rule, self.mask.is_some(), &words);
        let frame = Frame {
            resources: Resources {
                vnni: self.vnni(),
                narrow: self.mask.map(|mask| Avx2Resources { pool: at + emit::POOL as u64, mask }),
                resident: self.resident.clone(),
                odd: self.odd,
                words: emitter.words,
                frame: self.frame.unwrap_or(Register::None),
                // With several parts each number goes through a long chain, and waiting for another one costs more.
                long: items.len() > LONG && self.rule.inputs() == 1,
            },
            hosts: slots.hosts(),
            prologue,
            scratch,
            floats: self.floats,
            keeps_clean: self.keeps_clean,
            slots: count,
        };
        let check = self.request.check.as_ref();
        emitter.body(graph, &frame, &items, check)?;
        let mut ways_out = Vec::new();
        for exit in &exits {
            ways_out.push(match self.frame {
                Some(_) => {
                    emitter.exit(&mut slots, &frame, exit, (self.request.resume)(exit.address), check)?
                }
                None => emitter.bare_exit(exit, (self.request.resume)(exit.address), check)?,
            });
        }
        let quick_at = emitter.here();
        let quick = match quick {
            Some(QuickCopy { mut plan, items, exits, labels, .. }) => {
                plan.keep(&frame.resources);
                let base = emitter.labels.len();
                let own = plan.frame(&frame);
                emitter.body(graph, &own, &moved(items, base, first_exit), check)?;
                plan.fail = emitter.label_of_its_own();
                for exit in &exits {
                    let to = ((self.request.resume)(exit.address), check);
                    ways_out.push(emitter.quick_exit(&mut slots, &own, &plan, exit, to)?);
                }
                emitter.start_again(&own, &plan, graph.instructions[*range.start()].ip())?;
                let labels: Vec<usize> = labels.into_iter().map(|label| label + base).collect();
                Some((plan, own, labels))
            }
            None => None,
        };
        let quick_end = emitter.here();
        let mut entries = Vec::new();
        for (number, (k, label)) in labels.into_iter().enumerate() {
            let original = graph.instructions[k].ip();
            entries.push(match self.frame {
                Some(_) => {
                    let single = (self.request.single)(original);
                    let quick = quick.as_ref().map(|(plan, _, labels)| (plan, labels[number]));
                    emitter.entry(&mut slots, &frame, (original, graph.live[k]), label, quick, single)?
                }
                None => Entry { original, offset: emitter.label(label).ok_or(Refusal::Encoding)? },
            });
        }
        emitter.resolve(&ways_out)?;
        let mut tracks = Vec::new();
        if let Some(check) = check {
            let mut reference = |emitter: &mut Emitter, traced| {
                emitter.reference(graph, range.clone(), self.request, (check, traced), &mut tracks)
            };
            let (plain, traced) = (reference(&mut emitter, false)?, reference(&mut emitter, true)?);
            for entry in &mut entries {
                let k = graph.at(entry.original).ok_or(Refusal::Encoding)?;
                let ways = [plain[&k], entry.offset, traced[&k]];
                *entry = emitter.checked_entry(check, entry.original, ways)?;
            }
        }
        let multiply_adds = range.filter(|&k| graph.sites[k].is_some()).count();
        let mut saved = |frame: &Frame| {
            let own = frame.scratch.iter().filter(|&&r| self.hosted >> r & 1 == 0);
            let mut saved: Vec<(u8, u16)> = own.map(|&r| (r, slots.of(Held::Saved(r)))).collect();
            saved.extend(&frame.hosts);
            saved
        };
        let usual = saved(&frame);
        let quick = quick.map_or_else(|| usual.clone(), |(_, own, _)| saved(&own));
        let map = Map {
            range: at..at + emitter.bytes.len() as u64,
            addresses: emitter.addresses,
            frame: self.frame,
            saved_rcx: frame.saved_rcx(),
            saved: [usual, quick],
            quick: quick_at..quick_end,
        };
        Ok(Region { at, code: emitter.bytes, entries, multiply_adds, map, tracks, floats: self.floats })
    }
}

/// A quick copy, lowered.
struct QuickCopy {
    plan: Quick,
    items: Vec<Item>,
    exits: Vec<lower::Exit>,
    labels: Vec<usize>,
    /// Slots of the usual copy and its own.
    slots: lower::Slots,
}

/// Items with other numbers for their labels and ways out.
fn moved(mut items: Vec<Item>, labels: usize, exits: usize) -> Vec<Item> {
    for item in &mut items {
        match item {
            Item::Label(label) | Item::Branch { target: Destination::Label(label), .. } => *label += labels,
            Item::Branch { target: Destination::Exit(exit), .. } => *exit += exits,
            Item::Operation(_) => {}
        }
    }
    items
}

/// Fewest registers for temporaries of a quick copy without AVX-512: one for each operand of an operation.
const LEAST_QUICK_POOL: usize = 3;

/// Registers that the allocator needs: an operation has up to three operands, and one is spare.
const SMALLEST_POOL: usize = 4;

fn occurs(items: &[Item], register: u8) -> bool {
    items.iter().any(|item| matches!(item, Item::Operation(operation) if names(operation, register)))
}

fn names(operation: &Operation, register: u8) -> bool {
    let place = Some(Place::Register(register));
    operation.to == place || operation.from.contains(&place)
}
