//! Evaluates elementwise operations on single numbers and short vectors, for small loops. Results equal those of kernels except
//! for the bits of a NaN, which depend on the evaluation. A sum or product that is NaN is therefore computed again by the
//! general evaluation.

use binade_stablehlo::ir::{Binary, Order};
use binade_stablehlo::{ElementType, FloatType};
use bytemuck::{AnyBitPattern, Pod, cast, cast_slice, cast_slice_mut};

use super::Cell;
use crate::arithmetic::instruction::Instruction;
use crate::arithmetic::plain::{Plain, Visit};

/// Maximum number of elements, in general and if an operand's single element is repeated.
const MOST: usize = 64;
const MOST_BY_ONE: usize = 16;

/// An operation with the words of its operands and its result, selected once. Returns false if the general evaluation must run.
pub(super) struct Quick(Box<Function>);

type Function = dyn Fn(&mut [u64]) -> bool + Send + Sync;

impl std::fmt::Debug for Quick {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Quick")
    }
}

/// The places of the operands and of the result.
#[derive(Clone, Copy)]
struct Places {
    operands: [usize; 3],
    /// True if the operand's single element is repeated.
    one: [bool; 3],
    result: usize,
    /// The number of elements of the result, and true if they are binary32 or binary64 and may be NaN.
    count: usize,
    float: bool,
}

/// An element: a word or a part of one.
trait Part: Pod {
    /// Returns true for a NaN of a floating-point type.
    fn is_nan(self) -> bool {
        false
    }

    /// The first element, and the first two elements, of words.
    fn one(words: &[u64]) -> Self;
    fn two(words: &[u64]) -> [Self; 2];

    /// Writes elements; the rest of the last word is undefined.
    fn put_one(self, words: &mut [u64]);
    fn put_two(two: [Self; 2], words: &mut [u64]);
}

macro_rules! parts {
    ($($part:ident: $count:literal, $zeros:expr $(, $is_nan:expr)?;)*) => {
        $(impl Part for $part {
            $(#[inline(always)]
            fn is_nan(self) -> bool {
                $is_nan(self)
            })?
            #[inline(always)]
            fn one(words: &[u64]) -> $part {
                cast::<u64, [$part; $count]>(words[0])[0]
            }
            #[inline(always)]
            fn two(words: &[u64]) -> [$part; 2] {
                let all: [$part; $count] = cast(words[0]);
                [all[0], all[1]]
            }
            #[inline(always)]
            fn put_one(self, words: &mut [u64]) {
                let mut all = [$zeros; $count];
                all[0] = self;
                words[0] = cast(all);
            }
            #[inline(always)]
            fn put_two(two: [$part; 2], words: &mut [u64]) {
                let mut all = [$zeros; $count];
                all[..2].copy_from_slice(&two);
                words[0] = cast(all);
            }
        })*
    };
    ($($part:ident of a word $(, $is_nan:expr)?;)*) => {
        $(impl Part for $part {
            $(#[inline(always)]
            fn is_nan(self) -> bool {
                $is_nan(self)
            })?
            #[inline(always)]
            fn one(words: &[u64]) -> $part {
                cast(words[0])
            }
            #[inline(always)]
            fn two(words: &[u64]) -> [$part; 2] {
                let &[first, second] = words.first_chunk().expect("two words");
                [cast(first), cast(second)]
            }
            #[inline(always)]
            fn put_one(self, words: &mut [u64]) {
                words[0] = cast(self);
            }
            #[inline(always)]
            fn put_two(two: [$part; 2], words: &mut [u64]) {
                words[..2].copy_from_slice(&two.map(cast));
            }
        })*
    };
}

parts! {
    u8: 8, 0;
    u16: 4, 0;
    u32: 2, 0, |bits| f32::from_bits(bits).is_nan();
}

parts! {
    u64 of a word;
    f64 of a word, f64::is_nan;
}

impl<const N: usize, T: Part, R: Part> Visit<N, T, R> for Places {
    type Made = Quick;

    fn formula(self, formula: impl Fn([T; N]) -> R + Send + Sync + 'static) -> Quick {
        let Places { result, count, float, .. } = self;
        let operands: [usize; N] = std::array::from_fn(|at| self.operands[at]);
        let one: [bool; N] = std::array::from_fn(|at| self.one[at]);
        match count {
            1 => Quick(Box::new(move |words| {
                let made = formula(operands.map(|at| T::one(&words[at..])));
                made.put_one(&mut words[result..]);
                !(float & made.is_nan())
            })),
            2 => Quick(Box::new(move |words| {
                let operands: [[T; 2]; N] = std::array::from_fn(|operand| {
                    let from = &words[operands[operand]..];
                    if one[operand] { [T::one(from); 2] } else { T::two(from) }
                });
                let made = [0, 1].map(|at| formula(operands.map(|operand| operand[at])));
                R::put_two(made, &mut words[result..]);
                !(float & (made[0].is_nan() | made[1].is_nan()))
            })),
            _ => Quick(Box::new(move |words| {
                let (before, words) = words.split_at_mut(result);
                let out = elements_mut::<R>(words, count);
                let mut all = [[T::zeroed(); MOST_BY_ONE]; N];
                for (operand, all) in all.iter_mut().enumerate().filter(|&(operand, _)| one[operand]) {
                    all.fill(T::one(&before[operands[operand]..]));
                }
                let operands: [&[T]; N] = std::array::from_fn(|operand| match one[operand] {
                    true => &all[operand][..count],
                    false => elements(&before[operands[operand]..], count),
                });
                for (at, out) in out.iter_mut().enumerate() {
                    *out = formula(operands.map(|operand| operand[at]));
                }
                !(float && any_nan(out))
            })),
        }
    }
}

/// Checks all elements, since a loop with an early exit is not vectorised. Not inlined, since there are hundreds of operations.
#[inline(never)]
fn any_nan<R: Part>(made: &[R]) -> bool {
    made.iter().fold(false, |any, made| any | made.is_nan())
}

/// The first elements of words.
#[inline(always)]
fn elements<T: Pod>(words: &[u64], count: usize) -> &[T] {
    &cast_slice(&words[..(count * size_of::<T>()).div_ceil(size_of::<u64>())])[..count]
}

/// The first elements of words, mutable.
#[inline(always)]
fn elements_mut<T: Pod>(words: &mut [u64], count: usize) -> &mut [T] {
    &mut cast_slice_mut(&mut words[..(count * size_of::<T>()).div_ceil(size_of::<u64>())])[..count]
}

impl Places {
    fn binary64(self, op: Binary) -> Option<Quick> {
        Some(match op {
            Binary::Add => self.formula(|[x, y]: [f64; 2]| x + y),
            Binary::Subtract => self.formula(|[x, y]: [f64; 2]| x - y),
            Binary::Multiply => self.formula(|[x, y]: [f64; 2]| x * y),
            Binary::Divide => self.formula(|[x, y]: [f64; 2]| x / y),
            Binary::Remainder => self.formula(|[x, y]: [f64; 2]| x % y),
            _ => return None,
        })
    }

    /// For signed or unsigned integers of 64 bits.
    fn whole(self, op: Binary) -> Option<Quick> {
        Some(match op {
            Binary::Add => self.formula(|[x, y]: [u64; 2]| x.wrapping_add(y)),
            Binary::Subtract => self.formula(|[x, y]: [u64; 2]| x.wrapping_sub(y)),
            Binary::Multiply => self.formula(|[x, y]: [u64; 2]| x.wrapping_mul(y)),
            Binary::And => self.formula(|[x, y]: [u64; 2]| x & y),
            Binary::Or => self.formula(|[x, y]: [u64; 2]| x | y),
            Binary::Xor => self.formula(|[x, y]: [u64; 2]| x ^ y),
            _ => return None,
        })
    }

    fn compare<T: Part>(self, holds: impl Fn(T, T) -> bool + Send + Sync + 'static) -> Quick {
        self.formula(move |[x, y]: [T; 2]| u8::from(holds(x, y)))
    }

    /// Selects the second or the third operand by the truth value of the first. The type of the two does not matter.
    fn select<T: Part>(self) -> Quick {
        let Places { operands: [truth, yes, no], one, result, count, .. } = self;
        let step = one.map(|one| usize::from(!one));
        match count {
            1 => Quick(Box::new(move |words| {
                words[result] = words[if u8::one(&words[truth..]) != 0 { yes } else { no }];
                true
            })),
            2 => Quick(Box::new(move |words| {
                let two = |at: usize, one: bool| match one {
                    true => [T::one(&words[at..]); 2],
                    false => T::two(&words[at..]),
                };
                let truth = if one[0] { [u8::one(&words[truth..]); 2] } else { u8::two(&words[truth..]) };
                let (yes, no) = (two(yes, one[1]), two(no, one[2]));
                let made = [0, 1].map(|at| if truth[at] != 0 { yes[at] } else { no[at] });
                T::put_two(made, &mut words[result..]);
                true
            })),
            _ => Quick(Box::new(move |words| {
                let (before, words) = words.split_at_mut(result);
                let truth: &[u8] = elements(&before[truth..], if one[0] { 1 } else { count });
                let yes: &[T] = elements(&before[yes..], if one[1] { 1 } else { count });
                let no: &[T] = elements(&before[no..], if one[2] { 1 } else { count });
                for (at, out) in elements_mut(words, count).iter_mut().enumerate() {
                    let (yes, no) = (yes[at * step[1]], no[at * step[2]]);
                    *out = if truth[at * step[0]] != 0 { yes } else { no };
                }
                true
            })),
        }
    }
}

const I64: ElementType = ElementType::Integer { signed: true, width: 64 };
const U64: ElementType = ElementType::Integer { signed: false, width: 64 };
const F32: ElementType = ElementType::Float(FloatType::F32);
const F64: ElementType = ElementType::Float(FloatType::F64);

impl Quick {
    /// An operation on few elements, if it is evaluated here. A single element of an operand is repeated for all elements
    /// of the result.
    pub(super) fn new(instruction: &Instruction, operands: &[Cell], result: &Cell) -> Option<Quick> {
        let count = result.count;
        let most = if operands.iter().all(|operand| operand.count == count) { MOST } else { MOST_BY_ONE };
        if count == 0 || count > most || operands.iter().any(|operand| ![1, count].contains(&operand.count)) {
            return None;
        }
        let element = &operands[0].element;
        let types: Vec<&ElementType> = operands.iter().map(|operand| &operand.element).collect();
        let float = [F32, F64].contains(&result.element);
        let mut places = Places { operands: [0; 3], one: [false; 3], result: result.at, count, float };
        for (at, operand) in operands.iter().enumerate() {
            (places.operands[at], places.one[at]) = (operand.at, operand.count == 1);
        }
        Some(match (Plain::new(instruction, &types, &result.element), instruction) {
            (Some(Plain::One(op)), _) => op.visit(places),
            (Some(Plain::Two(op)), _) => op.visit(places),
            (Some(Plain::Test(op)), _) => op.visit(places),
            (Some(Plain::Truth(op)), _) => op.visit(places),
            (Some(Plain::OneTruth(op)), _) => op.visit(places),
            (Some(Plain::OfTruth(op)), _) => op.visit(places),
            (Some(Plain::OneBf16(op)), _) => op.visit(places),
            (Some(Plain::TwoBf16(op)), _) => op.visit(places),
            (Some(Plain::TestBf16(op)), _) => op.visit(places),
            (Some(Plain::OfBf16(op)), _) => op.visit(places),
            (Some(Plain::ToBf16(op)), _) => op.visit(places),
            (_, Instruction::Select) => match result.width() {
                1 => places.select::<u8>(),
                2 => places.select::<u16>(),
                4 => places.select::<u32>(),
                8 => places.select::<u64>(),
                _ => return None,
            },
            (_, Instruction::Binary(Binary::Remainder)) if *element == F32 => {
                places.formula(|[x, y]: [u32; 2]| (f32::from_bits(x) % f32::from_bits(y)).to_bits())
            }
            (_, Instruction::Binary(op)) if *element == F64 => places.binary64(*op)?,
            (_, Instruction::Binary(op)) if [I64, U64].contains(element) => places.whole(*op)?,
            (_, &Instruction::Compare { direction, .. }) if *element == ElementType::Bool => {
                places.compare(move |x: u8, y: u8| direction.holds(x, y))
            }
            (_, &Instruction::Compare { direction, .. }) if *element == I64 => {
                places.compare(move |x: u64, y: u64| direction.holds(x as i64, y as i64))
            }
            (_, &Instruction::Compare { direction, .. }) if *element == U64 => {
                places.compare(move |x: u64, y: u64| direction.holds(x, y))
            }
            (_, &Instruction::Compare { direction, order: Order::Partial }) if *element == F64 => {
                places.compare(move |x: f64, y: f64| direction.holds(x, y))
            }
            _ => return None,
        })
    }

    /// Repeats one element, for few elements.
    pub(super) fn fill(source: &Cell, result: &Cell) -> Option<Quick> {
        let (operands, one) = ([source.at, 0, 0], [true; 3]);
        let places = Places { operands, one, result: result.at, count: result.count, float: false };
        if result.count == 0 || result.count > MOST_BY_ONE {
            return None;
        }
        Some(match result.width() {
            1 => places.formula(|[x]: [u8; 1]| x),
            2 => places.formula(|[x]: [u16; 1]| x),
            4 => places.formula(|[x]: [u32; 1]| x),
            8 => places.formula(|[x]: [u64; 1]| x),
            _ => return None,
        })
    }

    /// Returns true if all truth values of an operand and the initial value are true, or if any is.
    pub(super) fn truth(every: bool, operand: &Cell, initial: &Cell, result: &Cell) -> Quick {
        let (operand, count, initial, result) = (operand.at, operand.count, initial.at, result.at);
        Quick(Box::new(move |words| {
            let all = elements::<u8>(&words[operand..], count).iter();
            let first = u8::one(&words[initial..]);
            let truth = match every {
                true => all.fold(first, |truth, x| truth & x),
                false => all.fold(first, |truth, x| truth | x),
            };
            truth.put_one(&mut words[result..]);
            true
        }))
    }

    /// Returns true if the operation ran; otherwise the general evaluation must run.
    #[inline(always)]
    pub(super) fn run(&self, words: &mut [u64]) -> bool {
        (self.0)(words)
    }
}

/// The first four bytes of a word in memory order.
#[inline(always)]
pub(super) fn low<T: AnyBitPattern>(word: u64) -> T {
    let [first, _]: [u32; 2] = cast(word);
    bytemuck::pod_read_unaligned(&first.to_ne_bytes())
}

/// The first byte in memory order.
#[inline(always)]
pub(super) fn first(word: u64) -> u8 {
    let bytes: [u8; 8] = cast(word);
    bytes[0]
}
