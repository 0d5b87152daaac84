//! MNIST-1D: synthetic signals of 40 numbers made from ten templates.
//!
//! The procedure is that of S. Greydanus, "Scaling down deep learning", arXiv 2011.14439. Each digit has a template of 12
//! numbers. It is padded, shifted, scaled, overlaid with smooth and white noise, sheared, and sampled at 40 points. There are
//! 4,000 training examples and 1,000 test examples. This implementation differs in three ways:
//!
//! - The templates are drawn anew after the same idea: the horizontal extent of the outermost stroke of a digit, from top to
//!   bottom. Accuracies therefore do not compare with the published ones.
//! - Classes alternate, so that each has the same number of examples: example e has class e mod 10.
//! - Every draw is a Philox word. Example e uses the blocks with counter (e, b, 0, 3) under [`SEED`]. Block 0 gives the
//!   padding, shift, factor and shear as uniform numbers. Blocks 1 to 18 give the smooth noise and 19 to 36 the white noise,
//!   four numbers each.
//!
//! Sums have a fixed order, and elementary functions are computed in software. The data is therefore the same on every
//! machine.

use crate::DataError;
use crate::dataset::{Column, Dataset, Split, Task};
use crate::random::{Purpose, block, normal, unit};

/// Seed of the draws.
pub const SEED: u64 = 42;
/// Numbers of a signal.
pub const LENGTH: usize = 40;

pub(crate) const LICENCE: &str = "MIT OR Apache-2.0";

const TRAIN: u32 = 4_000;
const TEST: u32 = 1_000;
const CLASSES: usize = 10;

/// Horizontal extent of the outermost stroke of each digit from top to bottom, in quarters: right is positive, left negative.
const TEMPLATES: [[i8; POINTS]; CLASSES] = [
    [0, 2, 3, 4, 4, 4, 4, 4, 4, 3, 2, 0],
    [0, -1, -2, -3, 0, 1, 1, 1, 1, 1, 1, 0],
    [0, 2, 3, 3, 2, 1, -1, -2, -3, -3, 3, 0],
    [0, 2, 4, 3, 1, 0, 1, 3, 4, 3, 2, 0],
    [0, -1, -2, -3, -4, -4, 4, 1, 1, 1, 1, 0],
    [0, 3, -3, -3, -2, 1, 3, 4, 4, 3, 1, 0],
    [0, -1, -3, -4, -4, -3, 0, 2, 3, 2, 1, 0],
    [0, 4, 4, 3, 2, 1, 0, -1, -2, -3, -3, 0],
    [0, -2, -3, -2, 0, 0, -2, -4, -4, -2, -1, 0],
    [0, -2, -4, -4, -2, 1, 2, 2, 2, 2, 1, 0],
];

const POINTS: usize = 12;
/// Zeros that follow a template: from `PADDING` to `PADDING + PADDING_RANGE`.
const PADDING: usize = 36;
const PADDING_RANGE: u32 = 24;
/// Length to which every padded template is stretched.
const STRETCHED: usize = POINTS + PADDING + PADDING_RANGE as usize;
/// Upper bound of the circular shift of a signal.
const SHIFTS: u32 = 48;
/// The factor is from 1 − `SCALE`/2 to 1 + `SCALE`/2; the shear's slope over the signal is within ±`SHEAR`/2.
const SCALE: f64 = 0.4;
const SHEAR: f64 = 0.75;
/// Standard deviations of the noise: the smooth noise before it is smoothed, and the white noise.
const SMOOTH_NOISE: f64 = 0.25;
const WHITE_NOISE: f64 = 0.02;
/// Standard deviation of the normal density that smooths the noise. It is cut off at four deviations.
const SMOOTHING: f64 = 2.0;
const REACH: usize = 8;

/// Generates the data set.
pub(crate) fn load() -> Result<Dataset, DataError> {
    let about = format!(
        "synthetic: {TRAIN} training and {TEST} test signals of {LENGTH} numbers in {CLASSES} classes, made by the \
         procedure of MNIST-1D (arXiv 2011.14439) from templates of our own, seed {SEED}; {LICENCE}"
    );
    let (train, test) = (split(0..TRAIN)?, split(TRAIN..TRAIN + TEST)?);
    let data = Dataset::new("mnist1d", about, LICENCE, Task::Classification, train, test);
    Ok(Dataset { synthetic: true, classes: Some(CLASSES), ..data })
}

fn split(examples: std::ops::Range<u32>) -> Result<Split, DataError> {
    let kernel = kernel();
    let labels: Vec<i32> = examples.clone().map(|example| (example as usize % CLASSES) as i32).collect();
    let signals: Vec<f32> = examples.flat_map(|example| signal(example, &kernel)).collect();
    Split::new(vec![Column::new("signal", [LENGTH], signals), Column::new("label", [], labels)])
}

/// Generates the signal of an example.
fn signal(example: u32, kernel: &[f64; 2 * REACH + 1]) -> [f32; LENGTH] {
    let words = |number: usize| block(SEED, Purpose::Signal, number as u64, example);
    let [padding, shift, scale, shear] = words(0);
    let up_to = |word: u32, bound: u32| (unit(word) * f64::from(bound)) as usize;

    let mut padded = vec![0.0; POINTS + PADDING + up_to(padding, PADDING_RANGE + 1)];
    for (out, &quarters) in padded.iter_mut().zip(&TEMPLATES[example as usize % CLASSES]) {
        *out = f64::from(quarters) / 4.0;
    }
    let mut long = resample::<STRETCHED>(&padded);
    long.rotate_right(up_to(shift, SHIFTS));

    let factor = 1.0 + SCALE * (unit(scale) - 0.5);
    let slope = SHEAR * (unit(shear) - 0.5);
    let noise = |first: usize| -> [f64; STRETCHED] {
        let blocks = std::array::from_fn::<_, { STRETCHED / 4 }, _>(|at| normal(words(first + at)));
        std::array::from_fn(|at| blocks[at / 4][at % 4])
    };
    let (smooth, white) = (noise(1), noise(1 + STRETCHED / 4));
    let distorted: [f64; STRETCHED] = std::array::from_fn(|at| {
        let smoothed: f64 =
            (0..kernel.len()).map(|k| kernel[k] * smooth[(at + STRETCHED + k - REACH) % STRETCHED]).sum();
        let place = at as f64 / (STRETCHED - 1) as f64 - 0.5;
        factor * long[at] + SMOOTH_NOISE * smoothed + WHITE_NOISE * white[at] + slope * place
    });
    resample::<LENGTH>(&distorted).map(|x| x as f32)
}

/// Weights of the smoothing, which add up to 1.
fn kernel() -> [f64; 2 * REACH + 1] {
    let weights: [f64; 2 * REACH + 1] = std::array::from_fn(|k| {
        let distance = (k as f64 - REACH as f64) / SMOOTHING;
        libm::exp(-0.5 * distance * distance)
    });
    let total: f64 = weights.iter().sum();
    weights.map(|weight| weight / total)
}

/// Linear interpolation of the values at N equally spaced points, the first and the last value included.
fn resample<const N: usize>(values: &[f64]) -> [f64; N] {
    std::array::from_fn(|at| {
        // The position is at · (len − 1) / (N − 1). Its whole part and remainder are exact.
        let scaled = at * (values.len() - 1);
        let (whole, rest) = (scaled / (N - 1), scaled % (N - 1));
        match values.get(whole + 1) {
            Some(next) => values[whole] + (next - values[whole]) * (rest as f64 / (N - 1) as f64),
            None => values[whole],
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resample_interpolates_linearly() {
        assert_eq!(resample::<5>(&[0.0, 4.0, 0.0]), [0.0, 2.0, 4.0, 2.0, 0.0]);
        assert_eq!(resample::<3>(&[0.0, 1.0, 5.0, 7.0, 9.0]), [0.0, 5.0, 9.0]);
    }

    #[test]
    fn generated_data_has_the_recorded_hash() {
        let data = load().unwrap();
        assert_eq!((data.train.len(), data.test.len()), (4_000, 1_000));
        // FNV-1a of all signals detects a change of any bit, on any machine.
        let hash = |split: &Split| {
            let signals = split.column("signal").unwrap().values.as_f32().unwrap();
            signals
                .iter()
                .flat_map(|x| x.to_bits().to_le_bytes())
                .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                    (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
                })
        };
        assert_eq!((hash(&data.train), hash(&data.test)), (2059829795345717193, 8157364353035722192));
    }

    /// Without noise, shift and shear only the template remains. The mean over a class of the sums of its signals is the sum
    /// of the template times the mean stretch.
    #[test]
    fn mean_signals_match_their_templates() {
        let data = load().unwrap();
        let signals = data.train.column("signal").unwrap().values.as_f32().unwrap();
        for (class, template) in TEMPLATES.iter().enumerate() {
            let sums: Vec<f64> = (class..TRAIN as usize)
                .step_by(CLASSES)
                .map(|example| signals[LENGTH * example..][..LENGTH].iter().map(|&x| f64::from(x)).sum())
                .collect();
            let mean = sums.iter().sum::<f64>() / sums.len() as f64;
            let area = template.iter().map(|&x| f64::from(x) / 4.0).sum::<f64>();
            // A padded template of n points is stretched over 40 numbers; the mean of n is 60.
            assert!((mean - area * 40.0 / 60.0).abs() < 0.35, "{class}: {mean} of {area}");
        }
    }
}
