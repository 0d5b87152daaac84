//! The trait `Evaluate`: methods with which callers evaluate programs, or estimate the cost of an evaluation.

use binade_stablehlo::{Data, ElementType, Program, Tensor, Type, Value};

use crate::arithmetic::convert::convert;
use crate::error::EvalError;
use crate::machine::run::Executable;
use crate::options::Options;
use crate::plan::memory_estimate;
use crate::plan::work::{self, Work};

/// Programs that can be evaluated.
pub trait Evaluate {
    /// Evaluates the function `entry` once; see [`Executable`] for doing so repeatedly.
    ///
    /// # Errors
    /// If the function does not exist, the inputs do not have its parameters' types, or the program fails.
    fn evaluate(&self, entry: &str, inputs: Vec<Value>, options: Options) -> Result<Vec<Value>, EvalError>;

    /// The arithmetic and memory traffic of a function in all replicas together, as far as the text tells. Each operation
    /// counts alone. Of branches, the larger one counts. A loop counts once per iteration, or once if the text does not
    /// give their number. `None` if the function does not exist, or a size is known only at run time.
    fn work(&self, name: &str) -> Option<Work>;

    /// Maximum bytes of tensors during a run of a function: values from definition to last use, all constants, and the
    /// working memory of operations. A run that fuses operations takes less. `None` if the function does not exist, or a
    /// size is known only at run time.
    fn memory(&self, name: &str) -> Option<usize>;

    /// The parameter of a function with the platform index of an export, and its value for this platform.
    fn platform_index(&self, name: &str) -> Option<(usize, Value)>;
}

impl Evaluate for Program {
    fn evaluate(&self, entry: &str, inputs: Vec<Value>, options: Options) -> Result<Vec<Value>, EvalError> {
        Executable::new(self, options)?.run(entry, inputs)
    }

    fn work(&self, name: &str) -> Option<Work> {
        work::work(self, name)
    }

    fn memory(&self, name: &str) -> Option<usize> {
        memory_estimate::memory(self, name)
    }

    fn platform_index(&self, name: &str) -> Option<(usize, Value)> {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{f32s, floats};

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
        let which = crate::testing::i32s(&[], vec![which]);
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
        assert_eq!(program.functions[0].parameter_names[0].as_deref(), Some("_platform_index"));
        let (at, Value::Tensor(index)) = program.platform_index("main").unwrap() else { panic!("a tensor") };
        assert_eq!((at, crate::testing::ints(&index)), (0, &[0][..]));
        let program = Program { platform: 3, ..program };
        let Some((_, Value::Tensor(index))) = program.platform_index("main") else { panic!("a tensor") };
        assert_eq!(crate::testing::ints(&index), [3]);
        assert!(
            Program::parse("func.func @main(%x: tensor<i32>) { return }")
                .unwrap()
                .platform_index("main")
                .is_none()
        );
    }
}
