//! Instructions to bytes at an address.

use iced_x86::{Code, Encoder, Instruction, MemoryOperand, Register};

use super::place::Unsupported;

/// Encodes instructions one after the other.
pub(crate) struct Assembler {
    encoder: Encoder,
    next: u64,
}

/// Bytes of JRCXZ.
const JRCXZ: u64 = 2;

impl Assembler {
    pub(crate) fn new(at: u64) -> Assembler {
        Assembler { encoder: Encoder::new(64), next: at }
    }

    /// The address of what is emitted next.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    pub(crate) fn emit(&mut self, instruction: Instruction) -> Result<(), Unsupported> {
        self.next += self.encoder.encode(&instruction, self.next)? as u64;
        Ok(())
    }

    pub(crate) fn emit_all(&mut self, instructions: &[Instruction]) -> Result<(), Unsupported> {
        instructions.iter().try_for_each(|&instruction| self.emit(instruction))
    }

    /// Instructions that a jump with a 32-bit offset, if it is taken, goes past.
    pub(crate) fn unless(&mut self, jump: Code, instructions: &[Instruction]) -> Result<(), Unsupported> {
        // No length depends on where it leads.
        let mut apart = Assembler::new(self.next);
        apart.emit(Instruction::with_branch(jump, self.next)?)?;
        apart.emit_all(instructions)?;
        self.emit(Instruction::with_branch(jump, apart.next)?)?;
        self.emit_all(instructions)
    }

    /// A call of the function at `handler` with a register's value and `context`, in the default environment and with nothing in
    /// upper halves of vectors. Places: where the program's MXCSR is kept, from which it is restored, and where the default is made.
    pub(crate) fn call_in_default(
        &mut self,
        [program, default]: [MemoryOperand; 2],
        argument: Register,
        handler: u64,
        context: u64,
    ) -> Result<(), Unsupported> {
        // The handler may have legacy SSE instructions. One of those while upper halves are in use, and be it LDMXCSR, takes
        // more than 150 ns on Sapphire Rapids: hence VEX for the environment, and no upper halves from here on.
        self.emit_all(&[
            Instruction::with1(Code::VEX_Vstmxcsr_m32, program)?,
            Instruction::with2(Code::Mov_rm32_imm32, default, 0x1f80)?,
            Instruction::with1(Code::VEX_Vldmxcsr_m32, default)?,
            Instruction::with(Code::Cld),
            Instruction::with(Code::VEX_Vzeroupper),
            Instruction::with2(Code::Mov_r64_rm64, Register::RDI, argument)?,
            Instruction::with2(Code::Mov_r64_imm64, Register::RSI, context)?,
            Instruction::with2(Code::Mov_r64_imm64, Register::RAX, handler)?,
            Instruction::with1(Code::Call_rm64, Register::RAX)?,
            Instruction::with1(Code::VEX_Vldmxcsr_m32, program)?,
        ])
    }

    /// A jump to an address.
    pub(crate) fn jump(&mut self, to: u64) -> Result<(), Unsupported> {
        self.emit(Instruction::with_branch(Code::Jmp_rel32_64, to)?)
    }

    /// Instructions that are jumped over where rcx is 0. No flag is touched; they have to be few.
    pub(crate) fn unless_rcx_is_0(&mut self, instructions: &[Instruction]) -> Result<(), Unsupported> {
        self.unless_any_is_0(&[&[]], instructions)
    }

    /// Instructions that are jumped over unless rcx is 0. No flag is touched; they have to be few.
    pub(crate) fn if_rcx_is_0(&mut self, instructions: &[Instruction]) -> Result<(), Unsupported> {
        let jump = self.next;
        let mut apart = Assembler::new(jump);
        apart.emit(Instruction::with_branch(Code::Jrcxz_rel8_64, jump)?)?;
        apart.emit(Instruction::with_branch(Code::Jmp_rel32_64, jump)?)?;
        self.emit(Instruction::with_branch(Code::Jrcxz_rel8_64, apart.next)?)?;
        self.unless(Code::Jmp_rel32_64, instructions)
    }

    /// Conditions, each a few instructions that set rcx, and instructions that are reached if none of them sets it to 0. No
    /// flag is touched.
    pub(crate) fn unless_any_is_0(
        &mut self,
        conditions: &[&[Instruction]],
        instructions: &[Instruction],
    ) -> Result<(), Unsupported> {
        // No length depends on where the jumps lead.
        let mut apart = Assembler::new(self.next);
        apart.emit_all(&conditions.concat())?;
        apart.emit_all(instructions)?;
        let end = apart.next + JRCXZ * conditions.len() as u64;
        for condition in conditions {
            self.emit_all(condition)?;
            self.emit(Instruction::with_branch(Code::Jrcxz_rel8_64, end)?)?;
        }
        self.emit_all(instructions)
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.encoder.take_buffer()
    }
}
