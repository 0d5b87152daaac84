//! The relative error |x − F(x)| / |x| of a format, or of a sum of BF16 parts, over every binary32 x of one exponent.
//!
//! For the exponent E the samples are x = k · 2^(E − 23) with 2²³ ≤ k < 2²⁴. Let F have at most 24 bits of precision and
//! include the binade in its range. In units of 2^(E − 23), x and F(x) are then integers. Their difference d is exact in
//! binary64, and d / k is rounded once. Comparing it with a binary64 power of ten gives the exact result. A quotient other
//! than 10⁻ⁿ differs from it by at least 10⁻ⁿ / k, far more than half a unit in the last place.
//!
//! The relative error does not depend on E while F's normal range includes x and, for several parts, the remainders.

use std::str::FromStr;

use binade::{Finite, Format, Projection, Spec, SpecError, Value, decode, project};
use binade_page::charts::{self, Curves};
use binade_page::grouped;
use binade_simd::threads;
use rayon::slice::ParallelSliceMut;
use serde::Serialize;
use thiserror::Error;

/// Samples in a binade: the mantissas of binary32.
pub const SAMPLES: usize = 1 << 23;

/// Exponents of normal binary32 numbers.
pub const EXPONENTS: std::ops::RangeInclusive<i32> = -126..=127;

/// The targets of Figure 2.
pub const PAPER: [&str; 3] = ["bf16x1", "bf16x2", "bf16x3"];

/// The exponent of Figure 2.
pub const PAPER_EXPONENT: i32 = 2;

/// Largest number of BF16 parts: three represent every mantissa of binary32.
const MAX_PARTS: usize = 3;

/// Upper bounds for the counts of samples. On binary32's grid a nonzero error exceeds 2⁻²⁴ ≈ 6e-8.
const BOUNDS: [f64; 8] = [1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1.0];

/// Shares of samples for the quantiles.
const SHARES: [f64; 7] = [0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99];

/// Points of a curve: two for each pixel of the plot.
const POINTS: usize = 1401;

/// Numbers that a thread processes at once.
const CHUNK: usize = 1 << 16;

/// The representation: a format, or a sum of BF16 parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    format: Format,
    parts: usize,
    label: String,
}

/// The reason for which a text is not a [`Target`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TargetError {
    /// The format is invalid.
    #[error(transparent)]
    Format(#[from] SpecError),
    /// Parts of another format, or too many parts.
    #[error("unknown sum of parts '{0}': must be bf16x1, bf16x2 or bf16x3")]
    Parts(String),
}

impl Target {
    /// Its name, aliases resolved.
    pub fn label(&self) -> &str {
        &self.label
    }
}

impl FromStr for Target {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Target, TargetError> {
        let text = text.trim();
        let unknown = match text.parse::<Spec>() {
            Ok(spec) => {
                return Ok(Target { format: spec.format, parts: 1, label: spec.name().to_owned() });
            }
            Err(error) => error,
        };
        let pieces = text
            .rsplit_once(['x', 'X'])
            .and_then(|(name, parts)| Some((name.parse::<Spec>().ok()?, parts.parse::<usize>().ok()?)));
        let Some((spec, parts)) = pieces else { return Err(unknown.into()) };
        if spec.name() != "bf16" || !(1..=MAX_PARTS).contains(&parts) {
            return Err(TargetError::Parts(text.to_owned()));
        }
        Ok(Target { format: spec.format, parts, label: format!("bf16x{parts}") })
    }
}

/// Result of the study.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Exponent of every sample: 2^exponent ≤ x < 2^(exponent + 1).
    pub exponent: i32,
    /// Samples.
    pub samples: usize,
    /// Rounding mode.
    pub rounding: &'static str,
    /// Errors of each format.
    pub formats: Vec<Errors>,
}

/// Errors of a format, in ascending order.
#[derive(Clone, Debug, Serialize)]
pub struct Errors {
    /// Its name.
    pub format: String,
    /// Samples without error.
    pub exact: usize,
    /// Samples that become infinite or NaN; their error is infinite.
    pub overflow: usize,
    /// Mean error.
    pub mean: f64,
    /// Largest error.
    pub max: f64,
    /// Quantiles.
    pub quantiles: Vec<Quantile>,
    /// Counts by decade.
    pub decades: Vec<Decade>,
    /// Errors at equal distances in the sorted samples, from the first to the last.
    #[serde(skip)]
    curve: Vec<f64>,
}

/// The smallest error that this share of the samples does not exceed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Quantile {
    /// Share of the samples.
    pub share: f64,
    /// Error.
    pub error: f64,
}

/// Samples with errors in [from, to).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Decade {
    /// Lower bound: `to` / 10; 0 in the first.
    pub from: f64,
    /// Upper bound, exclusive.
    pub to: f64,
    /// Samples in it.
    pub samples: usize,
    /// Samples below `to`, exact ones included.
    pub below: usize,
}

/// Rounds every binary32 with this exponent to nearest even, and measures the errors.
pub fn run(targets: &[Target], exponent: i32) -> Report {
    let formats = targets.iter().map(|target| Errors::new(target, exponent)).collect();
    Report { exponent, samples: SAMPLES, rounding: "nearest_even", formats }
}

/// F(k · 2^unit) / 2^unit for the integers k from `first` on; infinite if F gives no number.
///
/// Rounding is monotone, so all k between two with the same result have that result.
fn nearest(format: Format, unit: i64, first: i64, count: usize) -> Vec<f64> {
    let round = |k: i64| {
        let x = match k {
            0 => Finite::zero(false),
            _ => Finite::new(k < 0, k.unsigned_abs().into(), unit),
        };
        match decode(format, project(format, Value::Finite(x), Projection::default()).code) {
            Value::Finite(x) => {
                // Exact, except beyond binary64's range, where the error is infinite or 1 anyway.
                let scale = 2f64.powi((x.exponent - unit).clamp(-2000, 2000) as i32);
                x.significand as f64 * if x.negative { -scale } else { scale }
            }
            _ => f64::INFINITY,
        }
    };
    let mut rounded = vec![0.0; count];
    threads::chunks(true, &mut rounded, CHUNK, |chunk, values| {
        let first = first + (chunk * CHUNK) as i64;
        let mut start = 0;
        while start < values.len() {
            let value = round(first + start as i64);
            // The end of a run of equal results, found by doubling and then halving steps.
            let same = |at: usize| at < values.len() && round(first + at as i64) == value;
            let mut step = 1;
            while same(start + step) {
                step *= 2;
            }
            let mut end = start + step / 2;
            while step > 1 {
                step /= 2;
                end += if same(end + step) { step } else { 0 };
            }
            values[start..=end].fill(value);
            start = end + 1;
        }
    });
    rounded
}

/// Calls `work` with every number and its index.
fn each(numbers: &mut [f64], work: impl Fn(usize, &mut f64) + Sync) {
    threads::chunks(true, numbers, CHUNK, |chunk, numbers| {
        numbers.iter_mut().zip(chunk * CHUNK..).for_each(|(number, at)| work(at, number));
    });
}

/// The remainder of the integers k from `first` on after `parts` parts, in units of 2^unit. Each part is the remainder before
/// it, rounded to the format.
fn rest(format: Format, parts: usize, unit: i64, first: i64, count: usize) -> Vec<f64> {
    let mut left = nearest(format, unit, first, count);
    each(&mut left, |at, value| *value = (first + at as i64) as f64 - *value);
    if parts > 1 {
        // BF16 rounds an integer of 24 bits to an integer. Remainders repeat from run to run, so each is rounded once.
        let finite = left.iter().filter(|value| value.is_finite()).map(|value| *value as i64);
        let (low, high) = finite.fold((0, 0), |(low, high), value| (value.min(low), value.max(high)));
        let again = rest(format, parts - 1, unit, low, (high - low) as usize + 1);
        each(&mut left, |_, value| {
            if value.is_finite() {
                *value = again[(*value as i64 - low) as usize];
            }
        });
    }
    left
}

impl Errors {
    fn new(target: &Target, exponent: i32) -> Errors {
        let first = SAMPLES as i64;
        let mut errors = rest(target.format, target.parts, exponent as i64 - 23, first, SAMPLES);
        each(&mut errors, |at, error| *error = error.abs() / (first + at as i64) as f64);
        // The bits of non-negative numbers ascend with them.
        errors.par_sort_unstable_by_key(|error| error.to_bits());
        let below = |bound: f64| errors.partition_point(|error| *error < bound);
        let mut decades: Vec<Decade> = vec![];
        for to in BOUNDS {
            let (from, before) = decades.last().map_or((0.0, 0), |last| (last.to, last.below));
            decades.push(Decade { from, to, samples: below(to) - before, below: below(to) });
        }
        let quantile = |share: f64| {
            let rank = (share * SAMPLES as f64).ceil() as usize;
            Quantile { share, error: errors[rank.saturating_sub(1)] }
        };
        Errors {
            format: target.label.clone(),
            exact: errors.partition_point(|error| *error == 0.0),
            overflow: SAMPLES - below(f64::INFINITY),
            mean: errors.iter().sum::<f64>() / SAMPLES as f64,
            max: errors[SAMPLES - 1],
            quantiles: SHARES.into_iter().map(quantile).collect(),
            curve: (0..POINTS).map(|point| errors[point * (SAMPLES - 1) / (POINTS - 1)]).collect(),
            decades,
        }
    }
}

impl Report {
    /// The curves of sorted errors as in Figure 2: SVG, 800 × 500.
    pub fn svg(&self) -> String {
        charts::curves(&Curves {
            title: "Representation error of binary32 numbers",
            subtitle: &format!(
                "all {} mantissas with exponent {}, rounded to nearest even",
                grouped(SAMPLES as u64),
                self.exponent
            ),
            x_axis: "samples, sorted by their error (millions)",
            x_end: SAMPLES as f64 / 1e6,
            y_axis: "relative error |x − F(x)| / |x|",
            curves: &self
                .formats
                .iter()
                .map(|errors| (errors.format.as_str(), errors.curve.as_slice()))
                .collect::<Vec<_>>(),
        })
        .finish()
    }
}

#[cfg(test)]
mod tests {
    use binade::Operator;

    use super::*;

    fn errors(target: &str, exponent: i32) -> Errors {
        Errors::new(&target.parse().unwrap(), exponent)
    }

    fn below(errors: &Errors, bound: f64) -> usize {
        errors.decades.iter().find(|decade| decade.to == bound).unwrap().below
    }

    /// Section 3.1 of the paper: 3.84 %, 41.95 % and the remaining 58.05 %, and no error.
    #[test]
    fn errors_equal_figure_2() {
        let [one, two, three] = PAPER.map(|target| errors(target, PAPER_EXPONENT));
        assert_eq!(below(&one, 1e-4), 322_124);
        assert_eq!(below(&two, 1e-6), 3_518_768);
        assert_eq!(below(&two, 1e-5), SAMPLES);
        assert_eq!((three.exact, three.mean, three.max), (SAMPLES, 0.0, 0.0));
        // Half a unit in the last place of 8 bits, at the tie next to 1: 2⁻⁸ / (1 + 2⁻⁸).
        assert_eq!(one.max, 1.0 / 257.0);
        // The multiples of 2¹⁶.
        assert_eq!(one.exact, 128);
        assert_eq!(errors("bf16", PAPER_EXPONENT).decades, one.decades);
    }

    #[test]
    fn errors_within_the_range_do_not_depend_on_the_exponent() {
        for target in ["bf16x1", "bf16x2"] {
            let at = |exponent| errors(target, exponent).decades;
            assert_eq!(at(-100), at(2));
            assert_eq!(at(100), at(2));
        }
        // 2⁻¹⁰⁹ is the last of binary32's units that three parts reach, down to BF16's least subnormal 2⁻¹³³.
        assert_eq!(errors("bf16x3", -110).exact, SAMPLES);
        assert!(errors("bf16x3", -111).exact < SAMPLES);
    }

    /// The parts add up to the value that the operators keep in their accumulators.
    #[test]
    fn parts_equal_those_of_the_operators() {
        for (parts, operator) in [(1, "bf16:bf16"), (2, "bf16:bf16x2"), (3, "bf16:bf16x3")] {
            let operator: Operator = operator.parse().unwrap();
            let format = "bf16".parse::<Spec>().unwrap().format;
            for exponent in [2, -120] {
                let unit = exponent - 23;
                let left = rest(format, parts, unit, SAMPLES as i64, SAMPLES);
                for at in (0..SAMPLES).step_by(4093) {
                    let x = (SAMPLES + at) as f64 * 2f64.powi(unit as i32);
                    let held = operator.multiply_add(0.0, 0.0, x as f32) as f64;
                    assert_eq!(x - held, left[at] * 2f64.powi(unit as i32), "{parts} {x:e}");
                }
            }
        }
    }

    /// Runs of equal results, compared with each sample.
    #[test]
    fn runs_equal_single_roundings() {
        for name in ["float8_e4m3fn", "float8_e8m0fnu", "cfloat8_1_4_3@bias=9", "f16", "binary8p1", "f64"] {
            let format = name.parse::<Spec>().unwrap().format;
            for (first, count) in [(SAMPLES as i64, SAMPLES), (-5000, 10_001)] {
                let fast = nearest(format, -21, first, count);
                for at in (0..count).step_by(997).chain(count - 3..count) {
                    let k = first + at as i64;
                    let x = Value::from_f64(k as f64 * 2f64.powi(-21));
                    let value = decode(format, project(format, x, Projection::default()).code);
                    match value {
                        Value::Finite(_) => {
                            let fast = Value::from_f64(fast[at] * 2f64.powi(-21));
                            // Zeros of either sign are equal here.
                            assert!(value.partial_cmp(&fast).is_some_and(|o| o.is_eq()), "{name} {k}");
                        }
                        _ => assert!(fast[at].is_infinite(), "{name} {k}"),
                    }
                }
            }
        }
    }

    #[test]
    fn samples_beyond_the_format_are_errors() {
        // 6 is the largest value, and numbers above it are clamped: errors up to 1/4.
        let narrow = errors("float4_e2m1fn", 2);
        assert_eq!(narrow.overflow, 0);
        assert!(narrow.max < 0.25 && narrow.max > 0.249);
        // Infinities have no finite error, and the plot omits them.
        let beyond = errors("f16", 16);
        assert_eq!((beyond.overflow, beyond.exact, below(&beyond, 1.0)), (SAMPLES, 0, 0));
        assert!(beyond.mean.is_infinite());
        let report = Report { formats: vec![beyond], ..run(&[], 16) };
        assert!(!report.svg().contains("inf") && !report.svg().contains("NaN"));
        assert_eq!(errors("bf16x2", 127).overflow, 1 << 15);
    }

    #[test]
    fn targets_parse_by_name() {
        let label = |text: &str| text.parse::<Target>().map(|target| target.label);
        assert_eq!(label("BFloat16X2").unwrap(), "bf16x2");
        assert_eq!(label("f8E4M3FN").unwrap(), "float8_e4m3fn");
        for wrong in ["bf16x0", "bf16x4", "f16x2"] {
            assert_eq!(label(wrong), Err(TargetError::Parts(wrong.to_owned())));
        }
        assert!(matches!(label("bf17"), Err(TargetError::Format(_))));
    }
}
