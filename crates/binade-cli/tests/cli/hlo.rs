//! `binade hlo`: runs, checks, dumps and inputs of programs.

use std::fs;

use super::{good, run, run_in};

const RFC: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/hlo/rfc.mlir");

#[test]
fn program_of_the_rfc_runs() {
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
fn repeat_evaluates_n_times() {
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
fn check_prints_a_line_for_each_function() {
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
fn bad_hlo_input_is_refused_with_its_name() {
    let missing = run(&["hlo", "run", RFC, "--entry", "other"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.err.contains("unknown function '@other': the program has @main"), "{}", missing.err);
    let inputs = run(&["hlo", "run", RFC, "--input", "x.npy"]);
    assert_eq!(inputs.code, Some(2));
    assert!(inputs.err.contains("expected 0 inputs for @main, got 1"), "{}", inputs.err);
    for arguments in [["--memory-limit", "many"], ["--arith", "add=nothing"]] {
        assert_eq!(run(&[&["hlo", "run", RFC][..], &arguments].concat()).code, Some(2));
    }
    let limited = run(&["hlo", "run", RFC, "--memory-limit", "1"]);
    assert_eq!(limited.code, Some(2));
    assert!(limited.err.contains("does not fit into the limit"), "{}", limited.err);
}

#[test]
fn arith_rule_reports_the_operations_it_applies_to() {
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
        "warning: --arith 'convolution=bf16:bf16' matches no operation of the program\n"
    );
}

#[test]
fn operator_applies_to_its_scope() {
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
    let left = "--arith 'bf16:bf16': 3 operations; 1 more stay as they are: an operator does not compute \
                their types or kinds\n";
    assert_eq!((all.err.as_str(), run(&["bf16:bf16"]).err), (left, left.to_owned()));
    let refused = run(&["add=bf16:bf16", "--scope", "paper"]);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("--scope paper without an operator for all operations"), "{}", refused.err);
    assert_eq!(run(&["bf16:bf16", "--scope", "some"]).code, Some(2));
}

#[test]
fn file_that_is_not_a_program_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (bytes, what) in [
        (&b"ML\xefR\x01StableHLO"[..], "bytecode, byte 5: a string without an end"),
        (&b"\x10\x00\x80\xffML\xefR\x01StableHLO"[..], "the text is not UTF-8"),
        (&b"func.func \xff"[..], "the text is not UTF-8"),
    ] {
        fs::write(folder.path().join("program"), bytes).unwrap();
        let done = run_in(folder.path(), &["hlo", "run", "program"], "");
        assert_eq!(done.code, Some(2));
        assert!(done.err.contains(what), "{}", done.err);
    }
}

#[test]
fn bytecode_has_the_results_of_its_text() {
    let example = |name: &str| format!("{}/../../examples/hlo/{name}", env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    for name in ["rfc.mlir", "rfc.mlirbc"] {
        let done = run_in(folder.path(), &["hlo", "run", &example(name), "--output-dir", name], "");
        assert_eq!(done.code, Some(0), "{}", done.err);
    }
    let result = |name: &str| fs::read(folder.path().join(name).join("out1.npy")).unwrap();
    assert_eq!(result("rfc.mlir"), result("rfc.mlirbc"));
    assert!(good(&["hlo", "text", &example("rfc.mlirbc")]).contains("stablehlo.dot_general"));
    assert_eq!(
        good(&["hlo", "text", &example("rfc.mlir")]),
        fs::read_to_string(example("rfc.mlir")).unwrap()
    );
}

#[test]
fn ops_lists_operations_and_types() {
    let text = good(&["hlo", "ops"]);
    assert!(
        text.lines().any(|line| line.starts_with("stablehlo.add ") && line.contains("bool integer float"))
    );
    assert!(text.lines().any(|line| line == "stablehlo.dot_general"));
    let json = good(&["hlo", "ops", "--json"]);
    assert!(json.contains("\"f8E4M3B11FNUZ\"") && json.contains("\"stablehlo.while\""));
}

/// Adds a batch to a state, and says the first element of it and whether anything is a number.
const LOOP: &str = "func.func @main(%x: tensor<2xf32> loc(\"state\"), %y: tensor<2xf32> loc(\"batch\")) \
                    -> (tensor<2xf32>, tensor<f32>) {\n  %0 = stablehlo.add %x, %y : tensor<2xf32>\n  \
                    %1 = stablehlo.slice %0 [0:1] : (tensor<2xf32>) -> tensor<1xf32>\n  \
                    %2 = stablehlo.reshape %1 : (tensor<1xf32>) -> tensor<f32>\n  \
                    return %0, %2 : tensor<2xf32>, tensor<f32>\n}\n";

/// A .npy file of binary32, as numpy writes it.
fn npy(shape: &str, elements: &[f32]) -> Vec<u8> {
    let header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}");
    let header = format!("{header:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    bytes.extend(header.bytes());
    elements.iter().for_each(|element| bytes.extend(element.to_le_bytes()));
    bytes
}

fn looped() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p.mlir"), LOOP).unwrap();
    fs::write(folder.path().join("x.npy"), npy("(2,)", &[1.0, 10.0])).unwrap();
    fs::write(folder.path().join("rows.npy"), npy("(3, 2)", &[0.5, 1.0, 0.25, 2.0, 0.125, 4.0])).unwrap();
    folder
}

#[test]
fn carry_hands_outputs_to_the_next_step() {
    let folder = looped();
    let run = |more: &[&str]| run_in(folder.path(), &[&["hlo", "run", "p.mlir"], more].concat(), "");
    let steps = ["--carry", "out0=in0", "--batches", "batch=rows.npy", "--input", "x.npy", "--steps"];
    let done = run(&[&steps[..], &["3", "--output-dir", "out"]].concat());
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""));
    let lines = "step 0: out1 1.5\nstep 1: out1 1.75\nstep 2: out1 1.875\n";
    assert_eq!(done.out, format!("{lines}out0.npy: tensor<2xf32>\nout1.npy: tensor<f32>\n"));
    let bytes = fs::read(folder.path().join("out/out0.npy")).unwrap();
    assert_eq!(bytes[bytes.len() - 8..], [1.875f32.to_le_bytes(), 17.0f32.to_le_bytes()].concat());
    let done = run(&[&steps[..], &["4", "--wrap", "--json"]].concat());
    assert_eq!(done.err, "rows.npy: after the last of 3 rows, the first follows\n");
    let lines: Vec<serde_json::Value> =
        done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), &lines[3]["step"], &lines[3]["out1"]), (5, &3.into(), &2.375.into()));
    assert_eq!(lines[4]["results"][0]["type"], "tensor<2xf32>");
    for (arguments, why) in [
        (&["--steps", "4"][..], "3 rows are not enough for 4 steps"),
        (&["--steps", "1", "--carry", "out1=in0"], "in0 is given by two"),
        (&["--steps", "1", "--carry", "out0..1=in0"], "2 outputs cannot become 1 inputs"),
        (&["--steps", "1", "--batches", "state=rows.npy"], "in0 is given by two"),
        (
            &["--steps", "1", "--batches", "other=rows.npy"],
            "unknown parameter 'other': the function has arg0 (state), arg1 (batch)",
        ),
        (
            &["--steps", "1", "--input", "state=x.npy", "--input", "state=x.npy"],
            "two values for arg0 (state)",
        ),
    ] {
        let start = &steps[..steps.len() - 1];
        let done = run(&[start, arguments].concat());
        assert!(done.code == Some(2) && done.err.contains(why), "{}", done.err);
    }
    let missing = run(&["--input", "batch=x.npy"]);
    assert!(missing.code == Some(2) && missing.err.contains("no value for arg0 (state)"), "{}", missing.err);
    let ty = run(&["--steps", "1", "--carry", "out1=in0", "--input", "x.npy", "--input", "x.npy"]);
    assert!(
        ty.code == Some(2) && ty.err.contains("out1 is tensor<f32>, and in0 is tensor<2xf32>"),
        "{}",
        ty.err
    );
}

#[test]
fn dump_writes_intermediate_values() {
    let folder = looped();
    let run = |more: &[&str]| {
        let given =
            ["hlo", "run", "p.mlir", "--input", "x.npy", "--carry", "out0=in0", "--batches", "arg1=rows.npy"];
        run_in(folder.path(), &[&given[..], &["--steps", "2", "--output-dir", "d"], more].concat(), "")
    };
    let done = run(&["--dump", "{add,slice}"]);
    assert_eq!((done.code, done.err.as_str()), (Some(0), ""));
    assert!(done.out.starts_with("step 0: out1 1.5\nstep 1: out1 1.75\n"), "{}", done.out);
    let index: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.path().join("d/dump.json")).unwrap()).unwrap();
    let told: Vec<_> = index
        .as_array()
        .unwrap()
        .iter()
        .map(|line| (&line["operation"], &line["step"], &line["file"]))
        .collect();
    let name = |at: usize| serde_json::Value::from(format!("dump00000{at}.npy"));
    let (add, slice, zero, one) = (&"add".into(), &"slice".into(), &0.into(), &1.into());
    assert_eq!(
        told,
        [(add, zero, &name(0)), (slice, zero, &name(1)), (add, one, &name(2)), (slice, one, &name(3))]
    );
    assert_eq!((&index[0]["type"], &index[0]["line"]), (&"tensor<2xf32>".into(), &2.into()));
    let file = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(file("d/dump000002.npy"), file("d/out0.npy"));
    let again = run(&["--dump", "add"]);
    assert!(again.code == Some(2) && again.err.contains("dump.json: the file exists"), "{}", again.err);
    let limited = run(&["--dump", "add", "--dump-limit", "8", "--force"]);
    assert_eq!(
        (limited.code, limited.err.as_str()),
        (Some(0), "--dump-limit: 1 of 2 results are left out\n")
    );
    assert!(run(&["--dump", "dot", "--force"]).err.contains("--dump matches no operation that ran"));
}

/// A .safetensors file, and an archive as numpy.savez writes it.
#[test]
fn inputs_are_found_by_name() {
    let folder = looped();
    let header = r#"{"state":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"more":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}}"#;
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend(header.bytes());
    [1.0f32, 2.0, 30.0, 40.0].iter().for_each(|element| bytes.extend(element.to_le_bytes()));
    fs::write(folder.path().join("w.safetensors"), bytes).unwrap();
    let arrays = [("state.npy", npy("(2,)", &[1.0, 2.0])), ("more.npy", npy("(2,)", &[30.0, 40.0]))];
    fs::write(folder.path().join("w.npz"), archive(&arrays)).unwrap();
    for file in ["w.safetensors", "w.npz"] {
        let run = |more: &[&str]| {
            let done = run_in(
                folder.path(),
                &[&["hlo", "run", "p.mlir", "--steps", "1", "--input", file], more].concat(),
                "",
            );
            (done.code, done.out.lines().next().unwrap_or("").to_owned(), done.err)
        };
        let ok = |line: &str| (Some(0), line.to_owned());
        let (code, line, said) = run(&["--input", "x.npy"]);
        assert_eq!(
            ((code, line), said.as_str()),
            (ok("step 0: out1 2"), &*format!("{file}: 1 tensors have no parameter of their name\n"))
        );
        let (code, line, said) = run(&["--bind", "more=arg1"]);
        assert_eq!(((code, line), said.as_str()), (ok("step 0: out1 31"), ""));
    }
    fs::write(folder.path().join("bad.npz"), b"PK nothing").unwrap();
    let bad = run_in(folder.path(), &["hlo", "run", "p.mlir", "--input", "bad.npz"], "");
    assert!(bad.code == Some(2) && bad.err.contains("bad.npz"), "{}", bad.err);
}

/// An export for several platforms is told which one it runs on, unless its reader is.
#[test]
fn platform_index_is_filled_in() {
    let folder = tempfile::tempdir().unwrap();
    let text = "func.func public @main(%p: tensor<f32> {jax.global_constant = \"_platform_index\"}, %x: tensor<2xf32>) -> \
        tensor<2xf32> {\n%0 = stablehlo.broadcast_in_dim %p, dims = [] : (tensor<f32>) -> tensor<2xf32>\n\
        %1 = stablehlo.add %0, %x : tensor<2xf32>\nreturn %1 : tensor<2xf32>\n}";
    fs::write(folder.path().join("p.mlir"), text).unwrap();
    fs::write(folder.path().join("x.npy"), npy("(2,)", &[1.0, 2.0])).unwrap();
    fs::write(folder.path().join("one.npy"), npy("()", &[1.0])).unwrap();
    let result = |inputs: &[&str]| {
        let arguments = [&["hlo", "run", "p.mlir", "--output-dir", "out", "--force"], inputs].concat();
        let done = run_in(folder.path(), &arguments, "");
        assert_eq!((done.code, done.err.as_str()), (Some(0), ""));
        let bytes = fs::read(folder.path().join("out/out0.npy")).unwrap();
        bytes[bytes.len() - 8..].to_vec()
    };
    let bytes = |numbers: [f32; 2]| numbers.map(f32::to_le_bytes).concat();
    assert_eq!(result(&["--input", "x.npy"]), bytes([1.0, 2.0]));
    assert_eq!(result(&["--input", "_platform_index=one.npy", "--input", "x.npy"]), bytes([2.0, 3.0]));
    assert_eq!(result(&["--input", "one.npy", "--input", "x.npy"]), bytes([2.0, 3.0]));
    let none = run_in(folder.path(), &["hlo", "run", "p.mlir"], "");
    assert_eq!(none.code, Some(2));
}

/// As JAX writes `debug.print`, ordered: its token is neither given nor written.
#[test]
fn call_of_python_without_results_is_skipped_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let text = "func.func public @main(%t: !stablehlo.token {jax.token = true}, %x: tensor<2xf32>) -> (!stablehlo.token \
        {jax.token = true}, tensor<2xf32>) {\n  %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%t, %x) \
        {has_side_effect = true, mhlo.backend_config = {index = 0 : ui64}} : (!stablehlo.token, tensor<2xf32>) -> \
        !stablehlo.token\n  return %0, %x : !stablehlo.token, tensor<2xf32>\n}";
    fs::write(folder.path().join("p.mlir"), text).unwrap();
    fs::write(folder.path().join("x.npy"), npy("(2,)", &[1.0, 2.0])).unwrap();
    let done = run_in(folder.path(), &["hlo", "run", "p.mlir", "--input", "x.npy"], "");
    assert_eq!((done.code, done.out.as_str()), (Some(0), "result 0: tensor<2xf32>\n"), "{}", done.err);
    let warning = "warning: p.mlir:2:8: not run: a call of Python without results, such as jax.debug.print\n";
    assert_eq!(done.err, warning);
    let needed = text
        .replace("%0 =", "%0:2 =")
        .replace(
            "tensor<2xf32>) -> !stablehlo.token\n",
            "tensor<2xf32>) -> (!stablehlo.token, tensor<2xf32>)\n",
        )
        .replace("return %0, %x", "return %0#0, %0#1");
    fs::write(folder.path().join("q.mlir"), needed).unwrap();
    let done = run_in(folder.path(), &["hlo", "run", "q.mlir", "--input", "x.npy"], "");
    assert_eq!(done.code, Some(2));
    assert!(
        done.err
            .contains("q.mlir:2:10: custom_call: @xla_ffi_python_cpu_callback calls a function of Python"),
        "{}",
        done.err
    );
}

/// A zip archive of files that are stored as they are.
fn archive(files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let (mut bytes, mut directory) = (vec![], vec![]);
    for (name, contents) in files {
        let mut crc = !0u32;
        for byte in contents {
            crc = (0..8)
                .fold(crc ^ u32::from(*byte), |crc, _| crc >> 1 ^ if crc & 1 == 1 { 0xedb8_8320 } else { 0 });
        }
        let size = contents.len() as u32;
        let mut common = [20u16, 0, 0, 0, 0x21].map(u16::to_le_bytes).concat();
        common.extend([!crc, size, size].map(u32::to_le_bytes).concat());
        common.extend([name.len() as u16, 0].map(u16::to_le_bytes).concat());
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0u8; 10]);
        directory.extend((bytes.len() as u32).to_le_bytes());
        directory.extend(name.bytes());
        bytes.extend(b"PK\x03\x04");
        bytes.extend(&common);
        bytes.extend(name.bytes());
        bytes.extend(contents);
    }
    let start = bytes.len() as u32;
    let count = files.len() as u16;
    let length = directory.len() as u32;
    bytes.extend(directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([count, count].map(u16::to_le_bytes).concat());
    bytes.extend([length, start].map(u32::to_le_bytes).concat());
    bytes.extend([0, 0]);
    bytes
}

/// A sum of 300 ones stalls at 256 in a BF16 accumulator: 44 products do nothing.
#[test]
fn swamping_counts_products_without_effect() {
    let folder = tempfile::tempdir().unwrap();
    let program = "func.func @main() -> tensor<1x1xf32> {\n  \
        %a = stablehlo.constant dense<1.0> : tensor<1x300xf32>\n  \
        %b = stablehlo.constant dense<1.0> : tensor<300x1xf32>\n  \
        %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] \
        : (tensor<1x300xf32>, tensor<300x1xf32>) -> tensor<1x1xf32>\n  \
        return %c : tensor<1x1xf32>\n}\n";
    fs::write(folder.path().join("sum.mlir"), program).unwrap();
    let options = ["hlo", "run", "sum.mlir", "--arith", "bf16:bf16", "--swamping", "8"];
    let table = run_in(folder.path(), &options, "");
    let line = table.out.lines().last().unwrap().split_whitespace().collect::<Vec<_>>();
    // 256 and 1 are 8 binades apart, and not more.
    assert_eq!(line, ["299", "300", "0.00", "%", "0.00", "%", "0.00", "%", "14.72", "%", "0.00", "%"]);
    let all = [&options[..], &["--json", "--profile", "page.html"]].concat();
    let found: serde_json::Value = serde_json::from_str(&run_in(folder.path(), &all, "").out).unwrap();
    assert_eq!(found["swamping"][0]["product_absorbed"], 44);
    let product = found["profile"].as_array().unwrap().iter().find(|row| row["operation"] == "dot_general");
    assert_eq!(product.unwrap()["exponents"], serde_json::json!([[8, 1]]));
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("Losses of accumulators") && page.contains("14.72 %"));
}

/// Two products, each in a scope, and a sign.
const LAYERS: &str = "func.func @main(%x: tensor<2x64xf32>, %w: tensor<64x64xf32>) -> (tensor<2x64xf32>, tensor<2x64xf32>) {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x64xf32>, tensor<64x64xf32>) -> tensor<2x64xf32> loc(\"first/dot_general\")
  %z = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0] : (tensor<2x64xf32>, tensor<64x64xf32>) -> tensor<2x64xf32> loc(\"second/dot_general\")
  %s = stablehlo.sign %z : tensor<2x64xf32>
  return %z, %s : tensor<2x64xf32>, tensor<2x64xf32>
}";

/// A folder with the program and its inputs.
fn layers() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let numbers = |count: usize, step: usize| -> Vec<f32> {
        (0..count).map(|at| (at * step % 251) as f32 / 100.0 + 0.01).collect()
    };
    fs::write(folder.path().join("p.mlir"), LAYERS).unwrap();
    fs::write(folder.path().join("x.npy"), npy("(2, 64)", &numbers(128, 37))).unwrap();
    fs::write(folder.path().join("w.npy"), npy("(64, 64)", &numbers(4096, 71))).unwrap();
    folder
}

/// The comparison of a run in the folder, as JSON.
fn difference(folder: &std::path::Path, more: &[&str]) -> serde_json::Value {
    let run = ["hlo", "run", "p.mlir", "--input", "x.npy", "--input", "w.npy", "--json"];
    let done = run_in(folder, &[&run[..], more].concat(), "");
    assert_eq!(done.code, Some(0), "{}", done.err);
    serde_json::from_str::<serde_json::Value>(&done.out).unwrap()["difference"].take()
}

#[test]
fn first_difference_of_two_arithmetics_is_found() {
    let folder = layers();
    let second = ["--arith", "dot_general@second*=bf16:bf16"];
    let found =
        difference(folder.path(), &[&second[..], &["--against", "f32:f32", "--threshold", "1e-6"]].concat());
    // Only the second product has another arithmetic, which makes the difference; its sign heals it.
    assert_eq!(found["first"]["scope"], "second/dot_general");
    assert_eq!(
        (&found["first"]["entering"], &found["first"]["line"]),
        (&serde_json::json!(0.0), &serde_json::json!(3))
    );
    let made = found["first"]["made"].as_f64().unwrap();
    assert!(made > 1e-3 && found["first"]["leaving"].as_f64() == Some(made), "{found}");
    let operations = found["operations"].as_array().unwrap();
    assert_eq!(operations.len(), 3);
    assert_eq!(
        (&operations[0]["leaving"], &operations[2]["healed"]),
        (&serde_json::json!(0.0), &serde_json::json!(1))
    );
    assert_eq!(found["results"].as_array().unwrap()[1], 0.0);

    // Under one arithmetic for both, the second product amplifies what enters, and makes its own share.
    let found =
        difference(folder.path(), &["--arith", "bf16:bf16", "--against", "f32:f32", "--threshold", "1e-6"]);
    assert_eq!(found["first"]["scope"], "first/dot_general");
    let second = &found["operations"][1];
    assert_eq!(second["entering"], found["first"]["leaving"]);
    assert!(second["made"].as_f64().unwrap() > 0.0);
    // Equal arithmetics have no first difference.
    assert!(
        difference(folder.path(), &["--arith", "h100:bf16", "--against", "h100:bf16"])["first"].is_null()
    );
    let units = ["--arith", "h100:bf16", "--against", "mi300x:bf16", "--threshold", "0"];
    assert_eq!(difference(folder.path(), &units)["first"]["operation"], "dot_general");
}

/// A loop that calls a function with a product and a sum, which an operator computes together.
const LOOP_OF_SUMS: &str = "func.func private @f(%a: tensor<8xf32>) -> tensor<8xf32> {
  %c = stablehlo.constant dense<1.001> : tensor<8xf32>
  %b = stablehlo.multiply %a, %c : tensor<8xf32>
  %d = stablehlo.add %b, %a : tensor<8xf32>
  return %d : tensor<8xf32>
}
func.func @main() -> tensor<8xf32> {
  %i = stablehlo.iota dim = 0 : tensor<8xf32>
  %n = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = stablehlo.while(%k = %n, %x = %i) : tensor<i32>, tensor<8xf32>
   cond {
    %five = stablehlo.constant dense<5> : tensor<i32>
    %p = stablehlo.compare LT, %k, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %l = stablehlo.add %k, %one : tensor<i32>
    %y = func.call @f(%x) : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %l, %y : tensor<i32>, tensor<8xf32>
  }
  return %r#1 : tensor<8xf32>
}";

#[test]
fn loops_and_contracted_pairs_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p.mlir"), LOOP_OF_SUMS).unwrap();
    for rules in [["f32:f32", "bf16:bf16"], ["bf16:bf16", "f32:f32"]] {
        let words = [
            "hlo",
            "run",
            "p.mlir",
            "--json",
            "--arith",
            rules[0],
            "--against",
            rules[1],
            "--threshold",
            "1e-3",
        ];
        let done = run_in(folder.path(), &words, "");
        assert!(done.code == Some(0) && !done.err.contains("another branch"), "{}", done.err);
        let found = serde_json::from_str::<serde_json::Value>(&done.out).unwrap()["difference"].take();
        assert_eq!((&found["first"]["operation"], &found["first"]["executions"]), (&"add".into(), &5.into()));
        assert_eq!(found["first"]["leaving"], found["results"][0]);
        // The product of 1.001, which is 1 in BF16.
        let made = found["first"]["made"].as_f64().unwrap();
        assert!(made > 4e-4 && made < 4e-3, "{found}");
    }
}

#[test]
fn share_of_an_operation_is_that_of_its_product_alone() {
    let folder = layers();
    let found = difference(folder.path(), &["--arith", "bf16:bf16", "--against", "f32:f32"]);
    let products = ["--arith", "bf16:bf16", "--arith", "f32:f32"].chunks(2).map(|arith| {
        let out = arith[1].replace(':', "-");
        let words = ["matmul", "x.npy", "w.npy", "-o", &format!("{out}.npy"), arith[0], arith[1]];
        assert_eq!(run_in(folder.path(), &words, "").code, Some(0));
        let bytes = fs::read(folder.path().join(format!("{out}.npy"))).unwrap();
        let body = &bytes[bytes.len() - 2 * 64 * 4..];
        body.chunks(4).map(|word| f64::from(f32::from_le_bytes(word.try_into().unwrap()))).collect::<Vec<_>>()
    });
    let [a, b] = &products.collect::<Vec<_>>()[..] else { panic!("two products") };
    let squares = |numbers: &mut dyn Iterator<Item = f64>| numbers.map(|x| x * x).sum::<f64>();
    let expected =
        (squares(&mut a.iter().zip(b).map(|(a, b)| a - b)) / squares(&mut b.iter().copied())).sqrt();
    let made = found["operations"][0]["made"].as_f64().unwrap();
    assert!((made / expected - 1.0).abs() < 1e-12, "{made} {expected}");
}

#[test]
fn run_is_compared_with_a_dump() {
    let folder = layers();
    let inputs = ["hlo", "run", "p.mlir", "--input", "x.npy", "--input", "w.npy"];
    let dump = ["--arith", "bf16:bf16", "--dump", "*", "--output-dir", "d"];
    assert_eq!(run_in(folder.path(), &[&inputs[..], &dump].concat(), "").code, Some(0));
    let found = difference(folder.path(), &["--against", "d", "--threshold", "1e-4"]);
    let run = difference(folder.path(), &["--against", "bf16:bf16", "--threshold", "1e-4"]);
    assert_eq!(found["first"]["scope"], "first/dot_general");
    for at in 0..3 {
        assert_eq!(found["operations"][at]["leaving"], run["operations"][at]["leaving"]);
        assert_eq!(found["operations"][at]["entering"], run["operations"][at]["entering"]);
        assert!(found["operations"][at]["made"].is_null());
    }
    // A folder of arrays by location, of which one is enough.
    fs::create_dir_all(folder.path().join("named/second")).unwrap();
    fs::copy(folder.path().join("d/dump000001.npy"), folder.path().join("named/second/dot_general.npy"))
        .unwrap();
    let found = difference(folder.path(), &["--against", "named"]);
    assert_eq!(found["operations"].as_array().unwrap().len(), 1);
    assert_eq!(found["operations"][0]["leaving"], run["operations"][1]["leaving"]);
    let same = difference(folder.path(), &["--arith", "bf16:bf16", "--against", "d", "--threshold", "0"]);
    assert!(same["first"].is_null());
}

#[test]
fn bad_comparison_says_what_is_wrong() {
    let folder = layers();
    fs::create_dir(folder.path().join("empty")).unwrap();
    fs::write(folder.path().join("bad.safetensors"), "x").unwrap();
    fs::copy(folder.path().join("x.npy"), folder.path().join("y.npy")).unwrap();
    // A field that may be null must still be there.
    fs::create_dir(folder.path().join("dumped")).unwrap();
    let line =
        r#"{"files": "a.npy", "function": "main", "line": 1, "column": 1, "result": 0, "execution": 0}"#;
    fs::write(folder.path().join("dumped/dump.json"), format!("[{line}]")).unwrap();
    let cases: [(&[&str], &str); 10] = [
        (&["--against", "dumped"], "dumped/dump.json: not the index of a dump: missing field `file`"),
        (
            &["--against", "bf17"],
            "error: --against bf17: must be f64, an operator or rule, or the folder or file of a dump",
        ),
        (
            &["--against", "nosuch/"],
            "error: --against nosuch/: no such folder or file: give a folder that --dump wrote",
        ),
        (&["--against", "nosuch.npz"], "error: --against nosuch.npz: no such folder or file: "),
        (
            &["--against", "y.npy"],
            "error: --against y.npy: one array does not say which operation's result it is",
        ),
        (
            &["--against", "f64", "--threshold", "1"],
            "error: --threshold is for --against with a rule or a file",
        ),
        (&["--against", "empty"], "error: empty: no dump.json and no .npy file in this folder"),
        (&["--against", "bad.safetensors"], "error: bad.safetensors: "),
        (
            &["--against", "bf16:bf16", "--threshold", "-1"],
            "error: invalid value '-1' for '--threshold <X>': must be a number",
        ),
        (&["--threshold", "1"], "error: the following required arguments were not provided"),
    ];
    for (more, expected) in cases {
        let words = [&["hlo", "run", "p.mlir", "--input", "x.npy", "--input", "w.npy"], more].concat();
        let done = run_in(folder.path(), &words, "");
        assert_eq!(done.code, Some(2), "{more:?}");
        assert!(done.err.contains(expected), "{more:?}: {}", done.err);
    }
}
