//! Cumulative sums under an operator, in orders by which windows share partial sums. [`super::window`] uses them for
//! windows of all elements up to each element, or from it on.
//!
//! Zeros extend each window to the length of the dimension: before its first element, or after its last one.
//!
//! - `lanes`: elements that share a lane share it in every window. Where windows end at an element, the next window
//!   moves all elements one place to the front. Zeros before them change no lane, whose sum is over every Nth element
//!   up to its last. Where windows begin at an element, a lane is every Nth element from its first one on. N windows
//!   begin with this element; zeros after it are added.
//! - `pairwise`: a tree over 2^k elements consists of the trees over its halves, at any position in a window. A
//!   window's tree consists of those over the powers of two that add up to its length, the largest first.
//! - `blocked` and `aligned`: every Nth window has the same blocks. Where windows end at an element, all blocks before
//!   are shared, and so is their sum. Where windows begin at an element, blocks are added to each window's sum.
//! - `exact`: elements are added to one exact sum, which is rounded for each window.

use binade_fma::{LANES, Lanes, Order, reference};
use binade_simd::threads;
use binade_stablehlo::{Data, Tensor};

use super::cumulative::Direction;
use super::operator_sums::lanes;
use crate::arithmetic::emulated::Emulated;

/// Returns `None` if windows share nothing in the operator's order, or not with this initial value.
pub(crate) fn windows(
    emulated: &Emulated,
    x: &Tensor,
    initial: &Tensor,
    dimension: usize,
    direction: Direction,
) -> Option<Tensor> {
    let order = emulated.multiplier().order();
    let (Data::F32(data), Data::F32(first)) = (&*x.data, &*initial.data) else { return None };
    let is_zero = first[0].to_bits() == 0 && emulated.is_neutral(initial);
    if !is_zero || matches!(order, Order::Sequential | Order::Any) {
        return None;
    }
    let operator = emulated.multiplier().operator();
    let terms = match order {
        Order::Exact | Order::Aligned { .. } => reference::terms(operator, data),
        _ => vec![],
    };
    if let Order::Aligned { group, .. } = order {
        // Partial sums of groups must be binary32 numbers, as accumulators are. So terms must be binary32 numbers of
        // limited size.
        let fits = |&x: &f64| !x.is_finite() || f64::from(x as f32) == x && x.abs() * group as f64 <= MOST;
        if !terms.iter().all(fits) {
            return None;
        }
    }
    let (length, inner): (usize, usize) = (x.shape[dimension], x.shape[dimension + 1..].iter().product());
    let size = (length * inner).max(1);
    let windows = Windows { emulated, direction, length, inner, size };
    let mut sums = vec![0.0; data.len()];
    threads::chunks(true, &mut sums, size, |matrix, sums| {
        let x = &data[matrix * size..][..size];
        let terms = || &terms[matrix * size..][..size];
        match order {
            Order::Lanes { lanes } => windows.in_lanes(lanes, x, sums),
            // With one block, the remaining elements are a single lane.
            Order::Blocked { block } if block >= length => windows.in_lanes(1, x, sums),
            Order::Blocked { block } => windows.in_blocks(block, |rows| windows.chains(x, rows), sums),
            Order::Aligned { group, bits } => {
                windows.in_blocks(group.min(length), |rows| windows.groups(terms(), rows, bits), sums);
            }
            Order::Exact => windows.exactly(terms(), sums),
            _ => windows.in_trees(x, sums),
        }
    });
    Some(Tensor::new(x.element.clone(), x.shape.clone(), Data::F32(sums)))
}

/// A power of two far enough below binary32's overflow.
const MOST: f64 = (1u128 << 127) as f64;

/// The windows along the rows of a matrix, with `inner` elements in a row.
struct Windows<'a> {
    emulated: &'a Emulated,
    direction: Direction,
    length: usize,
    inner: usize,
    /// The number of elements of the matrix.
    size: usize,
}

const ONE: &[Lanes] = &[[1.0; LANES]];

impl Windows<'_> {
    /// Zeros for the matrix, in whole lanes.
    fn zeros(&self) -> Vec<Lanes> {
        vec![[0.0; LANES]; self.size.div_ceil(LANES)]
    }

    /// A matrix with as many zeros before and after it as it has elements, so that it can be shifted.
    fn between_zeros(&self, x: &[f32]) -> Vec<f32> {
        let mut all = vec![0.0; 3 * self.size + LANES];
        all[self.size..][..self.size].copy_from_slice(&x[..self.size]);
        all
    }

    /// The matrix shifted so that each row is the one `rows` after it; `x` is between zeros.
    fn after<'x>(&self, x: &'x [f32], rows: usize) -> &'x [Lanes] {
        x[self.size + rows * self.inner..][..self.size.next_multiple_of(LANES)].as_chunks().0
    }

    /// The matrix shifted so that each row is the one `rows` before it; `x` is between zeros.
    fn before<'x>(&self, x: &'x [f32], rows: usize) -> &'x [Lanes] {
        x[self.size - rows * self.inner..][..self.size.next_multiple_of(LANES)].as_chunks().0
    }

    /// Writes x · 1 + `sums` to `sums`.
    fn add(&self, x: &[Lanes], sums: &mut Vec<Lanes>) {
        let mut next = vec![[0.0; LANES]; sums.len()];
        self.emulated.step().apply_all_in_default([x, ONE, sums], &mut next);
        *sums = next;
    }

    fn accumulate(&self, x: &[Lanes], sums: &mut [Lanes]) {
        self.emulated.step().accumulate_in_default(x, sums);
    }

    /// For each row, sums `parts` at this row and at every `spacing`th row before it.
    fn running(&self, parts: &[f32], spacing: usize, step: impl Fn(&[Lanes], &mut Vec<Lanes>)) -> Vec<f32> {
        let mut own = vec![0.0; self.size];
        let chunk = spacing.saturating_mul(self.inner);
        for (number, parts) in parts[..self.size].chunks(chunk).enumerate() {
            let start = number * chunk;
            let before = if number > 0 { &own[start - chunk..][..parts.len()] } else { &[] };
            let mut total = vec![[0.0; LANES]; parts.len().div_ceil(LANES)];
            total.as_flattened_mut()[..before.len()].copy_from_slice(before);
            step(&lanes(parts), &mut total);
            own[start..start + parts.len()].copy_from_slice(&total.as_flattened()[..parts.len()]);
        }
        own
    }

    fn in_lanes(&self, count: usize, x: &[f32], sums: &mut [f32]) {
        let mut all = self.zeros();
        match self.direction {
            Direction::Before => {
                let own = self.running(x, count, |x, sums| self.add(x, sums));
                let own = self.between_zeros(&own);
                for lane in 0..count.min(self.length) {
                    // The distance of this lane's last row from the window's last row. Rows before the first are zeros.
                    let back = (self.length - 1 - lane) % count;
                    self.accumulate(self.before(&own, back), &mut all);
                }
            }
            Direction::After => {
                let x = self.between_zeros(x);
                // The first lanes have one row more than the others.
                let longer = self.length.div_ceil(count);
                let (mut own, mut shorter) = (self.zeros(), vec![]);
                for row in 0..longer {
                    if row + 1 == longer {
                        shorter = self.between_zeros(own.as_flattened());
                    }
                    self.add(self.after(&x, row * count), &mut own);
                }
                let own = self.between_zeros(own.as_flattened());
                for lane in 0..count.min(self.length) {
                    let part = if lane + (longer - 1) * count < self.length { &own } else { &shorter };
                    self.accumulate(self.after(part, lane), &mut all);
                }
            }
        }
        sums.copy_from_slice(&all.as_flattened()[..sums.len()]);
    }

    /// `parts` returns, for each row, the sum of this number of rows that end or begin there.
    fn in_blocks(&self, block: usize, parts: impl Fn(usize) -> Vec<f32>, sums: &mut [f32]) {
        let (blocks, rest) = (self.length / block, self.length % block);
        let whole = parts(block);
        let last = if rest > 0 { self.between_zeros(&parts(rest)) } else { vec![] };
        let mut all = self.zeros();
        match self.direction {
            Direction::Before => {
                let own = self.running(&whole, block, |x, sums| self.accumulate(x, sums));
                all.copy_from_slice(self.before(&self.between_zeros(&own), rest));
                if rest > 0 {
                    self.accumulate(self.after(&last, 0), &mut all);
                }
            }
            Direction::After => {
                let whole = self.between_zeros(&whole);
                for number in 0..blocks {
                    self.accumulate(self.after(&whole, number * block), &mut all);
                }
                if rest > 0 {
                    self.accumulate(self.after(&last, self.length - rest), &mut all);
                }
            }
        }
        sums.copy_from_slice(&all.as_flattened()[..sums.len()]);
    }

    /// For each row, the sum of `rows` rows that end or begin there, one after the other.
    fn chains(&self, x: &[f32], rows: usize) -> Vec<f32> {
        let x = self.between_zeros(x);
        let mut sums = self.zeros();
        for row in 0..rows {
            let x = match self.direction {
                Direction::Before => self.before(&x, rows - 1 - row),
                Direction::After => self.after(&x, row),
            };
            self.add(x, &mut sums);
        }
        sums.into_flattened()
    }

    /// For each row, the sum of `rows` rows that end or begin there, as the order `aligned` adds a group. Zeros change
    /// nothing.
    fn groups(&self, terms: &[f64], rows: usize, bits: u32) -> Vec<f32> {
        let mut group = Vec::with_capacity(rows);
        let sum = |at: usize| {
            let (row, column) = (at / self.inner, at % self.inner);
            let range = match self.direction {
                Direction::Before => (row + 1).saturating_sub(rows)..row + 1,
                Direction::After => row..self.length.min(row + rows),
            };
            group.clear();
            group.extend(range.map(|row| terms[row * self.inner + column]));
            reference::aligned(&group, bits) as f32
        };
        (0..self.size).map(sum).collect()
    }

    fn exactly(&self, terms: &[f64], sums: &mut [f32]) {
        for column in 0..self.inner {
            let mut sum = reference::ExactSum::new(self.emulated.multiplier().operator());
            for row in 0..self.length {
                let row = match self.direction {
                    Direction::Before => row,
                    Direction::After => self.length - 1 - row,
                };
                sum.add(terms[row * self.inner + column]);
                sums[row * self.inner + column] = sum.value();
            }
        }
    }

    fn in_trees(&self, x: &[f32], sums: &mut [f32]) {
        let (length, inner) = (self.length, self.inner);
        // The trees over 2^k rows, by their first row among the zeros and the elements.
        let mut trees = vec![0.0; (2 * length - 1) * inner];
        let first = if self.direction == Direction::Before { (length - 1) * inner } else { 0 };
        trees[first..][..x.len()].copy_from_slice(x);
        let mut level = vec![[0.0; LANES]; trees.len().div_ceil(LANES)];
        self.add(&lanes(&trees), &mut level);
        let (mut rows, mut covered, mut power) = (2 * length - 1, 0, 1);
        // The tree over the last `covered` elements of each window.
        let mut total: Option<Vec<Lanes>> = None;
        loop {
            if length & power != 0 {
                covered += power;
                let first = (length - covered) * inner;
                let mut part = lanes(&level.as_flattened()[first..first + x.len()]);
                if let Some(total) = &total {
                    self.accumulate(total, &mut part);
                }
                total = Some(part);
            }
            if covered == length {
                break;
            }
            rows -= power;
            let right = lanes(&level.as_flattened()[power * inner..][..rows * inner]);
            level.truncate(right.len());
            self.accumulate(&right, &mut level);
            power *= 2;
        }
        let mut all = lanes(sums);
        if let Some(total) = total {
            self.accumulate(&total, &mut all);
        }
        sums.copy_from_slice(&all.as_flattened()[..sums.len()]);
    }
}
