//! What the routines of LAPACK compute that JAX calls on processors: factorizations, eigenvalues and singular values, by Householder's
//! reflectors and rotations.
//!
//! All is computed in binary64, whatever the type, and rounded once. Reflectors, and so the factors of QR, Hessenberg's form and
//! the tridiagonal one, have LAPACK's signs; vectors of eigenvalues and singular values are told up to a factor of magnitude
//! 1 by their definition, and may have another here. What is found by iteration is not for a matrix with an infinity or NaN.

use std::ops::{Index, IndexMut};

use binade_fft::num_complex::{Complex, ComplexFloat};

/// Real or complex numbers.
pub(crate) trait Number: ComplexFloat<Real = f64> + Send + Sync {}

impl Number for f64 {}
impl Number for Complex<f64> {}

fn number<T: Number>(x: f64) -> T {
    T::from(x).expect("binary64 is real, and complex")
}

/// x times a real number. (Complex quotients take the square of the divisor, which soon is beyond the range.)
fn times<T: Number>(x: T, by: f64) -> T {
    x * number(by)
}

fn greatest<'a, T: Number + 'a>(all: impl IntoIterator<Item = &'a T>) -> f64 {
    all.into_iter().fold(0.0, |most, x| most.max(x.re().abs()).max(x.im().abs()))
}

fn squared<T: Number>(x: T) -> f64 {
    x.re() * x.re() + x.im() * x.im()
}

/// Sums that are taken side by side.
const SUMS: usize = 4;

/// Σ x̄·y: four sums of every fourth product, one after the other.
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

/// Takes a multiple of y from x.
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

    /// Two rows, the first one above the other.
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

    /// Columns in this order.
    fn chosen(&self, order: &[usize]) -> Matrix<T> {
        let mut result = Matrix::zeros(self.rows, order.len());
        for row in 0..self.rows {
            for (to, &from) in order.iter().enumerate() {
                result[(row, to)] = self[(row, from)];
            }
        }
        result
    }

    /// The matrix with its greatest number between 1 and 2, and the power of two that it was divided by.
    fn scaled(&self) -> (Matrix<T>, f64) {
        let most = greatest(&self.data);
        let scale = if most > 0.0 { most.log2().floor().clamp(-1000.0, 1000.0).exp2() } else { 1.0 };
        (self.multiplied(1.0 / scale), scale)
    }

    fn multiplied(&self, by: f64) -> Matrix<T> {
        let data = self.data.iter().map(|&x| times(x, by)).collect();
        Matrix { rows: self.rows, columns: self.columns, data }
    }

    fn is_finite(&self) -> bool {
        self.data.iter().all(|x| x.is_finite())
    }

    /// Takes (1 − τ·v·vᴴ) times the columns from `from` on; v begins at row `first` with 1 and goes on with `rest`.
    fn reflect_rows(&mut self, first: usize, rest: &[T], tau: T, from: usize) {
        if tau == T::zero() {
            return;
        }
        // LAPACK does not look at rows behind the vector's last number, which a NaN would reach.
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

    /// Takes the first `rows` rows times (1 − τ·v·vᴴ); v begins at column `first` with 1 and goes on with `rest`.
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

    /// The reflector that takes a column from `first` on to a multiple of the first unit vector: its vector after the 1, and τ.
    /// The column becomes (β, vector).
    fn reflector(&mut self, first: usize, column: usize) -> (Vec<T>, T) {
        let mut rest = self.vector(first, column);
        // Infinities and NaN go where LAPACK's formulas take them.
        let finite = rest.iter().chain([&self[(first, column)]]).all(|x| x.is_finite());
        let most = if finite { greatest(rest.iter().chain([&self[(first, column)]])) } else { 1.0 };
        if most == 0.0 {
            return (rest, T::zero());
        }
        // Scaled by the greatest, so that no square is beyond the range.
        let alpha = times(self[(first, column)], 1.0 / most);
        rest.iter_mut().for_each(|x| *x = times(*x, 1.0 / most));
        let below = rest.iter().map(|&x| squared(x)).sum::<f64>();
        if below == 0.0 && alpha.im() == 0.0 {
            return (rest, T::zero());
        }
        let length = (squared(alpha) + below).sqrt();
        let beta = if alpha.re() >= 0.0 { -length } else { length };
        let tau = times(number::<T>(beta) - alpha, 1.0 / beta);
        let divisor = alpha - number(beta);
        rest.iter_mut().for_each(|x| *x = *x / divisor);
        self[(first, column)] = number(beta * most);
        for (at, &x) in rest.iter().enumerate() {
            self[(first + 1 + at, column)] = x;
        }
        (rest, tau)
    }

    /// The rest of a reflector's vector that [`Self::reflector`] left in a column.
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

    /// The same of rows, with the conjugate of s, from the column `from` on: the matrix of [`Self::rotate_columns`], conjugated and
    /// transposed, from the left.
    fn rotate_rows(&mut self, one: usize, other: usize, c: f64, s: T, from: usize) {
        let (x, y) = self.rows_mut(one, other);
        rotate(&mut x[from..], &mut y[from..], c, s.conj());
    }
}

/// `getrf`: L and U in one, the rows that were exchanged, from 1, and the first column without a pivot, from 1, or 0.
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
        let by = if most.is_finite() { 1.0 / most } else { 1.0 };
        // What is finite is zero times an infinity, whatever a finite other part is.
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

/// `geqrf`: R, the vectors of reflectors below it, and their τ.
pub(crate) fn qr<T: Number>(mut a: Matrix<T>) -> (Matrix<T>, Vec<T>) {
    let mut taus = vec![];
    for step in 0..a.rows.min(a.columns) {
        let (rest, tau) = a.reflector(step, step);
        a.reflect_rows(step, &rest, tau.conj(), step + 1);
        taus.push(tau);
    }
    (a, taus)
}

/// `geqp3`: the same with the column of the greatest rest first; columns that `pivots` names come before all others. Also the
/// columns' order, from 1.
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
    let most = greatest(&a.data);
    let by = if most > 0.0 { 1.0 / most } else { 1.0 };
    let mut taus = vec![];
    for step in 0..a.rows.min(a.columns) {
        if step >= fixed {
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

/// `orgqr`: the first columns of the product of reflectors.
pub(crate) fn product_of_reflectors<T: Number>(a: &Matrix<T>, taus: &[T]) -> Matrix<T> {
    let mut q = Matrix::identity(a.rows, a.columns);
    for (step, &tau) in taus.iter().enumerate().take(a.columns.min(a.rows)).rev() {
        q.reflect_rows(step, &a.vector(step, step), tau, step);
    }
    q
}

/// `ormqr`: a matrix times the product Q of reflectors, or times Qᴴ; Q to its `left`, or to its right.
pub(crate) fn times_reflectors<T: Number>(
    a: &Matrix<T>,
    taus: &[T],
    mut c: Matrix<T>,
    left: bool,
    adjoint: bool,
) -> Matrix<T> {
    // Q is the first reflector times the second, and so on: what stands beside the matrix comes first.
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

/// `gehrd` of the columns from `low` to `high`, from 0: Hessenberg's form, with the vectors of reflectors below it, and their τ.
pub(crate) fn hessenberg<T: Number>(mut a: Matrix<T>, low: usize, high: usize) -> (Matrix<T>, Vec<T>) {
    let mut taus = vec![T::zero(); a.rows.saturating_sub(1)];
    for step in low..high {
        // What is below `high` is zero.
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

/// The matrix that [`hessenberg`] multiplied by.
fn hessenberg_basis<T: Number>(a: &Matrix<T>, taus: &[T]) -> Matrix<T> {
    let mut q = Matrix::identity(a.rows, a.rows);
    for (step, &tau) in taus.iter().enumerate().rev() {
        q.reflect_rows(step + 1, &a.vector(step + 1, step), tau, step + 1);
    }
    q
}

/// A hermitian matrix in tridiagonal form: the vectors of reflectors, its diagonal, what is beside it, and the reflectors' τ.
pub(crate) struct Tridiagonal<T> {
    pub(crate) packed: Matrix<T>,
    pub(crate) diagonal: Vec<f64>,
    pub(crate) beside: Vec<f64>,
    pub(crate) taus: Vec<T>,
}

/// `sytrd` and `hetrd`, from the lower triangle or the upper one.
pub(crate) fn tridiagonal<T: Number>(a: &Matrix<T>, lower: bool) -> Tridiagonal<T> {
    let n = a.rows;
    // From the other end, the upper triangle is the lower one.
    let at = |row: usize, column: usize| if lower { (row, column) } else { (n - 1 - row, n - 1 - column) };
    let mut full = Matrix::zeros(n, n);
    for row in 0..n {
        for column in 0..=row {
            let x = a[at(row, column)];
            full[(row, column)] = if row == column { number(x.re()) } else { x };
            full[(column, row)] = full[(row, column)].conj();
        }
    }
    let (mut vectors, mut taus) = (Matrix::zeros(n, n), vec![]);
    for step in 0..n.saturating_sub(1) {
        let (rest, tau) = full.reflector(step + 1, step);
        for (row, &x) in (step + 2..n).zip(&rest) {
            vectors[(row, step)] = x;
            full[(row, step)] = T::zero();
        }
        // From both sides; above, it is tridiagonal already.
        full.reflect_rows(step + 1, &rest, tau.conj(), step + 1);
        full.reflect_columns(step + 1, &rest, tau, n);
        taus.push(tau);
    }
    let mut diagonal: Vec<f64> = (0..n).map(|at| full[(at, at)].re()).collect();
    let mut beside: Vec<f64> = (1..n).map(|row| full[(row, row - 1)].re()).collect();
    // The other triangle stays as it is.
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

/// Turns of an iteration for each value, at most.
const TURNS: usize = 60;

/// `syevd` and `heevd`: eigenvectors as columns and eigenvalues, the least first; none if the iteration does not end.
pub(crate) fn hermitian<T: Number>(a: &Matrix<T>, lower: bool) -> Option<(Matrix<T>, Vec<f64>)> {
    let n = a.rows;
    // Vectors are found from the lower triangle.
    let a = if lower { a.clone() } else { a.adjoint() };
    let (a, scale) = a.scaled();
    if (0..n).any(|row| (0..=row).any(|column| !a[(row, column)].is_finite())) {
        return None;
    }
    let Tridiagonal { packed, diagonal: mut d, beside, taus } = tridiagonal(&a, true);
    // Its columns are turned, as rows.
    let mut q = hessenberg_basis(&packed, &taus).transposed();
    let mut e = beside;
    e.push(0.0);
    // Implicit QL with Wilkinson's shifts.
    for first in 0..n {
        let mut turns = 0;
        loop {
            let small = |at: &usize| e[*at].abs() <= f64::EPSILON * (d[*at].abs() + d[*at + 1].abs());
            let last = (first..n - 1).find(small).unwrap_or(n - 1);
            if last == first {
                break;
            }
            turns += 1;
            if turns > TURNS {
                return None;
            }
            let g = (d[first + 1] - d[first]) / (2.0 * e[first]);
            let r = g.hypot(1.0);
            let mut g = d[last] - d[first] + e[first] / (g + r.copysign(g));
            let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
            let mut whole = true;
            for at in (first..last).rev() {
                let (f, b) = (s * e[at], c * e[at]);
                let r = f.hypot(g);
                e[at + 1] = r;
                if r == 0.0 {
                    d[at + 1] -= p;
                    e[last] = 0.0;
                    whole = false;
                    break;
                }
                (s, c) = (f / r, g / r);
                g = d[at + 1] - p;
                let r = (d[at] - g) * s + 2.0 * c * b;
                p = s * r;
                d[at + 1] = g + p;
                g = c * r - b;
                let (before, after) = q.rows_mut(at, at + 1);
                rotate(after, before, c, number(s));
            }
            if whole {
                d[first] -= p;
                e[first] = g;
                e[last] = 0.0;
            }
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&one, &other| d[one].total_cmp(&d[other]));
    Some((q.transposed().chosen(&order), order.iter().map(|&at| d[at] * scale).collect()))
}

/// U, the singular values, and Vᴴ.
pub(crate) type Singular<T> = (Matrix<T>, Vec<f64>, Matrix<T>);

/// `gesdd` and `gesvd`: the greatest value first; U and V whole, or as many columns as there are values. None if the
/// iteration does not end.
pub(crate) fn singular<T: Number>(a: &Matrix<T>, whole: bool) -> Option<Singular<T>> {
    if !a.is_finite() {
        return None;
    }
    if a.rows < a.columns {
        let (u, values, vt) = singular(&a.adjoint(), whole)?;
        return Some((vt.adjoint(), values, u.adjoint()));
    }
    let (m, n) = (a.rows, a.columns);
    // So that squares neither overflow nor underflow; a power of two changes no digit.
    let (a, scale) = a.scaled();
    // A·P = Q·R, and Rᴴ = W·S·Zᴴ: its columns are nearly orthogonal already. Here they are rows.
    let (packed, order, taus) = pivoted_qr(a, &vec![0; n]);
    let mut w = Matrix::zeros(n, n);
    for row in 0..n {
        (row..n).for_each(|column| w[(row, column)] = packed[(row, column)].conj());
    }
    let mut z = Matrix::<T>::identity(n, n);
    let square = |row: &[T]| row.iter().map(|&x| squared(x)).sum::<f64>();
    // Columns below this, squared, are what rounding left of dependent ones.
    let least = square(&w.data) * (n as f64 * f64::EPSILON).powi(2);
    // One-sided Jacobi: columns are turned until they are orthogonal.
    let mut turns = 0;
    loop {
        let mut settled = true;
        let mut squares: Vec<f64> = (0..n).map(|at| square(w.row(at))).collect();
        for one in 0..n {
            for other in one + 1..n {
                let (p, q) = (squares[one], squares[other]);
                if p.min(q) <= least {
                    continue;
                }
                let (x, y) = w.rows_mut(one, other);
                let product = dot(x, y);
                let size = product.abs();
                if size <= f64::EPSILON * p.sqrt() * q.sqrt() {
                    continue;
                }
                settled = false;
                let zeta = (q - p) / (2.0 * size);
                let t = 1.0f64.copysign(zeta) / (zeta.abs() + zeta.hypot(1.0));
                let c = 1.0 / t.hypot(1.0);
                let s = times(product.conj(), -c * t / size);
                rotate(x, y, c, s);
                // What is left of a square by much cancellation is taken anew.
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
        turns += 1;
        if turns > TURNS {
            return None;
        }
    }
    let lengths: Vec<f64> = (0..n).map(|at| square(w.row(at)).sqrt()).collect();
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

/// Orthogonal columns of these lengths as unit vectors, and after them what makes a square of them.
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

/// T and Q of A = Q·T·Qᴴ.
type Form<T> = (Matrix<T>, Matrix<T>);

/// `gees` of complex numbers: T, upper triangular, and Q of A = Q·T·Qᴴ. None if the iteration does not end.
fn schur_complex(a: &Matrix<Complex<f64>>) -> Option<Form<Complex<f64>>> {
    let n = a.rows;
    let (packed, taus) = hessenberg(a.clone(), 0, n.saturating_sub(1));
    // Columns of Q are turned, as rows.
    let (mut q, mut h) = (hessenberg_basis(&packed, &taus).transposed(), packed);
    for row in 0..n {
        (0..row.saturating_sub(1)).for_each(|column| h[(row, column)] = Complex::ZERO);
    }
    let mut last = n.saturating_sub(1);
    let mut turns = 0;
    while last > 0 {
        // Where the block that ends here begins.
        let mut first = last;
        while first > 0 {
            let around = h[(first - 1, first - 1)].l1_norm() + h[(first, first)].l1_norm();
            if h[(first, first - 1)].l1_norm() <= f64::EPSILON * around {
                h[(first, first - 1)] = Complex::ZERO;
                break;
            }
            first -= 1;
        }
        if first == last {
            last -= 1;
            turns = 0;
            continue;
        }
        turns += 1;
        if turns > TURNS {
            return None;
        }
        // The eigenvalue of the last two rows that is nearer to the last element, and now and then another shift.
        let (x, y) = (h[(last - 1, last - 1)], h[(last, last)]);
        let product = h[(last - 1, last)] * h[(last, last - 1)];
        let half = (x - y) / 2.0;
        let root = (half * half + product).sqrt();
        let divisor = if (half.conj() * root).re >= 0.0 { half + root } else { half - root };
        let shift = match turns % 10 {
            0 => y + h[(last, last - 1)].l1_norm(),
            _ if divisor == Complex::ZERO => y,
            _ => y - product / divisor,
        };
        let (mut x, mut z) = (h[(first, first)] - shift, h[(first + 1, first)]);
        for at in first..last {
            let length = x.norm().hypot(z.norm());
            if length > 0.0 {
                // Rotates (x, z) to (·, 0).
                let phase = if x == Complex::ZERO { Complex::ONE } else { x / x.norm() };
                let (c, s) = (x.norm() / length, phase.conj() * z / length);
                h.rotate_rows(at, at + 1, c, s, at.saturating_sub(1));
                h.rotate_columns(at, at + 1, c, s, n.min(at + 3));
                let (x, y) = q.rows_mut(at, at + 1);
                rotate(x, y, c, s);
            }
            if at > first {
                h[(at + 1, at - 1)] = Complex::ZERO;
            }
            if at + 2 <= last {
                (x, z) = (h[(at + 1, at)], h[(at + 2, at)]);
            }
        }
    }
    for row in 0..n {
        (0..row).for_each(|column| h[(row, column)] = Complex::ZERO);
    }
    Some((h, q.transposed()))
}

/// `gees` of real numbers: T, with blocks of two where eigenvalues are a pair, whose diagonal elements are equal. None if the
/// iteration does not end.
fn schur_real(a: &Matrix<f64>) -> Option<Form<f64>> {
    let n = a.rows;
    let (packed, taus) = hessenberg(a.clone(), 0, n.saturating_sub(1));
    // Columns of Q are turned, as rows.
    let (mut q, mut h) = (hessenberg_basis(&packed, &taus).transposed(), packed);
    for row in 0..n {
        (0..row.saturating_sub(1)).for_each(|column| h[(row, column)] = 0.0);
    }
    let mut end = n;
    let mut turns = 0;
    while end > 0 {
        let last = end - 1;
        let mut first = last;
        while first > 0 {
            let around = h[(first - 1, first - 1)].abs() + h[(first, first)].abs();
            if h[(first, first - 1)].abs() <= f64::EPSILON * around {
                h[(first, first - 1)] = 0.0;
                break;
            }
            first -= 1;
        }
        if first == last {
            (end, turns) = (last, 0);
            continue;
        }
        if first + 1 == last {
            let (c, s, real) = standard(&h, first);
            h.rotate_rows(first, last, c, s, first);
            h.rotate_columns(first, last, c, s, end);
            let (x, y) = q.rows_mut(first, last);
            rotate(x, y, c, s);
            if real {
                h[(last, first)] = 0.0;
            } else {
                let mean = (h[(first, first)] + h[(last, last)]) / 2.0;
                (h[(first, first)], h[(last, last)]) = (mean, mean);
            }
            (end, turns) = (first, 0);
            continue;
        }
        turns += 1;
        if turns > TURNS {
            return None;
        }
        // Both eigenvalues of the last two rows as shifts, and now and then others: the first column of (H − λ)(H − μ).
        let (mut sum, mut product) = (
            h[(last - 1, last - 1)] + h[(last, last)],
            h[(last - 1, last - 1)] * h[(last, last)] - h[(last - 1, last)] * h[(last, last - 1)],
        );
        if turns % 10 == 0 {
            let size = h[(last, last - 1)].abs() + h[(last - 1, last - 2)].abs();
            (sum, product) = (1.5 * size, size * size);
        }
        let (a, b, c, d) =
            (h[(first, first)], h[(first, first + 1)], h[(first + 1, first)], h[(first + 1, first + 1)]);
        let mut column =
            vec![a * a + b * c - sum * a + product, c * (a + d - sum), c * h[(first + 2, first + 1)]];
        for at in first..last {
            let mut bulge = Matrix::new(column.len(), 1, column);
            let (rest, tau) = bulge.reflector(0, 0);
            h.reflect_rows(at, &rest, tau, at.saturating_sub(1));
            h.reflect_columns(at, &rest, tau, n.min(at + 4));
            q.reflect_rows(at, &rest, tau, 0);
            if at > first {
                (at + 1..=at + rest.len()).for_each(|row| h[(row, at - 1)] = 0.0);
            }
            column = (at + 1..n.min(end).min(at + 4)).map(|row| h[(row, at)]).collect();
        }
    }
    Some((h, q.transposed()))
}

/// The rotation that makes a block of two upper triangular if its eigenvalues are real, or else its diagonal elements equal; and
/// whether they are.
fn standard(h: &Matrix<f64>, at: usize) -> (f64, f64, bool) {
    let (a, b, c, d) = (h[(at, at)], h[(at, at + 1)], h[(at + 1, at)], h[(at + 1, at + 1)]);
    let half = (a - d) / 2.0;
    let square = half * half + b * c;
    if square < 0.0 {
        // The difference is then (a − d)·cos 2θ + (b + c)·sin 2θ.
        let angle = -(a - d).atan2(b + c) / 2.0;
        return (angle.cos(), angle.sin(), false);
    }
    // An eigenvector of the eigenvalue whose distance from d is told without cancellation.
    let (x, y) = (half + square.sqrt().copysign(half), c);
    let length = x.hypot(y);
    if length == 0.0 { (1.0, 0.0, true) } else { (x / length, y / length, true) }
}

/// What `gees` finds: T, Q, and the eigenvalues.
pub(crate) type Schur<T> = (Matrix<T>, Matrix<T>, Vec<Complex<f64>>);

/// Numbers that have their own form of Schur's.
pub(crate) trait Factored: Number {
    const REAL: bool;

    /// `gees`; none if the iteration does not end.
    fn schur(a: &Matrix<Self>) -> Option<Schur<Self>>;
}

impl Factored for Complex<f64> {
    const REAL: bool = false;

    fn schur(a: &Matrix<Self>) -> Option<Schur<Self>> {
        if !a.is_finite() {
            return None;
        }
        let (a, scale) = a.scaled();
        let (t, q) = schur_complex(&a)?;
        let t = t.multiplied(scale);
        let values = (0..a.rows).map(|at| t[(at, at)]).collect();
        Some((t, q, values))
    }
}

impl Factored for f64 {
    const REAL: bool = true;

    fn schur(a: &Matrix<Self>) -> Option<Schur<Self>> {
        if !a.is_finite() {
            return None;
        }
        let (a, scale) = a.scaled();
        let (t, q) = schur_real(&a)?;
        let t = t.multiplied(scale);
        let mut values = vec![];
        while values.len() < a.rows {
            let at = values.len();
            let re = t[(at, at)];
            if at + 1 < a.rows && t[(at + 1, at)] != 0.0 {
                let im = t[(at, at + 1)].abs().sqrt() * t[(at + 1, at)].abs().sqrt();
                values.extend([Complex { re, im }, Complex { re, im: -im }]);
            } else {
                values.push(Complex { re, im: 0.0 });
            }
        }
        Some((t, q, values))
    }
}

/// The eigenvalues and the left and right eigenvectors, as columns.
pub(crate) type Eigen = (Vec<Complex<f64>>, Matrix<Complex<f64>>, Matrix<Complex<f64>>);

/// `geev`: vectors have length 1, and a real element where it is greatest. None if the iteration does not end.
pub(crate) fn eigen<T: Factored>(a: &Matrix<T>) -> Option<Eigen> {
    let n = a.rows;
    let (a, scale) = a.scaled();
    let (t, q, mut values) = T::schur(&a)?;
    let (mut t, mut q) = (t.complex(), q.complex());
    for at in 1..n {
        // A block of two becomes triangular, its eigenvalues in their order.
        let below = t[(at, at - 1)];
        if below != Complex::ZERO {
            let first = values[at - 1] - t[(at, at)];
            let length = first.norm().hypot(below.norm());
            let phase = if first == Complex::ZERO { Complex::ONE } else { first / first.norm() };
            let (c, s) = (first.norm() / length, phase.conj() * below / length);
            t.rotate_rows(at - 1, at, c, s, 0);
            t.rotate_columns(at - 1, at, c, s, n);
            q.rotate_columns(at - 1, at, c, s, n);
            t[(at, at - 1)] = Complex::ZERO;
        }
    }
    let norm = t.data.iter().map(|x| x.norm()).fold(0.0, f64::max);
    let least = f64::EPSILON * if norm > 0.0 { norm } else { 1.0 };
    let apart = |x: Complex<f64>| if x.norm() < least { Complex { re: least, im: 0.0 } } else { x };
    let (mut left, mut right) = (Matrix::zeros(n, n), Matrix::zeros(n, n));
    // Sums are of numbers that lie one after the other, conjugates of one side.
    let columns = t.transposed();
    let rows = columns.adjoint();
    for at in 0..n {
        let value = t[(at, at)];
        let mut x = vec![Complex::ZERO; n];
        x[at] = Complex::ONE;
        for row in (0..at).rev() {
            let sum = dot(&rows.row(row)[row + 1..=at], &x[row + 1..=at]);
            x[row] = -sum / apart(t[(row, row)] - value);
            tame(&mut x, row);
        }
        unit(&q, &x, &mut right, at);
        let mut y = vec![Complex::ZERO; n];
        y[at] = Complex::ONE;
        for row in at + 1..n {
            let sum = dot(&columns.row(row)[at..row], &y[at..row]);
            y[row] = -sum / apart((t[(row, row)] - value).conj());
            tame(&mut y, row);
        }
        unit(&q, &y, &mut left, at);
    }
    // Of a real matrix, real values have real vectors, and pairs pairs.
    if T::REAL {
        for (at, value) in values.iter().enumerate() {
            for vectors in [&mut left, &mut right] {
                let length = match value.im {
                    // The real part of one is one as well.
                    0.0 => (0..n).fold(0.0, |length: f64, row| length.hypot(vectors[(row, at)].re)),
                    _ => 1.0,
                };
                for row in 0..n {
                    vectors[(row, at)] = match value.im {
                        0.0 => (vectors[(row, at)].re / length).into(),
                        im if im < 0.0 => vectors[(row, at - 1)].conj(),
                        _ => vectors[(row, at)],
                    };
                }
            }
        }
    }
    values.iter_mut().for_each(|value| *value *= scale);
    Some((values, left, right))
}

/// Keeps a vector within the range after an element was found; only its direction counts.
fn tame(x: &mut [Complex<f64>], at: usize) {
    let size = x[at].norm();
    if size > 1e100 {
        x.iter_mut().for_each(|x| *x /= size);
    }
}

/// Q·x as a column, of length 1 and with a real element where it is greatest.
fn unit(q: &Matrix<Complex<f64>>, x: &[Complex<f64>], to: &mut Matrix<Complex<f64>>, column: usize) {
    let conjugates: Vec<Complex<f64>> = x.iter().map(|x| x.conj()).collect();
    let product = |row: usize| dot(&conjugates, q.row(row));
    let all: Vec<Complex<f64>> = (0..q.rows).map(product).collect();
    let length = all.iter().fold(0.0, |length: f64, x| length.hypot(x.norm()));
    let greatest =
        all.iter().copied().fold(Complex::ZERO, |most, x| if x.norm() > most.norm() { x } else { most });
    let factor = greatest.conj() / greatest.norm() / length;
    all.into_iter().enumerate().for_each(|(row, x)| to[(row, column)] = x * factor);
}

/// `gtsv`: solves a tridiagonal system for the columns of `b`, by exchanges of neighbouring rows. The first number below the
/// diagonal and the last one above it do not count. If there is no pivot in a row, its number, from 1.
pub(crate) fn tridiagonal_system<T: Number>(
    below: &[T],
    diagonal: &[T],
    above: &[T],
    b: &mut Matrix<T>,
) -> Result<(), i32> {
    let n = diagonal.len();
    // Each row from its diagonal element on.
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
                let factor = times(next[0], 1.0 / most) / times(rows[step][0], 1.0 / most);
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
        let most = greatest([&d]);
        for column in 0..b.columns {
            let mut x = b[(row, column)];
            for (at, by) in [(row + 1, u), (row + 2, v)].into_iter().filter(|(at, _)| *at < n) {
                x = x - by * b[(at, column)];
            }
            b[(row, column)] = times(x, 1.0 / most) / times(d, 1.0 / most);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
