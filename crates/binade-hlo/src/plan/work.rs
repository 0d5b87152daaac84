//! Counts the arithmetic and the bytes moved of a program from its text, for reports.

use std::collections::HashMap;

use binade_stablehlo::ir::{Binary, Direction, Function, Op, Operation, Program, Region, ValueId};
use binade_stablehlo::{ElementType, TensorType, Type};

use super::cost::{Operand, bytes, cost};
use crate::arithmetic::emulated::{self, Class};
use crate::arithmetic::rules;
use crate::movement::shape::integers;

/// The work of operations, each run alone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Sums, products and quotients of elements. A multiply-add counts two; an element of an elementwise operation or of a
    /// reduction's input counts one. Moving or comparing elements counts nothing.
    pub flops: f64,
    /// Elements of functions: roots, powers, exponentials, logarithms and others.
    pub transcendentals: f64,
    /// Bytes of operands and results.
    pub bytes: f64,
}

impl Work {
    fn and(self, other: Work) -> Work {
        Work {
            flops: self.flops + other.flops,
            transcendentals: self.transcendentals + other.transcendentals,
            bytes: self.bytes + other.bytes,
        }
    }

    fn times(self, count: f64) -> Work {
        Work {
            flops: self.flops * count,
            transcendentals: self.transcendentals * count,
            bytes: self.bytes * count,
        }
    }

    /// The larger value of each count.
    fn most(self, other: Work) -> Work {
        Work {
            flops: self.flops.max(other.flops),
            transcendentals: self.transcendentals.max(other.transcendentals),
            bytes: self.bytes.max(other.bytes),
        }
    }

    /// The work of an operation other than control flow, whose results have these elements and types.
    pub(crate) fn of(op: &Op, operands: &[Operand], element: &ElementType, results: f64) -> Work {
        let mut found = Work::default();
        if !rules::computes(op) {
            return found;
        }
        let work = || cost(op, operands, element, results).work;
        if is_transcendental(op) {
            found.transcendentals = results;
            return found;
        }
        found.flops = match op {
            Op::DotGeneral { .. }
            | Op::RaggedDot(_)
            | Op::SparseDot
            | Op::Convolution(_)
            | Op::DynamicConv(_) => 2.0 * work(),
            Op::Unary(_) | Op::Binary(_) => results,
            Op::Reduce { .. }
            | Op::AllReduce { .. }
            | Op::CollectiveReduce { .. }
            | Op::ReduceScatter { .. } => operands.first().map_or(0.0, |operand| operand.length()),
            _ => work(),
        };
        found
    }
}

/// Returns true if an elementwise operation is more than a sum, a product or a quotient.
fn is_transcendental(op: &Op) -> bool {
    let quotient = matches!(op, Op::Binary(Binary::Divide | Binary::Remainder));
    emulated::class(op) == Class::Function && !quotient
}

/// Computes the work that [`Evaluate::work`](crate::evaluate::Evaluate::work) returns.
pub(crate) fn work(program: &Program, name: &str) -> Option<Work> {
    let mut counted = Counted { program, functions: HashMap::new() };
    let work = counted.function(*program.names.get(name)?)?;
    Some(work.times(program.replicas as f64))
}

/// The number of iterations of a `while` that compares a counter with a constant integer, and adds a constant integer to the counter
/// in each iteration. `None` for other loops and operations.
pub fn iterations(function: &Function, operation: &Operation) -> Option<f64> {
    let Op::While { condition, body } = &operation.kind else { return None };
    let mut within = Within { types: &function.values, makers: HashMap::new() };
    within.enter(&function.body);
    within.trips(operation, condition, body)
}

struct Counted<'p> {
    program: &'p Program,
    /// The work of functions already counted.
    functions: HashMap<usize, Option<Work>>,
}

/// A function's types, and the operations that make its values.
struct Within<'p> {
    types: &'p [Type],
    makers: HashMap<ValueId, &'p Operation>,
}

impl<'p> Within<'p> {
    fn enter(&mut self, region: &'p Region) {
        for operation in &region.operations {
            self.makers.extend(operation.results.iter().map(|result| (*result, operation)));
            operation.kind.regions().into_iter().for_each(|region| self.enter(region));
        }
    }

    fn maker(&self, value: ValueId) -> Option<&'p Operation> {
        self.makers.get(&value).copied()
    }

    /// The constant integer of a value.
    fn integer(&self, value: ValueId) -> Option<i128> {
        let Op::Constant(tensor) = &self.maker(value)?.kind else { return None };
        match (&tensor.element, &integers(tensor)[..]) {
            (ElementType::Integer { .. }, &[integer]) => Some(integer.into()),
            _ => None,
        }
    }

    /// The number of iterations of a loop that compares a value with a constant integer, and adds a constant integer to it
    /// in each iteration.
    fn trips(&self, operation: &Operation, condition: &Region, body: &Region) -> Option<f64> {
        let [result] = condition.results[..] else { return None };
        let compare = self.maker(result)?;
        let (Op::Compare { direction, .. }, &[counter, bound]) = (&compare.kind, &compare.operands[..])
        else {
            return None;
        };
        let at = condition.parameters.iter().position(|parameter| *parameter == counter)?;
        let next = self.maker(*body.results.get(at)?)?;
        let (Op::Binary(Binary::Add), &[before, step]) = (&next.kind, &next.operands[..]) else {
            return None;
        };
        if before != *body.parameters.get(at)? {
            return None;
        }
        let (start, bound, step) =
            (self.integer(*operation.operands.get(at)?)?, self.integer(bound)?, self.integer(step)?);
        let distance = match direction {
            Direction::Lt => bound - start,
            Direction::Le => bound - start + 1,
            Direction::Gt => start - bound,
            Direction::Ge => start - bound + 1,
            Direction::Eq | Direction::Ne => return None,
        };
        let up = matches!(direction, Direction::Lt | Direction::Le);
        let step = if up { step } else { -step };
        (step > 0).then(|| (distance.max(0) as f64 / step as f64).ceil())
    }
}

impl<'p> Counted<'p> {
    fn function(&mut self, at: usize) -> Option<Work> {
        if let Some(known) = self.functions.get(&at) {
            return *known;
        }
        let function = self.program.functions.get(at)?;
        let mut within = Within { types: &function.values, makers: HashMap::new() };
        within.enter(&function.body);
        let found = self.region(&within, &function.body);
        self.functions.insert(at, found);
        found
    }

    fn region(&mut self, within: &Within<'p>, region: &'p Region) -> Option<Work> {
        let mut total = Work::default();
        for operation in &region.operations {
            total = total.and(self.operation(within, operation)?);
        }
        Some(total)
    }

    fn operation(&mut self, within: &Within<'p>, operation: &'p Operation) -> Option<Work> {
        match &operation.kind {
            Op::Call { function } | Op::Composite { function, .. } => self.function(*function),
            Op::While { condition, body } => {
                let (asked, done) = (self.region(within, condition)?, self.region(within, body)?);
                Some(match within.trips(operation, condition, body) {
                    // The condition runs once more than the body.
                    Some(trips) => asked.times(trips + 1.0).and(done.times(trips)),
                    None => asked.and(done),
                })
            }
            kind if kind.is_control() => {
                let mut most = Work::default();
                for region in kind.regions() {
                    most = most.most(self.region(within, region)?);
                }
                Some(most)
            }
            kind => {
                let shapes = |values: &[ValueId]| {
                    let tensors = values.iter().filter_map(|value| match &within.types[value.0 as usize] {
                        Type::Tensor(tensor) => Some(tensor),
                        _ => None,
                    });
                    let shape = |tensor: &'p TensorType| {
                        let shape: Vec<usize> = tensor.shape.iter().copied().collect::<Option<_>>()?;
                        Some((&tensor.element, bytes(&tensor.element, &shape)?, shape))
                    };
                    tensors.map(shape).collect::<Option<Vec<_>>>()
                };
                let (operands, results) = (shapes(&operation.operands)?, shapes(&operation.results)?);
                let moved = operands.iter().chain(&results).map(|(_, bytes, _)| *bytes as f64).sum();
                let operands: Vec<Operand> =
                    operands.iter().map(|(element, _, shape)| Operand::planned(element, shape)).collect();
                let made =
                    results.iter().map(|(element, _, shape)| Operand::planned(element, shape).length()).sum();
                let element = results.first().map_or(&ElementType::Bool, |(element, ..)| element);
                let own = Work { bytes: moved, ..Work::of(kind, &operands, element, made) };
                let Op::ManualComputation(manual) = kind else { return Some(own) };
                let devices: usize = manual.groups.iter().map(Vec::len).sum();
                Some(own.and(self.function(manual.function)?.times(devices as f64)))
            }
        }
    }
}
