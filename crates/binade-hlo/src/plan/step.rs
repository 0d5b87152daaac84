//! The steps of a plan.

use std::sync::Arc;

use binade_stablehlo::ElementType;
use binade_stablehlo::ir::{Operation, ValueId};

use super::gather_scatter::GatheredRows;
use crate::arithmetic::body::{Compiled, Outside};
use crate::arithmetic::kernel::Kernel;
use crate::machine::small_loops::Loop;
use crate::reduction::arg_extreme::ArgExtreme;

/// A region with its steps.
pub(crate) struct Block {
    pub(crate) parameters: Vec<ValueId>,
    pub(crate) results: Vec<ValueId>,
    /// Whether each parameter is read by a step or a result.
    pub(crate) reads: Vec<bool>,
    /// Whether each result may be taken rather than shared: it is this block's, and not returned again.
    pub(crate) takes: Vec<bool>,
    pub(crate) steps: Vec<Step>,
}

/// An action, and the values that are not needed after it.
pub(crate) struct Step {
    pub(crate) action: Action,
    /// Values of this block that are not read afterwards, results of this step among them.
    pub(crate) last: Vec<ValueId>,
}

pub(crate) enum Action {
    /// An operation by itself.
    Single {
        operation: Arc<Operation>,
        /// A loop on few elements, which is not walked.
        small_loop: Option<Box<Loop>>,
        /// Regions that are walked.
        blocks: Vec<Block>,
        /// Regions that are applied to many elements.
        bodies: Vec<Applied>,
        /// What the operation and its regions read.
        reads: Vec<ValueId>,
        /// Whether each operand may be taken rather than shared.
        takes: Vec<bool>,
        /// Results that need room of a size that is known, by number.
        sized_results: Vec<(usize, Vec<usize>)>,
        /// Whether operands have sizes that are not known.
        open: bool,
    },
    /// A chain of elementwise operations.
    Chain(Chain),
    /// A chain of which a result is reduced while it is made.
    ReducedChain(Box<ReducedChain>),
    /// Rows that are taken and added while they are.
    GatherScatterAdd(Box<GatherScatterAdd>),
    /// A search of rows, and the reduction that it is.
    ArgExtreme { operation: Arc<Operation>, extreme: ArgExtreme, body: Box<Compiled> },
}

/// A `scatter`, with what makes its updates.
pub(crate) struct GatherScatterAdd {
    pub(crate) operation: Arc<Operation>,
    pub(crate) rows: GatheredRows,
    /// Whether what is added to may be taken rather than shared.
    pub(crate) takes: bool,
}

/// A chain, and the reduction of a result of its kernel.
pub(crate) struct ReducedChain {
    /// Without an output for that result if nothing else reads it.
    pub(crate) chain: Chain,
    /// Its number among the kernel's results, and whether it is an output.
    pub(crate) reduced: usize,
    pub(crate) written: bool,
    pub(crate) shape: Vec<usize>,
    pub(crate) dimensions: Vec<usize>,
    pub(crate) initial: Outside,
    pub(crate) body: Compiled,
    pub(crate) output: Output,
}

/// Elementwise operations done together.
pub(crate) struct Chain {
    /// The first one; errors are reported there.
    pub(crate) operation: Arc<Operation>,
    pub(crate) kernel: Kernel,
    pub(crate) inputs: Vec<Outside>,
    pub(crate) outputs: Vec<Output>,
    /// Inputs that nobody needs afterwards, and the outputs that take their place: (input, output).
    pub(crate) takes: Vec<(usize, usize)>,
    /// None if a shape is not known before the program runs: it is that of the inputs that are not scalars, which are the
    /// operands of the one operation.
    pub(crate) length: Option<usize>,
}

impl Chain {
    /// Which outputs take the place of which inputs, where these values are not needed afterwards.
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
    /// None if it is not known before the program runs.
    pub(crate) shape: Option<Vec<usize>>,
}

/// A region that is applied to elements.
#[allow(clippy::large_enum_variant, reason = "there is one for an operation of a plan")]
pub(crate) enum Applied {
    Compiled(Compiled),
    /// Walked for each, in index order if an operator computes in it.
    Walked {
        block: Block,
        in_order: bool,
    },
}

impl Action {
    /// The values that it reads.
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

    /// The values that it makes.
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

/// What a search of rows reads.
pub(super) fn searched(extreme: &ArgExtreme) -> Vec<ValueId> {
    [&[extreme.x], &extreme.initial[..]].concat()
}

/// What a `scatter` reads that makes its updates itself.
pub(super) fn reads_of_rows(operation: &Operation, rows: &GatheredRows) -> Vec<ValueId> {
    let weights = rows.weight.as_ref().and_then(|weight| weight.base.value());
    let mut read = vec![operation.operands[0], operation.operands[1], rows.x, rows.from];
    read.extend(weights);
    read
}
