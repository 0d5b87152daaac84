//! Memory and time of an operation, for the checks before it runs and for estimates.

use binade_stablehlo::ir::{Convolution, Op, Window};
use binade_stablehlo::{ElementType, FloatType, Tensor};

use crate::linear::scaled::BLOCK_SCALED_DOT;
use crate::machine::open_sizes;

/// Bytes of a tensor. `None` if the bytes or the strides overflow.
pub(crate) fn bytes(element: &ElementType, shape: &[usize]) -> Option<usize> {
    let product = |least: usize| {
        let mut sizes = shape.iter().map(|&size| size.max(least));
        let bytes = sizes.try_fold(element.stored_bytes(), usize::checked_mul)?;
        isize::try_from(bytes).is_ok().then_some(bytes)
    };
    // Strides must be countable even without elements.
    product(1).and(if shape.contains(&0) { Some(0) } else { product(0) })
}

/// The cost of an operation besides its operands and results.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Cost {
    /// Maximum bytes of working memory.
    pub(crate) scratch: f64,
    /// Elements processed, or multiply-adds and similar operations.
    pub(crate) work: f64,
}

/// An operand, as far as it is known before a program runs.
#[derive(Clone, Copy)]
pub(crate) struct Operand<'a> {
    element: &'a ElementType,
    shape: &'a [usize],
    tensor: Option<&'a Tensor>,
}

impl<'a> Operand<'a> {
    pub(crate) fn planned(element: &'a ElementType, shape: &'a [usize]) -> Operand<'a> {
        Operand { element, shape, tensor: None }
    }

    pub(crate) fn of(tensor: &'a Tensor) -> Operand<'a> {
        Operand { element: &tensor.element, shape: &tensor.shape, tensor: Some(tensor) }
    }

    pub(crate) fn shape(&self) -> &'a [usize] {
        self.shape
    }

    /// The number of elements.
    pub(crate) fn length(&self) -> f64 {
        count(self.shape.iter().copied())
    }

    fn bytes(&self) -> f64 {
        self.length() * self.element.stored_bytes() as f64
    }
}

/// Bytes per element of the type in which products are summed.
fn working(operands: &[Operand], result: &ElementType) -> f64 {
    let wide = operands.iter().map(|operand| operand.element).chain([result]).map(|element| match element {
        ElementType::Float(FloatType::F64) | ElementType::Complex(FloatType::F32) => 8,
        ElementType::Integer { width: 64, .. } => 8,
        ElementType::Complex(_) => 16,
        _ => 4,
    });
    f64::from(wide.max().unwrap_or(4))
}

/// The number of elements of a tensor with these sizes.
fn count(sizes: impl IntoIterator<Item = usize>) -> f64 {
    sizes.into_iter().map(|size| size as f64).product()
}

/// A size with dilation and padding.
fn padded(size: usize, dilation: usize, padding: (i64, i64)) -> f64 {
    let dilated = if size == 0 { 0.0 } else { (size - 1) as f64 * dilation as f64 + 1.0 };
    (dilated + padding.0 as f64 + padding.1 as f64).max(0.0)
}

fn convolution(
    operands: &[Operand],
    c: &Convolution,
    padding: &[(i64, i64)],
    results: f64,
    word: f64,
) -> Cost {
    let (lhs, rhs) = (operands[0], operands[1]);
    let sizes = |operand: Operand, dimensions: &[usize]| count(dimensions.iter().map(|&d| operand.shape[d]));
    let taps = sizes(rhs, &c.kernel_spatial);
    let depth = taps * rhs.shape[c.kernel_input_feature] as f64;
    let places = results
        / (operands[0].shape[c.input_batch] as f64 / c.batch_groups as f64).max(1.0)
        / (rhs.shape[c.kernel_output_feature] as f64).max(1.0);
    let plane: f64 = (c.input_spatial.iter().zip(&c.lhs_dilation).zip(padding))
        .map(|((&d, &dilation), &edges)| padded(lhs.shape[d], dilation, edges))
        .product();
    let spread = plane * lhs.shape[c.input_batch] as f64 * lhs.shape[c.input_feature] as f64;
    let copies = 2.0 * (lhs.length() + rhs.length()) + spread + 3.0 * results;
    // Unfolded: a matrix of depth × positions, and the source of each of its elements.
    Cost { scratch: word * (copies + depth * places) + 16.0 * taps * places, work: results * depth }
}

/// Bytes of working memory for the quantised operands of a product, or for the patches and the kernel of a convolution.
pub(crate) fn quantised(op: &Op, operands: &[Operand], results: f64) -> f64 {
    /// A number, its quotient in binary64, its code, and its element.
    const BYTES: f64 = 24.0;
    let (Some(lhs), Some(rhs)) = (operands.first(), operands.get(1)) else { return 0.0 };
    let matrices = match op {
        Op::Convolution(c) | Op::DynamicConv(c) => {
            let outputs = (rhs.shape[c.kernel_output_feature] as f64).max(1.0);
            // Patches have the elements of the kernel for one output feature.
            results / outputs * (rhs.length() / outputs) + rhs.length()
        }
        _ => lhs.length() + rhs.length(),
    };
    BYTES * matrices
}

fn windows(operand: Operand, window: &Window) -> (f64, f64) {
    let sizes = operand.shape.iter().zip(&window.base_dilations).zip(&window.padding);
    let padded = sizes.map(|((&size, &dilation), &edges)| padded(size, dilation, edges)).product();
    (padded, count(window.dimensions.iter().copied()))
}

/// The cost of windows over inputs, which are the first operands.
fn reduced_windows(operands: &[Operand], inputs: usize, window: &Window, results: f64) -> Cost {
    let (padded, taps) = windows(operands[0], window);
    // Padded inputs (twice while windows are combined by shifting), narrow inputs in binary32, and the source of each
    // element of a window.
    let (bytes, elements) = (operands.iter().map(Operand::bytes), operands.iter().map(Operand::length));
    let each = bytes.sum::<f64>() / elements.sum::<f64>().max(1.0) + 4.0;
    let place = 48.0 + 24.0 * operands[0].shape.len() as f64;
    Cost { scratch: 3.0 * padded * each * inputs as f64 + place * taps, work: results * taps }
}

/// The cost of an operation whose shapes fit. `results` is the total number of elements of its results.
pub(crate) fn cost(op: &Op, operands: &[Operand], element: &ElementType, results: f64) -> Cost {
    let own = if op.traits().own_cost { own_cost(op, operands, element, results) } else { None };
    let elements: f64 = operands.iter().map(Operand::length).sum();
    let mut cost = own.unwrap_or(Cost { scratch: 0.0, work: elements + results });
    let quantized = operands.iter().any(|operand| matches!(operand.element, ElementType::Quantized(_)))
        || matches!(element, ElementType::Quantized(_));
    if quantized {
        // Quantized numbers are computed in binary64.
        cost.scratch += 24.0 * (elements + results);
    }
    cost
}

/// The cost of an operation that does more than read and write each element once. `None` for other operations, or if it is
/// unknown before a run.
fn own_cost(op: &Op, operands: &[Operand], element: &ElementType, results: f64) -> Option<Cost> {
    let length = |at: usize| operands.get(at).map_or(0.0, Operand::length);
    let elements: f64 = operands.iter().map(Operand::length).sum();
    let bytes: f64 = operands.iter().map(Operand::bytes).sum();
    let rank = operands.first().map_or(0, |operand| operand.shape.len()) as f64;
    let simple = Cost { scratch: 0.0, work: elements + results };
    let word = working(operands, element);
    Some(match op {
        Op::DotGeneral { dimensions, algorithm } => {
            let (lhs, parts) =
                (operands[0], algorithm.as_ref().map_or(1, |algorithm| algorithm.parts()) as f64);
            let depth = count(dimensions.lhs_contracting.iter().map(|&d| lhs.shape[d]));
            let split = if parts > 1.0 { 16.0 } else { 0.0 };
            // Each operand in the working type, in matrix order, and packed for the kernel.
            let copies = (parts + 2.0) * word + split;
            Cost { scratch: copies * elements + word * results, work: results * depth * parts * parts }
        }
        Op::RaggedDot(ragged) => {
            let lhs = operands[0];
            let depth = count(ragged.dimensions.lhs_contracting.iter().map(|&d| lhs.shape[d]));
            // Also slices of both sides and of the result.
            Cost { scratch: 2.0 * bytes + 3.0 * word * (elements + results), work: results * depth }
        }
        // Rows of the right side, gathered for an operator.
        Op::SparseDot => {
            let width = operands.get(3).map_or(1.0, |rhs| count(rhs.shape.get(1).copied()));
            let work = length(0) * width;
            Cost { scratch: 16.0 * elements + 2.0 * word * (work + results), work }
        }
        Op::Convolution(c) => convolution(operands, c, &c.padding, results, word),
        Op::DynamicConv(c) => {
            // Padding is unknown before a run, and counted as none.
            let none = || vec![0; 2 * c.input_spatial.len()];
            let edges = operands[2].tensor.map_or_else(none, crate::movement::shape::integers);
            let padding: Vec<_> = edges.chunks_exact(2).map(|edge| (edge[0], edge[1])).collect();
            convolution(operands, c, &padding, results, word)
        }
        Op::ReduceWindow { window, .. } => reduced_windows(operands, operands.len() / 2, window, results),
        Op::DynamicReduceWindow { .. } => {
            let inputs = operands.len().saturating_sub(5) / 2;
            let tensors = operands[2 * inputs..].iter().map(|operand| operand.tensor);
            let window = tensors.collect::<Option<Vec<_>>>().and_then(|parts| open_sizes::window_of(&parts));
            // The window is unknown before a run, and counted as one element.
            reduced_windows(operands, inputs, &window?, results)
        }
        Op::SelectAndScatter { window, .. } => {
            let (_, taps) = windows(operands[0], window);
            Cost { scratch: 48.0 * length(1) + 4.0 * results, work: length(1) * taps }
        }
        Op::Sort { .. } | Op::TopK { .. } => {
            let keys = 8.0 * (operands.len() + 3) as f64;
            Cost { scratch: 2.0 * bytes + keys * length(0), work: elements * length(0).max(2.0).log2() }
        }
        Op::Gather(_) | Op::DynamicGather(_) | Op::TorchIndexSelect { .. } => {
            Cost { scratch: 24.0 * length(1), ..simple }
        }
        Op::Scatter { .. } => {
            let inputs = operands.len() / 2;
            let (indices, updates) = (length(inputs), length(inputs + 1));
            Cost {
                scratch: (64.0 + 8.0 * rank) * indices.max(1.0) + 40.0 * updates + 4.0 * length(0),
                ..simple
            }
        }
        Op::Fft { .. } => {
            let most = length(0).max(results);
            Cost { scratch: 4.0 * 2.0 * word * most, work: 8.0 * most * most.max(2.0).log2() }
        }
        Op::Cholesky { .. } | Op::TriangularSolve { .. } => {
            let n = operands[0].shape.last().map_or(0.0, |&n| n as f64);
            Cost { scratch: 2.0 * bytes + 32.0 * elements, work: n * elements }
        }
        Op::BatchNormInference { .. } | Op::BatchNormTraining { .. } | Op::BatchNormGrad { .. } => {
            Cost { scratch: 8.0 * bytes, work: 8.0 * elements }
        }
        Op::Rng { .. } => Cost { scratch: 40.0 * results, work: 8.0 * results },
        Op::RngBitGenerator(_) => Cost { scratch: 8.0 * results, work: 8.0 * results },
        Op::Iota { .. } | Op::DynamicIota { .. } => {
            Cost { scratch: (8.0 + element.stored_bytes() as f64) * results, ..simple }
        }
        Op::Reduce { .. } => Cost { scratch: bytes + 8.0 * elements, ..simple },
        Op::BitcastConvert => Cost { scratch: bytes, ..simple },
        // Parts of the operands and of the results.
        Op::ManualComputation(_) => {
            Cost { scratch: bytes + element.stored_bytes() as f64 * results, ..simple }
        }
        Op::AllReduce { .. } | Op::CollectiveReduce { .. } | Op::ReduceScatter { .. } => {
            Cost { scratch: 3.0 * bytes + 8.0 * elements, ..simple }
        }
        Op::CustomCall { target, .. } if target == BLOCK_SCALED_DOT => {
            let depth = operands.first().and_then(|a| a.shape.last()).map_or(0.0, |&depth| depth as f64);
            Cost { scratch: 12.0 * elements + 8.0 * results, work: results * depth }
        }
        Op::CustomCall { .. } => Cost { scratch: 2.0 * bytes + 32.0 * elements, work: 64.0 * elements },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::values::static_type;
    use crate::testing::programs_of_operations;

    /// An operation has an arm in [`own_cost`] exactly if its row in `traits.rs` says that it has a cost of its own.
    #[test]
    fn own_costs_are_those_of_the_traits() {
        let mut checked = 0;
        for (path, program) in programs_of_operations() {
            for function in &program.functions {
                let mut regions = vec![&function.body];
                while let Some(region) = regions.pop() {
                    for operation in &region.operations {
                        regions.extend(operation.kind.regions());
                        let types = operation.operands.iter().map(|value| &function.values[value.0 as usize]);
                        let known: Option<Vec<_>> = types.map(static_type).collect();
                        // Its window is known only at run time.
                        let late = matches!(operation.kind, Op::DynamicReduceWindow { .. });
                        let Some(known) = known.filter(|_| !late) else { continue };
                        let operands: Vec<Operand> =
                            known.iter().map(|(element, shape)| Operand::planned(element, shape)).collect();
                        let cost = own_cost(&operation.kind, &operands, &ElementType::Bool, 1.0);
                        let expected = operation.kind.traits().own_cost;
                        assert_eq!(cost.is_some(), expected, "{} {}", path.display(), operation.kind.name());
                        checked += 1;
                    }
                }
            }
        }
        assert!(checked > 1000, "{checked}");
    }

    #[test]
    fn sizes_that_cannot_be_counted() {
        let byte = ElementType::Integer { signed: false, width: 8 };
        assert_eq!(bytes(&byte, &[3, 5]), Some(15));
        assert_eq!(bytes(&byte, &[0, 5]), Some(0));
        assert_eq!(bytes(&byte, &[1 << 40, 1 << 40]), None);
        assert_eq!(bytes(&byte, &[0, 1 << 40, 1 << 40]), None);
    }
}
