//! Elementary functions of slices of binary32 numbers, bit for bit the same on every instruction set.
//!
//! Each function is computed in binary64 and rounded to binary32. The code is plain Rust without branches, which
//! compiles to vector code. Its relative error is below [`MAX_ERROR`]. So a result is correctly rounded unless the
//! exact result is within that error of the midpoint of two binary32 numbers (fewer than one in 2^12 arguments). Then
//! it is one of the two.
//!
//! The functions use only +, −, ×, ÷, √, fused multiply-adds and moves of bits, each rounded once. The portable
//! instruction set has no fused multiply-add, so it is slow. `scripts/fit_elementary.py` computes the coefficients of
//! the fits and reports their errors.
//!
//! Methods:
//!
//! - `exp`, `exp_minus_one`: x = k ln 2 + r, a polynomial for (e^r − 1)/r.
//! - `log`, `log_plus_one`: x = 2^k m, a polynomial in s² for 2 artanh(s)/s, s = (m − 1)/(m + 1).
//! - `logistic`: 1 / (1 + e^−x).
//! - `tanh`, `erf`: x times a quotient of polynomials in x², up to where the result is 1.
//! - `sine`, `cosine`, `tangent`: x − k π/2 with π/2 in three parts, Taylor polynomials; `libm` for |x| ≥ 2^20.
//! - `rsqrt`: 1/√x.
//! - `erf_inv`: x times Chebyshev fits in w = −ln(1 − x²) below 5 and in √w above.
//! - `floor`, `ceil`, `round_even`: exact.
//! - [`power`]: e^(y ln x) for x > 0; `libm` elsewhere.

use binade_simd::Environment;
use binade_simd::lanes::Leg;
use binade_simd::{Isa, Kernel};

use crate::error::KernelError;

/// Bound of the relative error before the result is rounded to binary32.
pub const MAX_ERROR: f64 = 1.0 / (1u64 << 37) as f64;

/// A function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Function {
    /// e^x.
    Exp,
    /// e^x − 1.
    ExpMinusOne,
    /// ln x.
    Log,
    /// ln(1 + x).
    LogPlusOne,
    /// 1 / (1 + e^−x).
    Logistic,
    /// tanh x.
    Tanh,
    /// 2/√π ∫₀ˣ e^−t² dt.
    Erf,
    /// sin x.
    Sine,
    /// cos x.
    Cosine,
    /// tan x.
    Tangent,
    /// 1/√x.
    Rsqrt,
    /// The inverse of the error function.
    ErfInv,
    /// The largest integer not above x.
    Floor,
    /// The least integer not below x.
    Ceil,
    /// The nearest integer, the even one of two.
    RoundEven,
}

impl Function {
    /// All functions.
    pub const ALL: [Function; 15] = [
        Function::Exp,
        Function::ExpMinusOne,
        Function::Log,
        Function::LogPlusOne,
        Function::Logistic,
        Function::Tanh,
        Function::Erf,
        Function::Sine,
        Function::Cosine,
        Function::Tangent,
        Function::Rsqrt,
        Function::ErfInv,
        Function::Floor,
        Function::Ceil,
        Function::RoundEven,
    ];

    /// `y[i] = f(x[i])`, on the best instruction set and one thread.
    ///
    /// # Errors
    /// If the slices differ in length.
    pub fn apply(self, x: &[f32], y: &mut [f32]) -> Result<(), KernelError> {
        self.apply_on(Isa::detect(), x, y)
    }

    /// `y[i] = f(x[i])` on an instruction set.
    ///
    /// # Errors
    /// As [`Function::apply`].
    pub fn apply_on(self, isa: Isa, x: &[f32], y: &mut [f32]) -> Result<(), KernelError> {
        KernelError::check_length("the result", y.len(), x.len())?;
        let _environment = Environment::enter();
        isa.run(Apply { function: self, x, y });
        Ok(())
    }
}

struct Apply<'a> {
    function: Function,
    x: &'a [f32],
    y: &'a mut [f32],
}

impl Kernel for Apply<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        let Apply { function, x, y } = self;
        // A separate loop for each function, so that the selection is outside.
        macro_rules! each {
            ($f:ident) => {
                for (y, &x) in y.iter_mut().zip(x) {
                    *y = $f(x as f64) as f32;
                }
            };
        }
        // Functions that do not need binary64.
        macro_rules! each_f32 {
            ($method:ident) => {
                for (y, &x) in y.iter_mut().zip(x) {
                    *y = x.$method();
                }
            };
        }
        // Functions with a slow case, which a second loop computes.
        macro_rules! each_below {
            ($f:ident, $slow:path) => {{
                let mut beyond = false;
                for (y, &x) in y.iter_mut().zip(x) {
                    *y = $f(x as f64) as f32;
                    beyond |= x.abs() >= NEAR;
                }
                if beyond {
                    for (y, &x) in y.iter_mut().zip(x) {
                        if x.abs() >= NEAR {
                            *y = $slow(x as f64) as f32;
                        }
                    }
                }
            }};
        }
        match function {
            Function::Exp => each!(exp),
            Function::ExpMinusOne => each!(exp_minus_one),
            Function::Log => each!(log),
            Function::LogPlusOne => each!(log_plus_one),
            Function::Logistic => each!(logistic),
            Function::Tanh => each!(tanh),
            Function::Erf => each!(erf),
            Function::Sine => each_below!(sine, libm::sin),
            Function::Cosine => each_below!(cosine, libm::cos),
            Function::Tangent => each_below!(tangent, libm::tan),
            Function::Rsqrt => each!(rsqrt),
            Function::ErfInv => each!(erf_inv),
            Function::Floor => each_f32!(floor),
            Function::Ceil => each_f32!(ceil),
            Function::RoundEven => each_f32!(round_ties_even),
        }
    }
}

/// `out[i] = x[i]` to the power `y[i]`, on the best instruction set and one thread.
///
/// # Errors
/// If the slices differ in length.
pub fn power(x: &[f32], y: &[f32], out: &mut [f32]) -> Result<(), KernelError> {
    power_on(Isa::detect(), x, y, out)
}

/// [`power`] on an instruction set.
///
/// # Errors
/// As [`power`].
pub fn power_on(isa: Isa, x: &[f32], y: &[f32], out: &mut [f32]) -> Result<(), KernelError> {
    KernelError::check_length("the list of exponents", y.len(), x.len())?;
    KernelError::check_length("the result", out.len(), x.len())?;
    let _environment = Environment::enter();
    isa.run(Power { x, y, out });
    Ok(())
}

struct Power<'a> {
    x: &'a [f32],
    y: &'a [f32],
    out: &'a mut [f32],
}

impl Kernel for Power<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Leg>(self, _: L) {
        let Power { x, y, out } = self;
        let reached = |x: f32, y: f32| x > 0.0 && x < f32::INFINITY && y.abs() < f32::INFINITY;
        let mut beyond = false;
        for (out, (&x, &y)) in out.iter_mut().zip(x.iter().zip(y)) {
            *out = exp(y as f64 * log_of_normal(x as f64)) as f32;
            beyond |= !reached(x, y);
        }
        if beyond {
            for (out, (&x, &y)) in out.iter_mut().zip(x.iter().zip(y)) {
                if !reached(x, y) {
                    *out = libm::pow(x as f64, y as f64) as f32;
                }
            }
        }
    }
}

/// Adding and subtracting 1.5 · 2^52 rounds to an integer, whose two's complement is in the sum's low bits.
const TO_INTEGER: f64 = 6755399441055744.0;

/// Arguments of trigonometric functions that a π/2 of three parts can reduce.
const NEAR: f32 = (1 << 20) as f32;

/// Horner's rule, the constant term first.
#[inline(always)]
fn polynomial<const N: usize>(x: f64, coefficients: [f64; N]) -> f64 {
    let mut sum = coefficients[N - 1];
    let mut i = N - 1;
    while i > 0 {
        i -= 1;
        sum = sum.mul_add(x, coefficients[i]);
    }
    sum
}

/// x clamped to bounds beyond which binary32 results do not change; NaN stays.
#[inline(always)]
fn clamp(x: f64, least: f64, most: f64) -> f64 {
    let x = if x > most { most } else { x };
    if x < least { least } else { x }
}

/// 2^k and e^r − 1 for x = k ln 2 + r, |r| ≤ ln 2 / 2, |x| ≤ 200. The fit's relative error is below 2^−37.7, which is
/// 2^−39 of e^r, and k · (ln 2 − its binary64) < 1e-14.
#[inline(always)]
fn exp_parts(x: f64) -> (f64, f64) {
    let shifted = x * std::f64::consts::LOG2_E + TO_INTEGER;
    let k = shifted - TO_INTEGER;
    let r = k.mul_add(-std::f64::consts::LN_2, x);
    // k's low 12 bits become the exponent field.
    let power = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1f64.to_bits()));
    let series = polynomial(
        r,
        [
            0.999_999_999_995_545_5,
            0.500_000_000_012_031_3,
            0.166_666_667_853_486,
            0.041_666_665_953_103_4,
            0.008_333_283_737_964_312,
            0.001_388_897_792_212_488_6,
            0.000_199_074_604_225_247_24,
            2.480_179_299_508_483_5e-5,
        ],
    );
    (power, r * series)
}

#[inline(always)]
fn exp(x: f64) -> f64 {
    let (power, part) = exp_parts(clamp(x, -150.0, 130.0));
    power.mul_add(part, power)
}

#[inline(always)]
fn exp_minus_one(x: f64) -> f64 {
    let (power, part) = exp_parts(clamp(x, -150.0, 130.0));
    let result = power.mul_add(part, power - 1.0);
    // The sum would turn −0 into +0.
    if x == 0.0 { x } else { result }
}

/// ln of a positive normal number: with 1/√2 ≤ m < √2, |s| = |m − 1| / (m + 1) < 0.172; the fit's relative error is below
/// 2^−45.
#[inline(always)]
fn log_of_normal(x: f64) -> f64 {
    const ROOT_HALF: u64 = std::f64::consts::FRAC_1_SQRT_2.to_bits();
    let moved = x.to_bits().wrapping_add(1f64.to_bits() - ROOT_HALF);
    let m = f64::from_bits((moved & ((1 << 52) - 1)).wrapping_add(ROOT_HALF));
    let k = f64::from_bits(TO_INTEGER.to_bits().wrapping_add(moved >> 52)) - (TO_INTEGER + 1023.0);
    let s = (m - 1.0) / (m + 1.0);
    let series = polynomial(
        s * s,
        [
            1.999_999_999_999_945_6,
            0.666_666_666_797_088_2,
            0.399_999_948_621_977_24,
            0.285_721_689_867_527_7,
            0.221_741_349_573_430_17,
            0.196_097_228_402_664_1,
        ],
    );
    k.mul_add(std::f64::consts::LN_2, s * series)
}

#[inline(always)]
fn log(x: f64) -> f64 {
    // Finite binary32 numbers are normal in binary64.
    let result = log_of_normal(x);
    let result = if x < f64::INFINITY { result } else { x };
    let result = if x < 0.0 { f64::NAN } else { result };
    if x == 0.0 { f64::NEG_INFINITY } else { result }
}

#[inline(always)]
fn log_plus_one(x: f64) -> f64 {
    // ln u + (x − (u − 1)) / u: corrects the rounding error of 1 + x, to first order.
    let u = 1.0 + x;
    let result = log_of_normal(u) + (x - (u - 1.0)) / u;
    let result = if x < f64::INFINITY { result } else { x };
    let result = if x < -1.0 { f64::NAN } else { result };
    let result = if x == -1.0 { f64::NEG_INFINITY } else { result };
    if x == 0.0 { x } else { result }
}

#[inline(always)]
fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + exp(-x))
}

/// x · P(x²) / Q(x²), with coefficients from the lowest up.
#[inline(always)]
fn odd_quotient<const N: usize, const M: usize>(x: f64, above: [f64; N], below: [f64; M]) -> f64 {
    let square = x * x;
    x * (polynomial(square, above) / polynomial(square, below))
}

/// The fit is on |x| ≤ 9.1, beyond which the result is 1; its relative error is below 2^−44.
#[inline(always)]
fn tanh(x: f64) -> f64 {
    odd_quotient(
        clamp(x, -9.1, 9.1),
        [
            0.999_999_999_999_954_9,
            0.145_525_488_142_965_84,
            0.005_055_529_418_822_507,
            6.107_178_032_294_017e-5,
            2.711_422_438_691_869e-7,
            3.692_078_145_653_888_6e-10,
            6.836_508_323_154_879e-14,
        ],
        [
            1.0,
            0.478_858_821_475_757_1,
            0.031_341_803_245_267_16,
            0.000_628_750_632_440_38,
            4.633_543_871_559_217e-6,
            1.188_643_051_918_778e-8,
            7.269_676_454_349_039_5e-12,
        ],
    )
}

/// The fit is on |x| ≤ 4, beyond which the result is 1; its relative error is below 2^−40.8.
#[inline(always)]
fn erf(x: f64) -> f64 {
    odd_quotient(
        clamp(x, -4.0, 4.0),
        [
            1.128_379_167_095_94,
            0.194_337_211_655_369_6,
            0.058_359_547_502_488_61,
            0.004_870_725_037_842_087,
            0.000_551_432_867_548_064_2,
            2.382_702_266_838_788e-5,
            1.148_079_393_903_922_4e-6,
            8.519_715_020_927_585e-9,
            -1.609_386_911_091_251_3e-11,
        ],
        [
            1.0,
            0.505_560_202_943_374_1,
            0.120_239_869_759_034_33,
            0.017_650_028_760_196_793,
            0.001_755_566_552_913_047_9,
            0.000_121_178_191_618_122_34,
            5.586_359_506_483_06e-6,
            1.449_801_859_282_451e-7,
        ],
    )
}

/// sin and cos of x − k π/2, and k's low bits. All parts of π/2 but the last have at most 33 significant bits, so their
/// products with k < 2^20 are exact.
#[inline(always)]
fn trigonometric(x: f64) -> (f64, f64, u64) {
    const PARTS: [f64; 3] = [
        f64::from_bits(0x3ff9_21fb_5440_0000),
        f64::from_bits(0x3dd0_b461_1a60_0000),
        f64::from_bits(0x3ba3_198a_2e03_7073),
    ];
    let shifted = x * std::f64::consts::FRAC_2_PI + TO_INTEGER;
    let k = shifted - TO_INTEGER;
    let r = ((x - k * PARTS[0]) - k * PARTS[1]) - k * PARTS[2];
    let square = r * r;
    let sine = r * polynomial(
        square,
        [1.0, -1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0, 1.0 / 362880.0, -1.0 / 39916800.0, 1.0 / 6227020800.0],
    );
    let cosine = polynomial(
        square,
        [
            1.0,
            -1.0 / 2.0,
            1.0 / 24.0,
            -1.0 / 720.0,
            1.0 / 40320.0,
            -1.0 / 3628800.0,
            1.0 / 479001600.0,
            -1.0 / 87178291200.0,
        ],
    );
    (sine, cosine, shifted.to_bits())
}

/// `value` with its sign flipped if bit `bit` of k is set.
#[inline(always)]
fn flipped(value: f64, bit: u64) -> f64 {
    f64::from_bits(value.to_bits() ^ (bit & 1) << 63)
}

#[inline(always)]
fn sine(x: f64) -> f64 {
    let (sine, cosine, k) = trigonometric(x);
    let result = flipped(if k & 1 == 0 { sine } else { cosine }, k >> 1);
    if x == 0.0 { x } else { result }
}

#[inline(always)]
fn cosine(x: f64) -> f64 {
    let (sine, cosine, k) = trigonometric(x);
    flipped(if k & 1 == 0 { cosine } else { sine }, (k + 1) >> 1)
}

#[inline(always)]
fn tangent(x: f64) -> f64 {
    let (sine, cosine, k) = trigonometric(x);
    let result = if k & 1 == 0 { sine / cosine } else { -cosine / sine };
    if x == 0.0 { x } else { result }
}

#[inline(always)]
fn rsqrt(x: f64) -> f64 {
    1.0 / x.sqrt()
}

/// The fits are for w from 0 to 5, and for √w from √5 to 4.05, which covers every binary32 number below 1. Their
/// relative errors are 1.8e-12 and 1.0e-12.
#[inline(always)]
fn erf_inv(x: f64) -> f64 {
    let rest = (1.0 - x) * (1.0 + x);
    // Beyond ±1 any normal number works here.
    let w = -log_of_normal(if rest > 0.0 { rest } else { 1.0 });
    let middle = polynomial(
        (w - 2.5) / 2.5,
        [
            1.501_409_351_111_133_7,
            0.616_600_691_827_802_2,
            -0.026_108_235_821_027_996,
            -0.019_573_559_821_484_773,
            0.008_525_401_863_784_993,
            -0.000_487_912_068_269_759_65,
            -0.000_834_142_907_132_446,
            0.000_292_257_813_970_124_6,
            2.050_071_364_063_722_6e-5,
            -4.160_382_654_796_013_6e-5,
            8.593_224_017_421_989e-6,
            3.093_849_335_885_945e-6,
            -1.785_553_912_427_338_5e-6,
            -5.006_532_115_945_73e-8,
            1.605_301_368_533_563e-7,
        ],
    );
    let tail = polynomial(
        (w.sqrt() - 3.143_033_988_749_895) / 0.906_966_011_250_105_1,
        [
            2.976_423_463_290_711_6,
            0.910_564_680_398_793_3,
            0.005_567_556_920_908_77,
            -0.003_756_663_318_564_555,
            0.002_417_868_701_492_077,
            -0.001_464_129_109_670_855,
            0.000_678_133_240_628_738,
            -0.000_171_649_446_566_363_24,
            -3.108_247_121_209_827e-5,
            5.211_491_018_641_525_4e-5,
            -2.234_951_270_057_198_5e-5,
            1.579_372_738_298_326_6e-6,
            3.622_250_591_866_157_7e-6,
            -1.755_453_641_198_157_3e-6,
            -8.046_541_778_453_915e-8,
            1.937_401_222_143_245e-7,
        ],
    );
    let result = x * if w < 5.0 { middle } else { tail };
    let result = if x.abs() == 1.0 { f64::INFINITY.copysign(x) } else { result };
    if x.abs() > 1.0 { f64::NAN } else { result }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(function: Function) -> fn(f64) -> f64 {
        match function {
            Function::Exp => libm::exp,
            Function::ExpMinusOne => libm::expm1,
            Function::Log => libm::log,
            Function::LogPlusOne => libm::log1p,
            Function::Logistic => |x| 1.0 / (1.0 + libm::exp(-x)),
            Function::Tanh => libm::tanh,
            Function::Erf => libm::erf,
            Function::Sine => libm::sin,
            Function::Cosine => libm::cos,
            Function::Tangent => libm::tan,
            Function::Rsqrt => |x| 1.0 / x.sqrt(),
            Function::ErfInv => inverse_by_newton,
            Function::Floor => f64::floor,
            Function::Ceil => f64::ceil,
            Function::RoundEven => f64::round_ties_even,
        }
    }

    /// The root of erf y − x, or of erfc y − (1 − x) near 1, by Newton's method from Winitzki's approximation.
    fn inverse_by_newton(x: f64) -> f64 {
        let a = x.abs();
        if a >= 1.0 || a.is_nan() || a < 1e-9 {
            return match a {
                1.0 => f64::INFINITY.copysign(x),
                a if a < 1e-9 => x * (std::f64::consts::PI.sqrt() / 2.0),
                _ => f64::NAN,
            };
        }
        let tail = libm::log1p(-a * a);
        let half = 2.0 / (std::f64::consts::PI * 0.147) + tail / 2.0;
        let mut y = ((half * half - tail / 0.147).sqrt() - half).sqrt();
        for _ in 0..8 {
            let error = if a > 0.5 { (1.0 - a) - libm::erfc(y) } else { libm::erf(y) - a };
            y -= error / (std::f64::consts::FRAC_2_SQRT_PI * libm::exp(-y * y));
        }
        y.copysign(x)
    }

    /// Bases and exponents over the whole range and around 1, on every leg.
    #[test]
    fn powers_on_every_leg_are_within_the_bound() {
        let mut bases =
            vec![0.0f32, -0.0, 1.0, -1.0, -2.0, -0.5, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-45];
        bases.extend((0..400).map(|i| f32::from_bits(i * 0x0053_1f13 % 0x7f80_0000)));
        bases.extend((-100..100).map(|i| 1.0 + i as f32 * 2f32.powi(-20)));
        let mut exponents = bases.clone();
        exponents.extend((-200..200).map(|i| i as f32 / 4.0));
        let (x, y): (Vec<f32>, Vec<f32>) =
            bases.iter().flat_map(|&x| exponents.iter().map(move |&y| (x, y))).unzip();
        let mut first = vec![0.0; x.len()];
        power_on(Isa::PORTABLE, &x, &y, &mut first).unwrap();
        for ((&x, &y), &given) in x.iter().zip(&y).zip(&first) {
            let exact = libm::pow(x as f64, y as f64);
            let ends = [exact * (1.0 - MAX_ERROR), exact * (1.0 + MAX_ERROR)].map(|z| z as f32);
            let right = ends.contains(&given) || given.is_nan() && exact.is_nan();
            assert!(right, "{x:e} to the power {y:e}: {given:e} for {exact:e}");
        }
        for isa in Isa::available() {
            let mut other = vec![0.0; x.len()];
            power_on(isa, &x, &y, &mut other).unwrap();
            assert!(
                first.iter().zip(&other).all(|(a, b)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan())
            );
        }
    }

    /// Asserts that each result is one of the two binary32 numbers to which the definition's value, moved by the error
    /// bound in either direction, rounds.
    fn assert_within_the_bound(function: Function, x: &[f32], y: &[f32]) {
        let f = definition(function);
        for (&x, &y) in x.iter().zip(y) {
            let exact = f(x as f64);
            if exact.is_nan() {
                assert!(y.is_nan(), "{function:?} {x:e}: {y:e}");
                continue;
            }
            let ends = [exact * (1.0 - MAX_ERROR), exact * (1.0 + MAX_ERROR)].map(|y| y as f32);
            let right = ends.iter().any(|end| end.to_bits() == y.to_bits());
            assert!(right, "{function:?} {x:e}: {y:e} for {exact:e}");
        }
    }

    /// Every number from 2^−14 to 2^7 and its negative. Below that, functions are linear in binary32; above, they are
    /// constant.
    #[test]
    #[ignore = "takes minutes: cargo test --release -p binade-kernels every_number -- --ignored"]
    fn every_number_of_middle_size_is_within_the_bound() {
        let functions = [
            Function::Exp,
            Function::ExpMinusOne,
            Function::Log,
            Function::LogPlusOne,
            Function::Logistic,
            Function::Tanh,
            Function::Erf,
        ];
        let (least, most) = (2f32.powi(-14).to_bits(), 2f32.powi(7).to_bits());
        let mut y = vec![0.0; 1 << 16];
        for start in (least..most).step_by(1 << 15) {
            let both = |bits: u32| [f32::from_bits(bits), -f32::from_bits(bits)];
            let x: Vec<f32> = (start..start + (1 << 15)).flat_map(both).collect();
            for function in functions {
                function.apply(&x, &mut y).unwrap();
                assert_within_the_bound(function, &x, &y);
            }
        }
    }

    /// About half a million binary32 numbers, and neighbours of special ones; all instruction sets must agree.
    #[test]
    fn functions_on_every_leg_are_within_the_bound() {
        let special = [0.0f32, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 0.5, 4.3, NEAR];
        let around = special.iter().flat_map(|x| (-40i32..=40).map(|d| x.to_bits().wrapping_add_signed(d)));
        let x: Vec<f32> = (0..u32::MAX).step_by(97 * 89).chain(around).map(f32::from_bits).collect();
        for function in Function::ALL {
            let mut y = vec![0.0; x.len()];
            function.apply_on(Isa::PORTABLE, &x, &mut y).unwrap();
            assert_within_the_bound(function, &x, &y);
            for isa in Isa::available() {
                let mut other = vec![0.0; x.len()];
                function.apply_on(isa, &x, &mut other).unwrap();
                let same =
                    y.iter().zip(&other).all(|(a, b)| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan());
                assert!(same, "{function:?} on {isa}");
            }
        }
    }
}
