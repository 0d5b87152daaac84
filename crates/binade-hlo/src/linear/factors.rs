//! The LAPACK routines that JAX calls on CPUs, for [`super::lapack`]: factorizations, eigenvalues and singular values.
//!
//! The routines use Householder reflectors and rotations. Everything is computed in binary64, whatever the type, and
//! rounded once.
//!
//! Reflectors have LAPACK's signs, and so have the factors of QR, the Hessenberg form and the tridiagonal form.
//! Eigenvectors and singular vectors are defined up to a factor of magnitude 1, which may differ from LAPACK's.
//! Iterations return nothing for a matrix with an infinity or NaN.
//!
//! # Errors of iterations
//! `hermitian`, `singular`, `schur` and `eigen` multiply by rotations and reflectors. They set to zero only elements
//! below a unit in the last place of the norm of the matrix or of a block. Their results are exact for a matrix within
//! about n units of the given one.
//!
//! In rank-deficient matrices, elements that should be zero are rounding noise. It decreases by 2^52 from one column to
//! the next, down to subnormal numbers. So all scaling is by powers of two within the exponent range.
//!
//! # The same bits on every machine
//! Square roots of sums and other functions are those of `libm`, never those of the system's library.

mod eigen;
mod hermitian;
mod schur;
mod singular;

use std::ops::{Index, IndexMut};

use binade_fft::num_complex::{Complex, ComplexFloat};

pub(crate) use eigen::eigen;
pub(crate) use hermitian::hermitian;
pub(crate) use schur::Factored;
pub(crate) use singular::singular;

/// Real or complex numbers.
pub(crate) trait Number: ComplexFloat<Real = f64> + Send + Sync {}

impl Number for f64 {}
impl Number for Complex<f64> {}

fn number<T: Number>(x: f64) -> T {
    T::from(x).expect("binary64 is real, and complex")
}

/// x times a real number. A complex quotient would square the divisor, which can overflow.
fn times<T: Number>(x: T, by: f64) -> T {
    x * number(by)
}

fn greatest<'a, T: Number + 'a>(all: impl IntoIterator<Item = &'a T>) -> f64 {
    all.into_iter().fold(0.0, |most, x| most.max(x.re().abs()).max(x.im().abs()))
}

fn squared<T: Number>(x: T) -> f64 {
    x.re() * x.re() + x.im() * x.im()
}

/// |x|, by `libm`.
fn magnitude<T: Number>(x: T) -> f64 {
    if x.im() == 0.0 { x.re().abs() } else { libm::hypot(x.re(), x.im()) }
}

/// A power of two 2^−k that scales `most` to about 1; 1 for 0, infinities and NaN. Both it and 2^k are normal numbers.
fn to_about_one(most: f64) -> f64 {
    if most == 0.0 || !most.is_finite() {
        return 1.0;
    }
    libm::ldexp(1.0, (-libm::ilogb(most)).clamp(-1000, 1000))
}

/// x / y, without overflow or underflow of intermediate results.
fn divide<T: Number>(x: T, y: T) -> T {
    let [above, below] = [x, y].map(|x| greatest([&x]));
    if below == 0.0 || !x.is_finite() || !y.is_finite() {
        return x / y;
    }
    let [above, below] = [above, below].map(to_about_one);
    times(times(times(x, above) / times(y, below), below), 1.0 / above)
}

/// The length of a vector, also where squares overflow or underflow.
fn length<T: Number>(x: &[T]) -> f64 {
    let by = to_about_one(greatest(x));
    x.iter().map(|&x| squared(times(x, by))).sum::<f64>().sqrt() / by
}

/// The number of sums in [`dot`].
const SUMS: usize = 4;

/// Σ x̄·y as four sums, each of every fourth product, which are then added in order.
fn dot<T: Number>(x: &[T], y: &[T]) -> T {
    let mut sums = [T::zero(); SUMS];
    let (x_rest, y_rest) = (x.chunks_exact(SUMS).remainder(), y.chunks_exact(SUMS).remainder());
    for (x, y) in x.chunks_exact(SUMS).zip(y.chunks_exact(SUMS)) {
        for ((sum, x), &y) in sums.iter_mut().zip(x).zip(y) {
            *sum = *sum + x.conj() * y;
        }
    }
    let whole = sums.into_iter().fold(T::zero(), |whole, sum| whole + sum);
    x_rest.iter().zip(y_rest).fold(whole, |sum, (x, &y)| sum + x.conj() * y)
}

/// Subtracts a multiple of y from x.
fn take<T: Number>(x: &mut [T], by: T, y: &[T]) {
    x.iter_mut().zip(y).for_each(|(x, &y)| *x = *x - by * y);
}

/// `x, y ← c·x + s·y, c·y − s̄·x`.
fn rotate<T: Number>(x: &mut [T], y: &mut [T], c: f64, s: T) {
    let (c, conjugate) = (number::<T>(c), s.conj());
    for (x, y) in x.iter_mut().zip(y) {
        (*x, *y) = (*x * c + *y * s, *y * c - *x * conjugate);
    }
}

/// A matrix, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Matrix<T> {
    rows: usize,
    columns: usize,
    pub(crate) data: Vec<T>,
}

impl<T> Index<(usize, usize)> for Matrix<T> {
    type Output = T;

    fn index(&self, (row, column): (usize, usize)) -> &T {
        &self.data[row * self.columns + column]
    }
}

impl<T> IndexMut<(usize, usize)> for Matrix<T> {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut T {
        &mut self.data[row * self.columns + column]
    }
}

impl<T: Number> Matrix<T> {
    pub(crate) fn new(rows: usize, columns: usize, data: Vec<T>) -> Matrix<T> {
        assert_eq!(rows * columns, data.len());
        Matrix { rows, columns, data }
    }

    fn zeros(rows: usize, columns: usize) -> Matrix<T> {
        Matrix::new(rows, columns, vec![T::zero(); rows * columns])
    }

    fn identity(rows: usize, columns: usize) -> Matrix<T> {
        let mut result = Matrix::zeros(rows, columns);
        (0..rows.min(columns)).for_each(|at| result[(at, at)] = T::one());
        result
    }

    fn row(&self, row: usize) -> &[T] {
        &self.data[row * self.columns..][..self.columns]
    }

    fn row_mut(&mut self, row: usize) -> &mut [T] {
        &mut self.data[row * self.columns..][..self.columns]
    }

    /// Two rows, of which `one` is above `other`.
    fn rows_mut(&mut self, one: usize, other: usize) -> (&mut [T], &mut [T]) {
        let (above, below) = self.data.split_at_mut(other * self.columns);
        (&mut above[one * self.columns..][..self.columns], &mut below[..self.columns])
    }

    fn transposed(&self) -> Matrix<T> {
        let mut result = Matrix::zeros(self.columns, self.rows);
        for row in 0..self.rows {
            for (column, &x) in self.row(row).iter().enumerate() {
                result[(column, row)] = x;
            }
        }
        result
    }

    /// The conjugate transpose.
    fn adjoint(&self) -> Matrix<T> {
        let mut result = self.transposed();
        result.data.iter_mut().for_each(|x| *x = x.conj());
        result
    }

    fn complex(&self) -> Matrix<Complex<f64>> {
        let data = self.data.iter().map(|x| Complex { re: x.re(), im: x.im() }).collect();
        Matrix { rows: self.rows, columns: self.columns, data }
    }

    fn swap_columns(&mut self, one: usize, other: usize) {
        for row in 0..self.rows {
            self.data.swap(row * self.columns + one, row * self.columns + other);
        }
    }

    /// The matrix with its columns in this order.
    fn chosen(&self, order: &[usize]) -> Matrix<T> {
        let mut result = Matrix::zeros(self.rows, order.len());
        for row in 0..self.rows {
            for (to, &from) in order.iter().enumerate() {
                result[(row, to)] = self[(row, from)];
            }
        }
        result
    }

    /// The matrix scaled so that its greatest number is between 1 and 2, and the power of two that it was divided by.
    fn scaled(&self) -> (Matrix<T>, f64) {
        let by = to_about_one(greatest(&self.data));
        (self.multiplied(by), 1.0 / by)
    }

    fn multiplied(&self, by: f64) -> Matrix<T> {
        let data = self.data.iter().map(|&x| times(x, by)).collect();
        Matrix { rows: self.rows, columns: self.columns, data }
    }

    fn is_finite(&self) -> bool {
        self.data.iter().all(|x| x.is_finite())
    }

    /// Multiplies the columns from `from` on by (1 − τ·v·vᴴ) from the left. The elements of v from `first` on are 1 and
    /// `rest`.
    fn reflect_rows(&mut self, first: usize, rest: &[T], tau: T, from: usize) {
        if tau == T::zero() {
            return;
        }
        // LAPACK skips rows behind the vector's last nonzero number, so a NaN there must not spread.
        let rest = match tau.is_finite() {
            true => rest,
            false => &rest[..rest.iter().rposition(|v| *v != T::zero()).map_or(0, |last| last + 1)],
        };
        let mut sums = self.row(first)[from..].to_vec();
        for (at, v) in rest.iter().enumerate() {
            let v = v.conj();
            let row = &self.row(first + 1 + at)[from..];
            sums.iter_mut().zip(row).for_each(|(sum, &x)| *sum = *sum + v * x);
        }
        sums.iter_mut().for_each(|sum| *sum = tau * *sum);
        take(&mut self.row_mut(first)[from..], T::one(), &sums);
        for (at, &v) in rest.iter().enumerate() {
            take(&mut self.row_mut(first + 1 + at)[from..], v, &sums);
        }
    }

    /// Multiplies the first `rows` rows by (1 − τ·v·vᴴ) from the right. The elements of v from `first` on are 1 and
    /// `rest`.
    fn reflect_columns(&mut self, first: usize, rest: &[T], tau: T, rows: usize) {
        if tau == T::zero() {
            return;
        }
        let conjugate: Vec<T> = rest.iter().map(|v| v.conj()).collect();
        for row in 0..rows {
            let (x, others) =
                self.row_mut(row)[first..].split_first_mut().expect("the first column is there");
            let others = &mut others[..rest.len()];
            let sum = tau * (*x + dot(&conjugate, others));
            *x = *x - sum;
            take(others, sum, &conjugate);
        }
    }

    /// Computes the reflector that maps a column, from `first` on, to a multiple of the first unit vector. Returns its
    /// vector after the 1, and τ. The column becomes (β, vector).
    fn reflector(&mut self, first: usize, column: usize) -> (Vec<T>, T) {
        let mut rest = self.vector(first, column);
        // Infinities and NaN go through LAPACK's formulas unscaled.
        let finite = rest.iter().chain([&self[(first, column)]]).all(|x| x.is_finite());
        let most = if finite { greatest(rest.iter().chain([&self[(first, column)]])) } else { 1.0 };
        if most == 0.0 {
            return (rest, T::zero());
        }
        // Scaled, so that no square overflows or underflows.
        let by = to_about_one(most);
        let alpha = times(self[(first, column)], by);
        rest.iter_mut().for_each(|x| *x = times(*x, by));
        let below = rest.iter().map(|&x| squared(x)).sum::<f64>();
        if below == 0.0 && alpha.im() == 0.0 {
            return (rest, T::zero());
        }
        let length = (squared(alpha) + below).sqrt();
        let beta = if alpha.re() >= 0.0 { -length } else { length };
        let tau = times(number::<T>(beta) - alpha, 1.0 / beta);
        let divisor = alpha - number(beta);
        rest.iter_mut().for_each(|x| *x = *x / divisor);
        self[(first, column)] = number(beta / by);
        for (at, &x) in rest.iter().enumerate() {
            self[(first + 1 + at, column)] = x;
        }
        (rest, tau)
    }

    /// The vector of a reflector after its 1, which [`Self::reflector`] left in a column.
    fn vector(&self, first: usize, column: usize) -> Vec<T> {
        (first + 1..self.rows).map(|row| self[(row, column)]).collect()
    }

    /// `a[.., one], a[.., other] ← c·one + s·other, c·other − s̄·one` in the first `rows` rows.
    fn rotate_columns(&mut self, one: usize, other: usize, c: f64, s: T, rows: usize) {
        for row in 0..rows {
            let row = self.row_mut(row);
            let (x, y) = (row[one], row[other]);
            row[one] = x * number(c) + y * s;
            row[other] = y * number(c) - x * s.conj();
        }
    }

    /// `a[one, ..], a[other, ..] ← c·one + s̄·other, c·other − s·one`, from the column `from` on. This multiplies by
    /// the conjugate transpose of [`Self::rotate_columns`]'s matrix from the left.
    fn rotate_rows(&mut self, one: usize, other: usize, c: f64, s: T, from: usize) {
        let (x, y) = self.rows_mut(one, other);
        rotate(&mut x[from..], &mut y[from..], c, s.conj());
    }
}

/// `getrf`. Returns L and U in one matrix, the exchanged rows from 1, and the first column without a pivot from 1, or
/// 0.
pub(crate) fn lu<T: Number>(mut a: Matrix<T>) -> (Matrix<T>, Vec<i32>, i32) {
    let (mut pivots, mut info) = (vec![], 0);
    for step in 0..a.rows.min(a.columns) {
        let size = |row: usize| a[(row, step)].re().abs() + a[(row, step)].im().abs();
        let mut pivot = step;
        for row in step + 1..a.rows {
            if size(row) > size(pivot) {
                pivot = row;
            }
        }
        pivots.push(pivot as i32 + 1);
        if pivot != step {
            for column in 0..a.columns {
                a.data.swap(step * a.columns + column, pivot * a.columns + column);
            }
        }
        if a[(step, step)] == T::zero() {
            info = if info == 0 { step as i32 + 1 } else { info };
            continue;
        }
        let pivot = a[(step, step)];
        let most = greatest([&pivot]);
        let by = to_about_one(most);
        // The finite part is zero times an infinity, whatever the other finite part is.
        let infinite = most.is_infinite() && (pivot.re().is_finite() || pivot.im().is_finite());
        let reciprocal = 1.0 / (pivot.re() + pivot.im());
        for row in step + 1..a.rows {
            let x = a[(row, step)];
            let factor = if infinite { times(x, reciprocal) } else { times(x, by) / times(pivot, by) };
            let (above, below) = a.rows_mut(step, row);
            below[step] = factor;
            take(&mut below[step + 1..], factor, &above[step + 1..]);
        }
    }
    (a, pivots, info)
}

/// `geqrf`. Returns R with the vectors of reflectors below it, and their τ.
pub(crate) fn qr<T: Number>(mut a: Matrix<T>) -> (Matrix<T>, Vec<T>) {
    let mut taus = vec![];
    for step in 0..a.rows.min(a.columns) {
        let (rest, tau) = a.reflector(step, step);
        a.reflect_rows(step, &rest, tau.conj(), step + 1);
        taus.push(tau);
    }
    (a, taus)
}

/// `geqp3`: QR that takes the column of the greatest remaining length first. Columns that `pivots` selects come before
/// all others. Also returns the order of the columns, from 1.
pub(crate) fn pivoted_qr<T: Number>(mut a: Matrix<T>, pivots: &[i32]) -> (Matrix<T>, Vec<i32>, Vec<T>) {
    let mut order: Vec<i32> = (1..=a.columns as i32).collect();
    let mut fixed = 0;
    for (column, &pivot) in pivots.iter().enumerate() {
        if pivot != 0 {
            a.swap_columns(fixed, column);
            order.swap(fixed, column);
            fixed += 1;
        }
    }
    let mut taus = vec![];
    for step in 0..a.rows.min(a.columns) {
        if step >= fixed {
            // The remainders of dependent columns may be far smaller than the original columns.
            let by = to_about_one(greatest((step..a.rows).flat_map(|row| &a.row(row)[step..])));
            let mut rests = vec![0.0; a.columns - step];
            for row in step..a.rows {
                let row = &a.row(row)[step..];
                rests.iter_mut().zip(row).for_each(|(rest, &x)| *rest += squared(times(x, by)));
            }
            let mut most = 0;
            for (at, &rest) in rests.iter().enumerate() {
                if rest > rests[most] {
                    most = at;
                }
            }
            a.swap_columns(step, step + most);
            order.swap(step, step + most);
        }
        let (rest, tau) = a.reflector(step, step);
        a.reflect_rows(step, &rest, tau.conj(), step + 1);
        taus.push(tau);
    }
    (a, order, taus)
}

/// `orgqr`. Returns the first columns of the product of reflectors.
pub(crate) fn product_of_reflectors<T: Number>(a: &Matrix<T>, taus: &[T]) -> Matrix<T> {
    let mut q = Matrix::identity(a.rows, a.columns);
    for (step, &tau) in taus.iter().enumerate().take(a.columns.min(a.rows)).rev() {
        q.reflect_rows(step, &a.vector(step, step), tau, step);
    }
    q
}

/// `ormqr`. Returns a matrix times the product Q of reflectors, or times Qᴴ, with Q on its `left` or on its right.
pub(crate) fn times_reflectors<T: Number>(
    a: &Matrix<T>,
    taus: &[T],
    mut c: Matrix<T>,
    left: bool,
    adjoint: bool,
) -> Matrix<T> {
    // Q is the first reflector times the second, and so on. The factor next to the matrix is applied first.
    let steps: Vec<usize> =
        if left == adjoint { (0..taus.len()).collect() } else { (0..taus.len()).rev().collect() };
    for step in steps {
        let (vector, tau) = (a.vector(step, step), if adjoint { taus[step].conj() } else { taus[step] });
        match left {
            true => c.reflect_rows(step, &vector, tau, 0),
            false => c.reflect_columns(step, &vector, tau, c.rows),
        }
    }
    c
}

/// `gehrd` of the columns from `low` to `high`, from 0. Returns the Hessenberg form with the vectors of reflectors
/// below it, and their τ.
pub(crate) fn hessenberg<T: Number>(mut a: Matrix<T>, low: usize, high: usize) -> (Matrix<T>, Vec<T>) {
    let mut taus = vec![T::zero(); a.rows.saturating_sub(1)];
    for step in low..high {
        // The elements below `high` are zero.
        let below: Vec<T> = (high + 1..a.rows).map(|row| a[(row, step)]).collect();
        (high + 1..a.rows).for_each(|row| a[(row, step)] = T::zero());
        let (rest, tau) = a.reflector(step + 1, step);
        a.reflect_columns(step + 1, &rest, tau, a.rows);
        a.reflect_rows(step + 1, &rest, tau.conj(), step + 1);
        below.into_iter().zip(high + 1..).for_each(|(x, row)| a[(row, step)] = x);
        taus[step] = tau;
    }
    (a, taus)
}

/// The unitary matrix of [`hessenberg`]'s transformation.
fn hessenberg_basis<T: Number>(a: &Matrix<T>, taus: &[T]) -> Matrix<T> {
    let mut q = Matrix::identity(a.rows, a.rows);
    for (step, &tau) in taus.iter().enumerate().rev() {
        q.reflect_rows(step + 1, &a.vector(step + 1, step), tau, step + 1);
    }
    q
}

/// The tridiagonal form of a hermitian matrix: the vectors of reflectors, its diagonal, the elements beside it, and the
/// reflectors' τ.
pub(crate) struct Tridiagonal<T> {
    pub(crate) packed: Matrix<T>,
    pub(crate) diagonal: Vec<f64>,
    pub(crate) beside: Vec<f64>,
    pub(crate) taus: Vec<T>,
}

/// The hermitian matrix whose lower triangle is `at(row, column)` for row ≥ column.
fn mirrored<T: Number>(n: usize, at: impl Fn(usize, usize) -> T) -> Matrix<T> {
    let mut full = Matrix::zeros(n, n);
    for row in 0..n {
        for column in 0..=row {
            let x = at(row, column);
            full[(row, column)] = if row == column { number(x.re()) } else { x };
            full[(column, row)] = full[(row, column)].conj();
        }
    }
    full
}

/// `sytrd` and `hetrd`, from the lower or the upper triangle.
pub(crate) fn tridiagonal<T: Number>(a: &Matrix<T>, lower: bool) -> Tridiagonal<T> {
    let n = a.rows;
    // With rows and columns reversed, the upper triangle is the lower one.
    let at = |row: usize, column: usize| if lower { (row, column) } else { (n - 1 - row, n - 1 - column) };
    let mut full = mirrored(n, |row, column| a[at(row, column)]);
    let (mut vectors, mut taus) = (Matrix::zeros(n, n), vec![]);
    for step in 0..n.saturating_sub(1) {
        let (rest, tau) = full.reflector(step + 1, step);
        for (row, &x) in (step + 2..n).zip(&rest) {
            vectors[(row, step)] = x;
            full[(row, step)] = T::zero();
        }
        // The reflector is applied from both sides; the part above is tridiagonal already.
        full.reflect_rows(step + 1, &rest, tau.conj(), step + 1);
        full.reflect_columns(step + 1, &rest, tau, n);
        taus.push(tau);
    }
    let mut diagonal: Vec<f64> = (0..n).map(|at| full[(at, at)].re()).collect();
    let mut beside: Vec<f64> = (1..n).map(|row| full[(row, row - 1)].re()).collect();
    // The other triangle keeps its elements.
    let mut packed = a.clone();
    for row in 0..n {
        packed[at(row, row)] = number(diagonal[row]);
        if row > 0 {
            packed[at(row, row - 1)] = number(beside[row - 1]);
        }
        (0..row.saturating_sub(1)).for_each(|column| packed[at(row, column)] = vectors[(row, column)]);
    }
    if !lower {
        diagonal.reverse();
        beside.reverse();
        taus.reverse();
    }
    Tridiagonal { packed, diagonal, beside, taus }
}

/// The most steps of an iteration for each eigenvalue.
const TURNS: usize = 300;

/// The steps after which an element is compared with the norm of its block. Before, it must be small beside its
/// neighbours, which preserves more digits of small values. Neighbours that are rounding noise may prevent that
/// forever.
const PATIENCE: usize = 12;

/// `gtsv`: solves a tridiagonal system for the columns of `b`, with exchanges of neighbouring rows. The first element
/// of `below` and the last one of `above` are ignored. Fails with the number of a row, from 1, that has no pivot.
pub(crate) fn tridiagonal_system<T: Number>(
    below: &[T],
    diagonal: &[T],
    above: &[T],
    b: &mut Matrix<T>,
) -> Result<(), i32> {
    let n = diagonal.len();
    // The elements of each row from its diagonal on.
    let mut rows: Vec<[T; 3]> = diagonal.iter().zip(above).map(|(&d, &u)| [d, u, T::zero()]).collect();
    if let Some(last) = rows.last_mut() {
        last[1] = T::zero();
    }
    for step in 0..n {
        let pivot = if step + 1 < n {
            let mut next = [below[step + 1], rows[step + 1][0], rows[step + 1][1]];
            if greatest([&next[0]]) > greatest([&rows[step][0]]) {
                std::mem::swap(&mut rows[step], &mut next);
                for column in 0..b.columns {
                    b.data.swap(step * b.columns + column, (step + 1) * b.columns + column);
                }
            }
            let most = greatest([&rows[step][0]]);
            if most > 0.0 {
                let factor = divide(next[0], rows[step][0]);
                let [_, u, v] = rows[step];
                rows[step + 1] = [next[1] - factor * u, next[2] - factor * v, T::zero()];
                for column in 0..b.columns {
                    b[(step + 1, column)] = b[(step + 1, column)] - factor * b[(step, column)];
                }
            }
            most
        } else {
            greatest([&rows[step][0]])
        };
        if pivot == 0.0 {
            return Err(step as i32 + 1);
        }
    }
    for row in (0..n).rev() {
        let [d, u, v] = rows[row];
        for column in 0..b.columns {
            let mut x = b[(row, column)];
            for (at, by) in [(row + 1, u), (row + 2, v)].into_iter().filter(|(at, _)| *at < n) {
                x = x - by * b[(at, column)];
            }
            b[(row, column)] = divide(x, d);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
