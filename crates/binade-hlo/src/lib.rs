#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

pub mod against;
mod bytecode;
pub mod check;
pub mod cycle;
pub mod dump;
mod entry;
mod error;
pub mod eval;
pub mod files;
mod generators;
pub mod ir;
mod lex;
mod names;
pub mod npy;
mod ops;
mod parse;
pub mod profile;
mod program;
pub mod retention;
pub mod sharding;
mod spare;
mod storage;
pub mod swamping;
mod syntax;
mod tensor;
mod traits;
mod types;
mod verify;
pub mod widen;

pub use bytecode::text;
pub use error::{Problem, ProgramError};
pub use ir::Program;
pub use ops::{Supported, supported};
pub use tensor::{Data, Tensor, Value};
pub use types::{ElementType, FloatType, Quantized, TensorType, Type};
