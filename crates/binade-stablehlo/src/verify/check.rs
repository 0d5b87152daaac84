//! Verifies the `check` operations of tests, and the interpreter's operations.

use super::{Builder, Node};
use crate::error::Result;
use crate::ir::{Op, Tolerance, ValueId};
use crate::syntax::Attribute;
use crate::tensor::{Data, Tensor};
use crate::types::{ElementType, TensorType, Type};

/// The default tolerance of checks.
const ABSOLUTE: f64 = 1e-4;
/// The default bounds of `expect_close`.
const ULPS: (u64, u64) = (0, 1);
/// The tolerance of `custom_call @check.expect_almost_eq` in the reference interpreter.
const ABSOLUTE_OF_CALL: f64 = 1e-3;
const ULPS_OF_CALL: (u64, u64) = (0, 3);

/// The actual and the expected value: two operands, or one operand and a constant.
fn sides<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<Vec<ValueId>> {
    node.result_count(0)?;
    let mut operands = node.operands.clone();
    if node.syntax.name.ends_with("_const") {
        node.operand_count(1)?;
        let Some(Attribute::Dense(dense)) = node.attribute("value") else {
            return node.wrong("value", "a constant dense<…>");
        };
        let expected = TensorType {
            shape: dense.shape.iter().copied().map(Some).collect(),
            element: dense.element.clone(),
        };
        let actual = node.tensor(0)?;
        node.rule(actual.is_like(&expected), "both operands must have the same type", || {
            format!("{actual} and {expected}")
        })?;
        operands.push(builder.constant(dense, &actual.element.clone()));
    } else {
        same(node)?;
    }
    Ok(operands)
}

fn same(node: &Node<'_, '_>) -> Result<()> {
    node.operand_count(2)?;
    let (actual, expected) = (node.tensor(0)?, node.tensor(1)?);
    node.rule(actual.is_like(expected), "both operands must have the same type", || {
        format!("{actual} and {expected}")
    })
}

pub(crate) fn expect_eq<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    if let [Type::Token, Type::Token] = node.types[..] {
        // Tokens have no values to compare.
        return Ok(());
    }
    let operands = sides(builder, node)?;
    builder.push(Op::Expect { tolerance: Tolerance::Equal }, operands, vec![]);
    Ok(())
}

pub(crate) fn expect_almost_eq<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    let operands = sides(builder, node)?;
    let absolute = match node.attribute("tolerance") {
        None => ABSOLUTE,
        Some(_) => node.float("tolerance")?,
    };
    builder.push(Op::Expect { tolerance: Tolerance::Absolute(absolute) }, operands, vec![]);
    Ok(())
}

pub(crate) fn expect_close<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    let operands = sides(builder, node)?;
    let ulps = |name, default| -> Result<u64> {
        match node.attribute(name) {
            None => Ok(default),
            // An attribute of ui64.
            Some(Attribute::Integer(value)) => match u64::try_from(*value) {
                Ok(value) => Ok(value),
                Err(_) => node.wrong(name, "an integer of 64 bits that is not negative"),
            },
            Some(_) => node.wrong(name, "an integer"),
        }
    };
    let min = ulps("min_ulp_difference", ULPS.0)?;
    let max = ulps("max_ulp_difference", ULPS.1)?;
    builder.push(Op::Expect { tolerance: Tolerance::Ulps { min, max } }, operands, vec![]);
    Ok(())
}

/// `custom_call @check.…`. The result, if present, is `true`, since a failed check ends the run.
pub(super) fn custom_call<'t, 'a>(
    builder: &mut Builder<'t, 'a>,
    node: &Node<'t, 'a>,
    target: &str,
) -> Result<()> {
    same(node)?;
    let tolerance = match target {
        "check.expect_eq" => Tolerance::Equal,
        "check.expect_almost_eq" => Tolerance::Absolute(ABSOLUTE_OF_CALL),
        "check.expect_close" => Tolerance::Ulps { min: ULPS_OF_CALL.0, max: ULPS_OF_CALL.1 },
        // The older name. Floating-point numbers are compared with a tolerance.
        "check.eq" => match node.tensor(0)?.element {
            ElementType::Bool | ElementType::Integer { .. } => Tolerance::Equal,
            _ => Tolerance::Absolute(ABSOLUTE),
        },
        _ => return node.unsupported(format!("custom call '@{target}'")),
    };
    builder.push(Op::Expect { tolerance }, node.operands.clone(), vec![]);
    let truth = TensorType { shape: vec![], element: ElementType::Bool };
    match node.results() {
        [] => Ok(()),
        [Type::Tensor(ty)] if *ty == truth => {
            let tensor = Tensor::new(ElementType::Bool, vec![], Data::U8(vec![1]));
            let value = builder.add(Op::Constant(tensor), vec![], Type::Tensor(truth));
            builder.define(node, vec![value])
        }
        _ => node.type_rule(false, "there must be no result, or one of type tensor<i1>"),
    }
}

pub(crate) fn expect_serialized_eq<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 0)?;
    node.tensor(0)?;
    let id = node.string("probe_id")?.to_owned();
    let iteration = usize::try_from(node.integer_or("iteration", 0)?).unwrap_or(0);
    builder.emit(node, Op::ExpectSerialized { id, iteration })
}

pub(crate) fn print<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.operand_count(1)?;
    let results = node.results();
    let same = results.is_empty() || results == node.types;
    node.type_rule(same, "the result must have the operand's type")?;
    builder.emit(node, Op::Print)
}

pub(crate) fn probe<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    node.arity(1, 1)?;
    node.type_rule(node.results() == node.types, "the result must have the operand's type")?;
    let id = node.string("probe_id")?.to_owned();
    builder.emit(node, Op::Probe { id })
}

pub(crate) fn run_parallel<'t, 'a>(builder: &mut Builder<'t, 'a>, node: &Node<'t, 'a>) -> Result<()> {
    let Some(Attribute::Array(rows)) = node.attribute("programs") else {
        return node.wrong("programs", "a list of lists of functions");
    };
    let mut function = |value: &Attribute<'_>, name| match value {
        Attribute::Symbol(symbol) => builder.function_named(symbol, node.at()),
        _ => node.wrong(name, "made of names that begin with '@'"),
    };
    let mut programs = vec![];
    for row in rows {
        let Attribute::Array(row) = row else {
            return node.wrong("programs", "a list of lists of functions");
        };
        programs.push(row.iter().map(|item| function(item, "programs")).collect::<Result<Vec<_>>>()?);
    }
    let infeed = match node.attribute("infeed") {
        None => vec![],
        Some(Attribute::Array(items)) => {
            items.iter().map(|item| function(item, "infeed")).collect::<Result<Vec<_>>>()?
        }
        Some(_) => return node.wrong("infeed", "a list of functions"),
    };
    if node.attribute("infeed").is_some() {
        node.must(!infeed.is_empty(), || "'infeed' must name a function or be absent: got []".to_owned())?;
    }
    let columns = programs.first().map_or(0, Vec::len);
    let grid = columns > 0 && programs.iter().all(|row| row.len() == columns);
    node.rule(grid, "'programs' must have rows of the same length, not empty", || {
        let lengths: Vec<_> = programs.iter().map(Vec::len).collect();
        format!("lengths {lengths:?}")
    })?;
    let all = || programs.iter().flatten().map(|&index| builder.signature(index));
    let parameters: Vec<_> = all().flat_map(|signature| signature.parameters.iter().cloned()).collect();
    let results: Vec<_> = all().flat_map(|signature| signature.results.iter().cloned()).collect();
    let fits =
        super::all_compatible(&node.types, &parameters) && super::all_compatible(node.results(), &results);
    node.type_rule(fits, "operands and results must be those of all programs, in order")?;
    builder.emit(node, Op::RunParallel { programs, infeed })
}
