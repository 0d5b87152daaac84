//! The complementary error function of binary32, many numbers at a time, for `chlo.erfc`.
//!
//! It is defined as `libm::erfc` in binary64, rounded. A loop without branches computes it to a relative error below
//! [`ERROR`]: erfc x = e^(−x²) · P(x) / Q(x) for x ≥ 0, with polynomials P and Q, and 2 − erfc(−x) for x < 0.
//!
//! The defined value is in an interval around the computed one. If both ends of the interval round to the same number,
//! that is the result. For the few other numbers, and for NaN, `libm::erfc` is called.

use binade_simd::Kernel;
use binade_simd::lanes::Leg;

use super::instruction_set::ISA;

/// The bound of the relative error: 2^−38.5 for the quotient and the exponential, a few roundings, and libm's error.
/// Fewer than one number in 2^12 then needs libm, which costs less than a smaller bound would.
const ERROR: f64 = 1.0 / (1u64 << 38) as f64;

/// For larger x every result rounds to +0, and for smaller −x to 2.
const FAR: f64 = 12.0;

/// The polynomials P and Q of e^(x²) erfc x = P(x) / Q(x) for 0 ≤ x ≤ 12, and E of e^r for |r| ≤ ln 2 / 2.
///
/// Coefficients are from the highest power down. `scripts/fit_elementary.py` of binade-kernels prints them from the
/// lowest power up. The relative errors of the quotient and of E are below 2^−39.1 and 2^−40.2.
const P: [f64; 7] = [
    0.0029879317769064416,
    0.03462453197884313,
    0.1909897496037212,
    0.6299956507664326,
    1.3068113931194947,
    1.6321338717790146,
    1.0000000000022087,
];
const Q: [f64; 8] = [
    0.0052959707444570694,
    0.061370412289390705,
    0.34116774166820285,
    1.147336201532727,
    2.482729422419713,
    3.4217167881057695,
    2.760513039217491,
    1.0,
];
const E: [f64; 9] = [
    2.472732964918348e-05,
    0.00019915436352745773,
    0.0013889178436063223,
    0.008333267002813068,
    0.04166666422240339,
    0.1666666688554574,
    0.5000000000616525,
    0.9999999999806468,
    0.9999999999997581,
];

/// `out[i] = erfc x[i]`.
pub(crate) fn erfc(x: &[f32], out: &mut [f32]) {
    ISA.run(Erfc { x, out });
}

struct Erfc<'a> {
    x: &'a [f32],
    out: &'a mut [f32],
}

/// The numbers that pass through each step of [`Steps::near`] at once.
const TOGETHER: usize = 64;

impl Kernel for Erfc<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        let Erfc { x, out } = self;
        let mut steps = Steps { magnitude: [0.0; TOGETHER], power: [0.0; TOGETHER], result: [0.0; TOGETHER] };
        for (x, out) in x.chunks(TOGETHER).zip(out.chunks_mut(TOGETHER)) {
            steps.near(x);
            let mut doubts = 0;
            for ((out, result), x) in out.iter_mut().zip(&steps.result).zip(x) {
                *out = low(*result);
                doubts |= doubt(*result, *x);
            }
            if doubts != 0 {
                for ((out, result), &x) in out.iter_mut().zip(&steps.result).zip(x) {
                    if doubt(*result, x) != 0 {
                        *out = libm::erfc(x as f64) as f32;
                    }
                }
            }
        }
    }
}

/// The lower end of the interval around a result, rounded.
#[inline(always)]
fn low(result: f64) -> f32 {
    (result * (1.0 - ERROR)) as f32
}

/// Nonzero for NaN, and if the upper end of the interval rounds to another number.
#[inline(always)]
fn doubt(result: f64, x: f32) -> u32 {
    let high = (result * (1.0 + ERROR)) as f32;
    low(result).to_bits() ^ high.to_bits() | u32::from(x.is_nan())
}

/// The state between steps. Each step is a loop over all numbers, whose constants fit into 16 registers. The loops are
/// short, so that a processor overlaps many numbers. A single long loop would wait for each number's chain of dependent
/// operations.
struct Steps {
    magnitude: [f64; TOGETHER],
    power: [f64; TOGETHER],
    result: [f64; TOGETHER],
}

impl Steps {
    /// Computes results with an error below [`ERROR`].
    #[inline(always)]
    fn near(&mut self, x: &[f32]) {
        use std::f64::consts::{LN_2, LOG2_E};
        /// Adding this constant rounds a number to an integer in the low bits.
        const SHIFT: f64 = 1.5 * (1u64 << 52) as f64;
        let Steps { magnitude, power, result } = self;
        let (magnitude, power, result) =
            (&mut magnitude[..x.len()], &mut power[..x.len()], &mut result[..x.len()]);
        for (((x, magnitude), power), result) in
            x.iter().zip(&mut *magnitude).zip(&mut *power).zip(&mut *result)
        {
            let x = *x as f64;
            *magnitude = if x.abs() > FAR { FAR } else { x.abs() };
            // The square of a binary32 number is exact.
            let square = *magnitude * *magnitude;
            let shifted = square.mul_add(-LOG2_E, SHIFT);
            let n = shifted - SHIFT;
            *power = n.mul_add(-LN_2, -square);
            *result = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
        }
        for (result, &power) in result.iter_mut().zip(&*power) {
            *result *= polynomial(&E, power);
        }
        for (result, &magnitude) in result.iter_mut().zip(&*magnitude) {
            *result *= polynomial(&P, magnitude);
        }
        for (result, &magnitude) in result.iter_mut().zip(&*magnitude) {
            *result /= polynomial(&Q, magnitude);
        }
        for (result, x) in result.iter_mut().zip(x) {
            *result = if *x < 0.0 { 2.0 - *result } else { *result };
        }
    }
}

#[inline(always)]
fn polynomial<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    let mut sum = coefficients[0];
    for &term in &coefficients[1..] {
        sum = sum.mul_add(x, term);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares numbers of every binade, and special numbers, with the definition.
    #[test]
    fn every_binade_equals_the_definition() {
        let mut x: Vec<f32> = (0..1u32 << 18).map(|at| f32::from_bits(at.wrapping_mul(16_411))).collect();
        // Numbers whose results are not 0, 1 or 2.
        x.extend((0..1 << 18).map(|at: u32| f32::from_bits(0x3d80_0000 + at * 217)));
        x.extend((0..1 << 17).map(|at: u32| f32::from_bits(0xbd80_0000 + at * 217)));
        x.extend([0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -f32::NAN, f32::MAX, f32::MIN]);
        x.extend([9.0, 9.3, 10.0, 10.05, 10.06, 10.1, 11.9, 12.0, 12.1, 27.0, -5.9, -6.0, 1e-40, -1e-40]);
        let mut out = vec![0.0; x.len()];
        for (x, out) in x.chunks(1000).zip(out.chunks_mut(1000)) {
            erfc(x, out);
        }
        for (x, out) in x.iter().zip(out) {
            let expected = libm::erfc(*x as f64) as f32;
            assert_eq!(out.to_bits(), expected.to_bits(), "{x:e}");
        }
    }
}
