//! Text that is refused: what is said, and where. And text that is hostile: an answer in bounded time and memory.

use binade::philox::Stream;
use binade_hlo::Program;

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
    let shown = "2:8: iota: 'iota_dimension' is a dimension; it is 2 of 1\n \
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
        ("func.func private @f() -> tensor<f32>", "without a body"),
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
        ("%0:2 = stablehlo.abs %a : tensor<2x3xf32>", "it has 1 results; it has 2"),
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
        ("tensor<2x3xf32>, tensor<2x3xf32>", "it has 2 results; it has 1"),
        ("tensor<2x3xf32>", "the roots are a tensor of i32"),
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
        ("%0 = stablehlo.and %a, %a : tensor<2x3xf32>", "and: its elements are bool, integer; they are f32"),
        (
            "%0 = stablehlo.abs %a : (tensor<2x3xf32>) -> tensor<3x2xf32>",
            "abs: operand and result have the same shape",
        ),
        (
            "%0 = stablehlo.compare XX, %a, %a : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>",
            "EQ, NE, GE",
        ),
        (
            "%0 = stablehlo.compare LT, %i, %i, FLOAT : (tensor<i32>, tensor<i32>) -> tensor<i1>",
            "compare_type fits",
        ),
        (
            "%0 = stablehlo.compare LT, %i, %i, WEAKORDER : (tensor<i32>, tensor<i32>) -> tensor<i1>",
            "compare_type fits",
        ),
        ("%0 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<7xf32>", "as many elements"),
        (
            "%0 = stablehlo.transpose %a, dims = [0, 0] : (tensor<2x3xf32>) -> tensor<2x2xf32>",
            "each at most once",
        ),
        (
            "%0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>",
            "it is [3, 2], and is",
        ),
        (
            "%0 = stablehlo.slice %a [0:3, 0:1] : (tensor<2x3xf32>) -> tensor<3x1xf32>",
            "start <= limit <= size",
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
            "contracting dimensions have the same sizes",
        ),
        (
            "%0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<4x3xf32>",
            "each dimension",
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
        ("check.expect_eq %a, %i : tensor<2x3xf32>", "both have the same type"),
        (&reduce, "'dimensions' are dimensions, each at most once; they are [2] of 2"),
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
    assert!(error.contains("calls go in a circle: @a → @b → @c → @a"), "{error}");
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
    body_refused("%0 = stablehlo.iota dim = 0 : tensor<99999999999999999999xf32>", "a tensor of more than");
    body_refused("%0 = stablehlo.iota dim = 0 : tensor<4294967296x4294967296xf32>", "a tensor of more than");
    body_refused(
        "%0 = stablehlo.iota dim = 0 : tensor<0x4294967296x4294967296xf32>",
        "a tensor of more than",
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
    let text = include_str!("ops/forms.mlir");
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
        ("\"x\"=2", "", "\"x\"", "2", "'in_shardings' has 1 values"),
        ("\"x\"=2", "<@m, [{\"x\"}]>", "\"z\"", "4", "its attribute 'manual_axes' is axes of the mesh"),
        ("\"x\"=2", "<@m, [{\"x\"}]>", "\"x\"", "4", "its region takes (tensor<2xf32>)"),
        ("\"x\"=3", "<@m, [{\"x\"}]>", "\"x\"", "2", "'in_shardings' cuts tensor<4xf32> into equal parts"),
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

/// What a search by a function takes.
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
        ("@f", "tensor<2x4xf32>", config, "the results are parts of the inputs"),
        ("@f", "tensor<1x2xf32>", config, "the results are parts of the inputs"),
        ("@f", "tensor<2x?xf32>", config, "of sizes that are not known"),
        ("@f", "tensor<2x2xf32>", wrong, "'reduction_dim'"),
        (
            "@f",
            "tensor<2x2xf32>",
            ", indices_of_shape_operands = dense<[0]> : tensor<1xi64>",
            "as many initial values",
        ),
        ("@f", "tensor<2x2xf32>", "", "mhlo.backend_config"),
        ("@g", "tensor<2x2xf32>", config, "@g"),
        ("@f, @f", "tensor<2x2xf32>", config, "a list with one function"),
        ("@main", "tensor<2x2xf32>", config, "the function compares two elements of each input"),
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
        ("%v, %s, %c) : (tensor<1xf32>, tensor<2xi32>, tensor<1xi32>) -> tensor<1xf32>", "it has 4 operands"),
        (
            "%v, %s, %c, %b) : (tensor<1xf32>, tensor<2xi32>, tensor<1xi32>, tensor<3xf64>) -> tensor<1xf32>",
            "numbers of one type",
        ),
        (
            "%v, %s, %c, %v) : (tensor<1xf32>, tensor<2xi32>, tensor<1xi32>, tensor<1xf32>) -> tensor<2xf32>",
            "it is [1]",
        ),
        (
            "%v, %s, %s, %v) : (tensor<1xf32>, tensor<2xi32>, tensor<2xi32>, tensor<1xf32>) -> tensor<1xf32>",
            "has a column",
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
            "the function takes",
        ),
        (
            format!(
                "(%x, %z, %w, %w, %w, %w, %e) {{called_computations = [@sum]}} : {types} -> tensor<?x?xf32>"
            ),
            "the shape of the result",
        ),
        (
            "(%x, %z) {called_computations = [@sum]} : (tensor<3xf32>, tensor<f32>) -> tensor<?xf32>"
                .to_owned(),
            "five operands",
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
    assert!(refused(circle).contains("calls go in a circle"));
    body_refused(
        "%0 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {indices_of_shape_operands = dense<[0, 1]> : tensor<2xi64>} : \
         (tensor<2x3xf32>) -> tensor<2x3xf32>",
        "'indices_of_shape_operands' has 1 values",
    );
    body_refused(
        "%0 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {indices_of_shape_operands = dense<[7]> : tensor<1xi64>} : \
         (tensor<2x3xf32>) -> tensor<2x3xf32>",
        "it has an operand 7",
    );
}
