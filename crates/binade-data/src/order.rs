//! The order of the examples in an epoch, which is random and the same on every machine.

use crate::random::{Purpose, below, block};

/// The order in which epoch `epoch` visits `len` examples: a permutation of 0, 1, …, `len` − 1.
///
/// It is the Fisher-Yates shuffle of the ascending order. For i from `len` − 1 down to 1, elements i and j are swapped, where
/// j = ⌊(i + 1) · w / 2⁶⁴⌋. The number w is the first two words, low half first, of a Philox block. The key of the block is
/// the seed; its counter is (i, epoch's low half, epoch's high half, 1).
///
/// ```
/// let order = binade_data::permutation(5, 7, 0);
/// assert_eq!(order, binade_data::permutation(5, 7, 0));
/// assert_ne!(order, binade_data::permutation(5, 7, 1));
/// ```
///
/// # Panics
/// If `len` is more than 2³² − 1. A [`Split`](crate::Split) never has that many examples.
pub fn permutation(len: usize, seed: u64, epoch: u64) -> Vec<u32> {
    let end = u32::try_from(len).expect("at most 2^32 - 1 examples");
    let mut order: Vec<u32> = (0..end).collect();
    shuffle(&mut order, seed, Purpose::Order, epoch);
    order
}

/// The shuffle of [`permutation`] for any elements.
pub(crate) fn shuffle<T>(elements: &mut [T], seed: u64, purpose: Purpose, number: u64) {
    for i in (1..elements.len()).rev() {
        let [low, high, ..] = block(seed, purpose, number, i as u32);
        elements.swap(i, below(i as u64 + 1, [low, high]) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permutation_has_every_example_once() {
        for len in [0, 1, 2, 3, 10, 1000] {
            let mut order = permutation(len, 3, 9);
            order.sort_unstable();
            assert!(order.into_iter().eq(0..len as u32));
        }
    }

    /// Draws computed by hand: i = 2, then i = 1.
    #[test]
    fn draws_follow_the_documentation() {
        let draw = |i: u32| {
            let [low, high, ..] = binade::philox::block([5, 6], [i, 8, 9, 1]);
            let word = u64::from(high) << 32 | u64::from(low);
            (u128::from(word) * u128::from(i + 1) / (1 << 64)) as usize
        };
        let mut expected = [0, 1, 2];
        expected.swap(2, draw(2));
        expected.swap(1, draw(1));
        assert_eq!(permutation(3, 6 << 32 | 5, 9 << 32 | 8), expected);
    }

    /// χ² of the 24 orders of four elements over 24,000 epochs has 23 degrees of freedom. Five deviations above the mean are
    /// 23 + 5·√46 = 57.
    #[test]
    fn orders_are_equally_frequent() {
        let mut counts = std::collections::HashMap::new();
        for epoch in 0..24_000 {
            *counts.entry(permutation(4, 11, epoch)).or_insert(0_i32) += 1;
        }
        assert_eq!(counts.len(), 24);
        let statistic: f64 = counts.values().map(|&n| f64::from(n - 1000).powi(2) / 1000.0).sum();
        assert!(statistic < 57.0, "{statistic}");
    }
}
