#![forbid(unsafe_code)]
//! StableHLO programs, read, checked and evaluated on every element type.
//!
//! Text becomes a syntax tree (`parse`), the tree a checked program (`verify`, [`ir`]), and the program is evaluated on
//! [`Tensor`]s.

pub mod eval;
pub mod ir;
mod names;
mod storage;
mod tensor;
mod types;

pub use tensor::{Data, Tensor, Value};
pub use types::{ElementType, FloatType, Quantized, TensorType, Type};
