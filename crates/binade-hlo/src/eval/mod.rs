//! Evaluation under one name: options, rules, the executable and what it tells.

pub(crate) mod alone;
pub(crate) mod among;
pub(crate) mod collective;
pub(crate) mod custom;
#[cfg(test)]
pub(crate) mod direct_tests;
pub(crate) mod dynamic;
pub(crate) mod error;
pub(crate) mod evaluate;
pub mod expect;
pub(crate) mod machine;
pub(crate) mod manual;
pub(crate) mod memory;
pub(crate) mod messages;
#[cfg(test)]
pub(crate) mod moves_tests;
pub(crate) mod need;
pub(crate) mod observe;
#[cfg(test)]
pub(crate) mod observe_tests;
#[cfg(test)]
pub(crate) mod open_tests;
pub(crate) mod operation;
pub(crate) mod options;
pub(crate) mod parts;
pub(crate) mod plan;
pub(crate) mod pool;
pub(crate) mod process;
pub(crate) mod rewrite;
pub(crate) mod run;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod tight;
pub(crate) mod values;
pub(crate) mod work;
#[cfg(test)]
pub(crate) mod work_tests;

pub use crate::arithmetic::{convert, elementwise, quantized, rules};
pub use crate::eval::among::{Among, Carrier, Lot};
pub use crate::eval::error::EvalError;
pub use crate::eval::evaluate::Evaluate;
pub use crate::eval::observe::{Event, Observer, Place};
pub use crate::eval::options::{Host, Options, Semantics, parse_bytes};
pub use crate::eval::pool::Pool;
pub use crate::eval::run::{Executable, reuse};
pub use crate::eval::work::Work;

/// Sums of products of tensors.
pub mod linear {
    pub use crate::linear::{Arithmetic, convolution, dot_general};
}
