//! The order `aligned` on AVX-512: groups of products truncated at a bit below the largest and summed as integers.
//!
//! Let 2^e be the exponent of a group's largest product. The factor s = 2^(BITS − e) comes from a subtraction of
//! exponent fields, and p · s is exact. Truncating it to an integer truncates p to a multiple of 2^(e − BITS). The sum
//! of the integers, converted to binary32, times 1 / s is what the operator then adds: a product of two binary32
//! numbers, like any other. If products would be subnormal or overflow, A is scaled by a power of two, and the sum is
//! scaled back.

use core::arch::x86_64::*;

use binade_simd::floats::Floats;
use binade_simd::floats::avx512::Lanes512;

use super::micro::{Kernel, Planes, Shape, Word, planes};
use super::rules::Rule;
use super::source::MagnitudeRange;

/// Rows of a tile, of 16 columns.
const ROWS: usize = 8;

/// The arithmetic of a group's sum.
#[derive(Clone, Copy)]
struct GroupSums {
    /// Products in a group.
    group: usize,
    /// Bits kept below the leading bit of the largest product.
    bits: u32,
    /// Exponent of the power of two that A is multiplied by.
    scale: i32,
}

/// The kernel for a rule whose step accepts any binary32 factors.
pub(crate) struct Aligned<R> {
    rule: R,
    sums: GroupSums,
    plain: Box<dyn Kernel>,
}

/// 2^exponent for exponents of normal numbers.
fn power(exponent: i32) -> f32 {
    f32::from_bits(((127 + exponent) as u32) << 23)
}

/// The exponent of the power of two by which A must be scaled for the kernel to be exact; `None` if there is no such
/// exponent.
///
/// Products of inputs of `precision` bits must be binary32 numbers that are neither subnormal nor infinite. The same
/// holds for s, 1 / s and the integers scaled back, and the sum of `group` integers must stay below 2^31.
pub(crate) fn scale(
    a: MagnitudeRange,
    b: MagnitudeRange,
    precision: u32,
    group: usize,
    bits: u32,
) -> Option<i32> {
    if 2 * precision > 24 || (group as u64).checked_mul(2 << bits.min(40)).is_none_or(|sum| sum >= 1 << 31) {
        return None;
    }
    let (a_least, b_least) = (a.least_exponent(), b.least_exponent());
    if a_least.max(b_least) > 127 {
        // All products are zero.
        return Some(0);
    }
    // Rounding to the input format may have raised magnitudes to the next power of two.
    let (a_largest, b_largest) = (a.largest_exponent() + 1, b.largest_exponent() + 1);
    let (least, largest) = (a_least + b_least, a_largest + b_largest + 1);
    // Makes the largest product, or the largest element of A, as large as allowed.
    let most = (126 - largest).min(126 - a_largest);
    let fits = |scale: i32| {
        largest + scale < 127
            && a_largest + scale < 127
            && least + scale >= bits as i32 - 125
            && a_least + scale >= -126
            && (-90..=100).contains(&scale)
    };
    [0, most.min(100)].into_iter().find(|&scale| fits(scale))
}

impl<R: Rule> Aligned<R> {
    /// `plain` is the general kernel of the same rule.
    ///
    /// # Safety
    /// The machine has AVX-512 F, BW, VL and DQ.
    pub(crate) unsafe fn new(rule: R, group: usize, bits: u32, scale: i32, plain: Box<dyn Kernel>) -> Self {
        Aligned { rule, sums: GroupSums { group, bits, scale }, plain }
    }

    /// True if this operand is scaled while it is packed: A, which is packed as single elements.
    fn scales(&self, shape: &Shape) -> bool {
        self.sums.scale != 0 && shape.lanes == 1
    }
}

/// Products of one row and 16 columns.
///
/// # Safety
/// The machine has AVX-512 F; `a` and `b` hold at least `step` + 1 steps.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,fma")]
unsafe fn product(a: *const u32, b: *const u32, step: usize) -> __m512 {
    // SAFETY: the caller guarantees that `a` and `b` hold the step.
    unsafe {
        _mm512_mul_ps(_mm512_set1_ps(*a.add(step * ROWS).cast()), _mm512_loadu_ps(b.add(step * 16).cast()))
    }
}

/// The steps of a tile.
///
/// # Safety
/// `a`, `b` and `c` are valid as for [`Kernel::run`]. The machine has AVX-512 F, BW, VL and DQ.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,fma")]
unsafe fn run<R: Rule>(
    rule: &R,
    sums: GroupSums,
    depth: usize,
    mut a: *const u32,
    mut b: *const u32,
    c: *mut f32,
) {
    let GroupSums { group, bits, scale } = sums;
    let back = power(-scale);
    // VRANGEPS: the larger magnitude, its sign cleared.
    const LARGER: i32 = 0b1011;
    let exponent = _mm512_set1_epi32(0x7f80_0000);
    // The bits of 2^(BITS − e) and of 2^e sum to `scale`, and the bits of s and of 1 / s sum to `inverse`.
    let [scale, inverse] = [(254 + bits as i32) << 23, 254 << 23].map(|word| _mm512_set1_epi32(word));
    let mut left = depth;
    while left > 0 {
        let count = left.min(group);
        for row in 0..ROWS {
            // SAFETY: `row` is below ROWS and `step` below `count`, so all accesses are within the packed depths and
            // the tile.
            unsafe {
                let a = a.add(row);
                let (largest, total);
                if count == 16 {
                    // The products stay in registers.
                    let mut products = [_mm512_setzero_ps(); 16];
                    for (step, to) in products.iter_mut().enumerate() {
                        *to = product(a, b, step);
                    }
                    let mut most = [products[0], products[1], products[2], products[3]];
                    for (step, &p) in products.iter().enumerate() {
                        most[step % 4] = _mm512_range_ps::<LARGER>(most[step % 4], p);
                    }
                    largest = _mm512_max_ps(_mm512_max_ps(most[0], most[1]), _mm512_max_ps(most[2], most[3]));
                    let s = scale_of(largest, exponent, scale);
                    let mut sums = [_mm512_setzero_si512(); 4];
                    for (step, &p) in products.iter().enumerate() {
                        let integer = _mm512_cvttps_epi32(_mm512_mul_ps(p, s));
                        sums[step % 4] = _mm512_add_epi32(sums[step % 4], integer);
                    }
                    total = _mm512_add_epi32(
                        _mm512_add_epi32(sums[0], sums[1]),
                        _mm512_add_epi32(sums[2], sums[3]),
                    );
                } else {
                    let mut most = _mm512_setzero_ps();
                    for step in 0..count {
                        most = _mm512_range_ps::<LARGER>(most, product(a, b, step));
                    }
                    largest = most;
                    let s = scale_of(largest, exponent, scale);
                    let mut sum = _mm512_setzero_si512();
                    for step in 0..count {
                        let integer = _mm512_cvttps_epi32(_mm512_mul_ps(product(a, b, step), s));
                        sum = _mm512_add_epi32(sum, integer);
                    }
                    total = sum;
                }
                let s = scale_of(largest, exponent, scale);
                let unit = _mm512_castsi512_ps(_mm512_sub_epi32(inverse, _mm512_castps_si512(s)));
                let place = c.add(row * 16);
                let mut sums = [Lanes512::<false>::load(place)];
                let x = _mm512_mul_ps(_mm512_cvtepi32_ps(total), _mm512_set1_ps(back));
                let (x, unit) = (Lanes512::<false>(x), Lanes512(unit));
                rule.step(&[[x]; 3], &[[unit]; 3], &mut sums);
                sums[0].store(place);
            }
        }
        // SAFETY: `left` ≥ `count` steps remained, so the pointers stay within, or one past, the packed data.
        unsafe {
            a = a.add(count * ROWS);
            b = b.add(count * 16);
        }
        left -= count;
    }
}

/// s, or if all products are zero a number whose inverse is finite.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,fma")]
fn scale_of(largest: __m512, exponent: __m512i, scale: __m512i) -> __m512 {
    let field = _mm512_and_si512(_mm512_castps_si512(largest), exponent);
    let bits = _mm512_sub_epi32(scale, field);
    _mm512_castsi512_ps(_mm512_min_epu32(bits, _mm512_set1_epi32(253 << 23)))
}

impl<R: Rule> Kernel for Aligned<R> {
    fn rows(&self) -> usize {
        ROWS
    }
    fn columns(&self) -> usize {
        16
    }
    fn lanes(&self) -> usize {
        16
    }
    fn a_words(&self) -> &'static [Word] {
        planes(1)
    }
    fn b_words(&self) -> &'static [Word] {
        planes(1)
    }
    fn pack(&self, block: &[f32], shape: &Shape, planes: &mut Planes, out: &mut [u32]) {
        self.plain.pack(block, shape, planes, out);
        if self.scales(shape) {
            for word in out {
                *word = (f32::from_bits(*word) * power(self.sums.scale)).to_bits();
            }
        }
    }
    fn copies(&self, shape: &Shape) -> bool {
        shape.only_copies() && !self.scales(shape)
    }
    fn prepare(&self, c: &mut [f32]) {
        self.plain.prepare(c);
    }
    unsafe fn run(&self, _given: bool, depth: usize, a: *const u32, b: *const u32, c: *mut f32) {
        // SAFETY: the caller guarantees the pointers, and the caller of `new` the instructions.
        unsafe { run(&self.rule, self.sums, depth, a, b, c) }
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
