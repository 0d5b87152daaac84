//! Philox4x32-10, the counter-based generator behind stochastic rounding.
//!
//! Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011). A word is a pure function
//! of seed and index, so that a result never depends on chunking, threads or vector width.

const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

/// One block: the ten-round bijection of the counter under the key.
#[inline]
pub const fn block(key: [u32; 2], counter: [u32; 4]) -> [u32; 4] {
    let ([mut k0, mut k1], [mut c0, mut c1, mut c2, mut c3]) = (key, counter);
    let mut round = 0;
    while round < 10 {
        let p0 = MULTIPLIERS[0] as u64 * c0 as u64;
        let p1 = MULTIPLIERS[1] as u64 * c2 as u64;
        (c0, c1, c2, c3) = ((p1 >> 32) as u32 ^ c1 ^ k0, p1 as u32, (p0 >> 32) as u32 ^ c3 ^ k1, p0 as u32);
        k0 = k0.wrapping_add(WEYL[0]);
        k1 = k1.wrapping_add(WEYL[1]);
        round += 1;
    }
    [c0, c1, c2, c3]
}

/// The blocks of `LANES` counters, word by word, for compilers that make vector code of it.
#[inline(always)]
pub fn blocks<const LANES: usize>(key: [u32; 2], counters: [[u32; LANES]; 4]) -> [[u32; LANES]; 4] {
    let ([mut k0, mut k1], [mut c0, mut c1, mut c2, mut c3]) = (key, counters);
    for _ in 0..10 {
        let (mut d0, mut d1, mut d2, mut d3) = ([0; LANES], [0; LANES], [0; LANES], [0; LANES]);
        for lane in 0..LANES {
            let p0 = MULTIPLIERS[0] as u64 * c0[lane] as u64;
            let p1 = MULTIPLIERS[1] as u64 * c2[lane] as u64;
            d0[lane] = (p1 >> 32) as u32 ^ c1[lane] ^ k0;
            d1[lane] = p1 as u32;
            d2[lane] = (p0 >> 32) as u32 ^ c3[lane] ^ k1;
            d3[lane] = p0 as u32;
        }
        (c0, c1, c2, c3) = (d0, d1, d2, d3);
        k0 = k0.wrapping_add(WEYL[0]);
        k1 = k1.wrapping_add(WEYL[1]);
    }
    [c0, c1, c2, c3]
}

/// The block of a counter under a seed, whose low half is the first word of the key.
#[inline]
pub const fn seeded(seed: u64, counter: [u32; 4]) -> [u32; 4] {
    block([seed as u32, (seed >> 32) as u32], counter)
}

/// The 32 random bits of element `index` under `seed`: word `index mod 4` of block `index div 4`, keyed by the seed
/// with its low half first.
#[inline]
pub const fn word(seed: u64, index: u64) -> u32 {
    let number = index / 4;
    seeded(seed, [number as u32, (number >> 32) as u32, 0, 0])[(index % 4) as usize]
}

/// The N = `bits` random bits R (1 to 32) for stochastic rounding of element `index` under `seed`: the top bits of its
/// [`word`].
#[inline]
pub const fn draw(seed: u64, index: u64, bits: u32) -> u32 {
    let unused = 32u32.saturating_sub(bits);
    word(seed, index) >> if unused > 31 { 31 } else { unused }
}

/// The key of an operation's random words: a chain of Philox blocks from a seed over numbers that identify the operation.
/// Such numbers are the step of a training, the operation's place in a program, and its executions before.
///
/// The key begins as the seed. For number n at place p of `count` numbers, it becomes words 0 (low) and 1 of the block
/// with counter (n, p, count, 3) under it. Without numbers it is the seed.
pub const fn stream(seed: u64, numbers: &[u32]) -> u64 {
    let (mut key, mut place) = (seed, 0);
    while place < numbers.len() {
        let [low, high, ..] = seeded(key, [numbers[place], place as u32, numbers.len() as u32, 3]);
        key = (high as u64) << 32 | low as u64;
        place += 1;
    }
    key
}

/// The words under a seed in order, from [`word`] 0: pseudorandom data that is the same on every machine.
#[derive(Clone, Debug)]
pub struct Stream {
    seed: u64,
    /// The index of the next word.
    next: u64,
    /// The block of the next word, unless that is the first of its block.
    block: [u32; 4],
}

impl Stream {
    /// The words under this seed.
    pub const fn new(seed: u64) -> Stream {
        Stream { seed, next: 0, block: [0; 4] }
    }

    /// The next word.
    #[inline]
    pub const fn word(&mut self) -> u32 {
        let (number, at) = (self.next / 4, self.next % 4);
        if at == 0 {
            self.block = seeded(self.seed, [number as u32, (number >> 32) as u32, 0, 0]);
        }
        self.next = self.next.wrapping_add(1);
        self.block[at as usize]
    }

    /// Two words, the first on top.
    #[inline]
    pub const fn bits(&mut self) -> u64 {
        (self.word() as u64) << 32 | self.word() as u64
    }

    /// A number below `n` from two words, uniform to within n / 2^64; 0 if `n` is 0.
    #[inline]
    pub const fn below(&mut self, n: usize) -> usize {
        ((self.bits() as u128 * n as u128) >> 64) as usize
    }

    /// True with probability 1 / `n`; always if `n` is 0.
    #[inline]
    pub const fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// A random element of a slice.
    ///
    /// # Panics
    /// If the slice is empty.
    #[inline]
    pub const fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    /// A multiple of 2^−23 in [−1, 1), from a word.
    #[inline]
    pub const fn unit(&mut self) -> f32 {
        (self.word() >> 8) as f32 / (1 << 23) as f32 - 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::{Stream, block, blocks, stream, word};

    #[test]
    fn keys_of_operations_differ_by_every_number() {
        assert_eq!(stream(5, &[]), 5);
        let keys = [
            stream(5, &[0]),
            stream(5, &[1]),
            stream(6, &[0]),
            stream(5, &[0, 0]),
            stream(5, &[0, 1]),
            stream(5, &[1, 0]),
            stream(5 << 32, &[0]),
        ];
        for (at, key) in keys.iter().enumerate() {
            assert!(!keys[..at].contains(key));
        }
    }

    #[test]
    fn streams_give_the_words_in_order() {
        for seed in [0, 1, u64::MAX] {
            let mut stream = Stream::new(seed);
            for index in 0..19 {
                assert_eq!(stream.word(), word(seed, index));
            }
            let bits = stream.bits();
            assert_eq!([(bits >> 32) as u32, bits as u32], [word(seed, 19), word(seed, 20)]);
        }
    }

    #[test]
    fn numbers_below_n_reach_every_value() {
        let mut stream = Stream::new(3);
        let mut seen = [0; 7];
        for _ in 0..7000 {
            seen[stream.below(7)] += 1;
            assert!((-1.0..1.0).contains(&stream.unit()));
        }
        assert!(seen.iter().all(|count| (800..1200).contains(count)), "{seen:?}");
        assert_eq!((stream.below(0), stream.below(1)), (0, 0));
    }

    #[test]
    fn blocks_of_many_counters_equal_single_ones() {
        let counters = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [u32::MAX, 0, 1]];
        let all = blocks([3, 4], counters);
        for lane in 0..3 {
            assert_eq!(all.map(|word| word[lane]), block([3, 4], counters.map(|word| word[lane])));
        }
    }

    /// The known answers published with Random123 for philox4x32-10.
    #[test]
    fn blocks_equal_the_known_answers() {
        assert_eq!(block([0; 2], [0; 4]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(block([!0; 2], [!0; 4]), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        assert_eq!(
            block([0xa409_3822, 0x299f_31d0], [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344]),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }
}
