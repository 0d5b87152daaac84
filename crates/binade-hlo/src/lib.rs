#![forbid(unsafe_code)]
//! StableHLO programs, read, checked and evaluated on every element type.
//!
//! Text becomes a syntax tree (`parse`), the tree a checked program (`verify`, [`ir`]), and the program is evaluated on
//! [`Tensor`]s.

mod error;
pub mod eval;
pub mod ir;
mod lex;
mod names;
mod ops;
mod parse;
mod program;
mod storage;
mod syntax;
mod tensor;
mod types;
mod verify;

pub use error::{Problem, ProgramError};
pub use ir::Program;
pub use ops::{Supported, supported};
pub use tensor::{Data, Tensor, Value};
pub use types::{ElementType, FloatType, Quantized, TensorType, Type};
