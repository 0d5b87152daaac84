//! Complex functions of elementwise operations. Sums and products are rounded component by component in the element
//! type, as StableHLO's reference interpreter does. All other functions are computed in binary64 and rounded once.
//!
//! Over all of binary64, these are within a few units in the last place in each component: logarithms, roots,
//! exponentials, and hyperbolic, trigonometric and inverse functions. Three results are only within a few units of the
//! complex number: the real part of e^z − 1 near its zeros, `power`, and `logistic`. Zeros, infinities and NaN are
//! those of C's Annex G.

use std::f64::consts::{FRAC_PI_2, LN_2};

use binade_stablehlo::ir::{Binary, Unary};

/// A complex number in binary64.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Complex {
    pub(crate) re: f64,
    pub(crate) im: f64,
}

/// Shorthand for [`Complex`].
pub(crate) const fn complex(re: f64, im: f64) -> Complex {
    Complex { re, im }
}

const ONE: Complex = complex(1.0, 0.0);

impl Complex {
    fn add(self, y: Complex) -> Complex {
        complex(self.re + y.re, self.im + y.im)
    }

    fn subtract(self, y: Complex) -> Complex {
        complex(self.re - y.re, self.im - y.im)
    }

    fn multiply(self, y: Complex) -> Complex {
        complex(self.re * y.re - self.im * y.im, self.re * y.im + self.im * y.re)
    }

    /// The square. Its real part is a product, which neither cancels nor overflows where a difference of two squares
    /// would.
    fn square(self) -> Complex {
        let (x, y) = (self.re, self.im);
        // One factor may have overflowed while the other is 0.
        let re = if x.abs() == y.abs() && x.is_finite() { 0.0 } else { (x - y) * (x + y) };
        complex(re, 2.0 * (x * y))
    }

    /// Division with exponents kept in range, and the limits of C's Annex G at zeros and infinities.
    fn divide(self, y: Complex) -> Complex {
        let (above, below) = (exponent(self.re, self.im), exponent(y.re, y.im));
        let (a, b) = (libm::ldexp(self.re, -above), libm::ldexp(self.im, -above));
        let (c, d) = (libm::ldexp(y.re, -below), libm::ldexp(y.im, -below));
        let norm = c * c + d * d;
        let quotient = complex(
            libm::ldexp(products(a, c, b, d) / norm, above - below),
            libm::ldexp(products(b, c, -a, d) / norm, above - below),
        );
        if !(quotient.re.is_nan() && quotient.im.is_nan()) {
            return quotient;
        }
        let unit = |x: f64| (if x.is_infinite() { 1f64 } else { 0.0 }).copysign(x);
        if norm == 0.0 && !(a.is_nan() && b.is_nan()) {
            let infinity = f64::INFINITY.copysign(c);
            complex(infinity * a, infinity * b)
        } else if (a.is_infinite() || b.is_infinite()) && c.is_finite() && d.is_finite() {
            let (a, b) = (unit(a), unit(b));
            complex(f64::INFINITY * (a * c + b * d), f64::INFINITY * (b * c - a * d))
        } else if (y.re.is_infinite() || y.im.is_infinite()) && a.is_finite() && b.is_finite() {
            let (c, d) = (unit(y.re), unit(y.im));
            complex(0.0 * (a * c + b * d), 0.0 * (b * c - a * d))
        } else {
            quotient
        }
    }

    /// |z|.
    pub(crate) fn magnitude(self) -> f64 {
        libm::hypot(self.re, self.im)
    }

    fn angle(self) -> f64 {
        libm::atan2(self.im, self.re)
    }

    fn scale(self, x: f64) -> Complex {
        complex(self.re * x, self.im * x)
    }

    fn conjugate(self) -> Complex {
        complex(self.re, -self.im)
    }

    /// i · z.
    fn turned(self) -> Complex {
        complex(-self.im, self.re)
    }

    /// −i · z.
    fn turned_back(self) -> Complex {
        complex(self.im, -self.re)
    }

    pub(crate) fn exp(self) -> Complex {
        if self.im == 0.0 {
            return complex(libm::exp(self.re), self.im);
        }
        match self.re {
            f64::NEG_INFINITY if !self.im.is_finite() => complex(0.0, 0.0),
            f64::INFINITY if !self.im.is_finite() => complex(f64::INFINITY, f64::NAN),
            re if re.abs() < BEYOND => {
                let size = libm::exp(re);
                complex(size * libm::cos(self.im), size * libm::sin(self.im))
            }
            // Two factors, because e^re may overflow where the result does not.
            re => {
                let half = libm::exp(re / 2.0);
                complex(half * libm::cos(self.im) * half, half * libm::sin(self.im) * half)
            }
        }
    }

    /// e^z − 1 as (e^x − 1) cos y − 2 sin²(y/2), which does not cancel near 0.
    fn exp_minus_one(self) -> Complex {
        if self.im == 0.0 {
            return complex(libm::expm1(self.re), self.im);
        }
        let whole = self.exp();
        if self.re == f64::NEG_INFINITY {
            // e^z is 0, whatever the angle is.
            return complex(-1.0, whole.im);
        }
        if self.re > BEYOND {
            return complex(whole.re - 1.0, whole.im);
        }
        let half = libm::sin(self.im / 2.0);
        complex(products(libm::expm1(self.re), libm::cos(self.im), -2.0 * half, half), whole.im)
    }

    fn log(self) -> Complex {
        complex(log_magnitude(self.re, self.im), self.angle())
    }

    fn log_plus_one(self) -> Complex {
        let Complex { re: x, im: y } = self;
        let moved = 1.0 + x;
        // ln |1 + z| = ln(1 + 2x + x² + y²) / 2.
        let more = match x.abs() < 4.0 && y.abs() < 4.0 {
            true => {
                let [(a, b), (c, d)] = [x, y].map(exact_square);
                exact_sum([d, b, c, a, 2.0 * x])
            }
            false => f64::NEG_INFINITY,
        };
        let re = if more > CLOSE - 1.0 { libm::log1p(more) / 2.0 } else { log_magnitude(moved, y) };
        complex(re, libm::atan2(y, moved))
    }

    pub(crate) fn sqrt(self) -> Complex {
        let Complex { re, im } = self;
        if im.is_infinite() {
            return complex(f64::INFINITY, im);
        }
        if re == 0.0 && im == 0.0 {
            return complex(0.0, im);
        }
        if re.is_infinite() {
            let other = if im.is_nan() { f64::NAN } else { 0.0 };
            return if re > 0.0 {
                complex(f64::INFINITY, other.copysign(im))
            } else {
                complex(other, f64::INFINITY.copysign(im))
            };
        }
        if re.is_nan() || im.is_nan() {
            return complex(f64::NAN, f64::NAN);
        }
        // Scaling by an even power of two keeps |z| in range. The other component is a quotient of unscaled numbers,
        // because it may be far smaller than the root.
        let scale = (exponent(re, im) / 2) * 2;
        let (x, y) = (libm::ldexp(re, -scale), libm::ldexp(im, -scale));
        let root = libm::ldexp(((libm::hypot(x, y) + x.abs()) / 2.0).sqrt(), scale / 2);
        let other = im.abs() / (2.0 * root);
        if x >= 0.0 { complex(root, other.copysign(im)) } else { complex(other, root.copysign(im)) }
    }

    fn rsqrt(self) -> Complex {
        if self.re == 0.0 && self.im == 0.0 {
            return complex(f64::INFINITY, f64::NAN);
        }
        ONE.divide(self.sqrt())
    }

    fn cbrt(self) -> Complex {
        if self.re == 0.0 && self.im == 0.0 {
            return self;
        }
        // Scaling by a power of two whose exponent is a multiple of 3 keeps |z| in range.
        let scale = exponent(self.re, self.im) / 3;
        let scaled = complex(libm::ldexp(self.re, -3 * scale), libm::ldexp(self.im, -3 * scale));
        let (size, angle) = (libm::ldexp(libm::cbrt(scaled.magnitude()), scale), self.angle() / 3.0);
        complex(size * libm::cos(angle), size * libm::sin(angle))
    }

    fn sinh(self) -> Complex {
        let Complex { re, im } = self;
        if im == 0.0 {
            return complex(libm::sinh(re), im);
        }
        if !im.is_finite() && (re == 0.0 || re.is_infinite()) {
            return complex(re, f64::NAN);
        }
        if re.abs() > BEYOND {
            let grown = complex(re.abs(), im).exp_halved();
            return complex(grown.re.copysign(grown.re * re.signum()), grown.im);
        }
        complex(libm::sinh(re) * libm::cos(im), libm::cosh(re) * libm::sin(im))
    }

    fn cosh(self) -> Complex {
        let Complex { re, im } = self;
        if im == 0.0 {
            return complex(libm::cosh(re), if re.is_nan() { im } else { im * re.signum() });
        }
        if !im.is_finite() && re == 0.0 {
            return complex(f64::NAN, 0.0);
        }
        if !im.is_finite() && re.is_infinite() {
            return complex(f64::INFINITY, f64::NAN);
        }
        if re.abs() > BEYOND {
            return complex(re.abs(), im * re.signum()).exp_halved();
        }
        complex(libm::cosh(re) * libm::cos(im), libm::sinh(re) * libm::sin(im))
    }

    /// e^z / 2 for a large real part, as two factors: e^x may overflow where the result does not.
    fn exp_halved(self) -> Complex {
        let half = libm::exp(self.re / 2.0);
        complex(half * libm::cos(self.im) * (half / 2.0), half * libm::sin(self.im) * (half / 2.0))
    }

    /// (sinh 2x + i sin 2y) / (cosh 2x + cos 2y), computed from tan y and sinh x so that nothing overflows.
    fn tanh(self) -> Complex {
        let Complex { re, im } = self;
        if im == 0.0 {
            return complex(libm::tanh(re), im);
        }
        // The limits of C's Annex G.
        if re.is_infinite() {
            let sign = if im.is_finite() { libm::sin(im) * libm::cos(im) } else { im };
            return complex(1f64.copysign(re), 0f64.copysign(sign));
        }
        if !im.is_finite() {
            return complex(if re == 0.0 { re } else { f64::NAN }, f64::NAN);
        }
        if re.abs() > 20.0 {
            let small = libm::exp(-re.abs());
            return complex(1f64.copysign(re), 4.0 * (small * libm::sin(im) * libm::cos(im)) * small);
        }
        let (t, s) = (libm::tan(im), libm::sinh(re));
        if t.is_infinite() {
            return complex((1.0 + 1.0 / (s * s)).sqrt().copysign(re), 0.0f64.copysign(t));
        }
        let beta = 1.0 + t * t;
        let rho = (1.0 + s * s).sqrt();
        let below = 1.0 + beta * s * s;
        complex(beta * rho * s / below, t / below)
    }

    /// 1 / (1 + e^−z). For a negative real part, where e^−z may overflow, it is e^z / (1 + e^z). Here 1 + e^w is (e^x −
    /// 1) cos y + 2 cos²(y/2) + i e^x sin y, which does not cancel near the poles.
    fn logistic(self) -> Complex {
        let w = if self.re < 0.0 { self } else { complex(-self.re, -self.im) };
        let grown = w.exp();
        let half = libm::cos(w.im / 2.0);
        let below = match w.re < -1.0 || w.im == 0.0 || !w.im.is_finite() {
            true => ONE.add(grown),
            false => complex(products(libm::expm1(w.re), libm::cos(w.im), 2.0 * half, half), grown.im),
        };
        if self.re < 0.0 { grown.divide(below) } else { ONE.divide(below) }
    }

    fn power(self, y: Complex) -> Complex {
        let zero = self.re == 0.0 && self.im == 0.0;
        if y.re == 0.0 && y.im == 0.0 {
            return ONE;
        }
        if zero {
            return if y.re > 0.0 {
                complex(0.0, 0.0)
            } else if y.im == 0.0 && y.re < 0.0 {
                complex(f64::INFINITY, 0.0)
            } else {
                complex(f64::NAN, f64::NAN)
            };
        }
        if self.im == 0.0 && y.im == 0.0 && self.re >= 0.0 {
            return complex(libm::pow(self.re, y.re), 0.0);
        }
        let log = self.log();
        if y.im == 0.0 { log.scale(y.re).exp() } else { y.multiply(log).exp() }
    }

    /// Hull, Fairgrieve and Tang's w with asin z = atan2(x, w.re) + i · sign(y) · w.im; see chlo.
    ///
    /// Let r = |z + 1|, s = |z − 1| and a = (r + s) / 2. Then w = √((a + x)(a − x)) + i · ln(a + √(a² − 1)).
    ///
    /// For x ≥ 0, both differences are halves of a sum:
    ///
    /// - a − 1 is half of y² / (r + x + 1) + (s − (1 − x)).
    /// - a − x is half of y² / (r + x + 1) + (s + (1 − x)).
    ///
    /// A difference from s that would cancel is replaced by y² over the sum. No y² is computed that could underflow.
    fn asin_acos_kernel(self) -> Complex {
        let (x, y) = (self.re.abs(), self.im.abs());
        let large = x.max(y);
        if large > (1u64 << 32) as f64 {
            // To within |z|⁻², √(1 − z²) is iz and ln |z + √(z² − 1)| is ln |2z|.
            return complex(y, log_magnitude(x, y) + LN_2);
        }
        if x == 0.0 && y.is_nan() {
            // The angle is a right one, whatever y is.
            return complex(1.0, y);
        }
        let (r, s) = (libm::hypot(x + 1.0, y), libm::hypot(x - 1.0, y));
        let a = 0.5 * (r + s);
        let far = y / (r + (x + 1.0));
        if x < 1.0 {
            // a − 1 = y² · slope.
            let near = s + (1.0 - x);
            let slope = 0.5 * (1.0 / (r + (x + 1.0)) + 1.0 / near);
            let real = (0.5 * (a + x) * (y * far + near)).sqrt();
            return complex(real, libm::log1p(y * (y * slope + (slope * (a + 1.0)).sqrt())));
        }
        // 2 (a − 1).
        let twice = y * far + (s + (x - 1.0));
        let imaginary = libm::log1p(0.5 * twice + (twice * (0.5 * (a + 1.0))).sqrt());
        let real = if x == 1.0 {
            (0.5 * (a + x) * twice).sqrt()
        } else {
            y * (0.5 * (a + x) * (1.0 / (r + (x + 1.0)) + 1.0 / (s + (x - 1.0)))).sqrt()
        };
        complex(real, imaginary)
    }

    fn asin(self) -> Complex {
        let w = self.asin_acos_kernel();
        complex(libm::atan2(self.re, w.re), w.im.copysign(self.im))
    }

    fn acos(self) -> Complex {
        let w = self.asin_acos_kernel();
        complex(libm::atan2(w.re, self.re), -w.im.copysign(self.im))
    }

    fn acosh(self) -> Complex {
        let w = self.asin_acos_kernel();
        complex(w.im, libm::atan2(w.re, self.re).copysign(self.im))
    }

    fn asinh(self) -> Complex {
        self.turned().asin().turned_back()
    }

    /// (ln(1 + z) − ln(1 − z)) / 2, with the logarithms as results of log1p.
    fn atanh(self) -> Complex {
        let Complex { re, im } = self;
        if im == 0.0 && re.abs() <= 1.0 {
            return complex(libm::atanh(re), im);
        }
        if re.is_infinite() || im.is_infinite() {
            return complex(0f64.copysign(re), if im.is_nan() { im } else { FRAC_PI_2.copysign(im) });
        }
        if im.is_nan() && re == 0.0 {
            return self;
        }
        // An odd function of x: for x < 0, the argument of log1p would approach −1, where log1p magnifies rounding
        // errors.
        let (x, y) = (re.abs(), im.abs());
        if x.max(y) > (1u64 << 60) as f64 {
            // 1 / z, and the limit of the angle. A quarter of z stays in range.
            let size = libm::hypot(x / 4.0, y / 4.0);
            return complex((x / size / size / 16.0).copysign(re), FRAC_PI_2.copysign(im));
        }
        let real = if x == 1.0 && y < 1e-100 {
            // ln(4 / y²) / 4.
            (LN_2 - libm::log(y)) / 2.0
        } else {
            libm::log1p(4.0 * x / ((1.0 - x) * (1.0 - x) + y * y)) / 4.0
        };
        let imaginary = libm::atan2(2.0 * im, products(1.0 - x, 1.0 + x, -y, y)) / 2.0;
        complex(real.copysign(re), imaginary)
    }

    fn atan(self) -> Complex {
        self.turned().atanh().turned_back()
    }

    fn sign(self) -> Complex {
        // Scaled, because |z| may overflow or be a subnormal number of few bits.
        let scale = exponent(self.re, self.im);
        let scaled = complex(libm::ldexp(self.re, -scale), libm::ldexp(self.im, -scale));
        let size = scaled.magnitude();
        if size == 0.0 || size.is_nan() {
            return if size == 0.0 { self } else { complex(f64::NAN, f64::NAN) };
        }
        complex(scaled.re / size, scaled.im / size)
    }
}

/// If |x| is below this, e^x is neither infinite nor subnormal.
const BEYOND: f64 = 700.0;

/// Above this, x² + y² − 1 determines the logarithm more exactly than √(x² + y²) does.
const CLOSE: f64 = 0.4;

/// The exponent of the greater component; 0 if that is zero, infinite or NaN.
fn exponent(re: f64, im: f64) -> i32 {
    let size = re.abs().max(im.abs());
    if size.is_finite() && size > 0.0 { libm::ilogb(size) } else { 0 }
}

/// a·b + c·d to within two units in its last place, however much cancels (Kahan).
fn products(a: f64, b: f64, c: f64, d: f64) -> f64 {
    let product = c * d;
    let error = c.mul_add(d, -product);
    let sum = a.mul_add(b, product);
    // An infinite sum has no error term.
    if sum.is_finite() { sum + error } else { sum }
}

/// x² as the sum of two numbers. The part that underflows is omitted from the second.
fn exact_square(x: f64) -> (f64, f64) {
    let square = x * x;
    (square, x.mul_add(x, -square))
}

/// A sum to within a unit in its last place, however much cancels (Shewchuk's expansions).
fn exact_sum<const N: usize>(terms: [f64; N]) -> f64 {
    let mut parts = [0.0; N];
    for (count, &term) in terms.iter().enumerate() {
        let mut sum = term;
        for part in &mut parts[..count] {
            let whole = sum + *part;
            let added = whole - sum;
            *part = (sum - (whole - added)) + (*part - added);
            sum = whole;
        }
        parts[count] = sum;
    }
    parts.iter().sum()
}

/// ln √(x² + y²), without cancellation near the unit circle.
fn log_magnitude(x: f64, y: f64) -> f64 {
    let (x, y) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
    if x < 2.0 && x * x + y * y > CLOSE {
        let [(a, b), (c, d)] = [x, y].map(exact_square);
        return libm::log1p(exact_sum([d, b, c, a, -1.0])) / 2.0;
    }
    let scale = exponent(x, y);
    if scale.abs() < 1000 {
        return libm::log(libm::hypot(x, y));
    }
    // |z| is subnormal or may overflow. The first part of ln 2 has 32 bits.
    const HIGH: f64 = 0.693_147_180_369_123_8;
    const LOW: f64 = 1.908_214_929_270_587_7e-10;
    let size = libm::hypot(libm::ldexp(x, -scale), libm::ldexp(y, -scale));
    let scale = scale as f64;
    scale * HIGH + (scale * LOW + libm::log(size))
}

/// The function of a complex number that an operation computes; `None` for other operations.
pub(crate) fn unary(op: Unary) -> Option<fn(Complex) -> Complex> {
    Some(match op {
        Unary::Cbrt => Complex::cbrt,
        Unary::Cosine => |z| z.turned().cosh(),
        Unary::Exponential => Complex::exp,
        Unary::ExponentialMinusOne => Complex::exp_minus_one,
        Unary::Log => Complex::log,
        Unary::LogPlusOne => Complex::log_plus_one,
        Unary::Logistic => Complex::logistic,
        Unary::Negate => |z| complex(-z.re, -z.im),
        Unary::Rsqrt => Complex::rsqrt,
        Unary::Sign => Complex::sign,
        Unary::Sine => |z| z.turned().sinh().turned_back(),
        Unary::Sqrt => Complex::sqrt,
        Unary::Tan => |z| z.turned().tanh().turned_back(),
        Unary::Tanh => Complex::tanh,
        Unary::Acos => Complex::acos,
        Unary::Acosh => Complex::acosh,
        Unary::Asin => Complex::asin,
        Unary::AsinAcosKernel => Complex::asin_acos_kernel,
        Unary::Asinh => Complex::asinh,
        Unary::Atan => Complex::atan,
        Unary::Atanh => Complex::atanh,
        Unary::Conj => Complex::conjugate,
        Unary::Cosh => Complex::cosh,
        Unary::Sinh => Complex::sinh,
        Unary::Square => Complex::square,
        _ => return None,
    })
}

/// The function of two complex numbers that an operation computes; `None` for other operations.
pub(crate) fn binary(op: Binary) -> Option<fn(Complex, Complex) -> Complex> {
    /// Returns x if `wanted` holds for the real parts, or if these are equal, for the imaginary parts; otherwise y.
    fn extreme(x: Complex, y: Complex, wanted: fn(f64, f64) -> bool) -> Complex {
        let first = if x.re == y.re { wanted(x.im, y.im) } else { wanted(x.re, y.re) };
        if first { x } else { y }
    }
    Some(match op {
        Binary::Add => Complex::add,
        Binary::Divide => Complex::divide,
        Binary::Maximum => |x, y| extreme(x, y, |a, b| a > b),
        Binary::Minimum => |x, y| extreme(x, y, |a, b| a < b),
        Binary::Multiply => Complex::multiply,
        Binary::Power => Complex::power,
        Binary::Subtract => Complex::subtract,
        Binary::Atan2 => |y, x| {
            // −i ln((x + iy) / √(x² + y²)); scaling both by a power of two does not change it.
            let scale = exponent(x.magnitude(), y.magnitude());
            let [x, y] = [x, y].map(|z| complex(libm::ldexp(z.re, -scale), libm::ldexp(z.im, -scale)));
            let norm = x.multiply(x).add(y.multiply(y)).sqrt();
            x.add(y.turned()).divide(norm).log().turned_back()
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(given: Complex, expected: Complex) {
        let size = expected.magnitude().max(1e-300);
        let error = given.subtract(expected).magnitude();
        assert!(error <= 1e-13 * size, "{given:?} for {expected:?}");
    }

    /// Checks on a grid around the origin that inverses undo their functions, and trigonometric identities.
    #[test]
    fn identities() {
        for a in -8..=8 {
            for b in -8..=8 {
                let z = complex(a as f64 * 0.19 + 0.01, b as f64 * 0.17 + 0.02);
                let of = |op: Unary| unary(op).expect("complex");
                near(z.sqrt().multiply(z.sqrt()), z);
                near(z.log().exp(), z);
                near(z.cbrt().multiply(z.cbrt()).multiply(z.cbrt()), z);
                near(z.log_plus_one().exp_minus_one(), z);
                near(z.rsqrt().multiply(z.sqrt()), ONE);
                near(z.sinh().divide(z.cosh()), z.tanh());
                near(of(Unary::Sine)(z).divide(of(Unary::Cosine)(z)), of(Unary::Tan)(z));
                near(of(Unary::Sine)(z.asin()), z);
                near(of(Unary::Cosine)(z.acos()), z);
                near(of(Unary::Tan)(z.atan()), z);
                near(z.asinh().sinh(), z);
                near(z.acosh().cosh(), z);
                near(z.atanh().tanh(), z);
                near(z.power(complex(2.0, 0.0)), z.multiply(z));
                near(z.divide(complex(0.3, -0.4)).multiply(complex(0.3, -0.4)), z);
                assert!(z.acosh().re >= 0.0 && (z.sign().magnitude() - 1.0).abs() < 1e-15);
            }
        }
    }

    /// A row of the tables below: the function, its argument and its value.
    type Row = (Unary, [f64; 2], [f64; 2]);

    /// The number of steps between two numbers.
    fn steps(given: f64, expected: f64) -> u64 {
        let ordered = |x: f64| {
            let bits = x.to_bits() as i64;
            if bits < 0 { i64::MIN - bits } else { bits }
        };
        if given.is_nan() && expected.is_nan() { 0 } else { ordered(given).abs_diff(ordered(expected)) }
    }

    #[track_caller]
    fn equal(rows: &[Row], most: u64) {
        for &(op, [x, y], [re, im]) in rows {
            let w = unary(op).expect("complex")(complex(x, y));
            let far = steps(w.re, re).max(steps(w.im, im));
            assert!(far <= most, "{op:?} of {x:e} + {y:e} i: {w:?} for {re:e} + {im:e} i, {far} steps");
        }
    }

    #[test]
    #[allow(clippy::approx_constant)]
    fn finite_arguments_at_ends_and_singular_points_have_values_of_mpc() {
        // `peers/check_complex.py --rows` prints these, using MPC.
        equal(&include!("complex_rows.rs"), 3);
    }

    #[test]
    fn infinities_and_nan_have_limits_of_annex_g() {
        use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
        const INF: f64 = f64::INFINITY;
        const NAN: f64 = f64::NAN;
        equal(
            &[
                (Unary::Exponential, [-INF, INF], [0.0, 0.0]),
                (Unary::Exponential, [INF, INF], [INF, NAN]),
                (Unary::Exponential, [INF, NAN], [INF, NAN]),
                (Unary::Exponential, [NAN, 0.0], [NAN, 0.0]),
                (Unary::Exponential, [1.0, INF], [NAN, NAN]),
                (Unary::Log, [0.0, 0.0], [-INF, 0.0]),
                (Unary::Log, [-0.0, 0.0], [-INF, PI]),
                (Unary::Log, [NAN, INF], [INF, NAN]),
                (Unary::Log, [INF, NAN], [INF, NAN]),
                (Unary::Log, [-INF, INF], [INF, 3.0 * FRAC_PI_4]),
                (Unary::LogPlusOne, [-1.0, 0.0], [-INF, 0.0]),
                (Unary::LogPlusOne, [NAN, INF], [INF, NAN]),
                (Unary::Sqrt, [NAN, INF], [INF, INF]),
                (Unary::Sqrt, [INF, NAN], [INF, NAN]),
                (Unary::Sqrt, [NAN, 1.0], [NAN, NAN]),
                (Unary::Sqrt, [1.0, NAN], [NAN, NAN]),
                (Unary::Sqrt, [-INF, 1.0], [0.0, INF]),
                (Unary::Sinh, [0.0, INF], [0.0, NAN]),
                (Unary::Sinh, [INF, INF], [INF, NAN]),
                (Unary::Sinh, [INF, NAN], [INF, NAN]),
                (Unary::Sinh, [1.0, INF], [NAN, NAN]),
                (Unary::Sinh, [INF, 2.0], [-INF, INF]),
                (Unary::Sinh, [-1e8, -5e-324], [-INF, -INF]),
                (Unary::Cosh, [0.0, INF], [NAN, 0.0]),
                (Unary::Cosh, [INF, NAN], [INF, NAN]),
                (Unary::Cosh, [INF, 2.0], [-INF, INF]),
                (Unary::Cosh, [-0.0, 0.0], [1.0, -0.0]),
                (Unary::Tanh, [INF, INF], [1.0, 0.0]),
                (Unary::Tanh, [0.0, INF], [0.0, NAN]),
                (Unary::Tanh, [1.0, INF], [NAN, NAN]),
                (Unary::Tanh, [NAN, 0.0], [NAN, 0.0]),
                (Unary::Acos, [1.0, INF], [FRAC_PI_2, -INF]),
                (Unary::Acos, [INF, 1.0], [0.0, -INF]),
                (Unary::Acos, [-INF, INF], [3.0 * FRAC_PI_4, -INF]),
                (Unary::Acos, [NAN, INF], [NAN, -INF]),
                (Unary::Acos, [0.0, NAN], [FRAC_PI_2, NAN]),
                (Unary::Asin, [INF, 1.0], [FRAC_PI_2, INF]),
                (Unary::Asinh, [INF, INF], [INF, FRAC_PI_4]),
                (Unary::Asinh, [NAN, 0.0], [NAN, 0.0]),
                (Unary::Acosh, [-INF, 1.0], [INF, PI]),
                (Unary::Atanh, [1.0, 0.0], [INF, 0.0]),
                (Unary::Atanh, [INF, NAN], [0.0, NAN]),
                (Unary::Atanh, [NAN, INF], [0.0, FRAC_PI_2]),
                (Unary::Atanh, [INF, 1.0], [0.0, FRAC_PI_2]),
                (Unary::Atanh, [0.0, NAN], [0.0, NAN]),
            ],
            0,
        );
        let minus_infinity = complex(-INF, 0.0);
        assert_eq!(minus_infinity.power(complex(2.0, 0.0)).re, INF);
        assert_eq!(complex(f64::MAX, f64::MAX).divide(complex(f64::MAX, f64::MAX)), ONE);
        assert_eq!(complex(5e-324, 5e-324).divide(complex(5e-324, 5e-324)), ONE);
        assert_eq!(complex(f64::MAX, 0.0).divide(complex(1.0, 1.0)).re, f64::MAX / 2.0);
        let [sign, one] = [complex(f64::MAX, f64::MAX), complex(5e-324, 5e-324)].map(Complex::sign);
        assert!(sign == one && (sign.re - std::f64::consts::FRAC_1_SQRT_2).abs() < 2e-16);
        assert_eq!(complex(-720.0, 0.0).logistic().re, 2.0322308024e-313);
    }
}
