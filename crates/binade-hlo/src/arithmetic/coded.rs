//! Elementwise operations on floating-point types of up to 16 bits, whose elements are stored as codes.
//!
//! Operations on one operand use a table of all codes. It is made once enough elements have been computed to repay its
//! cost.
//!
//! Operations on two operands decode to binary32, compute and encode for +, −, ×, ÷ and extremes. This equals one
//! rounding of the exact result. The precisions are p ≤ 11, so 24 ≥ 2p + 2, and no such result underflows in binary32.
//! The other operations on two operands compute in binary64.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use binade::{Datum, Projection, ops};
use binade_kernels::{Codes, CodesMut};
use binade_stablehlo::ir::{Binary, Unary};
use binade_stablehlo::{FloatType, View, ViewMut};

use super::instruction_set::ISA;
use super::plain::Plain;

/// The storage type of codes.
pub(crate) trait Code: Copy + Sync + Send + 'static {
    fn widen(self) -> u64;
    fn cut(code: u64) -> Self;
    fn codes(codes: &[Self]) -> Codes<'_>;
    fn codes_mut(codes: &mut [Self]) -> CodesMut<'_>;
}

macro_rules! codes {
    ($($int:ident)*) => { $(
        impl Code for $int {
            fn widen(self) -> u64 {
                self as u64
            }
            fn cut(code: u64) -> Self {
                code as $int
            }
            fn codes(codes: &[Self]) -> Codes<'_> {
                codes.into()
            }
            fn codes_mut(codes: &mut [Self]) -> CodesMut<'_> {
                codes.into()
            }
        }
    )* };
}

codes! { u8 u16 }

/// The elements that are decoded at once.
const BUFFER: usize = 1024;

/// After this many elements a table of all 65,536 codes is made. The elements until then cost half as much as the
/// table.
const WORTH_A_TABLE: usize = 32 << 10;

/// The result codes of an operation on a type, once they are made.
struct Table {
    results: OnceLock<Vec<u16>>,
    /// The number of elements that were computed without the table.
    computed: AtomicUsize,
}

/// The tables by operation and type.
static TABLES: [[Table; FloatType::ALL.len()]; Unary::ALL.len()] =
    [const { [const { Table::new() }; FloatType::ALL.len()] }; Unary::ALL.len()];

impl Table {
    const fn new() -> Table {
        Table { results: OnceLock::new(), computed: AtomicUsize::new(0) }
    }

    /// Returns the table if it exists, or if another `length` elements make it worthwhile.
    fn get(&self, op: Unary, float: FloatType, f: fn(f64) -> f64, length: usize) -> Option<&[u16]> {
        if self.results.get().is_none() && !float.is_byte() {
            let before = self.computed.fetch_add(length, Ordering::Relaxed);
            if before.saturating_add(length) < WORTH_A_TABLE {
                return None;
            }
        }
        let all = || (0..=float.format().last_code()).map(|code| result(op, float, f, code) as u16).collect();
        Some(self.results.get_or_init(all))
    }
}

/// Computes one code. NaN results are the type's own NaN, whatever the processor returns. Operations on the sign keep a
/// NaN and change its sign, if it has one.
fn result(op: Unary, float: FloatType, f: fn(f64) -> f64, code: u64) -> u64 {
    let x = float.value(code);
    let code = code & float.format().last_code();
    match op {
        Unary::Abs if x.is_nan() => code & !float.nan_sign(),
        Unary::Negate if x.is_nan() => code ^ float.nan_sign(),
        Unary::Real | Unary::Conj | Unary::Sign if x.is_nan() => code,
        _ => {
            let y = f(x);
            float.code(if y.is_nan() { f64::NAN } else { y })
        }
    }
}

/// `out[i] = f(x[i])`, rounded.
pub(crate) fn unary<T: Code>(op: Unary, float: FloatType, f: fn(f64) -> f64, x: &[T], out: &mut [T]) {
    let table = &TABLES[op as usize][float as usize];
    match table.get(op, float, f, x.len()) {
        Some(table) => {
            let last = table.len() - 1;
            out.iter_mut().zip(x).for_each(|(out, x)| {
                *out = T::cut(table[x.widen() as usize & last] as u64);
            });
        }
        None => out.iter_mut().zip(x).for_each(|(out, x)| *out = T::cut(result(op, float, f, x.widen()))),
    }
}

/// `out[i] = f(x[i], y[i])`, rounded.
pub(crate) fn binary<T: Code>(
    op: Binary,
    float: FloatType,
    f: fn(f64, f64) -> f64,
    x: &[T],
    y: &[T],
    out: &mut [T],
) {
    // f8E8M0FNU has quotients and products below binary32's normal numbers.
    let plain = Plain::of_floats(op).filter(|_| float != FloatType::F8E8M0FNU);
    let Some(plain) = plain else {
        for (out, (x, y)) in out.iter_mut().zip(x.iter().zip(y)) {
            let result = f(float.value(x.widen()), float.value(y.widen()));
            *out = T::cut(float.code(if result.is_nan() { f64::NAN } else { result }));
        }
        return;
    };
    let (mut a, mut b, mut c) = ([0.0; BUFFER], [0.0; BUFFER], [0.0; BUFFER]);
    for ((x, y), out) in x.chunks(BUFFER).zip(y.chunks(BUFFER)).zip(out.chunks_mut(BUFFER)) {
        let (a, b, c) = (&mut a[..x.len()], &mut b[..x.len()], &mut c[..x.len()]);
        float.decode_f32(T::codes(x), a);
        float.decode_f32(T::codes(y), b);
        plain.on(*ISA, &[View::F32(a), View::F32(b)], ViewMut::F32(c));
        c.iter_mut().for_each(|c| *c = if c.is_nan() { f32::NAN } else { *c });
        float.encode_f32(c, T::codes_mut(out));
    }
}

/// The number of the type next to x in the direction of y.
pub(crate) fn next_after<T: Code>(float: FloatType, x: &[T], y: &[T], out: &mut [T]) {
    let format = float.format();
    for (out, (x, y)) in out.iter_mut().zip(x.iter().zip(y)) {
        let (a, b) = (float.value(x.widen()), float.value(y.widen()));
        let datum = Datum::new(format, x.widen() & format.last_code());
        *out = match datum {
            Ok(datum) if a < b => T::cut(ops::next_up(datum, format, Projection::default()).code),
            Ok(datum) if a > b => T::cut(ops::next_down(datum, format, Projection::default()).code),
            _ if a == b => *y,
            _ => T::cut(float.code(f64::NAN)),
        };
    }
}

/// Decodes a floating-point type's codes to binary32; `None` if the elements are not codes.
pub(crate) fn decode(float: FloatType, codes: View<'_>, out: &mut [f32]) -> Option<()> {
    match codes {
        View::U8(codes) => float.decode_f32(codes.into(), out),
        View::U16(codes) => float.decode_f32(codes.into(), out),
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the results before and after the table exists with single elements.
    #[test]
    fn tables_are_the_results_of_all_codes() {
        let codes: Vec<u16> = (0..=u16::MAX).collect();
        for float in [FloatType::Bf16, FloatType::F16] {
            for op in [Unary::Tanh, Unary::Rsqrt, Unary::Abs, Unary::Log, Unary::Negate, Unary::Erfc] {
                let f = crate::arithmetic::real::unary(op).unwrap();
                let expected: Vec<u16> =
                    codes.iter().map(|&code| result(op, float, f, code.into()) as u16).collect();
                let mut out = vec![0; codes.len()];
                for (x, out) in codes.chunks(1000).zip(out.chunks_mut(1000)) {
                    unary(op, float, f, x, out);
                }
                assert_eq!(out, expected, "{op:?} {float:?}");
                let table = TABLES[op as usize][float as usize].results.get();
                assert_eq!(table, Some(&expected), "{op:?} {float:?}");
            }
        }
    }
}
