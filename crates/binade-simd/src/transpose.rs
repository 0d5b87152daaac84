//! Transposition of tiles of 32-bit words, for packing and for kernels that read along columns.

use crate::Isa;

/// The number of rows and columns of a tile.
pub const TILE: usize = 16;

/// The transpose of four rows of four words.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn transpose_4x4(rows: [[u32; 4]; 4]) -> [[u32; 4]; 4] {
    use core::arch::x86_64::{__m128, _MM_TRANSPOSE4_PS};
    // SAFETY: every x86-64 processor has SSE, and both types are 64 bytes of plain data.
    unsafe {
        let [mut a, mut b, mut c, mut d] = core::mem::transmute::<[[u32; 4]; 4], [__m128; 4]>(rows);
        _MM_TRANSPOSE4_PS(&mut a, &mut b, &mut c, &mut d);
        core::mem::transmute::<[__m128; 4], [[u32; 4]; 4]>([a, b, c, d])
    }
}

/// The transpose of four rows of four words.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub fn transpose_4x4(rows: [[u32; 4]; 4]) -> [[u32; 4]; 4] {
    [0, 1, 2, 3].map(|i| rows.map(|row| row[i]))
}

/// Transposes sixteen rows of sixteen words. Rows are `from` words apart in the source and `to` words apart in the
/// target. Each row is read once and written once, as a whole.
///
/// # Panics
/// If the source or the target ends before its last row.
pub fn transpose_tile(isa: Isa, source: &[u32], from: usize, target: &mut [u32], to: usize) {
    let holds = |words: usize, stride: usize| {
        stride
            .checked_mul(TILE - 1)
            .is_some_and(|last| last.checked_add(TILE).is_some_and(|end| end <= words))
    };
    assert!(holds(source.len(), from) && holds(target.len(), to), "rows of a tile");
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx512() {
        // SAFETY: the token proves that the machine has AVX-512 F, and the rows were checked to be within both slices.
        return unsafe { tile_avx512(source.as_ptr(), from, target.as_mut_ptr(), to) };
    }
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx2() {
        // SAFETY: the token proves that the machine has AVX2, and the rows were checked to be within both slices.
        return unsafe { tile_avx2(source.as_ptr(), from, target.as_mut_ptr(), to) };
    }
    let _ = isa;
    let mut rows = [[[0; 4]; TILE / 4]; TILE];
    for (part, four) in (0..TILE).step_by(4).enumerate() {
        let row = |at: usize| source[(four + at) * from..][..TILE].as_chunks::<4>().0;
        let [a, b, c, d] = [0, 1, 2, 3].map(row);
        for group in 0..TILE / 4 {
            let turned = transpose_4x4([a[group], b[group], c[group], d[group]]);
            rows[4 * group..].iter_mut().zip(turned).for_each(|(row, turned)| row[part] = turned);
        }
    }
    for (at, row) in rows.iter().enumerate() {
        target[at * to..][..TILE].copy_from_slice(row.as_flattened());
    }
}

/// [`transpose_tile`] in registers: interleaves pairs of rows, then pairs of these, then quarters of registers.
///
/// # Safety
/// The machine has AVX-512 F. `source` and `target` have sixteen rows of sixteen words at their distances.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn tile_avx512(source: *const u32, from: usize, target: *mut u32, to: usize) {
    use core::arch::x86_64::*;
    let mut rows = [_mm512_setzero_si512(); TILE];
    for (at, row) in rows.iter_mut().enumerate() {
        // SAFETY: the caller guarantees sixteen rows of the source.
        *row = unsafe { _mm512_loadu_si512(source.add(at * from).cast()) };
    }
    let mut next = rows;
    for i in 0..8 {
        let (a, b) = (rows[2 * i], rows[2 * i + 1]);
        (next[2 * i], next[2 * i + 1]) = (_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
    }
    for i in 0..4 {
        let [a, b, c, d] = [0, 1, 2, 3].map(|at| next[4 * i + at]);
        rows[4 * i] = _mm512_unpacklo_epi64(a, c);
        rows[4 * i + 1] = _mm512_unpackhi_epi64(a, c);
        rows[4 * i + 2] = _mm512_unpacklo_epi64(b, d);
        rows[4 * i + 3] = _mm512_unpackhi_epi64(b, d);
    }
    // The even quarters of two registers, and the odd ones.
    for i in 0..4 {
        for half in [0, 8] {
            let (a, b) = (rows[half + i], rows[half + i + 4]);
            next[half + i] = _mm512_shuffle_i32x4::<0b10_00_10_00>(a, b);
            next[half + i + 4] = _mm512_shuffle_i32x4::<0b11_01_11_01>(a, b);
        }
    }
    for i in 0..8 {
        let (a, b) = (next[i], next[i + 8]);
        rows[i] = _mm512_shuffle_i32x4::<0b10_00_10_00>(a, b);
        rows[i + 8] = _mm512_shuffle_i32x4::<0b11_01_11_01>(a, b);
    }
    for (at, row) in rows.iter().enumerate() {
        // SAFETY: the caller guarantees sixteen rows of the target.
        unsafe { _mm512_storeu_si512(target.add(at * to).cast(), *row) };
    }
}

/// [`transpose_tile`] in quarters of the tile. Halves of registers are loaded so that four rows are beside the four
/// rows below them. It then only transposes four rows of four words in both halves.
///
/// # Safety
/// The machine has AVX2. `source` and `target` have sixteen rows of sixteen words at their distances.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn tile_avx2(source: *const u32, from: usize, target: *mut u32, to: usize) {
    use core::arch::x86_64::*;
    // If rows are a power of two apart, the first-level cache holds the lines of only eight. So each line is read whole
    // at once.
    for down in [0, 8] {
        let mut rows = [source.wrapping_add(down * from); 8];
        for at in 1..8 {
            rows[at] = rows[at - 1].wrapping_add(from);
        }
        let mut place = target.wrapping_add(down);
        for across in [0, 4, 8, 12] {
            let mut vectors = [_mm256_setzero_ps(); 4];
            for (at, vector) in vectors.iter_mut().enumerate() {
                // SAFETY: the caller guarantees sixteen rows of the source.
                *vector = unsafe {
                    let [upper, lower] =
                        [rows[at], rows[at + 4]].map(|row| _mm_loadu_ps(row.add(across).cast()));
                    _mm256_insertf128_ps::<1>(_mm256_castps128_ps256(upper), lower)
                };
            }
            let [a, b, c, d] = vectors;
            let (ab, cd) = (_mm256_unpacklo_ps(a, b), _mm256_unpacklo_ps(c, d));
            let (ab, cd) = (_mm256_castps_pd(ab), _mm256_castps_pd(cd));
            let first = [_mm256_unpacklo_pd(ab, cd), _mm256_unpackhi_pd(ab, cd)];
            let (ab, cd) = (_mm256_unpackhi_ps(a, b), _mm256_unpackhi_ps(c, d));
            let (ab, cd) = (_mm256_castps_pd(ab), _mm256_castps_pd(cd));
            let second = [_mm256_unpacklo_pd(ab, cd), _mm256_unpackhi_pd(ab, cd)];
            for column in [first[0], first[1], second[0], second[1]] {
                // SAFETY: the caller guarantees sixteen rows of the target.
                unsafe { _mm256_storeu_pd(place.cast(), column) };
                place = place.wrapping_add(to);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_rows_of_words_are_transposed() {
        let rows = [0, 1, 2, 3].map(|row| [0, 1, 2, 3].map(|column| 0x7f80_0001 + 16 * row + column));
        let turned = transpose_4x4(rows);
        assert!((0..16).all(|at| turned[at % 4][at / 4] == rows[at / 4][at % 4]));
        assert_eq!(transpose_4x4(turned), rows);
    }

    #[test]
    fn tiles_are_transposed_on_every_leg() {
        for (from, to) in [(16, 16), (33, 17), (16, 1000)] {
            let source: Vec<u32> = (0..15 * from + 16).map(|at| 0x7f80_0001 + at as u32).collect();
            for isa in Isa::available() {
                let mut target = vec![7; 15 * to + 16];
                transpose_tile(isa, &source, from, &mut target, to);
                for (at, &word) in target.iter().enumerate() {
                    let (row, column) = (at / to, at % to);
                    let expected = if column < TILE { source[column * from + row] } else { 7 };
                    assert_eq!(word, expected, "{isa}: {at}");
                }
            }
        }
    }
}
