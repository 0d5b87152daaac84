//! The operations of a region in VEX instructions, for machines with AVX2 and without AVX-512.
//!
//! There are 16 registers, no broadcasts in operands, no masks and no classification of numbers: one register beside those
//! of the allocator holds masks of lanes, and constants lie in the code, in all lanes. Numbers are classified as integers,
//! so that no exception flag is raised: with its sign cleared a NaN is above infinity.

use std::ops::Range;

use iced_x86::{Code, Instruction, MemoryOperand, Mnemonic, Register};

use super::ir::{
    Constant, NO_OTHER_LANE, Opcode, Operation, Place, Resources, Result, Signs, Width, loads_one, operand,
};

/// Constants behind those of [`Constant`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
enum Bits {
    /// The NaN that invalid operations give.
    InvalidNan,
    /// All but the sign.
    Magnitude,
    Infinity,
    /// The largest finite number.
    Largest,
    /// Half the last bit of a BF16, less the last bit of a binary32.
    Bias,
    /// The bits that a sum of two parts is nearer to one of them.
    SumBias,
    /// The weight of its last bit.
    SumLast,
}

const BITS: [(Bits, u32); 7] = [
    (Bits::InvalidNan, 0xffc0_0000),
    (Bits::Magnitude, 0x7fff_ffff),
    (Bits::Infinity, 0x7f80_0000),
    (Bits::Largest, 0x7f7f_ffff),
    (Bits::Bias, 0x7fff),
    (Bits::SumBias, 0x7fbf),
    (Bits::SumLast, 0x81),
];

/// Bytes of a vector.
const VECTOR: usize = 32;

/// The constants, each in all lanes.
pub(super) fn pool() -> Vec<u8> {
    let constants = Constant::ALL.iter().map(|constant| constant.value());
    let all = constants.chain(BITS.iter().map(|&(_, value)| value));
    all.flat_map(|value| value.to_le_bytes().repeat(VECTOR / 4)).collect()
}

/// Offsets in the [`pool`] of the constants for rounding.
pub(super) fn rounding() -> [Range<usize>; 2] {
    let bias = Constant::ALL.len() + Bits::Bias as usize;
    [bias, Constant::Spread as usize].map(|index| VECTOR * index..VECTOR * (index + 1))
}

/// The resources of such a machine that the copy may use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2Resources {
    /// The address of the [`pool`].
    pub(super) pool: u64,
    /// A register for masks.
    pub(super) mask: u8,
}

/// One code for each vector length: 512 bits stand for a whole register, which has 256.
macro_rules! codes {
    ($width:expr, $xmm:ident, $ymm:ident) => {
        match $width {
            Width::Xmm => Code::$xmm,
            _ => Code::$ymm,
        }
    };
}

/// A shift by a constant, left or right.
fn shift(left: bool, width: Width) -> Code {
    match left {
        true => codes!(width, VEX_Vpslld_xmm_xmm_imm8, VEX_Vpslld_ymm_ymm_imm8),
        false => codes!(width, VEX_Vpsrld_xmm_xmm_imm8, VEX_Vpsrld_ymm_ymm_imm8),
    }
}

fn and(width: Width) -> Code {
    codes!(width, VEX_Vpand_xmm_xmm_xmmm128, VEX_Vpand_ymm_ymm_ymmm256)
}

fn add(width: Width) -> Code {
    codes!(width, VEX_Vpaddd_xmm_xmm_xmmm128, VEX_Vpaddd_ymm_ymm_ymmm256)
}

fn onefold(width: Width) -> Code {
    codes!(width, VEX_Vbroadcastss_xmm_m32, VEX_Vbroadcastss_ymm_m32)
}

fn twofold(width: Width) -> Code {
    codes!(width, VEX_Vmovddup_xmm_xmmm64, VEX_Vbroadcastsd_ymm_m64)
}

fn copy(width: Width) -> Code {
    codes!(width, VEX_Vmovaps_xmm_xmmm128, VEX_Vmovaps_ymm_ymmm256)
}

fn unaligned(width: Width) -> Code {
    codes!(width, VEX_Vmovups_xmm_xmmm128, VEX_Vmovups_ymm_ymmm256)
}

/// See [`super::ir::loads`].
fn loading(instruction: &Instruction, width: Width) -> Code {
    match instruction.mnemonic() {
        Mnemonic::Vmovaps | Mnemonic::Vmovapd | Mnemonic::Vmovdqa => copy(width),
        Mnemonic::Vbroadcastss => onefold(width),
        Mnemonic::Vbroadcastsd => twofold(width),
        Mnemonic::Vmovsldup => codes!(width, VEX_Vmovsldup_xmm_xmmm128, VEX_Vmovsldup_ymm_ymmm256),
        Mnemonic::Vmovshdup => codes!(width, VEX_Vmovshdup_xmm_xmmm128, VEX_Vmovshdup_ymm_ymmm256),
        _ if loads_one(instruction) => Code::VEX_Vmovss_xmm_m32,
        _ => unaligned(width),
    }
}

fn arithmetic(opcode: Opcode, width: Width) -> Code {
    let signs = |negate_product, subtract| Signs { negate_product, subtract };
    match opcode {
        Opcode::Multiply => codes!(width, VEX_Vmulps_xmm_xmm_xmmm128, VEX_Vmulps_ymm_ymm_ymmm256),
        Opcode::Add => codes!(width, VEX_Vaddps_xmm_xmm_xmmm128, VEX_Vaddps_ymm_ymm_ymmm256),
        Opcode::Subtract => codes!(width, VEX_Vsubps_xmm_xmm_xmmm128, VEX_Vsubps_ymm_ymm_ymmm256),
        Opcode::MultiplyAdd(s) if s == signs(false, false) => {
            codes!(width, VEX_Vfmadd231ps_xmm_xmm_xmmm128, VEX_Vfmadd231ps_ymm_ymm_ymmm256)
        }
        Opcode::MultiplyAdd(s) if s == signs(false, true) => {
            codes!(width, VEX_Vfmsub231ps_xmm_xmm_xmmm128, VEX_Vfmsub231ps_ymm_ymm_ymmm256)
        }
        Opcode::MultiplyAdd(s) if s == signs(true, false) => {
            codes!(width, VEX_Vfnmadd231ps_xmm_xmm_xmmm128, VEX_Vfnmadd231ps_ymm_ymm_ymmm256)
        }
        _ => codes!(width, VEX_Vfnmsub231ps_xmm_xmm_xmmm128, VEX_Vfnmsub231ps_ymm_ymm_ymmm256),
    }
}

impl Avx2Resources {
    fn number(&self, index: usize) -> MemoryOperand {
        MemoryOperand::with_base_displ(Register::RIP, (self.pool + (VECTOR * index) as u64) as i64)
    }

    /// The offset of a constant that is in all lanes.
    pub(super) fn constant(&self, constant: Constant) -> MemoryOperand {
        self.number(constant as usize)
    }

    fn bits(&self, bits: Bits) -> MemoryOperand {
        self.number(Constant::ALL.len() + bits as usize)
    }

    /// The machine's instructions for an operation, as [`Resources::lower`].
    pub(super) fn lower(
        &self,
        resources: &Resources,
        operation: &Operation,
        out: &mut Vec<Instruction>,
    ) -> Result<()> {
        let width = operation.width.min(Width::Ymm);
        let register = |place| width.place(place);
        let [x, _] = operation.from;
        match operation.opcode {
            Opcode::Guest(instruction) => out.push(instruction),
            Opcode::Move => out.push(match (operation.to, x) {
                (Some(Place::Slot(slot)), _) => {
                    let code = codes!(width, VEX_Vmovaps_xmmm128_xmm, VEX_Vmovaps_ymmm256_ymm);
                    Instruction::with2(code, resources.slot(slot), register(x))?
                }
                (to, Some(Place::Slot(slot))) => {
                    Instruction::with2(copy(width), register(to), resources.slot(slot))?
                }
                (to, x) => Instruction::with2(copy(width), register(to), register(x))?,
            }),
            Opcode::Load(instruction) => {
                let code = loading(&instruction, width);
                out.push(Instruction::with2(code, register(operation.to), operand(&instruction))?);
            }
            Opcode::LoadRow(instruction) => {
                let code = unaligned(width);
                out.push(Instruction::with2(code, register(operation.to), operand(&instruction))?);
            }
            Opcode::Spread { bytes, offset } => {
                let Some(Place::Slot(slot)) = x else { unreachable!("{x:?} is not a slot") };
                let from = resources.within(slot, offset);
                let code = if bytes == 8 { twofold(width) } else { onefold(width) };
                out.push(Instruction::with2(code, register(operation.to), from)?);
            }
            Opcode::Broadcast(constant) => {
                out.push(Instruction::with2(copy(width), register(operation.to), self.constant(constant))?);
            }
            // The last bit that a BF16 keeps, l, to the sign; then x + 0x7fff + l.
            Opcode::Parity => {
                out.push(Instruction::with3(shift(true, width), register(operation.to), register(x), 15)?);
            }
            Opcode::Weigh => {
                let (to, x) = (register(operation.to), register(x));
                out.push(Instruction::with3(shift(false, width), x, x, 31)?);
                out.push(Instruction::with3(add(width), to, to, self.bits(Bits::Bias))?);
                out.push(Instruction::with3(add(width), to, to, x)?);
            }
            // −l, then 0x81·l.
            Opcode::WeighSum => {
                let (to, x) = (register(operation.to), register(x));
                let spread = codes!(width, VEX_Vpsrad_xmm_xmm_imm8, VEX_Vpsrad_ymm_ymm_imm8);
                out.push(Instruction::with3(spread, x, x, 31)?);
                out.push(Instruction::with3(add(width), to, to, self.bits(Bits::SumBias))?);
                out.push(Instruction::with3(and(width), x, x, self.bits(Bits::SumLast))?);
                out.push(Instruction::with3(add(width), to, to, x)?);
            }
            Opcode::Even => {
                let code = codes!(width, VEX_Vpandn_xmm_xmm_xmmm128, VEX_Vpandn_ymm_ymm_ymmm256);
                let (to, x) = (register(operation.to), register(x));
                out.push(Instruction::with3(code, to, x, self.constant(Constant::Last))?);
            }
            Opcode::Lessen => {
                let code = codes!(width, VEX_Vpsubd_xmm_xmm_xmmm128, VEX_Vpsubd_ymm_ymm_ymmm256);
                let (to, x) = (register(operation.to), register(x));
                out.push(Instruction::with3(shift(false, width), x, x, 16)?);
                out.push(Instruction::with3(code, to, to, x)?);
            }
            Opcode::Truncate => {
                let (to, x) = (register(operation.to), register(x));
                out.push(Instruction::with3(and(width), to, x, self.constant(Constant::High))?);
            }
            Opcode::AddInteger(constant) => {
                let (to, x) = (register(operation.to), register(x));
                out.push(Instruction::with3(add(width), to, x, self.constant(constant))?);
            }
            Opcode::Xor(constant) => {
                let code = codes!(width, VEX_Vpxor_xmm_xmm_xmmm128, VEX_Vpxor_ymm_ymm_ymmm256);
                let (to, x) = (register(operation.to), register(x));
                out.push(Instruction::with3(code, to, x, self.constant(constant))?);
            }
            Opcode::Fixup(constant) => {
                self.fixup(constant, width, register(operation.to), register(x), out)?
            }
            Opcode::FirstLane => {
                let (code, x) = (Code::VEX_Vinsertps_xmm_xmm_xmmm32_imm8, register(x));
                out.push(Instruction::with4(code, register(operation.to), x, x, NO_OTHER_LANE)?);
            }
            Opcode::WithFirstLane => {
                out.push(resources.with_operands(Code::VEX_Vmovss_xmm_xmm_xmm, width, operation)?);
            }
            Opcode::Multiply | Opcode::Add | Opcode::Subtract | Opcode::MultiplyAdd(_) => {
                out.push(resources.with_operands(arithmetic(operation.opcode, width), width, operation)?);
            }
            Opcode::MultiplyAddUp(_)
            | Opcode::UpperOfZero
            | Opcode::UpperBySign
            | Opcode::TimesWord(_)
            | Opcode::AddWord(_)
            | Opcode::AddWords
            | Opcode::ShiftRight(_)
            | Opcode::XorWords => unreachable!("only with AVX-512 does a rule make these"),
            Opcode::Scale(constant) | Opcode::ScaleAdd(constant) | Opcode::ScaleTo(constant) => {
                let code = match operation.opcode {
                    Opcode::Scale(_) => arithmetic(Opcode::Multiply, width),
                    Opcode::ScaleAdd(_) => arithmetic(Opcode::MultiplyAdd(Signs::default()), width),
                    _ => codes!(width, VEX_Vfmadd132ps_xmm_xmm_xmmm128, VEX_Vfmadd132ps_ymm_ymm_ymmm256),
                };
                let (to, x) = (register(operation.to), register(x));
                out.push(Instruction::with3(code, to, x, self.constant(constant))?);
            }
        }
        Ok(())
    }

    /// The effect of VFIXUPIMMPS with the tables of [`Constant`].
    fn fixup(
        &self,
        constant: Constant,
        width: Width,
        to: Register,
        x: Register,
        out: &mut Vec<Instruction>,
    ) -> Result<()> {
        let mask = width.register(self.mask);
        out.push(Instruction::with3(and(width), mask, x, self.bits(Bits::Magnitude))?);
        let above = |limit| {
            let code = codes!(width, VEX_Vpcmpgtd_xmm_xmm_xmmm128, VEX_Vpcmpgtd_ymm_ymm_ymmm256);
            Instruction::with3(code, mask, mask, self.bits(limit))
        };
        let equal = || {
            let code = codes!(width, VEX_Vpcmpeqd_xmm_xmm_xmmm128, VEX_Vpcmpeqd_ymm_ymm_ymmm256);
            Instruction::with3(code, mask, mask, self.bits(Bits::Infinity))
        };
        let blend = codes!(width, VEX_Vblendvps_xmm_xmm_xmmm128_xmm, VEX_Vblendvps_ymm_ymm_ymmm256_ymm);
        let without = codes!(width, VEX_Vpandn_xmm_xmm_xmmm128, VEX_Vpandn_ymm_ymm_ymmm256);
        match constant {
            Constant::Quiet => {
                out.push(above(Bits::Infinity)?);
                out.push(Instruction::with4(blend, to, to, self.bits(Bits::InvalidNan), mask)?);
            }
            Constant::Infinity => {
                out.push(equal()?);
                out.push(Instruction::with4(blend, to, to, x, mask)?);
            }
            Constant::InfinityToZero => {
                out.push(equal()?);
                out.push(Instruction::with3(without, to, mask, to)?);
            }
            Constant::FiniteOrZero => {
                out.push(above(Bits::Largest)?);
                out.push(Instruction::with3(without, to, mask, to)?);
            }
            Constant::UnlessNan => {
                out.push(above(Bits::Infinity)?);
                out.push(Instruction::with4(blend, to, x, to, mask)?);
            }
            other => unreachable!("{other:?} is not a table"),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_lie_in_their_order() {
        let pool = pool();
        for (number, (bits, value)) in BITS.into_iter().enumerate() {
            assert_eq!(bits as usize, number);
            let at = VECTOR * (Constant::ALL.len() + number);
            assert_eq!(pool[at..at + VECTOR], value.to_le_bytes().repeat(8)[..]);
        }
        for (number, constant) in Constant::ALL.into_iter().enumerate() {
            assert_eq!(constant as usize, number);
        }
    }
}
