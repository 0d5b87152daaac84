//! PyTorch modules that torchax exports give PyTorch's own results (`peers/export_torch_programs.py` writes the files).

use std::path::{Path, PathBuf};

use binade_hlo::eval::{Executable, Options, Semantics};
use binade_hlo::files::Named;
use binade_hlo::{Data, ElementType, FloatType, Program, Tensor, TensorType, Type, Value};

/// The tolerance of binary32, relative to the largest magnitude of a tensor. PyTorch's sums have another order, and its
/// elementary functions differ. The largest measured difference is 13 units of 2^-24.
const F32_TOLERANCE: f64 = 32.0 / (1 << 24) as f64;
/// The tolerance of BF16, where PyTorch rounds at other places. The largest measured difference is 1.3 parts of 256.
const BF16_TOLERANCE: f64 = 3.0 / 256.0;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/torch");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut programs: Vec<_> = paths.filter(|path| path.extension().is_some_and(|it| it == "mlir")).collect();
    programs.sort();
    programs
}

fn numbers(tensor: &Tensor) -> Vec<f64> {
    match &*tensor.data {
        Data::F32(data) => data.iter().map(|&x| f64::from(x)).collect(),
        Data::U16(data) => {
            data.iter().map(|&code| f64::from(f32::from_bits(u32::from(code) << 16))).collect()
        }
        other => panic!("{other:?}"),
    }
}

/// Describes the difference of a result, if there is one.
fn difference(found: &Tensor, expected: &Tensor) -> Option<String> {
    if found.shape != expected.shape || found.element != expected.element {
        return Some(format!("{} of {:?}", found.element, found.shape));
    }
    let apart = match found.element {
        ElementType::Float(FloatType::F32) => F32_TOLERANCE,
        ElementType::Float(FloatType::Bf16) => BF16_TOLERANCE,
        _ => {
            let same = format!("{:?}", found.data) == format!("{:?}", expected.data);
            return (!same).then(|| format!("{:?} is not {:?}", found.data, expected.data));
        }
    };
    let (found, expected) = (numbers(found), numbers(expected));
    let largest = expected.iter().filter(|x| x.is_finite()).fold(0.0, |most: f64, x| most.max(x.abs()));
    let wrong = |&(&x, &y): &(&f64, &f64)| x != y && ((x - y).abs() > apart * largest || x.is_nan());
    let (x, y) = found.iter().zip(&expected).find(wrong)?;
    Some(format!("{x:e} is not {y:e}, {:e} of the largest", (x - y).abs() / largest))
}

#[test]
fn exported_modules_have_the_results_of_pytorch() {
    let programs = programs();
    assert!(programs.len() >= 13, "{programs:?}");
    let mut failures = vec![];
    for path in programs {
        let name = path.file_stem().unwrap().to_string_lossy();
        let program = Program::parse(&std::fs::read_to_string(&path).unwrap())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let arrays = Named::open(&path.with_extension("npz")).unwrap();
        let main = program.functions.iter().find(|function| function.name == "main").unwrap();
        let inputs: Vec<Value> = main
            .body
            .parameters
            .iter()
            .enumerate()
            .map(|(at, &parameter)| {
                let Type::Tensor(ty) = &main.values[parameter.0 as usize] else {
                    panic!("{name}: a parameter that is no tensor")
                };
                Value::Tensor(arrays.read(&format!("arg{at}"), ty, usize::MAX).unwrap())
            })
            .collect();
        for semantics in [Semantics::Xla, Semantics::Wide, Semantics::Reference] {
            let options = Options { semantics, ..Options::default() };
            let results = Executable::new(&program, options)
                .and_then(|it| it.run("main", inputs.clone()))
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            let expected = arrays.names().iter().filter(|name| name.starts_with("out")).count();
            assert_eq!(results.len(), expected, "{name}");
            for (at, result) in results.iter().enumerate() {
                let Value::Tensor(found) = result else { panic!("{name}: a result that is no tensor") };
                let ty = TensorType {
                    shape: found.shape.iter().map(|&size| Some(size)).collect(),
                    element: found.element.clone(),
                };
                let expected = arrays.read(&format!("out{at}"), &ty, usize::MAX).unwrap();
                if let Some(difference) = difference(found, &expected) {
                    failures.push(format!("{name}, {}, result {at}: {difference}", semantics.name()));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
