//! Random words of sums whose accumulator is rounded stochastically: which word each addition of each result element takes.
//!
//! An addition has the row i and the column j of its result element, and a number k; [`SumDraws`] counts them. Its
//! operation has the key K, as [`stream`](crate::philox::stream) makes it. There are two words of Philox blocks:
//!
//! - L(i, k): word k mod 4 of the block with counter (k div 4, i, i div 2^32, 1) under K;
//! - R(j, k): word k mod 4 of the block with counter (k div 4, j, j div 2^32, 2) under K.
//!
//! Let x = L xor R, h its upper 16 bits and l its lower 16 bits. The 32 random bits of the addition are
//!
//! W(i, j, k) = 2^16 · (l · (h | 1) mod 2^16) + h.
//!
//! A rounding with N random bits takes the top N bits of W, as conversions do ([`draw`](crate::philox::draw)).
//!
//! # Why not a block for each element
//!
//! A product of m · n elements of depth d has m·n·d additions, but only (m + n)·d words L and R. Vectors compute W from
//! them in three instructions, where a Philox word takes thirty. These properties hold exactly, if the words of Philox
//! are independent and uniform:
//!
//! - W is uniform: x is, and (h, l) → W is a bijection, because h | 1 is odd.
//! - The words of one element are independent of each other, since each addition has words L and R of its own. So each
//!   sum is an unbiased martingale.
//! - The words of any two elements, and of any three, are independent. So errors of elements are uncorrelated, and the
//!   variance of any linear function of the result is the same as with independent words.
//!
//! Four elements at the corners of a rectangle have x whose exclusive or is zero. The product of l and h | 1, which is
//! close to a bent function of x, makes W's top bits uncorrelated there too: to within 2^−14 for the first bit.

use crate::philox::{blocks, seeded};

/// Rows whose words are computed at once.
pub const ROWS: usize = 16;

/// The counters' last words: rows, and columns.
const LEFT: u32 = 1;
const RIGHT: u32 = 2;

/// One side of a result: its first index, and the last word of its counters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Side {
    first: u64,
    counter: u32,
}

/// The random words of a product, a convolution or a reduction; see the [module](self).
///
/// | operation | row i | column j |
/// |---|---|---|
/// | matrix product number b of a batch, m rows, n columns | b·m + row | b·n + column |
/// | convolution | output channel | image · height · width + position in the output |
/// | its gradient of the input | input channel | image · height · width + position in the input |
/// | its gradient of the weight | output channel | (channel in the group · kernel height + row) · kernel width + column of the kernel |
/// | reduction | the result's index | 0 |
///
/// The product of aₖ and bₖ is added by addition k, in the order in which an element's products are defined. Other
/// orders than `sequential` have more additions. For a sum of n products they are numbered from n on:
///
/// - `blocked:N`, `aligned:N,BITS`: n + number of the block. `lanes:N`: n + number of the lane.
/// - `pairwise`: n + index of the first leaf of the tree on the right; the tree itself is added to C by number n.
/// - `exact`: the only rounding has number n.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SumDraws {
    key: u64,
    left: Side,
    right: Side,
    step: u64,
}

impl SumDraws {
    /// The words under an operation's key.
    pub const fn new(key: u64) -> SumDraws {
        let left = Side { first: 0, counter: LEFT };
        SumDraws { key, left, right: Side { first: 0, counter: RIGHT }, step: 0 }
    }

    /// The words of the part of a result that begins at this row, column and addition.
    pub const fn at(self, row: u64, column: u64, step: u64) -> SumDraws {
        SumDraws {
            key: self.key,
            left: self.left.moved(row),
            right: self.right.moved(column),
            step: self.step.wrapping_add(step),
        }
    }

    /// The words of the transposed result.
    pub const fn transposed(self) -> SumDraws {
        SumDraws { left: self.right, right: self.left, ..self }
    }

    /// The operation's key.
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The block with the word of an addition, which is counted from the whole operation's first.
    const fn block(&self, side: Side, index: u64, step: u64) -> [u32; 4] {
        let index = side.first.wrapping_add(index);
        let group = step / 4;
        seeded(self.key, [group as u32, index as u32, (index >> 32) as u32, side.counter])
    }

    /// The four words L of each of [`ROWS`] consecutive rows in the block that has an addition, and the place of its word in
    /// them. Compilers make vector code of it.
    #[inline(always)]
    pub fn left(&self, row: u64, step: u64) -> ([[u32; ROWS]; 4], usize) {
        let step = self.step.wrapping_add(step);
        let first = self.left.first.wrapping_add(row);
        let index: [u64; ROWS] = core::array::from_fn(|at| first.wrapping_add(at as u64));
        let (low, high) = (index.map(|index| index as u32), index.map(|index| (index >> 32) as u32));
        let counter = [[(step / 4) as u32; ROWS], low, high, [self.left.counter; ROWS]];
        (blocks([self.key as u32, (self.key >> 32) as u32], counter), (step % 4) as usize)
    }

    /// The 32 random bits W of an addition.
    pub const fn word(&self, row: u64, column: u64, step: u64) -> u32 {
        let step = self.step.wrapping_add(step);
        let at = (step % 4) as usize;
        mixed(self.block(self.left, row, step)[at] ^ self.block(self.right, column, step)[at])
    }
}

impl Side {
    const fn moved(self, by: u64) -> Side {
        Side { first: self.first.wrapping_add(by), counter: self.counter }
    }
}

/// W of x = L xor R.
#[inline]
pub const fn mixed(x: u32) -> u32 {
    let high = x >> 16;
    (x & 0xffff).wrapping_mul(high | 1) << 16 | high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_result_have_the_words_of_the_whole() {
        let whole = SumDraws::new(0x1234_5678_9abc_def0);
        let part = whole.at(3, 1 << 33, 5);
        for step in 0..9 {
            let word = whole.word(5, (1 << 33) + 7, 5 + step);
            assert_eq!(part.word(2, 7, step), word);
            assert_eq!(part.transposed().word(7, 2, step), word);
            let ((left, at), (right, other)) = (part.left(1, step), part.transposed().left(5, step));
            assert_eq!((mixed(left[at][1] ^ right[other][2]), at), (word, other));
        }
        assert_ne!(whole.word(0, 1, 0), whole.word(1, 0, 0));
    }

    /// All 2^16 lower halves give all 2^16 upper halves of W, for any upper half.
    #[test]
    fn mixing_is_a_bijection() {
        for high in [0u32, 1, 2, 0x8000, 0xffff, 0x1234] {
            let mut seen = alloc::vec![false; 1 << 16];
            for low in 0..1 << 16 {
                let word = mixed(high << 16 | low);
                assert_eq!(word & 0xffff, high);
                assert!(!core::mem::replace(&mut seen[(word >> 16) as usize], true));
            }
        }
    }

    /// The product of the first bits of four elements at a rectangle's corners, as signs, has mean 0.
    #[test]
    fn corners_of_rectangles_are_uncorrelated() {
        let draws = SumDraws::new(7);
        let sign = |row, column, step| 1 - 2 * (draws.word(row, column, step) >> 31) as i64;
        let count = 1 << 16;
        let corners = |step| sign(0, 0, step) * sign(0, 1, step) * sign(1, 0, step) * sign(1, 1, step);
        let sum: i64 = (0..count).map(corners).sum();
        assert!(sum.abs() < 5 << 8, "{sum} of {count}");
        let pairs: i64 = (0..count).map(|step| sign(0, 0, step) * sign(0, 1, step)).sum();
        assert!(pairs.abs() < 5 << 8, "{pairs} of {count}");
        let steps: i64 = (0..count).map(|step| sign(0, 0, step) * sign(0, 0, step + 1)).sum();
        assert!(steps.abs() < 5 << 8, "{steps} of {count}");
    }
}
