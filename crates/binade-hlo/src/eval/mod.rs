//! Evaluation under one name: options, rules, the executable and what it tells.

#[cfg(test)]
pub(crate) mod direct_tests;
pub(crate) mod error;
pub(crate) mod evaluate;
#[cfg(test)]
pub(crate) mod moves_tests;
pub(crate) mod observe;
#[cfg(test)]
pub(crate) mod observe_tests;
#[cfg(test)]
pub(crate) mod open_tests;
pub(crate) mod options;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
pub(crate) mod tests;
#[cfg(test)]
pub(crate) mod work_tests;

pub use crate::arithmetic::{convert, elementwise, quantized, rules};
pub use crate::devices::hosts::{Among, Carrier, Lot};
pub use crate::eval::error::EvalError;
pub use crate::eval::evaluate::Evaluate;
pub use crate::eval::observe::{Event, Observer, Place};
pub use crate::eval::options::{Host, Options, Semantics, parse_bytes};
pub use crate::machine::run::{Executable, reuse};
pub use crate::machine::thread_pool::Pool;
pub use crate::plan::work::Work;

/// Sums of products of tensors.
pub mod linear {
    pub use crate::linear::{Arithmetic, convolution, dot_general};
}
pub use crate::machine::expect;
