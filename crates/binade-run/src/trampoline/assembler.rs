//! Instructions to bytes at an address.

use iced_x86::{Code, Encoder, Instruction};

use super::Unsupported;

/// Encodes instructions one after the other.
pub(super) struct Assembler {
    encoder: Encoder,
    next: u64,
}

impl Assembler {
    pub(super) fn new(at: u64) -> Assembler {
        Assembler { encoder: Encoder::new(64), next: at }
    }

    /// The address of the next instruction.
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    pub(super) fn emit(&mut self, instruction: Instruction) -> Result<(), Unsupported> {
        self.next += self.encoder.encode(&instruction, self.next)? as u64;
        Ok(())
    }

    /// A jump to an address.
    pub(super) fn jump(&mut self, to: u64) -> Result<(), Unsupported> {
        self.emit(Instruction::with_branch(Code::Jmp_rel32_64, to)?)
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        self.encoder.take_buffer()
    }
}
