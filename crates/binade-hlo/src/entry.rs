//! What of a program is between it and who runs it, besides numbers: tokens, the platform that it runs on, and functions of Python.

use crate::eval::convert::convert;
use crate::eval::is_python;
use crate::ir::{Op, Operation, Program, Region};
use crate::tensor::{Data, Tensor, Value};
use crate::types::{ElementType, Type};

/// The constant by which an export for several platforms asks which one it runs on.
pub(crate) const PLATFORM_INDEX: &str = "_platform_index";

/// The platform that programs run on here, as JAX names it.
pub(crate) const PLATFORM: &str = "cpu";

impl Program {
    /// The program with a function that takes and gives no tokens, by which JAX orders effects: it begins with tokens of its
    /// own. A function that others call stays as it is.
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

    /// The parameter of a function that says which of the platforms of an export runs it, and its value for this one.
    pub fn platform_index(&self, name: &str) -> Option<(usize, Value)> {
        let function = &self.functions[*self.names.get(name)?];
        let at = function.platform?;
        let Type::Tensor(ty) = &function.values[function.body.parameters.get(at)?.0 as usize] else {
            return None;
        };
        let long = ElementType::Integer { signed: true, width: 64 };
        let index = Tensor::new(long, vec![], Data::I64(vec![self.platform as i64]));
        let data = convert(&index, &ty.element).ok().filter(|_| ty.shape.is_empty())?;
        Some((at, Value::Tensor(Tensor::new(ty.element.clone(), vec![], data))))
    }

    /// Calls of Python that have no results, as those of `jax.debug.print`: a run without a [`crate::eval::Host`] leaves them
    /// out.
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

/// Whether a region runs a function.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::testing::{f32s, floats};
    use crate::eval::{EvalError, Options};

    const ORDERED: &str = "func.func public @main(%t: !stablehlo.token {jax.token = true}, %x: tensor<2xf32>, %p: tensor<i32>) \
        -> (!stablehlo.token {jax.token = true}, tensor<2xf32>) {\n\
        %r:2 = \"stablehlo.case\"(%p) ({\nstablehlo.return %t, %x : !stablehlo.token, tensor<2xf32>\n}, {\n\
        %c:2 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%t, %x) {has_side_effect = true, mhlo.backend_config = \
        {index = 0 : ui64}} : (!stablehlo.token, tensor<2xf32>) -> (!stablehlo.token, tensor<2xf32>)\n\
        stablehlo.return %c#0, %c#1 : !stablehlo.token, tensor<2xf32>\n}) : (tensor<i32>) -> (!stablehlo.token, tensor<2xf32>)\n\
        %q = stablehlo.custom_call @xla_ffi_python_cpu_callback(%r#0, %r#1) {has_side_effect = true, mhlo.backend_config = \
        {index = 1 : ui64}} : (!stablehlo.token, tensor<2xf32>) -> !stablehlo.token\n\
        return %q, %r#1 : !stablehlo.token, tensor<2xf32>\n}";

    fn run(text: &str, which: i32) -> Result<Vec<Value>, EvalError> {
        let program = Program::parse(text).unwrap().without_tokens("main");
        let which = crate::eval::testing::i32s(&[], vec![which]);
        let x = f32s(&[2], vec![1.0, 2.0]);
        program.evaluate("main", vec![Value::Tensor(x), Value::Tensor(which)], Options::default())
    }

    #[test]
    fn effects_without_results_are_left_out_and_tokens_are_nobodys() {
        let results = run(ORDERED, 0).unwrap();
        let [Value::Tensor(result)] = &results[..] else { panic!("{results:?}") };
        assert_eq!(floats(result), [1.0, 2.0]);
        let program = Program::parse(ORDERED).unwrap();
        let left: Vec<u32> = program.effects_left_out().iter().map(|call| call.position.0).collect();
        assert_eq!(left, [8]);
    }

    #[test]
    fn a_callback_whose_results_are_needed_fails_where_it_is_reached() {
        let error = run(ORDERED, 1).unwrap_err().to_string();
        assert!(error.starts_with("5:8: ") && error.contains("no Python"), "{error}");
    }

    #[test]
    fn functions_that_others_call_keep_their_tokens() {
        let text = "func.func @inner(%t: !stablehlo.token) -> !stablehlo.token { return %t : !stablehlo.token }\n\
            func.func @main() { %t = stablehlo.create_token : !stablehlo.token\n\
            %0 = call @inner(%t) : (!stablehlo.token) -> !stablehlo.token\nreturn }";
        let program = Program::parse(text).unwrap().without_tokens("inner");
        assert_eq!(program.functions[0].body.parameters.len(), 1);
        program.evaluate("main", vec![], Options::default()).unwrap();
    }

    #[test]
    fn the_index_of_the_platform_is_known() {
        let text = "func.func @main(%p: tensor<i32> {jax.global_constant = \"_platform_index\"}, %x: tensor<2xf32>) -> \
            tensor<i32> { return %p : tensor<i32> }";
        let program = Program::parse(text).unwrap();
        assert_eq!(program.functions[0].parameter_names[0].as_deref(), Some(PLATFORM_INDEX));
        let (at, Value::Tensor(index)) = program.platform_index("main").unwrap() else { panic!("a tensor") };
        assert_eq!((at, crate::eval::testing::ints(&index)), (0, &[0][..]));
        let program = Program { platform: 3, ..program };
        let Some((_, Value::Tensor(index))) = program.platform_index("main") else { panic!("a tensor") };
        assert_eq!(crate::eval::testing::ints(&index), [3]);
        assert!(
            Program::parse("func.func @main(%x: tensor<i32>) { return }")
                .unwrap()
                .platform_index("main")
                .is_none()
        );
    }
}
