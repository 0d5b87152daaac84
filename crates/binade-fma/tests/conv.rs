//! Convolutions against loops written from their definition.

use binade::Operator;
use binade::philox::Stream;
use binade_fma::{Convolution, Multiplier, Order, reference};
use binade_simd::Isa;

fn numbers(random: &mut Stream, count: usize, special: bool) -> Vec<f32> {
    let mut number = || match random.below(40) {
        0 if special => [f32::NAN, f32::INFINITY, -0.0, 1e-40, 3e38][random.below(5)],
        1 => [0.0, -0.0][random.below(2)],
        _ => (random.word() >> 8) as f32 / (1 << 20) as f32 - 2.0,
    };
    (0..count).map(|_| number()).collect()
}

fn same(x: &[f32], y: &[f32], what: &str) {
    for (i, (x, y)) in x.iter().zip(y).enumerate() {
        assert!(
            x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan(),
            "{what}: element {i} is {x:e}, should be {y:e}"
        );
    }
}

/// The elements a and b of every sum, in order: for the output, the input's gradient and the weight's.
fn sums(
    shape: &Convolution,
    input: &[f32],
    weight: &[f32],
    output: &[f32],
) -> [Vec<(Vec<f32>, Vec<f32>)>; 3] {
    let [oh, ow] = shape.output().unwrap();
    let [h, w] = shape.input;
    let [kh, kw] = shape.kernel;
    let (ci, co) = (shape.input_channels / shape.groups, shape.output_channels / shape.groups);
    // The element of the padded input under kernel element k at output place o.
    let under = |axis: usize, o: usize, k: usize| {
        let i = (o * shape.stride[axis] + k * shape.dilation[axis]) as isize - shape.padding[axis].0 as isize;
        (i >= 0 && i < shape.input[axis] as isize).then_some(i as usize)
    };
    let weight_at = |o: usize, i: usize, y: usize, x: usize| weight[((o * ci + i) * kh + y) * kw + x];
    let input_at = |n: usize, c: usize, y: Option<usize>, x: Option<usize>| match (y, x) {
        (Some(y), Some(x)) => input[((n * shape.input_channels + c) * h + y) * w + x],
        _ => 0.0,
    };
    let output_at =
        |n: usize, c: usize, y: usize, x: usize| output[((n * shape.output_channels + c) * oh + y) * ow + x];
    let mut all = [vec![], vec![], vec![]];
    for n in 0..shape.batch {
        for o in 0..shape.output_channels {
            for (y, x) in (0..oh * ow).map(|at| (at / ow, at % ow)) {
                let mut sum = (vec![], vec![]);
                for i in 0..ci {
                    for (ky, kx) in (0..kh * kw).map(|at| (at / kw, at % kw)) {
                        sum.0.push(weight_at(o, i, ky, kx));
                        sum.1.push(input_at(n, o / co * ci + i, under(0, y, ky), under(1, x, kx)));
                    }
                }
                all[0].push(sum);
            }
        }
        for i in 0..shape.input_channels {
            for (y, x) in (0..h * w).map(|at| (at / w, at % w)) {
                let mut sum = (vec![], vec![]);
                for o in i / ci * co..(i / ci + 1) * co {
                    for (ky, kx) in (0..kh * kw).map(|at| (at / kw, at % kw)) {
                        let from = |axis: usize, places: usize, at: usize, k: usize| {
                            (0..places).find(|&place| under(axis, place, k) == Some(at))
                        };
                        sum.0.push(weight_at(o, i % ci, ky, kx));
                        sum.1.push(match (from(0, oh, y, ky), from(1, ow, x, kx)) {
                            (Some(oy), Some(ox)) => output_at(n, o, oy, ox),
                            _ => 0.0,
                        });
                    }
                }
                all[1].push(sum);
            }
        }
    }
    for o in 0..shape.output_channels {
        for i in 0..ci {
            for (ky, kx) in (0..kh * kw).map(|at| (at / kw, at % kw)) {
                let mut sum = (vec![], vec![]);
                for n in 0..shape.batch {
                    for (y, x) in (0..oh * ow).map(|at| (at / ow, at % ow)) {
                        sum.0.push(output_at(n, o, y, x));
                        sum.1.push(input_at(n, o / co * ci + i, under(0, y, ky), under(1, x, kx)));
                    }
                }
                all[2].push(sum);
            }
        }
    }
    all
}

fn shapes() -> Vec<Convolution> {
    let plain = Convolution::new(2, 3, 5, [7, 6], [3, 2]);
    vec![
        plain,
        Convolution { padding: [(1, 2), (3, 0)], ..plain },
        Convolution { stride: [2, 3], padding: [(1, 1), (0, 2)], ..plain },
        Convolution { dilation: [2, 3], padding: [(2, 2), (3, 3)], ..plain },
        Convolution {
            input_channels: 4,
            output_channels: 6,
            groups: 2,
            stride: [1, 2],
            padding: [(1, 1); 2],
            ..plain
        },
        Convolution {
            input_channels: 3,
            output_channels: 3,
            groups: 3,
            stride: [3, 1],
            dilation: [1, 2],
            ..plain
        },
        Convolution { kernel: [1, 1], ..plain },
        Convolution { kernel: [9, 9], ..plain },
        Convolution { batch: 0, ..plain },
        Convolution { input: [0, 4], padding: [(2, 2); 2], ..plain },
        // Wider than a tile's columns, deeper than one of its steps.
        Convolution::new(1, 2, 3, [5, 41], [2, 3]),
    ]
}

#[test]
fn convolutions_of_all_shapes_equal_plain_loops() {
    let mut random = Stream::new(11);
    for operator in ["f32:f32", "bf16:bf16", "bf16x2:bf16x2/3", "float8_e4m3fn:bf16", "f16:f16"] {
        let operator: Operator = operator.parse().unwrap();
        for (number, shape) in shapes().into_iter().enumerate() {
            let order: Order = ["sequential", "blocked:4", "pairwise", "aligned:16,14", "exact", "lanes:3"]
                [number % 6]
                .parse()
                .unwrap();
            let [input, weight, output] = shape.lengths().unwrap();
            let special = number % 2 == 1;
            let [input, weight, output] =
                [input, weight, output].map(|length| numbers(&mut random, length, special));
            let sums = sums(&shape, &input, &weight, &output);
            let wanted = |which: usize, start: &[f32]| -> Vec<f32> {
                sums[which]
                    .iter()
                    .zip(start)
                    .map(|((a, b), &c)| reference::dot(&operator, order, a, b, c))
                    .collect()
            };
            let wanted = [wanted(0, &output), wanted(1, &input), wanted(2, &weight)];
            for isa in Isa::available() {
                for threads in [1, 2] {
                    let multiplier =
                        Multiplier::new(operator.clone(), order).unwrap().with_isa(isa).with_threads(threads);
                    let what = format!("{operator} {order} {isa} {threads} threads {shape:?}");
                    let mut got = output.clone();
                    shape.forward(&multiplier, &input, &weight, &mut got).unwrap();
                    same(&got, &wanted[0], &format!("forward {what}"));
                    let mut got = input.clone();
                    shape.input_gradient(&multiplier, &output, &weight, &mut got).unwrap();
                    same(&got, &wanted[1], &format!("input gradient {what}"));
                    let mut got = weight.clone();
                    shape.weight_gradient(&multiplier, &input, &output, &mut got).unwrap();
                    same(&got, &wanted[2], &format!("weight gradient {what}"));
                }
            }
        }
    }
}

#[test]
fn convolutions_of_invalid_shapes_are_errors() {
    let plain = Convolution::new(1, 4, 4, [5, 5], [3, 3]);
    for wrong in [
        Convolution { groups: 0, ..plain },
        Convolution { groups: 3, ..plain },
        Convolution { stride: [1, 0], ..plain },
        Convolution { dilation: [0, 1], ..plain },
        Convolution { kernel: [0, 3], ..plain },
        Convolution { padding: [(usize::MAX, 1), (0, 0)], ..plain },
        Convolution { batch: usize::MAX, ..plain },
    ] {
        assert!(wrong.lengths().is_err(), "{wrong:?}");
    }
    let multiplier = Multiplier::new("f32:f32".parse().unwrap(), Order::Sequential).unwrap();
    let error = plain.forward(&multiplier, &[0.0; 100], &[0.0; 144], &mut [0.0; 35]).unwrap_err();
    assert_eq!(error.to_string(), "the output's length must be 36: got 35");
    assert_eq!(Convolution { kernel: [6, 6], ..plain }.output(), Ok([0, 0]));
}

/// The gradient of the weight accumulates over images that were rounded before.
#[test]
fn weight_gradients_over_many_images_equal_plain_loops() {
    let shape = Convolution::new(3, 1, 1, [300, 500], [1, 1]);
    let mut random = Stream::new(77);
    let [input, weight, output] = shape.lengths().unwrap().map(|count| numbers(&mut random, count, false));
    let orders = ["sequential", "blocked:1000"];
    for operator in ["float8_e4m3fn:f32", "float8_e5m2:bf16", "binary8p3se:binary16p11se", "f16:bf16"] {
        for order in orders.map(|order| order.parse::<Order>().unwrap()) {
            let operator: Operator = operator.parse().unwrap();
            let multiplier = Multiplier::new(operator.clone(), order).unwrap().with_threads(2);
            let mut got = weight.clone();
            shape.weight_gradient(&multiplier, &input, &output, &mut got).unwrap();
            let wanted = [reference::dot(&operator, order, &output, &input, weight[0])];
            same(&got, &wanted, &format!("{operator} {order}"));
        }
    }
}
