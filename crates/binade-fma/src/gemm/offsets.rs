//! Products whose left elements are at the sum of a row's offset and a depth's offset, as in a convolution over a
//! padded image. For the operator f32:f32 the elements are broadcast from there, without packing.

use std::ops::Range;

use binade_simd::floats::Floats;
use binade_simd::{Instructions, Isa};

use super::source::{MagnitudeRange, Scan, Source, copy_short, share_of_zeros};
use super::{Target, Tile, in_parallel};

/// Depth processed at once: a panel of B of this depth fits the first-level cache.
const DEPTH: usize = 128;

/// Rows processed at once, a multiple of every tile's: the elements that they read stay in the second-level cache for
/// all panels of B.
const ROWS: usize = 240;

/// Maximum number of runs of contiguous rows in a tile for which each run is copied at once.
const MOST_RUNS: usize = 4;

/// The left operand of a product: the element of row i at depth d is `data[rows[i] + depths[d]]`.
#[derive(Clone, Copy, Debug)]
pub struct Offsets<'a> {
    /// The elements.
    pub data: &'a [f32],
    /// Offset of each row.
    pub rows: &'a [usize],
    /// Offset of each depth.
    pub depths: &'a [usize],
}

impl Offsets<'_> {
    /// The minimum length of `data`.
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

    /// The range over all elements of `data`, used or not.
    fn magnitudes(&self, scan: Scan) -> MagnitudeRange {
        scan.numbers(self.data)
    }

    fn zeros(&self) -> f64 {
        share_of_zeros(self.data)
    }
}

/// A product C ← C + A · B of binary32 numbers, B and C dense.
pub(crate) struct OffsetProduct<'a> {
    a: Offsets<'a>,
    b: &'a [f32],
    columns: usize,
    c: Target,
    part: Part,
}

/// A kernel for a range of rows.
type Part = unsafe fn(&OffsetProduct, Range<usize>);

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,fma")]
unsafe fn on_avx512(direct: &OffsetProduct, rows: Range<usize>) {
    // SAFETY: the caller has checked the instructions and guarantees exclusive access to these rows of C.
    unsafe { direct.part::<binade_simd::floats::avx512::Lanes512<false>, 24, 8>(rows) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn on_avx2(direct: &OffsetProduct, rows: Range<usize>) {
    // SAFETY: the caller has checked the instructions and guarantees exclusive access to these rows of C.
    unsafe { direct.part::<binade_simd::floats::avx2::Lanes256, 6, 4>(rows) }
}

#[cfg(target_arch = "aarch64")]
unsafe fn on_neon(direct: &OffsetProduct, rows: Range<usize>) {
    // SAFETY: the caller has checked the instructions and guarantees exclusive access to these rows of C.
    unsafe { direct.part::<binade_simd::floats::neon::Lanes128, 12, 8>(rows) }
}

/// The kernel, and the number of lanes of its vectors.
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

impl<'a> OffsetProduct<'a> {
    /// True if this number of columns fills vectors well enough.
    pub(crate) fn fits(isa: Isa, columns: usize) -> bool {
        part(isa).is_some_and(|(_, lanes)| 2 * columns >= lanes)
    }

    /// `None` if the machine has no vector kernel. B has a row of `columns` elements for each depth, and `c` is dense.
    ///
    /// # Panics
    /// If an offset is beyond the data, or B has another size.
    pub(crate) fn new(
        isa: Isa,
        a: Offsets<'a>,
        b: &'a [f32],
        columns: usize,
        c: *mut f32,
    ) -> Option<OffsetProduct<'a>> {
        assert!(a.reach() <= a.data.len() && b.len() == columns * a.depths.len(), "offsets within the data");
        let (part, _) = part(isa)?;
        Some(OffsetProduct {
            a,
            b,
            columns,
            c: Target { start: c, row_stride: columns, column_stride: 1 },
            part,
        })
    }

    /// C ← C + A · B.
    ///
    /// # Safety
    /// `c` has an element for each row and column, which nothing else uses.
    pub(crate) unsafe fn multiply(&self, threads: usize) {
        let size = self.a.rows.len().div_ceil(threads.max(1)).next_multiple_of(24);
        let starts = (0..self.a.rows.len()).step_by(size.max(1));
        let parts = starts.map(|start| start..(start + size).min(self.a.rows.len())).collect();
        // SAFETY: `part` needs instructions that the token proves. The ranges of rows are disjoint, and nothing else
        // accesses C.
        in_parallel(parts, |rows| unsafe { (self.part)(self, rows) });
    }

    /// The product in tiles of `G1` rows and one vector, or `G2` rows and two: the most sums that fit the registers.
    /// With two vectors the registers must also hold all broadcast elements, since compilers load them ahead.
    ///
    /// # Safety
    /// As [`OffsetProduct::multiply`], on a machine with the vector's instructions.
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
                    // SAFETY: B, or `edge`, has `vectors` vectors at each of these depths; the caller guarantees
                    // exclusive access to the rows of C.
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

    /// The rows with a panel of B, which has `NV` vectors, `step` apart, for each depth.
    ///
    /// # Safety
    /// As [`OffsetProduct::part`].
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
            // Rows beyond the last one repeat the last one.
            let mut a = [data; G];
            let mut neighbours = true;
            for (i, a) in a.iter_mut().enumerate() {
                let row = of_rows[i.min(of_rows.len() - 1)];
                neighbours &= row == of_rows[0] + i;
                *a = data.wrapping_add(row);
            }
            let whole = rows.len() == G && columns.len() == width;
            let mut buffer = Tile::new();
            // SAFETY: rows and columns are within C, and `new` checked that all elements are within `data`.
            unsafe {
                let (mut c, mut apart) = (self.c.at(top, columns.start), self.columns);
                let mut part = if whole { None } else { Some(buffer.zeros(G * width)) };
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

/// Steps of `G` rows, contiguous or not, at these offsets, and `NV` vectors of columns, which are `step` apart. Rows of
/// C are `apart`.
///
/// # Safety
/// The machine has the vector's instructions, `a` and `b` have elements at each of the offsets, and `c` has a tile.
#[inline(always)]
unsafe fn steps<F: Floats, const G: usize, const NV: usize, const NEIGHBOURS: bool>(
    a: &[*const f32; G],
    offsets: &[usize],
    b: *const f32,
    step: usize,
    c: *mut f32,
    apart: usize,
) {
    // SAFETY: the caller guarantees elements at each offset; the pointers advance once for each.
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
