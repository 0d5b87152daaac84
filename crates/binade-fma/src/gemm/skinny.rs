//! Products of binary32 numbers where one operand has few vectors ("skinny" matrices). Each element of the other takes
//! part in so few multiply-adds that packing it would take longer. So the kernel reads it in place, along its vectors
//! or across them. The sums are the same: one FMA after the other.

use std::ops::Range;

use binade_simd::floats::Floats;
use binade_simd::{Instructions, Isa};

use super::source::{Source, Strided};
use super::{Target, Tile, in_parallel};

/// The maximum number of vectors of the small operand.
const FEW: usize = 32;

/// Depth processed at once across vectors: the elements read from the wide operand stay in the second-level cache for
/// all vectors of the other, even if rows are a power of two apart.
const ACROSS: usize = 128;

/// Depth processed at once along vectors: the packed small operand stays in the first-level cache.
const ALONG: usize = 256;

/// Vectors of the small operand in a panel, whose elements are broadcast.
const PANEL: usize = 8;

/// Vectors of the wide operand that are read together, each along its depth.
const ROWS: usize = 8;

/// Half of either count, for registers that do not hold more sums.
const HALF: usize = 4;

/// A product C ← C + A · B, or C ← A · B.
pub(crate) struct Skinny<'a> {
    wide: Strided<'a>,
    few: Strided<'a>,
    /// C, or its transpose: it has few rows.
    c: Target,
    depth: usize,
    /// True if sums start from +0 instead of C.
    from_zero: bool,
    part: Part,
}

/// A kernel for a range of the wide operand's vectors.
type Part = unsafe fn(&Skinny, Range<usize>);

/// Position of a tile of C. The code between loading and storing a tile is not a closure, because a closure would be
/// compiled without the instructions of the surrounding function.
struct Place {
    c: Target,
    rows: Range<usize>,
    columns: Range<usize>,
    width: usize,
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,fma")]
unsafe fn on_avx512(skinny: &Skinny, wide: Range<usize>) {
    // SAFETY: the caller has checked the instructions and guarantees exclusive access to these vectors of C.
    unsafe { skinny.part::<binade_simd::floats::avx512::Lanes512<false>>(wide) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn on_avx2(skinny: &Skinny, wide: Range<usize>) {
    // SAFETY: the caller has checked the instructions and guarantees exclusive access to these vectors of C.
    unsafe { skinny.part::<binade_simd::floats::avx2::Lanes256>(wide) }
}

#[cfg(target_arch = "aarch64")]
unsafe fn on_neon(skinny: &Skinny, wide: Range<usize>) {
    // SAFETY: the caller has checked the instructions and guarantees exclusive access to these vectors of C.
    unsafe { skinny.part::<binade_simd::floats::neon::Lanes128>(wide) }
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

impl<'a> Skinny<'a> {
    /// `None` if both operands have many vectors, or if packing is faster for the layout of the wide one.
    pub(crate) fn new(
        isa: Isa,
        a: Strided<'a>,
        b: Strided<'a>,
        c: Target,
        from_zero: bool,
    ) -> Option<Skinny<'a>> {
        let depth = a.depth;
        let turned = Target { row_stride: c.column_stride, column_stride: c.row_stride, ..c };
        let (wide, few, c) = if a.vectors > b.vectors { (a, b, turned) } else { (b, a, c) };
        let lies = wide.vector_stride == 1 || wide.depth_stride == 1;
        let part = part(isa).filter(|_| lies && few.vectors <= FEW)?;
        Some(Skinny { wide, few, c, depth, from_zero, part })
    }

    /// C ← C + A · B, or C ← A · B.
    ///
    /// # Safety
    /// All elements of C are at distinct addresses that nothing else uses.
    pub(crate) unsafe fn multiply(&self, threads: usize) {
        let size = self.wide.vectors.div_ceil(threads.max(1)).next_multiple_of(48);
        let starts = (0..self.wide.vectors).step_by(size);
        let parts = starts.map(|start| start..(start + size).min(self.wide.vectors)).collect();
        // SAFETY: `part` needs instructions that the token proves. The ranges are disjoint, and nothing else accesses
        // C.
        in_parallel(parts, |wide| unsafe { (self.part)(self, wide) });
    }

    /// The product for some of the wide vectors.
    ///
    /// # Safety
    /// As [`Skinny::multiply`], on a machine with the vector's instructions.
    #[inline(always)]
    unsafe fn part<F: Floats>(&self, wide: Range<usize>) {
        // SAFETY: the caller guarantees the instructions and exclusive access to these vectors of C.
        unsafe {
            if self.wide.vector_stride == 1 {
                self.across::<F>(wide);
            } else {
                self.along::<F>(wide);
            }
        }
    }

    /// The case where elements of neighbouring vectors are contiguous.
    ///
    /// # Safety
    /// As [`Skinny::part`].
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
            while column + 3 * F::LANES <= wide.end {
                let columns = column..column + 3 * F::LANES;
                let b = start(column).as_ptr();
                // SAFETY: the wide operand has these columns at these depths; the caller guarantees exclusive access to C.
                unsafe { self.strip::<F, 3>(&packed, b, self.wide.depth_stride, columns, &depths) };
                column += 3 * F::LANES;
            }
            while column + F::LANES <= wide.end {
                let columns = column..column + F::LANES;
                let b = start(column).as_ptr();
                // SAFETY: the wide operand has these columns at these depths; the caller guarantees exclusive access to C.
                unsafe { self.strip::<F, 1>(&packed, b, self.wide.depth_stride, columns, &depths) };
                column += F::LANES;
            }
            if column < wide.end {
                edge.clear();
                edge.resize(F::LANES * depths.len(), 0.0);
                self.wide.block(column..wide.end, depths.clone(), F::LANES, &mut edge);
                // SAFETY: `edge` holds a whole vector for each depth.
                unsafe { self.strip::<F, 1>(&packed, edge.as_ptr(), F::LANES, column..wide.end, &depths) };
            }
        }
    }

    /// All vectors of the small operand with some columns.
    ///
    /// # Safety
    /// As [`Skinny::part`]; `b` has `NV` vectors for each depth, `step` apart, `packed` a panel's elements for each.
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
            // SAFETY: the caller guarantees `b` and `packed`; rows of half a panel are as far apart as rows of a whole
            // one.
            unsafe {
                let mut buffer = Tile::new();
                let sums = self.begin(&tile, depths, &mut buffer);
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

    /// The case where elements of one vector are contiguous.
    ///
    /// # Safety
    /// As [`Skinny::part`].
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
                    // Vectors beyond the last one repeat the last one.
                    let row = |i: usize| {
                        let vector = (top + i).min(rows.end - 1);
                        self.wide.data[vector * self.wide.vector_stride + first..][..depths.len()].as_ptr()
                    };
                    let a: [*const f32; ROWS] = std::array::from_fn(row);
                    let tile = Place { c, rows, columns: few.clone(), width };
                    // SAFETY: each row has `depths.len()` elements and `packed` a vector for each; the caller
                    // guarantees exclusive access to C.
                    unsafe {
                        let mut buffer = Tile::new();
                        let sums = self.begin(&tile, &depths, &mut buffer);
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

    /// Loads the sums of a tile before these depths.
    ///
    /// # Safety
    /// As [`Skinny::multiply`]; the tile is within C.
    #[inline(always)]
    unsafe fn begin<'t>(&self, tile: &Place, depths: &Range<usize>, buffer: &'t mut Tile) -> &'t mut [f32] {
        const { assert!(PANEL == ROWS, "tiles are as high both ways") };
        let Place { c, rows, columns, width } = tile;
        let sums = buffer.zeros(PANEL * width);
        if !self.from_zero || depths.start > 0 {
            // SAFETY: the caller guarantees that the tile is within C.
            unsafe { c.load(rows.clone(), columns.clone(), *width, sums) };
        }
        sums
    }
}

impl Place {
    /// Stores the sums of a tile.
    ///
    /// # Safety
    /// As [`Skinny::begin`].
    #[inline(always)]
    unsafe fn store(self, sums: &[f32]) {
        let Place { c, rows, columns, width } = self;
        // SAFETY: the caller guarantees that the tile is within C.
        unsafe { c.store(rows, columns, width, sums) };
    }
}

/// True if the registers hold the sums of `rows` rows and `vectors` vectors of columns, the vectors, and one element.
#[inline(always)]
fn holds<F: Floats>(rows: usize, vectors: usize) -> bool {
    rows * vectors + vectors < F::REGISTERS
}

/// Steps of `G` rows, whose elements are a panel apart, and `NV` vectors of columns, which are `step` apart.
///
/// # Safety
/// The machine has the vector's instructions, `a` and `b` hold `depth` steps, and `c` a tile.
#[inline(always)]
unsafe fn across<F: Floats, const G: usize, const NV: usize>(
    depth: usize,
    a: *const f32,
    b: *const f32,
    step: usize,
    c: *mut f32,
) {
    // SAFETY: the caller guarantees `depth` steps, and the pointers advance one step at a time.
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

/// Steps of `G` rows that are read along their depth, and `NV` contiguous vectors of columns.
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
    // SAFETY: the caller guarantees `depth` elements of each row and `depth` steps of `b`.
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
