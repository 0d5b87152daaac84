//! Random words for the data sets: one Philox block for each item drawn.
//!
//! The counter of a block has four words:
//! - Word 0 is the index of the example, or of another item.
//! - Words 1 and 2 are the epoch, low half first. If an index needs several blocks, they are the number of the block.
//! - Word 3 is the [`Purpose`].
//!
//! The key is the seed, low half first. [`binade::philox::word`], the source of stochastic rounding, leaves word 3 at zero,
//! and no purpose is zero. One seed may therefore serve both. Programs that train may use purposes from 16 on.

use binade::philox;

/// Purpose of a block; each has its own random stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Order = 1,
    Augmentation = 2,
    Signal = 3,
    Division = 4,
    Triples = 5,
    Choices = 6,
}

/// The four words for an index.
pub(crate) fn block(seed: u64, purpose: Purpose, number: u64, index: u32) -> [u32; 4] {
    philox::seeded(seed, [index, number as u32, (number >> 32) as u32, purpose as u32])
}

/// ⌊bound · (low + 2³² high) / 2⁶⁴⌋: a number below `bound`. The probability of each is exact to 2⁻⁶⁴.
pub(crate) fn below(bound: u64, [low, high]: [u32; 2]) -> u64 {
    let word = u64::from(low) | u64::from(high) << 32;
    ((u128::from(bound) * u128::from(word)) >> 64) as u64
}

/// A number in [0, 1) in steps of 2⁻³².
pub(crate) fn unit(word: u32) -> f64 {
    f64::from(word) / 4_294_967_296.0
}

/// Four normal numbers of mean 0 and deviation 1, two from each pair of words, by the Box-Muller transform.
///
/// The magnitude takes its uniform number from 2⁻³² to 1, so that none exceeds √(64 ln 2) ≈ 6.66.
pub(crate) fn normal(words: [u32; 4]) -> [f64; 4] {
    let pair = |magnitude: u32, angle: u32| {
        let magnitude = libm::sqrt(-2.0 * libm::log(unit(magnitude) + unit(1)));
        let (sin, cos) = libm::sincos(std::f64::consts::TAU * unit(angle));
        [magnitude * cos, magnitude * sin]
    };
    let ([a, b], [c, d]) = (pair(words[0], words[1]), pair(words[2], words[3]));
    [a, b, c, d]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_is_the_floor_of_the_scaled_word() {
        assert_eq!(below(10, [!0, !0]), 9);
        assert_eq!(below(10, [0, 0]), 0);
        assert_eq!(below(2, [!0, (1 << 31) - 1]), 0);
        assert_eq!(below(2, [0, 1 << 31]), 1);
        assert_eq!(below(0, [!0, !0]), 0);
    }

    #[test]
    fn purposes_and_numbers_give_different_blocks() {
        let one = block(7, Purpose::Order, 1, 2);
        assert_ne!(one, block(7, Purpose::Augmentation, 1, 2));
        assert_ne!(one, block(7, Purpose::Order, 1 << 32 | 1, 2));
        assert_ne!(one, block(7, Purpose::Order, 1, 3));
        assert_ne!(one, block(7 << 32, Purpose::Order, 1, 2));
        assert_eq!(one, philox::block([7, 0], [2, 1, 0, 1]));
    }

    #[test]
    fn normal_numbers_have_the_moments_of_the_normal_distribution() {
        let drawn: Vec<f64> = (0..50_000).flat_map(|at| normal(block(1, Purpose::Signal, 0, at))).collect();
        let moment = |power: i32| drawn.iter().map(|x| x.powi(power)).sum::<f64>() / drawn.len() as f64;
        for (power, expected) in [(1, 0.0), (2, 1.0), (3, 0.0), (4, 3.0)] {
            // Five standard errors. The variances of x, x², x³ and x⁴ are 1, 2, 15 and 96; 96/200,000 = 0.022².
            let deviation = [1.0_f64, 2.0, 15.0, 96.0][power as usize - 1].sqrt();
            assert!(
                (moment(power) - expected).abs() < 5.0 * deviation / (drawn.len() as f64).sqrt(),
                "{power}"
            );
        }
        assert!(normal([0, 0, !0, 0]).iter().all(|x| x.is_finite() && x.abs() < 6.67));
    }
}
