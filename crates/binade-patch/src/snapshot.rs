//! All of a thread's registers in memory, and the way there and back: generated code calls a gate, whose handler may change
//! any of them and where the program goes on.
//!
//! ```text
//!     mov  gs:[stack], rsp
//!     mov  rsp, gs:[top]
//!     call gate
//!     a word for the handler
//! ```

use std::ffi::c_void;
use std::mem::offset_of;

use iced_x86::Register::{self, RAX, RBP, RSP};
use iced_x86::{Code, Instruction, MemoryOperand};

use crate::trampoline::{Assembler, Level, Unsupported};
use crate::workspace::Field;

/// Bytes of the word behind a call.
pub const WORD: u64 = 8;

/// The contents of a thread's registers.
#[repr(C, align(64))]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot {
    /// Vector registers; on AVX2 the lower halves of the first sixteen.
    pub vectors: [[u32; 16]; 32],
    /// Mask registers.
    pub masks: [u64; 8],
    /// General registers by their numbers; rsp is the fourth.
    pub general: [u64; 16],
    /// The flags.
    pub flags: u64,
    /// MXCSR.
    pub mxcsr: u32,
    default: u32,
    /// The address at which it continues: as the handler receives it, that of the word behind the call.
    pub target: u64,
}

impl Snapshot {
    /// The registers of a state that has been nowhere yet.
    pub fn zero() -> Snapshot {
        Snapshot {
            vectors: [[0; 16]; 32],
            masks: [0; 8],
            general: [0; 16],
            flags: 0,
            mxcsr: 0,
            default: 0,
            target: 0,
        }
    }
}

/// The function that a gate calls: it may change the snapshot, and must set its target. Must not unwind, and must not use the x87 or MMX
/// state.
pub type Handler = unsafe extern "C" fn(snapshot: *mut Snapshot, context: *const c_void);

/// The routine, which may be put anywhere. It calls the [`Handler`] at the address `handler` with `context`.
///
/// # Errors
/// If it cannot be encoded.
pub fn gate(level: Level, at: u64, handler: u64, context: u64) -> Result<Vec<u8>, Unsupported> {
    let stack = |offset: usize| MemoryOperand::with_base_displ(RSP, offset as i64);
    let kept = |offset: usize| MemoryOperand::with_base_displ(RBP, offset as i64);
    let general = |register: Register| offset_of!(Snapshot, general) + 8 * register.number();
    let (flags, target) = (offset_of!(Snapshot, flags), offset_of!(Snapshot, target));
    let vectors = |back| vectors(level, offset_of!(Snapshot, vectors), offset_of!(Snapshot, masks), back);
    let load = |register, from| Instruction::with2(Code::Mov_r64_rm64, register, from);
    let store = |to, register| Instruction::with2(Code::Mov_rm64_r64, to, register);
    let others = || (0..16).map(|number| RAX + number).filter(|register| ![RSP, RBP].contains(register));

    let mut x = Assembler::new(at);
    x.emit(Instruction::with(Code::Pushfq))?;
    x.emit(Instruction::with1(Code::Push_r64, RBP)?)?;
    x.emit(Instruction::with2(Code::Mov_r64_rm64, RBP, RSP)?)?;
    x.emit(Instruction::with2(Code::And_rm64_imm8, RSP, -64)?)?;
    x.emit(Instruction::with2(Code::Sub_rm64_imm32, RSP, size_of::<Snapshot>() as i32)?)?;
    for register in others() {
        x.emit(store(stack(general(register)), register)?)?;
    }
    for (from, to) in [(0, general(RBP)), (8, flags), (16, target)] {
        x.emit(load(RAX, kept(from))?)?;
        x.emit(store(stack(to), RAX)?)?;
    }
    x.emit(Field::Stack.load(RAX)?)?;
    x.emit(store(stack(general(RSP)), RAX)?)?;
    x.emit_all(&vectors(false)?)?;
    let environments = [offset_of!(Snapshot, mxcsr), offset_of!(Snapshot, default)].map(stack);
    x.call_in_default(environments, RSP, handler, context)?;
    x.emit_all(&vectors(true)?)?;
    x.emit(load(RAX, stack(target))?)?;
    x.emit(Field::Target.keep(RAX)?)?;
    x.emit(load(RAX, stack(general(RSP)))?)?;
    x.emit(Field::Stack.keep(RAX)?)?;
    for (from, to) in [(general(RBP), 0), (flags, 8)] {
        x.emit(load(RAX, stack(from))?)?;
        x.emit(store(kept(to), RAX)?)?;
    }
    for register in others() {
        x.emit(load(register, stack(general(register)))?)?;
    }
    x.emit(Instruction::with2(Code::Mov_r64_rm64, RSP, RBP)?)?;
    x.emit(Instruction::with1(Code::Pop_r64, RBP)?)?;
    x.emit(Instruction::with(Code::Popfq))?;
    x.emit(Field::Stack.load(RSP)?)?;
    x.emit(Field::Target.jump()?)?;
    Ok(x.finish())
}

/// Vectors and masks to the stack, at these offsets from rsp, or back.
pub(crate) fn vectors(
    level: Level,
    vectors: usize,
    masks: usize,
    back: bool,
) -> Result<Vec<Instruction>, Unsupported> {
    let at = |offset: usize| MemoryOperand::with_base_displ(RSP, offset as i64);
    let (first, count) = if level.wide() { (Register::ZMM0, 32) } else { (Register::YMM0, 16) };
    let [store, load] = if level.wide() {
        [Code::EVEX_Vmovups_zmmm512_k1z_zmm, Code::EVEX_Vmovups_zmm_k1z_zmmm512]
    } else {
        [Code::VEX_Vmovups_ymmm256_ymm, Code::VEX_Vmovups_ymm_ymmm256]
    };
    let mut all = Vec::new();
    for number in 0..count {
        let (register, slot) = (first + number as u32, at(vectors + 64 * number));
        all.push(if back {
            Instruction::with2(load, register, slot)?
        } else {
            Instruction::with2(store, slot, register)?
        });
    }
    for number in 0..if level.wide() { 8 } else { 0 } {
        let (register, slot) = (Register::K0 + number as u32, at(masks + 8 * number));
        all.push(if back {
            Instruction::with2(Code::VEX_Kmovq_kr_km64, register, slot)?
        } else {
            Instruction::with2(Code::VEX_Kmovq_m64_kr, slot, register)?
        });
    }
    Ok(all)
}
