//! Vectors in TestFloat's form, against the binary32 arithmetic of the processor.

use crate::{bad, good};

/// The words of each line as numbers.
fn lines(arguments: &[&str]) -> Vec<Vec<u32>> {
    let text = good(&[&["vectors"], arguments, &["--testfloat", "--in", "f32"]].concat());
    let word = |word: &str| u32::from_str_radix(word, 16).unwrap();
    text.lines().map(|line| line.split(' ').map(word).collect()).collect()
}

#[test]
fn testfloat_lines_equal_the_results_of_the_processor() {
    type Apply = fn(&[f32]) -> f32;
    let operations: [(&str, usize, Apply); 5] = [
        ("add", 2, |x| x[0] + x[1]),
        ("subtract", 2, |x| x[0] - x[1]),
        ("multiply", 2, |x| x[0] * x[1]),
        ("sqrt", 1, |x| x[0].sqrt()),
        ("fma", 3, |x| x[0].mul_add(x[1], x[2])),
    ];
    for (name, arity, apply) in operations {
        let lines = lines(&[name, "--count", "4000", "--seed", "5"]);
        assert_eq!(lines.len(), 4000);
        for line in lines {
            let x: Vec<f32> = line[..arity].iter().map(|bits| f32::from_bits(*bits)).collect();
            let (result, flags) = (f32::from_bits(line[arity]), line[arity + 1]);
            let expected = apply(&x);
            assert!(
                result.to_bits() == expected.to_bits() || result.is_nan() && expected.is_nan(),
                "{name} {line:x?}"
            );
            // IEEE 754: overflow and, here, underflow are inexact; a new NaN is invalid, and a quiet one raises nothing.
            assert!(flags & 6 == 0 || flags & 1 == 1, "{name} {line:x?}");
            let signaling = |x: &f32| x.is_nan() && x.to_bits() >> 22 & 1 == 0;
            if x.iter().any(signaling) || expected.is_nan() && !x.iter().any(|x| x.is_nan()) {
                assert_eq!(flags, 16, "{name} {line:x?}");
            } else if expected.is_nan() && name != "fma" {
                assert_eq!(flags, 0, "{name} {line:x?}");
            } else if expected.is_infinite() && x.iter().all(|x| x.is_finite()) {
                assert_eq!(flags, 5, "{name} {line:x?}");
            }
        }
    }
    for line in lines(&["compare_less", "--count", "2000", "--seed", "1"]) {
        let (x, y) = (f32::from_bits(line[0]), f32::from_bits(line[1]));
        assert_eq!(
            (line[2], line[3]),
            ((x < y) as u32, if x.is_nan() || y.is_nan() { 16 } else { 0 }),
            "{line:x?}"
        );
    }
    let text = good(&["vectors", "convert", "--in", "f16", "--out", "bf16", "--testfloat"]);
    assert_eq!(text.lines().count(), 65536);
    assert!(text.contains("\n3C01 3F80 01\n") && text.contains("\n7C01 7FC0 10\n"));
}

#[test]
fn operation_outside_testfloat_is_refused() {
    for arguments in [
        &["divide", "--in", "f32"][..],
        &["exp", "--in", "f32"],
        &["add", "--in", "float8_e5m2"],
        &["add", "--in", "f32", "--out", "f16"],
        &["add", "--in", "f32", "--saturation", "max"],
        &["add", "--in", "f32", "--edition", "4.0"],
        &["block_reduce_add", "--in", "bf16/bf16", "--out", "f32"],
    ] {
        let error = bad(&[&["vectors"], arguments, &["--testfloat", "--count", "1"]].concat());
        assert!(error.contains("not in TestFloat's form: it has add,"), "{arguments:?}: {error}");
    }
}
