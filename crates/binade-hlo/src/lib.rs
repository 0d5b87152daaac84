#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod arithmetic;
mod buffer_pool;
mod devices;
mod error;
pub mod eval;
mod evaluate;
mod linear;
mod machine;
mod movement;
mod observe;
mod options;
mod plan;
mod reduction;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use binade_stablehlo::{
    Data, ElementType, FloatType, Problem, Program, ProgramError, Quantized, Supported, Tensor, TensorType,
    Type, Value, ir, supported, text,
};
pub use evaluate::Evaluate;
pub use observe::{
    check, comparison, cycle, difference, dump, files, npy, profile, retention, swamping, widen,
};

/// The part of a value that each of several devices has.
pub mod sharding {
    pub use binade_stablehlo::sharding::Sharding;

    pub use crate::devices::parts::{join, part};
}
