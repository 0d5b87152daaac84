//! Observed programs compute the same bits, and observers see every operation.

use std::sync::Mutex;

use binade_files::IfExists;
use binade_stablehlo::ir::Program;
use binade_stablehlo::{Data, Tensor, Value};

use crate::arithmetic::rules::Rules;
use crate::error::EvalError;
use crate::machine::run::Executable;
use crate::observe::dump::Dump;
use crate::observe::{Event, Observer};
use crate::options::Options;
use crate::testing::programs_of_operations;

/// The names of the operations that were done, and the number after which to stop.
struct Seen(Mutex<Vec<&'static str>>, usize);

impl Observer for Seen {
    fn done(&self, event: &Event<'_>) -> bool {
        let mut seen = self.0.lock().unwrap();
        seen.push(event.operation.kind.name());
        assert_eq!(event.results.len(), event.operation.results.len());
        seen.len() < self.1
    }
}

fn seen(most: usize) -> Seen {
    Seen(Mutex::default(), most)
}

/// A chain with broadcasts, in a loop, with a reduction whose region is interpreted.
const PROGRAM: &str = r#"
func.func @main(%x: tensor<3x5xf32>) -> (tensor<3x5xbf16>, tensor<3xf32>) {
  %i = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3> : tensor<i32>
  %third = stablehlo.constant dense<0.3333> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = stablehlo.while(%k = %i, %v = %x) : tensor<i32>, tensor<3x5xf32>
    cond {
      %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %t = stablehlo.broadcast_in_dim %third, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
      %a = stablehlo.multiply %v, %t : tensor<3x5xf32> loc("scope/a")
      %b = stablehlo.add %a, %v : tensor<3x5xf32>
      %e = stablehlo.exponential %b : tensor<3x5xf32>
      %d = stablehlo.tanh %e : tensor<3x5xf32>
      %dead = stablehlo.sine %d : tensor<3x5xf32>
      %next = stablehlo.add %k, %one : tensor<i32>
      stablehlo.return %next, %d : tensor<i32>, tensor<3x5xf32>
    }
  %1 = stablehlo.reduce(%0#1 init: %zero) across dimensions = [1] : (tensor<3x5xf32>, tensor<f32>) -> tensor<3xf32>
    reducer(%l: tensor<f32>, %r: tensor<f32>) {
      %s = stablehlo.multiply %l, %r : tensor<f32>
      %u = stablehlo.add %s, %r : tensor<f32>
      stablehlo.return %u : tensor<f32>
    }
  %2 = stablehlo.convert %0#1 : (tensor<3x5xf32>) -> tensor<3x5xbf16>
  %3 = stablehlo.multiply %2, %2 : tensor<3x5xbf16>
  return %3, %1 : tensor<3x5xbf16>, tensor<3xf32>
}"#;

fn input() -> Vec<Value> {
    vec![Value::Tensor(crate::testing::f32s(&[3, 5], crate::testing::noise(7, 15)))]
}

fn bits(values: &[Value]) -> Vec<Vec<u64>> {
    let bits = |value: &Value| match value {
        Value::Tensor(Tensor { data, .. }) => match &**data {
            Data::F32(elements) => elements.iter().map(|element| u64::from(element.to_bits())).collect(),
            Data::U16(elements) => elements.iter().map(|element| u64::from(*element)).collect(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    values.iter().map(bits).collect()
}

#[test]
fn bits_are_those_of_fused_operations() {
    let program = Program::parse(PROGRAM).unwrap();
    for rules in [&[][..], &["*=bf16:bf16"], &["multiply=float8_e4m3fn", "add=bf16"], &["bf16x2:bf16x2/3"]] {
        let options = Options { rules: Rules::parse(rules).unwrap(), ..Options::default() };
        let plain = Executable::new(&program, options.clone()).unwrap().run("main", input()).unwrap();
        let seen = seen(usize::MAX);
        let looked = Executable::observed(&program, options, &seen).unwrap().run("main", input()).unwrap();
        assert_eq!(bits(&plain), bits(&looked), "{rules:?}");
        let names = seen.0.into_inner().unwrap();
        let count = |name: &str| names.iter().filter(|seen| **seen == name).count();
        // A contracted pair is reported as its sum.
        let products = if rules.len() == 1 { 1 } else { 4 };
        assert_eq!((count("multiply"), count("exponential"), count("tanh")), (products, 3, 3), "{rules:?}");
        assert_eq!((count("add"), count("compare"), count("broadcast_in_dim")), (6, 4, 3), "{rules:?}");
        assert_eq!((count("while"), count("reduce"), count("sine")), (1, 1, 0), "{rules:?}");
    }
}

/// Every assertion of the programs in tests/ops also holds under observation.
#[test]
fn every_operation_can_be_looked_at() {
    let mut functions = 0;
    for (path, program) in programs_of_operations() {
        for function in program.functions.iter().filter(|function| function.body.parameters.is_empty()) {
            let run = |observer: Option<&Seen>| {
                let options = Options { threads: Some(1), ..Options::default() };
                let executable = match observer {
                    Some(observer) => Executable::observed(&program, options, observer),
                    None => Executable::new(&program, options),
                };
                executable.unwrap().run(&function.name, vec![]).map(|values| format!("{values:?}"))
            };
            let seen = seen(usize::MAX);
            let (plain, looked) = (run(None), run(Some(&seen)));
            assert_eq!(plain, looked, "{} @{}", path.display(), function.name);
            functions += 1;
        }
    }
    assert!(functions > 100, "{functions}");
}

#[test]
fn an_observer_ends_a_program() {
    let program = Program::parse(PROGRAM).unwrap();
    let seen = seen(9);
    let executable = Executable::observed(&program, Options::default(), &seen).unwrap();
    assert_eq!(executable.run("main", input()).unwrap_err(), EvalError::Stopped);
    assert_eq!(seen.0.lock().unwrap().len(), 9);
}

#[test]
fn results_are_written_up_to_a_limit() {
    let folder = std::env::temp_dir().join(format!("binade-hlo-dump-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let program = Program::parse(PROGRAM).unwrap();
    let dump = |pattern: &str, limit| {
        let dump = Dump::new(&folder, pattern, limit, IfExists::Replace).unwrap();
        dump.begin(4);
        Executable::observed(&program, Options::default(), &dump).unwrap().run("main", input()).unwrap();
        dump.finish().unwrap()
    };
    let records = dump("stablehlo.tanh", 1 << 20);
    let told: Vec<_> =
        records.iter().map(|record| (record.file.as_deref(), record.execution, record.step)).collect();
    let files = ["dump000000.npy", "dump000001.npy", "dump000002.npy"].map(Some);
    assert_eq!(told, [(files[0], 0, 4), (files[1], 1, 4), (files[2], 2, 4)]);
    assert_eq!((records[0].place.ty.as_str(), records[0].place.position), ("tensor<3x5xf32>", (17, 12)));
    // The last recorded value is what the loop returns; its square is the first result.
    let binade_stablehlo::Type::Tensor(ty) = &program.functions[0].values[0] else { panic!("a tensor") };
    let last = crate::observe::npy::read(&folder.join("dump000002.npy"), ty, usize::MAX).unwrap();
    let results = Executable::new(&program, Options::default()).unwrap().run("main", input()).unwrap();
    let narrow = crate::arithmetic::convert::convert(
        &last,
        &binade_stablehlo::ElementType::Float(binade_stablehlo::FloatType::Bf16),
    )
    .unwrap();
    let Data::U16(codes) = narrow else { panic!("bf16") };
    let value = |code: u16| f32::from_bits(u32::from(code) << 16);
    let squares: Vec<f32> = codes.iter().map(|code| value(*code) * value(*code)).collect();
    for (square, code) in squares.iter().zip(&bits(&results)[0]) {
        let found = value(*code as u16);
        assert!((square - found).abs() <= square.abs() / 256.0, "{square} {found}");
    }
    // Operations without a location have the scope of the previous one: multiply, add, exponential, tanh, add, three
    // times.
    assert_eq!(dump("scope/*", 1 << 20).len(), 15);
    // The limit admits two files of sixty bytes; the third record has no file.
    let files: Vec<bool> = dump("tanh", 130).iter().map(|record| record.file.is_some()).collect();
    assert_eq!(files, [true, true, false]);
    assert!(Dump::new(&folder, "a[", 1, IfExists::Refuse).is_err());
    // Existing files are not replaced.
    let refused = Dump::new(&folder, "tanh", 1 << 20, IfExists::Refuse).unwrap();
    let ended = Executable::observed(&program, Options::default(), &refused).unwrap().run("main", input());
    assert_eq!(ended.unwrap_err(), EvalError::Stopped);
    assert!(refused.finish().is_err());
    std::fs::remove_dir_all(&folder).unwrap();
}
