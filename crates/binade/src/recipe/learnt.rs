//! Exponent biases that follow a tensor, as Tesla's document has them: learnt while training, and not changed frequently.

use alloc::vec;
use alloc::vec::Vec;

use crate::catalog::{Bias, F64};
use crate::codec::decode;
use crate::format::{Fields, Format};
use crate::round::{Projection, project};

/// The choice of an exponent bias from the numbers of a tensor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum BiasRule {
    /// The largest exponent, plus a margin of binades, is the largest exponent of the format.
    #[default]
    Largest,
    /// The mean square error of the numbers in the histogram of exponents is least. Of equal errors, the bias next to that of
    /// [`BiasRule::Largest`] counts. Numbers of a binade count as evenly distributed over it, and numbers beyond the format's range as
    /// saturated.
    MeanSquareError,
}

/// The rule of an exponent bias that follows a tensor.
///
/// The wanted bias is the choice of `rule` for the numbers of the last `history` steps. A bias falls to the wanted one at once. Under
/// [`BiasRule::Largest`] it does so only if the tensor would overflow. It rises by one after each whole history that wants a larger
/// one, so that it does not change frequently. Biases are unsigned integers of six bits.
///
/// A stored tensor keeps its history from step to step ([`super::BiasHistory`]), and so does an operand of a product with a
/// `history` in a training. All other operands are quantised under the bias that their own numbers want.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Learnt {
    /// The choice of a bias.
    pub rule: BiasRule,
    /// Steps whose numbers count, 1 to 1024; `None` if the quantizer has no such option.
    pub history: Option<usize>,
    /// Binades between the largest exponent seen and the format's, 0 to 8, under [`BiasRule::Largest`].
    pub margin: i32,
}

impl Default for Learnt {
    fn default() -> Learnt {
        Learnt { rule: BiasRule::Largest, history: None, margin: 1 }
    }
}

/// The format with another bias.
pub(super) fn with_bias(format: Format, bias: i32) -> Format {
    Format::constant(Fields { bias, ..format.fields() })
}

impl Learnt {
    /// Steps whose numbers count; 16 without a `history`.
    pub fn steps(&self) -> usize {
        self.history.unwrap_or(16)
    }

    /// The wanted bias of a format for numbers with these exponents ([`exponent_counts`]); `None` without numbers.
    pub fn bias(&self, format: Format, counts: &[(i32, u64)]) -> Option<i32> {
        let largest = counts.iter().map(|(exponent, _)| *exponent).max()?;
        let greatest = with_bias(format, 0).emax();
        let of_largest = (greatest - largest - self.margin).clamp(*Bias::RANGE.start(), *Bias::RANGE.end());
        if self.rule == BiasRule::Largest {
            return Some(of_largest);
        }
        let lines = Lines::of(with_bias(format, 0));
        let error = |bias: i32| -> f64 {
            // A format of bias b has the numbers of bias 0, divided by 2^b.
            let of = |&(exponent, count): &(i32, u64)| count as f64 * lines.square_error(exponent + bias);
            counts.iter().map(of).sum::<f64>() * power_of_two(-2 * bias)
        };
        let errors = Bias::RANGE.map(|bias| (error(bias), (bias - of_largest).abs(), bias));
        let least = errors.min_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        least.map(|(_, _, bias)| bias)
    }
}

/// 2^exponent, for exponents of normal binary64 numbers.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// The numbers of a format, for errors of rounding to nearest.
struct Lines {
    /// The least positive number.
    least: f64,
    /// The largest subnormal number; `normal` if it has none.
    subnormal: f64,
    /// The least normal number.
    normal: f64,
    /// The largest finite number.
    largest: f64,
    precision: i32,
}

impl Lines {
    fn of(format: Format) -> Lines {
        let value =
            |code: u64| f64::from_bits(project(F64, decode(format, code), Projection::default()).code);
        let normal = value(format.min_normal_code());
        let has_subnormals = format.min_subnormal_code().is_some();
        Lines {
            least: value(format.min_positive_code()),
            subnormal: if has_subnormals { value(format.min_normal_code() - 1) } else { normal },
            normal,
            largest: value(format.max_finite_code()),
            precision: format.precision() as i32,
        }
    }

    /// The mean square error of numbers that are evenly distributed over the binade of an exponent.
    fn square_error(&self, exponent: i32) -> f64 {
        let (from, to) = (power_of_two(exponent), power_of_two(exponent + 1));
        // ∫ (x − number)² dx from a to b.
        let to_number = |number: f64, a: f64, b: f64| {
            let cube = |x: f64| x * x * x;
            if a < b { (cube(b - number) - cube(a - number)) / 3.0 } else { 0.0 }
        };
        // Numbers from a to b round to the nearer one.
        let between = |a: f64, b: f64| {
            let middle = (a + b) / 2.0;
            to_number(a, from.max(a), to.min(middle)) + to_number(b, from.max(middle), to.min(b))
        };
        let evenly = |a: f64, b: f64, step: f64| (to.min(b) - from.max(a)).max(0.0) * step * step / 12.0;
        let subnormal = between(0.0, self.least)
            + evenly(self.least, self.subnormal, self.least)
            + between(self.subnormal, self.normal);
        let normal = evenly(self.normal, self.largest, power_of_two(exponent + 1 - self.precision));
        let saturated = to_number(self.largest, from.max(self.largest), to);
        (subnormal + normal + saturated) / from
    }
}

/// The number of finite magnitudes with each ⌊log2⌋, in ascending order of exponents. Zeros do not count.
pub fn exponent_counts(numbers: &[f32]) -> Vec<(i32, u64)> {
    const LEAST: i32 = -149;
    let mut counts = vec![0u64; (128 - LEAST) as usize];
    for exponent in numbers.iter().filter_map(|x| exponent_of(x.abs())) {
        counts[(exponent - LEAST) as usize] += 1;
    }
    let counts = counts.into_iter().enumerate().filter(|(_, count)| *count > 0);
    counts.map(|(at, count)| (at as i32 + LEAST, count)).collect()
}

/// ⌊log2⌋ of a magnitude; `None` for zero and for numbers that are not finite.
fn exponent_of(magnitude: f32) -> Option<i32> {
    let bits = magnitude.to_bits();
    match bits >> 23 {
        _ if bits == 0 => None,
        0 => Some(31 - bits.leading_zeros() as i32 - 149),
        0xff => None,
        field => Some(field as i32 - 127),
    }
}

/// ⌊log2⌋ of the largest finite magnitude; `None` if all numbers are zero or not finite.
pub fn largest_exponent(numbers: &[f32]) -> Option<i32> {
    exponent_of(numbers.iter().filter(|x| x.is_finite()).fold(0f32, |most, x| most.max(x.abs())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::philox::Stream;
    use crate::round::Rounding;
    use crate::{Saturation, Spec};

    #[test]
    fn largest_exponents_are_those_of_finite_numbers() {
        assert_eq!(largest_exponent(&[0.0, -0.0, f32::NAN, f32::INFINITY]), None);
        assert_eq!(largest_exponent(&[0.3, -1.9, f32::INFINITY]), Some(0));
        assert_eq!(largest_exponent(&[f32::from_bits(1)]), Some(-149));
        assert_eq!(largest_exponent(&[f32::MAX]), Some(127));
    }

    #[test]
    fn exponent_counts_are_those_of_each_number() {
        let numbers = [0.0, 1.0, -1.5, 0.3, f32::NAN, f32::NEG_INFINITY, f32::from_bits(3), f32::MAX];
        assert_eq!(exponent_counts(&numbers), [(-148, 1), (-2, 1), (0, 2), (127, 1)]);
        assert_eq!(exponent_counts(&[]), []);
    }

    /// The mean square error of midpoints of a binade, each projected by itself.
    fn sampled_error(format: Format, exponent: i32) -> f64 {
        const POINTS: usize = 512;
        let nearest = Projection::new(Rounding::NearestEven, Saturation::Max);
        let error = |at: usize| {
            let x = (1.0 + (at as f64 + 0.5) / POINTS as f64) * 2f64.powi(exponent);
            let code = project(format, decode(F64, x.to_bits()), nearest).code;
            let y = f64::from_bits(project(F64, decode(format, code), Projection::default()).code);
            (x - y) * (x - y)
        };
        (0..POINTS).map(error).sum::<f64>() / POINTS as f64
    }

    #[test]
    fn bias_of_least_mean_square_error_is_that_of_all_biases_tried() {
        let mut words = Stream::new(3);
        for name in ["cfloat8_1_4_3", "cfloat8_1_5_2", "shp"] {
            let spec: Spec = alloc::format!("{name}@bias=31").parse().unwrap();
            let learnt = Learnt { rule: BiasRule::MeanSquareError, ..Learnt::default() };
            let mut chosen = vec![];
            for _ in 0..3 {
                let first = -12 + (words.word() % 16) as i32;
                // Few large numbers, and many small ones.
                let counts: Vec<(i32, u64)> = (0..8)
                    .map(|at| (first + at, 1 + u64::from(words.word()) % (1 << (3 * (8 - at)))))
                    .collect();
                let samples: Vec<Vec<f64>> = (0..64)
                    .map(|bias| {
                        counts
                            .iter()
                            .map(|(at, _)| sampled_error(with_bias(spec.format, bias), *at))
                            .collect()
                    })
                    .collect();
                let errors = samples.iter().map(|samples| -> f64 {
                    samples.iter().zip(&counts).map(|(error, (_, count))| error * *count as f64).sum()
                });
                let errors: Vec<f64> = errors.collect();
                let least = errors.iter().copied().fold(f64::INFINITY, f64::min);
                let bias = learnt.bias(spec.format, &counts).unwrap();
                // Sampled errors of neighbouring biases may be equal up to the points' number.
                assert!(
                    errors[bias as usize] <= least * 1.001,
                    "{name}: {bias} of {errors:?} for {counts:?}"
                );
                chosen.push(bias);
                let lines = Lines::of(with_bias(spec.format, 0));
                for (bias, samples) in samples.iter().enumerate() {
                    for (sampled, (exponent, _)) in samples.iter().zip(&counts) {
                        let error =
                            lines.square_error(exponent + bias as i32) * power_of_two(-2 * bias as i32);
                        let coarse = error < 1e-4 * power_of_two(2 * exponent);
                        let near = (error - sampled).abs() <= 0.02 * sampled;
                        assert!(near || coarse, "{name} bias={bias}: 2^{exponent}: {error} and {sampled}");
                    }
                }
            }
            assert!(chosen.windows(2).any(|pair| pair[0] != pair[1]), "{name}: {chosen:?}");
        }
    }

    #[test]
    fn mean_square_error_clips_few_large_numbers_for_many_small_ones() {
        let spec: Spec = "cfloat8_1_4_3@bias=31".parse().unwrap();
        let counts = [(-20, 1_000_000_000_000), (0, 1)];
        let largest = Learnt { margin: 0, ..Learnt::default() }.bias(spec.format, &counts).unwrap();
        let learnt = Learnt { rule: BiasRule::MeanSquareError, ..Learnt::default() };
        let least_error = learnt.bias(spec.format, &counts).unwrap();
        assert!(least_error > largest, "{least_error} and {largest}");
        assert_eq!(learnt.bias(spec.format, &[]), None);
    }
}
