#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod bytecode;
pub mod codes;
mod entry;
mod error;
pub mod generators;
pub mod ir;
mod lex;
pub mod memory_limits;
mod names;
mod ops;
mod parse;
mod program;
pub mod sharding;
pub mod storage;
mod syntax;
mod tensor;
pub mod traits;
mod types;
mod verify;
mod view;

pub use bytecode::text;
pub use entry::{CALLBACK, is_python};
pub use error::{Problem, ProgramError};
pub use ir::Program;
pub use names::operation_names;
pub use ops::{Supported, supported};
pub use tensor::{Data, Tensor, Value};
pub use types::{ElementType, FloatType, Quantized, TensorType, Type, elements};
pub use view::{View, ViewMut};
