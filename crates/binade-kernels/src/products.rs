//! Products that are nearly exact, and where that is not enough.

use binade::Format;
use binade_simd::lanes::Leg;
use binade_simd::{Isa, Kernel};

/// Multiplies numbers by one, each rounded to binary32. `true` if any of the products may be on another side of a tie between
/// two numbers of a format than the exact product with the number that `by` was rounded from: if it is within four units in
/// the last place of a tie, or is not 0 and no normal number. The format has at most 22 bits of precision.
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
    // A tie has a bit more than the numbers beside it: it is an odd multiple of this, as words are counted, or below the
    // smallest normal number perhaps an even one.
    let step = 1 << (23 - format.precision().min(22));
    let normal = ((format.emin() + 127).clamp(1, 254) as u32) << 23;
    isa.run(Multiply { numbers, by, step, normal })
}

struct Multiply<'a> {
    numbers: &'a mut [f32],
    by: f32,
    step: u32,
    normal: u32,
}

impl Kernel for Multiply<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Leg>(self, _: L) -> bool {
        const NEAR: u32 = 4;
        let Multiply { numbers, by, step, normal } = self;
        let mut doubtful = 0u32;
        for x in numbers {
            *x *= by;
            let magnitude = x.to_bits() & 0x7fff_ffff;
            let known = magnitude.wrapping_sub(1 << 23) < 0x7f00_0000;
            let above = magnitude.wrapping_add(NEAR).wrapping_sub(step);
            // Below the smallest normal number, and four units about it, the odd and the even.
            let period = if magnitude < normal + NEAR { step } else { 2 * step };
            let near = above & (period - 1) <= 2 * NEAR;
            doubtful |= ((magnitude != 0) & (near | !known)) as u32;
        }
        doubtful != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiply_doubts_beside_ties_only() {
        let near = |x: f32, steps: i32| f32::from_bits(x.to_bits().wrapping_add_signed(steps));
        let e4m3 = "float8_e4m3fn".parse::<binade::Spec>().unwrap().format;
        for isa in Isa::available() {
            let doubts = |x: f32| multiply(isa, &mut [[1.01; 40].as_slice(), &[x]].concat(), 1.0, &e4m3);
            // Between two numbers of four bits, between two subnormal ones, and between 0 and the smallest.
            for tie in [1.0625f32, -1.0625, 1.5 * 2f32.powi(-9), 2f32.powi(-10)] {
                assert!([-4, 0, 4].iter().all(|&steps| doubts(near(tie, steps))), "{isa} {tie}");
                assert!([-5, 5].iter().all(|&steps| !doubts(near(tie, steps))), "{isa} {tie}");
            }
            assert!([0.0, -0.0, 448.0, -1.125].iter().all(|&x| !doubts(x)), "{isa}");
            assert!([f32::INFINITY, f32::NAN, 1e-40].iter().all(|&x| doubts(x)), "{isa}");
        }
    }

    /// What is not doubtful rounds as the exact product does.
    #[test]
    fn multiply_undoubted_products_round_as_exact_ones() {
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
