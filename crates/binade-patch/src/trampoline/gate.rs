//! The way out of generated code into a function: a routine that trampolines share.
//!
//! A trampoline calls it on the stack of the thread's [workspace](crate::workspace), with rcx at its [`Operands`]. It saves all that a function may change, gives the function the
//! default floating-point environment, and restores everything, MXCSR included.

use iced_x86::code_asm::{CodeAssembler, dword_ptr, qword_ptr, registers::*, ymmword_ptr, zmmword_ptr};

use super::{Level, Unsupported};
use crate::fma::Element;

/// What a gate's handler is given, in the trampoline's frame.
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

/// What generated code calls: computes `operands.d`. Must not unwind, and must not use the x87 or MMX state.
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
    let mut x = CodeAssembler::new(64)?;
    let kept = [rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11, rbp];
    x.pushfq()?;
    for register in kept {
        x.push(register)?;
    }
    x.mov(rbp, rsp)?;
    x.cld()?;
    // What POPFQ would restore in 25 cycles, LAHF and SAHF do in 4; the direction flag alone needs POPFQ.
    let vectors: usize = if level.wide() { 32 } else { 16 };
    let masks = vectors * VECTOR;
    let mxcsr = masks + 64;
    x.and(rsp, -64)?;
    x.sub(rsp, (mxcsr + 64) as i32)?;
    for number in 0..vectors {
        let slot = rsp + number * VECTOR;
        if level.wide() {
            x.vmovaps(zmmword_ptr(slot), wide(number))?;
        } else {
            x.vmovaps(ymmword_ptr(slot), narrow(number))?;
        }
    }
    if level.wide() {
        for (number, mask) in MASKS.into_iter().enumerate() {
            x.kmovq(qword_ptr(rsp + masks + 8 * number), mask)?;
        }
    }
    // The handler may have legacy SSE instructions. One of those while upper halves are in use, and be it LDMXCSR, takes
    // more than 150 ns on Sapphire Rapids: hence VEX for the environment, and no upper halves from here on.
    x.vstmxcsr(dword_ptr(rsp + mxcsr))?;
    x.mov(dword_ptr(rsp + mxcsr + 4), 0x1f80)?;
    x.vldmxcsr(dword_ptr(rsp + mxcsr + 4))?;
    x.vzeroupper()?;
    x.mov(rdi, rcx)?;
    x.mov(rsi, context)?;
    x.mov(rax, handler)?;
    x.call(rax)?;
    x.vldmxcsr(dword_ptr(rsp + mxcsr))?;
    if level.wide() {
        for (number, mask) in MASKS.into_iter().enumerate() {
            x.kmovq(mask, qword_ptr(rsp + masks + 8 * number))?;
        }
    }
    for number in 0..vectors {
        let slot = rsp + number * VECTOR;
        if level.wide() {
            x.vmovaps(wide(number), zmmword_ptr(slot))?;
        } else {
            x.vmovaps(narrow(number), ymmword_ptr(slot))?;
        }
    }
    x.mov(rsp, rbp)?;
    let mut down = x.create_label();
    let flags = rsp + 8 * kept.len();
    x.mov(rax, qword_ptr(flags))?;
    x.test(eax, DIRECTION)?;
    x.jne(down)?;
    // The overflow flag is bit 11, and bit 10 is clear: shifted to the sign and doubled, they overflow if it was set.
    x.mov(ecx, eax)?;
    x.mov(ah, al)?;
    x.shl(ecx, 20)?;
    x.add(ecx, ecx)?;
    x.sahf()?;
    for register in kept.into_iter().rev() {
        x.pop(register)?;
    }
    x.lea(rsp, qword_ptr(rsp + 8))?;
    x.ret()?;
    x.set_label(&mut down)?;
    for register in kept.into_iter().rev() {
        x.pop(register)?;
    }
    x.popfq()?;
    x.ret()?;
    Ok(x.assemble(at)?)
}

type Wide = iced_x86::code_asm::AsmRegisterZmm;
type Narrow = iced_x86::code_asm::AsmRegisterYmm;
type Mask = iced_x86::code_asm::AsmRegisterK;

const MASKS: [Mask; 8] = [k0, k1, k2, k3, k4, k5, k6, k7];

fn wide(number: usize) -> Wide {
    const ALL: [Wide; 32] = [
        zmm0, zmm1, zmm2, zmm3, zmm4, zmm5, zmm6, zmm7, zmm8, zmm9, zmm10, zmm11, zmm12, zmm13, zmm14, zmm15,
        zmm16, zmm17, zmm18, zmm19, zmm20, zmm21, zmm22, zmm23, zmm24, zmm25, zmm26, zmm27, zmm28, zmm29,
        zmm30, zmm31,
    ];
    ALL[number]
}

fn narrow(number: usize) -> Narrow {
    const ALL: [Narrow; 16] = [
        ymm0, ymm1, ymm2, ymm3, ymm4, ymm5, ymm6, ymm7, ymm8, ymm9, ymm10, ymm11, ymm12, ymm13, ymm14, ymm15,
    ];
    ALL[number]
}
