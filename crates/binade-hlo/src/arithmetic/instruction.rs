//! The elementwise operations of which kernels consist.

use binade_stablehlo::ElementType;
use binade_stablehlo::ir::{Binary, Direction, Op, Order, Unary};

/// An elementwise operation. Operands and results are blocks of the same number of elements.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Instruction {
    Unary(Unary),
    Binary(Binary),
    Compare { direction: Direction, order: Order },
    Select,
    Clamp,
    Convert,
    BitcastConvert,
    ReducePrecision { exponent_bits: u32, mantissa_bits: u32 },
}

/// The instruction for an elementwise operation; `None` for other operations.
pub(crate) fn instruction(op: &Op) -> Option<Instruction> {
    Some(match *op {
        Op::Unary(unary) => Instruction::Unary(unary),
        Op::Binary(binary) => Instruction::Binary(binary),
        Op::Compare { direction, order } => Instruction::Compare { direction, order },
        Op::Select => Instruction::Select,
        Op::Clamp => Instruction::Clamp,
        Op::Convert | Op::Promote => Instruction::Convert,
        Op::BitcastConvert => Instruction::BitcastConvert,
        Op::ReducePrecision { exponent_bits, mantissa_bits } => {
            Instruction::ReducePrecision { exponent_bits, mantissa_bits }
        }
        _ => return None,
    })
}

/// Returns true if a change of type keeps the number of elements and all bits of their storage.
pub(crate) fn bitcasts(from: &ElementType, to: &ElementType) -> bool {
    let whole = |element: &ElementType| element.bits() == 8 * element.stored_bytes();
    from == to
        || from.bits() == to.bits() && whole(from) && whole(to) && !from.is_complex() && !to.is_complex()
}
