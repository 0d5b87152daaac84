//! Products of matrices of 8-bit integers, summed modulo 2^32: exact, so that no order of accumulation matters.
//!
//! | machine | step |
//! |---|---|
//! | AVX-512 VNNI | four products and their sum: an unsigned by a signed byte |
//! | AVX2 | two products of 16 bits and their sum |
//! | others | the same in plain Rust |
//!
//! VNNI takes one unsigned and one signed factor. So a = a′ + α and b = b′ − β, where a′ is a signed byte, b′ an
//! unsigned one, and α and β are 0 or 128. Then Σ a b = Σ a′ b′ − β Σ a′ + α Σ b.

use std::ops::Range;

#[cfg(target_arch = "x86_64")]
use binade_simd::Instructions;
use binade_simd::Isa;

use crate::gemm::in_parallel;
use crate::matrix::{ShapeError, same};

/// A matrix of bytes to read: element (row, column) is `data[row · row_stride + column · column_stride]`.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'a> {
    data: &'a [u8],
    signed: bool,
    rows: usize,
    columns: usize,
    row_stride: usize,
    column_stride: usize,
}

/// Rows and columns of a tile.
const ROWS: usize = 8;
const COLUMNS: usize = 48;

/// Depth processed at once: a strip of packed B of this depth fits the first-level cache.
const DEPTH: usize = 512;

/// A tile of sums.
type Tile = [[i32; COLUMNS]; ROWS];

impl<'a> Bytes<'a> {
    /// A matrix of bytes at any strides, two's complement if `signed`.
    ///
    /// # Errors
    /// If the slice is too short.
    pub fn new(
        data: &'a [u8],
        signed: bool,
        [rows, columns]: [usize; 2],
        [row_stride, column_stride]: [usize; 2],
    ) -> Result<Bytes<'a>, ShapeError> {
        let what = || format!("a {rows} × {columns} matrix");
        let last = |count: usize, stride: usize| (count - 1).checked_mul(stride);
        let span = match rows == 0 || columns == 0 {
            true => Some(0),
            false => last(rows, row_stride)
                .zip(last(columns, column_stride))
                .and_then(|(row, column)| row.checked_add(column)?.checked_add(1)),
        };
        match span {
            None => Err(ShapeError::Size { what: what() }),
            Some(needed) if needed > data.len() => {
                Err(ShapeError::Length { what: what(), needed, given: data.len() })
            }
            Some(_) => Ok(Bytes { data, signed, rows, columns, row_stride, column_stride }),
        }
    }

    /// The integer that a byte represents.
    fn value(&self, byte: u8) -> i32 {
        if self.signed { (byte as i8).into() } else { byte.into() }
    }

    fn at(&self, row: usize, column: usize) -> u8 {
        self.data[row * self.row_stride + column * self.column_stride]
    }

    /// The sum of a row's elements, modulo 2^32.
    fn sum_of_row(&self, row: usize) -> i32 {
        (0..self.columns).fold(0, |sum: i32, column| sum.wrapping_add(self.value(self.at(row, column))))
    }

    fn transposed(self) -> Bytes<'a> {
        let Bytes { rows, columns, row_stride, column_stride, .. } = self;
        Bytes { rows: columns, columns: rows, row_stride: column_stride, column_stride: row_stride, ..self }
    }

    /// Writes groups of `N` neighbours along each of these rows, `width` rows side by side. Beyond the matrix are
    /// zeros.
    fn pack<T: Copy + Default, const N: usize>(
        &self,
        rows: Range<usize>,
        depths: Range<usize>,
        width: usize,
        element: impl Fn(u8) -> T,
        to: &mut [[T; N]],
    ) {
        to.fill([T::default(); N]);
        for (group, to) in to.chunks_exact_mut(width).enumerate().take(depths.len().div_ceil(N)) {
            let first = depths.start + group * N;
            let count = N.min(depths.end - first);
            for (row, to) in rows.clone().zip(to) {
                let start = row * self.row_stride + first * self.column_stride;
                if let (1, Some(from)) = (self.column_stride, self.data[start..].first_chunk::<N>())
                    && count == N
                {
                    *to = from.map(&element);
                    continue;
                }
                for (i, to) in to.iter_mut().enumerate().take(count) {
                    *to = element(self.data[start + i * self.column_stride]);
                }
            }
        }
    }
}

/// C ← A · B modulo 2^32, on at most `threads` threads. C is stored row after row.
///
/// ```
/// use binade_fma::{Bytes, multiply_bytes};
/// use binade_simd::Isa;
///
/// let (a, b, mut c) = ([1, 2, 3, 0xff], [10, 200], [0; 2]);
/// let (a, b) = (Bytes::new(&a, true, [2, 2], [2, 1])?, Bytes::new(&b, false, [2, 1], [1, 1])?);
/// multiply_bytes(Isa::detect(), 1, a, b, &mut c)?;
/// assert_eq!(c, [410, -170]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the shapes do not fit.
pub fn multiply_bytes(isa: Isa, threads: usize, a: Bytes, b: Bytes, c: &mut [i32]) -> Result<(), ShapeError> {
    same("the number of B's rows", b.rows, a.columns)?;
    same("the number of C's elements", c.len(), a.rows.saturating_mul(b.columns))?;
    if c.is_empty() {
        return Ok(());
    }
    let size = a.rows.div_ceil(threads.max(1)).next_multiple_of(ROWS);
    let pieces = c.chunks_mut(size * b.columns).enumerate().map(|(piece, c)| (piece * size, c)).collect();
    in_parallel(pieces, |(first, c): (usize, &mut [i32])| {
        let rows = first..first + c.len() / b.columns;
        match isa.instructions() {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512Bf16 | Instructions::Avx512Vbmi => in_fours(a, b, rows, c),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 | Instructions::Avx512 => in_pairs(a, b, rows, c, |depth, a, b, tile| {
                // SAFETY: the token proves that the machine has the instructions.
                unsafe { vector::add_pairs(depth, a, b, tile) }
            }),
            _ => in_pairs(a, b, rows, c, add_pairs),
        }
    });
    Ok(())
}

/// Computes the tiles of some rows. `start(row, column)` is the initial sum. `pack(vectors, depths, of A)` packs a
/// panel or a strip, and `steps` adds its products, in groups of `N` along the depth.
fn tiles<T: Copy + Default, const N: usize>(
    (a, b): (Bytes, Bytes),
    rows: Range<usize>,
    c: &mut [i32],
    start: impl Fn(usize, usize) -> i32,
    (of_a, of_b): (impl Fn(u8) -> T, impl Fn(u8) -> T),
    steps: impl Fn(usize, &[[T; N]], &[[T; N]], &mut Tile),
) {
    let (turned, columns) = (b.transposed(), b.columns);
    let groups = DEPTH.min(a.columns).div_ceil(N).max(1);
    let panels = rows.len().div_ceil(ROWS);
    let mut left = vec![[T::default(); N]; panels * ROWS * groups];
    let mut right = vec![[T::default(); N]; COLUMNS * groups];
    for (row, c) in rows.clone().zip(c.chunks_exact_mut(columns)) {
        c.iter_mut().enumerate().for_each(|(column, c)| *c = start(row, column));
    }
    for first in (0..a.columns).step_by(DEPTH) {
        let depths = first..(first + DEPTH).min(a.columns);
        let groups = depths.len().div_ceil(N);
        for (panel, left) in left.chunks_exact_mut(ROWS * groups).take(panels).enumerate() {
            let top = rows.start + panel * ROWS;
            a.pack(top..(top + ROWS).min(rows.end), depths.clone(), ROWS, &of_a, left);
        }
        for column in (0..columns).step_by(COLUMNS) {
            let width = COLUMNS.min(columns - column);
            let right = &mut right[..COLUMNS * groups];
            turned.pack(column..column + width, depths.clone(), COLUMNS, &of_b, right);
            for (panel, c) in c.chunks_mut(ROWS * columns).enumerate() {
                let mut tile = [[0; COLUMNS]; ROWS];
                for (tile, c) in tile.iter_mut().zip(c.chunks_exact(columns)) {
                    tile[..width].copy_from_slice(&c[column..column + width]);
                }
                steps(groups, &left[panel * ROWS * groups..][..ROWS * groups], right, &mut tile);
                for (tile, c) in tile.iter().zip(c.chunks_exact_mut(columns)) {
                    c[column..column + width].copy_from_slice(&tile[..width]);
                }
            }
        }
    }
}

/// Products in pairs of 16-bit factors.
fn in_pairs(
    a: Bytes,
    b: Bytes,
    rows: Range<usize>,
    c: &mut [i32],
    steps: impl Fn(usize, &[[i16; 2]], &[[i16; 2]], &mut Tile),
) {
    let value = |signed| move |byte: u8| if signed { i16::from(byte as i8) } else { i16::from(byte) };
    tiles((a, b), rows, c, |_, _| 0, (value(a.signed), value(b.signed)), steps);
}

/// Adds the products of `depth` pairs to a tile.
fn add_pairs(depth: usize, a: &[[i16; 2]], b: &[[i16; 2]], tile: &mut Tile) {
    for (a, b) in a.chunks_exact(ROWS).zip(b.chunks_exact(COLUMNS)).take(depth) {
        for (sums, a) in tile.iter_mut().zip(a) {
            let [first, second] = a.map(i32::from);
            for (sum, b) in sums.iter_mut().zip(b) {
                *sum = sum.wrapping_add(first * i32::from(b[0]) + second * i32::from(b[1]));
            }
        }
    }
}

/// Products in groups of four, each of an unsigned and a signed byte.
#[cfg(target_arch = "x86_64")]
fn in_fours(a: Bytes, b: Bytes, rows: Range<usize>, c: &mut [i32]) {
    // A's elements are a′ + α, B's are b′ − β.
    let (alpha, beta) = (if a.signed { 0 } else { 128 }, if b.signed { 128 } else { 0 });
    let of_rows: Vec<i32> = (rows.clone())
        .map(|row| {
            let of_signed = a.sum_of_row(row).wrapping_sub((a.columns as i32).wrapping_mul(alpha));
            if beta == 0 { 0 } else { of_signed.wrapping_mul(-beta) }
        })
        .collect();
    let turned = b.transposed();
    let of_columns: Vec<i32> = (0..b.columns)
        .map(|column| if alpha == 0 { 0 } else { turned.sum_of_row(column).wrapping_mul(alpha) })
        .collect();
    let start = |row: usize, column: usize| of_rows[row - rows.start].wrapping_add(of_columns[column]);
    let flip = |by: i32| move |byte: u8| if by == 0 { byte } else { byte ^ 0x80 };
    tiles((a, b), rows.clone(), c, start, (flip(alpha), flip(beta)), |depth, a, b, tile| {
        // SAFETY: the caller selected this function by a token that proves that the machine has the instructions.
        unsafe { vector::add_fours(depth, a, b, tile) }
    });
}

#[cfg(target_arch = "x86_64")]
mod vector {
    use core::arch::x86_64::*;

    use super::{COLUMNS, ROWS, Tile};

    /// Adds products of groups of four, A's bytes signed and B's unsigned, to a tile.
    ///
    /// # Safety
    /// The machine has AVX-512 F and VNNI.
    #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")]
    pub(super) unsafe fn add_fours(depth: usize, a: &[[u8; 4]], b: &[[u8; 4]], tile: &mut Tile) {
        const VECTORS: usize = COLUMNS / 16;
        assert!(a.len() >= depth * ROWS && b.len() >= depth * COLUMNS);
        // SAFETY: the slices' lengths were compared, and a row of the tile has VECTORS vectors.
        unsafe {
            let mut sums = [[_mm512_setzero_si512(); VECTORS]; ROWS];
            for (sums, row) in sums.iter_mut().zip(tile.iter()) {
                for (j, sum) in sums.iter_mut().enumerate() {
                    *sum = _mm512_loadu_si512(row.as_ptr().add(16 * j).cast());
                }
            }
            let (mut a, mut b) = (a.as_ptr(), b.as_ptr());
            for _ in 0..depth {
                let mut right = [_mm512_setzero_si512(); VECTORS];
                for (j, right) in right.iter_mut().enumerate() {
                    *right = _mm512_loadu_si512(b.add(16 * j).cast());
                }
                for (i, sums) in sums.iter_mut().enumerate() {
                    let left = _mm512_set1_epi32(i32::from_ne_bytes(*a.add(i)));
                    for (sum, right) in sums.iter_mut().zip(&right) {
                        *sum = _mm512_dpbusd_epi32(*sum, *right, left);
                    }
                }
                a = a.add(ROWS);
                b = b.add(COLUMNS);
            }
            for (sums, row) in sums.iter().zip(tile.iter_mut()) {
                for (j, sum) in sums.iter().enumerate() {
                    _mm512_storeu_si512(row.as_mut_ptr().add(16 * j).cast(), *sum);
                }
            }
        }
    }

    /// As [`super::add_pairs`].
    ///
    /// # Safety
    /// The machine has AVX2.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn add_pairs(depth: usize, a: &[[i16; 2]], b: &[[i16; 2]], tile: &mut Tile) {
        /// Rows and vectors whose sums are in registers at once.
        const ROWS_AT_ONCE: usize = 4;
        const VECTORS: usize = 2;
        assert!(a.len() >= depth * ROWS && b.len() >= depth * COLUMNS);
        for top in (0..ROWS).step_by(ROWS_AT_ONCE) {
            for left in (0..COLUMNS).step_by(8 * VECTORS) {
                // SAFETY: the slices' lengths were compared, and the rows and columns are within the tile.
                unsafe {
                    let mut sums = [[_mm256_setzero_si256(); VECTORS]; ROWS_AT_ONCE];
                    for (sums, row) in sums.iter_mut().zip(&tile[top..]) {
                        for (j, sum) in sums.iter_mut().enumerate() {
                            *sum = _mm256_loadu_si256(row.as_ptr().add(left + 8 * j).cast());
                        }
                    }
                    for at in 0..depth {
                        let mut right = [_mm256_setzero_si256(); VECTORS];
                        for (j, right) in right.iter_mut().enumerate() {
                            *right = _mm256_loadu_si256(b.as_ptr().add(at * COLUMNS + left + 8 * j).cast());
                        }
                        for (i, sums) in sums.iter_mut().enumerate() {
                            let [first, second] = a[at * ROWS + top + i];
                            let pair = i32::from(first) & 0xffff | i32::from(second) << 16;
                            let left = _mm256_set1_epi32(pair);
                            for (sum, right) in sums.iter_mut().zip(&right) {
                                *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(left, *right));
                            }
                        }
                    }
                    for (sums, row) in sums.iter().zip(&mut tile[top..]) {
                        for (j, sum) in sums.iter().enumerate() {
                            _mm256_storeu_si256(row.as_mut_ptr().add(left + 8 * j).cast(), *sum);
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use binade::philox::Stream;

    use super::*;

    /// Every leg and each signedness, against the definition.
    #[test]
    fn products_of_bytes_on_every_leg_equal_plain_sums() {
        let mut random = Stream::new(1);
        let mut byte = || {
            // Makes the ends of the range frequent.
            [random.word() as u8, 0x80, 0x7f, 0xff][random.below(4)]
        };
        for (rows, depth, columns) in [
            (1, 1, 1),
            (8, 4, 48),
            (3, 5, 7),
            (17, 513, 49),
            (9, 1030, 5),
            (0, 3, 2),
            (2, 0, 3),
            (40, 64, 100),
        ] {
            let a: Vec<u8> = (0..rows * depth).map(|_| byte()).collect();
            let b: Vec<u8> = (0..depth * columns).map(|_| byte()).collect();
            for flags in 0..16 {
                let [a_signed, b_signed, a_turned, b_turned] = [1, 2, 4, 8].map(|bit| flags & bit != 0);
                let strides = |turned, rows, columns| if turned { [1, rows] } else { [columns, 1] };
                let a = Bytes::new(&a, a_signed, [rows, depth], strides(a_turned, rows, depth)).unwrap();
                let b =
                    Bytes::new(&b, b_signed, [depth, columns], strides(b_turned, depth, columns)).unwrap();
                let product = |at: usize| {
                    let (row, column) = (at / columns, at % columns);
                    (0..depth).fold(0i32, |sum, k| {
                        sum.wrapping_add(a.value(a.at(row, k)) * b.value(b.at(k, column)))
                    })
                };
                let expected: Vec<i32> = (0..rows * columns).map(product).collect();
                for isa in Isa::available() {
                    for threads in [1, 3] {
                        let mut c = vec![77; rows * columns];
                        multiply_bytes(isa, threads, a, b, &mut c).unwrap();
                        assert_eq!(c, expected, "{rows} {depth} {columns} {flags} {}", isa.name());
                    }
                }
            }
        }
    }

    #[test]
    fn matrices_of_bytes_of_wrong_shapes_are_errors() {
        let data = [0; 12];
        assert!(Bytes::new(&data, true, [3, 4], [4, 1]).is_ok());
        assert!(matches!(
            Bytes::new(&data, true, [3, 5], [5, 1]),
            Err(ShapeError::Length { needed: 15, .. })
        ));
        assert!(matches!(Bytes::new(&data, true, [3, 3], [usize::MAX, 1]), Err(ShapeError::Size { .. })));
        let x = Bytes::new(&data, true, [3, 4], [4, 1]).unwrap();
        assert!(multiply_bytes(Isa::PORTABLE, 1, x, x, &mut [0; 9]).is_err());
        assert!(multiply_bytes(Isa::PORTABLE, 1, x, x.transposed(), &mut [0; 8]).is_err());
    }
}
