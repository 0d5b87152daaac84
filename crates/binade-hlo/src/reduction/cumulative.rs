//! Cumulative operations on binary32, such as cumulative sums: windows of all elements up to each element, or from it
//! on.
//!
//! Like any long window, a window is combined from windows of powers of two, and each of these from two neighbours of
//! half the size. A window of only initial values is computed once and not stored, because it is the same everywhere.

use std::ops::Range;
use std::sync::Arc;

use binade_simd::{Environment, threads};
use binade_stablehlo::Data;
use binade_stablehlo::ir::Window;

use super::reduce::Combine;
use crate::buffer_pool;
use crate::movement::layout::PARALLEL;

/// The elements that are processed at once.
const BLOCK: usize = 1024;

/// The extent of windows along a dimension.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Direction {
    /// Each window has an element and all elements before it.
    Before,
    /// Each window has an element and all elements after it.
    After,
}

/// Returns the dimension along which windows are cumulative, and their direction; `None` for other windows.
pub(crate) fn running(shape: &[usize], window: &Window) -> Option<(usize, Direction)> {
    let plain = window
        .strides
        .iter()
        .chain(&window.base_dilations)
        .chain(&window.window_dilations)
        .all(|&by| by == 1);
    let mut along = (0..shape.len()).filter(|&at| window.dimensions[at] > 1);
    let dimension = along.next().filter(|_| plain && along.next().is_none())?;
    if window.dimensions[dimension] != shape[dimension]
        || (0..shape.len()).any(|at| at != dimension && window.padding[at] != (0, 0))
    {
        return None;
    }
    let others = shape[dimension] as i64 - 1;
    match window.padding[dimension] {
        padding if padding == (others, 0) => Some((dimension, Direction::Before)),
        padding if padding == (0, others) => Some((dimension, Direction::After)),
        _ => None,
    }
}

/// Windows along one dimension, and the operation that combines their elements.
pub(crate) struct Cumulative {
    pub(crate) direction: Direction,
    /// The number of positions along the dimension; each has `inner` elements.
    pub(crate) length: usize,
    pub(crate) inner: usize,
    pub(crate) combine: Combine,
}

impl Cumulative {
    /// Combines the initial value and the elements of each window.
    pub(crate) fn all(&self, data: &[f32], initial: f32) -> Vec<f32> {
        let row = self.length * self.inner;
        let mut results = buffer_pool::copy(data);
        threads::chunks(data.len() >= PARALLEL, &mut results, row, |_, results| {
            let _environment = Environment::enter();
            self.row(results, initial);
        });
        results
    }

    /// Replaces the elements of one row by the results.
    fn row(&self, level: &mut [f32], initial: f32) {
        let length = level.len();
        let blocks = || (0..length).step_by(BLOCK).map(|start| start..length.min(start + BLOCK));
        let mut buffer = [0.0; BLOCK];
        // `outside` combines a window of initial values. `results` combines the powers of two that are covered so far,
        // in order.
        let (mut outside, mut results, mut covered, mut power) = (initial, None::<Vec<f32>>, 0, 1);
        loop {
            if power == self.length {
                break;
            }
            if self.length & power != 0 {
                let by = match self.direction {
                    Direction::Before => self.length - covered - power,
                    Direction::After => covered,
                } * self.inner;
                let started = results.is_some();
                let results = results.get_or_insert_with(|| buffer_pool::elements(length));
                for range in blocks() {
                    let part = self.shifted(level, by, outside, range.clone(), &mut buffer);
                    match started {
                        true => (self.combine)(&mut results[range], part),
                        false => results[range].copy_from_slice(part),
                    }
                }
                covered += power;
            }
            if 2 * power > self.length {
                break;
            }
            // The blocks are in an order that reads each element before it is overwritten.
            match self.direction {
                Direction::Before => blocks().rev().for_each(|range| {
                    let first = self.shifted(level, power * self.inner, outside, range.clone(), &mut buffer);
                    (self.combine)(first, &level[range.clone()]);
                    level[range].copy_from_slice(first);
                }),
                Direction::After => blocks().for_each(|range| {
                    let second = self.shifted(level, power * self.inner, outside, range.clone(), &mut buffer);
                    (self.combine)(&mut level[range], second);
                }),
            }
            let mut both = [outside];
            (self.combine)(&mut both, &[outside]);
            outside = both[0];
            power *= 2;
        }
        for range in blocks() {
            let first = &mut buffer[..range.len()];
            first.fill(initial);
            (self.combine)(first, &results.as_deref().unwrap_or(level)[range.clone()]);
            level[range].copy_from_slice(first);
        }
        if let Some(results) = results {
            buffer_pool::give(Arc::new(Data::F32(results)));
        }
    }

    /// Copies the elements at distance `by` before or after those of a range, with `outside` beyond the ends.
    fn shifted<'r>(
        &self,
        level: &[f32],
        by: usize,
        outside: f32,
        range: Range<usize>,
        buffer: &'r mut [f32; BLOCK],
    ) -> &'r mut [f32] {
        let buffer = &mut buffer[..range.len()];
        match self.direction {
            Direction::Before => {
                let end = range.end.saturating_sub(by);
                let (without, within) = buffer.split_at_mut(range.len() - end.min(range.len()));
                without.fill(outside);
                within.copy_from_slice(&level[end - within.len()..end]);
            }
            Direction::After => {
                let start = level.len().min(range.start + by);
                let (within, without) = buffer.split_at_mut(range.len().min(level.len() - start));
                within.copy_from_slice(&level[start..start + within.len()]);
                without.fill(outside);
            }
        }
        buffer
    }
}

#[cfg(test)]
mod tests {
    use binade::philox::Stream;
    use binade_stablehlo::ir::Binary;

    use super::*;
    use crate::reduction::reduce::combine_f32;

    /// Combines the parts of a window of `length` elements from `start` on, the lowest power of two first.
    fn window(padded: &[f32], start: usize, length: usize, f: impl Fn(f32, f32) -> f32 + Copy) -> f32 {
        fn whole(elements: &[f32], f: impl Fn(f32, f32) -> f32 + Copy) -> f32 {
            match elements {
                &[one] => one,
                _ => {
                    let (first, second) = elements.split_at(elements.len() / 2);
                    f(whole(first, f), whole(second, f))
                }
            }
        }
        let mut rest = &padded[start..start + length];
        let mut total = None;
        while !rest.is_empty() {
            let (part, after) = rest.split_at(1 << rest.len().trailing_zeros());
            let part = whole(part, f);
            total = Some(total.map_or(part, |total| f(total, part)));
            rest = after;
        }
        total.unwrap()
    }

    #[test]
    fn windows_have_the_bits_of_their_parts_in_order() {
        let mut random = Stream::new(1);
        let mut next = || match random.word() {
            word if word >> 28 == 0 => -0.0,
            word if word >> 28 == 1 => f32::INFINITY,
            word => (word as f32 - 2e9) * 2f32.powi((word >> 8) as i32 % 20),
        };
        for (length, inner) in [(9, 1), (64, 1), (65, 3), (100, 1), (255, 2), (1024, 1), (1500, 1), (2049, 1)]
        {
            let rows: Vec<f32> = (0..2 * length * inner).map(|_| next()).collect();
            for (direction, initial) in [
                (Direction::Before, 0.0),
                (Direction::After, 0.0),
                (Direction::Before, 0.1),
                (Direction::After, -0.0),
            ] {
                for (binary, f) in
                    [(Binary::Add, (|x, y| x + y) as fn(f32, f32) -> f32), (Binary::Multiply, |x, y| x * y)]
                {
                    let combine = combine_f32(binary).unwrap();
                    let results = Cumulative { direction, length, inner, combine }.all(&rows, initial);
                    for (at, result) in results.into_iter().enumerate() {
                        let (row, column, lane) = (at / inner / length, at / inner % length, at % inner);
                        let own = |i: usize| rows[(row * length + i) * inner + lane];
                        let outside = vec![initial; length - 1];
                        let (padded, start): (Vec<f32>, usize) = match direction {
                            Direction::Before => {
                                (outside.into_iter().chain((0..length).map(own)).collect(), column)
                            }
                            Direction::After => ((0..length).map(own).chain(outside).collect(), column),
                        };
                        let expected = f(initial, window(&padded, start, length, f));
                        assert!(
                            result.to_bits() == expected.to_bits() || result.is_nan() && expected.is_nan(),
                            "{direction:?} {length} {inner} {at}: {result} is not {expected}"
                        );
                    }
                }
            }
        }
    }
}
