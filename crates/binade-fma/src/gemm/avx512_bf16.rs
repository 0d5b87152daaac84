//! Kernels of the paper's operators on AVX-512 BF16, for data that [`Guard`](super::guard::Guard) admits.
//!
//! VDPBF16PS adds two products of BF16 pairs to binary32 lanes: first the odd pair's, then the even one's, each as an
//! FMA to nearest even. But it reads and writes subnormals as zero. VCVTNE2PS2BF16 rounds two vectors to BF16 and
//! flushes likewise. So if no number is subnormal or overflows, they compute what the definition says, two products an
//! instruction. With 1 and −1 as factors, VDPBF16PS also adds and subtracts parts without unpacking. One word holds (m,
//! c), the parts of a product and of an accumulator:
//!
//! ```text
//! p = the leading parts of m and c      u = 0 + p · (1, 1)    = m₀ + c₀
//! m' = m + p · (−1, 0) = m − m₀         c' = c + p · (0, −1)  = c − c₀
//! q = the leading parts of m' and c'    v = 0 + q · (1, 1)    = m₁ + c₁       d = u + v
//! ```
//!
//! A sum may start from +0 where the definition has no addend, or add a zero product. That changes at most the sign of
//! a zero, which the last sum removes: v is never −0.

use core::arch::asm;
use core::arch::x86_64::*;

use binade_simd::floats::Floats;
use binade_simd::floats::avx512::{
    BF16_OF_SUM_WEIGHTS, INTERLEAVE, LAST_BIT, Lanes512, NEGATE_LOWER, NEGATE_UPPER, ONE_ONE, dot_from_zero,
};

use super::assembly::{parts_3_3, rounded_1_1};
use super::micro::{Kernel, Permutation, Planes, Shape, Word, pack};
use super::skipping::{LIST_LENGTH, Skipping};

/// Enables the instruction sets that every function here needs.
macro_rules! with_bf16 {
    ($(#[$doc:meta])* $vis:vis unsafe fn $($rest:tt)*) => {
        $(#[$doc])*
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vnni,avx512bf16,fma")]
        $vis unsafe fn $($rest)*
    };
    ($(#[$doc:meta])* fn $($rest:tt)*) => {
        $(#[$doc])*
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vnni,avx512bf16,fma")]
        fn $($rest)*
    };
}

with_bf16! {
    /// x and y rounded to BF16, with x in the upper 16 words.
    fn convert(x: __m512, y: __m512) -> __m512i {
        // SAFETY: both types are 512 bits wide, and every bit pattern is valid for both.
        unsafe { core::mem::transmute(_mm512_cvtne2ps_pbh(x, y)) }
    }
}

with_bf16! {
    /// sum + odd words of p · q + even words of p · q.
    fn dot(sum: __m512, p: __m512i, q: __m512i) -> __m512 {
        // SAFETY: all types are 512 bits wide, and every bit pattern is valid for them.
        unsafe { _mm512_dpbf16_ps(sum, core::mem::transmute::<__m512i, __m512bh>(p), core::mem::transmute::<__m512i, __m512bh>(q)) }
    }
}

/// A constant with each word of a half twice.
const fn doubled(half: u16) -> [u16; 32] {
    let mut words = [0; 32];
    let mut i = 0;
    while i < 32 {
        words[i] = 16 * half + i as u16 / 2;
        i += 1;
    }
    words
}

/// Pairs of factors for [`dot`]: (upper, lower).
const ONE_ZERO: u32 = 0x3f80_0000;
const ZERO_ONE: u32 = 0x0000_3f80;

/// Runs a statement for each row of a group, in lockstep.
macro_rules! rows {
    ($g:ident < $count:ident: $body:expr) => {{
        let mut $g = 0;
        while $g < $count {
            $body;
            $g += 1;
        }
    }};
}

/// Rows of a tile for operators with one and two input parts.
const EIGHT: usize = 8;

/// Repeats a macro for the indices of eight rows, so that accumulators stay in registers.
macro_rules! unrolled {
    ($row:ident) => {
        $row!(0);
        $row!(1);
        $row!(2);
        $row!(3);
        $row!(4);
        $row!(5);
        $row!(6);
        $row!(7);
    };
}

with_bf16! {
    /// The first step of FMA_1_1, where C is not BF16 and the exact sum must be rounded once: 8 rows of 32 columns.
    ///
    /// Rounding two vectors of columns at once gives the even words of the result to the first vector of the next step
    /// and the odd ones to the second. So columns are permuted in each step, and B is packed to match.
    unsafe fn first_1_1(a: *const u32, b: *const u32, c: *mut f32) {
        // SAFETY: the caller guarantees a tile and one step of A and B.
        unsafe {
            let right = [b, b.add(16)].map(|b| Lanes512::<true>::load(b.cast()));
            for row in 0..EIGHT {
                let left = Lanes512::splat(*a.add(row).cast());
                let place = c.add(row * 32);
                let sums = [place, place.add(16)].map(|place| Lanes512::load(place));
                let words = convert(left.fma_odd(right[0], sums[0]).0, left.fma_odd(right[1], sums[1]).0);
                _mm512_storeu_ps(place, _mm512_castsi512_ps(_mm512_maskz_mov_epi16(0xaaaa_aaaa, words)));
                _mm512_storeu_ps(place.add(16), _mm512_castsi512_ps(_mm512_slli_epi32::<16>(words)));
            }
        }
    }
}

/// The position before a step of FMA_1_1 of the column that is at position p after it.
const fn position_before(p: usize) -> usize {
    // Words of the converted pair, in the order in which they are unpacked; the second vector has the lower words.
    let word = if p < 16 { 2 * p + 1 } else { 2 * (p - 16) };
    if word < 16 { 16 + word } else { word - 16 }
}

/// The positions of columns at each step.
fn column_permutation() -> Permutation {
    let start: [u8; 32] = std::array::from_fn(|p| p as u8);
    let mut steps = vec![start];
    loop {
        let now = steps[steps.len() - 1];
        let next: [u8; 32] = std::array::from_fn(|p| now[position_before(p)]);
        if next == start {
            return Permutation { steps };
        }
        steps.push(next);
    }
}

with_bf16! {
    /// FMA_1_2, 8 rows of 32 columns: two vectors of columns share the words of their parts.
    unsafe fn run_1_2(depth: usize, mut a: *const u32, mut b: *const u32, c: *mut f32) {
        // SAFETY: the caller guarantees `depth` steps of A and B, and the pointers move one step at a time.
        unsafe {
            let interleave = _mm512_loadu_si512(INTERLEAVE.as_ptr().cast());
            let [upper, lower] = [ONE_ZERO, ZERO_ONE].map(|word| _mm512_set1_epi32(word as i32));
            let [less_upper, less_lower] = [NEGATE_UPPER, NEGATE_LOWER].map(|word| _mm512_set1_epi32(word as i32));
            let mut sums = [[_mm512_setzero_ps(); 2]; EIGHT];
            rows!(i < EIGHT: sums[i] = [_mm512_loadu_ps(c.add(i * 32)), _mm512_loadu_ps(c.add(i * 32 + 16))]);
            for _ in 0..depth {
                let (right_x, right_y) = (_mm512_loadu_ps(b.cast()), _mm512_loadu_ps(b.add(16).cast()));
                macro_rules! row {
                    ($i:literal) => {
                        let left = _mm512_set1_ps(*a.add($i).cast());
                        let x = _mm512_fmadd_ps(left, right_x, sums[$i][0]);
                        let y = _mm512_fmadd_ps(left, right_y, sums[$i][1]);
                        let first = _mm512_permutexvar_epi16(interleave, convert(x, y));
                        let (x, y) = (dot(x, first, less_upper), dot(y, first, less_lower));
                        let second = _mm512_permutexvar_epi16(interleave, convert(x, y));
                        sums[$i] = [
                            dot(_mm512_castsi512_ps(_mm512_maskz_mov_epi16(0xaaaa_aaaa, first)), second, upper),
                            dot(_mm512_castsi512_ps(_mm512_slli_epi32::<16>(first)), second, lower),
                        ];
                    };
                }
                unrolled!(row);
                a = a.add(EIGHT);
                b = b.add(32);
            }
            rows!(i < EIGHT: {
                _mm512_storeu_ps(c.add(i * 32), sums[i][0]);
                _mm512_storeu_ps(c.add(i * 32 + 16), sums[i][1]);
            });
        }
    }
}

/// The words of packed A and B for operators with several input parts: one word is a pair of products.
const fn words(products: usize) -> (&'static [Word], &'static [Word]) {
    use Word::{Halves, Whole};
    match products {
        3 => (&[Halves(0, 1), Whole(0)], &[Halves(1, 0), Whole(0)]),
        4 => (&[Halves(1, 0)], &[Halves(1, 1), Halves(0, 0)]),
        6 => (&[Halves(0, 1), Halves(2, 0), Halves(1, 0)], &[Halves(2, 1), Halves(0, 1), Halves(0, 0)]),
        _ => (
            &[Halves(2, 1), Halves(2, 0), Halves(1, 2), Halves(0, 1), Whole(0)],
            &[Halves(2, 2), Halves(1, 2), Halves(1, 0), Whole(0)],
        ),
    }
}

with_bf16! {
    /// The operators with two input parts and `P` products, 8 rows of 16 columns, for the initial C and for the
    /// listing. There the accumulator is not the sum of its parts.
    unsafe fn run_parts<const P: usize>(depth: usize, mut a: *const u32, mut b: *const u32, c: *mut f32) {
        let (a_words, b_words) = const { (words(P).0.len(), words(P).1.len()) };
        // SAFETY: the caller guarantees `depth` steps of A and B, and the pointers move one step at a time.
        unsafe {
            let interleave = _mm512_loadu_si512(INTERLEAVE.as_ptr().cast());
            let [both, less_upper, less_lower] =
                [ONE_ONE, NEGATE_UPPER, NEGATE_LOWER].map(|word| _mm512_set1_epi32(word as i32));
            let leading = |m, c| _mm512_permutexvar_epi16(interleave, convert(m, c));
            let mut sums = [_mm512_setzero_ps(); EIGHT];
            rows!(i < EIGHT: sums[i] = _mm512_loadu_ps(c.add(i * 16)));
            for _ in 0..depth {
                let pair_a = |i: usize| _mm512_set1_epi32(*a.add(i * a_words).cast());
                let first = _mm512_loadu_si512(b.cast());
                let second = b.add(16);
                rows!(i < EIGHT: {
                    let mut m = dot_from_zero(pair_a(i), first);
                    if P == 3 {
                        let left = _mm512_set1_ps(*a.add(i * a_words + 1).cast());
                        m = _mm512_fmadd_ps(left, _mm512_loadu_ps(second.cast()), m);
                    } else {
                        m = dot(m, pair_a(i), _mm512_loadu_si512(second.cast()));
                    }
                    let p = leading(m, sums[i]);
                    let u = dot_from_zero(p, both);
                    let p = leading(dot(m, p, less_upper), dot(sums[i], p, less_lower));
                    sums[i] = _mm512_add_ps(u, dot_from_zero(p, both));
                });
                a = a.add(EIGHT * a_words);
                b = b.add(16 * b_words);
            }
            rows!(i < EIGHT: _mm512_storeu_ps(c.add(i * 16), sums[i]));
        }
    }
}

/// Steps of four rows in [`run_2_2`]. Arguments: `shared` if all rows multiply one row of B, or `apart` if each has its
/// own row; the instruction for the second words; the numbers of the rows; their registers of C, m and p, and one for
/// the address of B's row; the pairs of rows.
macro_rules! four_rows {
    ($b:tt, $second:literal, $(($i:literal $c:literal $m:literal $p:literal $at:literal))*, $($pair:tt)*) => {
        concat!(
            four_rows!(@load $b "zmm26" "{b}"),
            $("vpxorq ", $m, ",", $m, ",", $m, "\n",
              four_rows!(@product $b "vdpbf16ps" $m "zmm26" $i "" $at ""),)*
            four_rows!(@load $b "zmm27" "{b}+{second_b}"),
            $("vpxorq ", $p, ",", $p, ",", $p, "\n",
              "vpternlogd ", $p, ",", $c, ", [{table}]{{1to16}}, 0xBB\n",
              four_rows!(@product $b $second $m "zmm27" $i "+{second}" $at "+{second_b}"),)*
            $("vpmaddwd ", $p, ",", $p, ", [{table}+64]\n",)*
            $("vpaddd ", $p, ",", $p, ",", $c, "\n",)*
            four_rows!(@pair $($pair)*),
            $("vdpbf16ps ", $c, ",", $p, ", {less_upper}\n",
              "vdpbf16ps ", $m, ",", $p, ", {less_lower}\n",)*
            $("vcvtne2ps2bf16 ", $m, ",", $m, ",", $c, "\n",
              "vpxorq ", $c, ",", $c, ",", $c, "\n",
              "vdpbf16ps ", $c, ",", $p, ", {both}\n",)*
            $("vpermw ", $m, ", {interleave},", $m, "\n",)*
            $("vpxorq ", $p, ",", $p, ",", $p, "\n",
              "vdpbf16ps ", $p, ",", $m, ", {both}\n",)*
            $("vaddps ", $c, ",", $c, ",", $p, "\n",)*
        )
    };
    (@load together $register:literal $place:literal) => {
        concat!("vmovups ", $register, ", [", $place, "]\n")
    };
    (@product together $multiply:literal $m:literal $b:literal $i:literal $a:literal $at:literal $of_b:literal) => {
        concat!($multiply, " ", $m, ",", $b, ", [{a}+", $i, "*{row}", $a, "]{{1to16}}\n")
    };
    (@load apart $register:literal $place:literal) => {
        ""
    };
    (@product apart $multiply:literal $m:literal $b:literal $i:literal $a:literal $at:literal $of_b:literal) => {
        concat!(
            "mov ", $at, "d, [{at}+", $i, "*{row_at}]\n",
            "vbroadcastss ", $b, ", [{a}+", $i, "*{row}", $a, "]\n",
            $multiply, " ", $m, ",", $b, ", [{b}+", $at, $of_b, "]\n",
        )
    };
    (@pair $(($t:literal $m:literal $n:literal $p:literal $q:literal))*) => {
        concat!($(
            "vcvtne2ps2bf16 ", $t, ",", $m, ",", $n, "\n",
            "vpermw ", $p, "{{{even}}}, {of_upper},", $t, "\n",
            "vpermw ", $q, "{{{even}}}, {of_lower},", $t, "\n",
        )*)
    };
}

/// Constants of [`run_2_2`] in memory.
#[repr(align(64))]
struct Table([u32; 32]);

static LEADING: Table = {
    let mut words = [LAST_BIT; 32];
    let mut i = 16;
    while i < 32 {
        words[i] = BF16_OF_SUM_WEIGHTS;
        i += 1;
    }
    Table(words)
};

with_bf16! {
    /// The operators with two input parts and 3 or 4 products, where C is the sum of two parts: 8 rows of 16 columns.
    /// The leading part of C is [`Floats::bf16_of_sum`], and p = (c₀, m₀).
    ///
    /// Rows of B are consecutive, or begin at byte offsets `at` from `b` for each step and row of A.
    ///
    /// This is assembly because the compiler's code for the intrinsics takes a tenth longer. It spills values to memory
    /// that fit registers, and mixes the stages of a step.
    unsafe fn run_2_2<const FOUR: bool, const A: usize, const B: usize>(
        depth: usize,
        a: *const u32,
        b: *const u32,
        at: Option<*const u32>,
        c: *mut f32,
    ) {
        // SAFETY: the caller guarantees `depth` steps, at least 1; `a`, and `b` or `at`, move one step at a time.
        unsafe {
            let interleave = _mm512_loadu_si512(INTERLEAVE.as_ptr().cast());
            let [both, less_upper, less_lower] =
                [ONE_ONE, NEGATE_UPPER, NEGATE_LOWER].map(|word| _mm512_set1_epi32(word as i32));
            let of_upper = _mm512_loadu_si512(const { &doubled(1) }.as_ptr().cast());
            let of_lower = _mm512_loadu_si512(const { &doubled(0) }.as_ptr().cast());
            let row = |i: usize| c.add(i * 16);
            let [mut s0, mut s1, mut s2, mut s3, mut s4, mut s5, mut s6, mut s7] =
                [0, 1, 2, 3, 4, 5, 6, 7].map(|i| _mm512_loadu_ps(row(i)));
            macro_rules! steps {
                ($b:tt, $second:literal, $at:expr, $row:expr, $steps:expr $(, $row_at:ident = $of_at:expr)?) => {
                    asm!(
                        "2:",
                        four_rows!($b, $second,
                            ("0" "zmm0" "zmm8" "zmm16" "r8") ("1" "zmm1" "zmm9" "zmm17" "r9")
                            ("2" "zmm2" "zmm10" "zmm18" "r10") ("3" "zmm3" "zmm11" "zmm19" "r11"),
                            ("zmm26" "zmm8" "zmm9" "zmm16" "zmm17")
                            ("zmm27" "zmm10" "zmm11" "zmm18" "zmm19")),
                        four_rows!($b, $second,
                            ("4" "zmm4" "zmm12" "zmm20" "r8") ("5" "zmm5" "zmm13" "zmm21" "r9")
                            ("6" "zmm6" "zmm14" "zmm22" "r10") ("7" "zmm7" "zmm15" "zmm23" "r11"),
                            ("zmm26" "zmm12" "zmm13" "zmm20" "zmm21")
                            ("zmm27" "zmm14" "zmm15" "zmm22" "zmm23")),
                        "add {a}, {a_step}",
                        "add {b}, {b_step}",
                        "add {at}, {at_step}",
                        "dec {depth}",
                        "jnz 2b",
                        a = inout(reg) a => _, b = inout(reg) b => _, depth = inout(reg) depth => _,
                        at = inout(reg) $at => _,
                        a_step = const $steps[0], b_step = const $steps[1], at_step = const $steps[2],
                        row = const 4 * A * $row, $($row_at = const $of_at,)?
                        second = const 4 * (A - 1), second_b = const 64 * (B - 1),
                        table = in(reg) LEADING.0.as_ptr(), even = in(kreg) 0x5555_5555_u32,
                        of_upper = in(zmm_reg) of_upper, of_lower = in(zmm_reg) of_lower,
                        less_upper = in(zmm_reg) less_upper, less_lower = in(zmm_reg) less_lower,
                        both = in(zmm_reg) both, interleave = in(zmm_reg) interleave,
                        inout("zmm0") s0, inout("zmm1") s1, inout("zmm2") s2, inout("zmm3") s3,
                        inout("zmm4") s4, inout("zmm5") s5, inout("zmm6") s6, inout("zmm7") s7,
                        out("r8") _, out("r9") _, out("r10") _, out("r11") _,
                        out("zmm8") _, out("zmm9") _, out("zmm10") _, out("zmm11") _, out("zmm12") _,
                        out("zmm13") _,
                        out("zmm14") _, out("zmm15") _, out("zmm16") _, out("zmm17") _, out("zmm18") _,
                        out("zmm19") _,
                        out("zmm20") _, out("zmm21") _, out("zmm22") _, out("zmm23") _, out("zmm26") _,
                        out("zmm27") _,
                        options(readonly, nostack)
                    )
                };
            }
            match at {
                None if FOUR => steps!(together, "vdpbf16ps", b, 1, [4 * A * EIGHT, 64 * B, 0]),
                None => steps!(together, "vfmadd231ps", b, 1, [4 * A * EIGHT, 64 * B, 0]),
                Some(at) if FOUR => steps!(apart, "vdpbf16ps", at, LIST_LENGTH, [4 * A, 0, 4], row_at = 4 * LIST_LENGTH),
                Some(at) => steps!(apart, "vfmadd231ps", at, LIST_LENGTH, [4 * A, 0, 4], row_at = 4 * LIST_LENGTH),
            }
            for (i, sums) in [s0, s1, s2, s3, s4, s5, s6, s7].into_iter().enumerate() {
                _mm512_storeu_ps(row(i), sums);
            }
        }
    }
}

/// The operators with a kernel here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Avx512Bf16Operator {
    /// `once` if C may have other numbers than BF16's, which the first step must not round beforehand.
    Parts11 {
        once: bool,
    },
    Parts12,
    Parts22 {
        products: usize,
        listing: bool,
    },
    Parts33 {
        products: usize,
    },
}

/// A kernel of this module, with the operator's general kernel for the parts that they share.
pub(crate) struct Avx512Bf16Kernel {
    which: Avx512Bf16Operator,
    plain: Box<dyn Kernel>,
    column_permutation: Option<Permutation>,
}

impl Avx512Bf16Kernel {
    /// `plain` is the operator's general kernel.
    ///
    /// # Safety
    /// The machine has AVX-512 F, BW, VL and DQ with VBMI, VNNI and BF16.
    pub(crate) unsafe fn new(which: Avx512Bf16Operator, plain: Box<dyn Kernel>) -> Avx512Bf16Kernel {
        Avx512Bf16Kernel {
            which,
            plain,
            column_permutation: matches!(which, Avx512Bf16Operator::Parts11 { .. }).then(column_permutation),
        }
    }
}

with_bf16! {
    unsafe fn pack_entry(block: &[f32], shape: &Shape, planes: &mut Planes, out: &mut [u32]) {
        pack(block, shape, planes, out)
    }
}

with_bf16! {
    /// Packs B for FMA_1_1: rows of 32 columns, rounded to BF16 and permuted.
    unsafe fn pack_permuted(block: &[f32], permutation: &Permutation, period: usize, out: &mut [u32]) {
        for (step, (row, out)) in block.chunks_exact(32).zip(out.chunks_exact_mut(32)).enumerate() {
            let at = permutation.at(step % period);
            // SAFETY: a row has 32 elements, and the permutation 32 indices below 32.
            unsafe {
                let halves = [0, 16].map(|half| Lanes512::<true>::load(row.as_ptr().add(half)).canonical().bf16().0);
                for half in [0, 16] {
                    let index = _mm512_cvtepu8_epi32(_mm_loadu_si128(at.as_ptr().add(half).cast()));
                    let moved = _mm512_permutex2var_ps(halves[0], index, halves[1]);
                    _mm512_storeu_ps(out.as_mut_ptr().add(half).cast(), moved);
                }
            }
        }
    }
}

with_bf16! {
    /// Restores the order of the columns of a tile of FMA_1_1.
    unsafe fn restore_columns(at: &[u8; 32], tile: &mut [f32]) {
        let mut home = [0u32; 32];
        for (place, &column) in at.iter().enumerate() {
            home[column as usize] = place as u32;
        }
        for row in tile.chunks_exact_mut(32) {
            // SAFETY: a row has 32 elements, and the permutation 32 indices below 32.
            unsafe {
                let halves = [0, 16].map(|half| _mm512_loadu_ps(row.as_ptr().add(half)));
                for half in [0, 16] {
                    let index = _mm512_loadu_si512(home.as_ptr().add(half).cast());
                    let moved = _mm512_permutex2var_ps(halves[0], index, halves[1]);
                    _mm512_storeu_ps(row.as_mut_ptr().add(half), moved);
                }
            }
        }
    }
}

impl Kernel for Avx512Bf16Kernel {
    fn rows(&self) -> usize {
        match self.which {
            Avx512Bf16Operator::Parts11 { .. }
            | Avx512Bf16Operator::Parts12
            | Avx512Bf16Operator::Parts22 { .. } => EIGHT,
            Avx512Bf16Operator::Parts33 { .. } => 12,
        }
    }
    fn columns(&self) -> usize {
        if let Avx512Bf16Operator::Parts11 { .. } | Avx512Bf16Operator::Parts12 = self.which {
            32
        } else {
            16
        }
    }
    fn lanes(&self) -> usize {
        16
    }
    fn a_words(&self) -> &'static [Word] {
        match self.which {
            Avx512Bf16Operator::Parts11 { .. } | Avx512Bf16Operator::Parts12 => &[Word::Whole(0)],
            Avx512Bf16Operator::Parts22 { products, .. } | Avx512Bf16Operator::Parts33 { products } => {
                words(products).0
            }
        }
    }
    fn b_words(&self) -> &'static [Word] {
        match self.which {
            Avx512Bf16Operator::Parts11 { .. } | Avx512Bf16Operator::Parts12 => &[Word::Whole(0)],
            Avx512Bf16Operator::Parts22 { products, .. } | Avx512Bf16Operator::Parts33 { products } => {
                words(products).1
            }
        }
    }
    fn permutation(&self) -> Option<&Permutation> {
        self.column_permutation.as_ref()
    }
    fn pack(&self, block: &[f32], shape: &Shape, planes: &mut Planes, out: &mut [u32]) {
        // SAFETY: the caller of `new` guaranteed the instructions.
        unsafe {
            match shape.permutation {
                Some((permutation, period)) if !shape.flush => pack_permuted(block, permutation, period, out),
                _ => pack_entry(block, shape, planes, out),
            }
        }
    }
    fn prepare(&self, c: &mut [f32]) {
        self.plain.prepare(c);
        if self.which == Avx512Bf16Operator::Parts12 {
            self.plain.round_to_accumulator(c);
        }
    }
    unsafe fn run(&self, is_initial: bool, depth: usize, a: *const u32, b: *const u32, c: *mut f32) {
        // SAFETY: the caller guarantees the pointers, and the caller of `new` the instructions.
        unsafe {
            match self.which {
                Avx512Bf16Operator::Parts11 { once: true } if is_initial => {
                    first_1_1(a, b, c);
                    rounded_1_1(depth - 1, a.add(EIGHT), b.add(32), c);
                }
                Avx512Bf16Operator::Parts11 { .. } => rounded_1_1(depth, a, b, c),
                Avx512Bf16Operator::Parts12 => run_1_2(depth, a, b, c),
                Avx512Bf16Operator::Parts22 { products, listing: false } if is_initial => {
                    // The initial C is split as it is, not as a sum of two parts.
                    let (a_step, b_step) = (EIGHT * self.a_words().len(), 16 * self.b_words().len());
                    match products {
                        3 => run_parts::<3>(1, a, b, c),
                        _ => run_parts::<4>(1, a, b, c),
                    }
                    if depth > 1 {
                        self.run(false, depth - 1, a.add(a_step), b.add(b_step), c);
                    }
                }
                Avx512Bf16Operator::Parts22 { products: 3, listing: false } => {
                    run_2_2::<false, 2, 2>(depth, a, b, None, c)
                }
                Avx512Bf16Operator::Parts22 { products: 3, listing: true } => run_parts::<3>(depth, a, b, c),
                Avx512Bf16Operator::Parts22 { listing: false, .. } => {
                    run_2_2::<true, 1, 2>(depth, a, b, None, c)
                }
                Avx512Bf16Operator::Parts22 { listing: true, .. } => run_parts::<4>(depth, a, b, c),
                Avx512Bf16Operator::Parts33 { products: 6 } => parts_3_3::<false>(depth, a, b, c),
                Avx512Bf16Operator::Parts33 { .. } => parts_3_3::<true>(depth, a, b, c),
            }
        }
        if let Some(column_permutation) = &self.column_permutation {
            // SAFETY: the caller guarantees that `c` is a whole tile, and the caller of `new` the instructions.
            unsafe {
                restore_columns(column_permutation.at(depth), core::slice::from_raw_parts_mut(c, EIGHT * 32))
            };
        }
    }
    fn skipping(&self) -> Option<&dyn Skipping> {
        matches!(self.which, Avx512Bf16Operator::Parts22 { listing: false, .. }).then_some(self)
    }
    fn finish(&self, c: &mut [f32]) {
        if let Avx512Bf16Operator::Parts22 { listing: false, .. } = self.which {
            self.plain.round_to_accumulator(c);
        }
    }
    fn round_to_accumulator(&self, c: &mut [f32]) {
        self.plain.round_to_accumulator(c);
    }
    fn largest(&self, c: &[f32]) -> u32 {
        self.plain.largest(c)
    }
    fn accumulate(&self, x: &[f32], c: &mut [f32]) {
        self.plain.accumulate(x, c);
    }
}

impl Skipping for Avx512Bf16Kernel {
    unsafe fn run_lists(
        &self,
        swapped: bool,
        steps: usize,
        a: *const u32,
        at: *const u32,
        b: *const u32,
        c: *mut f32,
    ) {
        // SAFETY: the caller guarantees lists and a tile, and the caller of `new` the instructions.
        unsafe {
            match (self.which, swapped) {
                (Avx512Bf16Operator::Parts22 { products: 3, .. }, _) => {
                    run_2_2::<false, 2, 2>(steps, a, b, Some(at), c)
                }
                (_, false) => run_2_2::<true, 1, 2>(steps, a, b, Some(at), c),
                (_, true) => run_2_2::<true, 2, 1>(steps, a, b, Some(at), c),
            }
        }
    }
}
