//! Steps of the operators of BF16 parts in binary32 arithmetic alone, by a fused form of Veltkamp's splitting. They
//! serve machines whose BF16 instructions are missing or slow, for data that cannot underflow and stays far below
//! overflow.
//!
//! Let x have n units in its last place, 2^23 ≤ n < 2^24. Let γ be x · 65535 rounded to binary32: a multiple of 2^16 of
//! these units. 2^16 · x is one too, so 2^16 · x − γ is the multiple of 2^16 units to which x is rounded. Binary32
//! represents it, and BF16's numbers in x's binade are these multiples. One FMA computes it exactly.
//!
//! In a tie n = (k + 1/2) · 2^16 is even, and γ lies between n − k − 1 and n − k times 2^16 units. It is the even one
//! of them, so the leading part is the even one of k + 1 and k. Up to n = 2^23 + 2^7, γ is less than 2^39 units and
//! rounded to multiples of 2^15 of them. Such n become 2^23 either way. So
//!
//! ```text
//! γ = x · 65535      the leading part = 65536 · x − γ      the rest = γ − 65535 · x
//! ```
//!
//! take one rounded multiplication and exact FMAs. Without underflow, parts that are subnormal numbers of BF16 have at
//! most eight bits, and are left unchanged.
//!
//! Only the sign of a zero is lost: the leading part of −0 is +0. Sums of several parts are +0 then by definition.
//! FMA_1_1 makes a −0 only from a −0 in C, see
//! [`Ranged::keeping_negative_zeros`](super::ranged::Ranged::keeping_negative_zeros).

use binade::operator::Compound;
use binade_simd::floats::Floats;

use super::ranged::sum;
use super::rules::Step;

/// The bits of 65535, of its negative, and of 65536.
const SPLITTER: u32 = 0x477f_ff00;
pub(super) const NEGATED_SPLITTER: u32 = SPLITTER | 1 << 31;
pub(super) const SCALE: u32 = 0x4780_0000;
/// The bits of −0, the addend of a multiplication.
const NEGATIVE_ZERO: u32 = 1 << 31;

/// An operator of N input parts, M accumulator parts and P products.
///
/// With one input part the accumulator is the sum of its parts. With several it is the last step's sum before it is
/// split.
#[derive(Clone, Copy)]
pub(crate) struct VeltkampSplit<const N: usize, const M: usize, const P: usize>;

/// The leading parts.
#[inline(always)]
fn leading<F: Floats, const G: usize>(x: &[F; G]) -> [F; G] {
    split_by(x, NEGATED_SPLITTER, SCALE)
}

/// The remainder without the leading parts.
#[inline(always)]
fn rest<F: Floats, const G: usize>(x: &[F; G]) -> [F; G] {
    split_by(x, SPLITTER, NEGATED_SPLITTER)
}

/// x · back + (x · by, rounded).
#[inline(always)]
fn split_by<F: Floats, const G: usize>(x: &[F; G], by: u32, back: u32) -> [F; G] {
    let mut gamma = *x;
    for lane in &mut gamma {
        *lane = lane.fma(x[0].splat_bits(by), x[0].splat_bits(NEGATIVE_ZERO));
    }
    for g in 0..G {
        gamma[g] = x[g].fma(x[0].splat_bits(back), gamma[g]);
    }
    gamma
}

#[inline(always)]
fn subtract<F: Floats, const G: usize>(x: &[F; G], y: &[F; G]) -> [F; G] {
    let mut difference = *x;
    for g in 0..G {
        difference[g] = x[g].sub(y[g]);
    }
    difference
}

impl<const N: usize, const M: usize, const P: usize> Step for VeltkampSplit<N, M, P> {
    const PARTS: usize = N;
    /// A step with a zero rounds the accumulator to the sum of its parts, as the following one would.
    const SKIPS: bool = N > 1;

    #[inline(always)]
    fn step<F: Floats, const G: usize>(&self, a: &[[F; G]; 3], b: &[[F; G]; 3], c: &mut [F; G]) {
        if N == 1 {
            for g in 0..G {
                c[g] = a[0][g].fma(b[0][g], c[g]);
            }
            *c = match M {
                1 => leading(c),
                // The remainder of the remainder is dropped.
                _ => subtract(c, &rest(&rest(c))),
            };
            return;
        }
        let mut m = a[0];
        for (number, &(i, j)) in const { Compound::order(P) }.iter().enumerate() {
            for g in 0..G {
                // The last product of three is exact, so it may be fused.
                let before = if number == 0 { m[g].splat_bits(NEGATIVE_ZERO) } else { m[g] };
                m[g] = a[i][g].fma(b[j][g], before);
            }
        }
        let m0 = leading(&m);
        let m_rest = subtract(&m, &m0);
        let m1 = leading(&m_rest);
        if N == 2 {
            let mut c0 = *c;
            for lane in &mut c0 {
                *lane = lane.bf16_of_sum();
            }
            let c1 = leading(&subtract(c, &c0));
            // Two parts: the third is not read.
            *c = sum::<F, G, N>(&[m0, m1, m1], &[c0, c1, c1]);
        } else {
            let c0 = leading(c);
            let c_rest = subtract(c, &c0);
            let c1 = leading(&c_rest);
            // Three parts are exact.
            *c = sum::<F, G, N>(&[m0, m1, subtract(&m_rest, &m1)], &[c0, c1, subtract(&c_rest, &c1)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use binade_simd::floats::portable::Lane;

    use super::*;

    /// Every number of a binade in the last 512 values, near a tie and at its beginning, and others between them; zero.
    #[test]
    fn leading_parts_are_nearest_even_bf16_and_rests_are_exact() {
        let near = |middle: u32| middle.saturating_sub(512)..middle + 512;
        let ends =
            near(0x3f80_0000).chain(near(0x3fff_ffff)).chain(near(0x3fd5_8000)).chain(near(0x3fd4_8000));
        for bits in ends.chain((0x3f80_0000..0x4080_0000).step_by(251)).chain([0]) {
            for bits in [bits, bits | 1 << 31, bits.saturating_sub(100 << 23), bits.saturating_add(90 << 23)]
            {
                let x = [Lane::of(f32::from_bits(bits))];
                let expected = f32::from_bits((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff_0000);
                assert_eq!(leading(&x)[0].get(), expected, "{bits:#x}");
                assert_eq!(rest(&x)[0].get(), f32::from_bits(bits) - expected, "{bits:#x}");
            }
        }
    }
}
