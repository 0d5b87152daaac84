//! Histograms of a tensor's values by binade, beside the range of the format that they are rounded to.

use binade::{Format, decode};
use serde::Serialize;

use crate::values::to_f64;

/// Binades outside this range are counted in the nearest one.
const BINADES: std::ops::RangeInclusive<i32> = -160..=160;

/// Values by binade, each divided by its scale as for encoding.
#[derive(Clone, Debug, Serialize)]
pub struct Histogram {
    /// Exponent of the first count: ⌊log2 (|x| / scale)⌋.
    pub first: i32,
    /// Number of finite values in each binade.
    pub counts: Vec<u64>,
    /// Number of zeros.
    pub zeros: u64,
    /// Exponents of the smallest positive, the smallest normal and the largest finite value of the format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[i32; 3]>,
}

/// Counts in progress.
#[derive(Clone)]
pub(crate) struct Counts {
    binades: Vec<u64>,
    zeros: u64,
}

impl Default for Counts {
    fn default() -> Counts {
        Counts { binades: vec![0; BINADES.count()], zeros: 0 }
    }
}

/// ⌊log2 x⌋ of a positive number; for subnormal numbers, a value below that of all others.
fn exponent(x: f64) -> i32 {
    (x.to_bits() >> 52 & 0x7ff) as i32 - 1023
}

impl Counts {
    /// Adds numbers. `largest` is the largest magnitude of the format times the scale of each number, `of` without scale.
    pub(crate) fn add(&mut self, numbers: &[f64], largest: &[f64], of: f64) {
        for (&x, &largest) in numbers.iter().zip(largest) {
            // If the format has no largest value, or the scale is zero, the number is not scaled.
            let scaled = x.abs() / largest * of;
            let scaled = if scaled.is_finite() { scaled } else { x.abs() };
            if x == 0.0 {
                self.zeros += 1;
            } else if scaled.is_finite() {
                let at = exponent(scaled).clamp(*BINADES.start(), *BINADES.end()) - BINADES.start();
                self.binades[at as usize] += 1;
            }
        }
    }

    pub(crate) fn merge(&mut self, other: &Counts) {
        self.binades.iter_mut().zip(&other.binades).for_each(|(a, b)| *a += b);
        self.zeros += other.zeros;
    }

    pub(crate) fn histogram(self, format: Option<Format>) -> Histogram {
        let first = self.binades.iter().position(|&count| count > 0).unwrap_or(0);
        let last = self.binades.iter().rposition(|&count| count > 0).unwrap_or(0);
        Histogram {
            first: first as i32 + BINADES.start(),
            counts: self.binades[first..=last].to_vec(),
            zeros: self.zeros,
            range: format.map(|format| {
                let value = |code| exponent(to_f64(decode(format, code)));
                let largest = value(format.max_finite_code());
                [value(format.min_positive_code()), format.emin().min(largest), largest]
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use binade::Spec;

    use super::*;

    #[test]
    fn numbers_are_counted_relative_to_their_scale() {
        let format = "float4_e2m1fn".parse::<Spec>().unwrap().format;
        let mut counts = Counts::default();
        // A scale of 4: the largest element, 6, means 24.
        counts.add(&[24.0, -4.0, 1.0, 0.0, f64::INFINITY, 1e-300], &[24.0; 6], 6.0);
        let histogram = counts.histogram(Some(format));
        assert_eq!(histogram.range, Some([-1, 0, 2]));
        assert_eq!((histogram.zeros, histogram.counts.iter().sum::<u64>()), (1, 4));
        assert_eq!((histogram.first, histogram.counts.len()), (-160, 163));
        let count = |binade: i32| histogram.counts[(binade + 160) as usize];
        assert_eq!((count(2), count(0), count(-2), count(-160)), (1, 1, 1, 1));
        assert_eq!(Counts::default().histogram(None).counts, [0]);
    }
}
