//! Checks factors by their definitions: products that give the matrix, and orthogonal columns.

use binade::philox;

use super::*;

/// Number types with random values between −1 and 1.
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

/// The part on and above the diagonal that is `below` below the main one.
fn upper<T: Number>(a: &Matrix<T>, below: usize) -> Matrix<T> {
    let mut upper = a.clone();
    for row in 0..a.rows {
        (0..a.columns.min(row.saturating_sub(below))).for_each(|column| upper[(row, column)] = T::zero());
    }
    upper
}

/// Matrices of many kinds: random, of low rank, zero, with small and with large numbers, graded, and with equal values.
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
                // The other triangle must be ignored.
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
                // The part outside of the range is triangular already.
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
                // Makes the rows exchange.
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

/// Matrices on which iterations stall or overflow: defective, graded, with equal eigenvalues, and of low rank. In the
/// last kind, the rest of a column is rounding noise that decreases to subnormal numbers.
fn difficult<T: Drawn>(n: usize) -> Vec<(&'static str, Matrix<T>)> {
    let made = |element: &dyn Fn(usize, usize) -> f64| {
        let mut a = Matrix::<T>::zeros(n, n);
        for row in 0..n {
            (0..n).for_each(|column| a[(row, column)] = number(element(row, column)));
        }
        // Complex matrices are multiplied by phases, which change no value.
        if !T::REAL {
            for (row, column) in (0..n * n).map(|at| (at / n, at % n)) {
                let angle = 0.1 * (row * row) as f64 - 0.1 * (column * column) as f64;
                a[(row, column)] = a[(row, column)] * T::drawn(libm::cos(angle), libm::sin(angle));
            }
        }
        a
    };
    let bit = |is: bool| f64::from(u8::from(is));
    let low_rank = product(&random::<T>(n, 2, 5), &random::<T>(n, 2, 5).adjoint());
    vec![
        ("ones", made(&|_, _| 1.0)),
        ("I + J", made(&|row, column| 1.0 + bit(row == column))),
        ("star", made(&|row, column| bit((row == 0) != (column == 0)))),
        ("bipartite", made(&|row, column| bit((row < n / 3) != (column < n / 3)))),
        ("checkerboard", made(&|row, column| ((row + column) % 2) as f64)),
        ("products", made(&|row, column| ((row + 1) * (column + 1)) as f64)),
        ("Hilbert", made(&|row, column| 1.0 / (row + column + 1) as f64)),
        (
            "graded",
            made(&|row, column| libm::exp2(-(3.0 * row.max(column) as f64)) / (1 + row.min(column)) as f64),
        ),
        ("zero rows", made(&|row, column| bit(row % 3 != 0 && column % 2 == 0) * (row + 2 * column) as f64)),
        ("cycle", made(&|row, column| bit((row + 1) % n == column))),
        ("Jordan", made(&|row, column| bit(row + 1 == column) + 2.0 * bit(row == column))),
        ("lower Jordan", made(&|row, column| bit(row == column + 1))),
        ("rank 2", low_rank),
        ("subnormal", made(&|row, column| 5e-324 * (row + column) as f64)),
        ("large", made(&|row, column| f64::MAX / 1e3 * bit(row != column) / n as f64)),
    ]
}

/// Asserts that two matrices differ by columns no longer than 20·n·ε times a size.
#[track_caller]
fn small<T: Number>(what: &str, one: &Matrix<T>, other: &Matrix<T>, size: f64) {
    let n = one.rows;
    for column in 0..one.columns {
        let gap: Vec<T> = (0..n).map(|row| one[(row, column)] - other[(row, column)]).collect();
        let gap = length(&gap);
        // The second term allows for the rounding of subnormal numbers.
        let most = 20.0 * n as f64 * f64::EPSILON * size + 5e-324 * n as f64;
        assert!(gap <= most, "{what}, n = {n}: {gap:e} where {most:e} is allowed");
    }
}

fn difficult_matrices<T: Drawn>(n: usize) {
    let unit = Matrix::<T>::identity(n, n);
    let by_values = |a: &Matrix<T>, values: &[f64]| {
        let mut a = a.clone();
        (0..n * n).for_each(|at| a.data[at] = times(a.data[at], values[at % n]));
        a
    };
    for (name, a) in difficult::<T>(n) {
        let size = length(&a.data);
        let (u, values, vt) = singular(&a, false).expect(name);
        small(name, &product(&by_values(&u, &values), &vt), &a, size);
        small(name, &product(&u.adjoint(), &u), &unit, 1.0);
        small(name, &product(&vt, &vt.adjoint()), &unit, 1.0);

        let half = mirrored(n, |row, column| a[(row, column)]);
        let (vectors, values) = hermitian(&half, true).expect(name);
        small(name, &product(&half, &vectors), &by_values(&vectors, &values), length(&half.data));
        small(name, &product(&vectors.adjoint(), &vectors), &unit, 1.0);

        let (t, q, _) = T::schur(&a, false).expect(name);
        small(name, &product(&product(&q, &t), &q.adjoint()), &a, size);
        small(name, &product(&q.adjoint(), &q), &unit, 1.0);

        let (values, left, right) = eigen(&a).expect(name);
        let a = a.complex();
        let scaled = |a: &Matrix<Complex<f64>>, conjugate: bool| {
            let mut a = a.clone();
            for (at, x) in a.data.iter_mut().enumerate() {
                *x *= if conjugate { values[at % n].conj() } else { values[at % n] };
            }
            a
        };
        small(name, &product(&a, &right), &scaled(&right, false), size);
        small(name, &product(&a.adjoint(), &left), &scaled(&left, true), size);
        for vectors in [&left, &right] {
            let columns = vectors.transposed();
            assert!((0..n).all(|at| (length(columns.row(at)) - 1.0).abs() < 1e-13), "{name}");
        }
    }
}

#[test]
fn rank_deficient_clustered_and_graded_matrices_converge() {
    for n in [1, 2, 3, 5, 13, 28] {
        difficult_matrices::<f64>(n);
        difficult_matrices::<Complex<f64>>(n);
    }
}

#[test]
fn matrices_of_ones_have_one_singular_value_at_every_size() {
    for n in (2..=65).step_by(9).chain([81, 100, 104]) {
        let ones = Matrix::new(n, n, vec![1.0; n * n]);
        let (_, values, _) = singular(&ones, false).unwrap();
        assert!((values[0] - n as f64).abs() < 1e-12 && values[1] < 1e-13, "{n}: {values:?}");
        let (_, values) = hermitian(&ones, true).unwrap();
        assert!((values[n - 1] - n as f64).abs() < 1e-12 && values[0].abs().max(values[n - 2].abs()) < 1e-13);
    }
}

#[test]
fn the_other_triangle_of_a_hermitian_matrix_does_not_count() {
    let (_, values) = hermitian(&Matrix::new(2, 2, vec![2.0, f64::INFINITY, 1.0, 2.0]), true).unwrap();
    assert!((values[0] - 1.0).abs() < 1e-15 && (values[1] - 3.0).abs() < 1e-15);
    let (_, values) = hermitian(&Matrix::new(2, 2, vec![2.0, 1.0, 1e300, 2.0]), false).unwrap();
    assert!((values[0] - 1.0).abs() < 1e-15 && (values[1] - 3.0).abs() < 1e-15);
}

/// Balancing works as LAPACK's `gebal`. Exchanges find the values of triangular matrices exactly, in any order of rows;
/// scales find those of badly scaled ones.
#[test]
fn balanced_matrices_have_precise_eigenvalues() {
    let lower = Matrix::new(3, 3, vec![1.0, 0.0, 0.0, 5.0, 1.0, 0.0, 7.0, 9.0, 1.0]);
    let (values, ..) = eigen(&lower).unwrap();
    assert!(values.iter().all(|&value| value == Complex { re: 1.0, im: 0.0 }), "{values:?}");
    // λ = 1 ± √½.
    let (values, _, right) = eigen(&Matrix::new(2, 2, vec![1.0, 1e12, 0.5e-12, 1.0])).unwrap();
    let mut found = [values[0].re, values[1].re];
    found.sort_by(f64::total_cmp);
    let root = 0.5f64.sqrt();
    assert!((found[0] - (1.0 - root)).abs() < 1e-15 && (found[1] - (1.0 + root)).abs() < 1e-15, "{found:?}");
    assert!((right[(0, 0)].re - 1.0).abs() < 1e-15);
}

/// A block of two is triangular if its off-diagonal numbers would vanish in binary32.
#[test]
fn narrow_schur_forms_have_no_blocks_with_a_zero() {
    let a = Matrix::new(2, 2, vec![1.0, -1e-60, 1e-3, 1.0]);
    let (t, q, _) = f64::schur(&a, true).unwrap();
    assert!(t[(1, 0)] == 0.0 && t[(0, 1)] == -1e-3, "{t:?}");
    equal(&product(&product(&q, &t), &q.adjoint()), &a);
    let (t, _, values) = f64::schur(&a, false).unwrap();
    assert!(t[(1, 0)] != 0.0 && values[0].im > 0.0);
}

#[test]
fn eigenvalues_of_known_matrices_are_found() {
    // A permutation has roots of unity, a rotation e^±iθ, and a Jordan block one value.
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
        // Only checks that they terminate.
        let _ = (lu(a.clone()), qr(a.clone()), pivoted_qr(a.clone(), &[0; 3]), hessenberg(a, 0, 2));
    }
}

#[test]
fn what_is_divided_by_an_infinite_pivot_is_zero() {
    let (packed, pivots, info) = lu(Matrix::new(2, 2, vec![1.0, 2.0, f64::NEG_INFINITY, 3.0]));
    assert_eq!((packed.data, pivots, info), (vec![f64::NEG_INFINITY, 3.0, 0.0, 2.0], vec![2, 2], 0));
    // The same for a complex matrix, if one part of the pivot is finite, as in LAPACK.
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

/// As in LAPACK, a column with a NaN makes its reflector and the later columns NaN; the earlier ones are unchanged.
#[test]
fn a_nan_goes_where_reflectors_take_it() {
    let a = Matrix::new(3, 3, vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, f64::NAN, 9.0]);
    let (packed, taus) = qr(a);
    let nan: Vec<bool> = packed.data.iter().map(|x| x.is_nan()).collect();
    assert_eq!(nan, [false, true, false, false, true, true, false, true, true]);
    assert!(taus[0].is_finite() && taus[1].is_nan() && taus[2] == 0.0, "{taus:?}");
    // Below an infinite diagonal element nothing is left.
    let (packed, taus) = qr(Matrix::new(2, 2, vec![f64::INFINITY, 2.0, 3.0, 4.0]));
    assert!(packed.data[0] == f64::NEG_INFINITY && packed.data[1].is_nan());
    assert_eq!(packed.data[2..], [0.0, 4.0]);
    assert!(taus[0].is_nan() && taus[1] == 0.0);
}
