#![forbid(unsafe_code)]
//! StableHLO programs, read, checked and evaluated on every element type.
//!
//! Bytecode becomes text ([`text`]), text a syntax tree (`parse`), the tree a checked program (`verify`, [`ir`]), and the
//! program is evaluated on [`Tensor`]s ([`eval`]).
//!
//! ```
//! use binade_hlo::eval::{Options, Semantics};
//! use binade_hlo::{Data, Program, Value};
//!
//! // numpy's arange(16) @ arange(16) in a narrow type.
//! let program = Program::parse(
//!     "func.func @main() -> tensor<f8E5M2FNUZ> {
//!       %x = stablehlo.iota dim = 0 : tensor<16xf8E5M2FNUZ>
//!       %0 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0]
//!          : (tensor<16xf8E5M2FNUZ>, tensor<16xf8E5M2FNUZ>) -> tensor<f8E5M2FNUZ>
//!       return %0 : tensor<f8E5M2FNUZ>
//!     }",
//! )?;
//! for semantics in [Semantics::Wide, Semantics::Reference] {
//!     let results = program.evaluate("main", vec![], Options { semantics, ..Options::default() })?;
//!     let [Value::Tensor(result)] = &results[..] else { panic!("one tensor") };
//!     // 0x69 is 1280.
//!     assert!(matches!(&*result.data, Data::U8(codes) if codes == &[0x69]));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bytecode;
pub mod check;
pub mod cycle;
pub mod dump;
mod error;
pub mod eval;
pub mod files;
pub mod ir;
mod lex;
mod names;
pub mod npy;
mod ops;
mod parse;
mod program;
mod spare;
mod storage;
mod syntax;
mod tensor;
mod types;
mod verify;

pub use bytecode::text;
pub use error::{Problem, ProgramError};
pub use ir::Program;
pub use ops::{Supported, supported};
pub use tensor::{Data, Tensor, Value};
pub use types::{ElementType, FloatType, Quantized, TensorType, Type};
