//! Evaluation: the arithmetic of every operation on every element type.

mod coded;
mod complex;
pub mod contract;
pub mod convert;
pub mod elementwise;
mod error;
#[cfg(test)]
mod every_type;
pub mod expect;
mod integer;
mod narrow;
pub mod quantized;
mod real;
pub mod rules;
mod view;

pub use error::EvalError;
pub use view::{View, ViewMut};
