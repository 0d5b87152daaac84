//! Operations on blocks in `eval` and `vectors`, against sums and products that are exact in binary64.

use crate::{bad, good, good_with, run_with};

const E2M1: [f64; 8] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0];

fn element(code: &str) -> f64 {
    let code = usize::from_str_radix(code.strip_prefix("0x").unwrap(), 16).unwrap();
    E2M1[code & 7] * if code & 8 == 0 { 1.0 } else { -1.0 }
}

/// The values of `SCALE:ELEMENT,…` in E8M0 and E2M1; `None` where the scale is NaN.
fn block(text: &str) -> Option<Vec<f64>> {
    let (scale, elements) = text.split_once(':').unwrap();
    let scale = i32::from_str_radix(scale.strip_prefix("0x").unwrap(), 16).unwrap();
    let value = |code| element(code) * 2f64.powi(scale - 127);
    (scale != 255).then(|| elements.split(',').map(value).collect())
}

/// Lines of vectors, word by word.
fn vectors(arguments: &[&str]) -> Vec<Vec<String>> {
    let text = good(&[&["vectors"], arguments].concat());
    text.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect()
}

const MX: &str = "float8_e8m0fnu/float4_e2m1fn";
const INTEGERS: &str = "float8_e8m0fnu/mxint8";

#[test]
fn dot_product_of_blocks_is_exact_and_rounded_once() {
    let lines = vectors(&[
        "block_dot_product",
        "--in",
        MX,
        "--out",
        "f32",
        "--size",
        "8",
        "--count",
        "3000",
        "--seed",
        "3",
    ]);
    assert_eq!(lines.len(), 3000);
    let mut numbers = 0;
    for line in &lines {
        let [x, y, result, flags] = &line[..] else { panic!("{line:?}") };
        let result = f32::from_bits(u32::from_str_radix(&result[2..], 16).unwrap());
        let (Some(x), Some(y)) = (block(x), block(y)) else {
            assert!(result.is_nan(), "{line:?}");
            continue;
        };
        // A sum of 8 products of 4 bits, times a power of two: exact in binary64, and so is its rounding to binary32.
        let exact: f64 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
        // 4.0 gives no −0.
        let expected = exact as f32 + 0.0;
        assert_eq!(result.to_bits(), expected.to_bits(), "{line:?}");
        assert_eq!(flags.contains('x'), expected as f64 != exact, "{line:?}");
        numbers += 1;
    }
    assert!(numbers > 2000, "{numbers}");
}

#[test]
fn block_converts_to_elements_and_back() {
    // Exhaustive: a block of one element in every scale.
    let lines = vectors(&["convert_from_block", "--in", MX, "--out", "f64", "--size", "1"]);
    assert_eq!(lines.len(), 256 * 16);
    for line in &lines {
        let result = f64::from_bits(u64::from_str_radix(&line[1][2..], 16).unwrap());
        match block(&line[0]) {
            Some(x) => assert_eq!(result, x[0], "{line:?}"),
            None => assert!(result.is_nan(), "{line:?}"),
        }
    }
    let converted = good(&["eval", "convert_to_block", "=1,=-3,=0.125", "=0.5", "--in", "f64", "--out", MX]);
    assert_eq!(converted, "0x7e:0x4,0xf,0x0 0x1p-1:0x1p+1,-0x1.8p+2,0x0p+0 ux\n");
    let scaled =
        good(&["eval", "convert_to_block_max_abs_finite", "=1,=-3,=0.25", "--in", "f64", "--out", MX]);
    assert_eq!(scaled.split(' ').next().unwrap(), "0x80:0x1,0xb,0x0");
}

#[test]
fn block_operation_divides_by_the_scale_of_the_result() {
    let sum = good(&["eval", "block_add", "=2:=1,=3", "=4:=0.5,=-1.5", "=2", "--in", MX, "--out", MX]);
    // 2 + 2 and 6 − 6, over 2.
    assert_eq!(sum, "0x80:0x4,0x0 0x1p+1:0x1p+1,0x0p+0 d\n");
    assert_eq!(good(&["eval", "scaled_sqrt", "=4:=1", "--in", MX, "--out", "bf16"]), "0x4000 0x1p+1 -\n");
    assert_eq!(
        good(&["eval", "block_reduce_multiply", "=2:=1,=3,=1", "--in", MX, "--out", "f32"]),
        "0x41c00000 0x1.8p+4 -\n"
    );
}

#[test]
fn block_that_does_not_fit_is_refused() {
    let error = |arguments: &[&str]| bad(&[&["eval"], arguments].concat());
    assert!(
        error(&["block_add", "=1:=1", "=1:=1", "=1", "--in", "bf16", "--out", MX])
            .contains("is not a block: expected formats SCALE/ELEMENT")
    );
    assert!(error(&["block_add", "=1:=1", "--in", MX]).contains("expected 3 operands, got 1"));
    assert!(
        error(&["block_add", "=1:=1", "=1:=1,=2", "=1", "--in", MX])
            .contains("blocks of 1 and of 2 elements")
    );
    assert!(
        error(&["block_reduce_add", "=1:=1", "--in", MX]).contains("missing --out: the result has no scale")
    );
    assert!(
        error(&["block_dot_product", "=1", "=1:=1", "--in", MX, "--out", "f32"])
            .contains("is not a block: expected formats SCALE/ELEMENT")
    );
    assert!(
        error(&["add", "=1", "=1", "--in", "bf16", "--out", MX]).contains("has a scale: expected a format")
    );
    assert!(
        error(&["scaled_sqrt", "=1:=1,=2", "--in", MX, "--out", "f32"]).contains("expected 1 element, got 2")
    );
    assert!(
        error(&["block_reduce_add", "=1:=1", "--in", MX, "--out", "f32", "--edition", "0.9.1"])
            .contains("has no operations on blocks")
    );
    assert!(error(&["block_class", "=1:=1", "--in", MX]).contains("unknown operation 'block_class'"));
    assert!(
        bad(&["vectors", "block_dot_product", "--in", MX, "--out", "f32"]).contains("would be 2^272 lines")
    );
}

#[test]
fn batch_line_with_blocks_is_answered_as_in_vectors() {
    let (elements, value) = ("bf16", "f32");
    for (operation, from, to) in [
        ("block_dot_product", MX, value),
        ("block_reduce_add", MX, value),
        ("convert_from_block", MX, elements),
        ("convert_to_block", elements, MX),
        ("convert_to_block_max_abs_finite", elements, MX),
        ("block_fma", MX, MX),
        ("scaled_divide", MX, value),
        ("block_multiply", INTEGERS, INTEGERS),
        ("convert_from_block", INTEGERS, elements),
    ] {
        for modes in [["nearest_even", "overflow"], ["stochastic", "finite"]] {
            let lines = vectors(&[
                operation,
                "--in",
                from,
                "--out",
                to,
                "--size",
                if operation == "block_fma" { "2x3" } else { "5" },
                "--count",
                "200",
                "--seed",
                "9",
                "--rounding",
                modes[0],
                "--saturation",
                modes[1],
            ]);
            let (mut asked, mut expected) = (String::new(), String::new());
            for line in &lines {
                let (operands, answer) = line.split_at(line.len() - 2);
                asked +=
                    &format!("{operation} {from} {to} {} {} {}\n", modes[0], modes[1], operands.join(" "));
                expected += &format!("{}\n", answer.join(" "));
            }
            assert_eq!(
                good_with(&["eval", "--batch", "--seed", "9"], &asked),
                expected,
                "{operation} {modes:?}"
            );
        }
    }
    let done = run_with(
        &["eval", "--batch"],
        "block_reduce_add float8_e8m0fnu/float4_e2m1fn f32 nearest_even overflow 0x80:0x3,0x55\n",
    );
    assert!(done.out.starts_with("error: ") && done.out.contains("0x55"), "{}", done.out);
    let done = run_with(
        &["eval", "--batch", "--edition", "0.9.1"],
        "block_reduce_add bf16/bf16 f32 nearest_even overflow 1:1\n",
    );
    assert!(done.out.starts_with("error: "), "{}", done.out);
}

/// Under an operator and in an order, a batch gives what each line gives alone.
#[test]
fn batch_sum_under_an_operator_equals_the_single_operation() {
    let orders = ["sequential", "lanes:4", "pairwise", "blocked:2", "exact"];
    let operators =
        ["f32:f32", "bf16:bf16", "bf16x2:bf16x2/3", "float8_e4m3fn:f16", "binary8p4se:binary12p5se"];
    let modes = ["nearest_even", "toward_zero", "to_odd"];
    let mut differ = 0;
    for (at, (operator, order)) in operators.iter().flat_map(|o| orders.map(|order| (*o, order))).enumerate()
    {
        let mode = modes[at % modes.len()];
        let seed = at.to_string();
        let how = ["--out", "bf16", "--size", "7", "--count", "3", "--rounding", mode];
        let mut asked = String::new();
        let mut each = vec![];
        for operation in ["block_dot_product", "block_reduce_add"] {
            let from = ["float8_e8m0fnu/float8_e4m3fn", "bf16/float4_e2m1fn"][at % 2];
            for line in vectors(&[&[operation, "--in", from, "--seed", &seed], &how[..]].concat()) {
                let operands = &line[..line.len() - 2];
                asked += &format!("{operation} {from} bf16 {mode} overflow {}\n", operands.join(" "));
                let mut alone = vec!["eval", operation, "--in", from, "--out", "bf16", "--rounding", mode];
                alone.extend(["--arith", operator, "--order", order]);
                alone.extend(operands.iter().map(|operand| &**operand));
                each.push(run_with(&alone, ""));
            }
        }
        let batch = run_with(&["eval", "--batch", "--arith", operator, "--order", order], &asked);
        let plain = run_with(&["eval", "--batch"], &asked);
        assert_eq!(batch.out.lines().count(), each.len());
        for (answer, alone) in batch.out.lines().zip(&each) {
            match alone.code {
                // CODE VALUE FLAGS.
                Some(0) => {
                    let words: Vec<&str> = alone.out.split_whitespace().collect();
                    assert_eq!(answer, format!("{} {}", words[0], words[2]), "{operator} {order}");
                }
                _ => assert_eq!(format!("{answer}\n"), alone.err, "{operator} {order}"),
            }
        }
        differ += (batch.out != plain.out) as usize;
    }
    // Narrow accumulators give other sums than exact ones.
    assert!(differ > 5, "{differ}");
    // What sums nothing is refused, a line or alone; and --order without an operator.
    let done = run_with(
        &["eval", "--batch", "--arith", "bf16:f32"],
        "add bf16 bf16 nearest_even overflow 0x3f80 0x3f80\nblock_reduce_multiply bf16/bf16 f32 nearest_even overflow \
         0x3f80:0x3f80\nblock_reduce_add bf16/bf16 f32 nearest_even overflow 0x3f80:0x3f80\n",
    );
    let lines: Vec<&str> = done.out.lines().collect();
    assert!(
        lines[0].starts_with("error: --arith and --order without a sum") && lines[0] == lines[1],
        "{}",
        done.out
    );
    assert_eq!((lines[2], done.code), ("0x3f800000 -", Some(2)));
    assert!(bad(&["eval", "--batch", "--order", "pairwise"]).contains("--arith"));
}

#[test]
fn block_of_rows_equals_the_block_of_its_elements() {
    // The same line with its elements in a row.
    for (operation, from, to) in [
        ("block_add", MX, MX),
        ("block_dot_product", INTEGERS, "f32"),
        ("convert_to_block", "bf16", INTEGERS),
    ] {
        let of = |size| {
            let arguments = [operation, "--in", from, "--out", to, "--size", size, "--count", "100"];
            good(&[&["vectors"], &arguments[..]].concat())
        };
        let (rows, flat) = (of("3x2"), of("6"));
        assert_ne!(rows, flat);
        assert_eq!(rows.replace(';', ","), flat, "{operation}");
        let first = rows.split(' ').next().unwrap();
        assert_eq!((first.matches(';').count(), first.matches(',').count()), (2, 3), "{first}");
    }
    assert_eq!(
        good(&["eval", "block_add", "=2:=1,=3;=0,=4", "=4:=0.5,=-1.5;=0,=1", "=2", "--in", MX, "--out", MX]),
        "0x80:0x4,0x0;0x0,0x7 0x1p+1:0x1p+1,0x0p+0;0x0p+0,0x1.8p+2 d\n"
    );
    let error = |arguments: &[&str]| bad(&[&["eval"], arguments].concat());
    assert!(
        error(&["block_reduce_add", "=1:=1,=2;=1", "--in", MX, "--out", "f32"])
            .contains("row 2 of a block has 1 elements and the first row 2")
    );
    assert!(
        error(&["block_dot_product", "=1:=1,=2;=1,=2", "=1:=1,=2,=1,=2", "--in", MX, "--out", "f32"])
            .contains("blocks of 2 x 2 and of 1 x 4 elements: all operands must have the same rows")
    );
    for size in ["0", "4x", "0x3", "33x32", "2x2x2"] {
        let said = bad(&["vectors", "block_add", "--in", MX, "--size", size, "--count", "1"]);
        assert!(said.contains("1 to 1024 elements"), "{said}");
    }
}

#[test]
fn integer_elements_of_blocks_are_evaluated() {
    // Every element under every scale, against integers.
    let lines = vectors(&["convert_from_block", "--in", INTEGERS, "--out", "f64", "--size", "1"]);
    assert_eq!(lines.len(), 1 << 16);
    for line in &lines {
        let code = |text: &str| i64::from_str_radix(&text[2..], 16).unwrap();
        let (scale, element) = line[0].split_once(':').unwrap();
        let (scale, element) = (code(scale) as i32, code(element) as u8 as i8);
        let value = f64::from_bits(u64::from_str_radix(&line[1][2..], 16).unwrap());
        match scale {
            255 => assert!(value.is_nan()),
            _ => assert_eq!(value, f64::from(element) / 64.0 * 2f64.powi(scale - 127), "{line:?}"),
        }
    }
    // −2 is read and not made.
    assert_eq!(
        good(&[
            "eval",
            "convert_to_block",
            "=-2,=-9,=1.984375,=0.0234375",
            "=1",
            "--in",
            "f64",
            "--out",
            INTEGERS
        ]),
        "0x7f:0x81,0x81,0x7f,0x02 0x1p+0:-0x1.fcp+0,-0x1.fcp+0,0x1.fcp+0,0x1p-5 ox\n"
    );
    assert_eq!(good(&["decode", "mxint8", "0x80", "10.000001", "0x01"]).lines().next(), Some("-0x1p+1 -2.0"));
    assert_eq!(good(&["encode", "mxint8", "-1.5", "3", "--explain"]).lines().count(), 2);
    let table = good(&["table", "mxint8"]);
    assert_eq!(table.lines().count(), 256);
    assert_eq!(table.lines().nth(0x81), Some("0x81 = 10.000001 = -127×2^-6 = -1.984375"));
    assert!(good(&["table", "mxint8", "--csv"]).contains("0x80,10.000000,-0x1p+1,-2.0,negative_normal\n"));
    // They are no format by themselves.
    assert!(bad(&["eval", "add", "=1", "=1", "--in", "mxint8"]).contains("unknown format 'mxint8'"));
    assert!(bad(&["eval", "add", "=1", "=1", "--in", "bf16", "--out", "mxint8"]).contains("mxint8"));
}

#[test]
fn scale_rule_computes_the_scale_of_a_block() {
    let convert = |rule: &str, to: &str| {
        let modes = ["--saturation", "max", "--scale-rule", rule];
        let arguments = ["eval", "convert_to_block", "=1,=-3,=7", "--in", "f32", "--out", to];
        good(&[&arguments[..], &modes].concat())
    };
    assert!(convert("floor", MX).starts_with("0x7f:0x2,0xd,0x7 "));
    assert!(convert("rceil", MX).starts_with("0x80:0x1,0xb,0x6 "));
    assert!(convert("floor", INTEGERS).starts_with("0x81:0x10,0xd0,0x70 "));
    // In a batch, where the scale is no operand then.
    let line = "convert_to_block f32 float8_e8m0fnu/float4_e2m1fn nearest_even max 0x3f800000,0xc0400000,0x40e00000\n";
    assert_eq!(good_with(&["eval", "--batch", "--scale-rule", "floor"], line), "0x7f:0x2,0xd,0x7 ox\n");
    let lines =
        vectors(&["convert_to_block", "--in", "bf16", "--out", MX, "--scale-rule", "ceil", "--count", "10"]);
    assert!(lines.iter().all(|line| line.len() == 3));
    let error =
        bad(&["eval", "block_reduce_add", "=1:=1", "--in", MX, "--out", "f32", "--scale-rule", "even"]);
    assert!(error.contains("--scale-rule without a scale to compute: only convert_to_block"), "{error}");
    let error = bad(&["eval", "add", "=1", "=1", "--in", "bf16", "--scale-rule", "even"]);
    assert!(error.contains("--scale-rule without a scale to compute: only convert_to_block"), "{error}");
    assert!(
        bad(&["vectors", "convert_to_block", "--in", "bf16", "--out", MX, "--scale-rule", "flor"])
            .contains("did you mean floor?")
    );
}
