//! Instructions to bytes at an address.

use iced_x86::{Code, Encoder, Instruction};

use super::Unsupported;

/// Encodes instructions one after the other.
pub(super) struct Assembler {
    encoder: Encoder,
    next: u64,
}

/// Bytes of JRCXZ.
const JRCXZ: u64 = 2;

impl Assembler {
    pub(super) fn new(at: u64) -> Assembler {
        Assembler { encoder: Encoder::new(64), next: at }
    }

    /// The address of what is emitted next.
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

    /// Instructions that are jumped over where rcx is 0. No flag is touched; they have to be few.
    pub(super) fn unless_rcx_is_0(&mut self, instructions: &[Instruction]) -> Result<(), Unsupported> {
        self.unless_any_is_0(&[&[]], instructions)
    }

    /// Conditions, each a few instructions that set rcx, and instructions that are reached if none of them sets it to 0. No
    /// flag is touched.
    pub(super) fn unless_any_is_0(
        &mut self,
        conditions: &[&[Instruction]],
        instructions: &[Instruction],
    ) -> Result<(), Unsupported> {
        // No length depends on where the jumps lead.
        let mut apart = Assembler::new(self.next);
        for &instruction in conditions.concat().iter().chain(instructions) {
            apart.emit(instruction)?;
        }
        let end = apart.next + JRCXZ * conditions.len() as u64;
        for condition in conditions {
            for &instruction in *condition {
                self.emit(instruction)?;
            }
            self.emit(Instruction::with_branch(Code::Jrcxz_rel8_64, end)?)?;
        }
        for &instruction in instructions {
            self.emit(instruction)?;
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        self.encoder.take_buffer()
    }
}
