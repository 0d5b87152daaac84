//! Products with many zeros, for example after a rectifier: steps that would multiply by zero are left out.
//!
//! The elements of one operand are broadcast, so each of its vectors may take different steps. A vector becomes a list
//! of its nonzero elements, each with the position of the row of the other operand that it multiplies. The vectors of a
//! tile take as many steps as the longest of their lists. Shorter lists are padded with zeros, which change nothing.

use std::cell::Cell;
use std::ops::Range;

use binade_simd::Isa;

use super::micro::{Kernel, Shape, Word};
use super::source::{Source, transpose};
use super::{A_WORDS, B_WORDS, DEPTH, PackingBuffers, Panels, Product, Target, Tile, in_parallel, parts};
use crate::order::Order;

/// A kernel that may leave out steps with a zero once C is the sum of its parts. Such a step only rounds C to that sum.
pub(crate) trait Skipping: Kernel {
    /// As [`Kernel::run`], with the roles of A and B exchanged if `swapped`. The packed A is
    /// `[rows][LIST_LENGTH][words]`. Element s of row v multiplies the row of the packed B that begins `at[v][s]` bytes
    /// from `b`.
    ///
    /// # Safety
    /// `a` and `at` hold `steps` ≥ 1 steps for each row. `c` is a whole tile, and `b` has a row at each offset in `at`.
    unsafe fn run_lists(
        &self,
        swapped: bool,
        steps: usize,
        a: *const u32,
        at: *const u32,
        b: *const u32,
        c: *mut f32,
    );
}

/// Cost of making lists, in multiply-adds for each element.
const LISTING_COST: f64 = 3.0;

/// Cost of a step of a list relative to a step of consecutive rows, at most.
const GATHER_COST: f64 = 1.1;

/// Capacity of a list: the depth packed at once, in whole vectors, plus padding so that lists do not map to the same
/// sets of the first-level cache.
pub(super) const LIST_LENGTH: usize = DEPTH + 16;

/// A product of which one operand is converted to lists.
pub(super) struct NonzeroLists<'a> {
    product: &'a Product<'a>,
    kernel: &'a dyn Skipping,
    /// The operand that is converted to lists, and the other: their elements, vectors, and words of one element.
    listed: &'a dyn Source,
    other: &'a dyn Source,
    counts: [usize; 2],
    words: [&'static [Word]; 2],
    /// C, with one row for each list.
    c: Target,
    swapped: bool,
}

impl<'a> NonzeroLists<'a> {
    /// The product, if lists take less time; otherwise `None`.
    ///
    /// # Safety
    /// As [`Product::multiply`].
    pub(super) unsafe fn new(product: &'a Product<'a>) -> Option<NonzeroLists<'a>> {
        let &Product { kernel, order, a, b, c, rows, columns, .. } = product;
        let kernel = kernel.skipping().filter(|_| order == Order::Sequential)?;
        let tile = [kernel.rows(), kernel.columns()];
        let whole = |count: usize, size: usize| count.next_multiple_of(size) as f64;
        let time = |listed: &dyn Source, vectors: usize, others: usize| {
            let share = 1.0 - listed.zeros();
            whole(vectors, tile[0]) * (whole(others, tile[1]) * share * GATHER_COST + LISTING_COST)
        };
        let (of_a, of_b) = (time(a, rows, columns), time(b, columns, rows));
        let words = [kernel.a_words(), kernel.b_words()];
        if of_a.min(of_b) >= whole(rows, tile[0]) * whole(columns, tile[1]) {
            return None;
        }
        // SAFETY: the caller guarantees that nothing else accesses C.
        if !unsafe { is_sum_of_parts(product) } {
            return None;
        }
        Some(if of_a <= of_b {
            NonzeroLists {
                product,
                kernel,
                listed: a,
                other: b,
                counts: [rows, columns],
                words,
                c,
                swapped: false,
            }
        } else {
            let (words, counts) = ([words[1], words[0]], [columns, rows]);
            NonzeroLists {
                product,
                kernel,
                listed: b,
                other: a,
                counts,
                words,
                c: c.transposed(),
                swapped: true,
            }
        })
    }

    /// C ← C + A · B.
    ///
    /// # Safety
    /// As [`Product::multiply`].
    pub(super) unsafe fn multiply(&self, threads: usize) {
        let tile = (self.kernel.rows(), self.kernel.columns());
        in_parallel(parts((self.counts[0], self.counts[1]), tile, threads), |(vectors, others)| {
            // SAFETY: the parts are disjoint, and the caller guarantees that nothing else accesses C.
            unsafe { self.slab(vectors, others) }
        });
    }

    /// The product for some of the listed vectors and some of the others.
    ///
    /// # Safety
    /// As [`Product::multiply`].
    unsafe fn slab(&self, vectors: Range<usize>, others: Range<usize>) {
        let NonzeroLists { product, kernel, words, .. } = *self;
        let (height, width) = (kernel.rows(), kernel.columns());
        let step = product.step();
        let size = width * words[1].len();
        let most_vectors = (A_WORDS / (step * (words[0].len() + 1)) / height * height).max(height);
        let most_others = (B_WORDS / (step * words[1].len()) / width * width).max(width);
        let shape = Panels { width, lanes: kernel.lanes(), words: words[1], is_permuted: false, draws: None };
        let mut space = SPACE.take();
        let ThreadBuffers { packed, buffer, kept, panels } = &mut space;
        for left in others.clone().step_by(most_others) {
            let others = left..(left + most_others).min(others.end);
            for shallow in (0..product.depth).step_by(step) {
                let depths = shallow..(shallow + step).min(product.depth);
                product.pack(self.other, &shape, others.clone(), depths.clone(), buffer, packed);
                for top in vectors.clone().step_by(most_vectors) {
                    let vectors = top..(top + most_vectors).min(vectors.end);
                    self.collect_nonzeros(vectors.clone(), depths.clone(), buffer, kept);
                    let tiles = kept.order.chunks(height);
                    panels.resize_with(panels.len().max(tiles.len()), Panel::default);
                    for (rows, panel) in tiles.clone().zip(&mut *panels) {
                        self.pack(rows, kept, buffer, panel);
                    }
                    for (number, left) in others.clone().step_by(width).enumerate() {
                        let columns = left..(left + width).min(others.end);
                        let b = &packed[number * depths.len() * size..][..depths.len() * size];
                        for (rows, panel) in tiles.clone().zip(&*panels) {
                            let rows = rows.iter().map(|&row| top + row..top + row + 1);
                            let (a, at) = (panel.words.as_ptr(), panel.at.as_ptr());
                            let run = |_, sums: &mut [f32]| {
                                if panel.steps > 0 {
                                    let (b, sums) = (b.as_ptr(), sums.as_mut_ptr());
                                    // SAFETY: each list has `panel.steps` steps, whose offsets are rows of these
                                    // depths; the tile is whole.
                                    unsafe { kernel.run_lists(self.swapped, panel.steps, a, at, b, sums) };
                                }
                            };
                            // SAFETY: the tile is within the slab, which this thread alone accesses.
                            unsafe { product.on_tile(self.c, rows, columns.clone(), &depths, run) };
                        }
                    }
                }
            }
        }
        SPACE.set(space);
    }

    /// Converts vectors to lists of their nonzero elements.
    fn collect_nonzeros(
        &self,
        vectors: Range<usize>,
        depths: Range<usize>,
        buffer: &mut PackingBuffers,
        kept: &mut NonzeroRows,
    ) {
        let NonzeroLists { product, kernel, words: [_, others], .. } = *self;
        let (width, count) = (kernel.rows(), depths.len());
        let row_bytes = 4 * kernel.columns() * others.len();
        let NonzeroRows { transposed, elements, at, counts, order } = kept;
        transposed.resize(width * LIST_LENGTH, 0.0);
        elements.resize(vectors.len() * LIST_LENGTH, 0.0);
        at.resize(vectors.len() * LIST_LENGTH, 0);
        counts.clear();
        let mut lists = elements.chunks_exact_mut(LIST_LENGTH).zip(at.chunks_exact_mut(LIST_LENGTH));
        for top in vectors.clone().step_by(width) {
            let some = top..(top + width).min(vectors.end);
            buffer.block.clear();
            buffer.block.resize(count * width, 0.0);
            self.listed.block(some.clone(), depths.clone(), width, &mut buffer.block);
            product.inputs.round(&mut buffer.block);
            transpose(&buffer.block, width, [count, width], transposed, LIST_LENGTH);
            for (row, (kept, at)) in transposed.chunks_exact(LIST_LENGTH).zip(&mut lists).take(some.len()) {
                counts.push(collect_nonzeros(product.isa, &row[..count], row_bytes as u32, kept, at));
            }
        }
        order.clear();
        order.extend(0..vectors.len());
        order.sort_by_key(|&row| counts[row]);
    }

    /// Packs the lists of a tile.
    fn pack(&self, rows: &[usize], kept: &NonzeroRows, buffer: &mut PackingBuffers, panel: &mut Panel) {
        let NonzeroLists { product, kernel, words: [words, _], .. } = *self;
        let width = kernel.rows();
        panel.steps = rows.iter().map(|&row| kept.counts[row]).max().unwrap_or(0);
        panel.words.resize(width * LIST_LENGTH * words.len(), 0);
        panel.at.resize(width * LIST_LENGTH, 0);
        let (parts, flush) = product.inputs.parts();
        let shape = Shape { width: 1, lanes: 1, words, parts, flush, permutation: None };
        let packed = panel
            .words
            .chunks_exact_mut(LIST_LENGTH * words.len())
            .zip(panel.at.chunks_exact_mut(LIST_LENGTH));
        let mut rows = rows.iter();
        for (packed, at) in packed {
            let (packed, at) = (&mut packed[..panel.steps * words.len()], &mut at[..panel.steps]);
            let count = rows.next().map_or(0, |&row| {
                let (list, count) = (row * LIST_LENGTH, kept.counts[row]);
                kernel.pack(&kept.elements[list..][..count], &shape, &mut buffer.planes, packed);
                at[..count].copy_from_slice(&kept.at[list..][..count]);
                count
            });
            packed[count * words.len()..].fill(0);
            at[count..].fill(0);
        }
    }
}

/// The lists of a tile's vectors, [`LIST_LENGTH`] elements apart.
#[derive(Default)]
struct Panel {
    steps: usize,
    words: Vec<u32>,
    at: Vec<u32>,
}

thread_local! {
    /// Buffers large enough for lists of all elements. Allocating them for each small product would take too long.
    static SPACE: Cell<ThreadBuffers> = Cell::default();
}

/// Buffers that a thread reuses.
#[derive(Default)]
struct ThreadBuffers {
    packed: Vec<u32>,
    buffer: PackingBuffers,
    kept: NonzeroRows,
    panels: Vec<Panel>,
}

/// NonzeroLists before they are packed, [`LIST_LENGTH`] apart, and buffers for making them.
#[derive(Default)]
struct NonzeroRows {
    transposed: Vec<f32>,
    elements: Vec<f32>,
    at: Vec<u32>,
    counts: Vec<usize>,
    /// The vectors in order of the lengths of their lists, so that a tile has lists of about the same length.
    order: Vec<usize>,
}

/// True if every element of C is the sum of its parts and not −0.
///
/// # Safety
/// As [`Product::multiply`].
unsafe fn is_sum_of_parts(product: &Product) -> bool {
    let &Product { kernel, c, rows, columns, .. } = product;
    let (height, width) = (kernel.rows(), kernel.columns());
    let [mut given, mut settled] = [Tile::new(), Tile::new()];
    let [given, settled] = [&mut given, &mut settled].map(|tile| tile.zeros(height * width));
    let lefts = || (0..columns).step_by(width);
    let mut tiles = (0..rows).step_by(height).flat_map(|top| lefts().map(move |left| (top, left)));
    product.from_zero
        || tiles.all(|(top, left)| {
            let (rows, columns) = (top..(top + height).min(rows), left..(left + width).min(columns));
            // SAFETY: the rows and columns are within C, which nothing else accesses.
            unsafe { c.load(rows, columns, width, given) };
            settled.copy_from_slice(given);
            kernel.round_to_accumulator(settled);
            given.iter().zip(&*settled).all(|(given, settled)| given.to_bits() == settled.to_bits())
        })
}

/// Writes the nonzero elements of a row to `kept`, and `row_bytes` times their positions to `at`. Returns their number.
fn collect_nonzeros(isa: Isa, row: &[f32], row_bytes: u32, kept: &mut [f32], at: &mut [u32]) -> usize {
    assert!(row.len() <= kept.len().min(at.len()), "lists have space for all elements");
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx512() && row.len().next_multiple_of(LANES) <= kept.len().min(at.len()) {
        // SAFETY: the token proves that the machine has AVX-512 F; `kept` and `at` have space for whole vectors.
        return unsafe { collect_nonzeros_avx512(row, row_bytes, kept, at) };
    }
    let _ = isa;
    let mut count = 0;
    for (depth, &x) in row.iter().enumerate() {
        (kept[count], at[count]) = (x, depth as u32 * row_bytes);
        count += usize::from(x != 0.0);
    }
    count
}

#[cfg(target_arch = "x86_64")]
const LANES: usize = 16;

/// [`collect_nonzeros`] in vector code.
///
/// # Safety
/// The machine has AVX-512 F, and `kept` and `at` have space for the row rounded up to whole vectors.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn collect_nonzeros_avx512(row: &[f32], row_bytes: u32, kept: &mut [f32], at: &mut [u32]) -> usize {
    use core::arch::x86_64::*;
    const NUMBERS: [u32; LANES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    let (mut count, next) = (0, _mm512_set1_epi32((LANES as u32 * row_bytes) as i32));
    // SAFETY: NUMBERS has LANES elements.
    let numbers = unsafe { _mm512_loadu_si512(NUMBERS.as_ptr().cast()) };
    let mut places = _mm512_mullo_epi32(numbers, _mm512_set1_epi32(row_bytes as i32));
    for start in (0..row.len()).step_by(LANES) {
        let within = (1u32 << (row.len() - start).min(LANES)) - 1;
        // SAFETY: the mask excludes reads beyond the row. At most as many elements were kept as read, so by the
        // caller's guarantee a whole vector fits.
        unsafe {
            let x = _mm512_maskz_loadu_ps(within as u16, row.as_ptr().add(start));
            let some = _mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(x, _mm512_setzero_ps());
            _mm512_storeu_ps(kept.as_mut_ptr().add(count), _mm512_maskz_compress_ps(some, x));
            _mm512_storeu_si512(at.as_mut_ptr().add(count).cast(), _mm512_maskz_compress_epi32(some, places));
            count += some.count_ones() as usize;
        }
        places = _mm512_add_epi32(places, next);
    }
    count
}

#[cfg(test)]
mod tests {
    use binade::Operator;
    use binade::philox::Stream;

    use super::super::source::{Scan, Strided};
    use super::super::{Data, select};
    use super::*;
    use crate::{Matrix, MatrixMut, reference};

    /// C ← C + A · B of dense matrices of these sizes. Returns `None` without lists, otherwise true if they are of B's
    /// columns.
    fn product(
        operator: &Operator,
        isa: Isa,
        [rows, columns, depth]: [usize; 3],
        (a, b): (&[f32], &[f32]),
        (c, from_zero): (&mut [f32], bool),
        threads: usize,
    ) -> Option<bool> {
        let a = Strided { data: a, vectors: rows, depth, vector_stride: depth, depth_stride: 1 };
        let b = Strided { data: b, vectors: columns, depth, vector_stride: 1, depth_stride: columns };
        let scan = Scan { isa, threads };
        let magnitudes = [a.magnitudes(scan), b.magnitudes(scan), scan.numbers(c)];
        let data = Data { magnitudes: &|| magnitudes, depth };
        let selection = select(operator, Order::Sequential, isa, &data).unwrap();
        let c = Target { start: c.as_mut_ptr(), row_stride: columns, column_stride: 1 };
        let (kernel, inputs) = (&*selection.kernel, &selection.inputs);
        let order = Order::Sequential;
        let product = Product {
            isa,
            kernel,
            inputs,
            order,
            a: &a,
            b: &b,
            c,
            rows,
            columns,
            depth,
            from_zero,
            draws: binade::SumDraws::new(0),
        };
        // SAFETY: C is dense, and borrowed.
        let lists = unsafe { NonzeroLists::new(&product) }.map(|lists| lists.swapped);
        // SAFETY: C is dense, and borrowed.
        unsafe { product.multiply(threads) };
        lists
    }

    /// Covers lists of either operand, partial tiles, depths packed in parts, vectors of only zeros, and C both from +0
    /// and left by another product.
    #[test]
    fn products_that_skip_zeros_equal_products_that_do_not() {
        let mut random = Stream::new(5);
        let mut listed = [0, 0];
        for operator in ["bf16x2:bf16x2/3", "bf16x2:bf16x2/4", "bf16x3:bf16x3/6", "bf16x3:bf16x3/9"] {
            let operator: Operator = operator.parse().unwrap();
            for (sizes, shares, least) in [
                ([48, 32, 40], [0.6, 0.0], -20),
                ([32, 48, 40], [0.0, 0.6], -20),
                ([20, 35, 530], [0.9, 0.3], -4),
                ([35, 20, 530], [0.3, 1.0], -8),
            ] {
                let [rows, columns, depth] = sizes;
                let mut numbers = |count: usize, share: f32| -> Vec<f32> {
                    let number = |_| {
                        let (number, exponent) = (random.unit(), random.below(8) as i32 + least);
                        let zero = [0.0, -0.0][random.below(2)];
                        if random.unit().abs() < share { zero } else { number * 2f32.powi(exponent) }
                    };
                    (0..count).map(number).collect()
                };
                let (mut a, b) = (numbers(rows * depth, shares[0]), numbers(depth * columns, shares[1]));
                a[..depth].fill(0.0);
                let add = |c: &[f32]| {
                    let mut sums = c.to_vec();
                    let left = Matrix::new(&a, rows, depth).unwrap();
                    let right = Matrix::new(&b, depth, columns).unwrap();
                    let c = MatrixMut::new(&mut sums, rows, columns).unwrap();
                    reference::gemm(&operator, Order::Sequential, left, right, c).unwrap();
                    sums
                };
                let once = add(&vec![0.0; rows * columns]);
                let twice = add(&once);
                for isa in Isa::available() {
                    let mut given = vec![f32::NAN; rows * columns];
                    for (from_zero, wanted) in [(true, &once), (false, &twice)] {
                        let c = (&mut given[..], from_zero);
                        let lists = product(&operator, isa, sizes, (&a, &b), c, 1 + rows % 3);
                        lists.into_iter().for_each(|swapped| listed[usize::from(swapped)] += 1);
                        let same = given.iter().zip(wanted).all(|(x, y)| x.to_bits() == y.to_bits());
                        assert!(
                            same,
                            "{operator} on {isa}, {sizes:?}, from +0: {from_zero}, lists {lists:?}"
                        );
                    }
                }
            }
        }
        eprintln!("{listed:?} products with lists");
        let vectors = Isa::available().any(|isa| isa.to_string().starts_with("avx"));
        assert_eq!(vectors, listed.iter().all(|count| *count > 0));
    }

    /// The first step splits a C that is not the sum of its parts, even if it multiplies by zero; −0 becomes +0.
    #[test]
    fn initial_c_that_is_not_a_sum_of_parts_is_not_skipped() {
        let operator: Operator = "bf16x2:bf16x2/3".parse().unwrap();
        let (a, b) = (vec![0.0; 64 * 64], vec![1.0; 64 * 64]);
        for isa in Isa::available() {
            for c in [-0.0, 1.0 + 16385.0 * f32::EPSILON, 1.25] {
                let mut given = vec![c; 64 * 64];
                let lists = product(&operator, isa, [64; 3], (&a, &b), (&mut given, false), 1);
                let wanted = operator.multiply_add(0.0, 1.0, c);
                assert!(given.iter().all(|x| x.to_bits() == wanted.to_bits()), "{c} on {isa}");
                assert!(c == 1.25 || lists.is_none(), "{c} on {isa}");
            }
        }
    }

    #[test]
    fn lists_contain_the_nonzero_elements() {
        let mut random = Stream::new(6);
        for isa in Isa::available() {
            for length in [0, 1, 15, 16, 17, 100, 512] {
                let row: Vec<f32> = (0..length).map(|_| random.below(3) as f32 * -1.5).collect();
                let (mut kept, mut at) = (vec![7.0; LIST_LENGTH], vec![7; LIST_LENGTH]);
                let count = collect_nonzeros(isa, &row, 12, &mut kept, &mut at);
                let wanted = row.iter().enumerate().filter(|(_, x)| **x != 0.0);
                let wanted: Vec<(u32, f32)> = wanted.map(|(at, x)| (12 * at as u32, *x)).collect();
                let given: Vec<(u32, f32)> = at.into_iter().zip(kept).take(count).collect();
                assert_eq!(given, wanted, "{isa}");
            }
        }
    }
}
