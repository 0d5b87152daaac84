//! Runs the `check.*` assertions of a program, for `binade hlo check` and the tests.

use binade_stablehlo::Value;
use binade_stablehlo::ir::{Op, Program, Region};

use crate::error::EvalError;
use crate::machine::run::Executable;
use crate::options::Options;

/// The outcome of a function.
#[derive(Debug)]
pub struct Outcome {
    /// The function's name.
    pub function: String,
    /// `Ok` if the function returned, which means that all its assertions hold.
    pub result: Result<(), EvalError>,
}

/// Runs every function that takes no arguments and that no other function calls, one after the other. Passes each
/// outcome to `outcome`.
///
/// # Errors
/// If the operating system refuses to create threads.
pub fn check(program: &Program, options: Options, mut outcome: impl FnMut(Outcome)) -> Result<(), EvalError> {
    let mut used = vec![false; program.functions.len()];
    for function in &program.functions {
        mark(&function.body, &mut used);
    }
    let executable = Executable::new(program, options)?;
    for (function, used) in program.functions.iter().zip(used) {
        if !used && function.body.parameters.is_empty() {
            let result = executable.run(&function.name, Vec::<Value>::new()).map(|_| ());
            outcome(Outcome { function: function.name.clone(), result });
        }
    }
    Ok(())
}

/// Marks the functions that a region names.
fn mark(region: &Region, used: &mut [bool]) {
    for operation in &region.operations {
        match &operation.kind {
            Op::Call { function } | Op::Composite { function, .. } => used[*function] = true,
            Op::RunParallel { programs, infeed } => {
                programs.iter().flatten().chain(infeed).for_each(|&function| used[function] = true);
            }
            Op::ManualComputation(manual) => used[manual.function] = true,
            _ => {}
        }
        operation.kind.regions().into_iter().for_each(|region| mark(region, used));
    }
}
