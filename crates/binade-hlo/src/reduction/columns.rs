//! Views a reduction as columns of matrices, so that vector lanes compute many reductions at once.

use std::ops::Range;

use binade_fma::LANES;
use binade_stablehlo::Tensor;

use crate::movement::layout::{self, Layout};
use crate::movement::shape;

/// The lanes in which a commutative operation folds a run.
pub(crate) const FOLD_LANES: usize = 1024;

/// Neighbouring dimensions that are all kept or all reduced.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) size: usize,
    pub(crate) reduced: bool,
}

/// The least number of elements that are shared among threads.
pub(crate) const SHARED: usize = 1 << 16;

/// The columns that are reduced at once: if they are neighbours in memory, and if their rows must be gathered.
pub(crate) const NEIGHBOURS: usize = 512;
pub(crate) const OTHERS: usize = 64;

/// The rows that are gathered at once.
const ROWS: usize = 32;

/// Matrices of `depth` rows, whose columns are reduced.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Columns {
    pub(crate) matrices: usize,
    pub(crate) depth: usize,
    pub(crate) columns: usize,
    /// The distance from a row to the next, and from a column to the next.
    pub(crate) strides: (usize, usize),
}

impl Columns {
    /// The `length` reductions of a tensor. Also returns the transposed tensor, if the dimensions are not those of
    /// matrices.
    pub(crate) fn of(
        x: &Tensor,
        dimensions: &[usize],
        groups: &[Group],
        length: usize,
    ) -> (Columns, Option<Tensor>) {
        let size = |at: usize| groups[at].size;
        let one = |depth, columns, strides| Columns { matrices: 1, depth, columns, strides };
        let reduced: Vec<bool> = groups.iter().map(|group| group.reduced).collect();
        let columns = match reduced[..] {
            [] | [false] => one(1, length, (length, 1)),
            [true] => one(size(0), 1, (1, 1)),
            [true, false] => one(size(0), size(1), (size(1), 1)),
            [false, true] => one(size(1), size(0), (1, size(1))),
            [false, true, false] => Columns { matrices: size(0), ..one(size(1), size(2), (size(2), 1)) },
            _ => {
                let mut order: Vec<usize> = dimensions.to_vec();
                order.sort_unstable();
                order.extend((0..x.shape.len()).filter(|dimension| !dimensions.contains(dimension)));
                let columns = one(x.data.len() / length, length, (length, 1));
                return (columns, Some(shape::transpose(x, &order)));
            }
        };
        (columns, None)
    }

    /// The number of columns that are reduced at once.
    pub(crate) fn block(self) -> usize {
        if self.strides.1 == 1 { NEIGHBOURS } else { OTHERS }
    }

    /// Passes the rows of some columns to `push`, in whole lanes: some rows, the distance between them, and their
    /// number.
    pub(crate) fn rows(self, x: &[f32], columns: Range<usize>, push: &mut dyn FnMut(&[f32], usize, usize)) {
        let (down, across) = self.strides;
        let width = columns.len();
        if across == 1 && width.is_multiple_of(LANES) {
            return push(&x[columns.start..], down, self.depth);
        }
        let stride = width.next_multiple_of(LANES);
        let mut gathered = vec![0.0; stride * ROWS.min(self.depth)];
        for first in (0..self.depth).step_by(ROWS) {
            let rows = ROWS.min(self.depth - first);
            let from = Layout {
                offset: (first * down + columns.start * across) as isize,
                strides: vec![down as isize, across as isize],
            };
            let to = Layout { offset: 0, strides: vec![stride as isize, 1] };
            layout::copy(&[rows, width], x, &from, &mut gathered, &to);
            push(&gathered, stride, rows);
        }
    }
}

/// The number of chunks of equally many rows that are reduced separately, for `columns` columns of `rows` rows.
pub(crate) fn chunks(rows: usize, columns: usize, in_order: bool) -> usize {
    match in_order || columns >= FOLD_LANES / 2 {
        true => 1,
        false => (FOLD_LANES / columns).min(rows / 8).max(1),
    }
}
