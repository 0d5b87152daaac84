//! The custom calls that are known.

use std::sync::Arc;

use crate::eval::EvalError;
use crate::eval::elementwise;
use crate::eval::expect::expect;
use crate::eval::machine::{as_tensor, tensor};
use crate::eval::shape::integers;
use crate::eval::sort;
use crate::ir::{Tolerance, Unary};
use crate::tensor::{Tensor, Value};
use crate::types::Type;

/// What a known target does.
enum Known {
    /// Says where values live; they pass unchanged.
    Pass,
    /// Fails unless the first operand, an `i1`, is true.
    Assertion,
    Check(Tolerance),
    Unary(Unary),
    TopK,
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
    ("check.eq", Known::Check(Tolerance::Equal)),
    ("check.expect_eq", Known::Check(Tolerance::Equal)),
    ("check.expect_almost_eq", Known::Check(Tolerance::Absolute(1e-4))),
    ("check.expect_close", Known::Check(Tolerance::Ulps { min: 0, max: 3 })),
    ("mhlo.topk", Known::TopK),
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

/// Names of the known targets.
pub fn targets() -> impl Iterator<Item = &'static str> {
    KNOWN.iter().map(|(name, _)| *name)
}

/// `custom_call`.
///
/// # Errors
/// If the target is unknown, an assertion does not hold, or operands and results do not fit.
pub(crate) fn call(target: &str, operands: Vec<Value>, declared: &[&Type]) -> Result<Vec<Value>, EvalError> {
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
                    && !ty.shape.iter().copied().eq(tensor.shape.iter().map(|&size| Some(size)))
                {
                    let facts =
                        format!("{:?} is to become {ty}, but a program runs in one piece here", tensor.shape);
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
                Err(EvalError::shape(target, format!("does not hold; its values: {}", facts.join(", "))))
            }
            _ => Ok(vec![]),
        },
        Known::Check(tolerance) => expect(*tolerance, operand(0)?, operand(1)?).map(|()| vec![]),
        Known::Unary(unary) => {
            let x = operand(0)?;
            let data = Arc::new(elementwise::unary(*unary, x, &x.element)?);
            Ok(vec![Value::Tensor(Tensor { data, ..x.clone() })])
        }
        Known::TopK => {
            let x = tensor(operand(0).cloned().map(Value::Tensor)?)?;
            let k = match declared.first() {
                Some(Type::Tensor(ty)) => ty.shape.last().copied().flatten(),
                _ => None,
            };
            let k = k.ok_or_else(|| EvalError::shape(target, "the number of results is not known"))?;
            let (values, positions) = sort::top_k(&x, k)?;
            Ok(vec![Value::Tensor(values), Value::Tensor(positions)])
        }
    }
}
