//! Real functions in binary64, which elementwise operations compute before they round to the element type. All are pure
//! Rust, so that results are the same on every machine.
//!
//! The functions of `libm` are within 1 ulp of binary64. `erf_inv`, `digamma`, `zeta`, `polygamma` and `bessel_i1e`
//! have a relative error of at most 1e-13, except near zeros. If a factorial or a power in `polygamma` overflows, its
//! error is within 1e-16·n·ln(n·x) for the order n.

use std::f64::consts::PI;

use binade_stablehlo::ir::{Binary, Unary};

/// The function of one real number that an operation computes; `None` for other operations.
pub(crate) fn unary(op: Unary) -> Option<fn(f64) -> f64> {
    Some(match op {
        Unary::Abs => f64::abs,
        Unary::Cbrt => libm::cbrt,
        Unary::Ceil => f64::ceil,
        Unary::Cosine => libm::cos,
        Unary::Exponential => libm::exp,
        Unary::ExponentialMinusOne => libm::expm1,
        Unary::Floor => f64::floor,
        Unary::Imag => |_| 0.0,
        Unary::Log => libm::log,
        Unary::LogPlusOne => libm::log1p,
        // e^−x overflows before the result is 0.
        Unary::Logistic => |x| if x < -700.0 { libm::exp(x) } else { 1.0 / (1.0 + libm::exp(-x)) },
        Unary::Negate => |x| -x,
        Unary::Real | Unary::Conj => |x| x,
        Unary::RoundNearestAfz => f64::round,
        Unary::RoundNearestEven => f64::round_ties_even,
        Unary::Rsqrt => |x| 1.0 / x.sqrt(),
        Unary::Sign => |x| if x.is_nan() || x == 0.0 { x } else { 1f64.copysign(x) },
        Unary::Sine => libm::sin,
        Unary::Sqrt => f64::sqrt,
        Unary::Tan => libm::tan,
        Unary::Tanh => libm::tanh,
        Unary::Acos => libm::acos,
        // `libm::acosh` returns numbers for some arguments below 1.
        Unary::Acosh => |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) },
        Unary::Asin => libm::asin,
        Unary::Asinh => libm::asinh,
        Unary::Atan => libm::atan,
        Unary::Atanh => libm::atanh,
        Unary::BesselI1e => bessel_i1e,
        Unary::Cosh => libm::cosh,
        Unary::Digamma => digamma,
        Unary::Erf => libm::erf,
        Unary::ErfInv => erf_inv,
        Unary::Erfc => libm::erfc,
        Unary::Lgamma => libm::lgamma,
        Unary::Sinh => libm::sinh,
        Unary::Square => |x| x * x,
        Unary::AsinAcosKernel
        | Unary::CountLeadingZeros
        | Unary::IsFinite
        | Unary::IsInf
        | Unary::IsNegInf
        | Unary::IsPosInf
        | Unary::Not
        | Unary::Popcnt => return None,
    })
}

/// The function of two real numbers that an operation computes; `None` for others, such as `NextAfter`, which works on
/// codes.
pub(crate) fn binary(op: Binary) -> Option<fn(f64, f64) -> f64> {
    Some(match op {
        Binary::Add => |x, y| x + y,
        Binary::Atan2 => libm::atan2,
        Binary::Divide => |x, y| x / y,
        Binary::Maximum => maximum,
        Binary::Minimum => minimum,
        Binary::Multiply => |x, y| x * y,
        Binary::Power => libm::pow,
        Binary::Remainder => |x, y| x % y,
        Binary::Subtract => |x, y| x - y,
        Binary::Polygamma => polygamma,
        Binary::Zeta => zeta,
        Binary::And
        | Binary::Complex
        | Binary::MulHigh
        | Binary::NextAfter
        | Binary::Or
        | Binary::ShiftLeft
        | Binary::ShiftRightArithmetic
        | Binary::ShiftRightLogical
        | Binary::Xor => return None,
    })
}

/// IEEE 754's maximum: NaN if either operand is, and +0 above −0.
fn maximum(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        x + y
    } else if x > y || (x == y && y.is_sign_negative()) {
        x
    } else {
        y
    }
}

/// IEEE 754's minimum: NaN if either operand is, and −0 below +0.
fn minimum(x: f64, y: f64) -> f64 {
    -maximum(-x, -y)
}

/// The inverse of the error function: Winitzki's approximation, with an error of 2e-3, and Halley steps. For |x| > 1/2
/// these solve erfc(y) = 1 − |x|, which does not cancel.
fn erf_inv(x: f64) -> f64 {
    let magnitude = x.abs();
    if magnitude.is_nan() || magnitude > 1.0 {
        return f64::NAN;
    }
    if magnitude == 1.0 || magnitude < 1e-160 {
        return if magnitude == 1.0 { f64::INFINITY.copysign(x) } else { x * (PI.sqrt() / 2.0) };
    }
    let tail = libm::log1p(-magnitude * magnitude);
    let half = 2.0 / (PI * 0.147) + tail / 2.0;
    let mut y = (tail / -0.147 / (half + (half * half - tail / 0.147).sqrt())).sqrt();
    for _ in 0..4 {
        let error =
            if magnitude > 0.5 { (1.0 - magnitude) - libm::erfc(y) } else { libm::erf(y) - magnitude };
        // f′ = 2/√π · e^(−y²), f″ = −2y f′.
        let step = error / (2.0 / PI.sqrt() * libm::exp(-y * y));
        y -= step / (1.0 + y * step);
    }
    y.copysign(x)
}

/// Γ′/Γ: reflection below 1/2, recurrence up to 10, then the asymptotic series.
fn digamma(x: f64) -> f64 {
    if x == f64::NEG_INFINITY || (x <= 0.0 && x == x.floor()) {
        return f64::NAN;
    }
    if x < 0.5 {
        // cot is periodic; the fraction keeps it precise.
        let fraction = x - x.round();
        // π cot πx is 1 / x near 0, where πx may be a subnormal number of few bits.
        let cotangent = if fraction.abs() < 1e-9 { 1.0 / fraction } else { PI / libm::tan(PI * fraction) };
        return digamma(1.0 - x) - cotangent;
    }
    let (mut x, mut below) = (x, 0.0);
    while x < 10.0 {
        below += 1.0 / x;
        x += 1.0;
    }
    let s = 1.0 / (x * x);
    // Σ B₂ₖ / (2k x²ᵏ).
    const TERMS: [f64; 7] =
        [1.0 / 12.0, -1.0 / 120.0, 1.0 / 252.0, -1.0 / 240.0, 1.0 / 132.0, -691.0 / 32760.0, 1.0 / 12.0];
    let series = TERMS.iter().rev().fold(0.0, |sum, term| (sum + term) * s);
    libm::log(x) - 0.5 / x - series - below
}

/// Hurwitz's ζ(s, q) = Σ (q + k)^−s by the Euler–Maclaurin formula.
fn zeta(s: f64, q: f64) -> f64 {
    if s.is_nan() || q.is_nan() || s < 1.0 {
        return f64::NAN;
    }
    if s == 1.0 {
        return f64::INFINITY;
    }
    if q <= 0.0 {
        if q == q.floor() {
            return if s == s.floor() && s % 2.0 == 0.0 { f64::INFINITY } else { f64::NAN };
        }
        if s != s.floor() {
            return f64::NAN;
        }
    }
    if s == f64::INFINITY {
        return if q > 1.0 {
            0.0
        } else if q == 1.0 {
            1.0
        } else {
            f64::INFINITY
        };
    }
    if q == f64::INFINITY {
        return 0.0;
    }
    if q < 0.0 {
        // Below 0 numbers have both signs: (−1)^s Σ of their magnitudes, and the rest. The fraction of q is exact where
        // it matters.
        let fraction = -q - (-q).floor();
        let sign = if s % 2.0 == 0.0 { 1.0 } else { -1.0 };
        let below = if q > -1.0 { libm::pow(-q, -s) } else { zeta(s, fraction) - zeta(s, 1.0 - q) };
        return zeta(s, 1.0 - fraction) + sign * below;
    }
    if q > 1e20 {
        // Only the integral matters; q^−s may underflow where it does not.
        return libm::pow(q, 1.0 - s) / (s - 1.0);
    }
    // q^−s may underflow where the sum does not.
    if q > 12.0 {
        scaled_zeta(s, q) / q * libm::pow(q, 1.0 - s)
    } else {
        scaled_zeta(s, q) * libm::pow(q, -s)
    }
}

/// q^s · ζ(s, q) for s > 1 and finite q > 0.
fn scaled_zeta(s: f64, q: f64) -> f64 {
    let (mut sum, mut x) = (0.0, q);
    // For q ≥ 12, twelve terms of the formula suffice for binary64.
    while x < 12.0 {
        let term = libm::pow(x / q, -s);
        sum += term;
        x += 1.0;
        if term < sum * 1e-18 {
            return sum;
        }
    }
    let power = libm::pow(x / q, -s);
    sum += x * power / (s - 1.0) + power / 2.0;
    // B₂ₖ / (2k)!.
    const TERMS: [f64; 12] = [
        1.0 / 12.0,
        -1.0 / 720.0,
        1.0 / 30240.0,
        -1.0 / 1209600.0,
        1.0 / 47900160.0,
        -691.0 / 1307674368000.0,
        1.0 / 74724249600.0,
        -3617.0 / 10670622842880000.0,
        43867.0 / 5109094217170944000.0,
        -174611.0 / 802857662698291200000.0,
        77683.0 / 14101100039391805440000.0,
        -236364091.0 / 1693824136731743669452800000.0,
    ];
    // s (s + 1) … (s + 2k − 2) · x^(−s − 2k + 1).
    let mut factor = s * power / x;
    for (k, term) in TERMS.iter().enumerate() {
        let added = term * factor;
        sum += added;
        if added.abs() < sum.abs() * 1e-17 {
            break;
        }
        let next = s + 2.0 * k as f64 + 1.0;
        factor *= next * (next + 1.0) / (x * x);
    }
    sum
}

/// ψ⁽ⁿ⁾(x) = (−1)ⁿ⁺¹ n! ζ(n + 1, x).
fn polygamma(n: f64, x: f64) -> f64 {
    if n == 0.0 {
        return digamma(x);
    }
    if n < 0.0 || n != n.floor() || n.is_infinite() {
        return f64::NAN;
    }
    let sign = if n % 2.0 == 0.0 { -1.0 } else { 1.0 };
    let (factorial, sum) = (libm::tgamma(n + 1.0), zeta(n + 1.0, x));
    if sum.is_nan() || x <= 0.0 || (factorial.is_finite() && sum.abs() > 1e-290) {
        return sign * factorial * sum;
    }
    if x.is_infinite() {
        return sign * 0.0;
    }
    // A factor overflows or underflows. By logarithms, n! x^−n has an error of as many units as ln n! has.
    let power = libm::exp(libm::lgamma(n + 1.0) - n * libm::log(x));
    sign * power * (scaled_zeta(n + 1.0, x) / x)
}

/// e^−|x| · I₁(x). Up to 25 by the power series, whose terms are all positive; above by the asymptotic series, whose
/// terms fall below 2^−53 before they grow again.
fn bessel_i1e(x: f64) -> f64 {
    let magnitude = x.abs();
    let scaled = if magnitude <= 25.0 {
        let quarter = magnitude * magnitude / 4.0;
        let (mut term, mut sum, mut k) = (magnitude / 2.0, 0.0, 1.0);
        while term > sum * 1e-18 {
            sum += term;
            term *= quarter / (k * (k + 1.0));
            k += 1.0;
        }
        libm::exp(-magnitude) * sum
    } else if magnitude == f64::INFINITY {
        0.0
    } else {
        let (mut term, mut sum, mut k) = (1.0f64, 1.0, 1.0);
        while k < 60.0 && term.abs() > 1e-18 {
            let odd = 2.0 * k - 1.0;
            let next = term * (odd * odd - 4.0) / (8.0 * magnitude * k);
            if next.abs() >= term.abs() {
                break;
            }
            term = next;
            sum += term;
            k += 1.0;
        }
        // 2π|x| may overflow.
        sum / (2.0 * PI).sqrt() / magnitude.sqrt()
    };
    if x.is_nan() { x } else { scaled.copysign(x) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(given: f64, expected: f64) {
        assert!((given - expected).abs() <= 4e-14 * expected.abs(), "{given:e} for {expected:e}");
    }

    /// Constants from handbooks, and identities between functions.
    #[test]
    fn special_functions() {
        near(digamma(1.0), -0.577_215_664_901_532_9);
        near(digamma(0.5), -1.963_510_026_021_423_5);
        near(digamma(-0.5), 0.036_489_973_978_576_52);
        near(digamma(100.0), 4.600_161_852_738_087);
        assert!(digamma(-3.0).is_nan() && digamma(0.0).is_nan());
        near(zeta(2.0, 1.0), PI * PI / 6.0);
        near(zeta(3.0, 1.0), 1.202_056_903_159_594_3);
        near(zeta(4.0, 0.5), PI.powi(4) / 90.0 * 15.0);
        near(zeta(1.5, 30.0), zeta(1.5, 31.0) + 30f64.powf(-1.5));
        near(polygamma(1.0, 1.0), PI * PI / 6.0);
        near(polygamma(2.0, 1.0), -2.0 * 1.202_056_903_159_594_3);
        near(polygamma(0.0, 3.0), 0.922_784_335_098_467_1);
        near(bessel_i1e(1.0), 0.207_910_415_349_708_45);
        near(bessel_i1e(-10.0), -0.121_262_681_384_455_5);
        // Both series meet, with slope −1/(2x) + 3/(8x²) of the logarithm.
        let ratio = bessel_i1e(25.0 - 1e-9) / bessel_i1e(25.0 + 1e-9);
        assert!((ratio - 1.0 - 2e-9 * (0.02 - 0.0006)).abs() < 1e-12);
        for x in [1e-12, 0.001, 0.3, 0.5, 0.7, 0.99, 1.0 - 1e-12, -0.2, -0.999] {
            let y = erf_inv(x);
            if x.abs() > 0.5 {
                let tail = 1.0 - x.abs();
                assert!((libm::erfc(y.abs()) - tail).abs() <= 1e-14 * tail, "{x}");
            } else {
                near(libm::erf(y), x);
            }
        }
        assert!(erf_inv(1.0) == f64::INFINITY && erf_inv(-1.5).is_nan());
    }

    /// Values of mpmath where a factor overflows or underflows, and the result does not.
    #[test]
    fn special_functions_at_the_ends_of_the_range_are_numbers() {
        near(bessel_i1e(2.9e307), 7.408172167226829e-155);
        near(bessel_i1e(1e308), 3.989422804014327e-155);
        near(bessel_i1e(f64::MAX), 2.9754474593158995e-155);
        near(bessel_i1e(1e-300), 5e-301);
        near(zeta(1.5, 1e300), 2e-150);
        near(zeta(2.0, 1e200), 1e-200);
        near(zeta(1.0000000000000002, 1e300), 4503599627369805.0);
        near(zeta(3.0, 1e5), 5.00005000025e-11);
        near(zeta(2.0, -0.5), 8.934802200544679);
        near(zeta(3.0, -2.25), -61.94847488703008);
        near(zeta(2.0, -1000000.5), 9.869603401090359);
        near(zeta(2.0, -1e-20), 1.0000000000000002e40);
        near(zeta(30.0, 7.5), 5.735621073686468e-27);
        near(polygamma(1.0, 1e300), 1e-300);
        near(polygamma(1.0, -1.5), 9.379246644989124);
        near(polygamma(2.0, -2.25), 123.89694977406016);
        for (n, x, expected) in [
            (100.0, 1e4, -9.379363201543513e-245),
            (171.0, 200.0, 3.607958931214698e-87),
            (200.0, 1000.0, -4.3508192705971203e-228),
            (300.0, 500.5, -2.0472214585506427e-198),
        ] {
            let given = polygamma(n, x);
            assert!(
                (given - expected).abs() <= 1e-16 * n * (n * x).ln() * expected.abs(),
                "{given:e} for {expected:e}"
            );
        }
        assert_eq!(polygamma(170.0, 0.5), f64::NEG_INFINITY);
        near(digamma(1e-308), -1e308);
        near(digamma(-1e-300), 1e300);
        near(digamma(-1e-9), 999999999.4227843);
        near(digamma(3e-9), -333333333.910549);
        let logistic = unary(Unary::Logistic).expect("real");
        for (x, expected) in [(-720.0, 2.0322308024e-313), (-709.9, 4.947061357598873e-309), (-745.0, 5e-324)]
        {
            assert_eq!(logistic(x), expected);
        }
    }

    #[test]
    fn extremes_order_zeros_and_pass_nan() {
        assert!(maximum(-0.0, 0.0).is_sign_positive() && maximum(0.0, -0.0).is_sign_positive());
        assert!(minimum(-0.0, 0.0).is_sign_negative() && minimum(0.0, -0.0).is_sign_negative());
        assert!(maximum(f64::NAN, 1.0).is_nan() && minimum(1.0, f64::NAN).is_nan());
        assert_eq!((maximum(2.0, 3.0), minimum(2.0, 3.0)), (3.0, 2.0));
    }
}
