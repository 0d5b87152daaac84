//! Whether operands are so large that whether MXCSR flushes subnormals does not matter.
//!
//! Let q be a power of two, and not less than the least normal number of the lanes. Sums and products of multiples of q and
//! 1 that are multiples of q stay so when they are rounded, to binary32, to BF16 or to another format, since the numbers of a
//! format near a multiple of q are multiples of q or lie farther apart; and a multiple of q is zero or normal. So nothing
//! that an operator computes is subnormal if
//!
//! - what a, b and c are rounded to or split into are multiples of q. A number of exponent e and p bits is a multiple of
//!   2^(e + 1 − p), and so are its parts;
//! - the partial products are, each a multiple of 2^(ea + eb + 2 − 2p).
//!
//! Zeros, infinities and NaN are no obstacle. The formats of pairs may have a gap above zero, whose upper end has some bits
//! more than what is rounded to it: they are given the bits of a significand as a margin.
//!
//! The test is done on the upper 16 bits of a lane: its sign, its exponent and the first bits of its fraction. The sum of two
//! of those, carries from the fractions included, is by less than 2 units of the exponent more than the sum of exponents:
//! hence one unit is added to the bound, and the other is what it takes to reach it.

use iced_x86::{Code, Instruction, MemoryOperand, Register};

use super::Unsupported;
use super::lanes::{Lanes, Vector, nth};
use super::pool::Constant;
use super::recipe::Recipe;
use crate::fma::Element;

/// Bounds of exponents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Guard {
    /// That of the product, which is the sum of its factors'.
    product: Constant,
    /// That of each operand.
    each: Constant,
}

/// The least exponents of normal numbers.
const LEAST: [i64; 2] = [-126, -1022];
/// Bits of a BF16, of binary32 and of binary64.
const BF16: i64 = 8;
const SINGLE: i64 = 24;
const DOUBLE: i64 = 53;

/// What reaches the sign of a lane if it is added to the upper 16 bits of a number whose exponent is at least `bound`.
const fn to_sign(bound: i64, double: bool) -> u64 {
    if double { (0x8000 - ((bound + 1023) << 4)) as u64 } else { (0x8000 - ((bound + 127) << 7)) as u64 }
}

/// The same for the sum of those of two numbers, whose exponents' sum is at least `bound`.
const fn sum_to_sign(bound: i64, double: bool) -> u64 {
    to_sign(bound + 1 + if double { 1023 } else { 127 }, double)
}

/// The constant that takes the upper 16 bits of what a [`Guard`] tests to the sign, for lanes of 64 bits.
pub(super) const fn addition(constant: Constant) -> u64 {
    const fn pair(upper: u64) -> u64 {
        upper << 48 | upper << 16
    }
    match constant {
        Constant::ProductOfOne => pair(sum_to_sign(LEAST[0] + 2 * (BF16 - 1), false)),
        Constant::ProductOfParts => pair(sum_to_sign(LEAST[0] + 2 * (SINGLE - 1), false)),
        Constant::ProductOfPair => pair(sum_to_sign(LEAST[0] + 2 * (SINGLE - 1) + SINGLE, false)),
        Constant::EachOfParts => pair(to_sign(LEAST[0] + SINGLE - 1, false)),
        Constant::EachOfPair => pair(to_sign(LEAST[0] + SINGLE - 1 + SINGLE, false)),
        // A binary64 that is rounded to binary32 first.
        Constant::ProductOfParts64 => sum_to_sign(LEAST[0] + 2 * (SINGLE - 1), true) << 48,
        Constant::EachOfParts64 => to_sign(LEAST[0] + SINGLE - 1, true) << 48,
        Constant::ProductOfPair64 => sum_to_sign(LEAST[1] + 2 * (DOUBLE - 1) + DOUBLE, true) << 48,
        Constant::EachOfPair64 => to_sign(LEAST[1] + DOUBLE - 1 + DOUBLE, true) << 48,
        _ => 0,
    }
}

impl Guard {
    /// For an operator's recipe, on lanes of a program.
    pub(super) fn of(recipe: Recipe, element: Element) -> Guard {
        use Constant::*;
        let (product, each) = match (recipe, element) {
            (Recipe::Pair(..), Element::F32) => (ProductOfPair, EachOfPair),
            (Recipe::Pair(Element::F64, _), Element::F64) => (ProductOfPair64, EachOfPair64),
            // These round to binary32 first; a pair among them is of BF16, without a gap.
            (_, Element::F64) => (ProductOfParts64, EachOfParts64),
            (Recipe::Parts(compound), _) if compound.inputs == 1 => (ProductOfOne, EachOfParts),
            _ => (ProductOfParts, EachOfParts),
        };
        Guard { product, each }
    }

    /// Instructions that set ecx to 0 if nothing is subnormal in a · b + c, at the program's length in bytes. Operands that
    /// are constants are left out. On AVX2 ecx is 0 only if the copy of MXCSR at `mxcsr` rounds and traps as the default does,
    /// too. Scratch vectors are used and given back.
    pub(super) fn test(
        self,
        lanes: &mut Lanes,
        [a, b, c]: [Option<Vector>; 3],
        bytes: usize,
        mxcsr: MemoryOperand,
    ) -> Result<Vec<Instruction>, Unsupported> {
        let (least, next) = (lanes.take_low(), lanes.take());
        lanes.less_one(least, a.or(b).or(c).unwrap_or_default())?;
        let mut product = None;
        if let (Some(_), Some(b)) = (a, b) {
            lanes.less_one(next, b)?;
            let sum = lanes.take();
            lanes.words(Words::Add, sum, least, next)?;
            lanes.words(Words::Min, least, least, next)?;
            lanes.add_to_words(sum, self.product)?;
            product = Some(sum);
        }
        if let Some(c) = c {
            lanes.less_one(next, c)?;
            lanes.words(Words::Min, least, least, next)?;
        }
        lanes.add_to_words(least, self.each)?;
        lanes.any_positive(least, product, next, (bytes, mxcsr))?;
        [least, next].into_iter().chain(product).for_each(|vector| lanes.give(vector));
        Ok(lanes.cut())
    }
}

/// An operation on unsigned 16-bit lanes.
#[derive(Clone, Copy)]
enum Words {
    /// Sums, 0xffff where they are more.
    Add,
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

    /// ecx = the signs of lanes in which x or y is not negative; on AVX2 of all lanes if the copy of MXCSR is not as the
    /// default in its control bits. x is one that VEX can name; it and `scratch` are overwritten.
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
            let copy = nth(Register::YMM0, scratch);
            self.push(Instruction::with2(Code::VEX_Vpbroadcastd_ymm_xmmm32, copy, mxcsr)?);
            for (code, constant) in [
                (Code::VEX_Vpand_ymm_ymm_ymmm256, Constant::Control),
                (Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, Constant::Mxcsr),
            ] {
                self.push(Instruction::with3(code, copy, copy, self.constant(constant))?);
            }
            for other in [y, scratch] {
                let both = self.three(and, x, x, other)?;
                self.push(both);
            }
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

    /// Whether a · b + c passes, as the instructions decide it.
    fn passes(guard: (Constant, Constant), [a, b, c]: [f32; 3]) -> bool {
        let upper = |x: f32| ((x.abs().to_bits().wrapping_sub(1)) >> 16) as u16;
        let constant = |constant| (addition(constant) >> 16) as u16;
        let product = upper(a).saturating_add(upper(b)).saturating_add(constant(guard.0));
        let least = upper(a).min(upper(b)).min(upper(c)).saturating_add(constant(guard.1));
        product & least & 0x8000 != 0
    }

    /// The bounds are where the derivation says, give or take the one unit, and never less.
    #[test]
    fn operands_pass_from_their_bounds_on() {
        let parts = (Constant::ProductOfParts, Constant::EachOfParts);
        let one = (Constant::ProductOfOne, Constant::EachOfParts);
        let p = |exponent: i32| 2f32.powi(exponent);
        for (guard, sum) in [(parts, -80), (one, -112)] {
            for a in -100..27 {
                let b = sum - a;
                if (-100..120).contains(&b) {
                    assert!(!passes(guard, [p(a), p(b - 1) * 1.999, 1.0]), "{a}");
                    assert!(!passes(guard, [p(a) * 1.999, p(b - 1) * 1.999, 1.0]), "{a}");
                    assert!(passes(guard, [p(a) * 1.01, -p(b + 1) * 1.01, 1.0]), "{a}");
                }
            }
        }
        for guard in [parts, one] {
            for c in [p(-104) * 1.999, p(-126), p(-149), -p(-140)] {
                assert!(!passes(guard, [1.0, 1.0, c]) && !passes(guard, [1.0, c, 1.0]), "{c}");
                assert!(!passes(guard, [c, 2f32.powi(127), 1.0]), "{c}");
            }
            assert!(passes(guard, [1.0, 1.0, p(-103) * 1.01]));
            for c in [0.0, -0.0, f32::INFINITY, f32::NAN, f32::MAX, -1.0] {
                assert!(passes(guard, [1.0, 1.0, c]) && passes(guard, [1.0, c, 0.0]), "{c}");
                assert!(passes(guard, [c, 1.0, -0.0]) && passes(guard, [0.0, c, 1.0]), "{c}");
            }
        }
    }

    /// Bounds of binary64, whose upper 16 bits have other fields.
    #[test]
    fn bounds_of_binary64() {
        let upper = |x: f64| ((x.to_bits() - 1) >> 48) as u16;
        let constant = |constant| (addition(constant) >> 48) as u16;
        for (each, bound) in [(Constant::EachOfParts64, -103), (Constant::EachOfPair64, -917)] {
            let negative = |x: f64| upper(x).saturating_add(constant(each)) >> 15 == 1;
            assert!(!negative(2f64.powi(bound)) && negative(2f64.powi(bound) * 1.1), "{each:?}");
        }
        for (product, bound) in [(Constant::ProductOfParts64, -80), (Constant::ProductOfPair64, -865)] {
            let negative = |x: f64, y: f64| {
                upper(x).saturating_add(upper(y)).saturating_add(constant(product)) >> 15 == 1
            };
            let (x, y) = (2f64.powi(-30), 2f64.powi(bound + 30));
            assert!(!negative(x * 1.99, y / 2.0 * 1.99) && negative(x * 1.1, y * 2.2), "{product:?}");
        }
    }
}
