//! Matrix units against measured outputs of the chips, and edge cases of their definitions.
//!
//! `BINADE_MEASURED_UNITS=FOLDER` reads the sets of another folder, such as all rows that `data/units/make.py` writes.

use std::fs;
use std::path::{Path, PathBuf};

use binade::unit::{Codes, Known, ScaledCodes, Step, UNITS, UNKNOWN, Unit};
use binade::{Format, Operator, Projection, Spec, Value, decode, project};

fn format(name: &str) -> Format {
    name.parse::<Spec>().unwrap().format
}

fn words(text: &str) -> Vec<u64> {
    text.split_whitespace().map(|word| u64::from_str_radix(word, 16).unwrap()).collect()
}

/// The code of a binary32 number in another format, to nearest.
fn narrowed(code: u64, to: Format) -> u64 {
    project(to, decode(format("f32"), code), Projection::default()).code
}

/// Compares a set with its unit. Returns the number of outputs, and a line for each of the first differences.
fn compare(path: &Path) -> (usize, Vec<String>) {
    let name = path.file_stem().unwrap().to_str().unwrap();
    let (chip, input) = name.split_once('-').unwrap();
    let unit = Unit::named(chip).unwrap();
    let (mut count, mut wrong) = (0, vec![]);
    for (row, line) in (1..).zip(fs::read_to_string(path).unwrap().lines()) {
        let parts: Vec<Vec<u64>> = line.split('|').map(words).collect();
        let [a, b, c, outputs] = &parts[..] else { panic!("{name}:{row}: four parts") };
        for (output, result) in outputs.iter().zip(["f32", "f16"]) {
            let mode = unit.mode(input, result).unwrap();
            let codes = |codes| Codes { format: format(input), codes };
            let c = narrowed(c[0], mode.accumulator());
            let found = mode.dot(codes(a), codes(b), c);
            let expected = narrowed(*output, mode.accumulator());
            count += 1;
            // The archive has zeros of one sign only.
            if found != expected && (found | expected) & !mode.accumulator().sign_bit() != 0 {
                wrong.push(format!("{name}:{row}: {result} {found:#x}, measured {expected:#x}"));
            }
        }
    }
    (count, wrong)
}

#[test]
fn measured_outputs_equal_those_of_their_units() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/units");
    let folder = std::env::var_os("BINADE_MEASURED_UNITS").map_or(committed, PathBuf::from);
    let mut paths: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    paths.sort();
    assert!(!paths.is_empty(), "{} has no sets", folder.display());
    let mut all = vec![];
    for path in paths {
        let (count, wrong) = compare(&path);
        println!("{}: {count} outputs, {} differ", path.file_stem().unwrap().display(), wrong.len());
        assert!(count > 0);
        all.extend(wrong.into_iter().take(3));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

/// c + Σ a·b of binary64 numbers that the formats represent, as a code.
fn dot(unit: &str, input: &str, result: &str, a: &[f64], b: &[f64], c: f64) -> u64 {
    let mode = Unit::named(unit).unwrap().mode(input, result).unwrap();
    let code = |format: Format, x: f64| project(format, Value::from_f64(x), Projection::default()).code;
    let [a, b] = [a, b].map(|xs| xs.iter().map(|&x| code(format(input), x)).collect::<Vec<u64>>());
    let codes = |codes| Codes { format: format(input), codes };
    mode.dot(codes(&a), codes(&b), code(mode.accumulator(), c))
}

fn number(code: u64) -> f32 {
    f32::from_bits(code as u32)
}

/// 2^x.
fn power(x: i32) -> f64 {
    2f64.powi(x)
}

#[test]
fn products_below_the_alignment_are_truncated() {
    // 1, and 16 products of 2^-26, which a step of 16 truncates at 2^-25 and one of four at 2^-23.
    let mut a = vec![0.0; 32];
    a[0] = 1.0;
    a[16..].fill(power(-13));
    for unit in ["v100", "a100", "h100"] {
        assert_eq!(number(dot(unit, "f16", "f32", &a, &a, 0.0)), 1.0, "{unit}");
    }
    // In one step without a larger term nothing is truncated.
    assert_eq!(number(dot("h100", "f16", "f32", &a[16..], &a[16..], 0.0)), power(-22) as f32);
    // The exponent of a product is the sum of exponents: 1.5 · 1.5 counts as 2^0, and 2^-25 beside it is kept.
    let (a, b) = ([1.5, power(-12)], [1.5, power(-13)]);
    assert_eq!(number(dot("h100", "f16", "f32", &a, &b, -1.25)), 1.0);
    assert_eq!(number(dot("h100", "f16", "f32", &a, &b, -2.25)), 0.0);
    let (a, b) = ([1.5, 1.5, power(-12)], [1.5, -1.5, power(-13)]);
    assert_eq!(number(dot("h100", "f16", "f32", &a, &b, 0.0)), power(-25) as f32);
}

#[test]
fn infinities_and_nan_equal_those_of_exact_sums() {
    let infinity = f64::INFINITY;
    for (a, b, c, expected) in [
        (infinity, 1.0, 0.0, 0x7f80_0000),
        (infinity, -1.0, 5.0, 0xff80_0000),
        (infinity, 0.0, 0.0, 0x7fff_ffff),
        (infinity, 1.0, -infinity, 0x7fff_ffff),
        (f64::NAN, 1.0, 0.0, 0x7fff_ffff),
        (1.0, 1.0, f64::NAN, 0x7fff_ffff),
        (1.0, 1.0, infinity, 0x7f80_0000),
    ] {
        assert_eq!(dot("h100", "bf16", "f32", &[a], &[b], c), expected, "{a} · {b} + {c}");
    }
    // A later step keeps the NaN of an earlier one.
    let mut a = [1.0; 40];
    a[0] = f64::NAN;
    assert_eq!(dot("h100", "bf16", "f32", &a, &[1.0; 40], 0.0), 0x7fff_ffff);
    assert_eq!(dot("h100", "f16", "f16", &[infinity], &[0.0], 0.0), 0x7fff);
}

#[test]
fn sums_beyond_the_largest_number_are_infinite() {
    let most = power(127);
    assert_eq!(dot("h100", "bf16", "f32", &[most, most], &[1.0, 1.0], 0.0), 0x7f80_0000);
    // Products of 2^128 alone do not overflow on NVIDIA's units, but do on AMD's.
    let (a, b) = ([most, most], [2.0, -2.0]);
    assert_eq!(number(dot("h100", "bf16", "f32", &a, &b, 1.0)), 0.0);
    assert_eq!(dot("mi300x", "bf16", "f32", &a, &b, 1.0), 0x7fc0_0000);
    assert_eq!(dot("mi300x", "bf16", "f32", &a[..1], &b[..1], 1.0), 0x7f80_0000);
    // To binary16 the sum is rounded to nearest.
    assert_eq!(dot("a100", "f16", "f16", &[65504.0, 15.0], &[1.0, 1.0], 0.0), 0x7bff);
    assert_eq!(dot("a100", "f16", "f16", &[65504.0, 16.0], &[1.0, 1.0], 0.0), 0x7c00);
}

#[test]
fn sums_of_zeros_and_cancelled_sums_are_positive_zeros() {
    for unit in ["v100", "a100", "l40s", "h100", "b200", "mi100", "mi300x"] {
        assert_eq!(dot(unit, "f16", "f32", &[2.0, -2.0], &[3.0, 3.0], 0.0), 0, "{unit}");
        assert_eq!(dot(unit, "f16", "f32", &[0.0; 40], &[1.0; 40], 0.0), 0, "{unit}");
        // Groups of zeros do not change the accumulator.
        assert_eq!(number(dot(unit, "f16", "f32", &[0.0; 40], &[1.0; 40], 1.25)), 1.25, "{unit}");
        assert_eq!(number(dot(unit, "f16", "f32", &[], &[], -1.25)), -1.25, "{unit}");
    }
}

#[test]
fn results_of_eight_bit_inputs_have_fourteen_bits() {
    // 1 + 2^-13 is kept and 2^-14 truncated, in an accumulator too.
    let fine = |x: f64| number(dot("h100", "float8_e4m3fn", "f32", &[1.0], &[1.0], x));
    assert_eq!(fine(power(-13)), 1.0 + power(-13) as f32);
    assert_eq!(fine(power(-14)), 1.0);
    assert_eq!(fine(-power(-14)), 1.0);
    assert_eq!(
        number(dot("b200", "float8_e4m3fn", "f32", &[1.0], &[1.0], power(-23))),
        1.0 + power(-23) as f32
    );
}

#[test]
fn operands_of_two_formats_of_a_mode_are_multiplied() {
    let mode = Unit::named("h100").unwrap().mode("float8_e4m3fn", "f32").unwrap();
    // 1.5 in E4M3 and −2 in E5M2.
    let (a, b) = (
        Codes { format: format("float8_e4m3fn"), codes: &[0x3c] },
        Codes { format: format("float8_e5m2"), codes: &[0xc0] },
    );
    assert_eq!(number(mode.dot(a, b, 0)), -3.0);
}

#[test]
fn processors_add_pairs_in_documented_order() {
    let large = power(24);
    // AVX-512 adds the second product of a pair first; AMX sums even and odd products separately.
    assert_eq!(number(dot("avx512-bf16", "bf16", "f32", &[1.0, -large], &[1.0, 1.0], large)), 1.0);
    assert_eq!(number(dot("avx512-bf16", "bf16", "f32", &[-large, 1.0], &[1.0, 1.0], large)), 0.0);
    assert_eq!(number(dot("amx", "bf16", "f32", &[-large, 1.0], &[1.0, 1.0], large)), 1.0);
    assert_eq!(number(dot("amx", "bf16", "f32", &[power(-24); 2], &[1.0; 2], 1.0)), 1.0 + power(-23) as f32);
    // Subnormal inputs and results are zeros.
    assert_eq!(
        number(dot("amx", "bf16", "f32", &[power(-64)], &[-1.5 * power(-64)], power(-126))),
        power(-126) as f32
    );
    assert_eq!(
        number(dot("avx512-bf16", "bf16", "f32", &[power(-64)], &[-1.5 * power(-64)], power(-126))),
        0.0
    );
}

#[test]
fn sums_of_bfdot_are_rounded_to_odd() {
    let (one, tiny) = (1.0, power(-20));
    // 1 and 2^-40: rounded to odd, the last bit says that something was lost.
    let sum = |unit: &str| number(dot(unit, "bf16", "f32", &[tiny, 0.0], &[tiny, 0.0], one));
    assert_eq!(sum("arm-bfdot"), 1.0 + power(-23) as f32);
    assert_eq!(sum("arm-bfdot-ebf"), 1.0);
    // The sum of a pair is rounded before the accumulator is added: -1 leaves its error.
    let sum = |unit: &str| number(dot(unit, "bf16", "f32", &[one, tiny], &[one, tiny], -1.0));
    assert_eq!(sum("arm-bfdot"), power(-23) as f32);
    assert_eq!(sum("arm-bfdot-ebf"), 0.0);
    // Sums of 2^128 are infinite.
    let (a, b) = ([power(127), power(127)], [one, one]);
    assert_eq!(dot("arm-bfdot", "bf16", "f32", &a, &b, 0.0), 0x7f80_0000);
    assert_eq!(dot("arm-bfdot-ebf", "bf16", "f32", &a, &b, 0.0), 0x7f80_0000);
    // Sums below 2^128 are not infinite, because rounding to odd does not carry: the largest number is odd.
    let most = f64::from(f32::MAX);
    assert_eq!(dot("arm-bfdot", "bf16", "f32", &[power(103), 0.0], &[one, 0.0], most), 0x7f7f_ffff);
    assert_eq!(dot("arm-bfdot-ebf", "bf16", "f32", &[power(103), 0.0], &[one, 0.0], most), 0x7f80_0000);
    // Subnormal inputs, products and sums are zeros with EBF = 0 only.
    let small = power(-127);
    assert_eq!(dot("arm-bfdot", "bf16", "f32", &[-small, 0.0], &[one, 0.0], -0.0), 0);
    assert_eq!(dot("arm-bfdot", "bf16", "f32", &[-small, -0.0], &[one, one], -0.0), 0x8000_0000);
    assert_eq!(number(dot("arm-bfdot-ebf", "bf16", "f32", &[-small], &[one], 0.0)), -small as f32);
}

#[test]
fn bfmmla_is_bfdot_of_each_pair() {
    let a = [1.0, power(-13), -3.0, power(-30), 5.0];
    let b = [1.0, power(-12), 1.0, 7.0, power(-9)];
    for (whole, pair) in [("arm-bfmmla", "arm-bfdot"), ("arm-bfmmla-ebf", "arm-bfdot-ebf")] {
        let expected = dot(pair, "bf16", "f32", &a, &b, 0.1f32.into());
        assert_eq!(dot(whole, "bf16", "f32", &a, &b, 0.1f32.into()), expected, "{whole}");
    }
}

#[test]
fn arm_adds_products_of_eight_bits_and_the_accumulator_exactly() {
    let e5m2 =
        |unit: &str, result: &str, a: &[f64], b: &[f64], c: f64| dot(unit, "float8_e5m2", result, a, b, c);
    let (large, small) = (power(15), power(-14));
    // 2^30 - 2^30 + 2^-28 with nothing lost between; FMMLA adds eight products at once, FDOT four.
    let (a, b) = ([large, -large, small, 0.0], [large, large, small, 0.0]);
    assert_eq!(number(e5m2("arm-fp8-fdot", "f32", &a, &b, 0.0)), power(-28) as f32);
    let (a, b) = ([large, small, 0.0, 0.0, -large], [large, small, 0.0, 0.0, large]);
    assert_eq!(number(e5m2("arm-fp8-fdot", "f32", &a, &b, 0.0)), 0.0);
    assert_eq!(number(e5m2("arm-fp8-fmmla", "f32", &a, &b, 0.0)), power(-28) as f32);
    // To binary16: two products of FDOT, four of FMMLA; beyond 65504 and half a step the sum is infinite.
    let to_half = |x: f64| e5m2("arm-fp8-fdot", "f16", &[x], &[1.0], 65504.0);
    assert_eq!((to_half(14.0), to_half(16.0)), (0x7bff, 0x7c00));
    // The sum of negative zeros is negative, if no product is missing.
    let zeros = |count: usize| e5m2("arm-fp8-fdot", "f32", &vec![-0.0; count], &vec![1.0; count], -0.0);
    assert_eq!((zeros(4), zeros(3), zeros(5)), (0x8000_0000, 0, 0));
    assert_eq!(e5m2("arm-fp8-fdot", "f16", &[f64::NAN], &[1.0], 0.0), 0x7e00);
    assert_eq!(e5m2("arm-fp8-fdot", "f32", &[f64::INFINITY, f64::INFINITY], &[1.0, -1.0], 0.0), 0x7fc0_0000);
}

#[test]
fn names_of_units_are_unique_and_formats_known() {
    let mut names: Vec<&str> =
        UNITS.iter().flat_map(|unit| unit.aliases.iter().chain([&unit.name])).copied().collect();
    names.extend(UNKNOWN);
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
    for unit in UNITS {
        assert_eq!(Unit::named(&unit.name.to_uppercase()).unwrap().name, unit.name);
        for mode in unit.modes {
            assert!(mode.inputs.iter().all(|input| format(input).width() <= 19), "{}", unit.name);
            let (Known::Measured(source) | Known::Modelled(source) | Known::Specified(source)) = mode.known;
            assert!(!source.is_empty() && mode.products > 0);
            let is_aligned = matches!(mode.step, Step::Aligned { .. });
            assert_eq!(is_aligned, unit.about.starts_with("NVIDIA"), "{}", unit.name);
        }
    }
    assert!(Unit::named("v100").unwrap().mode("bf16", "f32").is_none());
}

fn operator(text: &str) -> Operator {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn sum(text: &str, a: &[f32], b: &[f32], c: f32) -> f32 {
    operator(text).as_unit().unwrap().dot(a, b, c)
}

#[test]
fn unit_names_parse_to_canonical_operators() {
    for (text, name) in [
        ("H100:E4M3", "h100:float8_e4m3fn"),
        ("hopper:fp16", "h100:f16"),
        ("a100:tf32", "a100:tf32"),
        ("mi300x:e4m3fnuz*e5m2fnuz", "mi300x:float8_e4m3fnuz*float8_e5m2fnuz"),
        ("h100:f16/result=f16", "h100:f16/result=f16"),
        ("h100:e4m3/promote=128/split=4/saturate", "h100:float8_e4m3fn/promote=128/split=4/saturate"),
        ("unit(products=16, bits=25):f16", "unit(products=16,bits=25):f16"),
        (
            "Unit(products=4,bits=24,accumulator=late,rounding=nearest_even,subnormals=flushed):bf16",
            "unit(products=4,bits=24,accumulator=late,sum_bits=31,rounding=nearest_even,subnormals=flushed):bf16",
        ),
    ] {
        assert_eq!(operator(text).to_string(), name);
        assert_eq!(operator(name), operator(text), "{text}");
    }
}

#[test]
fn unit_text_that_is_wrong_says_what_would_be_right() {
    for (text, wanted) in [
        ("v100:bf16", "'v100:bf16': v100 has no instruction for bf16 with f32 results: it has f16"),
        ("h101:f16", "unknown matrix unit 'h101': did you mean h100?"),
        ("mi300x:e4m3", "it has f16, bf16, tf32, float8_e4m3fnuz, float8_e5m2fnuz"),
        ("tpu:bf16", "the arithmetic of tpu is not known to the bit"),
        ("h100:fp17", "'h100:fp17': its inputs: unknown format 'fp17'"),
        ("h100:f16/promote=0", "'/promote=0' is not understood: a unit takes /promote=N"),
        ("h100:f16/order=exact", "'/order=exact' is not understood"),
        ("t4:f16/result=f16", "it has no mode of that result"),
        ("unit(bits=25):f16", "products=N, the products of a step, must be given"),
        ("unit(products=16,bits=99):f16", "'bits=99' is not understood: bits=F is from 1 to 56"),
        ("unit(products=16,bits=25,colour=red):f16", "the parameters are products, bits"),
        ("unit(products=16", "a described unit is written unit(products=N,bits=F,…):FORMAT"),
        ("unit(products=16,bits=25)", "a described unit is written"),
    ] {
        let error = text.parse::<Operator>().expect_err(text).to_string();
        assert!(error.contains(wanted), "{text}: {error}");
    }
    // Names of formats with errors stay errors of formats.
    let error = "fp8:f32".parse::<Operator>().unwrap_err().to_string();
    assert!(error.contains("unknown format 'fp8'"), "{error}");
}

#[test]
fn unit_operator_cuts_what_the_chip_cuts() {
    // Sixteen products of 2^-26 beside 1: an H100 loses each, the exact sum has 2^-22.
    let mut a = vec![0.0; 32];
    a[0] = 1.0;
    a[16..].fill(2f32.powi(-13));
    assert_eq!(sum("h100:f16", &a, &a, 0.0), 1.0);
    assert_eq!(sum("unit(products=32,bits=40):f16", &a, &a, 0.0), 1.0 + 2f32.powi(-22));
    // tf32 is cut toward zero, bf16 is rounded.
    let x = 1.0 + 2f32.powi(-11) + 2f32.powi(-12);
    assert_eq!(sum("a100:tf32", &[x], &[1.0], 0.0), 1.0);
    assert_eq!(sum("a100:bf16", &[1.0 + 2f32.powi(-8) * 1.5], &[1.0], 0.0), 1.0 + 2f32.powi(-7));
}

#[test]
fn promotion_moves_sums_into_binary32() {
    // 14 bits hold sums below 2^14 only: 16,384 products of 1 lose nothing, those after them half of their bits.
    let ones = vec![1.0; 40_000];
    let plain = sum("h100:e4m3", &ones, &ones, 0.0);
    let promoted = sum("h100:e4m3/promote=128", &ones, &ones, 0.0);
    assert_eq!(promoted, 40_000.0);
    assert!(plain <= promoted);
    let ones = vec![1.0 + 0.125; 40_000];
    assert!(sum("h100:e4m3", &ones, &ones, 0.0) < sum("h100:e4m3/promote=128", &ones, &ones, 0.0));
}

#[test]
fn split_ranges_are_whole_steps() {
    let ranges = |text: &str, depth| -> Vec<_> { operator(text).as_unit().unwrap().ranges(depth).collect() };
    assert_eq!(ranges("h100:f16/split=3", 100), [0..48, 48..96, 96..100]);
    assert_eq!(ranges("h100:f16/split=8", 20), [0..16, 16..20]);
    let a: Vec<f32> = (0..100).map(|i| (i as f32 * 0.37).sin()).collect();
    let by_hand = [0..48, 48..96, 96..100]
        .into_iter()
        .fold(0.5, |c, range: std::ops::Range<usize>| c + sum("h100:f16", &a[range.clone()], &a[range], 0.0));
    assert_eq!(sum("h100:f16/split=3", &a, &a, 0.5), by_hand);
}

#[test]
fn saturated_inputs_are_finite() {
    assert_eq!(sum("h100:f16/saturate", &[1e6], &[1.0], 0.0), 65504.0);
    assert_eq!(sum("h100:f16", &[1e6], &[1.0], 0.0), f32::INFINITY);
    assert!(sum("h100:e4m3", &[1e6], &[1.0], 0.0).is_nan());
    assert_eq!(sum("h100:e4m3/saturate", &[1e6], &[1.0], 0.0), 448.0);
}

#[test]
fn one_multiply_add_of_a_unit_is_a_step_with_one_product() {
    for text in ["h100:f16", "a100:tf32", "mi300x:bf16", "amx:bf16", "mi250:f16", "h100:e4m3/saturate"] {
        for (a, b, c) in [(1.5, 2.5, 0.1), (1e6, 3.0, 2.0), (1.0 / 3.0, 3.0, -1.0), (0.0, 1.0, 1e-40)] {
            let operator = operator(text);
            let whole = operator.as_unit().unwrap().dot(&[a], &[b], c);
            let one = operator.multiply_add(a, b, c);
            assert!(one.to_bits() == whole.to_bits() || one.is_nan() && whole.is_nan(), "{text} {a} {b} {c}");
        }
    }
}

/// c + Σ scale·scale·a·b on B200, of operands as elements and scales.
fn scaled(elements: &str, scale: &str, block: usize, a: [&[f64]; 2], b: [&[f64]; 2], c: f32) -> f32 {
    let step = Unit::named("b200").unwrap().scaled([elements; 2], scale).unwrap();
    let codes = |name: &str, xs: &[f64]| -> Vec<u64> {
        let code = |&x: &f64| project(format(name), Value::from_f64(x), Projection::default()).code;
        xs.iter().map(code).collect()
    };
    let [a, b] = [a, b].map(|[xs, scales]| [codes(elements, xs), codes(scale, scales)]);
    let [left, right] = [&a, &b].map(|[xs, scales]| ScaledCodes {
        elements: Codes { format: format(elements), codes: xs },
        scales: Codes { format: format(scale), codes: scales },
        block,
    });
    let sum = step.dot(left, right, c.to_bits().into());
    number(sum)
}

#[test]
fn groups_of_sixteen_are_summed_exactly_before_they_are_aligned() {
    let ones = [1.0; 64];
    let fives = [1.5; 4];
    // 64 · 1 · 1 · 1.5 · 1.5.
    assert_eq!(scaled("float4_e2m1fn", "float8_e4m3fn", 16, [&ones, &fives], [&ones, &fives], 0.0), 144.0);
    // A group of small scales beside one of large ones keeps 35 bits below the exponent of the large scales.
    let (large, small) = (256.0, 2f64.powi(-6));
    let mut a = vec![0.0; 32];
    (0..32).for_each(|i| a[i] = if i < 16 { 0.5 } else { 0.0 });
    a[16] = 0.5;
    let sum = |scale: f64| {
        scaled("float4_e2m1fn", "float8_e4m3fn", 16, [&a, &[large, scale]], [&a, &[large, scale]], 0.0)
    };
    // 16 · 0.25 · 2^16 and 0.25 · 2^-12: exponents 16 and -12, 2^-14 being 2^(16 - 30).
    assert_eq!(sum(small), 2f32.powi(18));
    assert_eq!(sum(small) + 2f32.powi(-14), 2f32.powi(18));
    // A group whose products cancel takes part in the alignment by its scales.
    let mut cancelled = vec![0.0; 32];
    (cancelled[0], cancelled[1]) = (1.0, -1.0);
    cancelled[16] = 1.0;
    let plain = vec![1.0; 32];
    let tiny = [2f64.powi(-9)];
    let scales = |first: f64| [first, tiny[0]];
    let found = |first: f64| {
        let of = scales(first);
        scaled("float4_e2m1fn", "float8_e4m3fn", 16, [&cancelled, &of], [&plain, &of], 0.0)
    };
    assert_eq!(found(1.0), 2f32.powi(-18));
    assert_eq!(found(256.0), 2f32.powi(-18));
}

#[test]
fn scales_of_eight_bit_elements_join_their_exponents() {
    let x = [1.5; 32];
    let scaled_by =
        |s: f64, u: f64| scaled("float8_e4m3fn", "float8_e8m0fnu", 32, [&x, &[s]], [&x, &[u]], 0.0);
    assert_eq!(scaled_by(1.0, 1.0), 72.0);
    assert_eq!(scaled_by(2f64.powi(40), 2f64.powi(-42)), 18.0);
    assert_eq!(scaled_by(2f64.powi(120), 2f64.powi(120)), f32::INFINITY);
    assert!(scaled_by(f64::NAN, 1.0).is_nan());
    // In one alignment: 2^-9 · 2^-9 · 32 beside 1 keeps 25 bits.
    let with_one =
        scaled("float8_e4m3fn", "float8_e8m0fnu", 32, [&x, &[2f64.powi(-14)]], [&x, &[2f64.powi(-14)]], 1.0);
    assert_eq!(with_one, 1.0);
}

#[test]
fn units_are_refused_where_single_numbers_are_computed() {
    let error = operator("h100:f16").of_single_numbers().unwrap_err().to_string();
    assert!(error.starts_with("'h100:f16' is a matrix unit, which computes products of matrices"), "{error}");
    assert!(operator("bf16:f32").of_single_numbers().is_ok());
    for text in ["h100:f16", "bf16:bf16/rounding=stochastic", "f16:f32/rounding=toward_zero"] {
        assert!(operator(text).of_programs().is_err(), "{text}");
    }
    assert!(operator("bf16:bf16").of_programs().is_ok());
}

/// Outputs of scaled steps that MMA-Sim computed. `BINADE_SCALED_UNITS=FILE` reads other rows that `make_scaled.py` wrote.
#[test]
fn scaled_steps_are_those_of_mma_sim() {
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/units/scaled/b200.txt");
    let path = std::env::var_os("BINADE_SCALED_UNITS").map_or(committed, PathBuf::from);
    let mut count = 0;
    for (line, text) in (1..).zip(fs::read_to_string(&path).unwrap().lines()) {
        let parts: Vec<&str> = text.split('|').collect();
        let [head, a, of_a, b, of_b, c, expected] = parts[..] else { panic!("line {line}: seven parts") };
        let head: Vec<&str> = head.split(' ').collect();
        let [elements, scale, block] = head[..] else { panic!("line {line}: a head of three words") };
        let [a, of_a, b, of_b, c, expected] = [a, of_a, b, of_b, c, expected].map(words);
        let step = Unit::named("b200").unwrap().scaled([elements; 2], scale).unwrap();
        let of = |name: &str, codes| Codes { format: format(name), codes };
        let block = block.parse().unwrap();
        let left = ScaledCodes { elements: of(elements, &a), scales: of(scale, &of_a), block };
        let right = ScaledCodes { elements: of(elements, &b), scales: of(scale, &of_b), block };
        let found = step.dot(left, right, c[0]);
        // MMA-Sim has zeros of one sign.
        assert!(
            found == expected[0] || (found | expected[0]) & 0x7fff_ffff == 0,
            "line {line}: {found:#x}, MMA-Sim {:#x}",
            expected[0]
        );
        count += 1;
    }
    assert!(count >= 100);
}
