//! Tests operands for magnitudes at which MXCSR's flushing of subnormals has no effect.
//!
//! Let q be a power of two, and not less than the least normal number of the lanes. The numbers of a format near a multiple of q are
//! multiples of q or farther apart. So a sum or product that is a multiple of q stays one when it is rounded, to binary32, to BF16
//! or to another format. A multiple of q is zero or normal. So nothing
//! that an operator computes is subnormal if
//!
//! - what a, b and c are rounded to or split into are multiples of q. A number of exponent e and p bits is a multiple of
//!   2^(e + 1 − p), and so are its parts;
//! - the partial products are, each a multiple of 2^(ea + eb + 2 − 2p): the exponents of both factors have one bound.
//!
//! Zeros, infinities and NaN are no obstacle. The formats of pairs may have a gap above zero, whose upper end has some bits
//! more than what is rounded to it: they are given the bits of a significand as a margin.
//!
//! The test is done on the upper 16 bits of a lane: its sign, its exponent and the first bits of its fraction. It is to be
//! short, for it is part of all code, and not sharp: what does not pass costs a few instructions if nothing is flushed.

use iced_x86::{Code, Instruction, MemoryOperand, Register};

use super::lanes::{Lanes, Vector, nth};
use super::place::Unsupported;
use super::pool::Constant;
use super::recipe::Recipe;
use crate::fma::Element;

/// Bounds of exponents, as [`addition`]s.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Guard {
    /// That of a and b.
    factor: Constant,
    /// That of c.
    addend: Constant,
    /// Both, for a, b and c in the lanes of one vector. Of binary32.
    packed: Option<Constant>,
}

/// The least exponents of normal numbers of binary32 and of binary64.
const LEAST: i64 = -126;
const LEAST64: i64 = -1022;
/// Bits of a BF16, of binary32 and of binary64.
const BF16: i64 = 8;
const SINGLE: i64 = 24;
const DOUBLE: i64 = 53;

/// The addend that takes the upper 16 bits of a binary32 to 0x8000 if its exponent is `bound`.
const fn to_sign(bound: i64) -> u64 {
    (0x8000 - ((bound + 127) << 7)) as u64
}

/// The same of a binary64.
const fn to_sign_64(bound: i64) -> u64 {
    ((0x8000 - ((bound + 1023) << 4)) as u64) << 48
}

/// The bound of factors of p bits: half of what the sum of their exponents has to be, rounded up.
const fn of_factors(least: i64, p: i64, margin: i64) -> i64 {
    (least + 2 * (p - 1) + margin + 1).div_euclid(2)
}

/// The bound of addends of p bits.
const fn of_addend(least: i64, p: i64, margin: i64) -> i64 {
    least + p - 1 + margin
}

/// The constant that is added, with saturation, to the upper 16 bits of magnitudes less 1, for a pair of lanes of 64 bits.
pub(super) const fn addition(constant: Constant) -> [u64; 2] {
    const fn single(upper: u64) -> u64 {
        upper << 48 | upper << 16
    }
    const FACTOR_OF_ONE: u64 = to_sign(of_factors(LEAST, BF16, 0));
    const FACTOR_OF_PARTS: u64 = to_sign(of_factors(LEAST, SINGLE, 0));
    const FACTOR_OF_PAIR: u64 = to_sign(of_factors(LEAST, SINGLE, SINGLE));
    const ADDEND_OF_PARTS: u64 = to_sign(of_addend(LEAST, SINGLE, 0));
    const ADDEND_OF_PAIR: u64 = to_sign(of_addend(LEAST, SINGLE, SINGLE));
    /// The fourth lane is not looked at: any magnitude less 1 plus this is negative.
    const fn packed(factor: u64, addend: u64) -> [u64; 2] {
        [single(factor), 0x8000 << 48 | addend << 16]
    }
    let whole = match constant {
        Constant::FactorOfOne => single(FACTOR_OF_ONE),
        Constant::FactorOfParts => single(FACTOR_OF_PARTS),
        Constant::FactorOfPair => single(FACTOR_OF_PAIR),
        Constant::AddendOfParts => single(ADDEND_OF_PARTS),
        Constant::AddendOfPair => single(ADDEND_OF_PAIR),
        Constant::PackedOfOne => return packed(FACTOR_OF_ONE, ADDEND_OF_PARTS),
        Constant::PackedOfParts => return packed(FACTOR_OF_PARTS, ADDEND_OF_PARTS),
        Constant::PackedOfPair => return packed(FACTOR_OF_PAIR, ADDEND_OF_PAIR),
        // A binary64 that is rounded to binary32 first.
        Constant::FactorOfParts64 => to_sign_64(of_factors(LEAST, SINGLE, 0)),
        Constant::AddendOfParts64 => to_sign_64(of_addend(LEAST, SINGLE, 0)),
        Constant::FactorOfPair64 => to_sign_64(of_factors(LEAST64, DOUBLE, DOUBLE)),
        Constant::AddendOfPair64 => to_sign_64(of_addend(LEAST64, DOUBLE, DOUBLE)),
        _ => 0,
    };
    [whole; 2]
}

impl Guard {
    /// For an operator's recipe, on lanes of a program.
    pub(super) fn of(recipe: Recipe, element: Element) -> Guard {
        use Constant::*;
        let (factor, addend, packed) = match (recipe, element) {
            (Recipe::Pair(..), Element::F32) => (FactorOfPair, AddendOfPair, Some(PackedOfPair)),
            (Recipe::Pair(Element::F64, _) | Recipe::Rounded(_), Element::F64) => {
                (FactorOfPair64, AddendOfPair64, None)
            }
            // These round to binary32 first; a pair among them is of BF16, without a gap.
            (_, Element::F64) => (FactorOfParts64, AddendOfParts64, None),
            (Recipe::Parts(compound), _) if compound.inputs == 1 => {
                (FactorOfOne, AddendOfParts, Some(PackedOfOne))
            }
            _ => (FactorOfParts, AddendOfParts, Some(PackedOfParts)),
        };
        Guard { factor, addend, packed }
    }

    /// Instructions that set ecx to 0 if nothing is subnormal in a · b + c, at the program's length in bytes. Operands that
    /// are constants are left out. On AVX2 ecx is 0 only if the copy of MXCSR at `mxcsr` rounds and traps as the default does,
    /// too. Scratch vectors are used and given back.
    pub(super) fn test(
        self,
        lanes: &mut Lanes,
        operands: [Option<Vector>; 3],
        (bytes, scalar): (usize, bool),
        mxcsr: MemoryOperand,
    ) -> Result<Vec<Instruction>, Unsupported> {
        let (x, y) = (lanes.take_low(), lanes.take());
        match self.packed.filter(|_| scalar) {
            Some(bounds) => {
                lanes.pack(x, operands)?;
                lanes.packed_negative(x, bounds)?;
                lanes.any_positive(x, None, y, (bytes, mxcsr))?;
            }
            None => {
                let [a, b, c] = operands;
                lanes.less_one(x, a.or(b).unwrap_or_default())?;
                if let (Some(_), Some(b)) = (a, b) {
                    lanes.less_one(y, b)?;
                    lanes.words(Words::Min, x, x, y)?;
                }
                lanes.add_to_words(x, self.factor)?;
                if let Some(c) = c {
                    lanes.less_one(y, c)?;
                    lanes.add_to_words(y, self.addend)?;
                }
                lanes.any_positive(x, c.map(|_| y), y, (bytes, mxcsr))?;
            }
        }
        lanes.give(x);
        lanes.give(y);
        Ok(lanes.cut())
    }
}

/// An operation on unsigned 16-bit lanes.
#[derive(Clone, Copy)]
enum Words {
    /// Sums, 0xffff where they are more.
    Add,
    /// The smaller.
    Min,
}

impl Words {
    fn code(self, wide: bool) -> Code {
        match (self, wide) {
            (Words::Add, true) => Code::EVEX_Vpaddusw_zmm_k1z_zmm_zmmm512,
            (Words::Add, false) => Code::VEX_Vpaddusw_ymm_ymm_ymmm256,
            (Words::Min, true) => Code::EVEX_Vpminuw_zmm_k1z_zmm_zmmm512,
            (Words::Min, false) => Code::VEX_Vpminuw_ymm_ymm_ymmm256,
        }
    }
}

impl Lanes {
    /// d = the magnitude of x less 1 as an integer: zero is beyond all others.
    fn less_one(&mut self, d: Vector, x: Vector) -> Result<(), Unsupported> {
        self.with_constant(self.and(), d, x, Constant::Magnitude)?;
        self.with_constant(self.plus(), d, d, Constant::Ones)
    }

    fn words(&mut self, words: Words, d: Vector, x: Vector, y: Vector) -> Result<(), Unsupported> {
        let instruction = self.three(words.code(self.wide()), d, x, y)?;
        self.push(instruction);
        Ok(())
    }

    fn add_to_words(&mut self, d: Vector, constant: Constant) -> Result<(), Unsupported> {
        let (code, d) = (Words::Add.code(self.wide()), self.whole(d));
        let instruction = Instruction::with3(code, d, d, self.constant(constant))?;
        self.push(instruction);
        Ok(())
    }

    /// d = the lowest lanes of a, b and c, in this order; for a constant another of them. The upper bits are 0.
    fn pack(&mut self, d: Vector, [a, b, c]: [Option<Vector>; 3]) -> Result<(), Unsupported> {
        let any = a.or(b).or(c).unwrap_or_default();
        let [d, a, b, c] = [d, a.unwrap_or(any), b.unwrap_or(any), c.unwrap_or(any)]
            .map(|vector| nth(Register::XMM0, vector));
        let (interleave, join) = match self.wide() {
            true => (Code::EVEX_Vunpcklps_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vmovlhps_xmm_xmm_xmm),
            false => (Code::VEX_Vunpcklps_xmm_xmm_xmmm128, Code::VEX_Vmovlhps_xmm_xmm_xmm),
        };
        self.push(Instruction::with3(interleave, d, a, b)?);
        self.push(Instruction::with3(join, d, d, c)?);
        Ok(())
    }

    /// Makes lanes of d, which VEX can name, negative where packed operands pass. A short vector leaves the third port of
    /// 256-bit instructions open.
    fn packed_negative(&mut self, d: Vector, bounds: Constant) -> Result<(), Unsupported> {
        let d = nth(Register::XMM0, d);
        for (code, constant) in [
            (Code::VEX_Vpand_xmm_xmm_xmmm128, Constant::Magnitude),
            (Code::VEX_Vpaddd_xmm_xmm_xmmm128, Constant::Ones),
            (Code::VEX_Vpaddusw_xmm_xmm_xmmm128, bounds),
        ] {
            self.push(Instruction::with3(code, d, d, self.constant(constant))?);
        }
        Ok(())
    }

    /// ecx = the signs of lanes in which x or y is not negative; on AVX2 of all lanes if the copy of MXCSR is not as the
    /// default in its control bits. x is one that VEX can name. It is overwritten, as are y and `scratch`, which may be y.
    fn any_positive(
        &mut self,
        x: Vector,
        y: Option<Vector>,
        scratch: Vector,
        (bytes, mxcsr): (usize, MemoryOperand),
    ) -> Result<(), Unsupported> {
        let and = self.and();
        let mut y = y.unwrap_or(x);
        if self.wide() {
            if bytes == 64 {
                let both = self.three(and, x, x, y)?;
                self.push(both);
                let upper = nth(Register::YMM0, scratch);
                let code = Code::EVEX_Vextracti32x8_ymmm256_k1z_zmm_imm8;
                self.push(Instruction::with3(code, upper, self.whole(x), 1u32)?);
                y = scratch;
            }
            // Bit 4i + 2j + k of the immediate is the result for bits i, j, k: ¬(j ∧ k).
            const NOT_BOTH: u32 = 0x77;
            let code = Code::EVEX_Vpternlogd_ymm_k1z_ymm_ymmm256b32_imm8;
            let [x, y] = [x, y].map(|vector| nth(Register::YMM0, vector));
            self.push(Instruction::with4(code, x, x, y, NOT_BOTH)?);
        } else {
            if y != x {
                let both = self.three(and, x, x, y)?;
                self.push(both);
            }
            let copy = nth(Register::YMM0, scratch);
            self.push(Instruction::with2(Code::VEX_Vpbroadcastd_ymm_xmmm32, copy, mxcsr)?);
            for (code, constant) in [
                (Code::VEX_Vpand_ymm_ymm_ymmm256, Constant::Control),
                (Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, Constant::Mxcsr),
            ] {
                self.push(Instruction::with3(code, copy, copy, self.constant(constant))?);
            }
            let both = self.three(and, x, x, scratch)?;
            self.push(both);
            let (x, ones) = (self.whole(x), self.constant(Constant::Ones));
            self.push(Instruction::with3(Code::VEX_Vpxor_ymm_ymm_ymmm256, x, x, ones)?);
        }
        let (code, class) = match (self.element, bytes) {
            (Element::F32, 16) => (Code::VEX_Vmovmskps_r32_xmm, Register::XMM0),
            (Element::F32, _) => (Code::VEX_Vmovmskps_r32_ymm, Register::YMM0),
            (Element::F64, 16) => (Code::VEX_Vmovmskpd_r32_xmm, Register::XMM0),
            (Element::F64, _) => (Code::VEX_Vmovmskpd_r32_ymm, Register::YMM0),
        };
        self.push(Instruction::with2(code, Register::ECX, nth(class, x))?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns true if the upper bits of a magnitude less 1 become negative.
    fn passes(constant: Constant, lane: usize, upper: u16) -> bool {
        let [even, odd] = addition(constant);
        let word = if lane < 2 { even >> (32 * lane + 16) } else { odd >> (32 * (lane - 2) + 16) };
        upper.saturating_add(word as u16) & 0x8000 != 0
    }

    fn upper(x: f32) -> u16 {
        (x.abs().to_bits().wrapping_sub(1) >> 16) as u16
    }

    #[test]
    fn operands_pass_from_their_bounds_on() {
        use Constant::*;
        let (one, parts, pair, addend, apart) = (-56, -40, -28, -103, -79);
        for (constant, bounds) in [
            (FactorOfOne, [one; 4]),
            (FactorOfParts, [parts; 4]),
            (FactorOfPair, [pair; 4]),
            (AddendOfParts, [addend; 4]),
            (AddendOfPair, [apart; 4]),
            (PackedOfOne, [one, one, addend, -200]),
            (PackedOfParts, [parts, parts, addend, -200]),
            (PackedOfPair, [pair, pair, apart, -200]),
        ] {
            for (lane, &bound) in bounds.iter().enumerate() {
                for x in [0.0, -0.0, 1.0, -1.0, f32::MAX, f32::INFINITY, f32::NAN] {
                    assert!(passes(constant, lane, upper(x)), "{constant:?}, {lane}: {x}");
                }
                for exponent in -149..100 {
                    // The test reads the first 7 bits of the fraction, and the number itself counts as one less.
                    let x = (2f64.powi(exponent) * 1.02) as f32;
                    let passed = passes(constant, lane, upper(x));
                    assert_eq!(passed, exponent >= bound, "{constant:?}, {lane}: 2^{exponent}");
                }
            }
        }
    }

    #[test]
    fn operands_of_binary64_pass_from_their_bounds_on() {
        use Constant::*;
        for (constant, bound) in
            [(FactorOfParts64, -40), (AddendOfParts64, -103), (FactorOfPair64, -432), (AddendOfPair64, -917)]
        {
            let passes = |x: f64| {
                let upper = (x.abs().to_bits().wrapping_sub(1) >> 48) as u16;
                upper.saturating_add((addition(constant)[0] >> 48) as u16) & 0x8000 != 0
            };
            assert!(passes(0.0) && passes(-0.0) && passes(-1.0) && passes(f64::INFINITY) && passes(f64::NAN));
            for exponent in -1020..900 {
                assert_eq!(
                    passes(2f64.powi(exponent) * 1.1),
                    exponent >= bound,
                    "{constant:?}: 2^{exponent}"
                );
            }
        }
    }
}
