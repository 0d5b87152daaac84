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

use iced_x86::code_asm::{AsmRegister64, CodeAssembler, dword_ptr, qword_ptr, registers::*};
use iced_x86::{Code, Instruction, MemoryOperand, Register};

use crate::trampoline::{Level, Unsupported};
use crate::workspace::Field;

/// Bytes of the word behind a call.
pub const WORD: u64 = 8;

/// What a thread's registers hold.
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
    /// Where it goes on: as the handler gets it, the address of the word behind the call.
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

/// What a gate calls: it may change the snapshot, and must set its target. Must not unwind, and must not use the x87 or MMX
/// state.
pub type Handler = unsafe extern "C" fn(snapshot: *mut Snapshot, context: *const c_void);

/// The general registers by their numbers, without rsp and rbp.
const GENERAL: [(usize, AsmRegister64); 14] = [
    (0, rax),
    (1, rcx),
    (2, rdx),
    (3, rbx),
    (6, rsi),
    (7, rdi),
    (8, r8),
    (9, r9),
    (10, r10),
    (11, r11),
    (12, r12),
    (13, r13),
    (14, r14),
    (15, r15),
];

/// The routine, which may be put anywhere. It calls the [`Handler`] at the address `handler` with `context`.
///
/// # Errors
/// If it cannot be encoded.
pub fn gate(level: Level, at: u64, handler: u64, context: u64) -> Result<Vec<u8>, Unsupported> {
    let general = |number: usize| offset_of!(Snapshot, general) + 8 * number;
    let (flags, target) = (offset_of!(Snapshot, flags), offset_of!(Snapshot, target));
    let (mxcsr, default) = (offset_of!(Snapshot, mxcsr), offset_of!(Snapshot, default));
    let (stack, base) = (general(Register::RSP.number()), general(Register::RBP.number()));
    let mut x = CodeAssembler::new(64)?;
    x.pushfq()?;
    x.push(rbp)?;
    x.mov(rbp, rsp)?;
    x.and(rsp, -64)?;
    x.sub(rsp, size_of::<Snapshot>() as i32)?;
    for (number, register) in GENERAL {
        x.mov(qword_ptr(rsp + general(number)), register)?;
    }
    for (from, to) in [(0, base), (8, flags), (16, target)] {
        x.mov(rax, qword_ptr(rbp + from))?;
        x.mov(qword_ptr(rsp + to), rax)?;
    }
    x.add_instruction(Field::Stack.load(Register::RAX)?)?;
    x.mov(qword_ptr(rsp + stack), rax)?;
    for instruction in vectors(level, false)? {
        x.add_instruction(instruction)?;
    }
    x.vstmxcsr(dword_ptr(rsp + mxcsr))?;
    x.mov(dword_ptr(rsp + default), 0x1f80)?;
    x.vldmxcsr(dword_ptr(rsp + default))?;
    x.cld()?;
    x.vzeroupper()?;
    x.mov(rdi, rsp)?;
    x.mov(rsi, context)?;
    x.mov(rax, handler)?;
    x.call(rax)?;
    x.vldmxcsr(dword_ptr(rsp + mxcsr))?;
    for instruction in vectors(level, true)? {
        x.add_instruction(instruction)?;
    }
    x.mov(rax, qword_ptr(rsp + target))?;
    x.add_instruction(Field::Target.keep(Register::RAX)?)?;
    x.mov(rax, qword_ptr(rsp + stack))?;
    x.add_instruction(Field::Stack.keep(Register::RAX)?)?;
    for (from, to) in [(base, 0), (flags, 8)] {
        x.mov(rax, qword_ptr(rsp + from))?;
        x.mov(qword_ptr(rbp + to), rax)?;
    }
    for (number, register) in GENERAL {
        x.mov(register, qword_ptr(rsp + general(number)))?;
    }
    x.mov(rsp, rbp)?;
    x.pop(rbp)?;
    x.popfq()?;
    x.add_instruction(Field::Stack.load(Register::RSP)?)?;
    x.add_instruction(Field::Target.jump()?)?;
    Ok(x.assemble(at)?)
}

/// Vectors and masks to the snapshot at rsp, or back.
fn vectors(level: Level, back: bool) -> Result<Vec<Instruction>, Unsupported> {
    let at = |offset: usize| MemoryOperand::with_base_displ(Register::RSP, offset as i64);
    let (first, count) = if level.wide() { (Register::ZMM0, 32) } else { (Register::YMM0, 16) };
    let [store, load] = if level.wide() {
        [Code::EVEX_Vmovups_zmmm512_k1z_zmm, Code::EVEX_Vmovups_zmm_k1z_zmmm512]
    } else {
        [Code::VEX_Vmovups_ymmm256_ymm, Code::VEX_Vmovups_ymm_ymmm256]
    };
    let mut all = Vec::new();
    for number in 0..count {
        let register = first + number as u32;
        let slot = at(offset_of!(Snapshot, vectors) + 64 * number);
        all.push(if back {
            Instruction::with2(load, register, slot)?
        } else {
            Instruction::with2(store, slot, register)?
        });
    }
    for number in 0..if level.wide() { 8 } else { 0 } {
        let register = Register::K0 + number as u32;
        let slot = at(offset_of!(Snapshot, masks) + 8 * number);
        all.push(if back {
            Instruction::with2(Code::VEX_Kmovq_kr_km64, register, slot)?
        } else {
            Instruction::with2(Code::VEX_Kmovq_m64_kr, slot, register)?
        });
    }
    Ok(all)
}
