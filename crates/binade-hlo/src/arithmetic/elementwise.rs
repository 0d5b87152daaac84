//! Elementwise operations on whole tensors and on blocks of them.
//!
//! # What is computed
//! - Integers wrap around. A quotient by zero has all bits set and the remainder is the dividend; the least signed
//!   integer divided by −1 is itself with remainder 0. A shift by the width or more leaves zeros, or copies of the sign
//!   bit. All of this is XLA's behaviour; the specification leaves it open.
//! - On floating-point numbers +, −, ×, ÷ and √ are correctly rounded. Other functions are computed in binary64 with
//!   a relative error below 2^−37 (2^−51 for all but the functions of [`binade_kernels::elementary`]) and rounded to
//!   the type once, but for cosh and sinh of binary32 and of its complex numbers, which are chlo's step by step (of complex ones
//!   with a real part of at least 1, as the steps cancel near 0). `maximum` and `minimum` are IEEE 754's: NaN if either operand is, −0 below +0.
//! - Complex sums, differences and products are rounded component by component at every step, as upstream's
//!   interpreter does; other complex functions are computed in binary64 and rounded once. Quantized numbers are dequantized, computed on in the expressed type
//!   and quantized again.

use binade_stablehlo::ir::{Binary, Direction, Order, Unary};
use binade_stablehlo::{Data, ElementType, Tensor, View};

use super::instruction::Instruction;
use super::kernel::Kernel;
use super::quantized;
use crate::error::EvalError;
use crate::movement::shape;

/// An elementwise operation on one tensor.
///
/// # Errors
/// If the operation is not defined on the operand's type, or cannot have that result type.
pub fn unary(op: Unary, x: &Tensor, result: &ElementType) -> Result<Data, EvalError> {
    if let ElementType::Quantized(_) = x.element {
        return quantized::unary(op, x, result);
    }
    whole(Instruction::Unary(op), &[x], &x.shape, result)
}

/// An elementwise operation on two tensors of one shape.
///
/// # Errors
/// As [`unary`].
pub fn binary(op: Binary, x: &Tensor, y: &Tensor, result: &ElementType) -> Result<Data, EvalError> {
    if let ElementType::Quantized(_) = x.element {
        return quantized::binary(op, x, y, result);
    }
    whole(Instruction::Binary(op), &[x, y], &x.shape, result)
}

/// A comparison; the result is of `i1`.
///
/// # Errors
/// As [`unary`].
pub fn compare(direction: Direction, order: Order, x: &Tensor, y: &Tensor) -> Result<Data, EvalError> {
    if let ElementType::Quantized(_) = x.element {
        return quantized::compare(direction, order, x, y);
    }
    whole(Instruction::Compare { direction, order }, &[x, y], &x.shape, &ElementType::Bool)
}

/// Elements of `yes` where the predicate holds and of `no` elsewhere; a predicate of one element chooses for all.
///
/// # Errors
/// If the predicate is not of `i1`.
pub fn select(predicate: &Tensor, yes: &Tensor, no: &Tensor) -> Result<Data, EvalError> {
    whole(Instruction::Select, &[predicate, yes, no], &yes.shape, &yes.element)
}

/// min(max(x, least), greatest); bounds of one element hold for all.
///
/// # Errors
/// As [`unary`].
pub fn clamp(least: &Tensor, x: &Tensor, greatest: &Tensor) -> Result<Data, EvalError> {
    if let ElementType::Quantized(_) = x.element {
        let spread = |bound: &Tensor| match bound.shape == x.shape {
            true => bound.clone(),
            false => shape::broadcast_in_dim(bound, &[], &x.shape),
        };
        let raised = quantized::binary(Binary::Maximum, &spread(least), x, &x.element)?;
        let raised = Tensor::new(x.element.clone(), x.shape.clone(), raised);
        return quantized::binary(Binary::Minimum, &raised, &spread(greatest), &x.element);
    }
    whole(Instruction::Clamp, &[least, x, greatest], &x.shape, &x.element)
}

/// An operation on tensors of `shape`, or of no dimensions for one element that stands for all.
fn whole(
    instruction: Instruction,
    operands: &[&Tensor],
    shape: &[usize],
    result: &ElementType,
) -> Result<Data, EvalError> {
    let of = |tensor: &&Tensor| (tensor.element.clone(), tensor.shape.is_empty() && !shape.is_empty());
    let types: Vec<(ElementType, bool)> = operands.iter().map(of).collect();
    let views: Vec<View> = operands.iter().map(|tensor| tensor.data.view()).collect();
    let results = Kernel::single(instruction, &types, result).evaluate(&views, shape.iter().product())?;
    Ok(results.into_iter().next().expect("an operation has a result"))
}
