//! Keys of random numbers: words of Philox, so that a key depends on seed and step alone.
//!
//! The Philox block with the seed as its key (low half first) and the counter (step's low half, step's high half, 0, purpose)
//! gives a program its key, as its first two words. Purpose 16 is `init`, whose step is 0, purpose 17 a training step. The
//! orders and augmentations of `binade_data` have purposes below 16, stochastic rounding has 0.

use binade::philox;

const INIT: u32 = 16;
const STEP: u32 = 17;

fn key(seed: u64, step: u64, purpose: u32) -> [u32; 2] {
    let [a, b, ..] = philox::seeded(seed, [step as u32, (step >> 32) as u32, 0, purpose]);
    [a, b]
}

/// The key that `init` gets.
pub fn of_init(seed: u64) -> [u32; 2] {
    key(seed, 0, INIT)
}

/// The key that a training step gets, the first one being 0.
pub fn of_step(seed: u64, step: u64) -> [u32; 2] {
    key(seed, step, STEP)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_the_documented_words() {
        let words = philox::block([7, 1], [3, 2, 0, 17]);
        assert_eq!(of_step(1 << 32 | 7, 2 << 32 | 3), [words[0], words[1]]);
        assert_eq!(of_init(7)[..], philox::block([7, 0], [0, 0, 0, 16])[..2]);
        assert_ne!(of_init(7), of_step(7, 0));
        assert_ne!(of_step(7, 1), of_step(7, 0));
    }
}
