//! Dot products, matrix products and convolutions under an [`Operator`](binade::Operator), in a stated order of
//! accumulation, at the speed of the machine.
//!
//! Every kernel has a plain definition in [`reference`](mod@reference) and equals it bit for bit, on every instruction set, for any
//! number of threads, and whatever the caller's floating-point environment is.
//!
//! ```
//! use binade_fma::{Matrix, MatrixMut, Multiplier, Order};
//!
//! let multiplier = Multiplier::new("bf16:bf16".parse()?, Order::Sequential)?;
//! // Sums in BF16 stall: 256 + 1 is 256.
//! let ones = [1.0; 300];
//! let mut sum = [0.0];
//! multiplier.multiply(Matrix::new(&ones, 1, 300)?, Matrix::new(&ones, 300, 1)?, MatrixMut::new(&mut sum, 1, 1)?)?;
//! assert_eq!(sum, [256.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`MultiplyAdd`] is the operator itself, sixteen lanes at a time.

// Legs of one architecture use what the portable one does not.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "what only vector legs use"))]

mod conv;
mod exact;
mod gemm;
mod matrix;
mod multiply;
mod order;
pub mod reference;

pub use conv::Convolution;
pub use gemm::elementwise::{LANES, Lanes, MultiplyAdd};
pub use matrix::{Matrix, MatrixMut, ShapeError};
pub use multiply::{Multiplier, MultiplierError};
pub use order::{Order, OrderError};
