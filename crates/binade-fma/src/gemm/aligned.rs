//! The order `aligned`: groups of products cut at a bit below the largest and summed as integers, on AVX-512.
//!
//! With 2^e the exponent of the largest product of a group, s = 2^(BITS − e) is a difference of exponent fields, p · s is
//! exact, and truncating it to an integer truncates p to a multiple of 2^(e − BITS). The integers' sum, as binary32, times
//! 1 / s is what the operator then adds: a product of two binary32 numbers, like any other. Where products would be
//! subnormal or overflow, A is scaled by a power of two and the integers' sum back.

use core::arch::x86_64::*;

use binade_simd::floats::Floats;
use binade_simd::floats::avx512::Lanes512;

use super::micro::{Kernel, Planes, Shape, Word, planes};
use super::rules::Rule;
use super::source::Extent;

/// Rows of a tile, of 16 columns.
const ROWS: usize = 8;

/// How products are summed.
#[derive(Clone, Copy)]
struct Sums {
    /// Products a sum.
    group: usize,
    /// Bits below the largest.
    bits: u32,
    /// Exponent of what A is multiplied with.
    scale: i32,
}

/// The kernel for a rule whose step takes any binary32 factors.
pub(crate) struct Aligned<R> {
    rule: R,
    sums: Sums,
    plain: Box<dyn Kernel>,
}

/// 2^exponent for exponents of normal numbers.
fn power(exponent: i32) -> f32 {
    f32::from_bits(((127 + exponent) as u32) << 23)
}

/// The exponent of the power of two that A has to be scaled by for the kernel to be exact, if there is one: for inputs of
/// so many bits that products are binary32 numbers, which then are neither subnormal nor infinite, nor are s, 1 / s and
/// the integers scaled back, and whose sum of `group` integers stays below 2^31.
pub(crate) fn scale(a: Extent, b: Extent, precision: u32, group: usize, bits: u32) -> Option<i32> {
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
    // So that the largest product, or the largest A, is as large as it may be.
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
    /// `plain` is a kernel of the same rule.
    ///
    /// # Safety
    /// The machine has AVX-512 F, BW, VL and DQ.
    pub(crate) unsafe fn new(rule: R, group: usize, bits: u32, scale: i32, plain: Box<dyn Kernel>) -> Self {
        Aligned { rule, sums: Sums { group, bits, scale }, plain }
    }

    /// Whether what is packed has to be scaled: A, of which single elements are packed.
    fn scales(&self, shape: &Shape) -> bool {
        self.sums.scale != 0 && shape.lanes == 1
    }
}

/// Products of one row and 16 columns.
///
/// # Safety
/// AVX-512 F; `a` and `b` hold the step.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,fma")]
unsafe fn product(a: *const u32, b: *const u32, step: usize) -> __m512 {
    // SAFETY: the caller's promise.
    unsafe {
        _mm512_mul_ps(_mm512_set1_ps(*a.add(step * ROWS).cast()), _mm512_loadu_ps(b.add(step * 16).cast()))
    }
}

/// # Safety
/// As [`Kernel::run`], with AVX-512 F, BW, VL and DQ.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512dq,fma")]
unsafe fn run<R: Rule>(
    rule: &R,
    sums: Sums,
    depth: usize,
    mut a: *const u32,
    mut b: *const u32,
    c: *mut f32,
) {
    let Sums { group, bits, scale } = sums;
    let back = power(-scale);
    // VRANGEPS: the larger magnitude, its sign cleared.
    const LARGER: i32 = 0b1011;
    let exponent = _mm512_set1_epi32(0x7f80_0000);
    // Bits of 2^(BITS − e) and of 2^e have this sum, those of s and 1 / s that one.
    let [scale, inverse] = [(254 + bits as i32) << 23, 254 << 23].map(|word| _mm512_set1_epi32(word));
    let mut left = depth;
    while left > 0 {
        let count = left.min(group);
        for row in 0..ROWS {
            // SAFETY: within the packed depths and the tile, the caller's promise.
            unsafe {
                let a = a.add(row);
                let (largest, total);
                if count == 16 {
                    // They stay in registers.
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
        // SAFETY: as many steps were left.
        unsafe {
            a = a.add(count * ROWS);
            b = b.add(count * 16);
        }
        left -= count;
    }
}

/// s, or a number whose inverse is finite where all products are zero.
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
        shape.is_straight() && !self.scales(shape)
    }
    fn prepare(&self, c: &mut [f32]) {
        self.plain.prepare(c);
    }
    unsafe fn run(&self, _given: bool, depth: usize, a: *const u32, b: *const u32, c: *mut f32) {
        // SAFETY: the caller's promise, and `new` was promised the instructions.
        unsafe { run(&self.rule, self.sums, depth, a, b, c) }
    }
    fn settle(&self, c: &mut [f32]) {
        self.plain.settle(c);
    }
    fn largest(&self, c: &[f32]) -> u32 {
        self.plain.largest(c)
    }
    fn accumulate(&self, x: &[f32], c: &mut [f32]) {
        self.plain.accumulate(x, c);
    }
}
