//! Operations on single numbers. They are what elementwise operations compute, but for the bits of a NaN, which depend on
//! how an operation is done: where a sum or product is NaN, the general way does it once more.

use bytemuck::{AnyBitPattern, cast};

use super::Cell;
use crate::eval::kernel::Instruction;
use crate::eval::plain::{OfTruth, One, OneTruth, Plain, Test, Truth, Two};
use crate::ir::{Binary, Direction};
use crate::types::{ElementType, FloatType};

/// An operation, the words of its operands, and that of its result.
#[derive(Debug)]
pub(super) struct Quick {
    task: Task,
    operands: [usize; 3],
    result: usize,
}

#[derive(Clone, Copy, Debug)]
enum Task {
    /// On words of 32 bits; whether these are binary32.
    One(One, bool),
    Two(Two, bool),
    Test(Test),
    Truth(Truth),
    OneTruth(OneTruth),
    OfTruth(OfTruth),
    Select,
    F64(Arithmetic),
    Long(Whole),
    CompareI64(Direction),
}

#[derive(Clone, Copy, Debug)]
enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
}

/// On integers of 64 bits, with a sign or without.
#[derive(Clone, Copy, Debug)]
enum Whole {
    Add,
    Subtract,
    Multiply,
    And,
    Or,
    Xor,
}

const I64: ElementType = ElementType::Integer { signed: true, width: 64 };
const U64: ElementType = ElementType::Integer { signed: false, width: 64 };

impl Quick {
    /// An operation on single numbers, if it is one that is done here.
    pub(super) fn new(instruction: &Instruction, operands: &[Cell], result: &Cell) -> Option<Quick> {
        if result.count != 1 || operands.iter().any(|operand| operand.count != 1) {
            return None;
        }
        let element = &operands[0].element;
        let types: Vec<&ElementType> = operands.iter().map(|operand| &operand.element).collect();
        let float = result.element == ElementType::Float(FloatType::F32);
        let task = match (Plain::new(instruction, &types, &result.element), instruction) {
            (Some(Plain::One(one)), _) => Task::One(one, float),
            (Some(Plain::Two(two)), _) => Task::Two(two, float),
            (Some(Plain::Test(test)), _) => Task::Test(test),
            (Some(Plain::Truth(truth)), _) => Task::Truth(truth),
            (Some(Plain::OneTruth(truth)), _) => Task::OneTruth(truth),
            (Some(Plain::OfTruth(word)), _) => Task::OfTruth(word),
            // A word has whatever type the two have.
            (_, Instruction::Select) if result.words() == 1 => Task::Select,
            (_, Instruction::Binary(op)) => match element {
                ElementType::Float(FloatType::F64) => Task::F64(arithmetic(*op)?),
                element if [I64, U64].contains(element) => Task::Long(whole(*op)?),
                _ => return None,
            },
            (_, Instruction::Compare { direction, .. }) if *element == I64 => Task::CompareI64(*direction),
            _ => return None,
        };
        let mut places = [0; 3];
        places.iter_mut().zip(operands).for_each(|(place, operand)| *place = operand.at);
        Some(Quick { task, operands: places, result: result.at })
    }

    /// Whether it is done; if not, it is to be done otherwise.
    #[inline(always)]
    pub(super) fn run(&self, words: &mut [u64]) -> bool {
        let [a, b, c] = self.operands.map(|at| words[at]);
        let result = match self.task {
            Task::One(op, float) => {
                let result = op.of([low(a)]);
                if float && f32::from_bits(result).is_nan() {
                    return false;
                }
                word(result)
            }
            Task::Two(op, float) => {
                let result = op.of([low(a), low(b)]);
                if float && f32::from_bits(result).is_nan() {
                    return false;
                }
                word(result)
            }
            Task::Test(op) => byte(op.of([low(a), low(b)])),
            Task::Truth(op) => byte(op.of([first(a), first(b)])),
            Task::OneTruth(op) => byte(op.of([first(a)])),
            Task::OfTruth(op) => word(op.of([first(a)])),
            Task::F64(op) => {
                let result = op.of(f64::from_bits(a), f64::from_bits(b));
                if result.is_nan() {
                    return false;
                }
                result.to_bits()
            }
            Task::Long(op) => op.of(a, b),
            Task::CompareI64(direction) => byte(direction.holds(a as i64, b as i64).into()),
            Task::Select => match first(a) != 0 {
                true => b,
                false => c,
            },
        };
        words[self.result] = result;
        true
    }
}

/// The four bytes of a word that come first in memory.
#[inline(always)]
pub(super) fn low<T: AnyBitPattern>(word: u64) -> T {
    let [first, _]: [u32; 2] = cast(word);
    bytemuck::pod_read_unaligned(&first.to_ne_bytes())
}

/// The byte that comes first.
#[inline(always)]
fn first(word: u64) -> u8 {
    let bytes: [u8; 8] = cast(word);
    bytes[0]
}

/// A word that begins with these four bytes.
#[inline(always)]
fn word(value: u32) -> u64 {
    cast([value, 0])
}

/// A word that begins with this byte.
#[inline(always)]
fn byte(value: u8) -> u64 {
    cast([value, 0, 0, 0, 0, 0, 0, 0])
}

impl Arithmetic {
    #[inline(always)]
    fn of(self, x: f64, y: f64) -> f64 {
        match self {
            Arithmetic::Add => x + y,
            Arithmetic::Subtract => x - y,
            Arithmetic::Multiply => x * y,
            Arithmetic::Divide => x / y,
        }
    }
}

impl Whole {
    #[inline(always)]
    fn of(self, x: u64, y: u64) -> u64 {
        match self {
            Whole::Add => x.wrapping_add(y),
            Whole::Subtract => x.wrapping_sub(y),
            Whole::Multiply => x.wrapping_mul(y),
            Whole::And => x & y,
            Whole::Or => x | y,
            Whole::Xor => x ^ y,
        }
    }
}

fn arithmetic(op: Binary) -> Option<Arithmetic> {
    Some(match op {
        Binary::Add => Arithmetic::Add,
        Binary::Subtract => Arithmetic::Subtract,
        Binary::Multiply => Arithmetic::Multiply,
        Binary::Divide => Arithmetic::Divide,
        _ => return None,
    })
}

fn whole(op: Binary) -> Option<Whole> {
    Some(match op {
        Binary::Add => Whole::Add,
        Binary::Subtract => Whole::Subtract,
        Binary::Multiply => Whole::Multiply,
        Binary::And => Whole::And,
        Binary::Or => Whole::Or,
        Binary::Xor => Whole::Xor,
        _ => return None,
    })
}
