//! The random words of panels, for kernels whose sums are rounded stochastically.

use binade::SumDraws;
use binade::draws::ROWS;

/// A panel's place in a result: its vectors and depths, and the first of each.
#[derive(Clone, Copy)]
pub(crate) struct PanelPlace {
    pub(crate) vectors: usize,
    pub(crate) depth: usize,
    pub(crate) first_vector: usize,
    pub(crate) first_depth: usize,
}

/// Fills the words of a panel that a kernel's steps take as parts 1 and 2: L of its vectors, and its upper half. The layout
/// is `[depth][width / lanes][3][lanes]`.
#[inline(always)]
pub(super) fn fill_words(
    packed: &mut [u32],
    [width, lanes]: [usize; 2],
    draws: &SumDraws,
    PanelPlace { vectors, depth, first_vector, first_depth }: PanelPlace,
) {
    let size = 3 * width;
    assert!(packed.len() >= depth * size && vectors <= width);
    for base in (0..vectors).step_by(ROWS) {
        let count = ROWS.min(vectors - base);
        let mut step = 0;
        while step < depth {
            let (words, at) = draws.left((first_vector + base) as u64, (first_depth + step) as u64);
            for words in words.iter().skip(at).take(depth - step) {
                let to = &mut packed[step * size..][..size];
                for (vector, word) in words[..count].iter().enumerate() {
                    let at = (base + vector) / lanes * 3 * lanes + (base + vector) % lanes + lanes;
                    to[at] = *word;
                    to[at + lanes] = word >> 16;
                }
                step += 1;
            }
        }
    }
}
