//! Matrix products for [`Multiplier`](crate::Multiplier): cuts C into tiles, packs A and B, and runs kernels in the
//! order of accumulation.

#[cfg(target_arch = "x86_64")]
mod aligned;
#[cfg(target_arch = "x86_64")]
mod assembly;
#[cfg(target_arch = "x86_64")]
mod avx512_bf16;
pub(crate) mod elementwise;
#[cfg(target_arch = "x86_64")]
mod guard;
pub(crate) mod levels;
mod micro;
mod modes;
pub(crate) mod offsets;
#[cfg(target_arch = "x86_64")]
mod ranged;
pub(crate) mod rules;
mod select;
pub(crate) mod skinny;
mod skipping;
pub(crate) mod source;
#[cfg(target_arch = "x86_64")]
mod veltkamp;
mod words;

use std::mem::MaybeUninit;
use std::ops::Range;

use crate::order::Order;
use binade::SumDraws;
use binade_simd::threads::each;
use binade_simd::{Environment, Isa};
pub(crate) use micro::Inputs;
use micro::{Kernel, Planes, Shape, TILE, Word};
use words::PanelPlace;

pub(crate) use select::{Data, exact_rounding, has_kernel, inputs_of, rounding_to, select, select_exact};
use skipping::NonzeroLists;
use source::{MagnitudeRange, Scan, Source, transpose_at};

/// Depth packed at once: a panel of B of this depth fits the first-level cache.
const DEPTH: usize = 512;
/// Words of packed A that are reused for every panel of B: half of the second-level cache.
const A_WORDS: usize = 96 << 10;
/// Depth up to which loading and storing a tile of C takes longer than its sums. If C is also larger than [`A_WORDS`],
/// the rows of C are written in order. Otherwise each panel of B is used for all of A.
const SHALLOW: usize = 64;
/// Words of packed B if A is packed in parts.
const B_WORDS: usize = 1 << 20;
/// Words of packed B if A is packed whole: they stay in the second-level cache.
const B_WORDS_CACHED: usize = 64 << 10;

/// C, as an address and strides.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    pub(crate) start: *mut f32,
    pub(crate) row_stride: usize,
    pub(crate) column_stride: usize,
}

// SAFETY: each thread accesses rows or columns of C that no other thread accesses, see `Product::multiply`.
unsafe impl Send for Target {}
// SAFETY: each thread accesses rows or columns of C that no other thread accesses, see `Product::multiply`.
unsafe impl Sync for Target {}

impl Target {
    /// The address of an element.
    ///
    /// # Safety
    /// `row` and `column` are within C.
    pub(crate) unsafe fn at(self, row: usize, column: usize) -> *mut f32 {
        // SAFETY: the caller guarantees that the element is within C.
        unsafe { self.start.add(row * self.row_stride + column * self.column_stride) }
    }

    /// The range of magnitudes in the first `rows` rows and `columns` columns.
    ///
    /// # Safety
    /// The rows and columns are within C and no other thread writes there.
    pub(crate) unsafe fn magnitudes(self, scan: Scan, rows: usize, columns: usize) -> MagnitudeRange {
        let mut magnitudes = MagnitudeRange::EMPTY;
        if self.is_column_major() {
            // SAFETY: the caller guarantees that the rows and columns are within C and that no thread writes to them.
            return unsafe { self.transposed().magnitudes(scan, columns, rows) };
        }
        for row in 0..rows {
            if self.column_stride == 1 {
                // SAFETY: `columns` elements of a row are contiguous here, within C, and not written meanwhile.
                let row = unsafe { std::slice::from_raw_parts(self.at(row, 0), columns) };
                magnitudes = magnitudes.joined(scan.numbers(row));
                continue;
            }
            for column in 0..columns {
                // SAFETY: the caller guarantees that the element is within C and not written meanwhile.
                magnitudes = magnitudes.with(&[unsafe { self.at(row, column).read() }]);
            }
        }
        magnitudes
    }

    /// True if the elements of a column are contiguous and those of a row are not.
    fn is_column_major(self) -> bool {
        self.row_stride == 1 && self.column_stride != 1
    }

    /// C with rows and columns exchanged.
    fn transposed(self) -> Target {
        Target { row_stride: self.column_stride, column_stride: self.row_stride, ..self }
    }

    /// Reads a tile of C, whose rows are `width` apart in `tile`.
    ///
    /// # Safety
    /// The rows and columns are within C and no other thread writes there.
    unsafe fn load(self, rows: Range<usize>, columns: Range<usize>, width: usize, tile: &mut [f32]) {
        if self.is_column_major() {
            let sizes = [columns.len().min(width), rows.len().min(tile.len() / width)];
            // SAFETY: the caller guarantees that the rows and columns are within C; `tile` has `width` elements for
            // each row.
            return unsafe {
                transpose_at(
                    self.at(rows.start, columns.start),
                    self.column_stride,
                    sizes,
                    tile.as_mut_ptr(),
                    width,
                )
            };
        }
        for (row, tile) in rows.zip(tile.chunks_exact_mut(width)) {
            if self.column_stride == 1 {
                // SAFETY: a row of C has `columns.len()` contiguous elements, and a row of the tile has `width`.
                unsafe { copy_row(self.at(row, columns.start), tile.as_mut_ptr(), columns.len().min(width)) };
                continue;
            }
            for (column, to) in columns.clone().zip(tile) {
                // SAFETY: the caller guarantees that the element is within C.
                *to = unsafe { self.at(row, column).read() };
            }
        }
    }

    /// Writes a tile to C.
    ///
    /// # Safety
    /// The rows and columns are within C, and no other thread reads or writes there.
    unsafe fn store(self, rows: Range<usize>, columns: Range<usize>, width: usize, tile: &[f32]) {
        if self.is_column_major() {
            let sizes = [rows.len().min(tile.len() / width), columns.len().min(width)];
            // SAFETY: the rows and columns are within C and used by this thread alone; `tile` has `width` elements for
            // each row.
            return unsafe {
                transpose_at(
                    tile.as_ptr(),
                    width,
                    sizes,
                    self.at(rows.start, columns.start),
                    self.column_stride,
                )
            };
        }
        for (row, tile) in rows.zip(tile.chunks_exact(width)) {
            if self.column_stride == 1 {
                // SAFETY: a row of C has `columns.len()` contiguous elements, and a row of the tile has `width`.
                unsafe { copy_row(tile.as_ptr(), self.at(row, columns.start), columns.len().min(width)) };
                continue;
            }
            for (column, from) in columns.clone().zip(tile) {
                // SAFETY: the element is within C and used by this thread alone.
                unsafe { self.at(row, column).write(*from) };
            }
        }
    }
}

/// Copies a row of a tile. Rows of 16 elements have a copy of constant length, which is faster than a call of `memcpy`.
///
/// # Safety
/// `from` and `to` are valid for `count` elements, and do not overlap.
#[inline(always)]
unsafe fn copy_row(from: *const f32, to: *mut f32, count: usize) {
    // SAFETY: the caller guarantees `count` elements on both sides.
    unsafe {
        match count {
            16 => to.cast::<[f32; 16]>().write(from.cast::<[f32; 16]>().read()),
            _ => to.copy_from_nonoverlapping(from, count),
        }
    }
}

/// A product C ← C + A · B in any order but `exact`, `lanes` and `any`.
pub(crate) struct Product<'a> {
    pub(crate) isa: Isa,
    pub(crate) kernel: &'a dyn Kernel,
    pub(crate) inputs: &'a Inputs,
    pub(crate) order: Order,
    pub(crate) a: &'a dyn Source,
    pub(crate) b: &'a dyn Source,
    pub(crate) c: Target,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) depth: usize,
    /// True if sums start from +0 instead of C.
    pub(crate) from_zero: bool,
    /// The random words of C's elements.
    pub(crate) draws: SumDraws,
}

/// Splits the larger of two dimensions among threads, at multiples of a tile's size. Returns ranges of rows and
/// columns.
pub(crate) fn parts(
    (rows, columns): (usize, usize),
    (tile_rows, tile_columns): (usize, usize),
    threads: usize,
) -> Vec<(Range<usize>, Range<usize>)> {
    let threads = threads.max(1);
    let cut = |length: usize, tile: usize| {
        let size = length.div_ceil(threads).next_multiple_of(tile).max(1);
        (0..length).step_by(size).map(move |start| start..(start + size).min(length)).collect::<Vec<_>>()
    };
    if columns / tile_columns >= rows / tile_rows {
        cut(columns, tile_columns).into_iter().map(|range| (0..rows, range)).collect()
    } else {
        cut(rows, tile_rows).into_iter().map(|range| (range, 0..columns)).collect()
    }
}

/// Runs `work` on each piece, a thread for each, the first one on this thread; in the default floating-point
/// environment.
pub(crate) fn in_parallel<T: Send>(pieces: Vec<T>, work: impl Fn(T) + Sync) {
    each(true, pieces, |piece| {
        let _environment = Environment::enter();
        work(piece);
    });
}

/// The packed layout of an operand: panels of `width` vectors, with `words` words for each element of a group of
/// `lanes` vectors.
struct Panels {
    width: usize,
    lanes: usize,
    words: &'static [Word],
    /// True if the kernel's permutation applies to this operand.
    is_permuted: bool,
    /// The random words beside each element, those of rows, if the kernel takes such words.
    draws: Option<SumDraws>,
}

/// Buffers that packing reuses.
#[derive(Default)]
struct PackingBuffers {
    block: Vec<f32>,
    planes: Planes,
}

impl Product<'_> {
    /// C ← C + A · B.
    ///
    /// # Safety
    /// All elements of C of these rows and columns are at distinct addresses that nothing else uses.
    pub(crate) unsafe fn multiply(&self, threads: usize) {
        if self.depth == 0 {
            return;
        }
        // SAFETY: the caller guarantees that nothing else accesses C.
        if let Some(lists) = unsafe { NonzeroLists::new(self) } {
            // SAFETY: the caller guarantees that nothing else accesses C.
            return unsafe { lists.multiply(threads) };
        }
        let tile = (self.kernel.rows(), self.kernel.columns());
        in_parallel(parts((self.rows, self.columns), tile, threads), |(rows, columns)| {
            // SAFETY: the parts are disjoint, and the caller guarantees that nothing else accesses C.
            unsafe { self.slab(rows, columns) }
        });
    }

    /// Depth packed at once: whole blocks for `blocked` where possible, and the whole depth for orders that need all of
    /// it in one tile.
    fn step(&self) -> usize {
        match self.order {
            Order::Blocked { block } if block <= DEPTH => DEPTH / block * block,
            Order::Aligned { group, .. } if group <= DEPTH => DEPTH / group * group,
            Order::Blocked { .. } | Order::Aligned { .. } | Order::Pairwise => self.depth,
            _ => self.depth.div_ceil(self.depth.div_ceil(DEPTH)),
        }
    }

    /// The product for some rows and columns.
    ///
    /// # Safety
    /// As [`Product::multiply`].
    unsafe fn slab(&self, rows: Range<usize>, columns: Range<usize>) {
        let kernel = self.kernel;
        let (tile_rows, tile_columns) = (kernel.rows(), kernel.columns());
        let [of_a, of_b] = self.panels();
        let (a_words, b_words) = (of_a.words.len(), of_b.words.len());
        let step = self.step();
        let most_rows = (A_WORDS / (step * a_words) / tile_rows * tile_rows).max(tile_rows);
        let most_b = if rows.len() <= most_rows { B_WORDS_CACHED } else { B_WORDS };
        let most_columns = (most_b / (step * b_words) / tile_columns * tile_columns).max(tile_columns);
        let (mut packed_a, mut packed_b, mut buffer) = (vec![], vec![], PackingBuffers::default());
        for left in columns.clone().step_by(most_columns) {
            let columns = left..(left + most_columns).min(columns.end);
            for shallow in (0..self.depth).step_by(step) {
                let depths = shallow..(shallow + step).min(self.depth);
                self.pack(self.b, &of_b, columns.clone(), depths.clone(), &mut buffer, &mut packed_b);
                for top in rows.clone().step_by(most_rows) {
                    let rows = top..(top + most_rows).min(rows.end);
                    self.pack(self.a, &of_a, rows.clone(), depths.clone(), &mut buffer, &mut packed_a);
                    let tile = |top: usize, left: usize| {
                        let from = (top - rows.start) * depths.len() * a_words;
                        let a = &packed_a[from..];
                        let from = (left - columns.start) * depths.len() * b_words;
                        let b = &packed_b[from..];
                        let rows = top..(top + tile_rows).min(rows.end);
                        let columns = left..(left + tile_columns).min(columns.end);
                        // SAFETY: the tile is within the slab, which this thread alone accesses; `a` and `b` were
                        // packed for these depths.
                        unsafe { self.tile(rows, columns, &depths, a, b) };
                    };
                    let tops = || rows.clone().step_by(tile_rows);
                    let lefts = || columns.clone().step_by(tile_columns);
                    let far = rows.len() * columns.len() > A_WORDS;
                    if far && depths.len() <= SHALLOW && self.c.column_stride == 1 {
                        tops().for_each(|top| lefts().for_each(|left| tile(top, left)));
                    } else {
                        lefts().for_each(|left| tops().for_each(|top| tile(top, left)));
                    }
                }
            }
        }
    }

    /// The packed layouts of A and B.
    fn panels(&self) -> [Panels; 2] {
        let kernel = self.kernel;
        [
            Panels {
                width: kernel.rows(),
                lanes: 1,
                words: kernel.a_words(),
                is_permuted: false,
                draws: kernel.draws().then_some(self.draws),
            },
            Panels {
                width: kernel.columns(),
                lanes: kernel.lanes(),
                words: kernel.b_words(),
                is_permuted: true,
                draws: kernel.draws().then(|| self.draws.transposed()),
            },
        ]
    }

    /// Packs vectors of an operand into panels.
    fn pack(
        &self,
        source: &dyn Source,
        &Panels { width, lanes, words, is_permuted, draws }: &Panels,
        vectors: Range<usize>,
        depths: Range<usize>,
        buffer: &mut PackingBuffers,
        packed: &mut Vec<u32>,
    ) {
        let PackingBuffers { block, planes } = buffer;
        let kernel = self.kernel;
        let (parts, flush) = self.inputs.parts();
        // Steps after which a run of the kernel starts anew.
        let restart = match self.order {
            Order::Blocked { block } => block,
            Order::Pairwise => 1,
            _ => usize::MAX,
        };
        let permutation = if is_permuted { kernel.permutation().map(|p| (p, restart)) } else { None };
        let shape = Shape { width, lanes, words, parts, flush, permutation };
        let size = depths.len() * width;
        // One word an element, unchanged: elements are written directly to the packed buffer.
        let verbatim = kernel.copies(&shape) && matches!(self.inputs, Inputs::Binary32 { canonical: false });
        if !verbatim {
            block.clear();
            block.resize(size, 0.0);
        }
        packed.resize(vectors.len().div_ceil(width) * size * words.len(), 0);
        for (start, packed) in
            vectors.clone().step_by(width).zip(packed.chunks_exact_mut((size * words.len()).max(1)))
        {
            let end = (start + width).min(vectors.end);
            let to = if verbatim { as_floats(packed) } else { &mut block[..] };
            if end - start < width {
                to.fill(0.0);
            }
            source.block(start..end, depths.clone(), width, to);
            if !verbatim {
                self.inputs.round(block);
                kernel.pack(block, &shape, planes, packed);
            }
            if let Some(draws) = draws {
                let place = PanelPlace {
                    vectors: end - start,
                    depth: depths.len(),
                    first_vector: start,
                    first_depth: depths.start,
                };
                kernel.fill_words(packed, [width, lanes], &draws, place);
            }
        }
    }

    /// Runs the kernel on a tile, in the order of accumulation.
    ///
    /// # Safety
    /// As [`Product::multiply`]; `a` and `b` are packed for this tile and these depths.
    unsafe fn tile(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        depths: &Range<usize>,
        a: &[u32],
        b: &[u32],
    ) {
        let kernel = self.kernel;
        let width = kernel.columns();
        let size = kernel.rows() * width;
        let (a_step, b_step) = (kernel.rows() * kernel.a_words().len(), width * kernel.b_words().len());
        assert!(a.len() >= depths.len() * a_step && b.len() >= depths.len() * b_step);
        let run = |is_initial: bool, from: usize, to: usize, tile: &mut [f32]| {
            // SAFETY: the range `from..to` is within the packed depths, whose lengths were compared; the tile is whole.
            unsafe {
                kernel.run(
                    is_initial,
                    to - from,
                    a.as_ptr().add(from * a_step),
                    b.as_ptr().add(from * b_step),
                    tile.as_mut_ptr(),
                );
            }
        };
        let steps = |first: bool, sums: &mut [f32]| match self.order {
            Order::Blocked { block } => {
                let mut tile = Tile::new();
                for from in (0..depths.len()).step_by(block) {
                    let part = tile.zeros(size);
                    run(false, from, from.saturating_add(block).min(depths.len()), part);
                    kernel.finish(part);
                    kernel.accumulate(part, sums);
                }
            }
            Order::Pairwise => {
                // After i leaves there is one tree for each set bit of i, largest first.
                let mut trees: Vec<f32> = vec![];
                for leaf in 0..depths.len() {
                    let start = trees.len();
                    trees.resize(start + size, 0.0);
                    run(false, leaf, leaf + 1, &mut trees[start..]);
                    kernel.finish(&mut trees[start..]);
                    for _ in 0..leaf.trailing_ones() {
                        join(kernel, size, &mut trees);
                    }
                }
                while trees.len() > size {
                    join(kernel, size, &mut trees);
                }
                kernel.accumulate(&trees, sums);
            }
            _ => run(first, 0, depths.len(), sums),
        };
        // SAFETY: the caller guarantees that nothing else accesses the tile of C.
        unsafe { self.on_tile(self.c, std::iter::once(rows), columns, depths, steps) };
    }

    /// Loads a tile of C whose rows are the ranges `rows`, runs `steps` on it, and stores it. `steps` learns if these
    /// depths are the first.
    ///
    /// # Safety
    /// As [`Product::multiply`].
    unsafe fn on_tile(
        &self,
        c: Target,
        rows: impl Iterator<Item = Range<usize>> + Clone,
        columns: Range<usize>,
        depths: &Range<usize>,
        steps: impl FnOnce(bool, &mut [f32]),
    ) {
        let kernel = self.kernel;
        let width = kernel.columns();
        let (first, last) = (depths.start == 0, depths.end == self.depth);
        let mut tile = Tile::new();
        let sums = tile.zeros(kernel.rows() * width);
        if !(first && self.from_zero) {
            rows.clone().fold(0, |done, rows| {
                let end = done + rows.len() * width;
                // SAFETY: the rows and columns are within C, which this thread alone accesses here.
                unsafe { c.load(rows, columns.clone(), width, &mut sums[done..end]) };
                end
            });
        }
        if first {
            kernel.prepare(sums);
        }
        steps(first, sums);
        if last && self.order == Order::Sequential {
            kernel.finish(sums);
        }
        rows.fold(0, |done, rows| {
            let end = done + rows.len() * width;
            // SAFETY: the rows and columns are within C, which this thread alone accesses here.
            unsafe { c.store(rows, columns.clone(), width, &sums[done..end]) };
            end
        });
    }
}

/// Uninitialised memory for a tile of C.
#[repr(align(64))]
struct Tile(MaybeUninit<[f32; TILE]>);

impl Tile {
    fn new() -> Tile {
        Tile(MaybeUninit::uninit())
    }

    /// The first `size` elements, set to +0. Clearing a whole tile would take longer than short sums.
    #[inline(always)]
    fn zeros(&mut self, size: usize) -> &mut [f32] {
        assert!(size <= TILE, "a tile has at most TILE elements");
        let start = self.0.as_mut_ptr().cast::<f32>();
        // SAFETY: a tile has at least `size` elements, whose bytes are set to zero first.
        unsafe {
            start.write_bytes(0, size);
            std::slice::from_raw_parts_mut(start, size)
        }
    }
}

/// Joins the last two trees, elementwise.
fn join(kernel: &dyn Kernel, size: usize, trees: &mut Vec<f32>) {
    let end = trees.len() - size;
    let (left, right) = trees.split_at_mut(end);
    kernel.accumulate(right, &mut left[end - size..]);
    trees.truncate(end);
}

/// Words as binary32 numbers of the same bits.
fn as_floats(words: &mut [u32]) -> &mut [f32] {
    // SAFETY: `u32` and `f32` have the same size and alignment, and every bit pattern is valid for both.
    unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), words.len()) }
}

/// Makes every NaN the canonical one.
fn canonical(block: &mut [f32]) {
    for x in block {
        *x = if x.is_nan() { f32::NAN } else { *x };
    }
}

impl Inputs {
    /// The number of parts that packing splits elements into, 0 for none, and true if it flushes subnormals.
    fn parts(&self) -> (usize, bool) {
        match self {
            Inputs::Parts { count, flush } => (*count, *flush),
            _ => (0, false),
        }
    }

    /// The inputs that remain to be converted after elements were rounded to the inputs' format.
    pub(crate) fn after_rounding(self) -> Inputs {
        match self {
            Inputs::Format(_) | Inputs::Wide(_) | Inputs::Parts { count: 1, flush: false } => {
                Inputs::Binary32 { canonical: false }
            }
            _ => self,
        }
    }

    /// Elements rounded to the inputs' format, in `buffer` if any of them changes. Inputs of several parts stay as they
    /// are.
    pub(crate) fn rounded<'a>(
        &self,
        elements: &'a [f32],
        buffer: &'a mut Vec<f32>,
        threads: usize,
    ) -> &'a [f32] {
        if !self.is_format() {
            return elements;
        }
        buffer.clear();
        buffer.extend_from_slice(elements);
        match self {
            Inputs::Format(rounder) => {
                rounder.clone().with_threads(threads).round_in_place(buffer);
                canonical(buffer);
            }
            _ => self.round(buffer),
        }
        buffer
    }

    /// True if elements are rounded to a format before they are packed.
    pub(crate) fn is_format(&self) -> bool {
        matches!(self, Inputs::Format(_) | Inputs::Wide(_))
    }

    /// Converts elements to the operator's inputs.
    pub(crate) fn round_fully(&self, block: &mut [f32]) {
        match *self {
            Inputs::Parts { count, flush } => {
                for x in block {
                    *x = micro::joined(*x, count, flush);
                }
            }
            _ => self.round(block),
        }
    }

    /// Converts elements to the operator's inputs, except that packing splits them into parts.
    fn round(&self, block: &mut [f32]) {
        match self {
            Inputs::Parts { .. } | Inputs::Binary32 { canonical: false } => {}
            Inputs::Binary32 { canonical: true } => canonical(block),
            Inputs::Format(rounder) => {
                rounder.round_in_place(block);
                canonical(block);
            }
            Inputs::Wide(wide) => {
                block.iter_mut().for_each(|x| *x = wide.nearest(*x));
                canonical(block);
            }
        }
    }
}
