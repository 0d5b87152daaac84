//! Options of an evaluation: semantics, rules, threads and limits, as the command line and Python set them.

use std::fmt;
use std::sync::Arc;

use binade_stablehlo::{Tensor, TensorType, memory_limits};

use crate::arithmetic::rules::Rules;
use crate::machine::thread_pool::Pool;

/// Choices that the specification leaves open, or that compilers make differently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Semantics {
    /// Dot products, convolutions and `reduce` of floating-point types below binary32 accumulate in binary32 and are
    /// rounded once. The order of a reduction depends on its shape alone. `reduce_window`, of which cumulative sums are
    /// made, rounds at every step.
    #[default]
    Wide,
    /// As [`Semantics::Wide`], except that `scatter` skips a whole window that crosses an edge. XLA does so, and JAX's
    /// derivatives rely on it. The specification scatters the elements that are within bounds.
    Xla,
    /// Every product and every partial sum is rounded to the result type, in index order, as StableHLO's reference
    /// interpreter does.
    Reference,
}

impl Semantics {
    /// All semantics, by name.
    pub const ALL: [(&str, Semantics); 3] =
        [("wide", Semantics::Wide), ("xla", Semantics::Xla), ("reference", Semantics::Reference)];

    /// Returns the name of these semantics.
    pub fn name(self) -> &'static str {
        let named = Semantics::ALL.iter().find(|(_, semantics)| *semantics == self);
        named.expect("all have names").0
    }

    /// Returns the semantics of this name.
    pub fn named(name: &str) -> Option<Semantics> {
        Semantics::ALL.iter().find(|(known, _)| *known == name).map(|(_, semantics)| *semantics)
    }
}

/// Parses a number of bytes with an optional unit, a power of 1024: `1000000`, `64M`, `16g`.
pub fn parse_bytes(text: &str) -> Option<usize> {
    let units = [('K', 10), ('M', 20), ('G', 30), ('T', 40)];
    let unit = units.iter().find(|(letter, _)| text.ends_with([*letter, letter.to_ascii_lowercase()]));
    let (digits, shift) = match unit {
        Some((_, shift)) => (&text[..text.len() - 1], *shift),
        None => (text, 0),
    };
    digits.parse::<usize>().ok()?.checked_mul(1 << shift)
}

/// Options of an evaluation.
#[derive(Clone, Debug)]
pub struct Options {
    /// Choices that the specification leaves open, or that compilers make differently.
    pub semantics: Semantics,
    /// Rules that select other arithmetic for some operations.
    pub rules: Rules,
    /// The number of threads; `None` means one per core of the machine. Results do not depend on it. All programs of
    /// the process with the same number share the threads.
    pub threads: Option<usize>,
    /// A pool of threads for the programs that have it, which replaces `threads`.
    pub pool: Option<Pool>,
    /// The most bytes that constants, inputs, values and working memory may take together at any time. The default is
    /// three quarters of the memory that the machine, control groups and resource limits leave. The limit does not
    /// count the text, its plan, or tensors of less than a kibibyte. Those are proportional to the text.
    pub memory_limit: usize,
    /// The most steps that may be done; `None` means no limit. An operation or a chain of them counts as one step.
    /// Every 4096 elements or multiply-adds of it count as one more.
    pub step_limit: Option<u64>,
    /// The seed of `rng`, and of the random words of stochastic rules.
    pub seed: u64,
    /// The function to which `interpreter.print` passes its operand.
    pub print: fn(&Tensor),
    /// The functions that the custom call `@binade_python_callback` calls; `None` makes that call unknown.
    pub host: Option<Host>,
}

/// Named functions of the host process that programs may call.
#[derive(Clone)]
pub struct Host(Arc<HostFunction>);

/// Takes a function's name, its arguments and the types of its results. Returns the results, or an error message.
type HostFunction = dyn Fn(&str, &[Tensor], &[&TensorType]) -> Result<Vec<Tensor>, String> + Send + Sync;

impl Host {
    /// Makes a host of one function, which gets the name of the called one. Processes of a program call it
    /// concurrently.
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
