//! Folds small operations on constants before the program runs.

use std::sync::Arc;

use binade_simd::Environment;
use binade_stablehlo::ir::{Function, Op, Operation, Region, ValueId};
use binade_stablehlo::{Tensor, Type};
use rustc_hash::FxHashMap;

use super::edit::plain;
use crate::arithmetic::{convert, elementwise};
use crate::movement::shape;

/// Maximum elements of results and operands.
const MOST: usize = 64;

/// Replaces operations on constants by their results.
pub(super) fn constants(function: &mut Function) {
    let _environment = Environment::enter();
    region(&mut function.body, &function.values, &mut FxHashMap::default());
}

fn region(region: &mut Region, values: &[Type], known: &mut FxHashMap<ValueId, Tensor>) {
    for operation in &mut region.operations {
        for inner in operation.kind.regions_mut() {
            self::region(inner, values, known);
        }
        if let Some(result) = folded(operation, values, known) {
            operation.kind = Op::Constant(result);
            operation.operands.clear();
        }
        if let (Op::Constant(constant), [result]) = (&operation.kind, &operation.results[..])
            && constant.data.len() <= MOST
        {
            known.insert(*result, constant.clone());
        }
    }
}

/// The result of an operation on constants, computed by the code that runs it.
fn folded(operation: &Operation, values: &[Type], known: &FxHashMap<ValueId, Tensor>) -> Option<Tensor> {
    let [result] = operation.results[..] else { return None };
    let (element, shape) = plain(&values[result.0 as usize])?;
    if operation.operands.is_empty() || shape.iter().product::<usize>() > MOST {
        return None;
    }
    let operands = operation.operands.iter().map(|operand| known.get(operand));
    let operands = operands.collect::<Option<Vec<&Tensor>>>()?;
    let data = match (&operation.kind, &operands[..]) {
        (Op::Reshape, [x]) => return Some(shape::reshape((*x).clone(), &shape)),
        (Op::Transpose { permutation }, [x]) => return Some(shape::transpose(x, permutation)),
        (Op::Slice { start, strides, .. }, [x]) => return Some(shape::slice(x, start, strides, &shape)),
        (Op::Unary(unary), [x]) => elementwise::unary(*unary, x, element),
        (Op::Binary(binary), [x, y]) => elementwise::binary(*binary, x, y, element),
        (Op::Compare { direction, order }, [x, y]) => elementwise::compare(*direction, *order, x, y),
        (Op::Select, [truth, yes, no]) => elementwise::select(truth, yes, no),
        (Op::Convert | Op::Promote, [x]) => convert::convert(x, element),
        _ => return None,
    };
    Some(Tensor { element: element.clone(), shape, data: Arc::new(data.ok()?) })
}
