//! Where the program's registers are while code in place of its instructions runs.
//!
//! A signal may come at any instruction, and a fault at the access to memory that the program's own instruction makes. The
//! program's handler, a debugger or an unwinder is to see the program: its address, its stack, its registers.

use std::ops::Range;

use iced_x86::Register;

/// The state of the program at some instruction of generated code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recovery {
    /// The address of the program's instruction that runs, or that comes next.
    pub address: u64,
    /// The program's rsp.
    pub stack: u64,
    /// General registers by their numbers, and where their values lie in memory.
    pub general: Vec<(usize, u64)>,
    /// Vector registers, and where their values lie, aligned to 64 bytes. All others are in place.
    pub vectors: Vec<(u8, u64)>,
}

impl Recovery {
    /// A state in which nothing has been changed yet, or nothing is any more.
    pub fn bare(address: u64, stack: u64) -> Recovery {
        Recovery { address, stack, general: vec![], vectors: vec![] }
    }
}

/// What frames of generated code start at multiples of: their last byte is cleared by a MOV, which touches no flags.
pub(crate) const FRAME_ALIGNMENT: i64 = 256;

/// Where the frame starts that is the first in reach of rsp.
pub(crate) fn frame_start(stack: u64) -> u64 {
    stack.wrapping_add(FRAME_ALIGNMENT as u64 - 1) & !(FRAME_ALIGNMENT as u64 - 1)
}

/// The frame of a trampoline, in the addresses of its code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Kept {
    /// Where rsp is lower, by `depth` bytes.
    pub(super) lowered: Range<u64>,
    pub(super) depth: i64,
    /// From where on general registers lie in the frame, and which, by their distance from rsp.
    pub(super) saved: u64,
    pub(super) general: [(Register, i64); 2],
    /// From where on vectors lie in the frame, which, and the first one's distance from the frame's start.
    pub(super) spilled: u64,
    pub(super) vectors: Vec<u8>,
    pub(super) first: i64,
}

/// The code that stands for one instruction of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Track {
    /// The addresses of the code.
    pub code: Range<u64>,
    /// The address of the program's instruction.
    pub original: u64,
    /// Where the program goes on.
    pub(super) next: u64,
    /// From where on the instruction is done.
    pub(super) done: u64,
    /// The frame, if it has one.
    pub(super) kept: Option<Kept>,
}

impl Track {
    /// The program's state at an address within the code, given rsp there.
    pub fn recover(&self, address: u64, stack: u64) -> Recovery {
        let at = if address < self.done { self.original } else { self.next };
        let Some(kept) = self.kept.as_ref().filter(|kept| kept.lowered.contains(&address)) else {
            return Recovery::bare(at, stack);
        };
        let mut recovery = Recovery::bare(at, stack.wrapping_add_signed(kept.depth));
        if address >= kept.saved {
            let place = |&(register, offset): &(Register, i64)| {
                (register.number(), stack.wrapping_add_signed(offset))
            };
            recovery.general = kept.general.iter().map(place).collect();
        }
        if address >= kept.spilled {
            let start = frame_start(stack).wrapping_add_signed(kept.first);
            recovery.vectors = kept.vectors.iter().copied().zip((start..).step_by(64)).collect();
        }
        recovery
    }
}
