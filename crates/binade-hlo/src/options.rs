//! How a program is to be evaluated.

use std::fmt;
use std::sync::Arc;

use binade_stablehlo::{Tensor, TensorType, memory_limits};

use crate::arithmetic::rules::Rules;
use crate::machine::thread_pool::Pool;

/// What the specification leaves open, or compilers do otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Semantics {
    /// Dot products, convolutions and `reduce` of floating-point types below binary32 accumulate in binary32 and are
    /// rounded once. Reductions are done in an order that depends on the shape alone. `reduce_window`, of which
    /// cumulative sums are made, rounds at every step.
    #[default]
    Wide,
    /// As [`Semantics::Wide`]; and a window of `scatter` that reaches over an edge is left out whole, as XLA does, which JAX's
    /// derivatives rely on. By the specification its elements within the edges are scattered.
    Xla,
    /// Every product and every partial sum is rounded to the result type, in index order: what upstream's interpreter
    /// computes.
    Reference,
}

impl Semantics {
    /// All, by name.
    pub const ALL: [(&str, Semantics); 3] =
        [("wide", Semantics::Wide), ("xla", Semantics::Xla), ("reference", Semantics::Reference)];

    /// The name.
    pub fn name(self) -> &'static str {
        let named = Semantics::ALL.iter().find(|(_, semantics)| *semantics == self);
        named.expect("all have names").0
    }

    /// What has this name.
    pub fn named(name: &str) -> Option<Semantics> {
        Semantics::ALL.iter().find(|(known, _)| *known == name).map(|(_, semantics)| *semantics)
    }
}

/// A number of bytes as people write it, with a unit of powers of 1024: `1000000`, `64M`, `16g`.
pub fn parse_bytes(text: &str) -> Option<usize> {
    let units = [('K', 10), ('M', 20), ('G', 30), ('T', 40)];
    let unit = units.iter().find(|(letter, _)| text.ends_with([*letter, letter.to_ascii_lowercase()]));
    let (digits, shift) = match unit {
        Some((_, shift)) => (&text[..text.len() - 1], *shift),
        None => (text, 0),
    };
    digits.parse::<usize>().ok()?.checked_mul(1 << shift)
}

/// How a program is to be evaluated.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the specification leaves open, or compilers do otherwise.
    pub semantics: Semantics,
    /// Which operations are done as other hardware would do them.
    pub rules: Rules,
    /// Threads; none: as many as the machine has. Results do not depend on it. All programs of the process with this number
    /// share them.
    pub threads: Option<usize>,
    /// Threads that only the programs with this pool share, in place of as many as `threads` says.
    pub pool: Option<Pool>,
    /// Bytes that constants, inputs, values, and what operations work in may take together at any time;
    /// [`Options::default`]: three quarters of the memory that the machine, control groups and resource limits leave. What the text, its plan and tensors of less than a
    /// kibibyte take comes on top: in proportion to the text.
    pub memory_limit: usize,
    /// Steps that may be done; none: as many as it takes. An operation, or a chain of them, is one, and one more for every
    /// 4096 elements that it deals with or multiply-adds that it does.
    pub step_limit: Option<u64>,
    /// What `rng` draws from.
    pub seed: u64,
    /// What `interpreter.print` does with its operand.
    pub print: fn(&Tensor),
    /// What the custom call @binade_python_callback calls; none: it is not known.
    pub host: Option<Host>,
}

/// What programs may call of the process that they run in: functions that have names.
#[derive(Clone)]
pub struct Host(Arc<HostFunction>);

/// A function's name, its arguments, and the types of its results; the results, or what went wrong.
type HostFunction = dyn Fn(&str, &[Tensor], &[&TensorType]) -> Result<Vec<Tensor>, String> + Send + Sync;

impl Host {
    /// Functions by a function of their names. Processes of a program call it side by side.
    pub fn new(
        call: impl Fn(&str, &[Tensor], &[&TensorType]) -> Result<Vec<Tensor>, String> + Send + Sync + 'static,
    ) -> Host {
        Host(Arc::new(call))
    }

    pub(crate) fn call(
        &self,
        name: &str,
        arguments: &[Tensor],
        results: &[&TensorType],
    ) -> Result<Vec<Tensor>, String> {
        (self.0)(name, arguments, results)
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Host")
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            semantics: Semantics::Wide,
            rules: Rules::default(),
            threads: None,
            pool: None,
            memory_limit: memory_limits::memory().map_or(usize::MAX, |bytes| bytes / 4 * 3),
            step_limit: None,
            seed: 0,
            print: |_| {},
            host: None,
        }
    }
}
