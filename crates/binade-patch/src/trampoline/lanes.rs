//! Operations on whole vectors of binary32 or binary64 lanes, as instructions of either level.
//!
//! AVX-512 instructions round to nearest even and raise nothing by themselves, but they flush subnormals if MXCSR says so.
//! AVX2 instructions do all as MXCSR says. The surrounding code sees to that.

use binade::carrier::{Gap, NarrowRounding};
use iced_x86::{Code, Instruction, MemoryOperand, Register, RoundingControl};

use super::place::Unsupported;
use super::pool::Constant;
use super::power::Power;
use super::target::Level;
use crate::fma::Element;

/// The number of a vector register.
pub(super) type Vector = u8;

/// Instructions being written, and the registers that they may use.
pub(super) struct Lanes {
    level: Level,
    /// The type of the lanes.
    pub(super) element: Element,
    constants: u64,
    code: Vec<Instruction>,
    free: Vec<Vector>,
    /// Scratch vectors in the order of their first use.
    scratch: Vec<Vector>,
    /// Constants of the operator's own, at the address `literals_at`.
    literals: Vec<u64>,
    literals_at: u64,
    /// The word of the site from which its random choices follow.
    pub(super) word: u32,
    ran_out: bool,
}

/// VCMPPS: equal, and neither is NaN.
const EQUAL: u32 = 0;
/// VCMPPS: one is NaN.
const UNORDERED: u32 = 3;

/// The code of a level, and of an element if there are two pairs.
macro_rules! code {
    ($lanes:ident, $wide:ident, $narrow:ident) => {
        if $lanes.level.wide() { Code::$wide } else { Code::$narrow }
    };
    ($lanes:ident, $wide:ident, $narrow:ident; $wide64:ident, $narrow64:ident) => {
        match ($lanes.element, $lanes.level.wide()) {
            (Element::F32, true) => Code::$wide,
            (Element::F32, false) => Code::$narrow,
            (Element::F64, true) => Code::$wide64,
            (Element::F64, false) => Code::$narrow64,
        }
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
        element: Element,
        constants: u64,
        literals_at: u64,
        taken: impl Iterator<Item = usize>,
    ) -> Lanes {
        let taken: Vec<usize> = taken.collect();
        let count = if level.wide() { 32 } else { 16 };
        let free = (0..count).filter(|&number| !taken.contains(&(number as usize))).collect();
        let (code, scratch, literals) = (vec![], vec![], vec![]);
        Lanes {
            level,
            element,
            constants,
            code,
            free,
            scratch,
            literals,
            literals_at,
            word: 0,
            ran_out: false,
        }
    }

    /// A scratch vector. There are always enough (see `recipe`); if there were not, [`Lanes::ran_out`] would say so.
    pub(super) fn take(&mut self) -> Vector {
        let number = self.free.pop();
        self.note(number)
    }

    /// A scratch vector that VEX can name.
    pub(super) fn take_low(&mut self) -> Vector {
        let at = self.free.iter().rposition(|&number| number < 16);
        let number = at.map(|at| self.free.remove(at));
        self.note(number)
    }

    /// Returns true if more scratch vectors were taken than there are: the code must not be used then.
    pub(super) fn ran_out(&self) -> bool {
        self.ran_out
    }

    fn note(&mut self, number: Option<Vector>) -> Vector {
        self.ran_out |= number.is_none();
        let number = number.unwrap_or_default();
        if !self.scratch.contains(&number) {
            self.scratch.push(number);
        }
        number
    }

    /// Gives a scratch vector back.
    pub(super) fn give(&mut self, number: Vector) {
        self.free.push(number);
    }

    /// Returns true if a vector is scratch, not the program's.
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

    /// Returns true if vectors have 512 bits.
    pub(super) fn wide(&self) -> bool {
        self.level.wide()
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
        if self.level.wide() { 8 } else { 32 }
    }

    /// The literals, as they are to stand at their address.
    pub(super) fn literals(&self) -> Vec<u8> {
        let times = self.literal_bytes() / 8;
        self.literals.iter().flat_map(|bits| bits.to_le_bytes().repeat(times)).collect()
    }

    /// d = x ∘ bits in all lanes.
    pub(super) fn with_literal(
        &mut self,
        code: Code,
        d: Vector,
        x: Vector,
        bits: u64,
    ) -> Result<(), Unsupported> {
        let bits = match self.element {
            Element::F32 => bits << 32 | bits & u32::MAX as u64,
            Element::F64 => bits,
        };
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

    /// A constant for the lanes' element as a memory operand.
    fn of_element(&self, constant: Constant) -> MemoryOperand {
        self.constant(match self.element {
            Element::F32 => constant,
            Element::F64 => constant.of_64(),
        })
    }

    pub(super) fn and(&self) -> Code {
        code!(self, EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, VEX_Vpand_ymm_ymm_ymmm256;
            EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64, VEX_Vpand_ymm_ymm_ymmm256)
    }

    pub(super) fn or(&self) -> Code {
        code!(self, EVEX_Vpord_zmm_k1z_zmm_zmmm512b32, VEX_Vpor_ymm_ymm_ymmm256;
            EVEX_Vporq_zmm_k1z_zmm_zmmm512b64, VEX_Vpor_ymm_ymm_ymmm256)
    }

    /// Sum of integers.
    pub(super) fn plus(&self) -> Code {
        code!(self, EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, VEX_Vpaddd_ymm_ymm_ymmm256;
            EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64, VEX_Vpaddq_ymm_ymm_ymmm256)
    }

    /// The larger of unsigned integers; on AVX2 those of binary64 lanes have no low halves.
    fn max(&self) -> Code {
        code!(self, EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32, VEX_Vpmaxud_ymm_ymm_ymmm256;
            EVEX_Vpmaxuq_zmm_k1z_zmm_zmmm512b64, VEX_Vpmaxud_ymm_ymm_ymmm256)
    }

    /// The larger of magnitudes of numbers.
    fn larger(&self) -> Code {
        code!(self, EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32, VEX_Vpmaxud_ymm_ymm_ymmm256;
            EVEX_Vpmaxuq_zmm_k1z_zmm_zmmm512b64, VEX_Vmaxpd_ymm_ymm_ymmm256)
    }

    /// The smaller of magnitudes of numbers.
    fn smaller(&self) -> Code {
        code!(self, EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32, VEX_Vpminud_ymm_ymm_ymmm256;
            EVEX_Vpminuq_zmm_k1z_zmm_zmmm512b64, VEX_Vminpd_ymm_ymm_ymmm256)
    }

    pub(super) fn three(
        &mut self,
        code: Code,
        d: Vector,
        x: Vector,
        y: Vector,
    ) -> Result<Instruction, Unsupported> {
        Ok(Instruction::with3(code, self.whole(d), self.whole(x), self.whole(y))?)
    }

    /// d = x ∘ constant.
    pub(super) fn with_constant(
        &mut self,
        code: Code,
        d: Vector,
        x: Vector,
        y: Constant,
    ) -> Result<(), Unsupported> {
        let mut instruction = Instruction::with3(code, self.whole(d), self.whole(x), self.of_element(y))?;
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
        let code = code!(self, EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er, VEX_Vaddps_ymm_ymm_ymmm256;
            EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er, VEX_Vaddpd_ymm_ymm_ymmm256);
        self.arithmetic(code, d, x, y)
    }

    /// d = x − y.
    pub(super) fn sub(&mut self, d: Vector, x: Vector, y: Vector) -> Result<(), Unsupported> {
        let code = code!(self, EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er, VEX_Vsubps_ymm_ymm_ymmm256;
            EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er, VEX_Vsubpd_ymm_ymm_ymmm256);
        self.arithmetic(code, d, x, y)
    }

    /// d = x · y.
    pub(super) fn mul(&mut self, d: Vector, x: Vector, y: Vector) -> Result<(), Unsupported> {
        let code = code!(self, EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er, VEX_Vmulps_ymm_ymm_ymmm256;
            EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er, VEX_Vmulpd_ymm_ymm_ymmm256);
        self.arithmetic(code, d, x, y)
    }

    /// d = x · y + d, rounded once.
    pub(super) fn fma(&mut self, d: Vector, x: Vector, y: Vector) -> Result<(), Unsupported> {
        let code = code!(self, EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er, VEX_Vfmadd231ps_ymm_ymm_ymmm256;
            EVEX_Vfmadd231pd_zmm_k1z_zmm_zmmm512b64_er, VEX_Vfmadd231pd_ymm_ymm_ymmm256);
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
        let instruction = Instruction::with2(code, self.whole(d), self.of_element(constant))?;
        self.push(instruction);
        Ok(())
    }

    /// d = the upper halves of binary32 lanes of x, or the lower ones, as BF16. AVX-512.
    pub(super) fn half_of_pair(&mut self, d: Vector, x: Vector, upper: bool) -> Result<(), Unsupported> {
        if upper {
            return self.with_constant(self.and(), d, x, Constant::High);
        }
        let code = Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8;
        let instruction = Instruction::with3(code, self.whole(d), self.whole(x), 16)?;
        self.push(instruction);
        Ok(())
    }

    /// Scratch vectors with the even and the odd lanes of two vectors, in each 128 bits those of x first.
    pub(super) fn neighbours(&mut self, x: Vector, y: Vector) -> Result<[Vector; 2], Unsupported> {
        let code = code!(self, EVEX_Vshufps_zmm_k1z_zmm_zmmm512b32_imm8, VEX_Vshufps_ymm_ymm_ymmm256_imm8;
            EVEX_Vshufpd_zmm_k1z_zmm_zmmm512b64_imm8, VEX_Vshufpd_ymm_ymm_ymmm256_imm8);
        // Two bits for each lane of 128 bits, or one bit for each lane of the vector.
        let choices: [u32; 2] = match self.element {
            Element::F32 => [0b10_00_10_00, 0b11_01_11_01],
            Element::F64 => [0, 0xff],
        };
        let vectors = [self.take(), self.take()];
        for (vector, choice) in vectors.into_iter().zip(choices) {
            let instruction =
                Instruction::with4(code, self.whole(vector), self.whole(x), self.whole(y), choice)?;
            self.push(instruction);
        }
        Ok(vectors)
    }

    /// A scratch vector, which is given back, with +0 in all but some lanes of each 128 bits, of up to 256 bits.
    pub(super) fn zero_unless(&mut self, x: Vector, lanes: u8) -> Result<Vector, Unsupported> {
        let per_block = 16 / self.element.bytes();
        let kept = u32::from(lanes) | u32::from(lanes) << per_block;
        let code = match self.element {
            Element::F32 => Code::VEX_Vblendps_ymm_ymm_ymmm256_imm8,
            Element::F64 => Code::VEX_Vblendpd_ymm_ymm_ymmm256_imm8,
        };
        let (result, zero) = (self.take_low(), self.take_low());
        self.copy(result, x)?;
        let [to, zeros] = [result, zero].map(|vector| nth(Register::YMM0, vector));
        self.push(Instruction::with3(Code::VEX_Vxorps_ymm_ymm_ymmm256, zeros, zeros, zeros)?);
        self.push(Instruction::with4(code, to, zeros, to, kept)?);
        self.give(zero);
        self.give(x);
        Ok(result)
    }

    /// d = x with the bits of a constant flipped.
    pub(super) fn flip(&mut self, d: Vector, x: Vector, signs: Constant) -> Result<(), Unsupported> {
        let code = code!(self, EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, VEX_Vxorps_ymm_ymm_ymmm256);
        // The signs of some lanes only are a whole vector.
        let instruction = Instruction::with3(code, self.whole(d), self.whole(x), self.of_element(signs))?;
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
        let code = match self.element {
            Element::F32 => Code::VEX_Vblendvps_ymm_ymm_ymmm256_ymm,
            Element::F64 => Code::VEX_Vblendvpd_ymm_ymm_ymmm256_ymm,
        };
        let (d, no, mask) = (self.whole(d), self.whole(no), self.whole(mask));
        let instruction = match yes.into() {
            Source::Vector(yes) => Instruction::with4(code, d, no, self.whole(yes), mask)?,
            Source::Constant(yes) => Instruction::with4(code, d, no, self.of_element(yes), mask)?,
        };
        self.push(instruction);
        Ok(())
    }

    /// VFIXUPIMMPS: replaces lanes of d by the class of those of s. It raises nothing.
    fn fix(&mut self, d: Vector, s: Vector, table: Constant) -> Result<(), Unsupported> {
        let code = match self.element {
            Element::F32 => Code::EVEX_Vfixupimmps_zmm_k1z_zmm_zmmm512b32_imm8_sae,
            Element::F64 => Code::EVEX_Vfixupimmpd_zmm_k1z_zmm_zmmm512b64_imm8_sae,
        };
        let mut instruction =
            Instruction::with4(code, self.whole(d), self.whole(s), self.constant(table), 0)?;
        instruction.set_is_broadcast(true);
        self.push(instruction);
        Ok(())
    }

    /// AVX2.
    fn compare(&self) -> Code {
        match self.element {
            Element::F32 => Code::VEX_Vcmpps_ymm_ymm_ymmm256_imm8,
            Element::F64 => Code::VEX_Vcmppd_ymm_ymm_ymmm256_imm8,
        }
    }

    /// The masks of lanes of s that are NaN, as a vector. AVX2.
    fn nan(&mut self, d: Vector, s: Vector) -> Result<(), Unsupported> {
        let instruction =
            Instruction::with4(self.compare(), self.whole(d), self.whole(s), self.whole(s), UNORDERED)?;
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
        let (mask, infinity) = (self.whole(infinite), self.of_element(Constant::Infinity));
        let compare = self.compare();
        self.push(Instruction::with4(compare, mask, mask, infinity, EQUAL)?);
        self.blend(d, d, part, infinite)?;
        self.give(infinite);
        Ok(())
    }
}

/// Formats other than BF16.
impl Lanes {
    /// The sign of each lane of d in all its bits, as far as [`Lanes::select`] needs it: blends of AVX2 look at signs alone.
    pub(super) fn spread(&mut self, d: Vector) -> Result<(), Unsupported> {
        if self.level.wide() {
            let (code, by) = match self.element {
                Element::F32 => (Code::EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8, 31u32),
                Element::F64 => (Code::EVEX_Vpsraq_zmm_k1z_zmmm512b64_imm8, 63),
            };
            let d = self.whole(d);
            self.push(Instruction::with3(code, d, d, by)?);
        }
        Ok(())
    }

    /// d = a mask of the lanes in which the magnitude of x is less than that of the bits `bound`, as integers.
    pub(super) fn below(&mut self, d: Vector, x: Vector, bound: u64) -> Result<(), Unsupported> {
        self.with_constant(self.and(), d, x, Constant::Magnitude)?;
        self.with_literal(self.plus(), d, d, bound.wrapping_neg())?;
        self.spread(d)
    }

    /// mask = mask ? yes : no.
    pub(super) fn select(&mut self, mask: Vector, yes: Vector, no: Vector) -> Result<(), Unsupported> {
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
        self.below(small, x, f32::MIN_POSITIVE.to_bits() as u64)?;
        self.with_constant(self.and(), sign, x, Constant::Signs)?;
        self.select(small, sign, x)?;
        self.copy(x, small)?;
        self.give(small);
        self.give(sign);
        Ok(())
    }

    /// d = x rounded to multiples of a power of two, a zero without its sign: by adding and subtracting a number made from 2^e, see
    /// [`NarrowRounding`]. e is the exponent of x and at least that of `smallest`. With `other`, it is at least `below` plus the
    /// exponent of that. d is another register than x and `other`.
    pub(super) fn on_grid(
        &mut self,
        d: Vector,
        x: Vector,
        (smallest, magic): (u64, u64),
        other: Option<(Vector, i32)>,
    ) -> Result<(), Unsupported> {
        let number = self.take();
        self.with_constant(self.and(), number, x, Constant::Infinity)?;
        self.with_literal(self.max(), number, number, smallest)?;
        if let Some((other, below)) = other {
            let shift = match self.element {
                Element::F32 => (below as i64 as u64) << 23,
                Element::F64 => (below as i64 as u64) << 52,
            };
            self.with_constant(self.and(), d, other, Constant::Infinity)?;
            self.with_literal(self.max(), d, d, smallest.wrapping_sub(shift))?;
            self.with_literal(self.plus(), d, d, shift)?;
            let max = self.max();
            let instruction = self.three(max, number, number, d)?;
            self.push(instruction);
        }
        self.with_literal(self.plus(), number, number, magic)?;
        self.add(d, x, number)?;
        self.sub(d, d, number)?;
        self.give(number);
        Ok(())
    }

    /// A scratch vector, which is given back, rounded to a format: see [`NarrowRounding`]. NaN stays NaN, clean, if `nan`, or else
    /// becomes what overflow gives, with its sign.
    pub(super) fn narrow(
        &mut self,
        x: Vector,
        format: NarrowRounding,
        nan: bool,
    ) -> Result<Vector, Unsupported> {
        let (mut rounded, mut result) = (self.take(), self.take());
        self.on_grid(rounded, x, (format.smallest, format.magic), None)?;
        let mut other = self.take();
        if let Some(Gap { middle, lower, upper }) = format.gap {
            self.with_constant(self.and(), rounded, rounded, Constant::Magnitude)?;
            self.with_literal(self.larger(), other, rounded, upper)?;
            self.with_literal(self.smaller(), rounded, rounded, lower)?;
            self.below(result, x, middle)?;
            self.select(result, rounded, other)?;
            std::mem::swap(&mut rounded, &mut result);
        }
        // From here on `other` is the sign, then what overflow gives.
        self.with_constant(self.and(), other, x, Constant::Signs)?;
        if format.sign != 0 {
            let or = self.or();
            let whole = self.three(or, rounded, rounded, other)?;
            self.push(whole);
        }
        self.with_literal(self.or(), other, other, format.overflow)?;
        // As an integer NaN is beyond every bound.
        self.below(result, x, format.bound)?;
        self.select(result, rounded, other)?;
        if format.negative.is_some() {
            // Less than zero is NaN, if it does not round to zero.
            self.below(rounded, result, 1)?;
            self.set(other, Constant::Nan)?;
            self.select(rounded, result, other)?;
            self.copy(other, x)?;
            self.spread(other)?;
            self.select(other, rounded, result)?;
            std::mem::swap(&mut result, &mut other);
        }
        if nan {
            self.keep_nan(result, x, other)?;
        }
        [other, rounded, x].into_iter().for_each(|vector| self.give(vector));
        Ok(result)
    }

    /// d, or clean NaN where x is NaN; `scratch` is overwritten.
    fn keep_nan(&mut self, d: Vector, x: Vector, scratch: Vector) -> Result<(), Unsupported> {
        if self.level.wide() {
            return self.fix(d, x, Constant::CleanNan);
        }
        self.nan(scratch, x)?;
        self.blend(d, d, Constant::Nan, scratch)
    }

    /// A clean scratch vector of binary64, which is given back, rounded to powers of two: see [`Power`].
    pub(super) fn power(&mut self, x: Vector, format: Power) -> Result<Vector, Unsupported> {
        /// Half of the step of a single bit.
        const HALF: u64 = 1 << 51;
        let (rounded, result, other) = (self.take(), self.take(), self.take());
        let shift = code!(self, EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8, VEX_Vpsrlq_ymm_ymm_imm8);
        self.push(Instruction::with3(shift, self.whole(other), self.whole(x), 52u32)?);
        self.with_literal(self.and(), other, other, 1)?;
        if format.odd_if_even {
            let sub = code!(self, EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64, VEX_Vpsubq_ymm_ymm_ymmm256);
            self.with_literal(self.plus(), rounded, x, HALF)?;
            let less = self.three(sub, rounded, rounded, other)?;
            self.push(less);
        } else {
            self.with_literal(self.plus(), rounded, x, HALF - 1)?;
            let more = self.three(self.plus(), rounded, rounded, other)?;
            self.push(more);
        }
        // The magnitude, at least the smallest, with its sign; or zero.
        self.with_constant(self.and(), rounded, rounded, Constant::Infinity)?;
        self.with_literal(self.larger(), rounded, rounded, format.smallest)?;
        self.with_constant(self.and(), other, x, Constant::Signs)?;
        let signed = self.three(self.or(), rounded, rounded, other)?;
        self.push(signed);
        if !format.negative_zero {
            self.with_literal(self.and(), other, other, 0)?;
        }
        self.below(result, x, format.least)?;
        self.select(result, other, rounded)?;
        self.with_constant(self.and(), other, x, Constant::Signs)?;
        self.with_literal(self.or(), other, other, format.overflow)?;
        // As an integer NaN is beyond every bound.
        self.below(rounded, x, format.bound)?;
        self.select(rounded, result, other)?;
        self.set(other, Constant::Nan)?;
        if !format.zero {
            self.below(result, rounded, 1)?;
            self.select(result, other, rounded)?;
            self.copy(rounded, result)?;
        }
        if !format.signed {
            // Less than zero is NaN, if it does not round to zero.
            self.below(result, rounded, 1)?;
            self.select(result, rounded, other)?;
            self.copy(other, x)?;
            self.spread(other)?;
            self.select(other, result, rounded)?;
            self.copy(rounded, other)?;
        }
        self.keep_nan(rounded, x, other)?;
        [other, result, x].into_iter().for_each(|vector| self.give(vector));
        Ok(rounded)
    }
}

/// Sums rounded to odd, and what they become.
impl Lanes {
    /// x · y + z rounded to odd: truncated, and the last bit set if that was inexact. z is a scratch vector and given back.
    /// `exact` says that lanes of binary64 hold every x · y.
    ///
    /// An inexact result lies between two neighbours, one of which is odd. Where both are the same, it is exact. Exact
    /// zeros of cancellation are −0 downward and +0 upward: even, hence the upper one is taken.
    pub(super) fn fma_odd(
        &mut self,
        x: Vector,
        y: Vector,
        z: Vector,
        exact: bool,
    ) -> Result<Vector, Unsupported> {
        if exact && !self.level.wide() {
            return self.sum_odd(x, y, z);
        }
        let (z, up) = self.both_ways(x, y, z)?;
        let odd = self.take();
        let shift = code!(self, EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8, VEX_Vpslld_ymm_ymm_imm8;
            EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8, VEX_Vpsllq_ymm_ymm_imm8);
        let by = match self.element {
            Element::F32 => 31u32,
            Element::F64 => 63,
        };
        self.push(Instruction::with3(shift, self.whole(odd), self.whole(z), by)?);
        self.spread(odd)?;
        self.select(odd, z, up)?;
        self.give(up);
        self.give(z);
        Ok(odd)
    }

    /// x · y + z rounded down, in z, which is a scratch vector, and rounded up.
    pub(super) fn both_ways(
        &mut self,
        x: Vector,
        y: Vector,
        z: Vector,
    ) -> Result<(Vector, Vector), Unsupported> {
        let up = self.take();
        self.copy(up, z)?;
        let code = code!(self, EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er, VEX_Vfmadd231ps_ymm_ymm_ymmm256;
            EVEX_Vfmadd231pd_zmm_k1z_zmm_zmmm512b64_er, VEX_Vfmadd231pd_ymm_ymm_ymmm256);
        let ways = [
            (z, RoundingControl::RoundDown, Constant::MxcsrDown),
            (up, RoundingControl::RoundUp, Constant::MxcsrUp),
        ];
        for (sum, rounding, environment) in ways {
            let mut fma = self.three(code, sum, x, y)?;
            if self.level.wide() {
                fma.set_rounding_control(rounding);
            } else {
                self.environment(environment)?;
            }
            self.push(fma);
        }
        if !self.level.wide() {
            self.environment(Constant::Mxcsr)?;
        }
        Ok((z, up))
    }

    /// As [`Lanes::fma_odd`] for lanes of binary64 that hold x · y: on AVX2, where to change MXCSR twice takes longer.
    ///
    /// The error of the sum s to nearest is a number e (Knuth's TwoSum). Where e is not 0 and s even, the exact sum lies
    /// between s and its neighbour toward e, which is odd. With infinities and NaN e is NaN, which changes nothing.
    fn sum_odd(&mut self, x: Vector, y: Vector, z: Vector) -> Result<Vector, Unsupported> {
        const NOT_EQUAL: u32 = 12;
        let (product, sum, back, error) = (self.take(), self.take(), self.take(), self.take());
        self.mul(product, x, y)?;
        self.add(sum, product, z)?;
        self.sub(back, sum, product)?;
        self.sub(error, sum, back)?;
        self.sub(error, product, error)?;
        self.sub(back, z, back)?;
        self.add(error, error, back)?;
        // All bits where s is to be changed.
        let [zero, change, even] = [z, back, product].map(|vector| self.whole(vector));
        self.push(Instruction::with3(Code::VEX_Vxorps_ymm_ymm_ymmm256, zero, zero, zero)?);
        let compare = self.compare();
        self.push(Instruction::with4(compare, change, self.whole(error), zero, NOT_EQUAL)?);
        self.with_literal(self.and(), product, sum, 1)?;
        self.with_literal(self.plus(), product, product, u64::MAX)?;
        self.push(Instruction::with3(self.and(), change, change, even)?);
        // −1 where e has the sign of s, and 1 elsewhere: to be subtracted.
        let [error_, sum_] = [error, sum].map(|vector| self.whole(vector));
        self.push(Instruction::with3(Code::VEX_Vpxor_ymm_ymm_ymmm256, error_, error_, sum_)?);
        self.push(Instruction::with3(Code::VEX_Vpsrlq_ymm_ymm_imm8, error_, error_, 62u32)?);
        self.with_literal(self.and(), error, error, 2)?;
        self.with_literal(self.plus(), error, error, u64::MAX)?;
        self.push(Instruction::with3(self.and(), error_, error_, change)?);
        self.push(Instruction::with3(Code::VEX_Vpsubq_ymm_ymm_ymmm256, sum_, sum_, error_)?);
        [product, back, error, z].into_iter().for_each(|vector| self.give(vector));
        Ok(sum)
    }

    /// Loads MXCSR. AVX2, within the default environment.
    fn environment(&mut self, constant: Constant) -> Result<(), Unsupported> {
        self.push(Instruction::with1(Code::VEX_Vldmxcsr_m32, self.constant(constant))?);
        Ok(())
    }

    /// A scratch vector x with NaN replaced by one with the sign of the first operand that is NaN: that of c where c is NaN and
    /// the product of a and b is not. NaN of a and b is positive, or `negative`, and positive where they are none.
    pub(super) fn nan_of_addend(
        &mut self,
        x: Vector,
        [a, b, c]: [Vector; 3],
        negative: bool,
    ) -> Result<(), Unsupported> {
        let factors = [a, b].into_iter().filter(|_| negative);
        let (sign, product) = (self.take(), self.take());
        self.mul(product, a, b)?;
        self.with_constant(self.and(), sign, c, Constant::Signs)?;
        if self.level.wide() {
            self.fix(sign, c, Constant::ZeroUnlessNan)?;
            self.fix(sign, product, Constant::ZeroIfNan)?;
            for factor in factors {
                // The processor's default NaN is negative.
                self.fix(sign, factor, Constant::CleanNan)?;
            }
            self.with_constant(self.or(), sign, sign, Constant::Nan)?;
            self.fix(sign, x, Constant::KeepNan)?;
            self.copy(x, sign)?;
        } else {
            let (and, and_not) = (self.and(), Code::VEX_Vpandn_ymm_ymm_ymmm256);
            let nan = self.take();
            self.nan(nan, c)?;
            let both = self.three(and, sign, sign, nan)?;
            self.push(both);
            self.nan(nan, product)?;
            let rest = self.three(and_not, sign, nan, sign)?;
            self.push(rest);
            for factor in factors {
                self.nan(nan, factor)?;
                self.with_constant(and, nan, nan, Constant::Signs)?;
                let either = self.three(self.or(), sign, sign, nan)?;
                self.push(either);
            }
            self.with_constant(self.or(), sign, sign, Constant::Nan)?;
            self.nan(nan, x)?;
            self.blend(x, x, sign, nan)?;
            self.give(nan);
        }
        self.give(sign);
        self.give(product);
        Ok(())
    }

    /// d = x where x is zero, and otherwise d, in which zeros have no signs there.
    pub(super) fn keep_zero(&mut self, d: Vector, x: Vector) -> Result<(), Unsupported> {
        let zero = self.take();
        self.below(zero, x, 1)?;
        self.select(zero, x, d)?;
        self.copy(d, zero)?;
        self.give(zero);
        Ok(())
    }

    /// d = x with the sign of y in addition.
    pub(super) fn with_sign(&mut self, d: Vector, x: Vector, y: Vector) -> Result<(), Unsupported> {
        let sign = self.take();
        self.with_constant(self.and(), sign, y, Constant::Signs)?;
        let or = self.or();
        let whole = self.three(or, d, x, sign)?;
        self.push(whole);
        self.give(sign);
        Ok(())
    }

    /// x, infinite where its magnitude is at least `bound`.
    pub(super) fn infinite_from(&mut self, x: Vector, bound: u64) -> Result<(), Unsupported> {
        let (below, infinity) = (self.take(), self.take());
        self.set(infinity, Constant::Infinity)?;
        self.with_sign(infinity, infinity, x)?;
        // NaN is beyond as well, and stays.
        self.below(below, x, bound)?;
        self.select(below, x, infinity)?;
        if self.level.wide() {
            self.fix(below, x, Constant::CleanNan)?;
        } else {
            self.nan(infinity, x)?;
            self.blend(below, below, Constant::Nan, infinity)?;
        }
        self.copy(x, below)?;
        self.give(below);
        self.give(infinity);
        Ok(())
    }
}

/// Between binary32 and binary64. A vector has twice as many lanes of the former: those of a half.
impl Lanes {
    fn half(&self, number: Vector) -> Register {
        nth(if self.level.wide() { Register::YMM0 } else { Register::XMM0 }, number)
    }

    /// Bytes of half a vector.
    pub(super) fn half_bytes(&self) -> usize {
        if self.level.wide() { 32 } else { 16 }
    }

    /// d = the lower or upper half of s's binary32 lanes as binary64, exact. d is another register than s.
    pub(super) fn widen(&mut self, d: Vector, s: Vector, upper: bool) -> Result<(), Unsupported> {
        let mut from = self.half(s);
        if upper {
            let code =
                code!(self, EVEX_Vextractf32x8_ymmm256_k1z_zmm_imm8, VEX_Vextractf128_xmmm128_ymm_imm8);
            from = self.half(d);
            self.push(Instruction::with3(code, from, self.whole(s), 1u32)?);
        }
        let code = code!(self, EVEX_Vcvtps2pd_zmm_k1z_ymmm256b32_sae, VEX_Vcvtps2pd_ymm_xmmm128);
        let mut convert = Instruction::with2(code, self.whole(d), from)?;
        convert.set_suppress_all_exceptions(self.level.wide());
        self.push(convert);
        Ok(())
    }

    /// d's lower half = the binary64 lanes of s as binary32, rounded to nearest even.
    pub(super) fn shorten(&mut self, d: Vector, s: Vector) -> Result<(), Unsupported> {
        let code = code!(self, EVEX_Vcvtpd2ps_ymm_k1z_zmmm512b64_er, VEX_Vcvtpd2ps_xmm_ymmm256);
        let mut convert = Instruction::with2(code, self.half(d), self.whole(s))?;
        if self.level.wide() {
            convert.set_rounding_control(RoundingControl::RoundToNearest);
        }
        self.push(convert);
        Ok(())
    }

    /// d's upper half = the lower half of s.
    pub(super) fn join_upper(&mut self, d: Vector, s: Vector) -> Result<(), Unsupported> {
        let code =
            code!(self, EVEX_Vinsertf32x8_zmm_k1z_zmm_ymmm256_imm8, VEX_Vinsertf128_ymm_ymm_xmmm128_imm8);
        let whole = self.whole(d);
        self.push(Instruction::with4(code, whole, whole, self.half(s), 1u32)?);
        Ok(())
    }
}

/// The source of a blend.
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
