//! Compares sums of products with their definitions, written as loops over indices.

use std::sync::Arc;

use binade_simd::Isa;
use binade_stablehlo::Quantized;
use binade_stablehlo::ir::{Convolution, DotAlgorithm, DotDimensions};

use super::*;
use crate::linear::{convolution, dot_general};
use crate::machine::expect::to_f64;

fn iota(element: &ElementType, shape: &[usize]) -> Tensor {
    let length: usize = shape.iter().product();
    let values = (0..length).map(|i| ((i * 37 + 11) % 17) as f64 - 8.0).collect();
    let wide = Tensor::new(F64, shape.to_vec(), Data::F64(values));
    Tensor::new(element.clone(), shape.to_vec(), convert(&wide, element).unwrap())
}

fn vector_dot() -> DotDimensions {
    DotDimensions { lhs_contracting: vec![0], rhs_contracting: vec![0], ..DotDimensions::default() }
}

/// The example of the dot algorithm's RFC: 1280 in every type of accumulation.
#[test]
fn the_rfcs_dot_product() {
    let element = ElementType::Float(FloatType::F8E5M2FNUZ);
    let numbers: Vec<f64> = (0..16).map(f64::from).collect();
    let wide = Tensor::new(F64, vec![16], Data::F64(numbers));
    let x = Tensor::new(element.clone(), vec![16], convert(&wide, &element).unwrap());
    let rounded = [0., 1., 2., 3., 4., 5., 6., 7., 8., 8., 10., 12., 12., 12., 14., 16.];
    assert_eq!(to_f64(&x).unwrap(), rounded);
    for in_order in [false, true] {
        let arithmetic = Arithmetic { in_order, ..Arithmetic::default() };
        let dot = dot_general(&x, &x, &vector_dot(), None, &element, arithmetic).unwrap();
        assert_eq!(to_f64(&dot).unwrap(), [1280.0], "in order: {in_order}");
    }
}

/// Covers every layout of batching, free and contracting dimensions of 2·3·4·5 elements, on every kind of element.
#[test]
fn dimensions_in_any_order() {
    let i8 = ElementType::Integer { signed: true, width: 8 };
    let cases: [(ElementType, ElementType); 9] = [
        (F32, F32),
        (F64, F64),
        (ElementType::Float(FloatType::Bf16), F32),
        (ElementType::Float(FloatType::F8E4M3FN), ElementType::Float(FloatType::F8E4M3FN)),
        (i8.clone(), I32),
        (i8.clone(), i8),
        (
            ElementType::Integer { signed: false, width: 64 },
            ElementType::Integer { signed: false, width: 64 },
        ),
        (ElementType::Complex(FloatType::F32), ElementType::Complex(FloatType::F32)),
        (ElementType::Complex(FloatType::F64), ElementType::Complex(FloatType::F64)),
    ];
    // Batch b = 2, contracting j = 3 and k = 4, free m = 5 and n = 3 (twice).
    let (lhs_names, rhs_names) = (["bmjk", "jbkm", "kmjb", "mbkj"], ["bjkn", "nkbj", "kbnj"]);
    let size = |name: char| match name {
        'b' => 2,
        'j' => 3,
        'k' => 4,
        'm' => 5,
        _ => 3,
    };
    for (element, result) in &cases {
        for l in lhs_names {
            for r in rhs_names {
                let shape = |names: &str| names.chars().map(size).collect::<Vec<_>>();
                let (lhs, rhs) = (iota(element, &shape(l)), iota(element, &shape(r)));
                let at = |names: &str, name| names.find(name).unwrap();
                let dimensions = DotDimensions {
                    lhs_batching: vec![at(l, 'b')],
                    rhs_batching: vec![at(r, 'b')],
                    lhs_contracting: vec![at(l, 'j'), at(l, 'k')],
                    rhs_contracting: vec![at(r, 'j'), at(r, 'k')],
                };
                let (x, y) = (to_f64(&lhs).unwrap(), to_f64(&rhs).unwrap());
                let place = |names: &str, index: &dyn Fn(char) -> usize| {
                    names.chars().fold(0, |place, name| place * size(name) + index(name))
                };
                let mut expected = vec![];
                for b in 0..2 {
                    for m in 0..5 {
                        for n in 0..3 {
                            let mut sum = 0.0;
                            for j in 0..3 {
                                for k in 0..4 {
                                    let index = |name| match name {
                                        'b' => b,
                                        'm' => m,
                                        'n' => n,
                                        'j' => j,
                                        _ => k,
                                    };
                                    sum += x[place(l, &index)] * y[place(r, &index)];
                                }
                            }
                            expected.push(sum);
                        }
                    }
                }
                let wide = Tensor::new(F64, vec![2, 5, 3], Data::F64(expected));
                let through = match result {
                    ElementType::Integer { .. } => {
                        convert(&Tensor::new(I64, vec![2, 5, 3], convert(&wide, &I64).unwrap()), result)
                    }
                    _ => convert(&wide, result),
                };
                let expected = to_f64(&Tensor::new(result.clone(), vec![2, 5, 3], through.unwrap())).unwrap();
                let dot = dot_general(&lhs, &rhs, &dimensions, None, result, Arithmetic::default()).unwrap();
                assert_eq!(dot.shape, [2, 5, 3]);
                assert_eq!(to_f64(&dot).unwrap(), expected, "{element} {l} {r}");
            }
        }
    }
}

/// `reference` rounds every step, `wide` once.
#[test]
fn semantics_differ_where_they_should() {
    let element = ElementType::Float(FloatType::Bf16);
    // 256 + 1 + 1 + …: in bf16 every sum is 256 again.
    let values: Vec<f64> = [256.0].into_iter().chain([1.0; 64]).collect();
    let tensor = |values: Vec<f64>| {
        let wide = Tensor::new(F64, vec![values.len()], Data::F64(values));
        Tensor::new(element.clone(), wide.shape.clone(), convert(&wide, &element).unwrap())
    };
    let (x, ones) = (tensor(values), tensor(vec![1.0; 65]));
    let dot = |in_order| {
        let arithmetic = Arithmetic { in_order, ..Arithmetic::default() };
        to_f64(&dot_general(&x, &ones, &vector_dot(), None, &element, arithmetic).unwrap()).unwrap()
    };
    assert_eq!((dot(true), dot(false)), (vec![256.0], vec![320.0]));
}

/// Compares every coded type, in both semantics, with the scalar definition in binary64 steps.
#[test]
fn every_narrow_type_in_both_semantics() {
    for (float, name) in FloatType::ALL {
        if !float.is_coded() {
            continue;
        }
        let element = ElementType::Float(float);
        let last = float.format().last_code();
        let codes = |seed: u64| -> Vec<u64> { (0..35).map(|i| (i * 0x9e37 + seed * 77) & last).collect() };
        let tensor = |codes: &[u64], shape: Vec<usize>| {
            let data = if float.is_byte() {
                Data::U8(codes.iter().map(|&code| code as u8).collect())
            } else {
                Data::U16(codes.iter().map(|&code| code as u16).collect())
            };
            Tensor::new(element.clone(), shape, data)
        };
        let finite = |codes: Vec<u64>| -> Vec<u64> {
            codes.into_iter().map(|code| if float.value(code).is_finite() { code } else { 1 }).collect()
        };
        let (a, b) = (finite(codes(1)), finite(codes(2)));
        let (lhs, rhs) = (tensor(&a, vec![5, 7]), tensor(&b, vec![7, 5]));
        let dimensions =
            DotDimensions { lhs_contracting: vec![1], rhs_contracting: vec![0], ..DotDimensions::default() };
        for in_order in [false, true] {
            let arithmetic = Arithmetic { in_order, ..Arithmetic::default() };
            let product = dot_general(&lhs, &rhs, &dimensions, None, &element, arithmetic).unwrap();
            let product = to_f64(&product).unwrap();
            for i in 0..5 {
                for j in 0..5 {
                    let mut sum = 0.0f64;
                    let mut fused = 0.0f32;
                    for k in 0..7 {
                        let (x, y) = (float.value(a[i * 7 + k]), float.value(b[k * 5 + j]));
                        sum = float.round(sum + float.round(x * y));
                        fused = libm::fmaf(x as f32, y as f32, fused);
                    }
                    let expected = if in_order { sum } else { float.round(fused as f64) };
                    let given = product[i * 5 + j];
                    assert!(
                        given == expected || given.is_nan() && expected.is_nan(),
                        "{name} in order {in_order} at {i},{j}: {given:e} for {expected:e}"
                    );
                }
            }
        }
    }
}

fn algorithm(precision: FloatType, accumulation: FloatType, operations: usize) -> DotAlgorithm {
    DotAlgorithm {
        lhs_precision: ElementType::Float(precision),
        rhs_precision: ElementType::Float(precision),
        accumulation: ElementType::Float(accumulation),
        lhs_components: 1,
        rhs_components: 1,
        primitive_operations: operations,
        allow_imprecise_accumulation: false,
    }
}

#[test]
fn algorithms_keep_the_bits_that_they_promise() {
    let values = |seed: usize| -> Vec<f32> {
        (0..64).map(|i| ((i * 7919 + seed * 104_729) % 1009) as f32 / 1009.0 + 0.001).collect()
    };
    let (x, y) = (values(1), values(2));
    let tensor = |values: &[f32]| Tensor::new(F32, vec![64], Data::F32(values.to_vec()));
    let exact: f64 = x.iter().zip(&y).map(|(&x, &y)| x as f64 * y as f64).sum();
    let error = |algorithm: DotAlgorithm| {
        let arithmetic = Arithmetic::default();
        let dot = dot_general(&tensor(&x), &tensor(&y), &vector_dot(), Some(&algorithm), &F32, arithmetic);
        (to_f64(&dot.unwrap()).unwrap()[0] / exact - 1.0).abs()
    };
    let bf16 = |operations| error(algorithm(FloatType::Bf16, FloatType::F32, operations));
    assert!(bf16(1) > 1e-5 && bf16(1) < 1e-2);
    assert!(bf16(3) < 2e-5 && bf16(6) < 2e-6 && bf16(9) < 2e-6);
    assert!(bf16(3) < bf16(1));
    assert!(error(algorithm(FloatType::Tf32, FloatType::F32, 1)) < 1e-3);
    assert!(error(algorithm(FloatType::Tf32, FloatType::F32, 3)) < 2e-6);
    assert!(error(algorithm(FloatType::F32, FloatType::F64, 1)) < 1e-7);
    // An accumulator of binary16 loses more than one of binary32.
    assert!(
        error(algorithm(FloatType::F16, FloatType::F16, 1))
            > error(algorithm(FloatType::F16, FloatType::F32, 1))
    );
    let infinite = Tensor::new(F32, vec![2], Data::F32(vec![f32::INFINITY, 1.0]));
    let six = algorithm(FloatType::Bf16, FloatType::F32, 6);
    let dot = dot_general(
        &infinite,
        &tensor(&[1.1; 64][..]).clone(),
        &vector_dot(),
        Some(&six),
        &F32,
        Arithmetic::default(),
    );
    assert!(dot.is_err());
    let two = Tensor::new(F32, vec![2], Data::F32(vec![1.1, 2.0]));
    let dot = dot_general(&infinite, &two, &vector_dot(), Some(&six), &F32, Arithmetic::default()).unwrap();
    assert_eq!(to_f64(&dot).unwrap(), [f64::INFINITY]);
}

#[test]
fn operators_of_rules_come_first() {
    let x = iota(&F32, &[9]);
    let multiplier = Multiplier::new("bf16:bf16".parse().unwrap(), Order::Sequential).unwrap();
    let arithmetic = Arithmetic { multiplier: Some(&multiplier), ..Arithmetic::default() };
    let dot = dot_general(&x, &x, &vector_dot(), None, &F32, arithmetic).unwrap();
    let Data::F32(values) = &*x.data else { panic!("binary32") };
    let expected = binade_fma::reference::dot(multiplier.operator(), Order::Sequential, values, values, 0.0);
    assert_eq!(to_f64(&dot).unwrap(), [expected as f64]);
}

/// Compares with the definition of blocks: numbers are encoded in blocks along the contracted dimension and decoded,
/// and sums are exact.
#[test]
fn rules_in_blocks_encode_along_the_contracted_dimension() {
    let (batch, rows, depth, columns) = (2, 3, 40, 5);
    let lhs = iota(&F32, &[batch, depth, rows]);
    let rhs = iota(&F32, &[columns, batch, depth]);
    let dimensions = DotDimensions {
        lhs_batching: vec![0],
        rhs_batching: vec![1],
        lhs_contracting: vec![1],
        rhs_contracting: vec![2],
    };
    let values = |tensor: &Tensor| to_f64(tensor).unwrap();
    let (a, b) = (values(&lhs), values(&rhs));
    for name in ["mxfp4", "mxfp6_e3m2", "mxfp8_e5m2", "mxint8"] {
        let format: binade::block::BlockFormat = name.parse().unwrap();
        let decoded = |numbers: &[f64]| -> Vec<f64> {
            let datum = |x: &f64| binade::Datum::new(binade::catalog::F64, x.to_bits()).unwrap();
            let numbers: Vec<_> = numbers.iter().map(datum).collect();
            let blocks = format.encode(&numbers, depth).unwrap();
            let back = format.decode(&blocks, binade::catalog::F64, Default::default()).unwrap();
            back.iter().map(|x| f64::from_bits(x.code)).collect()
        };
        let (blocks, operator) = binade_fma::in_blocks(&format!("{name}:f32")).unwrap().unwrap();
        let product = QuantizedProduct::new(blocks.quantizers(), operator, Order::Sequential).unwrap();
        let arithmetic = Arithmetic { blocks: Some(&product), ..Arithmetic::default() };
        let found = dot_general(&lhs, &rhs, &dimensions, None, &F32, arithmetic).unwrap();
        assert_eq!(found.shape, [batch, rows, columns]);
        let mut expected = vec![];
        for i in 0..batch {
            for row in 0..rows {
                let left: Vec<f64> = (0..depth).map(|k| a[(i * depth + k) * rows + row]).collect();
                for column in 0..columns {
                    let right = &b[(column * batch + i) * depth..][..depth];
                    let pairs = decoded(&left).into_iter().zip(decoded(right));
                    expected.push(pairs.map(|(x, y)| x * y).sum::<f64>());
                }
            }
        }
        assert_eq!(values(&found), expected, "{name}");
    }
}

#[test]
fn quantized_products_go_through_their_numbers() {
    let element = |scale: f64, zero: i64| {
        ElementType::Quantized(Arc::new(Quantized {
            storage: ElementType::Integer { signed: true, width: 8 },
            storage_min: -128,
            storage_max: 127,
            expressed: FloatType::F32,
            axis: None,
            scales: vec![scale],
            zero_points: vec![zero],
        }))
    };
    let x = Tensor::new(element(0.5, 1), vec![3], Data::I8(vec![3, 5, -7]));
    let y = Tensor::new(element(0.25, 0), vec![3], Data::I8(vec![4, 8, 2]));
    // 1·1 + 2·2 − 4·0.5 = 3.
    let dot = dot_general(&x, &y, &vector_dot(), None, &element(0.5, -2), Arithmetic::default()).unwrap();
    assert!(matches!(&*dot.data, Data::I8(codes) if codes == &[4]));
    let hybrid = Tensor::new(F32, vec![3], Data::F32(vec![1.0, 2.0, -4.0]));
    let dot = dot_general(&hybrid, &y, &vector_dot(), None, &F32, Arithmetic::default()).unwrap();
    assert!(matches!(&*dot.data, Data::F32(sums) if sums == &[3.0]));
}

/// A convolution by its definition: sums over kernel positions and features, with zeros as padding.
fn defined(lhs: &Tensor, rhs: &Tensor, a: &Convolution) -> (Vec<usize>, Vec<f64>) {
    let (x, w) = (to_f64(lhs).unwrap(), to_f64(rhs).unwrap());
    let space = a.input_spatial.len();
    let (xs, ws) = (strides(&lhs.shape), strides(&rhs.shape));
    let (batch, features) = (lhs.shape[a.input_batch], rhs.shape[a.kernel_input_feature]);
    let outputs = rhs.shape[a.kernel_output_feature];
    let mut shape = vec![0; space + 2];
    shape[a.output_batch] = batch / a.batch_groups;
    shape[a.output_feature] = outputs;
    for d in 0..space {
        let input = (lhs.shape[a.input_spatial[d]] as i64 - 1) * a.lhs_dilation[d] as i64 + 1;
        let kernel = (rhs.shape[a.kernel_spatial[d]] as i64 - 1) * a.rhs_dilation[d] as i64 + 1;
        let room = input + a.padding[d].0 + a.padding[d].1 - kernel;
        shape[a.output_spatial[d]] = (room / a.window_strides[d] as i64 + 1) as usize;
    }
    let steps = strides(&shape);
    let taps: usize = a.kernel_spatial.iter().map(|&d| rhs.shape[d]).product();
    let values = (0..shape.iter().product::<usize>()).map(|place| {
        let index = |d: usize| place / steps[d] % shape[d];
        let (n, o) = (index(a.output_batch), index(a.output_feature));
        let group = o / (outputs / (a.feature_groups * a.batch_groups));
        let image = if a.batch_groups > 1 { group * (batch / a.batch_groups) + n } else { n };
        let first = if a.feature_groups > 1 { group * features } else { 0 };
        let mut sum = 0.0;
        for feature in 0..features {
            'taps: for tap in 0..taps {
                let mut from = image * xs[a.input_batch] + (first + feature) * xs[a.input_feature];
                let mut of = o * ws[a.kernel_output_feature] + feature * ws[a.kernel_input_feature];
                let mut left = tap;
                for d in (0..space).rev() {
                    let size = rhs.shape[a.kernel_spatial[d]];
                    let t = left % size;
                    left /= size;
                    let at = (index(a.output_spatial[d]) * a.window_strides[d] + t * a.rhs_dilation[d])
                        as i64
                        - a.padding[d].0;
                    let by = a.lhs_dilation[d] as i64;
                    if at < 0 || at % by != 0 || at / by >= lhs.shape[a.input_spatial[d]] as i64 {
                        continue 'taps;
                    }
                    from += (at / by) as usize * xs[a.input_spatial[d]];
                    of += if a.window_reversal[d] { size - 1 - t } else { t } * ws[a.kernel_spatial[d]];
                }
                sum += x[from] * w[of];
            }
        }
        sum
    });
    let values = values.collect();
    (shape, values)
}

/// A convolution of batch, height, width, features, with kernels of height, width, input features, output features.
fn plain() -> Convolution {
    Convolution {
        window_strides: vec![1, 1],
        padding: vec![(0, 0), (0, 0)],
        lhs_dilation: vec![1, 1],
        rhs_dilation: vec![1, 1],
        window_reversal: vec![false, false],
        input_batch: 0,
        input_feature: 3,
        input_spatial: vec![1, 2],
        kernel_input_feature: 2,
        kernel_output_feature: 3,
        kernel_spatial: vec![0, 1],
        output_batch: 0,
        output_feature: 3,
        output_spatial: vec![1, 2],
        feature_groups: 1,
        batch_groups: 1,
    }
}

#[test]
fn convolutions_of_every_attribute() {
    let plain = plain();
    let variants = [
        plain.clone(),
        Convolution { window_strides: vec![2, 1], padding: vec![(1, 2), (0, 1)], ..plain.clone() },
        Convolution { lhs_dilation: vec![2, 3], padding: vec![(2, 1), (1, 1)], ..plain.clone() },
        Convolution { rhs_dilation: vec![2, 1], window_reversal: vec![true, false], ..plain.clone() },
        Convolution { padding: vec![(-1, 2), (1, -2)], ..plain.clone() },
        Convolution { padding: vec![(-1, 0), (0, -1)], lhs_dilation: vec![2, 2], ..plain.clone() },
        Convolution { batch_groups: 2, ..plain.clone() },
        Convolution { output_batch: 2, output_spatial: vec![3, 0], output_feature: 1, ..plain.clone() },
    ];
    let i32 = I32;
    let types = [F32, F64, i32, ElementType::Complex(FloatType::F32), ElementType::Float(FloatType::Bf16)];
    for element in types {
        for attributes in &variants {
            let (lhs, rhs) = (iota(&element, &[4, 6, 7, 4]), iota(&element, &[3, 2, 4, 6]));
            let (shape, expected) = defined(&lhs, &rhs, attributes);
            let wide = Tensor::new(F64, shape.clone(), Data::F64(expected));
            let expected =
                to_f64(&Tensor::new(element.clone(), shape.clone(), convert(&wide, &element).unwrap()))
                    .unwrap();
            let given = convolution(&lhs, &rhs, attributes, &element, Arithmetic::default()).unwrap();
            assert_eq!(given.shape, shape, "{attributes:?}");
            assert_eq!(to_f64(&given).unwrap(), expected, "{element} {attributes:?}");
        }
        let grouped = Convolution { feature_groups: 2, ..plain.clone() };
        let (lhs, rhs) = (iota(&element, &[2, 5, 5, 4]), iota(&element, &[3, 3, 2, 6]));
        let (shape, expected) = defined(&lhs, &rhs, &grouped);
        let given = convolution(&lhs, &rhs, &grouped, &F64, Arithmetic::default());
        match element {
            ElementType::Float(_) => assert_eq!(to_f64(&given.unwrap()).unwrap(), expected, "{shape:?}"),
            _ => drop(given),
        }
    }
}

#[test]
fn one_and_three_dimensions() {
    for space in [0, 1, 3] {
        let attributes = Convolution {
            window_strides: vec![2; space],
            padding: vec![(1, 0); space],
            lhs_dilation: vec![1; space],
            rhs_dilation: vec![1; space],
            window_reversal: vec![false; space],
            input_batch: 0,
            input_feature: 1,
            input_spatial: (2..space + 2).collect(),
            kernel_input_feature: 1,
            kernel_output_feature: 0,
            kernel_spatial: (2..space + 2).collect(),
            output_batch: 0,
            output_feature: 1,
            output_spatial: (2..space + 2).collect(),
            feature_groups: 1,
            batch_groups: 1,
        };
        let shape =
            |first: usize, second: usize, size: usize| [&[first, second][..], &vec![size; space]].concat();
        let (lhs, rhs) = (iota(&F32, &shape(2, 3, 5)), iota(&F32, &shape(4, 3, 2)));
        let (shape, expected) = defined(&lhs, &rhs, &attributes);
        let given = convolution(&lhs, &rhs, &attributes, &F32, Arithmetic::default()).unwrap();
        assert_eq!((given.shape.clone(), to_f64(&given).unwrap()), (shape, expected), "{space} dimensions");
    }
}

/// Pseudorandom numbers of an element type, with extreme values among them.
fn extremes(element: &ElementType, shape: &[usize], seed: usize) -> Tensor {
    let ElementType::Integer { signed, width } = *element else { panic!("{element}") };
    let least = if signed { -(1i128 << (width - 1)) } else { 0 };
    let numbers = (0..shape.iter().product::<usize>()).map(|i| {
        let x = (i + seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 7;
        let offset = match x % 5 {
            0 => 0,
            1 => (1i128 << width) - 1,
            _ => (x as i128 >> 3) & ((1 << width) - 1),
        };
        (least + offset) as i64
    });
    let wide = Tensor::new(I64, shape.to_vec(), Data::I64(numbers.collect()));
    Tensor::new(element.clone(), shape.to_vec(), convert(&wide, element).unwrap())
}

/// Compares products of integers of every width with sums modulo 2^64. Depths include more products than binary32 adds
/// exactly, the tails of blocks, and zero.
#[test]
fn integers_are_summed_exactly() {
    let integer = |signed, width| ElementType::Integer { signed, width };
    let cases = [
        (integer(true, 8), integer(true, 8), I32),
        (integer(false, 8), integer(false, 8), I32),
        (integer(true, 8), integer(false, 8), integer(false, 16)),
        (integer(true, 4), integer(true, 2), integer(true, 8)),
        (integer(true, 8), integer(true, 8), I64),
        (integer(true, 16), integer(true, 16), I32),
        (I32, I32, I32),
        (I64, I64, I64),
    ];
    let sizes = [(1, 1, 1), (5, 2500, 3), (9, 70, 67), (4, 1030, 64), (3, 0, 4), (0, 5, 3), (2, 5, 0)];
    let all = |element: &ElementType, tensor: &Tensor| {
        let wide = convert(&Tensor { element: element.clone(), ..tensor.clone() }, &I64).unwrap();
        let Data::I64(numbers) = wide else { panic!("{element}") };
        numbers
    };
    for (left, right, result) in &cases {
        for (rows, depth, columns) in sizes {
            for transposed in [false, true] {
                let a = extremes(left, &[rows, depth], 1);
                let shape = if transposed { [columns, depth] } else { [depth, columns] };
                let b = extremes(right, &shape, 2);
                let dimensions = DotDimensions {
                    lhs_contracting: vec![1],
                    rhs_contracting: vec![usize::from(transposed)],
                    ..DotDimensions::default()
                };
                let (x, y) = (all(left, &a), all(right, &b));
                let mut sums = vec![0i64; rows * columns];
                for row in 0..rows {
                    for column in 0..columns {
                        for at in 0..depth {
                            let place = if transposed { column * depth + at } else { at * columns + column };
                            let product = x[row * depth + at].wrapping_mul(y[place]);
                            let sum = &mut sums[row * columns + column];
                            *sum = sum.wrapping_add(product);
                        }
                    }
                }
                let sums = Tensor::new(I64, vec![rows, columns], Data::I64(sums));
                let expected = convert(&sums, result).unwrap();
                let given = dot_general(&a, &b, &dimensions, None, result, Arithmetic::default()).unwrap();
                let expected = Tensor::new(result.clone(), vec![rows, columns], expected);
                assert_eq!(
                    all(result, &given),
                    all(result, &expected),
                    "{left} {right} {rows} {depth} {columns}"
                );
            }
        }
    }
}

/// A convolution of bytes in binary32 equals the one in integers.
#[test]
fn bytes_are_convolved_exactly() {
    let i8 = ElementType::Integer { signed: true, width: 8 };
    for (features, side) in [(3, 5), (120, 4)] {
        let (lhs, rhs) =
            (extremes(&i8, &[2, side, side, features], 3), extremes(&i8, &[3, 3, features, 4], 4));
        let attributes = Convolution {
            window_strides: vec![1, 2],
            padding: vec![(1, 1), (0, 2)],
            window_reversal: vec![false, true],
            ..plain()
        };
        let of = |element: &ElementType| {
            let to = |x: &Tensor| Tensor::new(element.clone(), x.shape.clone(), convert(x, element).unwrap());
            convolution(&to(&lhs), &to(&rhs), &attributes, &I32, Arithmetic::default()).unwrap()
        };
        let (bytes, words) = (of(&i8), of(&I32));
        assert_eq!(to_f64(&bytes).unwrap(), to_f64(&words).unwrap());
    }
}

/// Sums are in index order for every instruction set, also in rows and columns that do not fill a tile.
#[test]
fn rows_of_products_of_any_size_on_every_leg_are_sums_in_index_order() {
    fn check<T: Stored + std::fmt::Debug>(number: impl Fn(u64) -> T, step: impl Fn(T, T, T) -> T + Copy) {
        for isa in Isa::available() {
            for columns in [1, 3, 15, 16, 17, 31, 32, 33, 64, 70] {
                for (rows, depth) in [(1, 1), (4, 0), (4, 1), (4, 5), (5, 3), (8, 2), (11, 7)] {
                    let made = |seed: u64, count: usize| -> Vec<T> {
                        (0..count as u64).map(|at| number(seed << 32 | at)).collect()
                    };
                    let (a, b) = (made(1, rows * depth), made(2, depth * columns));
                    let before = made(3, rows * columns);
                    let mut c = before.clone();
                    isa.run(Block { columns, a: &a, b: &b, c: &mut c, step });
                    for (at, (made, sum)) in c.iter().zip(before).enumerate() {
                        let (row, column) = (at / columns, at % columns);
                        let sum = (0..depth)
                            .fold(sum, |sum, k| step(sum, a[row * depth + k], b[k * columns + column]));
                        assert_eq!(*made, sum, "{isa}: {rows} × {depth} × {columns}, {row}, {column}");
                    }
                }
            }
        }
    }
    let word = |at: u64| i64::from(binade::philox::word(at >> 32, at & 0xffff_ffff) as i32);
    let float = |at: u64| word(at) as f64 / 65536.0;
    check(|at| word(at) as i32, |c: i32, a, b| c.wrapping_add(a.wrapping_mul(b)));
    check(|at| word(at) << 20, |c: i64, a, b| c.wrapping_add(a.wrapping_mul(b)));
    check(float, |c: f64, a, b| c - a * b);
    check(|at| float(at) as f32, |c: f32, a, b| c + a * b);
    let complex =
        |[c, d]: [f64; 2], [a, b]: [f64; 2], [x, y]: [f64; 2]| [c + (a * x - b * y), d + (a * y + b * x)];
    check(|at| [float(at), float(at + (1 << 20))], complex);
}
