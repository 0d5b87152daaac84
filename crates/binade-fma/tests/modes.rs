//! Products and convolutions whose accumulator is rounded by a mode, stochastic ones above all: every instruction set
//! and number of threads against the definition, and sums without bias.

use binade::philox::{Stream, stream};
use binade::{Operator, Rounding, SumDraws};
use binade_fma::{Convolution, Matrix, MatrixMut, Multiplier, Order, reference};
use binade_simd::Isa;

/// The numbers of a test.
#[derive(Clone, Copy, Debug)]
enum Numbers {
    /// Near 1, some zeros.
    Tame,
    /// Integers, whose sums cancel.
    Small,
    /// Exponents over the whole range, subnormal numbers too, with infinities and NaN.
    Special,
}

fn number(random: &mut Stream, numbers: Numbers) -> f32 {
    let sign = (random.below(2) as u32) << 31;
    let fraction = random.below(1 << 23) as u32;
    let with_exponent = |field: usize| f32::from_bits(sign | (field as u32) << 23 | fraction);
    match (numbers, random.below(12)) {
        (_, 0) => f32::from_bits(sign),
        (Numbers::Special, 1) => {
            [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MAX, 1.0, 1.0][random.below(6)]
        }
        (Numbers::Tame, _) => with_exponent(120 + random.below(10)),
        (Numbers::Small, _) => random.below(7) as f32 - 3.0,
        (Numbers::Special, 2..6) => with_exponent(random.below(255)),
        (Numbers::Special, 6) => with_exponent(0),
        (Numbers::Special, _) => with_exponent(110 + random.below(34)),
    }
}

fn same(x: f32, y: f32) -> bool {
    x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan()
}

fn multiplier(operator: &Operator, order: Order, isa: Isa, threads: usize, draws: SumDraws) -> Multiplier {
    let multiplier = Multiplier::new(operator.clone(), order).unwrap();
    multiplier.with_isa(isa).with_threads(threads).with_draws(draws)
}

/// Compares a product with the definition on every leg and with one, two and three threads.
fn compare(text: &str, order: Order, sizes: [usize; 3], numbers: Numbers, seed: u64) {
    let operator: Operator = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    let mut random = Stream::new(seed);
    let [rows, columns, depth] = sizes;
    let mut matrix =
        |count: usize| -> Vec<f32> { (0..count).map(|_| number(&mut random, numbers)).collect() };
    let (a, b, c) = (matrix(rows * depth), matrix(depth * columns), matrix(rows * columns));
    let of_a = Matrix::new(&a, rows, depth).unwrap();
    let of_b = Matrix::new(&b, depth, columns).unwrap();
    let draws = SumDraws::new(stream(seed, &[1, 2])).at(seed, 3, 5);
    let mut expected = c.clone();
    let target = MatrixMut::new(&mut expected, rows, columns).unwrap();
    reference::gemm_drawn(&operator, order, &draws, of_a, of_b, target).unwrap();
    for (isa, threads) in Isa::available().zip((1..=3).cycle()) {
        let multiplier = multiplier(&operator, order, isa, threads, draws);
        let mut found = c.clone();
        multiplier.multiply(of_a, of_b, MatrixMut::new(&mut found, rows, columns).unwrap()).unwrap();
        for (at, (x, y)) in found.iter().zip(&expected).enumerate() {
            assert!(
                same(*x, *y),
                "{text} {order} {sizes:?} {numbers:?} {isa:?} seed {seed}, element {at}: {x:e}, defined as {y:e}"
            );
        }
    }
}

const MODES: [&str; 12] = [
    "nearest_away",
    "toward_positive",
    "toward_negative",
    "toward_zero",
    "to_odd",
    "stochastic",
    "stochastic_b",
    "stochastic_c",
    "stochastic_a:3",
    "stochastic_b:1",
    "stochastic_c:11",
    "random",
];

#[test]
fn products_in_every_mode_equal_the_definition() {
    for (seed, mode) in MODES.iter().enumerate() {
        for formats in [
            "bf16:bf16",
            "f32:bf16",
            "f16:f16",
            "bf16:f32",
            "float8_e4m3fn:float8_e4m3fn",
            "float8_e5m2:float8_e4m3fnuz",
            "bf16:float8_e5m2",
            "shp@bias=31:binary16p8sf",
            "bf16:cfloat8_1_4_3@bias=10",
            "tf32:tf32",
            "float4_e2m1fn:float6_e2m3fn",
        ] {
            for (numbers, sizes) in [
                (Numbers::Tame, [5, 19, 37]),
                (Numbers::Small, [17, 33, 12]),
                (Numbers::Special, [3, 40, 6]),
                (Numbers::Special, [16, 16, 1]),
            ] {
                compare(
                    &format!("{formats}/rounding={mode}"),
                    Order::Sequential,
                    sizes,
                    numbers,
                    seed as u64,
                );
            }
        }
    }
}

#[test]
fn long_products_take_words_by_their_place() {
    // Beyond the depth, rows and columns that are packed at once.
    compare("bf16:bf16/rounding=stochastic", Order::Sequential, [2, 3, 2500], Numbers::Tame, 1);
    compare("f16:f16/rounding=stochastic_c:7", Order::Sequential, [1, 2, 1100], Numbers::Tame, 2);
    compare("bf16:bf16/rounding=stochastic", Order::Sequential, [70, 90, 3], Numbers::Tame, 3);
}

#[test]
fn other_orders_equal_the_definition() {
    for order in ["pairwise", "blocked:5", "lanes:4", "exact", "aligned:8,12"] {
        for mode in ["stochastic", "toward_zero", "toward_negative"] {
            for numbers in [Numbers::Tame, Numbers::Small] {
                let text = format!("bf16:bf16/rounding={mode}");
                compare(&text, order.parse().unwrap(), [3, 5, 23], numbers, 4);
            }
        }
    }
}

#[test]
fn deterministic_modes_have_vector_code() {
    for isa in Isa::available() {
        for mode in MODES {
            let operator: Operator = format!("bf16:bf16/rounding={mode}").parse().unwrap();
            assert!(Multiplier::new(operator, Order::Sequential).unwrap().with_isa(isa).is_fast(), "{mode}");
        }
    }
}

#[test]
fn batches_and_gathered_rows_take_the_words_of_their_elements() {
    let operator: Operator = "bf16:bf16/rounding=stochastic".parse().unwrap();
    let mut random = Stream::new(6);
    let mut matrix =
        |count: usize| -> Vec<f32> { (0..count).map(|_| number(&mut random, Numbers::Tame)).collect() };
    let (batch, rows, columns, depth) = (5, 4, 18, 9);
    let (a, b) = (matrix(batch * rows * depth), matrix(batch * depth * columns));
    let of_a: Vec<_> = a.chunks(rows * depth).map(|a| Matrix::new(a, rows, depth).unwrap()).collect();
    let of_b: Vec<_> = b.chunks(depth * columns).map(|b| Matrix::new(b, depth, columns).unwrap()).collect();
    let draws = SumDraws::new(77);
    let mut expected = vec![0.0; batch * rows * columns];
    for (number, c) in expected.chunks_mut(rows * columns).enumerate() {
        let draws = draws.at((number * rows) as u64, (number * columns) as u64, 0);
        let target = MatrixMut::new(c, rows, columns).unwrap();
        reference::gemm_drawn(&operator, Order::Sequential, &draws, of_a[number], of_b[number], target)
            .unwrap();
    }
    for (isa, threads) in Isa::available().zip((1..=3).cycle()) {
        let multiplier = multiplier(&operator, Order::Sequential, isa, threads, draws);
        let mut found = vec![1.0; expected.len()];
        let targets = found.chunks_mut(rows * columns).map(|c| MatrixMut::new(c, rows, columns).unwrap());
        multiplier.product_batch(&of_a, &of_b, targets.collect()).unwrap();
        assert_eq!(found, expected, "{isa:?}");
        // The first product again, with A's elements at offsets.
        let row_offsets: Vec<usize> = (0..rows).map(|row| row * depth).collect();
        let depths: Vec<usize> = (0..depth).collect();
        let offsets = binade_fma::Offsets { data: &a, rows: &row_offsets, depths: &depths };
        let mut gathered = vec![1.0; rows * columns];
        multiplier.product_offsets(offsets, &b[..depth * columns], columns, &mut gathered).unwrap();
        assert_eq!(gathered, expected[..rows * columns], "{isa:?}");
    }
}

/// The words of convolutions' elements, by products over the tensors written out.
#[test]
fn convolutions_take_the_words_of_their_elements() {
    let operator: Operator = "bf16:bf16/rounding=stochastic".parse().unwrap();
    let shape = Convolution {
        groups: 2,
        padding: [(1, 0), (1, 1)],
        stride: [1, 2],
        ..Convolution::new(3, 4, 6, [5, 6], [3, 2])
    };
    let [of_input, of_weight, of_output] = shape.lengths().unwrap();
    let [height, width] = shape.output().unwrap();
    let mut random = Stream::new(8);
    let mut tensor =
        |count: usize| -> Vec<f32> { (0..count).map(|_| number(&mut random, Numbers::Tame)).collect() };
    let (input, weight, output) = (tensor(of_input), tensor(of_weight), tensor(of_output));
    let (inputs, outputs, [rows, columns]) = (2, 3, shape.kernel);
    // The input element under a kernel element, for a place of the output.
    let under = |image: usize, channel: usize, [y, x]: [usize; 2], [i, j]: [usize; 2]| -> Option<usize> {
        let row = (y * shape.stride[0] + i).checked_sub(shape.padding[0].0)?;
        let column = (x * shape.stride[1] + j).checked_sub(shape.padding[1].0)?;
        (row < shape.input[0] && column < shape.input[1])
            .then_some(((image * 4 + channel) * shape.input[0] + row) * shape.input[1] + column)
    };
    let draws = SumDraws::new(9);
    let dot = |row: usize, column: usize, a: &[f32], b: &[f32]| {
        let draws = draws.at(row as u64, column as u64, 0);
        reference::dot_drawn(&operator, Order::Sequential, &draws, a, b, 0.0)
    };
    let taps: Vec<[usize; 2]> = (0..rows).flat_map(|i| (0..columns).map(move |j| [i, j])).collect();
    let places: Vec<[usize; 2]> = (0..height).flat_map(|y| (0..width).map(move |x| [y, x])).collect();
    let weight_at = |out: usize, channel: usize, [i, j]: [usize; 2]| {
        weight[((out * inputs + channel) * rows + i) * columns + j]
    };
    let mut forward = vec![];
    for image in 0..3 {
        for out in 0..6 {
            for (at, place) in places.iter().enumerate() {
                let (mut a, mut b) = (vec![], vec![]);
                for channel in 0..inputs {
                    for tap in &taps {
                        a.push(weight_at(out, channel, *tap));
                        let element = under(image, out / outputs * inputs + channel, *place, *tap);
                        b.push(element.map_or(0.0, |element| input[element]));
                    }
                }
                forward.push(dot(out, image * places.len() + at, &a, &b));
            }
        }
    }
    let mut of_weights = vec![];
    for out in 0..6 {
        for channel in 0..inputs {
            for (tap, at) in taps.iter().zip(channel * taps.len()..) {
                let (mut a, mut b) = (vec![], vec![]);
                for image in 0..3 {
                    for (place, number) in places.iter().zip(0..) {
                        a.push(output[(image * 6 + out) * places.len() + number]);
                        let element = under(image, out / outputs * inputs + channel, *place, *tap);
                        b.push(element.map_or(0.0, |element| input[element]));
                    }
                }
                of_weights.push(dot(out, at, &a, &b));
            }
        }
    }
    let area = shape.input[0] * shape.input[1];
    let mut of_inputs = vec![];
    for image in 0..3 {
        for channel in 0..4 {
            for at in 0..area {
                let (mut a, mut b) = (vec![], vec![]);
                for out in 0..outputs {
                    let out = channel / inputs * outputs + out;
                    for tap in &taps {
                        a.push(weight_at(out, channel % inputs, *tap));
                        let element = (image * 4 + channel) * area + at;
                        let place = places
                            .iter()
                            .position(|place| under(image, channel, *place, *tap) == Some(element));
                        b.push(place.map_or(0.0, |place| output[(image * 6 + out) * places.len() + place]));
                    }
                }
                of_inputs.push(dot(channel, image * area + at, &a, &b));
            }
        }
    }
    for (isa, threads) in Isa::available().flat_map(|isa| [(isa, 1), (isa, 2), (isa, 4)]) {
        let multiplier = multiplier(&operator, Order::Sequential, isa, threads, draws);
        let (mut y, mut dx, mut dw) = (vec![0.0; of_output], vec![0.0; of_input], vec![0.0; of_weight]);
        shape.forward(&multiplier, &input, &weight, &mut y).unwrap();
        assert_eq!(y, forward, "{isa:?}");
        shape.weight_gradient(&multiplier, &input, &output, &mut dw).unwrap();
        assert_eq!(dw, of_weights, "{isa:?}");
        shape.input_gradient(&multiplier, &output, &weight, &mut dx).unwrap();
        assert_eq!(dx, of_inputs, "{isa:?}");
    }
}

/// The mean of sums over many keys, less the exact sum, in standard errors.
fn bias(sums: &[f32], exact: f64) -> f64 {
    let count = sums.len() as f64;
    let mean = sums.iter().map(|&x| f64::from(x)).sum::<f64>() / count;
    let variance = sums.iter().map(|&x| (f64::from(x) - mean).powi(2)).sum::<f64>() / (count - 1.0);
    assert!(variance > 0.0);
    (mean - exact) / (variance / count).sqrt()
}

#[test]
fn stochastic_products_have_no_bias() {
    let mut random = Stream::new(10);
    let depth = 200;
    let bf16 = |x: f32| f32::from_bits(x.to_bits() & 0xffff_0000);
    let a: Vec<f32> = (0..depth).map(|_| bf16(1.0 + random.unit() / 2.0)).collect();
    let b: Vec<f32> = (0..depth).map(|_| bf16(random.unit())).collect();
    let exact: f64 = a.iter().zip(&b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
    for (formats, mode) in [
        ("bf16:bf16", "stochastic"),
        ("bf16:bf16", "stochastic_b"),
        ("bf16:bf16", "stochastic_c"),
        ("bf16:bf16", "stochastic_a:16"),
        ("bf16:bf16", "stochastic_c:12"),
        ("bf16:f16", "stochastic"),
        ("f32:shp@bias=15", "stochastic"),
        ("f32:float8_e4m3fn", "stochastic"),
    ] {
        let operator: Operator = format!("{formats}/rounding={mode}").parse().unwrap();
        // Every element of the result is the same sum with other words.
        let (rows, columns) = (60, 50);
        let left: Vec<f32> = a.iter().copied().cycle().take(rows * depth).collect();
        let right: Vec<f32> = b.iter().flat_map(|&b| [b; 50]).collect();
        let of_a = Matrix::new(&left, rows, depth).unwrap();
        let of_b = Matrix::new(&right, depth, columns).unwrap();
        let check = |sums: &[f32], path: &str| {
            let bias = bias(sums, exact);
            assert!(bias.abs() < 5.0, "{formats} {mode} {path}: {bias}");
        };
        for isa in Isa::available() {
            let mut sums = vec![0.0; rows * columns];
            let multiplier = multiplier(&operator, Order::Sequential, isa, 1, SumDraws::new(11));
            let target = MatrixMut::new(&mut sums, rows, columns).unwrap();
            multiplier.product(of_a, of_b, target).unwrap();
            check(&sums, &format!("{isa:?}"));
        }
        // One step after the other, without vectors.
        let draws = SumDraws::new(11);
        let sums: Vec<f32> = (0..3000)
            .map(|at| {
                let draws = draws.at(at / 50, at % 50, 0);
                reference::dot_drawn(&operator, Order::Sequential, &draws, &a, &b, 0.0)
            })
            .collect();
        check(&sums, "scalar");
    }
}

#[test]
fn stochastic_convolutions_have_no_bias() {
    let operator: Operator = "bf16:bf16/rounding=stochastic".parse().unwrap();
    let shape = Convolution::new(40, 6, 50, [3, 3], [3, 3]);
    let kernel: Vec<f32> = (0..54).map(|at| (at % 7) as f32 / 8.0 + 1.0078125).collect();
    let image: Vec<f32> = (0..54).map(|at| (at % 5) as f32 / 4.0 - 0.25).collect();
    let exact: f64 = kernel.iter().zip(&image).map(|(x, y)| f64::from(x * y)).sum();
    let (weight, input) = (kernel.repeat(50), image.repeat(40));
    for isa in Isa::available() {
        let mut sums = vec![0.0; 40 * 50];
        let multiplier = multiplier(&operator, Order::Sequential, isa, 1, SumDraws::new(12));
        shape.forward(&multiplier, &input, &weight, &mut sums).unwrap();
        assert!(bias(&sums, exact).abs() < 5.0, "{isa:?}: {}", bias(&sums, exact));
    }
}

/// 10^5 numbers of 2^−10: the sum is 97.65625. To nearest, 0.25 + 2^−10 is 0.25.
#[test]
fn stochastic_sums_of_small_numbers_do_not_stall() {
    let ones = vec![1.0; 100_000];
    let small = vec![2f32.powi(-10); 100_000];
    let sum = |text: &str, key| {
        let multiplier =
            multiplier(&text.parse().unwrap(), Order::Sequential, Isa::detect(), 1, SumDraws::new(key));
        multiplier.dot(&ones, &small, 0.0).unwrap()
    };
    assert_eq!(sum("bf16:bf16", 0), 0.25);
    let sums: Vec<f32> = (0..20).map(|key| sum("bf16:bf16/rounding=stochastic", key)).collect();
    // An emulation of Philox, of the words and of the rounding in Python's integers gives these.
    assert_eq!(sums[..8], [92.0, 97.0, 94.0, 94.5, 94.5, 105.5, 95.5, 103.5]);
    assert!(bias(&sums, 97.65625).abs() < 5.0, "{sums:?}");
}

#[test]
fn rounding_modes_of_the_catalogue_are_all_tested() {
    for (name, mode) in Rounding::NAMED {
        assert!(mode == Rounding::NearestEven || MODES.contains(&name) || name == "stochastic_a", "{name}");
    }
}
