//! Operations under stochastic rules: the key of each execution, and the operations that take random words element by
//! element.

use std::sync::Arc;

use binade::SumDraws;
use binade::philox::{seeded, stream};
use binade_fma::{Matrix, MatrixMut, Multiplier};
use binade_simd::Environment;
use binade_stablehlo::ir::{Op, Operation, ValueId};
use binade_stablehlo::{Data, ElementType, FloatType, Tensor, Type, Value};

use super::interpreter::{Frame, Machine};
use super::values::as_tensor;
use crate::arithmetic::convert::convert;
use crate::arithmetic::emulated::{Emulated, Fused};
use crate::arithmetic::rounded::Rounded;
use crate::arithmetic::rules::{Drawn, KeyedProduct};
use crate::buffer_pool;
use crate::error::EvalError;
use crate::movement::shape;
use crate::plan::step::{Applied, Block};

const SINGLE: ElementType = ElementType::Float(FloatType::F32);

/// Elements that take their words at once.
const RUN: usize = 1024;

impl<'p> Machine<'p> {
    /// The key of the next execution of the operation that makes this value; see [`crate::arithmetic::rules`].
    fn key(&self, operation: &Operation, value: ValueId) -> u64 {
        let (line, column) = operation.position;
        let count = self.shared.execution((self.process, [line, column, value.0]));
        let (replica, partition) = self.process;
        stream(self.shared.key, &[replica as u32, partition as u32, line, column, value.0, count])
    }

    /// Runs an operation under a stochastic rule.
    pub(crate) fn drawn(
        &self,
        drawn: &Drawn,
        operation: &Operation,
        (blocks, bodies): (&[Block], &[Applied]),
        operands: Vec<Value>,
        frame: &mut Frame<'p>,
    ) -> Result<Vec<Value>, EvalError> {
        let Some(&first) = operation.results.first() else {
            return self.single(operation, None, (blocks, bodies), operands, frame);
        };
        match drawn {
            Drawn::Rounding(rounding) => {
                let results = self.single(operation, None, (blocks, bodies), operands, frame)?;
                let rounded = results.into_iter().zip(&operation.results);
                Ok(rounded.map(|(value, &id)| round(rounding, value, self.key(operation, id))).collect())
            }
            Drawn::Product(multiplier) => {
                let draws = SumDraws::new(self.key(operation, first));
                let multiplier = multiplier.clone().with_draws(draws);
                let product = KeyedProduct::Sums(&multiplier);
                self.single(operation, Some(product), (blocks, bodies), operands, frame)
            }
            Drawn::Quantized(product) => {
                let product = (**product).clone().with_key(self.key(operation, first));
                let product = KeyedProduct::Quantized(&product);
                self.single(operation, Some(product), (blocks, bodies), operands, frame)
            }
            Drawn::Fused(emulated, fused) => {
                let key = self.key(operation, first);
                Ok(vec![Value::Tensor(multiply_adds(
                    emulated,
                    *fused,
                    &operands,
                    result(first, frame)?,
                    key,
                )?)])
            }
            Drawn::Function(emulated) => {
                let key = self.key(operation, first);
                let operands = operands.into_iter().map(|operand| match &emulated.inputs {
                    Some(inputs) => round(inputs, operand, 0),
                    None => operand,
                });
                let results = self.single(operation, None, (blocks, bodies), operands.collect(), frame)?;
                let operator = emulated.multiplier().operator();
                let Some((_, accumulator)) = operator.formats() else { return Ok(results) };
                let rounding = Rounded::by(accumulator, operator.rounding());
                Ok(results.into_iter().map(|value| round(&rounding, value, key)).collect())
            }
            Drawn::Sum(multiplier) => {
                let Op::Reduce { dimensions, .. } = &operation.kind else {
                    return self.single(operation, None, (blocks, bodies), operands, frame);
                };
                let multiplier = multiplier.clone().with_draws(SumDraws::new(self.key(operation, first)));
                let (x, initial) = (as_tensor(&operands[0])?, as_tensor(&operands[1])?);
                let multiplier = multiplier.with_threads(rayon::current_num_threads());
                Ok(vec![Value::Tensor(sums(&multiplier, x, initial, dimensions, result(first, frame)?)?)])
            }
        }
    }
}

/// The element type of a result.
fn result<'f>(value: ValueId, frame: &Frame<'f>) -> Result<&'f ElementType, EvalError> {
    match &frame.function.values[value.0 as usize] {
        Type::Tensor(tensor) => Ok(&tensor.element),
        _ => Err(EvalError::shape("a stochastic rule", "a tensor is needed")),
    }
}

/// Rounds a tensor with the words under a key; other values are unchanged.
fn round(rounding: &Rounded, value: Value, key: u64) -> Value {
    let Value::Tensor(mut tensor) = value else { return value };
    if matches!(tensor.element, ElementType::Float(_) | ElementType::Complex(_)) {
        let element = tensor.element.clone();
        rounding.round_drawn(&element, buffer_pool::own(&mut tensor.data), key);
    }
    Value::Tensor(tensor)
}

/// The numbers of a tensor in binary32.
fn numbers(x: &Tensor) -> Result<Arc<Data>, EvalError> {
    if x.element == SINGLE { Ok(x.data.clone()) } else { Ok(Arc::new(convert(x, &SINGLE)?)) }
}

fn as_f32(data: &Data) -> Result<&[f32], EvalError> {
    match data {
        Data::F32(numbers) => Ok(numbers),
        _ => Err(EvalError::shape("a stochastic rule", "numbers of up to 32 bits are needed")),
    }
}

/// Binary32 numbers in the result type.
fn finished(numbers: Vec<f32>, shape: Vec<usize>, element: &ElementType) -> Result<Tensor, EvalError> {
    let tensor = Tensor::new(SINGLE, shape, Data::F32(numbers));
    if *element == SINGLE {
        return Ok(tensor);
    }
    let data = convert(&tensor, element)?;
    Ok(Tensor::new(element.clone(), tensor.shape, data))
}

/// A multiply-add of each element, with the words of the elements' indices under a key.
fn multiply_adds(
    emulated: &Emulated,
    fused: Fused,
    operands: &[Value],
    element: &ElementType,
    key: u64,
) -> Result<Tensor, EvalError> {
    let _environment = Environment::enter();
    let tensors = operands.iter().map(as_tensor).collect::<Result<Vec<_>, _>>()?;
    let shape = tensors.first().map_or(vec![], |x| x.shape.clone());
    if let Some(other) = tensors.iter().find(|x| x.shape != shape) {
        let facts = format!("operands must have the same shape: got {shape:?} and {:?}", other.shape);
        return Err(EvalError::shape("a stochastic rule", facts));
    }
    let data = tensors.iter().map(|x| numbers(x)).collect::<Result<Vec<_>, _>>()?;
    let x = data.iter().map(|data| as_f32(data)).collect::<Result<Vec<_>, _>>()?;
    let at = |operand: usize| x.get(operand).copied().unwrap_or(&[]);
    let mut sums = buffer_pool::zeros(shape.iter().product());
    let piece = |first: usize, out: &mut [f32]| {
        let mut words = [0; RUN];
        let mut sides = [[0.0; RUN]; 3];
        for (part, out) in out.chunks_mut(RUN).enumerate() {
            let start = first + part * RUN;
            let range = start..start + out.len();
            fill_words(key, start as u64, &mut words[..out.len()]);
            let [a, b, c] = &mut sides;
            let [a, b, c] = [a, b, c].map(|side| &mut side[..range.len()]);
            let copy = |to: &mut [f32], operand: usize| to.copy_from_slice(&at(operand)[range.clone()]);
            let negated = |to: &mut [f32], operand: usize| {
                to.iter_mut().zip(&at(operand)[range.clone()]).for_each(|(to, x)| *to = -x);
            };
            match fused {
                Fused::Add => (copy(a, 0), b.fill(1.0), copy(c, 1)),
                Fused::Subtract => (copy(a, 0), b.fill(1.0), negated(c, 1)),
                Fused::Multiply => (copy(a, 0), copy(b, 1), c.fill(-0.0)),
                Fused::Square => (copy(a, 0), copy(b, 0), c.fill(-0.0)),
                Fused::Accumulate => (copy(a, 1), b.fill(1.0), copy(c, 0)),
                Fused::MultiplyAdd => (copy(a, 0), copy(b, 1), copy(c, 2)),
                Fused::MultiplySubtract => (copy(a, 0), copy(b, 1), negated(c, 2)),
                Fused::NegatedMultiplyAdd => (negated(a, 0), copy(b, 1), copy(c, 2)),
            };
            emulated.step().apply_drawn_in_default([a, b, c], &words[..range.len()], out);
        }
    };
    let mut pieces: Vec<(usize, &mut [f32])> = vec![];
    for (part, out) in sums.chunks_mut(16 * RUN).enumerate() {
        pieces.push((part * 16 * RUN, out));
    }
    binade_simd::threads::each(true, pieces, |(first, out)| {
        let _environment = Environment::enter();
        piece(first, out);
    });
    finished(sums, shape, element)
}

/// The words of the elements from an index on.
fn fill_words(key: u64, first: u64, words: &mut [u32]) {
    // Runs begin at multiples of a block.
    for (at, block) in words.chunks_mut(4).enumerate() {
        let number = first / 4 + at as u64;
        let all = seeded(key, [number as u32, (number >> 32) as u32, 0, 0]);
        block.copy_from_slice(&all[..block.len()]);
    }
}

/// The sums of a `reduce`, as products with 1: row i is result i.
fn sums(
    multiplier: &Multiplier,
    x: &Tensor,
    initial: &Tensor,
    dimensions: &[usize],
    element: &ElementType,
) -> Result<Tensor, EvalError> {
    let kept: Vec<usize> = (0..x.shape.len()).filter(|at| !dimensions.contains(at)).collect();
    let mut reduced = dimensions.to_vec();
    reduced.sort_unstable();
    let shape: Vec<usize> = kept.iter().map(|&at| x.shape[at]).collect();
    let permutation = [kept, reduced].concat();
    let arranged = if permutation.is_sorted() { x.clone() } else { shape::transpose(x, &permutation) };
    let (data, start) = (numbers(&arranged)?, numbers(initial)?);
    let rows: usize = shape.iter().product();
    let depth = x.data.len().checked_div(rows).unwrap_or(0);
    let mut sums = vec![as_f32(&start)?.first().copied().unwrap_or(0.0); rows];
    let ones = vec![1.0; depth];
    let (a, b) = (Matrix::new(as_f32(&data)?, rows, depth)?, Matrix::new(&ones, depth, 1)?);
    multiplier.multiply(a, b, MatrixMut::new(&mut sums, rows, 1)?)?;
    finished(sums, shape, element)
}

#[cfg(test)]
mod tests {
    use binade::philox::Stream;

    use super::*;

    #[test]
    fn words_of_elements_are_those_of_conversions() {
        let mut words = [0; 11];
        fill_words(5, 8, &mut words);
        let mut all = Stream::new(5);
        let expected: Vec<u32> = (0..19).map(|_| all.word()).collect();
        assert_eq!(words, expected[8..]);
    }
}
