//! AVX512_BF16 and AMX.

use std::arch::asm;
use std::arch::x86_64::{__cpuid_count, __m128, _mm_cvtss_f32, _mm_set1_ps};

use super::compare;

/// Bit `bit` of EAX of leaf 7, subleaf 1, for AVX512_BF16, or of EDX of subleaf 0, for AMX.
fn has(subleaf: u32, bit: u32) -> bool {
    let found = __cpuid_count(7, subleaf);
    (if subleaf == 1 { found.eax } else { found.edx }) >> bit & 1 != 0
}

/// VDPBF16PS of one pair.
#[target_feature(enable = "avx512f,avx512vl")]
unsafe fn multiply_pair(a: &[u16], b: &[u16], c: u32) -> u32 {
    let word = |pair: &[u16]| f32::from_bits(u32::from(pair[0]) | u32::from(pair[1]) << 16);
    let mut sum: __m128 = _mm_set1_ps(f32::from_bits(c));
    let (a, b) = (_mm_set1_ps(word(a)), _mm_set1_ps(word(b)));
    // SAFETY: the caller has AVX512_BF16, and the instruction accesses registers only.
    unsafe {
        asm!("vdpbf16ps {0}, {1}, {2}", inout(xmm_reg) sum, in(xmm_reg) a, in(xmm_reg) b, options(pure, nomem, nostack))
    };
    _mm_cvtss_f32(sum).to_bits()
}

#[test]
fn avx512_bf16_instruction_equals_its_unit() {
    if !has(1, 5) {
        eprintln!("SKIPPED: this processor has no AVX512_BF16");
        return;
    }
    // SAFETY: the processor has AVX512_BF16, with AVX-512 F and VL.
    compare("avx512-bf16", 100_000, 2, true, |a, b, c| unsafe { multiply_pair(a, b, c) });
}

/// The configuration of tiles: palette, start row, bytes of a row and rows of each tile.
#[repr(C, align(64))]
struct Tiles {
    palette: u8,
    start: u8,
    reserved: [u8; 14],
    row_bytes: [u16; 16],
    rows: [u8; 16],
}

/// Requests permission to use tiles from the system; false if it has none.
fn may_use_tiles() -> bool {
    const ARCH_REQ_XCOMP_PERM: u64 = 0x1023;
    const XTILEDATA: u64 = 18;
    let mut status: i64 = 158;
    // SAFETY: arch_prctl with this request changes which processor state the system saves, and accesses no memory.
    unsafe {
        asm!("syscall", inout("rax") status, in("rdi") ARCH_REQ_XCOMP_PERM, in("rsi") XTILEDATA, lateout("rcx") _, lateout("r11") _);
    }
    status == 0
}

/// TDPBF16PS of one row and one column.
fn multiply_tiles(a: &[u16], b: &[u16], mut c: u32) -> u32 {
    let pairs = a.len() / 2;
    let mut tiles = Tiles { palette: 1, start: 0, reserved: [0; 14], row_bytes: [0; 16], rows: [0; 16] };
    for (tile, (row_bytes, rows)) in [(4, 1), (4 * pairs, 1), (4, pairs)].into_iter().enumerate() {
        (tiles.row_bytes[tile], tiles.rows[tile]) = (row_bytes as u16, rows as u8);
    }
    // SAFETY: the processor has AMX-BF16 and the system saves tiles. Tiles 0, 1 and 2 have one number, `pairs` pairs in
    // a row and `pairs` rows of a pair, which is what `c`, `a` and `b` store. Strides of 64 reach no second row of the
    // first two.
    unsafe {
        asm!(
            "ldtilecfg [{tiles}]",
            "tileloadd tmm0, [{c} + {row} * 1]",
            "tileloadd tmm1, [{a} + {row} * 1]",
            "tileloadd tmm2, [{b} + {pair} * 1]",
            "tdpbf16ps tmm0, tmm1, tmm2",
            "tilestored [{c} + {row} * 1], tmm0",
            "tilerelease",
            tiles = in(reg) &raw const tiles,
            a = in(reg) a.as_ptr(),
            b = in(reg) b.as_ptr(),
            c = in(reg) &raw mut c,
            row = in(reg) 64usize,
            pair = in(reg) 4usize,
            options(nostack),
        );
    }
    c
}

#[test]
fn amx_instruction_equals_its_unit() {
    if !has(0, 22) || !has(0, 24) {
        eprintln!("SKIPPED: this processor has no AMX-BF16");
        return;
    }
    if !may_use_tiles() {
        eprintln!("SKIPPED: this system saves no tiles");
        return;
    }
    for count in [2, 4, 14, 32] {
        compare("amx", 20_000, count, true, multiply_tiles);
    }
}
