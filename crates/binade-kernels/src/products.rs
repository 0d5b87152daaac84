//! Multiplication and division by one number, for formats to which the results are rounded next: reports products close
//! to ties, and places quotients on the right side of ties.

use binade::Format;
use binade_simd::lanes::Leg;
use binade_simd::{Environment, Isa, Kernel};

use crate::values::widen_bfloat16;

/// A product within this many units in the last place of a tie counts as close to it.
const NEAR: u32 = 4;

/// Multiplies numbers by one number, each rounded to binary32. Returns true if a product may be on another side of a
/// tie of the format than the exact product with the number from which `by` was rounded. That is so if the product is
/// within four units in the last place of a tie, or is neither 0 nor normal. The format must have at most 22 bits of
/// precision.
///
/// ```
/// use binade::Spec;
/// use binade_simd::Isa;
/// let e4m3 = "float8_e4m3fn".parse::<Spec>().unwrap().format;
/// let mut numbers = [1.0, 1.01];
/// assert!(!binade_kernels::multiply(Isa::detect(), &mut numbers, 3.0, &e4m3));
/// assert_eq!(numbers, [3.0, 3.03]);
/// // 1.0625 is between two numbers of four bits.
/// assert!(binade_kernels::multiply(Isa::detect(), &mut [1.0625], 1.0, &e4m3));
/// ```
#[must_use]
pub fn multiply(isa: Isa, numbers: &mut [f32], by: f32, format: &Format) -> bool {
    isa.run(Multiply { numbers, by, ties: Ties::of(format) })
}

/// The ties between two numbers of a format, among binary32's words.
#[derive(Clone, Copy)]
struct Ties {
    /// A tie has one bit more than the numbers beside it: it is an odd multiple of `step`, or below `normal` possibly
    /// an even one.
    step: u32,
    normal: u32,
}

impl Ties {
    fn of(format: &Format) -> Ties {
        let normal = ((format.emin() + 127).clamp(1, 254) as u32) << 23;
        Ties { step: 1 << (23 - format.precision().min(22)), normal }
    }

    /// True if a magnitude is within [`NEAR`] units of a tie.
    #[inline(always)]
    fn near(self, magnitude: u32) -> bool {
        let above = magnitude.wrapping_add(NEAR).wrapping_sub(self.step);
        // Below the smallest normal number, and four units around it: odd and even multiples.
        let period = if magnitude < self.normal + NEAR { self.step } else { 2 * self.step };
        above & (period - 1) <= 2 * NEAR
    }
}

/// Numbers that binary32 represents: `f32`, or the bits of a bfloat16.
pub trait Single: Copy {
    /// The number.
    fn single(self) -> f32;
}

impl Single for f32 {
    #[inline(always)]
    fn single(self) -> f32 {
        self
    }
}

impl Single for u16 {
    #[inline(always)]
    fn single(self) -> f32 {
        f32::from_bits(widen_bfloat16(self))
    }
}

/// Computes quotients by a positive number that a format rounds as it rounds the exact quotients. They are products
/// with the reciprocal; near a tie, a number on the same side of the tie as the exact quotient. The format must have at
/// most 22 bits of precision, and `quotients` the length of `numbers`. Returns false, with unspecified quotients, if
/// this is not guaranteed: if the divisor is far from 1, or the format has numbers below 2^−60.
///
/// ```
/// use binade::Spec;
/// use binade_simd::Isa;
/// let e4m3 = "float8_e4m3fn".parse::<Spec>().unwrap().format;
/// let mut quotients = [0.0; 3];
/// // 1.0625 is between two numbers of four bits.
/// assert!(binade_kernels::divide(Isa::detect(), &[3.0 * 1.0625, 3.1875002, 3.1875], 3.0, &e4m3, &mut quotients));
/// assert!(quotients[0] == 1.0625 && quotients[1] > 1.0625 && quotients[2] == 1.0625);
/// ```
#[must_use]
pub fn divide<T: Single>(isa: Isa, numbers: &[T], by: f32, format: &Format, quotients: &mut [f32]) -> bool {
    const FAR: i32 = 60;
    const LEAST: f32 = f32::from_bits((127 - FAR as u32) << 23);
    const MOST: f32 = f32::from_bits((127 + FAR as u32) << 23);
    if !(LEAST..=MOST).contains(&by) || format.emin() - (format.precision() as i32) < -FAR {
        return false;
    }
    let _environment = Environment::enter();
    isa.run(Divide { numbers, by, ties: Ties::of(format), quotients });
    true
}

struct Multiply<'a> {
    numbers: &'a mut [f32],
    by: f32,
    ties: Ties,
}

impl Kernel for Multiply<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Leg>(self, _: L) -> bool {
        let Multiply { numbers, by, ties } = self;
        let mut doubtful = 0u32;
        for x in numbers {
            *x *= by;
            let magnitude = x.to_bits() & 0x7fff_ffff;
            let known = magnitude.wrapping_sub(1 << 23) < 0x7f00_0000;
            doubtful |= ((magnitude != 0) & (ties.near(magnitude) | !known)) as u32;
        }
        doubtful != 0
    }
}

struct Divide<'a, T> {
    numbers: &'a [T],
    by: f32,
    ties: Ties,
    quotients: &'a mut [f32],
}

impl<T: Single> Kernel for Divide<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        let Divide { numbers, by, ties, quotients } = self;
        let reciprocal = (1.0 / by as f64) as f32;
        // Small chunks, so that little is recomputed if one quotient is close to a tie.
        for (numbers, quotients) in numbers.chunks(64).zip(quotients.chunks_mut(64)) {
            let mut beside = 0u32;
            for (quotient, x) in quotients.iter_mut().zip(numbers) {
                *quotient = x.single() * reciprocal;
                let magnitude = quotient.to_bits() & 0x7fff_ffff;
                beside |= ((magnitude != 0) & ties.near(magnitude)) as u32;
            }
            if beside == 0 {
                continue;
            }
            for (quotient, x) in quotients.iter_mut().zip(numbers) {
                let word = quotient.to_bits();
                let magnitude = word & 0x7fff_ffff;
                // The errors of the reciprocal and of the product together are below two units. The tie has so few bits
                // that one rounding does not change the sign of the difference between the number and the tie's
                // multiple; nor does it underflow.
                let tie = magnitude.wrapping_add(NEAR) & !(ties.step - 1);
                let rest =
                    (-f32::from_bits(tie)).mul_add(by, f32::from_bits(x.single().to_bits() & 0x7fff_ffff));
                let side = tie.wrapping_add((rest > 0.0) as u32).wrapping_sub((rest < 0.0) as u32);
                let beside = (magnitude != 0) & ties.near(magnitude);
                *quotient = f32::from_bits(if beside { side | word & (1 << 31) } else { word });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_doubtful_only_near_ties() {
        let near = |x: f32, steps: i32| f32::from_bits(x.to_bits().wrapping_add_signed(steps));
        let e4m3 = "float8_e4m3fn".parse::<binade::Spec>().unwrap().format;
        for isa in Isa::available() {
            let doubts = |x: f32| multiply(isa, &mut [[1.01; 40].as_slice(), &[x]].concat(), 1.0, &e4m3);
            // Between two numbers of four bits, between two subnormal numbers, and between 0 and the smallest.
            for tie in [1.0625f32, -1.0625, 1.5 * 2f32.powi(-9), 2f32.powi(-10)] {
                assert!([-4, 0, 4].iter().all(|&steps| doubts(near(tie, steps))), "{isa} {tie}");
                assert!([-5, 5].iter().all(|&steps| !doubts(near(tie, steps))), "{isa} {tie}");
            }
            assert!([0.0, -0.0, 448.0, -1.125].iter().all(|&x| !doubts(x)), "{isa}");
            assert!([f32::INFINITY, f32::NAN, 1e-40].iter().all(|&x| doubts(x)), "{isa}");
        }
    }

    /// Quotients round as the exact ones do: all bfloat16 significands over divisors that make ties, and their
    /// neighbours.
    #[test]
    fn quotients_round_as_exact_quotients() {
        use binade::{Datum, Projection, catalog::F32, ops};
        let mut random = binade::philox::Stream::new(5);
        for name in ["float8_e4m3fn", "float8_e5m2", "float6_e2m3fn"] {
            let format = name.parse::<binade::Spec>().unwrap().format;
            let exact = |x: f32| Datum::new(F32, x.to_bits() as u64).unwrap();
            let code = |x: f32| binade::project(format, exact(x).value(), Projection::default()).code;
            for round in 0..60 {
                let word = random.word();
                // Few bits, or all.
                let significand = if round % 2 == 0 { word & 0x78_0000 } else { word & 0x7f_ffff };
                let by = f32::from_bits((120 + word % 9) << 23 | significand);
                let mut numbers: Vec<f32> = (0..256)
                    .map(|_| {
                        let word = random.word();
                        // A tie's multiple, or a neighbour of it; or any number.
                        let tie = (word % 64) as f32 / 16.0 * 2f32.powi((word >> 8) as i32 % 8 - 6);
                        let beside = (tie * by)
                            .to_bits()
                            .saturating_add(word >> 16 & 1)
                            .saturating_sub(word >> 17 & 1);
                        let any = f32::from_bits((120 + word % 11) << 23 | random.word() & 0x7f_ffff);
                        (if word >> 18 & 1 == 0 { f32::from_bits(beside) } else { any })
                            .copysign(word as i32 as f32)
                    })
                    .collect();
                numbers.extend([0.0, -0.0, 1e-45, -1e-40]);
                let halves: Vec<u16> = numbers.iter().map(|x| (x.to_bits() >> 16) as u16).collect();
                for isa in Isa::available() {
                    let mut quotients = vec![1.0; numbers.len()];
                    assert!(divide(isa, &numbers, by, &format, &mut quotients));
                    let of = |x: f32| ops::divide(exact(x), exact(by), format, Projection::default()).code;
                    for (x, quotient) in numbers.iter().zip(&quotients) {
                        assert_eq!(code(*quotient), of(*x), "{name} {isa} {x:e} {by:e} {quotient:e}");
                    }
                    assert!(divide(isa, &halves, by, &format, &mut quotients));
                    for (x, quotient) in halves.iter().zip(&quotients) {
                        assert_eq!(code(*quotient), of(x.single()), "{name} {isa} {x:x} {by:e}");
                    }
                }
            }
            assert!(!divide(Isa::PORTABLE, &[1.0f32], 1e-30, &format, &mut [0.0]));
        }
        assert!(!divide(Isa::PORTABLE, &[1.0f32], 1.0, &binade::catalog::BF16, &mut [0.0]));
    }

    /// A product that is not reported rounds as the exact product does.
    #[test]
    fn undoubted_products_round_as_exact_products() {
        use binade::{Projection, catalog::F64, decode, project};
        let mut random = binade::philox::Stream::new(9);
        for name in ["float8_e4m3fn", "float8_e5m2", "f16", "bf16"] {
            let format = name.parse::<binade::Spec>().unwrap().format;
            let code = |x: f64| project(format, decode(F64, x.to_bits()), Projection::default()).code;
            for _ in 0..20_000 {
                let x = f32::from_bits((random.word() % 24 + 112) << 23 | (random.word() & 0x7f) << 16);
                // A divisor of few bits makes ties.
                let divisor = 1.0 + (random.word() % 64) as f64 / 64.0;
                let mut product = [x];
                if !multiply(Isa::detect(), &mut product, (1.0 / divisor) as f32, &format) {
                    assert_eq!(code(product[0] as f64), code(x as f64 / divisor), "{name} {x:e} {divisor}");
                }
            }
        }
    }
}
