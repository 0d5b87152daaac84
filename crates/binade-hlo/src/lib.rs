#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

pub mod against;
mod arithmetic;
mod buffer_pool;
pub mod check;
pub mod cycle;
mod devices;
pub mod dump;
pub mod eval;
pub mod files;
mod linear;
mod machine;
mod movement;
pub mod npy;
mod plan;
pub mod profile;
mod reduction;
pub mod retention;
pub mod swamping;
pub mod widen;

pub use binade_stablehlo::{
    Data, ElementType, FloatType, Problem, Program, ProgramError, Quantized, Supported, Tensor, TensorType,
    Type, Value, ir, supported, text,
};
pub use eval::Evaluate;

/// Which part of a value each of several devices has.
pub mod sharding {
    pub use crate::devices::parts::{join, part};
    pub use binade_stablehlo::sharding::Sharding;
}
