//! Arithmetic on elements of every type: kernels of elementwise operations, conversions, bodies of reductions, and the
//! rules that replace a type's arithmetic.

pub(crate) mod batch_norm;
pub(crate) mod blocks;
pub(crate) mod body;
pub(crate) mod coded;
pub(crate) mod complex;
pub(crate) mod contraction;
pub mod convert;
pub mod elementwise;
pub(crate) mod elementwise_blocks;
pub(crate) mod emulated;
pub(crate) mod erfc;
#[cfg(test)]
mod every_type;
pub(crate) mod form;
pub(crate) mod instruction;
pub(crate) mod instruction_set;
pub(crate) mod integer;
pub(crate) mod iota;
pub(crate) mod kernel;
pub(crate) mod operand_biases;
pub(crate) mod passes;
pub(crate) mod plain;
pub mod quantized;
pub(crate) mod random;
pub(crate) mod real;
pub(crate) mod rounded;
pub mod rules;
