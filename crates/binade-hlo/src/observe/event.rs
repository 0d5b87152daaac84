//! Looking on while a program runs.

use binade_stablehlo::ir::{Function, Operation};
use binade_stablehlo::{ElementType, Tensor, Value};

use crate::plan::cost::Operand;
use crate::plan::work::Work;

/// An operation that has been done.
///
/// Operations in regions that are applied to elements (those of `reduce`, `sort`, `map`, …) are part of the operation that
/// the region belongs to. A contracted pair is done at its sum: its product is not a value.
pub struct Event<'a> {
    /// The function that it is in.
    pub function: &'a Function,
    /// The operation.
    pub operation: &'a Operation,
    /// Replica and partition.
    pub process: (usize, usize),
    /// What it read; of operands that are the same value one may stand for all.
    pub operands: &'a [Value],
    /// Its results.
    pub results: &'a [Value],
    /// How long it took: with all that is in it, for control flow.
    pub seconds: f64,
}

/// Which result of which operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The function.
    pub function: String,
    /// The operation's name.
    pub operation: &'static str,
    /// Its named scopes.
    pub scope: String,
    /// Line and column.
    pub position: (u32, u32),
    /// Which result of the operation, from 0.
    pub result: usize,
    /// The result's type.
    pub ty: String,
}

/// Who looks on. Operations of several processes may end at the same time.
pub trait Observer: Sync {
    /// Sees an operation; says whether the program is to go on.
    fn done(&self, event: &Event<'_>) -> bool;
}

/// Several that look on: all of them, until one of them wants an end.
impl Observer for Vec<&dyn Observer> {
    fn done(&self, event: &Event<'_>) -> bool {
        // Each is told, also where one has had enough.
        self.iter().filter(|observer| !observer.done(event)).count() == 0
    }
}

/// The tensors of values.
pub(crate) fn tensors(values: &[Value]) -> impl Iterator<Item = &Tensor> {
    values.iter().filter_map(|value| match value {
        Value::Tensor(tensor) => Some(tensor),
        _ => None,
    })
}

impl Event<'_> {
    /// Whether it only decides what else is done.
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

    /// Sums, products and functions of elements: see [`Work`](crate::plan::work::Work), of which these are the flops and the
    /// transcendentals.
    pub fn flops(&self) -> f64 {
        let results: f64 = tensors(self.results).map(|tensor| tensor.data.len() as f64).sum();
        let operands: Vec<Operand> = tensors(self.operands).map(Operand::of).collect();
        let element = tensors(self.results).next().map_or(&ElementType::Bool, |tensor| &tensor.element);
        let work = Work::of(&self.operation.kind, &operands, element, results);
        work.flops + work.transcendentals
    }
}
