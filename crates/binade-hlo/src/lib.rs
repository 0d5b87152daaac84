#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

pub mod against;
mod arithmetic;
pub mod check;
pub mod cycle;
pub mod dump;
pub mod eval;
pub mod files;
mod linear;
mod movement;
pub mod npy;
pub mod profile;
mod reduction;
pub mod retention;
mod spare;
pub mod swamping;
pub mod widen;

pub use binade_stablehlo::{
    Data, ElementType, FloatType, Problem, Program, ProgramError, Quantized, Supported, Tensor, TensorType,
    Type, Value, ir, supported, text,
};
pub use eval::Evaluate;

/// Which part of a value each of several devices has.
pub mod sharding {
    pub use crate::eval::parts::{join, part};
    pub use binade_stablehlo::sharding::Sharding;
}
