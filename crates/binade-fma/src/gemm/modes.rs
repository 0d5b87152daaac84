//! Steps of pairs of formats whose accumulator is rounded by another mode than to nearest even.
//!
//! Let s = a · b + c for binary32 numbers. As [`Wide`](super::rules::Wide) explains, binary64 computes s° = s rounded to
//! odd, with 53 bits. A format of precision P keeps P of them. Let u be the other D = 53 − P bits of |s°| as an integer:
//! the place of |s| between its neighbours in units of 2^−D, with the last bit set if there is more. Rounding up is
//! u + K ≥ 2^D, for a K that depends on the mode:
//!
//! | mode | K |
//! |---|---|
//! | toward zero | 0 |
//! | away from zero, as toward ±∞ for one sign | 2^D − 1 |
//! | nearest, ties away | 2^(D − 1) |
//! | stochastic A, N bits R | R · 2^(D − N), for N < D |
//! | stochastic B | R · 2^(D − N) + 2^(D − N − 1), for N + 1 < D |
//! | stochastic C | R · 2^(D − N) + 2^(D − N − 1) − (R mod 2), for N + 1 < D |
//!
//! u's last bit is the only one that is not the exact value's, and D is large enough that it decides no comparison but
//! ties. So adding K to the bits of |s°| and clearing the last D rounds it, carries into the exponent included. Below the
//! smallest normal number 2^e the same works on |s°| + 2^e, rounded to odd once more.

use binade::carrier::power;
use binade::draws::mixed;
use binade::{Finite, Format, Operator, Projection, Rounding, Saturation, Stochastic, Subnormals, Value};
use binade::{decode, project};
use binade_simd::floats::portable::Lane;
use binade_simd::floats::{Doubles, Floats};

use super::rules::{Rule, Step, within_binary32};

const SIGN: u64 = 1 << 63;
const INFINITY: u64 = 0x7ff0_0000_0000_0000;
const ONE: u64 = 0x3ff0_0000_0000_0000;

/// How K is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Raise {
    /// The same K for both signs.
    Always(u64),
    /// K for numbers that are not negative, and for negative ones.
    BySign([u64; 2]),
    /// Inexact results get an odd last bit.
    Odd,
    /// R from the top bits of a word, of which `mask` remain, plus `half`, less R's last bit if that is `tie` bits up.
    Stochastic { mask: u64, half: u64, tie: Option<u32> },
}

/// The rounding of a · b + c to a format by a mode, in binary64 lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mode {
    /// D.
    dropped: u32,
    /// The smallest normal number.
    normal: u64,
    raise: Raise,
    /// The least magnitude beyond the largest finite number.
    bound: u64,
    /// Results of overflow, and of infinities, that are not negative and negative.
    overflow: [u64; 2],
    infinite: [u64; 2],
    /// The least positive number, if the format has no −0.
    least: Option<u64>,
    /// True if an exact cancellation is −0.
    cancels_to_negative: bool,
}

impl Mode {
    /// The rounding of an operator's accumulator; `None` if the operator is no pair, or the derivation above does not
    /// cover its format and mode.
    pub(crate) fn new(operator: &Operator) -> Option<Mode> {
        let (_, format) = operator.formats()?;
        Mode::to(format, operator.rounding())
    }

    fn to(format: Format, rounding: Rounding) -> Option<Mode> {
        let precision = format.precision();
        let fits = format.signed()
            && format.subnormals() == Subnormals::Ieee
            && (2..=24).contains(&precision)
            && format.emin() > -300
            && within_binary32(format);
        if !fits {
            return None;
        }
        let dropped = 53 - precision;
        let below = (1 << dropped) - 1;
        let raise = match rounding {
            Rounding::NearestEven => return None,
            Rounding::NearestAway => Raise::Always(1 << (dropped - 1)),
            Rounding::TowardZero => Raise::Always(0),
            Rounding::TowardPositive => Raise::BySign([below, 0]),
            Rounding::TowardNegative => Raise::BySign([0, below]),
            Rounding::ToOdd => Raise::Odd,
            Rounding::Stochastic { variant, bits, .. } => {
                let extra = (variant != Stochastic::A) as u32;
                if bits + extra >= dropped {
                    return None;
                }
                let half = 1 << (dropped - bits - 1);
                Raise::Stochastic {
                    mask: (u32::MAX << (32 - bits)).into(),
                    half: if variant == Stochastic::A { 0 } else { half },
                    tie: (variant == Stochastic::C).then_some(32 - bits),
                }
            }
        };
        let how = Projection::new(rounding, Saturation::Overflow);
        let result = |value: Value| bits(decode(format, project(format, value, how).code));
        let huge = |negative| Value::Finite(Finite::new(negative, 1, 2000));
        let Value::Finite(largest) = decode(format, format.max_finite_code()) else { return None };
        let largest = largest.significand as f64 * power(largest.exponent as i32);
        let ulp = power(format.emax() + 1 - precision as i32);
        let least = power(format.emin() + 1 - precision as i32).to_bits();
        Some(Mode {
            dropped,
            normal: power(format.emin()).to_bits(),
            raise,
            bound: (largest + ulp).to_bits(),
            overflow: [result(huge(false)), result(huge(true))],
            infinite: [
                result(Value::Infinite { negative: false }),
                result(Value::Infinite { negative: true }),
            ],
            least: (!format.negative_zero()).then_some(least),
            cancels_to_negative: rounding == Rounding::TowardNegative,
        })
    }

    /// a · b + c rounded, where `word` has the random word in each lane's bits.
    #[inline(always)]
    pub(crate) fn multiply_add<F: Floats>(&self, a: F, b: F, c: F, word: F) -> F {
        let (a, b, c) = (a.widen(), b.widen(), c.widen());
        let splat = |bits: u64| a.splat_bits(bits);
        let sum = a.fma_odd(b, c);
        let magnitude = sum.and(splat(!SIGN));
        let normal = splat(self.normal);
        let low = magnitude.fma_odd(splat(ONE), normal);
        let line = magnitude.at_least(normal, magnitude, low);
        let below = (1u64 << self.dropped) - 1;
        let rounded = match self.raise {
            Raise::Always(raise) => line.add_bits(splat(raise)).and(splat(!below)),
            Raise::BySign([positive, negative]) => {
                let raise = sum.below_zero(splat(negative), splat(positive));
                line.add_bits(raise).and(splat(!below))
            }
            Raise::Odd => {
                let bit = line.and(splat(below)).add_bits(splat(below)).and(splat(below + 1));
                line.and(splat(!below)).or(bit)
            }
            Raise::Stochastic { mask, half, tie } => {
                let word = word.widen_bits();
                let top = word.and(splat(mask));
                let mut raise = match self.dropped {
                    32.. => top.shift_left(self.dropped - 32),
                    fewer => top.shift_right(32 - fewer),
                };
                if half != 0 {
                    raise = raise.add_bits(splat(half));
                }
                if let Some(places) = tie {
                    raise = raise.sub_bits(word.shift_right(places).and(splat(1)));
                }
                line.add_bits(raise).and(splat(!below))
            }
        };
        let rounded = magnitude.at_least(normal, rounded, rounded.sub(normal));
        let sign = sum.and(splat(SIGN));
        let mut result = rounded.or(sign);
        if let Some(least) = self.least {
            result = rounded.at_least(splat(least), result, rounded);
        }
        if self.cancels_to_negative && self.least.is_none() {
            // If one addend is zero, so is the other, or they cancel.
            let product = a.mul(b);
            let zero = rounded.or(product.or(c).and(splat(SIGN)));
            result = magnitude.at_least(splat(1), result, zero);
        }
        let by_sign = |[positive, negative]: [u64; 2]| sum.below_zero(splat(negative), splat(positive));
        result = rounded.at_least(splat(self.bound), by_sign(self.overflow), result);
        if self.infinite != self.overflow {
            result = magnitude.at_least(splat(INFINITY), by_sign(self.infinite), result);
        }
        F::narrowed(result).canonical()
    }
}

/// A value as binary64 bits, which hold it.
fn bits(value: Value) -> u64 {
    match value {
        Value::Nan { .. } => f64::NAN.to_bits(),
        Value::Infinite { negative } => INFINITY | (negative as u64) << 63,
        Value::Finite(x) => {
            let magnitude = x.significand as f64 * power(x.exponent as i32);
            magnitude.to_bits() | (x.negative as u64) << 63
        }
    }
}

/// Steps of a [`Mode`]; `DRAWS` if it is stochastic. Then parts 1 and 2 of a and b are words L and R of
/// [`binade::draws`], and their upper halves.
#[derive(Clone, Copy)]
pub(crate) struct Modal<const DRAWS: bool> {
    mode: Mode,
}

impl<const DRAWS: bool> Modal<DRAWS> {
    pub(crate) fn new(mode: Mode) -> Modal<DRAWS> {
        Modal { mode }
    }
}

/// The upper half of an addition's random word in the lower half of a lane, and the lower half.
#[inline(always)]
fn halves<F: Floats>(a: [F; 2], b: [F; 2]) -> [F; 2] {
    let lower = a[1].xor(b[1]);
    let factor = lower.or(lower.splat_bits(1));
    [a[0].xor(b[0]).mul_halves(factor), lower]
}

impl<const DRAWS: bool> Step for Modal<DRAWS> {
    const PARTS: usize = if DRAWS { 3 } else { 1 };
    const DRAWS: bool = DRAWS;

    #[inline(always)]
    fn step<F: Floats, const G: usize>(&self, a: &[[F; G]; 3], b: &[[F; G]; 3], c: &mut [F; G]) {
        for g in 0..G {
            let mut word = c[g];
            if DRAWS {
                let [upper, lower] = halves([a[1][g], a[2][g]], [b[1][g], b[2][g]]);
                word = upper.lower_half_up().or(lower);
            }
            c[g] = self.mode.multiply_add(a[0][g], b[0][g], c[g], word);
        }
    }
}

impl<const DRAWS: bool> Rule for Modal<DRAWS> {
    /// For modes without random bits. Tiles do not know the words of sums of sums.
    #[inline(always)]
    fn accumulate<F: Floats, const G: usize>(&self, x: &[F; G], c: &mut [F; G]) {
        let one = c[0].splat_bits(1f32.to_bits());
        for g in 0..G {
            c[g] = self.mode.multiply_add(x[g], one, c[g], c[g]);
        }
    }
}

/// Steps of an accumulator in BF16 under stochastic rounding A, on vectors that truncate in one instruction.
///
/// A binary32 sum truncated toward zero has the first 16 bits of the place between two BF16 numbers in its lower half.
/// Adding the upper half of the random word and clearing the lower half rounds, unless the lower half is all ones then.
/// There the bits that were cut off and the word's lower half decide, or the sum is beyond binary32's range. This
/// happens to an element in every 65536th step, and the steps of [`Mode`] compute it.
#[derive(Clone, Copy)]
pub(crate) struct Bf16Stochastic {
    mode: Mode,
    /// The bits of the word's upper half that take part.
    mask: u32,
}

impl Bf16Stochastic {
    /// The steps of a mode of a BF16 accumulator; `None` if it is not stochastic rounding A.
    pub(crate) fn new(mode: Mode, rounding: Rounding) -> Option<Bf16Stochastic> {
        let Rounding::Stochastic { variant: Stochastic::A, bits, .. } = rounding else { return None };
        Some(Bf16Stochastic { mode, mask: 0xffff << (16 - bits.min(16)) & 0xffff })
    }

    /// One lane by the steps of [`Mode`].
    fn resolve(&self, [a, b, c]: [f32; 3], words: u32) -> f32 {
        let word = Lane::of(f32::from_bits(mixed(words)));
        self.mode.multiply_add(Lane::of(a), Lane::of(b), Lane::of(c), word).get()
    }

    /// Computes those of these lanes whose rounded sum has a lower half of ones.
    #[cold]
    #[inline(never)]
    fn resolve_lanes(&self, [a, b, c, words, sums]: [&[f32]; 5], results: &mut [f32]) {
        for lane in 0..results.len() {
            if sums[lane].to_bits() & 0xffff == 0xffff {
                results[lane] = self.resolve([a[lane], b[lane], c[lane]], words[lane].to_bits());
            }
        }
    }
}

impl Step for Bf16Stochastic {
    const PARTS: usize = 3;
    const DRAWS: bool = true;

    #[inline(always)]
    fn step<F: Floats, const G: usize>(&self, a: &[[F; G]; 3], b: &[[F; G]; 3], c: &mut [F; G]) {
        let (mask, upper) = (c[0].splat_bits(self.mask), c[0].splat_bits(0xffff_0000));
        let (before, mut sums) = (*c, *c);
        let mut full = false;
        for g in 0..G {
            let [random, _] = halves([a[1][g], a[2][g]], [b[1][g], b[2][g]]);
            sums[g] = a[0][g].fma_zero(b[0][g], c[g]).add_bits(random.and(mask));
            full |= sums[g].any_lower_half_full();
            c[g] = sums[g].and(upper);
        }
        if full {
            for g in 0..G {
                let mut lanes = [[0.0; 16]; 6];
                let words = a[1][g].xor(b[1][g]);
                for (lanes, vector) in
                    lanes.iter_mut().zip([a[0][g], b[0][g], before[g], words, sums[g], c[g]])
                {
                    // SAFETY: vectors have at most 16 lanes.
                    unsafe { vector.store(lanes.as_mut_ptr()) };
                }
                let [a, b, c_before, words, sums, results] = &mut lanes;
                self.resolve_lanes(
                    [a, b, c_before, words, sums].map(|lanes| &lanes[..F::LANES]),
                    &mut results[..F::LANES],
                );
                // SAFETY: the array has a vector's lanes, and the machine its instructions, since the vectors exist.
                c[g] = unsafe { F::load(results.as_ptr()) };
            }
        }
    }
}

impl Rule for Bf16Stochastic {
    /// Never called: sums of sums have words that tiles do not know.
    #[inline(always)]
    fn accumulate<F: Floats, const G: usize>(&self, x: &[F; G], c: &mut [F; G]) {
        let one = c[0].splat_bits(1f32.to_bits());
        for g in 0..G {
            c[g] = self.mode.multiply_add(x[g], one, c[g], c[g].splat_bits(0));
        }
    }
}
