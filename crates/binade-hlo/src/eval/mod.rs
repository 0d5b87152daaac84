//! Evaluation: the arithmetic of every operation on every element type, and the walk through a program.

mod alone;
mod among;
mod blocks;
mod body;
mod coded;
mod collective;
mod columns;
mod complex;
pub mod contract;
mod contraction;
pub mod convert;
mod cumulative;
mod custom;
#[cfg(test)]
mod direct_tests;
mod dynamic;
pub mod elementwise;
mod elementwise_blocks;
mod emulated;
mod erfc;
mod error;
mod evaluate;
#[cfg(test)]
mod every_type;
pub mod expect;
mod extremes;
mod factors;
mod folding;
mod form;
mod gather;
mod instruction;
mod instruction_set;
mod integer;
mod iota;
mod kernel;
mod lapack;
mod layout;
mod linear;
mod machine;
mod manual;
mod memory;
mod messages;
#[cfg(test)]
mod moves_tests;
mod need;
mod norm;
mod observe;
#[cfg(test)]
mod observe_tests;
#[cfg(test)]
mod open_tests;
mod operation;
mod options;
pub(crate) mod parts;
mod plain;
mod plan;
mod pool;
mod process;
pub mod quantized;
mod random;
mod real;
mod reduce;
mod rewrite;
mod rounded;
mod rows;
pub mod rules;
mod run;
mod shape;
mod shared_sums;
mod sort;
mod sum;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod tight;
mod values;
mod window;
mod work;
#[cfg(test)]
mod work_tests;

pub use among::{Among, Carrier, Lot};
pub use error::EvalError;
pub use evaluate::Evaluate;
pub use observe::{Event, Observer, Place};
pub use options::{Host, Options, Semantics, parse_bytes};
pub use pool::Pool;
pub use run::{Executable, reuse};
pub use work::Work;
