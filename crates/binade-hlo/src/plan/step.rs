//! Steps of a plan, which the planner makes and the machine runs.

use std::sync::Arc;

use binade_stablehlo::ElementType;
use binade_stablehlo::ir::{Operation, ValueId};

use super::gather_scatter::GatheredRows;
use crate::arithmetic::body::{Compiled, Outside};
use crate::arithmetic::kernel::Kernel;
use crate::arithmetic::rules::Drawn;
use crate::machine::small_loops::Loop;
use crate::reduction::arg_extreme::ArgExtreme;

/// A region with its steps.
pub(crate) struct Block {
    pub(crate) parameters: Vec<ValueId>,
    pub(crate) results: Vec<ValueId>,
    /// True for each parameter that a step or a result reads.
    pub(crate) reads: Vec<bool>,
    /// True for each result that may be moved rather than shared: it is this block's value, and not returned again.
    pub(crate) takes: Vec<bool>,
    pub(crate) steps: Vec<Step>,
}

/// An action, and the values that are freed after it.
pub(crate) struct Step {
    pub(crate) action: Action,
    /// Values of this block that no later step reads. They include unread results of this step.
    pub(crate) last: Vec<ValueId>,
}

pub(crate) enum Action {
    /// A single operation.
    Single {
        operation: Arc<Operation>,
        /// The effect of a stochastic rule.
        drawn: Option<Box<Drawn>>,
        /// A loop on few elements, compiled and not interpreted.
        small_loop: Option<Box<Loop>>,
        /// Regions to interpret.
        blocks: Vec<Block>,
        /// Regions to apply to many elements.
        bodies: Vec<Applied>,
        /// The values that the operation and its regions read.
        reads: Vec<ValueId>,
        /// True for each operand that may be moved rather than shared.
        takes: Vec<bool>,
        /// Indices of the results that need memory of a known size.
        sized_results: Vec<(usize, Vec<usize>)>,
        /// True if operands have unknown sizes.
        open: bool,
    },
    /// A chain of elementwise operations.
    Chain(Chain),
    /// A chain with a result that is reduced as it is made.
    ReducedChain(Box<ReducedChain>),
    /// Rows that are gathered and added in one step.
    GatherScatterAdd(Box<GatherScatterAdd>),
    /// A search of rows for an extreme, and the reduction that it replaces.
    ArgExtreme { operation: Arc<Operation>, extreme: ArgExtreme, body: Box<Compiled> },
}

/// A `scatter`, with the operations that make its updates.
pub(crate) struct GatherScatterAdd {
    pub(crate) operation: Arc<Operation>,
    pub(crate) rows: GatheredRows,
    /// True if the tensor that rows are added to may be moved rather than shared.
    pub(crate) takes: bool,
}

/// A chain, and the reduction of one of its kernel's results.
pub(crate) struct ReducedChain {
    /// The chain. It has no output for the reduced result if no other step reads it.
    pub(crate) chain: Chain,
    /// The index of the reduced result among the kernel's, and true if it is also an output.
    pub(crate) reduced: usize,
    pub(crate) written: bool,
    pub(crate) shape: Vec<usize>,
    pub(crate) dimensions: Vec<usize>,
    pub(crate) initial: Outside,
    pub(crate) body: Compiled,
    pub(crate) output: Output,
}

/// Elementwise operations that run together.
pub(crate) struct Chain {
    /// The first operation; errors are reported at its place.
    pub(crate) operation: Arc<Operation>,
    pub(crate) kernel: Kernel,
    pub(crate) inputs: Vec<Outside>,
    pub(crate) outputs: Vec<Output>,
    /// Inputs that no later step needs, and the outputs that reuse their memory: (input, output).
    pub(crate) takes: Vec<(usize, usize)>,
    /// The number of elements of each result. `None` if it is unknown before the run. It is then that of the inputs that
    /// are not scalars, which are the operands of the only operation.
    pub(crate) length: Option<usize>,
}

impl Chain {
    /// Pairs inputs that are not needed afterwards with the outputs that reuse their memory.
    pub(super) fn taking(&self, last: &[ValueId]) -> Vec<(usize, usize)> {
        if self.length.is_none() {
            return vec![];
        }
        let readers = |value| self.inputs.iter().filter(|input| input.value() == Some(value)).count();
        let is_free = |&at: &usize| {
            self.inputs[at].value().is_some_and(|value| last.contains(&value) && readers(value) == 1)
        };
        let mut free: Vec<usize> = (0..self.inputs.len()).filter(is_free).collect();
        let take = |output| {
            let at = free.iter().position(|&input| self.kernel.can_take(input, output))?;
            Some((free.remove(at), output))
        };
        (0..self.outputs.len()).filter_map(take).collect()
    }
}

/// A result of a chain.
pub(crate) struct Output {
    pub(crate) value: ValueId,
    pub(crate) element: ElementType,
    /// The shape; `None` if it is unknown before the run.
    pub(crate) shape: Option<Vec<usize>>,
}

/// A region to apply to elements.
#[allow(clippy::large_enum_variant, reason = "there is one for an operation of a plan")]
pub(crate) enum Applied {
    Compiled(Compiled),
    /// Interpreted for each element, in index order if an operator computes in it.
    Walked {
        block: Block,
        in_order: bool,
    },
}

impl Action {
    /// The values that the step reads.
    pub(super) fn reads(&self) -> Vec<ValueId> {
        let chain = |chain: &Chain| chain.inputs.iter().filter_map(Outside::value).collect();
        match self {
            Action::Single { reads, .. } => reads.clone(),
            Action::Chain(all) => chain(all),
            Action::ReducedChain(reduced) => {
                let mut reads: Vec<ValueId> = chain(&reduced.chain);
                reads.extend(reduced.initial.value());
                reads.extend(reduced.body.captured.iter().filter_map(Outside::value));
                reads
            }
            Action::GatherScatterAdd(added) => added.reads(),
            Action::ArgExtreme { extreme, .. } => searched(extreme),
        }
    }

    /// The values that the step makes.
    pub(super) fn makes(&self) -> Vec<ValueId> {
        let chain = |chain: &Chain| chain.outputs.iter().map(|output| output.value).collect();
        match self {
            Action::Single { operation, .. } => operation.results.clone(),
            Action::Chain(all) => chain(all),
            Action::ReducedChain(reduced) => {
                let mut makes: Vec<ValueId> = chain(&reduced.chain);
                makes.push(reduced.output.value);
                makes
            }
            Action::GatherScatterAdd(added) => added.operation.results.clone(),
            Action::ArgExtreme { operation, .. } => operation.results.clone(),
        }
    }
}

impl GatherScatterAdd {
    pub(super) fn reads(&self) -> Vec<ValueId> {
        reads_of_rows(&self.operation, &self.rows)
    }
}

/// The values that a search of rows reads.
pub(super) fn searched(extreme: &ArgExtreme) -> Vec<ValueId> {
    [&[extreme.x], &extreme.initial[..]].concat()
}

/// The values that a `scatter` reads if it makes its updates.
pub(super) fn reads_of_rows(operation: &Operation, rows: &GatheredRows) -> Vec<ValueId> {
    let weights = rows.weight.as_ref().and_then(|weight| weight.base.value());
    let mut read = vec![operation.operands[0], operation.operands[1], rows.x, rows.from];
    read.extend(weights);
    read
}
