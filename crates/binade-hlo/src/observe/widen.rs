//! Converts a program to binary64, as the reference of a comparison.
//!
//! Every floating-point type becomes `f64`, every complex type `complex<f64>`. Explicit roundings (`reduce_precision`,
//! `convert` to a narrower type) have no effect. Operations on the bits of a narrow type keep that type, between two
//! conversions: `bitcast_convert`, random numbers, quantisation, custom calls, and communication.

use binade_stablehlo::ir::{Function, Op, Operation, Program, Region, ValueId};
use binade_stablehlo::{ElementType, FloatType, Tensor, TensorType, Type, Value};

use crate::arithmetic::convert::convert;
use crate::error::EvalError;

/// Converts the program. Values keep their numbers; values that a conversion adds follow a function's own.
///
/// # Errors
/// A constant that cannot be converted.
pub fn widened(program: &Program) -> Result<Program, EvalError> {
    let functions = program.functions.iter().map(function).collect::<Result<_, _>>()?;
    Ok(program.with(functions))
}

/// Converts an input to the type that the widened program takes.
///
/// # Errors
/// A tensor that cannot be converted.
pub fn widened_value(value: &Value) -> Result<Value, EvalError> {
    Ok(match value {
        Value::Tensor(x) => Value::Tensor(tensor(x)?),
        Value::Token => Value::Token,
        Value::Tuple(values) => Value::Tuple(values.iter().map(widened_value).collect::<Result<_, _>>()?),
    })
}

fn tensor(x: &Tensor) -> Result<Tensor, EvalError> {
    let wide = element(&x.element);
    if wide == x.element {
        return Ok(x.clone());
    }
    Ok(Tensor::new(wide.clone(), x.shape.clone(), convert(x, &wide)?))
}

fn element(narrow: &ElementType) -> ElementType {
    match narrow {
        ElementType::Float(_) => ElementType::Float(FloatType::F64),
        ElementType::Complex(_) => ElementType::Complex(FloatType::F64),
        other => other.clone(),
    }
}

fn ty(narrow: &Type) -> Type {
    match narrow {
        Type::Tensor(x) => Type::Tensor(TensorType { element: element(&x.element), ..x.clone() }),
        Type::Token => Type::Token,
        Type::Tuple(types) => Type::Tuple(types.iter().map(ty).collect()),
    }
}

fn function(narrow: &Function) -> Result<Function, EvalError> {
    let mut values: Vec<Type> = narrow.values.iter().map(ty).collect();
    let body = region(&narrow.body, narrow, &mut values)?;
    let results = narrow.results.iter().map(ty).collect();
    Ok(Function { body, values, results, ..narrow.clone() })
}

fn region(narrow: &Region, of: &Function, values: &mut Vec<Type>) -> Result<Region, EvalError> {
    let mut operations = Vec::with_capacity(narrow.operations.len());
    for operation in &narrow.operations {
        let mut wide = operation.clone();
        if in_its_own_type(operation, of) {
            keep(wide, of, values, &mut operations);
            continue;
        }
        match &mut wide.kind {
            Op::Constant(x) => *x = tensor(x)?,
            // The operand passes unchanged.
            Op::ReducePrecision { .. } => wide.kind = Op::OptimizationBarrier,
            Op::DotGeneral { algorithm, .. } => *algorithm = None,
            kind => {
                for inner in kind.regions_mut() {
                    *inner = region(inner, of, values)?;
                }
            }
        }
        operations.push(wide);
    }
    Ok(Region { parameters: narrow.parameters.clone(), operations, results: narrow.results.clone() })
}

/// Returns true if an operation keeps its element types: it depends on their bits, or the types are those of another
/// program.
fn in_its_own_type(operation: &Operation, of: &Function) -> bool {
    let quantized = |value: &ValueId| matches!(&of.values[value.0 as usize], Type::Tensor(x) if matches!(x.element, ElementType::Quantized(_)));
    match &operation.kind {
        Op::BitcastConvert
        | Op::UniformQuantize
        | Op::UniformDequantize
        | Op::Rng { .. }
        | Op::RngBitGenerator(_)
        | Op::CustomCall { .. }
        | Op::Send { .. }
        | Op::Recv { .. }
        | Op::Infeed
        | Op::Outfeed
        | Op::Expect { .. }
        | Op::ExpectSerialized { .. } => true,
        // Control flow passes values on in the types that they have.
        kind if kind.is_control() => false,
        kind => {
            kind.regions().is_empty() && operation.operands.iter().chain(&operation.results).any(quantized)
        }
    }
}

/// Keeps an operation in its own types: converts its operands back, and its results to binary64.
fn keep(mut operation: Operation, of: &Function, values: &mut Vec<Type>, operations: &mut Vec<Operation>) {
    let convert = |from, to| Operation {
        kind: Op::Convert,
        operands: vec![from],
        results: vec![to],
        scope: operation.scope.clone(),
        position: operation.position,
    };
    let own = |value: ValueId, values: &mut Vec<Type>| {
        let narrow = &of.values[value.0 as usize];
        let (Type::Tensor(_), true) = (narrow, values[value.0 as usize] != *narrow) else { return None };
        values.push(narrow.clone());
        Some(ValueId(values.len() as u32 - 1))
    };
    let mut after = vec![];
    for operand in &mut operation.operands {
        if let Some(narrow) = own(*operand, values) {
            operations.push(convert(*operand, narrow));
            *operand = narrow;
        }
    }
    for result in &mut operation.results {
        if let Some(narrow) = own(*result, values) {
            after.push(convert(narrow, *result));
            *result = narrow;
        }
    }
    operations.push(operation);
    operations.extend(after);
}
