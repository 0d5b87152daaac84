//! Converts elements between types, by value and by bits.
//!
//! - To a floating-point type: one rounding to nearest even. Overflow gives infinity. In types without infinity it
//!   gives NaN, and in types with neither (f4E2M1FN, f6E2M3FN, f6E3M2FN) the largest number. These also convert any NaN
//!   to the largest positive number. f8E8M0FNU has neither zero nor sign, so zeros and negative numbers become NaN.
//! - From a floating-point to an integer type: rounded towards zero, clamped to the type's range, NaN to 0.
//! - Between integers: the low bits. To `i1`: true for all numbers except zero.
//! - From a complex type to a real one: the real part.

use binade_stablehlo::{Data, ElementType, FloatType, Tensor, View, ViewMut};

use super::blocks::in_blocks;
use super::coded;
use super::integer::{self, Integer};
use crate::error::EvalError;

/// The elements that are converted at once.
const BUFFER: usize = 1024;

/// The tensor's values in another element type.
///
/// # Errors
/// If a type is quantized.
pub fn convert(x: &Tensor, to: &ElementType) -> Result<Data, EvalError> {
    if x.element == *to {
        return Ok(Data::clone(&x.data));
    }
    let mut data = Data::zeros(to, x.data.len());
    in_blocks(data.view_mut(), |start, out| {
        convert_into(&x.element, x.data.view().range(start..start + out.len()), to, out)
    })?;
    Ok(data)
}

/// [`convert`] on a part of a tensor.
///
/// # Errors
/// As [`convert`].
///
/// # Panics
/// If lengths differ, or elements are not stored as their types say.
pub fn convert_into(
    from: &ElementType,
    x: View<'_>,
    to: &ElementType,
    mut out: ViewMut<'_>,
) -> Result<(), EvalError> {
    assert_eq!(x.len(), out.len(), "elements of convert");
    if from == to {
        out.copy_from(x);
        return Ok(());
    }
    let refused = || EvalError::result("convert", from, to);
    match (from, to) {
        (ElementType::Quantized(_), _) | (_, ElementType::Quantized(_)) => return Err(refused()),
        (ElementType::Float(FloatType::F32), ElementType::Float(FloatType::F64)) => {}
        (ElementType::Float(from), ElementType::Float(to)) if direct(*from, x, *to, &mut out) => {
            return Ok(());
        }
        _ => {}
    }
    if matches!(from, ElementType::Bool | ElementType::Integer { .. }) {
        match x {
            View::I8(x) => of_integers(x, to, out),
            View::I16(x) => of_integers(x, to, out),
            View::I32(x) => of_integers(x, to, out),
            View::I64(x) => of_integers(x, to, out),
            View::U8(x) => of_integers(x, to, out),
            View::U16(x) => of_integers(x, to, out),
            View::U32(x) => of_integers(x, to, out),
            View::U64(x) => of_integers(x, to, out),
            _ => return Err(refused()),
        }
        return Ok(());
    }
    // All other pairs of types convert through binary64, which represents every value.
    let mut buffer = [0.0; BUFFER];
    let mut imaginary = [0.0; BUFFER];
    let length = x.len();
    for start in (0..length).step_by(BUFFER) {
        let range = start..length.min(start + BUFFER);
        let (re, im) = (&mut buffer[..range.len()], &mut imaginary[..range.len()]);
        widen(from, x.range(range.clone()), re, im).ok_or_else(refused)?;
        of_binary64(re, im, to, out.range(range)).ok_or_else(refused)?;
    }
    Ok(())
}

/// Converts between floating-point types for which there is a kernel or a machine instruction; false for others.
fn direct(from: FloatType, x: View<'_>, to: FloatType, out: &mut ViewMut<'_>) -> bool {
    let plain = |float: FloatType| matches!(float, FloatType::F32 | FloatType::F64) || float.is_coded();
    if !plain(from) || !plain(to) {
        return false;
    }
    match (x, out) {
        (View::F64(x), ViewMut::F32(out)) => {
            out.iter_mut().zip(x).for_each(|(out, &x)| *out = x as f32);
        }
        (View::F32(x), ViewMut::U8(out)) => to.encode_f32(x, (&mut **out).into()),
        (View::F32(x), ViewMut::U16(out)) => to.encode_f32(x, (&mut **out).into()),
        (View::F64(x), ViewMut::U8(out)) => to.encode_f64(x, (&mut **out).into()),
        (View::F64(x), ViewMut::U16(out)) => to.encode_f64(x, (&mut **out).into()),
        (x, ViewMut::F32(out)) => return coded::decode(from, x, out).is_some(),
        (x, out) => {
            // Converts codes to codes through binary32, which represents every value.
            let mut buffer = [0.0; BUFFER];
            if !(from.is_coded() && to.is_coded()) {
                return false;
            }
            for start in (0..x.len()).step_by(BUFFER) {
                let range = start..x.len().min(start + BUFFER);
                let values = &mut buffer[..range.len()];
                if coded::decode(from, x.range(range.clone()), values).is_none() {
                    return false;
                }
                match out.range(range) {
                    ViewMut::U8(out) => to.encode_f32(values, out.into()),
                    ViewMut::U16(out) => to.encode_f32(values, out.into()),
                    _ => return false,
                }
            }
        }
    }
    true
}

fn of_integers<T: Integer>(x: &[T], to: &ElementType, out: ViewMut<'_>) {
    let width = integer::width(to);
    macro_rules! each {
        ($out:ident, |$x:ident| $result:expr) => {
            $out.iter_mut().zip(x).for_each(|(out, &$x)| *out = $result)
        };
    }
    macro_rules! cut {
        ($out:ident) => {
            each!($out, |x| Integer::fit(Integer::of_bits(x.wide() as u64), width))
        };
    }
    match (to, out) {
        (ElementType::Bool, ViewMut::U8(out)) => each!(out, |x| (x != T::ZERO) as u8),
        (ElementType::Float(FloatType::F32), ViewMut::F32(out)) => each!(out, |x| x.to_f32()),
        (ElementType::Float(float), ViewMut::F32(out)) => {
            each!(out, |x| float.round(to_odd(x.wide())) as f32);
        }
        (ElementType::Float(float), ViewMut::U8(out)) => each!(out, |x| float.code(to_odd(x.wide())) as u8),
        (ElementType::Float(float), ViewMut::U16(out)) => each!(out, |x| float.code(to_odd(x.wide())) as u16),
        (_, ViewMut::F32(_)) => {}
        (_, ViewMut::F64(out)) => each!(out, |x| x.to_f64()),
        (_, ViewMut::C64(out)) => each!(out, |x| [x.to_f32(), 0.0]),
        (_, ViewMut::C128(out)) => each!(out, |x| [x.to_f64(), 0.0]),
        (_, ViewMut::I8(out)) => cut!(out),
        (_, ViewMut::I16(out)) => cut!(out),
        (_, ViewMut::I32(out)) => cut!(out),
        (_, ViewMut::I64(out)) => cut!(out),
        (_, ViewMut::U8(out)) => cut!(out),
        (_, ViewMut::U16(out)) => cut!(out),
        (_, ViewMut::U32(out)) => cut!(out),
        (_, ViewMut::U64(out)) => cut!(out),
    }
}

/// An integer of up to 64 bits in binary64, rounded to odd. A second rounding to at most 51 bits then equals one
/// rounding of the integer.
fn to_odd(x: i128) -> f64 {
    let magnitude = x.unsigned_abs() as u64;
    let rounded = if magnitude < 1 << 53 {
        magnitude as f64
    } else {
        // 53 of 64 bits remain; the last one is set if any bit below it was.
        let kept = magnitude >> 11 | (magnitude & 0x7ff != 0) as u64;
        kept as f64 * 2048.0
    };
    if x < 0 { -rounded } else { rounded }
}

/// Floating-point or complex elements in binary64: real and imaginary parts.
fn widen(from: &ElementType, x: View<'_>, re: &mut [f64], im: &mut [f64]) -> Option<()> {
    im.fill(0.0);
    match x {
        View::F32(x) => re.iter_mut().zip(x).for_each(|(re, &x)| *re = x as f64),
        View::F64(x) => re.copy_from_slice(x),
        View::C64(x) => {
            for ((re, im), x) in re.iter_mut().zip(im).zip(x) {
                (*re, *im) = (x[0] as f64, x[1] as f64);
            }
        }
        View::C128(x) => {
            for ((re, im), x) in re.iter_mut().zip(im).zip(x) {
                [*re, *im] = *x;
            }
        }
        View::U8(x) => float_of(from)?.decode_f64(x.into(), re),
        View::U16(x) => float_of(from)?.decode_f64(x.into(), re),
        _ => return None,
    }
    Some(())
}

fn float_of(element: &ElementType) -> Option<FloatType> {
    match element {
        ElementType::Float(float) => Some(*float),
        _ => None,
    }
}

fn of_binary64(re: &[f64], im: &[f64], to: &ElementType, out: ViewMut<'_>) -> Option<()> {
    macro_rules! each {
        ($out:ident, |$x:ident| $result:expr) => {
            $out.iter_mut().zip(re).for_each(|(out, &$x)| *out = $result)
        };
    }
    // The range of narrow integers within their bytes.
    let bounds = |width: u32, signed: bool| {
        let top = 2f64.powi(width as i32 - signed as i32);
        (if signed { -top } else { 0.0 }, top - 1.0)
    };
    macro_rules! integer {
        ($out:ident, $int:ty, $signed:literal) => {
            match integer::width(to) {
                width if width < <$int>::BITS => {
                    let (least, most) = bounds(width, $signed);
                    each!($out, |x| <$int>::of_f64(
                        x.max(least).min(most) * if x.is_nan() { 0.0 } else { 1.0 }
                    ))
                }
                _ => each!($out, |x| <$int>::of_f64(x)),
            }
        };
    }
    match (to, out) {
        (ElementType::Bool, ViewMut::U8(out)) => each!(out, |x| (x != 0.0) as u8),
        (ElementType::Float(FloatType::F32), ViewMut::F32(out)) => each!(out, |x| x as f32),
        (ElementType::Float(float), ViewMut::F32(out)) => each!(out, |x| float.round(x) as f32),
        (ElementType::Float(float), ViewMut::U8(out)) => float.encode_f64(re, out.into()),
        (ElementType::Float(float), ViewMut::U16(out)) => float.encode_f64(re, out.into()),
        (_, ViewMut::F64(out)) => out.copy_from_slice(re),
        (_, ViewMut::C64(out)) => {
            for (out, (&re, &im)) in out.iter_mut().zip(re.iter().zip(im)) {
                *out = [re as f32, im as f32];
            }
        }
        (_, ViewMut::C128(out)) => {
            for (out, (&re, &im)) in out.iter_mut().zip(re.iter().zip(im)) {
                *out = [re, im];
            }
        }
        (_, ViewMut::I8(out)) => integer!(out, i8, true),
        (_, ViewMut::I16(out)) => integer!(out, i16, true),
        (_, ViewMut::I32(out)) => integer!(out, i32, true),
        (_, ViewMut::I64(out)) => integer!(out, i64, true),
        (_, ViewMut::U8(out)) => integer!(out, u8, false),
        (_, ViewMut::U16(out)) => integer!(out, u16, false),
        (_, ViewMut::U32(out)) => integer!(out, u32, false),
        (_, ViewMut::U64(out)) => integer!(out, u64, false),
        (_, ViewMut::F32(_)) => return None,
    }
    Some(())
}

/// Reads the bits of the elements as another type, the first element and the least significant bit first. If the widths
/// differ, the last dimension of one type has the parts of an element of the other.
///
/// # Errors
/// If the bits do not make `length` elements, or a quantized type is among them.
pub fn bitcast(x: &Tensor, to: &ElementType, length: usize) -> Result<Data, EvalError> {
    let refused = || EvalError::result("bitcast_convert", &x.element, to);
    let (from_bits, from_units) = units(&x.element).ok_or_else(refused)?;
    let (to_bits, to_units) = units(to).ok_or_else(refused)?;
    let bits = |width: u32, units: usize, length: usize| width as u128 * units as u128 * length as u128;
    if bits(from_bits, from_units, x.data.len()) != bits(to_bits, to_units, length) {
        return Err(refused());
    }
    let mut stream = vec![0u8; (bits(from_bits, from_units, x.data.len()).div_ceil(8)) as usize + 8];
    let mut place = 0;
    each_code(x.data.view(), from_bits, |code| {
        put(&mut stream, place, code);
        place += from_bits as usize;
    });
    let mut data = Data::zeros(to, length);
    let mut place = 0;
    set_codes(data.view_mut(), to_bits, || {
        let code = take(&stream, place, to_bits);
        place += to_bits as usize;
        code
    });
    Ok(data)
}

/// The bits of an element's components, and the number of components.
fn units(element: &ElementType) -> Option<(u32, usize)> {
    match element {
        ElementType::Bool => Some((1, 1)),
        ElementType::Integer { width, .. } => Some((*width as u32, 1)),
        ElementType::Float(float) => Some((float.width(), 1)),
        ElementType::Complex(float) => Some((float.width(), 2)),
        ElementType::Quantized(quantized) => units(&quantized.storage),
    }
}

/// Sets up to 64 bits in a stream of zeros.
fn put(stream: &mut [u8], place: usize, code: u64) {
    let shifted = (code as u128) << (place % 8);
    for (to, byte) in stream[place / 8..].iter_mut().zip(shifted.to_le_bytes()) {
        *to |= byte;
    }
}

fn take(stream: &[u8], place: usize, width: u32) -> u64 {
    let mut bytes = [0; 16];
    let rest = &stream[place / 8..];
    let count = rest.len().min(9);
    bytes[..count].copy_from_slice(&rest[..count]);
    ((u128::from_le_bytes(bytes) >> (place % 8)) as u64) & (u64::MAX >> (64 - width))
}

/// Passes the bits of every component of every element to `f`.
fn each_code(x: View<'_>, width: u32, mut f: impl FnMut(u64)) {
    match x {
        View::I8(x) => x.iter().for_each(|x| f(x.bits(width))),
        View::I16(x) => x.iter().for_each(|x| f(x.bits(width))),
        View::I32(x) => x.iter().for_each(|x| f(x.bits(width))),
        View::I64(x) => x.iter().for_each(|x| f(x.bits(width))),
        View::U8(x) => x.iter().for_each(|x| f(x.bits(width))),
        View::U16(x) => x.iter().for_each(|x| f(x.bits(width))),
        View::U32(x) => x.iter().for_each(|x| f(x.bits(width))),
        View::U64(x) => x.iter().for_each(|x| f(x.bits(width))),
        View::F32(x) => x.iter().for_each(|x| f(x.to_bits() as u64)),
        View::F64(x) => x.iter().for_each(|x| f(x.to_bits())),
        View::C64(x) => x.iter().flatten().for_each(|x| f(x.to_bits() as u64)),
        View::C128(x) => x.iter().flatten().for_each(|x| f(x.to_bits())),
    }
}

/// Fills elements with the bits of their components.
fn set_codes(out: ViewMut<'_>, width: u32, mut next: impl FnMut() -> u64) {
    macro_rules! integer {
        ($out:ident) => {
            $out.iter_mut().for_each(|out| *out = Integer::fit(Integer::of_bits(next()), width))
        };
    }
    match out {
        ViewMut::I8(out) => integer!(out),
        ViewMut::I16(out) => integer!(out),
        ViewMut::I32(out) => integer!(out),
        ViewMut::I64(out) => integer!(out),
        ViewMut::U8(out) => integer!(out),
        ViewMut::U16(out) => integer!(out),
        ViewMut::U32(out) => integer!(out),
        ViewMut::U64(out) => integer!(out),
        ViewMut::F32(out) => out.iter_mut().for_each(|out| *out = f32::from_bits(next() as u32)),
        ViewMut::F64(out) => out.iter_mut().for_each(|out| *out = f64::from_bits(next())),
        ViewMut::C64(out) => {
            out.iter_mut().flatten().for_each(|out| *out = f32::from_bits(next() as u32));
        }
        ViewMut::C128(out) => out.iter_mut().flatten().for_each(|out| *out = f64::from_bits(next())),
    }
}

/// Rounds values to a number of exponent and mantissa bits, within the same type. First the mantissa is rounded to
/// nearest even. Then exponents outside the smaller range give infinity or zero; subnormal numbers of the smaller range
/// become zero, as in XLA. Without mantissa bits NaN becomes infinity, as in StableHLO's reference interpreter.
///
/// # Errors
/// If the type is not a floating-point one.
pub fn reduce_precision(x: &Tensor, exponent_bits: u32, mantissa_bits: u32) -> Result<Data, EvalError> {
    let ElementType::Float(float) = x.element else {
        return Err(EvalError::element("reduce_precision", &x.element));
    };
    let mut data = Data::zeros(&x.element, x.data.len());
    in_blocks(data.view_mut(), |start, out| {
        reduce_precision_into(
            float,
            x.data.view().range(start..start + out.len()),
            exponent_bits,
            mantissa_bits,
            out,
        );
        Ok(())
    })?;
    Ok(data)
}

/// [`reduce_precision`] on a part of a tensor.
///
/// # Panics
/// If lengths differ, or elements are not stored as their types say.
pub fn reduce_precision_into(
    float: FloatType,
    x: View<'_>,
    exponent_bits: u32,
    mantissa_bits: u32,
    out: ViewMut<'_>,
) {
    let reduce = Reduce::new(float, exponent_bits, mantissa_bits);
    macro_rules! each {
        ($out:ident, $x:ident, |$code:ident| $from:expr) => {
            $out.iter_mut().zip($x).for_each(|(out, &x)| {
                let $code = reduce.code(Bits::code(x));
                *out = $from;
            })
        };
    }
    match (x, out) {
        (View::U8(x), ViewMut::U8(out)) => each!(out, x, |code| code as u8),
        (View::U16(x), ViewMut::U16(out)) => each!(out, x, |code| code as u16),
        (View::F32(x), ViewMut::F32(out)) => each!(out, x, |code| f32::from_bits(code as u32)),
        (View::F64(x), ViewMut::F64(out)) => each!(out, x, |code| f64::from_bits(code)),
        (x, _) => panic!("{} stored as {x:?}", float.name()),
    }
}

/// The bits of a stored floating-point number.
trait Bits {
    fn code(self) -> u64;
}

impl Bits for u8 {
    #[inline(always)]
    fn code(self) -> u64 {
        self as u64
    }
}

impl Bits for u16 {
    #[inline(always)]
    fn code(self) -> u64 {
        self as u64
    }
}

impl Bits for f32 {
    #[inline(always)]
    fn code(self) -> u64 {
        self.to_bits() as u64
    }
}

impl Bits for f64 {
    #[inline(always)]
    fn code(self) -> u64 {
        self.to_bits()
    }
}

/// The constants of `reduce_precision` for one type.
struct Reduce {
    float: FloatType,
    sign: u64,
    /// The bits of the trailing significand field, and the bits that are removed.
    trailing: u32,
    cut: u32,
    /// The exponent fields at which values vanish and overflow.
    vanishing: i64,
    overflowing: i64,
    infinity: u64,
    /// The replacement for NaN; `None` keeps it.
    nan: Option<u64>,
    largest: u64,
    negative_zero: u64,
}

impl Reduce {
    fn new(float: FloatType, exponent_bits: u32, mantissa_bits: u32) -> Reduce {
        let stored = if float == FloatType::Tf32 { FloatType::F32 } else { float };
        let format = stored.format();
        let (trailing, own_exponent) = (format.trailing_bits(), format.exponent_bits());
        let bias = format.bias() as i64;
        let (vanishing, overflowing) = if exponent_bits < own_exponent {
            let reduced = (1i64 << (exponent_bits - 1)) - 1;
            (bias - reduced, bias + reduced + 1)
        } else {
            (-1, i64::MAX)
        };
        let infinity = stored.code(f64::INFINITY);
        Reduce {
            float,
            sign: format.sign_bit(),
            trailing,
            cut: trailing.saturating_sub(mantissa_bits),
            vanishing,
            overflowing,
            infinity,
            nan: (mantissa_bits == 0).then_some(infinity),
            largest: format.max_finite_code(),
            negative_zero: if format.negative_zero() { format.sign_bit() } else { 0 },
        }
    }

    fn code(&self, code: u64) -> u64 {
        let value = self.float.value(code);
        if value.is_nan() {
            return self.nan.unwrap_or(code);
        }
        let (sign, magnitude) = (code & self.sign, code & !self.sign);
        if value.is_infinite() {
            return code;
        }
        let mut magnitude = magnitude;
        if self.cut > 0 {
            // Rounds to nearest; ties go to the value whose last kept bit is even.
            let odd = magnitude >> self.cut & 1;
            magnitude = (magnitude + (1 << (self.cut - 1)) - 1 + odd) >> self.cut << self.cut;
        }
        let field = (magnitude >> self.trailing) as i64;
        if field >= self.overflowing || magnitude > self.largest {
            return self.infinity | if self.infinity & self.sign == 0 { sign } else { 0 };
        }
        if field <= self.vanishing || magnitude == 0 {
            return sign & self.negative_zero;
        }
        sign | magnitude
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_round_once() {
        // A tie of bf16 except for the last bit, which binary64 would lose.
        let x = (1i64 << 60) + (1 << 52) + 1;
        let tensor =
            Tensor::new(ElementType::Integer { signed: true, width: 64 }, vec![1], Data::I64(vec![x]));
        let Data::U16(codes) = convert(&tensor, &ElementType::Float(FloatType::Bf16)).unwrap() else {
            panic!("bf16 is stored in 16 bits")
        };
        assert_eq!(codes, [0x5d81]);
    }

    #[test]
    fn bits_are_regrouped_little_end_first() {
        let bytes = Tensor::new(
            ElementType::Integer { signed: false, width: 8 },
            vec![4],
            Data::U8(vec![0x00, 0x00, 0x80, 0x3f]),
        );
        let Data::F32(one) = bitcast(&bytes, &ElementType::Float(FloatType::F32), 1).unwrap() else {
            panic!("f32")
        };
        assert_eq!(one, [1.0]);
        let nibbles = bitcast(&bytes, &ElementType::Integer { signed: true, width: 4 }, 8).unwrap();
        let Data::I8(nibbles) = nibbles else { panic!("i4") };
        assert_eq!(nibbles, [0, 0, 0, 0, 0, -8, -1, 3]);
        assert!(bitcast(&bytes, &ElementType::Float(FloatType::F64), 1).is_err());
    }

    #[test]
    fn precision_is_reduced_as_to_bfloat16_and_below() {
        let one = |x: f32, e, m| {
            let tensor = Tensor::new(ElementType::Float(FloatType::F32), vec![1], Data::F32(vec![x]));
            let Data::F32(y) = reduce_precision(&tensor, e, m).unwrap() else { panic!("f32") };
            y[0]
        };
        assert_eq!(one(1.0 + 2f32.powi(-8), 8, 7), 1.0);
        assert_eq!(one(1.0 + 3.0 * 2f32.powi(-8), 8, 7), 1.0 + 2f32.powi(-6));
        assert_eq!(one(65520.0, 5, 10), f32::INFINITY);
        assert_eq!(one(-65519.0, 5, 10), -65504.0);
        assert_eq!(one(-2f32.powi(-15), 5, 10).to_bits(), (-0.0f32).to_bits());
        assert!(one(f32::NAN, 5, 2).is_nan());
        assert_eq!(one(f32::NAN, 8, 0), f32::INFINITY);
    }
}
