//! Finds the greatest or least element of each row and its index, for reductions written as JAX writes `argmax` and
//! `argmin`.
//!
//! Such a reduction has two operands, elements and a counter of them. Its region is
//!
//! | result | is |
//! |---|---|
//! | p | a > c, or a is NaN (a < c for the least) |
//! | the element | a if p, else c |
//! | the place | b if p or a = c and b < d, else d |
//!
//! for the element a at place b and the element c at place d. The result does not depend on the order of steps. The
//! element is the first NaN, or else the last of the greatest ones. The place is the first one of either. So vectors
//! can search the rows.

use binade_simd::lanes::Leg;
use binade_simd::threads;
use binade_stablehlo::ir::{Binary, Direction, Op, Operation, Order, Region, ValueId};
use binade_stablehlo::{ElementType, FloatType, Type};

use crate::arithmetic::instruction_set::ISA;
use crate::arithmetic::rules::Rules;
use crate::movement::layout::PARALLEL;

/// A reduction that finds such an element and its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ArgExtreme {
    pub(crate) x: ValueId,
    /// The initial element and place.
    pub(crate) initial: [ValueId; 2],
    pub(crate) greatest: bool,
    /// The number of elements in a row.
    pub(crate) row: usize,
}

const F32: ElementType = ElementType::Float(FloatType::F32);
const I32: ElementType = ElementType::Integer { signed: true, width: 32 };

impl ArgExtreme {
    /// Recognises such an operation on rows of binary32, unless a rule rounds it. `maker` returns the operation that
    /// makes a value.
    pub(crate) fn of<'o>(
        operation: &Operation,
        values: &[Type],
        rules: &Rules,
        maker: impl Fn(ValueId) -> Option<&'o Operation>,
    ) -> Option<ArgExtreme> {
        let Op::Reduce { dimensions, body } = &operation.kind else { return None };
        let (&[x, places, element, place], &[last]) = (&operation.operands[..], &dimensions[..]) else {
            return None;
        };
        let tensor = |value: ValueId| match &values[value.0 as usize] {
            Type::Tensor(tensor) => {
                Some((&tensor.element, tensor.shape.iter().copied().collect::<Option<Vec<usize>>>()?))
            }
            _ => None,
        };
        let (&F32, shape) = tensor(x)? else { return None };
        let (&I32, _) = tensor(places)? else { return None };
        let counter = maker(places)?;
        let counts = matches!(counter.kind, Op::Iota { dimension } if dimension == last);
        if !counts || last + 1 != shape.len() || shape.contains(&0) || i32::try_from(shape[last]).is_err() {
            return None;
        }
        let all = body.operations.iter().chain([operation, counter]);
        if all.into_iter().any(|operation| rules.rounding(operation, &F32).is_some()) {
            return None;
        }
        let greatest = finds_greatest(body)?;
        Some(ArgExtreme { x, initial: [element, place], greatest, row: shape[last] })
    }
}

/// Returns true if a region finds the greatest element, false if the least; `None` for other regions.
fn finds_greatest(body: &Region) -> Option<bool> {
    let (&[a, b, c, d], &[element, place]) = (&body.parameters[..], &body.results[..]) else { return None };
    let maker = |value: ValueId| body.operations.iter().find(|operation| operation.results == [value]);
    let select = |value: ValueId, yes: ValueId, no: ValueId| {
        let operation = maker(value).filter(|operation| matches!(operation.kind, Op::Select))?;
        (operation.operands[1..] == [yes, no]).then(|| operation.operands[0])
    };
    // The operands of an operation on two truth values, in either order.
    let both = |value: ValueId, binary: Binary| -> Option<[ValueId; 2]> {
        let operation =
            maker(value).filter(|operation| matches!(operation.kind, Op::Binary(op) if op == binary))?;
        operation.operands[..].try_into().ok()
    };
    let compares = |value: ValueId, wanted: Direction, of: [ValueId; 2], plain: bool| {
        maker(value).is_some_and(|operation| match operation.kind {
            Op::Compare { direction, order } => {
                direction == wanted && operation.operands == of && (!plain || order == Order::Partial)
            }
            _ => false,
        })
    };
    let first = select(element, a, c)?;
    let [beats, nan] = both(first, Binary::Or)?;
    let [by_element, by_place] = both(select(place, b, d)?, Binary::Or)?;
    let [equal, before] = both(by_place, Binary::And)?;
    let fits = by_element == first
        && compares(nan, Direction::Ne, [a, a], true)
        && compares(equal, Direction::Eq, [a, c], true)
        && compares(before, Direction::Lt, [b, d], false);
    match () {
        () if fits && compares(beats, Direction::Gt, [a, c], true) => Some(true),
        () if fits && compares(beats, Direction::Lt, [a, c], true) => Some(false),
        () => None,
    }
}

/// For each row of `row` elements, finds the element and its place.
pub(crate) fn find(x: &[f32], row: usize, greatest: bool, elements: &mut [f32], places: &mut [i32]) {
    let together = (PARALLEL / 4).div_ceil(row);
    let pieces = x.chunks(together * row).zip(elements.chunks_mut(together)).zip(places.chunks_mut(together));
    threads::each(x.len() >= PARALLEL, pieces.collect(), |((x, elements), places)| {
        for ((x, element), place) in x.chunks_exact(row).zip(elements).zip(places) {
            (*element, *place) = ISA.run(Row { x, greatest });
        }
    });
}

struct Row<'a> {
    x: &'a [f32],
    greatest: bool,
}

impl binade_simd::Kernel for Row<'_> {
    type Output = (f32, i32);

    #[inline(always)]
    fn run<L: Leg>(self, _: L) -> (f32, i32) {
        const LANES: usize = 32;
        let Row { x, greatest } = self;
        // A NaN never wins against a number, nor a number against a NaN.
        let (mut best, mut nan) = ([x[0]; LANES], [false; LANES]);
        let (whole, rest) = x.as_chunks::<LANES>();
        macro_rules! beat {
            ($beats:expr) => {{
                for x in whole {
                    for ((best, nan), &x) in best.iter_mut().zip(&mut nan).zip(x) {
                        *nan |= x != x;
                        *best = if $beats(x, *best) { x } else { *best };
                    }
                }
                for ((best, nan), &x) in best.iter_mut().zip(&mut nan).zip(rest) {
                    *nan |= x != x;
                    *best = if $beats(x, *best) { x } else { *best };
                }
                best.into_iter().fold(x[0], |best, x| if $beats(x, best) { x } else { best })
            }};
        }
        let best = match greatest {
            true => beat!(|x: f32, best: f32| x > best),
            false => beat!(|x: f32, best: f32| x < best),
        };
        if nan.contains(&true) || best.is_nan() {
            let first = x.iter().position(|x| x.is_nan()).unwrap_or_default();
            return (x[first], first as i32);
        }
        let first = x.iter().position(|&x| x == best).unwrap_or_default();
        // Zeros of both signs are equal.
        let element = match best == 0.0 {
            true => x.iter().rev().copied().find(|&x| x == 0.0).unwrap_or(best),
            false => best,
        };
        (element, first as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::noise;

    /// Applies the region to one element after the other.
    fn by_steps(x: &[f32], greatest: bool) -> (f32, i32) {
        (x.iter().enumerate().skip(1)).fold((x[0], 0), |(a, b), (d, &c)| {
            let d = d as i32;
            let beats = (if greatest { a > c } else { a < c }) || a.is_nan();
            (if beats { a } else { c }, if beats || a == c && b < d { b } else { d })
        })
    }

    #[test]
    fn rows_with_ties_zeros_and_nan_give_what_steps_give() {
        for length in [1, 2, 31, 32, 33, 64, 100, 1000] {
            for kind in 0..6u64 {
                let mut x = noise(kind, length);
                match kind {
                    1 => x.iter_mut().for_each(|x| *x = (*x * 3.0).round()),
                    2 => x.iter_mut().for_each(|x| *x = if *x > 0.0 { 0.0 } else { -0.0 }),
                    3 => x[length / 2] = f32::from_bits(0x7fc0_1234),
                    4 => x.iter_mut().step_by(7).for_each(|x| *x = f32::from_bits(0xffc0_0001)),
                    5 => x.iter_mut().for_each(|x| *x = f32::NEG_INFINITY),
                    _ => {}
                }
                for greatest in [true, false] {
                    let (mut element, mut place) = ([0.0], [0]);
                    find(&x, length, greatest, &mut element, &mut place);
                    let expected = by_steps(&x, greatest);
                    assert_eq!(
                        (element[0].to_bits(), place[0]),
                        (expected.0.to_bits(), expected.1),
                        "{kind} {length}"
                    );
                }
            }
        }
    }
}
