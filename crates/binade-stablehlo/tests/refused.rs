//! Refused text: its error and the place. Hostile text: an answer in bounded time and memory.

use binade::philox::Stream;
use binade_stablehlo::Program;

/// The error of a text.
fn refused(text: &str) -> String {
    match Program::parse(text) {
        Ok(_) => panic!("accepted: {}", text.chars().take(200).collect::<String>()),
        Err(error) => error.to_string(),
    }
}

/// A function with this body.
fn function(body: &str) -> String {
    format!("func.func @main(%a: tensor<2x3xf32>, %i: tensor<i32>, %p: tensor<i1>) {{\n{body}\nreturn\n}}\n")
}

#[track_caller]
fn body_refused(body: &str, part: &str) {
    let error = refused(&function(body));
    assert!(error.contains(part), "{body}\n{error}");
}

#[test]
fn errors_point_at_their_place() {
    let error = refused("func.func @main() {\n  %0 = stablehlo.iota dim = 2 : tensor<4xf32>\n  return\n}");
    let shown = "2:8: iota: 'iota_dimension' must be below the rank, 1: got 2\n \
                 2 |   %0 = stablehlo.iota dim = 2 : tensor<4xf32>\n   |        ^";
    assert_eq!(error, shown);
}

#[test]
fn syntax() {
    for (body, part) in [
        ("%0 = stablehlo.frobnicate %a : tensor<2x3xf32>", "unknown operation 'stablehlo.frobnicate'"),
        ("%0 = stablehlo.add %a %a : tensor<2x3xf32>", "expected ':' before types"),
        ("%0 = stablehlo.add %a, %a : tensor<2xx3xf32>", "expected an element type"),
        ("%0 = stablehlo.add %a, %a : tensor<2x3xf33>", "expected an element type"),
        ("%0 = stablehlo.add %a, %a : tensor<2x3f32>", "expected 'x'"),
        ("%0 = stablehlo.add %a, %a", "expected ':'"),
        ("%0 = stablehlo.slice %a [0:1, 0:2 : (tensor<2x3xf32>) -> tensor<1x2xf32>", "expected an integer"),
        ("%0 = stablehlo.broadcast_in_dim %a, dimz = [0] : (tensor<2x3xf32>) -> tensor<2x3xf32>", "'dims ='"),
        ("%0 = \"stablehlo.abs\"(%a) : (tensor<2x3xf32>) tensor<2x3xf32>", "expected '->'"),
        ("%0 = stablehlo.sort %a : tensor<2x3xf32>", "the generic form"),
        ("%0 = \"stablehlo.constant\"() {value = #foo} : () -> tensor<f32>", "'#foo' is not defined"),
        ("%0 = stablehlo.constant dense<\"abc", "expected '>'"),
        ("%0:0 = stablehlo.add %a, %a : tensor<2x3xf32>", "1 to 4096 results"),
        ("%0:99999999999 = stablehlo.add %a, %a : tensor<2x3xf32>", "1 to 4096 results"),
    ] {
        body_refused(body, part);
    }
    for (text, part) in [
        ("module {", "expected 'module' or 'func.func', found the end of the text"),
        ("func.func @f(", "expected a type, found the end of the text"),
        ("hello", "expected 'module' or 'func.func'"),
        ("func.func @f() { return }\nfunc.func @f() { return }", "'@f' is defined twice; first in line 1"),
        (
            "func.func private @f() -> tensor<f32>\nfunc.func @g() { %0 = call @f() : () -> tensor<f32>\n return }",
            "a call of function '@f' without a body is not supported",
        ),
        ("func.func @f() { }", "an empty region"),
        (
            "func.func @f(%a: tensor<f32>) { %0 = stablehlo.abs %a : tensor<f32> }",
            "an operation that returns",
        ),
    ] {
        let error = refused(text);
        assert!(error.contains(part), "{text}\n{error}");
    }
    let error = Program::from_bytes(b"func.func \xff").unwrap_err().to_string();
    assert!(error.starts_with("1:11: the text is not UTF-8"), "{error}");
    let error = Program::from_bytes(b"ML\xefR\r").unwrap_err().to_string();
    assert!(error.contains("bytecode"), "{error}");
}

#[test]
fn names() {
    for (body, part) in [
        ("%0 = stablehlo.abs %z : tensor<2x3xf32>", "'%z' is not defined here"),
        ("%0 = stablehlo.abs %0 : tensor<2x3xf32>", "'%0' is not defined here"),
        ("%0 = stablehlo.abs %a#1 : tensor<2x3xf32>", "'%a#1' is not defined here"),
        ("%a = stablehlo.abs %i : tensor<i32>", "'%a' is defined twice; first in line 1"),
        ("func.call @none() : () -> ()", "there is no function '@none'"),
        (
            "%0 = \"stablehlo.if\"(%p) ({\n %x = stablehlo.abs %a : tensor<2x3xf32>\n stablehlo.return %x : \
             tensor<2x3xf32>\n}, {\n stablehlo.return %x : tensor<2x3xf32>\n}) : (tensor<i1>) -> tensor<2x3xf32>",
            "'%x' is not defined here",
        ),
        ("%0:2 = stablehlo.abs %a : tensor<2x3xf32>", "abs: there must be 1 result: got 2"),
        (
            "%0 = \"stablehlo.abs\"(%a) : (tensor<2x3xf64>) -> tensor<2x3xf64>",
            "but is used as tensor<2x3xf64>",
        ),
        ("%0 = \"stablehlo.abs\"(%a) : () -> tensor<2x3xf32>", "expected 1 types of operands"),
    ] {
        body_refused(body, part);
    }
}

#[test]
fn groups_of_processes() {
    let mesh = "#stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = \"x\", size = 4>]>";
    for (mesh, axes) in [
        (mesh, "#stablehlo.axis_ref<name = \"y\">"),
        (mesh, "#stablehlo.axis_ref<name = \"x\", sub_axis_info = (1)3>"),
        (mesh, "#stablehlo.axis_ref<name = \"x\", sub_axis_info = (0)2>"),
        (mesh, "#stablehlo.axis_ref<name = \"x\">, #stablehlo.axis_ref<name = \"x\", sub_axis_info = (1)2>"),
        ("#stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = \"x\", size = 0>]>", ""),
        ("#stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = \"x\", size = 1000000>]>", ""),
        ("@elsewhere", ""),
    ] {
        let groups = format!("#stablehlo.replica_group_mesh_axes<mesh = {mesh}, axes = [{axes}]>");
        let body = format!(
            "%0 = \"stablehlo.collective_broadcast\"(%a) {{replica_groups = {groups}}} : (tensor<2x3xf32>) -> \
             tensor<2x3xf32>"
        );
        body_refused(&body, "axes of a mesh of the module or given in place");
    }
    for (results, part) in [
        ("tensor<2x3xf32>, tensor<2x3xf32>", "collective_broadcast: there must be 2 results: got 1"),
        ("tensor<2x3xf32>", "the roots must be a tensor of i32"),
    ] {
        let inputs = "tensor<2x3xf32>, ".repeat(results.matches("tensor").count() - 1);
        let operands = "%a, ".repeat(results.matches("tensor").count() - 1);
        let body = format!(
            "%0 = \"stablehlo.collective_broadcast\"({operands}%a, %i) {{has_dynamic_root}} : ({inputs}tensor<2x3xf32>, \
             tensor<i32>) -> tensor<2x3xf32>"
        );
        body_refused(&body, part);
    }
}

#[test]
fn rules_of_operations() {
    let region = "({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32>
        stablehlo.return %s : tensor<f32>})";
    let zero = "%z = stablehlo.constant dense<0.0> : tensor<f32>\n";
    let reduce = format!(
        "{zero}%0 = \"stablehlo.reduce\"(%a, %z) <{{dimensions = array<i64: 2>}}> {region} : \
        (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>"
    );
    for (body, part) in [
        (
            "%0 = stablehlo.add %a, %i : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>",
            "add: operands and result",
        ),
        (
            "%0 = stablehlo.and %a, %a : tensor<2x3xf32>",
            "and: elements must be bool, integer: got f32 (operand 0)",
        ),
        (
            "%0 = stablehlo.abs %a : (tensor<2x3xf32>) -> tensor<3x2xf32>",
            "abs: operand and result must have the same shape: got (tensor<2x3xf32>) -> (tensor<3x2xf32>)",
        ),
        (
            "%0 = stablehlo.compare XX, %a, %a : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>",
            "EQ, NE, GE",
        ),
        (
            "%0 = stablehlo.compare LT, %i, %i, FLOAT : (tensor<i32>, tensor<i32>) -> tensor<i1>",
            "'compare_type' must be one that the elements allow",
        ),
        (
            "%0 = stablehlo.compare LT, %i, %i, WEAKORDER : (tensor<i32>, tensor<i32>) -> tensor<i1>",
            "'compare_type' must be one that the elements allow",
        ),
        ("%0 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<7xf32>", "the same number of elements"),
        (
            "%0 = stablehlo.transpose %a, dims = [0, 0] : (tensor<2x3xf32>) -> tensor<2x2xf32>",
            "each at most once",
        ),
        (
            "%0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>",
            "the result must have shape [3, 2]: got [2, 3] (result 0)",
        ),
        (
            "%0 = stablehlo.slice %a [0:3, 0:1] : (tensor<2x3xf32>) -> tensor<3x1xf32>",
            "start <= limit <= size must be true of every dimension: got start 0 and limit 3 for [2, 3] (dimension 0)",
        ),
        ("%0 = stablehlo.slice %a [0:2:0, 0:1] : (tensor<2x3xf32>) -> tensor<2x1xf32>", "at least 1"),
        ("%0 = stablehlo.slice %a [-1:2, 0:1] : (tensor<2x3xf32>) -> tensor<2x1xf32>", "not negative"),
        (
            "%0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<5x3xf32>",
            "[4, 3]",
        ),
        (
            "%0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<2x3xf32>) \
             -> tensor<2x3xf32>",
            "dot_general: contracting dimensions must have the same size: 3 and 2 (lhs dimension 1, rhs dimension 0)",
        ),
        (
            "%0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<4x3xf32>",
            "each size of the operand must be 1, or that of the result dimension it maps to",
        ),
        ("%0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<3xf32>", "2 items where its type has 3"),
        ("%0 = stablehlo.constant dense<1.0> : tensor<?xf32>", "leaves a size open"),
        ("%0 = stablehlo.constant dense<1> : tensor<f32>", "a number with a decimal point"),
        ("%0 = stablehlo.constant dense<\"0x0102\"> : tensor<3xf32>", "2 bytes where 12 are needed"),
        ("%0 = stablehlo.constant dense<\"0x01020g\"> : tensor<3xi8>", "not a hexadecimal digit"),
        (
            "%0 = \"stablehlo.if\"(%i) ({stablehlo.return}, {stablehlo.return}) : (tensor<i32>) -> ()",
            "tensor<i1>",
        ),
        ("check.expect_eq %a, %i : tensor<2x3xf32>", "both operands must have the same type"),
        (&reduce, "'dimensions' must be dimensions below 2, each at most once: got [2]"),
    ] {
        body_refused(body, part);
    }
}

#[test]
fn resources() {
    let body = "func.func @f() { %0 = stablehlo.constant dense_resource<a> : tensor<2xi16>\n return }\n";
    for (section, part) in [
        ("", "there is no resource 'a'"),
        ("{-# dialect_resources: { builtin: { b: \"0x0100000000000000\" } } #-}", "there is no resource 'a'"),
        ("{-# dialect_resources: { builtin: { a: \"0x01000000\" } } #-}", "0 bytes where 4 are needed"),
        (
            "{-# dialect_resources: { builtin: { a: \"0x010000000100\" } } #-}",
            "1 elements where its type has 2",
        ),
        ("{-# dialect_resources: { builtin: { a: \"0x01\" } } #-}", "an alignment of 8 digits"),
        ("{-# dialect_resources: { builtin: { a: \"0x\", a: \"0x\" } } #-}", "expected a new resource"),
        ("{-# dialect_resources: { builtin: { a: 1 } } #-}", "expected a string of hexadecimal digits"),
        ("{-# dialect_resources: { builtin: { a: \"0x\" }", "expected ',' or '}'"),
        ("{-# dialect_resources: { builtin: { a: \"0x0100000000000000\" } }", "expected '#-}'"),
    ] {
        let error = refused(&format!("{body}{section}"));
        assert!(error.contains(part), "{section}\n{error}");
    }
}

/// A type whose scales vary along a dimension has one for each of its indices.
#[test]
fn scales_along_an_axis() {
    for ty in [
        "tensor<3x!quant.uniform<i8:f32:0, {0.1, 0.2}>>",
        "tensor<2x!quant.uniform<i8:f32:1, {0.1, 0.2}>>",
        "tensor<!quant.uniform<i8:f32:0, {0.1}>>",
    ] {
        let error = refused(&format!("func.func @f(%a: {ty}) {{ return }}"));
        assert!(error.contains("for as many scales"), "{error}");
    }
}

#[test]
fn calls_in_a_circle() {
    let text = "func.func @a() { call @b() : () -> ()\n return }\n\
                func.func @b() { func.call @c() : () -> ()\n return }\n\
                func.func @c() { call @a() : () -> ()\n return }";
    let error = refused(text);
    assert!(error.contains("functions must not call themselves: got @a → @b → @c → @a"), "{error}");
    assert!(refused("func.func @a() { call @a() : () -> ()\n return }").contains("@a → @a"));
}

#[test]
fn what_is_deep() {
    let deep = 100_000;
    let types =
        format!("func.func @f(%a: {}tensor<f32>{}) {{ return }}", "tuple<".repeat(deep), ">".repeat(deep));
    let attributes = format!("module attributes {{a = {}}} {{}}", "[".repeat(deep));
    let locations = format!("func.func @f() {{ return loc({}", "callsite(".repeat(deep));
    let regions = format!("func.func @f() {{ {}", "\"stablehlo.if\"(%p) ({ ".repeat(deep));
    let symbols = format!("func.func @{} ()", vec!["a"; deep].join("::@"));
    for text in [types, attributes, locations, regions, symbols] {
        assert!(refused(&text).contains("nested more than 64 deep"));
    }
    // Calls that end, but only after many others.
    let mut chain = String::new();
    for index in 0..2_000 {
        chain += &format!("func.func @f{index}() {{ call @f{}() : () -> ()\n return }}\n", index + 1);
    }
    chain += "func.func @f2000() { return }";
    assert!(refused(&chain).contains("calls and regions nested more than 256 deep"));
    // A list is no deeper than its type.
    body_refused(
        &format!("%0 = stablehlo.constant dense<{}> : tensor<1xf32>", "[".repeat(deep)),
        "more than 1 deep",
    );
}

#[test]
fn what_is_huge() {
    body_refused(
        "%0 = stablehlo.iota dim = 0 : tensor<99999999999999999999xf32>",
        "a tensor must take at most",
    );
    body_refused(
        "%0 = stablehlo.iota dim = 0 : tensor<4294967296x4294967296xf32>",
        "a tensor must take at most",
    );
    body_refused(
        "%0 = stablehlo.iota dim = 0 : tensor<0x4294967296x4294967296xf32>",
        "a tensor must take at most",
    );
    // A splat takes no memory until it is evaluated.
    let splat = "%0 = stablehlo.constant dense<1.0> : tensor<1000000x1000000xf32>";
    assert!(Program::parse(&function(splat)).is_ok());
    let groups = "%0 = \"stablehlo.all_reduce\"(%i) <{replica_groups = dense<0> : tensor<1000000x1000000xi64>}> ({}) : \
                  (tensor<i32>) -> tensor<i32>";
    body_refused(groups, "at most 65536 processes");
    let splat = "%0 = \"stablehlo.transpose\"(%a) {permutation = dense<0> : tensor<100000000000xi64>} : \
                 (tensor<2x3xf32>) -> tensor<2x3xf32>";
    body_refused(splat, "a list of integers");
    let pad = "%z = stablehlo.constant dense<0.0> : tensor<f32>\n%0 = stablehlo.pad %a, %z, \
               low = [9223372036854775807, 0], high = [9223372036854775807, 0], interior = [9223372036854775807, 0] : \
               (tensor<2x3xf32>, tensor<f32>) -> tensor<?x3xf32>";
    let error = Program::parse(&function(pad)).map(|_| ()).map_err(|error| error.to_string());
    assert!(error.is_ok() || error.is_err_and(|error| error.contains("pad")));
}

#[test]
fn aliases_in_a_circle_name_nothing() {
    let text = "#loc1 = loc(#loc2)\n#loc2 = loc(#loc1)\nfunc.func @f(%a: tensor<f32>) -> tensor<f32> {\n\
                %0 = stablehlo.abs %a : tensor<f32> loc(#loc1)\n return %0 : tensor<f32>\n}";
    assert_eq!(&*Program::parse(text).unwrap().functions[0].body.operations[0].scope, "");
}

#[test]
fn cut_and_changed_text_is_answered() {
    let text = include_str!("data/forms.mlir");
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        let _ = Program::parse_all(&text.as_bytes()[..end]);
    }
    let mut random = Stream::new(1);
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..3_000 {
        let at = random.below(bytes.len());
        let old = bytes[at];
        bytes[at] = *random.one_of(b"0189-x<>[](){}%#@!:,.\"=\xff");
        let _ = Program::parse_all(&bytes);
        if !random.one_in(16) {
            bytes[at] = old;
        }
    }
}

#[test]
fn manual_computations_that_do_not_fit_are_refused() {
    let program = |mesh: &str, shardings: &str, axes: &str, part: &str| {
        format!(
            "sdy.mesh @m = <[{mesh}]>\nfunc.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {{\n  %0 = sdy.manual_computation(%a) \
             in_shardings=[{shardings}] out_shardings=[<@m, [{{\"x\"}}]>] manual_axes={{{axes}}} (%b: tensor<{part}xf32>) {{\n    \
             sdy.return %b : tensor<{part}xf32>\n  }} : (tensor<4xf32>) -> tensor<4xf32>\n  return %0 : tensor<4xf32>\n}}"
        )
    };
    let good = program("\"x\"=2", "<@m, [{\"x\"}]>", "\"x\"", "2");
    assert!(Program::parse(&good).is_ok(), "{}", refused(&good));
    for (mesh, shardings, axes, size, part) in [
        (
            "\"x\"=2",
            "<@m, [{\"y\"}]>",
            "\"x\", \"y\"",
            "2",
            "a sharding of tensor<4xf32>, by a mesh of the module",
        ),
        ("\"x\"=2", "<@n, [{\"x\"}]>", "\"x\"", "2", "a sharding of tensor<4xf32>, by a mesh of the module"),
        (
            "\"x\"=2",
            "<@m, [{\"x\"}, {}]>",
            "\"x\"",
            "2",
            "a sharding of tensor<4xf32>, by a mesh of the module",
        ),
        (
            "\"x\"=2",
            "<@m, [{\"x\", \"x\"}]>",
            "\"x\"",
            "1",
            "a sharding of tensor<4xf32>, by a mesh of the module",
        ),
        ("\"x\"=2", "", "\"x\"", "2", "'in_shardings' must have 1 value: got 0"),
        ("\"x\"=2", "<@m, [{\"x\"}]>", "\"z\"", "4", "attribute 'manual_axes' must be axes of the mesh"),
        ("\"x\"=2", "<@m, [{\"x\"}]>", "\"x\"", "4", "the region must take (tensor<2xf32>)"),
        (
            "\"x\"=3",
            "<@m, [{\"x\"}]>",
            "\"x\"",
            "2",
            "'in_shardings' must cut tensor<4xf32> into equal parts: got [3] parts",
        ),
        ("\"x\"=99999999999", "<@m, [{\"x\"}]>", "\"x\"", "2", "a sharding of tensor<4xf32>"),
    ] {
        let error = refused(&program(mesh, shardings, axes, size));
        assert!(error.contains(part), "{error}");
    }
    // It sees nothing around it.
    let error = refused(&good.replace("sdy.return %b : tensor<2xf32>", "sdy.return %a : tensor<4xf32>"));
    assert!(error.contains("'%a' is not defined") || error.contains("%a"), "{error}");
    // Where a parameter's parts are is read, too.
    let parameter =
        good.replace("%a: tensor<4xf32>)", "%a: tensor<4xf32> {mhlo.sharding = \"{devices=[2]0,0}\"})");
    assert!(Program::parse(&parameter).is_ok(), "one partition has no parts");
    let two = format!("module attributes {{mhlo.num_partitions = 2 : i32}} {{\n{parameter}\n}}");
    assert!(refused(&two).contains("a sharding of tensor<4xf32>"));
}

/// `ApproxTopK` by a comparison function: operands, results and options.
#[test]
fn approximate_searches() {
    let text = |function: &str, result: &str, options: &str| {
        format!(
            "func.func @f(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {{\n\
             %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\nreturn %0 : tensor<i1>\n}}\n\
             func.func @main(%x: tensor<2x3xf32>, %y: tensor<f32>) {{\n\
             %0 = stablehlo.custom_call @ApproxTopK(%x, %y) {{called_computations = [{function}]{options}}} : \
             (tensor<2x3xf32>, tensor<f32>) -> {result}\nreturn\n}}"
        )
    };
    let config = ", backend_config = {reduction_dim = 1 : i64}";
    assert!(Program::parse(&text("@f", "tensor<2x2xf32>", config)).is_ok());
    let wrong = ", backend_config = {reduction_dim = 2 : i64}";
    for (function, result, options, part) in [
        ("@f", "tensor<2x4xf32>", config, "the results must be parts of the inputs"),
        ("@f", "tensor<1x2xf32>", config, "the results must be parts of the inputs"),
        ("@f", "tensor<2x?xf32>", config, "of sizes that are not known"),
        ("@f", "tensor<2x2xf32>", wrong, "'reduction_dim'"),
        (
            "@f",
            "tensor<2x2xf32>",
            ", indices_of_shape_operands = dense<[0]> : tensor<1xi64>",
            "an initial value for each",
        ),
        ("@f", "tensor<2x2xf32>", "", "mhlo.backend_config"),
        ("@g", "tensor<2x2xf32>", config, "@g"),
        ("@f, @f", "tensor<2x2xf32>", config, "a list with one function"),
        ("@main", "tensor<2x2xf32>", config, "the function must compare two elements of each input"),
    ] {
        let error = refused(&text(function, result, options));
        assert!(error.contains(part), "{function} {result} {options}: {error}");
    }
}

#[test]
fn custom_calls_that_do_not_fit_are_refused() {
    let sparse = |types: &str| {
        format!(
            "%s = stablehlo.constant dense<[0, 1]> : tensor<2xi32>\n%c = stablehlo.constant dense<[0]> : tensor<1xi32>\n\
             %v = stablehlo.constant dense<1.0> : tensor<1xf32>\n%b = stablehlo.constant dense<1.0> : tensor<3xf64>\n\
             %0 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi({types}"
        )
    };
    for (types, part) in [
        (
            "%v, %s, %c) : (tensor<1xf32>, tensor<2xi32>, tensor<1xi32>) -> tensor<1xf32>",
            "there must be 4 operands: got 3",
        ),
        (
            "%v, %s, %c, %b) : (tensor<1xf32>, tensor<2xi32>, tensor<1xi32>, tensor<3xf64>) -> tensor<1xf32>",
            "one numeric element type",
        ),
        (
            "%v, %s, %c, %v) : (tensor<1xf32>, tensor<2xi32>, tensor<1xi32>, tensor<1xf32>) -> tensor<2xf32>",
            "must have shape [1]",
        ),
        (
            "%v, %s, %s, %v) : (tensor<1xf32>, tensor<2xi32>, tensor<2xi32>, tensor<1xf32>) -> tensor<1xf32>",
            "values and column indices must have the same shape",
        ),
    ] {
        body_refused(&sparse(types), part);
    }
    let windows = |call: &str| {
        format!(
            "func.func @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {{\n%0 = stablehlo.add %a, %b : tensor<f32>\n\
             return %0 : tensor<f32>\n}}\nfunc.func @main(%x: tensor<3xf32>, %z: tensor<f32>, %w: tensor<1xi32>, \
             %e: tensor<1x2xi32>) {{\n%0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window{call}\nreturn\n}}"
        )
    };
    let types = "(tensor<3xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>)";
    for (call, part) in [
        (format!("(%x, %z, %w, %w, %w, %w, %e) : {types} -> tensor<?xf32>"), "a list with one function"),
        (
            format!(
                "(%x, %z, %w, %w, %w, %w, %e) {{called_computations = [@none]}} : {types} -> tensor<?xf32>"
            ),
            "no function '@none'",
        ),
        (
            format!(
                "(%x, %z, %w, %w, %w, %w, %e) {{called_computations = [@main]}} : {types} -> tensor<?xf32>"
            ),
            "the body must take 2 scalars: got (tensor<3xf32>, tensor<f32>",
        ),
        (
            format!(
                "(%x, %z, %w, %w, %w, %w, %e) {{called_computations = [@sum]}} : {types} -> tensor<?x?xf32>"
            ),
            "the result must have shape",
        ),
        (
            "(%x, %z) {called_computations = [@sum]} : (tensor<3xf32>, tensor<f32>) -> tensor<?xf32>"
                .to_owned(),
            "and five for the window",
        ),
    ] {
        let error = refused(&windows(&call));
        assert!(error.contains(part), "{call}\n{error}");
    }
    // A function that reduces by itself.
    let circle = "func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {\n\
        %w = stablehlo.constant dense<> : tensor<0xi32>\n%e = stablehlo.constant dense<> : tensor<0x2xi32>\n\
        %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%a, %b, %w, %w, %w, %w, %e) {called_computations = [@main]} : \
        (tensor<f32>, tensor<f32>, tensor<0xi32>, tensor<0xi32>, tensor<0xi32>, tensor<0xi32>, tensor<0x2xi32>) -> tensor<f32>\n\
        return %0 : tensor<f32>\n}";
    assert!(refused(circle).contains("functions must not call themselves"));
    body_refused(
        "%0 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {indices_of_shape_operands = dense<[0, 1]> : tensor<2xi64>} : \
         (tensor<2x3xf32>) -> tensor<2x3xf32>",
        "'indices_of_shape_operands' must have 1 value",
    );
    body_refused(
        "%0 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {indices_of_shape_operands = dense<[7]> : tensor<1xi64>} : \
         (tensor<2x3xf32>) -> tensor<2x3xf32>",
        "there must be an operand 7",
    );
}

/// A program whose function takes these parameters.
#[track_caller]
fn refused_with(parameters: &str, body: &str, part: &str) {
    let text = format!("func.func @main({parameters}) {{\n{body}\nreturn\n}}\n");
    let error = refused(&text);
    assert!(error.contains(part), "{text}\n{error}");
}

/// The body of a reduction takes the operand's type or a wider one of its kind, and results have the body's type.
#[test]
fn promotions_that_do_not_fit_are_refused() {
    let reduce = |input: &str, initial: &str, sides: [&str; 2], result: &str| {
        let [a, b] = sides;
        let body = format!(
            "%r = \"stablehlo.reduce\"(%x, %z) ({{\n^bb0(%a: tensor<{a}>, %b: tensor<{b}>):\n stablehlo.return %a : \
             tensor<{a}>\n}}) {{dimensions = array<i64: 0>}} : (tensor<2x{input}>, tensor<{initial}>) -> tensor<{result}>"
        );
        (format!("%x: tensor<2x{input}>, %z: tensor<{initial}>"), body)
    };
    let (q, wide, other) =
        ("!quant.uniform<i8:f32, 0.5>", "!quant.uniform<i16:f32, 0.5>", "!quant.uniform<i16:f64, 0.5>");
    for (input, body, result) in
        [("f32", "f64", "f64"), ("i8", "ui16", "ui16"), ("bf16", "f16", "f16"), (q, wide, wide)]
    {
        let (parameters, text) = reduce(input, input, [body, body], result);
        let text = format!("func.func @main({parameters}) {{\n{text}\nreturn\n}}");
        assert!(Program::parse(&text).is_ok(), "{}", refused(&text));
    }
    for (input, initial, sides, result, part) in [
        (
            "f64",
            "f64",
            ["f32", "f32"],
            "f32",
            "the operand's type or a wider one of its kind: got f32 for f64 (parameter 0)",
        ),
        ("i32", "i32", ["i8", "i8"], "i8", "got i8 for i32 (parameter 0)"),
        ("i32", "i32", ["f64", "f64"], "f64", "got f64 for i32 (parameter 0)"),
        ("i1", "i1", ["i32", "i32"], "i32", "got i32 for i1 (parameter 0)"),
        ("f32", "f32", ["complex<f64>", "complex<f64>"], "complex<f64>", "got complex<f64> for f32"),
        (q, q, [other, other], other, "the operand's type or a wider one"),
        (
            "f32",
            "f64",
            ["f64", "f64"],
            "f64",
            "an input and its initial value must have the same element type: got f32 and f64",
        ),
        (
            "f32",
            "f32",
            ["f64", "f32"],
            "f64",
            "both sides of the body must have the same type: got f64 and f32 (parameters 0 and 1)",
        ),
        (
            "f32",
            "f32",
            ["f64", "f64"],
            "f32",
            "a result must have the body's type: got f32 for f64 (result 0)",
        ),
        (
            "f32",
            "f32",
            ["f32", "f32"],
            "f64",
            "a result must have the body's type: got f64 for f32 (result 0)",
        ),
    ] {
        let (parameters, text) = reduce(input, initial, sides, result);
        refused_with(&parameters, &text, part);
    }
    let three = "({^bb0(%a: tensor<f32>): stablehlo.return %a : tensor<f32>})";
    let text = format!(
        "%r = \"stablehlo.all_reduce\"(%x) {three} {{replica_groups = dense<0> : tensor<1x1xi64>}} : (tensor<2xf32>) -> \
         tensor<2xf32>"
    );
    refused_with("%x: tensor<2xf32>", &text, "the body must take 2 scalars: got (tensor<f32>)");
    let divides = "%r = stablehlo.reduce(%x init: %z) applies stablehlo.divide across dimensions = [0] : (tensor<2xf32>, \
                   tensor<f32>) -> tensor<f32>";
    refused_with("%x: tensor<2xf32>, %z: tensor<f32>", divides, "a commutative operation after 'applies'");
}

/// Quantized types: which operations take scales along an axis, which leave scales as they are, and products.
#[test]
fn quantized_types_that_do_not_fit_are_refused() {
    let q = |scale: &str| format!("!quant.uniform<i8:f32, {scale}>");
    let along = |axis: usize, scales: &str| format!("!quant.uniform<i8:f32:{axis}, {{{scales}}}>");
    let one = |name: &str, attributes: &str, from: &str, to: &str, part: &str| {
        refused_with(
            &format!("%x: {from}"),
            &format!("%0 = \"stablehlo.{name}\"(%x) {{{attributes}}} : ({from}) -> {to}"),
            part,
        );
    };
    let tensor = |shape: &str, element: &str| format!("tensor<{shape}x{element}>");
    let (half, quarter, moved) = (q("0.5"), q("0.25"), q("0.5:3"));
    let lines = along(0, "0.5, 0.25");
    let matrix = tensor("2x3", &half);
    for other in [&quarter, &moved] {
        let keep = "elements must keep their type, scales and zero points: got";
        one("transpose", "permutation = array<i64: 1, 0>", &matrix, &tensor("3x2", other), keep);
        one("reshape", "", &matrix, &tensor("6", other), keep);
        one(
            "broadcast_in_dim",
            "broadcast_dimensions = array<i64: 0, 1>",
            &matrix,
            &tensor("2x3", other),
            keep,
        );
        one("broadcast", "broadcast_sizes = array<i64: 4>", &matrix, &tensor("4x2x3", other), keep);
        let same = "operand and result must have the same";
        one("reverse", "dimensions = array<i64: 0>", &matrix, &tensor("2x3", other), same);
        let slice =
            "start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1, 3>, strides = array<i64: 1, 1>";
        one("slice", slice, &matrix, &tensor("1x3", other), same);
        one(
            "concatenate",
            "dimension = 0 : i64",
            &matrix,
            &tensor("2x3", other),
            "inputs and result must have the same element type",
        );
        let groups = "replica_groups = dense<0> : tensor<1x1xi64>, all_gather_dim = 0 : i64";
        one("all_gather", groups, &matrix, &tensor("2x3", other), same);
    }
    let rows = tensor("2x3", &lines);
    for (name, attributes) in [
        ("abs", ""),
        ("exponential", ""),
        ("reverse", "dimensions = array<i64: 1>"),
        ("optimization_barrier", ""),
        ("reduce_precision", "exponent_bits = 5 : i32, mantissa_bits = 2 : i32"),
    ] {
        let part = format!("{name}: a quantized tensor must have one scale here: got");
        one(name, attributes, &rows, &rows, &part);
    }
    let vary = "scales must vary along the dimension that theirs becomes";
    one(
        "transpose",
        "permutation = array<i64: 1, 0>",
        &rows,
        &tensor("3x2", &along(0, "0.5, 0.25, 0.5")),
        vary,
    );
    one("reshape", "", &rows, &tensor("3x2", &along(1, "0.5, 0.25")), vary);
    one("reshape", "", &rows, &tensor("2x3", &along(0, "0.5, 0.5")), "elements must keep their type");
    let thin = tensor("1x3", &along(0, "0.5"));
    let rules = "broadcast_dimensions = array<i64: 0, 1>";
    one("broadcast_in_dim", rules, &thin, &rows, "elements must keep their type");
    for bad in ["si8:f32, 0.5", "i8:f16, 70000.0", "i8:f16, 5.0e-8", "i8:f32, -1.0", "i8:f32, 0.5:128"] {
        let ty = format!("!quant.uniform<{bad}>");
        let error = refused(&format!("func.func @f(%a: tensor<2x{ty}>) {{ return }}"));
        assert!(error.contains("expected a s"), "{error}");
    }
    let product = |lhs: &str, rhs: &str, result: &str, part: &str| {
        let types = format!("tensor<1x2x{lhs}>, tensor<2x1x{rhs}>");
        let text = format!(
            "%0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : ({types}) -> tensor<1x1x{result}>"
        );
        refused_with(&format!("%x: tensor<1x2x{lhs}>, %y: tensor<2x1x{rhs}>"), &text, part);
    };
    let columns = along(1, "0.5");
    product(&half, &moved, &half, "zero points of the right side must be 0: got [3] (operand 1)");
    product(&half, &lines, &half, "must not vary along a contracting dimension: got 0 (operand 1)");
    product(&half, "!quant.uniform<i16:f32, 0.5>", &half, "the same storage type: got i8 and i16");
    product(&half, "!quant.uniform<i8:f16, 0.5>", &half, "must express the same type");
    product(&half, &half, &columns, "the result must have one scale where the right side has");
    product(&half, &half, "f32", "the left side and the result both or neither");
    product("f32", &half, &half, "the left side and the result both or neither");
    product(&along(1, "0.5, 0.5"), &half, &half, "the left side must have one scale");
    let sum = format!("%0 = \"stablehlo.add\"(%x, %x) : ({rows}, {rows}) -> {matrix}");
    refused_with(&format!("%x: {rows}"), &sum, "scales of the result must vary along the axis");
    let convolution = |kernel: &str, result: &str, part: &str| {
        let (x, k, r) = (tensor("1x4x4x1", &half), tensor("3x3x1x1", kernel), tensor("1x2x2x1", result));
        let text = format!(
            "%0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{}} \
             {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({x}, {k}) -> {r}"
        );
        refused_with(&format!("%x: {x}, %k: {k}"), &text, part);
    };
    convolution(
        &along(2, "0.5"),
        &half,
        "scales of the kernel must vary along its output feature dimension, 3: got 2",
    );
    convolution(
        &along(3, "0.5"),
        &along(0, "0.5"),
        "scales of the result must vary along its output feature dimension, 3: got 0",
    );
}

/// Shapes and indices that are constants are compared with the types.
#[test]
fn shapes_that_constants_contradict_are_refused() {
    let x = "%x: tensor<3xf32>, %z: tensor<f32>";
    let shape =
        |sizes: &str, count: usize| format!("%s = stablehlo.constant dense<{sizes}> : tensor<{count}xi64>\n");
    for (shape, body, part) in [
        (
            shape("[-1, 3]", 2),
            "%0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<3xf32>, tensor<2xi64>) -> tensor<?x3xf32>",
            "the result must have the shape that is given: got tensor<?x3xf32> for [-1, 3] (operand 1)",
        ),
        (
            shape("[2, 4]", 2),
            "%0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<3xf32>, tensor<2xi64>) -> tensor<2x?xf32>",
            "a size must be 1 or that of the shape: got tensor<3xf32> for [2, 4] (operand dimension 0)",
        ),
        (
            shape("3", 2),
            "%0 = stablehlo.dynamic_reshape %x, %s : (tensor<3xf32>, tensor<2xi64>) -> tensor<?x?xf32>",
            "operand and shape must have the same number of elements: got tensor<3xf32> for [3, 3]",
        ),
        (
            shape("[1, 3]", 2),
            "%0 = stablehlo.dynamic_reshape %x, %s : (tensor<3xf32>, tensor<2xi64>) -> tensor<?xf32>",
            "the shape must have a size for each dimension of the result: got 2 for 1",
        ),
        (
            shape("5", 1),
            "%0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi64>) -> tensor<4xf32>",
            "got tensor<4xf32> for [5] (operand 0)",
        ),
        (
            shape("7", 1),
            "%0 = stablehlo.rng %z, %z, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<6xf32>",
            "got tensor<6xf32> for [7] (operand 2)",
        ),
        (
            shape("1", 1),
            "%0 = stablehlo.dynamic_pad %x, %z, %s, %s, %s : (tensor<3xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, \
             tensor<1xi64>) -> tensor<6xf32>",
            "the result must have shape [7]: got [6]",
        ),
        (
            shape("-1", 1),
            "%0 = stablehlo.dynamic_pad %x, %z, %x1, %x1, %s : (tensor<3xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, \
             tensor<1xi64>) -> tensor<?xf32>",
            "interior padding must not be negative: got [-1] (operand 4)",
        ),
    ] {
        let parameters = format!("{x}, %x1: tensor<1xi64>");
        refused_with(&parameters, &format!("{shape}{body}"), part);
    }
    let gather = |sizes: &str, part: &str| {
        let text = format!(
            "%s = stablehlo.constant dense<{sizes}> : tensor<2xi64>\n%0 = \"stablehlo.dynamic_gather\"(%a, %j, %s) \
             {{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], \
             index_vector_dim = 1>}} : (tensor<2x3xf32>, tensor<4xi32>, tensor<2xi64>) -> tensor<4x3xf32>"
        );
        refused_with("%a: tensor<2x3xf32>, %j: tensor<4xi32>", &text, part);
    };
    gather("[2, 3]", "slice sizes must be at most 1 in collapsed and batching dimensions: got [2, 3]");
    gather("[1, 4]", "slices must not be larger than the operand: got [1, 4] for [2, 3]");
    gather("[1, 2]", "the result must have shape [4, 2]: got [4, 3]");
    gather("[1, -2]", "slice sizes must not be negative: got [1, -2] (operand 2)");
    for (hints, part) in [
        ("known_expanding_dimensions = array<i64: 1>", "known dimensions of the operand must be dimensions"),
        (
            "known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>",
            "each at most once",
        ),
    ] {
        let text = format!(
            "%0 = \"stablehlo.dynamic_broadcast_in_dim\"(%x, %s) {{broadcast_dimensions = array<i64: 1>, {hints}}} : \
             (tensor<3xf32>, tensor<2xi64>) -> tensor<?x3xf32>"
        );
        refused_with("%x: tensor<3xf32>, %s: tensor<2xi64>", &text, part);
    }
    let open = "%0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<3xf32>) -> tensor<?x?xf32>";
    refused_with("%x: tensor<3xf32>", open, "all sizes of the result but one must be known");
    for bounds in
        ["#stablehlo.bounds<3>", "#stablehlo.type_extensions<bounds = [3, ?, ?]>", "#stablehlo.bounds<?, 3>"]
    {
        let error = refused(&format!("func.func @f(%a: tensor<?x2xf32, {bounds}>) {{ return }}"));
        assert!(error.contains("bound"), "{error}");
    }
}

#[test]
fn custom_calls_with_wrong_layouts_and_aliases_are_refused() {
    let call = |attributes: &str, part: &str| {
        let text = format!(
            "%0 = \"stablehlo.custom_call\"(%x, %t) {{call_target_name = \"some\", {attributes}}} : (tensor<2x3xf32>, \
             !stablehlo.token) -> tensor<3xf32>"
        );
        refused_with("%x: tensor<2x3xf32>, %t: !stablehlo.token", &text, part);
    };
    let (row, none) = ("dense<0> : tensor<1xindex>", "dense<> : tensor<0xindex>");
    let fits = "dense<[0, 1]> : tensor<2xindex>";
    let layouts = |operands: &str, results: &str| {
        format!("operand_layouts = [{operands}], result_layouts = [{results}]")
    };
    call(&format!("operand_layouts = [{fits}, {none}]"), "got 'operand_layouts' without 'result_layouts'");
    call(&format!("result_layouts = [{row}]"), "got 'result_layouts' without 'operand_layouts'");
    call(&layouts(fits, row), "there must be a layout for each operand: got 1 for 2");
    call(&layouts(&format!("{fits}, {none}"), ""), "there must be a layout for each result: got 0 for 1");
    let order = "a layout must have each dimension once: got";
    call(&layouts(&format!("dense<[0, 2]> : tensor<2xindex>, {none}"), row), order);
    call(&layouts(&format!("{fits}, {row}"), row), order);
    let alias =
        |fields: &str| format!("output_operand_aliases = [#stablehlo.output_operand_alias<{fields}>]");
    let indices = |operand: i64, parts: &str| {
        alias(&format!(
            "output_tuple_indices = [{parts}], operand_index = {operand}, operand_tuple_indices = []"
        ))
    };
    call(&indices(2, ""), "an alias must name an operand: got 2 of 2 ('operand_index')");
    call(&indices(-1, ""), "an alias must name an operand: got -1 of 2");
    call(
        &indices(0, "0"),
        "an alias must name a part that exists: got [0] of tensor<3xf32> ('output_tuple_indices')",
    );
    call(&indices(0, ""), "must have the same type: got tensor<2x3xf32> and tensor<3xf32>");
    call(
        "api_version = 4 : i32, backend_config = \"a\"",
        "'backend_config' must be a dictionary with api_version 4",
    );
    call(
        "api_version = 2 : i32, backend_config = {}",
        "'backend_config' must be a string with api_version 2",
    );
}

#[test]
fn block_scaled_dots_of_wrong_types_are_refused() {
    let call = |operands: &str, types: &str, result: &str, part: &str| {
        let call =
            format!("%0 = stablehlo.custom_call @__op$block_scaled_dot({operands}) : ({types}) -> {result}");
        body_refused(&call, part);
    };
    let a = "tensor<2x3xf32>";
    call("%a, %a", &format!("{a}, {a}"), "tensor<2x2xf32>", "there must be two matrices and their scales");
    let four = [a; 4].join(", ");
    call("%a, %a, %a, %a", &four, "tensor<2x3xf32>", "the result must have shape [2, 2]");
    call("%a, %a, %a, %a", &four, "tensor<2x2xi32>", "must be of floating-point numbers");
    let five = [a; 5].join(", ");
    call("%a, %a, %a, %a, %a", &five, "tensor<2x2xf32>", "the factor must be one number");
}

#[test]
fn attributes_of_operations_that_do_not_fit_are_refused() {
    let accuracy = |fields: &str, part: &str| {
        body_refused(
            &format!(
                "%0 = \"stablehlo.tanh\"(%a) {{result_accuracy = #stablehlo.result_accuracy<{fields}>}} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
            ),
            part,
        );
    };
    let mode = |mode: &str| format!("mode = #stablehlo.result_accuracy_mode<{mode}>");
    accuracy(
        &format!("ulps = 1, {}", mode("HIGHEST")),
        "tolerances must be zero in mode HIGHEST: got [0.0, 0.0, 1.0]",
    );
    accuracy(&format!("atol = 1.0, {}", mode("DEFAULT")), "tolerances must be zero in mode DEFAULT");
    accuracy(
        &format!("rtol = -1.0, {}", mode("TOLERANCE")),
        "a tolerance must not be negative: got -1 ('rtol')",
    );
    accuracy(&mode("LOW"), "must be DEFAULT, HIGHEST or TOLERANCE: got LOW");
    let product = |rest: &str, part: &str| {
        let text = format!(
            "%t = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>\n%0 = stablehlo.dot_general %a, \
             %t, contracting_dims = [1] x [0], {rest} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>"
        );
        body_refused(&text, part);
    };
    let algorithm = |lhs: &str, rhs: &str, sum: &str, components: usize, count: usize, imprecise: bool| {
        format!(
            "algorithm = <lhs_precision_type = {lhs}, rhs_precision_type = {rhs}, accumulation_type = {sum}, \
             lhs_component_count = {components}, rhs_component_count = 1, num_primitive_operations = {count}, \
             allow_imprecise_accumulation = {imprecise}>"
        )
    };
    let known = "the algorithm must be one that StableHLO knows: got";
    product(&algorithm("f32", "f32", "i32", 1, 1, false), known);
    product(&algorithm("f32", "f32", "f32", 3, 1, false), known);
    product(&algorithm("f32", "f32", "f32", 1, 1, true), known);
    product(&algorithm("bf16", "f16", "f32", 1, 1, false), known);
    product(&algorithm("bf16", "bf16", "f32", 1, 4, false), known);
    product(&algorithm("f8E5M2", "f8E4M3FN", "f16", 1, 1, false), known);
    let highest = "precision = [HIGHEST, DEFAULT], ";
    let fits = algorithm("f32", "f32", "f32", 1, 1, false);
    product(&format!("{highest}{fits}"), "'precision_config' must be DEFAULT where there is an algorithm");
    product("precision = [LOW, DEFAULT]", "at most two precisions: DEFAULT, HIGH or HIGHEST");
    product("precision = [DEFAULT, DEFAULT, DEFAULT]", "at most two precisions");
    for name in ["plain", ".", "a.", ".a", "0.a", "a.%", "a.b.%"] {
        let text = format!(
            "func.func @f() {{ return }}\nfunc.func @main() {{\nstablehlo.composite \"{name}\" {{decomposition = @f}} : () -> \
             ()\nreturn\n}}"
        );
        assert!(refused(&text).contains(&format!("as my.operation: got '{name}'")), "{}", refused(&text));
    }
    for (attribute, part) in [
        (
            "#stablehlo.dot<rhs_batching_dimensions = [0], rhs_batching_dimensions = [0]>",
            "for the second time",
        ),
        ("#stablehlo.dot<other = [0]>", "found 'other'"),
        ("#stablehlo.gather<offset_dims = [0], offset_dim = [0]>", "found 'offset_dim'"),
        ("#stablehlo.scatter<index_vector_dim = 1, index_vector_dim = 1>", "for the second time"),
    ] {
        let error = refused(&format!("module attributes {{some.attribute = {attribute}}} {{}}"));
        assert!(error.contains(part), "{error}");
    }
    for (body, part) in [
        ("%0 = stablehlo.select %p, %a, %a : tensor<i1>, tensor<2x3xf32>, tensor<2x3xf32>", "found 3 types"),
        (
            "%0 = \"chlo.constant_like\"(%a) {value = 3.2 : f32} : (tensor<2x3xf32>) -> tensor<2x3xi32>",
            "a number of the result's element type, i32",
        ),
        (
            "%0 = \"chlo.constant_like\"(%a) {value = 3 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>",
            "a number of the result's element type, f32",
        ),
        (
            "\"interpreter.run_parallel\"() {programs = [[@main]], infeed = []} : () -> ()",
            "'infeed' must name a function or be absent",
        ),
        (
            "\"check.expect_close\"(%a, %a) {max_ulp_difference = -1 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()",
            "not negative",
        ),
    ] {
        body_refused(body, part);
    }
    let window = |padding: &str, part: &str| {
        let text = format!(
            "%z = stablehlo.constant dense<0.0> : tensor<f32>\n%0 = \"stablehlo.reduce_window\"(%a, %z) ({{^bb0(%x: tensor<f32>, \
             %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32>\nstablehlo.return %s : tensor<f32>}}) {{window_dimensions = \
             array<i64: 1, 1>, padding = {padding}}} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>"
        );
        body_refused(&text, part);
    };
    window("dense<0> : tensor<4x1xi64>", "2 pairs of integers");
    window("dense<0> : tensor<1x2x2xi64>", "2 pairs of integers");
    window("[[0, 0, 0, 0]]", "2 pairs of integers");
    let kernel = "%k = stablehlo.constant dense<0.0> : tensor<0x1x1xf32>\n%0 = stablehlo.convolution(%b, %k) dim_numbers = [b, 0, \
                  f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : \
                  (tensor<1x4x1xf32>, tensor<0x1x1xf32>) -> tensor<1x5x1xf32>";
    refused_with(
        "%b: tensor<1x4x1xf32>",
        kernel,
        "a window must not be empty: got size 0 (kernel dimension 0)",
    );
    let halves = "%0 = \"stablehlo.fft\"(%c) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 16>} : \
                  (tensor<?x8xcomplex<f32>>) -> tensor<?x?xf32>";
    refused_with("%c: tensor<?x8xcomplex<f32>>", halves, "n / 2 + 1");
}

/// Groups name every process, once; where they have one size no place is left free. Channels, layouts and tokens fit.
#[test]
fn communication_that_does_not_fit_is_refused() {
    let region = "({^bb0(%x: tensor<f32>, %y: tensor<f32>): %s = stablehlo.add %x, %y : tensor<f32>\nstablehlo.return %s : tensor<f32>})";
    let reduce = |groups: &str, part: &str| {
        let text = format!(
            "%0 = \"stablehlo.all_reduce\"(%a) {region} {{replica_groups = {groups}}} : (tensor<2x3xf32>) -> tensor<2x3xf32>"
        );
        body_refused(&text, part);
    };
    reduce("dense<[[0, 1], [3, 4]]> : tensor<2x2xi64>", "every process up to the greatest: got no 2");
    reduce("dense<[[0, 2, -1]]> : tensor<1x3xi64>", "got no 1");
    let gather = |groups: &str, part: &str| {
        let text = format!(
            "%0 = \"stablehlo.all_gather\"(%a) {{all_gather_dim = 0 : i64, replica_groups = {groups}}} : (tensor<2x3xf32>) -> \
             tensor<4x3xf32>"
        );
        body_refused(&text, part);
    };
    gather("dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>", "groups must have the same size: got −1");
    gather("dense<[[0, 2]]> : tensor<1x2xi64>", "got no 1");
    let scatter = format!(
        "%0 = \"stablehlo.reduce_scatter\"(%e) {region} {{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : \
         tensor<1x2xi64>}} : (tensor<0x3xf32>) -> tensor<0x3xf32>"
    );
    refused_with("%e: tensor<0x3xf32>", &scatter, "'scatter_dimension' must not be empty");
    let exchange = "%0 = \"stablehlo.all_to_all\"(%a) {split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, \
                    replica_groups = dense<0> : tensor<0x2xi64>} : (tensor<2x3xf32>) -> tensor<1x6xf32>";
    body_refused(
        exchange,
        "'split_count' must be the number of processes of each group: got 2 and no groups",
    );
    let token = "%t = stablehlo.after_all : !stablehlo.token\n";
    let send = |kind: i64, host: bool, part: &str| {
        let text = format!(
            "{token}%0 = \"stablehlo.send\"(%a, %t) {{channel_handle = #stablehlo.channel_handle<handle = 1, type = {kind}>, \
             is_host_transfer = {host}}} : (tensor<2x3xf32>, !stablehlo.token) -> !stablehlo.token"
        );
        body_refused(&text, part);
    };
    send(2, false, "the channel's type must be 1 where 'is_host_transfer' is false: got 2");
    send(1, true, "the channel's type must be 2 where 'is_host_transfer' is true: got 1");
    let infeed = |attributes: &str, results: &str, part: &str| {
        body_refused(
            &format!(
                "{token}%0:2 = \"stablehlo.infeed\"(%t) {{{attributes}}} : (!stablehlo.token) -> ({results})"
            ),
            part,
        );
    };
    let one = "tensor<3xi32>, !stablehlo.token";
    infeed("layout = [[0], [0]]", one, "'layout' must have a list for each tensor: got 2 for 1");
    infeed("layout = [0]", one, "'layout' must have lists of integers");
    infeed("layout = [[0, []]]", one, "'layout' must have lists of integers");
    infeed("", "!stablehlo.token, !stablehlo.token", "results before the token must be tensors");
}
