//! Running a program's `check.*` assertions.

use binade_stablehlo::Value;
use binade_stablehlo::ir::{Op, Program, Region};

use crate::error::EvalError;
use crate::machine::run::Executable;
use crate::options::Options;

/// What became of a function.
#[derive(Debug)]
pub struct Outcome {
    /// Its name.
    pub function: String,
    /// Whether it ran to its end: with that, all its assertions hold.
    pub result: Result<(), EvalError>,
}

/// Runs every function that takes no arguments and that no other function calls or runs, one after the other, and hands
/// out what became of it.
///
/// # Errors
/// If the system refuses threads.
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
