//! The assertions of the programs in tests/ops hold, in both semantics.

use std::fs;
use std::path::Path;

use binade_hlo::Program;
use binade_hlo::check::check;
use binade_hlo::eval::{Options, Semantics};

#[test]
fn assertions_hold() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ops");
    let mut functions = 0;
    let mut failures = vec![];
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for file in &files {
        for program in Program::parse_all(&fs::read(file).unwrap()) {
            let program =
                program.unwrap_or_else(|error| panic!("{}", error.in_file(file.display().to_string())));
            for semantics in [Semantics::Wide, Semantics::Reference] {
                let options = Options { semantics, ..Options::default() };
                let outcome = |outcome: binade_hlo::check::Outcome| {
                    functions += 1;
                    if let Err(error) = outcome.result {
                        failures.push(format!("{}: {}: {error}", file.display(), outcome.function));
                    }
                };
                check(&program, options, outcome).unwrap();
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(functions > 0, "no function was run");
}

#[test]
fn an_assertion_that_does_not_hold_is_reported() {
    let text = b"func.func @wrong() {\n %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi8>\n\
        check.expect_eq_const %0, dense<[1, 3]> : tensor<2xi8>\n func.return\n}\n\
        func.func @skipped(%a: tensor<i8>) { return }\nfunc.func @called() { call @inner() : () -> ()\n return }\n\
        func.func private @inner() { return }";
    let [Ok(program)] = &Program::parse_all(text)[..] else { panic!("one program") };
    let mut lines = vec![];
    check(program, Options::default(), |outcome| {
        lines.push((outcome.function, outcome.result.map_err(|error| error.to_string())));
    })
    .unwrap();
    assert_eq!(lines.len(), 2);
    let (name, Err(error)) = &lines[0] else { panic!("{lines:?}") };
    assert!(
        name == "wrong" && error.starts_with("3:1:") && error.contains("expected 3 at [1], got 2"),
        "{error}"
    );
    assert_eq!(lines[1], ("called".to_owned(), Ok(())));
}
