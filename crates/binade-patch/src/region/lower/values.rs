//! The places of the program's register values within a segment, where other registers hold them.

use std::collections::BTreeMap;

use super::segment::Segment;
use super::slots::{Held, Slots};
use crate::region::graph::Vectors;
use crate::region::ir::{Opcode, Place, Width, Word};

/// Slots for the parts of the values that a register takes in a segment.
const TURNS: u8 = 4;

/// Places of values.
#[derive(Default)]
pub(super) struct Values {
    /// Parts of values whose registers must stay as they are.
    pub(super) shadows: BTreeMap<u8, Vec<Place>>,
    /// Parts of the first lanes of registers, which are 0 in the other lanes.
    pub(super) first_lanes: BTreeMap<u8, Vec<Place>>,
    /// Products of registers' bits for random words.
    pub(super) hashes: BTreeMap<(u8, Word), Place>,
    /// The current values of hosted registers.
    present: BTreeMap<u8, Place>,
    /// The temporaries with the values of registers that the program loaded in this segment. So a load and the rounding
    /// of what it loads need not wait for the last use of the register's value before.
    renamed: BTreeMap<u8, Place>,
    /// The slots that have a register's parts.
    turns: BTreeMap<u8, u8>,
}

impl Values {
    /// The place of a program register's value that no register holds.
    pub(super) fn home(&self, register: u8) -> Place {
        self.renamed.get(&register).copied().unwrap_or(Place::Register(register))
    }

    /// From now on a register's value is a temporary.
    pub(super) fn rename(&mut self, register: u8, value: Place) {
        self.renamed.insert(register, value);
    }

    /// From now on a register's value is in the register itself.
    pub(super) fn return_home(&mut self, register: u8) -> Place {
        self.renamed.remove(&register);
        Place::Register(register)
    }

    /// Puts values into their registers again.
    pub(super) fn settle(&mut self, registers: Vectors, segment: &mut Segment, width: Width) {
        for register in (0..32).filter(|r| registers >> r & 1 == 1) {
            if let Some(value) = self.renamed.remove(&register) {
                segment.unary(Opcode::Move, width, Place::Register(register), value);
            }
        }
    }

    /// An instruction of the program writes registers.
    pub(super) fn forget(&mut self, written: Vectors) {
        self.renamed.retain(|register, _| written >> register & 1 == 0);
        self.shadows.retain(|register, _| written >> register & 1 == 0);
        self.first_lanes.retain(|register, _| written >> register & 1 == 0);
        self.hashes.retain(|(register, _), _| written >> register & 1 == 0);
    }

    /// The value of a hosted register, which is used up.
    pub(super) fn take_hosted(&mut self, register: u8, segment: &mut Segment, slots: &mut Slots) -> Place {
        self.present.remove(&register).unwrap_or_else(|| {
            let (slot, value) = (slots.of(Held::Hosted(register)), segment.temporary());
            segment.unary(Opcode::Move, Width::Zmm, value, Place::Slot(slot));
            value
        })
    }

    /// From now on a hosted register has a value.
    pub(super) fn put_hosted(&mut self, register: u8, value: Place) {
        self.present.insert(register, value);
    }

    /// The slot of a part of a register's value, other than the leading one.
    pub(super) fn part(&self, register: u8, part: usize, slots: &mut Slots) -> Place {
        let turn = self.turns.get(&register).copied().unwrap_or(0);
        Place::Slot(slots.of(Held::Part(register, part, turn)))
    }

    /// Another value of a register is split: its parts take the next slots.
    pub(super) fn next_parts(&mut self, register: u8) {
        let turn = self.turns.entry(register).or_insert(0);
        *turn = (*turn + 1) % TURNS;
    }

    /// Ends a segment, after which some registers are live and some of these are split into `parts` parts: puts values where the
    /// next segment looks for them.
    pub(super) fn end(
        mut self,
        [live, split]: [Vectors; 2],
        parts: usize,
        segment: &mut Segment,
        slots: &mut Slots,
        width: Width,
    ) {
        self.settle(live, segment, width);
        for (register, turn) in self.turns {
            if turn > 0 && live & split & 1 << register != 0 {
                for i in 1..parts {
                    let from = slots.of(Held::Part(register, i, turn));
                    let to = slots.of(Held::Part(register, i, 0));
                    let value = segment.temporary();
                    segment.unary(Opcode::Move, width, value, Place::Slot(from));
                    segment.unary(Opcode::Move, width, Place::Slot(to), value);
                }
            }
        }
        for (register, value) in self.present {
            let slot = slots.of(Held::Hosted(register));
            segment.operation(Opcode::Move, Width::Zmm, Place::Slot(slot), [Some(value), None]);
        }
    }
}
