//! The order `aligned`: groups of products cut at a bit below the largest and summed as integers, on AVX-512.
//!
//! With 2^e the exponent of the largest product of a group, s = 2^(BITS − e) is a difference of exponent fields, p · s is
//! exact, and truncating it to an integer truncates p to a multiple of 2^(e − BITS). The integers' sum, as binary32, times
//! 1 / s is what the operator then adds: a product of two binary32 numbers, like any other.

use core::arch::x86_64::*;

use super::avx512::Lanes512;
use super::floats::Floats;
use super::micro::{Kernel, Planes, Shape, Word, planes};
use super::rules::Rule;
use super::source::Extent;

/// Rows of a tile, of 16 columns.
const ROWS: usize = 8;

/// The kernel for a rule whose step takes any binary32 factors.
pub(crate) struct Aligned<R> {
    rule: R,
    group: usize,
    bits: u32,
    plain: Box<dyn Kernel>,
}

/// Whether the kernel is exact: for inputs of so many bits that products are binary32 numbers, which are neither subnormal
/// nor infinite, nor are s and 1 / s, and whose sum of `group` integers stays below 2^31.
pub(crate) fn admits(a: Extent, b: Extent, precision: u32, group: usize, bits: u32) -> bool {
    let least = a.least_exponent() + b.least_exponent();
    // Rounding to the input format may have raised magnitudes to the next power of two.
    let largest = a.largest_exponent() + b.largest_exponent() + 3;
    2 * precision <= 24
        && least >= bits as i32 - 125
        && largest < 127
        && (group as u64).checked_mul(2 << bits.min(40)).is_some_and(|sum| sum < 1 << 31)
}

impl<R: Rule> Aligned<R> {
    /// `plain` is a kernel of the same rule.
    ///
    /// # Safety
    /// The machine has AVX-512 F, BW, VL and DQ.
    pub(crate) unsafe fn new(rule: R, group: usize, bits: u32, plain: Box<dyn Kernel>) -> Self {
        Aligned { rule, group, bits, plain }
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
    group: usize,
    bits: u32,
    depth: usize,
    mut a: *const u32,
    mut b: *const u32,
    c: *mut f32,
) {
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
                let (x, unit) = (Lanes512::<false>(_mm512_cvtepi32_ps(total)), Lanes512(unit));
                rule.step(&[[x]; 3], &[unit; 3], &mut sums);
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
    }
    fn prepare(&self, c: &mut [f32]) {
        self.plain.prepare(c);
    }
    unsafe fn run(&self, _given: bool, depth: usize, a: *const u32, b: *const u32, c: *mut f32) {
        // SAFETY: the caller's promise, and `new` was promised the instructions.
        unsafe { run(&self.rule, self.group, self.bits, depth, a, b, c) }
    }
    fn settle(&self, c: &mut [f32]) {
        self.plain.settle(c);
    }
    fn accumulate(&self, x: &[f32], c: &mut [f32]) {
        self.plain.accumulate(x, c);
    }
}
