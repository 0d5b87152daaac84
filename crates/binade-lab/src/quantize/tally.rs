//! What rounding lost.

use binade::Flags;

use super::Losses;
use crate::measure::Measures;

/// Counts and measures of a chunk.
#[derive(Clone, Default)]
pub(super) struct Tally {
    /// How many results raised each set of flags.
    pub(super) flags: [u64; 32],
    not_finite: u64,
    lost: u64,
    nan: u64,
    to_zero: u64,
    pub(super) measures: Measures,
}

impl Tally {
    pub(super) fn merge(&mut self, other: &Tally) {
        self.flags.iter_mut().zip(other.flags).for_each(|(a, b)| *a += b);
        self.not_finite += other.not_finite;
        self.lost += other.lost;
        self.nan += other.nan;
        self.to_zero += other.to_zero;
        self.measures.merge(&other.measures);
    }

    /// Compares elements with what became of them. `finite` is scratch for where some are not finite.
    pub(super) fn compare(&mut self, elements: &[f64], results: &[f64], finite: &mut (Vec<f64>, Vec<f64>)) {
        let (mut finite_pairs, mut to_zero) = (0, 0);
        for (&x, &y) in elements.iter().zip(results) {
            finite_pairs += (x.is_finite() & y.is_finite()) as u64;
            to_zero += ((x != 0.0) & (y == 0.0)) as u64;
        }
        self.to_zero += to_zero;
        if finite_pairs == elements.len() as u64 {
            return self.measures.add(elements, results);
        }
        finite.0.clear();
        finite.1.clear();
        for (&x, &y) in elements.iter().zip(results) {
            self.nan += y.is_nan() as u64;
            if !x.is_finite() {
                self.not_finite += 1;
            } else if !y.is_finite() {
                self.lost += 1;
            } else {
                finite.0.push(x);
                finite.1.push(y);
            }
        }
        self.measures.add(&finite.0, &finite.1);
    }

    /// How many finite elements became infinite or NaN.
    pub(super) fn lost(&self) -> u64 {
        self.lost
    }

    pub(super) fn losses(&self) -> Losses {
        let raised = |flag: Flags| {
            let sets = self
                .flags
                .iter()
                .enumerate()
                .filter(|(bits, _)| Flags::from_bits(*bits as u8).contains(flag));
            sets.map(|(_, count)| count).sum()
        };
        Losses {
            elements: self.flags.iter().sum(),
            not_finite: self.not_finite,
            lost: self.lost,
            nan: self.nan,
            invalid: raised(Flags::INVALID),
            overflow: raised(Flags::OVERFLOW),
            underflow: raised(Flags::UNDERFLOW),
            to_zero: self.to_zero,
            inexact: raised(Flags::INEXACT),
            mean_square: self.measures.mean_square(),
            max_abs: self.measures.max_abs,
            sqnr_db: self.measures.sqnr_db(),
        }
    }
}
