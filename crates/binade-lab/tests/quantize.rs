//! `quantize`, element by element, compared with the plain definitions of `binade`.

mod common;

use std::sync::atomic::{AtomicU64, Ordering};

use binade::block::{BlockFormat, ScaleRule};
use binade::{
    Datum, Flags, Projection, Rounding, Saturation, Spec, Stochastic, Value, decode, ops, philox, project,
    project_in,
};
use binade_files::ElementType;
use binade_lab::quantize::{
    self, Auto, BiasChoice, Candidate, Report, RoundingChoice, Target, run, run_auto,
};
use binade_lab::select::{ErrorMeasure, Selection};
use binade_lab::{Error, Progress, Silent, compare};
use common::*;

fn code_of(name: &str, x: f64, how: Projection) -> u64 {
    let spec: Spec = name.parse().unwrap();
    project_in(spec.format, Value::from_f64(x), how, spec.edition).code
}

fn value_of(name: &str, code: u64) -> f64 {
    f64::from_bits(project(format("f64"), decode(format(name), code), Projection::default()).code)
}

/// x / s, rounded once.
fn quotient(name: &str, x: f64, s: f64, how: Projection) -> u64 {
    let datum = |x: f64| Datum::new(format("f64"), x.to_bits()).unwrap();
    ops::divide(datum(x), datum(s), format(name), how).code
}

#[test]
fn codes_equal_hand_computed_values() {
    let folder = Folder::new();
    let values = [0.0, -0.0, 1.0, -1.5, 448.0, 465.0, f32::NAN, 0.001];
    let input = folder.npy_f32("x.npy", &[2, 4], &values);
    let output = folder.path("y.npy");
    let report = quantize(&input, &output, &options("float8_e4m3fn")).unwrap();
    assert_eq!(kind(&output, ""), (ElementType::U8, vec![2, 4]));
    assert_eq!(bytes(&output, ""), [0x00, 0x80, 0x38, 0xbc, 0x7e, 0x7f, 0x7f, 0x01]);
    let losses = &report.tensors[0].losses;
    assert_eq!((losses.elements, losses.nan, losses.lost, losses.not_finite), (8, 2, 1, 1));
    assert_eq!((losses.overflow, losses.underflow, losses.inexact, losses.invalid), (1, 1, 2, 1));
    assert_eq!(folder.names(), ["x.npy", "y.binade.json", "y.npy"]);
    assert_eq!(
        std::fs::read_to_string(folder.path("y.binade.json")).unwrap(),
        "{\"format\":\"float8_e4m3fn\"}\n"
    );
}

/// Scales of many tiles are computed a part at a time. They equal those of each matrix alone.
#[test]
fn many_tiles_equal_those_of_each_matrix() {
    let folder = Folder::new();
    const MATRIX: usize = 301 * 640;
    let mut values = weights(6 * MATRIX);
    // All matrices have the same largest magnitude, which determines the tensor scale.
    values.iter_mut().for_each(|x| *x = if x.is_finite() { x.clamp(-3.0, 3.0) } else { 0.0 });
    values.chunks_mut(MATRIX).for_each(|matrix| matrix[5] = -3.5);
    let file = |name: &str, shape: &[u64], values: &[f32]| {
        folder.safetensors(name, &[("w", ElementType::F32, shape, bytes_of_f32(values))], &[])
    };
    let all = file("all.safetensors", &[6, 301, 640], &values);
    let matrices: Vec<_> = values
        .chunks(MATRIX)
        .enumerate()
        .map(|(at, matrix)| file(&format!("{at}.safetensors"), &[301, 640], matrix))
        .collect();
    for scale in ["block:2x1,f32", "block:2x1", "block:2x1,float8_e4m3fn"] {
        let mut options = options("float8_e5m2");
        (options.scale, options.force) = (scale.parse().unwrap(), true);
        let output = folder.path("y.safetensors");
        let report = quantize(&all, &output, &options).unwrap();
        let (codes, scales) = (bytes(&output, "w"), bytes(&output, "w.scale"));
        let (mut of_codes, mut of_scales, mut inexact) = (vec![], vec![], 0);
        for input in &matrices {
            let output = folder.path("z.safetensors");
            let own = quantize(input, &output, &options).unwrap();
            assert_eq!(own.tensors[0].tensor_scale, report.tensors[0].tensor_scale, "{scale}");
            of_codes.extend(bytes(&output, "w"));
            of_scales.extend(bytes(&output, "w.scale"));
            inexact += own.tensors[0].losses.inexact;
        }
        assert!(codes == of_codes && scales == of_scales, "{scale}");
        assert_eq!(report.tensors[0].losses.inexact, inexact, "{scale}");
    }
}

#[test]
fn codes_of_every_mode_equal_the_definition() {
    let folder = Folder::new();
    let values = weights(3000);
    let input = folder.npy_f32("x.npy", &[3000], &values);
    for name in [
        "float8_e4m3fn",
        "cfloat8_1_4_3@bias=7",
        "float4_e2m1fn",
        "bf16",
        "tf32",
        "float8_e8m0fnu",
        "f32",
        "binary8p3se",
        "binary4p2sf",
        "binary8p4uf",
    ] {
        for rounding in Rounding::DETERMINISTIC {
            for saturation in Saturation::ALL {
                let how = Projection::new(rounding, saturation);
                let mut options = options(name);
                (options.rounding, options.saturation, options.force) =
                    (RoundingChoice::Fixed(rounding), saturation, true);
                let output = folder.path("y.npy");
                quantize(&input, &output, &options).unwrap();
                let width = kind(&output, "").0.bits().unwrap() as usize / 8;
                let codes = bytes(&output, "");
                for (x, code) in values.iter().zip(codes.chunks(width)) {
                    let mut wide = [0; 8];
                    wide[..width].copy_from_slice(code);
                    assert_eq!(u64::from_le_bytes(wide), code_of(name, *x as f64, how), "{name} {x} {how:?}");
                }
            }
        }
    }
}

/// Binary32 words of all kinds: most near the range of the formats, some arbitrary.
fn edge_rich(count: u64) -> Vec<f32> {
    (0..count)
        .map(|i| match philox::word(11, 2 * i) {
            word if i % 4 == 0 => f32::from_bits(word),
            // Exponents from −20 to 11, and significands that end in zeros, as ties do.
            word => {
                let tie = u32::MAX << (philox::word(11, 2 * i + 1) % 24);
                f32::from_bits(word & 0x807f_ffff & (tie | 0x8000_0000) | (107 + (word >> 23 & 31)) << 23)
            }
        })
        .collect()
}

#[test]
fn codes_and_counts_of_edge_cases_equal_the_definition() {
    let folder = Folder::new();
    let values = edge_rich(80_000);
    let input = folder.npy_f32("x.npy", &[80_000], &values);
    let modes = Rounding::DETERMINISTIC.map(RoundingChoice::Fixed).into_iter().chain([
        RoundingChoice::Stochastic { variant: Stochastic::A, bits: 32, seed: 5 },
        RoundingChoice::Stochastic { variant: Stochastic::B, bits: 32, seed: 6 },
        RoundingChoice::Stochastic { variant: Stochastic::A, bits: 9, seed: 7 },
    ]);
    let modes = modes.flat_map(|mode| Saturation::ALL.map(|saturation| (mode, saturation)));
    for ((rounding, saturation), name) in modes.zip(
        ["float8_e4m3fn", "uhp", "binary8p3", "cfloat8_1_5_2@bias=20", "float8_e5m2fnuz", "f16", "binary6p3"]
            .into_iter()
            .cycle(),
    ) {
        let mut options = options(name);
        (options.rounding, options.saturation, options.force) = (rounding, saturation, true);
        let output = folder.path("y.npy");
        let report = quantize(&input, &output, &options).unwrap();
        let written = bytes(&output, "");
        let width = written.len() / values.len();
        let (mut counts, mut lost, mut to_zero) = ([0; 4], 0, 0);
        for (index, (&x, code)) in values.iter().zip(written.chunks(width)).enumerate() {
            let rounding = match rounding {
                RoundingChoice::Fixed(fixed) => fixed,
                RoundingChoice::Stochastic { variant, bits, seed } => {
                    let random = philox::word(seed, index as u64) >> (32 - bits);
                    Rounding::Stochastic { variant, bits, random }
                }
            };
            // A NaN keeps its sign in the formats without NaN.
            let wide = (x as f64).copysign(if x.is_sign_negative() { -1.0 } else { 1.0 });
            let rounded = project(format(name), Value::from_f64(wide), Projection::new(rounding, saturation));
            let found = code.iter().rev().fold(0, |code, &byte| code << 8 | byte as u64);
            assert_eq!(found, rounded.code, "{name} {rounding:?} {saturation:?} {x:e}");
            let flags = [Flags::INVALID, Flags::OVERFLOW, Flags::UNDERFLOW, Flags::INEXACT];
            for (count, flag) in counts.iter_mut().zip(flags) {
                *count += rounded.flags.contains(flag) as u64;
            }
            let y = value_of(name, rounded.code);
            lost += (x.is_finite() && !y.is_finite()) as u64;
            to_zero += (x != 0.0 && y == 0.0) as u64;
        }
        let losses = &report.tensors[0].losses;
        let found = [losses.invalid, losses.overflow, losses.underflow, losses.inexact];
        assert_eq!(found, counts, "{name} {rounding:?} {saturation:?}");
        assert_eq!((losses.lost, losses.to_zero, losses.elements), (lost, to_zero, 80_000));
    }
}

#[test]
fn stochastic_rounding_depends_on_the_element_index() {
    let folder = Folder::new();
    // More than a chunk.
    let values = weights(100_003);
    let input = folder.npy_f32("x.npy", &[100_003], &values);
    for (variant, bits, scale) in
        [(Stochastic::A, 32, "none"), (Stochastic::B, 5, "none"), (Stochastic::C, 12, "tensor")]
    {
        let mut options = options("float8_e5m2");
        (options.rounding, options.force) = (RoundingChoice::Stochastic { variant, bits, seed: 42 }, true);
        options.scale = scale.parse().unwrap();
        let output = folder.path("y.npy");
        let report = quantize(&input, &output, &options).unwrap();
        let scale = report.tensors[0].tensor_scale.unwrap_or(1.0);
        for (index, (x, code)) in values.iter().zip(bytes(&output, "")).enumerate() {
            let random = philox::word(42, index as u64) >> (32 - bits);
            let how = Projection::new(Rounding::Stochastic { variant, bits, random }, Saturation::Overflow);
            assert_eq!(code as u64, quotient("float8_e5m2", *x as f64, scale, how), "{index} {x}");
        }
    }
}

#[test]
fn f64_is_rounded_once() {
    let folder = Folder::new();
    let x = 1.0 + 2f64.powi(-4) + 2f64.powi(-40);
    let input = folder.npy("x.npy", ElementType::F64, &[2], &bytes_of_f64(&[x, 3.0]));
    quantize(&input, &folder.path("y.npy"), &options("float8_e4m3fn")).unwrap();
    assert_eq!(bytes(&folder.path("y.npy"), ""), [0x39, 0x44]);
    // Scaled too: x / s, where s is 3 / 448 rounded upward to binary32.
    let mut options = options("float8_e4m3fn");
    options.scale = "tensor".parse().unwrap();
    let report = quantize(&input, &folder.path("z.npy"), &options).unwrap();
    let scale = report.tensors[0].tensor_scale.unwrap();
    let code = quotient("float8_e4m3fn", x, scale, Projection::default());
    assert_eq!(bytes(&folder.path("z.npy"), ""), [code as u8, 0x7e]);
}

#[test]
fn safetensors_uses_its_own_types_where_possible() {
    let folder = Folder::new();
    let values = weights(48);
    let input = folder.safetensors(
        "x.safetensors",
        &[("w", ElementType::F32, &[6, 8], bytes_of_f32(&values))],
        &[("by", "me")],
    );
    for (name, element) in [
        ("float8_e4m3fn", ElementType::F8E4M3),
        ("E5M2", ElementType::F8E5M2),
        ("float8_e4m3fnuz", ElementType::F8E4M3Fnuz),
        ("float8_e8m0fnu", ElementType::F8E8M0),
        ("float6_e3m2fn", ElementType::F6E3M2),
        ("float6_e2m3fn", ElementType::F6E2M3),
        ("float4_e2m1fn", ElementType::F4),
        ("bf16", ElementType::Bf16),
        ("f16", ElementType::F16),
        ("f64", ElementType::F64),
        ("cfloat8_1_5_2@bias=12", ElementType::U8),
        ("shp@bias=31", ElementType::U16),
        ("binary12p4", ElementType::U16),
        ("tf32", ElementType::U32),
    ] {
        let output = folder.path(&format!("{name}.safetensors"));
        quantize(&input, &output, &options(name)).unwrap();
        assert_eq!(kind(&output, "w"), (element, vec![6, 8]), "{name}");
        let noted = name.parse::<Spec>().unwrap().name().to_owned();
        let expected = [("by".to_owned(), "me".to_owned()), ("binade.format.w".to_owned(), noted)];
        assert_eq!(metadata(&output), expected);
    }
}

#[test]
fn narrow_codes_are_packed_little_endian() {
    let folder = Folder::new();
    let values = [0.5f32, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, -6.0, 0.0, -0.5, 1.0, 2.0, 1.0, 2.0, 3.0];
    let tensors = [
        ("even", ElementType::F32, &[2, 2][..], bytes_of_f32(&values[..4])),
        ("odd", ElementType::F32, &[3, 5][..], bytes_of_f32(&values)),
    ];
    let input = folder.safetensors("x.safetensors", &tensors, &[]);
    let output = folder.path("y.safetensors");
    quantize(&input, &output, &options("float4_e2m1fn")).unwrap();
    assert_eq!(kind(&output, "even"), (ElementType::F4, vec![2, 2]));
    assert_eq!(bytes(&output, "even"), [0x21, 0x43]);
    assert_eq!(kind(&output, "odd"), (ElementType::U8, vec![8]));
    assert_eq!(bytes(&output, "odd"), [0x21, 0x43, 0x65, 0xf7, 0x90, 0x42, 0x42, 0x05]);
    assert!(metadata(&output).contains(&("binade.shape.odd".to_owned(), "3,5".to_owned())));
    // Five bits: codes 1, 2, 4 … of a format that no file has a type for.
    let output = folder.path("z.safetensors");
    quantize(&input, &output, &options("binary5p2")).unwrap();
    let code = |x: f32| code_of("binary5p2", x as f64, Projection::default());
    let expected = values[..4].iter().rev().fold(0u64, |packed, &x| packed << 5 | code(x));
    assert_eq!(bytes(&output, "even"), expected.to_le_bytes()[..3]);
}

#[test]
fn scales_of_all_kinds_equal_the_definition() {
    let folder = Folder::new();
    // Rows of 100 elements: blocks of 32 end with a short one. Several chunks.
    let values: Vec<f32> =
        weights(200_000).iter().enumerate().map(|(i, x)| x * (1 + i / 100 % 7) as f32).collect();
    let shape = [20, 100, 100];
    let input =
        folder.safetensors("x.safetensors", &[("w", ElementType::F32, &shape, bytes_of_f32(&values))], &[]);
    let finite =
        |range: &[f32]| range.iter().filter(|x| x.is_finite()).fold(0f32, |m, x| m.max(x.abs())) as f64;
    // Under a tensor scale, scales are rounded to nearest unless another rule is given.
    let upward = Some(ScaleRule::Rceil);
    for (name, scale, groups, scale_shape, rule) in [
        ("float8_e4m3fn", "tensor", 1, vec![], None),
        ("cfloat8_1_4_3@bias=7", "channel:0", 20, vec![20, 1, 1], None),
        ("float8_e4m3fn", "channel:-1", 100, vec![1, 1, 100], None),
        ("float4_e2m1fn", "block:32", 8000, vec![20, 100, 4], None),
        ("float8_e5m2", "block:7", 30_000, vec![20, 100, 15], None),
        ("float8_e4m3fn", "block:48,bf16", 6000, vec![20, 100, 3], None),
        ("float4_e2m1fn", "block:16,float8_e4m3fn", 14_000, vec![20, 100, 7], None),
        ("float4_e2m1fn", "block:16,float8_e4m3fn", 14_000, vec![20, 100, 7], upward),
        ("float4_e2m1fn", "block:60000,f32", 2000, vec![20, 100, 1], None),
        // Blocks of 32 rows end with the matrix: four of them in its 100 rows.
        ("float8_e4m3fn", "block:32x32,f32", 320, vec![20, 4, 4], None),
        ("float8_e5m2", "block:32x32", 320, vec![20, 4, 4], None),
        ("float4_e2m1fn", "block:3x7,float8_e4m3fn", 10_200, vec![20, 34, 15], None),
        ("float4_e2m1fn", "block:3x7,float8_e4m3fn", 10_200, vec![20, 34, 15], upward),
        ("float8_e4m3fn", "block:60000x2,bf16", 1000, vec![20, 1, 50], None),
    ] {
        let output = folder.path("y.safetensors");
        let mut options = options(name);
        (options.scale, options.scale_rule, options.force) = (scale.parse().unwrap(), rule, true);
        let report = quantize(&input, &output, &options).unwrap();
        let has_nan = format(name).nan_code().is_some();
        let mut lost = 0;
        let nearest = scale.ends_with("e4m3fn") && rule.is_none();
        let (element, found_shape) = kind(&output, "w.scale");
        assert_eq!(found_shape, scale_shape, "{name} {scale}");

        // The elements of each group, in the order of the scales.
        let mut members: Vec<Vec<usize>> = vec![vec![]; groups];
        let size = scale.strip_prefix("block:").map(|rest| {
            let size = rest.split(',').next().unwrap();
            let (rows, columns) = size.split_once('x').unwrap_or(("1", size));
            (rows.parse::<usize>().unwrap(), columns.parse::<usize>().unwrap())
        });
        for i in 0..values.len() {
            members[match (scale, size) {
                ("tensor", _) => 0,
                ("channel:0", _) => i / 10_000,
                ("channel:-1", _) => i % 100,
                (_, Some((rows, columns))) => {
                    let down = i / 10_000 * 100usize.div_ceil(rows) + i / 100 % 100 / rows;
                    down * 100usize.div_ceil(columns) + i % 100 / columns
                }
                _ => unreachable!(),
            }]
            .push(i);
        }
        let scale_bytes = bytes(&output, "w.scale");
        let width = element.bits().unwrap() as usize / 8;
        let kept = match element {
            ElementType::F32 => "f32",
            ElementType::F8E8M0 => "float8_e8m0fnu",
            ElementType::F8E4M3 => "float8_e4m3fn",
            ElementType::Bf16 => "bf16",
            other => panic!("{other}"),
        };
        let over = if scale.ends_with("e4m3fn") {
            let over = f32s(&bytes(&output, "w.tensor_scale"))[0] as f64;
            assert_eq!(report.tensors[0].tensor_scale, Some(over));
            // The smallest binary32 that bounds it, or the nearest.
            let bound = finite(&values) / (6.0 * 448.0);
            if nearest {
                assert_eq!(over, (bound as f32) as f64);
            } else {
                assert!(over >= bound && ((over as f32).next_down() as f64) < bound);
            }
            over
        } else {
            1.0
        };
        let codes = bytes(&output, "w");
        let how = Projection::new(
            Rounding::NearestEven,
            if kept == "float8_e8m0fnu" || nearest { Saturation::Finite } else { Saturation::Overflow },
        );
        let largest = value_of(name, format(name).max_finite_code());
        for (group, (members, code)) in members.iter().zip(scale_bytes.chunks(width)).enumerate() {
            let mut wide = [0; 8];
            wide[..width].copy_from_slice(code);
            let code = u64::from_le_bytes(wide);
            let own = value_of(kept, code);
            let scale = own * over;
            if !has_nan && members.iter().any(|&i| !values[i].is_finite()) {
                // The scale is NaN, and so are all its elements.
                assert!(own.is_nan(), "{name} {group}");
                lost += members.iter().filter(|&&i| values[i].is_finite()).count() as u64;
                continue;
            }
            let maximum = finite(&members.iter().map(|&i| values[i]).collect::<Vec<_>>());
            if kept == "float8_e8m0fnu" {
                assert_eq!(
                    scale,
                    2f64.powi(maximum.log2().floor() as i32 - format(name).emax()),
                    "{name} {group}"
                );
            } else if nearest {
                let quotient = maximum / (largest * over);
                let distance = |code: u64| (value_of(kept, code) - quotient).abs();
                assert!(
                    distance(code) <= distance(code - 1) && distance(code) <= distance((code + 1).min(0x7e))
                );
            } else {
                // The smallest scale of its format that leaves no element beyond the largest value.
                assert!(maximum / scale <= largest);
                let below = value_of(kept, code - 1) * over;
                assert!(maximum / below > largest, "{name} {group}");
            }
            for &i in members {
                let code = match name {
                    "float4_e2m1fn" => codes[i / 2] >> (4 * (i % 2)) & 15,
                    _ => codes[i],
                };
                let x =
                    if values[i].is_infinite() && !format(name).infinities() { f32::NAN } else { values[i] };
                assert_eq!(code as u64, quotient(name, x as f64, scale, how), "{name} {i}");
            }
        }
        assert_eq!(report.tensors[0].losses.lost, lost, "{name} {scale}");
    }
}

#[test]
fn zeros_have_the_scale_one() {
    let folder = Folder::new();
    let input = folder.npy_f32("x.npy", &[2, 2], &[0.0, -0.0, 0.0, 0.0]);
    for (scale, expected) in [
        ("tensor", 1f32.to_le_bytes().to_vec()),
        ("channel:0", [1f32.to_le_bytes(), 1f32.to_le_bytes()].concat()),
        ("block:2", vec![127, 127]),
        ("block:2,float8_e4m3fn", vec![0x38, 0x38]),
    ] {
        let mut options = options("float8_e4m3fn");
        (options.scale, options.force) = (scale.parse().unwrap(), true);
        let report = quantize(&input, &folder.path("y.npy"), &options).unwrap();
        assert_eq!(bytes(&folder.path("y.scale.npy"), ""), expected, "{scale}");
        assert_eq!(bytes(&folder.path("y.npy"), ""), [0, 0x80, 0, 0]);
        assert_eq!(report.total.mean_square, 0.0);
    }
}

/// Reading back the output equals `--simulate`.
#[test]
fn simulation_equals_decoded_codes() {
    let folder = Folder::new();
    let values: Vec<f64> = weights(70_000).iter().map(|&x| x as f64).collect();
    let narrow: Vec<f32> = values.iter().map(|&x| x as f32).collect();
    let sources: [(&str, ElementType, Vec<u8>); 4] = [
        ("f64", ElementType::F64, bytes_of_f64(&values)),
        ("f32", ElementType::F32, bytes_of_f32(&narrow)),
        ("f16", ElementType::F16, bytes_of("f16", &values)),
        ("bf16", ElementType::Bf16, bytes_of("bf16", &values)),
    ];
    for (source, element, data) in sources {
        let input = folder.safetensors(
            &format!("{source}.safetensors"),
            &[("w", element.clone(), &[700, 100], data)],
            &[],
        );
        for (name, scale) in [
            ("float8_e4m3fn", "none"),
            ("float8_e4m3fn", "channel:0"),
            ("float4_e2m1fn", "block:32"),
            ("cfloat8_1_5_2@bias=40", "none"),
            ("float4_e2m1fn", "block:16,float8_e4m3fn"),
            ("float8_e4m3fn", "block:32x32,f32"),
        ] {
            let mut options = options(name);
            (options.scale, options.force) = (scale.parse().unwrap(), true);
            let (codes, simulated) = (folder.path("c.safetensors"), folder.path("s.safetensors"));
            let report = quantize(&input, &codes, &options).unwrap();
            options.simulate = true;
            let again = quantize(&input, &simulated, &options).unwrap();
            assert_eq!(again.tensors[0].losses.mean_square, report.tensors[0].losses.mean_square);
            assert_eq!(kind(&simulated, "w"), (element.clone(), vec![700, 100]));
            assert_eq!(metadata(&simulated), []);

            let packed = bytes(&codes, "w");
            let own = |i: usize| match scale {
                "none" => 1.0,
                "channel:0" => f32s(&bytes(&codes, "w.scale"))[i / 100] as f64,
                "block:32x32,f32" => f32s(&bytes(&codes, "w.scale"))[i / 100 / 32 * 4 + i % 100 / 32] as f64,
                "block:32" => {
                    value_of("float8_e8m0fnu", bytes(&codes, "w.scale")[i / 100 * 4 + i % 100 / 32] as u64)
                }
                _ => {
                    value_of("float8_e4m3fn", bytes(&codes, "w.scale")[i / 100 * 7 + i % 100 / 16] as u64)
                        * f32s(&bytes(&codes, "w.tensor_scale"))[0] as f64
                }
            };
            let result = bytes(&simulated, "w");
            let width = element.bits().unwrap() as usize / 8;
            let how = Projection::new(Rounding::NearestEven, Saturation::Finite);
            for i in (0..values.len()).step_by(331).chain(0..40) {
                let code =
                    if name == "float4_e2m1fn" { packed[i / 2] >> (4 * (i % 2)) & 15 } else { packed[i] };
                let value = value_of(name, code as u64) * own(i);
                let expected = code_of(source, value, how).to_le_bytes();
                assert_eq!(
                    result[i * width..(i + 1) * width],
                    expected[..width],
                    "{source} {name} {scale} {i}"
                );
            }
        }
    }
}

#[test]
fn codes_do_not_depend_on_threads() {
    let folder = Folder::new();
    let values = weights(400_000);
    let tensors = [
        ("a", ElementType::F32, &[4000, 100][..], bytes_of_f32(&values)),
        ("b", ElementType::F32, &[300][..], bytes_of_f32(&values[..300])),
    ];
    let input = folder.safetensors("x.safetensors", &tensors, &[]);
    let stochastic = RoundingChoice::Stochastic { variant: Stochastic::A, bits: 32, seed: 3 };
    for (target, bias, scale, rounding) in [
        ("cfloat8_1_4_3", Some(BiasChoice::Auto), "none", RoundingChoice::Fixed(Rounding::NearestEven)),
        ("float8_e4m3fn", None, "block:32", stochastic),
        ("float8_e5m2", None, "none", stochastic),
        ("float8_e4m3fn", None, "tensor", stochastic),
        ("float6_e2m3fn", None, "block:16,float8_e4m3fn", RoundingChoice::Fixed(Rounding::NearestAway)),
        ("float8_e4m3fn", None, "channel:-1", RoundingChoice::Fixed(Rounding::ToOdd)),
        ("float8_e5m2", None, "block:48x64", stochastic),
    ] {
        let mut results = vec![];
        for threads in [1, 2, 7] {
            let mut options = options("bf16");
            options.target = Target::parse(target, bias).unwrap();
            options.scale = scale.parse().unwrap();
            (options.rounding, options.threads, options.force) = (rounding, Some(threads), true);
            let output = folder.path("y.safetensors");
            let report = quantize(&input, &output, &options).unwrap();
            results.push((std::fs::read(&output).unwrap(), serde_json::to_string(&report).unwrap()));
        }
        assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "{target} {scale}");
    }
}

#[test]
fn best_bias_of_each_tensor_is_found_and_noted() {
    let folder = Folder::new();
    let (small, large): (Vec<f32>, Vec<f32>) = weights(2000).iter().map(|x| (x * 1e-6, x * 100.0)).unzip();
    let tensors = [
        ("small", ElementType::F32, &[2000][..], bytes_of_f32(&small)),
        ("large", ElementType::F32, &[2000][..], bytes_of_f32(&large)),
    ];
    let input = folder.safetensors("x.safetensors", &tensors, &[]);
    let output = folder.path("y.safetensors");
    let mut options = options("bf16");
    options.target = Target::parse("cfloat8_1_4_3", Some(BiasChoice::Auto)).unwrap();
    let report = quantize(&input, &output, &options).unwrap();
    for tensor in &report.tensors {
        let (bias, search) = (tensor.bias.unwrap(), tensor.bias_search.as_ref().unwrap());
        assert_eq!(search.len(), 64);
        let least = search.iter().map(|one| one.mean_square).fold(f64::INFINITY, f64::min);
        assert_eq!(search[bias as usize].mean_square, least);
        // The loss of rounding equals the result of the search, up to the summation of the report.
        assert!((tensor.losses.mean_square / least - 1.0).abs() < 1e-12);
        let note = (format!("binade.format.{}", tensor.name), format!("cfloat8_1_4_3@bias={bias}"));
        assert!(metadata(&output).contains(&note));
    }
    assert!(report.tensors[0].bias > report.tensors[1].bias);
    // The same bias, given explicitly, produces the same codes.
    let mut fixed = common::options("bf16");
    fixed.target =
        Target::parse("cfloat8_1_4_3", Some(BiasChoice::Fixed(report.tensors[0].bias.unwrap()))).unwrap();
    quantize(&input, &folder.path("z.safetensors"), &fixed).unwrap();
    assert_eq!(bytes(&output, "small"), bytes(&folder.path("z.safetensors"), "small"));
}

#[test]
fn excluded_tensors_are_copied_and_reported() {
    let folder = Folder::new();
    let data = bytes_of_f32(&[1.25, 2.5]);
    let tensors = [
        ("a.weight", ElementType::F32, &[2][..], data.clone()),
        ("a.bias", ElementType::F32, &[2][..], data.clone()),
        ("b.weight", ElementType::F16, &[2][..], bytes_of("f16", &[1.25, 2.5])),
        ("steps", ElementType::I64, &[][..], vec![1, 2, 3, 4, 5, 6, 7, 8]),
        ("old.weight", ElementType::F8E4M3, &[2][..], vec![1, 2]),
    ];
    let input = folder.safetensors("x.safetensors", &tensors, &[]);
    let output = folder.path("y.safetensors");
    let mut options = options("float8_e5m2");
    (options.include, options.exclude) = (vec!["*.weight".to_owned()], vec!["b.*".to_owned()]);
    let report = quantize(&input, &output, &options).unwrap();
    let quantised: Vec<&str> = report.tensors.iter().map(|tensor| tensor.name.as_str()).collect();
    assert_eq!(quantised, ["a.weight", "old.weight"]);
    let copied: Vec<(&str, &str)> =
        report.copied.iter().map(|one| (one.name.as_str(), one.reason.as_str())).collect();
    assert_eq!(
        copied,
        [
            ("a.bias", "no include pattern matches its name"),
            ("b.weight", "an exclude pattern matches its name"),
            ("steps", "no include pattern matches its name"),
        ]
    );
    assert_eq!(bytes(&output, "a.weight"), [0x3d, 0x41]);
    assert_eq!(bytes(&output, "a.bias"), data);
    assert_eq!(bytes(&output, "steps"), [1, 2, 3, 4, 5, 6, 7, 8]);

    (options.include, options.exclude) = (vec![], vec![]);
    options.force = true;
    let report = quantize(&input, &output, &options).unwrap();
    let copied: Vec<(&str, &str)> =
        report.copied.iter().map(|one| (one.name.as_str(), one.reason.as_str())).collect();
    assert_eq!(
        copied,
        [
            ("steps", "elements of I64 are not floating-point numbers"),
            ("old.weight", "elements of F8_E4M3 are quantised only where an include pattern names them"),
        ]
    );
}

#[test]
fn scaled_tensors_are_not_quantised_again() {
    let folder = Folder::new();
    let input =
        folder.safetensors("x.safetensors", &[("w", ElementType::F32, &[2], bytes_of_f32(&[1.0, 3.0]))], &[]);
    let (once, twice) = (folder.path("y.safetensors"), folder.path("z.safetensors"));
    let mut options = options("float8_e4m3fn");
    options.scale = "tensor".parse().unwrap();
    quantize(&input, &once, &options).unwrap();
    let report = quantize(&once, &twice, &options).unwrap();
    let copied: Vec<(&str, &str)> =
        report.copied.iter().map(|one| (one.name.as_str(), one.reason.as_str())).collect();
    assert_eq!(
        copied,
        [("w", "it is quantised and scaled already"), ("w.scale", "it has the scales of 'w'")]
    );
    assert_eq!((metadata(&once), bytes(&once, "w")), (metadata(&twice), bytes(&twice, "w")));
}

#[test]
fn empty_tensors_and_scalars_are_quantised() {
    let folder = Folder::new();
    for scale in ["none", "tensor", "block:4", "block:4,float8_e4m3fn", "block:4x4"] {
        let mut options = options("float8_e4m3fn");
        (options.scale, options.force) = (scale.parse().unwrap(), true);
        let empty = folder.safetensors(
            &format!("e{}.safetensors", scale.len()),
            &[
                ("none", ElementType::F32, &[0, 3][..], vec![]),
                ("rows", ElementType::F32, &[3, 0][..], vec![]),
                ("one", ElementType::F32, &[][..], bytes_of_f32(&[0.5])),
            ],
            &[],
        );
        let output = folder.path("y.safetensors");
        let report = quantize(&empty, &output, &options).unwrap();
        assert_eq!(report.total.elements, 1);
        assert_eq!(kind(&output, "none"), (ElementType::F8E4M3, vec![0, 3]));
        assert_eq!(
            bytes(&output, "one"),
            [if scale == "none" {
                0x30
            } else if scale == "block:4" || scale == "block:4x4" {
                0x78
            } else {
                0x7e
            }]
        );
    }
    let mut auto = options("bf16");
    auto.target = Target::parse("shp", Some(BiasChoice::Auto)).unwrap();
    let input = folder.npy_f32("e.npy", &[0], &[]);
    let report = quantize(&input, &folder.path("f.npy"), &auto).unwrap();
    assert_eq!((report.tensors[0].bias, report.tensors[0].losses.elements), (Some(0), 0));
    let mut channel = options("float8_e4m3fn");
    channel.scale = "channel:1".parse().unwrap();
    let huge = folder.npy("h.npy", ElementType::F32, &[0, 1 << 50], &[]);
    assert!(matches!(quantize(&huge, &folder.path("g.npy"), &channel), Err(Error::Nothing { .. })));
}

#[test]
fn codes_of_ml_dtypes_are_read() {
    let folder = Folder::new();
    let bf16 = folder.npy("b.npy", ElementType::Raw(2), &[2], &bytes_of("bf16", &[1.0, -2.5]));
    quantize(&bf16, &folder.path("y.npy"), &options("float8_e5m2")).unwrap();
    assert_eq!(bytes(&folder.path("y.npy"), ""), [0x3c, 0xc1]);
    let raw = folder.npy("r.npy", ElementType::Raw(1), &[2], &[0x38, 0xbc]);
    let nameless = quantize(&raw, &folder.path("z.npy"), &options("float8_e5m2"));
    assert!(matches!(nameless, Err(Error::Nothing { .. })));
    let mut named = options("float8_e5m2");
    named.input_format = Some("float8_e4m3fn".parse().unwrap());
    quantize(&raw, &folder.path("z.npy"), &named).unwrap();
    assert_eq!(bytes(&folder.path("z.npy"), ""), [0x3c, 0xbe]);
    // A format that is narrower than the integers.
    named.input_format = Some("bf16".parse().unwrap());
    assert!(matches!(quantize(&raw, &folder.path("w.npy"), &named), Err(Error::Nothing { .. })));
}

/// Counts the reports, and cancels after this many bytes.
struct Watcher {
    total: AtomicU64,
    seen: AtomicU64,
    stop: u64,
}

impl Progress for Watcher {
    fn total(&self, bytes: u64) {
        self.total.store(bytes, Ordering::Relaxed);
    }
    fn advance(&self, bytes: u64, _: &str) {
        self.seen.fetch_add(bytes, Ordering::Relaxed);
    }
    fn cancelled(&self) -> bool {
        self.seen.load(Ordering::Relaxed) >= self.stop
    }
}

#[test]
fn progress_adds_up_and_cancelling_leaves_no_file() {
    let folder = Folder::new();
    let values = weights(300_000);
    let tensors = [
        ("w", ElementType::F32, &[3000, 100][..], bytes_of_f32(&values)),
        ("steps", ElementType::I64, &[][..], vec![0; 8]),
    ];
    let input = folder.safetensors("x.safetensors", &tensors, &[]);
    for (target, bias, scale) in [
        ("bf16", None, "none"),
        ("cfloat8_1_4_3", Some(BiasChoice::Auto), "none"),
        ("float8_e5m2", None, "channel:0"),
        ("float8_e5m2", None, "block:8"),
    ] {
        let mut options = options("bf16");
        options.target = Target::parse(target, bias).unwrap();
        (options.scale, options.force) = (scale.parse().unwrap(), true);
        let watcher = Watcher { total: 0.into(), seen: 0.into(), stop: u64::MAX };
        let output = folder.path("y.safetensors");
        run(&input, &output, &options, &watcher).unwrap();
        assert_eq!(watcher.total.into_inner(), watcher.seen.into_inner(), "{target} {scale}");
        std::fs::remove_file(&output).unwrap();
        for stop in [0, 500_000] {
            let watcher = Watcher { total: 0.into(), seen: 0.into(), stop };
            assert!(matches!(run(&input, &output, &options, &watcher), Err(Error::Cancelled)));
            assert_eq!(folder.names(), ["x.safetensors"]);
        }
    }
}

#[test]
fn errors_are_reported_and_leave_no_file() {
    let folder = Folder::new();
    let input = folder.safetensors(
        "x.safetensors",
        &[
            ("w", ElementType::F32, &[4][..], bytes_of_f32(&[1.0, 2.0, 3.0, 4.0])),
            ("w.scale", ElementType::F32, &[][..], bytes_of_f32(&[1.0])),
        ],
        &[],
    );
    let taken = folder.path("taken.safetensors");
    std::fs::write(&taken, "mine").unwrap();
    std::fs::write(folder.path("cut.safetensors"), &std::fs::read(&input).unwrap()[..100]).unwrap();
    let before = folder.names();
    let say = |input: &str, output: &str, change: &dyn Fn(&mut quantize::Options)| {
        let mut options = options("float8_e4m3fn");
        change(&mut options);
        let error = quantize(&folder.path(input), &folder.path(output), &options).unwrap_err();
        assert_eq!(folder.names(), before);
        error.to_string().replace(folder.path("").to_str().unwrap(), "")
    };
    let nothing = |_: &mut quantize::Options| {};
    assert_eq!(
        say("x.safetensors", "taken.safetensors", &nothing),
        "taken.safetensors: the file exists: use --force to replace it"
    );
    assert_eq!(std::fs::read(&taken).unwrap(), b"mine");
    assert_eq!(
        say("x.safetensors", "y.npy", &nothing),
        "y.npy: the name has another extension: the output is a .safetensors file"
    );
    assert!(say("missing.npy", "y.npy", &nothing).starts_with("missing.npy: cannot open: "));
    assert!(say("cut.safetensors", "y.safetensors", &nothing).contains("cut.safetensors: byte "));
    assert_eq!(
        say("x.safetensors", "y.safetensors", &|options| options.scale = "tensor".parse().unwrap()),
        "x.safetensors: the scales of the tensor 'w' need the name 'w.scale', which is taken"
    );
    assert_eq!(
        say("x.safetensors", "y.safetensors", &|options| {
            (options.scale, options.exclude) = ("channel:1".parse().unwrap(), vec!["*.scale".to_owned()]);
        }),
        "x.safetensors: the tensor 'w' has 1 axes, so channel:1 is out of range; exclude it or choose another scale"
    );
    assert_eq!(
        say("x.safetensors", "y.safetensors", &|options| options.include = vec!["a[".to_owned()]),
        "invalid pattern 'a[': unclosed character class; missing ']'"
    );
    assert_eq!(
        say("x.safetensors", "y.safetensors", &|options| options.include = vec!["v*".to_owned()]),
        "x.safetensors: no tensor to quantise: 'w': no include pattern matches its name; 'w.scale': no include pattern matches its name"
    );
    assert_eq!(
        say("x.safetensors", "y.safetensors", &|options| {
            options.target = Target::parse("shp", Some(BiasChoice::Auto)).unwrap();
            options.scale = "tensor".parse().unwrap();
        }),
        "bias auto and a scale exclude each other: choose bias auto with scale none, or a scale with a fixed bias"
    );
    assert_eq!(
        Target::parse("custom@width=24,precision=20", Some(BiasChoice::Auto)).unwrap_err().to_string(),
        "custom@width=24,precision=20: the bias search takes at most precision 12 and 8 exponent bits; name a bias"
    );
    assert!(
        Target::parse("float8_e4m3fn", Some(BiasChoice::Auto))
            .unwrap_err()
            .to_string()
            .contains("takes no option 'bias'")
    );
    assert!(
        Target::parse("shp@bias=3", Some(BiasChoice::Fixed(4)))
            .unwrap_err()
            .to_string()
            .contains("given twice")
    );
    assert!("best".parse::<BiasChoice>().is_err());
}

#[test]
fn notes_of_replaced_files_are_removed() {
    let folder = Folder::new();
    let input = folder.npy_f32("x.npy", &[2], &[1.0, 2.0]);
    let output = folder.path("y.npy");
    quantize(&input, &output, &options("float8_e4m3fn")).unwrap();
    let mut plain = options("f16");
    assert!(quantize(&input, &output, &plain).is_err());
    plain.force = true;
    quantize(&input, &output, &plain).unwrap();
    assert_eq!(folder.names(), ["x.npy", "y.npy"]);
}

/// Quantises with a choice among candidates.
fn chosen(
    input: &std::path::Path,
    output: &std::path::Path,
    candidates: &[&str],
    budget: Option<&str>,
) -> Result<(Report, Selection), Error> {
    let auto = Auto {
        candidates: candidates.iter().map(|text| text.parse().unwrap()).collect(),
        measure: ErrorMeasure::Mse,
        budget: budget.map(|budget| budget.parse().unwrap()),
    };
    run_auto(input, output, &options("f32"), &auto, &Silent)
}

#[test]
fn selected_formats_lose_what_was_measured_and_fit_the_budget() {
    let folder = Folder::new();
    // Without the special values at the beginning.
    let tensor = |count: usize, factor: f32| -> Vec<u8> {
        bytes_of_f32(&weights(40 + count)[40..].iter().map(|x| x * factor).collect::<Vec<f32>>())
    };
    let input = folder.safetensors(
        "x.safetensors",
        &[
            ("a", ElementType::F32, &[20, 64], tensor(1280, 1.0)),
            ("b", ElementType::F32, &[100], tensor(100, 100.0)),
            ("c", ElementType::F32, &[8, 48], tensor(384, 0.01)),
        ],
        &[],
    );
    let candidates =
        ["float4_e2m1fn/block:32", "float4_e2m1fn/block:16,float8_e4m3fn", "float8_e4m3fn/block:32", "keep"];
    let mut last = f64::INFINITY;
    for budget in ["4.5", "5.5", "7", "9", "32"] {
        let output = folder.path(&format!("{budget}.safetensors"));
        let (report, selection) = chosen(&input, &output, &candidates, Some(budget)).unwrap();
        assert!(selection.bits <= budget.parse::<f64>().unwrap() && selection.error <= last);
        last = selection.error;
        let losses = compare::run(&input, &output, &compare::Options::default(), &Silent).unwrap();
        for (row, chosen) in losses.tensors.iter().zip(&selection.tensors) {
            let measured = chosen.offered().unwrap().error;
            assert_eq!(row.name, chosen.names[0]);
            assert!((row.mean_square - measured).abs() <= 1e-12 * measured, "{budget} {}", row.name);
        }
        // The size of the file's tensors equals the report.
        let file = binade_files::Input::open(&output).unwrap();
        let bits: u64 = file.tensors().iter().map(|tensor| 8 * tensor.byte_len()).sum();
        assert_eq!(bits as f64 / selection.elements as f64, selection.bits, "{budget}");
        assert_eq!(report.tensors.len() + report.copied.len(), 3);
    }
    assert_eq!(last, 0.0);
}

#[test]
fn selected_formats_lose_no_elements() {
    let folder = Folder::new();
    let large = bytes_of_f32(&[1.0, 600.0, -3.0, 0.25]);
    let input = folder.safetensors("x.safetensors", &[("large", ElementType::F32, &[4], large)], &[]);
    // E4M3 has the smaller error in general, but 600 becomes NaN. A bias that is left open is searched for.
    let (report, _) =
        chosen(&input, &folder.path("y.safetensors"), &["float8_e4m3fn", "float8_e5m2"], None).unwrap();
    assert_eq!((&*report.tensors[0].target, report.tensors[0].losses.lost), ("float8_e5m2", 0));
    let (report, _) =
        chosen(&input, &folder.path("z.safetensors"), &["float8_e5m2", "cfloat8_1_4_3"], None).unwrap();
    assert!(report.tensors[0].target.starts_with("cfloat8_1_4_3@bias="), "{}", report.tensors[0].target);
    assert!(chosen(&input, &folder.path("n.safetensors"), &["float8_e4m3fn"], None).is_err());
    // Squares beyond binary64 have no error to compare.
    let huge = bytes_of_f64(&[1e200, -3e200]);
    let huge = folder.safetensors("huge.safetensors", &[("huge", ElementType::F64, &[2], huge)], &[]);
    let (report, _) =
        chosen(&huge, &folder.path("h.safetensors"), &["float8_e5m2/block:32", "keep"], Some("64")).unwrap();
    assert_eq!((report.tensors.len(), report.copied.len()), (0, 1));
    assert!("cfloat8_1_4_3/tensor".parse::<Candidate>().is_err());
    assert!(chosen(&input, &folder.path("n.safetensors"), &["bf16", "bf16"], None).is_err());
    assert!(chosen(&input, &folder.path("n.safetensors"), &["bf16", "keep"], None).is_err());
    assert!(!folder.path("n.safetensors").exists());
}

/// A block format by name gives blocks with the elements and scales of its definition.
#[test]
fn block_formats_by_name_equal_their_definition() {
    let folder = Folder::new();
    let (rows, columns) = (131, 150);
    let mut values = weights(rows * columns);
    // Zeros, blocks of zeros, and numbers far from one.
    values.iter_mut().for_each(|x| *x = if x.is_finite() { *x } else { 0.25 });
    values[200..330].fill(0.0);
    values[600..700].iter_mut().for_each(|x| *x *= 1e-6);
    let shape = [rows as u64, columns as u64];
    let tensor = || ("w", ElementType::F32, &shape[..], bytes_of_f32(&values));
    let input = folder.safetensors("x.safetensors", &[tensor()], &[]);
    let x: Vec<Datum> =
        values.iter().map(|x| Datum::new(format("f32"), x.to_bits() as u64).unwrap()).collect();
    let single = |name: &str, code: u64| value_of(name, code);
    for name in
        ["mxfp8_e4m3", "mxfp8_e5m2", "mxfp6_e3m2", "mxfp6_e2m3", "MXFP4", "mxint8", "deepseek_fp8", "nvfp4"]
    {
        for rule in [
            "",
            "@rule=rceil",
            "@rule=even",
            "@rule=ceil",
            "@rule=floor",
            "@rule=nearest",
            "@rule=max_abs_finite",
        ] {
            let text = format!("{name}{rule}");
            let blocks: BlockFormat = text.parse().unwrap();
            let output = folder.path("y.safetensors");
            let mut options = options(&text);
            options.force = true;
            let report = quantize(&input, &output, &options).unwrap();
            assert_eq!((&*report.format, report.saturation), (&*text.to_lowercase(), "finite"), "{text}");
            // NVFP4's scales are those of the tensor divided by its tensor scale: largest / 2688, to nearest.
            let largest = values.iter().fold(0f32, |m, x| m.max(x.abs())) as f64;
            let over = if name == "nvfp4" { (largest / 2688.0) as f32 as f64 } else { 1.0 };
            if name == "nvfp4" {
                assert_eq!(f32s(&bytes(&output, "w.tensor_scale")), [over as f32]);
            } else {
                assert_eq!(report.tensors[0].tensor_scale, None);
            }
            let own = blocks.scale.to_string();
            let own_bytes = blocks.scale.width() as usize / 8;
            let scales = bytes(&output, "w.scale");
            let scales: Vec<u64> = scales
                .chunks(own_bytes)
                .map(|bytes| bytes.iter().rev().fold(0, |code, byte| code << 8 | u64::from(*byte)))
                .collect();
            let codes = unpacked(&bytes(&output, "w"), blocks.element.width(), values.len());
            if name != "nvfp4" {
                let wanted = blocks.encode(&x, columns).unwrap();
                assert!(scales == wanted.scales, "{text}: scales");
                // P3109 has no -0; the definition gives 0.
                let magnitude = |code: u64| code & !blocks.element.grid().sign_bit();
                let same = |a: u64, b: u64| a == b || magnitude(a) == 0 && magnitude(b) == 0;
                let at = codes.iter().zip(&wanted.elements).position(|(&a, &b)| !same(a, b));
                assert_eq!(
                    at.map(|at| (at, values[at], codes[at], wanted.elements[at])),
                    None,
                    "{text}: elements"
                );
            } else {
                let across = columns.div_ceil(16);
                assert_eq!(scales.len(), rows * across);
                for (at, &scale) in scales.iter().enumerate() {
                    let (row, first) = (at / across, at % across * 16);
                    let block = row * columns + first..row * columns + (first + 16).min(columns);
                    let most = values[block.clone()].iter().fold(0f32, |m, x| m.max(x.abs())) as f64;
                    if rule.is_empty() || rule == "@rule=nearest" {
                        let zero = most == 0.0;
                        let wanted = if zero {
                            0x38
                        } else {
                            quotient(
                                &own,
                                most,
                                6.0 * over,
                                Projection::new(Rounding::NearestEven, Saturation::Max),
                            )
                            .max(1)
                        };
                        assert_eq!(scale, wanted, "{text}: scale {at}");
                    }
                    let by = single(&own, scale) * over;
                    for at in block {
                        let how = Projection::new(Rounding::NearestEven, Saturation::Max);
                        assert_eq!(
                            codes[at],
                            quotient("float4_e2m1fn", values[at] as f64, by, how),
                            "{text}: element {at}"
                        );
                    }
                }
            }
            // Reading back and simulating give the same numbers.
            let simulated = folder.path("z.safetensors");
            let simulate = quantize::Options { simulate: true, ..options.clone() };
            quantize(&input, &simulated, &simulate).unwrap();
            assert_eq!(kind(&simulated, "w"), (ElementType::F32, shape.to_vec()));
            let comparison =
                compare::run(&simulated, &output, &compare::Options::default(), &Silent).unwrap();
            // A product with a binary32 scale has 28 bits, and is rounded to binary32.
            let is_rounded = matches!(name, "nvfp4" | "deepseek_fp8");
            assert!(comparison.equal || is_rounded && comparison.tensors[0].max_relative < 1e-7, "{text}");
            // Other rules may waste the range of the elements.
            assert!(!rule.is_empty() || report.tensors[0].losses.sqnr_db > 17.0, "{text}");
        }
    }
    // The same in .npy files.
    let input = folder.npy_f32("x.npy", &shape, &values);
    quantize(&input, &folder.path("i.npy"), &options("mxint8")).unwrap();
    assert_eq!(kind(&folder.path("i.npy"), ""), (ElementType::I8, shape.to_vec()));
    let wanted = "mxint8".parse::<BlockFormat>().unwrap().encode(&x, columns).unwrap();
    assert!(bytes(&folder.path("i.npy"), "").iter().map(|&code| u64::from(code)).eq(wanted.elements));
    let read = compare::run(&input, &folder.path("i.npy"), &compare::Options::default(), &Silent).unwrap();
    assert!(read.tensors[0].sqnr_db > 35.0 && read.tensors[0].format_b == "mxint8", "{read:?}");
}

/// Codes of fewer than 8 bits are packed, the first in the lowest bits.
fn unpacked(bytes: &[u8], bits: u32, count: usize) -> Vec<u64> {
    let bit = |at: usize| u64::from(bytes[at / 8] >> (at % 8) & 1);
    let bits = bits as usize;
    (0..count).map(|i| (0..bits).fold(0, |code, at| code | bit(i * bits + at) << at)).collect()
}

#[test]
fn block_format_with_a_scale_is_refused() {
    let folder = Folder::new();
    let input = folder.npy_f32("x.npy", &[4], &[1.0, 2.0, 3.0, 4.0]);
    let mut scaled = options("mxfp4");
    scaled.scale = "tensor".parse().unwrap();
    let error = quantize(&input, &folder.path("y.npy"), &scaled).unwrap_err().to_string();
    assert!(error.starts_with("mxfp4 has its own scales: omit --scale"), "{error}");
    let error = Target::parse("nvfp4", Some(BiasChoice::Auto)).unwrap_err().to_string();
    assert!(error.contains("omit --bias"), "{error}");
    assert!(
        Target::parse("mxfp4@rule=up", None).unwrap_err().to_string().contains("unknown scale rule 'up'")
    );
    assert!(Target::parse("mxfp4@bias=1", None).is_err());
    let error = run(&folder.path(""), &folder.path("y"), &options("bf16"), &Silent).unwrap_err().to_string();
    assert!(error.contains("is a folder: --format takes") && error.contains("--layout NAME"), "{error}");
    assert_eq!(folder.names(), ["x.npy"]);
}

/// A budget of a candidate's nominal size allows it, although the tensor scale takes a little more.
#[test]
fn budget_of_a_block_format_allows_it() {
    let folder = Folder::new();
    let tensor = |seed: usize| bytes_of_f32(&weights(40 + seed + 1024)[40 + seed..]);
    let tensors =
        [("a", ElementType::F32, &[16, 64][..], tensor(0)), ("b", ElementType::F32, &[16, 64], tensor(7))];
    let input = folder.safetensors("x.safetensors", &tensors, &[]);
    let candidates = ["mxfp4", "nvfp4", "keep"];
    let (report, selection) =
        chosen(&input, &folder.path("y.safetensors"), &candidates, Some("4.5bits")).unwrap();
    assert!(report.tensors.iter().all(|tensor| tensor.scale == "block:16,float8_e4m3fn"));
    let raised = selection.raised.unwrap();
    assert_eq!((&*raised.candidate, raised.nominal, raised.bits), ("nvfp4", 4.5, 4.53125));
    assert_eq!(selection.bits, 4.53125);
    let (_, selection) = chosen(&input, &folder.path("z.safetensors"), &candidates, Some("4.49")).unwrap();
    assert!(selection.raised.is_none() && selection.bits <= 4.49);
    let error =
        chosen(&input, &folder.path("n.safetensors"), &["nvfp4"], Some("4.49")).unwrap_err().to_string();
    assert!(error.contains("the smallest candidates take 4.5312"), "{error}");
}

/// Squares beyond binary64 do not affect ratios.
#[test]
fn losses_of_large_and_small_numbers_are_finite() {
    let folder = Folder::new();
    let ordinary: Vec<f64> = weights(300)[40..].iter().map(|x| *x as f64).collect();
    let by = |factor: f64| bytes_of_f64(&ordinary.iter().map(|x| x * factor).collect::<Vec<_>>());
    let shape = &[ordinary.len() as u64][..];
    let mut ratios = vec![];
    for factor in [1.0, 2f64.powi(1000), 2f64.powi(-900)] {
        let _ = std::fs::remove_file(folder.path("x.safetensors"));
        let tensors = [
            ("a", ElementType::F64, shape, by(factor)),
            ("one", ElementType::F64, &[1][..], bytes_of_f64(&[1.1 * factor])),
        ];
        let input = folder.safetensors("x.safetensors", &tensors, &[]);
        let output = folder.path("y.safetensors");
        // Exponents as wide as binary64's, so that scales do not matter.
        let mut options = options("custom@width=16,precision=5,bias=1023,nan=ieee,infinities=yes");
        options.force = true;
        let report = quantize(&input, &output, &options).unwrap();
        let row = compare::run(&input, &output, &compare::Options::default(), &Silent)
            .unwrap()
            .tensors
            .swap_remove(0);
        assert_eq!(row.sqnr_db, report.tensors[0].losses.sqnr_db);
        ratios.push([report.total.sqnr_db, row.sqnr_db, row.cosine, row.max_relative]);
        assert!(report.total.max_abs > 0.0 && report.total.max_abs.is_finite());
    }
    for ratios in ratios.windows(2) {
        for (a, b) in ratios[0].iter().zip(&ratios[1]) {
            assert!((a - b).abs() <= 1e-9 * a.abs(), "{ratios:?}");
        }
    }
    let mixed = bytes_of_f64(&[1e300, 1.0, 2.0]);
    let input = folder.safetensors("m.safetensors", &[("m", ElementType::F64, &[3], mixed)], &[]);
    let report = quantize(&input, &folder.path("n.safetensors"), &options("float8_e5m2")).unwrap();
    assert!(!report.total.sqnr_db.is_nan());
}

/// NaN and infinities never become numbers. E8M0's NaN expresses them if elements have none.
#[test]
fn infinite_and_nan_elements_of_blocks_are_nan_in_files() {
    for special in [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let folder = Folder::new();
        let mut values = vec![1.0f32; 200_000];
        (values[65_535], values[65_540]) = (special, 3.0);
        let input = folder.npy_f32("x.npy", &[200_000], &values);
        for (name, scale) in [
            ("float4_e2m1fn", "block:32"),
            ("float4_e2m1fn", "block:16,float8_e4m3fn"),
            ("float8_e4m3fn", "block:32"),
            ("float8_e4m3fn", "tensor"),
            ("float4_e2m1fn", "tensor"),
        ] {
            let mut options = options(name);
            (options.scale, options.force, options.simulate) = (scale.parse().unwrap(), true, true);
            let report = quantize(&input, &folder.path("y.npy"), &options).unwrap();
            let found = f32s(&bytes(&folder.path("y.npy"), ""));
            let block = match (name, scale) {
                ("float8_e4m3fn", _) => 65_535..65_536,
                (_, "tensor") => 0..200_000,
                (_, "block:32") => 65_504..65_536,
                _ => 65_520..65_536,
            };
            for (at, x) in found.iter().enumerate() {
                assert_eq!(x.is_nan(), block.contains(&at), "{name} {scale} {special} {at}");
            }
            let losses = &report.tensors[0].losses;
            assert_eq!((losses.not_finite, losses.from_nan, losses.nan), (1, 0, block.len() as u64));
            options.simulate = false;
            quantize(&input, &folder.path("z.npy"), &options).unwrap();
            if (name, scale) == ("float4_e2m1fn", "block:32") {
                assert_eq!(bytes(&folder.path("z.scale.npy"), "")[2047], 0xff);
                assert!(bytes(&folder.path("z.npy"), "")[65_504..65_536].iter().all(|&code| code == 0));
            }
        }
        let mut options = options("float4_e2m1fn");
        let without = "custom@width=8,precision=4,bias=7,infinities=no,nan=none,negative_zero=no";
        (options.scale, options.force) = (format!("block:32,{without}").parse().unwrap(), true);
        let error = quantize(&input, &folder.path("y.npy"), &options).unwrap_err().to_string();
        assert!(
            error.starts_with("element 65535 of the array is not finite: neither float4_e2m1fn"),
            "{error}"
        );
    }
}
