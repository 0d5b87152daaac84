//! Factors by what defines them: their products, and columns that are orthogonal.

use binade::philox;

use super::*;

/// Numbers between −1 and 1, real or complex.
trait Drawn: Factored {
    fn drawn(re: f64, im: f64) -> Self;
}

impl Drawn for f64 {
    fn drawn(re: f64, _: f64) -> f64 {
        re
    }
}

impl Drawn for Complex<f64> {
    fn drawn(re: f64, im: f64) -> Self {
        Complex { re, im }
    }
}

fn random<T: Drawn>(rows: usize, columns: usize, seed: u64) -> Matrix<T> {
    let mut draws = philox::Stream::new(seed);
    let mut next = || f64::from(draws.word()) / f64::from(1u32 << 31) - 1.0;
    let data = (0..rows * columns).map(|_| T::drawn(next(), next())).collect();
    Matrix::new(rows, columns, data)
}

fn product<T: Number>(a: &Matrix<T>, b: &Matrix<T>) -> Matrix<T> {
    let mut sums = Matrix::zeros(a.rows, b.columns);
    for row in 0..a.rows {
        for column in 0..b.columns {
            for at in 0..a.columns {
                sums[(row, column)] = sums[(row, column)] + a[(row, at)] * b[(at, column)];
            }
        }
    }
    sums
}

fn diagonal<T: Number>(values: &[f64], rows: usize, columns: usize) -> Matrix<T> {
    let mut all = Matrix::zeros(rows, columns);
    values.iter().enumerate().for_each(|(at, &value)| all[(at, at)] = number(value));
    all
}

#[track_caller]
fn equal<T: Number>(one: &Matrix<T>, other: &Matrix<T>) {
    assert_eq!((one.rows, one.columns), (other.rows, other.columns));
    let most = other.data.iter().map(|x| x.abs()).fold(f64::MIN_POSITIVE, f64::max);
    for (x, y) in one.data.iter().zip(&other.data) {
        let gap = (*x - *y).abs();
        assert!(gap <= 1e-12 * most * (1 + one.rows + one.columns) as f64, "{gap:e}");
    }
}

#[track_caller]
fn orthogonal<T: Number>(q: &Matrix<T>) {
    equal(&product(&q.adjoint(), q), &Matrix::identity(q.columns, q.columns));
}

/// The part on and above a diagonal so far below the main one.
fn upper<T: Number>(a: &Matrix<T>, below: usize) -> Matrix<T> {
    let mut upper = a.clone();
    for row in 0..a.rows {
        (0..a.columns.min(row.saturating_sub(below))).for_each(|column| upper[(row, column)] = T::zero());
    }
    upper
}

/// Matrices of all kinds: random, of low rank, of zeros, of small and of large numbers, graded, and with equal values.
fn matrices<T: Drawn>(rows: usize, columns: usize) -> Vec<Matrix<T>> {
    let plain = random::<T>(rows, columns, 1);
    let low = product(&random::<T>(rows, 1, 2), &random::<T>(1, columns, 3));
    let scaled = |scale: f64| {
        let mut a = plain.clone();
        a.data.iter_mut().for_each(|x| *x = *x * number(scale));
        a
    };
    let mut graded = plain.clone();
    for (at, x) in graded.data.iter_mut().enumerate() {
        *x = *x * number(10f64.powi(-((at % columns.max(1)) as i32)));
    }
    let (tiny, zeros, one) = (scaled(1e-250), Matrix::zeros(rows, columns), Matrix::identity(rows, columns));
    vec![plain.clone(), low, tiny, zeros, one, graded, scaled(1e150)]
}

const SIZES: [(usize, usize); 9] = [(0, 0), (1, 1), (2, 2), (3, 5), (5, 3), (7, 7), (1, 4), (4, 1), (12, 12)];

fn rectangular<T: Drawn>() {
    for (rows, columns) in SIZES {
        let count = rows.min(columns);
        for a in matrices::<T>(rows, columns) {
            let most = a.data.iter().map(|x| x.abs()).fold(0.0, f64::max);
            let (packed, pivots, _) = lu(a.clone());
            let (mut l, u) = (Matrix::identity(rows, count), upper(&packed, 0));
            for row in 0..rows {
                (0..row.min(count)).for_each(|column| l[(row, column)] = packed[(row, column)]);
            }
            let u = Matrix::new(count, columns, u.data[..count * columns].to_vec());
            let mut exchanged = a.clone();
            for (row, &pivot) in pivots.iter().enumerate() {
                for column in 0..columns {
                    exchanged.data.swap(row * columns + column, (pivot as usize - 1) * columns + column);
                }
            }
            equal(&product(&l, &u), &exchanged);

            let check = |packed: &Matrix<T>, taus: &[T], a: &Matrix<T>| {
                let mut wide = Matrix::zeros(rows, rows);
                for row in 0..rows {
                    (0..count).for_each(|column| wide[(row, column)] = packed[(row, column)]);
                }
                let q = product_of_reflectors(&wide, taus);
                orthogonal(&q);
                equal(&product(&q, &upper(packed, 0)), a);
                let (b, qh) = (matrices::<T>(rows, rows).swap_remove(0), q.adjoint());
                equal(&times_reflectors(packed, taus, b.clone(), true, false), &product(&q, &b));
                equal(&times_reflectors(packed, taus, b.clone(), true, true), &product(&qh, &b));
                equal(&times_reflectors(packed, taus, b.clone(), false, false), &product(&b, &q));
                equal(&times_reflectors(packed, taus, b.clone(), false, true), &product(&b, &qh));
            };
            let (packed, taus) = qr(a.clone());
            check(&packed, &taus, &a);
            let mut fixed = vec![0; columns];
            for name_last in [false, true] {
                if let (Some(last), true) = (fixed.last_mut(), name_last) {
                    *last = 1;
                }
                let (packed, order, taus) = pivoted_qr(a.clone(), &fixed);
                let order: Vec<usize> = order.iter().map(|&at| at as usize - 1).collect();
                assert!(!name_last || order.first().is_none_or(|&first| first == columns - 1));
                check(&packed, &taus, &a.chosen(&order));
                let first = usize::from(name_last);
                let on_diagonal: Vec<f64> = (first..count).map(|at| packed[(at, at)].abs()).collect();
                assert!(on_diagonal.windows(2).all(|two| two[1] <= two[0] * (1.0 + 1e-10) + 1e-14 * most));
            }

            for whole in [false, true] {
                let (u, values, vt) = singular(&a, whole).unwrap();
                assert!(
                    values.is_sorted_by(|one, other| one >= other)
                        && values.iter().all(|&value| value >= 0.0)
                );
                orthogonal(&u);
                orthogonal(&vt.adjoint());
                let (left, right) = if whole { (rows, columns) } else { (count, count) };
                equal(&product(&product(&u, &diagonal(&values, left, right)), &vt), &a);
            }
        }
    }
}

fn square<T: Drawn>() {
    for (n, _) in SIZES.into_iter().filter(|(rows, columns)| rows == columns) {
        for a in matrices::<T>(n, n) {
            let mut hermitian_one = a.clone();
            for row in 0..n {
                for column in 0..n {
                    let (x, y) = (a[(row, column)], a[(column, row)].conj());
                    hermitian_one[(row, column)] = x / number(2.0) + y / number(2.0);
                }
            }
            for lower in [true, false] {
                // What is in the other triangle does not count.
                let mut half = hermitian_one.clone();
                for row in 0..n {
                    for column in 0..n {
                        if row != column && (row < column) == lower {
                            half[(row, column)] = number(7.0);
                        }
                    }
                }
                let (vectors, values) = hermitian(&half, lower).unwrap();
                orthogonal(&vectors);
                assert!(values.is_sorted());
                let made = product(&product(&vectors, &diagonal(&values, n, n)), &vectors.adjoint());
                equal(&made, &hermitian_one);

                let found = tridiagonal(&half, lower);
                let mut t = diagonal(&found.diagonal, n, n);
                for (at, &x) in found.beside.iter().enumerate() {
                    (t[(at + 1, at)], t[(at, at + 1)]) = (number(x), number(x));
                }
                let (own, _) = hermitian(&t, true).map(|(_, values)| (values, ())).unwrap();
                let own = Matrix::new(n, 1, own.into_iter().map(number::<T>).collect());
                equal(&own, &Matrix::new(n, 1, values.into_iter().map(number::<T>).collect()));
                if lower {
                    let q = hessenberg_basis(&found.packed, &found.taus);
                    equal(&product(&product(&q, &t), &q.adjoint()), &hermitian_one);
                }
            }
            for (low, high) in [(0, n.saturating_sub(1)), (n / 3, n.saturating_sub(2).max(n / 3))] {
                let mut a = a.clone();
                // What is outside is triangular already.
                for row in 0..n {
                    (0..row).filter(|&column| column < low || row > high).for_each(|column| {
                        a[(row, column)] = T::zero();
                    });
                }
                let (packed, taus) = hessenberg(a.clone(), low, high);
                let q = hessenberg_basis(&packed, &taus);
                orthogonal(&q);
                equal(&product(&product(&q, &upper(&packed, 1)), &q.adjoint()), &a);
            }

            let (t, q, values) = T::schur(&a, false).unwrap();
            orthogonal(&q);
            equal(&product(&product(&q, &t), &q.adjoint()), &a);
            for row in 1..n {
                assert!((0..row - 1).all(|column| t[(row, column)] == T::zero()));
                if t[(row, row - 1)] != T::zero() {
                    assert!(T::REAL && t[(row, row)] == t[(row - 1, row - 1)]);
                    assert!(t[(row, row - 1)].re().signum() != t[(row - 1, row)].re().signum());
                    assert!(values[row] == values[row - 1].conj() && values[row - 1].im > 0.0);
                }
            }
            let (values, left, right) = eigen(&a).unwrap();
            let a = a.complex();
            let mut lambda = Matrix::zeros(n, n);
            (0..n).for_each(|at| lambda[(at, at)] = values[at]);
            equal(&product(&a, &right), &product(&right, &lambda));
            equal(&product(&left.adjoint(), &a), &product(&lambda, &left.adjoint()));
            for vectors in [&left, &right] {
                for column in 0..n {
                    let length = (0..n).map(|row| squared(vectors[(row, column)])).sum::<f64>();
                    assert!((length - 1.0).abs() < 1e-12);
                }
            }
        }
    }
}

#[test]
fn factors_of_matrices_are_what_defines_them() {
    rectangular::<f64>();
    rectangular::<Complex<f64>>();
    square::<f64>();
    square::<Complex<f64>>();
}

fn systems<T: Drawn>() {
    for n in 0..9 {
        for seed in 0..20 {
            let parts = random::<T>(3, n, seed);
            let [below, on, above] = [0, 1, 2].map(|row| &parts.data[row * n..][..n]);
            let mut on = on.to_vec();
            if seed % 3 == 0 && n > 1 {
                // Rows have to be exchanged.
                on[0] = T::zero();
            }
            let mut a = Matrix::zeros(n, n);
            for at in 0..n {
                a[(at, at)] = on[at];
                if at > 0 {
                    a[(at, at - 1)] = below[at];
                    a[(at - 1, at)] = above[at - 1];
                }
            }
            let b = random::<T>(n, 2, seed + 100);
            let mut x = b.clone();
            tridiagonal_system(below, &on, above, &mut x).unwrap();
            let size = x.data.iter().map(|x| x.abs()).fold(1.0, f64::max);
            let left = product(&a, &x);
            assert!(left.data.iter().zip(&b.data).all(|(x, y)| (*x - *y).abs() < 1e-13 * size));
        }
    }
    let (zero, one) = ([T::zero(); 2], [T::one(); 2]);
    assert_eq!(tridiagonal_system(&zero, &zero, &one, &mut Matrix::zeros(2, 1)), Err(1));
    assert_eq!(tridiagonal_system(&one, &one, &one, &mut Matrix::zeros(2, 1)), Err(2));
}

#[test]
fn tridiagonal_systems_are_solved() {
    systems::<f64>();
    systems::<Complex<f64>>();
}

#[test]
fn eigenvalues_of_known_matrices_are_found() {
    // A permutation has roots of 1, a rotation e^±iθ, Jordan's block one value.
    let cycle = Matrix::new(3, 3, vec![0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let (mut values, ..) = eigen(&cycle).unwrap();
    values.sort_by(|one, other| (one.re, one.im).partial_cmp(&(other.re, other.im)).unwrap());
    for (value, angle) in values.iter().zip([-120f64, 120.0, 0.0]) {
        assert!((value - Complex::from_polar(1.0, angle.to_radians())).norm() < 1e-14);
    }
    let jordan = Matrix::new(3, 3, vec![2.0, 1.0, 0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 2.0]);
    let (values, _, right) = eigen(&jordan).unwrap();
    assert!(values.iter().all(|&value| value == Complex { re: 2.0, im: 0.0 }));
    assert!(right.is_finite());
    let (_, values) = hermitian(&Matrix::new(2, 2, vec![2.0, 0.0, 1.0, 2.0]), true).unwrap();
    assert!((values[0] - 1.0).abs() < 1e-15 && (values[1] - 3.0).abs() < 1e-15);
}

#[test]
fn matrices_with_nan_have_no_factors() {
    for bad in [f64::NAN, f64::INFINITY] {
        let a = Matrix::new(3, 3, vec![1.0, 2.0, 3.0, 4.0, bad, 6.0, 7.0, 8.0, 9.0]);
        assert!(hermitian(&a, true).is_none() && singular(&a, true).is_none() && eigen(&a).is_none());
        // They end.
        let _ = (lu(a.clone()), qr(a.clone()), pivoted_qr(a.clone(), &[0; 3]), hessenberg(a, 0, 2));
    }
}

#[test]
fn what_is_divided_by_an_infinite_pivot_is_zero() {
    let (packed, pivots, info) = lu(Matrix::new(2, 2, vec![1.0, 2.0, f64::NEG_INFINITY, 3.0]));
    assert_eq!((packed.data, pivots, info), (vec![f64::NEG_INFINITY, 3.0, 0.0, 2.0], vec![2, 2], 0));
    // Of a complex one, as LAPACK has it, if a part is finite.
    let number = |re, im| Complex { re, im };
    for pivot in [number(f64::INFINITY, 0.0), number(-2.0, f64::NEG_INFINITY)] {
        let data = vec![number(1.0, 1.0), number(2.0, 0.0), pivot, number(0.0, 1.0)];
        let (packed, _, _) = lu(Matrix::new(2, 2, data));
        assert_eq!(packed.data, [pivot, number(0.0, 1.0), number(0.0, 0.0), number(2.0, 0.0)]);
    }
    let both = number(f64::INFINITY, f64::INFINITY);
    let (packed, _, _) = lu(Matrix::new(2, 1, vec![both, number(1.0, 0.0)]));
    assert!(packed.data[1].is_nan());
}

/// As LAPACK has them: a column with a NaN makes its reflector and the columns behind it NaN, those before it stay.
#[test]
fn a_nan_goes_where_reflectors_take_it() {
    let a = Matrix::new(3, 3, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, f64::NAN, 9.0]);
    let (packed, taus) = qr(a);
    let nan: Vec<bool> = packed.data.iter().map(|x| x.is_nan()).collect();
    assert_eq!(nan, [false, true, false, false, true, true, false, true, true]);
    assert!(taus[0].is_finite() && taus[1].is_nan() && taus[2] == 0.0, "{taus:?}");
    // Of an infinite number on the diagonal nothing is left below it.
    let (packed, taus) = qr(Matrix::new(2, 2, vec![f64::INFINITY, 2.0, 3.0, 4.0]));
    assert!(packed.data[0] == f64::NEG_INFINITY && packed.data[1].is_nan());
    assert_eq!(packed.data[2..], [0.0, 4.0]);
    assert!(taus[0].is_nan() && taus[1] == 0.0);
}
