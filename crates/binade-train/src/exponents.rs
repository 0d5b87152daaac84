//! Histograms of exponents: numbers counted by binade, which show the range that formats need.

use serde::{Deserialize, Serialize};

/// Number of values in each binade.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Exponents {
    /// Numbers that are 0.
    pub zeros: u64,
    /// Infinite numbers and NaN.
    pub not_finite: u64,
    /// Exponent of the first count, which is of the numbers from 2^least to 2^(least + 1).
    pub least: i32,
    /// A count for each exponent from `least` on. The first and the last are not 0.
    pub counts: Vec<u64>,
}

/// Weights and updates of a parameter at the end of an epoch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Histogram {
    /// Index of the parameter in the run's list.
    pub parameter: usize,
    /// From 1.
    pub epoch: u64,
    /// Exponents of its elements.
    pub weights: Exponents,
    /// Exponents of the changes in the epoch's last step.
    pub updates: Exponents,
}

impl Exponents {
    /// Counts numbers.
    pub fn of(numbers: impl IntoIterator<Item = f64>) -> Exponents {
        let mut counted = std::collections::BTreeMap::new();
        let mut found = Exponents::default();
        for x in numbers {
            if x == 0.0 {
                found.zeros += 1;
            } else if x.is_finite() {
                *counted.entry(libm::frexp(x).1 - 1).or_insert(0_u64) += 1;
            } else {
                found.not_finite += 1;
            }
        }
        if let (Some((&least, _)), Some((&greatest, _))) =
            (counted.first_key_value(), counted.last_key_value())
        {
            found.least = least;
            found.counts = (least..=greatest).map(|at| counted.get(&at).copied().unwrap_or(0)).collect();
        }
        found
    }

    /// Exponents with their counts, ascending.
    pub fn each(&self) -> impl Iterator<Item = (i32, u64)> + '_ {
        self.counts.iter().enumerate().map(|(at, count)| (self.least + at as i32, *count))
    }

    /// Number of values counted.
    pub fn total(&self) -> u64 {
        self.zeros + self.not_finite + self.counts.iter().sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_counted_by_binade() {
        let least = f64::from(f32::from_bits(1));
        let found = Exponents::of([0.0, -0.0, 1.0, -1.5, 1.999, 2.0, 0.25, f64::NAN, f64::INFINITY]);
        assert_eq!((found.zeros, found.not_finite, found.total()), (2, 2, 9));
        assert_eq!(found.each().collect::<Vec<_>>(), [(-2, 1), (-1, 0), (0, 3), (1, 1)]);
        assert_eq!(Exponents::of([least]).each().collect::<Vec<_>>(), [(-149, 1)]);
        assert_eq!(Exponents::of([]), Exponents::default());
    }
}
