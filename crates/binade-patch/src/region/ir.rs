//! The operations that a region consists of before its registers are allocated.

use iced_x86::{Code, Instruction, MemoryOperand, MemorySize, Mnemonic, OpKind, Register, RoundingControl};

use super::narrow::Avx2Resources;
use crate::trampoline::HASH_WORDS;

/// Vector length.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Width {
    Xmm,
    Ymm,
    Zmm,
}

impl Width {
    /// Of a register of that many bytes.
    pub(super) fn of(bytes: usize) -> Width {
        match bytes {
            64 => Width::Zmm,
            32 => Width::Ymm,
            _ => Width::Xmm,
        }
    }

    pub(super) fn bytes(self) -> i64 {
        match self {
            Width::Xmm => 16,
            Width::Ymm => 32,
            Width::Zmm => 64,
        }
    }

    /// The register of this length with that number.
    pub(super) fn register(self, number: u8) -> Register {
        let first = match self {
            Width::Xmm => Register::XMM0,
            Width::Ymm => Register::YMM0,
            Width::Zmm => Register::ZMM0,
        };
        first + number as u32
    }

    /// The register of this length that a place is.
    pub(super) fn place(self, place: Option<Place>) -> Register {
        match place {
            Some(Place::Register(number)) => self.register(number),
            other => unreachable!("{other:?} is not a register: registers are allocated by now"),
        }
    }
}

/// A place for a vector.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Place {
    /// A vector register of the machine: of the program, or once registers are allocated, any.
    Register(u8),
    /// A value that lives within a segment, to be given a register.
    Temporary(u16),
    /// 64 bytes of the frame, by their number.
    Slot(u16),
    /// The 4 bytes at an offset of a slot, again and again.
    Spread(u16, u8),
}

/// A 32-bit constant, the same for all lanes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub(super) enum Constant {
    /// See [`Opcode::Parity`].
    Parity,
    /// See [`Opcode::Weigh`].
    Weights,
    /// The last bit of a BF16.
    Last,
    /// The bits of a BF16 in a binary32.
    High,
    /// One half of the last bit of a BF16.
    Half,
    /// The sign bit.
    Sign,
    /// The canonical NaN of [`binade::operator`].
    CanonicalNan,
    /// VFIXUPIMMPS: NaN to the NaN that invalid operations give, 0xffc00000; everything else as it was.
    Quiet,
    /// VFIXUPIMMPS: where the operand classified is infinite, that infinity; otherwise as it was.
    Infinity,
    /// VFIXUPIMMPS: where the operand classified is infinite, 0; otherwise as it was.
    InfinityToZero,
    /// VFIXUPIMMPS: where the operand classified is infinite or NaN, 0; otherwise as it was.
    FiniteOrZero,
    /// VFIXUPIMMPS: where the operand classified is NaN, as it was; otherwise that operand.
    UnlessNan,
    /// −65535, see [`Opcode::Scale`].
    Spread,
    /// 65536, see [`Opcode::ScaleAdd`].
    Back,
    /// See [`Opcode::WeighSum`].
    SumWeights,
}

impl Constant {
    /// All, in the order in which they lie in memory.
    pub(super) const ALL: [Constant; 15] = [
        Constant::Parity,
        Constant::Weights,
        Constant::Last,
        Constant::High,
        Constant::Half,
        Constant::Sign,
        Constant::CanonicalNan,
        Constant::Quiet,
        Constant::Infinity,
        Constant::InfinityToZero,
        Constant::FiniteOrZero,
        Constant::UnlessNan,
        Constant::Spread,
        Constant::Back,
        Constant::SumWeights,
    ];

    /// A table of VFIXUPIMMPS has four bits for each class: quiet NaN, signalling NaN, zero, one, −Inf, +Inf, negative,
    /// positive, from the lowest bits. 0 keeps the destination, 1 takes the operand, 3 is 0xffc00000, 4 is −Inf, 5 is
    /// +Inf, 8 is +0.
    pub(super) const fn value(self) -> u32 {
        match self {
            Constant::Parity => 0xfffe_ffff,
            Constant::Weights => 0xffff_8002,
            Constant::Last => 0x0001_0000,
            Constant::High => 0xffff_0000,
            Constant::Half => 0x8000,
            Constant::Sign => 0x8000_0000,
            Constant::CanonicalNan => 0x7fc0_0000,
            Constant::Quiet => 0x33,
            Constant::Infinity => 0x0054_0000,
            Constant::InfinityToZero => 0x0088_0000,
            Constant::FiniteOrZero => 0x0088_0088,
            Constant::UnlessNan => 0x1111_1100,
            Constant::Spread => 0xc77f_ff00,
            Constant::Back => 0x4780_0000,
            Constant::SumWeights => 0xff7f_80c2,
        }
    }
}

/// A 32-bit number that hashes take, the same for all lanes: [`crate::trampoline::random_word`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Word {
    OfA,
    OfB,
    OfC,
    First,
    Second,
    /// The word of an instruction, by its number among those of the region.
    Site(u16),
}

impl Word {
    /// The words of all instructions, in the order in which they lie in memory.
    pub(super) const SHARED: [u32; 5] = HASH_WORDS;

    /// Its place in memory.
    fn index(self) -> i64 {
        match self {
            Word::OfA => 0,
            Word::OfB => 1,
            Word::OfC => 2,
            Word::First => 3,
            Word::Second => 4,
            Word::Site(number) => Word::SHARED.len() as i64 + i64::from(number),
        }
    }
}

/// Signs of a multiply-add.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Signs {
    pub(super) negate_product: bool,
    pub(super) subtract: bool,
}

/// The effect of an operation on its destination d, given its sources x, y.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Opcode {
    /// An instruction of the program, in registers of the program, as it is.
    Guest(Instruction),
    /// d = x, either of which may be a slot.
    Move,
    /// d = memory operand of an instruction of the program, as that loads or broadcasts it.
    Load(Instruction),
    /// d = the vector at the memory operand of an instruction of the program.
    LoadRow(Instruction),
    /// d = `bytes` bytes from an offset of x, a slot, repeated.
    Spread { bytes: u8, offset: u8 },
    /// d = the constant in all lanes.
    Broadcast(Constant),
    /// d = ~x | 0xfffeffff: with l the last bit of x that a BF16 keeps, its 16-bit halves are −1 and −1 − l.
    Parity,
    /// d += 0x7fff + l as integers, x being the parity: −32766 and −1 times its halves. Ends x.
    Weigh,
    /// d += 0x7fbf + 0x81·l as integers, x being the parity: −32574 and −129 times its halves. Ends x. Then [`Opcode::Truncate`]
    /// gives the leading part of what a sum is split into and joined from: see `bf16_of_sum` of binade-simd.
    WeighSum,
    /// d = ~x & 0x10000: with l as above, (1 − l) · 2¹⁶.
    Even,
    /// d −= x / 2¹⁶ as integers, x being 0 or 2¹⁶. Ends x.
    Lessen,
    /// d = x with the low 16 bits of each lane zero: to nearest even after `Parity` and `Weigh`, or if half the last bit
    /// was added, after `Even` and `Lessen`.
    Truncate,
    /// d by the class of x, see [`Constant`].
    Fixup(Constant),
    /// d = x + the constant as integers.
    AddInteger(Constant),
    /// d = x ⊕ the constant.
    Xor(Constant),
    /// d = x · y.
    Multiply,
    /// d = x in the first lane, and 0 in the other three.
    FirstLane,
    /// d = y in the first lane, and x in the other three.
    WithFirstLane,
    /// d = x + y.
    Add,
    /// d = x − y.
    Subtract,
    /// d = ±x · y ± d.
    MultiplyAdd(Signs),
    /// The same rounded up, without flags.
    MultiplyAddUp(Signs),
    /// d = x where d is −0.
    UpperOfZero,
    /// d = y where the sign of x is set.
    UpperBySign,
    /// d = x · the word as integers.
    TimesWord(Word),
    /// d = x + the word as integers.
    AddWord(Word),
    /// d = x + y as integers.
    AddWords,
    /// d = x >> a number of bits.
    ShiftRight(u8),
    /// d = x ⊕ y.
    XorWords,
    /// d = x · the constant.
    Scale(Constant),
    /// d += x · the constant.
    ScaleAdd(Constant),
    /// d = d · the constant + x.
    ScaleTo(Constant),
}

/// An operation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Operation {
    pub(super) opcode: Opcode,
    pub(super) width: Width,
    pub(super) to: Option<Place>,
    /// x and y. Only the last may be in memory, except for `Move`.
    pub(super) from: [Option<Place>; 2],
    /// The instruction of the function on whose behalf it is.
    pub(super) origin: usize,
    /// The task that it is a step of, numbered within the segment: a multiply-add, or the rounding of an operand of several.
    pub(super) task: u32,
}

impl Operation {
    /// Returns true if it reads its destination.
    pub(super) fn updates(&self) -> bool {
        matches!(
            self.opcode,
            Opcode::Weigh
                | Opcode::WeighSum
                | Opcode::Lessen
                | Opcode::Fixup(_)
                | Opcode::MultiplyAdd(_)
                | Opcode::MultiplyAddUp(_)
                | Opcode::UpperOfZero
                | Opcode::UpperBySign
                | Opcode::ScaleAdd(_)
                | Opcode::ScaleTo(_)
        )
    }

    /// Returns true if it is an access of the program, which keeps its order among these: an instruction of the program, or a load
    /// of a multiply-add's operand. So general registers, flags and memory are exact at each of them.
    pub(super) fn ordered(&self) -> bool {
        matches!(self.opcode, Opcode::Guest(_) | Opcode::Load(_) | Opcode::LoadRow(_))
    }

    /// Cycles until the result can be used, about those of Zen 4 and Ice Lake.
    pub(super) fn latency(&self) -> u32 {
        match self.opcode {
            Opcode::Guest(i)
                if i.op_count() > 1 && (0..i.op_count()).any(|o| i.op_kind(o) == OpKind::Memory) =>
            {
                7
            }
            Opcode::Guest(_) => 1,
            Opcode::Move if matches!(self.from[0], Some(Place::Slot(_))) => 8,
            Opcode::Move => 0,
            Opcode::Load(_) | Opcode::LoadRow(_) | Opcode::Spread { .. } | Opcode::Broadcast(_) => 8,
            Opcode::Parity | Opcode::Even | Opcode::Truncate | Opcode::AddInteger(_) | Opcode::Xor(_) => 1,
            Opcode::FirstLane | Opcode::WithFirstLane => 1,
            Opcode::Fixup(_) => 2,
            Opcode::Add | Opcode::Subtract => 3,
            Opcode::Multiply => 3,
            Opcode::Weigh | Opcode::WeighSum | Opcode::Lessen | Opcode::MultiplyAdd(_) => 4,
            Opcode::MultiplyAddUp(_) | Opcode::UpperOfZero | Opcode::UpperBySign => 4,
            Opcode::TimesWord(_) => 10,
            Opcode::AddWord(_) | Opcode::AddWords | Opcode::ShiftRight(_) | Opcode::XorWords => 1,
            Opcode::Scale(_) | Opcode::ScaleAdd(_) | Opcode::ScaleTo(_) => 4,
        }
    }

    /// The execution ports that it needs.
    pub(super) fn pipe(&self) -> Pipe {
        match self.opcode {
            Opcode::Guest(_) | Opcode::Load(_) | Opcode::LoadRow(_) => Pipe::None,
            Opcode::Spread { .. } | Opcode::Broadcast(_) | Opcode::Move => Pipe::None,
            Opcode::FirstLane | Opcode::WithFirstLane => Pipe::Any,
            Opcode::Parity | Opcode::Even | Opcode::Truncate | Opcode::AddInteger(_) | Opcode::Xor(_) => {
                Pipe::Any
            }
            Opcode::Add | Opcode::Subtract => Pipe::Adder,
            Opcode::Weigh | Opcode::WeighSum | Opcode::Lessen | Opcode::Fixup(_) => Pipe::Multiplier,
            Opcode::Multiply | Opcode::MultiplyAdd(_) => Pipe::Multiplier,
            Opcode::MultiplyAddUp(_) | Opcode::TimesWord(_) => Pipe::Multiplier,
            Opcode::UpperOfZero | Opcode::UpperBySign | Opcode::AddWord(_) | Opcode::AddWords => Pipe::Any,
            Opcode::ShiftRight(_) | Opcode::XorWords => Pipe::Any,
            Opcode::Scale(_) | Opcode::ScaleAdd(_) | Opcode::ScaleTo(_) => Pipe::Multiplier,
        }
    }
}

/// Pairs of execution pipes, as Zen has them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pipe {
    None,
    Any,
    Multiplier,
    Adder,
}

/// The slot of the frame that holds the constants, in the order of [`Constant::ALL`].
pub(super) const CONSTANTS: u16 = 0;

/// The machine's resources that the code may use, and the address of its frame.
#[derive(Clone, Debug)]
pub(super) struct Resources {
    /// True if there is AVX-512 VNNI.
    pub(super) vnni: bool,
    /// The resources of a machine without AVX-512, if it is one.
    pub(super) narrow: Option<Avx2Resources>,
    /// Registers that hold constants throughout.
    pub(super) resident: Vec<(Constant, u8)>,
    /// A mask register that holds 0xaaaaaaaa throughout: the odd 16-bit halves.
    pub(super) odd: Option<Register>,
    /// The address of the [words](Word), if there are any.
    pub(super) words: u64,
    /// The register that holds the frame's address.
    pub(super) frame: Register,
    /// True if the code is so long that fetching it takes the most time, so that bytes count more than latency.
    pub(super) long: bool,
}

/// One code for each vector length.
macro_rules! codes {
    ($width:expr, $xmm:ident, $ymm:ident, $zmm:ident) => {
        match $width {
            Width::Xmm => Code::$xmm,
            Width::Ymm => Code::$ymm,
            Width::Zmm => Code::$zmm,
        }
    };
}

/// The memory operand of an instruction of the program.
pub(super) fn operand(instruction: &Instruction) -> MemoryOperand {
    let size = match instruction.memory_base() {
        Register::RIP => 8,
        _ if instruction.memory_displ_size() == 0 => 0,
        _ => 8,
    };
    MemoryOperand::new(
        instruction.memory_base(),
        instruction.memory_index(),
        instruction.memory_index_scale(),
        instruction.memory_displacement64() as i64,
        size,
        false,
        instruction.segment_prefix(),
    )
}

/// VINSERTPS: the first lane to the first lane, and 0 to the others.
pub(super) const NO_OTHER_LANE: u32 = 0b1110;

/// An instruction that could not be made.
pub(super) type Result<T> = std::result::Result<T, iced_x86::IcedError>;

impl Resources {
    /// A slot's address.
    pub(super) fn slot(&self, slot: u16) -> MemoryOperand {
        MemoryOperand::with_base_displ(self.frame, 64 * slot as i64)
    }

    /// The address of an offset of a slot.
    pub(super) fn within(&self, slot: u16, offset: u8) -> MemoryOperand {
        MemoryOperand::with_base_displ(self.frame, 64 * i64::from(slot) + i64::from(offset))
    }

    /// A constant's address: in the frame, where a displacement of one byte reaches it, so that a loop's code is shorter.
    pub(super) fn constant(&self, constant: Constant) -> MemoryOperand {
        MemoryOperand::with_base_displ(self.frame, 64 * CONSTANTS as i64 + 4 * constant as i64)
    }

    /// With a constant as last operand, from its register or broadcast from memory.
    fn with_constant(
        &self,
        constant: Constant,
        width: Width,
        register: impl FnOnce(Register) -> Result<Instruction>,
        memory: impl FnOnce(MemoryOperand) -> Result<Instruction>,
    ) -> Result<Instruction> {
        match self.resident.iter().find(|(held, _)| *held == constant) {
            Some(&(_, number)) => register(width.register(number)),
            None => {
                let mut instruction = memory(self.constant(constant))?;
                instruction.set_is_broadcast(true);
                Ok(instruction)
            }
        }
    }

    /// An instruction from a register and a register or memory.
    pub(super) fn with_operands(
        &self,
        code: Code,
        width: Width,
        operation: &Operation,
    ) -> Result<Instruction> {
        let [x, y] = operation.from;
        let (to, x) = (width.place(operation.to), width.place(x));
        match y {
            Some(Place::Slot(slot)) => Instruction::with3(code, to, x, self.slot(slot)),
            Some(Place::Spread(slot, offset)) => {
                let mut instruction = Instruction::with3(code, to, x, self.within(slot, offset))?;
                instruction.set_is_broadcast(true);
                Ok(instruction)
            }
            y => Instruction::with3(code, to, x, width.place(y)),
        }
    }

    /// The machine's instructions for an operation whose places are registers and slots.
    pub(super) fn lower(&self, operation: &Operation, out: &mut Vec<Instruction>) -> Result<()> {
        if let Some(narrow) = &self.narrow {
            return narrow.lower(self, operation, out);
        }
        let width = operation.width;
        let register = |place| width.place(place);
        let [x, _] = operation.from;
        match operation.opcode {
            Opcode::Guest(instruction) => out.push(instruction),
            Opcode::Move => out.push(match (operation.to, x) {
                (Some(Place::Slot(slot)), _) => {
                    let code = codes!(
                        width,
                        EVEX_Vmovaps_xmmm128_k1z_xmm,
                        EVEX_Vmovaps_ymmm256_k1z_ymm,
                        EVEX_Vmovaps_zmmm512_k1z_zmm
                    );
                    Instruction::with2(code, self.slot(slot), register(x))?
                }
                (to, x) => {
                    let code = copy(width);
                    match x {
                        Some(Place::Slot(slot)) => Instruction::with2(code, register(to), self.slot(slot))?,
                        x => Instruction::with2(code, register(to), register(x))?,
                    }
                }
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
                let from = self.within(slot, offset);
                let code = if bytes == 8 { twofold(width) } else { onefold(width) };
                out.push(Instruction::with2(code, register(operation.to), from)?);
            }
            Opcode::Broadcast(constant) => {
                let from = self.constant(constant);
                out.push(Instruction::with2(onefold(width), register(operation.to), from)?);
            }
            Opcode::Parity => {
                let code = codes!(
                    width,
                    EVEX_Vpternlogd_xmm_k1z_xmm_xmmm128b32_imm8,
                    EVEX_Vpternlogd_ymm_k1z_ymm_ymmm256b32_imm8,
                    EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8
                );
                // The destination counts as a source of VPTERNLOGD. A copy there, which costs no execution but its bytes,
                // frees the instruction from waiting for what was there before; clearing it instead is slower on Zen 4.
                // Bit 4i + 2j + k of the immediate is the result for bits i, j, k: ~j | k.
                const NOT_SECOND_OR_THIRD: u32 = 0xbb;
                let (to, x) = (register(operation.to), register(x));
                let copied = to != x && !self.long;
                if copied {
                    out.push(Instruction::with2(copy(width), to, x)?);
                }
                let x = if copied { to } else { x };
                out.push(self.with_constant(
                    Constant::Parity,
                    width,
                    |c| Instruction::with4(code, to, x, c, NOT_SECOND_OR_THIRD),
                    |c| Instruction::with4(code, to, x, c, NOT_SECOND_OR_THIRD),
                )?);
            }
            Opcode::Even => out.push(self.by_constant(
                codes!(
                    width,
                    EVEX_Vpandnd_xmm_k1z_xmm_xmmm128b32,
                    EVEX_Vpandnd_ymm_k1z_ymm_ymmm256b32,
                    EVEX_Vpandnd_zmm_k1z_zmm_zmmm512b32
                ),
                Constant::Last,
                width,
                [register(operation.to), register(x)],
            )?),
            // The weight of the upper half is −1, and the lower one is 0 here.
            Opcode::Weigh | Opcode::WeighSum | Opcode::Lessen if self.vnni => {
                let weights = weights(operation.opcode);
                let code = codes!(
                    width,
                    EVEX_Vpdpwssd_xmm_k1z_xmm_xmmm128b32,
                    EVEX_Vpdpwssd_ymm_k1z_ymm_ymmm256b32,
                    EVEX_Vpdpwssd_zmm_k1z_zmm_zmmm512b32
                );
                let (to, x) = (register(operation.to), register(x));
                out.push(self.by_constant(code, weights, width, [to, x])?);
            }
            Opcode::Weigh | Opcode::WeighSum => {
                let code = codes!(
                    width,
                    EVEX_Vpmaddwd_xmm_k1z_xmm_xmmm128,
                    EVEX_Vpmaddwd_ymm_k1z_ymm_ymmm256,
                    EVEX_Vpmaddwd_zmm_k1z_zmm_zmmm512
                );
                let (to, x) = (register(operation.to), register(x));
                // VPMADDWD cannot broadcast, hence the weights are always resident without VNNI.
                out.push(self.with_constant(
                    weights(operation.opcode),
                    width,
                    |c| Instruction::with3(code, x, x, c),
                    |c| Instruction::with3(code, x, x, c),
                )?);
                let code = codes!(
                    width,
                    EVEX_Vpaddd_xmm_k1z_xmm_xmmm128b32,
                    EVEX_Vpaddd_ymm_k1z_ymm_ymmm256b32,
                    EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32
                );
                out.push(Instruction::with3(code, to, to, x)?);
            }
            Opcode::Lessen => {
                let (to, x) = (register(operation.to), register(x));
                let code = codes!(
                    width,
                    EVEX_Vpsrld_xmm_k1z_xmmm128b32_imm8,
                    EVEX_Vpsrld_ymm_k1z_ymmm256b32_imm8,
                    EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8
                );
                out.push(Instruction::with3(code, x, x, 16)?);
                let code = codes!(
                    width,
                    EVEX_Vpsubd_xmm_k1z_xmm_xmmm128b32,
                    EVEX_Vpsubd_ymm_k1z_ymm_ymmm256b32,
                    EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32
                );
                out.push(Instruction::with3(code, to, to, x)?);
            }
            Opcode::Truncate => {
                let (to, x) = (register(operation.to), register(x));
                if let Some(odd) = self.odd {
                    let code = codes!(
                        width,
                        EVEX_Vmovdqu16_xmm_k1z_xmmm128,
                        EVEX_Vmovdqu16_ymm_k1z_ymmm256,
                        EVEX_Vmovdqu16_zmm_k1z_zmmm512
                    );
                    let mut instruction = Instruction::with2(code, to, x)?;
                    instruction.set_op_mask(odd);
                    instruction.set_zeroing_masking(true);
                    out.push(instruction);
                } else {
                    out.push(self.by_constant(
                        codes!(
                            width,
                            EVEX_Vpandd_xmm_k1z_xmm_xmmm128b32,
                            EVEX_Vpandd_ymm_k1z_ymm_ymmm256b32,
                            EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32
                        ),
                        Constant::High,
                        width,
                        [to, x],
                    )?);
                }
            }
            Opcode::AddInteger(constant) => out.push(self.by_constant(
                codes!(
                    width,
                    EVEX_Vpaddd_xmm_k1z_xmm_xmmm128b32,
                    EVEX_Vpaddd_ymm_k1z_ymm_ymmm256b32,
                    EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32
                ),
                constant,
                width,
                [register(operation.to), register(x)],
            )?),
            Opcode::Xor(constant) => out.push(self.by_constant(
                codes!(
                    width,
                    EVEX_Vpxord_xmm_k1z_xmm_xmmm128b32,
                    EVEX_Vpxord_ymm_k1z_ymm_ymmm256b32,
                    EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32
                ),
                constant,
                width,
                [register(operation.to), register(x)],
            )?),
            Opcode::Fixup(constant) => {
                let code = codes!(
                    width,
                    EVEX_Vfixupimmps_xmm_k1z_xmm_xmmm128b32_imm8,
                    EVEX_Vfixupimmps_ymm_k1z_ymm_ymmm256b32_imm8,
                    EVEX_Vfixupimmps_zmm_k1z_zmm_zmmm512b32_imm8_sae
                );
                let (to, x) = (register(operation.to), register(x));
                out.push(self.with_constant(
                    constant,
                    width,
                    |c| Instruction::with4(code, to, x, c, 0),
                    |c| Instruction::with4(code, to, x, c, 0),
                )?);
            }
            Opcode::FirstLane => {
                let (code, x) = (Code::EVEX_Vinsertps_xmm_xmm_xmmm32_imm8, register(x));
                out.push(Instruction::with4(code, register(operation.to), x, x, NO_OTHER_LANE)?);
            }
            Opcode::WithFirstLane => {
                out.push(self.with_operands(Code::EVEX_Vmovss_xmm_k1z_xmm_xmm, width, operation)?);
            }
            Opcode::Multiply | Opcode::Add | Opcode::Subtract | Opcode::MultiplyAdd(_) => {
                out.push(self.with_operands(arithmetic(operation.opcode, width), width, operation)?);
            }
            Opcode::MultiplyAddUp(_) => {
                // Only vectors of 512 bits carry a rounding. Beyond the operation's length are numbers that nothing reads.
                let code = arithmetic(operation.opcode, Width::Zmm);
                let mut instruction = self.with_operands(code, Width::Zmm, operation)?;
                instruction.set_rounding_control(RoundingControl::RoundUp);
                out.push(instruction);
            }
            Opcode::UpperOfZero => {
                let code = codes!(
                    width,
                    EVEX_Vpcmpeqd_kr_k1_xmm_xmmm128b32,
                    EVEX_Vpcmpeqd_kr_k1_ymm_ymmm256b32,
                    EVEX_Vpcmpeqd_kr_k1_zmm_zmmm512b32
                );
                let (mask, to) = (self.scratch_mask(), register(operation.to));
                out.push(self.with_constant(
                    Constant::Sign,
                    width,
                    |c| Instruction::with3(code, mask, to, c),
                    |c| Instruction::with3(code, mask, to, c),
                )?);
                out.push(merged(copy(width), to, register(x), mask)?);
            }
            Opcode::UpperBySign => {
                let code = codes!(width, EVEX_Vpmovd2m_kr_xmm, EVEX_Vpmovd2m_kr_ymm, EVEX_Vpmovd2m_kr_zmm);
                let mask = self.scratch_mask();
                out.push(Instruction::with2(code, mask, register(x))?);
                let [_, y] = operation.from;
                out.push(merged(copy(width), register(operation.to), register(y), mask)?);
            }
            Opcode::TimesWord(word) => {
                let code = codes!(
                    width,
                    EVEX_Vpmulld_xmm_k1z_xmm_xmmm128b32,
                    EVEX_Vpmulld_ymm_k1z_ymm_ymmm256b32,
                    EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32
                );
                out.push(self.with_word(code, [register(operation.to), register(x)], word)?);
            }
            Opcode::AddWord(word) => {
                out.push(self.with_word(adding(width), [register(operation.to), register(x)], word)?);
            }
            Opcode::AddWords => out.push(self.with_operands(adding(width), width, operation)?),
            Opcode::XorWords => {
                let code = codes!(
                    width,
                    EVEX_Vpxord_xmm_k1z_xmm_xmmm128b32,
                    EVEX_Vpxord_ymm_k1z_ymm_ymmm256b32,
                    EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32
                );
                out.push(self.with_operands(code, width, operation)?);
            }
            Opcode::ShiftRight(by) => {
                let code = codes!(
                    width,
                    EVEX_Vpsrld_xmm_k1z_xmmm128b32_imm8,
                    EVEX_Vpsrld_ymm_k1z_ymmm256b32_imm8,
                    EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8
                );
                out.push(Instruction::with3(code, register(operation.to), register(x), u32::from(by))?);
            }
            Opcode::Scale(constant) | Opcode::ScaleAdd(constant) | Opcode::ScaleTo(constant) => {
                let (code, to, x) = (scaling(operation.opcode, width), register(operation.to), register(x));
                out.push(self.by_constant(code, constant, width, [to, x])?);
            }
        }
        Ok(())
    }

    /// The mask register that operations may use for themselves: the one that otherwise holds the odd halves.
    fn scratch_mask(&self) -> Register {
        self.odd.unwrap_or(Register::K1)
    }

    /// An operation on a register and a word.
    fn with_word(&self, code: Code, [to, x]: [Register; 2], word: Word) -> Result<Instruction> {
        let at = self.words as i64 + 4 * word.index();
        let mut instruction =
            Instruction::with3(code, to, x, MemoryOperand::with_base_displ(Register::RIP, at))?;
        instruction.set_is_broadcast(true);
        Ok(instruction)
    }

    /// An operation on a register and a constant.
    fn by_constant(
        &self,
        code: Code,
        constant: Constant,
        width: Width,
        [to, x]: [Register; 2],
    ) -> Result<Instruction> {
        self.with_constant(
            constant,
            width,
            |c| Instruction::with3(code, to, x, c),
            |c| Instruction::with3(code, to, x, c),
        )
    }
}

/// A move of the lanes that a mask has; the others stay.
fn merged(code: Code, to: Register, from: Register, mask: Register) -> Result<Instruction> {
    let mut instruction = Instruction::with2(code, to, from)?;
    instruction.set_op_mask(mask);
    Ok(instruction)
}

/// A sum of integers.
fn adding(width: Width) -> Code {
    codes!(
        width,
        EVEX_Vpaddd_xmm_k1z_xmm_xmmm128b32,
        EVEX_Vpaddd_ymm_k1z_ymm_ymmm256b32,
        EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32
    )
}

/// A load of or from a register.
fn copy(width: Width) -> Code {
    codes!(width, EVEX_Vmovaps_xmm_k1z_xmmm128, EVEX_Vmovaps_ymm_k1z_ymmm256, EVEX_Vmovaps_zmm_k1z_zmmm512)
}

/// A load of consecutive numbers.
fn unaligned(width: Width) -> Code {
    codes!(width, EVEX_Vmovups_xmm_k1z_xmmm128, EVEX_Vmovups_ymm_k1z_ymmm256, EVEX_Vmovups_zmm_k1z_zmmm512)
}

/// A broadcast of 4 bytes.
fn onefold(width: Width) -> Code {
    codes!(
        width,
        EVEX_Vbroadcastss_xmm_k1z_xmmm32,
        EVEX_Vbroadcastss_ymm_k1z_xmmm32,
        EVEX_Vbroadcastss_zmm_k1z_xmmm32
    )
}

/// A broadcast of 8 bytes.
fn twofold(width: Width) -> Code {
    codes!(
        width,
        EVEX_Vmovddup_xmm_k1z_xmmm64,
        EVEX_Vbroadcastsd_ymm_k1z_xmmm64,
        EVEX_Vbroadcastsd_zmm_k1z_xmmm64
    )
}

/// The load of the memory operand of a multiply-add, or of an instruction that [`loads`].
fn loading(instruction: &Instruction, width: Width) -> Code {
    match instruction.mnemonic() {
        // Which fault where they are not aligned.
        Mnemonic::Vmovaps | Mnemonic::Vmovapd | Mnemonic::Vmovdqa => copy(width),
        Mnemonic::Vbroadcastss => onefold(width),
        Mnemonic::Vbroadcastsd => twofold(width),
        Mnemonic::Vmovsldup => codes!(
            width,
            EVEX_Vmovsldup_xmm_k1z_xmmm128,
            EVEX_Vmovsldup_ymm_k1z_ymmm256,
            EVEX_Vmovsldup_zmm_k1z_zmmm512
        ),
        Mnemonic::Vmovshdup => codes!(
            width,
            EVEX_Vmovshdup_xmm_k1z_xmmm128,
            EVEX_Vmovshdup_ymm_k1z_ymmm256,
            EVEX_Vmovshdup_zmm_k1z_zmmm512
        ),
        _ if instruction.is_broadcast() => onefold(width),
        _ if loads_one(instruction) => Code::EVEX_Vmovss_xmm_k1z_m32,
        _ => unaligned(width),
    }
}

/// True for a scalar multiply-add with an operand in memory.
pub(super) fn loads_one(instruction: &Instruction) -> bool {
    instruction.memory_size() == MemorySize::Float32 && !instruction.is_broadcast()
}

/// The whole register that an instruction loads from memory in one of the ways of [`loading`], and nothing else.
pub(super) fn loads(instruction: &Instruction) -> Option<Register> {
    use Mnemonic::{
        Vbroadcastsd, Vbroadcastss, Vmovapd, Vmovaps, Vmovdqa, Vmovdqu, Vmovshdup, Vmovsldup, Vmovupd,
        Vmovups,
    };
    let known = matches!(
        instruction.mnemonic(),
        Vmovups
            | Vmovupd
            | Vmovaps
            | Vmovapd
            | Vmovdqu
            | Vmovdqa
            | Vmovsldup
            | Vmovshdup
            | Vbroadcastss
            | Vbroadcastsd
    );
    let plain = instruction.op_count() == 2
        && instruction.op_kind(0) == OpKind::Register
        && instruction.op_kind(1) == OpKind::Memory
        && instruction.op_mask() == Register::None;
    (known && plain).then(|| instruction.op_register(0))
}

/// The weights of a parity's halves.
fn weights(opcode: Opcode) -> Constant {
    if opcode == Opcode::WeighSum { Constant::SumWeights } else { Constant::Weights }
}

fn scaling(opcode: Opcode, width: Width) -> Code {
    match opcode {
        Opcode::ScaleAdd(_) => arithmetic(Opcode::MultiplyAdd(Signs::default()), width),
        Opcode::ScaleTo(_) => codes!(
            width,
            EVEX_Vfmadd132ps_xmm_k1z_xmm_xmmm128b32,
            EVEX_Vfmadd132ps_ymm_k1z_ymm_ymmm256b32,
            EVEX_Vfmadd132ps_zmm_k1z_zmm_zmmm512b32_er
        ),
        _ => arithmetic(Opcode::Multiply, width),
    }
}

fn arithmetic(opcode: Opcode, width: Width) -> Code {
    match opcode {
        Opcode::MultiplyAddUp(signs) => arithmetic(Opcode::MultiplyAdd(signs), width),
        Opcode::Multiply => codes!(
            width,
            EVEX_Vmulps_xmm_k1z_xmm_xmmm128b32,
            EVEX_Vmulps_ymm_k1z_ymm_ymmm256b32,
            EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er
        ),
        Opcode::Add => codes!(
            width,
            EVEX_Vaddps_xmm_k1z_xmm_xmmm128b32,
            EVEX_Vaddps_ymm_k1z_ymm_ymmm256b32,
            EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er
        ),
        Opcode::Subtract => codes!(
            width,
            EVEX_Vsubps_xmm_k1z_xmm_xmmm128b32,
            EVEX_Vsubps_ymm_k1z_ymm_ymmm256b32,
            EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er
        ),
        Opcode::MultiplyAdd(Signs { negate_product: false, subtract: false }) => codes!(
            width,
            EVEX_Vfmadd231ps_xmm_k1z_xmm_xmmm128b32,
            EVEX_Vfmadd231ps_ymm_k1z_ymm_ymmm256b32,
            EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er
        ),
        Opcode::MultiplyAdd(Signs { negate_product: false, subtract: true }) => codes!(
            width,
            EVEX_Vfmsub231ps_xmm_k1z_xmm_xmmm128b32,
            EVEX_Vfmsub231ps_ymm_k1z_ymm_ymmm256b32,
            EVEX_Vfmsub231ps_zmm_k1z_zmm_zmmm512b32_er
        ),
        Opcode::MultiplyAdd(Signs { negate_product: true, subtract: false }) => codes!(
            width,
            EVEX_Vfnmadd231ps_xmm_k1z_xmm_xmmm128b32,
            EVEX_Vfnmadd231ps_ymm_k1z_ymm_ymmm256b32,
            EVEX_Vfnmadd231ps_zmm_k1z_zmm_zmmm512b32_er
        ),
        _ => codes!(
            width,
            EVEX_Vfnmsub231ps_xmm_k1z_xmm_xmmm128b32,
            EVEX_Vfnmsub231ps_ymm_k1z_ymm_ymmm256b32,
            EVEX_Vfnmsub231ps_zmm_k1z_zmm_zmmm512b32_er
        ),
    }
}
