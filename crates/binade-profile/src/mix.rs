//! The dynamic instruction mix of a program: shares of the instructions that it executes, estimated from windows.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A class of the instruction mix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// A floating-point fused multiply-add, packed or scalar, of any precision, and dot products of BF16 pairs.
    Fma,
    /// Other floating-point arithmetic, comparisons and conversions included; moves and shuffles are not arithmetic.
    OtherFp,
    /// Everything else.
    NonFp,
}

/// The instructions that are counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sampling {
    /// All.
    Exact,
    /// Windows at random moments.
    Windows {
        /// Mean time between windows; longer where they would take more than a tenth of the time.
        interval: Duration,
        /// Instructions a window.
        length: u32,
        /// The seed of the random moments.
        seed: u64,
    },
}

impl Default for Sampling {
    /// A window of 2000 instructions every 20 ms.
    fn default() -> Self {
        Sampling::Windows { interval: Duration::from_millis(20), length: 2000, seed: 0 }
    }
}

/// Instructions of each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// [`Class::Fma`]
    pub fma: u64,
    /// [`Class::OtherFp`]
    pub other_fp: u64,
    /// [`Class::NonFp`]
    pub non_fp: u64,
}

impl Counts {
    /// Counts one instruction.
    pub fn add(&mut self, class: Class) {
        match class {
            Class::Fma => self.fma += 1,
            Class::OtherFp => self.other_fp += 1,
            Class::NonFp => self.non_fp += 1,
        }
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        self.fma + self.other_fp + self.non_fp
    }

    fn of(&self, class: Class) -> u64 {
        match class {
            Class::Fma => self.fma,
            Class::OtherFp => self.other_fp,
            Class::NonFp => self.non_fp,
        }
    }
}

/// The instructions of a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Its instructions.
    pub counts: Counts,
    /// The time that it stands for, in any unit: the mean time between windows when its moment was drawn.
    pub weight: f64,
}

/// A share of the executed instructions, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// The estimate.
    pub share: f64,
    /// Its 95 % confidence interval; the estimate itself twice if every instruction was counted. Null if there are fewer
    /// than two windows.
    pub confidence_95: Option<[f64; 2]>,
}

/// The instruction mix of a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mix {
    /// The command.
    pub command: Vec<String>,
    /// True if every instruction was counted.
    pub exact: bool,
    /// Windows that were stepped through.
    pub windows: usize,
    /// Instructions that were counted.
    pub instructions: Counts,
    /// Share of fused multiply-adds.
    pub fma: Share,
    /// Share of other floating-point arithmetic.
    pub other_fp: Share,
    /// Share of everything else.
    pub non_fp: Share,
}

/// Fewer windows are too small a sample: the interval of confidence assumes more.
pub const FEWEST_WINDOWS: usize = 10;

impl Mix {
    /// True if the windows are too few for the shares to mean anything.
    pub fn is_small_sample(&self) -> bool {
        !self.exact && self.windows < FEWEST_WINDOWS
    }

    /// Estimates the mix from windows. No window at all gives shares of zero.
    pub fn new(command: Vec<String>, exact: bool, windows: &[Window]) -> Mix {
        let mut instructions = Counts::default();
        for Window { counts, .. } in windows {
            instructions.fma += counts.fma;
            instructions.other_fp += counts.other_fp;
            instructions.non_fp += counts.non_fp;
        }
        let share = |class| share(windows, class, exact);
        Mix {
            command,
            exact,
            windows: windows.len(),
            instructions,
            fma: share(Class::Fma),
            other_fp: share(Class::OtherFp),
            non_fp: share(Class::NonFp),
        }
    }
}

/// The ratio estimator over k windows (Cochran, Sampling Techniques, 2.39, without the finite population correction). Window i has
/// the weight wᵢ and nᵢ instructions, yᵢ of them of the class:
///
/// ```text
/// p = Σ wᵢ yᵢ / Σ wᵢ nᵢ
/// standard error = √(k/(k−1) · Σ (wᵢ (yᵢ − p nᵢ))²) / Σ wᵢ nᵢ
/// ```
fn share(windows: &[Window], class: Class, exact: bool) -> Share {
    let all = |window: &Window| window.weight * window.counts.total() as f64;
    let hits = |window: &Window| window.weight * window.counts.of(class) as f64;
    let total: f64 = windows.iter().map(all).sum();
    if total == 0.0 {
        return Share { share: 0.0, confidence_95: None };
    }
    let share = windows.iter().map(hits).sum::<f64>() / total;
    if exact {
        return Share { share, confidence_95: Some([share; 2]) };
    }
    let count = windows.len() as f64;
    let square = |window: &Window| (hits(window) - share * all(window)).powi(2);
    let error = (count / (count - 1.0) * windows.iter().map(square).sum::<f64>()).sqrt() / total;
    let confidence_95 = (windows.len() > 1).then(|| {
        let half = 1.96 * error;
        [(share - half).max(0.0), (share + half).min(1.0)]
    });
    Share { share, confidence_95 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_small_sample_below_ten_windows_is_true() {
        let window = Window { counts: Counts { fma: 1, other_fp: 0, non_fp: 1 }, weight: 1.0 };
        let of = |exact, count| Mix::new(vec![], exact, &vec![window; count]).is_small_sample();
        assert!(of(false, 0) && of(false, 1) && of(false, FEWEST_WINDOWS - 1));
        assert!(!of(false, FEWEST_WINDOWS) && !of(true, 1));
    }

    #[test]
    fn ratio_estimator() {
        let weighing = |weight, fma, non_fp| Window { counts: Counts { fma, other_fp: 0, non_fp }, weight };
        let window = |fma, non_fp| weighing(0.5, fma, non_fp);
        let mix = Mix::new(vec![], false, &[window(40, 60), window(60, 40), window(50, 50), window(50, 50)]);
        assert_eq!(mix.fma.share, 0.5);
        // Deviations 10, 10, 0, 0 of 400: √(4/3 · 200) / 400.
        let half = 1.96 * (800.0_f64 / 3.0).sqrt() / 400.0;
        let [low, high] = mix.fma.confidence_95.unwrap();
        assert!((low - (0.5 - half)).abs() < 1e-12 && (high - (0.5 + half)).abs() < 1e-12);
        // A window that stands for three times the time weighs as much as three.
        let heavy = Mix::new(vec![], false, &[weighing(1.0, 40, 60), weighing(3.0, 60, 40)]);
        assert_eq!(heavy.fma.share, 0.55);
        // Deviations −15 and 3 · 5 of 400: √(2/1 · 450) / 400.
        let half = 1.96 * 900.0_f64.sqrt() / 400.0;
        assert!((heavy.fma.confidence_95.unwrap()[0] - (0.55 - half)).abs() < 1e-12);
        assert_eq!(mix.other_fp, Share { share: 0.0, confidence_95: Some([0.0; 2]) });
        assert_eq!(Mix::new(vec![], false, &[]).fma, Share { share: 0.0, confidence_95: None });
        assert_eq!(Mix::new(vec![], false, &[window(1, 1)]).fma.confidence_95, None);
        assert_eq!(Mix::new(vec![], true, &[window(1, 1)]).fma.confidence_95, Some([0.5; 2]));
    }
}
