//! Runs the known custom calls for the interpreter. Those of `check` are operations already.

use std::sync::Arc;

use binade_stablehlo::ir::{Op, Unary};
use binade_stablehlo::{CALLBACK, Data, ElementType, Tensor, TensorType, Type, Value};

use super::open_sizes;
use super::values::{as_tensor, tensor};
use crate::arithmetic::elementwise;
use crate::error::EvalError;
use crate::linear::lapack::{self, Routine};
use crate::linear::scaled::{BLOCK_SCALED_DOT, block_scaled_dot};
use crate::linear::solve::{self, Triangle};
use crate::movement::shape::integers;
use crate::movement::sort;
use crate::options::Host;

/// The effect of a known target.
enum Known {
    /// States a sharding; operands are returned unchanged.
    Pass,
    /// Fails unless the first operand, an `i1`, is true.
    Assertion,
    Unary(Unary),
    TopK,
    /// LAPACK's `potrf`: a Cholesky factor, and an error code or 0.
    Cholesky,
    /// BLAS's `trsm`.
    TriangularSolve,
    /// A product of elements and the scales of their blocks.
    BlockScaledDot,
}

const KNOWN: &[(&str, Known)] = &[
    ("Sharding", Known::Pass),
    ("SPMDFullToShardShape", Known::Pass),
    ("SPMDShardToFullShape", Known::Pass),
    ("LayoutConstraint", Known::Pass),
    ("annotate_device_placement", Known::Pass),
    ("xla.sdy.GlobalToLocalShape", Known::Pass),
    ("xla.sdy.LocalToGlobalShape", Known::Pass),
    ("xla.sdy.FuncResultSharding", Known::Pass),
    ("shape_assertion", Known::Assertion),
    ("lapack_spotrf_ffi", Known::Cholesky),
    ("lapack_dpotrf_ffi", Known::Cholesky),
    ("lapack_cpotrf_ffi", Known::Cholesky),
    ("lapack_zpotrf_ffi", Known::Cholesky),
    ("lapack_strsm_ffi", Known::TriangularSolve),
    ("lapack_dtrsm_ffi", Known::TriangularSolve),
    ("lapack_ctrsm_ffi", Known::TriangularSolve),
    ("lapack_ztrsm_ffi", Known::TriangularSolve),
    (BLOCK_SCALED_DOT, Known::BlockScaledDot),
    ("mhlo.topk", Known::TopK),
    ("stablehlo.dynamic_top_k", Known::TopK),
    ("mhlo.acos", Known::Unary(Unary::Acos)),
    ("mhlo.acosh", Known::Unary(Unary::Acosh)),
    ("mhlo.asin", Known::Unary(Unary::Asin)),
    ("mhlo.asinh", Known::Unary(Unary::Asinh)),
    ("mhlo.atan", Known::Unary(Unary::Atan)),
    ("mhlo.atanh", Known::Unary(Unary::Atanh)),
    ("mhlo.cosh", Known::Unary(Unary::Cosh)),
    ("mhlo.erf", Known::Unary(Unary::Erf)),
    ("mhlo.sinh", Known::Unary(Unary::Sinh)),
    ("mhlo.tan", Known::Unary(Unary::Tan)),
];

/// Handles a Python call without a Python process. A call without results is skipped.
///
/// # Errors
/// If the call has results.
pub(crate) fn call_nobody(target: &str, declared: &[&Type]) -> Result<Vec<Value>, EvalError> {
    let token = |declared: &&Type| (**declared == Type::Token).then_some(Value::Token);
    let tokens: Option<Vec<Value>> = declared.iter().map(token).collect();
    tokens.ok_or_else(|| EvalError::Python { target: target.to_string() })
}

/// Calls the host function with this name. Tokens only order calls, and operations already run in order, so the call returns
/// its operands' tokens.
///
/// # Errors
/// An error of the host function, or results of other types than the program states.
pub(crate) fn call_host(
    host: &Host,
    name: &str,
    operands: Vec<Value>,
    declared: &[&Type],
) -> Result<Vec<Value>, EvalError> {
    let mut arguments = vec![];
    for operand in operands {
        match operand {
            Value::Tensor(tensor) => arguments.push(tensor),
            Value::Token => {}
            Value::Tuple(_) => {
                return Err(EvalError::shape(CALLBACK, "operands must be tensors or tokens: got a tuple"));
            }
        }
    }
    let mut types = vec![];
    for declared in declared {
        match declared {
            Type::Tensor(ty) if !ty.is_open() => types.push(ty),
            Type::Token => {}
            other => {
                return Err(EvalError::shape(
                    CALLBACK,
                    format!("results must be tensors or tokens: got {other}"),
                ));
            }
        }
    }
    let made = host.call(name, &arguments, &types);
    let mut made = made.map_err(|facts| EvalError::Callback { facts })?.into_iter();
    let next = |declared: &&Type| match declared {
        Type::Tensor(_) => made.next().map(Value::Tensor),
        _ => Some(Value::Token),
    };
    let results: Option<Vec<Value>> = declared.iter().map(next).collect();
    results.ok_or_else(|| {
        EvalError::shape(CALLBACK, "the callback must return the results that the program states: got fewer")
    })
}

/// `custom_call`.
///
/// # Errors
/// If the target is unknown, an assertion fails, or operands and results do not fit.
pub(crate) fn call(
    target: &str,
    config: &str,
    operands: Vec<Value>,
    declared: &[&Type],
) -> Result<Vec<Value>, EvalError> {
    if let Some(routine) = Routine::of(target) {
        let tensors = operands.iter().map(as_tensor).collect::<Result<Vec<_>, _>>()?;
        return lapack::call(target, routine, &|name| number(config, name), &tensors, declared);
    }
    let Some((_, known)) = KNOWN.iter().find(|(name, _)| *name == target) else {
        return Err(EvalError::CustomCall { target: target.to_string() });
    };
    let operand = |at: usize| match operands.get(at) {
        Some(value) => as_tensor(value),
        None => Err(EvalError::shape(target, format!("operand {at} is missing"))),
    };
    match known {
        Known::Pass => {
            for (value, declared) in operands.iter().zip(declared) {
                if let (Value::Tensor(tensor), Type::Tensor(ty)) = (value, declared)
                    && !(ty.element == tensor.element
                        && ty.shape.iter().copied().eq(tensor.shape.iter().map(|&size| Some(size))))
                {
                    let facts = format!(
                        "operand and result must have the same type where a program runs on one device: got {:?} of {} for {ty}",
                        tensor.shape, tensor.element
                    );
                    return Err(EvalError::shape(target, facts));
                }
            }
            Ok(operands)
        }
        Known::Assertion => match integers(operand(0)?)[..] {
            [0] => {
                let facts: Vec<String> = operands[1..]
                    .iter()
                    .map(|value| Ok(format!("{:?}", integers(as_tensor(value)?))))
                    .collect::<Result<_, EvalError>>()?;
                Err(EvalError::shape(
                    target,
                    format!("the assertion must be true: got false for ({})", facts.join(", ")),
                ))
            }
            _ => Ok(vec![]),
        },
        Known::Unary(unary) => {
            let x = operand(0)?;
            let data = Arc::new(elementwise::unary(*unary, x, &x.element)?);
            Ok(vec![Value::Tensor(Tensor { data, ..x.clone() })])
        }
        Known::Cholesky => {
            let x = operand(0)?;
            let lower = option(config, "uplo") == Some(b'L');
            open_sizes::check(&Op::Cholesky { lower }, &operands, declared)?;
            let (factor, failed) = solve::half_cholesky(x, lower)?;
            let shape = x.shape[..x.shape.len() - 2].to_vec();
            let mut info: Vec<i32> = failed.into_iter().map(i32::from).collect();
            info.resize(shape.iter().product(), 0);
            let element = ElementType::Integer { signed: true, width: 32 };
            let info = Tensor { element, shape, data: Arc::new(Data::I32(info)) };
            Ok(vec![Value::Tensor(factor), Value::Tensor(info)])
        }
        Known::TriangularSolve => {
            let transposed = option(config, "trans_x");
            let left_side = option(config, "side") == Some(b'L');
            let triangle = Triangle {
                left_side,
                lower: option(config, "uplo") == Some(b'L'),
                unit_diagonal: option(config, "diag") == Some(b'U'),
                transpose: matches!(transposed, Some(b'T' | b'C')),
                conjugate: transposed == Some(b'C'),
            };
            let Triangle { lower, unit_diagonal, transpose, conjugate, .. } = triangle;
            let op = Op::TriangularSolve { left_side, lower, unit_diagonal, transpose, conjugate };
            open_sizes::check(&op, &operands, declared)?;
            Ok(vec![Value::Tensor(solve::triangular_solve(operand(0)?, operand(1)?, triangle)?)])
        }
        Known::BlockScaledDot => {
            let Some(Type::Tensor(ty)) = declared.first() else {
                return Err(EvalError::shape(target, "a result is needed"));
            };
            let tensors = operands.iter().map(as_tensor).collect::<Result<Vec<_>, _>>()?;
            let product = block_scaled_dot(&tensors, &ty.element)?;
            if !ty.has_sizes(&product.shape) {
                let facts = format!("the result must have shape {:?}: got {ty}", product.shape);
                return Err(EvalError::shape(target, facts));
            }
            Ok(vec![Value::Tensor(product)])
        }
        Known::TopK => {
            let x = tensor(operand(0).cloned().map(Value::Tensor)?)?;
            let stated = match declared.first() {
                Some(Type::Tensor(ty)) => ty.shape.last().copied().flatten(),
                _ => None,
            };
            let given = || usize::try_from(*integers(operand(1).ok()?).first()?).ok();
            let k = stated.or_else(given);
            let k = k.ok_or_else(|| EvalError::shape(target, "the number of results is not known"))?;
            let (values, positions) = sort::top_k(&x, k)?;
            Ok(vec![Value::Tensor(values), Value::Tensor(positions)])
        }
    }
}

/// The type of a result whose shape is an operand.
///
/// # Errors
/// If the shape does not have the type that the program states.
pub(crate) fn sized(target: &str, stated: &Type, shape: &[usize]) -> Result<Type, EvalError> {
    match stated {
        Type::Tensor(ty) if ty.has_sizes(shape) => {
            let shape = shape.iter().copied().map(Some).collect();
            Ok(Type::Tensor(TensorType { shape, element: ty.element.clone() }))
        }
        _ => Err(EvalError::shape(target, format!("the result must have shape {shape:?}: got {stated}"))),
    }
}

/// A letter of the call's options.
fn option(config: &str, name: &str) -> Option<u8> {
    number(config, name)?.try_into().ok()
}

/// A number of the call's options.
fn number(config: &str, name: &str) -> Option<i64> {
    config.split(' ').find_map(|field| field.strip_prefix(name)?.strip_prefix('=')?.parse().ok())
}
