//! A region as operations: its instructions along every path, each operand rounded or split once where it is defined.
//!
//! [`Lowering`] walks the paths. Of an instruction, `instruction` makes operations of the current `segment`, with `parts` for
//! what an operator does to a number; `facts` is what is known of registers across segments, `values` where their values are
//! within one, `broadcasts` which of these come from rows, and `slots` what the frame holds.

mod adders;
mod broadcasts;
mod facts;
mod instruction;
mod invariant;
mod parts;
mod rounded;
mod rule;
mod segment;
mod slots;
mod values;

use std::ops::RangeInclusive;

use iced_x86::{Code, FlowControl};

use super::allocate::SPILLS;
use super::graph::{Graph, Vectors};
use super::ir::{Operation, Place, Width};
use super::refusal::Refusal;
use crate::fma::Operand;
use broadcasts::Broadcasts;
use facts::{Facts, Versions};
use segment::Segment;
use values::Values;

pub(super) use adders::Adders;
pub(super) use invariant::Invariant;
pub(super) use rule::Rule;
pub(super) use slots::{Held, Slots};

/// An element of the copy's code, in order.
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

/// The target of a jump.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Destination {
    Label(usize),
    Exit(usize),
}

/// A way out of the region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Exit {
    /// The address at which the program continues.
    pub(super) address: u64,
    /// Registers whose NaNs are to be made canonical.
    pub(super) loose: Vectors,
    /// Registers in whose first lane a NaN is to be made canonical.
    pub(super) first: Vectors,
    /// Registers whose sums are to be split and joined.
    pub(super) open: Vectors,
    /// Registers that may be read there.
    pub(super) live: Vectors,
}

/// Schedules a segment's operations and allocates their registers.
pub(super) type Arrange<'a> = &'a dyn Fn(Vec<Operation>) -> Vec<Operation>;

/// A region being lowered.
pub(super) struct Lowering<'a> {
    graph: &'a Graph<'a>,
    range: RangeInclusive<usize>,
    rule: Rule,
    /// Registers whose own bits are needed, ahead of each instruction: by anything but this region's multiply-adds.
    raw: Vec<Vectors>,
    /// The longest vectors of its multiply-adds.
    width: Width,
    hosted: Vectors,
    /// Operands whose parts are in registers throughout.
    invariants: &'a [Invariant],
    /// True if the program's loads go to its registers at once, not to temporaries.
    at_home: bool,
    arrange: Arrange<'a>,
    pub(super) items: Vec<Item>,
    pub(super) exits: Vec<Exit>,
    pub(super) slots: Slots,
    /// The random word of the instruction at an address, and those in use.
    word: &'a dyn Fn(u64) -> u32,
    pub(super) words: Vec<u32>,
    versions: Versions,
    segment: Segment,
    values: Values,
    broadcasts: Broadcasts,
}

/// Versions of all places in the code beyond which there is no region.
const VERSIONS: usize = 60;

impl<'a> Lowering<'a> {
    /// `hosted` are the registers of the program that live in the frame, and `invariants` operands with parts elsewhere. `arrange` makes of each segment what is to be
    /// emitted: in the order of its operations, and with places of the machine for temporaries.
    pub(super) fn new(
        graph: &'a Graph<'a>,
        range: RangeInclusive<usize>,
        rule: Rule,
        (hosted, invariants): (Vectors, &'a [Invariant]),
        arrange: Arrange<'a>,
    ) -> Lowering<'a> {
        let single = matches!(rule, Rule::Parts { inputs: 1, accumulator: 1, .. });
        let local = |k: usize| match &graph.sites[k] {
            // Of its destination three lanes stay, and its operands are those of other instructions, too.
            Some(fma) if fma.scalar => (graph.effects[k].reads, 0),
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
        let width = graph.width(range.clone());
        Lowering {
            graph,
            range,
            rule,
            raw,
            width,
            hosted,
            invariants,
            at_home: false,
            arrange,
            items: Vec::new(),
            exits: Vec::new(),
            slots: Slots::default(),
            word: &|_| 0,
            words: Vec::new(),
            versions: Versions::default(),
            segment: Segment::default(),
            values: Values::default(),
            broadcasts: Broadcasts::default(),
        }
    }

    /// Gives instructions at addresses their random words.
    pub(super) fn with_words(mut self, word: &'a dyn Fn(u64) -> u32) -> Self {
        self.word = word;
        self
    }

    /// Makes the [quick](super::quick) copy; `at_home` is true if registers are so few that the program's loads go to its
    /// own.
    pub(super) fn quick(mut self, adders: Adders, at_home: bool) -> Self {
        self.segment.quick = true;
        self.segment.adders = adders;
        self.at_home = at_home;
        self
    }

    /// Lowers everything that can be reached from an instruction where nothing is known. Returns its label.
    pub(super) fn enter(&mut self, k: usize) -> Result<usize, Refusal> {
        let label = self.versions.label(k, Facts::default());
        while let Some((label, k, facts)) = self.versions.next() {
            self.items.push(Item::Label(label));
            self.trace(k, facts)?;
        }
        Ok(label)
    }

    fn trace(&mut self, start: usize, mut facts: Facts) -> Result<(), Refusal> {
        let mut k = start;
        self.find_broadcasts(k);
        loop {
            if self.versions.count() > VERSIONS {
                return Err(Refusal::Paths);
            }
            if !self.range.contains(&k) {
                let address = self.graph.instructions[k - 1].next_ip();
                return self.jump(Code::Jmp_rel32_64, address, facts);
            }
            if k != start && self.graph.leaders.contains(&k) {
                self.flush(self.graph.live[k], &facts);
                facts = self.versions.merged(k, self.graph.live[k], facts);
                let label = self.versions.label(k, facts);
                if !self.versions.make(label) {
                    let target = Destination::Label(label);
                    self.items.push(Item::Branch { code: Code::Jmp_rel32_64, target, origin: k });
                    return Ok(());
                }
                self.items.push(Item::Label(label));
                self.find_broadcasts(k);
            }
            self.segment.begin(k);
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
                    Some(fma) if matches!(self.rule, Rule::Rounded(_)) => self.rounded(&fma, &mut facts),
                    Some(fma) if self.rule != Rule::Identity && fma.scalar => {
                        self.scalar_multiply_add(&fma, &mut facts);
                    }
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
        let beyond = if code == Code::Jmp_rel32_64 {
            0
        } else {
            live(self.graph.instructions[self.segment.origin].next_ip())
        };
        self.flush(live(address) | beyond, &facts);
        let inside = self.graph.at(address).filter(|k| self.range.contains(k));
        let target = match inside {
            Some(k) => {
                let facts = self.versions.merged(k, self.graph.live[k], facts);
                Destination::Label(self.versions.label(k, facts))
            }
            None => {
                let live = self.graph.at(address).map_or(!0, |k| self.graph.live[k]);
                if facts.split & live != 0 {
                    return Err(Refusal::Split);
                }
                let Facts { loose, first, open, .. } = facts;
                let exit =
                    Exit { address, loose: loose & live, first: first & live, open: open & live, live };
                let known = self.exits.iter().position(|e| *e == exit);
                Destination::Exit(known.unwrap_or_else(|| {
                    self.exits.push(exit);
                    self.exits.len() - 1
                }))
            }
        };
        self.items.push(Item::Branch { code, target, origin: self.segment.origin });
        Ok(())
    }

    /// Finds the rows of the segment that starts at an instruction.
    fn find_broadcasts(&mut self, start: usize) {
        self.broadcasts = match self.rule {
            Rule::Identity | Rule::Rounded(_) => Broadcasts::default(),
            Rule::Parts { .. } => Broadcasts::find(self.graph, &self.range, &self.raw, self.width, start),
        };
    }

    /// Ends a segment, after which some registers are live: no temporary lives beyond it.
    fn flush(&mut self, live: Vectors, facts: &Facts) {
        let (values, registers) = (std::mem::take(&mut self.values), [live, facts.split]);
        values.end(registers, self.rule.inputs(), &mut self.segment, &mut self.slots, self.width);
        self.broadcasts = Broadcasts::default();
        for mut operation in (self.arrange)(self.segment.end()) {
            for place in operation.from.iter_mut().chain([&mut operation.to]).flatten() {
                if let Place::Slot(slot @ SPILLS..) = place {
                    *slot = self.slots.of(Held::Spill(*slot - SPILLS));
                }
            }
            self.items.push(Item::Operation(operation));
        }
    }
}
