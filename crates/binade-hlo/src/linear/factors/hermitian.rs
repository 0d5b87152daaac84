//! Eigenvalues of hermitian matrices, for `syevd`: the tridiagonal form, and implicit QL with Wilkinson's shifts.

use super::{
    Matrix, Number, PATIENCE, TURNS, Tridiagonal, hessenberg_basis, mirrored, number, rotate, to_about_one,
    tridiagonal,
};

/// `syevd` and `heevd`. Returns eigenvectors as columns, and eigenvalues in ascending order. `None` if the iteration
/// does not converge, and for a matrix with an infinity or NaN.
pub(crate) fn hermitian<T: Number>(a: &Matrix<T>, lower: bool) -> Option<(Matrix<T>, Vec<f64>)> {
    let n = a.rows;
    let full = mirrored(n, |row, column| if lower { a[(row, column)] } else { a[(column, row)].conj() });
    if !full.is_finite() {
        return None;
    }
    let (full, scale) = full.scaled();
    let Tridiagonal { packed, diagonal, beside, taus } = tridiagonal(&full, true);
    // The basis is transposed, so that rotations of its columns are rotations of rows.
    let basis = hessenberg_basis(&packed, &taus).transposed();
    let mut iteration = Iteration { diagonal, beside, basis };
    iteration.run()?;
    let Iteration { diagonal: values, basis, .. } = iteration;
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&one, &other| values[one].total_cmp(&values[other]));
    Some((basis.transposed().chosen(&order), order.iter().map(|&at| values[at] * scale).collect()))
}

/// A tridiagonal matrix, and the basis whose rows its rotations change.
struct Iteration<T> {
    diagonal: Vec<f64>,
    beside: Vec<f64>,
    basis: Matrix<T>,
}

/// The rows and columns from `first` to `last`; counted from `last` if `reversed`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Block {
    first: usize,
    last: usize,
    reversed: bool,
}

impl Block {
    /// The position of a diagonal element.
    fn at(self, step: usize) -> usize {
        if self.reversed { self.last - step } else { self.first + step }
    }

    /// The position of the element between a diagonal element and the next.
    fn beside(self, step: usize) -> usize {
        if self.reversed { self.last - step - 1 } else { self.first + step }
    }
}

impl<T: Number> Iteration<T> {
    /// Makes the matrix diagonal; `None` if it takes too many steps.
    fn run(&mut self) -> Option<()> {
        let n = self.diagonal.len();
        let (mut first, mut turns) = (0, 0);
        let mut was = None;
        while first + 1 < n {
            let size = |at: &f64| at.abs();
            let last = (first..n - 1).find(|&at| self.is_small(at, 0.0)).unwrap_or(n - 1);
            // An element that cannot become small beside its neighbours may be small beside the whole block.
            let last = if turns > PATIENCE {
                let block = self.diagonal[first..=last].iter().chain(&self.beside[first..last]);
                let norm = block.map(size).fold(0.0, f64::max);
                (first..last).find(|&at| self.is_small(at, norm)).unwrap_or(last)
            } else {
                last
            };
            if last == first {
                self.beside[first] = 0.0;
                (first, turns, was) = (first + 1, 0, None);
                continue;
            }
            if last + 1 < n {
                self.beside[last] = 0.0;
            }
            // As in LAPACK, the first value should be that of the smaller end: rotations from there preserve small
            // elements.
            let block = match was {
                Some(block @ Block { last: end, .. }) if end == last => block,
                _ => {
                    turns = 0;
                    Block { first, last, reversed: size(&self.diagonal[last]) < size(&self.diagonal[first]) }
                }
            };
            was = Some(block);
            turns += 1;
            if turns > TURNS {
                return None;
            }
            self.turn(block);
        }
        Some(())
    }

    /// Returns true if the element beside a diagonal one is small: by the criterion of LAPACK's `steqr`, or beside a
    /// norm.
    fn is_small(&self, at: usize, norm: f64) -> bool {
        let around = self.diagonal[at].abs().sqrt() * self.diagonal[at + 1].abs().sqrt();
        self.beside[at].abs() <= (f64::EPSILON * around.max(norm)).max(f64::MIN_POSITIVE)
    }

    /// A step of implicit QL, which reduces the first off-diagonal element of a block.
    fn turn(&mut self, block: Block) {
        let Iteration { diagonal: d, beside: e, basis } = self;
        let steps = block.last - block.first;
        let (start, next, end) = (block.at(0), block.at(1), block.at(steps));
        let g = (d[next] - d[start]) / (2.0 * e[block.beside(0)]);
        let r = libm::hypot(g, 1.0);
        let mut g = d[end] - d[start] + e[block.beside(0)] / (g + r.copysign(g));
        let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
        for step in (0..steps).rev() {
            let (at, after) = (block.at(step), block.at(step + 1));
            let (f, b) = (s * e[block.beside(step)], c * e[block.beside(step)]);
            // Scaled, so that sines and cosines are not quotients of subnormal numbers.
            let by = to_about_one(f.abs().max(g.abs()));
            let length = libm::hypot(f * by, g * by);
            let r = length / by;
            if step + 1 < steps {
                e[block.beside(step + 1)] = r;
            }
            if length == 0.0 {
                // The block splits here: the next off-diagonal element has become zero.
                d[after] -= p;
                return;
            }
            (s, c) = (f * by / length, g * by / length);
            g = d[after] - p;
            let r = (d[at] - g) * s + 2.0 * c * b;
            p = s * r;
            d[after] = g + p;
            g = c * r - b;
            let (before, after) = if block.reversed {
                let (after, before) = basis.rows_mut(after, at);
                (before, after)
            } else {
                basis.rows_mut(at, after)
            };
            rotate(after, before, c, number(s));
        }
        d[start] -= p;
        e[block.beside(0)] = g;
    }
}
