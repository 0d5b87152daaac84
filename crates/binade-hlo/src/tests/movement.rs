//! Compares reductions, windows, gathers, sorts and linear systems with plain definitions.

use binade_kernels::Fold;
use binade_stablehlo::ir::{Binary, Direction, FftType, Gather, Op, Order, Scatter, Window};
use binade_stablehlo::{Data, ElementType, FloatType, Tensor, View};

use crate::arithmetic::body::{Body, Steps, combine};
use crate::arithmetic::form::Form;
use crate::arithmetic::instruction::Instruction;
use crate::arithmetic::kernel::{Access, Builder};
use crate::arithmetic::rounded::Rounded;
use crate::linear::fft::fft;
use crate::linear::solve::{self, Triangle};
use crate::movement::layout::{Layout, Strided, advance};
use crate::movement::{gather, shape};
use crate::options::Options;
use crate::reduction::folding::Folding;
use crate::reduction::reduce::reduce;
use crate::reduction::window::{reduce_window, select_and_scatter};
use crate::testing::*;

fn strides(shape: &[usize]) -> Vec<usize> {
    (0..shape.len()).map(|at| shape[at + 1..].iter().product()).collect()
}

fn flat(index: &[usize], shape: &[usize]) -> usize {
    index.iter().zip(strides(shape)).map(|(at, by)| at * by).sum()
}

/// Every index of a shape.
fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![];
    if shape.contains(&0) {
        return all;
    }
    let mut index = vec![0; shape.len()];
    loop {
        all.push(index.clone());
        if !advance(&mut index, shape) {
            return all;
        }
    }
}

fn integers(seed: u64, length: usize) -> Vec<i32> {
    noise(seed, length).into_iter().map(|x| (x * 1000.0) as i32).collect()
}

const SHAPES: &[&[usize]] = &[
    &[7],
    &[3000],
    &[4, 5],
    &[513, 3],
    &[3, 513],
    &[2, 3, 4, 5],
    &[1, 6, 1, 7],
    &[40, 50, 60],
    &[9, 1],
    &[70_000, 2],
];

/// Sums of integers do not depend on the order: covers all sets of reduced dimensions of all shapes, both orders, one
/// and two threads.
#[test]
fn sums_over_any_dimensions() {
    let kernel = combine(Binary::Add, &I32);
    for shape in SHAPES {
        let elements = integers(5, shape.iter().product());
        for mask in 0..1usize << shape.len() {
            let dimensions: Vec<usize> = (0..shape.len()).filter(|at| mask >> at & 1 == 1).collect();
            let kept: Vec<usize> = (0..shape.len()).filter(|at| mask >> at & 1 == 0).collect();
            let result: Vec<usize> = kept.iter().map(|&at| shape[at]).collect();
            let mut sums = vec![100; result.iter().product()];
            for (index, &x) in indices(shape).iter().zip(&elements) {
                let to: Vec<usize> = kept.iter().map(|&at| index[at]).collect();
                sums[flat(&to, &result)] += x;
            }
            for (in_order, form) in [
                (false, Form::Combine(Binary::Add)),
                (true, Form::Combine(Binary::Add)),
                (false, Form::General),
            ] {
                let body = Body::Kernel { kernel: &kernel, captured: vec![], form, rule: Default::default() };
                let x = i32s(shape, elements.clone());
                let start = i32s(&[], vec![100]);
                let sum = reduce(&[x], &[start], &dimensions, &body, in_order).unwrap();
                assert_eq!(
                    ints(&sum[0]),
                    sums,
                    "{shape:?} over {dimensions:?}, {form:?}, in order: {in_order}"
                );
            }
        }
    }
}

/// Folds of rows have the bits of their order: the greatest power of two of lanes, which are then folded in halves. Random
/// numbers distinguish orders of sums.
#[test]
fn folds_of_rows_take_lanes_and_then_halves() {
    let in_lanes = |row: &[f32], f: fn(f32, f32) -> f32| {
        let lanes = (1usize << row.len().ilog2()).min(1024);
        let mut sums = row[..lanes].to_vec();
        for (at, &x) in row.iter().enumerate().skip(lanes) {
            sums[at % lanes] = f(sums[at % lanes], x);
        }
        while sums.len() > 1 {
            let right = sums.split_off(sums.len() / 2);
            sums.iter_mut().zip(right).for_each(|(sum, x)| *sum = f(*sum, x));
        }
        sums[0]
    };
    for (binary, f) in [
        (Binary::Add, (|x, y| x + y) as fn(f32, f32) -> f32),
        (Binary::Multiply, |x, y| x * y),
        (Binary::Maximum, f32::max),
    ] {
        let kernel = combine(binary, &F32);
        let form = Form::Combine(binary);
        let body = Body::Kernel { kernel: &kernel, captured: vec![], form, rule: Default::default() };
        for row in [2, 7, 32, 36, 255, 256, 1024, 1500, 2048] {
            let count = 5000 / row + 3;
            let x = noise(row as u64, count * row);
            let expected: Vec<f32> = x.chunks(row).map(|row| f(0.5, in_lanes(row, f))).collect();
            let (x, start) = (f32s(&[count, row], x), f32s(&[], vec![0.5]));
            let found = reduce(&[x], &[start], &[1], &body, false).unwrap();
            assert_eq!(floats(&found[0]), expected, "{binary:?} of rows of {row}");
        }
    }
}

/// Kernels read vectors that repeat in each row, and one number for each row, whatever the length of rows and pieces.
#[test]
fn kernels_read_rows_of_any_length() {
    for row in [5, 128, 256, 300, 512, 768, 1024, 3000] {
        let (count, length) = (9000 / row + 2, (9000 / row + 2) * row);
        let (x, offsets, scales) = (noise(1, length), noise(2, row), noise(3, count));
        let mut builder = Builder::default();
        let strided = |strides: [isize; 2]| {
            let from = Layout { offset: 0, strides: strides.to_vec() };
            Access::Strided(Strided::new(&[count, row], &from))
        };
        let dense = builder.input(Access::Dense, &F32);
        let offset = builder.input(strided([0, 1]), &F32);
        let scale = builder.input(strided([1, 0]), &F32);
        let add = Instruction::Binary(Binary::Add);
        let sum = builder.node(add, vec![dense, offset], &F32);
        let product = builder.node(Instruction::Binary(Binary::Multiply), vec![sum, scale], &F32);
        let kernel = builder.finish(vec![product, sum]);
        let inputs = [&x, &offsets, &scales].map(|all| View::F32(all));
        let results = kernel.evaluate(&inputs, length).unwrap();
        for (at, &x) in x.iter().enumerate() {
            let sum = x + offsets[at % row];
            let expected = [sum * scales[at / row], sum];
            for (result, expected) in results.iter().zip(expected) {
                let Data::F32(result) = result else { panic!("binary32") };
                assert_eq!(result[at].to_bits(), expected.to_bits(), "element {at} of rows of {row}");
            }
        }
    }
}

/// Compares special folds with the general code for the same body: all sets of reduced dimensions of all shapes, both
/// orders, one and three threads. Sums of random numbers that are rounded at every step distinguish the orders.
#[test]
fn rounded_folds_are_those_of_their_body() {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let pools = [pool(1), pool(3)];
    for (name, fold, binary) in [
        ("bf16", Fold::Add, Binary::Add),
        ("float8_e5m2", Fold::Maximum, Binary::Maximum),
        ("float8_e4m3fn", Fold::Add, Binary::Add),
    ] {
        let rounded = Rounded::new(name.parse::<binade::Spec>().unwrap().format);
        let mut builder = Builder::default();
        let operands = (0..2).map(|_| builder.input(Access::Dense, &F32)).collect();
        let result = builder.node(Instruction::Binary(binary), operands, &F32);
        let result = builder.round(result, Some(&rounded), &F32);
        let kernel = builder.finish(vec![result]);
        let body = |folding| Body::Kernel {
            kernel: &kernel,
            captured: vec![],
            form: Form::General,
            rule: Steps { folding, ..Steps::default() },
        };
        let folding = Folding { fold, rounder: rounded.rounder().unwrap() };
        let (known, unknown) = (body(Some(folding)), body(None));
        for shape in SHAPES.iter().chain(&[&[3, 700, 20][..], &[600, 90], &[90, 600], &[17, 1000]]) {
            let x = f32s(shape, noise(7, shape.iter().product()));
            let start = f32s(&[], vec![0.125]);
            for mask in 0..1usize << shape.len() {
                let dimensions: Vec<usize> = (0..shape.len()).filter(|at| mask >> at & 1 == 1).collect();
                for in_order in [false, true] {
                    let reduced = |body: &Body| {
                        floats(
                            &reduce(
                                std::slice::from_ref(&x),
                                std::slice::from_ref(&start),
                                &dimensions,
                                body,
                                in_order,
                            )
                            .unwrap()[0],
                        )
                        .to_vec()
                    };
                    let expected = reduced(&unknown);
                    for pool in &pools {
                        let found = pool.install(|| reduced(&known));
                        assert_eq!(
                            found, expected,
                            "{shape:?} over {dimensions:?}, {name}, in order: {in_order}"
                        );
                    }
                }
            }
        }
    }
}

/// (value, position) of the greatest element, the first of equals: a body with two operands, on several numbers of
/// threads.
#[test]
fn the_greatest_and_where() {
    for (shape, dimension) in [(vec![5000], 0), (vec![300, 40], 0), (vec![40, 300], 1), (vec![3, 4, 5], 1)] {
        let mut w = Writer::new();
        let x = w.value(&F32, &shape);
        let position = w.op(Op::Iota { dimension }, &[], &I32, &shape);
        let body = w.region(&[F32, I32, F32, I32], |w, p| {
            let compare = |direction| Op::Compare { direction, order: Order::Partial };
            let greater = w.op(compare(Direction::Gt), &[p[0], p[2]], &ElementType::Bool, &[]);
            let equal = w.op(compare(Direction::Eq), &[p[0], p[2]], &ElementType::Bool, &[]);
            let earlier = w.op(compare(Direction::Lt), &[p[1], p[3]], &ElementType::Bool, &[]);
            let both = w.op(Op::Binary(Binary::And), &[equal, earlier], &ElementType::Bool, &[]);
            let first = w.op(Op::Binary(Binary::Or), &[greater, both], &ElementType::Bool, &[]);
            let value = w.op(Op::Select, &[first, p[0], p[2]], &F32, &[]);
            vec![value, w.op(Op::Select, &[first, p[1], p[3]], &I32, &[])]
        });
        let least = w.op(constant(f32s(&[], vec![f32::NEG_INFINITY])), &[], &F32, &[]);
        let zero = w.op(constant(i32s(&[], vec![0])), &[], &I32, &[]);
        let mut kept = shape.clone();
        kept.remove(dimension);
        let results = vec![w.value(&F32, &kept), w.value(&I32, &kept)];
        w.push(
            Op::Reduce { dimensions: vec![dimension], body },
            &[x, position, least, zero],
            results.clone(),
        );
        let program = program(vec![w.function("main", &[x], &results)]);
        // Few different values, so that some are equal.
        let data: Vec<f32> = noise(6, shape.iter().product()).iter().map(|x| (x * 8.0).round()).collect();
        let mut expected: Vec<(f32, i32)> = vec![(f32::NEG_INFINITY, 0); kept.iter().product()];
        for (index, &x) in indices(&shape).iter().zip(&data) {
            let mut to = index.clone();
            let position = to.remove(dimension) as i32;
            let best = &mut expected[flat(&to, &kept)];
            if x > best.0 {
                *best = (x, position);
            }
        }
        for threads in [1, 3] {
            let options = Options { threads: Some(threads), ..Options::default() };
            let found = run(&program, vec![f32s(&shape, data.clone())], options).unwrap();
            let found: Vec<(f32, i32)> =
                floats(&found[0]).iter().copied().zip(ints(&found[1]).iter().copied()).collect();
            assert_eq!(found, expected, "{shape:?}");
        }
    }
}

fn window(
    dimensions: &[usize],
    strides: &[usize],
    base: &[usize],
    dilations: &[usize],
    padding: &[(i64, i64)],
) -> Window {
    Window {
        dimensions: dimensions.to_vec(),
        strides: strides.to_vec(),
        base_dilations: base.to_vec(),
        window_dilations: dilations.to_vec(),
        padding: padding.to_vec(),
    }
}

/// Compares windows of all kinds, including long ones, with the definition.
#[test]
fn windows_by_definition() {
    let kernel = combine(Binary::Add, &I32);
    let cases = [
        (vec![10], window(&[3], &[1], &[1], &[1], &[(0, 0)])),
        (vec![10], window(&[10], &[1], &[1], &[1], &[(9, 0)])),
        (vec![33], window(&[33], &[1], &[1], &[1], &[(0, 32)])),
        (vec![40], window(&[11], &[3], &[2], &[2], &[(5, -3)])),
        (vec![6, 7], window(&[2, 3], &[2, 1], &[1, 2], &[1, 2], &[(1, 0), (2, 2)])),
        (vec![6, 70], window(&[2, 13], &[1, 2], &[1, 1], &[1, 1], &[(0, 1), (-2, 0)])),
        (vec![3, 90, 2], window(&[1, 90, 1], &[1; 3], &[1; 3], &[1; 3], &[(0, 0), (89, 0), (0, 0)])),
        (vec![20, 21], window(&[9, 10], &[1, 1], &[1, 1], &[1, 1], &[(0, 0), (0, 0)])),
    ];
    for (shape, window) in cases {
        let elements = integers(7, shape.iter().product());
        let output = crate::reduction::window::output_shape(&shape, &window);
        let mut sums = vec![];
        for index in indices(&output) {
            let mut sum = 5;
            for offset in indices(&window.dimensions) {
                let place: Option<Vec<usize>> = (0..shape.len())
                    .map(|at| {
                        let place = (index[at] * window.strides[at]
                            + offset[at] * window.window_dilations[at])
                            as i64
                            - window.padding[at].0;
                        let dilation = window.base_dilations[at] as i64;
                        let inside =
                            place >= 0 && place % dilation == 0 && place / dilation < shape[at] as i64;
                        inside.then_some((place / dilation) as usize)
                    })
                    .collect();
                // Every place outside has the initial value, which is neutral except for the first addition.
                sum += place.map_or(0, |place| elements[flat(&place, &shape)]);
            }
            sums.push(sum);
        }
        for in_order in [false, true] {
            let body = Body::Kernel {
                kernel: &kernel,
                captured: vec![],
                form: Form::Combine(Binary::Add),
                rule: Default::default(),
            };
            let (x, zero) = (i32s(&shape, elements.clone()), i32s(&[], vec![0]));
            let result = reduce_window(&[x], &[zero], &window, &body, in_order).unwrap();
            assert_eq!(result[0].shape, output);
            let result: Vec<i32> = ints(&result[0]).iter().map(|x| x + 5).collect();
            assert_eq!(result, sums, "{shape:?} {window:?}");
        }
    }
}

/// The specification's example: the greatest element of each window of 3 × 1 takes the source.
#[test]
fn sources_go_to_the_selected() {
    let mut w = Writer::new();
    let region = |w: &mut Writer, op: Op, result: &ElementType| {
        w.region(&[I32, I32], |w, p| vec![w.op(op, p, result, &[])])
    };
    let select =
        region(&mut w, Op::Compare { direction: Direction::Ge, order: Order::Partial }, &ElementType::Bool);
    let scatter = region(&mut w, Op::Binary(Binary::Add), &I32);
    let (x, source, zero) = (w.value(&I32, &[4, 2]), w.value(&I32, &[2, 2]), w.value(&I32, &[]));
    let window = window(&[3, 1], &[2, 1], &[1, 1], &[1, 1], &[(0, 1), (0, 0)]);
    let result = w.op(Op::SelectAndScatter { window, select, scatter }, &[x, source, zero], &I32, &[4, 2]);
    let program = program(vec![w.function("main", &[x, source, zero], &[result])]);
    let inputs = vec![
        i32s(&[4, 2], vec![1, 5, 2, 5, 3, 6, 4, 4]),
        i32s(&[2, 2], vec![5, 6, 7, 8]),
        i32s(&[], vec![0]),
    ];
    let result = run(&program, inputs, Options::default()).unwrap();
    assert_eq!(ints(&result[0]), [0, 0, 0, 0, 5, 14, 7, 0]);
    let kernel = combine(Binary::Add, &I32);
    let body = Body::Kernel {
        kernel: &kernel,
        captured: vec![],
        form: Form::Combine(Binary::Add),
        rule: Default::default(),
    };
    let empty = i32s(&[0, 2], vec![]);
    let window = self::window(&[1, 1], &[1, 1], &[1, 1], &[1, 1], &[(0, 0), (0, 0)]);
    let nothing = select_and_scatter(&empty, &empty, &i32s(&[], vec![1]), &window, &body, &body).unwrap();
    assert_eq!(nothing.shape, [0, 2]);
}

/// Compares gathers and scatters with the specification's formulas: with batching dimensions, out-of-range starts, and
/// every position of the index vector.
#[test]
fn gather_and_scatter_by_definition() {
    let x = i32s(&[2, 5, 6, 3], (0..180).collect());
    let mut across = 0;
    for vector in 0..3 {
        // A batch [4, 2] of vectors of two: starts in dimensions 2 and 1. Dimension 0 of x corresponds to batch
        // dimension 1.
        let mut sizes = vec![4, 2];
        sizes.insert(vector, 2);
        let start = |x: &f32| ((x * 12.0) as i32 - 3).min(5);
        let starts: Vec<i32> = noise(28 + vector as u64, 16).iter().map(start).collect();
        let indices_tensor = i32s(&sizes, starts.clone());
        let without = |dimension: usize| dimension + usize::from(dimension >= vector);
        let attributes = Gather {
            offset_dims: vec![1, 3],
            collapsed_slice_dims: vec![1],
            operand_batching_dims: vec![0],
            start_indices_batching_dims: vec![without(1)],
            start_index_map: vec![2, 1],
            index_vector_dim: vector,
            slice_sizes: Some(vec![1, 1, 2, 3]),
            indices_are_sorted: false,
        };
        let slices = [1, 1, 2, 3];
        let start = |batch: &[usize]| -> [i64; 4] {
            let component = |at: usize| {
                let mut index = batch.to_vec();
                index.insert(vector, at);
                i64::from(starts[flat(&index, &sizes)])
            };
            [batch[1] as i64, component(1), component(0), 0]
        };
        let result = gather::gather(&x, &indices_tensor, &attributes, &slices, &[4, 2, 2, 3]);
        for index in indices(&[4, 2, 2, 3]) {
            let start = start(&[index[0], index[2]]);
            let clamped: Vec<usize> =
                (0..4).map(|at| start[at].clamp(0, (x.shape[at] - slices[at]) as i64) as usize).collect();
            let from = [clamped[0], clamped[1], clamped[2] + index[1], clamped[3] + index[3]];
            assert_eq!(ints(&result)[flat(&index, &[4, 2, 2, 3])], ints(&x)[flat(&from, &x.shape)]);
        }
        let scatter = Scatter {
            update_window_dims: vec![1, 3],
            inserted_window_dims: vec![1],
            input_batching_dims: vec![0],
            scatter_indices_batching_dims: vec![without(1)],
            scatter_dims_to_operand_dims: vec![2, 1],
            index_vector_dim: vector,
            indices_are_sorted: false,
            unique_indices: false,
        };
        let updates = i32s(&[4, 2, 2, 3], integers(9, 48));
        let kernel = combine(Binary::Add, &I32);
        let body = Body::Kernel {
            kernel: &kernel,
            captured: vec![],
            form: Form::Combine(Binary::Add),
            rule: Default::default(),
        };
        let inside = |to: [i64; 4]| to.iter().zip(&x.shape).all(|(&at, &size)| at >= 0 && at < size as i64);
        for whole in [false, true] {
            let given = std::slice::from_ref(&updates);
            let result =
                gather::scatter(vec![x.clone()], &indices_tensor, given, &scatter, &body, whole).unwrap();
            let mut expected = ints(&x).to_vec();
            for index in indices(&[4, 2, 2, 3]) {
                let start = start(&[index[0], index[2]]);
                let of_window = |row: usize, column: usize| {
                    [start[0], start[1], start[2] + row as i64, start[3] + column as i64]
                };
                let to = of_window(index[1], index[3]);
                let left_out = !inside(of_window(0, 0)) || !inside(of_window(1, 2));
                if inside(to) && !(whole && left_out) {
                    let to = to.map(|at| at as usize);
                    expected[flat(&to, &x.shape)] += ints(&updates)[flat(&index, &[4, 2, 2, 3])];
                }
                across += usize::from(inside(to) && left_out);
            }
            assert_eq!(ints(&result[0]), expected);
        }
    }
    assert!(across > 0, "some windows reach over an edge");
}

/// Many updates of few elements are applied in order: x ↦ 3x + u distinguishes the orders.
#[test]
fn updates_of_one_element_keep_their_order() {
    let mut w = Writer::new();
    let (x, places, updates) = (w.value(&I32, &[5]), w.value(&I32, &[200, 1]), w.value(&I32, &[200]));
    let body = w.region(&[I32, I32], |w, p| {
        let three = w.op(constant(i32s(&[], vec![3])), &[], &I32, &[]);
        let tripled = w.op(Op::Binary(Binary::Multiply), &[p[0], three], &I32, &[]);
        vec![w.op(Op::Binary(Binary::Add), &[tripled, p[1]], &I32, &[])]
    });
    let attributes = Scatter {
        update_window_dims: vec![],
        inserted_window_dims: vec![0],
        input_batching_dims: vec![],
        scatter_indices_batching_dims: vec![],
        scatter_dims_to_operand_dims: vec![0],
        index_vector_dim: 1,
        indices_are_sorted: false,
        unique_indices: false,
    };
    let result = w.op(Op::Scatter { attributes, body }, &[x, places, updates], &I32, &[5]);
    let program = program(vec![w.function("main", &[x, places, updates], &[result])]);
    let at: Vec<i32> = noise(10, 200).iter().map(|x| (x * 6.0) as i32).collect();
    let values = integers(11, 200);
    let mut expected = vec![1i32; 5];
    for (&at, &value) in at.iter().zip(&values) {
        if (0..5).contains(&at) {
            expected[at as usize] = expected[at as usize].wrapping_mul(3).wrapping_add(value);
        }
    }
    let inputs = vec![i32s(&[5], vec![1; 5]), i32s(&[200, 1], at), i32s(&[200], values)];
    assert_eq!(ints(&run(&program, inputs, Options::default()).unwrap()[0]), expected);
}

/// Sorts two operands by the first and compares with the standard library: with a comparator that becomes keys, and one
/// that does not.
#[test]
fn sorts_are_stable() {
    for (shape, dimension) in
        [(vec![1000], 0), (vec![30, 20], 0), (vec![20, 30], 1), (vec![3, 40, 2], 1), (vec![1, 4], 0)]
    {
        for plain in [true, false] {
            let mut w = Writer::new();
            let (key, value) = (w.value(&F32, &shape), w.value(&I32, &shape));
            let comparator = w.region(&[F32, F32, I32, I32], |w, p| {
                let less = Op::Compare { direction: Direction::Lt, order: Order::Partial };
                let (mut a, mut b) = (p[0], p[1]);
                if !plain {
                    // a + 1 < 1 + b does not compare results of one function.
                    let one = w.op(constant(f32s(&[], vec![1.0])), &[], &F32, &[]);
                    a = w.op(Op::Binary(Binary::Add), &[a, one], &F32, &[]);
                    b = w.op(Op::Binary(Binary::Add), &[one, b], &F32, &[]);
                }
                vec![w.op(less, &[a, b], &ElementType::Bool, &[])]
            });
            let results = vec![w.value(&F32, &shape), w.value(&I32, &shape)];
            w.push(Op::Sort { dimension, stable: true, comparator }, &[key, value], results.clone());
            let program = program(vec![w.function("main", &[key, value], &results)]);
            let keys: Vec<f32> =
                noise(12, shape.iter().product()).iter().map(|x| (x * 9.0).round()).collect();
            let values: Vec<i32> = (0..keys.len() as i32).collect();
            let inputs = vec![f32s(&shape, keys.clone()), i32s(&shape, values.clone())];
            let sorted = run(&program, inputs, Options::default()).unwrap();
            let mut outer = shape.clone();
            outer[dimension] = 1;
            for mut index in indices(&outer) {
                let mut places = vec![];
                for at in 0..shape[dimension] {
                    index[dimension] = at;
                    places.push(flat(&index, &shape));
                }
                let mut expected: Vec<(f32, i32)> = places.iter().map(|&at| (keys[at], values[at])).collect();
                expected.sort_by(|a, b| a.0.partial_cmp(&b.0).unwrap());
                let found: Vec<(f32, i32)> =
                    places.iter().map(|&at| (floats(&sorted[0])[at], ints(&sorted[1])[at])).collect();
                assert_eq!(found, expected, "{shape:?}, keys: {plain}");
            }
        }
    }
}

fn complex(shape: &[usize], seed: u64) -> Tensor {
    let n: usize = shape.iter().product();
    let parts = noise(seed, 2 * n);
    let data = parts.chunks(2).map(|z| [f64::from(z[0]), f64::from(z[1])]).collect();
    Tensor::new(ElementType::Complex(FloatType::F64), shape.to_vec(), Data::C128(data))
}

fn pairs(tensor: &Tensor) -> &[[f64; 2]] {
    match &*tensor.data {
        Data::C128(z) => z,
        other => panic!("{other:?}"),
    }
}

/// Compares two-dimensional transforms with the defining sum, and a real one with the complex one and its inverse.
#[test]
fn transforms_by_definition() {
    let (rows, columns) = (6, 5);
    let z = complex(&[2, rows, columns], 13);
    let transformed = fft(&z, FftType::Fft, &[rows, columns]).unwrap();
    for index in indices(&[2, rows, columns]) {
        let mut sum = [0.0; 2];
        for from in indices(&[rows, columns]) {
            let angle = -std::f64::consts::TAU
                * ((index[1] * from[0]) as f64 / rows as f64 + (index[2] * from[1]) as f64 / columns as f64);
            let [re, im] = pairs(&z)[flat(&[index[0], from[0], from[1]], &[2, rows, columns])];
            sum[0] += re * angle.cos() - im * angle.sin();
            sum[1] += re * angle.sin() + im * angle.cos();
        }
        let found = pairs(&transformed)[flat(&index, &[2, rows, columns])];
        assert!((found[0] - sum[0]).abs() < 1e-12 && (found[1] - sum[1]).abs() < 1e-12);
    }
    let back = fft(&transformed, FftType::Ifft, &[rows, columns]).unwrap();
    for (found, z) in pairs(&back).iter().zip(pairs(&z)) {
        assert!((found[0] - z[0]).abs() < 1e-14 && (found[1] - z[1]).abs() < 1e-14);
    }
    for columns in [5, 8] {
        let real: Vec<f64> = noise(14, 4 * columns).into_iter().map(f64::from).collect();
        let double = ElementType::Float(FloatType::F64);
        let x = Tensor::new(double, vec![4, columns], Data::F64(real.clone()));
        let half = fft(&x, FftType::Rfft, &[4, columns]).unwrap();
        let back = fft(&half, FftType::Irfft, &[4, columns]).unwrap();
        let Data::F64(back) = &*back.data else { panic!("real") };
        assert!(back.iter().zip(&real).all(|(a, b)| (a - b).abs() < 1e-14));
    }
}

/// Checks A·X = B and its variants by inserting the solution, and L·Lᴴ by the matrix.
#[test]
fn systems_are_solved() {
    let n = 4;
    let mut a = complex(&[2, n, n], 15);
    if let Data::C128(a) = std::sync::Arc::make_mut(&mut a.data) {
        // Makes the matrix far from singular.
        (0..2 * n).for_each(|at| a[at / n * n * n + at % n * (n + 1)][0] += 3.0);
    }
    let times = |a: [f64; 2], b: [f64; 2]| [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
    for code in 0..32 {
        let bit = |at: usize| code >> at & 1 == 1;
        let triangle = Triangle {
            left_side: bit(0),
            lower: bit(1),
            unit_diagonal: bit(2),
            transpose: bit(3) || bit(4),
            conjugate: bit(4),
        };
        let size = if triangle.left_side { [2, n, 3] } else { [2, 3, n] };
        let b = complex(&size, 16);
        let x = solve::triangular_solve(&a, &b, triangle).unwrap();
        let entry = |batch: usize, row: usize, column: usize| {
            let (row, column) = if triangle.transpose { (column, row) } else { (row, column) };
            let kept = if triangle.lower { row >= column } else { row <= column };
            let [re, im] = pairs(&a)[(batch * n + row) * n + column];
            match () {
                () if row == column && triangle.unit_diagonal => [1.0, 0.0],
                () if !kept => [0.0; 2],
                () if triangle.conjugate => [re, -im],
                () => [re, im],
            }
        };
        for index in indices(&size) {
            let mut sum = [0.0; 2];
            for k in 0..n {
                let product = match triangle.left_side {
                    true => {
                        times(entry(index[0], index[1], k), pairs(&x)[flat(&[index[0], k, index[2]], &size)])
                    }
                    false => {
                        times(pairs(&x)[flat(&[index[0], index[1], k], &size)], entry(index[0], k, index[2]))
                    }
                };
                sum = [sum[0] + product[0], sum[1] + product[1]];
            }
            let wanted = pairs(&b)[flat(&index, &size)];
            assert!((sum[0] - wanted[0]).abs() < 1e-10 && (sum[1] - wanted[1]).abs() < 1e-10, "{triangle:?}");
        }
    }
    // H = A·Aᴴ is positive definite.
    let adjoint = |row: usize, column: usize| {
        (0..n).fold([0.0; 2], |sum, k| {
            let ([a, b], [c, d]) = (pairs(&a)[row * n + k], pairs(&a)[column * n + k]);
            let product = times([a, b], [c, -d]);
            [sum[0] + product[0], sum[1] + product[1]]
        })
    };
    let elements = indices(&[n, n]).iter().map(|at| adjoint(at[0], at[1])).collect();
    let h = Tensor::new(ElementType::Complex(FloatType::F64), vec![n, n], Data::C128(elements));
    let lower = solve::cholesky(&h, true).unwrap();
    let upper = solve::cholesky(&h, false).unwrap();
    for at in indices(&[n, n]) {
        let entry = |row: usize, column: usize| pairs(&lower)[row * n + column];
        let sum = (0..n).fold([0.0; 2], |sum, k| {
            let [c, d] = entry(at[1], k);
            let product = times(entry(at[0], k), [c, -d]);
            [sum[0] + product[0], sum[1] + product[1]]
        });
        let wanted = pairs(&h)[at[0] * n + at[1]];
        assert!((sum[0] - wanted[0]).abs() < 1e-12 && (sum[1] - wanted[1]).abs() < 1e-12);
        let ([a, b], [c, d]) = (entry(at[0], at[1]), pairs(&upper)[at[1] * n + at[0]]);
        assert!(
            (a - c).abs() < 1e-12 && (b + d).abs() < 1e-12,
            "the upper factor is the lower one's adjoint"
        );
        assert!(at[0] >= at[1] || entry(at[0], at[1]) == [0.0; 2]);
    }
}

#[test]
fn shapes_by_hand() {
    let x = i32s(&[2, 3], vec![1, 2, 3, 4, 5, 6]);
    let zero = i32s(&[], vec![0]);
    let padded = shape::pad(&x, &zero, &[1, -1], &[1, 2], &[4, 6]);
    let rows = [[0; 6], [0, 0, 2, 0, 0, 3], [0; 6], [0, 0, 5, 0, 0, 6]];
    assert_eq!(ints(&padded), rows.as_flattened());
    let gone = shape::pad(&x, &zero, &[-2, 0], &[0, 0], &[0, 3]);
    assert_eq!(gone.shape, [0, 3]);
    let sliced = shape::slice(&x, &[0, 1], &[1, 2], &[2, 1]);
    assert_eq!(ints(&sliced), [2, 5]);
    assert_eq!(ints(&shape::dynamic_slice(&x, &[5, -7], &[1, 2])), [4, 5]);
    let updated = shape::dynamic_update_slice(x.clone(), &i32s(&[1, 2], vec![8, 9]), &[-1, 9]);
    assert_eq!(ints(&updated), [1, 8, 9, 4, 5, 6]);
    assert_eq!(ints(&shape::reverse(&x, &[0, 1])), [6, 5, 4, 3, 2, 1]);
    assert_eq!(ints(&shape::concatenate(&[&x, &i32s(&[2, 1], vec![7, 8])], 1)), [1, 2, 3, 7, 4, 5, 6, 8]);
    let selected = shape::torch_index_select(&x, &[2, 0, 0, 9], &[4], 1, 0);
    assert_eq!(ints(&selected), [3, 1, 1, 3, 6, 4, 4, 6]);
}
