//! Tests every operation on operands of open sizes whose shapes may not match: it must give a result or an error.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use binade::philox::Stream;
use binade_stablehlo::ir::{Function, Op, Operation, Program, Region, ValueId};
use binade_stablehlo::{Data, ElementType, Tensor, TensorType, Type, Value, each_storage};

use crate::error::EvalError;
use crate::evaluate::Evaluate;
use crate::machine::run::Executable;
use crate::options::Options;

/// The number of shapes with which each operation is tried.
const TRIES: usize = 6;

/// Numbers that may be indices, sizes or values: small, zero and negative ones.
fn elements(element: &ElementType, length: usize, random: &mut Stream) -> Data {
    let mut data = Data::zeros(element, length);
    match &mut data {
        Data::I32(data) => data.iter_mut().for_each(|x| *x = random.below(8) as i32 - 2),
        Data::I64(data) => data.iter_mut().for_each(|x| *x = random.below(8) as i64 - 2),
        Data::F32(data) => data.iter_mut().for_each(|x| *x = random.below(16) as f32 - 4.0),
        Data::F64(data) => data.iter_mut().for_each(|x| *x = random.below(16) as f64 - 4.0),
        Data::C64(data) => data.iter_mut().for_each(|x| *x = [random.below(4) as f32, 1.0]),
        Data::U8(data) => data.iter_mut().for_each(|x| *x = random.below(2) as u8),
        Data::U64(data) => data.iter_mut().for_each(|x| *x = random.below(8) as u64),
        _ => {}
    }
    data
}

/// A type with all its sizes open.
fn opened(ty: &Type) -> Type {
    match ty {
        Type::Tensor(tensor) => Type::Tensor(TensorType {
            shape: vec![None; tensor.shape.len()],
            element: tensor.element.clone(),
        }),
        other => other.clone(),
    }
}

/// A value of an open type: with its original sizes, or with random ones from 0 to 4.
fn value(ty: &Type, was: &Type, random: &mut Stream) -> Option<Value> {
    let (Type::Tensor(open), Type::Tensor(was)) = (ty, was) else {
        return matches!(ty, Type::Token).then_some(Value::Token);
    };
    let keep = random.below(2) == 0;
    let size = |(open, was): (&Option<usize>, &Option<usize>), random: &mut Stream| match (open, was) {
        (Some(size), _) => *size,
        (None, Some(size)) if keep || random.below(3) == 0 => *size,
        _ => random.below(5),
    };
    let shape: Vec<usize> = open.shape.iter().zip(&was.shape).map(|sizes| size(sizes, random)).collect();
    let data = elements(&open.element, shape.iter().product(), random);
    Some(Value::Tensor(Tensor { element: open.element.clone(), shape, data: Arc::new(data) }))
}

/// Returns true if an operation, or one in its regions, calls functions.
fn names_functions(op: &Op) -> bool {
    let inside =
        |region: &&Region| region.operations.iter().any(|operation| names_functions(&operation.kind));
    matches!(op, Op::Call { .. } | Op::Composite { .. } | Op::ManualComputation(_) | Op::RunParallel { .. })
        || op.regions().iter().any(inside)
}

/// A program with one operation of a function, whose parameters have open types.
fn alone(program: &Program, function: &Function, operation: &Operation, open_results: bool) -> Program {
    let mut values = function.values.clone();
    let mut parameters: Vec<ValueId> = vec![];
    for &operand in &operation.operands {
        if !parameters.contains(&operand) {
            parameters.push(operand);
            values[operand.0 as usize] = opened(&values[operand.0 as usize]);
        }
    }
    if open_results {
        operation
            .results
            .iter()
            .for_each(|result| values[result.0 as usize] = opened(&values[result.0 as usize]));
    }
    let results: Vec<Type> =
        operation.results.iter().map(|result| values[result.0 as usize].clone()).collect();
    let body = Region { parameters, operations: vec![operation.clone()], results: operation.results.clone() };
    let mut all = match names_functions(&operation.kind) {
        true => program.clone(),
        false => Program { functions: vec![], names: HashMap::new(), ..*program },
    };
    all.names.insert("alone".to_owned(), all.functions.len());
    all.functions.push(Function {
        name: "alone".to_owned(),
        parameter_names: vec![None; body.parameters.len()],
        platform: None,
        donated: vec![false; body.parameters.len()],
        shardings: vec![None; body.parameters.len()],
        result_shardings: vec![None; operation.results.len()],
        body,
        results,
        values,
        position: (1, 1),
    });
    all
}

#[test]
fn operands_of_open_shapes_that_do_not_fit() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ops");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut random = Stream::new(1);
    let (mut tried, mut done) = (BTreeSet::new(), BTreeSet::new());
    let mut seen: HashSet<String> = HashSet::new();
    let mut panics = vec![];
    for file in files {
        for program in Program::parse_all(&std::fs::read(&file).unwrap()).into_iter().flatten() {
            for function in &program.functions {
                for operation in &function.body.operations {
                    let types: Vec<&Type> = operation
                        .operands
                        .iter()
                        .map(|operand| &function.values[operand.0 as usize])
                        .collect();
                    let ranks = types.iter().map(|ty| match ty {
                        Type::Tensor(tensor) => tensor.shape.len(),
                        _ => 0,
                    });
                    let wide =
                        matches!(types.first(), Some(Type::Tensor(ty)) if ty.element.stored_bytes() >= 4);
                    // The attributes without bodies, which differ in types and values only.
                    let kind = format!("{:?}", operation.kind);
                    let attributes = kind.split("Region").next().unwrap_or("");
                    let kind = format!("{attributes} {:?} {wide}", ranks.collect::<Vec<_>>());
                    if operation.operands.is_empty() || !seen.insert(kind) {
                        continue;
                    }
                    tried.insert(operation.kind.name());
                    for open_results in [false, true] {
                        let alone = alone(&program, function, operation, open_results);
                        let of = alone.functions.last().unwrap();
                        let options = Options {
                            memory_limit: 1 << 22,
                            step_limit: Some(1000),
                            threads: Some(1),
                            ..Options::default()
                        };
                        let executable = Executable::new(&alone, options).unwrap();
                        for _ in 0..TRIES {
                            let inputs: Option<Vec<Value>> = of
                                .body
                                .parameters
                                .iter()
                                .map(|parameter| {
                                    let at = parameter.0 as usize;
                                    value(&of.values[at], &function.values[at], &mut random)
                                })
                                .collect();
                            let Some(inputs) = inputs else { continue };
                            let shapes: Vec<String> =
                                inputs.iter().map(|input| format!("{input:?}")).collect();
                            let run = AssertUnwindSafe(|| executable.run("alone", inputs));
                            match catch_unwind(run) {
                                Ok(Ok(results)) => {
                                    done.insert(operation.kind.name());
                                    let fit =
                                        of.results.iter().zip(&results).all(|(ty, result)| ty.admits(result));
                                    assert!(fit && sound(&results), "{} {shapes:?}", operation.kind.name());
                                }
                                Ok(Err(error)) => assert!(!error.to_string().is_empty()),
                                Err(_) => panics.push(format!(
                                    "{}: {:?} on {shapes:?}",
                                    file.display(),
                                    operation.kind
                                )),
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(panics.is_empty(), "{} panics: {}", panics.len(), panics.join("\n"));
    // Most operations succeed at least once; the others need other processes or static shapes.
    assert!(4 * done.len() > 3 * tried.len(), "{:?} of {}", tried.difference(&done), tried.len());
}

/// Returns true if tensors have as many elements as their shapes demand.
fn sound(values: &[Value]) -> bool {
    values.iter().all(|value| match value {
        Value::Tensor(tensor) => {
            let length = each_storage!(Data, &*tensor.data, elements => elements.len());
            length == tensor.shape.iter().product::<usize>()
        }
        Value::Token => true,
        Value::Tuple(values) => sound(values),
    })
}

/// Covers sizes that the program's types promise and its values do not have.
#[test]
fn values_are_of_their_types() {
    let run = |text: &str, inputs: Vec<Value>| -> Result<(), EvalError> {
        Program::parse(text).unwrap().evaluate("main", inputs, Options::default()).map(|_| ())
    };
    let vector = |length: usize| {
        let element = ElementType::Float(binade_stablehlo::FloatType::F32);
        Value::Tensor(Tensor::new(element, vec![length], Data::F32(vec![1.0; length])))
    };
    // A result, the parameters of a loop, an elementwise operation, the sum of two.
    let result = "func.func @main(%a: tensor<?xf32>) -> tensor<3xf32> { return %a : tensor<?xf32> }";
    let elementwise = "func.func @main(%a: tensor<?xf32>) -> tensor<3xf32> {
        %0 = stablehlo.abs %a : (tensor<?xf32>) -> tensor<3xf32>
        return %0 : tensor<3xf32> }";
    let sum = "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
        %z = stablehlo.constant dense<1.0> : tensor<3xf32>
        %0 = stablehlo.add %a, %z : (tensor<?xf32>, tensor<3xf32>) -> tensor<?xf32>
        return %0 : tensor<?xf32> }";
    for text in [result, elementwise, sum] {
        assert_eq!(run(text, vec![vector(3)]), Ok(()), "{text}");
        for length in [0, 1, 2, 4] {
            assert!(matches!(
                run(text, vec![vector(length)]),
                Err(EvalError::Shape { .. } | EvalError::At { .. })
            ));
        }
    }
}
