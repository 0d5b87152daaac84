//! Encoding and decoding of blocks in bulk: MX and NVFP4, as [`BlockFormat`] defines them.
//!
//! # Exactness
//! The largest magnitude m of a block is found among binary32 words, whose order is that of unsigned integers.
//!
//! A scale in E8M0 is the exponent field of m, moved by the element format's largest exponent. It is one more if m's
//! significand is beyond a threshold that the rule fixes. That is 0 for `ceil`, M's significand for `rceil`, 2 − 2^−P
//! for `even`. For `nearest` it is 3/4 of M's, and for `max_abs_finite` 3/2, with ties to the even code.
//!
//! Other scales are m·g / (M·d), rounded to binary64 and then to the scale format; g and d are the tensor's scale on
//! its side of the fraction. This equals one rounding of the exact quotient. m·g has at most 48 bits, and d·M·T at most
//! 53 for any rounding boundary T. So if they differ, they differ by more than the rounding to binary64 moves their
//! quotient.
//!
//! Elements of E2M1 need no quotient. For each of the 256 scales, a row of a table has, for each code but 0, the
//! largest binary32 word that rounds below it. The code is the number of these seven words that a magnitude exceeds. By
//! the argument above, a boundary T·s·d/g and a word are in the same order before and after the rounding to binary64.
//! Wider elements are x·2^k in binary32, exact unless below 2^−126, which all of them round to zero. Under other scales
//! they are binary64 quotients, as before.
//!
//! Decoding multiplies. Under E8M0 a product of an element and a scale is a binary32 number, or beyond its range, or a
//! multiple of 2^−149. Products of E2M1 and E4M3 have 6 bits, and the product with the tensor's scale is rounded once.
//!
//! [`BlockFormat::not_finite`] defines the treatment of NaNs and infinities. The kernels of many blocks leave blocks
//! that contain them to the general code.
//!
//! MXINT8 is encoded as a format with one exponent bit, as signs and magnitudes, and then converted to two's
//! complement. Decoded, it is an integer over 64 times the scale.

mod columns;
mod decoder;
mod encoder;
mod packed;
mod powers;
mod quarters;
mod walk;

use binade::block::{BlockFormat, Element};
use binade::catalog::{F32, F64};
use binade::{Format, Projection, Spec, Value, decode, project};
use binade_simd::Kernel;
use binade_simd::lanes::{Lanes, Leg, Words};

pub use columns::{ColumnDecoder, ColumnEncoder, Spaced};
pub use decoder::BlockDecoder;
pub use encoder::BlockEncoder;

use crate::error::KernelError;
use crate::pack;

/// Elements that are processed at once: whole blocks of 16 and of 32, and whole bytes of all widths.
const CHUNK: usize = 2048;

/// The scale that all blocks of a tensor share.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum TensorScale {
    /// No tensor's scale.
    #[default]
    None,
    /// Values are scale · element · this: NVFP4's own, and ModelOpt's `weight_scale_2`.
    Factor(f32),
    /// Values are scale · element / this: compressed-tensors' `weight_global_scale`.
    Divisor(f32),
}

impl TensorScale {
    /// The factor and the divisor of numbers when they are encoded.
    fn sides(self) -> (f64, f64) {
        match self {
            TensorScale::None => (1.0, 1.0),
            TensorScale::Factor(scale) => (1.0, scale as f64),
            TensorScale::Divisor(scale) => (scale as f64, 1.0),
        }
    }

    fn check(self) -> Result<(), KernelError> {
        match self {
            TensorScale::Factor(scale) | TensorScale::Divisor(scale)
                if !(scale > 0.0 && scale.is_finite()) =>
            {
                Err(KernelError::TensorScale { scale })
            }
            _ => Ok(()),
        }
    }
}

fn named(name: &str) -> Option<Format> {
    name.parse::<Spec>().ok().map(|spec| spec.format)
}

/// Checks that kernels support the format: blocks of one row, of MX's elements, under scales of E8M0 or E4M3.
fn check(format: &BlockFormat) -> Result<(), KernelError> {
    let one_of = |format: Format, names: &[&str]| names.iter().any(|name| named(name) == Some(format));
    const ELEMENTS: [&str; 5] =
        ["float8_e4m3fn", "float8_e5m2", "float6_e3m2fn", "float6_e2m3fn", "float4_e2m1fn"];
    let element = match format.element {
        Element::Float(element) => one_of(element, &ELEMENTS),
        Element::Int8 => true,
    };
    let known = element && one_of(format.scale, &["float8_e8m0fnu", "float8_e4m3fn"]);
    match known && format.shape.0 == 1 && format.shape.1 > 0 {
        true => Ok(()),
        false => {
            Err(KernelError::Blocks { elements: format.element, scales: format.scale, shape: format.shape })
        }
    }
}

/// 1.5 · 2^23: a number plus this is rounded to an integer, which is in the low bits as two's complement.
const WHOLE: f32 = 12_582_912.0;
/// MXINT8's elements are integers in units of this.
const UNIT: f32 = 1.0 / 64.0;

/// Loads the next elements of MXINT8: four vectors.
///
/// # Safety
/// The bytes of four vectors of elements are readable at `from`.
#[inline(always)]
unsafe fn integers<L: Leg>(leg: L, from: *const u8) -> [L::Words; 4] {
    let unit = leg.words(UNIT.to_bits());
    let mut numbers = [unit; 4];
    for (at, number) in numbers.iter_mut().enumerate() {
        // SAFETY: this quarter is within the bytes that the caller guarantees.
        *number = unsafe { unit.load_i8(from.add(at * L::Words::COUNT)) }.to_f32_scaled(unit);
    }
    numbers
}

/// The value of a code in binary64, which represents all values of these formats.
fn value(format: Format, code: u64) -> f64 {
    f64::from_bits(project(F64, decode(format, code), Projection::default()).code)
}

/// The value of a binary32 number.
fn value_of(x: f32) -> Value {
    decode(F32, x.to_bits() as u64)
}

fn check_lengths(
    format: &BlockFormat,
    count: usize,
    columns: usize,
    scales: usize,
    elements: usize,
) -> Result<(), KernelError> {
    let whole = count.checked_rem(columns).map_or(count, |rest| rest);
    KernelError::check_length("the last row", if whole == 0 { columns } else { whole }, columns)?;
    let rows = count.checked_div(columns).unwrap_or(0);
    KernelError::check_length("the slice of scales", scales, rows * columns.div_ceil(format.shape.1))?;
    KernelError::check_length("the packed slice", elements, pack::bytes(count, format.element.width()))
}

// The loops below are plain. They are compiled for each leg, over blocks whose length is a constant.

/// Runs `$body` for each block and its result: as arrays for blocks of 16 or 32 elements, otherwise as slices. It uses
/// loops and no closures, because only inlined code is compiled for the leg.
macro_rules! blocks {
    ($block:expr, $source:expr, $destination:expr, |$at:ident, $from:ident, $to:ident| $body:expr) => {{
        let (source, destination) = ($source, $destination);
        match $block {
            16 => blocks!(@ 16, source, destination, |$at, $from, $to| $body),
            32 => blocks!(@ 32, source, destination, |$at, $from, $to| $body),
            block => {
                for ($at, ($from, $to)) in source.chunks(block).zip(destination.chunks_mut(block)).enumerate() {
                    $body
                }
            }
        }
    }};
    (@ $length:literal, $source:ident, $destination:ident, |$at:ident, $from:ident, $to:ident| $body:expr) => {{
        let ((blocks, $from), (results, $to)) =
            ($source.as_chunks::<$length>(), $destination.as_chunks_mut::<$length>());
        let $at = blocks.len();
        if !$from.is_empty() {
            $body
        }
        for ($at, ($from, $to)) in blocks.iter().zip(results).enumerate() {
            $body
        }
    }};
}
/// Replaces −0 by 0.
struct ClearNegativeZeros<'a, T> {
    zero: T,
    codes: &'a mut [T],
}

impl<T: Copy + Default + PartialEq> Kernel for ClearNegativeZeros<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        for code in self.codes {
            *code = if *code == self.zero { T::default() } else { *code };
        }
    }
}

use blocks;
