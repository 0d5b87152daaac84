//! Evaluation: what callers need of the crate's folders, under one name.

pub use crate::arithmetic::{convert, elementwise, quantized, rules};
pub use crate::devices::hosts::{Carrier, RunHosts, SharedValues};
pub use crate::error::EvalError;
pub use crate::evaluate::Evaluate;
pub use crate::machine::expect;
pub use crate::machine::run::{Executable, reuse};
pub use crate::machine::thread_pool::Pool;
pub use crate::observe::{Event, Observer, Place};
pub use crate::options::{Host, Options, Semantics, parse_bytes};
pub use crate::plan::work::{Work, iterations};

/// Sums of products of tensors.
pub mod linear {
    pub use crate::linear::{Arithmetic, convolution, dot_general};
}
