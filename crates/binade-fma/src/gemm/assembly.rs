//! Assembly loops over the steps of a tile, for operators whose speed depends on the order of instructions.
//!
//! - FMA_1_3 at the ends of the range, the steps of [`Tiny`](super::ranged::Tiny) and [`Capped`]: tiles of 8 rows of 48
//!   columns.
//! - FMA_1_1 for any data, and by [`super::veltkamp`]: tiles of 16 rows of 16 columns.
//! - FMA_1_1 for data that [`super::avx512_bf16`] handles: tiles of 8 rows of 32 columns.
//! - The operators of three input parts for the same data: tiles of 12 rows of 16 columns.
//!
//! These loops run at the rate at which the core issues instructions. Elements of A are memory operands, each vector's
//! instructions are close together, and sums use both FMA units. The compiler loads elements of A to registers and
//! orders the instructions by kind, which takes a fifth to a half longer.

use core::arch::asm;
use core::arch::x86_64::*;

use binade_simd::floats::avx512::{INTERLEAVE, Lanes512, NEGATE_LOWER, NEGATE_UPPER, ONE_ONE};

use super::micro::TileSteps;
use super::ranged::{Capped, EXPONENT, HALF_STEP, LEAST, UNITS};
use super::rules::Step;
use super::veltkamp::{NEGATED_SPLITTER, SCALE};

/// Rows of a tile, columns of a tile of FMA_1_3, and its vectors.
const ROWS: usize = 8;
const COLUMNS: usize = 48;
const VECTORS: usize = ROWS * COLUMNS / 16;

/// The loops of this module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AssemblyLoop {
    /// FMA_1_3, [`Tiny`](super::ranged::Tiny).
    Tiny,
    /// FMA_1_3, [`Capped`].
    Capped,
    /// FMA_1_1, for any data.
    Rounded,
    /// FMA_1_1, [`VeltkampSplit`](super::veltkamp::VeltkampSplit).
    VeltkampSplit,
}

/// The steps of a tile.
pub(crate) struct Avx512Assembly(AssemblyLoop);

impl Avx512Assembly {
    /// # Safety
    /// The machine has AVX-512 F, BW, VL and DQ.
    pub(crate) unsafe fn new(assembly: AssemblyLoop) -> Self {
        Avx512Assembly(assembly)
    }
}

impl TileSteps for Avx512Assembly {
    unsafe fn steps(&self, depth: usize, a: *const u32, b: *const u32, c: *mut f32) {
        // SAFETY: the caller guarantees the pointers, and the caller of `new` the instructions.
        unsafe {
            match self.0 {
                AssemblyLoop::Tiny => tiny(depth, a, b, c),
                AssemblyLoop::Capped => capped(depth, a, b, c),
                AssemblyLoop::Rounded => rounded(depth, a, b, c),
                AssemblyLoop::VeltkampSplit => veltkamp(depth, a, b, c),
            }
        }
    }
}

/// Constants in memory: the interleaving of halves; from byte 64 on 1.5 · 2^−110, 1; those of [`Capped`]; those of
/// FMA_1_1; factors of pairs of parts; the bits of BF16; the factors of [`super::veltkamp`].
static TABLE: [u32; 29] = {
    let mut table = [0; 29];
    let mut i = 0;
    while i < 16 {
        table[i] = INTERLEAVE[2 * i] as u32 | (INTERLEAVE[2 * i + 1] as u32) << 16;
        i += 1;
    }
    let constants = [
        UNITS,
        0x3f80_0000,
        LEAST,
        HALF_STEP,
        EXPONENT,
        1,
        0xffff_8000,
        ONE_ONE,
        NEGATE_UPPER,
        NEGATE_LOWER,
        0xffff_0000,
        NEGATED_SPLITTER,
        SCALE,
    ];
    while i < 29 {
        table[i] = constants[i - 16];
        i += 1;
    }
    table
};

/// Text for the rows of a tile, four at a time, by vectors of columns: offsets in B and A, registers of sums.
macro_rules! tile {
    ($four:ident) => {
        concat!(
            $four!("0", ("0" "zmm0") ("4" "zmm3") ("8" "zmm6") ("12" "zmm9")),
            $four!("64", ("0" "zmm1") ("4" "zmm4") ("8" "zmm7") ("12" "zmm10")),
            $four!("128", ("0" "zmm2") ("4" "zmm5") ("8" "zmm8") ("12" "zmm11")),
            $four!("0", ("16" "zmm12") ("20" "zmm15") ("24" "zmm18") ("28" "zmm21")),
            $four!("64", ("16" "zmm13") ("20" "zmm16") ("24" "zmm19") ("28" "zmm22")),
            $four!("128", ("16" "zmm14") ("20" "zmm17") ("24" "zmm20") ("28" "zmm23")),
        )
    };
}

/// Text for each of 12, 16 or 24 sums: its register and its place in the tile.
macro_rules! sums {
    (12, $text:ident) => {
        $text!(
            "zmm0" "0", "zmm1" "64", "zmm2" "128", "zmm3" "192", "zmm4" "256", "zmm5" "320",
            "zmm6" "384", "zmm7" "448", "zmm8" "512", "zmm9" "576", "zmm10" "640", "zmm11" "704"
        )
    };
    (16, $text:ident) => {
        concat!(
            sums!(12, $text),
            $text!("zmm12" "768", "zmm13" "832", "zmm14" "896", "zmm15" "960")
        )
    };
    (24, $text:ident) => {
        concat!(
            sums!(16, $text),
            $text!(
                "zmm16" "1024", "zmm17" "1088", "zmm18" "1152", "zmm19" "1216", "zmm20" "1280", "zmm21" "1344", "zmm22" "1408", "zmm23" "1472"
            )
        )
    };
}

macro_rules! load {
    ($($register:literal $at:literal),*) => { concat!($("vmovups ", $register, ", [rdi+", $at, "]\n",)*) };
}

macro_rules! store {
    ($($register:literal $at:literal),*) => { concat!($("vmovups [rdi+", $at, "], ", $register, "\n",)*) };
}

/// A step of [`Tiny`](super::ranged::Tiny). Half of the sums with the units are FMAs by 1, to use both units.
macro_rules! tiny_four {
    ($b:literal, $(($a:literal $c:literal) ($d:literal $e:literal))*) => {
        concat!(
            "vmovups zmm24, [rdx+", $b, "]\n",
            $("vfmadd231ps ", $c, ", zmm24, [rsi+", $a, "]{{1to16}}\n",
              "vfmadd231ps ", $e, ", zmm24, [rsi+", $d, "]{{1to16}}\n",)*
            $("vaddps ", $c, ",", $c, ", zmm30\n",
              "vfmadd213ps ", $e, ", zmm31, zmm30\n",)*
            $("vsubps ", $c, ",", $c, ", zmm30\n",
              "vsubps ", $e, ",", $e, ", zmm30\n",)*
        )
    };
}

/// Two steps of [`Capped`].
macro_rules! capped_four {
    ($b:literal, $(($a:literal $c:literal) ($d:literal $e:literal))*) => {
        concat!(
            "vmovups zmm24, [rdx+", $b, "]\n",
            "vmovups zmm25, [rdx+192+", $b, "]\n",
            $(capped_four!(@ ($a $c "zmm26") ($d $e "zmm27")),)*
        )
    };
    (@ $(($a:literal $c:literal $x:literal))*) => {
        concat!(
            $("vfmadd231ps ", $c, ", zmm24, [rsi+", $a, "]{{1to16}}\n",)*
            $("vmovaps ", $x, ",", $c, "\n",
              "vfmadd231ps ", $c, ", zmm25, [rsi+32+", $a, "]{{1to16}}\n",)*
            $("vrangeps ", $x, ",", $x, ",", $c, ", 7\n",)*
            $("vpaddd ", $x, ",", $x, ", zmm31\n",)*
            $("vpandd ", $x, ",", $x, ", zmm29\n",)*
            $("vfmadd231ps ", $c, ",", $x, ", zmm30\n",)*
        )
    };
}

/// A step of FMA_1_1, row by row. Let l be the last bit that BF16 keeps. Subtracting 0xffff8000 + 1 − l from the bits
/// adds 0x7fff + l.
macro_rules! rounded_rows {
    ($(($a:literal $c:literal $t:literal))*) => {
        concat!(
            "vmovups zmm24, [rdx]\n",
            $("vfmadd231ps ", $c, ", zmm24, [rsi+", $a, "]{{1to16}}\n",
              "vpsrld ", $t, ",", $c, ", 16\n",
              "vpternlogd ", $t, ", zmm30, zmm31, 0xAE\n",
              "vpsubd ", $c, ",", $c, ",", $t, "\n",
              "vpandd ", $c, ",", $c, ", zmm29\n",)*
        )
    };
}

/// A step of FMA_1_1 by [`super::veltkamp`], row by row.
macro_rules! spread_rows {
    ($(($a:literal $c:literal $t:literal))*) => {
        concat!(
            "vmovups zmm24, [rdx]\n",
            $("vfmadd231ps ", $c, ", zmm24, [rsi+", $a, "]{{1to16}}\n",)*
            $("vmulps ", $t, ",", $c, ", zmm30\n",)*
            $("vfmadd213ps ", $c, ", zmm31, ", $t, "\n",)*
        )
    };
}

/// A loop over steps: loads 12, 16 or 24 sums from C and stores them at the end; A and B advance by the given bytes in
/// each step.
macro_rules! steps {
    ($sums:tt, $first:expr, $text:expr, $a_step:literal, $b_step:literal, $depth:expr, $a:expr, $b:expr, $c:expr) => {
        asm!(
            $first,
            sums!($sums, load),
            "2:",
            $text,
            concat!("add rsi, ", $a_step),
            concat!("add rdx, ", $b_step),
            "dec rcx",
            "jnz 2b",
            sums!($sums, store),
            inout("rsi") $a => _, inout("rdx") $b => _, inout("rcx") $depth => _,
            in("rdi") $c, in("r8") TABLE.as_ptr(),
            out("eax") _,
            clobber_abi("sysv64"),
            options(nostack)
        )
    };
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,fma")]
unsafe fn tiny(depth: usize, a: *const u32, b: *const u32, c: *mut f32) {
    if depth > 0 {
        // SAFETY: the caller guarantees a tile and `depth` steps of A and B; the loop reads one step at a time.
        unsafe {
            steps!(
                24,
                "vbroadcastss zmm30, [r8+64]\nvbroadcastss zmm31, [r8+68]",
                tile!(tiny_four),
                "32",
                "192",
                depth,
                a,
                b,
                c
            )
        };
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,fma")]
unsafe fn capped(depth: usize, a: *const u32, b: *const u32, c: *mut f32) {
    let pairs = depth / 2;
    // SAFETY: the caller guarantees a tile and `depth` steps of A and B; the loop reads two steps at a time, and one at
    // the end.
    unsafe {
        if pairs > 0 {
            steps!(
                24,
                "vbroadcastss zmm30, [r8+72]\nvbroadcastss zmm31, [r8+76]\nvbroadcastss zmm29, [r8+80]",
                tile!(capped_four),
                "64",
                "384",
                pairs,
                a,
                b,
                c
            );
        }
        let (a, b) = (a.add(2 * pairs * ROWS).cast::<f32>(), b.add(2 * pairs * COLUMNS).cast::<f32>());
        for vector in 0..VECTORS {
            let (row, column) = (vector / (VECTORS / ROWS), vector % (VECTORS / ROWS) * 16);
            let place = c.add(16 * vector);
            let mut sum = [Lanes512::<false>(_mm512_loadu_ps(place))];
            if depth % 2 == 1 {
                let (left, right) = (_mm512_set1_ps(*a.add(row)), _mm512_loadu_ps(b.add(column)));
                Capped.step(&[[Lanes512(left)]; 3], &[[Lanes512(right)]; 3], &mut sum);
            }
            _mm512_storeu_ps(place, Capped.end(sum[0], depth).0);
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,fma")]
unsafe fn rounded(depth: usize, a: *const u32, b: *const u32, c: *mut f32) {
    if depth > 0 {
        // SAFETY: the caller guarantees a tile and `depth` steps of A and B; the loop reads one step at a time.
        unsafe {
            steps!(
                16,
                "vbroadcastss zmm30, [r8+84]\nvbroadcastss zmm31, [r8+88]\nvbroadcastss zmm29, [r8+104]",
                rounded_rows!(
                    ("0" "zmm0" "zmm16") ("4" "zmm1" "zmm17") ("8" "zmm2" "zmm18") ("12" "zmm3" "zmm19")
                    ("16" "zmm4" "zmm20") ("20" "zmm5" "zmm21") ("24" "zmm6" "zmm22") ("28" "zmm7" "zmm23")
                    ("32" "zmm8" "zmm16") ("36" "zmm9" "zmm17") ("40" "zmm10" "zmm18") ("44" "zmm11" "zmm19")
                    ("48" "zmm12" "zmm20") ("52" "zmm13" "zmm21") ("56" "zmm14" "zmm22") ("60" "zmm15" "zmm23")
                ),
                "64",
                "64",
                depth,
                a,
                b,
                c
            )
        };
    }
}

#[target_feature(enable = "avx512f")]
unsafe fn veltkamp(depth: usize, a: *const u32, b: *const u32, c: *mut f32) {
    if depth > 0 {
        // SAFETY: the caller guarantees a tile and `depth` steps of A and B; the loop reads one step at a time.
        unsafe {
            steps!(
                16,
                "vbroadcastss zmm30, [r8+108]\nvbroadcastss zmm31, [r8+112]",
                concat!(
                    spread_rows!(
                        ("0" "zmm0" "zmm16") ("4" "zmm1" "zmm17") ("8" "zmm2" "zmm18") ("12" "zmm3" "zmm19")
                    ),
                    spread_rows!(
                        ("16" "zmm4" "zmm20") ("20" "zmm5" "zmm21") ("24" "zmm6" "zmm22") ("28" "zmm7" "zmm23")
                    ),
                    spread_rows!(
                        ("32" "zmm8" "zmm16") ("36" "zmm9" "zmm17") ("40" "zmm10" "zmm18") ("44" "zmm11" "zmm19")
                    ),
                    spread_rows!(
                        ("48" "zmm12" "zmm20") ("52" "zmm13" "zmm21") ("56" "zmm14" "zmm22") ("60" "zmm15" "zmm23")
                    ),
                ),
                "64",
                "64",
                depth,
                a,
                b,
                c
            )
        };
    }
}

/// A step of FMA_1_1: for each row the sums of two vectors of columns, rounded together and unpacked in the other
/// order, see [`super::avx512_bf16`].
macro_rules! rounded {
    ($(($a:literal $x:literal $y:literal))*) => {
        concat!(
            "vmovups zmm24, [rdx]\n",
            "vmovups zmm25, [rdx+64]\n",
            $("vfmadd231ps ", $x, ", zmm24, [rsi+", $a, "]{{1to16}}\n",
              "vfmadd231ps ", $y, ", zmm25, [rsi+", $a, "]{{1to16}}\n",)*
            $("vcvtne2ps2bf16 ", $x, ",", $x, ",", $y, "\n",)*
            $("vpslld ", $y, ",", $x, ", 16\n",)*
            $("vmovdqu16 ", $x, "{{k1}}{{z}}, ", $x, "\n",)*
        )
    };
}

/// FMA_1_1 in tiles of 8 rows of 32 columns. Vector x becomes the odd words of two rounded vectors and y the even ones.
///
/// # Safety
/// As [`Kernel::run`](super::micro::Kernel::run), on a machine with AVX-512 F, BW and BF16.
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
pub(crate) unsafe fn rounded_1_1(depth: usize, a: *const u32, b: *const u32, c: *mut f32) {
    if depth > 0 {
        // SAFETY: the caller guarantees a tile and `depth` steps of A and B; the loop reads one step at a time.
        unsafe {
            steps!(
                16,
                "mov eax, 0xaaaaaaaa\nkmovd k1, eax",
                rounded!(
                    ("0" "zmm0" "zmm1") ("4" "zmm2" "zmm3") ("8" "zmm4" "zmm5") ("12" "zmm6" "zmm7")
                    ("16" "zmm8" "zmm9") ("20" "zmm10" "zmm11") ("24" "zmm12" "zmm13") ("28" "zmm14" "zmm15")
                ),
                "32",
                "128",
                depth,
                a,
                b,
                c
            )
        };
    }
}

/// The products for some rows of the operator of six products, see [`words`](super::avx512_bf16::words).
macro_rules! six_products {
    ($(($i:literal $m:literal))*) => {
        concat!(
            "vmovups zmm30, [rdx]\n",
            $("vpxorq ", $m, ",", $m, ",", $m, "\n",
              "vdpbf16ps ", $m, ", zmm30, [rsi+", $i, "*12]{{1to16}}\n",)*
            "vmovups zmm30, [rdx+64]\n",
            $("vdpbf16ps ", $m, ", zmm30, [rsi+", $i, "*12+4]{{1to16}}\n",)*
            "vmovups zmm30, [rdx+128]\n",
            $("vdpbf16ps ", $m, ", zmm30, [rsi+", $i, "*12+8]{{1to16}}\n",)*
        )
    };
}

/// As [`six_products`], for nine products.
macro_rules! nine_products {
    ($(($i:literal $m:literal))*) => {
        concat!(
            "vmovups zmm30, [rdx]\n",
            $("vpxorq ", $m, ",", $m, ",", $m, "\n",
              "vdpbf16ps ", $m, ", zmm30, [rsi+", $i, "*20]{{1to16}}\n",)*
            "vmovups zmm30, [rdx+64]\n",
            $("vdpbf16ps ", $m, ", zmm30, [rsi+", $i, "*20+4]{{1to16}}\n",)*
            "vmovups zmm30, [rdx+128]\n",
            $("vdpbf16ps ", $m, ", zmm30, [rsi+", $i, "*20+8]{{1to16}}\n",)*
            $("vdpbf16ps ", $m, ", zmm30, [rsi+", $i, "*20+12]{{1to16}}\n",)*
            "vmovups zmm30, [rdx+192]\n",
            $("vfmadd231ps ", $m, ", zmm30, [rsi+", $i, "*20+16]{{1to16}}\n",)*
        )
    };
}

/// A step of six rows: their numbers, and registers of C, m, p and u as in [`super::avx512_bf16`]. The third parts are
/// exact.
macro_rules! six_rows {
    ($products:ident, $(($i:literal $c:literal $m:literal $p:literal $u:literal))*) => {
        concat!(
            $products!($(($i $m))*),
            $("vcvtne2ps2bf16 ", $p, ",", $m, ",", $c, "\n",)*
            $("vpermw ", $p, ", zmm31, ", $p, "\n",)*
            $("vdpbf16ps ", $c, ",", $p, ", [r8+100]{{1to16}}\n",
              "vdpbf16ps ", $m, ",", $p, ", [r8+96]{{1to16}}\n",)*
            $("vpxorq ", $u, ",", $u, ",", $u, "\n",
              "vdpbf16ps ", $u, ",", $p, ", [r8+92]{{1to16}}\n",)*
            $("vcvtne2ps2bf16 ", $p, ",", $m, ",", $c, "\n",)*
            $("vpermw ", $p, ", zmm31, ", $p, "\n",)*
            $("vdpbf16ps ", $c, ",", $p, ", [r8+100]{{1to16}}\n",
              "vdpbf16ps ", $m, ",", $p, ", [r8+96]{{1to16}}\n",)*
            $("vaddps ", $c, ",", $c, ",", $m, "\n",)*
            $("vpxorq ", $m, ",", $m, ",", $m, "\n",
              "vdpbf16ps ", $m, ",", $p, ", [r8+92]{{1to16}}\n",)*
            $("vaddps ", $c, ",", $c, ",", $m, "\n",)*
            $("vaddps ", $c, ",", $c, ",", $u, "\n",)*
        )
    };
}

/// Both halves of a tile.
macro_rules! twelve_rows {
    ($products:ident) => {
        concat!(
            six_rows!($products,
                ("0" "zmm0" "zmm12" "zmm18" "zmm24") ("1" "zmm1" "zmm13" "zmm19" "zmm25")
                ("2" "zmm2" "zmm14" "zmm20" "zmm26") ("3" "zmm3" "zmm15" "zmm21" "zmm27")
                ("4" "zmm4" "zmm16" "zmm22" "zmm28") ("5" "zmm5" "zmm17" "zmm23" "zmm29")
            ),
            six_rows!($products,
                ("6" "zmm6" "zmm12" "zmm18" "zmm24") ("7" "zmm7" "zmm13" "zmm19" "zmm25")
                ("8" "zmm8" "zmm14" "zmm20" "zmm26") ("9" "zmm9" "zmm15" "zmm21" "zmm27")
                ("10" "zmm10" "zmm16" "zmm22" "zmm28") ("11" "zmm11" "zmm17" "zmm23" "zmm29")
            ),
        )
    };
}

/// The operators of three input parts and 6 or 9 products: tiles of 12 rows of 16 columns, six rows in lockstep.
///
/// # Safety
/// As [`Kernel::run`](super::micro::Kernel::run), on a machine with AVX-512 F, BW and BF16.
#[target_feature(enable = "avx512f,avx512bw,avx512bf16")]
pub(crate) unsafe fn parts_3_3<const NINE: bool>(depth: usize, a: *const u32, b: *const u32, c: *mut f32) {
    if depth > 0 {
        // SAFETY: the caller guarantees a tile and `depth` steps of A and B; the loop reads one step at a time.
        unsafe {
            if NINE {
                steps!(12, "vmovups zmm31, [r8]", twelve_rows!(nine_products), "240", "256", depth, a, b, c)
            } else {
                steps!(12, "vmovups zmm31, [r8]", twelve_rows!(six_products), "144", "192", depth, a, b, c)
            }
        };
    }
}
