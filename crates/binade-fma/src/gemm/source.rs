//! Access to the elements of A and B, for packing.

use std::ops::Range;

use binade_simd::lanes::Leg;
use binade_simd::{Isa, Kernel, threads, transpose_4x4};

/// One operand of a matrix product: vectors along the summed dimension ("depth"). They are the rows of A, or the
/// columns of B.
pub(crate) trait Source: Sync {
    /// Writes the elements of `vectors` at `depths` to `out[(depth − depths.start) · width + (vector −
    /// vectors.start)]`. The rest of each row of `width` elements stays unchanged.
    fn block(&self, vectors: Range<usize>, depths: Range<usize>, width: usize, out: &mut [f32]);

    /// The range of the elements' magnitudes.
    fn magnitudes(&self, scan: Scan) -> MagnitudeRange;

    /// The approximate share of elements that are zero.
    fn zeros(&self) -> f64;
}

/// The share of elements that are zero, estimated from a sample.
pub(crate) fn share_of_zeros(elements: &[f32]) -> f64 {
    const RUNS: usize = 64;
    let apart = elements.len() / RUNS;
    let runs = (0..RUNS).map(|run| &elements[run * apart..][..apart.min(64)]);
    let (zeros, all) = runs.fold((0, 0), |(zeros, all), run| {
        (zeros + run.iter().filter(|x| **x == 0.0).count(), all + run.len())
    });
    zeros as f64 / (all.max(1)) as f64
}

/// Every `lanes`th element of another operand's vectors: `length` elements for each lane, from lane `first` on.
pub(crate) struct Interleaved<'a> {
    pub(crate) source: &'a dyn Source,
    pub(crate) lanes: usize,
    pub(crate) first: usize,
    pub(crate) length: usize,
}

impl Source for Interleaved<'_> {
    fn block(&self, vectors: Range<usize>, depths: Range<usize>, width: usize, out: &mut [f32]) {
        for (depth, out) in depths.zip(out.chunks_mut(width)) {
            let from = self.first + depth / self.length + depth % self.length * self.lanes;
            self.source.block(vectors.clone(), from..from + 1, width, out);
        }
    }

    fn magnitudes(&self, scan: Scan) -> MagnitudeRange {
        self.source.magnitudes(scan)
    }

    fn zeros(&self) -> f64 {
        self.source.zeros()
    }
}

/// The range of magnitudes of some numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MagnitudeRange {
    /// Bits of the least nonzero magnitude, minus one; `u32::MAX` if all are zero.
    least: u32,
    /// Bits of the largest magnitude.
    most: u32,
    /// The union of the bits of all numbers.
    bits: u32,
}

impl MagnitudeRange {
    pub(crate) const EMPTY: MagnitudeRange = MagnitudeRange { least: u32::MAX, most: 0, bits: 0 };

    /// The range of the numbers of both.
    pub(crate) fn joined(self, other: MagnitudeRange) -> MagnitudeRange {
        MagnitudeRange {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
            bits: self.bits | other.bits,
        }
    }

    /// The range of these numbers and the previous ones.
    #[inline(always)]
    pub(crate) fn with(self, numbers: &[f32]) -> MagnitudeRange {
        let MagnitudeRange { mut least, mut most, mut bits } = self;
        for x in numbers {
            let magnitude = x.to_bits() & 0x7fff_ffff;
            least = least.min(magnitude.wrapping_sub(1));
            most = most.max(magnitude);
            bits |= magnitude;
        }
        MagnitudeRange { least, most, bits }
    }

    /// The number of significand bits that represent each of these numbers, at most 24.
    pub(crate) fn precision(self) -> u32 {
        24 - (self.bits | 1 << 23).trailing_zeros()
    }

    /// ⌊log2⌋ of the least nonzero magnitude; large if there is no nonzero number.
    pub(crate) fn least_exponent(self) -> i32 {
        match self.least {
            u32::MAX => 1000,
            least => floor_log2(least + 1),
        }
    }

    /// The range without magnitudes below 2^exponent, which must be an exponent of normal numbers.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn at_least(self, exponent: i32) -> MagnitudeRange {
        let bits = ((exponent + 127).clamp(1, 254) as u32) << 23;
        if self.least == u32::MAX { self } else { MagnitudeRange { least: self.least.max(bits - 1), ..self } }
    }

    /// ⌊log2⌋ of the largest magnitude; 128 for infinities and NaN; small if all are zero.
    pub(crate) fn largest_exponent(self) -> i32 {
        if self.most == 0 { -1000 } else { floor_log2(self.most) }
    }

    /// The largest magnitude.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn largest(self) -> f64 {
        f32::from_bits(self.most) as f64
    }

    /// True if no magnitude is above `largest`.
    pub(crate) fn is_within(self, largest: f32) -> bool {
        self.most <= largest.to_bits()
    }

    /// True if no number is infinite or NaN.
    pub(crate) fn is_finite(self) -> bool {
        self.most < 0x7f80_0000
    }
}

/// The instruction set and the number of threads with which the magnitudes of operands are found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scan {
    pub(crate) isa: Isa,
    pub(crate) threads: usize,
}

/// Rows of `length` numbers that start `stride` apart.
#[derive(Clone, Copy)]
struct Rows<'a> {
    numbers: &'a [f32],
    count: usize,
    stride: usize,
    length: usize,
}

impl Kernel for Rows<'_> {
    type Output = MagnitudeRange;

    #[inline(always)]
    fn run<L: Leg>(self, _: L) -> MagnitudeRange {
        let mut range = MagnitudeRange::EMPTY;
        for row in 0..self.count {
            range = range.with(&self.numbers[row * self.stride..][..self.length]);
        }
        range
    }
}

impl Scan {
    /// Numbers that are worth a thread of their own.
    const WORTHWHILE: usize = 128 << 10;

    /// The range of these numbers.
    pub(crate) fn numbers(self, numbers: &[f32]) -> MagnitudeRange {
        let whole = |numbers| Rows { numbers, count: 1, stride: 0, length: numbers.len() };
        let size = numbers.len().div_ceil(self.pieces(numbers.len())).max(1);
        self.all(numbers.chunks(size).map(whole).collect())
    }

    /// The range of `count` rows of `length` numbers that start `stride` apart.
    pub(crate) fn rows(self, numbers: &[f32], count: usize, stride: usize, length: usize) -> MagnitudeRange {
        if stride == length {
            return self.numbers(&numbers[..count * length]);
        }
        let size = count.div_ceil(self.pieces(count * length)).max(1);
        let some = |first: usize| {
            let count = size.min(count - first);
            Rows { numbers: &numbers[first * stride..], count, stride, length }
        };
        self.all((0..count).step_by(size).map(some).collect())
    }

    /// The number of pieces for this number of numbers.
    fn pieces(self, numbers: usize) -> usize {
        self.threads.min(numbers / Self::WORTHWHILE).max(1)
    }

    /// The range of several pieces, each on a thread.
    fn all(self, pieces: Vec<Rows>) -> MagnitudeRange {
        if let [one] = pieces[..] {
            return self.isa.run(one);
        }
        let mut ranges = vec![MagnitudeRange::EMPTY; pieces.len()];
        let jobs = pieces.into_iter().zip(&mut ranges).collect();
        threads::each(true, jobs, |(rows, range)| *range = self.isa.run(rows));
        ranges.into_iter().fold(MagnitudeRange::EMPTY, MagnitudeRange::joined)
    }
}

/// ⌊log2⌋ of a nonzero binary32 magnitude given by its bits.
fn floor_log2(bits: u32) -> i32 {
    match bits >> 23 {
        0 => -149 + 31 - bits.leading_zeros() as i32,
        field => field as i32 - 127,
    }
}

/// Transposes dense vectors, `stride` apart, to columns of `to`, whose rows are `width` apart. `from` has [vectors,
/// depths] elements.
pub(crate) fn transpose(
    from: &[f32],
    stride: usize,
    [vectors, depths]: [usize; 2],
    to: &mut [f32],
    width: usize,
) {
    if vectors == 0 || depths == 0 {
        return;
    }
    let within = |length: usize, last: usize, stride: usize, count: usize| {
        last.checked_mul(stride).and_then(|start| start.checked_add(count)).is_some_and(|end| end <= length)
    };
    assert!(
        within(from.len(), vectors - 1, stride, depths) && within(to.len(), depths - 1, width, vectors),
        "vectors and columns within the data"
    );
    // SAFETY: the assertions above show that all elements are within the slices.
    unsafe { transpose_at(from.as_ptr(), stride, [vectors, depths], to.as_mut_ptr(), width) }
}

/// [`transpose`] at addresses: in blocks of four vectors and four elements, which fit registers.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of [vectors, depths] elements at these strides, and nothing else
/// accesses `to`.
pub(crate) unsafe fn transpose_at(
    from: *const f32,
    stride: usize,
    [vectors, depths]: [usize; 2],
    to: *mut f32,
    width: usize,
) {
    let whole = [vectors / 4 * 4, depths / 4 * 4];
    // SAFETY: the caller guarantees all elements. Four neighbours are read as an array only if all four exist.
    unsafe {
        let one = |vector: usize, depth: usize| {
            to.add(depth * width + vector).write(from.add(vector * stride + depth).read());
        };
        for vector in (0..whole[0]).step_by(4) {
            for depth in (0..whole[1]).step_by(4) {
                let four = |i: usize| from.add((vector + i) * stride + depth).cast::<[u32; 4]>().read();
                for (i, turned) in transpose_4x4([0, 1, 2, 3].map(four)).into_iter().enumerate() {
                    to.add((depth + i) * width + vector).cast::<[u32; 4]>().write(turned);
                }
            }
            for depth in whole[1]..depths {
                (vector..vector + 4).for_each(|vector| one(vector, depth));
            }
        }
        for vector in whole[0]..vectors {
            (0..depths).for_each(|depth| one(vector, depth));
        }
    }
}

/// Copies a slice that is too short for a call of `memcpy`.
#[inline(always)]
pub(crate) fn copy_short(from: &[f32], to: &mut [f32]) {
    match from.len() {
        0..4 => {
            for (from, to) in from.iter().zip(to) {
                *to = *from;
            }
        }
        4..16 => copy_chunks::<4>(from, to),
        _ => copy_chunks::<16>(from, to),
    }
}

/// Copies `N` elements at a time; the last copy may overlap the one before.
#[inline(always)]
fn copy_chunks<const N: usize>(from: &[f32], to: &mut [f32]) {
    if let (Some(from), Some(to)) = (from.last_chunk::<N>(), to.last_chunk_mut::<N>()) {
        *to = *from;
    }
    for (from, to) in from.as_chunks::<N>().0.iter().zip(to.as_chunks_mut::<N>().0) {
        *to = *from;
    }
}

/// A matrix in memory, as a list of vectors.
#[derive(Clone, Copy)]
pub(crate) struct Strided<'a> {
    /// Element (vector, depth) is at `vector · vector_stride + depth · depth_stride`; all elements are in range.
    pub(crate) data: &'a [f32],
    pub(crate) vectors: usize,
    pub(crate) depth: usize,
    pub(crate) vector_stride: usize,
    pub(crate) depth_stride: usize,
}

impl Source for Strided<'_> {
    fn block(&self, vectors: Range<usize>, depths: Range<usize>, width: usize, out: &mut [f32]) {
        let count = vectors.len();
        if self.vector_stride == 1 {
            for (row, depth) in out.chunks_mut(width).zip(depths) {
                let start = depth * self.depth_stride + vectors.start;
                row[..count].copy_from_slice(&self.data[start..start + count]);
            }
            return;
        }
        if self.depth_stride == 1 && count > 0 {
            let source = &self.data[vectors.start * self.vector_stride + depths.start..];
            return transpose(source, self.vector_stride, [count, depths.len()], out, width);
        }
        for (column, vector) in vectors.enumerate() {
            let start = vector * self.vector_stride + depths.start * self.depth_stride;
            let elements = self.data[start..].iter().step_by(self.depth_stride.max(1));
            if self.depth_stride == 0 {
                out.iter_mut()
                    .skip(column)
                    .step_by(width)
                    .take(depths.len())
                    .for_each(|to| *to = self.data[start]);
            } else {
                for (to, from) in out.iter_mut().skip(column).step_by(width).zip(elements).take(depths.len())
                {
                    *to = *from;
                }
            }
        }
    }

    fn magnitudes(&self, scan: Scan) -> MagnitudeRange {
        if self.vectors == 0 || self.depth == 0 {
            return MagnitudeRange::EMPTY;
        }
        // Reads along the dimension that is contiguous.
        let (outer, outer_stride, inner, inner_stride) = if self.vector_stride == 1 {
            (self.depth, self.depth_stride, self.vectors, 1)
        } else {
            (self.vectors, self.vector_stride, self.depth, self.depth_stride)
        };
        if inner_stride == 1 {
            return scan.rows(self.data, outer, outer_stride, inner);
        }
        let mut magnitudes = MagnitudeRange::EMPTY;
        for i in 0..outer {
            for j in 0..inner {
                magnitudes = magnitudes.with(&self.data[i * outer_stride + j * inner_stride..][..1]);
            }
        }
        magnitudes
    }

    fn zeros(&self) -> f64 {
        share_of_zeros(self.data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn magnitude_ranges_cover_all_elements() {
        let magnitudes = MagnitudeRange::EMPTY.with(&[0.0, -3.0, 1e-45, 0.25]);
        assert_eq!((magnitudes.least_exponent(), magnitudes.largest_exponent()), (-149, 1));
        assert_eq!(MagnitudeRange::EMPTY.with(&[-0.0]).largest_exponent(), -1000);
        assert!(!MagnitudeRange::EMPTY.with(&[f32::NAN]).is_finite());
        assert_eq!(MagnitudeRange::EMPTY.with(&[f32::MIN_POSITIVE / 2.0]).least_exponent(), -127);
        let precision = |numbers: &[f32]| MagnitudeRange::EMPTY.with(numbers).precision();
        assert_eq!([precision(&[]), precision(&[0.0, -4.0]), precision(&[1.0, 1.75, -448.0])], [1, 1, 3]);
        assert_eq!([precision(&[0.1]), precision(&[1.0 + f32::EPSILON]), precision(&[1e-45])], [24; 3]);
    }

    #[test]
    fn magnitudes_are_those_of_every_element_on_any_leg_and_threads() {
        // Numbers of all exponents, some of them zero; the extremes are in the last row.
        let number = |i: u32| f32::from_bits(i.wrapping_mul(0x9e37_79b9) & 0xbf7f_ffff);
        let mut data: Vec<f32> = (0..700 * 613).map(|i| if i % 5 == 0 { 0.0 } else { number(i) }).collect();
        data[699 * 613 + 11] = f32::from_bits(1);
        data[699 * 613 + 12] = f32::INFINITY;
        for (vectors, vector_stride, depth, depth_stride) in
            [(700, 613, 613, 1), (613, 1, 700, 613), (700, 613, 600, 1), (350, 1226, 300, 2), (1, 5, 9, 1)]
        {
            let source = Strided { data: &data, vectors, depth, vector_stride, depth_stride };
            let all: Vec<f32> = (0..vectors)
                .flat_map(|vector| (0..depth).map(move |depth| (vector, depth)))
                .map(|(vector, depth)| data[vector * vector_stride + depth * depth_stride])
                .collect();
            let plain = MagnitudeRange::EMPTY.with(&all);
            for isa in Isa::available() {
                for threads in [1, 3] {
                    assert_eq!(source.magnitudes(Scan { isa, threads }), plain, "{isa} {vectors} × {depth}");
                }
            }
        }
    }

    #[test]
    fn vectors_of_any_size_are_transposed() {
        let data: Vec<f32> = (0..1000).map(|i| i as f32).collect();
        for (vectors, depths) in [(0, 5), (3, 4), (4, 0), (4, 3), (5, 9), (12, 17), (16, 64)] {
            let (stride, width) = (61, 17);
            let mut to = vec![-1.0; depths * width];
            transpose(&data, stride, [vectors, depths.min(stride)], &mut to, width);
            for (at, &got) in to.iter().enumerate() {
                let (depth, vector) = (at / width, at % width);
                let written = vector < vectors && depth < stride;
                assert_eq!(got, if written { (vector * stride + depth) as f32 } else { -1.0 });
            }
        }
    }

    #[test]
    fn blocks_of_any_stride_equal_plain_loops() {
        let data: Vec<f32> = (0..100).map(|i| i as f32).collect();
        for (vector_stride, depth_stride) in [(1, 10), (10, 1), (3, 13), (0, 1), (7, 0)] {
            let source = Strided { data: &data, vectors: 5, depth: 4, vector_stride, depth_stride };
            let mut out = [-1.0; 3 * 8];
            source.block(1..5, 1..4, 8, &mut out);
            for (at, &got) in out.iter().enumerate() {
                let (depth, vector) = (at / 8, at % 8);
                let wanted = ((1 + vector) * vector_stride + (1 + depth) * depth_stride) as f32;
                assert_eq!(got, if vector < 4 { wanted } else { -1.0 });
            }
        }
    }
}
