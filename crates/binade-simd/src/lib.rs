//! Vectors of the machine, and which of them it has.
//!
//! An [`Isa`] is a token: holding one proves that the machine has its instructions. Work is written once, over the integer
//! lanes of [`lanes`] or the binary32 lanes of [`floats`], and compiled for each leg; [`Isa::run`] hands it the token's. What
//! it computes must not depend on the leg, nor on the caller's floating-point environment, which [`Environment`] sets.
//! [`threads`] cuts slices among threads.

mod arch;
mod dispatch;
mod environment;
pub mod floats;
pub mod lanes;
pub mod threads;

pub use dispatch::{HalvesKernel, Instructions, Isa, IsaError, Kernel, OddKernel, TableKernel};
pub use environment::Environment;
