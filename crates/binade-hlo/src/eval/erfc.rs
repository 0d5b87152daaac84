//! The complementary error function of binary32, many numbers at a time.
//!
//! Its definition is `libm::erfc` in binary64, rounded. Here erfc x = e^(−x²) · p(t) / (1 + 2x) for x ≥ 0, with
//! t = (x − 4) / (x + 4) and a polynomial p, and 2 − erfc(−x) for x < 0, is computed to a relative error below [`ERROR`] by
//! a loop without branches. Where both ends of the interval around it round to the same number, so does the definition,
//! which is within it; for the few other numbers, and for NaN, the definition is computed.

use binade_simd::Kernel;
use binade_simd::lanes::Leg;

use super::elementwise::ISA;

/// Bound of the relative error: 2^−46.3 of the polynomial and the exponential, a few roundings, and libm's.
const ERROR: f64 = 1.0 / (1u64 << 44) as f64;

/// Beyond it every result rounds to +0, and to 2 on the other side.
const FAR: f64 = 12.0;

/// (1 + 2x) e^(x²) erfc x by powers of t, the highest first: `mpmath.chebyfit` of it over [−1, 1/2] with 18 terms.
const P: [f64; 18] = [
    1.2824261438123451e-08,
    2.1118345607130055e-06,
    6.623653374051137e-06,
    -1.2207625726026669e-05,
    -2.5576403766935892e-05,
    0.00015061489273409217,
    -0.00019880996443717721,
    -0.00075766142566808,
    0.005031890405114736,
    -0.01619776454145085,
    0.037167522717884253,
    -0.06633036231607556,
    0.09373283467995752,
    -0.10103906621719833,
    0.06809705426100136,
    0.015379652106074854,
    -0.13962111684060707,
    1.232995118625542,
];

/// Reciprocals of the factorials from 12 down to 0.
const E: [f64; 13] = [
    1.0 / 479001600.0,
    1.0 / 39916800.0,
    1.0 / 3628800.0,
    1.0 / 362880.0,
    1.0 / 40320.0,
    1.0 / 5040.0,
    1.0 / 720.0,
    1.0 / 120.0,
    1.0 / 24.0,
    1.0 / 6.0,
    0.5,
    1.0,
    1.0,
];

/// ln 2 in two parts, of which the first has zeros enough for exact products.
const LN_2: [f64; 2] = [0.6931471803691238, 1.9082149292705877e-10];

/// `out[i] = erfc x[i]`.
pub(crate) fn erfc(x: &[f32], out: &mut [f32]) {
    ISA.run(Erfc { x, out });
}

struct Erfc<'a> {
    x: &'a [f32],
    out: &'a mut [f32],
}

impl Kernel for Erfc<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        let Erfc { x, out } = self;
        let mut unsure = false;
        for (out, &x) in out.iter_mut().zip(x) {
            let (low, high) = near(x);
            *out = low;
            unsure |= low != high;
        }
        if unsure {
            for (out, &x) in out.iter_mut().zip(x) {
                let (low, high) = near(x);
                if low != high {
                    *out = libm::erfc(x as f64) as f32;
                }
            }
        }
    }
}

/// Both ends of an interval around the result, rounded; NaN of NaN.
#[inline(always)]
fn near(x: f32) -> (f32, f32) {
    /// Adding it rounds a number to an integer, which is then in the low bits.
    const SHIFT: f64 = 1.5 * (1u64 << 52) as f64;
    let x = x as f64;
    let magnitude = if x.abs() > FAR { FAR } else { x.abs() };
    // The square of a binary32 number is exact.
    let square = -magnitude * magnitude;
    let shifted = square * std::f64::consts::LOG2_E + SHIFT;
    let n = shifted - SHIFT;
    let r = (square - n * LN_2[0]) - n * LN_2[1];
    let power = E.iter().fold(0.0, |sum, &term| sum * r + term);
    let scale = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    let t = (magnitude - 4.0) / (magnitude + 4.0);
    let p = P.iter().fold(0.0, |sum, &term| sum * t + term);
    let tail = power * scale * p / (1.0 + 2.0 * magnitude);
    let result = if x < 0.0 { 2.0 - tail } else { tail };
    ((result * (1.0 - ERROR)) as f32, (result * (1.0 + ERROR)) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of every binade against the definition, and those that are special.
    #[test]
    fn every_binade_equals_the_definition() {
        let mut x: Vec<f32> = (0..1u32 << 18).map(|at| f32::from_bits(at.wrapping_mul(16_411))).collect();
        // Where results are neither 0 nor 1 nor 2.
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
