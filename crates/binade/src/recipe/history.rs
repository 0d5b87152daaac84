//! Histories of learnt biases: the bias of a tensor from step to step, for trainings and optimizers.

use alloc::vec;
use alloc::vec::Vec;

use super::learnt::{BiasRule, exponent_counts};
use super::quantizer::Quantizer;
use crate::block::Element;
use crate::catalog::Bias;

/// Changes of a bias that are recorded with their steps.
pub const MOST_CHANGES: usize = 1000;

/// The bias of a tensor, and the exponents that it follows ([`super::Learnt`]).
///
/// All fields are plain data, so that callers can save and load them. The feature `serde` does, but for `last`.
///
/// ```
/// use binade::recipe::{BiasHistory, Quantizer};
///
/// let quantizer: Quantizer = "cfloat8_1_4_3/bias=learnt".parse()?;
/// let mut history = BiasHistory::default();
/// // The largest exponent of four exponent bits is 15 − bias. With a margin of 1, 2^-3 wants 17.
/// let (_, moved) = history.take(0, &quantizer, &[0.125, -0.01]);
/// assert!(moved && history.bias == Some(17));
/// // The next step has a number beyond 2^-2 · 1.875, so that the bias falls at once.
/// let (_, moved) = history.take(1, &quantizer, &[1.0]);
/// assert!(moved && history.bias == Some(14));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BiasHistory {
    /// The bias; `None` before the first number that is not zero.
    pub bias: Option<i32>,
    /// The numbers of the last steps by exponent, oldest first. Under [`BiasRule::Largest`] only the largest exponent is kept.
    #[cfg_attr(feature = "serde", serde(default))]
    pub exponents: Vec<Vec<(i32, u64)>>,
    /// Steps since the bias changed.
    pub steady: usize,
    /// Changes of the bias.
    pub moves: u64,
    /// Numbers beyond the format's largest one, which saturated or overflowed.
    pub overflowed: u64,
    /// Nonzero numbers that became zero.
    pub underflowed: u64,
    /// The bias by step: its first value and its changes, at most the first [`MOST_CHANGES`] of them.
    #[cfg_attr(feature = "serde", serde(default))]
    pub by_step: Vec<BiasSpan>,
    /// The last step with numbers, if it was not loaded.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub last: Option<u64>,
}

/// Steps under one bias.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BiasSpan {
    /// Steps before the tensor was first quantised under it; 0 for initial values.
    pub from: u64,
    /// The bias.
    pub bias: i32,
    /// Numbers that were beyond the format's largest one under it.
    pub overflowed: u64,
    /// Nonzero numbers that became zero under it.
    pub underflowed: u64,
}

impl BiasHistory {
    /// Takes in the numbers of a tensor. Returns the quantizer under the tensor's bias, and true if the bias was chosen or has
    /// changed. Without a learnt bias that is the quantizer itself.
    ///
    /// A tensor may have several parts in one step, as an operand in a loop has. Their numbers count as those of one tensor. After
    /// the first part of a step the bias may fall, but not rise.
    pub fn take(&mut self, step: u64, quantizer: &Quantizer, numbers: &[f32]) -> (Quantizer, bool) {
        if quantizer.learnt.is_none() {
            return (quantizer.clone(), false);
        }
        let finite = numbers.iter().filter(|x| x.is_finite());
        let largest = finite.fold(0f32, |most, x| most.max(x.abs()));
        self.take_counts(step, quantizer, exponent_counts(numbers), largest)
    }

    /// Takes in the numbers of a tensor by exponent, and their largest magnitude.
    fn take_counts(
        &mut self,
        step: u64,
        quantizer: &Quantizer,
        mut counts: Vec<(i32, u64)>,
        largest: f32,
    ) -> (Quantizer, bool) {
        let (Some(learnt), Some(Element::Float(format))) = (quantizer.learnt, quantizer.element) else {
            return (quantizer.clone(), false);
        };
        let mut moved = false;
        if let Some(&(exponent, _)) = counts.last() {
            if learnt.rule == BiasRule::Largest {
                counts = vec![(exponent, 1)];
            }
            let is_first = self.last != Some(step);
            self.last = Some(step);
            match self.exponents.last_mut().filter(|_| !is_first) {
                Some(seen) if learnt.rule == BiasRule::Largest => seen[0].0 = seen[0].0.max(exponent),
                Some(seen) => add(seen, &counts),
                None => {
                    self.exponents.push(counts);
                    if self.exponents.len() > learnt.steps() {
                        self.exponents.remove(0);
                    }
                }
            }
            self.steady += usize::from(is_first);
            let wanted = learnt.bias(format, &self.exponents.concat()).unwrap_or_default();
            let falls = |bias: i32| match learnt.rule {
                // Stored numbers saturate, so that a tensor would never have a larger exponent by itself.
                BiasRule::Largest => largest > quantizer.under_bias(bias).largest(),
                BiasRule::MeanSquareError => wanted < bias,
            };
            let rises = |bias: i32| is_first && wanted > bias && self.steady >= learnt.steps();
            let next = match self.bias {
                None => wanted,
                Some(bias) if falls(bias) => wanted.min(bias - 1).max(*Bias::RANGE.start()),
                Some(bias) if rises(bias) => bias + 1,
                Some(bias) => bias,
            };
            moved = self.bias != Some(next);
            if moved && self.bias.is_some() {
                (self.moves, self.steady) = (self.moves + 1, 0);
            }
            self.bias = Some(next);
            if moved && self.by_step.len() <= MOST_CHANGES {
                self.by_step.push(BiasSpan { from: step, bias: next, overflowed: 0, underflowed: 0 });
            }
        }
        (self.bias.map_or_else(|| quantizer.clone(), |bias| quantizer.under_bias(bias)), moved)
    }

    /// Counts the numbers that overflowed and underflowed when this quantizer rounded them.
    pub fn count(&mut self, quantizer: &Quantizer, numbers: &[f32], rounded: &[f32]) {
        let largest = quantizer.largest();
        let (mut overflowed, mut underflowed) = (0, 0);
        for (x, y) in numbers.iter().zip(rounded) {
            overflowed += u64::from(x.is_finite() && x.abs() > largest);
            underflowed += u64::from(*y == 0.0 && *x != 0.0);
        }
        self.add(overflowed, underflowed);
    }

    fn add(&mut self, overflowed: u64, underflowed: u64) {
        self.overflowed += overflowed;
        self.underflowed += underflowed;
        if let Some(span) = self.by_step.last_mut().filter(|span| Some(span.bias) == self.bias) {
            span.overflowed += overflowed;
            span.underflowed += underflowed;
        }
    }
}

/// Adds counts by exponent to others. Both are in ascending order of exponents.
fn add(all: &mut Vec<(i32, u64)>, counts: &[(i32, u64)]) {
    for &(exponent, count) in counts {
        match all.binary_search_by_key(&exponent, |(exponent, _)| *exponent) {
            Ok(at) => all[at].1 += count,
            Err(at) => all.insert(at, (exponent, count)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes in one number of an exponent, or none.
    fn take(history: &mut BiasHistory, step: u64, quantizer: &Quantizer, exponent: Option<i32>) -> bool {
        let numbers: Vec<f32> = exponent.map(|exponent| 2f32.powi(exponent)).into_iter().collect();
        history.take(step, quantizer, &numbers).1
    }

    #[test]
    fn bias_follows_the_largest_exponent_slowly_down_and_at_once_up() {
        let quantizer: Quantizer = "cfloat8_1_4_3/bias=learnt/history=4".parse().unwrap();
        let mut history = BiasHistory::default();
        let mut step = 0;
        let mut bias = |exponent: Option<i32>| {
            step += 1;
            let numbers: Vec<f32> = exponent.map(|exponent| 2f32.powi(exponent)).into_iter().collect();
            let (quantizer, _) = history.take(step, &quantizer, &numbers);
            let Some(Element::Float(format)) = quantizer.element else { panic!("a format") };
            assert!(exponent.is_none_or(|exponent| exponent <= format.emax()));
            (format.bias(), history.moves)
        };
        // Four exponent bits: the largest exponent is 15 − bias. With a margin of 1, −3 wants 17.
        assert_eq!(bias(Some(-3)), (17, 0));
        assert_eq!(bias(Some(-2)), (17, 0));
        assert_eq!(bias(None), (17, 0));
        // 15 − 17 = −2 is exceeded.
        assert_eq!(bias(Some(0)), (14, 1));
        let found: Vec<(i32, u64)> = (0..9).map(|_| bias(Some(-5))).collect();
        // The 0 leaves the history after four steps; then the bias rises once in four steps.
        assert_eq!(found, [(14, 1), (14, 1), (14, 1), (15, 2), (15, 2), (15, 2), (15, 2), (16, 3), (16, 3)]);
    }

    #[test]
    fn spans_have_the_numbers_that_their_bias_lost() {
        let quantizer: Quantizer = "cfloat8_1_4_3/bias=learnt/history=2".parse().unwrap();
        let mut history = BiasHistory::default();
        let mut moved = vec![];
        for (step, (exponent, lost)) in
            [(-3, 1), (-3, 2), (0, 4), (-5, 8), (-5, 16), (-5, 32)].into_iter().enumerate()
        {
            moved.push(take(&mut history, step as u64, &quantizer, Some(exponent)));
            history.add(lost, 10 * lost);
        }
        assert_eq!(moved, [true, false, true, false, true, false]);
        let spans: Vec<(u64, i32, u64)> =
            history.by_step.iter().map(|span| (span.from, span.bias, span.overflowed)).collect();
        assert_eq!(spans, [(0, 17, 3), (2, 14, 12), (4, 15, 48)]);
        let sum = |of: fn(&BiasSpan) -> u64| history.by_step.iter().map(of).sum::<u64>();
        assert_eq!((sum(|span| span.overflowed), sum(|span| span.underflowed)), (63, 630));
        assert_eq!((history.overflowed, history.underflowed, history.moves), (63, 630, 2));
    }

    #[test]
    fn counts_are_those_of_numbers_beyond_the_format_and_of_zeros() {
        let quantizer: Quantizer = "cfloat8_1_4_3@bias=17".parse().unwrap();
        let mut history = BiasHistory::default();
        // The largest number is 1.875 · 2^-2.
        let numbers = [0.46875, 0.5, -1.0, f32::NAN, f32::INFINITY, 0.0, 1e-9];
        history.count(&quantizer, &numbers, &[0.46875, 0.46875, -0.46875, f32::NAN, f32::NAN, 0.0, 0.0]);
        assert_eq!((history.overflowed, history.underflowed), (2, 1));
    }

    #[test]
    fn bias_falls_if_numbers_saturate_without_a_larger_exponent() {
        for (margin, after) in [(0, 17), (1, 17), (3, 15)] {
            let quantizer: Quantizer =
                alloc::format!("cfloat8_1_4_3/bias=learnt/margin={margin}").parse().unwrap();
            let mut history = BiasHistory { bias: Some(18), ..BiasHistory::default() };
            // The largest number under the bias 18 is 1.875 · 2^-3.
            history.take(1, &quantizer, &[1.875 / 8.0]);
            assert_eq!(history.bias, Some(18), "{quantizer}");
            history.take(2, &quantizer, &[1.9 / 8.0]);
            assert_eq!(history.bias, Some(after), "{quantizer}");
        }
    }

    #[test]
    fn bias_of_least_error_falls_at_once_and_rises_after_a_history() {
        let quantizer: Quantizer = "cfloat8_1_4_3/bias=learnt/by=mse/history=2".parse().unwrap();
        let mut history = BiasHistory::default();
        // The few large numbers of the third step are worth a smaller bias.
        let steps = (0..).zip([-9, -9, 3, -9, -9, -9, -9]);
        let biases: Vec<i32> = steps
            .map(|(step, exponent)| {
                let counts = vec![(exponent - 14, 1 << 40), (exponent, 8)];
                history.take_counts(step, &quantizer, counts, 2f32.powi(exponent));
                history.bias.unwrap()
            })
            .collect();
        assert_eq!(biases[0], biases[1]);
        assert!(biases[2] < biases[1], "{biases:?}");
        // Two steps of the history, then a rise by one in two steps.
        assert_eq!(biases[3], biases[2], "{biases:?}");
        assert_eq!(biases[4], biases[2] + 1, "{biases:?}");
        assert_eq!(biases[6], biases[4] + 1, "{biases:?}");
    }

    #[test]
    fn parts_of_a_step_count_as_one_tensor() {
        for rule in ["largest", "mse"] {
            let text = alloc::format!("cfloat8_1_4_3/bias=learnt/by={rule}/history=3");
            let quantizer: Quantizer = text.parse().unwrap();
            let (mut whole, mut parts) = (BiasHistory::default(), BiasHistory::default());
            for (step, exponent) in (0..).zip([-3, -9, -9, -9, -9, -9, -9, -9, 2, 2, -5]) {
                let numbers = [2f32.powi(exponent), 1.5 * 2f32.powi(exponent - 2), 0.0];
                whole.take(step, &quantizer, &numbers);
                for part in numbers.chunks(1) {
                    parts.take(step, &quantizer, part);
                }
                assert_eq!(parts.exponents, whole.exponents, "{text} {step}");
                assert_eq!((parts.bias, parts.steady), (whole.bias, whole.steady), "{text} {step}");
            }
            // A part that exceeds the format makes the bias fall within its step.
            let before = parts.bias.unwrap();
            assert!(!take(&mut parts, 20, &quantizer, Some(-9)));
            assert!(take(&mut parts, 20, &quantizer, Some(9)));
            assert!(parts.bias.unwrap() < before, "{text}");
        }
    }

    #[test]
    fn changes_beyond_the_recorded_ones_are_reported_once() {
        let quantizer: Quantizer = "cfloat8_1_4_3/bias=learnt/history=1".parse().unwrap();
        let mut history = BiasHistory::default();
        // The bias falls and rises again; then it stays.
        let moves = 2 * MOST_CHANGES as u64;
        let moved =
            (0..moves).filter(|step| take(&mut history, *step, &quantizer, Some(-3 + (step % 2) as i32 * 3)));
        assert_eq!(moved.count() as u64, history.moves + 1);
        assert!(history.moves > MOST_CHANGES as u64 && history.by_step.len() == MOST_CHANGES + 1);
        let steady = (moves..moves + 9).filter(|step| take(&mut history, *step, &quantizer, Some(0)));
        assert_eq!(steady.count(), 0);
    }
}
