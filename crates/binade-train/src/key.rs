//! Random keys of programs: words of Philox that depend on seed and step only.
//!
//! A key is the first two words of a Philox block. The key of the block is the seed, low half first; its counter is (step's
//! low half, step's high half, 0, purpose). Purpose 16 is `init`, with step 0, and purpose 17 a training step. The orders and
//! augmentations of `binade_data` have purposes below 16, stochastic rounding has 0 to 3.

use binade::philox;

const INIT: u32 = 16;
const STEP: u32 = 17;

fn key(seed: u64, step: u64, purpose: u32) -> [u32; 2] {
    let [a, b, ..] = philox::seeded(seed, [step as u32, (step >> 32) as u32, 0, purpose]);
    [a, b]
}

/// The key of `init`.
pub fn of_init(seed: u64) -> [u32; 2] {
    key(seed, 0, INIT)
}

/// The key of a training step. Steps count from 0.
pub fn of_step(seed: u64, step: u64) -> [u32; 2] {
    key(seed, step, STEP)
}

/// The key of the random words of stochastic arithmetic in a training step.
pub fn of_rounding(seed: u64, step: u64) -> u64 {
    philox::stream(seed, &[step as u32, (step >> 32) as u32])
}

/// The key of the random words of stochastic arithmetic in an evaluation of the weights after `steps` steps, on a
/// batch. Batches of translations are numbered from 2^31 on.
pub fn of_evaluation(seed: u64, steps: u64, batch: u64) -> u64 {
    philox::stream(seed, &[steps as u32, (steps >> 32) as u32, batch as u32])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_equal_the_documented_words() {
        let words = philox::block([7, 1], [3, 2, 0, 17]);
        assert_eq!(of_step(1 << 32 | 7, 2 << 32 | 3), [words[0], words[1]]);
        assert_eq!(of_init(7)[..], philox::block([7, 0], [0, 0, 0, 16])[..2]);
        assert_ne!(of_init(7), of_step(7, 0));
        assert_ne!(of_step(7, 1), of_step(7, 0));
    }
}
