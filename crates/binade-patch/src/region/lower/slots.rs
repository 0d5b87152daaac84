//! Slots of the frame, by their contents.

use std::collections::BTreeMap;

use crate::region::ir::CONSTANTS;

/// The contents of a slot of the frame.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Held {
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
    /// A vector register of the program as it was on the way in.
    Before(u8),
    /// Eight general registers of the program as they were on the way in.
    General(u8),
    /// Its mask registers.
    Masks,
}

/// The slots of a region's frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slots(BTreeMap<Held, u16>);

impl Slots {
    /// The number of the slot for something, which has that from the first time on.
    pub(crate) fn of(&mut self, held: Held) -> u16 {
        let next = self.count();
        *self.0.entry(held).or_insert(next)
    }

    /// Slots in use.
    pub(crate) fn count(&self) -> u16 {
        CONSTANTS + 1 + self.0.len() as u16
    }

    /// The registers of the program that live in the frame, ascending, with their slots.
    pub(crate) fn hosts(&self) -> Vec<(u8, u16)> {
        let host = |(held, &slot): (&Held, &u16)| match held {
            Held::Hosted(register) => Some((*register, slot)),
            _ => None,
        };
        self.0.iter().filter_map(host).collect()
    }
}
