//! The Schur form of square matrices, for `gees` and `geev`: the Hessenberg form, then implicit QR with one shift
//! (complex) or two (real).

use binade_fft::num_complex::Complex;

use super::{
    Matrix, Number, PATIENCE, TURNS, divide, greatest, hessenberg, hessenberg_basis, length, magnitude,
    rotate, times, to_about_one,
};

/// The results of `gees`: T, Q, and the eigenvalues.
pub(crate) type Schur<T> = (Matrix<T>, Matrix<T>, Vec<Complex<f64>>);

/// T and Q of A = Q·T·Qᴴ.
type Form<T> = (Matrix<T>, Matrix<T>);

/// Number types with a Schur form.
pub(crate) trait Factored: Number {
    const REAL: bool;

    /// T and Q of a matrix that is triangular outside the rows and columns from `low` to `high`. T is upper triangular;
    /// for real matrices, pairs of eigenvalues are blocks of two. `vanishes` returns true for numbers that will be
    /// rounded to 0. `None` if the iteration does not converge.
    fn form(a: &Matrix<Self>, low: usize, high: usize, vanishes: &dyn Fn(f64) -> bool) -> Option<Form<Self>>;

    /// The eigenvalues of T.
    fn values(t: &Matrix<Self>) -> Vec<Complex<f64>>;

    /// `gees`. If `narrow`, T will be rounded to binary32. `None` if the iteration does not converge, and for a matrix
    /// with an infinity or NaN.
    fn schur(a: &Matrix<Self>, narrow: bool) -> Option<Schur<Self>> {
        if !a.is_finite() {
            return None;
        }
        let (a, scale) = a.scaled();
        let (a, balance) = crate::linear::factors::eigen::Balance::of(a, false);
        // In a block of two, both off-diagonal numbers must remain different from 0.
        let vanishes = |x: f64| if narrow { (x * scale) as f32 == 0.0 } else { x * scale == 0.0 };
        let (t, q) = Self::form(&a, balance.low, balance.high, &vanishes)?;
        let t = t.multiplied(scale);
        let values = Self::values(&t);
        Some((t, balance.restored(q), values))
    }
}

impl Factored for Complex<f64> {
    const REAL: bool = false;

    fn form(a: &Matrix<Self>, low: usize, high: usize, _: &dyn Fn(f64) -> bool) -> Option<Form<Self>> {
        let mut iteration = Iteration::new(a, low, high);
        iteration.complex()?;
        Some(iteration.form())
    }

    fn values(t: &Matrix<Self>) -> Vec<Complex<f64>> {
        (0..t.rows).map(|at| t[(at, at)]).collect()
    }
}

impl Factored for f64 {
    const REAL: bool = true;

    fn form(a: &Matrix<Self>, low: usize, high: usize, vanishes: &dyn Fn(f64) -> bool) -> Option<Form<Self>> {
        let mut iteration = Iteration::new(a, low, high);
        iteration.real(vanishes)?;
        Some(iteration.form())
    }

    fn values(t: &Matrix<Self>) -> Vec<Complex<f64>> {
        let mut values = vec![];
        while values.len() < t.rows {
            let at = values.len();
            let re = t[(at, at)];
            if at + 1 < t.rows && t[(at + 1, at)] != 0.0 {
                let im = t[(at, at + 1)].abs().sqrt() * t[(at + 1, at)].abs().sqrt();
                values.extend([Complex { re, im }, Complex { re, im: -im }]);
            } else {
                values.push(Complex { re, im: 0.0 });
            }
        }
        values
    }
}

/// The matrix on its way from Hessenberg to Schur form, and the transposed basis, whose rows are rotated.
struct Iteration<T> {
    h: Matrix<T>,
    basis: Matrix<T>,
    /// The position where the current block ends, and the number of steps so far.
    end: usize,
    turns: usize,
}

impl<T: Number> Iteration<T> {
    fn new(a: &Matrix<T>, low: usize, high: usize) -> Iteration<T> {
        let n = a.rows;
        let (packed, taus) = hessenberg(a.clone(), low, high);
        let (basis, mut h) = (hessenberg_basis(&packed, &taus).transposed(), packed);
        for row in 0..n {
            (0..row.saturating_sub(1)).for_each(|column| h[(row, column)] = T::zero());
        }
        Iteration { h, basis, end: n, turns: 0 }
    }

    fn form(self) -> Form<T> {
        (self.h, self.basis.transposed())
    }

    /// Returns the first row of the block that ends at `last`. The element before it becomes zero.
    fn first(&mut self, last: usize) -> usize {
        let mut first = last;
        while first > 0 && !self.is_small(first, 0.0) {
            first -= 1;
        }
        if self.turns > PATIENCE && first < last {
            // An element that cannot become small beside its neighbours may be small beside the whole block.
            let block: Vec<T> =
                (first..=last).flat_map(|row| &self.h.row(row)[first..=last]).copied().collect();
            let (norm, start) = (length(&block), first);
            first = (start + 1..=last).rev().find(|&at| self.is_small(at, norm)).unwrap_or(start);
        }
        if first > 0 {
            self.h[(first, first - 1)] = T::zero();
        }
        first
    }

    /// Returns true if the element before a diagonal one is small: by the criterion of LAPACK's `lahqr`, or beside a
    /// norm.
    fn is_small(&self, at: usize, norm: f64) -> bool {
        let h = &self.h;
        let size = |row: usize, column: usize| h[(row, column)].re().abs() + h[(row, column)].im().abs();
        let below = size(at, at - 1);
        if below <= (f64::EPSILON * norm).max(f64::MIN_POSITIVE / f64::EPSILON) {
            return true;
        }
        let mut around = size(at - 1, at - 1) + size(at, at);
        if around == 0.0 {
            around += if at >= 2 { size(at - 1, at - 2) } else { 0.0 };
            around += if at + 1 < h.rows { size(at + 1, at) } else { 0.0 };
        }
        if below > f64::EPSILON * around {
            return false;
        }
        // The eigenvalues of these two rows must be their diagonal elements (Ahues and Tisseur).
        let difference = h[(at - 1, at - 1)] - h[(at, at)];
        let (difference, corner) = (difference.re().abs() + difference.im().abs(), size(at, at));
        let above = size(at - 1, at);
        let (more, less) = (below.max(above), below.min(above));
        let (far, near) = (corner.max(difference), corner.min(difference));
        let sum = far + more;
        less * (more / sum) <= (f64::EPSILON * (near * (far / sum))).max(f64::MIN_POSITIVE / f64::EPSILON)
    }

    /// Rotates rows and columns, and the basis.
    fn rotate(&mut self, at: usize, c: f64, s: T, from: usize, rows: usize) {
        self.h.rotate_rows(at, at + 1, c, s, from);
        self.h.rotate_columns(at, at + 1, c, s, rows);
        let (x, y) = self.basis.rows_mut(at, at + 1);
        rotate(x, y, c, s);
    }
}

impl Iteration<Complex<f64>> {
    fn complex(&mut self) -> Option<()> {
        while self.end > 1 {
            let last = self.end - 1;
            let first = self.first(last);
            if first == last {
                (self.end, self.turns) = (last, 0);
                continue;
            }
            self.turns += 1;
            if self.turns > TURNS {
                return None;
            }
            self.turn_complex(first, last);
        }
        Some(())
    }

    /// The eigenvalue of the last two rows that is nearer to the last element. Some steps use an exceptional shift
    /// instead.
    fn shift(&self, last: usize) -> Complex<f64> {
        let h = &self.h;
        let (x, y) = (h[(last - 1, last - 1)], h[(last, last)]);
        let (above, below) = (h[(last - 1, last)], h[(last, last - 1)]);
        if self.turns.is_multiple_of(10) {
            return y + below.re.abs() + below.im.abs();
        }
        let half = times(x - y, 0.5);
        let most = greatest([&half, &above, &below]);
        let by = to_about_one(most);
        let [half, above, below] = [half, above, below].map(|z| times(z, by));
        let product = above * below;
        let root = root(half * half + product);
        let divisor = if (half.conj() * root).re >= 0.0 { half + root } else { half - root };
        match divisor == Complex::ZERO {
            true => y,
            false => y - times(divide(product, divisor), 1.0 / by),
        }
    }

    /// A step of implicit QR.
    fn turn_complex(&mut self, first: usize, last: usize) {
        let shift = self.shift(last);
        let (mut x, mut z) = (self.h[(first, first)] - shift, self.h[(first + 1, first)]);
        for at in first..last {
            if let Some((c, s)) = rotation(x, z) {
                self.rotate(at, c, s, at.saturating_sub(1), self.h.rows.min(at + 3));
            }
            if at > first {
                self.h[(at + 1, at - 1)] = Complex::ZERO;
            }
            if at + 2 <= last {
                (x, z) = (self.h[(at + 1, at)], self.h[(at + 2, at)]);
            }
        }
    }
}

/// Returns c and s that rotate (x, z) to (·, 0); `None` if both are 0.
pub(super) fn rotation(x: Complex<f64>, z: Complex<f64>) -> Option<(f64, Complex<f64>)> {
    let most = greatest([&x, &z]);
    if most == 0.0 {
        return None;
    }
    let by = to_about_one(most);
    // The phase of a number whose magnitude may be subnormal beside the other's.
    let phase = match x == Complex::ZERO {
        true => Complex::ONE,
        false => {
            let x = times(x, to_about_one(greatest([&x])));
            times(x, 1.0 / magnitude(x))
        }
    };
    let (size, z) = (magnitude(times(x, by)), times(z, by));
    let length = libm::hypot(size, magnitude(z));
    Some((size / length, times(phase.conj() * z, 1.0 / length)))
}

/// √z, with a nonnegative real part.
fn root(z: Complex<f64>) -> Complex<f64> {
    let root = crate::arithmetic::complex::complex(z.re, z.im).sqrt();
    Complex { re: root.re, im: root.im }
}

impl Iteration<f64> {
    fn real(&mut self, vanishes: &dyn Fn(f64) -> bool) -> Option<()> {
        while self.end > 0 {
            let last = self.end - 1;
            let first = self.first(last);
            if first == last {
                (self.end, self.turns) = (last, 0);
                continue;
            }
            if first + 1 == last {
                self.split(first, vanishes);
                (self.end, self.turns) = (first, 0);
                continue;
            }
            self.turns += 1;
            if self.turns > TURNS {
                return None;
            }
            self.turn_real(first, last);
        }
        Some(())
    }

    /// Brings the block of two rows at `first` to its standard form.
    fn split(&mut self, first: usize, vanishes: &dyn Fn(f64) -> bool) {
        let h = &self.h;
        let block = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(row, column)| h[(first + row, first + column)]);
        let Standard { c, s, block: [a, b, below, d] } = standard(block, vanishes);
        self.rotate(first, c, s, first, first + 2);
        self.h[(first, first)] = a;
        self.h[(first, first + 1)] = b;
        self.h[(first + 1, first)] = below;
        self.h[(first + 1, first + 1)] = d;
    }

    /// A step of implicit QR with two shifts.
    fn turn_real(&mut self, first: usize, last: usize) {
        let h = &mut self.h;
        let n = h.rows;
        // All elements are scaled, so that products of noise are not zero.
        let of = |row: usize, column: usize| h[(row, column)];
        let corner = [of(last - 1, last - 1), of(last - 1, last), of(last, last - 1), of(last, last)];
        let start = [
            of(first, first),
            of(first, first + 1),
            of(first + 1, first),
            of(first + 1, first + 1),
            of(first + 2, first + 1),
        ];
        let beside = of(last - 1, last - 2);
        let by = to_about_one(greatest(corner.iter().chain(&start).chain([&beside])));
        let (corner, [a, b, c, d, e], beside) = (corner.map(|x| x * by), start.map(|x| x * by), beside * by);
        // The shifts λ and μ are both eigenvalues of the last two rows, or exceptional ones. This is the first column
        // of (H − λ)(H − μ).
        let size = corner[2].abs() + beside.abs();
        let mut column = if self.turns.is_multiple_of(10) {
            let (sum, product) = (1.5 * size, size * size);
            vec![a * a + b * c - sum * a + product, c * (a + d - sum), c * e]
        } else {
            // (a − λ)(a − μ) + b·c, which avoids the cancellation of a² − a·(λ + μ) + λ·μ.
            let (left, right) = (corner[0] - a, corner[3] - a);
            vec![left * right - corner[1] * corner[2] + b * c, c * (d - a - left - right), c * e]
        };
        for at in first..last {
            let mut bulge = Matrix::new(column.len(), 1, column);
            let (rest, tau) = bulge.reflector(0, 0);
            h.reflect_rows(at, &rest, tau, at.saturating_sub(1));
            h.reflect_columns(at, &rest, tau, n.min(at + 4));
            self.basis.reflect_rows(at, &rest, tau, 0);
            if at > first {
                (at + 1..=at + rest.len()).for_each(|row| h[(row, at - 1)] = 0.0);
            }
            column = (at + 1..n.min(last + 1).min(at + 4)).map(|row| h[(row, at)]).collect();
        }
    }
}

/// A block of two rows after a rotation.
struct Standard {
    c: f64,
    s: f64,
    /// The elements, row by row.
    block: [f64; 4],
}

/// The rotation that brings a block of two rows to the standard form of LAPACK's `lanv2`. The block becomes upper
/// triangular if its eigenvalues are real. Otherwise its diagonal elements become equal.
fn standard(block: [f64; 4], vanishes: &dyn Fn(f64) -> bool) -> Standard {
    // Scaled, so that sines and cosines are not quotients of subnormal numbers.
    let by = to_about_one(greatest(&block));
    let Standard { c, s, block } = standard_of_about_one(block.map(|x| x * by));
    let [a, b, below, d] = block.map(|x| x / by);
    match below != 0.0 {
        true if vanishes(below) => Standard { c, s, block: [a, b, 0.0, d] },
        // Another quarter turn exchanges the two numbers.
        true if vanishes(b) => Standard { c: -s, s: c, block: [d, -below, 0.0, a] },
        _ => Standard { c, s, block: [a, b, below, d] },
    }
}

fn standard_of_about_one([a, b, c, d]: [f64; 4]) -> Standard {
    if c == 0.0 {
        return Standard { c: 1.0, s: 0.0, block: [a, b, c, d] };
    }
    if b == 0.0 {
        return Standard { c: 0.0, s: 1.0, block: [d, -c, 0.0, a] };
    }
    if a == d && b.is_sign_negative() != c.is_sign_negative() {
        return Standard { c: 1.0, s: 0.0, block: [a, b, c, d] };
    }
    let half = (a - d) * 0.5;
    let (more, less) = (b.abs().max(c.abs()), b.abs().min(c.abs()) * b.signum() * c.signum());
    let scale = half.abs().max(more);
    // The discriminant, divided by the scale.
    let z = half / scale * half + more / scale * less;
    if z >= 4.0 * f64::EPSILON * scale {
        let z = half + (scale.sqrt() * z.sqrt()).copysign(half);
        let length = libm::hypot(c, z);
        return Standard { c: z / length, s: c / length, block: [d + z, b - c, 0.0, d - more / z * less] };
    }
    // For a conjugate pair, or two nearly equal values, the diagonal elements become equal first.
    let sum = b + c;
    let length = libm::hypot(sum, a - d);
    let mut cosine = (0.5 * (1.0 + sum.abs() / length)).sqrt();
    let mut sine = -(half / (length * cosine)) * 1.0f64.copysign(sum);
    let (aa, bb) = (a * cosine + b * sine, b * cosine - a * sine);
    let (cc, dd) = (c * cosine + d * sine, d * cosine - c * sine);
    let (mut b, mut c) = (bb * cosine + dd * sine, cc * cosine - aa * sine);
    let mean = 0.5 * ((aa * cosine + cc * sine) + (dd * cosine - bb * sine));
    let (mut a, mut d) = (mean, mean);
    if c != 0.0 {
        if b == 0.0 {
            (b, c) = (-c, 0.0);
            (cosine, sine) = (-sine, cosine);
        } else if b.is_sign_negative() == c.is_sign_negative() {
            // The eigenvalues are real after all.
            let (above, below) = (b.abs().sqrt(), c.abs().sqrt());
            let part = (above * below).copysign(c);
            let reciprocal = 1.0 / (b + c).abs().sqrt();
            (a, d) = (mean + part, mean - part);
            (b, c) = (b - c, 0.0);
            let (c1, s1) = (above * reciprocal, below * reciprocal);
            (cosine, sine) = (cosine * c1 - sine * s1, cosine * s1 + sine * c1);
        }
    }
    Standard { c: cosine, s: sine, block: [a, b, c, d] }
}
