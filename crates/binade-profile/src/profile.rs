//! Counts of a function's multiply-adds as they are executed, which the agent keeps and reports read.
//!
//! Exponents are unbiased, ⌊log2 |x|⌋ of what the program holds: operands as they are before the operator rounds them, and
//! results as it gives them. The exponent of a product is the sum of its factors', so it is at most one less than the exact
//! product's.
//!
//! Absorption is counted by results, not by exponents: a product is absorbed where the operator's a · b + c is its 0 · 0 + c,
//! the accumulator alone; an accumulator where it is a · b + 0, the product alone. Both may be, if the two cancel in part.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::source::Frame;

/// Exponent differences product − accumulator are counted one by one from −`DIFFERENCE` to `DIFFERENCE`; what is beyond
/// counts at the ends.
pub const DIFFERENCE: i32 = 160;
/// Bins of the histogram of differences.
pub const DIFFERENCES: usize = 2 * DIFFERENCE as usize + 1;
/// The smallest binary32 exponent, a subnormal's.
pub const EXPONENT_MIN: i32 = -149;
/// Bins of a histogram of exponents: −149 to 127.
pub const EXPONENTS: usize = 277;

/// The index of each count among an execution's counters.
pub mod at {
    use super::{DIFFERENCES, EXPONENTS};

    /// Multiply-adds, each lane one.
    pub const EXECUTED: usize = 0;
    /// Results that are NaN, of operands that are not.
    pub const NAN_BORN: usize = 1;
    /// Infinite results of finite operands.
    pub const OVERFLOWED: usize = 2;
    /// Results below the smallest normal binary32 number or zero, of a nonzero product and of a sum that is not exactly zero.
    pub const UNDERFLOWED: usize = 3;
    /// Multiply-adds whose product is zero.
    pub const PRODUCT_ZERO: usize = 4;
    /// Multiply-adds whose accumulator is zero and whose product is not.
    pub const ADDEND_ZERO: usize = 5;
    /// Multiply-adds with an operand that is not finite.
    pub const NOT_FINITE: usize = 6;
    /// Results that are exactly zero.
    pub const RESULT_ZERO: usize = 7;
    /// The exponent differences product − accumulator of those with neither zero nor a non-finite operand.
    pub const DIFFERENCE: usize = 8;
    /// The exponents of the two factors.
    pub const FACTORS: usize = DIFFERENCE + DIFFERENCES;
    /// The exponents of the accumulators read.
    pub const ADDENDS: usize = FACTORS + EXPONENTS;
    /// The exponents of the results.
    pub const RESULTS: usize = ADDENDS + EXPONENTS;
    /// Of those with neither zero nor a non-finite operand: the result is the operator's result on the accumulator alone.
    pub const PRODUCT_ABSORBED: usize = RESULTS + EXPONENTS;
    /// Of those: the result is the operator's result on the product alone.
    pub const ADDEND_ABSORBED: usize = PRODUCT_ABSORBED + 1;
    /// Results that are not what the instruction natively gives, rounding to nearest; NaNs are all the same.
    pub const DIFFERS: usize = ADDEND_ABSORBED + 1;
    /// The number of counters.
    pub const END: usize = DIFFERS + 1;
}

/// Counters of a function.
pub const COUNTERS: usize = at::END;

/// The index of each count among the counters of one instruction.
pub mod site {
    use super::{ERRORS, LOST};

    /// Multiply-adds, each lane one.
    pub const EXECUTED: usize = 0;
    /// The bits that results have lost by cancellation.
    pub const LOST_BITS: usize = EXECUTED + 1;
    /// The errors of results.
    pub const ERROR: usize = LOST_BITS + LOST;
    /// The number of counters.
    pub const END: usize = ERROR + ERRORS;
}

/// Bins of lost bits: 0 to 63, the last for more.
pub const LOST: usize = 64;
/// The exponent of the smallest relative error that is told from none.
pub const ERROR_MIN: i32 = -62;
/// Bins of relative errors: none or less than 2^`ERROR_MIN`, then ⌊log2⌋ from `ERROR_MIN` to 0.
pub const ERRORS: usize = 64;

/// Counters of an instruction.
pub const SITE_COUNTERS: usize = site::END;

/// Counts of the executions of one instruction, or of those of a source line or a function.
///
/// A *result* is the value of a multiply-add that no later one of the same function adds to while it is in its register: the final
/// sums, without the partial ones.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct SiteCounts {
    /// Multiply-adds executed, each lane one.
    pub executed: u64,
    /// Results by the bits that they have lost by cancellation: the exponent of the largest addend or partial sum, less that of the
    /// result. Binary64 counts those beyond the 29 bits that it has more than binary32.
    #[serde(default)]
    pub lost: BTreeMap<i32, u64>,
    /// Results by ⌊log2⌋ of their relative errors against a binary64 shadow of the registers, at most 0. Those without an error count
    /// at [`ERROR_MIN`] − 1.
    #[serde(default)]
    pub errors: BTreeMap<i32, u64>,
}

impl SiteCounts {
    /// Adds [`SITE_COUNTERS`] counters. A result may be counted by one instruction and taken back by another thread's: what is less
    /// than 0 counts as 0.
    pub fn add(&mut self, counters: &[u64]) {
        self.executed += counters[site::EXECUTED];
        let bins = |map: &mut BTreeMap<i32, u64>, counters: &[u64], first: i32| {
            for (bin, &count) in counters.iter().enumerate() {
                if (count as i64) > 0 {
                    *map.entry(first + bin as i32).or_default() += count;
                }
            }
        };
        bins(&mut self.lost, &counters[site::LOST_BITS..site::LOST_BITS + LOST], 0);
        bins(&mut self.errors, &counters[site::ERROR..site::ERROR + ERRORS], ERROR_MIN - 1);
    }

    /// Adds another's counts.
    pub fn merge(&mut self, other: &SiteCounts) {
        self.executed += other.executed;
        for (sum, more) in [(&mut self.lost, &other.lost), (&mut self.errors, &other.errors)] {
            for (&value, &count) in more {
                *sum.entry(value).or_default() += count;
            }
        }
    }

    /// The mean and the largest number of bits that a result has lost; `None` without results.
    pub fn lost_bits(&self) -> Option<(f64, i32)> {
        Some((mean(&self.lost, f64::from)?, *self.lost.last_key_value()?.0))
    }

    /// The mean and the largest relative error of a result, each at most 1, within a factor of 2; `None` without results.
    pub fn error(&self) -> Option<(f64, f64)> {
        Some((mean(&self.errors, error_of)?, error_of(*self.errors.last_key_value()?.0)))
    }

    /// The error to be expected of a result: the mean error against the shadow or, if that is more, the mean of what cancellation makes
    /// of a binary32 that is right to its last bit. Rows of reports are in the order of this.
    pub fn expected_error(&self) -> f64 {
        let of_lost = |bits: i32| 2f64.powi((bits - 24).min(0));
        let of_cancellation = mean(&self.lost, of_lost).unwrap_or(0.0);
        self.error().map_or(of_cancellation, |(mean, _)| mean.max(of_cancellation))
    }
}

/// The relative error of a bin.
fn error_of(bin: i32) -> f64 {
    if bin < ERROR_MIN { 0.0 } else { 2f64.powi(bin) }
}

/// The mean of a value over a histogram; `None` if it is empty.
fn mean(histogram: &BTreeMap<i32, u64>, value: impl Fn(i32) -> f64) -> Option<f64> {
    let count: u64 = histogram.values().sum();
    let sum: f64 = histogram.iter().map(|(&bin, &count)| value(bin) * count as f64).sum();
    (count > 0).then(|| sum / count as f64)
}

/// A source line of a function, with the calls that inlined it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Line {
    /// The line, and then the line of each call that was inlined, the innermost first.
    pub frames: Vec<Frame>,
    /// The counts of its multiply-adds.
    pub counts: SiteCounts,
}

/// Counts of multiply-adds; histograms are maps from a value to a count above zero.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Histogram {
    /// Multiply-adds executed, each lane one.
    pub executed: u64,
    /// Results that are NaN, of operands that are not.
    pub nan_born: u64,
    /// Infinite results of finite operands.
    pub overflowed: u64,
    /// Nonzero results below the smallest normal binary32 number, and zeros that are not exact.
    pub underflowed: u64,
    /// Products that are zero.
    pub product_zero: u64,
    /// Accumulators that are zero, of nonzero products.
    pub addend_zero: u64,
    /// Executions with an operand that is not finite.
    pub not_finite: u64,
    /// Results that are zero.
    pub result_zero: u64,
    /// Nonzero products that a nonzero accumulator absorbs: the result is the accumulator's, as the operator rounds it.
    #[serde(default)]
    pub product_absorbed: u64,
    /// Nonzero accumulators that a nonzero product absorbs: the result is the product's, as the operator rounds it.
    #[serde(default)]
    pub addend_absorbed: u64,
    /// Results that differ from those of the native instruction, rounding to nearest.
    #[serde(default)]
    pub differs: u64,
    /// Exponent of the product less the accumulator's, where neither is zero; clamped to ±[`DIFFERENCE`].
    pub difference: BTreeMap<i32, u64>,
    /// Exponents of the factors.
    pub factors: BTreeMap<i32, u64>,
    /// Exponents of the accumulators read.
    pub addends: BTreeMap<i32, u64>,
    /// Exponents of the results.
    pub results: BTreeMap<i32, u64>,
}

impl Histogram {
    /// Adds [`COUNTERS`] counters.
    pub fn add(&mut self, counters: &[u64]) {
        self.executed += counters[at::EXECUTED];
        self.nan_born += counters[at::NAN_BORN];
        self.overflowed += counters[at::OVERFLOWED];
        self.underflowed += counters[at::UNDERFLOWED];
        self.product_zero += counters[at::PRODUCT_ZERO];
        self.addend_zero += counters[at::ADDEND_ZERO];
        self.not_finite += counters[at::NOT_FINITE];
        self.result_zero += counters[at::RESULT_ZERO];
        self.product_absorbed += counters[at::PRODUCT_ABSORBED];
        self.addend_absorbed += counters[at::ADDEND_ABSORBED];
        self.differs += counters[at::DIFFERS];
        let bins = |map: &mut BTreeMap<i32, u64>, start: usize, count: usize, first: i32| {
            for (bin, &value) in counters[start..start + count].iter().enumerate() {
                if value > 0 {
                    *map.entry(first + bin as i32).or_default() += value;
                }
            }
        };
        bins(&mut self.difference, at::DIFFERENCE, DIFFERENCES, -DIFFERENCE);
        bins(&mut self.factors, at::FACTORS, EXPONENTS, EXPONENT_MIN);
        bins(&mut self.addends, at::ADDENDS, EXPONENTS, EXPONENT_MIN);
        bins(&mut self.results, at::RESULTS, EXPONENTS, EXPONENT_MIN);
    }

    /// Adds another's counts.
    pub fn merge(&mut self, other: &Histogram) {
        self.executed += other.executed;
        self.nan_born += other.nan_born;
        self.overflowed += other.overflowed;
        self.underflowed += other.underflowed;
        self.product_zero += other.product_zero;
        self.addend_zero += other.addend_zero;
        self.not_finite += other.not_finite;
        self.result_zero += other.result_zero;
        self.product_absorbed += other.product_absorbed;
        self.addend_absorbed += other.addend_absorbed;
        self.differs += other.differs;
        let pairs = [
            (&mut self.difference, &other.difference),
            (&mut self.factors, &other.factors),
            (&mut self.addends, &other.addends),
            (&mut self.results, &other.results),
        ];
        for (sum, more) in pairs {
            for (&value, &count) in more {
                *sum.entry(value).or_default() += count;
            }
        }
    }
}

/// One function of one object.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Function {
    /// The object's path.
    pub object: String,
    /// The function's symbol, or none where the object names none.
    pub symbol: Option<String>,
    /// The name for readers: the demangled symbol or, without one, object and address, such as `libfoo.so+0x1234`.
    #[serde(default)]
    pub name: String,
    /// Its operators, where the run has several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operators: Vec<String>,
    /// Its counts.
    pub counts: Histogram,
    /// Its results: bits lost by cancellation, and errors.
    #[serde(default)]
    pub results: SiteCounts,
    /// Its source lines with multiply-adds, those that executed most first. Empty without debug information.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Line>,
}

/// One process of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Rank {
    /// Its number.
    pub pid: u32,
    /// Its rank among processes that work together, as their launcher (torchrun, MPI, Slurm) told it.
    pub rank: Option<String>,
    /// Its executable's path.
    pub executable: String,
    /// The sum of all its functions.
    pub total: Histogram,
}

/// The profile that `--profile` writes, of all processes of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Profile {
    /// The operator.
    pub arith: String,
    /// The command and its arguments.
    pub command: Vec<String>,
    /// Processes that are counted.
    pub processes: usize,
    /// The sum of all functions.
    pub total: Histogram,
    /// Each process that is counted, in the order in which they started.
    #[serde(default)]
    pub by_process: Vec<Rank>,
    /// Functions, those that executed most first.
    pub functions: Vec<Function>,
}

impl Profile {
    /// Functions, those with the largest [expected error](SiteCounts::expected_error) first.
    pub fn by_expected_error(&self) -> Vec<&Function> {
        let mut all: Vec<&Function> = self.functions.iter().collect();
        all.sort_by(|a, b| b.results.expected_error().total_cmp(&a.results.expected_error()));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn site_counts_have_means_and_maxima_of_results() {
        let mut counters = vec![0; SITE_COUNTERS];
        counters[site::EXECUTED] = 10;
        counters[site::LOST_BITS] = 3;
        counters[site::LOST_BITS + 20] = 1;
        // Without an error, of 2^-24, of 1, and a bin that was taken back once too often.
        counters[site::ERROR] = 2;
        counters[site::ERROR + 1 + 38] = 1;
        counters[site::ERROR + 1 + 62] = 1;
        counters[site::ERROR + 5] = u64::MAX;
        let mut counts = SiteCounts::default();
        counts.add(&counters);
        assert_eq!((counts.executed, counts.lost_bits()), (10, Some((5.0, 20))));
        assert_eq!(counts.errors, [(ERROR_MIN - 1, 2), (-24, 1), (0, 1)].into());
        let (mean, most) = counts.error().unwrap();
        assert_eq!((mean, most), ((1.0 + 2f64.powi(-24)) / 4.0, 1.0));
        assert_eq!(counts.expected_error(), mean);
        let cancelled = SiteCounts { lost: [(0, 1), (22, 1)].into(), ..SiteCounts::default() };
        assert_eq!(cancelled.expected_error(), (0.25 + 2f64.powi(-24)) / 2.0);
        assert_eq!((SiteCounts::default().error(), SiteCounts::default().expected_error()), (None, 0.0));
        counts.merge(&cancelled);
        assert_eq!(counts.lost, [(0, 4), (20, 1), (22, 1)].into());
    }
}
