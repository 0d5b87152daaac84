//! Rows as columns.

use crate::Isa;

/// Rows and columns of a tile.
pub const TILE: usize = 16;

/// Four rows of four words as columns.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn transposed(rows: [[u32; 4]; 4]) -> [[u32; 4]; 4] {
    use core::arch::x86_64::{__m128, _MM_TRANSPOSE4_PS};
    // SAFETY: every x86-64 has SSE; four words are 128 bits of plain data, which are only moved.
    unsafe {
        let [mut a, mut b, mut c, mut d] = core::mem::transmute::<[[u32; 4]; 4], [__m128; 4]>(rows);
        _MM_TRANSPOSE4_PS(&mut a, &mut b, &mut c, &mut d);
        core::mem::transmute::<[__m128; 4], [[u32; 4]; 4]>([a, b, c, d])
    }
}

/// Four rows of four words as columns.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
pub fn transposed(rows: [[u32; 4]; 4]) -> [[u32; 4]; 4] {
    [0, 1, 2, 3].map(|i| rows.map(|row| row[i]))
}

/// Sixteen rows of sixteen words, `from` apart in the source, as columns of rows that are `to` apart. Every row is read and
/// written once and whole.
///
/// # Panics
/// If the source or the target ends before the last row does.
pub fn transpose_tile(isa: Isa, source: &[u32], from: usize, target: &mut [u32], to: usize) {
    let holds = |words: usize, stride: usize| {
        stride
            .checked_mul(TILE - 1)
            .is_some_and(|last| last.checked_add(TILE).is_some_and(|end| end <= words))
    };
    assert!(holds(source.len(), from) && holds(target.len(), to), "rows of a tile");
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx512() {
        // SAFETY: the token proves that the machine has AVX-512 F, and the rows were looked at.
        return unsafe { tile_avx512(source.as_ptr(), from, target.as_mut_ptr(), to) };
    }
    #[cfg(target_arch = "x86_64")]
    if isa.has_avx2() {
        // SAFETY: as above, of AVX2.
        return unsafe { tile_avx2(source.as_ptr(), from, target.as_mut_ptr(), to) };
    }
    let _ = isa;
    let mut rows = [[[0; 4]; TILE / 4]; TILE];
    for (part, four) in (0..TILE).step_by(4).enumerate() {
        let row = |at: usize| source[(four + at) * from..][..TILE].as_chunks::<4>().0;
        let [a, b, c, d] = [0, 1, 2, 3].map(row);
        for group in 0..TILE / 4 {
            let turned = transposed([a[group], b[group], c[group], d[group]]);
            rows[4 * group..].iter_mut().zip(turned).for_each(|(row, turned)| row[part] = turned);
        }
    }
    for (at, row) in rows.iter().enumerate() {
        target[at * to..][..TILE].copy_from_slice(row.as_flattened());
    }
}

/// [`transpose_tile`] in registers: pairs of rows, pairs of those, then quarters of registers.
///
/// # Safety
/// The machine has AVX-512 F, and sixteen rows of sixteen words are there on both sides.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn tile_avx512(source: *const u32, from: usize, target: *mut u32, to: usize) {
    use core::arch::x86_64::*;
    let mut rows = [_mm512_setzero_si512(); TILE];
    for (at, row) in rows.iter_mut().enumerate() {
        // SAFETY: the caller has the rows.
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
    // The even quarters of two, and the odd ones.
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
        // SAFETY: as above.
        unsafe { _mm512_storeu_si512(target.add(at * to).cast(), *row) };
    }
}

/// [`transpose_tile`] in quarters, whose halves are loaded such that four rows and the four below lie side by side: what is left
/// is to transpose four rows of four words in both halves of registers.
///
/// # Safety
/// The machine has AVX2, and sixteen rows of sixteen words are there on both sides.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn tile_avx2(source: *const u32, from: usize, target: *mut u32, to: usize) {
    use core::arch::x86_64::*;
    // Where rows are a power of two apart, the first-level cache holds the lines of eight: all of each is taken at once.
    for down in [0, 8] {
        let mut rows = [source.wrapping_add(down * from); 8];
        for at in 1..8 {
            rows[at] = rows[at - 1].wrapping_add(from);
        }
        let mut place = target.wrapping_add(down);
        for across in [0, 4, 8, 12] {
            let mut vectors = [_mm256_setzero_ps(); 4];
            for (at, vector) in vectors.iter_mut().enumerate() {
                // SAFETY: the caller has the rows.
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
                // SAFETY: as above.
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
    fn rows_are_columns() {
        let rows = [0, 1, 2, 3].map(|row| [0, 1, 2, 3].map(|column| 0x7f80_0001 + 16 * row + column));
        let turned = transposed(rows);
        assert!((0..16).all(|at| turned[at % 4][at / 4] == rows[at / 4][at % 4]));
        assert_eq!(transposed(turned), rows);
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
