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
//! Kernels are written once over the vectors of [`binade_simd`] and run on the leg that an [`Isa`](binade_simd::Isa) proves
//! present.

pub mod arithmetic;
pub mod codes;
mod decoder;
pub mod elementary;
mod encoder;
mod error;
#[doc(hidden)]
pub mod floors;
mod generic;
pub mod pack;
mod philox;
mod plan;
mod rounder;
mod slices;
mod values;

pub use decoder::Decoder;
pub use encoder::Encoder;
pub use error::KernelError;
pub use rounder::Rounder;
pub use slices::{Codes, CodesMut};
