//! The way out of generated code into a function: a routine that trampolines share.
//!
//! A trampoline calls it on the stack of the thread's [workspace](crate::workspace), with rcx at its [`Operands`]. It saves all that a function may change, gives the function the
//! default floating-point environment, and restores everything, MXCSR included.

use iced_x86::Register::{self, AH, AL, EAX, ECX, R8, R9, R10, R11, RAX, RBP, RCX, RDI, RDX, RSI, RSP};
use iced_x86::{Code, Instruction, MemoryOperand};

use super::assembler::Assembler;
use super::place::Unsupported;
use super::target::Level;
use crate::fma::Element;
use crate::snapshot::vectors;

/// The argument of a gate's handler, in the trampoline's frame.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    /// a, signs applied: sixteen lanes of binary32, or eight of binary64. Those beyond `lanes` hold anything.
    pub a: [u32; 16],
    /// b.
    pub b: [u32; 16],
    /// c, signs applied.
    pub c: [u32; 16],
    /// The result: the handler's to fill in, except for the identity, for which it is there and is not to be changed.
    pub d: [u32; 16],
    /// [`Place::site`](super::Place::site).
    pub site: u32,
    /// Lanes that count: 1 to 16.
    pub lanes: u32,
    /// Bytes of a lane: 4 or 8.
    pub bytes: u32,
    /// The lanes that the instruction's mask selects, as bits.
    pub mask: u32,
    /// [`Place::word`](super::Place::word).
    pub word: u32,
}

impl Operands {
    /// The type of a lane.
    pub fn element(&self) -> Element {
        if self.bytes == 4 { Element::F32 } else { Element::F64 }
    }

    /// Fills in `d`, given what computes sixteen lanes of binary32, or one of binary64, from a, b and c.
    pub fn compute(
        &mut self,
        single: impl FnOnce([[f32; 16]; 3]) -> [f32; 16],
        double: impl Fn([f64; 3]) -> f64,
    ) {
        let operands = [self.a, self.b, self.c];
        match self.element() {
            Element::F32 => {
                self.d = single(operands.map(|lanes| lanes.map(f32::from_bits))).map(f32::to_bits);
            }
            Element::F64 => {
                for lane in 0..self.lanes as usize {
                    let bits = double(operands.each_ref().map(|lanes| double_of(lanes, lane))).to_bits();
                    (self.d[2 * lane], self.d[2 * lane + 1]) = (bits as u32, (bits >> 32) as u32);
                }
            }
        }
    }
}

/// A lane of binary64 among those of a register.
pub fn double_of(lanes: &[u32; 16], lane: usize) -> f64 {
    f64::from_bits(lanes[2 * lane] as u64 | (lanes[2 * lane + 1] as u64) << 32)
}

/// The function that generated code calls: computes `operands.d`. Must not unwind, and must not use the x87 or MMX state.
pub type Handler = unsafe extern "C" fn(operands: *mut Operands, context: *const std::ffi::c_void);

/// Bytes of a saved vector.
const VECTOR: usize = 64;
/// EFLAGS: string operations go downwards.
const DIRECTION: i32 = 0x400;

/// The routine, to be put at `at`. It calls the [`Handler`] at the address `handler` with `context`.
///
/// # Errors
/// If it cannot be encoded.
pub fn gate(level: Level, at: u64, handler: u64, context: u64) -> Result<Vec<u8>, Unsupported> {
    let kept = [RAX, RCX, RDX, RSI, RDI, R8, R9, R10, R11, RBP];
    let masks = VECTOR * if level.wide() { 32 } else { 16 };
    let mxcsr = masks + 64;
    let stack = |offset: usize| MemoryOperand::with_base_displ(RSP, offset as i64);
    let pop = |register: &Register| Instruction::with1(Code::Pop_r64, *register);
    let restored: Vec<Instruction> = kept.iter().rev().map(pop).collect::<Result<_, _>>()?;

    let mut x = Assembler::new(at);
    x.emit(Instruction::with(Code::Pushfq))?;
    for register in kept {
        x.emit(Instruction::with1(Code::Push_r64, register)?)?;
    }
    x.emit(Instruction::with2(Code::Mov_r64_rm64, RBP, RSP)?)?;
    x.emit(Instruction::with2(Code::And_rm64_imm8, RSP, -64)?)?;
    x.emit(Instruction::with2(Code::Sub_rm64_imm32, RSP, (mxcsr + 64) as i32)?)?;
    x.emit_all(&vectors(level, 0, masks, false)?)?;
    x.call_in_default([mxcsr, mxcsr + 4].map(stack), RCX, handler, context)?;
    x.emit_all(&vectors(level, 0, masks, true)?)?;
    x.emit(Instruction::with2(Code::Mov_r64_rm64, RSP, RBP)?)?;

    // What POPFQ would restore in 25 cycles, LAHF and SAHF do in 4; the direction flag alone needs POPFQ.
    x.emit(Instruction::with2(Code::Mov_r64_rm64, RAX, stack(8 * kept.len()))?)?;
    x.emit(Instruction::with2(Code::Test_EAX_imm32, EAX, DIRECTION)?)?;
    // The overflow flag is bit 11, and bit 10 is clear: shifted to the sign and doubled, they overflow if it was set.
    let mut upwards = vec![
        Instruction::with2(Code::Mov_r32_rm32, ECX, EAX)?,
        Instruction::with2(Code::Mov_r8_rm8, AH, AL)?,
        Instruction::with2(Code::Shl_rm32_imm8, ECX, 20)?,
        Instruction::with2(Code::Add_r32_rm32, ECX, ECX)?,
        Instruction::with(Code::Sahf),
    ];
    upwards.extend(&restored);
    upwards.push(Instruction::with2(Code::Lea_r64_m, RSP, stack(8))?);
    upwards.push(Instruction::with(Code::Retnq));
    x.unless(Code::Jne_rel32_64, &upwards)?;
    x.emit_all(&restored)?;
    x.emit(Instruction::with(Code::Popfq))?;
    x.emit(Instruction::with(Code::Retnq))?;
    Ok(x.finish())
}
