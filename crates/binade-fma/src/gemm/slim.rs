//! Products of binary32 numbers of which one operand has few vectors. Each element of the other one takes part in so few
//! multiply-adds that packing it would take longer than those: it is read where it lies, along its vectors or across
//! them. Sums are the same, one fused multiply-add after the other.

use std::ops::Range;

use binade_simd::floats::Floats;
use binade_simd::{Instructions, Isa};

use super::source::{Source, Strided};
use super::{Target, Tile, in_parallel};

/// Vectors of the operand that has few, at most.
const FEW: usize = 32;

/// Depth done at once across vectors: what is read of the wide operand stays in the second-level cache for all of the
/// others, even where its rows are a power of two apart.
const ACROSS: usize = 128;

/// Depth done at once along vectors: the packed few vectors stay in the first-level cache.
const ALONG: usize = 256;

/// Few vectors in a panel, whose elements are broadcast.
const PANEL: usize = 8;

/// Wide vectors that are read together, each along its depth.
const ROWS: usize = 8;

/// Half of either, where registers hold no more sums.
const HALF: usize = 4;

/// A product C ← C + A · B, or C ← A · B.
pub(crate) struct Slim<'a> {
    wide: Strided<'a>,
    few: Strided<'a>,
    /// C, or its transpose: rows are few.
    c: Target,
    depth: usize,
    /// Whether sums begin at +0 rather than at C.
    fresh: bool,
    part: Part,
}

/// What does some of the wide vectors.
type Part = unsafe fn(&Slim, Range<usize>);

/// Where a tile of C lies. What is done between its beginning and its end is not a closure: that would be compiled without the
/// instructions of the function around it.
struct Place {
    c: Target,
    rows: Range<usize>,
    columns: Range<usize>,
    width: usize,
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,fma")]
unsafe fn on_avx512(slim: &Slim, wide: Range<usize>) {
    // SAFETY: the caller's promise.
    unsafe { slim.part::<binade_simd::floats::avx512::Lanes512<false>>(wide) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn on_avx2(slim: &Slim, wide: Range<usize>) {
    // SAFETY: the caller's promise.
    unsafe { slim.part::<binade_simd::floats::avx2::Lanes256>(wide) }
}

#[cfg(target_arch = "aarch64")]
unsafe fn on_neon(slim: &Slim, wide: Range<usize>) {
    // SAFETY: the caller's promise.
    unsafe { slim.part::<binade_simd::floats::neon::Lanes128>(wide) }
}

fn part(isa: Isa) -> Option<Part> {
    match isa.instructions() {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512Bf16 | Instructions::Avx512Vbmi | Instructions::Avx512 => Some(on_avx512),
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => Some(on_avx2),
        #[cfg(target_arch = "aarch64")]
        Instructions::Neon => Some(on_neon),
        _ => None,
    }
}

impl<'a> Slim<'a> {
    /// None if both operands have many vectors, or the wide one lies so that packing is the better way.
    pub(crate) fn new(isa: Isa, a: Strided<'a>, b: Strided<'a>, c: Target, fresh: bool) -> Option<Slim<'a>> {
        let depth = a.depth;
        let turned = Target { row_stride: c.column_stride, column_stride: c.row_stride, ..c };
        let (wide, few, c) = if a.vectors > b.vectors { (a, b, turned) } else { (b, a, c) };
        let lies = wide.vector_stride == 1 || wide.depth_stride == 1;
        let part = part(isa).filter(|_| lies && few.vectors <= FEW)?;
        Some(Slim { wide, few, c, depth, fresh, part })
    }

    /// # Safety
    /// All elements of C are at distinct addresses that nothing else uses.
    pub(crate) unsafe fn multiply(&self, threads: usize) {
        let size = self.wide.vectors.div_ceil(threads.max(1)).next_multiple_of(48);
        let starts = (0..self.wide.vectors).step_by(size);
        let parts = starts.map(|start| start..(start + size).min(self.wide.vectors)).collect();
        // SAFETY: `part` was taken for instructions that the token proves; the ranges are disjoint, and the caller's promise.
        in_parallel(parts, |wide| unsafe { (self.part)(self, wide) });
    }

    /// # Safety
    /// As [`Slim::multiply`], on a machine with the vector's instructions.
    #[inline(always)]
    unsafe fn part<F: Floats>(&self, wide: Range<usize>) {
        // SAFETY: the caller's promise.
        unsafe {
            if self.wide.vector_stride == 1 {
                self.across::<F>(wide);
            } else {
                self.along::<F>(wide);
            }
        }
    }

    /// Where neighbours are of neighbouring vectors.
    ///
    /// # Safety
    /// As [`Slim::part`].
    #[inline(always)]
    unsafe fn across<F: Floats>(&self, wide: Range<usize>) {
        let panels = self.few.vectors.div_ceil(PANEL);
        let mut packed = vec![0.0; panels * PANEL * ACROSS.min(self.depth)];
        let mut edge = vec![];
        for first in (0..self.depth).step_by(ACROSS) {
            let depths = first..(first + ACROSS).min(self.depth);
            for (panel, packed) in packed.chunks_exact_mut(PANEL * depths.len()).take(panels).enumerate() {
                let few = panel * PANEL..(panel * PANEL + PANEL).min(self.few.vectors);
                self.few.block(few, depths.clone(), PANEL, packed);
            }
            let start = |column: usize| &self.wide.data[column + first * self.wide.depth_stride..];
            let mut column = wide.start;
            // SAFETY (all): the wide operand has these columns at these depths, or `edge` holds so many; the caller's promise.
            while column + 3 * F::LANES <= wide.end {
                let columns = column..column + 3 * F::LANES;
                let b = start(column).as_ptr();
                // SAFETY: as above.
                unsafe { self.strip::<F, 3>(&packed, b, self.wide.depth_stride, columns, &depths) };
                column += 3 * F::LANES;
            }
            while column + F::LANES <= wide.end {
                let columns = column..column + F::LANES;
                let b = start(column).as_ptr();
                // SAFETY: as above.
                unsafe { self.strip::<F, 1>(&packed, b, self.wide.depth_stride, columns, &depths) };
                column += F::LANES;
            }
            if column < wide.end {
                edge.clear();
                edge.resize(F::LANES * depths.len(), 0.0);
                self.wide.block(column..wide.end, depths.clone(), F::LANES, &mut edge);
                // SAFETY: as above.
                unsafe { self.strip::<F, 1>(&packed, edge.as_ptr(), F::LANES, column..wide.end, &depths) };
            }
        }
    }

    /// All few vectors with some columns.
    ///
    /// # Safety
    /// As [`Slim::part`]; `b` has `NV` vectors for each depth, `step` apart, `packed` a panel's elements for each.
    #[inline(always)]
    unsafe fn strip<F: Floats, const NV: usize>(
        &self,
        packed: &[f32],
        b: *const f32,
        step: usize,
        columns: Range<usize>,
        depths: &Range<usize>,
    ) {
        let width = NV * F::LANES;
        let panel = |first: usize| &packed[first * depths.len()..][..PANEL * depths.len()];
        for first in (0..self.few.vectors).step_by(PANEL) {
            let rows = first..(first + PANEL).min(self.few.vectors);
            let a = panel(first).as_ptr();
            let tile = Place { c: self.c, rows, columns: columns.clone(), width };
            // SAFETY: the caller's promise; half a panel's rows are as far apart as a whole one's.
            unsafe {
                let mut room = Tile::new();
                let sums = self.begin(&tile, depths, &mut room);
                let c = sums.as_mut_ptr();
                if tile.rows.len() <= HALF {
                    across::<F, HALF, NV>(depths.len(), a, b, step, c);
                } else if holds::<F>(PANEL, NV) {
                    across::<F, PANEL, NV>(depths.len(), a, b, step, c);
                } else {
                    across::<F, HALF, NV>(depths.len(), a, b, step, c);
                    across::<F, HALF, NV>(depths.len(), a.add(HALF), b, step, c.add(HALF * width));
                }
                tile.store(sums);
            }
        }
    }

    /// Where neighbours are of one vector.
    ///
    /// # Safety
    /// As [`Slim::part`].
    #[inline(always)]
    unsafe fn along<F: Floats>(&self, wide: Range<usize>) {
        let width = if self.few.vectors <= F::LANES { F::LANES } else { 2 * F::LANES };
        let c = Target { row_stride: self.c.column_stride, column_stride: self.c.row_stride, ..self.c };
        let mut packed = vec![0.0; width * ALONG.min(self.depth)];
        for first in (0..self.depth).step_by(ALONG) {
            let depths = first..(first + ALONG).min(self.depth);
            for left in (0..self.few.vectors).step_by(width) {
                let few = left..(left + width).min(self.few.vectors);
                packed.fill(0.0);
                self.few.block(few.clone(), depths.clone(), width, &mut packed);
                for top in wide.clone().step_by(ROWS) {
                    let rows = top..(top + ROWS).min(wide.end);
                    // What is beyond the last one is the last one again.
                    let row = |i: usize| {
                        let vector = (top + i).min(rows.end - 1);
                        self.wide.data[vector * self.wide.vector_stride + first..][..depths.len()].as_ptr()
                    };
                    let a: [*const f32; ROWS] = std::array::from_fn(row);
                    let tile = Place { c, rows, columns: few.clone(), width };
                    // SAFETY: each row has so many elements, `packed` so many vectors; the caller's promise.
                    unsafe {
                        let mut room = Tile::new();
                        let sums = self.begin(&tile, &depths, &mut room);
                        let (b, c) = (packed.as_ptr(), sums.as_mut_ptr());
                        if width == F::LANES {
                            along::<F, ROWS, 1>(depths.len(), &a, b, c);
                        } else if holds::<F>(ROWS, 2) {
                            along::<F, ROWS, 2>(depths.len(), &a, b, c);
                        } else {
                            let [above, below] = [0, HALF].map(|from| std::array::from_fn(|i| a[from + i]));
                            along::<F, HALF, 2>(depths.len(), &above, b, c);
                            along::<F, HALF, 2>(depths.len(), &below, b, c.add(HALF * width));
                        }
                        tile.store(sums);
                    }
                }
            }
        }
    }

    /// What the sums of a tile are before these depths.
    ///
    /// # Safety
    /// As [`Slim::multiply`]; the tile is within C.
    #[inline(always)]
    unsafe fn begin<'t>(&self, tile: &Place, depths: &Range<usize>, room: &'t mut Tile) -> &'t mut [f32] {
        const { assert!(PANEL == ROWS, "tiles are as high both ways") };
        let Place { c, rows, columns, width } = tile;
        let sums = room.zeros(PANEL * width);
        if !self.fresh || depths.start > 0 {
            // SAFETY: the caller's promise.
            unsafe { c.load(rows.clone(), columns.clone(), *width, sums) };
        }
        sums
    }
}

impl Place {
    /// # Safety
    /// As [`Slim::begin`].
    #[inline(always)]
    unsafe fn store(self, sums: &[f32]) {
        let Place { c, rows, columns, width } = self;
        // SAFETY: the caller's promise.
        unsafe { c.store(rows, columns, width, sums) };
    }
}

/// Whether registers hold the sums of so many rows and vectors of columns, the vectors, and an element.
#[inline(always)]
fn holds<F: Floats>(rows: usize, vectors: usize) -> bool {
    rows * vectors + vectors < F::REGISTERS
}

/// Steps of `G` rows, whose elements are a panel apart, and `NV` vectors of columns, which are `step` apart.
///
/// # Safety
/// The machine has the vector's instructions, `a` and `b` hold so many steps, `c` a tile.
#[inline(always)]
unsafe fn across<F: Floats, const G: usize, const NV: usize>(
    depth: usize,
    a: *const f32,
    b: *const f32,
    step: usize,
    c: *mut f32,
) {
    // SAFETY: the caller's promise; places move one step at a time, `depth` times.
    unsafe {
        let mut sums = [[F::splat(0.0); NV]; G];
        for (g, sums) in sums.iter_mut().enumerate() {
            for (j, sum) in sums.iter_mut().enumerate() {
                *sum = F::load(c.add((g * NV + j) * F::LANES));
            }
        }
        let (mut a, mut b) = (a, b);
        for _ in 0..depth {
            let mut right = [F::splat(0.0); NV];
            for (j, right) in right.iter_mut().enumerate() {
                *right = F::load(b.add(j * F::LANES));
            }
            for (g, sums) in sums.iter_mut().enumerate() {
                let left = F::splat(*a.add(g));
                for (sum, right) in sums.iter_mut().zip(&right) {
                    *sum = left.fma(*right, *sum);
                }
            }
            a = a.wrapping_add(PANEL);
            b = b.wrapping_add(step);
        }
        for (g, sums) in sums.iter().enumerate() {
            for (j, sum) in sums.iter().enumerate() {
                sum.store(c.add((g * NV + j) * F::LANES));
            }
        }
    }
}

/// Steps of `G` rows that are read along their depth, and `NV` vectors of columns one after the other.
///
/// # Safety
/// As [`across`].
#[inline(always)]
unsafe fn along<F: Floats, const G: usize, const NV: usize>(
    depth: usize,
    a: &[*const f32; G],
    b: *const f32,
    c: *mut f32,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut sums = [[F::splat(0.0); NV]; G];
        for (g, sums) in sums.iter_mut().enumerate() {
            for (j, sum) in sums.iter_mut().enumerate() {
                *sum = F::load(c.add((g * NV + j) * F::LANES));
            }
        }
        for at in 0..depth {
            let mut right = [F::splat(0.0); NV];
            for (j, right) in right.iter_mut().enumerate() {
                *right = F::load(b.add((at * NV + j) * F::LANES));
            }
            for (sums, a) in sums.iter_mut().zip(a) {
                let left = F::splat(*a.add(at));
                for (sum, right) in sums.iter_mut().zip(&right) {
                    *sum = left.fma(*right, *sum);
                }
            }
        }
        for (g, sums) in sums.iter().enumerate() {
            for (j, sum) in sums.iter().enumerate() {
                sum.store(c.add((g * NV + j) * F::LANES));
            }
        }
    }
}
