//! Sums by an operator of windows that are all elements so far along a dimension, as of cumulative sums, in orders by which
//! windows share partial sums. Each window begins with as many zeros as make it as long as the dimension.
//!
//! - `lanes`: from one window to the next all elements move one place to the front, so that two are in the same lane of
//!   every window or of none. Zeros before them change no lane: its sum in a window is that of every Nth element up to its
//!   last one.
//! - `pairwise`: the tree over 2^k elements is made of the two over its halves, wherever in a window it lies. A window's tree
//!   is made of those over the powers of two that its length is the sum of, the largest one first.
//!
//! A matrix takes the number of lanes, or the logarithm of the length, times as many steps as it has elements.

use binade_fma::{LANES, Lanes, MultiplyAdd, Order};
use binade_simd::threads;

use crate::eval::emulated::Emulated;
use crate::eval::sum::lanes;
use crate::tensor::{Data, Tensor};

/// None if windows share nothing in the operator's order, or not from this initial value on.
pub(crate) fn windows(emulated: &Emulated, x: &Tensor, initial: &Tensor, dimension: usize) -> Option<Tensor> {
    let (step, order) = (emulated.step(), emulated.multiplier().order());
    let (Data::F32(data), Data::F32(first)) = (&*x.data, &*initial.data) else { return None };
    let is_zero = first[0].to_bits() == 0 && emulated.is_neutral(initial);
    if !step.is_fast() || !is_zero || !matches!(order, Order::Lanes { .. } | Order::Pairwise) {
        return None;
    }
    let (length, inner) = (x.shape[dimension], x.shape[dimension + 1..].iter().product());
    let windows = Windows { step, length, inner };
    let mut sums = vec![0.0; data.len()];
    let size = (length * inner).max(1);
    threads::chunks(true, &mut sums, size, |matrix, sums| {
        let x = &data[matrix * size..][..size];
        match order {
            Order::Lanes { lanes } => windows.in_lanes(lanes, x, sums),
            _ => windows.in_trees(x, sums),
        }
    });
    Some(Tensor::new(x.element.clone(), x.shape.clone(), Data::F32(sums)))
}

/// Windows along the rows of a matrix, of `inner` elements each.
struct Windows<'a> {
    step: &'a MultiplyAdd,
    length: usize,
    inner: usize,
}

const ONE: &[Lanes] = &[[1.0; LANES]];

impl Windows<'_> {
    /// Writes x · 1 + `sums` to `sums`, for as many elements as x has.
    fn add(&self, x: &[f32], sums: &mut Vec<Lanes>) {
        let mut next = vec![[0.0; LANES]; sums.len()];
        self.step.apply_all_in_default([&lanes(x), ONE, sums], &mut next);
        *sums = next;
    }

    fn in_lanes(&self, count: usize, x: &[f32], sums: &mut [f32]) {
        let inner = self.inner;
        // For each row the sum of its lane up to it: of every `count`th row.
        let mut own = vec![0.0; x.len()];
        for (number, x) in x.chunks(count.saturating_mul(inner)).enumerate() {
            let start = number * count * inner;
            let before = if number > 0 { &own[start - count * inner..][..x.len()] } else { &[] };
            let mut total = vec![[0.0; LANES]; x.len().div_ceil(LANES)];
            total.as_flattened_mut()[..before.len()].copy_from_slice(before);
            self.add(x, &mut total);
            own[start..start + x.len()].copy_from_slice(&total.as_flattened()[..x.len()]);
        }
        let mut all = lanes(sums);
        for lane in 0..count.min(self.length) {
            // How many rows before a window's last one that of this lane lies; before the first row there are zeros.
            let back = (self.length - 1 - lane) % count * inner;
            let mut part = vec![[0.0; LANES]; all.len()];
            part.as_flattened_mut()[back..x.len()].copy_from_slice(&own[..x.len() - back]);
            self.step.accumulate_in_default(&part, &mut all);
        }
        sums.copy_from_slice(&all.as_flattened()[..sums.len()]);
    }

    fn in_trees(&self, x: &[f32], sums: &mut [f32]) {
        let (length, inner) = (self.length, self.inner);
        // The trees over 2^k rows, by their first row among the zeros and the elements.
        let mut trees = vec![0.0; (length - 1) * inner];
        trees.extend(x);
        let mut level = vec![[0.0; LANES]; trees.len().div_ceil(LANES)];
        self.add(&trees, &mut level);
        let (mut rows, mut covered, mut power) = (2 * length - 1, 0, 1);
        // Over the last `covered` elements of each window.
        let mut total: Option<Vec<Lanes>> = None;
        loop {
            if length & power != 0 {
                covered += power;
                let first = (length - covered) * inner;
                let mut part = lanes(&level.as_flattened()[first..first + x.len()]);
                if let Some(total) = &total {
                    self.step.accumulate_in_default(total, &mut part);
                }
                total = Some(part);
            }
            if covered == length {
                break;
            }
            rows -= power;
            let right = lanes(&level.as_flattened()[power * inner..][..rows * inner]);
            level.truncate(right.len());
            self.step.accumulate_in_default(&right, &mut level);
            power *= 2;
        }
        let mut all = lanes(sums);
        if let Some(total) = total {
            self.step.accumulate_in_default(&total, &mut all);
        }
        sums.copy_from_slice(&all.as_flattened()[..sums.len()]);
    }
}
