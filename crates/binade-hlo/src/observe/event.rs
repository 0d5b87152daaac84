//! Events and the [`Observer`] trait, by which dumps, profiles and comparisons see each operation of a run.

use binade_stablehlo::ir::{Function, Operation, ValueId};
use binade_stablehlo::{ElementType, Tensor, Value};

use crate::plan::cost::Operand;
use crate::plan::work::Work;

/// An operation that has been executed.
///
/// Operations in regions that are applied to elements (those of `reduce`, `sort`, `map`, …) belong to the event of the
/// enclosing operation. A contracted pair is one event, at its sum; its product is not a value.
pub struct Event<'a> {
    /// The function that contains the operation.
    pub function: &'a Function,
    /// The operation.
    pub operation: &'a Operation,
    /// Replica and partition.
    pub process: (usize, usize),
    /// The value of each operand in the function; `None` for constants. A contracted pair has the operands of both its operations.
    pub operand_ids: &'a [Option<ValueId>],
    /// The operands. Operands that are the same value may appear once.
    pub operands: &'a [Value],
    /// The results.
    pub results: &'a [Value],
    /// The seconds that it took; of control flow, with all operations in it.
    pub seconds: f64,
}

/// A result of an operation, by its place in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The function's name.
    pub function: String,
    /// The operation's name.
    pub operation: &'static str,
    /// The operation's named scopes.
    pub scope: String,
    /// Line and column in the program's text.
    pub position: (u32, u32),
    /// The number of the result, from 0.
    pub result: usize,
    /// The result's type.
    pub ty: String,
}

/// An observer of a run. Several processes may call it concurrently.
pub trait Observer: Sync {
    /// Receives an executed operation; returns false to stop the program.
    fn done(&self, event: &Event<'_>) -> bool;
}

/// Several observers, of which each sees every event; any of them can stop the program.
impl Observer for Vec<&dyn Observer> {
    fn done(&self, event: &Event<'_>) -> bool {
        // Filters rather than stops early, so that every observer sees the event.
        self.iter().filter(|observer| !observer.done(event)).count() == 0
    }
}

/// The tensors among values.
pub(crate) fn tensors(values: &[Value]) -> impl Iterator<Item = &Tensor> {
    values.iter().filter_map(|value| match value {
        Value::Tensor(tensor) => Some(tensor),
        _ => None,
    })
}

impl Event<'_> {
    /// Returns true if the operation is control flow.
    pub fn is_control(&self) -> bool {
        self.operation.kind.is_control()
    }

    /// The place of a result, which is this tensor.
    pub(crate) fn place(&self, result: usize, tensor: &Tensor) -> Place {
        Place {
            function: self.function.name.clone(),
            operation: self.operation.kind.name(),
            scope: self.operation.scope.to_string(),
            position: self.operation.position,
            result,
            ty: tensor.type_text(),
        }
    }

    /// Bytes of operands and results.
    pub fn bytes(&self) -> u64 {
        tensors(self.operands).chain(tensors(self.results)).map(|tensor| tensor.data.bytes() as u64).sum()
    }

    /// Sums, products and functions of elements: the flops and transcendentals of [`Work`](crate::plan::work::Work).
    pub fn flops(&self) -> f64 {
        let results: f64 = tensors(self.results).map(|tensor| tensor.data.len() as f64).sum();
        let operands: Vec<Operand> = tensors(self.operands).map(Operand::of).collect();
        let element = tensors(self.results).next().map_or(&ElementType::Bool, |tensor| &tensor.element);
        let work = Work::of(&self.operation.kind, &operands, element, results);
        work.flops + work.transcendentals
    }
}
