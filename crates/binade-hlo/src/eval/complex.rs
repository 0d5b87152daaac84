//! Complex functions. Sums and products are rounded component by component in the element type, as upstream's
//! interpreter does; everything else is computed in binary64 and rounded once.

use crate::ir::{Binary, Unary};

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

    /// The real part as a product, which neither cancels nor overflows where the difference of two squares would.
    fn square(self) -> Complex {
        let (x, y) = (self.re, self.im);
        // A factor may have overflowed where the other is 0.
        let re = if x.abs() == y.abs() && x.is_finite() { 0.0 } else { (x - y) * (x + y) };
        complex(re, 2.0 * (x * y))
    }

    /// Division with exponents kept in range, and the limits of C's Annex G at zeros and infinities.
    fn divide(self, y: Complex) -> Complex {
        let size = y.re.abs().max(y.im.abs());
        let scale = if size.is_finite() && size > 0.0 { libm::ilogb(size) } else { 0 };
        let (c, d) = (libm::ldexp(y.re, -scale), libm::ldexp(y.im, -scale));
        let norm = c * c + d * d;
        let (a, b) = (self.re, self.im);
        let quotient =
            complex(libm::ldexp((a * c + b * d) / norm, -scale), libm::ldexp((b * c - a * d) / norm, -scale));
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
            re if re < 709.0 => {
                let size = libm::exp(re);
                complex(size * libm::cos(self.im), size * libm::sin(self.im))
            }
            // Two factors, so that e^re may be beyond the range where the result is not.
            re => {
                let half = libm::exp(re / 2.0);
                complex(half * libm::cos(self.im) * half, half * libm::sin(self.im) * half)
            }
        }
    }

    /// e^z − 1: (e^x − 1) cos y − 2 sin²(y/2), so that nothing cancels near 0.
    fn exp_minus_one(self) -> Complex {
        if self.im == 0.0 {
            return complex(libm::expm1(self.re), self.im);
        }
        let whole = self.exp();
        if self.re == f64::NEG_INFINITY {
            // e^z is 0, whatever the angle.
            return complex(-1.0, whole.im);
        }
        let half = libm::sin(self.im / 2.0);
        complex(libm::expm1(self.re) * libm::cos(self.im) - 2.0 * half * half, whole.im)
    }

    fn log(self) -> Complex {
        complex(log_magnitude(self.re, self.im), self.angle())
    }

    fn log_plus_one(self) -> Complex {
        let near = self.magnitude() < 0.5;
        // ln |1 + z| = ln(1 + 2x + x² + y²) / 2.
        let re = if near {
            libm::log1p(self.re * (2.0 + self.re) + self.im * self.im) / 2.0
        } else {
            log_magnitude(1.0 + self.re, self.im)
        };
        complex(re, libm::atan2(self.im, 1.0 + self.re))
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
        // Even powers of two keep |z| in range.
        let scale = (libm::ilogb(re.abs().max(im.abs())) / 2) * 2;
        let (x, y) = (libm::ldexp(re, -scale), libm::ldexp(im, -scale));
        let root = ((libm::hypot(x, y) + x.abs()) / 2.0).sqrt();
        let (real, imaginary) =
            if x >= 0.0 { (root, y / (2.0 * root)) } else { (y.abs() / (2.0 * root), root.copysign(im)) };
        complex(libm::ldexp(real, scale / 2), libm::ldexp(imaginary, scale / 2))
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
        let (size, angle) = (libm::cbrt(self.magnitude()), self.angle() / 3.0);
        complex(size * libm::cos(angle), size * libm::sin(angle))
    }

    fn sinh(self) -> Complex {
        let Complex { re, im } = self;
        if im == 0.0 {
            return complex(libm::sinh(re), im);
        }
        if re.abs() > 700.0 {
            // e^|x| / 2 is beyond the range before the result is.
            let grown = complex(re.abs(), im * re.signum()).exp_halved();
            return grown.scale(re.signum());
        }
        complex(libm::sinh(re) * libm::cos(im), libm::cosh(re) * libm::sin(im))
    }

    fn cosh(self) -> Complex {
        let Complex { re, im } = self;
        if im == 0.0 {
            return complex(libm::cosh(re), im * if re < 0.0 { -1.0 } else { 1.0 });
        }
        if re.abs() > 700.0 {
            return complex(re.abs(), im * re.signum()).exp_halved();
        }
        complex(libm::cosh(re) * libm::cos(im), libm::sinh(re) * libm::sin(im))
    }

    /// e^z / 2 for a large real part.
    fn exp_halved(self) -> Complex {
        complex(self.re - std::f64::consts::LN_2, self.im).exp()
    }

    /// (sinh 2x + i sin 2y) / (cosh 2x + cos 2y), by tan y and sinh x so that nothing overflows.
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
            return complex(f64::NAN, f64::NAN);
        }
        if re.abs() > 20.0 {
            let small = 4.0 * libm::exp(-2.0 * re.abs());
            return complex(1f64.copysign(re), small * libm::sin(im) * libm::cos(im));
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

    fn logistic(self) -> Complex {
        ONE.divide(ONE.add(complex(-self.re, -self.im).exp()))
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
        y.multiply(self.log()).exp()
    }

    /// Hull, Fairgrieve and Tang's w with asin z = atan2(x, w.re) + i · sign(y) · w.im; see chlo.
    fn asin_acos_kernel(self) -> Complex {
        let (plus, minus) = (ONE.add(self).sqrt(), ONE.subtract(self).sqrt());
        let real = plus.re * minus.re - plus.im * minus.im;
        let cross = minus.re * plus.im - minus.im * plus.re;
        let large = self.re.abs().max(self.im.abs());
        let imaginary = if large > 1e15 {
            // |asin z| grows as ln |2z|.
            log_magnitude(self.re, self.im) + std::f64::consts::LN_2
        } else {
            libm::asinh(cross).abs()
        };
        if large > 1e150 {
            // The product of roots is then |y|.
            return complex(self.im.abs(), imaginary);
        }
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

    /// (ln(1 + z) − ln(1 − z)) / 2, the logarithms as arguments of log1p.
    fn atanh(self) -> Complex {
        let Complex { re, im } = self;
        if im == 0.0 && re.abs() <= 1.0 {
            return complex(libm::atanh(re), im);
        }
        if self.magnitude() > 1e100 {
            return complex(
                if re.is_infinite() || im.is_infinite() { 0f64.copysign(re) } else { ONE.divide(self).re },
                std::f64::consts::FRAC_PI_2.copysign(im),
            );
        }
        // An odd function of x: for x < 0 the argument of log1p would near −1, where it magnifies what was rounded.
        let x = re.abs();
        let away = (1.0 - x) * (1.0 - x) + im * im;
        let real = (libm::log1p(4.0 * x / away) / 4.0).copysign(re);
        let imaginary = libm::atan2(2.0 * im, (1.0 - re) * (1.0 + re) - im * im) / 2.0;
        complex(real, imaginary)
    }

    fn atan(self) -> Complex {
        self.turned().atanh().turned_back()
    }

    fn sign(self) -> Complex {
        let size = self.magnitude();
        if size == 0.0 || size.is_nan() {
            return if size == 0.0 { self } else { complex(f64::NAN, f64::NAN) };
        }
        complex(self.re / size, self.im / size)
    }
}

/// ln √(x² + y²), without cancellation near the unit circle.
fn log_magnitude(x: f64, y: f64) -> f64 {
    let (x, y) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
    if (0.5..2.0).contains(&x) {
        return libm::log1p((x - 1.0) * (x + 1.0) + y * y) / 2.0;
    }
    libm::log(libm::hypot(x, y))
}

/// The function of an operation, if it is one of a complex number to a complex number.
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

/// The function of an operation, if it is one of two complex numbers to a complex number.
pub(crate) fn binary(op: Binary) -> Option<fn(Complex, Complex) -> Complex> {
    /// The number that is `wanted` of the other, real parts first.
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
            // −i ln((x + iy) / √(x² + y²)).
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

    /// Inverses undo their functions, and trigonometric identities hold, on a grid around the origin.
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
}
