//! Operations on single numbers. They are what elementwise operations compute, but for the bits of a NaN, which depend on
//! how an operation is done: where a sum or product is NaN, the general way does it once more.

use bytemuck::{AnyBitPattern, cast};

use super::Cell;
use crate::eval::kernel::Instruction;
use crate::eval::plain::{Plain, Visit};
use crate::ir::{Binary, Direction};
use crate::types::{ElementType, FloatType};

/// An operation with the words of its operands and of its result: what to do and where is chosen once. False if it is to be
/// done otherwise.
pub(super) struct Quick(Box<Function>);

type Function = dyn Fn(&mut [u64]) -> bool + Send + Sync;

impl std::fmt::Debug for Quick {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Quick")
    }
}

/// Where the operands of an operation are, and where its result goes.
#[derive(Clone, Copy)]
struct Places {
    operands: [usize; 3],
    result: usize,
    /// Whether the result is binary32 or binary64, and may be a NaN.
    float: bool,
}

/// What a word begins with.
trait Part: Copy + 'static {
    fn of(word: u64) -> Self;
    fn word(self) -> u64;
    /// Whether it is a NaN, if it is a floating-point number.
    fn is_nan(self) -> bool;
}

macro_rules! parts {
    ($($part:ident: $of:expr, $word:expr, $is_nan:expr;)*) => {
        $(impl Part for $part {
            #[inline(always)]
            fn of(word: u64) -> $part {
                $of(word)
            }
            #[inline(always)]
            fn word(self) -> u64 {
                $word(self)
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                $is_nan(self)
            }
        })*
    };
}

parts! {
    u8: first, |byte| cast([byte, 0, 0, 0, 0, 0, 0, 0]), |_| false;
    u32: low, |bits| cast([bits, 0]), |bits| f32::from_bits(bits).is_nan();
    u64: |word| word, |word| word, |_| false;
    f64: f64::from_bits, f64::to_bits, f64::is_nan;
}

impl<const N: usize, T: Part, R: Part> Visit<N, T, R> for Places {
    type Made = Quick;

    fn formula(self, formula: impl Fn([T; N]) -> R + Send + Sync + 'static) -> Quick {
        let Places { operands, result, float } = self;
        let operands: [usize; N] = std::array::from_fn(|at| operands[at]);
        let of = move |words: &[u64]| formula(operands.map(|at| T::of(words[at])));
        match float {
            true => Quick(Box::new(move |words| {
                let made = of(words);
                if !made.is_nan() {
                    words[result] = made.word();
                }
                !made.is_nan()
            })),
            false => Quick(Box::new(move |words| {
                words[result] = of(words).word();
                true
            })),
        }
    }
}

impl Places {
    fn binary64(self, op: Binary) -> Option<Quick> {
        Some(match op {
            Binary::Add => self.formula(|[x, y]: [f64; 2]| x + y),
            Binary::Subtract => self.formula(|[x, y]: [f64; 2]| x - y),
            Binary::Multiply => self.formula(|[x, y]: [f64; 2]| x * y),
            Binary::Divide => self.formula(|[x, y]: [f64; 2]| x / y),
            _ => return None,
        })
    }

    /// On integers of 64 bits, with a sign or without.
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

    fn compare(self, direction: Direction) -> Quick {
        self.formula(move |[x, y]: [u64; 2]| u8::from(direction.holds(x as i64, y as i64)))
    }

    /// A word has whatever type the two have.
    fn select(self) -> Quick {
        let Places { operands: [truth, yes, no], result, .. } = self;
        Quick(Box::new(move |words| {
            words[result] = words[if first(words[truth]) != 0 { yes } else { no }];
            true
        }))
    }
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
        let float = matches!(result.element, ElementType::Float(FloatType::F32 | FloatType::F64));
        let mut places = Places { operands: [0; 3], result: result.at, float };
        places.operands.iter_mut().zip(operands).for_each(|(place, operand)| *place = operand.at);
        Some(match (Plain::new(instruction, &types, &result.element), instruction) {
            (Some(Plain::One(op)), _) => op.visit(places),
            (Some(Plain::Two(op)), _) => op.visit(places),
            (Some(Plain::Test(op)), _) => op.visit(places),
            (Some(Plain::Truth(op)), _) => op.visit(places),
            (Some(Plain::OneTruth(op)), _) => op.visit(places),
            (Some(Plain::OfTruth(op)), _) => op.visit(places),
            (_, Instruction::Select) if result.words() == 1 => places.select(),
            (_, Instruction::Binary(op)) => match element {
                ElementType::Float(FloatType::F64) => places.binary64(*op)?,
                element if [I64, U64].contains(element) => places.whole(*op)?,
                _ => return None,
            },
            (_, Instruction::Compare { direction, .. }) if *element == I64 => places.compare(*direction),
            _ => return None,
        })
    }

    /// Whether it is done; if not, it is to be done otherwise.
    #[inline(always)]
    pub(super) fn run(&self, words: &mut [u64]) -> bool {
        (self.0)(words)
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
pub(super) fn first(word: u64) -> u8 {
    let bytes: [u8; 8] = cast(word);
    bytes[0]
}
