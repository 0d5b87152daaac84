//! `binade hlo`.

use std::fs;

use super::{good, run, run_in};

const RFC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hlo/rfc.mlir");

#[test]
fn the_program_of_the_rfc() {
    for semantics in ["wide", "reference"] {
        let folder = tempfile::tempdir().unwrap();
        let done =
            run_in(folder.path(), &["hlo", "run", RFC, "--output-dir", "out", "--semantics", semantics], "");
        assert_eq!((done.code, done.err.as_str()), (Some(0), ""));
        assert_eq!(done.out, "out0.npy: tensor<16xf8E5M2FNUZ>\nout1.npy: tensor<f8E5M2FNUZ>\n");
        // 0 1 2 3 4 5 6 7 8 8 10 12 12 12 14 16, and 1280.
        let bytes = fs::read(folder.path().join("out/out0.npy")).unwrap();
        let codes = "00 40 44 46 48 49 4a 4b 4c 4c 4d 4e 4e 4e 4f 50";
        let hex: Vec<_> = bytes[bytes.len() - 16..].iter().map(|code| format!("{code:02x}")).collect();
        assert_eq!(hex.join(" "), codes);
        assert_eq!(fs::read(folder.path().join("out/out1.npy")).unwrap().last(), Some(&0x69));
        // Results that are there stay, unless they may be replaced.
        let again = run_in(folder.path(), &["hlo", "run", RFC, "--output-dir", "out"], "");
        assert_eq!(again.code, Some(2));
        let again = run_in(folder.path(), &["hlo", "run", RFC, "--output-dir", "out", "--force"], "");
        assert_eq!(again.code, Some(0));
    }
}

/// Evaluations are timed, and their results are those of one.
#[test]
fn evaluations_are_repeated() {
    let timed = good(&["hlo", "run", RFC, "--repeat", "3"]);
    let last = timed.lines().last().unwrap();
    assert!(last.starts_with("evaluation: median ") && last.contains(" ms, least "), "{timed}");
    assert!(timed.starts_with("result 0: tensor<16xf8E5M2FNUZ>\n"), "{timed}");
    let report: serde_json::Value =
        serde_json::from_str(&good(&["hlo", "run", RFC, "--repeat", "3", "--json"])).unwrap();
    assert_eq!(report["evaluations_s"].as_array().unwrap().len(), 3);
    assert_eq!(report["results"][1]["type"], "tensor<f8E5M2FNUZ>");
    assert!(report["results"][1]["file"].is_null() && report["parse_s"].as_f64().unwrap() > 0.0);
    assert_eq!(run(&["hlo", "run", RFC, "--repeat", "0"]).code, Some(2));
}

#[test]
fn checks_print_a_line_a_function() {
    let folder = tempfile::tempdir().unwrap();
    let program = "func.func @right() {\n  %0 = stablehlo.constant dense<1> : tensor<i8>\n  \
                   check.expect_eq_const %0, dense<1> : tensor<i8>\n  return\n}\n// -----\n\
                   func.func @wrong() {\n  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi8>\n  \
                   check.expect_eq_const %0, dense<[1, 3]> : tensor<2xi8>\n  return\n}\n";
    fs::write(folder.path().join("a.mlir"), program).unwrap();
    let done = run_in(folder.path(), &["hlo", "check", "a.mlir"], "");
    let wrong = "FAILED wrong: a.mlir:9:3: check.expect: expected 3 at [1], got 2\n";
    assert_eq!((done.code, done.out), (Some(1), format!("ok right\n{wrong}")));
    fs::write(folder.path().join("b.mlir"), "func.func @f() {\n  stablehlo.what\n}").unwrap();
    let done = run_in(folder.path(), &["hlo", "check", "b.mlir", "a.mlir"], "");
    assert_eq!(done.code, Some(2));
    assert!(done.out.starts_with("ok right\n"), "{}", done.out);
    let place = "error: b.mlir:2:3: unknown operation 'stablehlo.what'";
    assert!(
        done.err.starts_with(place) && done.err.ends_with("\n 2 |   stablehlo.what\n   |   ^\n"),
        "{}",
        done.err
    );
}

#[test]
fn bad_input_is_named() {
    let missing = run(&["hlo", "run", RFC, "--entry", "other"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.err.contains("there is no function '@other'; there are @main"), "{}", missing.err);
    let inputs = run(&["hlo", "run", RFC, "--input", "x.npy"]);
    assert_eq!(inputs.code, Some(2));
    assert!(inputs.err.contains("@main takes 0 inputs, 1 are given"), "{}", inputs.err);
    for arguments in [["--memory-limit", "many"], ["--arith", "add=nothing"]] {
        assert_eq!(run(&[&["hlo", "run", RFC][..], &arguments].concat()).code, Some(2));
    }
    let limited = run(&["hlo", "run", RFC, "--memory-limit", "1"]);
    assert_eq!(limited.code, Some(2));
    assert!(limited.err.contains("does not fit into the limit"), "{}", limited.err);
}

#[test]
fn rules_say_what_they_reach() {
    let folder = tempfile::tempdir().unwrap();
    let program = "func.func @main() -> tensor<2x2xf32> {\n  %0 = stablehlo.constant dense<1.0> : tensor<2x2xf32>\n  \
                   %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2xf32>) \
                   -> tensor<2x2xf32>\n  %2 = stablehlo.add %1, %0 : tensor<2x2xf32>\n  return %2 : tensor<2x2xf32>\n}\n";
    let said = |rule: &str| {
        let done = run_in(folder.path(), &["hlo", "run", "-", "--arith", rule], program);
        assert_eq!((done.code, done.out.as_str()), (Some(0), "result 0: tensor<2x2xf32>\n"), "{}", done.err);
        done.err
    };
    assert_eq!(said("add=bf16"), "--arith 'add=bf16': 1 operation\n");
    assert_eq!(said("*=bf16:bf16"), "--arith '*=bf16:bf16': 2 operations\n");
    assert_eq!(said("mp"), "--arith 'mp': 2 operations\n");
    assert_eq!(
        said("convolution=bf16:bf16"),
        "warning: --arith 'convolution=bf16:bf16' fits no operation of the program\n"
    );
}

#[test]
fn an_operator_is_for_a_scope() {
    let folder = tempfile::tempdir().unwrap();
    let program = "func.func @main() -> tensor<2xf32> {\n  %0 = stablehlo.constant dense<3.003> : tensor<2xf32>\n  \
                   %1 = stablehlo.multiply %0, %0 : tensor<2xf32>\n  %2 = stablehlo.add %1, %0 : tensor<2xf32>\n  \
                   %3 = stablehlo.divide %2, %0 : tensor<2xf32>\n  %4 = \"stablehlo.fft\"(%3) {fft_length = array<i64: 2>, \
                   fft_type = #stablehlo<fft_type RFFT>} : (tensor<2xf32>) -> tensor<2xcomplex<f32>>\n  \
                   return %3 : tensor<2xf32>\n}\n";
    let run =
        |scope: &[&str]| run_in(folder.path(), &[&["hlo", "run", "-", "--arith"], scope].concat(), program);
    assert_eq!(run(&["bf16:bf16", "--scope", "paper"]).err, "--arith 'bf16:bf16': 2 operations\n");
    let all = run(&["bf16:bf16", "--scope", "all"]);
    let left = "--arith 'bf16:bf16': 3 operations; 1 more that compute stay as they are: of types or kinds that an operator \
                does not do\n";
    assert_eq!((all.err.as_str(), run(&["bf16:bf16"]).err), (left, left.to_owned()));
    let refused = run(&["add=bf16:bf16", "--scope", "paper"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("--scope paper is for an operator without names"), "{}", refused.err);
    assert_eq!(run(&["bf16:bf16", "--scope", "some"]).code, Some(2));
}

#[test]
fn bytecode_is_refused_with_the_way_to_text() {
    let folder = tempfile::tempdir().unwrap();
    for (bytes, what) in [
        (&b"ML\xefR\x01StableHLO"[..], "MLIR bytecode is not read: print the program as text"),
        (&b"\x10\x00\x80\xffML\xefR\x01StableHLO"[..], "a serialized export of JAX is not read"),
        (&b"func.func \xff"[..], "the text is not UTF-8"),
    ] {
        fs::write(folder.path().join("program"), bytes).unwrap();
        let done = run_in(folder.path(), &["hlo", "run", "program"], "");
        assert_eq!(done.code, Some(2));
        assert!(done.err.contains(what), "{}", done.err);
    }
}

#[test]
fn operations_are_listed() {
    let text = good(&["hlo", "ops"]);
    assert!(
        text.lines().any(|line| line.starts_with("stablehlo.add ") && line.contains("bool integer float"))
    );
    assert!(text.lines().any(|line| line == "stablehlo.dot_general"));
    let json = good(&["hlo", "ops", "--json"]);
    assert!(json.contains("\"f8E4M3B11FNUZ\"") && json.contains("\"stablehlo.while\""));
}
