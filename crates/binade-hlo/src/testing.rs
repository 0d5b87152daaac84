//! Programs made by hand, for tests of the evaluator alone.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use binade::philox::Stream;
use binade_stablehlo::ir::{Function, Op, Operation, Program, Region, ValueId};
use binade_stablehlo::{Data, ElementType, FloatType, Tensor, TensorType, Type, Value};

use crate::error::EvalError;
use crate::machine::run::Executable;
use crate::options::Options;

pub(crate) const F32: ElementType = ElementType::Float(FloatType::F32);
pub(crate) const I32: ElementType = ElementType::Integer { signed: true, width: 32 };

/// A function being written.
#[derive(Default)]
pub(crate) struct Writer {
    values: Vec<Type>,
    regions: Vec<Vec<Operation>>,
}

impl Writer {
    pub(crate) fn new() -> Writer {
        Writer { values: vec![], regions: vec![vec![]] }
    }

    pub(crate) fn value(&mut self, element: &ElementType, shape: &[usize]) -> ValueId {
        let shape = shape.iter().map(|&size| Some(size)).collect();
        self.values.push(Type::Tensor(TensorType { shape, element: element.clone() }));
        ValueId(self.values.len() as u32 - 1)
    }

    /// An operation of one result.
    pub(crate) fn op(
        &mut self,
        kind: Op,
        operands: &[ValueId],
        element: &ElementType,
        shape: &[usize],
    ) -> ValueId {
        let result = self.value(element, shape);
        self.push(kind, operands, vec![result]);
        result
    }

    pub(crate) fn push(&mut self, kind: Op, operands: &[ValueId], results: Vec<ValueId>) {
        let position = (self.values.len() as u32, 1);
        let operation = Operation { kind, operands: operands.to_vec(), results, scope: "".into(), position };
        self.regions.last_mut().expect("a region").push(operation);
    }

    /// A region on scalars.
    pub(crate) fn region(
        &mut self,
        parameters: &[ElementType],
        write: impl FnOnce(&mut Writer, &[ValueId]) -> Vec<ValueId>,
    ) -> Region {
        let parameters: Vec<ValueId> = parameters.iter().map(|element| self.value(element, &[])).collect();
        self.region_of(parameters, write)
    }

    /// A region on any values.
    pub(crate) fn region_of(
        &mut self,
        parameters: Vec<ValueId>,
        write: impl FnOnce(&mut Writer, &[ValueId]) -> Vec<ValueId>,
    ) -> Region {
        self.regions.push(vec![]);
        let results = write(self, &parameters);
        let operations = self.regions.pop().expect("a region");
        Region { parameters, operations, results }
    }

    pub(crate) fn function(mut self, name: &str, parameters: &[ValueId], results: &[ValueId]) -> Function {
        let operations = self.regions.pop().expect("the body");
        let types = results.iter().map(|result| self.values[result.0 as usize].clone()).collect();
        let body = Region { parameters: parameters.to_vec(), operations, results: results.to_vec() };
        let parameter_names = vec![None; parameters.len()];
        Function {
            name: name.to_string(),
            body,
            donated: vec![false; parameter_names.len()],
            shardings: vec![None; parameter_names.len()],
            result_shardings: vec![None; results.len()],
            parameter_names,
            platform: None,
            results: types,
            values: self.values,
            position: (1, 1),
        }
    }
}

pub(crate) fn program(functions: Vec<Function>) -> Program {
    let names: HashMap<String, usize> =
        functions.iter().enumerate().map(|(at, function)| (function.name.clone(), at)).collect();
    Program { functions, names, replicas: 1, partitions: 1, platform: 0 }
}

pub(crate) fn run(
    program: &Program,
    inputs: Vec<Tensor>,
    options: Options,
) -> Result<Vec<Tensor>, EvalError> {
    let inputs = inputs.into_iter().map(Value::Tensor).collect();
    let results = Executable::new(program, options)?.run("main", inputs)?;
    results.into_iter().map(crate::machine::values::tensor).collect()
}

pub(crate) fn f32s(shape: &[usize], elements: Vec<f32>) -> Tensor {
    Tensor::new(F32, shape.to_vec(), Data::F32(elements))
}

pub(crate) fn i32s(shape: &[usize], elements: Vec<i32>) -> Tensor {
    Tensor::new(I32, shape.to_vec(), Data::I32(elements))
}

pub(crate) fn floats(tensor: &Tensor) -> &[f32] {
    match &*tensor.data {
        Data::F32(elements) => elements,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn ints(tensor: &Tensor) -> &[i32] {
    match &*tensor.data {
        Data::I32(elements) => elements,
        other => panic!("{other:?}"),
    }
}

/// Numbers that look random, in [−1, 1).
pub(crate) fn noise(seed: u64, length: usize) -> Vec<f32> {
    let mut random = Stream::new(seed);
    (0..length).map(|_| random.unit()).collect()
}

pub(crate) fn constant(tensor: Tensor) -> Op {
    Op::Constant(Tensor { data: Arc::clone(&tensor.data), ..tensor })
}

/// The programs of `tests/ops`, each with its file.
pub(crate) fn programs_of_operations() -> impl Iterator<Item = (PathBuf, Program)> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let forms = package.join("../binade-stablehlo/tests/data/forms.mlir");
    let files = std::fs::read_dir(package.join("tests/ops")).unwrap().map(|entry| entry.unwrap().path());
    let files = files.chain([forms]);
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "mlir"));
    files.flat_map(|path| {
        let programs = Program::parse_all(&std::fs::read(&path).unwrap());
        programs.into_iter().map(move |program| (path.clone(), program.unwrap())).collect::<Vec<_>>()
    })
}
