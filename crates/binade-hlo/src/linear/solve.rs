//! Evaluates `cholesky` and `triangular_solve`.

use std::sync::Arc;

use binade_fft::num_complex::{Complex, ComplexFloat};
use binade_simd::threads;
use binade_stablehlo::{Data, ElementType, FloatType, Tensor, each_storage};

use super::fft::from_pairs;
use super::products;
use crate::arithmetic::convert::convert;
use crate::buffer_pool;
use crate::error::EvalError;
use crate::movement::shape;

/// Numbers of a linear system in binary64, whatever the tensor's type.
pub(crate) enum Wide {
    Real(Vec<f64>),
    Complex(Vec<Complex<f64>>),
}

/// The elements in binary64.
pub(crate) fn wide(x: &Tensor) -> Result<Wide, EvalError> {
    match &*x.data {
        Data::C64(z) => {
            Ok(Wide::Complex(z.iter().map(|&[re, im]| Complex { re: re.into(), im: im.into() }).collect()))
        }
        Data::C128(z) => Ok(Wide::Complex(from_pairs(z))),
        _ => match convert(x, &ElementType::Float(FloatType::F64))? {
            Data::F64(x) => Ok(Wide::Real(x)),
            _ => Err(EvalError::element("a linear system", &x.element)),
        },
    }
}

/// A tensor with the type and the shape of another.
pub(crate) fn narrow(result: Wide, like: &Tensor) -> Result<Tensor, EvalError> {
    let data = Arc::new(narrowed(result, &like.element)?);
    Ok(Tensor { element: like.element.clone(), shape: like.shape.clone(), data })
}

/// Numbers rounded to a type of their kind.
pub(crate) fn narrowed(numbers: Wide, element: &ElementType) -> Result<Data, EvalError> {
    Ok(match numbers {
        Wide::Real(x) => {
            let double = ElementType::Float(FloatType::F64);
            convert(&Tensor::new(double, vec![x.len()], Data::F64(x)), element)?
        }
        Wide::Complex(z) if *element == ElementType::Complex(FloatType::F32) => {
            Data::C64(z.into_iter().map(|z| [z.re as f32, z.im as f32]).collect())
        }
        Wide::Complex(z) => Data::C128(z.into_iter().map(|z| [z.re, z.im]).collect()),
    })
}

/// `cholesky`, computed in binary64 and rounded once. The other triangle is zero. If the matrix is not positive
/// definite, all of the result is NaN as in JAX, so that no caller mistakes a part of it for a factor.
///
/// # Errors
/// If the elements are not floating-point numbers.
pub(crate) fn cholesky(x: &Tensor, lower: bool) -> Result<Tensor, EvalError> {
    let (mut factors, _) = half_cholesky(x, lower)?;
    let n = *x.shape.last().expect("matrices");
    let other = |at: &usize| (at / n % n < at % n) == lower && at / n % n != at % n;
    each_storage!(Data, buffer_pool::own(&mut factors.data), all => {
        (0..all.len()).filter(other).for_each(|at| all[at] = Default::default());
    });
    Ok(factors)
}

/// As [`cholesky`], but the other triangle keeps its elements, as LAPACK's `potrf` does. Also returns true for each
/// matrix that is not positive definite. As in `potrf`, a NaN does not make a matrix one of these; it stays in the
/// elements that it reaches.
pub(crate) fn half_cholesky(x: &Tensor, lower: bool) -> Result<(Tensor, Vec<bool>), EvalError> {
    let n = *x.shape.last().expect("matrices");
    let mut matrices = wide(x)?;
    fn all<T: Send>(a: &mut [T], n: usize, factor: impl Fn(&mut [T]) -> bool + Sync) -> Vec<bool> {
        let mut matrices: Vec<_> = a.chunks_mut((n * n).max(1)).map(|a| (a, false)).collect();
        threads::chunks(true, &mut matrices, 1, |_, one| one[0].1 = !factor(one[0].0));
        matrices.into_iter().map(|(_, failed)| failed).collect()
    }
    let failed = match &mut matrices {
        Wide::Real(a) if n >= 2 * PANEL => all(a, n, |a| factor_in_panels(a, n, lower)),
        Wide::Real(a) => all(a, n, |a| factor(a, n, lower)),
        Wide::Complex(a) => all(a, n, |a| factor(a, n, lower)),
    };
    Ok((narrow(matrices, x)?, failed))
}

/// Overwrites the lower triangle of A with L of A = L·Lᴴ, or the upper one with U = Lᴴ. The other triangle is
/// unchanged. Returns false and writes NaN if there is no factor.
fn factor<T: ComplexFloat<Real = f64>>(a: &mut [T], n: usize, lower: bool) -> bool {
    let at = |row: usize, column: usize| if lower { row * n + column } else { column * n + row };
    let turn = |z: T| if lower { z } else { z.conj() };
    // Reads and writes the lower triangle as L, wherever it is stored.
    let mut definite = true;
    for column in 0..n {
        let mut diagonal = a[at(column, column)].re();
        for k in 0..column {
            let z = a[at(column, k)];
            diagonal -= (z * z.conj()).re();
        }
        definite &= diagonal > 0.0 || diagonal.is_nan();
        let root = diagonal.sqrt();
        a[at(column, column)] = T::from(root).expect("a float");
        for row in column + 1..n {
            let mut sum = turn(a[at(row, column)]);
            for k in 0..column {
                sum = sum - turn(a[at(row, k)]) * turn(a[at(column, k)]).conj();
            }
            a[at(row, column)] = turn(sum / T::from(root).expect("a float"));
        }
    }
    if !definite {
        for (row, column) in triangle(n) {
            a[at(row, column)] = T::from(f64::NAN).expect("a float");
        }
    }
    definite
}

/// The rows and columns of the lower triangle.
fn triangle(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(|row| (0..=row).map(move |column| (row, column)))
}

/// The number of columns of a panel.
const PANEL: usize = 32;

/// [`factor`] of a large matrix with the same bits: each element subtracts the same products in the same order.
fn factor_in_panels(a: &mut [f64], n: usize, lower: bool) -> bool {
    let at = |row: usize, column: usize| if lower { row * n + column } else { column * n + row };
    let mut definite = true;
    // The factor's columns, from the diagonal down, row by row.
    let mut panels: Vec<Vec<f64>> = vec![];
    for start in (0..n).step_by(PANEL) {
        let (rows, width) = (n - start, PANEL.min(n - start));
        let mut panel = vec![0.0; rows * width];
        for (row, elements) in panel.chunks_mut(width).enumerate() {
            for (column, element) in elements.iter_mut().enumerate().take(row + 1) {
                *element = a[at(start + row, start + column)];
            }
        }
        for (number, known) in panels.iter().enumerate() {
            let left = &known[(start - number * PANEL) * PANEL..];
            let mut right = vec![0.0; PANEL * width];
            for (column, row) in left.chunks(PANEL).take(width).enumerate() {
                row.iter().zip(right[column..].iter_mut().step_by(width)).for_each(|(x, to)| *to = *x);
            }
            products::take_products([rows, PANEL, width], left, &right, &mut panel);
        }
        definite &= factor_panel(&mut panel, width);
        panels.push(panel);
    }
    for (row, column) in triangle(n) {
        let (number, within) = (column / PANEL, column % PANEL);
        let width = PANEL.min(n - number * PANEL);
        a[at(row, column)] = match definite {
            true => panels[number][(row - number * PANEL) * width + within],
            false => f64::NAN,
        };
    }
    definite
}

/// Completes a panel from which the products of all panels before are subtracted.
fn factor_panel(panel: &mut [f64], width: usize) -> bool {
    let mut definite = true;
    for column in 0..width {
        let diagonal = panel[column * width + column];
        definite &= diagonal > 0.0 || diagonal.is_nan();
        let root = diagonal.sqrt();
        panel[column * width + column] = root;
        let below = (column + 1) * width;
        panel[below..].iter_mut().skip(column).step_by(width).for_each(|x| *x /= root);
        let mut factors = [0.0; PANEL];
        let across = panel[column..width * width].iter().step_by(width);
        factors.iter_mut().zip(across).for_each(|(factor, x)| *factor = *x);
        for row in panel[below..].chunks_exact_mut(width) {
            let by = row[column];
            let rest = row[column + 1..].iter_mut().zip(&factors[column + 1..]);
            rest.for_each(|(x, factor)| *x -= by * factor);
        }
    }
    definite
}

/// The reading of a `triangular_solve`'s matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Triangle {
    pub(crate) left_side: bool,
    pub(crate) lower: bool,
    pub(crate) unit_diagonal: bool,
    pub(crate) transpose: bool,
    pub(crate) conjugate: bool,
}

/// `triangular_solve`: computed in binary64 and rounded once.
///
/// # Errors
/// If the elements are not floating-point numbers.
pub(crate) fn triangular_solve(a: &Tensor, b: &Tensor, triangle: Triangle) -> Result<Tensor, EvalError> {
    let n = *a.shape.last().expect("matrices");
    // X·op(A) = B is the same as op(A)ᵀ·Xᵀ = Bᵀ.
    let rank = b.shape.len();
    let mut order: Vec<usize> = (0..rank).collect();
    order.swap(rank - 2, rank - 1);
    let turned = if triangle.left_side { b.clone() } else { shape::transpose(b, &order) };
    let columns = *turned.shape.last().expect("matrices");
    let solved = match (wide(a)?, wide(&turned)?) {
        (Wide::Real(a), Wide::Real(mut b)) => {
            systems(&a, &mut b, n, columns, triangle);
            Wide::Real(b)
        }
        (Wide::Complex(a), Wide::Complex(mut b)) => {
            systems(&a, &mut b, n, columns, triangle);
            Wide::Complex(b)
        }
        _ => return Err(EvalError::result("triangular_solve", &a.element, &b.element)),
    };
    let solved = narrow(solved, &turned)?;
    Ok(if triangle.left_side { solved } else { shape::transpose(&solved, &order) })
}

fn systems<T: ComplexFloat<Real = f64> + Send + Sync>(
    a: &[T],
    b: &mut [T],
    n: usize,
    columns: usize,
    triangle: Triangle,
) {
    if b.is_empty() {
        return;
    }
    threads::chunks(true, b, n * columns, |matrix, b| {
        solve(&a[matrix * n * n..][..n * n], b, n, columns, triangle);
    });
}

/// Substitution, one row of X after the other.
fn solve<T: ComplexFloat<Real = f64>>(a: &[T], b: &mut [T], n: usize, columns: usize, triangle: Triangle) {
    let Triangle { left_side, lower, unit_diagonal, transpose, conjugate } = triangle;
    // Solving from the right uses the transpose; two transposes cancel.
    let turned = transpose == left_side;
    let entry = |row: usize, column: usize| {
        let z = if turned { a[column * n + row] } else { a[row * n + column] };
        if conjugate { z.conj() } else { z }
    };
    let forward = lower != turned;
    for step in 0..n {
        let row = if forward { step } else { n - 1 - step };
        let known = if forward { 0..row } else { row + 1..n };
        for other in known {
            let factor = entry(row, other);
            for column in 0..columns {
                b[row * columns + column] = b[row * columns + column] - factor * b[other * columns + column];
            }
        }
        if !unit_diagonal {
            let diagonal = entry(row, row);
            for column in 0..columns {
                b[row * columns + column] = b[row * columns + column] / diagonal;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{f32s, floats, noise};

    /// As in LAPACK, elements that a NaN does not reach belong to the factor.
    #[test]
    fn a_nan_is_no_reason_to_have_no_factor() {
        let matrices = vec![
            4.0,
            0.0,
            0.0,
            9.0, // a factor
            4.0,
            0.0,
            0.0,
            f32::NAN, // one with a NaN in it
            4.0,
            0.0,
            6.0,
            1.0, // none
        ];
        let (factors, failed) = half_cholesky(&f32s(&[3, 2, 2], matrices), true).unwrap();
        assert_eq!(failed, [false, false, true]);
        let factors = floats(&factors);
        assert_eq!(factors[..7], [2.0, 0.0, 0.0, 3.0, 2.0, 0.0, 0.0]);
        assert!(factors[7].is_nan() && factors[8].is_nan() && factors[9] == 0.0 && factors[11].is_nan());
    }

    /// A matrix in panels has the same factor as column by column, and the other triangle is unchanged.
    #[test]
    fn panels_change_no_bit() {
        for n in [1, 31, 32, 33, 64, 65, 95, 130] {
            let rows: Vec<f64> = noise(n as u64, n * n).into_iter().map(f64::from).collect();
            let mut matrix = vec![0.0; n * n];
            for (row, column) in (0..n).flat_map(|row| (0..n).map(move |column| (row, column))) {
                let product: f64 = (0..n).map(|k| rows[row * n + k] * rows[column * n + k]).sum();
                matrix[row * n + column] = product + if row == column { 0.1 } else { 0.0 };
            }
            // Unchanged, with a NaN that reaches some elements, and without a factor.
            for (place, value) in [(0, matrix[0]), ((n / 2) * n + n / 3, f64::NAN), (n * n - 1, -1.0)] {
                for lower in [true, false] {
                    let mut whole = matrix.clone();
                    whole[place] = value;
                    let mut panels = whole.clone();
                    let definite = factor(&mut whole, n, lower);
                    assert_eq!(definite, factor_in_panels(&mut panels, n, lower), "{n} {lower} {value}");
                    assert_eq!(definite, value != -1.0, "{n} {lower} {value}");
                    let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
                    assert!(whole.iter().zip(&panels).all(same), "{n} {lower} {value}");
                }
            }
        }
    }
}
