//! Products of matrices by the units of real processors, in vectors.
//!
//! [`UnitOperator::dot`] is the definition. This module computes the same bits for whole matrices: it rounds both operands to the
//! unit's formats, packs them with the power of two of each element, and runs a tile of C through the unit's steps
//! ([`steps`]). Elements that meet an infinity, a NaN or an overflow are left to the definition.

mod scaled;
mod steps;

use std::ops::Range;

use binade::unit::UnitOperator;
use binade::{Rounding, Saturation};
use binade_kernels::Rounder;
use binade_simd::Isa;

use crate::gemm::source::{MagnitudeRange, Source};
use crate::gemm::{Data, Inputs, Target, in_parallel, inputs_of, parts};
pub(crate) use scaled::ScaledProduct;
use steps::{COLUMNS, Method, ROWS, Tile};

/// Rows and columns of C whose sums are kept while the depth is walked.
const BLOCK_ROWS: usize = 128;
const BLOCK_COLUMNS: usize = 256;
/// Depth that is packed at once, at most.
const DEPTH: usize = 256;

/// The rounding of binary32 numbers to an operand's format.
enum Reader {
    Inputs(Inputs),
    Saturating(Rounder),
    /// tf32: eleven bits of the significand, the others cut.
    Cut,
}

impl Reader {
    fn new(unit: &UnitOperator, operand: usize, isa: Isa) -> Option<Reader> {
        let format = unit.inputs()[operand];
        let how = unit.reading(operand);
        if how.rounding == Rounding::TowardZero {
            return (how.saturation == Saturation::Overflow).then_some(Reader::Cut);
        }
        if how.saturation == Saturation::Overflow {
            return inputs_of(format, isa).map(Reader::Inputs);
        }
        let rounder = Rounder::new(format, how.rounding, how.saturation).ok()?;
        Some(Reader::Saturating(rounder.with_isa(isa)))
    }

    fn round(&self, block: &mut [f32]) {
        match self {
            Reader::Inputs(inputs) => inputs.round_fully(block),
            Reader::Saturating(rounder) => rounder.round_in_place(block),
            Reader::Cut => {
                for x in block {
                    let cut = f32::from_bits(x.to_bits() & !0x1fff);
                    *x = if x.is_nan() { f32::NAN } else { cut };
                }
            }
        }
    }
}

/// The product C ← C + A · B on a unit.
pub(crate) struct UnitProduct<'a> {
    pub(crate) unit: &'a UnitOperator,
    pub(crate) kernel: &'a UnitKernel,
    pub(crate) isa: Isa,
    pub(crate) a: &'a dyn Source,
    pub(crate) b: &'a dyn Source,
    pub(crate) c: Target,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) depth: usize,
    /// Sums begin at +0 rather than at C.
    pub(crate) from_zero: bool,
}

/// A stretch of the depth that the unit adds in one go.
struct Piece {
    depths: Range<usize>,
    /// The unit's accumulator starts from +0.
    starts: bool,
    /// The unit's accumulator is added to the promoted sum afterwards.
    promotes: bool,
    /// The sum of a range is added to C afterwards.
    ends: bool,
}

/// The sums of a block of C, tile by tile.
struct Sums {
    /// The unit's accumulators.
    unit: Vec<Tile>,
    /// Sums that `promote` makes.
    promoted: Vec<Tile>,
    /// C.
    whole: Vec<Tile>,
    /// Elements that a step could not compute: their sums left binary32's range.
    escaped: Vec<[[bool; COLUMNS]; ROWS]>,
}

/// The vector code of a unit for some data.
pub(crate) struct UnitKernel {
    method: Method,
    readers: [Reader; 2],
}

impl UnitKernel {
    /// The kernel of a unit; `None` if it has none for this data, only the definition.
    pub(crate) fn select(unit: &UnitOperator, isa: Isa, data: &Data) -> Option<UnitKernel> {
        let readers = [Reader::new(unit, 0, isa)?, Reader::new(unit, 1, isa)?];
        Some(UnitKernel { method: Method::new(unit, data)?, readers })
    }

    /// True if a unit has a kernel, at least for magnitudes about 1.
    pub(crate) fn exists(unit: &UnitOperator, isa: Isa) -> bool {
        let ones = MagnitudeRange::EMPTY.with(&[1.0]);
        UnitKernel::select(unit, isa, &Data { magnitudes: &|| [ones; 3], depth: 1 }).is_some()
    }
}

impl UnitProduct<'_> {
    /// # Safety
    /// All elements of C of these rows and columns are at distinct addresses that nothing else uses.
    pub(crate) unsafe fn multiply(&self, threads: usize) {
        let tile = (ROWS, COLUMNS);
        in_parallel(parts((self.rows, self.columns), tile, threads), |(rows, columns)| {
            for left in columns.clone().step_by(BLOCK_COLUMNS) {
                for top in rows.clone().step_by(BLOCK_ROWS) {
                    let rows = top..(top + BLOCK_ROWS).min(rows.end);
                    let columns = left..(left + BLOCK_COLUMNS).min(columns.end);
                    // SAFETY: blocks are disjoint parts of C, which is this call's alone.
                    unsafe { self.block(rows, columns) };
                }
            }
        });
    }

    /// One element by the definition.
    ///
    /// # Safety
    /// The element is within C, and no other thread uses it.
    unsafe fn element(&self, row: usize, column: usize, left: &[f32], right: &[f32]) {
        // SAFETY: the element is within C and this thread's.
        unsafe {
            let place = self.c.at(row, column);
            let c = if self.from_zero { 0.0 } else { place.read() };
            place.write(self.unit.dot(left, right, c));
        }
    }

    /// The stretches of the depth, in their order.
    fn pieces(&self) -> Vec<Piece> {
        let products = self.unit.mode().products;
        let longest = (DEPTH / products).max(1) * products;
        let joins = self.unit.split() > 1;
        let mut pieces = vec![];
        for range in self.unit.ranges(self.depth) {
            let promoted = self.unit.promote().unwrap_or(usize::MAX);
            for start in range.clone().step_by(promoted) {
                let end = range.end.min(start.saturating_add(promoted));
                for from in (start..end).step_by(longest) {
                    let to = end.min(from + longest);
                    pieces.push(Piece {
                        depths: from..to,
                        starts: from == start && (joins || self.unit.promote().is_some()),
                        promotes: to == end && self.unit.promote().is_some(),
                        ends: to == range.end && joins,
                    });
                }
            }
        }
        pieces
    }

    /// # Safety
    /// As [`UnitProduct::multiply`], for these rows and columns.
    unsafe fn block(&self, rows: Range<usize>, columns: Range<usize>) {
        let UnitKernel { method, readers: [of_a, of_b] } = self.kernel;
        let (down, across) = (rows.len().div_ceil(ROWS), columns.len().div_ceil(COLUMNS));
        let zeros = || vec![[[0.0; COLUMNS]; ROWS]; down * across];
        let escaped = vec![[[false; COLUMNS]; ROWS]; down * across];
        let mut sums = Sums { unit: zeros(), promoted: vec![], whole: zeros(), escaped };
        let place = |row: usize, column: usize| {
            let (i, j) = (row - rows.start, column - columns.start);
            (i / ROWS * across + j / COLUMNS, i % ROWS, j % COLUMNS)
        };
        // The unit's own accumulator, unless it is moved into another one.
        let straight = self.unit.promote().is_none() && self.unit.split() == 1;
        if !self.from_zero {
            for (row, column) in rows.clone().flat_map(|row| columns.clone().map(move |column| (row, column)))
            {
                let (tile, i, j) = place(row, column);
                // SAFETY: the element is within the block, which is this thread's.
                let c = unsafe { self.c.at(row, column).read() };
                let c = if straight { method.addend(c) } else { c };
                sums.escaped[tile][i][j] = !c.is_finite();
                // Steps that align take finite numbers only; the definition computes the other elements.
                let is_taken = c.is_finite() || !straight || method.keeps_infinities();
                sums.whole[tile][i][j] = if is_taken { c } else { 0.0 };
            }
        }
        if straight {
            std::mem::swap(&mut sums.unit, &mut sums.whole);
        }
        if self.unit.promote().is_some() && self.unit.split() > 1 {
            sums.promoted = zeros();
        }
        let (mut left, mut right) = (Packed::new(rows.clone(), ROWS), Packed::new(columns.clone(), COLUMNS));
        for piece in self.pieces() {
            left.fill(self.a, of_a, &piece.depths, method, 0);
            right.fill(self.b, of_b, &piece.depths, method, 1);
            if piece.starts {
                sums.unit.fill([[0.0; COLUMNS]; ROWS]);
            }
            for tile in 0..down * across {
                let (a, b) = (left.panel(tile / across), right.panel(tile % across));
                method.run(self.isa, a, b, &mut sums.unit[tile], &mut sums.escaped[tile]);
            }
            let Sums { unit, promoted, whole, .. } = &mut sums;
            match (piece.promotes, piece.ends) {
                (true, _) if promoted.is_empty() => add(unit, whole),
                (true, ends) => {
                    add(unit, promoted);
                    if ends {
                        add(promoted, whole);
                        promoted.fill([[0.0; COLUMNS]; ROWS]);
                    }
                }
                (false, true) => add(unit, whole),
                (false, false) => {}
            }
        }
        let results = if straight { &sums.unit } else { &sums.whole };
        let finite = method.keeps_infinities();
        for row in rows.clone() {
            let mut vector_of_a = None;
            for column in columns.clone() {
                let (tile, i, j) = place(row, column);
                let is_special = left.special[row - rows.start] || right.special[column - columns.start];
                if !finite && (is_special || sums.escaped[tile][i][j]) {
                    let left = vector_of_a.get_or_insert_with(|| vector(self.a, row, self.depth));
                    let right = vector(self.b, column, self.depth);
                    // SAFETY: the element is within the block, which is this thread's.
                    unsafe { self.element(row, column, left, &right) };
                    continue;
                }
                let sum = results[tile][i][j];
                let sum = if sum.is_nan() { self.unit.nan() } else { sum };
                // SAFETY: as for the definition's element above.
                unsafe { self.c.at(row, column).write(sum) };
            }
        }
    }
}

/// Adds sums to others, in binary32 to nearest even.
fn add(sums: &[Tile], to: &mut [Tile]) {
    for (to, sum) in
        to.as_flattened_mut().as_flattened_mut().iter_mut().zip(sums.as_flattened().as_flattened())
    {
        *to += sum;
    }
}

/// A row of A or a column of B.
fn vector(source: &dyn Source, at: usize, depth: usize) -> Vec<f32> {
    let mut vector = vec![0.0; depth];
    source.block(at..at + 1, 0..depth, 1, &mut vector);
    vector
}

/// Rows of A or columns of B for a piece of the depth: panels of `width` vectors. Each depth of a panel has the elements, then
/// the powers of two of these.
struct Packed {
    vectors: Range<usize>,
    width: usize,
    depth: usize,
    block: Vec<f32>,
    narrow: Vec<f32>,
    wide: Vec<f64>,
    /// Vectors with an infinity or a NaN.
    special: Vec<bool>,
}

/// A panel of packed vectors, in binary32 or in binary64.
#[derive(Clone, Copy)]
pub(super) struct Panel<'a> {
    depth: usize,
    /// Products that share scales and are summed first; 1 where each stands alone.
    group: usize,
    narrow: &'a [f32],
    wide: &'a [f64],
}

impl Packed {
    fn new(vectors: Range<usize>, width: usize) -> Packed {
        let special = vec![false; vectors.len()];
        Packed { vectors, width, depth: 0, block: vec![], narrow: vec![], wide: vec![], special }
    }

    fn fill(
        &mut self,
        source: &dyn Source,
        reader: &Reader,
        depths: &Range<usize>,
        method: &Method,
        operand: usize,
    ) {
        let (width, depth) = (self.width, depths.len());
        self.depth = depth;
        let panels = self.vectors.len().div_ceil(width);
        let size = panels * depth * 2 * width;
        match method.is_narrow() {
            true => self.narrow.resize(size, 0.0),
            false => self.wide.resize(size, 0.0),
        }
        for panel in 0..panels {
            let start = self.vectors.start + panel * width;
            let end = (start + width).min(self.vectors.end);
            self.block.clear();
            self.block.resize(depth * width, 0.0);
            source.block(start..end, depths.clone(), width, &mut self.block);
            reader.round(&mut self.block);
            let special = &mut self.special[panel * width..][..end - start];
            method.prepare(operand, &mut self.block, special, width);
            let at = panel * depth * 2 * width;
            match method.is_narrow() {
                true => method.pack_narrow(operand, &self.block, width, &mut self.narrow[at..]),
                false => method.pack_wide(operand, &self.block, width, &mut self.wide[at..]),
            }
        }
    }

    fn panel(&self, at: usize) -> Panel<'_> {
        let range = |length: usize| {
            let size = self.depth * 2 * self.width;
            if length == 0 { 0..0 } else { at * size..(at + 1) * size }
        };
        Panel {
            depth: self.depth,
            group: 1,
            narrow: &self.narrow[range(self.narrow.len())],
            wide: &self.wide[range(self.wide.len())],
        }
    }
}
