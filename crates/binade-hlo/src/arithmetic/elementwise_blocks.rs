//! Elementwise operations on blocks: parts of tensors whose types are not quantized.

use std::f32::consts::LN_2;

use binade_kernels::elementary::{Function, power_on};
use binade_stablehlo::ir::{Binary, Direction, Order, Unary};
use binade_stablehlo::{ElementType, FloatType, View, ViewMut};

use super::complex::{self, Complex};
use super::erfc::erfc;
use super::instruction::Instruction;
use super::instruction_set::ISA;
use super::plain::Plain;
use super::{coded, integer, real};
use crate::error::EvalError;

/// `out[i] = f(x[i])`.
#[inline(always)]
fn map<T: Copy, R>(x: &[T], out: &mut [R], f: impl Fn(T) -> R) {
    out.iter_mut().zip(x).for_each(|(out, &x)| *out = f(x));
}

/// `out[i] = f(x[i], y[i])`.
#[inline(always)]
fn map2<T: Copy, R>(x: &[T], y: &[T], out: &mut [R], f: impl Fn(T, T) -> R) {
    out.iter_mut().zip(x.iter().zip(y)).for_each(|(out, (&x, &y))| *out = f(x, y));
}

/// [`unary`] on a part of a tensor whose type is not quantized.
///
/// # Errors
/// As [`unary`].
///
/// # Panics
/// If lengths differ, or elements are not stored as their types say.
pub(super) fn unary_into(
    op: Unary,
    element: &ElementType,
    x: View<'_>,
    result: &ElementType,
    mut out: ViewMut<'_>,
) -> Result<(), EvalError> {
    assert_eq!(x.len(), out.len(), "elements of {op:?}");
    let undefined = || EvalError::element(op.name(), element);
    if let Some(plain) = Plain::new(&Instruction::Unary(op), &[element], result) {
        plain.on(*ISA, &[x], out);
        return Ok(());
    }
    match element {
        ElementType::Bool | ElementType::Integer { .. } => {
            integer::unary(op, element, x, out).ok_or_else(undefined)
        }
        ElementType::Float(float) => {
            if let Some(test) = predicate(op) {
                let ViewMut::U8(out) = out else {
                    return Err(EvalError::result(op.name(), element, result));
                };
                return predicate_into(*float, x, out, test);
            }
            if result != element {
                return Err(EvalError::result(op.name(), element, result));
            }
            let f = real::unary(op).ok_or_else(undefined)?;
            match (x, &mut out) {
                (View::F32(x), ViewMut::F32(out)) if *float == FloatType::Tf32 => {
                    map(x, out, |x| float.round(f(x as f64)) as f32);
                }
                (View::F32(x), ViewMut::F32(out)) => unary_f32(op, f, x, out),
                (View::F64(x), ViewMut::F64(out)) => unary_f64(op, f, x, out),
                (View::U8(x), ViewMut::U8(out)) => coded::unary(op, *float, f, x, out),
                (View::U16(x), ViewMut::U16(out)) => coded::unary(op, *float, f, x, out),
                _ => unreachable_storage(element, x),
            }
            Ok(())
        }
        ElementType::Complex(_) => unary_complex(op, x, out).ok_or_else(undefined),
        ElementType::Quantized(_) => Err(undefined()),
    }
}

/// Panics: an element type is always stored in the same way, which the caller has violated.
fn unreachable_storage(element: &ElementType, x: View<'_>) -> ! {
    panic!("{element} stored as {x:?}")
}

fn predicate(op: Unary) -> Option<fn(f64) -> bool> {
    Some(match op {
        Unary::IsFinite => f64::is_finite,
        Unary::IsInf => f64::is_infinite,
        Unary::IsNegInf => |x| x == f64::NEG_INFINITY,
        Unary::IsPosInf => |x| x == f64::INFINITY,
        _ => return None,
    })
}

fn predicate_into(
    float: FloatType,
    x: View<'_>,
    out: &mut [u8],
    test: fn(f64) -> bool,
) -> Result<(), EvalError> {
    match x {
        View::F32(x) => map(x, out, |x| test(x as f64) as u8),
        View::F64(x) => map(x, out, |x| test(x) as u8),
        View::U8(x) => map(x, out, |x| test(float.value(x as u64)) as u8),
        View::U16(x) => map(x, out, |x| test(float.value(x as u64)) as u8),
        x => unreachable_storage(&ElementType::Float(float), x),
    }
    Ok(())
}

/// Operations on binary32 that are not in [`super::plain`].
fn unary_f32(op: Unary, f: fn(f64) -> f64, x: &[f32], out: &mut [f32]) {
    match op {
        Unary::Imag => out.fill(0.0),
        Unary::Sign => map(x, out, |x| if x.is_nan() || x == 0.0 { x } else { 1f32.copysign(x) }),
        Unary::Cosh => map(x, out, |x| half_exp(x) + half_exp(-x)),
        Unary::Sinh => map(x, out, sinh),
        Unary::Erfc => erfc(x, out),
        _ => match elementary(op) {
            Some(function) => function.apply_on(*ISA, x, out).expect("lengths were compared"),
            None => map(x, out, |x| f(x as f64) as f32),
        },
    }
}

/// e^x / 2 as e^(x + ln ½), with the sum and the function rounded: chlo defines cosh and sinh by it. For large x the
/// rounded sum costs several ulps, which XLA's results have as well.
fn half_exp(x: f32) -> f32 {
    libm::exp((x - LN_2) as f64) as f32
}

/// chlo's sinh, step by step; by e^x − 1 where e^x / 2 − e^−x / 2 would cancel.
fn sinh(x: f32) -> f32 {
    if x.abs() < 1.0 {
        let grown = libm::expm1(x as f64) as f32;
        return 0.5 * (grown + grown / (grown + 1.0));
    }
    half_exp(x) - half_exp(-x)
}

/// [`half_exp`] of a complex number.
fn half_exp_c64([re, im]: [f32; 2]) -> [f32; 2] {
    let w = Complex { re: (re - LN_2) as f64, im: im as f64 }.exp();
    [w.re as f32, w.im as f32]
}

/// chlo's cosh (sign 1) and sinh (sign −1), step by step where the steps do not cancel.
fn cosh_or_sinh_c64(f: fn(Complex) -> Complex, sign: f32, [re, im]: [f32; 2]) -> [f32; 2] {
    if re.abs() < 1.0 {
        let w = f(Complex { re: re as f64, im: im as f64 });
        return [w.re as f32, w.im as f32];
    }
    let (grown, fallen) = (half_exp_c64([re, im]), half_exp_c64([-re, -im]));
    [grown[0] + sign * fallen[0], grown[1] + sign * fallen[1]]
}

/// The kernel of an operation, if it has one.
fn elementary(op: Unary) -> Option<Function> {
    Some(match op {
        Unary::Exponential => Function::Exp,
        Unary::ExponentialMinusOne => Function::ExpMinusOne,
        Unary::Log => Function::Log,
        Unary::LogPlusOne => Function::LogPlusOne,
        Unary::Logistic => Function::Logistic,
        Unary::Tanh => Function::Tanh,
        Unary::Erf => Function::Erf,
        Unary::Sine => Function::Sine,
        Unary::Cosine => Function::Cosine,
        Unary::Tan => Function::Tangent,
        Unary::Rsqrt => Function::Rsqrt,
        Unary::ErfInv => Function::ErfInv,
        Unary::Floor => Function::Floor,
        Unary::Ceil => Function::Ceil,
        Unary::RoundNearestEven => Function::RoundEven,
        _ => return None,
    })
}

fn unary_f64(op: Unary, f: fn(f64) -> f64, x: &[f64], out: &mut [f64]) {
    match op {
        Unary::Abs => map(x, out, f64::abs),
        Unary::Negate => map(x, out, |x| -x),
        Unary::Sqrt => map(x, out, f64::sqrt),
        Unary::Square => map(x, out, |x| x * x),
        _ => map(x, out, f),
    }
}

fn unary_complex(op: Unary, x: View<'_>, out: ViewMut<'_>) -> Option<()> {
    let part: Option<fn(Complex) -> f64> = match op {
        Unary::Abs => Some(Complex::magnitude),
        Unary::Real => Some(|z| z.re),
        Unary::Imag => Some(|z| z.im),
        _ => None,
    };
    let whole = complex::unary(op);
    let wide = |[re, im]: [f32; 2]| Complex { re: re as f64, im: im as f64 };
    match (x, out) {
        (View::C64(x), ViewMut::F32(out)) => {
            let f = part?;
            map(x, out, |z| f(wide(z)) as f32);
        }
        (View::C128(x), ViewMut::F64(out)) => {
            let f = part?;
            map(x, out, |[re, im]| f(Complex { re, im }));
        }
        (View::C64(x), ViewMut::C64(out)) if matches!(op, Unary::Cosh | Unary::Sinh) => {
            let (f, sign) = (whole?, if op == Unary::Cosh { 1.0 } else { -1.0 });
            map(x, out, |z| cosh_or_sinh_c64(f, sign, z));
        }
        (View::C64(x), ViewMut::C64(out)) => {
            let f = whole?;
            map(x, out, |z| {
                let w = f(wide(z));
                [w.re as f32, w.im as f32]
            });
        }
        (View::C128(x), ViewMut::C128(out)) => {
            let f = whole?;
            map(x, out, |[re, im]| {
                let w = f(Complex { re, im });
                [w.re, w.im]
            });
        }
        (View::C64(x), ViewMut::U8(out)) if op == Unary::IsFinite => {
            map(x, out, |[re, im]| (re.is_finite() && im.is_finite()) as u8);
        }
        (View::C128(x), ViewMut::U8(out)) if op == Unary::IsFinite => {
            map(x, out, |[re, im]| (re.is_finite() && im.is_finite()) as u8);
        }
        _ => return None,
    }
    Some(())
}

/// [`binary`] on parts of tensors whose type is not quantized.
///
/// # Errors
/// As [`unary`].
///
/// # Panics
/// If lengths differ, or elements are not stored as their types say.
pub(super) fn binary_into(
    op: Binary,
    element: &ElementType,
    x: View<'_>,
    y: View<'_>,
    result: &ElementType,
    mut out: ViewMut<'_>,
) -> Result<(), EvalError> {
    assert!(x.len() == out.len() && y.len() == out.len(), "elements of {op:?}");
    let undefined = || EvalError::element(op.name(), element);
    if op == Binary::Complex {
        return complex_of(x, y, out).ok_or_else(undefined);
    }
    if result != element {
        return Err(EvalError::result(op.name(), element, result));
    }
    if let Some(plain) = Plain::new(&Instruction::Binary(op), &[element, element], result) {
        plain.on(*ISA, &[x, y], out);
        return Ok(());
    }
    match element {
        ElementType::Bool | ElementType::Integer { .. } => {
            integer::binary(op, element, x, y, out).ok_or_else(undefined)
        }
        ElementType::Float(float) => {
            if op == Binary::NextAfter {
                return next_after(*float, x, y, out).ok_or_else(undefined);
            }
            let f = real::binary(op).ok_or_else(undefined)?;
            match (x, y, &mut out) {
                (View::F32(x), View::F32(y), ViewMut::F32(out)) if *float == FloatType::Tf32 => {
                    map2(x, y, out, |x, y| float.round(f(x as f64, y as f64)) as f32);
                }
                (View::F32(x), View::F32(y), ViewMut::F32(out)) => {
                    if op == Binary::Power {
                        power_on(*ISA, x, y, out).expect("lengths were compared");
                    } else {
                        map2(x, y, out, |x, y| f(x as f64, y as f64) as f32);
                    }
                }
                (View::F64(x), View::F64(y), ViewMut::F64(out)) => match op {
                    Binary::Add => map2(x, y, out, |x, y| x + y),
                    Binary::Subtract => map2(x, y, out, |x, y| x - y),
                    Binary::Multiply => map2(x, y, out, |x, y| x * y),
                    Binary::Divide => map2(x, y, out, |x, y| x / y),
                    _ => map2(x, y, out, f),
                },
                (View::U8(x), View::U8(y), ViewMut::U8(out)) => coded::binary(op, *float, f, x, y, out),
                (View::U16(x), View::U16(y), ViewMut::U16(out)) => coded::binary(op, *float, f, x, y, out),
                _ => unreachable_storage(element, x),
            }
            Ok(())
        }
        ElementType::Complex(_) => binary_complex(op, x, y, out).ok_or_else(undefined),
        ElementType::Quantized(_) => Err(undefined()),
    }
}

fn binary_complex(op: Binary, x: View<'_>, y: View<'_>, out: ViewMut<'_>) -> Option<()> {
    let f = complex::binary(op)?;
    match (x, y, out) {
        (View::C64(x), View::C64(y), ViewMut::C64(out)) => match op {
            Binary::Add => map2(x, y, out, |x, y| [x[0] + y[0], x[1] + y[1]]),
            Binary::Subtract => map2(x, y, out, |x, y| [x[0] - y[0], x[1] - y[1]]),
            Binary::Multiply => map2(x, y, out, multiply_c64),
            _ => map2(x, y, out, |x, y| {
                let wide = |[re, im]: [f32; 2]| Complex { re: re as f64, im: im as f64 };
                let w = f(wide(x), wide(y));
                [w.re as f32, w.im as f32]
            }),
        },
        (View::C128(x), View::C128(y), ViewMut::C128(out)) => map2(x, y, out, |x, y| {
            let w = f(Complex { re: x[0], im: x[1] }, Complex { re: y[0], im: y[1] });
            [w.re, w.im]
        }),
        _ => return None,
    }
    Some(())
}

/// A complex product with every product and sum rounded.
#[inline(always)]
pub(crate) fn multiply_c64(x: [f32; 2], y: [f32; 2]) -> [f32; 2] {
    [x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]]
}

fn complex_of(x: View<'_>, y: View<'_>, out: ViewMut<'_>) -> Option<()> {
    match (x, y, out) {
        (View::F32(x), View::F32(y), ViewMut::C64(out)) => map2(x, y, out, |re, im| [re, im]),
        (View::F64(x), View::F64(y), ViewMut::C128(out)) => map2(x, y, out, |re, im| [re, im]),
        _ => return None,
    }
    Some(())
}

/// The number next to x in the direction of y.
fn next_after(float: FloatType, x: View<'_>, y: View<'_>, out: ViewMut<'_>) -> Option<()> {
    macro_rules! native {
        ($x:ident, $y:ident, $out:ident) => {
            map2($x, $y, $out, |x, y| {
                if x.is_nan() || y.is_nan() {
                    x + y
                } else if x == y {
                    y
                } else if y > x {
                    x.next_up()
                } else {
                    x.next_down()
                }
            })
        };
    }
    match (x, y, out) {
        (View::F32(x), View::F32(y), ViewMut::F32(out)) if float == FloatType::F32 => native!(x, y, out),
        (View::F64(x), View::F64(y), ViewMut::F64(out)) => native!(x, y, out),
        (View::U8(x), View::U8(y), ViewMut::U8(out)) => coded::next_after(float, x, y, out),
        (View::U16(x), View::U16(y), ViewMut::U16(out)) => coded::next_after(float, x, y, out),
        _ => return None,
    }
    Some(())
}

/// [`compare`] on parts of tensors whose type is not quantized.
///
/// # Errors
/// As [`unary`].
///
/// # Panics
/// If lengths differ, or elements are not stored as their types say.
pub(super) fn compare_into(
    direction: Direction,
    order: Order,
    element: &ElementType,
    x: View<'_>,
    y: View<'_>,
    out: ViewMut<'_>,
) -> Result<(), EvalError> {
    assert!(x.len() == out.len() && y.len() == out.len(), "elements of compare");
    let undefined = || EvalError::element("compare", element);
    if let Some(plain) =
        Plain::new(&Instruction::Compare { direction, order }, &[element, element], &ElementType::Bool)
    {
        plain.on(*ISA, &[x, y], out);
        return Ok(());
    }
    let ViewMut::U8(out) = out else {
        return Err(EvalError::result("compare", element, &ElementType::Bool));
    };
    macro_rules! holds {
        ($x:expr, $y:expr, $key:expr) => {{
            let key = $key;
            match direction {
                Direction::Eq => map2($x, $y, out, |x, y| (key(x) == key(y)) as u8),
                Direction::Ne => map2($x, $y, out, |x, y| (key(x) != key(y)) as u8),
                Direction::Ge => map2($x, $y, out, |x, y| (key(x) >= key(y)) as u8),
                Direction::Gt => map2($x, $y, out, |x, y| (key(x) > key(y)) as u8),
                Direction::Le => map2($x, $y, out, |x, y| (key(x) <= key(y)) as u8),
                Direction::Lt => map2($x, $y, out, |x, y| (key(x) < key(y)) as u8),
            }
        }};
    }
    match (x, y) {
        (View::F32(x), View::F32(y)) => match order {
            Order::Partial => holds!(x, y, |x: f32| x),
            // −0 + 0 is +0.
            Order::Weak => holds!(x, y, |x: f32| if x.is_nan() { i32::MAX } else { total_f32(x + 0.0) }),
            Order::Total => holds!(x, y, total_f32),
        },
        (View::F64(x), View::F64(y)) => match order {
            Order::Partial => holds!(x, y, |x: f64| x),
            Order::Weak => holds!(x, y, |x: f64| if x.is_nan() { i64::MAX } else { total_f64(x + 0.0) }),
            Order::Total => holds!(x, y, total_f64),
        },
        (View::C64(x), View::C64(y)) => match direction {
            Direction::Eq => map2(x, y, out, |x, y| (x == y) as u8),
            Direction::Ne => map2(x, y, out, |x, y| (x != y) as u8),
            _ => return Err(undefined()),
        },
        (View::C128(x), View::C128(y)) => match direction {
            Direction::Eq => map2(x, y, out, |x, y| (x == y) as u8),
            Direction::Ne => map2(x, y, out, |x, y| (x != y) as u8),
            _ => return Err(undefined()),
        },
        (View::U8(x), View::U8(y))
            if let ElementType::Float(float) = element
                && order == Order::Total =>
        {
            let key = float.total_order();
            holds!(x, y, |x: u8| key(x.into()));
        }
        (View::U16(x), View::U16(y))
            if let ElementType::Float(float) = element
                && order == Order::Total =>
        {
            let key = float.total_order();
            holds!(x, y, |x: u16| key(x.into()));
        }
        (x, y) if let ElementType::Float(float) = element => {
            let (mut a, mut b) = ([0.0f32; 1024], [0.0f32; 1024]);
            let mut start = 0;
            for out in out.chunks_mut(1024) {
                let (a, b) = (&mut a[..out.len()], &mut b[..out.len()]);
                for (part, buffer) in [(x, &mut *a), (y, &mut *b)] {
                    coded::decode(*float, part.range(start..start + out.len()), buffer)
                        .ok_or_else(undefined)?;
                }
                compare_into(
                    direction,
                    order,
                    &ElementType::Float(FloatType::F32),
                    View::F32(a),
                    View::F32(b),
                    ViewMut::U8(out),
                )?;
                start += out.len();
            }
        }
        (View::I8(x), View::I8(y)) => holds!(x, y, |x: i8| x),
        (View::I16(x), View::I16(y)) => holds!(x, y, |x: i16| x),
        (View::I64(x), View::I64(y)) => holds!(x, y, |x: i64| x),
        (View::U8(x), View::U8(y)) => holds!(x, y, |x: u8| x),
        (View::U16(x), View::U16(y)) => holds!(x, y, |x: u16| x),
        (View::U64(x), View::U64(y)) => holds!(x, y, |x: u64| x),
        _ => return Err(undefined()),
    }
    Ok(())
}

/// Maps a number to an integer in the total order −NaN < −∞ < … < −0 < +0 < … < +∞ < NaN.
#[inline(always)]
fn total_f32(x: f32) -> i32 {
    let bits = x.to_bits() as i32;
    bits ^ (bits >> 31) & i32::MAX
}

/// [`total_f32`] of binary64.
#[inline(always)]
fn total_f64(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    bits ^ (bits >> 63) & i64::MAX
}

/// [`select`] on parts of tensors.
///
/// # Panics
/// If lengths differ, or elements are stored differently.
pub(super) fn select_into(predicate: &[u8], yes: View<'_>, no: View<'_>, out: ViewMut<'_>) {
    assert!(predicate.len() == out.len() && yes.len() == out.len() && no.len() == out.len());
    macro_rules! each {
        ($($variant:ident),*) => {
            match (yes, no, out) {
                $((View::$variant(yes), View::$variant(no), ViewMut::$variant(out)) => {
                    for (out, (&p, (&yes, &no))) in out.iter_mut().zip(predicate.iter().zip(yes.iter().zip(no))) {
                        *out = if p != 0 { yes } else { no };
                    }
                })*
                (yes, no, _) => panic!("select between {yes:?} and {no:?}"),
            }
        };
    }
    each!(I8, I16, I32, I64, U8, U16, U32, U64, F32, F64, C64, C128)
}
