//! Matrix products: cutting C into tiles, packing A and B for them, and the order of accumulation.

#[cfg(target_arch = "x86_64")]
mod aligned;
pub(crate) mod elementwise;
#[cfg(target_arch = "x86_64")]
mod fast;
#[cfg(target_arch = "x86_64")]
mod guard;
pub(crate) mod levels;
#[cfg(target_arch = "x86_64")]
mod loops;
mod micro;
pub(crate) mod offsets;
#[cfg(target_arch = "x86_64")]
mod ranged;
pub(crate) mod rules;
mod select;
mod skipping;
pub(crate) mod slim;
pub(crate) mod source;
#[cfg(target_arch = "x86_64")]
mod spread;

use std::mem::MaybeUninit;
use std::ops::Range;

use crate::order::Order;
use binade_simd::threads::each;
use binade_simd::{Environment, Isa};
pub(crate) use micro::Inputs;
use micro::{Kernel, Planes, Shape, TILE, Word};
pub(crate) use select::{Data, exact_rounding, has_kernel, inputs_of, rounding_to, select, select_exact};
use skipping::Lists;
use source::{Extent, Source, turn_at};

/// Depth that is packed at once: a panel of B of that depth stays in the first-level cache.
const DEPTH: usize = 512;
/// Words of packed A that are used again for every panel of B: half of the second-level cache.
const A_WORDS: usize = 96 << 10;
/// Depth up to which a tile of a C that is larger than that takes longer to come and go than its sums do: rows of C are written one
/// after the other then, where otherwise a panel of B meets all of A.
const SHORT: usize = 64;
/// Words of packed B, where A is not packed whole.
const B_WORDS: usize = 1 << 20;
/// Words of packed B where A is: they stay in the second-level cache.
const B_WORDS_NEAR: usize = 64 << 10;

/// C, as an address and strides.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    pub(crate) start: *mut f32,
    pub(crate) row_stride: usize,
    pub(crate) column_stride: usize,
}

// SAFETY: threads get disjoint rows or columns, see `multiply`.
unsafe impl Send for Target {}
// SAFETY: as above.
unsafe impl Sync for Target {}

impl Target {
    /// The address of an element.
    ///
    /// # Safety
    /// The element is within C.
    pub(crate) unsafe fn at(self, row: usize, column: usize) -> *mut f32 {
        // SAFETY: the caller's promise.
        unsafe { self.start.add(row * self.row_stride + column * self.column_stride) }
    }

    /// The magnitudes that occur in so many rows and columns.
    ///
    /// # Safety
    /// The rows and columns are within C and no other thread writes there.
    pub(crate) unsafe fn extent(self, rows: usize, columns: usize) -> Extent {
        let mut extent = Extent::EMPTY;
        if self.lies_by_columns() {
            // SAFETY: the caller's promise.
            return unsafe { self.turned().extent(columns, rows) };
        }
        for row in 0..rows {
            if self.column_stride == 1 {
                // SAFETY: the caller's promise.
                extent = extent.with(unsafe { std::slice::from_raw_parts(self.at(row, 0), columns) });
                continue;
            }
            for column in 0..columns {
                // SAFETY: the caller's promise.
                extent = extent.with(&[unsafe { self.at(row, column).read() }]);
            }
        }
        extent
    }

    /// Whether the elements of a column are neighbours, and those of a row are not.
    fn lies_by_columns(self) -> bool {
        self.row_stride == 1 && self.column_stride != 1
    }

    /// C with rows and columns exchanged.
    fn turned(self) -> Target {
        Target { row_stride: self.column_stride, column_stride: self.row_stride, ..self }
    }

    /// # Safety
    /// The rows and columns are within C and no other thread writes there.
    unsafe fn load(self, rows: Range<usize>, columns: Range<usize>, width: usize, tile: &mut [f32]) {
        if self.lies_by_columns() {
            let sizes = [columns.len().min(width), rows.len().min(tile.len() / width)];
            // SAFETY: the caller's promise; so many rows of the tile.
            return unsafe {
                turn_at(
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
                // SAFETY: the caller's promise: so many elements of a row are one after the other.
                unsafe { copy_row(self.at(row, columns.start), tile.as_mut_ptr(), columns.len().min(width)) };
                continue;
            }
            for (column, to) in columns.clone().zip(tile) {
                // SAFETY: the caller's promise.
                *to = unsafe { self.at(row, column).read() };
            }
        }
    }

    /// # Safety
    /// As [`Target::load`], and no other thread reads there.
    unsafe fn store(self, rows: Range<usize>, columns: Range<usize>, width: usize, tile: &[f32]) {
        if self.lies_by_columns() {
            let sizes = [rows.len().min(tile.len() / width), columns.len().min(width)];
            // SAFETY: as in `load`.
            return unsafe {
                turn_at(tile.as_ptr(), width, sizes, self.at(rows.start, columns.start), self.column_stride)
            };
        }
        for (row, tile) in rows.zip(tile.chunks_exact(width)) {
            if self.column_stride == 1 {
                // SAFETY: as in `load`.
                unsafe { copy_row(tile.as_ptr(), self.at(row, columns.start), columns.len().min(width)) };
                continue;
            }
            for (column, from) in columns.clone().zip(tile) {
                // SAFETY: the caller's promise.
                unsafe { self.at(row, column).write(*from) };
            }
        }
    }
}

/// Copies a row of a tile. Those of 16 columns are too short for a call that asks how long they are.
///
/// # Safety
/// Both have so many elements, which do not overlap.
#[inline(always)]
unsafe fn copy_row(from: *const f32, to: *mut f32, count: usize) {
    // SAFETY: the caller's promise.
    unsafe {
        match count {
            16 => to.cast::<[f32; 16]>().write(from.cast::<[f32; 16]>().read()),
            _ => to.copy_from_nonoverlapping(from, count),
        }
    }
}

/// A product C ← C + A · B in one of the orders that kernels of tiles do: all but `exact`.
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
    /// Whether sums begin at +0 rather than at C.
    pub(crate) fresh: bool,
}

/// Cuts the larger of two extents among threads, at multiples of a tile's: ranges of rows and columns.
pub(crate) fn parts(
    (rows, columns): (usize, usize),
    (tile_rows, tile_columns): (usize, usize),
    threads: usize,
) -> Vec<(Range<usize>, Range<usize>)> {
    let threads = threads.max(1);
    let cut = |extent: usize, tile: usize| {
        let size = extent.div_ceil(threads).next_multiple_of(tile).max(1);
        (0..extent).step_by(size).map(move |start| start..(start + size).min(extent)).collect::<Vec<_>>()
    };
    if columns / tile_columns >= rows / tile_rows {
        cut(columns, tile_columns).into_iter().map(|range| (0..rows, range)).collect()
    } else {
        cut(rows, tile_rows).into_iter().map(|range| (range, 0..columns)).collect()
    }
}

/// Does the pieces of work on the threads that there are, the first one here, in the default environment.
pub(crate) fn in_parallel<T: Send>(pieces: Vec<T>, work: impl Fn(T) + Sync) {
    each(true, pieces, |piece| {
        let _environment = Environment::enter();
        work(piece);
    });
}

/// How an operand is packed: in panels of `width` vectors, groups of `lanes` of which have so many words an element.
struct Panels {
    width: usize,
    lanes: usize,
    words: &'static [Word],
    /// Whether the kernel's permutation moves them.
    moves: bool,
}

/// Memory that packing uses again.
#[derive(Default)]
struct Room {
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
        // SAFETY: the caller's promise.
        if let Some(lists) = unsafe { Lists::new(self) } {
            // SAFETY: as above.
            return unsafe { lists.multiply(threads) };
        }
        let tile = (self.kernel.rows(), self.kernel.columns());
        in_parallel(parts((self.rows, self.columns), tile, threads), |(rows, columns)| {
            // SAFETY: the parts are disjoint, and the caller's promise.
            unsafe { self.slab(rows, columns) }
        });
    }

    /// Depth that is packed at once: for `blocked`, whole blocks where possible; all of it where a tile has to see all.
    fn step(&self) -> usize {
        match self.order {
            Order::Blocked { block } if block <= DEPTH => DEPTH / block * block,
            Order::Aligned { group, .. } if group <= DEPTH => DEPTH / group * group,
            Order::Blocked { .. } | Order::Aligned { .. } | Order::Pairwise => self.depth,
            _ => self.depth.div_ceil(self.depth.div_ceil(DEPTH)),
        }
    }

    /// # Safety
    /// As [`Product::multiply`].
    unsafe fn slab(&self, rows: Range<usize>, columns: Range<usize>) {
        let kernel = self.kernel;
        let (tile_rows, tile_columns) = (kernel.rows(), kernel.columns());
        let [of_a, of_b] = self.panels();
        let (a_words, b_words) = (of_a.words.len(), of_b.words.len());
        let step = self.step();
        let most_rows = (A_WORDS / (step * a_words) / tile_rows * tile_rows).max(tile_rows);
        let most_b = if rows.len() <= most_rows { B_WORDS_NEAR } else { B_WORDS };
        let most_columns = (most_b / (step * b_words) / tile_columns * tile_columns).max(tile_columns);
        let (mut packed_a, mut packed_b, mut room) = (vec![], vec![], Room::default());
        for left in columns.clone().step_by(most_columns) {
            let columns = left..(left + most_columns).min(columns.end);
            for shallow in (0..self.depth).step_by(step) {
                let depths = shallow..(shallow + step).min(self.depth);
                self.pack(self.b, &of_b, columns.clone(), depths.clone(), &mut room, &mut packed_b);
                for top in rows.clone().step_by(most_rows) {
                    let rows = top..(top + most_rows).min(rows.end);
                    self.pack(self.a, &of_a, rows.clone(), depths.clone(), &mut room, &mut packed_a);
                    let tile = |top: usize, left: usize| {
                        let from = (top - rows.start) * depths.len() * a_words;
                        let a = &packed_a[from..];
                        let from = (left - columns.start) * depths.len() * b_words;
                        let b = &packed_b[from..];
                        let rows = top..(top + tile_rows).min(rows.end);
                        let columns = left..(left + tile_columns).min(columns.end);
                        // SAFETY: within the slab, and the caller's promise.
                        unsafe { self.tile(rows, columns, &depths, a, b) };
                    };
                    let tops = || rows.clone().step_by(tile_rows);
                    let lefts = || columns.clone().step_by(tile_columns);
                    let far = rows.len() * columns.len() > A_WORDS;
                    if far && depths.len() <= SHORT && self.c.column_stride == 1 {
                        tops().for_each(|top| lefts().for_each(|left| tile(top, left)));
                    } else {
                        lefts().for_each(|left| tops().for_each(|top| tile(top, left)));
                    }
                }
            }
        }
    }

    /// What A and B are packed to.
    fn panels(&self) -> [Panels; 2] {
        let kernel = self.kernel;
        [
            Panels { width: kernel.rows(), lanes: 1, words: kernel.a_words(), moves: false },
            Panels { width: kernel.columns(), lanes: kernel.lanes(), words: kernel.b_words(), moves: true },
        ]
    }

    /// Packs panels of vectors.
    fn pack(
        &self,
        source: &dyn Source,
        &Panels { width, lanes, words, moves }: &Panels,
        vectors: Range<usize>,
        depths: Range<usize>,
        room: &mut Room,
        packed: &mut Vec<u32>,
    ) {
        let Room { block, planes } = room;
        let kernel = self.kernel;
        let (parts, flush) = self.inputs.parts();
        // Steps after which a tile's run starts anew.
        let restart = match self.order {
            Order::Blocked { block } => block,
            Order::Pairwise => 1,
            _ => usize::MAX,
        };
        let permutation = if moves { kernel.permutation().map(|p| (p, restart)) } else { None };
        let shape = Shape { width, lanes, words, parts, flush, permutation };
        let size = depths.len() * width;
        // One word an element, as it is: packed where it will stay.
        let straight = kernel.copies(&shape) && matches!(self.inputs, Inputs::Binary32 { canonical: false });
        if !straight {
            block.clear();
            block.resize(size, 0.0);
        }
        packed.resize(vectors.len().div_ceil(width) * size * words.len(), 0);
        for (start, packed) in
            vectors.clone().step_by(width).zip(packed.chunks_exact_mut((size * words.len()).max(1)))
        {
            let end = (start + width).min(vectors.end);
            let to = if straight { as_floats(packed) } else { &mut block[..] };
            if end - start < width {
                to.fill(0.0);
            }
            source.block(start..end, depths.clone(), width, to);
            if !straight {
                self.inputs.round(block);
                kernel.pack(block, &shape, planes, packed);
            }
        }
    }

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
        let run = |given: bool, from: usize, to: usize, tile: &mut [f32]| {
            // SAFETY: `from` … `to` lies in the packed depths, whose lengths were compared; the tile is whole.
            unsafe {
                kernel.run(
                    given,
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
                // After i leaves there is a tree for each set bit of i, largest first.
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
        // SAFETY: the caller's promise.
        unsafe { self.on_tile(self.c, std::iter::once(rows), columns, depths, steps) };
    }

    /// Does the steps of these depths on a tile of C, whose rows are these ranges: they learn whether they are the first ones.
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
        if !(first && self.fresh) {
            rows.clone().fold(0, |done, rows| {
                let end = done + rows.len() * width;
                // SAFETY: the caller's promise.
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
            // SAFETY: the caller's promise.
            unsafe { c.store(rows, columns.clone(), width, &sums[done..end]) };
            end
        });
    }
}

/// Room for a tile of C.
#[repr(align(64))]
struct Tile(MaybeUninit<[f32; TILE]>);

impl Tile {
    fn new() -> Tile {
        Tile(MaybeUninit::uninit())
    }

    /// So many elements, all +0. (A whole tile of zeros would take longer than short sums do.)
    #[inline(always)]
    fn zeros(&mut self, size: usize) -> &mut [f32] {
        assert!(size <= TILE, "room for a tile");
        let start = self.0.as_mut_ptr().cast::<f32>();
        // SAFETY: there is room for so many elements, whose bytes are set first.
        unsafe {
            start.write_bytes(0, size);
            std::slice::from_raw_parts_mut(start, size)
        }
    }
}

/// Joins the last two trees of whole tiles.
fn join(kernel: &dyn Kernel, size: usize, trees: &mut Vec<f32>) {
    let end = trees.len() - size;
    let (left, right) = trees.split_at_mut(end);
    kernel.accumulate(right, &mut left[end - size..]);
    trees.truncate(end);
}

/// Words as binary32 numbers of the same bits.
fn as_floats(words: &mut [u32]) -> &mut [f32] {
    // SAFETY: both have four bytes, the same alignment and no invalid values.
    unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), words.len()) }
}

/// Makes every NaN the canonical one.
fn canonical(block: &mut [f32]) {
    for x in block {
        *x = if x.is_nan() { f32::NAN } else { *x };
    }
}

impl Inputs {
    /// The parts that packing splits elements into, 0 for none, and whether it flushes them.
    fn parts(&self) -> (usize, bool) {
        match self {
            Inputs::Parts { count, flush } => (*count, *flush),
            _ => (0, false),
        }
    }

    /// What is left to do of elements that are rounded to the inputs' format already.
    pub(crate) fn of_rounded(self) -> Inputs {
        match self {
            Inputs::Format(_) | Inputs::Wide(_) | Inputs::Parts { count: 1, flush: false } => {
                Inputs::Binary32 { canonical: false }
            }
            _ => self,
        }
    }

    /// Elements rounded to the inputs' format, if there is one: not for several parts. In `room`, unless they stay as they are.
    pub(crate) fn rounded<'a>(
        &self,
        elements: &'a [f32],
        room: &'a mut Vec<f32>,
        threads: usize,
    ) -> &'a [f32] {
        if !self.is_format() {
            return elements;
        }
        room.clear();
        room.extend_from_slice(elements);
        match self {
            Inputs::Format(rounder) => {
                rounder.clone().with_threads(threads).round_in_place(room);
                canonical(room);
            }
            _ => self.round(room),
        }
        room
    }

    /// True if elements are rounded to a format before they are packed.
    pub(crate) fn is_format(&self) -> bool {
        matches!(self, Inputs::Format(_) | Inputs::Wide(_))
    }

    /// Elements as the operator's inputs.
    pub(crate) fn round_wholly(&self, block: &mut [f32]) {
        match *self {
            Inputs::Parts { count, flush } => {
                for x in block {
                    *x = micro::joined(*x, count, flush);
                }
            }
            _ => self.round(block),
        }
    }

    /// Elements as the operator's inputs, except that splitting into parts is left to the packing.
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
