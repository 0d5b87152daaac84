//! Operations on whole vectors of binary32 lanes, as instructions of either level.
//!
//! AVX-512 instructions round to nearest even and raise nothing by themselves, but they flush subnormals if MXCSR says so.
//! AVX2 instructions do all as MXCSR says. The surrounding code sees to that.

use binade_kernels::Narrow;
use iced_x86::{Code, Instruction, MemoryOperand, Register, RoundingControl};

use super::pool::Constant;
use super::{Level, Unsupported};

/// The number of a vector register.
pub(super) type Vector = u8;

/// Instructions being written, and the registers that they may use.
pub(super) struct Lanes {
    level: Level,
    constants: u64,
    code: Vec<Instruction>,
    free: Vec<Vector>,
    /// Scratch vectors in the order of their first use.
    scratch: Vec<Vector>,
    /// Constants of the operator's own, at the address `literals_at`.
    literals: Vec<u32>,
    literals_at: u64,
}

/// VCMPPS: equal, and neither is NaN.
const EQUAL: u32 = 0;
/// VCMPPS: one is NaN.
const UNORDERED: u32 = 3;

/// The code of a level.
macro_rules! code {
    ($lanes:ident, $wide:ident, $narrow:ident) => {
        if $lanes.level.wide() { Code::$wide } else { Code::$narrow }
    };
}

/// The k-th register of a class that starts with `first`.
pub(super) fn nth(first: Register, number: Vector) -> Register {
    first + number as u32
}

impl Lanes {
    /// All vectors but those `taken` may be used.
    pub(super) fn new(
        level: Level,
        constants: u64,
        literals_at: u64,
        taken: impl Iterator<Item = usize>,
    ) -> Lanes {
        let taken: Vec<usize> = taken.collect();
        let count = if level.wide() { 32 } else { 16 };
        let free = (0..count).filter(|&number| !taken.contains(&(number as usize))).collect();
        Lanes { level, constants, code: vec![], free, scratch: vec![], literals: vec![], literals_at }
    }

    /// A scratch vector. There are always enough: see `recipe`.
    pub(super) fn take(&mut self) -> Vector {
        let number = self.free.pop().unwrap_or_default();
        self.note(number)
    }

    /// A scratch vector that VEX can name.
    pub(super) fn take_low(&mut self) -> Vector {
        let at = self.free.iter().rposition(|&number| number < 16).unwrap_or_default();
        let number = self.free.remove(at);
        self.note(number)
    }

    fn note(&mut self, number: Vector) -> Vector {
        if !self.scratch.contains(&number) {
            self.scratch.push(number);
        }
        number
    }

    /// Gives a scratch vector back.
    pub(super) fn give(&mut self, number: Vector) {
        self.free.push(number);
    }

    /// Whether a vector is scratch, not the program's.
    pub(super) fn owns(&self, number: Vector) -> bool {
        self.scratch.contains(&number)
    }

    /// Scratch vectors in the order of their first use.
    pub(super) fn scratch(&self) -> &[Vector] {
        &self.scratch
    }

    /// The instructions so far, which start anew.
    pub(super) fn cut(&mut self) -> Vec<Instruction> {
        std::mem::take(&mut self.code)
    }

    /// The whole register of a number.
    pub(super) fn whole(&self, number: Vector) -> Register {
        nth(if self.level.wide() { Register::ZMM0 } else { Register::YMM0 }, number)
    }

    pub(super) fn push(&mut self, instruction: Instruction) {
        self.code.push(instruction);
    }

    /// A constant as a memory operand.
    pub(super) fn constant(&self, constant: Constant) -> MemoryOperand {
        MemoryOperand::with_base_displ(Register::RIP, (self.constants + constant.offset()) as i64)
    }

    /// Bytes of a literal: AVX-512 broadcasts one lane.
    fn literal_bytes(&self) -> usize {
        if self.level.wide() { 4 } else { 32 }
    }

    /// The literals, as they are to stand at their address.
    pub(super) fn literals(&self) -> Vec<u8> {
        let lanes = self.literal_bytes() / 4;
        self.literals.iter().flat_map(|bits| bits.to_le_bytes().repeat(lanes)).collect()
    }

    /// d = x ∘ bits in all lanes.
    fn with_literal(&mut self, code: Code, d: Vector, x: Vector, bits: u32) -> Result<(), Unsupported> {
        let index = self.literals.iter().position(|&known| known == bits).unwrap_or_else(|| {
            self.literals.push(bits);
            self.literals.len() - 1
        });
        let address = self.literals_at + (index * self.literal_bytes()) as u64;
        let operand = MemoryOperand::with_base_displ(Register::RIP, address as i64);
        let mut instruction = Instruction::with3(code, self.whole(d), self.whole(x), operand)?;
        instruction.set_is_broadcast(self.level.wide());
        self.push(instruction);
        Ok(())
    }

    fn three(&mut self, code: Code, d: Vector, x: Vector, y: Vector) -> Result<Instruction, Unsupported> {
        Ok(Instruction::with3(code, self.whole(d), self.whole(x), self.whole(y))?)
    }

    /// d = x ∘ constant, on lanes of 32 bits.
    fn with_constant(&mut self, code: Code, d: Vector, x: Vector, y: Constant) -> Result<(), Unsupported> {
        let mut instruction = Instruction::with3(code, self.whole(d), self.whole(x), self.constant(y))?;
        instruction.set_is_broadcast(self.level.wide());
        self.push(instruction);
        Ok(())
    }

    /// An arithmetic instruction: on AVX-512 to nearest even and silently.
    fn arithmetic(&mut self, code: Code, d: Vector, x: Vector, y: Vector) -> Result<(), Unsupported> {
        let mut instruction = self.three(code, d, x, y)?;
        if self.level.wide() {
            instruction.set_rounding_control(RoundingControl::RoundToNearest);
        }
        self.push(instruction);
        Ok(())
    }

    /// d = x + y.
    pub(super) fn add(&mut self, d: Vector, x: Vector, y: Vector) -> Result<(), Unsupported> {
        let code = code!(self, EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er, VEX_Vaddps_ymm_ymm_ymmm256);
        self.arithmetic(code, d, x, y)
    }

    /// d = x − y.
    pub(super) fn sub(&mut self, d: Vector, x: Vector, y: Vector) -> Result<(), Unsupported> {
        let code = code!(self, EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er, VEX_Vsubps_ymm_ymm_ymmm256);
        self.arithmetic(code, d, x, y)
    }

    /// d = x · y.
    pub(super) fn mul(&mut self, d: Vector, x: Vector, y: Vector) -> Result<(), Unsupported> {
        let code = code!(self, EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er, VEX_Vmulps_ymm_ymm_ymmm256);
        self.arithmetic(code, d, x, y)
    }

    /// d = x · y + d, rounded once.
    pub(super) fn fma(&mut self, d: Vector, x: Vector, y: Vector) -> Result<(), Unsupported> {
        let code = code!(self, EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er, VEX_Vfmadd231ps_ymm_ymm_ymmm256);
        self.arithmetic(code, d, x, y)
    }

    /// d = s.
    pub(super) fn copy(&mut self, d: Vector, s: Vector) -> Result<(), Unsupported> {
        let code = code!(self, EVEX_Vmovaps_zmm_k1z_zmmm512, VEX_Vmovaps_ymm_ymmm256);
        let instruction = Instruction::with2(code, self.whole(d), self.whole(s))?;
        self.push(instruction);
        Ok(())
    }

    /// d = a constant.
    pub(super) fn set(&mut self, d: Vector, constant: Constant) -> Result<(), Unsupported> {
        let code = code!(self, EVEX_Vmovaps_zmm_k1z_zmmm512, VEX_Vmovaps_ymm_ymmm256);
        let instruction = Instruction::with2(code, self.whole(d), self.constant(constant))?;
        self.push(instruction);
        Ok(())
    }

    /// d = x with the bits of a constant flipped.
    pub(super) fn flip(&mut self, d: Vector, x: Vector, signs: Constant) -> Result<(), Unsupported> {
        let code = code!(self, EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, VEX_Vxorps_ymm_ymm_ymmm256);
        // The signs of some lanes only are a whole vector.
        let instruction = Instruction::with3(code, self.whole(d), self.whole(x), self.constant(signs))?;
        self.push(instruction);
        Ok(())
    }

    /// d = (mask lane's sign) ? yes : no. AVX2.
    fn blend(
        &mut self,
        d: Vector,
        no: Vector,
        yes: impl Into<Source>,
        mask: Vector,
    ) -> Result<(), Unsupported> {
        let code = Code::VEX_Vblendvps_ymm_ymm_ymmm256_ymm;
        let (d, no, mask) = (self.whole(d), self.whole(no), self.whole(mask));
        let instruction = match yes.into() {
            Source::Vector(yes) => Instruction::with4(code, d, no, self.whole(yes), mask)?,
            Source::Constant(yes) => Instruction::with4(code, d, no, self.constant(yes), mask)?,
        };
        self.push(instruction);
        Ok(())
    }

    /// VFIXUPIMMPS: replaces lanes of d by the class of those of s. It raises nothing.
    fn fix(&mut self, d: Vector, s: Vector, table: Constant) -> Result<(), Unsupported> {
        let code = Code::EVEX_Vfixupimmps_zmm_k1z_zmm_zmmm512b32_imm8_sae;
        let mut instruction =
            Instruction::with4(code, self.whole(d), self.whole(s), self.constant(table), 0)?;
        instruction.set_is_broadcast(true);
        self.push(instruction);
        Ok(())
    }

    /// The masks of lanes of s that are NaN, as a vector. AVX2.
    fn nan(&mut self, d: Vector, s: Vector) -> Result<(), Unsupported> {
        let code = Code::VEX_Vcmpps_ymm_ymm_ymmm256_imm8;
        let instruction = Instruction::with4(code, self.whole(d), self.whole(s), self.whole(s), UNORDERED)?;
        self.push(instruction);
        Ok(())
    }

    /// d = s with NaN *clean*: such that integer arithmetic on its bits keeps it NaN. That is the canonical one or the
    /// processor's default one, which arithmetic makes, and which it keeps where all its NaN operands are clean.
    pub(super) fn clean(&mut self, d: Vector, s: Vector) -> Result<(), Unsupported> {
        if self.level.wide() {
            self.copy(d, s)?;
            self.fix(d, s, Constant::CleanNan)
        } else {
            self.canonical(d, s)
        }
    }

    /// d = s, clean, with the canonical NaN in place of any other.
    pub(super) fn canonical(&mut self, d: Vector, s: Vector) -> Result<(), Unsupported> {
        if self.level.wide() {
            self.set(d, Constant::Nan)?;
            return self.fix(d, s, Constant::KeepNan);
        }
        let nan = self.take();
        self.nan(nan, s)?;
        self.blend(d, s, Constant::Nan, nan)?;
        self.give(nan);
        Ok(())
    }

    /// d = clean s rounded to BF16, nearest even; d is another register than s.
    ///
    /// Adding 0x7fff and the last bit that stays carries into it where what is cut off is more than half a unit, or half
    /// and the last bit odd.
    pub(super) fn bf16(&mut self, d: Vector, s: Vector) -> Result<(), Unsupported> {
        let (d_, s_) = (self.whole(d), self.whole(s));
        let shift = code!(self, EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8, VEX_Vpsrld_ymm_ymm_imm8);
        let and = code!(self, EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, VEX_Vpand_ymm_ymm_ymmm256);
        let add = code!(self, EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, VEX_Vpaddd_ymm_ymm_ymmm256);
        self.push(Instruction::with3(shift, d_, s_, 16u32)?);
        self.with_constant(and, d, d, Constant::Least)?;
        self.with_constant(add, d, d, Constant::AlmostHalf)?;
        self.push(Instruction::with3(add, d_, d_, s_)?);
        self.with_constant(and, d, d, Constant::High)
    }

    /// d = any s rounded to BF16, clean; d is another register than s.
    pub(super) fn bf16_of_any(&mut self, d: Vector, s: Vector) -> Result<(), Unsupported> {
        if self.level.wide() {
            self.bf16(d, s)?;
            return self.fix(d, s, Constant::CleanNan);
        }
        let clean = self.take();
        self.clean(clean, s)?;
        self.bf16(d, clean)?;
        self.give(clean);
        Ok(())
    }

    /// d = x − part, or `part` where that is infinite; d is another register than `part`.
    pub(super) fn rest(&mut self, d: Vector, x: Vector, part: Vector) -> Result<(), Unsupported> {
        self.sub(d, x, part)?;
        if self.level.wide() {
            return self.fix(d, part, Constant::KeepInfinity);
        }
        let infinite = self.take();
        self.with_constant(Code::VEX_Vpand_ymm_ymm_ymmm256, infinite, part, Constant::Magnitude)?;
        let (mask, infinity) = (self.whole(infinite), self.constant(Constant::Infinity));
        let compare = Code::VEX_Vcmpps_ymm_ymm_ymmm256_imm8;
        self.push(Instruction::with4(compare, mask, mask, infinity, EQUAL)?);
        self.blend(d, d, part, infinite)?;
        self.give(infinite);
        Ok(())
    }
}

/// Formats other than BF16.
impl Lanes {
    /// d = all ones where the magnitude of x is less than that of the bits `bound`, as integers, and 0 elsewhere.
    fn below(&mut self, d: Vector, x: Vector, bound: u32) -> Result<(), Unsupported> {
        let and = code!(self, EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, VEX_Vpand_ymm_ymm_ymmm256);
        let add = code!(self, EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, VEX_Vpaddd_ymm_ymm_ymmm256);
        let shift = code!(self, EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8, VEX_Vpsrad_ymm_ymm_imm8);
        self.with_constant(and, d, x, Constant::Magnitude)?;
        self.with_literal(add, d, d, bound.wrapping_neg())?;
        let whole = self.whole(d);
        self.push(Instruction::with3(shift, whole, whole, 31u32)?);
        Ok(())
    }

    /// mask = mask ? yes : no, for masks of all ones or 0.
    fn select(&mut self, mask: Vector, yes: Vector, no: Vector) -> Result<(), Unsupported> {
        if !self.level.wide() {
            return self.blend(mask, no, yes, mask);
        }
        let code = Code::EVEX_Vpternlogd_zmm_k1z_zmm_zmmm512b32_imm8;
        let (mask, yes, no) = (self.whole(mask), self.whole(yes), self.whole(no));
        // Bits of the first operand choose among those of the others.
        self.push(Instruction::with4(code, mask, yes, no, 0xca)?);
        Ok(())
    }

    /// A clean scratch vector with subnormals replaced by zeros of their signs.
    pub(super) fn flush(&mut self, x: Vector) -> Result<(), Unsupported> {
        let (small, sign) = (self.take(), self.take());
        let and = code!(self, EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, VEX_Vpand_ymm_ymm_ymmm256);
        self.below(small, x, f32::MIN_POSITIVE.to_bits())?;
        self.with_constant(and, sign, x, Constant::Signs)?;
        self.select(small, sign, x)?;
        self.copy(x, small)?;
        self.give(small);
        self.give(sign);
        Ok(())
    }

    /// A scratch vector, which is given back, rounded to a format: see [`Narrow`]. NaN stays NaN, clean, if `nan`, or else
    /// becomes what overflow gives, with its sign.
    pub(super) fn narrow(&mut self, x: Vector, format: Narrow, nan: bool) -> Result<Vector, Unsupported> {
        let and = code!(self, EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, VEX_Vpand_ymm_ymm_ymmm256);
        let or = code!(self, EVEX_Vpord_zmm_k1z_zmm_zmmm512b32, VEX_Vpor_ymm_ymm_ymmm256);
        let add = code!(self, EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, VEX_Vpaddd_ymm_ymm_ymmm256);
        let max = code!(self, EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32, VEX_Vpmaxud_ymm_ymm_ymmm256);
        let (magic, rounded, result) = (self.take(), self.take(), self.take());
        self.with_constant(and, magic, x, Constant::Infinity)?;
        self.with_literal(max, magic, magic, format.smallest)?;
        self.with_literal(add, magic, magic, format.magic)?;
        self.add(rounded, x, magic)?;
        self.sub(rounded, rounded, magic)?;
        // From here on `magic` is the sign, then what overflow gives.
        self.with_constant(and, magic, x, Constant::Signs)?;
        if format.sign != 0 {
            let whole = self.three(or, rounded, rounded, magic)?;
            self.push(whole);
        }
        self.with_literal(or, magic, magic, format.overflow)?;
        // As an integer NaN is beyond every bound.
        self.below(result, x, format.bound)?;
        self.select(result, rounded, magic)?;
        if !nan {
            // It is what it is to be.
        } else if self.level.wide() {
            self.fix(result, x, Constant::CleanNan)?;
        } else {
            self.nan(magic, x)?;
            self.blend(result, result, Constant::Nan, magic)?;
        }
        [magic, rounded, x].into_iter().for_each(|vector| self.give(vector));
        Ok(result)
    }

    /// x · y + z rounded to odd, on AVX-512: truncated, and the last bit set if that was inexact. z is a scratch vector and
    /// given back.
    ///
    /// An inexact result lies between two neighbours, one of which is odd. Where both are the same, it is exact. Exact
    /// zeros of cancellation are −0 downward and +0 upward: even, hence the upper one is taken.
    pub(super) fn fma_odd(&mut self, x: Vector, y: Vector, z: Vector) -> Result<Vector, Unsupported> {
        let (up, odd) = (self.take(), self.take());
        self.copy(up, z)?;
        let code = Code::EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er;
        for (sum, rounding) in [(z, RoundingControl::RoundDown), (up, RoundingControl::RoundUp)] {
            let mut fma = self.three(code, sum, x, y)?;
            fma.set_rounding_control(rounding);
            self.push(fma);
        }
        let (odd_, z_) = (self.whole(odd), self.whole(z));
        self.push(Instruction::with3(Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8, odd_, z_, 31u32)?);
        self.push(Instruction::with3(Code::EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8, odd_, odd_, 31u32)?);
        self.select(odd, z, up)?;
        self.give(up);
        self.give(z);
        Ok(odd)
    }
}

/// What a blend takes.
enum Source {
    Vector(Vector),
    Constant(Constant),
}

impl From<Vector> for Source {
    fn from(number: Vector) -> Source {
        Source::Vector(number)
    }
}

impl From<Constant> for Source {
    fn from(constant: Constant) -> Source {
        Source::Constant(constant)
    }
}
