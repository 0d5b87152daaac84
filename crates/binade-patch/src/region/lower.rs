//! A region as operations: its instructions along every path, each operand rounded or split once where it is defined.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use binade::operator::{Compound, Variant};
use iced_x86::{Code, FlowControl, Instruction, Mnemonic, OpKind, Register};

use super::allocate::allocate;
use super::graph::{Graph, Vectors};
use super::ir::{CONSTANTS, Constant, Kind, Operation, Place, Signs, Width, loads};
use super::rows::{Row, rows};
use super::schedule::schedule;
use crate::fma::{Addend, Element, Fma, Operand};
use crate::trampoline;

/// The operators that regions compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    /// The machine's own.
    Identity,
    /// N input parts, M accumulator parts.
    Parts { inputs: usize, accumulator: usize, products: usize, listing: bool },
}

impl Rule {
    pub(super) fn of(target: &trampoline::Target) -> Option<Rule> {
        if target.identity() {
            return Some(Rule::Identity);
        }
        match target.operator.as_compound()? {
            Compound { flush: true, .. } | Compound { variant: Variant::Exact, .. } => None,
            Compound { inputs, accumulator, products, variant, .. } => {
                Some(Rule::Parts { inputs, accumulator, products, listing: variant == Variant::Listing })
            }
        }
    }

    /// Parts of an input.
    fn inputs(self) -> usize {
        if let Rule::Parts { inputs, .. } = self { inputs } else { 1 }
    }

    /// Whether a region may contain a multiply-add.
    pub(super) fn supports(self, fma: &Fma) -> bool {
        let Rule::Parts { inputs, accumulator, listing, .. } = self else { return true };
        let plain = fma.fused() && fma.element == Element::F32 && !fma.scalar && fma.mask().is_none();
        // The sum of several parts is never −0, unless a nonzero number became that. So the signs of zeros, which negated
        // operands differ in from negated parts, have no effect but on the sums of Listing 1.
        let signs = fma.negate_product || fma.addend != Addend::Add;
        let exact = !listing || !signs || (inputs, accumulator) == (1, 1);
        plain && exact && matches!(fma.addend, Addend::Add | Addend::Subtract)
    }
}

/// What is known of the registers of the program at a place in the copy.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(super) struct Facts {
    /// Its NaNs are quiet and have no payload.
    clean: Vectors,
    /// It is what a multiply-add leaves in an accumulator.
    finished: Vectors,
    /// It is a BF16.
    rounded: Vectors,
    /// It is the leading part of the value; the others are in the frame.
    split: Vectors,
    /// Its NaNs are 0xffc00000 where the program is to see 0x7fc00000.
    loose: Vectors,
}

impl Facts {
    fn forget(&mut self, registers: Vectors) {
        for facts in
            [&mut self.clean, &mut self.finished, &mut self.rounded, &mut self.split, &mut self.loose]
        {
            *facts &= !registers;
        }
    }
}

/// What the copy consists of, in order.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// A label, by its number.
    Label(usize),
    Operation(Operation),
    /// A jump on behalf of an instruction.
    Branch {
        code: Code,
        target: Destination,
        origin: usize,
    },
}

/// Where a jump goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Destination {
    Label(usize),
    Exit(usize),
}

/// A way out of the region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Exit {
    /// Where the program goes on.
    pub(super) address: u64,
    /// Registers whose NaNs are to be made canonical.
    pub(super) loose: Vectors,
    /// Registers that may be read there.
    pub(super) live: Vectors,
}

/// What a slot of the frame holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Held {
    /// A register that the copy uses for itself.
    Saved(u8),
    /// A register of the program that lives in the frame within the region.
    Hosted(u8),
    /// A part of a register's value, other than the leading one. Values that follow each other within a segment take
    /// turns in several slots; between segments it is the first.
    Part(u8, usize, u8),
    /// A part of the numbers of a row.
    Row(u8, usize),
    /// A temporary.
    Spill(u16),
}

/// Why there is no region.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// No general register is free to hold the frame's address.
    #[error("the code uses every general register")]
    GeneralRegisters,
    /// Too few vector registers are free.
    #[error("the code leaves {0} vector registers")]
    VectorRegisters(usize),
    /// There are more paths with different facts than are worth code.
    #[error("the code has too many paths")]
    Paths,
    /// A leading part would be left in a register that is read outside.
    #[error("a split operand leaves the region")]
    Split,
    /// The values that it keeps do not fit into a thread's workspace.
    #[error("the code needs {0} slots for vectors")]
    Slots(i64),
    /// An instruction has no encoding where it would lie.
    #[error("an instruction cannot be encoded")]
    Encoding,
    /// It has instructions of AVX-512, on a machine without.
    #[error("the code has AVX-512 instructions")]
    Evex,
    /// Under a [check](crate::check): it cannot be run twice, or what it stores is not known ahead.
    #[error("the code cannot be checked")]
    Unchecked,
}

/// A region being lowered.
pub(super) struct Lowering<'a> {
    graph: &'a Graph<'a>,
    range: RangeInclusive<usize>,
    rule: Rule,
    /// Registers whose own bits are needed, ahead of each instruction: by anything but this region's multiply-adds.
    raw: Vec<Vectors>,
    /// The longest vectors of its multiply-adds.
    width: Width,
    pool: Vec<u8>,
    hosted: Vectors,
    pub(super) items: Vec<Item>,
    pub(super) exits: Vec<Exit>,
    slots: BTreeMap<Held, u16>,
    versions: BTreeMap<(usize, Facts), usize>,
    /// Versions that items refer to but that have not been made.
    pending: Vec<(usize, Facts)>,
    made: Vec<bool>,
    segment: Vec<Operation>,
    temporaries: u16,
    /// Parts of values whose registers must stay as they are.
    shadows: BTreeMap<u8, Vec<Place>>,
    /// The current values of hosted registers.
    present: BTreeMap<u8, Place>,
    /// The temporaries with the values of registers that the program loaded in this segment. So a load and the rounding
    /// of what it loads need not wait for the last use of the register's value before.
    renamed: BTreeMap<u8, Place>,
    /// Which of its slots a register's parts are in.
    turns: BTreeMap<u8, u8>,
    /// Rows of this segment, and the broadcasts of its instructions that are of one, at an offset.
    rows: Vec<Row>,
    members: BTreeMap<usize, (usize, u8)>,
    /// Rows that are in the frame.
    fetched: BTreeMap<usize, Vec<u16>>,
    /// The instruction being lowered.
    origin: usize,
    /// See [`Operation`].
    task: u32,
}

/// Versions of one place in the code beyond which facts are given up, and of all places.
const VERSIONS_EACH: usize = 3;
const VERSIONS: usize = 60;
/// Slots for the parts of the values that a register takes in a segment.
const TURNS: u8 = 4;
/// Rows of a segment that are made use of.
const ROWS: usize = 32;

impl<'a> Lowering<'a> {
    /// `pool` holds the registers that may be used for temporaries, `hosted` those of the program that are among them.
    pub(super) fn new(
        graph: &'a Graph<'a>,
        range: RangeInclusive<usize>,
        rule: Rule,
        pool: Vec<u8>,
        hosted: Vectors,
    ) -> Lowering<'a> {
        let single = matches!(rule, Rule::Parts { inputs: 1, accumulator: 1, .. });
        let local = |k: usize| match &graph.sites[k] {
            Some(fma) => {
                let addend = match fma.c() {
                    Operand::Register(register) if !single => 1 << register.number(),
                    _ => 0,
                };
                (addend, 1 << fma.destination().number())
            }
            None => (graph.effects[k].reads, graph.effects[k].kills),
        };
        let raw = graph.flow(range.clone(), local, |k| graph.live[k]);
        let width = range.clone().filter_map(|k| graph.sites[k].as_ref());
        let width = width.map(|fma| Width::of(fma.width())).max().unwrap_or(Width::Zmm);
        Lowering {
            graph,
            range,
            rule,
            raw,
            width,
            pool,
            hosted,
            items: Vec::new(),
            exits: Vec::new(),
            slots: BTreeMap::new(),
            versions: BTreeMap::new(),
            pending: Vec::new(),
            made: Vec::new(),
            segment: Vec::new(),
            temporaries: 0,
            shadows: BTreeMap::new(),
            present: BTreeMap::new(),
            renamed: BTreeMap::new(),
            turns: BTreeMap::new(),
            rows: Vec::new(),
            members: BTreeMap::new(),
            fetched: BTreeMap::new(),
            origin: 0,
            task: 0,
        }
    }

    /// Lowers everything that can be reached from an instruction where nothing is known. Returns its label.
    pub(super) fn enter(&mut self, k: usize) -> Result<usize, Refusal> {
        let label = self.version(k, Facts::default());
        while let Some((k, facts)) = self.pending.pop() {
            let label = self.versions[&(k, facts)];
            if !self.made[label] {
                self.made[label] = true;
                self.items.push(Item::Label(label));
                self.trace(k, facts)?;
            }
        }
        Ok(label)
    }

    /// The number of a slot.
    pub(super) fn slot(&mut self, held: Held) -> u16 {
        let next = CONSTANTS + 1 + self.slots.len() as u16;
        *self.slots.entry(held).or_insert(next)
    }

    pub(super) fn slot_count(&self) -> u16 {
        CONSTANTS + 1 + self.slots.len() as u16
    }

    /// Where hosted registers are.
    pub(super) fn hosts(&self) -> Vec<(u8, u16)> {
        let mut all: Vec<(u8, u16)> = self
            .slots
            .iter()
            .filter_map(|(held, &slot)| match held {
                Held::Hosted(register) => Some((*register, slot)),
                _ => None,
            })
            .collect();
        all.sort();
        all
    }

    /// The label of the code for an instruction under some facts.
    fn version(&mut self, k: usize, facts: Facts) -> usize {
        let next = self.versions.len();
        let label = *self.versions.entry((k, facts)).or_insert(next);
        if label == next {
            self.made.push(false);
        }
        if !self.made[label] {
            self.pending.push((k, facts));
        }
        label
    }

    /// The facts worth having at an instruction: of live registers, and fewer where there are many versions already.
    fn merged(&self, k: usize, mut facts: Facts) -> Facts {
        facts.forget(!self.graph.live[k]);
        let versions = self.versions.keys().filter(|(at, _)| *at == k).count();
        if versions >= VERSIONS_EACH && !self.versions.contains_key(&(k, facts)) {
            (facts.clean, facts.finished, facts.rounded) = (0, 0, 0);
        }
        facts
    }

    fn trace(&mut self, start: usize, mut facts: Facts) -> Result<(), Refusal> {
        let mut k = start;
        self.find_rows(k);
        loop {
            if self.versions.len() > VERSIONS {
                return Err(Refusal::Paths);
            }
            if !self.range.contains(&k) {
                let address = self.graph.instructions[k - 1].next_ip();
                return self.jump(Code::Jmp_rel32_64, address, facts);
            }
            if k != start && self.graph.leaders.contains(&k) {
                self.flush(self.graph.live[k], &facts);
                facts = self.merged(k, facts);
                let label = self.version(k, facts);
                if self.made[label] {
                    let target = Destination::Label(label);
                    self.items.push(Item::Branch { code: Code::Jmp_rel32_64, target, origin: k });
                    return Ok(());
                }
                self.made[label] = true;
                self.items.push(Item::Label(label));
                self.find_rows(k);
            }
            self.origin = k;
            self.task += 1;
            let instruction = self.graph.instructions[k];
            match instruction.flow_control() {
                FlowControl::ConditionalBranch => {
                    let mut near = instruction;
                    near.as_near_branch();
                    self.jump(near.code(), instruction.near_branch_target(), facts)?;
                }
                FlowControl::UnconditionalBranch => {
                    return self.jump(Code::Jmp_rel32_64, instruction.near_branch_target(), facts);
                }
                _ => match self.graph.sites[k] {
                    Some(fma) if self.rule != Rule::Identity => self.multiply_add(&fma, &mut facts),
                    _ => self.copy(&instruction, &mut facts),
                },
            }
            k += 1;
        }
    }

    /// Ends the segment and jumps to where the program's instruction at an address is done.
    fn jump(&mut self, code: Code, address: u64, facts: Facts) -> Result<(), Refusal> {
        let live = |address| self.graph.at(address).map_or(!0, |k| self.graph.live[k]);
        let beyond =
            if code == Code::Jmp_rel32_64 { 0 } else { live(self.graph.instructions[self.origin].next_ip()) };
        self.flush(live(address) | beyond, &facts);
        let inside = self.graph.at(address).filter(|k| self.range.contains(k));
        let target = match inside {
            Some(k) => {
                let facts = self.merged(k, facts);
                Destination::Label(self.version(k, facts))
            }
            None => {
                let live = self.graph.at(address).map_or(!0, |k| self.graph.live[k]);
                if facts.split & live != 0 {
                    return Err(Refusal::Split);
                }
                let exit = Exit { address, loose: facts.loose & live, live };
                let known = self.exits.iter().position(|e| *e == exit);
                Destination::Exit(known.unwrap_or_else(|| {
                    self.exits.push(exit);
                    self.exits.len() - 1
                }))
            }
        };
        self.items.push(Item::Branch { code, target, origin: self.origin });
        Ok(())
    }

    /// Where the value of a register of the program is, which is not hosted.
    fn home(&self, register: u8) -> Place {
        self.renamed.get(&register).copied().unwrap_or(Place::Register(register))
    }

    /// Puts values into their registers again.
    fn settle(&mut self, registers: Vectors) {
        for register in (0..32).filter(|r| registers >> r & 1 == 1) {
            if let Some(value) = self.renamed.remove(&register) {
                self.unary(Kind::Move, self.width, Place::Register(register), value);
            }
        }
    }

    /// Ends a segment, after which some registers are live: no temporary lives beyond it.
    fn flush(&mut self, live: Vectors, facts: &Facts) {
        self.settle(live);
        self.renamed.clear();
        let inputs = self.rule.inputs();
        for (register, turn) in std::mem::take(&mut self.turns) {
            if turn > 0 && live & facts.split & 1 << register != 0 {
                for i in 1..inputs {
                    let (from, to) =
                        (self.slot(Held::Part(register, i, turn)), self.slot(Held::Part(register, i, 0)));
                    let value = self.temporary();
                    self.unary(Kind::Move, self.width, value, Place::Slot(from));
                    self.unary(Kind::Move, self.width, Place::Slot(to), value);
                }
            }
        }
        for (register, value) in std::mem::take(&mut self.present) {
            let slot = self.slot(Held::Hosted(register));
            self.operation(Kind::Move, Width::Zmm, Place::Slot(slot), [Some(value), None]);
        }
        self.shadows.clear();
        self.fetched.clear();
        (self.temporaries, self.task) = (0, 0);
        let segment = std::mem::take(&mut self.segment);
        if segment.is_empty() {
            return;
        }
        let ordered = schedule(&segment, &self.graph.effects, self.pool.len());
        // Spills are numbered from 0 in each segment and then given slots of the frame.
        const SPILLS: u16 = 0x4000;
        let (operations, _) = allocate(&ordered, &self.pool, SPILLS, self.width);
        for mut operation in operations {
            for place in operation.from.iter_mut().chain([&mut operation.to]).flatten() {
                if let Place::Slot(slot @ SPILLS..) = place {
                    *slot = self.slot(Held::Spill(*slot - SPILLS));
                }
            }
            self.items.push(Item::Operation(operation));
        }
    }

    /// Finds what is broadcast from here to the end of the segment as factors of multiply-adds only.
    fn find_rows(&mut self, start: usize) {
        (self.rows, self.members) = Default::default();
        let Rule::Parts { .. } = self.rule else { return };
        let graph = self.graph;
        let inside = |&k: &usize| {
            self.range.contains(&k)
                && graph.instructions[k].flow_control() == FlowControl::Next
                && (k == start || !graph.leaders.contains(&k))
        };
        let end = (start..graph.instructions.len()).take_while(inside).last().map_or(start, |k| k + 1);
        let needed = |k: usize| self.raw.get(k + 1).copied().unwrap_or(!0);
        let gone = |k: usize, bit| {
            (k + 1..end).any(|k| graph.effects[k].kills & bit != 0)
                || graph.live.get(end).is_some_and(|live| live & bit == 0)
        };
        let eligible = |k: usize| {
            let instruction = &graph.instructions[k];
            match &graph.sites[k] {
                Some(fma) => {
                    let factor = fma.a() == Operand::Memory || fma.b() == Operand::Memory;
                    (factor && fma.broadcast()).then_some(4)
                }
                None => {
                    let register = loads(instruction).filter(|r| Width::of(r.size()) <= self.width)?;
                    let bit = 1 << register.number();
                    let bytes = match instruction.mnemonic() {
                        Mnemonic::Vbroadcastss => 4,
                        Mnemonic::Vbroadcastsd => 8,
                        _ => return None,
                    };
                    (needed(k) & bit == 0 && gone(k, bit)).then_some(bytes)
                }
            }
        };
        let mut found = rows(graph, start..end, &eligible, self.width);
        found.truncate(ROWS);
        for (row, members) in found.iter().map(|row| &row.members).enumerate() {
            self.members.extend(members.iter().map(|&(k, offset)| (k, (row, offset))));
        }
        self.rows = found;
    }

    /// The input parts of what the current instruction broadcasts, if that is of a row.
    fn broadcast(&mut self, bytes: u8, width: Width, inputs: usize) -> Option<Vec<Place>> {
        let &(number, offset) = self.members.get(&self.origin)?;
        if !self.fetched.contains_key(&number) {
            let row = self.rows[number].clone();
            self.task += 1;
            let x = self.temporary();
            self.operation(Kind::LoadRow(row.load), row.width, x, [None; 2]);
            self.quiet(row.width, x);
            let parts = if inputs == 1 {
                self.round(row.width, x);
                vec![x]
            } else {
                self.split(row.width, x, inputs, Some(Constant::Infinity), false)
            };
            let mut slots = Vec::new();
            for (i, part) in parts.into_iter().enumerate() {
                slots.push(self.slot(Held::Row(number as u8, i)));
                self.unary(Kind::Move, row.width, Place::Slot(slots[i]), part);
            }
            self.fetched.insert(number, slots);
        }
        self.task += 1;
        let slots = self.fetched[&number].clone();
        let mut parts = Vec::new();
        for slot in slots {
            let part = self.temporary();
            self.unary(Kind::Spread { bytes, offset }, width, part, Place::Slot(slot));
            parts.push(part);
        }
        Some(parts)
    }

    fn temporary(&mut self) -> Place {
        self.temporaries += 1;
        Place::Temporary(self.temporaries - 1)
    }

    fn operation(&mut self, kind: Kind, width: Width, to: Place, from: [Option<Place>; 2]) {
        let (origin, task) = (self.origin, self.task);
        self.segment.push(Operation { kind, width, to: Some(to), from, origin, task });
    }

    fn unary(&mut self, kind: Kind, width: Width, to: Place, x: Place) {
        self.operation(kind, width, to, [Some(x), None]);
    }

    /// An instruction of the program as it is.
    fn copy(&mut self, instruction: &Instruction, facts: &mut Facts) {
        let effects = &self.graph.effects[self.origin];
        let (reads, writes) = (effects.reads, effects.writes);
        let renamed = loads(instruction).map(|register| (register, Width::of(register.size())));
        if let Some((register, width)) =
            renamed.filter(|&(_, w)| w <= self.width && self.rule != Rule::Identity)
        {
            let (number, bit) = (register.number() as u8, 1 << register.number());
            facts.forget(writes);
            self.shadows.remove(&number);
            let inputs = self.rule.inputs();
            let bytes = if instruction.mnemonic() == Mnemonic::Vbroadcastsd { 8 } else { 4 };
            let value = match self.broadcast(bytes, width, inputs) {
                Some(parts) if inputs == 1 => {
                    facts.clean |= bit;
                    facts.rounded |= bit;
                    parts[0]
                }
                Some(parts) => {
                    let head = parts[0];
                    self.shadows.insert(number, parts);
                    head
                }
                None => {
                    let value = self.temporary();
                    self.operation(Kind::Load(*instruction), width, value, [None; 2]);
                    value
                }
            };
            self.renamed.insert(number, value);
            return;
        }
        self.settle(reads);
        self.renamed.retain(|register, _| writes >> register & 1 == 0);
        let seen = reads & facts.loose;
        facts.loose &= !seen;
        for register in (0..32).filter(|r| seen >> r & 1 == 1) {
            // The canonical NaN, unless the value is none.
            let (value, home) = (self.temporary(), Place::Register(register));
            let constant = Kind::Broadcast(Constant::CanonicalNan);
            self.operation(constant, self.width, value, [None, None]);
            self.unary(Kind::Fixup(Constant::UnlessNan), self.width, value, home);
            self.unary(Kind::Move, self.width, home, value);
        }
        let (kind, width) = (Kind::Guest(*instruction), self.width);
        let (origin, task) = (self.origin, self.task);
        self.segment.push(Operation { kind, width, to: None, from: [None; 2], origin, task });
        facts.forget(writes);
        self.shadows.retain(|register, _| writes >> register & 1 == 0);
        if let Some(register) = cleared(instruction) {
            let bit = 1 << register.number();
            facts.clean |= bit;
            facts.finished |= bit;
            facts.rounded |= bit;
        }
    }

    /// x to nearest even BF16, in place. x has no NaN but quiet ones without payload.
    fn round(&mut self, width: Width, x: Place) {
        let parity = self.temporary();
        self.unary(Kind::Parity, width, parity, x);
        self.unary(Kind::Weigh, width, x, parity);
        self.unary(Kind::Truncate, width, x, x);
    }

    /// The BF16 nearest to x, x staying as it is.
    fn rounded(&mut self, width: Width, x: Place) -> Place {
        let copy = self.temporary();
        self.unary(Kind::Move, width, copy, x);
        let parity = self.temporary();
        self.unary(Kind::Parity, width, parity, x);
        self.unary(Kind::Weigh, width, copy, parity);
        self.unary(Kind::Truncate, width, copy, copy);
        copy
    }

    fn quiet(&mut self, width: Width, x: Place) {
        self.unary(Kind::Fixup(Constant::Quiet), width, x, x);
    }

    /// The parts after the leading one `head` of a value; `rest` is the value and is used up. `infinite` says what to do
    /// where the value is infinite, and `exact` that the last part needs no rounding.
    fn lower_parts(
        &mut self,
        width: Width,
        head: Place,
        rest: Place,
        count: usize,
        infinite: Option<Constant>,
        exact: bool,
    ) -> Vec<Place> {
        let mut parts = vec![head];
        for i in 1..count {
            self.operation(Kind::Subtract, width, rest, [Some(rest), Some(parts[i - 1])]);
            // Inf − Inf is NaN. Once made 0 it stays so.
            if let Some(constant) = infinite.filter(|&c| i == 1 || c == Constant::Infinity) {
                self.unary(Kind::Fixup(constant), width, rest, head);
            }
            if i + 1 < count {
                let part = self.rounded(width, rest);
                parts.push(part);
            } else {
                if !exact {
                    self.round(width, rest);
                }
                parts.push(rest);
            }
        }
        parts
    }

    /// The parts of a value that has no NaN but quiet ones; x is used up.
    fn split(
        &mut self,
        width: Width,
        x: Place,
        count: usize,
        infinite: Option<Constant>,
        exact: bool,
    ) -> Vec<Place> {
        let head = self.rounded(width, x);
        self.lower_parts(width, head, x, count, infinite, exact)
    }

    /// The sum of parts, largest first, which uses them up.
    fn join(&mut self, width: Width, parts: &[Place], to: Place) {
        let mut sum = parts[0];
        for (i, &part) in parts.iter().enumerate().skip(1) {
            let place = if i + 1 == parts.len() { to } else { sum };
            self.operation(Kind::Add, width, place, [Some(sum), Some(part)]);
            sum = place;
        }
    }

    /// The input parts of an operand.
    fn factor(&mut self, fma: &Fma, operand: Operand, inputs: usize, facts: &mut Facts) -> Vec<Place> {
        let Operand::Register(register) = operand else {
            let width = Width::of(fma.width());
            if let Some(parts) = self.broadcast(4, width, inputs) {
                return parts;
            }
            let x = self.temporary();
            self.operation(Kind::Load(fma.instruction), width, x, [None; 2]);
            self.quiet(width, x);
            if inputs == 1 {
                self.round(width, x);
                return vec![x];
            }
            return self.split(width, x, inputs, Some(Constant::Infinity), false);
        };
        let (register, width) = (register.number() as u8, self.width);
        let (bit, home) = (1 << register, self.home(register));
        if inputs == 1 && facts.rounded & bit != 0 {
            return vec![home];
        }
        if facts.split & bit != 0 {
            let turn = self.turns.get(&register).copied().unwrap_or(0);
            let mut parts = vec![home];
            parts.extend((1..inputs).map(|i| Place::Slot(self.slot(Held::Part(register, i, turn)))));
            return parts;
        }
        if let Some(shadow) = self.shadows.get(&register) {
            return shadow.clone();
        }
        let (clean, exact) = (facts.clean & bit != 0, facts.finished & bit != 0);
        if self.raw[self.origin] & bit != 0 {
            let x = self.temporary();
            self.unary(Kind::Move, width, x, home);
            if !clean {
                self.quiet(width, x);
            }
            let parts = if inputs == 1 {
                self.round(width, x);
                vec![x]
            } else {
                self.split(width, x, inputs, Some(Constant::Infinity), exact)
            };
            self.shadows.insert(register, parts.clone());
            return parts;
        }
        // Nobody needs the bits themselves: the leading part takes their place.
        if !clean {
            self.quiet(width, home);
        }
        facts.clean |= bit;
        facts.loose &= !bit;
        facts.finished &= !bit;
        if inputs == 1 {
            self.round(width, home);
            facts.rounded |= bit;
            return vec![home];
        }
        let rest = self.temporary();
        self.unary(Kind::Move, width, rest, home);
        self.round(width, home);
        let mut parts = self.lower_parts(width, home, rest, inputs, Some(Constant::Infinity), exact);
        let turn = self.turns.entry(register).or_insert(0);
        *turn = (*turn + 1) % TURNS;
        let turn = *turn;
        for (i, part) in parts.iter_mut().enumerate().skip(1) {
            let slot = Place::Slot(self.slot(Held::Part(register, i, turn)));
            self.unary(Kind::Move, width, slot, *part);
            *part = slot;
        }
        facts.split |= bit;
        parts
    }

    /// The addend, to be used up, and whether it is clean and finished; in its own register if that is `reuse`.
    fn addend(&mut self, fma: &Fma, facts: &Facts, reuse: Option<Place>) -> (Place, bool, bool) {
        let width = Width::of(fma.width());
        let Operand::Register(register) = fma.c() else {
            let x = self.temporary();
            self.operation(Kind::Load(fma.instruction), width, x, [None; 2]);
            return (x, false, false);
        };
        let (number, bit) = (register.number() as u8, 1 << register.number());
        let (clean, finished) = (facts.clean & bit != 0, facts.finished & bit != 0);
        if self.hosted & bit != 0 {
            // Its register has the one use, so that its value moves on.
            let value = match self.present.remove(&number) {
                Some(value) => value,
                None => {
                    let (slot, value) = (self.slot(Held::Hosted(number)), self.temporary());
                    self.unary(Kind::Move, Width::Zmm, value, Place::Slot(slot));
                    value
                }
            };
            return (value, clean, finished);
        }
        let home = self.home(number);
        if reuse == Some(home) {
            return (home, clean, finished);
        }
        let x = self.temporary();
        self.unary(Kind::Move, width, x, home);
        (x, clean, finished)
    }

    /// d = ±a · b ± c under the operator.
    fn multiply_add(&mut self, fma: &Fma, facts: &mut Facts) {
        let Rule::Parts { inputs, accumulator, products, listing } = self.rule else { return };
        let width = Width::of(fma.width());
        let number = fma.destination().number() as u8;
        let (bit, home) = (1 << number, self.home(number));
        let a = self.factor(fma, fma.a(), inputs, facts);
        self.task += 1;
        let b = self.factor(fma, fma.b(), inputs, facts);
        self.task += 1;
        let mut signs =
            Signs { negate_product: fma.negate_product, subtract: fma.addend == Addend::Subtract };
        // A single BF16 is worked on where it is.
        let in_place = (inputs, accumulator) == (1, 1) && fma.c() == Operand::Register(fma.destination());
        let rounded = in_place && facts.rounded & bit != 0;
        let apart = !a.contains(&home) && !b.contains(&home);
        let parts_in_place = inputs > 1 && fma.c() == Operand::Register(fma.destination());
        let reuse = (in_place && rounded || (in_place || parts_in_place) && apart).then_some(home);
        let (c, clean, finished) = self.addend(fma, facts, reuse);
        let sum = if inputs == 1 {
            if accumulator == 1 {
                let known = match fma.c() {
                    Operand::Register(register) => facts.rounded >> register.number() & 1 == 1,
                    _ => false,
                };
                if !known {
                    if !clean {
                        self.quiet(width, c);
                    }
                    self.round(width, c);
                }
            } else if finished {
                // A sum of two parts may lie where its leading part rounds to infinity, just there.
                if accumulator == 2 {
                    let bound = self.temporary();
                    self.unary(Kind::AddInteger(Constant::Half), width, bound, c);
                    self.unary(Kind::Fixup(Constant::Infinity), width, c, bound);
                }
            } else {
                if !clean {
                    self.quiet(width, c);
                }
                let parts = self.split(width, c, accumulator, Some(Constant::InfinityToZero), false);
                self.join(width, &parts, c);
            }
            self.operation(Kind::MultiplyAdd(signs), width, c, [Some(a[0]), Some(b[0])]);
            c
        } else {
            let product = self.product(width, &a, &b, products);
            if signs.negate_product && signs.subtract {
                self.unary(Kind::Xor(Constant::Sign), width, product, product);
                signs.negate_product = false;
            }
            let m = self.split(width, product, inputs, None, false);
            if !clean {
                self.quiet(width, c);
            }
            let c = self.split(width, c, accumulator, None, finished);
            for i in 0..inputs {
                let (kind, x, y) = match (signs.negate_product, signs.subtract) {
                    (false, false) => (Kind::Add, m[i], c[i]),
                    (true, _) => (Kind::Subtract, c[i], m[i]),
                    (false, true) => (Kind::Subtract, m[i], c[i]),
                };
                self.operation(kind, width, m[i], [Some(x), Some(y)]);
            }
            if inputs == 3 {
                self.operation(Kind::Add, width, m[1], [Some(m[2]), Some(m[1])]);
            }
            // Where a leading part is not finite, the others have no say; here they may be anything.
            self.unary(Kind::Fixup(Constant::FiniteOrZero), width, m[1], m[1]);
            self.operation(Kind::Add, width, m[0], [Some(m[0]), Some(m[1])]);
            m[0]
        };
        let target = if self.hosted & bit != 0 { sum } else { home };
        if listing {
            self.unary(Kind::Move, width, target, sum);
        } else if accumulator == 1 {
            let parity = self.temporary();
            self.unary(Kind::Parity, width, parity, sum);
            self.unary(Kind::Weigh, width, sum, parity);
            self.unary(Kind::Truncate, width, target, sum);
        } else {
            let parts = self.split(width, sum, accumulator, Some(Constant::InfinityToZero), false);
            self.join(width, &parts, target);
        }
        if self.hosted & bit != 0 {
            self.present.insert(number, target);
        }
        self.shadows.remove(&number);
        facts.forget(bit);
        facts.clean |= bit;
        facts.loose |= bit;
        if !listing {
            facts.finished |= bit;
            facts.rounded |= if accumulator == 1 { bit } else { 0 };
        }
    }

    /// The partial products summed smallest first, as [`Compound::multiply_add`] does.
    fn product(&mut self, width: Width, a: &[Place], b: &[Place], products: usize) -> Place {
        let order = Compound::order(products);
        let sum = self.temporary();
        for (count, &(i, j)) in order.iter().enumerate() {
            // A slot can be the last operand only.
            let (x, y) = match (a[i], b[j]) {
                (Place::Slot(_), Place::Slot(_)) => {
                    let x = self.temporary();
                    self.unary(Kind::Move, width, x, a[i]);
                    (x, b[j])
                }
                (Place::Slot(_), y) => (y, a[i]),
                (x, y) => (x, y),
            };
            if count == 0 {
                self.operation(Kind::Multiply, width, sum, [Some(x), Some(y)]);
            } else if products == 3 && count == 2 {
                let last = self.temporary();
                self.operation(Kind::Multiply, width, last, [Some(x), Some(y)]);
                self.operation(Kind::Add, width, sum, [Some(sum), Some(last)]);
            } else {
                self.operation(Kind::MultiplyAdd(Signs::default()), width, sum, [Some(x), Some(y)]);
            }
        }
        sum
    }
}

/// The register that an instruction sets to zero by combining a register with itself.
fn cleared(instruction: &Instruction) -> Option<Register> {
    let exclusive = matches!(
        instruction.mnemonic(),
        Mnemonic::Vxorps | Mnemonic::Vxorpd | Mnemonic::Vpxor | Mnemonic::Vpxord | Mnemonic::Vpxorq
    );
    let itself = instruction.op_count() == 3
        && instruction.op_kind(2) == OpKind::Register
        && instruction.op_register(1) == instruction.op_register(2)
        && instruction.op_mask() == Register::None;
    (exclusive && itself).then(|| instruction.op_register(0))
}
