//! The machine: runs the steps of a plan on values, for the executable, within limits of memory and steps.

pub(crate) mod custom;
mod drawn;
pub mod expect;
pub(crate) mod interpreter;
pub(crate) mod memory;
pub(crate) mod open_sizes;
pub(crate) mod operation;
pub(crate) mod run;
pub(crate) mod small_loops;
pub(crate) mod thread_pool;
pub(crate) mod values;
