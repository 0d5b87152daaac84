//! Roundings of a program's own results other than to nearest even: up, down, or at random.
//!
//! The exact a · b + c has a neighbour below and one above among the numbers of the lane's format. An exact result is what rounding to
//! nearest gives, signs of zeros included. Any other is one of the neighbours. The random choices take a word that is a hash of the
//! instruction's own word and of the bits of a, b and c: no state is kept, so that results depend neither on the schedule of threads
//! nor on what ran before.

use binade::catalog::F64;
use binade::{Operator, Projection, decode, project};
use iced_x86::{Code, Instruction};

use super::lanes::{Lanes, Vector};
use super::place::Unsupported;
use crate::fma::Element;

/// A rounding of results of `f32:f32`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ProgramRounding {
    /// To the neighbour above.
    Up,
    /// To the neighbour below.
    Down,
    /// To either neighbour by a fair coin.
    Random,
    /// To a neighbour with a probability of one less its distance, in units of their gap.
    Stochastic,
}

/// Odd numbers by which the bits of a, b and c are multiplied, and the two of the finaliser.
const OF_A: u32 = 0x9e37_79b1;
const OF_B: u32 = 0x85eb_ca77;
const OF_C: u32 = 0xc2b2_ae3d;
const FIRST: u32 = 0x7feb_352d;
const SECOND: u32 = 0x846c_a68b;

/// All five.
pub(crate) const HASH_WORDS: [u32; 5] = [OF_A, OF_B, OF_C, FIRST, SECOND];

/// The random word of operands of binary32 at an instruction whose own word is given.
pub fn random_word(word: u32, a: u32, b: u32, c: u32) -> u32 {
    finish(begin(word, [a, b, c]))
}

/// The random word of operands of binary64: the halves are hashed and added.
pub fn random_word_64(word: u32, a: u64, b: u64, c: u64) -> u32 {
    let half = |shift: u32| begin(word, [a, b, c].map(|bits| (bits >> shift) as u32));
    finish(half(32).wrapping_add(half(0)))
}

fn begin(word: u32, [a, b, c]: [u32; 3]) -> u32 {
    let [a, b, c] = [a.wrapping_mul(OF_A), b.wrapping_mul(OF_B), c.wrapping_mul(OF_C)];
    let x = a.wrapping_add(b).wrapping_add(c).wrapping_add(word);
    (x ^ x >> 16).wrapping_mul(FIRST)
}

fn finish(x: u32) -> u32 {
    (x ^ x >> 15).wrapping_mul(SECOND)
}

/// The definition: exact sums, rounded.
#[derive(Clone, Debug)]
pub struct RoundedMultiplyAdd {
    rounding: ProgramRounding,
    /// Downward, upward and stochastic, of binary32 and of binary64.
    operators: [[Operator; 3]; 2],
}

impl RoundedMultiplyAdd {
    /// The multiply-add of a rounding.
    pub fn new(rounding: ProgramRounding) -> RoundedMultiplyAdd {
        let operators = ["f32", "f64"].map(|format| {
            ["toward_negative", "toward_positive", "stochastic"].map(|mode| {
                format!("{format}:{format}/rounding={mode}").parse().expect("a pair of formats takes modes")
            })
        });
        RoundedMultiplyAdd { rounding, operators }
    }

    /// a · b + c of binary32, for the word of the instruction. NaN is canonical.
    pub fn single(&self, word: u32, a: f32, b: f32, c: f32) -> f32 {
        let random = random_word(word, a.to_bits(), b.to_bits(), c.to_bits());
        let [down, up, stochastic] = &self.operators[0];
        if self.rounding == ProgramRounding::Stochastic {
            return stochastic.multiply_add_drawn(random, a, b, c);
        }
        let (down, up) = (down.multiply_add(a, b, c), up.multiply_add(a, b, c));
        if self.takes_upper(random, down == up) { up } else { down }
    }

    /// a · b + c of binary64.
    pub fn double(&self, word: u32, a: f64, b: f64, c: f64) -> f64 {
        let random = random_word_64(word, a.to_bits(), b.to_bits(), c.to_bits());
        let [down, up, stochastic] = &self.operators[1];
        if self.rounding == ProgramRounding::Stochastic {
            let [a, b, c] = [a, b, c].map(|x| decode(F64, x.to_bits()));
            let result = stochastic.evaluate_drawn(random, a, b, c);
            return f64::from_bits(project(F64, result, Projection::default()).code);
        }
        let (down, up) = (down.multiply_add_f64(a, b, c), up.multiply_add_f64(a, b, c));
        if self.takes_upper(random, down == up) { up } else { down }
    }

    /// True if the result is the neighbour above. The sign of an exact zero is right there, and not below.
    fn takes_upper(&self, random: u32, is_exact: bool) -> bool {
        is_exact
            || match self.rounding {
                ProgramRounding::Down => false,
                ProgramRounding::Random => random >> 31 == 1,
                ProgramRounding::Up | ProgramRounding::Stochastic => true,
            }
    }
}

impl Lanes {
    /// ±a · b ± c by a rounding that takes one of two neighbours. The operands are not changed; c is a scratch vector and given back.
    pub(super) fn rounded(
        &mut self,
        rounding: ProgramRounding,
        [a, b, c]: [Vector; 3],
    ) -> Result<Vector, Unsupported> {
        let coin = match rounding {
            ProgramRounding::Random => Some(self.random_sign([a, b, c])?),
            _ => None,
        };
        let (down, up) = self.both_ways(a, b, c)?;
        if rounding == ProgramRounding::Up {
            self.give(down);
            return Ok(up);
        }
        // Exact zeros are −0 below and +0 above. All other exact results are the same both ways.
        let (differ, upper) = (self.take(), self.take());
        let xor = self.three(self.exclusive_or(), differ, down, up)?;
        self.push(xor);
        self.below(upper, differ, 1)?;
        self.give(differ);
        if let Some(coin) = coin {
            let either = self.three(self.or(), upper, upper, coin)?;
            self.push(either);
            self.spread(upper)?;
            self.give(coin);
        }
        self.select(upper, up, down)?;
        self.give(up);
        self.give(down);
        Ok(upper)
    }

    /// A vector whose signs are the highest bits of [`random_word`]s.
    fn random_sign(&mut self, operands: [Vector; 3]) -> Result<Vector, Unsupported> {
        let (sum, term) = (self.take(), self.take());
        for (number, (operand, factor)) in operands.into_iter().zip([OF_A, OF_B, OF_C]).enumerate() {
            let to = if number == 0 { sum } else { term };
            self.with_words(self.times_words(), to, operand, factor)?;
            if number > 0 {
                let add = self.three(self.plus_words(), sum, sum, term)?;
                self.push(add);
            }
        }
        let word = self.word;
        self.with_words(self.plus_words(), sum, sum, word)?;
        self.mix_words(sum, term, 16, FIRST)?;
        if self.element == Element::F64 {
            let shift = match self.wide() {
                true => Code::EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8,
                false => Code::VEX_Vpsllq_ymm_ymm_imm8,
            };
            self.push(Instruction::with3(shift, self.whole(term), self.whole(sum), 32u32)?);
            let add = self.three(self.plus_words(), sum, sum, term)?;
            self.push(add);
        }
        self.mix_words(sum, term, 15, SECOND)?;
        self.give(term);
        Ok(sum)
    }

    /// x = (x ^ x >> by) · factor, in lanes of 32 bits.
    fn mix_words(&mut self, x: Vector, scratch: Vector, by: u32, factor: u32) -> Result<(), Unsupported> {
        let shift = match self.wide() {
            true => Code::EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8,
            false => Code::VEX_Vpsrld_ymm_ymm_imm8,
        };
        self.push(Instruction::with3(shift, self.whole(scratch), self.whole(x), by)?);
        let xor = self.three(self.exclusive_or(), x, x, scratch)?;
        self.push(xor);
        self.with_words(self.times_words(), x, x, factor)
    }

    fn exclusive_or(&self) -> Code {
        if self.wide() { Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32 } else { Code::VEX_Vpxor_ymm_ymm_ymmm256 }
    }

    fn times_words(&self) -> Code {
        if self.wide() {
            Code::EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32
        } else {
            Code::VEX_Vpmulld_ymm_ymm_ymmm256
        }
    }

    fn plus_words(&self) -> Code {
        if self.wide() { Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32 } else { Code::VEX_Vpaddd_ymm_ymm_ymmm256 }
    }

    /// d = x ∘ word, in lanes of 32 bits.
    fn with_words(&mut self, code: Code, d: Vector, x: Vector, word: u32) -> Result<(), Unsupported> {
        let both = u64::from(word) << 32 | u64::from(word);
        self.with_literal(code, d, x, both)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(rounding: ProgramRounding) -> RoundedMultiplyAdd {
        RoundedMultiplyAdd::new(rounding)
    }

    #[test]
    fn directed_results_are_the_neighbours() {
        // 1 + 2^-30 lies between 1 and its successor.
        let (a, b, c) = (2f32.powi(-30), 1.0, 1.0);
        assert_eq!(rounded(ProgramRounding::Up).single(3, a, b, c), 1.0f32.next_up());
        assert_eq!(rounded(ProgramRounding::Down).single(3, a, b, c), 1.0);
        assert_eq!(rounded(ProgramRounding::Down).single(3, -a, b, c), 1.0f32.next_down());
        let tiny = 2f64.powi(-80);
        assert_eq!(rounded(ProgramRounding::Up).double(3, tiny, 1.0, 1.0), 1.0f64.next_up());
        assert_eq!(rounded(ProgramRounding::Down).double(3, tiny, 1.0, -1.0), -1.0);
    }

    #[test]
    fn exact_results_are_those_of_nearest() {
        use ProgramRounding::{Down, Random, Stochastic, Up};
        for rounding in [Up, Down, Random, Stochastic] {
            let rounded = rounded(rounding);
            for (a, b, c) in [(3.0, 0.5, 1.0), (1.0, 1.0, -1.0), (0.0, 1.0, -0.0), (-0.0, 1.0, -0.0)] {
                for word in 0..8 {
                    let bits = rounded.single(word, a, b, c).to_bits();
                    assert_eq!(bits, a.mul_add(b, c).to_bits(), "{rounding:?}: {a} · {b} + {c}");
                    let [a, b, c] = [a, b, c].map(f64::from);
                    assert_eq!(rounded.double(word, a, b, c).to_bits(), a.mul_add(b, c).to_bits());
                }
            }
            assert!(rounded.single(0, f32::NAN, 1.0, 1.0).is_nan());
            assert_eq!(rounded.single(0, f32::INFINITY, 1.0, 1.0), f32::INFINITY);
        }
    }

    /// The mean of n choices between neighbours that are one apart has a standard error of √(p(1 − p)/n).
    #[test]
    fn random_roundings_are_unbiased_within_five_standard_errors() {
        const COUNT: u32 = 40_000;
        // c + 2^-24 · t: above a whole multiple of the gap 2^-23 by a part of it.
        for part in [0.125, 0.5, 0.875] {
            for (rounding, expected) in [(ProgramRounding::Random, 0.5), (ProgramRounding::Stochastic, part)]
            {
                let rounded = rounded(rounding);
                let (mut single, mut double) = (0, 0);
                for index in 0..COUNT {
                    let c = 1.0 + index as f32 * 2f32.powi(-20);
                    let up = rounded.single(77, 2f32.powi(-23), part as f32, c);
                    single += u32::from(up != c);
                    let c = f64::from(c);
                    double += u32::from(rounded.double(77, 2f64.powi(-52), part, c) != c);
                }
                let error = (expected * (1.0 - expected) / f64::from(COUNT)).sqrt();
                for count in [single, double] {
                    let mean = f64::from(count) / f64::from(COUNT);
                    assert!((mean - expected).abs() < 5.0 * error, "{rounding:?} of {part}: {mean}");
                }
            }
        }
    }

    /// Sums of equal numbers, small integers and powers of two have operands of few bits: the coin is fair there, too, and for other
    /// words it falls otherwise.
    #[test]
    fn coins_of_plain_operands_are_fair() {
        for (step, shift) in [(1u32, 0), (1 << 13, 0), (1 << 23, 0), (3, 7)] {
            let words: Vec<u32> = (0..256)
                .map(|index: u32| random_word(5, index.wrapping_mul(step) << shift, 1.0f32.to_bits(), 0))
                .collect();
            let ones = words.iter().filter(|&&word| word >> 31 == 1).count() as f64;
            assert!((ones - 128.0).abs() < 5.0 * 8.0, "{step}: {ones}");
            let other = (0..256)
                .filter(|&index: &u32| {
                    let other = random_word(6, index.wrapping_mul(step) << shift, 1.0f32.to_bits(), 0);
                    other >> 31 != words[index as usize] >> 31
                })
                .count() as f64;
            assert!((other - 128.0).abs() < 5.0 * 8.0, "{step}: {other}");
        }
    }
}
