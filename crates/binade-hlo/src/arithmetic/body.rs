//! Applies regions on scalars (the bodies of reductions, sorts and scatters) to many elements at once. A body of
//! elementwise operations is a [`Kernel`] whose lanes are independent applications. The interpreter runs any other body
//! once per element.

use std::collections::HashMap;
use std::sync::Arc;

use binade_kernels::{Fold, Rounder};
use binade_stablehlo::ir::{Binary, Op, Operation, Region, ValueId};
use binade_stablehlo::storage::Stored;
use binade_stablehlo::{Data, ElementType, FloatType, Tensor, TensorType, Type, View, ViewMut, each_storage};

use super::contraction::Pairs;
use super::emulated::{self, Emulated, Fused};
use super::form::{Form, form};
use super::instruction::Instruction;
use super::kernel::{Access, Builder, Kernel, Scratch, Source};
use super::rules::Rules;
use crate::error::EvalError;
use crate::options::Options;
use crate::reduction::folding::Folding;

/// Applies a region to scalars by the interpreter.
pub(crate) type Walker<'a> = Box<dyn FnMut(Vec<Tensor>) -> Result<Vec<Tensor>, EvalError> + 'a>;

/// A region on scalars that is made of elementwise operations.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    pub(crate) kernel: Kernel,
    /// Values from outside the region, which are inputs of the kernel after the parameters.
    pub(crate) captured: Vec<Outside>,
    pub(crate) form: Form,
    /// The operator's step, if an operator combines elements.
    pub(crate) step: Option<(Arc<Emulated>, Fused)>,
    /// The operation on binary32 and the rounding of its result, if the region is only these.
    pub(crate) rounded: Option<(Fold, Rounder)>,
    /// True if elements must be combined in index order, because an operator's steps are not associative.
    pub(crate) in_order: bool,
}

/// A value from outside the body.
#[derive(Clone, Debug)]
pub(crate) enum Outside {
    Value(ValueId),
    Constant(Tensor),
}

impl Outside {
    pub(crate) fn value(&self) -> Option<ValueId> {
        match self {
            Outside::Value(value) => Some(*value),
            Outside::Constant(_) => None,
        }
    }
}

/// The properties of a body by which an algorithm is chosen.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Steps<'a> {
    /// The operator's step, if an operator combines elements.
    pub(crate) operator: Option<(&'a Arc<Emulated>, Fused)>,
    /// The operation and the rounding of its result, if the body is only these.
    pub(crate) folding: Option<Folding<'a>>,
    /// True if elements must be combined in index order.
    pub(crate) in_order: bool,
}

/// A body in the form in which it is applied.
pub(crate) enum Body<'a> {
    Kernel { kernel: &'a Kernel, captured: Vec<Tensor>, form: Form, rule: Steps<'a> },
    Walk { worker: Box<dyn Fn() -> Walker<'a> + Sync + 'a>, parameters: Vec<ElementType>, in_order: bool },
}

/// One thread's working state for a body.
pub(crate) enum Worker<'a> {
    Kernel { kernel: &'a Kernel, captured: Vec<View<'a>>, scratch: Scratch },
    Walk { walker: Walker<'a>, parameters: &'a [ElementType] },
}

/// Compiles a region whose parameters and operations are all scalar and elementwise. If an operation combines elements
/// by an operator, its own rule applies; otherwise the rules for the region's operations do.
pub(crate) fn compile(
    operation: &Operation,
    region: &Region,
    values: &[Type],
    options: &Options,
) -> Option<Compiled> {
    let (rules, form) = (&options.rules, form(region));
    if let (Some(fused), [result]) = (emulated::reduction(form), &region.results[..])
        && let Type::Tensor(TensorType { element, .. }) = &values[result.0 as usize]
        && let Some(emulated) = rules.operator(operation, element)
    {
        let kernel = Kernel::step(emulated, fused, element);
        let step = Some((emulated.clone(), fused));
        let form = Form::General;
        return Some(Compiled { kernel, captured: vec![], form, step, rounded: None, in_order: true });
    }
    let pairs = Pairs::of(region, values, rules);
    let mut in_order = false;
    let mut builder = Builder::default();
    let mut sources = HashMap::new();
    let element = |value: ValueId| match &values[value.0 as usize] {
        Type::Tensor(tensor)
            if tensor.shape.is_empty() && !matches!(tensor.element, ElementType::Quantized(_)) =>
        {
            Some(&tensor.element)
        }
        _ => None,
    };
    for &parameter in &region.parameters {
        sources.insert(parameter, builder.input(Access::Dense, element(parameter)?));
    }
    let mut captured = vec![];
    let mut outside = |value: ValueId, builder: &mut Builder, sources: &mut HashMap<ValueId, Source>| {
        if let Some(source) = sources.get(&value) {
            return Some(*source);
        }
        let source = builder.input(Access::Splat(0), element(value)?);
        captured.push(Outside::Value(value));
        sources.insert(value, source);
        Some(source)
    };
    let (mut constants, mut rounded) = (vec![], false);
    for (at, operation) in region.operations.iter().enumerate() {
        if pairs.absorbs(at) {
            continue;
        }
        let [result] = operation.results[..] else { return None };
        let rounding = rules.rounding(operation, element(result)?);
        rounded |= rounding.is_some();
        let source = match &operation.kind {
            Op::Constant(constant) => {
                let source = builder.input(Access::Splat(0), element(result)?);
                constants.push((source, constant.clone()));
                builder.round(source, rounding, element(result)?)
            }
            Op::Reshape | Op::BroadcastInDim { .. } | Op::Transpose { .. } | Op::OptimizationBarrier => {
                element(result)?;
                let source = outside(*operation.operands.first()?, &mut builder, &mut sources)?;
                builder.round(source, rounding, element(result)?)
            }
            _ => {
                let pair = pairs.at(at);
                let operands = pair.map_or(&operation.operands[..], |pair| &pair.operands);
                let operands = operands.iter().map(|&operand| outside(operand, &mut builder, &mut sources));
                let operands = operands.collect::<Option<Vec<_>>>()?;
                let result = element(result)?;
                in_order |= pair.is_some() || rules.operator(operation, result).is_some();
                match pair {
                    Some(pair) => builder.fused(&pair.emulated, pair.fused, operands, result),
                    None => builder.operation(operation, operands, result, rules)?,
                }
            }
        };
        sources.insert(result, source);
    }
    let results = region.results.iter().map(|&result| outside(result, &mut builder, &mut sources));
    let results = results.collect::<Option<Vec<_>>>()?;
    // Inputs are numbered in the order of their first use; constants become captured values in that order.
    let parameters = region.parameters.len();
    let mut all: Vec<Option<Outside>> = vec![None; captured.len() + constants.len()];
    for (source, constant) in constants {
        let Source::Input(at) = source else { unreachable!("constants are inputs") };
        all[at - parameters] = Some(Outside::Constant(constant));
    }
    let mut captured = captured.into_iter();
    let captured =
        all.into_iter().map(|outside| outside.or_else(|| captured.next())).collect::<Option<Vec<_>>>()?;
    Some(Compiled {
        kernel: builder.finish(results),
        captured,
        form: if rounded || in_order { Form::General } else { form },
        step: None,
        rounded: if in_order { None } else { rounded_fold(region, values, rules) },
        in_order,
    })
}

/// Recognises a region that folds binary32 numbers and rounds every result.
fn rounded_fold(region: &Region, values: &[Type], rules: &Rules) -> Option<(Fold, Rounder)> {
    let [operation] = &region.operations[..] else { return None };
    let Form::Combine(binary) = form(region) else { return None };
    let fold = match binary {
        Binary::Add => Fold::Add,
        Binary::Multiply => Fold::Multiply,
        Binary::Maximum => Fold::Maximum,
        Binary::Minimum => Fold::Minimum,
        _ => return None,
    };
    let Type::Tensor(TensorType { element, .. }) = &values[operation.results[0].0 as usize] else {
        return None;
    };
    let rounder = rules.rounding(operation, element)?.rounder()?;
    // Of two NaN operands the first one is the result, so their order matters.
    let same = *element == ElementType::Float(FloatType::F32) && operation.operands == region.parameters;
    same.then(|| (fold, rounder.clone()))
}

/// The kernel of one operation on two scalars of this type.
pub(crate) fn combine(binary: Binary, element: &ElementType) -> Kernel {
    Kernel::single(
        Instruction::Binary(binary),
        &[(element.clone(), false), (element.clone(), false)],
        element,
    )
}

impl<'a> Body<'a> {
    pub(crate) fn form(&self) -> Form {
        match self {
            Body::Kernel { form, .. } => *form,
            Body::Walk { .. } => Form::General,
        }
    }

    /// The operator's step, if an operator combines elements.
    pub(crate) fn operator(&self) -> Option<(&Arc<Emulated>, Fused)> {
        match self {
            Body::Kernel { rule, .. } => rule.operator,
            Body::Walk { .. } => None,
        }
    }

    /// The operation and the rounding of its result, if the body is only these.
    pub(crate) fn folding(&self) -> Option<Folding<'_>> {
        match self {
            Body::Kernel { rule, .. } => rule.folding,
            Body::Walk { .. } => None,
        }
    }

    /// Returns true if elements must be combined in index order.
    pub(crate) fn in_order(&self) -> bool {
        match self {
            Body::Kernel { rule, .. } => rule.in_order,
            Body::Walk { in_order, .. } => *in_order,
        }
    }

    /// Makes working memory for up to `lanes` elements at once.
    pub(crate) fn worker(&self, lanes: usize) -> Worker<'_> {
        match self {
            Body::Kernel { kernel, captured, .. } => {
                let captured: Vec<View> = captured.iter().map(|tensor| tensor.data.view()).collect();
                let parameters = kernel.inputs() - captured.len();
                let mut inputs = vec![View::U8(&[]); parameters];
                inputs.extend(&captured);
                Worker::Kernel { kernel, scratch: kernel.scratch(&inputs, lanes), captured }
            }
            Body::Walk { worker, parameters, .. } => Worker::Walk { walker: worker(), parameters },
        }
    }
}

impl Worker<'_> {
    /// Applies the body to `lanes` elements of each input, and writes as many to each output.
    pub(crate) fn apply(
        &mut self,
        inputs: &[View],
        lanes: usize,
        outputs: &mut [ViewMut],
    ) -> Result<(), EvalError> {
        match self {
            Worker::Kernel { kernel, captured, scratch } => {
                let mut all: Vec<View> = Vec::with_capacity(inputs.len() + captured.len());
                all.extend(inputs);
                all.extend(captured.iter());
                kernel.run(scratch, &all, (0, lanes), outputs, 0)?;
            }
            Worker::Walk { walker, parameters } => {
                for lane in 0..lanes {
                    let scalar = |(input, element): (&View, &ElementType)| scalar(*input, lane, element);
                    let results = walker(inputs.iter().zip(parameters.iter()).map(scalar).collect())?;
                    for (output, result) in outputs.iter_mut().zip(results) {
                        output.range(lane..lane + 1).copy_from(result.data.view());
                    }
                }
            }
        }
        Ok(())
    }
}

/// One element as a tensor.
fn scalar(input: View, at: usize, element: &ElementType) -> Tensor {
    let mut data = Data::zeros(element, 1);
    each_storage!(Data, &mut data, data => data[0] = Stored::of_view(input)[at]);
    Tensor { element: element.clone(), shape: vec![], data: Arc::new(data) }
}
