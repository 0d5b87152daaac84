//! The meanings of [`binade`] at the speed of the machine.
//!
//! Every kernel here has a plain definition in `binade` and equals it bit for bit, on every instruction set, for any
//! chunking and thread count, and whatever the caller's floating-point environment (FTZ, DAZ, rounding control) is.
//!
//! ```
//! use binade::{Rounding, Saturation, Spec};
//! use binade_kernels::{Decoder, Encoder};
//!
//! let format = "float8_e4m3fn".parse::<Spec>()?.format;
//! let mut codes = [0u8; 4];
//! Encoder::new(format, Rounding::NearestEven, Saturation::Overflow)?.encode_f32(&[1.0, -0.3, 464.0, 1e9], &mut codes)?;
//! assert_eq!(codes, [0x38, 0xaa, 0x7e, 0x7f]);
//!
//! let mut values = [0.0; 4];
//! Decoder::new(format)?.decode_f32(&codes, &mut values)?;
//! assert_eq!(values[..3], [1.0, -0.3125, 448.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Kernels are written once over a small vector trait (`lanes`) and run on a leg of `arch` that [`Isa`] proves present.

mod arch;
pub mod arithmetic;
pub mod codes;
pub mod conv;
mod decoder;
mod dispatch;
pub mod elementary;
mod encoder;
mod environment;
mod error;
mod exact;
#[doc(hidden)]
pub mod floors;
mod gemm;
mod generic;
mod lanes;
mod matrix;
mod multiply;
mod order;
pub mod pack;
mod philox;
mod plan;
pub mod reference;
mod rounder;
mod slices;
mod threads;
mod values;

pub use conv::Convolution;
pub use decoder::Decoder;
pub use dispatch::{Isa, IsaError};
pub use encoder::Encoder;
pub use environment::Environment;
pub use error::KernelError;
pub use gemm::elementwise::{LANES, Lanes, MultiplyAdd};
pub use gemm::narrow::{Carrier, Gap, Narrow};
pub use matrix::{Matrix, MatrixMut, ShapeError};
pub use multiply::{Multiplier, MultiplierError};
pub use order::{Order, OrderError};
pub use rounder::Rounder;
pub use slices::{Codes, CodesMut};
