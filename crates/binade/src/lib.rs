//! Number formats as values, and exact arithmetic over all of them.
//!
//! A [`Format`] is plain data: width, precision, exponent bias and which special values exist. A code of a format
//! and an exact [`Value`] are related by [`decode`] and [`project`]; `project` is the only place in binade that
//! rounds. Every operation of [`ops`] is "decode, compute exactly, project", so each is correctly rounded in every
//! mode, whatever formats its operands and its result have.
//!
//! ```
//! use binade::{ops, Datum, Projection, Spec};
//!
//! let e4m3: Spec = "float8_e4m3fnuz".parse()?;
//! let x = Datum::new(e4m3.format, 0x3c)?; // 0.75
//! let sum = ops::add(x, x, e4m3.format, Projection::default());
//! assert_eq!(sum.code, 0x44); // 1.5
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

pub mod block;
pub mod carrier;
pub mod catalog;
mod codec;
mod elementary;
mod exact;
mod flags;
mod format;
pub mod operator;
pub mod ops;
pub mod philox;
mod round;
mod spec;
pub mod table;
pub mod text;
pub mod typed;

pub use catalog::Edition;
pub use codec::{Class, Datum, DatumError, classify, decode, is_canonical};
pub use exact::{Finite, Value};
pub use flags::Flags;
pub use format::{Fields, Format, FormatError, NanCodes, Subnormals};
pub use operator::{Compound, Operator, OperatorError};
pub use ops::{Answer, Kind, Operation, OperationError};
pub use round::{Projection, Rounded, Rounding, Saturation, Stochastic, project, project_in};
pub use spec::{Spec, SpecError};

/// The README's Rust, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;
