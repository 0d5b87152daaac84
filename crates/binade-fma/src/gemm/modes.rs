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
//! | random | 2^D − 1 if the word's highest bit is set, otherwise 0 |
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
    /// K if the word's highest bit is set, otherwise 0.
    Random(u64),
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
            Rounding::Stochastic { variant: Stochastic::Random, .. } => Raise::Random(below),
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
            Raise::Random(raise) => {
                let is_up = word.widen_bits().and(splat(u32::MAX.into())).shift_right(31);
                line.add_bits(splat(0).sub_bits(is_up).and(splat(raise))).and(splat(!below))
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

/// Steps of a stochastic accumulator in binary32 lanes, on vectors that truncate in one instruction.
///
/// Let t be the sum truncated toward zero to binary32, and D = 24 − P here. Below the smallest normal number 2^e, the
/// line is |t| + 2^e, truncated again; elsewhere it is |t|. Units of binary32 numbers are nested, so the line is |s| or
/// |s| + 2^e truncated once. Its last D bits are the place between two neighbours. The first d = min(D, 16) of these bits
/// are an integer T, in units of 2^−d. What follows them is less than a unit.
///
/// The upper half of the word gives an integer k with k ≤ K ≤ k + 1, in the same units:
///
/// | variant, N bits R | k for N < d | k for N ≥ d |
/// |---|---|---|
/// | A | R · 2^(d − N) | ⌊R · 2^(d − N)⌋ |
/// | B | R · 2^(d − N) + 2^(d − N − 1) | ⌊R · 2^(d − N)⌋ |
/// | C | R · 2^(d − N) + 2^(d − N − 1) − 1 | ⌊R · 2^(d − N)⌋ |
///
/// For odd R, variant C takes less off K than a unit, and less than half of R's last unit. So the sum rounds up if
/// T + k ≥ 2^d, and down if T + k ≤ 2^d − 2. In the one other case, and only then, the first d of the last D bits of
/// line + k are all ones. It happens about once in 2^d steps of an element, and the steps of [`Mode`] compute it.
///
/// A finite sum beyond binary32's range truncates to its largest number, whose last bits are ones. Adding k makes that
/// infinite, or k is 0 and the bits remain all ones.
///
/// `BF16` is for formats with D = 16 and binary32's exponents. Their subnormal numbers are binary32's, so the line is t
/// itself, with its sign. Its bits carry to infinity, and infinities and NaN stay what they are.
#[derive(Clone, Copy)]
pub(crate) struct Truncated<const BF16: bool> {
    mode: Mode,
    constants: Constants,
}

/// The constants of [`Truncated`], as binary32 bits.
#[derive(Clone, Copy)]
struct Constants {
    /// The last D bits, and the first d of them.
    below: u32,
    full: u32,
    /// The rotation that moves the upper half of the word to the first of the last D bits, and the bits of R there.
    turn: u32,
    random: u32,
    /// The part of k beyond the bits of R.
    half: u32,
    /// As in [`Mode`]. `least` is 0 for formats with −0.
    normal: u32,
    bound: u32,
    overflow: u32,
    least: u32,
}

/// The steps of [`Truncated`] that suit a mode.
#[derive(Clone, Copy)]
pub(crate) enum AnyTruncated {
    Bf16(Truncated<true>),
    Other(Truncated<false>),
}

impl AnyTruncated {
    /// The steps of a mode; `None` if it is not stochastic, if so few bits are dropped that [`Mode`] would often be
    /// asked, or if the derivation does not cover the format. `random` would ask it at each exact sum.
    pub(crate) fn new(mode: Mode, rounding: Rounding) -> Option<AnyTruncated> {
        const LEAST_NORMAL: f64 = f32::MIN_POSITIVE as f64;
        let Rounding::Stochastic { variant, bits, .. } = rounding else { return None };
        if variant == Stochastic::Random {
            return None;
        }
        // The last 29 bits of binary64 are beyond binary32.
        let dropped = mode.dropped.checked_sub(29).filter(|dropped| (10..=22).contains(dropped))?;
        let of = |bits: u64| f64::from_bits(bits);
        let [positive, negative] = mode.overflow.map(of);
        let symmetric = positive.is_nan() && negative.is_nan() || positive == -negative;
        if of(mode.normal) < LEAST_NORMAL || !symmetric || mode.infinite != mode.overflow {
            return None;
        }
        let kept = dropped.min(16);
        let unit = 1u32 << (dropped - kept);
        let taken = bits.min(kept);
        let half = match variant {
            Stochastic::B | Stochastic::C if bits < kept => 1 << (dropped - bits - 1),
            _ => 0,
        };
        let less = if variant == Stochastic::C && bits < kept { unit } else { 0 };
        let below = (1u32 << dropped) - 1;
        let narrow = |bits: u64| (of(bits) as f32).to_bits();
        let constants = Constants {
            below,
            full: below & unit.wrapping_neg(),
            turn: dropped.wrapping_sub(16) % 32,
            random: ((1 << taken) - 1) << (dropped - taken),
            half: half - less,
            normal: narrow(mode.normal),
            bound: narrow(mode.bound),
            overflow: narrow(mode.overflow[0]),
            least: mode.least.map_or(0, narrow),
        };
        let is_bf16 = dropped == 16
            && of(mode.normal) == LEAST_NORMAL
            && constants.bound == f32::INFINITY.to_bits()
            && constants.overflow == f32::INFINITY.to_bits()
            && constants.least == 0;
        Some(match is_bf16 {
            true => AnyTruncated::Bf16(Truncated { mode, constants }),
            false => AnyTruncated::Other(Truncated { mode, constants }),
        })
    }
}

impl<const BF16: bool> Truncated<BF16> {
    /// One lane by the steps of [`Mode`].
    fn resolve(&self, [a, b, c]: [f32; 3], words: u32) -> f32 {
        let word = Lane::of(f32::from_bits(mixed(words)));
        self.mode.multiply_add(Lane::of(a), Lane::of(b), Lane::of(c), word).get()
    }

    /// Computes those of these lanes whose sum of the line and k is all ones where that decides nothing.
    #[cold]
    #[inline(never)]
    fn resolve_lanes(&self, [a, b, c, words, sums]: [&[f32]; 5], results: &mut [f32]) {
        let full = self.constants.full;
        for lane in 0..results.len() {
            if sums[lane].to_bits() & full == full {
                results[lane] = self.resolve([a[lane], b[lane], c[lane]], words[lane].to_bits());
            }
        }
    }

    #[inline(always)]
    fn any_full<F: Floats>(&self, sum: F) -> bool {
        if BF16 { sum.any_lower_half_full() } else { sum.any_full(self.constants.full) }
    }
}

impl<const BF16: bool> Step for Truncated<BF16> {
    const PARTS: usize = 3;
    const DRAWS: bool = true;

    #[inline(always)]
    fn step<F: Floats, const G: usize>(&self, a: &[[F; G]; 3], b: &[[F; G]; 3], c: &mut [F; G]) {
        let Constants { below, turn, random, half, normal, bound, overflow, least, .. } = self.constants;
        let like = c[0];
        let splat = |bits: u32| like.splat_bits(bits);
        let (before, mut sums) = (*c, *c);
        let mut full = false;
        for g in 0..G {
            let [upper, _] = halves([a[1][g], a[2][g]], [b[1][g], b[2][g]]);
            let turned = if BF16 { upper } else { upper.rotate_left(turn) };
            let raise = turned.and(splat(random)).or(splat(half));
            let sum = a[0][g].fma_zero(b[0][g], c[g]);
            if BF16 {
                sums[g] = sum.add_bits(raise);
                c[g] = sums[g].and(splat(!below));
            } else {
                let sign = splat(1 << 31);
                let magnitude = sum.and(splat(!(1 << 31)));
                let start = magnitude.not_below(splat(normal), splat(0), splat(normal));
                let line = magnitude.fma_zero(splat(1f32.to_bits()), start);
                sums[g] = line.add_bits(raise);
                let rounded = sums[g].and(splat(!below)).sub(start);
                let result = rounded.not_below(splat(bound), splat(overflow), rounded);
                // NaN has no sign, and neither has 0 in a format without −0.
                c[g] = result.not_below(splat(least), result.or(sum.and(sign)), result);
            }
            full |= self.any_full(sums[g]);
        }
        if full {
            for g in 0..G {
                if !self.any_full(sums[g]) {
                    continue;
                }
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

    #[inline(always)]
    fn end<F: Floats>(&self, c: F, _steps: usize) -> F {
        // Other steps leave canonical NaNs.
        if BF16 { c.canonical() } else { c }
    }
}

impl<const BF16: bool> Rule for Truncated<BF16> {
    /// Never called: sums of sums have words that tiles do not know.
    #[inline(always)]
    fn accumulate<F: Floats, const G: usize>(&self, x: &[F; G], c: &mut [F; G]) {
        let one = c[0].splat_bits(1f32.to_bits());
        for g in 0..G {
            c[g] = self.mode.multiply_add(x[g], one, c[g], c[g].splat_bits(0));
        }
    }
}

#[cfg(test)]
mod tests {
    use binade::NanCodes;
    use binade::philox::Stream;

    use super::*;

    /// x with `mixed(x) == word`.
    fn unmixed(word: u32) -> u32 {
        let high = word & 0xffff;
        // Newton's iteration for the inverse of an odd number: every round doubles its correct bits.
        let odd = high | 1;
        let inverse = (0..5).fold(1u32, |x, _| x.wrapping_mul(2u32.wrapping_sub(odd.wrapping_mul(x))));
        let x = high << 16 | (word >> 16).wrapping_mul(inverse) & 0xffff;
        assert_eq!(mixed(x), word);
        x
    }

    fn step_by(steps: impl Step, x: u32, [a, b, c]: [f32; 3]) -> f32 {
        let zero = [Lane::of(0.0)];
        let words = [x, x >> 16].map(|bits| [Lane::of(f32::from_bits(bits))]);
        let mut sum = [Lane::of(c)];
        steps.step(&[[Lane::of(a)], words[0], words[1]], &[[Lane::of(b)], zero, zero], &mut sum);
        steps.end(sum[0], 1).get()
    }

    fn truncated_step(steps: AnyTruncated, x: u32, numbers: [f32; 3]) -> f32 {
        match steps {
            AnyTruncated::Bf16(steps) => step_by(steps, x, numbers),
            AnyTruncated::Other(steps) => step_by(steps, x, numbers),
        }
    }

    /// Numbers of a step: special ones, or a sum anywhere from below the format's smallest number to overflow.
    fn numbers(random: &mut Stream, format: Format) -> [f32; 3] {
        let scale = |by: i32| power(by) as f32;
        if random.below(8) == 0 {
            return [0; 3].map(|_| {
                let sign = (random.below(2) as u32) << 31;
                let x = match random.below(10) {
                    0 => f32::from_bits(sign),
                    1 => f32::from_bits(sign | f32::INFINITY.to_bits()),
                    2 => f32::NAN,
                    3 => f32::from_bits(sign | f32::MAX.to_bits()),
                    4 => f32::from_bits(sign | random.below(1 << 23) as u32),
                    _ => f32::from_bits(random.word()),
                };
                // Payloads of NaN are gone before steps, and operators without NaN take finite numbers.
                match format.nan() {
                    NanCodes::None if !x.is_finite() => 1.0,
                    _ if x.is_nan() => f32::NAN,
                    _ => x,
                }
            });
        }
        let (low, high) = (format.emin() - format.precision() as i32 - 2, format.emax() + 1);
        let exponent = match random.below(4) {
            0 => low + random.below(14) as i32,
            1 => high - random.below(3) as i32,
            _ => low + random.below((high - low) as usize) as i32,
        };
        let coarse = random.below(1 << format.precision()) as f32 * scale(1 - format.precision() as i32);
        let sign = [1.0, -1.0][random.below(2)];
        let c = sign * (1.0 + coarse) * scale(exponent.clamp(-149, 126));
        let near = (exponent - random.below(50) as i32).clamp(-149, 127);
        let a = [1.0, -1.0, 1.5, 1.0 + f32::EPSILON][random.below(4)] * scale(near);
        [a, [1.0, random.unit(), 1.0 - f32::EPSILON, 0.5][random.below(4)], c]
    }

    /// Numbers whose T + k is 2^d − 1 for this word, or one more or less, and what is beyond those bits.
    fn near_ones(random: &mut Stream, operator: &Operator, word: u32) -> [f32; 3] {
        let (_, format) = operator.formats().unwrap();
        let Rounding::Stochastic { variant, bits, .. } = operator.rounding() else { unreachable!() };
        let dropped = 24 - format.precision();
        let kept = dropped.min(16);
        // K in units of 2^−48.
        let drawn = u64::from(word >> (32 - bits));
        let half = if variant == Stochastic::A { 0 } else { 1 << (47 - bits) };
        let raise = (drawn << (48 - bits)) + half - u64::from(variant == Stochastic::C && drawn % 2 == 1);
        let raise = (raise >> (48 - kept)) as u32;
        let place = ((1u32 << kept) - 2 + random.below(3) as u32).wrapping_sub(raise) % (1 << kept);
        let rest = [0, u32::MAX, random.word()][random.below(3)] % (1 << (dropped - kept));
        let leading = random.below(1 << (format.precision() - 1)) as u32;
        let significand = 1 << 23 | leading << dropped | place << (dropped - kept) | rest;
        let exponents = (format.emax() + 1 - format.emin()) as usize;
        // The first of these is the line of a number below the smallest normal one.
        let at = [0, 0, 1, 1 + random.below(exponents), exponents][random.below(5)] as i32;
        let exponent = (format.emin() - 24 + at.max(1)).min(104);
        let significand = if at == 0 { significand - (1 << 23) } else { significand };
        let c = (f64::from(significand) * power(exponent)) as f32;
        let tiny = power((exponent - random.below(80) as i32).max(-149)) as f32;
        let product = [0.0, tiny, -tiny, random.unit() * tiny][random.below(4)];
        let sign = [1.0, -1.0][random.below(2)];
        [product, sign, sign * c]
    }

    #[test]
    fn truncated_steps_equal_the_definition() {
        let formats = [
            "f16",
            "bf16",
            "tf32",
            "float8_e4m3fn",
            "float8_e5m2",
            "float8_e4m3fnuz",
            "binary16p8sf",
            "cfloat8_1_4_3@bias=10",
            "float6_e2m3fn",
        ];
        let mut random = Stream::new(12);
        let mut covered = [0; 2];
        for name in formats {
            for variant in ["a", "b", "c"] {
                for bits in [1, 2, 3, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 19, 20, 21, 24, 27, 30, 31, 32] {
                    let text = format!("f32:{name}/rounding=stochastic_{variant}:{bits}");
                    let operator: Operator = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
                    let Some(mode) = Mode::new(&operator) else { continue };
                    let Some(steps) = AnyTruncated::new(mode, operator.rounding()) else { continue };
                    let (_, format) = operator.formats().unwrap();
                    covered[match steps {
                        AnyTruncated::Bf16(_) => 0,
                        AnyTruncated::Other(_) => 1,
                    }] += 1;
                    for round in 0..2000 {
                        let word = match random.below(3) {
                            0 => [0, u32::MAX, 1 << 31, u32::MAX << 16, 0xffff, i32::MAX as u32]
                                [random.below(6)],
                            _ => random.word(),
                        };
                        let numbers = match round % 2 {
                            0 => numbers(&mut random, format),
                            _ => near_ones(&mut random, &operator, word),
                        };
                        let found = truncated_step(steps, unmixed(word), numbers);
                        let [a, b, c] = numbers;
                        let expected = operator.multiply_add_drawn(word, a, b, c);
                        let expected = if expected.is_nan() { f32::NAN } else { expected };
                        assert_eq!(
                            found.to_bits(),
                            expected.to_bits(),
                            "{text}: {numbers:?}, word {word:#x}: {found:e}, defined as {expected:e}"
                        );
                    }
                }
            }
        }
        // Every kind of steps was tried, and BF16 with all variants and numbers of bits.
        assert!(covered[0] == 63 && covered[1] > 300, "{covered:?}");
    }

    /// Tiles of one step on every leg with AVX-512. A column has a word, and most sums in it are near those that it
    /// does not decide.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn tiles_of_truncated_steps_equal_the_definition() {
        let mut random = Stream::new(13);
        for isa in binade_simd::Isa::available().filter(|isa| isa.has_avx512()) {
            for name in ["f16", "bf16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz"] {
                for mode in ["a:1", "a:8", "a:13", "a:32", "b:4", "b:32", "c:3", "c:12", "c:15", "c:32"] {
                    let operator: Operator =
                        format!("f32:{name}/rounding=stochastic_{mode}").parse().unwrap();
                    let (_, format) = operator.formats().unwrap();
                    let mode = Mode::new(&operator).unwrap();
                    let steps = AnyTruncated::new(mode, operator.rounding()).unwrap();
                    let kernel = super::super::select::truncated_kernel(steps, isa);
                    let (rows, columns) = (kernel.rows(), kernel.columns());
                    for _ in 0..100 {
                        let words: Vec<u32> = (0..columns).map(|_| random.word()).collect();
                        let (mut a, mut b) = (vec![], vec![0; 3 * columns]);
                        for _ in 0..rows {
                            let x = [1.0, -1.0, 1.0, -1.0, numbers(&mut random, format)[0]][random.below(5)];
                            a.extend([f32::to_bits(x), 0, 0]);
                        }
                        let mut sums = vec![0.0; rows * columns];
                        for (column, &word) in words.iter().enumerate() {
                            let at = column / kernel.lanes() * 3 * kernel.lanes() + column % kernel.lanes();
                            b[at] = near_ones(&mut random, &operator, word)[0].to_bits();
                            b[at + kernel.lanes()] = unmixed(word);
                            b[at + 2 * kernel.lanes()] = unmixed(word) >> 16;
                            for row in 0..rows {
                                sums[row * columns + column] = match random.below(4) {
                                    0 => numbers(&mut random, format)[2],
                                    _ => near_ones(&mut random, &operator, word)[2],
                                };
                            }
                        }
                        let before = sums.clone();
                        // SAFETY: A, B and C have the sizes of one step of a tile.
                        unsafe { kernel.run(true, 1, a.as_ptr(), b.as_ptr(), sums.as_mut_ptr()) };
                        for (at, (&found, &c)) in sums.iter().zip(&before).enumerate() {
                            let (row, column) = (at / columns, at % columns);
                            let place =
                                column / kernel.lanes() * 3 * kernel.lanes() + column % kernel.lanes();
                            let [x, y] = [a[3 * row], b[place]].map(f32::from_bits);
                            let expected = operator.multiply_add_drawn(words[column], x, y, c);
                            assert!(
                                found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan(),
                                "{operator} {isa:?}: {x:?} * {y:?} + {c:?}, word {:#x}: {found:e}, defined as {expected:e}",
                                words[column]
                            );
                        }
                    }
                }
            }
        }
    }
}
