//! Detects small programs that the executable runs on one thread, because no operation would share work among threads.

use binade_stablehlo::ir::{DotDimensions, Function, Op, Operation, Program, Region, ValueId};
use binade_stablehlo::{Type, elements};
use rustc_hash::FxHashMap;

use crate::arithmetic::instruction::instruction;
use crate::machine::values::static_type;

/// Maximum elements of a value, and maximum multiply-adds of a product. Below these, no operation uses several threads.
const ELEMENTS: usize = 4096;
const PRODUCTS: usize = 32 << 10;

/// Maximum nesting of regions and calls, since the caller's thread may have a small stack.
const DEPTH: usize = 8;

/// Returns true if all values of a program are small, and no operation shares them among threads.
pub(crate) fn is_single_threaded(program: &Program) -> bool {
    let small = |value| count(value).is_some_and(|count| count <= ELEMENTS);
    let mut levels = Levels { program, fits: FxHashMap::default() };
    let mut functions = program.functions.iter().enumerate();
    functions.all(|(at, function)| function.values.iter().all(small) && levels.function(at, DEPTH))
}

fn count(value: &Type) -> Option<usize> {
    static_type(value).and_then(|(_, shape)| elements(&shape))
}

/// The number of multiply-adds of a product.
fn products(operation: &Operation, dimensions: &DotDimensions, values: &[Type]) -> Option<usize> {
    let value = |at: ValueId| &values[at.0 as usize];
    let (_, lhs) = static_type(value(operation.operands[0]))?;
    let depth = dimensions.lhs_contracting.iter().map(|&at| lhs[at]).product::<usize>();
    count(value(operation.results[0]))?.checked_mul(depth)
}

struct Levels<'p> {
    program: &'p Program,
    /// Returns true if a function fits into the remaining levels of nesting.
    fits: FxHashMap<(usize, usize), bool>,
}

impl Levels<'_> {
    fn function(&mut self, function: usize, left: usize) -> bool {
        if let Some(fits) = self.fits.get(&(function, left)) {
            return *fits;
        }
        let Function { body, values, .. } = &self.program.functions[function];
        let fits = self.region(body, values, left);
        self.fits.insert((function, left), fits);
        fits
    }

    /// Returns true if a region fits into the remaining levels, its own included, and shares no work.
    fn region(&mut self, region: &Region, values: &[Type], left: usize) -> bool {
        let Some(left) = left.checked_sub(1) else { return false };
        region.operations.iter().all(|operation| match &operation.kind {
            Op::Constant(_)
            | Op::Iota { .. }
            | Op::Reshape
            | Op::BroadcastInDim { .. }
            | Op::Transpose { .. }
            | Op::Reverse { .. }
            | Op::Slice { .. }
            | Op::Concatenate { .. }
            | Op::Pad { .. }
            | Op::DynamicSlice { .. }
            | Op::DynamicUpdateSlice
            | Op::Gather(_) => true,
            Op::DotGeneral { dimensions, .. } => {
                products(operation, dimensions, values).is_some_and(|count| count <= PRODUCTS)
            }
            around @ (Op::While { .. }
            | Op::If { .. }
            | Op::Case { .. }
            | Op::Reduce { .. }
            | Op::Scatter { .. }) => {
                around.regions().into_iter().all(|region| self.region(region, values, left))
            }
            Op::Call { function } => self.function(*function, left),
            elementwise => instruction(elementwise).is_some(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function of one vector with these lines before its return.
    fn of(length: usize, lines: &str) -> bool {
        let vector = format!("tensor<{length}xf32>");
        let text = format!("func.func @main(%a: {vector}) -> {vector} {{\n{lines}\nreturn %a : {vector}\n}}");
        is_single_threaded(&Program::parse(&text.replace("V", &vector)).unwrap())
    }

    #[test]
    fn small_programs_are_single_threaded() {
        assert!(of(4096, "%b = stablehlo.exponential %a : V"));
        assert!(!of(4097, "%b = stablehlo.exponential %a : V"));
        assert!(!of(2, "%b = stablehlo.iota dim = 0 : tensor<5000xf32>"));
        let sort = "%b = \"stablehlo.sort\"(%a) ({\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n%l = stablehlo.compare LT, %x, %y : \
            (tensor<f32>, tensor<f32>) -> tensor<i1>\nstablehlo.return %l : tensor<i1>\n}) : (V) -> V";
        assert!(!of(8, sort));
    }

    #[test]
    fn deep_programs_are_not_single_threaded() {
        let called = |count: usize| {
            let call = |at: usize| match at + 1 {
                next if next == count => String::new(),
                next => format!("call @f{next}() : () -> ()\ncall @f{next}() : () -> ()\n"),
            };
            let functions = (0..count).map(|at| format!("func.func @f{at}() {{\n{}return\n}}\n", call(at)));
            is_single_threaded(&Program::parse(&functions.collect::<String>()).unwrap())
        };
        assert!(called(DEPTH));
        assert!(!called(DEPTH + 1));
        // Each level makes two calls.
        assert!(!called(60));
    }
}
