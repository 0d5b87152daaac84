//! Singular values, for `gesdd` and `gesvd`: pivoted QR, then one-sided Jacobi.

use super::{
    Matrix, Number, TURNS, dot, magnitude, pivoted_qr, qr, rotate, squared, times, times_reflectors,
};

/// U, the singular values, and Vᴴ.
pub(crate) type Singular<T> = (Matrix<T>, Vec<f64>, Matrix<T>);

/// The sweeps of Jacobi's method with the narrow criterion of [`orthogonal`]; about six suffice.
const NARROW: usize = 12;

/// The cosine below which two vectors of n elements count as orthogonal. A product of n terms errs by about √n units,
/// where LAPACK's `gesvj` stops, too. For vectors whose errors do not cancel, later sweeps use the largest error of
/// four sums of n / 4 terms.
fn orthogonal(n: usize, sweeps: usize) -> f64 {
    let n = n as f64;
    f64::EPSILON * if sweeps < NARROW { n.sqrt().max(1.0) } else { n / 8.0 + 4.0 }
}

/// `gesdd` and `gesvd`, the greatest value first. If `whole`, U and V are square; otherwise they have one column for
/// each value. `None` if the iteration does not converge, and for a matrix with an infinity or NaN.
pub(crate) fn singular<T: Number>(a: &Matrix<T>, whole: bool) -> Option<Singular<T>> {
    if !a.is_finite() {
        return None;
    }
    if a.rows < a.columns {
        let (u, values, vt) = singular(&a.adjoint(), whole)?;
        return Some((vt.adjoint(), values, u.adjoint()));
    }
    let (m, n) = (a.rows, a.columns);
    // Scaled by a power of two, so that squares neither overflow nor underflow and no digit changes.
    let (a, scale) = a.scaled();
    // A·P = Q·R and Rᴴ = W·S·Zᴴ: the columns of Rᴴ are nearly orthogonal already. Here they are rows.
    let (packed, order, taus) = pivoted_qr(a, &vec![0; n]);
    let mut w = Matrix::zeros(n, n);
    for row in 0..n {
        (row..n).for_each(|column| w[(row, column)] = packed[(row, column)].conj());
    }
    let mut z = Matrix::<T>::identity(n, n);
    let square = |row: &[T]| row.iter().map(|&x| squared(x)).sum::<f64>();
    // Squared lengths below this are the rounding noise of dependent columns.
    let least = square(&w.data) * f64::EPSILON * f64::EPSILON;
    // One-sided Jacobi: columns are rotated until they are orthogonal.
    let mut sweeps = 0;
    loop {
        let mut settled = true;
        let tolerance = orthogonal(n, sweeps);
        let mut squares: Vec<f64> = (0..n).map(|at| square(w.row(at))).collect();
        for one in 0..n {
            for other in one + 1..n {
                let (p, q) = (squares[one], squares[other]);
                if p.min(q) <= least {
                    continue;
                }
                let (x, y) = w.rows_mut(one, other);
                let product = dot(x, y);
                let size = magnitude(product);
                if size <= tolerance * p.sqrt() * q.sqrt() {
                    continue;
                }
                settled = false;
                let zeta = (q - p) / (2.0 * size);
                let t = 1.0f64.copysign(zeta) / (zeta.abs() + libm::hypot(zeta, 1.0));
                let c = 1.0 / (1.0 + t * t).sqrt();
                let s = times(product.conj(), -c * t / size);
                rotate(x, y, c, s);
                // A squared length that cancelled much is computed again.
                let found = [(p, p - t * size, &*x), (q, q + t * size, &*y)];
                let [p, q] = found.map(|(was, is, row)| if is < 0.5 * was { square(row) } else { is });
                (squares[one], squares[other]) = (p, q);
                let (x, y) = z.rows_mut(one, other);
                rotate(x, y, c, s);
            }
        }
        if settled {
            break;
        }
        sweeps += 1;
        if sweeps > TURNS {
            return None;
        }
    }
    let lengths: Vec<f64> = (0..n).map(|at| crate::linear::factors::length(w.row(at))).collect();
    let mut sorted: Vec<usize> = (0..n).collect();
    sorted.sort_by(|&one, &other| lengths[other].total_cmp(&lengths[one]));
    let values: Vec<f64> = sorted.iter().map(|&at| lengths[at]).collect();
    let rank = values.iter().filter(|&&value| value * value > least).count();
    let (w, z) = (w.transposed().chosen(&sorted[..rank]), z.transposed().chosen(&sorted));
    let w = completed(w, &values[..rank]);
    // V = P·W, U = Q·Z.
    let mut v = Matrix::zeros(n, n);
    for (row, &from) in order.iter().enumerate() {
        v.row_mut(from as usize - 1).copy_from_slice(w.row(row));
    }
    let mut u = Matrix::identity(m, if whole { m } else { n });
    (0..n).for_each(|row| u.row_mut(row)[..n].copy_from_slice(z.row(row)));
    let u = times_reflectors(&packed, &taus, u, true, false);
    Some((u, values.into_iter().map(|value| value * scale).collect(), v.adjoint()))
}

/// Normalises orthogonal columns of these lengths, and completes them to a square unitary matrix.
fn completed<T: Number>(mut w: Matrix<T>, lengths: &[f64]) -> Matrix<T> {
    let n = w.rows;
    for row in 0..n {
        w.row_mut(row).iter_mut().zip(lengths).for_each(|(x, &length)| *x = times(*x, 1.0 / length));
    }
    if w.columns == n {
        return w;
    }
    let (packed, taus) = qr(w.clone());
    let mut all = times_reflectors(&packed, &taus, Matrix::identity(n, n), true, false);
    for row in 0..n {
        all.row_mut(row)[..w.columns].copy_from_slice(w.row(row));
    }
    all
}
