//! Steps of the operators of BF16 parts by binary32 arithmetic alone, for data where nothing underflows and all is far below
//! overflow. They are for machines without instructions for BF16, or with slow ones.
//!
//! Let x have n units in its last place, 2^23 ≤ n < 2^24. γ = x · 65535, rounded to binary32, is a multiple of 2^16 of these units,
//! and 2^16 · x is one, too: so 2^16 · x − γ is the multiple of 2^16 units that x was rounded to, which a binary32 holds, and BF16's
//! numbers in x's binade are these. A fused step computes it exactly. A tie has n = (k + 1/2) · 2^16, an even number, and γ lies between
//! n − k − 1 and n − k times 2^16 units, of which it is the even one: that of the even one of k + 1 and k. Up to n = 2^23 + 2^7, γ is
//! less than 2^39 units and rounded to multiples of 2^15 of them; such n become 2^23 either way. So
//!
//! ```text
//! γ = x · 65535      the leading part = 65536 · x − γ      the rest = γ − 65535 · x
//! ```
//!
//! are one rounded multiplication and exact fused steps. Where nothing underflows, parts that are subnormal numbers of BF16 have
//! eight bits anyway, and are left as they are.
//!
//! Only the sign of a zero is lost: the leading part of −0 is +0. Sums of several parts are +0 then by definition, and FMA_1_1 makes
//! a −0 only from one in C, see [`Ranged::keeping_zeros`](super::ranged::Ranged::keeping_zeros).

use binade::operator::Compound;
use binade_simd::floats::Floats;

use super::ranged::sum;
use super::rules::Step;

/// The bits of 65535, of its negative, and of 65536.
const SPREAD: u32 = 0x477f_ff00;
pub(super) const LESS: u32 = SPREAD | 1 << 31;
pub(super) const BACK: u32 = 0x4780_0000;
/// The bits of −0, the addend of a multiplication.
const NOTHING: u32 = 1 << 31;

/// An operator of N input parts, M accumulator parts and P products.
///
/// The accumulator is the sum of its parts for one input part, and for several what the last step's sum was before it was split.
#[derive(Clone, Copy)]
pub(crate) struct Spread<const N: usize, const M: usize, const P: usize>;

/// The leading parts.
#[inline(always)]
fn leading<F: Floats, const G: usize>(x: &[F; G]) -> [F; G] {
    spread(x, LESS, BACK)
}

/// What is left without the leading parts.
#[inline(always)]
fn rest<F: Floats, const G: usize>(x: &[F; G]) -> [F; G] {
    spread(x, SPREAD, LESS)
}

/// x · back + (x · by, rounded).
#[inline(always)]
fn spread<F: Floats, const G: usize>(x: &[F; G], by: u32, back: u32) -> [F; G] {
    let mut gamma = *x;
    for lane in &mut gamma {
        *lane = lane.fma(x[0].like(by), x[0].like(NOTHING));
    }
    for g in 0..G {
        gamma[g] = x[g].fma(x[0].like(back), gamma[g]);
    }
    gamma
}

#[inline(always)]
fn less<F: Floats, const G: usize>(x: &[F; G], y: &[F; G]) -> [F; G] {
    let mut difference = *x;
    for g in 0..G {
        difference[g] = x[g].sub(y[g]);
    }
    difference
}

impl<const N: usize, const M: usize, const P: usize> Step for Spread<N, M, P> {
    const PARTS: usize = N;
    /// A step with a zero makes the accumulator the sum of its parts, as the following one would.
    const SKIPS: bool = N > 1;

    #[inline(always)]
    fn step<F: Floats, const G: usize>(&self, a: &[[F; G]; 3], b: &[[F; G]; 3], c: &mut [F; G]) {
        if N == 1 {
            for g in 0..G {
                c[g] = a[0][g].fma(b[0][g], c[g]);
            }
            *c = match M {
                1 => leading(c),
                // What is left of what is left is dropped.
                _ => less(c, &rest(&rest(c))),
            };
            return;
        }
        let mut m = a[0];
        for (number, &(i, j)) in const { Compound::order(P) }.iter().enumerate() {
            for g in 0..G {
                // The last product of three is exact, so that it may be fused.
                let before = if number == 0 { m[g].like(NOTHING) } else { m[g] };
                m[g] = a[i][g].fma(b[j][g], before);
            }
        }
        let m0 = leading(&m);
        let m_rest = less(&m, &m0);
        let m1 = leading(&m_rest);
        if N == 2 {
            let mut c0 = *c;
            for lane in &mut c0 {
                *lane = lane.bf16_of_sum();
            }
            let c1 = leading(&less(c, &c0));
            // Two parts: the third is not read.
            *c = sum::<F, G, N>(&[m0, m1, m1], &[c0, c1, c1]);
        } else {
            let c0 = leading(c);
            let c_rest = less(c, &c0);
            let c1 = leading(&c_rest);
            // Three parts are exact.
            *c = sum::<F, G, N>(&[m0, m1, less(&m_rest, &m1)], &[c0, c1, less(&c_rest, &c1)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use binade_simd::floats::portable::Lane;

    use super::*;

    /// Every number of a binade for the last half thousand bits of it, of a tie and of its beginning, and others between them; zero.
    #[test]
    fn leading_parts_are_bf16_to_nearest_even_and_leave_the_rest() {
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
