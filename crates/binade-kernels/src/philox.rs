//! Philox4x32-10 in vectors: [`binade::philox::word`] for runs of indices.

use binade_simd::lanes::Words;

const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

/// Words that one call of [`fill`] computes; runs start at multiples of it.
pub(crate) const RUN: usize = 1024;

/// Padding after a run, so that a whole group of vectors can be read from any position in it.
const SLACK: usize = 64;

/// A run of random words.
#[repr(align(64))]
pub(crate) struct Run(pub(crate) [u32; RUN + SLACK]);

impl Run {
    pub(crate) const EMPTY: Run = Run([0; RUN + SLACK]);
}

/// Fills a run with the words of the indices from `first` on, which is a multiple of [`RUN`].
#[inline(always)]
pub(crate) fn fill<V: Words>(any: V, seed: u64, first: u64, run: &mut Run) {
    // As many chains as the registers allow: there are 32 registers of 16 lanes, or 16 otherwise. Measured: with 32, 4
    // chains are slower than 8; with 16, 8 are slower than 4.
    if V::COUNT == 16 {
        fill_chains::<V, 8>(any, seed, first, run);
    } else {
        fill_chains::<V, 4>(any, seed, first, run);
    }
}

/// [`fill`] with `CHAINS` independent multiplications in flight.
#[inline(always)]
fn fill_chains<V: Words, const CHAINS: usize>(any: V, seed: u64, first: u64, run: &mut Run) {
    // A chain computes the words of COUNT / 2 blocks.
    let step = 2 * V::COUNT * CHAINS;
    const { assert!(RUN.is_multiple_of(2 * V::COUNT * CHAINS)) };
    for at in (0..RUN).step_by(step) {
        let made = chains::<V, CHAINS>(any, seed, (first + at as u64) / 4);
        for (chain, [even, odd]) in made.into_iter().enumerate() {
            let to = at + 2 * V::COUNT * chain;
            // SAFETY: 2 · COUNT words from `to` are within the run, because CHAINS such pieces make a step.
            unsafe {
                even.store::<false>(run.0.as_mut_ptr().add(to));
                odd.store::<false>(run.0.as_mut_ptr().add(to + V::COUNT));
            }
        }
    }
}

/// Blocks from `block` on, interleaved so that `CHAINS` independent multiplications are in flight. Counter words 2 and
/// 3 are zero, and the high half of the block number is the same in all lanes: a run never crosses 2^32 blocks.
#[inline(always)]
fn chains<V: Words, const CHAINS: usize>(any: V, seed: u64, block: u64) -> [[V; 2]; CHAINS] {
    let c = |word| any.splat(word);
    let (mut k0, mut k1) = (seed as u32, (seed >> 32) as u32);
    let (m0, m1) = (c(MULTIPLIERS[0]), c(MULTIPLIERS[1]));
    // State of one chain: words 0 to 3 of its counters, in even lanes.
    let mut state = [[c(0), c((block >> 32) as u32), c(0), c(0)]; CHAINS];
    for (chain, words) in state.iter_mut().enumerate() {
        words[0] = any.philox_counters((block as u32).wrapping_add((chain * V::COUNT / 2) as u32));
    }
    // A round takes (x0, x1, x2, x3) to (hi(M1·x2) ^ x1 ^ k0, lo(M1·x2), hi(M0·x0) ^ x3 ^ k1, lo(M0·x0)).
    macro_rules! rounds {
        ($($round:literal)*) => { $(
            let _: u32 = $round;
            for words in &mut state {
                let (p0, p1) = (words[0].mul_even(m0), words[2].mul_even(m1));
                *words = [
                    p1.odd_to_even().xor(words[1]).xor(c(k0)),
                    p1,
                    p0.odd_to_even().xor(words[3]).xor(c(k1)),
                    p0,
                ];
            }
            k0 = k0.wrapping_add(WEYL[0]);
            k1 = k1.wrapping_add(WEYL[1]);
        )* };
    }
    // Unrolled, because the compiler would keep the loop and move every register.
    rounds! { 0 1 2 3 4 5 6 7 8 }
    let mut interleaved = [[any; 2]; CHAINS];
    for (interleaved, words) in interleaved.iter_mut().zip(state) {
        // The last round leaves the low words of the products in odd lanes, where the pairs need them.
        let (p0, p1) = (words[0].mul_even(m0), words[2].mul_even(m1));
        *interleaved = V::interleave_philox([
            p1.swap_pairs_xor_even(words[1], c(k0)),
            p0.swap_pairs_xor_even(words[3], c(k1)),
        ]);
    }
    interleaved
}
