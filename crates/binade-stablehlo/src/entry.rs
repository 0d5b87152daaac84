//! Program inputs and outputs that are not numbers: tokens, the platform index, and calls of Python functions. The evaluator
//! supplies them, its caller does not.

use crate::ir::{Op, Operation, Program, Region};
use crate::types::Type;

/// The constant through which an export for several platforms asks which one it runs on.
pub(crate) const PLATFORM_INDEX: &str = "_platform_index";

/// The platform that programs run on here, as JAX names it.
pub(crate) const PLATFORM: &str = "cpu";

/// The call target of host functions.
pub const CALLBACK: &str = "binade_python_callback";

/// The call targets of Python functions in JAX. They exist only in the process that made the program.
const PYTHON: [&str; 6] = [
    "xla_ffi_python_cpu_callback",
    "xla_ffi_partitioned_python_cpu_callback",
    "xla_ffi_python_gpu_callback",
    "xla_ffi_partitioned_python_gpu_callback",
    "xla_python_cpu_callback",
    "xla_python_gpu_callback",
];

/// Returns true if the call runs a Python function, whose code is not in the text.
pub fn is_python(target: &str) -> bool {
    PYTHON.contains(&target)
}

impl Program {
    /// Returns the program with a function that neither takes nor returns tokens. JAX orders effects by tokens; the
    /// function starts with tokens of its own. If other functions call it, it stays unchanged.
    #[must_use]
    pub fn without_tokens(mut self, name: &str) -> Program {
        let Some(&at) = self.names.get(name) else { return self };
        if self.functions.iter().any(|function| runs(&function.body, at)) {
            return self;
        }
        let function = &mut self.functions[at];
        let is_token = |ty: &Type| *ty == Type::Token;
        let token = |value: &crate::ir::ValueId| is_token(&function.values[value.0 as usize]);
        let taken: Vec<bool> = function.body.parameters.iter().map(token).collect();
        let given: Vec<bool> = function.results.iter().map(is_token).collect();
        let made: Vec<Operation> = (function.body.parameters.iter().zip(&taken))
            .filter(|(_, token)| **token)
            .map(|(&value, _)| Operation {
                kind: Op::AfterAll,
                operands: vec![],
                results: vec![value],
                scope: "".into(),
                position: function.position,
            })
            .collect();
        function.body.operations.splice(0..0, made);
        drop_where(&mut function.body.parameters, &taken);
        drop_where(&mut function.parameter_names, &taken);
        drop_where(&mut function.donated, &taken);
        drop_where(&mut function.shardings, &taken);
        function.platform =
            function.platform.map(|at| at - taken[..at].iter().filter(|token| **token).count());
        drop_where(&mut function.body.results, &given);
        drop_where(&mut function.results, &given);
        drop_where(&mut function.result_shardings, &given);
        self
    }

    /// Python calls without results, such as those of `jax.debug.print`. A run without a `binade_hlo::eval::Host` skips
    /// them.
    pub fn effects_left_out(&self) -> Vec<&Operation> {
        fn of<'p>(region: &'p Region, types: &[Type], into: &mut Vec<&'p Operation>) {
            for operation in &region.operations {
                let silent =
                    || operation.results.iter().all(|result| types[result.0 as usize] == Type::Token);
                match &operation.kind {
                    Op::CustomCall { target, .. } if is_python(target) && silent() => into.push(operation),
                    kind => kind.regions().into_iter().for_each(|region| of(region, types, into)),
                }
            }
        }
        let mut found = vec![];
        self.functions.iter().for_each(|function| of(&function.body, &function.values, &mut found));
        found
    }
}

/// Returns true if the region calls the function.
fn runs(region: &Region, function: usize) -> bool {
    region.operations.iter().any(|operation| match &operation.kind {
        Op::Call { function: called } | Op::Composite { function: called, .. } => *called == function,
        Op::ManualComputation(manual) => manual.function == function,
        Op::RunParallel { programs, infeed } => {
            programs.concat().iter().chain(infeed).any(|of| *of == function)
        }
        kind => kind.regions().into_iter().any(|region| runs(region, function)),
    })
}

fn drop_where<T>(all: &mut Vec<T>, which: &[bool]) {
    let mut which = which.iter();
    all.retain(|_| !which.next().copied().unwrap_or(false));
}
