//! Products whose left elements lie at sums of two offsets, one of the row and one of the depth: a convolution's, over
//! images that are padded already. Where sums are binary32's own, its elements are broadcast from where they lie, and nothing
//! is copied.

use std::ops::Range;

use binade_simd::floats::Floats;
use binade_simd::{Instructions, Isa};

use super::source::{Extent, Source, copy_short, share_of_zeros};
use super::{Target, Tile, in_parallel};

/// Depth done at once: a panel of B of that depth stays in the first-level cache.
const DEPTH: usize = 128;

/// Rows done at once, a multiple of every tile's: what they read stays in the second-level cache for all panels of B.
const ROWS: usize = 240;

/// Runs of neighbours in a tile's rows up to which each is copied at once.
const MOST_RUNS: usize = 4;

/// The left operand of a product: the element of row i at depth d is `data[rows[i] + depths[d]]`.
#[derive(Clone, Copy, Debug)]
pub struct Offsets<'a> {
    /// Where the elements are.
    pub data: &'a [f32],
    /// By row.
    pub rows: &'a [usize],
    /// By depth.
    pub depths: &'a [usize],
}

impl Offsets<'_> {
    /// Elements that `data` has to have.
    pub(crate) fn reach(&self) -> usize {
        let most = |offsets: &[usize]| offsets.iter().copied().max();
        match (most(self.rows), most(self.depths)) {
            (Some(row), Some(depth)) => row.saturating_add(depth).saturating_add(1),
            _ => 0,
        }
    }
}

impl Source for Offsets<'_> {
    fn block(&self, vectors: Range<usize>, depths: Range<usize>, width: usize, out: &mut [f32]) {
        let rows = &self.rows[vectors];
        let to = self.depths[depths].iter().zip(out.chunks_mut(width));
        let runs: Vec<&[usize]> = rows.chunk_by(|row, next| *next == row + 1).collect();
        if runs.len() <= MOST_RUNS {
            to.for_each(|(depth, mut out)| {
                for run in &runs {
                    let (start, rest) = out.split_at_mut(run.len());
                    copy_short(&self.data[run[0] + depth..][..run.len()], start);
                    out = rest;
                }
            });
            return;
        }
        to.for_each(|(depth, out)| {
            let source = &self.data[*depth..];
            rows.iter().zip(out).for_each(|(row, out)| *out = source[*row]);
        });
    }

    /// Of all elements that there are, used or not.
    fn extent(&self) -> Extent {
        Extent::EMPTY.with(self.data)
    }

    fn zeros(&self) -> f64 {
        share_of_zeros(self.data)
    }
}

/// A product C ← C + A · B of binary32 numbers, B and C dense.
pub(crate) struct Direct<'a> {
    a: Offsets<'a>,
    b: &'a [f32],
    columns: usize,
    c: Target,
    part: Part,
}

/// What does some of the rows.
type Part = unsafe fn(&Direct, Range<usize>);

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,fma")]
unsafe fn on_avx512(direct: &Direct, rows: Range<usize>) {
    // SAFETY: the caller's promise.
    unsafe { direct.part::<binade_simd::floats::avx512::Lanes512<false>, 24, 8>(rows) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn on_avx2(direct: &Direct, rows: Range<usize>) {
    // SAFETY: the caller's promise.
    unsafe { direct.part::<binade_simd::floats::avx2::Lanes256, 6, 4>(rows) }
}

#[cfg(target_arch = "aarch64")]
unsafe fn on_neon(direct: &Direct, rows: Range<usize>) {
    // SAFETY: the caller's promise.
    unsafe { direct.part::<binade_simd::floats::neon::Lanes128, 12, 8>(rows) }
}

/// The kernel, and the lanes of its vectors.
fn part(isa: Isa) -> Option<(Part, usize)> {
    match isa.instructions() {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx512Bf16 | Instructions::Avx512Vbmi | Instructions::Avx512 => Some((on_avx512, 16)),
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => Some((on_avx2, 8)),
        #[cfg(target_arch = "aarch64")]
        Instructions::Neon => Some((on_neon, 4)),
        _ => None,
    }
}

impl<'a> Direct<'a> {
    /// Whether so many columns fill vectors well enough.
    pub(crate) fn fits(isa: Isa, columns: usize) -> bool {
        part(isa).is_some_and(|(_, lanes)| 2 * columns >= lanes)
    }

    /// None where there are no vectors. B has a row of `columns` for each depth, `c` is dense.
    ///
    /// # Panics
    /// If an offset is beyond the data, or B is of another size.
    pub(crate) fn new(
        isa: Isa,
        a: Offsets<'a>,
        b: &'a [f32],
        columns: usize,
        c: *mut f32,
    ) -> Option<Direct<'a>> {
        assert!(a.reach() <= a.data.len() && b.len() == columns * a.depths.len(), "offsets within the data");
        let (part, _) = part(isa)?;
        Some(Direct { a, b, columns, c: Target { start: c, row_stride: columns, column_stride: 1 }, part })
    }

    /// # Safety
    /// `c` has an element for each row and column, which nothing else uses.
    pub(crate) unsafe fn multiply(&self, threads: usize) {
        let size = self.a.rows.len().div_ceil(threads.max(1)).next_multiple_of(24);
        let starts = (0..self.a.rows.len()).step_by(size.max(1));
        let parts = starts.map(|start| start..(start + size).min(self.a.rows.len())).collect();
        // SAFETY: `part` was taken for instructions that the token proves; the ranges are disjoint, and the caller's promise.
        in_parallel(parts, |rows| unsafe { (self.part)(self, rows) });
    }

    /// In tiles of `G1` rows and one vector, or `G2` rows and two: as many as there are registers for the sums and, with two
    /// vectors, for all that is broadcast too, since compilers load it ahead.
    ///
    /// # Safety
    /// As [`Direct::multiply`], on a machine with the vector's instructions.
    #[inline(always)]
    unsafe fn part<F: Floats, const G1: usize, const G2: usize>(&self, rows: Range<usize>) {
        let mut edge = vec![];
        for top in rows.clone().step_by(ROWS) {
            let rows = top..(top + ROWS).min(rows.end);
            for first in (0..self.a.depths.len()).step_by(DEPTH) {
                let depths = first..(first + DEPTH).min(self.a.depths.len());
                let mut left = 0;
                while left < self.columns {
                    let vectors = if self.columns - left > F::LANES { 2 } else { 1 };
                    let columns = left..(left + vectors * F::LANES).min(self.columns);
                    let (mut b, mut step) = (self.b[first * self.columns + left..].as_ptr(), self.columns);
                    if columns.len() < vectors * F::LANES {
                        step = vectors * F::LANES;
                        edge.clear();
                        edge.resize(step * depths.len(), 0.0);
                        for (edge, depth) in edge.chunks_exact_mut(step).zip(depths.clone()) {
                            edge[..columns.len()]
                                .copy_from_slice(&self.b[depth * self.columns..][columns.clone()]);
                        }
                        b = edge.as_ptr();
                    }
                    left = columns.end;
                    // SAFETY: B has so many vectors at these depths, or `edge` has; the caller's promise.
                    unsafe {
                        if vectors == 2 {
                            self.panel::<F, G2, 2>(rows.clone(), &depths, b, step, columns);
                        } else {
                            self.panel::<F, G1, 1>(rows.clone(), &depths, b, step, columns);
                        }
                    }
                }
            }
        }
    }

    /// Rows with a panel of B: `NV` vectors for each depth, `step` apart.
    ///
    /// # Safety
    /// As [`Direct::part`].
    #[inline(always)]
    unsafe fn panel<F: Floats, const G: usize, const NV: usize>(
        &self,
        rows: Range<usize>,
        depths: &Range<usize>,
        b: *const f32,
        step: usize,
        columns: Range<usize>,
    ) {
        let width = NV * F::LANES;
        let offsets = &self.a.depths[depths.clone()];
        let data = self.a.data.as_ptr();
        for top in rows.clone().step_by(G) {
            let rows = top..(top + G).min(rows.end);
            let of_rows = &self.a.rows[rows.clone()];
            // What is beyond the last one is the last one again.
            let mut a = [data; G];
            let mut neighbours = true;
            for (i, a) in a.iter_mut().enumerate() {
                let row = of_rows[i.min(of_rows.len() - 1)];
                neighbours &= row == of_rows[0] + i;
                *a = data.wrapping_add(row);
            }
            let whole = rows.len() == G && columns.len() == width;
            let mut room = Tile::new();
            // SAFETY: rows and columns are within C; all elements are within `data`, see `new`; the caller's promise.
            unsafe {
                let (mut c, mut apart) = (self.c.at(top, columns.start), self.columns);
                let mut part = if whole { None } else { Some(room.zeros(G * width)) };
                if let Some(part) = &mut part {
                    self.c.load(rows.clone(), columns.clone(), width, part);
                    (c, apart) = (part.as_mut_ptr(), width);
                }
                if neighbours {
                    steps::<F, G, NV, true>(&a, offsets, b, step, c, apart);
                } else {
                    steps::<F, G, NV, false>(&a, offsets, b, step, c, apart);
                }
                if let Some(part) = part {
                    self.c.store(rows, columns.clone(), width, part);
                }
            }
        }
    }
}

/// Steps of `G` rows, neighbours or not, at these offsets, and `NV` vectors of columns, which are `step` apart. Rows of C
/// are `apart`.
///
/// # Safety
/// The machine has the vector's instructions, `a` and `b` have elements at so many steps, `c` has a tile.
#[inline(always)]
unsafe fn steps<F: Floats, const G: usize, const NV: usize, const NEIGHBOURS: bool>(
    a: &[*const f32; G],
    offsets: &[usize],
    b: *const f32,
    step: usize,
    c: *mut f32,
    apart: usize,
) {
    // SAFETY: the caller's promise; places move one step at a time, once for each offset.
    unsafe {
        let mut sums = [[F::splat(0.0); NV]; G];
        for (g, sums) in sums.iter_mut().enumerate() {
            for (j, sum) in sums.iter_mut().enumerate() {
                *sum = F::load(c.add(g * apart + j * F::LANES));
            }
        }
        let mut b = b;
        for &offset in offsets {
            let mut right = [F::splat(0.0); NV];
            for (j, right) in right.iter_mut().enumerate() {
                *right = F::load(b.add(j * F::LANES));
            }
            for (g, sums) in sums.iter_mut().enumerate() {
                let left = if NEIGHBOURS { *a[0].add(offset + g) } else { *a[g].add(offset) };
                let left = F::splat(left);
                for (sum, right) in sums.iter_mut().zip(&right) {
                    *sum = left.fma(*right, *sum);
                }
            }
            b = b.wrapping_add(step);
        }
        for (g, sums) in sums.iter().enumerate() {
            for (j, sum) in sums.iter().enumerate() {
                sum.store(c.add(g * apart + j * F::LANES));
            }
        }
    }
}
