//! Bodies with special algorithms give the same bits as the general code.

use binade_stablehlo::ir::{Binary, Direction, Gather, Order, Scatter, Window};
use binade_stablehlo::{Data, ElementType, Tensor};

use crate::arithmetic::body::{Body, combine};
use crate::arithmetic::form::Form;
use crate::arithmetic::instruction::Instruction;
use crate::arithmetic::kernel::{Access, Builder, Kernel};
use crate::movement::gather;
use crate::reduction::reduce::reduce;
use crate::reduction::window::{reduce_window, select_and_scatter};
use crate::testing::*;

fn bytes(tensor: &Tensor) -> Vec<u8> {
    tensor.data.to_le_bytes(0..tensor.data.len())
}

/// The bits of elements, with one value for all NaN: compilers leave open which NaN a sum of several is.
fn bits(tensor: &Tensor) -> Vec<u32> {
    let Data::F32(elements) = &*tensor.data else { panic!("binary32 elements") };
    elements.iter().map(|x| if x.is_nan() { f32::NAN } else { *x }.to_bits()).collect()
}

fn body(kernel: &Kernel, form: Form) -> Body<'_> {
    Body::Kernel { kernel, captured: vec![], form, rule: Default::default() }
}

/// Numbers with NaN, infinities and zeros of both signs among them.
fn special(seed: u64, length: usize) -> Vec<f32> {
    let mut numbers = noise(seed, length);
    let others = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0];
    for (at, number) in numbers.iter_mut().enumerate().filter(|(at, _)| at % 7 == 3) {
        *number = others[at / 7 % others.len()];
    }
    numbers
}

fn tensor(element: &ElementType, shape: &[usize], seed: u64) -> Tensor {
    let length = shape.iter().product();
    if *element == F32 {
        return f32s(shape, special(seed, length));
    }
    let wide: Vec<i32> = noise(seed, length).iter().map(|x| (x * 2e9) as i32).collect();
    let data = crate::arithmetic::convert::convert(&i32s(shape, wide), element).unwrap();
    Tensor::new(element.clone(), shape.to_vec(), data)
}

/// Covers rotations and similar shifts, with and without an exclusive or, by amounts at and beyond the width.
#[test]
fn shifts_together_are_the_shifts_one_by_one() {
    let element = ElementType::Integer { signed: false, width: 32 };
    let words = |seed| noise(seed, 700).iter().map(|x| (x * 4e9) as i64 as u32).collect::<Vec<_>>();
    let (x, y) = (Data::U32(words(1)), Data::U32(words(2)));
    let (Data::U32(x_words), Data::U32(y_words)) = (&x, &y) else { unreachable!("made so") };
    let by = |amount: u32, shift: fn(u32, u32) -> Option<u32>, x: u32| shift(x, amount).unwrap_or(0);
    for (left, right) in [(13, 19), (0, 31), (32, 5), (7, 40), (33, 32)] {
        for joined in [None, Some(false), Some(true)] {
            let mut builder = Builder::default();
            let sources = [Access::Dense, Access::Splat(0), Access::Splat(0), Access::Dense]
                .map(|access| builder.input(access, &element));
            let mut node =
                |op, operands: [_; 2]| builder.node(Instruction::Binary(op), operands.to_vec(), &element);
            let shifted = node(Binary::ShiftLeft, [sources[0], sources[1]]);
            let other = node(Binary::ShiftRightLogical, [sources[0], sources[2]]);
            let mut result = node(Binary::Or, [other, shifted]);
            match joined {
                None => {}
                Some(false) => result = node(Binary::Xor, [result, sources[3]]),
                Some(true) => result = node(Binary::Xor, [sources[3], result]),
            }
            let amounts = [left, right].map(|amount| Data::U32(vec![amount]));
            let inputs = [x.view(), amounts[0].view(), amounts[1].view(), y.view()];
            let made = builder.finish(vec![result]).evaluate(&inputs, 700).unwrap();
            let expected = x_words.iter().zip(y_words).map(|(&x, &y)| {
                let both = by(left, u32::checked_shl, x) | by(right, u32::checked_shr, x);
                if joined.is_some() { both ^ y } else { both }
            });
            let [Data::U32(made)] = &made[..] else { panic!("{made:?}") };
            assert_eq!(*made, expected.collect::<Vec<_>>(), "{left} {right} {joined:?}");
        }
    }
}

/// Covers every operation that combines updates, on single elements and on rows, with some places out of range.
#[test]
fn scatters() {
    let integer = |signed, width| ElementType::Integer { signed, width };
    let elements = [
        F32,
        I32,
        integer(true, 8),
        integer(false, 4),
        integer(false, 16),
        integer(true, 64),
        integer(false, 64),
    ];
    let operations = [
        Binary::Add,
        Binary::Multiply,
        Binary::Maximum,
        Binary::Minimum,
        Binary::And,
        Binary::Or,
        Binary::Xor,
    ];
    // Inputs, updates, window dimensions of updates, inserted dimensions, components.
    let cases: [[&[usize]; 5]; 5] = [
        [&[9], &[60], &[], &[0], &[0]],
        [&[6, 5], &[6, 10, 5], &[2], &[0], &[0]],
        [&[6, 5], &[60], &[], &[0, 1], &[1, 0]],
        [&[7, 40], &[30, 33], &[1], &[0], &[0]],
        [&[6, 5], &[30, 6], &[1], &[1], &[1]],
    ];
    for element in &elements {
        for [input, update, window, inserted, map] in cases {
            let count = update.iter().take(update.len() - window.len()).product::<usize>();
            let places: Vec<i32> = noise(9, count * map.len()).iter().map(|x| (x * 9.0) as i32).collect();
            let mut sizes: Vec<usize> = update[..update.len() - window.len()].to_vec();
            sizes.push(map.len());
            let attributes = Scatter {
                update_window_dims: window.to_vec(),
                inserted_window_dims: inserted.to_vec(),
                input_batching_dims: vec![],
                scatter_indices_batching_dims: vec![],
                scatter_dims_to_operand_dims: map.to_vec(),
                index_vector_dim: sizes.len() - 1,
                indices_are_sorted: false,
                unique_indices: false,
            };
            let (x, updates) = (tensor(element, input, 1), tensor(element, update, 2));
            let places = i32s(&sizes, places);
            for operation in operations {
                let bits = matches!(operation, Binary::And | Binary::Or | Binary::Xor);
                if *element == F32 && bits {
                    continue;
                }
                let kernel = combine(operation, element);
                let [direct, general] = [Form::Combine(operation), Form::General].map(|form| {
                    let updates = std::slice::from_ref(&updates);
                    gather::scatter(
                        vec![x.clone()],
                        &places,
                        updates,
                        &attributes,
                        &body(&kernel, form),
                        false,
                    )
                    .unwrap()
                    .remove(0)
                });
                assert_eq!(bytes(&direct), bytes(&general), "{element} {operation:?} {input:?} {update:?}");
            }
        }
    }
}

/// Compares windows that are contiguous in the result with the definition.
#[test]
fn gathers() {
    let x = i32s(&[11, 6, 20], (0..1320).collect());
    for (count, vector_last) in [(0, true), (7, true), (5000, true), (7, false)] {
        let places: Vec<i32> = noise(3, count * 2).iter().map(|x| (x * 14.0) as i32).collect();
        let sizes = if vector_last { [count, 2] } else { [2, count] };
        let component = |vector: usize, at: usize| {
            i64::from(if vector_last { places[2 * vector + at] } else { places[at * count + vector] })
        };
        for slices in [[1, 1, 20], [1, 1, 1], [1, 2, 20]] {
            let collapsed = if slices[1] == 1 { vec![0, 1] } else { vec![0] };
            let window: Vec<usize> =
                (0..3).filter(|at| !collapsed.contains(at)).map(|at| slices[at]).collect();
            let attributes = Gather {
                offset_dims: (1..=window.len()).collect(),
                collapsed_slice_dims: collapsed,
                operand_batching_dims: vec![],
                start_indices_batching_dims: vec![],
                start_index_map: vec![1, 0],
                index_vector_dim: usize::from(vector_last),
                slice_sizes: Some(slices.to_vec()),
                indices_are_sorted: false,
            };
            let shape = [vec![count], window].concat();
            let result = gather::gather(&x, &i32s(&sizes, places.clone()), &attributes, &slices, &shape);
            let mut expected: Vec<i32> = vec![];
            for vector in 0..count {
                let row = component(vector, 1).clamp(0, 10) as usize;
                let middle = component(vector, 0).clamp(0, (6 - slices[1]) as i64) as usize;
                for at in 0..slices[1] {
                    let from = (row * 6 + middle + at) * 20;
                    expected.extend(&ints(&x)[from..from + slices[2]]);
                }
            }
            assert_eq!(ints(&result), expected, "{count} {slices:?}");
        }
    }
}

/// Covers cumulative sums and extremes, and long windows of other sizes.
#[test]
fn long_windows() {
    let window = |size, stride, dilation, padding| Window {
        dimensions: vec![1, size, 1],
        strides: vec![1, stride, 1],
        base_dilations: vec![1; 3],
        window_dilations: vec![1, dilation, 1],
        padding: vec![(0, 0), padding, (0, 0)],
    };
    let cases = [
        ([3, 50, 1], window(50, 1, 1, (49, 0))),
        ([1, 5000, 1], window(5000, 1, 1, (4999, 0))),
        ([2, 300, 5], window(300, 1, 1, (0, 299))),
        ([70, 1200, 1], window(1200, 1, 1, (1199, 0))),
        ([2, 100, 3], window(13, 3, 2, (4, 7))),
        ([0, 40, 2], window(40, 1, 1, (39, 0))),
    ];
    for (shape, window) in cases {
        let x = f32s(&shape, special(4, shape.iter().product()));
        for (operation, start) in
            [(Binary::Add, 0.0), (Binary::Maximum, f32::NEG_INFINITY), (Binary::Add, 1.5)]
        {
            let kernel = combine(operation, &F32);
            let [direct, general] = [Form::Combine(operation), Form::General].map(|form| {
                let start = [f32s(&[], vec![start])];
                let x = std::slice::from_ref(&x);
                reduce_window(x, &start, &window, &body(&kernel, form), false).unwrap().remove(0)
            });
            assert_eq!(direct.shape, general.shape);
            assert_eq!(bits(&direct), bits(&general), "{shape:?} {operation:?}");
        }
    }
}

/// Covers maxima and minima of rows, with and without NaN, on one thread and on several.
#[test]
fn extremes_of_rows() {
    for (rows, row) in [(3, 1), (70, 5), (40, 33), (9, 1000), (20, 4100)] {
        let mut numbers = special(8, rows * row);
        for nan in [false, true] {
            if !nan {
                numbers.iter_mut().filter(|x| x.is_nan()).for_each(|x| *x = -0.0);
                // Rows of zeros of both signs.
                numbers[..2 * row].iter_mut().for_each(|x| *x = 0.0_f32.copysign(*x));
            } else {
                numbers[2 * row..].iter_mut().step_by(41).for_each(|x| *x = f32::NAN);
            }
            let x = f32s(&[rows, row], numbers.clone());
            for (operation, start) in [
                (Binary::Maximum, f32::NEG_INFINITY),
                (Binary::Minimum, f32::INFINITY),
                (Binary::Maximum, -0.0),
                (Binary::Minimum, 0.0),
            ] {
                let kernel = combine(operation, &F32);
                let [direct, general] = [Form::Combine(operation), Form::General].map(|form| {
                    let start = [f32s(&[], vec![start])];
                    let x = std::slice::from_ref(&x);
                    reduce(x, &start, &[1], &body(&kernel, form), false).unwrap().remove(0)
                });
                assert_eq!(bits(&direct), bits(&general), "{rows} {row} {operation:?} {start}");
                assert_eq!(bits(&direct).contains(&f32::NAN.to_bits()), nan, "{rows} {row}");
            }
        }
    }
}

/// Covers windows that overlap, cross edges, have gaps, or are completely outside.
#[test]
fn selected_elements() {
    let window = |dimensions, strides, dilation, padding: [(i64, i64); 2]| Window {
        dimensions,
        strides,
        base_dilations: vec![1, 1],
        window_dilations: vec![dilation, 1],
        padding: padding.to_vec(),
    };
    let cases = [
        ([8, 9], window(vec![2, 3], vec![2, 3], 1, [(0, 0), (0, 0)])),
        ([8, 9], window(vec![3, 3], vec![1, 2], 1, [(1, 1), (2, 2)])),
        ([9, 4], window(vec![2, 2], vec![1, 1], 3, [(4, 0), (0, 3)])),
        ([60, 50], window(vec![2, 1], vec![2, 1], 1, [(0, 0), (0, 0)])),
    ];
    let add = combine(Binary::Add, &F32);
    for (shape, window) in cases {
        let output = crate::reduction::window::output_shape(&shape, &window);
        let (x, source) = (
            f32s(&shape, special(5, shape.iter().product())),
            f32s(&output, special(6, output.iter().product())),
        );
        for direction in
            [Direction::Ge, Direction::Gt, Direction::Le, Direction::Lt, Direction::Eq, Direction::Ne]
        {
            let instruction = Instruction::Compare { direction, order: Order::Partial };
            let kernel = Kernel::single(instruction, &[(F32, false), (F32, false)], &ElementType::Bool);
            let (compare, added) = (Form::Compare(direction), Form::Combine(Binary::Add));
            let [direct, listed, general] =
                [(compare, added), (compare, Form::General), (Form::General, Form::General)].map(|forms| {
                    let (select, scatter) = (body(&kernel, forms.0), body(&add, forms.1));
                    let initial = f32s(&[], vec![0.25]);
                    select_and_scatter(&x, &source, &initial, &window, &select, &scatter).unwrap()
                });
            assert_eq!(bytes(&direct), bytes(&general), "{shape:?} {direction:?}");
            assert_eq!(bytes(&listed), bytes(&general), "{shape:?} {direction:?}");
        }
    }
    assert!(matches!(&*x_of_nothing().data, Data::F32(none) if none.is_empty()));
}

/// A result without windows.
fn x_of_nothing() -> Tensor {
    let kernel = combine(Binary::Add, &F32);
    let window = Window {
        dimensions: vec![1],
        strides: vec![1],
        base_dilations: vec![1],
        window_dilations: vec![1],
        padding: vec![(0, 0)],
    };
    let (select, scatter) =
        (body(&kernel, Form::Compare(Direction::Ge)), body(&kernel, Form::Combine(Binary::Add)));
    let nothing = f32s(&[0], vec![]);
    select_and_scatter(&nothing, &nothing, &f32s(&[], vec![0.0]), &window, &select, &scatter).unwrap()
}
