//! MNIST-1D: signals of 40 numbers that a program makes of ten templates.
//!
//! The procedure is that of S. Greydanus, "Scaling down deep learning", arXiv 2011.14439: a template of 12 numbers for each
//! digit is padded, shifted, scaled, buried in smooth and in white noise, sheared, and sampled at 40 places; 4,000
//! examples are trained on and 1,000 tested on. What differs:
//!
//! - the templates are drawn anew, after the same idea (how far the outermost stroke of a digit reaches to the right or left
//!   from top to bottom), so that accuracies are near the published ones at best by chance;
//! - classes take turns, so that each has the same number of examples; example e is of class e mod 10;
//! - every draw is a Philox word: example e takes the blocks with counter (e, b, 0, 3) under [`SEED`]. Block 0 has the
//!   padding, the shift, the factor and the shear, each a uniform number; blocks 1 to 18 the smooth noise and 19 to
//!   36 the white noise, four numbers each. Sums run in one order and the elementary functions are computed in software,
//!   so that the data is the same on every machine.

use crate::DataError;
use crate::dataset::{Column, Dataset, Split, Task};
use crate::random::{Purpose, block, normal, unit};

/// The seed that the data is drawn with.
pub const SEED: u64 = 42;
/// Numbers of one signal.
pub const LENGTH: usize = 40;

pub(crate) const LICENCE: &str = "MIT OR Apache-2.0";

const TRAIN: u32 = 4_000;
const TEST: u32 = 1_000;
const CLASSES: usize = 10;

/// How far the outermost stroke of each digit reaches from top to bottom, in quarters: right above zero, left below.
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
/// Every padded template is stretched to this length.
const STRETCHED: usize = POINTS + PADDING + PADDING_RANGE as usize;
/// A signal is shifted round by less than this.
const SHIFTS: u32 = 48;
/// The factor is from 1 − `SCALE`/2 to 1 + `SCALE`/2, the shear's slope over the signal within ±`SHEAR`/2.
const SCALE: f64 = 0.4;
const SHEAR: f64 = 0.75;
/// Deviations of the noise: of the smooth one before it is smoothed, and of the white one.
const SMOOTH_NOISE: f64 = 0.25;
const WHITE_NOISE: f64 = 0.02;
/// The smooth noise is weighted by a normal density of this deviation, cut off at four of them.
const SMOOTHING: f64 = 2.0;
const REACH: usize = 8;

/// The data set.
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

/// The signal of one example.
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

/// The weights of the smoothing; they add to 1.
fn kernel() -> [f64; 2 * REACH + 1] {
    let weights: [f64; 2 * REACH + 1] = std::array::from_fn(|k| {
        let distance = (k as f64 - REACH as f64) / SMOOTHING;
        libm::exp(-0.5 * distance * distance)
    });
    let total: f64 = weights.iter().sum();
    weights.map(|weight| weight / total)
}

/// The polygon through the values at N equally far places, the first and the last value included.
fn resample<const N: usize>(values: &[f64]) -> [f64; N] {
    std::array::from_fn(|at| {
        // The place is at · (len − 1) / (N − 1); whole part and remainder are exact.
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
    fn a_polygon_keeps_its_ends_and_is_straight_between() {
        assert_eq!(resample::<5>(&[0.0, 4.0, 0.0]), [0.0, 2.0, 4.0, 2.0, 0.0]);
        assert_eq!(resample::<3>(&[0.0, 1.0, 5.0, 7.0, 9.0]), [0.0, 5.0, 9.0]);
    }

    #[test]
    fn the_data_is_what_it_was() {
        let data = load().unwrap();
        assert_eq!((data.train.len(), data.test.len()), (4_000, 1_000));
        // FNV-1a of all signals: a change of a bit anywhere, or on any machine, is seen.
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

    /// Without noise, shift and shear there is nothing but the template: the mean over a class of the sums of its signals
    /// is the template's, times the mean stretch.
    #[test]
    fn classes_differ_as_their_templates_do() {
        let data = load().unwrap();
        let signals = data.train.column("signal").unwrap().values.as_f32().unwrap();
        for (class, template) in TEMPLATES.iter().enumerate() {
            let sums: Vec<f64> = (class..TRAIN as usize)
                .step_by(CLASSES)
                .map(|example| signals[LENGTH * example..][..LENGTH].iter().map(|&x| f64::from(x)).sum())
                .collect();
            let mean = sums.iter().sum::<f64>() / sums.len() as f64;
            let area = template.iter().map(|&x| f64::from(x) / 4.0).sum::<f64>();
            // A padded template of n points is stretched over 40: n is 60 in the mean.
            assert!((mean - area * 40.0 / 60.0).abs() < 0.35, "{class}: {mean} of {area}");
        }
    }
}
