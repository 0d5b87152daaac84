//! Products of many zeros, as of what a rectifier let through: the steps that would multiply by zero are left out.
//!
//! One operand's elements are broadcast, so each of its vectors may have steps of its own: it becomes a list of its elements
//! that are not zero, each with the place of the other operand's row that it meets. The vectors of a tile take as many steps
//! as their longest list; those that end before do steps with zeros, which change nothing.

use std::cell::Cell;
use std::ops::Range;

use binade_simd::Isa;

use super::micro::{Kernel, Shape, Word};
use super::source::{Source, turn};
use super::{A_WORDS, B_WORDS, DEPTH, Panels, Product, Room, Target, Tile, in_parallel, parts};
use crate::order::Order;

/// A kernel that may leave out steps with a zero, once C is the sum of its parts: all that such a step does is to make it that.
pub(crate) trait Skipping: Kernel {
    /// As [`Kernel::run`], with A and B in exchanged roles if `turned`: what is packed as A is `[rows][LIST][words]`, and element s
    /// of row v meets the row of what is packed as B that begins `at[v][s]` bytes from `b`.
    ///
    /// # Safety
    /// `a` and `at` hold rows of that many steps, at least 1, `c` a whole tile, `b` a row wherever `at` says.
    unsafe fn run_lists(
        &self,
        turned: bool,
        steps: usize,
        a: *const u32,
        at: *const u32,
        b: *const u32,
        c: *mut f32,
    );
}

/// What making lists takes, in multiply-adds for each element.
const LISTING: f64 = 3.0;

/// What a step of a list takes more than one of rows that follow each other, at most.
const APART: f64 = 1.1;

/// Elements for which a list has room: the depth packed at once, in whole vectors, and some more, so that lists do not
/// lie at the same places of the first-level cache.
pub(super) const LIST: usize = DEPTH + 16;

/// A product of which one operand becomes lists.
pub(super) struct Lists<'a> {
    product: &'a Product<'a>,
    kernel: &'a dyn Skipping,
    /// What becomes lists, and the other one: their elements, vectors, and words of one element.
    listed: &'a dyn Source,
    other: &'a dyn Source,
    counts: [usize; 2],
    words: [&'static [Word]; 2],
    /// With a row for each list.
    c: Target,
    turned: bool,
}

impl<'a> Lists<'a> {
    /// If that takes less time.
    ///
    /// # Safety
    /// As [`Product::multiply`].
    pub(super) unsafe fn new(product: &'a Product<'a>) -> Option<Lists<'a>> {
        let &Product { kernel, order, a, b, c, rows, columns, .. } = product;
        let kernel = kernel.skipping().filter(|_| order == Order::Sequential)?;
        let tile = [kernel.rows(), kernel.columns()];
        let whole = |count: usize, size: usize| count.next_multiple_of(size) as f64;
        let time = |listed: &dyn Source, vectors: usize, others: usize| {
            let share = 1.0 - listed.zeros();
            whole(vectors, tile[0]) * (whole(others, tile[1]) * share * APART + LISTING)
        };
        let (of_a, of_b) = (time(a, rows, columns), time(b, columns, rows));
        let words = [kernel.a_words(), kernel.b_words()];
        // SAFETY: the caller's promise.
        if of_a.min(of_b) >= whole(rows, tile[0]) * whole(columns, tile[1]) || !unsafe { is_settled(product) }
        {
            return None;
        }
        Some(if of_a <= of_b {
            Lists { product, kernel, listed: a, other: b, counts: [rows, columns], words, c, turned: false }
        } else {
            let (words, counts) = ([words[1], words[0]], [columns, rows]);
            Lists { product, kernel, listed: b, other: a, counts, words, c: c.turned(), turned: true }
        })
    }

    /// # Safety
    /// As [`Product::multiply`].
    pub(super) unsafe fn multiply(&self, threads: usize) {
        let tile = (self.kernel.rows(), self.kernel.columns());
        in_parallel(parts((self.counts[0], self.counts[1]), tile, threads), |(vectors, others)| {
            // SAFETY: the parts are disjoint, and the caller's promise.
            unsafe { self.slab(vectors, others) }
        });
    }

    /// # Safety
    /// As [`Product::multiply`].
    unsafe fn slab(&self, vectors: Range<usize>, others: Range<usize>) {
        let Lists { product, kernel, words, .. } = *self;
        let (height, width) = (kernel.rows(), kernel.columns());
        let step = product.step();
        let size = width * words[1].len();
        let most_vectors = (A_WORDS / (step * (words[0].len() + 1)) / height * height).max(height);
        let most_others = (B_WORDS / (step * words[1].len()) / width * width).max(width);
        let shape = Panels { width, lanes: kernel.lanes(), words: words[1], moves: false };
        let mut space = SPACE.take();
        let Space { packed, room, kept, panels } = &mut space;
        for left in others.clone().step_by(most_others) {
            let others = left..(left + most_others).min(others.end);
            for shallow in (0..product.depth).step_by(step) {
                let depths = shallow..(shallow + step).min(product.depth);
                product.pack(self.other, &shape, others.clone(), depths.clone(), room, packed);
                for top in vectors.clone().step_by(most_vectors) {
                    let vectors = top..(top + most_vectors).min(vectors.end);
                    self.keep(vectors.clone(), depths.clone(), room, kept);
                    let tiles = kept.order.chunks(height);
                    panels.resize_with(panels.len().max(tiles.len()), Panel::default);
                    for (rows, panel) in tiles.clone().zip(&mut *panels) {
                        self.pack(rows, kept, room, panel);
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
                                    // SAFETY: lists of so many steps, which name rows of these depths; the tile is whole.
                                    unsafe { kernel.run_lists(self.turned, panel.steps, a, at, b, sums) };
                                }
                            };
                            // SAFETY: within the slab, and the caller's promise.
                            unsafe { product.on_tile(self.c, rows, columns.clone(), &depths, run) };
                        }
                    }
                }
            }
        }
        SPACE.set(space);
    }

    /// Makes lists of vectors' elements.
    fn keep(&self, vectors: Range<usize>, depths: Range<usize>, room: &mut Room, kept: &mut Kept) {
        let Lists { product, kernel, words: [_, others], .. } = *self;
        let (width, count) = (kernel.rows(), depths.len());
        let apart = 4 * kernel.columns() * others.len();
        let Kept { turned, elements, at, counts, order } = kept;
        turned.resize(width * LIST, 0.0);
        elements.resize(vectors.len() * LIST, 0.0);
        at.resize(vectors.len() * LIST, 0);
        counts.clear();
        let mut lists = elements.chunks_exact_mut(LIST).zip(at.chunks_exact_mut(LIST));
        for top in vectors.clone().step_by(width) {
            let some = top..(top + width).min(vectors.end);
            room.block.clear();
            room.block.resize(count * width, 0.0);
            self.listed.block(some.clone(), depths.clone(), width, &mut room.block);
            product.inputs.round(&mut room.block);
            turn(&room.block, width, [count, width], turned, LIST);
            for (row, (kept, at)) in turned.chunks_exact(LIST).zip(&mut lists).take(some.len()) {
                counts.push(keep(product.isa, &row[..count], apart as u32, kept, at));
            }
        }
        order.clear();
        order.extend(0..vectors.len());
        order.sort_by_key(|&row| counts[row]);
    }

    /// Packs a tile's lists.
    fn pack(&self, rows: &[usize], kept: &Kept, room: &mut Room, panel: &mut Panel) {
        let Lists { product, kernel, words: [words, _], .. } = *self;
        let width = kernel.rows();
        panel.steps = rows.iter().map(|&row| kept.counts[row]).max().unwrap_or(0);
        panel.words.resize(width * LIST * words.len(), 0);
        panel.at.resize(width * LIST, 0);
        let (parts, flush) = product.inputs.parts();
        let shape = Shape { width: 1, lanes: 1, words, parts, flush, permutation: None };
        let packed = panel.words.chunks_exact_mut(LIST * words.len()).zip(panel.at.chunks_exact_mut(LIST));
        let mut rows = rows.iter();
        for (packed, at) in packed {
            let (packed, at) = (&mut packed[..panel.steps * words.len()], &mut at[..panel.steps]);
            let count = rows.next().map_or(0, |&row| {
                let (list, count) = (row * LIST, kept.counts[row]);
                kernel.pack(&kept.elements[list..][..count], &shape, &mut room.planes, packed);
                at[..count].copy_from_slice(&kept.at[list..][..count]);
                count
            });
            packed[count * words.len()..].fill(0);
            at[count..].fill(0);
        }
    }
}

/// The lists of a tile's vectors: those of elements [`LIST`] elements apart.
#[derive(Default)]
struct Panel {
    steps: usize,
    words: Vec<u32>,
    at: Vec<u32>,
}

thread_local! {
    /// Lists have room for all elements, which takes long to make for small products.
    static SPACE: Cell<Space> = Cell::default();
}

/// Memory that a thread uses again.
#[derive(Default)]
struct Space {
    packed: Vec<u32>,
    room: Room,
    kept: Kept,
    panels: Vec<Panel>,
}

/// Lists before they are packed, [`LIST`] apart, and memory that making them uses again.
#[derive(Default)]
struct Kept {
    turned: Vec<f32>,
    elements: Vec<f32>,
    at: Vec<u32>,
    counts: Vec<usize>,
    /// The vectors by the lengths of their lists, so that those of a tile are about as long.
    order: Vec<usize>,
}

/// Whether C is the sum of its parts, +0 at least.
///
/// # Safety
/// As [`Product::multiply`].
unsafe fn is_settled(product: &Product) -> bool {
    let &Product { kernel, c, rows, columns, .. } = product;
    let (height, width) = (kernel.rows(), kernel.columns());
    let [mut given, mut settled] = [Tile::new(), Tile::new()];
    let [given, settled] = [&mut given, &mut settled].map(|tile| tile.zeros(height * width));
    let lefts = || (0..columns).step_by(width);
    let mut tiles = (0..rows).step_by(height).flat_map(|top| lefts().map(move |left| (top, left)));
    product.fresh
        || tiles.all(|(top, left)| {
            let (rows, columns) = (top..(top + height).min(rows), left..(left + width).min(columns));
            // SAFETY: the caller's promise.
            unsafe { c.load(rows, columns, width, given) };
            settled.copy_from_slice(given);
            kernel.settle(settled);
            given.iter().zip(&*settled).all(|(given, settled)| given.to_bits() == settled.to_bits())
        })
}

/// The elements of a row that are not zero, and `apart` times where they were: how many.
fn keep(isa: Isa, row: &[f32], apart: u32, kept: &mut [f32], at: &mut [u32]) -> usize {
    assert!(row.len() <= kept.len().min(at.len()), "room for all elements");
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx512() && row.len().next_multiple_of(LANES) <= kept.len().min(at.len()) {
        // SAFETY: the token proves that the machine has AVX-512 F; there is room for whole vectors.
        return unsafe { keep_avx512(row, apart, kept, at) };
    }
    let _ = isa;
    let mut count = 0;
    for (depth, &x) in row.iter().enumerate() {
        (kept[count], at[count]) = (x, depth as u32 * apart);
        count += usize::from(x != 0.0);
    }
    count
}

#[cfg(target_arch = "x86_64")]
const LANES: usize = 16;

/// # Safety
/// The machine has AVX-512 F, and `kept` and `at` have room for the row in whole vectors.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn keep_avx512(row: &[f32], apart: u32, kept: &mut [f32], at: &mut [u32]) -> usize {
    use core::arch::x86_64::*;
    const NUMBERS: [u32; LANES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
    let (mut count, next) = (0, _mm512_set1_epi32((LANES as u32 * apart) as i32));
    // SAFETY: so many numbers.
    let numbers = unsafe { _mm512_loadu_si512(NUMBERS.as_ptr().cast()) };
    let mut places = _mm512_mullo_epi32(numbers, _mm512_set1_epi32(apart as i32));
    for start in (0..row.len()).step_by(LANES) {
        let within = (1u32 << (row.len() - start).min(LANES)) - 1;
        // SAFETY: what is beyond the row is not read; up to here no more elements were kept than read, so that a whole vector
        // fits, by the caller's promise.
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

    use super::super::source::{Extent, Strided};
    use super::super::{Data, select};
    use super::*;
    use crate::{Matrix, MatrixMut, reference};

    /// C ← C + A · B of dense matrices of these sizes, whether with lists, and if so of B's columns.
    fn product(
        operator: &Operator,
        isa: Isa,
        [rows, columns, depth]: [usize; 3],
        (a, b): (&[f32], &[f32]),
        (c, fresh): (&mut [f32], bool),
        threads: usize,
    ) -> Option<bool> {
        let a = Strided { data: a, vectors: rows, depth, vector_stride: depth, depth_stride: 1 };
        let b = Strided { data: b, vectors: columns, depth, vector_stride: 1, depth_stride: columns };
        let extents = [a.extent(), b.extent(), Extent::EMPTY.with(c)];
        let data = Data { extents: &|| extents, depth };
        let selection = select(operator, Order::Sequential, isa, &data).unwrap();
        let c = Target { start: c.as_mut_ptr(), row_stride: columns, column_stride: 1 };
        let (kernel, inputs) = (&*selection.kernel, &selection.inputs);
        let order = Order::Sequential;
        let product = Product { isa, kernel, inputs, order, a: &a, b: &b, c, rows, columns, depth, fresh };
        // SAFETY: C is dense, and borrowed.
        let lists = unsafe { Lists::new(&product) }.map(|lists| lists.turned);
        // SAFETY: as above.
        unsafe { product.multiply(threads) };
        lists
    }

    /// The definition's bits, with lists of either operand: rows and columns that are not whole tiles, depths packed in parts,
    /// vectors of nothing but zeros, C from +0 on and C that another product left.
    #[test]
    fn steps_with_zeros_are_left_out_without_a_trace() {
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
                    for (fresh, wanted) in [(true, &once), (false, &twice)] {
                        let c = (&mut given[..], fresh);
                        let lists = product(&operator, isa, sizes, (&a, &b), c, 1 + rows % 3);
                        lists.into_iter().for_each(|turned| listed[usize::from(turned)] += 1);
                        let same = given.iter().zip(wanted).all(|(x, y)| x.to_bits() == y.to_bits());
                        assert!(same, "{operator} on {isa}, {sizes:?}, from +0: {fresh}, lists {lists:?}");
                    }
                }
            }
        }
        eprintln!("{listed:?} products with lists");
        let vectors = Isa::available().any(|isa| isa.to_string().starts_with("avx"));
        assert_eq!(vectors, listed.iter().all(|count| *count > 0));
    }

    /// A C that is not the sum of its parts is split as it is by the first step, zero or not, and −0 becomes +0.
    #[test]
    fn c_that_no_step_left_is_not_skipped() {
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
    fn lists_are_the_elements_that_are_not_zero() {
        let mut random = Stream::new(6);
        for isa in Isa::available() {
            for length in [0, 1, 15, 16, 17, 100, 512] {
                let row: Vec<f32> = (0..length).map(|_| random.below(3) as f32 * -1.5).collect();
                let (mut kept, mut at) = (vec![7.0; LIST], vec![7; LIST]);
                let count = keep(isa, &row, 12, &mut kept, &mut at);
                let wanted = row.iter().enumerate().filter(|(_, x)| **x != 0.0);
                let wanted: Vec<(u32, f32)> = wanted.map(|(at, x)| (12 * at as u32, *x)).collect();
                let given: Vec<(u32, f32)> = at.into_iter().zip(kept).take(count).collect();
                assert_eq!(given, wanted, "{isa}");
            }
        }
    }
}
