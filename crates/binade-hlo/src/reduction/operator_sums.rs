//! Sums under an operator, in the order of its rule: the step for an element x is FMA(x, 1, sum).
//!
//! Sums are columns of lanes, to which rows of elements are added. A sum of n elements is also the product of 1, 1, …
//! with them. The orders are defined on products, and orders without single steps are computed as such. In a product
//! the factors 1 may be exchanged with x. All partial products except the parts of x are zero either way, and these
//! parts are added in one order.

use std::ops::Range;
use std::sync::Arc;

use binade_fma::{LANES, Lanes, Matrix, MatrixMut, MultiplyAdd, Order, reference};
use binade_simd::threads;
use binade_stablehlo::{Data, Tensor, View};

use super::columns::{Columns, Group, NEIGHBOURS, OTHERS, SHARED};
use crate::arithmetic::emulated::{Emulated, Fused};
use crate::error::EvalError;
use crate::movement::shape;

/// Fewer sums than this are too few for vectors; their elements are divided instead.
const FEW: usize = LANES;
const LONG: usize = 1024;

/// Adds the elements of `x` along the reduced dimensions to each element of `sums`.
pub(crate) fn add(
    emulated: &Emulated,
    x: &Tensor,
    dimensions: &[usize],
    groups: &[Group],
    sums: &mut [f32],
) -> Result<(), EvalError> {
    let (columns, moved) = Columns::of(x, dimensions, groups, sums.len());
    match &*moved.as_ref().unwrap_or(x).data {
        Data::F32(x) => columns.add(emulated, x, sums),
        _ => Err(EvalError::element("a sum by an operator", &x.element)),
    }
}

/// Adds the elements of its column of dense rows to each element of `sums`, on one thread.
pub(crate) fn add_rows(emulated: &Emulated, rows: &[f32], sums: &mut [f32]) -> Result<(), EvalError> {
    let (depth, columns) = (rows.len() / sums.len(), sums.len());
    Columns { matrices: 1, depth, columns, strides: (columns, 1) }.matrix(emulated, rows, sums, false)
}

/// Running sums along a dimension, one element after the other, starting from `initial`.
pub(crate) fn running(emulated: &Emulated, x: &Tensor, initial: &Tensor, dimension: usize) -> Tensor {
    let mut order: Vec<usize> = (0..x.shape.len()).collect();
    order.remove(dimension);
    order.insert(0, dimension);
    let moved = shape::transpose(x, &order);
    let columns = x.data.len() / x.shape[dimension];
    let first = shape::broadcast_in_dim(initial, &[], &[columns]);
    let mut sums = Data::zeros(&x.element, x.data.len());
    let mut rest = sums.view_mut();
    let mut before = first.data.view();
    for row in 0..x.shape[dimension] {
        let (mut sum, others) = rest.split_at(columns);
        let x = moved.data.view().range(row * columns..(row + 1) * columns);
        emulated.apply(
            Fused::Accumulate,
            &initial.element,
            [before, x, View::U8(&[])],
            sum.range(0..columns),
        );
        before = sum.into_view();
        rest = others;
    }
    let mut back: Vec<usize> = (1..=dimension).collect();
    back.push(0);
    back.extend(dimension + 1..order.len());
    shape::transpose(&Tensor { data: Arc::new(sums), ..moved }, &back)
}

/// Elements as lanes, the last ones filled with zeros.
pub(crate) fn lanes(x: &[f32]) -> Vec<Lanes> {
    let mut lanes = vec![[0.0; LANES]; x.len().div_ceil(LANES)];
    lanes.as_flattened_mut()[..x.len()].copy_from_slice(x);
    lanes
}

impl Columns {
    /// Adds all columns of all matrices.
    fn add(self, emulated: &Emulated, x: &[f32], sums: &mut [f32]) -> Result<(), EvalError> {
        let size = self.depth * self.columns;
        let shared = self.matrices * size >= SHARED;
        let whole = shared && self.matrices >= 2 * rayon::current_num_threads();
        threads::try_chunks(whole, sums, self.columns, |matrix, sums| {
            self.matrix(emulated, &x[matrix * size..][..size], sums, shared && !whole)
        })
    }

    /// Adds the columns of one matrix.
    fn matrix(self, emulated: &Emulated, x: &[f32], sums: &mut [f32], shared: bool) -> Result<(), EvalError> {
        let (step, order) = (emulated.step(), emulated.multiplier().order());
        if !step.is_fast() || matches!(order, Order::Exact | Order::Aligned { .. } | Order::Any) {
            return self.product(emulated, x, sums);
        }
        let few = self.columns < FEW && self.depth >= LONG;
        match order {
            Order::Lanes { lanes } if few => self.in_lanes(emulated, lanes, x, sums),
            Order::Pairwise if few => self.in_trees(emulated, x, sums),
            _ => {
                let block = self.block();
                threads::chunks(shared, sums, block, |number, sums| {
                    let first = number * block;
                    self.walk(step, order, x, first..first + sums.len(), sums);
                });
            }
        }
        Ok(())
    }

    /// Adds some columns to `sums`, row by row.
    fn walk(self, step: &MultiplyAdd, order: Order, x: &[f32], columns: Range<usize>, sums: &mut [f32]) {
        if order == Order::Sequential {
            let mut all = lanes(sums);
            self.rows(x, columns, &mut |rows, stride, count| {
                step.add_rows_in_default(rows, stride, count, &mut all);
            });
            return sums.copy_from_slice(&all.as_flattened()[..sums.len()]);
        }
        let mut walker = Walker::new(step, order, sums);
        self.rows(x, columns, &mut |rows, stride, count| walker.push_all(rows, stride, count));
        walker.finish(sums);
    }

    /// Adds the columns as a product with ones.
    fn product(self, emulated: &Emulated, x: &[f32], sums: &mut [f32]) -> Result<(), EvalError> {
        let ones = vec![1.0; self.depth];
        let ones = Matrix::new(&ones, 1, self.depth)?;
        let x = Matrix::with_strides(x, self.depth, self.columns, self.strides.0, self.strides.1)?;
        Ok(emulated.multiplier().multiply(ones, x, MatrixMut::new(sums, 1, self.columns)?)?)
    }

    /// The order `lanes`, with every accumulator as a column.
    fn in_lanes(self, emulated: &Emulated, lanes: usize, x: &[f32], sums: &mut [f32]) {
        let (step, operator) = (emulated.step(), emulated.multiplier().operator());
        let (down, lanes) = (self.strides.0, lanes.min(self.depth));
        let (least, longer) = (self.depth / lanes, self.depth % lanes);
        let columns = |depth, columns| Columns { matrices: 1, depth, columns, strides: (lanes * down, down) };
        for (column, sum) in sums.iter_mut().enumerate() {
            let x = &x[column * self.strides.1..];
            let mut totals = vec![0.0; lanes];
            for (number, totals) in totals.chunks_mut(NEIGHBOURS).enumerate() {
                let first = number * NEIGHBOURS;
                let range = first..first + totals.len();
                columns(least, lanes).walk(step, Order::Sequential, x, range, totals);
            }
            if longer > 0 {
                // The last row has elements for the first lanes only.
                let rest = &x[least * lanes * down..];
                columns(1, longer).walk(step, Order::Sequential, rest, 0..longer, &mut totals[..longer]);
            }
            let total = |sum, lane: &f32| reference::accumulate(operator, f64::from(*lane), sum);
            *sum = totals.iter().fold(*sum, total);
        }
    }

    /// The order `pairwise`, with subtrees of 2^k elements as columns. Left subtrees are full. So the tree over the
    /// subtrees and the tree over the remaining elements form the tree over all elements.
    fn in_trees(self, emulated: &Emulated, x: &[f32], sums: &mut [f32]) {
        let (step, operator) = (emulated.step(), emulated.multiplier().operator());
        let down = self.strides.0;
        let size = 1 << (self.depth / OTHERS).ilog2();
        let (trees, rest) = (self.depth / size, self.depth % size);
        let leaves = |columns: Columns, x: &[f32]| {
            let mut walker = Walker::new(step, Order::Pairwise, &vec![0.0; columns.columns]);
            let push = &mut |rows: &[f32], stride, count| walker.push_all(rows, stride, count);
            columns.rows(x, 0..columns.columns, push);
            let tree = walker.tree().unwrap_or_default();
            tree.as_flattened()[..columns.columns].to_vec()
        };
        let join = |left: f32, right: f32| reference::accumulate(operator, f64::from(right), left);
        for (column, sum) in sums.iter_mut().enumerate() {
            let x = &x[column * self.strides.1..];
            let whole = Columns { matrices: 1, depth: size, columns: trees, strides: (down, size * down) };
            let mut all = leaves(whole, x);
            if rest > 0 {
                all.extend(leaves(Columns { depth: rest, columns: 1, ..whole }, &x[trees * size * down..]));
            }
            *sum = join(*sum, joined(&all, &join));
        }
    }
}

/// The tree over one or more leaves.
fn joined(leaves: &[f32], join: &impl Fn(f32, f32) -> f32) -> f32 {
    match leaves {
        [leaf] => *leaf,
        _ => {
            let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
            join(joined(left, join), joined(right, join))
        }
    }
}

const ONE: &[Lanes] = &[[1.0; LANES]];
const ZERO: &[Lanes] = &[[0.0; LANES]];

/// Sums to which rows are added in an order.
struct Walker<'a> {
    step: &'a MultiplyAdd,
    order: Order,
    sums: Vec<Lanes>,
    /// The sums of a block or of lanes, or the trees so far, the largest first.
    parts: Vec<Vec<Lanes>>,
    /// Buffers for the next sums.
    room: Vec<Vec<Lanes>>,
    rows: usize,
}

impl<'a> Walker<'a> {
    fn new(step: &'a MultiplyAdd, order: Order, first: &[f32]) -> Walker<'a> {
        Walker { step, order, sums: lanes(first), parts: vec![], room: vec![], rows: 0 }
    }

    fn push_all(&mut self, rows: &[f32], stride: usize, count: usize) {
        let width = self.sums.len() * LANES;
        (0..count).for_each(|row| self.push(rows[row * stride..][..width].as_chunks().0));
    }

    fn push(&mut self, row: &[Lanes]) {
        let number = self.rows;
        self.rows += 1;
        let step = self.step;
        let mut next = self.room.pop().unwrap_or_else(|| vec![[0.0; LANES]; self.sums.len()]);
        let mut add = |sums: &[Lanes]| step.apply_all_in_default([row, ONE, sums], &mut next);
        let (part, begins) = match self.order {
            Order::Blocked { block } => (0, number.is_multiple_of(block)),
            Order::Lanes { lanes } => (number % lanes, number < lanes),
            Order::Pairwise => {
                add(ZERO);
                for _ in 0..number.trailing_ones() {
                    next = self.join(next);
                }
                return self.parts.push(next);
            }
            _ => {
                add(&self.sums);
                return self.room.push(std::mem::replace(&mut self.sums, next));
            }
        };
        match self.parts.get_mut(part) {
            None => {
                add(ZERO);
                self.parts.push(next);
            }
            Some(part) => {
                if begins {
                    step.accumulate_in_default(part, &mut self.sums);
                    add(ZERO);
                } else {
                    add(part);
                }
                self.room.push(std::mem::replace(part, next));
            }
        }
    }

    /// Combines the last tree with this one to its right.
    fn join(&mut self, right: Vec<Lanes>) -> Vec<Lanes> {
        let Some(mut left) = self.parts.pop() else { return right };
        self.step.accumulate_in_default(&right, &mut left);
        self.room.push(right);
        left
    }

    /// The tree over all rows, in the order `pairwise`.
    fn tree(&mut self) -> Option<Vec<Lanes>> {
        let mut tree = self.parts.pop()?;
        while !self.parts.is_empty() {
            tree = self.join(tree);
        }
        Some(tree)
    }

    fn finish(mut self, sums: &mut [f32]) {
        let parts = match self.order {
            Order::Pairwise => self.tree().into_iter().collect(),
            _ => std::mem::take(&mut self.parts),
        };
        for part in parts {
            self.step.accumulate_in_default(&part, &mut self.sums);
        }
        sums.copy_from_slice(&self.sums.as_flattened()[..sums.len()]);
    }
}
