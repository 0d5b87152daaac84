//! Sums by an operator: of the elements x and the sum so far, FMA(x, 1, sum), in the order that its rule says. A sum of n
//! elements is thus the product of 1, 1, … with them, which the kernels of products compute. Factors 1 may change places
//! with x: all partial products but x's own parts are zero either way, and those are added in one order.

use std::sync::Arc;

use binade_kernels::{Matrix, MatrixMut, Multiplier, Order, reference};
use rayon::prelude::*;

use crate::eval::EvalError;
use crate::eval::emulated::{Emulated, Fused};
use crate::eval::reduce::Group;
use crate::eval::shape;
use crate::tensor::{Data, Tensor};

/// From so many elements on all threads add.
const SHARED: usize = 1 << 16;

/// Columns up to which the accumulators of `lanes` are columns of their own: each is a chain of dependent steps.
const FEW: usize = 64;

/// Adds to every element of `sums` the elements of its column of dense rows.
pub(crate) fn add_rows(emulated: &Emulated, rows: &[f32], sums: &mut [f32]) -> Result<(), EvalError> {
    let (depth, columns) = (rows.len() / sums.len(), sums.len());
    Columns { matrices: 1, depth, columns, strides: (columns, 1) }.product(emulated.multiplier(), rows, sums)
}

/// Running sums along a dimension, one element after the other from `initial` on.
pub(crate) fn running(
    emulated: &Emulated,
    x: &Tensor,
    initial: f32,
    dimension: usize,
) -> Result<Tensor, EvalError> {
    let mut order: Vec<usize> = (0..x.shape.len()).collect();
    order.remove(dimension);
    order.insert(0, dimension);
    let moved = shape::transpose(x, &order);
    let Data::F32(x) = &*moved.data else {
        return Err(EvalError::element("a sum by an operator", &x.element));
    };
    let columns = x.len() / moved.shape[0];
    let mut sums = vec![0.0; x.len()];
    let first = vec![initial; columns];
    for (row, x) in x.chunks_exact(columns).enumerate() {
        let (before, after) = sums.split_at_mut(row * columns);
        let before = if row == 0 { &first } else { &before[before.len() - columns..] };
        emulated.fused(Fused::Accumulate, [before, x, &[]], &mut after[..columns]);
    }
    let mut back: Vec<usize> = (1..=dimension).collect();
    back.push(0);
    back.extend(dimension + 1..order.len());
    let sums = Tensor { data: Arc::new(Data::F32(sums)), ..moved.clone() };
    Ok(shape::transpose(&sums, &back))
}

/// Matrices of `depth` rows, whose columns are added up.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Columns {
    matrices: usize,
    depth: usize,
    columns: usize,
    /// Elements from a row to the next, and from a column to the next.
    strides: (usize, usize),
}

/// Adds to every element of `sums` the elements of `x` along the reduced dimensions.
pub(crate) fn add(
    emulated: &Emulated,
    x: &Tensor,
    dimensions: &[usize],
    groups: &[Group],
    sums: &mut [f32],
) -> Result<(), EvalError> {
    let reduced = |at: usize| groups[at].reduced;
    let size = |at: usize| groups[at].size;
    let (columns, moved) = match groups.len() {
        0 | 1 if groups.iter().all(|group| !group.reduced) => {
            (Columns { matrices: 1, depth: 1, columns: sums.len(), strides: (sums.len(), 1) }, None)
        }
        1 => (Columns { matrices: 1, depth: size(0), columns: 1, strides: (1, 1) }, None),
        2 if reduced(0) => {
            (Columns { matrices: 1, depth: size(0), columns: size(1), strides: (size(1), 1) }, None)
        }
        2 => (Columns { matrices: 1, depth: size(1), columns: size(0), strides: (1, size(1)) }, None),
        3 if reduced(1) => {
            (Columns { matrices: size(0), depth: size(1), columns: size(2), strides: (size(2), 1) }, None)
        }
        _ => {
            let kept = (0..x.shape.len()).filter(|dimension| !dimensions.contains(dimension));
            let mut order: Vec<usize> = dimensions.to_vec();
            order.sort_unstable();
            order.extend(kept);
            let (depth, columns) = (x.data.len() / sums.len(), sums.len());
            (
                Columns { matrices: 1, depth, columns, strides: (columns, 1) },
                Some(shape::transpose(x, &order)),
            )
        }
    };
    match &*moved.as_ref().unwrap_or(x).data {
        Data::F32(x) => Ok(columns.add(emulated, x, sums)?),
        _ => Err(EvalError::element("a sum by an operator", &x.element)),
    }
}

impl Columns {
    fn add(self, emulated: &Emulated, x: &[f32], sums: &mut [f32]) -> Result<(), EvalError> {
        let multiplier = emulated.multiplier();
        let all = self.matrices * self.depth * self.columns;
        let threads = if all < SHARED { 1 } else { rayon::current_num_threads() };
        if let (1, Order::Lanes { lanes }) = (self.matrices, multiplier.order())
            && self.columns < FEW
        {
            return self.in_lanes(multiplier, lanes.min(self.depth), threads, x, sums);
        }
        let size = self.depth * self.columns;
        let matrix = |(x, sums): (&[f32], &mut [f32]), threads| {
            self.product(&multiplier.clone().with_threads(threads), x, sums)
        };
        match self.matrices {
            1 => matrix((x, sums), threads),
            _ if threads == 1 || self.matrices < threads => x
                .chunks_exact(size)
                .zip(sums.chunks_exact_mut(self.columns))
                .try_for_each(|pair| matrix(pair, threads)),
            _ => x
                .par_chunks_exact(size)
                .zip(sums.par_chunks_exact_mut(self.columns))
                .try_for_each(|pair| matrix(pair, 1)),
        }
    }

    /// Adds the columns of one matrix.
    fn product(self, multiplier: &Multiplier, x: &[f32], sums: &mut [f32]) -> Result<(), EvalError> {
        let ones = vec![1.0; self.depth];
        let ones = Matrix::new(&ones, 1, self.depth)?;
        let x = Matrix::with_strides(x, self.depth, self.columns, self.strides.0, self.strides.1)?;
        Ok(multiplier.multiply(ones, x, MatrixMut::new(sums, 1, self.columns)?)?)
    }

    /// The order `lanes` with every accumulator as a column.
    fn in_lanes(
        self,
        multiplier: &Multiplier,
        lanes: usize,
        threads: usize,
        x: &[f32],
        sums: &mut [f32],
    ) -> Result<(), EvalError> {
        let operator = multiplier.operator();
        let sequential =
            Multiplier::new(operator.clone(), Order::Sequential).expect("every operator goes in sequence");
        let sequential = sequential.with_threads(threads);
        let (least, longer) = (self.depth / lanes, self.depth % lanes);
        for column in 0..self.columns {
            let mut totals = vec![0.0; lanes];
            let x = &x[column * self.strides.1..];
            let accumulators = |depth| Columns {
                matrices: 1,
                depth,
                columns: lanes,
                strides: (lanes * self.strides.0, self.strides.0),
            };
            accumulators(least).product(&sequential, x, &mut totals)?;
            // The last element of the lanes that have one more.
            let last = Columns { columns: longer, ..accumulators(1) };
            if longer > 0 {
                last.product(&sequential, &x[least * lanes * self.strides.0..], &mut totals[..longer])?;
            }
            let total = |sum, lane: &f32| reference::accumulate(operator, f64::from(*lane), sum);
            sums[column] = totals.iter().fold(sums[column], total);
        }
        Ok(())
    }
}
