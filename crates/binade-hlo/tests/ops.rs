//! The assertions of the programs in tests/ops, and of all forms that the parser's tests have, hold in both semantics.

use std::fs;
use std::path::Path;

use binade_hlo::Program;
use binade_hlo::check::check;
use binade_hlo::eval::{Options, Semantics};

#[test]
fn assertions_hold() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let forms = package.join("../binade-stablehlo/tests/data/forms.mlir");
    let mut functions = 0;
    let mut failures = vec![];
    let mut files: Vec<_> =
        fs::read_dir(package.join("tests/ops")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.push(forms);
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

/// Bounds of `expect_close` are of ui64, in each form that states them. Without bounds, neighbours are close.
#[test]
fn bounds_of_expect_close_are_unsigned() {
    let holds = |assertion: &str| {
        // Two units in the last place apart.
        let text = format!(
            "func.func @main() {{\n%a = stablehlo.constant dense<1.0> : tensor<f32>\n%b = stablehlo.constant \
             dense<0x3F800002> : tensor<f32>\n{assertion}\nreturn\n}}"
        );
        let program = Program::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let mut holds = None;
        check(&program, Options::default(), |outcome| holds = Some(outcome.result.is_ok())).unwrap();
        holds.expect("one function was run")
    };
    let types = "tensor<f32>, tensor<f32>";
    for (bounds, expected) in [
        ("max_ulp_difference = 2", true),
        ("max_ulp_difference = 1", false),
        ("max_ulp_difference = 2 : ui64, min_ulp_difference = 2 : ui64", true),
        ("max_ulp_difference = 18446744073709551615, min_ulp_difference = 3", false),
        ("max_ulp_difference = 18446744073709551615 : ui64", true),
    ] {
        assert_eq!(holds(&format!("check.expect_close %a, %b, {bounds} : {types}")), expected, "{bounds}");
        assert_eq!(
            holds(&format!("check.expect_close %a, %b, {bounds} : {{}} {types}")),
            expected,
            "{bounds}"
        );
        let generic = format!("\"check.expect_close\"(%a, %b) {{{bounds}}} : ({types}) -> ()");
        assert_eq!(holds(&generic), expected, "{bounds}");
    }
    assert!(!holds(&format!("\"check.expect_close\"(%a, %b) : ({types}) -> ()")));
    let infinite = "%i = stablehlo.constant dense<0x7F800000> : tensor<f32>";
    for (operands, bounds, expected) in [
        ("%i, %i", "max_ulp_difference = 0", true),
        ("%i, %i", "max_ulp_difference = 9, min_ulp_difference = 1", false),
        ("%i, %a", "max_ulp_difference = 18446744073709551614", false),
        (
            "%i, %a",
            "max_ulp_difference = 18446744073709551615, min_ulp_difference = 18446744073709551615",
            true,
        ),
    ] {
        let text = format!("{infinite}\ncheck.expect_close {operands}, {bounds} : {types}");
        assert_eq!(holds(&text), expected, "{operands} {bounds}");
    }
}
