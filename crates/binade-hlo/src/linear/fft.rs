//! Evaluates `fft`.

use std::sync::Arc;

use binade_fft::num_complex::Complex;
use binade_fft::{FftDirection, FftNum, Real};
use binade_simd::threads;
use binade_stablehlo::ir::FftType;
use binade_stablehlo::storage::Stored;
use binade_stablehlo::{Data, Tensor};

use crate::error::EvalError;
use crate::machine::open_sizes::transformed;

/// `fft` over the last `length.len()` dimensions. It is computed in the precision of the element type, by the same
/// algorithm on every machine.
///
/// # Errors
/// If the operand is neither real nor complex.
pub(crate) fn fft(x: &Tensor, kind: FftType, length: &[usize]) -> Result<Tensor, EvalError> {
    let mut sizes = x.shape.clone();
    let data = match &*x.data {
        Data::C64(z) => transform(from_pairs(z), &mut sizes, kind, length),
        Data::F32(z) => transform(from_reals(z), &mut sizes, kind, length),
        Data::C128(z) => transform(from_pairs(z), &mut sizes, kind, length),
        Data::F64(z) => transform(from_reals(z), &mut sizes, kind, length),
        _ => return Err(EvalError::element("fft", &x.element)),
    };
    let shape = transformed(kind, length, &x.shape);
    Ok(Tensor { element: x.element.clone(), shape, data: Arc::new(data) })
}

pub(super) fn from_pairs<T: Copy>(pairs: &[[T; 2]]) -> Vec<Complex<T>> {
    pairs.iter().map(|&[re, im]| Complex { re, im }).collect()
}

fn from_reals<T: FftNum>(reals: &[T]) -> Vec<Complex<T>> {
    reals.iter().map(|&re| Complex { re, im: T::zero() }).collect()
}

fn transform<T>(mut z: Vec<Complex<T>>, shape: &mut [usize], kind: FftType, length: &[usize]) -> Data
where
    T: Real + Stored,
    [T; 2]: Stored,
{
    let direction = match kind {
        FftType::Fft | FftType::Rfft => FftDirection::Forward,
        FftType::Ifft | FftType::Irfft => FftDirection::Inverse,
    };
    let first = shape.len() - length.len();
    let last = shape.len() - 1;
    let n = *length.last().expect("a dimension to transform");
    // The last dimension of a real transform changes its size, so it is transformed last.
    for at in first..last {
        along(&mut z, shape, at, direction);
    }
    if kind == FftType::Irfft {
        z = mirrored(&z, shape[last], n);
        shape[last] = n;
    }
    along(&mut z, shape, last, direction);
    match kind {
        FftType::Irfft => T::wrap(z.into_iter().map(|z| z.re).collect()),
        FftType::Rfft if n > 0 => {
            let half = z.chunks(n).flat_map(|row| &row[..n / 2 + 1]);
            <[T; 2]>::wrap(half.map(|z| [z.re, z.im]).collect())
        }
        _ => <[T; 2]>::wrap(z.into_iter().map(|z| [z.re, z.im]).collect()),
    }
}

/// Completes conjugate-symmetric spectra of n values from their first halves. The imaginary parts of the values that
/// must be real are ignored.
fn mirrored<T: FftNum>(half: &[Complex<T>], width: usize, n: usize) -> Vec<Complex<T>> {
    let real = |z: Complex<T>| Complex { re: z.re, im: T::zero() };
    let row = |row: &[Complex<T>]| -> Vec<Complex<T>> {
        let value = |at: usize| match at {
            0 => real(row[0]),
            at if 2 * at == n => real(row[at]),
            at if 2 * at < n => row[at],
            at => row[n - at].conj(),
        };
        (0..n).map(value).collect()
    };
    if width == 0 { vec![] } else { half.chunks(width).flat_map(row).collect() }
}

/// Transforms along one dimension. An inverse is divided by its length.
fn along<T: Real>(z: &mut [Complex<T>], shape: &[usize], dimension: usize, direction: FftDirection) {
    let n = shape[dimension];
    if z.is_empty() {
        return;
    }
    let plan = T::transform(n, direction);
    let scale = match direction {
        FftDirection::Forward => None,
        FftDirection::Inverse => Some(T::one() / T::from_usize(n).expect("a float")),
    };
    let rows = |rows: &mut [Complex<T>]| {
        plan.process(rows);
        if let Some(scale) = scale {
            rows.iter_mut().for_each(|z| *z = z.scale(scale));
        }
    };
    let inner: usize = shape[dimension + 1..].iter().product();
    if inner == 1 {
        let rows_each = (16384 / n).max(1) * n;
        return threads::chunks(true, z, rows_each, |_, block| rows(block));
    }
    threads::chunks(true, z, n * inner, |_, block| {
        let mut turned: Vec<Complex<T>> = (0..inner)
            .flat_map(|column| (0..n).map(move |at| (column, at)))
            .map(|(c, at)| block[at * inner + c])
            .collect();
        rows(&mut turned);
        for (column, row) in turned.chunks(n).enumerate() {
            for (at, &value) in row.iter().enumerate() {
                block[at * inner + column] = value;
            }
        }
    });
}
