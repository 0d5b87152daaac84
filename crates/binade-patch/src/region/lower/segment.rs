//! The operations between two labels or jumps, being written.

use super::adders::Adders;
use crate::region::ir::{Opcode, Operation, Place, Width};

/// A segment.
#[derive(Default)]
pub(super) struct Segment {
    operations: Vec<Operation>,
    temporaries: u16,
    /// The instruction being lowered.
    pub(super) origin: usize,
    /// True if BF16 are made by multiplications: [`crate::region::quick`].
    pub(super) quick: bool,
    /// The ones that adders make.
    pub(super) adders: Adders,
    /// True if adders made the last of those that alternate.
    turn: bool,
    /// See [`Operation`].
    task: u32,
}

impl Segment {
    /// Begins the operations on behalf of an instruction.
    pub(super) fn begin(&mut self, origin: usize) {
        self.origin = origin;
        self.begin_task();
    }

    /// Begins another task.
    pub(super) fn begin_task(&mut self) {
        self.task += 1;
    }

    /// Returns true if the next BF16 of a quick copy is to be made by adders; `sum` is true if it is that of a multiply-add.
    pub(super) fn by_adders(&mut self, width: Width, sum: bool) -> bool {
        let take_turns = match self.adders {
            Adders::None => return false,
            Adders::All => return true,
            Adders::Half => width != Width::Zmm,
            Adders::Sums => !sum,
        };
        self.turn ^= take_turns;
        if take_turns { self.turn } else { self.adders == Adders::Sums }
    }

    pub(super) fn temporary(&mut self) -> Place {
        self.temporaries += 1;
        Place::Temporary(self.temporaries - 1)
    }

    pub(super) fn operation(&mut self, opcode: Opcode, width: Width, to: Place, from: [Option<Place>; 2]) {
        self.push(opcode, width, Some(to), from);
    }

    pub(super) fn unary(&mut self, opcode: Opcode, width: Width, to: Place, x: Place) {
        self.operation(opcode, width, to, [Some(x), None]);
    }

    /// An instruction of the program.
    pub(super) fn guest(&mut self, opcode: Opcode, width: Width) {
        self.push(opcode, width, None, [None; 2]);
    }

    fn push(&mut self, opcode: Opcode, width: Width, to: Option<Place>, from: [Option<Place>; 2]) {
        let (origin, task) = (self.origin, self.task);
        self.operations.push(Operation { opcode, width, to, from, origin, task });
    }

    /// The operations so far; the next one is the first of another segment.
    pub(super) fn end(&mut self) -> Vec<Operation> {
        (self.temporaries, self.task) = (0, 0);
        std::mem::take(&mut self.operations)
    }
}
