//! Reduces binary32 numbers by one operation that rounds each result to a format, many columns at once in lanes. Each
//! column has the order that [`crate::reduction::reduce`] has for general bodies.

use std::ops::Range;

use binade_kernels::{Fold, Rounder};
use binade_simd::threads;

use super::columns::{Columns, SHARED, chunks};

/// Fewer columns than this are too few for vectors.
const FEW: usize = 16;

/// One operation, and the rounding of its result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Folding<'a> {
    pub(crate) fold: Fold,
    pub(crate) rounder: &'a Rounder,
}

impl Folding<'_> {
    /// Folds the columns of all matrices into `totals`.
    pub(crate) fn all(self, columns: Columns, x: &[f32], in_order: bool, totals: &mut [f32]) {
        let Columns { matrices, depth, columns: width, strides: (down, across) } = columns;
        let (length, size) = (totals.len(), depth * width);
        let chunks = chunks(depth, length, in_order);
        let steps = depth / chunks;
        let mut done = 0;
        if chunks > 1 {
            done = steps * chunks;
            let mut parts = vec![0.0; chunks * length];
            if width >= FEW {
                let chunk = Columns { depth: steps, ..columns };
                let from = |number: usize| number % matrices * size + number / matrices * steps * down;
                self.share(chunk, |number| &x[from(number)..], true, &mut parts);
            } else {
                // Each chunk is a lane.
                let lanes =
                    Columns { matrices: 1, depth: steps, columns: chunks, strides: (down, steps * down) };
                let mut all = vec![0.0; chunks];
                for at in 0..length {
                    let from = at / width * size + at % width * across;
                    self.share(lanes, |_| &x[from..], true, &mut all);
                    parts[at..].iter_mut().step_by(length).zip(&all).for_each(|(part, lane)| *part = *lane);
                }
            }
            let total = self.tree(parts, length);
            self.rounder.fold_rows(self.fold, &total, length, 1, totals);
        }
        if done < depth {
            let rest = Columns { depth: depth - done, ..columns };
            self.share(rest, |matrix| &x[matrix * size + done * down..], false, totals);
        }
    }

    /// Folds the columns of matrices, on all threads if there are enough elements. `from` returns the start of a matrix
    /// by its number.
    fn share<'x>(
        self,
        columns: Columns,
        from: impl Fn(usize) -> &'x [f32] + Sync,
        fresh: bool,
        totals: &mut [f32],
    ) {
        let block = columns.block();
        let shared = totals.len() * columns.depth >= SHARED;
        threads::chunks(shared, totals, columns.columns, |matrix, totals| {
            threads::chunks(shared, totals, block, |number, totals| {
                let first = number * block;
                self.walk(columns, from(matrix), first..first + totals.len(), fresh, totals);
            });
        });
    }

    /// Folds some columns of a matrix, row by row. With `fresh`, the first row is the initial total.
    fn walk(self, columns: Columns, x: &[f32], range: Range<usize>, mut fresh: bool, totals: &mut [f32]) {
        if let (1, across) = columns.strides {
            let (mut x, mut depth) = (&x[range.start * across..], columns.depth);
            if fresh {
                totals.iter_mut().zip(x.iter().step_by(across)).for_each(|(total, x)| *total = *x);
                (x, depth) = (&x[1..], depth - 1);
            }
            if self.rounder.fold_each(self.fold, x, across, depth, totals) {
                return;
            }
        }
        let mut push = |mut rows: &[f32], stride: usize, mut count: usize| {
            if std::mem::take(&mut fresh) {
                totals.copy_from_slice(&rows[..totals.len()]);
                count -= 1;
                rows = rows.get(stride..).unwrap_or_default();
            }
            self.rounder.fold_rows(self.fold, rows, stride, count, totals);
        };
        match columns.strides {
            (down, 1) => push(&x[range.start..], down, columns.depth),
            _ => columns.rows(x, range, &mut push),
        }
    }

    /// Combines rows 0 and 1, 2 and 3, …, until one is left.
    fn tree(self, mut rows: Vec<f32>, width: usize) -> Vec<f32> {
        while rows.len() > width {
            let pairs = rows.chunks(2 * width);
            let mut next: Vec<f32> = pairs.clone().flat_map(|pair| &pair[..width]).copied().collect();
            let second: Vec<f32> = pairs.flat_map(|pair| &pair[width..]).copied().collect();
            // With an odd number, the last row passes unchanged.
            self.rounder.fold_rows(self.fold, &second, 0, 1, &mut next[..second.len()]);
            rows = next;
        }
        rows
    }
}
