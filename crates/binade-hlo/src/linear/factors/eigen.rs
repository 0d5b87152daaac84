//! Eigenvalues and eigenvectors of square matrices, for `geev`, from their Schur form.

use binade_fft::num_complex::Complex;

use super::schur::{Factored, rotation};
use super::{Matrix, Number, divide, dot, greatest, length, magnitude, times, to_about_one};

/// The eigenvalues and the left and right eigenvectors, as columns.
pub(crate) type Eigen = (Vec<Complex<f64>>, Matrix<Complex<f64>>, Matrix<Complex<f64>>);

/// `geev`. Vectors have length 1, and their greatest element is real. `None` if the iteration does not converge, and
/// for a matrix with an infinity or NaN.
pub(crate) fn eigen<T: Factored>(a: &Matrix<T>) -> Option<Eigen> {
    if !a.is_finite() {
        return None;
    }
    let n = a.rows;
    let (a, scale) = a.scaled();
    let (a, balance) = Balance::of(a, true);
    let (t, q) = T::form(&a, balance.low, balance.high, &|_| false)?;
    let mut values = T::values(&t);
    let (mut t, mut q) = (t.complex(), q.complex());
    for at in 1..n {
        // A block of two becomes triangular, with its eigenvalues in their order.
        let below = t[(at, at - 1)];
        if below != Complex::ZERO {
            if let Some((c, s)) = rotation(values[at - 1] - t[(at, at)], below) {
                t.rotate_rows(at - 1, at, c, s, 0);
                t.rotate_columns(at - 1, at, c, s, n);
                q.rotate_columns(at - 1, at, c, s, n);
            }
            t[(at, at - 1)] = Complex::ZERO;
        }
    }
    let (mut left, mut right) = (Matrix::zeros(n, n), Matrix::zeros(n, n));
    // The transpose stores the factors of a sum next to each other.
    let columns = t.transposed();
    let rows = columns.adjoint();
    for at in 0..n {
        let value = t[(at, at)];
        // As LAPACK's `trevc`, replaces the difference of equal eigenvalues by a unit in their last place.
        let least = (f64::EPSILON * (value.re.abs() + value.im.abs())).max(f64::MIN_POSITIVE / f64::EPSILON);
        let apart = |x: Complex<f64>| match x.re.abs() + x.im.abs() < least {
            true => Complex { re: least, im: 0.0 },
            false => x,
        };
        let mut x = vec![Complex::ZERO; n];
        x[at] = Complex::ONE;
        for row in (0..at).rev() {
            let sum = dot(&rows.row(row)[row + 1..=at], &x[row + 1..=at]);
            x[row] = divide(-sum, apart(t[(row, row)] - value));
            tame(&mut x, row);
        }
        set_column(&mut right, at, &unit(balance.right(product(&q, &x))));
        let mut y = vec![Complex::ZERO; n];
        y[at] = Complex::ONE;
        for row in at + 1..n {
            let sum = dot(&columns.row(row)[at..row], &y[at..row]);
            y[row] = divide(-sum, apart((t[(row, row)] - value).conj()));
            tame(&mut y, row);
        }
        set_column(&mut left, at, &unit(balance.left(product(&q, &y))));
    }
    // Real eigenvalues of a real matrix have real vectors, and conjugate pairs have conjugate ones.
    if T::REAL {
        for (at, value) in values.iter().enumerate() {
            for vectors in [&mut left, &mut right] {
                let vector: Vec<Complex<f64>> = (0..n).map(|row| vectors[(row, at)]).collect();
                let vector = match value.im {
                    // The real part of an eigenvector is an eigenvector as well.
                    0.0 => unit(vector.iter().map(|x| x.re.into()).collect()),
                    im if im < 0.0 => (0..n).map(|row| vectors[(row, at - 1)].conj()).collect(),
                    _ => vector,
                };
                set_column(vectors, at, &vector);
            }
        }
    }
    values.iter_mut().for_each(|value| *value *= scale);
    Some((values, left, right))
}

fn set_column(a: &mut Matrix<Complex<f64>>, column: usize, x: &[Complex<f64>]) {
    x.iter().enumerate().for_each(|(row, &x)| a[(row, column)] = x);
}

/// Rescales a vector whose new element is large; only its direction matters.
fn tame(x: &mut [Complex<f64>], at: usize) {
    let size = greatest([&x[at]]);
    if size > 2.0 {
        let by = to_about_one(size);
        x.iter_mut().for_each(|x| *x *= by);
    }
}

/// Q·x.
fn product(q: &Matrix<Complex<f64>>, x: &[Complex<f64>]) -> Vec<Complex<f64>> {
    let conjugates: Vec<Complex<f64>> = x.iter().map(|x| x.conj()).collect();
    (0..q.rows).map(|row| dot(&conjugates, q.row(row))).collect()
}

/// The multiple of a vector that has length 1 and whose greatest element is real.
fn unit(x: Vec<Complex<f64>>) -> Vec<Complex<f64>> {
    let by = to_about_one(greatest(&x));
    let x: Vec<Complex<f64>> = x.into_iter().map(|x| x * by).collect();
    let mut greatest = 0;
    for (at, &number) in x.iter().enumerate() {
        if magnitude(number) > magnitude(x[greatest]) {
            greatest = at;
        }
    }
    let Some(&number) = x.get(greatest) else { return x };
    let size = magnitude(number);
    let phase = times(number.conj(), 1.0 / size);
    let reciprocal = 1.0 / length(&x);
    let mut x: Vec<Complex<f64>> = x.into_iter().map(|x| times(x * phase, reciprocal)).collect();
    x[greatest] = (size * reciprocal).into();
    x
}

/// The changes that [`Balance::of`] made to a matrix: exchanges and scales of rows and columns.
pub(super) struct Balance {
    /// The range of rows and columns outside of which the matrix is triangular.
    pub(super) low: usize,
    pub(super) high: usize,
    /// The exchanges, in their order.
    exchanged: Vec<(usize, usize)>,
    scales: Vec<f64>,
}

impl Balance {
    /// `gebal`: moves rows and columns that isolate an eigenvalue to the ends. With `scale`, it also equalises the
    /// lengths of each other row and its column, by powers of two.
    pub(super) fn of<T: Number>(mut a: Matrix<T>, scale: bool) -> (Matrix<T>, Balance) {
        let n = a.rows;
        let mut exchanged = vec![];
        let (mut low, mut end) = (0, n);
        let mut exchange = |a: &mut Matrix<T>, one: usize, other: usize| {
            if one != other {
                a.swap_columns(one, other);
                let (above, below) = a.rows_mut(one.min(other), one.max(other));
                above.swap_with_slice(below);
                exchanged.push((one, other));
            }
        };
        let isolated_row = |a: &Matrix<T>, row: usize, low: usize, end: usize| {
            (low..end).all(|column| column == row || a[(row, column)] == T::zero())
        };
        let isolated_column = |a: &Matrix<T>, column: usize, low: usize, end: usize| {
            (low..end).all(|row| column == row || a[(row, column)] == T::zero())
        };
        while let Some(row) = (low..end).rev().find(|&row| isolated_row(&a, row, low, end)) {
            end -= 1;
            exchange(&mut a, row, end);
        }
        while let Some(column) = (low..end).find(|&column| isolated_column(&a, column, low, end)) {
            exchange(&mut a, column, low);
            low += 1;
        }
        let mut scales = vec![1.0; n];
        let mut settled = !scale;
        while !settled {
            settled = true;
            for at in low..end {
                let column: Vec<T> = (low..end).map(|row| a[(row, at)]).collect();
                let (mut c, mut r) = (length(&column), length(&a.row(at)[low..end]));
                if c == 0.0 || r == 0.0 {
                    continue;
                }
                let (before, mut by) = (c + r, 1.0f64);
                while c < r / 2.0 && by < SCALE {
                    (c, r, by) = (c * 2.0, r / 2.0, by * 2.0);
                }
                while r <= c / 2.0 && by > 1.0 / SCALE {
                    (c, r, by) = (c / 2.0, r * 2.0, by / 2.0);
                }
                let all = scales[at] * by;
                if c + r >= 0.95 * before || !(1.0 / SCALE..=SCALE).contains(&all) {
                    continue;
                }
                settled = false;
                scales[at] = all;
                a.row_mut(at).iter_mut().for_each(|x| *x = times(*x, 1.0 / by));
                (0..end).for_each(|row| a[(row, at)] = times(a[(row, at)], by));
            }
        }
        (a, Balance { low, high: end.max(low + 1) - 1, exchanged, scales })
    }

    /// Maps the columns of a matrix, vectors of the balanced matrix, to vectors of the original one. The balance must
    /// have no scales.
    pub(super) fn restored<T: Number>(&self, mut q: Matrix<T>) -> Matrix<T> {
        for &(one, other) in self.exchanged.iter().rev() {
            let (above, below) = q.rows_mut(one.min(other), one.max(other));
            above.swap_with_slice(below);
        }
        q
    }

    /// Maps a right eigenvector of the balanced matrix to a multiple of one of the original matrix.
    fn right(&self, x: Vec<Complex<f64>>) -> Vec<Complex<f64>> {
        let most = self.scales.iter().copied().fold(0.0, f64::max);
        self.exchanged_back(x.iter().zip(&self.scales).map(|(x, scale)| x * (scale / most)).collect())
    }

    /// Maps a left eigenvector as [`Self::right`] does a right one.
    fn left(&self, x: Vec<Complex<f64>>) -> Vec<Complex<f64>> {
        let least = self.scales.iter().copied().fold(f64::INFINITY, f64::min);
        self.exchanged_back(x.iter().zip(&self.scales).map(|(x, scale)| x * (least / scale)).collect())
    }

    fn exchanged_back(&self, mut x: Vec<Complex<f64>>) -> Vec<Complex<f64>> {
        self.exchanged.iter().rev().for_each(|&(one, other)| x.swap(one, other));
        x
    }
}

/// Scales are between its reciprocal and itself. With numbers of about 1, no scaled element and no quotient of two
/// overflows.
const SCALE: f64 = (1u64 << 63) as f64 * (1u64 << 63) as f64 * (1u64 << 63) as f64;
