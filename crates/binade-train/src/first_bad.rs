//! Finds the operation that makes the first infinite number or NaN of a training, for `--first-bad`.
//!
//! A cell that diverged is trained again from the start, to the same bits. It stops at the first step whose results (the
//! state or the loss) have an infinite number or a NaN. The inputs of that step are finite. Its program is evaluated once
//! more, with intermediate values as further results, a window at a time, in program order. The first bad value comes from
//! finite operands.
//!
//! Programs use infinite numbers on purpose, as in masks. An element is therefore bad only if it is finite in a reference
//! evaluation: the same step from the same inputs without rules. If binary32 overflows too, the reference is the step before,
//! under the same arithmetic.
//!
//! Observation must not change the results. A product that a sum may absorb (a contracted pair) is not made a result; it is
//! reported as a part of that sum. The program's own results are compared with those of the original program.

use std::cell::OnceCell;
use std::collections::HashMap;

use binade_hlo::eval::rules::Rules;
use binade_hlo::eval::{EvalError, Executable, Options};
use binade_hlo::ir::{Binary, Function, Op, Operation, ValueId};
use binade_hlo::{ElementType, Program, Tensor, Type, Value};
use serde::Serialize;

use crate::TrainError;
use crate::cell::{self, BadStep, Stop};
use crate::experiment::{Cell, Experiment};
use crate::key;
use crate::record::{CellResult, State};
use crate::tensors::{floats, same_bits};

/// Bytes of intermediate values in one evaluation, unless a single value needs more.
const WINDOW: usize = 256 << 20;

/// Largest number of operand elements that are listed.
const MAX_LISTED: usize = 8;

/// The first bad number of a cell that diverged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FirstBad {
    /// The cell's number.
    pub cell: usize,
    /// The arithmetic.
    pub arith: String,
    /// The seed.
    pub seed: u64,
    /// The step whose loss was infinite or NaN.
    pub diverged_at: u64,
    /// First step whose results have an infinite number or a NaN; at most `diverged_at`.
    pub step: u64,
    /// The operation in this step that made it. `None` if no value shows it.
    pub birth: Option<BadOperation>,
}

/// The first operation that makes an infinite number or a NaN from finite numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BadOperation {
    /// Its name. `multiply+add` and `multiply+subtract` stand for a product that only this sum reads.
    pub operation: String,
    /// Named scopes of its location. Scopes of the calls that lead to it come first, separated by ` > `.
    pub scope: String,
    /// Its line in train_step.mlir, from 1.
    pub line: u32,
    /// Its column, from 1.
    pub column: u32,
    /// The type of its result.
    pub result: String,
    /// Index of the first bad element.
    pub index: Vec<usize>,
    /// Value of that element: `inf`, `-inf` or `NaN`.
    pub value: String,
    /// Value of that element in binary32, from the same inputs of the step. If binary32 overflows too, `inf`, `-inf` or
    /// `NaN`.
    pub f32: String,
    /// Number of bad elements in the result.
    pub bad: usize,
    /// Number of elements in the result.
    pub elements: usize,
    /// Its operands.
    pub operands: Vec<Operand>,
}

/// An operand of an operation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Operand {
    /// The program input, or the operation that produced it.
    pub from: String,
    /// Its type.
    pub r#type: String,
    /// Number of its elements that the bad element depends on. It is exact for elementwise operations, matrix products and
    /// reductions, and counts all elements for others.
    pub read: usize,
    /// These elements, if they are few.
    pub values: Vec<String>,
    /// The smallest of them.
    pub least: Option<f64>,
    /// The largest of them.
    pub greatest: Option<f64>,
}

/// An evaluation of a function: its rules and inputs.
struct Evaluation {
    rules: Rules,
    inputs: Vec<Value>,
    /// The key of random words of stochastic rules.
    key: u64,
    /// Results of the original function, once they are known.
    results: OnceCell<Vec<Value>>,
}

impl Evaluation {
    fn new(rules: Rules, inputs: Vec<Value>, key: u64) -> Evaluation {
        Evaluation { rules, inputs, key, results: OnceCell::new() }
    }
}

struct Search<'a> {
    experiment: &'a Experiment,
    cell: &'a Cell,
    step: u64,
    threads: usize,
}

impl Experiment {
    /// Finds why a cell diverged, by training it again. `None` if it did not diverge, or if it must stop.
    ///
    /// # Errors
    /// A program fails, or the bits differ from the result.
    pub fn first_bad(
        &self,
        result: &CellResult,
        threads: usize,
        stop: Stop<'_>,
    ) -> Result<Option<FirstBad>, TrainError> {
        let (State::Diverged, Some(diverged_at)) = (result.state, result.diverged_at) else {
            return Ok(None);
        };
        let Some(BadStep { step, inputs, before }) = cell::replay_to_divergence(self, result, threads, stop)?
        else {
            return Ok(None);
        };
        let cell = &self.cells[result.cell];
        let search = Search { experiment: self, cell, step, threads };
        let rules = || cell.arithmetic.rules.clone().with_roles_of(&self.model.train_step);
        let of_step = |step| key::of_rounding(cell.seed, step);
        let plain = Evaluation::new(Rules::default(), inputs.clone(), of_step(step));
        let narrow = Evaluation::new(rules(), inputs, of_step(step));
        let main = self.model.train_step.names["main"];
        let mut birth = match rules().is_empty() {
            true => None,
            false => search.birth(main, &narrow, Some(&plain), "")?,
        };
        if birth.is_none() {
            let before =
                before.map(|inputs| Evaluation::new(rules(), inputs, of_step(step.saturating_sub(1))));
            birth = search.birth(main, &narrow, before.as_ref(), "")?.map(|birth| {
                // The element is bad in binary32 too.
                BadOperation { f32: birth.value.clone(), ..birth }
            });
        }
        let (arith, seed) = (cell.arithmetic.name.clone(), cell.seed);
        Ok(Some(FirstBad { cell: cell.number, arith, seed, diverged_at, step, birth }))
    }
}

/// Text of a number.
fn text(x: f64) -> String {
    match x {
        f64::INFINITY => "inf".to_owned(),
        f64::NEG_INFINITY => "-inf".to_owned(),
        _ if x.is_nan() => "NaN".to_owned(),
        _ if x != 0.0 && !(1e-4..1e6).contains(&x.abs()) => format!("{x:e}"),
        _ => x.to_string(),
    }
}

/// Copies the function with further results. The original stays, so that calls of it do not change.
fn with_results(program: &Program, function: usize, wanted: &[ValueId]) -> (Program, String) {
    let mut program = program.clone();
    let mut function = program.functions[function].clone();
    function.results.extend(wanted.iter().map(|value| function.values[value.0 as usize].clone()));
    function.body.results.extend(wanted);
    while program.names.contains_key(&function.name) {
        function.name.push('\'');
    }
    let name = function.name.clone();
    program.names.insert(name.clone(), program.functions.len());
    program.functions.push(function);
    (program, name)
}

fn tensor_of(value: &Value) -> Option<&Tensor> {
    match value {
        Value::Tensor(tensor) => Some(tensor),
        _ => None,
    }
}

/// Upper bound of the bytes of a floating-point value; `None` for other types.
fn bytes(ty: &Type) -> Option<usize> {
    let Type::Tensor(tensor) = ty else { return None };
    matches!(tensor.element, ElementType::Float(_)).then_some(())?;
    Some(tensor.shape.iter().map(|size| size.unwrap_or(1)).product::<usize>() * 8)
}

/// Products that only one sum reads, with their positions.
fn contracted_products(function: &Function) -> HashMap<ValueId, usize> {
    let operations = &function.body.operations;
    let mut uses: HashMap<ValueId, (usize, usize)> = HashMap::new();
    for reader in operations {
        let sum = matches!(reader.kind, Op::Binary(Binary::Add | Binary::Subtract));
        for value in &reader.operands {
            let (all, sums) = uses.entry(*value).or_default();
            (*all, *sums) = (*all + 1, *sums + usize::from(sum));
        }
    }
    function.body.results.iter().for_each(|value| uses.entry(*value).or_default().0 += 1);
    let products = operations.iter().enumerate().filter(|(_, product)| {
        matches!(product.kind, Op::Binary(Binary::Multiply)) && uses.get(&product.results[0]) == Some(&(1, 1))
    });
    products.map(|(at, product)| (product.results[0], at)).collect()
}

/// Indices of the operand elements that a result element depends on; `None` for all.
fn elements_read(
    operation: &Operation,
    at: usize,
    result: &[usize],
    operand: &[usize],
) -> Option<Vec<usize>> {
    if operand.iter().product::<usize>() == 1 {
        return Some(vec![0]);
    }
    let index = unravel(at, result);
    // For each dimension of the operand, its index if it is fixed.
    let mut fixed = vec![None; operand.len()];
    match &operation.kind {
        Op::Unary(_) | Op::Binary(_) | Op::Select | Op::Clamp | Op::Convert | Op::Promote
            if operand == result =>
        {
            return (at < result.iter().product()).then(|| vec![at]);
        }
        Op::Reduce { dimensions, .. } => {
            let kept = (0..operand.len()).filter(|dimension| !dimensions.contains(dimension));
            kept.zip(&index).for_each(|(dimension, at)| fixed[dimension] = Some(*at));
        }
        _ => return None,
    }
    Some(slice(operand, &fixed))
}

/// As `elements_read`, for the sides of a matrix product.
fn elements_read_by_product(
    operation: &Operation,
    side: usize,
    at: usize,
    result: &[usize],
    operand: &[usize],
) -> Option<Vec<usize>> {
    let Op::DotGeneral { dimensions, .. } = &operation.kind else { return None };
    let (batching, contracting) = match side {
        0 => (&dimensions.lhs_batching, &dimensions.lhs_contracting),
        _ => (&dimensions.rhs_batching, &dimensions.rhs_contracting),
    };
    let index = unravel(at, result);
    let free: Vec<usize> = (0..operand.len())
        .filter(|dimension| !batching.contains(dimension) && !contracting.contains(dimension))
        .collect();
    // The result's dimensions: batching, then the free ones of the left and of the right side.
    let first = if side == 0 { batching.len() } else { index.len() - free.len() };
    let mut fixed = vec![None; operand.len()];
    batching.iter().zip(&index).for_each(|(dimension, at)| fixed[*dimension] = Some(*at));
    free.iter().zip(&index[first..]).for_each(|(dimension, at)| fixed[*dimension] = Some(*at));
    Some(slice(operand, &fixed))
}

/// Index of an element from its position.
fn unravel(at: usize, shape: &[usize]) -> Vec<usize> {
    let mut rest = at;
    let mut index: Vec<usize> = shape
        .iter()
        .rev()
        .map(|size| {
            let here = rest % size;
            rest /= size;
            here
        })
        .collect();
    index.reverse();
    index
}

/// Positions of the elements whose indices match `fixed`.
fn slice(shape: &[usize], fixed: &[Option<usize>]) -> Vec<usize> {
    shape.iter().zip(fixed).fold(vec![0], |elements, (size, fixed)| {
        let range = fixed.map_or(0..*size, |at| at..at + 1);
        elements.iter().flat_map(|element| range.clone().map(move |at| element * size + at)).collect()
    })
}

/// Position of the first bad element, and the number of bad elements.
fn find_bad(value: &Value, healthy: Option<&Value>) -> Option<(usize, usize)> {
    let numbers = floats(tensor_of(value)?)?;
    let healthy = healthy.and_then(tensor_of).and_then(floats).filter(|other| other.len() == numbers.len());
    let is_bad = |at: &usize| {
        !numbers[*at].is_finite() && healthy.as_ref().is_none_or(|healthy| healthy[*at].is_finite())
    };
    let mut places = (0..numbers.len()).filter(is_bad);
    let first = places.next()?;
    Some((first, places.count() + 1))
}

impl Search<'_> {
    fn failed(&self, source: EvalError) -> TrainError {
        self.experiment.failed("train_step", self.step, self.cell, source)
    }

    /// Evaluates a function of a program.
    fn evaluate(
        &self,
        program: &Program,
        name: &str,
        evaluation: &Evaluation,
    ) -> Result<Vec<Value>, TrainError> {
        let options =
            Options { rules: evaluation.rules.clone(), threads: Some(self.threads), ..Options::default() };
        let executable = Executable::new(program, options).map_err(|source| self.failed(source))?;
        let inputs = evaluation.inputs.clone();
        executable.run_keyed(name, inputs, evaluation.key).map_err(|source| self.failed(source))
    }

    /// Intermediate values of a function in an evaluation.
    fn values(
        &self,
        function: usize,
        wanted: &[ValueId],
        evaluation: &Evaluation,
    ) -> Result<Vec<Value>, TrainError> {
        let whole = &self.experiment.model.train_step;
        let (program, name) = with_results(whole, function, wanted);
        let mut results = self.evaluate(&program, &name, evaluation)?;
        let values = results.split_off(whole.functions[function].results.len());
        let expected = match evaluation.results.get() {
            Some(known) => known,
            None => {
                let found = self.evaluate(whole, &whole.functions[function].name, evaluation)?;
                evaluation.results.get_or_init(|| found)
            }
        };
        let same = results.iter().zip(expected).all(|(a, b)| match (tensor_of(a), tensor_of(b)) {
            (Some(a), Some(b)) => same_bits(a, b),
            _ => true,
        });
        match same {
            true => Ok(values),
            false => Err(TrainError::OtherBits {
                cell: format!("{} seed {}", self.cell.arithmetic.name, self.cell.seed),
                what: "looking at the values of a step",
            }),
        }
    }

    /// The first operation of a function that makes a bad value.
    fn birth(
        &self,
        function: usize,
        evaluation: &Evaluation,
        healthy: Option<&Evaluation>,
        path: &str,
    ) -> Result<Option<BadOperation>, TrainError> {
        let body = &self.experiment.model.train_step.functions[function];
        let absorbed = contracted_products(body);
        let mut seen = body.body.operations.iter().enumerate().flat_map(|(at, operation)| {
            // Constants are not bad.
            let results = operation.results.iter().filter(|_| !operation.operands.is_empty());
            let visible = results.filter(|result| !absorbed.contains_key(result));
            visible.filter_map(move |result| Some((at, *result, bytes(&body.values[result.0 as usize])?)))
        });
        loop {
            let (mut window, mut size) = (vec![], 0);
            while size < WINDOW
                && let Some((at, result, bytes)) = seen.next()
            {
                window.push((at, result));
                size += bytes;
            }
            if window.is_empty() {
                return Ok(None);
            }
            let wanted: Vec<ValueId> = window.iter().map(|(_, result)| *result).collect();
            let values = self.values(function, &wanted, evaluation)?;
            let others = match healthy {
                Some(healthy) => self.values(function, &wanted, healthy)?,
                None => vec![],
            };
            for (of, (at, _)) in window.iter().enumerate() {
                if let Some(place) = find_bad(&values[of], others.get(of)) {
                    let found = (&values[of], others.get(of), place);
                    return self
                        .describe(function, *at, found, (evaluation, healthy), path, &absorbed)
                        .map(Some);
                }
            }
        }
    }

    /// Describes a bad operation. For a call, searches the called function.
    fn describe(
        &self,
        function: usize,
        at: usize,
        (value, other, (element, bad)): (&Value, Option<&Value>, (usize, usize)),
        (evaluation, healthy): (&Evaluation, Option<&Evaluation>),
        path: &str,
        absorbed: &HashMap<ValueId, usize>,
    ) -> Result<BadOperation, TrainError> {
        let body = &self.experiment.model.train_step.functions[function];
        let operation = &body.body.operations[at];
        let scope = match (path, &*operation.scope) {
            ("", scope) => scope.to_owned(),
            (path, "") => path.to_owned(),
            (path, scope) => format!("{path} > {scope}"),
        };
        if let Op::Call { function: called } | Op::Composite { function: called, .. } = &operation.kind {
            let within = |evaluation: &Evaluation| -> Result<Evaluation, TrainError> {
                let inputs = self.values(function, &operation.operands, evaluation)?;
                Ok(Evaluation::new(evaluation.rules.clone(), inputs, evaluation.key))
            };
            let healthy = healthy.map(within).transpose()?;
            if let Some(birth) = self.birth(*called, &within(evaluation)?, healthy.as_ref(), &scope)? {
                return Ok(birth);
            }
        }
        let product = operation.operands.iter().find_map(|operand| absorbed.get(operand));
        let mut wanted = vec![];
        for operand in &operation.operands {
            match absorbed.get(operand) {
                // The operands of a product replace it, also for a second product.
                Some(product) => wanted.extend(&body.body.operations[*product].operands),
                None => wanted.push(*operand),
            }
        }
        let result = tensor_of(value).expect("a bad value is a tensor");
        let number = |value: &Value| {
            let numbers = tensor_of(value).and_then(floats).unwrap_or_default();
            numbers.get(element).map_or_else(String::new, |x| text(*x))
        };
        let values = self.values(function, &wanted, evaluation)?;
        let operands = wanted.iter().zip(&values).enumerate().filter_map(|(place, (id, value))| {
            let tensor = tensor_of(value)?;
            let read = elements_read_by_product(operation, place, element, &result.shape, &tensor.shape)
                .or_else(|| elements_read(operation, element, &result.shape, &tensor.shape));
            Some(Operand::new(self.source(function, *id), tensor, read, &body.values[id.0 as usize]))
        });
        Ok(BadOperation {
            operation: match product {
                Some(_) => format!("multiply+{}", operation.kind.name()),
                None => operation.kind.name().to_owned(),
            },
            line: operation.position.0,
            column: operation.position.1,
            result: body.values[operation.results[0].0 as usize].to_string(),
            index: unravel(element, &result.shape),
            value: number(value),
            f32: other.map_or_else(String::new, number),
            bad,
            elements: result.data.len(),
            operands: operands.collect(),
            scope,
        })
    }

    /// Name of the origin of a value.
    fn source(&self, function: usize, value: ValueId) -> String {
        let model = &self.experiment.model;
        let body = &model.train_step.functions[function];
        if let Some(at) = body.body.parameters.iter().position(|parameter| *parameter == value) {
            let state = model.manifest.state.iter().map(|tensor| &tensor.name);
            let mut names = state.chain(model.manifest.train_step.inputs.iter().map(|input| &input.name));
            let name = names.nth(at).filter(|_| body.name == "main");
            return name
                .map_or_else(|| format!("argument {at} of @{}", body.name), |name| format!("input {name}"));
        }
        let maker = body.body.operations.iter().find(|operation| operation.results.contains(&value));
        maker.map_or_else(String::new, |maker| match &*maker.scope {
            "" => maker.kind.name().to_owned(),
            scope => format!("{} at {scope}", maker.kind.name()),
        })
    }
}

impl Operand {
    fn new(from: String, tensor: &Tensor, read: Option<Vec<usize>>, ty: &Type) -> Operand {
        let numbers = floats(tensor);
        let count = read.as_ref().map_or(tensor.data.len(), Vec::len);
        let chosen: Vec<f64> = match (numbers, read) {
            (Some(numbers), Some(read)) => read.iter().map(|at| numbers[*at]).collect(),
            (Some(numbers), None) => numbers,
            (None, _) => vec![],
        };
        let told =
            if chosen.len() <= MAX_LISTED { chosen.iter().map(|x| text(*x)).collect() } else { vec![] };
        // Numbers that are infinite on purpose are not listed.
        let finite = || chosen.iter().copied().filter(|x| x.is_finite());
        Operand {
            from,
            r#type: ty.to_string(),
            read: count,
            values: told,
            least: finite().reduce(f64::min),
            greatest: finite().reduce(f64::max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_read_are_those_of_the_operation() {
        assert_eq!(unravel(17, &[2, 3, 4]), [1, 1, 1]);
        assert_eq!(slice(&[2, 3], &[Some(1), None]), [3, 4, 5]);
        assert_eq!(slice(&[2, 3], &[None, Some(2)]), [2, 5]);
        assert_eq!(slice(&[], &[]), [0]);
        assert_eq!(
            [f64::INFINITY, f64::NEG_INFINITY, -f64::NAN, 448.0, 1e30, 0.0].map(text),
            ["inf", "-inf", "NaN", "448", "1e30", "0"]
        );
    }
}
