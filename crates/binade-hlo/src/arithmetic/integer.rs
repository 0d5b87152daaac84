//! Elementwise operations on integers and truth values. Narrow integers are computed in a byte and truncated to their
//! width. Most operations on integers of 32 bits are in [`crate::arithmetic::plain`].

use binade_simd::Kernel;
use binade_simd::lanes::Leg;
use binade_stablehlo::ir::{Binary, Unary};
use binade_stablehlo::{ElementType, View, ViewMut};

use super::instruction_set::ISA;

/// The operations of a machine integer.
pub(crate) trait Integer: Copy + Ord {
    const BITS: u32;
    const SIGNED: bool;
    const ZERO: Self;
    const ONE: Self;
    /// The low `width` bits, sign-extended in signed types.
    fn fit(self, width: u32) -> Self;
    fn wrapping_add(self, y: Self) -> Self;
    fn wrapping_sub(self, y: Self) -> Self;
    fn wrapping_mul(self, y: Self) -> Self;
    fn wrapping_neg(self) -> Self;
    fn wrapping_abs(self) -> Self;
    /// All bits set for a zero divisor.
    fn quotient(self, y: Self) -> Self;
    /// The dividend for a zero divisor.
    fn remainder(self, y: Self) -> Self;
    fn and(self, y: Self) -> Self;
    fn or(self, y: Self) -> Self;
    fn xor(self, y: Self) -> Self;
    /// Shifted to the left by less than the width, filled with zeros.
    fn shifted_left(self, by: u32) -> Self;
    /// Shifted to the right by less than the width, filled with zeros.
    fn shifted_right(self, by: u32) -> Self;
    fn not(self) -> Self;
    /// The number in 128 bits.
    fn wide(self) -> i128;
    /// The nearest binary32 number.
    fn to_f32(self) -> f32;
    /// The nearest binary64 number.
    fn to_f64(self) -> f64;
    /// The integer part, saturating; 0 for NaN.
    fn of_f64(x: f64) -> Self;
    /// The bits of a number of `width` bits.
    fn bits(self, width: u32) -> u64;
    /// The low bits as a number.
    fn of_bits(bits: u64) -> Self;
}

macro_rules! integers {
    ($($int:ident $signed:literal $unsigned:ident),*) => { $(
        impl Integer for $int {
            const BITS: u32 = $int::BITS;
            const SIGNED: bool = $signed;
            const ZERO: Self = 0;
            const ONE: Self = 1;

            #[inline(always)]
            fn fit(self, width: u32) -> Self {
                self << ($int::BITS - width) >> ($int::BITS - width)
            }
            #[inline(always)]
            fn wrapping_add(self, y: Self) -> Self {
                self.wrapping_add(y)
            }
            #[inline(always)]
            fn wrapping_sub(self, y: Self) -> Self {
                self.wrapping_sub(y)
            }
            #[inline(always)]
            fn wrapping_mul(self, y: Self) -> Self {
                self.wrapping_mul(y)
            }
            #[inline(always)]
            fn wrapping_neg(self) -> Self {
                self.wrapping_neg()
            }
            #[inline(always)]
            fn wrapping_abs(self) -> Self {
                #[allow(unused_comparisons, reason = "one text for both kinds of integers")]
                if self < 0 { self.wrapping_neg() } else { self }
            }
            #[inline(always)]
            fn quotient(self, y: Self) -> Self {
                if y == 0 { !0 } else { self.wrapping_div(y) }
            }
            #[inline(always)]
            fn remainder(self, y: Self) -> Self {
                if y == 0 { self } else { self.wrapping_rem(y) }
            }
            #[inline(always)]
            fn and(self, y: Self) -> Self {
                self & y
            }
            #[inline(always)]
            fn or(self, y: Self) -> Self {
                self | y
            }
            #[inline(always)]
            fn xor(self, y: Self) -> Self {
                self ^ y
            }
            #[inline(always)]
            fn shifted_left(self, by: u32) -> Self {
                self << by
            }
            #[inline(always)]
            fn shifted_right(self, by: u32) -> Self {
                (self as $unsigned >> by) as $int
            }
            #[inline(always)]
            fn not(self) -> Self {
                !self
            }
            #[inline(always)]
            fn wide(self) -> i128 {
                self as i128
            }
            #[inline(always)]
            fn to_f32(self) -> f32 {
                self as f32
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn of_f64(x: f64) -> Self {
                x as $int
            }
            #[inline(always)]
            fn bits(self, width: u32) -> u64 {
                self as $unsigned as u64 & (u64::MAX >> (64 - width))
            }
            #[inline(always)]
            fn of_bits(bits: u64) -> Self {
                bits as $int
            }
        }
    )* };
}

integers! { i8 true u8, i16 true u16, i32 true u32, i64 true u64, u8 false u8, u16 false u16, u32 false u32, u64 false u64 }

/// The bits of an integer type; 1 for `i1`.
pub(crate) fn width(element: &ElementType) -> u32 {
    match element {
        ElementType::Integer { width, .. } => *width as u32,
        _ => 1,
    }
}

/// Computes an operation on integers or truth values; `None` if it is not defined on them.
pub(crate) fn unary(op: Unary, element: &ElementType, x: View<'_>, out: ViewMut<'_>) -> Option<()> {
    let width = width(element);
    macro_rules! each {
        ($($variant:ident),*) => {
            match (x, out) {
                (View::U8(x), ViewMut::U8(out)) if *element == ElementType::Bool => {
                    if op != Unary::Not {
                        return None;
                    }
                    out.iter_mut().zip(x).for_each(|(out, x)| *out = 1 - x);
                    Some(())
                }
                $((View::$variant(x), ViewMut::$variant(out)) => unary_of(op, width, x, out),)*
                _ => None,
            }
        };
    }
    each!(I8, I16, I32, I64, U8, U16, U32, U64)
}

fn unary_of<T: Integer>(op: Unary, width: u32, x: &[T], out: &mut [T]) -> Option<()> {
    macro_rules! each {
        (|$x:ident| $result:expr) => {
            out.iter_mut().zip(x).for_each(|(out, &$x)| *out = $result)
        };
    }
    match op {
        Unary::Abs => each!(|x| x.wrapping_abs()),
        Unary::Negate => each!(|x| x.wrapping_neg()),
        Unary::Not => each!(|x| x.not()),
        Unary::Square => each!(|x| x.wrapping_mul(x)),
        Unary::Real | Unary::Conj => each!(|x| x),
        Unary::Sign => each!(|x| match x.cmp(&T::ZERO) {
            std::cmp::Ordering::Less => T::ONE.wrapping_neg(),
            std::cmp::Ordering::Equal => T::ZERO,
            std::cmp::Ordering::Greater => T::ONE,
        }),
        Unary::Popcnt => each!(|x| T::of_bits(x.bits(width).count_ones() as u64)),
        Unary::CountLeadingZeros => {
            each!(|x| T::of_bits((x.bits(width).leading_zeros() - (64 - width)) as u64))
        }
        _ => return None,
    }
    fit_all(width, out);
    Some(())
}

/// Computes an operation on integers or truth values; `None` if it is not defined on them.
pub(crate) fn binary(
    op: Binary,
    element: &ElementType,
    x: View<'_>,
    y: View<'_>,
    out: ViewMut<'_>,
) -> Option<()> {
    let width = width(element);
    macro_rules! each {
        ($($variant:ident),*) => {
            match (x, y, out) {
                (View::U8(x), View::U8(y), ViewMut::U8(out)) if *element == ElementType::Bool => {
                    let op = match op {
                        Binary::Add | Binary::Maximum | Binary::Or => Binary::Or,
                        Binary::Multiply | Binary::Minimum | Binary::And => Binary::And,
                        Binary::Xor => Binary::Xor,
                        _ => return None,
                    };
                    binary_of(op, 8, x, y, out)
                }
                $((View::$variant(x), View::$variant(y), ViewMut::$variant(out)) => {
                    binary_of(op, width, x, y, out)
                })*
                _ => None,
            }
        };
    }
    each!(I8, I16, I32, I64, U8, U16, U32, U64)
}

fn binary_of<T: Integer>(op: Binary, width: u32, x: &[T], y: &[T], out: &mut [T]) -> Option<()> {
    macro_rules! each {
        (|$x:ident, $y:ident| $result:expr) => {
            out.iter_mut().zip(x.iter().zip(y)).for_each(|(out, (&$x, &$y))| *out = $result)
        };
    }
    if width == T::BITS && T::BITS == 64 && ISA.run(Machine { op, x, y, out }) {
        return Some(());
    }
    // A shift amount is read as unsigned, so that a negative one counts as too large.
    match op {
        Binary::Add => each!(|x, y| x.wrapping_add(y)),
        Binary::Subtract => each!(|x, y| x.wrapping_sub(y)),
        Binary::Multiply => each!(|x, y| x.wrapping_mul(y)),
        Binary::Divide => each!(|x, y| x.quotient(y)),
        Binary::Remainder => each!(|x, y| x.remainder(y)),
        Binary::Maximum => each!(|x, y| x.max(y)),
        Binary::Minimum => each!(|x, y| x.min(y)),
        Binary::And => each!(|x, y| x.and(y)),
        Binary::Or => each!(|x, y| x.or(y)),
        Binary::Xor => each!(|x, y| x.xor(y)),
        Binary::MulHigh => each!(|x, y| {
            let product = (x.wide() as u128).wrapping_mul(y.wide() as u128);
            T::of_bits((product >> width) as u64)
        }),
        Binary::Power => each!(|x, y| power(x, y)),
        Binary::ShiftLeft => each!(|x, y| {
            let by = y.bits(width);
            T::of_bits(if by < width as u64 { x.bits(width) << by } else { 0 })
        }),
        Binary::ShiftRightLogical => each!(|x, y| {
            let by = y.bits(width);
            T::of_bits(if by < width as u64 { x.bits(width) >> by } else { 0 })
        }),
        Binary::ShiftRightArithmetic => each!(|x, y| {
            let by = y.bits(width).min(width as u64 - 1);
            let top = x.bits(width) << (64 - width);
            T::of_bits((top as i64 >> (64 - width) >> by) as u64)
        }),
        _ => return None,
    }
    fit_all(width, out);
    Some(())
}

/// Computes operations on integers of 64 bits for which processors have vector instructions; false for others. Shifts
/// must be by one amount for all elements.
struct Machine<'a, T> {
    op: Binary,
    x: &'a [T],
    y: &'a [T],
    out: &'a mut [T],
}

impl<T: Integer> Kernel for Machine<'_, T> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Leg>(self, _: L) -> bool {
        let Machine { op, x, y, out } = self;
        macro_rules! each {
            (|$x:ident, $y:ident| $result:expr) => {
                for (out, (&$x, &$y)) in out.iter_mut().zip(x.iter().zip(y)) {
                    *out = $result;
                }
            };
        }
        match op {
            Binary::Add => each!(|x, y| x.wrapping_add(y)),
            Binary::Subtract => each!(|x, y| x.wrapping_sub(y)),
            Binary::Multiply => each!(|x, y| x.wrapping_mul(y)),
            Binary::And => each!(|x, y| x.and(y)),
            Binary::Or => each!(|x, y| x.or(y)),
            Binary::Xor => each!(|x, y| x.xor(y)),
            Binary::ShiftLeft | Binary::ShiftRightLogical => {
                let Some(&first) = y.first() else { return false };
                if y.iter().fold(T::ZERO, |other, &y| other.or(y.xor(first))) != T::ZERO {
                    return false;
                }
                let by = first.bits(T::BITS);
                match op {
                    _ if by >= T::BITS.into() => out.fill(T::ZERO),
                    Binary::ShiftLeft => each!(|x, _y| x.shifted_left(by as u32)),
                    _ => each!(|x, _y| x.shifted_right(by as u32)),
                }
            }
            _ => return false,
        }
        true
    }
}

/// x to the power y, wrapping around. A negative exponent gives the integer part of the fraction: 0 unless the base is
/// 1 or −1. Base 0 gives 0 as well.
fn power<T: Integer>(x: T, y: T) -> T {
    let minus_one = T::ONE.wrapping_neg();
    if T::SIGNED && y < T::ZERO {
        let odd = y.and(T::ONE) == T::ONE;
        return if x == T::ONE || (x == minus_one && !odd) {
            T::ONE
        } else if x == minus_one {
            minus_one
        } else {
            T::ZERO
        };
    }
    let (mut base, mut exponent, mut result) = (x, y.bits(T::BITS), T::ONE);
    while exponent != 0 {
        if exponent & 1 == 1 {
            result = result.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    result
}

fn fit_all<T: Integer>(width: u32, out: &mut [T]) {
    if width < T::BITS {
        out.iter_mut().for_each(|x| *x = x.fit(width));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two(op: Binary, width: u8, x: i8, y: i8) -> i8 {
        let element = ElementType::Integer { signed: true, width };
        let mut out = [0];
        binary(op, &element, View::I8(&[x]), View::I8(&[y]), ViewMut::I8(&mut out)).expect("defined");
        out[0]
    }

    #[test]
    fn what_the_specification_leaves_open() {
        assert_eq!(two(Binary::Divide, 8, 7, 0), -1);
        assert_eq!(two(Binary::Divide, 8, -128, -1), -128);
        assert_eq!(two(Binary::Divide, 4, -8, -1), -8);
        assert_eq!(two(Binary::Remainder, 8, -7, 0), -7);
        assert_eq!(two(Binary::Remainder, 8, -128, -1), 0);
        assert_eq!((two(Binary::Remainder, 8, -7, 3), two(Binary::Remainder, 8, 7, -3)), (-1, 1));
        for amount in [8, 127, -1] {
            assert_eq!(two(Binary::ShiftLeft, 8, 1, amount), 0);
            assert_eq!(two(Binary::ShiftRightLogical, 8, -1, amount), 0);
            assert_eq!(two(Binary::ShiftRightArithmetic, 8, -2, amount), -1);
        }
        assert_eq!(two(Binary::ShiftRightLogical, 4, -1, 1), 7);
        assert_eq!(two(Binary::ShiftRightArithmetic, 4, -8, 1), -4);
        assert_eq!((two(Binary::Power, 8, 2, -1), two(Binary::Power, 8, -1, -3)), (0, -1));
        assert_eq!((two(Binary::Power, 8, 3, 5), two(Binary::Power, 4, 3, 2)), (-13, -7));
    }

    /// Two-bit and four-bit integers wrap modulo 2^width.
    #[test]
    fn narrow_integers_wrap() {
        for width in [2u8, 4] {
            let (half, modulus) = (1i32 << (width - 1), 1i32 << width);
            let wrap = |x: i32| ((x + half).rem_euclid(modulus) - half) as i8;
            for x in -half..half {
                for y in -half..half {
                    let of = |op| two(op, width, x as i8, y as i8);
                    assert_eq!(of(Binary::Add), wrap(x + y));
                    assert_eq!(of(Binary::Subtract), wrap(x - y));
                    assert_eq!(of(Binary::Multiply), wrap(x * y));
                }
            }
        }
    }

    /// Shifts by one amount for all elements equal shifts by separate amounts.
    #[test]
    fn shifts_by_one_amount() {
        let x: Vec<i32> = (0..9).map(|at: i32| at.wrapping_mul(0x1234_5679) - 77).collect();
        let element = ElementType::Integer { signed: true, width: 32 };
        for op in [Binary::ShiftLeft, Binary::ShiftRightLogical, Binary::ShiftRightArithmetic] {
            for by in [0, 1, 13, 31, 32, 33, -1, i32::MIN] {
                let (mut alike, mut apart) = ([0; 9], [0; 9]);
                binary(op, &element, View::I32(&x), View::I32(&[by; 9]), ViewMut::I32(&mut alike)).unwrap();
                let mut amounts = [by; 9];
                amounts[8] = by ^ 1;
                binary(op, &element, View::I32(&x), View::I32(&amounts), ViewMut::I32(&mut apart)).unwrap();
                assert_eq!(alike[..8], apart[..8], "{op:?} {by}");
            }
        }
    }

    #[test]
    fn counts_within_the_width() {
        let element = ElementType::Integer { signed: false, width: 4 };
        let mut out = [0; 3];
        unary(Unary::CountLeadingZeros, &element, View::U8(&[0, 1, 15]), ViewMut::U8(&mut out)).unwrap();
        assert_eq!(out, [4, 3, 0]);
        unary(Unary::Not, &element, View::U8(&[0, 1, 15]), ViewMut::U8(&mut out)).unwrap();
        assert_eq!(out, [15, 14, 0]);
        let element = ElementType::Integer { signed: true, width: 4 };
        let mut out = [0; 2];
        unary(Unary::Popcnt, &element, View::I8(&[-1, -8]), ViewMut::I8(&mut out)).unwrap();
        assert_eq!(out, [4, 1]);
    }
}
