//! Small products of every kind against their definition, for an interpreter: `cargo xtask miri` checks them for
//! undefined behaviour.

use binade::Operator;
use binade::philox::Stream;
use binade_fma::{
    Bytes, Convolution, Matrix, MatrixMut, Multiplier, Offsets, Order, multiply_bytes, reference,
};
use binade_simd::Isa;

const OPERATORS: [&str; 5] =
    ["f32:f32", "bf16:bf16", "bf16x2:bf16x2/3", "bf16x3:bf16x3/6+listing", "float8_e4m3fn:f16"];

fn numbers(random: &mut Stream, count: usize) -> Vec<f32> {
    (0..count).map(|_| if random.below(4) == 0 { 0.0 } else { random.unit() }).collect()
}

fn assert_same(got: &[f32], wanted: &[f32], what: &str) {
    let bits = |x: &[f32]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(got), bits(wanted), "{what}");
}

/// Whole and partial tiles, few rows and few columns, operands and C in both layouts, one thread and two.
#[test]
fn small_products_in_every_order_equal_the_reference() {
    let mut random = Stream::new(21);
    let orders = ["sequential", "pairwise", "blocked:3", "lanes:2", "aligned:4,14", "exact"];
    for (number, text) in OPERATORS.into_iter().enumerate() {
        let operator: Operator = text.parse().unwrap();
        for (turn, order) in orders.into_iter().enumerate() {
            let order: Order = order.parse().unwrap();
            let Ok(multiplier) = Multiplier::new(operator.clone(), order) else { continue };
            // The interpreter needs minutes even for a fifth of the cases. It runs each operator and each order, and
            // one thread, because threads that wait for each other take most of its time.
            if cfg!(miri) && (number + turn) % 5 != 0 {
                continue;
            }
            for (at, [m, n, k]) in [[3, 5, 7], [9, 2, 4], [2, 9, 3], [8, 8, 2]].into_iter().enumerate() {
                let turned = [1, 2, 4].map(|bit| (number + turn + at) & bit != 0);
                let threads = if cfg!(miri) { 1 } else { 1 + (number + at) % 2 };
                let (a, b, c) =
                    (numbers(&mut random, m * k), numbers(&mut random, k * n), numbers(&mut random, m * n));
                let matrix = |data, [rows, columns]: [usize; 2], turned| match turned {
                    true => Matrix::new(data, columns, rows).unwrap().transposed(),
                    false => Matrix::new(data, rows, columns).unwrap(),
                };
                let (a, b) = (matrix(&a, [m, k], turned[0]), matrix(&b, [k, n], turned[1]));
                let strides = if turned[2] { (1, m) } else { (n, 1) };
                let (mut got, mut wanted) = (c.clone(), c);
                let [into, into_wanted] = [&mut got, &mut wanted]
                    .map(|c| MatrixMut::with_strides(c, m, n, strides.0, strides.1).unwrap());
                multiplier.clone().with_threads(threads).multiply(a, b, into).unwrap();
                reference::gemm(&operator, order, a, b, into_wanted).unwrap();
                assert_same(&got, &wanted, &format!("{text} {order} {m} {n} {k} {turned:?} {threads}"));
            }
        }
    }
}

#[test]
fn small_products_at_offsets_equal_the_reference() {
    let mut random = Stream::new(22);
    let data = numbers(&mut random, 60);
    let (m, n, k) = (7, 5, 4);
    let rows: Vec<usize> = (0..m).map(|row| row / 3 * 20 + row % 3).collect();
    let depths: Vec<usize> = (0..k).map(|depth| depth * 5).collect();
    let b = numbers(&mut random, k * n);
    for text in OPERATORS {
        let operator: Operator = text.parse().unwrap();
        let multiplier = Multiplier::new(operator.clone(), Order::Sequential).unwrap();
        let mut got = vec![f32::NAN; m * n];
        let a = Offsets { data: &data, rows: &rows, depths: &depths };
        multiplier.product_offsets(a, &b, n, &mut got).unwrap();
        let wanted: Vec<f32> = (0..m * n)
            .map(|at| {
                let left: Vec<f32> = (0..k).map(|depth| b[depth * n + at % n]).collect();
                let right: Vec<f32> = depths.iter().map(|depth| data[rows[at / n] + depth]).collect();
                reference::dot(&operator, Order::Sequential, &left, &right, 0.0)
            })
            .collect();
        assert_same(&got, &wanted, text);
    }
}

/// Results against sums of products. Gradients, which `conv.rs` compares, only run.
#[test]
fn small_convolutions_equal_sums_of_products() {
    let mut random = Stream::new(23);
    let plain = Convolution::new(1, 2, 3, [3, 4], [2, 2]);
    let shape = Convolution { stride: [1, 2], padding: [(1, 0), (0, 1)], ..plain };
    let [input, weight, output] = shape.lengths().unwrap();
    let [x, w, g] = [input, weight, output].map(|length| numbers(&mut random, length));
    let [_, across] = shape.output().unwrap();
    let places = output / 3;
    for text in OPERATORS {
        let operator: Operator = text.parse().unwrap();
        let multiplier = Multiplier::new(operator.clone(), Order::Sequential).unwrap();
        let mut results = [output, input, weight].map(|length| vec![0.0; length]);
        let [forward, of_input, of_weight] = &mut results;
        shape.forward(&multiplier, &x, &w, forward).unwrap();
        shape.input_gradient(&multiplier, &g, &w, of_input).unwrap();
        shape.weight_gradient(&multiplier, &x, &g, of_weight).unwrap();
        let wanted: Vec<f32> = (0..output)
            .map(|at| {
                let (row, column) = (at % places / across, at % across * 2);
                let under = |tap: usize| {
                    let (channel, y, x_at) = (tap / 4, row + tap % 4 / 2, column + tap % 2);
                    // One row of padding above, one column on the right.
                    if y == 0 || x_at == 4 { 0.0 } else { x[channel * 12 + (y - 1) * 4 + x_at] }
                };
                let right: Vec<f32> = (0..8).map(under).collect();
                reference::dot(&operator, Order::Sequential, &w[at / places * 8..][..8], &right, 0.0)
            })
            .collect();
        assert_same(&results[0], &wanted, text);
        assert!(results.iter().flatten().all(|x| x.is_finite()), "{text}");
    }
}

#[test]
fn small_products_of_bytes_equal_sums_of_integers() {
    let mut random = Stream::new(24);
    let (rows, depth, columns) = (9, 6, 5);
    let [a, b] = [rows * depth, depth * columns]
        .map(|count| (0..count).map(|_| random.word() as u8).collect::<Vec<_>>());
    let wanted: Vec<i32> = (0..rows * columns)
        .map(|at| {
            let step =
                |k: usize| a[at / columns * depth + k] as i8 as i32 * b[k * columns + at % columns] as i32;
            (0..depth).map(step).sum()
        })
        .collect();
    let left = Bytes::new(&a, true, [rows, depth], [depth, 1]).unwrap();
    let right = Bytes::new(&b, false, [depth, columns], [columns, 1]).unwrap();
    let mut got = vec![0; rows * columns];
    multiply_bytes(Isa::detect(), 1, left, right, &mut got).unwrap();
    assert_eq!(got, wanted);
}
