//! Elementwise operations for which processors have instructions: on words of 32 bits (binary32 and integers), on BF16
//! and on truth values. Each formula is defined here once, for one element and for slices.
//!
//! BF16 numbers are computed in binary32 and rounded; NaN becomes the one that encoding gives, as in
//! [`crate::arithmetic::coded`].
//!
//! Operands are slices, or one element that stands for all. The operation is selected once per slice, inside the
//! function that is compiled for an instruction set. So chains of operations ([`crate::arithmetic::kernel`]) spend
//! their time on elements.

use std::ops::Range;

use binade_kernels::arithmetic::{bf16, maximum, minimum};
use binade_simd::lanes::Leg;
use binade_simd::{Environment, Isa, Kernel};
use binade_stablehlo::ir::{Binary, Direction, Order, Unary};
use binade_stablehlo::{ElementType, FloatType, View, ViewMut};
use bytemuck::{cast_slice, cast_slice_mut};

use super::instruction::Instruction;

/// An operand: elements, or one element for all.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operand<'a> {
    Words(&'a [u32]),
    /// One word for all.
    Word(u32),
    Halves(&'a [u16]),
    /// One half word for all.
    Half(u16),
    Bytes(&'a [u8]),
    /// One byte for all.
    Byte(u8),
}

/// The elements of a result.
#[derive(Debug)]
pub(crate) enum Target<'a> {
    Words(&'a mut [u32]),
    Halves(&'a mut [u16]),
    Bytes(&'a mut [u8]),
}

impl<'a> Operand<'a> {
    /// A range of a view.
    ///
    /// # Panics
    /// If elements have more than 32 bits, or the range is not within the view.
    #[inline(always)]
    pub(crate) fn range(view: View<'a>, range: Range<usize>) -> Operand<'a> {
        match view {
            View::F32(x) => Operand::Words(cast_slice(&x[range])),
            View::I32(x) => Operand::Words(cast_slice(&x[range])),
            View::U32(x) => Operand::Words(&x[range]),
            View::U16(x) => Operand::Halves(&x[range]),
            View::I16(x) => Operand::Halves(cast_slice(&x[range])),
            View::U8(x) => Operand::Bytes(&x[range]),
            View::I8(x) => Operand::Bytes(cast_slice(&x[range])),
            x => panic!("{x:?} as words"),
        }
    }

    /// One element of a view, for all.
    ///
    /// # Panics
    /// As [`Operand::range`].
    #[inline(always)]
    pub(crate) fn one(view: View<'_>, at: usize) -> Operand<'a> {
        match view {
            View::F32(x) => Operand::Word(x[at].to_bits()),
            View::I32(x) => Operand::Word(x[at] as u32),
            View::U32(x) => Operand::Word(x[at]),
            View::U16(x) => Operand::Half(x[at]),
            View::I16(x) => Operand::Half(x[at] as u16),
            View::U8(x) => Operand::Byte(x[at]),
            View::I8(x) => Operand::Byte(x[at] as u8),
            x => panic!("{x:?} as words"),
        }
    }
}

impl<'a> Target<'a> {
    /// All elements of a view.
    ///
    /// # Panics
    /// As [`Operand::range`].
    #[inline(always)]
    pub(crate) fn of(view: ViewMut<'a>) -> Target<'a> {
        match view {
            ViewMut::F32(x) => Target::Words(cast_slice_mut(x)),
            ViewMut::I32(x) => Target::Words(cast_slice_mut(x)),
            ViewMut::U32(x) => Target::Words(x),
            ViewMut::U16(x) => Target::Halves(x),
            ViewMut::I16(x) => Target::Halves(cast_slice_mut(x)),
            ViewMut::U8(x) => Target::Bytes(x),
            ViewMut::I8(x) => Target::Bytes(cast_slice_mut(x)),
            x => panic!("{:?} as words", x.as_view()),
        }
    }
}

/// The elements of one type: a slice, or one element for all.
enum Elements<'a, T> {
    Each(&'a [T]),
    All(T),
}

#[inline(always)]
fn words(operand: Operand<'_>) -> Elements<'_, u32> {
    match operand {
        Operand::Words(x) => Elements::Each(x),
        Operand::Word(x) => Elements::All(x),
        x => panic!("{x:?} are no words"),
    }
}

#[inline(always)]
fn halves(operand: Operand<'_>) -> Elements<'_, u16> {
    match operand {
        Operand::Halves(x) => Elements::Each(x),
        Operand::Half(x) => Elements::All(x),
        x => panic!("{x:?} are no halves of words"),
    }
}

#[inline(always)]
fn bytes(operand: Operand<'_>) -> Elements<'_, u8> {
    match operand {
        Operand::Bytes(x) => Elements::Each(x),
        Operand::Byte(x) => Elements::All(x),
        x => panic!("{x:?} are no bytes"),
    }
}

/// `out[i] = f(x[i])`. A plain loop: the closure of `for_each` may be compiled as a separate function, without the
/// instruction set's features.
#[inline(always)]
fn map<T: Copy, R: Copy>([x]: [Elements<'_, T>; 1], out: &mut [R], f: impl Fn(T) -> R) {
    match x {
        Elements::Each(x) => {
            let x = &x[..out.len()];
            for (out, &x) in out.iter_mut().zip(x) {
                *out = f(x);
            }
        }
        Elements::All(x) => out.fill(f(x)),
    }
}

/// `out[i] = f(x[i], y[i])`.
#[inline(always)]
fn map2<T: Copy, R: Copy>(operands: [Elements<'_, T>; 2], out: &mut [R], f: impl Fn(T, T) -> R) {
    match operands {
        [Elements::Each(x), Elements::Each(y)] => {
            let (x, y) = (&x[..out.len()], &y[..out.len()]);
            for (out, (&x, &y)) in out.iter_mut().zip(x.iter().zip(y)) {
                *out = f(x, y);
            }
        }
        [x, Elements::All(y)] => map([x], out, |x| f(x, y)),
        [Elements::All(x), y] => map([y], out, |y| f(x, y)),
    }
}

#[inline(always)]
fn call<T, R>([x]: [T; 1], f: impl Fn(T) -> R) -> R {
    f(x)
}

#[inline(always)]
fn call2<T, R>([x, y]: [T; 2], f: impl Fn(T, T) -> R) -> R {
    f(x, y)
}

/// A visitor of formulas with `N` operands.
pub(crate) trait Visit<const N: usize, T, R> {
    type Made;

    fn formula(self, formula: impl Fn([T; N]) -> R + Send + Sync + 'static) -> Self::Made;
}

/// Defines an enum of operations that are only a formula, with methods for one element and for a whole slice.
macro_rules! formulas {
    ($(#[$doc:meta])* $enum:ident: $call:ident and $map:ident of $count:literal $elements:ident ($from:ty) to $result:ty:
     $($name:ident $formula:expr;)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum $enum { $($name),* }

        impl $enum {
            /// Passes the formula to a visitor.
            pub(crate) fn visit<V: Visit<$count, $from, $result>>(self, visit: V) -> V::Made {
                match self { $($enum::$name => visit.formula(|operands| $call(operands, $formula))),* }
            }

            /// Applies the formula to slices. Each formula has its own loop, so that the choice is outside of it.
            #[inline(always)]
            fn all(self, operands: [Operand<'_>; $count], out: &mut [$result]) {
                let operands = operands.map($elements);
                match self { $($enum::$name => $map(operands, out, $formula)),* }
            }
        }
    };
}

#[inline(always)]
fn float(word: u32) -> f32 {
    f32::from_bits(word)
}

/// A formula of binary32.
macro_rules! float {
    (|$x:ident| $result:expr) => {
        |x: u32| {
            let $x = float(x);
            let result: f32 = $result;
            result.to_bits()
        }
    };
    (|$x:ident, $y:ident| $result:expr) => {
        |x: u32, y: u32| {
            let ($x, $y) = (float(x), float(y));
            let result: f32 = $result;
            result.to_bits()
        }
    };
}

/// A BF16 number in binary32.
#[inline(always)]
fn wide(half: u16) -> f32 {
    f32::from_bits(u32::from(half) << 16)
}

/// Rounds a number to BF16.
#[inline(always)]
fn narrow(x: f32) -> u16 {
    (bf16(x).to_bits() >> 16) as u16
}

/// A formula of BF16.
macro_rules! half {
    (|$x:ident, $y:ident| $result:expr) => {
        |x: u16, y: u16| {
            let ($x, $y) = (wide(x), wide(y));
            narrow($result)
        }
    };
}

/// A comparison of words that are read as numbers.
macro_rules! test {
    ($read:expr, |$x:ident, $y:ident| $result:expr) => {
        |x, y| {
            let ($x, $y) = ($read(x), $read(y));
            u8::from($result)
        }
    };
}

#[inline(always)]
fn signed(word: u32) -> i32 {
    word as i32
}

#[inline(always)]
fn shifted_left(x: u32, by: u32) -> u32 {
    if by < 32 { x << by } else { 0 }
}

#[inline(always)]
fn shifted_right(x: u32, by: u32) -> u32 {
    if by < 32 { x >> by } else { 0 }
}

formulas! {
    /// A word from one word.
    One: call and map of 1 words (u32) to u32:
    Same |x| x;
    FloatAbs float!(|x| x.abs());
    FloatNegate float!(|x| -x);
    FloatSqrt float!(|x| x.sqrt());
    FloatSquare float!(|x| x * x);
    Negate |x: u32| x.wrapping_neg();
    Not |x: u32| !x;
    Square |x: u32| x.wrapping_mul(x);
    SignedAbs |x| signed(x).wrapping_abs() as u32;
    // Rounded to nearest.
    FloatOfSigned |x| (signed(x) as f32).to_bits();
    FloatOfUnsigned |x| (x as f32).to_bits();
}

formulas! {
    /// A word from two words. Shifts read the amount as unsigned; one of 32 or more leaves zeros, or copies of the sign
    /// bit.
    Two: call2 and map2 of 2 words (u32) to u32:
    FloatAdd float!(|x, y| x + y);
    FloatSubtract float!(|x, y| x - y);
    FloatMultiply float!(|x, y| x * y);
    FloatDivide float!(|x, y| x / y);
    FloatMaximum float!(|x, y| maximum(x, y));
    FloatMinimum float!(|x, y| minimum(x, y));
    Add |x: u32, y: u32| x.wrapping_add(y);
    Subtract |x: u32, y: u32| x.wrapping_sub(y);
    Multiply |x: u32, y: u32| x.wrapping_mul(y);
    And |x, y| x & y;
    Or |x, y| x | y;
    Xor |x, y| x ^ y;
    SignedMaximum |x, y| signed(x).max(signed(y)) as u32;
    SignedMinimum |x, y| signed(x).min(signed(y)) as u32;
    UnsignedMaximum |x: u32, y: u32| x.max(y);
    UnsignedMinimum |x: u32, y: u32| x.min(y);
    ShiftLeft shifted_left;
    ShiftRight shifted_right;
    ShiftRightSigned |x, y| (signed(x) >> y.min(31)) as u32;
}

formulas! {
    /// A truth value from two words. On binary32, all except the second are false if one is NaN.
    Test: call2 and map2 of 2 words (u32) to u8:
    FloatEqual test!(float, |x, y| x == y);
    FloatNotEqual test!(float, |x, y| x != y);
    FloatGreaterEqual test!(float, |x, y| x >= y);
    FloatGreater test!(float, |x, y| x > y);
    FloatLessEqual test!(float, |x, y| x <= y);
    FloatLess test!(float, |x, y| x < y);
    Equal |x, y| u8::from(x == y);
    NotEqual |x, y| u8::from(x != y);
    SignedGreaterEqual test!(signed, |x, y| x >= y);
    SignedGreater test!(signed, |x, y| x > y);
    SignedLessEqual test!(signed, |x, y| x <= y);
    SignedLess test!(signed, |x, y| x < y);
    UnsignedGreaterEqual |x, y| u8::from(x >= y);
    UnsignedGreater |x, y| u8::from(x > y);
    UnsignedLessEqual |x, y| u8::from(x <= y);
    UnsignedLess |x, y| u8::from(x < y);
}

formulas! {
    /// A truth value from two.
    Truth: call2 and map2 of 2 bytes (u8) to u8:
    And |x, y| x & y;
    Or |x, y| x | y;
    Xor |x, y| x ^ y;
}

formulas! {
    /// A truth value from one.
    OneTruth: call and map of 1 bytes (u8) to u8:
    Not |x| 1 - x;
}

formulas! {
    /// A word from a truth value.
    OfTruth: call and map of 1 bytes (u8) to u32:
    Integer u32::from;
    Float |x| f32::from(x).to_bits();
}

formulas! {
    /// A BF16 number from one. The sign of a NaN changes, too.
    OneBf16: call and map of 1 halves (u16) to u16:
    Abs |x: u16| x & 0x7fff;
    Negate |x: u16| x ^ 0x8000;
}

formulas! {
    /// A BF16 number from two.
    TwoBf16: call2 and map2 of 2 halves (u16) to u16:
    Add half!(|x, y| x + y);
    Subtract half!(|x, y| x - y);
    Multiply half!(|x, y| x * y);
    Divide half!(|x, y| x / y);
    Maximum half!(|x, y| maximum(x, y));
    Minimum half!(|x, y| minimum(x, y));
}

formulas! {
    /// A truth value from two BF16 numbers.
    TestBf16: call2 and map2 of 2 halves (u16) to u8:
    Equal test!(wide, |x, y| x == y);
    NotEqual test!(wide, |x, y| x != y);
    GreaterEqual test!(wide, |x, y| x >= y);
    Greater test!(wide, |x, y| x > y);
    LessEqual test!(wide, |x, y| x <= y);
    Less test!(wide, |x, y| x < y);
}

formulas! {
    /// A binary32 number from a BF16 number.
    OfBf16: call and map of 1 halves (u16) to u32:
    Float |x| if wide(x).is_nan() { f32::NAN.to_bits() } else { wide(x).to_bits() };
}

formulas! {
    /// A BF16 number from a binary32 number.
    ToBf16: call and map of 1 words (u32) to u16:
    Rounded |x| narrow(float(x));
}

/// An operation of this module.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Plain {
    One(One),
    Two(Two),
    Test(Test),
    Truth(Truth),
    OneTruth(OneTruth),
    OfTruth(OfTruth),
    OneBf16(OneBf16),
    TwoBf16(TwoBf16),
    TestBf16(TestBf16),
    OfBf16(OfBf16),
    ToBf16(ToBf16),
    /// The second or the third operand, selected by the truth value of the first.
    Select,
    /// The first operand shifted to the left by the second and to the right by the third, each one amount for all. The
    /// result has the bits of both, or their exclusive or with the fourth operand, if there is one.
    Shifts,
}

/// The interpretation of a type's words.
#[derive(Clone, Copy, PartialEq)]
enum Read {
    Float,
    Signed,
    Unsigned,
    Truth,
    Bf16,
}

impl Read {
    fn is_word(self) -> bool {
        !matches!(self, Read::Truth | Read::Bf16)
    }
}

fn read(element: &ElementType) -> Option<Read> {
    Some(match *element {
        ElementType::Float(FloatType::F32) => Read::Float,
        ElementType::Integer { signed: true, width: 32 } => Read::Signed,
        ElementType::Integer { signed: false, width: 32 } => Read::Unsigned,
        ElementType::Float(FloatType::Bf16) => Read::Bf16,
        ElementType::Bool => Read::Truth,
        _ => return None,
    })
}

impl Plain {
    /// Returns the operation on elements of these types; `None` if this module does not have it.
    pub(crate) fn new(
        instruction: &Instruction,
        operands: &[&ElementType],
        result: &ElementType,
    ) -> Option<Plain> {
        if let Instruction::Select = instruction {
            // Moves elements as they are stored.
            let moved = matches!(result.stored_bytes(), 1 | 2 | 4) && !result.is_complex();
            return (moved && *operands[0] == ElementType::Bool).then_some(Plain::Select);
        }
        let (from, to) = (read(operands[0])?, read(result)?);
        Some(match *instruction {
            Instruction::Unary(op) if from == to => unary(op, from)?,
            Instruction::Binary(op) if from == to => binary(op, from)?,
            Instruction::Compare { direction, order } if to == Read::Truth => {
                compare(direction, order, from)?
            }
            Instruction::Convert => convert(from, to)?,
            Instruction::BitcastConvert if [from, to].iter().all(|read| read.is_word()) => {
                Plain::One(One::Same)
            }
            _ => return None,
        })
    }

    /// Computes all elements of `out` with this instruction set. Operands that the operation does not have are ignored.
    ///
    /// # Panics
    /// If operands have fewer elements, or other types than the operation has.
    pub(crate) fn run(
        self,
        isa: Isa,
        operands: [Operand<'_>; 3],
        other: Option<Operand<'_>>,
        out: Target<'_>,
    ) {
        struct Apply<'a>(Plain, [Operand<'a>; 3], Option<Operand<'a>>, Target<'a>);

        impl Kernel for Apply<'_> {
            type Output = ();

            #[inline(always)]
            fn run<L: Leg>(self, _: L) {
                let Apply(plain, operands, other, out) = self;
                plain.all(operands, other, out);
            }
        }
        isa.run(Apply(self, operands, other, out));
    }

    /// The body of [`Plain::run`], inlined only there: it has hundreds of loops for each instruction set.
    #[inline(always)]
    fn all(self, [x, y, z]: [Operand<'_>; 3], other: Option<Operand<'_>>, out: Target<'_>) {
        match (self, out) {
            (Plain::One(op), Target::Words(out)) => op.all([x], out),
            (Plain::Two(op), Target::Words(out)) => op.all([x, y], out),
            (Plain::Test(op), Target::Bytes(out)) => op.all([x, y], out),
            (Plain::Truth(op), Target::Bytes(out)) => op.all([x, y], out),
            (Plain::OneTruth(op), Target::Bytes(out)) => op.all([x], out),
            (Plain::OfTruth(op), Target::Words(out)) => op.all([x], out),
            (Plain::OneBf16(op), Target::Halves(out)) => op.all([x], out),
            (Plain::TwoBf16(op), Target::Halves(out)) => op.all([x, y], out),
            (Plain::TestBf16(op), Target::Bytes(out)) => op.all([x, y], out),
            (Plain::OfBf16(op), Target::Words(out)) => op.all([x], out),
            (Plain::ToBf16(op), Target::Halves(out)) => op.all([x], out),
            (Plain::Select, Target::Halves(out)) => select(bytes(x), halves(y), halves(z), out),
            (Plain::Select, Target::Words(out)) => select(bytes(x), words(y), words(z), out),
            (Plain::Select, Target::Bytes(out)) => select(bytes(x), bytes(y), bytes(z), out),
            (Plain::Shifts, Target::Words(out)) => {
                shifts(words(x), [words(y), words(z)], other.map(words), out)
            }
            (plain, out) => panic!("{plain:?} into {out:?}"),
        }
    }

    /// The operation on two binary32 numbers; `None` if this module does not have it.
    pub(crate) fn of_floats(op: Binary) -> Option<Plain> {
        binary(op, Read::Float)
    }

    /// [`Plain::run`] with this instruction set, on whole views.
    ///
    /// # Panics
    /// As [`Plain::run`].
    pub(crate) fn on(self, isa: Isa, operands: &[View<'_>], out: ViewMut<'_>) {
        let mut all = [Operand::Byte(0); 3];
        for (to, view) in all.iter_mut().zip(operands) {
            *to = Operand::range(*view, 0..out.len());
        }
        let _environment = Environment::enter();
        self.run(isa, all, None, Target::of(out));
    }
}

fn unary(op: Unary, on: Read) -> Option<Plain> {
    let one = match (op, on) {
        (Unary::Not, Read::Truth) => return Some(Plain::OneTruth(OneTruth::Not)),
        (Unary::Abs, Read::Bf16) => return Some(Plain::OneBf16(OneBf16::Abs)),
        (Unary::Negate, Read::Bf16) => return Some(Plain::OneBf16(OneBf16::Negate)),
        (_, Read::Truth | Read::Bf16) => return None,
        (Unary::Abs, Read::Float) => One::FloatAbs,
        (Unary::Negate, Read::Float) => One::FloatNegate,
        (Unary::Sqrt, Read::Float) => One::FloatSqrt,
        (Unary::Square, Read::Float) => One::FloatSquare,
        (Unary::Real | Unary::Conj, _) => One::Same,
        (_, Read::Float) => return None,
        (Unary::Abs, Read::Signed) => One::SignedAbs,
        (Unary::Abs, Read::Unsigned) => One::Same,
        (Unary::Negate, _) => One::Negate,
        (Unary::Not, _) => One::Not,
        (Unary::Square, _) => One::Square,
        _ => return None,
    };
    Some(Plain::One(one))
}

fn binary(op: Binary, on: Read) -> Option<Plain> {
    let two = match (op, on) {
        // Truth values are numbers of one bit.
        (Binary::Add | Binary::Maximum | Binary::Or, Read::Truth) => return Some(Plain::Truth(Truth::Or)),
        (Binary::Multiply | Binary::Minimum | Binary::And, Read::Truth) => {
            return Some(Plain::Truth(Truth::And));
        }
        (Binary::Xor, Read::Truth) => return Some(Plain::Truth(Truth::Xor)),
        (_, Read::Truth) => return None,
        (_, Read::Bf16) => {
            return Some(Plain::TwoBf16(match op {
                Binary::Add => TwoBf16::Add,
                Binary::Subtract => TwoBf16::Subtract,
                Binary::Multiply => TwoBf16::Multiply,
                Binary::Divide => TwoBf16::Divide,
                Binary::Maximum => TwoBf16::Maximum,
                Binary::Minimum => TwoBf16::Minimum,
                _ => return None,
            }));
        }
        (Binary::Add, Read::Float) => Two::FloatAdd,
        (Binary::Subtract, Read::Float) => Two::FloatSubtract,
        (Binary::Multiply, Read::Float) => Two::FloatMultiply,
        (Binary::Divide, Read::Float) => Two::FloatDivide,
        (Binary::Maximum, Read::Float) => Two::FloatMaximum,
        (Binary::Minimum, Read::Float) => Two::FloatMinimum,
        (_, Read::Float) => return None,
        (Binary::Add, _) => Two::Add,
        (Binary::Subtract, _) => Two::Subtract,
        (Binary::Multiply, _) => Two::Multiply,
        (Binary::And, _) => Two::And,
        (Binary::Or, _) => Two::Or,
        (Binary::Xor, _) => Two::Xor,
        (Binary::Maximum, Read::Signed) => Two::SignedMaximum,
        (Binary::Minimum, Read::Signed) => Two::SignedMinimum,
        (Binary::Maximum, Read::Unsigned) => Two::UnsignedMaximum,
        (Binary::Minimum, Read::Unsigned) => Two::UnsignedMinimum,
        (Binary::ShiftLeft, _) => Two::ShiftLeft,
        (Binary::ShiftRightLogical, _) => Two::ShiftRight,
        (Binary::ShiftRightArithmetic, _) => Two::ShiftRightSigned,
        _ => return None,
    };
    Some(Plain::Two(two))
}

fn compare(direction: Direction, order: Order, on: Read) -> Option<Plain> {
    let test = match (on, direction) {
        (Read::Truth, _) => return None,
        (Read::Float | Read::Bf16, _) if order != Order::Partial => return None,
        (Read::Bf16, _) => {
            return Some(Plain::TestBf16(match direction {
                Direction::Eq => TestBf16::Equal,
                Direction::Ne => TestBf16::NotEqual,
                Direction::Ge => TestBf16::GreaterEqual,
                Direction::Gt => TestBf16::Greater,
                Direction::Le => TestBf16::LessEqual,
                Direction::Lt => TestBf16::Less,
            }));
        }
        (Read::Float, Direction::Eq) => Test::FloatEqual,
        (Read::Float, Direction::Ne) => Test::FloatNotEqual,
        (Read::Float, Direction::Ge) => Test::FloatGreaterEqual,
        (Read::Float, Direction::Gt) => Test::FloatGreater,
        (Read::Float, Direction::Le) => Test::FloatLessEqual,
        (Read::Float, Direction::Lt) => Test::FloatLess,
        (_, Direction::Eq) => Test::Equal,
        (_, Direction::Ne) => Test::NotEqual,
        (Read::Signed, Direction::Ge) => Test::SignedGreaterEqual,
        (Read::Signed, Direction::Gt) => Test::SignedGreater,
        (Read::Signed, Direction::Le) => Test::SignedLessEqual,
        (Read::Signed, Direction::Lt) => Test::SignedLess,
        (Read::Unsigned, Direction::Ge) => Test::UnsignedGreaterEqual,
        (Read::Unsigned, Direction::Gt) => Test::UnsignedGreater,
        (Read::Unsigned, Direction::Le) => Test::UnsignedLessEqual,
        (Read::Unsigned, Direction::Lt) => Test::UnsignedLess,
    };
    Some(Plain::Test(test))
}

fn convert(from: Read, to: Read) -> Option<Plain> {
    Some(match (from, to) {
        (Read::Truth, Read::Float) => Plain::OfTruth(OfTruth::Float),
        (Read::Truth, Read::Signed | Read::Unsigned) => Plain::OfTruth(OfTruth::Integer),
        (Read::Signed, Read::Float) => Plain::One(One::FloatOfSigned),
        (Read::Unsigned, Read::Float) => Plain::One(One::FloatOfUnsigned),
        (Read::Signed | Read::Unsigned, Read::Signed | Read::Unsigned) => Plain::One(One::Same),
        (Read::Float, Read::Float) => Plain::One(One::Same),
        (Read::Bf16, Read::Float) => Plain::OfBf16(OfBf16::Float),
        (Read::Float, Read::Bf16) => Plain::ToBf16(ToBf16::Rounded),
        _ => return None,
    })
}

#[inline(always)]
fn select<T: Copy>(truth: Elements<'_, u8>, yes: Elements<'_, T>, no: Elements<'_, T>, out: &mut [T]) {
    let truth = match truth {
        Elements::Each(truth) => &truth[..out.len()],
        Elements::All(truth) => return map([if truth != 0 { yes } else { no }], out, |x| x),
    };
    let all = out.iter_mut().zip(truth);
    match (yes, no) {
        (Elements::Each(yes), Elements::Each(no)) => {
            let (yes, no) = (&yes[..truth.len()], &no[..truth.len()]);
            for ((out, &truth), (&yes, &no)) in all.zip(yes.iter().zip(no)) {
                *out = if truth != 0 { yes } else { no };
            }
        }
        (Elements::Each(yes), Elements::All(no)) => {
            let yes = &yes[..truth.len()];
            for ((out, &truth), &yes) in all.zip(yes) {
                *out = if truth != 0 { yes } else { no };
            }
        }
        (Elements::All(yes), Elements::Each(no)) => {
            let no = &no[..truth.len()];
            for ((out, &truth), &no) in all.zip(no) {
                *out = if truth != 0 { yes } else { no };
            }
        }
        (Elements::All(yes), Elements::All(no)) => {
            for (out, &truth) in all {
                *out = if truth != 0 { yes } else { no };
            }
        }
    }
}

#[inline(always)]
fn shifts(
    x: Elements<'_, u32>,
    by: [Elements<'_, u32>; 2],
    other: Option<Elements<'_, u32>>,
    out: &mut [u32],
) {
    let [left, right] = by.map(|by| match by {
        Elements::Each(by) => by[0],
        Elements::All(by) => by,
    });
    let both = |x: u32| shifted_left(x, left) | shifted_right(x, right);
    // If neither shift reaches 32, the loop needs no choice.
    let most = (left < 32 && right < 32).then_some((left & 31, right & 31));
    match (other, most) {
        (Some(other), Some((left, right))) => map2([x, other], out, |x, y| (x << left | x >> right) ^ y),
        (Some(other), None) => map2([x, other], out, |x, y| both(x) ^ y),
        (None, Some((left, right))) => map([x], out, |x| x << left | x >> right),
        (None, None) => map([x], out, both),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{coded, real};

    const SPECIAL: [u32; 14] = [
        0,
        1,
        0x8000_0000,
        0x8000_0001,
        0x3f80_0000,
        0xbf80_0000,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0000,
        0x7f7f_ffff,
        31,
        32,
        33,
        u32::MAX,
    ];

    /// Applies a formula to these two words.
    struct Once([u32; 2]);

    impl Visit<2, u32, u32> for Once {
        type Made = u32;

        fn formula(self, formula: impl Fn([u32; 2]) -> u32 + Send + Sync + 'static) -> u32 {
            formula(self.0)
        }
    }

    fn words() -> (Vec<u32>, Vec<u32>) {
        let more = (0..40u32).map(|at| at.wrapping_mul(0x9e37_79b9));
        let values: Vec<u32> = SPECIAL.into_iter().chain(more).collect();
        values.iter().flat_map(|&x| values.iter().map(move |&y| (x, y))).unzip()
    }

    fn same(a: u32, b: u32) -> bool {
        a == b || float(a).is_nan() && float(b).is_nan()
    }

    /// Compares every instruction set with the operations on numbers of twice the width; any NaN equals any other. An
    /// operand for all must equal one with separate elements.
    #[test]
    fn words_equal_wider_arithmetic() {
        type Wide = fn(f64, f64) -> f64;
        type Whole = fn(i64, i64) -> i64;
        // Rounding to binary64 first does not change sums, products and quotients of binary32.
        let floats: [(Two, Wide); 6] = [
            (Two::FloatAdd, |x, y| x + y),
            (Two::FloatSubtract, |x, y| x - y),
            (Two::FloatMultiply, |x, y| x * y),
            (Two::FloatDivide, |x, y| x / y),
            (Two::FloatMaximum, |x, y| if x.is_nan() || y.is_nan() { x + y } else { x.max(y) }),
            (Two::FloatMinimum, |x, y| if x.is_nan() || y.is_nan() { x + y } else { x.min(y) }),
        ];
        let signed: [(Two, Whole); 6] = [
            (Two::Add, |x, y| x + y),
            (Two::Subtract, |x, y| x - y),
            (Two::Multiply, |x, y| x.wrapping_mul(y)),
            (Two::SignedMaximum, i64::max),
            (Two::SignedMinimum, i64::min),
            (Two::ShiftRightSigned, |x, y| x >> (y as u32).min(63)),
        ];
        let unsigned: [(Two, Whole); 7] = [
            (Two::UnsignedMaximum, i64::max),
            (Two::UnsignedMinimum, i64::min),
            (Two::ShiftLeft, |x, y| if y < 32 { x << y } else { 0 }),
            (Two::ShiftRight, |x, y| if y < 32 { x >> y } else { 0 }),
            (Two::And, |x, y| x & y),
            (Two::Or, |x, y| x | y),
            (Two::Xor, |x, y| x ^ y),
        ];
        let of_floats =
            |f: Wide| move |x: u32, y: u32| (f(float(x).into(), float(y).into()) as f32).to_bits();
        let of_signed = |f: Whole| move |x: u32, y: u32| f((x as i32).into(), (y as i32).into()) as u32;
        let of_unsigned = |f: Whole| move |x: u32, y: u32| f(x.into(), y.into()) as u32;
        type Expected = Box<dyn Fn(u32, u32) -> u32>;
        let mut all: Vec<(Two, Expected)> = vec![];
        all.extend(floats.into_iter().map(|(op, f)| (op, Box::new(of_floats(f)) as Expected)));
        all.extend(signed.into_iter().map(|(op, f)| (op, Box::new(of_signed(f)) as Expected)));
        all.extend(unsigned.into_iter().map(|(op, f)| (op, Box::new(of_unsigned(f)) as Expected)));
        let (x, y) = words();
        for (op, expected) in all {
            let zeros = |x: u32, y: u32| float(x) == 0.0 && float(y) == 0.0;
            let extreme = matches!(op, Two::FloatMaximum | Two::FloatMinimum);
            let agrees = |x, y, out| extreme && zeros(x, y) || same(out, expected(x, y));
            for isa in Isa::available() {
                let mut out = vec![7; x.len()];
                Plain::Two(op).on(isa, &[View::U32(&x), View::U32(&y)], ViewMut::U32(&mut out));
                for ((&x, &y), &out) in x.iter().zip(&y).zip(&out) {
                    assert!(agrees(x, y, out), "{isa}: {op:?} of {x:#x} and {y:#x} is {out:#x}");
                    assert!(same(op.visit(Once([x, y])), out), "{op:?} of {x:#x} and {y:#x} by itself");
                }
            }
            for (isa, one) in Isa::available().flat_map(|isa| SPECIAL.map(|one| (isa, one))) {
                let mut out = vec![7; x.len()];
                let none = Operand::Byte(0);
                let of = |x, y, out: &mut Vec<u32>| {
                    Plain::Two(op).run(isa, [x, y, none], None, Target::Words(out))
                };
                of(Operand::Words(&x), Operand::Word(one), &mut out);
                assert!(
                    x.iter().zip(&out).all(|(&x, &out)| same(out, op.visit(Once([x, one])))),
                    "{op:?} by {one:#x}"
                );
                of(Operand::Word(one), Operand::Words(&y), &mut out);
                assert!(
                    y.iter().zip(&out).all(|(&y, &out)| same(out, op.visit(Once([one, y])))),
                    "{op:?} of {one:#x}"
                );
            }
        }
    }

    #[test]
    fn comparisons_and_choices_equal_their_definitions() {
        use std::cmp::Ordering::{self, Equal, Greater, Less};
        let holds = |direction, order: Option<Ordering>| match direction {
            Direction::Eq => order == Some(Equal),
            Direction::Ne => order != Some(Equal),
            Direction::Lt => order == Some(Less),
            Direction::Le => matches!(order, Some(Less | Equal)),
            Direction::Gt => order == Some(Greater),
            Direction::Ge => matches!(order, Some(Greater | Equal)),
        };
        let (x, y) = words();
        let mut truth = vec![2; x.len()];
        for isa in Isa::available() {
            for direction in
                [Direction::Eq, Direction::Ne, Direction::Lt, Direction::Le, Direction::Gt, Direction::Ge]
            {
                let halves = |words: &[u32]| words.iter().map(|x| (x >> 16) as u16).collect::<Vec<_>>();
                let (a, b) = (halves(&x), halves(&y));
                let test = compare(direction, Order::Partial, Read::Bf16).unwrap();
                test.on(isa, &[View::U16(&a), View::U16(&b)], ViewMut::U8(&mut truth));
                for ((&x, &y), &truth) in a.iter().zip(&b).zip(&truth) {
                    let order = wide(x).partial_cmp(&wide(y));
                    assert_eq!(truth, u8::from(holds(direction, order)), "{isa}: {test:?} of {x:#x}, {y:#x}");
                }
                for on in [Read::Float, Read::Signed, Read::Unsigned] {
                    let test = compare(direction, Order::Partial, on).unwrap();
                    test.on(isa, &[View::U32(&x), View::U32(&y)], ViewMut::U8(&mut truth));
                    for ((&x, &y), &truth) in x.iter().zip(&y).zip(&truth) {
                        let order = match on {
                            Read::Float => float(x).partial_cmp(&float(y)),
                            Read::Signed => Some((x as i32).cmp(&(y as i32))),
                            _ => Some(x.cmp(&y)),
                        };
                        assert_eq!(
                            truth,
                            u8::from(holds(direction, order)),
                            "{isa}: {test:?} of {x:#x}, {y:#x}"
                        );
                    }
                }
            }
            let predicate: Vec<u8> = (0..x.len()).map(|at| (at * at % 3) as u8).collect();
            let mut out = vec![7; x.len()];
            let operands = [View::U8(&predicate), View::U32(&x), View::U32(&y)];
            Plain::Select.on(isa, &operands, ViewMut::U32(&mut out));
            for (at, &out) in out.iter().enumerate() {
                assert_eq!(out, if predicate[at] != 0 { x[at] } else { y[at] }, "{isa}: element {at}");
            }
        }
    }

    /// Compares every instruction set with decoding and encoding, on all of BF16 and pairs of it.
    #[test]
    fn bf16_equals_decoding_and_encoding() {
        const BF16: ElementType = ElementType::Float(FloatType::Bf16);
        const F32: ElementType = ElementType::Float(FloatType::F32);
        let every: Vec<u16> = (0..=u16::MAX).collect();
        let others: Vec<u16> = every.iter().map(|x| x.wrapping_mul(0x9e37) ^ x >> 7).collect();
        let special: Vec<u16> =
            [0, 1, 0x8000, 0x7f80, 0xff80, 0x7fc0, 0xffc1, 0x7f81, 0x3f80, 0xbf80].repeat(6554);
        let words: Vec<f32> =
            (0..=u16::MAX).map(|x| f32::from_bits(u32::from(x).wrapping_mul(0x9e37_8001))).collect();
        let (mut out, mut expected) = (vec![0; every.len()], vec![0; every.len()]);
        let mut numbers = [vec![0.0; every.len()], vec![0.0; every.len()]];
        for isa in Isa::available() {
            for op in [Unary::Abs, Unary::Negate] {
                let plain = Plain::new(&Instruction::Unary(op), &[&BF16], &BF16).unwrap();
                plain.on(isa, &[View::U16(&every)], ViewMut::U16(&mut out));
                coded::unary(op, FloatType::Bf16, real::unary(op).unwrap(), &every, &mut expected);
                assert_eq!(out, expected, "{isa}: {op:?}");
            }
            for op in [
                Binary::Add,
                Binary::Subtract,
                Binary::Multiply,
                Binary::Divide,
                Binary::Maximum,
                Binary::Minimum,
            ] {
                let plain = Plain::new(&Instruction::Binary(op), &[&BF16, &BF16], &BF16).unwrap();
                for y in [&others, &special[..every.len()]] {
                    plain.on(isa, &[View::U16(&every), View::U16(y)], ViewMut::U16(&mut out));
                    let f = real::binary(op).unwrap();
                    coded::binary(op, FloatType::Bf16, f, &every, y, &mut expected);
                    assert_eq!(out, expected, "{isa}: {op:?}");
                }
            }
            let plain = Plain::new(&Instruction::Convert, &[&BF16], &F32).unwrap();
            plain.on(isa, &[View::U16(&every)], ViewMut::F32(&mut numbers[0]));
            FloatType::Bf16.decode_f32((&every[..]).into(), &mut numbers[1]);
            let bits = numbers.each_ref().map(|x| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>());
            assert_eq!(bits[0], bits[1], "{isa}");
            let plain = Plain::new(&Instruction::Convert, &[&F32], &BF16).unwrap();
            plain.on(isa, &[View::F32(&words)], ViewMut::U16(&mut out));
            FloatType::Bf16.encode_f32(&words, (&mut expected[..]).into());
            assert_eq!(out, expected, "{isa}");
        }
    }

    #[test]
    fn shifts_beyond_the_width_leave_zeros() {
        for (left, right) in [(13, 19), (0, 32), (32, 0), (40, 5), (31, 1), (u32::MAX, u32::MAX)] {
            let (x, y) = words();
            let part = |by: u32, shifted: Option<u32>| if by < 32 { shifted.unwrap_or(0) } else { 0 };
            let operands = [Operand::Words(&x), Operand::Word(left), Operand::Word(right)];
            let others = [None, Some(Operand::Words(&y))];
            for (isa, other) in Isa::available().flat_map(|isa| others.map(|other| (isa, other))) {
                let mut out = vec![7; x.len()];
                Plain::Shifts.run(isa, operands, other, Target::Words(&mut out));
                for (at, &out) in out.iter().enumerate() {
                    let both = part(left, x[at].checked_shl(left)) | part(right, x[at].checked_shr(right));
                    let expected = if other.is_some() { both ^ y[at] } else { both };
                    assert_eq!(out, expected, "{isa}: {:#x} by {left} and {right}", x[at]);
                }
            }
        }
    }
}
