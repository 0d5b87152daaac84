//! Operations on single numbers. They are what elementwise operations compute, but for the bits of a NaN, which depend on
//! how an operation is done: where a sum or product is NaN, the general way does it once more.

use std::ops::{Add, Div, Mul, Sub};

use bytemuck::{AnyBitPattern, NoUninit, cast};

use super::Cell;
use crate::eval::kernel::Instruction;
use crate::ir::{Binary, Direction, Order};
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
    F32(Arithmetic),
    F64(Arithmetic),
    Word(Whole),
    Long(Whole),
    CompareF32(Direction),
    CompareI32(Direction),
    CompareU32(Direction),
    CompareI64(Direction),
    Select,
    /// Of truth values.
    And,
    Or,
}

#[derive(Clone, Copy, Debug)]
enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
}

/// On integers of 32 or 64 bits, with a sign or without.
#[derive(Clone, Copy, Debug)]
enum Whole {
    Add,
    Subtract,
    Multiply,
    And,
    Or,
    Xor,
}

const I32: ElementType = ElementType::Integer { signed: true, width: 32 };
const U32: ElementType = ElementType::Integer { signed: false, width: 32 };
const I64: ElementType = ElementType::Integer { signed: true, width: 64 };
const U64: ElementType = ElementType::Integer { signed: false, width: 64 };

impl Quick {
    /// An operation on single numbers, if it is one that is done here.
    pub(super) fn new(instruction: &Instruction, operands: &[Cell], result: &Cell) -> Option<Quick> {
        if result.count != 1 || operands.iter().any(|operand| operand.count != 1) {
            return None;
        }
        let element = &operands[0].element;
        let task = match *instruction {
            Instruction::Binary(op) => match element {
                ElementType::Float(FloatType::F32) => Task::F32(arithmetic(op)?),
                ElementType::Float(FloatType::F64) => Task::F64(arithmetic(op)?),
                element if [I32, U32].contains(element) => Task::Word(whole(op)?),
                element if [I64, U64].contains(element) => Task::Long(whole(op)?),
                ElementType::Bool if op == Binary::And => Task::And,
                ElementType::Bool if op == Binary::Or => Task::Or,
                _ => return None,
            },
            Instruction::Compare { direction, order } => match element {
                ElementType::Float(FloatType::F32) if order == Order::Partial => Task::CompareF32(direction),
                element if *element == I32 => Task::CompareI32(direction),
                element if *element == U32 => Task::CompareU32(direction),
                element if *element == I64 => Task::CompareI64(direction),
                _ => return None,
            },
            // A word has whatever type the two have.
            Instruction::Select if result.words() == 1 => Task::Select,
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
            Task::F32(op) => {
                let result = op.of(low::<f32>(a), low::<f32>(b));
                if result.is_nan() {
                    return false;
                }
                word(result)
            }
            Task::F64(op) => {
                let result = op.of(f64::from_bits(a), f64::from_bits(b));
                if result.is_nan() {
                    return false;
                }
                result.to_bits()
            }
            // The low halves of sums, differences and products depend on those of the operands alone.
            Task::Word(op) => word(op.of(low::<u32>(a).into(), low::<u32>(b).into()) as u32),
            Task::Long(op) => op.of(a, b),
            Task::CompareF32(direction) => truth(direction.holds(low::<f32>(a), low::<f32>(b))),
            Task::CompareI32(direction) => truth(direction.holds(low::<i32>(a), low::<i32>(b))),
            Task::CompareU32(direction) => truth(direction.holds(low::<u32>(a), low::<u32>(b))),
            Task::CompareI64(direction) => truth(direction.holds(a as i64, b as i64)),
            Task::Select => match first(a) != 0 {
                true => b,
                false => c,
            },
            Task::And => a & b,
            Task::Or => a | b,
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
fn word<T: NoUninit>(value: T) -> u64 {
    let value: u32 = cast(value);
    cast([value, 0])
}

#[inline(always)]
fn truth(holds: bool) -> u64 {
    cast([u8::from(holds), 0, 0, 0, 0, 0, 0, 0])
}

impl Arithmetic {
    #[inline(always)]
    fn of<T>(self, x: T, y: T) -> T
    where
        T: Add<Output = T> + Sub<Output = T> + Mul<Output = T> + Div<Output = T>,
    {
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
