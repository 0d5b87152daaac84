//! Tests of single passes. A file of `filetests/` begins with `// test PASS` and has a program. The snapshot beside it has the
//! function `main` after the pass.

use std::fmt::Write;
use std::path::Path;

use binade_stablehlo::ir::{Function, Op, Program, Region, ValueId};
use binade_stablehlo::{Tensor, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{dead, fold, hoist, inline, products, rematerialize, rewritten, segments, transposes, unroll};
use crate::arithmetic::rules::Rules;
use crate::machine::expect::to_f64;

/// The passes, by the names that files have.
const PASSES: [&str; 10] = [
    "dead",
    "fold",
    "hoist",
    "inline",
    "products",
    "rematerialize",
    "rewritten",
    "segments",
    "transposes",
    "unroll",
];

/// The function `main` of a program after a pass, without the values that the pass left unread.
fn run(pass: &str, program: &Program) -> Function {
    let at = program.names["main"];
    let mut main = program.functions[at].clone();
    let bypassed = match pass {
        // Treats every value as left by a pass: values without readers are removed.
        "dead" => (0..main.values.len() as u32).map(ValueId).collect(),
        "products" => products::transposes(&mut main, 0),
        "rematerialize" => rematerialize::values(&mut main),
        "transposes" => transposes::together(&mut main, true),
        _ => FxHashSet::default(),
    };
    match pass {
        "dead" | "products" | "rematerialize" | "transposes" => dead::operations(&mut main, &bypassed),
        "fold" => fold::constants(&mut main),
        "hoist" => hoist::invariants(&mut main, &Rules::default()),
        "inline" => inline::calls(program, at, &mut main),
        "rewritten" => main = rewritten(program, &Rules::default()).functions.swap_remove(at),
        "segments" => segments::together(&mut main),
        "unroll" => {
            unroll::loops(&mut main);
        }
        other => panic!("no pass: {other}"),
    }
    main
}

/// A function as text. Values are numbered in the order of their definitions.
struct Printer<'f> {
    function: &'f Function,
    numbers: FxHashMap<ValueId, usize>,
    text: String,
}

impl Printer<'_> {
    fn name(&mut self, value: ValueId) -> String {
        let next = self.numbers.len();
        format!("%{}", self.numbers.entry(value).or_insert(next))
    }

    fn names(&mut self, values: &[ValueId]) -> String {
        values.iter().map(|&value| self.name(value)).collect::<Vec<_>>().join(", ")
    }

    fn types(&self, values: &[ValueId]) -> String {
        let text = |value: &ValueId| match &self.function.values[value.0 as usize] {
            Type::Tensor(tensor) => {
                tensor.to_string().trim_start_matches("tensor<").trim_end_matches('>').to_owned()
            }
            other => other.to_string(),
        };
        values.iter().map(text).collect::<Vec<_>>().join(", ")
    }

    fn region(&mut self, region: &Region, depth: usize) {
        let margin = "  ".repeat(depth);
        for operation in &region.operations {
            let operands = self.names(&operation.operands);
            let results = self.names(&operation.results);
            let types = self.types(&operation.results);
            let (name, attributes) = (operation.kind.name(), attributes(&operation.kind));
            let mut line = if results.is_empty() { String::new() } else { format!("{results} = ") };
            line += name;
            for part in [attributes, operands].iter().filter(|part| !part.is_empty()) {
                line += &format!(" {part}");
            }
            let _ = writeln!(self.text, "{margin}{line} : {types}");
            for inner in operation.kind.regions() {
                let parameters = self.names(&inner.parameters);
                let _ = writeln!(self.text, "{margin}  ({parameters}) {{");
                self.region(inner, depth + 2);
                let _ = writeln!(self.text, "{margin}  }}");
            }
        }
        let results = self.names(&region.results);
        let _ = writeln!(self.text, "{margin}return {results}");
    }
}

/// The attributes that passes change.
fn attributes(op: &Op) -> String {
    match op {
        Op::Constant(tensor) => elements(tensor),
        Op::Compare { direction, .. } => format!("{direction:?}").to_uppercase(),
        Op::Transpose { permutation } => format!("{permutation:?}"),
        Op::BroadcastInDim { dimensions } | Op::Reverse { dimensions } => format!("{dimensions:?}"),
        Op::Iota { dimension } | Op::Concatenate { dimension } => format!("[{dimension}]"),
        Op::Slice { start, limit, .. } => format!("{start:?}..{limit:?}"),
        Op::DotGeneral { dimensions: d, .. } => {
            format!(
                "{:?}x{:?} {:?}x{:?}",
                d.lhs_batching, d.rhs_batching, d.lhs_contracting, d.rhs_contracting
            )
        }
        Op::Call { function } => format!("@{function}"),
        _ => String::new(),
    }
}

/// At most eight elements.
fn elements(tensor: &Tensor) -> String {
    let all: Vec<String> = to_f64(tensor).unwrap_or_default().iter().take(8).map(f64::to_string).collect();
    let more = if tensor.data.len() > all.len() { ", …" } else { "" };
    format!("<{}{more}>", all.join(", "))
}

fn print(function: &Function) -> String {
    let mut printer = Printer { function, numbers: FxHashMap::default(), text: String::new() };
    let parameters = printer.names(&function.body.parameters);
    let types = printer.types(&function.body.parameters);
    let _ = writeln!(printer.text, "({parameters}) : {types}");
    printer.region(&function.body, 1);
    printer.text
}

#[test]
fn passes_make_what_their_snapshots_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/plan/rewrite/filetests");
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "mlir"));
    files.sort();
    let mut passes = FxHashSet::default();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(&folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for file in files {
            let text = std::fs::read_to_string(&file).unwrap();
            let pass = text.lines().next().and_then(|line| line.strip_prefix("// test ")).unwrap().trim();
            let program = Program::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            passes.insert(pass.to_owned());
            insta::assert_snapshot!(file.file_stem().unwrap().to_str().unwrap(), print(&run(pass, &program)));
        }
    });
    let untested: Vec<&str> = PASSES.into_iter().filter(|pass| !passes.contains(*pass)).collect();
    assert!(untested.is_empty(), "passes without a file: {untested:?}");
}
