//! Runs single operations for the interpreter, by calling the modules that compute them.

use std::sync::Arc;

use binade_stablehlo::ir::{Gather, Op, Operation};
use binade_stablehlo::{CALLBACK, Data, ElementType, Tensor, Type, Value, is_python};

use super::expect::expect;
use super::interpreter::{Frame, Machine};
use super::values::{as_tensor, static_type, tensor};
use super::{custom, open_sizes};
use crate::arithmetic::body::Body;
use crate::arithmetic::iota::iota;
use crate::arithmetic::rules::KeyedProduct;
use crate::arithmetic::{batch_norm, convert, elementwise, quantized, random};
use crate::devices::{collective, manual};
use crate::error::EvalError;
use crate::linear::fft::fft;
use crate::linear::solve::{self, Triangle};
use crate::linear::{self};
use crate::movement::{gather, shape, sort};
use crate::plan::step::Applied;
use crate::reduction::{reduce, window};

/// The tensor operands of an operation.
struct Operands(Vec<Value>);

impl Operands {
    fn at(&self, at: usize) -> Result<&Tensor, EvalError> {
        as_tensor(
            self.0.get(at).ok_or_else(|| EvalError::shape("operand", format!("number {at} is missing")))?,
        )
    }

    /// Moves a tensor out of the operands, so that it can be changed in place.
    fn take(&mut self, at: usize) -> Result<Tensor, EvalError> {
        match self.0.get_mut(at) {
            Some(value) => tensor(std::mem::replace(value, Value::Token)),
            None => Err(EvalError::shape("operand", format!("number {at} is missing"))),
        }
    }

    fn range(&self, range: std::ops::Range<usize>) -> Result<Vec<Tensor>, EvalError> {
        range.map(|at| self.at(at).cloned()).collect()
    }

    fn all(self) -> Result<Vec<Tensor>, EvalError> {
        self.0.into_iter().map(tensor).collect()
    }

    /// The integers of one-dimensional operands.
    fn integers(&self, at: usize) -> Result<Vec<i64>, EvalError> {
        Ok(shape::integers(self.at(at)?))
    }

    /// The integers of scalar operands from `first` on.
    fn scalars(&self, first: usize) -> Result<Vec<i64>, EvalError> {
        self.0[first..].iter().map(|value| Ok(shape::integers(as_tensor(value)?)[0])).collect()
    }
}

/// Runs an operation other than control flow and kernels; `drawn` is a product under a stochastic rule.
pub(crate) fn evaluate<'p>(
    machine: &Machine<'p>,
    operation: &Operation,
    drawn: Option<KeyedProduct<'_>>,
    bodies: &[Applied],
    operands: Vec<Value>,
    frame: &mut Frame<'p>,
) -> Result<Vec<Value>, EvalError> {
    let function = frame.function;
    let declared = |result: usize| operation.results.get(result).map(|id| &function.values[id.0 as usize]);
    let element = match declared(0) {
        Some(Type::Tensor(tensor)) => tensor.element.clone(),
        _ => ElementType::Bool,
    };
    let fixed = || {
        let declared = declared(0).and_then(static_type).map(|(_, shape)| shape);
        declared.ok_or_else(|| EvalError::shape(operation.kind.name(), "the shape is not known"))
    };
    let frame = &*frame;
    let body = |at: usize| machine.body(&bodies[at], frame);
    let mut operands = Operands(operands);
    let many = |tensors: Vec<Tensor>| Ok(tensors.into_iter().map(Value::Tensor).collect());
    let result = match &operation.kind {
        Op::Constant(constant) => constant.clone(),
        Op::Iota { dimension } => iota(&element, *dimension, &fixed()?)?,
        Op::DynamicIota { dimension } => {
            let shape = sizes(machine, &element, &operands.integers(0)?)?;
            iota(&element, *dimension, &shape)?
        }
        Op::BroadcastInDim { dimensions } => broadcast(operands.at(0)?, dimensions, &fixed()?)?,
        Op::DynamicBroadcastInDim { dimensions } => {
            let shape = sizes(machine, &element, &operands.integers(1)?)?;
            broadcast(operands.at(0)?, dimensions, &shape)?
        }
        Op::Reshape => {
            let x = operands.take(0)?;
            let shape = match (fixed(), declared(0)) {
                (Err(_), Some(Type::Tensor(ty))) => closed(&ty.shape, x.data.len())?,
                (shape, _) => shape?,
            };
            reshape(x, &shape)?
        }
        Op::DynamicReshape => {
            let shape = sizes(machine, &element, &operands.integers(1)?)?;
            reshape(operands.take(0)?, &shape)?
        }
        Op::Transpose { permutation } => shape::transpose(operands.at(0)?, permutation),
        Op::Reverse { dimensions } => shape::reverse(operands.at(0)?, dimensions),
        Op::Concatenate { dimension } => {
            let inputs = operands.all()?;
            shape::concatenate(&inputs.iter().collect::<Vec<_>>(), *dimension)
        }
        Op::Pad { low, high, interior } => {
            pad(machine, operands.at(0)?, operands.at(1)?, low, high, interior)?
        }
        Op::DynamicPad => {
            let [low, high, interior] = [2, 3, 4].map(|at| operands.integers(at));
            pad(machine, operands.at(0)?, operands.at(1)?, &low?, &high?, &interior?)?
        }
        Op::Slice { start, limit, strides } => {
            let shape: Vec<usize> = (start.iter().zip(limit).zip(strides))
                .map(|((&start, &limit), &stride)| limit.saturating_sub(start).div_ceil(stride))
                .collect();
            shape::slice(operands.at(0)?, start, strides, &shape)
        }
        Op::RealDynamicSlice => {
            let [starts, limits, strides] = [1, 2, 3].map(|at| operands.integers(at));
            real_dynamic_slice(operands.at(0)?, &starts?, &limits?, &strides?)?
        }
        Op::DynamicSlice { sizes } => {
            let starts = operands.scalars(1)?;
            shape::dynamic_slice(operands.at(0)?, &starts, sizes)
        }
        Op::DynamicUpdateSlice => {
            let starts = operands.scalars(2)?;
            let update = operands.take(1)?;
            shape::dynamic_update_slice(operands.take(0)?, &update, &starts)
        }
        Op::GetDimensionSize { dimension } => {
            let size = operands.at(0)?.shape[*dimension];
            Tensor {
                element,
                shape: vec![],
                data: Arc::new(Data::I32(vec![i32::try_from(size).unwrap_or(i32::MAX)])),
            }
        }
        Op::SetDimensionSize { dimension } => {
            let size = operands.integers(1)?[0];
            let x = operands.at(0)?;
            let mut shape = x.shape.clone();
            match usize::try_from(size) {
                Ok(size) if size <= shape[*dimension] => shape[*dimension] = size,
                _ => {
                    let facts = format!(
                        "the size must be from 0 to that of the dimension: got {size} (dimension {dimension} of {shape:?})"
                    );
                    return Err(EvalError::shape("set_dimension_size", facts));
                }
            }
            shape::slice(x, &vec![0; shape.len()], &vec![1; shape.len()], &shape)
        }
        Op::TorchIndexSelect { dimension, batch_dims } => {
            let (indices, index) = (operands.integers(1)?, operands.at(1)?.shape.clone());
            let x = operands.at(0)?;
            if x.shape[*dimension] == 0 && !indices.is_empty() {
                let facts = format!(
                    "the operand must have elements to select: got none (dimension {dimension} of {:?})",
                    x.shape
                );
                return Err(EvalError::shape("torch_index_select", facts));
            }
            shape::torch_index_select(operands.at(0)?, &indices, &index, *dimension, *batch_dims)
        }
        Op::Gather(attributes) => {
            let sizes = attributes.slice_sizes.clone().unwrap_or_default();
            taken(machine, operands.at(0)?, operands.at(1)?, attributes, &sizes)?
        }
        Op::DynamicGather(attributes) => {
            let x = operands.at(0)?;
            let size =
                |(&size, &most): (&i64, &usize)| usize::try_from(size).ok().filter(|&size| size <= most);
            let sizes: Option<Vec<usize>> = operands.integers(2)?.iter().zip(&x.shape).map(size).collect();
            let sizes = sizes.ok_or_else(|| {
                EvalError::shape(
                    "dynamic_gather",
                    "slice sizes must be from 0 to those of the operand: got others",
                )
            })?;
            taken(machine, x, operands.at(1)?, attributes, &sizes)?
        }
        Op::Scatter { attributes, .. } => {
            let inputs = operands.0.len() / 2;
            let updates = operands.range(inputs + 1..2 * inputs + 1)?;
            let indices = operands.take(inputs)?;
            let inputs = (0..inputs).map(|at| operands.take(at)).collect::<Result<Vec<_>, _>>()?;
            let whole = machine.whole_windows();
            return many(gather::scatter(inputs, &indices, &updates, attributes, &body(0)?, whole)?);
        }
        Op::Map { .. } => return mapped(operands.all()?, &body(0)?, &element),
        Op::Reduce { dimensions, .. } => {
            let inputs = operands.0.len() / 2;
            let (inputs, initial) = (operands.range(0..inputs)?, operands.range(inputs..2 * inputs)?);
            let body = body(0)?;
            if let ([x], [initial]) = (&inputs[..], &initial[..])
                && let Some(sum) = machine.widening(&body, x, initial, dimensions)?
            {
                return many(vec![sum]);
            }
            return many(machine.widened(&body, &inputs, &initial, |inputs, initial, body, in_order| {
                reduce::reduce(inputs, initial, dimensions, body, in_order)
            })?);
        }
        Op::ReduceWindow { .. } | Op::DynamicReduceWindow { .. } => {
            let found;
            let (window, inputs) = match &operation.kind {
                Op::ReduceWindow { window, .. } => (window, operands.0.len() / 2),
                kind => {
                    // Not checked before if the types are closed.
                    if let Some(shape) = open_sizes::check(kind, &operands.0, &[])? {
                        machine.check_fits(&element, &shape)?;
                    }
                    let inputs = operands.0.len().saturating_sub(5) / 2;
                    let parts = operands.range(2 * inputs..operands.0.len())?;
                    found = open_sizes::window_of(&parts.iter().collect::<Vec<_>>());
                    let window = found.as_ref().ok_or_else(|| EvalError::shape(kind.name(), "no window"))?;
                    (window, inputs)
                }
            };
            let (inputs, initial) = (operands.range(0..inputs)?, operands.range(inputs..2 * inputs)?);
            let body = body(0)?;
            let slide = |inputs: &[Tensor], initial: &[Tensor], body: &Body, in_order| {
                window::reduce_window(inputs, initial, window, body, in_order)
            };
            return many(match body.operator() {
                Some((emulated, _)) if !emulated.is_sequential() => {
                    machine.widened(&body, &inputs, &initial, slide)?
                }
                _ => slide(&inputs, &initial, &body, machine.in_order() || body.in_order())?,
            });
        }
        Op::SelectAndScatter { window, .. } => {
            let (operand, source, initial) = (operands.at(0)?, operands.at(1)?, operands.at(2)?);
            window::select_and_scatter(operand, source, initial, window, &body(0)?, &body(1)?)?
        }
        Op::Sort { dimension, comparator, .. } => {
            let rows = sort::rows(&operands.all()?, *dimension);
            let body = body(0)?;
            let order = match sort::keys(comparator, &frame.function.values, &rows)? {
                Some(keys) => sort::Order::Keys(keys),
                None => sort::Order::Comparator(&body),
            };
            return many(sort::sort(rows, *dimension, order)?);
        }
        Op::TopK { k } => {
            let x = operands.at(0)?;
            let (values, positions) = sort::top_k(x, *k)?;
            return many(vec![values, positions]);
        }
        Op::DotGeneral { dimensions, algorithm } => {
            let (lhs, rhs) = (operands.at(0)?, operands.at(1)?);
            linear::dot_general(
                lhs,
                rhs,
                dimensions,
                algorithm.as_ref(),
                &element,
                machine.arithmetic(operation, drawn),
            )?
        }
        Op::RaggedDot(attributes) => {
            let (lhs, rhs, sizes) = (operands.at(0)?, operands.at(1)?, operands.at(2)?);
            linear::ragged_dot(lhs, rhs, sizes, attributes, &element, machine.arithmetic(operation, drawn))?
        }
        Op::SparseDot => {
            if let Some(shape) = open_sizes::check(&operation.kind, &operands.0, &[])? {
                machine.check_fits(&element, &shape)?;
            }
            let [values, starts, columns, rhs] = [0, 1, 2, 3].map(|at| operands.at(at));
            linear::sparse_dot(
                values?,
                starts?,
                columns?,
                rhs?,
                &element,
                machine.arithmetic(operation, drawn),
            )?
        }
        Op::Convolution(attributes) => {
            let (lhs, rhs) = (operands.at(0)?, operands.at(1)?);
            linear::convolution(lhs, rhs, attributes, &element, machine.arithmetic(operation, drawn))?
        }
        Op::DynamicConv(attributes) => {
            let padding = operands.integers(2)?;
            let mut attributes = attributes.clone();
            attributes.padding = padding.chunks_exact(2).map(|edge| (edge[0], edge[1])).collect();
            let (lhs, rhs) = (operands.at(0)?, operands.at(1)?);
            linear::convolution(lhs, rhs, &attributes, &element, machine.arithmetic(operation, drawn))?
        }
        Op::Cholesky { lower } => solve::cholesky(operands.at(0)?, *lower)?,
        Op::TriangularSolve { left_side, lower, unit_diagonal, transpose, conjugate } => {
            let triangle = Triangle {
                left_side: *left_side,
                lower: *lower,
                unit_diagonal: *unit_diagonal,
                transpose: *transpose,
                conjugate: *conjugate,
            };
            solve::triangular_solve(operands.at(0)?, operands.at(1)?, triangle)?
        }
        Op::Fft { kind, length } => fft(operands.at(0)?, *kind, length)?,
        Op::BatchNormInference { epsilon, feature } => {
            batch_norm::inference(&operands.all()?, *epsilon, *feature)?
        }
        Op::BatchNormTraining { epsilon, feature } => {
            return many(batch_norm::training(&operands.all()?, *epsilon, *feature, &machine.sums())?);
        }
        Op::BatchNormGrad { epsilon, feature } => {
            return many(batch_norm::gradient(&operands.all()?, *epsilon, *feature, &machine.sums())?);
        }
        Op::OptimizationBarrier => return Ok(operands.0),
        Op::AfterAll => return Ok(vec![Value::Token]),
        Op::Tuple => return Ok(vec![Value::Tuple(operands.0)]),
        Op::GetTupleElement { index } => match operands.0.into_iter().next() {
            Some(Value::Tuple(mut values)) if *index < values.len() => {
                return Ok(vec![values.swap_remove(*index)]);
            }
            _ => return Err(EvalError::shape("get_tuple_element", format!("no element {index}"))),
        },
        Op::Rng { normal } => {
            let shape = sizes(machine, &element, &operands.integers(2)?)?;
            let draw = machine.shared.draw(machine.process);
            let data =
                random::rng(*normal, operands.at(0)?, operands.at(1)?, &shape, machine.options.seed, draw)?;
            Tensor { element, shape, data: Arc::new(data) }
        }
        Op::RngBitGenerator(algorithm) => {
            let Some(Type::Tensor(ty)) = declared(1) else {
                return Err(EvalError::shape("rng_bit_generator", "the shape is not known"));
            };
            let element = &ty.element;
            let shape = match (operands.0.len(), declared(1).and_then(static_type)) {
                (2, _) => sizes(machine, element, &operands.integers(1)?)?,
                (_, Some((_, shape))) => shape,
                _ => return Err(EvalError::shape("rng_bit_generator", "the shape is not known")),
            };
            let (state, data) = random::bits(*algorithm, operands.at(0)?, element, &shape)?;
            let bits = Tensor { element: element.clone(), shape, data: Arc::new(data) };
            return many(vec![state, bits]);
        }
        Op::AllGather { .. }
        | Op::AllReduce { .. }
        | Op::AllToAll { .. }
        | Op::CollectiveBroadcast { .. }
        | Op::CollectiveReduce { .. }
        | Op::CollectivePermute(_)
        | Op::ReduceScatter { .. } => {
            let body = bodies.first().map(|applied| machine.body(applied, frame)).transpose()?;
            return many(collective::evaluate(machine, &operation.kind, operands.all()?, body)?);
        }
        Op::PartitionId => id(machine.process.1),
        Op::ReplicaId => id(machine.process.0),
        Op::Send { channel, .. } => {
            let mut values = operands.0;
            values.pop();
            collective::send(machine, *channel, values)?;
            return Ok(vec![Value::Token]);
        }
        Op::Recv { channel, .. } => return collective::receive(machine, *channel),
        Op::Infeed => return collective::infeed(machine, Machine::depth(frame)),
        Op::Outfeed => return Ok(vec![Value::Token]),
        Op::ManualComputation(manual) => return manual::evaluate(machine, manual, operands.0),
        Op::RunParallel { programs, infeed } => {
            return collective::run_parallel(machine, programs, infeed, operands.0);
        }
        Op::Expect { tolerance } => {
            expect(*tolerance, operands.at(0)?, operands.at(1)?)?;
            return Ok(vec![]);
        }
        Op::ExpectSerialized { id, iteration } => {
            let seen = machine.shared.seen(id, *iteration);
            let seen = seen.ok_or_else(|| EvalError::Probe { id: id.clone(), iteration: *iteration })?;
            expect(binade_stablehlo::ir::Tolerance::Equal, operands.at(0)?, &seen)?;
            return Ok(vec![]);
        }
        Op::Probe { id } => {
            machine.shared.saw(id, operands.at(0)?.clone());
            return Ok(operands.0);
        }
        Op::Print => {
            (machine.options.print)(operands.at(0)?);
            return Ok(if operation.results.is_empty() { vec![] } else { operands.0 });
        }
        Op::CustomCall { target, backend_config, shapes, .. } => {
            let mut declared: Vec<&Type> = (0..operation.results.len()).filter_map(declared).collect();
            let mut sized = vec![];
            for (&at, &ty) in shapes.iter().zip(&declared) {
                let element = if let Type::Tensor(ty) = ty { &ty.element } else { &element };
                let shape = sizes(machine, element, &operands.integers(at)?)?;
                sized.push(custom::sized(target, ty, &shape)?);
            }
            if !shapes.is_empty() {
                declared = sized.iter().collect();
                let mut at = 0;
                operands.0.retain(|_| {
                    at += 1;
                    !shapes.contains(&(at - 1))
                });
            }
            return match &machine.options.host {
                Some(host) if target == CALLBACK => {
                    custom::call_host(host, backend_config, operands.0, &declared)
                }
                None if is_python(target) => custom::call_nobody(target, &declared),
                _ => custom::call(target, backend_config, operands.0, &declared),
            };
        }
        Op::UniformQuantize => {
            elementwise_result(operands.at(0)?, &element, |x| quantized::uniform_quantize(x, &element))?
        }
        Op::UniformDequantize => quantized::dequantize(operands.at(0)?)?,
        // Elementwise operations without a kernel: on quantized types, and conversions between elements of different
        // widths.
        Op::Unary(unary) => {
            elementwise_result(operands.at(0)?, &element, |x| elementwise::unary(*unary, x, &element))?
        }
        Op::Binary(binary) => elementwise_result(operands.at(0)?, &element, |x| {
            elementwise::binary(*binary, x, operands.at(1)?, &element)
        })?,
        Op::Compare { direction, order } => elementwise_result(operands.at(0)?, &element, |x| {
            elementwise::compare(*direction, *order, x, operands.at(1)?)
        })?,
        Op::Select => elementwise_result(operands.at(1)?, &element, |yes| {
            elementwise::select(operands.at(0)?, yes, operands.at(2)?)
        })?,
        Op::Clamp => elementwise_result(operands.at(1)?, &element, |x| {
            elementwise::clamp(operands.at(0)?, x, operands.at(2)?)
        })?,
        Op::Convert | Op::Promote => {
            elementwise_result(operands.at(0)?, &element, |x| convert::convert(x, &element))?
        }
        Op::ReducePrecision { exponent_bits, mantissa_bits } => {
            elementwise_result(operands.at(0)?, &element, |x| {
                convert::reduce_precision(x, *exponent_bits, *mantissa_bits)
            })?
        }
        Op::BitcastConvert => {
            let x = operands.at(0)?;
            let shape = bitcast_shape(x, &element)?;
            let data = convert::bitcast(x, &element, shape.iter().product())?;
            Tensor { element, shape, data: Arc::new(data) }
        }
        Op::While { .. } | Op::If { .. } | Op::Case { .. } | Op::Call { .. } | Op::Composite { .. } => {
            unreachable!("control flow is the machine's")
        }
    };
    // Quantized types may differ in their axis between operand and result.
    let result = match declared(0) {
        Some(Type::Tensor(tensor)) => Tensor { element: tensor.element.clone(), ..result },
        _ => result,
    };
    Ok(vec![Value::Tensor(result)])
}

fn elementwise_result(
    x: &Tensor,
    element: &ElementType,
    compute: impl Fn(&Tensor) -> Result<Data, EvalError>,
) -> Result<Tensor, EvalError> {
    Ok(Tensor { element: element.clone(), shape: x.shape.clone(), data: Arc::new(compute(x)?) })
}

/// The shape after `bitcast_convert`. Narrower elements add a last dimension, wider ones remove it.
fn bitcast_shape(x: &Tensor, to: &ElementType) -> Result<Vec<usize>, EvalError> {
    let refused = || EvalError::result("bitcast_convert", &x.element, to);
    let (from, to) = (x.element.bits(), to.bits());
    let mut shape = x.shape.clone();
    if from > to {
        shape.push(from / to);
    } else if to > from && shape.pop() != Some(to / from) {
        return Err(refused());
    }
    Ok(shape)
}

fn broadcast(x: &Tensor, dimensions: &[usize], shape: &[usize]) -> Result<Tensor, EvalError> {
    for (&size, &dimension) in x.shape.iter().zip(dimensions) {
        if dimension >= shape.len() || (size != 1 && size != shape[dimension]) {
            let facts = format!("{:?} does not broadcast to {shape:?} along {dimensions:?}", x.shape);
            return Err(EvalError::shape("broadcast", facts));
        }
    }
    Ok(shape::broadcast_in_dim(x, dimensions, shape))
}

fn reshape(x: Tensor, shape: &[usize]) -> Result<Tensor, EvalError> {
    if shape.iter().product::<usize>() != x.data.len() {
        return Err(EvalError::shape("reshape", format!("{:?} has other elements than {shape:?}", x.shape)));
    }
    Ok(shape::reshape(x, shape))
}

/// Checks sizes that the program has computed against the memory limit.
fn sizes(machine: &Machine, element: &ElementType, sizes: &[i64]) -> Result<Vec<usize>, EvalError> {
    let size = |&size: &i64| {
        usize::try_from(size).map_err(|_| EvalError::shape("shape", format!("{sizes:?} has a negative size")))
    };
    let shape: Vec<usize> = sizes.iter().map(size).collect::<Result<_, _>>()?;
    machine.check_fits(element, &shape)?;
    Ok(shape)
}

fn pad(
    machine: &Machine,
    x: &Tensor,
    value: &Tensor,
    low: &[i64],
    high: &[i64],
    interior: &[i64],
) -> Result<Tensor, EvalError> {
    let size = |at: usize| -> Option<i64> {
        let size = i128::try_from(x.shape[at]).ok()?;
        let (low, high, interior) = (i128::from(low[at]), i128::from(high[at]), i128::from(interior[at]));
        let inner = size + (size - 1).max(0).checked_mul(interior)?;
        (interior >= 0).then_some(())?;
        i64::try_from((low + inner + high).max(0)).ok()
    };
    let shape: Option<Vec<i64>> = (0..x.shape.len()).map(size).collect();
    let shape = shape.ok_or_else(|| EvalError::shape("pad", format!("{:?} cannot be padded so", x.shape)))?;
    let shape = sizes(machine, &x.element, &shape)?;
    Ok(shape::pad(x, value, low, interior, &shape))
}

fn real_dynamic_slice(
    x: &Tensor,
    starts: &[i64],
    limits: &[i64],
    strides: &[i64],
) -> Result<Tensor, EvalError> {
    let mut result = (vec![], vec![], vec![]);
    for (at, &size) in x.shape.iter().enumerate() {
        let (start, limit, stride) = (starts[at], limits[at], strides[at]);
        if !(0 <= start && start <= limit && limit <= size as i64 && stride >= 1) {
            let facts = format!("{start}:{limit}:{stride} is not within a dimension of {size}");
            return Err(EvalError::shape("real_dynamic_slice", facts));
        }
        result.0.push(start as usize);
        result.1.push(stride as usize);
        result.2.push(((limit - start) as usize).div_ceil(stride as usize));
    }
    Ok(shape::slice(x, &result.0, &result.1, &result.2))
}

fn taken(
    machine: &Machine,
    x: &Tensor,
    indices: &Tensor,
    attributes: &Gather,
    slices: &[usize],
) -> Result<Tensor, EvalError> {
    let Gather { offset_dims, collapsed_slice_dims, operand_batching_dims, index_vector_dim, .. } =
        attributes;
    let mut batch = indices.shape.clone();
    if *index_vector_dim < batch.len() {
        batch.remove(*index_vector_dim);
    }
    let mut batch = batch.into_iter();
    let mut window = (0..slices.len())
        .filter(|at| !collapsed_slice_dims.contains(at) && !operand_batching_dims.contains(at))
        .map(|at| slices[at]);
    let rank = batch.len() + offset_dims.len();
    let size = |at: usize| if offset_dims.contains(&at) { window.next() } else { batch.next() };
    let shape: Option<Vec<usize>> = (0..rank).map(size).collect();
    let shape = shape.ok_or_else(|| {
        EvalError::shape("gather", "slices and result must have the same rank: got other ranks")
    })?;
    machine.check_fits(&x.element, &shape)?;
    // An empty window gives no element to a result without a dimension for it.
    if slices.contains(&0) && !shape.contains(&0) {
        let facts =
            format!("slices must not be empty for a result with elements: got {slices:?} for {shape:?}");
        return Err(EvalError::shape("gather", facts));
    }
    Ok(gather::gather(x, indices, attributes, slices, &shape))
}

/// The sizes of a tensor of `elements` elements whose type leaves one size open.
fn closed(shape: &[Option<usize>], elements: usize) -> Result<Vec<usize>, EvalError> {
    let known: usize = shape.iter().flatten().product();
    let open = shape.iter().filter(|size| size.is_none()).count();
    match elements.checked_div(known) {
        Some(size) if open == 1 && size * known == elements => {
            Ok(shape.iter().map(|known| known.unwrap_or(size)).collect())
        }
        _ => Err(EvalError::shape(
            "reshape",
            format!("{elements} elements do not tell the sizes of the result"),
        )),
    }
}

fn mapped(inputs: Vec<Tensor>, body: &Body, element: &ElementType) -> Result<Vec<Value>, EvalError> {
    let data = reduce::each(&inputs.iter().collect::<Vec<_>>(), body, &[element])?.remove(0);
    let result = Tensor { element: element.clone(), shape: inputs[0].shape.clone(), data: Arc::new(data) };
    Ok(vec![Value::Tensor(result)])
}

fn id(at: usize) -> Tensor {
    Tensor {
        element: ElementType::Integer { signed: false, width: 32 },
        shape: vec![],
        data: Arc::new(Data::U32(vec![at as u32])),
    }
}
