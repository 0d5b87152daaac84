//! The complementary error function of binary32, many numbers at a time.
//!
//! Its definition is `libm::erfc` in binary64, rounded. Here erfc x = e^(−x²) · P(x) / Q(x) for x ≥ 0, with polynomials P and Q,
//! and 2 − erfc(−x) for x < 0, is computed to a relative error below [`ERROR`] by a loop without branches. Where both ends of the interval around it round to the same number, so does the definition,
//! which is within it; for the few other numbers, and for NaN, the definition is computed.

use binade_simd::Kernel;
use binade_simd::lanes::Leg;

use super::elementwise::ISA;

/// Bound of the relative error: 2^−45.2 of the quotient and the exponential, a few roundings, and libm's.
const ERROR: f64 = 1.0 / (1u64 << 44) as f64;

/// Beyond it every result rounds to +0, and to 2 on the other side.
const FAR: f64 = 12.0;

/// P and Q with e^(x²) erfc x = P(x) / Q(x) for 0 ≤ x ≤ 12, and the polynomial for e^r with |r| ≤ ln 2 / 2, by powers from the
/// highest down, as `scripts/fit_elementary.py` of binade-kernels prints them. Their relative errors are below 2^−45.3 and
/// 2^−52.
const P: [f64; 8] = [
    0.0007813876880246639,
    0.01113497347601819,
    0.07618605227103473,
    0.31938142273110887,
    0.8811575100813185,
    1.6034643278831893,
    1.8024105964555892,
    0.9999999999999698,
];
const Q: [f64; 9] = [
    0.0013849736289251993,
    0.019736225726374255,
    0.1357287782801553,
    0.5759563387178649,
    1.6286452066634574,
    3.115154522191179,
    3.9105064404000762,
    2.9307897635451283,
    1.0,
];
const E: [f64; 11] = [
    2.7488148861850275e-07,
    2.763977885125131e-06,
    2.480191865694102e-05,
    0.00019841171358007015,
    0.001388888849820117,
    0.008333333384683143,
    0.04166666666842882,
    0.16666666666557747,
    0.4999999999999728,
    1.0000000000000064,
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

#[inline(always)]
fn polynomial(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().fold(0.0, |sum, &term| f64::mul_add(sum, x, term))
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
    let r = n.mul_add(-LN_2[1], n.mul_add(-LN_2[0], square));
    let scale = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    let tail = scale * polynomial(&E, r) * polynomial(&P, magnitude) / polynomial(&Q, magnitude);
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
