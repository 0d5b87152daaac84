//! Control flow, effects and live registers of a function's instructions, and the ranges that are worth translating.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use iced_x86::{
    EncodingKind, FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register,
};

use super::cycles::cycles;
use super::ir::Width;
use super::refusal::Refusal;
use crate::fma::Fma;

/// A set of vector registers, a bit each.
pub(super) type Vectors = u32;

/// The effects of an instruction.
#[derive(Clone, Default)]
pub(super) struct Effects {
    /// Vector registers of which it needs any lane, including lanes that it leaves as they are.
    pub(super) reads: Vectors,
    pub(super) writes: Vectors,
    /// Vector registers of which nothing survives it.
    pub(super) kills: Vectors,
    /// General registers that it names or implies.
    pub(super) general: u16,
    /// General registers that it writes.
    pub(super) changes: u16,
    /// True if it writes memory, reads it into other registers than vectors, or is a fence.
    pub(super) orders: bool,
    /// True if it writes memory.
    pub(super) stores: bool,
    /// Mask registers.
    pub(super) masks: u8,
    /// True if its result depends on MXCSR.
    pub(super) floats: bool,
    /// True if it uses more than 128 bits of a vector.
    pub(super) wide: bool,
    /// A description of it, if no region may contain it.
    pub(super) barrier: Option<&'static str>,
}

/// Mnemonics, less a leading `v`, of what computes with floating-point numbers.
const FLOATS: [&str; 22] = [
    "add", "sub", "mul", "div", "sqrt", "min", "max", "cmp", "round", "rcp", "rsqrt", "cvt", "dp", "hadd",
    "hsub", "comi", "ucomi", "range", "reduce", "scalef", "rndscale", "fixup",
];

impl Effects {
    fn of(factory: &mut InstructionInfoFactory, instruction: &Instruction) -> Effects {
        let mut effects = Effects::default();
        let whole =
            instruction.code().encoding() != EncodingKind::Legacy && instruction.op_mask() == Register::None;
        for used in factory.info(instruction).used_registers() {
            let register = used.register();
            if register.is_vector_register() {
                let bit = 1 << register.number();
                match used.access() {
                    OpAccess::Read | OpAccess::CondRead => effects.reads |= bit,
                    OpAccess::Write if whole => {
                        effects.writes |= bit;
                        effects.kills |= bit;
                    }
                    OpAccess::None | OpAccess::NoMemAccess => {}
                    _ => {
                        effects.reads |= bit;
                        effects.writes |= bit;
                    }
                }
            } else if register.is_gpr() {
                let number = register.full_register().number();
                effects.general |= 1 << number;
                let writes = !matches!(used.access(), OpAccess::Read | OpAccess::CondRead);
                effects.changes |= (writes as u16) << number;
                if register.full_register() == Register::RSP && writes {
                    effects.barrier = Some(STACK_POINTER);
                }
            } else if register.is_k() {
                effects.masks |= 1 << register.number();
            } else if register.is_mm() || register.is_st() || register.is_tmm() {
                effects.barrier = Some("x87, MMX or tile instructions");
            }
        }
        effects.wide = (0..instruction.op_count())
            .filter(|&operand| instruction.op_kind(operand) == OpKind::Register)
            .any(|operand| matches!(instruction.op_register(operand), r if r.is_ymm() || r.is_zmm()));
        let vector = effects.reads | effects.writes != 0;
        effects.orders =
            factory.info(instruction).used_memory().iter().any(|used| match used.access() {
                OpAccess::None | OpAccess::NoMemAccess => false,
                OpAccess::Read | OpAccess::CondRead => !vector && !is_prefetch(instruction),
                _ => true,
            }) || matches!(instruction.mnemonic(), Mnemonic::Lfence | Mnemonic::Mfence | Mnemonic::Sfence);
        effects.stores = factory.info(instruction).used_memory().iter().any(|used| {
            !matches!(
                used.access(),
                OpAccess::None | OpAccess::NoMemAccess | OpAccess::Read | OpAccess::CondRead
            )
        });
        let name = format!("{:?}", instruction.mnemonic()).to_lowercase();
        let name = name.strip_prefix('v').unwrap_or(&name);
        effects.floats = effects.reads | effects.writes != 0 && FLOATS.iter().any(|f| name.starts_with(f));
        // A call writes the stack pointer as well.
        effects.barrier = Effects::barrier(instruction).or(effects.barrier);
        effects
    }

    /// A description of an instruction that is not copied, other than for the registers that it touches. Such are instructions
    /// with rsp as a register operand (its value in the copy is another), on the whole vector state or on MXCSR, and with vectors
    /// of addresses. So is each instruction that leaves the function by other means than a direct jump.
    fn barrier(instruction: &Instruction) -> Option<&'static str> {
        let rsp = |operand| {
            instruction.op_kind(operand) == OpKind::Register
                && instruction.op_register(operand).full_register() == Register::RSP
        };
        match instruction.flow_control() {
            FlowControl::Next => {}
            FlowControl::ConditionalBranch if instruction.is_jcc_short_or_near() => {}
            FlowControl::ConditionalBranch => return Some("a jump on a register's value (LOOP, JRCXZ)"),
            FlowControl::UnconditionalBranch if instruction.is_jmp_short_or_near() => {}
            FlowControl::Call | FlowControl::IndirectCall => return Some("a call"),
            FlowControl::IndirectBranch => return Some("a jump through a table"),
            _ => return Some("a return, system call or trap"),
        }
        if (0..instruction.op_count()).any(rsp) {
            return Some(STACK_POINTER);
        }
        if instruction.memory_index().is_vector_register() {
            return Some("a gather or scatter");
        }
        let whole_state = instruction.is_privileged()
            || instruction.is_save_restore_instruction()
            || matches!(
                instruction.mnemonic(),
                Mnemonic::Vzeroupper
                    | Mnemonic::Vzeroall
                    | Mnemonic::Ldmxcsr
                    | Mnemonic::Vldmxcsr
                    | Mnemonic::Stmxcsr
                    | Mnemonic::Vstmxcsr
                    | Mnemonic::Cpuid
                    | Mnemonic::Xgetbv
                    | Mnemonic::Emms
                    | Mnemonic::Xbegin
                    | Mnemonic::Xend
                    | Mnemonic::Xabort
            );
        whole_state.then_some("an instruction on MXCSR, on all vectors or on the processor's state")
    }
}

/// The reason for which code that names rsp is not copied.
const STACK_POINTER: &str = "an instruction that changes or reads the stack pointer";

fn is_prefetch(instruction: &Instruction) -> bool {
    use Mnemonic::{Prefetch, Prefetchnta, Prefetcht0, Prefetcht1, Prefetcht2, Prefetchw};
    matches!(
        instruction.mnemonic(),
        Prefetch | Prefetchnta | Prefetcht0 | Prefetcht1 | Prefetcht2 | Prefetchw
    )
}

/// Successors of an instruction.
#[derive(Clone, Copy, Default)]
pub(super) struct Successors {
    pub(super) next: Option<usize>,
    pub(super) taken: Option<usize>,
    /// True if there may be other successors.
    pub(super) unknown: bool,
}

/// A function: its instructions by ascending address, and what is known of each.
pub(super) struct Graph<'a> {
    pub(super) instructions: &'a [Instruction],
    /// The multiply-adds that are to be computed under the operator.
    pub(super) sites: Vec<Option<Fma>>,
    pub(super) effects: Vec<Effects>,
    pub(super) successors: Vec<Successors>,
    /// Instructions that a jump leads to.
    pub(super) leaders: BTreeSet<usize>,
    /// Registers that may be read before they are written, ahead of each instruction.
    pub(super) live: Vec<Vectors>,
    /// The [cycle](super::cycles) that each instruction is in.
    cycles: Vec<Option<usize>>,
    index: BTreeMap<u64, usize>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(instructions: &'a [Instruction], is_site: &dyn Fn(&Fma) -> bool) -> Graph<'a> {
        let mut factory = InstructionInfoFactory::new();
        let index: BTreeMap<u64, usize> = instructions.iter().enumerate().map(|(k, i)| (i.ip(), k)).collect();
        let at = |address: u64| index.get(&address).copied();
        let successors: Vec<Successors> = instructions
            .iter()
            .map(|i| {
                let (next, taken) = (at(i.next_ip()), at(i.near_branch_target()));
                match i.flow_control() {
                    FlowControl::Next => Successors { next, taken: None, unknown: next.is_none() },
                    FlowControl::ConditionalBranch => {
                        Successors { next, taken, unknown: next.is_none() || taken.is_none() }
                    }
                    FlowControl::UnconditionalBranch => {
                        Successors { next: None, taken, unknown: taken.is_none() }
                    }
                    // What is called may read any register.
                    _ => Successors { next: None, taken: None, unknown: true },
                }
            })
            .collect();
        let leaders = instructions
            .iter()
            .zip(&successors)
            .filter(|(i, _)| i.flow_control() != FlowControl::Next)
            .flat_map(|(_, s)| [s.next, s.taken])
            .flatten()
            .collect();
        let effects: Vec<Effects> = instructions.iter().map(|i| Effects::of(&mut factory, i)).collect();
        let sites = instructions.iter().map(|i| Fma::decode(i).filter(is_site)).collect();
        let (live, cycles) = (Vec::new(), cycles(instructions));
        let mut graph = Graph { instructions, sites, effects, successors, leaders, live, cycles, index };
        let last = instructions.len().wrapping_sub(1);
        graph.live = graph.flow(0..=last, |k| (graph.effects[k].reads, graph.effects[k].kills), |_| !0);
        graph
    }

    /// The instruction at an address.
    pub(super) fn at(&self, address: u64) -> Option<usize> {
        self.index.get(&address).copied()
    }

    /// The longest vectors of a range's multiply-adds.
    pub(super) fn width(&self, range: RangeInclusive<usize>) -> Width {
        let sites = range.filter_map(|k| self.sites[k].as_ref());
        sites.map(|fma| Width::of(fma.width())).max().unwrap_or(Width::Zmm)
    }

    /// Backward data flow within a range of instructions: what each needs and ends, and what is needed beyond the range.
    pub(super) fn flow(
        &self,
        range: RangeInclusive<usize>,
        local: impl Fn(usize) -> (Vectors, Vectors),
        beyond: impl Fn(usize) -> Vectors,
    ) -> Vec<Vectors> {
        let mut needed = vec![0; self.instructions.len()];
        loop {
            let mut changed = false;
            for k in range.clone().rev() {
                let Successors { next, taken, unknown } = self.successors[k];
                let mut out = if unknown { !0 } else { 0 };
                for successor in [next, taken].into_iter().flatten() {
                    out |= if range.contains(&successor) { needed[successor] } else { beyond(successor) };
                }
                let (needs, ends) = local(k);
                let value = needs | out & !ends;
                changed |= value != needed[k];
                needed[k] = value;
            }
            if !changed {
                return needed;
            }
        }
    }

    /// The ranges worth translating: innermost loops with at least `least[0]` multiply-adds, then straight code with at least
    /// `least[1]`. Of code that stores, the stretches between its stores, where most of its multiply-adds lie `long` or more at a stretch.
    pub(super) fn candidates(
        &self,
        [in_loop, straight]: [usize; 2],
        supported: &dyn Fn(&Fma) -> bool,
        long: Option<usize>,
    ) -> Vec<RangeInclusive<usize>> {
        let n = self.instructions.len();
        let usable =
            |k: usize| self.effects[k].barrier.is_none() && self.sites[k].as_ref().is_none_or(supported);
        let joined = |k: usize| self.instructions[k - 1].next_ip() == self.instructions[k].ip();
        let mut taken = vec![false; n];
        let mut all = Vec::new();
        // A range, or its stretches if most of its multiply-adds lie in long ones.
        let divide = |range: RangeInclusive<usize>, least: usize| {
            let stretches = long.and_then(|long| self.stretches(range.clone(), long));
            let (ranges, least) = stretches.map_or_else(|| (vec![range], least), |found| (found, straight));
            ranges.into_iter().filter(move |range| self.multiply_adds(range) >= least)
        };
        for (head, end) in self.backward() {
            let least = if self.repeats((head, end)) { in_loop } else { straight };
            let whole = end - head < LONGEST
                && (head..=end).all(|k| !taken[k] && usable(k) && (k == head || joined(k)));
            if whole && self.multiply_adds(&(head..=end)) >= least {
                taken[head..=end].fill(true);
                all.extend(divide(head..=end, least));
            }
        }
        let mut k = 0;
        while k < n {
            let start = k;
            while k < n
                && !taken[k]
                && usable(k)
                && self.is_straight(k)
                && (k == start || !self.leaders.contains(&k) && joined(k))
            {
                k += 1;
            }
            if k == start {
                k += 1;
                continue;
            }
            if let Some(range) = self.trimmed(start..=k - 1) {
                all.extend(divide(range, straight));
            }
        }
        all
    }

    /// The instructions that each branch back jumps over, its own included; shortest first. Not all are [loops](Graph::repeats).
    fn backward(&self) -> Vec<(usize, usize)> {
        let taken = |k: usize| self.successors[k].taken.filter(|&head| head <= k);
        let mut ranges: Vec<(usize, usize)> =
            (0..self.instructions.len()).filter_map(|k| Some((taken(k)?, k))).collect();
        ranges.sort_by_key(|&(head, end)| end - head);
        ranges
    }

    /// Returns true if the code between a branch back and its target runs again, as far as it is known.
    fn repeats(&self, (head, end): (usize, usize)) -> bool {
        self.cycles[head].is_some() && self.cycles[head] == self.cycles[end]
    }

    /// Reasons for which multiply-adds of loops run one by one, one for each such loop for which `explained` is false and whose first
    /// multiply-add is not `foreign`.
    pub(super) fn unexplained(
        &self,
        explained: &dyn Fn(usize) -> bool,
        obstacle: &dyn Fn(&Fma) -> Option<Refusal>,
        foreign: &dyn Fn(&Fma) -> bool,
    ) -> Vec<Refusal> {
        let mut seen = vec![false; self.instructions.len()];
        let mut reasons = Vec::new();
        let through_table = |k: usize| self.instructions[k].flow_control() == FlowControl::IndirectBranch;
        let ranges = self.backward();
        for &(head, end) in &ranges {
            let repeats = self.repeats((head, end));
            if !repeats && !(head..=end).any(through_table) {
                continue;
            }
            let within = |k: &usize| !repeats || self.cycles[*k] == self.cycles[head];
            let single = |k: usize| self.sites[k].filter(|_| !seen[k] && !explained(k));
            let sites: Vec<Fma> = (head..=end).filter(within).filter_map(single).collect();
            if sites.first().is_none_or(foreign) {
                continue;
            }
            let barriers = || (head..=end).filter(within).find_map(|k| self.effects[k].barrier);
            let joined = |k: usize| self.instructions[k - 1].next_ip() == self.instructions[k].ip();
            let apart = !(head + 1..=end).all(joined) || !(head..=end).all(|k| within(&k));
            let inner = |&(from, to): &(usize, usize)| {
                (from, to) != (head, end) && head <= from && to <= end && self.repeats((from, to))
            };
            let outer = ranges.iter().any(inner);
            let reason = sites.iter().find_map(obstacle).or_else(|| Some(Refusal::Outer).filter(|_| outer));
            let reason = reason.or_else(|| barriers().map(Refusal::Instruction));
            let reason = reason.or(apart.then_some(Refusal::Pieces));
            reasons.push(reason.unwrap_or(Refusal::Long(end - head + 1)));
            (head..=end).filter(within).for_each(|k| seen[k] = true);
        }
        reasons
    }

    /// True if a branch of a range leads back within it.
    pub(super) fn is_loop(&self, range: &RangeInclusive<usize>) -> bool {
        let taken = |k: usize| self.successors[k].taken;
        range.clone().any(|k| taken(k).is_some_and(|to| (*range.start()..=k).contains(&to)))
    }

    fn is_straight(&self, k: usize) -> bool {
        self.instructions[k].flow_control() == FlowControl::Next
    }

    pub(super) fn multiply_adds(&self, range: &RangeInclusive<usize>) -> usize {
        range.clone().filter(|&k| self.sites[k].is_some()).count()
    }

    /// From its first to its last multiply-add.
    fn trimmed(&self, range: RangeInclusive<usize>) -> Option<RangeInclusive<usize>> {
        let mut sites = range.filter(|&k| self.sites[k].is_some());
        let first = sites.next()?;
        Some(first..=sites.next_back().unwrap_or(first))
    }

    /// The straight code of a range between its stores, if that has some and three quarters of its multiply-adds lie `long` or
    /// more at a stretch.
    pub(super) fn stretches(
        &self,
        range: RangeInclusive<usize>,
        long: usize,
    ) -> Option<Vec<RangeInclusive<usize>>> {
        if !range.clone().any(|k| self.effects[k].stores) {
            return None;
        }
        let inside = |k: usize| self.is_straight(k) && !self.effects[k].stores;
        let indices: Vec<usize> = range.clone().collect();
        let runs = indices.chunk_by(|&j, &k| inside(j) && inside(k) && !self.leaders.contains(&k));
        let found: Vec<RangeInclusive<usize>> =
            runs.filter_map(|run| self.trimmed(run[0]..=run[run.len() - 1])).collect();
        let at_a_stretch: usize =
            found.iter().map(|run| self.multiply_adds(run)).filter(|&count| count >= long).sum();
        (4 * at_a_stretch >= 3 * self.multiply_adds(&range)).then_some(found)
    }
}

/// Instructions of a loop beyond which it is not translated.
pub(super) const LONGEST: usize = 1200;
