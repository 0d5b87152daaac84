//! Evaluates elementwise operations on whole tensors; `elementwise_blocks` computes their blocks.
//!
//! # Semantics
//! - Integers wrap around. A quotient by zero has all bits set, and its remainder is the dividend. The least signed
//!   integer divided by −1 is itself with remainder 0. A shift by the width or more leaves zeros, or copies of the sign
//!   bit. The specification leaves these cases open; the results are XLA's.
//! - On floating-point numbers +, −, ×, ÷ and √ are correctly rounded. Other functions are computed in binary64 and
//!   rounded to the type once. Their relative error in binary64 is below 2^−51, or 2^−37 for the functions of
//!   [`binade_kernels::elementary`].
//! - The cosh and sinh of binary32 are computed by chlo's steps. Those of its complex numbers are as well if the real
//!   part is at least 1, because the steps cancel near 0.
//! - `maximum` and `minimum` are IEEE 754's: NaN if either operand is NaN, and −0 below +0.
//! - Complex sums, differences and products are rounded component by component at every step, as in StableHLO's
//!   reference interpreter. Other complex functions are computed in binary64 and rounded once.
//! - Quantized numbers are dequantized, computed in the expressed type, and quantized again.

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

/// Elements of `yes` where the predicate is true, of `no` elsewhere. A predicate of one element selects for all.
///
/// # Errors
/// If the predicate is not of `i1`.
pub fn select(predicate: &Tensor, yes: &Tensor, no: &Tensor) -> Result<Data, EvalError> {
    whole(Instruction::Select, &[predicate, yes, no], &yes.shape, &yes.element)
}

/// min(max(x, least), greatest). Bounds of one element apply to all.
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

/// Applies an operation to tensors of `shape`; a tensor without dimensions stands for all elements.
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
