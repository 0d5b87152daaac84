//! `eval`, `vectors`, `conformance`: output and errors.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

use binade::Operation;

use crate::{bad, command, good, good_with, run, run_with};

#[test]
fn eval_prints_result_value_and_flags() {
    assert_eq!(good(&["eval", "add", "0x38", "0x30", "--in", "float8_e4m3fn"]), "0x3c 0x1.8p+0 -\n");
    assert_eq!(
        good(&["eval", "add", "=1", "=0.5", "--in", "float8_e4m3fn", "--out", "bf16"]),
        "0x3fc0 0x1.8p+0 -\n"
    );
    assert_eq!(
        good(&["eval", "multiply", "=-3", "=0x1p-1", "--in", "bf16,float8_e5m2"]),
        "0xbfc0 -0x1.8p+0 -\n"
    );
    assert_eq!(
        good(&["eval", "divide", "=1", "=3", "--in", "f32", "--rounding", "toward_positive"]),
        "0x3eaaaaab 0x1.555556p-2 x\n"
    );
    assert_eq!(
        good(&["eval", "add_scaled", "=1", "=1", "--in", "bf16", "--scale", "-1,3"]),
        "0x4108 0x1.1p+3 -\n"
    );
    assert_eq!(good(&["eval", "compare_less", "=1", "=2", "--in", "bf16,f16"]), "true\n");
    assert_eq!(good(&["eval", "class", "0x8001", "--in", "f16"]), "negative_subnormal\n");
    assert_eq!(good(&["eval", "is_nan", "=nan", "--in", "f16"]), "true\n");
    // The edition follows the name, or the option.
    assert_eq!(good(&["eval", "is_sign_minus", "=nan", "--in", "binary8p3"]), "true\n");
    assert_eq!(good(&["eval", "is_sign_minus", "=nan", "--in", "binary8p3se"]), "false\n");
    assert_eq!(good(&["eval", "is_sign_minus", "=nan", "--in", "binary8p3", "--edition", "4.0"]), "false\n");
}

#[test]
fn inexact_operand_is_noted() {
    let done = run(&["eval", "negate", "=0.7", "--in", "float8_e4m3fn"]);
    assert_eq!((done.code, done.out.as_str()), (Some(0), "0xb3 -0x1.6p-1 -\n"));
    assert_eq!(done.err, "note: 0.7 is not a value of float8_e4m3fn: used 0x33, 0x1.6p-1\n");
}

#[test]
fn operands_that_do_not_fit_are_refused() {
    assert_eq!(bad(&["eval", "add", "=1", "--in", "bf16"]), "error: add takes 2 operands, not 1\n");
    assert_eq!(bad(&["eval", "add", "1", "2", "3", "--in", "bf16"]), "error: add takes 2 operands, not 3\n");
    assert_eq!(
        bad(&["eval", "add", "1", "2", "--in", "bf16,f16,f32"]),
        "error: got 3 operand formats for add: expected one for all, or one for each of its 2 operands\n"
    );
    assert_eq!(
        bad(&["eval", "isnan", "1", "--in", "bf16"]),
        "error: unknown operation 'isnan': did you mean is_nan?\n"
    );
    assert_eq!(
        bad(&["eval", "add", "1", "2", "--in", "bf16", "--scale", "1"]),
        "error: add takes 0 scale factors, not 1\n"
    );
    assert_eq!(
        bad(&["eval", "multiply_scaled", "1", "2", "--in", "bf16", "--scale", "1.5"]),
        "error: '1.5' is not a scale factor: expected an integer from -2147483648 to 2147483647, the exponent of a power of two\n"
    );
    assert_eq!(
        bad(&["eval", "add", "1", "2", "--in", "bf17"]),
        "error: unknown format 'bf17': did you mean bf16?\n"
    );
    assert!(
        bad(&["eval", "add"])
            .starts_with("error: the following required arguments were not provided:\n  --in <F[,F…]>\n")
    );
    assert!(
        bad(&["eval", "--batch", "add"]).starts_with("error: the argument '--batch' cannot be used with")
    );
}

#[test]
fn batch_answers_equal_single_operations() {
    for operation in Operation::ALL {
        let codes = ["0x3c", "0x81", "0x7f", "0x01"].map(str::to_owned);
        let codes = &codes[..operation.arity()];
        let line = format!("{} float8_e5m2 bf16 toward_negative max {}", operation.name(), codes.join(" "));
        let mut arguments = vec!["eval", operation.name()];
        arguments.extend(codes.iter().map(String::as_str));
        arguments.extend([
            "--in",
            "float8_e5m2",
            "--out",
            "bf16",
            "--rounding",
            "toward_negative",
            "--saturation",
            "max",
        ]);
        let single = good(&arguments);
        let words: Vec<&str> = single.split_whitespace().collect();
        let batch = good_with(&["eval", "--batch"], &line);
        assert_eq!(batch, format!("{} {}\n", words[0], words.get(2).unwrap_or(&"-")), "{line}");
    }
}

#[test]
fn bad_batch_lines_make_the_exit_code_2() {
    let done = run_with(
        &["eval", "--batch"],
        "abs f16 f16 nearest_even overflow 0x8000\nabs f16\n\nabs f16 f16 nearest_even overflow 1",
    );
    let syntax = "a line is OP IN[,IN…] OUT ROUNDING SATURATION CODE…[ scale=S[,S]][ random=R/N]";
    assert_eq!(
        done.out,
        format!(
            "0x0000 -\nerror: the line ends before its saturation mode: {syntax}\nerror: empty line: {syntax}\n0x0001 d\n"
        )
    );
    assert_eq!(done.err, "error: 2 of 4 lines were bad: each is answered by a line `error: …`\n");
    assert_eq!(done.code, Some(2));
}

#[test]
fn batch_answers_before_it_waits_for_input() {
    let mut child = command(Path::new("."), &["eval", "--batch"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for code in ["0x0001", "0x0002"] {
        writeln!(stdin, "abs f16 f16 nearest_even overflow {code}").unwrap();
        assert_eq!(answers.next().unwrap().unwrap(), format!("{code} d"));
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn batch_seed_changes_random_bits() {
    let line = "convert f32 float8_e4m3fn stochastic overflow 0x3f860000\n".repeat(40);
    let seeded = |seed: &str| good_with(&["eval", "--batch", "--seed", seed], &line);
    assert_eq!(seeded("0"), good_with(&["eval", "--batch"], &line));
    assert_ne!(seeded("0"), seeded("1"));
}

#[test]
fn vectors_without_count_are_exhaustive() {
    let vectors = good(&["vectors", "add", "--in", "binary4p2", "--out", "binary5p3"]);
    assert_eq!(vectors.lines().count(), 256);
    let operands: HashSet<&str> = vectors.lines().map(|line| &line[..7]).collect();
    assert_eq!(operands.len(), 256);
    // A batch gives the same results.
    let batch: String = vectors
        .lines()
        .map(|line| format!("add binary4p2 binary5p3 nearest_even overflow {}\n", &line[..7]))
        .collect();
    let results: String = vectors.lines().map(|line| format!("{}\n", &line[8..])).collect();
    assert_eq!(good_with(&["eval", "--batch"], &batch), results);
    assert_eq!(
        bad(&["vectors", "fma", "--in", "bf16"]),
        "error: exhaustive vectors of fma would be 2^48 lines: the limit is 2^32\n\
         hint: --count N --seed S writes N random vectors that are rich in edge cases\n"
    );
}

#[test]
fn random_vectors_repeat_for_a_seed() {
    let vectors = |seed: &str| {
        good(&["vectors", "fma", "--in", "bf16,bf16,f32", "--out", "f32", "--count", "500", "--seed", seed])
    };
    assert_eq!(vectors("1"), vectors("1"));
    assert_ne!(vectors("1"), vectors("2"));
    assert_eq!(vectors("1").lines().count(), 500);
    let fewer =
        good(&["vectors", "fma", "--in", "bf16,bf16,f32", "--out", "f32", "--count", "5", "--seed", "1"]);
    assert!(vectors("1").starts_with(&fewer));
}

#[test]
fn conformance_statement_has_every_operation() {
    let statements: serde_json::Value = serde_json::from_str(&good(&["conformance", "--json"])).unwrap();
    let of = |edition: &str| -> HashSet<String> {
        let rows = statements[edition]["operations"].as_array().unwrap();
        rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    let text = good(&["conformance"]);
    for operation in Operation::ALL {
        let name = operation.name();
        assert_eq!(of("0.9.1").contains(name), operation.clause().is_some(), "{name}");
        assert_eq!(of("4.0").contains(name), operation.in_4().is_some(), "{name}");
        assert!(operation.clause().is_some() || operation.in_4().is_some(), "{name}");
        assert!(text.contains(&format!("| `{name}` |")));
    }
    assert!(binade::ops::Query::ALL.into_iter().all(|query| of("4.0").contains(query.name())));
    for edition in ["0.9.1", "4.0"] {
        let alone = good(&["conformance", "--json", "--edition", edition]);
        assert_eq!(serde_json::from_str::<serde_json::Value>(&alone).unwrap(), statements[edition]);
    }
}

#[test]
fn conformance_has_answers_for_a_specialisation() {
    let has = |text: &str| run(&["conformance", "--has", text]);
    let done = has("Exp<Binary8p3se, Binary8p4se, (NearestTiesToEven, SatFinite)>");
    assert_eq!((done.code, done.out.as_str()), (Some(0), "yes\n"));
    let done = has("BlockAdd<Binary8p3se>");
    assert_eq!(done.code, Some(1));
    assert_eq!(
        done.out,
        "no: Binary8p3se is not a size of blocks: BlockAdd must begin with a positive number\n"
    );
    let done = has("BlockAddition<Binary8p3se>");
    assert_eq!(done.code, Some(1));
    assert_eq!(done.out, "no: BlockAddition is not an operation of 4.0\n");
    assert_eq!(has("Exp").code, Some(2));
}

/// P3109 4.0 where 0.9.1 differs: by a name of 4.0, or by --edition.
#[test]
fn edition_decides_where_the_editions_differ() {
    let eval = |arguments: &[&str]| good(&[&["eval"], arguments].concat());
    // §4.7.5: overflow of a finite domain.
    let convert = ["convert", "0x7f", "--in", "binary8p4se", "--out", "binary4p2sf"];
    assert_eq!(eval(&convert), "0x7 0x1.8p+1 ox\n");
    assert_eq!(eval(&[&convert[..], &["--edition", "0.9.1"]].concat()), "0x8 nan ox\n");
    // §4.8.2, §4.8.1: no −0 in external formats, given or read.
    let product = ["multiply", "=-1", "=0", "--in", "f32"];
    assert_eq!(eval(&product), "0x80000000 -0x0p+0 -\n");
    assert_eq!(eval(&[&product[..], &["--edition", "4.0"]].concat()), "0x00000000 0x0p+0 -\n");
    assert_eq!(eval(&["negate", "=0", "--in", "binary8p3se", "--out", "bf16"]), "0x0000 0x0p+0 -\n");
    assert_eq!(eval(&["is_sign_minus", "0x8000", "--in", "bf16", "--edition", "4.0"]), "false\n");
    assert_eq!(
        eval(&["copy_sign", "=-1", "0x8000", "--in", "bf16", "--edition", "4.0"]),
        "0x3f80 0x1p+0 -\n"
    );
    assert_eq!(eval(&["total_order", "0", "0x8000", "--in", "bf16", "--edition", "4.0"]), "true\n");
    // §4.7.5: odd rounding overflows a signed format.
    let odd = ["convert", "=1e10", "--in", "f32", "--rounding", "to_odd", "--out"];
    assert_eq!(eval(&[&odd[..], &["binary8p3se"]].concat()), "0x7f inf ox\n");
    assert_eq!(eval(&[&odd[..], &["binary8p3ue"]].concat()), "0xfd 0x1.4p+31 ox\n");
    // §4.16: past the end.
    assert_eq!(eval(&["next_greater_than", "0x7f", "--in", "binary8p3se"]), "0x80 nan i\n");
    assert_eq!(
        eval(&["next_greater_than", "0x7e", "--in", "binary8p3se", "--saturation", "max"]),
        "0x7f inf -\n"
    );
    let batch = "multiply f32 f32 NearestTiesToEven SatNone 0xbf800000 0x00000000\n";
    assert_eq!(good_with(&["eval", "--batch", "--edition", "4.0"], batch), "0x00000000 -\n");
}

#[test]
fn query_prints_the_fact_of_a_format() {
    assert_eq!(good(&["eval", "max_finite_of", "--in", "binary8p3se"]), "0x7e 0x1.8p+15\n");
    assert_eq!(good(&["eval", "max_subnormal_of", "--in", "binary8p1se"]), "0x80 nan\n");
    assert_eq!(good(&["eval", "exponent_bias_of", "--in", "binary8p3uf"]), "32\n");
    assert_eq!(good(&["eval", "domain_of", "--in", "binary4p2sf"]), "Finite\n");
    let sat = ["eval", "sat_of", "--in", "bf16", "--saturation"];
    assert_eq!(good(&[&sat[..], &["max"]].concat()), "max\n");
    assert_eq!(good(&[&sat[..], &["SatFinite", "--edition", "4.0"]].concat()), "SatFinite\n");
    assert_eq!(
        bad(&["eval", "domain_of", "1", "--in", "bf16"]),
        "error: domain_of takes 0 operands, not 1\n"
    );
    assert_eq!(good(&["vectors", "domain_of", "--in", "bf16"]), "Extended -\n");
    assert_eq!(good(&["vectors", "max_finite_of", "--in", "binary8p3se"]), "0x7e -\n");
    assert_eq!(good(&["vectors", "bitwidth_of", "--in", "bf16", "--count", "2"]), "16 -\n16 -\n");
    assert_eq!(
        bad(&["vectors", "domain_of", "--in", "bf16", "--scale", "1"]),
        "error: domain_of takes 0 scale factors, not 1\n"
    );
    let batch = "min_normal_of binary8p3se bf16 nearest_even overflow\n";
    assert_eq!(good_with(&["eval", "--batch"], batch), "0x04 -\n");
}

#[test]
fn unknown_operation_is_refused_with_the_known_ones() {
    assert_eq!(
        bad(&["eval", "Add", "1", "1", "--in", "bf16"]),
        "error: unknown operation 'Add': did you mean add or block_add or add_scaled?\n"
    );
    let foo = bad(&["eval", "foo", "--in", "bf16"]);
    for name in ["add", "max_finite_of", "block_dot_product", "block_OP"] {
        assert!(foo.contains(name), "{foo}");
    }
    assert!(bad(&["eval", "dot", "--in", "bf16"]).contains("did you mean block_dot_product?"));
}

/// `--arith` and `--order` are `eval`'s and `vectors`' alike.
#[test]
fn vectors_of_block_sums_follow_the_operator() {
    let formats = ["--in", "binary8p1uf/float8_e4m3fn", "--out", "f32"];
    let sum = ["--arith", "bf16:bf16", "--order", "pairwise"];
    let drawn = ["--size", "8", "--count", "40", "--seed", "3"];
    let vectors = good(&[&["vectors", "block_dot_product"], &formats[..], &sum, &drawn].concat());
    assert_eq!(vectors.lines().count(), 40);
    let lines = vectors.lines().map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        (words[..2].join(" "), words[2..].join(" ") + "\n")
    });
    let (operands, results): (Vec<String>, Vec<String>) = lines.unzip();
    let batch: String = operands
        .iter()
        .map(|words| {
            format!("block_dot_product binary8p1uf/float8_e4m3fn f32 nearest_even overflow {words}\n")
        })
        .collect();
    assert_eq!(good_with(&[&["eval", "--batch"], &sum[..]].concat(), &batch), results.concat());
    let exact = good(&[&["vectors", "block_dot_product"], &formats[..], &drawn].concat());
    assert_ne!(vectors, exact);
    assert_eq!(
        bad(&["vectors", "add", "--in", "bf16", "--count", "1", "--arith", "bf16:f32"]),
        "error: --arith and --order without a sum: only block_reduce_add and block_dot_product sum the elements of blocks\n"
    );
}

/// Rewrite the page with `binade conformance --markdown > docs/conformance.md`.
#[test]
fn conformance_page_is_current() {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/conformance.md")).unwrap();
    assert!(
        page == good(&["conformance", "--markdown"]),
        "docs/conformance.md is not what `binade conformance --markdown` prints"
    );
}
