//! The places of the program's registers while code in place of its instructions runs, for signal handlers.
//!
//! A signal may come at any instruction, and a fault at the access to memory that the program's own instruction makes. The
//! program's handler, a debugger or an unwinder is to see the program: its address, its stack, its registers.

use std::ops::Range;

use iced_x86::Register;

use crate::workspace::{self, Field};

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

/// The program's registers in the thread's [workspace](crate::workspace), by the addresses of a trampoline's code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Kept {
    /// Offsets of the frame's pointer and of rcx in the header.
    pub(super) saved: Range<u64>,
    /// Offsets of rax and rdx in it.
    pub(super) probed: Range<u64>,
    pub(super) pointer: Register,
    /// From where on vectors are in the frame, which, and the first one's distance from the frame's start.
    pub(super) spilled: u64,
    pub(super) vectors: Vec<u8>,
    pub(super) first: u64,
}

/// The code that stands for one instruction of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Track {
    /// The addresses of the code.
    pub code: Range<u64>,
    /// The address of the program's instruction.
    pub original: u64,
    /// The address at which the program continues.
    pub(crate) next: u64,
    /// From where on the instruction is done.
    pub(crate) done: u64,
    /// The frame, if it has one.
    pub(crate) kept: Option<Kept>,
}

impl Track {
    /// The program's state at an address within the code, given the program's rsp and the address of the workspace.
    pub fn recover(&self, address: u64, stack: u64, workspace: u64) -> Recovery {
        let at = if address < self.done { self.original } else { self.next };
        let mut recovery = Recovery::bare(at, stack);
        let Some(kept) = self.kept.as_ref().filter(|kept| kept.saved.contains(&address)) else {
            return recovery;
        };
        recovery.general = vec![
            (kept.pointer.number(), Field::Pointer.at(workspace)),
            (Register::RCX.number(), Field::Counter.at(workspace)),
        ];
        if kept.probed.contains(&address) {
            // What the frame's pointer replaces is kept already.
            for (register, field) in [(Register::RAX, Field::ProbedA), (Register::RDX, Field::ProbedD)] {
                recovery.general.push((register.number(), field.at(workspace)));
            }
        }
        if address >= kept.spilled {
            let start = workspace::frame(workspace) + kept.first;
            recovery.vectors = kept.vectors.iter().copied().zip((start..).step_by(64)).collect();
        }
        recovery
    }
}
