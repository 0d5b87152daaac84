//! Stochastic rounding by the command: no bias, and the same bits under a seed for any threads, instruction set and interruption.

use std::fs;
use std::path::Path;

use binade_simd::Isa;
use serde_json::Value;

use crate::{command, good, good_with, run_in};

/// Asserts that the mean of numbers is the exact one within five standard errors, and that they differ.
fn assert_no_bias(numbers: &[f32], exact: f64, what: &str) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().map(|&x| f64::from(x)).sum::<f64>() / count;
    let variance = numbers.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let error = (variance / count).sqrt();
    assert!(error > 0.0 && (mean - exact).abs() < 5.0 * error, "{what}: {mean} ± {error} for {exact}");
}

/// A version 1.0 .npy file of binary32 numbers.
fn npy(path: &Path, shape: [usize; 2], numbers: &[f32]) {
    let shape = format!("{}, {}", shape[0], shape[1]);
    let text = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({shape}), }}");
    let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    bytes.extend(format!("{text:117}\n").bytes());
    bytes.extend(numbers.iter().flat_map(|x| x.to_le_bytes()));
    fs::write(path, bytes).unwrap();
}

fn floats(path: &Path) -> Vec<f32> {
    let bytes = fs::read(path).unwrap();
    bytes[128..].as_chunks().0.iter().map(|&b| f32::from_le_bytes(b)).collect()
}

/// The legs of this machine among those with vectors, and the one without.
const LEGS: [&str; 3] = ["avx512", "avx2", "portable"];

/// The leg, or the empty name of the best one if this machine lacks it.
fn on_this_machine(leg: &str) -> &str {
    if Isa::from_name(leg).is_ok() { leg } else { "" }
}

#[test]
fn stochastic_products_have_no_bias_and_the_bits_of_their_seed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    // All elements are one sum, of numbers of BF16.
    let (rows, depth, columns) = (60, 100, 50);
    let a: Vec<f32> = (0..depth).map(|k| 1.0 + (k % 13) as f32 / 128.0).collect();
    let b: Vec<f32> = (0..depth).map(|k| (k % 7) as f32 / 8.0).collect();
    let exact = a.iter().zip(&b).map(|(a, b)| f64::from(a * b)).sum();
    npy(&folder.join("a.npy"), [rows, depth], &a.repeat(rows));
    let of_b: Vec<f32> = b.iter().flat_map(|&b| vec![b; columns]).collect();
    npy(&folder.join("b.npy"), [depth, columns], &of_b);
    let product = |seed: &str, threads: &str, leg: &str| {
        let options = ["--arith", "bf16:bf16/rounding=stochastic", "--seed", seed, "--threads", threads];
        let arguments = [&["matmul", "a.npy", "b.npy", "-o", "y.npy", "--force"], &options[..]].concat();
        let done = command(folder, &arguments).env("BINADE_ISA", on_this_machine(leg)).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        floats(&folder.join("y.npy"))
    };
    let found = product("3", "1", LEGS[0]);
    assert_no_bias(&found, exact, "matmul --seed 3");
    for leg in LEGS {
        for threads in ["2", "4"] {
            assert!(product("3", threads, leg) == found, "{leg}, {threads} threads");
        }
    }
    assert!(product("4", "2", LEGS[0]) != found);
}

#[test]
fn stochastic_sums_of_blocks_have_no_bias_and_the_bits_of_their_seed() {
    // 256 + 1 + 1 + 1 in BF16, whose numbers there are even.
    let (x, ones) = ("0x7f:0x78,0x38,0x38,0x38", "0x7f:0x38,0x38,0x38,0x38");
    let line =
        format!("block_dot_product float8_e8m0fnu/float8_e4m3fn f32 nearest_even overflow {x} {ones}\n");
    let arith = ["--arith", "bf16:bf16/rounding=stochastic", "--seed"];
    let batch = |seed: &str| -> Vec<f32> {
        let arguments = [&["eval", "--batch"], &arith[..], &[seed]].concat();
        let answers = good_with(&arguments, &line.repeat(2000));
        let code = |line: &str| u32::from_str_radix(line[2..].split(' ').next().unwrap(), 16).unwrap();
        answers.lines().map(|line| f32::from_bits(code(line))).collect()
    };
    let sums = batch("7");
    assert_no_bias(&sums, 259.0, "eval --batch --seed 7");
    assert_ne!(batch("8"), sums);
    // A single evaluation is line 0.
    let formats = ["--in", "float8_e8m0fnu/float8_e4m3fn", "--out", "f32"];
    for seed in ["7", "8", "9", "10", "11"] {
        let alone = [&["eval", "block_dot_product", x, ones], &formats[..], &arith, &[seed]].concat();
        let code = good(&alone)[2..10].to_owned();
        assert_eq!(f32::from_bits(u32::from_str_radix(&code, 16).unwrap()), batch(seed)[0], "{seed}");
    }
    let add = [
        "vectors",
        "block_reduce_add",
        "--in",
        "float8_e8m0fnu/float8_e4m3fn",
        "--out",
        "f32",
        "--size",
        "9",
    ];
    let vectors = |sums: &str| good(&[&add[..], &["--count", "40", "--seed", "1", "--arith", sums]].concat());
    let drawn = vectors("bf16:bf16/rounding=stochastic");
    assert_eq!(vectors("bf16:bf16/rounding=stochastic"), drawn);
    assert_ne!(vectors("bf16:bf16"), drawn);
}

#[test]
fn stochastic_conversions_have_no_bias() {
    // 1.3 is between 1.25, code 0x3a, and 1.375.
    for seed in ["0", "5"] {
        let arguments = ["encode", "float8_e4m3fn", "-", "--rounding", "stochastic", "--seed", seed];
        let codes = good_with(&arguments, &"1.3\n".repeat(4000));
        let number = |line: &str| match line.trim() {
            "0x3a" => 1.25,
            "0x3b" => 1.375,
            other => panic!("{other}"),
        };
        assert_no_bias(&codes.lines().map(number).collect::<Vec<f32>>(), 1.3, &format!("seed {seed}"));
    }
}

/// A training under a recipe, by threads and leg.
fn train(folder: &Path, leg: &str, arguments: &[&str]) -> Value {
    let arguments = [&["train"], arguments, &["--json"]].concat();
    let done = command(folder, &arguments).env("BINADE_ISA", on_this_machine(leg)).output().unwrap();
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    serde_json::from_slice(&done.stdout).unwrap()
}

fn hashes(document: &Value) -> Vec<String> {
    let cells = document["cells"].as_array().unwrap();
    cells.iter().map(|cell| cell["weights_sha256"].as_str().unwrap().to_owned()).collect()
}

/// Recipes and an operator with random words, in operands, stored tensors and accumulators.
const STOCHASTIC: [&str; 3] = ["nvfp4-training", "bf16-stochastic", "bf16:bf16/rounding=stochastic"];

#[test]
fn stochastic_trainings_have_the_same_bits_on_any_threads_and_legs_and_verify() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let cells = STOCHASTIC.map(|arith| ["--arith", arith]).concat();
    let trained = |leg: &str, threads: &str, seeds: &str| {
        let options = ["mlp", "--seeds", seeds, "--steps", "2", "--threads", threads];
        train(folder, leg, &[&options[..], &cells[..]].concat())
    };
    let document = trained(LEGS[0], "1", "2");
    let all = hashes(&document);
    assert_eq!(all.len(), 6);
    assert!((1..6).all(|at| !all[..at].contains(&all[at])), "{all:?}");
    // Cells are in the order of arithmetics, then of seeds.
    let of_first_seed: Vec<&String> = all.iter().step_by(2).collect();
    for (leg, threads) in [(LEGS[0], "4"), (LEGS[1], "2"), (LEGS[2], "2")] {
        assert!(
            hashes(&trained(leg, threads, "1")).iter().eq(of_first_seed.iter().copied()),
            "{leg}, {threads} threads"
        );
    }
    fs::write(folder.join("result.json"), document.to_string()).unwrap();
    let verified = run_in(folder, &["train", "--verify", "result.json"], "");
    assert_eq!(verified.code, Some(0), "{}", verified.err);
    let seeds = STOCHASTIC.map(|arith| format!("ok {arith} seed 0\nok {arith} seed 1\n"));
    assert_eq!(verified.out, seeds.concat());
    // The seed is part of a result: that of one seed is not verified under another.
    let mut other = document.clone();
    other["cells"][0]["weights_sha256"] = other["cells"][1]["weights_sha256"].clone();
    other["cells"].as_array_mut().unwrap().truncate(1);
    fs::write(folder.join("other.json"), other.to_string()).unwrap();
    let differs = run_in(folder, &["train", "--verify", "other.json"], "");
    assert_eq!(differs.code, Some(1), "{}", differs.out);
    assert!(differs.out.contains("DIFFERS nvfp4-training seed 0"), "{}", differs.out);
}

/// The file of a cell's checkpoint.
fn checkpoint(folder: &Path, arith: &str, seed: u64) -> std::path::PathBuf {
    folder.join(format!("{}-seed{seed}.safetensors", arith.replace('-', "_")))
}

#[test]
fn checkpoints_of_another_seed_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for arith in ["bf16-stochastic", "nvfp4-training"] {
        let kept = format!("kept-{arith}");
        let options = ["mlp", "--arith", arith, "--steps", "2", "--checkpoint", &kept];
        train(folder, LEGS[0], &[&options[..], &["--seeds", "2", "--cell", "0"]].concat());
        let [of_0, of_1] = [0, 1].map(|seed| checkpoint(&folder.join(&kept), arith, seed));
        fs::copy(&of_0, &of_1).unwrap();
        let resumed = [&["train"], &options[..], &["--seeds", "2", "--cell", "1", "--resume"]].concat();
        let refused = run_in(folder, &resumed, "");
        assert_eq!(refused.code, Some(2), "{}", refused.out);
        assert!(
            refused.err.contains("seed") && refused.err.contains("another experiment"),
            "{}",
            refused.err
        );
    }
}

/// Killed in its second epoch, and resumed with other threads on another leg.
#[cfg(unix)]
#[test]
fn killed_stochastic_trainings_resume_with_equal_bits() {
    use std::io::{BufRead, BufReader};

    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for arith in ["bf16-stochastic", "nvfp4-training"] {
        let options = ["mlp", "--arith", arith, "--seeds", "1", "--epochs", "2"];
        let whole = hashes(&train(folder, LEGS[0], &options));
        let kept = format!("kept-{arith}");
        let options = [&options[..], &["--checkpoint", &kept]].concat();
        let mut child = command(folder, &[&["train"], &options[..]].concat()).spawn().unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while !line.contains("epoch 1 of 2") {
            line.clear();
            assert!(errors.read_line(&mut line).unwrap() > 0);
        }
        let file = checkpoint(&folder.join(&kept), arith, 0);
        // The checkpoint of the first epoch follows its line.
        while !file.exists() {
            assert!(child.try_wait().unwrap().is_none(), "{arith}: no {}", file.display());
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let resumed = [&options[..], &["--resume", "--threads", "2"]].concat();
        // The portable leg, which takes longest, has its test above.
        assert_eq!(hashes(&train(folder, LEGS[1], &resumed)), whole, "{arith}");
    }
}
