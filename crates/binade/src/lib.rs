#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), no_std)]

extern crate alloc;

pub mod block;
pub mod carrier;
pub mod catalog;
mod codec;
pub mod draws;
mod elementary;
mod exact;
mod flags;
mod format;
mod lazy;
pub mod mode;
pub mod operator;
pub mod ops;
pub mod philox;
pub mod properties;
pub mod recipe;
mod round;
mod spec;
pub mod table;
pub mod text;
pub mod typed;
pub mod unit;

pub use catalog::Edition;
pub use codec::{Class, Datum, DatumError, classify, decode, is_canonical, on_line};
pub use draws::SumDraws;
pub use exact::{Finite, Value};
pub use flags::Flags;
pub use format::{Fields, Format, FormatError, NanCodes, Subnormals};
pub use mode::RoundingError;
pub use operator::{Compound, Operator, OperatorError};
pub use ops::{Answer, AnswerKind, Operation, OperationError};
pub use round::{Place, Projection, Rounded, Rounding, Saturation, Stochastic, project, project_in};
pub use spec::{Spec, SpecError};

/// The tour's Rust, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/tour.md")]
struct Tour;
