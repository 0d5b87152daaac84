//! `matmul` and `bench`: arguments and output. Tests in `binade-lab` check the numbers.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::{Done, bad, good, run_in};

/// A version 1.0 .npy file of binary32 numbers.
fn npy(path: &Path, shape: &str, values: &[f32]) {
    let text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({shape}), }}");
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    bytes.extend(format!("{text:117}\n").bytes());
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    fs::write(path, bytes).unwrap();
}

fn floats(path: &Path) -> Vec<f32> {
    let bytes = fs::read(path).unwrap();
    bytes[128..].as_chunks().0.iter().map(|&b| f32::from_le_bytes(b)).collect()
}

#[test]
fn matmul_rounds_as_its_operator() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    npy(&folder.join("a.npy"), "1, 3", &[1.0, 1.0, 1.0]);
    npy(&folder.join("b.npy"), "3, 2", &[256.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
    npy(&folder.join("c.npy"), "2,", &[0.0, 0.5]);
    let product = |options: &[&str]| {
        let arguments = [&["matmul", "a.npy", "b.npy", "-o", "y.npy", "--force"], options].concat();
        let Done { out, err, code } = run_in(folder, &arguments, "");
        assert_eq!((code, err.as_str()), (Some(0), ""), "{options:?}");
        (out, floats(&folder.join("y.npy")))
    };
    // 256 + 1 is a tie that bfloat16 rounds down, twice; the exact sum 258 is a value.
    let (out, sums) = product(&["--arith", "bf16:bf16"]);
    assert_eq!(out, "y.npy [1, 2] under bf16:bf16, sequential: 6 steps\n");
    assert_eq!(sums, [256.0, 3.0]);
    assert_eq!(product(&["--arith", "bf16:bf16", "--order", "exact"]).1, [258.0, 3.0]);
    assert_eq!(product(&["--arith", "bf16:f32", "--add", "c.npy", "--threads", "1"]).1, [258.0, 3.5]);
}

#[test]
fn initial_sums_of_matmul_are_rounded_by_steps_alone() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    npy(&folder.join("a.npy"), "1, 1", &[f32::powi(2.0, -4)]);
    npy(&folder.join("b.npy"), "1, 1", &[f32::powi(2.0, -4)]);
    // The product is 2^-8, half of bfloat16's spacing at 1. C + 2^-8 is nearer to 1 + 2^-7, and 1 + 2^-8 is a tie, rounded to 1.
    npy(&folder.join("c.npy"), "1, 1", &[1.0 + f32::powi(2.0, -9)]);
    let sum = |a: &str, c: &str, options: &[&str]| {
        let arguments = [&["matmul", a, "b.npy", "--add", c, "-o", "y.npy", "--force"], options].concat();
        let Done { err, code, .. } = run_in(folder, &arguments, "");
        assert_eq!((code, err.as_str()), (Some(0), ""), "{options:?}");
        let [sum] = floats(&folder.join("y.npy"))[..] else { panic!("{options:?}") };
        sum
    };
    let rounded = run_in(folder, &["quantize", "c.npy", "d.npy", "--format", "bf16", "--simulate"], "");
    assert_eq!(rounded.code, Some(0), "{}", rounded.err);
    assert_eq!(floats(&folder.join("d.npy")), [1.0]);
    let up = 1.0 + f32::powi(2.0, -7);
    for order in ["sequential", "pairwise", "blocked:2", "lanes:2", "exact"] {
        // A pair of formats rounds C + a · b once.
        for arith in ["float8_e4m3fn:bf16", "bf16:bf16/rounding=nearest_even"] {
            assert_eq!(sum("a.npy", "c.npy", &["--arith", arith, "--order", order]), up, "{arith} {order}");
            assert_eq!(sum("a.npy", "d.npy", &["--arith", arith, "--order", order]), 1.0, "{arith} {order}");
        }
        // The paper's operator splits C first.
        assert_eq!(sum("a.npy", "c.npy", &["--arith", "bf16:bf16", "--order", order]), 1.0, "{order}");
    }
    // Without products C is the sum.
    npy(&folder.join("none.npy"), "1, 0", &[]);
    npy(&folder.join("b.npy"), "0, 1", &[]);
    assert_eq!(sum("none.npy", "c.npy", &["--arith", "bf16:bf16"]), 1.0 + f32::powi(2.0, -9));
}

#[test]
fn operator_with_a_block_format_multiplies_in_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    npy(&folder.join("a.npy"), "1, 3", &[1.0, 2.25, 7.0]);
    npy(&folder.join("b.npy"), "3, 2", &[1.0, 1.0, 1.0, f32::INFINITY, 1.0, 1.0]);
    let product = |options: &[&str]| {
        let arguments = [&["matmul", "a.npy", "b.npy", "-o", "y.npy", "--force"], options].concat();
        let Done { out, err, code } = run_in(folder, &arguments, "");
        assert_eq!((code, err.as_str()), (Some(0), ""), "{options:?}");
        (out, floats(&folder.join("y.npy")))
    };
    // In blocks 2.25 is 2 and 7 is 6, under the scale 1; unscaled E2M1 has the same here, but not of 2^100.
    let (out, sums) = product(&["--arith", "mxfp4:f32"]);
    assert_eq!(
        out,
        "y.npy [1, 2] in mxfp4 under f32:f32, sequential: 6 steps\n\
         B: 1 element became NaN in blocks: it was NaN or infinite\n"
    );
    assert_eq!((sums[0], sums[1].is_nan()), (9.0, true));
    let (_, by_option) = product(&["--in", "mxfp4", "--arith", "f32:bf16"]);
    let (_, by_operator) = product(&["--arith", "MXFP4:bf16"]);
    assert_eq!(by_option[0].to_bits(), by_operator[0].to_bits());
    // A format alone adds in binary32, and one of two formats may have no blocks.
    assert_eq!(product(&["--arith", "mxfp4"]).1[0], 9.0);
    assert_eq!(product(&["--arith", "mxfp4*bf16"]).1[0], 9.0);
    npy(&folder.join("a.npy"), "1, 3", &[1.0, 2.25, 7.0].map(|x: f32| x * 2f32.powi(100)));
    assert_eq!(product(&["--arith", "mxfp4:f32"]).1[0], 9.0 * 2f32.powi(100));
    for (options, part) in [
        (
            &["--arith", "mxfp4:f32", "--in", "nvfp4"][..],
            "error: blocks named by --in nvfp4 and by the inputs of --arith, mxfp4",
        ),
        (&["--arith", "mxfp4:f32", "--add", "a.npy"], "error: products in blocks start from zeros"),
        (
            &["--arith", "bf16:mxfp4"],
            "error: invalid value 'bf16:mxfp4' for '--arith <OPERATOR>': 'bf16:mxfp4': mxfp4 is a",
        ),
        (
            &["--arith", "mxfp5:f32"],
            "error: invalid value 'mxfp5:f32' for '--arith <OPERATOR>': 'mxfp5:f32': its inputs: unknown",
        ),
        (
            &["--arith", "bf16:bf16/order=pairwise"],
            "error: invalid value 'bf16:bf16/order=pairwise' for '--arith <OPERATOR>': 'bf16:bf16/order=pairwise': '/order=pairwise' is",
        ),
    ] {
        let done = run_in(folder, &[&["matmul", "a.npy", "b.npy", "-o", "z.npy"], options].concat(), "");
        assert!(done.code == Some(2) && done.err.starts_with(part), "{}", done.err);
    }
}

#[test]
fn recipes_quantise_the_operands_of_products() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let numbers = |count: usize, step: usize| -> Vec<f32> {
        (0..count).map(|at| ((at * step) % 97) as f32 / 16.0 - 3.0).collect()
    };
    npy(&folder.join("a.npy"), "5, 64", &numbers(320, 7));
    npy(&folder.join("b.npy"), "64, 3", &numbers(192, 11));
    fs::write(
        folder.join("mine.toml"),
        "[forward]\nactivation = \"mxfp4\"\nweight = \"mxfp8_e4m3@rule=rceil\"\n",
    )
    .unwrap();
    fs::write(
        folder.join("drawn.toml"),
        "[forward]\nactivation = \"nvfp4/rounding=stochastic/hadamard=16\"\nweight = \"none/hadamard=16\"\n",
    )
    .unwrap();
    let product = |options: &[&str]| {
        let arguments =
            [&["matmul", "a.npy", "b.npy", "-o", "y.npy", "--force", "--arith"], options].concat();
        let Done { out, err, code } = run_in(folder, &arguments, "");
        assert_eq!((code, err.as_str()), (Some(0), ""), "{options:?}");
        (out, floats(&folder.join("y.npy")))
    };
    let (out, sums) = product(&["mine.toml"]);
    assert_eq!(out, "y.npy [5, 3] in mine under f32:f32, sequential: 960 steps\n");
    assert_eq!(sums, product(&["mxfp4,mxfp8_e4m3@rule=rceil:f32"]).1);
    assert_eq!(product(&["mine.toml@bf16"]).1, product(&["mxfp4,mxfp8_e4m3@rule=rceil:bf16"]).1);
    assert_eq!(
        product(&["fp8-tensorwise{forward.activation=bf16|forward.weight=bf16}"]).1,
        product(&["bf16:f32"]).1
    );
    // Rotations cancel: what is left is the rounding to four bits, by the words of the seed.
    let exact = product(&["f32:f32"]).1;
    let drawn = |seed| product(&["drawn.toml", "--seed", seed, "--threads", "1"]).1;
    let error = drawn("1").iter().zip(&exact).map(|(x, y)| (x - y).abs()).fold(0.0, f32::max);
    assert!(error > 0.01 && error < 20.0, "{error}");
    assert_eq!(drawn("1"), drawn("1"));
    assert_ne!(drawn("1"), drawn("2"));

    fs::write(folder.join("wrong.toml"), "\n[forward]\nweigth = \"mxfp4\"\n").unwrap();
    for (arith, wanted) in [
        (
            "wrong.toml",
            "wrong.toml:3: recipe 'wrong': there is no key 'forward.weigth': did you mean forward.weight?",
        ),
        ("missing.toml", "missing.toml: cannot read the recipe: "),
        (
            "nvfp4@rule=floor:f32",
            "'nvfp4@rule=floor': rule=floor has no effect: scales of float8_e4m3fn are quotients",
        ),
        (
            "nvfp4/rule=floor",
            "'nvfp4/rule=floor': rule=floor has no effect: scales of float8_e4m3fn are quotients",
        ),
        (
            "nvfp4/rule=rceil",
            "/rule=rceil is an option of quantizers in recipes: write a rule of scales as nvfp4@rule=NAME",
        ),
    ] {
        let done = run_in(folder, &["matmul", "a.npy", "b.npy", "-o", "z.npy", "--arith", arith], "");
        let start = format!("error: invalid value '{arith}' for '--arith <OPERATOR>': ");
        assert!(done.code == Some(2) && done.err.starts_with(&start), "{}", done.err);
        assert!(done.err.contains(wanted), "{}", done.err);
    }
}

#[test]
fn operator_without_vector_code_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    npy(&folder.path().join("a.npy"), "1, 1", &[3.0]);
    let product = |operator| {
        let arguments = ["matmul", "a.npy", "a.npy", "-o", "y.npy", "--force", "--arith", operator];
        let Done { err, code, .. } = run_in(folder.path(), &arguments, "");
        assert_eq!(code, Some(0), "{err}");
        err
    };
    assert!(product("bf16:binary8p1se").starts_with("slow: bf16:binary8p1se has no vector code here: "));
    for fast in ["tf32:tf32", "f16:f64", "bf16:binary16p8se"] {
        assert_eq!(product(fast), "");
    }
}

#[test]
fn bad_product_is_refused_and_leaves_no_output() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    npy(&folder.join("a.npy"), "1, 3", &[1.0, 1.0, 1.0]);
    for (arguments, part) in [
        (
            &["a.npy", "a.npy", "--arith", "bf16:f32"][..],
            "error: B of shape [1, 3] does not fit: A is [1, 3]",
        ),
        (
            &["a.npy", "a.npy", "--arith", "bf17:f32"],
            "error: invalid value 'bf17:f32' for '--arith <OPERATOR>': ",
        ),
        (
            &["a.npy", "a.npy", "--arith", "f32:f32", "--order", "up"],
            "error: invalid value 'up' for '--order <ORDER>': ",
        ),
        (
            &["a.npy", "a.npy", "--arith", "bf16:f32", "--order", "any"],
            "error: the order 'any' is a native library's",
        ),
        (&["a.npy", "b.npy", "--arith", "bf16:f32"], "error: b.npy: "),
    ] {
        let done = run_in(folder, &[&["matmul", "-o", "y.npy"], arguments].concat(), "");
        assert!(done.code == Some(2) && done.out.is_empty() && done.err.starts_with(part), "{}", done.err);
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
    }
    // What is there stays.
    fs::write(folder.join("y.npy"), "old").unwrap();
    npy(&folder.join("b.npy"), "3, 1", &[1.0, 1.0, 1.0]);
    let arguments = ["matmul", "a.npy", "b.npy", "--arith", "bf16:f32", "-o", "y.npy"];
    let done = run_in(folder, &arguments, "");
    assert_eq!(done.err, "error: y.npy: the file exists: use --force to replace it\n");
    assert_eq!(fs::read(folder.join("y.npy")).unwrap(), b"old");
}

#[test]
fn bench_prints_a_table_or_json() {
    let works = ["bench", "decode/float8_e5m2/L2", "gemm/bf16:f32/seq*", "--seconds", "0"];
    let report: Value = serde_json::from_str(&good(&[&works[..], &["--json"]].concat())).unwrap();
    assert!(report["machine"].is_string() && report["memcpy_elements_per_s"].is_number());
    let results = report["results"].as_array().unwrap();
    for result in results {
        let gemm = result["name"].as_str().unwrap().contains("gemm");
        assert_eq!((result["fma_per_s"].is_number(), result["elements_per_s"].is_number()), (gemm, !gemm));
        assert!(result["isa"].is_string() && result["threads"] == 1 && result["ratio_to_floor"].is_number());
        assert!(results.iter().any(|other| other["name"] == result["floor"]));
    }
    let table = good(&works);
    let names: Vec<&str> = table.lines().skip(2).filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(
        names,
        [
            "floor/unpack/L2",
            "decode/float8_e5m2/L2",
            "floor/memcpy/64MiB",
            "floor/sgemm/512",
            "gemm/bf16:f32/sequential/512"
        ]
    );
    assert!(bad(&["bench", "nothing"]).starts_with("error: nothing is called 'nothing': "));
    assert!(bad(&["bench", "--seconds", "-1"]).contains("--seconds"));
}

#[test]
fn matmul_on_a_matrix_unit_cuts_as_the_chip_does() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut values = [0.0; 32];
    values[0] = 1.0;
    values[16..].fill(2f32.powi(-13));
    npy(&folder.join("a.npy"), "1, 32", &values);
    npy(&folder.join("b.npy"), "32, 1", &values);
    let arguments = |options: &[&'static str]| {
        [&["matmul", "a.npy", "b.npy", "-o", "y.npy", "--force"], options].concat()
    };
    let sum = |options: &[&'static str]| {
        let Done { err, code, .. } = run_in(folder, &arguments(options), "");
        assert_eq!((code, err.as_str()), (Some(0), ""), "{options:?}");
        floats(&folder.join("y.npy"))[0]
    };
    // An H100 cuts each of the sixteen products of 2^-26 beside 1.
    assert_eq!(sum(&["--arith", "h100:f16"]), 1.0);
    assert_eq!(sum(&["--arith", "h100:fp16/promote=16"]), 1.0 + 2f32.powi(-22));
    assert_eq!(sum(&["--arith", "h100:f16/split=2"]), 1.0 + 2f32.powi(-22));
    assert_eq!(sum(&["--arith", "f16:f32", "--order", "aligned:16,25"]), 1.0 + 2f32.powi(-22));
    let refused = |options: &[&'static str]| {
        let Done { err, code, .. } = run_in(folder, &arguments(options), "");
        assert_eq!(code, Some(2), "{options:?}");
        err
    };
    assert!(
        refused(&["--arith", "v100:bf16"])
            .contains("v100 has no instruction for bf16 with f32 results: it has f16")
    );
    assert!(refused(&["--arith", "h101:f16"]).contains("unknown matrix unit 'h101': did you mean h100?"));
    assert!(refused(&["--arith", "tpu:bf16"]).contains("the arithmetic of tpu is not known to the bit"));
    assert!(refused(&["--arith", "h100:f16", "--order", "exact"]).contains("in the unit's own order"));
    assert!(
        refused(&["--arith", "b200:nvfp4/promote=64"])
            .contains("scaled step takes neither /promote nor /split")
    );
    assert!(bad(&["run", "--arith", "h100:f16", "--", "true"]).contains("'h100:f16' is a matrix unit"));
    assert!(bad(&["study", "cost", "h100:f16"]).contains("'h100:f16' is a matrix unit"));
}

#[test]
fn units_are_compared_in_tables_json_and_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // One and sixteen products of 2^-26: an H100 cuts them beside 1, one after the other.
    let mut values = [0.0; 32];
    values[0] = 1.0;
    values[16..].fill(2f32.powi(-13));
    npy(&folder.join("a.npy"), "1, 32", &values);
    npy(&folder.join("b.npy"), "32, 1", &values);
    let compared = |options: &[&str]| {
        let arguments = [&["matmul", "a.npy", "b.npy", "--units"], options].concat();
        let Done { out, err, code } = run_in(folder, &arguments, "");
        assert_eq!((code, err.as_str()), (Some(0), ""), "{options:?}");
        out
    };
    insta::assert_snapshot!(
        "matmul_units",
        compared(&["h100,h100/promote=16,mi300x,bf16:f32", "--report", "page.html"])
    );
    let page = fs::read_to_string(folder.join("page.html")).unwrap();
    for part in
        ["<h1>One product on several matrix units", "h100:bf16/promote=16", "Made by <code>binade matmul"]
    {
        assert!(page.contains(part), "{part}");
    }
    let report: Value = serde_json::from_str(&compared(&["h100:f16,f16:f32", "--json"])).unwrap();
    let unit = &report["units"][0];
    assert_eq!(
        (&unit["unit"], &unit["different"], &unit["max_ulps"]),
        (&"h100:f16".into(), &1.into(), &2.0.into())
    );
    assert_eq!((&report["elements"], &report["depth"]), (&1.into(), &32.into()));
    assert_eq!((&report["pairs"][0]["a"], &report["pairs"][0]["b"]), (&"h100:f16".into(), &"f16:f32".into()));
    assert!(report["conclusion"].as_str().unwrap().contains("h100:f16 and f16:f32"));
    // Random matrices of a size need no files, and are the same each time.
    let random = ["matmul", "--size", "8x64x8", "--units", "h100,a100", "--json", "--seed", "7"];
    let first: Value = serde_json::from_str(&good(&random)).unwrap();
    assert_eq!(
        (&first["shape"], first == serde_json::from_str::<Value>(&good(&random)).unwrap()),
        (&serde_json::json!([8, 8]), true)
    );
    assert_eq!(first["chosen_input"], "bf16");
}

#[test]
fn units_that_cannot_be_compared_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    npy(&folder.join("a.npy"), "1, 3", &[1.0, 1.0, 1.0]);
    npy(&folder.join("b.npy"), "3, 1", &[1.0, 1.0, 1.0]);
    for (options, part) in [
        (
            &["a.npy", "b.npy", "--units", "h100,v100:bf16"][..],
            "v100 has no instruction for bf16 with f32 results: it has f16",
        ),
        (&["a.npy", "b.npy", "--units", "h101"], "unknown matrix unit 'h101': did you mean h100?"),
        (&["a.npy", "b.npy", "--units", "h100,tpu"], "'tpu': the arithmetic of tpu is not known to the bit"),
        (
            &["a.npy", "b.npy", "--units", "v100,amx"],
            "no input format is common to the units (v100 has f16; amx has bf16)",
        ),
        (&["a.npy", "a.npy", "--units", "h100"], "B of shape [1, 3] does not fit"),
        (&["a.npy", "b.npy", "--units", "h100", "-o", "y.npy"], "cannot be used with"),
        (&["a.npy", "b.npy", "--units", "h100", "--arith", "bf16:f32"], "cannot be used with"),
        (&["a.npy", "b.npy", "--units", "h100", "--order", "exact"], "cannot be used with"),
        (&["a.npy", "--units", "h100"], "required arguments were not provided"),
        (&["--size", "8x8", "--units", "h100"], "must be MxKxN, three numbers from 1 on, as in 256x4096x256"),
        (
            &["--size", "8x8x8", "--arith", "bf16:f32", "-o", "y.npy"],
            "--size is for a comparison of units: add --units",
        ),
        (&["a.npy", "b.npy", "--arith", "bf16:f32"], "required arguments were not provided"),
        (&["a.npy", "b.npy", "--units", "h100", "--report", "a.npy"], "a.npy: the file exists"),
    ] {
        let done = run_in(folder, &[&["matmul"], options].concat(), "");
        assert!(done.code == Some(2) && done.err.contains(part), "{options:?}: {}", done.err);
        assert_eq!(fs::read_dir(folder).unwrap().count(), 2);
    }
}
